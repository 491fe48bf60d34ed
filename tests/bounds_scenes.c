/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Worlds with expensive steps, in this order: large tables; bodies; the busy
 * world; shapes at one point; surfaces; bullets; sleep, joints, events; solids
 * that break; round solids, rolling friction, runtime hulls; trains and webs of
 * joints; loops, drives, unions; shells. */

#include "bounds_scenes.h"
#include "shell_scenes.h"

#include "port/geometry/hull.h"
#include "port/geometry/mesh.h"
#include "port/geometry/shell.h"
#include "port/scenes/tables.h"

#include <math.h>
#include <stdlib.h>


/* ---- Large tables -------------------------------------------------------- */

#define FIELD_SIDE 1025
#define MESH_SIDE 180  /* cells: 64,800 triangles */
#define FAN_COUNT 5000 /* triangles at one point */
#define SHEET_SIDE 45u /* cells: 4,050 triangles, nearly as many as fit */
#define SDF_SIDE 16    /* spheres along x and z, in 8 layers: 2,048 in all */

static int16_t field_heights[FIELD_SIDE * FIELD_SIDE];
static vsp_height_field big_field;
static mesh_storage mesh, fan;
static int16_t sdf_distances[64];
static vsp_sphere_node sdf_nodes[SDF_SIDE * SDF_SIDE * 8 + 1];
static vsp_sdf sdf;
static hull_storage drum;
static shell_storage fine_sheet;

static double bump_height(uint32_t x, uint32_t z)
{
    return 0.05 * ((x * 7u + z * 13u) % 5u);
}

/* Makes a field 102.4 m wide. */
static void make_field(void)
{
    uint32_t i;

    for (i = 0; i < FIELD_SIDE * FIELD_SIDE; i++)
        field_heights[i] = (int16_t)(20.0 * bump_height(i % FIELD_SIDE,
                                                        i / FIELD_SIDE));
    big_field.kind = VSP_TABLE_HEIGHT_FIELD;
    big_field.columns = big_field.rows = FIELD_SIDE;
    big_field.cell = VSP_PLACE / 10;
    big_field.step = VSP_PLACE / 20;
    big_field.low = 0;
    big_field.high = 4;
    big_field.heights = field_heights;
}

/* Makes a mesh 36 m wide, as bumpy as the field. */
static void make_mesh(void)
{
    uint32_t side = MESH_SIDE + 1, i, count = 0;
    vec3 *points = malloc(side * side * sizeof *points);
    uint32_t(*all)[3] = malloc(2 * MESH_SIDE * MESH_SIDE * sizeof *all);

    for (i = 0; i < side * side; i++) {
        points[i].x = 0.2 * (i % side) - 18.0;
        points[i].y = bump_height(i % side, i / side);
        points[i].z = 0.2 * (i / side) - 18.0;
    }
    for (i = 0; i < MESH_SIDE * MESH_SIDE; i++) {
        uint32_t a = i / MESH_SIDE * side + i % MESH_SIDE;

        all[count][0] = a;
        all[count][1] = all[count + 1][0] = a + side;
        all[count][2] = all[count + 1][2] = a + 1;
        all[count + 1][1] = a + side + 1;
        count += 2;
    }
    CHECK(mesh_build(&mesh, points, side * side, all, count, 4) == NULL);
    free(points);
    free(all);
}

/* Makes a cone of 10 m whose triangles all share the tip. */
static void make_fan(void)
{
    vec3 *points = malloc((FAN_COUNT + 1) * sizeof *points);
    uint32_t(*all)[3] = malloc(FAN_COUNT * sizeof *all), i;

    points[0] = vec_make(0, 0.2, 0);
    for (i = 0; i < FAN_COUNT; i++) {
        double angle = 6.283185307179586 * i / FAN_COUNT;

        points[i + 1] = vec_make(10 * cos(angle), 0, -10 * sin(angle));
        all[i][0] = 0;
        all[i][1] = i + 1;
        all[i][2] = (i + 1) % FAN_COUNT + 1;
    }
    CHECK(mesh_build(&fan, points, FAN_COUNT + 1, all, FAN_COUNT, 4) == NULL);
    free(points);
    free(all);
}

/* Makes a block of 6 x 3 x 6 m of spheres, all of which are near the surface of
 * ground inside the block. */
static void make_sdf(void)
{
    uint32_t i, last = SDF_SIDE * SDF_SIDE * 8;

    for (i = 0; i < 64; i++) {
        bool is_in = (i % 4 % 3 && i / 4 % 4 % 3 && i / 16 % 3);

        sdf_distances[i] = is_in ? -1000 : 1000;
    }
    sdf.kind = VSP_TABLE_SDF;
    sdf.count[0] = sdf.count[1] = sdf.count[2] = 4;
    sdf.node_count = (uint16_t)(last + 1);
    sdf.low.x = sdf.low.y = sdf.low.z = -4 * VSP_PLACE;
    sdf.cell = 8 * VSP_PLACE / 3;
    sdf.step = VSP_PLACE / 1000;
    sdf.distances = sdf_distances;
    sdf.nodes = sdf_nodes;
    sdf_nodes[0].radius = 7 * VSP_PLACE;
    sdf_nodes[0].next = (uint16_t)(last + 1);
    for (i = 0; i < last; i++) {
        vsp_sphere_node *n = &sdf_nodes[i + 1];

        n->center.x = (int32_t)((i % SDF_SIDE) * 6 * VSP_PLACE / SDF_SIDE) -
                      3 * VSP_PLACE;
        n->center.z = (int32_t)((i / SDF_SIDE % SDF_SIDE) * 6 * VSP_PLACE /
                                SDF_SIDE) -
                      3 * VSP_PLACE;
        n->center.y = (int32_t)(i / (SDF_SIDE * SDF_SIDE)) * VSP_PLACE / 8 -
                      VSP_PLACE / 2;
        n->radius = VSP_PLACE;
        n->next = (uint16_t)(i + 2);
    }
    sdf.bulk = sdf_animal.bulk;
}

/* Makes a drum of 62 corners, 64 faces and 124 edges: one rim is rotated by
 * half a side. */
static void make_drum(void)
{
    vec3 points[62];
    uint32_t i;

    for (i = 0; i < COUNT_OF(points); i++) {
        double angle = 3.141592653589793 * i / 31;

        points[i] = vec_make(0.5 * cos(angle), i % 2 ? 0.35 : -0.35,
                             0.5 * sin(angle));
    }
    CHECK(hull_build(&drum, points, COUNT_OF(points), 1e-4) == NULL);
    CHECK_UINT(64, drum.hull.face_count);
    CHECK_UINT(124, drum.hull.edge_count);
}

