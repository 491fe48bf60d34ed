/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Figures 16 and 17 of English, Lentine, Fedkiw 2013, on this machine. */

#ifndef PAPER_SHELLS_H
#define PAPER_SHELLS_H

#include <stdbool.h>
#include <stdint.h>

/* Measures the time of a step of boats that fall into a tub, by their number,
 * and of triangles on pegs: the mean and the worst of so many steps of 1/24 s;
 * 0 stands for 200, as in the paper, and they are not more.  Writes
 * DIRECTORY/shells.csv and DIRECTORY/shells.svg, and a table beside the paper's
 * times on stdout. Returns false, and says why on stderr, when something
 * failed. */
bool paper_shells(const char *directory, uint32_t steps);

#endif
