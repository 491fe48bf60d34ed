/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Solids that the host tool breaks: pieces are tables that a world accepts,
 * fill the solid once and no more, and are joined where they touch. */

#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "port/geometry/exact_points.h"
#include "port/geometry/fracture.h"
#include "port/geometry/implicit_surface.h"
#include "port/geometry/mass_properties.h"
#include "port/geometry/mesh_distance.h"
#include "port/geometry/seams.h"
#include "port/geometry/standard_shapes.h"
#include "port/scenes/tables.h"
#include "scene_fixture.h"

static fracture_storage broken;
static uint32_t dice;

/* random, from low to high */
static double throw_dice(double low, double high)
{
    dice = dice * 1664525u + 1013904223u;
    return low + (high - low) * (dice >> 8) / 16777216.0;
}

static const char *break_form(const form *it, uint32_t cells, uint32_t seed)
{
    fracture_options options = fracture_options_default();

    options.cells = cells;
    options.seed = seed;
    return fracture_build(&broken, it->points, it->point_count, it->triangles,
                          it->triangle_count, &options);
}

/* Breaks a shape into so many cells; free the result. */
static bool breaks(const form *it, uint32_t cells, uint32_t seed)
{
    const char *error = break_form(it, cells, seed);

    test_note("%u cells, seed %u: %s", (unsigned)cells, (unsigned)seed,
              error ? error : "");
    return CHECK(!error);
}

/* Adds a shape to another, displaced, and turned inside out if it is a
 * hollow. */
static form add_form(form to, form other, vec3 move, bool is_hollow)
{
    form out;
    uint32_t first = (uint32_t)to.point_count;

    memset(&out, 0, sizeof out);
    out.points = malloc((to.point_count + other.point_count) *
                        sizeof *out.points);
    out.triangles = malloc((to.triangle_count + other.triangle_count) *
                           sizeof *out.triangles);
    if (!CHECK(out.points && out.triangles))
        abort();
    for (size_t i = 0; i < to.point_count; i++)
        out.points[out.point_count++] = to.points[i];
    for (size_t i = 0; i < other.point_count; i++)
        out.points[out.point_count++] = vec_add(other.points[i], move);
    for (size_t i = 0; i < to.triangle_count; i++)
        memcpy(out.triangles[out.triangle_count++], to.triangles[i],
               sizeof *out.triangles);
    for (size_t i = 0; i < other.triangle_count; i++) {
        uint32_t *corner = out.triangles[out.triangle_count++];

        for (int k = 0; k < 3; k++)
            corner[k] = first + other.triangles[i][is_hollow ? 2 - k : k];
    }
    form_free(&to);
    form_free(&other);
    return out;
}


/* ---- Conditions on all pieces -------------------------------------------- */

static double volume_of_piece(size_t i)
{
    return float_number(broken.hulls[i].hull.bulk.volume);
}

/* Returns how far a point is outside of a piece, m; below 0: inside. */
static double height_over_piece(size_t i, vec3 point)
{
    const vsp_hull *it = &broken.hulls[i].hull;
    vec3 local = vec_sub(point, place_meters(broken.places[i]));
    double most = -HUGE_VAL;

    for (int k = 0; k < it->face_count; k++) {
        vec3 n = vec_make(it->planes[k].x, it->planes[k].y, it->planes[k].z);

        most = fmax(most, vec_dot(n, local) / VSP_DIRECTION -
                              (double)it->planes[k].offset / VSP_PLACE);
    }
    return most;
}

/* Checks that a world accepts each hull: it is closed, convex, and has the
 * right mass data. */
static void check_piece_tables(void)
{
    for (size_t i = 0; i < broken.piece_count; i++) {
        uint32_t index;
        vsp_flaw flaw = VSP_FLAW_NONE;

        test_note("piece %u of %u", (unsigned)i, (unsigned)broken.piece_count);
        CHECK_STATUS(VSP_OK,
                     vsp_world_add_table(new_world(), &broken.hulls[i].hull,
                                         &index, &flaw));
        CHECK_UINT(VSP_FLAW_NONE, flaw);
    }
    test_note("");
}

/* Checks that the volumes of all pieces add up to that of the solid plus the
 * excess of hulls. */
static void check_volume(double volume, double tolerance)
{
    double sum = broken.lost - broken.excess;

    for (size_t i = 0; i < broken.piece_count; i++)
        sum += volume_of_piece(i);
    CHECK_NEAR(volume, broken.volume, tolerance * volume);
    CHECK_NEAR(volume, sum, tolerance * volume);
    CHECK_AT_MOST(FRACTURE_EXCESS * volume, broken.excess);
    CHECK_AT_MOST(0.005 * volume, broken.lost);
}