/* Makes a flat sheet, 1 m wide. */
static void make_sheet(void)
{
    static vec3 points[(SHEET_SIDE + 1) * (SHEET_SIDE + 1)];
    static uint32_t all[2 * SHEET_SIDE * SHEET_SIDE][3];
    uint32_t side = SHEET_SIDE + 1, i, count = 0;

    for (i = 0; i < side * side; i++)
        points[i] = vec_make(1.0 * (i % side) / SHEET_SIDE - 0.5, 0,
                             1.0 * (i / side) / SHEET_SIDE - 0.5);
    for (i = 0; i < SHEET_SIDE * SHEET_SIDE; i++) {
        uint32_t a = i / SHEET_SIDE * side + i % SHEET_SIDE;

        all[count][0] = a;
        all[count][1] = all[count + 1][0] = a + side;
        all[count][2] = all[count + 1][2] = a + 1;
        all[count + 1][1] = a + side + 1;
        count += 2;
    }
    CHECK(shell_build(&fine_sheet, points, side * side, all, count, 4) == NULL);
}

void bounds_tables(void)
{
    if (big_field.heights != NULL)
        return;
    make_field();
    make_mesh();
    make_fan();
    make_sdf();
    make_drum();
    make_sheet();
}

static vsp_shape_def table_shape(vsp_world *world, vsp_shape_type type,
                                 const void *table)
{
    vsp_flaw flaw = VSP_FLAW_NONE;
    uint32_t index;

    if (!CHECK_STATUS(VSP_OK, vsp_world_add_table(world, table, &index, &flaw)))
        CHECK_UINT(VSP_FLAW_NONE, flaw);
    return vsp_table_shape(type, index);
}


/* ---- Bodies -------------------------------------------------------------- */

static uint32_t free_bodies(const vsp_world *world)
{
    return vsp_world_capacity(world).bodies - vsp_world_stats(world).body_count;
}

static uint32_t free_shapes(const vsp_world *world)
{
    return vsp_world_capacity(world).shapes -
           vsp_world_stats(world).shape_count;
}

static vsp_body_id add_fast(vsp_world *world, vsp_shape_def shape, vsp_vec3 at,
                            vsp_vec3 velocity, vsp_vec3 spin, bool is_bullet)
{
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id id;

    def.type = VSP_DYNAMIC;
    def.shape = shape;
    def.pose.position = at;
    def.velocity = velocity;
    def.spin = spin;
    def.is_bullet = is_bullet;
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    return id;
}

static void add_spheres(vsp_world *world, vsp_body_id body, uint32_t count)
{
    vsp_shape_def shape = vsp_sphere(VSP_R(0.5));

    for (; count > 0; count--)
        CHECK_STATUS(VSP_OK, vsp_shape_create(world, body, &shape, NULL));
}

static vsp_body_id add_body_of_spheres(vsp_world *world, uint32_t count)
{
    vsp_body_id id = add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 0, 5,
                              0);

    add_spheres(world, id, count - 1);
    return id;
}


/* ---- The busy world ------------------------------------------------------ */

/* Adds bodies in loose columns that topple over each other. */
static void add_loose_columns(vsp_world *world, vsp_shape_def shape)
{
    uint32_t i, n, side;

    add_ground(world);
    n = free_bodies(world);
    side = (uint32_t)sqrt(n / 6.0) + 1;
    for (i = 0; i < n; i++)
        add_turned(world, VSP_DYNAMIC, shape, 0.9 * (i % side),
                   0.6 + 1.1 * (i / side / side), 0.9 * (i / side % side),
                   turn(7.0 * (i % 11), 0.6, 0.0, 0.8));
}

static void build_busy(vsp_world *world)
{
    add_loose_columns(world, vsp_box(VSP_R(0.5), VSP_R(0.4), VSP_R(0.3)));
}


static void build_busy_hulls(vsp_world *world)
{
    add_loose_columns(world, table_shape(world, VSP_SHAPE_HULL, &hull_prism));
}

static void build_busy_drums(vsp_world *world)
{
    add_loose_columns(world, table_shape(world, VSP_SHAPE_HULL, &drum.hull));
}

static void build_busy_animals(vsp_world *world)
{
    add_loose_columns(world, table_shape(world, VSP_SHAPE_SDF, &sdf_animal));
}


/* ---- Shapes at one point ------------------------------------------------- */

static void build_one_point(vsp_world *world)
{
    uint32_t n;

    add_ground(world);
    for (n = free_bodies(world); n > 0; n--)
        add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 0, 5, 0);
}

static void build_boxes_at_one_point(vsp_world *world)
{
    uint32_t n;

    add_ground(world);
    for (n = free_bodies(world); n > 0; n--)
        add_turned(world, VSP_DYNAMIC,
                   vsp_box(VSP_R(0.5), VSP_R(0.4), VSP_R(0.3)), 0, 0.5, 0,
                   turn(n, 0.6, 0.0, 0.8));
}

static void build_at_one_point(vsp_world *world, vsp_shape_def shape)
{
    uint32_t n;

    add_ground(world);
    for (n = free_bodies(world); n > 0; n--)
        add_turned(world, VSP_DYNAMIC, shape, 0, 0.5, 0,
                   turn(n, 0.6, 0.0, 0.8));
}

static void build_hulls_at_one_point(vsp_world *world)
{
    build_at_one_point(world, table_shape(world, VSP_SHAPE_HULL, &hull_prism));
}

static void build_drums_at_one_point(vsp_world *world)
{
    build_at_one_point(world, table_shape(world, VSP_SHAPE_HULL, &drum.hull));
}

/* Keeps one body of eight awake.  Not all contacts fit, so each round of
 * detection builds its list twice. */
static void wake_some(vsp_world *world, uint32_t step)
{
    uint32_t i, n = vsp_world_capacity(world).bodies;

    for (i = 1; i < n && step == 0; i++)
        vsp_body_set_awake(world, vsp_body_at(world, i), i % 8 == 0);
}

static void build_static_point(vsp_world *world)
{
    uint32_t n;

    add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 20, 5, 0);
    for (n = free_bodies(world); n > 0; n--)
        add_body(world, VSP_STATIC, vsp_sphere(VSP_R(0.5)), 0, 5, 0);
}

static void build_one_body(vsp_world *world)
{
    add_ground(world);
    add_body_of_spheres(world, free_shapes(world));
}

static void build_two_bodies(vsp_world *world)
{
    add_ground(world);
    add_body_of_spheres(world, free_shapes(world) / 2);
    add_body_of_spheres(world, free_shapes(world));
}

static void build_planes(vsp_world *world)
{
    uint32_t n, planes = free_bodies(world) / 2;

    for (n = planes; n > 0; n--)
        add_body(world, VSP_STATIC, vsp_half_space(), 0, 0, 0);
    for (n = free_bodies(world); n > 0; n--)
        add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), n % 400, 0, 0);
}


/* ---- Surfaces ------------------------------------------------------------ */

static void add_field(vsp_world *world)
{
    add_body(world, VSP_STATIC,
             table_shape(world, VSP_SHAPE_HEIGHT_FIELD, &big_field), 0, 0, 0);
}

static void add_mesh(vsp_world *world)
{
    add_body(world, VSP_STATIC, table_shape(world, VSP_SHAPE_MESH, &mesh.mesh),
             0, 0, 0);
}

