/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* In this order: guesses, refusals, help, options, commands. */

#include "command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* what the words at hand are for; null until a command is known */
static const program *current_program;
static const command *current_command;


/* ---- Guesses ------------------------------------------------------------ */

#define MAX_GUESS 40 /* longer words are never guessed */

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns how many letters are to be inserted, removed, replaced or swapped
 * with a neighbour to make b of a. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[MAX_GUESS + 1][MAX_GUESS + 1];
    size_t height = strlen(a), width = strlen(b);

    for (size_t i = 0; i <= height; i++)
        for (size_t j = 0; j <= width; j++) {
            size_t *here = &rows[i][j];

            if (i == 0 || j == 0) {
                *here = i + j;
                continue;
            }
            *here = least_of(rows[i - 1][j], rows[i][j - 1]) + 1;
            *here = least_of(*here,
                             rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                *here = least_of(*here, rows[i - 2][j - 2] + 1);
        }
    return rows[height][width];
}

guess guess_begin(const char *word)
{
    guess it = {word, NULL, 0};

    /* a third of the letters may be wrong, and one always */
    it.distance = strlen(word) / 3 + 1 + (strlen(word) < 3);
    return it;
}

void guess_add(guess *it, const char *candidate)
{
    size_t distance;

    if (strlen(it->word) > MAX_GUESS || strlen(candidate) > MAX_GUESS)
        return;
    distance = edit_distance(it->word, candidate);
    if (distance < it->distance && distance < strlen(candidate)) {
        it->best = candidate;
        it->distance = distance;
    }
}

void guess_end(const guess *it)
{
    if (it->best)
        fprintf(stderr, "; did you mean '%s'?", it->best);
    fprintf(stderr, "\n");
}


/* ---- Refusals ----------------------------------------------------------- */

static void print_usage(FILE *out)
{
    const command *it = current_command;

    if (!it) {
        fprintf(out, "usage: %s COMMAND [WORD...]\n", current_program->name);
        return;
    }
    fprintf(out, "usage: %s %s%s%s%s\n", current_program->name, it->name,
            it->words[0] ? " " : "", it->words,
            it->options[0] ? " [OPTION...]" : "");
}

static void print_reason(const char *format, va_list list)
{
    fprintf(stderr, "%s", current_program->name);
    if (current_command)
        fprintf(stderr, " %s", current_command->name);
    fprintf(stderr, ": ");
    vfprintf(stderr, format, list);
}

void command_reason(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    print_reason(format, list);
    va_end(list);
}

/* Prints what follows a reason.  Returns the exit status. */
static int end_refusal(void)
{
    print_usage(stderr);
    fprintf(stderr, "`%s help%s%s` says more\n", current_program->name,
            current_command ? " " : "",
            current_command ? current_command->name : "");
    return STATUS_USAGE;
}

int command_refuse(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    print_reason(format, list);
    va_end(list);
    fprintf(stderr, "\n");
    return end_refusal();
}


/* ---- Options ------------------------------------------------------------ */

/* Whether the command has an option of this name. */
static bool has_option(const command *it, const char *name)
{
    size_t size = strlen(name);

    for (const char *at = it->options; *at;) {
        size_t length = strcspn(at, " ");

        if (length == size && strncmp(at, name, size) == 0)
            return true;
        at += length + (at[length] == ' ');
    }
    return false;
}

static const option *find_option(const char *name)
{
    for (const option *it = current_program->options; it->name; it++)
        if (strcmp(it->name, name) == 0)
            return it;
    return NULL;
}

/* Prints which other command has the option, if one has. */
static void print_owner(const char *word)
{
    for (const command *it = current_program->commands; it->name; it++)
        if (has_option(it, word)) {
            fprintf(stderr, "; `%s %s` has it", current_program->name,
                    it->name);
            return;
        }
}

static bool refuse_option(const char *word)
{
    guess near = guess_begin(word);

    command_reason("no option '%s'", word);
    for (const option *it = current_program->options; it->name; it++)
        if (has_option(current_command, it->name))
            guess_add(&near, it->name);
    if (!near.best)
        print_owner(word);
    guess_end(&near);
    return false;
}

static bool is_count(const option *it)
{
    return it->value && !it->read;
}

/* Prints what an option means, and its range. */
static void print_about(FILE *out, const option *it)
{
    fprintf(out, "%s", it->about);
    if (is_count(it))
        fprintf(out, ", %lu to %lu", (unsigned long)it->low,
                (unsigned long)it->high);
}

static bool refuse_value(const option *it, const char *value)
{
    guess near = guess_begin(value);

    command_reason("'%s' is no value of %s: ", value, it->name);
    print_about(stderr, it);
    for (const char *const *one = it->choices; one && *one; one++)
        guess_add(&near, *one);
    guess_end(&near);
    return false;
}

static bool is_choice(const option *it, const char *value)
{
    if (!it->choices)
        return true;
    for (const char *const *one = it->choices; *one; one++)
        if (strcmp(*one, value) == 0)
            return true;
    return false;
}

bool command_read_count(const char **text, uint32_t low, uint32_t high,
                        uint32_t *value)
{
    char *end;
    unsigned long number;

    if (**text < '0' || **text > '9')
        return false;
    number = strtoul(*text, &end, 10);
    if (number < low || number > high)
        return false;
    *value = (uint32_t)number;
    *text = end;
    return true;
}

