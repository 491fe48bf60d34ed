/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Height fields that change (VSP_FIELD_EDITS): arguments; tiles; what a change
 * reaches; the calls. */

#include "api.h"

#if VSP_FIELD_EDITS

#define TILE_SIDE VSP__TILE_SIDE


/* ---- Arguments ----------------------------------------------------------- */

/* A part of a field that a call reads or changes. */
typedef struct field_part {
    const vsp__shape *shape;
    const vsp_height_field *field;
    uint32_t slot;
    uint32_t column, row, columns, rows;
    bool is_cells; /* materials of cells, not heights */
} field_part;

/* Whether `count` numbers from the first one are within `all`. */
static bool is_part_within(uint32_t first, uint32_t count, uint32_t all)
{
    return count > 0 && count <= all && first <= all - count;
}

/* Completes a part, and checks that it is within the field.  Returns VSP_OK,
 * VSP_ERR_ARG, VSP_ERR_ID. */
static vsp_status find_part(const vsp_world *world, vsp_shape_id id,
                            const void *numbers, field_part *p)
{
    uint32_t less = p->is_cells ? 1u : 0u;

    p->shape = vsp__get_shape(world, id);
    if (p->shape == NULL)
        return vsp__missing_status(world);
    p->slot = vsp__slot_of_id(id.bits);
    p->field = vsp__field_of(world, p->shape);
    if (numbers == NULL || p->field == NULL ||
        !is_part_within(p->column, p->columns, p->field->columns - less) ||
        !is_part_within(p->row, p->rows, p->field->rows - less))
        return VSP_ERR_ARG;
    return VSP_OK;
}

/* Returns the present number at a place of a field. */
static int32_t field_number(const vsp_world *world, const field_part *p,
                            uint32_t column, uint32_t row)
{
    vsp__field_tiles tiles;
    const vsp__field_tile *t;
    uint32_t at = row % TILE_SIDE * TILE_SIDE + column % TILE_SIDE;

    vsp__tiles_of(world, p->shape, &tiles);
    t = vsp__find_tile(&tiles, column, row);
    if (p->is_cells)
        return t != NULL
                   ? t->materials[at]
                   : (int32_t)vsp__cell_material(world, p->shape, column, row);
    return t != NULL ? t->heights[at]
                     : vsp__table_height(p->field, column, row);
}


/* ---- Tiles --------------------------------------------------------------- */

/* Returns the index where the tile of a place is, or would be. */
static uint32_t tile_index(const vsp_world *world, const field_part *p,
                           uint32_t column, uint32_t row, bool *is_there)
{
    vsp__field_tiles tiles;
    uint32_t key = vsp__tile_key(column, row), i;

    vsp__tiles_of(world, p->shape, &tiles);
    i = vsp__first_tile(tiles.tiles, tiles.count, key);
    *is_there = i < tiles.count && vsp__key_of_tile(tiles.tiles + i) == key;
    return (uint32_t)(tiles.tiles - world->tiles) + i;
}

/* Returns the tile of a place, which is added if it is not there. */
static vsp__field_tile *open_tile(vsp_world *world, const field_part *p,
                                  uint32_t column, uint32_t row)
{
    bool is_there;
    uint32_t i = tile_index(world, p, column, row, &is_there), k;
    vsp__field_tile *t = world->tiles + i;

    if (is_there)
        return t;
    for (k = world->tile_count; k > i; k--)
        world->tiles[k] = world->tiles[k - 1u];
    world->tile_count++;
    t->shape = (uint16_t)p->slot;
    t->column = (uint16_t)(column / TILE_SIDE);
    t->row = (uint16_t)(row / TILE_SIDE);
    vsp__fill_tile(world, p->shape, t);
    vsp__bound_tile(t);
    return t;
}

