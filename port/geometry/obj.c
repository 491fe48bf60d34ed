/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Points and faces of Wavefront OBJ files, in this order: arrays that grow,
 * words, lines, files. */

#include "obj.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/file.h"

static const char out_of_memory[] = "out of memory";

/* All additions to a mesh go through this reader. */
typedef struct obj_reader {
    obj_mesh *mesh;
    size_t point_room, triangle_room, line_room, material_room;
    const size_t *line; /* number of the line being read */
    double scale;
    const material_list *list;
    uint8_t material; /* of the faces that follow */
} obj_reader;


/* ---- Memory ------------------------------------------------------------- */

/* Grows an array by one item.  Returns null if there is no memory; the items
 * stay. */
static void *grown(void *items, size_t count, size_t *room, size_t size)
{
    void *more;

    if (count < *room)
        return items;
    more = realloc(items, (*room + 64) * 2 * size);
    if (more)
        *room = (*room + 64) * 2;
    return more;
}

static const char *add_point(obj_reader *to, vec3 point)
{
    obj_mesh *mesh = to->mesh;
    vec3 *points = grown(mesh->points, mesh->point_count, &to->point_room,
                         sizeof *points);

    if (!points)
        return out_of_memory;
    mesh->points = points;
    points[mesh->point_count++] = point;
    return NULL;
}

/* Adds the material of the next triangle, if there is a list. */
static bool add_material(obj_reader *to)
{
    obj_mesh *mesh = to->mesh;
    uint8_t *materials;

    if (!to->list)
        return true;
    materials = grown(mesh->materials, mesh->triangle_count, &to->material_room,
                      sizeof *materials);
    if (!materials)
        return false;
    mesh->materials = materials;
    materials[mesh->triangle_count] = to->material;
    return true;
}

static const char *add_triangle(obj_reader *to, const uint32_t corners[3])
{
    obj_mesh *mesh = to->mesh;
    uint32_t(*triangles)[3] = grown(mesh->triangles, mesh->triangle_count,
                                    &to->triangle_room, sizeof *triangles);
    uint32_t *lines = grown(mesh->lines, mesh->triangle_count, &to->line_room,
                            sizeof *lines);

    mesh->triangles = triangles ? triangles : mesh->triangles;
    mesh->lines = lines ? lines : mesh->lines;
    if (!triangles || !lines || !add_material(to))
        return out_of_memory;
    lines[mesh->triangle_count] = (uint32_t)*to->line;
    memcpy(triangles[mesh->triangle_count++], corners, sizeof *triangles);
    return NULL;
}


/* ---- Words -------------------------------------------------------------- */

static const char *skip_blanks(const char *text)
{
    while (*text == ' ' || *text == '\t' || *text == '\r')
        text++;
    return text;
}

static bool is_end(const char *text)
{
    return *text == '\0' || *text == '\n' || *text == '#';
}

/* Reads a number after blanks, on this line. */
static bool read_number(const char **text, double *number)
{
    const char *start = skip_blanks(*text);
    char *end;

    if (is_end(start))
        return false;
    *number = strtod(start, &end);
    *text = end;
    return end != start && *number > -1e9 && *number < 1e9;
}

/* Reads a corner, 7, 7/1, 7/1/2 or 7//2, or -1 for the last point; skips the
 * rest of the word. */
static bool read_corner(const char **text, size_t count, uint32_t *corner)
{
    char *end;
    long number = strtol(*text, &end, 10);

    if (end == *text)
        return false;
    while (*end != '\n' && *end != '\0' && strchr("/-0123456789", *end))
        end++;
    *text = end;
    if (number < 0)
        number += (long)count + 1;
    *corner = (uint32_t)(number - 1);
    return number >= 1 && (size_t)number <= count &&
           (is_end(end) || strchr(" \t\r", *end));
}


/* ---- Lines -------------------------------------------------------------- */

static const char *read_point(obj_reader *to, const char *text)
{
    vec3 point;

    if (!read_number(&text, &point.x) || !read_number(&text, &point.y) ||
        !read_number(&text, &point.z))
        return "not three numbers";
    return add_point(to, vec_scale(point, to->scale));
}

static const char *read_face(obj_reader *to, const char *text)
{
    uint32_t corners[3];
    size_t count = 0;

    for (text = skip_blanks(text); !is_end(text); text = skip_blanks(text)) {
        const char *error = NULL;

        /* a fan: triangles of the first corner, the previous one, this one */
        if (count >= 3)
            corners[1] = corners[2];
        if (!read_corner(&text, to->mesh->point_count,
                         &corners[count < 3 ? count : 2]))
            return "not a vertex of this file";
        if (++count >= 3)
            error = add_triangle(to, corners);
        if (error)
            return error;
    }
    return count < 3 ? "a face of less than three vertices" : NULL;
}

static const char *read_line(obj_reader *to, const char *text)
{
    text = skip_blanks(text);
    if (text[0] == 'v' && (text[1] == ' ' || text[1] == '\t'))
        return read_point(to, text + 1);
    if (text[0] == 'f' && (text[1] == ' ' || text[1] == '\t'))
        return read_face(to, text + 1);
    if (to->list && strncmp(text, "usemtl", 6) == 0 &&
        (text[6] == ' ' || text[6] == '\t')) {
        text = skip_blanks(text + 6);
        to->material = materials_find(to->list, text, strcspn(text, " \t\r\n"));
    }
    return NULL;
}

const char *obj_parse(obj_mesh *mesh, const char *text, double scale,
                      size_t *line)
{
    return obj_parse_materials(mesh, text, scale, NULL, line);
}

const char *obj_parse_materials(obj_mesh *mesh, const char *text, double scale,
                                const material_list *list, size_t *line)
{
    obj_reader reader = {mesh, 0, 0, 0, 0, line, scale, list, 0};

    memset(mesh, 0, sizeof *mesh);
    for (*line = 1;; ++*line) {
        const char *error = read_line(&reader, text);

        if (error)
            return error;
        text = strchr(text, '\n');
        if (!text)
            break;
        text++;
    }
    return mesh->point_count > 0 ? NULL : "no vertex: not an OBJ file?";
}

void obj_free(obj_mesh *mesh)
{
    free(mesh->points);
    free(mesh->triangles);
    free(mesh->lines);
    free(mesh->materials);
    memset(mesh, 0, sizeof *mesh);
}


/* ---- Files -------------------------------------------------------------- */

bool obj_read(obj_mesh *mesh, const char *name, double scale)
{
    return obj_read_materials(mesh, name, scale, NULL);
}

bool obj_read_materials(obj_mesh *mesh, const char *name, double scale,
                        const material_list *list)
{
    char *text;
    size_t line;
    const char *error;

    memset(mesh, 0, sizeof *mesh);
    text = file_read_text(name, NULL);
    if (!text)
        return false;
    error = obj_parse_materials(mesh, text, scale, list, &line);
    free(text);
    if (!error)
        return true;
    fprintf(stderr, "vsp: '%s', line %lu: %s\n", name, (unsigned long)line,
            error);
    obj_free(mesh);
    return false;
}
