/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Materials of triangles and cells: what mechanics says of boxes that slide
 * from one to another, of balls that bounce, roll and ride on them; which
 * material a manifold has; flaws of tables; state. */

#include "port/geometry/mesh.h"
#include "port/scenes/tables.h"
#include "scene_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#if VSP_MATERIALS && VSP_MESHES && VSP_HEIGHT_FIELDS

#define G 9.81
#define STEP (1.0 / 60.0)
#define COLUMNS 21 /* of heights, 0.5 m apart: x within 5 m, z within 1 m */
#define ROWS 5
#define CELLS ((COLUMNS - 1) * (ROWS - 1))
#define HALF_SLAB 0.1
#define HALF_HEIGHT 0.02

enum { ICE = 1, RUBBER, STEEL, CARPET, BELT, PALETTE = BELT };

static vsp_table_material palette[PALETTE];
static uint8_t cells[CELLS], triangles_of[2 * CELLS];
static int16_t heights[COLUMNS * ROWS];
static vsp_field_materials ground;
static vsp_mesh_materials mesh;
static mesh_storage mesh_room;
static vsp_world *world;
static bool on_mesh, is_mirrored;


/* ---- Ground -------------------------------------------------------------- */

static int32_t places(double x)
{
    return (int32_t)floor(x * VSP_PLACE + 0.5);
}

static void set_palette(void)
{
    memset(palette, 0, sizeof palette);
    palette[ICE - 1].friction = places(0.05);
    palette[RUBBER - 1].friction = places(0.6);
    palette[STEEL - 1].restitution = places(0.8);
    palette[CARPET - 1].friction = places(0.5);
    palette[CARPET - 1].rolling_friction = VSP_ROLLING ? places(0.005) : 0;
    palette[BELT - 1].friction = places(0.5);
    palette[BELT - 1].surface_velocity.x = VSP_BELTS ? places(1.5) : 0;
    for (int i = 0; i < PALETTE; i++) {
        palette[i].friction_rule = VSP_RULE_MIN;
        palette[i].restitution_rule = VSP_RULE_MAX;
    }
}

static void set_map(vsp_table_materials *of, const uint8_t *bytes)
{
    of->count = PALETTE;
    of->reserved = 0;
    of->palette = palette;
    of->of = bytes;
}

static void make_field(void)
{
    memset(&ground, 0, sizeof ground);
    ground.field.kind = VSP_TABLE_FIELD_MATERIALS;
    ground.field.columns = COLUMNS;
    ground.field.rows = ROWS;
    ground.field.cell = VSP_PLACE / 2;
    ground.field.step = VSP_PLACE / 1000;
    ground.field.heights = heights;
    set_map(&ground.materials, cells);
}

/* Makes a mesh of the cells, each of two triangles. */
static void make_mesh(void)
{
    static vec3 points[COLUMNS * ROWS];
    static uint32_t triangles[2 * CELLS][3];
    static uint8_t bytes[2 * CELLS];
    uint32_t count = 0;

    mesh_free(&mesh_room);
    for (int i = 0; i < COLUMNS * ROWS; i++)
        points[i] = vec_make(0.5 * (i % COLUMNS) - 5, 0,
                             0.5 * (i / COLUMNS) - 1);
    for (uint32_t i = 0; i < CELLS; i++) {
        uint32_t a = i / (COLUMNS - 1) * COLUMNS + i % (COLUMNS - 1);
        uint32_t b = a + COLUMNS;
        uint32_t quad[2][3] = {{a, b, b + 1}, {a, b + 1, a + 1}};

        memcpy(triangles[count], quad, sizeof quad);
        bytes[count] = bytes[count + 1] = cells[i];
        count += 2;
    }
    CHECK(mesh_build_materials(&mesh_room, points, COLUMNS * ROWS, triangles,
                               bytes, count, MESH_LEAF) == NULL);
    mesh.mesh = mesh_room.mesh;
    mesh.mesh.kind = VSP_TABLE_MESH_MATERIALS;
    memcpy(triangles_of, mesh_room.materials, sizeof triangles_of);
    set_map(&mesh.materials, triangles_of);
}