/* Removes the tiles of a part's shape that are as in the table. */
static void close_tiles(vsp_world *world, const field_part *p)
{
    uint32_t i, kept = 0;

    for (i = 0; i < world->tile_count; i++) {
        vsp__field_tile *t = world->tiles + i;

        if (t->shape == p->slot && vsp__is_tile_plain(world, p->shape, t))
            continue;
        world->tiles[kept++] = *t;
    }
    world->tile_count = kept;
}

/* Returns a number of the caller's. */
static int32_t number_of(const field_part *p, const void *numbers, uint32_t i)
{
    return p->is_cells ? ((const uint8_t *)numbers)[i]
                       : ((const int16_t *)numbers)[i];
}

/* Whether the tiles that a change needs are there or have room. */
static bool has_room(const vsp_world *world, const field_part *p,
                     const void *numbers)
{
    uint32_t last[VSP__TILES_OF_EDIT], count = 0, i, k;

    for (i = 0; i < p->columns * p->rows; i++) {
        uint32_t column = p->column + i % p->columns;
        uint32_t row = p->row + i / p->columns;
        uint32_t key = vsp__tile_key(column, row);
        bool is_there;

        (void)tile_index(world, p, column, row, &is_there);
        if (is_there ||
            number_of(p, numbers, i) == field_number(world, p, column, row))
            continue;
        for (k = 0; k < count && last[k] != key; k++)
            continue;
        if (k == count)
            last[count++] = key;
    }
    return world->tile_count + count <= VSP_MAX_FIELD_TILES;
}

/* Stores the numbers of a part. */
static void store_part(vsp_world *world, const field_part *p,
                       const void *numbers)
{
    uint32_t i;

    for (i = 0; i < p->columns * p->rows; i++) {
        uint32_t column = p->column + i % p->columns;
        uint32_t row = p->row + i / p->columns;
        uint32_t at = row % TILE_SIDE * TILE_SIDE + column % TILE_SIDE;
        int32_t number = number_of(p, numbers, i);
        vsp__field_tile *t;

        if (number == field_number(world, p, column, row))
            continue;
        t = open_tile(world, p, column, row);
        if (p->is_cells)
            t->materials[at] = (uint8_t)number;
        else
            t->heights[at] = (int16_t)number;
        vsp__bound_tile(t);
    }
    close_tiles(world, p);
}


/* ---- What a change reaches -------------------------------------------------
 */

/* heights beyond all that a field may have, in places */
#define LIMIT ((int32_t)110 * VSP_PLACE)

/* Fills the bounds in the world of the cells that a change reaches, from one
 * height to another, in places. */
static void find_reach(const vsp_world *world, const field_part *p,
                       int32_t bottom, int32_t top, vsp__aabb *reach)
{
    const vsp_height_field *f = p->field;
    int32_t cell = f->cell;
    vsp_place low, high, size;
    vsp__v3 middle, half,
        sum = v3(world->params.envelope, world->params.envelope,
                 world->params.envelope);
    vsp__aabb bounds;
    vsp__pose pose;

    low.x = ((int32_t)p->column - 1) * cell - vsp__half_field(f->columns, cell);
    low.y = bottom;
    low.z = ((int32_t)p->row - 1) * cell - vsp__half_field(f->rows, cell);
    high.x = low.x + ((int32_t)p->columns + 1) * cell;
    high.y = top;
    high.z = low.z + ((int32_t)p->rows + 1) * cell;
    vsp__scale_box_of(p->shape, &low, &high);
    size.x = high.x / 2 - low.x / 2;
    size.y = high.y / 2 - low.y / 2;
    size.z = high.z / 2 - low.z / 2;
    low.x += size.x;
    low.y += size.y;
    low.z += size.z;
    vsp__place_to_v3(&low, &middle);
    vsp__place_to_v3(&size, &half);
    vsp__update_shape(world, p->slot, &pose, &bounds);
    vsp__m3_mul_to(&pose.axes, &middle, &middle);
    v3_add_in(&middle, &pose.position);
    vsp__bounds_of_point(&middle, reach);
    vsp__add_extent(&pose.axes, &half, &sum);
    v3_sub_in(&reach->low, &sum);
    v3_add_in(&reach->high, &sum);
}

