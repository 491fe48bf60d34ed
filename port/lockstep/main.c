/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The command line.  Exit status: 0 all hashes equal, or a flip found; 1
 * otherwise; 2 bad arguments. */

#include <stdio.h>

#include "alone.h"
#include "match.h"
#include "play.h"
#include "port/command.h"

struct command_line {
    match_def match;
    play_def play;
    uint32_t minutes, latency, jitter; /* minutes; ms; ms */
};

static bool read_to(command_line *line, const char *text)
{
    line->play.to = text;
    return *text != '\0';
}

static bool read_directory(command_line *line, const char *text)
{
    line->match.directory = text;
    return *text != '\0';
}

static bool read_picture(command_line *line, const char *text)
{
    line->match.picture = text;
    return *text != '\0';
}

static const option options[] = {
    {"--minutes", "N", "length of the match", OPTION_COUNT(minutes, 1, 60)},
    {"--steps", "N", "its length in steps of 1/60 s (default: 3600)",
     OPTION_COUNT(match.steps, 1, 1000000)},
    {"--seed", "N", "another number, other inputs and faults",
     OPTION_COUNT(match.seed, 0, 1000000)},
    {"--latency", "MS", "time of a message on its way",
     OPTION_COUNT(latency, 0, 1000)},
    {"--jitter", "MS", "most that this time differs",
     OPTION_COUNT(jitter, 0, 1000)},
    {"--loss", "PERCENT", "messages lost",
     OPTION_COUNT(match.faults.loss, 0, 90)},
    {"--duplicate", "PERCENT", "messages that arrive twice",
     OPTION_COUNT(match.faults.duplicates, 0, 100)},
    {"--late", "TICK", "a third machine joins at this tick",
     OPTION_COUNT(match.late, 0, 1000000)},
    {"--flip", "STEP", "flip a bit at this step, to see it found",
     OPTION_COUNT(match.flip, 0, 1000000)},
    {"-o", "DIR", "write replays of a divergence there",
     OPTION_READ(read_directory)},
    {"--picture", "FILE.png", "draw the last state", OPTION_READ(read_picture)},
    {"--player", "N", "which player you are", OPTION_COUNT(play.player, 0, 1)},
    {"--port", "PORT", "UDP port of your own",
     OPTION_COUNT(play.port, 1, 65535)},
    {"--to", "HOST:PORT", "where the other player is", OPTION_READ(read_to)},
    {"--bot", NULL, "the computer plays", OPTION_SWITCH(play.is_bot)},
    {0},
};

static const option_pair rivals[] = {{"--minutes", "--steps"}, {0}};

/* Converts what the options set: ms to ticks of 16.7 ms. */
static void set_faults(command_line *line)
{
    if (line->minutes > 0)
        line->match.steps = line->minutes * 3600u;
    line->match.faults.latency = (line->latency * 6u + 50u) / 100u;
    line->match.faults.jitter = (line->jitter * 6u + 50u) / 100u;
    line->match.faults.seed = line->match.seed;
    line->play.seed = line->match.seed;
    line->play.faults = line->match.faults;
}

static int run_match(command_line *line)
{
    set_faults(line);
    return match_run(&line->match) ? 0 : 1;
}

static int run_alone(command_line *line)
{
    tally seen = {0};
    bool ok = alone_run(line->match.steps, line->match.seed, &seen);

    printf("states %u tally %08x %08x\n", (unsigned)seen.count,
           (unsigned)seen.all, (unsigned)seen.late);
    return ok ? 0 : 1;
}

static int run_play(command_line *line)
{
    if (!line->play.to || line->play.port == 0)
        return command_refuse("--port PORT or --to HOST:PORT is missing");
    set_faults(line);
    return play_run(&line->play) ? 0 : 1;
}

#define NETWORK_OPTIONS "--seed --latency --jitter --loss --duplicate "

static const command commands[] = {
    {"match", "", "two processes play over UDP, and a referee compares",
     NETWORK_OPTIONS "--minutes --steps --late --flip -o --picture", 0, 0,
     run_match, NULL},
    {"alone", "", "the same game in one process, without messages",
     "--steps --seed", 0, 0, run_alone, NULL},
    {"play", "--port PORT --to HOST:PORT", "you play, in a terminal",
     NETWORK_OPTIONS "--player --port --to --bot", 0, 0, run_play,
     "arrows or wasd roll, space jumps, e dashes, q leaves\n"},
    {0},
};

int main(int argc, char **argv)
{
    static command_line line;
    static const program lockstep = {
        "lockstep",
        VSP_FIXED ? "a game of two machines, in fixed point"
                  : "a game of two machines, in floats",
        commands,
        options,
        rivals,
        NULL};

    line.match.steps = 3600;
    line.match.seed = 1;
    line.match.flip = MACHINE_NEVER;
    return command_run(&lockstep, argc, argv, &line);
}
