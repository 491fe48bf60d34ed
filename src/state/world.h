/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The world's memory: contacts; counts of a step; struct vsp_world, with its
 * state, the contacts of a step and scratch; the pool of joints behind it; then
 * short questions about a world and its bodies.
 *
 * Scratch is bytes here; the modules that use it define what it holds. */

#ifndef VSP_WORLD_H
#define VSP_WORLD_H

#include "records.h"


/* ---- Contacts ------------------------------------------------------------ */

typedef struct vsp__pose { /* pose of a shape in the world */
    vsp__mat3 axes;
    vsp__v3 position;
} vsp__pose;

typedef struct vsp__aabb {
    vsp__v3 low, high;
} vsp__aabb;

/* The impulses of one point along the normal and two tangents, N s; during a
 * velocity solve the multipliers of its rows instead, which are rates. */
typedef union vsp__multiplier {
    vsp__wide impulse[3];
    vsp__num row[3];
} vsp__multiplier;

typedef struct vsp__manifold_point {
    /* the point on a and on b, from the body's centre of mass, in body axes */
    vsp__v3 arm[2];
    /* m along the normal, negative where shapes overlap; while multipliers are
     * saved, one of them replaces the gap */
    vsp__num gap;
    vsp__num bias; /* the part of b of eq. 20 that is not J u: a rate */
    vsp__multiplier multiplier;
} vsp__manifold_point;

typedef struct vsp__manifold {
    uint16_t shape[2]; /* a, b: a < b, or a is a half-space */
    uint16_t body[2];
    uint32_t first_point;
    uint8_t point_count; /* 1 to 4 */
    uint8_t flags;       /* VSP__LOWER_BODY_BITS ... */
    uint16_t layer;
    uint8_t feature[4]; /* of each point */
    vsp__v3 normal;     /* a to b */
    vsp__num friction;
#if VSP_MATERIALS
    uint32_t material; /* number in the palette of a shape's table, or 0 */
#endif
} vsp__manifold;

/* flags of a manifold: which body is lower in the stack, 0 neither, 1 body a, 2
 * body b */
#define VSP__LOWER_BODY_BITS 3u

/* the pair touched in the step before; set in the pair's first manifold */
#define VSP__TOUCHED_BEFORE 4u

/* its contacts are left to the sweeps in this step: they carry no load in a
 * carry pass */
#define VSP__SWEEP_ONLY 8u

/* its bodies hardly moved: the after list copies it */
#define VSP__STILL 16u

/* a seam, whose row is left out in this step: vsp__is_seam */
#define VSP__SEAM 32u

/* it has rows of rolling and spinning friction, in the place of a point behind
 * its own ones; only in the solved list */
#define VSP__ROLLS 64u

static inline bool vsp__rolls(const vsp__manifold *m)
{
    return VSP_ROLLING && (m->flags & VSP__ROLLS) != 0;
}

#if VSP_MATERIALS
static inline uint32_t vsp__material_of(const vsp__manifold *m)
{
    return m->material;
}
#else
static inline uint32_t vsp__material_of(const vsp__manifold *m)
{
    (void)m;
    return 0;
}
#endif

/* Returns the number of a manifold's places in the list of points. */
static inline uint32_t vsp__row_points(const vsp__manifold *m)
{
    return m->point_count + (vsp__rolls(m) ? 1u : 0);
}

static inline uint32_t vsp__lower_body(const vsp__manifold *m)
{
    return m->flags & VSP__LOWER_BODY_BITS;
}

static inline uint32_t vsp__pair_key(const vsp__manifold *m)
{
    return (uint32_t)m->shape[0] << 16 | m->shape[1];
}

/* The two lists of contacts: the solved list, detected before the move, for
 * the velocity problem; the after list, detected after it, for the last
 * correction. */
enum { VSP__CONTACTS_SOLVED = 0, VSP__CONTACTS_AFTER = 1 };

/* The pairs that vsp__detect_contacts includes.  One body of each pair is
 * dynamic. */
typedef enum vsp__pair_scope {
    VSP__PAIRS_AWAKE,   /* neither body sleeps */
    VSP__PAIRS_TOUCHED, /* those of VSP__PAIRS_AWAKE, and pairs of a sleeping
                           body with one that is awake, or kinematic and
                           moving */
    VSP__PAIRS_ALL
} vsp__pair_scope;

