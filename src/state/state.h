/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Module state: the world's memory (world.h, with records.h and words.h);
 * checks of arguments and of all numbers in a state; slots and ids; sleep of
 * bodies; the pool of joints.  It uses no geometry and no solver. */

#ifndef VSP_STATE_H
#define VSP_STATE_H

#include "world.h"

#define VSP__WORLD_MAGIC 0x57505356u /* "VSPW" */

/* The weakest pull whose motion must not be lost, as a fraction of gravity.  It
 * moves a frictionless box on a slope of 0.7 minutes of arc. */
#define VSP__LEAST_PULL VSP__UNIT(0.0002)

/* Returns the width of touching, m: two solids touch if their gap is smaller.
 * Points that touch may not come closer, and wider gaps may close down to this
 * width.  If gaps as small as rounding errors could close, a motion that closes
 * some would open others, without end. */
static inline vsp__num vsp__touch_width(const vsp_world *world)
{
    return u_mul(world->params.envelope, VSP__UNIT(0.02));
}

/* Returns whether a shape is a cylinder or a cone. */
static inline bool vsp__is_turned(const vsp__shape *shape)
{
    return VSP_ROUNDS &&
           (shape->type == VSP_SHAPE_CYLINDER || shape->type == VSP_SHAPE_CONE);
}

/* Returns whether a shape is a tapered capsule. */
static inline bool vsp__is_taper(const vsp__shape *shape)
{
    return VSP_TAPERS && shape->type == VSP_SHAPE_TAPER;
}

/* Returns whether a shape is a cylinder, a cone or a tapered capsule. */
static inline bool vsp__is_revolved(const vsp__shape *shape)
{
    return vsp__is_turned(shape) || vsp__is_taper(shape);
}

/* Returns whether a shape is round: its lowest points change when it turns. */
static inline bool vsp__is_round(const vsp__shape *shape)
{
    return shape->type == VSP_SHAPE_SPHERE ||
           (VSP_CAPSULES && shape->type == VSP_SHAPE_CAPSULE);
}


/* ---- workers.c: work in pieces ------------------------------------------- */

/* Most pieces of a work. */
#define VSP__MOST_PIECES (VSP_WORKERS ? 64u : 1u)

/* The fewest items that are worth a piece of their own; 1 in tests, which share
 * works of any size. */
#ifndef VSP__SHARES_ALL
#define VSP__SHARES_ALL 0
#endif
#define VSP__LEAST(count) (VSP__SHARES_ALL ? 1u : (count))

/* Does items first to last - 1 of a work, which is piece `piece` of it.  Pieces
 * of one work may run at the same time: none writes what another one reads or
 * writes. */
typedef void vsp__do_piece(void *work, uint32_t piece, uint32_t first,
                           uint32_t last);

/* Results of the pieces of a work. */
typedef struct vsp__most { /* their largest, 0 or more */
    vsp__num of[VSP__MOST_PIECES];
} vsp__most;

typedef struct vsp__sums { /* their sum */
    uint32_t of[VSP__MOST_PIECES];
} vsp__sums;

static inline void vsp__clear_most(vsp__most *most)
{
    uint32_t k;

    for (k = 0; k < VSP__MOST_PIECES; k++)
        most->of[k] = 0;
}

static inline void vsp__clear_sums(vsp__sums *sums)
{
    uint32_t k;

    for (k = 0; k < VSP__MOST_PIECES; k++)
        sums->of[k] = 0;
}

static inline vsp__num vsp__most_of_all(const vsp__most *most)
{
    vsp__num largest = most->of[0];
    uint32_t k;

    for (k = 1; k < VSP__MOST_PIECES; k++)
        largest = r_largest(largest, most->of[k]);
    return largest;
}

static inline uint32_t vsp__sum_of_all(const vsp__sums *sums)
{
    uint32_t sum = sums->of[0], k;

    for (k = 1; k < VSP__MOST_PIECES; k++)
        sum += sums->of[k];
    return sum;
}

#if VSP_WORKERS

/* Whether the steps of a world have workers. */
bool vsp__has_workers(const vsp_world *world);

