/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Bodies: creation and destruction, pose and velocity, mass, properties,
 * sleep.  Forces and impulses are in force.c. */

#include "api.h"

/* Number of words from field `given` of a body to its end; all are numbers. */
#define BODY_NUMBERS \
    ((uint32_t)(sizeof(vsp__body) - offsetof(vsp__body, given)) / 4u)

static uint16_t read_flags(const vsp_body_def *def)
{
    return (uint16_t)((def->locks & VSP__ALL_LOCKS) |
                      (def->is_bullet ? VSP__BULLET : 0u) |
                      (def->enable_sleep ? 0u : VSP__SLEEPLESS));
}

/* Reads a def except for its shape.  Returns false if it is not valid. */
static bool read_body_def(const vsp_body_def *def, vsp__body *body)
{
    vsp__frame pose;

    vsp__zero_bytes(body, sizeof *body);
    if (def->cookie != VSP__COOKIE(2) || (uint32_t)def->type > 2u ||
        def->locks > VSP__ALL_LOCKS || !vsp__read_pose(&def->pose, &pose) ||
        !vsp__read_given_mass(def->mass, &def->center, &def->inertia, body))
        return false;
    if (def->type != VSP_DYNAMIC) { /* only dynamic bodies have a mass: a
                                       given mass is ignored */
        vsp__zero_bytes(&body->mass_data, sizeof body->mass_data);
        body->given = VSP__W_ZERO;
        body->mass_given = 0;
    }
    body->type = (uint8_t)(((uint32_t)def->type + 1u) |
                           (def->is_disabled ? VSP__DISABLED : 0u));
    body->user = def->user;
    body->position = pose.position;
    body->rotation = pose.rotation;
    vsp__read_fields(def, body, vsp__body_ranges, VSP__BODY_RANGES);
    body->flags = read_flags(def);
    vsp__flush_each(&body->given, BODY_NUMBERS);
    return vsp__is_body(body);
}

/* Computes the mass data of a new body.  Returns false if not valid. */
static bool find_new_body_mass(const vsp_world *world, const vsp__body *body,
                               const vsp__shape *shape, vsp__mass_data *m)
{
    vsp__shape_list list = vsp__shapes_of(world);

    vsp__find_body_mass(&list, body, shape, VSP_MAX_SHAPES, m);
    return vsp__type_of_body(body) != (uint32_t)VSP_DYNAMIC + 1u ||
           (body->mass_given == 0 && shape == NULL) ||
           (w_less(VSP__W_ZERO, m->mass) && vsp__is_mass_data(m));
}

/* Whether a new body with its first shape would be far enough from shells. */
static bool is_new_place_clear(vsp_world *world, uint32_t slot,
                               const vsp__body *body, const vsp__mass_data *m,
                               uint32_t shape_slot, const vsp__shape *shape)
{
    vsp__body changed;

    if (VSP_SHELLS && shape != NULL) {
        changed = *body;
        vsp__zero_bytes(&changed.mass_data, sizeof changed.mass_data);
        vsp__set_body_mass(&changed, m);
        return vsp__is_place_clear(world, slot, &changed, shape_slot, shape);
    }
    return true;
}

