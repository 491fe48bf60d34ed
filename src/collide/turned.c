/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Cylinders and cones, the solids between two discs, in this order: points of
 * the surface; the nearest point; contacts with a half-space. */

#include "collide.h"

#if VSP_ROUNDS


/* ---- Points of the surface ----------------------------------------------- */

/* sine of the angle to the axis below which a direction across it is noise */
#define AXIAL_SINE VSP__UNIT(1e-6)

void vsp__turned_corner(const vsp__v3 *half, uint32_t i, vsp__v3 *v)
{
    static const vsp__num cosines[VSP__RIM_CORNERS / 4u + 1u] = {
        VSP__UNIT(1.0), VSP__UNIT(0.923879533), VSP__UNIT(0.707106781),
        VSP__UNIT(0.382683432), 0};
    uint32_t quarter = i / 4u % 4u, k = i % 4u;
    vsp__num x = cosines[k], z = cosines[4u - k];
    vsp__num radius = i < VSP__RIM_CORNERS ? half->x : half->z;

    v->x = u_mul(radius, quarter % 2u == 0 ? x : z);
    v->z = u_mul(radius, quarter % 2u == 0 ? z : x);
    v->x = r_signed(v->x, quarter == 1 || quarter == 2);
    v->z = r_signed(v->z, quarter >= 2);
    v->y = r_signed(half->y, i < VSP__RIM_CORNERS);
}

void vsp__turned_support(const vsp__v3 *half, const vsp__v3 *d, vsp__v3 *v)
{
    vsp__v3 across = v3(d->x, 0, d->z);
    vsp__num sine = v3_length_at(&across);
    vsp__num rise = r_add(u_mul(r_sub(half->z, half->x), sine),
                          u_mul(r_add(half->y, half->y), d->y));

    *v = v3(0, r_signed(half->y, !(rise > 0)), 0);
    if (sine < AXIAL_SINE)
        return;
    vsp__v3_normalize_flushed(&across);
    u3_move(v, rise > 0 ? half->z : half->x, &across);
    v3_flush_in(v);
}


/* ---- The nearest point --------------------------------------------------- */

/* The half plane of a point: x is its distance from the axis. */
typedef struct turned_view {
    vsp__num x, y;
    vsp__num best_x, best_y; /* the nearest point so far */
    vsp__square square;      /* its squared distance */
} turned_view;

/* Takes the nearest point of the line from the rim of the lower disc to that of
 * the upper one, or, for a disc, from its centre to its rim. */
static void try_turned_line(turned_view *w, vsp__num x0, vsp__num y0,
                            vsp__num x1, vsp__num y1)
{
    vsp__v3 way = v3(r_sub(x1, x0), r_sub(y1, y0), 0), u, to;
    vsp__num length = v3_length_at(&way), at;
    vsp__square square;

    if (!(length > 0))
        return;
    u = way;
    vsp__v3_normalize_flushed(&u);
    to = v3(r_sub(w->x, x0), r_sub(w->y, y0), 0);
    v3_flush_in(&to);
    at = r_clamp(r_flush(u3_dot_at(&u, &to)), 0, length);
    way = v3(x0, y0, 0);
    u3_move(&way, at, &u);
    v3_flush_in(&way);
    to = v3(r_sub(w->x, way.x), r_sub(w->y, way.y), 0);
    v3_flush_in(&to);
    square = v3_square_at(&to);
    if (square < w->square || w->square < 0) {
        w->square = square;
        w->best_x = way.x;
        w->best_y = way.y;
    }
}

/* Computes the outward normal, in the half plane, at the nearest point found:
 * that of a disc at its height, else that of the side.  For points on the
 * surface or inside. */
static void normal_of_view(const vsp__v3 *half, const turned_view *w,
                           vsp__num *x, vsp__num *y)
{
    vsp__v3 n = v3(r_add(half->y, half->y), r_sub(half->x, half->z), 0);

    if (w->best_y >= half->y || w->best_y <= r_neg(half->y)) {
        *x = 0;
        *y = r_signed(VSP__UNIT(1.0), w->best_y < 0);
        return;
    }
    vsp__v3_normalize_flushed(&n);
    *x = n.x;
    *y = n.y;
}

static bool is_in_turned(const vsp__v3 *half, const turned_view *w)
{
    vsp__v3 n = v3(r_add(half->y, half->y), r_sub(half->x, half->z), 0);
    vsp__v3 to = v3(r_sub(w->x, half->x), r_add(w->y, half->y), 0);

    if (r_abs(w->y) > half->y)
        return false;
    vsp__v3_normalize_flushed(&n);
    v3_flush_in(&to);
    return u3_dot_at(&n, &to) <= 0;
}

