/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Joints as programs see them, in this order: what a joint may be, the pool,
 * definitions, what can be set, what can be read, what bears too much.
 * Optional: VSP_JOINTS; in a build without, all calls are refused. */

#include "vsp_internal.h"

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))

#define JOINT_COOKIE VSP__COOKIE(4)

VSP_STATIC_ASSERT(joint_has_no_gaps,
                  sizeof(vsp__joint) == VSP__JOINT_STATE_BYTES);
VSP_STATIC_ASSERT(joints_fit,
                  !VSP_JOINTS || sizeof(vsp__joints) <= VSP__JOINT_BYTES);
VSP_STATIC_ASSERT(joints_are_tight,
                  !VSP_JOINTS || sizeof(vsp__joints) + 8u > VSP__JOINT_BYTES);


/* ---- What a joint may be ------------------------------------------------- */

/* whether a joint has no cone, motor or limit but those of its type; a
 * distance has always a limit */
static bool suits_type(const vsp__joint *j)
{
    static const uint8_t may[] = {
        0, VSP__JOINT_LIMIT, VSP__JOINT_LIMIT | VSP__JOINT_MOTOR,
        VSP__JOINT_LIMIT | VSP__JOINT_MOTOR, 0, VSP__JOINT_LIMIT
    };
    uint32_t has = j->flags & (VSP__JOINT_LIMIT | VSP__JOINT_MOTOR);

    return !(has & ~(uint32_t)may[j->type]) &&
           (has || j->type != VSP_JOINT_DISTANCE) &&
           (j->type == VSP_JOINT_BALL || j->cone == r_read(VSP__HALF_TURN));
}

/* They are in the range of positions, if that is all there is to it. */
static bool are_limits(const vsp__joint *j)
{
    vsp__real half = r_read(VSP__HALF_TURN);
    bool is_angle = j->type == VSP_JOINT_BALL || j->type == VSP_JOINT_HINGE;

    return j->low <= j->high &&
           (!is_angle || (j->low >= -half && j->high <= half)) &&
           (j->type != VSP_JOINT_DISTANCE || j->low >= 0);
}

/* What is broken bears nothing. */
static bool may_bear(const vsp__joint *j)
{
    return !(j->flags & VSP__JOINT_BROKEN) ||
           (!(j->flags & VSP__JOINT_BEARS) &&
            !vsp__differs(j->impulse, NULL, VSP__JOINT_ROWS));
}

static const vsp__field joint_ranges[] = {
    VSP__READ(vsp__joint, frame[0].position, vsp_joint_def, frame_a.position,
              3, REAL, POSITION),
    VSP__READ(vsp__joint, frame[0].rotation, vsp_joint_def, frame_a.rotation,
              4, UNIT, ROTATION),
    VSP__READ(vsp__joint, frame[1].position, vsp_joint_def, frame_b.position,
              3, REAL, POSITION),
    VSP__READ(vsp__joint, frame[1].rotation, vsp_joint_def, frame_b.rotation,
              4, UNIT, ROTATION),
    VSP__READ(vsp__joint, low, vsp_joint_def, low, 2, REAL,
              POSITION), /* and high */
    VSP__READ(vsp__joint, cone, vsp_joint_def, cone, 1, REAL, CONE),
    VSP__READ(vsp__joint, motor_speed, vsp_joint_def, motor_speed, 1, RATE,
              SPEED),
    VSP__READ(vsp__joint, motor_max, vsp_joint_def, motor_max, 1, WIDE,
              STRENGTH),
    VSP__READ(vsp__joint, break_impulse, vsp_joint_def, break_impulse, 2,
              WIDE, STRENGTH), /* and break_turn */
    VSP__FIELD(vsp__joint, impulse, VSP__JOINT_ROWS, WIDE, FORCE),
};

#define FRAME_FIELDS 4u /* of these: the first */