vsp_status vsp_body_create(vsp_world *world, const vsp_body_def *def,
                           vsp_body_id *id)
{
    vsp__body body;
    vsp__shape shape;
    const vsp__shape *first = NULL;
    uint32_t slot, shape_place;
    vsp__mass_data m;

    if (id != NULL)
        id->bits = 0;
    if (!vsp__is_world(world) || def == NULL || !read_body_def(def, &body))
        return VSP_ERR_ARG;
    if (def->shape.type != VSP_SHAPE_NONE)
        first = &shape;
    if (first != NULL && !(vsp__read_shape(world, &def->shape, &shape) &&
                           vsp__shape_fits_body(&shape, &body)))
        return VSP_ERR_ARG;
    if (!find_new_body_mass(world, &body, first, &m))
        return VSP_ERR_ARG;
    slot = vsp__free_body_slot(world);
    shape_place = vsp__free_shape_slot(world);
    if (slot >= world->params.capacity.bodies ||
        (first != NULL && shape_place >= world->params.capacity.shapes))
        return VSP_ERR_FULL;
    body.generation = (uint16_t)(world->bodies[slot].generation + 1u);
    if (!is_new_place_clear(world, slot, &body, &m, shape_place, first))
        return VSP_ERR_OVERLAP;
    world->bodies[slot] = body;
    vsp__zero_bytes(&world->bodies[slot].mass_data, sizeof m);
    vsp__use_slot(&world->body_limit, &world->body_used, &world->body_free,
                  slot);
    vsp__count_up(&world->stats.body_count, &world->stats.body_high);
    if (first != NULL)
        vsp__link_shape(world, shape_place, slot, &shape);
    vsp__set_body_mass(world->bodies + slot, &m);
    world->bodies[slot].velocity = body.velocity; /* of the centre */
    vsp__wake_near_body(world, slot);
    if (id != NULL)
        id->bits = vsp__body_id_at(world, slot);
    return VSP_OK;
}

vsp_status vsp_body_destroy(vsp_world *world, vsp_body_id id)
{
    uint32_t slot = vsp__slot_of_id(id.bits);

    if (vsp__get_body(world, id) == NULL)
        return vsp__missing_status(world);
    vsp__wake_near_body(world, slot);
    if (VSP_JOINTS)
        vsp__destroy_joints_of(world, slot);
    while (world->bodies[slot].first_shape != 0)
        vsp__unlink_shape(world, world->bodies[slot].first_shape - 1u);
    vsp__empty_slot(world->bodies + slot, sizeof(vsp__body));
    if (world->body_free > slot)
        world->body_free = slot;
    world->stats.body_count--;
    vsp__shrink_limits(world);
    vsp__forget_contacts(world);
    return VSP_OK;
}

bool vsp_body_is_valid(const vsp_world *world, vsp_body_id id)
{
    return vsp__get_body(world, id) != NULL;
}

vsp_body_id vsp_body_at(const vsp_world *world, uint32_t slot)
{
    vsp_body_id id;

    id.bits = vsp__body_id_at(world, slot);
    return id;
}

vsp_body_type vsp_body_get_type(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = vsp__get_body(world, id);

    return b != NULL ? (vsp_body_type)(vsp__type_of_body(b) - 1u) : VSP_STATIC;
}

vsp_transform vsp_body_transform(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = vsp__get_body(world, id);
    vsp_transform pose;
    vsp__v3 at = v3_zero();

    if (b != NULL) {
        vsp__q_rotate(&b->rotation, &b->mass_data.center, &at);
        v3_sub_to(&b->position, &at, &at);
    }
    pose.position = v3_show(at);
    pose.rotation = q_show(b != NULL ? b->rotation : q_identity());
    return pose;
}

vsp_status vsp_body_set_transform(vsp_world *world, vsp_body_id id,
                                  vsp_transform pose)
{
    vsp__body *b, changed;
    vsp_status status = vsp__find_body(world, id, &b, &changed);
    vsp__frame place;
    vsp__v3 arm;

    if (status < 0)
        return status;
    if (!vsp__read_pose(&pose, &place))
        return VSP_ERR_ARG;
    vsp__q_rotate(&place.rotation, &b->mass_data.center, &arm);
    changed.rotation = place.rotation;
    v3_add_to(&place.position, &arm, &changed.position);
    vsp__clamp_body(&changed);
    if (VSP_SHELLS && !vsp__is_place_clear(world, vsp__slot_of_id(id.bits),
                                           &changed, 0, NULL))
        return VSP_ERR_OVERLAP;
    vsp__wake_near_body(world, vsp__slot_of_id(id.bits));
    b->position = changed.position;
    b->rotation = changed.rotation;
    vsp__wake_near_body(world, vsp__slot_of_id(id.bits));
    vsp__forget_contacts(world);
    return VSP_OK;
}