static bool do_bounds_overlap(const vsp__aabb *a, const vsp__aabb *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x &&
           a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

/* Returns the lowest or the highest height, in places, of a part and of the
 * points beside it; a hole is lower than all others. */
static int32_t find_extreme(const vsp_world *world, const field_part *p,
                            bool is_highest)
{
    uint32_t column = p->column > 0 ? p->column - 1u : 0, row;
    uint32_t end = p->column + p->columns, end_row = p->row + p->rows;
    int32_t found = is_highest ? -LIMIT : LIMIT;

    for (; column <= end && column < p->field->columns; column++)
        for (row = p->row > 0 ? p->row - 1u : 0;
             row <= end_row && row < p->field->rows; row++) {
            int32_t height = field_number(world, p, column, row);
            int32_t place = height == VSP_HOLE ? -LIMIT
                                               : height * p->field->step;

            if (is_highest ? place > found : place < found)
                found = place;
        }
    return found;
}

/* Whether a shell may be where ground rises between two heights, in places. */
static bool is_shell_between(vsp_world *world, const field_part *p,
                             int32_t bottom, int32_t top)
{
    vsp__aabb reach, bounds;
    vsp__pose pose;
    uint32_t i;

    if (VSP_JOINTS)
        vsp__list_body_joints(world);
    find_reach(world, p, bottom, top, &reach);
    for (i = 0; i < world->shape_limit; i++) {
        if (!vsp__is_shell(world->shapes + i) ||
            !vsp__may_collide(world, p->slot, i))
            continue;
        vsp__update_shape(world, i, &pose, &bounds);
        if (do_bounds_overlap(&bounds, &reach))
            return true;
    }
    return false;
}

/* Whether heights make ground rise. */
static bool does_rise(const vsp_world *world, const field_part *p,
                      const int16_t *heights)
{
    uint32_t i;

    for (i = 0; i < p->columns * p->rows; i++)
        if (heights[i] > field_number(world, p, p->column + i % p->columns,
                                      p->row + i / p->columns))
            return true;
    return false;
}

/* Wakes the bodies over or under the changed cells. */
static void wake_over(vsp_world *world, const field_part *p)
{
    vsp__aabb reach, bounds;
    vsp__pose pose;
    uint32_t i;

    if (!VSP_SLEEP)
        return;
    find_reach(world, p, -LIMIT, LIMIT, &reach);
    for (i = 0; i < world->shape_limit; i++) {
        uint32_t owner = world->shapes[i].body;

        if (world->shapes[i].type == VSP_SHAPE_NONE ||
            !vsp__is_asleep(&world->bodies[owner]))
            continue;
        vsp__update_shape(world, i, &pose, &bounds);
        if (do_bounds_overlap(&bounds, &reach))
            vsp__wake_body(world, owner);
    }
}


/* ---- Calls --------------------------------------------------------------- */

/* Stores a part whose numbers are allowed.  If a shell may be where ground
 * rises, stores the old numbers again. */
static vsp_status store_heights(vsp_world *world, const field_part *p,
                                const int16_t *heights)
{
    int16_t old[VSP_MAX_FIELD_EDIT];
    int32_t bottom = find_extreme(world, p, false);
    uint32_t i;

    for (i = 0; i < p->columns * p->rows; i++)
        old[i] = (int16_t)field_number(world, p, p->column + i % p->columns,
                                       p->row + i / p->columns);
    store_part(world, p, heights);
    if (!is_shell_between(world, p, bottom, find_extreme(world, p, true)))
        return VSP_OK;
    store_part(world, p, old);
    return VSP_ERR_OVERLAP;
}

/* Changes a part whose numbers are allowed. */
static vsp_status change_part(vsp_world *world, const field_part *p,
                              const void *numbers)
{
    if (!has_room(world, p, numbers))
        return VSP_ERR_FULL;
    if (VSP_SHELLS && !p->is_cells &&
        does_rise(world, p, (const int16_t *)numbers)) {
        if (store_heights(world, p, (const int16_t *)numbers) < 0)
            return VSP_ERR_OVERLAP;
    } else {
        store_part(world, p, numbers);
    }
    if (VSP_SLEEP && world->params.sleep)
        wake_over(world, p);
    vsp__forget_contacts(world);
    return VSP_OK;
}

/* Returns the part of these arguments; find_part completes it. */
static field_part part_of(uint32_t column, uint32_t row, uint32_t columns,
                          uint32_t rows, bool is_cells)
{
    field_part p;

    vsp__zero_bytes(&p, sizeof p);
    p.column = column;
    p.row = row;
    p.columns = columns;
    p.rows = rows;
    p.is_cells = is_cells;
    return p;
}

/* Whether a part is small enough to be changed in one call. */
static bool is_part_small(const field_part *p)
{
    return p->columns <= VSP_MAX_FIELD_EDIT && p->rows <= VSP_MAX_FIELD_EDIT &&
           p->columns * p->rows <= VSP_MAX_FIELD_EDIT;
}

vsp_status vsp_field_set_heights(vsp_world *world, vsp_shape_id shape,
                                 uint32_t column, uint32_t row,
                                 uint32_t columns, uint32_t rows,
                                 const int16_t *heights)
{
    field_part p = part_of(column, row, columns, rows, false);
    vsp_status status = find_part(world, shape, heights, &p);
    uint32_t i;

    if (status < 0)
        return status;
    if (!is_part_small(&p))
        return VSP_ERR_ARG;
    for (i = 0; i < columns * rows; i++)
        if (!vsp__is_height(p.shape, p.field, heights[i]))
            return VSP_ERR_ARG;
    return change_part(world, &p, heights);
}

vsp_status vsp_field_get_heights(const vsp_world *world, vsp_shape_id shape,
                                 uint32_t column, uint32_t row,
                                 uint32_t columns, uint32_t rows,
                                 int16_t *heights)
{
    field_part p = part_of(column, row, columns, rows, false);
    vsp_status status = find_part(world, shape, heights, &p);
    uint32_t i;

    if (status < 0)
        return status;
    for (i = 0; i < columns * rows; i++)
        heights[i] = (int16_t)field_number(world, &p, column + i % columns,
                                           row + i / columns);
    return VSP_OK;
}

vsp_status vsp_field_set_materials(vsp_world *world, vsp_shape_id shape,
                                   uint32_t column, uint32_t row,
                                   uint32_t columns, uint32_t rows,
                                   const uint8_t *materials)
{
    field_part p = part_of(column, row, columns, rows, true);
    vsp_status status = find_part(world, shape, materials, &p);
    const vsp_table_materials *of;
    uint32_t i;

    if (status < 0)
        return status;
    of = vsp__materials_of(world, p.shape);
    if (of == NULL || !is_part_small(&p))
        return VSP_ERR_ARG;
    for (i = 0; i < columns * rows; i++)
        if (materials[i] > of->count)
            return VSP_ERR_ARG;
    return change_part(world, &p, materials);
}

vsp_status vsp_field_get_materials(const vsp_world *world, vsp_shape_id shape,
                                   uint32_t column, uint32_t row,
                                   uint32_t columns, uint32_t rows,
                                   uint8_t *materials)
{
    field_part p = part_of(column, row, columns, rows, true);
    vsp_status status = find_part(world, shape, materials, &p);
    uint32_t i;

    if (status < 0)
        return status;
    for (i = 0; i < columns * rows; i++)
        materials[i] = (uint8_t)field_number(world, &p, column + i % columns,
                                             row + i / columns);
    return VSP_OK;
}

#endif /* VSP_FIELD_EDITS */
