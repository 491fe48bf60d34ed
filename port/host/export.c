/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Lines of a scene for other engines, and the run that finds bodies which
 * appear later. */

#include "export.h"

#include <stdio.h>

#include "port/command.h"
#include "port/scenes/table_sets.h"

/* Words of the text.  A null is a kind that it has no word for. */
static const char *const shape_words[] = {
    [VSP_SHAPE_SPHERE] = "sphere",    [VSP_SHAPE_BOX] = "box",
    [VSP_SHAPE_HALF_SPACE] = "floor", [VSP_SHAPE_CAPSULE] = "capsule",
    [VSP_SHAPE_HULL] = "hull",
};

static const char *const joint_words[] = {
    [VSP_JOINT_BALL] = "ball",
    [VSP_JOINT_HINGE] = "hinge",
    [VSP_JOINT_FIXED] = "fixed",
};

#define WORD_OF(words, kind) \
    ((size_t)(kind) < sizeof(words) / sizeof(*(words)) ? (words)[kind] : NULL)

typedef struct exporter {
    FILE *file;
    const vsp_world *world;
    uint32_t seen[VSP_MAX_BODIES];   /* bits of the ids already written */
    uint32_t number[VSP_MAX_BODIES]; /* of the body in each slot */
    uint32_t count;                  /* bodies written */
    const char *missing;             /* a kind without a word */
} exporter;

static void write_numbers(exporter *out, const vsp_real *x, int count)
{
    for (int i = 0; i < count; i++)
        fprintf(out->file, " %.9g", vsp_to_double(x[i]));
}

static void write_vector(exporter *out, vsp_vec3 v)
{
    write_numbers(out, &v.x, 1);
    write_numbers(out, &v.y, 1);
    write_numbers(out, &v.z, 1);
}

static void write_pose(exporter *out, const vsp_transform *pose)
{
    write_vector(out, pose->position);
    write_numbers(out, &pose->rotation.x, 1);
    write_numbers(out, &pose->rotation.y, 1);
    write_numbers(out, &pose->rotation.z, 1);
    write_numbers(out, &pose->rotation.w, 1);
}

/* Writes the corners of a hull at its scale; a size of 0 is none. */
static void write_hull(exporter *out, const vsp_hull *hull, vsp_vec3 size)
{
    double x = vsp_to_double(size.x), y = vsp_to_double(size.y);
    double z = vsp_to_double(size.z);

    if (x == 0.0)
        x = y = z = 1.0;
    fprintf(out->file, " %u", (unsigned)hull->vertex_count);
    for (int i = 0; i < hull->vertex_count; i++)
        fprintf(out->file, " %.9g %.9g %.9g",
                x * hull->vertices[i].x / VSP_PLACE,
                y * hull->vertices[i].y / VSP_PLACE,
                z * hull->vertices[i].z / VSP_PLACE);
}

static void write_shape(exporter *out, uint32_t body, vsp_shape_id id)
{
    const char *word;
    vsp_shape_def def;

    if (vsp_shape_get(out->world, id, &def) != VSP_OK)
        return;
    word = WORD_OF(shape_words, def.type);
    if (!word || def.is_sensor) {
        out->missing = "shapes";
        return;
    }
    fprintf(out->file, "shape %u %s", (unsigned)body, word);
    write_vector(out, def.size);
    write_pose(out, &def.pose);
    write_numbers(out, &def.density, 1);
    write_numbers(out, &def.material.friction, 1);
    write_numbers(out, &def.material.restitution, 1);
    if (def.type == VSP_SHAPE_HULL)
        write_hull(out, vsp_world_table(out->world, def.table), def.size);
    fprintf(out->file, "\n");
}

#define MOST_SHAPES 64 /* of a body */

