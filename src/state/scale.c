/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Scales of hulls, meshes and height fields (VSP_SCALES).  Scaled coordinates
 * are rounded to the unit of tables, as if the table had been made at that
 * size. */

#include "state.h"

#if VSP_SCALES

#define LEAST_SCALE VSP__REAL(0.0625)
#define MOST_SCALE VSP__REAL(16.0)
#define FARTHEST (100 * VSP_PLACE)     /* 100 m */
#define LEAST_EXTENT (VSP_PLACE / 200) /* 5 mm */
#define LEAST_DEPTH VSP__REAL(0.00025) /* m: of a hull below a face */

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


/* ---- Hulls --------------------------------------------------------------- */

void vsp__find_hull_scale(const vsp__shape *shape, vsp__hull_scaling *scale)
{
    vsp__num by[3];
    uint32_t k;

    if (!vsp__find_scale(shape, &scale->by))
        return;
    for (k = 0; k < 3; k++)
        by[k] = r_of_place(place_part(&scale->by, k));
    scale->least = r_min(r_abs(by[0]), r_min(r_abs(by[1]), r_abs(by[2])));
    for (k = 0; k < 3; k++)
        v3_parts(&scale->factor)[k] = u_div(scale->least, by[k]);
}

/* The height of the scaled plane comes from a corner of the face, so that it
 * has no error of its own; a corner may be a little below the plane. */
vsp__num vsp__scale_plane(const vsp_hull *hull, const vsp__hull_scaling *scale,
                          uint32_t face, vsp__num height, vsp__v3 *n)
{
    uint32_t first = VSP__HULL_PART(hull, first)[face], k;
    vsp_place at = VSP__HULL_PART(
        hull, vertices)[VSP__HULL_PART(hull, corners)[first]];
    vsp__num slack, length;
    vsp__v3 corner;

    vsp__place_to_v3(&at, &corner);
    slack = r_flush(r_sub(height, u3_dot_at(n, &corner)));
    for (k = 0; k < 3; k++)
        v3_parts(n)[k] = u_mul(v3_part(n, k), v3_part(&scale->factor, k));
    length = v3_length_at(n);
    vsp__v3_normalize_flushed(n);
    vsp__scale_place(&scale->by, &at);
    vsp__place_to_v3(&at, &corner);
    slack = u_div(r_mul(slack, scale->least), length);
    return r_flush(r_add(u3_dot_at(n, &corner), slack));
}

/* Whether a hull is deep enough below each face when it is scaled. */
static bool is_scaled_hull_deep(const vsp_hull *hull, const vsp__shape *s)
{
    vsp__hull_scaling scale;
    uint32_t face, i;
    vsp__v3 n, v;

    vsp__find_hull_scale(s, &scale);
    for (face = 0; face < hull->face_count; face++) {
        const vsp_plane *plane = VSP__HULL_PART(hull, planes) + face;
        vsp__num height = r_of_place(plane->offset), low;

        vsp__plane_normal(plane, &n);
        height = vsp__scale_plane(hull, &scale, face, height, &n);
        for (i = 0, low = height; i < hull->vertex_count; i++) {
            vsp_place at = VSP__HULL_PART(hull, vertices)[i];

            vsp__scale_place(&scale.by, &at);
            vsp__place_to_v3(&at, &v);
            low = r_min(low, u3_dot_at(&n, &v));
        }
        if (r_sub(height, low) < LEAST_DEPTH)
            return false;
    }
    return true;
}


/* ---- Limits -------------------------------------------------------------- */

/* Fills the box around a hull. */
static void box_of_hull(const vsp_hull *hull, vsp_place *low, vsp_place *high)
{
    const vsp_place *vertices = VSP__HULL_PART(hull, vertices);
    uint32_t i, k;

    *low = *high = vertices[0];
    for (i = 1; i < hull->vertex_count; i++)
        for (k = 0; k < 3; k++) {
            int32_t at = place_part(&vertices[i], k);

            if (at < place_part(low, k))
                place_parts(low)[k] = at;
            if (at > place_part(high, k))
                place_parts(high)[k] = at;
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
    low->x = -vsp__half_field(field->columns, field->cell);
    low->y = field->low * field->step;
    low->z = -vsp__half_field(field->rows, field->cell);
    high->x = low->x + (field->columns - 1) * field->cell;
    high->y = field->high * field->step;
    high->z = low->z + (field->rows - 1) * field->cell;
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
    bool is_hull = s->type == VSP_SHAPE_HULL;
    vsp_place scale, low, high;
    uint32_t k;

    if (!vsp__may_have_scale(s) || vsp__are_three_zero(&s->size.x))
        return true;
    for (k = 0; k < 3; k++)
        if (!r_in(r_abs(v3_part(&s->size, k)), LEAST_SCALE, MOST_SCALE))
            return false;
    if (is_field && s->size.y < 0)
        return false;
    (void)vsp__find_scale(s, &scale);
    if (is_hull)
        box_of_hull((const vsp_hull *)table, &low, &high);
    else
        box_of_surface(table, is_field, &low, &high);
    vsp__scale_box(&scale, &low, &high);
    return is_box_of_table(&low, &high) &&
           !(is_hull && !is_scaled_hull_deep((const vsp_hull *)table, s));
}

#endif /* VSP_SCALES */
