/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Ranges: heavy loads hang and swing on light chains; joints report the
 * impulses of ranges; bounds hold for every pose that joints allow; which
 * chains get a range.  Webs: rope bridges and cable cars. */

#include "fixture.h"
#include "port/scenes/scene.h"
#include "port/vec_libm.h"

#if VSP_RANGES

#define G 9.81
#define LINK 0.2 /* length of a link, m */
#define LINK_MASS (LINK * 0.05 * 0.05 * 1000)
#define RADIUS 0.4 /* radius of a load, m */
#define MAX_LINKS 100

static vsp_world *world;
static vsp_body_id hook, body[MAX_LINKS + 1];
static vsp_joint_id joint[MAX_LINKS + 2];
static double top; /* height of the hook, m */


/* ---- Worlds ------------------------------------------------------------- */

static vsp_world_def settings(vsp_stepper stepper, double hertz)
{
    vsp_world_def def = vsp_world_def_default();

    def.stepper = stepper;
    def.dt = real(1 / hertz);
    def.enable_sleep = false;
    def.reports = VSP_REPORT_JOINT;
    return def;
}

static vsp_body_id add_apart(vsp_body_type type, vsp_shape_def shape, double x,
                             double y)
{
    shape.filter.group = -1;
    return add_body(world, type, shape, x, y, 0);
}

static vsp_joint_id join_bodies(vsp_body_id a, vsp_body_id b, double x,
                                double y)
{
    vsp_joint_def def = vsp_joint_def_default();
    vsp_joint_id id;

    def.type = VSP_JOINT_BALL;
    def.body_a = a;
    def.body_b = b;
    CHECK_STATUS(VSP_OK,
                 vsp_joint_place(world, &def, real3(x, y, 0), real3(0, 1, 0)));
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, &id));
    return id;
}

static vsp_body_id add_load(double ratio, double x, double y)
{
    vsp_shape_def ball = vsp_sphere(real(RADIUS));

    ball.density = real(ratio * LINK_MASS /
                        (4.0 / 3 * PI * RADIUS * RADIUS * RADIUS));
    return add_apart(VSP_DYNAMIC, ball, x, y - RADIUS);
}

static vsp_body_id add_link(double x, double y)
{
    return add_apart(VSP_DYNAMIC,
                     vsp_box(real(0.025), real(LINK / 2), real(0.025)), x,
                     y - LINK / 2);
}

static vsp_body_id add_hook(double x, double y)
{
    return add_apart(VSP_STATIC, vsp_box(real(0.05), real(0.05), real(0.05)), x,
                     y + 0.05);
}

/* Hangs a load of `ratio` links' mass on `links` links; the load moves
 * sideways. */
static void hang_load(const vsp_world_def *def, int links, double ratio,
                      double speed)
{
    vsp_body_id last;

    world = new_world_of(def);
    top = LINK * links + 1.5;
    last = hook = add_hook(0, top);
    for (int i = 0; i < links; i++) {
        body[i] = add_link(0, top - LINK * i);
        joint[i] = join_bodies(last, body[i], 0, top - LINK * i);
        last = body[i];
    }
    body[links] = add_load(ratio, 0, top - LINK * links);
    joint[links] = join_bodies(last, body[links], 0, top - LINK * links);
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_velocity(world, body[links], real3(speed, 0, 0),
                                       real3(0, 0, 0)));
}

static double size(vsp_vec3 v)
{
    return sqrt(num(v.x) * num(v.x) + num(v.y) * num(v.y) +
                num(v.z) * num(v.z));
}

/* load of a joint, N s */
static double load_of(vsp_joint_id id)
{
    vsp_joint_state state = {0};

    CHECK_STATUS(VSP_OK, vsp_joint_read(world, id, &state));
    return size(state.impulse);
}

static double parting(int joints)
{
    double most = 0;

    for (int i = 0; i < joints; i++) {
        vsp_joint_state state = {0};

        CHECK_STATUS(VSP_OK, vsp_joint_read(world, joint[i], &state));
        most = fmax(most, num(state.error));
    }
    return most;
}

static double mass_of(vsp_body_id id)
{
    return num(vsp_body_mass(world, id));
}

/* energy of the first bodies over their weight, m */
static double lifted(int bodies)
{
    double energy = 0, mass = 0;

    for (int i = 0; i < bodies; i++) {
        double v = size(vsp_body_velocity(world, body[i])),
               m = mass_of(body[i]);

        energy += m * (G * num(vsp_body_center(world, body[i]).y) + v * v / 2);
        mass += m;
    }
    return energy / mass / G;
}


/* ---- Loads on chains ---------------------------------------------------- */

/* the largest values of a run, m */
typedef struct swing {
    double parted, stretch, rise, lift;
} swing;

static swing play_swing(int links, double ratio, vsp_stepper stepper,
                        double hertz, double seconds)
{
    vsp_world_def def = settings(stepper, hertz);
    double energy, height;
    swing worst = {0, 0, 0, 0};

    test_note("%d links, 1:%g, stepper %d, %g Hz", links, ratio, (int)stepper,
              hertz);
    hang_load(&def, links, ratio, 2);
    energy = lifted(links + 1);
    height = num(vsp_body_center(world, body[links]).y);
    for (int i = 0; i < (int)(seconds * hertz); i++) {
        vsp_vec3 at;

        step_world(world, 1);
        at = vsp_body_center(world, body[links]);
        worst.parted = fmax(worst.parted, parting(links + 1));
        worst.rise = fmax(worst.rise, lifted(links + 1) - energy);
        worst.lift = fmax(worst.lift, num(at.y) - height);
        at.y -= real(top);
        worst.stretch = fmax(worst.stretch, size(at) - (LINK * links + RADIUS));
    }
    return worst;
}