static void write_body(exporter *out, uint32_t step, vsp_body_id id)
{
    vsp_shape_id shapes[MOST_SHAPES];
    vsp_body_def def;
    uint32_t count;

    if (vsp_body_get(out->world, id, &def) != VSP_OK)
        return;
    fprintf(out->file, "body %u %d", (unsigned)step, (int)def.type);
    write_pose(out, &def.pose);
    write_vector(out, def.velocity);
    write_vector(out, def.spin);
    write_numbers(out, &def.gravity_scale, 1);
    write_numbers(out, &def.linear_damping, 1);
    write_numbers(out, &def.angular_damping, 1);
    fprintf(out->file, " %d\n", def.is_bullet ? 1 : 0);
    count = vsp_body_shapes(out->world, id, shapes, MOST_SHAPES);
    if (count > MOST_SHAPES)
        out->missing = "bodies of so many shapes";
    for (uint32_t i = 0; i < count && i < MOST_SHAPES; i++)
        write_shape(out, out->count, shapes[i]);
    out->count++;
}

/* Writes the bodies that a step's calls created. */
static void write_new_bodies(exporter *out, uint32_t step)
{
    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id id = vsp_body_at(out->world, slot);

        if (id.bits == 0 || id.bits == out->seen[slot])
            continue;
        out->seen[slot] = id.bits;
        out->number[slot] = out->count;
        write_body(out, step, id);
    }
}

static uint32_t number_of(const exporter *out, vsp_body_id id)
{
    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++)
        if (out->seen[slot] == id.bits)
            return out->number[slot];
    return 0;
}

static void write_joint(exporter *out, vsp_joint_id id)
{
    const char *word;
    vsp_joint_def def;

    if (vsp_joint_get(out->world, id, &def) != VSP_OK)
        return;
    word = WORD_OF(joint_words, def.type);
    if (!word || def.enable_motor || def.limit_hertz != 0) {
        out->missing = "joints";
        return;
    }
    fprintf(out->file, "joint %s %u %u", word,
            (unsigned)number_of(out, def.body_a),
            (unsigned)number_of(out, def.body_b));
    write_pose(out, &def.frame_a);
    write_pose(out, &def.frame_b);
    fprintf(out->file, " %d", def.enable_limit ? 1 : 0);
    write_numbers(out, &def.low, 1);
    write_numbers(out, &def.high, 1);
    write_numbers(out, &def.cone, 1);
    fprintf(out->file, " %d\n", def.collide ? 1 : 0);
}

static void write_scene(exporter *out, scene_run *run, const char *name,
                        const simulation_options *options)
{
    vsp_world_def def = scene_world_def(run->scene);
    uint32_t steps = simulation_steps(run, options);

    fprintf(out->file, "scene %s %u %.9g %d", name, (unsigned)steps,
            run->scene->dt, def.enable_sleep ? 1 : 0);
    write_vector(out, def.gravity);
    fprintf(out->file, "\n");
    write_new_bodies(out, 0);
    for (uint32_t slot = 0; slot < VSP_MAX_JOINTS; slot++)
        write_joint(out, vsp_joint_at(out->world, slot));
    for (uint32_t step = 0; step < steps && !out->missing; step++) {
        scene_drive(run, step);
        write_new_bodies(out, step);
        if (vsp_world_step(run->world) != VSP_OK)
            break;
    }
}

int export_scene(const char *name, const simulation_options *options,
                 const char *path)
{
    static exporter out;
    scene_run run;
    bool is_bad;

    if (!simulation_start(&run, name, options))
        return STATUS_USAGE;
    out.world = run.world;
    out.file = fopen(path, "w");
    if (out.file)
        write_scene(&out, &run, name, options);
    is_bad = !out.file || ferror(out.file);
    if (out.file && fclose(out.file) != 0)
        is_bad = true;
    if (is_bad) {
        command_reason("cannot write '%s'\n", path);
        return STATUS_USAGE;
    }
    if (!out.missing)
        return 0;
    fprintf(stderr, "vsp: other engines have not all %s of '%s'\n", out.missing,
            name);
    return 1;
}
