/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Bodies of other shapes than balls and boxes: hulls shaped like boxes stand as
 * boxes do, round ones roll and come to rest, compounds have the right mass. */

#include "scene_fixture.h"

#include "port/geometry/hull.h"
#include "port/scenes/tables.h"

#include <math.h>
#include <string.h>


/* ---- Boxes made of hulls ------------------------------------------------- */

#define FORMS 24

/* Hulls of boxes of these sizes, made at the first use. */
typedef struct box_forms {
    hull_storage storage[FORMS];
    vsp_vec3 size[FORMS];
    uint32_t count;
} box_forms;

static box_forms forms;

static const vsp_hull *box_form(vsp_vec3 size)
{
    vec3 corners[8];
    uint32_t i;

    for (i = 0; i < forms.count; i++)
        if (memcmp(&forms.size[i], &size, sizeof size) == 0)
            return &forms.storage[i].hull;
    if (!CHECK(forms.count < FORMS))
        return NULL;
    for (i = 0; i < 8; i++) {
        corners[i].x = i & 1 ? num(size.x) : -num(size.x);
        corners[i].y = i & 2 ? num(size.y) : -num(size.y);
        corners[i].z = i & 4 ? num(size.z) : -num(size.z);
    }
    i = forms.count++;
    forms.size[i] = size;
    if (!CHECK(hull_build(&forms.storage[i], corners, 8, 0.0) == NULL))
        return NULL;
    return &forms.storage[i].hull;
}

/* Replaces every box that is not static by a hull. */
static void make_hulls(vsp_world *world)
{
    uint32_t i, table;

    for (i = 0; i < VSP_MAX_SHAPES; i++) {
        vsp_shape_id id = vsp_shape_at(world, i);
        vsp_body_id body = vsp_shape_body(world, id);
        vsp_shape_def def;

        if (id.bits == 0 || vsp_body_get_type(world, body) != VSP_DYNAMIC ||
            vsp_shape_get(world, id, &def) != VSP_OK ||
            def.type != VSP_SHAPE_BOX)
            continue;
        CHECK_STATUS(VSP_OK, vsp_world_add_table(world, box_form(def.size),
                                                 &table, NULL));
        def.type = VSP_SHAPE_HULL;
        def.table = table;
        def.size = real3(0, 0, 0); /* not a scale */
        CHECK_STATUS(VSP_OK, vsp_shape_destroy(world, id));
        CHECK_STATUS(VSP_OK, vsp_shape_create(world, body, &def, NULL));
    }
}

static vec3 start[VSP_MAX_BODIES];

static bool start_hulls(scene_run *run, const char *name)
{
    uint32_t i;

    if (!play_start(run, name))
        return false;
    for (i = 0; i < VSP_MAX_BODIES; i++)
        start[i] = vec_from(
            vsp_body_center(run->world, vsp_body_at(run->world, i)));
    return true;
}

/* Continues a scene of hulls.  Returns the largest distance of a tracked body
 * from its start at the end. */
static double drift_of_hulls(scene_run *run, uint32_t from, uint32_t to)
{
    double farthest = 0;
    uint32_t i;

    for (; from < to; from++) {
        make_hulls(run->world); /* also bodies that appeared later */
        play_steps(run, from, from + 1);
    }
    for (i = 0; i < VSP_MAX_BODIES; i++) {
        vsp_body_id id = vsp_body_at(run->world, i);
        vec3 at = vec_from(vsp_body_center(run->world, id));

        if (vsp_body_user(run->world, id) & SCENE_TRACK)
            farthest = fmax(farthest, vec_length(vec_sub(at, start[i])));
    }
    CHECK_STATUS(VSP_OK, vsp_world_validate(run->world, NULL));
    return farthest;
}

static void stacks_of_hulls_stand(void)
{
    static const char *const names[] = {
        "box-stack",   "wall",  "ball-grid", "heavy-on-light",
        "heavy:10000", "tower", "pyramid"};
    uint32_t count = is_long() ? COUNT_OF(names) : 5, i;
    scene_run run;

    for (i = 0; i < count; i++) {
        test_note("scene %s", names[i]);
        if (start_hulls(&run, names[i]))
            CHECK_AT_MOST(0.0005, drift_of_hulls(&run, 0, 500));
    }
}

/* 800 hulls stand; a roof, also a hull, falls on them from 5 m, and they must
 * carry it. */
static void a_roof_falls_on_hulls(void)
{
    scene_run run;

    if (!start_hulls(&run, "roof-tower"))
        return;
    CHECK_AT_MOST(0.0005, drift_of_hulls(&run, 0, 100));
    CHECK_AT_MOST(0.2, drift_of_hulls(&run, 100, 260));
}

