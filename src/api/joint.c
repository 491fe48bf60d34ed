/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Joints: the pool, definitions, settings, measurements.  Optional:
 * VSP_JOINTS. */

#include "api.h"

#if VSP_JOINTS

#define JOINT_COOKIE VSP__COOKIE(4)

VSP_STATIC_ASSERT(joint_has_no_gaps,
                  sizeof(vsp__joint) == VSP__JOINT_STATE_BYTES);

VSP_STATIC_ASSERT(joints_fit,
                  !VSP_JOINTS || sizeof(vsp__joint_pool) <= VSP__JOINT_BYTES);

VSP_STATIC_ASSERT(joints_are_tight,
                  !VSP_JOINTS ||
                      sizeof(vsp__joint_pool) + 8u > VSP__JOINT_BYTES);

/* Parts of a definition that can be set alone: bit k is field k of
 * vsp__joint_ranges.  A definition has no impulse, and no field after it. */
enum {
    LIMIT_PART = 1 << VSP__JOINT_FIELD_LIMIT,
    CONE_PART = 1 << VSP__JOINT_FIELD_CONE,
    SPRING_PART = 1 << VSP__JOINT_FIELD_SPRING,
    MOTOR_PART = 1 << VSP__JOINT_FIELD_SPEED | 1 << VSP__JOINT_FIELD_MOTOR,
    STRENGTH_PART = 1 << VSP__JOINT_FIELD_STRENGTH,
    BEND_PARTS = 1 << VSP__JOINT_FIELD_YIELD |
                 1 << VSP__JOINT_FIELD_BREAK_ANGLE,
    TARGET_PART = 1 << VSP__JOINT_FIELD_TARGET,
    DRIVE_PART = 1 << VSP__JOINT_FIELD_DRIVE,
    EVERY_PART = (1 << VSP__JOINT_FIELD_IMPULSE) - 1
};


/* ---- The pool ------------------------------------------------------------ */

static bool is_world_with_joints(const vsp_world *world)
{
    return VSP_JOINTS && vsp__is_world(world);
}

/* Returns the slot in the id of a joint or a body. */
static uint32_t joint_slot_of(uint32_t id)
{
    return (id & 0xffffu) - 1u;
}

/* Finds the joint of an id.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
static vsp_status look_up_joint(const vsp_world *world, vsp_joint_id id,
                                vsp__joint **j)
{
    uint32_t slot = joint_slot_of(id.bits);
    vsp__joint_pool *pool;

    if (!is_world_with_joints(world))
        return VSP_ERR_ARG;
    pool = vsp__joint_pool_of(world);
    if (id.bits == 0 || vsp__joint_id_at(pool, slot) != id.bits)
        return VSP_ERR_ID;
    *j = pool->joints + slot;
    return VSP_OK;
}

static void free_joint(vsp_world *world, uint32_t slot)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    vsp__joint *j = pool->joints + slot;

    vsp__wake_joint_bodies(world, j);
    vsp__empty_slot(j, sizeof *j);
    if (pool->free > slot)
        pool->free = slot;
    vsp__shrink_limit(pool->joints, sizeof *j, &pool->limit);
    world->stats.joint_count--;
}

void vsp__destroy_joints_of(vsp_world *world, uint32_t body)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;

    for (i = 0; i < pool->limit; i++) {
        const vsp__joint *j = pool->joints + i;

        if (j->type != 0 && (j->body[0] == body || j->body[1] == body))
            free_joint(world, i);
    }
}


/* ---- Definitions --------------------------------------------------------- */

vsp_joint_def vsp_joint_def_default(void)
{
    vsp_joint_def def;

    vsp__zero_bytes(&def, sizeof def);
    def.cookie = JOINT_COOKIE;
    def.frame_a.rotation.w = def.frame_b.rotation.w = VSP_R(1.0);
    def.cone = VSP__HALF_TURN;
    return def;
}

/* Returns the parts of a GEAR or PULLEY; vsp__read_gear reads the rest. */
static uint32_t parts_of_gear(uint32_t type)
{
    uint32_t parts = (uint32_t)(EVERY_PART & ~(SPRING_PART | BEND_PARTS |
                                               TARGET_PART | DRIVE_PART));

    return type == VSP_JOINT_GEAR ? parts & ~(uint32_t)LIMIT_PART : parts;
}

