/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Bodies must slide and roll over flat ground in the same way on every sort of
 * ground: one half-space or one box, boxes or hulls side by side, shapes of one
 * body, triangles of a mesh, cells of a height or distance field. */

#include "fixture.h"

#include "port/geometry/height_field.h"
#include "port/geometry/hull.h"
#include "port/geometry/mesh.h"
#include "port/geometry/sdf.h"

#include <math.h>
#include <string.h>

/* ---- Floors -------------------------------------------------------------- */

/* From x = -5 to 155 m, and at least 2 m to both sides; tops are at y = 0. */
#define COLUMNS 161
#define ROWS 5
#define TILES 80u

enum { PLANE, BLOCK, BOXES, HULLS, SHAPES, MESH, FIELD, DISTANCES, FLOORS };

static const char *const floor_names[] = {
    "half-space",       "one box", "boxes",        "hulls",
    "shapes of a body", "mesh",    "height field", "distance field"};

static mesh_storage level_mesh;
static field_storage level_field;
static sdf_storage slab; /* a table is at most 64 m long */
static hull_storage tile, cube;
static bool is_made;

static const char *make_grids(void)
{
    static double heights[COLUMNS * ROWS];
    static vec3 points[COLUMNS * ROWS];
    static uint32_t triangles[2 * COLUMNS * ROWS][3];
    field_heights numbers = {heights, COLUMNS, ROWS, false};
    field_options options = {1.0, 0.0005, 0.0, (double)NAN};
    uint32_t i, count = 0;
    const char *error;

    for (i = 0; i < COLUMNS * ROWS; i++) {
        uint32_t corners[2][3] = {{i, i + COLUMNS, i + COLUMNS + 1},
                                  {i, i + COLUMNS + 1, i + 1}};

        points[i] = vec_make((double)(i % COLUMNS) - 80.0, 0.0,
                             (double)(i / COLUMNS) - 2.0);
        if (i % COLUMNS == COLUMNS - 1 || i / COLUMNS == ROWS - 1)
            continue;
        memcpy(triangles[count], corners, sizeof corners);
        count += 2;
    }
    error = mesh_build(&level_mesh, points, COLUMNS * ROWS, triangles, count,
                       MESH_LEAF);
    return error ? error : field_build(&level_field, &numbers, &options);
}

/* A field without spheres: those of static ground would be bumps. */
static const char *make_slab(double x, double y, double z)
{
    static const uint32_t quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5},
                                         {0, 1, 5, 4}, {2, 6, 7, 3},
                                         {0, 2, 3, 1}, {4, 5, 7, 6}};
    sdf_options options = sdf_options_default();
    uint32_t triangles[12][3], i, k;
    vec3 points[8];

    for (i = 0; i < 8; i++)
        points[i] = vec_make(i & 1u ? x : -x, i & 2u ? y : -y, i & 4u ? z : -z);
    for (i = 0; i < 12; i++)
        for (k = 0; k < 3; k++)
            triangles[i][k] = quads[i / 2][k > 0 ? k + i % 2 : 0];
    options.cells = 112;
    options.spheres = 0;
    return sdf_build(&slab, points, 8, triangles, 12, &options);
}

static const char *make_brick(hull_storage *out, double x, double y, double z)
{
    vec3 points[8];
    uint32_t i;

    for (i = 0; i < 8; i++)
        points[i] = vec_make(i & 1u ? x : -x, i & 2u ? y : -y, i & 4u ? z : -z);
    return hull_build(out, points, 8, 1e-5);
}

static bool make_tables(void)
{
    if (!is_made)
        is_made = CHECK(!make_grids()) && CHECK(!make_slab(28.0, 2.0, 2.0)) &&
                  CHECK(!make_brick(&tile, 1.0, 0.5, 2.0)) &&
                  CHECK(!make_brick(&cube, 0.2, 0.2, 0.2));
    return is_made;
}

static vsp_world *world;
static double friction;

static vsp_shape_def shape_of(vsp_shape_type type, const void *contents)
{
    uint32_t table = 0;

    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, contents, &table, NULL));
    return vsp_table_shape(type, table);
}

static vsp_body_id lay_shape(vsp_shape_def shape, double x, double y)
{
    shape.material.friction = real(friction);
    return add_body(world, VSP_STATIC, shape, x, y, 0.0);
}

/* tiles of 2 m side by side */
static void lay_tiles(vsp_shape_def shape)
{
    uint32_t i;

    for (i = 0; i < TILES; i++)
        lay_shape(shape, 2.0 * i - 4.0, -0.5);
}