/* what can be set alone: a bit for each of these */
enum {
    LIMIT_PART = 1 << 4,
    CONE_PART = 1 << 5,
    MOTOR_PART = 3 << 6,
    STRENGTH_PART = 1 << 8,
    EVERY_PART = (1 << 9) - 1
};

bool vsp__is_joint(const vsp__joint *j)
{
    return j->type >= VSP_JOINT_BALL && j->type <= VSP_JOINT_DISTANCE &&
           j->flags <= VSP__JOINT_FLAGS &&
           vsp__are_in(j, joint_ranges, COUNT_OF(joint_ranges)) &&
           vsp__q_is_unit(&j->frame[0].rotation) &&
           vsp__q_is_unit(&j->frame[1].rotation) && are_limits(j) &&
           suits_type(j) && may_bear(j);
}

bool vsp__suits_bodies(const vsp__joint *j, const vsp__body *bodies,
                       uint32_t count)
{
    const uint32_t dynamic = (uint32_t)VSP_DYNAMIC + 1u;
    uint32_t a = j->body[0], b = j->body[1];

    return a != b && a < count && b < count && bodies[a].type != 0 &&
           bodies[b].type != 0 &&
           (bodies[a].type == dynamic || bodies[b].type == dynamic);
}


/* ---- The pool ------------------------------------------------------------ */

static bool has_joints(const vsp_world *world)
{
    return VSP_JOINTS && vsp__is_world(world);
}

/* of the id of a joint or a body */
static uint32_t slot_in(uint32_t id)
{
    return (id & 0xffffu) - 1u;
}

/* The world has joints. */
static uint32_t joint_in(const vsp__joints *pool, uint32_t slot)
{
    return vsp__id_at(pool->joints, sizeof(vsp__joint), pool->limit, slot);
}

/* Finds what a call is about. */
static vsp_status find_joint(const vsp_world *world, vsp_joint_id id,
                             vsp__joint **j)
{
    uint32_t slot = slot_in(id.bits);
    vsp__joints *pool;

    if (!has_joints(world))
        return VSP_ERR_ARG;
    pool = vsp__joints_of(world);
    if (id.bits == 0 || joint_in(pool, slot) != id.bits)
        return VSP_ERR_ID;
    *j = pool->joints + slot;
    return VSP_OK;
}

static void wake_joined(vsp_world *world, const vsp__joint *j)
{
    if (!VSP_SLEEP)
        return;
    vsp__wake(world, j->body[0]);
    vsp__wake(world, j->body[1]);
}

static void free_joint(vsp_world *world, uint32_t slot)
{
    vsp__joints *pool = vsp__joints_of(world);
    vsp__joint *j = pool->joints + slot;

    wake_joined(world, j);
    vsp__empty_slot(j, sizeof *j);
    if (pool->free > slot)
        pool->free = slot;
    vsp__lower_limit(pool->joints, sizeof *j, &pool->limit);
    world->stats.joint_count--;
}

void vsp__clear_joints(vsp_world *world)
{
    vsp__joints *pool = vsp__joints_of(world);

    pool->limit = pool->used = pool->free = 0;
    vsp__clear(pool->joints, sizeof pool->joints);
}

void vsp__drop_joints(vsp_world *world, uint32_t body)
{
    vsp__joints *pool = vsp__joints_of(world);
    uint32_t i;

    for (i = 0; i < pool->limit; i++) {
        const vsp__joint *j = pool->joints + i;

        if (j->type != 0 && (j->body[0] == body || j->body[1] == body))
            free_joint(world, i);
    }
}

void vsp__recount_joints(vsp_world *world)
{
    vsp__joints *pool = vsp__joints_of(world);
    uint32_t i;

    world->stats.joint_count = pool->free = pool->limit = 0;
    for (i = 0; i < pool->used; i++)
        if (pool->joints[i].type != 0) {
            pool->limit = i + 1u;
            vsp__count_up(&world->stats.joint_count,
                          &world->stats.joint_high);
        }
}