/* Returns how high a load rises that begins with 2 m/s.  Links at rest then
 * take some of the energy, as they are pulled along. */
static double ideal_lift(int links, double ratio)
{
    return 4 / (2 * G) * ratio / (ratio + links / 2.0);
}

static void check_swing(int links, double ratio, vsp_stepper stepper,
                        double hertz, double seconds)
{
    swing worst = play_swing(links, ratio, stepper, hertz, seconds);
    double ideal = ideal_lift(links, ratio);

    CHECK_AT_MOST(0.001, worst.stretch);
    CHECK_AT_MOST(hertz < 100 ? 0.015 : 0.005, worst.parted);
    CHECK_AT_MOST(hertz < 100 ? 0.01 : 0.005, worst.rise);
    CHECK_NEAR(ideal, worst.lift, 0.05 * ideal);
}

static void heavy_loads_swing_on_light_links(void)
{
    static const vsp_stepper all[] = {VSP_STEPPER_CARRY, VSP_STEPPER_PGS,
                                      VSP_STEPPER_SHOCK, VSP_STEPPER_SUBSPACE};

    for (size_t i = 0; i < COUNT_OF(all); i++)
        check_swing(20, 1000, all[i], 100, 3);
    check_swing(20, 10000, VSP_STEPPER_CARRY, 100, 3);
    check_swing(100, 1000, VSP_STEPPER_CARRY, 100, 3);
    check_swing(100, 10000, VSP_STEPPER_CARRY, 100, 3);
}

static void heavy_loads_swing_in_long_steps(void)
{
    check_swing(20, 1000, VSP_STEPPER_CARRY, 60, 3);
    check_swing(20, 10000, VSP_STEPPER_CARRY, 30, 3);
    check_swing(100, 1000, VSP_STEPPER_CARRY, 30, 3);
}

/* All steppers, ratios and rates, for a longer time. */
static void heavy_loads_swing_for_long(void)
{
    static const double hertz[] = {100, 60, 30};
    double time = is_long() ? 20 : 3;

    for (int links = 20; links <= 100; links += 80)
        for (double ratio = 1000; ratio <= 10000; ratio *= 10)
            for (size_t i = 0; i < COUNT_OF(hertz); i++) {
                check_swing(links, ratio, VSP_STEPPER_CARRY, hertz[i], time);
                check_swing(links, ratio, VSP_STEPPER_SUBSPACE, hertz[i], time);
                if (links > 20 && hertz[i] < 60)
                    continue; /* too hard for PGS and SHOCK: docs/LIMITS.md */
                check_swing(links, ratio, VSP_STEPPER_PGS, hertz[i], time);
                check_swing(links, ratio, VSP_STEPPER_SHOCK, hertz[i], time);
            }
}

/* Ratios from the least that counts as heavy: energy must never rise. */
static void loads_of_any_ratio_swing(void)
{
    for (double ratio = 70; ratio < 1000; ratio *= 2) {
        swing worst = play_swing(20, ratio, VSP_STEPPER_CARRY, 100, 3);

        CHECK_AT_MOST(0.001, worst.stretch);
        CHECK_AT_MOST(0.005, worst.parted);
        CHECK_AT_MOST(0.005, worst.rise);
    }
}

static void place_body(vsp_body_id id, double x, double y, double degrees)
{
    vsp_transform pose;

    pose.position = real3(x, y, 0);
    pose.rotation = turn(degrees, 0, 0, 1);
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, id, pose));
}

/* A load falls into a chain that is slack at first.  As far as sweeps and
 * layers allow, it must never rise above its start, and it must hang in the
 * end. */
static void loads_may_jerk(void)
{
    static const double hertz[] = {100, 60, 30};

    for (size_t i = 0; i < COUNT_OF(hertz); i++) {
        vsp_world_def def = settings(VSP_STEPPER_CARRY, hertz[i]);
        double most = 0;

        test_note("%g Hz", hertz[i]);
        hang_load(&def, 16, 1000, 0);
        place_body(body[16], 0.3, top, 0);
        for (int k = 0; k < 16; k++)
            place_body(body[k], LINK * (k < 8 ? k + 0.5 : 15.5 - k), top,
                       k < 8 ? 90 : -90);
        for (int k = 0; k < (int)(10 * hertz[i]); k++) {
            step_world(world, 1);
            most = fmax(most, num(vsp_body_center(world, body[16]).y));
        }
        CHECK_AT_MOST(top + 0.01, most);
        CHECK_AT_MOST(0.01, parting(17));
    }
}

static void joints_bear_what_ranges_bear(void)
{
    static const vsp_stepper all[] = {VSP_STEPPER_CARRY, VSP_STEPPER_PGS,
                                      VSP_STEPPER_SUBSPACE};

    for (size_t i = 0; i < COUNT_OF(all); i++) {
        vsp_world_def def = settings(all[i], 100);
        double weight = 0;

        test_note("stepper %d", (int)all[i]);
        hang_load(&def, 20, 1000, 0);
        step_world(world, 100);
        for (int k = 20; k >= 0; k--) {
            weight += mass_of(body[k]) * G / 100;
            CHECK_NEAR(weight, load_of(joint[k]), 0.001 * weight);
        }
    }
}

/* A joint in the middle must hold or break by the impulse that the range
 * carries for it. */