static void build_box_on_field(vsp_world *world)
{
    add_field(world);
    add_turned(world, VSP_DYNAMIC, vsp_box(VSP_R(48), VSP_R(1), VSP_R(48)), 0,
               1.1, 0, turn(3, 0, 1, 0));
}

static void build_box_in_mesh(vsp_world *world)
{
    add_mesh(world);
    add_turned(world, VSP_DYNAMIC, vsp_box(VSP_R(17), VSP_R(10), VSP_R(17)), 0,
               6, 0, turn(20, 0.36, 0.48, 0.8));
}

static void build_boxes_on_mesh(vsp_world *world)
{
    uint32_t n;

    add_mesh(world);
    for (n = free_bodies(world); n > 0; n--)
        add_turned(world, VSP_DYNAMIC, vsp_box(VSP_R(17), VSP_R(1), VSP_R(17)),
                   0, 1.1, 0, turn(3 * n, 0, 1, 0));
}

static void build_boxes_on_fan(vsp_world *world)
{
    uint32_t n;

    add_body(world, VSP_STATIC, table_shape(world, VSP_SHAPE_MESH, &fan.mesh),
             0, 0, 0);
    for (n = free_bodies(world); n > 0; n--)
        add_turned(world, VSP_DYNAMIC,
                   vsp_box(VSP_R(0.5), VSP_R(0.4), VSP_R(0.3)), 0, 0.5, 0,
                   turn(3 * n, 0, 1, 0));
}

static void build_sdfs_in_mesh(vsp_world *world)
{
    vsp_shape_def shape = table_shape(world, VSP_SHAPE_SDF, &sdf);
    uint32_t n;

    add_mesh(world);
    for (n = free_bodies(world); n > 0; n--)
        add_turned(world, VSP_DYNAMIC, shape, 0, 0.4, 0, turn(3 * n, 0, 1, 0));
}

static void build_sdf_in_mesh(vsp_world *world)
{
    add_mesh(world);
    add_body(world, VSP_DYNAMIC, table_shape(world, VSP_SHAPE_SDF, &sdf), 0,
             0.4, 0);
}

static void build_sdfs(vsp_world *world)
{
    vsp_shape_def shape = table_shape(world, VSP_SHAPE_SDF, &sdf);
    uint32_t n;

    add_ground(world);
    for (n = free_bodies(world); n > 0; n--)
        add_turned(world, VSP_DYNAMIC, shape, 0, 0.4, 0, turn(3 * n, 0, 1, 0));
}


/* ---- Bullets ------------------------------------------------------------- */

/* Adds a body far from its centre, which spins. */
static void add_far(vsp_world *world, vsp_shape_def shape, bool is_bullet,
                    double z)
{
    vsp_body_def def = vsp_body_def_default();

    def.type = VSP_DYNAMIC;
    def.is_bullet = is_bullet;
    def.shape = shape;
    def.mass = VSP_R(10.0);
    def.inertia = real3(10, 10, 10);
    def.center = real3(-40, 0, 0);
    def.pose.position = real3(0, 12, z);
    def.spin = real3(0, 0, 490);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
}

static void build_far_bullet(vsp_world *world)
{
    add_field(world);
    add_far(world, table_shape(world, VSP_SHAPE_SDF, &sdf_animal), true, 0);
}

static void build_far_bullets(vsp_world *world)
{
    uint32_t n;

    add_field(world);
    for (n = free_bodies(world); n > 0; n--)
        add_far(world, vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5)), n % 2 != 0,
                0.01 * n);
}

static void build_far_animals(vsp_world *world)
{
    vsp_shape_def animal = table_shape(world, VSP_SHAPE_SDF, &sdf_animal);
    uint32_t n;

    animal.filter.category = 2;
    animal.filter.mask = 1;
    add_field(world);
    for (n = free_bodies(world); n > 0; n--)
        add_far(world, animal, true, 0.01 * n);
}

static void build_stick(vsp_world *world)
{
    add_field(world);
    add_fast(world, vsp_box(VSP_R(30), VSP_R(0.1), VSP_R(0.1)),
             real3(-10, 2, -10), real3(100, -200, 300), real3(0, 200, 3), true);
}

static void build_sticks(vsp_world *world)
{
    uint32_t n;

    add_field(world);
    for (n = free_bodies(world); n > 0; n--)
        add_fast(world, vsp_box(VSP_R(30), VSP_R(0.1), VSP_R(0.1)),
                 real3(-10, 2 + 0.3 * n, -10), real3(100, -200, 300),
                 real3(0, 200, 3), true);
}

static void build_fast_crowd(vsp_world *world)
{
    uint32_t n;

    add_mesh(world);
    for (n = free_bodies(world); n > 0; n--)
        add_fast(world, vsp_box(VSP_R(0.1), VSP_R(0.1), VSP_R(0.1)),
                 real3(n % 13 - 6.0, 1 + n % 7 * 0.3, n % 17 - 8.0),
                 real3(300, -5, 200), real3(100, 20, 30), n % 2);
}

static void build_bullet_of_shapes(vsp_world *world)
{
    vsp_body_id id;

    add_ground(world);
    id = add_fast(world, vsp_sphere(VSP_R(0.5)), real3(0, 5, 0),
                  real3(100, -300, 0), real3(10, 0, 0), true);
    add_spheres(world, id, free_shapes(world));
}

/* Builds a column of fast bodies. */
static void build_fast_column(vsp_world *world)
{
    uint32_t n, count;

    add_ground(world);
    count = free_bodies(world);
    count = count < 400 ? count : 400;
    for (n = 0; n < count; n++)
        add_fast(world, vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5)),
                 real3(0, 0.5 + n, 0), real3(300, 0, 0), real3(0, 0, 0), true);
}


/* ---- Sleep, joints, events ----------------------------------------------- */

static void build_sleepers(vsp_world *world)
{
    uint32_t i, n;

    add_ground(world);
    n = free_bodies(world);
    for (i = 0; i < n; i++)
        add_cube(world, 1.0 * (i % 8), 0.5 + (i / 64), 1.0 * (i / 8 % 8));
}

/* Wakes half of the bodies in each step, and puts the other half to sleep. */
static void wake_half(vsp_world *world, uint32_t step)
{
    uint32_t i, n = vsp_world_capacity(world).bodies;

    for (i = 0; i < n; i++) {
        vsp_body_id id = vsp_body_at(world, i);

        if (vsp_body_is_valid(world, id))
            vsp_body_set_awake(world, id, (i + step) % 2);
    }
}

