/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Loops of hinges with parallel axes must stay in their plane, and keep
 * momentum.  Also tests which joints count as a loop.  Distances, angles and
 * momenta are computed in double precision, from poses and velocities alone. */

#include "port/vec.h"
#include "scene_fixture.h"

#include <math.h>

#if VSP_HINGE_LOOPS

#define MAX_LINKS 132
#define LINK 0.1  /* distance of two hinges, m */
#define RISE 0.04 /* extra height of every fourth link, m */

static vsp_world *world;
static vsp_body_id link_id[MAX_LINKS];
static vsp_joint_id hinge[MAX_LINKS];
static int links;


/* ---- Rings --------------------------------------------------------------- */

static double rise_of(int i)
{
    return i % 4 == 1 ? RISE : 0;
}

static vsp_shape_def link_shape(int i)
{
    vsp_shape_def box = vsp_box(real(0.45 * LINK),
                                real(rise_of(i) > 0 ? 0.06 : 0.02), real(0.02));

    box.filter.group = -1;
    return box;
}

static vsp_joint_id join_links(vsp_body_id a, vsp_body_id b, vsp_vec3 at,
                               vsp_vec3 axis)
{
    vsp_joint_def def = vsp_joint_def_default();
    vsp_joint_id id = {0};

    def.type = VSP_JOINT_HINGE;
    def.body_a = a;
    def.body_b = b;
    CHECK_STATUS(VSP_OK, vsp_joint_place(world, &def, at, axis));
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, &id));
    return id;
}

/* Maps a point of a ring to the world, from the ring's centre and a rotation
 * about its axis, which is vertical or, for an upright ring, along z. */
static vsp_vec3 ring_place(double height, bool is_upright, vec3 at)
{
    return is_upright ? real3(at.x, height - at.z, at.y)
                      : real3(at.x, height + at.y, at.z);
}

static vsp_quat ring_turn(bool is_upright, double degrees)
{
    double half = degrees * PI / 360, part = is_upright ? sqrt(0.5) : 1;
    vsp_quat q;

    q.x = real(is_upright ? part * cos(half) : 0);
    q.y = real(part * sin(half));
    q.z = real(is_upright ? part * sin(half) : 0);
    q.w = real(part * cos(half));
    return q;
}

/* Adds a ring; `first` is the type of its first link. */
static void add_ring(int count, vsp_body_type first, double height,
                     bool is_upright)
{
    double radius = count * LINK / (2 * PI), far = radius / cos(PI / count);

    links = count;
    for (int i = 0; i < count; i++) {
        double a = 2 * PI * (i + 0.5) / count;
        vsp_body_def def = body_def(i == 0 ? first : VSP_DYNAMIC, link_shape(i),
                                    0, 0, 0);

        def.pose.position = ring_place(
            height, is_upright,
            vec_make(radius * cos(a), rise_of(i), radius * sin(a)));
        def.pose.rotation = ring_turn(is_upright, -180 / PI * a - 90);
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &link_id[i]));
    }
    for (int i = 0; i < count; i++) {
        double a = 2 * PI * i / count;
        vec3 at = vec_make(far * cos(a), 0, far * sin(a));

        hinge[i] = join_links(link_id[(i + count - 1) % count], link_id[i],
                              ring_place(height, is_upright, at),
                              is_upright ? real3(0, 0, 1) : real3(0, 1, 0));
    }
}

static void new_ring(int count, vsp_body_type first, vsp_stepper stepper,
                     uint32_t sweeps, double gravity)
{
    vsp_world_def def = vsp_world_def_default();

    def.stepper = stepper;
    def.dt = real(0.01);
    def.sweeps = sweeps;
    def.gravity = real3(0, -gravity, 0);
    def.enable_sleep = false;
    world = new_world_of(&def);
    add_ring(count, first, 5, false);
}

/* Returns a pseudo-random number from -0.5 to 0.5. */
static double chance(void)
{
    static uint32_t seed = 1;

    seed = (seed * 1664525u + 1013904223u) & 0xffffffffu;
    return (seed >> 8) / 16777216.0 - 0.5;
}

static void kick_ring(void)
{
    for (int i = 0; i < links; i++)
        CHECK_STATUS(VSP_OK,
                     vsp_body_set_velocity(
                         world, link_id[i],
                         real3(0.2 * chance(), chance(), 0.2 * chance()),
                         real3(chance(), chance(), chance())));
}