#if VSP_DRIVES

/* Whether joints of a type have no motor to drive. */
static bool is_undriven(uint32_t type)
{
    return type == (uint32_t)VSP_JOINT_FIXED ||
           type == (uint32_t)VSP_JOINT_BALL;
}

/* Returns the parts that joints of a type have.  AXES have no spring: its words
 * tell which axes are locked, limited and driven (read_axes). */
static uint32_t parts_of_type(uint32_t type)
{
    uint32_t parts = EVERY_PART;

    if (VSP_GEARS && type >= VSP_JOINT_GEAR)
        return parts_of_gear(type);
    if (is_undriven(type))
        parts &= ~(uint32_t)(TARGET_PART | DRIVE_PART);
    if (type != (uint32_t)VSP_JOINT_FIXED)
        parts &= ~(uint32_t)BEND_PARTS;
    if (type == (uint32_t)VSP_JOINT_AXES)
        parts &= ~(uint32_t)SPRING_PART;
    return parts;
}

/* Whether a joint of this type may have this mode with this frequency, Hz, as
 * the caller gives it. */
static bool fits_mode(uint32_t type, vsp_motor_mode mode, vsp_real hertz)
{
    if (mode == VSP_MOTOR_SPRING)
        return type != (uint32_t)VSP_JOINT_WHEEL && hertz > 0;
    return type == (uint32_t)VSP_JOINT_WHEEL
               ? mode == VSP_MOTOR_SPEED && hertz >= 0
               : (uint32_t)mode < (uint32_t)VSP_MOTOR_MODES && hertz == 0;
}

/* Whether a def leaves at 0 what its type does not have. */
static bool fits_def_type(const vsp_joint_def *def)
{
    if (def->type != VSP_JOINT_FIXED &&
        (def->yield_torque != 0 || def->break_angle != 0))
        return false;
    if (is_undriven((uint32_t)def->type) &&
        (def->motor_mode != VSP_MOTOR_SPEED || def->motor_target != 0 ||
         def->motor_hertz != 0 || def->motor_damping != 0))
        return false;
    if (!fits_mode((uint32_t)def->type, def->motor_mode, def->motor_hertz))
        return false;
    return def->type == VSP_JOINT_AXES
               ? def->limit_hertz == 0 && def->limit_damping == 0
               : (def->locked | def->limited | def->driven) == 0;
}

static void read_mode(const vsp_joint_def *def, vsp__joint *j)
{
    if (def->motor_mode == VSP_MOTOR_SERVO)
        j->break_angle = VSP__SERVO_HERTZ;
    else if (def->motor_mode == VSP_MOTOR_SPRING && j->break_angle == 0)
        j->break_angle = r_of_place(1); /* the least frequency */
}

/* Writes the uses of the axes of AXES into a joint.  Returns false if a bit of
 * the def is not that of an axis. */
static bool read_axes(const vsp_joint_def *def, vsp__joint *j)
{
    uint32_t k;

    for (k = 0; k < 2; k++) {
        uint32_t bits = (def->locked >> 3 * k & 7u) |
                        (def->limited >> 3 * k & 7u) << 3 |
                        (def->driven >> 3 * k & 7u) << 6;

        (&j->hertz)[k] = r_from_int((int32_t)bits); /* and ratio */
    }
    return (def->locked | def->limited | def->driven) <= VSP_LOCK_ALL;
}

#else

static uint32_t parts_of_type(uint32_t type)
{
    if (VSP_GEARS && type >= VSP_JOINT_GEAR)
        return parts_of_gear(type);
    return (uint32_t)(EVERY_PART & ~(TARGET_PART | DRIVE_PART));
}

/* Whether a def has no drive. */
static bool fits_def_type(const vsp_joint_def *def)
{
    return ((uint32_t)def->motor_mode | def->locked | def->limited |
            def->driven) == 0 &&
           def->motor_target == 0 && def->motor_hertz == 0 &&
           def->motor_damping == 0;
}

static void read_mode(const vsp_joint_def *def, vsp__joint *j)
{
    (void)def;
    (void)j;
}

static bool read_axes(const vsp_joint_def *def, vsp__joint *j)
{
    (void)def;
    (void)j;
    return true;
}

#endif /* VSP_DRIVES */