typedef struct vsp__contact_counts {
    uint32_t manifold_count, point_count, dropped;
} vsp__contact_counts;


/* ---- Counts -------------------------------------------------------------- */

/* The numbers of vsp_stats, in the engine's formats. */
typedef struct vsp__counters {
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
    uint32_t slowed_count;
    uint32_t node_count, touch_count, part_count, gap_count; /* work */
    uint32_t spent;                                          /* VSP_SPENT_... */
    vsp__num residual;
    vsp__wide merit;
#if VSP__HAS_CLOCK
    uint32_t ticks[4]; /* ticks of VSP_CLOCK in each phase, as in vsp_stats */
    uint32_t since;    /* time at which the present phase began */
#endif
} vsp__counters;


/* ---- The world ----------------------------------------------------------- */

#define VSP__NO_HEIGHT 0xffffu /* height of a body that floats */

/* Memory for the state that a restore reads and checks. */
typedef struct vsp__restore_buffer {
    vsp__params params;
    uint32_t body_count, shape_count, warm_count; /* records */
    uint32_t sensed_count, joint_count, hull_count;
#if VSP_MAX_RUNTIME_HULLS > 0
    uint32_t hulls[VSP__HULL_BYTES / 4u]; /* of the world, while those read
                                             take their place */
#endif
#if VSP_FIELD_EDITS
    uint32_t tile_count;
#endif
    vsp__body bodies[VSP_MAX_BODIES];
    vsp__shape shapes[VSP_MAX_SHAPES];
} vsp__restore_buffer;

#define VSP__WORK_BYTES VSP__LARGER(VSP__FIND_BYTES, VSP__SOLVE_BYTES)
#define VSP__PROBLEM_BYTES      \
    VSP__LARGER(VSP__ROW_BYTES, \
                VSP__LARGER(VSP__INCOMING_BYTES, VSP__SOLVE_BYTES))

/* Scratch is three pieces of memory that phases share, as no phase needs all:
 *
 *     work     by body and shape: vsp__find or vsp__solver_scratch
 *     problem  by contact: vsp__contact_scratch, or memory between steps
 *     one      for one pair or one body: vsp__reducer or vsp__support
 *
 * What is alive in them in each phase, by names of members; "-" is nothing:
 *
 *     phase                            work    problem              one
 *     -------------------------------  ------  -------------------  --------
 *     between steps: queries, restore  find    incoming, warm       reducer
 *     fly to impacts                   find    warm, solve          -
 *     detect the solved list           find    warm                 reducer
 *     wake what it reaches             solve   warm                 -
 *     start bodies, load warm records  solve   warm                 -
 *     build the stack                  solve   colours              -
 *     find biases                      solve   rows                 -
 *     solve for velocities             solve   blocks, rows         supports
 *     find times of impact             find    solve                -
 *     move                             solve   before               -
 *     build the stack again            solve   before, colours      -
 *     correct by the solved list       solve   before, corrections  -
 *     detect the after list            find    list                 reducer
 *     sort the after list              solve   list, colours        -
 *     correct by the after list        solve   list, corrections    -
 *     clear the paths of shells        find    -                    -
 *     store warm records               -       warm                 -
 *
 * SHOCK solves, moves and corrects once for all bodies and once a layer, and
 * solves layers again for their loads.  SUBSPACE, and SHOCK with joints, build
 * the stack again.  PGS has no phases between move and the after list.  From
 * "load" to "store" the warm records of sleeping pairs are behind the points of
 * the solved list: vsp__sleeping_records.  After "store", the loads of unions
 * are computed in work: union_load.c. */