static void lay_shapes(vsp_shape_def shape)
{
    vsp_body_id id = lay_shape(shape, -4.0, -0.5);
    uint32_t i;

    shape.material.friction = real(friction);
    for (i = 1; i < TILES; i++) {
        shape.pose.position.x = real(2.0 * i);
        CHECK_STATUS(VSP_OK, vsp_shape_create(world, id, &shape, NULL));
    }
}

static void lay_floor(uint32_t kind)
{
    vsp_shape_def box = vsp_box(VSP_R(1.0), VSP_R(0.5), VSP_R(2.0));

    switch (kind) {
    case PLANE:
        lay_shape(vsp_half_space(), 0.0, 0.0);
        break;
    case BLOCK:
        lay_shape(vsp_box(VSP_R(80.0), VSP_R(1.0), VSP_R(2.0)), 75.0, -1.0);
        break;
    case BOXES:
        lay_tiles(box);
        break;
    case HULLS:
        lay_tiles(shape_of(VSP_SHAPE_HULL, &tile.hull));
        break;
    case SHAPES:
        lay_shapes(box);
        break;
    case MESH:
        lay_shape(shape_of(VSP_SHAPE_MESH, &level_mesh.mesh), 75.0, 0.0);
        break;
    case FIELD:
        lay_shape(shape_of(VSP_SHAPE_HEIGHT_FIELD, &level_field.field), 75.0,
                  0.0);
        break;
    default:
        lay_shape(shape_of(VSP_SHAPE_SDF, &slab.sdf), 24.0, -2.0);
    }
}


/* ---- Sliders ------------------------------------------------------------- */

enum { BOX, BALL, LOG, ROLLER, HULL, SLIDERS };

static const char *const slider_names[] = {"box", "ball", "capsule along x",
                                           "capsule along z", "hull"};

typedef struct slide {
    uint32_t slider;
    bool is_bullet;
    double friction;
    double speed; /* m/s, along x */
    double lift;  /* height above its position at rest, m */
    double dt;
    vsp_stepper stepper;
    bool has_edges; /* a world without enable_seams */
} slide;

static vsp_body_id add_slider(const slide *it)
{
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id id = {0};

    def.type = VSP_DYNAMIC;
    def.is_bullet = it->is_bullet;
    def.pose.position = real3(0.0, 0.2 + it->lift, 0.0);
    def.velocity = real3(it->speed, 0.0, 0.0);
    if (it->slider == BOX)
        def.shape = vsp_box(VSP_R(0.2), VSP_R(0.2), VSP_R(0.2));
    else if (it->slider == BALL)
        def.shape = vsp_sphere(VSP_R(0.2));
    else if (it->slider == HULL)
        def.shape = shape_of(VSP_SHAPE_HULL, &cube.hull);
    else
        def.shape = vsp_capsule(VSP_R(0.2), VSP_R(0.3));
    if (it->slider == LOG)
        def.pose.rotation = turn(90, 0, 0, 1);
    if (it->slider == ROLLER)
        def.pose.rotation = turn(90, 1, 0, 0);
    def.shape.material.friction = real(it->friction);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    return id;
}

typedef struct slide_end {
    double x, speed;
    double low, high; /* least and largest height of the path, m */
} slide_end;

/* Slides for a second, or for a way, m. */
static slide_end slide_on(uint32_t kind, const slide *it, double way)
{
    vsp_world_def def = vsp_world_def_default();
    slide_end end = {0.0, 0.0, 1e9, -1e9};
    double time = fmin(1.0, way / it->speed);
    vsp_body_id id;
    uint32_t i;

    def.dt = real(it->dt);
    def.stepper = it->stepper;
    def.enable_seams = !it->has_edges;
    friction = it->friction;
    world = new_world_of(&def);
    lay_floor(kind);
    id = add_slider(it);
    for (i = 0; i < (uint32_t)(time / it->dt); i++) {
        double y;

        step_world(world, 1);
        y = num(vsp_body_center(world, id).y);
        end.low = fmin(end.low, y);
        end.high = fmax(end.high, y);
    }
    end.x = num(vsp_body_center(world, id).x);
    end.speed = num(vsp_body_velocity(world, id).x);
    return end;
}

static void check_floor(uint32_t kind, const slide *it, const slide_end *want,
                        double way)
{
    slide_end got = slide_on(kind, it, way);

    test_note("%s%s on %s, %g m/s, friction %g, %g mm too high, steps of %g s, "
              "stepper %d",
              slider_names[it->slider], it->is_bullet ? " (a bullet)" : "",
              floor_names[kind], it->speed, it->friction, 1000.0 * it->lift,
              it->dt, (int)it->stepper);
    CHECK_NEAR(want->x, got.x, 0.01 * want->x);
    CHECK_NEAR(want->speed, got.speed, 0.01 * it->speed);
    CHECK_NEAR(want->high, got.high, 0.002);
    CHECK_NEAR(want->low, got.low, 0.002);
}

