/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Optional: what touches a triangle mesh or a height field.  In this order:
 * the gathering of what many parts touch into few touches; triangles of a
 * surface within bounds, one after the other; one triangle's plane and sides;
 * the solid that is over it; what touches its face, and what its edges; all
 * that are near.  A surface is solid behind: only what is in front of it, or
 * little behind, is felt. */

#include "vsp_internal.h"


/* ---- Gathering -------------------------------------------------------------
 * Points whose normals are about the same are of one group.  Which points it
 * holds does not depend on their order: corners are farthest some way, and
 * stay it. */

/* cosine above which normals are about the same: 5 degrees */
#define SAME_WAY VSP__U(0.996)
/* m: what is nearer than this is one point */
#define SAME_PLACE VSP__R(0.0001)
/* A gap counts as so many times it nearer */
#define GAP_WEIGHT VSP__R(8.0)
/* and, up to so many m, as so many times it more.  In a step a body falls
 * 3 mm towards the points that were kept, as the others are not there: a
 * bumpy solid needs one in the middle that bears it more than those around
 * that do not yet. */
#define FIRST_GAP VSP__R(0.15)
#define FIRST_WEIGHT VSP__R(112.0)
/* m: and from here on */
#define NO_LOSS VSP__R(0.00001)
/* m: nothing is farther */
#define NO_END VSP__R(1000.0)

void vsp__gather_begin(vsp__gather *g)
{
    g->count = 0;
    g->arm = v3_zero();
}

/* the group of a point with a normal; the nearest when there is no other */
static vsp__group *group_for(vsp__gather *g, const vsp__vec3 *normal,
                             const vsp__touch_point *point)
{
    vsp__real best = VSP__U(-1.5);
    vsp__group *group = &g->groups[0];
    uint32_t i;

    for (i = 0; i < g->count; i++) {
        vsp__real cosine = u3_dot_at(&g->groups[i].normal, normal);

        if (cosine > best) {
            best = cosine;
            group = g->groups + i;
        }
    }
    if (best > SAME_WAY || g->count == VSP__GROUPS)
        return group;
    group = g->groups + g->count++;
    vsp__tangents(*normal, &group->across[0], &group->across[1]);
    v3_flush_in(&group->across[0]);
    v3_flush_in(&group->across[1]);
    for (i = 0; i < VSP__WAYS; i++) {
        group->points[i] = *point;
        group->far[i] = r_neg(NO_END);
    }
    return group;
}

static bool is_same_place(const vsp__touch_point *p,
                          const vsp__touch_point *q)
{
    vsp__vec3 d = p->on[1];

    v3_sub_in(&d, &q->on[1]);
    return v3_size_at(&d) <= SAME_PLACE;
}

/* where a point is across a group's normal, from the solid */
static void place_across(const vsp__group *group,
                         const vsp__touch_point *point, vsp__real at[2])
{
    vsp__vec3 on = v3_flush(point->on[1]);

    at[0] = r_flush(u3_dot_at(&group->across[0], &on));
    at[1] = r_flush(u3_dot_at(&group->across[1], &on));
}

static vsp__real weigh_gap(vsp__real gap)
{
    return r_add(r_mul(GAP_WEIGHT, gap),
                 r_clamp(r_mul(FIRST_WEIGHT, gap), r_neg(FIRST_GAP),
                         FIRST_GAP));
}

/* Keeps a point where it is farthest.  Of two that are one the lower feature
 * stays: those of the solid itself are low. */
static void keep_point(vsp__gather *g, const vsp__vec3 *normal,
                       vsp__touch_point *point)
{
    vsp__group *group;
    vsp__real at[2], ways[5];
    vsp__real less = weigh_gap(point->gap);
    uint32_t k;

    v3_add_in(&point->on[1], &g->arm);
    group = group_for(g, normal, point);
    place_across(group, point, at);
    ways[0] = at[0];
    ways[1] = at[1];
    ways[2] = r_add(at[0], at[1]);
    ways[3] = r_sub(at[0], at[1]);
    ways[4] = 0; /* the last is the deepest */
    for (k = 0; k < VSP__WAYS; k++) {
        vsp__touch_point *to = group->points + k;
        vsp__real far = r_sub(r_signed(ways[k >> 1], (k & 1u) != 0), less);
        uint32_t feature = point->feature;

        if (is_same_place(to, point) && to->feature < feature)
            feature = to->feature;
        else if (!(far > group->far[k]) && !is_same_place(to, point))
            continue;
        if (far > group->far[k]) {
            group->far[k] = far;
            *to = *point;
            if (k == VSP__WAYS - 1)
                group->normal = *normal;
        }
        to->feature = feature;
    }
}

