/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

#include "peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/measure/measure.h"

#define MAX_LINE 65536
#define MAX_WORD 64

/* A run of an engine on a scene. */
typedef struct peer {
    char engine[MAX_WORD], scene[MAX_WORD];
    double steps, mean, worst, drift, overlap; /* ms; m */
} peer;

/* Returns what follows "KEY": in a line of JSON, or null. */
static const char *value_of(const char *line, const char *key)
{
    char name[MAX_WORD];
    const char *at;

    snprintf(name, sizeof name, "\"%s\":", key);
    at = strstr(line, name);
    return at ? at + strlen(name) : NULL;
}

static bool read_word(const char *line, const char *key, char *word)
{
    const char *at = value_of(line, key);

    return at && sscanf(at, "\"%63[^\"\\]\"", word) == 1;
}

static bool read_number(const char *line, const char *key, double *number)
{
    const char *at = value_of(line, key);
    char *end;

    if (!at)
        return false;
    *number = strtod(at, &end);
    return end != at;
}

/* Reads the next run; lines without figures are skipped. */
static bool next_peer(FILE *in, peer *it)
{
    static char line[MAX_LINE];

    while (fgets(line, sizeof line, in))
        if (read_word(line, "engine", it->engine) &&
            read_word(line, "scene", it->scene) &&
            read_number(line, "steps", &it->steps) && it->steps >= 1 &&
            it->steps <= 1e5 && read_number(line, "mean_ms", &it->mean) &&
            read_number(line, "max_ms", &it->worst) &&
            read_number(line, "drift", &it->drift) &&
            read_number(line, "pen_end", &it->overlap))
            return true;
    return false;
}

bool peers_are_there(const char *path)
{
    FILE *in = fopen(path, "r");
    bool is_any;
    peer it;

    if (!in) {
        fprintf(stderr, "vsp: cannot read '%s'\n", path);
        return false;
    }
    is_any = next_peer(in, &it);
    fclose(in);
    if (!is_any)
        fprintf(stderr, "vsp: '%s' has no run of an engine\n", path);
    return is_any;
}

static bool write_peer(page *to, const peer *it)
{
    simulation_options options = simulation_options_default();
    static measure ours;

    options.steps = (uint32_t)it->steps;
    if (!measure_scene(&ours, it->scene, &options))
        return false;
    page_row(to, "%s|%s|%.1f|%.2f|%.2f|%.2f|%.2f|%.2f|%.2f|%.2f", it->engine,
             it->scene, 1e3 * it->drift, 1e3 * ours.end.drift,
             1e3 * it->overlap, 1e3 * ours.end.penetration, it->mean,
             ours.mean_ms, it->worst, ours.max_ms);
    return true;
}

bool peers_table(page *to)
{
    FILE *in = fopen(to->peers, "r");
    bool is_done = in != NULL;
    peer it;

    if (!in)
        return false;
    page_table(to, "engine|scene|drift, mm|ours|overlap at the end, mm|ours|"
                   "mean ms a step|ours|worst ms|ours");
    while (is_done && next_peer(in, &it))
        is_done = write_peer(to, &it);
    page_table_end(to);
    fclose(in);
    return is_done;
}
