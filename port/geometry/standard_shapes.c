/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Shapes by formulas, in this order: memory, hulls, meshes, shells, heights;
 * then the tables made of them.  Sines may differ in their last place between
 * libms; rounding removes the difference. */

#include "standard_shapes.h"

#include <stdlib.h>
#include <string.h>

#include "fracture.h"
#include "implicit_surface.h"
#include "sdf.h"

static const char out_of_memory[] = "out of memory";


/* ---- Memory -------------------------------------------------------------- */

static form new_form(size_t points, size_t triangles)
{
    form it;

    memset(&it, 0, sizeof it);
    it.points = malloc(points * sizeof *it.points);
    it.triangles = malloc((triangles + 1) * sizeof *it.triangles);
    it.is_lost = !it.points || !it.triangles;
    return it;
}

void form_free(form *it)
{
    free(it->points);
    free(it->triangles);
    memset(it, 0, sizeof *it);
}

static void put_point(form *it, double x, double y, double z)
{
    it->points[it->point_count++] = vec_make(x, y, z);
}

static void put_triangle(form *it, int a, int b, int c)
{
    uint32_t *to = it->triangles[it->triangle_count++];

    to[0] = (uint32_t)a;
    to[1] = (uint32_t)b;
    to[2] = (uint32_t)c;
}

/* Adds a quad as two triangles; the diagonal is from a to c. */
static void put_quad(form *it, int a, int b, int c, int d)
{
    put_triangle(it, a, b, c);
    put_triangle(it, a, c, d);
}


/* ---- Hulls --------------------------------------------------------------- */

