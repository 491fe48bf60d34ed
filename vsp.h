/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* VSP: rigid bodies in one buffer, the same bits on every machine.
 *
 * This header is the manual: options, conventions, types, functions, in the
 * order in which a program needs them.  Drop vsp.h, vsp_internal.h,
 * vsp_scalar.h, vsp.c, vsp_solver.c, vsp_collide.c and vsp_scalar.c into a
 * build; they need no libc, no heap, no globals and no FPU.  (A compiler may
 * still emit calls to memcpy, memset, memmove and memcmp, as it may for any
 * freestanding program.)
 *
 *     VSP_ARENA(arena, VSP_WORLD_BYTES);      all the memory there will be
 *     vsp_world_def setup = vsp_world_def_default();
 *     vsp_world_create(arena.mem, sizeof arena.mem, &setup, &world);
 *     vsp_body_def crate = vsp_body_def_default();
 *     crate.type = VSP_DYNAMIC;
 *     crate.shape = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
 *     vsp_body_create(world, &crate, &box);
 *     vsp_world_step(world);                  once a tick
 *     draw(vsp_body_transform(world, box));
 *
 * Conventions: right-handed axes, no axis is up (gravity is a vector),
 * quaternions x, y, z, w, boxes by half extents, SI units (m, kg, s, rad).
 * Velocities of a body are those of its centre of mass.
 *
 * Status: 0 is done, positive is done with a note, negative is refused and
 * nothing changed.  Every argument of every call is checked in every build.
 *
 * Numbers of a world (see also "Ranges" below) must be finite.  A call that
 * gets a NaN, an infinity or a number outside its range answers VSP_ERR_ARG. */

#ifndef VSP_H
#define VSP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>


/* ---- Options --------------------------------------------------------------
 * A number given on the command line beats the file VSP_CONFIG, which beats
 * the default.  The library and every file that includes this header must
 * see the same options: vsp_world_create answers VSP_ERR_ABI otherwise. */

#ifdef VSP_CONFIG
#include VSP_CONFIG
#endif

/* Bodies that can exist at once, of all types.  1 to 65000. */
#ifndef VSP_MAX_BODIES
#define VSP_MAX_BODIES 64
#endif

/* Shapes that can exist at once.  1 to 65000. */
#ifndef VSP_MAX_SHAPES
#define VSP_MAX_SHAPES VSP_MAX_BODIES
#endif

/* Pairs of shapes whose bounding boxes touch, in one step.  1 to 1000000.
 * Those beyond are dropped before anything is known of their depth. */
#ifndef VSP_MAX_PAIRS
#define VSP_MAX_PAIRS (6 * VSP_MAX_BODIES)
#endif

/* Pairs of shapes that touch, in one step.  1 to 65000. */
#ifndef VSP_MAX_MANIFOLDS
#define VSP_MAX_MANIFOLDS (4 * VSP_MAX_BODIES)
#endif

/* Contact points, in one step; at most 4 a manifold.  4 to 260000. */
#ifndef VSP_MAX_CONTACTS
#define VSP_MAX_CONTACTS (3 * VSP_MAX_MANIFOLDS)
#endif

/* What a build can leave out, each 0 or 1 (the default).  State is the same
 * with and without: a snapshot of what is left out is refused. */
#ifndef VSP_CAPSULES
#define VSP_CAPSULES 1
#endif
#ifndef VSP_HULLS
#define VSP_HULLS 1
#endif
#ifndef VSP_MESHES
#define VSP_MESHES 1
#endif
#ifndef VSP_HEIGHT_FIELDS
#define VSP_HEIGHT_FIELDS 1
#endif
#ifndef VSP_SDFS /* signed distance fields */
#define VSP_SDFS 1
#endif
#ifndef VSP_SLEEP
#define VSP_SLEEP 1
#endif
#ifndef VSP_EVENTS /* and sensors */
#define VSP_EVENTS 1
#endif
#ifndef VSP_CCD /* continuous collision of bullets */
#define VSP_CCD 1
#endif
#ifndef VSP_JOINTS
#define VSP_JOINTS 1
#endif
#ifndef VSP_CARRY /* VSP_STEPPER_CARRY; without, PGS is the default */
#define VSP_CARRY 1
#endif
#ifndef VSP_SHOCK /* VSP_STEPPER_SHOCK */
#define VSP_SHOCK 1
#endif
#ifndef VSP_SUBSPACE /* VSP_STEPPER_SUBSPACE; takes 37 bytes a contact point */
#define VSP_SUBSPACE 1
#endif
#ifndef VSP_PYRAMID /* VSP_FRICTION_PYRAMID */
#define VSP_PYRAMID 1
#endif
#ifndef VSP_MERIT /* vsp_stats.merit, of all steppers: a pass over all rows */
#define VSP_MERIT 0
#endif

/* Manifolds that a velocity sweep takes at once: 1, or 4 or 8 for the vectors
 * of a desk or console, which needs vsp_lanes.c and takes 1,070 bytes a
 * manifold.  The bits are the same.  The fixed kind takes one at a time,
 * whatever this says. */
#ifndef VSP_LANES
#define VSP_LANES 1
#endif
#define VSP__LANES (VSP_FIXED ? 1 : VSP_LANES)

/* Tables that a world can refer to: see "Tables".  1 to 65000. */
#ifndef VSP_MAX_TABLES
#define VSP_MAX_TABLES 8
#endif

/* Joints that can exist at once.  1 to 32000. */
#ifndef VSP_MAX_JOINTS
#define VSP_MAX_JOINTS (VSP_JOINTS ? (VSP_MAX_BODIES + 3) / 4 : 1)
#endif

/* Events of one step; those beyond are counted.  1 to 65000. */
#ifndef VSP_MAX_EVENTS
#define VSP_MAX_EVENTS (VSP_EVENTS ? 32 : 1)
#endif

/* Pairs of a sensor and a shape in it.  1 to 65000. */
#ifndef VSP_MAX_SENSED
#define VSP_MAX_SENSED (VSP_EVENTS ? 32 : 1)
#endif

/* 1: fixed-point numbers instead of float ones, and not one float operation:
 * for machines without an FPU, or where floats are not to be trusted.  Other
 * bits than those of the float kind, the same on every machine. */
#ifndef VSP_FIXED
#define VSP_FIXED 0
#endif

/* Checks of the engine's own invariants; costs time, changes no result.
 * Define to an expression of your own, or leave it away. */
#ifndef VSP_ASSERT
#define VSP_ASSERT(condition) ((void)0)
#endif

/* What time it is, for vsp_stats: an expression, a uint32_t that wraps, such as
 * a counter of cycles.  Costs a read at each change of phase and 20 bytes a
 * world, changes no result.  Define, or leave it away. */
#ifdef VSP_CLOCK
#define VSP__HAS_CLOCK 1
#else
#define VSP__HAS_CLOCK 0
#endif

#if VSP_MAX_BODIES < 1 || VSP_MAX_BODIES > 65000
#error "VSP_MAX_BODIES must be 1 to 65000: set it in VSP_CONFIG"
#endif
#if VSP_MAX_SHAPES < 1 || VSP_MAX_SHAPES > 65000
#error "VSP_MAX_SHAPES must be 1 to 65000: set it in VSP_CONFIG"
#endif
#if VSP_MAX_PAIRS < 1 || VSP_MAX_PAIRS > 1000000
#error "VSP_MAX_PAIRS must be 1 to 1000000: set it in VSP_CONFIG"
#endif
#if VSP_MAX_MANIFOLDS < 1 || VSP_MAX_MANIFOLDS > 65000
#error "VSP_MAX_MANIFOLDS must be 1 to 65000: set it in VSP_CONFIG"
#endif
#if VSP_MAX_CONTACTS < 4 || VSP_MAX_CONTACTS > 260000
#error "VSP_MAX_CONTACTS must be 4 to 260000: set it in VSP_CONFIG"
#endif
#if VSP_MAX_TABLES < 1 || VSP_MAX_TABLES > 65000
#error "VSP_MAX_TABLES must be 1 to 65000: set it in VSP_CONFIG"
#endif
#if VSP_MAX_JOINTS < 1 || VSP_MAX_JOINTS > 32000
#error "VSP_MAX_JOINTS must be 1 to 32000: set it in VSP_CONFIG"
#endif
#if VSP_MAX_EVENTS < 1 || VSP_MAX_EVENTS > 65000
#error "VSP_MAX_EVENTS must be 1 to 65000: set it in VSP_CONFIG"
#endif
#if VSP_MAX_SENSED < 1 || VSP_MAX_SENSED > 65000
#error "VSP_MAX_SENSED must be 1 to 65000: set it in VSP_CONFIG"
#endif

#define VSP__IS_SWITCH(x) ((x) == 0 || (x) == 1)
#if !(VSP__IS_SWITCH(VSP_CAPSULES) && VSP__IS_SWITCH(VSP_HULLS) &&          \
      VSP__IS_SWITCH(VSP_MESHES) && VSP__IS_SWITCH(VSP_HEIGHT_FIELDS) &&    \
      VSP__IS_SWITCH(VSP_SDFS) && VSP__IS_SWITCH(VSP_SLEEP) &&              \
      VSP__IS_SWITCH(VSP_EVENTS) && VSP__IS_SWITCH(VSP_CCD) &&              \
      VSP__IS_SWITCH(VSP_JOINTS) &&                                         \
      VSP__IS_SWITCH(VSP_CARRY) && VSP__IS_SWITCH(VSP_SHOCK) &&             \
      VSP__IS_SWITCH(VSP_SUBSPACE) &&                                       \
      VSP__IS_SWITCH(VSP_PYRAMID) && VSP__IS_SWITCH(VSP_MERIT))
#error "what a build can leave out must be 0 or 1: see VSP_CAPSULES"
#endif

#if VSP_LANES != 1 && VSP_LANES != 4 && VSP_LANES != 8
#error "VSP_LANES must be 1, 4 or 8"
#endif

#if VSP_FIXED != 0 && VSP_FIXED != 1
#error "VSP_FIXED must be 0 or 1"
#endif

#if !VSP_FIXED && defined __FAST_MATH__
#error "fast-math gives other bits on every machine: drop -ffast-math"
#endif
#if !VSP_FIXED && defined __FLT_EVAL_METHOD__ && __FLT_EVAL_METHOD__ != 0 && \
    __FLT_EVAL_METHOD__ != 16
#error "floats must be evaluated as floats: on x86 use -msse2 -mfpmath=sse"
#endif


/* ---- Versions -------------------------------------------------------------
 * VSP_VERSION          the functions and types of this header
 * VSP_FORMAT_VERSION   the bytes of a snapshot
 * VSP_BITS_VERSION     same inputs, same bits: changes when a hash does */

#define VSP_VERSION 0x000b00u
#define VSP_FORMAT_VERSION 6u
#define VSP_BITS_VERSION 10u

