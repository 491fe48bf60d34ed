/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Height fields that change: balls over craters, lifts, holes; the same motion
 * as on a table with the same heights; queries, bullets and sleep; tiles and
 * their limits; refused calls; snapshots, replays, rollback. */

#include "port/scenes/tables.h"
#include "scene_fixture.h"
#include "src/record/record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#if VSP_FIELD_EDITS

#define STEP (1.0 / 60.0)
#define COLUMNS 33 /* 0.25 m apart: x within 4 m, z within 2 m */
#define ROWS 17
#define MIDDLE_COLUMN 16
#define MIDDLE_ROW 8
#define UNIT 1024 /* heights in a metre */
#define RADIUS 0.2

static int16_t level[COLUMNS * ROWS], other_heights[COLUMNS * ROWS];
static const vsp_height_field ground = {
    VSP_TABLE_HEIGHT_FIELD, COLUMNS, ROWS, VSP_PLACE / 4,
    VSP_PLACE / UNIT,       0,       0,    level};
static vsp_world *world;
static vsp_shape_id terrain;


/* ---- Worlds -------------------------------------------------------------- */

static vsp_shape_id shape_of(vsp_body_id id)
{
    return vsp_shape_at(
        world, world->bodies[vsp__slot_of_id(id.bits)].first_shape - 1u);
}

static vsp_shape_id add_field(const void *table)
{
    uint32_t number = 0;
    vsp_body_id id;

    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, table, &number, NULL));
    id = add_body(world, VSP_STATIC,
                  vsp_table_shape(VSP_SHAPE_HEIGHT_FIELD, number), 0, 0, 0);
    return shape_of(id);
}

static vsp_world *begin_on(vsp_stepper stepper, const void *table)
{
    vsp_world_def def = vsp_world_def_default();

    def.stepper = stepper;
    def.dt = real(STEP);
    world = new_world_of(&def);
    terrain = add_field(table);
    return world;
}

static vsp_world *begin_world(vsp_stepper stepper)
{
    return begin_on(stepper, &ground);
}

/* Sets a rectangle around the middle to one height, m, or to holes.  Its first
 * column and row are 1 - half from the middle, so all that lies within half - 1
 * cells is level. */
static vsp_status set_square(vsp_shape_id shape, int half, double height)
{
    int16_t heights[VSP_MAX_FIELD_EDIT];
    uint32_t side = (uint32_t)(2 * half);

    for (uint32_t i = 0; i < side * side; i++)
        heights[i] = (int16_t)(isnan(height) ? VSP_HOLE
                                             : floor(height * UNIT + 0.5));
    return vsp_field_set_heights(world, shape, (uint32_t)(MIDDLE_COLUMN - half),
                                 (uint32_t)(MIDDLE_ROW - half), side, side,
                                 heights);
}

static vsp_body_id add_ball(double x, double y, double z)
{
    return add_body(world, VSP_DYNAMIC, vsp_sphere(real(RADIUS)), x, y, z);
}

static double height_of(vsp_body_id id)
{
    return num(vsp_body_transform(world, id).position.y);
}


/* ---- Motion -------------------------------------------------------------- */

/* A crater is dug under a ball that sleeps; the ball lies in it afterwards, and
 * a crate far away still sleeps. */
static void check_crater(vsp_stepper stepper)
{
    vsp_body_id ball, crate;

    (void)begin_world(stepper);
    ball = add_ball(-0.1, RADIUS, -0.1);
    crate = add_body(world, VSP_DYNAMIC,
                     vsp_box(real(0.2), real(0.2), real(0.2)), 3, 0.2, 0);
    step_world(world, 60);
    CHECK(!VSP_SLEEP || !vsp_body_is_awake(world, ball));
    CHECK(!VSP_SLEEP || !vsp_body_is_awake(world, crate));
    CHECK_STATUS(VSP_OK, set_square(terrain, 4, -0.5));
    CHECK(vsp_body_is_awake(world, ball));
    CHECK(!VSP_SLEEP || !vsp_body_is_awake(world, crate));
    step_world(world, 10);
    CHECK_NEAR(RADIUS - 0.5 * 9.81 * 100.0 / 3600.0, height_of(ball), 0.02);
    step_world(world, 80);
    CHECK_NEAR(RADIUS - 0.5, height_of(ball), 0.002);
    CHECK_NEAR(0.2, height_of(crate), 0.002);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

static void balls_fall_into_craters(void)
{
    each_stepper(check_crater);
}

#if VSP_SCALES

/* Adds a field of a scale, and returns its shape. */
static vsp_shape_id add_scaled_field(const void *table, double x, double y,
                                     double z)
{
    vsp_shape_def def;
    uint32_t number = 0;

    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, table, &number, NULL));
    def = vsp_table_shape(VSP_SHAPE_HEIGHT_FIELD, number);
    def.size = real3(x, y, z);
    return shape_of(add_body(world, VSP_STATIC, def, 0, 0, 0));
}