form form_box(double x, double y, double z)
{
    form it = new_form(8, 12);

    if (it.is_lost)
        return it;
    for (int i = 0; i < 8; i++)
        put_point(&it, i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    put_quad(&it, 0, 4, 6, 2);
    put_quad(&it, 1, 3, 7, 5);
    put_quad(&it, 0, 1, 5, 4);
    put_quad(&it, 2, 6, 7, 3);
    put_quad(&it, 0, 2, 3, 1);
    put_quad(&it, 4, 5, 7, 6);
    return it;
}

static void put_ring(form *it, int sides, double radius, double height)
{
    for (int i = 0; i < sides; i++) {
        double angle = 2.0 * PI * i / sides;

        put_point(it, radius * cos(angle), height, radius * sin(angle));
    }
}

form form_prism(int sides, double radius, double half)
{
    form it = new_form((size_t)sides * 2, 0);

    if (it.is_lost)
        return it;
    put_ring(&it, sides, radius, -half);
    put_ring(&it, sides, radius, half);
    return it;
}

form form_cone(int sides, double radius, double half)
{
    form it = new_form((size_t)sides + 1, 0);

    if (it.is_lost)
        return it;
    put_ring(&it, sides, radius, -half);
    put_point(&it, 0, half, 0);
    return it;
}

/* An icosahedron: the corners of three golden rectangles. */
form form_ball(double radius)
{
    form it = new_form(12, 0);
    double golden = (1.0 + sqrt(5.0)) / 2.0;
    double small = radius / sqrt(1.0 + golden * golden);
    double large = small * golden;

    for (int i = 0; i < 4 && !it.is_lost; i++) {
        double a = i & 1 ? small : -small, b = i & 2 ? large : -large;

        put_point(&it, a, b, 0);
        put_point(&it, 0, a, b);
        put_point(&it, b, 0, a);
    }
    return it;
}

form form_wedge(double x, double y, double z)
{
    form it = new_form(6, 0);

    for (int i = 0; i < 2 && !it.is_lost; i++) {
        double side = i ? z : -z;

        put_point(&it, -x, -y, side);
        put_point(&it, x, -y, side);
        put_point(&it, x, y, side);
    }
    return it;
}


/* ---- Meshes -------------------------------------------------------------- */

/* Adds the cells of a grid of points in rows along z, with diagonals like those
 * of a height field. */
static void put_cells(form *it, int columns, int rows)
{
    for (int k = 0; k < rows; k++)
        for (int i = 0; i < columns; i++) {
            int low = k * (columns + 1) + i, high = low + columns + 1;

            put_quad(it, low, high, high + 1, low + 1);
        }
}

form form_plane(int columns, int rows, double cell)
{
    form it = new_form((size_t)(columns + 1) * (size_t)(rows + 1),
                       (size_t)columns * (size_t)rows * 2);

    if (it.is_lost)
        return it;
    for (int k = 0; k <= rows; k++)
        for (int i = 0; i <= columns; i++)
            put_point(&it, (i - 0.5 * columns) * cell, 0,
                      (k - 0.5 * rows) * cell);
    put_cells(&it, columns, rows);
    return it;
}

#define RUN_SECTIONS 50
#define RUN_LENGTH 9.0 /* length along x, m */
#define RUN_SWING 0.9  /* amplitude of the bends, m */

/* Half of a cross section of the chute: distance from the middle, height, and
 * additional height on the outer side of a bend. */
static const double run_profile[3][3] = {
    {0.15, 0, 0}, {0.4, 0.15, 0.05}, {0.6, 0.5, 0.5}};

form form_run(void)
{
    form it = new_form(6 * (RUN_SECTIONS + 1), RUN_SECTIONS * 10);

    for (int k = 0; k < 6 && !it.is_lost; k++)
        for (int i = 0; i <= RUN_SECTIONS; i++) {
            double way = (double)i / RUN_SECTIONS;
            double phase = 2.0 * PI * way;
            double turn = RUN_SWING * 2.0 * PI / RUN_LENGTH * cos(phase);
            double length = sqrt(1.0 + turn * turn);
            double side = k < 3 ? -1.0 : 1.0;
            const double *at = run_profile[k < 3 ? 2 - k : k - 3];
            double out = side * at[0];
            double bank = fmax(side * sin(phase), 0.0);

            put_point(&it, RUN_LENGTH * (way - 0.5) - out * turn / length,
                      4.5 - 4.0 * way + at[1] + bank * at[2],
                      RUN_SWING * sin(phase) + out / length);
        }
    if (!it.is_lost)
        put_cells(&it, RUN_SECTIONS, 5);
    return it;
}

/* The profile of a vase: radius and height, up outside, down inside. */
static const double vase_profile[][2] = {
    {0, 0},       {0.24, 0},    {0.48, 0.56}, {0.28, 1.12},
    {0.16, 1.12}, {0.36, 0.56}, {0.18, 0.12}, {0, 0.12},
};

#define VASE_RINGS ((int)(sizeof vase_profile / sizeof vase_profile[0]))
#define VASE_SIDES 7

form form_vase(void)
{
    form it = new_form(VASE_RINGS * VASE_SIDES, 2 * VASE_RINGS * VASE_SIDES);

    for (int k = 0; k < VASE_RINGS && !it.is_lost; k++)
        put_ring(&it, VASE_SIDES, vase_profile[k][0], vase_profile[k][1]);
    for (int k = 0; k + 1 < VASE_RINGS && !it.is_lost; k++)
        for (int i = 0; i < VASE_SIDES; i++) {
            int low = k * VASE_SIDES + i;
            int next = k * VASE_SIDES + (i + 1) % VASE_SIDES;

            put_quad(&it, low, low + VASE_SIDES, next + VASE_SIDES, next);
        }
    return it;
}


/* ---- Shells -------------------------------------------------------------- */

/* Adds the cells between two rings of points; low and high are the rings' first
 * points. */
static void put_belt(form *it, int sides, int low, int high)
{
    for (int i = 0; i < sides; i++) {
        int next = (i + 1) % sides;

        put_quad(it, low + i, high + i, high + next, low + next);
    }
}

form form_ring(int sides, double radius, double width)
{
    form it = new_form((size_t)sides * 2, (size_t)sides * 2);

    if (it.is_lost)
        return it;
    put_ring(&it, sides, radius, -0.5 * width);
    put_ring(&it, sides, radius, 0.5 * width);
    put_belt(&it, sides, 0, sides);
    return it;
}

form form_bowl(int sides, int rings, double radius, double angle)
{
    form it = new_form((size_t)sides * (size_t)rings + 1,
                       (size_t)sides * ((size_t)rings * 2 - 1));

    if (it.is_lost)
        return it;
    for (int k = 1; k <= rings; k++) {
        double at = angle * k / rings;

        put_ring(&it, sides, radius * sin(at), -radius * cos(at));
        if (k > 1)
            put_belt(&it, sides, (k - 2) * sides, (k - 1) * sides);
    }
    put_point(&it, 0, -radius, 0);
    for (int i = 0; i < sides; i++)
        put_triangle(&it, rings * sides, i, (i + 1) % sides);
    return it;
}

#define LEAF_COLUMNS 6
#define LEAF_ROWS 4

form form_leaf(void)
{
    form it = form_plane(LEAF_COLUMNS, LEAF_ROWS, 1);

    for (size_t i = 0; i < it.point_count; i++) {
        double x = it.points[i].x / LEAF_COLUMNS;
        double z = it.points[i].z / LEAF_ROWS;
        double width = cos(0.84 * PI * x); /* blunt at both ends */

        it.points[i] = vec_make(0.6 * x,
                                0.08 * cos(2.5 * x) + 0.04 * fabs(z) * width,
                                0.3 * z * width);
    }
    return it;
}

#define BOAT_RIBS 3

form form_boat(void)
{
    static const double at[BOAT_RIBS] = {-0.26, 0.0, 0.18};
    static const double wide[BOAT_RIBS] = {0.12, 0.16, 0.11};
    form it = new_form(3 * BOAT_RIBS + 1, 4 * BOAT_RIBS - 1);

    if (it.is_lost)
        return it;
    for (int i = 0; i < BOAT_RIBS; i++) {
        put_point(&it, at[i], 0.14, wide[i]);
        put_point(&it, at[i], 0, 0); /* keel */
        put_point(&it, at[i], 0.14, -wide[i]);
    }
    put_point(&it, 0.3, 0.16, 0); /* bow */
    put_triangle(&it, 0, 1, 2);   /* stern */
    for (int i = 0; i + 1 < BOAT_RIBS; i++) {
        put_quad(&it, 3 * i, 3 * i + 3, 3 * i + 4, 3 * i + 1);
        put_quad(&it, 3 * i + 1, 3 * i + 4, 3 * i + 5, 3 * i + 2);
    }
    put_triangle(&it, 3 * BOAT_RIBS - 3, 3 * BOAT_RIBS, 3 * BOAT_RIBS - 2);
    put_triangle(&it, 3 * BOAT_RIBS - 2, 3 * BOAT_RIBS, 3 * BOAT_RIBS - 1);
    return it;
}

form form_standing_triangle(void)
{
    form it = new_form(3, 1);

    if (it.is_lost)
        return it;
    put_point(&it, -0.25, 0, 0);
    put_point(&it, 0.25, 0, 0);
    put_point(&it, 0, 0.433, 0);
    put_triangle(&it, 0, 1, 2);
    return it;
}


/* ---- Heights ------------------------------------------------------------- */

bool form_hills(field_heights *out, uint32_t columns, uint32_t rows)
{
    memset(out, 0, sizeof *out);
    out->columns = columns;
    out->rows = rows;
    out->numbers = malloc((size_t)columns * rows * sizeof *out->numbers);
    for (size_t i = 0; out->numbers && i < (size_t)columns * rows; i++) {
        double x = (double)(i % columns), z = (double)(i / columns);

        out->numbers[i] = 1.2 * sin(0.45 * x) * cos(0.35 * z) +
                          0.4 * sin(1.1 * x + 0.7 * z) + 0.05 * z;
    }
    return out->numbers != NULL;
}


/* ---- Tables -------------------------------------------------------------- */

const char *const form_names[FORM_COUNT] = {
    "hull_box",    "hull_prism",  "hull_cone",      "hull_ball",  "hull_wedge",
    "mesh_plane",  "mesh_run",    "field_hills",    "sdf_animal", "sdf_letters",
    "broken_vase", "shell_plate", "shell_leaf",     "shell_ring", "shell_bowl",
    "shell_boat",  "shell_tub",   "shell_triangle",
};

static const char notice[] =
    "/* SPDX-License-Identifier: MIT\n"
    " * SPDX-FileCopyrightText: 2026 The VSP authors */\n";

static const char *write_hull(table_text *text, const table_origin *origin,
                              form it)
{
    static hull_storage out;
    const char *error = it.is_lost
                            ? out_of_memory
                            : hull_build(&out, it.points, it.point_count, 0);

    form_free(&it);
    if (!error)
        hull_write(text, origin, &out.hull);
    return error;
}

static const char *write_mesh(table_text *text, const table_origin *origin,
                              form it)
{
    mesh_storage out;
    const char *error = it.is_lost ? out_of_memory
                                   : mesh_build(&out, it.points, it.point_count,
                                                it.triangles, it.triangle_count,
                                                MESH_LEAF);

    form_free(&it);
    if (error)
        return error;
    mesh_write(text, origin, &out.mesh);
    mesh_free(&out);
    return NULL;
}

static const char *write_shell(table_text *text, const table_origin *origin,
                               form it)
{
    shell_storage out;
    const char *error = it.is_lost ? out_of_memory
                                   : shell_build(&out, it.points,
                                                 it.point_count, it.triangles,
                                                 it.triangle_count, MESH_LEAF);

    form_free(&it);
    if (error)
        return error;
    shell_write(text, origin, &out.shell);
    shell_free(&out);
    return NULL;
}

static const char *write_hills(table_text *text, const table_origin *origin)
{
    field_options options = {1.0, 1.0 / 1024, 0, (double)NAN};
    field_heights heights;
    field_storage out;
    const char *error = form_hills(&heights, 33, 33)
                            ? field_build(&out, &heights, &options)
                            : out_of_memory;

    field_free_heights(&heights);
    if (error)
        return error;
    field_write(text, origin, &out.field);
    field_free(&out);
    return NULL;
}

/* cells along the longest side; most spheres */
static const char *write_sdf(table_text *text, const table_origin *origin,
                             bool (*figure)(obj_mesh *mesh), uint32_t cells,
                             uint32_t spheres)
{
    sdf_options options = sdf_options_default();
    sdf_storage out;
    obj_mesh mesh;
    const char *error;

    if (!figure(&mesh))
        return "not enough memory";
    options.cells = cells;
    options.spheres = spheres;
    error = sdf_build(&out, mesh.points, mesh.point_count, mesh.triangles,
                      mesh.triangle_count, &options);
    obj_free(&mesh);
    if (error)
        return error;
    sdf_write(text, origin, &out.sdf);
    sdf_free(&out);
    return NULL;
}

static const char *write_broken(table_text *text, const table_origin *origin,
                                form it)
{
    fracture_options options = {6, 8, 1e6, FRACTURE_EXCESS};
    fracture_storage out;
    const char *error = it.is_lost
                            ? out_of_memory
                            : fracture_build(&out, it.points, it.point_count,
                                             it.triangles, it.triangle_count,
                                             &options);

    form_free(&it);
    if (error)
        return error;
    fracture_write(text, origin, &out);
    fracture_free(&out);
    return NULL;
}

const char *form_write(table_text *text, int index)
{
    table_origin origin = {form_names[index],
                           "vsp tables -o port/scenes/tables", notice};

    memset(text, 0, sizeof *text);
    switch (index) {
    case 0:
        return write_hull(text, &origin, form_box(0.5, 0.5, 0.5));
    case 1:
        return write_hull(text, &origin, form_prism(24, 0.5, 0.5));
    case 2:
        return write_hull(text, &origin, form_cone(24, 0.5, 0.5));
    case 3:
        return write_hull(text, &origin, form_ball(0.5));
    case 4:
        return write_hull(text, &origin, form_wedge(0.5, 0.25, 0.5));
    case 5:
        return write_mesh(text, &origin, form_plane(25, 20, 1.0));
    case 6:
        return write_mesh(text, &origin, form_run());
    case 7:
        return write_hills(text, &origin);
    case 8:
        return write_sdf(text, &origin, make_animal_mesh, 29, 64);
    case 9:
        return write_sdf(text, &origin, make_letters_mesh, 88, 0);
    case 10:
        return write_broken(text, &origin, form_vase());
    case 11:
        return write_shell(text, &origin, form_plane(4, 4, 0.25));
    case 12:
        return write_shell(text, &origin, form_leaf());
    case 13:
        return write_shell(text, &origin, form_ring(12, 0.25, 0.06));
    case 14:
        return write_shell(text, &origin, form_bowl(12, 4, 0.4, 1.35));
    case 15:
        return write_shell(text, &origin, form_boat());
    case 16:
        return write_shell(text, &origin, form_bowl(16, 5, 3.0, 1.3));
    default:
        return write_shell(text, &origin, form_standing_triangle());
    }
}