/* A number from 64 to 255: below are the corners of a solid. */
static uint32_t part_feature(uint32_t part, uint32_t feature)
{
    uint32_t hash = (part * 16u + feature) * 0x9e3779b1u;

    return 64u + (hash >> 16) % 192u;
}

void vsp__gather_add(vsp__gather *g, const vsp__touch *t, uint32_t part)
{
    vsp__touch_point point;
    uint32_t i;

    for (i = 0; i < t->count; i++) {
        point = t->points[i];
        point.feature = part_feature(part, point.feature);
        keep_point(g, &t->normal, &point);
    }
}

/* Draws a point towards the deepest, the more the less deep it is. */
static void draw_in(vsp__clip_point *point, const vsp__clip_point *deepest)
{
    vsp__real loss = weigh_gap(r_sub(point->at[2], deepest->at[2]));
    vsp__real x = r_flush(r_sub(point->at[0], deepest->at[0]));
    vsp__real y = r_flush(r_sub(point->at[1], deepest->at[1]));
    vsp__real far = vsp__root(r_square(x) + r_square(y)), part;

    if (!(loss > NO_LOSS))
        return;
    part = r_flush(u_div(far, r_add(far, loss)));
    point->at[0] = r_add(deepest->at[0], u_mul(part, x));
    point->at[1] = r_add(deepest->at[1], u_mul(part, y));
}

/* Chooses four points or fewer, as of two boxes, and puts them first. */
static void choose_of_group(vsp__group *group)
{
    vsp__clip_point points[VSP__WAYS];
    vsp__touch_point chosen[4];
    uint8_t kept[4];
    uint32_t i;

    for (i = 0; i < VSP__WAYS; i++) {
        place_across(group, group->points + i, points[i].at);
        points[i].at[2] = group->points[i].gap;
    }
    for (i = 0; i + 1 < VSP__WAYS; i++)
        draw_in(&points[i], &points[VSP__WAYS - 1]);
    group->count = vsp__choose_points(points, VSP__WAYS, kept);
    for (i = 0; i < group->count; i++)
        chosen[i] = group->points[kept[i]];
    if (group->count == 2 && is_same_place(&chosen[0], &chosen[1]))
        group->count = 1;
    for (i = 0; i < group->count; i++) {
        /* cppcheck-suppress uninitvar */
        group->points[i] = chosen[i];
    }
}