static void check_floors(const slide *it)
{
    slide_end want = slide_on(PLANE, it, 100.0);
    uint32_t kind;

    for (kind = BLOCK; kind < DISTANCES; kind++)
        check_floor(kind, it, &want, 100.0);
    want = slide_on(PLANE, it, 45.0);
    check_floor(DISTANCES, it, &want, 45.0);
}

/* at 10, 30, 60 and 120 m/s, with and without friction */
static void check_speeds(slide it)
{
    static const double speeds[] = {10.0, 30.0, 60.0, 120.0};
    uint32_t i;

    for (i = 0; i < 8; i++) {
        it.speed = speeds[i / 2];
        it.friction = i % 2 != 0 ? 0.5 : 0.0;
        check_floors(&it);
    }
}

static void check_sliders(double lift, double dt, bool are_bullets)
{
    slide it = {0};

    if (!make_tables())
        return;
    it.lift = lift;
    it.dt = dt;
    it.is_bullet = are_bullets;
    it.stepper = vsp_world_def_default().stepper;
    for (it.slider = 0; it.slider < SLIDERS; it.slider++)
        check_speeds(it);
}

static void floors_have_no_seams(void)
{
    check_sliders(0.0, 1.0 / 60.0, false);
}

static void floors_have_no_seams_for_bullets(void)
{
    check_sliders(0.0, 1.0 / 60.0, true);
}

/* Heights with noise, and steps that do not fit the tiles.  LONG=1 tests all of
 * them, and bullets. */
static void floors_have_no_seams_from_noise(void)
{
    static const double lifts[] = {0.0003, -0.0001, -0.0002, 0.003};
    static const double steps[] = {0.0123, 1.0 / 60.0, 0.0071, 0.004};
    uint32_t i;

    for (i = 0; i < (is_long() ? 8 : 2); i++)
        check_sliders(lifts[i % 4], steps[i % 4], i >= 4);
}

static void floors_have_no_seams_in_any_stepper(void)
{
    slide it = {0};
    uint32_t i;

    if (!make_tables())
        return;
    it.dt = 1.0 / 60.0;
    for (i = 0; i < 4 * SLIDERS * 2; i++) {
        it.stepper = (vsp_stepper)(i % 4);
        it.slider = i / 4 % SLIDERS;
        it.is_bullet = i / 4 >= SLIDERS;
        it.speed = 30.0;
        it.friction = 0.5;
        check_floors(&it);
    }
}

static void a_world_may_do_without_seams(void)
{
    slide it = {0};
    vsp_world_def def = vsp_world_def_default();

    it.dt = 1.0 / 60.0;
    it.speed = 35.0;
    it.friction = 0.5;
    it.slider = BALL;
    it.stepper = def.stepper;
    CHECK_AT_MOST(0.201, slide_on(BOXES, &it, 100.0).high);
    it.has_edges = true;
    CHECK_AT_LEAST(0.3,
                   slide_on(BOXES, &it, 100.0).high); /* an edge throws it up */
    def.subspace.search = 32; /* the bit of this setting in the state */
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_world_create(arena(1), ARENA_BYTES, &def, &world));
}


/* ---- Edges that are no seams --------------------------------------------- */

static vsp_body_id slide_at(uint32_t slider, bool is_bullet, double speed)
{
    slide it = {0};

    it.slider = slider;
    it.is_bullet = is_bullet;
    it.speed = speed;
    return add_slider(&it);
}

/* The tile beyond x = 2 is higher, and must stop sliders. */
static void steps_stop(double height)
{
    uint32_t i;

    for (i = 0; i < 2 * SLIDERS; i++) {
        vsp_world_def def = vsp_world_def_default();
        double half = i / 2 == LOG ? 0.5 : 0.2;
        vsp_body_id id;

        test_note("%s%s at a step of %g m", slider_names[i / 2],
                  i % 2 ? " (a bullet)" : "", height);
        world = new_world_of(&def);
        friction = 0.0;
        lay_shape(vsp_box(VSP_R(1.5), VSP_R(0.5), VSP_R(2.0)), 0.5, -0.5);
        lay_shape(vsp_box(VSP_R(1.0), VSP_R(0.5), VSP_R(2.0)), 3.0,
                  height - 0.5);
        id = slide_at(i / 2, i % 2 != 0, 5.0);
        step_world(world, 60);
        CHECK_NEAR(2.0 - half, num(vsp_body_center(world, id).x), 0.02);
        CHECK_AT_MOST(0.2, num(vsp_body_velocity(world, id).x));
    }
}