/* Forgets the levels of manifolds, which are about to be sorted. */
void vsp__forget_levels(vsp_world *world);

/* Does the items 0 to count - 1 of a work: in one piece, or in several of
 * `least` items or more each, which workers share.  Later pieces have later
 * items.  Unless count is 0 there is a piece 0. */
void vsp__share_work(const vsp_world *world, vsp__do_piece *do_piece,
                     void *work, uint32_t count, uint32_t least);

#else

static inline bool vsp__has_workers(const vsp_world *world)
{
    (void)world;
    return false;
}

static inline void vsp__forget_levels(vsp_world *world)
{
    (void)world;
}

/* A macro, so that compilers see which function it calls. */
#define vsp__share_work(world, do_piece, work, count, least) \
    ((void)(world), (void)(least), do_piece(work, 0, 0, count))

#endif


/* ---- fields.c: arguments, and fields of records -------------------------- */

/* Returns whether a caller's pointer is a world of this build. */
bool vsp__is_world(const vsp_world *world);

/* Returns whether each component is in [-limit, limit]. */
bool vsp__is_vector_in_range(const vsp_vec3 *v, vsp_real limit);

static inline bool vsp__is_zero_vector(const vsp_vec3 *v)
{
    return vsp__is_vector_in_range(v, 0);
}

/* Returns false if the position is out of range or the rotation is invalid. */
bool vsp__read_pose(const vsp_transform *from, vsp__frame *pose);

/* Returns whether the numbers of these fields are within their limits, and
 * flushed. */
bool vsp__are_in_range(const void *state, const vsp__field *f, uint32_t count);

/* Copy those fields that a def has: from the def to a record, rounded and not
 * checked; and back. */
void vsp__read_fields(const void *def, void *state, const vsp__field *f,
                      uint32_t count);
void vsp__show_fields(const void *state, void *def, const vsp__field *f,
                      uint32_t count);


/* ---- valid.c: limits on state -------------------------------------------- */

/* number of fields with limits in each record */
#define VSP__PARAMS_RANGES 8u
#define VSP__SHAPE_RANGES (7u + VSP_ROLLING)
#define VSP__BODY_RANGES 9u

/* Fields of vsp__joint_ranges; those of both frames are first. */
enum {
    VSP__JOINT_FRAME_RANGES = 4,
    VSP__JOINT_FIELD_LIMIT = VSP__JOINT_FRAME_RANGES,
    VSP__JOINT_FIELD_CONE,
    VSP__JOINT_FIELD_SPRING,
    VSP__JOINT_FIELD_SPEED,
    VSP__JOINT_FIELD_MOTOR,
    VSP__JOINT_FIELD_STRENGTH,
    VSP__JOINT_FIELD_YIELD,
    VSP__JOINT_FIELD_BREAK_ANGLE,
    VSP__JOINT_FIELD_TARGET,
    VSP__JOINT_FIELD_DRIVE,
    VSP__JOINT_FIELD_IMPULSE, /* from here on not in a def */
    VSP__JOINT_FIELD_BENT,
    VSP__JOINT_RANGES
};


extern const vsp__field vsp__params_ranges[VSP__PARAMS_RANGES];
extern const vsp__field vsp__shape_ranges[VSP__SHAPE_RANGES];
extern const vsp__field vsp__body_ranges[VSP__BODY_RANGES];
extern const vsp__field vsp__joint_ranges[VSP__JOINT_RANGES];

/* vsp__are_params, vsp__is_shape, vsp__is_body and vsp__is_joint return whether
 * the numbers of a record are allowed in a state: for a def, the bytes of a
 * snapshot, or a world that is checked.  Slots that a record contains are not
 * checked, except the table of a shape. */
bool vsp__are_params(const vsp__params *p);

/* Returns the count that vsp_world_def.sweep_limit bounds: sweeps and search
 * steps with these settings, at most 2^32 - 1.  A step may make several times
 * as many. */
uint32_t vsp__sweeps_of(const vsp__params *p);
bool vsp__is_shape(const vsp_world *world, const vsp__shape *s);
VSP__CALLED bool vsp__is_body(const vsp__body *b);
bool vsp__is_joint(const vsp__joint *j);

