/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Meshes: equal points become one vertex; triangles without area are dropped; a
 * tree of bounds is split by the surface area heuristic (MacDonald, Booth,
 * Heuristics for ray tracing using space subdivision, The Visual Computer 6,
 * 1990); flat edges, on which nothing should catch, are marked; text. */

#include "mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact_points.h"

#define MAX_COUNT 65535
#define FLAT 0.01745240643728351 /* sin 1 degree */
#define MIN_HEIGHT 16            /* least height of a triangle, VSP_PLACE */

static const char out_of_memory[] = "out of memory";


/* ---- Vertices ------------------------------------------------------------ */

typedef struct numbered_place {
    vsp_place place;
    uint32_t number;
} numbered_place;

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Orders by position; equal positions by number. */
static int compare_places(const void *first, const void *second)
{
    const numbered_place *a = first, *b = second;

    if (a->place.x != b->place.x)
        return compare_numbers(a->place.x, b->place.x);
    if (a->place.y != b->place.y)
        return compare_numbers(a->place.y, b->place.y);
    if (a->place.z != b->place.z)
        return compare_numbers(a->place.z, b->place.z);
    return compare_numbers(a->number, b->number);
}

/* Writes for each point the first point at the same position. */
static const char *find_equal_points(numbered_place *places, const vec3 *points,
                                     size_t count, uint32_t *first_of)
{
    for (size_t i = 0; i < count; i++) {
        if (!place_from(points[i], &places[i].place))
            return "a point is farther than 100 m from the origin";
        places[i].number = (uint32_t)i;
    }
    qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 0; i < count; i++)
        first_of[places[i].number] = i > 0 && place_is_same(places[i].place,
                                                            places[i - 1].place)
                                         ? first_of[places[i - 1].number]
                                         : places[i].number;
    return NULL;
}


/* ---- Triangles ----------------------------------------------------------- */

/* A triangle, before the tree gives it an index. */
typedef struct item {
    uint32_t vertex[3];
    uint32_t number;
    uint8_t material;
    vsp_place low, high;
    int64_t middle[3]; /* sum of the corners: 3 times the middle */
} item;

typedef struct builder {
    mesh_storage *out;
    vsp_place *places; /* positions of all points */
    item *items;
    size_t item_count;
    const uint8_t *materials; /* of all triangles, or null */
    double *areas;            /* areas of bounds, for the search of a split */
    int leaf;
} builder;

static int64_t largest_part(place_cross a)
{
    int64_t x = llabs(a.x), y = llabs(a.y), z = llabs(a.z);

    return x > y ? (x > z ? x : z) : y > z ? y : z;
}

static place_cross side_of(vsp_place a, vsp_place b)
{
    place_cross out = {(int64_t)b.x - a.x, (int64_t)b.y - a.y,
                       (int64_t)b.z - a.z};

    return out;
}

/* Whether triangle a b c is tall enough over its longest side for its normal to
 * be accurate. */
static bool has_area(vsp_place a, vsp_place b, vsp_place c)
{
    int64_t ab = largest_part(side_of(a, b));
    int64_t bc = largest_part(side_of(b, c));
    int64_t ca = largest_part(side_of(c, a));
    int64_t longest = ab > bc ? (ab > ca ? ab : ca) : bc > ca ? bc : ca;

    return largest_part(place_normal(a, b, c)) >= MIN_HEIGHT * (longest + 1);
}

static void add_item(builder *it, const uint32_t vertex[3], uint8_t material)
{
    item *added = &it->items[it->item_count];
    vsp_place a = it->places[vertex[0]], b = it->places[vertex[1]];
    vsp_place c = it->places[vertex[2]];

    if (!has_area(a, b, c)) {
        it->out->dropped++;
        return;
    }
    memcpy(added->vertex, vertex, sizeof added->vertex);
    added->number = (uint32_t)it->item_count++;
    added->material = material;
    added->low = place_lower(a, place_lower(b, c));
    added->high = place_higher(a, place_higher(b, c));
    added->middle[0] = (int64_t)a.x + b.x + c.x;
    added->middle[1] = (int64_t)a.y + b.y + c.y;
    added->middle[2] = (int64_t)a.z + b.z + c.z;
}


/* ---- The tree ------------------------------------------------------------ */

