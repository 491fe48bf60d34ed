/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Impulses reported by contacts and joints: under each stepper the impulses of
 * a step must equal the change of each body's momentum. */

#include "fixture.h"

#include <math.h>
#include <stdio.h>

static vsp_world *world;

static const vsp_stepper steppers[] = {VSP_STEPPER_CARRY, VSP_STEPPER_PGS,
                                       VSP_STEPPER_SHOCK, VSP_STEPPER_SUBSPACE};

static void with_each_stepper(void (*check)(const vsp_world_def *def))
{
    vsp_world_def def = vsp_world_def_default();

    def.enable_sleep = false;
    for (size_t i = 0; i < COUNT_OF(steppers); i++) {
        def.stepper = steppers[i];
        test_note("stepper %d", (int)steppers[i]);
        check(&def);
    }
}

static double length(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z);
}

/* Returns weight times the length of a step, N s. */
static double weight(vsp_body_id id)
{
    return num(vsp_body_mass(world, id)) * 9.81 * num(vsp_world_dt(world));
}


/* ---- Sums over contacts -------------------------------------------------- */

/* Impulses of the contacts of a body in the last step: their sum, the sum of
 * their lengths, and the sum of the upward parts, N s. */
typedef struct load {
    double sum[3], size, up;
} load;

static void add_impulse(load *l, double x, double y, double z, double sign)
{
    l->sum[0] += sign * x;
    l->sum[1] += sign * y;
    l->sum[2] += sign * z;
    l->size += length(x, y, z);
    l->up += fmax(sign * y, 0);
}

static load load_on(vsp_body_id id)
{
    load l = {{0, 0, 0}, 0, 0};
    vsp_contact c;
    uint32_t i, j;

    for (i = 0; i < vsp_contact_count(world); i++) {
        if (!CHECK_STATUS(VSP_OK, vsp_contact_get(world, i, &c)) ||
            (c.body_a.bits != id.bits && c.body_b.bits != id.bits))
            continue;
        for (j = 0; j < c.point_count; j++) {
            const vsp_contact_point *p = &c.points[j];
            double n = num(p->normal_impulse);

            CHECK(n >= 0);
            add_impulse(&l, n * num(c.normal.x) + num(p->friction_impulse.x),
                        n * num(c.normal.y) + num(p->friction_impulse.y),
                        n * num(c.normal.z) + num(p->friction_impulse.z),
                        c.body_b.bits == id.bits ? 1 : -1);
        }
    }
    return l;
}

/* Returns the difference between impulses with gravity and the change of a
 * body's momentum, over the sum of their sizes; `before` is its velocity at the
 * start of the step. */
static double imbalance(vsp_body_id id, vsp_vec3 before)
{
    vsp_vec3 after = vsp_body_velocity(world, id);
    double mass = num(vsp_body_mass(world, id));
    load l = load_on(id);

    l.sum[0] -= mass * (num(after.x) - num(before.x));
    l.sum[1] -= mass * (num(after.y) - num(before.y)) + weight(id);
    l.sum[2] -= mass * (num(after.z) - num(before.z));
    return length(l.sum[0], l.sum[1], l.sum[2]) / (l.size + weight(id));
}


/* ---- Contacts ------------------------------------------------------------ */

static void check_bounce(const vsp_world_def *def)
{
    vsp_shape_def shape = vsp_sphere(VSP_R(0.5));
    double largest = 0;
    vsp_body_id ball;
    uint32_t i;

    world = new_world_of(def);
    shape.material.restitution = VSP_R(1.0);
    add_ground(world);
    ball = add_body(world, VSP_DYNAMIC, shape, 0, 1.5, 0);
    for (i = 0; i < 90; i++) {
        vsp_vec3 before = vsp_body_velocity(world, ball);

        step_world(world, 1);
        CHECK_AT_MOST(0.001, imbalance(ball, before));
        largest = fmax(largest, load_on(ball).sum[1]);
    }
    /* from 4.4 m/s downwards to 4.4 m/s upwards */
    CHECK_AT_LEAST(8.0 * num(vsp_body_mass(world, ball)), largest);
}

static void a_bounce_reports_what_it_took(void)
{
    with_each_stepper(check_bounce);
}

