/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Triangles of meshes and height fields, in this order: the corners and flat
 * edges of one triangle; the walk over those within bounds.  Walks compare
 * integers in units of 1 / VSP_PLACE m, so their tests are exact. */

#include "collide.h"

#if VSP__HAS_PARTS


/* ---- Triangles of a surface ------------------------------------------------
 * The two triangles of cell n of a height field have the numbers 2 n and
 * 2 n + 1.  Their corners, relative to the cell's first column and row: */

static const uint8_t corner_column[2][3] = {{0, 0, 1}, {0, 1, 1}};

static const uint8_t corner_row[2][3] = {{0, 1, 1}, {0, 1, 0}};

#if VSP_FIELD_EDITS

/* Returns the tile of a height or cell; null if it is as in the table. */
static const vsp__field_tile *tile_at(const vsp__surface *s, uint32_t column,
                                      uint32_t row)
{
    return s->tiles.count > 0 ? vsp__find_tile(&s->tiles, column, row) : NULL;
}

#else

static const vsp__field_tile *tile_at(const vsp__surface *s, uint32_t column,
                                      uint32_t row)
{
    (void)s;
    (void)column;
    (void)row;
    return NULL;
}

#endif /* VSP_FIELD_EDITS */

/* Returns the index of a height or cell in its tile. */
static uint32_t place_in_tile(uint32_t column, uint32_t row)
{
    return row % VSP__TILE_SIDE * VSP__TILE_SIDE + column % VSP__TILE_SIDE;
}

int32_t vsp__surface_height(const vsp__surface *s, uint32_t column,
                            uint32_t row)
{
    const vsp__field_tile *t = tile_at(s, column, row);

    return t != NULL ? t->heights[place_in_tile(column, row)]
                     : s->field->heights[row * s->field->columns + column];
}

/* Computes the corners of a triangle.  Returns false at a hole. */
static bool field_places(const vsp__surface *s, uint32_t index,
                         vsp_place places[3])
{
    const vsp_height_field *f = s->field;
    uint32_t cell = index >> 1, across = f->columns - 1u, k;
    const uint8_t *columns = corner_column[index & 1u];
    const uint8_t *rows = corner_row[index & 1u];

    for (k = 0; k < 3; k++) {
        uint32_t column = cell % across + columns[k];
        uint32_t row = cell / across + rows[k];
        int32_t height = vsp__surface_height(s, column, row);

        if (height == VSP_HOLE)
            return false;
        places[k].x = (int32_t)column * f->cell -
                      vsp__half_field(f->columns, f->cell);
        places[k].y = height * f->step;
        places[k].z = (int32_t)row * f->cell -
                      vsp__half_field(f->rows, f->cell);
    }
    return true;
}

static bool triangle_places(const vsp__surface *s, uint32_t index,
                            vsp_place places[3])
{
    uint32_t k;

    if (VSP_HEIGHT_FIELDS && s->field)
        return field_places(s, index, places);
    for (k = 0; k < 3; k++)
        places[k] = s->mesh->vertices[s->mesh->triangles[index].vertex[k]];
    return true;
}

/* Whether the ground stays level or rises beyond an edge of a triangle of a
 * height field, so that nothing catches on the edge.  The ends of the edge and
 * the corner opposite to it on either side form a parallelogram in x and z: the
 * sums of heights at opposite corners decide which way the ground bends. */
static bool is_edge_flat(const vsp__surface *s, uint32_t index, uint32_t edge)
{
    const vsp_height_field *f = s->field;
    const uint8_t *columns = corner_column[index & 1u];
    const uint8_t *rows = corner_row[index & 1u];
    uint32_t cell = index >> 1, across = f->columns - 1u;
    uint32_t x = cell % across, z = cell / across, other_x, other_z;
    uint32_t b = (edge + 1u) % 3u, c = (edge + 2u) % 3u;
    int32_t other;

    /* outside of the field these wrap around and are too large */
    other_x = x + columns[edge] + columns[b] - columns[c];
    other_z = z + rows[edge] + rows[b] - rows[c];
    if (other_x >= f->columns || other_z >= f->rows)
        return false;
    other = vsp__surface_height(s, other_x, other_z);
    return other != VSP_HOLE &&
           vsp__surface_height(s, x + columns[edge], z + rows[edge]) +
                   vsp__surface_height(s, x + columns[b], z + rows[b]) <=
               vsp__surface_height(s, x + columns[c], z + rows[c]) + other;
}

