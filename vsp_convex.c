/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Two convex solids, in this order: cores (corners, edges and faces by
 * number), pairs (from one frame to the other), nearest points of cores that
 * are apart, separating axes of cores that may not be, contacts of two edges,
 * contacts of a face, rounded solids, and the functions that vsp_internal.h
 * promises.  Rounded solids go by their nearest points while the cores are
 * apart; all others by separating axes, like boxes in vsp_collide.c. */

#include "vsp_internal.h"


/* ---- Vectors ------------------------------------------------------------ */

/* Ways between points, turned and crossed vectors, without parts so small
 * that products of them would not be normal. */

/* A unit vector along from -> to.  Returns false where there is none. */
static bool direct_between(const vsp__vec3 *from, const vsp__vec3 *to,
                           vsp__vec3 *u)
{
    vsp__way(from, to, u);
    if (v3_size_at(u) == 0)
        return false;
    vsp__flushed_normalize(u);
    return true;
}

/* A unit vector across two of them.  Returns the square of their sine: a
 * vector of little use when that is small. */
static vsp__real direct_across(const vsp__vec3 *u, const vsp__vec3 *v,
                               vsp__vec3 *n)
{
    vsp__real sq_sine;

    u3_cross_to(u, v, n);
    v3_flush_in(n);
    sq_sine = u3_dot_at(n, n);
    vsp__flushed_normalize(n);
    return sq_sine;
}


/* ---- Cores -----------------------------------------------------------------
 * Bricks and triangles, too, are polyhedra whose faces are numbered as a
 * vsp_hull has it.  Corners of a brick are numbered by the signs of their
 * coordinates: bit k is set where coordinate k is positive; face 2 k + 1 looks
 * along axis k, face 2 k the other way.  Face 0 of a triangle is the front. */

static const uint16_t brick_first[7] = {0, 4, 8, 12, 16, 20, 24};
static const uint8_t brick_corners[24] = {0, 4, 6, 2, 1, 3, 7, 5,
                                          0, 1, 5, 4, 2, 6, 7, 3,
                                          0, 2, 3, 1, 4, 5, 7, 6};
static const vsp_hull_edge brick_edges[12] = {
    {0, 1, 2, 4}, {0, 2, 4, 0}, {0, 4, 0, 2}, {1, 3, 1, 4},
    {1, 5, 2, 1}, {2, 3, 4, 3}, {2, 6, 3, 0}, {3, 7, 1, 3},
    {4, 5, 5, 2}, {4, 6, 0, 5}, {5, 7, 5, 1}, {6, 7, 3, 5}};
static const uint16_t triangle_first[3] = {0, 3, 6};
static const uint8_t triangle_corners[6] = {0, 1, 2, 0, 2, 1};
static const vsp_hull_edge triangle_edges[3] = {
    {0, 1, 0, 1}, {1, 2, 0, 1}, {2, 0, 0, 1}};
static const vsp_hull_edge segment_edge[1] = {{0, 1, 0, 0}};

/* corners, edges and faces of a core by number */
typedef struct core_form {
    uint8_t vertex_count, edge_count, face_count;
    const vsp_hull_edge *edges;
    const uint16_t *first;
    const uint8_t *corners;
} core_form;

typedef struct convex_side {
    const vsp__convex *it;
    core_form form;
    vsp__vec3 front;  /* of a triangle: its normal */
    vsp__vec3 offset; /* the origin of the other frame, in this one */
} convex_side;

static bool is_triangle(const convex_side *s)
{
    return s->it->core == VSP__TRIANGLE;
}

static bool is_brick(const convex_side *s)
{
    return s->it->core == VSP__BRICK;
}

static const uint8_t corner_counts[5] = {1, 2, 8, 0, 3}; /* by vsp__core */

uint32_t vsp__core_corners(const vsp__convex *c)
{
    return VSP_HULLS && c->core == VSP__POLYHEDRON ? c->hull->vertex_count
                                                   : corner_counts[c->core];
}

void vsp__core_corner(const vsp__convex *c, uint32_t i, vsp__vec3 *v)
{
    *v = v3_zero();
    if (c->core == VSP__SEGMENT)
        v->y = r_signed(c->half.y, i == 0);
    else if (c->core == VSP__BRICK)
        vsp__corner(&c->half, i, v);
    else if (VSP_HULLS && c->core == VSP__POLYHEDRON)
        vsp__place(c->hull->vertices + i, v);
    else if (c->core == VSP__TRIANGLE)
        *v = c->corners[i];
}

/* Fills the normal of a face.  Returns how far along it the face is. */
static vsp__real core_plane(const convex_side *s, uint32_t face, vsp__vec3 *n)
{
    const vsp_plane *plane;

    if (is_brick(s)) {
        *n = v3_zero();
        (&n->x)[face >> 1] = r_signed(VSP__U(1.0), (face & 1u) == 0);
        return (&s->it->half.x)[face >> 1];
    }
    if (is_triangle(s)) {
        *n = s->front;
        v3_flip_in(n, face == 1);
        return r_flush(u3_dot_at(n, &s->it->corners[0]));
    }
    plane = s->it->hull->planes + face;
    vsp__direction(plane, n);
    return r_of_place(plane->offset);
}

uint32_t vsp__farthest_corner(const vsp__convex *c, const vsp__vec3 *d,
                              vsp__vec3 *v)
{
    uint32_t best = 0, count = vsp__core_corners(c), i;
    vsp__square most = 0;

    if (c->core == VSP__BRICK) {
        best = (d->x > 0 ? 1u : 0u) | (d->y > 0 ? 2u : 0u) |
               (d->z > 0 ? 4u : 0u);
        count = 0;
    }
    for (i = 0; i < count; i++) {
        vsp__square reach;

        vsp__core_corner(c, i, v);
        reach = v3_product_at(d, v);
        if (i == 0 || reach > most) {
            most = reach;
            best = i;
        }
    }
    vsp__core_corner(c, best, v);
    return best;
}

static void set_triangle(convex_side *s)
{
    const vsp__vec3 *c = s->it->corners;
    vsp__vec3 u, v;

    (void)direct_between(&c[0], &c[1], &u);
    (void)direct_between(&c[0], &c[2], &v);
    (void)direct_across(&u, &v, &s->front);
}

static void set_hull(core_form *f, const vsp_hull *hull)
{
    f->vertex_count = (uint8_t)hull->vertex_count;
    f->edge_count = (uint8_t)hull->edge_count;
    f->face_count = (uint8_t)hull->face_count;
    f->edges = hull->edges;
    f->first = hull->first;
    f->corners = hull->corners;
}

static void set_form(core_form *f, uint8_t vertices, uint8_t edges,
                     uint8_t faces)
{
    f->vertex_count = vertices;
    f->edge_count = edges;
    f->face_count = faces;
}

/* (No table has this: one of addresses is written to where programs are
 * moved.) */
