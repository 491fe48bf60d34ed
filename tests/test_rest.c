/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Dropped bodies with many contact points must come to rest: a distance field,
 * a hull of 60 faces, a compound, two capsules, on ground of each sort.  Sleep
 * is off.  A body is at rest if for 2 s, from 8 s on, it is slower than 1 mm/s,
 * by its positions and by its velocity, and its height stays within 0.05 mm.
 * On level ground two of 5,120 drops may take 10 s: a stool that stands on one
 * leg may topple late. */

#include "scene_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "port/geometry/height_field.h"
#include "port/geometry/hull.h"
#include "port/geometry/mesh.h"
#include "port/scenes/tables.h"


/* ---- Numbers ------------------------------------------------------------- */

static uint32_t random_bits;

/* returns -1 to 1 */
static double random_part(void)
{
    random_bits = random_bits * 1664525u + 1013904223u;
    return (double)(random_bits >> 8) / 8388608.0 - 1.0;
}


/* ---- Ground ---------------------------------------------------------------
 */

#define SIDE 17 /* points along a side of the grid, 0.5 m apart */

typedef enum ground {
    PLANE,
    BLOCK,
    LEVEL_MESH,
    LEVEL_FIELD,
    HILLY_MESH,
    HILLY_FIELD,
    GROUNDS
} ground;

static const char *const ground_names[] = {
    "plane", "block", "level mesh", "level field", "hilly mesh", "hilly field"};

typedef struct grid {
    mesh_storage mesh;
    field_storage field;
} grid;

static grid level, hilly;
static hull_storage pebble;
static bool is_made;

static bool make_grid(grid *it, double height)
{
    static double heights[SIDE * SIDE];
    static vec3 points[SIDE * SIDE];
    static uint32_t triangles[2 * SIDE * SIDE][3];
    field_heights numbers = {heights, SIDE, SIDE, false};
    field_options options = {0.5, 0.0005, 0.0, (double)NAN};
    uint32_t i, count = 0;

    for (i = 0; i < SIDE * SIDE; i++) {
        double x = (i % SIDE) * 0.5 - 4.0, z = (double)(i / SIDE) * 0.5 - 4.0;
        uint32_t corners[2][3] = {{i, i + SIDE, i + SIDE + 1},
                                  {i, i + SIDE + 1, i + 1}};

        heights[i] = height * sin(1.3 * x + 0.4) * cos(1.1 * z);
        points[i] = vec_make(x, heights[i], z);
        if (i % SIDE == SIDE - 1 || i / SIDE == SIDE - 1)
            continue;
        memcpy(triangles[count], corners, sizeof corners);
        count += 2;
    }
    return CHECK(!mesh_build(&it->mesh, points, SIDE * SIDE, triangles, count,
                             MESH_LEAF)) &&
           CHECK(!field_build(&it->field, &numbers, &options));
}

/* Makes a hull: corners spread evenly over an ellipsoid, and then displaced a
 * little. */
static bool make_pebble(void)
{
    vec3 points[32];
    uint32_t i;

    random_bits = 1;
    for (i = 0; i < 32; i++) {
        double y = 1.0 - (i + 0.5) / 16.0, r = sqrt(1.0 - y * y);

        points[i].x = 0.35 * (r * cos(2.4 * i) + 0.05 * random_part());
        points[i].y = 0.2 * (y + 0.05 * random_part());
        points[i].z = 0.27 * (r * sin(2.4 * i) + 0.05 * random_part());
    }
    return CHECK(!hull_build(&pebble, points, 32, 1e-5)) &&
           CHECK_UINT(60, pebble.hull.face_count);
}

static bool make_tables(void)
{
    if (!is_made)
        is_made = make_grid(&level, 0.0) && make_grid(&hilly, 0.08) &&
                  make_pebble();
    return is_made;
}

static vsp_shape_def rough(vsp_shape_def def)
{
    def.material.friction = VSP_R(0.8);
    return def;
}