/* Returns the highest height of a height field before it is scaled, in
 * places. */
#if VSP_FIELD_EDITS
static int32_t place_of_top(const vsp__surface *s)
{
    return vsp__top_of_tiles(&s->tiles, s->field->high) * s->field->step;
}
#else
static int32_t place_of_top(const vsp__surface *s)
{
    return s->field->high * s->field->step;
}
#endif

static uint32_t flat_edges_of_table(const vsp__surface *s, uint32_t index)
{
    uint32_t k, bits = 0;

    if (!VSP_HEIGHT_FIELDS || !s->field)
        return s->mesh->triangles[index].marks;
    for (k = 0; k < 3; k++)
        if (is_edge_flat(s, index, k))
            bits |= (uint32_t)1 << k;
    return bits;
}

#if VSP_MATERIALS

uint32_t vsp__triangle_material(const vsp__surface *s, uint32_t index)
{
    const vsp__field_tile *t;
    uint32_t across, cell = index >> 1;

    if (s->materials == NULL)
        return 0;
    if (!VSP_HEIGHT_FIELDS || !s->field)
        return s->materials->of[index];
    across = s->field->columns - 1u;
    t = tile_at(s, cell % across, cell / across);
    return t != NULL ? t->materials[place_in_tile(cell % across, cell / across)]
                     : s->materials->of[cell];
}

#endif /* VSP_MATERIALS */


/* ---- Scales ----------------------------------------------------------------
 * A mirror turns the order of corners round, so corners 1 and 2 change places,
 * and with them edges 0 and 2. */

#if VSP_SCALES

static bool is_mirrored(const vsp__surface *s)
{
    return s->scale.x != 0 && vsp__is_mirror(&s->scale);
}

/* Scales a triangle.  Returns false if it becomes too thin for a normal. */
static bool scale_triangle(const vsp__surface *s, vsp_place places[3])
{
    vsp_place kept;
    uint32_t k;

    if (s->scale.x == 0)
        return true;
    for (k = 0; k < 3; k++)
        vsp__scale_place(&s->scale, &places[k]);
    if (is_mirrored(s)) {
        kept = places[1];
        places[1] = places[2];
        places[2] = kept;
    }
    return vsp__is_wide_triangle(places);
}

/* Clamps a number of places to 1000 m on both sides of 0. */
static int32_t limit_places(int64_t a)
{
    const int64_t most = 1000 * (int64_t)VSP_PLACE;

    return (int32_t)(a > most ? most : a < -most ? -most : a);
}

/* Sets the bounds of a walk.  walk->low and high are in the frame of the table:
 * they contain all that is within the given bounds after it is scaled and
 * rounded. */
static void set_walk_bounds(vsp__triangle_walk *walk, const vsp_place *low,
                            const vsp_place *high)
{
    const vsp_place *scale = &walk->surface->scale;
    uint32_t k;

    walk->low = walk->near_low = *low;
    walk->high = walk->near_high = *high;
    for (k = 0; k < 3 && scale->x != 0; k++) {
        int64_t by = place_part(scale, k);
        int64_t a = ((int64_t)place_part(low, k) - 1) * VSP_PLACE / by;
        int64_t b = ((int64_t)place_part(high, k) + 1) * VSP_PLACE / by;

        place_parts(&walk->low)[k] = limit_places((a < b ? a : b) - 1);
        place_parts(&walk->high)[k] = limit_places((a < b ? b : a) + 1);
    }
}