/* Gives the cells below x = 0 one material, the others another. */
static void paint(uint8_t below, uint8_t above)
{
    set_palette();
    for (int i = 0; i < CELLS; i++)
        cells[i] = i % (COLUMNS - 1) < (COLUMNS - 1) / 2 ? below : above;
    make_field();
    make_mesh();
}

static vsp_shape_def ground_shape(void)
{
    const void *table = on_mesh ? (const void *)&mesh : (const void *)&ground;
    vsp_shape_def def;
    uint32_t number = 0;

    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, table, &number, NULL));
    def = vsp_table_shape(on_mesh ? VSP_SHAPE_MESH : VSP_SHAPE_HEIGHT_FIELD,
                          number);
    if (is_mirrored)
        def.size = real3(-1, 1, 1);
    return def;
}

static vsp_body_id begin_world_of(vsp_stepper stepper, double dt)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_shape_def shape;

    def.stepper = stepper;
    def.dt = real(dt);
    def.gravity = real3(0, -G, 0);
    def.enable_sleep = false;
    world = new_world_of(&def);
    shape = ground_shape();
    shape.material.friction = real(0.3);
    return add_body(world, VSP_STATIC, shape, 0, 0, 0);
}

static vsp_body_id begin_world(vsp_stepper stepper)
{
    return begin_world_of(stepper, STEP);
}

/* Runs a check on a field and on a mesh. */
static void on_both(vsp_stepper stepper, void (*check)(vsp_stepper))
{
    on_mesh = false;
    check(stepper);
    on_mesh = true;
    check(stepper);
}

static vsp_body_id add_slider(double x, double v)
{
    vsp_shape_def shape = vsp_box(real(HALF_SLAB), real(HALF_HEIGHT),
                                  real(HALF_SLAB));
    vsp_body_id id;

    shape.material.friction = real(1);
    id = add_body(world, VSP_DYNAMIC, shape, x, HALF_HEIGHT, 0.3);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(v, 0, 0),
                                               real3(0, 0, 0)));
    return id;
}

static double x_of(vsp_body_id id)
{
    return num(vsp_body_transform(world, id).position.x);
}

static double speed_of(vsp_body_id id)
{
    return num(vsp_body_velocity(world, id).x);
}


/* ---- Motion -------------------------------------------------------------- */

/* A slab goes from ice to rubber: v^2 / 2 = g (mu s + mu' s'), where each way
 * is that of its centre, as the share of its load on the rubber grows evenly.
 * Eight points can share a load in many ways; and friction, which acts below
 * the centre, presses the front down: 6 mm of the way. */
static void check_slide(vsp_stepper stepper)
{
    double start = -2, v = 3, far;
    double left = v * v - 2 * G * 0.05 * -start;
    vsp_body_id id;

    (void)begin_world_of(stepper, 1.0 / 240);
    id = add_slider(start, v);
    step_world(world, 400);
    far = left / (2 * G * 0.6) - 0.5 * sqrt(left) / 240;
    if (shows())
        printf("stepper %d: stops at %g of %g, %g aside\n", (int)stepper,
               x_of(id), far,
               num(vsp_body_transform(world, id).position.z) - 0.3);
    CHECK_NEAR(0, speed_of(id), 1e-3);
    CHECK_NEAR(far, x_of(id), 0.01);
    CHECK_NEAR(0.3, num(vsp_body_transform(world, id).position.z), 4e-3);
}

static void check_slides(vsp_stepper stepper)
{
    on_both(stepper, check_slide);
}

static void slabs_slide_from_ice_to_rubber(void)
{
    paint(ICE, RUBBER);
    each_stepper(check_slides);
}

#if VSP_SCALES
/* In a mirror each triangle and cell keeps its material. */
static void slabs_slide_in_a_mirror(void)
{
    paint(RUBBER, ICE);
    is_mirrored = true;
    check_slides(VSP_STEPPER_PGS);
    is_mirrored = false;
}
#endif

/* The material 0 is that of the shape, here with the rule of the geometric
 * mean: sqrt(0.3 * 1). */