static void check_stack(const vsp_world_def *def)
{
    vsp_vec3 before[5];
    vsp_body_id box[5];
    double above = 0;
    uint32_t i;

    world = new_world_of(def);
    add_ground(world);
    for (i = 0; i < COUNT_OF(box); i++)
        box[i] = add_cube(world, 0, 0.5 + i, 0);
    step_world(world, 100);
    for (i = 0; i < COUNT_OF(box); i++)
        before[i] = vsp_body_velocity(world, box[i]);
    step_world(world, 1);
    for (i = COUNT_OF(box); i-- > 0;) {
        above += weight(box[i]);
        test_note("stepper %d, box %u", (int)def->stepper, i);
        CHECK_NEAR(above, load_on(box[i]).up, 0.01 * above);
        CHECK_AT_MOST(0.001, imbalance(box[i], before[i]));
    }
}

static void a_stack_reports_its_weight_at_each_level(void)
{
    with_each_stepper(check_stack);
}

/* A light beam on two posts, whose centres are 4 m apart; a weight on it, 1 m
 * from its centre: one post must carry about three times as much as the
 * other. */
static void check_beam(const vsp_world_def *def)
{
    vsp_shape_def weigh = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    vsp_shape_def long_box = vsp_box(VSP_R(2.5), VSP_R(0.125), VSP_R(0.5));
    vsp_body_id post[2], beam, top;
    double sum, less;

    world = new_world_of(def);
    add_ground(world);
    post[0] = add_cube(world, -2, 0.5, 0);
    post[1] = add_cube(world, 2, 0.5, 0);
    beam = add_body(world, VSP_DYNAMIC, long_box, 0, 1.125, 0);
    weigh.density = VSP_R(10000.0);
    top = add_body(world, VSP_DYNAMIC, weigh, 1, 1.75, 0);
    step_world(world, 200);
    sum = weight(top) + weight(beam) + weight(post[0]) + weight(post[1]);
    CHECK_NEAR(weight(top), load_on(top).up, 0.01 * weight(top));
    CHECK_NEAR(weight(top) + weight(beam), load_on(beam).up, 0.01 * sum);
    CHECK_NEAR(sum, load_on(post[0]).up + load_on(post[1]).up, 0.01 * sum);
    /* the nearer post carries at its inner edge, 0.5 m from the weight, or at
     * its outer one; so does the other post */
    less = load_on(post[0]).up - weight(post[0]) - weight(beam) / 2;
    CHECK_AT_LEAST(0.12 * weight(top), less);
    CHECK_AT_MOST(0.4 * weight(top), less);
}

static void a_beam_reports_where_its_load_is(void)
{
    with_each_stepper(check_beam);
}


/* ---- Random piles -------------------------------------------------------- */

static double part(uint32_t *random)
{
    *random = *random * 1664525u + 1013904223u;
    return (*random >> 8) / 16777216.0;
}

static vsp_shape_def some_shape(uint32_t *random)
{
    double a = 0.15 + 0.35 * part(random), b = 0.15 + 0.35 * part(random);
    vsp_shape_def shape = vsp_box(real(a), real(b), real(a));

    if (part(random) < 0.3)
        shape = vsp_sphere(real(a));
    shape.density = real(100 + 3000 * part(random));
    return shape;
}

/* Number of bodies at rest, and of those whose impulses do not balance. */
typedef struct pile_counts {
    uint32_t at_rest, uneven;
} pile_counts;

/* Drops boxes and balls on each other, and counts. */
static void count_pile(const vsp_world_def *def, uint32_t seed,
                       pile_counts *counts)
{
    uint32_t random = seed, i;
    vsp_vec3 before[24];

    world = new_world_of(def);
    add_ground(world);
    for (i = 0; i < COUNT_OF(before); i++)
        add_body(world, VSP_DYNAMIC, some_shape(&random),
                 -0.6 + 1.2 * part(&random), 0.6 + 0.9 * i,
                 -0.6 + 1.2 * part(&random));
    step_world(world, 599);
    for (i = 0; i < COUNT_OF(before); i++)
        before[i] = vsp_body_velocity(world, vsp_body_at(world, i + 1));
    step_world(world, 1);
    for (i = 0; i < COUNT_OF(before); i++) {
        vsp_body_id id = vsp_body_at(world, i + 1);
        vsp_vec3 v = vsp_body_velocity(world, id), w = vsp_body_spin(world, id);

        if (fabs(num(v.x)) + fabs(num(v.y)) + fabs(num(v.z)) > 1e-3 ||
            fabs(num(w.x)) + fabs(num(w.y)) + fabs(num(w.z)) > 1e-3)
            continue;
        counts->at_rest++;
        counts->uneven += imbalance(id, before[i]) > 0.01;
    }
}

