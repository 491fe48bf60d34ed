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
    uint32_t i;

    for (i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(bits >> (8u * i) & 0xffu);
}


/* ---- State ----------------------------------------------------------------
 * What shapes the future: written by a snapshot, covered by the hash.  No
 * addresses; 32-bit words but for the small numbers at the beginning of a
 * body and a shape. */

/* how one of its words is kept, and what is less than one */
typedef enum vsp__form { WORD, REAL, UNIT, RATE, WIDE, PART } vsp__form;

typedef struct vsp__params { /* of the world; see vsp_world_def */
    vsp__vec3 gravity;
    vsp__real dt;              /* a unit */
    vsp__real envelope, tolerance;
    vsp__real fraction;        /* a unit */
    uint32_t stepper, friction, warm_start, sweeps, correction_sweeps;
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
    uint32_t first_shape; /* slot + 1 of its newest shape; 0: none */
    uint32_t user;
    vsp__wide given;      /* the mass that was given, or 0 */
    /* from here to the spin, and to the end, numbers side by side */
    vsp__vec3 position;    /* of the centre of mass */
    vsp__quat rotation;
    vsp__vec3 velocity, spin;
    vsp__wide3 force, torque; /* for the next step */
    vsp__matter matter;
    vsp__real linear_damping, angular_damping, gravity_scale;
} vsp__body;

typedef struct vsp__transform {
    vsp__vec3 position;
    vsp__quat rotation;
} vsp__transform;

typedef struct vsp__shape {
    uint16_t generation;
    uint8_t type;        /* vsp_shape_type; 0: slot is free */
    uint8_t rules;       /* vsp_rule of friction, of restitution times 8 */
    uint16_t next_shape; /* slot + 1 of the body's next shape; 0: none */
    uint16_t body;       /* slot */
    vsp__vec3 size;
    vsp__transform pose; /* in the body's frame (not from its centre) */
    vsp__wide density;
    vsp__real friction, restitution;
    vsp_filter filter;
} vsp__shape;

static inline uint32_t vsp__friction_rule(const vsp__shape *shape)
{
    return shape->rules & 7u;
}

static inline uint32_t vsp__restitution_rule(const vsp__shape *shape)
{
    return (uint32_t)shape->rules >> 3;
}

/* A multiplier of the last step, found again by pair and feature.  The low
 * four bits of each tangential multiplier hold half of the feature. */
typedef struct vsp__warm {
    uint32_t pair; /* shape a << 16 | shape b */
    vsp__wide normal;
    vsp__wide tangent1, tangent2;
} vsp__warm;


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
    vsp__real gap;          /* along the normal; negative is depth */
    vsp__real bounce;       /* m/s: approach wanted back, eq. 21 */
    vsp__multiplier multiplier; /* impulse: N s along the tangents of the
                              normal; during a velocity solve that of its
                              row */
    uint32_t feature;      /* below 256 */
} vsp__point;

typedef struct vsp__manifold {
    uint16_t shape[2];     /* a, b: a < b, or a is the half-space */
    uint16_t body[2];
    uint32_t first_point;
    uint8_t point_count;
    uint8_t lower;         /* in the stack: 0 neither, 1 body a, 2 body b */
    uint16_t layer;
    vsp__vec3 normal;       /* a to b */
    vsp__real friction, restitution;
} vsp__manifold;

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
    vsp__real friction;
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
 * divided by block.inv_mass, so that a multiplier is a velocity.  The
 * multipliers are those of the point. */
typedef struct vsp__row {
    vsp__vec3 arm[2];               /* from the centres of mass */
    vsp__vec3 turn[2][3];          /* T = M^-1 J^T of eq. 33, angular part */
    vsp__real inv_diagonal[3];     /* units */
    vsp__real bias;                /* m/s: b of eq. 20 beyond J u */
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
    uint32_t contacts_dropped;
    uint32_t layer_count;
    uint32_t sweep_count;
    uint32_t correction_count;
    uint32_t row_updates;
    vsp__real residual;
    vsp__wide merit;
} vsp__stats;


/* ---- The world ----------------------------------------------------------- */

#define VSP__NO_HEIGHT 0xffffu /* no static or kinematic body below */
#define VSP__TREE_SPARE 16u    /* rounding up of the levels */

typedef union vsp__line {
    vsp__velocity predicted; /* at the end of the step, as hoped */
    struct {
        vsp__wide first, second; /* sums over an island */
    } slope;
    vsp__real step; /* how far it goes, a unit */
} vsp__line;

/* Phases of a step that do not overlap share their memory.  By body and
 * shape: what finds contacts, and what solves for velocities (then for
 * displacements). */
