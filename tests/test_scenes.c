/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The scenes of capsules, hulls, surfaces and distance fields: bodies must come
 * to rest where they should, not sink in, and gain no energy.  Then the
 * functions that measure these scenes, on such shapes. */

#include "fixture.h"

#include "port/measure/oracle.h"
#include "port/measure/simulation.h"
#include "port/scenes/tables.h"

static scene_run run;

static bool start_scene(const char *name, vsp_stepper stepper)
{
    simulation_options options = simulation_options_default();

    options.stepper = stepper;
    test_note("scene %s", name);
    return CHECK(simulation_start(&run, name, &options));
}

static vec3 center_of(vsp_body_id id)
{
    return vec_from(vsp_body_center(run.world, id));
}

/* Returns the next dynamic body, beginning with a slot; null if there is
 * none. */
static vsp_body_id next_body(uint32_t *slot)
{
    while (*slot < VSP_MAX_BODIES) {
        vsp_body_id id = vsp_body_at(run.world, (*slot)++);

        if (id.bits && vsp_body_get_type(run.world, id) == VSP_DYNAMIC)
            return id;
    }
    return vsp_body_at(run.world, VSP_MAX_BODIES);
}

/* Returns potential energy plus kinetic energy of translation, J. */
static double energy(void)
{
    double sum = 0.0;
    uint32_t slot = 0;
    vsp_body_id id;

    while ((id = next_body(&slot)).bits) {
        vec3 v = vec_from(vsp_body_velocity(run.world, id));

        sum += num(vsp_body_mass(run.world, id)) *
               (9.81 * center_of(id).y + 0.5 * vec_dot(v, v));
    }
    return sum;
}

static double fastest(void)
{
    double speed = 0.0;
    uint32_t slot = 0;
    vsp_body_id id;

    while ((id = next_body(&slot)).bits)
        speed = fmax(speed,
                     vec_length(vec_from(vsp_body_velocity(run.world, id))));
    return speed;
}

/* Counts the bodies within these bounds. */
static uint32_t count_within(vec3 low, vec3 high)
{
    uint32_t slot = 0, count = 0;
    vsp_body_id id;

    while ((id = next_body(&slot)).bits) {
        vec3 at = center_of(id);

        count += at.x > low.x && at.y > low.y && at.z > low.z &&
                 at.x < high.x && at.y < high.y && at.z < high.z;
    }
    return count;
}

static double deepest(void)
{
    double depth = 0.0;

    for (uint32_t i = 0; i < vsp_contact_count(run.world); i++) {
        vsp_contact contact;

        CHECK_STATUS(VSP_OK, vsp_contact_get(run.world, i, &contact));
        for (uint32_t k = 0; k < contact.point_count; k++)
            depth = fmax(depth, -num(contact.points[k].separation));
    }
    return depth;
}

/* Continues, and checks that the energy rises above its least so far by at most
 * this fraction of the energy at the start. */
static void watch_energy(uint32_t from, uint32_t to, double part)
{
    double begun = energy(), least = begun;

    for (uint32_t step = from; step < to; step++) {
        CHECK_STATUS(VSP_OK, scene_step(&run, step));
        CHECK_AT_MOST(least + part * begun, energy());
        least = fmin(least, energy());
    }
}

/* Bodies of 1 m: none may leave the bin, and no two may overlap by 1 %. */
static void check_bin(vsp_stepper stepper, double speed)
{
    if (!start_scene("bin:40", stepper))
        return;
    watch_energy(0, 360, 0.002);
    CHECK_UINT(40, count_within(vec_make(-2.85, 0.0, -2.85),
                                vec_make(2.85, 4.0, 2.85)));
    CHECK_AT_MOST(0.01, deepest());
    CHECK_AT_MOST(speed, fastest());
}

static void a_bin_comes_to_rest(void)
{
    check_bin(VSP_STEPPER_CARRY, 0.1);
    check_bin(VSP_STEPPER_PGS, 0.2);
}

static void marbles_roll_into_the_tray(void)
{
    if (!start_scene("marbles", VSP_STEPPER_CARRY))
        return;
    watch_energy(0, 500, 0.002);
    CHECK_AT_LEAST(
        20, count_within(vec_make(4.6, 0.1, -1.0), vec_make(6.8, 0.8, 1.0)));
}

/* The car must cross the hills; nothing may fall through them. */
static void a_car_drives_on_hills(void)
{
    if (!start_scene("hills", VSP_STEPPER_CARRY))
        return;
    watch_energy(0, 300, 0.002);
    CHECK_UINT(13, count_within(vec_make(-16.0, -1.6, -16.0),
                                vec_make(16.0, 4.0, 16.0)));
    CHECK_AT_MOST(7.0, center_of(run.marks[0]).z);
}