#ifdef __cplusplus
extern "C" {
#endif


/* ---- Numbers and vectors ------------------------------------------------- */

/* A real number.  Write constants as VSP_R(0.5): in either kind the float
 * nearest to it.  In the fixed kind a real is 64 bits with 32 binary places:
 * sums and comparisons are written as for floats; products are yours to
 * shift.  An argument of VSP_R that is no constant costs float operations. */
#if VSP_FIXED
typedef int64_t vsp_real;
#define VSP_R(x) ((vsp_real)((float)(x) * 4294967296.0f))
#else
typedef float vsp_real;
#define VSP_R(x) ((vsp_real)(x))
#endif

typedef struct vsp_vec3 {
    vsp_real x, y, z;
} vsp_vec3;

typedef struct vsp_quat {
    vsp_real x, y, z, w;
} vsp_quat;

/* Takes a point of the body to the world: rotate, then move. */
typedef struct vsp_transform {
    vsp_vec3 position; /* m */
    vsp_quat rotation; /* of length 1 */
} vsp_transform;

/* Ranges, of the float and of the fixed kind.  Inside them no step can make
 * an infinity or a NaN, or leave the range of a format. */
#define VSP__RANGE(in_float, in_fixed) VSP_R(VSP_FIXED ? in_fixed : in_float)
#define VSP_MAX_POSITION VSP__RANGE(100000.0, 500.0) /* m, a coordinate */
#define VSP_MAX_SPEED VSP__RANGE(10000.0, 500.0) /* m/s, rad/s, a component */
#define VSP_MIN_SIZE VSP__RANGE(0.001, 0.005) /* m, radius or half extent */
#define VSP_MAX_SIZE VSP__RANGE(10000.0, 100.0)  /* m */
#define VSP_MIN_MASS VSP_R(0.000001)             /* kg */
#define VSP_MAX_MASS VSP_R(1.0e9)                /* kg */
#define VSP_MAX_FORCE VSP__RANGE(1.0e15, 1.0e9) /* N, N m; N s, N m s */
#define VSP_MIN_DT VSP_R(0.0001)         /* s */
#define VSP_MAX_DT VSP_R(0.1)            /* s */


/* For hosts that think in float: nearest numbers, within the range of the
 * type.  A NaN, and what is outside, becomes a number that every call
 * refuses.  Engine and bare metal need neither. */
#if VSP_FIXED
static inline vsp_real vsp_from_double(double a)
{
    if (!(a > -2147483648.0 && a < 2147483648.0))
        return INT64_MIN;
    return (vsp_real)(a * 4294967296.0 + (a < 0 ? -0.5 : 0.5));
}

static inline double vsp_to_double(vsp_real a)
{
    return (double)a * (1.0 / 4294967296.0);
}
#else
static inline vsp_real vsp_from_double(double a)
{
    return (vsp_real)a;
}

static inline double vsp_to_double(vsp_real a)
{
    return (double)a;
}
#endif


/* ---- Status and ids ------------------------------------------------------ */

typedef enum vsp_status {
    VSP_OK = 0,
    VSP_DEGRADED = 1,    /* done, but contacts were dropped: see vsp_stats */
    VSP_DIVERGED = 2,    /* done, but not the bits that were recorded */
    VSP_END = 3,         /* nothing is left to play */
    VSP_WAIT = 4,        /* not done: others must be heard first */
    VSP_ERR_ARG = -1,    /* null, not finite, out of range, not a default def */
    VSP_ERR_ID = -2,     /* null id, or the object is gone */
    VSP_ERR_FULL = -3,   /* the capacity is used up */
    VSP_ERR_MEMORY = -4, /* buffer too small or not aligned */
    VSP_ERR_ABI = -5,    /* header and library saw different options */
    VSP_ERR_DATA = -6,   /* bytes say what cannot be: out of range, bad links */
    VSP_ERR_TRUNCATED = -7, /* bytes end too early, or go on after the end */
    VSP_ERR_VERSION = -8,   /* bytes of another kind, version or number */
    VSP_ERR_CHECKSUM = -9,  /* bytes changed on their way */
    VSP_ERR_TABLE = -10     /* not the tables that the bytes were made with */
} vsp_status;

/* Ids are values.  Zero is null.  The low bits are the slot plus one, the
 * high bits count how often the slot was used, so an id of a destroyed
 * object is refused until its slot has been used 2^16 times more.  The
 * lowest free slot is taken first: which one depends on what lives, not on
 * what happened.  Ids survive snapshot and restore. */
typedef struct vsp_body_id {
    uint32_t bits;
} vsp_body_id;

typedef struct vsp_shape_id {
    uint32_t bits;
} vsp_shape_id;

typedef struct vsp_joint_id {
    uint32_t bits;
} vsp_joint_id;


/* ---- Tables ---------------------------------------------------------------
 * Geometry that is data: const, in ROM, made by the host tool (`vsp hull`,
 * `vsp mesh`, `vsp field`, `vsp sdf`), shared by any number of shapes and
 * worlds.  The same numbers serve both kinds: lengths are whole numbers of
 * VSP_PLACE, directions of VSP_DIRECTION; what has no range of its own is
 * the bits of an IEEE binary32.  A world takes a table by its address, checks
 * all of it, and refers to it by number: it must stay where it is, as it is,
 * while the world lives. */

/* Whole numbers in a metre, and in a direction of length 1. */
#define VSP_PLACE 1048576 /* 2^20; coordinates within 100 m of the origin */
#define VSP_DIRECTION 536870912 /* 2^29 */

/* the first word of a table, by which it is known */
#define VSP_TABLE_HULL ((uint32_t)0x68505356)
#define VSP_TABLE_MESH ((uint32_t)0x6d505356)
#define VSP_TABLE_HEIGHT_FIELD ((uint32_t)0x66505356)
#define VSP_TABLE_SDF ((uint32_t)0x73505356)

/* a point */
typedef struct vsp_place {
    int32_t x, y, z;
} vsp_place;

/* n.p = offset; inside is n.p < offset */
typedef struct vsp_plane {
    int32_t x, y, z; /* n, outward, of length 1 */
    int32_t offset;
} vsp_plane;

/* What a solid of density 1 weighs: binary32 bits. */
typedef struct vsp_bulk {
    uint32_t volume;     /* m^3, above 0 */
    uint32_t inertia[6]; /* of one kilogram about the centre, m^2: xx, yy, zz,
                            xy, xz, yz (products as in a tensor: -sum x y) */
    vsp_place center;    /* of mass */
} vsp_bulk;

typedef struct vsp_hull_edge {
    uint8_t tail, head;  /* vertices */
    uint8_t left, right; /* faces: tail to head is anticlockwise around the
                            left one, seen from outside */
} vsp_hull_edge;

#define VSP_MAX_HULL 64 /* vertices; faces */

/* A convex polyhedron: 4 to 64 vertices and faces.  Face i has the corners
 * first[i] ... first[i + 1] - 1, anticlockwise seen from outside. */
typedef struct vsp_hull {
    uint32_t kind; /* VSP_TABLE_HULL */
    uint16_t vertex_count, face_count, edge_count, corner_count;
    const vsp_place *vertices;
    const vsp_plane *planes;    /* of the faces */
    const uint16_t *first;      /* face_count + 1 of them */
    const uint8_t *corners;     /* vertices */
    const vsp_hull_edge *edges; /* each once */
    vsp_bulk bulk;
} vsp_hull;

/* A triangle, anticlockwise seen from its solid side's outside. */
typedef struct vsp_triangle {
    uint16_t vertex[3];
    uint16_t flat; /* bit k: nothing catches on the edge from corner k to the
                      next: its neighbour goes on flat or rises */
} vsp_triangle;

/* A node of a bounding-volume tree, in depth-first order: the children of an
 * inner node begin right behind it. */
typedef struct vsp_mesh_node {
    vsp_place low, high; /* bounds of all below it */
    uint16_t next;       /* the node behind all below it: above its own
                            number, at most node_count */
    uint8_t count;       /* of triangles in a leaf, 1 to 8; 0: inner node */
    uint8_t reserved;    /* 0 */
    uint16_t first;      /* triangle of a leaf */
    uint16_t reserved2;  /* 0 */
} vsp_mesh_node;

/* Triangles that do not move: a surface that is solid behind, seen from where
 * its corners go round anticlockwise. */
typedef struct vsp_mesh {
    uint32_t kind; /* VSP_TABLE_MESH */
    uint16_t vertex_count, triangle_count, node_count; /* 1 to 65535 */
    uint16_t reserved; /* 0 */
    const vsp_place *vertices;
    const vsp_triangle *triangles;
    const vsp_mesh_node *nodes;
} vsp_mesh;

#define VSP_HOLE (-32768) /* a height where there is no ground */

/* Ground that does not move: heights (y) over a grid that is centred on the
 * shape's origin, solid below.  Height of column i (along x), row k (along
 * z): heights[k * columns + i] times step.  Each cell is two triangles, cut
 * from its corner with low x and z to that with high x and z. */
typedef struct vsp_height_field {
    uint32_t kind; /* VSP_TABLE_HEIGHT_FIELD */
    uint16_t columns, rows;  /* of heights: 2 to 4096 */
    int32_t cell;            /* side of a cell, in VSP_PLACE */
    int32_t step;            /* of height, in VSP_PLACE: 1 or more */
    int16_t low, high;       /* the lowest and the highest height */
    const int16_t *heights;
} vsp_height_field;

/* A node of a sphere tree, in depth-first order, like vsp_mesh_node: a sphere
 * around all below it; a leaf (next is the next node) is part of the solid. */
typedef struct vsp_sphere_node {
    vsp_place center;
    int32_t radius;
    uint16_t next;
    uint16_t reserved; /* 0 */
} vsp_sphere_node;

/* A solid of any form: signed distances (negative inside) at the points of a
 * grid, from which others feel it, and spheres just below its surface, by
 * which it feels others. */
typedef struct vsp_sdf {
    uint32_t kind; /* VSP_TABLE_SDF */
    uint16_t count[3];   /* points along x, y, z: 2 to 256 */
    uint16_t node_count; /* of spheres; 0: feels nothing (static bodies) */
    vsp_place low;       /* the first point */
    int32_t cell;        /* between points, in VSP_PLACE */
    int32_t step;        /* of distance, in VSP_PLACE */
    const int16_t *distances; /* x fastest, then y, then z; times step */
    const vsp_sphere_node *nodes;
    vsp_bulk bulk; /* may be all 0 where there are no spheres */
} vsp_sdf;

/* Why a table is refused. */
typedef enum vsp_flaw {
    VSP_FLAW_NONE = 0,
    VSP_FLAW_NULL = 1,       /* an address is null */
    VSP_FLAW_KIND = 2,       /* not a table of that kind, or not built in */
    VSP_FLAW_COUNT = 3,      /* a count out of range */
    VSP_FLAW_RANGE = 4,      /* a coordinate, size or step out of range, or
                                what is reserved not 0 */
    VSP_FLAW_INDEX = 5,      /* a vertex, face or triangle that is not there */
    VSP_FLAW_DEGENERATE = 6, /* a triangle, edge or solid as thin as nothing */
    VSP_FLAW_PLANE = 7,      /* a plane that is not that of its corners */
    VSP_FLAW_CONVEX = 8,     /* a vertex outside of a plane */
    VSP_FLAW_TOPOLOGY = 9,   /* edges and faces that do not fit together */
    VSP_FLAW_TREE = 10,      /* links that go back, loop or leave parts out */
    VSP_FLAW_BOUNDS = 11,    /* a node that does not enclose what is below;
                                low and high that are others */
    VSP_FLAW_BULK = 12       /* not what such a solid weighs */
} vsp_flaw;

/* Returns the name of a flaw, such as "VSP_FLAW_CONVEX". */
const char *vsp_flaw_name(vsp_flaw flaw);


/* ---- Definitions --------------------------------------------------------- */

/* How a step is taken.  See DESIGN.md for what each is good for. */
typedef enum vsp_stepper {
    VSP_STEPPER_CARRY = 0, /* default: predict up, carry down, sweep */
    VSP_STEPPER_PGS = 1,   /* projected Gauss-Seidel and correction */
    VSP_STEPPER_SHOCK = 2, /* velocity-based shock propagation, figure 14 */
    VSP_STEPPER_SUBSPACE = 3 /* PGS with subspace minimisation */
} vsp_stepper;

typedef enum vsp_friction {
    VSP_FRICTION_CONE = 0,   /* |tangential impulse| <= mu normal impulse */
    VSP_FRICTION_PYRAMID = 1 /* eq. 29-30, first tangent along the sliding */
} vsp_friction;

/* How VSP_STEPPER_SUBSPACE looks for velocities: rounds of def.sweeps sweeps
 * (k_pgs) and a search, in which the rows that bear something are solved as
 * equations by conjugate gradients.  The best that is found is kept.
 * Silcowitz, Niebe, Erleben 2010.  State, as all of a world's settings. */
typedef struct vsp_subspace {
    uint32_t rounds; /* at most; 1 to 1000; default 3 */
    uint32_t tries;  /* at most, of active sets in a search, k_sm; 0 to 1000,
                        0: sweeps only; default 2 */
    uint32_t steps;  /* at most, of conjugate gradients in a try; 1 to 10000;
                        default 60 */
    uint32_t search; /* VSP_SEARCH_...; default 0 */
    vsp_real friction_damping; /* 0 to 1: added to the diagonal of friction
                                  rows while searching, as a part of it;
                                  default 0 */
} vsp_subspace;

#define VSP_SEARCH_LAZY 1u      /* friction has the bounds of the best so far,
                                   or its own if larger */
#define VSP_SEARCH_STAGGERED 2u /* normals and tangents by turns */

/* How much a world may hold, at most what the build has room for.  A world
 * that is told less fills up and drops contacts as a smaller build's would:
 * same bits.  State, and part of a snapshot. */
typedef struct vsp_capacity {
    uint32_t bodies;    /* 1 to VSP_MAX_BODIES */
    uint32_t shapes;    /* 1 to VSP_MAX_SHAPES */
    uint32_t pairs;     /* 1 to VSP_MAX_PAIRS */
    uint32_t manifolds; /* 1 to VSP_MAX_MANIFOLDS */
    uint32_t contacts;  /* 4 to VSP_MAX_CONTACTS */
    uint32_t sensed;    /* 1 to VSP_MAX_SENSED */
    uint32_t joints;    /* 0 to VSP_MAX_JOINTS; 0 in a build without joints */
} vsp_capacity;

/* Get one from vsp_world_def_default and change what you need. */
typedef struct vsp_world_def {
    uint32_t cookie;            /* set by vsp_world_def_default */
    uint32_t options;           /* the options your file was compiled with */
    vsp_vec3 gravity;           /* m/s^2; default 0, -9.81, 0 */
    vsp_real dt;                /* s, VSP_MIN_DT to VSP_MAX_DT; default 1/60 */
    vsp_stepper stepper;        /* default VSP_STEPPER_CARRY */
    vsp_friction friction;      /* default VSP_FRICTION_CONE */
    bool enable_warm_start;     /* start from the last step's multipliers: 16
                                   bytes a contact point of snapshot; default
                                   true */
    vsp_real envelope;          /* m, 1e-4 to 0.1: contacts are made at gaps
                                   smaller than this; default 0.01 */
    vsp_real tolerance;         /* m/s, 0 to 1: sweeps end when none of their
                                   corrections is larger, but for SHOCK;
                                   default 1e-4 */
    uint32_t sweeps;            /* at most, a velocity solve, and half as many
                                   again for CARRY; 1 to 10000; default 20 */
    uint32_t correction_sweeps; /* at most, a position solve; 1 to 10000;
                                   default 5 */
    vsp_real fraction;          /* 0 to 1, a of figure 14, SHOCK only;
                                   default 0.00125 */
    vsp_subspace subspace;      /* SUBSPACE only */
    bool enable_sleep;          /* bodies that stay at rest are left out of
                                   the step until something happens to them;
                                   default true where the build has it */
    vsp_real sleep_speed;       /* m/s, 0 to 1: at rest is slower than this,
                                   turning counted, and slower than what
                                   1/5000 of gravity would make of it in
                                   sleep_time; default 0.005 */
    vsp_real sleep_time;        /* s, 0 to 60: for so long, and two steps at
                                   least, with all it touches; default 0.5 */
    uint32_t reports;           /* which events: VSP_REPORT_...; default 0 */
    vsp_capacity capacity;      /* default all that the build has */
} vsp_world_def;

/* Events to report, see "Events". */
#define VSP_REPORT_BEGIN 1u   /* two shapes begin to touch */
#define VSP_REPORT_PERSIST 2u /* they go on */
#define VSP_REPORT_END 4u     /* they part */
#define VSP_REPORT_SENSOR 8u  /* a shape enters or leaves a sensor */
#define VSP_REPORT_SLEEP 16u  /* a body falls asleep or wakes up */
#define VSP_REPORT_JOINT 32u  /* a joint comes to a limit, or breaks */

/* What a surface is made of, and how two surfaces make one coefficient.  Of
 * two rules the one further down the list is used. */
typedef enum vsp_rule {
    VSP_RULE_GEOMETRIC = 0, /* sqrt(a b); default for friction */
    VSP_RULE_AVERAGE = 1,
    VSP_RULE_MIN = 2,
    VSP_RULE_MULTIPLY = 3,
    VSP_RULE_MAX = 4 /* default for restitution */
} vsp_rule;

typedef struct vsp_material {
    vsp_real friction;    /* 0 to 100; default 0.5 */
    vsp_real restitution; /* 0 to 1; default 0 */
    vsp_rule friction_rule;
    vsp_rule restitution_rule;
} vsp_material;

/* Two shapes collide when their groups are equal and positive, or, failing
 * that, when their groups differ or are zero and each one's category is in
 * the other's mask.  Equal negative groups never collide. */
typedef struct vsp_filter {
    uint32_t category; /* default 1 */
    uint32_t mask;     /* default 0xffffffff */
    int32_t group;     /* default 0 */
} vsp_filter;

typedef enum vsp_shape_type {
    VSP_SHAPE_NONE = 0,
    VSP_SHAPE_SPHERE = 1,
    VSP_SHAPE_BOX = 2,
    VSP_SHAPE_HALF_SPACE = 3, /* solid at and below y = 0 of its own frame; on
                                 static and kinematic bodies only */
    VSP_SHAPE_CAPSULE = 4,    /* all nearer than a radius to a part of its own
                                 y axis */
    VSP_SHAPE_HULL = 5,       /* of a table */
    VSP_SHAPE_MESH = 6,       /* of a table; not on dynamic bodies */
    VSP_SHAPE_HEIGHT_FIELD = 7, /* of a table; not on dynamic bodies */
    VSP_SHAPE_SDF = 8         /* of a table */
} vsp_shape_type;

/* Get one from vsp_sphere, vsp_box, vsp_half_space, vsp_capsule or, for what
 * a table describes, vsp_table_shape. */
typedef struct vsp_shape_def {
    uint32_t cookie;
    vsp_shape_type type;
    vsp_vec3 size;      /* m: sphere radius in x; box half extents; capsule
                           radius in x, half of the length without its caps
                           in y */
    uint32_t table;     /* number of a table; else 0 */
    bool is_sensor;     /* feels what is in it and moves nothing */
    vsp_transform pose; /* of the shape in its body; default identity */
    vsp_real density;   /* kg/m^3, 0 to 1e9; 0 adds no mass; default 1000 */
    vsp_material material;
    vsp_filter filter;
    vsp_vec3 surface_velocity; /* m/s, in the body's axes: at which the surface
                                  runs, like a conveyor belt's; default 0 */
} vsp_shape_def;

typedef enum vsp_body_type {
    VSP_STATIC = 0,    /* does not move; default */
    VSP_KINEMATIC = 1, /* moves at the velocity it was given, and carries */
    VSP_DYNAMIC = 2    /* moves by forces and contacts */
} vsp_body_type;

#define VSP_LOCK_X 1u /* move along x */
#define VSP_LOCK_Y 2u
#define VSP_LOCK_Z 4u
#define VSP_LOCK_TURN_X 8u /* turn about x */
#define VSP_LOCK_TURN_Y 16u
#define VSP_LOCK_TURN_Z 32u
#define VSP_LOCK_ALL 63u

/* Get one from vsp_body_def_default. */
typedef struct vsp_body_def {
    uint32_t cookie;
    vsp_body_type type;
    vsp_transform pose;       /* of the body's frame */
    vsp_vec3 velocity;        /* m/s, of the centre of mass */
    vsp_vec3 spin;            /* rad/s, world axes */
    vsp_real linear_damping;  /* 1/s, 0 to 1000: v shrinks by 1 / (1 + h d) */
    vsp_real angular_damping; /* 1/s */
    vsp_real gravity_scale;   /* -100 to 100; default 1 */
    vsp_real max_speed;       /* m/s, above 0, to VSP_MAX_SPEED; default
                                 VSP_MAX_SPEED */
    uint32_t locks;           /* VSP_LOCK_...: what it does not do, along and
                                 about axes of the world; default 0 */
    bool is_bullet;           /* is stopped where it meets something between
                                 two steps; signed distance fields are not
                                 stopped, nor stop; default false */
    bool enable_sleep;        /* default true */
    uint32_t user;            /* yours; state, and part of the hash */
    vsp_real mass;            /* kg; 0 (default): from shapes and densities */
    vsp_vec3 center;          /* m, of mass in the body's frame; only used
                                 with a given inertia */
    vsp_vec3 inertia;         /* kg m^2 about the centre, along the body's
                                 axes; 0 0 0 (default): from the shapes,
                                 scaled to the mass */
    vsp_shape_def shape;      /* a first shape; default none */
} vsp_body_def;

/* Returns the defaults, stamped with the options that the calling file was
 * compiled with. */
static inline vsp_world_def vsp_world_def_default(void);

/* Returns a static body at the origin, without a shape. */
vsp_body_def vsp_body_def_default(void);

/* Returns a ball of this radius, in m. */
vsp_shape_def vsp_sphere(vsp_real radius);

/* Returns a box of these half extents, in m. */
vsp_shape_def vsp_box(vsp_real x, vsp_real y, vsp_real z);

/* Returns the half of all space at and below y = 0 of the shape's frame. */
vsp_shape_def vsp_half_space(void);

/* Returns a capsule along y: a cylinder of this radius and twice this half
 * height with a half ball on either end, in m. */
vsp_shape_def vsp_capsule(vsp_real radius, vsp_real half_height);

/* Returns a hull, mesh, height field or signed distance field: what the
 * table with this number in the world is. */
vsp_shape_def vsp_table_shape(vsp_shape_type type, uint32_t table);


/* ---- Memory ---------------------------------------------------------------
 * One buffer of VSP_WORLD_BYTES, aligned to VSP_WORLD_ALIGN, is all a world
 * ever uses.  The world holds no address: the buffer may be moved between
 * calls.  vsp.c checks the sum against the real layout when it compiles. */

/* that of a word or an address: 4 or 8 bytes on most machines, 2 on a 68000,
 * 1 on an AVR */
struct vsp__aligned {
    char first;
    union {
        uint32_t word;
        const void *address;
    } u;
};
#define VSP_WORLD_ALIGN offsetof(struct vsp__aligned, u)
#define VSP__UP4(n) (((n) + 3ul) / 4ul * 4ul)
#define VSP__UP8(n) (((n) + 7ul) / 8ul * 8ul)

/* How many points that carry one body a world of so many contacts looks at
 * together; a body that has more is left to the sweeps. */
#define VSP__SUPPORTS_OF(contacts) \
    ((contacts) < 24 ? 8 : (contacts) < 192 ? (contacts) / 3 : 64)

/* Bytes of the fixed part, and of one of each: state, and scratch of its own.
 * Beside these is scratch that phases of a step share: what finds contacts
 * (FIND) with what moves bodies (SOLVE); the velocity problem (ROW) with the
 * position problem, which takes less, with what waits between steps
 * (INCOMING), and with a copy of SOLVE. */
#define VSP__HAS_PARTS (VSP_MESHES || VSP_HEIGHT_FIELDS || VSP_SDFS)
#define VSP__GATHER_BYTES \
    (VSP__HAS_PARTS ? 1996ul + 12ul * sizeof(void *) : sizeof(void *))
#define VSP__HEAD_BYTES (360ul + (VSP__HAS_CLOCK ? 20ul : 0ul))
#define VSP__BODY_STATE_BYTES (148ul + 4ul * VSP_FIXED)
#define VSP__BODY_BYTES (VSP__BODY_STATE_BYTES + 4ul)
#define VSP__SHAPE_STATE_BYTES 88ul
#define VSP__MANIFOLD_BYTES 42ul
#define VSP__CONTACT_BYTES 44ul
#define VSP__MAX_SUPPORTS VSP__SUPPORTS_OF(VSP_MAX_CONTACTS)
#define VSP__SUPPORT_BYTES (VSP__MAX_SUPPORTS * 56ul)
#define VSP__FIND_BYTES                                           \
    (144ul + VSP__TREE_SPARE * 24ul + VSP_MAX_SHAPES * 108ul +    \
     VSP_MAX_PAIRS * 8ul)
#define VSP__SOLVE_BYTES                                          \
    VSP__UP4(4ul + VSP__LINK_BYTES +                              \
             VSP_MAX_BODIES *                                     \
                 (142ul + 4ul * VSP_FIXED + VSP__LINK_BYTES))
#define VSP__BLOCK_BYTES (48ul + 4ul * VSP_FIXED)
#define VSP__ROW_BYTES \
    (VSP_MAX_MANIFOLDS * VSP__BLOCK_BYTES + VSP_MAX_CONTACTS * 116ul)
#define VSP__INCOMING_BYTES                              \
    (140ul + VSP_MAX_BODIES * VSP__BODY_STATE_BYTES +    \
     VSP_MAX_SHAPES * VSP__SHAPE_STATE_BYTES +           \
     VSP_MAX_CONTACTS * 16ul)
#define VSP__LINK_BYTES (VSP_MAX_MANIFOLDS <= 32767 ? 2ul : 4ul)
#define VSP__LARGER(a, b) ((a) > (b) ? (a) : (b))

/* What the levels of a tree over so many shapes are rounded up by. */
#define VSP__TREE_SPARE \
    (VSP_MAX_SHAPES <= 8 ? 2ul : VSP_MAX_SHAPES <= 1024 ? 9ul : 16ul)

/* Joints lie behind all that, in a build that has them: counts; of each body
 * and layer its joints; of each joint its state, its place in two lists and
 * the rows of a step. */
#define VSP__JOINT_STATE_BYTES 124ul
#define VSP__JOINT_LINK_BYTES 6ul
#define VSP__JOINT_ROW_BYTES (12ul + 7ul * 88ul)
#define VSP__JOINT_BYTES                                              \
    (VSP_JOINTS                                                       \
         ? VSP__UP8(14ul + VSP_MAX_BODIES * 4ul +                     \
                    VSP_MAX_JOINTS *                                  \
                        (VSP__JOINT_STATE_BYTES +                     \
                         VSP__JOINT_LINK_BYTES + VSP__JOINT_ROW_BYTES)) \
         : 0ul)

/* And behind those what searches need: of each contact and joint. */
#define VSP__SUBSPACE_BYTES                                              \
    (VSP_SUBSPACE ? VSP__UP8(VSP_MAX_CONTACTS * 37ul +                   \
                             VSP_MAX_JOINTS * 140ul)                     \
                  : 0ul)

/* And behind those what lanes need: of each block of manifolds, so many that
 * half of the lanes are in use, and of each body. */
#define VSP__LANE_BLOCKS (2ul * VSP_MAX_MANIFOLDS / VSP__LANES + 1ul)
#define VSP__LANE_BYTES                                                  \
    (VSP__LANES > 1 ? VSP__UP8(22ul + VSP_MAX_BODIES * 2ul +             \
                               VSP__LANE_BLOCKS *                        \
                                   (534ul * VSP__LANES + 6ul))           \
                    : 0ul)

#define VSP__BEHIND_BYTES \
    (VSP__JOINT_BYTES + VSP__SUBSPACE_BYTES + VSP__LANE_BYTES)

#define VSP_WORLD_BYTES                                            \
    (VSP__UP8(VSP__HEAD_BYTES + VSP_MAX_TABLES * sizeof(void *) +  \
              VSP_MAX_SENSED * 8ul + VSP_MAX_EVENTS * 28ul +       \
              VSP_MAX_BODIES * VSP__BODY_BYTES +                   \
              VSP_MAX_SHAPES * VSP__SHAPE_STATE_BYTES +            \
              VSP_MAX_MANIFOLDS * VSP__MANIFOLD_BYTES +            \
              VSP_MAX_CONTACTS * VSP__CONTACT_BYTES +              \
              VSP__LARGER(VSP__GATHER_BYTES, VSP__SUPPORT_BYTES) + \
              VSP__LARGER(VSP__FIND_BYTES, VSP__SOLVE_BYTES) +     \
              VSP__LARGER(VSP__ROW_BYTES,                          \
                          VSP__LARGER(VSP__INCOMING_BYTES,         \
                                      VSP__SOLVE_BYTES))) +        \
     VSP__BEHIND_BYTES)

/* The most bytes that vsp_world_snapshot can write: usually it is less than
 * half, see there. */
#define VSP__SNAPSHOT_HEAD_BYTES 168ul
#define VSP_SNAPSHOT_BYTES                                 \
    (VSP__SNAPSHOT_HEAD_BYTES +                            \
     VSP_MAX_BODIES * (148ul + 4ul * VSP_FIXED) +          \
     VSP_MAX_SHAPES * 88ul + VSP_MAX_CONTACTS * 16ul +     \
     VSP_MAX_SENSED * 4ul +                                \
     (VSP_JOINTS ? VSP_MAX_JOINTS * (VSP__JOINT_STATE_BYTES + 4ul) : 0ul))

/* Declares a buffer of the right alignment: name.mem is the buffer. */
#define VSP_ARENA(name, bytes)                        \
    static union {                                    \
        uint32_t word[((bytes) + 3u) / 4u];           \
        const void *address;                          \
        unsigned char mem[VSP__UP8(bytes)];           \
    } name

/* what the build has, a bit each */
#define VSP__PARTS                                                       \
    (VSP_CAPSULES + VSP_HULLS * 2u + VSP_MESHES * 4u +                   \
     VSP_HEIGHT_FIELDS * 8u + VSP_SDFS * 16u + VSP_SLEEP * 32u +         \
     VSP_EVENTS * 64u + VSP_CCD * 128u + VSP_CARRY * 256u +              \
     VSP_SHOCK * 512u + VSP_PYRAMID * 1024u + VSP_MERIT * 2048u +        \
     VSP_JOINTS * 4096u + VSP_SUBSPACE * 8192u)

/* Names the options in one word, to compare header and library. */
#define VSP_OPTIONS                                                  \
    ((uint32_t)((VSP_MAX_BODIES * 2654435761ul ^                     \
                 VSP_MAX_SHAPES * 40503ul ^                          \
                 VSP_MAX_PAIRS * 2246822519ul ^                      \
                 VSP_MAX_MANIFOLDS * 3266489917ul ^                  \
                 VSP_MAX_CONTACTS * 668265263ul ^                    \
                 VSP_MAX_TABLES * 2750159ul ^                        \
                 VSP_MAX_EVENTS * 3628273133ul ^                     \
                 VSP_MAX_SENSED * 951274213ul ^                      \
                 VSP_MAX_JOINTS * 3812015801ul ^                     \
                 VSP__PARTS * 1540483477ul ^                         \
                 VSP_FIXED * 374761393ul ^                           \
                 VSP_VERSION) & 0xfffffffful))

#define VSP__COOKIE(kind) (0x56535000u + (uint32_t)(kind))

static inline vsp_world_def vsp_world_def_default(void)
{
    vsp_world_def def;

    def.cookie = VSP__COOKIE(1);
    def.options = VSP_OPTIONS;
    def.gravity.x = VSP_R(0.0);
    def.gravity.y = VSP_R(-9.81);
    def.gravity.z = VSP_R(0.0);
    def.dt = VSP_R(1.0 / 60.0);
    def.stepper = VSP_CARRY ? VSP_STEPPER_CARRY : VSP_STEPPER_PGS;
    def.friction = VSP_FRICTION_CONE;
    def.enable_warm_start = true;
    def.envelope = VSP_R(0.01);
    def.tolerance = VSP_R(0.0001);
    def.sweeps = 20;
    def.correction_sweeps = 5;
    def.fraction = VSP_R(0.00125);
    def.subspace.rounds = 3;
    def.subspace.tries = 2;
    def.subspace.steps = 60;
    def.subspace.search = 0;
    def.subspace.friction_damping = VSP_R(0.0);
    def.enable_sleep = VSP_SLEEP != 0;
    def.sleep_speed = VSP_R(0.005);
    def.sleep_time = VSP_R(0.5);
    def.reports = 0;
    def.capacity.bodies = VSP_MAX_BODIES;
    def.capacity.shapes = VSP_MAX_SHAPES;
    def.capacity.pairs = VSP_MAX_PAIRS;
    def.capacity.manifolds = VSP_MAX_MANIFOLDS;
    def.capacity.contacts = VSP_MAX_CONTACTS;
    def.capacity.sensed = VSP_MAX_SENSED;
    def.capacity.joints = VSP_JOINTS ? VSP_MAX_JOINTS : 0;
    return def;
}


/* ---- World --------------------------------------------------------------- */

typedef struct vsp_world vsp_world;

/* Makes an empty world in a buffer of at least VSP_WORLD_BYTES.  *world is
 * the buffer's own address: to move a world, copy VSP_WORLD_BYTES and use
 * the new address.  There is nothing to destroy.
 * Returns VSP_ERR_ARG for null or a bad def, VSP_ERR_ABI when the def was
 * made under other options, VSP_ERR_MEMORY when the buffer is too small or
 * not aligned to VSP_WORLD_ALIGN; *world is then null. */
vsp_status vsp_world_create(void *buffer, size_t size,
                            const vsp_world_def *def, vsp_world **world);

/* Moves the world by dt.  Clears the forces and torques applied before.
 * Returns VSP_DEGRADED when a capacity made it drop contacts (the shallowest
 * first, but any when pairs end; see vsp_stats), VSP_ERR_ARG for null. */
vsp_status vsp_world_step(vsp_world *world);

/* Sets gravity, m/s^2, each component within VSP_MAX_SPEED.
 * Returns VSP_ERR_ARG. */
vsp_status vsp_world_set_gravity(vsp_world *world, vsp_vec3 gravity);

/* Looks at all of a table, and gives it the next number: 1, 2 and so on.  A
 * table that the world has already keeps the number it has, unlooked at.
 * flaw may be null; else it gets what VSP_ERR_DATA is about.  The content of
 * all tables, in their order, is part of the state: a snapshot is restored
 * where the same were added in the same order.  Optional: vsp_table.c.
 * Returns VSP_ERR_ARG for null, VSP_ERR_FULL when there are VSP_MAX_TABLES,
 * VSP_ERR_DATA; *index is then 0. */
vsp_status vsp_world_add_table(vsp_world *world, const void *table,
                               uint32_t *index, vsp_flaw *flaw);

/* Returns how many tables the world has; 0 for null. */
uint32_t vsp_world_table_count(const vsp_world *world);

/* Returns the table with this number; null if none. */
const void *vsp_world_table(const vsp_world *world, uint32_t index);

/* Returns gravity, m/s^2. */
vsp_vec3 vsp_world_gravity(const vsp_world *world);

/* Returns how much the world may hold; all zero for null. */
vsp_capacity vsp_world_capacity(const vsp_world *world);

/* Returns the length of a step, s. */
vsp_real vsp_world_dt(const vsp_world *world);

/* Returns the number of steps taken; wraps at 2^32. */
uint32_t vsp_world_tick(const vsp_world *world);

/* What the world holds and what its last step did.  Not part of the state:
 * a restore leaves the high-water marks, and zeroes what tells of a step. */
typedef struct vsp_stats {
    uint32_t body_count, body_high;         /* high: most ever, to size the */
    uint32_t shape_count, shape_high;       /*   next build */
    uint32_t pair_count, pair_high;         /* shapes with boxes that touch */
    uint32_t manifold_count, manifold_high; /* shapes that touch */
    uint32_t contact_count, contact_high;   /* points */
    uint32_t joint_count, joint_high;       /* broken ones counted */
    uint32_t contacts_dropped;              /* found, but did not fit */
    uint32_t events_dropped;                /* these too, and in sensors */
    uint32_t layer_count;                   /* stack layers */
    uint32_t sweep_count;                   /* velocity sweeps; SUBSPACE: of
                                               all islands, a sum */
    uint32_t correction_count;              /* position sweeps */
    uint32_t search_count;                  /* steps of conjugate gradients */
    uint32_t row_updates;                   /* multipliers computed; SUBSPACE:
                                               also passes of a search */
    uint32_t awake_count;                   /* bodies moved by forces */
    vsp_real residual; /* m/s: largest correction of the last sweep; of
                          SUBSPACE, before its last search */
    vsp_real merit;    /* (m/s)^2: theta of eq. 37-38, end of the solve; of
                          SUBSPACE the sum of its islands; of others 0
                          without VSP_MERIT */
    uint32_t detect_ticks;  /* of VSP_CLOCK, 0 without: finding contacts */
    uint32_t solve_ticks;   /* velocities */
    uint32_t correct_ticks; /* overlaps */
    uint32_t rest_ticks;    /* all else: layers, motion, sleep, events */
} vsp_stats;

/* Returns the statistics; all zero for null. */
vsp_stats vsp_world_stats(const vsp_world *world);


/* ---- Body ---------------------------------------------------------------- */

/* Makes a body and, if def->shape has a type, its first shape.
 * id may be null.  A dynamic body without mass and without shape stays put
 * until a shape brings mass.
 * Returns VSP_ERR_ARG for a bad def, VSP_ERR_FULL when bodies or shapes are
 * used up; *id is then null. */
vsp_status vsp_body_create(vsp_world *world, const vsp_body_def *def,
                           vsp_body_id *id);

/* Destroys a body and its shapes.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_destroy(vsp_world *world, vsp_body_id id);

/* Returns whether the id names a living body. */
bool vsp_body_is_valid(const vsp_world *world, vsp_body_id id);

/* Returns the body in a slot, 0 to VSP_MAX_BODIES - 1; null if none. */
vsp_body_id vsp_body_at(const vsp_world *world, uint32_t slot);

/* Returns the type; VSP_STATIC for an id that is not valid. */
vsp_body_type vsp_body_get_type(const vsp_world *world, vsp_body_id id);

/* Returns the pose of the body's frame; identity for an id not valid. */
vsp_transform vsp_body_transform(const vsp_world *world, vsp_body_id id);

/* Puts the body there; velocities stay.  The rotation is made of length 1.
 * Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_set_transform(vsp_world *world, vsp_body_id id,
                                  vsp_transform pose);

/* Returns the centre of mass in the world, m; zero for an id not valid. */
vsp_vec3 vsp_body_center(const vsp_world *world, vsp_body_id id);

/* Returns the velocity of the centre of mass, m/s; zero for an id not
 * valid. */
vsp_vec3 vsp_body_velocity(const vsp_world *world, vsp_body_id id);

/* Returns the angular velocity, rad/s, world axes; zero for an id not
 * valid. */
vsp_vec3 vsp_body_spin(const vsp_world *world, vsp_body_id id);

/* Sets velocity (m/s) and spin (rad/s), each component within VSP_MAX_SPEED.
 * A kinematic body keeps them, and what stands on it goes along.
 * Returns VSP_ERR_ARG (also for a static body), VSP_ERR_ID. */
vsp_status vsp_body_set_velocity(vsp_world *world, vsp_body_id id,
                                 vsp_vec3 velocity, vsp_vec3 spin);

/* Returns the mass, kg; 0 for static and kinematic bodies, bodies without
 * mass and ids not valid. */
vsp_real vsp_body_mass(const vsp_world *world, vsp_body_id id);

/* Gives a dynamic body a mass and, if inertia is not zero, a centre and an
 * inertia about it, as in vsp_body_def.  mass 0: from the shapes again.
 * Returns VSP_ERR_ARG (also when there is no shape to take what is missing
 * from, or the body is not dynamic), VSP_ERR_ID. */
vsp_status vsp_body_set_mass(vsp_world *world, vsp_body_id id, vsp_real mass,
                             vsp_vec3 center, vsp_vec3 inertia);

/* Sets damping, 1/s, 0 to 1000.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_set_damping(vsp_world *world, vsp_body_id id,
                                vsp_real linear, vsp_real angular);

/* Sets the gravity scale, -100 to 100.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_set_gravity_scale(vsp_world *world, vsp_body_id id,
                                      vsp_real scale);

/* Sets the speed that the body is kept below, m/s, above 0, to
 * VSP_MAX_SPEED, which is no limit of its own.
 * Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_set_max_speed(vsp_world *world, vsp_body_id id,
                                  vsp_real speed);

/* Sets what the body does not do, a sum of VSP_LOCK_...: its velocity and
 * spin along these axes of the world become 0.
 * Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_set_locks(vsp_world *world, vsp_body_id id,
                              uint32_t locks);

/* Returns the locks; 0 for an id that is not valid. */
uint32_t vsp_body_locks(const vsp_world *world, vsp_body_id id);

/* Sets whether the body is stopped where it meets something between two
 * steps.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_set_bullet(vsp_world *world, vsp_body_id id,
                               bool is_bullet);

/* Sets whether the body may fall asleep; if not, it wakes up.
 *
 * Bodies that touch fall asleep together, when all have been at rest for
 * sleep_time on something that stays where it is, and wake up together: when
 * something that is awake, or kinematic and moving, touches one of them; when
 * a call pushes or moves one, or changes its mass, locks, gravity scale or
 * shapes; when a body or a shape next to one comes, goes, is put elsewhere or
 * changes; when gravity does.  What sleeps costs next to nothing.
 * Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_enable_sleep(vsp_world *world, vsp_body_id id,
                                 bool is_enabled);

/* Wakes a dynamic body and what it touches from the next step on, or puts it
 * to sleep alone: its velocities become 0.
 * Returns VSP_ERR_ARG (also for putting to sleep what must not), VSP_ERR_ID. */
vsp_status vsp_body_set_awake(vsp_world *world, vsp_body_id id,
                              bool is_awake);

/* Returns whether the body is awake; false for static bodies and ids not
 * valid. */
bool vsp_body_is_awake(const vsp_world *world, vsp_body_id id);

/* Returns the user word; 0 for an id that is not valid. */
uint32_t vsp_body_user(const vsp_world *world, vsp_body_id id);

/* Sets the user word.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_set_user(vsp_world *world, vsp_body_id id, uint32_t user);

/* Adds a force (N) at a point of the world (m) and a torque (N m) to the
 * next step.  A body that is not dynamic takes them without effect.
 * Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_apply_force(vsp_world *world, vsp_body_id id,
                                vsp_vec3 force, vsp_vec3 point);
vsp_status vsp_body_apply_center_force(vsp_world *world, vsp_body_id id,
                                       vsp_vec3 force);
vsp_status vsp_body_apply_torque(vsp_world *world, vsp_body_id id,
                                 vsp_vec3 torque);

/* Changes the velocity at once by an impulse (N s) at a point of the world,
 * at the centre of mass, or by an angular impulse (N m s).  A body that is
 * not dynamic takes them without effect.
 * Returns VSP_ERR_ARG (also when a speed would pass VSP_MAX_SPEED),
 * VSP_ERR_ID. */
vsp_status vsp_body_apply_impulse(vsp_world *world, vsp_body_id id,
                                  vsp_vec3 impulse, vsp_vec3 point);
vsp_status vsp_body_apply_center_impulse(vsp_world *world, vsp_body_id id,
                                         vsp_vec3 impulse);
vsp_status vsp_body_apply_angular_impulse(vsp_world *world, vsp_body_id id,
                                          vsp_vec3 impulse);


/* ---- Shape --------------------------------------------------------------- */

/* Attaches a shape to a body; mass taken from shapes is summed anew.
 * id may be null.
 * Returns VSP_ERR_ARG for a bad def or a half-space on a dynamic body,
 * VSP_ERR_ID, VSP_ERR_FULL; *id is then null. */
vsp_status vsp_shape_create(vsp_world *world, vsp_body_id body,
                            const vsp_shape_def *def, vsp_shape_id *id);

/* Takes a shape off its body; mass taken from shapes is summed anew.
 * Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_shape_destroy(vsp_world *world, vsp_shape_id id);

/* Returns whether the id names a living shape. */
bool vsp_shape_is_valid(const vsp_world *world, vsp_shape_id id);

/* Returns the shape in a slot, 0 to VSP_MAX_SHAPES - 1; null if none. */
vsp_shape_id vsp_shape_at(const vsp_world *world, uint32_t slot);

/* Returns the shape's body; null for an id that is not valid. */
vsp_body_id vsp_shape_body(const vsp_world *world, vsp_shape_id id);

/* Writes the def the shape stands for now.  Returns VSP_ERR_ARG,
 * VSP_ERR_ID. */
vsp_status vsp_shape_get(const vsp_world *world, vsp_shape_id id,
                         vsp_shape_def *def);

/* Sets the material, from the next step on.  Returns VSP_ERR_ARG,
 * VSP_ERR_ID. */
vsp_status vsp_shape_set_material(vsp_world *world, vsp_shape_id id,
                                  vsp_material material);

/* Sets the velocity at which the surface runs, m/s, in the body's axes, each
 * component within VSP_MAX_SPEED.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_shape_set_surface_velocity(vsp_world *world, vsp_shape_id id,
                                          vsp_vec3 velocity);

/* Sets the filter, from the next step on.  Returns VSP_ERR_ARG,
 * VSP_ERR_ID. */
vsp_status vsp_shape_set_filter(vsp_world *world, vsp_shape_id id,
                                vsp_filter filter);


/* ---- Joints ----------------------------------------------------------------
 * Optional: vsp_joint.c and vsp_joint_solver.c, VSP_JOINTS.  A joint holds
 * two bodies together, one of them dynamic, by a frame on each: an anchor and
 * axes.  To hold a body to the world, join it to a static one.
 *
 *     BALL      anchors meet.  B's x axis may swing from A's by a cone, and B
 *               may be twisted about it between two limits
 *     HINGE     anchors meet, x axes are one: angle of B about it, from A's y
 *               axis to B's; limits, motor
 *     SLIDER    B moves along A's x axis only, and does not turn: position
 *               along it; limits, motor
 *     FIXED     the frames are one
 *     DISTANCE  between the anchors, from low to high: a rope has low 0, a
 *               rod low = high
 *
 * Limits are a part of the step's one complementarity problem: what they bear
 * is never less than 0, and a gap may close but not more.  Errors of position
 * are left to the correction, full, and give no velocity; a motor gives
 * velocity only, and never more than its force or torque allows in a step. */

typedef enum vsp_joint_type {
    VSP_JOINT_NONE = 0,
    VSP_JOINT_BALL = 1,
    VSP_JOINT_HINGE = 2,
    VSP_JOINT_SLIDER = 3,
    VSP_JOINT_FIXED = 4,
    VSP_JOINT_DISTANCE = 5
} vsp_joint_type;

/* Get one from vsp_joint_def_default. */
typedef struct vsp_joint_def {
    uint32_t cookie;
    vsp_joint_type type;
    vsp_body_id body_a, body_b;
    vsp_transform frame_a, frame_b; /* in each body's frame; default identity */
    bool collide;             /* whether the two bodies' shapes may touch;
                                 default false */
    bool enable_limit;        /* from low to high; default false, DISTANCE has
                                 it always */
    vsp_real low, high;       /* low <= high; BALL, HINGE: rad, -pi to pi
                                 (from end to end: no limit);
                                 SLIDER: m; DISTANCE: m, 0 or more; default
                                 0 */
    vsp_real cone;            /* BALL: rad, 0 to pi; default pi, which all
                                 others have: swings freely */
    bool enable_motor;        /* HINGE, SLIDER; default false */
    vsp_real motor_speed;     /* rad/s, m/s: of B as seen from A; default 0 */
    vsp_real motor_max;       /* N m, N: 0 to VSP_MAX_FORCE; default 0 */
    vsp_real break_impulse;   /* N s in a step: a joint whose anchor bears more
                                 than this breaks, the motor of a slider
                                 counted; default 0: never */
    vsp_real break_turn;      /* N m s in a step, of its axes, the motor of a
                                 hinge counted; default 0 */
    uint32_t user;            /* yours; state, and part of the hash */
} vsp_joint_def;

/* Returns the defaults. */
vsp_joint_def vsp_joint_def_default(void);

/* Fills both frames of a definition, whose bodies are set: the anchor is this
 * point of the world, x this direction (its length does not matter), for the
 * two bodies where they are now, and the angle of a hinge is 0.
 * Returns VSP_ERR_ARG (an axis of no length), VSP_ERR_ID. */
vsp_status vsp_joint_place(const vsp_world *world, vsp_joint_def *def,
                           vsp_vec3 anchor, vsp_vec3 axis);

/* Creates a joint, and wakes both bodies; *id becomes null when it fails.
 * Bodies need not be where the joint wants them: the next steps bring them
 * there, at once.
 * Returns VSP_ERR_ARG (one body twice, none of them dynamic, frames that are
 * not of length 1, limits the wrong way round or out of range, a limit, cone
 * or motor that this type does not have), VSP_ERR_ID, VSP_ERR_FULL. */
vsp_status vsp_joint_create(vsp_world *world, const vsp_joint_def *def,
                            vsp_joint_id *id);

/* Destroys a joint, and wakes its bodies.  Joints of a body that is destroyed
 * go with it.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_joint_destroy(vsp_world *world, vsp_joint_id id);

/* Returns the joint in a slot, 0 to VSP_MAX_JOINTS - 1; null if none. */
vsp_joint_id vsp_joint_at(const vsp_world *world, uint32_t slot);

/* Writes what the joint was made with, and what was set since: creating it
 * with that makes the same joint.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_joint_get(const vsp_world *world, vsp_joint_id id,
                         vsp_joint_def *def);

/* Set limits, cone, motor, strength; each wakes the bodies when it changes
 * something.  Ranges are those of the definition.
 * Returns VSP_ERR_ARG (also for what this type does not have), VSP_ERR_ID. */
vsp_status vsp_joint_set_limit(vsp_world *world, vsp_joint_id id, bool enable,
                               vsp_real low, vsp_real high);
vsp_status vsp_joint_set_cone(vsp_world *world, vsp_joint_id id,
                              vsp_real cone);
vsp_status vsp_joint_set_motor(vsp_world *world, vsp_joint_id id, bool enable,
                               vsp_real speed, vsp_real max);
vsp_status vsp_joint_set_strength(vsp_world *world, vsp_joint_id id,
                                  vsp_real break_impulse,
                                  vsp_real break_turn);

/* Sets the user word.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_joint_set_user(vsp_world *world, vsp_joint_id id,
                              uint32_t user);

/* How a joint is: of the poses there are now, and of the last step. */
typedef struct vsp_joint_state {
    vsp_real place;       /* HINGE, BALL: angle, the twist of a ball, rad, -pi
                             to pi; SLIDER: position, m; DISTANCE: m */
    vsp_real swing;       /* BALL: of the x axes, rad; else 0 */
    vsp_real speed;       /* of place, rad/s or m/s */
    vsp_real error;       /* m, between the anchors where they ought to meet,
                             off the slide, outside of the distance */
    vsp_real angle_error; /* rad, between axes that ought to be one */
    vsp_vec3 impulse;     /* N s, of the last step on B; motor and limits
                             counted */
    vsp_vec3 turn;        /* N m s, the same of its axes */
    vsp_real motor;       /* N s or N m s: the motor's part */
    bool at_limit;        /* a limit bore something in the last step */
    bool is_broken;
} vsp_joint_state;

/* Writes how a joint is.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_joint_read(const vsp_world *world, vsp_joint_id id,
                          vsp_joint_state *state);


/* ---- Contacts --------------------------------------------------------------
 * What the last step solved: the pairs and features found at its beginning,
 * where they are at its end, with the impulses of the whole step; none of
 * bodies that sleep.  Gone with the next step, a restore, a destruction, and
 * a change of shapes or mass. */

typedef struct vsp_contact_point {
    vsp_vec3 position;       /* m, world */
    vsp_real separation;     /* m, negative is depth */
    vsp_real normal_impulse; /* N s, along the normal on b */
    vsp_vec3 friction_impulse; /* N s, world axes, on b */
    uint32_t feature;        /* stays the same while the same parts touch */
} vsp_contact_point;

typedef struct vsp_contact {
    vsp_shape_id shape_a, shape_b;
    vsp_body_id body_a, body_b;
    vsp_vec3 normal; /* from a to b */
    uint32_t layer;  /* stack layer it was solved in */
    uint32_t point_count; /* 1 to 4 */
    vsp_contact_point points[4];
} vsp_contact;

/* Returns the number of shape pairs that touched. */
uint32_t vsp_contact_count(const vsp_world *world);

/* Writes the contact with this index, below vsp_contact_count.
 * Returns VSP_ERR_ARG. */
vsp_status vsp_contact_get(const vsp_world *world, uint32_t index,
                           vsp_contact *contact);


/* ---- Events ----------------------------------------------------------------
 * Optional: vsp_event.c, VSP_EVENTS.  What happened in the last step, of what
 * vsp_world_def.reports asks for; gone with the next one.  Two shapes touch
 * when there is an impulse between them: the step that begins it has it.  A
 * shape is in a sensor when they overlap at the beginning of a step, and one
 * of the two is not static; sensors do not sense sensors.  What is destroyed
 * leaves without an event.  Events come in this order: sensors, contacts that
 * are far apart now, joints by slot, contacts by pair; sleep and waking as
 * they happen.
 * Shapes of bodies that sleep go on touching, without events. */

typedef enum vsp_event_type {
    VSP_EVENT_NONE = 0,
    VSP_EVENT_BEGIN = 1,   /* shapes a and b begin to touch */
    VSP_EVENT_PERSIST = 2, /* they did in the step before, and still do */
    VSP_EVENT_END = 3,     /* they part */
    VSP_EVENT_ENTER = 4,   /* shape b comes into sensor a */
    VSP_EVENT_LEAVE = 5,   /* and goes */
    VSP_EVENT_SLEEP = 6,   /* body a falls asleep */
    VSP_EVENT_WAKE = 7,    /* body a wakes up in a step, not by a call */
    VSP_EVENT_LIMIT = 8,   /* a joint begins to bear on a limit */
    VSP_EVENT_BREAK = 9    /* a joint broke: it holds no longer */
} vsp_event_type;

#define VSP_NO_CONTACT 0xfffffffful

typedef struct vsp_event {
    uint32_t type;    /* vsp_event_type */
    uint32_t contact; /* for vsp_contact_get: points, normal, impulses; of
                         several of one pair the first, and VSP_NO_CONTACT
                         where there is none */
    vsp_shape_id shape_a, shape_b;
    vsp_body_id body_a, body_b;
    vsp_joint_id joint; /* of LIMIT and BREAK, else null */
} vsp_event;

/* Returns the events of the last step, and how many; null for null. */
const vsp_event *vsp_world_events(const vsp_world *world, uint32_t *count);

/* Writes the first `capacity` shapes in a sensor, as of the last step (shapes
 * may be null).  Returns how many there are; 0 for what is no sensor. */
uint32_t vsp_shape_sensed(const vsp_world *world, vsp_shape_id sensor,
                          vsp_shape_id *shapes, uint32_t capacity);


/* ---- Queries ---------------------------------------------------------------
 * Optional: vsp_query.c; a build without it pays nothing.  What a ray or a
 * moving solid meets, what is in a box, a solid or at a point, and what is
 * nearest, in the world as it is now.  A query changes no state, contact or
 * hash; but the first after a change or a step sorts all shapes anew, like
 * the beginning of a step, in the memory of the world.
 *
 * What is found, and its order, is a function of state and arguments alone:
 * the same after a restore and on every machine.
 *
 * A solid includes its surface and all in it.  Surfaces (meshes, height
 * fields) are found from their front, and have no inside.  Signed distance
 * fields are as precise as their grid; from outside of it, distances are
 * guesses. */

/* Who asks.  Where a null stands for it, all is found but sensors. */
typedef struct vsp_query {
    vsp_filter filter;  /* finds what a shape with this filter would collide
                           with; default: category and mask 0xffffffff */
    bool find_sensors;  /* default false */
    vsp_body_id except; /* not this body; null: none, default */
} vsp_query;

/* Returns the defaults. */
vsp_query vsp_query_default(void);

typedef struct vsp_hit {
    vsp_shape_id shape; /* null: nothing was found, and fraction is 1 */
    vsp_body_id body;
    uint32_t part;     /* triangle of a mesh; of a height field, twice its
                          cell (row by row), 1 more for the half at high x;
                          else 0 */
    vsp_real fraction; /* of the way, 0 to 1 */
    vsp_real distance; /* m, along the way; vsp_closest_point: to the surface,
                          negative inside */
    vsp_vec3 point;    /* on the shape, m */
    vsp_vec3 normal;   /* of the shape there, outward, of length 1 */
} vsp_hit;

/* Takes what is found, one at a time, and answers how to go on.  A ray: 1
 * (VSP_R(1.0)) goes on, a smaller fraction clips the way there, the hit's own
 * keeps what is nearer, 0 ends it, a negative one ignores the hit.  The
 * others: 0 ends, all else goes on.  It may ask the world, but not change it:
 * that ends the query with VSP_ERR_ARG. */
typedef vsp_real vsp_found(void *user, const vsp_hit *hit);

/* Finds what a point that goes from `origin` along `way` meets first; of
 * equals the lower slot.  Where it begins inside of a solid, it hits that at
 * fraction 0, with a normal against the way.  The way's largest component is
 * 0.0001 m to VSP_MAX_POSITION.
 * Returns VSP_ERR_ARG; *hit is then unchanged. */
vsp_status vsp_ray_cast(vsp_world *world, vsp_vec3 origin, vsp_vec3 way,
                        const vsp_query *query, vsp_hit *hit);

/* Finds all shapes that it meets, each at the first point; not sorted by
 * where.  Returns VSP_ERR_ARG. */
vsp_status vsp_ray_cast_all(vsp_world *world, vsp_vec3 origin, vsp_vec3 way,
                            const vsp_query *query, vsp_found *found,
                            void *user);

/* The same of a ball, box, capsule or hull that goes along the way without
 * turning: finds where it first is nearer than half a millimetre to a shape
 * that it goes towards.  What it overlaps from the beginning it hits at
 * fraction 0, with a normal against the way.  pose is that of the def's body:
 * def->pose counts.  Of the def's other numbers all must be right, and only
 * type, size and table count.
 * Returns VSP_ERR_ARG. */
vsp_status vsp_shape_cast(vsp_world *world, const vsp_shape_def *def,
                          vsp_transform pose, vsp_vec3 way,
                          const vsp_query *query, vsp_hit *hit);

/* Finds all shapes whose bounds, along the axes of the world, overlap a box;
 * half-spaces, when they themselves do.  Of the hit, shape and body count.
 * Returns VSP_ERR_ARG. */
vsp_status vsp_overlap_aabb(vsp_world *world, vsp_vec3 low, vsp_vec3 high,
                            const vsp_query *query, vsp_found *found,
                            void *user);

/* Finds all shapes that a ball, box, capsule or hull overlaps.  Of the hit,
 * shape, body and part (one of them) count.  Returns VSP_ERR_ARG. */
vsp_status vsp_overlap_shape(vsp_world *world, const vsp_shape_def *def,
                             vsp_transform pose, const vsp_query *query,
                             vsp_found *found, void *user);

/* Finds all solids that contain a point; the hit's point, normal and distance
 * (not above 0) are those of the nearest surface.  Returns VSP_ERR_ARG. */
vsp_status vsp_point_inside(vsp_world *world, vsp_vec3 point,
                            const vsp_query *query, vsp_found *found,
                            void *user);

/* Finds the shape with the nearest surface, that in which the point is
 * deepest before all others, at most max_distance away (above 0, at most
 * VSP_MAX_POSITION, m).  Returns VSP_ERR_ARG; *hit is then unchanged. */
vsp_status vsp_closest_point(vsp_world *world, vsp_vec3 point,
                             vsp_real max_distance, const vsp_query *query,
                             vsp_hit *hit);


/* ---- Snapshot, restore, hash --------------------------------------------- */

/* Writes all state that shapes the future to a buffer; *size is what was
 * written, at most VSP_SNAPSHOT_BYTES.  The bytes are the same on every
 * machine: 148, then 52 for a body with one shape like that of the body
 * before (12 more for another size, 24 less at rest), some 60 a joint, then,
 * with warm starting, 16 a contact point.
 * Returns VSP_ERR_ARG, or VSP_ERR_MEMORY when the buffer is too small: *size
 * is then what it takes, and the buffer holds nothing of use. */
vsp_status vsp_world_snapshot(const vsp_world *world, void *buffer,
                              size_t capacity, size_t *size);

/* Makes the world what it was: the same calls then give the same bits.  The
 * buffer may come from another world, process or machine; the world takes
 * its capacities.
 * Returns VSP_ERR_ARG, and for bytes that are not such a snapshot
 * VSP_ERR_TRUNCATED, VSP_ERR_VERSION, VSP_ERR_CHECKSUM, VSP_ERR_FULL when
 * they need more than this build has room for, VSP_ERR_DATA; the world is
 * then unchanged. */
vsp_status vsp_world_restore(vsp_world *world, const void *buffer,
                             size_t size);

/* Returns a hash of the state that a snapshot would hold; 0 for null.
 * Equal states have equal hashes on every machine. */
uint32_t vsp_world_hash(const vsp_world *world);


/* ---- Debugging ----------------------------------------------------------- */

/* Checks the whole world: links, counts, finite numbers, unit quaternions.
 * suspect may be null; else it gets the first body found wrong, or null.
 * Returns VSP_ERR_DATA, VSP_ERR_ARG. */
vsp_status vsp_world_validate(const vsp_world *world, vsp_body_id *suspect);

/* Returns the name of a status, such as "VSP_ERR_FULL". */
const char *vsp_status_name(vsp_status status);


/* ---- Replay ----------------------------------------------------------------
 * Optional: vsp_replay.c; a build without it pays nothing.  A recorder stands
 * between a program and its world, and writes down every call that changes
 * it, with the hash after every step: 8 bytes a step.  A player makes the
 * same calls again, on any machine, and says where the bits differ.  The
 * bytes are the same on every machine; SPEC.md has them. */

#define VSP_REPLAY_FORMAT_VERSION 4u

/* Bytes of a file besides its seed (a snapshot) and its records. */
#define VSP_REPLAY_BYTES (56ul + 12ul)

/* The records of a file: name, words behind the first (0: a snapshot) that
 * are no real numbers, and real numbers: a word each in the float kind, two,
 * the lower one first, in the fixed.  Arguments stand in their order, then
 * the id that a creation gave. */
#define VSP_REPLAY_OPS(OP)                                                \
    OP(END, 2, 0)                 /* steps in the file, checksum */       \
    OP(STEP, 1, 0)                /* hash after it */                     \
    OP(KEYFRAME, 0, 0)            /* the state here */                    \
    OP(RESTORE, 0, 0)                                                     \
    OP(SET_GRAVITY, 0, 3)                                                 \
    OP(BODY_CREATE, 16, 40)       /* def with its shape's, id */          \
    OP(BODY_DESTROY, 1, 0)                                                \
    OP(BODY_SET_TRANSFORM, 1, 7)                                          \
    OP(BODY_SET_VELOCITY, 1, 6)                                           \
    OP(BODY_SET_MASS, 1, 7)                                               \
    OP(BODY_SET_DAMPING, 1, 2)                                            \
    OP(BODY_SET_GRAVITY_SCALE, 1, 1)                                      \
    OP(BODY_SET_MAX_SPEED, 1, 1)                                          \
    OP(BODY_SET_LOCKS, 2, 0)                                              \
    OP(BODY_SET_BULLET, 2, 0)                                             \
    OP(BODY_ENABLE_SLEEP, 2, 0)                                           \
    OP(BODY_SET_AWAKE, 2, 0)                                              \
    OP(BODY_SET_USER, 2, 0)                                               \
    OP(BODY_APPLY_FORCE, 1, 6)                                            \
    OP(BODY_APPLY_CENTER_FORCE, 1, 3)                                     \
    OP(BODY_APPLY_TORQUE, 1, 3)                                           \
    OP(BODY_APPLY_IMPULSE, 1, 6)                                          \
    OP(BODY_APPLY_CENTER_IMPULSE, 1, 3)                                   \
    OP(BODY_APPLY_ANGULAR_IMPULSE, 1, 3)                                  \
    OP(SHAPE_CREATE, 11, 16)      /* body, def, id */                     \
    OP(SHAPE_DESTROY, 1, 0)                                               \
    OP(SHAPE_SET_MATERIAL, 3, 2)                                          \
    OP(SHAPE_SET_FILTER, 4, 0)                                            \
    OP(SHAPE_SET_SURFACE_VELOCITY, 1, 3)                                  \
    OP(TABLES, 2, 0)              /* count, digest */                     \
    OP(JOINT_CREATE, 9, 21)       /* def, id */                           \
    OP(JOINT_DESTROY, 1, 0)                                               \
    OP(JOINT_SET_LIMIT, 2, 2)                                             \
    OP(JOINT_SET_CONE, 1, 1)                                              \
    OP(JOINT_SET_MOTOR, 2, 2)                                             \
    OP(JOINT_SET_STRENGTH, 1, 2)                                          \
    OP(JOINT_SET_USER, 2, 0)

#define VSP__OP_NAME(name, words, reals) VSP_OP_##name,

/* The number of a record: 1 is VSP_OP_END. */
typedef enum vsp_replay_op {
    VSP_OP_NONE = 0,
    VSP_REPLAY_OPS(VSP__OP_NAME) VSP_OP_COUNT
} vsp_replay_op;

/* Where a recording goes: start from all zero and set what you need.
 * Either a buffer that takes the whole file, or a function that takes it as
 * it grows and answers whether it could, and scratch for one snapshot
 * (VSP_SNAPSHOT_BYTES always do). */
typedef struct vsp_record_def {
    void *buffer;
    size_t capacity; /* bytes */
    bool (*write)(void *user, const void *bytes, size_t size);
    void *user; /* yours, handed to write */
    void *scratch;
    size_t scratch_size;        /* bytes */
    uint32_t keyframe_interval; /* steps; 0 none: seeking then starts from
                                   the seed */
} vsp_record_def;

/* Yours to keep; set world, and leave the rest alone: layout may change.
 * All zero but for the world it is off, and calls pass straight through. */
typedef struct vsp_recorder {
    vsp_world *world; /* follows when you move the world */
    vsp_record_def sink;
    size_t size;         /* bytes written */
    uint32_t step_count; /* steps recorded */
    uint32_t hash;       /* of the world after the last of them */
    uint32_t table_count; /* tables of the world, as far as recorded */
    uint32_t checksum;
    const struct vsp_kept *claim; /* what steps are said to have made, with the
                                     world's hash: vsp_rollback_record */
    bool is_open;  /* begun, not ended */
    bool is_fresh; /* nothing was recorded since the hash */
    vsp_status status;
} vsp_recorder;

/* Writes the header and the world as it is now, from which the replay
 * starts.  Of tables, which are not in it, it has the digest; those that
 * vsp_world_add_table adds to the world later are noticed.  Refused, the
 * recorder is off.
 * Returns VSP_ERR_ARG, VSP_ERR_MEMORY when sink or scratch are too small. */
vsp_status vsp_record_begin(vsp_recorder *recorder, vsp_world *world,
                            const vsp_record_def *def);

/* Steps, and records the hash; then a keyframe, if it is time for one.
 * Returns what vsp_world_step does. */
vsp_status vsp_record_step(vsp_recorder *recorder);

/* Ends the file and turns the recorder off; *size (may be null) is what was
 * written.
 * Returns the status that recording has had, VSP_ERR_ARG when it was never
 * begun. */
vsp_status vsp_record_end(vsp_recorder *recorder, size_t *size);

/* Returns how recording goes.  VSP_ERR_MEMORY: the sink or the scratch was
 * full, or write answered false.  Calls still do what they do, but nothing
 * more is recorded; what is in a buffer, up to there, plays after
 * vsp_record_end.  VSP_DIVERGED: the world was changed by a call that went
 * around the recorder, between a step and the next call through it, so the
 * file will not play beyond that step as it was.  (Such a call is not found
 * when a recorded one came before it.) */
vsp_status vsp_record_status(const vsp_recorder *recorder);

/* The calls that change a world, with the recorder in its place: they do and
 * return what those without "record" do, and are recorded unless refused. */
vsp_status vsp_record_restore(vsp_recorder *recorder, const void *buffer,
                              size_t size);
vsp_status vsp_record_set_gravity(vsp_recorder *recorder, vsp_vec3 gravity);
vsp_status vsp_record_body_create(vsp_recorder *recorder,
                                  const vsp_body_def *def, vsp_body_id *id);
vsp_status vsp_record_body_destroy(vsp_recorder *recorder, vsp_body_id id);
vsp_status vsp_record_body_set_transform(vsp_recorder *recorder,
                                         vsp_body_id id, vsp_transform pose);
vsp_status vsp_record_body_set_velocity(vsp_recorder *recorder,
                                        vsp_body_id id, vsp_vec3 velocity,
                                        vsp_vec3 spin);
vsp_status vsp_record_body_set_mass(vsp_recorder *recorder, vsp_body_id id,
                                    vsp_real mass, vsp_vec3 center,
                                    vsp_vec3 inertia);
vsp_status vsp_record_body_set_damping(vsp_recorder *recorder, vsp_body_id id,
                                       vsp_real linear, vsp_real angular);
vsp_status vsp_record_body_set_gravity_scale(vsp_recorder *recorder,
                                             vsp_body_id id, vsp_real scale);
vsp_status vsp_record_body_set_max_speed(vsp_recorder *recorder,
                                         vsp_body_id id, vsp_real speed);
vsp_status vsp_record_body_set_locks(vsp_recorder *recorder, vsp_body_id id,
                                     uint32_t locks);
vsp_status vsp_record_body_set_bullet(vsp_recorder *recorder, vsp_body_id id,
                                      bool is_bullet);
vsp_status vsp_record_body_enable_sleep(vsp_recorder *recorder,
                                        vsp_body_id id, bool is_enabled);
vsp_status vsp_record_body_set_awake(vsp_recorder *recorder, vsp_body_id id,
                                     bool is_awake);
vsp_status vsp_record_body_set_user(vsp_recorder *recorder, vsp_body_id id,
                                    uint32_t user);
vsp_status vsp_record_body_apply_force(vsp_recorder *recorder, vsp_body_id id,
                                       vsp_vec3 force, vsp_vec3 point);
vsp_status vsp_record_body_apply_center_force(vsp_recorder *recorder,
                                              vsp_body_id id, vsp_vec3 force);
vsp_status vsp_record_body_apply_torque(vsp_recorder *recorder,
                                        vsp_body_id id, vsp_vec3 torque);
vsp_status vsp_record_body_apply_impulse(vsp_recorder *recorder,
                                         vsp_body_id id, vsp_vec3 impulse,
                                         vsp_vec3 point);
vsp_status vsp_record_body_apply_center_impulse(vsp_recorder *recorder,
                                                vsp_body_id id,
                                                vsp_vec3 impulse);
vsp_status vsp_record_body_apply_angular_impulse(vsp_recorder *recorder,
                                                 vsp_body_id id,
                                                 vsp_vec3 impulse);
vsp_status vsp_record_shape_create(vsp_recorder *recorder, vsp_body_id body,
                                   const vsp_shape_def *def,
                                   vsp_shape_id *id);
vsp_status vsp_record_shape_destroy(vsp_recorder *recorder, vsp_shape_id id);
vsp_status vsp_record_shape_set_material(vsp_recorder *recorder,
                                         vsp_shape_id id,
                                         vsp_material material);
vsp_status vsp_record_shape_set_filter(vsp_recorder *recorder,
                                       vsp_shape_id id, vsp_filter filter);
vsp_status vsp_record_shape_set_surface_velocity(vsp_recorder *recorder,
                                                 vsp_shape_id id,
                                                 vsp_vec3 velocity);
vsp_status vsp_record_joint_create(vsp_recorder *recorder,
                                   const vsp_joint_def *def,
                                   vsp_joint_id *id);
vsp_status vsp_record_joint_destroy(vsp_recorder *recorder, vsp_joint_id id);
vsp_status vsp_record_joint_set_limit(vsp_recorder *recorder, vsp_joint_id id,
                                      bool enable, vsp_real low,
                                      vsp_real high);
vsp_status vsp_record_joint_set_cone(vsp_recorder *recorder, vsp_joint_id id,
                                     vsp_real cone);
vsp_status vsp_record_joint_set_motor(vsp_recorder *recorder, vsp_joint_id id,
                                      bool enable, vsp_real speed,
                                      vsp_real max);
vsp_status vsp_record_joint_set_strength(vsp_recorder *recorder,
                                         vsp_joint_id id,
                                         vsp_real break_impulse,
                                         vsp_real break_turn);
vsp_status vsp_record_joint_set_user(vsp_recorder *recorder, vsp_joint_id id,
                                     uint32_t user);

/* Yours to keep while the bytes stay where they are.  Read what is named
 * here; layout may change. */
typedef struct vsp_player {
    vsp_world *world;
    const unsigned char *bytes;
    size_t at;           /* the next record */
    uint32_t step;       /* steps played */
    uint32_t step_count; /* steps in the file */
    uint32_t table_count; /* tables that the world had when playing began */
    uint32_t expected;   /* hash after the last step, as it was recorded */
    uint32_t got;        /* and as it is here */
} vsp_player;

/* Checks the whole file, then makes the world what it was when recording
 * began, capacities included.  Before, give the world all the tables that the
 * recorded one ever had, in the same order: while playing it has as many of
 * them as that one had at the time.
 * Returns VSP_ERR_ARG, VSP_ERR_VERSION for what is no replay of this
 * version, VSP_ERR_TRUNCATED, VSP_ERR_CHECKSUM, VSP_ERR_DATA,
 * VSP_ERR_FULL when this build has less room than that world, VSP_ERR_TABLE
 * for other tables: the world is as it was. */
vsp_status vsp_play_begin(vsp_player *player, vsp_world *world,
                          const void *bytes, size_t size);

/* Makes the calls up to the next step, then the step.
 * Returns VSP_DIVERGED when its hash is not the one recorded (playing on is
 * allowed), VSP_END after the calls behind the last step, VSP_ERR_DATA when
 * the world refuses a call, VSP_ERR_TABLE when it lacks a table that was
 * added: it stays there, before that.  VSP_ERR_ARG. */
vsp_status vsp_play_step(vsp_player *player);

/* Goes to where so many steps have been played, 0 to step_count: on from
 * here or from a keyframe or from the seed, whichever is nearest, verifying
 * every step.
 * Returns VSP_ERR_ARG, and what vsp_play_step and vsp_world_restore do: it
 * stops there, and the same call goes on. */
vsp_status vsp_play_seek(vsp_player *player, uint32_t step);

/* One word of state that two worlds have not in common. */
typedef struct vsp_difference {
    const char *part;   /* "body", "shape", "joint", "world", "warm" or
                           "sensed" */
    uint32_t index;     /* slot, or place in the list of warm records */
    vsp_body_id body;   /* the body, or the shape's; null for the others */
    const char *field;  /* as in SPEC.md, "State" */
    uint32_t component; /* which of its words: 0 is x */
    uint32_t component_count;
    uint32_t a, b;      /* the bits in each; 0 in one that has no such part */
    bool is_real;       /* whether these are a number's */
    uint32_t places;    /* binary places of a fixed-point number; 0 where it
                           is laid out like a binary32 */
} vsp_difference;

/* Optional: vsp_diff.c.  Names what two worlds of one build have not in
 * common: bodies by slot, then shapes, then joints, then the world's own
 * numbers, then warm records.  Writes the first `capacity` of them
 * (differences may be null when it is 0) and the count of them all.
 * Returns VSP_DIVERGED when there are any, VSP_ERR_ARG. */
vsp_status vsp_world_diff(const vsp_world *a, const vsp_world *b,
                          vsp_difference *differences, uint32_t capacity,
                          uint32_t *count);

/* ---- Rollback --------------------------------------------------------------
 * Optional: vsp_rollback.c, which needs vsp_state.c and vsp_replay.c.  Several
 * players, each on a machine of its own, send each other nothing but inputs,
 * and each steps the same world.  An input that has not come yet is guessed;
 * when it comes and was another, the steps since are taken back and made
 * again.  Steps are numbered from 0: step s takes state s to state s + 1.
 *
 *     vsp_rollback_input(rollback, player, step, input);   as they come
 *     vsp_rollback_advance(rollback);                      once a tick
 *
 * Memory is the caller's, bytes that are kept are those of a snapshot, and
 * nothing here knows of time or of a network: "Lockstep" below does.  While
 * it lasts, nothing but the step function changes world and game, and tables
 * are none added.  A step that is made again reports its events again. */

#define VSP_MAX_PLAYERS 8u
#define VSP_MAX_INPUT 16u /* bytes of a player's input of a step */

/* One step to be made. */
typedef struct vsp_turn {
    uint32_t step;
    uint32_t known;  /* bit p: the input of player p is no guess */
    bool is_again;   /* was made before and taken back: sounds were heard */
    const unsigned char *inputs; /* input_size bytes a player, in order */
} vsp_turn;

/* What two machines have in common.  Start from all zero. */
typedef struct vsp_rollback_def {
    vsp_world *world;     /* as it is at the first step */
    uint32_t players;     /* 1 to VSP_MAX_PLAYERS */
    uint32_t input_size;  /* bytes, 1 to VSP_MAX_INPUT */
    uint32_t depth;       /* guessed steps at most, 0 (none) to 1000 */
    uint32_t kept;        /* states, depth + 1 to 1001: those that can be asked
                             for, beside those that can be taken back to */
    uint32_t history;     /* steps whose inputs are kept, 2 kept to 100,000 */
    size_t snapshot_size; /* room for one state, bytes: VSP_SNAPSHOT_BYTES
                             are always enough */
    uint32_t *game;       /* state of the program's own, taken back along with
                             the world, hashed and sent; may be null */
    uint32_t game_words;  /* 0 to 65,535 */

    /* Does what the inputs say, by calls with "record", and steps once, by
     * vsp_record_step.  Must depend on world, game and turn alone (not on
     * known and is_again), take zeros for an input, too, and call nothing of
     * the rollback.  What is negative ends the match. */
    vsp_status (*step)(void *user, vsp_recorder *recorder,
                       const vsp_turn *turn);
    /* Whether a player may have sent these bytes; null: all are good. */
    bool (*is_input)(void *user, uint32_t player, const unsigned char *input);
    void *user; /* yours, handed to both */
} vsp_rollback_def;

/* Memory for a match, aligned like a world; the arguments are members of the
 * def.  A constant expression when these are. */
#define VSP_ROLLBACK_BYTES(players, input_size, kept, history,              \
                           snapshot_size, game_words)                       \
    (VSP__ROLLBACK_HEAD_BYTES +                                             \
     (size_t)(kept) * (VSP__KEPT_HEAD_BYTES +                               \
                       VSP__ROUND_UP((size_t)(snapshot_size)) +             \
                       VSP__ROUND_UP(4u * (size_t)(game_words))) +          \
     VSP__ROUND_UP(2u * (size_t)(history) * (players) * (input_size)))
