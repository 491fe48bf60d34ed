/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Cylinders and cones: their mass; how they stand, lie, roll and stack on
 * ground of every kind; queries; restored worlds. */

#include "convex_oracle.h"
#include "fixture.h"
#include "grounds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#if VSP_ROUNDS


/* ---- Mass ---------------------------------------------------------------- */

/* Sizes as of vsp_cone, or of vsp_taper. */
typedef struct profile {
    double below, half, above;
    bool is_taper;
} profile;

#if !VSP_TAPERS
#define vsp_taper vsp_cone /* not called */
#endif

static vsp_shape_def shape_of(const profile *p)
{
    if (p->is_taper)
        return vsp_taper(real(p->below), real(p->half), real(p->above));
    return p->below == p->above
               ? vsp_cylinder(real(p->below), real(p->half))
               : vsp_cone(real(p->below), real(p->half), real(p->above));
}

/* The radius of the solid at a height. */
static double radius_at(const profile *p, double y)
{
    double k = (p->below - p->above) / (2 * p->half), c = sqrt(1 - k * k);

    if (!p->is_taper)
        return p->below + (p->above - p->below) * (y / p->half + 1) / 2;
    if (y < p->below * k - p->half)
        return sqrt(p->below * p->below - (y + p->half) * (y + p->half));
    if (y > p->above * k + p->half)
        return sqrt(p->above * p->above - (y - p->half) * (y - p->half));
    return ((p->below + p->above) / 2 - y * k) / c;
}

/* The integrals of r(y)^2, y r(y)^2, y^2 r(y)^2 and r(y)^4 over the height of a
 * solid, by slices. */
static void add_slices(const profile *p, double sum[4])
{
    double low = -p->half - (p->is_taper ? p->below : 0);
    double high = p->half + (p->is_taper ? p->above : 0);
    int count = 20000, i;

    for (i = 0; i < 4; i++)
        sum[i] = 0;
    for (i = 0; i < count; i++) {
        double y = low + (high - low) * (i + 0.5) / count;
        double r = radius_at(p, y), part = r * r * (high - low) / count;

        sum[0] += part;
        sum[1] += part * y;
        sum[2] += part * y * y;
        sum[3] += part * r * r;
    }
}

/* The spin about axis k of a body that gets an angular impulse of its mass. */
static double spin_of_impulse(vsp_world *world, vsp_body_id id, int k)
{
    vsp_real mass = vsp_body_mass(world, id);
    vsp_vec3 zero = real3(0, 0, 0), impulse = zero, spin;

    *(k == 0 ? &impulse.x : k == 1 ? &impulse.y : &impulse.z) = mass;
    CHECK_STATUS(VSP_OK, vsp_body_set_spin(world, id, zero));
    CHECK_STATUS(VSP_OK, vsp_body_apply_angular_impulse(world, id, impulse));
    spin = vsp_body_spin(world, id);
    return num(k == 0 ? spin.x : k == 1 ? spin.y : spin.z);
}

static void check_mass(double below, double half, double above, bool is_taper)
{
    profile p = {below, half, above, is_taper};
    vsp_world *world = new_world();
    vsp_body_id id = add_body(world, VSP_DYNAMIC, shape_of(&p), 0, 0, 0);
    double sum[4], center, round, across, slack = TOLERANCE(2e-5, 4e-5);
    int k;

    add_slices(&p, sum);
    center = sum[1] / sum[0];
    round = 0.5 * sum[3] / sum[0];
    across = 0.5 * round + sum[2] / sum[0] - center * center;
    CHECK_NEAR(1000 * PI * sum[0], num(vsp_body_mass(world, id)),
               slack * 1000 * PI * sum[0]);
    CHECK_NEAR(center, num(vsp_body_center(world, id).y), slack);
    for (k = 0; k < 3; k++) {
        double spin = 1 / (k == 1 ? round : across);

        CHECK_NEAR(spin, spin_of_impulse(world, id, k), slack * spin);
    }
}