static void set_side(convex_side *s, const vsp__convex *c)
{
    s->it = c;
    s->front = v3_zero();
    s->form.edges = segment_edge;
    s->form.first = triangle_first;
    s->form.corners = triangle_corners;
    switch (c->core) {
    case VSP__POLYHEDRON:
        set_hull(&s->form, c->hull);
        break;
    case VSP__BRICK:
        set_form(&s->form, 8, 12, 6);
        s->form.edges = brick_edges;
        s->form.first = brick_first;
        s->form.corners = brick_corners;
        break;
    case VSP__TRIANGLE:
        set_form(&s->form, 3, 3, 2);
        s->form.edges = triangle_edges;
        set_triangle(s);
        break;
    case VSP__SEGMENT:
        set_form(&s->form, 2, 1, 0);
        break;
    default:
        set_form(&s->form, 1, 0, 0);
    }
}


/* ---- Pairs -----------------------------------------------------------------
 * Side 0 is a, side 1 is b.  Each is seen from the frame of one of them: what
 * is in a table is used as it is, and nothing is as large as a position. */

typedef struct convex_pair {
    convex_side side[2];
    vsp__mat3 turn;  /* from the frame of a to that of b */
    vsp__real radii; /* of both together */
} convex_pair;

/* a direction of one side's frame as the other one has it */
static void turn_from(const convex_pair *p, uint32_t side, vsp__vec3 *v)
{
    if (side == 0)
        vsp__flushed_mul(&p->turn, v);
    else
        vsp__flushed_tmul(&p->turn, v);
}

/* a point of a in the frame of b */
static void point_from_a(const convex_pair *p, vsp__vec3 *v)
{
    vsp__mul(&p->turn, v, v);
    v3_add_in(v, &p->side[1].offset);
    v3_flush_in(v);
}

/* Farther apart than this, m, fixed-point coordinates of one in the frame of
 * the other would leave their range. */
#define FAR_APART VSP__R(650.0)
/* more than the corners of the largest solids are from their origins */
#define FAR_REACH VSP__R(174.0)

/* Returns the distance of the origins; offset is from that of a. */
static vsp__real origin_distance(const vsp__convex *a, const vsp__convex *b,
                                 vsp__vec3 *offset)
{
    vsp__way(&a->pose->position, &b->pose->position, offset);
    return v3_length_at(offset);
}

static bool is_far(vsp__real distance)
{
    return VSP_FIXED && distance > FAR_APART;
}

static void set_pair(convex_pair *p, const vsp__convex *a,
                     const vsp__convex *b, const vsp__vec3 *offset)
{
    uint32_t k;

    set_side(&p->side[0], a);
    set_side(&p->side[1], b);
    p->radii = r_add(a->radius, b->radius);
    p->turn = a->pose->axes;
    for (k = 0; k < 3; k++)
        vsp__flushed_tmul(&b->pose->axes, p->turn.axis + k);
    p->side[0].offset = *offset;
    vsp__flushed_tmul(&a->pose->axes, &p->side[0].offset);
    p->side[1].offset = *offset;
    v3_flip_in(&p->side[1].offset, true);
    vsp__flushed_tmul(&b->pose->axes, &p->side[1].offset);
}


/* ---- Nearest points --------------------------------------------------------
 * Gilbert, Johnson, Keerthi, "A fast procedure for computing the distance
 * between complex objects in three-dimensional space", 1988.  The point of
 * a - b that is nearest to the origin is searched with simplices of corners.
 * Where on a simplex it is, is told by unit vectors along its edges and
 * across its faces, not by determinants: so all numbers stay lengths. */

#define MAX_GJK_ROUNDS 40u
/* rounds that may change the direction without a shorter distance: on the
 * flat side of a - b many simplices are as near */
#define MAX_STALLS 8u
/* below this, m, they overlap */
#define MIN_NEAREST VSP__R(1e-5)
/* squared sine below which three points make no face */
#define MIN_FACE_SQ_SINE VSP__U(1e-8)

typedef struct nearest_point {
    vsp__square square; /* of its distance */
    vsp__vec3 at;
    vsp__vec3 normal;   /* across a face */
    vsp__real share[4]; /* of corners of the simplex: units */
    uint32_t count;     /* how many are above 0 */
} nearest_point;

typedef struct simplex {
    uint32_t count;
    vsp__vec3 at[4];       /* a - b in the frame of b */
    uint8_t vertex[4][2];  /* of a and b */
    vsp__real share[4];
    vsp__real distance;    /* of the nearest point */
    vsp__vec3 direction;   /* of length 1: to it, so from b to a */
} simplex;

/* Takes a point if it is nearer than the best. */
static bool take_nearer(const vsp__vec3 *at, uint32_t count,
                        nearest_point *best)
{
    vsp__square square = v3_square_at(at);
    uint32_t i;

    if (!(square < best->square))
        return false;
    best->square = square;
    best->at = *at;
    best->count = count;
    for (i = 0; i < 4; i++)
        best->share[i] = 0;
    return true;
}

/* from one corner to another */
static void simplex_step(const simplex *s, uint32_t from, uint32_t to,
                         vsp__vec3 *step)
{
    vsp__way(s->at + from, s->at + to, step);
}

/* from the newest corner m to corner i */
static void try_edge(const simplex *s, uint32_t m, uint32_t i,
                     nearest_point *best)
{
    const vsp__vec3 *from = s->at + m;
    vsp__vec3 u, at;
    vsp__real along, length;

    if (!direct_between(from, s->at + i, &u))
        return;
    along = r_neg(u3_dot_at(&u, from));
    simplex_step(s, m, i, &at);
    length = u3_dot_at(&u, &at);
    if (!(along > 0 && along < length))
        return;
    at = *from;
    u3_move(&at, along, &u);
    v3_flush_in(&at);
    if (!take_nearer(&at, 2, best))
        return;
    best->share[i] = u_div(r_flush(along), length);
    best->share[m] = VSP__U(1.0) - best->share[i];
}

/* How much of a point of a face belongs to the corner at the end of e, from
 * the newest corner; inward is across the edge that this is not on. */
static vsp__real face_share(const vsp__vec3 *from, const vsp__vec3 *e,
                            vsp__vec3 *inward)
{
    vsp__real place, height;

    v3_flush_in(inward);
    place = r_flush(r_neg(u3_dot_at(inward, from)));
    height = u3_dot_at(inward, e);
    if (!(place > 0 && place < height))
        return 0;
    return u_div(place, height);
}

/* Directions of the edges from m, and across them; where the third edge is
 * the shorter one it tells more than that to k. */
static bool face_normal(const simplex *s, uint32_t m, uint32_t i, uint32_t k,
                        vsp__vec3 *u, vsp__vec3 *v, vsp__vec3 *n)
{
    vsp__vec3 step, third;

    simplex_step(s, m, k, &step);
    simplex_step(s, i, k, &third);
    if (!direct_between(s->at + m, s->at + i, u) ||
        !direct_between(s->at + m, s->at + k, v))
        return false;
    if (v3_square_at(&step) < v3_square_at(&third))
        third = step;
    if (v3_size_at(&third) == 0)
        return false;
    vsp__flushed_normalize(&third);
    return direct_across(u, &third, n) >= MIN_FACE_SQ_SINE;
}

