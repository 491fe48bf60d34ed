/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Changes of what a body is (VSP_EDITS).  In this order: a body as a def, its
 * shapes, joints and bounds; type; disabled bodies; velocities. */

#include "api.h"

#if VSP_EDITS


/* ---- A body as it is ----------------------------------------------------- */

/* Writes the mass data that a call has given. */
static void show_given_mass(const vsp__body *b, vsp_body_def *def)
{
    const vsp__mass_data *m = &b->mass_data;
    vsp_real *inertia = &def->inertia.x;
    uint32_t k;

    if (b->mass_given != 0)
        def->mass = w_show(b->given);
    if (b->mass_given != 2)
        return;
    def->center = v3_show(m->center);
    for (k = 0; k < 3; k++) {
        vsp__v3 axis = v3_zero();

        v3_parts(&axis)[k] = VSP__UNIT(1.0);
        inertia[k] = w_show(w_mul(m->mass, vsp__s3_along(&m->inertia, &axis)));
    }
}

/* Returns the slot of a body's oldest shape; VSP_MAX_SHAPES if it has none. */
static uint32_t oldest_shape(const vsp_world *world, const vsp__body *b)
{
    uint32_t next = b->first_shape, slot = VSP_MAX_SHAPES;

    for (; next != 0; next = world->shapes[slot].next_shape)
        slot = next - 1u;
    return slot;
}

vsp_status vsp_body_get(const vsp_world *world, vsp_body_id id,
                        vsp_body_def *def)
{
    const vsp__body *b = vsp__get_body(world, id);
    uint32_t shape;

    if (b == NULL)
        return vsp__missing_status(world);
    if (def == NULL)
        return VSP_ERR_ARG;
    *def = vsp_body_def_default();
    def->type = vsp_body_get_type(world, id);
    def->pose = vsp_body_transform(world, id);
    vsp__show_fields(b, def, vsp__body_ranges, VSP__BODY_RANGES);
    def->locks = b->flags & VSP__ALL_LOCKS;
    def->is_bullet = (b->flags & VSP__BULLET) != 0;
    def->enable_sleep = (b->flags & VSP__SLEEPLESS) == 0;
    def->is_disabled = vsp__is_disabled(b);
    def->user = b->user;
    show_given_mass(b, def);
    shape = oldest_shape(world, b);
    if (shape < VSP_MAX_SHAPES)
        (void)vsp_shape_get(world, vsp_shape_at(world, shape), &def->shape);
    return VSP_OK;
}

/* Returns the number of a body's shapes. */
static uint32_t count_shapes(const vsp_world *world, const vsp__body *b)
{
    uint32_t next = b->first_shape, count = 0;

    for (; next != 0; next = world->shapes[next - 1u].next_shape)
        count++;
    return count;
}

uint32_t vsp_body_shapes(const vsp_world *world, vsp_body_id id,
                         vsp_shape_id *shapes, uint32_t capacity)
{
    const vsp__body *b = vsp__get_body(world, id);
    uint32_t next, count, left;

    if (b == NULL)
        return 0;
    left = count = count_shapes(world, b);
    for (next = b->first_shape; shapes != NULL && next != 0;
         next = world->shapes[next - 1u].next_shape)
        if (--left < capacity)
            shapes[left] = vsp_shape_at(world, next - 1u);
    return count;
}

#if VSP_JOINTS

uint32_t vsp_body_joints(const vsp_world *world, vsp_body_id id,
                         vsp_joint_id *joints, uint32_t capacity)
{
    uint32_t slot = vsp__slot_of_id(id.bits), i, count = 0;
    const vsp__joint_pool *pool;

    if (vsp__get_body(world, id) == NULL)
        return 0;
    pool = vsp__joint_pool_of(world);
    for (i = 0; i < pool->limit; i++) {
        const vsp__joint *j = pool->joints + i;

        if (j->type == 0 || (j->body[0] != slot && j->body[1] != slot))
            continue;
        if (joints != NULL && count < capacity)
            joints[count] = vsp_joint_at(world, i);
        count++;
    }
    return count;
}

#endif /* VSP_JOINTS */

/* Computes the bounds of a shape without the envelope of the broad phase. */
static void find_tight_bounds(const vsp_world *world, uint32_t slot,
                              vsp__aabb *bounds)
{
    vsp__num half = u_mul(VSP__UNIT(0.5), world->params.envelope);
    vsp__v3 margin = v3(half, half, half);
    vsp__pose pose;

    vsp__update_shape(world, slot, &pose, bounds);
    v3_add_in(&bounds->low, &margin);
    v3_sub_in(&bounds->high, &margin);
}

