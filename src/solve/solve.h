/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Module solve: turns contacts and joints into velocities and positions.  Of
 * shapes it reads only friction, belts, roundness and, in seam.c, bounds.  In
 * this order: bodies, rows of contacts, rows of joints, spans of the stack,
 * scratch; then the functions, file by file.
 *
 * Equation and figure numbers are those of Erleben, Velocity-based shock
 * propagation for multibody dynamics animation, 2007.  A multiplier lambda of
 * the paper is an impulse, in N s.  Here it is divided by the effective mass
 * of its row, so it is a velocity x in m/s (rad/s in angular rows). */

#ifndef VSP_SOLVE_H
#define VSP_SOLVE_H

#include "../state/state.h"


/* ---- Bodies -------------------------------------------------------------- */

/* M^-1 of a body, eq. 17.  Infinite mass has the inverse 0. */
typedef struct vsp__inverse_mass {
    vsp__sym3 inertia; /* inverse, of one kilogram, 1/m^2; in world axes */
    vsp__wide mass;    /* inverse, 1/kg */
} vsp__inverse_mass;

/* u of a body, eq. 10: m/s, rad/s.  In the position problem a displacement: m,
 * rad. */
typedef struct vsp__velocity {
    vsp__v3 linear, angular;
} vsp__velocity;

/* Islands of at most so many bodies are small: sweeps that start from nothing
 * do for them where a start or a search goes wrong. */
#define VSP__SMALL_ISLAND 16u

/* one value for each body; each phase uses a different member */
typedef union vsp__body_pass {
    vsp__velocity predicted; /* CARRY: velocity at the end of the step */
    struct {
        vsp__wide first, second; /* f' and f'', summed over the island */
        bool is_searched;        /* else the island takes the full step */
    } slope;                     /* line search, at an island's lowest body */
    vsp__num step;               /* line search: fraction taken, a unit */
    struct {
        vsp__wide cold, warm; /* twice the energy of the island, J */
        vsp__wide mass;       /* kg */
        uint32_t body_count, joint_count;
        bool is_judged;
        bool is_held; /* by a joint with what does not move */
    } start;          /* a warm start of joints, at an island's lowest body */
    struct {
        vsp__num time;   /* duration of the move, s: shorter for bullets */
        bool is_at_rest; /* except for noise; computed from the bottom up */
    } move;
    int32_t impact_score; /* of an island: high if many points move fast */
    bool has_moved;       /* by too much for a manifold to be still */
    bool is_loaded;       /* SHOCK: has the load of higher layers */
} vsp__body_pass;


/* ---- Rows of contacts ---------------------------------------------------- */

/* Data that the rows of a manifold share.  Rows are in the manifold's own axes
 * n, t1, t2, where the linear part of a row of J is a unit vector and need not
 * be stored. */