static int compare_by_axis(const item *a, const item *b, int axis)
{
    if (a->middle[axis] != b->middle[axis])
        return compare_numbers(a->middle[axis], b->middle[axis]);
    return compare_numbers(a->number, b->number);
}

static int compare_x(const void *a, const void *b)
{
    return compare_by_axis(a, b, 0);
}

static int compare_y(const void *a, const void *b)
{
    return compare_by_axis(a, b, 1);
}

static int compare_z(const void *a, const void *b)
{
    return compare_by_axis(a, b, 2);
}

static void sort_items(item *items, size_t count, int axis)
{
    qsort(items, count, sizeof *items,
          axis == 0   ? compare_x
          : axis == 1 ? compare_y
                      : compare_z);
}

static double half_area(vsp_place low, vsp_place high)
{
    vec3 side = vec_sub(place_vec(high), place_vec(low));

    return side.x * side.y + side.y * side.z + side.z * side.x;
}

/* Returns the number of sorted items before the best split, and its cost. */
static size_t best_split(builder *it, const item *items, size_t count,
                         double *cost)
{
    vsp_place low = items[0].low, high = items[0].high;
    size_t best = 0;

    for (size_t i = 0; i < count; i++) {
        low = place_lower(low, items[i].low);
        high = place_higher(high, items[i].high);
        it->areas[i] = half_area(low, high) * (double)(i + 1);
    }
    low = items[count - 1].low;
    high = items[count - 1].high;
    for (size_t i = count - 1; i > 0; i--) {
        double sum;

        low = place_lower(low, items[i].low);
        high = place_higher(high, items[i].high);
        sum = it->areas[i - 1] + half_area(low, high) * (double)(count - i);
        if (best == 0 || sum < *cost) {
            best = i;
            *cost = sum;
        }
    }
    return best;
}

/* Sorts the items for the best split along any axis.  Returns the number of
 * items before it. */
static size_t split_items(builder *it, item *items, size_t count)
{
    double best_cost = 0;
    size_t best = 0;
    int best_axis = 0;

    for (int axis = 0; axis < 3; axis++) {
        double cost = 0;
        size_t at;

        sort_items(items, count, axis);
        at = best_split(it, items, count, &cost);
        if (best == 0 || cost < best_cost) {
            best = at;
            best_cost = cost;
            best_axis = axis;
        }
    }
    sort_items(items, count, best_axis);
    return best;
}

/* Adds a node for these items, and all nodes below it.  Returns false if there
 * would be too many. */
static bool add_nodes(builder *it, item *items, size_t count)
{
    vsp_mesh *mesh = &it->out->mesh;
    uint16_t index = mesh->node_count;
    vsp_mesh_node *node = &it->out->nodes[index];
    size_t first;

    if (index == MAX_COUNT)
        return false;
    mesh->node_count++;
    memset(node, 0, sizeof *node);
    node->low = items[0].low;
    node->high = items[0].high;
    for (size_t i = 1; i < count; i++) {
        node->low = place_lower(node->low, items[i].low);
        node->high = place_higher(node->high, items[i].high);
    }
    if (count <= (size_t)it->leaf) {
        node->count = (uint8_t)count;
        node->first = (uint16_t)(items - it->items);
    } else {
        first = split_items(it, items, count);
        if (!add_nodes(it, items, first) ||
            !add_nodes(it, items + first, count - first))
            return false;
    }
    node->next = mesh->node_count;
    return true;
}


/* ---- Edges --------------------------------------------------------------- */

typedef struct side {
    uint32_t low, high; /* vertices, the lower number first */
    uint32_t triangle;
    uint16_t corner;
    bool is_down; /* the side goes from high to low */
} side;

static int compare_sides(const void *first, const void *second)
{
    const side *a = first, *b = second;

    if (a->low != b->low)
        return compare_numbers(a->low, b->low);
    if (a->high != b->high)
        return compare_numbers(a->high, b->high);
    if (a->triangle != b->triangle)
        return compare_numbers(a->triangle, b->triangle);
    return compare_numbers(a->corner, b->corner);
}

static place_cross normal_of(const mesh_storage *out, const side *of)
{
    const uint16_t *vertex = out->triangles[of->triangle].vertex;

    return place_normal(out->vertices[vertex[0]], out->vertices[vertex[1]],
                        out->vertices[vertex[2]]);
}