struct vsp_world {
    uint32_t magic, options; /* identify a world made by this build */
    uint32_t table_count;
    uint32_t body_limit, shape_limit;  /* all slots from here on are free */
    uint32_t body_used, shape_used;    /* no slot from here on was ever used */
    uint32_t body_free, shape_free;    /* all slots before this are in use */
    uint32_t warm_count, sensed_count; /* state */
    vsp__contact_counts contacts[2];   /* by VSP__CONTACTS_... */
    vsp__num gravity_speed; /* speed that gravity adds in one step, 0.001 m/s
                               at least: other speeds are compared with it */
    uint32_t layer_count;   /* layers above fixed ground, from 0; the next one
                               holds the floating bodies */
    uint32_t sleeping_record_count; /* vsp__sleeping_records of this step */
    uint32_t event_count, sensing_count;
    uint32_t changes;      /* grows whenever shapes may have moved */
    uint32_t rested;       /* `changes` when all was at rest in a step */
    uint32_t indexed;      /* `changes` when queries last filled work.find */
    uint32_t leaf_count;   /* shapes in the tree of work.find */
    uint32_t plane_count;  /* half-spaces, which are in no tree */
    uint32_t pair_scope;   /* vsp__pair_scope */
    uint32_t part_limit;   /* budget of work on one pair:
                              vsp__reducer.left */
    uint32_t part_left;    /* budget for all later pairs of the
                              pass */
    uint32_t gap_left;     /* budget of impacts for swept bodies in
                              this step */
    uint32_t sweep_limit;  /* see vsp_world_def */
    uint32_t locked_count; /* bodies with locks, in this step */
    uint32_t belt_count;   /* shapes that are belts, in this step */
    vsp__counters stats;
    const void *tables[VSP_MAX_TABLES]; /* checked; table number 1 is first */

    /* state */
    vsp__params params;

    /* Scratch of a whole step.  Small arrays first, then frequent ones: CPUs
     * with short offsets then need fewer instructions.  With 64 bodies, bodies
     * begin at a multiple of 256 on 32-bit CPUs, and the arrays behind them as
     * well: Thumb adds such an offset at once.  So members of an option are at
     * the end, except flown and lead, of 256 and 768 bytes. */
#if VSP_CCD
    vsp__num flown[VSP_MAX_BODIES]; /* units: the fraction of the step
                                       that a bullet moved before the
                                       solve */
    vsp__v3 lead[VSP_MAX_BODIES];   /* m: from its place in the solve to
                                       its impact; added at the move */
#endif
    uint16_t height[VSP_MAX_BODIES];         /* heights, or VSP__NO_HEIGHT */
    uint16_t island[VSP_MAX_BODIES];         /* lowest slot in a body's
                                                island */
    uint16_t layer_order[VSP_MAX_MANIFOLDS]; /* manifolds by layer */
    uint16_t links[2 * VSP_MAX_MANIFOLDS];   /* manifolds by body */

    uint32_t work[VSP__WORK_BYTES / 4u]; /* scratch: see the table above */

    /* state */
    vsp__body bodies[VSP_MAX_BODIES];
    vsp__shape shapes[VSP_MAX_SHAPES];

    /* scratch of a whole step; a program can read contacts until the next
       step */
    vsp__manifold manifolds[VSP_MAX_MANIFOLDS]; /* the solved list, by pair */
    vsp__manifold_point points[VSP_MAX_CONTACTS];

    /* state */
    uint32_t sensed[VSP_MAX_SENSED]; /* pair keys of a sensor, sorted */
#if VSP_PAIR_RULES
    uint32_t rule_count; /* no rule from here on is used */
    vsp__pair_record rules[VSP_MAX_PAIR_RULES];
#endif
#if VSP_FIELD_EDITS
    uint32_t tile_count;
    vsp__field_tile tiles[VSP_MAX_FIELD_TILES]; /* by shape, row, column */
#endif
    /* and problem.between.warm */

    /* scratch of a whole step; a program can read events until the next step */
    uint32_t sensing[VSP_MAX_SENSED]; /* the next `sensed` */
    vsp_event events[VSP_MAX_EVENTS];
#if VSP_ROLLING
    uint32_t rolling_count; /* shapes with rolling or spinning friction, in this
                               step */
#endif

    /* scratch of a phase: see the table above */
    union {
        const void *alignment;
        unsigned char
            bytes[VSP__LARGER(VSP__REDUCER_BYTES, VSP__SUPPORT_BYTES)];
    } one;
    union {
        struct { /* memory between steps; warm is state */
            vsp__restore_buffer incoming;
            vsp__warm_record warm[VSP_MAX_CONTACTS];
        } between;
        struct { /* the after list */
            vsp__manifold manifolds[VSP_MAX_MANIFOLDS];
            vsp__manifold_point points[VSP_MAX_CONTACTS];
        } list;
        uint32_t words[VSP__PROBLEM_BYTES / 4u];
    } problem;
};