/* Whether a build has a type of joints. */
static inline bool vsp__is_joint_type(uint32_t type)
{
    return type - 1u < VSP_JOINT_DISTANCE ||
           (VSP_DRIVES &&
            (type == VSP_JOINT_AXES || type == VSP_JOINT_WHEEL)) ||
           (VSP_GEARS && (type == VSP_JOINT_GEAR || type == VSP_JOINT_PULLEY));
}

/* Returns whether mass data are valid.  A body that forces do not move has mass
 * and inertia 0.  Any other body has mass, centre and inertia within their
 * limits, and the inertia is positive definite and physically possible. */
bool vsp__is_mass_data(const vsp__mass_data *m);

/* Returns whether a shape may be on a body of this type. */
bool vsp__shape_fits_body(const vsp__shape *shape, const vsp__body *body);

/* Returns whether a joint's slots, below count, contain two bodies.  In a build
 * that cannot change their types, one of them must be dynamic. */
bool vsp__joint_fits_bodies(const vsp__joint *j, const vsp__body *bodies,
                            uint32_t count);


/* ---- scale.c: scales of hulls, meshes and height fields ------------------ */

/* Returns half of the length of a field with `count` heights along it, in units
 * of 1 / VSP_PLACE m; of an odd length the smaller half.  Its first height is
 * so far below 0. */
static inline int32_t vsp__half_field(uint32_t count, int32_t cell)
{
    return (int32_t)(count - 1u) * cell / 2;
}

/* Whether the size of a shape is a scale: that of a hull, mesh or height field
 * is.  Sizes of other shapes with a table mean nothing. */
static inline bool vsp__may_have_scale(const vsp__shape *shape)
{
    return (VSP_HULLS && shape->type == VSP_SHAPE_HULL) ||
           (VSP_MESHES && shape->type == VSP_SHAPE_MESH) ||
           (VSP_HEIGHT_FIELDS && shape->type == VSP_SHAPE_HEIGHT_FIELD);
}

/* The scale of a hull. */
typedef struct vsp__hull_scaling {
    vsp_place by;   /* in units of 1 / VSP_PLACE; x is 0: none */
    vsp__v3 factor; /* units: of the parts of a plane's normal, which is then
                       too short: `least` by each part of the scale */
    vsp__num least; /* the smallest part of the scale, without its sign */
} vsp__hull_scaling;

#if VSP_SCALES

/* Computes the scale of a shape that has a table, in units of 1 / VSP_PLACE.
 * Returns false, and zeros, if it has none. */
bool vsp__find_scale(const vsp__shape *shape, vsp_place *scale);

/* Whether a scale turns left into right, so that corners of triangles change
 * their order. */
bool vsp__is_mirror(const vsp_place *scale);

/* Scale a place, and a box. */
void vsp__scale_place(const vsp_place *scale, vsp_place *p);
void vsp__scale_box(const vsp_place *scale, vsp_place *low, vsp_place *high);

/* Fills the scale of a hull's shape. */
void vsp__find_hull_scale(const vsp__shape *shape, vsp__hull_scaling *scale);

/* Changes the plane of a hull's face, whose normal is *n and whose height is
 * `height`, to that of the scaled hull.  Returns its height, m. */
vsp__num vsp__scale_plane(const vsp_hull *hull, const vsp__hull_scaling *scale,
                          uint32_t face, vsp__num height, vsp__v3 *n);

/* Returns whether a shape with this table may have its size: none, or a scale
 * within the limits. */
bool vsp__has_valid_scale(const void *table, const vsp__shape *s);

#else

static inline bool vsp__find_scale(const vsp__shape *shape, vsp_place *scale)
{
    (void)shape;
    scale->x = scale->y = scale->z = 0;
    return false;
}

static inline bool vsp__has_valid_scale(const void *table, const vsp__shape *s)
{
    (void)table;
    return !vsp__may_have_scale(s) || vsp__are_three_zero(&s->size.x);
}

#endif /* VSP_SCALES */


/* ---- gear.c: words of GEAR and PULLEY ------------------------------------ */

#if VSP_GEARS