/* The face (m, i, k), with the last corner of a tetrahedron.  Returns whether
 * the origin is behind it, where that corner is: not when it is flat. */
static bool try_face(const simplex *s, uint32_t m, uint32_t i, uint32_t k,
                     uint32_t last, nearest_point *best)
{
    const vsp__vec3 *from = s->at + m;
    vsp__vec3 u, v, n, e, at;
    vsp__real height, depth, share_i, share_k;

    if (!face_normal(s, m, i, k, &u, &v, &n))
        return false;
    height = r_flush(u3_dot_at(&n, from));
    simplex_step(s, last, m, &e);
    depth = u3_dot_at(&n, &e);
    if ((height > 0) == (depth > 0) && r_abs(depth) > MIN_NEAREST)
        return true;
    simplex_step(s, m, k, &e);
    u3_cross_to(&n, &u, &at);
    share_k = face_share(from, &e, &at);
    simplex_step(s, m, i, &e);
    u3_cross_to(&v, &n, &at);
    share_i = face_share(from, &e, &at);
    if (!(share_i > 0 && share_k > 0 && share_i + share_k < VSP__U(1.0)))
        return false;
    at = n;
    u3_scale_in(&at, height);
    v3_flush_in(&at);
    if (!take_nearer(&at, 3, best))
        return false;
    best->normal = n;
    v3_flip_in(&best->normal, height < 0);
    best->share[i] = share_i;
    best->share[k] = share_k;
    best->share[m] = VSP__U(1.0) - share_i - share_k;
    return false;
}

/* Finds the point nearest to the origin: only what has the newest corner can
 * be nearer than what was found before.  A face that the origin is over, on
 * the outside, has it; else an edge or the corner.  Returns false when the
 * origin is inside. */
static bool nearest_of(const simplex *s, nearest_point *best)
{
    uint32_t m = s->count - 1, behind = 0, i;

    best->count = 0;
    for (i = 0; m > 1 && i < m; i++) {
        uint32_t k = i + 1 == m ? 0 : i + 1;

        if (m == 3 || i == 0)
            behind += try_face(s, m, i, k, m == 3 ? 3 - i - k : m, best)
                          ? 1u : 0u;
    }
    if (behind == 3)
        return false;
    if (best->count == 3)
        return true;
    if (take_nearer(s->at + m, 1, best))
        best->share[m] = VSP__U(1.0);
    for (i = 0; i < m; i++)
        try_edge(s, m, i, best);
    return true;
}

/* Leaves of the simplex what its nearest point is made of. */
static void reduce_simplex(simplex *s, const nearest_point *best)
{
    uint32_t i, count = 0;

    for (i = 0; i < s->count; i++) {
        if (!(best->share[i] > 0))
            continue;
        s->at[count] = s->at[i];
        s->vertex[count][0] = s->vertex[i][0];
        s->vertex[count][1] = s->vertex[i][1];
        s->share[count++] = best->share[i];
    }
    s->count = count;
    s->distance = vsp__root(best->square);
    s->direction = best->normal;
    if (best->count < 3) {
        s->direction = best->at;
        vsp__flushed_normalize(&s->direction);
    }
}

/* Adds the corner of a - b that lies farthest against the direction.
 * Returns false when it is there already. */
static bool add_corner(const convex_pair *p, simplex *s)
{
    vsp__vec3 d = s->direction, v;
    vsp__vec3 *at = s->at + s->count;
    uint8_t *vertex = s->vertex[s->count];
    uint32_t i;

    v3_flip_in(&d, true);
    turn_from(p, 1, &d);
    vertex[0] = (uint8_t)vsp__farthest_corner(p->side[0].it, &d, at);
    point_from_a(p, at);
    vertex[1] = (uint8_t)vsp__farthest_corner(p->side[1].it, &s->direction, &v);
    vsp__way(&v, at, at);
    for (i = 0; i < s->count; i++)
        if (s->vertex[i][0] == vertex[0] && s->vertex[i][1] == vertex[1])
            return false;
    return true;
}

/* What a distance may be off, where a corner of a - b is this far away. */
static vsp__real nearest_slack(const vsp__vec3 *at)
{
    return r_add(VSP__R(0.000004), u_mul(VSP__U(0.000001), v3_size_at(at)));
}

/* The nearest points of two cores.  Returns their distance, 0 when they
 * overlap: the simplex is then a guess.  Stops at a lower bound above the
 * limit. */
static vsp__real nearest_points(const convex_pair *p, vsp__real limit,
                                simplex *s)
{
    nearest_point best = {0};
    vsp__vec3 v;
    vsp__real nearest;
    uint32_t round, stalls = 0;

    s->count = 1;
    s->vertex[0][0] = s->vertex[0][1] = 0;
    vsp__core_corner(p->side[0].it, 0, &s->at[0]);
    point_from_a(p, &s->at[0]);
    vsp__core_corner(p->side[1].it, 0, &v);
    vsp__way(&v, &s->at[0], &s->at[0]);
    best.square = v3_square_at(&s->at[0]);
    best.at = s->at[0];
    best.count = 1;
    best.share[0] = VSP__U(1.0);
    reduce_simplex(s, &best);
    nearest = s->distance;
    for (round = 0; round < MAX_GJK_ROUNDS && stalls < MAX_STALLS; round++) {
        vsp__real slack, low;

        if (s->distance < MIN_NEAREST)
            return 0;
        if (!add_corner(p, s))
            break;
        slack = nearest_slack(s->at + s->count);
        low = u3_dot_at(&s->direction, s->at + s->count);
        if (low > limit)
            return low;
        if (low > r_sub(s->distance, slack))
            break;
        best.square = r_square(r_add(nearest, slack));
        s->count++;
        if (!nearest_of(s, &best)) {
            s->count--; /* the new corner has no share */
            return 0;
        }
        if (best.count == 0) {
            s->count--;
            break;
        }
        reduce_simplex(s, &best);
        if (s->distance < nearest)
            nearest = s->distance;
        else
            stalls++;
    }
    return s->distance;
}

/* Fills the nearest points of the cores, in the axes of the world. */
static void simplex_points(const convex_pair *p, const simplex *s,
                           vsp__vec3 on[2])
{
    uint32_t side, i;

    for (side = 0; side < 2; side++) {
        const convex_side *c = p->side + side;

        on[side] = v3_zero();
        for (i = 0; i < s->count; i++) {
            vsp__vec3 v;

            vsp__core_corner(c->it, s->vertex[i][side], &v);
            u3_move(&on[side], s->share[i], &v);
        }
        v3_flush_in(&on[side]);
        vsp__flushed_mul(&c->it->pose->axes, &on[side]);
    }
}