static void walls_stop(void)
{
    if (make_tables())
        steps_stop(1.0);
}

/* A kerb of 2 mm, ten times the width of touching, must stop boxes and
 * hulls. */
static void kerbs_stop_boxes(void)
{
    uint32_t i;

    for (i = 0; i < 4 && make_tables(); i++) {
        vsp_world_def def = vsp_world_def_default();
        vsp_body_id id;

        world = new_world_of(&def);
        friction = 0.0;
        lay_shape(vsp_box(VSP_R(1.5), VSP_R(0.5), VSP_R(2.0)), 0.5, -0.5);
        lay_shape(vsp_box(VSP_R(1.0), VSP_R(0.5), VSP_R(2.0)), 3.0, -0.498);
        id = slide_at(i < 2 ? BOX : HULL, i % 2 != 0, 1.0);
        test_note("%s%s", i < 2 ? "box" : "hull", i % 2 ? " (a bullet)" : "");
        step_world(world, 180);
        CHECK_AT_MOST(1.83, num(vsp_body_center(world, id).x));
    }
}

/* A floor carries nothing beyond its end. */
static void floors_end(void)
{
    uint32_t i;

    for (i = 0; i < 2 * SLIDERS && make_tables(); i++) {
        vsp_world_def def = vsp_world_def_default();
        vsp_body_id id;

        test_note("%s%s", slider_names[i / 2], i % 2 ? " (a bullet)" : "");
        world = new_world_of(&def);
        friction = 0.0;
        lay_shape(vsp_box(VSP_R(1.0), VSP_R(0.5), VSP_R(2.0)), 0.0, -0.5);
        lay_shape(vsp_box(VSP_R(1.0), VSP_R(0.5), VSP_R(2.0)), 2.0, -0.5);
        id = slide_at(i / 2, i % 2 != 0, 10.0);
        step_world(world, 60);
        CHECK_NEAR(10.0, num(vsp_body_center(world, id).x), 0.3);
        CHECK_AT_MOST(-0.9, num(vsp_body_center(world, id).y));
    }
}

/* Two tiles that meet in a ridge, 20 degrees down to both sides, carry a box
 * that comes over it: it tips, and does not sink in. */
static void ridges_bear(void)
{
    uint32_t i;

    for (i = 0; i < 2 * SLIDERS && make_tables(); i++) {
        vsp_world_def def = vsp_world_def_default();
        vsp_body_def ramp = vsp_body_def_default();
        double angle = 20.0, radians = angle * 3.14159265358979 / 180.0;
        double deepest = 0.0;
        vsp_body_id id;
        uint32_t k;

        test_note("%s%s", slider_names[i / 2], i % 2 ? " (a bullet)" : "");
        world = new_world_of(&def);
        friction = 0.0;
        lay_shape(vsp_box(VSP_R(1.0), VSP_R(0.5), VSP_R(2.0)), 0.0, -0.5);
        ramp.shape = vsp_box(VSP_R(5.0), VSP_R(0.5), VSP_R(2.0));
        ramp.shape.material.friction = 0;
        ramp.pose.rotation = turn(-angle, 0, 0, 1);
        ramp.pose.position = real3(
            1.0 + 5.0 * cos(radians) - 0.5 * sin(radians),
            -5.0 * sin(radians) - 0.5 * cos(radians), 0.0);
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &ramp, NULL));
        id = slide_at(i / 2, i % 2 != 0, 1.0);
        for (k = 0; k < 120; k++) {
            vsp_vec3 at;
            double height;

            step_world(world, 1);
            at = vsp_body_center(world, id);
            height = (num(at.x) - 1.0) * sin(radians) +
                     num(at.y) * cos(radians);
            if (num(at.x) > 1.2)
                deepest = fmax(deepest, 0.2 - height);
        }
        CHECK_AT_LEAST(2.0, num(vsp_body_center(world, id).x));
        CHECK_AT_MOST(0.003, deepest);
    }
}


static const test tests[] = {
    TEST_SLOW(floors_have_no_seams),
    TEST_SLOW(floors_have_no_seams_for_bullets),
    TEST_SLOW(floors_have_no_seams_from_noise),
    TEST_SLOW(floors_have_no_seams_in_any_stepper),
    TEST(a_world_may_do_without_seams),
    TEST(walls_stop),
    TEST(kerbs_stop_boxes),
    TEST(floors_end),
    TEST(ridges_bear),
    TEST_END,
};

const test_suite floor_suite = {"floor", tests};