vsp__num vsp__gap_of_turned(const vsp__v3 *half, vsp__v3 *at, vsp__v3 *normal)
{
    vsp__v3 across = v3(at->x, 0, at->z), n;
    vsp__num distance;
    turned_view w;

    w.x = v3_length_at(&across);
    w.y = at->y;
    w.square = -1;
    try_turned_line(&w, half->x, r_neg(half->y), half->z, half->y);
    try_turned_line(&w, 0, r_neg(half->y), half->x, r_neg(half->y));
    try_turned_line(&w, 0, half->y, half->z, half->y);
    if (w.x > VSP__REAL(0.000001))
        vsp__v3_normalize_flushed(&across);
    else
        across = v3(VSP__UNIT(1.0), 0, 0);
    n = v3(r_sub(w.x, w.best_x), r_sub(w.y, w.best_y), 0);
    v3_flush_in(&n);
    distance = v3_length_at(&n);
    if (is_in_turned(half, &w) || !(distance > VSP__REAL(0.000001))) {
        normal_of_view(half, &w, &n.x, &n.y);
        distance = is_in_turned(half, &w) ? r_neg(distance) : distance;
    } else {
        vsp__v3_normalize_flushed(&n);
    }
    *at = v3(0, w.best_y, 0);
    u3_move(at, w.best_x, &across);
    *normal = v3(0, n.y, 0);
    u3_move(normal, n.x, &across);
    v3_flush_in(normal);
    return distance;
}


/* ---- Contacts with a half-space ------------------------------------------ */

/* points of a rim: the lowest, and three more at right angles */
#define RIM_POINTS 4u

typedef struct rim_frame {
    vsp__v3 x, y;    /* tangents of the plane, in the solid's frame */
    vsp__v3 normal;  /* of the plane, there */
    vsp__v3 way[2];  /* to the lowest point of a rim, and across it */
    vsp__num height; /* m, of the solid's origin over the plane */
    vsp__v3 at[2 * RIM_POINTS]; /* candidates, in the solid's frame */
} rim_frame;

/* Sets the direction from the axis to the lowest point of a rim. */
static void find_lowest_way(rim_frame *f)
{
    vsp__v3 *way = &f->way[0];

    *way = f->normal;
    way->y = 0;
    v3_flip_in(way, true);
    if (v3_length_at(way) < VSP__UPRIGHT_SINE)
        *way = v3(VSP__UNIT(1.0), 0, 0);
    else
        vsp__v3_normalize_flushed(way);
    f->way[1] = v3(way->z, 0, -way->x);
}

/* Fills candidate `part`, a point of the rim at y, and its clip point.  Returns
 * whether it is below the envelope. */
static bool set_rim_point(rim_frame *f, uint32_t part, vsp__num radius,
                          vsp__num y, vsp__num envelope, vsp__clip_point *point)
{
    vsp__v3 *at = f->at + part;

    *at = v3_zero();
    u3_move(at, r_signed(radius, (part & 2u) != 0), &f->way[part & 1u]);
    at->y = y;
    v3_flush_in(at);
    point->at[0] = r_flush(u3_dot_at(&f->x, at));
    point->at[1] = r_flush(u3_dot_at(&f->y, at));
    point->at[2] = r_flush(r_add(f->height, u3_dot_at(&f->normal, at)));
    point->edge = 0;
    point->part = (uint16_t)part;
    return point->at[2] < envelope;
}

/* Lists the points of both rims below the envelope.  Returns their number. */
static uint32_t list_rim_points(const vsp__shape *shape, rim_frame *f,
                                vsp__num envelope, vsp__clip_point *points)
{
    vsp__num y = shape->size.y, low = shape->size.x;
    vsp__num high = shape->type == VSP_SHAPE_CONE ? shape->size.z : low;
    uint32_t part, count = 0;

    for (part = 0; part < 2 * RIM_POINTS; part++) {
        bool is_high = part >= RIM_POINTS;
        vsp__num radius = is_high ? high : low;

        if (radius == 0 && part % RIM_POINTS > 0)
            continue; /* the tip of a cone */
        if (set_rim_point(f, part, radius, r_signed(y, !is_high), envelope,
                          points + count))
            count++;
    }
    return count;
}

bool vsp__touch_plane_turned(const vsp__placed_shape *plane,
                             const vsp__placed_shape *solid, vsp__num envelope,
                             vsp__touch *t)
{
    vsp__clip_point points[2 * RIM_POINTS];
    uint8_t chosen[4] = {0, 1, 2, 3};
    const vsp__v3 *n = &plane->pose->axes.axis[1];
    vsp__v3 offset;
    rim_frame f;
    uint32_t count, i;

    vsp__solid_offset(plane, solid, &offset);
    f.height = u3_dot_at(n, &offset);
    f.normal = *n;
    vsp__m3_tmul_flushed(&solid->pose->axes, &f.normal);
    vsp__make_tangents(&f.normal, &f.x, &f.y);
    find_lowest_way(&f);
    count = list_rim_points(solid->shape, &f, envelope, points);
    t->normal = *n;
    t->count = count > 2 ? vsp__choose_four_points(points, count, chosen)
                         : count;
    for (i = 0; i < t->count; i++) {
        const vsp__clip_point *from = points + chosen[i];
        vsp__touch_point *to = t->points + i;

        to->gap = from->at[2];
        to->feature = from->part;
        to->on[1] = f.at[from->part];
        vsp__m3_mul_flushed(&solid->pose->axes, &to->on[1]);
        v3_add_to(&offset, &to->on[1], &to->on[0]);
        u3_move(&to->on[0], r_neg(to->gap), n);
        v3_flush_in(&to->on[0]);
    }
    return t->count > 0;
}

#endif /* VSP_ROUNDS */