static void show_bounds(const vsp__aabb *from, vsp_bounds *to)
{
    to->low = v3_show(from->low);
    to->high = v3_show(from->high);
}

vsp_status vsp_shape_bounds(const vsp_world *world, vsp_shape_id id,
                            vsp_bounds *bounds)
{
    const vsp__shape *shape = vsp__get_shape(world, id);
    vsp__aabb found;

    if (shape == NULL)
        return vsp__missing_status(world);
    if (bounds == NULL || !vsp__is_bounded(shape))
        return VSP_ERR_ARG;
    find_tight_bounds(world, vsp__slot_of_id(id.bits), &found);
    show_bounds(&found, bounds);
    return VSP_OK;
}

vsp_status vsp_body_bounds(const vsp_world *world, vsp_body_id id,
                           vsp_bounds *bounds)
{
    const vsp__body *b = vsp__get_body(world, id);
    vsp__aabb sum = {{0, 0, 0}, {0, 0, 0}}, found;
    uint32_t next, count = 0;

    if (b == NULL)
        return vsp__missing_status(world);
    for (next = b->first_shape; next != 0;
         next = world->shapes[next - 1u].next_shape) {
        if (!vsp__is_bounded(world->shapes + (next - 1u)))
            continue;
        find_tight_bounds(world, next - 1u, &found);
        if (count++ == 0)
            sum = found;
        else
            vsp__bounds_join(&sum, &found);
    }
    if (bounds == NULL || count == 0)
        return VSP_ERR_ARG;
    show_bounds(&sum, bounds);
    return VSP_OK;
}


/* ---- Type ---------------------------------------------------------------- */

/* Whether a body of the type of `changed` can have all its shapes. */
static bool fit_shapes(const vsp_world *world, const vsp__body *changed)
{
    uint32_t next = changed->first_shape;

    for (; next != 0; next = world->shapes[next - 1u].next_shape)
        if (!vsp__shape_fits_body(world->shapes + (next - 1u), changed))
            return false;
    return true;
}

/* Gives a body another type and the mass that it then has.  Returns false if it
 * cannot have this type. */
static bool change_type(const vsp_world *world, vsp_body_type type,
                        vsp__body *changed)
{
    vsp__shape_list list = vsp__shapes_of(world);
    vsp__mass_data m;

    changed->type = (uint8_t)(((uint32_t)type + 1u) |
                              (changed->type & VSP__DISABLED));
    changed->mass_given = 0;
    changed->given = VSP__W_ZERO;
    vsp__zero_bytes(&changed->force, 2u * sizeof changed->force); /* torque */
    if (type == VSP_STATIC)
        vsp__zero_bytes(&changed->velocity, 2u * sizeof changed->velocity);
    vsp__zero_bytes(&m, sizeof m);
    if (type == VSP_DYNAMIC)
        vsp__find_body_mass(&list, changed, NULL, VSP_MAX_SHAPES, &m);
    if (!fit_shapes(world, changed) || !vsp__is_mass_data(&m))
        return false;
    vsp__set_body_mass(changed, &m);
    vsp__clear_sleep(changed);
    return vsp__is_body(changed);
}

/* Clears the impulses of a body's joints: joints that had no effect for some
 * time must not start with old ones. */
#if VSP_JOINTS
static void cool_joints(vsp_world *world, uint32_t body)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;

    for (i = 0; i < pool->limit; i++) {
        vsp__joint *j = pool->joints + i;

        if (j->type == 0 || (j->body[0] != body && j->body[1] != body))
            continue;
        vsp__zero_bytes(j->impulse, sizeof j->impulse);
        vsp__set_flag(j, VSP__JOINT_BEARS, false);
    }
}
#else
static void cool_joints(vsp_world *world, uint32_t body)
{
    (void)world;
    (void)body;
}
#endif

/* Replaces a body whose part in the simulation changes. */
static void replace_body(vsp_world *world, uint32_t slot,
                         const vsp__body *changed)
{
    vsp__wake_near_body(world, slot);
    world->bodies[slot] = *changed;
    cool_joints(world, slot);
    vsp__wake_near_body(world, slot);
    vsp__forget_contacts(world);
}

