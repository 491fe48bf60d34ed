/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Changes valid tables at random.  They must be refused without changing the
 * world, or be usable: bodies fall on them, and queries hit them.  A snapshot
 * that was made with the valid table, but refers to the changed one, must be
 * refused or give a valid world.
 *
 * The first byte of an input chooses the table; each three bytes after it are a
 * position and a byte to put there.  Counts are changed too: arrays are then as
 * long as the table says, so that a sanitizer detects reads beyond them. */

#include <stdlib.h>
#include <string.h>

#include "fix.h"
#include "port/scenes/tables/hull_box.h"
#include "port/scenes/tables/hull_wedge.h"

#define STEPS 3
#define SMALL (VSP_PLACE / 4)

VSP_ARENA(arena, VSP_WORLD_BYTES);


/* ---- Sound tables -------------------------------------------------------- */

/* a square of two triangles */
static const vsp_place square_vertices[] = {
    {0, 0, 0},
    {VSP_PLACE, 0, 0},
    {0, 0, VSP_PLACE},
    {VSP_PLACE, 0, VSP_PLACE},
};

static const vsp_triangle square_triangles[] = {
    {{0, 2, 1}, 2},
    {{1, 2, 3}, 1},
};

static const vsp_mesh_node square_nodes[] = {
    {{0, 0, 0}, {VSP_PLACE, 0, VSP_PLACE}, 3, 0, 0, 0, 0},
    {{0, 0, 0}, {VSP_PLACE, 0, VSP_PLACE}, 2, 1, 0, 0, 0},
    {{0, 0, 0}, {VSP_PLACE, 0, VSP_PLACE}, 3, 1, 0, 1, 0},
};

static const vsp_mesh square = {
    VSP_TABLE_MESH, 4, 2, 3, 0, square_vertices, square_triangles, square_nodes,
};

static const int16_t hill_heights[] = {0, 1, 0, -3, 7, VSP_HOLE, 0, 1, 2};

static const vsp_height_field hill = {
    VSP_TABLE_HEIGHT_FIELD, 3, 3, SMALL, SMALL / 16, -3, 7, hill_heights,
};

/* ice and a belt */
static const vsp_table_material palette[] = {
    {VSP_PLACE / 64, VSP_PLACE / 2, 0, 0, {0, 0, 0}, 0, 0},
    {VSP_PLACE, 0, 0, 0, {VSP_PLACE, 0, -VSP_PLACE}, 2, 1},
};

static const uint8_t square_of[] = {2, 0};
static const uint8_t hill_of[] = {1, 0, 2, 2};

/* a ball of about 0.3 m: the middle of 27 points */
static const int16_t ball_distances[] = {
    9, 6, 9, 6, 3, 6, 9, 6, 9, 6, 3, 6, 3, -5,
    3, 6, 3, 6, 9, 6, 9, 6, 3, 6, 9, 6, 9,
};

static const vsp_sphere_node ball_nodes[] = {
    {{0, 0, 0}, 3 * SMALL, 3, 0},
    {{-SMALL / 8, 0, 0}, SMALL, 2, 0},
    {{SMALL / 8, 0, 0}, SMALL, 3, 0},
};

static const vsp_sdf ball = {
    VSP_TABLE_SDF,
    {3, 3, 3},
    3,
    {-2 * SMALL, -2 * SMALL, -2 * SMALL},
    2 * SMALL,
    3200,
    ball_distances,
    ball_nodes,
    {0x3df5c28fu, {0x3d23d70au, 0x3d23d70au, 0x3d23d70au, 0, 0, 0}, {0, 0, 0}},
};

/* a roof of two triangles, and a third that is not connected */
static const vsp_place leaf_vertices[] = {
    {0, 0, 0},
    {SMALL, SMALL / 2, 0},
    {0, 0, SMALL},
    {-SMALL, SMALL / 2, 0},
    {2 * SMALL, 0, 0},
    {3 * SMALL, 0, 0},
    {2 * SMALL, SMALL, SMALL},
};