/* from the points of the cores to those of the solids; n is a to b */
static void add_radii(const convex_pair *p, const vsp__vec3 *n,
                      vsp__vec3 on[2])
{
    u3_move(&on[0], p->side[0].it->radius, n);
    u3_move(&on[1], r_neg(p->side[1].it->radius), n);
}

/* Makes a contact of points of the cores, its number the count: returns how
 * far apart they are along the normal. */
static vsp__real measure_point(const convex_pair *p, const vsp__vec3 *offset,
                               vsp__touch *t)
{
    vsp__touch_point *point = t->points + t->count;
    vsp__vec3 d = *offset;
    vsp__real height;

    v3_add_in(&d, &point->on[1]);
    vsp__way(&point->on[0], &d, &d);
    height = u3_dot_at(&t->normal, &d);
    point->gap = r_sub(height, p->radii);
    point->feature = t->count;
    add_radii(p, &t->normal, point->on);
    return height;
}


/* ---- Separating axes -------------------------------------------------------
 * Cores are apart if and only if they are so along the normal of a face or
 * across two edges whose arcs cross on the sphere of normals: Gregorius, "The
 * separating axis test between convex polyhedra", GDC 2013.  A triangle has
 * one outside: axes along which one would leave through its back can tell
 * that two are apart, but do not become contacts. */

/* see vsp_collide.c, "Separating axes of two boxes" */
#define PAIR_EDGE_BIAS VSP__R(0.002)
#define PAIR_EDGE_BIAS_PART VSP__U(0.05)
#define PAIR_FACE_BIAS VSP__R(0.0005)
/* squared sine below which edges count as parallel */
#define PARALLEL_SQ_SINE VSP__U(0.00001)
/* how far an axis may look out of the back of a triangle */
#define BACK_SLACK VSP__U(0.001)

typedef struct pair_axis {
    vsp__real separation;
    bool found;
    uint8_t side;    /* of the face; edges: whether the axis is against their
                        cross product */
    uint8_t part[2]; /* face and the other one's deepest corner; edges of a
                        and b */
} pair_axis;

typedef struct pair_axes {
    vsp__real limit;  /* apart by this is apart */
    pair_axis faces[2], edges;
    bool has_back;    /* leaving through the back of a triangle */
    vsp__real back;
} pair_axes;

static void keep_axis(pair_axis *best, vsp__real separation, uint32_t side,
                      uint32_t part0, uint32_t part1)
{
    if (best->found && !(separation > best->separation))
        return;
    best->found = true;
    best->separation = separation;
    best->side = (uint8_t)side;
    best->part[0] = (uint8_t)part0;
    best->part[1] = (uint8_t)part1;
}

static void keep_back(pair_axes *axes, vsp__real separation)
{
    if (!axes->has_back || separation > axes->back)
        axes->back = separation;
    axes->has_back = true;
}

/* Finds the face of one side that is farthest from the other, or least deep
 * in it.  Returns false when they are apart. */
static bool find_face(const convex_pair *p, uint32_t side, pair_axes *axes)
{
    const convex_side *s = p->side + side, *other = p->side + (1 - side);
    uint32_t face, vertex;

    for (face = 0; face < s->form.face_count; face++) {
        vsp__vec3 n, inward, v;
        vsp__real height = core_plane(s, face, &n), separation;

        height = r_sub(u3_dot_at(&n, &s->offset), height);
        turn_from(p, side, &n);
        inward = n;
        v3_flip_in(&inward, true);
        vertex = vsp__farthest_corner(other->it, &inward, &v);
        separation = r_flush(r_add(u3_dot_at(&n, &v), height));
        if (separation >= axes->limit)
            return false;
        if ((is_triangle(s) && face == 1) ||
            (is_triangle(other) &&
             u3_dot_at(&n, &other->front) > BACK_SLACK))
            keep_back(axes, separation);
        else
            keep_axis(axes->faces + side, separation, side, face, vertex);
    }
    return true;
}

/* an edge of a, in the frame of b */
typedef struct edge_walk {
    uint32_t edge;
    vsp__vec3 tail, direction; /* of length 1 */
    vsp__vec3 normal[2];       /* of the faces on its left and right */
    uint32_t along[2];         /* bits: faces of b that look along it */
} edge_walk;

static bool looks_along(const edge_walk *w, uint32_t face)
{
    return (w->along[face >> 5] >> (face & 31u) & 1u) != 0;
}

static bool begin_edge(const convex_pair *p, uint32_t edge, edge_walk *w)
{
    const convex_side *a = &p->side[0], *b = &p->side[1];
    const vsp_hull_edge *e = a->form.edges + edge;
    vsp__vec3 n;
    uint32_t i;

    w->edge = edge;
    vsp__core_corner(a->it, e->tail, &w->tail);
    vsp__core_corner(a->it, e->head, &n);
    if (!direct_between(&w->tail, &n, &w->direction))
        return false;
    turn_from(p, 0, &w->direction);
    point_from_a(p, &w->tail);
    for (i = 0; i < 2 && a->form.face_count > 0; i++) {
        (void)core_plane(a, i == 0 ? e->left : e->right, w->normal + i);
        turn_from(p, 0, w->normal + i);
    }
    w->along[0] = w->along[1] = 0;
    for (i = 0; i < b->form.face_count; i++) {
        (void)core_plane(b, i, &n);
        if (v3_product_at(&n, &w->direction) > 0)
            w->along[i >> 5] |= (uint32_t)1 << (i & 31u);
    }
    return true;
}

/* Whether the normals of two edges have one in common, but for its sign on b;
 * then how that is directed, against their cross product or not.  Segments
 * have all normals across them. */
static bool arcs_cross(const convex_pair *p, const edge_walk *w,
                       const vsp_hull_edge *e, const vsp__vec3 *v,
                       bool *against)
{
    bool has_a = p->side[0].form.face_count > 0;
    bool has_b = p->side[1].form.face_count > 0;

    if (has_b) {
        *against = !looks_along(w, e->left);
        if (*against != looks_along(w, e->right))
            return false;
    }
    if (has_a) {
        bool left = v3_product_at(&w->normal[0], v) > 0;
        bool right = v3_product_at(&w->normal[1], v) > 0;

        if (left == right || (has_b && left == *against))
            return false;
        *against = !left;
    }
    return has_a || has_b;
}