static void solids_weigh(void)
{
    check_mass(0.5, 1.5, 0.5, false);
    check_mass(2, 0.25, 2, false);
    check_mass(0.75, 1, 0, false);
    check_mass(0, 0.5, 1.25, false);
    check_mass(0.5, 0.5, 1, false);
    if (!VSP_TAPERS)
        return;
    check_mass(0.5, 1, 0.25, true);
    check_mass(0.25, 0.5, 1, true);
    check_mass(0.5, 0.5, 0.5, true); /* a capsule */
    check_mass(0.2, 1, 0.02, true);
    check_mass(1, 0.375, 0.3, true);
}

static void bad_sizes_are_refused(void)
{
    vsp_world *world = new_world();
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id id;
    double bad[5][3] = {
        {0, 1, 0}, {-1, 1, 1}, {1, 0, 1}, {1, -1, 1}, {1, 1, -1}};
    int i;

    for (i = 0; i < 5; i++) {
        def.shape = vsp_cone(real(bad[i][0]), real(bad[i][1]), real(bad[i][2]));
        CHECK_REFUSED(VSP_ERR_ARG, vsp_body_create(world, &def, &id));
    }
    for (i = 0; VSP_TAPERS && i < 6; i++) {
        static const profile tapers[6] = {
            {0, 1, 1, true},       {1, 1, 0, true}, {1, -1, 1, true},
            {1, 0.3, 0.375, true}, {1, 0, 1, true}, {0.375, 0.3, 1, true}};

        def.shape = shape_of(&tapers[i]);
        CHECK_REFUSED(VSP_ERR_ARG, vsp_body_create(world, &def, &id));
    }
    def.shape = vsp_cylinder(real(0), real(1));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_create(world, &def, &id));
    def.shape = vsp_cylinder(real(1), real(0));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_create(world, &def, &id));
}


/* ---- Rolling ------------------------------------------------------------- */

/* Rolls a cylinder of radius 0.5 m for 5 s at 2 m/s. */
static void roll(ground kind, int k, double half)
{
    vsp_world *world = world_of_stepper(k);
    vsp_body_id id;
    vsp_vec3 at;

    add_ground_of(world, kind);
    id = add_turned(world, VSP_DYNAMIC, vsp_cylinder(real(0.5), real(half)), -5,
                    0.5, 0, turn(90, 1, 0, 0));
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(2, 0, 0),
                                               real3(0, 0, -4)));
    step_world(world, 300);
    at = vsp_body_transform(world, id).position;
    if (shows())
        printf("roll %s %s %g: %.6f m, height %.6f, aside %.6f\n",
               ground_names[kind], stepper_names[k], half, num(at.x) + 5,
               num(at.y), num(at.z));
    CHECK_NEAR(5.0, num(at.x), 0.01);
    CHECK_NEAR(0.5, num(at.y), 0.001);
    CHECK_NEAR(0.0, num(at.z), 0.03); /* thin wheels turn a little */
}

static void cylinders_roll(void)
{
    int kind, k;

    for (kind = 0; kind < GROUND_SHELL; kind++)
        for (k = 0; k < STEPPERS; k++) {
            roll((ground)kind, k, 0.5);
            roll((ground)kind, k, 0.05);
        }
}


/* ---- At rest ------------------------------------------------------------- */

/* Drops a solid, and checks where and how high it is after 10 s.  Shells and
 * distance fields see a cylinder by corners: lying, it is up to 2 % of its
 * radius lower, or on one of 16 sides. */
static void drop(ground kind, int k, vsp_shape_def shape, vsp_quat rotation,
                 double height)
{
    vsp_world *world = world_of_stepper(k);
    bool is_exact = kind < GROUND_SHELL;
    vsp_vec3 before, after;
    vsp_body_id id;

    add_ground_of(world, kind);
    id = add_turned(world, VSP_DYNAMIC, shape, 0.2,
                    height + (is_exact ? 0.1 : 0.05), 0.1, rotation);
    step_world(world, 540);
    before = vsp_body_transform(world, id).position;
    step_world(world, 60);
    after = vsp_body_transform(world, id).position;
    if (shows())
        printf(
            "drop %s %s: height %.6f of %g, drift %.2g\n", ground_names[kind],
            stepper_names[k], num(after.y), height,
            hypot(num(after.x) - num(before.x), num(after.z) - num(before.z)));
    CHECK_NEAR(height, num(after.y), is_exact ? 0.0005 : 0.016);
    CHECK_NEAR(num(before.x), num(after.x), is_exact ? 0.00005 : 0.005);
    CHECK_NEAR(num(before.z), num(after.z), is_exact ? 0.00005 : 0.005);
}