static void joints_under_ranges_break(void)
{
    for (int k = 0; k < 2; k++) {
        vsp_world_def def = settings(VSP_STEPPER_CARRY, 100);
        vsp_joint_state state;

        hang_load(&def, 20, 1000, 0);
        CHECK_STATUS(VSP_OK,
                     vsp_joint_set_strength(world, joint[10],
                                            real((k == 0 ? 1.05 : 0.95) *
                                                 mass_of(body[20]) * G / 100),
                                            real(0)));
        step_world(world, 30);
        CHECK_STATUS(VSP_OK, vsp_joint_read(world, joint[10], &state));
        CHECK(state.is_broken == (k == 1));
        CHECK_UINT(k == 0 ? 1 : 0, vsp_range_count(world));
        CHECK((num(vsp_body_velocity(world, body[20]).y) < -0.5) == (k == 1));
    }
}

/* The chain must fall asleep with its load, and wake up with it. */
static void loads_sleep(void)
{
    vsp_world_def def = settings(VSP_STEPPER_CARRY, 60);
    double weight;

    def.enable_sleep = true;
    hang_load(&def, 20, 1000, 0);
    weight = mass_of(body[20]) * G / 60;
    step_world(world, 300);
    CHECK(!vsp_body_is_awake(world, body[20]));
    CHECK_NEAR(weight, load_of(joint[20]), 0.001 * weight);
    CHECK_STATUS(VSP_OK, vsp_body_set_awake(world, body[20], true));
    step_world(world, 10);
    CHECK_NEAR(weight, load_of(joint[20]), 0.001 * weight);
    CHECK_AT_MOST(0.0001, parting(21));
}


/* ---- Chains that get a range -------------------------------------------- */

static uint32_t ranges_of(int links, double ratio)
{
    vsp_world_def def = settings(VSP_STEPPER_CARRY, 60);

    hang_load(&def, links, ratio, 0);
    return vsp_range_count(world);
}

static vsp_range range_at(uint32_t index)
{
    vsp_range range = {0};

    CHECK_STATUS(VSP_OK, vsp_range_get(world, index, &range));
    return range;
}

static void only_heavy_loads_get_ranges(void)
{
    vsp_range range;

    CHECK_UINT(0, ranges_of(20, 1));
    CHECK_UINT(0, ranges_of(20, 63));
    CHECK_UINT(1, ranges_of(20, 66));
    CHECK_UINT(0, ranges_of(80, 66));  /* lighter than its chain */
    CHECK_UINT(0, ranges_of(0, 1000)); /* nothing is in between */
    CHECK_UINT(1, ranges_of(1, 1000));
    CHECK_UINT(1, ranges_of(20, 1000));
    range = range_at(0);
    CHECK_UINT(joint[0].bits, range.start.bits);
    CHECK_UINT(joint[20].bits, range.end.bits);
    CHECK_UINT(hook.bits, range.body_a.bits);
    CHECK_UINT(body[20].bits, range.body_b.bits);
    CHECK_NEAR(0, num(range.low), 0);
    CHECK_NEAR(4, num(range.high), 1e-5);
    CHECK_NEAR(4, num(range.distance), 1e-5);
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, joint[7]));
    CHECK_UINT(0, vsp_range_count(world));
}

/* Many loads at the end of one chain exhaust the budget of the search, which
 * follows the chain to each, joint by joint. */
static void ways_beyond_the_budget_get_no_range(void)
{
    vsp_world_def def = settings(VSP_STEPPER_CARRY, 60);

    def.capacity.joints = 80;
    hang_load(&def, 40, 1000, 0);
    for (int i = 1; i < 40; i++) {
        vsp_body_id load = add_load(1000, i, top - LINK * 40);

        join_bodies(body[39], load, 0, top - LINK * 40);
    }
    step_world(world, 1);
    CHECK_UINT(VSP_SPENT_WAYS, vsp_world_stats(world).spent);
    CHECK_UINT(16 * 80 / 41, vsp_range_count(world));
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, joint[0]));
    step_world(world, 1);
    CHECK_UINT(0, vsp_world_stats(world).spent);
}

/* A second load below the first has a range to it.  A load on two chains has
 * ranges to both hooks, whatever their lengths. */
static void loads_may_share_chains(void)
{
    vsp_body_id last, below;
    vsp_range range;

    CHECK_UINT(1, ranges_of(20, 1000));
    last = body[20];
    for (int i = 0; i < 5; i++) {
        vsp_body_id link = add_link(0, -5 - LINK * i);

        join_bodies(last, link, 0, -5 - LINK * i);
        last = link;
    }
    below = add_load(500, 0, -5 - LINK * 5);
    join_bodies(last, below, 0, -5 - LINK * 5);
    CHECK_UINT(2, vsp_range_count(world));
    range = range_at(1);
    CHECK_UINT(body[20].bits, range.body_a.bits);
    CHECK_UINT(below.bits, range.body_b.bits);
    last = add_hook(1, top);
    for (int i = 0; i < 12; i++) {
        vsp_body_id link = add_link(1, top - LINK * i);

        join_bodies(last, link, 1, top - LINK * i);
        last = link;
    }
    join_bodies(last, body[20], 1, top - LINK * 12);
    CHECK_UINT(3, vsp_range_count(world));
    range = range_at(2);
    CHECK_UINT(body[20].bits, range.body_b.bits);
    CHECK_NEAR(LINK * 12, num(range.high), 1e-5);
}

/* Two loads, one below the other, and a load on two chains: the chains must be
 * as straight, and their joints must carry the weights. */
static void loads_on_loads_hang(void)
{
    vsp_world_def def = settings(VSP_STEPPER_CARRY, 60);
    double y, weight;
    vsp_body_id last, below;
    vsp_joint_id id = {0};

    hang_load(&def, 20, 1000, 0);
    last = body[20];
    y = top - LINK * 20 - 2 * RADIUS;
    for (int i = 0; i <= 5; i++) {
        below = i < 5 ? add_link(0, y - LINK * i)
                      : add_load(500, 0, y - 5 * LINK);
        id = join_bodies(last, below, 0, y - LINK * i);
        last = below;
    }
    y = num(vsp_body_center(world, below).y);
    step_world(world, 300);
    weight = mass_of(below) * G / 60;
    CHECK_NEAR(weight, load_of(id), 0.01 * weight);
    weight += mass_of(body[20]) * G / 60;
    CHECK_NEAR(weight, load_of(joint[20]), 0.01 * weight);
    CHECK_NEAR(y, num(vsp_body_center(world, below).y), 0.0005);
    CHECK_AT_MOST(0.001, parting(21));
}