#define NEAR_LOW(walk) (&(walk)->near_low)
#define NEAR_HIGH(walk) (&(walk)->near_high)

vsp__num vsp__surface_top(const vsp__surface *s)
{
    vsp_place top = {0, 0, 0};

    top.y = place_of_top(s);
    if (s->scale.x != 0)
        vsp__scale_place(&s->scale, &top);
    return r_of_place(top.y);
}

/* The halves of a cell meet where x = z before they are scaled.  So x / by_x
 * and z / by_z are compared, both multiplied by |by_x by_z|. */
bool vsp__is_over_half(const vsp__surface *s, uint32_t index, const vsp__v3 *d)
{
    int64_t by_x = s->scale.x, by_z = s->scale.z, x, z;
    bool is_odd = (index & 1u) != 0;

    if (by_x == 0)
        return is_odd ? d->x >= d->z : d->z >= d->x;
    x = r_to_place(d->x) * (by_z < 0 ? -by_z : by_z);
    z = r_to_place(d->z) * (by_x < 0 ? -by_x : by_x);
    x = by_x < 0 ? -x : x;
    z = by_z < 0 ? -z : z;
    return is_odd ? x >= z : z >= x;
}

uint32_t vsp__flat_edges(const vsp__surface *s, uint32_t index)
{
    uint32_t bits = flat_edges_of_table(s, index);

    return is_mirrored(s) ? (bits & ~5u) | (bits >> 2 & 1u) | (bits & 1u) << 2
                          : bits;
}

#else

static bool scale_triangle(const vsp__surface *s, vsp_place places[3])
{
    (void)s;
    (void)places;
    return true;
}

static void set_walk_bounds(vsp__triangle_walk *walk, const vsp_place *low,
                            const vsp_place *high)
{
    walk->low = *low;
    walk->high = *high;
}

#define NEAR_LOW(walk) (&(walk)->low)
#define NEAR_HIGH(walk) (&(walk)->high)

vsp__num vsp__surface_top(const vsp__surface *s)
{
    return r_of_place(place_of_top(s));
}

bool vsp__is_over_half(const vsp__surface *s, uint32_t index, const vsp__v3 *d)
{
    (void)s;
    return (index & 1u) != 0 ? d->x >= d->z : d->z >= d->x;
}

uint32_t vsp__flat_edges(const vsp__surface *s, uint32_t index)
{
    return flat_edges_of_table(s, index);
}

#endif /* VSP_SCALES */


/* ---- Triangles within bounds --------------------------------------------- */

static void place_of_v3(const vsp__v3 *v, vsp_place *p)
{
    p->x = r_to_place(v->x);
    p->y = r_to_place(v->y);
    p->z = r_to_place(v->z);
}

static bool is_node_near(const vsp__triangle_walk *walk, const vsp_mesh_node *n)
{
    uint32_t k;

    for (k = 0; k < 3; k++)
        if (place_part(&n->low, k) > place_part(&walk->high, k) ||
            place_part(&walk->low, k) > place_part(&n->high, k))
            return false;
    return true;
}

/* Computes the cells along one axis, from first to before end, that touch an
 * interval. */
static void find_cells(const vsp_height_field *f, uint32_t count, int32_t low,
                       int32_t high, uint32_t *first, uint32_t *end)
{
    int32_t half = vsp__half_field(count, f->cell), cells = (int32_t)count - 1;
    int32_t from = low + half, to = high + half;

    *first = *end = 0;
    if (to < 0)
        return;
    from = from < 0 ? 0 : from / f->cell;
    to = to / f->cell + 1;
    *first = (uint32_t)from;
    *end = (uint32_t)(to < cells ? to : cells);
}