static void drop_on_all(vsp_shape_def shape, vsp_quat rotation, double height)
{
    int kind, k;

    for (kind = 0; kind < GROUND_SHELL; kind++)
        for (k = 0; k < STEPPERS; k++)
            drop((ground)kind, k, shape, rotation, height);
}

static void solids_lie_still(void)
{
    drop_on_all(vsp_cylinder(real(0.5), real(0.5)), no_turn(), 0.5);
    drop_on_all(vsp_cylinder(real(0.5), real(0.1)), turn(20, 0, 0, 1), 0.1);
    drop_on_all(vsp_cylinder(real(0.5), real(0.4)), turn(90, 1, 0, 0), 0.5);
    drop_on_all(vsp_cone(real(0.5), real(0.5), real(0)), no_turn(), 0.5);
    drop_on_all(vsp_cone(real(0.25), real(0.5), real(0.5)), no_turn(), 0.5);
}


static void solids_lie_on_shells_and_fields(void)
{
    vsp_shape_def drum = vsp_cylinder(real(0.5), real(0.3));
    int kind;

    for (kind = GROUND_SHELL; kind <= GROUND_SDF; kind++) {
        drop((ground)kind, 0, drum, no_turn(), 0.3);
        drop((ground)kind, 0, drum, turn(90, 1, 0, 0), 0.5);
        drop((ground)kind, 0, vsp_cone(real(0.5), real(0.4), real(0)),
             no_turn(), 0.4);
        drop((ground)kind, 0, vsp_cone(real(0.2), real(0.4), real(0.4)),
             turn(180, 1, 0, 0), 0.4);
    }
}


static point3 point_of_real(vsp_vec3 v)
{
    return p3(num(v.x), num(v.y), num(v.z));
}


/* ---- Stacks -------------------------------------------------------------- */

/* Stacks five solids of half height 0.25 m, from a gap, with noise, on a box.
 */
static void stack(int k, double gap, double noise, bool has_box)
{
    vsp_world *world = world_of_stepper(k);
    double slack = k < 2 ? 0.001 : 0.01; /* sweeps alone let stacks creep */
    vsp_body_id id[5];
    int i;

    add_ground_of(world, GROUND_BOX);
    for (i = 0; i < 5; i++)
        id[i] = add_turned(world, VSP_DYNAMIC,
                           has_box && i % 2 == 1
                               ? vsp_box(real(0.4), real(0.25), real(0.4))
                               : vsp_cylinder(real(0.4), real(0.25)),
                           noise * (i % 3 - 1), 0.25 + i * (0.5 + gap),
                           noise * (i % 2), turn(17.0 * i, 0, 1, 0));
    step_world(world, 600);
    for (i = 0; i < 5; i++) {
        vsp_vec3 at = vsp_body_transform(world, id[i]).position;

        if (shows() && i == 4)
            printf("stack %s gap %g noise %g%s: top at %.6f, %.6f, %.6f\n",
                   stepper_names[k], gap, noise, has_box ? " boxes" : "",
                   num(at.x), num(at.y), num(at.z));
        CHECK_NEAR(0.25 + 0.5 * i, num(at.y), 0.003);
        CHECK_NEAR(noise * (i % 3 - 1), num(at.x), slack);
        CHECK_NEAR(noise * (i % 2), num(at.z), slack);
    }
}

static void stacks_stand(void)
{
    int k;

    for (k = 0; k < 4; k++) {
        stack(k, 0, 0, false);
        stack(k, 0, 1e-5, false);
        stack(k, -0.001, 1e-5, false);
        stack(k, 0.001, 0.01, false);
        stack(k, 0, 1e-5, true);
        stack(k, -0.001, 1e-5, true);
    }
}