static void check_own(vsp_stepper stepper)
{
    double v = 2, far = v * v / (2 * G * sqrt(0.3));
    vsp_body_id id;

    (void)begin_world(stepper);
    id = add_slider(1, v);
    step_world(world, 60);
    CHECK_NEAR(1 + far - 0.5 * v * STEP, x_of(id), 0.005);
}

static void check_owns(vsp_stepper stepper)
{
    on_both(stepper, check_own);
}

static void material_0_is_that_of_the_shape(void)
{
    paint(ICE, 0);
    each_stepper(check_owns);
}

static double highest_after_bounce(vsp_body_id id)
{
    double most = 0;
    bool has_risen = false;

    for (int i = 0; i < 90; i++) {
        step_world(world, 1);
        has_risen = has_risen || num(vsp_body_velocity(world, id).y) > 0;
        if (has_risen)
            most = fmax(most, num(vsp_body_transform(world, id).position.y));
    }
    return most;
}

/* Dropped from h, a ball rises to e^2 h on steel, and not at all on ice. */
static void check_bounce(vsp_stepper stepper)
{
    vsp_shape_def ball = vsp_sphere(real(0.1));
    vsp_body_id low, high;

    (void)begin_world(stepper);
    low = add_body(world, VSP_DYNAMIC, ball, -1.3, 1.1, 0.2);
    high = add_body(world, VSP_DYNAMIC, ball, 1.3, 1.1, 0.2);
    CHECK_NEAR(0.1 + 0.64, highest_after_bounce(high), 0.03);
    CHECK_NEAR(0.1, num(vsp_body_transform(world, low).position.y), 1e-3);
}

static void check_bounces(vsp_stepper stepper)
{
    on_both(stepper, check_bounce);
}

static void balls_bounce_on_steel(void)
{
    paint(ICE, STEEL);
    each_stepper(check_bounces);
}

#if VSP_ROLLING

/* A ball rolls v^2 / 2 * 7/5 r / (g mu) on the carpet, and on the floor before
 * it as fast as it came. */
static void check_roll(vsp_stepper stepper)
{
    double r = 0.25, v = 1, far = 0.7 * v * v / (G * 0.005 / r);
    vsp_body_id id;

    (void)begin_world(stepper);
    id = add_body(world, VSP_DYNAMIC, vsp_sphere(real(r)), -2, r, 0.3);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(v, 0, 0),
                                               real3(0, 0, -v / r)));
    while (x_of(id) < -0.02)
        step_world(world, 1);
    CHECK_NEAR(v, speed_of(id), 0.002);
    step_world(world, 440);
    if (shows())
        printf("stepper %d: rolls %g of %g\n", (int)stepper, x_of(id), far);
    CHECK_NEAR(0, speed_of(id), 1e-3);
    CHECK_NEAR(far, x_of(id), 0.01 * far + v * STEP);
}

static void check_rolls(vsp_stepper stepper)
{
    on_both(stepper, check_roll);
}

static void balls_roll_to_a_stop_on_carpet(void)
{
    paint(0, CARPET);
    each_stepper(check_rolls);
}

#endif

#if VSP_BELTS

/* A slab on a belt becomes as fast as the belt after v / (mu g); the belt moves
 * along the axes of the shape. */
static void check_ride(vsp_stepper stepper)
{
    vsp_body_id id, base;

    base = begin_world(stepper);
    id = add_slider(1, 0);
    step_world(world, 12);
    CHECK_NEAR(0.5 * G * 12 * STEP, speed_of(id), 0.02);
    step_world(world, 30);
    CHECK_NEAR(1.5, speed_of(id), 0.005);
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, id));
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, base));
    (void)add_turned(world, VSP_STATIC, ground_shape(), 0, 0, 0,
                     turn(90, 0, 1, 0));
    id = add_body(world, VSP_DYNAMIC, vsp_sphere(real(0.2)), 0.2, 0.2, -1);
    step_world(world, 40);
    CHECK_NEAR(0, num(vsp_body_velocity(world, id).x), 0.005);
    CHECK_AT_MOST(-0.3, num(vsp_body_velocity(world, id).z));
}

static void check_rides(vsp_stepper stepper)
{
    on_both(stepper, check_ride);
}