#define VSP__ROUND_UP(bytes) (((bytes) + 15u) / 16u * 16u)
#define VSP__ROLLBACK_HEAD_BYTES 512ul
#define VSP__KEPT_HEAD_BYTES 16ul

typedef struct vsp_rollback vsp_rollback;

/* A state that is kept.  Of the rollback's memory: until the next call. */
typedef struct vsp_kept {
    uint32_t step;      /* the state before this step */
    uint32_t hash;      /* of world and game: equal on all machines */
    const void *bytes;  /* a snapshot */
    size_t size;
    const uint32_t *game;
} vsp_kept;

typedef struct vsp_rollback_stats {
    uint32_t step;           /* the next that will be made */
    uint32_t confirmed;      /* states 0 to this one are certain */
    uint32_t rollback_count; /* times that steps were taken back */
    uint32_t again_count;    /* steps made again, of all these */
    uint32_t deepest;        /* steps taken back at once, at most */
    uint32_t wait_count;     /* times that advance had to wait */
} vsp_rollback_stats;

/* Begins a match at a step, 0 unless it is joined late; below 2^31.
 * Returns VSP_ERR_ARG, VSP_ERR_MEMORY. */
vsp_status vsp_rollback_create(void *memory, size_t size,
                               const vsp_rollback_def *def,
                               uint32_t first_step, vsp_rollback **rollback);

