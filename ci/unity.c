/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The engine as one file: names of one .c must not clash with another's. */

#include "vsp.c"
#include "vsp_collide.c"
#include "vsp_solver.c"
#include "vsp_scalar.c"
#include "vsp_ccd.c"
#include "vsp_convex.c"
#include "vsp_diff.c"
#include "vsp_event.c"
#include "vsp_joint.c"
#include "vsp_joint_solver.c"
#include "vsp_lanes.c"
#include "vsp_lockstep.c"
#include "vsp_query.c"
#include "vsp_replay.c"
#include "vsp_rollback.c"
#include "vsp_sdf.c"
#include "vsp_sleep.c"
#include "vsp_state.c"
#include "vsp_subspace.c"
#include "vsp_surface.c"
#include "vsp_table.c"