/* On a field that is mirrored and three times as wide, a crater is at x = -6,
 * where column 16 + 8 is, and has twice its depth. */
static void check_scaled_crater(vsp_stepper stepper)
{
    static const int16_t depth = -UNIT / 4;
    vsp_world_def def = vsp_world_def_default();
    int16_t heights[64];
    vsp_body_id ball, other;

    def.stepper = stepper;
    def.dt = real(STEP);
    world = new_world_of(&def);
    terrain = add_scaled_field(&ground, -3, 2, 3);
    ball = add_ball(-6, RADIUS, 0);
    other = add_ball(6, RADIUS, 0);
    step_world(world, 120);
    for (int i = 0; i < 64; i++)
        heights[i] = depth;
    CHECK_STATUS(VSP_OK,
                 vsp_field_set_heights(world, terrain, 20, 4, 8, 8, heights));
    CHECK(vsp_body_is_awake(world, ball));
    CHECK(!VSP_SLEEP || !vsp_body_is_awake(world, other));
    step_world(world, 90);
    CHECK_NEAR(RADIUS - 0.5, height_of(ball), 0.002);
    CHECK_NEAR(RADIUS, height_of(other), 0.002);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

static void craters_are_scaled(void)
{
    each_stepper(check_scaled_crater);
}

#endif /* VSP_SCALES */

/* Ground that rises by 2 cm a step lifts a crate; then it is lowered. */
static void check_lift(vsp_stepper stepper)
{
    vsp_body_id crate;

    (void)begin_world(stepper);
    crate = add_body(world, VSP_DYNAMIC,
                     vsp_box(real(0.2), real(0.2), real(0.2)), -0.1, 0.2, -0.1);
    for (int i = 1; i <= 25; i++) {
        CHECK_STATUS(VSP_OK, set_square(terrain, 4, 0.02 * i));
        step_world(world, 1);
    }
    step_world(world, 40);
    CHECK_NEAR(0.7, height_of(crate), 0.01);
    CHECK_STATUS(VSP_OK, set_square(terrain, 4, 0));
    CHECK_UINT(0, world->tile_count);
    step_world(world, 60);
    CHECK_NEAR(0.2, height_of(crate), 0.002);
}

static void ground_lifts_crates(void)
{
    each_stepper(check_lift);
}

static void check_hole(vsp_stepper stepper)
{
    vsp_body_id ball;

    (void)begin_world(stepper);
    ball = add_ball(-0.1, RADIUS, -0.1);
    CHECK_STATUS(VSP_OK, set_square(terrain, 3, (double)NAN));
    step_world(world, 60);
    CHECK_AT_MOST(-2.0, height_of(ball));
}

static void balls_fall_through_holes(void)
{
    each_stepper(check_hole);
}

static int16_t wave(uint32_t column, uint32_t row)
{
    return (int16_t)(UNIT * 0.2 * sin(0.9 * column) * cos(0.7 * row));
}

static void fill_heap(vsp_body_id id[10])
{
    for (int i = 0; i < 10; i++)
        id[i] = i % 2 == 0
                    ? add_ball(0.4 * (i % 4) - 0.6, 0.6 + 0.3 * (i / 4), 0.1)
                    : add_body(world, VSP_DYNAMIC,
                               vsp_box(real(0.2), real(0.15), real(0.25)),
                               0.4 * (i % 4) - 0.5, 0.6 + 0.3 * (i / 4), -0.3);
}

/* Bodies move on a changed field exactly as on a table of the same heights.
 * That table's highest height is the field's. */
static void check_same(vsp_stepper stepper)
{
    vsp_height_field same = ground;
    vsp_transform changed[10];
    vsp_body_id id[10];
    int16_t heights[8];

    (void)begin_world(stepper);
    memset(other_heights, 0, sizeof other_heights);
    for (uint32_t row = 2; row < 14; row++) {
        for (uint32_t i = 0; i < 8; i++)
            heights[i] = other_heights[row * COLUMNS + 13 + i] = wave(13 + i,
                                                                      row);
        CHECK_STATUS(VSP_OK, vsp_field_set_heights(world, terrain, 13, row, 8,
                                                   1, heights));
    }
    CHECK_UINT(4, world->tile_count);
    fill_heap(id);
    step_world(world, 40);
    CHECK(check_replays(world, 10));
    for (int i = 0; i < 10; i++)
        changed[i] = vsp_body_transform(world, id[i]);
    same.heights = other_heights;
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        same.low = other_heights[i] < same.low ? other_heights[i] : same.low;
        same.high = other_heights[i] > same.high ? other_heights[i] : same.high;
    }
    (void)begin_on(stepper, &same);
    fill_heap(id);
    step_world(world, 50);
    for (int i = 0; i < 10; i++) {
        vsp_transform pose = vsp_body_transform(world, id[i]);

        CHECK(memcmp(&pose, &changed[i], sizeof pose) == 0);
    }
}