/* ---- Measures ------------------------------------------------------------ */

static vec3 rotated(vsp_quat q, vec3 v)
{
    vec3 u = vec_make(num(q.x), num(q.y), num(q.z));
    vec3 t = vec_scale(vec_cross(u, v), 2);

    return vec_add(vec_mad(v, num(q.w), t), vec_cross(u, t));
}

static double mass_of(int i)
{
    return num(vsp_body_mass(world, link_id[i]));
}

static vec3 center_of(int i)
{
    return vec_from(vsp_body_center(world, link_id[i]));
}

static vsp_quat rotation_of(int i)
{
    return vsp_body_transform(world, link_id[i]).rotation;
}

/* Returns the inertia of a link about its own axes, kg m^2. */
static vec3 inertia_of(int i)
{
    vsp_shape_def s = link_shape(i);
    double x = num(s.size.x), y = num(s.size.y), z = num(s.size.z);

    return vec_scale(vec_make(y * y + z * z, x * x + z * z, x * x + y * y),
                     mass_of(i) / 3);
}

/* Sums momentum and, about the centre of mass, angular momentum. */
static void momentum(vec3 *linear, vec3 *angular)
{
    vec3 center = vec_make(0, 0, 0), none = center;
    double mass = 0;

    *linear = *angular = none;
    for (int i = 0; i < links; i++) {
        center = vec_mad(center, mass_of(i), center_of(i));
        mass += mass_of(i);
    }
    center = vec_scale(center, 1 / mass);
    for (int i = 0; i < links; i++) {
        vec3 v = vec_from(vsp_body_velocity(world, link_id[i]));
        vec3 w = vec_from(vsp_body_spin(world, link_id[i]));
        vec3 p = vec_scale(v, mass_of(i)), own = none, m = inertia_of(i);
        const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        const double *part = &m.x;

        for (int k = 0; k < 3; k++) {
            vec3 axis = rotated(rotation_of(i), axes[k]);

            own = vec_mad(own, part[k] * vec_dot(axis, w), axis);
        }
        *linear = vec_add(*linear, p);
        *angular = vec_add(*angular, own);
        *angular = vec_add(*angular,
                           vec_cross(vec_sub(center_of(i), center), p));
    }
}

/* Computes the largest distance and angle, m and degrees, of a link from the
 * plane of the ring: that of the first link if it is held, else the mean
 * plane. */
static void find_worst(bool is_held, double *off, double *tilt)
{
    vec3 n = vec_make(0, 0, 0), center = n, up = vec_make(0, 1, 0);
    double mass = 0, mean = 0;

    for (int i = 0; i < (is_held ? 1 : links); i++) {
        n = vec_mad(n, mass_of(i) + is_held, rotated(rotation_of(i), up));
        center = vec_mad(center, mass_of(i) + is_held, center_of(i));
        mean += (mass_of(i) + is_held) * rise_of(i);
        mass += mass_of(i) + is_held;
    }
    n = vec_scale(n, 1 / vec_length(n));
    center = vec_scale(center, 1 / mass);
    for (int i = 0; i < links; i++) {
        vec3 axis = rotated(rotation_of(i), up);
        double d = vec_dot(n, vec_sub(center_of(i), center)) - rise_of(i) +
                   mean / mass;

        *off = fmax(*off, fabs(d));
        *tilt = fmax(*tilt, asin(vec_length(vec_cross(n, axis))) * 180 / PI);
    }
}

static double worst_parting(void)
{
    double most = 0;

    for (int i = 0; i < links; i++) {
        vsp_joint_state state = {0};

        CHECK_STATUS(VSP_OK, vsp_joint_read(world, hinge[i], &state));
        most = fmax(most, num(state.error));
    }
    return most;
}

static void check_flat(bool is_held, uint32_t steps)
{
    double off = 0, tilt = 0;

    for (uint32_t i = 0; i < steps; i++) {
        step_world(world, 1);
        find_worst(is_held, &off, &tilt);
    }
    CHECK_AT_MOST(0.0001, off);
    CHECK_AT_MOST(0.1, tilt);
}


/* ---- Rings stay flat ----------------------------------------------------- */

static const vsp_stepper steppers[] = {VSP_STEPPER_PGS, VSP_STEPPER_CARRY,
                                       VSP_STEPPER_SHOCK, VSP_STEPPER_SUBSPACE};