static const vsp_triangle leaf_triangles[] = {
    {{0, 2, 1}, 63},
    {{3, 2, 0}, 41},
    {{4, 5, 6}, 63},
};

static const vsp_mesh_node leaf_nodes[] = {
    {{-SMALL, 0, 0}, {3 * SMALL, SMALL, SMALL}, 3, 0, 0, 0, 0},
    {{-SMALL, 0, 0}, {SMALL, SMALL / 2, SMALL}, 2, 2, 0, 0, 0},
    {{2 * SMALL, 0, 0}, {3 * SMALL, SMALL, SMALL}, 3, 1, 0, 2, 0},
};

static const vsp_shell leaf = {
    {VSP_TABLE_SHELL, 7, 3, 3, 0, leaf_vertices, leaf_triangles, leaf_nodes},
    {0x3de99e36u,
     {0x3bbcc8aau, 0x3dbc5332u, 0x3db9e6d9u, 0xbba6fa44u, 0x3a305263u,
      0xba553fbfu},
     {236977, 60618, 87381}},
};


/* ---- Changed ones -------------------------------------------------------- */

typedef union any_table {
    uint32_t kind;
    vsp_hull hull;
    vsp_mesh mesh;
    vsp_height_field field;
    vsp_sdf sdf;
    vsp_shell shell;
    vsp_mesh_materials paved;     /* the square */
    vsp_field_materials ploughed; /* the hill */
} any_table;

/* bytes to change: numbers of the table, then its arrays */
typedef struct part {
    unsigned char *bytes;
    size_t size;
    bool is_held; /* must be freed */
} part;

static part parts[8];
static uint32_t part_count;

static void add_part(void *bytes, size_t size, bool is_held)
{
    parts[part_count].bytes = bytes;
    parts[part_count].size = size;
    parts[part_count++].is_held = is_held;
}

/* Copies an array, cut or extended by zeroes to the wanted size. */
static void *hold_array(const void *from, size_t size, size_t wanted)
{
    unsigned char *bytes = malloc(wanted + (wanted == 0));

    MUST(bytes != NULL);
    memset(bytes, 0, wanted);
    memcpy(bytes, from, size < wanted ? size : wanted);
    add_part(bytes, wanted, true);
    return bytes;
}

/* replaces an array of a table by a copy of this length */
#define HOLD(array, from, wanted)             \
    ((array) = hold_array(from, sizeof(from), \
                          ((size_t)(wanted)) * sizeof((from)[0])))