/* A hook rises with chain and load.  The load's joint is 3 cm off: layers must
 * correct that, and no body may be thrown. */
static void hooks_may_move(void)
{
    vsp_world_def def = settings(VSP_STEPPER_CARRY, 60);
    vsp_vec3 still = real3(0, 0, 0), up = real3(0, 5, 0);
    vsp_transform pose;
    double y;

    def.gravity = still;
    hang_load(&def, 4, 1000, 0);
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, hook));
    hook = add_apart(VSP_KINEMATIC, vsp_sphere(real(0.05)), 0, top);
    joint[0] = join_bodies(hook, body[0], 0, top);
    pose = vsp_body_transform(world, body[4]);
    y = num(pose.position.y) + 0.03;
    pose.position.y = real(y);
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, body[4], pose));
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, hook, up, still));
    for (int i = 0; i <= 4; i++)
        CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, body[i], up, still));
    CHECK_UINT(1, vsp_range_count(world));
    step_world(world, 1);
    pose = vsp_body_transform(world, body[4]);
    CHECK_NEAR(y + 5.0 / 60, num(pose.position.y), 0.035);
}

static void a_world_may_do_without_ranges(void)
{
    vsp_world_def def = settings(VSP_STEPPER_CARRY, 100);

    def.enable_ranges = false;
    hang_load(&def, 20, 1000, 2);
    CHECK_UINT(0, vsp_range_count(world));
    step_world(world, 10);
    def.subspace.search = 4; /* the bit of this setting in the state */
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_world_create(arena(1), ARENA_BYTES, &def, &world));
}

static void bad_arguments_are_refused(void)
{
    vsp_range range;

    CHECK_UINT(0, vsp_range_count(NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_range_get(NULL, 0, &range));
    CHECK_UINT(1, ranges_of(20, 1000));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_range_get(world, 0, NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_range_get(world, 1, &range));
    CHECK_STATUS(VSP_OK, vsp_range_get(world, 0, &range));
}

/* A state must hold all that affects later steps: also of a swinging chain, in
 * each stepper, whatever queries come between steps. */
static void a_swing_can_be_restored(void)
{
    for (int stepper = 0; stepper < 4; stepper++) {
        vsp_world_def def = settings((vsp_stepper)stepper, 100);
        uint32_t hash;
        size_t bytes;

        test_note("stepper %d", stepper);
        hang_load(&def, 20, 1000, 2);
        step_world(world, 57);
        bytes = save_world(world, 0);
        step_world(world, 40);
        hash = vsp_world_hash(world);
        CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), bytes));
        CHECK_UINT(1, vsp_range_count(world));
        step_world(world, 20);
        CHECK_UINT(1, vsp_range_count(world));
        step_world(world, 20);
        CHECK_HEX(hash, vsp_world_hash(world));
    }
}


/* ---- Webs --------------------------------------------------------------- */

#define SLOPE 0.3 /* slope of both halves of a cable, rad */

/* Links that start turned by up to some degrees. */
typedef struct turned_links {
    double most;
    uint32_t random;
} turned_links;

static double next_turn(turned_links *t)
{
    return t->most * ((double)random_below(&t->random, 2001) / 1000 - 1);
}

/* Hangs a load in the middle of a cable between two hooks, both halves of which
 * have this slope. */
static void hang_turned(const vsp_world_def *def, int links, double ratio,
                        double slope, turned_links turns)
{
    double half = LINK * links / 2, reach = half * cos(slope), y;
    vsp_body_id last;

    world = new_world_of(def);
    top = half + 1.5;
    y = top - half * sin(slope);
    last = hook = add_hook(-reach, top);
    for (int i = 0; i < links; i++) {
        double side = i < links / 2 ? -1 : 1, way = i + 0.5 - links / 2.0;
        double x = LINK * way * cos(slope);
        double at = y + LINK * fabs(way) * sin(slope);

        body[i] = add_link(0, 0);
        place_body(body[i], x, at,
                   90 + side * slope * 180 / PI + next_turn(&turns));
        joint[i] = join_bodies(last, body[i], x - LINK / 2 * cos(slope),
                               at - side * LINK / 2 * sin(slope));
        last = body[i];
    }
    joint[links] = join_bodies(last, add_hook(reach, top), reach, top);
    body[links] = add_load(ratio, 0, y);
    joint[links + 1] = join_bodies(body[links / 2 - 1], body[links], 0, y);
}

static const turned_links exact_links = {0, 1};

static void hang_between(const vsp_world_def *def, int links, double ratio)
{
    hang_turned(def, links, ratio, SLOPE, exact_links);
}

/* length of one half of the cable minus that of its links, m */
static double stretch_between(int links)
{
    vsp_transform pose = vsp_body_transform(world, body[links]);
    double x = num(pose.rotation.x), z = num(pose.rotation.z),
           w = num(pose.rotation.w), y = num(pose.rotation.y);
    double hang[3] = {num(pose.position.x) + RADIUS * 2 * (x * y - w * z),
                      num(pose.position.y) + RADIUS * (1 - 2 * (x * x + z * z)),
                      num(pose.position.z) + RADIUS * 2 * (y * z + w * x)};
    double half = LINK * links / 2, reach = half * cos(SLOPE), most = 0;

    for (int side = -1; side <= 1; side += 2) {
        double a = hang[0] - side * reach, b = hang[1] - top;

        most = fmax(most, sqrt(a * a + b * b + hang[2] * hang[2]));
    }
    return most - half;
}

