/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Drawing of shapes: lines and triangles; round shapes; boxes, hulls and
 * half-spaces; meshes and height fields; signed distance fields.  Optional:
 * VSP_DRAW. */

#include "draw.h"

#if VSP_DRAW


/* ---- Lines and triangles ------------------------------------------------- */

static vsp_vec3 shown_point(const vsp__pen *pen, const vsp__v3 *local)
{
    vsp__v3 point;

    m3_mul_to(&pen->pose.axes, local, &point);
    v3_add_in(&point, &pen->pose.position);
    return v3_show(point);
}

void vsp__draw_line(const vsp__pen *pen, const vsp__v3 *a, const vsp__v3 *b)
{
    if (pen->draw->line != NULL)
        pen->draw->line(pen->draw->user, shown_point(pen, a),
                        shown_point(pen, b), pen->color);
}

static void draw_triangle(const vsp__pen *pen, const vsp__v3 *a,
                          const vsp__v3 *b, const vsp__v3 *c)
{
    if (pen->draw->triangle != NULL)
        pen->draw->triangle(pen->draw->user, shown_point(pen, a),
                            shown_point(pen, b), shown_point(pen, c),
                            pen->color);
}

/* Draws a convex polygon, or its edges. */
static void draw_polygon(const vsp__pen *pen, const vsp__v3 *corner,
                         uint32_t count, bool has_edges)
{
    uint32_t k;

    if (has_edges)
        vsp__draw_line(pen, &corner[count - 1u], &corner[0]);
    for (k = 1; k < count; k++) {
        if (has_edges)
            vsp__draw_line(pen, &corner[k - 1u], &corner[k]);
        else if (k > 1)
            draw_triangle(pen, &corner[0], &corner[k - 1u], &corner[k]);
    }
}

void vsp__draw_cross(const vsp__pen *pen, const vsp__v3 *at)
{
    vsp__num half = u_mul(VSP__UNIT(0.5), pen->size);
    uint32_t k;

    for (k = 0; k < 3; k++) {
        vsp__v3 a = *at, b = *at;
        vsp__num *low = &a.x, *high = &b.x;

        low[k] = r_sub(low[k], half);
        high[k] = r_add(high[k], half);
        vsp__draw_line(pen, &a, &b);
    }
}

void vsp__draw_in_world(vsp__pen *pen)
{
    vsp__unit_quat none = q_identity();

    pen->pose.axes = vsp__q_axes(none);
    pen->pose.position = v3_zero();
}


/* ---- Spheres, capsules, tapered capsules -----------------------------------
 * Rows of points from the pole at +y to that at -y: of n segments, row 0 to row
 * n / 4 around the upper end of the capsule's segment, and as many around the
 * lower one.  Both ends of a sphere are its centre. */

static uint32_t last_row(const vsp__pen *pen)
{
    return pen->segments / 2u + 1u;
}

#if VSP_TAPERS

/* Turns the direction to a point so that the equator becomes the circle where
 * the balls of a tapered capsule meet its side, and the poles stay. */
static void bend_to_side(const vsp__v3 *size, vsp__v3 *d)
{
    vsp__num y = d->y, scale;
    vsp__v3 n;

    if (size->x == size->z)
        return;
    vsp__taper_side(size, &n);
    /* halves, as units are below 2 */
    scale = VSP__UNIT(0.5) + u_mul(VSP__UNIT(0.5), u_mul(y, n.y));
    u3_scale_in(d, n.x);
    d->y = y + n.y;
    u3_scale_in(d, VSP__UNIT(0.5));
    d->x = u_div(d->x, scale);
    d->y = u_div(d->y, scale);
    d->z = u_div(d->z, scale);
}

#else

#define bend_to_side(size, d) (void)0

#endif

/* Fills a point of a row; size has the radius of the lower end in x, half of
 * the segment's length in y, the radius of the upper end in z. */