/* An index in a list of manifolds, joints, bodies or world->links; each
 * manifold has two links. */
#if VSP_MAX_MANIFOLDS <= 32767
typedef uint16_t vsp__link;
#else
typedef uint32_t vsp__link;
#endif

/* Fields of a joint that undoing a step restores. */
typedef struct vsp__kept_joint {
    uint32_t flags;
    vsp__wide impulse[VSP__JOINT_ROWS];
} vsp__kept_joint;

/* Joints, behind the world in builds with joints.  A link is one of a joint's
 * two ends: links 2 i and 2 i + 1 are joint i for bodies 0 and 1. */
typedef struct vsp__joint_pool {
    uint32_t limit, used, free;                 /* slots, as those of bodies */
    vsp__link layer_joints[VSP_MAX_BODIES + 1]; /* a layer's first index in
                                                   `order` */
    uint16_t first[VSP_MAX_BODIES];    /* a body's first link + 1, or 0 */
    uint16_t order[VSP_MAX_JOINTS];    /* joints by layer */
    uint16_t next[2 * VSP_MAX_JOINTS]; /* next link + 1 of the body, or 0 */
    vsp__joint joints[VSP_MAX_JOINTS];
    union {
        uint32_t step_joints[VSP_MAX_JOINTS * VSP__JOINT_ROW_BYTES / 4u];
        vsp__joint incoming[VSP_MAX_JOINTS]; /* joints that a restore has
                                                read */
    } scratch;
#if VSP_RANGES
    vsp__num web_changes[3 * VSP_MAX_JOINTS]; /* changes of multipliers:
                                                 web.c */
#endif
#if VSP_HINGE_LOOPS
    uint32_t hinge_loops[VSP__HINGE_LOOP_BYTES / 4u]; /* scratch */
#endif
#if VSP_UNIONS
    uint32_t unions[VSP__UNION_BYTES / 4u]; /* scratch of a whole step */
#endif
#if VSP_UNIONS || VSP_SHELLS
    vsp__kept_joint kept[VSP_MAX_JOINTS]; /* scratch of a whole step */
#endif
} vsp__joint_pool;

static inline vsp__joint_pool *vsp__joint_pool_of(const vsp_world *world)
{
    return (vsp__joint_pool *)(void *)(world + 1);
}


/* ---- Workers --------------------------------------------------------------
 * Scratch of a step with workers; behind the world in builds with
 * VSP_WORKERS. */

#if VSP_WORKERS

typedef struct vsp__crew {
    vsp_workers workers;   /* not state; run is null: none */
    uint32_t level_count;  /* 0: there are no levels */
    uint32_t level_key[4]; /* of the span that the levels are of */
    vsp__num changes[VSP_MAX_CONTACTS][3];          /* of multipliers */
    vsp__wide slopes[VSP_MAX_MANIFOLDS][2];         /* of the line search */
    uint32_t supports[64][VSP__SUPPORT_BYTES / 4u]; /* of the body that a piece
                                                       treats */
    uint16_t level_first[VSP__LEVELS + 1u];         /* a level's first in
                                                       level_order */
    uint16_t level_block[VSP__LEVELS + 1u];  /* its first block of lanes */
    uint16_t level_order[VSP_MAX_MANIFOLDS]; /* places in layer_order */
    uint8_t level[VSP_MAX_MANIFOLDS];        /* of the manifold at a place */
    int8_t score[VSP_MAX_MANIFOLDS];         /* impact scores */
    uint16_t after[VSP_MAX_BODIES];          /* level behind the last one of a
                                                body; flag: carry.c, ccd.c */
    uint32_t touches[VSP__TOUCH_BATCH * VSP__TOUCH_BYTES / 4u];
} vsp__crew;