/* Checks that the centre of each seam is on the surface of both pieces, and
 * that pieces are sorted and touch. */
static void check_seams(double slack)
{
    for (size_t i = 0; i < broken.seam_count; i++) {
        const fracture_seam *seam = &broken.seams[i];
        vec3 at = place_meters(seam->at);

        test_note("seam %u of pieces %u and %u", (unsigned)i, seam->a, seam->b);
        CHECK(seam->a < seam->b && seam->b < broken.piece_count);
        CHECK(i == 0 || seam[-1].a < seam->a ||
              (seam[-1].a == seam->a && seam[-1].b <= seam->b));
        CHECK(seam->area > 0 && seam->lever > 0);
        CHECK_NEAR(0, height_over_piece(seam->a, at), slack);
        CHECK_NEAR(0, height_over_piece(seam->b, at), slack);
    }
    test_note("");
}

/* Checks random points of the solid: each is in a piece, and none deep in
 * two. */
static void check_strewn(const form *it, int tries)
{
    distance_mesh mesh;

    if (!CHECK(distance_begin(&mesh, it->points, it->triangles,
                              it->triangle_count)))
        return;
    for (int i = 0; i < tries; i++) {
        vec3 a = it->points[(size_t)throw_dice(0, (double)it->point_count)];
        vec3 b = it->points[(size_t)throw_dice(0, (double)it->point_count)];
        vec3 p = vec_mad(a, throw_dice(0, 1), vec_sub(b, a)), nearest;
        uint32_t near = 0, deep = 0;

        for (size_t k = 0; k < broken.piece_count; k++) {
            double height = height_over_piece(k, p);

            near += height < 1e-4 + broken.outside;
            deep += height < -1e-4;
        }
        test_note("point %g %g %g", p.x, p.y, p.z);
        CHECK_AT_MOST(1, deep);
        if (distance_signed(&mesh, p, &nearest) < 0)
            CHECK_AT_LEAST(1, near);
    }
    test_note("");
    distance_free(&mesh);
}

/* Checks all conditions on pieces of a few cells. */
static void check_pieces(const form *it, double volume)
{
    check_piece_tables();
    check_volume(volume, 1e-4);
    check_strewn(it, 300);
    CHECK_AT_MOST(2e-5, broken.overlap);
}


/* ---- Convex solids ------------------------------------------------------- */

static double surface_of_piece(size_t i)
{
    const vsp_hull *it = &broken.hulls[i].hull;
    double sum = 0;

    for (int k = 0; k < it->face_count; k++) {
        const uint8_t *corner = it->corners + it->first[k];
        vec3 twice = vec_make(0, 0, 0);

        for (int j = 2; j < it->first[k + 1] - it->first[k]; j++)
            twice = vec_add(
                twice, place_direction(place_normal(it->vertices[corner[0]],
                                                    it->vertices[corner[j - 1]],
                                                    it->vertices[corner[j]])));
        sum += vec_length(twice) / 2;
    }
    return sum / VSP_PLACE / VSP_PLACE;
}

/* Each cell must be a piece, and all surface that is not the cube's must be in
 * two seams. */
static void cube_in_cells(void)
{
    static const uint32_t cells[] = {1, 2, 3, 20, 100};
    form cube = form_box(1, 1, 1);

    for (uint32_t i = 0; i < COUNT_OF(cells); i++) {
        double surface = 0;

        if (!breaks(&cube, cells[i], i))
            continue;
        CHECK_UINT(cells[i], (uint32_t)broken.piece_count);
        check_pieces(&cube, 8);
        check_seams(2e-5);
        for (size_t k = 0; k < broken.piece_count; k++)
            surface += surface_of_piece(k);
        for (size_t k = 0; k < broken.seam_count; k++)
            surface -= 2 * broken.seams[k].area;
        CHECK_NEAR(24, surface, 0.02);
        CHECK_NEAR(0, broken.lost, 0);
        fracture_free(&broken);
    }
    form_free(&cube);
}