static void round_point(const vsp__pen *pen, const vsp__v3 *size, uint32_t row,
                        uint32_t segment, vsp__v3 *point)
{
    bool is_lower = row > pen->segments / 4u;
    const vsp__v3 *slope = &pen->circle[row - is_lower];
    const vsp__v3 *around = &pen->circle[segment];

    *point = v3(u_mul(slope->y, around->x), slope->x,
                u_mul(slope->y, around->y));
    bend_to_side(size, point);
    u3_scale_in(point, is_lower ? size->x : size->z);
    point->y = r_add(point->y, r_signed(size->y, is_lower));
}

static uint32_t darker(uint32_t color)
{
    return (color >> 1 & 0x7f7f7fu) + (color >> 3 & 0x1f1f1fu);
}

/* Draws the cell of a row and a segment: a triangle at a pole, else two. */
static void draw_round_cell(const vsp__pen *pen, const vsp__v3 *size,
                            uint32_t row, uint32_t segment)
{
    vsp__v3 corner[4];
    uint32_t k;

    for (k = 0; k < 4; k++)
        round_point(pen, size, row + (k == 1 || k == 2), segment + (k < 2),
                    &corner[k]);
    if (row + 1u < last_row(pen))
        draw_triangle(pen, &corner[0], &corner[1], &corner[2]);
    if (row > 0)
        draw_triangle(pen, &corner[0], &corner[2], &corner[3]);
}

/* Octants have two shades by turns, so that rolling can be seen. */
static void draw_round_surface(vsp__pen *pen, const vsp__v3 *size)
{
    uint32_t quarter = pen->segments / 4u, color = pen->color, row, i;

    for (row = 0; row < last_row(pen); row++) {
        if (row == quarter && size->y == 0)
            continue;
        for (i = 0; i < pen->segments; i++) {
            pen->color = (i / quarter + (row > quarter)) % 2u ? darker(color)
                                                              : color;
            draw_round_cell(pen, size, row, i);
        }
    }
    pen->color = color;
}

/* Draws four lines from pole to pole, and a circle around each end. */
static void draw_round_edges(const vsp__pen *pen, const vsp__v3 *size)
{
    uint32_t middle = pen->segments / 4u, row, i;
    vsp__v3 a, b;

    for (i = 0; i < pen->segments; i += middle) {
        for (row = 0; row < last_row(pen); row++) {
            round_point(pen, size, row, i, &a);
            round_point(pen, size, row + 1u, i, &b);
            if (row != middle || size->y > 0)
                vsp__draw_line(pen, &a, &b);
        }
    }
    for (row = middle; row <= middle + (size->y > 0); row++) {
        for (i = 0; i < pen->segments; i++) {
            round_point(pen, size, row, i, &a);
            round_point(pen, size, row, i + 1u, &b);
            vsp__draw_line(pen, &a, &b);
        }
    }
}


#if VSP_ROUNDS

/* ---- Cylinders and cones ------------------------------------------------- */

/* Fills a point of a rim: row 0 is the centre of the lower disc, 1 and 2 are
 * the rims, 3 is the centre of the upper disc. */
static void turned_point(const vsp__pen *pen, const vsp__v3 *half, uint32_t row,
                         uint32_t segment, vsp__v3 *point)
{
    const vsp__v3 *around = &pen->circle[segment];
    vsp__num radius = row == 1 ? half->x : row == 2 ? half->z : 0;

    *point = v3(u_mul(radius, around->x), r_signed(half->y, row < 2),
                u_mul(radius, around->y));
}

static void draw_turned_surface(vsp__pen *pen, const vsp__v3 *half)
{
    uint32_t quarter = pen->segments / 4u, color = pen->color, row, i, k;
    vsp__v3 corner[4];

    for (row = 0; row < 3; row++)
        for (i = 0; i < pen->segments; i++) {
            pen->color = i / quarter % 2u ? color : darker(color);
            for (k = 0; k < 4; k++)
                turned_point(pen, half, row + (k == 1 || k == 2), i + (k >= 2),
                             &corner[k]);
            if (row > 0)
                draw_triangle(pen, &corner[0], &corner[1], &corner[3]);
            if (row < 2)
                draw_triangle(pen, &corner[1], &corner[2], &corner[3]);
        }
    pen->color = color;
}

