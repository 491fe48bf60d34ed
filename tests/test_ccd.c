/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Bullets hit the bodies on their paths, without slowing other bodies. */

#include "scene_fixture.h"

#include "port/scenes/tables.h"

#include <math.h>

static vsp_world *world;

static void set_up_continuous(double gravity, bool is_continuous)
{
    vsp_world_def def = vsp_world_def_default();

    def.gravity = real3(0, gravity, 0);
    def.enable_sleep = false;
    def.enable_continuous = is_continuous;
    world = new_world_of(&def);
}

/* In these worlds only bullets are stopped. */
static void set_up(double gravity)
{
    set_up_continuous(gravity, false);
}

static vsp_body_id shoot_body(vsp_shape_def shape, vsp_vec3 from,
                              vsp_vec3 velocity, vsp_vec3 spin, bool is_bullet)
{
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id id = {0};

    def.type = VSP_DYNAMIC;
    def.shape = shape;
    def.pose.position = from;
    def.velocity = velocity;
    def.spin = spin;
    def.is_bullet = is_bullet;
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    return id;
}

static double random_part(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0;
}


/* ---- A wall -------------------------------------------------------------- */

/* Shoots balls of 0.1 m at 500 m/s, 83 times their size a step, at a wall of
 * 0.1 m: with bullets none may pass; without, nearly all must. */
static uint32_t count_through(bool are_bullets, bool is_continuous,
                              vsp_body_type wall, uint32_t count)
{
    uint32_t i, through = 0, random = 7;
    vsp_shape_def ball = vsp_sphere(VSP_R(0.1));
    static vsp_body_id ids[1000];

    set_up_continuous(0.0, is_continuous);
    add_body(world, wall, vsp_box(VSP_R(0.05), VSP_R(60.0), VSP_R(60.0)), 0, 0,
             0);
    ball.filter.category = 2; /* do not collide with each other */
    ball.filter.mask = 1;
    for (i = 0; i < count; i++) {
        double x = -2.0 - 30.0 * random_part(&random);
        double y = 80.0 * random_part(&random) - 40.0;
        double z = 80.0 * random_part(&random) - 40.0;
        double vy = 40.0 * random_part(&random) - 20.0;
        double vz = 40.0 * random_part(&random) - 20.0;

        ids[i] = shoot_body(ball, real3(x, y, z), real3(495, vy, vz),
                            real3(0, 0, 0), are_bullets);
    }
    step_world(world, 10);
    for (i = 0; i < count; i++)
        if (num(vsp_body_center(world, ids[i]).x) > -0.1)
            through++;
    return through;
}

static void no_bullet_passes_a_wall(void)
{
    CHECK_UINT(0, count_through(true, false, VSP_STATIC, 1000));
    CHECK_UINT(0, count_through(true, true, VSP_STATIC, 1000));
    CHECK_AT_LEAST(900, count_through(false, false, VSP_STATIC, 1000));
}

/* Bodies that are not bullets are stopped by static bodies alone, and if the
 * world disables it, by none. */
static void nothing_passes_a_static_wall(void)
{
    CHECK(vsp_world_def_default().enable_continuous);
    CHECK_UINT(0, count_through(false, true, VSP_STATIC, 1000));
    CHECK_AT_LEAST(900, count_through(false, true, VSP_KINEMATIC, 1000));
    CHECK_AT_LEAST(900, count_through(false, true, VSP_DYNAMIC, 1000));
}

/* A floor of triangles turns up into falling bullets, which are above it, and
 * must stay so: seen from the floor, most of their way is its own turn. */
static void no_bullet_passes_a_turning_mesh(void)
{
    static const vsp_mesh corner = CORNER_MESH;
    uint32_t i, through = 0, random = 5;
    vsp_shape_def ball = vsp_sphere(VSP_R(0.02));
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id floor, ids[100];

    set_up(0.0);
    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, &corner, &i, NULL));
    def.type = VSP_KINEMATIC;
    def.shape = vsp_table_shape(VSP_SHAPE_MESH, i);
    def.pose.position = real3(0, 1, 0);
    def.spin = real3(0, 0, 6);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &floor));
    ball.filter.category = 2; /* do not collide with each other */
    ball.filter.mask = 1;
    for (i = 0; i < COUNT_OF(ids); i++) {
        double x = 0.1 + 0.7 * random_part(&random);
        double y = 1.025 + 0.25 * random_part(&random);
        double z = 3.0 * random_part(&random) - 1.5;

        ids[i] = shoot_body(ball, real3(x, y, z), real3(0, -5, 0),
                            real3(0, 0, 0), true);
    }
    step_world(world, 3);
    for (i = 0; i < COUNT_OF(ids); i++) {
        vsp_vec3 at = vsp_body_center(world, ids[i]);
        double turn = 3 * 6 / 60.0;

        if (cos(turn) * (num(at.y) - 1) - sin(turn) * num(at.x) < 0)
            through++;
    }
    CHECK_UINT(0, through);
}

/* A sleeping wall must stop a bullet like one that is awake, and wake up. */
static void no_bullet_passes_a_sleeper(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_body_id wall, id;

    def.gravity = real3(0, 0, 0);
    world = new_world_of(&def);
    wall = add_body(world, VSP_DYNAMIC,
                    vsp_box(VSP_R(0.1), VSP_R(1.0), VSP_R(1.0)), 0, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_awake(world, wall, false));
    id = shoot_body(vsp_sphere(VSP_R(0.05)), real3(-5.0, 0, 0),
                    real3(200.0, 0, 0), real3(0, 0, 0), true);
    step_world(world, 6);
    CHECK(vsp_to_double(vsp_body_transform(world, id).position.x) <
          vsp_to_double(vsp_body_transform(world, wall).position.x));
    CHECK(vsp_body_is_awake(world, wall) || VSP_SLEEP == 0);
}

/* Whether the centre of a body shot from above is outside of a wall: beside a
 * round wall the body may continue. */
static bool is_outside(uint32_t wall, vsp_vec3 center)
{
    double x = num(center.x), y = num(center.y), z = num(center.z);

    if (wall == 1)
        return sqrt(y * y + z * z) > 0.2;
    if (wall == 3)
        return sqrt(x * x + y * y + z * z) > 1.0;
    if (wall == 6)
        return fmax(fabs(x), fmax(fabs(y), fabs(z))) > 0.5;
    return y > -0.5;
}

/* Shoots each shape, spinning, at each thin shape. */
static void no_shape_passes(void)
{
    uint32_t shot, wall, k, i, table, random = 3;

    for (shot = 0; shot < 4; shot++)
        for (wall = 0; wall < 7; wall++)
            for (k = 0; k < 6; k++) {
                vsp_shape_def shape, target;
                vsp_body_def def = vsp_body_def_default();
                vsp_body_id id;
                double spin = 60.0 * random_part(&random) - 30.0;

                test_note("shape %u at %u, try %u", shot, wall, k);
                set_up(0.0);
                shape = shot == 0 ? vsp_sphere(VSP_R(0.1))
                        : shot == 1
                            ? vsp_box(VSP_R(0.1), VSP_R(0.2), VSP_R(0.1))
                            : vsp_capsule(VSP_R(0.1), VSP_R(0.2));
                if (shot == 3) {
                    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, &hull_wedge,
                                                             &table, NULL));
                    shape = vsp_table_shape(VSP_SHAPE_HULL, table);
                }
                target = wall == 0
                             ? vsp_box(VSP_R(4.0), VSP_R(0.05), VSP_R(4.0))
                         : wall == 1 ? vsp_capsule(VSP_R(0.2), VSP_R(4.0))
                         : wall == 2 ? vsp_half_space()
                                     : vsp_sphere(VSP_R(1.0));
                if (wall == 4) {
                    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, &mesh_plane,
                                                             &table, NULL));
                    target = vsp_table_shape(VSP_SHAPE_MESH, table);
                }
                if (wall == 5) {
                    CHECK_STATUS(
                        VSP_OK,
                        vsp_world_add_table(world, &field_hills, &table, NULL));
                    target = vsp_table_shape(VSP_SHAPE_HEIGHT_FIELD, table);
                }
                if (wall == 6) {
                    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, &hull_box,
                                                             &table, NULL));
                    target = vsp_table_shape(VSP_SHAPE_HULL, table);
                }
                def.shape = target;
                if (wall == 1)
                    def.pose.rotation = turn(90, 0, 0, 1);
                CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
                id = shoot_body(shape, real3(0.05 * k, 6 + 3.0 * k, 0),
                                real3(0, -400, 0), real3(spin, 0, spin), true);
                for (i = 0; i < 6; i++) {
                    step_world(world, 1);
                    CHECK(is_outside(wall, vsp_body_center(world, id)));
                }
            }
}

