/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* VSP, part 1 of 3: a table of contents.  It lists rooms in reading order:
 * numbers, the state and its checks, the step, the public calls, recording.
 * The rooms of vsp_collide.c and vsp_solver.c come between state and step.  A
 * room uses only those before it. */

#include "src/number/vector.c"
#include "src/number/float.c"
#include "src/number/fixed.c"
#include "src/number/rotation.c"

#include "src/state/words.c"
#include "src/state/fields.c"
#include "src/state/valid.c"
#include "src/state/slots.c"
#include "src/state/awake.c"
#include "src/state/joints.c"
#include "src/state/material.c"

#include "src/step/refresh.c"
#include "src/step/event.c"
#include "src/step/sleep.c"
#include "src/step/ccd.c"
#include "src/step/joint_load.c"
#include "src/step/retake.c"
#include "src/step/path.c"
#include "src/step/union.c"
#include "src/step/union_load.c"
#include "src/step/step.c"

#include "src/api/defs.c"
#include "src/api/mass.c"
#include "src/api/world.c"
#include "src/api/shape.c"
#include "src/api/body.c"
#include "src/api/force.c"
#include "src/api/joint.c"
#include "src/api/range.c"
#include "src/api/contact.c"
#include "src/api/event.c"
#include "src/api/query_walk.c"
#include "src/api/query_line.c"
#include "src/api/query_solid.c"
#include "src/api/query_surface.c"
#include "src/api/query_sdf.c"
#include "src/api/query.c"
#include "src/api/table.c"
#include "src/api/shell.c"
#include "src/api/walker.c"
#include "src/api/character.c"

#include "src/record/snapshot.c"
#include "src/record/diff.c"
#include "src/record/replay_words.c"
#include "src/record/recorder.c"
#include "src/record/character.c"
#include "src/record/player.c"
#include "src/record/rollback.c"
#include "src/record/lockstep_search.c"
#include "src/record/lockstep_write.c"
#include "src/record/lockstep_read.c"
#include "src/record/lockstep.c"