static void build_clique(vsp_world *world)
{
    uint32_t i, k, n = 2;
    vsp_body_id id[400];

    add_ground(world);
    while (n < 400 && n < free_bodies(world) &&
           n * (n + 1) / 2 <= vsp_world_capacity(world).joints)
        n++;
    for (i = 0; i < n; i++)
        id[i] = add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)),
                         0.3 * (i % 5), 1 + 0.2 * (i / 5), 0.1 * (i % 3));
    for (i = 0; i < n; i++)
        for (k = 0; k < i; k++) {
            vsp_joint_def def = vsp_joint_def_default();

            def.type = (vsp_joint_type)(1 + (i + k) % 5);
            def.body_a = id[i];
            def.body_b = id[k];
            vsp_joint_place(world, &def, vsp_body_center(world, id[k]),
                            real3(0, 1, 0));
            vsp_joint_create(world, &def, NULL);
        }
}

static void build_sensors(vsp_world *world)
{
    vsp_shape_def shape = vsp_box(VSP_R(0.5), VSP_R(0.4), VSP_R(0.3));
    uint32_t n;

    shape.is_sensor = true;
    for (n = free_bodies(world); n > 0; n--) {
        add_body(world, n % 2 ? VSP_KINEMATIC : VSP_DYNAMIC, shape, 0, 5, 0);
        shape.is_sensor = !shape.is_sensor;
    }
}

static void build_bouncers(vsp_world *world)
{
    vsp_shape_def ball = vsp_sphere(VSP_R(0.5));
    uint32_t i, n, side;

    add_ground(world);
    ball.material.restitution = VSP_R(1.0);
    n = free_bodies(world);
    side = (uint32_t)sqrt(n / 6.0) + 1;
    for (i = 0; i < n; i++)
        add_fast(world, ball,
                 real3(1.0 * (i % side), 0.6 + 1.0 * (i / side / side),
                       1.0 * (i / side % side)),
                 real3(i % 3, -20.0 + i % 5, i % 7), real3(0, 0, 0), false);
}

/* ---- Solids that break --------------------------------------------------- */

#define PANE_SIDE 10u

static void glue(vsp_world *world, vsp_body_id a, vsp_body_id b, vsp_vec3 at)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = VSP_JOINT_FIXED;
    def.body_a = a;
    def.body_b = b;
    def.rigid = true;
    def.break_impulse = VSP_R(500.0);
    CHECK_STATUS(VSP_OK, vsp_joint_place(world, &def, at, real3(1, 0, 0)));
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, NULL));
}

/* Panes of glass fall flat onto each other and the ground, and break. */
static void build_panes(vsp_world *world)
{
    uint32_t n = free_bodies(world) / (PANE_SIDE * PANE_SIDE), i, x, z;
    vsp_body_id ids[PANE_SIDE][PANE_SIDE];

    add_ground(world);
    for (i = 0; i < n && i < 9; i++)
        for (x = 0; x < PANE_SIDE; x++)
            for (z = 0; z < PANE_SIDE; z++) {
                double at[3] = {1.0 * x, 0.25 + 0.5 * i, 1.0 * z};

                ids[x][z] = add_fast(
                    world, vsp_box(VSP_R(0.5), VSP_R(0.2), VSP_R(0.5)),
                    real3(at[0], at[1], at[2]), real3(0, -5.0 - i, 0),
                    real3(0, 0, 0), false);
                if (x > 0)
                    glue(world, ids[x - 1][z], ids[x][z],
                         real3(at[0] - 0.5, at[1], at[2]));
                if (z > 0 && x % 3 == 0)
                    glue(world, ids[x][z - 1], ids[x][z],
                         real3(at[0], at[1], at[2] - 0.5));
            }
}


/* ---- Round solids, friction, runtime hulls ------------------------------- */

/* Returns a cylinder, cone or tapered capsule. */
static vsp_shape_def turned_solid(uint32_t n)
{
    if (n % 3 == 0)
        return vsp_cylinder(VSP_R(0.4), VSP_R(0.4));
    if (n % 3 == 1)
        return vsp_cone(VSP_R(0.5), VSP_R(0.4), VSP_R(0.1));
    return vsp_taper(VSP_R(0.4), VSP_R(0.3), VSP_R(0.2));
}

static void build_busy_rounds(vsp_world *world)
{
    uint32_t i, n, side;

    add_ground(world);
    n = free_bodies(world);
    side = (uint32_t)sqrt(n / 6.0) + 1;
    for (i = 0; i < n; i++)
        add_turned(world, VSP_DYNAMIC, turned_solid(i), 1.0 * (i % side),
                   0.6 + 1.1 * (i / side / side), 1.0 * (i / side % side),
                   turn(7.0 * (i % 11), 0.6, 0.0, 0.8));
}

/* On a fan, apart from each other. */
static void build_rounds_on_fan(vsp_world *world)
{
    uint32_t n;

    add_body(world, VSP_STATIC, table_shape(world, VSP_SHAPE_MESH, &fan.mesh),
             0, 0, 0);
    for (n = free_bodies(world); n > 0; n--) {
        vsp_shape_def shape = turned_solid(n);

        shape.filter.category = 2;
        shape.filter.mask = 1;
        add_turned(world, VSP_DYNAMIC, shape, 0, 0.3, 0,
                   turn(n, 0.6, 0.0, 0.8));
    }
}

/* Apart from each other, in a field whose spheres are all near them. */
static void build_rounds_in_spheres(vsp_world *world)
{
    uint32_t n;

    add_body(world, VSP_STATIC, table_shape(world, VSP_SHAPE_SDF, &sdf), 0, 0,
             0);
    for (n = free_bodies(world); n > 0; n--) {
        vsp_shape_def shape = turned_solid(n);

        shape.filter.category = 2;
        shape.filter.mask = 1;
        add_turned(world, VSP_DYNAMIC, shape, 0, 0.3, 0,
                   turn(n, 0.6, 0.0, 0.8));
    }
}

static void build_drums_and_rounds(vsp_world *world)
{
    vsp_shape_def prism = table_shape(world, VSP_SHAPE_HULL, &drum.hull);
    uint32_t n;

    add_ground(world);
    for (n = free_bodies(world); n > 0; n--)
        add_turned(world, VSP_DYNAMIC, n % 2 ? turned_solid(n / 2) : prism, 0,
                   0.5, 0, turn(n, 0.6, 0.0, 0.8));
}

static void build_rounds_at_one_point(vsp_world *world)
{
    uint32_t n;

    add_ground(world);
    for (n = free_bodies(world); n > 0; n--)
        add_turned(world, VSP_DYNAMIC, turned_solid(n), 0, 0.5, 0,
                   turn(n, 0.6, 0.0, 0.8));
}

/* Boxes that resist rolling and spinning. */
static void build_rolling_point(vsp_world *world)
{
    vsp_shape_def shape = vsp_box(VSP_R(0.5), VSP_R(0.4), VSP_R(0.3));

    shape.rolling_friction = VSP_R(0.1);
    shape.spinning_friction = VSP_R(0.1);
    build_at_one_point(world, shape);
}

static void build_busy_rolling(vsp_world *world)
{
    vsp_shape_def shape = vsp_sphere(VSP_R(0.45));

    shape.rolling_friction = VSP_R(0.05);
    shape.spinning_friction = VSP_R(0.05);
    add_loose_columns(world, shape);
}