/* Two bullets that fly at each other must hit in the middle, and separate
 * again. */
static void bullets_meet_each_other(void)
{
    vsp_shape_def ball = vsp_sphere(VSP_R(0.1));
    vsp_body_id a, b;

    ball.material.restitution = VSP_R(1.0);
    set_up(0.0);
    a = shoot_body(ball, real3(-5, 0, 0), real3(300, 0, 0), real3(0, 0, 0),
                   true);
    b = shoot_body(ball, real3(5, 0, 0), real3(-300, 0, 0), real3(0, 0, 0),
                   true);
    step_world(world, 4);
    CHECK(num(vsp_body_center(world, a).x) < -1);
    CHECK(num(vsp_body_center(world, b).x) > 1);
    CHECK_NEAR(-300, num(vsp_body_velocity(world, a).x), 1.0);
    CHECK_NEAR(300, num(vsp_body_velocity(world, b).x), 1.0);
}

/* A bullet must bounce off with the speed it came with. */
static void bullets_bounce(void)
{
    vsp_shape_def ball = vsp_sphere(VSP_R(0.1));
    vsp_body_id id;
    uint32_t i;

    ball.material.restitution = VSP_R(0.5);
    set_up(0.0);
    add_body(world, VSP_STATIC, vsp_box(VSP_R(0.05), VSP_R(4.0), VSP_R(4.0)), 0,
             0, 0);
    id = shoot_body(ball, real3(-9, 0, 0), real3(200, 0, 0), real3(0, 0, 0),
                    true);
    for (i = 0; i < 10; i++)
        step_world(world, 1);
    CHECK_NEAR(-100, num(vsp_body_velocity(world, id).x), 1.0);
}

/* A bullet that hits a crate must conserve momentum. */
static void bullets_push(void)
{
    vsp_body_id crate, id;
    double p;

    set_up(0.0);
    crate = add_cube(world, 0, 0, 0);
    id = shoot_body(vsp_sphere(VSP_R(0.1)), real3(-7, 0, 0), real3(300, 0, 0),
                    real3(0, 0, 0), true);
    p = 300 * num(vsp_body_mass(world, id));
    step_world(world, 5);
    CHECK_NEAR(p,
               num(vsp_body_mass(world, id)) *
                       num(vsp_body_velocity(world, id).x) +
                   num(vsp_body_mass(world, crate)) *
                       num(vsp_body_velocity(world, crate).x),
               TOLERANCE(0.001 * p, 0.004 * p));
    CHECK(num(vsp_body_velocity(world, crate).x) > 0.5);
}


/* The first hit counts, in whatever order shapes were created. */
static void order_does_not_matter(void)
{
    uint32_t k, i, j, seed;

    for (seed = 1; seed < 20; seed++) {
        vsp_vec3 at[2];

        for (k = 0; k < 2; k++) {
            double place[24][3];
            uint32_t random = seed;
            vsp_body_id id;

            set_up(0.0);
            for (i = 0; i < 24; i++)
                for (j = 0; j < 3; j++)
                    place[i][j] = (j == 0 ? 9 : 1) * random_part(&random);
            for (i = 0; i < 24; i++) {
                const double *p = place[k == 0 ? i : 23 - i];

                add_body(world, VSP_STATIC,
                         vsp_box(VSP_R(0.1), VSP_R(0.2), VSP_R(0.15)), p[0],
                         p[1], p[2]);
            }
            id = shoot_body(vsp_sphere(VSP_R(0.1)), real3(-2, 0.5, 0.5),
                            real3(500, 0, 0), real3(0, 0, 0), true);
            step_world(world, 1);
            at[k] = vsp_body_center(world, id);
        }
        test_note("seed %u", seed);
        CHECK_NEAR(num(at[0].x), num(at[1].x), 0.0);
        CHECK_AT_MOST(6.0, num(at[0].x));
    }
}

/* A bullet hits a wall that comes towards it, or moves ahead of it more
 * slowly. */
static void bullets_meet_movers(void)
{
    double speed;

    for (speed = -200.0; speed < 201.0; speed += 40.0) {
        vsp_body_id wall, id;
        uint32_t i;

        test_note("wall at %g m/s", speed);
        set_up(0.0);
        wall = add_body(world, VSP_KINEMATIC,
                        vsp_box(VSP_R(0.05), VSP_R(2.0), VSP_R(2.0)), 0, 0, 0);
        CHECK_STATUS(VSP_OK,
                     vsp_body_set_velocity(world, wall, real3(speed, 0, 0),
                                           real3(0, 0, 0)));
        id = shoot_body(vsp_sphere(VSP_R(0.1)), real3(-7, 0.1, 0),
                        real3(400, 0, 0), real3(0, 0, 0), true);
        for (i = 0; i < 10; i++)
            step_world(world, 1);
        CHECK(num(vsp_body_center(world, id).x) <
              num(vsp_body_center(world, wall).x));
        CHECK_NEAR(speed, num(vsp_body_velocity(world, id).x), 1.0);
    }
}

/* A bullet hits a slower one from behind. */
static void bullets_meet_slower_ones(void)
{
    vsp_shape_def ball = vsp_sphere(VSP_R(0.1));
    vsp_body_id a, b;

    set_up(0.0);
    a = shoot_body(ball, real3(0, 0, 0), real3(300, 0, 0), real3(0, 0, 0),
                   true);
    b = shoot_body(ball, real3(3, 0, 0), real3(200, 0, 0), real3(0, 0, 0),
                   true);
    step_world(world, 10);
    CHECK_NEAR(250.0, num(vsp_body_velocity(world, a).x), 1.0);
    CHECK_NEAR(250.0, num(vsp_body_velocity(world, b).x), 1.0);
}

/* The end of a long spinning body hits a post beside the body's path, at 60
 * m/s: 50 times the size of both in a step. */
static void no_end_passes_a_post(void)
{
    uint32_t which, i, k;

    for (which = 0; which < 2; which++)
        for (i = 0; i < 10; i++) {
            vsp_body_def def = vsp_body_def_default();
            vsp_body_id id;
            double spin;

            test_note("long body %u, try %u", which, i);
            set_up(0.0);
            add_body(world, VSP_STATIC,
                     vsp_box(VSP_R(0.01), VSP_R(0.01), VSP_R(1.0)), 0.7, 0.0,
                     0.0);
            def.type = VSP_DYNAMIC;
            def.is_bullet = true;
            def.shape = which == 0
                            ? vsp_box(VSP_R(1.0), VSP_R(0.01), VSP_R(0.01))
                            : vsp_capsule(VSP_R(0.01), VSP_R(1.0));
            def.pose.rotation = turn(20.0 + 17.0 * i, 0, 0, 1);
            def.spin = real3(0, 0, 60);
            CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
            spin = 60.0;
            for (k = 0; k < 8; k++) {
                step_world(world, 1);
                if (num(vsp_body_spin(world, id).z) < spin)
                    spin = num(vsp_body_spin(world, id).z);
            }
            CHECK_AT_MOST(50.0, spin);
        }
}

static vsp_shape_def shape_of(vsp_shape_type type, const void *contents)
{
    uint32_t table = 0;

    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, contents, &table, NULL));
    return vsp_table_shape(type, table);
}

/* A spinning hull touches the wall with a corner first; its other parts must
 * not pass the wall. */
static void no_spinning_hull_passes(void)
{
    uint32_t i, random = 11;

    for (i = 0; i < 200; i++) {
        vsp_body_def def = vsp_body_def_default();
        vsp_body_id id;
        double angle = random_part(&random) - 0.5;
        double speed = 100.0 + 300.0 * random_part(&random);

        test_note("try %u", i);
        set_up(0.0);
        add_body(world, VSP_STATIC,
                 vsp_box(VSP_R(0.02), VSP_R(20.0), VSP_R(20.0)), 0, 0, 0);
        def.type = VSP_DYNAMIC;
        def.is_bullet = true;
        def.shape = shape_of(VSP_SHAPE_HULL, &hull_wedge);
        def.pose.position = real3(-2.0 - 3.0 * random_part(&random), 0, 0);
        def.pose.rotation = turn(360.0 * random_part(&random), 0.3, 1, 0.5);
        def.velocity = real3(speed * cos(angle), speed * sin(angle), 0);
        def.spin = real3(80.0 * random_part(&random) - 40.0,
                         80.0 * random_part(&random) - 40.0,
                         80.0 * random_part(&random) - 40.0);
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
        step_world(world, 12);
        CHECK_AT_MOST(0.0, num(vsp_body_center(world, id).x));
    }
}