/* Tells what a player did in a step: the next one of that player; to tell
 * again what is known changes nothing.
 * Returns VSP_ERR_ARG, VSP_ERR_DATA when it is not what was told before or
 * is_input refuses it, VSP_ERR_FULL when there is no room for more inputs
 * before older steps are made, VSP_ERR_TRUNCATED when a step before it has
 * not been told, VSP_END when the step is so old that it is not kept. */
vsp_status vsp_rollback_input(vsp_rollback *rollback, uint32_t player,
                              uint32_t step, const void *input);

/* Takes back what was guessed wrong and makes it again, then makes one more
 * step; unknown inputs are guessed to be the player's last ones, zeros before
 * the first.
 * Returns VSP_DEGRADED when a step returned what is positive; VSP_WAIT when
 * no further step may be guessed; VSP_END when there is no further step, 2^31;
 * what is negative of a step, VSP_ERR_MEMORY when a state does not fit
 * snapshot_size, VSP_ERR_DATA when the step function did not step once: world
 * and game are then as before that step, the match is over, and it returns
 * the same again. */
vsp_status vsp_rollback_advance(vsp_rollback *rollback);

/* The same without one more step. */
vsp_status vsp_rollback_settle(vsp_rollback *rollback);

/* Returns zeros for null. */
vsp_rollback_stats vsp_rollback_get_stats(const vsp_rollback *rollback);

