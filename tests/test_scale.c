/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Scaled and mirrored meshes and height fields: against tables made at that
 * size, to the bit and by the host tool; against the unscaled table; errors;
 * state; drawing.  Hulls scaled into runtime hulls. */

#include "fixture.h"
#include "port/geometry/mass_properties.h"
#include "port/geometry/mesh.h"
#include "port/scenes/tables.h"
#include "src/record/record.h"

#include <math.h>
#include <string.h>

#if VSP_SCALES

static vsp_world *world;

static const double scales[][3] = {
    {2, 2, 2},    {0.5, 0.5, 0.5},  {0.5, 1, 1.5},  {-1, 1, 1},      {1, 1, -2},
    {-2, 0.5, 3}, {-1.25, 1, -1.5}, {1, 0.0625, 1}, {1.3, 2.7, 0.9},
};

#define SCALES (sizeof scales / sizeof scales[0])

static vsp_shape_def scaled_shape(vsp_shape_type type, uint32_t table,
                                  const double scale[3])
{
    vsp_shape_def def = vsp_table_shape(type, table);

    def.size = real3(scale[0], scale[1], scale[2]);
    return def;
}

/* Adds a table and a static body of it. */
static void add_surface(const void *table, vsp_shape_type type,
                        const double scale[3])
{
    uint32_t number;

    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, table, &number, NULL));
    add_body(world, VSP_STATIC, scaled_shape(type, number, scale), 0, 0, 0);
}


/* ---- Tables at a size ---------------------------------------------------- */

#define MOST_VERTICES 1024
#define MOST_TRIANGLES 2048

/* A mesh whose numbers are those of another one, scaled. */
typedef struct baked_mesh {
    vsp_mesh mesh;
    vsp_place vertices[MOST_VERTICES];
    vsp_triangle triangles[MOST_TRIANGLES];
    vsp_mesh_node nodes[MOST_TRIANGLES];
} baked_mesh;

static baked_mesh baked;

static int32_t scaled_place(int32_t p, double scale)
{
    /* as the world reads it: in 2^-20, rounded in the fixed kind */
    double units = rounded(fabs(scale)) * 1048576 + (VSP_FIXED ? 0.5 : 0);
    double q = p * (floor(units) / 1048576);

    return (int32_t)(scale < 0 ? -1 : 1) * (int32_t)lround(q);
}

static vsp_place bake_place(vsp_place p, const double scale[3])
{
    vsp_place q = {scaled_place(p.x, scale[0]), scaled_place(p.y, scale[1]),
                   scaled_place(p.z, scale[2])};

    return q;
}

static void sort_two(int32_t *low, int32_t *high)
{
    int32_t a = *low;

    if (a <= *high)
        return;
    *low = *high;
    *high = a;
}

static void bake_node(vsp_mesh_node *n, const double scale[3])
{
    n->low = bake_place(n->low, scale);
    n->high = bake_place(n->high, scale);
    sort_two(&n->low.x, &n->high.x);
    sort_two(&n->low.y, &n->high.y);
    sort_two(&n->low.z, &n->high.z);
}

static bool mirrors(const double scale[3])
{
    return scale[0] * scale[1] * scale[2] < 0;
}

static bool bake_mesh(const vsp_mesh *from, const double scale[3])
{
    if (!CHECK(from->vertex_count <= MOST_VERTICES &&
               from->triangle_count <= MOST_TRIANGLES &&
               from->node_count <= MOST_TRIANGLES))
        return false;
    baked.mesh = *from;
    baked.mesh.vertices = baked.vertices;
    baked.mesh.triangles = baked.triangles;
    baked.mesh.nodes = baked.nodes;
    for (int i = 0; i < from->vertex_count; i++)
        baked.vertices[i] = bake_place(from->vertices[i], scale);
    for (int i = 0; i < from->triangle_count; i++) {
        vsp_triangle *t = &baked.triangles[i];

        *t = from->triangles[i];
        if (!mirrors(scale))
            continue;
        t->vertex[1] = from->triangles[i].vertex[2];
        t->vertex[2] = from->triangles[i].vertex[1];
        t->marks = (uint16_t)((t->marks & 2) | (t->marks & 1) << 2 |
                              t->marks >> 2);
    }
    for (int i = 0; i < from->node_count; i++) {
        baked.nodes[i] = from->nodes[i];
        bake_node(&baked.nodes[i], scale);
    }
    return true;
}

