/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Sends very many lockstep messages, good ones changed at random, to the peers
 * of fuzz_lockstep.c, whose header describes an input.
 *
 *      storm 100000000      this many messages
 *      storm 1 77           the input of seed 77 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "fix.h"

#define MESSAGES 12u /* messages of an input */
#define CHANGES 3u   /* most often, words of a message that change */

extern unsigned long messages_heard;
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static unsigned long seed;
static uint32_t state;
static unsigned char data[1 + MESSAGES * (1 + 31 * 6)];
static size_t size;

static void on_signal(int number)
{
    (void)number;
    printf("rerun: storm 1 %lu\n", seed);
    fflush(stdout);
    _Exit(1);
}

static uint32_t random_word(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static uint32_t below(uint32_t count)
{
    return (random_word() >> 8) % count;
}

static void add_byte(uint32_t byte)
{
    data[size++] = (unsigned char)(byte & 0xff);
}

/* Returns a number that readers often get wrong, or a random one. */
static uint32_t odd_word(void)
{
    static const uint32_t words[] = {0,           1,           0x7fffffffu,
                                     0x80000000u, 0x80000001u, 0xffffffffu};

    switch (below(4)) {
    case 0:
        return words[below(6)] + below(5) - 2;
    case 1:
        return below(100);
    case 2:
        return (1 + below(7)) | below(4) << 8 | below(40) << 16;
    default:
        return random_word();
    }
}

/* Changes a word near the head of a message, where most sections are, or
 * anywhere. */
static void add_change(void)
{
    uint32_t at = below(4) ? below(32) : random_word(), word = odd_word();

    add_byte(at);
    add_byte(at >> 8);
    for (int i = 0; i < 4; i++)
        add_byte(word >> 8 * i);
}

static void add_message(void)
{
    uint32_t which = below(32), count = below(16) ? below(CHANGES + 1) : 31;

    if (which >= 8)
        which %= 7; /* raw ones are rare */
    add_byte((which & 7) | count << 3);
    for (; count > 0; count--)
        add_change();
}

int main(int count, char **arguments)
{
    unsigned long wanted = 100000, inputs = 0;

    if (count > 1)
        wanted = strtoul(arguments[1], NULL, 10);
    seed = count > 2 ? strtoul(arguments[2], NULL, 10) : 1;
    signal(SIGABRT, on_signal);
    signal(SIGSEGV, on_signal);
    signal(SIGILL, on_signal);
    for (; messages_heard < wanted; seed++, inputs++) {
        state = (uint32_t)seed * 2654435761u + 77u;
        state += state == 0;
        size = 0;
        add_byte(random_word() >> 16);
        for (uint32_t i = 0; i < MESSAGES; i++)
            add_message();
        LLVMFuzzerTestOneInput(data, size);
    }
    printf("%lu messages in %lu inputs\n", messages_heard, inputs);
    return 0;
}