/* SHOCK freezes some bodies that would slip or tip under their load, because a
 * layer is solved without the load on it.  No impulses can balance these. */
static void check_piles(const vsp_world_def *def)
{
    pile_counts counts = {0, 0};
    uint32_t seed;

    for (seed = 0; seed < 10; seed++)
        count_pile(def, seed, &counts);
    CHECK_AT_LEAST(60, counts.at_rest);
    CHECK_AT_MOST(def->stepper == VSP_STEPPER_SHOCK ? counts.at_rest / 25 : 0,
                  counts.uneven);
}

static void what_rests_in_a_pile_is_in_balance(void)
{
    with_each_stepper(check_piles);
}


/* ---- Joints -------------------------------------------------------------- */

#define LINKS 4

/* Hangs links of 1 m on each other by ball joints, none of which is a pivot
 * (DESIGN.md). */
static void hang_chain(vsp_body_id *link, vsp_joint_id *joint, double strength)
{
    vsp_body_id above = add_body(world, VSP_STATIC, vsp_sphere(VSP_R(0.1)), 0,
                                 0, 0);
    vsp_joint_def def = vsp_joint_def_default();
    uint32_t i;

    for (i = 0; i < LINKS; i++, above = link[i - 1]) {
        vsp_shape_def bar = vsp_box(VSP_R(0.5), VSP_R(0.05), VSP_R(0.05));

        bar.filter.group = -1;
        link[i] = add_body(world, VSP_DYNAMIC, bar, 0.5 + i, 0, 0);
        def.type = VSP_JOINT_BALL;
        def.body_a = above;
        def.body_b = link[i];
        def.break_impulse = real(strength);
        CHECK_STATUS(VSP_OK, vsp_joint_place(world, &def, real3(i, 0, 0),
                                             real3(1, 0, 0)));
        CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, &joint[i]));
    }
}

/* Checks that each joint of a chain pulls as hard as gravity and the changes of
 * momentum demand. (A joint reports its impulse in the axes of body A after the
 * step.) */
static void check_chain_balance(const vsp_body_id *link,
                                const vsp_joint_id *joint,
                                const vsp_vec3 *before)
{
    double sum[3] = {0, 0, 0};
    vsp_joint_state state;
    uint32_t i;

    for (i = LINKS; i-- > 0;) {
        vsp_vec3 v = vsp_body_velocity(world, link[i]);
        double mass = num(vsp_body_mass(world, link[i]));

        sum[0] += mass * (num(v.x) - num(before[i].x));
        sum[1] += mass * (num(v.y) - num(before[i].y)) + weight(link[i]);
        sum[2] += mass * (num(v.z) - num(before[i].z));
        CHECK_STATUS(VSP_OK, vsp_joint_read(world, joint[i], &state));
        CHECK_NEAR(length(sum[0], sum[1], sum[2]),
                   length(num(state.impulse.x), num(state.impulse.y),
                          num(state.impulse.z)),
                   0.005 * LINKS * weight(link[i]));
    }
}

static void check_chain(const vsp_world_def *def)
{
    vsp_joint_id joint[LINKS];
    vsp_body_id link[LINKS];
    vsp_vec3 before[LINKS];
    uint32_t i, k;

    world = new_world_of(def);
    hang_chain(link, joint, 1e6);
    for (i = 0; i < 120; i++) {
        for (k = 0; k < LINKS; k++)
            before[k] = vsp_body_velocity(world, link[k]);
        step_world(world, 1);
        test_note("stepper %d, step %u", (int)def->stepper, i);
        check_chain_balance(link, joint, before);
    }
}

static void a_swinging_chain_reports_its_pulls(void)
{
    if (VSP_JOINTS)
        with_each_stepper(check_chain);
}

/* At its lowest point a chain that was released pulls harder than its
 * weight. */