/* one edge of a with one of b; returns false when they are apart */
static bool measure_edges(const convex_pair *p, const edge_walk *w,
                          uint32_t edge, pair_axes *axes)
{
    const vsp_hull_edge *e = &p->side[1].form.edges[edge];
    vsp__vec3 tail, v, n;
    vsp__real separation;
    bool against = false;

    vsp__core_corner(p->side[1].it, e->tail, &tail);
    vsp__core_corner(p->side[1].it, e->head, &v);
    vsp__way(&tail, &v, &v);
    if (!arcs_cross(p, w, e, &v, &against))
        return true;
    vsp__flushed_normalize(&v);
    if (direct_across(&w->direction, &v, &n) < PARALLEL_SQ_SINE)
        return true;
    v3_flip_in(&n, against);
    vsp__way(&w->tail, &tail, &tail);
    separation = r_flush(u3_dot_at(&n, &tail));
    if (separation >= axes->limit)
        return false;
    if ((is_triangle(&p->side[0]) &&
         u3_dot_at(&n, &w->normal[0]) < -BACK_SLACK) ||
        (is_triangle(&p->side[1]) &&
         u3_dot_at(&n, &p->side[1].front) > BACK_SLACK))
        keep_back(axes, separation);
    else
        keep_axis(&axes->edges, separation, against ? 1 : 0, w->edge, edge);
    return true;
}

static bool find_edges(const convex_pair *p, pair_axes *axes)
{
    uint32_t i, k;
    edge_walk w;

    for (i = 0; i < p->side[0].form.edge_count; i++) {
        if (!begin_edge(p, i, &w))
            continue;
        for (k = 0; k < p->side[1].form.edge_count; k++)
            if (!measure_edges(p, &w, k, axes))
                return false;
    }
    return true;
}

/* Finds the best axes, of faces alone or of edges, too.  Returns false when
 * the cores are apart by the limit. */
static bool find_axes(const convex_pair *p, vsp__real limit, bool with_edges,
                      pair_axes *axes)
{
    axes->limit = limit;
    axes->faces[0].found = axes->faces[1].found = false;
    axes->edges.found = axes->has_back = false;
    axes->back = 0;
    return find_face(p, 0, axes) && find_face(p, 1, axes) &&
           (!with_edges || find_edges(p, axes));
}

/* The face to prefer; null when there is none. */
static const pair_axis *better_face(const pair_axes *axes)
{
    const pair_axis *a = &axes->faces[0], *b = &axes->faces[1];

    if (!b->found)
        return a->found ? a : NULL;
    if (!a->found || b->separation > r_add(a->separation, PAIR_FACE_BIAS))
        return b;
    return a;
}

/* Whether one is so deep in the back of a triangle that it is let go: by more
 * than two thirds.  What only just touches it from there or from beside is
 * none of its business either. */
static bool is_let_go(const pair_axes *axes, vsp__real separation,
                      vsp__real radii)
{
    vsp__real back = r_sub(axes->back, radii);

    separation = r_sub(separation, radii);
    return axes->has_back && back > separation &&
           (back >= 0 ||
            separation < r_sub(r_add(back, back), PAIR_EDGE_BIAS));
}


/* ---- Contacts of two edges ---------------------------------------------- */

/* The ends of an edge in the axes of the world, from the origin of its
 * solid: middle and half of the way between them. */
static void edge_in_world(const convex_side *s, uint32_t edge,
                          vsp__vec3 *middle, vsp__vec3 *half)
{
    const vsp_hull_edge *e = s->form.edges + edge;
    vsp__vec3 head;

    vsp__core_corner(s->it, e->tail, middle);
    vsp__core_corner(s->it, e->head, &head);
    vsp__way(middle, &head, half);
    u3_scale_in(half, VSP__U(0.5));
    v3_add_in(middle, half);
    vsp__flushed_mul(&s->it->pose->axes, middle);
    vsp__flushed_mul(&s->it->pose->axes, half);
}

/* The points where two edges are closest. */
static bool touch_two_edges(const convex_pair *p, const pair_axis *best,
                            const vsp__vec3 *offset, vsp__real limit,
                            vsp__touch *t)
{
    vsp__touch_point *point = &t->points[0];
    vsp__vec3 u[2], d = *offset;
    vsp__real length[2], at[2], c, sq_sine;
    uint32_t k;

    for (k = 0; k < 2; k++) {
        edge_in_world(p->side + k, best->part[k], point->on + k, &u[k]);
        length[k] = v3_length_at(&u[k]);
        vsp__flushed_normalize(&u[k]);
    }
    sq_sine = direct_across(&u[0], &u[1], &t->normal);
    v3_flip_in(&t->normal, best->side == 1);
    v3_add_in(&d, &point->on[1]);
    vsp__way(&point->on[0], &d, &d);
    c = r_flush(u3_dot_at(&u[0], &u[1]));
    at[0] = r_flush(u3_dot_at(&d, &u[0]));
    at[1] = r_flush(u3_dot_at(&d, &u[1]));
    for (k = 0; k < 2; k++) {
        vsp__real s = r_flush(r_sub(at[k], u_mul(c, at[1 - k])));

        s = r_clamp(u_div(s, sq_sine), -length[k], length[k]);
        u3_move(point->on + k, r_signed(r_flush(s), k == 1), &u[k]);
    }
    t->count = 1;
    point->gap = r_sub(u3_dot_at(&t->normal, &d), p->radii);
    point->feature = (best->part[0] * 89u + best->part[1] * 5u) & 255u;
    add_radii(p, &t->normal, point->on);
    return r_add(point->gap, p->radii) < limit;
}


/* ---- Contacts of a face ----------------------------------------------------
 * The face of one side, and what of the other lies over it, clipped to it:
 * Sutherland and Hodgman, "Reentrant polygon clipping", 1974. */

#define CUT_CORNERS 12u  /* of a face with more, every second is taken, or
                            every third and so on */
#define CUT_TOLERANCE VSP__R(0.00001) /* see vsp_collide.c */

/* A reference face, in the frame of its side. */
typedef struct face_frame {
    uint32_t side, face;
    vsp__vec3 normal, x, y, corner;
} face_frame;

/* A point of the frame of its side, seen from the face. */
static void see_from_face(const face_frame *f, const vsp__vec3 *v,
                          vsp__real *at)
{
    vsp__vec3 d;

    vsp__way(&f->corner, v, &d);
    at[0] = r_flush(u3_dot_at(&f->x, &d));
    at[1] = r_flush(u3_dot_at(&f->y, &d));
    at[2] = r_flush(u3_dot_at(&f->normal, &d));
}

static void set_face_frame(const convex_pair *p, const pair_axis *face,
                           face_frame *f)
{
    const convex_side *s = p->side + face->side;

    f->side = face->side;
    f->face = face->part[0];
    (void)core_plane(s, f->face, &f->normal);
    vsp__tangents(f->normal, &f->x, &f->y);
    v3_flush_in(&f->x);
    v3_flush_in(&f->y);
    vsp__core_corner(s->it, s->form.corners[s->form.first[f->face]],
                     &f->corner);
}

/* A corner of the other side, and the edge after it. */
static void see_vertex(const convex_pair *p, const face_frame *f,
                       uint32_t vertex, uint32_t edge,
                       vsp__clip_point *point)
{
    vsp__vec3 v;

    vsp__core_corner(p->side[1 - f->side].it, vertex, &v);
    turn_from(p, 1 - f->side, &v);
    v3_add_in(&v, &p->side[f->side].offset);
    see_from_face(f, &v, point->at);
    point->edge = (uint16_t)edge;
    point->part = (uint16_t)vertex;
}