/* Bodies over the surface, some of them fast. */
static void drop_bodies(const double scale[3])
{
    for (int i = 0; i < 12; i++) {
        vsp_real r = real(0.1 + 0.02 * i);
        vsp_shape_def shape = i % 3 == 0   ? vsp_sphere(r)
                              : i % 3 == 1 ? vsp_box(r, r, r)
                                           : vsp_capsule(r, r);
        vsp_body_def def = body_def(
            VSP_DYNAMIC, shape, scale[0] * (0.6 * i - 3.3),
            4.5 * fabs(scale[1]) + 0.2, 0.15 * scale[2] * (i % 3 - 1));

        def.velocity = real3(0.3 * i, i % 4 == 3 ? -50 : -2, 0.1);
        def.is_bullet = i % 2 == 1;
        def.spin = real3(1, 0.5, -1);
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
    }
}

static bool are_bodies_equal(const vsp_world *one, const vsp_world *two)
{
    for (uint32_t i = 1; i < 13; i++) {
        vsp_transform a = vsp_body_transform(one, vsp_body_at(one, i));
        vsp_transform b = vsp_body_transform(two, vsp_body_at(two, i));

        if (memcmp(&a, &b, sizeof a) != 0)
            return false;
    }
    return true;
}

static void check_against_baked(vsp_stepper stepper)
{
    static const double one[3] = {0, 0, 0};
    vsp_world_def def = vsp_world_def_default();
    vsp_world *scaled, *plain;
    uint32_t contacts = 0;

    def.stepper = stepper;
    for (size_t i = (size_t)stepper; i < SCALES;
         i += stepper == VSP_STEPPER_CARRY ? 1 : 4) {
        test_note("stepper %d, scale %d", (int)stepper, (int)i);
        scaled = world = new_world_of(&def);
        add_surface(&mesh_run, VSP_SHAPE_MESH, scales[i]);
        drop_bodies(scales[i]);
        if (!bake_mesh(&mesh_run, scales[i]))
            return;
        plain = world = new_world_at(&def, 1, 0);
        add_surface(&baked.mesh, VSP_SHAPE_MESH, one);
        drop_bodies(scales[i]);
        for (int step = 0; step < 60; step++) {
            step_world(scaled, 1);
            step_world(plain, 1);
            contacts += vsp_world_stats(scaled).contact_count;
            if (!CHECK(are_bodies_equal(scaled, plain)))
                return;
        }
    }
    CHECK_AT_LEAST(500, contacts);
}

/* A mesh whose numbers were scaled gives the same bits. */
static void scaled_meshes_are_those_of_a_size(void)
{
    each_stepper(check_against_baked);
}


/* ---- Rays ---------------------------------------------------------------- */

#if VSP_QUERIES

/* Casts a ray down at (x, z) past a body.  Returns whether it hits. */
static bool look_past(vsp_body_id body, double x, double z, vsp_hit *hit)
{
    vsp_query all = vsp_query_default();

    all.except = body;
    return vsp_ray_cast(world, real3(x, 60, z), real3(0, -120, 0), &all, hit) ==
               VSP_OK &&
           hit->body.bits != 0;
}

static bool look_down(double x, double z, vsp_hit *hit)
{
    vsp_body_id none = {0};

    return look_past(none, x, z, hit);
}

/* Normals turn by the inverse of the scale. */
static void check_hit(const vsp_hit *plain, const vsp_hit *hit,
                      const double scale[3])
{
    double n[3] = {num(plain->normal.x) / scale[0],
                   num(plain->normal.y) / scale[1],
                   num(plain->normal.z) / scale[2]};
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);

    CHECK_NEAR(scale[1] * num(plain->point.y), num(hit->point.y), 1e-4);
    CHECK_NEAR(n[0] / length, num(hit->normal.x), 1e-3);
    CHECK_NEAR(n[1] / length, num(hit->normal.y), 1e-3);
    CHECK_NEAR(n[2] / length, num(hit->normal.z), 1e-3);
}