/* A cabin swings across its cable. */
static void check_cable_car(int links, double ratio, vsp_stepper stepper,
                            double hertz, double seconds)
{
    vsp_world_def def = settings(stepper, hertz);
    double parted = 0, stretch = 0, energy, rise = 0;

    test_note("%d links, 1:%g, stepper %d, %g Hz", links, ratio, (int)stepper,
              hertz);
    hang_between(&def, links, ratio);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, body[links],
                                               real3(0, 0, 1), real3(0, 0, 0)));
    energy = lifted(links + 1);
    for (int i = 0; i < (int)(seconds * hertz); i++) {
        step_world(world, 1);
        parted = fmax(parted, parting(links + 2));
        stretch = fmax(stretch, stretch_between(links));
        rise = fmax(rise, lifted(links + 1) - energy);
    }
    CHECK_AT_MOST(hertz < 100 ? 0.015 : 0.005, parted);
    if (hertz >= 100)
        CHECK_AT_MOST(0.001, stretch);
    CHECK_AT_MOST(hertz < 100 ? 0.01 : 0.005, rise);
}

static const vsp_stepper steppers[] = {VSP_STEPPER_CARRY, VSP_STEPPER_PGS,
                                       VSP_STEPPER_SHOCK, VSP_STEPPER_SUBSPACE};

static void cable_cars_hang(void)
{
    double time = is_long() ? 20 : 3;

    for (size_t i = 0; i < COUNT_OF(steppers); i++)
        for (int links = 20; links < MAX_LINKS; links += 70)
            for (double ratio = 1000; ratio <= 10000; ratio *= 10)
                check_cable_car(links, ratio, steppers[i], 100, time);
}

static void cable_cars_hang_in_long_steps(void)
{
    double time = is_long() ? 20 : 3;

    for (size_t i = 0; i < COUNT_OF(steppers); i++)
        for (int links = 20; links < MAX_LINKS; links += 70) {
            check_cable_car(links, 1000, steppers[i], 60, time);
            check_cable_car(links, 1000, steppers[i], 30, time);
            check_cable_car(links, 10000, steppers[i], 60, time);
            check_cable_car(links, 10000, steppers[i], 30, time);
        }
}

/* A straight rope without slack, with a load in its middle, which sags only by
 * the errors of its joints.  It may bounce by some millimetres. */
static void check_turned_rope(int links, double ratio, vsp_stepper stepper,
                              double hertz, double seconds, turned_links turns)
{
    vsp_world_def def = settings(stepper, hertz);
    double parted = 0, energy, rise = 0;

    test_note("%d links, 1:%g, stepper %d, %g Hz, turned by %g degree, seed %u",
              links, ratio, (int)stepper, hertz, turns.most,
              (unsigned)turns.random);
    hang_turned(&def, links, ratio, 0, turns);
    energy = lifted(links + 1);
    for (int i = 0; i < (int)(seconds * hertz); i++) {
        step_world(world, 1);
        parted = fmax(parted, parting(links + 2));
        rise = fmax(rise, lifted(links + 1) - energy);
    }
    CHECK_AT_MOST(0.005, parted);
    CHECK_AT_MOST(0.01, rise);
}

static void check_straight_rope(int links, double ratio, vsp_stepper stepper,
                                double hertz, double seconds)
{
    check_turned_rope(links, ratio, stepper, hertz, seconds, exact_links);
}

static void a_straight_rope_holds(void)
{
    for (size_t i = 0; i < COUNT_OF(steppers); i++) {
        check_straight_rope(20, 100, steppers[i], 60, 1);
        check_straight_rope(20, 1000, steppers[i], 30, 1);
    }
}

static void straight_ropes_hold(void)
{
    static const int links[] = {20, 70, 98};
    static const double hertz[] = {100, 60, 30};
    double time = is_long() ? 3 : 2, least = is_long() ? 100 : 1000;

    for (size_t i = 0; i < COUNT_OF(steppers); i++)
        for (size_t k = 0; k < COUNT_OF(links); k++)
            for (size_t h = 0; h < COUNT_OF(hertz); h++) {
                double most = hertz[h] < 60 ? 1000 : TOLERANCE(10000, 1000);

                for (double ratio = least; ratio <= most; ratio *= 10)
                    check_straight_rope(links[k], ratio, steppers[i], hertz[h],
                                        time);
            }
}

/* A rope whose corrections fold it parts from one start of some dozen; there
 * are 288 at least. */
static void straight_ropes_hold_from_all_starts(void)
{
    static const double hertz[] = {100, 60, 30};
    uint32_t starts = is_long() ? 24 : 6;
    turned_links turns;

    for (size_t i = 0; i < COUNT_OF(steppers); i++)
        for (size_t h = 0; h < COUNT_OF(hertz); h++)
            for (turns.most = 1e-6; turns.most < 2e-3; turns.most *= 10)
                for (uint32_t seed = 1; seed <= starts; seed++) {
                    turns.random = seed;
                    check_turned_rope(20, 1000, steppers[i], hertz[h], 3,
                                      turns);
                    if (seed <= starts / 6) /* 1, or 4 in long */
                        check_turned_rope(98, 1000, steppers[i], hertz[h], 3,
                                          turns);
                }
}

/* Each half of the cable carries half of the load, along its slope; half of the
 * links hang at each hook. */
static double pull_between(int links)
{
    double mass = mass_of(body[links]) + links / 2.0 * LINK_MASS;

    return mass * G / 2 / sin(SLOPE) / 100;
}