uint32_t vsp__gather_end(vsp__gather *g)
{
    uint32_t used[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    uint32_t i, k;

    for (i = 0; i < g->count; i++) {
        vsp__group *group = g->groups + i;

        choose_of_group(group);
        for (k = 0; k < group->count; k++) {
            uint32_t f = group->points[k].feature & 255u;

            /* ends: there are 16 points at most */
            while ((used[f >> 5] >> (f & 31u) & 1u) != 0)
                f = (f + 1u) & 255u;
            used[f >> 5] |= (uint32_t)1 << (f & 31u);
            group->points[k].feature = f;
        }
    }
    return g->count;
}

void vsp__gather_get(const vsp__gather *g, uint32_t index, vsp__touch *t)
{
    const vsp__group *group = g->groups + index;
    uint32_t i;

    t->normal = group->normal;
    t->count = group->count;
    for (i = 0; i < 4; i++)
        t->points[i] = group->points[i];
}


/* ---- Triangles of a surface ------------------------------------------------
 * In whole numbers of a table, as exact as it is.  The two triangles of a
 * cell of a height field have the numbers 2 cell and 2 cell + 1. */

static const uint8_t corner_column[2][3] = {{0, 0, 1}, {0, 1, 1}};
static const uint8_t corner_row[2][3] = {{0, 1, 1}, {0, 1, 0}};

/* half of the length of so many cells */
static int32_t half_length(const vsp_height_field *f, uint32_t count)
{
    return (int32_t)(count - 1u) * (f->cell / 2);
}

static int32_t height_at(const vsp_height_field *f, uint32_t column,
                         uint32_t row)
{
    return f->heights[row * f->columns + column];
}

/* Returns false where there is no ground. */
static bool field_places(const vsp_height_field *f, uint32_t index,
                         vsp_place places[3])
{
    uint32_t cell = index >> 1, across = f->columns - 1u, k;
    const uint8_t *columns = corner_column[index & 1u];
    const uint8_t *rows = corner_row[index & 1u];

    for (k = 0; k < 3; k++) {
        uint32_t column = cell % across + columns[k];
        uint32_t row = cell / across + rows[k];
        int32_t height = height_at(f, column, row);

        if (height == VSP_HOLE)
            return false;
        places[k].x = (int32_t)column * f->cell - half_length(f, f->columns);
        places[k].y = height * f->step;
        places[k].z = (int32_t)row * f->cell - half_length(f, f->rows);
    }
    return true;
}

static bool triangle_places(const vsp__surface *s, uint32_t index,
                            vsp_place places[3])
{
    uint32_t k;

    if (VSP_HEIGHT_FIELDS && s->field)
        return field_places(s->field, index, places);
    for (k = 0; k < 3; k++)
        places[k] = s->mesh->vertices[s->mesh->triangles[index].vertex[k]];
    return true;
}

/* Whether nothing catches on an edge of a triangle of a height field: those
 * of the two triangles at an edge that are not on it make a parallelogram
 * with its ends, so that the heights tell which way it is bent. */
static bool is_flat(const vsp_height_field *f, uint32_t index, uint32_t edge)
{
    const uint8_t *columns = corner_column[index & 1u];
    const uint8_t *rows = corner_row[index & 1u];
    uint32_t cell = index >> 1, across = f->columns - 1u;
    uint32_t x = cell % across, z = cell / across, other_x, other_z;
    uint32_t b = (edge + 1u) % 3u, c = (edge + 2u) % 3u;
    int32_t other;

    /* beyond the rim these are too large */
    other_x = x + columns[edge] + columns[b] - columns[c];
    other_z = z + rows[edge] + rows[b] - rows[c];
    if (other_x >= f->columns || other_z >= f->rows)
        return false;
    other = height_at(f, other_x, other_z);
    return other != VSP_HOLE &&
           height_at(f, x + columns[edge], z + rows[edge]) +
                   height_at(f, x + columns[b], z + rows[b]) <=
               height_at(f, x + columns[c], z + rows[c]) + other;
}

/* bits, as vsp_triangle.flat has them */
static uint32_t flat_edges(const vsp__surface *s, uint32_t index)
{
    uint32_t k, bits = 0;

    if (!VSP_HEIGHT_FIELDS || !s->field)
        return s->mesh->triangles[index].flat;
    for (k = 0; k < 3; k++)
        if (is_flat(s->field, index, k))
            bits |= (uint32_t)1 << k;
    return bits;
}


/* ---- Triangles within bounds --------------------------------------------- */

static void to_place(const vsp__vec3 *v, vsp_place *p)
{
    p->x = r_to_place(v->x);
    p->y = r_to_place(v->y);
    p->z = r_to_place(v->z);
}

static bool is_node_near(const vsp__triangles *it, const vsp_mesh_node *n)
{
    uint32_t k;

    for (k = 0; k < 3; k++)
        if ((&n->low.x)[k] > (&it->high.x)[k] ||
            (&it->low.x)[k] > (&n->high.x)[k])
            return false;
    return true;
}

/* Cells of one axis, first up to end, that a range of places touches. */
static void find_cells(const vsp_height_field *f, uint32_t count, int32_t low,
                       int32_t high, uint32_t *first, uint32_t *end)
{
    int32_t half = half_length(f, count), cells = (int32_t)count - 1;
    int32_t from = low + half, to = high + half;

    *first = *end = 0;
    if (to < 0)
        return;
    from = from < 0 ? 0 : from / f->cell;
    to = to / f->cell + 1;
    *first = (uint32_t)from;
    *end = (uint32_t)(to < cells ? to : cells);
}

void vsp__triangles_near(vsp__triangles *it, const vsp__surface *surface,
                         const vsp__bounds *bounds)
{
    const vsp_height_field *f = surface->field;

    it->surface = surface;
    to_place(&bounds->low, &it->low);
    to_place(&bounds->high, &it->high);
    it->next = it->last = it->node = 0;
    it->row = it->end_row = 0;
    if (!VSP_HEIGHT_FIELDS || !f)
        return;
    find_cells(f, f->columns, it->low.x, it->high.x, &it->first_column,
               &it->end_column);
    find_cells(f, f->rows, it->low.z, it->high.z, &it->row, &it->end_row);
    it->column = it->first_column;
}

static bool next_cell(vsp__triangles *it)
{
    if (it->row >= it->end_row || it->column >= it->end_column)
        return false;
    it->next = 2u * (it->row * (it->surface->field->columns - 1u) +
                     it->column);
    it->last = it->next + 2u;
    if (++it->column == it->end_column) {
        it->column = it->first_column;
        it->row++;
    }
    return true;
}

static bool next_leaf(vsp__triangles *it)
{
    const vsp_mesh *mesh = it->surface->mesh;

    while (it->node < mesh->node_count) {
        const vsp_mesh_node *n = mesh->nodes + it->node;

        if (!is_node_near(it, n)) {
            it->node = n->next;
            continue;
        }
        it->node++;
        if (n->count > 0) {
            it->next = n->first;
            it->last = it->next + n->count;
            return true;
        }
    }
    return false;
}

static bool next_part(vsp__triangles *it)
{
    return VSP_HEIGHT_FIELDS && it->surface->field ? next_cell(it)
                                                  : next_leaf(it);
}

static bool are_places_near(const vsp__triangles *it, const vsp_place p[3])
{
    uint32_t k;

    for (k = 0; k < 3; k++) {
        int32_t a = (&p[0].x)[k], b = (&p[1].x)[k], c = (&p[2].x)[k];
        int32_t low = (&it->low.x)[k], high = (&it->high.x)[k];

        if ((a > high && b > high && c > high) ||
            (a < low && b < low && c < low))
            return false;
    }
    return true;
}

bool vsp__next_triangle(vsp__triangles *it, vsp__vec3 corners[3],
                        uint32_t *index)
{
    vsp_place places[3];
    uint32_t k;

    for (;;) {
        if (it->next == it->last && !next_part(it))
            return false;
        *index = it->next++;
        if (triangle_places(it->surface, *index, places) &&
            are_places_near(it, places))
            break;
    }
    for (k = 0; k < 3; k++)
        vsp__place(&places[k], &corners[k]);
    return true;
}


/* ---- One triangle -------------------------------------------------------- */

/* m: how far beyond a side still counts as over the triangle */
#define SIDE_SLACK VSP__R(0.00005)
/* an angle so small that two planes count as one */
#define LOW_SLOPE VSP__U(0.02)

/* Finds the plane and the sides of the corners. */
static void lay_ground(vsp__ground *at)
{
    uint32_t k;

    for (k = 0; k < 3; k++) {
        vsp__way(at->corners + k, at->corners + (k < 2 ? k + 1 : 0),
               at->sides + k);
        vsp__flushed_normalize(at->sides + k);
    }
    u3_cross_to(&at->sides[0], &at->sides[1], &at->normal);
    v3_flush_in(&at->normal);
    vsp__flushed_normalize(&at->normal);
    for (k = 0; k < 3; k++) {
        u3_cross_to(at->sides + k, &at->normal, at->sides + k);
        v3_flush_in(at->sides + k);
    }
}

/* The next triangle of a list.  Returns false when there is none. */
static bool next_ground(vsp__triangles *it, vsp__ground *at)
{
    if (!vsp__next_triangle(it, at->corners, &at->index))
        return false;
    lay_ground(at);
    return true;
}

static vsp__real reach_along(const vsp__vec3 *direction,
                             const vsp__vec3 *from, const vsp__vec3 *to)
{
    vsp__vec3 way;

    vsp__way(from, to, &way);
    return r_flush(u3_dot_at(direction, &way));
}

static vsp__real height_over(const vsp__ground *at, const vsp__vec3 *point)
{
    return reach_along(&at->normal, &at->corners[0], point);
}

static vsp__real beyond_side(const vsp__ground *at, uint32_t k,
                             const vsp__vec3 *point)
{
    return reach_along(at->sides + k, at->corners + k, point);
}


/* ---- The solid -------------------------------------------------------------
 * As it is seen from the surface. */

static void see_solid(vsp__gather *g)
{
    const vsp__pose *from = g->surface->pose, *to = g->solid->pose;
    uint32_t k;

    vsp__way(&from->position, &to->position, &g->position);
    vsp__flushed_tmul(&from->axes, &g->position);
    for (k = 0; k < 3; k++) {
        g->axes.axis[k] = to->axes.axis[k];
        vsp__flushed_tmul(&from->axes, g->axes.axis + k);
    }
    g->center = v3_zero();
    if (VSP_HULLS && g->solid->core == VSP__POLYHEDRON)
        vsp__place(&g->solid->hull->bulk.center, &g->center);
    vsp__mul(&g->axes, &g->center, &g->center);
    v3_add_in(&g->center, &g->position);
}

/* a corner of the core, from the origin of the solid's frame */
static void corner_at(const vsp__gather *g, uint32_t corner, vsp__vec3 *at)
{
    vsp__core_corner(g->solid, corner, at);
    vsp__mul(&g->axes, at, at);
}

/* with the envelope around them */
static void solid_bounds(const vsp__gather *g, vsp__bounds *bounds)
{
    vsp__bounds corner;
    vsp__vec3 at;
    uint32_t i;

    for (i = 0; i < vsp__core_corners(g->solid); i++) {
        corner_at(g, i, &at);
        v3_add_in(&at, &g->position);
        vsp__bounds_of(&at, &corner);
        if (i == 0)
            *bounds = corner;
        vsp__bounds_join(bounds, &corner);
    }
    vsp__bounds_grow(bounds, r_add(g->envelope, g->solid->radius));
}

/* the face of a brick at its lowest corner that looks down most */
static void face_of_brick(vsp__gather *g, uint32_t lowest,
                          const vsp__vec3 *up)
{
    vsp__vec3 size = v3_abs(*up);
    uint32_t k = size.y > size.x ? 1u : 0u, a, b;

    if (size.z > r_max(size.x, size.y))
        k = 2;
    a = 1u << (k + 1u) % 3u;
    b = 1u << (k + 2u) % 3u;
    g->brick_corners[0] = (uint8_t)lowest;
    g->brick_corners[1] = (uint8_t)(lowest ^ a);
    g->brick_corners[2] = (uint8_t)(lowest ^ a ^ b);
    g->brick_corners[3] = (uint8_t)(lowest ^ b);
    g->corner_count = 4;
}

static void face_of_polyhedron(vsp__gather *g, uint32_t lowest,
                               const vsp__vec3 *up)
{
    const vsp_hull *hull = g->solid->hull;
    const uint16_t *first =
        hull->first + vsp__face_against(g->solid, lowest, up);

    g->corner_count = (uint32_t)first[1] - first[0];
    g->corners = hull->corners + first[0];
}

/* Finds the face of the solid that looks at the triangle; a point and a
 * segment are what they are.  Returns how high its lowest point is. */
static vsp__real face_ground(vsp__gather *g)
{
    vsp__vec3 up = g->ground[0].normal, down, at;
    uint32_t lowest;

    vsp__flushed_tmul(&g->axes, &up);
    down = up;
    v3_flip_in(&down, true);
    lowest = vsp__farthest_corner(g->solid, &down, &at);
    g->corners = g->brick_corners;
    g->brick_corners[0] = 0;
    g->brick_corners[1] = 1;
    g->corner_count = vsp__core_corners(g->solid);
    if (g->solid->core == VSP__BRICK)
        face_of_brick(g, lowest, &up);
    else if (VSP_HULLS && g->solid->core == VSP__POLYHEDRON)
        face_of_polyhedron(g, lowest, &up);
    vsp__mul(&g->axes, &at, &at);
    v3_add_in(&at, &g->position);
    return r_sub(height_over(&g->ground[0], &at), g->solid->radius);
}


/* ---- A face of the surface -------------------------------------------------
 * The face of the solid, clipped to what is over the triangle: its corners
 * that are over it, and its edges where they cross sides. */

/* a point of the solid's core, over the triangle */
typedef struct sight {
    vsp__vec3 at; /* from the origin of the solid's frame */
    vsp__real height;
    vsp__real beyond[3]; /* each side */
} sight;

static void look(const vsp__gather *g, uint32_t corner, sight *s)
{
    vsp__vec3 place;
    uint32_t k;

    corner_at(g, corner, &s->at);
    place = s->at;
    v3_add_in(&place, &g->position);
    s->height = height_over(&g->ground[0], &place);
    for (k = 0; k < 3; k++)
        s->beyond[k] = beyond_side(&g->ground[0], k, &place);
}

/* Whether a corner is over the triangle.  Beyond an edge on which nothing
 * catches, a little more counts: two planes that count as one may leave a
 * wedge between what is over the one and over the other. */
static bool hangs_over(const vsp__gather *g, const sight *s)
{
    vsp__real more = u_mul(LOW_SLOPE, r_abs(s->height));
    uint32_t k;

    for (k = 0; k < 3; k++)
        if (s->beyond[k] > ((g->ground[0].flat >> k & 1u) != 0
                                ? r_add(g->slack, more)
                                : g->slack))
            return false;
    return true;
}

/* whether a point is not beyond the sides of a triangle, less some slack */
static bool is_within(const vsp__ground *at, const vsp__vec3 *point,
                      vsp__real slack)
{
    uint32_t k;

    for (k = 0; k < 3; k++)
        if (beyond_side(at, k, point) > slack)
            return false;
    return true;
}

/* Whether a point that is so deep below the triangle is at most half as deep
 * below another one: what is deep in a step leaves by the nearest side. */
static bool has_way_out(vsp__gather *g, const vsp__vec3 *point,
                        vsp__real depth)
{
    vsp__real half = u_mul(VSP__U(0.5), depth), height;
    vsp__bounds bounds;

    vsp__bounds_of(point, &bounds);
    vsp__bounds_grow(&bounds, half);
    vsp__triangles_near(&g->near[1], g->surface, &bounds);
    while (next_ground(&g->near[1], &g->ground[1])) {
        height = height_over(&g->ground[1], point);
        if (height < 0 && r_neg(height) < half &&
            is_within(&g->ground[1], point, SIDE_SLACK))
            return true;
    }
    return false;
}

/* Returns false, and adds nothing, when it is too far above, or when another
 * triangle has it. */
static bool add_sight(vsp__gather *g, const vsp__vec3 *at, vsp__real height,
                      uint32_t feature)
{
    const vsp__mat3 *axes = &g->surface->pose->axes;
    vsp__real radius = g->solid->radius;
    vsp__touch_point point;
    vsp__vec3 normal = g->ground[0].normal;

    point.gap = r_flush(r_sub(height, radius));
    point.on[0] = point.on[1] = *at;
    v3_add_in(&point.on[0], &g->position);
    if (!(point.gap < g->envelope))
        return false;
    if (g->is_choosy && r_add(height, g->envelope) < 0 &&
        has_way_out(g, &point.on[0], r_neg(height))) {
        g->has_left_out = true;
        return false;
    }
    u3_move(&point.on[0], r_neg(height), &normal);
    u3_move(&point.on[1], r_neg(radius), &normal);
    v3_flush_in(&point.on[0]);
    v3_flush_in(&point.on[1]);
    vsp__mul(axes, &point.on[0], &point.on[0]);
    vsp__mul(axes, &point.on[1], &point.on[1]);
    vsp__flushed_mul(axes, &normal);
    point.feature = feature;
    keep_point(g, &normal, &point);
    return true;
}

/* The point at a part of the way from one to another. */
static bool add_between(vsp__gather *g, const sight *from, const sight *to,
                        vsp__real part, uint32_t feature)
{
    vsp__real rise = r_flush(r_sub(to->height, from->height));
    vsp__vec3 at;

    vsp__way(&from->at, &to->at, &at);
    u3_scale_in(&at, part);
    v3_add_in(&at, &from->at);
    return add_sight(g, &at, r_add(from->height, u_mul(part, rise)),
                     feature);
}

/* Clips an edge of the solid to the three sides (Cyrus and Beck, "Generalized
 * two- and three-dimensional clipping", 1978), and adds the ends it got. */
static bool add_crossings(vsp__gather *g, const sight *from, const sight *to,
                          uint32_t feature)
{
    vsp__real ends[2] = {0, VSP__U(1.0)};
    bool found = false;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        vsp__real a = r_sub(from->beyond[k], g->slack);
        vsp__real b = r_sub(to->beyond[k], g->slack), part;

        if (a > 0 && b > 0)
            return false;
        if (!(a > 0) && !(b > 0))
            continue;
        part = r_flush(u_div(r_flush(a), r_sub(a, b)));
        if (a > 0)
            ends[0] = r_max(ends[0], part);
        else
            ends[1] = r_min(ends[1], part);
    }
    if (!(ends[0] < ends[1]))
        return false;
    if (ends[0] > 0)
        found = add_between(g, from, to, ends[0], feature);
    if (ends[1] < VSP__U(1.0) &&
        add_between(g, from, to, ends[1], feature + 1u))
        found = true;
    return found;
}