static vsp_shape_def table_shape(vsp_world *world, vsp_shape_type type,
                                 const void *table)
{
    uint32_t number = 0;
    vsp_flaw flaw;

    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, table, &number, &flaw));
    return rough(vsp_table_shape(type, number));
}

static void add_ground_of(vsp_world *world, ground kind)
{
    const grid *it = kind >= HILLY_MESH ? &hilly : &level;
    vsp_shape_def def = rough(vsp_half_space());

    if (kind == BLOCK)
        def = rough(vsp_box(VSP_R(4.0), VSP_R(0.5), VSP_R(4.0)));
    else if (kind == LEVEL_MESH || kind == HILLY_MESH)
        def = table_shape(world, VSP_SHAPE_MESH, &it->mesh.mesh);
    else if (kind != PLANE)
        def = table_shape(world, VSP_SHAPE_HEIGHT_FIELD, &it->field.field);
    add_body(world, VSP_STATIC, def, 0.0, kind == BLOCK ? -0.5 : 0.0, 0.0);
}


/* ---- Bodies ---------------------------------------------------------------
 */

typedef enum thing { ANIMAL, PEBBLE, STOOL, CROSS, THINGS } thing;

static const char *const thing_names[] = {"animal", "pebble", "stool", "cross"};

/* sets a shape's pose in its body: position, and rotation about x and z,
 * degrees */
static vsp_shape_def placed(vsp_shape_def def, double x, double y, double z,
                            double about_x, double about_z)
{
    def = rough(def);
    def.pose.position = real3(x, y, z);
    def.pose.rotation = about_x != 0.0 ? turn(about_x, 1, 0, 0)
                                       : turn(about_z, 0, 0, 1);
    return def;
}

/* Makes eight shapes of four types.  Returns their number. */
static uint32_t make_stool(vsp_world *world, vsp_shape_def *part)
{
    vsp_shape_def leg = vsp_box(VSP_R(0.05), VSP_R(0.15), VSP_R(0.05));
    vsp_shape_def round = vsp_capsule(VSP_R(0.05), VSP_R(0.12));

    part[0] = placed(vsp_box(VSP_R(0.3), VSP_R(0.08), VSP_R(0.2)), 0, 0, 0, 0,
                     0);
    part[1] = placed(leg, 0.25, -0.2, 0.15, 10, 0);
    part[2] = placed(leg, -0.25, -0.2, 0.15, 0, 7);
    part[3] = placed(round, 0.25, -0.2, -0.15, 0, 0);
    part[4] = placed(round, -0.25, -0.2, -0.15, -12, 0);
    part[5] = placed(vsp_sphere(VSP_R(0.12)), 0.38, 0.1, 0, 0, 0);
    part[6] = placed(vsp_capsule(VSP_R(0.04), VSP_R(0.15)), -0.35, 0.1, 0, 0,
                     50);
    part[7] = placed(table_shape(world, VSP_SHAPE_HULL, &pebble.hull), 0, 0.15,
                     0, 0, 20);
    return 8;
}

/* Makes the shapes of a body.  Returns their number. */
static uint32_t make_parts(vsp_world *world, thing kind, vsp_shape_def part[8])
{
    if (kind == STOOL)
        return make_stool(world, part);
    if (kind == CROSS) {
        part[0] = placed(vsp_capsule(VSP_R(0.08), VSP_R(0.3)), 0, 0, 0, 0, 90);
        part[1] = placed(vsp_capsule(VSP_R(0.08), VSP_R(0.25)), 0.05, 0, 0, 90,
                         0);
        return 2;
    }
    part[0] = kind == ANIMAL ? table_shape(world, VSP_SHAPE_SDF, &sdf_animal)
                             : table_shape(world, VSP_SHAPE_HULL, &pebble.hull);
    return 1;
}