/* Sensors do not stop a bullet, and detect it where the step ends. */
static void sensors_stop_no_bullet(void)
{
    vsp_shape_def sensor = vsp_box(VSP_R(0.05), VSP_R(2.0), VSP_R(2.0));
    vsp_body_id id;

    sensor.is_sensor = true;
    set_up(0.0);
    add_body(world, VSP_STATIC, sensor, 0, 0, 0);
    id = shoot_body(vsp_sphere(VSP_R(0.1)), real3(-6, 0, 0), real3(300, 0, 0),
                    real3(0, 0, 0), true);
    step_world(world, 2);
    CHECK_NEAR(4.0, num(vsp_body_center(world, id).x), 0.001);
}

/* Returns the largest spin, within 20 steps, of a box that comes down at 240
 * m/s along a surface of ice: a half-space, or boxes side by side. */
static double spin_on_ice(bool is_of_boxes, bool is_bullet, double height,
                          double fall)
{
    vsp_shape_def box = vsp_box(VSP_R(0.2), VSP_R(0.1), VSP_R(0.3));
    vsp_shape_def tile = vsp_box(VSP_R(1.0), VSP_R(1.0), VSP_R(9.0));
    vsp_shape_def ice = vsp_half_space();
    double largest = 0;
    vsp_body_id id;
    uint32_t i;

    set_up_continuous(0.0, true);
    box.material.friction = tile.material.friction = ice.material.friction = 0;
    if (!is_of_boxes)
        add_body(world, VSP_STATIC, ice, 0, 0, 0);
    for (i = 0; is_of_boxes && i < 45; i++)
        add_body(world, VSP_STATIC, tile, 2.0 * i - 61, -1, 0);
    id = shoot_body(box, real3(-60, height, 0), real3(240, -fall, 0),
                    real3(0, 0, 0), is_bullet);
    for (i = 0; i < 20; i++) {
        vsp_vec3 w;

        step_world(world, 1);
        w = vsp_body_spin(world, id);
        largest = fmax(largest,
                       fabs(num(w.x)) + fabs(num(w.y)) + fabs(num(w.z)));
    }
    CHECK_NEAR(240, num(vsp_body_velocity(world, id).x), 0.5);
    return largest;
}

/* A stop along a face may cause no more spin than a half-space does. */
static void a_stop_along_a_face_makes_no_spin(void)
{
    uint32_t random = 11, i;

    for (i = 0; i < 60; i++) {
        double height = 0.1 + (i % 2 ? 0.4 : 0.012) * random_part(&random);
        double fall = 30.0 * random_part(&random);
        bool is_bullet = i % 3 != 0;

        test_note("try %u: %g m, %g m/s", i, height, fall);
        CHECK_NEAR(spin_on_ice(false, is_bullet, height, fall),
                   spin_on_ice(true, is_bullet, height, fall), 0.05);
    }
}

/* SHOCK moves bodies in two parts of a step: bullets must stop in both. */
static void shock_stops_bullets(void)
{
    vsp_world_def def = vsp_world_def_default();
    uint32_t i, random = 5;

    if (!VSP_SHOCK)
        return;
    def.gravity = real3(0, 0, 0);
    def.stepper = VSP_STEPPER_SHOCK;
    for (i = 0; i < 50; i++) {
        vsp_body_id id;
        uint32_t k;

        test_note("try %u", i);
        world = new_world_of(&def);
        add_body(world, VSP_STATIC,
                 vsp_box(VSP_R(0.05), VSP_R(2.0), VSP_R(2.0)), 0, 0, 0);
        id = shoot_body(vsp_sphere(VSP_R(0.1)),
                        real3(-1.0 - 9.0 * random_part(&random), 0, 0),
                        real3(500, 0, 0), real3(0, 0, 0), true);
        for (k = 0; k < 5; k++)
            step_world(world, 1);
        CHECK_AT_MOST(0.0, num(vsp_body_center(world, id).x));
    }
}


/* ---- Signed distance fields ---------------------------------------------- */

/* The shapes for both roles: shot at fields, and hit by fields. */
static vsp_shape_def solid_of(uint32_t which)
{
    switch (which) {
    case 0:
        return vsp_sphere(VSP_R(0.1));
    case 1:
        return vsp_capsule(VSP_R(0.1), VSP_R(0.2));
    case 2:
        return vsp_box(VSP_R(0.1), VSP_R(0.2), VSP_R(0.1));
    case 3:
        return shape_of(VSP_SHAPE_HULL, &hull_wedge);
    default:
        return shape_of(VSP_SHAPE_SDF, &sdf_animal);
    }
}

/* energy of the translation of a dynamic body, J */
static double energy_of(vsp_body_id id)
{
    vsp_vec3 v = vsp_body_velocity(world, id);
    double x = num(v.x), y = num(v.y), z = num(v.z);

    return 0.5 * num(vsp_body_mass(world, id)) * (x * x + y * y + z * z);
}

/* Shoots a solid along x at the side of a free animal.  Returns whether it
 * passed through. */
static bool passes_animal(uint32_t which, bool is_bullet, double x, double y)
{
    vsp_shape_def shape;
    vsp_body_id animal, id;
    double before;
    uint32_t i;

    set_up(0.0);
    animal = add_body(world, VSP_DYNAMIC, shape_of(VSP_SHAPE_SDF, &sdf_animal),
                      0, 0, 0);
    shape = which < 4 ? solid_of(which) : vsp_table_shape(VSP_SHAPE_SDF, 1);
    shape.material.friction = VSP_R(0.0);
    id = shoot_body(shape, real3(x, y, 0), real3(500, 0, 0),
                    real3(0, 0, which == 0 ? 0 : 20), is_bullet);
    before = energy_of(id);
    for (i = 0; i < 4; i++) {
        double mass[2] = {num(vsp_body_mass(world, id)),
                          num(vsp_body_mass(world, animal))};

        step_world(world, 1);
        CHECK_AT_MOST(1.001 * before, energy_of(id) + energy_of(animal));
        CHECK_NEAR(500 * mass[0],
                   mass[0] * num(vsp_body_velocity(world, id).x) +
                       mass[1] * num(vsp_body_velocity(world, animal).x),
                   500 * mass[0] * TOLERANCE(0.001, 0.004));
    }
    return num(vsp_body_velocity(world, animal).x) < 1.0;
}

static void no_bullet_passes_an_animal(void)
{
    uint32_t which, i;

    for (which = 0; which < 5; which++)
        for (i = 0; i < 6; i++) {
            test_note("solid %u, try %u", which, i);
            CHECK(!passes_animal(which, true, -6.0 - 0.9 * i, 0.03 * i));
            if (which == 0)
                CHECK(passes_animal(which, false, -6.0, 0.0));
        }
}

/* Shoots a spinning animal at each static shape. */
static void no_animal_passes(void)
{
    uint32_t wall, i, k;

    for (wall = 0; wall < 6; wall++)
        for (i = 0; i < 6; i++) {
            vsp_body_def def = vsp_body_def_default();
            vsp_body_id id;
            double before;

            test_note("animal %u at %u", i, wall);
            set_up(0.0);
            def.shape = wall == 0 ? vsp_box(VSP_R(4.0), VSP_R(0.05), VSP_R(4.0))
                        : wall == 1 ? vsp_half_space()
                        : wall == 2 ? shape_of(VSP_SHAPE_MESH, &mesh_plane)
                        : wall == 3
                            ? shape_of(VSP_SHAPE_HEIGHT_FIELD, &field_hills)
                        : wall == 4 ? shape_of(VSP_SHAPE_SDF, &sdf_letters)
                                    : shape_of(VSP_SHAPE_HULL, &hull_ball);
            CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
            id = shoot_body(solid_of(4), real3(0.05 * i, 7 + 1.3 * i, 0.0),
                            real3(0, -400, 0), real3(10, 0, 5.0 * i), true);
            before = energy_of(id);
            for (k = 0; k < 5; k++) {
                step_world(world, 1);
                CHECK(wall == 5 || num(vsp_body_center(world, id).y) > -0.6);
                CHECK_AT_MOST(1.001 * before, energy_of(id));
            }
            CHECK(num(vsp_body_velocity(world, id).y) > -350);
        }
}