/* A ray down at a scaled place hits at the scaled height. */
static void check_rays(const void *table, vsp_shape_type type, double reach)
{
    static const double one[3] = {0, 0, 0};
    vsp_world_def def = vsp_world_def_default();
    vsp_world *plain, *scaled;
    uint32_t hits = 0;

    plain = world = new_world();
    add_surface(table, type, one);
    for (size_t i = 0; i < SCALES; i++) {
        test_note("scale %d", (int)i);
        scaled = world = new_world_at(&def, 1, 0);
        add_surface(table, type, scales[i]);
        for (int k = 0; k < 100; k++) {
            double x = reach * (0.1 * (k % 10) - 0.447);
            double z = reach * (0.1 * (k / 10 % 10) - 0.443);
            vsp_hit hit, expected;
            bool is_hit;

            world = plain;
            is_hit = look_down(x, z, &expected);
            world = scaled;
            if (!CHECK(look_down(x * scales[i][0], z * scales[i][2], &hit) ==
                       is_hit))
                return;
            hits += is_hit;
            if (is_hit)
                check_hit(&expected, &hit, scales[i]);
        }
    }
    CHECK_AT_LEAST(100, hits);
}

static void rays_hit_scaled_surfaces(void)
{
    check_rays(&field_hills, VSP_SHAPE_HEIGHT_FIELD, 30);
    check_rays(&mesh_run, VSP_SHAPE_MESH, 8);
}

#endif


/* ---- Tables of the host tool --------------------------------------------- */

/* A ramp up along x, whose scale is sx. */
static const char *make_ramp(mesh_storage *out, double sx)
{
    uint32_t triangles[2][3] = {{0, 1, 2}, {1, 3, 2}};
    vec3 points[4];

    for (int i = 0; i < 4; i++)
        points[i] = vec_make(i < 2 ? -2 * sx : 2 * sx, i < 2 ? 0 : 1.5,
                             i % 2 ? 1 : -1);
    for (int i = 0; i < 2 && sx < 0; i++) {
        uint32_t kept = triangles[i][1];

        triangles[i][1] = triangles[i][2];
        triangles[i][2] = kept;
    }
    return mesh_build(out, points, 4, triangles, 2, 4);
}

/* Slides a box down the slope, whose scale along x is sx.  Returns where it
 * is. */
static vsp_vec3 slide_down(const vsp_mesh *mesh, const double scale[3],
                           double sx)
{
    vsp_shape_def box = vsp_box(VSP_R(0.25), VSP_R(0.25), VSP_R(0.25));
    vsp_body_id id;

    world = new_world();
    add_surface(mesh, VSP_SHAPE_MESH, scale);
    box.material.friction = VSP_R(0.125);
    id = add_body(world, VSP_DYNAMIC, box, sx, 1.5, 0);
    step_world(world, 40);
    return vsp_body_transform(world, id).position;
}

static void boxes_slide_down_mirrored_ramps(void)
{
    static const double none[3] = {0, 0, 0}, mirror[3] = {-1, 1, 1},
                        wide[3] = {-1.5, 1, 1};
    static mesh_storage ramp, left, flat;
    vsp_vec3 a, b, c;

    if (!CHECK(!make_ramp(&ramp, 1)) || !CHECK(!make_ramp(&left, -1)) ||
        !CHECK(!make_ramp(&flat, -1.5)))
        return;
    a = slide_down(&ramp.mesh, none, 1);
    b = slide_down(&ramp.mesh, mirror, -1);
    c = slide_down(&left.mesh, none, -1);
    CHECK_AT_MOST(0.9, num(a.x)); /* it slides */
    CHECK_AT_LEAST(0.2, num(a.y));
    CHECK_NEAR(-num(a.x), num(b.x), 2e-3);
    CHECK_NEAR(num(a.y), num(b.y), 2e-3);
    CHECK_NEAR(num(c.x), num(b.x), 1e-3);
    CHECK_NEAR(num(c.y), num(b.y), 1e-3);
    CHECK_NEAR(num(c.z), num(b.z), 1e-3);
    b = slide_down(&ramp.mesh, wide, -1.5);
    c = slide_down(&flat.mesh, none, -1.5);
    CHECK_NEAR(num(c.x), num(b.x), 1e-3);
    CHECK_NEAR(num(c.y), num(b.y), 1e-3);
    mesh_free(&ramp);
    mesh_free(&left);
    mesh_free(&flat);
}

