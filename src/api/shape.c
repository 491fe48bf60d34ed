/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Shapes: reading of defs, lists of shapes, creation and destruction,
 * properties. */

#include "api.h"

/* Reads the rules of a material.  Returns false if one is not valid. */
static bool read_rules(const vsp_material *m, vsp__shape *shape)
{
    uint32_t friction = (uint32_t)m->friction_rule;
    uint32_t restitution = (uint32_t)m->restitution_rule;

    if (friction > (uint32_t)VSP_RULE_MAX ||
        restitution > (uint32_t)VSP_RULE_MAX)
        return false;
    shape->rules = (uint8_t)((shape->rules & (VSP__SENSOR | VSP__TURNS)) |
                             friction | restitution << 3);
    return true;
}

#if VSP_EDITS

void vsp__set_surface_spin(vsp__shape *shape, const vsp_vec3 *spin)
{
    shape->surface = rate3_read(*spin);
    v3_flush_in(&shape->surface);
    shape->rules &= (uint8_t)~VSP__TURNS;
    if (!vsp__are_three_zero(&shape->surface.x))
        shape->rules |= VSP__TURNS;
}

/* Reads the spin of a surface, unless it is 0.  Returns false if the surface
 * has a velocity, too. */
static bool read_surface_spin(const vsp_shape_def *def, vsp__shape *shape)
{
    if (vsp__is_zero_vector(&def->surface_spin))
        return true;
    vsp__set_surface_spin(shape, &def->surface_spin);
    return vsp__is_zero_vector(&def->surface_velocity);
}

#else

static bool read_surface_spin(const vsp_shape_def *def, vsp__shape *shape)
{
    (void)shape;
    return vsp__is_zero_vector(&def->surface_spin);
}

#endif /* VSP_EDITS */

bool vsp__read_shape(const vsp_world *world, const vsp_shape_def *def,
                     vsp__shape *shape)
{
    vsp__zero_bytes(shape, sizeof *shape);
    vsp__read_fields(def, shape, vsp__shape_ranges, VSP__SHAPE_RANGES);
    if (def->cookie != VSP__COOKIE(3) ||
        !vsp__read_pose(&def->pose, &shape->pose) ||
        (uint32_t)def->type > (uint32_t)VSP_SHAPE_TAPER ||
        !vsp__is_shown_table(world, def->table) || def->user > 0xffffu ||
        !read_surface_spin(def, shape) || !read_rules(&def->material, shape) ||
        (!VSP_ROLLING &&
         (def->rolling_friction != 0 || def->spinning_friction != 0)))
        return false;
    if (def->is_sensor)
        shape->rules |= VSP__SENSOR;
    shape->type = (uint8_t)def->type;
    shape->table = (uint16_t)(def->table & 0xffffu);
    shape->user = (uint16_t)def->user;
    vsp__flush_each(&shape->pose, VSP__WORDS(vsp__frame));
    shape->filter = def->filter;
    return vsp__is_shape(world, shape);
}

void vsp__link_shape(vsp_world *world, uint32_t slot, uint32_t body,
                     const vsp__shape *shape)
{
    vsp__shape *to = world->shapes + slot;
    uint32_t generation = to->generation;

    *to = *shape;
    to->generation = (uint16_t)(generation + 1u);
    to->body = (uint16_t)body;
    to->next_shape = world->bodies[body].first_shape;
    world->bodies[body].first_shape = (uint16_t)(slot + 1u);
    world->changes++;
    vsp__use_slot(&world->shape_limit, &world->shape_used, &world->shape_free,
                  slot);
    vsp__count_up(&world->stats.shape_count, &world->stats.shape_high);
}

void vsp__forget_shape_records(vsp_world *world, uint32_t slot)
{
    vsp__warm_record *warm = world->problem.between.warm;
    uint32_t i, kept = 0;

    for (i = 0; i < world->warm_count; i++) {
        uint32_t pair = warm[i].pair;

        if (pair >> 16 != slot && (pair & 0xffffu) != slot)
            warm[kept++] = warm[i];
    }
    world->warm_count = kept;
    for (i = 0, kept = 0; i < world->sensed_count; i++) {
        uint32_t pair = world->sensed[i];

        if (pair >> 16 != slot && (pair & 0xffffu) != slot)
            world->sensed[kept++] = pair;
    }
    world->sensed_count = kept;
}

