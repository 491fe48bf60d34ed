/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Joints keep what the motion along their free axes has: energy and momentum of
 * fast hinges, of free pairs, and of pendulums on rods, ropes and chains.  None
 * gains energy.  At 60 Hz, for 10 s to 20 s, under each stepper. */

#include "scene_fixture.h"

#include <stdio.h>

#define G 9.81
#define DT (1.0 / 60)

static vsp_world *world;
static vsp_body_id base;

static void start_world(vsp_stepper stepper, double gravity)
{
    world = new_joint_world(stepper, DT, gravity, &base);
}

static vsp_body_id add_apart(vsp_shape_def shape, double x, double y, double z)
{
    shape.filter.group = -1;
    return add_body(world, VSP_DYNAMIC, shape, x, y, z);
}

static vsp_body_id add_bar(double x, double y)
{
    return add_apart(vsp_box(real(0.5), real(0.05), real(0.05)), x, y, 0);
}

static vsp_joint_def joint_at(vsp_joint_type type, vsp_body_id a, vsp_body_id b,
                              double x, double y, double z)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = type;
    def.body_a = a;
    def.body_b = b;
    CHECK_STATUS(VSP_OK,
                 vsp_joint_place(world, &def, real3(x, y, z), real3(0, 0, 1)));
    return def;
}

static void set_motion(vsp_body_id id, double vx, double vy, double vz,
                       double wx, double wy, double wz)
{
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(vx, vy, vz),
                                               real3(wx, wy, wz)));
}

static vec3 center(vsp_body_id id)
{
    return vec_from(vsp_body_center(world, id));
}

static vec3 velocity(vsp_body_id id)
{
    return vec_from(vsp_body_velocity(world, id));
}

static double spin_of(vsp_body_id id)
{
    return vec_length(vec_from(vsp_body_spin(world, id)));
}


/* ---- Fast hinges -------------------------------------------------------- */

/* A rod of 1 m turns about its end.  The first step may change its spin: a
 * given velocity is one at a position, and those of a step are half a step
 * later. After that the spin must stay. */
static void check_rod(vsp_stepper stepper)
{
    static const double speeds[] = {1, 5, 10, 20};

    for (size_t i = 0; i < COUNT_OF(speeds); i++) {
        double w = speeds[i], first;
        vsp_body_id bar;
        vsp_joint_def def;

        test_note("stepper %d, %g rad/s", (int)stepper, w);
        start_world(stepper, 0);
        bar = add_bar(0.5, 0);
        def = joint_at(VSP_JOINT_HINGE, base, bar, 0, 0, 0);
        create_joint(world, &def);
        set_motion(bar, 0, 0.5 * w, 0, 0, 0, w);
        step_world(world, 1);
        first = spin_of(bar);
        CHECK_NEAR(w, first, 0.02 * w);
        step_world(world, 599);
        if (shows())
            printf("rod: stepper %d, %g rad/s: %.4f after a step, %.4f after "
                   "10 s\n",
                   (int)stepper, w, first, spin_of(bar));
        CHECK_NEAR(first, spin_of(bar), 0.005 * w);
    }
}

static void rods_keep_their_spin(void)
{
    each_stepper(check_rod);
}

/* angular momentum of all dynamic bodies about the origin, kg m^2/s */
static vec3 momentum_of(const vsp_body_id *ids, int count, vec3 inertia)
{
    vec3 sum = {0, 0, 0};

    for (int i = 0; i < count; i++) {
        double mass = num(vsp_body_mass(world, ids[i]));
        vec3 w = vec_from(vsp_body_spin(world, ids[i]));

        sum = vec_add(
            sum, vec_scale(vec_cross(center(ids[i]), velocity(ids[i])), mass));
        for (uint32_t k = 0; k < 3; k++) {
            vec3 axis = body_axis(world, ids[i], k);
            double part = k == 0 ? inertia.x : k == 1 ? inertia.y : inertia.z;

            sum = vec_mad(sum, mass * part * vec_dot(axis, w), axis);
        }
    }
    return sum;
}