/* Cuts a box in the middle and finds the seam. */
static void seam_of_halves(void)
{
    static const cut_plane halves[2] = {{{1, 0, 0}, 0.25}, {{-1, 0, 0}, -0.25}};
    form box = form_box(1, 0.5, 0.25);
    polyhedron whole, parts[2];
    fracture_seam *seams;
    size_t count;

    if (!CHECK(!poly_read(&whole, box.points, box.point_count, box.triangles,
                          box.triangle_count)))
        return;
    CHECK_NEAR(1, poly_volume(&whole, NULL), 1e-9);
    for (int i = 0; i < 2; i++)
        poly_cut(&parts[i], &whole, &halves[i], 7);
    CHECK_NEAR(0.625, poly_volume(&parts[0], NULL), 1e-9);
    CHECK_NEAR(0.375, poly_volume(&parts[1], NULL), 1e-9);
    CHECK(find_seams(parts, 2, &seams, &count));
    CHECK_UINT(1, (uint32_t)count);
    CHECK_NEAR(0.5, seams[0].area, 1e-9);
    CHECK_NEAR(0.5 / sqrt(12.0) / 2, seams[0].lever, 1e-9);
    CHECK_NEAR(0.25 * VSP_PLACE, seams[0].at.x, 1);
    CHECK_NEAR(0, seams[0].at.y, 1);
    CHECK_NEAR(0, seams[0].at.z, 1);
    free(seams);
    poly_free(&parts[0]);
    poly_free(&parts[1]);
    poly_free(&whole);
    form_free(&box);
}


/* ---- Other solids -------------------------------------------------------- */

static void break_all(const form *it, double volume, uint32_t least)
{
    static const uint32_t cells[] = {1, 5, 30};

    for (uint32_t i = 0; i < COUNT_OF(cells); i++) {
        if (!breaks(it, cells[i], i + 1))
            continue;
        CHECK_AT_LEAST(least, (double)broken.piece_count);
        check_pieces(it, volume);
        check_seams(0.01);
        fracture_free(&broken);
    }
}

static void put_quad_of(form *it, uint32_t a, uint32_t b, uint32_t c,
                        uint32_t d)
{
    const uint32_t corners[6] = {a, b, c, a, c, d};

    memcpy(it->triangles + it->triangle_count, corners, sizeof corners);
    it->triangle_count += 2;
}

/* Cubes that do not touch, so they are parts of one cell; and a hollow in a
 * cube. */
static void parts_and_hollows(void)
{
    form two = add_form(form_box(1, 1, 1), form_box(1, 1, 1),
                        vec_make(5, 0.5, 0), false);
    form room = add_form(form_box(1, 1, 1), form_box(0.5, 0.5, 0.5),
                         vec_make(0.1, 0, 0), true);

    break_all(&two, 16, 2);
    break_all(&room, 7, 4);
    form_free(&two);
    form_free(&room);
}

/* A trough, 3 m wide and high, 1 m thick and long. */
static form form_trough(void)
{
    static const double outline[8][2] = {{0, 0}, {3, 0}, {3, 3}, {2, 3},
                                         {2, 1}, {1, 1}, {1, 3}, {0, 3}};
    static const uint32_t front[3][4] = {
        {0, 1, 4, 5}, {1, 2, 3, 4}, {0, 5, 6, 7}};
    form it = form_plane(3, 3, 1); /* large enough: 16 points, 18 triangles */

    it.point_count = it.triangle_count = 0;
    it.triangles = realloc(it.triangles, 28 * sizeof *it.triangles);
    if (!CHECK(it.triangles))
        abort();
    for (uint32_t i = 0; i < 16; i++)
        it.points[it.point_count++] = vec_make(
            outline[i % 8][0], outline[i % 8][1], i < 8 ? 1 : 0);
    for (uint32_t i = 0; i < 8; i++)
        put_quad_of(&it, i, i + 8, (i + 1) % 8 + 8, (i + 1) % 8);
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t *c = front[i];

        put_quad_of(&it, c[0], c[1], c[2], c[3]);
        put_quad_of(&it, c[3] + 8, c[2] + 8, c[1] + 8, c[0] + 8);
    }
    return it;
}

static void trough_in_pieces(void)
{
    form trough = form_trough();

    break_all(&trough, 7, 3);
    form_free(&trough);
}

/* Returns six times the volume below a line between two rings, per area of a
 * polygon of radius 1. */
static double ring_volume(double r, double y, double s, double z)
{
    return (z - y) * (r * r + r * s + s * s) / 3;
}

static void vase_in_pieces(void)
{
    form vase = form_vase();
    double outside = ring_volume(0.24, 0, 0.48, 0.56) +
                     ring_volume(0.48, 0.56, 0.28, 1.12);
    double inside = ring_volume(0.18, 0.12, 0.36, 0.56) +
                    ring_volume(0.36, 0.56, 0.16, 1.12);

    break_all(&vase, 3.5 * sin(2 * PI / 7) * (outside - inside), 14);
    form_free(&vase);
}

