/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Changed parts of height fields (VSP_FIELD_EDITS): the tiles of a shape, their
 * limits. */

#include "state.h"

#if VSP_FIELD_EDITS

#define SIDE VSP__TILE_SIDE

uint32_t vsp__tile_key(uint32_t column, uint32_t row)
{
    return row / SIDE << 16 | column / SIDE;
}

uint32_t vsp__first_tile(const vsp__field_tile *tiles, uint32_t count,
                         uint32_t key)
{
    uint32_t low = 0, high = count;

    while (low < high) {
        uint32_t middle = (low + high) / 2u;

        if (vsp__key_of_tile(tiles + middle) < key)
            low = middle + 1u;
        else
            high = middle;
    }
    return low;
}

const vsp__field_tile *vsp__find_tile(const vsp__field_tiles *of,
                                      uint32_t column, uint32_t row)
{
    uint32_t key = vsp__tile_key(column, row);
    uint32_t i = vsp__first_tile(of->tiles, of->count, key);

    return i < of->count && vsp__key_of_tile(of->tiles + i) == key
               ? of->tiles + i
               : NULL;
}

/* Returns the index of the first tile whose shape is at this address of the
 * world's shapes or behind it. */
static VSP__CALLED uint32_t first_of_shapes(const vsp_world *world,
                                            uintptr_t shape)
{
    uint32_t low = 0, high = world->tile_count;

    while (low < high) {
        uint32_t middle = (low + high) / 2u;

        if ((uintptr_t)(world->shapes + world->tiles[middle].shape) < shape)
            low = middle + 1u;
        else
            high = middle;
    }
    return low;
}

void vsp__tiles_of(const vsp_world *world, const vsp__shape *shape,
                   vsp__field_tiles *of)
{
    uint32_t first = first_of_shapes(world, (uintptr_t)shape);

    of->tiles = world->tiles + first;
    of->count = first_of_shapes(world, (uintptr_t)shape + 1u) - first;
}

int32_t vsp__top_of_tiles(const vsp__field_tiles *of, int32_t top)
{
    uint32_t i;

    for (i = 0; i < of->count; i++)
        top = of->tiles[i].high > top ? of->tiles[i].high : top;
    return top;
}

void vsp__forget_tiles(vsp_world *world, uint32_t shape)
{
    uint32_t i, kept = 0;

    for (i = 0; i < world->tile_count; i++)
        if (world->tiles[i].shape != shape)
            world->tiles[kept++] = world->tiles[i];
    world->tile_count = kept;
}


/* ---- One tile ------------------------------------------------------------ */

const vsp_height_field *vsp__field_of(const vsp_world *world,
                                      const vsp__shape *shape)
{
    if (shape->type != VSP_SHAPE_HEIGHT_FIELD)
        return NULL;
    return (const vsp_height_field *)world->tables[shape->table - 1u];
}

bool vsp__is_height(const vsp__shape *shape, const vsp_height_field *f,
                    int32_t height)
{
    int64_t limit = (int64_t)100 * VSP_PLACE;
    int64_t place = (int64_t)height * f->step;
    vsp_place scale;

    if (height == VSP_HOLE)
        return true;
    if (vsp__find_scale(shape, &scale) && scale.y > VSP_PLACE)
        limit = limit * VSP_PLACE / scale.y;
    return place >= -limit && place <= limit;
}

int32_t vsp__table_height(const vsp_height_field *f, uint32_t column,
                          uint32_t row)
{
    return column < f->columns && row < f->rows
               ? f->heights[row * f->columns + column]
               : 0;
}

uint32_t vsp__cell_material(const vsp_world *world, const vsp__shape *shape,
                            uint32_t column, uint32_t row)
{
    const vsp_height_field *f = vsp__field_of(world, shape);
    const vsp_table_materials *m = vsp__materials_of(world, shape);
    uint32_t across = f->columns - 1u;

    if (m == NULL || column >= across || row + 1u >= f->rows)
        return 0;
    return m->of[row * across + column];
}

void vsp__fill_tile(const vsp_world *world, const vsp__shape *shape,
                    vsp__field_tile *t)
{
    const vsp_height_field *f = vsp__field_of(world, shape);
    uint32_t i;

    for (i = 0; i < SIDE * SIDE; i++) {
        uint32_t column = t->column * SIDE + i % SIDE;
        uint32_t row = t->row * SIDE + i / SIDE;

        t->heights[i] = (int16_t)vsp__table_height(f, column, row);
        t->materials[i] = (uint8_t)vsp__cell_material(world, shape, column,
                                                      row);
    }
}

void vsp__bound_tile(vsp__field_tile *t)
{
    uint32_t i;

    t->high = VSP_HOLE;
    for (i = 0; i < SIDE * SIDE; i++)
        if (t->heights[i] > t->high)
            t->high = t->heights[i];
}

/* Whether a tile is the same as its table. */
bool vsp__is_tile_plain(const vsp_world *world, const vsp__shape *shape,
                        const vsp__field_tile *t)
{
    vsp__field_tile plain;
    uint32_t i;

    plain.column = t->column;
    plain.row = t->row;
    vsp__fill_tile(world, shape, &plain);
    for (i = 0; i < SIDE * SIDE; i++)
        if (plain.heights[i] != t->heights[i] ||
            plain.materials[i] != t->materials[i])
            return false;
    return true;
}

/* Whether height and material i of a tile are allowed; those beyond the field
 * are 0. */
static bool is_tile_number(const vsp_world *world, const vsp__shape *shape,
                           const vsp__field_tile *t, uint32_t i)
{
    const vsp_height_field *f = vsp__field_of(world, shape);
    const vsp_table_materials *m = vsp__materials_of(world, shape);
    uint32_t column = t->column * SIDE + i % SIDE;
    uint32_t row = t->row * SIDE + i / SIDE;
    bool is_point = column < f->columns && row < f->rows;
    bool is_cell = column + 1u < f->columns && row + 1u < f->rows;

    return (is_point ? vsp__is_height(shape, f, t->heights[i])
                     : t->heights[i] == 0) &&
           t->materials[i] <= (is_cell && m != NULL ? m->count : 0u);
}

bool vsp__is_tile(const vsp_world *world, const vsp__shape *shape,
                  const vsp__field_tile *t)
{
    const vsp_height_field *f = vsp__field_of(world, shape);
    uint32_t i;

    if (f == NULL || t->column * SIDE >= f->columns || t->row * SIDE >= f->rows)
        return false;
    for (i = 0; i < SIDE * SIDE; i++)
        if (!is_tile_number(world, shape, t, i))
            return false;
    return !vsp__is_tile_plain(world, shape, t);
}

bool vsp__is_tile_after(const vsp__field_tile *t, const vsp__field_tile *last)
{
    return t->shape > last->shape ||
           (t->shape == last->shape &&
            vsp__key_of_tile(t) > vsp__key_of_tile(last));
}

#endif /* VSP_FIELD_EDITS */