/* Two bars on a ball joint in free space, one of which spins. */
static void check_pair(vsp_stepper stepper)
{
    vec3 inertia = vec_make((0.05 * 0.05 + 0.05 * 0.05) / 3,
                            (0.5 * 0.5 + 0.05 * 0.05) / 3,
                            (0.5 * 0.5 + 0.05 * 0.05) / 3);
    vsp_body_id pair[2];
    vsp_joint_def def;
    double energy;
    vec3 before, after;

    start_world(stepper, 0);
    pair[0] = add_bar(-0.5, 0);
    pair[1] = add_bar(0.5, 0);
    def = joint_at(VSP_JOINT_BALL, pair[0], pair[1], 0, 0, 0);
    create_joint(world, &def);
    set_motion(pair[0], 0, 4, 0, 0, 0, -8);
    set_motion(pair[1], 0, 4, 0, 0, 3, 8);
    before = momentum_of(pair, 2, inertia);
    energy = total_energy(world);
    step_world(world, 600);
    after = momentum_of(pair, 2, inertia);
    if (shows())
        printf("pair: stepper %d: momentum %.4f -> %.4f, off by %.4f; energy "
               "%.4f -> %.4f\n",
               (int)stepper, vec_length(before), vec_length(after),
               vec_length(vec_sub(after, before)), energy, total_energy(world));
    CHECK_NEAR(0, vec_length(vec_sub(after, before)),
               0.02 * vec_length(before));
    CHECK_NEAR(energy, total_energy(world), 0.04 * energy);
}

static void free_pairs_keep_their_momentum(void)
{
    each_stepper(check_pair);
}


/* ---- Pendulums ---------------------------------------------------------- */

/* Returns the mean energy of n steps above that at rest, J: it alternates
 * within a swing, as velocities are those of half a step earlier. */
static double mean_energy(double rest, int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++) {
        step_world(world, 1);
        sum += total_energy(world) - rest;
    }
    return sum / n;
}

/* Checks that the energy above that at rest stays over 20 s. */
static void check_swing(const char *name, vsp_stepper stepper, double rest)
{
    double before = mean_energy(rest, 200), after;

    step_world(world, 800);
    after = mean_energy(rest, 200);
    if (shows())
        printf("%s: stepper %d: %.4f J -> %.4f J\n", name, (int)stepper, before,
               after);
    CHECK_NEAR(before, after, 0.01 * before);
}

/* A ball on a DISTANCE of `low` to `high` of 1 m, released at 60 degrees. */
static void check_line(vsp_stepper stepper, double low, double length)
{
    double angle = PI / 3;
    vsp_body_id ball;
    vsp_joint_def def = vsp_joint_def_default();

    test_note("stepper %d, %g to %g m", (int)stepper, low, length);
    start_world(stepper, G);
    ball = add_apart(vsp_sphere(real(0.05)), length * sin(angle),
                     -length * cos(angle), 0);
    def.type = VSP_JOINT_DISTANCE;
    def.body_a = base;
    def.body_b = ball;
    def.low = real(low);
    def.high = real(length);
    create_joint(world, &def);
    check_swing(low > 0 ? "rod" : "rope", stepper,
                -num(vsp_body_mass(world, ball)) * G * length);
}

static void check_lines(vsp_stepper stepper)
{
    check_line(stepper, 1, 1);
    check_line(stepper, 0, 1);
    check_line(stepper, 0.25, 0.25);
}

/* The same, on a rope over a pulley, with an anchor off the ball's centre. */
static void check_rope(vsp_stepper stepper)
{
    double angle = PI / 3, length = 1;
    vsp_joint_def def = vsp_joint_def_default();
    vsp_body_id ball;

    start_world(stepper, G);
    ball = add_apart(vsp_sphere(real(0.05)), length * sin(angle),
                     -length * cos(angle), 0);
    def.type = VSP_JOINT_PULLEY;
    def.body_a = ball;
    def.body_b = base;
    def.pulley_a = real3(0, 0, 0);
    def.pulley_b = real3(0, 1, 0);
    def.frame_a.position = real3(-0.05 * sin(angle), 0.05 * cos(angle), 0);
    def.high = real(length - 0.05 + 1);
    create_joint(world, &def);
    check_swing("pulley", stepper,
                -num(vsp_body_mass(world, ball)) * G * length);
}