static inline vsp__crew *vsp__crew_of(const vsp_world *world)
{
    return (vsp__crew *)(void *)((unsigned char *)vsp__joint_pool_of(world) +
                                 VSP__JOINT_BYTES + VSP__STEPPER_BYTES +
                                 VSP__LANE_BYTES);
}

#endif


/* ---- Supported bodies -----------------------------------------------------
 * Scratch of a search for supported bodies; behind the world in builds with
 * VSP_SUPPORTS. */

#define VSP__FLAT_POINTS 32u /* points from which a hull is made at once */

typedef struct vsp__flat_point { /* m, projected along gravity */
    vsp__num x, y;
} vsp__flat_point;

typedef struct vsp__supported {
    uint32_t changes; /* world->changes when a program last read the result */
    uint32_t point_count, hull_count;
    vsp__flat_point points[VSP__FLAT_POINTS];
    vsp__flat_point hull[VSP__FLAT_POINTS + 1u]; /* convex, counterclockwise */
    uint16_t queue[VSP_MAX_BODIES];
    uint8_t body[VSP_MAX_BODIES];       /* VSP__IS_SUPPORTED ... */
    uint8_t bearing[VSP_MAX_MANIFOLDS]; /* bits of points on bodies that do not
                                           move, or in the hull of a supported
                                           body */
} vsp__supported;

#define VSP__IS_SUPPORTED 1u
#define VSP__SUPPORT_QUEUED 2u
#define VSP__SUPPORT_LOOK 4u /* from this bit on: number of visits */

static inline vsp__supported *vsp__supported_of(const vsp_world *world)
{
    return (
        vsp__supported *)(void *)((unsigned char *)vsp__joint_pool_of(world) +
                                  VSP__BEHIND_BYTES - VSP__HULL_BYTES -
                                  VSP__SUPPORTED_BYTES);
}


/* ---- State for a retake: step/retake.c ----------------------------------- */

/* State before the step; that of joints is in the joint pool. */
typedef struct vsp__kept_step {
    uint32_t warm_count, sensed_count;
    vsp__warm_record warm[VSP_MAX_CONTACTS];
    uint32_t sensed[VSP_MAX_SENSED];
    vsp__body bodies[VSP_MAX_BODIES];
} vsp__kept_step;

static inline vsp__kept_step *vsp__kept_step_of(const vsp_world *world)
{
    return (
        vsp__kept_step *)(void *)((unsigned char *)vsp__joint_pool_of(world) +
                                  VSP__BEHIND_BYTES - VSP__HULL_BYTES -
                                  VSP__SUPPORTED_BYTES - VSP__SHELL_BYTES -
                                  VSP__KEPT_BYTES);
}


/* ---- Paths of a step: step/path.c ---------------------------------------- */

/* A hit of two shapes on a path, which the next detection adds as a contact.
 * Points as in vsp__path_hit. */
typedef struct vsp__told_hit {
    uint32_t pair;
    uint32_t feature;
    vsp__v3 on[2];
    vsp__v3 normal;
} vsp__told_hit;

/* Distance of a pair of shapes at the start of a step. */
typedef struct vsp__pair_gap {
    uint32_t pair;
    vsp__num gap; /* m, or a lower bound */
} vsp__pair_gap;

/* Poses of bodies at the start of a step, and at the ends of paths: end[0] is
 * predicted, end[k] is that of try k.  Shells are kept apart from other shapes
 * on these paths. */
typedef struct vsp__paths {
    uint32_t shell_count; /* 0: no paths are tested */
    uint32_t count;       /* paths so far: 1 + number of retaken tries */
    uint32_t shown;       /* paths whose hits this detection adds */
    uint32_t is_again;    /* the step must be retaken */
    uint32_t round;       /* number of the present round of answers to hits */
    uint32_t left;        /* facet pairs left in the budget */
    uint32_t is_used_up;  /* some pairs may be missing */
    uint32_t first_hit[VSP__PATHS + 1]; /* index of each path's first hit in
                                           told_hits, which is sorted by path,
                                           then pair; and the end */
    uint32_t next_hit[VSP__PATHS];      /* next hit of each path to read */
    uint32_t gap_count, next_gap;       /* pairs in pair_gaps, sorted by pair;
                                           next to read */
    vsp__frame start[VSP_MAX_BODIES];
    vsp__frame end[VSP__PATHS][VSP_MAX_BODIES];
    uint16_t changed[VSP_MAX_BODIES]; /* last round that changed its path */
    uint16_t stop[VSP_MAX_BODIES];    /* STOP_MOST, STOP_ALL, or 0 */
    vsp__told_hit told_hits[VSP_MAX_MANIFOLDS];
    vsp__pair_gap pair_gaps[VSP_MAX_PAIRS];
} vsp__paths;