static void slabs_ride_on_belts(void)
{
    paint(ICE, BELT);
    each_stepper(check_rides);
}

#endif


/* ---- Manifolds ----------------------------------------------------------- */

/* A slab that stands on both has a manifold of each, whose normal impulses
 * share its weight; elsewhere it has one. */
static void check_manifolds(vsp_stepper stepper)
{
    uint32_t seen = 0;
    double load = 0;
    vsp_transform pose;
    vsp_body_id id;

    (void)begin_world(stepper);
    id = add_slider(0, 0);
    step_world(world, 10);
    CHECK_UINT(2, vsp_contact_count(world));
    for (uint32_t i = 0; i < vsp_contact_count(world); i++) {
        vsp_contact c;

        CHECK_STATUS(VSP_OK, vsp_contact_get(world, i, &c));
        seen |= 1u << c.material;
        for (uint32_t k = 0; k < c.point_count; k++)
            load += num(c.points[k].normal_impulse);
    }
    CHECK_UINT(1u << ICE | 1u << RUBBER, seen);
    CHECK_NEAR(num(vsp_body_mass(world, id)) * G * STEP, load, 0.01 * load);
    pose.position = real3(1.2, HALF_HEIGHT, 0.2);
    pose.rotation = no_turn();
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, id, pose));
    step_world(world, 2);
    CHECK_UINT(1, vsp_contact_count(world));
}

static void check_both_manifolds(vsp_stepper stepper)
{
    on_both(stepper, check_manifolds);
}

static void each_material_has_its_manifold(void)
{
    paint(ICE, RUBBER);
    each_stepper(check_both_manifolds);
}

/* Random materials under a heap: valid states, the same after a restore. */
static void check_heap(vsp_stepper stepper)
{
    uint32_t state = 1;

    for (int i = 0; i < CELLS; i++) {
        state = state * 1664525u + 1013904223u;
        cells[i] = (uint8_t)((state >> 16) % (PALETTE + 1u));
    }
    make_field();
    make_mesh();
    (void)begin_world(stepper);
    for (int i = 0; i < 12; i++)
        (void)add_body(world, VSP_DYNAMIC,
                       i % 3 == 0 ? vsp_sphere(real(0.2))
                                  : vsp_box(real(0.3), real(0.2), real(0.25)),
                       0.3 * (i % 4) - 0.5, 0.3 + 0.45 * (i / 4),
                       0.1 * (i % 3));
    step_world(world, 20);
    CHECK(check_replays(world, 20));
}

static void check_heaps(vsp_stepper stepper)
{
    on_both(stepper, check_heap);
}

static void heaps_on_many_materials_replay(void)
{
    each_stepper(check_heaps);
}


/* ---- Tables -------------------------------------------------------------- */

static void check_flaw(vsp_flaw expected, const void *table)
{
    uint32_t number = 1;
    vsp_flaw flaw;

    CHECK_REFUSED(VSP_ERR_DATA,
                  vsp_world_add_table(world, table, &number, &flaw));
    CHECK_UINT(expected, flaw);
    CHECK_UINT(0, number);
}

/* Checks a palette of one material with a wrong word. */
static void check_bad_word(size_t offset, size_t size, int32_t value)
{
    vsp_table_material bad = palette[0];
    vsp_field_materials with = ground;

    if (size == 2)
        *(uint16_t *)(void *)((char *)&bad + offset) = (uint16_t)value;
    else
        *(int32_t *)(void *)((char *)&bad + offset) = value;
    with.materials.palette = &bad;
    with.materials.count = 1;
    check_flaw(VSP_FLAW_RANGE, &with);
}

#define BAD_WORD(member, value)                          \
    check_bad_word(offsetof(vsp_table_material, member), \
                   sizeof((vsp_table_material *)0)->member, value)