static void changed_ground_is_as_a_table(void)
{
    each_stepper(check_same);
}

#if VSP_CCD

/* A bullet stops at a ridge that the table does not have. */
static void bullets_hit_new_ridges(void)
{
    static const int16_t ridge[10] = {2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT,
                                      2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT,
                                      2 * UNIT, 2 * UNIT};
    vsp_body_def def = body_def(VSP_DYNAMIC, vsp_sphere(real(0.05)), -3, 1, 0);
    vsp_body_id id;

    (void)begin_world(VSP_STEPPER_PGS);
    CHECK_STATUS(VSP_OK, vsp_field_set_heights(world, terrain, MIDDLE_COLUMN,
                                               MIDDLE_ROW - 5, 1, 10, ridge));
    def.velocity = real3(300, 0, 0);
    def.is_bullet = true;
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    step_world(world, 3);
    CHECK_AT_MOST(0.1, num(vsp_body_transform(world, id).position.x));
}

#endif

#if VSP_QUERIES

static double ray_height(double x, double z)
{
    vsp_hit hit;

    CHECK_STATUS(VSP_OK, vsp_ray_cast(world, real3(x, 10, z), real3(0, -20, 0),
                                      NULL, &hit));
    return hit.shape.bits == terrain.bits ? num(hit.point.y) : -100;
}

/* Rays and closest points see the new ground, also above the old bounds. */
static void queries_see_changes(void)
{
    vsp_hit hit;

    (void)begin_world(VSP_STEPPER_PGS);
    CHECK_NEAR(0, ray_height(0.1, 0.1), 1e-3);
    CHECK_STATUS(VSP_OK, set_square(terrain, 3, 3));
    CHECK_NEAR(3, ray_height(0.1, 0.1), 1e-3);
    CHECK_NEAR(0, ray_height(2.1, 0.1), 1e-3);
    CHECK_STATUS(VSP_OK, vsp_closest_point(world, real3(0.1, 3.5, 0.1), real(1),
                                           NULL, &hit));
    CHECK_NEAR(3, num(hit.point.y), 1e-3);
    CHECK_STATUS(VSP_OK, set_square(terrain, 3, -1));
    CHECK_NEAR(-1, ray_height(0.1, 0.1), 1e-3);
    CHECK_STATUS(VSP_OK, set_square(terrain, 3, (double)NAN));
    CHECK_NEAR(-100, ray_height(0.1, 0.1), 1e-3);
}

#endif

#if VSP_MATERIALS