#if VSP_QUERIES

/* A ball rests where the scaled ground is. */
static void balls_lie_on_scaled_fields(void)
{
    static const double scale[3] = {0.5, 0.25, -0.5};
    vsp_world_def def = vsp_world_def_default();
    uint32_t looks = 0;
    vsp_body_id id;

    world = new_world_of(&def);
    add_surface(&field_hills, VSP_SHAPE_HEIGHT_FIELD, scale);
    id = add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), 0.3, 6, 0.4);
    for (int i = 0; i < 240; i++) {
        vsp_vec3 at;
        vsp_hit hit;

        step_world(world, 1);
        at = vsp_body_transform(world, id).position;
        if (i < 120 || !look_past(id, num(at.x), num(at.z), &hit))
            continue;
        looks++;
        CHECK_AT_LEAST(-0.02, num(at.y) - 0.25 - num(hit.point.y));
    }
    CHECK_AT_LEAST(100, looks);
}

#endif


/* Returns the height of a point of the field in steps. */
static double height_at(const vsp_height_field *f, int column, int row)
{
    return f->heights[row * f->columns + column];
}

/* Buries a ball at a fraction u, v of a cell: the ground must push it along the
 * normal of the half of the cell above it. */
static void bury_ball(const double scale[3], int column, int row, double u,
                      double v)
{
    const vsp_height_field *f = &field_hills;
    double cell = f->cell * 0x1p-20, step = f->step * 0x1p-20;
    double low = height_at(f, column, row);
    double high = height_at(f, column + 1, row + 1);
    double side = u > v ? height_at(f, column + 1, row)
                        : height_at(f, column, row + 1);
    double along_x = u > v ? side - low : high - side;
    double along_z = u > v ? high - side : side - low;
    double y = low + u * along_x + v * along_z;
    double slope_x = along_x * step * scale[1] / (cell * scale[0]);
    double slope_z = along_z * step * scale[1] / (cell * scale[2]);
    double length = sqrt(1 + slope_x * slope_x + slope_z * slope_z), rise;
    vsp_world_def def = vsp_world_def_default();
    vsp_contact contact;

    def.gravity = real3(0, 0, 0);
    world = new_world_of(&def);
    add_surface(f, VSP_SHAPE_HEIGHT_FIELD, scale);
    add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.05)),
             (column + u - 0.5 * (f->columns - 1)) * cell * scale[0],
             y * step * scale[1] - 0.3,
             (row + v - 0.5 * (f->rows - 1)) * cell * scale[2]);
    step_world(world, 1);
    CHECK_STATUS(VSP_OK, vsp_contact_get(world, 0, &contact));
    rise = num(contact.normal.y) < 0 ? -1 : 1;
    CHECK_NEAR(1 / length, rise * num(contact.normal.y), 0.01);
    CHECK_NEAR(-slope_x / length, rise * num(contact.normal.x), 0.01);
    CHECK_NEAR(-slope_z / length, rise * num(contact.normal.z), 0.01);
}

/* Returns the highest point that is not in the last row or column. */
static int highest_point(const vsp_height_field *f)
{
    int best = 0;

    for (int i = 0; i < f->columns * (f->rows - 1); i++)
        if (i % f->columns < f->columns - 1 &&
            (best == 0 || f->heights[i] > f->heights[best]))
            best = i;
    return best;
}

static void buried_balls_find_the_ground_above(void)
{
    static const double at[][2] = {{0.2, 0.6}, {0.6, 0.2}, {0.5, 0.8}};
    int top = highest_point(&field_hills);

    for (size_t i = 0; i < SCALES; i++)
        bury_ball(scales[i], top % field_hills.columns,
                  top / field_hills.columns, 0.1, 0.2);
    for (size_t i = 0; i < SCALES; i++)
        for (int k = 0; k < 30; k++) {
            test_note("scale %d, ball %d", (int)i, k);
            bury_ball(scales[i], (7 * k + 3) % (field_hills.columns - 1),
                      (5 * k + 2) % (field_hills.rows - 1), at[k % 3][0],
                      at[k % 3][1]);
        }
}