/* Reads parts of a def into a joint, whose type is set. */
static void read_parts(const vsp_joint_def *def, uint32_t parts, vsp__joint *j)
{
    uint32_t k;

    for (k = 0; parts >> k != 0; k++)
        if (parts >> k & 1u)
            vsp__read_fields(def, j, &vsp__joint_ranges[k], 1);
    if (parts & LIMIT_PART)
        vsp__set_flag(j, VSP__JOINT_LIMIT,
                      def->enable_limit || j->type == VSP_JOINT_DISTANCE ||
                          vsp__is_rope(j));
    if (parts & MOTOR_PART)
        vsp__set_flag(j, VSP__JOINT_MOTOR, def->enable_motor);
    if (VSP_DRIVES && (parts & DRIVE_PART))
        read_mode(def, j);
}

/* Flushes the numbers that calls set.  Returns whether the joint is valid. */
static bool settle_joint(vsp__joint *j)
{
    vsp__flush_each(j->frame, (uint32_t)((offsetof(vsp__joint, impulse) -
                                          offsetof(vsp__joint, frame)) /
                                         4u));
    return vsp__is_joint(j);
}

/* Reads a def except for its bodies.  Returns false if it is not valid. */
static bool read_joint_def(const vsp_joint_def *def, vsp__joint *j)
{
    vsp__zero_bytes(j, sizeof *j);
    if (def->cookie != JOINT_COOKIE ||
        !vsp__is_joint_type((uint32_t)def->type) || !fits_def_type(def) ||
        !vsp__fits_gear_def(def))
        return false;
    j->type = (uint8_t)def->type;
    j->user = def->user;
    vsp__set_flag(j, VSP__JOINT_COLLIDES, def->collide);
    vsp__set_flag(j, VSP__JOINT_RIGID, def->rigid);
    read_parts(def, parts_of_type(j->type), j);
    if (VSP_DRIVES && def->type == VSP_JOINT_AXES && !read_axes(def, j))
        return false;
    if (!vsp__read_pose(&def->frame_a, &j->frame[0]) ||
        !vsp__read_pose(&def->frame_b, &j->frame[1]))
        return false;
    if (vsp__is_gearing(j))
        vsp__read_gear(def, j);
    return settle_joint(j);
}

/* Whether a body of a new joint is dynamic. */
static bool has_dynamic_body(const vsp_world *world, const vsp__joint *j)
{
    const vsp__body *a = world->bodies + j->body[0];
    const vsp__body *b = world->bodies + j->body[1];

    return vsp__type_of_body(a) == (uint32_t)VSP_DYNAMIC + 1u ||
           vsp__type_of_body(b) == (uint32_t)VSP_DYNAMIC + 1u;
}

static bool has_bodies(const vsp_world *world, const vsp_joint_def *def)
{
    return vsp__get_body(world, def->body_a) != NULL &&
           vsp__get_body(world, def->body_b) != NULL;
}

vsp_status vsp_joint_create(vsp_world *world, const vsp_joint_def *def,
                            vsp_joint_id *id)
{
    vsp__joint_pool *pool;
    vsp__joint j;
    uint32_t slot;

    if (id != NULL)
        id->bits = 0;
    if (!is_world_with_joints(world) || def == NULL || !read_joint_def(def, &j))
        return VSP_ERR_ARG;
    if (!has_bodies(world, def))
        return VSP_ERR_ID;
    j.body[0] = (uint16_t)joint_slot_of(def->body_a.bits);
    j.body[1] = (uint16_t)joint_slot_of(def->body_b.bits);
    if (!vsp__joint_fits_bodies(&j, world->bodies, world->body_limit) ||
        (VSP_EDITS && !has_dynamic_body(world, &j)) ||
        !vsp__mesh_gear(world, &j))
        return VSP_ERR_ARG;
    pool = vsp__joint_pool_of(world);
    slot = vsp__lowest_free_slot(pool->joints, sizeof j, pool->limit,
                                 pool->free);
    if (slot >= world->params.capacity.joints)
        return VSP_ERR_FULL;
    j.generation = (uint16_t)(pool->joints[slot].generation + 1u);
    pool->joints[slot] = j;
    vsp__use_slot(&pool->limit, &pool->used, &pool->free, slot);
    vsp__count_up(&world->stats.joint_count, &world->stats.joint_high);
    vsp__wake_joint_bodies(world, &j);
    if (VSP_UNIONS && VSP_SLEEP && (j.flags & VSP__JOINT_RIGID))
        vsp__wake_all_bodies(world); /* it may move a whole union */
    if (id != NULL)
        id->bits = vsp__joint_id_at(pool, slot);
    return VSP_OK;
}

