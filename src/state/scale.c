/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Scales of meshes and height fields (VSP_SCALES).  Scaled coordinates are
 * rounded to the unit of tables, as if the table had been made at that size. */

#include "state.h"

#if VSP_SCALES

#define LEAST_SCALE VSP__REAL(0.0625)
#define MOST_SCALE VSP__REAL(16.0)
#define FARTHEST (100 * VSP_PLACE)     /* 100 m */
#define LEAST_EXTENT (VSP_PLACE / 200) /* 5 mm */

bool vsp__find_scale(const vsp__shape *shape, vsp_place *scale)
{
    scale->x = scale->y = scale->z = 0;
    if (!vsp__may_have_scale(shape))
        return false;
    scale->x = r_to_place(shape->size.x);
    scale->y = r_to_place(shape->size.y);
    scale->z = r_to_place(shape->size.z);
    return scale->x != 0;
}

bool vsp__is_mirror(const vsp_place *scale)
{
    return ((scale->x ^ scale->y ^ scale->z) & INT32_MIN) != 0;
}

void vsp__scale_place(const vsp_place *scale, vsp_place *p)
{
    uint32_t k;

    for (k = 0; k < 3; k++) {
        int64_t product = (int64_t)place_part(p, k) * place_part(scale, k);

        product += product < 0 ? -VSP_PLACE / 2 : VSP_PLACE / 2;
        place_parts(p)[k] = (int32_t)(product / VSP_PLACE);
    }
}

void vsp__scale_box(const vsp_place *scale, vsp_place *low, vsp_place *high)
{
    uint32_t k;

    vsp__scale_place(scale, low);
    vsp__scale_place(scale, high);
    for (k = 0; k < 3; k++)
        if (place_part(scale, k) < 0) {
            int32_t kept = place_part(low, k);

            place_parts(low)[k] = place_part(high, k);
            place_parts(high)[k] = kept;
        }
}

/* Fills the box around a mesh or height field. */
static void box_of_surface(const void *table, bool is_field, vsp_place *low,
                           vsp_place *high)
{
    const vsp_mesh *mesh = (const vsp_mesh *)table;
    const vsp_height_field *field = (const vsp_height_field *)table;

    if (!is_field) {
        *low = mesh->nodes[0].low;
        *high = mesh->nodes[0].high;
        return;
    }
    high->x = (field->columns - 1) * (field->cell / 2);
    high->y = field->high * field->step;
    high->z = (field->rows - 1) * (field->cell / 2);
    low->x = -high->x;
    low->y = field->low * field->step;
    low->z = -high->z;
}

/* Whether a box has a size, within the limits of tables. */
static bool is_box_of_table(const vsp_place *low, const vsp_place *high)
{
    int32_t longest = 0;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        int32_t from = place_part(low, k), to = place_part(high, k);

        if (from < -FARTHEST || to > FARTHEST)
            return false;
        longest = to - from > longest ? to - from : longest;
    }
    return longest >= LEAST_EXTENT;
}

bool vsp__has_valid_scale(const void *table, const vsp__shape *s)
{
    bool is_field = s->type == VSP_SHAPE_HEIGHT_FIELD;
    vsp_place scale, low, high;
    uint32_t k;

    if (!vsp__may_have_scale(s) || vsp__are_zero(&s->size.x, 3))
        return true;
    for (k = 0; k < 3; k++)
        if (!r_in(r_abs(v3_part(&s->size, k)), LEAST_SCALE, MOST_SCALE))
            return false;
    if (is_field && s->size.y < 0)
        return false;
    (void)vsp__find_scale(s, &scale);
    box_of_surface(table, is_field, &low, &high);
    vsp__scale_box(&scale, &low, &high);
    return is_box_of_table(&low, &high);
}

#endif /* VSP_SCALES */
