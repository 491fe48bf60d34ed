/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Figures 16 and 17 of English, Lentine, Fedkiw 2013, repeated on this
 * machine. */

#ifndef PAPER_SHELLS_H
#define PAPER_SHELLS_H

#include <stdbool.h>
#include <stdint.h>

/* Measures the mean and the worst time of a step for boats that fall into a
 * tub, by their number, and for triangles on pegs.  A run has `steps` steps of
 * 1/24 s, 1 to 200; 0 means 200, as in the paper.  Writes DIRECTORY/shells.csv,
 * DIRECTORY/shells.svg, and a table on stdout, with the paper's times.  Returns
 * false, and prints why on stderr, if something failed. */
bool paper_shells(const char *directory, uint32_t steps);

#endif