vsp_status vsp_joint_destroy(vsp_world *world, vsp_joint_id id)
{
    vsp__joint *j;
    vsp_status status = look_up_joint(world, id, &j);

    if (status < 0)
        return status;
    free_joint(world, joint_slot_of(id.bits));
    return VSP_OK;
}

vsp_joint_id vsp_joint_at(const vsp_world *world, uint32_t slot)
{
    vsp_joint_id id = {0};

    if (is_world_with_joints(world))
        id.bits = vsp__joint_id_at(vsp__joint_pool_of(world), slot);
    return id;
}

/* Shows the mode of a drive and the uses of axes in a def to which show_parts
 * has written the joint's numbers. */
static void show_drive(const vsp__joint *j, vsp_joint_def *def)
{
    if (j->type == VSP_JOINT_FIXED || vsp__is_gearing(j))
        return;
    if (j->break_angle < 0)
        def->motor_hertz = 0;
    if (j->type != VSP_JOINT_WHEEL && j->break_angle != 0)
        def->motor_mode = j->break_angle < 0 ? VSP_MOTOR_SERVO
                                             : VSP_MOTOR_SPRING;
    if (j->type != VSP_JOINT_AXES)
        return;
    def->locked = vsp__axes_of(j, VSP__AXES_LOCKED);
    def->limited = vsp__axes_of(j, VSP__AXES_LIMITED);
    def->driven = vsp__axes_of(j, VSP__AXES_DRIVEN);
}

/* Shows the fields of parts of a joint in a def. */
static void show_parts(const vsp__joint *j, uint32_t parts, vsp_joint_def *def)
{
    uint32_t k;

    for (k = 0; parts >> k != 0; k++)
        if (parts >> k & 1u)
            vsp__show_fields(j, def, &vsp__joint_ranges[k], 1);
}

vsp_status vsp_joint_get(const vsp_world *world, vsp_joint_id id,
                         vsp_joint_def *def)
{
    vsp__joint *j;
    vsp_status status = look_up_joint(world, id, &j);

    if (status < 0)
        return status;
    if (def == NULL)
        return VSP_ERR_ARG;
    vsp__zero_bytes(def, sizeof *def);
    def->cookie = JOINT_COOKIE;
    def->type = (vsp_joint_type)j->type;
    def->body_a.bits = vsp__body_id_at(world, j->body[0]);
    def->body_b.bits = vsp__body_id_at(world, j->body[1]);
    show_parts(j, parts_of_type(j->type), def);
    vsp__show_gear(j, def);
    if (VSP_DRIVES)
        show_drive(j, def);
    def->collide = (j->flags & VSP__JOINT_COLLIDES) != 0;
    def->rigid = (j->flags & VSP__JOINT_RIGID) != 0;
    def->enable_limit = (j->flags & VSP__JOINT_LIMIT) != 0;
    def->enable_motor = (j->flags & VSP__JOINT_MOTOR) != 0;
    def->user = j->user;
    return VSP_OK;
}

/* Computes a rotation of the x axis to an axis: the shortest one or, if this is
 * more than a quarter turn, half a turn and then the shortest one from -x. */