/* ---- Definitions --------------------------------------------------------- */

vsp_joint_def vsp_joint_def_default(void)
{
    vsp_joint_def def;

    vsp__clear(&def, sizeof def);
    def.cookie = JOINT_COOKIE;
    def.frame_a.rotation.w = def.frame_b.rotation.w = VSP_R(1.0);
    def.cone = VSP__HALF_TURN;
    return def;
}

static void set_flag(vsp__joint *j, uint32_t flag, bool is_set)
{
    j->flags = (uint8_t)((j->flags & ~flag) | (is_set ? flag : 0u));
}

/* Reads parts of a def into a joint of a type. */
static void read_parts(const vsp_joint_def *def, uint32_t parts,
                       vsp__joint *j)
{
    uint32_t k;

    for (k = 0; parts >> k != 0; k++)
        if (parts >> k & 1u)
            vsp__read_fields(def, j, &joint_ranges[k], 1);
    if (parts & LIMIT_PART)
        set_flag(j, VSP__JOINT_LIMIT,
                 def->enable_limit || j->type == VSP_JOINT_DISTANCE);
    if (parts & MOTOR_PART)
        set_flag(j, VSP__JOINT_MOTOR, def->enable_motor);
}

/* Flushes the numbers that calls set.  Whether it is a joint. */
static bool settle_joint(vsp__joint *j)
{
    vsp__flush(j->frame, (uint32_t)((offsetof(vsp__joint, impulse) -
                                     offsetof(vsp__joint, frame)) / 4u));
    return vsp__is_joint(j);
}

/* Reads a def but for its bodies; false for what is none. */
static bool read_joint_def(const vsp_joint_def *def, vsp__joint *j)
{
    vsp__clear(j, sizeof *j);
    if (def->cookie != JOINT_COOKIE ||
        (uint32_t)def->type > (uint32_t)VSP_JOINT_DISTANCE)
        return false;
    j->type = (uint8_t)def->type;
    j->user = def->user;
    set_flag(j, VSP__JOINT_COLLIDES, def->collide);
    read_parts(def, EVERY_PART, j);
    return vsp__read_pose(&def->frame_a, &j->frame[0]) &&
           vsp__read_pose(&def->frame_b, &j->frame[1]) && settle_joint(j);
}

static bool has_bodies(const vsp_world *world, const vsp_joint_def *def)
{
    return vsp_body_is_valid(world, def->body_a) &&
           vsp_body_is_valid(world, def->body_b);
}

vsp_status vsp_joint_create(vsp_world *world, const vsp_joint_def *def,
                            vsp_joint_id *id)
{
    vsp__joints *pool;
    vsp__joint j;
    uint32_t slot;

    if (id != NULL)
        id->bits = 0;
    if (!has_joints(world) || def == NULL || !read_joint_def(def, &j))
        return VSP_ERR_ARG;
    if (!has_bodies(world, def))
        return VSP_ERR_ID;
    j.body[0] = (uint16_t)slot_in(def->body_a.bits);
    j.body[1] = (uint16_t)slot_in(def->body_b.bits);
    if (!vsp__suits_bodies(&j, world->bodies, world->body_limit))
        return VSP_ERR_ARG;
    pool = vsp__joints_of(world);
    slot = vsp__free_slot(pool->joints, sizeof j, pool->limit, pool->free);
    if (slot >= world->params.capacity.joints)
        return VSP_ERR_FULL;
    j.generation = (uint16_t)(pool->joints[slot].generation + 1u);
    pool->joints[slot] = j;
    vsp__raise_limit(&pool->limit, &pool->used, &pool->free, slot);
    vsp__count_up(&world->stats.joint_count, &world->stats.joint_high);
    wake_joined(world, &j);
    if (id != NULL)
        id->bits = joint_in(pool, slot);
    return VSP_OK;
}

