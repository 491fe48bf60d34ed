/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The guest program of port/count: scenes one after the other, as many as fit
 * into the build.  It contains only the engine, so it uses as much memory as a
 * game of this size.  It prints a line for each scene, to which the runner's
 * plugin adds the number of instructions. */

#include "../../vsp.h"
#include "../port.h"
#include "measure.h"

#define QUARTER VSP_R(0.25) /* m: positions are integer multiples of it */

typedef struct scene {
    const char *name;
    bool (*build)(vsp_world *world, vsp_body_def *def, int32_t bodies);
    int32_t bodies;
    uint32_t steps;
    vsp_stepper stepper;
} scene;

void mark_scene_end(void);

__attribute__((noinline)) void mark_scene_end(void)
{
    __asm__ volatile("");
}


/* ---- Scenes -------------------------------------------------------------- */

/* Adds a copy of *def, at the position x, y, z in quarters of a metre. */
static bool add_body(vsp_world *world, vsp_body_def *def, int32_t x, int32_t y,
                     int32_t z)
{
    vsp_body_id id;

    def->pose.position.x = (vsp_real)x * QUARTER;
    def->pose.position.y = (vsp_real)y * QUARTER;
    def->pose.position.z = (vsp_real)z * QUARTER;
    return vsp_body_create(world, def, &id) == VSP_OK;
}

static bool build_stack(vsp_world *world, vsp_body_def *def, int32_t bodies)
{
    int32_t i;

    def->shape = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    for (i = 0; i < bodies; i++)
        if (!add_body(world, def, 0, 4 * i + 2, 0))
            return false;
    return true;
}

/* Stacks balls, five by five a layer. */
static bool build_grid(vsp_world *world, vsp_body_def *def, int32_t bodies)
{
    int32_t i;

    def->shape = vsp_sphere(VSP_R(0.5));
    for (i = 0; i < bodies; i++)
        if (!add_body(world, def, 4 * (i % 5), 4 * (i / 25) + 2,
                      4 * (i / 5 % 5)))
            return false;
    return true;
}

/* A heap that collapses: boxes, balls and capsules, three by three a layer;
 * every other layer is half a metre aside. */
static bool build_pile(vsp_world *world, vsp_body_def *def, int32_t bodies)
{
    int32_t i;

    for (i = 0; i < bodies; i++) {
        int32_t aside = i / 9 % 2 * 2;

        if (i % 3 == 0)
            def->shape = vsp_box(VSP_R(0.5), VSP_R(0.375), VSP_R(0.25));
        else if (i % 3 == 1)
            def->shape = vsp_sphere(VSP_R(0.375));
        else
            def->shape = vsp_capsule(VSP_R(0.25), VSP_R(0.25));
        if (!add_body(world, def, 4 * (i % 3) + aside, 3 * (i / 9) + 2,
                      3 * (i / 3 % 3) + aside))
            return false;
    }
    return true;
}

static const scene scenes[] = {
    {"5-boxes", build_stack, 5, 100, VSP_STEPPER_CARRY},
    {"10-boxes", build_stack, 10, 100, VSP_STEPPER_CARRY},
    {"10-boxes-pgs", build_stack, 10, 20, VSP_STEPPER_PGS},
    {"25-boxes", build_stack, 25, 100, VSP_STEPPER_CARRY},
    {"pile-of-50", build_pile, 50, 60, VSP_STEPPER_CARRY},
    {"125-balls", build_grid, 125, 20, VSP_STEPPER_CARRY},
};


/* ---- Running them -------------------------------------------------------- */

VSP_ARENA(arena, VSP_WORLD_BYTES);

/* Not inlined, so that the set-up leaves no data on the stack during a step. */
__attribute__((noinline)) static vsp_world *create_world(vsp_stepper stepper)
{
    vsp_world_def setup = vsp_world_def_default();
    vsp_world *world;

    setup.stepper = stepper;
    setup.dt = VSP_R(0.01);
    return vsp_world_create(arena.mem, sizeof arena.mem, &setup, &world) < 0
               ? NULL
               : world;
}

/* Creates a floor and the scene's bodies.  Returns false if they do not fit. */
__attribute__((noinline)) static bool fill_world(vsp_world *world,
                                                 const scene *what)
{
    vsp_body_def def = vsp_body_def_default();

    def.shape = vsp_half_space();
    if (!add_body(world, &def, 0, 0, 0))
        return false;
    def.type = VSP_DYNAMIC;
    return what->build(world, &def, what->bodies);
}

static void print_scene(const scene *what, uint32_t rows)
{
    port_text("# scene ");
    port_text(what->name);
    port_text(" steps ");
    port_number(what->steps);
    port_text(" rows ");
    port_number(rows);
    port_text("\n");
}

/* Returns the number of rows that a step swept: three a contact. */
__attribute__((noinline)) static uint32_t swept_rows(const vsp_world *world)
{
    vsp_stats stats = vsp_world_stats(world);

    return 3u * stats.contact_count * stats.sweep_count;
}

/* Returns whether all bodies and contacts fit. */
static bool run_scene(const scene *what)
{
    vsp_world *world = create_world(what->stepper);
    uint32_t i, rows = 0;

    if (!world || !fill_world(world, what))
        return false;
    for (i = 0; i < what->steps; i++) {
        vsp_status status;

        measure_step_begin();
        status = vsp_world_step(world);
        mark_step_end();
        if (status != VSP_OK)
            return false;
        rows += swept_rows(world);
    }
    mark_scene_end();
    print_scene(what, rows);
    return true;
}

int main(void)
{
    uint32_t i;

    measure_begin();
    for (i = 0; i < sizeof scenes / sizeof *scenes; i++)
        if (scenes[i].bodies < VSP_MAX_BODIES && !run_scene(&scenes[i]))
            return 1;
    measure_print();
    return 0;
}