/* Draws both rims, and four lines from one to the other. */
static void draw_turned_edges(const vsp__pen *pen, const vsp__v3 *half)
{
    uint32_t row, i;
    vsp__v3 a, b;

    for (i = 0; i < pen->segments; i++)
        for (row = 1; row < 3; row++) {
            turned_point(pen, half, row, i, &a);
            turned_point(pen, half, row, i + 1u, &b);
            vsp__draw_line(pen, &a, &b);
            if (row == 1 && i % (pen->segments / 4u) == 0) {
                turned_point(pen, half, 2, i, &b);
                vsp__draw_line(pen, &a, &b);
            }
        }
}

#else

#define draw_turned_surface(pen, half) (void)0
#define draw_turned_edges(pen, half) (void)0

#endif


/* ---- Scales of tables ---------------------------------------------------- */

#if VSP_SCALES

static void set_pen_scale(vsp__pen *pen, const vsp__shape *shape)
{
    (void)vsp__find_scale(shape, &pen->scale);
}

static bool is_pen_mirrored(const vsp__pen *pen)
{
    return pen->scale.x != 0 && vsp__is_mirror(&pen->scale);
}

/* Converts a place of the table that is drawn. */
static void show_place(const vsp__pen *pen, const vsp_place *from, vsp__v3 *to)
{
    vsp_place place = *from;

    if (pen->scale.x != 0)
        vsp__scale_place(&pen->scale, &place);
    vsp__place_to_v3(&place, to);
}

#else

static void set_pen_scale(vsp__pen *pen, const vsp__shape *shape)
{
    (void)pen;
    (void)shape;
}

static bool is_pen_mirrored(const vsp__pen *pen)
{
    (void)pen;
    return false;
}

static void show_place(const vsp__pen *pen, const vsp_place *from, vsp__v3 *to)
{
    (void)pen;
    vsp__place_to_v3(from, to);
}

#endif /* VSP_SCALES */


/* ---- Boxes, hulls, half-spaces ------------------------------------------- */

static void draw_box_surface(const vsp__pen *pen, const vsp__v3 *half)
{
    uint32_t side, k;
    vsp__v3 corner[4];

    for (side = 0; side < 6; side++) {
        uint32_t axis = side % 3u, is_high = side / 3u;
        uint32_t u = (uint32_t)1 << (axis + 1u) % 3u;
        uint32_t v = (uint32_t)1 << (axis + 2u) % 3u;

        for (k = 0; k < 4; k++)
            vsp__brick_corner(half,
                              is_high << axis | (k == 1 || k == 2 ? u : 0) |
                                  (k >= 2 ? v : 0),
                              &corner[is_high ? k : 3u - k]);
        draw_polygon(pen, corner, 4, false);
    }
}

void vsp__draw_box_edges(const vsp__pen *pen, const vsp__v3 *middle,
                         const vsp__v3 *half)
{
    uint32_t axis, corner;
    vsp__v3 a, b;

    for (axis = 0; axis < 3; axis++) {
        for (corner = 0; corner < 8; corner++) {
            if (corner >> axis & 1u)
                continue;
            vsp__brick_corner(half, corner, &a);
            vsp__brick_corner(half, corner | (uint32_t)1 << axis, &b);
            v3_add_in(&a, middle);
            v3_add_in(&b, middle);
            vsp__draw_line(pen, &a, &b);
        }
    }
}

