/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Scenes as text, for programs of other engines: port/peers/scene.h says
 * what the lines mean. */

#ifndef EXPORT_H
#define EXPORT_H

#include "port/measure/simulation.h"

/* Runs a scene, and writes its world, its bodies, and those that appear during
 * the run.  Returns 0; 1, and prints why on stderr, if it has shapes or joints
 * that the text has no words for; 2 if the file cannot be written. */
int export_scene(const char *name, const simulation_options *options,
                 const char *path);

#endif