static void joints_of_webs_bear_the_load(void)
{
    for (size_t i = 0; i < COUNT_OF(steppers); i++) {
        vsp_world_def def = settings(steppers[i], 100);
        double pull;

        test_note("stepper %d", (int)steppers[i]);
        hang_between(&def, 20, 1000);
        pull = pull_between(20);
        step_world(world, 200);
        for (int k = 0; k <= 20; k++)
            CHECK_NEAR(pull, load_of(joint[k]), 0.01 * pull);
        CHECK_NEAR(mass_of(body[20]) * G / 100, load_of(joint[21]),
                   0.001 * pull);
    }
}

/* The cabin must fall if a joint of its cable is too weak for it. */
static void joints_of_webs_break(void)
{
    for (int k = 0; k < 2; k++) {
        vsp_world_def def = settings(VSP_STEPPER_CARRY, 100);
        vsp_joint_state state;

        hang_between(&def, 20, 1000);
        step_world(world, 50);
        CHECK_STATUS(VSP_OK,
                     vsp_joint_set_strength(
                         world, joint[5],
                         real((k == 0 ? 1.05 : 0.95) * pull_between(20)),
                         real(0)));
        step_world(world, 30);
        CHECK_STATUS(VSP_OK, vsp_joint_read(world, joint[5], &state));
        CHECK(state.is_broken == (k == 1));
        CHECK((num(vsp_body_velocity(world, body[20]).y) < -0.5) == (k == 1));
    }
}

static void webs_sleep_and_are_restored(void)
{
    vsp_world_def def = settings(VSP_STEPPER_CARRY, 60);
    uint32_t hash;
    size_t bytes;

    def.enable_sleep = true;
    hang_between(&def, 20, 1000);
    step_world(world, 57);
    bytes = save_world(world, 0);
    step_world(world, 300);
    CHECK(!vsp_body_is_awake(world, body[20]));
    CHECK_AT_MOST(0.0001, parting(22));
    CHECK_STATUS(VSP_OK, vsp_body_set_awake(world, body[20], true));
    step_world(world, 10);
    CHECK_AT_MOST(0.0001, parting(22));
    hash = vsp_world_hash(world);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), bytes));
    step_world(world, 300);
    CHECK_STATUS(VSP_OK, vsp_body_set_awake(world, body[20], true));
    step_world(world, 10);
    CHECK_HEX(hash, vsp_world_hash(world));
}

/* energy of all bodies over their weight, m */
static double lifted_world(void)
{
    double energy = 0, mass = 0;

    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id id = vsp_body_at(world, slot);
        double v, m;

        if (id.bits == 0)
            continue;
        m = mass_of(id);
        v = size(vsp_body_velocity(world, id));
        mass += m;
        energy += m * (G * num(vsp_body_center(world, id).y) + v * v / 2);
    }
    return energy / mass / G;
}

static double parting_of_world(void)
{
    double most = 0;

    for (uint32_t slot = 0; slot < VSP_MAX_JOINTS; slot++) {
        vsp_joint_state state = {0};

        if (vsp_joint_at(world, slot).bits == 0)
            break;
        CHECK_STATUS(VSP_OK,
                     vsp_joint_read(world, vsp_joint_at(world, slot), &state));
        most = fmax(most, num(state.error));
    }
    return most;
}

static double lowest_of_world(void)
{
    double low = 10;

    for (uint32_t slot = 1; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id id = vsp_body_at(world, slot);

        if (id.bits != 0 && mass_of(id) > 0)
            low = fmin(low, num(vsp_body_center(world, id).y));
    }
    return low;
}

/* Crates fall on a rope bridge, and balls roll over it. */
static void check_rope_bridge(const char *name, vsp_stepper stepper,
                              double hertz, int steps)
{
    scene_variant variant;
    const scene *found = scene_find(name, &variant);
    scene_run run = {0};
    vsp_world_def def;
    double most = 0, last = 0, low = 10, energy, rise = 0;

    test_note("%s, stepper %d, %g Hz", name, (int)stepper, hertz);
    if (!CHECK(found))
        return;
    def = scene_world_def(found);
    def.stepper = stepper;
    def.dt = real(1 / hertz);
    world = run.world = new_world_of(&def);
    if (!CHECK(scene_start(&run, found, variant)))
        return;
    energy = lifted_world();
    for (int i = 0; i < steps; i++) {
        step_world(world, 1);
        last = parting_of_world();
        most = fmax(most, last);
        low = fmin(low, lowest_of_world());
        rise = fmax(rise, lifted_world() - energy);
    }
    CHECK_AT_MOST(hertz < 100 ? 0.015 : 0.004, most);
    if (steps >= 2000) /* at rest */
        CHECK_AT_MOST(0.00001, last);
    CHECK_AT_LEAST(0.5, low); /* it hangs 1 m above the ground */
    CHECK_AT_MOST(0.01, rise);
}

static void a_rope_bridge_holds(void)
{
    for (size_t i = 0; i < COUNT_OF(steppers); i++)
        check_rope_bridge("rope-bridge", steppers[i], 100, 100);
}

/* The crates land in the first half second. */
static void a_rope_bridge_holds_in_long_steps(void)
{
    check_rope_bridge("rope-bridge:20", VSP_STEPPER_CARRY, 60, 30);
    check_rope_bridge("rope-bridge:20", VSP_STEPPER_PGS, 30, 15);
}

static void rope_bridges_hold_in_long_steps(void)
{
    int time = is_long() ? 20 : 2;

    for (size_t i = 0; i < COUNT_OF(steppers); i++)
        for (int hertz = 60; hertz >= 30; hertz /= 2) {
            check_rope_bridge("rope-bridge:20", steppers[i], hertz,
                              time * hertz);
            check_rope_bridge("rope-bridge", steppers[i], hertz, time * hertz);
        }
}