/* Draws each face as a fan of triangles. */
static void draw_hull_surface(const vsp__pen *pen, const vsp_hull *hull)
{
    const vsp_place *vertices = VSP__HULL_PART(hull, vertices);
    const uint16_t *first = VSP__HULL_PART(hull, first);
    uint32_t face, i, k, left = is_pen_mirrored(pen) ? 2u : 1u;
    vsp__v3 corner[3];

    for (face = 0; face < hull->face_count; face++) {
        const uint8_t *corners = VSP__HULL_PART(hull, corners) + first[face];
        uint32_t count = (uint32_t)first[face + 1u] - first[face];

        for (i = 2; i < count; i++) {
            for (k = 0; k < 3; k++)
                show_place(pen, &vertices[corners[k == 0 ? 0 : i - 2u + k]],
                           &corner[k]);
            draw_triangle(pen, &corner[0], &corner[left], &corner[3u - left]);
        }
    }
}

static void draw_hull_edges(const vsp__pen *pen, const vsp_hull *hull)
{
    const vsp_place *vertices = VSP__HULL_PART(hull, vertices);
    const vsp_hull_edge *edges = VSP__HULL_PART(hull, edges);
    uint32_t i;
    vsp__v3 a, b;

    for (i = 0; i < hull->edge_count; i++) {
        show_place(pen, &vertices[edges[i].tail], &a);
        show_place(pen, &vertices[edges[i].head], &b);
        vsp__draw_line(pen, &a, &b);
    }
}

/* Fills the middle of the square that a half-space is drawn as. */
static void find_square(const vsp__pen *pen, vsp__v3 *middle)
{
    *middle = v3_read(pen->draw->focus);
    v3_sub_in(middle, &pen->pose.position);
    m3_tmul_to(&pen->pose.axes, middle, middle);
    middle->y = 0;
}

static void draw_half_space(const vsp__pen *pen)
{
    vsp__v3 middle, corner[4];
    uint32_t k;

    find_square(pen, &middle);
    for (k = 0; k < 4; k++)
        corner[k] = v3(r_add(middle.x, r_signed(pen->plane, k < 2)), 0,
                       r_add(middle.z, r_signed(pen->plane, k % 3u == 0)));
    draw_polygon(pen, corner, 4, false);
}

#define SQUARE_LINES 10

/* Draws a grid. */
static void draw_half_space_edges(const vsp__pen *pen)
{
    vsp__num cell = u_mul(pen->plane, VSP__UNIT(2.0 / SQUARE_LINES));
    vsp__v3 middle, a, b;
    int32_t i;

    find_square(pen, &middle);
    for (i = 0; i <= SQUARE_LINES; i++) {
        vsp__num off = r_times(cell, i - SQUARE_LINES / 2);

        a = b = v3(r_add(middle.x, off), 0, middle.z);
        a.z = r_sub(a.z, pen->plane);
        b.z = r_add(b.z, pen->plane);
        vsp__draw_line(pen, &a, &b);
        a = b = v3(middle.x, 0, r_add(middle.z, off));
        a.x = r_sub(a.x, pen->plane);
        b.x = r_add(b.x, pen->plane);
        vsp__draw_line(pen, &a, &b);
    }
}


/* ---- Meshes and height fields -------------------------------------------- */

/* Colours of materials 1 to 5, then again: ice, tar, stone, brick, sand. */
static const uint32_t material_colors[5] = {0x9ed1f2u, 0x383840u, 0x9ea1a8u,
                                            0x9e3333u, 0xbf9440u};

/* Returns the colour of a triangle's material, or that of the shape (color). */
static uint32_t triangle_color(const vsp__pen *pen, const vsp__surface *s,
                               uint32_t index, uint32_t color)
{
    uint32_t number = vsp__triangle_material(s, index);

    return number == 0 || (pen->draw->parts & VSP_DRAW_LAYERS)
               ? color
               : material_colors[(number - 1u) % 5u];
}