/* Hulls shaped like boxes must land as boxes do. */
static void hulls_land_where_boxes_do(void)
{
    double end[2][5];
    uint32_t k, i;

    for (k = 0; k < 2; k++) {
        vsp_world *world = new_world();
        vsp_body_id ids[5];

        add_ground(world);
        for (i = 0; i < 5; i++)
            ids[i] = add_cube(world, 0.02 * i, 0.5 + 1.01 * i, 0.01 * i);
        if (k == 1)
            make_hulls(world);
        for (i = 0; i < 5; i++)
            CHECK_NEAR(1000.0, num(vsp_body_mass(world, ids[i])), 0.01);
        step_world(world, 300);
        for (i = 0; i < 5; i++)
            end[k][i] = num(vsp_body_center(world, ids[i]).y);
    }
    for (i = 0; i < 5; i++)
        CHECK_NEAR(end[0][i], end[1][i], 0.0005);
}


/* ---- Round ones ---------------------------------------------------------- */

typedef struct round_form {
    const char *name;
    const vsp_hull *hull; /* null: it is a capsule */
} round_form;

static const round_form rounds[] = {
    {"capsule", NULL}, {"prism", &hull_prism}, {"cone", &hull_cone}};

#define ROUNDS 3

static vsp_body_id add_round(vsp_world *world, const round_form *form, double y,
                             vsp_quat rotation)
{
    vsp_shape_def shape = vsp_capsule(VSP_R(0.3), VSP_R(0.4));
    uint32_t table;

    if (form->hull) {
        CHECK_STATUS(VSP_OK,
                     vsp_world_add_table(world, form->hull, &table, NULL));
        shape = vsp_table_shape(VSP_SHAPE_HULL, table);
    }
    return add_turned(world, VSP_DYNAMIC, shape, 0, y, 0, rotation);
}

static double speed_of(const vsp_world *world, vsp_body_id id)
{
    vec3 v = vec_from(vsp_body_velocity(world, id));
    vec3 w = vec_from(vsp_body_spin(world, id));

    return vec_length(v) + 0.5 * vec_length(w);
}

static vsp_world *new_floor(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world;

    def.enable_sleep = false;
    world = new_world_of(&def);
    add_ground(world);
    return world;
}

/* Bodies released just above the floor, in any direction, must lie still after
 * a while. (Damping slows a rolling body, as grass would.) */
static void what_was_dropped_lies_still(void)
{
    uint32_t k, i;

    for (k = 0; k < ROUNDS; k++)
        for (i = 0; i < 8; i++) {
            vsp_world *world = new_floor();
            vsp_body_id id = add_round(world, &rounds[k], 1.0,
                                       turn(13.0 * i + 7.0, 0.6, 0.0, 0.8));

            test_note("%s, turn %u", rounds[k].name, i);
            CHECK_STATUS(VSP_OK, vsp_body_set_damping(world, id, VSP_R(0.0),
                                                      VSP_R(1.0)));
            step_world(world, 900);
            CHECK_AT_MOST(0.001, speed_of(world, id));
            CHECK(num(vsp_body_center(world, id).y) > 0.1);
        }
}

/* Lying and standing bodies: after 5 s none may have moved. */
static void what_lies_still_does_not_move(void)
{
    static const struct {
        uint32_t form;
        double y, degrees;
    } poses[] = {
        {0, 0.3, 90},
        {1, 0.5, 0},
        {1, 0.495722, 90},
        {2, 0.5, 0},
    };
    uint32_t i, step;

    for (i = 0; i < sizeof poses / sizeof poses[0]; i++) {
        vsp_world *world = new_floor();
        vsp_body_id id = add_round(world, &rounds[poses[i].form], poses[i].y,
                                   turn(poses[i].degrees, 0, 0, 1));
        double high = 0;

        test_note("%s, pose %u", rounds[poses[i].form].name, i);
        step_world(world, 300);
        for (step = 0; step < 60; step++) {
            step_world(world, 1);
            high = fmax(high, speed_of(world, id));
        }
        CHECK_AT_MOST(0.001, high);
    }
}

/* A capsule must roll until something stops it, without a hop. */
static void capsules_roll(void)
{
    vsp_world *world = new_floor();
    vsp_body_id id = add_round(world, &rounds[0], 0.3, turn(90, 1, 0, 0));
    double high = 0;
    uint32_t i;

    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(1.5, 0, 0),
                                               real3(0, 0, -5)));
    for (i = 0; i < 300; i++) {
        step_world(world, 1);
        high = fmax(high, fabs(num(vsp_body_velocity(world, id).y)));
    }
    CHECK_AT_MOST(0.001, high);
    CHECK_NEAR(7.5, num(vsp_body_center(world, id).x), 0.05);
    CHECK_NEAR(1.5, num(vsp_body_velocity(world, id).x), 0.01);
}

/* A prism that stands and spins must keep spinning in its place. */
static void prisms_spin(void)
{
    vsp_world *world = new_floor();
    vsp_body_id id = add_round(world, &rounds[1], 0.5, turn(0, 0, 1, 0));
    double high = 0;
    uint32_t i;

    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(0, 0, 0),
                                               real3(0, 4, 0)));
    for (i = 0; i < 300; i++) {
        step_world(world, 1);
        high = fmax(high, fabs(num(vsp_body_velocity(world, id).y)));
    }
    CHECK_AT_MOST(0.001, high);
    CHECK_NEAR(0.5, num(vsp_body_center(world, id).y), 0.001);
    CHECK_AT_MOST(0.001, speed_of(world, id));
}