/* replaces the arrays of a hull by copies of those of this name */
#define HOLD_HULL(t, name)                                    \
    (HOLD((t)->vertices, name##_vertices, (t)->vertex_count), \
     HOLD((t)->planes, name##_planes, (t)->face_count),       \
     HOLD((t)->first, name##_first, (t)->face_count + 1),     \
     HOLD((t)->corners, name##_corners, (t)->corner_count),   \
     HOLD((t)->edges, name##_edges, (t)->edge_count))

static void hold_square(vsp_mesh *t)
{
    HOLD(t->vertices, square_vertices, t->vertex_count);
    HOLD(t->triangles, square_triangles, t->triangle_count);
    HOLD(t->nodes, square_nodes, t->node_count);
}

static void hold_materials(vsp_table_materials *t, const uint8_t *of,
                           size_t count, size_t wanted)
{
    HOLD(t->palette, palette, t->count);
    t->of = hold_array(of, count, wanted);
}

static void hold_leaf(vsp_mesh *t)
{
    HOLD(t->vertices, leaf_vertices, t->vertex_count);
    HOLD(t->triangles, leaf_triangles, t->triangle_count);
    HOLD(t->nodes, leaf_nodes, t->node_count);
}

/* size of a grid; 0, so that it is not read, if it has too many points */
static size_t grid(uint64_t points)
{
    return points <= 1ul << 24 ? (size_t)points : 0;
}

static void hold_hill(vsp_height_field *t)
{
    HOLD(t->heights, hill_heights, grid((uint64_t)t->columns * t->rows));
}

static void hold_ball(vsp_sdf *t)
{
    HOLD(t->distances, ball_distances,
         grid((uint64_t)t->count[0] * t->count[1] * t->count[2]));
    HOLD(t->nodes, ball_nodes, t->node_count);
}

#define TABLES 5 /* more are the shell, and tables with materials */

/* Chooses so that most inputs from before shells and materials keep their
 * table. */
static uint32_t choose_table(uint32_t byte)
{
    if ((byte & 0x70) == 0x60)
        return TABLES + 1 + byte % 2;
    return (byte & 0x70) == 0x70 ? TABLES : byte % TABLES;
}

/* Copies a table with materials. */
static size_t begin_materials(any_table *t, uint32_t which)
{
    vsp_table_materials *m = which == TABLES + 1 ? &t->paved.materials
                                                 : &t->ploughed.materials;

    m->count = sizeof palette / sizeof palette[0];
    m->reserved = 0;
    add_part(m, offsetof(vsp_table_materials, palette), false);
    if (which == TABLES + 1) {
        t->paved.mesh = square;
        t->paved.mesh.kind = VSP_TABLE_MESH_MATERIALS;
        return offsetof(vsp_mesh, vertices);
    }
    t->ploughed.field = hill;
    t->ploughed.field.kind = VSP_TABLE_FIELD_MATERIALS;
    return offsetof(vsp_height_field, heights);
}

/* Copies one of the valid tables, without its arrays. */
static void begin_table(any_table *t, uint32_t which)
{
    size_t head = offsetof(vsp_hull, vertices);

    part_count = 0;
    if (which < 2) {
        t->hull = which == 0 ? hull_box : hull_wedge;
        add_part(&t->hull.bulk, sizeof t->hull.bulk, false);
    } else if (which == 2) {
        t->mesh = square;
        head = offsetof(vsp_mesh, vertices);
    } else if (which == 3) {
        t->field = hill;
        head = offsetof(vsp_height_field, heights);
    } else if (which == 4) {
        t->sdf = ball;
        head = offsetof(vsp_sdf, distances);
        add_part(&t->sdf.bulk, sizeof t->sdf.bulk, false);
    } else if (which == TABLES) {
        t->shell = leaf;
        head = offsetof(vsp_mesh, vertices);
        add_part(&t->shell.bulk, sizeof t->shell.bulk, false);
    } else {
        head = begin_materials(t, which);
    }
    add_part((unsigned char *)t + 4, head - 4, false);
}

static void hold_with_materials(any_table *t, uint32_t which)
{
    const vsp_height_field *f = &t->ploughed.field;

    if (which == TABLES + 1) {
        hold_square(&t->paved.mesh);
        hold_materials(&t->paved.materials, square_of, sizeof square_of,
                       t->paved.mesh.triangle_count);
        return;
    }
    hold_hill(&t->ploughed.field);
    hold_materials(&t->ploughed.materials, hill_of, sizeof hill_of,
                   grid((f->columns - 1ull) * (f->rows - 1ull)));
}

static void hold_arrays(any_table *t, uint32_t which)
{
    if (which == 0)
        HOLD_HULL(&t->hull, hull_box);
    else if (which == 1)
        HOLD_HULL(&t->hull, hull_wedge);
    else if (which == 2)
        hold_square(&t->mesh);
    else if (which == 3)
        hold_hill(&t->field);
    else if (which == 4)
        hold_ball(&t->sdf);
    else if (which == TABLES)
        hold_leaf(&t->shell.sheet);
    else
        hold_with_materials(t, which);
}

/* Changes bytes of parts, from part `first` on. */
static void change_bytes(const unsigned char *data, size_t size, uint32_t first)
{
    for (; size >= 3; data += 3, size -= 3) {
        size_t at = (size_t)data[0] | (size_t)data[1] << 8;
        uint32_t i;

        for (i = 0; i < part_count && at >= parts[i].size; i++)
            at -= parts[i].size;
        if (i >= first && i < part_count)
            parts[i].bytes[at] = data[2];
    }
}


/* ---- Use ----------------------------------------------------------------- */

static void take_steps(vsp_world *world)
{
    for (int i = 0; i < STEPS; i++) {
        MUST(vsp_world_step(world) >= 0);
        MUST(vsp_world_validate(world, NULL) == VSP_OK);
    }
}

/* Adds a body.  A shell may refuse one that would cross it. */
static void add_other(vsp_world *world, const vsp_body_def *body, uint32_t kind)
{
    vsp_status status = vsp_body_create(world, body, NULL);

    MUST(status == VSP_OK ||
         (status == VSP_ERR_OVERLAP && kind == VSP_TABLE_SHELL));
}

/* Drops a body of the table on a floor, and others on it. */
static void fill_world(vsp_world *world, uint32_t kind, uint32_t index)
{
    vsp_body_def body = vsp_body_def_default();
    vsp_shape_type type = kind == VSP_TABLE_HULL ? VSP_SHAPE_HULL
                          : kind == VSP_TABLE_MESH ||
                                  kind == VSP_TABLE_MESH_MATERIALS
                              ? VSP_SHAPE_MESH
                          : kind == VSP_TABLE_SDF   ? VSP_SHAPE_SDF
                          : kind == VSP_TABLE_SHELL ? VSP_SHAPE_SHELL
                                                    : VSP_SHAPE_HEIGHT_FIELD;

    body.shape = vsp_table_shape(type, index);
    vsp_body_create(world, &body, NULL);
    body.type = VSP_DYNAMIC; /* a mesh, and bodies that are too light, are
                              * refused */
    if (kind == VSP_TABLE_SHELL)
        body.pose.position.y = VSP_R(0.5);
    vsp_body_create(world, &body, NULL);
    body.shape = vsp_sphere(VSP_R(0.25));
    body.pose.position.y = VSP_R(0.25);
    add_other(world, &body, kind);
    body.shape = vsp_capsule(VSP_R(0.1), VSP_R(0.25));
    body.is_bullet = true;
    body.velocity.y = VSP_R(-100.0);
    body.pose.position.y = VSP_R(1.0);
    add_other(world, &body, kind);
}

static vsp_real go_on(void *user, const vsp_hit *hit)
{
    (void)user;
    (void)hit;
    return VSP_R(1.0);
}

/* Makes all queries at one position. */
static void ask_queries(vsp_world *world)
{
    vsp_body_def at = vsp_body_def_default();
    vsp_vec3 point = {VSP_R(0.1), VSP_R(0.7), VSP_R(0.1)};
    vsp_vec3 way = {VSP_R(0.0), VSP_R(-2.0), VSP_R(0.1)};
    vsp_vec3 low = {VSP_R(-0.5), VSP_R(-0.5), VSP_R(-0.5)};
    vsp_shape_def box = vsp_box(VSP_R(0.1), VSP_R(0.2), VSP_R(0.1));
    vsp_hit hit;

    at.pose.position = point;
    MUST(vsp_ray_cast(world, point, way, NULL, &hit) == VSP_OK);
    MUST(vsp_ray_cast_all(world, point, way, NULL, go_on, NULL) == VSP_OK);
    MUST(vsp_shape_cast(world, &box, at.pose, way, NULL, &hit) == VSP_OK);
    MUST(vsp_overlap_aabb(world, low, point, NULL, go_on, NULL) == VSP_OK);
    MUST(vsp_overlap_shape(world, &box, at.pose, NULL, go_on, NULL) == VSP_OK);
    MUST(vsp_point_inside(world, point, NULL, go_on, NULL) == VSP_OK);
    MUST(vsp_closest_point(world, point, VSP_R(2.0), NULL, &hit) == VSP_OK);
}

static vsp_world *make_world(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world;

    MUST(vsp_world_create(arena.mem, sizeof arena.mem, &def, &world) == VSP_OK);
    return world;
}

static const void *sound_table(uint32_t kind)
{
    static const vsp_mesh_materials paved = {
        {VSP_TABLE_MESH_MATERIALS, 4, 2, 3, 0, square_vertices,
         square_triangles, square_nodes},
        {2, 0, palette, square_of},
    };
    static const vsp_field_materials ploughed = {
        {VSP_TABLE_FIELD_MATERIALS, 3, 3, SMALL, SMALL / 16, -3, 7,
         hill_heights},
        {2, 0, palette, hill_of},
    };

    if (kind == VSP_TABLE_MESH_MATERIALS)
        return &paved;
    if (kind == VSP_TABLE_FIELD_MATERIALS)
        return &ploughed;
    return kind == VSP_TABLE_HULL    ? (const void *)&hull_box
           : kind == VSP_TABLE_MESH  ? (const void *)&square
           : kind == VSP_TABLE_SDF   ? (const void *)&ball
           : kind == VSP_TABLE_SHELL ? (const void *)&leaf
                                     : (const void *)&hill;
}

/* Restores a snapshot that was made with a valid table, changed to refer to
 * this table. */
static void restore_other(const void *t, uint32_t kind, bool is_stepped)
{
    static unsigned char bytes[VSP_SNAPSHOT_BYTES];
    vsp_world *world = make_world();
    table_digests digests;
    uint32_t index, hash;
    size_t size;

    MUST(vsp_world_add_table(world, sound_table(kind), &index, NULL) == VSP_OK);
    fill_world(world, kind, index);
    if (is_stepped)
        take_steps(world);
    MUST(vsp_world_snapshot(world, bytes, sizeof bytes, &size) == VSP_OK);
    world = make_world();
    MUST(vsp_world_add_table(world, t, &index, NULL) == VSP_OK);
    digests = digests_of(world);
    fix_digest(bytes, size, digests.of[1]);
    fix_snapshot(bytes, size);
    hash = vsp_world_hash(world);
    if (vsp_world_restore(world, bytes, size) == VSP_OK) {
        MUST(vsp_world_validate(world, NULL) == VSP_OK);
        ask_queries(world);
        take_steps(world);
    } else {
        MUST(vsp_world_hash(world) == hash);
    }
}

static void try_table(const any_table *t, bool is_sound, bool is_stepped)
{
    vsp_world *world = make_world();
    uint32_t hash = vsp_world_hash(world), index = 7;
    vsp_flaw flaw;

    if (vsp_world_add_table(world, t, &index, &flaw) == VSP_OK) {
        MUST(flaw == VSP_FLAW_NONE && index == 1);
        MUST(vsp_world_hash(world) != hash);
        fill_world(world, t->kind, index);
        take_steps(world);
        ask_queries(world);
        restore_other(t, t->kind, is_stepped);
    } else {
        MUST(!is_sound);
        MUST(flaw != VSP_FLAW_NONE && index == 0);
        MUST(strcmp(vsp_flaw_name(flaw), "unknown flaw") != 0);
        MUST(vsp_world_table_count(world) == 0);
        MUST(vsp_world_hash(world) == hash);
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    uint32_t which, heads, i;
    any_table t;

    if (size == 0)
        return 0;
    which = choose_table(data[0]);
    begin_table(&t, which);
    heads = part_count;
    change_bytes(data + 1, size - 1, 0);
    hold_arrays(&t, which);
    change_bytes(data + 1, size - 1, heads);
    try_table(&t, size < 4, (data[0] & 128) != 0);
    for (i = 0; i < part_count; i++)
        if (parts[i].is_held)
            free(parts[i].bytes);
    return 0;
}