/* Whether the surface on the other side of an edge rises, or continues flat
 * within a degree. */
static bool goes_on(const mesh_storage *out, const side *of, const side *other)
{
    vsp_place tail = out->vertices[of->low], head = out->vertices[of->high];
    vsp_place far = out->vertices[out->triangles[other->triangle]
                                      .vertex[(other->corner + 2) % 3]];
    vec3 edge = vec_unit(vec_sub(place_vec(head), place_vec(tail)));
    vec3 way = vec_sub(place_vec(far), place_vec(tail));
    double width = vec_length(vec_cross(edge, way));
    double height = place_height(normal_of(out, of), tail, far);

    return height > FLAT * width ||
           (height >= -FLAT * width &&
            vec_dot(place_direction(normal_of(out, of)),
                    place_direction(normal_of(out, other))) > 0);
}

/* Marks the sides of one edge, `count` of them.  A side is flat if goes_on
 * holds for all triangles on the other side. */
static void mark_edge(mesh_storage *out, const side *sides, size_t count)
{
    if (count == 1)
        out->open++;
    for (size_t i = 0; i < count; i++) {
        size_t others = 0, flat = 0, same = 0;

        for (size_t k = 0; k < count; k++) {
            if (sides[k].is_down == sides[i].is_down) {
                same += k < i;
                continue;
            }
            others++;
            flat += goes_on(out, &sides[i], &sides[k]);
        }
        out->reversed += same > 0;
        if (others > 0 && flat == others)
            out->triangles[sides[i].triangle].marks |=
                (uint16_t)(1u << sides[i].corner);
    }
}

static bool mark_edges(mesh_storage *out)
{
    size_t count = (size_t)out->mesh.triangle_count * 3;
    side *sides = malloc(count * sizeof *sides);
    size_t used;

    if (!sides)
        return false;
    for (size_t i = 0; i < count; i++) {
        const uint16_t *vertex = out->triangles[i / 3].vertex;
        uint16_t tail = vertex[i % 3], head = vertex[(i + 1) % 3];

        sides[i].is_down = head < tail;
        sides[i].low = head < tail ? head : tail;
        sides[i].high = head < tail ? tail : head;
        sides[i].triangle = (uint32_t)(i / 3);
        sides[i].corner = (uint16_t)(i % 3);
    }
    qsort(sides, count, sizeof *sides, compare_sides);
    for (size_t i = 0; i < count; i += used) {
        for (used = 1; i + used < count; used++)
            if (sides[i + used].low != sides[i].low ||
                sides[i + used].high != sides[i].high)
                break;
        mark_edge(out, sides + i, used);
    }
    free(sides);
    return true;
}


/* ---- The table ----------------------------------------------------------- */

/* Orders triangles by their vertices. */
static int compare_corners(const void *first, const void *second)
{
    const item *a = first, *b = second;

    for (int i = 0; i < 3; i++)
        if (a->vertex[i] != b->vertex[i])
            return compare_numbers(a->vertex[i], b->vertex[i]);
    return compare_numbers(a->number, b->number);
}

static int compare_items(const void *a, const void *b)
{
    return compare_numbers(((const item *)a)->number,
                           ((const item *)b)->number);
}

/* Drops repeated triangles.  Each begins with its lowest vertex, so repeated
 * triangles have equal numbers. */
static void drop_repeated(builder *it)
{
    size_t kept = 0;

    for (size_t i = 0; i < it->item_count; i++) {
        uint32_t *v = it->items[i].vertex;

        while (v[0] > v[1] || v[0] > v[2]) {
            uint32_t first = v[0];

            v[0] = v[1];
            v[1] = v[2];
            v[2] = first;
        }
    }
    qsort(it->items, it->item_count, sizeof *it->items, compare_corners);
    for (size_t i = 0; i < it->item_count; i++)
        if (kept == 0 || memcmp(it->items[i].vertex, it->items[kept - 1].vertex,
                                sizeof it->items[i].vertex) != 0)
            it->items[kept++] = it->items[i];
    it->out->dropped += it->item_count - kept;
    it->item_count = kept;
    qsort(it->items, it->item_count, sizeof *it->items, compare_items);
}

