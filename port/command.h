/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The command line of a host program: commands, their options and their help.
 * A wrong word is refused by its name, with the nearest right one, before
 * anything runs. */

#ifndef COMMAND_H
#define COMMAND_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STATUS_USAGE 2 /* exit status of a wrong word */
#define ANY INT_MAX    /* as many words as one likes */

/* What the options set: each program defines its own. */
typedef struct command_line command_line;

/* An option has a value, which `read` reads, or a whole number, or is a switch,
 * which sets a bool. */
typedef struct option {
    const char *name;  /* with its dashes */
    const char *value; /* what the value is called; null: a switch */
    const char *about; /* meaning, range (but of a whole number) and default */
    bool (*read)(command_line *line, const char *value); /* null: a whole
                                                          * number */
    const char *const *choices; /* all values, up to a null; null: any */
    size_t at; /* offset in the command_line, of a switch or whole number */
    uint32_t low, high; /* range of a whole number */
} option;

/* the last fields of an option */
#define OPTION_SWITCH(field) NULL, NULL, offsetof(command_line, field), 0, 0
#define OPTION_COUNT(field, low, high) \
    NULL, NULL, offsetof(command_line, field), low, high
#define OPTION_READ(function) function, NULL, 0, 0, 0
#define OPTION_CHOICE(function, choices) function, choices, 0, 0, 0

typedef struct command {
    const char *name;
    const char *words;   /* after the name, for the help */
    const char *about;   /* what the command does */
    const char *options; /* the names of its options, separated by spaces */
    int least, most;     /* number of words that are not options */
    int (*act)(command_line *line);
    const char *notes; /* more of its help; null: none */
} command;

/* the names of two options; a null after the last pair */
typedef struct option_pair {
    const char *a, *b;
} option_pair;

typedef struct program {
    const char *name;
    const char *about;       /* one line of the help */
    const command *commands; /* up to one without a name, as options are */
    const option *options;
    const option_pair *rivals; /* options that exclude each other */
    bool (*add)(command_line *line, const char *word); /* takes a word that is
                                                        * no option */
} program;

/* Reads the words of main and runs a command, or prints help on stdout.
 * Returns the exit status. */
int command_run(const program *it, int argc, char **argv, command_line *line);

/* Reads a whole number from low to high, and moves *text past it. */
bool command_read_count(const char **text, uint32_t low, uint32_t high,
                        uint32_t *value);

/* Prints "vsp run: " and the reason on stderr, then how the running command is
 * used.  Returns STATUS_USAGE. */
int command_refuse(const char *format, ...);

/* Prints the reason alone, on a line that is left open. */
void command_reason(const char *format, ...);

/* The candidate that is nearest to a word. */
typedef struct guess {
    const char *word;
    const char *best; /* null: none is near */
    size_t distance;
} guess;

/* Starts to search for what could be meant by a word. */
guess guess_begin(const char *word);

/* Compares the word with one more candidate. */
void guess_add(guess *it, const char *candidate);

/* Prints "; did you mean 'BEST'?", if there is one, and ends the line. */
void guess_end(const guess *it);

#endif