static void ring_in_pieces(void)
{
    fracture_options options = fracture_options_default();
    obj_mesh mesh;
    form ring;

    if (!CHECK(make_torus_mesh(&mesh, 0.5, 0.2)))
        return;
    memset(&ring, 0, sizeof ring);
    ring.points = mesh.points;
    ring.triangles = mesh.triangles;
    ring.point_count = mesh.point_count;
    ring.triangle_count = mesh.triangle_count;
    options.excess = 0.1;
    options.cells = 12;
    if (CHECK(!fracture_build(&broken, mesh.points, mesh.point_count,
                              mesh.triangles, mesh.triangle_count, &options))) {
        CHECK_NEAR(2 * PI * PI * 0.5 * 0.2 * 0.2, broken.volume, 0.01);
        check_piece_tables();
        check_strewn(&ring, 300);
        CHECK_AT_MOST(0.1 * broken.volume, broken.excess);
        CHECK_AT_MOST(1e-4, broken.overlap);
        fracture_free(&broken);
    }
    obj_free(&mesh);
}


/* ---- Text ---------------------------------------------------------------- */

static void write_vase(table_text *text, uint32_t seed)
{
    static const table_origin origin = {"vase", "a test", NULL};
    form vase = form_vase();

    memset(text, 0, sizeof *text);
    if (breaks(&vase, 10, seed)) {
        fracture_write(text, &origin, &broken);
        fracture_free(&broken);
    }
    form_free(&vase);
}

static void same_bytes_twice(void)
{
    table_text first, again, other;

    write_vase(&first, 3);
    write_vase(&other, 4);
    write_vase(&again, 3);
    CHECK(!first.is_lost && first.size > 1000);
    CHECK_UINT((uint32_t)first.size, (uint32_t)again.size);
    CHECK(strcmp(first.bytes, again.bytes) == 0);
    CHECK(strcmp(first.bytes, other.bytes) != 0);
    table_free(&first);
    table_free(&again);
    table_free(&other);
}

/* The table that scenes use. */
static void compiled_vase(void)
{
    double volume = 0;

    CHECK_NEAR(1e6, num(broken_vase.strength), 0);
    for (uint32_t i = 0; i < broken_vase.piece_count; i++)
        volume += float_number(broken_vase.pieces[i].hull->bulk.volume);
    CHECK_NEAR(0.2326, volume, 0.0005);
    CHECK(broken_vase.seam_count >= broken_vase.piece_count);
    for (uint32_t i = 0; i < broken_vase.seam_count; i++) {
        const vsp_seam *it = &broken_vase.seams[i];

        test_note("seam %u", i);
        CHECK(it->a < it->b && it->b < broken_vase.piece_count);
        CHECK(num(it->area) > 0 && num(it->lever) > 0);
    }
}


/* ---- Refusals ------------------------------------------------------------ */

static void check_unbroken(const form *it, uint32_t cells, const char *part)
{
    const char *error = break_form(it, cells, 1);

    test_note("expected '%s', got '%s'", part, error ? error : "no error");
    CHECK(error && strstr(error, part));
    CHECK(!broken.hulls && !broken.places && !broken.seams);
    fracture_free(&broken);
}

static void solids_that_are_none(void)
{
    form it = form_box(1, 1, 1);
    uint32_t *corner;

    it.triangle_count--;
    check_unbroken(&it, 5, "not closed");
    it.triangle_count = 0;
    check_unbroken(&it, 5, "no triangle");
    it.triangle_count = 12;
    it.points[3].y = 101;
    check_unbroken(&it, 5, "100 m");
    it.points[3].y = (double)NAN;
    check_unbroken(&it, 5, "100 m");
    form_free(&it);

    it = form_box(1, 1, 1);
    corner = it.triangles[4];
    corner[0] ^= corner[1];
    corner[1] ^= corner[0];
    corner[0] ^= corner[1];
    check_unbroken(&it, 5, "turned over");
    form_free(&it);

    it = add_form(form_box(1, 1, 1), form_box(2, 2, 2), vec_make(0, 0, 0),
                  true);
    check_unbroken(&it, 5, "inside out");
    form_free(&it);

    it = form_box(1, 1, 0);
    check_unbroken(&it, 5, "flat");
    form_free(&it);
}

