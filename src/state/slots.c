/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Slots of bodies, shapes and joints; their ids; counts. */

#include "state.h"


/* ---- Slots --------------------------------------------------------------- */

/* All three begin with a generation of 16 bits and a type of 8 bits. */
VSP_STATIC_ASSERT(bodies_begin_so, offsetof(vsp__body, generation) == 0 &&
                                       offsetof(vsp__body, type) == 2);

VSP_STATIC_ASSERT(shapes_begin_so, offsetof(vsp__shape, generation) == 0 &&
                                       offsetof(vsp__shape, type) == 2);

VSP_STATIC_ASSERT(joints_begin_so, offsetof(vsp__joint, generation) == 0 &&
                                       offsetof(vsp__joint, type) == 2);

uint32_t vsp__id_at(const void *slots, size_t size, uint32_t limit,
                    uint32_t slot)
{
    const uint8_t *at = (const uint8_t *)slots;

    if (slot >= limit)
        return 0;
    at += (size_t)slot * size;
    if (at[2] == 0)
        return 0;
    return (uint32_t) * (const uint16_t *)(const void *)at << 16 | (slot + 1u);
}

uint32_t vsp__lowest_free_slot(const void *slots, size_t size, uint32_t limit,
                               uint32_t lowest)
{
    while (vsp__id_at(slots, size, limit, lowest) != 0)
        lowest++;
    return lowest;
}

uint32_t vsp__free_body_slot(const vsp_world *world)
{
    return vsp__lowest_free_slot(world->bodies, sizeof(vsp__body),
                                 world->body_limit, world->body_free);
}

uint32_t vsp__free_shape_slot(const vsp_world *world)
{
    return vsp__lowest_free_slot(world->shapes, sizeof(vsp__shape),
                                 world->shape_limit, world->shape_free);
}

void vsp__use_slot(uint32_t *limit, uint32_t *used, uint32_t *lowest,
                   uint32_t slot)
{
    *lowest = slot + 1u;
    if (*limit <= slot)
        *limit = slot + 1u;
    if (*used <= slot)
        *used = slot + 1u;
}

void vsp__empty_slot(void *slot, size_t size)
{
    uint8_t *bytes = (uint8_t *)slot;

    vsp__zero_bytes(bytes + sizeof(uint16_t), size - sizeof(uint16_t));
}

void vsp__shrink_limit(const void *slots, size_t size, uint32_t *limit)
{
    while (*limit > 0 && vsp__id_at(slots, size, *limit, *limit - 1u) == 0)
        *limit -= 1;
}

void vsp__shrink_limits(vsp_world *world)
{
    vsp__shrink_limit(world->bodies, sizeof(vsp__body), &world->body_limit);
    vsp__shrink_limit(world->shapes, sizeof(vsp__shape), &world->shape_limit);
}


/* ---- Ids ----------------------------------------------------------------- */

uint32_t vsp__slot_of_id(uint32_t id)
{
    return (id & 0xffffu) - 1u;
}

uint32_t vsp__body_id_at(const vsp_world *world, uint32_t slot)
{
    return vsp__is_world(world) ? vsp__id_at(world->bodies, sizeof(vsp__body),
                                             world->body_limit, slot)
                                : 0;
}

uint32_t vsp__shape_id_at(const vsp_world *world, uint32_t slot)
{
    return vsp__is_world(world) ? vsp__id_at(world->shapes, sizeof(vsp__shape),
                                             world->shape_limit, slot)
                                : 0;
}

uint32_t vsp__owner_id_of(const vsp_world *world, uint32_t shape)
{
    return vsp__shape_id_at(world, shape) != 0
               ? vsp__body_id_at(world, world->shapes[shape].body)
               : 0;
}

const vsp__body *vsp__get_body(const vsp_world *world, vsp_body_id id)
{
    uint32_t slot = vsp__slot_of_id(id.bits);

    return id.bits != 0 && vsp__body_id_at(world, slot) == id.bits
               ? world->bodies + slot
               : NULL;
}

const vsp__shape *vsp__get_shape(const vsp_world *world, vsp_shape_id id)
{
    uint32_t slot = vsp__slot_of_id(id.bits);

    return id.bits != 0 && vsp__shape_id_at(world, slot) == id.bits
               ? world->shapes + slot
               : NULL;
}

vsp_status vsp__missing_status(const vsp_world *world)
{
    return vsp__is_world(world) ? VSP_ERR_ID : VSP_ERR_ARG;
}

vsp_status vsp__find_body(vsp_world *world, vsp_body_id id, vsp__body **body,
                          vsp__body *changed)
{
    const vsp__body *found = vsp__get_body(world, id);

    if (found == NULL)
        return vsp__missing_status(world);
    *body = world->bodies + vsp__slot_of_id(id.bits);
    *changed = *found;
    return VSP_OK;
}

vsp_status vsp__find_shape(vsp_world *world, vsp_shape_id id,
                           vsp__shape **shape, vsp__shape *changed)
{
    const vsp__shape *found = vsp__get_shape(world, id);

    if (found == NULL)
        return vsp__missing_status(world);
    *shape = world->shapes + vsp__slot_of_id(id.bits);
    *changed = *found;
    return VSP_OK;
}


/* ---- Counts, and leftovers of a step ------------------------------------- */

void vsp__count_up(uint32_t *count, uint32_t *high)
{
    *count += 1;
    if (*high < *count)
        *high = *count;
}

void vsp__forget_contacts(vsp_world *world)
{
    world->changes++;
    world->contacts[VSP__CONTACTS_SOLVED].manifold_count =
        world->contacts[VSP__CONTACTS_SOLVED].point_count = 0;
}

void vsp__clear_step_stats(vsp__counters *stats)
{
    stats->pair_count = stats->manifold_count = stats->contact_count = 0;
    vsp__zero_bytes(&stats->contacts_dropped,
                    sizeof *stats - offsetof(vsp__counters, contacts_dropped));
}