/* Writes the vertices that triangles use, in the order of the points. */
static const char *write_vertices(builder *it, size_t point_count,
                                  uint32_t *number)
{
    mesh_storage *out = it->out;
    size_t used = 0;

    memset(number, 0, point_count * sizeof *number);
    for (size_t i = 0; i < it->item_count; i++)
        for (int k = 0; k < 3; k++)
            number[it->items[i].vertex[k]] = 1;
    for (size_t i = 0; i < point_count; i++)
        used += number[i];
    if (used > MAX_COUNT)
        return "more than 65535 vertices";
    out->vertices = malloc(used * sizeof *out->vertices);
    if (!out->vertices)
        return out_of_memory;
    out->mesh.vertex_count = (uint16_t)used;
    used = 0;
    for (size_t i = 0; i < point_count; i++)
        if (number[i] > 0) {
            out->vertices[used] = it->places[i];
            number[i] = (uint32_t)used++;
        }
    return place_spread(out->vertices, used) < PLACE_LEAST ? "smaller than 5 mm"
                                                           : NULL;
}

static const char *write_tree(builder *it)
{
    mesh_storage *out = it->out;

    out->mesh.triangle_count = (uint16_t)it->item_count;
    out->triangles = calloc(it->item_count, sizeof *out->triangles);
    out->nodes = malloc(MAX_COUNT * sizeof *out->nodes);
    it->areas = malloc(it->item_count * sizeof *it->areas);
    if (!out->triangles || !out->nodes || !it->areas)
        return out_of_memory;
    return add_nodes(it, it->items, it->item_count)
               ? NULL
               : "more than 65535 nodes: allow more triangles in a leaf";
}

static const char *write_table(builder *it, size_t point_count,
                               uint32_t *number)
{
    mesh_storage *out = it->out;
    const char *error;

    if (it->item_count == 0)
        return "no triangle has an area";
    if (it->item_count > MAX_COUNT)
        return "more than 65535 triangles";
    error = write_vertices(it, point_count, number);
    if (!error)
        error = write_tree(it);
    if (error)
        return error;
    for (size_t i = 0; i < it->item_count; i++)
        for (int k = 0; k < 3; k++)
            out->triangles[i].vertex[k] = (uint16_t)
                number[it->items[i].vertex[k]];
    if (it->materials) {
        out->materials = malloc(it->item_count);
        if (!out->materials)
            return out_of_memory;
        for (size_t i = 0; i < it->item_count; i++)
            out->materials[i] = it->items[i].material;
    }
    out->mesh.kind = VSP_TABLE_MESH;
    out->mesh.vertices = out->vertices;
    out->mesh.triangles = out->triangles;
    out->mesh.nodes = out->nodes;
    return mark_edges(out) ? NULL : out_of_memory;
}

/* Builds the table in arrays that are large enough for the counts. */
static const char *build_table(builder *it, const vec3 *points,
                               size_t point_count, uint32_t (*triangles)[3],
                               size_t triangle_count, numbered_place *places,
                               uint32_t *first_of)
{
    const char *error = find_equal_points(places, points, point_count,
                                          first_of);

    if (error)
        return error;
    for (size_t i = 0; i < point_count; i++)
        it->places[places[i].number] = places[i].place;
    for (size_t i = 0; i < triangle_count; i++) {
        uint32_t vertex[3];

        for (int k = 0; k < 3; k++) {
            if (triangles[i][k] >= point_count)
                return "a triangle has a corner that is no point";
            vertex[k] = first_of[triangles[i][k]];
        }
        add_item(it, vertex, it->materials ? it->materials[i] : 0);
    }
    drop_repeated(it);
    return write_table(it, point_count, first_of);
}

const char *mesh_build(mesh_storage *out, const vec3 *points,
                       size_t point_count, uint32_t (*triangles)[3],
                       size_t triangle_count, int leaf)
{
    return mesh_build_materials(out, points, point_count, triangles, NULL,
                                triangle_count, leaf);
}