/* A ring held by one link must stay level, with 5 sweeps. */
static void held_rings_stay_level(void)
{
    for (size_t i = 0; i < COUNT_OF(steppers); i++) {
        test_note("stepper %d", (int)steppers[i]);
        new_ring(MAX_LINKS, VSP_STATIC, steppers[i], 5, 9.81);
        check_flat(true, 100);
        CHECK_AT_MOST(0.0001, worst_parting());
    }
}

/* Returns the sum of the sizes of all momenta, kg m/s. */
static double momentum_size(void)
{
    double sum = 0;

    for (int i = 0; i < links; i++)
        sum += mass_of(i) *
               vec_length(vec_from(vsp_body_velocity(world, link_id[i])));
    return sum;
}

/* In fixed point the last places of velocities limit this, as they do without
 * loops. */
static void free_rings_keep_momentum(void)
{
    double radius = MAX_LINKS * LINK / (2 * PI);

    for (size_t i = 0; i < COUNT_OF(steppers); i++) {
        vec3 p, l, p_end, l_end;
        double all;

        test_note("stepper %d", (int)steppers[i]);
        new_ring(MAX_LINKS, VSP_DYNAMIC, steppers[i], 5, 0);
        kick_ring();
        step_world(world, 50); /* until velocities satisfy the joints */
        momentum(&p, &l);
        all = momentum_size();
        check_flat(false, 100);
        momentum(&p_end, &l_end);
        CHECK_AT_MOST(TOLERANCE(1e-5, 1.5e-3) * all,
                      vec_length(vec_sub(p, p_end)));
        CHECK_AT_MOST(TOLERANCE(1e-5, 1.5e-3) * all * radius,
                      vec_length(vec_sub(l, l_end)));
    }
}

/* Upright rings roll over bars at an angle, and fold as they slow down. */
static void rings_walk_over_obstacles(void)
{
    vsp_world_def def = vsp_world_def_default();
    double off = 0, tilt = 0;

    def.dt = real(0.01);
    world = new_world_of(&def);
    add_ground(world);
    for (int i = 0; i < 4; i++)
        add_body(world, VSP_STATIC, vsp_box(real(0.05), real(0.05), real(0.5)),
                 1.0 + 0.4 * i, 0.02 * i, 0.03 * i);
    add_ring(24, VSP_DYNAMIC, 0.45, true);
    for (int i = 0; i < links; i++) {
        double up = center_of(i).y - 0.45, x = center_of(i).x;

        CHECK_STATUS(VSP_OK,
                     vsp_body_set_velocity(world, link_id[i],
                                           real3(2 + 5 * up, -5 * x, 0.1),
                                           real3(0, 0, -5)));
    }
    for (int i = 0; i < 300; i++) {
        step_world(world, 1);
        find_worst(false, &off, &tilt);
    }
    CHECK_AT_MOST(0.0001, off);
    CHECK_AT_MOST(0.1, tilt);
    CHECK_AT_LEAST(0.5, center_of(0).x);
}

/* The plane must follow a kinematic body. */
static void rings_follow_what_holds_them(void)
{
    double off = 0, tilt = 0;

    new_ring(24, VSP_KINEMATIC, VSP_STEPPER_CARRY, 20, 9.81);
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_velocity(world, link_id[0], real3(0.1, 0.2, 0),
                                       real3(0.5, 0, 0.3)));
    for (int i = 0; i < 200; i++) {
        step_world(world, 1);
        find_worst(true, &off, &tilt);
    }
    CHECK_AT_MOST(0.0001, off);
    CHECK_AT_MOST(0.1, tilt);
}

/* A plate of twice the ring's mass rests on it; one link holds the ring
 * level. */
static void what_lies_on_a_held_ring_rests(void)
{
    vsp_shape_def plate = vsp_box(real(0.5), real(0.05), real(0.5));
    vsp_body_id id;

    plate.density = real(100);
    new_ring(24, VSP_STATIC, VSP_STEPPER_CARRY, 20, 9.81);
    id = add_body(world, VSP_DYNAMIC, plate, 0, 5.15, 0);
    check_flat(true, 300);
    CHECK_NEAR(5.15, num(vsp_body_center(world, id).y), 0.001);
    CHECK_AT_MOST(0.005, fabs(num(vsp_body_velocity(world, id).y)));
}