static inline vsp__paths *vsp__paths_of(const vsp_world *world)
{
    return (vsp__paths *)(void *)((unsigned char *)vsp__joint_pool_of(world) +
                                  VSP__BEHIND_BYTES - VSP__HULL_BYTES -
                                  VSP__SUPPORTED_BYTES - VSP__SHELL_BYTES);
}


/* ---- Runtime hulls --------------------------------------------------------
 * State, behind the world in builds with VSP_MAX_RUNTIME_HULLS.  Arrays of a
 * runtime hull follow its table, whose addresses are null, because a world can
 * move.  Therefore all code reads the arrays of any hull by VSP__HULL_PART. */

#define VSP__RUNTIME_TABLES 65000u /* table number of slot k: this + k + 1 */

#if VSP_MAX_RUNTIME_HULLS > 0

#define VSP__RUNTIME_FACES (2u * VSP_MAX_HULL_POINTS - 4u)
#define VSP__RUNTIME_EDGES (3u * VSP_MAX_HULL_POINTS - 6u)

typedef struct vsp__runtime_hull {
    vsp_hull table;      /* of kind 0: the slot is free */
    uint16_t generation; /* counts the uses of this slot */
    uint16_t reserved;
    vsp_place vertices[VSP_MAX_HULL_POINTS];
    vsp_plane planes[VSP__RUNTIME_FACES];
    uint16_t first[VSP__RUNTIME_FACES + 4u]; /* the last three are not used */
    uint8_t corners[2u * VSP__RUNTIME_EDGES];
    vsp_hull_edge edges[VSP__RUNTIME_EDGES];
} vsp__runtime_hull;

typedef struct vsp__hull_pool {
    uint32_t used; /* no slot from here on was ever used */
    uint32_t reserved;
    vsp__runtime_hull hulls[VSP_MAX_RUNTIME_HULLS];
} vsp__hull_pool;

static inline vsp__hull_pool *vsp__hull_pool_of(const vsp_world *world)
{
    return (
        vsp__hull_pool *)(void *)((unsigned char *)vsp__joint_pool_of(world) +
                                  VSP__BEHIND_BYTES - VSP__HULL_BYTES);
}

/* Returns the table with a number that exists. */
static inline const void *vsp__table_at(const vsp_world *world, uint32_t number)
{
    return number <= VSP_MAX_TABLES
               ? world->tables[number - 1u]
               : (const void *)(vsp__hull_pool_of(world)->hulls +
                                (number - VSP__RUNTIME_TABLES - 1u));
}

/* Whether a number is that of a table, or of a slot of runtime hulls. */
static inline bool vsp__is_table(const vsp_world *world, uint32_t number)
{
    return number - 1u < world->table_count ||
           number - VSP__RUNTIME_TABLES - 1u < VSP_MAX_RUNTIME_HULLS;
}

#define VSP__HULL_PART(hull, part) \
    ((hull)->part != NULL          \
         ? (hull)->part            \
         : ((const vsp__runtime_hull *)(const void *)(hull))->part)

#else

static inline const void *vsp__table_at(const vsp_world *world, uint32_t number)
{
    return world->tables[number - 1u];
}

static inline bool vsp__is_table(const vsp_world *world, uint32_t number)
{
    return number - 1u < world->table_count;
}

#define VSP__HULL_PART(hull, part) ((hull)->part)

#endif /* VSP_MAX_RUNTIME_HULLS */

/* Returns the hull of a shape that has one. */
static inline const vsp_hull *vsp__hull_of(const vsp_world *world,
                                           const vsp__shape *shape)
{
    return (const vsp_hull *)vsp__table_at(world, shape->table);
}


#if VSP_UNIONS

/* ---- Unions: step/union.c ------------------------------------------------ */