/* Half of the ground becomes ice under a sliding crate. */
static void cells_change_their_material(void)
{
    static const vsp_table_material ice = {
        VSP_PLACE / 100, 0, 0, 0, {0, 0, 0}, VSP_RULE_MIN, VSP_RULE_MAX};
    static const uint8_t none[(COLUMNS - 1) * (ROWS - 1)];
    static const vsp_field_materials with = {{VSP_TABLE_FIELD_MATERIALS,
                                              COLUMNS, ROWS, VSP_PLACE / 4,
                                              VSP_PLACE / UNIT, 0, 0, level},
                                             {1, 0, &ice, none}};
    uint8_t cells[64], got[(COLUMNS - 1) * (ROWS - 1)], large[1] = {2};
    vsp_body_id id[2];

    (void)begin_on(VSP_STEPPER_PGS, &with);
    memset(cells, 1, sizeof cells);
    for (uint32_t i = 0; i < 4; i++)
        CHECK_STATUS(VSP_OK, vsp_field_set_materials(world, terrain, 8 * i, 8,
                                                     8, 8, cells));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_field_set_materials(world, terrain, 0, 0, 1, 1, large));
    CHECK_REFUSED(
        VSP_ERR_ARG,
        vsp_field_set_materials(world, terrain, COLUMNS - 1, 0, 1, 1, cells));
    CHECK_STATUS(VSP_OK, vsp_field_get_materials(world, terrain, 0, 0,
                                                 COLUMNS - 1, ROWS - 1, got));
    for (int i = 0; i < (COLUMNS - 1) * (ROWS - 1); i++)
        CHECK_UINT(i >= 8 * (COLUMNS - 1), got[i]);
    for (int i = 0; i < 2; i++) {
        id[i] = add_body(world, VSP_DYNAMIC,
                         vsp_box(real(0.2), real(0.1), real(0.2)), -2, 0.1,
                         i == 0 ? -1 : 1);
        CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id[i], real3(1, 0, 0),
                                                   real3(0, 0, 0)));
    }
    step_world(world, 6);
    CHECK_NEAR(1 - 0.5 * 9.81 * 0.1, num(vsp_body_velocity(world, id[0]).x),
               0.02);
    CHECK_NEAR(1 - 0.01 * 9.81 * 0.1, num(vsp_body_velocity(world, id[1]).x),
               0.005);
    CHECK(check_replays(world, 10));
}

#endif


/* ---- Tiles --------------------------------------------------------------- */

static int16_t height_at(vsp_shape_id shape, uint32_t column, uint32_t row)
{
    int16_t height = 12345;

    CHECK_STATUS(VSP_OK, vsp_field_get_heights(world, shape, column, row, 1, 1,
                                               &height));
    return height;
}

/* Reads back what was set, across the borders of tiles and at the edges. */
static void heights_are_read_back(void)
{
    int16_t heights[64], got[COLUMNS * ROWS];
    static const uint32_t at[][4] = {
        {5, 6, 8, 8}, {0, 0, 1, 1}, {25, 15, 8, 2}, {32, 9, 1, 8}};

    (void)begin_world(VSP_STEPPER_PGS);
    memset(other_heights, 0, sizeof other_heights);
    for (uint32_t i = 0; i < COUNT_OF(at); i++) {
        for (uint32_t k = 0; k < at[i][2] * at[i][3]; k++) {
            heights[k] = (int16_t)(100 * i + k + 1);
            other_heights[(at[i][1] + k / at[i][2]) * COLUMNS + at[i][0] +
                          k % at[i][2]] = heights[k];
        }
        CHECK_STATUS(VSP_OK,
                     vsp_field_set_heights(world, terrain, at[i][0], at[i][1],
                                           at[i][2], at[i][3], heights));
        CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    }
    CHECK_STATUS(VSP_OK, vsp_field_get_heights(world, terrain, 0, 0, COLUMNS,
                                               ROWS, got));
    CHECK(memcmp(got, other_heights, sizeof got) == 0);
    CHECK_UINT(0, (uint32_t)level[6 * COLUMNS + 5]);
}

