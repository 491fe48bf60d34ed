/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Metrics of a world, computed from poses and velocities in double precision
 * without the engine, so that they show a solver's errors. */

#ifndef ORACLE_H
#define ORACLE_H

#include "solid.h"

/* Returns the deepest penetration of any two solids, m; 0 if none touch, NaN if
 * a pose is not finite.  Hulls: only the depth of corners counts, not that of
 * crossed edges.  Capsules: only the depth in half-spaces.  Signed distance
 * fields, meshes and height fields do not count. */
double oracle_penetration(const solid *solids, int count);

/* Returns the kinetic energy of all dynamic bodies, J. */
double oracle_kinetic_energy(const vsp_world *world, const solid *solids,
                             int count);

/* Returns the potential energy of all dynamic bodies, J; it is 0 at the
 * origin. */
double oracle_potential_energy(const vsp_world *world);

#endif