/* ---- Mass ---------------------------------------------------------------- */

/* A capsule must have the mass and inertia of its cylinder and half balls. */
static void capsules_weigh(void)
{
    double r = 0.3, h = 0.4, pi = 3.14159265358979;
    double cylinder = 1000 * pi * r * r * 2 * h;
    double balls = 1000 * 4.0 / 3.0 * pi * r * r * r;
    double about_y = cylinder * r * r / 2 + balls * 0.4 * r * r;
    double about_x = cylinder * (r * r / 4 + h * h / 3) +
                     balls * (0.4 * r * r + h * h + 0.75 * r * h);
    vsp_world *world = new_world();
    vsp_body_id id = add_body(world, VSP_DYNAMIC,
                              vsp_capsule(VSP_R(0.3), VSP_R(0.4)), 0, 0, 0);

    CHECK_NEAR(cylinder + balls, num(vsp_body_mass(world, id)), 0.01);
    CHECK_STATUS(VSP_OK, vsp_body_apply_angular_impulse(
                             world, id, real3(about_x, about_y, about_x)));
    CHECK_NEAR(1.0, num(vsp_body_spin(world, id).x), 1e-4);
    CHECK_NEAR(1.0, num(vsp_body_spin(world, id).y), 1e-4);
    CHECK_NEAR(1.0, num(vsp_body_spin(world, id).z), 1e-4);
}

/* A wedge's centre of mass is not its frame's origin, and its principal axes
 * are not its frame's: pushed at the centre it must not turn, and in free
 * flight it must keep its angular momentum. */
static void wedges_have_their_own_axes(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world;
    uint32_t table;
    vsp_body_id id;
    vsp_vec3 center, before, after;

    def.gravity = real3(0, 0, 0);
    world = new_world_of(&def);
    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, &hull_wedge, &table, NULL));
    id = add_body(world, VSP_DYNAMIC, vsp_table_shape(VSP_SHAPE_HULL, table), 0,
                  0, 0);
    center = vsp_body_center(world, id);
    CHECK(fabs(num(center.x)) + fabs(num(center.y)) > 0.1);
    CHECK_STATUS(VSP_OK,
                 vsp_body_apply_impulse(world, id, real3(100, 50, 20), center));
    CHECK_NEAR(0.0, num(vsp_body_spin(world, id).x), 1e-4);
    CHECK_NEAR(0.0, num(vsp_body_spin(world, id).z), 1e-4);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(0, 0, 0),
                                               real3(1, 2, 3)));
    before = vsp_body_center(world, id);
    step_world(world, 120);
    after = vsp_body_center(world, id);
    CHECK_NEAR(num(before.x), num(after.x), 1e-3);
    CHECK(fabs(num(vsp_body_spin(world, id).x) - 1.0) > 0.01);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}


/* ---- Snapshots ----------------------------------------------------------- */

/* A snapshot holds the numbers of tables.  A world with the same tables must
 * accept it, and any other must refuse it. */
static void tables_go_with_snapshots(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *one = new_world(), *two;
    uint32_t table, i;
    size_t size;

    add_ground(one);
    CHECK_STATUS(VSP_OK, vsp_world_add_table(one, &hull_wedge, &table, NULL));
    add_body(one, VSP_DYNAMIC, vsp_table_shape(VSP_SHAPE_HULL, table), 0, 2, 0);
    add_body(one, VSP_DYNAMIC, vsp_capsule(VSP_R(0.3), VSP_R(0.4)), 0.2, 1, 0);
    step_world(one, 40);
    size = save_world(one, 0);
    two = new_world_at(&def, 1, 0);
    CHECK_STATUS(VSP_ERR_TABLE, vsp_world_restore(two, saved(0), size));
    CHECK_STATUS(VSP_OK, vsp_world_add_table(two, &hull_box, &table, NULL));
    CHECK_STATUS(VSP_ERR_TABLE, vsp_world_restore(two, saved(0), size));
    two = new_world_at(&def, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_world_add_table(two, &hull_wedge, &table, NULL));
    CHECK_STATUS(VSP_OK, vsp_world_restore(two, saved(0), size));
    for (i = 0; i < 60; i++) {
        step_world(one, 1);
        step_world(two, 1);
        CHECK_HEX(vsp_world_hash(one), vsp_world_hash(two));
    }
}


static const test tests[] = {
    TEST_SLOW(stacks_of_hulls_stand),
    TEST_LONG(a_roof_falls_on_hulls),
    TEST(hulls_land_where_boxes_do),
    TEST(what_was_dropped_lies_still),
    TEST(what_lies_still_does_not_move),
    TEST(capsules_roll),
    TEST(prisms_spin),
    TEST(capsules_weigh),
    TEST(wedges_have_their_own_axes),
    TEST(tables_go_with_snapshots),
    TEST_END,
};

const test_suite shapes_suite = {"shapes", tests};