vsp_status vsp_joint_destroy(vsp_world *world, vsp_joint_id id)
{
    vsp__joint *j;
    vsp_status status = find_joint(world, id, &j);

    if (status < 0)
        return status;
    free_joint(world, slot_in(id.bits));
    return VSP_OK;
}

vsp_joint_id vsp_joint_at(const vsp_world *world, uint32_t slot)
{
    vsp_joint_id id = {0};

    if (has_joints(world))
        id.bits = joint_in(vsp__joints_of(world), slot);
    return id;
}

vsp_status vsp_joint_get(const vsp_world *world, vsp_joint_id id,
                         vsp_joint_def *def)
{
    vsp__joint *j;
    vsp_status status = find_joint(world, id, &j);

    if (status < 0)
        return status;
    if (def == NULL)
        return VSP_ERR_ARG;
    def->cookie = JOINT_COOKIE;
    def->type = (vsp_joint_type)j->type;
    def->body_a = vsp_body_at(world, j->body[0]);
    def->body_b = vsp_body_at(world, j->body[1]);
    vsp__show_fields(j, def, joint_ranges, COUNT_OF(joint_ranges));
    def->collide = (j->flags & VSP__JOINT_COLLIDES) != 0;
    def->enable_limit = (j->flags & VSP__JOINT_LIMIT) != 0;
    def->enable_motor = (j->flags & VSP__JOINT_MOTOR) != 0;
    def->user = j->user;
    return VSP_OK;
}

/* The shortest turn that takes x to an axis, or the one that takes -x there,
 * after half a turn: whichever is not near half a turn itself. */
static void turn_to(const vsp__vec3 *axis, vsp__quat *q)
{
    vsp__real half = VSP__U(0.5);
    vsp__real y = u_mul(half, axis->y), z = u_mul(half, axis->z);
    vsp__real w = half + u_mul(half, r_abs(axis->x));

    *q = q_identity();
    if (axis->x < 0) {
        q->x = z;
        q->z = w;
        q->w = y;
    } else {
        q->y = r_neg(z);
        q->z = y;
        q->w = w;
    }
    vsp__q_normalize(q);
}

/* Finds where a place in the world is in a body's frame. */
static void place_in_body(const vsp_world *world, vsp_body_id id,
                          const vsp__transform *place, vsp__transform *frame)
{
    const vsp__body *b = world->bodies + slot_in(id.bits);
    vsp__mat3 axes = vsp__axes_of(b->rotation);
    vsp__vec3 point = place->position;

    v3_sub_in(&point, &b->position);
    vsp__tmul(&axes, &point, &frame->position);
    v3_add_in(&frame->position, &b->matter.center);
    vsp__q_div(&b->rotation, &place->rotation, &frame->rotation);
    vsp__q_normalize(&frame->rotation);
}

vsp_status vsp_joint_place(const vsp_world *world, vsp_joint_def *def,
                           vsp_vec3 anchor, vsp_vec3 axis)
{
    vsp_quat along;
    vsp__transform place;
    vsp__vec3 x;
    vsp__joint j;

    along.x = axis.x;
    along.y = axis.y;
    along.z = axis.z;
    along.w = 0;
    if (!has_joints(world) || def == NULL || def->cookie != JOINT_COOKIE ||
        !vsp__v3_in(anchor, VSP_MAX_POSITION) ||
        !vsp__q_read(along, &place.rotation))
        return VSP_ERR_ARG;
    if (!has_bodies(world, def))
        return VSP_ERR_ID;
    x = v3(place.rotation.x, place.rotation.y, place.rotation.z);
    turn_to(&x, &place.rotation);
    place.position = v3_read(anchor);
    place_in_body(world, def->body_a, &place, &j.frame[0]);
    place_in_body(world, def->body_b, &place, &j.frame[1]);
    vsp__show_fields(&j, def, joint_ranges, FRAME_FIELDS);
    return VSP_OK;
}


/* ---- What can be set ----------------------------------------------------- */

