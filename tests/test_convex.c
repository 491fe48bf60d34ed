/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Two convex solids against tests/convex_oracle.c, in this order: solids, the
 * conditions on any touch and any distance, random pairs, cases by hand. */

#include "convex_oracle.h"
#include "fixture.h"

#include <math.h>
#include <string.h>

#define ENVELOPE 0.02

/* By how much the chosen axis may be shallower than the best one: the handicaps
 * of src/collide/convex.c, by which it prefers faces. */
#define FACE_BIAS 0.0025
#define FACE_BIAS_PART 0.05


/* ---- Solids -------------------------------------------------------------- */

/* solids of usual sizes, or of very large and very small ones */
typedef struct pool {
    double least, most;
    uint32_t count;
    hull_storage hulls[40];
} pool;

static pool common_pool, extreme_pool;

typedef struct solid {
    vsp__convex convex;
    vsp__pose pose;
    vsp__unit_quat rotation;
    vsp__v3 corners[3];
} solid;

static uint32_t state;

static uint32_t random_bits(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

/* random, from low to high */
static double between(double low, double high)
{
    return low + (high - low) * random_bits() / 16777216.0;
}

/* random, as often small as large */
static double scale_between(double low, double high)
{
    return exp(between(log(low), log(high)));
}

/* Draws the components in a fixed order: the order of arguments' evaluation is
 * up to the compiler. */
static point3 random_point(double size)
{
    point3 p;

    p.x = between(-size, size);
    p.y = between(-size, size);
    p.z = between(-size, size);
    return p;
}

static point3 random_direction(void)
{
    for (;;) {
        point3 p = random_point(1);
        double length = p3_length(p);

        if (length > 0.1 && length < 1)
            return p3_scale(p, 1 / length);
    }
}

static vsp__num real_to(double x)
{
    return r_read(vsp_from_double(x));
}

static vsp__v3 vec_to(point3 p)
{
    return v3(real_to(p.x), real_to(p.y), real_to(p.z));
}

static double size_of(const point3 *points, int count)
{
    double size = 0;
    int i;

    for (i = 0; i < count; i++)
        size = fmax(size, p3_length(points[i]));
    return size;
}

/* the hull of random points, or a prism, a pyramid or a box */
static bool random_hull(hull_storage *room, double scale)
{
    point3 points[ORACLE_CORNERS];
    int sides = 3 + (int)(random_bits() % 8u), count = 0, i;
    double flat = scale_between(0.02, 2), top = between(0, 1.2);
    uint32_t kind = random_bits() % 4u;

    if (kind == 0) {
        count = 4 + (int)(random_bits() % 13u);
        for (i = 0; i < count; i++) {
            points[i] = p3_scale(random_direction(), scale);
            points[i].y *= flat;
        }
        return make_hull(points, count, room);
    }
    for (i = 0; i < sides; i++) {
        double angle = 6.283185307179586 * i / sides;
        double x = scale * cos(angle), z = scale * sin(angle);

        points[count++] = p3(x, -scale * flat, z);
        if (kind != 1)
            points[count++] = p3(kind == 2 ? x : x * top, scale * flat,
                                 kind == 2 ? z : z * top);
    }
    if (kind == 1)
        points[count++] = p3(0, scale * flat, 0);
    return make_hull(points, count, room);
}

static void fill_pool(pool *from, double least, double most)
{
    uint32_t size = COUNT_OF(from->hulls);

    from->least = least;
    from->most = most;
    state = 1;
    while (from->count < size)
        if (random_hull(&from->hulls[from->count],
                        scale_between(from->least, from->most)))
            from->count++;
}

static double hull_size(const vsp_hull *h)
{
    double size = 0;
    int i;

    for (i = 0; i < h->vertex_count; i++)
        size = fmax(size, p3_length(p3(h->vertices[i].x, h->vertices[i].y,
                                       h->vertices[i].z)) /
                              VSP_PLACE);
    return size;
}

static void set_pose(solid *s, vsp_quat rotation, point3 position)
{
    CHECK(vsp__q_read(rotation, &s->rotation));
    vsp__q_axes_flushed(&s->rotation, &s->pose.axes);
    s->pose.position = vec_to(position);
}

static void random_pose(solid *s, point3 position)
{
    point3 axis = random_direction();
    double angle = random_bits() % 4u == 0 ? 90 * (random_bits() % 4u)
                                           : between(0, 360);

    if (random_bits() % 4u == 0)
        axis = p3(0, 1, 0);
    set_pose(s, turn(angle, axis.x, axis.y, axis.z), position);
}

static void set_core(solid *s, vsp__core core)
{
    memset(s, 0, sizeof *s);
    s->convex.core = core;
    s->convex.pose = &s->pose;
    s->convex.corners = s->corners;
    set_pose(s, turn(0, 0, 1, 0), p3(0, 0, 0));
}

static void set_brick(solid *s, double x, double y, double z)
{
    set_core(s, VSP__CORE_BRICK);
    s->convex.half = vec_to(p3(x, y, z));
}

static void set_ball(solid *s, double radius)
{
    set_core(s, VSP__CORE_POINT);
    s->convex.radius = real_to(radius);
}

static void set_capsule(solid *s, double half, double radius)
{
    set_core(s, VSP__CORE_SEGMENT);
    s->convex.half.y = real_to(half);
    s->convex.radius = real_to(radius);
}

static void set_triangle(solid *s, point3 a, point3 b, point3 c)
{
    set_core(s, VSP__CORE_TRIANGLE);
    s->corners[0] = vec_to(a);
    s->corners[1] = vec_to(b);
    s->corners[2] = vec_to(c);
}

static void set_hull(solid *s, const vsp_hull *hull)
{
    set_core(s, VSP__CORE_POLYHEDRON);
    s->convex.hull = hull;
}

/* Draws a solid.  Returns a bound of its extent. */
static double random_solid(solid *s, vsp__core core, const pool *from)
{
    double scale = scale_between(from->least, from->most), radius;
    double least = from->least / 4;
    point3 p[3];

    switch (core) {
    case VSP__CORE_POINT:
        set_ball(s, scale);
        return scale;
    case VSP__CORE_SEGMENT:
        radius = scale * scale_between(0.05, 1);
        set_capsule(s, scale, fmax(radius, least));
        return scale + radius;
    case VSP__CORE_BRICK:
        radius = fmax(scale * between(0.02, 1), least);
        set_brick(s, scale, radius, fmax(scale * between(0.1, 1), least));
        return scale * 1.2;
    case VSP__CORE_POLYHEDRON:
        set_hull(s, &from->hulls[random_bits() % from->count].hull);
        return hull_size(s->convex.hull);
    default:
        do {
            p[0] = p3_scale(random_direction(), scale);
            p[1] = p3_scale(random_direction(), scale);
            p[2] = p3_scale(random_direction(), scale);
        } while (p3_length(p3_cross(p3_sub(p[1], p[0]), p3_sub(p[2], p[0]))) <
                 0.05 * scale * scale);
        set_triangle(s, p[0], p[1], p[2]);
        return size_of(p, 3);
    }
}


/* ---- Conditions ---------------------------------------------------------- */

typedef struct trial {
    const solid *a, *b;
    bulk bulk_a, bulk_b;
    double radii, tolerance;
    point3 front; /* normal of a triangle's front, from a to b */
    bool has_front;
    double best;     /* largest separation over all axes; over those of the
                      * front */
    double distance; /* distance of the solids; negative is depth */
} trial;

static void begin_trial(trial *t, const solid *a, const solid *b,
                        double tolerance)
{
    t->a = a;
    t->b = b;
    t->tolerance = tolerance;
    hull_bulk(&a->convex, &t->bulk_a);
    hull_bulk(&b->convex, &t->bulk_b);
    t->radii = t->bulk_a.radius + t->bulk_b.radius;
    t->has_front = true;
    if (a->convex.core == VSP__CORE_TRIANGLE)
        t->front = t->bulk_a.normals[0];
    else if (b->convex.core == VSP__CORE_TRIANGLE)
        t->front = p3_scale(t->bulk_b.normals[0], -1);
    else
        t->has_front = false;
    t->distance = t->best = bulk_best(&t->bulk_a, &t->bulk_b, NULL);
    /* solids without faces have no depth */
    if (t->distance > 0 || t->bulk_a.face_count + t->bulk_b.face_count == 0)
        t->distance = bulk_distance(&t->bulk_a, &t->bulk_b);
    t->distance -= t->radii;
}

static double deepest(const vsp__touch *touch)
{
    double gap = HUGE_VAL;
    uint32_t i;

    for (i = 0; i < touch->count; i++)
        gap = fmin(gap, real_of(touch->points[i].gap));
    return gap;
}

static void check_points(const trial *t, const vsp__touch *touch)
{
    point3 n = direction_of(&touch->normal);
    double slack = t->tolerance + 1e-3 + 5e-3 * t->radii;
    uint32_t i, k;

    CHECK_NEAR(1, p3_length(n), 1e-5);
    if (!CHECK(touch->count >= 1 && touch->count <= 4))
        return;
    for (i = 0; i < touch->count; i++) {
        const vsp__touch_point *point = &touch->points[i];
        point3 p = p3_add(point_of(&point->on[0]), t->bulk_a.origin);
        point3 q = p3_add(point_of(&point->on[1]), t->bulk_b.origin);

        CHECK(r_is_finite(point->gap));
        CHECK_NEAR(p3_dot(n, p3_sub(q, p)), real_of(point->gap), t->tolerance);
        /* clipping enlarges faces by 1e-5, more at a sharp corner; solids that
         * are apart by no more than that, or are a little beside the back of a
         * triangle, get face contacts */
        CHECK_AT_MOST(slack, bulk_outside(&t->bulk_a, p));
        CHECK_AT_MOST(slack, bulk_outside(&t->bulk_b, q));
        CHECK(real_of(point->gap) < ENVELOPE + 1e-6);
        CHECK(point->feature < 256);
        for (k = 0; k < i; k++)
            CHECK(touch->points[k].feature != point->feature);
    }
}

static void check_depth(const trial *t, const vsp__touch *touch)
{
    point3 n = direction_of(&touch->normal);
    double along = bulk_separation(&t->bulk_a, &t->bulk_b, n) - t->radii;
    double gap = deepest(touch), best = t->distance;
    double bias = FACE_BIAS + FACE_BIAS_PART * fabs(along + t->radii);

    if (t->radii > 0) /* a face may win over nearest points too */
        bias += 0.001 + TOLERANCE(0, 0.002);
    if (t->has_front) {
        CHECK_AT_LEAST(-0.002, p3_dot(n, t->front));
        if (t->radii > 0 && t->best > 0 && along + t->radii < -t->tolerance) {
            /* the core is a little behind the triangle, but must leave by the
             * front */
            CHECK_AT_LEAST(along - t->tolerance, gap);
            CHECK_AT_LEAST(2 * t->distance - 0.004 - t->tolerance, along);
            return;
        }
        if (t->best < 0)
            best = bulk_best(&t->bulk_a, &t->bulk_b, &t->front) - t->radii;
    }
    CHECK_AT_LEAST(along - t->tolerance, gap);
    if (t->distance < 0)
        CHECK_AT_LEAST(best - bias - t->tolerance, along);
    if (t->radii > 0 && t->best > 0.0006)
        CHECK_NEAR(t->distance, gap, t->tolerance + 0.0005);
    else
        CHECK_AT_MOST(fmax(t->distance, best) + bias + t->tolerance, along);
}

static bool touches(const solid *a, const solid *b, vsp__touch *touch)
{
    memset(touch, 0, sizeof *touch);
    VSP__SET_WORK(touch, VSP__ALL_WORK);
    return vsp__touch_convex(&a->convex, &b->convex, real_to(ENVELOPE), touch);
}

/* Checks a touch.  Returns whether the solids touch. */
static bool check_touch(const solid *a, const solid *b, double tolerance)
{
    vsp__touch touch;
    trial t;
    bool found = touches(a, b, &touch);

    begin_trial(&t, a, b, tolerance);
    if (found) {
        check_points(&t, &touch);
        check_depth(&t, &touch);
    } else if (!t.has_front) {
        CHECK_AT_LEAST(t.radii > 0 ? ENVELOPE - tolerance : -tolerance,
                       t.distance);
    }
    return found;
}

static void check_distance(const solid *a, const solid *b, double tolerance)
{
    vsp__witness w;
    trial t;
    double distance, far = VSP_FIXED ? 1000 : 1e6;
    point3 p, q;

    begin_trial(&t, a, b, tolerance);
    distance = real_of(
        vsp__convex_distance(&a->convex, &b->convex, real_to(far), &w));
    CHECK_NEAR(fmax(t.distance, 0), distance, tolerance);
    if (!(t.distance > 0.001))
        return;
    p = p3_add(point_of(&w.on[0]), t.bulk_a.origin);
    q = p3_add(point_of(&w.on[1]), t.bulk_b.origin);
    CHECK_NEAR(distance, p3_length(p3_sub(p, q)), tolerance);
    CHECK_AT_MOST(tolerance, bulk_outside(&t.bulk_a, p));
    CHECK_AT_MOST(tolerance, bulk_outside(&t.bulk_b, q));
    CHECK_NEAR(1, p3_length(direction_of(&w.normal)), 1e-5);
    /* coordinates are rounded to places, so the direction of a short edge is
     * less exact */
    CHECK_AT_LEAST(
        distance - tolerance * TOLERANCE(1, 20),
        bulk_separation(&t.bulk_a, &t.bulk_b, direction_of(&w.normal)) -
            t.radii);
    distance = real_of(vsp__convex_distance(&a->convex, &b->convex,
                                            real_to(t.distance / 2), &w));
    CHECK_AT_LEAST(t.distance / 2, distance);
    CHECK_AT_MOST(t.distance + tolerance, distance);
}


/* ---- Random pairs -------------------------------------------------------- */

#define CORES 5

static const char *const core_names[CORES] = {"point", "segment", "brick",
                                              "polyhedron", "triangle"};

static void check_random(uint32_t seed, vsp__core core_a, vsp__core core_b,
                         const pool *from)
{
    double reach, tolerance;
    point3 way;
    solid a, b;

    state = seed * 2654435761u;
    test_note("pair %lu of %s and %s", (unsigned long)seed, core_names[core_a],
              core_names[core_b]);
    reach = random_solid(&a, core_a, from);
    reach += random_solid(&b, core_b, from);
    random_pose(&a, random_point(100));
    way = p3_scale(random_direction(), reach);
    way = p3_scale(way, between(0, 0.9));
    random_pose(&b, p3_add(point_of(&a.pose.position), way));
    tolerance = 2e-5 + reach * (from->most > 10 ? 2e-4 : 2e-5);
    check_touch(&a, &b, tolerance);
    check_touch(&b, &a, tolerance);
    check_distance(&a, &b, 1e-4 + reach * (from->most > 10 ? 3e-4 : 1e-4));
}

static void check_random_pairs(uint32_t first, uint32_t count, const pool *from)
{
    uint32_t a, b, i;

    for (a = 0; a < CORES; a++)
        for (b = a; b < CORES; b++)
            for (i = first; a + b < 2 * (CORES - 1) && i < first + count; i++)
                check_random(i, (vsp__core)a, (vsp__core)b, from);
    test_note("");
}

static const pool *common(void)
{
    fill_pool(&common_pool, 0.02, 3);
    return &common_pool;
}

static const pool *extreme(void)
{
    fill_pool(&extreme_pool, TOLERANCE(0.002, 0.01), 99);
    return &extreme_pool;
}

static void random_pairs(void)
{
    check_random_pairs(1, 2000, common());
}

static void extreme_pairs(void)
{
    check_random_pairs(1, 2000, extreme());
}

/* LONG=1: a million in all, in four parts */
static void check_many(uint32_t part)
{
    check_random_pairs(100000 + part * 15000, (uint32_t)tries_of(15000),
                       common());
    check_random_pairs(100000 + part * 3000, (uint32_t)tries_of(3000),
                       extreme());
}

static void many_pairs_1(void)
{
    check_many(0);
}

static void many_pairs_2(void)
{
    check_many(1);
}

static void many_pairs_3(void)
{
    check_many(2);
}

static void many_pairs_4(void)
{
    check_many(3);
}


/* ---- Cases by hand ------------------------------------------------------- */

#define PLACE TOLERANCE(1e-5, 1e-5)

static void put_solid(solid *s, double x, double y, double z)
{
    s->pose.position = vec_to(p3(x, y, z));
}

static void turn_solid(solid *s, vsp_quat rotation)
{
    point3 at = point_of(&s->pose.position);

    set_pose(s, rotation, at);
}

/* Checks the touch of a and b, and of b and a: the number of points, the gap of
 * the deepest, the normal from a to b. */
static void check_case(const solid *a, const solid *b, uint32_t count,
                       double gap, double x, double y, double z)
{
    vsp__touch touch;
    uint32_t flip;

    for (flip = 0; flip < 2; flip++) {
        const solid *first = flip ? b : a, *second = flip ? a : b;
        double sign = flip ? -1 : 1;
        trial t;

        if (!CHECK(touches(first, second, &touch)))
            return;
        begin_trial(&t, first, second, 2e-5);
        check_points(&t, &touch);
        CHECK_UINT(count, touch.count);
        CHECK_NEAR(gap, deepest(&touch), 2e-5);
        CHECK_NEAR(sign * x, unit_of(touch.normal.x), 1e-4);
        CHECK_NEAR(sign * y, unit_of(touch.normal.y), 1e-4);
        CHECK_NEAR(sign * z, unit_of(touch.normal.z), 1e-4);
    }
}

static void check_apart(const solid *a, const solid *b)
{
    vsp__touch touch;

    CHECK(!touches(a, b, &touch));
    CHECK(!touches(b, a, &touch));
}

static hull_storage brick_room, gem_room;

/* Makes a polyhedron of a brick, at the same position. */
static void set_as_hull(solid *s, double x, double y, double z)
{
    point3 points[8];
    int i;

    for (i = 0; i < 8; i++)
        points[i] = p3(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    CHECK(make_hull(points, 8, &brick_room));
    s->convex.core = VSP__CORE_POLYHEDRON;
    s->convex.half = v3_zero();
    s->convex.hull = &brick_room.hull;
}

static void set_brick_hull(solid *s, double x, double y, double z)
{
    set_brick(s, x, y, z);
    set_as_hull(s, x, y, z);
}

/* two pyramids with a common base */
static void set_gem(solid *s)
{
    point3 points[6] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                        {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};

    CHECK(make_hull(points, 6, &gem_room));
    set_hull(s, &gem_room.hull);
}

static void bricks_on_bricks(void)
{
    solid a, b;
    uint32_t i;

    for (i = 0; i < 2; i++) {
        if (i == 0)
            set_brick(&a, 1, 0.5, 1);
        else
            set_brick_hull(&a, 1, 0.5, 1);
        set_brick(&b, 0.5, 0.5, 0.5);
        put_solid(&b, 0, 1, 0); /* exactly touching */
        check_case(&a, &b, 4, 0, 0, 1, 0);
        put_solid(&b, 0.9, 0.99, 0); /* over the rim */
        check_case(&a, &b, 4, -0.01, 0, 1, 0);
        put_solid(&b, 0, 1.019, 0);
        check_case(&a, &b, 4, 0.019, 0, 1, 0);
        put_solid(&b, 0, 1.021, 0);
        check_apart(&a, &b);
        put_solid(&b, 0, 0.99, 0);
        turn_solid(&b, turn(45, 0, 1, 0));
        check_case(&a, &b, 4, -0.01, 0, 1, 0);
        turn_solid(&b, turn(45, 1, 0, 0)); /* on an edge */
        put_solid(&b, 0, 0.5 + sqrt(0.5) - 0.01, 0);
        check_case(&a, &b, 2, -0.01, 0, 1, 0);
        set_brick(&b, 1, 0.5, 1);
        put_solid(&b, 0, 1, 0); /* corner on corner */
        check_case(&a, &b, 4, 0, 0, 1, 0);
    }
}

static void crossed_edges(void)
{
    solid a, b;

    set_brick(&a, 1, 0.5, 0.5);
    turn_solid(&a, turn(45, 1, 0, 0));
    set_brick(&b, 0.5, 0.5, 1);
    turn_solid(&b, turn(45, 0, 0, 1));
    put_solid(&b, 0, sqrt(2) - 0.01, 0);
    check_case(&a, &b, 1, -0.01, 0, 1, 0);
    put_solid(&b, 0.3, sqrt(2) + 0.01, -0.2);
    check_case(&a, &b, 1, 0.01, 0, 1, 0);
    put_solid(&b, 0, sqrt(2) + 0.021, 0);
    check_apart(&a, &b);
}

/* all at the same position: as deep as possible, but still contacts */
static void concentric_solids(void)
{
    solid solids[5];
    vsp__touch touch;
    uint32_t i, k;

    set_ball(&solids[0], 0.5);
    set_capsule(&solids[1], 0.5, 0.25);
    set_brick(&solids[2], 0.5, 0.25, 0.5);
    set_gem(&solids[3]);
    set_brick_hull(&solids[4], 0.5, 0.25, 0.5);
    for (i = 0; i < 5; i++)
        for (k = 0; k < 5; k++) {
            trial t;

            test_note("solids %lu and %lu", (unsigned long)i, (unsigned long)k);
            if (!CHECK(touches(&solids[i], &solids[k], &touch)))
                continue;
            begin_trial(&t, &solids[i], &solids[k], 2e-5);
            check_points(&t, &touch);
            check_depth(&t, &touch);
        }
    test_note("");
}

static void balls_on_solids(void)
{
    solid ball, b;

    set_ball(&ball, 0.5);
    set_gem(&b);
    put_solid(&ball, 0, 1.49, 0); /* over a corner */
    check_case(&b, &ball, 1, -0.01, 0, 1, 0);
    put_solid(&ball, 0, 0.5 + 0.49 * sqrt(0.5), 0.5 + 0.49 * sqrt(0.5));
    check_case(&b, &ball, 1, -0.01, 0, sqrt(0.5), sqrt(0.5));
    put_solid(&ball, 1 / 3.0 + 0.49 * sqrt(1 / 3.0),
              1 / 3.0 + 0.49 * sqrt(1 / 3.0), 1 / 3.0 + 0.49 * sqrt(1 / 3.0));
    check_case(&b, &ball, 1, -0.01, sqrt(1 / 3.0), sqrt(1 / 3.0),
               sqrt(1 / 3.0));
    set_brick(&b, 1, 1, 1);
    put_solid(&ball, 0.1, 0.8, 0); /* its centre is inside */
    check_case(&b, &ball, 1, -0.7, 0, 1, 0);
    put_solid(&ball, 0.1, 1, 0.2); /* and on the face */
    check_case(&b, &ball, 1, -0.5, 0, 1, 0);
    put_solid(&ball, 0, 1.521, 0);
    check_apart(&b, &ball);
}

static void capsules_lie(void)
{
    solid a, b;

    set_capsule(&a, 0.5, 0.1);
    turn_solid(&a, turn(90, 0, 0, 1));
    put_solid(&a, 0.2, 0.59, 0);
    set_brick(&b, 1, 0.5, 1);
    check_case(&b, &a, 2, -0.01, 0, 1, 0);
    put_solid(&a, 0.2, 0.51, 0); /* its axis outside by 1 cm */
    check_case(&b, &a, 2, -0.09, 0, 1, 0);
    put_solid(&a, 0.2, 0.49, 0); /* its axis inside */
    check_case(&b, &a, 2, -0.11, 0, 1, 0);
    put_solid(&a, 1.2, 0.59, 0); /* over the rim */
    check_case(&b, &a, 2, -0.01, 0, 1, 0);
    turn_solid(&a, turn(0, 0, 0, 1)); /* on end */
    put_solid(&a, 0.2, 1.09, 0);
    check_case(&b, &a, 1, -0.01, 0, 1, 0);
    set_capsule(&b, 1, 0.2); /* side by side, each beyond an end of the other */
    put_solid(&a, 0.29, 0.8, 0);
    check_case(&b, &a, 2, -0.01, 1, 0, 0);
    put_solid(&a, 0, 1.79, 0); /* end on end */
    check_case(&b, &a, 1, -0.01, 0, 1, 0);
    turn_solid(&a, turn(90, 0, 0, 1)); /* crossed */
    put_solid(&a, 0.1, 0.3, 0.29);
    check_case(&b, &a, 1, -0.01, 0, 0, 1);
    put_solid(&a, 0.1, 0.3, 0.0001); /* and their axes nearly touch */
    check_case(&b, &a, 1, -0.2999, 0, 0, 1);
}

static void set_floor(solid *s)
{
    set_triangle(s, p3(-2, 0, 2), p3(2, 0, 2), p3(0, 0, -4));
}

static void triangles_have_a_front(void)
{
    solid floor, b;

    set_floor(&floor);
    set_ball(&b, 0.5);
    put_solid(&b, 0, 0.49, 0);
    check_case(&floor, &b, 1, -0.01, 0, 1, 0);
    put_solid(&b, 0, -0.1, 0); /* its centre is a little behind */
    check_case(&floor, &b, 1, -0.6, 0, 1, 0);
    put_solid(&b, 0, -0.3, 0); /* mostly through: no contact */
    check_apart(&floor, &b);
    put_solid(&b, 0, -0.51, 0);
    check_apart(&floor, &b);
    put_solid(&b, 0, -0.1, 2.2); /* the edge, from behind */
    check_apart(&floor, &b);
    put_solid(&b, 0, 0.3, 2.4); /* and from above: 3, 4, 5 */
    check_case(&floor, &b, 1, 0, 0, 0.6, 0.8);
    set_brick(&b, 0.5, 0.5, 0.5);
    put_solid(&b, 0, 0.49, 0);
    check_case(&floor, &b, 4, -0.01, 0, 1, 0);
    put_solid(&b, 0, -0.1, 0);
    check_case(&floor, &b, 4, -0.6, 0, 1, 0);
    put_solid(&b, 0, -0.45, 0);
    check_apart(&floor, &b);
    put_solid(&b, 0, -0.51, 0);
    check_apart(&floor, &b);
    set_capsule(&b, 0.5, 0.1);
    turn_solid(&b, turn(90, 0, 0, 1));
    put_solid(&b, 0, 0.09, 0);
    check_case(&floor, &b, 2, -0.01, 0, 1, 0);
    put_solid(&b, 0, -0.01, 0);
    check_case(&floor, &b, 2, -0.11, 0, 1, 0);
    put_solid(&b, 0, -0.11, 0);
    check_apart(&floor, &b);
}

/* a brick on the ledge of an overhanging cliff: it touches the wall below from
 * behind, which must not push */
static void walls_below_a_ledge(void)
{
    solid wall, b;

    set_triangle(&wall, p3(0, 0, 1), p3(-0.3, -1, 0), p3(0, 0, -1));
    set_brick(&b, 0.25, 0.25, 0.25);
    put_solid(&b, -0.1, 0.249, 0);
    check_apart(&wall, &b);
    put_solid(&b, 0.25 - 0.075 - 0.01, -0.5, 0); /* in front of it */
    check_case(&wall, &b, 2, -0.01 / sqrt(1.09), 1 / sqrt(1.09),
               -0.3 / sqrt(1.09), 0);
}

/* small motions, as of a resting body between steps */
static void features_last(void)
{
    vsp__touch first, next;
    solid a, b;
    uint32_t step, i, k, kept;

    set_brick_hull(&a, 1, 0.5, 1);
    set_gem(&b);
    set_brick(&b, 0.5, 0.5, 0.5);
    turn_solid(&b, turn(20, 0, 1, 0));
    put_solid(&b, 0.1, 0.999, 0.2);
    CHECK(touches(&a, &b, &first));
    for (step = 1; step <= 50; step++) {
        turn_solid(&b, turn(20 + 0.01 * step, 0, 1, 0));
        put_solid(&b, 0.1 + 1e-4 * step, 0.999 + 1e-5 * (step % 3), 0.2);
        CHECK(touches(&a, &b, &next));
        kept = 0;
        for (i = 0; i < first.count; i++)
            for (k = 0; k < next.count; k++)
                if (first.points[i].feature == next.points[k].feature)
                    kept++;
        CHECK_UINT(first.count, kept);
    }
}

/* Detects the contact of two bricks as boxes, without a step.  Returns whether
 * there is one. */
static bool box_contact(const solid *a, const solid *b, double *gap)
{
    vsp_world_def setup = vsp_world_def_default();
    const solid *both[2] = {a, b};
    vsp_world *world;
    vsp_contact contact;
    uint32_t i;

    setup.gravity = real3(0, 0, 0);
    setup.envelope = real(ENVELOPE);
    world = new_world_of(&setup);
    for (i = 0; i < 2; i++) {
        const vsp__v3 *half = &both[i]->convex.half;
        vsp_body_def def = vsp_body_def_default();
        vsp_body_id id;

        def.type = VSP_DYNAMIC;
        def.shape = vsp_box(r_show(half->x), r_show(half->y), r_show(half->z));
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
        world->bodies[i].position = both[i]->pose.position;
        world->bodies[i].rotation = both[i]->rotation;
    }
    if (VSP_JOINTS)
        vsp__list_body_joints(world);
    vsp__detect_contacts(world, VSP__CONTACTS_SOLVED);
    *gap = 0;
    if (vsp_contact_count(world) != 1)
        return false;
    memset(&contact, 0, sizeof contact);
    *gap = HUGE_VAL;
    for (i = 0; i < world->manifolds[0].point_count; i++)
        *gap = fmin(*gap, real_of(world->points[i].gap));
    return true;
}

static void bricks_are_boxes(void)
{
    uint32_t i, same = 0, touched = 0;
    const pool *from = common();
    vsp__touch touch;
    double reach, gap;
    point3 point;
    solid a, b;

    for (i = 1; i <= 3000; i++) {
        test_note("pair %lu", (unsigned long)i);
        state = i * 2654435761u;
        reach = random_solid(&a, VSP__CORE_BRICK, from);
        reach += random_solid(&b, VSP__CORE_BRICK, from);
        random_pose(&a, p3(0, 0, 0));
        point = p3_scale(random_direction(), reach);
        random_pose(&b, p3_scale(point, between(0, 0.6)));
        if (!box_contact(&a, &b, &gap)) {
            CHECK(!touches(&a, &b, &touch) || deepest(&touch) > 0);
            continue;
        }
        touched++;
        if (!CHECK(touches(&a, &b, &touch)))
            continue;
        if (fabs(deepest(&touch) - gap) < 1e-4)
            same++;
        gap = deepest(&touch);
        point = point_of(&a.convex.half);
        set_as_hull(&a, point.x, point.y, point.z);
        if (CHECK(touches(&a, &b, &touch)))
            CHECK_NEAR(gap, deepest(&touch), 1e-4);
    }
    test_note("");
    CHECK_AT_LEAST(500, touched);
    /* boxes skip nearly parallel pairs of edges */
    CHECK_AT_LEAST(touched - touched / 200, same);
}

static void far_apart(void)
{
    vsp__witness w;
    solid a, b;
    double distance;

    set_ball(&a, 0.5);
    set_brick(&b, 1, 1, 1);
    put_solid(&a, -400, 0, 0);
    put_solid(&b, 450, 0, 0);
    distance = real_of(
        vsp__convex_distance(&a.convex, &b.convex, real_to(300), &w));
    CHECK_AT_LEAST(300, distance);
    CHECK_AT_MOST(848.5001, distance);
    CHECK_NEAR(1, unit_of(w.normal.x), 1e-5);
    check_apart(&a, &b);
    put_solid(&b, 200, 0, 0);
    distance = real_of(
        vsp__convex_distance(&a.convex, &b.convex, real_to(700), &w));
    CHECK_NEAR(598.5, distance, 1e-3);
    distance = real_of(
        vsp__convex_distance(&a.convex, &a.convex, real_to(1), &w));
    CHECK_NEAR(0, distance, 0);
}

static void farthest_points(void)
{
    vsp__v3 d, p;
    uint32_t core, i;
    bulk it;
    solid s;

    state = 5;
    for (core = 0; core < CORES; core++)
        for (i = 0; i < 100; i++) {
            point3 way = random_direction(), got;
            double most = -HUGE_VAL;
            int k;

            random_solid(&s, (vsp__core)core, common());
            random_pose(&s, p3(0, 0, 0));
            hull_bulk(&s.convex, &it);
            d = v3(u_read(vsp_from_double(way.x)),
                   u_read(vsp_from_double(way.y)),
                   u_read(vsp_from_double(way.z)));
            vsp__farthest_point(&s.convex, &d, &p);
            got = point_of(&p);
            for (k = 0; k < it.corner_count; k++)
                most = fmax(most, p3_dot(way, it.corners[k]));
            CHECK_NEAR(most, p3_dot(way, got), PLACE);
            CHECK_AT_MOST(PLACE, bulk_outside(&it, got));
        }
}

static void numbers_of_tables(void)
{
    vsp_place place = {VSP_PLACE, -VSP_PLACE / 4, 99 * VSP_PLACE + 1};
    vsp_plane plane = {VSP_DIRECTION, -VSP_DIRECTION / 2, 1, 0};
    vsp__v3 v, n;

    vsp__place_to_v3(&place, &v);
    vsp__plane_normal(&plane, &n);
    CHECK_NEAR(1, real_of(v.x), 0);
    CHECK_NEAR(-0.25, real_of(v.y), 0);
    CHECK_NEAR(99 + 1.0 / VSP_PLACE, real_of(v.z), TOLERANCE(4e-6, 0));
    CHECK_NEAR(1, unit_of(n.x), 0);
    CHECK_NEAR(-0.5, unit_of(n.y), 0);
    CHECK_NEAR(1.0 / VSP_DIRECTION, unit_of(n.z), 0);
}


static const test tests[] = {
    TEST_SLOW(random_pairs),
    TEST_SLOW(extreme_pairs),
    TEST(bricks_on_bricks),
    TEST(crossed_edges),
    TEST(concentric_solids),
    TEST(balls_on_solids),
    TEST(capsules_lie),
    TEST(triangles_have_a_front),
    TEST(walls_below_a_ledge),
    TEST(features_last),
    TEST(bricks_are_boxes),
    TEST(far_apart),
    TEST(farthest_points),
    TEST(numbers_of_tables),
    TEST_SLOW(many_pairs_1),
    TEST_LONG(many_pairs_2),
    TEST_LONG(many_pairs_3),
    TEST_LONG(many_pairs_4),
    TEST_END,
};

const test_suite convex_suite = {"convex", tests};