/* 1,132 joints */
static void a_long_rope_bridge_holds(void)
{
    for (size_t i = 0; i < COUNT_OF(steppers); i++) {
        check_rope_bridge("rope-bridge:376", steppers[i], 100,
                          is_long() ? 2000 : 60);
        check_rope_bridge("rope-bridge:376", steppers[i], 30,
                          is_long() ? 600 : 30);
    }
}


/* ---- Bounds ------------------------------------------------------------- */

typedef struct spin4 { /* a rotation */
    double x, y, z, w;
} spin4;

static uint32_t seed;

static double chance(double low, double high)
{
    seed = seed * 1664525u + 1013904223u;
    return low + (high - low) * (seed >> 8) / 16777216.0;
}

static spin4 spin_mul(spin4 a, spin4 b)
{
    spin4 q = {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
               a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
               a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
               a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};

    return q;
}

static spin4 spin_back(spin4 q)
{
    spin4 p = {-q.x, -q.y, -q.z, q.w};

    return p;
}

static vec3 spin_vec(spin4 q, vsp_vec3 at)
{
    spin4 v = {num(at.x), num(at.y), num(at.z), 0};
    vec3 out;

    v = spin_mul(spin_mul(q, v), spin_back(q));
    out.x = v.x;
    out.y = v.y;
    out.z = v.z;
    return out;
}

static spin4 spin_about(double angle, double x, double y, double z)
{
    double s = sin(angle / 2);
    spin4 q = {s * x, s * y, s * z, cos(angle / 2)};

    return q;
}

static spin4 spin_of(vsp_quat q)
{
    double x = num(q.x), y = num(q.y), z = num(q.z), w = num(q.w);
    double n = sqrt(x * x + y * y + z * z + w * w);
    spin4 p = {x / n, y / n, z / n, w / n};

    return p;
}

static spin4 any_spin(void)
{
    double a = chance(-1, 1), b = chance(-PI, PI), r = sqrt(1 - a * a);

    return spin_about(chance(-PI, PI), r * cos(b), r * sin(b), a);
}

/* Returns a rotation within a joint's limits, often at a limit. */
static spin4 allowed_turn(const vsp_joint_def *def, bool is_flat)
{
    double low = num(def->low), high = num(def->high), a;
    double cone = num(def->cone), end = chance(0, 1);

    if (def->type == VSP_JOINT_FIXED)
        return spin_about(0, 1, 0, 0);
    if (def->type == VSP_JOINT_HINGE && def->enable_limit)
        return spin_about(end < 0.3   ? low
                          : end < 0.6 ? high
                                      : chance(low, high),
                          1, 0, 0);
    if (def->type == VSP_JOINT_HINGE)
        return spin_about(chance(-PI, PI), 1, 0, 0);
    a = is_flat ? (end < 0.5 ? 0 : PI) : chance(-PI, PI);
    return spin_mul(
        spin_about(end < 0.4 ? cone : chance(0, cone), 0, cos(a), sin(a)),
        spin_about(is_flat ? 0 : chance(-PI, PI), 1, 0, 0));
}

/* Returns a joint with random frames and limits; the two frames of a link are
 * apart. */
static vsp_joint_def random_joint(bool is_equal)
{
    vsp_joint_def def = vsp_joint_def_default();
    double length = is_equal ? 0.5 : chance(0.05, 1), kind = chance(0, 1);
    double wild = chance(0, 1) < 0.5 ? 0 : 0.3;
    spin4 q = spin_mul(spin_about(PI / 2, 0, 0, 1),
                       spin_about(chance(-wild, wild), 1, 0, 0));

    def.frame_a.position = real3(wild * chance(-1, 1), 0, 0);
    def.frame_b.position = real3(0, length, wild * chance(-1, 1));
    def.frame_a.rotation.x = def.frame_b.rotation.x = real(q.x);
    def.frame_a.rotation.y = def.frame_b.rotation.y = real(q.y);
    def.frame_a.rotation.z = def.frame_b.rotation.z = real(q.z);
    def.frame_a.rotation.w = def.frame_b.rotation.w = real(q.w);
    def.type = kind < 0.6   ? VSP_JOINT_BALL
               : kind < 0.8 ? VSP_JOINT_HINGE
                            : VSP_JOINT_FIXED;
    if (def.type == VSP_JOINT_BALL)
        def.cone = real(kind < 0.1 ? PI : chance(0, 1.6));
    if (def.type == VSP_JOINT_HINGE) {
        double middle = chance(-1, 1), half = chance(0, 1.2);

        def.frame_a.rotation.x = def.frame_a.rotation.y =
            def.frame_b.rotation.x = def.frame_b.rotation.y = real(0);
        def.frame_a.rotation.z = def.frame_b.rotation.z = real(0);
        def.frame_a.rotation.w = def.frame_b.rotation.w = real(1);
        def.enable_limit = kind < 0.75;
        def.low = real(middle - half);
        def.high = real(middle + half);
    } else if (kind > 0.95) {
        def.type = VSP_JOINT_DISTANCE;
        def.low = real(0.1);
        def.high = real(0.3);
    }
    return def;
}

/* Returns the distance from the first anchor, on the hook, to the last one, on
 * the load, for random angles that the joints allow. */