/* Shoots a field without spheres, which has no point to stop at, at a wall. */
static void a_field_without_spheres_does_not_stop(void)
{
    vsp_sdf bare = sdf_animal;
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id id = {0};

    bare.node_count = 0;
    bare.nodes = NULL;
    set_up(0.0);
    add_body(world, VSP_STATIC, vsp_box(VSP_R(0.05), VSP_R(4.0), VSP_R(4.0)), 0,
             0, 0);
    def.type = VSP_DYNAMIC;
    def.shape = shape_of(VSP_SHAPE_SDF, &bare);
    def.mass = VSP_R(1.0);
    def.inertia = real3(1, 1, 1);
    def.pose.position.x = VSP_R(-3.0);
    def.velocity.x = VSP_R(400.0);
    def.is_bullet = true;
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    step_world(world, 2);
    CHECK_NEAR(400.0, num(vsp_body_velocity(world, id).x), 0.01);
    CHECK_AT_LEAST(10.0, num(vsp_body_center(world, id).x));
}

/* Letters must not stop a ball that slides over them. */
static void bullets_slide_on_fields(void)
{
    vsp_shape_def ball = vsp_sphere(VSP_R(0.1));
    vsp_body_id id;

    ball.material.friction = VSP_R(0.0);
    set_up(0.0);
    add_body(world, VSP_STATIC, shape_of(VSP_SHAPE_SDF, &sdf_letters), 0, 0, 0);
    id = shoot_body(ball, real3(-9.0, 0.37, 1.95), real3(240, 0, 0),
                    real3(0, 0, 0), true);
    step_world(world, 5);
    CHECK_NEAR(11.0, num(vsp_body_center(world, id).x), 0.05);
}


/* ---- The step of impact -------------------------------------------------- */

#define STEPPERS 4u

static void set_up_reports(uint32_t stepper, double gravity)
{
    vsp_world_def def = vsp_world_def_default();

    def.gravity = real3(0, gravity, 0);
    def.stepper = (vsp_stepper)stepper;
    def.enable_sleep = false;
    def.reports = VSP_REPORT_BEGIN | VSP_REPORT_END;
    world = new_world_of(&def);
}

/* How many events of a type the last step reported. */
static uint32_t events_of(vsp_event_type type)
{
    uint32_t count, i, sum = 0;
    const vsp_event *events = vsp_world_events(world, &count);

    for (i = 0; i < count; i++)
        sum += events[i].type == (uint32_t)type ? 1u : 0u;
    return sum;
}

static vsp_shape_def elastic(vsp_shape_def shape, double restitution)
{
    shape.material.restitution = real(restitution);
    shape.material.friction = VSP_R(0.0);
    return shape;
}

/* A wall whose left face is at 0, half a step's displacement away: the bullet
 * bounces, reports it, and moves back for half a step, all in one step. */
static void check_bounce(uint32_t stepper, double speed, double restitution,
                         vsp_shape_def shape, double half)
{
    double way = speed / 60.0;
    vsp_body_id id;

    test_note("stepper %u, %g m/s, restitution %g", stepper, speed,
              restitution);
    set_up_reports(stepper, 0.0);
    add_body(world, VSP_STATIC,
             elastic(vsp_box(VSP_R(0.05), VSP_R(4.0), VSP_R(4.0)), 0), 0.05, 0,
             0);
    id = shoot_body(elastic(shape, restitution), real3(-half - way / 2, 0, 0),
                    real3(speed, 0, 0), real3(0, 0, 0), true);
    step_world(world, 1);
    CHECK_UINT(1, events_of(VSP_EVENT_BEGIN));
    CHECK_NEAR(-restitution * speed, num(vsp_body_velocity(world, id).x),
               restitution > 0 ? 0.01 * restitution * speed : 0.61);
    CHECK_NEAR(-half - restitution * way / 2, num(vsp_body_center(world, id).x),
               0.011 + 0.001 * way);
    step_world(world, 1);
    CHECK_UINT(0, events_of(VSP_EVENT_BEGIN));
    CHECK_UINT(restitution > 0 ? 1 : 0, events_of(VSP_EVENT_END));
    step_world(world, 3);
    CHECK_NEAR(-restitution * speed, num(vsp_body_velocity(world, id).x),
               0.01 * restitution * speed + 0.001);
}

static void a_bounce_is_of_the_step_of_impact(void)
{
    static const double speeds[] = {10, 60, 240};
    uint32_t stepper, i, k;

    for (stepper = 0; stepper < STEPPERS; stepper++)
        for (i = 0; i < 3; i++)
            for (k = 0; k < 3; k++) {
                check_bounce(stepper, speeds[i], 0.5 * k,
                             vsp_sphere(VSP_R(0.1)), 0.1);
                check_bounce(stepper, speeds[i], 0.5 * k,
                             vsp_box(VSP_R(0.05), VSP_R(0.1), VSP_R(0.1)),
                             0.05);
            }
}

/* Returns the rotation from the y axis to a direction. */
static vsp_quat turn_up_to(vec3 direction)
{
    vec3 axis = vec_unit(vec_cross(vec_make(0, 1, 0), direction));

    return turn(acos(direction.y) * 180 / PI, axis.x, axis.y, axis.z);
}

/* Makes a step, restores the state before it, and makes it again. */
static void step_twice(void)
{
    size_t size = save_world(world, 0);
    uint32_t hash;

    step_world(world, 1);
    hash = vsp_world_hash(world);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    step_world(world, 1);
    CHECK_HEX(hash, vsp_world_hash(world));
}

/* A shot at a wall: everything about it is random. */
typedef struct shot {
    vec3 to_wall, from; /* unit; m */
    vec3 velocity;      /* m/s */
    double restitution, dt;
    double time; /* of the impact, in steps */
} shot;

static shot random_shot(uint32_t *random)
{
    shot it;
    vec3 aim;
    double speed = 20.0 + 280.0 * random_part(random), gap;

    it.dt = 1.0 / (30.0 + 210.0 * random_part(random));
    it.to_wall = vec_unit(
        vec_make(1.0, random_part(random) - 0.5, random_part(random) - 0.5));
    aim = vec_unit(vec_add(it.to_wall, vec_make(0.0, random_part(random) - 0.5,
                                                random_part(random) - 0.5)));
    it.velocity = vec_scale(aim, speed);
    it.restitution = 0.2 + 0.8 * random_part(random);
    it.time = 0.1 + 2.8 * random_part(random);
    gap = it.time * it.dt * vec_dot(it.velocity, it.to_wall);
    it.from = vec_scale(it.to_wall, -0.1 - gap);
    return it;
}

/* Makes the steps of a shot up to its impact: the last one reports it, and
 * leaves the bullet with the speed of the bounce. */
static void check_shot(const shot *it, uint32_t stepper)
{
    vsp_world_def def = vsp_world_def_default();
    uint32_t begins = 0, step, hit = (uint32_t)it->time;
    double along = vec_dot(it->velocity, it->to_wall);
    vec3 after;
    vsp_body_id id;

    def.gravity = real3(0, 0, 0);
    def.stepper = (vsp_stepper)stepper;
    def.reports = VSP_REPORT_BEGIN;
    def.dt = real(it->dt);
    world = new_world_of(&def);
    add_turned(world, VSP_STATIC, elastic(vsp_half_space(), 0), 0, 0, 0,
               turn_up_to(vec_scale(it->to_wall, -1)));
    id = shoot_body(elastic(vsp_sphere(VSP_R(0.1)), it->restitution),
                    real3(it->from.x, it->from.y, it->from.z),
                    real3(it->velocity.x, it->velocity.y, it->velocity.z),
                    real3(0, 0, 0), true);
    for (step = 0; step <= hit; step++) {
        CHECK_UINT(0, begins);
        step_twice();
        begins += events_of(VSP_EVENT_BEGIN);
    }
    CHECK_UINT(1, begins);
    after = vec_from(vsp_body_velocity(world, id));
    CHECK_NEAR(-it->restitution * along, vec_dot(after, it->to_wall),
               0.01 * along);
    CHECK_AT_MOST(-0.09,
                  vec_dot(vec_from(vsp_body_center(world, id)), it->to_wall));
}