static void check_break(const vsp_world_def *def)
{
    vsp_joint_id joint[LINKS];
    vsp_body_id link[LINKS];
    vsp_joint_state state;
    uint32_t i;

    for (i = 0; i < 2; i++) {
        world = new_world_of(def);
        hang_chain(link, joint, 1e6);
        CHECK_STATUS(VSP_OK,
                     vsp_joint_set_strength(
                         world, joint[0],
                         real((i == 0 ? 2.2 : 8.0) * LINKS * weight(link[0])),
                         VSP_R(0.0)));
        step_world(world, 60);
        CHECK_STATUS(VSP_OK, vsp_joint_read(world, joint[0], &state));
        CHECK(state.is_broken == (i == 0));
    }
}

static void a_swinging_chain_breaks_by_its_pull(void)
{
    if (VSP_JOINTS)
        with_each_stepper(check_break);
}

/* Hangs a tray by a joint at each corner, which `strength` N s break. */
static vsp_body_id hang_tray(vsp_joint_type type, double strength,
                             vsp_joint_id joint[4])
{
    vsp_body_id beam = add_body(world, VSP_STATIC, vsp_sphere(VSP_R(0.1)), 0, 3,
                                0);
    vsp_shape_def shape = vsp_box(VSP_R(1.0), VSP_R(0.1), VSP_R(1.0));
    vsp_body_id tray = add_body(world, VSP_DYNAMIC, shape, 0, 0, 0);
    int i;

    for (i = 0; i < 4; i++) {
        vsp_joint_def def = vsp_joint_def_default();
        double x = i % 2 ? 1 : -1, z = i / 2 ? 1 : -1;

        def.type = type;
        def.body_a = beam;
        def.body_b = tray;
        CHECK_STATUS(VSP_OK, vsp_joint_place(world, &def, real3(x, 0, z),
                                             real3(1, 0, 0)));
        def.break_impulse = real(strength);
        if (type == VSP_JOINT_DISTANCE) {
            def.frame_a.position.y = VSP_R(0.0);
            def.low = def.high = VSP_R(3.0);
        }
        CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, &joint[i]));
    }
    return tray;
}

/* Returns the upward momentum of bodies. */
static double rise_of(const vsp_body_id *id, uint32_t count)
{
    double sum = 0;

    while (count-- > 0)
        sum += num(vsp_body_mass(world, id[count])) *
               num(vsp_body_velocity(world, id[count]).y);
    return sum;
}

/* Returns the sum of the upward impulses of joints, N s. */
static double pull_of(const vsp_joint_id *joint, int count)
{
    vsp_joint_state state;
    double sum = 0;
    int i;

    for (i = 0; i < count; i++) {
        CHECK_STATUS(VSP_OK, vsp_joint_read(world, joint[i], &state));
        sum += num(state.impulse.y);
    }
    return sum;
}

/* A box falls on a tray, on which another one rests: the joints must pull as
 * hard as gravity and the changes of momentum demand, also in a restored
 * world. */
static void check_tray(const vsp_world_def *def)
{
    static const vsp_joint_type types[] = {VSP_JOINT_BALL, VSP_JOINT_FIXED,
                                           VSP_JOINT_DISTANCE};
    vsp_shape_def shape = vsp_box(VSP_R(0.4), VSP_R(0.4), VSP_R(0.4));
    vsp_joint_id joint[4];
    vsp_body_id body[3];
    uint32_t i, k;

    for (i = 0; i < 3 * 150; i++) {
        double need = 0, pull;

        if (i % 150 == 0) {
            world = new_world_of(def);
            body[0] = hang_tray(types[i / 150], 1e6, joint);
            body[1] = add_body(world, VSP_DYNAMIC, shape, 0.1, 0.5, 0);
            body[2] = add_body(world, VSP_DYNAMIC, shape, 0, 2.5, 0.1);
        }
        for (k = 0; k < 3; k++)
            need += weight(body[k]);
        need -= rise_of(body, 3);
        step_world(world, 1);
        need += rise_of(body, 3);
        test_note("joints of type %d, step %u", (int)types[i / 150], i % 150);
        pull = pull_of(joint, 4);
        CHECK_NEAR(need, pull, 0.01 * (fabs(need) + weight(body[0])));
        CHECK_STATUS(VSP_OK,
                     vsp_world_restore(world, saved(0), save_world(world, 0)));
        CHECK_NEAR(pull, pull_of(joint, 4), 0);
    }
}

static void a_hung_tray_bears_what_lies_on_it(void)
{
    if (VSP_JOINTS)
        with_each_stepper(check_tray);
}

