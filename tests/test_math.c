/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Arithmetic for programs: each function against doubles, its limits, and the
 * same bits on every machine. */

#include "fixture.h"

#include "port/vec_libm.h"

#include <math.h>
#include <string.h>

#define PI_2 1.57079632679489662

/* relative errors that vsp.h states */
static const double relative = VSP_FIXED ? 1.0 / (1 << 25) : 1.0 / (1 << 22);

/* the last place of a real of this size, or half of it with 32 places */
static double place_of(double size)
{
    return VSP_FIXED ? 0.51 / 4294967296.0 + fabs(size) * 2e-16
                     : fabs(size) / (1 << 23) + 1e-37;
}


/* ---- Random numbers ------------------------------------------------------ */

static uint32_t seed;

static uint32_t next_random(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* Returns a number in [-1, 1]. */
static double fraction(void)
{
    return (double)next_random() / 8388607.5 - 1.0;
}

/* Returns a number of a size from 2^low to 2^high. */
static double spread(int low, int high)
{
    int power = low + (int)(next_random() % (uint32_t)(high - low + 1));
    double x = fraction();

    return ldexp(x < 0 ? x - 1.0 : x + 1.0, power - 1);
}

static vsp_vec3 random_vector(int power)
{
    double size = ldexp(1.0, power);
    double x = fraction() * size, y = fraction() * size;

    return real3(x, y, fraction() * size);
}

static vsp_quat random_turn(void)
{
    vsp_vec3 axis = random_vector(2);

    return vsp_quat_make(axis, real(fraction() * 4.0));
}

static double distance_of(vsp_vec3 a, vec3 b)
{
    return vec_length(vec_sub(vec_from(a), b));
}


/* ---- Numbers ------------------------------------------------------------- */

static void products(void)
{
    for (int i = 0; i < tries_of(100000); i++) {
        vsp_real a = real(spread(-12, 12)), b = real(spread(-12, 12));
        double product = num(a) * num(b), quotient = num(a) / num(b);

        if (!CHECK_NEAR(product, num(vsp_mul(a, b)), place_of(product)) ||
            !CHECK_NEAR(quotient, num(vsp_div(a, b)), place_of(quotient)))
            return;
    }
    CHECK(vsp_mul(VSP_R(1.5), VSP_R(-2.5)) == VSP_R(-3.75));
    CHECK(vsp_div(VSP_R(-3.75), VSP_R(1.5)) == VSP_R(-2.5));
    CHECK(vsp_mul(VSP_R(-0.5), 0) == 0);
    CHECK(vsp_div(0, VSP_R(-0.5)) == 0);
}

static void roots(void)
{
    for (int i = 0; i < tries_of(100000); i++) {
        vsp_real a = real(fabs(spread(-20, 30)));
        double root = sqrt(num(a));

        if (!CHECK_NEAR(root, num(vsp_sqrt(a)), 2.0 * place_of(root)))
            return;
    }
    for (int i = 0; i < 1000; i++)
        CHECK(vsp_sqrt(real((double)i * i)) == real(i));
    CHECK(vsp_sqrt(VSP_R(-1.0)) == 0);
    CHECK(vsp_sqrt(VSP_R(0.25)) == VSP_R(0.5));
}

static void sines(void)
{
    double worst = 0.0, worst_angle = 0.0;

    for (int i = 0; i < tries_of(400000); i++) {
        double size = i % 3 == 0 ? 8192.0 : i % 3 == 1 ? 10.0 : 0.1;
        vsp_real angle = real(fraction() * size);
        double x = num(angle), length = fabs(spread(-10, 10));
        vsp_real sine = vsp_sin(angle), cosine = vsp_cos(angle);
        double back = num(
            vsp_atan2(real(sin(x) * length), real(cos(x) * length)));

        worst = fmax(worst, fabs(num(sine) - sin(x)));
        worst = fmax(worst, fabs(num(cosine) - cos(x)));
        worst_angle = fmax(worst_angle, fabs(remainder(back - x, 4.0 * PI_2)));
    }
    CHECK_AT_MOST(2e-7, worst);
    CHECK_AT_MOST(2e-6, worst_angle);
    CHECK(vsp_sin(0) == 0);
    CHECK(vsp_cos(0) == VSP_R(1.0));
    CHECK(vsp_sin(VSP_R(8193.0)) == 0);
    CHECK(vsp_cos(VSP_R(-8193.0)) == VSP_R(1.0));
    for (uint32_t i = 0; i < BAD_REALS; i++)
        CHECK(vsp_sin(bad_real(i)) == 0);
    CHECK_NEAR(1.0, num(vsp_sin(real(PI_2))), 1e-7);
    CHECK(vsp_atan2(0, 0) == 0);
    CHECK(vsp_atan2(0, VSP_R(2.0)) == 0);
    CHECK_NEAR(PI_2, num(vsp_atan2(VSP_R(3.0), 0)), 1e-6);
    CHECK_NEAR(2.0 * PI_2, num(vsp_atan2(0, VSP_R(-1.0))), 1e-6);
    CHECK_NEAR(-0.5 * PI_2, num(vsp_atan2(VSP_R(-1.0), VSP_R(1.0))), 1e-6);
}

/* What does not fit becomes a number that calls refuse. */
static void refuse_number(vsp_real a)
{
    vsp_world *world = new_world();
    vsp_body_id body = add_cube(world, 0.0, 0.0, 0.0);
    vsp_vec3 velocity = real3(0.0, 0.0, 0.0);

    velocity.x = a;
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_set_velocity(world, body, velocity,
                                                     real3(0.0, 0.0, 0.0)));
}