typedef struct vsp__shape_home { /* a shape outside of a step */
    vsp__frame pose;
    vsp__v3 surface;
    uint16_t next_shape, body;
} vsp__shape_home;

typedef struct vsp__joint_ends { /* a joint outside of a step */
    vsp__frame frame[2];
    uint16_t body[2];
} vsp__joint_ends;

/* Unions of a step: the bodies of one union after the other, each from its root
 * on, in the order in which rigid joints reach them. */
typedef struct vsp__unions {
    uint32_t count;
    uint32_t is_used;   /* whether there are rigid joints */
    uint32_t is_weak;   /* whether some may break or bend */
    uint32_t is_joined; /* whether roots replace unions now */
    uint32_t tries;     /* how often the step was retaken */
    uint16_t order[VSP_MAX_BODIES];
    uint16_t root[VSP_MAX_BODIES];    /* root of its union, + 1; 0: none */
    uint16_t joint[VSP_MAX_BODIES];   /* joint by which it was reached */
    uint16_t was[VSP_MAX_BODIES];     /* its root before joints broke; earlier,
                                         of a root: end of its joint list */
    vsp__v3 start[VSP_MAX_BODIES];    /* position of a root, joined */
    vsp__frame place[VSP_MAX_BODIES]; /* in the root's frame */
    vsp__shape_home home[VSP_MAX_SHAPES];
    vsp__joint_ends ends[VSP_MAX_JOINTS];
} vsp__unions;

/* in joints.c */
VSP__CALLED vsp__unions *vsp__unions_of(const vsp_world *world);

#endif


/* ---- Lists and records --------------------------------------------------- */

/* return the manifolds, the points of a list, VSP__CONTACTS_SOLVED or
 * ..._AFTER */
static inline vsp__manifold *vsp__manifolds_of(vsp_world *world, uint32_t list)
{
    return list == VSP__CONTACTS_SOLVED ? world->manifolds
                                        : world->problem.list.manifolds;
}

static inline vsp__manifold_point *vsp__points_of(vsp_world *world,
                                                  uint32_t list)
{
    return list == VSP__CONTACTS_SOLVED ? world->points
                                        : world->problem.list.points;
}

VSP_STATIC_ASSERT(sleeping_records_fit,
                  sizeof(vsp__warm_record) <= sizeof(vsp__manifold_point));

/* Returns the warm records of sleeping pairs during a step.  They are at the
 * end of the array of points, where the solved list leaves space for them,
 * because the problem uses the memory of warm records. */
static inline vsp__warm_record *vsp__sleeping_records(vsp_world *world)
{
    return (vsp__warm_record *)(void *)(world->points + VSP_MAX_CONTACTS) -
           world->sleeping_record_count;
}


/* ---- Questions about a world --------------------------------------------- */

/* Which stepper a world uses.  False at compile time for a stepper that the
 * build leaves out.  If all are false, the stepper is PGS. */
static inline bool vsp__is_carry(const vsp_world *world)
{
    return VSP_CARRY && world->params.stepper == (uint32_t)VSP_STEPPER_CARRY;
}

static inline bool vsp__is_shock(const vsp_world *world)
{
    return VSP_SHOCK && world->params.stepper == (uint32_t)VSP_STEPPER_SHOCK;
}

static inline bool vsp__is_subspace(const vsp_world *world)
{
    return VSP_SUBSPACE &&
           world->params.stepper == (uint32_t)VSP_STEPPER_SUBSPACE;
}

/* Returns the bits of params.search that must be set, for the parts that the
 * build leaves out. */
static inline uint32_t vsp__parts_left_out(void)
{
    return (VSP_JOINTS && !VSP_RANGES ? VSP__NO_RANGES : 0u) |
           (VSP_JOINTS && !VSP_HINGE_LOOPS ? VSP__NO_HINGE_LOOPS : 0u) |
           (VSP_SEAMS ? 0u : VSP__NO_SEAMS);
}

/* whether bodies slide over seams of floors */
static inline bool vsp__has_seams(const vsp_world *world)
{
    return VSP_SEAMS && !(world->params.search & VSP__NO_SEAMS);
}