static void random_bullets_bounce_in_their_step(void)
{
    uint32_t random = 7, i, stepper;

    for (i = 0; i < 100; i++) {
        shot it = random_shot(&random);
        double part = it.time - floor(it.time);

        /* the envelope makes the contact a little early */
        if (part * it.dt * vec_length(it.velocity) < 0.05)
            continue;
        for (stepper = 0; stepper < STEPPERS; stepper++) {
            test_note("shot %u, stepper %u, time %.3f steps of 1/%.0f s, "
                      "%.0f m/s, restitution %.2f",
                      i, stepper, it.time, 1 / it.dt, vec_length(it.velocity),
                      it.restitution);
            check_shot(&it, stepper);
        }
    }
}

/* A bullet just above a thin floor hits the side of a lift that rises. */
static void no_lift_puts_a_bullet_under_a_floor(void)
{
    uint32_t stepper, i;
    double speed;

    for (stepper = 0; stepper < STEPPERS; stepper++)
        for (speed = 1; speed < 70; speed *= 2) {
            vsp_body_id lift, id;

            test_note("stepper %u, lift at %g m/s", stepper, speed);
            set_up_reports(stepper, -9.81);
            add_body(world, VSP_STATIC,
                     vsp_box(VSP_R(20), VSP_R(0.02), VSP_R(20)), 0, 0, 0);
            lift = add_body(world, VSP_KINEMATIC,
                            vsp_box(VSP_R(0.2), VSP_R(4), VSP_R(0.5)), 3, 0, 0);
            CHECK_STATUS(VSP_OK,
                         vsp_body_set_velocity(world, lift, real3(0, speed, 0),
                                               real3(0, 0, 0)));
            id = shoot_body(vsp_sphere(VSP_R(0.1)), real3(1.1, 0.15, 0),
                            real3(60, 0, 0), real3(0, 0, 0), true);
            for (i = 0; i < 20; i++) {
                step_world(world, 1);
                CHECK_AT_LEAST(0.1, num(vsp_body_center(world, id).y));
            }
        }
}

/* The first step slows a bullet that is faster than its max_speed, or strongly
 * damped: it must not go to the wall by the velocity that it begins with. */
static void a_slowed_bullet_does_not_run_ahead(void)
{
    uint32_t stepper, i;

    for (stepper = 0; stepper < STEPPERS; stepper++)
        for (i = 0; i < 2; i++) {
            vsp_body_def def = vsp_body_def_default();
            vsp_body_id id;

            test_note("stepper %u, %s", stepper, i ? "damped" : "limited");
            set_up_reports(stepper, 0.0);
            add_body(world, VSP_STATIC, vsp_box(VSP_R(0.5), VSP_R(2), VSP_R(2)),
                     4.5, 0, 0);
            def.type = VSP_DYNAMIC;
            def.shape = vsp_sphere(VSP_R(0.1));
            def.velocity = real3(300, 0, 0);
            def.is_bullet = true;
            if (i == 0)
                def.max_speed = VSP_R(10);
            else
                def.linear_damping = VSP_R(1000);
            CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
            step_world(world, 1);
            CHECK_AT_MOST(0.5, num(vsp_body_center(world, id).x));
        }
}

/* Between two walls a ball of restitution 1 keeps its time: what it flies in a
 * step is its speed times the step, whether it hits or not. */
static void a_hit_takes_no_time(void)
{
    uint32_t stepper, i;

    for (stepper = 0; stepper < STEPPERS; stepper++) {
        double x = 0, to = 1, last = 0, way;
        uint32_t hits = 0;
        vsp_body_id id;

        set_up_reports(stepper, 0.0);
        for (i = 0; i < 2; i++)
            add_body(world, VSP_STATIC,
                     vsp_box(VSP_R(0.05), VSP_R(4.0), VSP_R(4.0)),
                     i ? 5.15 : -5.15, 0, 0);
        id = shoot_body(elastic(vsp_sphere(VSP_R(0.1)), 1), real3(0, 0, 0),
                        real3(200, 0, 0), real3(0, 0, 0), true);
        for (i = 0; i < 60; i++) {
            step_world(world, 1);
            x = num(vsp_body_center(world, id).x);
            way = to * (x - last);
            if (events_of(VSP_EVENT_BEGIN) > 0) {
                hits++;
                way = (5.0 - to * last) + (5.0 - to * x);
                to = -to;
            }
            last = x;
            test_note("stepper %u, step %u", stepper, i);
            CHECK_NEAR(200.0 / 60.0, way, 0.02);
            CHECK_NEAR(200.0 * to, num(vsp_body_velocity(world, id).x), 0.5);
        }
        CHECK_UINT(20, hits);
    }
}

/* Of a bullet and a free box at rest: momentum at once, and restitution by its
 * rule. */
static void a_box_is_pushed_at_once(void)
{
    static const double speeds[] = {10, 60, 240};
    uint32_t stepper, i, k;

    for (stepper = 0; stepper < STEPPERS; stepper++)
        for (i = 0; i < 3; i++)
            for (k = 0; k < 3; k++) {
                double e = 0.5 * k, v = speeds[i];
                double m[2], u[2];
                vsp_body_id box, id;

                test_note("stepper %u, %g m/s, restitution %g", stepper, v, e);
                set_up_reports(stepper, 0.0);
                box = shoot_body(
                    elastic(vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5)), 0),
                    real3(0, 0, 0), real3(0, 0, 0), real3(0, 0, 0), false);
                id = shoot_body(elastic(vsp_sphere(VSP_R(0.1)), e),
                                real3(-0.6 - v / 120, 0, 0), real3(v, 0, 0),
                                real3(0, 0, 0), true);
                m[0] = num(vsp_body_mass(world, id));
                m[1] = num(vsp_body_mass(world, box));
                step_world(world, 1);
                u[0] = num(vsp_body_velocity(world, id).x);
                u[1] = num(vsp_body_velocity(world, box).x);
                CHECK_UINT(1, events_of(VSP_EVENT_BEGIN));
                CHECK_NEAR(m[0] * v, m[0] * u[0] + m[1] * u[1],
                           m[0] * v * TOLERANCE(0.001, 0.004) + m[1] * 0.001);
                CHECK_NEAR(e * v, u[1] - u[0], 0.01 * v + (e > 0 ? 0 : 0.6));
                CHECK_AT_MOST(num(vsp_body_center(world, box).x) - 0.59,
                              num(vsp_body_center(world, id).x));
                step_world(world, 1);
                CHECK_UINT(0, events_of(VSP_EVENT_BEGIN));
            }
}

/* Makes a step in which a bullet hits the left face of a wall, half a step
 * after its begin.  The wall moves at `speed`, and rises at `rise`; it has an
 * infinite mass in effect. */
static void check_mover(uint32_t stepper, vsp_body_type type, double speed,
                        double rise, double restitution, vsp_shape_def shape,
                        double half)
{
    double v = 160.0, after = speed - restitution * (v - speed);
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id wall, id;

    test_note("stepper %u, type %d, wall at %g and %g m/s, restitution %g",
              stepper, (int)type, speed, rise, restitution);
    set_up_reports(stepper, 0.0);
    def.type = type;
    def.shape = elastic(vsp_box(VSP_R(0.05), VSP_R(4.0), VSP_R(4.0)), 0);
    def.mass = VSP_R(10000.0);
    def.pose.position = real3(0.05 - speed / 120, 0, 0);
    def.velocity = real3(speed, rise, 0);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &wall));
    shape.density = VSP_R(100.0);
    id = shoot_body(elastic(shape, restitution), real3(-half - v / 120, 0, 0),
                    real3(v, 0, 0), real3(0, 0, 0), true);
    step_world(world, 1);
    CHECK_UINT(1, events_of(VSP_EVENT_BEGIN));
    CHECK_NEAR(after, num(vsp_body_velocity(world, id).x),
               restitution > 0 ? 0.01 * v : 1.3);
    CHECK_NEAR(-half + after / 120, num(vsp_body_center(world, id).x), 0.03);
    CHECK_NEAR(0, num(vsp_body_center(world, id).y), 0.01);
    step_world(world, 1);
    CHECK_UINT(0, events_of(VSP_EVENT_BEGIN));
    step_world(world, 3);
    CHECK_NEAR(after, num(vsp_body_velocity(world, id).x),
               restitution > 0 ? 0.01 * v : 1.3);
}