/* Each corner holds half of the tray, but not a quarter of both bodies. */
static void check_tray_break(const vsp_world_def *def)
{
    vsp_shape_def shape = vsp_box(VSP_R(0.4), VSP_R(0.4), VSP_R(0.4));
    vsp_joint_state state;
    vsp_joint_id joint[4];
    vsp_body_id tray;
    uint32_t i;

    world = new_world_of(def);
    tray = hang_tray(VSP_JOINT_BALL, 0, joint);
    for (i = 0; i < 4; i++)
        CHECK_STATUS(VSP_OK, vsp_joint_set_strength(world, joint[i],
                                                    real(0.5 * weight(tray)),
                                                    VSP_R(0.0)));
    step_world(world, 30);
    CHECK_NEAR(weight(tray), pull_of(joint, 4), 0.01 * weight(tray));
    shape.density = VSP_R(4000.0);
    add_body(world, VSP_DYNAMIC, shape, 0, 0.5, 0);
    step_world(world, 30);
    for (i = 0; i < 4; i++) {
        CHECK_STATUS(VSP_OK, vsp_joint_read(world, joint[i], &state));
        CHECK(state.is_broken);
        CHECK_NEAR(0, num(state.impulse.y), 0);
    }
}

static void a_hung_tray_breaks_by_what_lies_on_it(void)
{
    if (VSP_JOINTS)
        with_each_stepper(check_tray_break);
}

#define PLANKS 9

/* Joins two bodies at an edge.  With a slack, b hangs 0.1 m below, or less by
 * at most this. */
static void join_edge(vsp_body_id a, vsp_body_id b, vsp_vec3 edge, double slack,
                      vsp_joint_id *joint)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = slack > 0 ? VSP_JOINT_DISTANCE : VSP_JOINT_BALL;
    def.body_a = a;
    def.body_b = b;
    CHECK_STATUS(VSP_OK, vsp_joint_place(world, &def, edge, real3(1, 0, 0)));
    if (slack > 0) {
        def.frame_a.position.y += VSP_R(0.1);
        def.high = VSP_R(0.1);
        def.low = real(0.1 - slack);
    }
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, joint));
}

#define WEB_DENSITY \
    70000.0 /* kg/m^3, of one plank: so heavy that all are a web */

/* Hangs planks between two anchors.  The lowest one, in the middle, has this
 * density.  The joints at the ends and each third one have a slack. */
static void hang_bridge(double density, double slack, vsp_body_id plank[PLANKS],
                        vsp_joint_id ends[2])
{
    vsp_shape_def shape = vsp_box(VSP_R(0.245), VSP_R(0.025), VSP_R(0.5));
    vsp_body_id anchor = add_body(world, VSP_STATIC, vsp_sphere(VSP_R(0.1)), 0,
                                  4, 0),
                last = anchor;
    vsp_joint_id between;
    int i;

    shape.filter.group = -1;
    for (i = 0; i < PLANKS; i++) {
        double x = 0.5 * (i - PLANKS / 2), left = fabs(x - 0.25) / 4;

        shape.density = real(i == PLANKS / 2 ? density : 1000.0);
        plank[i] = add_body(world, VSP_DYNAMIC, shape, x, fabs(x) / 4, 0);
        join_edge(last, plank[i], real3(x - 0.25, left, 0),
                  i % 3 == 0 ? slack : 0, i == 0 ? ends : &between);
        last = plank[i];
    }
    join_edge(anchor, last, real3(0.25 * PLANKS, 0.0625 * PLANKS, 0), slack,
              ends + 1);
}

/* Lets boxes fall on a bridge.  In each of 300 steps, compares the pull of its
 * ends with what gravity and the changes of momentum demand.  Returns the mean
 * pull, as a part of that; *most is the largest difference, as a part of the
 * demand and the weight. */
static double pull_of_bridge(const vsp_world_def *def, double plank, double box,
                             double *most)
{
    vsp_shape_def shape = vsp_box(VSP_R(0.4), VSP_R(0.4), VSP_R(0.4));
    double total = 0, pulls = 0, needs = 0;
    vsp_body_id body[PLANKS + 2];
    vsp_joint_id joint[2];
    uint32_t i;

    world = new_world_of(def);
    hang_bridge(plank, 0, body, joint);
    shape.density = real(box);
    body[PLANKS] = add_body(world, VSP_DYNAMIC, shape, 0, 0.7, 0);
    body[PLANKS + 1] = add_body(world, VSP_DYNAMIC, shape, 0.1, 1.6, 0.1);
    for (i = 0; i < COUNT_OF(body); i++)
        total += weight(body[i]);
    for (i = 0, *most = 0; i < 300; i++) {
        double need = total - rise_of(body, COUNT_OF(body)), pull;

        step_world(world, 1);
        need += rise_of(body, COUNT_OF(body));
        pull = pull_of(joint, 2);
        *most = fmax(*most, fabs(need - pull) / (fabs(need) + total));
        needs += need;
        pulls += pull;
    }
    return pulls / needs;
}