static void overflow(void)
{
    vsp_real large = real(VSP_FIXED ? 1e9 : 1e30);
    vsp_real least = real(VSP_FIXED ? 1e-9 : 1e-30);
    vsp_vec3 far = {large, -large, large};

    refuse_number(vsp_mul(large, large));
    refuse_number(vsp_mul(-large, large));
    refuse_number(vsp_div(large, least));
    refuse_number(vsp_div(VSP_R(1.0), 0));
    refuse_number(vsp_div(VSP_R(-1.0), 0));
    refuse_number(vsp_div(0, 0));
    refuse_number(vsp_vec3_dot(far, far));
    refuse_number(vsp_vec3_cross(far, real3(0.0, 0.0, num(large))).x);
    refuse_number(vsp_vec3_scale(far, large).y);
    CHECK(vsp_mul(large, large) > 0 && vsp_mul(-large, large) < 0);
    CHECK(vsp_div(VSP_R(1.0), 0) > 0 && vsp_div(VSP_R(-1.0), 0) < 0);
}

#if VSP_FIXED
/* The ends of the format: nothing wraps. */
static void ends_of_fixed_point(void)
{
    static const vsp_real ends[] = {INT64_MAX, INT64_MIN, -INT64_MAX, 0, 1, -1};
    vsp_quat none = vsp_quat_identity();

    for (uint32_t i = 0; i < 6; i++) {
        for (uint32_t k = 0; k < 6; k++) {
            double product = num(ends[i]) * num(ends[k]);
            vsp_vec3 a = {ends[i], ends[k], ends[i]}, sum;

            CHECK_NEAR(fmax(fmin(product, 2147483648.0), -2147483648.0),
                       num(vsp_mul(ends[i], ends[k])), 1e-9);
            sum = vsp_vec3_add(a, a);
            CHECK((sum.x > 0) == (ends[i] > 0));
            CHECK(sum.x == 0 || (sum.x < 0) == (ends[i] < 0));
            sum = vsp_vec3_sub(vsp_vec3_make(0, 0, 0), a);
            CHECK((sum.y > 0) == (ends[k] < 0));
            CHECK(vsp_vec3_length(a) >= 0);
            CHECK_NEAR(num(ends[k]), num(vsp_quat_rotate(none, a).y), 8.0);
        }
        CHECK(vsp_div(ends[i], VSP_R(1.0)) ==
              (ends[i] == INT64_MIN ? -INT64_MAX : ends[i]));
    }
    CHECK(vsp_vec3_length(vsp_vec3_make(INT64_MIN, INT64_MIN, INT64_MIN)) ==
          INT64_MAX);
    CHECK(vsp_sqrt(INT64_MAX) > VSP_R(46340.0));
    CHECK(vsp_sqrt(1) == 65536);
    CHECK(vsp_sqrt(INT64_MIN) == 0);
    CHECK(vsp_atan2(INT64_MIN, INT64_MIN) < VSP_R(-2.3));
    CHECK_NEAR(-2.0 * PI_2, num(vsp_atan2(VSP_R(-0.001), VSP_R(-1e9))), 1e-6);
}
#endif


/* ---- Vectors ------------------------------------------------------------- */