const char *mesh_build_materials(mesh_storage *out, const vec3 *points,
                                 size_t point_count, uint32_t (*triangles)[3],
                                 const uint8_t *materials,
                                 size_t triangle_count, int leaf)
{
    builder it;
    numbered_place *places;
    uint32_t *first_of;
    const char *error = out_of_memory;

    memset(out, 0, sizeof *out);
    memset(&it, 0, sizeof it);
    it.out = out;
    it.leaf = leaf;
    it.materials = materials;
    if (point_count == 0 || triangle_count == 0)
        return "no triangle";
    if (point_count > UINT32_MAX || triangle_count > UINT32_MAX)
        return "too many points or triangles";
    if (leaf < 1 || leaf > 8)
        return "a leaf has 1 to 8 triangles";
    places = malloc(point_count * sizeof *places);
    first_of = malloc(point_count * sizeof *first_of);
    it.places = malloc(point_count * sizeof *it.places);
    it.items = malloc(triangle_count * sizeof *it.items);
    if (places && first_of && it.places && it.items)
        error = build_table(&it, points, point_count, triangles, triangle_count,
                            places, first_of);
    free(places);
    free(first_of);
    free(it.places);
    free(it.items);
    free(it.areas);
    if (error)
        mesh_free(out);
    return error;
}

void mesh_free(mesh_storage *mesh)
{
    free(mesh->vertices);
    free(mesh->triangles);
    free(mesh->nodes);
    free(mesh->materials);
    memset(mesh, 0, sizeof *mesh);
}


/* ---- Text ---------------------------------------------------------------- */

size_t mesh_bytes(const vsp_mesh *mesh)
{
    return (size_t)mesh->vertex_count * 12 + (size_t)mesh->triangle_count * 8 +
           (size_t)mesh->node_count * 32 + 24;
}

static void write_node(table_text *text, const vsp_mesh_node *node)
{
    table_item(text, "{{%ld, %ld, %ld}", (long)node->low.x, (long)node->low.y,
               (long)node->low.z);
    table_item(text, "{%ld, %ld, %ld}", (long)node->high.x, (long)node->high.y,
               (long)node->high.z);
    table_item(text, "%d, %d, 0, %d, 0}", node->next, node->count, node->first);
}

void mesh_write_arrays(table_text *text, const vsp_mesh *mesh)
{
    table_places(text, "vertices", mesh->vertices, mesh->vertex_count);
    table_open(text, "vsp_triangle", "triangles");
    for (int i = 0; i < mesh->triangle_count; i++) {
        const vsp_triangle *of = &mesh->triangles[i];

        table_item(text, "{{%d, %d, %d}, %d}", of->vertex[0], of->vertex[1],
                   of->vertex[2], of->marks);
    }
    table_close(text);
    table_open(text, "vsp_mesh_node", "nodes");
    for (int i = 0; i < mesh->node_count; i++)
        write_node(text, &mesh->nodes[i]);
    table_close(text);
}

void mesh_write_constant(table_text *text, const char *before,
                         const vsp_mesh *mesh, const char *after)
{
    table_item(text, "%s", before);
    table_item(text, "%d, %d, %d, 0", mesh->vertex_count, mesh->triangle_count,
               mesh->node_count);
    table_item(text, "%s_vertices", text->name);
    table_item(text, "%s_triangles", text->name);
    table_item(text, "%s_nodes%s", text->name, after);
}

void mesh_write(table_text *text, const table_origin *origin,
                const vsp_mesh *mesh)
{
    char what[120];

    snprintf(what, sizeof what, "mesh: %d vertices, %d triangles, %d nodes",
             mesh->vertex_count, mesh->triangle_count, mesh->node_count);
    table_begin(text, origin, what, mesh_bytes(mesh));
    mesh_write_arrays(text, mesh);
    table_open_constant(text, "vsp_mesh");
    mesh_write_constant(text, "VSP_TABLE_MESH", mesh, "");
    table_end(text);
}

void mesh_write_materials(table_text *text, const table_origin *origin,
                          const mesh_storage *mesh, const material_list *list)
{
    size_t count = mesh->mesh.triangle_count;
    char what[120];

    snprintf(what, sizeof what,
             "mesh: %d vertices, %d triangles, %d nodes, %lu materials",
             mesh->mesh.vertex_count, mesh->mesh.triangle_count,
             mesh->mesh.node_count, (unsigned long)list->count);
    table_begin(text, origin, what,
                mesh_bytes(&mesh->mesh) + materials_bytes(list, count));
    mesh_write_arrays(text, &mesh->mesh);
    materials_write_arrays(text, list, mesh->materials, count);
    table_open_constant(text, "vsp_mesh_materials");
    mesh_write_constant(text, "{VSP_TABLE_MESH_MATERIALS", &mesh->mesh, "}");
    materials_write_member(text, list);
    table_end(text);
}
