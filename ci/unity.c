/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The engine as one file: names of one .c must not clash with another's. */

#include "vsp.c"
#include "vsp_collide.c"
#include "vsp_solver.c"