vsp_status vsp_body_set_type(vsp_world *world, vsp_body_id id,
                             vsp_body_type type)
{
    uint32_t slot = vsp__slot_of_id(id.bits);
    vsp__body *b, changed;
    vsp_status status = vsp__find_body(world, id, &b, &changed);

    if (status < 0)
        return status;
    if ((uint32_t)type > (uint32_t)VSP_DYNAMIC)
        return VSP_ERR_ARG;
    if (type == vsp_body_get_type(world, id))
        return VSP_OK;
    if (!change_type(world, type, &changed))
        return VSP_ERR_ARG;
    if (VSP_SHELLS && type == VSP_DYNAMIC && !vsp__is_disabled(b) &&
        !vsp__is_place_clear(world, slot, &changed, 0, NULL))
        return VSP_ERR_OVERLAP;
    replace_body(world, slot, &changed);
    return VSP_OK;
}


/* ---- Disabled bodies ----------------------------------------------------- */

vsp_status vsp_body_enable(vsp_world *world, vsp_body_id id, bool is_enabled)
{
    uint32_t slot = vsp__slot_of_id(id.bits);
    vsp__body *b, changed;
    vsp_status status = vsp__find_body(world, id, &b, &changed);

    if (status < 0)
        return status;
    if (is_enabled != vsp__is_disabled(b))
        return VSP_OK;
    changed.type ^= VSP__DISABLED;
    vsp__clear_sleep(&changed);
    if (VSP_SHELLS && is_enabled &&
        !vsp__is_place_clear(world, slot, &changed, 0, NULL))
        return VSP_ERR_OVERLAP;
    replace_body(world, slot, &changed);
    return VSP_OK;
}

bool vsp_body_is_enabled(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = vsp__get_body(world, id);

    return b != NULL && !vsp__is_disabled(b);
}


/* ---- Velocities ---------------------------------------------------------- */

vsp_status vsp_body_set_linear_velocity(vsp_world *world, vsp_body_id id,
                                        vsp_vec3 velocity)
{
    return vsp_body_set_velocity(world, id, velocity, vsp_body_spin(world, id));
}

vsp_status vsp_body_set_spin(vsp_world *world, vsp_body_id id, vsp_vec3 spin)
{
    return vsp_body_set_velocity(world, id, vsp_body_velocity(world, id), spin);
}

/* Replaces a displacement, m or rad, by the rates that cover it in a time h, s.
 * Their length is at most `most`, so they may cover only a part.  Half of the
 * displacement is measured, as the length of all may not fit a number. */
static void rates_over(vsp__v3 *way, vsp__num h, vsp__num most)
{
    vsp__num half = VSP__UNIT(0.5), length;
    vsp__v3 small = *way;

    u3_scale_in(&small, half);
    length = v3_length_at(&small);
    most = u_mul(half, r_of_rate(most, h));
    if (length > most)
        u3_scale_in(way, u_div(most, length));
    *way = v3(rate_over(way->x, h), rate_over(way->y, h), rate_over(way->z, h));
}

/* Computes the rotation vector from a to b by the shorter way: along the axis
 * of the rotation, as long as its angle, rad. */
static void find_turn(const vsp__unit_quat *a, const vsp__unit_quat *b,
                      vsp__v3 *turn)
{
    vsp__unit_quat back = *a, way;
    vsp__num sine, angle;

    back.w = r_neg(back.w); /* the reverse of a, negated */
    vsp__q_mul(b, &back, &way);
    *turn = v3(way.x, way.y, way.z);
    v3_flip_in(turn, way.w < 0);
    v3_flush_in(turn);
    if (vsp__are_three_zero(&turn->x))
        return;
    sine = v3_length_at(turn);
    angle = vsp__angle_of(sine, r_abs(way.w));
    vsp__v3_normalize(turn);
    u3_scale_in(turn, r_add(angle, angle));
}

vsp_status vsp_body_move_to(vsp_world *world, vsp_body_id id,
                            vsp_transform pose, vsp_real dt)
{
    vsp__body *b, changed;
    vsp_status status = vsp__find_body(world, id, &b, &changed);
    vsp__num h = u_read(dt);
    vsp__frame to;

    if (status < 0)
        return status;
    if (vsp__type_of_body(b) != (uint32_t)VSP_KINEMATIC + 1u ||
        !vsp__read_pose(&pose, &to) || !caller_in(dt, VSP_MIN_DT, VSP_MAX_DT))
        return VSP_ERR_ARG;
    vsp__v3_from_to(&b->position, &to.position, &changed.velocity);
    find_turn(&b->rotation, &to.rotation, &changed.spin);
    rates_over(&changed.velocity, h, changed.max_speed);
    rates_over(&changed.spin, h, rate_read(VSP_MAX_SPEED));
    vsp__clamp_body(&changed); /* only rounding exceeds limits */
    VSP_ASSERT(vsp__is_body(&changed));
    *b = changed;
    return VSP_OK;
}

#endif /* VSP_EDITS */