static void vectors(void)
{
    for (int i = 0; i < tries_of(50000); i++) {
        vsp_vec3 a = random_vector(i % 16 - 4), b = random_vector(8);
        vec3 p = vec_from(a), q = vec_from(b), cross = vec_cross(p, q);
        double size = (vec_length(p) + 1.0) * (vec_length(q) + 1.0);
        double near = 6.0 * place_of(size);
        vsp_real s = real(fraction() * 8.0);

        if (!CHECK_AT_MOST(near,
                           distance_of(vsp_vec3_add(a, b), vec_add(p, q))) ||
            !CHECK_AT_MOST(near,
                           distance_of(vsp_vec3_sub(a, b), vec_sub(p, q))) ||
            !CHECK_AT_MOST(near, distance_of(vsp_vec3_cross(a, b), cross)) ||
            !CHECK_AT_MOST(8.0 * near, distance_of(vsp_vec3_scale(a, s),
                                                   vec_scale(p, num(s)))) ||
            !CHECK_AT_MOST(8.0 * near, distance_of(vsp_vec3_move(a, b, s),
                                                   vec_mad(p, num(s), q))) ||
            !CHECK_NEAR(vec_dot(p, q), num(vsp_vec3_dot(a, b)), near))
            return;
    }
    CHECK(vsp_vec3_make(1, 2, 3).z == 3);
}

static void lengths(void)
{
    vsp_vec3 zero = vsp_vec3_make(0, 0, 0);

    for (int i = 0; i < tries_of(50000); i++) {
        vsp_vec3 a = random_vector(VSP_FIXED ? i % 46 - 16 : i % 90 - 40);
        vec3 p = vec_from(a);
        double length = vec_length(p);
        double near = relative + (VSP_FIXED ? 1.0 / 4294967296.0 / length : 0);

        if (!CHECK_NEAR(length, num(vsp_vec3_length(a)), near * length) ||
            !CHECK_AT_MOST(relative * 2.0,
                           distance_of(vsp_vec3_normalize(a), vec_unit(p))))
            return;
    }
    CHECK(vsp_vec3_length(real3(3.0, -4.0, 12.0)) == VSP_R(13.0));
    CHECK(vsp_vec3_length(zero) == 0);
    CHECK(vsp_vec3_length(vsp_vec3_normalize(zero)) == 0);
    CHECK_NEAR(-1.0, num(vsp_vec3_normalize(real3(0.0, -7.0, 0.0)).y), 1e-7);
    if (VSP_FIXED)
        return;
    zero.x = real(1e-16); /* too short */
    CHECK(vsp_vec3_length(zero) == 0);
    CHECK(vsp_vec3_normalize(zero).x == 0);
    zero.x = real(1e30); /* too long */
    CHECK(vsp_vec3_normalize(zero).x == 0);
}


/* ---- Rotations and poses ------------------------------------------------- */

/* Rodrigues' formula. */
static vec3 rotated(vec3 axis, double angle, vec3 v)
{
    vec3 u = vec_unit(axis), sum = vec_scale(v, cos(angle));

    sum = vec_mad(sum, sin(angle), vec_cross(u, v));
    return vec_mad(sum, vec_dot(u, v) * (1.0 - cos(angle)), u);
}

static void rotations(void)
{
    for (int i = 0; i < tries_of(50000); i++) {
        vsp_vec3 axis = random_vector(i % 12 - 4);
        vsp_vec3 v = random_vector(VSP_FIXED ? i % 40 - 10 : i % 60 - 30);
        vsp_real angle = real(fraction() * 10.0);
        vsp_quat q = vsp_quat_make(axis, angle), p = random_turn();
        vec3 expected = rotated(vec_from(axis), num(angle), vec_from(v));
        double size = vec_length(expected);
        double near = 4.0 * relative * size + 2.0 * place_of(size);
        vsp_vec3 both = vsp_quat_rotate(vsp_quat_mul(p, q), v);

        if (!CHECK_AT_MOST(near,
                           distance_of(vsp_quat_rotate(q, v), expected)) ||
            !CHECK_AT_MOST(
                near, distance_of(vsp_quat_rotate_back(vsp_quat_inverse(q), v),
                                  expected)) ||
            !CHECK_AT_MOST(2.0 * near,
                           distance_of(both, vec_from(vsp_quat_rotate(
                                                 p, vsp_quat_rotate(q, v))))))
            return;
    }
}

static void rotations_of_nothing(void)
{
    vsp_vec3 zero = vsp_vec3_make(0, 0, 0), v = real3(1.0, 2.0, 3.0);
    vsp_quat none = vsp_quat_identity(), bad, q = random_turn();

    CHECK(none.w == VSP_R(1.0) && none.x == 0);
    q = vsp_quat_make(zero, VSP_R(1.0));
    CHECK_BYTES(&none, &q, sizeof q);
    memset(&bad, 0, sizeof bad);
    q = vsp_quat_mul(bad, none);
    CHECK_BYTES(&none, &q, sizeof q);
    v = vsp_quat_rotate(bad, v);
    CHECK(v.x == VSP_R(1.0) && v.y == VSP_R(2.0) && v.z == VSP_R(3.0));
    bad.y = bad_real(0);
    q = vsp_quat_inverse(bad);
    CHECK(q.w == VSP_R(1.0));
    bad.y = VSP_R(5.0); /* is normalised */
    v = vsp_quat_rotate(bad, v);
    CHECK_AT_MOST(2e-6, distance_of(v, vec_make(-1.0, 2.0, -3.0)));
}