typedef union vsp__work {
    struct {
        vsp__bounds bounds[VSP_MAX_SHAPES];
        vsp__bounds tree[VSP_MAX_SHAPES + VSP__TREE_SPARE];
        uint32_t sort_keys[2 * VSP_MAX_SHAPES];
        uint32_t pairs[2 * VSP_MAX_PAIRS]; /* keys, and room to sort them */
        uint16_t sort_order[2 * VSP_MAX_SHAPES];
    } find;
    struct {
        vsp__inverse inverse[VSP_MAX_BODIES];
        vsp__velocity velocity[VSP_MAX_BODIES]; /* being solved */
        vsp__velocity saved[VSP_MAX_BODIES];    /* start of a line search;
                                                   displacements */
        vsp__line line[VSP_MAX_BODIES];
    } solve;
} vsp__work;

/* What a restore has read and not yet believed. */
typedef struct vsp__incoming {
    vsp__params params;
    uint32_t body_count, shape_count, warm_count; /* records */
    vsp__body bodies[VSP_MAX_BODIES];
    vsp__shape shapes[VSP_MAX_SHAPES];
} vsp__incoming;

/* By contact: the velocity problem, of list 0, and the position problem, of
 * either list; list 1 itself is a part of the latter. */
typedef union vsp__problem {
    struct {
        vsp__block blocks[VSP_MAX_MANIFOLDS];
        vsp__row rows[VSP_MAX_CONTACTS]; /* beside points */
    } velocity;
    struct {
        vsp__manifold manifolds[VSP_MAX_MANIFOLDS];
        vsp__point points[VSP_MAX_CONTACTS];
        vsp__fix fixes[VSP_MAX_CONTACTS];
    } position;
    vsp__incoming incoming;
} vsp__problem;

struct vsp_world {
    uint32_t magic, options; /* is this a world, of this build */
    vsp__stats stats;
    vsp__contacts contacts[2]; /* 0: what the step solved; 1: after it */
    uint32_t body_limit, shape_limit; /* no slot from here on is in use */
    uint32_t body_used, shape_used;   /* or ever was */
    uint32_t body_free, shape_free;   /* no slot before here is free */
    vsp__real gravity_speed; /* what gravity gives in a step, m/s: the measure
                                of what is small */
    uint32_t layer_count; /* layers 0 to layer_count - 1 stand on something
                             that does not move; layer_count holds the rest */

    /* state */
    vsp__params params;
    uint32_t warm_count;
    vsp__body bodies[VSP_MAX_BODIES];
    vsp__shape shapes[VSP_MAX_SHAPES];
    union {
        vsp__warm state;   /* between steps */
        vsp__real saved[3]; /* in a step: multipliers put aside */
    } warm[VSP_MAX_CONTACTS];

    /* scratch of a whole step; contacts can be read until the next */
    vsp__mat3 axes[VSP_MAX_BODIES];          /* of bodies in the world */
    vsp__pose poses[VSP_MAX_SHAPES];
    vsp__manifold manifolds[VSP_MAX_MANIFOLDS]; /* list 0, by pair */
    vsp__point points[VSP_MAX_CONTACTS];
    uint32_t link_first[VSP_MAX_BODIES + 1]; /* into links */
    uint16_t layer_bodies[VSP_MAX_BODIES + 1];    /* into stack_order */
    uint16_t layer_manifolds[VSP_MAX_BODIES + 1]; /* into layer_order */
    uint16_t height[VSP_MAX_BODIES];         /* in the stack */
    uint16_t island[VSP_MAX_BODIES];         /* lowest body of it */
    uint16_t stack_order[VSP_MAX_BODIES];    /* moved bodies by height */
    uint16_t layer_order[VSP_MAX_MANIFOLDS]; /* manifolds by layer */
    uint16_t links[2 * VSP_MAX_MANIFOLDS];   /* manifolds of each body */
    vsp__support supports[VSP__MAX_SUPPORTS]; /* of one body at a time */

    /* scratch of one phase */
    vsp__work work;
    vsp__problem problem;
};

/* manifolds and points of a list */
static inline vsp__manifold *vsp__manifolds(vsp_world *world, uint32_t list)
{
    return list == 0 ? world->manifolds : world->problem.position.manifolds;
}

static inline vsp__point *vsp__points(vsp_world *world, uint32_t list)
{
    return list == 0 ? world->points : world->problem.position.points;
}


/* ---- vsp_collide.c: shapes and poses to contacts --------------------------
 * Reads bodies[].position, axes, shapes; knows no velocity. */