/* Two logs between walls, and a third in the valley between them. */
static void logs_lie_in_a_valley(void)
{
    int k;

    for (k = 0; k < 4; k++) {
        vsp_world *world = world_of_stepper(k);
        vsp_shape_def log = vsp_cylinder(real(0.5), real(1));
        vsp_body_id id;
        vsp_vec3 at;
        int i;

        add_ground_of(world, GROUND_BOX);
        for (i = -1; i <= 1; i += 2) {
            add_body(world, VSP_STATIC, vsp_box(real(0.5), real(1), real(2)),
                     1.6 * i, 1, 0);
            add_turned(world, VSP_DYNAMIC, log, 0.6 * i, 0.5, 0,
                       turn(90, 1, 0, 0));
        }
        id = add_turned(world, VSP_DYNAMIC, log, 0, 0.5 + 0.8 + 0.05, 0,
                        turn(90, 1, 0, 0));
        step_world(world, 600);
        at = vsp_body_transform(world, id).position;
        if (shows())
            printf("logs %s: top at %.6f, %.6f, %.6f\n", stepper_names[k],
                   num(at.x), num(at.y), num(at.z));
        CHECK_NEAR(0.0, num(at.x), 0.003);
        CHECK_NEAR(0.5 + 0.8, num(at.y), 0.003);
        CHECK_NEAR(0.0, num(at.z), 0.003);
    }
}


static vsp_shape_def any_shape(int i)
{
    vsp_shape_def shapes[6];

    shapes[0] = vsp_cylinder(real(0.3), real(0.2));
    shapes[1] = vsp_cone(real(0.3), real(0.25), real(0));
    shapes[2] = vsp_box(real(0.25), real(0.2), real(0.3));
    shapes[3] = vsp_cone(real(0.2), real(0.2), real(0.3));
    shapes[4] = vsp_capsule(real(0.2), real(0.2));
    shapes[5] = vsp_cylinder(real(0.12), real(0.4));
    return shapes[i % 6];
}

/* Drops 36 solids into a pit. */
static void fill_pit(int k)
{
    vsp_world *world = world_of_stepper(k);
    vsp_body_id id[36];
    double fastest = 0, lowest = HUGE_VAL;
    int i;

    add_ground_of(world, GROUND_BOX);
    for (i = 0; i < 4; i++)
        add_turned(world, VSP_STATIC, vsp_box(real(0.2), real(3), real(1.8)),
                   i < 2 ? 1.8 * (2 * i - 1) : 0, 3,
                   i < 2 ? 0 : 1.8 * (2 * i - 5),
                   turn(i < 2 ? 0 : 90, 0, 1, 0));
    for (i = 0; i < 36; i++)
        id[i] = add_turned(world, VSP_DYNAMIC, any_shape(i), 0.9 * (i % 3 - 1),
                           0.5 + 0.9 * (i / 9), 0.9 * (i / 3 % 3 - 1),
                           turn(37.0 * i, 0.6, 0, 0.8));
    step_world(world, 900);
    for (i = 0; i < 36; i++) {
        point3 at = point_of_real(vsp_body_transform(world, id[i]).position);
        point3 speed = point_of_real(vsp_body_velocity(world, id[i]));

        fastest = fmax(fastest, p3_length(speed));
        lowest = fmin(lowest, at.y);
        if (!CHECK(fabs(at.x) < 1.6 && fabs(at.z) < 1.6) && shows())
            printf("%d: %g %g %g speed %g\n", i, at.x, at.y, at.z,
                   p3_length(speed));
    }
    if (shows())
        printf("pit %s: fastest %.3g m/s, lowest centre %.3f m\n",
               stepper_names[k], fastest, lowest);
    CHECK_AT_MOST(0.05, fastest);
    CHECK(lowest > 0.1);
}

static void piles_come_to_rest(void)
{
    int k;

    for (k = 0; k < 4; k++)
        fill_pit(k);
}


/* ---- Queries ------------------------------------------------------------- */