typedef struct vsp__block {
    vsp__mat3 axes;     /* axis[0] is the normal, the others are tangents */
    vsp__wide inv_mass; /* sum of both inverse masses, 1/kg */
    vsp__num share[2];  /* each inverse mass over inv_mass; a's negative */
#if VSP_FIXED
    uint32_t turn_scale; /* k of vsp__make_turn */
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

/* The three rows of a contact point, eq. 2 and 6, in the axes of the block and
 * divided by block.inv_mass.  Biases and multipliers are in the point. */
typedef struct vsp__point_rows {
    vsp__v3 arm[2];     /* from both centres of mass to the point, m */
    vsp__v3 turn[2][3]; /* angular part of T = M^-1 J^T, eq. 33: the spin that
                           a multiplier of 1 adds */
    vsp__num stride[3]; /* r_stride of the inverse of D, eq. 31 */
    vsp__num saved_multiplier[2]; /* of tangents: see vsp__saved_multiplier */
} vsp__point_rows;

/* The row of a contact point in the position problem, eq. 46: the normal alone,
 * in world axes, divided by the sum of both inverse masses.  Displacements are
 * small, so they are kept as units. */
typedef struct vsp__correction_row {
    vsp__v3 lever[2];      /* arm x normal: angular part of J */
    vsp__v3 turn[2];       /* angular part of M^-1 J^T */
    vsp__num share;        /* inverse mass of b over the sum of both, a unit */
    vsp__num inv_diagonal; /* 1 / D, a unit */
    vsp__num gap;          /* m */
    vsp__num multiplier;   /* m */
} vsp__correction_row;

VSP_STATIC_ASSERT(positions_take_no_more_than_velocities,
                  sizeof(vsp__manifold) <= sizeof(vsp__block) &&
                      sizeof(vsp__manifold_point) +
                              sizeof(vsp__correction_row) <=
                          sizeof(vsp__point_rows));

/* A manifold of either list with its points and, for the solved list in the
 * velocity problem, its block and rows. */
typedef struct vsp__manifold_view {
    vsp_world *world;
    vsp__manifold *m;
    vsp__manifold_point *points;
    vsp__block *block;
    vsp__point_rows *rows;
} vsp__manifold_view;

/* The velocities of a manifold's two bodies, in the axes of its block, while
 * rows change them. */
typedef struct vsp__local_velocity {
    vsp__exact_velocity e; /* linear velocity of b less that of a */
    vsp__exact_spin w[2];  /* spins */
    uint32_t scale;        /* k of vsp__add_turns */
    vsp__v3 e0, w0[2];     /* e and w before any change */
} vsp__local_velocity;

/* Computes J u of the three rows of a point, eq. 2 and 6: m/s */
static inline void vsp__point_velocity(const vsp__local_velocity *l,
                                       const vsp__point_rows *row, vsp__v3 *u)
{
    vsp__relative_velocity(&l->e, l->w, row->arm, u);
}

/* A contact point that carries a body from below.  Impulses act on the body and
 * are divided by its mass: m/s, in world axes. */
typedef struct vsp__support {
    vsp__v3 arm;              /* from the body's centre of mass, m */
    vsp__v3 target;           /* velocity that the body must have there */
    vsp__v3 start_impulse;    /* impulse before the load is shared */
    vsp__v3 impulse;          /* impulse with its share of the load */
    vsp__num weight;          /* weight of its share, at most 1; 0: left out */
    uint16_t manifold, point; /* in the solved list; in the manifold */
} vsp__support;


/* ---- Rows of joints ------------------------------------------------------ */

/* One row, J = (-n, -lever[0]; n, lever[1]), divided by its diagonal D = J M^-1
 * J^T.  Its multiplier brings J u into [low, high], as far as |multiplier| <=
 * most allows.  All these are velocities or, in the position problem,
 * displacements as units. */
typedef struct vsp__joint_row {
    vsp__v3 axis;      /* n; 0 in an angular row */
    vsp__v3 lever[2];  /* arm x n, or the axis of an angular row */
    vsp__v3 turn[2];   /* inverse inertia times lever, over D */
    vsp__num share[2]; /* inverse masses over D, units */
    vsp__num low, high, most;
    vsp__num multiplier;
    vsp__num yield; /* fraction of the error that it removes, a unit: 1, or less
                       in a soft row */
    vsp__wide mass; /* 1 / D: kg, or kg m^2 in an angular row */
} vsp__joint_row;

#define VSP__IN_LOOP 0x8000u /* it is in a loop or below one, or spanned */

#if VSP_RANGES

/* A joint in the search for ranges: its chain back to a body that does not
 * move, and the range (long-range constraint) that ends at it. */
typedef struct vsp__joint_range {
    uint16_t back;    /* joint + 1 before this one in the chain, or 0 */
    uint16_t start;   /* joint + 1 at which the range starts; 0: no range */
    uint16_t body[2]; /* first and last body of the range */
    uint16_t count;   /* joints in the chain from the start of the range */
    uint8_t far;      /* which body of the joint is the far one */
    uint8_t flags;    /* VSP__RANGE_REACHED ... */
    vsp__wide lightest, between; /* masses of the lightest of the bodies that
                                    the range spans, and of all of them, kg */
    vsp__num low, high;          /* bounds of the distance, m */
    vsp__wide impulse;           /* warm start, N s */
} vsp__joint_range;

/* flags */
#define VSP__RANGE_REACHED 1u  /* the joint has a chain */
#define VSP__RANGE_HEAVY 2u    /* its far body is heavy: see range.c */
#define VSP__RANGE_SPANNED 4u  /* a taut range spans it, or it is in a web */
#define VSP__RANGE_WALKED 8u   /* search passed body 0; twice it: body 1 */
#define VSP__RANGE_IN_WEB 32u  /* the joint is in a web: see web.c */
#define VSP__RANGE_CROSSED 64u /* as WALKED, in the search for webs */

/* A joint in the search for webs: see web.c. */
typedef struct vsp__joint_web {
    uint16_t slot;  /* entries by place: the joint at that place */
    uint16_t place; /* place + 1; 0 if the search did not reach the joint */
    uint8_t count;  /* joints that its rows of the matrix span */
    uint8_t top;    /* rows[] from here on hold those of the matrix */
    uint16_t unused;
    uint32_t first, last; /* rows of the web that begins with this joint */
    vsp__wide lightest;   /* mass of the lightest body of that web, kg */
    vsp__num scale[3];    /* of row k: root of (mass / lightest) */
} vsp__joint_web;

#endif

typedef struct vsp__step_joint { /* a joint in a step */
    uint16_t layer;              /* as the layer of a manifold */
    uint16_t used;               /* bit k: row k is in use; VSP__IN_LOOP */
#if VSP_HINGE_LOOPS
    uint16_t member[2];  /* at a body's first link: its member + 1 */
    uint16_t hinge_loop; /* index + 1 of the loop that may contain the joint */
#endif
#if VSP_RANGES
    vsp__joint_range range;
    vsp__joint_web web;
#endif
    vsp__wide strain[2]; /* added to the inertia of each body, kg m^2 */
    vsp__joint_row rows[VSP__STEP_ROWS];
} vsp__step_joint;

#if VSP_HINGE_LOOPS

#define VSP__NO_MEMBER 0xffffu /* of a body in no hinge loop */

typedef struct vsp__loop_member { /* a body of a hinge loop */
    vsp__v3 axis;                 /* axis of its hinges, in the body's frame */
    vsp__num offset;     /* its centre along the axis, from the plane, m */
    vsp__num x, y;       /* its centre in the plane, from the loop's, m */
    vsp__num share;      /* fraction of the loop's mass, a unit */
    vsp__num inertia[3]; /* inertia across the axis, of one kilogram: xx, xy,
                            yy, fractions of the loop's `size` */
    vsp__num lean[2];    /* spin about the axis per spin across it: see
                            find_member_inertia */
    uint16_t body, loop;
} vsp__loop_member;

typedef struct vsp__loop_motion { /* motion of a loop out of its plane */
    vsp__num along;               /* along the plane's normal */
    vsp__num turn[2];             /* about the loop's directions `across` */
} vsp__loop_motion;

typedef struct vsp__hinge_loop {
    vsp__v3 normal;          /* n, along the hinges: a unit */
    vsp__v3 across[2];       /* directions in the plane, units */
    vsp__v3 center;          /* centre of mass, m */
    vsp__wide inverse[3];    /* inverse inertia of one kilogram, 1/m^2 */
    vsp__wide size;          /* largest inertia of 1 kg of a member, m^2 */
    vsp__wide exact[3];      /* the components of `motion`, before rounding */
    vsp__loop_motion motion; /* motion of the whole loop: m/s, rad/s */
    vsp__v3 ground_axis;     /* axis of the hinges in the ground's frame */
    vsp__num ground_offset;  /* of its centre from the plane, m */
    uint16_t ground;         /* index + 1 of a body that does not move, or 0 */
    uint16_t joint;          /* one of its hinges */
    uint16_t first, count;   /* members; count 0: the loop is left to sweeps */
    uint32_t is_touched;     /* has a contact across its plane */
} vsp__hinge_loop;

typedef struct vsp__hinge_loops {
    uint32_t count;
    vsp__loop_member members[VSP_MAX_JOINTS]; /* of all loops, loop by loop */
    vsp__hinge_loop loops[VSP_MAX_JOINTS / 2 + 1];
} vsp__hinge_loops;

#endif

/* scratch of all joints, by slot */
static inline vsp__step_joint *vsp__step_joints_of(const vsp__joint_pool *pool)
{
    return (vsp__step_joint *)(void *)pool->scratch.step_joints;
}

VSP_STATIC_ASSERT(step_joints_fit,
                  sizeof(vsp__step_joint) <= VSP__JOINT_ROW_BYTES);

/* the scratch of one joint; in motion.c */
VSP__CALLED vsp__step_joint *vsp__step_joint_at(const vsp_world *world,
                                                uint32_t slot);

/* m: more than anchors move in a step, also on arms that spin */
#define VSP__FREE_WAY (VSP_FIXED ? VSP__REAL_MAX : VSP__REAL(1e9))

/* A joint at the present poses of its bodies. */
typedef struct vsp__joint_pose {
    vsp__v3 arm[2];    /* from both centres of mass, m: B's to its anchor; A's
                          to its own or, for SLIDER, AXES and WHEEL, to B's */
    vsp__mat3 axes[2]; /* to move along [0], to rotate about [1]; in the world.
                          Those of frame A, except: x of a DISTANCE goes from
                          anchor to anchor; x and y to rotate about of a BALL
                          are the axes of twist and swing; AXES, WHEEL: see
                          drive.c; GEAR, PULLEY: see gear.c. */
    vsp__num twist_share; /* BALL: cos (swing / 2), a unit */
    vsp__num place;       /* joint coordinate: angle, position or distance */
    vsp__num swing;       /* BALL: rad */
    vsp__v3 parted;       /* error: anchor B less anchor A, m; in A's axes.
                             PULLEY: lengths of its two parts, in x and y */
    vsp__v3 twisted; /* error: rotation of frame B in frame A's axes, rad */
} vsp__joint_pose;

/* State of a walk over the rows in use of a span:
 *
 *     for (vsp__start_joint_rows(&it); vsp__next_joint_row(world, span, &it);)
 */
typedef struct vsp__joint_row_walk {
    vsp__joint_row *row;
    vsp__wide *impulse;   /* in the last step: N s or N m s */
    const uint16_t *body; /* both bodies */
    uint32_t slot, k;     /* slot of the joint; index of its row */
    uint32_t place, left; /* joints begun; rows of this one left, bits */
} vsp__joint_row_walk;

static inline void vsp__start_joint_rows(vsp__joint_row_walk *it)
{
    it->place = it->left = 0;
}


/* ---- Spans of the stack -------------------------------------------------- */

/* Consecutive manifolds, joints and bodies that are solved together: all, a
 * stack layer, or an island.  Intervals are half-open. */
typedef struct vsp__span {
    uint32_t list, first, last; /* manifolds: an interval of layer_order */
    uint32_t lowest; /* bodies below this height are fixated: figure 12 */
    uint32_t first_joint, last_joint; /* interval of the pool's order */
    uint32_t first_body, last_body;   /* interval of stack_order */
    bool is_layer;                    /* a layer or an island, not all */
} vsp__span;

#define VSP__NO_LAYER 0xffffu /* of contacts without a moved body */

/* Colours of manifolds: see stack.c. */
#define VSP__COLOURS 32u

typedef struct vsp__colour_scratch {
    uint32_t used[VSP_MAX_BODIES];     /* colours taken at a body, a bit each */
    uint16_t order[VSP_MAX_MANIFOLDS]; /* layer_order before it is sorted */
    uint8_t colour[VSP_MAX_MANIFOLDS]; /* of the manifolds in order */
} vsp__colour_scratch;


/* ---- Scratch --------------------------------------------------------------
 * The table at struct vsp_world says in which phase each of these is alive. */

/* world->work during the solve: by body.  Lists end where the next one
 * starts. */
typedef struct vsp__solver_scratch {
    uint32_t spare; /* with 64 bodies, axes and inverse are at multiples of 32
                       in a world: Thumb adds such an offset at once */
    vsp__link link_first[VSP_MAX_BODIES + 1];      /* in world->links */
    vsp__link layer_bodies[VSP_MAX_BODIES + 1];    /* in stack_order */
    vsp__link layer_manifolds[VSP_MAX_BODIES + 1]; /* in layer_order */
    uint16_t stack_order[VSP_MAX_BODIES];          /* moved bodies by height */
    vsp__velocity velocity[VSP_MAX_BODIES];        /* u, being solved for */
    vsp__mat3 axes[VSP_MAX_BODIES];                /* body axes in the world */
    vsp__inverse_mass inverse[VSP_MAX_BODIES];
    vsp__body_pass pass[VSP_MAX_BODIES];
    vsp__velocity saved[VSP_MAX_BODIES]; /* u at the start of a line search;
                                            displacements of a correction */
} vsp__solver_scratch;

/* world->problem during the solve: by contact, either the velocity problem of
 * the solved list or the position problem of either list.  The after list is
 * where vsp__manifolds_of returns it: of.list. */
typedef union vsp__contact_scratch {
    struct {
        vsp__block blocks[VSP_MAX_MANIFOLDS];   /* one for each manifold */
        vsp__point_rows rows[VSP_MAX_CONTACTS]; /* one for each point */
    } velocity;
    struct {
        union {
            vsp__pose before[VSP_MAX_BODIES]; /* poses before the move */
            struct {
                vsp__manifold manifolds[VSP_MAX_MANIFOLDS];
                vsp__manifold_point points[VSP_MAX_CONTACTS];
            } list;
        } of;
        union {
            vsp__correction_row corrections[VSP_MAX_CONTACTS];
            vsp__colour_scratch colours; /* before either problem is filled */
        } start;
    } position;
    vsp__solver_scratch solve; /* kept here while bullets use world->work */
} vsp__contact_scratch;

static inline vsp__solver_scratch *vsp__solve_of(const vsp_world *world)
{
    return (vsp__solver_scratch *)(void *)world->work;
}

VSP_STATIC_ASSERT(solve_fits, sizeof(vsp__solver_scratch) <= VSP__WORK_BYTES);

static inline vsp__contact_scratch *vsp__problem_of(const vsp_world *world)
{
    return (vsp__contact_scratch *)(void *)world->problem.words;
}

VSP_STATIC_ASSERT(problem_fits,
                  sizeof(vsp__contact_scratch) <= VSP__PROBLEM_BYTES);

/* The supports of the body that CARRY treats. */
static inline vsp__support *vsp__supports_of(const vsp_world *world)
{
    return (vsp__support *)(void *)world->one.bytes;
}

VSP_STATIC_ASSERT(supports_fit, VSP__MAX_SUPPORTS * sizeof(vsp__support) <=
                                    VSP__SUPPORT_BYTES);

/* SUBSPACE: gradient z and direction p of conjugate gradients for one
 * multiplier */
typedef struct vsp__descent_step {
    vsp__num gradient, direction;
} vsp__descent_step;

typedef struct vsp__point_descent { /* for a contact point */
    vsp__descent_step step[3];
    vsp__num start[3]; /* multipliers before the search; while sweeping, those
                          of the last sweep */
} vsp__point_descent;

typedef struct vsp__joint_row_descent { /* for a row of a joint */
    vsp__descent_step step;
    vsp__num start;
    vsp__num target; /* J u that an active row must have */
    vsp__num best;   /* the multiplier with the least merit so far */
} vsp__joint_row_descent;

/* stored behind the joint pool */
typedef struct vsp__subspace_scratch {
    vsp__joint_row_descent joints[VSP_MAX_JOINTS][VSP__STEP_ROWS];
    vsp__point_descent contacts[VSP_MAX_CONTACTS];
    uint8_t active[VSP_MAX_CONTACTS]; /* rows of a point, a bit each */
} vsp__subspace_scratch;

/* SHOCK: impulses of the solved list in the whole step, along the normal and
 * its tangents, N s.  Also stored behind the joint pool. */
typedef struct vsp__shock_scratch {
    vsp__wide impulse[VSP_MAX_CONTACTS][3];
} vsp__shock_scratch;

static inline unsigned char *vsp__stepper_scratch_of(const vsp_world *world)
{
    return (unsigned char *)vsp__joint_pool_of(world) + VSP__JOINT_BYTES;
}

static inline vsp__subspace_scratch *vsp__subspace_scratch_of(
    const vsp_world *world)
{
    return (vsp__subspace_scratch *)(void *)vsp__stepper_scratch_of(world);
}

static inline vsp__shock_scratch *vsp__shock_scratch_of(const vsp_world *world)
{
    return (vsp__shock_scratch *)(void *)vsp__stepper_scratch_of(world);
}

/* Returns the impulses of a point of the solved list in the whole step. */
static inline const vsp__wide *vsp__whole_impulse(const vsp_world *world,
                                                  uint32_t point)
{
    return vsp__is_shock(world) ? vsp__shock_scratch_of(world)->impulse[point]
                                : world->points[point].multiplier.impulse;
}

/* Returns where multiplier k of a point of the solved list is saved.  The
 * normal's replaces the gap, which vsp__refresh_manifold recomputes. */
static inline vsp__num *vsp__saved_multiplier(vsp_world *world, uint32_t point,
                                              uint32_t k)
{
    return k == 0 ? &world->points[point].gap
                  : &vsp__problem_of(world)
                         ->velocity.rows[point]
                         .saved_multiplier[k - 1u];
}

/* whether friction is bounded by cones, else by pyramids */
static inline bool vsp__has_cones(const vsp_world *world)
{
    return !VSP_PYRAMID ||
           world->params.friction == (uint32_t)VSP_FRICTION_CONE;
}

/* The residual, m/s, at which the sweeps of PGS and SUBSPACE stop: that of the
 * world, or a thousandth of what gravity adds in a step if that is less, as
 * residuals of many short steps would add up to a pull.  In fixed point
 * rounding alone makes two last places.  Without gravity no body rests on
 * another. */
static inline vsp__num vsp__sweep_tolerance(const vsp_world *world)
{
    const vsp__v3 *gravity = &world->params.gravity;
    vsp__num least = u_mul(VSP__UNIT(0.001), world->gravity_speed);

    if (VSP_FIXED)
        least = r_max(least, VSP__RATE(0.000016));
    return v3_product_at(gravity, gravity) > 0
               ? r_min(world->params.tolerance, least)
               : world->params.tolerance;
}

/* overlap, m, and joint error, m or rad, up to which nothing is corrected */
static inline vsp__num vsp__correction_tolerance(const vsp_world *world)
{
    return u_mul(world->params.envelope, VSP__UNIT(0.0005));
}


/* ---- motion.c: bodies in a step ------------------------------------------ */

/* Lists each body's joints that are in force, once at the beginning of a step,
 * and computes the strain of their pulls. */
void vsp__list_body_joints(vsp_world *world);

/* Returns the largest component of a joint's impulse at its anchor in the last
 * step, N s, or that of a row of a rope. */
static inline vsp__wide vsp__anchor_pull(const vsp__joint *j)
{
    uint32_t k, end = vsp__is_rope(j) ? VSP__ROW_ROPE_B + 1u : 3u;
    vsp__wide largest = VSP__W_ZERO;

    for (k = 0; k < end; k++) {
        vsp__wide p = j->impulse[k];

        if (w_less(p, VSP__W_ZERO))
            p = w_neg(p);
        if (w_less(largest, p))
            largest = p;
    }
    return largest;
}

/* Recomputes the strains of a joint, as its impulses changed or its pull counts
 * as at least `least`, N s. */
void vsp__find_strains(vsp_world *world, uint32_t slot, vsp__wide least);

/* Computes the axes of a body from its rotation. */
void vsp__update_axes(vsp_world *world, uint32_t body);

/* Computes M^-1 of a body from its axes; a strain, kg m^2, is added to its
 * inertia.  M^-1 is 0 unless the body is dynamic. */
void vsp__find_inverse_mass(const vsp__body *b, const vsp__mat3 *axes,
                            vsp__wide strain, vsp__inverse_mass *inverse);

/* Updates M^-1 of a body of the world from its axes and the strain of its
 * joints. */
void vsp__update_inverse_mass(vsp_world *world, uint32_t body);

/* Multiplies v by the inertia of one kilogram of a body, m^2, in world axes. */
void vsp__mul_inertia(const vsp_world *world, uint32_t body, vsp__v3 *v);

/* Computes the velocity of a point from its arm, m. */
VSP__CALLED void vsp__point_velocity_of(const vsp__velocity *v,
                                        const vsp__v3 *arm, vsp__v3 *out);

/* Applies an impulse, divided by the body's mass (m/s), at an arm from the
 * centre of mass, m. */
void vsp__apply_impulse(const vsp__inverse_mass *inverse, vsp__velocity *v,
                        const vsp__v3 *arm, const vsp__v3 *p);

/* Reads the velocity of a body outside the solve. */
VSP__CALLED void vsp__get_velocity(const vsp__body *b, vsp__velocity *v);

/* Returns whether any component of two velocities differs by more than `much`,
 * m/s or rad/s. */
bool vsp__has_velocity_changed(const vsp__velocity *v,
                               const vsp__velocity *from, vsp__num much);

/* Returns twice the kinetic energy of a velocity, J; the strain counts as
 * inertia if has_strain. */
vsp__wide vsp__double_energy(const vsp_world *world, uint32_t body,
                             const vsp__velocity *v, bool has_strain);

/* Zeroes the locked components of a body's velocity or displacement. */
void vsp__apply_locks(const vsp__body *b, vsp__velocity *v);

/* Computes the acceleration of a body by gravity, m/s^2: 0 along locked
 * axes. */
void vsp__body_gravity(const vsp_world *world, const vsp__body *b,
                       vsp__v3 *pull);

/* Fills *down, the unit vector along gravity on a body, and returns its
 * acceleration, m/s^2.  Both are 0 if this is small. */
vsp__num vsp__find_down(const vsp_world *world, const vsp__body *b,
                        vsp__v3 *down);

/* Applies the locks of all bodies; *motion belongs to body 0. */
void vsp__apply_all_locks(const vsp_world *world, vsp__velocity *motion);

/* Prepares a body for the solve: computes its axes, M^-1 and velocity.  A
 * dynamic body without mass is at rest.  Returns whether the body has locks. */
bool vsp__start_body(vsp_world *world, uint32_t body);

/* Changes velocity and spin by a force and torque over h seconds, eq. 19; with
 * h = 1 they are impulses.  Changes are rounded by a cut. */
void vsp__change_velocity(const vsp__inverse_mass *inverse, vsp__wide h,
                          const vsp__wide3 *force, const vsp__wide3 *torque,
                          uint32_t cut, vsp__v3 *velocity, vsp__v3 *spin);

/* Changes v by all forces on a body over h seconds: force and torque, then
 * damping, then gravity. */
void vsp__add_forces(const vsp_world *world, uint32_t body, vsp__num h,
                     vsp__velocity *v);

/* Applies all forces on a body over h seconds to its velocity in the solve. */
void vsp__apply_forces(vsp_world *world, uint32_t body, vsp__num h);

/* Slows the fall of a body by what gravity adds in this part of a step, a unit:
 * the part for which the body was stopped.  It must not gain speed without
 * falling, or a body that its joints lift back gains it in each step.  A body
 * that rises stays as it is. */
void vsp__slow_fall(const vsp_world *world, const vsp__body *b, vsp__num part,
                    vsp__v3 *velocity);

/* Damping of noise (motion.c) needs this friction and this many points: on
 * fewer a body may tip or roll. */
#define VSP__GRIP_FRICTION VSP__REAL(0.001)
#define VSP__GRIP_POINTS 3u

/* Returns v.v + w.I w, twice the energy per kilogram, (m/s)^2. */
vsp__square vsp__specific_energy(const vsp__body *b);

/* Whether any shape has a surface velocity.  Optional: VSP_BELTS. */
static inline bool vsp__has_belts(const vsp_world *world)
{
    return VSP_BELTS && world->belt_count > 0;
}

/* Whether one of the shapes of a contact is a belt. */
bool vsp__touches_belt(const vsp_world *world, const vsp__manifold *m);

/* Computes the velocity of the belt on b relative to that on a, across the
 * normal: m/s, in world axes. */
void vsp__belt_velocity(const vsp_world *world, const vsp__manifold *m,
                        vsp__v3 *v);

/* Belts that turn, VSP__TURNS: a belt moves a point of a contact by
 * vsp__belt_velocity, which is that in the middle of the points, and by the
 * turn of the surface about the normal there. */

#if VSP_EDITS

/* Returns the spin of the surface of one body about the normal, rad/s. */
vsp__num vsp__belt_turn(const vsp_world *world, const vsp__manifold *m,
                        uint32_t side);

/* Adds to *v, a velocity of b less that of a, what a turn of the surface of one
 * body adds at a point; at: from the centre of mass, in body axes. */
void vsp__add_belt_turn(const vsp_world *world, const vsp__manifold *m,
                        uint32_t side, vsp__num turn, const vsp__v3 *at,
                        vsp__v3 *v);

#else

static inline vsp__num vsp__belt_turn(const vsp_world *world,
                                      const vsp__manifold *m, uint32_t side)
{
    (void)world;
    (void)m;
    (void)side;
    return 0;
}

static inline void vsp__add_belt_turn(const vsp_world *world,
                                      const vsp__manifold *m, uint32_t side,
                                      vsp__num turn, const vsp__v3 *at,
                                      vsp__v3 *v)
{
    (void)world;
    (void)m;
    (void)side;
    (void)turn;
    (void)at;
    (void)v;
}

#endif /* VSP_EDITS */

/* Returns the speed that noise makes in a step, m/s, at this height in a
 * pile. */
vsp__num vsp__noise_speed(const vsp_world *world, uint32_t height);

/* Slows a body at rest, after the solve, by the speed that a small fraction of
 * gravity adds in a step.  A solve stops before all motion of a pile is gone,
 * and the remainder would sway the pile for minutes.  Call it for all bodies in
 * the order of their heights, before they move. */
void vsp__damp_noise(vsp_world *world, uint32_t body);

/* Sets the velocity in the solve to its value without multipliers, eq. 20: u +
 * h M^-1 f_ext. */
void vsp__restart_body(vsp_world *world, uint32_t body, vsp__num h);

/* Clamps a body's position and velocities to their limits, and flushes them and
 * its rotation. */
void vsp__clamp_body(vsp__body *body);

/* Moves a body by its velocity for h seconds, eq. 26, and updates its axes and
 * M^-1.  A velocity that is not finite stops it. */
void vsp__move_body(vsp_world *world, uint32_t body, vsp__num h);

/* Moves a dynamic body by its own velocity for h seconds, before
 * vsp__start_body. */
void vsp__fly_body(vsp_world *world, uint32_t body, vsp__num h);

/* Moves a body by a displacement of the position problem and updates its axes.
 * M^-1 stays: no velocity is solved for after that, except for the
 * loads of SHOCK. */
void vsp__displace_body(vsp_world *world, uint32_t body,
                        const vsp__velocity *d);


/* ---- stack.c: heights, layers, islands and colours ----------------------- */

/* Returns whether the solver moves a body: whether its height, the distance in
 * the contact graph from a body that does not move, is above 0.  Static,
 * kinematic and sleeping bodies have height 0. */
bool vsp__is_moved(const vsp_world *world, uint32_t body);

/* Builds the contact graph of the solved list: the manifolds of body i are
 * links[link_first[i]] to links[link_first[i + 1] - 1]. */
void vsp__list_body_manifolds(vsp_world *world);

/* Sorts the manifolds of a list into layer_order, layer by layer.  In the after
 * list the floating layer comes first, with the bodies that land in this step:
 * if the bricks below a landing roof were corrected before the roof, it would
 * press them aside. */
void vsp__sort_manifolds(vsp_world *world, uint32_t list);

/* Sorts each layer of a list by colour, after vsp__sort_manifolds.  In the
 * after list the floating layer stays in the order of pairs; with SUBSPACE or
 * joints all of that list does. */
void vsp__sort_by_colour(vsp_world *world, uint32_t list);

/* Builds the contact graph, then computes heights, layers and islands of the
 * solved list, at the beginning of a solve.  Joints count as contacts or, if
 * are_joints_one, bodies that joints connect get one height. */
void vsp__build_stack(vsp_world *world, bool are_joints_one);

/* Makes each island a layer, instead of the stack's layers.  Call it after
 * vsp__build_stack. */
void vsp__sort_islands(vsp_world *world);


/* ---- view.c: a manifold with its rows and bodies ------------------------- */

/* Computes the arms of the two points, on a and on b, of a contact point, and d
 * from a's centre of mass to b's: m, in world axes. */
VSP__CALLED void vsp__arms_at_point(const vsp_world *world,
                                    const vsp__manifold *m,
                                    const vsp__manifold_point *point,
                                    vsp__v3 *d, vsp__v3 *a, vsp__v3 *b);

/* Computes the arms from both centres of mass to the middle of those two
 * points. */
void vsp__midpoint_arms(const vsp_world *world, const vsp__manifold *m,
                        const vsp__manifold_point *p, vsp__v3 *arm);

/* Fills the view of manifold `index` of a list. */
void vsp__view_by_index(vsp_world *world, uint32_t list, uint32_t index,
                        vsp__manifold_view *s);

/* Fills the view of the manifold at a place in layer_order. */
VSP__CALLED void vsp__view_by_place(vsp_world *world, const vsp__span *span,
                                    uint32_t place, vsp__manifold_view *s);

/* Fills the view of the manifold at place i of layer_order.  Returns false at
 * the end of the span. */
bool vsp__view_manifold(vsp_world *world, const vsp__span *span, uint32_t i,
                        vsp__manifold_view *s);

/* Returns the island of a manifold's moved bodies. */
uint32_t vsp__manifold_island(const vsp_world *world, const vsp__manifold *m);

/* Returns whether a body is free in the solve of a span; if not, it is fixated:
 * figure 12. */
bool vsp__is_free(const vsp_world *world, const vsp__span *span, uint32_t body);

/* Returns M^-1 of a body in the solve of a span: 0 if it is fixated. */
VSP__CALLED const vsp__inverse_mass *vsp__inverse_mass_in(
    const vsp_world *world, const vsp__span *span, uint32_t body);

/* Returns M^-1 of both bodies of a manifold in the solve of a span. */
VSP__CALLED void vsp__inverse_masses_in(const vsp__span *span,
                                        const vsp__manifold_view *s,
                                        const vsp__inverse_mass **inverse);

/* Computes the arms of a manifold's rows in world axes; vsp__assemble_manifold
 * then converts them to the axes of the block. */
void vsp__find_arms(const vsp__manifold_view *s);

/* Returns the least gap of a manifold's points, m. */
vsp__num vsp__least_gap(const vsp__manifold_view *s);

/* Computes the velocity of b less that of a at a point, m/s.  The arms and the
 * result are in world axes. */
void vsp__sliding_velocity(const vsp__manifold_view *s,
                           const vsp__point_rows *row, vsp__v3 *u);

/* Returns the restitution of both shapes of a manifold. */
vsp__num vsp__restitution_of(const vsp_world *world, const vsp__manifold *m);

/* Returns, after the move, whether a point will bounce in the next step, so
 * that its overlap must not be corrected.  The overlap must be no deeper than
 * the point moved in this step. */
bool vsp__bounces_next(const vsp__manifold_view *s,
                       const vsp__manifold_point *p);


/* ---- seam.c: edges that are no obstacle ---------------------------------- */

/* Returns whether a manifold with static ground is a seam, which must not slow
 * the moved body: it overlaps by less than the touch width, and another contact
 * already keeps the body above this ground.  Call it after
 * vsp__build_stack. */
bool vsp__is_seam(const vsp__manifold_view *s);


/* ---- bias.c: restitution and open gaps ----------------------------------- */

/* The fraction of gravity by which noise is damped, and below which a world
 * counts as still: twice VSP__LEAST_PULL, because fixed point rounds each load
 * of a tall pile. */
#define VSP__NOISE_PULL VSP__UNIT(0.0004)

/* Class of the speed at which points approach or separate before a step. */
enum {
    VSP__STIR_NONE, /* no faster than noise, if they touch; floats return this
                       for SLOW, too */
    VSP__STIR_SLOW, /* nothing collides */
    VSP__STIR_FAST, /* something collides, no faster than a short fall */
    VSP__STIR_IMPACT
};

/* Computes the arms and biases of the solved list from the velocities before
 * the step, eq. 21-22, and leaves islands with many fast points to the sweeps.
 * Returns the largest stir of a point. */
uint32_t vsp__find_biases(vsp_world *world);

/* After a solve of a span: frees the rows that stop points which should bounce
 * in the next step.  Returns whether there are any; the span must then be
 * solved again. */
bool vsp__free_bounces(vsp_world *world, const vsp__span *span);


/* ---- roll.c: rolling and spinning friction -------------------------------
 * For manifolds with vsp__rolls.  Optional: VSP_ROLLING. */

/* Sets the levers of the rows, after the arms of the points; the inverse
 * inertia of both bodies is that of vsp__assemble_manifold.  Returns the longer
 * one. */
vsp__num vsp__set_roll_levers(const vsp__manifold_view *s,
                              const vsp__sym3 inertia[2]);

/* Fills the rest of the rows, after the levers; scale: of vsp__make_turn. */
void vsp__fill_roll(const vsp__manifold_view *s, const vsp__sym3 inertia[2],
                    uint32_t scale);

/* Changes spins by all multipliers of the rows. */
void vsp__push_roll(const vsp__manifold_view *s, vsp__local_velocity *l);

/* Sweeps the rows.  Returns the largest change of a multiplier, m/s. */
vsp__num vsp__sweep_roll(const vsp__manifold_view *s, vsp__local_velocity *l);

/* Clamps the multipliers to their bounds. */
void vsp__project_roll(const vsp__manifold_view *s);

/* Returns the squared H of eq. 37, summed over the rows: (m/s)^2. */
vsp__square vsp__roll_violation(const vsp__manifold_view *s,
                                const vsp__local_velocity *l);

/* Adds the rows' part of f' and f'' of a line search from multipliers of 0. */
void vsp__add_roll_slopes(const vsp__manifold_view *s,
                          const vsp__local_velocity *old,
                          const vsp__local_velocity *now, vsp__square *first,
                          vsp__square *second);

/* Returns the angular impulse of rolling, N m s, over its multiplier. */
vsp__wide vsp__roll_scale(const vsp__manifold_view *s);


/* ---- rows.c: assembly of contacts ---------------------------------------- */

/* Fills the rows of rolling friction of a manifold that is assembled in lanes.
 */
void vsp__assemble_roll(const vsp__span *span, const vsp__manifold_view *s);

/* Fills the block and rows of a manifold whose arms are filled, eq. 2 and 6. */
void vsp__assemble_manifold(const vsp__span *span, const vsp__manifold_view *s);

/* Clamps an impulse, N s or N m s, to the limits of forces; one that is not
 * finite becomes 0. */
vsp__wide vsp__clamp_impulse(vsp__wide a);


/* ---- drive.c: frames and rows of joints; motors, AXES, WHEEL ------------- */

/* Computes the arm of an anchor; and of a frame also its rotation, in the
 * world. */
void vsp__find_anchor_arm(const vsp__body *b, const vsp__frame *frame,
                          vsp__v3 *arm);
void vsp__find_joint_frame(const vsp__body *b, const vsp__frame *frame,
                           vsp__unit_quat *rotation, vsp__v3 *arm);

/* Returns the rows of a joint that have limits, a bit each. */
uint32_t vsp__limited_rows(const vsp__joint *j);

/* Returns J u of a row, a velocity or displacement; *u belongs to body 0. */
vsp__num vsp__joint_row_motion(const vsp__joint_row_walk *it,
                               const vsp__velocity *u);

/* Returns lever . (inverse inertia of one kilogram) lever. */
vsp__wide vsp__inverse_inertia_along(const vsp__inverse_mass *inverse,
                                     const vsp__v3 *lever);

/* Bounds the multiplier of a row by a force or torque over `part` seconds. */
void vsp__set_row_limit(vsp__wide largest, vsp__num part, vsp__joint_row *row);

/* Returns the mass that has a spring's frequency over the mass of its row. */
vsp__wide vsp__spring_mass(const vsp_world *world, const vsp__joint *j,
                           bool is_turn, const vsp__joint_row *row);

/* Return the rows that are equalities, and those that a motor drives, or the
 * suspension or the steering of a wheel: a bit each. */
uint32_t vsp__held_axes(const vsp__joint *j);
uint32_t vsp__driven_rows(const vsp__joint *j);

/* Whether no spring steers a WHEEL: then its steering is an equality, and
 * `twisted.x` of its pose is the angle of steering less its target. */
bool vsp__is_steered_rigidly(const vsp__joint *j);

#if VSP_DRIVES

/* Completes the pose of AXES or a WHEEL from the rotations of its frames. */
void vsp__find_axes_pose(const vsp__joint *j, const vsp__unit_quat rotation[2],
                         vsp__joint_pose *s);

/* Returns an angle plus or minus whole turns, rad, -pi to pi. */
vsp__num vsp__wrap_angle(vsp__num angle);

/* Whether a motor of AXES drives the spin about an axis of frame A, not the
 * coordinate of row k. */
bool vsp__is_spun(const vsp__joint *j, uint32_t k);

/* Returns the axis of AXES, 0 to 5, that vsp__joint_pose.place measures: the
 * first driven one, else the first limited one. */
uint32_t vsp__place_axis(const vsp__joint *j);

/* Returns the row whose impulse is that of the motor. */
uint32_t vsp__motor_row(const vsp__joint *j);

/* Sets low, high, most and yield of row k, which a motor drives for `part`
 * seconds; its axis and its mass are set. */
void vsp__set_drive(const vsp_world *world, const vsp__joint *j,
                    const vsp__joint_pose *s, uint32_t k, vsp__num part,
                    vsp__joint_row *row);

#else

/* no joint has type AXES */
static inline void vsp__find_axes_pose(const vsp__joint *j,
                                       const vsp__unit_quat rotation[2],
                                       vsp__joint_pose *s)
{
    (void)j;
    (void)rotation;
    (void)s;
}

static inline bool vsp__is_spun(const vsp__joint *j, uint32_t k)
{
    (void)j;
    (void)k;
    return false;
}

static inline uint32_t vsp__place_axis(const vsp__joint *j)
{
    (void)j;
    return VSP__ROW_X;
}

static inline uint32_t vsp__motor_row(const vsp__joint *j)
{
    (void)j;
    return VSP__ROW_MOTOR;
}

static inline void vsp__set_drive(const vsp_world *world, const vsp__joint *j,
                                  const vsp__joint_pose *s, uint32_t k,
                                  vsp__num part, vsp__joint_row *row)
{
    (void)world;
    (void)s;
    (void)k;
    vsp__set_row_limit(j->motor_max, part, row);
    row->low = row->high = j->motor_speed;
}

#endif


/* ---- gear.c: gears and pulleys ------------------------------------------- */

/* Whether row k of a PULLEY acts on its body `end`, 0 or 1. */
static inline bool vsp__pulls_rope_end(uint32_t k, uint32_t end)
{
    return k == VSP__ROW_ROPE ||
           k == (end == 0 ? VSP__ROW_ROPE_A : VSP__ROW_ROPE_B);
}

#if VSP_GEARS

/* Completes the pose of a GEAR or PULLEY, which is all 0.  GEAR: x of axes[0]
 * is the tangent of the wheels, at the end of both arms.  PULLEY: x of axes[0]
 * is the direction in which b's anchor lengthens the rope, y that in which a's
 * shortens it, both scaled. */
void vsp__find_gear_pose(const vsp_world *world, const vsp__joint *j,
                         vsp__joint_pose *s);

/* A part of a rope may turn by more than 60 degrees in h seconds, at the speed
 * before the step, as where its end whirls about the pulley.  Gives it the
 * direction after the step, and its length in that direction: what is no longer
 * than the rope along every direction is no longer than the rope. */
void vsp__aim_rope(const vsp_world *world, const vsp__joint *j, vsp__num h,
                   vsp__joint_pose *s);

/* Computes the displacements that row k of a PULLEY allows. */
void vsp__find_rope_range(const vsp_world *world, const vsp__joint *j,
                          const vsp__joint_pose *s, uint32_t k, vsp__num *low,
                          vsp__num *high);

/* Gives the part of b the direction of y if it has none, as b is at its point:
 * so the impulse on it keeps its size. */
void vsp__show_rope_end(const vsp__joint *j, vsp__joint_pose *s);

/* Sets the levers of row k of a PULLEY, which pulls its bodies in two
 * directions.  Its share 0 is -1, its axis is 0, and the levers and turns of
 * the next row are those of the linear velocities. */
void vsp__set_rope_levers(const vsp__joint_pose *s, uint32_t k,
                          vsp__joint_row *row);

/* Fills the rest of this row, as set_row_mass. */
bool vsp__set_rope_mass(const vsp_world *world, const vsp__span *span,
                        const uint16_t *body, vsp__joint_row *row);

/* Stores where the teeth of a GEAR meet at the present poses.  Returns false if
 * its axles are too close or too far apart; true for all other joints. */
bool vsp__mesh_gear(const vsp_world *world, vsp__joint *j);

#else

static inline void vsp__find_gear_pose(const vsp_world *world,
                                       const vsp__joint *j, vsp__joint_pose *s)
{
    (void)world;
    (void)j;
    (void)s;
}

static inline void vsp__aim_rope(const vsp_world *world, const vsp__joint *j,
                                 vsp__num h, vsp__joint_pose *s)
{
    (void)world;
    (void)j;
    (void)h;
    (void)s;
}

static inline void vsp__show_rope_end(const vsp__joint *j, vsp__joint_pose *s)
{
    (void)j;
    (void)s;
}

static inline void vsp__find_rope_range(const vsp_world *world,
                                        const vsp__joint *j,
                                        const vsp__joint_pose *s, uint32_t k,
                                        vsp__num *low, vsp__num *high)
{
    (void)world;
    (void)j;
    (void)s;
    (void)k;
    (void)low;
    (void)high;
}

static inline void vsp__set_rope_levers(const vsp__joint_pose *s, uint32_t k,
                                        vsp__joint_row *row)
{
    (void)s;
    (void)k;
    (void)row;
}

static inline bool vsp__set_rope_mass(const vsp_world *world,
                                      const vsp__span *span,
                                      const uint16_t *body, vsp__joint_row *row)
{
    (void)world;
    (void)span;
    (void)body;
    (void)row;
    return false;
}

static inline bool vsp__mesh_gear(const vsp_world *world, vsp__joint *j)
{
    (void)world;
    (void)j;
    return true;
}

#endif


/* ---- joint_rows.c: joints ------------------------------------------------ */

/* Computes the pose of a joint from the poses of its bodies. */
void vsp__find_joint_pose(const vsp_world *world, const vsp__joint *j,
                          vsp__joint_pose *s);

/* Returns the rows of a joint that have limits that bound a chain: hard ones,
 * but none of AXES, WHEEL, GEAR and PULLEY. */
uint32_t vsp__hard_limits(const vsp__joint *j);

/* Fills the rows of a span's joints.  h > 0: those of the velocity problem of a
 * step of h seconds, of which this solve is for `part` seconds.  h = 0: those
 * of the position problem.  h < 0: none.  Returns the largest error, m or rad.
 */
vsp__num vsp__assemble_joints(vsp_world *world, const vsp__span *span,
                              vsp__num h, vsp__num part);

/* Returns the largest error of a span's joints, m or rad; fills no rows. */
vsp__num vsp__joint_error(vsp_world *world, const vsp__span *span);

/* Completes a range's row from the arms of its two end points and their
 * distance, as vsp__assemble_joints; axis, low and high of the row are set.
 * Returns false if neither body can move along the axis. */
bool vsp__fill_range_row(const vsp_world *world, const vsp__span *span,
                         const uint16_t *body, const vsp__v3 arm[2],
                         vsp__num distance, vsp__num h, vsp__num part,
                         vsp__joint_row *row);

/* Advances to the next row in use; returns false after the last. */
bool vsp__next_joint_row(const vsp_world *world, const vsp__span *span,
                         vsp__joint_row_walk *it);

/* Returns the multiplier that brings a row with J u = u into [low, high]. */
vsp__num vsp__target_multiplier(const vsp__joint_row *row, vsp__num u);

/* Changes velocities or displacements by a change d of the row's multiplier,
 * eq. 33; *u belongs to body 0. */
void vsp__push_joint_row(const vsp__joint_row_walk *it, vsp__num d,
                         vsp__velocity *u);

/* Sweeps the velocity rows of a span's joints once.  Returns the largest
 * change of a multiplier. */
vsp__num vsp__sweep_joints(vsp_world *world, const vsp__span *span);

/* Sweeps the position rows of joints once.  Returns as vsp__sweep_joints. */
vsp__num vsp__correct_joints(vsp_world *world, const vsp__span *span);

/* Starts multipliers from the impulses of the last step, and applies them. */
void vsp__warm_start_joints(vsp_world *world, const vsp__span *span);

/* Converts the multiplier of a row into an impulse, N s or N m s. */
vsp__wide vsp__joint_row_impulse(const vsp__joint_row *row);

/* Returns J u of a row for the velocities stored in its bodies, not those in
 * the solve. */
vsp__num vsp__row_motion_of_bodies(const vsp_world *world,
                                   const vsp__joint_row *row,
                                   const uint16_t *body);

/* Returns the rows that a joint may use in a step, a bit each. */
uint32_t vsp__rows_of_joint(const vsp__joint *j);

/* Stores multipliers as impulses, N s and N m s. */
void vsp__store_joint_impulses(vsp_world *world, const vsp__span *span);

/* Returns the square of H, eq. 37, summed over the joints of a span:
 * (m/s)^2. */
vsp__square vsp__joint_merit(const vsp_world *world, const vsp__span *span);

/* Returns the speed at which a joint's coordinate changes: m/s or rad/s. */
vsp__num vsp__joint_speed(const vsp_world *world, const vsp__joint *j,
                          const vsp__joint_pose *s);


/* Returns J u of row k of a joint at the present velocities. */
vsp__num vsp__joint_row_speed(const vsp_world *world, const vsp__joint *j,
                              const vsp__joint_pose *s, uint32_t k);


/* ---- hinge_loop.c: hinge loops, which stay in a plane -------------------- */

/* Searches for the hinge loops of awake bodies, after vsp__list_body_joints.
 * Returns their number. */
uint32_t vsp__find_hinge_loops(vsp_world *world);

/* Returns whether a joint is in a hinge loop in this step. */
bool vsp__is_in_hinge_loop(const vsp_world *world, uint32_t slot);

/* Finds the hinge loops of a step, their frames, inertia and motion. */
void vsp__start_hinge_loops(vsp_world *world);

/* Removes the motions that hinges forbid from the velocities of a span's
 * loops. */
void vsp__project_hinge_loops(vsp_world *world, const vsp__span *span);

/* Projects the poses of all loops: moves and turns bodies. */
void vsp__flatten_hinge_loops(vsp_world *world);


/* ---- web.c: joints between several anchors ------------------------------- */

/* Finds the webs of a step, after vsp__find_ranges. */
void vsp__find_webs(vsp_world *world);

/* Damps the vibrations of webs' bodies, after vsp__start_body. */
void vsp__calm_webs(vsp_world *world);

/* Fills and factors the matrices of a span's webs, after the rows of its joints
 * are filled, and whenever other rows become equalities. */
void vsp__assemble_webs(vsp_world *world, const vsp__span *span);

/* Solves the rows of a span's webs, each web at once; *u belongs to body 0,
 * and holds velocities or displacements.  If is_kept, multipliers change as
 * well. */
void vsp__sweep_webs(vsp_world *world, const vsp__span *span, vsp__velocity *u,
                     bool is_kept);

/* Returns whether a joint of a span's webs is still open after correction. */
bool vsp__are_webs_open(const vsp_world *world, const vsp__span *span);


/* ---- range.c: long-range constraints ------------------------------------- */

/* Finds the chains and ranges of all joints, after vsp__list_body_joints.
 * Returns how many joints have a chain; they are first in the pool's order. */
uint32_t vsp__find_ranges(vsp_world *world);

/* Finds ranges at the beginning of a step, and warm starts them with loads
 * taken from the impulses of joints; vsp__give_range_loads adds them back after
 * the solves. */
void vsp__take_range_loads(vsp_world *world);

/* Computes the bodies, arms and unit direction, from start to end, of the range
 * that ends at a joint, in world axes.  Returns the distance, m. */
vsp__num vsp__find_range_pose(const vsp_world *world, uint32_t slot,
                              uint16_t body[2], vsp__v3 arm[2], vsp__v3 *way);

/* Fills the rows of a span's ranges, after those of its joints; h and part as
 * in vsp__assemble_joints. */
void vsp__assemble_ranges(vsp_world *world, const vsp__span *span, vsp__num h,
                          vsp__num part);

/* After the impulses of a span are stored: adds the impulses of its ranges to
 * those of the joints in their chains; under SHOCK to those of the layer or, if
 * is_added, to those that the rest of the step adds. */
void vsp__give_range_loads(vsp_world *world, const vsp__span *span,
                           bool is_added);

#if VSP_RANGES

/* Whether a joint is in a web. */
static inline bool vsp__is_in_web(const vsp_world *world, uint32_t slot)
{
    return (vsp__step_joint_at(world, slot)->range.flags & VSP__RANGE_IN_WEB) !=
           0;
}

/* Whether a taut range spans a joint, or it is in a web: then it is not
 * corrected layer by layer. */
static inline bool vsp__is_spanned(const vsp_world *world, uint32_t slot)
{
    return (vsp__step_joint_at(world, slot)->range.flags &
            VSP__RANGE_SPANNED) != 0;
}

/* Advances to the row of a range, behind those of its last joint. */
static inline void vsp__enter_range(vsp__joint_row_walk *it)
{
    vsp__step_joint *j =
        (vsp__step_joint *)(void *)((unsigned char *)(it->row -
                                                      VSP__ROW_RANGE) -
                                    offsetof(vsp__step_joint, rows));

    it->body = j->range.body;
    it->impulse = &j->range.impulse;
}

#else

static inline bool vsp__is_spanned(const vsp_world *world, uint32_t slot)
{
    (void)world;
    (void)slot;
    return false;
}

static inline bool vsp__is_in_web(const vsp_world *world, uint32_t slot)
{
    (void)world;
    (void)slot;
    return false;
}

static inline void vsp__enter_range(vsp__joint_row_walk *it)
{
    (void)it;
}

#endif


/* ---- support.c: supported bodies ----------------------------------------- */

/* Searches for supported bodies, by the multipliers of a solve after some of
 * its sweeps, or by the impulses and velocities at the end of a step. */
void vsp__find_supported(vsp_world *world, bool is_solving);

/* Makes no body supported until the next search. */
void vsp__forget_supported(vsp_world *world);

/* Returns whether sweeps leave out a manifold: both bodies are frozen, or one
 * is and the other is not moved. */
bool vsp__is_frozen(const vsp__manifold_view *s);

/* Freezes the supported bodies: zeroes their velocities in the solve. */
void vsp__hold_supported(vsp_world *world);


/* ---- level.c: manifolds that workers can solve at the same time ---------- */

typedef enum vsp__level_items {
    VSP__LEVEL_MANIFOLDS, /* indices of crew.level_order */
    VSP__LEVEL_BLOCKS     /* indices of blocks of lanes */
} vsp__level_items;

#if VSP_WORKERS

/* Sorts the manifolds of a span by level in crew.level_order, unless that is
 * done.  Returns false if workers should not share them: there are none, or too
 * few manifolds in each level. */
bool vsp__find_levels(vsp_world *world, const vsp__span *span);

/* Shares the items of each level, one level after the other.  Items of a piece
 * are counted from *start, the first item of the level. */
void vsp__share_levels(vsp_world *world, vsp__do_piece *do_piece,
                       vsp__level_items items, void *work, uint32_t *start,
                       uint32_t least);

#else

static inline bool vsp__find_levels(vsp_world *world, const vsp__span *span)
{
    (void)world;
    (void)span;
    return false;
}

static inline void vsp__share_levels(vsp_world *world, vsp__do_piece *do_piece,
                                     vsp__level_items items, void *work,
                                     uint32_t *start, uint32_t least)
{
    (void)world;
    (void)do_piece;
    (void)items;
    (void)work;
    (void)start;
    (void)least;
}

#endif


/* ---- lanes.c: several manifolds at once ---------------------------------- */

/* Empties the lanes of a new world. */
void vsp__reset_lanes(vsp_world *world);

/* Empties lanes before another velocity problem is assembled. */
void vsp__invalidate_lanes(vsp_world *world);

/* Assembles manifolds of a span of the solved list from index `first`, as many
 * as there are lanes.  They need cones, and filled arms.  Returns how many were
 * assembled. */
uint32_t vsp__assemble_lanes(vsp_world *world, const vsp__span *span,
                             uint32_t first);

/* Returns before which sweep of a solve lanes are filled: 0 or 1. */
uint32_t vsp__first_lane_sweep(const vsp_world *world);

/* Fills lanes with the velocity problem of a span.  If they hold it already,
 * copies only the multipliers.  Returns false if the span is left to the sweeps
 * of single manifolds: with pyramids, belts, rolling friction, or manifolds
 * that would fill less than half of the lanes. */
bool vsp__fill_lanes(vsp_world *world, const vsp__span *span);

/* Fills lanes with the position problem of a span.  Returns false if it would
 * fill less than half of them. */
bool vsp__fill_correction_lanes(vsp_world *world, const vsp__span *span);

/* Sweeps all lanes once: velocities, or corrections.  Returns the largest
 * change of a multiplier, m/s or m. */
vsp__num vsp__sweep_lanes(vsp_world *world, bool are_corrections);

/* Ends a solve in which `sweeps` sweeps had a residual above the tolerance:
 * copies the multipliers back if lanes were filled. */
void vsp__unload_lanes(vsp_world *world, const vsp__span *span, bool is_filled,
                       uint32_t sweeps);


/* ---- sweep.c: projected Gauss-Seidel ------------------------------------- */

/* Reads the velocities of a manifold's bodies into its axes; *u belongs to body
 * 0. */
void vsp__load_local_velocity(const vsp__manifold_view *s,
                              const vsp__velocity *u, vsp__local_velocity *l);

/* Adds the change since the velocities were loaded to both bodies. */
void vsp__store_local_velocity(const vsp__manifold_view *s,
                               const vsp__local_velocity *l, vsp__velocity *u);

/* Changes velocities by a change x of the three multipliers of a point, eq.
 * 33. */
void vsp__push_point_rows(vsp__local_velocity *l, const vsp__point_rows *row,
                          const vsp__num x[3]);

/* Sweeps a span at most count times, until the largest change of a multiplier
 * is below the tolerance, m/s.  Returns that change. */
vsp__num vsp__sweep_rows(vsp_world *world, const vsp__span *span,
                         uint32_t count, vsp__num tolerance);


/* ---- apply.c: impulses to multipliers to velocities ---------------------- */

/* Adds the effect of all multipliers of a manifold, in full, to velocities. */
void vsp__apply_manifold(const vsp__manifold_view *s);

/* Applies the multipliers of all manifolds of a span. */
void vsp__apply_multipliers(vsp_world *world, const vsp__span *span);

/* Converts tangential multipliers x[1], x[2] along two axes into those along
 * two others. */
void vsp__rotate_tangents(vsp__num *x, const vsp__v3 *axes,
                          const vsp__v3 *others);

/* Returns the tangents that depend on the normal alone, along which impulses
 * are stored.  With pyramids the block may have other tangents, so these are
 * computed in *t. */
const vsp__v3 *vsp__normal_tangents(const vsp__manifold_view *s, vsp__v3 *t);

/* Converts the impulses of a manifold's points into multipliers. */
void vsp__load_multipliers(const vsp__manifold_view *s);

/* Loads the multipliers of a manifold and applies them. */
void vsp__warm_start(const vsp__manifold_view *s);


/* ---- warm.c: impulses from step to step ---------------------------------- */

/* Copies the records of sleeping pairs to vsp__sleeping_records, before the
 * problem overwrites them. */
void vsp__save_sleeping_records(vsp_world *world);

/* Fills the impulses of the solved list from the records of the last step. */
void vsp__load_warm_records(vsp_world *world);

/* Converts the multipliers of a span's contacts into impulses, N s. */
void vsp__store_contact_impulses(vsp_world *world, const vsp__span *span);

/* Stores the impulses of a span's contacts and joints after its solve. */
void vsp__store_impulses(vsp_world *world, const vsp__span *span);

/* Makes records of the impulses of the solved list, at the end of a step. */
void vsp__store_warm_records(vsp_world *world);


/* ---- correct.c: positions ------------------------------------------------ */

/* Corrects the positions of a span, eq. 46, if an overlap or an error of a
 * joint is above the tolerance.  Gaps must be up to date.  Returns whether it
 * corrected anything. */
bool vsp__correct_positions(vsp_world *world, const vsp__span *span);

/* Fills *fallen, the span of floating bodies, their contacts in the after list
 * and their joints, in which all other bodies are fixated; then corrects it.
 * Returns false if nothing floats, or no overlap is above the tolerance. */
bool vsp__correct_fallen(vsp_world *world, const vsp__span *all,
                         vsp__span *fallen);


/* ---- merit.c: distance from a solution ----------------------------------- */

/* Clamps the tangential multipliers x[1], x[2] of a point, as a sweep does, to
 * the cone or pyramid of this friction and normal multiplier, m/s. */
void vsp__clamp_tangents(const vsp_world *world, vsp__num friction,
                         vsp__num normal, vsp__num *x);

/* Computes y = J u + b of a point, the w of eq. 20: m/s. */
void vsp__point_motion(const vsp__manifold_view *s, uint32_t point,
                       const vsp__local_velocity *u, vsp__num y[3]);

/* Returns theta of eq. 38 for a span, with multipliers as velocities: (m/s)^2.
 * Returns 0 where the build does not need it. */
vsp__wide vsp__velocity_merit(vsp_world *world, const vsp__span *span);


/* ---- solve.c: the velocity problem --------------------------------------- */

/* Assembles the rows of a span of the solved list.  Motors push for `part`
 * seconds of the step.  If is_start, contacts start warm. */
void vsp__assemble_rows(vsp_world *world, const vsp__span *span, vsp__num part,
                        bool is_start);

/* Flushes the multipliers and velocities of a span.  A number that converges
 * to 0 shrinks in each sweep: after about twenty sweeps it could become
 * subnormal. */
void vsp__flush_solution(vsp_world *world, const vsp__span *span);


/* ---- carry.c: velocities predicted upward, loads carried down ------------ */

/* Bottom up: predicts the velocity of each supported body from those of its
 * supports. */
void vsp__predict_velocities(vsp_world *world);

/* Top down: sets each supported body to the velocity that its supports allow,
 * and loads them with its weight. */
void vsp__carry_loads(vsp_world *world);


/* ---- search.c: line search, saved multipliers ---------------------------- */

/* Saves the multipliers of `count` points or, if is_back, restores them. */
void vsp__copy_multipliers(vsp_world *world, uint32_t first, uint32_t count,
                           bool is_back);

/* SHOCK: save the multipliers of the solved list and set them to 0; restore
 * them. */
void vsp__save_multipliers(vsp_world *world);
void vsp__restore_multipliers(vsp_world *world);

/* CARRY: a line search along the change of multipliers and velocities between
 * _begin and _end, island by island.  If is_warm, the change is the warm start
 * of contacts from multipliers of 0: an island takes the full change if its
 * best fraction is at least a tenth.  Else the change is a carry pass: an
 * island whose best fraction is less than half is left to the sweeps,
 * VSP__SWEEP_ONLY. */
void vsp__line_search_begin(vsp_world *world, bool is_warm);
void vsp__line_search_end(vsp_world *world, bool is_warm);


/* ---- start.c: warm starts that are worse than none ----------------------- */

/* CARRY, PGS: after the warm start of a span with joints: sets the multipliers
 * of an island with joints to 0 if the warm start adds too much energy to it.
 * h: duration of the step, s. */
void vsp__drop_bad_starts(vsp_world *world, const vsp__span *span, vsp__num h);


/* ---- whole.c: impulses in a whole step of SHOCK -------------------------- */

/* Begins the sums with the impulses of dynamics(a dT), whose multipliers the
 * solved list and the joints hold. */
void vsp__begin_whole_impulses(vsp_world *world, const vsp__span *all);

/* Makes all bodies unloaded, after the solves of all layers. */
void vsp__clear_loads(vsp_world *world);

/* Adds the impulses of a layer, which took `part` seconds, and those that
 * result from the load on its bodies, to the sums, and applies both to the
 * bodies below.  Call it for the layers from the top down.  Velocities of the
 * solve change, bodies do not. */
void vsp__bear_loads(vsp_world *world, const vsp__span *layer, vsp__num part);

/* Replaces the impulses of the solved list by the sums, after warm records are
 * made. */
void vsp__show_whole_impulses(vsp_world *world);


/* ---- subspace.c: projected Gauss-Seidel subspace minimization ------------ */

/* Solves for the velocities of an assembled and warm-started island.  Returns
 * the merit, (m/s)^2. */
vsp__wide vsp__solve_subspace(vsp_world *world, const vsp__span *island);

#endif /* VSP_SOLVE_H */
