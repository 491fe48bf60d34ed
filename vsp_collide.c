/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* VSP, part 2 of 3: collision detection, from shapes and poses to contacts.  A
 * table of contents in reading order: mass and bounds, the broad phase, basic
 * shapes, convex solids, shapes of many parts, tables, and what joins these. */

#include "src/collide/mass.c"
#include "src/collide/bounds.c"

#include "src/collide/sort.c"
#include "src/collide/pairs.c"
#include "src/collide/tree.c"

#include "src/collide/sphere.c"
#include "src/collide/polygon.c"
#include "src/collide/box.c"

#include "src/collide/turned.c"
#include "src/collide/taper.c"

#include "src/collide/forms.c"
#include "src/collide/core.c"
#include "src/collide/distance.c"
#include "src/collide/convex.c"
#include "src/collide/taper_axis.c"
#include "src/collide/patch.c"

#include "src/collide/reduce.c"
#include "src/collide/triangles.c"
#include "src/collide/surface.c"
#include "src/collide/sdf.c"

#include "src/collide/facets.c"
#include "src/collide/features.c"
#include "src/collide/shell.c"

#include "src/collide/table.c"
#include "src/collide/build_hull.c"

#include "src/collide/narrow.c"
#include "src/collide/one_way.c"
#include "src/collide/manifold.c"
