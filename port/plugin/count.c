/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A plugin of QEMU (interface version 1, QEMU 4.2 to 8) that counts the
 * instructions a guest executes between two functions, here the marks around
 * a step in port/guest/measure.c:
 *
 *     -plugin count.so,begin=0x1234,end=0x1240,out=FILE
 *
 * It writes `calls instructions` to the file.  QEMU translates code in
 * blocks that run from top to bottom, so counting blocks by their length is
 * exact where nothing traps in the middle of one, as here; and a mark, being
 * called, starts a block. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the interface names, as far as it is used here. */
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
                                              int op, void *sum,
                                              uint64_t add);
void qemu_plugin_register_atexit_cb(plugin_id id,
                                    void (*call)(plugin_id, void *),
                                    void *user);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *block);

#define EXPORT __attribute__((visibility("default")))
EXPORT extern int qemu_plugin_version;
int qemu_plugin_version = 1;

static uint64_t begin, end; /* addresses, low 32 bits */
static const char *file;
static uint64_t executed, since, calls, sum;

static void at_begin(unsigned cpu, void *user)
{
    (void)cpu;
    (void)user;
    since = executed;
}

static void at_end(unsigned cpu, void *user)
{
    (void)cpu;
    (void)user;
    sum += executed - since;
    calls++;
}

static void at_translation(plugin_id id, struct qemu_plugin_tb *block)
{
    uint64_t address = qemu_plugin_tb_vaddr(block) & 0xffffffffu;

    (void)id;
    if (address == begin)
        qemu_plugin_register_vcpu_tb_exec_cb(block, at_begin, 0, NULL);
    if (address == end)
        qemu_plugin_register_vcpu_tb_exec_cb(block, at_end, 0, NULL);
    qemu_plugin_register_vcpu_tb_exec_inline(block, 0, &executed,
                                             qemu_plugin_tb_n_insns(block));
}

static void at_exit(plugin_id id, void *user)
{
    FILE *out = fopen(file, "w");

    (void)id;
    (void)user;
    if (!out)
        return;
    fprintf(out, "%llu %llu\n", (unsigned long long)calls,
            (unsigned long long)sum);
    fclose(out);
}

/* Reads name=value; returns the value, or null for another name. */
static const char *value_of(const char *option, const char *name)
{
    size_t length = strlen(name);

    return strncmp(option, name, length) == 0 && option[length] == '='
               ? option + length + 1
               : NULL;
}

EXPORT int qemu_plugin_install(plugin_id id, const void *info, int count,
                               char **options)
{
    int i;
    const char *value;

    (void)info;
    for (i = 0; i < count; i++) {
        if ((value = value_of(options[i], "begin")))
            begin = strtoull(value, NULL, 16) & 0xffffffffu;
        else if ((value = value_of(options[i], "end")))
            end = strtoull(value, NULL, 16) & 0xffffffffu;
        else if ((value = value_of(options[i], "out")))
            file = strdup(value);
    }
    if (!file)
        return 1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, at_translation);
    qemu_plugin_register_atexit_cb(id, at_exit, NULL);
    return 0;
}