#define VSP__MOST_TEETH 500 /* of a wheel */

/* the fields of a PULLEY alone: both points, ratio */
#define VSP__ROPE_FIELDS 3u
extern const vsp__field vsp__rope_fields[VSP__ROPE_FIELDS];

/* Returns whether the words that differ in a GEAR or PULLEY are allowed. *plain
 * is then a FIXED joint or a DISTANCE with all other words. */
bool vsp__plain_joint(const vsp__joint *j, vsp__joint *plain);

#else

static inline bool vsp__plain_joint(const vsp__joint *j, vsp__joint *plain)
{
    (void)j;
    (void)plain;
    return false;
}

#endif


/* ---- slots.c: slots, ids, counts ----------------------------------------- */

/* Bodies, shapes and joints are stored in arrays of slots.  Each slot begins
 * with a generation and a type, which is 0 if the slot is free.  size is the
 * size of a slot.  All slots from limit on are free; no slot before lowest is
 * free. */

/* Returns the id of the object in a slot, or 0. */
uint32_t vsp__id_at(const void *slots, size_t size, uint32_t limit,
                    uint32_t slot);

/* Returns the lowest free slot; limit if all before it are in use. */
uint32_t vsp__lowest_free_slot(const void *slots, size_t size, uint32_t limit,
                               uint32_t lowest);
uint32_t vsp__free_body_slot(const vsp_world *world);
uint32_t vsp__free_shape_slot(const vsp_world *world);

/* Records that the lowest free slot is in use now. */
void vsp__use_slot(uint32_t *limit, uint32_t *used, uint32_t *lowest,
                   uint32_t slot);

/* Frees a slot: clears all except its generation.  The caller then shrinks the
 * limit. */
void vsp__empty_slot(void *slot, size_t size);
void vsp__shrink_limit(const void *slots, size_t size, uint32_t *limit);
void vsp__shrink_limits(vsp_world *world); /* of bodies and shapes */

/* Returns the slot of an id.  Id 0 gives a number that is no slot. */
uint32_t vsp__slot_of_id(uint32_t id);

/* Return the id of the object in a slot, or 0; world may be null. */
uint32_t vsp__body_id_at(const vsp_world *world, uint32_t slot);
uint32_t vsp__shape_id_at(const vsp_world *world, uint32_t slot);

/* Returns the id of the body of the shape in a slot; 0 for an empty slot. */
uint32_t vsp__owner_id_of(const vsp_world *world, uint32_t shape);

/* Return the object of an id, or null; world may be null. */
const vsp__body *vsp__get_body(const vsp_world *world, vsp_body_id id);
const vsp__shape *vsp__get_shape(const vsp_world *world, vsp_shape_id id);

/* Returns the status for an id without an object: VSP_ERR_ID, or VSP_ERR_ARG if
 * there is no world. */
vsp_status vsp__missing_status(const vsp_world *world);

/* Look up the object that a call will change, and copy it to *changed, so
 * that the call can check the change first.  Return VSP_OK or
 * vsp__missing_status. */
vsp_status vsp__find_body(vsp_world *world, vsp_body_id id, vsp__body **body,
                          vsp__body *changed);
vsp_status vsp__find_shape(vsp_world *world, vsp_shape_id id,
                           vsp__shape **shape, vsp__shape *changed);

/* Adds 1 to a count, and raises its high-water mark if needed. */
void vsp__count_up(uint32_t *count, uint32_t *high);

/* Drops the solved list and the queries' index, because shapes were added,
 * removed or moved. */
void vsp__forget_contacts(vsp_world *world);

/* Zeroes the counts of a step.  Keeps the counts of bodies, shapes and joints,
 * and all high-water marks. */
void vsp__clear_step_stats(vsp__counters *stats);


/* ---- awake.c: sleep of bodies -------------------------------------------- */

/* Makes a body awake and not calm, in any build; also the changed copy of one,
 * before it is checked and stored. */
void vsp__clear_sleep(vsp__body *body);

/* Wakes the body in a slot of a world. */
void vsp__wake_body(vsp_world *world, uint32_t body);