vsp_vec3 vsp_body_center(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = vsp__get_body(world, id);

    return v3_show(b != NULL ? b->position : v3_zero());
}

vsp_vec3 vsp_body_velocity(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = vsp__get_body(world, id);

    return vsp__show_rate(b != NULL ? &b->velocity : NULL);
}

vsp_vec3 vsp_body_spin(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = vsp__get_body(world, id);

    return vsp__show_rate(b != NULL ? &b->spin : NULL);
}

/* Checks and stores a changed body. */
static vsp_status store_body(vsp__body *b, const vsp__body *changed)
{
    if (!vsp__is_body(changed))
        return VSP_ERR_ARG;
    *b = *changed;
    return VSP_OK;
}

vsp_status vsp_body_set_velocity(vsp_world *world, vsp_body_id id,
                                 vsp_vec3 velocity, vsp_vec3 spin)
{
    vsp__body *b, changed;
    vsp_status status = vsp__find_body(world, id, &b, &changed);

    if (status < 0)
        return status;
    if (vsp__type_of_body(b) == (uint32_t)VSP_STATIC + 1u)
        return VSP_ERR_ARG;
    changed.velocity = rate3_read(velocity);
    changed.spin = rate3_read(spin);
    vsp__flush_each(&changed.velocity, 6); /* and spin */
    if (!vsp__is_at_rest(&changed))
        vsp__clear_sleep(&changed);
    return store_body(b, &changed);
}

vsp_real vsp_body_mass(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = vsp__get_body(world, id);

    return b != NULL ? w_show(b->mass_data.mass) : 0;
}

vsp_status vsp_body_set_mass(vsp_world *world, vsp_body_id id, vsp_real mass,
                             vsp_vec3 center, vsp_vec3 inertia)
{
    vsp__body *b, changed;
    vsp_status status = vsp__find_body(world, id, &b, &changed);
    vsp__shape_list list;
    vsp__mass_data m;

    if (status < 0)
        return status;
    if (vsp__type_of_body(b) != (uint32_t)VSP_DYNAMIC + 1u ||
        !vsp__read_given_mass(mass, &center, &inertia, &changed))
        return VSP_ERR_ARG;
    list = vsp__shapes_of(world);
    vsp__find_body_mass(&list, &changed, NULL, VSP_MAX_SHAPES, &m);
    if (!w_less(VSP__W_ZERO, m.mass) || !vsp__is_mass_data(&m))
        return VSP_ERR_ARG;
    b->mass_given = changed.mass_given;
    b->given = changed.given;
    vsp__set_body_mass(b, &m);
    vsp__clear_sleep(b);
    vsp__forget_contacts(world);
    return VSP_OK;
}

vsp_status vsp_body_set_damping(vsp_world *world, vsp_body_id id,
                                vsp_real linear, vsp_real angular)
{
    vsp__body *b, changed;
    vsp_status status = vsp__find_body(world, id, &b, &changed);

    if (status < 0)
        return status;
    changed.linear_damping = r_read(linear);
    changed.angular_damping = r_read(angular);
    vsp__flush_each(&changed.linear_damping, 2);
    return store_body(b, &changed);
}

vsp_status vsp_body_set_gravity_scale(vsp_world *world, vsp_body_id id,
                                      vsp_real scale)
{
    vsp__body *b, changed;
    vsp_status status = vsp__find_body(world, id, &b, &changed);

    if (status < 0)
        return status;
    changed.gravity_scale = r_flush(r_read(scale));
    vsp__clear_sleep(&changed);
    return store_body(b, &changed);
}