static bool face_has(const core_form *form, uint32_t face, uint32_t vertex)
{
    uint32_t i;

    for (i = form->first[face]; i < form->first[face + 1]; i++)
        if (form->corners[i] == vertex)
            return true;
    return false;
}

uint32_t vsp__face_against(const vsp__convex *c, uint32_t corner,
                           const vsp__vec3 *d)
{
    vsp__real least = VSP__U(1.5);
    uint32_t face, best = 0;
    convex_side s;
    vsp__vec3 n;

    set_side(&s, c);
    for (face = 0; face < s.form.face_count; face++) {
        vsp__real lean;

        (void)core_plane(&s, face, &n);
        lean = u3_dot_at(&n, d);
        if (lean < least && face_has(&s.form, face, corner)) {
            least = lean;
            best = face;
        }
    }
    return best;
}

/* Returns the number of the incident face. */
static uint32_t begin_cut(const convex_pair *p, const face_frame *f,
                          uint32_t vertex, vsp__polygon *c)
{
    const convex_side *other = p->side + (1 - f->side);
    const core_form *form = &other->form;
    const uint8_t *corners;
    vsp__vec3 toward;
    uint32_t face, count, step, start = 0, i;

    c->count = 0;
    c->is_open = form->face_count == 0;
    if (c->is_open) {
        for (i = 0; i < form->vertex_count; i++)
            see_vertex(p, f, i, 0, c->points + c->count++);
        return 0;
    }
    /* at the deepest corner, which is part of the contact */
    toward = f->normal;
    turn_from(p, f->side, &toward);
    face = vsp__face_against(other->it, vertex, &toward);
    corners = form->corners + form->first[face];
    count = (uint32_t)form->first[face + 1] - form->first[face];
    while (start + 1 < count && corners[start] != vertex)
        start++;
    step = (count + CUT_CORNERS - 1u) / CUT_CORNERS;
    for (i = 0; i < count; i += step) {
        uint32_t k = start + i < count ? start + i : start + i - count;

        see_vertex(p, f, corners[k], k, c->points + c->count++);
    }
    return face;
}

/* how far outside of a side, from one of its ends along a unit vector */
static vsp__real outside_side(const vsp__clip_point *point,
                              const vsp__real *end, const vsp__vec3 *out)
{
    vsp__real x = r_flush(r_sub(point->at[0], end[0]));
    vsp__real y = r_flush(r_sub(point->at[1], end[1]));

    return r_flush(r_sub(u_dot2(x, out->x, y, out->y), CUT_TOLERANCE));
}

/* Cuts off what is outside of a side of the reference face. */
static void cut_side(vsp__polygon *c, uint32_t side, const vsp__real *from,
                     const vsp__real *to)
{
    vsp__real outside[VSP__CLIP_POINTS];
    vsp__vec3 out;
    uint32_t i;

    out = v3(r_sub(to[1], from[1]), r_sub(from[0], to[0]), 0);
    v3_flush_in(&out);
    if (c->count == 0 || v3_size_at(&out) == 0)
        return;
    vsp__flushed_normalize(&out);
    for (i = 0; i < c->count; i++)
        outside[i] = outside_side(c->points + i, from, &out);
    vsp__clip(c, side, outside);
}

/* a corner of the reference face */
static void see_corner(const convex_pair *p, const face_frame *f, uint32_t i,
                       vsp__real *at)
{
    const convex_side *s = p->side + f->side;
    vsp__vec3 v;

    vsp__core_corner(s->it, s->form.corners[s->form.first[f->face] + i], &v);
    see_from_face(f, &v, at);
}

/* Clips to all sides of the reference face. */
static void cut_sides(const convex_pair *p, const face_frame *f,
                      vsp__polygon *c)
{
    const uint16_t *first = &p->side[f->side].form.first[f->face];
    uint32_t count = (uint32_t)first[1] - first[0], i;
    vsp__real start[3], from[3], to[3];

    see_corner(p, f, 0, start);
    see_corner(p, f, 0, to);
    for (i = 1; i < count; i++) {
        from[0] = to[0];
        from[1] = to[1];
        see_corner(p, f, i, to);
        cut_side(c, i - 1, from, to);
    }
    cut_side(c, count - 1, to, start);
}

/* other points of this touch before it have this feature */
static bool is_feature_taken(const vsp__touch *t, uint32_t point)
{
    uint32_t i;

    for (i = 0; i < point; i++)
        if (t->points[i].feature == t->points[point].feature)
            return true;
    return false;
}

/* Takes a point to the world. */
static void cut_to_point(const convex_pair *p, const face_frame *f,
                         const vsp__clip_point *c, vsp__touch_point *point)
{
    const convex_side *s = p->side + f->side;
    vsp__vec3 *on = point->on + f->side, *other = point->on + (1 - f->side);

    *on = f->corner;
    u3_move(on, c->at[0], &f->x);
    u3_move(on, c->at[1], &f->y);
    *other = *on;
    u3_move(on, s->it->radius, &f->normal);
    u3_move(other, r_sub(c->at[2], p->side[1 - f->side].it->radius),
            &f->normal);
    v3_sub_in(other, &s->offset);
    v3_flush_in(on);
    v3_flush_in(other);
    vsp__flushed_mul(&s->it->pose->axes, on);
    vsp__flushed_mul(&s->it->pose->axes, other);
    point->gap = r_sub(c->at[2], p->radii);
}

/* Makes a touch of these points, of four at most; other is the number of the
 * incident face. */
static void cut_to_touch(const convex_pair *p, const face_frame *f,
                         uint32_t other, const vsp__clip_point *points,
                         uint32_t count, vsp__touch *t)
{
    uint32_t faces = (f->face * 2u + f->side) * 59u + other * 97u, i;
    uint8_t kept[4] = {0, 1, 2, 3};

    t->normal = f->normal;
    v3_flip_in(&t->normal, f->side == 1);
    vsp__flushed_mul(&p->side[f->side].it->pose->axes, &t->normal);
    t->count = count > 4 ? vsp__choose_points(points, count, kept) : count;
    for (i = 0; i < t->count; i++) {
        const vsp__clip_point *from = &points[kept[i]];

        cut_to_point(p, f, from, t->points + i);
        t->points[i].feature = (faces + from->part * 5u) & 255u;
        while (is_feature_taken(t, i))
            t->points[i].feature = (t->points[i].feature + 1u) & 255u;
    }
}

/* Returns false when nothing lies over the face. */
static bool touch_face(const convex_pair *p, const pair_axis *face,
                       vsp__real limit, vsp__touch *t)
{
    face_frame f;
    vsp__polygon c;
    uint32_t other;

    set_face_frame(p, face, &f);
    other = begin_cut(p, &f, face->part[1], &c);
    cut_sides(p, &f, &c);
    vsp__keep_low(&c, limit);
    cut_to_touch(p, &f, other, c.points, c.count, t);
    return t->count > 0;
}

