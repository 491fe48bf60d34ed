/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The experiments of `vsp paper`: figures and tables of the papers, repeated
 * with this engine. */

#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#include "page.h"

/* Papers, in the order of the report. */
typedef enum paper {
    ERLEBEN_2007,   /* velocity-based shock propagation */
    SILCOWITZ_2010, /* PGS with subspace minimisation */
    MUELLER_2017,   /* long-range constraints */
    ENGLISH_2013,   /* thin shells */
    PAPERS
} paper;

typedef struct experiment {
    const char *name; /* a word of `vsp paper`; files are named after it */
    paper source;
    const char *figures; /* figures, tables or sections of the paper */
    const char *title;
    const char *says; /* what the paper says of them */
    bool (*run)(page *to);
} experiment;

/* All experiments, in the order of the report, up to one without a name. */
extern const experiment experiments[];

typedef struct paper_options {
    const char *directory;
    const char *peers; /* file of runs of other engines (peers.h), or null */
    bool is_quick;     /* fewer or smaller runs */
} paper_options;

/* Runs the experiment of this name, those whose names begin with `words` up to
 * a dash, or all for "all", two at a time, each in a process of its own. Writes
 * files of each into the directory and index.html, which shows them all.
 * Returns 0; 1 if there is none; 2, and prints why on stderr, if something
 * failed. */
int paper_run(const char *words, const paper_options *options);

/* Prints the names of all experiments on stderr. */
void paper_list(void);

#endif
