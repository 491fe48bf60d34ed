/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A plugin of QEMU (interface version 1, QEMU 4.2 to 8) that counts the
 * instructions a guest executes.  One counter at a time is active: each option
 * names a counter, 0 to 15, and the address at which it becomes active.  With
 *
 *     -plugin count.so,1=0x1234,0=0x1240,out=FILE
 *
 * counter 1 counts the instructions of steps, between the marks of
 * port/guest/measure.c.  Counter 0 is active at the start, and is not reported.
 * At the end the file has a line of `turns instructions` for each counter from
 * 1 up.  With line=0x1300 it also has a line for each time the guest reached
 * that address, with the counts since the previous line.  QEMU translates code
 * in blocks that run from top to bottom, so counting blocks by their length is
 * exact unless something traps within one, and here nothing does.  A function
 * starts a block, as it is called. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The declarations of QEMU's plugin interface that are used here. */
typedef uint64_t plugin_id;
struct qemu_plugin_tb;

int qemu_plugin_install(plugin_id id, const void *info, int count,
                        char **options);
void qemu_plugin_register_vcpu_tb_trans_cb(
    plugin_id id, void (*call)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block,
                                          void (*call)(unsigned, void *),
                                          int flags, void *user);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block,
                                              int op, void *sum, uint64_t add);
void qemu_plugin_register_atexit_cb(plugin_id id,
                                    void (*call)(plugin_id, void *),
                                    void *user);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *block);

#define EXPORT __attribute__((visibility("default")))
EXPORT extern int qemu_plugin_version;
int qemu_plugin_version = 1;

#define COUNTERS 16
#define PLACES 32

typedef struct place {
    uint64_t address; /* low 32 bits of the address */
    unsigned counter; /* counter to activate; COUNTERS: write a line */
} place;

static place places[PLACES];
static int place_count;
static uint64_t executed, since; /* instructions in all; those when the current
                                  * counter became active */
static unsigned current;
static uint64_t turns[COUNTERS], sums[COUNTERS];
static unsigned highest;
static FILE *out;

static void take_turn(unsigned counter)
{
    sums[current] += executed - since;
    since = executed;
    turns[counter] += counter != current;
    current = counter;
}

static void write_line(void)
{
    take_turn(current);
    for (unsigned i = 1; i <= highest; i++)
        fprintf(out, "%llu %llu%c", (unsigned long long)turns[i],
                (unsigned long long)sums[i], i < highest ? ' ' : '\n');
    memset(turns, 0, sizeof turns);
    memset(sums, 0, sizeof sums);
}

static void at_place(unsigned cpu, void *user)
{
    const place *at = user;

    (void)cpu;
    if (at->counter < COUNTERS)
        take_turn(at->counter);
    else
        write_line();
}

static void at_translation(plugin_id id, struct qemu_plugin_tb *block)
{
    uint64_t address = qemu_plugin_tb_vaddr(block) & 0xffffffffu;

    (void)id;
    for (int i = 0; i < place_count; i++)
        if (places[i].address == address)
            qemu_plugin_register_vcpu_tb_exec_cb(block, at_place, 0,
                                                 &places[i]);
    qemu_plugin_register_vcpu_tb_exec_inline(block, 0, &executed,
                                             qemu_plugin_tb_n_insns(block));
}

static void at_exit(plugin_id id, void *user)
{
    (void)id;
    (void)user;
    if (sums[1] > 0)
        write_line();
    fclose(out);
}

/* Reads an option NAME=VALUE.  Returns false if it is not valid. */
static bool read_option(const char *option)
{
    const char *value = strchr(option, '=');
    place *to = &places[place_count];

    if (!value++)
        return false;
    if (strncmp(option, "out=", 4) == 0)
        return (out = fopen(value, "w")) != NULL;
    if (place_count++ == PLACES)
        return false;
    to->address = strtoull(value, NULL, 16) & 0xffffffffu;
    to->counter = COUNTERS;
    if (strncmp(option, "line=", 5) == 0)
        return true;
    to->counter = (unsigned)strtoul(option, NULL, 10);
    if (to->counter > highest)
        highest = to->counter;
    return to->counter < COUNTERS;
}

EXPORT int qemu_plugin_install(plugin_id id, const void *info, int count,
                               char **options)
{
    (void)info;
    for (int i = 0; i < count; i++)
        if (!read_option(options[i]))
            return 1;
    if (!out || highest == 0)
        return 1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, at_translation);
    qemu_plugin_register_atexit_cb(id, at_exit, NULL);
    return 0;
}