/* The deepest corner alone, wherever it is. */
static bool touch_corner(const convex_pair *p, const pair_axis *face,
                         vsp__touch *t)
{
    vsp__clip_point point;
    face_frame f;

    set_face_frame(p, face, &f);
    see_vertex(p, &f, face->part[1], 0, &point);
    cut_to_touch(p, &f, 0, &point, 1, t);
    return true;
}

/* A face, or the other one if that is not worse. */
static bool touch_any_face(const convex_pair *p, const pair_axes *axes,
                           const pair_axis *face, vsp__real limit,
                           vsp__touch *t)
{
    const pair_axis *other = axes->faces + (1 - face->side);

    if (p->side[1 - face->side].it->core == VSP__POINT)
        return touch_corner(p, face, t);
    if (touch_face(p, face, limit, t))
        return true;
    return other->found && other->separation > face->separation &&
           touch_face(p, other, limit, t);
}

static bool touch_cores(const convex_pair *p, const vsp__vec3 *offset,
                        vsp__real limit, pair_axes *axes, vsp__touch *t)
{
    const pair_axis *face, *edges;
    vsp__real least;

    if (!find_axes(p, limit, true, axes))
        return false;
    face = better_face(axes);
    edges = axes->edges.found ? &axes->edges : NULL;
    if (!face)
        return false; /* neither has faces */
    least = face->separation;
    if (edges && edges->separation > least)
        least = edges->separation;
    else
        edges = NULL; /* so they are worse than a face */
    if (is_let_go(axes, least, p->radii))
        return false;
    if (edges &&
        edges->separation >
            r_add(r_add(face->separation, PAIR_EDGE_BIAS),
                  u_mul(PAIR_EDGE_BIAS_PART, r_abs(face->separation))))
        return touch_two_edges(p, edges, offset, limit, t);
    if (touch_any_face(p, axes, face, limit, t))
        return true;
    if (axes->edges.found && !(axes->edges.separation < least))
        return touch_two_edges(p, &axes->edges, offset, limit, t);
    return least < p->radii && !axes->has_back &&
           touch_corner(p, face, t);
}


/* ---- Rounded solids ----------------------------------------------------- */

/* below this, m, a direction between nearest points is noise */
#define MIN_APART VSP__R(0.0005)
/* m: how much nearer than a face the nearest points may be, for all that lies
 * over the face to count */
#define FACE_SLACK VSP__R(0.0005)
/* segments with a squared sine below this, a length of that in common, m,
 * touch twice */
#define ALIGNED_SQ_SINE VSP__U(0.01)
#define MIN_COMMON VSP__R(0.001)
/* cosine of two directions that are one but for noise, and m: what is farther
 * apart is known well */
#define ACROSS VSP__U(0.999)
#define SHORT_WAY VSP__R(0.01)

static bool is_line(const convex_side *s)
{
    return s->form.face_count == 0;
}

/* the y axis of a side in the world */
static const vsp__vec3 *line_axis(const convex_side *s)
{
    return &s->it->pose->axes.axis[1];
}

/* Which way two cores part of which one has no faces.  Segments that cross do
 * it across both, which is better known than a short way between them; where
 * nothing tells, any direction across will do. */
static void part_lines(const convex_pair *p, const vsp__vec3 *offset,
                       const simplex *s, bool is_apart, vsp__vec3 *n)
{
    const convex_side *a = &p->side[0], *b = &p->side[1];
    vsp__vec3 toward = *offset, across, other;

    if (is_apart) {
        toward = s->direction;
        v3_flip_in(&toward, true);
        vsp__flushed_mul(&b->it->pose->axes, &toward);
        *n = toward;
    }
    if (a->it->core == VSP__SEGMENT && b->it->core == VSP__SEGMENT &&
        direct_across(line_axis(a), line_axis(b), &across) >
            PARALLEL_SQ_SINE &&
        (!is_apart || (s->distance < SHORT_WAY &&
                       r_abs(u3_dot_at(&across, &toward)) > ACROSS))) {
        *n = across;
        v3_flip_in(n, u3_dot_at(n, &toward) < 0);
        return;
    }
    if (is_apart)
        return;
    *n = v3(0, VSP__U(1.0), 0);
    if (a->it->core == VSP__SEGMENT || b->it->core == VSP__SEGMENT)
        vsp__tangents(*line_axis(a->it->core == VSP__SEGMENT ? a : b), n,
                      &other);
    v3_flush_in(n);
    v3_flip_in(&*n, u3_dot_at(n, offset) < 0);
}

/* Two segments side by side: fills the point where both have gone so far
 * along a.  Returns whether they are near there. */
static bool touch_lines_at(const convex_pair *p, const vsp__vec3 *offset,
                           vsp__real along, vsp__real limit, vsp__touch *t)
{
    const vsp__vec3 *u = line_axis(&p->side[0]), *v = line_axis(&p->side[1]);
    vsp__touch_point *point = t->points + t->count;
    vsp__real half = p->side[1].it->half.y;

    point->on[0] = *u;
    u3_scale_in(&point->on[0], along);
    point->on[1] = *v;
    u3_scale_in(&point->on[1],
                r_clamp(u_div(r_sub(along, u3_dot_at(u, offset)),
                              u3_dot_at(u, v)),
                        -half, half));
    return measure_point(p, offset, t) < limit;
}

/* Two segments side by side: both ends of what they have in common.  The
 * normal is known.  Returns false when they have too little. */
static bool touch_lines(const convex_pair *p, const vsp__vec3 *offset,
                        vsp__real limit, vsp__touch *t)
{
    const vsp__vec3 *u = line_axis(&p->side[0]), *v = line_axis(&p->side[1]);
    vsp__real c = u3_dot_at(u, v), half = p->side[0].it->half.y;
    vsp__real middle = u3_dot_at(u, offset);
    vsp__real reach = r_abs(u_mul(c, p->side[1].it->half.y));
    vsp__real low = r_max(-half, r_sub(middle, reach));
    vsp__real high = r_min(half, r_add(middle, reach));

    if (p->side[0].it->core != VSP__SEGMENT ||
        p->side[1].it->core != VSP__SEGMENT ||
        VSP__U(1.0) - u_mul(c, c) > ALIGNED_SQ_SINE ||
        !(r_sub(high, low) > MIN_COMMON))
        return false;
    t->count = 0;
    t->count += touch_lines_at(p, offset, low, limit, t) ? 1u : 0u;
    t->count += touch_lines_at(p, offset, high, limit, t) ? 1u : 0u;
    return t->count > 0;
}

/* Whether what is nearest looks out of the back of a triangle; then whether
 * its face is all that is near, so that axes decide. */