/* Returns a hull of as many corners as a runtime hull has. */
static vsp_shape_def runtime_hull(vsp_world *world)
{
    vsp_vec3 points[VSP_MAX_HULL_POINTS];
    uint32_t i, table = 0;

    for (i = 0; i < VSP_MAX_HULL_POINTS; i++) {
        double angle = 6.283185307179586 * i / VSP_MAX_HULL_POINTS;

        points[i] = real3(0.5 * cos(angle), i % 2 ? 0.35 : -0.35,
                          0.5 * sin(angle));
    }
    CHECK_STATUS(VSP_OK,
                 vsp_hull_create(world, points, VSP_MAX_HULL_POINTS, &table));
    return vsp_table_shape(VSP_SHAPE_HULL, table);
}

/* The same hull, scaled and mirrored, which takes more time. */
static vsp_shape_def scaled_hull(vsp_world *world)
{
    vsp_shape_def shape = runtime_hull(world);

    shape.size = real3(1.25, -0.75, 1);
    return shape;
}

static void build_busy_runtime(vsp_world *world)
{
    add_loose_columns(world, runtime_hull(world));
}

static void build_busy_scaled(vsp_world *world)
{
    add_loose_columns(world, scaled_hull(world));
}

static void build_runtime_hulls(vsp_world *world)
{
    build_at_one_point(world, runtime_hull(world));
}

static void build_scaled_hulls(vsp_world *world)
{
    build_at_one_point(world, scaled_hull(world));
}


/* ---- Trains and webs of joints ------------------------------------------- */

static uint32_t free_joints(const vsp_world *world)
{
    return vsp_world_capacity(world).joints -
           vsp_world_stats(world).joint_count;
}

/* Adds a static body without a shape, to which joints may hold. */
static vsp_body_id add_base(vsp_world *world)
{
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id id;

    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    return id;
}

/* Adds a ball that touches nothing. */
static vsp_body_id add_bead(vsp_world *world, double density, double x,
                            double y, double z)
{
    vsp_shape_def ball = vsp_sphere(VSP_R(0.1));

    ball.filter.mask = 0;
    ball.density = real(density);
    return add_body(world, VSP_DYNAMIC, ball, x, y, z);
}

/* Joins two bodies at a point, by an axis along z. */
static void join_at(vsp_world *world, vsp_joint_def *def, vsp_body_id a,
                    vsp_body_id b, double x, double y, double z)
{
    def->body_a = a;
    def->body_b = b;
    CHECK_STATUS(VSP_OK,
                 vsp_joint_place(world, def, real3(x, y, z), real3(0, 0, 1)));
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, def, NULL));
}

static void hinge_at(vsp_world *world, vsp_body_id a, vsp_body_id b, double x,
                     double y, double z)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = VSP_JOINT_HINGE;
    join_at(world, &def, a, b, x, y, z);
}

static void ball_at(vsp_world *world, vsp_body_id a, vsp_body_id b, double x,
                    double y, double z)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = VSP_JOINT_BALL;
    join_at(world, &def, a, b, x, y, z);
}

static void mesh_wheels(vsp_world *world, vsp_body_id a, vsp_body_id b)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = VSP_JOINT_GEAR;
    def.body_a = a;
    def.body_b = b;
    def.teeth_a = 20;
    def.teeth_b = 30;
    def.frame_a.rotation = def.frame_b.rotation = turn(-90, 0, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, NULL));
}

/* A train of wheels on hinges with motors that work against each other. */
static void build_gears(vsp_world *world)
{
    vsp_body_id base = add_base(world), last = base;
    vsp_joint_def def = vsp_joint_def_default();
    uint32_t n;

    def.type = VSP_JOINT_HINGE;
    def.enable_motor = true;
    def.motor_max = VSP_R(100.0);
    for (n = 0; free_bodies(world) > 0 && free_joints(world) > 1; n++) {
        double x = 0.3 * n;
        vsp_body_id wheel = add_bead(world, n % 2 ? 1000 : 10, x, 1, 0);

        def.motor_speed = n % 3 ? VSP_R(10.0) : VSP_R(-10.0);
        join_at(world, &def, base, wheel, x, 1, 0);
        if (n > 0)
            mesh_wheels(world, last, wheel);
        last = wheel;
    }
}

/* Masses between pulleys, each on several ropes. */
static void build_pulleys(vsp_world *world)
{
    uint32_t i, n = free_bodies(world);
    vsp_joint_def def = vsp_joint_def_default();

    for (i = 0; i < n; i++)
        add_bead(world, i % 2 ? 1000 : 10, 0.3 * (i % 32), -1, 0.3 * (i / 32));
    def.type = VSP_JOINT_PULLEY;
    def.high = VSP_R(2.0);
    for (i = 0; free_joints(world) > 0; i++) {
        def.body_a = vsp_body_at(world, i % n);
        def.body_b = vsp_body_at(world, (i + 1 + i / n) % n);
        def.pulley_a = vsp_body_center(world, def.body_a);
        def.pulley_b = vsp_body_center(world, def.body_b);
        def.pulley_a.y += VSP_R(1.0);
        def.pulley_b.y += VSP_R(1.0);
        def.ratio = i % 3 ? VSP_R(1.0) : VSP_R(2.0);
        CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, NULL));
    }
}

#define NET_SIDE 4u

/* A bridge of ropes, which hangs from both of its ends: a web. */
static void build_rope_bridge(vsp_world *world)
{
    vsp_body_id base = add_base(world), row[NET_SIDE], id;
    uint32_t i, k;

    for (k = 0; k < NET_SIDE; k++)
        row[k] = base;
    for (i = 0;
         free_bodies(world) >= NET_SIDE && free_joints(world) > 3 * NET_SIDE;
         i++)
        for (k = 0; k < NET_SIDE; k++) {
            double x = 0.3 * i - 30, z = 0.3 * k;

            id = add_bead(world, (i + k) % 2 ? 10000 : 10, x, 20, z);
            ball_at(world, row[k], id, x - 0.15, 20, z);
            if (k > 0)
                ball_at(world, row[k - 1], id, x, 20, z - 0.15);
            row[k] = id;
        }
    for (k = 0; k < NET_SIDE; k++)
        ball_at(world, row[k], base, 0.3 * i - 30.15, 20, 0.3 * k);
}

/* A cable whose links hold each other at many points: the widest web that is
 * solved at once. */
#define CABLE_STRANDS 6u

static void build_cable(vsp_world *world)
{
    vsp_body_id base = add_base(world), last = base, id;
    uint32_t i, k;

    for (i = 0; free_joints(world) >= 2 * CABLE_STRANDS; i++) {
        double x = 0.3 * i - 30;

        id = add_bead(world, i % 2 ? 10000 : 10, x, 20, 0);
        for (k = 0; k < CABLE_STRANDS; k++)
            ball_at(world, last, id, x - 0.15, 20 + 0.01 * k, 0.02 * (k % 3));
        last = id;
    }
    for (k = 0; k < CABLE_STRANDS; k++)
        ball_at(world, last, base, 0.3 * i - 30.15, 20 + 0.01 * k,
                0.02 * (k % 3));
}