/* Returns whether anything is closer than the envelope to the triangle. */
static bool touch_ground(vsp__gather *g)
{
    uint32_t i, count = g->corner_count;
    bool found = false;
    sight from, to;

    look(g, g->corners[count - 1u], &from);
    for (i = 0; i < count; i++) {
        look(g, g->corners[i], &to);
        if (hangs_over(g, &to) &&
            add_sight(g, &to.at, to.height, g->corners[i]))
            found = true;
        if ((count > 2 || i == 1) &&
            add_crossings(g, &from, &to,
                          part_feature(g->ground[0].index, 2u * i)))
            found = true;
        from = to;
    }
    return found;
}


/* ---- Edges of the surface --------------------------------------------------
 * What touches an edge or a corner is believed where all of the surface that
 * meets there stays behind the plane of the contact: else another triangle
 * has it, and the normal is one that a solid sliding over the surface would
 * catch on. */

/* m: what this near is on a triangle */
#define ON_SURFACE VSP__R(0.0005)
/* cosine above which a normal counts as the triangle's: of LOW_SLOPE */
#define FACE_WAY VSP__U(0.9998)

static bool is_on(const vsp__ground *at, const vsp__vec3 *point)
{
    return r_abs(height_over(at, point)) <= ON_SURFACE &&
           is_within(at, point, ON_SURFACE);
}

