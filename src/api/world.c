/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The world: creation, settings, statistics. */

#include "api.h"

VSP_STATIC_ASSERT(world_fits, sizeof(struct vsp_world) + VSP__BEHIND_BYTES <=
                                  VSP_WORLD_BYTES);

VSP_STATIC_ASSERT(world_is_tight,
                  sizeof(struct vsp_world) + VSP__BEHIND_BYTES + 64u >
                      VSP_WORLD_BYTES);

/* Reads a def.  Returns false if it is not valid. */
static bool read_world_def(const vsp_world_def *def, vsp__params *p)
{
    vsp__read_fields(def, p, vsp__params_ranges, VSP__PARAMS_RANGES);
    p->stepper = (uint32_t)def->stepper;
    p->friction = (uint32_t)def->friction;
    p->warm_start = def->enable_warm_start ? 1 : 0;
    p->sleep = def->enable_sleep ? 1 : 0;
    p->continuous = def->enable_continuous ? 1 : 0;
    p->reports = def->reports;
    p->tables = 0;
    p->sweeps = def->sweeps;
    p->correction_sweeps = def->correction_sweeps;
    p->rounds = def->subspace.rounds;
    p->search_tries = def->subspace.tries;
    p->search_steps = def->subspace.steps;
    p->search = def->subspace.search;
    p->search |= vsp__parts_left_out();
    if (VSP_RANGES && !def->enable_ranges)
        p->search |= VSP__NO_RANGES;
    if (VSP_HINGE_LOOPS && !def->enable_hinge_loops)
        p->search |= VSP__NO_HINGE_LOOPS;
    if (VSP_SEAMS && !def->enable_seams)
        p->search |= VSP__NO_SEAMS;
    if (VSP_SUPPORTS && def->enable_supports)
        p->search |= VSP__FREEZES_SUPPORTED;
    p->capacity = def->capacity;
    p->tick = 0;
    return vsp__are_params(p) && def->sweep_limit > 0 &&
           def->subspace.search < VSP__NO_RANGES;
}

#if VSP_PAIR_RULES
static void clear_rules(vsp_world *world)
{
    world->rule_count = 0;
}
#else
static void clear_rules(vsp_world *world)
{
    (void)world;
}
#endif

#if VSP_MAX_RUNTIME_HULLS > 0
static void clear_runtime_hulls(vsp_world *world)
{
    vsp__zero_bytes(vsp__hull_pool_of(world), sizeof(vsp__hull_pool));
}
#else
static void clear_runtime_hulls(vsp_world *world)
{
    (void)world;
}
#endif

#if VSP_FIELD_EDITS
static void clear_tiles(vsp_world *world)
{
    world->tile_count = 0;
}
#else
static void clear_tiles(vsp_world *world)
{
    (void)world;
}
#endif

#if VSP_WORKERS
static void clear_workers(vsp_world *world)
{
    vsp__crew_of(world)->workers.run = NULL;
}
#else
static void clear_workers(vsp_world *world)
{
    (void)world;
}
#endif

/* Empties a world: clears everything that is read before it is written.  The
 * counts lie before params, and are cleared together. */
static void clear_world(vsp_world *world)
{
    vsp__zero_bytes(world, offsetof(struct vsp_world, params));
    world->changes = 1;
    vsp__zero_bytes(world->bodies, sizeof world->bodies);
    vsp__zero_bytes(world->shapes, sizeof world->shapes);
    clear_rules(world);
    if (VSP_SUPPORTS)
        vsp__supported_of(world)->changes = 0;
    clear_runtime_hulls(world);
    clear_tiles(world);
    clear_workers(world);
    if (VSP_SHELLS)
        vsp__paths_of(world)->shown = vsp__paths_of(world)->count = 0;
    if (VSP_JOINTS)
        vsp__clear_joints(world);
    if (VSP__LANE_COUNT > 1)
        vsp__reset_lanes(world);
}

/* Returns the most sweeps of a step that a restored state may have: those of
 * these parameters or the def's sweep_limit, whichever is more. */
static uint32_t sweep_limit_of(const vsp_world_def *def, const vsp__params *p)
{
    uint32_t sweeps = vsp__sweeps_of(p);

    return sweeps < def->sweep_limit ? def->sweep_limit : sweeps;
}

size_t vsp_world_bytes(void)
{
    return VSP_WORLD_BYTES;
}