/* Two shapes share a table, and differ; with its shape the tiles go. */
static void shapes_have_their_own_tiles(void)
{
    int16_t height = 77;
    vsp_shape_id second;

    (void)begin_world(VSP_STEPPER_PGS);
    second = add_field(&ground);
    CHECK_STATUS(VSP_OK,
                 vsp_field_set_heights(world, second, 9, 9, 1, 1, &height));
    height = 55;
    CHECK_STATUS(VSP_OK,
                 vsp_field_set_heights(world, terrain, 20, 9, 1, 1, &height));
    CHECK_UINT(2, world->tile_count);
    CHECK_UINT(0, (uint32_t)height_at(terrain, 9, 9));
    CHECK_UINT(77, (uint32_t)height_at(second, 9, 9));
    CHECK_UINT(55, (uint32_t)height_at(terrain, 20, 9));
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    CHECK_STATUS(VSP_OK, vsp_shape_destroy(world, terrain));
    CHECK_UINT(1, world->tile_count);
    CHECK_UINT(77, (uint32_t)height_at(second, 9, 9));
    CHECK_STATUS(VSP_OK,
                 vsp_body_destroy(world, vsp_shape_body(world, second)));
    CHECK_UINT(0, world->tile_count);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

/* A tile of each 8 x 8 heights, until there are no more. */
static void full_tiles_are_refused(void)
{
    int16_t one[2] = {1, 1}, zero = 0;
    uint32_t count = 0;

    (void)begin_world(VSP_STEPPER_PGS);
    for (uint32_t i = 0; i < 15 && count < VSP_MAX_FIELD_TILES; i++, count++)
        CHECK_STATUS(VSP_OK, vsp_field_set_heights(world, terrain, i % 5 * 8,
                                                   i / 5 * 8, 1, 1, one));
    CHECK_UINT(VSP_MAX_FIELD_TILES < 15 ? VSP_MAX_FIELD_TILES : 15,
               world->tile_count);
    if (VSP_MAX_FIELD_TILES >= 15)
        return;
    CHECK_REFUSED(VSP_ERR_FULL,
                  vsp_field_set_heights(world, terrain, 32, 16, 1, 1, one));
    CHECK_STATUS(VSP_OK,
                 vsp_field_set_heights(world, terrain, 32, 16, 1, 1, &zero));
    CHECK_STATUS(VSP_OK,
                 vsp_field_set_heights(world, terrain, 1, 0, 2, 1, one));
    CHECK_STATUS(VSP_OK,
                 vsp_field_set_heights(world, terrain, 8, 0, 1, 1, &zero));
    CHECK_STATUS(VSP_OK,
                 vsp_field_set_heights(world, terrain, 32, 16, 1, 1, one));
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

#define REFUSE(status, ...) \
    CHECK_REFUSED(status, vsp_field_set_heights(__VA_ARGS__))

static void bad_changes_are_refused(void)
{
    static int16_t heights[128];
    static uint8_t cells[64];
    vsp_shape_id none = {0}, box;
    vsp_height_field coarse = ground;

    (void)begin_world(VSP_STEPPER_PGS);
    box = shape_of(add_ball(0, 5, 0));
    step_world(world, 2);
    heights[3] = 1;
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_field_set_heights(NULL, terrain, 0, 0, 4, 4, heights));
    REFUSE(VSP_ERR_ID, world, none, 0, 0, 4, 4, heights);
    REFUSE(VSP_ERR_ARG, world, box, 0, 0, 4, 4, heights);
    REFUSE(VSP_ERR_ARG, world, terrain, 0, 0, 4, 4, NULL);
    REFUSE(VSP_ERR_ARG, world, terrain, 0, 0, 0, 4, heights);
    REFUSE(VSP_ERR_ARG, world, terrain, 0, 0, 4, 0, heights);
    REFUSE(VSP_ERR_ARG, world, terrain, 0, 0, 13, 5, heights);
    REFUSE(VSP_ERR_ARG, world, terrain, COLUMNS - 3, 0, 4, 4, heights);
    REFUSE(VSP_ERR_ARG, world, terrain, 0, ROWS - 3, 4, 4, heights);
    REFUSE(VSP_ERR_ARG, world, terrain, 0xffffffffu, 0, 4, 4, heights);
    REFUSE(VSP_ERR_ARG, world, terrain, 0, 0xfffffffeu, 4, 4, heights);
    REFUSE(VSP_ERR_ARG, world, terrain, 0, 0, 0x80000001u, 2, heights);
    REFUSE(VSP_ERR_ARG, world, terrain, 0, 0, 2, 0x80000001u, heights);
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_field_set_materials(world, terrain, 0, 0, 4, 4, cells));
    CHECK_STATUS(VSP_ERR_ID,
                 vsp_field_get_heights(world, none, 0, 0, 4, 4, heights));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_field_get_heights(world, terrain, 30, 0, 4, 4, heights));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_field_get_materials(world, terrain, 32, 0, 1, 1, cells));
    coarse.step = VSP_PLACE;
    terrain = add_field(&coarse);
    heights[3] = 101;
    REFUSE(VSP_ERR_ARG, world, terrain, 0, 0, 4, 4, heights);
    heights[3] = -101;
    REFUSE(VSP_ERR_ARG, world, terrain, 0, 0, 4, 4, heights);
    heights[3] = 100;
    CHECK_STATUS(VSP_OK,
                 vsp_field_set_heights(world, terrain, 0, 0, 4, 4, heights));
}