void vsp__unlink_shape(vsp_world *world, uint32_t slot)
{
    vsp__body *body = world->bodies + world->shapes[slot].body;
    uint16_t before = body->first_shape;
    uint16_t next = world->shapes[slot].next_shape;

    if (before == slot + 1u) {
        body->first_shape = next;
    } else {
        while (world->shapes[before - 1u].next_shape != slot + 1u)
            before = world->shapes[before - 1u].next_shape;
        world->shapes[before - 1u].next_shape = next;
    }
    vsp__empty_slot(world->shapes + slot, sizeof(vsp__shape));
    if (world->shape_free > slot)
        world->shape_free = slot;
    vsp__forget_shape_records(world, slot);
    vsp__forget_tiles(world, slot);
    world->stats.shape_count--;
}

vsp_status vsp_shape_create(vsp_world *world, vsp_body_id body,
                            const vsp_shape_def *def, vsp_shape_id *id)
{
    vsp__shape shape;
    uint32_t owner, slot;
    vsp__shape_list list;
    vsp__mass_data m;
    vsp__body changed;

    if (id != NULL)
        id->bits = 0;
    if (!vsp__is_world(world) || def == NULL ||
        !vsp__read_shape(world, def, &shape))
        return VSP_ERR_ARG;
    owner = vsp__slot_of_id(body.bits);
    if (vsp__get_body(world, body) == NULL)
        return VSP_ERR_ID;
    list = vsp__shapes_of(world);
    vsp__find_body_mass(&list, world->bodies + owner, &shape, VSP_MAX_SHAPES,
                        &m);
    if (!vsp__shape_fits_body(&shape, world->bodies + owner) ||
        !vsp__is_mass_data(&m))
        return VSP_ERR_ARG;
    slot = vsp__free_shape_slot(world);
    if (slot >= world->params.capacity.shapes)
        return VSP_ERR_FULL;
    if (VSP_SHELLS) {
        changed = world->bodies[owner];
        vsp__set_body_mass(&changed, &m);
        if (!vsp__is_place_clear(world, owner, &changed, slot, &shape))
            return VSP_ERR_OVERLAP;
    }
    vsp__link_shape(world, slot, owner, &shape);
    vsp__set_body_mass(world->bodies + owner, &m);
    vsp__wake_near_body(world, owner);
    vsp__forget_contacts(world);
    if (id != NULL)
        id->bits = vsp__shape_id_at(world, slot);
    return VSP_OK;
}

vsp_status vsp_shape_destroy(vsp_world *world, vsp_shape_id id)
{
    uint32_t slot = vsp__slot_of_id(id.bits), body;
    vsp__shape_list list;
    vsp__mass_data m;

    if (vsp__get_shape(world, id) == NULL)
        return vsp__missing_status(world);
    body = world->shapes[slot].body;
    list = vsp__shapes_of(world);
    vsp__find_body_mass(&list, world->bodies + body, NULL, slot, &m);
    if (!vsp__is_mass_data(&m))
        return VSP_ERR_ARG;
    vsp__wake_near_body(world, body);
    vsp__unlink_shape(world, slot);
    vsp__set_body_mass(world->bodies + body, &m);
    vsp__shrink_limits(world);
    vsp__forget_contacts(world);
    return VSP_OK;
}

bool vsp_shape_is_valid(const vsp_world *world, vsp_shape_id id)
{
    return vsp__get_shape(world, id) != NULL;
}

vsp_shape_id vsp_shape_at(const vsp_world *world, uint32_t slot)
{
    vsp_shape_id id;

    id.bits = vsp__shape_id_at(world, slot);
    return id;
}

vsp_body_id vsp_shape_body(const vsp_world *world, vsp_shape_id id)
{
    vsp_body_id body = {0};

    if (vsp_shape_is_valid(world, id))
        body.bits = vsp__owner_id_of(world, vsp__slot_of_id(id.bits));
    return body;
}