/* Draws the triangles of a mesh or shell, or their edges. */
static void draw_mesh(vsp__pen *pen, const vsp__shape *shape,
                      const vsp_mesh *mesh, bool has_edges)
{
    uint32_t i, k, mirrored = is_pen_mirrored(pen) ? 3u : 0u;
    uint32_t color = pen->color;
    vsp__surface s;
    vsp__v3 corner[3];

    if (shape->type == VSP_SHAPE_MESH)
        vsp__make_surface(pen->world, shape, &vsp__nowhere, &s);
    for (i = 0; i < mesh->triangle_count; i++) {
        const uint16_t *vertex = mesh->triangles[i].vertex;

        if (shape->type == VSP_SHAPE_MESH && !has_edges)
            pen->color = triangle_color(pen, &s, i, color);
        for (k = 0; k < 3; k++)
            show_place(pen, &mesh->vertices[vertex[k]],
                       &corner[k > 0 && mirrored > 0 ? mirrored - k : k]);
        draw_polygon(pen, corner, 3, has_edges);
    }
    pen->color = color;
}

static uint32_t cells_of(uint32_t points, uint32_t stride)
{
    return (points - 2u) / stride + 1u;
}

/* Fills the point of a height field; columns and rows beyond the last one mean
 * the last one.  Returns false at a hole. */
static bool field_corner(const vsp__pen *pen, const vsp__surface *s,
                         uint32_t column, uint32_t row, vsp__v3 *point)
{
    const vsp_height_field *f = s->field;
    vsp_place place;
    int32_t height;

    column = column < f->columns ? column : f->columns - 1u;
    row = row < f->rows ? row : f->rows - 1u;
    height = vsp__surface_height(s, column, row);
    if (height == VSP_HOLE)
        return false;
    place.x = (int32_t)column * f->cell - vsp__half_field(f->columns, f->cell);
    place.y = height * f->step;
    place.z = (int32_t)row * f->cell - vsp__half_field(f->rows, f->cell);
    show_place(pen, &place, point);
    return true;
}

/* Draws the two triangles of a cell, or those of their edges that are on its
 * low sides; and on a high side if that is the end of the field. */
static void draw_field_cell(const vsp__pen *pen, const vsp__surface *s,
                            uint32_t column, uint32_t row, uint32_t stride,
                            bool has_edges)
{
    const vsp_height_field *f = s->field;
    vsp__v3 p[4]; /* bit 0: next column; bit 1: next row */
    bool is_ground[4], turned = is_pen_mirrored(pen);
    uint32_t k;

    for (k = 0; k < 4; k++)
        is_ground[k] = field_corner(pen, s, column + (k & 1u) * stride,
                                    row + (k >> 1) * stride, &p[k]);
    for (k = 1; k < 3; k++) {
        bool is_end = k == 1 ? row + stride >= f->rows - 1u
                             : column + stride >= f->columns - 1u;

        if (has_edges && is_ground[0] && is_ground[k])
            vsp__draw_line(pen, &p[0], &p[k]);
        if (has_edges && is_end && is_ground[3u - k] && is_ground[3])
            vsp__draw_line(pen, &p[3u - k], &p[3]);
        if (!has_edges && is_ground[0] && is_ground[k] && is_ground[3])
            draw_triangle(pen, &p[0], &p[(k == 1) != turned ? 3u : k],
                          &p[(k == 1) != turned ? k : 3u]);
    }
}

static void draw_field(vsp__pen *pen, const vsp__shape *shape, bool has_edges)
{
    const vsp_height_field *f;
    vsp__surface s;
    uint32_t stride = 1, column, row, color = pen->color;

    vsp__make_surface(pen->world, shape, &vsp__nowhere, &s);
    f = s.field;
    while (cells_of(f->columns, stride) * cells_of(f->rows, stride) >
               pen->cells &&
           stride < 4096u)
        stride += 1u + stride / 8u;
    for (row = 0; row + 1u < f->rows; row += stride)
        for (column = 0; column + 1u < f->columns; column += stride) {
            if (!has_edges)
                pen->color = triangle_color(
                    pen, &s, (row * (f->columns - 1u) + column) * 2u, color);
            draw_field_cell(pen, &s, column, row, stride, has_edges);
        }
    pen->color = color;
}


/* ---- Signed distance fields ------------------------------------------------
 * Each cell of the grid is six tetrahedra around its diagonal, one for each
 * order of the axes; in each the distance is linear, so its surface is a
 * triangle or two. */