#if VSP_SCALES
/* Scaled heights, too, are at most 100 m. */
static void heights_too_high_once_scaled_are_refused(void)
{
    static int16_t heights[16];
    vsp_height_field coarse = ground;

    (void)begin_world(VSP_STEPPER_PGS);
    coarse.step = VSP_PLACE;
    terrain = add_scaled_field(&coarse, 1, 4, 1);
    heights[3] = 26;
    REFUSE(VSP_ERR_ARG, world, terrain, 0, 0, 4, 4, heights);
    heights[3] = 25;
    CHECK_STATUS(VSP_OK,
                 vsp_field_set_heights(world, terrain, 0, 0, 4, 4, heights));
}
#endif

#if VSP_SHELLS

/* Ground may not cross a sheet. */
static void ground_stops_at_shells(void)
{
    uint32_t number = 0;
    vsp_shape_def sheet;

    (void)begin_world(VSP_STEPPER_PGS);
    CHECK_STATUS(VSP_OK,
                 vsp_world_add_table(world, &shell_plate, &number, NULL));
    sheet = vsp_table_shape(VSP_SHAPE_SHELL, number);
    (void)add_body(world, VSP_DYNAMIC, sheet, 0, 1, 0);
    CHECK_STATUS(VSP_OK, set_square(terrain, 3, 0.5));
    CHECK_REFUSED(VSP_ERR_OVERLAP, set_square(terrain, 3, 1));
    CHECK_REFUSED(VSP_ERR_OVERLAP, set_square(terrain, 3, 1.5));
    CHECK_STATUS(VSP_OK, set_square(terrain, 3, (double)NAN));
    CHECK_REFUSED(VSP_ERR_OVERLAP, set_square(terrain, 3, 1.5));
    CHECK_STATUS(VSP_OK, set_square(terrain, 2, 0));
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

#if VSP_JOINTS

/* Ground may cross a sheet that is joined to it, from the call that makes the
 * joint to the call that destroys it. */
static void ground_passes_joined_shells(void)
{
    vsp_joint_def def = vsp_joint_def_default();
    uint32_t number = 0;
    vsp_body_id sheet;
    vsp_joint_id joint;

    (void)begin_world(VSP_STEPPER_PGS);
    CHECK_STATUS(VSP_OK,
                 vsp_world_add_table(world, &shell_plate, &number, NULL));
    sheet = add_body(world, VSP_DYNAMIC,
                     vsp_table_shape(VSP_SHAPE_SHELL, number), 0, 1, 0);
    CHECK_STATUS(VSP_ERR_OVERLAP, set_square(terrain, 3, 1.5));
    def.type = VSP_JOINT_BALL;
    def.body_a = vsp_shape_body(world, terrain);
    def.body_b = sheet;
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, &joint));
    CHECK_STATUS(VSP_OK, set_square(terrain, 3, 1.5));
    CHECK_STATUS(VSP_OK, set_square(terrain, 3, 0));
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, joint));
    CHECK_STATUS(VSP_ERR_OVERLAP, set_square(terrain, 3, 1.5));
}

#endif
#endif


/* ---- State --------------------------------------------------------------- */

/* A tile is 50 words at the end: shape and column, row, 32 words of heights, 16
 * of materials. */