/* Makes parts of a joint what a def says, if that can be, and wakes its bodies
 * if that is something else. */
static vsp_status change_joint(vsp_world *world, vsp_joint_id id,
                               const vsp_joint_def *def, uint32_t parts)
{
    vsp__joint *j, changed;
    vsp_status status = find_joint(world, id, &j);

    if (status < 0)
        return status;
    changed = *j;
    read_parts(def, parts, &changed);
    if (!settle_joint(&changed))
        return VSP_ERR_ARG;
    if (vsp__differs(&changed, j, VSP__WORDS(vsp__joint)))
        wake_joined(world, j);
    *j = changed;
    return VSP_OK;
}

vsp_status vsp_joint_set_limit(vsp_world *world, vsp_joint_id id, bool enable,
                               vsp_real low, vsp_real high)
{
    vsp_joint_def def;

    def.enable_limit = enable;
    def.low = low;
    def.high = high;
    return change_joint(world, id, &def, LIMIT_PART);
}

vsp_status vsp_joint_set_cone(vsp_world *world, vsp_joint_id id,
                              vsp_real cone)
{
    vsp_joint_def def;

    def.cone = cone;
    return change_joint(world, id, &def, CONE_PART);
}

vsp_status vsp_joint_set_motor(vsp_world *world, vsp_joint_id id, bool enable,
                               vsp_real speed, vsp_real max)
{
    vsp_joint_def def;

    def.enable_motor = enable;
    def.motor_speed = speed;
    def.motor_max = max;
    return change_joint(world, id, &def, MOTOR_PART);
}

vsp_status vsp_joint_set_strength(vsp_world *world, vsp_joint_id id,
                                  vsp_real break_impulse,
                                  vsp_real break_turn)
{
    vsp_joint_def def;

    def.break_impulse = break_impulse;
    def.break_turn = break_turn;
    return change_joint(world, id, &def, STRENGTH_PART);
}

vsp_status vsp_joint_set_user(vsp_world *world, vsp_joint_id id,
                              uint32_t user)
{
    vsp__joint *j;
    vsp_status status = find_joint(world, id, &j);

    if (status < 0)
        return status;
    j->user = user;
    return VSP_OK;
}


/* ---- What can be read ---------------------------------------------------- */

/* A joint's impulse along its axes, the motor's counted, or about them. */
static void sum_impulses(const vsp__joint *j, bool is_turn, vsp__wide sum[3])
{
    uint32_t first = is_turn ? VSP__ROW_TURN_X : VSP__ROW_X, k;

    for (k = 0; k < 3; k++)
        sum[k] = j->impulse[first + k];
    if ((j->type == VSP_JOINT_HINGE) == is_turn)
        sum[0] = w_add(sum[0], j->impulse[VSP__ROW_MOTOR]);
}

/* a b + c d + e f: components of three unit vectors, each times an impulse */
static vsp_real show_sum(vsp__real a, vsp__real c, vsp__real e,
                         const vsp__wide p[3])
{
    return w_show(w_add(w_add(w_mul(w_of_unit(a), p[0]),
                              w_mul(w_of_unit(c), p[1])),
                        w_mul(w_of_unit(e), p[2])));
}

/* The sum of a joint's rows as B feels them, along axes or about them. */
static vsp_vec3 show_rows(const vsp__joint *j, const vsp__joint_site *s,
                          bool is_turn)
{
    const vsp__vec3 *n = s->axes[is_turn].axis;
    vsp__wide p[3];
    vsp_vec3 sum;

    sum_impulses(j, is_turn, p);
    sum.x = show_sum(n[0].x, n[1].x, n[2].x, p);
    sum.y = show_sum(n[0].y, n[1].y, n[2].y, p);
    sum.z = show_sum(n[0].z, n[1].z, n[2].z, p);
    return sum;
}

/* How far anchors are from where they ought to be; limits of slides are not
 * looked at. */