/* whether a triangle rises above the plane through a point of it */
static bool rises(const vsp__ground *at, const vsp__vec3 *point,
                  const vsp__vec3 *normal)
{
    vsp__vec3 way;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        vsp__way(point, at->corners + k, &way);
        if (u3_dot_at(normal, &way) >
            r_add(u_mul(LOW_SLOPE, v3_size_at(&way)), ON_SURFACE))
            return true;
    }
    return false;
}

/* point and normal are in the surface's frame */
static bool is_hidden(vsp__gather *g, const vsp__vec3 *point,
                      const vsp__vec3 *normal)
{
    vsp__bounds bounds;

    vsp__bounds_of(point, &bounds);
    vsp__bounds_grow(&bounds, ON_SURFACE);
    vsp__triangles_near(&g->near[1], g->surface, &bounds);
    while (next_ground(&g->near[1], &g->ground[1]))
        if (is_on(&g->ground[1], point) &&
            rises(&g->ground[1], point, normal))
            return true;
    return false;
}

/* Whether any of what was touched is hidden. */
static bool is_any_hidden(vsp__gather *g)
{
    const vsp__mat3 *axes = &g->surface->pose->axes;
    vsp__vec3 normal, point;
    uint32_t i;

    vsp__tmul(axes, &g->part.normal, &normal);
    v3_flush_in(&normal);
    for (i = 0; i < g->part.count; i++) {
        vsp__tmul(axes, &g->part.points[i].on[0], &point);
        v3_flush_in(&point);
        if (is_hidden(g, &point, &normal))
            return true;
    }
    return false;
}

