/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Tests builds with any options: fill a world, step it, restore it to the start
 * if there are snapshots, and get the same hash again.  Features that are left
 * out must be refused.
 *
 *      smoke                the default stepper
 *      smoke pgs            PGS, which every build has
 *      smoke save FILE      also writes a snapshot
 *      smoke supports FILE  also writes a snapshot, of PGS with supports
 *      smoke locks FILE     also writes a snapshot, with a locked axis
 *      smoke belts FILE     also writes a snapshot, with a belt
 *      smoke refuse FILE    also refuses the snapshot of another build */

#include "../vsp.h"

#include <stdio.h>
#include <string.h>

/* few: these builds are not optimised, and there are over a hundred */
#define STEPS 3

VSP_ARENA(arena, VSP_WORLD_BYTES);

/* A floor, and small cubes on it until the world is full. */
static vsp_status fill_world(vsp_world *world)
{
    vsp_body_def def = vsp_body_def_default();
    vsp_status status;
    int i;

    def.shape = vsp_half_space();
    status = vsp_body_create(world, &def, NULL);
    for (i = 0; status == VSP_OK && i < 300; i++) {
        def.type = VSP_DYNAMIC;
        def.shape = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
        def.pose.position.x = VSP_R(1.5 * (i / 3));
        def.pose.position.y = VSP_R(0.5 + i % 3);
        def.velocity.x = VSP_R(0.3 * (i % 5));
        def.spin.y = VSP_R(0.7);
        status = vsp_body_create(world, &def, NULL);
    }
    return status == VSP_ERR_FULL ? VSP_OK : status;
}

static vsp_status run_steps(vsp_world *world, int steps)
{
    while (steps-- > 0)
        if (vsp_world_step(world) < 0)
            return VSP_ERR_DATA;
    return VSP_OK;
}

/* Returns a mix of the bits of all bodies' poses: builds without snapshots have
 * no hash. */
static unsigned long poses(const vsp_world *world)
{
    unsigned long mixed = 0;
    uint32_t slot;

    for (slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_transform pose = vsp_body_transform(world,
                                                vsp_body_at(world, slot));
        uint32_t words[sizeof pose / 4];
        size_t i;

        memcpy(words, &pose, sizeof words);
        for (i = 0; i < sizeof pose / 4; i++)
            mixed = (mixed * 31u + words[i]) & 0xffffffffu;
    }
    return mixed;
}

#if VSP_SNAPSHOTS

static unsigned char saved[VSP_SNAPSHOT_BYTES];

/* Runs, restores the start, and runs again.  Returns the failure, or null. */
static const char *run_on(vsp_world *world)
{
    uint32_t hash;
    size_t size;

    if (vsp_world_snapshot(world, saved, sizeof saved, &size) < 0)
        return "cannot take a snapshot";
    if (run_steps(world, STEPS) < 0 || vsp_world_validate(world, NULL) < 0)
        return "a later step fails, or the world is invalid";
    hash = vsp_world_hash(world);
    if (vsp_world_restore(world, saved, size) < 0 ||
        run_steps(world, STEPS) < 0)
        return "cannot restore the snapshot and step again";
    return hash == vsp_world_hash(world) ? NULL
                                         : "the same steps give another hash";
}

static const char *save_world(vsp_world *world, const char *name)
{
    FILE *file = fopen(name, "wb");
    size_t size;

    if (file == NULL)
        return "cannot open the file";
    if (vsp_world_snapshot(world, saved, sizeof saved, &size) < 0)
        size = 0;
    if (fwrite(saved, 1, size, file) != size || size == 0)
        size = 0;
    return fclose(file) == 0 && size > 0 ? NULL : "cannot write the snapshot";
}

/* Returns null if the world refuses the snapshot in the file, and is
 * unchanged. */
static const char *refuse_file(vsp_world *world, const char *name)
{
    FILE *file = fopen(name, "rb");
    uint32_t hash = vsp_world_hash(world);
    size_t size;

    if (file == NULL)
        return "cannot open the file";
    size = fread(saved, 1, sizeof saved, file);
    fclose(file);
    if (vsp_world_restore(world, saved, size) != VSP_ERR_DATA)
        return "another build's snapshot is not refused as VSP_ERR_DATA";
    return hash == vsp_world_hash(world) ? NULL
                                         : "a refused snapshot changes it";
}