/* The first step of a player that has not been told; 0 for what is none. */
uint32_t vsp_rollback_known(const vsp_rollback *rollback, uint32_t player);

/* Copies an input that was told.
 * Returns VSP_ERR_ARG when it was not, VSP_END when it is not kept any more. */
vsp_status vsp_rollback_told(const vsp_rollback *rollback, uint32_t player,
                             uint32_t step, void *input);

/* Finds the state before a step, from stats.step - kept + 1 to stats.step, but
 * none before the first.  Those after stats.confirmed rest on guesses.
 * Returns VSP_ERR_ARG, VSP_END when it is not kept any more. */
vsp_status vsp_rollback_state(vsp_rollback *rollback, uint32_t step,
                              vsp_kept *state);

/* Begins anew from a state of another machine, step and all: what is known
 * of inputs is forgotten, as is what ended the match.  game are the def's
 * game_words; hash is not looked at: vsp_rollback_state has what it is.
 * Returns VSP_ERR_ARG, VSP_ERR_MEMORY when it does not fit snapshot_size, and
 * what vsp_world_restore does: nothing changed. */
vsp_status vsp_rollback_load(vsp_rollback *rollback, const vsp_kept *state);

/* Writes a replay of one step, of which two machines have made different
 * states: its seed is the state before, then come the calls and, instead of
 * what this run of them made, the state that was kept; then the same again
 * with what the other one made.  So wherever it is played, at least one of
 * its two steps diverges, unless they differ in game alone.  Both states are
 * in it, as keyframes.  theirs is the state before step + 1, of which hash and
 * game are not looked at.  World and game are in the end as they were, but for
 * the world's events and contacts.
 * Returns VSP_ERR_ARG, VSP_END when the states are not kept any more, what
 * the step function, vsp_record_begin, vsp_record_end (VSP_DIVERGED when the
 * step function changes the world by calls without "record") and
 * vsp_world_restore of theirs do. */
