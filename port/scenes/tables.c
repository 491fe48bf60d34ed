/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The one file that compiles the tables of port/scenes/tables: those of shapes
 * that the build has. */

#include "tables.h"

#if VSP_HEIGHT_FIELDS
#include "tables/field_hills.h"
#endif

#if VSP_HULLS
#include "tables/broken_vase.h"
#include "tables/hull_ball.h"
#include "tables/hull_box.h"
#include "tables/hull_cone.h"
#include "tables/hull_prism.h"
#include "tables/hull_wedge.h"
#endif

#if VSP_MESHES
#include "tables/mesh_plane.h"
#include "tables/mesh_run.h"
#endif

#if VSP_SDFS
#include "tables/sdf_animal.h"
#include "tables/sdf_letters.h"
#endif

#if VSP_SHELLS
#include "tables/shell_boat.h"
#include "tables/shell_bowl.h"
#include "tables/shell_leaf.h"
#include "tables/shell_plate.h"
#include "tables/shell_ring.h"
#include "tables/shell_triangle.h"
#include "tables/shell_tub.h"
#endif