static void bad_tiles_are_refused(void)
{
    static unsigned char bytes[VSP_SNAPSHOT_BYTES];
    static const uint32_t bad[][2] = {
        {50, 0x00030001u}, /* of a shape that does not exist */
        {50, 0x00050000u}, /* a column beyond the field */
        {49, 3u},          /* a row beyond it */
        {49, 0x10000u},    /* a large row */
        {1, 1u},           /* a material that the table does not have */
        {48 - 4, 0},       /* nothing that differs from the table */
    };
    int16_t height = 9;
    uint32_t hash;
    size_t size;

    (void)begin_world(VSP_STEPPER_PGS);
    CHECK_STATUS(VSP_OK,
                 vsp_field_set_heights(world, terrain, 24, 9, 1, 1, &height));
    CHECK_STATUS(VSP_OK, vsp_world_snapshot(world, bytes, sizeof bytes, &size));
    hash = vsp_world_hash(world);
    CHECK_HEX(0x00030000u, vsp__get_word(bytes + size - 200u));
    for (uint32_t i = 0; i < COUNT_OF(bad); i++) {
        uint32_t word = vsp__get_word(bytes + size - 4u * bad[i][0]);

        test_note("word %u", bad[i][0]);
        damage_snapshot(bytes, size, bad[i][0], bad[i][1]);
        CHECK_STATUS(VSP_ERR_DATA, vsp_world_restore(world, bytes, size));
        CHECK_HEX(hash, vsp_world_hash(world));
        damage_snapshot(bytes, size, bad[i][0], word);
    }
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, bytes, size));
    CHECK_HEX(hash, vsp_world_hash(world));
    world->tiles[0].high = 8;
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
}

/* Heights beyond the field are 0, and tiles are in order. */
static void bad_orders_are_refused(void)
{
    static unsigned char bytes[VSP_SNAPSHOT_BYTES];
    int16_t height = 9;
    size_t size;

    (void)begin_world(VSP_STEPPER_PGS);
    CHECK_STATUS(VSP_OK,
                 vsp_field_set_heights(world, terrain, 8, 0, 1, 1, &height));
    CHECK_STATUS(VSP_OK,
                 vsp_field_set_heights(world, terrain, 32, 0, 1, 1, &height));
    CHECK_STATUS(VSP_OK, vsp_world_snapshot(world, bytes, sizeof bytes, &size));
    damage_snapshot(bytes, size, 48, 0x10000u | 9u);
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_restore(world, bytes, size));
    damage_snapshot(bytes, size, 48, 9u);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, bytes, size));
    damage_snapshot(bytes, size, 50, 0x10000u); /* the same tile twice */
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_restore(world, bytes, size));
    damage_snapshot(bytes, size, 50, 0u); /* the second before the first */
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_restore(world, bytes, size));
    damage_snapshot(bytes, size, 50, 0x20000u);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, bytes, size));
}

#if VSP_DIFF

static void differences_name_heights(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_difference d[4];
    vsp_world *other;
    uint32_t count, number;
    size_t size;

    (void)begin_world(VSP_STEPPER_CARRY);
    CHECK_STATUS(VSP_OK, set_square(terrain, 2, 0.25));
    size = save_world(world, 0);
    other = new_world_at(&def, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_world_add_table(other, &ground, &number, NULL));
    CHECK_STATUS(VSP_OK, vsp_world_restore(other, saved(0), size));
    CHECK_HEX(vsp_world_hash(world), vsp_world_hash(other));
    CHECK_STATUS(VSP_OK, vsp_world_diff(world, other, d, 4, &count));
    other->tiles[1].heights[63] = 5;
    CHECK_STATUS(VSP_DIVERGED, vsp_world_diff(world, other, d, 4, &count));
    CHECK_UINT(1, count);
    CHECK(strcmp(d[0].part, "tile") == 0);
    CHECK(strcmp(d[0].field, "heights") == 0);
    CHECK_UINT(1, d[0].index);
    CHECK_UINT(63, d[0].component);
    CHECK(vsp_world_hash(world) != vsp_world_hash(other));
}

#endif

#if VSP_REPLAY

