/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What an experiment writes: text, tables, plots, pictures, and claims with a
 * computed verdict; as a part of an HTML page, as CSV and SVG files, and on
 * stdout for people. */

#ifndef PAGE_H
#define PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "plot.h"
#include "port/render/render.h"

typedef struct page {
    const char *directory;
    const char *name;  /* of the experiment */
    const char *peers; /* file of runs of other engines, or null */
    bool is_quick;     /* fewer or smaller runs are wanted */
    FILE *part;        /* DIRECTORY/NAME.part: HTML of this experiment */
    FILE *claims;      /* DIRECTORY/NAME.claims, rows of CSV */
    int pictures;      /* number written */
    bool failed;       /* a file could not be written */
} page;

typedef enum relation { AT_MOST, AT_LEAST } relation;

/* A claim of a paper, or of ours against it. */
typedef struct claim {
    const char *what;  /* what is measured, with its unit: "drift of the wall
                        * after 4 s, mm" */
    const char *paper; /* the paper's number or words, as short as that */
    double ours;
    relation relation;
    double bound; /* holds if ours is at most, or at least, this */
} claim;

/* Opens the files of an experiment.  Returns false, and prints why on stderr,
 * if that fails. */
bool page_begin(page *to, const char *directory, const char *name,
                bool is_quick);

/* Closes them.  Returns false, and prints why on stderr, if something was not
 * written. */
bool page_end(page *to);

/* Writes a paragraph. */
void page_text(page *to, const char *format, ...);

/* Write a table: its head, then rows, each with cells between `|`, then its
 * end. */
void page_table(page *to, const char *head);
void page_row(page *to, const char *format, ...);
void page_table_end(page *to);

/* Writes panels as figures, and as the files DIRECTORY/NAME.svg, in rows of
 * `columns`, and DIRECTORY/NAME.csv: panel, curve, x, y. */
void page_plots(page *to, const char *name, const plot_panel *panels, int count,
                int columns);

/* Writes pictures of matrices as figures, and as the file DIRECTORY/NAME.svg,
 * in rows of `columns`. */
void page_matrices(page *to, const char *name, const plot_matrix *matrices,
                   int count, int columns);

/* Begin and end a group of pictures that are set side by side. */
void page_pictures(page *to);
void page_pictures_end(page *to);

/* Draws the world as a figure. */
void page_world(page *to, const vsp_world *world, const bounds *frame,
                const render_options *options, const char *caption);

/* Write a claim, whether it holds, and whose bound it has: ours, if the paper
 * has only words, or the paper's number. */
void page_claim(page *to, const claim *it);
void page_paper_claim(page *to, const claim *it);

#endif