/* The signed distance of a point from a tapered capsule in its frame. */
static double gap_of_taper(const profile *t, point3 p)
{
    double x = sqrt(p.x * p.x + p.z * p.z), h = t->half;
    double k = (t->below - t->above) / (2 * h);
    double y = fmin(fmax(p.y - x * k / sqrt(1 - k * k), -h), h);

    return hypot(x, p.y - y) - ((t->below + t->above) / 2 - y * k);
}

/* The signed distance of a point from a cone in its frame. */
static double gap_of(double low, double half, double high, point3 p)
{
    double x = sqrt(p.x * p.x + p.z * p.z), best = HUGE_VAL, inside;
    double line[3][4] = {{0, -half, low, -half},
                         {low, -half, high, half},
                         {0, half, high, half}};
    int i;

    for (i = 0; i < 3; i++) {
        double dx = line[i][2] - line[i][0], dy = line[i][3] - line[i][1];
        double t = 0, square = dx * dx + dy * dy;

        if (square > 0)
            t = ((x - line[i][0]) * dx + (p.y - line[i][1]) * dy) / square;
        t = fmin(fmax(t, 0), 1);
        best = fmin(best,
                    hypot(x - line[i][0] - t * dx, p.y - line[i][1] - t * dy));
    }
    inside = low + (high - low) * (p.y + half) / (2 * half);
    return fabs(p.y) <= half && x <= inside ? -best : best;
}

static uint32_t seed;

static double random_in(double low, double high)
{
    seed = seed * 1664525u + 1013904223u;
    return low + (high - low) * (seed >> 8) / 16777216.0;
}

static point3 random_point(double size)
{
    double x = random_in(-size, size), y = random_in(-size, size);

    return p3(x, y, random_in(-size, size));
}

typedef struct target {
    profile size;
    vsp_world *world;
    vsp_shape_id shape;
} target;

/* A solid at the origin, in a world of its own. */
static void put_target(target *t, const profile *size)
{
    vsp_body_id id;

    t->size = *size;
    t->world = new_world();
    id = add_body(t->world, VSP_STATIC, shape_of(size), 0, 0, 0);
    CHECK_UINT(1, vsp_body_shapes(t->world, id, &t->shape, 1));
}

static double gap_of_target(const target *t, point3 p)
{
    return t->size.is_taper
               ? gap_of_taper(&t->size, p)
               : gap_of(t->size.below, t->size.half, t->size.above, p);
}

static void check_ray(const target *t, double *worst)
{
    vsp_vec3 from = real3(random_in(-3, 3), random_in(-3, 3), random_in(-3, 3));
    vsp_vec3 to = real3(random_in(-1, 1), random_in(-1, 1), random_in(-1, 1));
    point3 o = point_of_real(from), way = p3_sub(point_of_real(to), o);
    vsp_vec3 d = real3(way.x * 2, way.y * 2, way.z * 2);
    double deepest = HUGE_VAL, at;
    vsp_hit hit;
    int i;

    way = point_of_real(d);
    CHECK_STATUS(VSP_OK, vsp_ray_cast(t->world, from, d, NULL, &hit));
    at = hit.shape.bits ? num(hit.fraction) : 1;
    for (i = 0; i < 400; i++)
        deepest = fmin(
            deepest, gap_of_target(t, p3_add(o, p3_scale(way, at * i / 400))));
    if (gap_of_target(t, o) < 0) {
        CHECK(hit.shape.bits != 0 && num(hit.fraction) == 0);
        return;
    }
    CHECK_AT_MOST(2e-5, -deepest);
    if (!hit.shape.bits)
        return;
    *worst = fmax(*worst, fabs(gap_of_target(t, p3_add(o, p3_scale(way, at)))));
    CHECK_NEAR(
        1e-3,
        gap_of_target(t, p3_add(point_of_real(hit.point),
                                p3_scale(point_of_real(hit.normal), 1e-3))),
        2e-5);
}

static void check_point(const target *t, double *worst)
{
    point3 p = random_point(2);
    vsp_vec3 at = real3(p.x, p.y, p.z);
    vsp_hit hit;

    p = point_of_real(at);
    CHECK_STATUS(VSP_OK, vsp_closest_point(t->world, at, real(10), NULL, &hit));
    *worst = fmax(*worst, fabs(num(hit.distance) - gap_of_target(t, p)));
    *worst = fmax(*worst, fabs(gap_of_target(t, point_of_real(hit.point))));
}