/* What delays a hit by a step, as vsp_body_def.is_bullet says. */
typedef enum delay_cause {
    BY_NOTHING,
    BY_FORCE,
    BY_DAMPING,
    BY_MAX_SPEED,
    BY_JOINT,
    BY_TURN,  /* of what is hit */
    BY_FIELD, /* that moves */
    BY_SHELL, /* somewhere */
    DELAY_CAUSES
} delay_cause;

static void add_target(delay_cause cause)
{
    vsp_body_def def = vsp_body_def_default();

    def.type = VSP_KINEMATIC;
    def.shape = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    if (cause == BY_FIELD) {
        def.shape = shape_of(VSP_SHAPE_SDF, &sdf_animal);
        def.velocity.x = VSP_R(-6.0);
    } else if (cause == BY_TURN) {
        def.shape = vsp_cylinder(VSP_R(0.5), VSP_R(0.5));
        def.spin.y = VSP_R(20.0);
    }
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
}

static void tie_to_base(vsp_body_id id)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = VSP_JOINT_DISTANCE;
    def.body_a = add_body(world, VSP_STATIC, vsp_sphere(VSP_R(0.1)), 0, 9, 0);
    def.body_b = id;
    def.high = VSP_R(50.0);
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, NULL));
}

static void hinder(vsp_body_id id, delay_cause cause)
{
    if (cause == BY_FORCE)
        CHECK_STATUS(VSP_OK,
                     vsp_body_apply_center_force(world, id, real3(0, 0, 1)));
    else if (cause == BY_DAMPING)
        CHECK_STATUS(VSP_OK,
                     vsp_body_set_damping(world, id, VSP_R(1.0), VSP_R(0.0)));
    else if (cause == BY_MAX_SPEED)
        CHECK_STATUS(VSP_OK, vsp_body_set_max_speed(world, id, VSP_R(400.0)));
    else if (cause == BY_JOINT)
        tie_to_base(id);
    else if (cause == BY_SHELL)
        add_body(world, VSP_DYNAMIC, shape_of(VSP_SHAPE_SHELL, &shell_leaf), 0,
                 50, 0);
}

/* The hit is late in these cases and in no other. */
static void hits_are_late_where_they_may_be(void)
{
    uint32_t stepper, cause;

    for (stepper = 0; stepper < STEPPERS; stepper++)
        for (cause = 0; cause < DELAY_CAUSES; cause++) {
            uint32_t is_late = cause != BY_NOTHING;
            vsp_body_id id;

            if (cause == BY_SHELL && !VSP_SHELLS)
                continue;
            test_note("stepper %u, cause %u", stepper, cause);
            set_up_reports(stepper, 0.0);
            add_target((delay_cause)cause);
            id = shoot_body(vsp_sphere(VSP_R(0.1)), real3(-3, 0, 0),
                            real3(240, 0, 0), real3(0, 0, 0), true);
            hinder(id, (delay_cause)cause);
            step_world(world, 1);
            CHECK_UINT(!is_late, events_of(VSP_EVENT_BEGIN));
            CHECK_AT_MOST(0.0, num(vsp_body_center(world, id).x));
            step_world(world, 1);
            CHECK_UINT(is_late, events_of(VSP_EVENT_BEGIN));
        }
}

static void bullets_bounce_off_movers_at_once(void)
{
    static const double speeds[] = {-120, -60, -5, -0.3, 0.3, 5, 60, 120};
    uint32_t stepper, i, k;

    for (stepper = 0; stepper < STEPPERS; stepper++)
        for (i = 0; i < 8; i++)
            for (k = 0; k < 6; k++)
                check_mover(stepper, k < 3 ? VSP_KINEMATIC : VSP_DYNAMIC,
                            speeds[i], k % 3 == 1 ? 40 : 0, 0.5 * (k % 3),
                            i % 2
                                ? vsp_sphere(VSP_R(0.1))
                                : vsp_box(VSP_R(0.05), VSP_R(0.1), VSP_R(0.1)),
                            i % 2 ? 0.1 : 0.05);
}

/* The end of a beam that turns at 6 rad/s comes towards a bullet. */
static void bullets_bounce_off_turning_beams_at_once(void)
{
    uint32_t stepper;

    for (stepper = 0; stepper < STEPPERS; stepper++) {
        vsp_body_id beam, id;

        test_note("stepper %u", stepper);
        set_up_reports(stepper, 0.0);
        beam = add_turned(world, VSP_KINEMATIC,
                          elastic(vsp_box(VSP_R(0.05), VSP_R(4), VSP_R(1)), 0),
                          0, 0, 0, turn(-6.0 / 120 * 180 / PI, 0, 0, 1));
        CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, beam, real3(0, 0, 0),
                                                   real3(0, 0, 6)));
        id = shoot_body(elastic(vsp_sphere(VSP_R(0.1)), 1),
                        real3(-0.15 - 1, 3, 0), real3(120, 0, 0),
                        real3(0, 0, 0), true);
        step_world(world, 1);
        CHECK_UINT(1, events_of(VSP_EVENT_BEGIN));
        CHECK_NEAR(-120 - 36, num(vsp_body_velocity(world, id).x), 2.0);
        CHECK_NEAR(-0.15 - 156.0 / 120, num(vsp_body_center(world, id).x),
                   0.03);
        step_world(world, 1);
        CHECK_UINT(0, events_of(VSP_EVENT_BEGIN));
    }
}

/* Shoots a bullet obliquely at the left face of a fast crate, which it hits in
 * the middle of a step.  Half of the crate's way in the step is `lead`, to the
 * right if it is positive.  Returns the bullet. */
