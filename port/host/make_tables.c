/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The commands that make tables: each reads a file, builds the table, writes
 * it, and prints a summary. */

#include "make_tables.h"

#include <stdio.h>
#include <string.h>

#include "port/geometry/hull.h"
#include "port/geometry/mass_properties.h"
#include "port/geometry/mesh.h"
#include "port/geometry/obj.h"
#include "port/geometry/shell.h"
#include "port/geometry/standard_shapes.h"

make_options make_options_default(void)
{
    make_options options;

    memset(&options, 0, sizeof options);
    options.scale = 1.0;
    options.leaf = MESH_LEAF;
    options.field.hole = (double)NAN;
    options.sdf = sdf_options_default();
    options.fracture = fracture_options_default();
    return options;
}

bool make_origin(make_options *options, table_origin *origin)
{
    if (!options->name[0] &&
        !table_name(options->output, options->name, sizeof options->name)) {
        fprintf(stderr, "vsp: no name in '%s': give one by --name\n",
                options->output);
        return false;
    }
    origin->name = options->name;
    origin->command = options->command;
    origin->notice = NULL;
    return true;
}

static int refuse_file(const make_options *options, const char *error)
{
    fprintf(stderr, "vsp: '%s': %s\n", options->input, error);
    return 2;
}

int make_hull(make_options *options)
{
    static hull_storage out;
    table_origin origin;
    table_text text;
    obj_mesh mesh;
    const char *error;

    if (!make_origin(options, &origin) ||
        !obj_read(&mesh, options->input, options->scale))
        return 2;
    error = hull_build(&out, mesh.points, mesh.point_count, options->tolerance);
    if (!error)
        printf("hull of %lu points: %d vertices, %d faces; %g m^3; "
               "a point is at most %.2g m outside; %lu bytes\n",
               (unsigned long)mesh.point_count, out.hull.vertex_count,
               out.hull.face_count, float_number(out.hull.bulk.volume),
               out.error, (unsigned long)hull_bytes(&out.hull));
    obj_free(&mesh);
    if (error)
        return refuse_file(options, error);
    hull_write(&text, &origin, &out.hull);
    return table_save(&text, options->output) ? 0 : 2;
}

static void report_mesh(const mesh_storage *out)
{
    size_t bare = 0;

    printf("mesh: %d vertices, %d triangles, %d nodes; %lu open edges; "
           "%lu bytes\n",
           out->mesh.vertex_count, out->mesh.triangle_count,
           out->mesh.node_count, (unsigned long)out->open,
           (unsigned long)mesh_bytes(&out->mesh));
    if (out->dropped > 0)
        printf("dropped: %lu triangles without area, or given twice\n",
               (unsigned long)out->dropped);
    for (size_t i = 0; out->materials && i < out->mesh.triangle_count; i++)
        bare += out->materials[i] == 0;
    if (bare > 0)
        printf("without a listed material: %lu triangles\n",
               (unsigned long)bare);
    if (out->reversed > 0)
        fprintf(stderr,
                "vsp: warning: at %lu edges one triangle is turned over\n",
                (unsigned long)out->reversed);
}

int make_mesh(make_options *options)
{
    static material_list materials;
    const material_list *list = options->materials ? &materials : NULL;
    mesh_storage out;
    table_origin origin;
    table_text text;
    obj_mesh mesh;
    const char *error;

    if (!make_origin(options, &origin) ||
        (list && !materials_read(&materials, options->materials)) ||
        !obj_read_materials(&mesh, options->input, options->scale, list))
        return 2;
    error = mesh_build_materials(&out, mesh.points, mesh.point_count,
                                 mesh.triangles, mesh.materials,
                                 mesh.triangle_count, (int)options->leaf);
    obj_free(&mesh);
    if (error)
        return refuse_file(options, error);
    report_mesh(&out);
    if (list)
        mesh_write_materials(&text, &origin, &out, list);
    else
        mesh_write(&text, &origin, &out.mesh);
    mesh_free(&out);
    return table_save(&text, options->output) ? 0 : 2;
}

/* Prints an error with the lines of the file that cause it. */
static void refuse_lines(const make_options *options, const obj_mesh *mesh,
                         const shell_storage *out, const char *error)
{
    char where[80] = "";

    if (out->bad_count == 1)
        snprintf(where, sizeof where, ", line %lu",
                 (unsigned long)mesh->lines[out->bad[0]]);
    if (out->bad_count == 2)
        snprintf(where, sizeof where, ", lines %lu and %lu",
                 (unsigned long)mesh->lines[out->bad[0]],
                 (unsigned long)mesh->lines[out->bad[1]]);
    fprintf(stderr, "vsp: '%s'%s: %s\n", options->input, where, error);
}

int make_shell(make_options *options)
{
    shell_storage out;
    table_origin origin;
    table_text text;
    obj_mesh mesh;
    const char *error;

    if (!make_origin(options, &origin) ||
        !obj_read(&mesh, options->input, options->scale))
        return 2;
    error = shell_build(&out, mesh.points, mesh.point_count, mesh.triangles,
                        mesh.triangle_count, (int)options->leaf);
    if (error)
        refuse_lines(options, &mesh, &out, error);
    obj_free(&mesh);
    if (error)
        return 2;
    printf("shell: %d vertices, %d triangles, %d nodes; %lu open edges; "
           "%g m^2; %lu bytes\n",
           out.shell.sheet.vertex_count, out.shell.sheet.triangle_count,
           out.shell.sheet.node_count, (unsigned long)out.sheet.open,
           float_number(out.shell.bulk.volume),
           (unsigned long)shell_bytes(&out.shell));
    shell_write(&text, &origin, &out.shell);
    shell_free(&out);
    return table_save(&text, options->output) ? 0 : 2;
}