static void check_cast(const target *t, double *worst)
{
    vsp_transform pose = {{0, 0, 0}, {0, 0, 0, 0}};
    point3 from = random_point(3), to = random_point(0.8), way;
    vsp_shape_def ball = vsp_sphere(real(0.2));
    vsp_hit hit;
    double gap;

    pose.rotation = no_turn();
    pose.position = real3(from.x, from.y, from.z);
    way = p3_sub(to, from);
    CHECK_STATUS(VSP_OK,
                 vsp_shape_cast(t->world, &ball, pose,
                                real3(way.x, way.y, way.z), NULL, &hit));
    gap = gap_of_target(t, point_of_real(pose.position)) - 0.2;
    if (gap < 0) {
        CHECK(hit.shape.bits != 0);
        return;
    }
    way = p3_scale(way, hit.shape.bits ? num(hit.fraction) : 1);
    gap = gap_of_target(t, p3_add(from, way)) - 0.2;
    CHECK(gap > -2e-5);
    if (hit.shape.bits)
        *worst = fmax(*worst, gap);
}

static void queries_are_exact(void)
{
    static const profile sizes[] = {
        {0.7, 0.9, 0.7, false}, {1, 0.2, 1, false},    {0.8, 0.6, 0, false},
        {0, 1, 0.5, false},     {1, 0.3, 0.4, false},  {0.8, 0.9, 0.3, true},
        {0.2, 0.8, 0.6, true},  {0.5, 0.5, 0.5, true}, {1, 0.36, 0.3, true}};
    double ray = 0, point = 0, cast = 0;
    int i, k;

    seed = 1;
    for (i = 0; i < (VSP_TAPERS ? 9 : 5); i++) {
        target t;

        put_target(&t, &sizes[i]);
        test_note("target %d", i);
        for (k = 0; k < 400; k++) {
            check_ray(&t, &ray);
            check_point(&t, &point);
            check_cast(&t, &cast);
        }
    }
    if (shows())
        printf("rays %.2g, points %.2g, casts %.2g m\n", ray, point, cast);
    CHECK_AT_MOST(TOLERANCE(1e-5, 2e-5), ray);
    CHECK_AT_MOST(TOLERANCE(4e-6, 8e-6), point);
    CHECK_AT_MOST(0.0012, cast);
}

/* The distance of two cylinders of radius 0.5 m and half height 1 m, the second
 * at a place with a rotation. */
static double distance_of(vsp_vec3 at, vsp_quat rotation)
{
    vsp_world *world = new_world();
    vsp_shape_def shape = vsp_cylinder(real(0.5), real(1));
    vsp_body_id a = add_body(world, VSP_STATIC, shape, 0, 0, 0);
    vsp_body_id b = add_turned(world, VSP_STATIC, shape, num(at.x), num(at.y),
                               num(at.z), rotation);
    vsp_shape_id of_a, of_b;
    vsp_distance d;

    CHECK_UINT(1, vsp_body_shapes(world, a, &of_a, 1));
    CHECK_UINT(1, vsp_body_shapes(world, b, &of_b, 1));
    CHECK_STATUS(VSP_OK, vsp_distance_between(world, of_a, of_b, &d));
    return num(d.distance);
}

static void distances_are_known(void)
{
    double slack = TOLERANCE(5e-6, 1e-5);

    /* parallel, side by side; rim to rim; end to end */
    CHECK_NEAR(1.0, distance_of(real3(2, 0.3, 0), no_turn()), slack);
    CHECK_NEAR(sqrt(2.0), distance_of(real3(2, 3, 0), no_turn()), slack);
    CHECK_NEAR(0.5, distance_of(real3(0.2, 2.5, 0.1), no_turn()), slack);
    /* crossed and skew, side to side */
    CHECK_NEAR(0.25, distance_of(real3(1.25, 0, 0), turn(90, 1, 0, 0)), slack);
    CHECK_NEAR(0.25, distance_of(real3(1.25, 0.2, -0.1), turn(33, 1, 0, 0)),
               slack);
    /* a side over a disc, a rim over a disc */
    CHECK_NEAR(0.3, distance_of(real3(0.1, 1.8, 0), turn(90, 1, 0, 0)), slack);
    CHECK_NEAR(2 - cos(0.5) - 0.5 * sin(0.5) + 0.5,
               distance_of(real3(0, 3.5, 0), turn(0.5 * 180 / PI, 1, 0, 0)),
               slack);
}