static void bad_materials_are_refused(void)
{
    paint(ICE, ICE);
    world = new_world();
    BAD_WORD(friction, -1);
    BAD_WORD(friction, 100 * VSP_PLACE + 1);
    BAD_WORD(restitution, -1);
    BAD_WORD(restitution, VSP_PLACE + 1);
    BAD_WORD(rolling_friction, VSP_ROLLING ? -1 : 1);
    BAD_WORD(spinning_friction, VSP_ROLLING ? 100 * VSP_PLACE + 1 : 1);
    BAD_WORD(surface_velocity.x, 500 * VSP_PLACE + 1);
    BAD_WORD(surface_velocity.y, -500 * VSP_PLACE - 1);
    BAD_WORD(surface_velocity.z, INT32_MIN);
    BAD_WORD(friction_rule, 5);
    BAD_WORD(restitution_rule, 0xffff);
}

static void bad_maps_are_refused(void)
{
    vsp_field_materials f;
    vsp_mesh_materials m;

    paint(ICE, ICE);
    world = new_world();
    f = ground;
    f.materials.palette = NULL;
    check_flaw(VSP_FLAW_NULL, &f);
    f = ground;
    f.materials.of = NULL;
    check_flaw(VSP_FLAW_NULL, &f);
    m = mesh;
    m.materials.count = 0;
    check_flaw(VSP_FLAW_COUNT, &m);
    m.materials.count = 256;
    check_flaw(VSP_FLAW_COUNT, &m);
    m = mesh;
    m.materials.reserved = 1;
    check_flaw(VSP_FLAW_RANGE, &m);
    triangles_of[2 * CELLS - 1] = PALETTE + 1;
    check_flaw(VSP_FLAW_INDEX, &mesh);
    cells[CELLS - 1] = 255;
    check_flaw(VSP_FLAW_INDEX, &ground);
    f = ground;
    f.field.step = 0;
    check_flaw(VSP_FLAW_RANGE, &f);
    m = mesh;
    m.mesh.nodes = NULL;
    check_flaw(VSP_FLAW_NULL, &m);
}

static void tables_fit_their_shapes(void)
{
    vsp_shape_def shape;
    vsp_body_def def;
    vsp_body_id id;

    paint(ICE, RUBBER);
    for (int i = 0; i < 2; i++) {
        on_mesh = i == 1;
        world = new_world();
        shape = ground_shape();
        def = body_def(VSP_DYNAMIC, shape, 0, 0, 0);
        CHECK_REFUSED(VSP_ERR_ARG, vsp_body_create(world, &def, &id));
        def.type = VSP_STATIC;
        def.shape.type = on_mesh ? VSP_SHAPE_HEIGHT_FIELD : VSP_SHAPE_MESH;
        CHECK_REFUSED(VSP_ERR_ARG, vsp_body_create(world, &def, &id));
        def.shape.type = VSP_SHAPE_HULL;
        CHECK_REFUSED(VSP_ERR_ARG, vsp_body_create(world, &def, &id));
        def.shape.type = shape.type;
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    }
}

/* A world with another palette, or with another byte, has other tables. */
static void check_other_table(void (*change)(void))
{
    uint32_t hash;
    size_t size;

    paint(ICE, RUBBER);
    (void)begin_world(VSP_STEPPER_PGS);
    size = save_world(world, 0);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    change();
    (void)begin_world(VSP_STEPPER_PGS);
    hash = vsp_world_hash(world);
    CHECK_STATUS(VSP_ERR_TABLE, vsp_world_restore(world, saved(0), size));
    CHECK_HEX(hash, vsp_world_hash(world));
}

static void change_friction(void)
{
    palette[RUBBER - 1].friction++;
}

static void change_rule(void)
{
    palette[ICE - 1].friction_rule = VSP_RULE_MAX;
}

static void change_cell(void)
{
    cells[3]++;
    triangles_of[7]++;
}

static void digests_cover_materials(void)
{
    for (int i = 0; i < 2; i++) {
        on_mesh = i == 1;
        check_other_table(change_friction);
        check_other_table(change_rule);
        check_other_table(change_cell);
    }
}


/* ---- Shells -------------------------------------------------------------- */

#if VSP_SHELLS