/* Reads the list and the map of a field's materials, and adds them.  Returns
 * false, and prints why on stderr, if that fails. */
static bool add_materials(const make_options *options, material_list *list,
                          field_storage *out)
{
    field_heights map;
    const char *error;

    if (!materials_read(list, options->materials) ||
        !field_read(&map, options->map))
        return false;
    error = field_add_materials(out, &map, list);
    field_free_heights(&map);
    if (error)
        fprintf(stderr, "vsp: '%s': %s\n", options->map, error);
    return !error;
}

int make_field(make_options *options)
{
    static material_list list;
    field_storage out;
    table_origin origin;
    table_text text;
    field_heights heights;
    const char *error;

    if (!options->materials != !options->map) {
        fprintf(stderr, "vsp: --materials and --map need each other\n");
        return 2;
    }
    if (!make_origin(options, &origin) || !field_read(&heights, options->input))
        return 2;
    error = field_build(&out, &heights, &options->field);
    field_free_heights(&heights);
    if (error)
        return refuse_file(options, error);
    if (options->map && !add_materials(options, &list, &out)) {
        field_free(&out);
        return 2;
    }
    printf("field: %d x %d heights from %g to %g m; %lu bytes\n",
           out.field.columns, out.field.rows,
           (double)out.field.low * out.field.step / VSP_PLACE,
           (double)out.field.high * out.field.step / VSP_PLACE,
           (unsigned long)field_bytes(&out.field));
    if (out.materials)
        field_write_materials(&text, &origin, &out, &list);
    else
        field_write(&text, &origin, &out.field);
    field_free(&out);
    return table_save(&text, options->output) ? 0 : 2;
}

static void report_sdf(const sdf_storage *out)
{
    const vsp_sdf *sdf = &out->sdf;

    printf("solid: %d x %d x %d distances, cells of %g m; %g m^3; %lu bytes\n",
           sdf->count[0], sdf->count[1], sdf->count[2],
           (double)sdf->cell / VSP_PLACE, float_number(sdf->bulk.volume),
           (unsigned long)sdf_bytes(sdf));
    if (out->sphere_count > 0)
        printf("%lu spheres, %d nodes; of the surface nothing is farther "
               "than %.2g m from them, on average %.2g m; none sticks out by "
               "more than %.2g m\n",
               (unsigned long)out->sphere_count, sdf->node_count,
               out->uncovered, out->mean_uncovered, out->outside);
}

int make_sdf(make_options *options)
{
    sdf_storage out;
    table_origin origin;
    table_text text;
    obj_mesh mesh;
    const char *error;

    if (!make_origin(options, &origin) ||
        !obj_read(&mesh, options->input, options->scale))
        return 2;
    error = sdf_build(&out, mesh.points, mesh.point_count, mesh.triangles,
                      mesh.triangle_count, &options->sdf);
    obj_free(&mesh);
    if (error)
        return refuse_file(options, error);
    report_sdf(&out);
    sdf_write(&text, &origin, &out.sdf);
    sdf_free(&out);
    return table_save(&text, options->output) ? 0 : 2;
}

static void report_pieces(const fracture_storage *out)
{
    printf("%lu pieces, %lu seams; %g m^3; %lu bytes\n"
           "hulls: %.2f %% more than that; no point is farther outside than "
           "%.2g m; no two overlap by more than %.2g m; left out: %.3f %%\n",
           (unsigned long)out->piece_count, (unsigned long)out->seam_count,
           out->volume, (unsigned long)fracture_bytes(out),
           100.0 * out->excess / out->volume, out->outside, out->overlap,
           100.0 * out->lost / out->volume);
}

int make_pieces(make_options *options)
{
    fracture_storage out;
    table_origin origin;
    table_text text;
    obj_mesh mesh;
    const char *error;

    if (!make_origin(options, &origin) ||
        !obj_read(&mesh, options->input, options->scale))
        return 2;
    error = fracture_build(&out, mesh.points, mesh.point_count, mesh.triangles,
                           mesh.triangle_count, &options->fracture);
    obj_free(&mesh);
    if (error)
        return refuse_file(options, error);
    report_pieces(&out);
    fracture_write(&text, &origin, &out);
    fracture_free(&out);
    return table_save(&text, options->output) ? 0 : 2;
}

int make_tables(const make_options *options)
{
    for (int i = 0; i < FORM_COUNT; i++) {
        char file[512];
        table_text text;
        const char *error = form_write(&text, i);

        if (error) {
            fprintf(stderr, "vsp: %s: %s\n", form_names[i], error);
            return 2;
        }
        if (snprintf(file, sizeof file, "%s/%s.h", options->output,
                     form_names[i]) >= (int)sizeof file) {
            fprintf(stderr, "vsp: a name that is too long\n");
            return 2;
        }
        if (!table_save(&text, file))
            return 2;
    }
    return 0;
}