static void check_bridge(const vsp_world_def *def)
{
    double most, part = pull_of_bridge(def, WEB_DENSITY, 1000, &most);
    bool is_shock = def->stepper == VSP_STEPPER_SHOCK;

    CHECK_AT_MOST(is_shock ? 0.15 : 0.001, most);
    CHECK_NEAR(1, part, is_shock ? 0.02 : 0.001);
}

static void a_bridge_reports_its_load(void)
{
    if (VSP_JOINTS)
        with_each_stepper(check_bridge);
}

/* On a bridge that is no web SHOCK's sweeps do not pass on the whole load
 * (docs/LIMITS.md). */
static void shock_reports_a_part_of_a_load(void)
{
    vsp_world_def def = vsp_world_def_default();
    uint32_t i;

    def.enable_sleep = false;
    def.stepper = VSP_STEPPER_SHOCK;
    for (i = 0; VSP_JOINTS && i < 2; i++) {
        double most,
            part = pull_of_bridge(&def, 1000, i == 0 ? 100 : 1000, &most);

        if (shows())
            printf("    boxes of %s times the weight of their bridge: %.0f %% "
                   "of the load\n",
                   i == 0 ? "0.46" : "4.6", 100 * part);
        CHECK_AT_LEAST(i == 0 ? 0.6 : 0.2, part);
        CHECK_AT_MOST(1, part);
    }
}

/* Boxes hit a bridge whose joints reach both of their limits in a step.  The
 * same bodies in new memory must do the same, and a sanitizer must find no
 * division by 0. */
static void check_slack_bridge(const vsp_world_def *setup)
{
    vsp_shape_def shape = vsp_box(VSP_R(0.4), VSP_R(0.4), VSP_R(0.4));
    vsp_body_id body[PLANKS + 2];
    vsp_world_def def = *setup;
    uint32_t random = 1, i;
    vsp_joint_id joint[2];

    for (i = 0; i < 20 * 40; i++) {
        vsp_world *first = world;
        uint32_t hash, k;
        size_t size;

        if (i % 40 == 0) {
            def.dt = real(0.02 + 0.08 * part(&random));
            first = world = new_world_of(&def);
            hang_bridge(WEB_DENSITY, pow(10, -5 + 3 * part(&random)), body,
                        joint);
            for (k = 0; k < 2; k++) {
                shape.density = real(200 + 3000 * part(&random));
                body[PLANKS + k] = add_body(world, VSP_DYNAMIC, shape, 0.1 * k,
                                            0.7 + 0.9 * k, 0.1 * k);
                CHECK_STATUS(VSP_OK, vsp_body_set_velocity(
                                         world, body[PLANKS + k],
                                         real3(0, -10 * part(&random), 0),
                                         real3(0, 0, 0)));
            }
        }
        size = save_world(world, 0);
        step_world(world, 1);
        hash = vsp_world_hash(world);
        world = new_world_at(&def, 1, 0);
        CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
        step_world(world, 1);
        test_note("stepper %d, step %u of bridge %u", (int)def.stepper, i % 40,
                  i / 40);
        CHECK_HEX(hash, vsp_world_hash(world));
        world = first;
    }
}

static void slack_bridges_bear_loads(void)
{
    if (VSP_JOINTS)
        with_each_stepper(check_slack_bridge);
}