static void ropes_over_pulleys_are_pendulums(void)
{
    each_stepper(check_rope);
}

static void lines_are_pendulums(void)
{
    each_stepper(check_lines);
}

/* A weight of 100 kg on a chain of six bars of 0.25 kg, released at 45 degrees:
 * a range holds it. */
static void check_chain(vsp_stepper stepper)
{
    double angle = PI / 4, length = 0.4;
    vsp_body_id last = base;
    vsp_shape_def weight = vsp_sphere(real(0.2));
    double rest = 0;

    start_world(stepper, G);
    for (int i = 0; i < 7; i++) {
        double at = i < 6 ? (i + 0.5) * length : 6 * length;
        double x = at * sin(angle), y = -at * cos(angle);
        vsp_shape_def shape = vsp_box(real(0.02), real(0.5 * length),
                                      real(0.02));
        vsp_body_def body;
        vsp_joint_def def;
        vsp_body_id id;

        shape.density = real(390);
        weight.density = real(100 / (4.0 / 3 * PI * 0.008));
        shape.filter.group = weight.filter.group = -1;
        body = body_def(VSP_DYNAMIC, i < 6 ? shape : weight, x, y, 0);
        body.pose.rotation = turn(45, 0, 0, 1);
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &body, &id));
        at = i * length;
        def = joint_at(VSP_JOINT_BALL, last, id, at * sin(angle),
                       -at * cos(angle), 0);
        create_joint(world, &def);
        rest -= num(vsp_body_mass(world, id)) * G *
                (i < 6 ? (i + 0.5) * length : 6 * length);
        last = id;
    }
    check_swing("chain", stepper, rest);
}

static void chains_are_pendulums(void)
{
    each_stepper(check_chain);
}

#define CHAIN 16

/* A chain turns about its end at 8 rad/s.  The solve turns velocities by half
 * of a step's turn, so the energy of a step differs from that before it.  A
 * check that took this for a gain let a chain of ten links lose half of its
 * energy in 10 s, and one of 16 nine tenths. */
static void check_spun_chain(int count)
{
    vsp_body_id ids[CHAIN], last;
    double before, after;

    test_note("%d links", count);
    start_world(VSP_STEPPER_SUBSPACE, G);
    last = base;
    for (int i = 0; i < count; i++) {
        double x = 0.2 + 0.4 * i;
        vsp_joint_def def;

        ids[i] = add_apart(vsp_box(real(0.19), real(0.05), real(0.05)), x, 0,
                           0);
        set_motion(ids[i], 0, 8 * x, 0, 0, 0, 8);
        def = joint_at(VSP_JOINT_HINGE, last, ids[i], x - 0.2, 0, 0);
        create_joint(world, &def);
        last = ids[i];
    }
    before = mean_energy(0, 60);
    step_world(world, 480);
    after = mean_energy(0, 60);
    if (shows())
        printf("%d links: %.0f J -> %.0f J\n", count, before, after);
    CHECK_NEAR(before, after, 0.01 * before);
}

static void spun_chains_keep_their_energy(void)
{
    check_spun_chain(10);
    check_spun_chain(CHAIN);
}

static const test tests[] = {
    TEST(rods_keep_their_spin),
    TEST(free_pairs_keep_their_momentum),
    TEST(lines_are_pendulums),
    TEST(ropes_over_pulleys_are_pendulums),
    TEST(chains_are_pendulums),
    TEST(spun_chains_keep_their_energy),
    TEST_END,
};

const test_suite joint_energy_suite = {"joint_energy", tests};