/* Puts a body to sleep: its velocity and spin become 0. */
void vsp__fall_asleep(vsp_world *world, uint32_t body);

bool vsp__is_moving_kinematic(const vsp__body *body);
bool vsp__is_any_asleep(const vsp_world *world);

/* Returns whether the warm record of a pair is kept without a solve: at least
 * one body sleeps, and none is awake or disabled. */
bool vsp__is_sleeping_pair(const vsp_world *world,
                           const vsp__warm_record *warm);

/* Return or set how long a body has been calm, in parts: VSP__CALM_PARTS. */
uint32_t vsp__calm_parts(const vsp__body *b);
void vsp__set_calm_parts(vsp__body *b, uint32_t parts);


/* ---- joints.c: the pool of joints ---------------------------------------- */

/* These functions are in builds with joints. */

void vsp__clear_joints(vsp_world *world);

/* Recounts the joints of the pool after a restore. */
void vsp__recount_joints(vsp_world *world);

/* Returns the id of the joint in a slot, or 0. */
uint32_t vsp__joint_id_at(const vsp__joint_pool *pool, uint32_t slot);

/* Returns whether a joint prevents the bodies of two shapes from touching.  A
 * joint that lets them collide does not.  Takes the links that it visits off a
 * budget, but leaves 1 of it for the caller's test. */
bool vsp__are_joined(const vsp_world *world, const vsp__shape *a,
                     const vsp__shape *b, uint32_t *left);

/* Returns whether a slot has a joint that acts: it is not broken, in a step not
 * inside a union, on a dynamic body, and on no disabled one. */
bool vsp__is_holding(const vsp_world *world, const vsp__joint *j);
void vsp__set_flag(vsp__joint *j, uint32_t flag, bool is_set);
void vsp__wake_joint_bodies(vsp_world *world, const vsp__joint *j);

/* Returns whether a body turns about an anchor that it cannot move: the anchor
 * of its only joint, an unbreakable BALL, on a body that is not
 * dynamic.  The arm is short, nothing is locked, no speed is limited, and the
 * body is no bullet.  If so, sets *arm from the centre of mass to the anchor,
 * m, in body axes. */
bool vsp__find_pivot(const vsp_world *world, uint32_t body, vsp__v3 *arm);

/* Whether a spring turns a body about an anchor that it cannot move: that of
 * its only joint, a HINGE, or AXES like one or like a ball, on a body that is
 * not dynamic. */
#if VSP_DRIVES
bool vsp__is_sprung(const vsp_world *world, uint32_t body);
#else
static inline bool vsp__is_sprung(const vsp_world *world, uint32_t body)
{
    (void)world;
    (void)body;
    return false;
}
#endif

/* Returns the row along, or about, whose axis the row VSP__ROW_MOTOR acts. */
uint32_t vsp__motor_axis(const vsp__joint *j);

/* Computes the impulses of a joint's rows in the whole step, N s and N m s. */
void vsp__find_whole_impulses(const vsp__joint *j, vsp__wide *whole);

/* Sums up the impulses of a joint's rows along its axes (N s), or about them (N
 * m s), including its motor. */
void vsp__sum_impulses(const vsp__joint *j, const vsp__wide *impulse,
                       bool is_turn, vsp__wide sum[3]);


/* ---- pair_rule.c: rules of pairs ----------------------------------------- */

#if VSP_PAIR_RULES

#define VSP__PAIR_RULE_RANGES 4u
extern const vsp__field vsp__pair_rule_ranges[VSP__PAIR_RULE_RANGES];

bool vsp__is_pair_rule(const vsp__pair_record *rule);

/* whether a rule is in use, so that it may be the last one of the table */
static inline bool vsp__is_rule_used(const vsp__pair_record *rule)
{
    return rule->categories[0] != 0 && rule->categories[1] != 0;
}

/* Returns the rule for two shapes with these filters, or null; *named becomes 0
 * if shape a is the one that the rule names first, else 1. */
const vsp__pair_record *vsp__find_pair_rule(const vsp_world *world,
                                            const vsp_filter *a,
                                            const vsp_filter *b,
                                            uint32_t *named);

static inline bool vsp__has_pair_rules(const vsp_world *world)
{
    return world->rule_count > 0;
}