/* whether hinge loops stay in a plane */
static inline bool vsp__has_hinge_loops(const vsp_world *world)
{
    return VSP_HINGE_LOOPS && !(world->params.search & VSP__NO_HINGE_LOOPS);
}

/* whether ranges carry heavy loads on chains */
static inline bool vsp__has_ranges(const vsp_world *world)
{
    return VSP_RANGES && !(world->params.search & VSP__NO_RANGES);
}

/* whether PGS freezes supported bodies */
static inline bool vsp__has_supports(const vsp_world *world)
{
    return VSP_SUPPORTS && (world->params.search & VSP__FREEZES_SUPPORTED);
}

static inline bool vsp__has_joints(const vsp_world *world, uint32_t body)
{
    return VSP_JOINTS && vsp__joint_pool_of(world)->first[body] != 0;
}

/* returns the other body of a joint, from a link + 1 */
static inline uint32_t vsp__joined_by(const vsp__joint_pool *pool,
                                      uint32_t link)
{
    return pool->joints[(link - 1u) / 2].body[link % 2];
}

/* Returns the table with this number, or null if it is not of this type. */
static inline const void *vsp__table_of_kind(const vsp_world *world,
                                             uint32_t number, uint32_t kind)
{
    const void *table;

    if (!vsp__is_table(world, number))
        return (const void *)0;
    table = vsp__table_at(world, number);
    return *(const uint32_t *)table == kind ? table : (const void *)0;
}

/* Whether shapes have rolling or spinning friction in this step. */
#if VSP_ROLLING
static inline bool vsp__is_rolling(const vsp_world *world)
{
    return world->rolling_count > 0;
}
#else
static inline bool vsp__is_rolling(const vsp_world *world)
{
    (void)world;
    return false;
}
#endif

/* Whether steps need to know what touched in the step before, for events or for
 * one-way surfaces: then each contact with an impulse has a warm record. */
static inline bool vsp__recalls_touches(const vsp__params *p, bool has_rules)
{
    return has_rules || (VSP_EVENTS && p->reports != 0);
}

/* Whether steps store warm records, for this or for warm starting. */
static inline bool vsp__uses_warm_records(const vsp__params *p, bool has_rules)
{
    return p->warm_start != 0 || vsp__recalls_touches(p, has_rules);
}


/* ---- Questions about a body ---------------------------------------------- */

static inline bool vsp__is_at_rest(const vsp__body *body)
{
    return vsp__are_zero(&body->velocity.x, 6); /* and spin */
}

/* whether forces and contacts move the body while it is awake */
static inline bool vsp__is_dynamic(const vsp__body *body)
{
    return body->type == (uint32_t)VSP_DYNAMIC + 1u &&
           w_less(VSP__W_ZERO, body->mass_data.mass);
}

/* returns vsp_body_type + 1, also of a disabled body */
static inline uint32_t vsp__type_of_body(const vsp__body *body)
{
    return VSP_EDITS ? body->type & (VSP__DISABLED - 1u) : body->type;
}

/* whether a body is out of the simulation */
static inline bool vsp__is_disabled(const vsp__body *body)
{
    return VSP_EDITS && (body->type & VSP__DISABLED) != 0;
}

/* neither kinematic nor dynamic, whatever its mass */
static inline bool vsp__is_static(const vsp__body *body)
{
    return body->type == (uint32_t)VSP_STATIC + 1u;
}

static inline bool vsp__is_asleep(const vsp__body *body)
{
    return VSP_SLEEP && (body->flags & VSP__ASLEEP) != 0;
}

/* whether a slot has a shape, on a body that is not disabled */
static inline bool vsp__is_present(const vsp_world *world,
                                   const vsp__shape *shape)
{
    return shape->type != VSP_SHAPE_NONE &&
           !vsp__is_disabled(world->bodies + shape->body);
}

/* whether the surface of a shape turns */
static inline bool vsp__is_turning(const vsp__shape *shape)
{
    return VSP_EDITS && (shape->rules & VSP__TURNS) != 0;
}

/* dynamic and not asleep */
static inline bool vsp__is_awake(const vsp__body *body)
{
    return vsp__is_dynamic(body) && !vsp__is_asleep(body);
}

#endif /* VSP_WORLD_H */
