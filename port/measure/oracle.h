/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Facts about a world, computed from poses and velocities in double precision
 * and without the engine, so that they reveal a solver's errors. */

#ifndef ORACLE_H
#define ORACLE_H

#include "solid.h"

/* Returns the deepest penetration of any two solids, m; 0 if none touch, NaN if
 * a pose is not finite.  With a hull, only the depth of corners is found, not
 * of crossed edges.  With a capsule, only the depth in a half-space is found;
 * with signed distance fields, meshes and height fields, none. */
double oracle_penetration(const solid *solids, int count);

/* Returns the kinetic energy of all dynamic bodies, J. */
double oracle_kinetic_energy(const vsp_world *world, const solid *solids,
                             int count);

#endif