/* Returns the failure with a file, or null. */
static const char *use_file(vsp_world *world, char **argv)
{
    vsp_vec3 speed = {VSP_R(1.0), 0, 0};

    if (strcmp(argv[1], "locks") == 0 &&
        vsp_body_set_locks(world, vsp_body_at(world, 1), VSP_LOCK_X) < 0)
        return "cannot lock an axis";
    if (strcmp(argv[1], "belts") == 0 &&
        vsp_shape_set_surface_velocity(world, vsp_shape_at(world, 0), speed) <
            0)
        return "cannot make a belt";
    if (strcmp(argv[1], "refuse") != 0)
        return save_world(world, argv[2]);
    return refuse_file(world, argv[2]);
}

#else

static const char *run_on(vsp_world *world)
{
    return run_steps(world, STEPS) < 0 ? "a later step fails" : NULL;
}

static const char *use_file(vsp_world *world, char **argv)
{
    (void)world;
    (void)argv;
    return "this build has no snapshots";
}

#endif

#if VSP_QUERIES

/* Whether a ray from above hits the floor, or a cube on it. */
static bool can_ask(vsp_world *world)
{
    vsp_vec3 from = {0, VSP_R(50.0), 0}, way = {0, VSP_R(-100.0), 0};
    vsp_hit hit;

    return vsp_ray_cast(world, from, way, NULL, &hit) == VSP_OK &&
           hit.shape.bits != 0;
}

#else

static bool can_ask(vsp_world *world)
{
    return world != NULL;
}

#endif

#if VSP_DRAW

static void count_triangle(void *user, vsp_vec3 a, vsp_vec3 b, vsp_vec3 c,
                           uint32_t color)
{
    (void)a;
    (void)b;
    (void)c;
    (void)color;
    (*(uint32_t *)user)++;
}

static void count_line(void *user, vsp_vec3 a, vsp_vec3 b, uint32_t color)
{
    count_triangle(user, a, b, b, color);
}

/* Whether drawing shows each cube. */
static bool can_draw(const vsp_world *world)
{
    vsp_draw draw;
    uint32_t count = 0;

    memset(&draw, 0, sizeof draw);
    draw.line = count_line;
    draw.triangle = count_triangle;
    draw.user = &count;
    draw.parts = VSP_DRAW_ALL;
    return vsp_world_draw(world, &draw) == VSP_OK &&
           count >= 24u * (vsp_world_stats(world).shape_count - 1u);
}

#else

static bool can_draw(const vsp_world *world)
{
    return world != NULL;
}

#endif

#if VSP_MATH

/* Whether 2 by 3 / 4 is 1.5, and a quarter turn takes x to y. */
static bool can_compute(void)
{
    vsp_vec3 x = vsp_vec3_make(VSP_R(1.0), 0, 0);
    vsp_vec3 z = vsp_vec3_make(0, 0, VSP_R(1.0));
    vsp_quat quarter = vsp_quat_make(z, VSP_R(1.5707963));

    return vsp_div(vsp_mul(VSP_R(2.0), VSP_R(3.0)), VSP_R(4.0)) == VSP_R(1.5) &&
           vsp_quat_rotate(quarter, x).y > VSP_R(0.999);
}

#else

static bool can_compute(void)
{
    return true;
}

#endif

/* Whether a world with these options can be created if and only if the build
 * has them. */
static bool offers(vsp_stepper stepper, vsp_friction friction, bool is_there)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world;

    def.stepper = stepper;
    def.friction = friction;
    return vsp_world_create(arena.mem, sizeof arena.mem, &def, &world) ==
           (is_there ? VSP_OK : VSP_ERR_ARG);
}

