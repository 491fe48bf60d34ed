/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The engine as one file: static names must be unique over all .c files. */

#include "vsp.c"
#include "vsp_collide.c"
#include "vsp_solver.c"