static void rotation_to_axis(const vsp__v3 *axis, vsp__unit_quat *q)
{
    vsp__num half = VSP__UNIT(0.5);
    vsp__num y = u_mul(half, axis->y), z = u_mul(half, axis->z);
    vsp__num w = half + u_mul(half, r_abs(axis->x));

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

/* Converts a frame from the world to a body. */
static void place_in_body(const vsp_world *world, vsp_body_id id,
                          const vsp__frame *place, vsp__frame *frame)
{
    const vsp__body *b = world->bodies + joint_slot_of(id.bits);
    vsp__mat3 axes = vsp__q_axes(b->rotation);
    vsp__v3 point;

    v3_sub_to(&place->position, &b->position, &point);
    vsp__m3_tmul_to(&axes, &point, &frame->position);
    v3_add_in(&frame->position, &b->mass_data.center);
    vsp__q_div(&b->rotation, &place->rotation, &frame->rotation);
    vsp__q_normalize(&frame->rotation);
}

vsp_status vsp_joint_place(const vsp_world *world, vsp_joint_def *def,
                           vsp_vec3 anchor, vsp_vec3 axis)
{
    vsp_quat along;
    vsp__frame place;
    vsp__v3 x;
    vsp__joint j;

    along.x = axis.x;
    along.y = axis.y;
    along.z = axis.z;
    along.w = 0;
    if (!is_world_with_joints(world) || def == NULL ||
        def->cookie != JOINT_COOKIE ||
        !vsp__is_vector_in_range(&anchor, VSP_MAX_POSITION) ||
        !vsp__q_read(along, &place.rotation))
        return VSP_ERR_ARG;
    if (!has_bodies(world, def))
        return VSP_ERR_ID;
    x = v3(place.rotation.x, place.rotation.y, place.rotation.z);
    rotation_to_axis(&x, &place.rotation);
    place.position = v3_read(anchor);
    place_in_body(world, def->body_a, &place, &j.frame[0]);
    place_in_body(world, def->body_b, &place, &j.frame[1]);
    vsp__show_fields(&j, def, vsp__joint_ranges, VSP__JOINT_FRAME_RANGES);
    return VSP_OK;
}


/* ---- Settings ------------------------------------------------------------ */

/* Changes a joint's words to those of another joint, if they are valid, and
 * wakes its bodies if they differ. */
static vsp_status replace_joint(vsp_world *world, vsp__joint *j,
                                vsp__joint *changed)
{
    if (!settle_joint(changed))
        return VSP_ERR_ARG;
    if (vsp__words_differ(changed, j, VSP__WORDS(vsp__joint)))
        vsp__wake_joint_bodies(world, j);
    *j = *changed;
    return VSP_OK;
}

/* Replaces parts of a joint, which its type must have, by the same parts of a
 * def. */
static vsp_status change_joint(vsp_world *world, vsp_joint_id id,
                               const vsp_joint_def *def, uint32_t parts)
{
    vsp__joint *j, changed;
    vsp_status status = look_up_joint(world, id, &j);

    if (status < 0)
        return status;
    if (parts & ~parts_of_type(j->type))
        return VSP_ERR_ARG;
    changed = *j;
    read_parts(def, parts, &changed);
    return replace_joint(world, j, &changed);
}

#if VSP_DRIVES

vsp_status vsp_joint_set_drive(vsp_world *world, vsp_joint_id id,
                               vsp_motor_mode mode, vsp_real hertz,
                               vsp_real damping)
{
    vsp_joint_def def;
    vsp__joint *j;
    vsp_status status = look_up_joint(world, id, &j);

    if (status < 0)
        return status;
    def.motor_mode = mode;
    def.motor_hertz = hertz;
    def.motor_damping = damping;
    if (!fits_mode(j->type, mode, hertz))
        return VSP_ERR_ARG;
    return change_joint(world, id, &def, DRIVE_PART);
}

vsp_status vsp_joint_set_target(vsp_world *world, vsp_joint_id id,
                                vsp_real target)
{
    vsp_joint_def def;

    def.motor_target = target;
    return change_joint(world, id, &def, TARGET_PART);
}

vsp_status vsp_joint_set_axes(vsp_world *world, vsp_joint_id id,
                              uint32_t locked, uint32_t limited,
                              uint32_t driven)
{
    vsp_joint_def def;
    vsp__joint *j, changed;
    vsp_status status = look_up_joint(world, id, &j);

    if (status < 0)
        return status;
    def.locked = locked;
    def.limited = limited;
    def.driven = driven;
    changed = *j;
    if (j->type != VSP_JOINT_AXES || !read_axes(&def, &changed))
        return VSP_ERR_ARG;
    return replace_joint(world, j, &changed);
}

vsp_status vsp_joint_set_frame(vsp_world *world, vsp_joint_id id,
                               vsp_quat rotation)
{
    vsp__joint *j, changed;
    vsp_status status = look_up_joint(world, id, &j);

    if (status < 0)
        return status;
    changed = *j;
    if (j->type != VSP_JOINT_AXES ||
        !vsp__q_read(rotation, &changed.frame[0].rotation))
        return VSP_ERR_ARG;
    return replace_joint(world, j, &changed);
}

/* Returns the square root of a positive wide, by Newton's method from above
 * after scaling by a power of four to 1 .. 4. */
static vsp__wide root_of_wide(vsp__wide a)
{
    vsp__wide four = w_of_real(VSP__REAL(4.0)),
              half = w_of_real(VSP__REAL(0.5));
    vsp__wide scale = VSP__W_ONE, two = w_of_real(VSP__REAL(2.0)), root;
    uint32_t i;

    for (i = 0; i < 64 && w_less(a, VSP__W_ONE); i++) {
        a = w_mul(a, four);
        scale = w_mul(scale, half);
    }
    for (i = 0; i < 64 && w_less(four, a); i++) {
        a = w_div(a, four);
        scale = w_mul(scale, two);
    }
    root = two;
    for (i = 0; i < 5; i++)
        root = w_mul(half, w_add(root, w_div(a, root)));
    return w_mul(scale, root);
}

vsp_status vsp_joint_find_spring(const vsp_world *world, vsp_body_id a,
                                 vsp_body_id b, vsp_real stiffness,
                                 vsp_real damping, vsp_real *hertz,
                                 vsp_real *ratio)
{
    const vsp__body *bodies[2];
    vsp__wide ease = VSP__W_ZERO, most = w_of_real(VSP__REAL(1000.0)), w, f, z;
    uint32_t i;

    if (!is_world_with_joints(world) || hertz == NULL || ratio == NULL ||
        !caller_in(stiffness, 0, VSP_MAX_FORCE) || !(stiffness > 0) ||
        !caller_in(damping, 0, VSP_MAX_FORCE))
        return VSP_ERR_ARG;
    bodies[0] = vsp__get_body(world, a);
    bodies[1] = vsp__get_body(world, b);
    if (bodies[0] == NULL || bodies[1] == NULL)
        return VSP_ERR_ID;
    for (i = 0; i < 2; i++)
        if (vsp__is_dynamic(bodies[i]))
            ease = w_add(ease, w_div(VSP__W_ONE, bodies[i]->mass_data.mass));
    if (!w_less(VSP__W_ZERO, ease) || w_is_zero(w_read(stiffness)))
        return VSP_ERR_ARG;
    w = root_of_wide(w_mul(w_read(stiffness), ease));
    f = w_div(w, w_of_real(VSP__REAL(6.2831853)));
    z = w_div(w_mul(w_mul(w_read(damping), ease), w_of_real(VSP__REAL(0.5))),
              w);
    if (w_less(most, f) || w_less(most, z))
        return VSP_ERR_ARG;
    *hertz = w_show(f);
    *ratio = w_show(z);
    return VSP_OK;
}

#endif /* VSP_DRIVES */

vsp_status vsp_joint_set_limit(vsp_world *world, vsp_joint_id id, bool enable,
                               vsp_real low, vsp_real high)
{
    vsp_joint_def def;

    def.enable_limit = enable;
    def.low = low;
    def.high = high;
    return change_joint(world, id, &def, LIMIT_PART);
}

vsp_status vsp_joint_set_cone(vsp_world *world, vsp_joint_id id, vsp_real cone)
{
    vsp_joint_def def;

    def.cone = cone;
    return change_joint(world, id, &def, CONE_PART);
}

vsp_status vsp_joint_set_spring(vsp_world *world, vsp_joint_id id,
                                vsp_real hertz, vsp_real damping)
{
    vsp_joint_def def;

    def.limit_hertz = hertz;
    def.limit_damping = damping;
    return change_joint(world, id, &def, SPRING_PART);
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
                                  vsp_real break_impulse, vsp_real break_turn)
{
    vsp_joint_def def;

    def.break_impulse = break_impulse;
    def.break_turn = break_turn;
    return change_joint(world, id, &def, STRENGTH_PART);
}

vsp_status vsp_joint_set_user(vsp_world *world, vsp_joint_id id, uint32_t user)
{
    vsp__joint *j;
    vsp_status status = look_up_joint(world, id, &j);

    if (status < 0)
        return status;
    j->user = user;
    return VSP_OK;
}


/* ---- Measurements -------------------------------------------------------- */

/* Returns a p[0] + c p[1] + e p[2]: units times impulses, N s. */
static vsp_real show_impulse_sum(vsp__num a, vsp__num c, vsp__num e,
                                 const vsp__wide p[3])
{
    return w_show(
        w_add(w_add(w_mul(w_of_unit(a), p[0]), w_mul(w_of_unit(c), p[1])),
              w_mul(w_of_unit(e), p[2])));
}

/* Returns the impulse on B in world axes, N s, or the angular one, N m s. */
static vsp_vec3 show_row_sum(const vsp__joint *j, const vsp__joint_pose *s,
                             const vsp__wide *impulse, bool is_turn)
{
    const vsp__v3 *n = s->axes[is_turn].axis;
    vsp__wide p[3];
    vsp_vec3 sum;

    vsp__sum_impulses(j, impulse, is_turn, p);
    sum.x = show_impulse_sum(n[0].x, n[1].x, n[2].x, p);
    sum.y = show_impulse_sum(n[0].y, n[1].y, n[2].y, p);
    sum.z = show_impulse_sum(n[0].z, n[1].z, n[2].z, p);
    return sum;
}

#if VSP_DRIVES

/* Shows what only AXES and WHEEL have, and takes the coordinates of axes that
 * may move out of the errors. */
static void show_axes(const vsp_world *world, const vsp__joint *j,
                      vsp__joint_pose *s, vsp_joint_state *state)
{
    uint32_t held = vsp__held_axes(j), k;

    if (j->type != VSP_JOINT_AXES && j->type != VSP_JOINT_WHEEL)
        return;
    state->slide = v3_show(s->parted);
    state->angles = v3_show(s->twisted);
    if (vsp__is_steered_rigidly(j))
        state->angles.x = r_show(
            vsp__wrap_angle(r_add(s->twisted.x, w_to_real(j->yield_torque))));
    if (j->type == VSP_JOINT_WHEEL)
        state->wheel_speed = rate_show(
            vsp__joint_row_speed(world, j, s, VSP__ROW_TURN_Y));
    for (k = 0; k < 6; k++)
        if (!(held >> k & 1u))
            v3_parts(k < 3 ? &s->parted : &s->twisted)[k % 3] = 0;
}

#else

static void show_axes(const vsp_world *world, const vsp__joint *j,
                      vsp__joint_pose *s, vsp_joint_state *state)
{
    (void)world;
    (void)j;
    (void)s;
    (void)state;
}

#endif /* VSP_DRIVES */

/* Returns the error of position, m.  Limits of a slider, and soft ones, do not
 * count. */
static vsp__num anchor_error(const vsp__joint *j, const vsp__joint_pose *s)
{
    if (j->type != VSP_JOINT_DISTANCE && !vsp__is_rope(j))
        return v3_length_at(&s->parted);
    if (j->hertz > 0)
        return 0;
    return r_max(0, r_max(r_sub(j->low, s->place), r_sub(s->place, j->high)));
}

vsp_status vsp_joint_read(const vsp_world *world, vsp_joint_id id,
                          vsp_joint_state *state)
{
    vsp__joint *j;
    vsp_status status = look_up_joint(world, id, &j);
    vsp__wide whole[VSP__JOINT_ROWS];
    vsp__joint_pose s;

    if (status < 0)
        return status;
    if (state == NULL)
        return VSP_ERR_ARG;
    vsp__zero_bytes(state, sizeof *state);
    vsp__find_joint_pose(world, j, &s);
    vsp__show_rope_end(j, &s);
    state->place = r_show(s.place);
    state->swing = r_show(s.swing);
    state->speed = rate_show(vsp__joint_speed(world, j, &s));
    show_axes(world, j, &s, state);
    state->error = r_show(anchor_error(j, &s));
    state->angle_error = j->type == VSP_JOINT_BALL
                             ? 0
                             : r_show(v3_length_at(&s.twisted));
    vsp__find_whole_impulses(j, whole);
    state->impulse = show_row_sum(j, &s, whole, false);
    state->turn = show_row_sum(j, &s, whole, true);
    state->motor = w_show(whole[vsp__motor_row(j)]);
    state->at_limit = (j->flags & VSP__JOINT_BEARS) != 0;
    if (j->type == VSP_JOINT_FIXED)
        state->bent = r_show(j->bent);
    state->is_broken = (j->flags & VSP__JOINT_BROKEN) != 0;
    return VSP_OK;
}

#endif /* VSP_JOINTS */