static bool offers_its_options(void)
{
    return offers(VSP_STEPPER_PGS, VSP_FRICTION_CONE, true) &&
           offers(VSP_STEPPER_CARRY, VSP_FRICTION_CONE, VSP_CARRY) &&
           offers(VSP_STEPPER_SHOCK, VSP_FRICTION_CONE, VSP_SHOCK) &&
           offers(VSP_STEPPER_PGS, VSP_FRICTION_PYRAMID, VSP_PYRAMID) &&
           offers(VSP_STEPPER_SUBSPACE, VSP_FRICTION_CONE, VSP_SUBSPACE) &&
           offers((vsp_stepper)4, VSP_FRICTION_CONE, false) &&
           offers(VSP_STEPPER_PGS, (vsp_friction)2, false);
}

/* Whether a shape with rolling friction is refused by a build without it, and
 * only by that. */
static bool is_rolling_refused(vsp_world *world)
{
    vsp_body_def def = vsp_body_def_default();
    vsp_status status;
    vsp_body_id id;

    def.shape = vsp_sphere(VSP_R(0.25));
    def.shape.rolling_friction = VSP_R(0.01);
    def.pose.position.y = VSP_R(100.0);
    status = vsp_body_create(world, &def, &id);
    if (status == VSP_OK)
        (void)vsp_body_destroy(world, id);
    return (status == VSP_ERR_ARG) == !VSP_ROLLING;
}

/* Whether axes can be locked, and a shape can be a belt, if and only if the
 * build has these parts; zeros can be set in all builds. */
static bool refuses_what_is_left_out(vsp_world *world)
{
    vsp_body_id floor = vsp_body_at(world, 0);
    vsp_shape_id shape = vsp_shape_at(world, 0);
    vsp_vec3 still = {0, 0, 0}, speed = {VSP_R(1.0), 0, 0};
    vsp_body_def def = vsp_body_def_default();

    def.locks = VSP_LOCKS ? VSP_LOCK_ALL + 1u : VSP_LOCK_X;
    return vsp_body_set_locks(world, floor, VSP_LOCK_ALL) ==
               (VSP_LOCKS ? VSP_OK : VSP_ERR_ARG) &&
           vsp_body_set_locks(world, floor, 0) == VSP_OK &&
           vsp_body_create(world, &def, NULL) == VSP_ERR_ARG &&
           vsp_shape_set_surface_velocity(world, shape, speed) ==
               (VSP_BELTS ? VSP_OK : VSP_ERR_ARG) &&
           vsp_shape_set_surface_velocity(world, shape, still) == VSP_OK &&
           is_rolling_refused(world);
}

static int report_failure(const char *what)
{
    fprintf(stderr, "smoke: %s\n", what);
    return 1;
}

int main(int argc, char **argv)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world;
    const char *trouble;

    if (!offers_its_options())
        return report_failure(
            "its steppers or frictions are not those of its options");
    def.enable_supports = argc == 3 && strcmp(argv[1], "supports") == 0;
    if (argc == 2 || def.enable_supports)
        def.stepper = VSP_STEPPER_PGS;
    if (vsp_world_create(arena.mem, sizeof arena.mem, &def, &world) < 0)
        return report_failure("cannot create a world");
    if (fill_world(world) < 0 || run_steps(world, STEPS) < 0)
        return report_failure("cannot fill the world and step");
    if (!refuses_what_is_left_out(world))
        return report_failure(
            "its locks or belts are not those of its options");
    trouble = run_on(world);
    if (trouble != NULL)
        return report_failure(trouble);
    trouble = argc == 3 ? use_file(world, argv) : NULL;
    if (trouble != NULL)
        return report_failure(trouble);
    if (!can_ask(world))
        return report_failure("a ray from above hits nothing");
    if (!can_draw(world))
        return report_failure("drawing shows too little");
    if (!can_compute())
        return report_failure("2 times 3 by 4 is not 1.5, or x does not turn");
    if (!VSP_MERIT && vsp_world_stats(world).merit != VSP_R(0.0))
        return report_failure("a merit, though VSP_MERIT is 0");
    printf("%lu bodies, 0x%08lx\n",
           (unsigned long)vsp_world_stats(world).body_count, poses(world));
    return 0;
}