vsp_status vsp_rollback_record(vsp_rollback *rollback, uint32_t step,
                               const vsp_kept *theirs,
                               const vsp_record_def *def, size_t *size);


/* ---- Lockstep --------------------------------------------------------------
 * Optional: vsp_lockstep.c, on top of vsp_rollback.c, vsp_state.c,
 * vsp_replay.c and vsp_diff.c.  What peers tell each other, over any line that
 * carries messages, in any order, twice or not at all: inputs until they are
 * acknowledged, hashes of certain states, the state for one that joins late,
 * and, when hashes differ, what it takes to name the step, the body and the
 * field.  It knows no sockets: bytes in, bytes out.
 *
 *     while (my_line_receives(bytes, &size))
 *         vsp_lockstep_receive(lockstep, peer, bytes, size);
 *     vsp_lockstep_advance(lockstep, &input);        once a tick
 *     vsp_lockstep_send(lockstep, peer, bytes, sizeof bytes, &size);
 *
 * Every length and every number of a message is checked before anything is
 * made of it; who breaks the rules is dropped, with a reason.  A match goes on
 * without a peer that was dropped until a player's inputs are missing:
 * connect it again, or end the match.  There is no secrecy in it, who can
 * write on the line can speak for a peer (where that matters, put it into what
 * encrypts), and any peer can end a match by a wrong hash or by silence, but
 * not change it.  SPEC.md has the bytes. */