static double random_distance(const vsp_joint_def *def, int joints)
{
    spin4 turn = {0, 0, 0, 1};
    vec3 at = {0, 0, 0};
    bool is_flat = chance(0, 1) < 0.5;

    for (int i = 0; i < joints; i++) {
        spin4 next = spin_mul(
            spin_mul(spin_mul(turn, spin_of(def[i].frame_a.rotation)),
                     allowed_turn(&def[i], is_flat)),
            spin_back(spin_of(def[i].frame_b.rotation)));
        vec3 a = spin_vec(turn, def[i].frame_a.position);
        vec3 b;

        if (def[i].type == VSP_JOINT_DISTANCE) {
            double way = chance(num(def[i].low), num(def[i].high));
            vec3 off;

            next = any_spin();
            off = spin_vec(any_spin(), real3(way, 0, 0));
            at.x += off.x, at.y += off.y, at.z += off.z;
        }
        b = spin_vec(next, def[i].frame_b.position);
        if (i > 0)
            at.x += a.x, at.y += a.y, at.z += a.z;
        if (i < joints - 1)
            at.x -= b.x, at.y -= b.y, at.z -= b.z;
        turn = next;
    }
    return sqrt(at.x * at.x + at.y * at.y + at.z * at.z);
}

/* Makes a chain of random joints; the poses of its bodies do not matter. */
static void make_random_chain(vsp_joint_def *def, int joints, bool is_equal)
{
    vsp_world_def setup = vsp_world_def_default();
    vsp_body_id last;

    world = new_world_of(&setup);
    last = add_hook(0, 0);
    for (int i = 0; i < joints; i++) {
        vsp_body_id next = i < joints - 1 ? add_link(0, 0)
                                          : add_load(1000, 0, 0);

        def[i] = random_joint(is_equal);
        def[i].body_a = last;
        def[i].body_b = next;
        CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def[i], NULL));
        last = next;
    }
}

/* LONG=1 tries 10^6 poses. */
static void bounds_hold_for_all_poses(void)
{
    vsp_joint_def def[9];
    int chains = is_long() ? 10000 : 200, bounded = 0, low = 0;

    seed = 5;
    for (int i = 0; i < chains; i++) {
        int joints = 2 + i % 8;
        vsp_range range;
        double tightness = 0, most = 0;

        test_note("chain %d of %d joints", i, joints);
        make_random_chain(def, joints, i % 3 == 0);
        if (!CHECK_UINT(1, vsp_range_count(world)))
            return;
        range = range_at(0);
        for (int k = 0; k < 100; k++) {
            double d = random_distance(def, joints);

            CHECK_AT_MOST(num(range.high) + 2e-5, d);
            CHECK_AT_LEAST(num(range.low) - 2e-5, d);
            most = fmax(most, d);
        }
        tightness = most / num(range.high);
        bounded += tightness > 0.9;
        low += num(range.low) > 0;
    }
    CHECK_AT_LEAST(chains / 5, bounded); /* the test proves something */
    CHECK_AT_LEAST(chains / 10, low);
}

/* Known bounds: two links at an angle of 90 to 120 degrees; three at 120. */
static void bounds_are_tight(void)
{
    vsp_joint_def def = vsp_joint_def_default();
    vsp_world_def setup = vsp_world_def_default();
    vsp_body_id last;
    vsp_range range;

    for (int links = 2; links <= 3; links++) {
        world = new_world_of(&setup);
        last = add_hook(0, 0);
        for (int i = 0; i <= links; i++) {
            def.type = VSP_JOINT_HINGE;
            def.frame_a.position = real3(0, i > 0 ? -0.5 : 0, 0);
            def.frame_b.position = real3(0, i < links ? 0.5 : 0, 0);
            def.enable_limit = i > 0 && i < links;
            def.low = real(PI / 3);
            def.high = real(links == 2 ? PI / 2 : PI / 3);
            def.body_a = last;
            last = i < links ? add_link(0, 0) : add_load(1000, 0, 0);
            def.body_b = last;
            CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, NULL));
        }
        range = range_at(0);
        CHECK_NEAR(links == 2 ? sqrt(2) : 2, num(range.low), 1e-5);
        CHECK_NEAR(links == 2 ? sqrt(3) : 1 + sqrt(3), num(range.high), 1e-5);
    }
}

static const test tests[] = {
    TEST_SLOW(heavy_loads_swing_on_light_links),
    TEST(heavy_loads_swing_in_long_steps),
    TEST_LONG(heavy_loads_swing_for_long),
    TEST(loads_of_any_ratio_swing),
    TEST(loads_may_jerk),
    TEST(joints_bear_what_ranges_bear),
    TEST(joints_under_ranges_break),
    TEST(loads_sleep),
    TEST(only_heavy_loads_get_ranges),
    TEST(ways_beyond_the_budget_get_no_range),
    TEST(loads_may_share_chains),
    TEST(loads_on_loads_hang),
    TEST(hooks_may_move),
    TEST(a_world_may_do_without_ranges),
    TEST(bad_arguments_are_refused),
    TEST(a_swing_can_be_restored),
    TEST_SLOW(cable_cars_hang),
    TEST_LONG(cable_cars_hang_in_long_steps),
    TEST(a_straight_rope_holds),
    TEST_SLOW(straight_ropes_hold),
    TEST_SLOW(straight_ropes_hold_from_all_starts),
    TEST(joints_of_webs_bear_the_load),
    TEST(joints_of_webs_break),
    TEST(webs_sleep_and_are_restored),
    TEST_SLOW(a_rope_bridge_holds),
    TEST(a_rope_bridge_holds_in_long_steps),
    TEST_LONG(rope_bridges_hold_in_long_steps),
    TEST_LONG(a_long_rope_bridge_holds),
    TEST(bounds_hold_for_all_poses),
    TEST(bounds_are_tight),
    TEST_END,
};

#else

static const test tests[] = {TEST_END};

#endif

extern const test_suite range_suite;
const test_suite range_suite = {"range", tests};