/* A sheet thinner than any table, and a rod that random points do not hit. */
static void solids_too_thin(void)
{
    form sheet = form_box(1, 1, 0.0003), rod = form_box(60, 0.004, 0.004);

    check_unbroken(&sheet, 2, "too thin for pieces");
    for (size_t i = 0; i < rod.point_count; i++) {
        vec3 p = rod.points[i];

        rod.points[i] = vec_make(p.x, 0.9 * p.x + p.y, -0.8 * p.x + p.z);
    }
    check_unbroken(&rod, 2, "no places");
    form_free(&sheet);
    form_free(&rod);
}

static void too_many_pieces(void)
{
    form vase = form_vase();

    check_unbroken(&vase, 1000, "more than 1000 pieces");
    form_free(&vase);
}

/* If a hull may fill a trough, it overlaps bodies inside the trough. */
static void pieces_that_overlap(void)
{
    fracture_options options = fracture_options_default();
    form it = add_form(form_trough(), form_box(0.3, 0.3, 0.3),
                       vec_make(1.5, 2, 0.5), false);
    const char *error;

    options.cells = 1;
    options.excess = 0.5;
    error = fracture_build(&broken, it.points, it.point_count, it.triangles,
                           it.triangle_count, &options);
    test_note("got '%s'", error ? error : "no error");
    CHECK(error && strstr(error, "two pieces would overlap"));
    fracture_free(&broken);
    CHECK(!break_form(&it, 1, 1));
    CHECK_UINT(4, (uint32_t)broken.piece_count);
    CHECK_AT_MOST(2e-5, broken.overlap);
    fracture_free(&broken);
    form_free(&it);
}


/* ---- Scenes -------------------------------------------------------------- */

static uint32_t count_joints(const vsp_world *world, bool is_broken)
{
    uint32_t count = 0;

    for (uint32_t slot = 0; slot < VSP_MAX_JOINTS; slot++) {
        vsp_joint_state state;

        if (vsp_joint_read(world, vsp_joint_at(world, slot), &state) == VSP_OK)
            count += state.is_broken == is_broken;
    }
    return count;
}

/* Checks that none of its joints breaks before step `from`, and some do by step
 * `to`, but not all. */
static void check_scene(const char *name, uint32_t from, uint32_t to)
{
    static scene_run run;

    if (!play_start(&run, name))
        return;
    play_steps(&run, 0, from);
    CHECK_UINT(0, count_joints(run.world, true));
    play_steps(&run, from, to);
    CHECK_AT_LEAST(10, count_joints(run.world, true));
    CHECK_AT_LEAST(5, count_joints(run.world, false));
}

static void scenes_break(void)
{
    check_scene("vase", 2, 60);
    check_scene("vase@30", 2, 60);
    check_scene("shot-wall:15", 6, 60);
}

/* A wall takes no more momentum than its mortar can transmit: a ball of 0.9 t
 * that hits it at 30 m/s continues at more than 20, and most of the wall
 * stays. */
static void check_shot(const char *name)
{
    static scene_run run;

    test_note("%s", name);
    if (!play_start(&run, name))
        return;
    play_steps(&run, 0, 40);
    CHECK_AT_MOST(-20, mark_velocity(&run, 0).z);
    CHECK_AT_LEAST(-29.9, mark_velocity(&run, 0).z);
    CHECK_AT_LEAST(120, count_joints(run.world, false));
}

static void a_shot_goes_through_a_wall(void)
{
    check_shot("shot-wall:15");
    check_shot("shot-wall:15^1e-5");
    check_shot("shot-wall:15~1");
}

/* Mortar carries the wall while nothing hits it. */
static void wall_stands(void)
{
    static scene_run run;

    if (!play_start(&run, "shot-wall:12"))
        return;
    for (int i = 0; i < 200; i++)
        CHECK_STATUS(VSP_OK, vsp_world_step(run.world));
    CHECK_UINT(0, count_joints(run.world, true));
}


static const test tests[] = {
    TEST(cube_in_cells),       TEST(seam_of_halves),
    TEST(parts_and_hollows),   TEST(vase_in_pieces),
    TEST_SLOW(ring_in_pieces), TEST(same_bytes_twice),
    TEST(compiled_vase),       TEST(solids_that_are_none),
    TEST(solids_too_thin),     TEST(too_many_pieces),
    TEST(trough_in_pieces),    TEST(pieces_that_overlap),
    TEST_SLOW(scenes_break),   TEST_SLOW(a_shot_goes_through_a_wall),
    TEST(wall_stands),         TEST_END,
};

const test_suite fracture_suite = {"fracture", tests};