/* A recorded change makes the same state again. */
static void check_replay(vsp_stepper stepper)
{
    static unsigned char film[60000];
    vsp_record_def def = {0};
    vsp_recorder recorder;
    vsp_player player;
    int16_t heights[64];
    uint32_t hash, number;
    vsp_world_def empty = vsp_world_def_default();
    size_t size;

    (void)begin_world(stepper);
    (void)add_ball(-0.1, RADIUS, -0.1);
    def.buffer = film;
    def.capacity = sizeof film;
    CHECK_STATUS(VSP_OK, vsp_record_begin(&recorder, world, &def));
    for (uint32_t i = 0; i < 64; i++)
        heights[i] = (int16_t)(-(int)(10 * i));
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(VSP_OK, vsp_record_step(&recorder));
        CHECK_STATUS(VSP_OK, vsp_record_field_set_heights(&recorder, terrain,
                                                          12, (uint32_t)(4 + i),
                                                          8, 8, heights));
    }
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_field_set_heights(
                                  &recorder, terrain, 12, 4, 9, 8, heights));
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_field_set_heights(&recorder, terrain,
                                                           12, 4, 8, 8, NULL));
    for (int i = 0; i < 10; i++)
        CHECK_STATUS(VSP_OK, vsp_record_step(&recorder));
    CHECK_STATUS(VSP_OK, vsp_record_end(&recorder, &size));
    hash = vsp_world_hash(world);
    world = new_world_at(&empty, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, &ground, &number, NULL));
    CHECK_STATUS(VSP_OK, vsp_play_begin(&player, world, film, size));
    for (int i = 0; i < 13; i++)
        CHECK_STATUS(VSP_OK, vsp_play_step(&player));
    CHECK_HEX(hash, vsp_world_hash(world));
}

static void replays_dig_again(void)
{
    each_stepper(check_replay);
}

#endif

#if VSP_ROLLBACK

static vsp_world *build_match(vsp_stepper stepper)
{
    (void)begin_world(stepper);
    for (int i = 0; i < 3; i++)
        (void)add_ball(0.5 * i - 0.6, RADIUS, 0.1);
    return world;
}

static vsp_status dig_step(void *user, vsp_recorder *r, const vsp_turn *turn)
{
    vsp_shape_id shape = vsp_shape_at(r->world, 0);
    int16_t heights[9];

    (void)user;
    for (uint32_t p = 0; p < 2; p++)
        for (uint32_t i = 0; turn->inputs[p] > 0 && i < 9; i++) {
            heights[i] = (int16_t)(-8 * turn->inputs[p]);
            if (i == 8)
                CHECK_STATUS(VSP_OK,
                             vsp_record_field_set_heights(r, shape, 11 + 5 * p,
                                                          7, 3, 3, heights));
        }
    return vsp_record_step(r);
}

static unsigned char dig_input(uint32_t player, uint32_t step)
{
    return step % 17 == 3 + 7 * player ? (unsigned char)(1u + step % 31u) : 0;
}

static void rollback_fills_craters(void)
{
    static const late_match match = {build_match, dig_step, dig_input, 80};

    check_late_matches(&match);
}

#endif

static const test tests[] = {
    TEST(balls_fall_into_craters),
#if VSP_SCALES
    TEST(craters_are_scaled),
#endif
    TEST(ground_lifts_crates),
    TEST(balls_fall_through_holes),
    TEST(changed_ground_is_as_a_table),
#if VSP_CCD
    TEST(bullets_hit_new_ridges),
#endif
#if VSP_QUERIES
    TEST(queries_see_changes),
#endif
#if VSP_MATERIALS
    TEST(cells_change_their_material),
#endif
    TEST(heights_are_read_back),
    TEST(shapes_have_their_own_tiles),
    TEST(full_tiles_are_refused),
    TEST(bad_changes_are_refused),
#if VSP_SCALES
    TEST(heights_too_high_once_scaled_are_refused),
#endif
#if VSP_SHELLS
    TEST(ground_stops_at_shells),
#if VSP_JOINTS
    TEST(ground_passes_joined_shells),
#endif
#endif
    TEST(bad_tiles_are_refused),
    TEST(bad_orders_are_refused),
#if VSP_DIFF
    TEST(differences_name_heights),
#endif
#if VSP_REPLAY
    TEST(replays_dig_again),
#endif
#if VSP_ROLLBACK
    TEST(rollback_fills_craters),
#endif
    TEST_END,
};

#else

static const test tests[] = {TEST_END};

#endif /* VSP_FIELD_EDITS */

const test_suite field_suite = {"field", tests};