#define VSP_LOCKSTEP_VERSION 1u
#define VSP_MAX_PEERS 8u
#define VSP_WATCHER 0xffffffffu /* in place of a player: has no inputs */
#define VSP_MIN_MESSAGE 256u    /* bytes that a line must carry */
#define VSP_MAX_MESSAGE 1200u   /* bytes that vsp_lockstep_send uses at most */

/* Start from all zero.  All peers must have the same session, players,
 * input_size, game_words, hash_interval and build of the engine's bits. */
typedef struct vsp_lockstep_def {
    vsp_rollback_def rollback;
    uint32_t session;  /* which match: not another one's messages */
    uint32_t player;   /* whose inputs are made here, or VSP_WATCHER */
    uint32_t delay;    /* steps from vsp_lockstep_advance to where its input
                          acts, 0 to kept, and to history / 2 - kept; the
                          inputs before are zeros */
    uint32_t hash_interval; /* steps between hashes, 1 to kept / 2.  The first
                          state that differs is found when kept is at least
                          2 depth + delay + 2 hash_interval; else maybe a
                          later one, the first of those kept.  A difference
                          that is gone again by then is not found. */
    uint32_t peers;    /* others that it talks to, 1 to VSP_MAX_PEERS */
    uint32_t patience; /* ticks of silence after which a peer is dropped;
                          0: never */
    bool is_late;      /* takes the state from peer 0 first: a watcher, or a
                          player who comes back, whose peer 0 must be a relay
                          and in whose match all know as much of its old
                          inputs as that, and no more.  It must have the
                          state, and be in step, before peer 0 makes
                          history / 2 steps.  Peer 0 is trusted with the
                          program's words: the step function must bear any */
    vsp_world *spare;  /* of the same build and with the same tables, to hold
                          the other's state when hashes differ; may be null:
                          then body and field remain unknown */
} vsp_lockstep_def;