/* Small webs, each of which has a hinge. */
static void build_hinge_webs(vsp_world *world)
{
    vsp_body_id base = add_base(world), a, b;
    uint32_t i;

    for (i = 0; free_bodies(world) > 1 && free_joints(world) > 2; i++) {
        double x = 1.0 * (i % 32), z = 1.0 * (i / 32);

        a = add_bead(world, 10, x, 5, z);
        b = add_bead(world, 10000, x + 0.3, 5, z);
        hinge_at(world, base, a, x - 0.15, 5, z);
        ball_at(world, a, b, x + 0.15, 5, z);
        ball_at(world, b, base, x + 0.45, 5, z);
    }
}

/* A broom: a long handle of light links, at whose end hang many loads. */
static void build_broom(vsp_world *world)
{
    vsp_body_id last = add_base(world), id;
    uint32_t i, n = free_bodies(world) / 2;

    for (i = 0; i < n; i++) {
        id = add_bead(world, 10, 0.3 * i - 70, 20, 0);
        ball_at(world, last, id, 0.3 * i - 70.15, 20, 0);
        last = id;
    }
    for (i = 0; free_bodies(world) > 0; i++) {
        double x = 0.3 * n - 70;

        id = add_bead(world, 1.0e8, x, 20, 0.001 * i);
        ball_at(world, last, id, x - 0.15, 20, 0);
    }
}


/* ---- Loops, drives, unions ----------------------------------------------- */

/* A ring of hinges that closes, and falls onto the ground. */
static void build_hinge_ring(vsp_world *world)
{
    uint32_t i, n;
    double radius, step;

    add_ground(world);
    n = free_bodies(world);
    if (n > free_joints(world))
        n = free_joints(world);
    step = 6.283185307179586 / n;
    radius = 0.3 / step;
    for (i = 0; i < n; i++)
        add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.1)),
                 radius * cos(step * i), radius + 0.05 + radius * sin(step * i),
                 0);
    for (i = 0; i < n; i++)
        hinge_at(world, vsp_body_at(world, i + 1),
                 vsp_body_at(world, (i + 1) % n + 1),
                 radius * cos(step * (i + 0.5)),
                 radius + 0.05 + radius * sin(step * (i + 0.5)), 0);
}

/* Linkages of three hinges: as many loops as fit. */
static void build_linkages(vsp_world *world)
{
    vsp_body_id base = add_base(world), a, b;
    uint32_t i;

    for (i = 0; free_bodies(world) > 1 && free_joints(world) > 2; i++) {
        double x = 1.0 * (i % 32), z = 1.0 * (i / 32);

        a = add_bead(world, 1000, x, 5, z);
        b = add_bead(world, 1000, x + 0.3, 5.1, z);
        hinge_at(world, base, a, x - 0.15, 5, z);
        hinge_at(world, a, b, x + 0.15, 5.05, z);
        hinge_at(world, b, base, x + 0.45, 5, z);
    }
}

/* Fills a joint whose six axes are all limited and driven. */
static vsp_joint_def driven_axes(uint32_t i)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = VSP_JOINT_AXES;
    def.limited = VSP_LOCK_X << i % 6;
    def.driven = VSP_LOCK_ALL;
    def.enable_limit = def.enable_motor = true;
    def.low = VSP_R(-0.05);
    def.high = VSP_R(0.05);
    def.motor_max = VSP_R(1000.0);
    def.motor_mode = (vsp_motor_mode)(i % 3);
    def.motor_speed = VSP_R(1.0);
    def.motor_target = i % 2 ? VSP_R(0.04) : VSP_R(-0.04);
    if (def.motor_mode == VSP_MOTOR_SPRING)
        def.motor_hertz = VSP_R(5.0);
    return def;
}

/* All joints between two bodies, against each other. */
static void build_two_joined(vsp_world *world)
{
    vsp_body_id a = add_bead(world, 1000, 0, 5, 0), b;
    uint32_t i;

    b = add_bead(world, 10, 0.3, 5, 0);
    for (i = 0; free_joints(world) > 0; i++) {
        vsp_joint_def def = driven_axes(i);

        join_at(world, &def, a, b, 0.01 * (i % 31), 5 + 0.01 * (i % 7), 0);
    }
}

static void build_drives(vsp_world *world)
{
    uint32_t i, n = free_bodies(world);

    for (i = 0; i < n; i++)
        add_bead(world, i % 2 ? 1000 : 10, 0.3 * (i % 32), 5, 0.3 * (i / 32));
    for (i = 0; free_joints(world) > 0; i++) {
        vsp_joint_def def = driven_axes(i);
        uint32_t k = i % (n - 1);

        join_at(world, &def, vsp_body_at(world, k), vsp_body_at(world, k + 1),
                0.3 * (k % 32), 5, 0.3 * (k / 32));
    }
}

/* Wheels of cars, with suspension, steering and motors, on the ground. */
static void build_wheels(vsp_world *world)
{
    vsp_joint_def def = vsp_joint_def_default();
    uint32_t i;

    def.type = VSP_JOINT_WHEEL;
    def.enable_limit = def.enable_motor = true;
    def.low = VSP_R(-0.1);
    def.high = VSP_R(0.1);
    def.limit_hertz = VSP_R(3.0);
    def.motor_speed = VSP_R(100.0);
    def.motor_max = VSP_R(1000.0);
    def.motor_hertz = VSP_R(5.0);
    def.motor_target = VSP_R(0.3);
    def.frame_a.rotation = def.frame_b.rotation = turn(90, 0, 0, 1);
    add_ground(world);
    for (i = 0; free_bodies(world) > 4 && free_joints(world) > 3; i++) {
        double x = 3.0 * (i % 16), z = 3.0 * (i / 16);
        uint32_t k;

        def.body_a = add_body(world, VSP_DYNAMIC,
                              vsp_box(VSP_R(0.8), VSP_R(0.2), VSP_R(0.5)), x,
                              0.7, z);
        for (k = 0; k < 4; k++) {
            double dx = k % 2 ? 0.7 : -0.7, dz = k / 2 ? 0.6 : -0.6;

            def.frame_a.position = real3(dx, -0.2, dz);
            def.body_b = add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.3)),
                                  x + dx, 0.5, z + dz);
            CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, NULL));
        }
    }
}

/* Two bodies of many shapes, which all joints let touch. */
static void build_joined_shapes(vsp_world *world)
{
    vsp_body_id a = add_body_of_spheres(world, free_shapes(world) / 2), b;
    vsp_joint_def def = vsp_joint_def_default();

    b = add_body_of_spheres(world, free_shapes(world));
    def.type = VSP_JOINT_BALL;
    def.collide = true;
    while (free_joints(world) > 0)
        join_at(world, &def, a, b, 0, 5, 0);
}

/* A ball of many shapes in a cage of static ones, which it touches all around:
 * each contact with the ground may be a seam of any other. */