static void no_bullet_comes_through(void)
{
    if (!start_scene("bullets", VSP_STEPPER_CARRY))
        return;
    for (uint32_t step = 0; step < 60; step++)
        CHECK_AT_LEAST(0, scene_step(&run, step));
    CHECK_UINT(1000, count_within(vec_make(-100.0, 0.0, 0.05),
                                  vec_make(100.0, 20.0, 100.0)));
}

/* Bodies on the belt must move with it at 1 m/s. */
static void a_belt_takes_all_along(void)
{
    vec3 before[4];
    uint32_t slot = 0;

    if (!start_scene("belt", VSP_STEPPER_CARRY))
        return;
    watch_energy(0, 40, 1.0);
    for (int i = 0; i < 4; i++)
        before[i] = center_of(next_body(&slot));
    watch_energy(40, 90, 1.0);
    slot = 0;
    for (int i = 0; i < 4; i++) {
        double way = center_of(next_body(&slot)).x - before[i].x;

        test_note("body %d on the belt", i);
        CHECK_AT_LEAST(0.1, way);
        CHECK_AT_MOST(0.6, way);
    }
}

static void a_sensor_feels_what_falls(void)
{
    uint32_t most = 0;
    vsp_shape_id sensor;

    if (!start_scene("sensor", VSP_STEPPER_CARRY))
        return;
    sensor = vsp_shape_at(run.world, 1);
    for (uint32_t step = 0; step < 60; step++) {
        uint32_t count;

        CHECK_STATUS(VSP_OK, scene_step(&run, step));
        count = vsp_shape_sensed(run.world, sensor, NULL, 0);
        most = count > most ? count : most;
    }
    CHECK_UINT(3, most);
}

static void animals_come_to_rest(void)
{
    if (!start_scene("animals:20", VSP_STEPPER_CARRY))
        return;
    watch_energy(0, 400, 0.002);
    CHECK_UINT(20, count_within(vec_make(-20.0, 0.1, -20.0),
                                vec_make(20.0, 4.0, 20.0)));
    CHECK_AT_MOST(0.01, deepest());
    CHECK_AT_MOST(0.1, fastest());
}

/* Counts the centres between the bottom of the letters, 0.15 m above the middle
 * of the slab, and the slab's lower side. */
static uint32_t count_in_slab(void)
{
    double angle = 10.0 * PI / 180.0;
    uint32_t slot = 0, count = 0;
    vsp_body_id id;

    while ((id = next_body(&slot)).bits) {
        vec3 at = center_of(id);
        double over = (at.y - 1.5) * cos(angle) - at.x * sin(angle);

        count += over > -0.25 && over < 0.19 && fabs(at.x) < 3.7 &&
                 fabs(at.z) < 1.8;
    }
    return count;
}

/* Balls stay on the slab and in its letters, or roll off.  None may fall
 * through, which would take some steps. */
static void balls_roll_over_letters(void)
{
    if (!start_scene("letters:200", VSP_STEPPER_CARRY))
        return;
    for (uint32_t step = 0; step < 200; step += 2) {
        watch_energy(step, step + 2, 0.002);
        CHECK_UINT(0, count_in_slab());
    }
    CHECK_AT_MOST(0.006, deepest());
}

#if VSP_SCALES

/* Hulls of all proportions and their mirror images lie on a ramp, on each other
 * and on the floor.  Pushing a hull of some 100 kg out of others into which it
 * fell by a centimetre in a step lifts it. */
static void gems_come_to_rest(void)
{
    if (!start_scene("gems", VSP_STEPPER_CARRY))
        return;
    watch_energy(0, 500, 0.01);
    CHECK_UINT(
        15, count_within(vec_make(-4.0, 0.05, -4.0), vec_make(4.0, 1.5, 4.0)));
    CHECK_AT_MOST(0.001, deepest());
    CHECK_AT_MOST(0.001, fastest());
}

#else

static void gems_come_to_rest(void)
{
}

#endif


/* ---- Measuring functions ------------------------------------------------ */

static solid solids[VSP_MAX_SHAPES];

/* Returns the energy of a body of one shape at 2 m/s and a spin of 1, 2, 3
 * rad/s. */
static double moving_energy(vsp_shape_def shape)
{
    vsp_world *world = new_world();
    vsp_body_def def = body_def(VSP_DYNAMIC, shape, 1, 2, 3);
    uint32_t number;

    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, &hull_box, &number, NULL));
    def.velocity = real3(0, 2, 0);
    def.spin = real3(1, 2, 3);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
    return oracle_kinetic_energy(world, solids, solids_read(world, solids));
}

/* Returns the first table, a box of 1 m, at a scale. */
static vsp_shape_def scaled_box(double x, double y, double z)
{
    vsp_shape_def def = vsp_table_shape(VSP_SHAPE_HULL, 1);

    def.size = VSP_SCALES ? real3(x, y, z) : def.size;
    return def;
}

