/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The command line.  Exit status: 0 all hashes equal, or a flip found; 1
 * otherwise; 2 bad arguments. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alone.h"
#include "match.h"
#include "play.h"

typedef struct command_line {
    match_def match;
    play_def play;
    uint32_t minutes, latency, jitter; /* minutes; ms; ms */
} command_line;

static int usage(void)
{
    fprintf(stderr,
            "usage: lockstep match [--minutes N | --steps N] [--seed N] "
            "[NETWORK] [--late TICK]\n"
            "                      [--flip STEP] [-o DIR] "
            "[--picture FILE.png]\n"
            "       lockstep alone [--steps N] [--seed N]\n"
            "       lockstep play --player 0|1 --port PORT --to HOST:PORT "
            "[--bot] [NETWORK]\n"
            "NETWORK: [--latency MS] [--jitter MS] [--loss PERCENT] "
            "[--duplicate PERCENT]\n"
            "numbers: %s\n",
            VSP_FIXED ? "fixed" : "float");
    return 2;
}

static bool read_number(const char *text, uint32_t high, uint32_t *value)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);

    *value = (uint32_t)number;
    return *text >= '0' && *text <= '9' && *end == '\0' && number <= high;
}

static bool read_option(command_line *line, const char *name, const char *value)
{
    const struct {
        const char *name;
        uint32_t *number, high;
    } numbers[] = {
        {"--minutes", &line->minutes, 60},
        {"--steps", &line->match.steps, 1000000},
        {"--seed", &line->match.seed, 1000000},
        {"--latency", &line->latency, 1000},
        {"--jitter", &line->jitter, 1000},
        {"--loss", &line->match.faults.loss, 90},
        {"--duplicate", &line->match.faults.duplicates, 100},
        {"--flip", &line->match.flip, 1000000},
        {"--late", &line->match.late, 1000000},
        {"--player", &line->play.player, 1},
        {"--port", &line->play.port, 65535},
    };

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(name, numbers[i].name) == 0)
            return read_number(value, numbers[i].high, numbers[i].number);
    if (strcmp(name, "--to") == 0)
        line->play.to = value;
    else if (strcmp(name, "-o") == 0)
        line->match.directory = value;
    else if (strcmp(name, "--picture") == 0)
        line->match.picture = value;
    else
        return false;
    return true;
}

static bool read_options(command_line *line, int count, char **texts)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(texts[i], "--bot") == 0) {
            line->play.is_bot = true;
            continue;
        }
        if (i + 1 >= count || !read_option(line, texts[i], texts[i + 1])) {
            fprintf(stderr, "lockstep: what is '%s'?\n", texts[i]);
            return false;
        }
        i++;
    }
    if (line->minutes > 0)
        line->match.steps = line->minutes * 3600u;
    /* ms to ticks of 16.7 ms */
    line->match.faults.latency = (line->latency * 6u + 50u) / 100u;
    line->match.faults.jitter = (line->jitter * 6u + 50u) / 100u;
    line->match.faults.seed = line->match.seed;
    line->play.seed = line->match.seed;
    line->play.faults = line->match.faults;
    return true;
}

static bool run_alone(uint32_t steps, uint32_t seed)
{
    tally seen = {0};
    bool ok = alone_run(steps, seed, &seen);

    printf("states %u tally %08x %08x\n", (unsigned)seen.count,
           (unsigned)seen.all, (unsigned)seen.late);
    return ok;
}

int main(int argc, char **argv)
{
    static command_line line;

    line.match.steps = 3600;
    line.match.seed = 1;
    line.match.flip = MACHINE_NEVER;
    if (argc < 2 || !read_options(&line, argc - 2, argv + 2))
        return usage();
    if (strcmp(argv[1], "match") == 0)
        return match_run(&line.match) ? 0 : 1;
    if (strcmp(argv[1], "alone") == 0)
        return run_alone(line.match.steps, line.match.seed) ? 0 : 1;
    if (strcmp(argv[1], "play") == 0 && line.play.to && line.play.port > 0)
        return play_run(&line.play) ? 0 : 1;
    return usage();
}