/* A corner of a tetrahedron. */
typedef struct grid_corner {
    vsp__v3 at;
    int32_t distance;
} grid_corner;

/* Fills the point of an edge where the distance is 0; a is inside. */
static void cross_edge(const grid_corner *a, const grid_corner *b,
                       vsp__v3 *point)
{
    vsp__v3 way;

    v3_sub_to(&b->at, &a->at, &way);
    *point = a->at;
    u3_move(
        point,
        u_div(r_of_place(-a->distance), r_of_place(b->distance - a->distance)),
        &way);
}

static bool is_in_solid(const grid_corner *corner)
{
    return corner->distance < 0;
}

/* Sorts the corners inside to the front.  Returns whether an odd number of
 * swaps was needed. */
static bool sort_inside(const grid_corner *corner[4])
{
    bool is_odd = false;
    uint32_t i, k;

    for (k = 3; k > 0; k--) {
        for (i = 0; i < k; i++) {
            const grid_corner *first = corner[i];

            if (is_in_solid(first) || !is_in_solid(corner[i + 1u]))
                continue;
            corner[i] = corner[i + 1u];
            corner[i + 1u] = first;
            is_odd = !is_odd;
        }
    }
    return is_odd;
}

/* The edges of a tetrahedron, from a corner inside to one outside, on which the
 * surface has its corners, by the number of corners inside. */
static const uint8_t crossed_edges[3][4][2] = {
    {{0, 1}, {0, 2}, {0, 3}},
    {{0, 2}, {0, 3}, {1, 3}, {1, 2}},
    {{0, 3}, {1, 3}, {2, 3}},
};

/* Draws the surface in a tetrahedron.  is_odd: its corners 1, 2, 3 go
 * anticlockwise seen from corner 0. */
static void draw_tetrahedron(const vsp__pen *pen, const grid_corner *corner[4],
                             bool is_odd, bool has_edges)
{
    uint32_t inside = 0, count, k;
    vsp__v3 p[4], last;

    is_odd ^= sort_inside(corner);
    for (k = 0; k < 4; k++)
        inside += is_in_solid(corner[k]);
    if (inside == 0 || inside == 4)
        return;
    count = inside == 2 ? 4 : 3;
    for (k = 0; k < count; k++) {
        const uint8_t *edge = crossed_edges[inside - 1u][k];

        cross_edge(corner[edge[0]], corner[edge[1]], &p[k]);
    }
    last = p[count - 1u];
    if (is_odd) {
        p[count - 1u] = p[1];
        p[1] = last;
    }
    draw_polygon(pen, p, count, has_edges);
}

/* Fills the corner of a cell that has this number; points beyond the last one
 * mean the last one. */
static void get_grid_corner(const vsp_sdf *sdf, const uint32_t cell[3],
                            uint32_t stride, uint32_t number,
                            grid_corner *corner)
{
    uint32_t index = 0, k;
    vsp_place place;

    for (k = 3; k-- > 0;) {
        uint32_t i = cell[k] + (number >> k & 1u) * stride;

        i = i < sdf->count[k] ? i : sdf->count[k] - 1u;
        index = index * sdf->count[k] + i;
        place_parts(&place)[k] = place_part(&sdf->low, k) +
                                 (int32_t)i * sdf->cell;
    }
    corner->distance = sdf->distances[index];
    vsp__place_to_v3(&place, &corner->at);
}

static void draw_sdf_cell(const vsp__pen *pen, const vsp_sdf *sdf,
                          const uint32_t cell[3], uint32_t stride,
                          bool has_edges)
{
    /* the corners between both ends of the diagonal */
    static const uint8_t between[6][2] = {{1, 3}, {2, 6}, {4, 5},
                                          {2, 3}, {4, 6}, {1, 5}};
    grid_corner corners[8];
    uint32_t inside = 0, k;

    for (k = 0; k < 8; k++) {
        get_grid_corner(sdf, cell, stride, k, &corners[k]);
        inside += is_in_solid(&corners[k]);
    }
    if (inside == 0 || inside == 8)
        return;
    for (k = 0; k < 6; k++) {
        const grid_corner *corner[4];

        corner[0] = &corners[0];
        corner[1] = &corners[between[k][0]];
        corner[2] = &corners[between[k][1]];
        corner[3] = &corners[7];
        draw_tetrahedron(pen, corner, k >= 3, has_edges);
    }
}