static bool read_value(const option *it, command_line *line, const char *value)
{
    void *at = (unsigned char *)line + it->at;

    if (it->read)
        return is_choice(it, value) && it->read(line, value);
    return command_read_count(&value, it->low, it->high, at) && *value == '\0';
}

/* A word that begins with a dash is a value only if it is a number. */
static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] != '.' &&
           !(word[1] >= '0' && word[1] <= '9');
}

/* Reads an option and its value.  Returns how many words these are; 0, and
 * prints why on stderr, if they are wrong. */
static int read_option(command_line *line, const char *word, const char *value)
{
    const option *it = find_option(word);

    if (!it || !has_option(current_command, word))
        return refuse_option(word);
    if (!it->value) {
        bool *flag = (void *)((unsigned char *)line + it->at);

        *flag = true;
        return 1;
    }
    if (!value || is_option(value)) {
        command_reason("%s needs a value: ", word);
        print_about(stderr, it);
        fprintf(stderr, "\n");
        return 0;
    }
    return read_value(it, line, value) ? 2 : refuse_value(it, value);
}


/* ---- Help --------------------------------------------------------------- */

static void print_option(const option *it)
{
    char left[40];

    snprintf(left, sizeof left, "%s%s%s", it->name, it->value ? " " : "",
             it->value ? it->value : "");
    printf("  %-20s ", left);
    print_about(stdout, it);
    printf("\n");
}

static int print_help(void)
{
    const command *it = current_command;

    printf("%s %s: %s\n", current_program->name, it->name, it->about);
    print_usage(stdout);
    if (it->options[0])
        printf("\noptions:\n");
    for (const option *one = current_program->options; one->name; one++)
        if (has_option(it, one->name))
            print_option(one);
    if (it->notes)
        printf("\n%s", it->notes);
    return 0;
}

static int print_commands(void)
{
    printf("%s: %s\n", current_program->name, current_program->about);
    print_usage(stdout);
    printf("\ncommands:\n");
    for (const command *it = current_program->commands; it->name; it++)
        printf("  %-10s %s\n", it->name, it->about);
    printf("\n`%s help COMMAND` or `%s COMMAND --help` lists its options\n",
           current_program->name, current_program->name);
    return 0;
}


/* ---- Commands ----------------------------------------------------------- */

static const command help_command = {
    "help", "[COMMAND]", "lists the commands, or the options of one", "", 0, 1,
    NULL,   NULL};

static const command *find_command(const char *name)
{
    if (strcmp(name, help_command.name) == 0)
        return &help_command;
    for (const command *it = current_program->commands; it->name; it++)
        if (strcmp(it->name, name) == 0)
            return it;
    return NULL;
}

static int refuse_command(const char *word)
{
    guess near = guess_begin(word);

    command_reason("no command '%s'", word);
    for (const command *it = current_program->commands; it->name; it++)
        guess_add(&near, it->name);
    guess_add(&near, help_command.name);
    guess_end(&near);
    return end_refusal();
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* Answers `vsp help` and `vsp help COMMAND`. */
static int run_help(char **words)
{
    const command *it;

    if (!words[0])
        return print_commands();
    current_command = &help_command;
    if (words[1])
        return command_refuse("'%s' is a word too many", words[1]);
    it = is_help(words[0]) ? &help_command : find_command(words[0]);
    if (!it)
        return refuse_command(words[0]);
    current_command = it;
    return print_help();
}

/* Whether an option is among the words: no value is spelt as one. */
static bool is_given(char **words, const char *name)
{
    for (; *words; words++)
        if (strcmp(*words, name) == 0)
            return true;
    return false;
}

/* Returns false, and prints why on stderr, if two options exclude each
 * other. */
static bool are_options_compatible(char **words)
{
    for (const option_pair *it = current_program->rivals; it->a; it++)
        if (is_given(words, it->a) && is_given(words, it->b)) {
            command_reason("%s and %s exclude each other\n", it->a, it->b);
            return false;
        }
    return true;
}

/* Reads all words up to a null.  Returns false, and prints why on stderr, if
 * one is wrong. */
static bool read_words(command_line *line, char **words)
{
    const command *it = current_command;
    int count = 0;

    while (*words) {
        int used = 1;

        if (is_option(*words)) {
            used = read_option(line, words[0], words[1]);
        } else if (++count > it->most) {
            command_reason("'%s' is a word too many\n", *words);
            used = 0;
        } else if (!current_program->add(line, *words)) {
            used = 0;
        }
        if (used == 0)
            return false;
        words += used;
    }
    if (count < it->least)
        command_reason("needs %s\n", it->words);
    return count >= it->least;
}

int command_run(const program *it, int argc, char **argv, command_line *line)
{
    current_program = it;
    if (argc < 2)
        return command_refuse("a command is missing");
    if (is_help(argv[1]))
        return argv[2] ? command_refuse("'%s' is a word too many", argv[2])
                       : print_commands();
    if (strcmp(argv[1], help_command.name) == 0)
        return run_help(argv + 2);
    current_command = find_command(argv[1]);
    if (!current_command)
        return refuse_command(argv[1]);
    for (int i = 2; i < argc; i++)
        if (is_help(argv[i]))
            return print_help();
    if (!read_words(line, argv + 2) || !are_options_compatible(argv + 2))
        return end_refusal();
    return current_command->act(line);
}