/* Multiplies the inverse masses of the two bodies of a manifold by the
 * fractions of its rule, if both are above 0. */
void vsp__scale_pair_masses(const vsp_world *world, const vsp__manifold *m,
                            vsp__wide mass[2]);

/* Whether a rule lets no impulse between the two dynamic bodies of a manifold
 * move body side, 0 or 1.  A correction must not, either, although the other
 * body may be fixated: else the body would be held up, and fall ever faster in
 * the same place. */
bool vsp__is_unmoved(const vsp_world *world, const vsp__manifold *m,
                     uint32_t side);

#else

static inline bool vsp__has_pair_rules(const vsp_world *world)
{
    (void)world;
    return false;
}

static inline const vsp__pair_record *vsp__find_pair_rule(
    const vsp_world *world, const vsp_filter *a, const vsp_filter *b,
    uint32_t *named)
{
    (void)world;
    (void)a;
    (void)b;
    *named = 0;
    return NULL;
}

static inline void vsp__scale_pair_masses(const vsp_world *world,
                                          const vsp__manifold *m,
                                          vsp__wide mass[2])
{
    (void)world;
    (void)m;
    (void)mass;
}

static inline bool vsp__is_unmoved(const vsp_world *world,
                                   const vsp__manifold *m, uint32_t side)
{
    (void)world;
    (void)m;
    (void)side;
    return false;
}

#endif /* VSP_PAIR_RULES */


/* ---- material.c: coefficients of two surfaces ---------------------------- */

/* Return the coefficients of friction and of restitution of two shapes that
 * touch: those of their rule, or mixed by the one of their materials' two rules
 * that vsp_rule lists later. */
vsp__num vsp__pair_friction(const vsp_world *world, const vsp__shape *a,
                            const vsp__shape *b);
vsp__num vsp__pair_restitution(const vsp_world *world, const vsp__shape *a,
                               const vsp__shape *b);

#if VSP_MATERIALS

/* Returns the materials of a shape's table; null if it has none. */
const vsp_table_materials *vsp__materials_of(const vsp_world *world,
                                             const vsp__shape *shape);

/* Returns a shape as it is where a triangle or cell has a material, the number
 * in the palette of its table: the shape itself for 0, and for a shape whose
 * table has none; else *copy.  Of two shapes that touch, only one has
 * materials, so one copy is enough. */
const vsp__shape *vsp__made_of(const vsp_world *world, const vsp__shape *shape,
                               uint32_t material, vsp__shape *copy);

/* Words of a vsp_table_material: from the first one, count of them. */
#define VSP__MATERIAL_ROLLS 2u, 2u
#define VSP__MATERIAL_MOVES 4u, 3u

/* Returns whether any material of a shape has a word of these that is not 0. */
bool vsp__has_material(const vsp_world *world, const vsp__shape *shape,
                       uint32_t first, uint32_t count);

#else

static inline const vsp_table_materials *vsp__materials_of(
    const vsp_world *world, const vsp__shape *shape)
{
    (void)world;
    (void)shape;
    return NULL;
}

static inline const vsp__shape *vsp__made_of(const vsp_world *world,
                                             const vsp__shape *shape,
                                             uint32_t material,
                                             vsp__shape *copy)
{
    (void)world;
    (void)material;
    (void)copy;
    return shape;
}

#define vsp__has_material(world, shape, words) false

#endif /* VSP_MATERIALS */

/* Returns the shape on side 0 or 1 of a manifold, as it is there: as
 * vsp__made_of. */
static inline const vsp__shape *vsp__side_of(const vsp_world *world,
                                             const vsp__manifold *m,
                                             uint32_t side, vsp__shape *copy)
{
    const vsp__shape *shape = world->shapes + m->shape[side];

    return vsp__material_of(m) == 0
               ? shape
               : vsp__made_of(world, shape, vsp__material_of(m), copy);
}

#if VSP_ROLLING

/* Returns the coefficient of rolling or, if is_spin, spinning friction of two
 * shapes: the larger one, m. */
vsp__num vsp__pair_rolling(const vsp__shape *a, const vsp__shape *b,
                           bool is_spin);