vsp_status vsp_body_set_max_speed(vsp_world *world, vsp_body_id id,
                                  vsp_real speed)
{
    vsp__body *b, changed;
    vsp_status status = vsp__find_body(world, id, &b, &changed);

    if (status < 0)
        return status;
    changed.max_speed = rate_read(speed);
    return store_body(b, &changed);
}

/* Replaces the flags of a body that are set in `some` by those of `to`.  A
 * caller that wants to wake the body replaces SLEEP_FLAGS, too. */
static vsp_status set_body_flags(vsp_world *world, vsp_body_id id,
                                 uint32_t some, uint32_t to)
{
    vsp__body *b, changed;
    vsp_status status = vsp__find_body(world, id, &b, &changed);

    if (status < 0)
        return status;
    changed.flags = (uint16_t)((changed.flags & ~some) | to);
    return store_body(b, &changed);
}

/* Flags for set_body_flags: asleep, and how long the body was calm. */
#define SLEEP_FLAGS ((uint32_t)(0xffffu & ~(VSP__ASLEEP - 1u)))

VSP_STATIC_ASSERT(locks_are_flags,
                  VSP__ALL_LOCKS == VSP_LOCKS * VSP_LOCK_ALL &&
                      VSP__TURN_LOCKS ==
                          VSP_LOCKS * (VSP_LOCK_TURN_X | VSP_LOCK_TURN_Y |
                                       VSP_LOCK_TURN_Z));

vsp_status vsp_body_set_locks(vsp_world *world, vsp_body_id id, uint32_t locks)
{
    vsp__body *b, copy;
    vsp_status status = vsp__find_body(world, id, &b, &copy);

    if (status < 0)
        return status;
    if (locks > VSP__ALL_LOCKS)
        return VSP_ERR_ARG;
    return set_body_flags(world, id, VSP__ALL_LOCKS | SLEEP_FLAGS, locks);
}

uint32_t vsp_body_locks(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = vsp__get_body(world, id);

    return b != NULL ? b->flags & VSP__ALL_LOCKS : 0;
}

vsp_status vsp_body_set_bullet(vsp_world *world, vsp_body_id id, bool is_bullet)
{
    return set_body_flags(world, id, VSP__BULLET, is_bullet ? VSP__BULLET : 0);
}

vsp_status vsp_body_enable_sleep(vsp_world *world, vsp_body_id id,
                                 bool is_enabled)
{
    if (is_enabled)
        return set_body_flags(world, id, VSP__SLEEPLESS, 0);
    return set_body_flags(world, id, SLEEP_FLAGS, VSP__SLEEPLESS);
}

vsp_status vsp_body_set_awake(vsp_world *world, vsp_body_id id, bool is_awake)
{
    vsp__body *b, changed;
    vsp_status status = vsp__find_body(world, id, &b, &changed);

    if (status < 0)
        return status;
    if (is_awake) {
        vsp__clear_sleep(b);
        return VSP_OK;
    }
    changed.flags |= VSP__ASLEEP;
    vsp__zero_bytes(&changed.velocity, 2u * sizeof changed.velocity); /* spin */
    if (!world->params.sleep || !vsp__is_body(&changed))
        return VSP_ERR_ARG;
    if (VSP_SLEEP)
        vsp__fall_asleep(world, vsp__slot_of_id(id.bits));
    return VSP_OK;
}

bool vsp_body_is_awake(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = vsp__get_body(world, id);

    return b != NULL && !vsp__is_static(b) && !vsp__is_disabled(b) &&
           !vsp__is_asleep(b);
}

uint32_t vsp_body_user(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = vsp__get_body(world, id);

    return b != NULL ? b->user : 0;
}

vsp_status vsp_body_set_user(vsp_world *world, vsp_body_id id, uint32_t user)
{
    vsp__body *b, changed;
    vsp_status status = vsp__find_body(world, id, &b, &changed);

    if (status < 0)
        return status;
    b->user = user;
    return VSP_OK;
}
