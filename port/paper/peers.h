/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Runs of other engines on our scenes, which a reader brings along. */

#ifndef PORT_PAPER_PEERS_H
#define PORT_PAPER_PEERS_H

#include "page.h"

/* Whether a file can be read and has a run; if not, says so on stderr. */
bool peers_are_there(const char *path);

/* Writes a table of the runs in to->peers: a line of JSON each, with "engine",
 * "scene", "mean_ms", "max_ms", and in m "drift" and "pen_end"; beside each our
 * own run of the scene, as long as theirs ("steps").  Returns false, and prints
 * why on stderr, if a scene is not ours. */
bool peers_table(page *to);

#endif
