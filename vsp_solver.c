/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* VSP, part 3 of 3: the solver, from contacts and joints to velocities and
 * positions.  This is a table of contents, in reading order.  Equation and
 * figure numbers are those of Erleben, Velocity-based shock propagation for
 * multibody dynamics animation, ACM Transactions on Graphics 26(2), 2007,
 * except in subspace.c. */

/* bodies: eq. 17-19 and 23-26; the stack: section 4 */
#include "src/solve/motion.c"
#include "src/solve/stack.c"

/* rows of contacts: eq. 2, 6 and 20-22; of joints; of several manifolds */
#include "src/solve/view.c"
#include "src/solve/level.c"
#include "src/solve/seam.c"
#include "src/solve/bias.c"
#include "src/solve/roll.c"
#include "src/solve/rows.c"
#include "src/solve/drive.c"
#include "src/solve/gear.c"
#include "src/solve/joint_rows.c"
#include "src/solve/range.c"
#include "src/solve/hinge_loop.c"
#include "src/solve/web.c"
#include "src/solve/lanes.c"

/* their sweeps: eq. 28-33; impulses from step to step */
#include "src/solve/support.c"
#include "src/solve/sweep.c"
#include "src/solve/apply.c"
#include "src/solve/warm.c"
#include "src/solve/start.c"

/* positions: eq. 46; the merit: eq. 37-38; velocities: eq. 45 */
#include "src/solve/correct.c"
#include "src/solve/merit.c"
#include "src/solve/solve.c"

/* beyond sweeps: the passes of CARRY, the searches of SUBSPACE */
#include "src/solve/carry.c"
#include "src/solve/search.c"
#include "src/solve/subspace.c"

/* what contacts report after SHOCK */
#include "src/solve/whole.c"