vsp_status vsp_world_create(void *buffer, size_t size, const vsp_world_def *def,
                            vsp_world **world)
{
    vsp__params params;
    vsp_world *w = (vsp_world *)buffer;

    if (world != NULL)
        *world = NULL;
    if (buffer == NULL || def == NULL || world == NULL ||
        def->cookie != VSP__COOKIE(1))
        return VSP_ERR_ARG;
    if (def->options != VSP_OPTIONS || !r_is_exact())
        return VSP_ERR_ABI;
    if (!read_world_def(def, &params))
        return VSP_ERR_ARG;
    if (size < VSP_WORLD_BYTES || (uintptr_t)buffer % VSP_WORLD_ALIGN != 0)
        return VSP_ERR_MEMORY;
    clear_world(w);
    w->params = params;
    if (VSP_SNAPSHOTS)
        w->sweep_limit = sweep_limit_of(def, &params);
    w->magic = VSP__WORLD_MAGIC;
    w->options = VSP_OPTIONS;
    *world = w;
    return VSP_OK;
}

vsp_status vsp_world_set_gravity(vsp_world *world, vsp_vec3 gravity)
{
    vsp__v3 before;

    if (!vsp__is_world(world) ||
        !vsp__is_vector_in_range(&gravity, VSP_MAX_SPEED))
        return VSP_ERR_ARG;
    before = world->params.gravity;
    world->params.gravity = rate3_read(gravity);
    v3_flush_in(&world->params.gravity);
    if (VSP_SLEEP && vsp__words_differ(&before, &world->params.gravity, 3))
        vsp__wake_all_bodies(world);
    return VSP_OK;
}

vsp_vec3 vsp_world_gravity(const vsp_world *world)
{
    return vsp__show_rate(vsp__is_world(world) ? &world->params.gravity : NULL);
}

vsp_capacity vsp_world_capacity(const vsp_world *world)
{
    vsp_capacity none;

    vsp__zero_bytes(&none, sizeof none);
    return vsp__is_world(world) ? world->params.capacity : none;
}

vsp_real vsp_world_dt(const vsp_world *world)
{
    return vsp__is_world(world) ? u_show(world->params.dt) : 0;
}

uint32_t vsp_world_tick(const vsp_world *world)
{
    return vsp__is_world(world) ? world->params.tick : 0;
}

/* Fields that vsp_world_stats copies without a conversion: all up to the
 * residual. */
#define SAME_PLACE(field) \
    (offsetof(vsp__counters, field) == offsetof(vsp_stats, field))

VSP_STATIC_ASSERT(stats_are_counters,
                  SAME_PLACE(body_count) && SAME_PLACE(body_high) &&
                      SAME_PLACE(shape_count) && SAME_PLACE(shape_high) &&
                      SAME_PLACE(pair_count) && SAME_PLACE(pair_high) &&
                      SAME_PLACE(manifold_count) && SAME_PLACE(manifold_high) &&
                      SAME_PLACE(contact_count) && SAME_PLACE(contact_high) &&
                      SAME_PLACE(joint_count) && SAME_PLACE(joint_high));
VSP_STATIC_ASSERT(stats_of_steps_are_counters,
                  SAME_PLACE(contacts_dropped) && SAME_PLACE(events_dropped) &&
                      SAME_PLACE(layer_count) && SAME_PLACE(sweep_count) &&
                      SAME_PLACE(correction_count) &&
                      SAME_PLACE(search_count) && SAME_PLACE(row_updates) &&
                      SAME_PLACE(awake_count) && SAME_PLACE(slowed_count) &&
                      SAME_PLACE(node_count) && SAME_PLACE(touch_count) &&
                      SAME_PLACE(part_count) && SAME_PLACE(gap_count) &&
                      SAME_PLACE(spent) &&
                      offsetof(vsp__counters, residual) ==
                          offsetof(vsp__counters, spent) + 4u);

#if VSP__HAS_CLOCK
static void show_ticks(const vsp__counters *from, vsp_stats *to)
{
    vsp__copy_bytes(&to->detect_ticks, from->ticks, sizeof from->ticks);
}
#else
static void show_ticks(const vsp__counters *from, vsp_stats *to)
{
    (void)from;
    (void)to;
}
#endif

vsp_stats vsp_world_stats(const vsp_world *world)
{
    vsp_stats stats;

    vsp__zero_bytes(&stats, sizeof stats);
    if (!vsp__is_world(world))
        return stats;
    vsp__copy_bytes(&stats, &world->stats, offsetof(vsp__counters, residual));
    stats.residual = rate_show(world->stats.residual);
    stats.merit = w_show(world->stats.merit);
    show_ticks(&world->stats, &stats);
    return stats;
}