/* Returns whether a free ring on two bars hangs on them after 400 steps. */
static bool does_ring_hang(double gravity)
{
    new_ring(MAX_LINKS, VSP_DYNAMIC, VSP_STEPPER_PGS, 20, gravity);
    for (int side = -1; side <= 1; side += 2)
        add_body(world, VSP_STATIC, vsp_box(real(3), real(0.02), real(0.02)), 0,
                 5 - 0.02 - 0.02, side * 1.0);
    step_world(world, 400);
    for (int i = 0; i < links; i++)
        if (!(center_of(i).y > 1))
            return false;
    return true;
}

/* Contacts do not treat a free ring as rigid: on two bars it bends, and sinks
 * slowly where a rigid ring would fall.  Now and then one slides off, by
 * rounding alone, so gravity differs by parts of a thousand.  In floats alone:
 * in fixed point all have slid off by then. */
static void free_rings_hang_on_bars(void)
{
    static const double more[] = {0,       0.0001, -0.0001, 0.0002,
                                  -0.0002, 0.0003, 0.001,   -0.001};
    unsigned fallen = 0;

    for (size_t i = 0; i < COUNT_OF(more) && !VSP_FIXED; i++)
        fallen += !does_ring_hang(9.81 * (1 + more[i]));
    CHECK_AT_MOST(2, fallen);
}

/* Adds a row of free bodies, with two hinges on each axis between
 * neighbours. */
static void add_row(int count, vsp_vec3 half, double gap, vsp_quat rotation,
                    vsp_vec3 along)
{
    links = count;
    for (int i = 0; i < count; i++) {
        vsp_shape_def box = vsp_box(half.x, half.y, half.z);

        box.filter.group = -1;
        link_id[i] = add_turned(world, VSP_DYNAMIC, box, i * gap * num(along.x),
                                5, i * gap * num(along.z), rotation);
    }
    for (int i = 0; i + 1 < count; i++)
        for (int side = -1; side <= 1; side += 2)
            join_links(link_id[i], link_id[i + 1],
                       real3((i + 0.5) * gap * num(along.x), 5 + 0.1 * side,
                             (i + 0.5) * gap * num(along.z)),
                       real3(0, 1, 0));
    CHECK_UINT(1, vsp_hinge_loop_count(world));
}

static void new_free_world(uint32_t sweeps)
{
    vsp_world_def def = vsp_world_def_default();

    def.gravity = real3(0, 0, 0);
    def.sweeps = sweeps;
    def.tolerance = real(0);
    def.enable_sleep = false;
    world = new_world_of(&def);
}

/* Both hinges on an axis must demand the same velocity, or else each sweep adds
 * energy. */
static void doubled_hinges_agree(void)
{
    double energy;

    new_free_world(200);
    add_row(8, real3(0.16, 0.02, 0.02), 0.3, turn(-45, 0, 1, 0),
            real3(sqrt(0.5), 0, sqrt(0.5)));
    for (int i = 0; i < 3; i++)
        kick_ring();
    step_world(world, 1);
    energy = total_energy(world);
    for (int i = 0; i < 100; i++)
        step_world(world, 1);
    CHECK_AT_MOST(1.05 * energy, total_energy(world));
}

/* Members nearly in a line: their inertia about it is a small difference of
 * large numbers. */
static void thin_rows_fly_on(void)
{
    new_free_world(20);
    add_row(16, real3(1, TOLERANCE(0.002, 0.02), TOLERANCE(0.002, 0.02)), 2,
            turn(-45, 0, 1, 0), real3(sqrt(0.5), 0, sqrt(0.5)));
    for (int i = 0; i < links; i++)
        CHECK_STATUS(VSP_OK,
                     vsp_body_set_velocity(world, link_id[i], real3(1, 0.5, 0),
                                           real3(0, 0, 0)));
    step_world(world, 60);
    for (int i = 0; i < links; i++) {
        vec3 v = vec_from(vsp_body_velocity(world, link_id[i]));

        CHECK_NEAR(1, v.x, 0.001);
        CHECK_NEAR(0.5, v.y, 0.001);
        CHECK_NEAR(0, v.z, 0.001);
    }
}

/* A door placed upside down must return to its frame, as without loops. */
static void bodies_far_off_come_near(void)
{
    vsp_transform pose;
    vsp_body_id frame;

    new_free_world(20);
    frame = add_body(world, VSP_STATIC, link_shape(0), 0, 0, 0);
    link_id[0] = add_body(world, VSP_DYNAMIC, link_shape(0), 0.5, 0, 0);
    links = 1;
    hinge[0] = join_links(frame, link_id[0], real3(0, 0.2, 0), real3(0, 1, 0));
    join_links(frame, link_id[0], real3(0, -0.2, 0), real3(0, 1, 0));
    pose = vsp_body_transform(world, link_id[0]);
    pose.rotation = turn(170, 1, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, link_id[0], pose));
    step_world(world, 300);
    CHECK_AT_MOST(0.001, worst_parting());
}