/* Mass of a shape, and the inertia of one kilogram of it about its own
 * centre, in the body's axes. */
vsp__wide vsp__shape_mass(const vsp__shape *shape, vsp__sym3 *inertia);

/* Fills manifolds, points and contacts of a list with all that is closer
 * than the envelope, in the order of pair keys; layer, lower and multipliers
 * are left 0.  When capacities end, the deepest are kept. */
void vsp__detect(vsp_world *world, uint32_t list);

/* Measures the gaps of a manifold anew after its bodies moved, with the
 * features it was detected with; the sphere's witness points go along. */
void vsp__refresh(vsp_world *world, uint32_t list, uint32_t manifold);

/* Where a point is now: d from the centre of mass of a to that of b, and arms
 * from each to the point on it, all in the world's axes. */
void vsp__point_arms(const vsp_world *world, const vsp__manifold *m,
                     const vsp__point *point, vsp__vec3 *d, vsp__vec3 *a,
                     vsp__vec3 *b);

/* Whether no shape went farther than an eighth of the envelope along any
 * axis since vsp__detect: then nothing that was not near can have met. */
bool vsp__is_still(const vsp_world *world);

/* Sorts keys, stably; keys[capacity...] is scratch.  order may be null; else
 * order[i] goes where keys[i] goes, with as much scratch.  bits: how many low
 * bits of the keys count. */
void vsp__sort(uint32_t *keys, uint16_t *order, uint32_t count,
               uint32_t capacity, uint32_t bits);


/* ---- vsp_solver.c: contacts to velocities and positions -------------------
 * Knows no geometry. */

/* Clamps position and velocities to their ranges; flushes these and the
 * rotation. */
void vsp__keep_in_range(vsp__body *body);

/* axes[] of a body from its rotation; its inverse mass and inertia from
 * those */
void vsp__update_axes(vsp_world *world, uint32_t body);
void vsp__update_inverse(vsp_world *world, uint32_t body);

/* what resists the motion of a body with these axes in the world */
void vsp__find_inverse(const vsp__body *b, const vsp__mat3 *axes,
                       vsp__inverse *inverse);

/* Manifolds to solve together: a range of layer_order (list 0), or of the
 * list itself (list 1), and the height from which bodies are free; those
 * below are fixated. */
typedef struct vsp__span {
    uint32_t list, first, last, lowest;
} vsp__span;

/* the manifold at place i of a span */
uint32_t vsp__span_manifold(const vsp_world *world,
                            const vsp__span *span, uint32_t i);

/* bodies */
/* what h seconds of force and torque do, or (h 1) an impulse */
void vsp__change_velocity(const vsp__inverse *inverse, vsp__wide h,
                          const vsp__wide3 *force, const vsp__wide3 *torque,
                          vsp__vec3 *velocity, vsp__vec3 *spin);
/* forces, torques, damping and gravity of h seconds */
void vsp__push_body(vsp_world *world, uint32_t body, vsp__real h);
void vsp__move_body(vsp_world *world, uint32_t body, vsp__real h);

/* the stack: heights, layers, islands of list 0 */
void vsp__stack(vsp_world *world);

/* velocities */
void vsp__find_bounces(vsp_world *world);
void vsp__assemble(vsp_world *world, const vsp__span *span, vsp__real h);
void vsp__warm_start(vsp_world *world, const vsp__span *span);
vsp__real vsp__sweep(vsp_world *world, const vsp__span *span, uint32_t count,
                    vsp__real tolerance);
void vsp__predict(vsp_world *world);
void vsp__carry(vsp_world *world);
void vsp__line_search_begin(vsp_world *world);
void vsp__line_search_end(vsp_world *world);
void vsp__keep_multipliers(vsp_world *world, const vsp__span *span);
void vsp__put_aside(vsp_world *world);
void vsp__take_back(vsp_world *world);
vsp__wide vsp__merit(vsp_world *world);

/* positions */
/* returns whether anything had to move */
bool vsp__correct(vsp_world *world, const vsp__span *span);

/* from step to step */
void vsp__warm_load(vsp_world *world);
void vsp__warm_store(vsp_world *world);

/* Two unit tangents, a function of the normal alone. */
void vsp__tangents(vsp__vec3 normal, vsp__vec3 *t1, vsp__vec3 *t2);


/* ---- vsp.c --------------------------------------------------------------- */

/* whether forces and contacts move the body */
static inline bool vsp__is_dynamic(const vsp__body *body)
{
    return body->type == (uint32_t)VSP_DYNAMIC + 1u &&
           w_less(W_ZERO, body->matter.mass);
}

#endif /* VSP_INTERNAL_H */