static void build_cage(vsp_world *world)
{
    vsp_shape_def bar = vsp_sphere(VSP_R(0.1)), ball = vsp_sphere(VSP_R(5.0));
    vsp_body_id cage = add_base(world), id;
    uint32_t i, n,
        balls = vsp_world_capacity(world).manifolds / free_shapes(world);

    id = add_body(world, VSP_DYNAMIC, ball, 0, 10, 0);
    for (i = 1; i < balls; i++)
        CHECK_STATUS(VSP_OK, vsp_shape_create(world, id, &ball, NULL));
    n = free_shapes(world);
    for (i = 0; i < n; i++) {
        double y = 2 * (i + 0.5) / n - 1, r = sqrt(1 - y * y);

        bar.pose.position = real3(5.1 * r * cos(2.4 * i), 10 + 5.1 * y,
                                  5.1 * r * sin(2.4 * i));
        CHECK_STATUS(VSP_OK, vsp_shape_create(world, cage, &bar, NULL));
    }
}

/* A block that is one union, of joints that may break, hits the ground. */
static void build_block(vsp_world *world)
{
    vsp_joint_def def = vsp_joint_def_default();
    vsp_shape_def cube = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    uint32_t i, k, n, steps[3] = {1, 10, 100};

    def.type = VSP_JOINT_FIXED;
    def.rigid = true;
    def.break_impulse = VSP_R(1.0e6);
    add_ground(world);
    n = free_bodies(world);
    for (i = 0; i < n; i++)
        add_fast(world, cube, real3(i % 10, 0.45 + i / 100, i / 10 % 10),
                 real3(0, -5, 0), real3(0, 0, 0), false);
    for (k = 0; k < 3; k++)
        for (i = steps[k]; i < n && free_joints(world) > 0; i++)
            if (i / steps[k] % 10 > 0 && (k == 2 || i % 3 == 0 || k == 0)) {
                vsp_body_id a = vsp_body_at(world, i + 1 - steps[k]);
                vsp_body_id b = vsp_body_at(world, i + 1);

                def.body_a = a;
                def.body_b = b;
                CHECK_STATUS(VSP_OK, vsp_joint_place(world, &def,
                                                     vsp_body_center(world, b),
                                                     real3(1, 0, 0)));
                CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, NULL));
            }
}


/* ---- Shells -------------------------------------------------------------- */

/* Leaves in loose columns, each of which turns another way. */
static void build_busy_leaves(vsp_world *world)
{
    vsp_shape_def leaf = sheet_shape(world, FORM_LEAF);
    uint32_t i, n, side;

    add_ground(world);
    n = free_bodies(world);
    side = (uint32_t)sqrt(n / 8.0) + 1;
    for (i = 0; i < n; i++)
        add_turned(world, VSP_DYNAMIC, leaf, 0.6 * (i % side),
                   0.3 + 0.3 * (i / side / side), 0.6 * (i / side % side),
                   turn(5.0 * (i % 11) - 25, 0.6, 0.0, 0.8));
}

/* Two swarms of leaves that meet at 100 m/s each. */
static void build_leaf_swarms(vsp_world *world)
{
    vsp_shape_def leaf = sheet_shape(world, FORM_LEAF);
    uint32_t i, n;

    add_ground(world);
    n = free_bodies(world);
    for (i = 0; i < n; i++) {
        double way = i % 2 ? 1 : -1;
        vsp_body_id id = add_turned(world, VSP_DYNAMIC, leaf,
                                    way * (0.35 + 0.7 * (i / 2 % 4)),
                                    0.5 + 0.35 * (i / 8 % 8), 0.35 * (i / 64),
                                    turn(11.0 * (i % 5), 0, 1, 0));

        CHECK_STATUS(VSP_OK,
                     vsp_body_set_velocity(world, id, real3(-100 * way, 0, 0),
                                           real3(0, 40 * way, 30)));
    }
}

/* A stack of sheets, as close to each other as calls allow. */
static void stack_sheets(vsp_world *world, vsp_shape_def sheet, double gap,
                         double speed)
{
    uint32_t i, n;

    add_ground(world);
    n = free_bodies(world);
    sheet.density = VSP_R(5.0);
    for (i = 0; i < n; i++) {
        vsp_body_id id = add_turned(world, VSP_DYNAMIC, sheet, 0.003 * (i % 7),
                                    0.01 + gap * i, 0.004 * (i % 5),
                                    turn(37.0 * i, 0, 1, 0));

        CHECK_STATUS(VSP_OK,
                     vsp_body_set_velocity(world, id,
                                           real3(i % 2 ? speed : -speed,
                                                 i % 3 ? -speed : speed, 0),
                                           real3(0, 0, 0)));
    }
}

static void build_plates(vsp_world *world)
{
    stack_sheets(world, sheet_shape(world, FORM_PLATE), 0.002, 1);
}

static void build_fine_sheets(vsp_world *world)
{
    stack_sheets(world, table_shape(world, VSP_SHAPE_SHELL, &fine_sheet.shell),
                 0.002, 1);
}

static void build_fast_sheets(vsp_world *world)
{
    stack_sheets(world, table_shape(world, VSP_SHAPE_SHELL, &fine_sheet.shell),
                 0.3, 100);
}


#define CARRY VSP_STEPPER_CARRY