static vsp_body_id shoot_at_crate(uint32_t stepper, double lead)
{
    vsp_body_def def = vsp_body_def_default();
    vsp_shape_def ball = elastic(vsp_sphere(VSP_R(0.1)), 1);

    set_up_reports(stepper, 0.0);
    def.type = VSP_KINEMATIC;
    def.shape = elastic(vsp_box(VSP_R(0.05), VSP_R(0.5), VSP_R(0.5)), 0);
    def.pose.position = real3(0.15 - lead, 0, 0);
    def.velocity = real3(120 * lead, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
    ball.density = VSP_R(100.0);
    return shoot_body(ball, real3(-1, 1, 0), real3(120, -120, 0),
                      real3(0, 0, 0), true);
}

/* Where a bullet waits for the solve of its hit there is a small third body,
 * which neither takes part in the hit nor changes it. */
static void third_bodies_do_not_take_part(void)
{
    static const double leads[] = {-0.4, -0.3, 0.3, 0.4};
    uint32_t stepper, i, k, type;

    for (stepper = 0; stepper < STEPPERS; stepper++)
        for (i = 0; i < 4; i++)
            for (k = 0; k < 6; k++)
                for (type = 0; type < 2; type++) {
                    double x = -leads[i] + (k % 3 * 0.04 - 0.04);
                    double after = 2 * 120 * leads[i] - 120;
                    vsp_body_id third, id = shoot_at_crate(stepper, leads[i]);

                    test_note("stepper %u, lead %g, third %u, %s", stepper,
                              leads[i], k, type ? "free" : "fixed");
                    third = add_body(
                        world, type && leads[i] > 0 ? VSP_DYNAMIC : VSP_STATIC,
                        k < 3 ? vsp_sphere(VSP_R(0.05))
                              : vsp_box(VSP_R(0.05), VSP_R(0.05), VSP_R(0.05)),
                        x, -0.06, 0);
                    step_world(world, 3);
                    CHECK_NEAR(after, num(vsp_body_velocity(world, id).x), 2);
                    CHECK_NEAR(-120, num(vsp_body_velocity(world, id).y), 1);
                    CHECK_AT_MOST(0.001, vec_length(vec_from(
                                             vsp_body_velocity(world, third))));
                }
}

/* Two bullets hit one place of a crate at two times of a step. */
static void bullets_do_not_meet_where_they_wait(void)
{
    uint32_t stepper, i;

    for (stepper = 0; stepper < STEPPERS; stepper++)
        for (i = 0; i < 2; i++) {
            double lead = i == 0 ? 0.3 : -0.3;
            vsp_shape_def ball = elastic(vsp_sphere(VSP_R(0.1)), 1);
            vsp_body_id id[2];

            test_note("stepper %u, lead %g", stepper, lead);
            id[0] = shoot_at_crate(stepper, lead);
            ball.density = VSP_R(100.0);
            id[1] = shoot_body(ball, real3(0.6 * lead - 2, 0, -0.8),
                               real3(150, 0, 60), real3(0, 0, 0), true);
            step_world(world, 3);
            CHECK_NEAR(240 * lead - 120, num(vsp_body_velocity(world, id[0]).x),
                       2);
            CHECK_NEAR(240 * lead - 150, num(vsp_body_velocity(world, id[1]).x),
                       2);
            CHECK_NEAR(-120, num(vsp_body_velocity(world, id[0]).y), 1);
            CHECK_NEAR(0, num(vsp_body_velocity(world, id[1]).y), 1);
        }
}

/* Lays a floor with its top at 0: a half-space, a box, or many. */
static void lay_floor(uint32_t kind)
{
    uint32_t i;

    if (kind == 0)
        add_body(world, VSP_STATIC, vsp_half_space(), 0, 0, 0);
    else if (kind == 1)
        add_body(world, VSP_STATIC, vsp_box(VSP_R(20), VSP_R(0.5), VSP_R(1)), 0,
                 -0.5, 0);
    for (i = 0; kind == 2 && i < 60; i++)
        add_body(world, VSP_STATIC, vsp_box(VSP_R(0.125), VSP_R(0.5), VSP_R(1)),
                 0.25 * i - 9.9, -0.5, 0);
}

/* A bullet that slides along a floor touches it wherever it waits. */
static void bullets_on_a_floor_bounce_off_movers_at_once(void)
{
    static const double speeds[] = {-60, -5, 5, 60};
    uint32_t stepper, i, k;

    for (stepper = 0; stepper < STEPPERS; stepper++)
        for (i = 0; i < 4; i++)
            for (k = 0; k < 6; k++) {
                vsp_shape_def shape = k % 2 ? vsp_sphere(VSP_R(0.1))
                                            : vsp_box(VSP_R(0.1), VSP_R(0.1),
                                                      VSP_R(0.1));
                vsp_body_def def = vsp_body_def_default();
                vsp_body_id id;

                test_note("stepper %u, crate at %g m/s, %s, floor %u", stepper,
                          speeds[i], k % 2 ? "ball" : "box", k / 2);
                set_up_reports(stepper, -9.81);
                lay_floor(k / 2);
                def.type = VSP_KINEMATIC;
                def.shape = elastic(vsp_box(VSP_R(0.1), VSP_R(0.4), VSP_R(0.5)),
                                    0);
                def.pose.position = real3(2.1 - 0.025 * speeds[i], 0.41, 0);
                def.velocity = real3(speeds[i], 0, 0);
                CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
                shape.material.friction = 0;
                id = shoot_body(elastic(shape, 1), real3(1.9 - 2.5, 0.1, 0),
                                real3(100, 0, 0), real3(0, 0, 0), true);
                step_world(world, 1);
                CHECK_NEAR(100, num(vsp_body_velocity(world, id).x), 1);
                step_world(world, 1);
                CHECK_NEAR(2 * speeds[i] - 100,
                           num(vsp_body_velocity(world, id).x), 2);
                CHECK_NEAR(0.1, num(vsp_body_center(world, id).y), 0.01);
            }
}

/* Two bullets that meet within a step bounce in it. */
static void bullets_bounce_off_each_other_at_once(void)
{
    uint32_t stepper;

    for (stepper = 0; stepper < STEPPERS; stepper++) {
        vsp_body_id a, b;

        test_note("stepper %u", stepper);
        set_up_reports(stepper, 0.0);
        a = shoot_body(elastic(vsp_sphere(VSP_R(0.1)), 1), real3(-1.5, 0, 0),
                       real3(200, 0, 0), real3(0, 0, 0), true);
        b = shoot_body(elastic(vsp_sphere(VSP_R(0.1)), 1), real3(1.5, 0, 0),
                       real3(-100, 0, 0), real3(0, 0, 0), true);
        step_world(world, 1);
        CHECK_UINT(1, events_of(VSP_EVENT_BEGIN));
        CHECK_NEAR(-100, num(vsp_body_velocity(world, a).x), 1);
        CHECK_NEAR(200, num(vsp_body_velocity(world, b).x), 1);
        CHECK_AT_MOST(num(vsp_body_center(world, b).x) - 0.19,
                      num(vsp_body_center(world, a).x));
    }
}

/* A bullet that passes a box by a millimetre keeps way and velocity. */
static void a_bullet_passes_by(void)
{
    uint32_t stepper;

    for (stepper = 0; stepper < STEPPERS; stepper++) {
        vsp_body_id id;

        test_note("stepper %u", stepper);
        set_up_reports(stepper, 0.0);
        add_body(world, VSP_STATIC, vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5)),
                 0, 0, 0);
        id = shoot_body(elastic(vsp_sphere(VSP_R(0.1)), 1), real3(-3, 0.601, 0),
                        real3(240, 0, 0), real3(0, 0, 0), true);
        step_world(world, 2);
        CHECK_NEAR(5, num(vsp_body_center(world, id).x), 0.001);
        CHECK_NEAR(0.601, num(vsp_body_center(world, id).y), 0.001);
        CHECK_NEAR(240, num(vsp_body_velocity(world, id).x), 0.01);
    }
}

/* Returns the fraction of its energy that a ball and a box at rest have after
 * a central hit. */
static double energy_left(double ball, double box, double restitution)
{
    double u = (ball - restitution * box) / (ball + box);
    double v = (1 + restitution) * ball / (ball + box);

    return u * u + box / ball * v * v;
}

/* A bullet hits a box of a stack: the event comes in the same step, momentum
 * along the shot is kept, and the energy is that of a hit of these two. */
static void stacks_are_shot(void)
{
    double speed;
    uint32_t stepper, i, k;

    for (stepper = 0; stepper < STEPPERS; stepper++)
        for (speed = 10; speed < 241; speed += 46) {
            vsp_body_id ids[6];
            double energy, momentum, height, left;

            test_note("stepper %u, %g m/s", stepper, speed);
            set_up_reports(stepper, -9.81);
            add_body(world, VSP_STATIC, elastic(vsp_half_space(), 0), 0, 0, 0);
            for (i = 0; i < 5; i++)
                ids[i] = shoot_body(
                    elastic(vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5)), 0),
                    real3(0, 0.5 + i, 0), real3(0, 0, 0), real3(0, 0, 0),
                    false);
            step_world(world, 30);
            ids[5] = shoot_body(elastic(vsp_sphere(VSP_R(0.15)), 0.3),
                                real3(-0.65 - speed / 100, 2.6, 0.1),
                                real3(speed, 0, 0), real3(0, 0, 0), true);
            energy = energy_of(ids[5]);
            momentum = speed * num(vsp_body_mass(world, ids[5]));
            left = energy_left(num(vsp_body_mass(world, ids[5])),
                               num(vsp_body_mass(world, ids[2])), 0.3);
            step_world(world, 1);
            CHECK_UINT(1, events_of(VSP_EVENT_BEGIN));
            for (k = 0; k < 4; k++, step_world(world, 1)) {
                double sum = 0, way = 0;

                for (i = 0, height = 0; i < 6; i++) {
                    double m = num(vsp_body_mass(world, ids[i]));

                    sum += energy_of(ids[i]);
                    height += m * 9.81 *
                              (num(vsp_body_center(world, ids[i]).y) -
                               (i < 5 ? 0.5 + i : 2.6));
                    way += m * num(vsp_body_velocity(world, ids[i]).x);
                }
                CHECK_AT_MOST(1.05 * left * energy, sum + height);
                CHECK_NEAR(momentum, way, 0.005 * momentum);
            }
        }
}

/* A ball that drops as a bullet rises to the square of its restitution. */
static void bullets_bounce_as_high_as_they_should(void)
{
    uint32_t stepper, i, k;

    for (stepper = 0; stepper < STEPPERS; stepper++)
        for (i = 0; i < 8; i++) {
            double top = 0, before = 0;
            vsp_body_id id;

            set_up_reports(stepper, -9.81);
            add_body(world, VSP_STATIC, vsp_half_space(), 0, 0, 0);
            id = shoot_body(elastic(vsp_sphere(VSP_R(0.1)), 0.5),
                            real3(0, 20.1 + 0.5 * i, 0), real3(0, -40, 0),
                            real3(0, 0, 0), true);
            for (k = 0; k < 200; k++) {
                double v = num(vsp_body_velocity(world, id).y);

                step_world(world, 1);
                if (v < 0 && num(vsp_body_velocity(world, id).y) > 0 &&
                    before == 0)
                    before = v;
                if (before < 0)
                    top = fmax(top, num(vsp_body_center(world, id).y));
                if (top > 0 && num(vsp_body_velocity(world, id).y) < 0)
                    break;
            }
            test_note("stepper %u, try %u, %g m/s", stepper, i, before);
            CHECK_NEAR(0.25 * (before * before / (2 * 9.81)), top - 0.1,
                       0.011 * top + 0.5 * fabs(before) / 120);
        }
}