/* ---- Bullets and restored worlds ----------------------------------------- */

/* Shoots a solid at a wall 2 cm thick. */
static void shoot_at_wall(vsp_shape_def shape, vsp_quat rotation, double speed)
{
    vsp_world *world = new_world();
    vsp_body_def def = body_def(VSP_DYNAMIC, shape, -3, 0, 0);
    vsp_body_id id;

    add_body(world, VSP_STATIC, vsp_box(real(0.01), real(4), real(4)), 0, 0, 0);
    def.is_bullet = true;
    def.pose.rotation = rotation;
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(speed, 0, 0),
                                               real3(3, 5, 7)));
    step_world(world, 60);
    CHECK(num(vsp_body_transform(world, id).position.x) < 0);
}

static void bullets_stop(void)
{
    static const profile slim = {0.1, 0.2, 0.03, true};
    double speed;

    for (speed = 20; speed < 500; speed *= 1.7) {
        shoot_at_wall(vsp_cylinder(real(0.1), real(0.05)), no_turn(), speed);
        shoot_at_wall(vsp_cylinder(real(0.05), real(0.3)), turn(70, 0, 0, 1),
                      speed);
        shoot_at_wall(vsp_cone(real(0.1), real(0.1), real(0)),
                      turn(-90, 0, 0, 1), speed);
        if (!VSP_TAPERS)
            continue;
        shoot_at_wall(shape_of(&slim), turn(90, 0, 0, 1), speed);
        shoot_at_wall(shape_of(&slim), turn(-60, 0, 0, 1), speed);
    }
}

static vsp_world *pile(void)
{
    vsp_world *world = new_world();
    int i;

    (void)add_ground(world);
    for (i = 0; i < 8; i++)
        add_turned(world, VSP_DYNAMIC,
                   i % 2 ? vsp_cylinder(real(0.3), real(0.2))
                         : vsp_cone(real(0.4), real(0.3), real(0.1 * (i % 4))),
                   0.1 * (i % 3), 0.5 + 0.5 * i, 0.05 * (i % 2),
                   turn(40.0 * i, 1, 0, 0));
    return world;
}

static void restored_worlds_go_on(void)
{
    vsp_world *world = pile();

    step_world(world, 60);
    check_replays(world, 60);
}

static void broken_worlds_are_refused(void)
{
    vsp_world *world = pile();
    vsp__num *z = &world->shapes[2].size.z, was = *z; /* of a cylinder */
    uint32_t hash = vsp_world_hash(world);
    size_t size;

    CHECK_UINT(VSP_SHAPE_CYLINDER, world->shapes[2].type);
    *z = VSP__REAL(0.5);
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    size = save_world(world, 0);
    *z = was;
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_restore(world, saved(0), size));
    CHECK_UINT(hash, vsp_world_hash(world));
    world->shapes[2].type = VSP_SHAPE_TAPER + 1;
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
}


static const test tests[] = {
    TEST(solids_weigh),
    TEST(bad_sizes_are_refused),
    TEST(cylinders_roll),
    TEST(solids_lie_still),
    TEST(solids_lie_on_shells_and_fields),
    TEST(stacks_stand),
    TEST(logs_lie_in_a_valley),
    TEST(piles_come_to_rest),
    TEST(queries_are_exact),
    TEST(distances_are_known),
    TEST(bullets_stop),
    TEST(restored_worlds_go_on),
    TEST(broken_worlds_are_refused),
    TEST_END,
};

#else

static const test tests[] = {TEST_END};

#endif

const test_suite round_suite = {"round", tests};