/* The links' principal axes of inertia are rotated: projecting the velocities
 * must not add energy. */
static void projection_adds_no_energy(void)
{
    double energy, first;

    new_ring(8, VSP_DYNAMIC, VSP_STEPPER_PGS, 20, 0);
    for (int i = 0; i < links; i++) {
        vsp_shape_def side = vsp_box(real(0.02), real(0.1), real(0.02));

        side.pose.position = real3(0.03, 0.08, 0.05);
        side.pose.rotation = turn(35, 0.6, 0, 0.8);
        side.filter.group = -1;
        CHECK_STATUS(VSP_OK, vsp_shape_create(world, link_id[i], &side, NULL));
    }
    CHECK_UINT(1, vsp_hinge_loop_count(world));
    kick_ring();
    step_world(world, 1);
    first = energy = total_energy(world);
    for (int i = 0; i < 500; i++) {
        double now;

        step_world(world, 1);
        now = total_energy(world);
        CHECK_AT_MOST(energy * TOLERANCE(1.0001, 1.002), now);
        energy = now;
    }
    CHECK_AT_LEAST(0.001, energy);
    CHECK_AT_MOST(first, energy);
}

static void rings_sleep(void)
{
    vsp_world_def def = vsp_world_def_default();

    def.dt = real(0.01);
    world = new_world_of(&def);
    add_ground(world);
    add_ring(24, VSP_DYNAMIC, 0.03, false);
    step_world(world, 600);
    CHECK_UINT(0, vsp_world_stats(world).awake_count);
    CHECK_UINT(0, vsp_hinge_loop_count(world));
    CHECK_STATUS(VSP_OK, vsp_body_set_awake(world, link_id[7], true));
    step_world(world, 1);
    CHECK_UINT(1, vsp_hinge_loop_count(world));
}

/* Loops are not state. */
static void a_ring_can_be_restored(void)
{
    uint32_t hash;
    size_t size;

    new_ring(12, VSP_DYNAMIC, VSP_STEPPER_CARRY, 20, 9.81);
    kick_ring();
    step_world(world, 20);
    size = save_world(world, 0);
    step_world(world, 20);
    hash = vsp_world_hash(world);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    step_world(world, 20);
    CHECK_HEX(hash, vsp_world_hash(world));
}


/* ---- Which joints are a loop --------------------------------------------- */

static void new_small_ring(void)
{
    new_ring(6, VSP_DYNAMIC, VSP_STEPPER_CARRY, 20, 0);
}

/* Closes a chain, a ring of six minus one hinge, by a hinge whose axis is
 * tilted and whose anchor on its second body is too high. */
static void close_ring(vsp_joint_type type, double degrees, double high)
{
    vsp_joint_def def = vsp_joint_def_default();
    double far = 6 * LINK / (2 * PI) / cos(PI / 6);

    new_small_ring();
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, hinge[0]));
    CHECK_UINT(0, vsp_hinge_loop_count(world));
    def.type = type;
    def.body_a = link_id[5];
    def.body_b = link_id[0];
    CHECK_STATUS(VSP_OK, vsp_joint_place(world, &def, real3(far, 5, 0),
                                         real3(0, cos(degrees * PI / 180),
                                               sin(degrees * PI / 180))));
    def.frame_b.position.y = real(num(def.frame_b.position.y) + high);
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, &hinge[0]));
}

static void loops_must_close_and_fit(void)
{
    new_small_ring();
    CHECK_UINT(1, vsp_hinge_loop_count(world));
    close_ring(VSP_JOINT_HINGE, 0, 0);
    CHECK_UINT(1, vsp_hinge_loop_count(world));
    close_ring(VSP_JOINT_HINGE, 180, 0); /* the axis may point backwards */
    CHECK_UINT(1, vsp_hinge_loop_count(world));
    close_ring(VSP_JOINT_HINGE, 0.03, 0.0002);
    CHECK_UINT(1, vsp_hinge_loop_count(world));
    close_ring(VSP_JOINT_HINGE, 0.1, 0);
    CHECK_UINT(0, vsp_hinge_loop_count(world));
    close_ring(VSP_JOINT_HINGE, 0, 0.001);
    CHECK_UINT(0, vsp_hinge_loop_count(world));
    close_ring(VSP_JOINT_BALL, 0, 0);
    CHECK_UINT(0, vsp_hinge_loop_count(world));
}