/* ---- Time ---------------------------------------------------------------- */

/* A box at 30 m/s is stopped at the floor after a fifth of a step.  Gravity
 * acts on it no longer than that. */
static void gravity_does_not_act_on_a_stopped_body(void)
{
    uint32_t stepper;

    for (stepper = 0; stepper < 4; stepper++) {
        vsp_world_def def = vsp_world_def_default();
        vsp_body_id box;

        test_note("stepper %u", stepper);
        def.stepper = (vsp_stepper)stepper;
        world = new_world_of(&def);
        add_body(world, VSP_STATIC, vsp_half_space(), 0, 0, 0);
        box = shoot_body(vsp_box(real(0.1), real(0.1), real(0.1)),
                         real3(0, 0.2, 0), real3(0, -30, 0), real3(0, 0, 0),
                         false);
        step_world(world, 1);
        CHECK_NEAR(-30.0 - 0.2 * 9.81 / 60,
                   num(vsp_body_velocity(world, box).y), 0.02);
    }
}

/* A body that no bullet hits must fall as if there were none. */
static void others_keep_their_time(void)
{
    double fallen[2];
    uint32_t k, i;

    for (k = 0; k < 2; k++) {
        vsp_body_id cube;

        set_up(-9.81);
        add_ground(world);
        cube = add_cube(world, 20, 30, 0);
        for (i = 0; i < 5; i++)
            shoot_body(vsp_sphere(VSP_R(0.1)), real3(0, 1.0 + i, 0),
                       real3(0, -300, 0), real3(0, 0, 0), k == 1);
        step_world(world, 100);
        fallen[k] = num(vsp_body_center(world, cube).y);
    }
    CHECK_NEAR(fallen[0], fallen[1], 0.0);
}

/* In free flight a bullet must move like any other body. */
static void free_bullets_are_not_slowed(void)
{
    vsp_body_id id;

    set_up(0.0);
    add_body(world, VSP_STATIC, vsp_box(VSP_R(0.05), VSP_R(4.0), VSP_R(4.0)), 0,
             0, 0);
    id = shoot_body(vsp_box(VSP_R(0.2), VSP_R(0.1), VSP_R(0.1)),
                    real3(-9, 5, 0), real3(240, 0, 0), real3(0, 0, 3), true);
    step_world(world, 60);
    CHECK_NEAR(231.0, num(vsp_body_center(world, id).x), 0.01);
}

/* The floor must not slow a bullet that rolls and slides on it. */
static void bullets_slide(void)
{
    vsp_shape_def ball = vsp_sphere(VSP_R(0.1));
    vsp_body_id id;

    ball.material.friction = VSP_R(0.0);
    set_up(-9.81);
    add_ground(world);
    id = shoot_body(ball, real3(-100, 0.1, 0), real3(60, 0, 0), real3(0, 0, 0),
                    true);
    step_world(world, 180);
    CHECK_NEAR(80.0, num(vsp_body_center(world, id).x), 0.1);
    CHECK_NEAR(0.1, num(vsp_body_center(world, id).y), 0.001);
}

/* A shape far from its body's centre of mass spins over ground with more
 * triangles than the budget of one bullet.  The body moves by less than half of
 * its shape, and slowed_count counts it. */
static void too_much_to_meet_slows_a_bullet(void)
{
    uint32_t i;

    for (i = 0; i < 2; i++) {
        vsp_body_def def = vsp_body_def_default();
        vsp_body_id id;
        vsp_vec3 before, after;

        test_note("%s", i == 0 ? "box" : "animal");
        set_up(0.0);
        add_body(world, VSP_STATIC,
                 shape_of(VSP_SHAPE_HEIGHT_FIELD, &field_hills), 0, 0, 0);
        def.type = VSP_DYNAMIC;
        def.is_bullet = true;
        def.shape = i == 0 ? vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5))
                           : shape_of(VSP_SHAPE_SDF, &sdf_animal);
        def.mass = VSP_R(10.0);
        def.inertia = real3(10, 10, 10);
        def.center = real3(-90, 0, 0);
        def.pose.position = real3(0, 12, 0);
        def.spin = real3(0, 0, 490);
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
        before = vsp_body_transform(world, id).position;
        step_world(world, 1);
        after = vsp_body_transform(world, id).position;
        CHECK_UINT(1, vsp_world_stats(world).slowed_count);
        CHECK_UINT(VSP_SPENT_GAPS, vsp_world_stats(world).spent);
        CHECK_AT_MOST(0.26, hypot(num(after.x) - num(before.x),
                                  num(after.y) - num(before.y)));
        CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(0, 0, 0),
                                                   real3(0, 0, 0)));
        step_world(world, 1);
        CHECK_UINT(0, vsp_world_stats(world).slowed_count);
        CHECK_UINT(0, vsp_world_stats(world).spent);
    }
}

/* The search before the solve uses up its part, and damping stops the bullet in
 * the solve. */
static void too_much_before_the_solve_is_told(void)
{
    vsp_world_def setup = vsp_world_def_default();
    vsp_body_def def = vsp_body_def_default();

    setup.dt = VSP_R(0.1);
    setup.gravity = real3(0, 0, 0);
    world = new_world_of(&setup);
    add_body(world, VSP_STATIC, shape_of(VSP_SHAPE_HEIGHT_FIELD, &field_hills),
             0, 0, 0);
    def.type = VSP_DYNAMIC;
    def.is_bullet = true;
    def.shape = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    def.mass = VSP_R(10.0);
    def.inertia = real3(10, 10, 10);
    def.center = real3(-90, 0, 0);
    def.pose.position = real3(0, 12, 0);
    def.spin = real3(0, 0, 60);
    def.angular_damping = VSP_R(1000.0);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
    step_world(world, 1);
    CHECK_UINT(0, vsp_world_stats(world).slowed_count);
    CHECK_UINT(VSP_SPENT_GAPS, vsp_world_stats(world).spent);
}


static const test tests[] = {
    TEST(no_bullet_passes_a_wall),
    TEST(nothing_passes_a_static_wall),
    TEST(no_bullet_passes_a_turning_mesh),
    TEST(no_bullet_passes_a_sleeper),
    TEST(no_shape_passes),
    TEST(bullets_meet_each_other),
    TEST(bullets_bounce),
    TEST(bullets_push),
    TEST(order_does_not_matter),
    TEST(bullets_meet_movers),
    TEST(bullets_meet_slower_ones),
    TEST(no_end_passes_a_post),
    TEST(no_spinning_hull_passes),
    TEST(sensors_stop_no_bullet),
    TEST(a_stop_along_a_face_makes_no_spin),
    TEST(shock_stops_bullets),
    TEST(no_bullet_passes_an_animal),
    TEST(no_animal_passes),
    TEST(a_field_without_spheres_does_not_stop),
    TEST(bullets_slide_on_fields),
    TEST(a_bounce_is_of_the_step_of_impact),
    TEST(random_bullets_bounce_in_their_step),
    TEST(no_lift_puts_a_bullet_under_a_floor),
    TEST(a_slowed_bullet_does_not_run_ahead),
    TEST(a_hit_takes_no_time),
    TEST(a_box_is_pushed_at_once),
    TEST(bullets_bounce_off_movers_at_once),
    TEST(hits_are_late_where_they_may_be),
    TEST(bullets_bounce_off_turning_beams_at_once),
    TEST(third_bodies_do_not_take_part),
    TEST(bullets_do_not_meet_where_they_wait),
    TEST(bullets_on_a_floor_bounce_off_movers_at_once),
    TEST(bullets_bounce_off_each_other_at_once),
    TEST(a_bullet_passes_by),
    TEST(stacks_are_shot),
    TEST(bullets_bounce_as_high_as_they_should),
    TEST(gravity_does_not_act_on_a_stopped_body),
    TEST(others_keep_their_time),
    TEST(free_bullets_are_not_slowed),
    TEST(bullets_slide),
    TEST(too_much_to_meet_slows_a_bullet),
    TEST(too_much_before_the_solve_is_told),
    TEST_END,
};

const test_suite ccd_suite = {"ccd", tests};