const bounds_scene bounds_scenes[] = {
    {"busy", CARRY, build_busy, NULL, 60, true, BOUNDS_QUICK},
    {"busy hulls", CARRY, build_busy_hulls, NULL, 4, true, BOUNDS_HULLS},
    {"busy animals", CARRY, build_busy_animals, NULL, 40, true, BOUNDS_SLOW},
    {"one point", CARRY, build_one_point, NULL, 3, false, BOUNDS_QUICK},
    {"boxes at one point", CARRY, build_boxes_at_one_point, NULL, 3, false,
     BOUNDS_QUICK},
    {"hulls at one point", CARRY, build_hulls_at_one_point, NULL, 1, false,
     BOUNDS_HULLS},
    {"busy drums", CARRY, build_busy_drums, NULL, 4, true, BOUNDS_HULLS},
    {"drums at one point", CARRY, build_drums_at_one_point, NULL, 1, false,
     BOUNDS_HULLS},
    {"sleepers at one point", CARRY, build_hulls_at_one_point, wake_some, 1,
     false, BOUNDS_HULLS},
    {"sleeping drums", CARRY, build_drums_at_one_point, wake_some, 1, false,
     BOUNDS_HULLS},
    {"static point", CARRY, build_static_point, NULL, 3, false, BOUNDS_QUICK},
    {"shapes of one body", CARRY, build_one_body, NULL, 3, false, BOUNDS_QUICK},
    {"shapes of two bodies", CARRY, build_two_bodies, NULL, 3, false,
     BOUNDS_QUICK},
    {"planes", CARRY, build_planes, NULL, 3, false, BOUNDS_QUICK},
    {"box on field", CARRY, build_box_on_field, NULL, 30, false, BOUNDS_QUICK},
    {"box in mesh", CARRY, build_box_in_mesh, NULL, 3, false, BOUNDS_QUICK},
    {"boxes on mesh", CARRY, build_boxes_on_mesh, NULL, 1, false, BOUNDS_QUICK},
    {"boxes on fan", CARRY, build_boxes_on_fan, NULL, 2, false, BOUNDS_QUICK},
    {"block of spheres in mesh", CARRY, build_sdf_in_mesh, NULL, 2, false,
     BOUNDS_QUICK},
    {"blocks of spheres in mesh", CARRY, build_sdfs_in_mesh, NULL, 1, false,
     BOUNDS_QUICK},
    {"blocks of spheres", CARRY, build_sdfs, NULL, 1, false, BOUNDS_QUICK},
    {"far bullet", CARRY, build_far_bullet, NULL, 2, false, BOUNDS_QUICK},
    {"far bullets", CARRY, build_far_bullets, NULL, 1, false, BOUNDS_QUICK},
    {"far animals", CARRY, build_far_animals, NULL, 1, false, BOUNDS_QUICK},
    {"stick", CARRY, build_stick, NULL, 2, false, BOUNDS_QUICK},
    {"sticks", CARRY, build_sticks, NULL, 1, false, BOUNDS_QUICK},
    {"fast crowd", CARRY, build_fast_crowd, NULL, 2, false, BOUNDS_QUICK},
    {"bullet of shapes", CARRY, build_bullet_of_shapes, NULL, 2, false,
     BOUNDS_QUICK},
    {"fast column", VSP_STEPPER_SHOCK, build_fast_column, NULL, 2, false,
     BOUNDS_QUICK},
    {"sleepers", CARRY, build_sleepers, wake_half, 20, false, BOUNDS_QUICK},
    {"clique", CARRY, build_clique, NULL, 20, false, BOUNDS_QUICK},
    {"sensors", CARRY, build_sensors, NULL, 3, false, BOUNDS_QUICK},
    {"bouncers", CARRY, build_bouncers, NULL, 20, false, BOUNDS_QUICK},
    {"panes", CARRY, build_panes, NULL, 20, false, BOUNDS_QUICK},
    {"panes under SHOCK", VSP_STEPPER_SHOCK, build_panes, NULL, 20, false,
     BOUNDS_QUICK},
    {"panes under PGS", VSP_STEPPER_PGS, build_panes, NULL, 20, false,
     BOUNDS_QUICK},
    {"panes under SUBSPACE", VSP_STEPPER_SUBSPACE, build_panes, NULL, 20, false,
     BOUNDS_QUICK},
    {"busy rounds", CARRY, build_busy_rounds, NULL, 40, true, BOUNDS_SLOW},
    {"busy rolling", CARRY, build_busy_rolling, NULL, 40, true, BOUNDS_SLOW},
    {"rounds at one point", CARRY, build_rounds_at_one_point, NULL, 2, false,
     BOUNDS_SLOW},
    {"rounds in spheres", CARRY, build_rounds_in_spheres, NULL, 2, false,
     BOUNDS_SLOW},
    {"drums and rounds", CARRY, build_drums_and_rounds, NULL, 1, false,
     BOUNDS_HULLS},
    {"rounds on fan", CARRY, build_rounds_on_fan, NULL, 2, false, BOUNDS_SLOW},
    {"rolling at one point", CARRY, build_rolling_point, NULL, 3, false,
     BOUNDS_QUICK},
    {"busy runtime hulls", CARRY, build_busy_runtime, NULL, 4, false,
     BOUNDS_HULLS},
    {"busy scaled hulls", CARRY, build_busy_scaled, NULL, 4, false,
     BOUNDS_HULLS},
    {"runtime hulls", CARRY, build_runtime_hulls, NULL, 1, false, BOUNDS_HULLS},
    {"scaled hulls", CARRY, build_scaled_hulls, NULL, 1, false, BOUNDS_HULLS},
    {"gears", CARRY, build_gears, NULL, 10, false, BOUNDS_QUICK},
    {"pulleys", CARRY, build_pulleys, NULL, 10, false, BOUNDS_QUICK},
    {"rope bridge", CARRY, build_rope_bridge, NULL, 10, false, BOUNDS_QUICK},
    {"cable", CARRY, build_cable, NULL, 10, false, BOUNDS_QUICK},
    {"hinge webs", CARRY, build_hinge_webs, NULL, 10, false, BOUNDS_QUICK},
    {"broom", CARRY, build_broom, NULL, 10, false, BOUNDS_QUICK},
    {"hinge ring", CARRY, build_hinge_ring, NULL, 10, false, BOUNDS_QUICK},
    {"linkages", CARRY, build_linkages, NULL, 10, false, BOUNDS_QUICK},
    {"two joined", CARRY, build_two_joined, NULL, 10, false, BOUNDS_QUICK},
    {"drives", CARRY, build_drives, NULL, 10, false, BOUNDS_QUICK},
    {"wheels", CARRY, build_wheels, NULL, 10, false, BOUNDS_QUICK},
    {"joined shapes", CARRY, build_joined_shapes, NULL, 1, false, BOUNDS_QUICK},
    {"cage", CARRY, build_cage, NULL, 2, false, BOUNDS_QUICK},
    {"block", CARRY, build_block, NULL, 20, false, BOUNDS_QUICK},
    {"busy leaves", CARRY, build_busy_leaves, NULL, 60, false, BOUNDS_SHELLS},
    {"leaf swarms", CARRY, build_leaf_swarms, NULL, 3, false, BOUNDS_SHELLS},
    {"plates", CARRY, build_plates, NULL, 3, false, BOUNDS_SHELLS},
    {"fine sheets", CARRY, build_fine_sheets, NULL, 1, false, BOUNDS_SHELLS},
    {"fast sheets", CARRY, build_fast_sheets, NULL, 1, false, BOUNDS_SHELLS},
    {NULL, CARRY, NULL, NULL, 0, false, BOUNDS_QUICK},
};

/* Divides the capacities of the build, so that `bodies` bodies are left. */
static vsp_capacity smaller_capacity(uint32_t bodies)
{
    vsp_capacity c = vsp_world_def_default().capacity;
    uint32_t by = c.bodies / bodies;

    c.bodies /= by;
    c.shapes /= by;
    c.pairs /= by;
    c.manifolds /= by;
    c.contacts /= by;
    c.sensed /= by;
    c.joints /= by;
    return c;
}

vsp_world *bounds_start_sized(const bounds_scene *scene, uint32_t bodies)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world;

    def.stepper = scene->stepper;
    if (bodies != 0)
        def.capacity = smaller_capacity(bodies);
    world = new_world_of(&def);
    scene->build(world);
    return world;
}

vsp_world *bounds_start(const bounds_scene *scene)
{
    return bounds_start_sized(scene,
                              scene->part == BOUNDS_SHELLS ? SHELL_WORLD : 0);
}