/* A lift, whose motor bears its own weight and a half, under ten times that. */
static void check_motor(const vsp_world_def *def)
{
    vsp_shape_def shape = vsp_box(VSP_R(0.5), VSP_R(0.1), VSP_R(0.5));
    vsp_joint_def joint = vsp_joint_def_default();
    vsp_joint_state state;
    vsp_joint_id motor;
    double most;
    uint32_t i;

    world = new_world_of(def);
    joint.type = VSP_JOINT_SLIDER;
    joint.body_a = add_body(world, VSP_STATIC, vsp_sphere(VSP_R(0.1)), 0, 3, 0);
    joint.body_b = add_body(world, VSP_DYNAMIC, shape, 0, 0, 0);
    most = 1.5 * weight(joint.body_b);
    joint.enable_motor = true;
    joint.motor_max = real(most / num(vsp_world_dt(world)));
    CHECK_STATUS(
        VSP_OK, vsp_joint_place(world, &joint, real3(0, 0, 0), real3(0, 1, 0)));
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &joint, &motor));
    shape.density = VSP_R(10000.0);
    add_body(world, VSP_DYNAMIC, shape, 0, 0.2, 0);
    for (i = 0; i < 60; i++) {
        step_world(world, 1);
        CHECK_STATUS(VSP_OK, vsp_joint_read(world, motor, &state));
        CHECK_AT_MOST(1.001 * most, fabs(num(state.motor)));
        CHECK_AT_MOST(1.001 * most, fabs(num(state.impulse.y)));
    }
}

static void a_motor_reports_no_more_than_its_force(void)
{
    if (VSP_JOINTS)
        with_each_stepper(check_motor);
}


/* ---- Events -------------------------------------------------------------- */

static uint32_t count_events(vsp_event_type type)
{
    uint32_t count, i, found = 0;
    const vsp_event *events = vsp_world_events(world, &count);

    for (i = 0; i < count; i++)
        found += events[i].type == (uint32_t)type;
    return found;
}

/* A ball between two walls, without gravity: SHOCK solves its bounces before
 * any layer.  The events must have their impulses, also in a restored world. */
static void check_volley(const vsp_world_def *setup)
{
    vsp_shape_def shape = vsp_sphere(VSP_R(0.5));
    vsp_shape_def wall = vsp_box(VSP_R(0.5), VSP_R(1.0), VSP_R(1.0));
    uint32_t i, begins = 0, ends = 0;
    vsp_world_def def = *setup;
    vsp_body_id ball;

    def.gravity = real3(0, 0, 0);
    def.reports = VSP_REPORT_BEGIN | VSP_REPORT_PERSIST | VSP_REPORT_END;
    world = new_world_of(&def);
    shape.material.restitution = VSP_R(1.0);
    add_body(world, VSP_STATIC, wall, -2, 0, 0);
    add_body(world, VSP_STATIC, wall, 2, 0, 0);
    ball = add_body(world, VSP_DYNAMIC, shape, 0, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, ball, real3(4, 0, 0),
                                               real3(0, 0, 0)));
    for (i = 0; i < 100; i++) {
        double before = num(vsp_body_velocity(world, ball).x), change;

        step_world(world, 1);
        change = num(vsp_body_velocity(world, ball).x) - before;
        CHECK_NEAR(num(vsp_body_mass(world, ball)) * change,
                   load_on(ball).sum[0], 1);
        CHECK_UINT(change != 0, count_events(VSP_EVENT_BEGIN));
        CHECK_UINT(0, count_events(VSP_EVENT_PERSIST));
        begins += count_events(VSP_EVENT_BEGIN);
        ends += count_events(VSP_EVENT_END);
        CHECK_AT_MOST(1, begins - ends);
        CHECK_STATUS(VSP_OK,
                     vsp_world_restore(world, saved(0), save_world(world, 0)));
    }
    CHECK_AT_LEAST(3, ends);
}

static void a_bounce_has_events(void)
{
    with_each_stepper(check_volley);
}

static const test tests[] = {
    TEST(a_bounce_reports_what_it_took),
    TEST(a_stack_reports_its_weight_at_each_level),
    TEST(a_beam_reports_where_its_load_is),
    TEST_SLOW(what_rests_in_a_pile_is_in_balance),
    TEST(a_swinging_chain_reports_its_pulls),
    TEST(a_swinging_chain_breaks_by_its_pull),
    TEST(a_hung_tray_bears_what_lies_on_it),
    TEST(a_hung_tray_breaks_by_what_lies_on_it),
    TEST(a_bridge_reports_its_load),
    TEST(shock_reports_a_part_of_a_load),
    TEST(slack_bridges_bear_loads),
    TEST(a_motor_reports_no_more_than_its_force),
    TEST(a_bounce_has_events),
    TEST_END,
};

const test_suite impulse_suite = {"impulse", tests};