static bool is_from_back(const convex_pair *p, const vsp__vec3 *direction,
                         bool *is_face)
{
    uint32_t side;

    for (side = 0; side < 2; side++) {
        vsp__vec3 front = p->side[side].front;
        vsp__real lean;

        if (!is_triangle(p->side + side))
            continue;
        if (side == 0)
            turn_from(p, 0, &front);
        lean = u3_dot_at(&front, direction);
        lean = r_signed(lean, side == 1); /* above 0: out of the back */
        *is_face = lean > VSP__U(0.99999);
        return lean > BACK_SLACK;
    }
    return false;
}

static bool has_gap_within(const vsp__touch *t, vsp__real gap)
{
    uint32_t i;

    for (i = 0; i < t->count; i++)
        if (t->points[i].gap <= gap)
            return true;
    return false;
}

/* Whether a segment may lie on a face: then that is the better one, and the
 * limit what is as near as the nearest points. */
static bool may_lie(const convex_pair *p, vsp__real distance,
                    vsp__real limit, pair_axes *axes)
{
    const pair_axis *face;

    if (p->side[0].it->core == VSP__POINT ||
        p->side[1].it->core == VSP__POINT ||
        !find_axes(p, limit, false, axes))
        return false;
    axes->limit = r_add(distance, FACE_SLACK);
    face = better_face(axes);
    return face && r_add(face->separation, FACE_SLACK) >= distance;
}

/* What touches once or along a line. */
static void touch_nearest(const convex_pair *p, const vsp__vec3 *offset,
                          const simplex *s, vsp__real limit, vsp__touch *t)
{
    part_lines(p, offset, s, s->distance > MIN_APART, &t->normal);
    if (touch_lines(p, offset, limit, t))
        return;
    simplex_points(p, s, t->points[0].on);
    t->count = 0;
    (void)measure_point(p, offset, t);
    t->count = 1;
}

/* what is left to do */
typedef enum rounded_how {
    ROUNDED_APART,
    ROUNDED_DONE,
    ROUNDED_FACE, /* try the better face, then the nearest points */
    ROUNDED_CORES /* those that overlap, or have only their faces near */
} rounded_how;

/* Fills t by the nearest points, or finds what else has to.  Axes are null
 * when a face was tried before. */
static rounded_how touch_rounded(const convex_pair *p,
                                 const vsp__vec3 *offset, vsp__real limit,
                                 pair_axes *axes, vsp__touch *t)
{
    simplex s;
    vsp__real distance = nearest_points(p, limit, &s);
    bool is_face = false;

    if (distance >= limit)
        return ROUNDED_APART;
    if (is_line(&p->side[0]) && is_line(&p->side[1])) {
        touch_nearest(p, offset, &s, limit, t);
        return ROUNDED_DONE;
    }
    if (!(distance > MIN_APART))
        return ROUNDED_CORES;
    if (is_from_back(p, &s.direction, &is_face))
        return is_face ? ROUNDED_CORES : ROUNDED_APART;
    if (axes && may_lie(p, distance, limit, axes))
        return ROUNDED_FACE;
    touch_nearest(p, offset, &s, limit, t);
    return ROUNDED_DONE;
}


/* ---- Two convex solids -------------------------------------------------- */

bool vsp__touch_convex(const vsp__convex *a, const vsp__convex *b,
                       vsp__real envelope, vsp__touch *t)
{
    rounded_how how = ROUNDED_CORES;
    convex_pair p;
    pair_axes axes;
    vsp__vec3 offset;
    vsp__real limit;

    if (is_far(origin_distance(a, b, &offset)))
        return false;
    set_pair(&p, a, b, &offset);
    limit = r_add(envelope, p.radii);
    if (a->radius > 0 || b->radius > 0)
        how = touch_rounded(&p, &offset, limit, &axes, t);
    if (how == ROUNDED_FACE) {
        if (touch_face(&p, better_face(&axes), limit, t) &&
            has_gap_within(t, r_sub(axes.limit, p.radii)))
            return true;
        how = touch_rounded(&p, &offset, limit, NULL, t);
    }
    if (how != ROUNDED_CORES)
        return how == ROUNDED_DONE;
    return touch_cores(&p, &offset, limit, &axes, t);
}

/* The plane is the top of a flat brick at the foot of b. */
bool vsp__touch_plane(const vsp__pose *plane, const vsp__convex *b,
                      vsp__real envelope, vsp__touch *t)
{
    const vsp__vec3 *n = &plane->axes.axis[1];
    face_frame f = {0};
    vsp__convex ground = {0};
    vsp__pose foot = *plane;
    vsp__vec3 offset, low, shift;
    convex_pair p;
    uint32_t vertex, i;
    vsp__polygon c;

    vsp__way(&plane->position, &b->pose->position, &offset);
    low = *n;
    u3_scale_in(&low, u3_dot_at(n, &offset));
    foot.position = v3_sub(b->pose->position, low);
    ground.pose = &foot;
    ground.core = VSP__BRICK;
    set_pair(&p, &ground, b, &low);
    f.normal = v3(0, VSP__U(1.0), 0);
    f.x = v3(VSP__U(1.0), 0, 0);
    f.y = v3(0, 0, VSP__U(1.0));
    low = f.normal;
    v3_flip_in(&low, true);
    turn_from(&p, 0, &low);
    vertex = vsp__farthest_corner(b, &low, &shift);
    vertex = begin_cut(&p, &f, vertex, &c);
    vsp__keep_low(&c, r_add(envelope, b->radius));
    if (c.count == 0)
        return false;
    cut_to_touch(&p, &f, vertex, c.points, c.count, t);
    shift = v3_sub(foot.position, plane->position);
    for (i = 0; i < t->count; i++)
        v3_add_in(&t->points[i].on[0], &shift);
    return true;
}

vsp__real vsp__distance(const vsp__convex *a, const vsp__convex *b,
                        vsp__real limit, vsp__witness *w)
{
    convex_pair p;
    simplex s;
    vsp__vec3 offset;
    vsp__real distance = origin_distance(a, b, &offset);

    w->on[0] = w->on[1] = v3_zero();
    w->normal = v3(0, VSP__U(1.0), 0);
    if (is_far(distance)) {
        w->normal = offset;
        vsp__normalize(&w->normal);
        distance = r_sub(distance, r_add(FAR_REACH, FAR_REACH));
        return r_sub(distance, r_add(a->radius, b->radius));
    }
    set_pair(&p, a, b, &offset);
    distance = nearest_points(&p, r_add(limit, p.radii), &s);
    if (s.distance >= MIN_NEAREST) {
        w->normal = s.direction;
        v3_flip_in(&w->normal, true);
        vsp__flushed_mul(&b->pose->axes, &w->normal);
    }
    simplex_points(&p, &s, w->on);
    add_radii(&p, &w->normal, w->on);
    return r_max(r_sub(distance, p.radii), 0);
}

void vsp__farthest(const vsp__convex *c, const vsp__vec3 *direction,
                   vsp__vec3 *point)
{
    vsp__vec3 d = *direction;

    vsp__flushed_tmul(&c->pose->axes, &d);
    (void)vsp__farthest_corner(c, &d, point);
    vsp__flushed_mul(&c->pose->axes, point);
}