/* Whether the triangle as a solid touches, into part. */
static bool touch_whole(vsp__gather *g)
{
    g->triangle.pose = g->surface->pose;
    g->triangle.core = VSP__TRIANGLE;
    g->triangle.radius = 0;
    g->triangle.corners = g->ground[0].corners;
    return vsp__touch_convex(&g->triangle, g->solid, g->envelope, &g->part);
}

/* A triangle with an edge on which something may catch; the height of the
 * solid's centre.  What is over the face needs no more; what is round and has
 * its centre behind it may be felt by nothing else.  Where an edge is hidden
 * the face is left. */
static void touch_edged(vsp__gather *g, vsp__real center)
{
    vsp__vec3 normal;
    bool is_face;

    if ((g->solid->core == VSP__POINT ||
         (g->solid->radius > 0 && center < 0)) && touch_ground(g))
        return;
    if (!touch_whole(g))
        return;
    vsp__mul(&g->surface->pose->axes, &g->ground[0].normal, &normal);
    is_face = u3_dot_at(&normal, &g->part.normal) > FACE_WAY;
    if (is_face || is_any_hidden(g)) {
        if (touch_ground(g) || !is_face)
            return;
    }
    vsp__gather_add(g, &g->part, g->ground[0].index);
}


/* ---- All that is near ---------------------------------------------------- */