/* Adds a body above the ground at a random position, with a random rotation. */
static vsp_body_id add_thing(vsp_world *world, thing kind)
{
    vsp_shape_def part[8];
    uint32_t count = make_parts(world, kind, part), i;
    vsp_body_def def = body_def(VSP_DYNAMIC, part[0], 0.7 * random_part(), 0.9,
                                0.7 * random_part());
    vsp_body_id id = {0};

    def.pose.rotation.x = real(random_part());
    def.pose.rotation.y = real(random_part());
    def.pose.rotation.z = real(random_part());
    def.pose.rotation.w = real(0.3 + 0.5 * random_part());
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    for (i = 1; i < count; i++)
        CHECK_STATUS(VSP_OK, vsp_shape_create(world, id, &part[i], NULL));
    return id;
}


/* ---- Drops ----------------------------------------------------------------
 */

typedef struct fall {
    thing thing;
    ground ground;
    vsp_stepper stepper;
    double dt; /* s */
    uint32_t seed;
} fall;

/* the largest angular velocity, rad/s, and speed, m/s, of bodies at rest since
 * count_of_matrix set them to 0 */
static double worst_spin, worst_speed;

/* drops that are not at rest after 8 s */
static uint32_t late_count;

/* Makes steps for 2 s.  Returns whether speed and heights stay within the
 * bounds. */
static bool stays_still(vsp_world *world, vsp_body_id id, double dt)
{
    vec3 at = vec_from(vsp_body_center(world, id)), last = at;
    double low = at.y, high = at.y, speed = 0.0, spin = 0.0;
    uint32_t i, steps = (uint32_t)(2.0 / dt);

    for (i = 0; i < steps; i++, last = at) {
        step_world(world, 1);
        at = vec_from(vsp_body_center(world, id));
        low = fmin(low, at.y);
        high = fmax(high, at.y);
        speed = fmax(speed, vec_length(vec_sub(at, last)) / dt);
        speed = fmax(speed, vec_length(vec_from(vsp_body_velocity(world, id))));
        spin = fmax(spin, vec_length(vec_from(vsp_body_spin(world, id))));
    }
    if (!(speed < 0.001 && high - low < 0.00005))
        return false;
    worst_spin = fmax(worst_spin, spin);
    worst_speed = fmax(worst_speed, speed);
    return true;
}

static bool comes_to_rest(const fall *it)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world;
    vsp_body_id id;

    def.dt = real(it->dt);
    def.stepper = it->stepper;
    def.enable_sleep = false;
    random_bits = it->seed;
    world = new_world_of(&def);
    add_ground_of(world, it->ground);
    id = add_thing(world, it->thing);
    step_world(world, (uint32_t)(8.0 / it->dt));
    if (stays_still(world, id, it->dt))
        return true;
    late_count++;
    return stays_still(world, id, it->dt);
}

/* Drops a body `drops` times.  Returns how often it is not at rest after 10 s.
 */
static uint32_t count_restless(fall it, uint32_t drops)
{
    uint32_t count = 0;

    for (it.seed = 7919u; drops > 0; drops--, it.seed += 7919u) {
        uint32_t late = late_count;
        bool rests = comes_to_rest(&it);

        count += rests ? 0 : 1u;
        if (late_count > late)
            printf("    %s on %s, stepper %d, dt %g, seed %u: %s\n",
                   thing_names[it.thing], ground_names[it.ground],
                   (int)it.stepper, it.dt, (unsigned)it.seed,
                   rests ? "rests late" : "does not rest");
    }
    return count;
}

static void drops_come_to_rest(void)
{
    uint32_t kind, thing_index;

    late_count = 0;
    for (kind = 0; kind < GROUNDS && make_tables(); kind++)
        for (thing_index = 0; thing_index < THINGS; thing_index++) {
            fall it = {(thing)thing_index, (ground)kind, VSP_STEPPER_CARRY,
                       0.01, 0};

            CHECK_UINT(0, count_restless(it, 2));
        }
    CHECK_UINT(0, late_count);
}