void vsp__start_triangles(vsp__triangle_walk *walk, const vsp__surface *surface,
                          const vsp__aabb *bounds)
{
    const vsp_height_field *f = surface->field;
    vsp_place low, high;

    walk->surface = surface;
    place_of_v3(&bounds->low, &low);
    place_of_v3(&bounds->high, &high);
    set_walk_bounds(walk, &low, &high);
    walk->next = walk->last = walk->node = 0;
    walk->left = 0xffffffffu;
    walk->stride = 1;
    walk->row = walk->end_row = 0;
    if (!VSP_HEIGHT_FIELDS || !f)
        return;
    find_cells(f, f->columns, walk->low.x, walk->high.x, &walk->first_column,
               &walk->end_column);
    find_cells(f, f->rows, walk->low.z, walk->high.z, &walk->row,
               &walk->end_row);
    walk->column = walk->first_column;
}

static uint32_t strided(uint32_t count, uint32_t stride)
{
    return (count + stride - 1u) / stride;
}

void vsp__spread_triangles(vsp__triangle_walk *walk, uint32_t limit)
{
    const vsp_mesh *mesh = walk->surface->mesh;
    uint32_t columns = walk->end_column - walk->first_column;
    uint32_t rows = walk->end_row - walk->row;

    if (VSP_HEIGHT_FIELDS && walk->surface->field) {
        while (strided(columns, walk->stride) * strided(rows, walk->stride) >
               limit / 2u)
            walk->stride += 1u + walk->stride / 8u;
        return;
    }
    walk->last = mesh->triangle_count;
    walk->node = mesh->node_count;
    walk->stride = 1u + mesh->triangle_count / limit;
}

static bool take_one(vsp__triangle_walk *walk)
{
    if (walk->left == 0)
        return false;
    walk->left--;
    return true;
}

static bool next_cell(vsp__triangle_walk *walk)
{
    if (walk->row >= walk->end_row || walk->column >= walk->end_column)
        return false;
    walk->next = 2u * (walk->row * (walk->surface->field->columns - 1u) +
                       walk->column);
    walk->last = walk->next + 2u;
    walk->column += walk->stride;
    if (walk->column >= walk->end_column) {
        walk->column = walk->first_column;
        walk->row += walk->stride;
    }
    return true;
}

static bool next_leaf(vsp__triangle_walk *walk)
{
    const vsp_mesh *mesh = walk->surface->mesh;

    while (walk->node < mesh->node_count && take_one(walk)) {
        const vsp_mesh_node *n = mesh->nodes + walk->node;

        if (!is_node_near(walk, n)) {
            walk->node = n->next;
            continue;
        }
        walk->node++;
        if (n->count > 0) {
            walk->next = n->first;
            walk->last = walk->next + n->count;
            return true;
        }
    }
    return false;
}

static bool next_leaf_or_cell(vsp__triangle_walk *walk)
{
    return VSP_HEIGHT_FIELDS && walk->surface->field ? next_cell(walk)
                                                     : next_leaf(walk);
}

static bool are_places_near(const vsp__triangle_walk *walk,
                            const vsp_place p[3])
{
    uint32_t k;

    for (k = 0; k < 3; k++) {
        int32_t a = place_part(&p[0], k), b = place_part(&p[1], k),
                c = place_part(&p[2], k);
        int32_t low = place_part(NEAR_LOW(walk), k),
                high = place_part(NEAR_HIGH(walk), k);

        if ((a > high && b > high && c > high) ||
            (a < low && b < low && c < low))
            return false;
    }
    return true;
}

bool vsp__next_triangle(vsp__triangle_walk *walk, vsp__v3 corners[3],
                        uint32_t *index)
{
    vsp_place places[3];
    uint32_t k;

    for (;;) {
        if ((walk->next >= walk->last && !next_leaf_or_cell(walk)) ||
            !take_one(walk))
            return false;
        *index = walk->next;
        walk->next += walk->surface->mesh ? walk->stride : 1u;
        if (triangle_places(walk->surface, *index, places) &&
            scale_triangle(walk->surface, places) &&
            are_places_near(walk, places))
            break;
    }
    for (k = 0; k < 3; k++)
        vsp__place_to_v3(&places[k], &corners[k]);
    return true;
}

#endif /* VSP__HAS_PARTS */