/* Whether a shape has a coefficient of rolling or spinning friction. */
static inline bool vsp__has_rolling(const vsp__shape *shape)
{
    return (r_bits(shape->rolling) | r_bits(shape->spinning)) != 0;
}

#else

static inline bool vsp__has_rolling(const vsp__shape *shape)
{
    (void)shape;
    return false;
}

#endif /* VSP_ROLLING */


/* ---- field.c: height fields that change ---------------------------------- */

/* The tiles of one shape, by row, then by column. */
typedef struct vsp__field_tiles {
    const vsp__field_tile *tiles;
    uint32_t count;
} vsp__field_tiles;

#if VSP_FIELD_EDITS

/* most tiles that VSP_MAX_FIELD_EDIT numbers of a rectangle are in */
#define VSP__TILES_OF_EDIT 10u

/* Returns a number that orders the tiles of a shape: of the tile of a height,
 * and of a tile. */
uint32_t vsp__tile_key(uint32_t column, uint32_t row);

static inline uint32_t vsp__key_of_tile(const vsp__field_tile *t)
{
    return (uint32_t)t->row << 16 | t->column;
}

/* Returns the index of the first tile whose key is not below this one. */
uint32_t vsp__first_tile(const vsp__field_tile *tiles, uint32_t count,
                         uint32_t key);

/* Returns the tile of a height or cell; null if it is as in the table. */
const vsp__field_tile *vsp__find_tile(const vsp__field_tiles *of,
                                      uint32_t column, uint32_t row);

/* Fills the tiles of a shape, and where the first one is or would be; none for
 * one that is not in the world's list. */
void vsp__tiles_of(const vsp_world *world, const vsp__shape *shape,
                   vsp__field_tiles *of);

/* Returns the larger one of a height and the highest height of the tiles. */
int32_t vsp__top_of_tiles(const vsp__field_tiles *of, int32_t top);

/* Removes the tiles of the shape in a slot. */
void vsp__forget_tiles(vsp_world *world, uint32_t shape);

/* Returns the table of a height field; null for other shapes. */
const vsp_height_field *vsp__field_of(const vsp_world *world,
                                      const vsp__shape *shape);

/* Returns whether a height is one that a table may have. */
bool vsp__is_height(const vsp__shape *shape, const vsp_height_field *f,
                    int32_t height);

/* Return a height, and the material of a cell, as the table has them; 0 beyond
 * it. */
int32_t vsp__table_height(const vsp_height_field *f, uint32_t column,
                          uint32_t row);
uint32_t vsp__cell_material(const vsp_world *world, const vsp__shape *shape,
                            uint32_t column, uint32_t row);

/* Fills the heights and materials of a tile, at its place, from the table. */
void vsp__fill_tile(const vsp_world *world, const vsp__shape *shape,
                    vsp__field_tile *t);

/* Sets the highest height of a tile. */
void vsp__bound_tile(vsp__field_tile *t);

/* Returns whether a tile is as in the table. */
bool vsp__is_tile_plain(const vsp_world *world, const vsp__shape *shape,
                        const vsp__field_tile *t);

/* Returns whether the numbers of a tile are allowed for a shape, and not as in
 * the table; and whether it comes after another tile. */
bool vsp__is_tile(const vsp_world *world, const vsp__shape *shape,
                  const vsp__field_tile *t);
bool vsp__is_tile_after(const vsp__field_tile *t, const vsp__field_tile *last);

#else

static inline void vsp__forget_tiles(vsp_world *world, uint32_t shape)
{
    (void)world;
    (void)shape;
}

#endif /* VSP_FIELD_EDITS */


/* ---- Vectors for callers ------------------------------------------------- */

static inline vsp_vec3 vsp__vec3_of(vsp_real x, vsp_real y, vsp_real z)
{
    vsp_vec3 v;

    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

/* converts a velocity or spin for the caller; 0 for null */
static inline vsp_vec3 vsp__show_rate(const vsp__v3 *rate)
{
    return rate3_show(rate != NULL ? *rate : v3_zero());
}

#endif /* VSP_STATE_H */