/* ---- Errors -------------------------------------------------------------- */

static void refuse_scale(vsp_shape_type type, uint32_t table, double x,
                         double y, double z)
{
    const double scale[3] = {x, y, z};
    vsp_body_def def = body_def(VSP_STATIC, scaled_shape(type, table, scale), 0,
                                0, 0);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_create(world, &def, NULL));
}

static void bad_scales_are_refused(void)
{
    static const double one[3] = {1, 1, 1}, two[3] = {2, 1, 0.5};
    vsp_body_def bad;
    vsp_shape_def got;

    world = new_world();
    add_surface(&mesh_run, VSP_SHAPE_MESH, one);
    add_surface(&field_hills, VSP_SHAPE_HEIGHT_FIELD, two);
    CHECK_STATUS(VSP_OK, vsp_shape_get(world, vsp_shape_at(world, 1), &got));
    CHECK_NEAR(0.5, num(got.size.z), 0);
    refuse_scale(VSP_SHAPE_MESH, 1, 0, 1, 1);
    refuse_scale(VSP_SHAPE_MESH, 1, 1, 1, 0);
    refuse_scale(VSP_SHAPE_MESH, 1, 1, 0.0624, 1);
    refuse_scale(VSP_SHAPE_MESH, 1, 16.001, 1, 1);
    refuse_scale(VSP_SHAPE_MESH, 1, 1, -16.001, 1);
    refuse_scale(VSP_SHAPE_HEIGHT_FIELD, 2, 1, -1, 1);
    refuse_scale(VSP_SHAPE_HEIGHT_FIELD, 2, 7, 1, 1); /* 112 m */
    bad = body_def(VSP_STATIC, vsp_table_shape(VSP_SHAPE_MESH, 1), 0, 0, 0);
    for (uint32_t i = 0; i < BAD_REALS; i++) {
        bad.shape.size = real3(1, 1, 1);
        bad.shape.size.y = bad_real(i);
        CHECK_REFUSED(VSP_ERR_ARG, vsp_body_create(world, &bad, NULL));
    }
    CHECK_REFUSED(VSP_ERR_ARG, vsp_shape_set_size(world, vsp_shape_at(world, 1),
                                                  real3(1, 1, 1)));
    bad.shape = vsp_table_shape(VSP_SHAPE_HEIGHT_FIELD, 2);
    bad.shape.size = real3(-0.0625, 16, 6);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &bad, NULL));
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}


/* ---- State --------------------------------------------------------------- */

static void check_state(vsp_stepper stepper)
{
    vsp_world_def def = vsp_world_def_default();

    def.stepper = stepper;
    world = new_world_of(&def);
    add_surface(&mesh_run, VSP_SHAPE_MESH, scales[5]);
    drop_bodies(scales[5]);
    step_world(world, 40);
    (void)check_replays(world, 20);
}

static void restores_change_nothing(void)
{
    each_stepper(check_state);
}

static void worlds_with_bad_scales_are_not_valid(void)
{
    size_t size;
    uint32_t hash;

    world = new_world();
    add_surface(&mesh_run, VSP_SHAPE_MESH, scales[0]);
    hash = vsp_world_hash(world);
    size = save_world(world, 0);
    world->shapes[0].size.x = r_read(VSP_R(0.03));
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    CHECK(vsp_world_hash(world) != hash);
    CHECK_STATUS(VSP_ERR_DATA,
                 vsp_world_restore(world, saved(1), save_world(world, 1)));
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    CHECK_HEX(hash, vsp_world_hash(world));
}


/* ---- Drawing ------------------------------------------------------------- */

#if VSP_DRAW

/* Triangles of a scaled mesh are those of the table of that size; those of a
 * mirrored field show their fronts upwards. */