static vsp__real place_error(const vsp__joint *j, const vsp__joint_site *s)
{
    if (j->type != VSP_JOINT_DISTANCE)
        return v3_length_at(&s->parted);
    return r_max(0, r_max(r_sub(j->low, s->place), r_sub(s->place, j->high)));
}

vsp_status vsp_joint_read(const vsp_world *world, vsp_joint_id id,
                          vsp_joint_state *state)
{
    vsp__joint *j;
    vsp_status status = find_joint(world, id, &j);
    vsp__joint_site s;

    if (status < 0)
        return status;
    if (state == NULL)
        return VSP_ERR_ARG;
    vsp__find_joint(world, j, &s);
    state->place = r_show(s.place);
    state->swing = r_show(s.swing);
    state->speed = rate_show(vsp__joint_speed(world, j, &s));
    state->error = r_show(place_error(j, &s));
    state->angle_error =
        j->type == VSP_JOINT_BALL ? 0 : r_show(v3_length_at(&s.twisted));
    state->impulse = show_rows(j, &s, false);
    state->turn = show_rows(j, &s, true);
    state->motor = w_show(j->impulse[VSP__ROW_MOTOR]);
    state->at_limit = (j->flags & VSP__JOINT_BEARS) != 0;
    state->is_broken = (j->flags & VSP__JOINT_BROKEN) != 0;
    return VSP_OK;
}


/* ---- What bears too much ------------------------------------------------- */

/* Whether a sum is longer than this, which is above 0; it is measured in
 * parts of that: so that no square leaves the range of a wide. */
static bool is_longer(const vsp__wide sum[3], vsp__wide most)
{
    vsp__wide square = W_ZERO;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        vsp__wide part;

        if (w_less(most, sum[k]) || w_less(sum[k], w_neg(most)))
            return true;
        part = w_flush(w_div(sum[k], most));
        square = w_add(square, w_mul(part, part));
    }
    return w_less(W_ONE, square);
}

static bool is_overborne(const vsp__joint *j)
{
    vsp__wide sum[3];
    uint32_t k;

    for (k = 0; k < 2; k++) {
        vsp__wide most = (&j->break_impulse)[k]; /* and break_turn */

        sum_impulses(j, k == 1, sum);
        if (!w_is_zero(most) && is_longer(sum, most))
            return true;
    }
    return false;
}

/* whether a limit bears something; a rod has none */
static bool is_at_limit(const vsp__joint *j)
{
    uint32_t rows = vsp__limit_rows(j), k;

    if (j->type == VSP_JOINT_DISTANCE && j->low == j->high)
        return false;
    for (k = 0; k < VSP__JOINT_ROWS; k++)
        if ((rows >> k & 1u) && !w_is_zero(j->impulse[k]))
            return true;
    return false;
}

static void break_joint(vsp_world *world, vsp__joint *j)
{
    set_flag(j, VSP__JOINT_BROKEN, true);
    set_flag(j, VSP__JOINT_BEARS, false);
    vsp__clear(j->impulse, sizeof j->impulse);
    wake_joined(world, j);
}

void vsp__end_joints(vsp_world *world)
{
    vsp__joints *pool = vsp__joints_of(world);
    uint32_t i;

    for (i = 0; i < pool->limit; i++) {
        vsp__joint *j = pool->joints + i;
        uint32_t before = j->flags, news;
        vsp_joint_id id;

        if (pool->scratch.bonds[i].layer == VSP__NO_LAYER)
            continue; /* it took no part in the step */
        set_flag(j, VSP__JOINT_BEARS, is_at_limit(j));
        if (is_overborne(j))
            break_joint(world, j);
        news = j->flags & ~before;
        id.bits = joint_in(pool, i);
        if (VSP_EVENTS && news != 0)
            vsp__report_joint(world, id, j,
                              news & VSP__JOINT_BROKEN ? VSP_EVENT_BREAK
                                                       : VSP_EVENT_LIMIT);
    }
}
