/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The guest program of port/count: ten boxes on each other, by the stepper
 * GUEST_STEPPER.  Nothing but the engine, so that its memory is what a game
 * of this size needs.  Prints how many rows were swept.  The linker's --wrap
 * puts marks around vsp__sweep, as those of measure.c around a step. */

#include "../../vsp_internal.h"
#include "../port.h"
#include "measure.h"

#ifndef GUEST_STEPPER
#define GUEST_STEPPER VSP_STEPPER_CARRY
#endif

#define BOXES 10u
#define STEPS 100u

vsp__real __real_vsp__sweep(vsp_world *world, const vsp__span *span,
                            uint32_t count, vsp__real tolerance);
vsp__real __wrap_vsp__sweep(vsp_world *world, const vsp__span *span,
                            uint32_t count, vsp__real tolerance);
void mark_sweep_begin(void);
void mark_sweep_end(void);

__attribute__((noinline)) void mark_sweep_begin(void)
{
    __asm__ volatile("");
}

__attribute__((noinline)) void mark_sweep_end(void)
{
    __asm__ volatile("");
}

vsp__real __wrap_vsp__sweep(vsp_world *world, const vsp__span *span,
                            uint32_t count, vsp__real tolerance)
{
    vsp__real largest;

    mark_sweep_begin();
    largest = __real_vsp__sweep(world, span, count, tolerance);
    mark_sweep_end();
    return largest;
}

VSP_ARENA(arena, VSP_WORLD_BYTES);

/* The bodies are not named again: returns null when one is refused. */
static vsp_world *build(void)
{
    vsp_world_def setup = vsp_world_def_default();
    vsp_body_def def = vsp_body_def_default();
    vsp_world *world;
    vsp_body_id id;
    uint32_t i;

    setup.stepper = GUEST_STEPPER;
    setup.dt = VSP_R(0.01);
    def.shape = vsp_half_space();
    if (vsp_world_create(arena.mem, sizeof arena.mem, &setup, &world) < 0 ||
        vsp_body_create(world, &def, &id) < 0)
        return NULL;
    def.type = VSP_DYNAMIC;
    def.shape = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    def.pose.position.y = VSP_R(0.5);
    for (i = 0; i < BOXES; i++) {
        if (vsp_body_create(world, &def, &id) < 0)
            return NULL;
        def.pose.position.y += VSP_R(1.0);
    }
    return world;
}

/* Returns whether all contacts found room, and the boxes lie still. */
static bool run(vsp_world *world, uint32_t *rows)
{
    vsp_stats stats;
    uint32_t i;

    for (i = 0; i < STEPS; i++) {
        if (vsp_world_step(world) != VSP_OK)
            return false;
        stats = vsp_world_stats(world);
        *rows += stats.row_updates;
    }
    return stats.contact_count == 4u * BOXES;
}

int main(void)
{
    vsp_world *world;
    uint32_t rows = 0;

    measure_begin();
    world = build();
    if (!world || !run(world, &rows))
        return 1;
    port_text("# rows ");
    port_number(rows);
    port_text("\n");
    measure_print();
    return 0;
}
