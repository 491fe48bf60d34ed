/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What the .c files share, in this order: words, the world's memory, and the
 * functions by which vsp.c drives vsp_collide.c and vsp_solver.c.  Users need
 * none of it, and its layout may change. */

#ifndef VSP_INTERNAL_H
#define VSP_INTERNAL_H

#include "vsp_scalar.h"


/* ---- Words -----------------------------------------------------------------
 * As hash, snapshot and replay have them: SPEC.md, "The hash". */

static inline uint32_t vsp__rotl(uint32_t x, uint32_t n)
{
    return x << n | x >> (32u - n);
}

/* One word into a hash: multiply, rotate, add, each invertible. */
static inline uint32_t vsp__mix(uint32_t hash, uint32_t bits)
{
    hash ^= vsp__rotl(bits * 0x85ebca77u, 13) * 0x9e3779b1u;
    return vsp__rotl(hash, 17) * 5u + 0x52dce729u;
}

/* Spreads what the last words changed over all bits. */
static inline uint32_t vsp__avalanche(uint32_t hash)
{
    hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
    hash = (hash ^ hash >> 12) * 0x297a2d39u;
    return hash ^ hash >> 15;
}

/* four bytes, the least significant first */
static inline uint32_t vsp__get_word(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
           (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline void vsp__set_word(unsigned char *bytes, uint32_t bits)
{
    bytes[0] = (unsigned char)(bits & 0xffu);
    bytes[1] = (unsigned char)(bits >> 8 & 0xffu);
    bytes[2] = (unsigned char)(bits >> 16 & 0xffu);
    bytes[3] = (unsigned char)(bits >> 24);
}

static inline void vsp__copy(void *to, const void *from, size_t size)
{
    unsigned char *out = (unsigned char *)to;
    const unsigned char *in = (const unsigned char *)from;

    while (size-- > 0)
        *out++ = *in++;
}

/* A word of a state, whatever it holds, is reached as bytes in the machine's
 * own order: compilers make one load or store of it, as of the two above
 * where the orders agree. */
typedef union vsp__word {
    uint32_t bits;
    unsigned char bytes[4];
} vsp__word;

static inline uint32_t vsp__load_word(const void *state)
{
    const unsigned char *bytes = (const unsigned char *)state;
    vsp__word word;
    uint32_t i;

    for (i = 0; i < 4; i++)
        word.bytes[i] = bytes[i];
    return word.bits;
}

static inline void vsp__store_word(void *state, uint32_t bits)
{
    unsigned char *bytes = (unsigned char *)state;
    vsp__word word;
    uint32_t i;

    word.bits = bits;
    for (i = 0; i < 4; i++)
        bytes[i] = word.bytes[i];
}


/* ---- State ----------------------------------------------------------------
 * What shapes the future: written by a snapshot, covered by the hash.  No
 * addresses; 32-bit words but for the small numbers at the beginning of a
 * body and a shape. */

/* how one of its words is kept, and what is less than one */
typedef enum vsp__form { WORD, REAL, UNIT, RATE, WIDE, PART } vsp__form;

/* the ends of ranges that numbers have */
typedef enum vsp__ends {
    POSITION, SIZE, ROTATION, SPEED, FORCE, DT, ENVELOPE, PART_OF_ONE,
    SLEEP_TIME, DENSITY, FRICTION, DAMPING, SCALE, MOST_SPEED, GIVEN_MASS,
    MASS, CONE, STRENGTH
} vsp__ends;

/* Numbers of a state struct, side by side, that have one range. */
typedef struct vsp__field {
    uint8_t first; /* in words from the beginning of the struct */
    uint8_t from;  /* in bytes, where a def has them; 0: nowhere */
    uint8_t count;
    uint8_t kept_as; /* vsp__form */
    uint8_t ends;    /* vsp__ends */
} vsp__field;

#define VSP__FIELD(type, name, count, form, ends) \
    {offsetof(type, name) / 4u, 0, count, form, ends}
#define VSP__READ(type, name, def, from, count, form, ends) \
    {offsetof(type, name) / 4u, offsetof(def, from), count, form, ends}

typedef struct vsp__params { /* of the world; see vsp_world_def */
    vsp__vec3 gravity;
    vsp__real dt;              /* a unit */
    vsp__real envelope, tolerance;
    vsp__real fraction;        /* a unit */
    vsp__real sleep_speed, sleep_time;
    vsp__real friction_damping; /* a unit */
    uint32_t stepper, friction, warm_start, sweeps, correction_sweeps;
    uint32_t rounds, search_tries, search_steps, search;
    uint32_t sleep, reports;
    uint32_t tables; /* what their contents are: vsp__digest_table, chained */
    vsp_capacity capacity;
    uint32_t tick;
} vsp__params;

typedef struct vsp__matter {
    vsp__vec3 center;  /* of mass, in the body's frame */
    vsp__wide mass;    /* 0 for all that is not moved by forces */
    vsp__sym3 inertia; /* of one kilogram of it, m^2: about the centre, in the
                          body's axes */
} vsp__matter;

typedef struct vsp__body {
    uint16_t generation;  /* counts the uses of this slot */
    uint8_t type;         /* vsp_body_type + 1; 0: slot is free */
    uint8_t mass_given;   /* 0 from shapes, 1 mass, 2 mass and inertia */
    uint16_t first_shape; /* slot + 1 of its newest shape; 0: none */
    uint16_t flags;       /* VSP__LOCKS ... */
    uint32_t user;
    vsp__wide given;      /* the mass that was given, or 0 */
    /* from here to the spin, and to the end, numbers side by side */
    vsp__vec3 position;    /* of the centre of mass */
    vsp__quat rotation;
    vsp__vec3 velocity, spin;
    vsp__wide3 force, torque; /* for the next step */
    vsp__matter matter;
    vsp__real linear_damping, angular_damping, gravity_scale;
    vsp__real max_speed; /* a rate */
} vsp__body;

/* in the flags of a body */
#define VSP__LOCKS 0x3fu /* VSP_LOCK_ALL */
#define VSP__TURN_LOCKS 0x38u
#define VSP__BULLET 0x40u
#define VSP__SLEEPLESS 0x80u
#define VSP__ASLEEP 0x100u
#define VSP__CALM_SHIFT 9u /* how long it has been at rest, in parts of
                              sleep_time: VSP__CALM_PARTS of them at most */
#define VSP__CALM_PARTS 120u

typedef struct vsp__transform {
    vsp__vec3 position;
    vsp__quat rotation;
} vsp__transform;

typedef struct vsp__shape {
    uint16_t generation;
    uint8_t type;        /* vsp_shape_type; 0: slot is free */
    uint8_t rules;       /* vsp_rule of friction, of restitution times 8;
                            VSP__SENSOR */
    uint16_t next_shape; /* slot + 1 of the body's next shape; 0: none */
    uint16_t body;       /* slot */
    uint32_t table;      /* number of its table; 0: none */
    vsp__vec3 size;
    vsp__transform pose; /* in the body's frame (not from its centre) */
    vsp__wide density;
    vsp__real friction, restitution;
    vsp__vec3 surface; /* its velocity in the body's axes: a rate */
    vsp_filter filter;
} vsp__shape;

#define VSP__SENSOR 0x40u /* in the rules of a shape */

static inline uint32_t vsp__friction_rule(const vsp__shape *shape)
{
    return shape->rules & 7u;
}

static inline uint32_t vsp__restitution_rule(const vsp__shape *shape)
{
    return (uint32_t)shape->rules >> 3 & 7u;
}

/* A multiplier of the last step, found again by pair and feature.  The low
 * four bits of each tangential multiplier hold half of the feature. */
typedef struct vsp__warm {
    uint32_t pair; /* shape a << 16 | shape b */
    vsp__wide normal;
    vsp__wide tangent1, tangent2;
} vsp__warm;


#define VSP__HALF_TURN VSP_R(3.1415927) /* rad: a joint's largest angle */

/* In a joint's flags.  What is set beyond these is a mistake. */
#define VSP__JOINT_COLLIDES 1u
#define VSP__JOINT_LIMIT 2u
#define VSP__JOINT_MOTOR 4u
#define VSP__JOINT_BROKEN 8u
#define VSP__JOINT_BEARS 16u /* a limit bore something in the last step */
#define VSP__JOINT_FLAGS 31u

/* Rows of a joint, and multipliers: along and about the axes of frame A, but
 * for those of a swing (about what is across both x axes) and a distance
 * (from anchor to anchor). */
enum {
    VSP__ROW_X, /* slide, distance */
    VSP__ROW_Y,
    VSP__ROW_Z,
    VSP__ROW_TURN_X, /* twist: hinge angle */
    VSP__ROW_TURN_Y, /* swing */
    VSP__ROW_TURN_Z,
    VSP__ROW_MOTOR,
    VSP__JOINT_ROWS
};

typedef struct vsp__joint {
    uint16_t generation;
    uint8_t type; /* vsp_joint_type; 0: slot is free */
    uint8_t flags;
    uint16_t body[2]; /* slots: a, b */
    uint32_t user;
    /* from here to the strengths, and to the end, numbers side by side */
    vsp__transform frame[2]; /* in the bodies' frames (not from centres) */
    vsp__real low, high, cone; /* rad or m: reals */
    vsp__real motor_speed;     /* a rate */
    vsp__wide motor_max, break_impulse, break_turn;
    vsp__wide impulse[VSP__JOINT_ROWS]; /* N s or N m s, of the last step */
} vsp__joint;


/* ---- Scratch --------------------------------------------------------------
 * Made anew in every step. */

/* what resists the motion of a body: infinite mass has the inverse 0 */
typedef struct vsp__inverse {
    vsp__sym3 inertia; /* of one kilogram, 1/m^2: in the world */
    vsp__wide mass;
} vsp__inverse;

typedef struct vsp__velocity {
    vsp__vec3 linear, angular;
} vsp__velocity;

typedef struct vsp__pose { /* of a shape in the world */
    vsp__mat3 axes;
    vsp__vec3 position;
} vsp__pose;

typedef struct vsp__bounds {
    vsp__vec3 low, high;
} vsp__bounds;

typedef union vsp__multiplier { /* along n, t1, t2 */
    vsp__wide impulse[3];
    vsp__real row[3];
} vsp__multiplier;

typedef struct vsp__point {
    vsp__vec3 arm[2];       /* the point on a and on b, from their centres of
                              mass, in their bodies' axes */
    vsp__real gap;          /* along the normal; negative is depth.  Lost when
                              multipliers are put aside */
    vsp__real bias;         /* m/s: b of eq. 20 beyond J u */
    vsp__multiplier multiplier; /* impulse: N s along the tangents of the
                              normal; during a velocity solve that of its
                              row */
} vsp__point;

typedef struct vsp__manifold {
    uint16_t shape[2];     /* a, b: a < b, or a is the half-space */
    uint16_t body[2];
    uint32_t first_point;
    uint8_t point_count;   /* 1 to 4 */
    uint8_t flags;         /* VSP__LOWER ... */
    uint16_t layer;
    uint8_t feature[4];    /* of each point */
    vsp__vec3 normal;       /* a to b */
    vsp__real friction;
} vsp__manifold;

/* in the flags of a manifold */
#define VSP__LOWER 3u   /* in the stack: 0 neither, 1 body a, 2 body b */
#define VSP__TOUCHED 4u /* the pair touched in the step before; in its first */
#define VSP__SWEPT 8u   /* left to the sweeps, in this step */
#define VSP__STILL 16u  /* its bodies hardly moved: good for list 1, too */

static inline uint32_t vsp__lower(const vsp__manifold *m)
{
    return m->flags & VSP__LOWER;
}

static inline uint32_t vsp__pair_of(const vsp__manifold *m)
{
    return (uint32_t)m->shape[0] << 16 | m->shape[1];
}

typedef struct vsp__contacts {
    uint32_t manifold_count, point_count, dropped;
} vsp__contacts;

/* A manifold ready for sweeps, in its own axes n, t1, t2: there the linear
 * part of a Jacobian row is one component of the relative velocity. */
typedef struct vsp__block {
    vsp__mat3 axes;            /* x: normal, y, z: tangents */
    vsp__wide inv_mass;        /* sum of the two inverse masses */
    vsp__real share[2];        /* each one's part of that sum, a's negative: a
                                  unit */
#if VSP_FIXED
    uint32_t turn_scale;       /* k of vsp__turn */
#endif
} vsp__block;

#if VSP_FIXED
static inline uint32_t vsp__get_turn_scale(const vsp__block *block)
{
    return block->turn_scale;
}

static inline void vsp__set_turn_scale(vsp__block *block, uint32_t k)
{
    block->turn_scale = k;
}
#else
static inline uint32_t vsp__get_turn_scale(const vsp__block *block)
{
    (void)block;
    return 0;
}

static inline void vsp__set_turn_scale(vsp__block *block, uint32_t k)
{
    (void)block;
    (void)k;
}
#endif

/* One point's three rows (eq. 2 and 6) in the axes of its block.  All is
 * divided by block.inv_mass, so that a multiplier is a velocity.  Bias and
 * multipliers are those of the point. */
typedef struct vsp__row {
    vsp__vec3 arm[2];               /* from the centres of mass */
    vsp__vec3 turn[2][3];           /* T = M^-1 J^T of eq. 33, angular part:
                                      what a multiplier of 1 adds to spins */
    vsp__real stride[3];            /* r_stride of inverse diagonals */
    vsp__real aside[2];            /* multipliers put aside: vsp__aside */
} vsp__row;

/* The normal row of a point in the position problem, in the world's axes:
 * displacements take the place of velocities, small ones, kept as units are.
 * Divided by the sum of the inverse masses, as rows are. */
typedef struct vsp__fix {
    vsp__vec3 lever[2];         /* arm x normal: J's angular part */
    vsp__vec3 turn[2];         /* what it turns: inverse inertia times lever */
    vsp__real share;           /* b's part of the inverse masses: a unit */
    vsp__real inv_diagonal;    /* a unit */
    vsp__real gap;             /* m */
    vsp__real multiplier;      /* m */
} vsp__fix;

/* A point that carries a body from below.  Its normal is that of its
 * manifold. */
typedef struct vsp__support {
    vsp__vec3 arm;     /* from the upper body's centre of mass */
    vsp__vec3 target;  /* velocity the point of the upper body is to have */
    vsp__vec3 kept;    /* impulse on the upper body to start from, by its
                          mass: m/s */
    vsp__vec3 impulse; /* and with its share of the load */
    vsp__real weight;  /* share in the load; 0 left out */
    uint16_t manifold, point; /* the point is counted in the manifold */
} vsp__support;


/* vsp_stats: its counts, and numbers that are not yet shown. */
typedef struct vsp__stats {
    uint32_t body_count, body_high;
    uint32_t shape_count, shape_high;
    uint32_t pair_count, pair_high;
    uint32_t manifold_count, manifold_high;
    uint32_t contact_count, contact_high;
    uint32_t joint_count, joint_high;
    uint32_t contacts_dropped, events_dropped;
    uint32_t layer_count;
    uint32_t sweep_count;
    uint32_t correction_count;
    uint32_t search_count;
    uint32_t row_updates;
    uint32_t awake_count;
    vsp__real residual;
    vsp__wide merit;
#if VSP__HAS_CLOCK
    uint32_t ticks[4]; /* of phases, as in vsp_stats */
    uint32_t since;    /* when the present one began */
#endif
} vsp__stats;


/* ---- Solids ----------------------------------------------------------------
 * Shapes where they are.  Points are in the axes of the world, each from the
 * origin of its own solid's frame: so far from the origin nothing is lost. */

typedef struct vsp__touch_point {
    vsp__vec3 on[2]; /* a and b */
    vsp__real gap;
    uint32_t feature; /* below 256, another one for each point of a touch */
} vsp__touch_point;

/* where two solids are closer than the envelope */
typedef struct vsp__touch {
    vsp__vec3 normal; /* a to b */
    uint32_t count;   /* 1 to 4 */
    vsp__touch_point points[4];
} vsp__touch;

typedef enum vsp__core {
    VSP__POINT,
    VSP__SEGMENT, /* along y, from -half.y to half.y */
    VSP__BRICK,
    VSP__POLYHEDRON,
    VSP__TRIANGLE
} vsp__core;

/* All that is closer than a radius to a core: a sphere is a point with a
 * radius, a capsule a segment with one, a box a brick without. */
typedef struct vsp__convex {
    const vsp__pose *pose; /* of its frame in the world */
    vsp__core core;
    vsp__real radius;         /* 0 for those with faces */
    vsp__vec3 half;           /* brick, segment */
    const vsp_hull *hull;     /* polyhedron */
    const vsp__vec3 *corners; /* triangle: 3 in its frame, anticlockwise seen
                                 from where it can be touched */
} vsp__convex;

/* the nearest points of two solids */
typedef struct vsp__witness {
    vsp__vec3 on[2];
    vsp__vec3 normal; /* a to b, a unit vector */
} vsp__witness;


/* ---- Surfaces --------------------------------------------------------------
 * Many parts, of which a solid touches few. */

/* One of mesh and field is null. */
typedef struct vsp__surface {
    const vsp__pose *pose;
    const vsp_mesh *mesh;
    const vsp_height_field *field;
} vsp__surface;

/* Triangles of a surface within bounds, one after the other: of a mesh, those
 * of a leaf at a time; of a height field, the two of a cell. */
typedef struct vsp__triangles {
    const vsp__surface *surface;
    vsp_place low, high;     /* of what is looked for */
    uint32_t next, last;     /* triangles of this leaf or cell */
    uint32_t node;           /* of a mesh: to be looked at next */
    uint32_t column, row;    /* of a height field: the next cell */
    uint32_t first_column, end_column, end_row;
} vsp__triangles;

/* One triangle, in the surface's frame. */
typedef struct vsp__ground {
    vsp__vec3 corners[3];
    vsp__vec3 sides[3]; /* outward in its plane, from corner k to the next */
    vsp__vec3 normal;
    uint32_t index;
    uint32_t flat;      /* edges, as vsp_triangle.flat has them */
} vsp__ground;

/* What the parts of a pair of shapes touch, by direction.  While points come,
 * a group holds the one farthest each of eight ways around its normal, and the
 * deepest; at the end four of these. */
#define VSP__GROUPS 4
#define VSP__WAYS 9

typedef struct vsp__group {
    vsp__vec3 normal;    /* of its deepest point */
    vsp__vec3 across[2]; /* to that of its first */
    uint32_t count;
    vsp__real far[VSP__WAYS];
    vsp__touch_point points[VSP__WAYS];
} vsp__group;

typedef struct vsp__gather {
    uint32_t count;
    vsp__vec3 arm; /* added to points on b: from its frame to that of a part,
                      in the world's axes */
    vsp__group groups[VSP__GROUPS];

    /* while a surface is touched: here, as it is much for a stack */
    const vsp__surface *surface;
    const vsp__convex *solid;
    vsp__real envelope;
    vsp__real slack;     /* how far beyond its sides a triangle is felt */
    bool is_choosy;      /* what another triangle has is left out */
    bool has_left_out;
    vsp__mat3 axes;      /* of the solid's frame, in the surface's */
    vsp__vec3 position;  /* and where it is */
    vsp__vec3 center;    /* a point in the solid */
    vsp__triangles near[2];
    vsp__ground ground[2]; /* the triangle touched, and one beside it */
    uint32_t corner_count;
    const uint8_t *corners;  /* of the face of the solid that looks at it */
    uint8_t brick_corners[4];
    vsp__convex triangle;
    vsp__touch part;
} vsp__gather;


/* ---- The world ---------------------------------------------------------- */

#define VSP__NO_HEIGHT 0xffffu /* no static or kinematic body below */

typedef union vsp__line {
    vsp__velocity predicted; /* at the end of the step, as hoped */
    struct {
        vsp__wide first, second; /* sums over an island */
        bool is_sought;          /* else it goes all of the way */
    } slope;
    vsp__real step; /* how far it goes, a unit */
    int32_t haste;  /* much in violent motion */
    bool has_moved; /* in this step, far */
} vsp__line;

/* which of the links, of which a manifold has two */
#if VSP_MAX_MANIFOLDS <= 32767
typedef uint16_t vsp__link;
#else
typedef uint32_t vsp__link;
#endif

typedef struct vsp__solve {
    vsp__mat3 axes[VSP_MAX_BODIES]; /* of bodies in the world */
    vsp__inverse inverse[VSP_MAX_BODIES];
    vsp__velocity velocity[VSP_MAX_BODIES]; /* being solved */
    vsp__velocity saved[VSP_MAX_BODIES];    /* start of a line search;
                                               displacements */
    vsp__line line[VSP_MAX_BODIES];
    vsp__link link_first[VSP_MAX_BODIES + 1]; /* into links */
    uint16_t layer_bodies[VSP_MAX_BODIES + 1];    /* into stack_order */
    uint16_t layer_manifolds[VSP_MAX_BODIES + 1]; /* into layer_order */
    uint16_t stack_order[VSP_MAX_BODIES]; /* moved bodies by height */
} vsp__solve;

/* Phases that do not overlap share their memory:
 *
 *                          work    problem             one       behind points
 *     between steps        find    incoming, warm      gather
 *     detect, list 0       find    warm                gather
 *     load, put aside      solve   warm                          kept
 *     stack                solve   colours                       kept
 *     biases               solve   rows                          kept
 *     velocities           solve   blocks, rows        supports  kept
 *     bullets              find    solve               gather    kept
 *     move                 solve   before                        kept
 *     correct, list 0      solve   before, fixes                 kept
 *     detect, list 1       find    list 1              gather    kept
 *     correct, list 1      solve   list 1, fixes                 kept
 *     store                        warm                          kept
 *
 * Work is by body and shape: what finds contacts, and what solves for
 * velocities (then for displacements). */
typedef union vsp__work {
    struct {
        vsp__pose poses[VSP_MAX_SHAPES];
        vsp__bounds bounds[VSP_MAX_SHAPES];
        vsp__bounds tree[VSP_MAX_SHAPES + VSP__TREE_SPARE];
        uint32_t sort_keys[2 * VSP_MAX_SHAPES];
        uint32_t pairs[2 * VSP_MAX_PAIRS]; /* keys, and room to sort them */
        uint16_t sort_order[2 * VSP_MAX_SHAPES];
        vsp__touch touch; /* of one pair at a time: much for a stack */
    } find;
    vsp__solve solve;
} vsp__work;

/* What a restore has read and not yet believed. */
typedef struct vsp__incoming {
    vsp__params params;
    uint32_t body_count, shape_count, warm_count; /* records */
    uint32_t sensed_count, joint_count;
    vsp__body bodies[VSP_MAX_BODIES];
    vsp__shape shapes[VSP_MAX_SHAPES];
} vsp__incoming;

/* What sorts manifolds by colour. */
#define VSP__COLOURS 32u

typedef struct vsp__colours {
    uint32_t used[VSP_MAX_BODIES]; /* those that a body has, a bit each */
    uint16_t order[VSP_MAX_MANIFOLDS]; /* layer_order as it was */
    uint8_t colour[VSP_MAX_MANIFOLDS]; /* of those in order */
} vsp__colours;

/* By contact: the velocity problem, of list 0, and the position problem, of
 * either list; list 1 itself is a part of the latter. */
typedef union vsp__problem {
    struct {
        vsp__block blocks[VSP_MAX_MANIFOLDS];
        vsp__row rows[VSP_MAX_CONTACTS]; /* beside points */
    } velocity;
    struct {
        union {
            vsp__fix fixes[VSP_MAX_CONTACTS];
            vsp__colours colours; /* also of the velocity problem */
        } start;
        union {
            vsp__pose before[VSP_MAX_BODIES]; /* those that moved */
            struct {
                vsp__manifold manifolds[VSP_MAX_MANIFOLDS];
                vsp__point points[VSP_MAX_CONTACTS];
            } list;
        } of;
    } position;
    struct { /* from step to step */
        vsp__incoming incoming;
        vsp__warm warm[VSP_MAX_CONTACTS]; /* state: see vsp__kept */
    } between;
    vsp__solve solve; /* put aside for what bullets find */
} vsp__problem;

struct vsp_world {
    const void *tables[VSP_MAX_TABLES]; /* checked; number 1 comes first */
    uint32_t magic, options; /* is this a world, of this build */
    uint32_t table_count;
    uint32_t locked_count; /* bodies with locks, in this step */
    uint32_t belt_count;   /* shapes whose surface runs, in this step */
    uint32_t kept_count;   /* warm records of pairs that sleep, in a step */
    uint32_t sought;       /* vsp__sought */
    vsp__stats stats;
    vsp__contacts contacts[2]; /* 0: what the step solved; 1: after it */
    uint32_t body_limit, shape_limit; /* no slot from here on is in use */
    uint32_t body_used, shape_used;   /* or ever was */
    uint32_t body_free, shape_free;   /* no slot before here is free */
    vsp__real gravity_speed; /* what gravity gives in a step, m/s: the measure
                                of what is small */
    uint32_t changes; /* counts what may have moved shapes */
    uint32_t indexed; /* the changes that work.find has seen, for queries */
    uint32_t leaf_count, plane_count; /* shapes in it */
    uint32_t layer_count; /* layers 0 to layer_count - 1 stand on something
                             that does not move; layer_count holds the rest */

    /* state */
    vsp__params params;
    uint32_t warm_count, sensed_count;
    uint32_t sensed[VSP_MAX_SENSED]; /* pairs, one of each a sensor; sorted */
    vsp__body bodies[VSP_MAX_BODIES];
    vsp__shape shapes[VSP_MAX_SHAPES];
    /* and problem.between.warm */

    /* scratch of a whole step; events and contacts can be read until the
       next */
    vsp_event events[VSP_MAX_EVENTS];
    uint32_t event_count, sensing_count;
    uint32_t sensing[VSP_MAX_SENSED]; /* what sensed is to become */
    vsp__manifold manifolds[VSP_MAX_MANIFOLDS]; /* list 0, by pair */
    vsp__point points[VSP_MAX_CONTACTS];
    uint16_t height[VSP_MAX_BODIES];         /* in the stack */
    uint16_t island[VSP_MAX_BODIES];         /* lowest body of it */
    uint16_t layer_order[VSP_MAX_MANIFOLDS]; /* manifolds by layer */
    uint16_t links[2 * VSP_MAX_MANIFOLDS];   /* manifolds of each body */

    /* scratch of one pair of shapes, or of one body */
    union {
        const void *alignment;
        unsigned char gather[VSP__GATHER_BYTES]; /* a vsp__gather, in a build
                                                    that has shapes of many
                                                    parts */
        vsp__support supports[VSP__MAX_SUPPORTS];
    } one;

    /* scratch of one phase */
    vsp__work work;
    vsp__problem problem;
};

/* ---- Joints ----------------------------------------------------------------
 * They lie behind the world, in builds that have them. */

/* One row, J = (-n, -lever a; n, lever b) of the velocities of a and b, all
 * divided by its diagonal D = J M^-1 J^T: a multiplier is a velocity, of the
 * position problem a displacement.  It is what takes J u into [low, high],
 * and at most most. */
typedef struct vsp__joint_row {
    vsp__vec3 axis;     /* n; 0 for rows that turn */
    vsp__vec3 lever[2]; /* arm x n, or the axis to turn about */
    vsp__vec3 turn[2];  /* inverse inertia times lever, over D */
    vsp__real share[2]; /* inverse masses over D: units */
    vsp__real low, high, most;
    vsp__real multiplier;
    vsp__wide mass;     /* 1 / D: kg or kg m^2 */
} vsp__joint_row;

#define VSP__LOOPED 0x8000u /* in a loop, or below one */

typedef struct vsp__bond { /* a joint in a step */
    uint16_t layer; /* as a manifold's */
    uint16_t used;  /* bit k: row k is in use; VSP__LOOPED */
    vsp__wide strain[2]; /* what it adds to that of its bodies, kg m^2 */
    vsp__joint_row rows[VSP__JOINT_ROWS];
} vsp__bond;

typedef struct vsp__joints {
    uint32_t limit, used, free; /* slots, as those of bodies */
    vsp__joint joints[VSP_MAX_JOINTS];
    union {
        vsp__bond bonds[VSP_MAX_JOINTS];
        vsp__joint incoming[VSP_MAX_JOINTS]; /* what a restore has read */
    } scratch;
    uint16_t first[VSP_MAX_BODIES]; /* of each body: link + 1, or 0 */
    uint16_t layer_joints[VSP_MAX_BODIES + 1]; /* into order */
    uint16_t order[VSP_MAX_JOINTS];            /* joints by layer */
    uint16_t next[2 * VSP_MAX_JOINTS]; /* link + 1 of the same body, or 0;
                                          links 2 i and 2 i + 1 are joint i
                                          for its bodies */
} vsp__joints;

static inline vsp__joints *vsp__joints_of(const vsp_world *world)
{
    return (vsp__joints *)(void *)(world + 1);
}

/* ---- Searches --------------------------------------------------------------
 * Of vsp_subspace.c, in builds that have it: behind the joints. */

typedef struct vsp__step { /* of conjugate gradients, in a multiplier */
    vsp__real gradient, direction;
} vsp__step;

typedef struct vsp__descent { /* beside a point */
    vsp__step step[3];
    vsp__real start[3]; /* multipliers when the search began, or after the
                           sweep before */
} vsp__descent;

typedef struct vsp__row_descent { /* beside a row of a joint */
    vsp__step step;
    vsp__real start;
    vsp__real target; /* J u that it wants, if it is active */
    vsp__real best;   /* the multiplier where the merit was least */
} vsp__row_descent;

typedef struct vsp__subspace {
    vsp__row_descent joints[VSP_MAX_JOINTS][VSP__JOINT_ROWS];
    vsp__descent contacts[VSP_MAX_CONTACTS];
    uint8_t active[VSP_MAX_CONTACTS]; /* rows of points, a bit each */
} vsp__subspace;

static inline vsp__subspace *vsp__subspace_of(const vsp_world *world)
{
    return (vsp__subspace *)(void *)((unsigned char *)vsp__joints_of(world) +
                                     VSP__JOINT_BYTES);
}


/* Work.find as a tree: leaves are the shapes in sort_order, level 0; node i of
 * level k + 1 bounds nodes 2 i and 2 i + 1 of level k; the top level has one
 * node. */

#define VSP__TREE_LEVELS 18 /* enough for 2^17 leaves */

typedef struct vsp__tree {
    const vsp_world *world;
    uint32_t top;
    uint32_t count[VSP__TREE_LEVELS]; /* nodes of a level */
    uint32_t first[VSP__TREE_LEVELS]; /* in find.tree; not used for level 0 */
} vsp__tree;

static inline const vsp__bounds *vsp__node(const vsp__tree *tree,
                                           uint32_t level, uint32_t i)
{
    const vsp_world *world = tree->world;

    if (level == 0)
        return &world->work.find.bounds[world->work.find.sort_order[i]];
    return &world->work.find.tree[tree->first[level] + i];
}

/* whether they have a point in common */
bool vsp__bounds_meet(const vsp__bounds *a, const vsp__bounds *b);

#if defined __OPTIMIZE_SIZE__
#define vsp__bounds_overlap vsp__bounds_meet
#else
/* A large core foresees badly which test decides, and does all. */
static inline bool vsp__bounds_overlap(const vsp__bounds *a,
                                       const vsp__bounds *b)
{
    if (sizeof(void *) > 4)
        return (a->low.x <= b->high.x) & (b->low.x <= a->high.x) &
               (a->low.y <= b->high.y) & (b->low.y <= a->high.y) &
               (a->low.z <= b->high.z) & (b->low.z <= a->high.z);
    return a->low.x <= b->high.x && b->low.x <= a->high.x &&
           a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}
#endif

/* Makes bounds those of a point, enclose others, too, or reach farther. */
void vsp__bounds_of(const vsp__vec3 *point, vsp__bounds *bounds);
void vsp__bounds_join(vsp__bounds *to, const vsp__bounds *from);
void vsp__bounds_grow(vsp__bounds *bounds, vsp__real margin);

VSP_STATIC_ASSERT(gather_fits, !VSP__HAS_PARTS ||
                                   sizeof(vsp__gather) <= VSP__GATHER_BYTES);

static inline vsp__gather *vsp__gather_of(vsp_world *world)
{
    return (vsp__gather *)(void *)world->one.gather;
}

/* manifolds and points of a list */
static inline vsp__manifold *vsp__manifolds(vsp_world *world, uint32_t list)
{
    return list == 0 ? world->manifolds
                     : world->problem.position.of.list.manifolds;
}

static inline vsp__point *vsp__points(vsp_world *world, uint32_t list)
{
    return list == 0 ? world->points
                     : world->problem.position.of.list.points;
}

VSP_STATIC_ASSERT(kept_fit, sizeof(vsp__warm) <= sizeof(vsp__point));
VSP_STATIC_ASSERT(positions_take_no_more_than_velocities,
                  sizeof(vsp__manifold) <= sizeof(vsp__block) &&
                      sizeof(vsp__point) + sizeof(vsp__fix) <=
                          sizeof(vsp__row));

/* While multipliers are put aside, one of a point of list 0.  The first is in
 * place of the gap: whoever wants that measures it anew, vsp__refresh. */
static inline vsp__real *vsp__aside(vsp_world *world, uint32_t point,
                                    uint32_t k)
{
    return k == 0 ? &world->points[point].gap
                  : &world->problem.velocity.rows[point].aside[k - 1u];
}

/* Warm records of pairs that sleep: in a step the problem has their memory,
 * and they are behind the points of list 0, which leave them room. */
static inline vsp__warm *vsp__kept(vsp_world *world)
{
    return (vsp__warm *)(void *)(world->points + VSP_MAX_CONTACTS) -
           world->kept_count;
}


/* ---- vsp_collide.c: shapes and poses to contacts --------------------------
 * Reads bodies[].position, axes, shapes; knows no velocity. */

/* A sphere, box, capsule or hull as what vsp_convex.c knows. */
void vsp__make_convex(const vsp_world *world, const vsp__shape *shape,
                      const vsp__pose *pose, vsp__convex *c);

/* A mesh or height field as what vsp_surface.c knows. */
void vsp__make_surface(const vsp_world *world, const vsp__shape *shape,
                       const vsp__pose *pose, vsp__surface *surface);

/* Fills find.pairs, sorted.  Returns how many there are; adds to *dropped how
 * many more there would be. */
uint32_t vsp__find_pairs(vsp_world *world, uint32_t *dropped);

/* Whether two shapes, of which a body that is awake has one, could be in
 * contact, wherever they are; the other one's body may sleep. */
bool vsp__may_touch(const vsp_world *world, uint32_t a, uint32_t b);

/* What a shape weighs: mass, its centre and the inertia of one kilogram about
 * that in the body's frame.  All 0 without mass. */
void vsp__weigh_shape(const vsp_world *world, const vsp__shape *shape,
                      vsp__matter *m);

/* Half the size of a shape's bounds in its own frame, and where their middle
 * is.  Half-spaces have none: size 0. */
void vsp__shape_box(const vsp_world *world, const vsp__shape *shape,
                    vsp__vec3 *middle, vsp__vec3 *half);

/* What of its approach a manifold's points give back, 0 to 1. */
vsp__real vsp__restitution(const vsp_world *world, const vsp__manifold *m);

/* Fills manifolds, points and contacts of a list with all that is closer
 * than the envelope, in the order of pair keys; layer, flags and multipliers
 * are left 0.  When capacities end, the deepest are kept. */
void vsp__detect(vsp_world *world, uint32_t list);

/* Whether the bounds of two shapes are closer than the envelope.  b is no
 * half-space. */
bool vsp__are_near(const vsp_world *world, uint32_t a, uint32_t b);

/* Measures the gaps of a manifold anew after its bodies moved, with the
 * features it was detected with; the sphere's witness points go along. */
void vsp__refresh(vsp_world *world, uint32_t list, uint32_t manifold);

/* Where a point is now: d from the centre of mass of a to that of b, and arms
 * from each to the point on it, all in the world's axes. */
void vsp__point_arms(const vsp_world *world, const vsp__manifold *m,
                     const vsp__point *point, vsp__vec3 *d, vsp__vec3 *a,
                     vsp__vec3 *b);

/* Whether list 1 is needed: positions were corrected, or a shape went farther
 * than an eighth of the envelope along any axis since vsp__detect.  Two bodies
 * none of whose shapes did cannot have met if they were not near: manifolds of
 * list 0 between such are marked, and measured anew, for list 1. */
bool vsp__needs_second(vsp_world *world, bool is_corrected);

/* Poses and bounds of all shapes where they are now. */
void vsp__place_shapes(vsp_world *world);

/* The tree over these bounds; half-spaces, which have none, are listed behind
 * its leaves. */
void vsp__index_shapes(vsp_world *world);

/* Where the levels of a tree of so many leaves are. */
void vsp__shape_tree(const vsp_world *world, uint32_t leaf_count,
                     vsp__tree *tree);

/* see vsp_filter */
bool vsp__filter_lets(const vsp_filter *f, const vsp_filter *g);

/* A corner of a face that is clipped to a reference face. */
typedef struct vsp__clip_point {
    vsp__real at[3]; /* x, y on the reference face, from a point of it;
                        height above it */
    uint16_t edge;   /* to the next point: of the clipped face or, from
                        VSP__SIDES on, along a side of the reference face */
    uint16_t part;   /* what it is: a vertex, or, from VSP__SIDES on, where an
                        edge and a side met: VSP__SIDES (1 + edge) + side */
} vsp__clip_point;

#define VSP__SIDES 64u
#define VSP__CLIP_POINTS 14u /* while a polygon is clipped */

typedef struct vsp__polygon {
    bool is_open; /* two ends, not a closed polygon */
    uint32_t count;
    vsp__clip_point points[VSP__CLIP_POINTS];
} vsp__polygon;

/* Cuts off what is outside of a side, by how far outside each point is. */
void vsp__clip(vsp__polygon *polygon, uint32_t side,
               const vsp__real *outside);

/* Leaves the points that are below a height. */
void vsp__keep_low(vsp__polygon *polygon, vsp__real height);

/* Lists four points or fewer, of two or more: a deep one, the one farthest
 * from it, and on both sides of their line the one that spans the largest
 * triangle.  Returns how many. */
uint32_t vsp__choose_points(const vsp__clip_point *points, uint32_t count,
                            uint8_t *kept);

/* A touch of one point: a becomes b. */
void vsp__swap_point(vsp__touch *t);

/* Two boxes.  Shared by nobody: what a compiler makes a part of its caller
 * has its stack lie below all else that this calls. */
struct vsp__solid;
bool vsp__touch_boxes(const struct vsp__solid *a, const struct vsp__solid *b,
                      vsp__real envelope, vsp__touch *t);


/* ---- vsp_convex.c: two convex solids ------------------------------------ */

/* Fills t, and returns whether they are closer than the envelope: the best
 * separating axis, then faces clipped, edges crossed, or nearest points. */
bool vsp__touch_convex(const vsp__convex *a, const vsp__convex *b,
                       vsp__real envelope, vsp__touch *t);

/* The same of a half-space, solid at and below y = 0 of its frame, and a
 * solid. */
bool vsp__touch_plane(const vsp__pose *plane, const vsp__convex *b,
                      vsp__real envelope, vsp__touch *t);

/* How far apart they are, radii counted: 0 when they overlap (then the
 * witness is a guess).  Stops when it is sure to be above the limit, and
 * returns a lower bound that is. */
vsp__real vsp__distance(const vsp__convex *a, const vsp__convex *b,
                        vsp__real limit, vsp__witness *w);

/* The corners of a core by number, in its frame: of a segment 0 and 1, of a
 * brick as vsp__corner has them, of a polyhedron as in its table. */
uint32_t vsp__core_corners(const vsp__convex *c);
void vsp__core_corner(const vsp__convex *c, uint32_t i, vsp__vec3 *v);

/* Returns the corner that lies farthest along a direction of its frame, the
 * first of equals. */
uint32_t vsp__farthest_corner(const vsp__convex *c, const vsp__vec3 *d,
                              vsp__vec3 *v);

/* Of the faces at a corner that which looks least along a direction of its
 * frame. */
uint32_t vsp__face_against(const vsp__convex *c, uint32_t corner,
                           const vsp__vec3 *d);

/* The point of a core farthest along a direction, a unit vector of the world;
 * from the origin of its frame, in the world's axes. */
void vsp__farthest(const vsp__convex *c, const vsp__vec3 *direction,
                   vsp__vec3 *point);


/* ---- vsp_ccd.c: bullets ------------------------------------------------- */

/* How long the bodies of stack_order[first ... last - 1] move, of h seconds:
 * bullets until they meet something, with the velocities that the solve found,
 * from where all is now. */
void vsp__find_steps(vsp_world *world, uint32_t first, uint32_t last,
                     vsp__real h);


/* ---- vsp_event.c: what happened ----------------------------------------- */

void vsp__begin_events(vsp_world *world);

/* A body fell asleep or woke up. */
void vsp__report_sleep(vsp_world *world, uint32_t body, bool is_asleep);

/* A joint came to a limit, or broke. */
void vsp__report_joint(vsp_world *world, vsp_joint_id joint,
                       const vsp__joint *j, vsp_event_type type);

/* What is in sensors now becomes state; what came and went is reported. */
void vsp__end_sensing(vsp_world *world);

/* Marks the manifolds of pairs that touched in the step before, and reports
 * those that parted: as long as warm records are there, and points have been
 * compared with them. */
void vsp__mark_touched(vsp_world *world);

/* Reports what touches now: with impulses, before warm records are made. */
void vsp__report_contacts(vsp_world *world);


/* ---- vsp_surface.c: what touches a surface ------------------------------ */

/* Starts with nothing. */
void vsp__gather_begin(vsp__gather *g);

/* Adds what one part of the pair touches. */
void vsp__gather_add(vsp__gather *g, const vsp__touch *t, uint32_t part);

/* Ends adding.  Returns how many touches there are, 0 to VSP__GROUPS, each of
 * 1 to 4 points; all points have features of their own. */
uint32_t vsp__gather_end(vsp__gather *g);

/* Writes the touch with this index. */
void vsp__gather_get(const vsp__gather *g, uint32_t index, vsp__touch *t);

/* Lists the triangles whose bounds touch these, in the surface's frame. */
void vsp__triangles_near(vsp__triangles *it, const vsp__surface *surface,
                         const vsp__bounds *bounds);

/* Writes the next one; *index says which it is.  Returns false, and writes
 * nothing of use, when there is no other. */
bool vsp__next_triangle(vsp__triangles *it, vsp__vec3 corners[3],
                        uint32_t *index);

/* Adds where a surface, a, and a solid are closer than the envelope. */
void vsp__touch_surface(const vsp__surface *surface, const vsp__convex *solid,
                        vsp__real envelope, vsp__gather *g);


/* ---- vsp_sdf.c: signed-distance solids ------------------------------------
 * Optional.  All that touches is added to a gather, which is begun by the
 * caller; normals go from a to b. */

typedef struct vsp__sdf {
    const vsp_sdf *table;
    const vsp__pose *pose; /* of its frame in the world */
} vsp__sdf;

/* How far outside a point of the table's frame is, and the way out; beyond
 * the grid within half a cell and a tenth of what it is out of it. */
vsp__real vsp__sdf_distance(const vsp_sdf *sdf, const vsp__vec3 *point,
                            vsp__vec3 *normal);

/* How far a convex solid is from it, felt as below: but for what is between
 * corners. */
vsp__real vsp__sdf_gap(const vsp_sdf *sdf, const vsp__pose *pose,
                       const vsp__convex *b);

/* A convex solid: balls, capsules and corners are felt in the grid; faces
 * and edges by the leaves of the tree. */
void vsp__touch_sdf(const vsp__sdf *a, const vsp__convex *b,
                    vsp__real envelope, vsp__gather *gather);

/* The leaves of the tree. */
void vsp__touch_surface_sdf(const vsp__surface *a, const vsp__sdf *b,
                            vsp__real envelope, vsp__gather *gather);

/* Either one's leaves in the other's grid; a without a table is a
 * half-space. */
void vsp__touch_sdfs(const vsp__sdf *a, const vsp__sdf *b,
                     vsp__real envelope, vsp__gather *gather);


/* ---- vsp_solver.c: contacts to velocities and positions -------------------
 * Knows no geometry. */

/* Clamps position and velocities to their ranges; flushes these and the
 * rotation. */
void vsp__keep_in_range(vsp__body *body);

/* what resists the motion of a body with these axes in the world */
void vsp__find_inverse(const vsp__body *b, const vsp__mat3 *axes,
                       vsp__wide strain, vsp__inverse *inverse);

/* Manifolds to solve together: a range of layer_order, and the height from
 * which bodies are free; those below are fixated. */
typedef struct vsp__span {
    uint32_t list, first, last, lowest;
    uint32_t first_joint, last_joint; /* of order (list 0), or slots */
} vsp__span;

/* A manifold and what belongs to it.  Blocks and rows, or fixes: what the
 * problem at hand has. */
typedef struct vsp__site {
    vsp_world *world;
    vsp__manifold *m;
    vsp__point *points;
    vsp__block *block;
    vsp__row *rows;
} vsp__site;

/* Finds that at place i of a span; false at its end. */
bool vsp__site_at(vsp_world *world, const vsp__span *span, uint32_t i,
                  vsp__site *s);

typedef struct vsp__local {  /* a manifold's bodies in its block's axes */
    vsp__moving e;           /* linear velocity of b less that of a */
    vsp__turning w[2];       /* angular velocities */
    uint32_t scale;          /* k of vsp__turn_both */
    vsp__vec3 e0, w0[2];     /* where they were */
} vsp__local;

/* from velocities u of all bodies; and adds to them what changed since then */
void vsp__to_local(const vsp__site *s, const vsp__velocity *u, vsp__local *l);
void vsp__from_local(const vsp__site *s, const vsp__local *l,
                     vsp__velocity *u);

/* J u of the three rows, eq. 2 and 6 */
static inline vsp__vec3 vsp__row_velocity(const vsp__local *l,
                                          const vsp__row *row)
{
    return vsp__parting(&l->e, l->w, row->arm);
}

/* J u + b of a point: what its multipliers are to make 0 */
void vsp__point_motion(const vsp__site *s, uint32_t point,
                       const vsp__local *u, vsp__real y[3]);

/* Changes velocities by multipliers of a point's three rows. */
void vsp__push_point(vsp__local *l, const vsp__row *row,
                     const vsp__real x[3]);

/* what resists the motion of a body in the solve of a span */
const vsp__inverse *vsp__free_inverse(const vsp_world *world,
                                      const vsp__span *span, uint32_t body);

#define VSP__NO_LAYER 0xffffu

/* Lists what each of so many layers has, in order[first[layer]] ...; how many
 * all have comes last, in first[layers].  The layers of count things are so
 * many bytes apart; those that have none are left out. */
void vsp__sort_layers(const uint16_t *layer, uint32_t apart, uint32_t count,
                      uint32_t layers, uint16_t *first, uint16_t *order);

/* the layer of what two bodies have between them, if either is moved: heights
 * are known */
uint16_t vsp__layer_of(const vsp_world *world, const uint16_t *body);

/* a number that callers and the next step can bear */
vsp__wide vsp__as_impulse(vsp__wide a);

/* bodies */
/* Takes a body into the solve: axes, what resists its motion, velocity;
 * counts it if it has locks.  A dynamic body without mass stays put, whatever
 * velocity it was given. */
void vsp__start_body(vsp_world *world, uint32_t body);
/* Gives it the velocity it has without multipliers, after h seconds. */
void vsp__restart_body(vsp_world *world, uint32_t body, vsp__real h);
/* Takes out of a velocity, or a displacement, what a body does not do. */
void vsp__hold_locks(const vsp__body *b, vsp__velocity *v);
/* The same for all bodies of a solve; *motion is that of body 0. */
void vsp__hold_all_locks(const vsp_world *world, vsp__velocity *motion);
/* twice the kinetic energy of a velocity, with what stiffens the inertia */
vsp__wide vsp__energy(const vsp_world *world, uint32_t body,
                      const vsp__velocity *v);
/* what h seconds of force and torque do, or (h 1) an impulse */
void vsp__change_velocity(const vsp__inverse *inverse, vsp__wide h,
                          const vsp__wide3 *force, const vsp__wide3 *torque,
                          vsp__vec3 *velocity, vsp__vec3 *spin);
/* forces, torques, damping and gravity of h seconds */
void vsp__push_body(vsp_world *world, uint32_t body, vsp__real h);
void vsp__move_body(vsp_world *world, uint32_t body, vsp__real h);

/* The stack: heights, layers, islands of list 0; before that, the manifolds
 * of each body.  What joints hold together is of one layer, or of as many as
 * there are joints from what does not move. */
void vsp__link_bodies(vsp_world *world);
void vsp__stack(vsp_world *world, bool are_joints_one);

/* Then, in place of layers, islands. */
void vsp__sort_islands(vsp_world *world);

/* velocities */
void vsp__find_biases(vsp_world *world);
/* The problem of a step, of which forces act a part; contacts start warm, if
 * asked to. */
void vsp__assemble(vsp_world *world, const vsp__span *span, vsp__real part,
                   bool is_start);
void vsp__warm_start(const vsp__site *s);
/* Changes velocities by all multipliers of contacts, taken from 0. */
void vsp__apply(vsp_world *world, const vsp__span *span);
vsp__real vsp__sweep(vsp_world *world, const vsp__span *span, uint32_t count,
                    vsp__real tolerance);
void vsp__predict(vsp_world *world);
void vsp__carry(vsp_world *world);
/* A search goes from what there is at its beginning, or from no multipliers
 * of contacts, to what there is at its end.  Where an island goes less than
 * half of the way its manifolds are left to the sweeps; when warm starting,
 * one that would go a tenth of it goes all of it. */
void vsp__line_search_begin(vsp_world *world, bool is_warm);
void vsp__line_search_end(vsp_world *world, bool is_warm);
void vsp__keep_multipliers(vsp_world *world, const vsp__span *span);
/* Puts the multipliers of so many points aside, or takes them back. */
void vsp__copy_multipliers(vsp_world *world, uint32_t first, uint32_t count,
                           bool is_back);
void vsp__put_aside(vsp_world *world);
void vsp__take_back(vsp_world *world);
/* whether a world goes by one of the steppers, all of which but PGS are parts
 * of a build */
static inline bool vsp__is_carry(const vsp_world *world)
{
    return VSP_CARRY &&
           world->params.stepper == (uint32_t)VSP_STEPPER_CARRY;
}

static inline bool vsp__is_shock(const vsp_world *world)
{
    return VSP_SHOCK &&
           world->params.stepper == (uint32_t)VSP_STEPPER_SHOCK;
}

static inline bool vsp__is_subspace(const vsp_world *world)
{
    return VSP_SUBSPACE &&
           world->params.stepper == (uint32_t)VSP_STEPPER_SUBSPACE;
}

/* whether friction is a cone: else a pyramid */
static inline bool vsp__has_cones(const vsp_world *world)
{
    return !VSP_PYRAMID ||
           world->params.friction == (uint32_t)VSP_FRICTION_CONE;
}

/* Puts the tangents of a point's x, which are 1 and 2, into a cone or pyramid
 * of this size. */
void vsp__clamp_tangents(const vsp_world *world, vsp__real limit,
                         vsp__real *x);

/* How far multipliers and velocities of a span are from what they are to be,
 * in (m/s)^2. */
vsp__wide vsp__merit(vsp_world *world, const vsp__span *span);

/* positions */
/* overlap, and errors of joints, that may stay: m, rad */
static inline vsp__real vsp__fix_tolerance(const vsp_world *world)
{
    return u_mul(world->params.envelope, VSP__U(0.0005));
}

/* returns whether anything had to move */
bool vsp__correct(vsp_world *world, const vsp__span *span);

/* from step to step */
void vsp__warm_load(vsp_world *world);
/* copies the records of pairs that sleep to vsp__kept */
void vsp__put_kept_aside(vsp_world *world);
void vsp__warm_store(vsp_world *world);

/* Two unit tangents, a function of the normal alone. */
void vsp__tangents(vsp__vec3 normal, vsp__vec3 *t1, vsp__vec3 *t2);


/* ---- vsp_joint.c: joints as programs see them ---------------------------
 * Optional: VSP_JOINTS. */

/* Makes the pool empty. */
void vsp__clear_joints(vsp_world *world);

/* Destroys all joints of a body: before it goes. */
void vsp__drop_joints(vsp_world *world, uint32_t body);

/* Breaks joints that bore too much, and reports limits and breaks: at the end
 * of a step, before vsp__rest. */
void vsp__end_joints(vsp_world *world);

/* What a state may be: the links of a joint are not looked at. */
bool vsp__is_joint(const vsp__joint *j);

/* Whether it can hold these bodies: two, one of them dynamic. */
bool vsp__suits_bodies(const vsp__joint *j, const vsp__body *bodies,
                       uint32_t count);

/* Counts what is in the pool, after a restore. */
void vsp__recount_joints(vsp_world *world);


/* ---- vsp_joint_solver.c: joints to velocities and positions ---------------
 * Optional: VSP_JOINTS.  Knows no geometry.  The verbs do for the joints of a
 * span what those of vsp_solver.c do for manifolds, which call them. */

/* Lists the joints of every body that hold: at the beginning of a step. */
void vsp__link_joints(vsp_world *world);

/* What the inertia of a body lacks, at most, for a step to follow what pulls it
 * by joints, by what they bore in the last one: kg m^2. */
vsp__wide vsp__strain(const vsp_world *world, uint32_t body);

static inline bool vsp__has_joints(const vsp_world *world, uint32_t body)
{
    return VSP_JOINTS && vsp__joints_of(world)->first[body] != 0;
}

/* the other body of a joint that is reached by a link, which counts from 1 */
static inline uint32_t vsp__joined_by(const vsp__joints *pool, uint32_t link)
{
    return pool->joints[(link - 1u) / 2].body[link % 2];
}

/* whether a joint keeps two bodies from touching */
bool vsp__are_joined(const vsp_world *world, uint32_t a, uint32_t b);

/* Sorts joints into layers: heights are known. */
void vsp__sort_joints(vsp_world *world);

/* Where a joint is, as the poses are now. */
typedef struct vsp__joint_site {
    vsp__vec3 arm[2];     /* of B's anchor, from both centres of mass */
    vsp__mat3 axes[2];    /* in the world, to move along and to turn about:
                             frame A's, but for x of a DISTANCE, from anchor
                             to anchor, and x and y to turn about of a BALL,
                             those of twist and swing */
    vsp__real twist_share; /* BALL: of a turn about the twist axis: a unit */
    vsp__real place;      /* of limits and motor: angle, position, distance */
    vsp__real swing;      /* BALL: rad */
    vsp__vec3 parted;     /* of anchors that are to meet, m; in A's axes */
    vsp__vec3 twisted;    /* of frames that are to be one, rad; in A's axes */
} vsp__joint_site;

void vsp__find_joint(const vsp_world *world, const vsp__joint *j,
                     vsp__joint_site *s);

/* Fills rows for h seconds, of which motors push for a part; h 0: those of
 * the position problem; h below 0: none.  For h 0 and below it returns the
 * largest error. */
vsp__real vsp__assemble_joints(vsp_world *world, const vsp__span *span,
                               vsp__real h, vsp__real part);
void vsp__warm_start_joints(vsp_world *world, const vsp__span *span);
/* One sweep; returns the largest change of a multiplier. */
vsp__real vsp__sweep_joints(vsp_world *world, const vsp__span *span);
void vsp__keep_joints(vsp_world *world, const vsp__span *span);

/* A row in use, as one walks over those of a span. */
typedef struct vsp__row_at {
    vsp__joint_row *row;
    vsp__wide *impulse;   /* its, of the step before */
    const uint16_t *body;
    uint32_t slot, k;     /* joint, row of it */
    uint32_t place, left; /* joints that were walked; rows of this one that
                             were not, a bit each */
} vsp__row_at;

static inline void vsp__before_rows(vsp__row_at *it)
{
    it->place = it->left = 0;
}

/* Goes on; false after the last. */
bool vsp__next_row(const vsp_world *world, const vsp__span *span,
                   vsp__row_at *it);

/* J u of a row: velocities, or displacements; u is that of body 0 */
vsp__real vsp__row_motion(const vsp__row_at *it, const vsp__velocity *u);
/* what the multiplier of a row is to be, where it moves with this */
vsp__real vsp__wanted_multiplier(const vsp__joint_row *row, vsp__real u);
/* Changes a multiplier by d, and the motion by what follows, eq. 33. */
void vsp__push_row(const vsp__row_at *it, vsp__real d, vsp__velocity *u);
vsp__square vsp__joint_merit(const vsp_world *world, const vsp__span *span);

/* positions: the largest error, m and rad; a sweep over rows that were
 * assembled for h 0 */
vsp__real vsp__joint_error(vsp_world *world, const vsp__span *span);
vsp__real vsp__sweep_joint_fixes(vsp_world *world, const vsp__span *span);

/* which rows of a joint are between limits, a bit each */
uint32_t vsp__limit_rows(const vsp__joint *j);

/* the speed of the place, a rate */
vsp__real vsp__joint_speed(const vsp_world *world, const vsp__joint *j,
                           const vsp__joint_site *s);


/* ---- vsp_subspace.c: PGS with subspace minimisation -----------------------
 * Optional: VSP_SUBSPACE. */

/* Solves for the velocities of an island, whose bodies are stack_order[first
 * ... last - 1], and whose problem is assembled and warm-started.  Returns
 * the merit, (m/s)^2. */
vsp__wide vsp__minimize(vsp_world *world, const vsp__span *span,
                        uint32_t first, uint32_t last);


/* ---- vsp_lanes.c: sweeps over several manifolds at once --------------------
 * Optional: VSP_LANES. */

/* Assembles the manifolds from this place on of a span of list 0, with cones,
 * whose arms are found: as many as there are lanes.  Returns how many. */
uint32_t vsp__assemble_lanes(vsp_world *world, const vsp__span *span,
                             uint32_t first);

/* Takes the velocity problem of a span into lanes; false if it is left to
 * sweeps of one manifold at a time: pyramids and belts, and what would fill
 * less than half of the lanes.  What is there already is not taken again, but
 * for multipliers. */
bool vsp__fill_lanes(vsp_world *world, const vsp__span *span);

/* Fills the position problem of a span, all of which stays in lanes; false if
 * that is left undone. */
bool vsp__fill_fixes(vsp_world *world, const vsp__span *span);

/* Empty ones, of a new world. */
void vsp__clear_lanes(vsp_world *world);

/* The problem is another one. */
void vsp__drop_lanes(vsp_world *world);

/* The first sweep for which lanes are to be filled. */
uint32_t vsp__first_wide(const vsp_world *world);

/* One sweep over the contacts of that span, or over its fixes.  Returns the
 * largest change. */
vsp__real vsp__sweep_lanes(vsp_world *world, bool are_fixes);

/* Takes the multipliers back, if lanes were filled, after so many sweeps. */
void vsp__end_wide(vsp_world *world, const vsp__span *span, bool is_filled,
                   uint32_t sweeps);


/* ---- vsp_sleep.c: who sleeps, and who is woken -----------------------------
 * Optional: VSP_SLEEP. */

/* Which pairs of shapes, one of a dynamic body at least, vsp__detect is to
 * find. */
typedef enum vsp__sought {
    VSP__SEEK_AWAKE,   /* nobody of whom sleeps */
    VSP__SEEK_TOUCHED, /* and those in which something awake, or kinematic and
                          moving, meets somebody who sleeps */
    VSP__SEEK_ALL
} vsp__sought;

/* The one place where a body falls asleep, at rest, and where it wakes up, or
 * begins anew to count how long it has been calm. */
void vsp__fall_asleep(vsp_world *world, uint32_t body);
void vsp__wake(vsp_world *world, uint32_t body);

/* Wakes a body and what sleeps next to it: before it goes, and after it or a
 * shape of it came or changed. */
void vsp__disturb(vsp_world *world, uint32_t body);
void vsp__wake_all(vsp_world *world);

/* whether a kinematic body moves */
bool vsp__is_mover(const vsp__body *body);

/* Whether a step has nothing to move. */
bool vsp__is_quiet(const vsp_world *world);

/* Fills list 0, and wakes the islands that something awake touches: nobody
 * in the list sleeps. */
void vsp__detect_awake(vsp_world *world);

/* Counts who is calm, and lets islands fall asleep: after the last move,
 * before forces are cleared. */
void vsp__rest(vsp_world *world);

/* whether it is kept from step to step: nobody of the pair is awake */
bool vsp__is_kept(const vsp_world *world, const vsp__warm *warm);


/* ---- vsp_rollback.c ------------------------------------------------------ */

#define VSP__CHECKSUM_WORD 6u /* of a snapshot: over all others */

/* The hash of a state, of a snapshot's bytes and the program's own words. */
uint32_t vsp__kept_hash(const void *bytes, const uint32_t *game,
                        uint32_t game_words);
/* whether the program takes these bytes for an input */
bool vsp__is_input(const vsp_rollback_def *def, uint32_t player,
                   const unsigned char *input);
bool vsp__is_same_input(const unsigned char *a, const unsigned char *b,
                        uint32_t size);


/* ---- vsp_table.c: tables of geometry ---------------------------------------
 * Optional: a build without it takes no tables. */

/* What is wrong with a table of a kind that is built in, which its first word
 * tells: found by looking at all of it.  The pointers in it, unless null, lead
 * to as many numbers as its counts say. */
vsp_flaw vsp__check_table(const void *table);

/* A hash of all the numbers of a table that was checked: the same on every
 * machine. */
uint32_t vsp__digest_table(const void *table);


/* ---- vsp.c -------------------------------------------------------------- */

/* The table with this number, if it is one of this kind; else null. */
static inline const void *vsp__table(const vsp_world *world, uint32_t number,
                                     uint32_t kind)
{
    const void *table;

    if (number == 0 || number > world->table_count)
        return (const void *)0;
    table = world->tables[number - 1u];
    return *(const uint32_t *)table == kind ? table : (const void *)0;
}

/* What calls are given. */
bool vsp__is_world(const vsp_world *world);
bool vsp__v3_in(vsp_vec3 v, vsp_real limit);
bool vsp__read_pose(const vsp_transform *from, vsp__transform *pose);
bool vsp__read_shape(const vsp_world *world, const vsp_shape_def *def,
                     vsp__shape *shape);

/* What a state may be: the same for arguments, bytes and worlds.  Whether
 * all numbers of these fields are in their ranges, and flushed. */
bool vsp__are_in(const void *state, const vsp__field *f, uint32_t count);

/* Reads what a def has of these, or shows it; what is out of range is told
 * later. */
void vsp__read_fields(const void *def, void *state, const vsp__field *f,
                      uint32_t count);
void vsp__show_fields(const void *state, void *def, const vsp__field *f,
                      uint32_t count);
bool vsp__are_params(const vsp__params *p);
bool vsp__is_shape(const vsp_world *world, const vsp__shape *s);
bool vsp__is_body(const vsp__body *b);

/* Nothing, or what a body can have: an inertia that is positive definite, by
 * its leading minors, and of a size that mass and length can give. */
bool vsp__is_mass(const vsp__matter *m);

/* whether a shape can be one of a body of this type */
bool vsp__suits_body(const vsp__shape *shape, const vsp__body *body);

/* Whether multipliers are kept: to start from, or to know what touched. */
static inline bool vsp__keeps_warm(const vsp__params *p)
{
    return p->warm_start != 0 || p->reports != 0;
}

/* Where the shapes of a body are: those of the world or, of its tables, those
 * that a restore has read. */
typedef struct vsp__shape_list {
    const vsp_world *world;
    const vsp__shape *shapes;
} vsp__shape_list;

/* What a body weighs when its shapes change: by one more (may be null),
 * without the one in a slot (VSP_MAX_SHAPES: all stay). */
void vsp__weigh(const vsp__shape_list *list, const vsp__body *body,
                const vsp__shape *more, uint32_t without, vsp__matter *m);
void vsp__store_mass(vsp__body *body, const vsp__matter *m);

/* Slots of bodies, shapes and joints, which begin alike: with a generation,
 * and a type, 0 where a slot is free.  The id in a slot, or 0; the first free
 * one from the lowest that may be; how far up they are in use; freeing one,
 * which leaves the generation. */
uint32_t vsp__id_at(const void *slots, size_t size, uint32_t limit,
                    uint32_t slot);
uint32_t vsp__free_slot(const void *slots, size_t size, uint32_t limit,
                        uint32_t lowest);
void vsp__lower_limit(const void *slots, size_t size, uint32_t *limit);
void vsp__empty_slot(void *slot, size_t size);

/* bookkeeping: the lowest free slot has been taken; slots have been freed */
void vsp__raise_limit(uint32_t *limit, uint32_t *used, uint32_t *lowest,
                      uint32_t slot);
void vsp__lower_limits(vsp_world *world);
void vsp__forget_contacts(vsp_world *world);
void vsp__clear_step_stats(vsp__stats *stats);
void vsp__count_up(uint32_t *count, uint32_t *high);

/* A pull that is to be noticed, of gravity: what a slope of 0.7 minutes of arc
 * does to a box without friction. */
#define VSP__PULL VSP__U(0.0002)

#define VSP__WORDS(type) ((uint32_t)(sizeof(type) / 4u))

/* bytes: whether words differ from others, or (b null) from 0 */
bool vsp__differs(const void *a, const void *b, uint32_t count);
void vsp__clear(void *state, size_t size);
bool vsp__are_zero(const vsp__real *a, uint32_t count);

static inline bool vsp__is_at_rest(const vsp__body *body)
{
    return vsp__are_zero(&body->velocity.x, 6); /* and spin */
}

/* whether forces and contacts move the body */
static inline bool vsp__is_dynamic(const vsp__body *body)
{
    return body->type == (uint32_t)VSP_DYNAMIC + 1u &&
           w_less(W_ZERO, body->matter.mass);
}

static inline bool vsp__is_asleep(const vsp__body *body)
{
    return VSP_SLEEP && (body->flags & VSP__ASLEEP) != 0;
}

/* whether a step moves the body by forces and contacts */
static inline bool vsp__is_awake(const vsp__body *body)
{
    return vsp__is_dynamic(body) && !vsp__is_asleep(body);
}

#endif /* VSP_INTERNAL_H */