static void locked_bodies_are_left_out(void)
{
    new_small_ring();
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_locks(world, link_id[2], VSP_LOCK_TURN_X));
    CHECK_UINT(0, vsp_hinge_loop_count(world));
}

/* A door on two hinges is a loop of two bodies, also on two static bodies, but
 * not if one of them is kinematic. */
static void doors_are_loops(void)
{
    vsp_body_id frame, other, door, mover;

    new_small_ring();
    frame = add_body(world, VSP_STATIC, link_shape(0), 9, 0, 0);
    other = add_body(world, VSP_STATIC, link_shape(0), 9, 2, 0);
    door = add_body(world, VSP_DYNAMIC, link_shape(0), 10, 1, 0);
    join_links(frame, door, real3(9.5, 0.5, 0), real3(0, 1, 0));
    CHECK_UINT(1, vsp_hinge_loop_count(world));
    hinge[0] = join_links(door, frame, real3(9.5, 1.5, 0), real3(0, -1, 0));
    CHECK_UINT(2, vsp_hinge_loop_count(world));
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, hinge[0]));
    hinge[0] = join_links(other, door, real3(9.5, 1.5, 0), real3(0, 1, 0));
    CHECK_UINT(2, vsp_hinge_loop_count(world));
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, hinge[0]));
    mover = add_body(world, VSP_KINEMATIC, link_shape(0), 9, 3, 0);
    join_links(mover, door, real3(9.5, 1.5, 0), real3(0, 1, 0));
    CHECK_UINT(1, vsp_hinge_loop_count(world));
}

/* A bar joins two rings by hinges with other axes: both must stay loops. */
static void rings_may_be_joined_across(void)
{
    vsp_body_id bar, first;

    new_small_ring();
    first = link_id[0];
    add_ring(6, VSP_DYNAMIC, 6, false);
    CHECK_UINT(2, vsp_hinge_loop_count(world));
    bar = add_body(world, VSP_DYNAMIC, link_shape(0), 0, 5.5, 1);
    join_links(first, bar, real3(0, 5, 1), real3(1, 0, 0));
    join_links(bar, link_id[0], real3(0, 6, 1), real3(1, 0, 0));
    CHECK_UINT(2, vsp_hinge_loop_count(world));
    check_flat(false, 100);
}

/* Joints that may break must report their whole impulse, so they are in no
 * loop. */
static void loops_that_may_break_are_left_to_sweeps(void)
{
    new_small_ring();
    CHECK_STATUS(VSP_OK,
                 vsp_joint_set_strength(world, hinge[3], real(0), real(10)));
    CHECK_UINT(0, vsp_hinge_loop_count(world));
}

static void a_world_may_do_without_hinge_loops(void)
{
    vsp_world_def def = vsp_world_def_default();

    def.enable_hinge_loops = false;
    world = new_world_of(&def);
    add_ring(6, VSP_DYNAMIC, 5, false);
    CHECK_UINT(0, vsp_hinge_loop_count(world));
    CHECK_UINT(0, vsp_hinge_loop_count(NULL));
    step_world(world, 10);
}

static const test tests[] = {
    TEST(held_rings_stay_level),
    TEST(free_rings_keep_momentum),
    TEST(rings_walk_over_obstacles),
    TEST(rings_follow_what_holds_them),
    TEST(what_lies_on_a_held_ring_rests),
    TEST(free_rings_hang_on_bars),
    TEST(doubled_hinges_agree),
    TEST(thin_rows_fly_on),
    TEST(bodies_far_off_come_near),
    TEST(projection_adds_no_energy),
    TEST(rings_sleep),
    TEST(a_ring_can_be_restored),
    TEST(loops_must_close_and_fit),
    TEST(locked_bodies_are_left_out),
    TEST(doors_are_loops),
    TEST(rings_may_be_joined_across),
    TEST(loops_that_may_break_are_left_to_sweeps),
    TEST(a_world_may_do_without_hinge_loops),
    TEST_END,
};

#else

static const test tests[] = {TEST_END};

#endif

extern const test_suite hinge_loop_suite;

const test_suite hinge_loop_suite = {"hinge_loop", tests};
