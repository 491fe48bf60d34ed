/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What is true of a world, found from its poses and velocities in double
 * precision and without asking the engine: a solver that fooled itself would
 * be found out here. */

#ifndef ORACLE_H
#define ORACLE_H

#include "solid.h"

/* Returns the deepest penetration of any two solids, m; 0 if none touch, NaN
 * if a pose is not finite.  Of two solids of which one is a hull it is known
 * by the corners, so not where edges cross.  Of capsules only depth in a
 * half-space is known; of signed distance fields, meshes and height fields
 * nothing. */
double oracle_penetration(const solid *solids, int count);

/* Returns the kinetic energy of all dynamic bodies, J. */
double oracle_kinetic_energy(const vsp_world *world, const solid *solids,
                             int count);

#endif