vsp_status vsp_shape_get(const vsp_world *world, vsp_shape_id id,
                         vsp_shape_def *def)
{
    const vsp__shape *shape = vsp__get_shape(world, id);

    if (shape == NULL)
        return vsp__missing_status(world);
    if (def == NULL)
        return VSP_ERR_ARG;
    def->cookie = VSP__COOKIE(3);
    def->type = (vsp_shape_type)shape->type;
    def->table = vsp__shown_table(world, shape->table);
    def->is_sensor = (shape->rules & VSP__SENSOR) != 0;
    vsp__show_fields(shape, def, vsp__shape_ranges, VSP__SHAPE_RANGES);
    def->material.friction_rule = (vsp_rule)vsp__friction_rule(shape);
    def->material.restitution_rule = (vsp_rule)vsp__restitution_rule(shape);
    def->filter = shape->filter;
    def->user = shape->user;
    if (!VSP_ROLLING)
        def->rolling_friction = def->spinning_friction = 0;
    def->surface_spin = vsp__vec3_of(0, 0, 0);
    if (shape->rules & VSP__TURNS) {
        def->surface_spin = def->surface_velocity;
        def->surface_velocity = vsp__vec3_of(0, 0, 0);
    }
    return VSP_OK;
}

/* Checks and stores a changed shape, and wakes its body and those near it. */
static vsp_status store_shape(vsp_world *world, vsp__shape *shape,
                              const vsp__shape *changed)
{
    if (!vsp__is_shape(world, changed))
        return VSP_ERR_ARG;
    *shape = *changed;
    vsp__wake_near_body(world, shape->body);
    return VSP_OK;
}

vsp_status vsp_shape_set_material(vsp_world *world, vsp_shape_id id,
                                  vsp_material material)
{
    vsp__shape *shape, changed;
    vsp_status status = vsp__find_shape(world, id, &shape, &changed);

    if (status < 0)
        return status;
    changed.friction = r_flush(r_read(material.friction));
    changed.restitution = r_flush(r_read(material.restitution));
    if (!read_rules(&material, &changed))
        return VSP_ERR_ARG;
    return store_shape(world, shape, &changed);
}

#if VSP_ROLLING

vsp_status vsp_shape_set_rolling_friction(vsp_world *world, vsp_shape_id id,
                                          vsp_real rolling, vsp_real spinning)
{
    vsp__shape *shape, changed;
    vsp_status status = vsp__find_shape(world, id, &shape, &changed);

    if (status < 0)
        return status;
    changed.rolling = r_flush(r_read(rolling));
    changed.spinning = r_flush(r_read(spinning));
    return store_shape(world, shape, &changed);
}

#endif /* VSP_ROLLING */

vsp_status vsp_shape_set_surface_velocity(vsp_world *world, vsp_shape_id id,
                                          vsp_vec3 velocity)
{
    vsp__shape *shape, changed;
    vsp_status status = vsp__find_shape(world, id, &shape, &changed);

    if (status < 0)
        return status;
    changed.surface = rate3_read(velocity);
    v3_flush_in(&changed.surface);
    changed.rules &= (uint8_t)~VSP__TURNS;
    return store_shape(world, shape, &changed);
}

vsp_status vsp_shape_set_filter(vsp_world *world, vsp_shape_id id,
                                vsp_filter filter)
{
    vsp__shape *shape, changed;
    vsp_status status = vsp__find_shape(world, id, &shape, &changed);

    if (status < 0)
        return status;
    changed.filter = filter;
    return store_shape(world, shape, &changed);
}

uint32_t vsp_shape_user(const vsp_world *world, vsp_shape_id id)
{
    const vsp__shape *shape = vsp__get_shape(world, id);

    return shape != NULL ? shape->user : 0;
}

vsp_status vsp_shape_set_user(vsp_world *world, vsp_shape_id id, uint32_t user)
{
    vsp__shape *shape, changed;
    vsp_status status = vsp__find_shape(world, id, &shape, &changed);

    if (status < 0)
        return status;
    if (user > 0xffffu)
        return VSP_ERR_ARG;
    shape->user = (uint16_t)user;
    return VSP_OK;
}