static void draw_sdf(const vsp__pen *pen, const vsp_sdf *sdf, bool has_edges)
{
    uint32_t stride = 1, cell[3];

    while (cells_of(sdf->count[0], stride) * cells_of(sdf->count[1], stride) *
                   cells_of(sdf->count[2], stride) >
               pen->cells &&
           stride < 256u)
        stride++;
    for (cell[2] = 0; cell[2] + 1u < sdf->count[2]; cell[2] += stride)
        for (cell[1] = 0; cell[1] + 1u < sdf->count[1]; cell[1] += stride)
            for (cell[0] = 0; cell[0] + 1u < sdf->count[0]; cell[0] += stride)
                draw_sdf_cell(pen, sdf, cell, stride, has_edges);
}


/* ---- All shapes ---------------------------------------------------------- */

/* Draws the surface or the edges of a shape that has a table. */
static void draw_table(vsp__pen *pen, const vsp__shape *shape, bool has_edges)
{
    const void *table = vsp__table_at(pen->world, shape->table);

    set_pen_scale(pen, shape);
    if (VSP_HULLS && shape->type == VSP_SHAPE_HULL && has_edges)
        draw_hull_edges(pen, (const vsp_hull *)table);
    else if (VSP_HULLS && shape->type == VSP_SHAPE_HULL)
        draw_hull_surface(pen, (const vsp_hull *)table);
    else if (VSP_HEIGHT_FIELDS && shape->type == VSP_SHAPE_HEIGHT_FIELD)
        draw_field(pen, shape, has_edges);
    else if (vsp__is_sdf(shape))
        draw_sdf(pen, (const vsp_sdf *)table, has_edges);
    else if (VSP_MESHES || VSP_SHELLS) /* a shell begins with its mesh */
        draw_mesh(pen, shape, (const vsp_mesh *)table, has_edges);
}

/* The size of a sphere, a capsule or a tapered capsule, for round_point. */
static vsp__v3 round_size(const vsp__shape *shape)
{
    vsp__v3 size = shape->size;

    size.y = shape->type == VSP_SHAPE_SPHERE ? 0 : size.y;
    size.z = vsp__is_taper(shape) ? size.z : size.x;
    return size;
}

void vsp__draw_surface(vsp__pen *pen, const vsp__shape *shape)
{
    vsp__v3 size = shape->size;

    if (VSP__HAS_TABLES && shape->table != 0)
        draw_table(pen, shape, false);
    else if (shape->type == VSP_SHAPE_HALF_SPACE)
        draw_half_space(pen);
    else if (shape->type == VSP_SHAPE_BOX)
        draw_box_surface(pen, &size);
    else if (vsp__is_turned(shape)) {
        vsp__turned_half(shape, &size);
        draw_turned_surface(pen, &size);
    } else {
        size = round_size(shape);
        draw_round_surface(pen, &size);
    }
}

void vsp__draw_edges(vsp__pen *pen, const vsp__shape *shape)
{
    vsp__v3 size = shape->size, middle = v3_zero();

    if (VSP__HAS_TABLES && shape->table != 0)
        draw_table(pen, shape, true);
    else if (shape->type == VSP_SHAPE_HALF_SPACE)
        draw_half_space_edges(pen);
    else if (shape->type == VSP_SHAPE_BOX)
        vsp__draw_box_edges(pen, &middle, &size);
    else if (vsp__is_turned(shape)) {
        vsp__turned_half(shape, &size);
        draw_turned_edges(pen, &size);
    } else {
        size = round_size(shape);
        draw_round_edges(pen, &size);
    }
}

#endif /* VSP_DRAW */