/* By hand: a box of 1 m has 1,000 kg, and a sixth of that as inertia; one of
 * 0.5 x 1 x 2 m the inertias 5, 4.25 and 1.25 times 1,000 / 12; three quarters
 * of the capsule are the cylinder. */
static void energy_is_known(void)
{
    double box = 0.5 * 1000 * (4 + 14.0 / 6);
    double turns = (5.0 + 4 * 4.25 + 9 * 1.25) / 12;
    double scaled = VSP_SCALES ? 0.5 * 1000 * (4 + turns) : box;
    double mass = 1000 * PI * (4.0 / 3 * 0.125 + 0.25 * 2);
    double along = 0.25 / 2 * 0.75 + 0.25 * 0.4 * 0.25;
    double across = 0.75 * (0.25 / 4 + 1.0 / 3) +
                    0.25 * (0.25 * 0.4 + 1 + 0.75 * 0.5);

    CHECK_NEAR(box, moving_energy(vsp_box(real(0.5), real(0.5), real(0.5))),
               0.01);
    CHECK_NEAR(box, moving_energy(vsp_table_shape(VSP_SHAPE_HULL, 1)), 0.01);
    CHECK_NEAR(scaled, moving_energy(scaled_box(0.5, -1, 2)), 0.01);
    CHECK_NEAR(0.5 * mass * (4 + 4 * along + 10 * across),
               moving_energy(vsp_capsule(real(0.5), real(1))), 0.1);
}

/* Half of the impulses times the velocities that they cause. */
static void energy_is_what_impulses_give(void)
{
    vsp_world *world = new_world();
    vsp_body_id id;
    vec3 v, w;
    uint32_t number;

    CHECK_STATUS(VSP_OK,
                 vsp_world_add_table(world, &sdf_animal, &number, NULL));
    id = add_body(world, VSP_DYNAMIC, vsp_table_shape(VSP_SHAPE_SDF, number), 1,
                  2, 3);
    CHECK_STATUS(VSP_OK,
                 vsp_body_apply_center_impulse(world, id, real3(30, 40, 50)));
    CHECK_STATUS(VSP_OK,
                 vsp_body_apply_angular_impulse(world, id, real3(4, 5, 6)));
    v = vec_from(vsp_body_velocity(world, id));
    w = vec_from(vsp_body_spin(world, id));
    CHECK_NEAR(0.5 * (vec_dot(v, vec_make(30, 40, 50)) +
                      vec_dot(w, vec_make(4, 5, 6))),
               oracle_kinetic_energy(world, solids, solids_read(world, solids)),
               0.01);
}

static double depth_of(vsp_shape_def a, vsp_shape_def b, double height)
{
    vsp_world *world = new_world();
    uint32_t number;

    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, &hull_box, &number, NULL));
    add_body(world, VSP_STATIC, a, 0, 0, 0);
    add_body(world, VSP_DYNAMIC, b, 0.1, height, 0.2);
    return oracle_penetration(solids, solids_read(world, solids));
}

static void depth_is_known(void)
{
    vsp_shape_def box = vsp_box(real(0.5), real(0.5), real(0.5));
    vsp_shape_def hull = vsp_table_shape(VSP_SHAPE_HULL, 1);
    vsp_shape_def capsule = vsp_capsule(real(0.5), real(1));

    CHECK_NEAR(0.05, depth_of(vsp_half_space(), capsule, 1.45), 1e-6);
    CHECK_NEAR(0.05, depth_of(vsp_half_space(), hull, 0.45), 1e-6);
    CHECK_NEAR(0.05, depth_of(hull, hull, 0.95), 1e-6);
    CHECK_NEAR(0.05, depth_of(box, hull, 0.95), 1e-6);
    CHECK_NEAR(0, depth_of(hull, hull, 1.01), 1e-9);
    if (VSP_SCALES) {
        CHECK_NEAR(0.05, depth_of(box, scaled_box(-1, 2, 0.5), 1.45), 1e-6);
        CHECK_NEAR(0.05, depth_of(vsp_half_space(), scaled_box(1, -2, 1), 0.95),
                   1e-6);
    }
}

static const test tests[] = {
    TEST_SLOW(a_bin_comes_to_rest),
    TEST(marbles_roll_into_the_tray),
    TEST(a_car_drives_on_hills),
    TEST(no_bullet_comes_through),
    TEST(a_belt_takes_all_along),
    TEST(a_sensor_feels_what_falls),
    TEST(animals_come_to_rest),
    TEST(balls_roll_over_letters),
    TEST(energy_is_known),
    TEST(energy_is_what_impulses_give),
    TEST(depth_is_known),
    TEST(gems_come_to_rest),
    TEST_END,
};

const test_suite scenes_suite = {"scenes", tests};