#define VSP_LOCKSTEP_BYTES(players, input_size, kept, history,              \
                           snapshot_size, game_words)                       \
    (VSP__LOCKSTEP_HEAD_BYTES +                                             \
     2u * (VSP__ROUND_UP((size_t)(snapshot_size)) +                         \
           VSP__ROUND_UP(4u * (size_t)(game_words))) +                      \
     VSP_ROLLBACK_BYTES(players, input_size, kept, history, snapshot_size,  \
                        game_words))
#define VSP__LOCKSTEP_HEAD_BYTES 4096ul

typedef struct vsp_lockstep vsp_lockstep;

typedef enum vsp_phase {
    VSP_PHASE_JOINING = 0, /* waits for the state */
    VSP_PHASE_PLAYING = 1,
    VSP_PHASE_SEARCHING = 2, /* hashes differ: it is being found where */
    VSP_PHASE_DIVERGED = 3,  /* and that is done: see vsp_lockstep_desync */
    VSP_PHASE_OVER = 4       /* a step failed */
} vsp_phase;

typedef enum vsp_drop {
    VSP_DROP_NOT = 0,
    VSP_DROP_GARBAGE = 1,  /* too many bytes that are no message */
    VSP_DROP_LENGTH = 2,   /* a message whose lengths do not add up */
    VSP_DROP_VERSION = 3,  /* another protocol, build, kind of numbers */
    VSP_DROP_SESSION = 4,  /* another match, or other rules of it */
    VSP_DROP_RANGE = 5,    /* a number that cannot be */
    VSP_DROP_INPUT = 6,    /* input that is_input refuses, of a player who is
                              not its own, or of ours that we did not make */
    VSP_DROP_CHANGED = 7,  /* input that is not what was told before */
    VSP_DROP_OLD = 8,      /* too many messages that came before */
    VSP_DROP_FLOOD = 9,    /* too many messages a tick */
    VSP_DROP_STATE = 10,   /* a state that cannot be */
    VSP_DROP_SILENCE = 11, /* none for too long */
    VSP_DROP_LEFT = 12     /* vsp_lockstep_drop was called, here or there */
} vsp_drop;

typedef struct vsp_lockstep_stats {
    vsp_phase phase;
    vsp_status status; /* why it is over */
    vsp_rollback_stats rollback;
    uint32_t tick_count;   /* calls of vsp_lockstep_advance */
    uint32_t wait_count;   /* that made no step, but for those of joining */
    uint32_t longest_wait; /* of these, in a row */
    uint32_t hash_count;   /* hashes of others that were found equal */
} vsp_lockstep_stats;

typedef struct vsp_peer_stats {
    vsp_drop drop;
    uint32_t player;         /* or VSP_WATCHER */
    uint32_t sent, received; /* messages; received: those that were good */
    uint32_t refused;        /* messages that were not */
    uint32_t again;          /* good ones that had come before, or too late */
    uint32_t acknowledged;   /* own inputs before this step have arrived */
    uint32_t round_trip;     /* ticks, of the newest answer */
} vsp_peer_stats;

/* The first state that differs. */
typedef struct vsp_desync {
    uint32_t peer;
    uint32_t step;          /* the step that made it; 2^32 - 1: the worlds
                               differed at the beginning */
    uint32_t ours, theirs;  /* hashes; 0 where a state was not to be had */
    uint32_t count;         /* words of state that differ; 0: unknown, or of
                               the game alone */
    vsp_difference first;   /* a is ours, b theirs; when count is not 0 */
    uint32_t game_word;     /* the first of the game's that differs, or
                               game_words */
} vsp_desync;

/* Begins a match.  Returns VSP_ERR_ARG (also when is_input refuses zeros, with
 * a delay), VSP_ERR_MEMORY. */
vsp_status vsp_lockstep_create(void *memory, size_t size,
                               const vsp_lockstep_def *def,
                               vsp_lockstep **lockstep);

/* Opens the slot of a peer, or opens it anew, after it was dropped or when its
 * program began again: then not before the line can no longer deliver what the
 * old program sent, or the new one is taken for it and not heard.
 * player: whose inputs it may send, or VSP_WATCHER; is_relay: it may also pass
 * on those of others, and is asked to, as peer 0 of a watcher must.
 * Returns VSP_ERR_ARG. */
vsp_status vsp_lockstep_connect(vsp_lockstep *lockstep, uint32_t peer,
                                uint32_t player, bool is_relay);

/* Takes a message.  Returns VSP_ERR_ARG, VSP_ERR_FULL for a peer that is
 * dropped, is now for a flood, or was never connected; VSP_ERR_TRUNCATED,
 * VSP_ERR_VERSION, VSP_ERR_CHECKSUM, VSP_ERR_DATA for what is refused.
 * Nothing but the peer's statistics is then changed; a message that came
 * before changes no more than that either. */
vsp_status vsp_lockstep_receive(vsp_lockstep *lockstep, uint32_t peer,
                                const void *bytes, size_t size);

/* Writes what a peer should hear; *size is 0 when there is nothing to say to
 * it.  Call it once a tick for each peer, after vsp_lockstep_advance.
 * Returns VSP_ERR_ARG, VSP_ERR_MEMORY below VSP_MIN_MESSAGE. */
vsp_status vsp_lockstep_send(vsp_lockstep *lockstep, uint32_t peer,
                             void *bytes, size_t capacity, size_t *size);

/* Makes a step, if it can; input may be null for a watcher.  A watcher makes
 * only steps that are certain; one that is behind makes several, up to 4.
 * Returns VSP_ERR_ARG, also for an input that is_input refuses; what
 * vsp_rollback_advance does; VSP_WAIT when this tick had to be skipped (of all
 * inputs that are given until the step is made, the first one counts),
 * VSP_DIVERGED from when hashes differed: go on calling and sending until
 * the phase is VSP_PHASE_DIVERGED, and for as long again as the other may
 * need. */
vsp_status vsp_lockstep_advance(vsp_lockstep *lockstep, const void *input);

/* Drops a peer; the next messages to it say so.
 * Returns VSP_ERR_ARG, also when it is not connected. */
vsp_status vsp_lockstep_drop(vsp_lockstep *lockstep, uint32_t peer);

/* Return zeros for null. */
vsp_lockstep_stats vsp_lockstep_get_stats(const vsp_lockstep *lockstep);
vsp_peer_stats vsp_lockstep_peer(const vsp_lockstep *lockstep, uint32_t peer);
vsp_rollback *vsp_lockstep_rollback(vsp_lockstep *lockstep);

/* Says where the machines parted.
 * Returns VSP_DIVERGED with *desync, VSP_OK when they have not, VSP_WAIT as
 * long as that is being found out, VSP_ERR_ARG. */
vsp_status vsp_lockstep_desync(const vsp_lockstep *lockstep,
                               vsp_desync *desync);

/* Writes the replay of it.  Returns what vsp_rollback_record does;
 * VSP_ERR_ARG before VSP_PHASE_DIVERGED, VSP_END when the other's state was
 * not to be had. */
vsp_status vsp_lockstep_record(vsp_lockstep *lockstep,
                               const vsp_record_def *def, size_t *size);

#ifdef __cplusplus
}
#endif

#endif /* VSP_H */