/* Drops each body 20 times in long tests, else body `one` once. */
static uint32_t count_of_things(fall it, uint32_t one)
{
    uint32_t i, count = 0;

    for (i = 0; i < THINGS; i++) {
        it.thing = (thing)i;
        if (is_long() || i == one)
            count += count_restless(it, is_long() ? 20 : 1);
    }
    return count;
}

/* With SHOW=1, prints how fast the bodies that came to rest still move. */
static void show_worst(ground first, uint32_t stepper, double dt)
{
    if (shows())
        printf("    from %s, stepper %u, dt %g: at rest up to %.1e rad/s, "
               "%.1e m/s\n",
               ground_names[first], (unsigned)stepper, dt, worst_spin,
               worst_speed);
}

/* Returns how many drops do not come to rest, over grounds, steppers and dt.  A
 * short test drops one body for each of these; over four grounds, that is each
 * body once for each stepper and dt.  Steps of 1 ms take most of the time: a
 * short test makes them by CARRY alone. */
static uint32_t count_of_matrix(ground first, ground last)
{
    static const double lengths[] = {0.001, 0.004, 0.010, 0.016};
    uint32_t kind, stepper, i, count = 0;

    for (stepper = 0; stepper < 4; stepper++)
        for (i = is_long() || stepper == VSP_STEPPER_CARRY ? 0 : 1;
             i < COUNT_OF(lengths); i++) {
            worst_spin = worst_speed = 0.0;
            for (kind = first; kind <= (uint32_t)last; kind++) {
                fall it = {ANIMAL, (ground)kind, (vsp_stepper)stepper,
                           lengths[i], 0};

                count += count_of_things(it, (kind + stepper + i) % THINGS);
            }
            show_worst(first, stepper, lengths[i]);
        }
    return count;
}

static void drops_on_level_ground_rest(void)
{
    late_count = 0;
    if (make_tables())
        CHECK_UINT(0, count_of_matrix(PLANE, LEVEL_FIELD));
    CHECK_AT_MOST(2, late_count);
}

/* In the long test, of 2,560 drops, some go on rocking or rolling in a
 * hollow. */
static void drops_on_hills_rest(void)
{
    late_count = 0;
    if (make_tables())
        (void)count_of_matrix(HILLY_MESH, HILLY_FIELD);
    CHECK_AT_MOST(is_long() ? TOLERANCE(7, 9) : 0, late_count);
}

/* The potential energy of a resting body, for 10 s.  In the paper's figure 30 a
 * single cow hops: a saw-tooth. */
static void check_hops(vsp_stepper stepper, uint32_t seed)
{
    vsp_world_def def = vsp_world_def_default();
    double low = 1e9, high = -1e9;
    vsp_world *world;
    vsp_body_id id;
    uint32_t i;

    test_note("stepper %d, seed %u", (int)stepper, (unsigned)seed);
    def.stepper = stepper;
    def.enable_sleep = false;
    random_bits = 7919u * seed;
    world = new_world_of(&def);
    add_ground_of(world, PLANE);
    id = add_thing(world, ANIMAL);
    step_world(world, (uint32_t)(8.0 / num(def.dt)));
    for (i = 0; i < 10.0 / num(def.dt); i++) {
        double height;

        step_world(world, 1);
        height = num(vsp_body_center(world, id).y);
        low = fmin(low, height);
        high = fmax(high, height);
    }
    CHECK_AT_MOST(1e-6, (high - low) / high);
}

static void an_animal_at_rest_does_not_hop(void)
{
    uint32_t stepper, seed;

    for (stepper = 0; stepper < 4 && make_tables(); stepper++)
        for (seed = 1; seed <= 4; seed++)
            check_hops((vsp_stepper)stepper, seed);
}

static const test tests[] = {
    TEST_SLOW(drops_come_to_rest),
    TEST(an_animal_at_rest_does_not_hop),
    TEST_LONG(drops_on_level_ground_rest),
    TEST_SLOW(drops_on_hills_rest),
    TEST_END,
};

const test_suite rest_suite = {"rest", tests};