static void scaled_shapes_are_drawn(void)
{
    static const double none[3] = {0, 0, 0};
    static drawn_points scaled, plain;

    for (size_t i = 0; i < SCALES; i++) {
        test_note("scale %d", (int)i);
        world = new_world();
        add_surface(&mesh_run, VSP_SHAPE_MESH, scales[i]);
        draw_shapes(world, &scaled);
        if (!bake_mesh(&mesh_run, scales[i]))
            return;
        world = new_world();
        add_surface(&baked.mesh, VSP_SHAPE_MESH, none);
        draw_shapes(world, &plain);
        CHECK_UINT(plain.count, scaled.count);
        CHECK(plain.count > 0 &&
              memcmp(plain.points, scaled.points,
                     plain.count * sizeof *plain.points) == 0);
    }
    world = new_world();
    add_surface(&field_hills, VSP_SHAPE_HEIGHT_FIELD, scales[3]);
    draw_shapes(world, &scaled);
    CHECK_AT_LEAST(100, scaled.count);
    for (uint32_t i = 0; i < scaled.count; i += 3) {
        const vsp_vec3 *p = scaled.points + i;
        double x1 = num(p[1].x - p[0].x), x2 = num(p[2].x - p[0].x);
        double z1 = num(p[1].z - p[0].z), z2 = num(p[2].z - p[0].z);

        CHECK_AT_LEAST(0.5, z1 * x2 - x1 * z2); /* the normal's y */
    }
}

#endif


/* ---- Hulls --------------------------------------------------------------- */

#if VSP_MAX_RUNTIME_HULLS > 0

static void hulls_are_scaled_into_runtime_hulls(void)
{
    vsp_vec3 points[VSP_MAX_HULL_POINTS];
    double volume = float_number(hull_wedge.bulk.volume);
    uint32_t count, table;
    vsp_hull hull;

    world = new_world();
    for (size_t i = 0; i < SCALES; i++) {
        const double *s = scales[i];
        double size = fabs(s[0] * s[1] * s[2]) * volume;

        CHECK_STATUS(VSP_OK,
                     vsp_hull_scale(&hull_wedge, real3(s[0], s[1], s[2]),
                                    points, &count));
        CHECK_STATUS(VSP_OK, vsp_hull_create(world, points, count, &table));
        CHECK_STATUS(VSP_OK, vsp_hull_get(world, table, &hull));
        CHECK_UINT(hull_wedge.face_count, hull.face_count);
        CHECK_NEAR(size, float_number(hull.bulk.volume), 1e-4 * size);
        CHECK_NEAR(s[0] * hull_wedge.bulk.center.x / VSP_PLACE,
                   (double)hull.bulk.center.x / VSP_PLACE, 1e-5);
        CHECK_NEAR(s[1] * hull_wedge.bulk.center.y / VSP_PLACE,
                   (double)hull.bulk.center.y / VSP_PLACE, 1e-5);
        CHECK_STATUS(VSP_OK, vsp_hull_destroy(world, table));
    }
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_hull_scale(NULL, real3(1, 1, 1), points, &count));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_hull_scale(&hull_wedge, real3(1, 1, 1), NULL, &count));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_hull_scale(&hull_wedge, real3(1, 1, 1), points, NULL));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_hull_scale(&hull_wedge, real3(1, 0, 1), points, &count));
    CHECK_UINT(0, count);
    CHECK_STATUS(VSP_ERR_ARG, vsp_hull_scale(&hull_prism, real3(1, 1, 1),
                                             points, &count)); /* 48 */
    hull.kind = 0;
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_hull_scale(&hull, real3(1, 1, 1), points, &count));
}

#endif

static const test tests[] = {
    TEST(scaled_meshes_are_those_of_a_size),
#if VSP_QUERIES
    TEST(rays_hit_scaled_surfaces),
    TEST(balls_lie_on_scaled_fields),
#endif
    TEST(boxes_slide_down_mirrored_ramps),
    TEST(buried_balls_find_the_ground_above),
    TEST(bad_scales_are_refused),
    TEST(restores_change_nothing),
    TEST(worlds_with_bad_scales_are_not_valid),
#if VSP_DRAW
    TEST(scaled_shapes_are_drawn),
#endif
#if VSP_MAX_RUNTIME_HULLS > 0
    TEST(hulls_are_scaled_into_runtime_hulls),
#endif
    TEST_END,
};

#else

static const test tests[] = {TEST_END};

#endif /* VSP_SCALES */

const test_suite scale_suite = {"scale", tests};