/* The pose of a body takes its points where the engine has them. */
static void poses(void)
{
    for (int i = 0; i < tries_of(20000); i++) {
        vsp_transform a, b, there, back;
        vsp_vec3 point = random_vector(3);
        double near = 32.0 * relative * 16.0;

        a.position = random_vector(2);
        b.position = random_vector(2);
        a.rotation = random_turn();
        b.rotation = random_turn();
        there = vsp_transform_mul(a, b);
        if (!CHECK_AT_MOST(
                near, distance_of(vsp_transform_point(there, point),
                                  vec_from(vsp_transform_point(
                                      a, vsp_transform_point(b, point))))) ||
            !CHECK_AT_MOST(near,
                           distance_of(vsp_transform_point_back(
                                           a, vsp_transform_point(a, point)),
                                       vec_from(point))))
            return;
        back = vsp_transform_mul(vsp_transform_inverse(a), a);
        CHECK_AT_MOST(near,
                      distance_of(back.position, vec_make(0.0, 0.0, 0.0)));
        CHECK_NEAR(1.0, fabs(num(back.rotation.w)), near);
    }
}

static void pose_of_a_body(void)
{
    vsp_world *world = new_world();
    vsp_body_def def = body_def(VSP_DYNAMIC,
                                vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5)),
                                1.0, 2.0, 3.0);
    vsp_body_id id;
    vec3 center;

    def.shape.pose.position = real3(0.5, 1.0, -2.0);
    def.pose.rotation = vsp_quat_make(real3(1.0, 2.0, -1.0), VSP_R(0.75));
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    center = vec_from(vsp_body_center(world, id));
    CHECK_AT_MOST(4e-6,
                  distance_of(vsp_transform_point(vsp_body_transform(world, id),
                                                  def.shape.pose.position),
                              center));
}


/* ---- Bits ---------------------------------------------------------------- */

static uint32_t bits_hash;

static void add_word(uint32_t word)
{
    bits_hash = (bits_hash ^ word) * 16777619u;
}

#if VSP_FIXED
static void add_bits(vsp_real a)
{
    add_word((uint32_t)((uint64_t)a & 0xffffffffu));
    add_word((uint32_t)((uint64_t)a >> 32));
}
#else
static void add_bits(vsp_real a)
{
    uint32_t word;

    memcpy(&word, &a, sizeof word);
    add_word(word);
}
#endif

static void add_vector_bits(vsp_vec3 a)
{
    add_bits(a.x);
    add_bits(a.y);
    add_bits(a.z);
}

/* A hash of many results, the same on every machine. */
static void same_bits(void)
{
    seed = 1;
    bits_hash = 2166136261u;
    for (int i = 0; i < 2000; i++) {
        vsp_vec3 a = random_vector(3);
        vsp_vec3 b = random_vector(i % 8);
        vsp_transform pose;

        pose.position = a;
        pose.rotation = vsp_quat_make(b, a.x);
        add_bits(vsp_mul(a.x, b.y));
        add_bits(vsp_div(a.x, b.y));
        add_bits(vsp_sqrt(b.z));
        add_bits(vsp_sin(b.x));
        add_bits(vsp_atan2(a.x, b.z));
        add_bits(vsp_vec3_length(a));
        add_vector_bits(vsp_vec3_normalize(b));
        add_vector_bits(vsp_vec3_cross(a, b));
        pose = vsp_transform_mul(pose, vsp_transform_inverse(pose));
        add_vector_bits(vsp_transform_point_back(pose, b));
    }
    CHECK_HEX(VSP_FIXED ? 0x5a4b81bdu : 0x2c7c2746u, bits_hash);
}

static const test tests[] = {
    TEST(products),
    TEST(roots),
    TEST(sines),
    TEST(overflow),
#if VSP_FIXED
    TEST(ends_of_fixed_point),
#endif
    TEST(vectors),
    TEST(lengths),
    TEST(rotations),
    TEST(rotations_of_nothing),
    TEST(poses),
    TEST(pose_of_a_body),
    TEST(same_bits),
    TEST_END,
};

const test_suite math_suite = {"math", tests};