/* A sheet slows down as a slab does. */
static void check_sheet(vsp_stepper stepper)
{
    static const double friction[2] = {0.05, 0.6};
    uint32_t number = 0;
    vsp_body_id id[2];
    vsp_shape_def shape;

    (void)begin_world(stepper);
    CHECK_STATUS(VSP_OK,
                 vsp_world_add_table(world, &shell_plate, &number, NULL));
    shape = vsp_table_shape(VSP_SHAPE_SHELL, number);
    shape.material.friction = real(1);
    for (int i = 0; i < 2; i++)
        id[i] = add_body(world, VSP_DYNAMIC, shape, 4 * i - 3.0, 0.005, 0.1);
    step_world(world, 20);
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(VSP_OK,
                     vsp_body_set_velocity(world, id[i], real3(1.5, 0, 0),
                                           real3(0, 0, 0)));
    step_world(world, 6);
    for (int i = 0; i < 2; i++) {
        double loss = friction[i] * G * 6 * STEP;

        if (shows())
            printf("stepper %d: loses %g of %g\n", (int)stepper,
                   1.5 - speed_of(id[i]), loss);
        CHECK_NEAR(1.5 - loss, speed_of(id[i]), 0.15 * loss);
    }
}

static void check_sheets(vsp_stepper stepper)
{
    on_both(stepper, check_sheet);
}

static void sheets_slide_on_materials(void)
{
    paint(ICE, RUBBER);
    each_stepper(check_sheets);
}

#endif


/* ---- Drawing --------------------------------------------------------------
 */

#if VSP_DRAW

/* How many triangles had each colour: the ground's own, ice, carpet, others. */
static uint32_t painted[4];

static void count_triangle(void *user, vsp_vec3 a, vsp_vec3 b, vsp_vec3 c,
                           uint32_t color)
{
    static const uint32_t known[3] = {0xadb3b8, 0x9ed1f2, 0x9e3333};
    int i = 0;

    (void)user;
    (void)a;
    (void)b;
    (void)c;
    while (i < 3 && known[i] != color)
        i++;
    painted[i]++;
}

static void check_colors(uint32_t parts, uint32_t plain, uint32_t ice,
                         uint32_t carpet, uint32_t other)
{
    vsp_draw draw;

    memset(&draw, 0, sizeof draw);
    memset(painted, 0, sizeof painted);
    draw.triangle = count_triangle;
    draw.parts = parts;
    CHECK_STATUS(VSP_OK, vsp_world_draw(world, &draw));
    CHECK_UINT(plain, painted[0]);
    CHECK_UINT(ice, painted[1]);
    CHECK_UINT(carpet, painted[2]);
    CHECK_UINT(other, painted[3]);
}

/* Each cell is two triangles.  In colours of layers the ground has no layer. */
static void check_drawn(vsp_stepper stepper)
{
    paint(ICE, CARPET);
    cells[0] = 0;
    make_mesh();
    (void)begin_world(stepper);
    check_colors(VSP_DRAW_SHAPES, 2, CELLS - 2, CELLS, 0);
    check_colors(VSP_DRAW_SHAPES | VSP_DRAW_LAYERS, 0, 0, 0, 2 * CELLS);
}

static void materials_are_drawn(void)
{
    on_both(VSP_STEPPER_CARRY, check_drawn);
}

#endif


static const test tests[] = {
    TEST(slabs_slide_from_ice_to_rubber),
#if VSP_SCALES
    TEST(slabs_slide_in_a_mirror),
#endif
    TEST(material_0_is_that_of_the_shape),
    TEST(balls_bounce_on_steel),
#if VSP_ROLLING
    TEST(balls_roll_to_a_stop_on_carpet),
#endif
#if VSP_BELTS
    TEST(slabs_ride_on_belts),
#endif
    TEST(each_material_has_its_manifold),
    TEST(heaps_on_many_materials_replay),
    TEST(bad_materials_are_refused),
    TEST(bad_maps_are_refused),
    TEST(tables_fit_their_shapes),
    TEST(digests_cover_materials),
#if VSP_DRAW
    TEST(materials_are_drawn),
#endif
#if VSP_SHELLS
    TEST(sheets_slide_on_materials),
#endif
    TEST_END,
};

#else

static const test tests[] = {TEST_END};

#endif

const test_suite materials_suite = {"materials", tests};