/* A triangle is not felt from behind: not by what is more than a quarter of
 * its size behind it. */
static void touch_triangle(vsp__gather *g)
{
    vsp__real center = height_over(&g->ground[0], &g->center);
    vsp__real low = face_ground(g);

    if (!(low < g->envelope) || r_add(center, center) < r_sub(low, center))
        return;
    g->ground[0].flat = flat_edges(g->surface, g->ground[0].index);
    if (g->ground[0].flat == 7u)
        touch_ground(g);
    else
        touch_edged(g, center);
}

/* Whether the centre is below the ground, found as the plane of the triangle
 * above it. */
static bool is_sunk(vsp__gather *g)
{
    const vsp_height_field *f = g->surface->field;
    vsp__ground *at = &g->ground[0];
    vsp__bounds bounds;
    vsp__vec3 d;

    if (g->center.y > r_of_place(f->high * f->step))
        return false;
    vsp__bounds_of(&g->center, &bounds);
    bounds.low.y = r_neg(NO_END);
    bounds.high.y = NO_END;
    vsp__triangles_near(&g->near[0], g->surface, &bounds);
    while (next_ground(&g->near[0], at)) {
        vsp__way(&at->corners[0], &g->center, &d);
        if ((at->index & 1u) != 0 ? d.x >= d.z : d.z >= d.x)
            return height_over(at, &g->center) < 0;
    }
    return false;
}

static void touch_all(vsp__gather *g, const vsp__bounds *bounds)
{
    vsp__triangles_near(&g->near[0], g->surface, bounds);
    while (next_ground(&g->near[0], &g->ground[0]))
        touch_triangle(g);
}

void vsp__touch_surface(const vsp__surface *surface, const vsp__convex *solid,
                        vsp__real envelope, vsp__gather *g)
{
    vsp__bounds bounds;

    g->surface = surface;
    g->solid = solid;
    g->envelope = envelope;
    g->slack = SIDE_SLACK;
    g->is_choosy = g->has_left_out = false;
    see_solid(g);
    if (VSP_HEIGHT_FIELDS && surface->field && is_sunk(g)) {
        g->slack = NO_END;
        g->ground[0].flat = 0;
        face_ground(g);
        touch_ground(g);
        return;
    }
    solid_bounds(g, &bounds);
    g->is_choosy = true;
    touch_all(g, &bounds);
    g->is_choosy = false;
    if (g->count == 0 && g->has_left_out)
        touch_all(g, &bounds);
}
