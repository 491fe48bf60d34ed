/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Worlds with expensive steps, in this order: large tables; bodies; the busy
 * world; shapes at one point; surfaces; bullets; sleep, joints, events. */

#include "bounds_scenes.h"

#include "port/geometry/hull.h"
#include "port/geometry/mesh.h"
#include "port/scenes/tables.h"

#include <math.h>
#include <stdlib.h>


/* ---- Large tables -------------------------------------------------------- */

#define FIELD_SIDE 1025
#define MESH_SIDE 180  /* cells: 64,800 triangles */
#define FAN_COUNT 5000 /* triangles at one point */
#define SDF_SIDE 16    /* spheres along x and z, in 8 layers: 2,048 in all */

static int16_t field_heights[FIELD_SIDE * FIELD_SIDE];
static vsp_height_field big_field;
static mesh_storage mesh, fan;
static int16_t sdf_distances[64];
static vsp_sphere_node sdf_nodes[SDF_SIDE * SDF_SIDE * 8 + 1];
static vsp_sdf sdf;
static hull_storage drum;

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

void bounds_tables(void)
{
    if (big_field.heights != NULL)
        return;
    make_field();
    make_mesh();
    make_fan();
    make_sdf();
    make_drum();
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
    def.break_impulse = VSP_R(100.0);
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
    {"busy drums", CARRY, build_busy_drums, NULL, 4, false, BOUNDS_HULLS},
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
    {NULL, CARRY, NULL, NULL, 0, false, BOUNDS_QUICK},
};

vsp_world *bounds_start(const bounds_scene *scene)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world;

    def.stepper = scene->stepper;
    world = new_world_of(&def);
    scene->build(world);
    return world;
}
