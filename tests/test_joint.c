/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Joints hold, in chains, under weights and in piles of ragdolls; limits stop,
 * motors drive, ropes go slack, and weak joints break; nothing gains energy or
 * momentum.  The tests compute the state of a joint from the poses of bodies
 * alone. */

#include "scene_fixture.h"

#include <stdio.h>

#define G 9.81
#define DEGREE (PI / 180)

static vsp_world *world;
static vsp_body_id base; /* static, without a shape, at the origin */
static scene_run run;


/* ---- Worlds ------------------------------------------------------------- */

static vsp_world_def settings(vsp_stepper stepper, double dt, double gravity)
{
    vsp_world_def def = vsp_world_def_default();

    def.stepper = stepper;
    def.dt = real(dt);
    def.gravity.y = real(-gravity);
    def.enable_sleep = false;
    def.reports = VSP_REPORT_JOINT;
    return def;
}

static void begin_with(const vsp_world_def *def)
{
    vsp_body_def still = vsp_body_def_default();

    world = new_world_of(def);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &still, &base));
}

static void begin_world(vsp_stepper stepper, double gravity)
{
    vsp_world_def def = settings(stepper, 0.01, gravity);

    begin_with(&def);
}

static bool start_corrected(const char *name, vsp_stepper stepper,
                            uint32_t corrections)
{
    scene_variant variant;
    const scene *found = scene_find(name, &variant);
    vsp_world_def def;

    test_note("scene %s, stepper %d, %u sweeps of correction", name,
              (int)stepper, (unsigned)corrections);
    if (!CHECK(found))
        return false;
    def = scene_world_def(found);
    def.stepper = stepper;
    def.correction_sweeps = corrections;
    def.reports = VSP_REPORT_JOINT;
    world = new_world_of(&def);
    run.world = world;
    return CHECK(scene_start(&run, found, variant));
}

static bool start_scene(const char *name, vsp_stepper stepper)
{
    return start_corrected(name, stepper,
                           vsp_world_def_default().correction_sweeps);
}

/* Adds boxes and balls that collide with nothing. */
static vsp_body_id add_apart(vsp_shape_def shape, double x, double y, double z)
{
    shape.filter.group = -1;
    return add_body(world, VSP_DYNAMIC, shape, x, y, z);
}

static vsp_body_id add_bar(double half_x, double half_y, double x, double y)
{
    return add_apart(vsp_box(real(half_x), real(half_y), real(0.05)), x, y, 0);
}

static void set_motion(vsp_body_id id, vec3 velocity, vec3 spin)
{
    CHECK_STATUS(
        VSP_OK, vsp_body_set_velocity(world, id,
                                      real3(velocity.x, velocity.y, velocity.z),
                                      real3(spin.x, spin.y, spin.z)));
}

static vec3 center(vsp_body_id id)
{
    return vec_from(vsp_body_center(world, id));
}

static vec3 velocity(vsp_body_id id)
{
    return vec_from(vsp_body_velocity(world, id));
}

static vec3 spin(vsp_body_id id)
{
    return vec_from(vsp_body_spin(world, id));
}


/* ---- Joints ------------------------------------------------------------- */

static vsp_joint_def joint_def(vsp_joint_type type, vsp_body_id a,
                               vsp_body_id b, vec3 anchor, vec3 axis)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = type;
    def.body_a = a;
    def.body_b = b;
    CHECK_STATUS(VSP_OK, vsp_joint_place(world, &def,
                                         real3(anchor.x, anchor.y, anchor.z),
                                         real3(axis.x, axis.y, axis.z)));
    return def;
}

/* Returns a hinge that turns in the xy plane. */
static vsp_joint_def hinge_def(vsp_body_id a, vsp_body_id b, double x, double y)
{
    return joint_def(VSP_JOINT_HINGE, a, b, vec_make(x, y, 0),
                     vec_make(0, 0, 1));
}

static vsp_joint_id join_bodies(vsp_joint_type type, vsp_body_id a,
                                vsp_body_id b, vec3 anchor)
{
    vsp_joint_def def = joint_def(type, a, b, anchor, vec_make(1, 0, 0));

    return create_joint(world, &def);
}

/* Joins the origins of two bodies by a distance joint. */
static vsp_joint_id tie_bodies(vsp_body_id a, vsp_body_id b, double low,
                               double high)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = VSP_JOINT_DISTANCE;
    def.body_a = a;
    def.body_b = b;
    def.low = real(low);
    def.high = real(high);
    return create_joint(world, &def);
}

static void set_limit(vsp_joint_def *def, double low, double high)
{
    def->enable_limit = true;
    def->low = real(low);
    def->high = real(high);
}

static void set_motor(vsp_joint_def *def, double speed, double most)
{
    def->enable_motor = true;
    def->motor_speed = real(speed);
    def->motor_max = real(most);
}

static vsp_joint_state state_of(vsp_joint_id id)
{
    vsp_joint_state state = {0};

    CHECK_STATUS(VSP_OK, vsp_joint_read(world, id, &state));
    return state;
}

static double place_of(vsp_joint_id id)
{
    return num(state_of(id).place);
}

static double speed_of(vsp_joint_id id)
{
    return num(state_of(id).speed);
}

static uint32_t joint_count(void)
{
    uint32_t count = 0;

    for (uint32_t slot = 0; slot < VSP_MAX_JOINTS; slot++)
        count += vsp_joint_at(world, slot).bits != 0;
    return count;
}

/* Counts the events of a type in the last step. */
static uint32_t events_of(vsp_event_type type, vsp_event *last)
{
    uint32_t count, found = 0;
    const vsp_event *events = vsp_world_events(world, &count);

    for (uint32_t i = 0; i < count; i++) {
        if (events[i].type != (uint32_t)type)
            continue;
        found++;
        if (last)
            *last = events[i];
    }
    return found;
}


/* ---- Poses of joints ---------------------------------------------------- */

/* The frames of a joint, in the world. */
typedef struct site {
    vec3 at[2];
    vec3 axes[2][3];
} site;

static vec3 turn_by(vsp_quat rotation, vec3 v)
{
    vec3 q = vec_make(num(rotation.x), num(rotation.y), num(rotation.z));
    vec3 t = vec_scale(vec_cross(q, v), 2);

    return vec_add(vec_mad(v, num(rotation.w), t), vec_cross(q, t));
}

static site site_of(const vsp_joint_def *def)
{
    static const vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    site s;

    for (int i = 0; i < 2; i++) {
        const vsp_transform *frame = i ? &def->frame_b : &def->frame_a;
        vsp_transform pose = vsp_body_transform(world,
                                                i ? def->body_b : def->body_a);

        s.at[i] = vec_add(vec_from(pose.position),
                          turn_by(pose.rotation, vec_from(frame->position)));
        for (int k = 0; k < 3; k++)
            s.axes[i][k] = turn_by(pose.rotation,
                                   turn_by(frame->rotation, unit[k]));
    }
    return s;
}

/* Returns the distance of a joint's anchors, or how far it is out of limits,
 * m. */
static double parting_of(const vsp_joint_def *def)
{
    site s = site_of(def);
    vec3 d = vec_sub(s.at[1], s.at[0]);
    double length = vec_length(d);

    if (def->type == VSP_JOINT_DISTANCE)
        return fmax(0, fmax(length - num(def->high), num(def->low) - length));
    if (def->type == VSP_JOINT_SLIDER)
        return hypot(vec_dot(d, s.axes[0][1]), vec_dot(d, s.axes[0][2]));
    return length;
}

/* Returns the angle between those axes of a joint that should coincide, rad;
 * small. */
static double turn_of(const vsp_joint_def *def)
{
    site s = site_of(def);
    bool is_hinge = def->type == VSP_JOINT_HINGE;
    double most = 0;

    if (def->type == VSP_JOINT_BALL || def->type == VSP_JOINT_DISTANCE)
        return 0;
    for (int k = 0; k < (is_hinge ? 1 : 3); k++)
        most = fmax(most, vec_length(vec_cross(s.axes[0][k], s.axes[1][k])));
    return most;
}

static double worst_of(double (*error_of)(const vsp_joint_def *def))
{
    double worst = 0;

    for (uint32_t slot = 0; slot < VSP_MAX_JOINTS; slot++) {
        vsp_joint_id id = vsp_joint_at(world, slot);
        vsp_joint_def def;

        if (id.bits == 0 || vsp_joint_get(world, id, &def) != VSP_OK ||
            state_of(id).is_broken)
            continue;
        worst = fmax(worst, error_of(&def));
    }
    return worst;
}

static double worst_parting(void)
{
    return worst_of(parting_of);
}

/* Returns how far a joint exceeds its limits or its cone, rad or m. */
static double excess_of(const vsp_joint_def *def, const vsp_joint_state *s)
{
    double place = num(s->place);
    double excess = fmax(0, num(s->swing) - num(def->cone));

    if (def->enable_limit)
        excess = fmax(excess,
                      fmax(place - num(def->high), num(def->low) - place));
    return excess;
}

static double worst_excess(void)
{
    double worst = 0;

    for (uint32_t slot = 0; slot < VSP_MAX_JOINTS; slot++) {
        vsp_joint_id id = vsp_joint_at(world, slot);
        vsp_joint_state state;
        vsp_joint_def def;

        if (id.bits == 0 || vsp_joint_get(world, id, &def) != VSP_OK)
            continue;
        state = state_of(id);
        worst = fmax(worst, excess_of(&def, &state));
    }
    return worst;
}

static double fastest(void)
{
    double speed = 0;

    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id id = vsp_body_at(world, slot);

        if (id.bits != 0)
            speed = fmax(speed, vec_length(velocity(id)));
    }
    return speed;
}

/* The joint coordinates that the engine reports must agree with the poses. */
static void read_agrees_with_poses(void)
{
    if (!start_scene("ragdoll", VSP_STEPPER_CARRY))
        return;
    for (uint32_t step = 0; step < 120; step++)
        CHECK_AT_LEAST(0, scene_step(&run, step));
    for (uint32_t slot = 0; slot < joint_count(); slot++) {
        vsp_joint_id id = vsp_joint_at(world, slot);
        vsp_joint_state state = state_of(id);
        vsp_joint_def def;
        site s;

        CHECK_STATUS(VSP_OK, vsp_joint_get(world, id, &def));
        s = site_of(&def);
        test_note("joint %u", slot);
        CHECK_NEAR(parting_of(&def), num(state.error), 1e-5);
        if (def.type == VSP_JOINT_HINGE) {
            CHECK_NEAR(turn_of(&def), num(state.angle_error), 1e-4);
            CHECK_NEAR(atan2(vec_dot(s.axes[1][1], s.axes[0][2]),
                             vec_dot(s.axes[1][1], s.axes[0][1])),
                       num(state.place), 1e-3);
        } else {
            CHECK_NEAR(acos(fmin(1, vec_dot(s.axes[0][0], s.axes[1][0]))),
                       num(state.swing), 1e-3);
        }
    }
}


/* ---- Chains ------------------------------------------------------------- */

/* Continues a scene.  Returns the largest error of any joint, m. */
static double play_parting(uint32_t from, uint32_t to)
{
    double worst = 0;

    for (uint32_t step = from; step < to; step++) {
        CHECK_AT_LEAST(0, scene_step(&run, step));
        worst = fmax(worst, worst_parting());
    }
    return worst;
}

/* m: error of PGS in a chain, for which it has too few sweeps */
#define PGS_PARTING 0.006

static double bound_of(vsp_stepper stepper)
{
    return stepper == VSP_STEPPER_PGS ? PGS_PARTING : 0.001;
}

/* A chain of 6 m, released 45 degrees off the vertical. */
static void check_chain(vsp_stepper stepper)
{
    if (start_scene("chain", stepper))
        CHECK_AT_MOST(bound_of(stepper),
                      play_parting(0, is_long() ? 6000 : 1000));
}

static void chains_hold(void)
{
    each_stepper(check_chain);
}

/* A chain released level: its end exceeds 20 m/s and turns by most of a radian
 * a step.  Nothing may fly apart. */
static void check_whip(vsp_stepper stepper)
{
    double energy, most = 0;

    if (!start_scene("whip", stepper))
        return;
    energy = total_energy(world);
    for (uint32_t step = 0; step < 600; step++) {
        CHECK_AT_LEAST(0, scene_step(&run, step));
        most = fmax(most, total_energy(world));
    }
    CHECK_AT_MOST(energy * 1.01, most);
    CHECK_AT_MOST(0.01, worst_parting());
}

static void whips_keep_their_energy(void)
{
    each_stepper(check_whip);
}

/* Prints a figure that no document states. */
static void print_weight(vsp_stepper stepper)
{
    double worst;

    if (!start_scene("weight", stepper))
        return;
    worst = play_parting(0, 1000);
    printf("weight of 1,000 links on 20, stepper %d: %.3f mm apart at most, "
           "%.3f mm after 10 s\n",
           (int)stepper, 1000 * worst, 1000 * worst_parting());
}

static void weights_on_chains(void)
{
    each_stepper(print_weight);
}

static void a_chain_carries_its_weight(void)
{
    if (!start_scene("weight:1", VSP_STEPPER_CARRY))
        return;
    CHECK_AT_MOST(0.001, play_parting(0, 500));
}

/* A light ball on a heavy one, or a heavy one on a light one, released level:
 * they swing, and must gain no energy.  Velocities are those of half a step
 * before positions. */
static void check_ratio(double first, double second)
{
    vsp_shape_def ball = vsp_sphere(real(0.1));
    vsp_body_id a, b;
    double worst = 0, height = 0;

    begin_world(VSP_STEPPER_CARRY, G);
    ball.density = real(first / (4.0 / 3 * PI * 0.001));
    a = add_apart(ball, 0.5, 0, 0);
    ball.density = real(second / (4.0 / 3 * PI * 0.001));
    b = add_apart(ball, 1, 0, 0);
    join_bodies(VSP_JOINT_BALL, base, a, vec_make(0, 0, 0));
    join_bodies(VSP_JOINT_BALL, a, b, vec_make(0.5, 0, 0));
    test_note("%g kg, then %g kg", first, second);
    for (int i = 0; i < 500; i++) {
        double rise;

        step_world(world, 1);
        worst = fmax(worst, worst_parting());
        rise = first * center(a).y + second * center(b).y - height;
        height += rise;
        CHECK_AT_MOST(0.01 * G * (first + second),
                      total_energy(world) - 0.5 * G * rise);
    }
    CHECK_AT_MOST(0.005, worst);
}

static void masses_may_differ(void)
{
    check_ratio(1, 1000);
    check_ratio(1000, 1);
}

/* A beam of boxes: each is fixed to the end of the previous one. */
static void check_beam(vsp_stepper stepper)
{
    if (!start_scene("beam", stepper))
        return;
    CHECK_AT_MOST(bound_of(stepper), play_parting(0, 500));
    CHECK_AT_MOST(0.001, worst_parting());
    CHECK_NEAR(2.5, mark_position(&run, 0).y, 0.01);
    CHECK_AT_MOST(0.5 * DEGREE, worst_of(turn_of));
}

static void a_beam_stays_off_the_wall(void)
{
    each_stepper(check_beam);
}

/* With any number of corrections of its loop, the bridge must neither flutter
 * nor throw its load. */
static void check_bridge(vsp_stepper stepper, uint32_t corrections)
{
    if (!start_corrected("bridge", stepper, corrections))
        return;
    CHECK_AT_MOST(0.02, play_parting(0, 400));
    for (uint32_t i = 0; i < 4; i++)
        CHECK_AT_LEAST(1, mark_position(&run, i).y);
    CHECK_AT_MOST(1, fastest());
}

static void check_bridges(vsp_stepper stepper)
{
    check_bridge(stepper, 5);
    check_bridge(stepper, 10);
    check_bridge(stepper, 20);
}

static void a_bridge_carries_crates(void)
{
    each_stepper(check_bridges);
}

/* After 15 s its planks must fit each other within half a millimetre. */
static void check_bridge_at_rest(vsp_stepper stepper)
{
    if (!start_scene("bridge", stepper))
        return;
    (void)play_parting(0, 1500);
    CHECK_AT_MOST(0.0005, play_parting(1500, 1600));
}

static void a_bridge_at_rest_fits(void)
{
    each_stepper(check_bridge_at_rest);
}

static void a_bridge_of_a_stepper_holds(void)
{
    check_bridge(VSP_STEPPER_CARRY, 5);
}


/* ---- Limits ------------------------------------------------------------- */

/* A bar hits a limit at 1 rad with 10 rad/s, and must stop there. */
static void check_hinge_limit(vsp_stepper stepper)
{
    for (int side = -1; side <= 1; side += 2) {
        vsp_body_id bar;
        vsp_joint_def def;
        vsp_joint_id id;
        double most = 0, energy;

        begin_world(stepper, 0);
        bar = add_bar(0.5, 0.05, 0.5, 0);
        def = hinge_def(base, bar, 0, 0);
        set_limit(&def, -1, 1);
        id = create_joint(world, &def);
        set_motion(bar, vec_make(0, side * 5.0, 0),
                   vec_make(0, 0, side * 10.0));
        energy = total_energy(world);
        for (int i = 0; i < 50; i++) {
            vec3 along;

            step_world(world, 1);
            along = body_axis(world, bar, 0);
            most = fmax(most, side * atan2(along.y, along.x));
            CHECK_AT_MOST(energy * 1.003, total_energy(world));
        }
        CHECK_NEAR(1, most, DEGREE);
        CHECK_NEAR(side * 1.0, place_of(id), DEGREE);
        CHECK_NEAR(0, speed_of(id), 0.01);
    }
}

static void hinges_stop_at_limits(void)
{
    each_stepper(check_hinge_limit);
}

/* A bar along x spins about itself, and swings away from x. */
static void check_ball_limit(vsp_stepper stepper, vec3 turning)
{
    vsp_body_id bar;
    vsp_joint_def def;
    vsp_joint_id id;
    double twist = 0, swing = 0, energy;

    begin_world(stepper, 0);
    bar = add_bar(0.5, 0.1, 0.5, 0);
    def = joint_def(VSP_JOINT_BALL, base, bar, vec_make(0, 0, 0),
                    vec_make(1, 0, 0));
    set_limit(&def, -0.5, 0.7);
    def.cone = real(0.4);
    id = create_joint(world, &def);
    set_motion(bar, vec_cross(turning, vec_make(0.5, 0, 0)), turning);
    energy = total_energy(world);
    for (int i = 0; i < 200; i++) {
        vsp_joint_state state;

        step_world(world, 1);
        state = state_of(id);
        twist = fmax(twist, num(state.place) - 0.7);
        twist = fmax(twist, -0.5 - num(state.place));
        swing = fmax(swing, num(state.swing) - 0.4);
        CHECK_AT_MOST(energy * 1.003, total_energy(world));
        CHECK_AT_MOST(0.001, worst_parting());
    }
    CHECK_AT_MOST(DEGREE, twist);
    CHECK_AT_MOST(DEGREE, swing);
}

static void check_ball_limits(vsp_stepper stepper)
{
    check_ball_limit(stepper, vec_make(10, 0, 0));
    check_ball_limit(stepper, vec_make(-10, 0, 0));
    check_ball_limit(stepper, vec_make(0, 0, 10));
    check_ball_limit(stepper, vec_make(0, -5, 5));
    check_ball_limit(stepper, vec_make(8, 5, -3));
}

static void balls_stop_at_cones_and_twists(void)
{
    each_stepper(check_ball_limits);
}

/* A bar leans on its cone, and moves round on it. */
static void a_cone_bears(void)
{
    vsp_body_id bar;
    vsp_joint_def def;
    vsp_joint_id id;
    double energy;

    begin_world(VSP_STEPPER_CARRY, G);
    bar = add_bar(0.05, 0.5, 0, 0.5);
    def = joint_def(VSP_JOINT_BALL, base, bar, vec_make(0, 0, 0),
                    vec_make(0, 1, 0));
    def.cone = real(0.6);
    id = create_joint(world, &def);
    set_motion(bar, vec_make(1, 0, 0.5), vec_make(1, 0, -2));
    energy = total_energy(world);
    for (int i = 0; i < 500; i++) {
        step_world(world, 1);
        CHECK_AT_MOST(0.6 + DEGREE, num(state_of(id).swing));
        CHECK_AT_MOST(energy * 1.01, total_energy(world));
    }
    CHECK_NEAR(0.6, num(state_of(id).swing), DEGREE);
    CHECK(state_of(id).at_limit);
}

/* A body slides down a slope of 45 degrees for 1 m, with its mass beside the
 * slide. */
static void check_slider(vsp_stepper stepper)
{
    vsp_body_id box;
    vsp_joint_def def;
    vsp_joint_id id;
    uint32_t limits = 0;

    begin_world(stepper, G);
    box = add_bar(0.2, 0.1, 0.3, 0.4);
    def = joint_def(VSP_JOINT_SLIDER, base, box, vec_make(0, 0, 0),
                    vec_make(1, -1, 0));
    set_limit(&def, -0.5, 1);
    id = create_joint(world, &def);
    for (int i = 0; i < 200; i++) {
        step_world(world, 1);
        CHECK_AT_MOST(1.01, place_of(id));
        limits += events_of(VSP_EVENT_LIMIT, NULL);
        if (i == 39)
            CHECK_NEAR(G * sqrt(0.5) * 0.5 * 0.16, place_of(id), 0.03 * 0.55);
        CHECK_AT_MOST(0.001, worst_parting());
        CHECK_AT_MOST(0.2 * DEGREE, worst_of(turn_of));
    }
    CHECK_NEAR(1, place_of(id), 0.001);
    CHECK_NEAR(0, speed_of(id), 1e-3);
    CHECK_AT_LEAST(1, limits);
    CHECK_AT_MOST(3, limits);
}

static void sliders_slide_to_their_ends(void)
{
    each_stepper(check_slider);
}

/* A bar falls to a limit and rests on it: one event, which names joint and
 * limit. */
static void limits_are_told_once(void)
{
    vsp_event event = {0};
    vsp_body_id bar;
    vsp_joint_def def;
    vsp_joint_id id;
    uint32_t count = 0;

    begin_world(VSP_STEPPER_CARRY, G);
    bar = add_bar(0.5, 0.05, 0.5, 0);
    def = hinge_def(base, bar, 0, 0);
    set_limit(&def, -0.5, 0.5);
    id = create_joint(world, &def);
    for (int i = 0; i < 300; i++) {
        step_world(world, 1);
        count += events_of(VSP_EVENT_LIMIT, &event);
    }
    CHECK_UINT(1, count);
    CHECK_HEX(id.bits, event.joint.bits);
    CHECK_HEX(base.bits, event.body_a.bits);
    CHECK_HEX(bar.bits, event.body_b.bits);
    CHECK(state_of(id).at_limit);
    CHECK_NEAR(-0.5, place_of(id), 0.1 * DEGREE);
}

/* Without a limit, more than one turn: the angle jumps by a whole turn, the
 * speed does not. */
static void hinges_turn_round_and_round(void)
{
    vsp_body_id bar;
    vsp_joint_def def;
    vsp_joint_id id;
    double before = 0;

    begin_world(VSP_STEPPER_CARRY, 0);
    bar = add_bar(0.5, 0.05, 0.5, 0);
    def = hinge_def(base, bar, 0, 0);
    id = create_joint(world, &def);
    set_motion(bar, vec_make(0, 1.5, 0), vec_make(0, 0, 3));
    for (int i = 0; i < 700; i++) {
        double way;

        step_world(world, 1);
        way = place_of(id) - before;
        before = place_of(id);
        CHECK_AT_MOST(PI + 1e-5, fabs(before));
        CHECK_NEAR(0.03, way < -PI ? way + 2 * PI : way, 0.0005);
        CHECK_NEAR(3, speed_of(id), 0.01);
    }
}

/* Angles end at half a turn, and no value beyond is ever read.  Limits at both
 * ends stop nothing. */
static void check_half_turn(vsp_stepper stepper)
{
    for (int is_held = 0; is_held < 2; is_held++) {
        vsp_body_id bar;
        vsp_joint_def def;
        vsp_joint_id id;
        double least = PI, most = 0;

        begin_world(stepper, 0);
        bar = add_bar(0.5, 0.05, 0.5, 0);
        def = hinge_def(base, bar, 0, 0);
        set_limit(&def, is_held ? 0 : -3.1415926, 3.1415926);
        set_motor(&def, 1, 100);
        id = create_joint(world, &def);
        step_world(world, 400);
        for (int i = 0; i < 400; i++) {
            step_world(world, 1);
            least = fmin(least, fabs(place_of(id)));
            most = fmax(most, fabs(speed_of(id)));
        }
        if (is_held)
            CHECK_NEAR(PI, least, 0.001);
        else
            CHECK_AT_MOST(0.1, least);
        CHECK_NEAR(is_held ? 0 : 1, most, 0.01);
    }
}

static void half_a_turn_is_an_end(void)
{
    each_stepper(check_half_turn);
}

/* A ball hits a door, which opens to its limit and stops there. */
static void a_door_opens_to_its_limit(void)
{
    double most = 0;

    if (!start_scene("door", VSP_STEPPER_CARRY))
        return;
    for (uint32_t step = 0; step < 200; step++) {
        CHECK_AT_LEAST(0, scene_step(&run, step));
        most = fmax(most, fabs(place_of(vsp_joint_at(world, 0))));
    }
    CHECK_NEAR(80 * DEGREE, most, DEGREE);
}


/* ---- Motors ------------------------------------------------------------- */

/* Adds a bar of 10 kg held at an end: its weight causes a torque of at most 49
 * N m. */
static vsp_joint_id start_arm(vsp_stepper stepper, double speed, double most)
{
    vsp_body_id bar;
    vsp_joint_def def;

    begin_world(stepper, G);
    bar = add_bar(0.05, 0.5, 0, -0.5);
    def = hinge_def(base, bar, 0, 0);
    set_motor(&def, speed, most);
    return create_joint(world, &def);
}

static void check_motor(vsp_stepper stepper)
{
    vsp_joint_id id = start_arm(stepper, 5, 100);

    step_world(world, 100);
    for (int i = 0; i < 500; i++) {
        step_world(world, 1);
        CHECK_NEAR(5, speed_of(id), 0.05);
        CHECK_AT_MOST(100 * 0.01 * 1.0001, fabs(num(state_of(id).motor)));
    }
    CHECK_AT_MOST(0.001, worst_parting());
}

static void motors_keep_their_speed(void)
{
    each_stepper(check_motor);
}

/* 20 N m against gravity: the work 20 a equals the energy 49.05 (1 - cos a) at
 * a = 0.866 rad. */
static void check_weak_motor(vsp_stepper stepper)
{
    vsp_joint_id id = start_arm(stepper, 5, 20);
    double most = 0;

    for (int i = 0; i < 300; i++) {
        step_world(world, 1);
        most = fmax(most, place_of(id));
        CHECK_AT_MOST(20 * 0.01 * 1.0001, fabs(num(state_of(id).motor)));
    }
    CHECK_NEAR(0.866, most, 0.03);
}

static void motors_are_no_stronger_than_they_are(void)
{
    each_stepper(check_weak_motor);
}

/* A motor must give one free body the momentum that it takes from the other. */
static void a_motor_turns_both(void)
{
    vsp_body_id a, b;
    vsp_joint_def def;
    vsp_joint_id id;

    begin_world(VSP_STEPPER_CARRY, 0);
    a = add_bar(0.5, 0.05, 0, 0);
    b = add_bar(0.5, 0.1, 0, 0);
    def = hinge_def(a, b, 0, 0);
    set_motor(&def, 4, 10);
    id = create_joint(world, &def);
    step_world(world, 200);
    CHECK_NEAR(4, speed_of(id), 0.01);
    CHECK_NEAR(4, spin(b).z - spin(a).z, 0.01);
    CHECK_NEAR(0,
               5 * (0.25 + 0.0025) * spin(a).z + 10 * (0.25 + 0.01) * spin(b).z,
               0.002);
}

/* 15 kN lift 700 kg at 1 m/s to the upper limit, but not 2,200 kg.  Under SHOCK
 * they do, because a layer is solved without the load on it. */
static void check_hoist(vsp_stepper stepper)
{
    if (!start_scene("hoist", stepper))
        return;
    play_steps(&run, 0, 100);
    CHECK_NEAR(1, mark_velocity(&run, 0).y, 0.01);
    play_steps(&run, 100, 300);
    CHECK_NEAR(2.3, mark_position(&run, 0).y, 0.002);
    CHECK_NEAR(0, mark_velocity(&run, 0).y, 0.01);
    CHECK_NEAR(2.9, mark_position(&run, 1).y, 0.005);
    CHECK_AT_MOST(0.002, worst_parting());
    if (stepper == VSP_STEPPER_SHOCK || !start_scene("hoist:2000", stepper))
        return;
    play_steps(&run, 0, 200);
    CHECK_NEAR(0.3, mark_position(&run, 0).y, 0.002);
    CHECK(state_of(vsp_joint_at(world, 0)).at_limit);
}

static void hoists_lift_what_they_can(void)
{
    each_stepper(check_hoist);
}

/* Balls slow it down, and it continues. */
static void a_mill_turns(void)
{
    if (!start_scene("mill", VSP_STEPPER_CARRY))
        return;
    CHECK_AT_MOST(0.005, play_parting(0, 350));
    for (uint32_t step = 350; step < 400; step++) {
        play_steps(&run, step, step + 1);
        CHECK_NEAR(5, mark_spin(&run, 0).z, 0.05);
    }
}

static void check_car(vsp_stepper stepper)
{
    if (!start_scene("car", stepper))
        return;
    CHECK_AT_MOST(0.02, play_parting(0, 500));
    CHECK_AT_LEAST(10, mark_position(&run, 0).x);
    CHECK_AT_LEAST(0.8, body_axis(world, run.marks[0], 1).y);
}

static void a_car_drives_over_bumps(void)
{
    each_stepper(check_car);
}


/* ---- Ropes -------------------------------------------------------------- */

/* For 0.5 m a ball falls as if there were no rope; then the rope stops it. */
static void check_rope(vsp_stepper stepper)
{
    vsp_shape_def ball = vsp_sphere(real(0.1));
    vsp_body_id tied, loose;
    vsp_joint_id id;

    begin_world(stepper, G);
    tied = add_apart(ball, 0, -0.5, 0);
    loose = add_apart(ball, 5, -0.5, 0);
    id = tie_bodies(base, tied, 0, 1);
    for (int i = 0; i < 30; i++) {
        step_world(world, 1);
        CHECK_NEAR(center(loose).y, center(tied).y, 1e-6);
        CHECK(!state_of(id).at_limit);
    }
    for (int i = 0; i < 100; i++) {
        step_world(world, 1);
        CHECK_AT_MOST(1.0005, vec_length(center(tied)));
    }
    CHECK_NEAR(-1, center(tied).y, 0.0005);
    CHECK_NEAR(0, velocity(tied).y, 1e-3);
    CHECK(state_of(id).at_limit);
    CHECK_NEAR(1, place_of(id), 0.0005);
}

static void ropes_go_slack(void)
{
    each_stepper(check_rope);
}

static void check_ropes(vsp_stepper stepper)
{
    if (start_scene("ropes", stepper))
        CHECK_AT_MOST(bound_of(stepper), play_parting(0, 500));
}

static void ropes_and_rods_keep_their_length(void)
{
    each_stepper(check_ropes);
}

/* A pendulum on a rod of 1 m: half a period, starting at 0.1 rad. */
static void a_rod_is_a_pendulum(void)
{
    vsp_world_def def = settings(VSP_STEPPER_CARRY, 0.001, G);
    vsp_body_id ball;
    double time = 0;

    begin_with(&def);
    ball = add_apart(vsp_sphere(real(0.05)), sin(0.1), -cos(0.1), 0);
    tie_bodies(base, ball, 1, 1);
    do {
        step_world(world, 1);
        time += 0.001;
        CHECK_AT_MOST(0.0005, worst_parting());
    } while (time < 2 && (time < 0.1 || velocity(ball).x < 0));
    CHECK_NEAR(PI / sqrt(G) * (1 + 0.01 / 16), time, 0.005);
    CHECK_NEAR(-sin(0.1), center(ball).x, 0.001);
}


/* ---- Pivots --------------------------------------------------------------
 * A pivot is a ball joint to a body that does not move, if the body on it has
 * no other joint. */

#define TOP_HALF 0.2 /* half a side of a square plate, m */
#define TOP_THICK 0.025
#define TOP_HEIGHT 0.2 /* from the pivot to the centre of mass, m */
#define TOP_TILT (30 * DEGREE)

/* inertia of one kilogram of the top: about its axis, and across it at the
 * pivot */
static const double top_along = (TOP_HALF * TOP_HALF + TOP_HALF * TOP_HALF) / 3;
static const double top_across = (TOP_HALF * TOP_HALF + TOP_THICK * TOP_THICK) /
                                     3 +
                                 TOP_HEIGHT * TOP_HEIGHT;

/* Returns the largest tilt of a top that starts with spin about its axis alone,
 * rad.  Energy and both angular momenta about the pivot are constant: with u
 * the cosine of the tilt, (1 - u^2) fall = (spin (u0 - u))^2 / (u0 - u) where
 * it turns back. */
static double deepest_tilt(double turns)
{
    double fall = 2 * G * TOP_HEIGHT / top_across, u0 = cos(TOP_TILT);
    double a = top_along * turns / top_across;
    double half = a * a / (2 * fall);

    return acos(half - sqrt(half * half - a * a * u0 / fall + 1));
}

static vsp_body_id add_top(double turns)
{
    double sine = sin(TOP_TILT), cosine = cos(TOP_TILT);
    vsp_body_def def = body_def(
        VSP_DYNAMIC, vsp_box(real(TOP_HALF), real(TOP_THICK), real(TOP_HALF)),
        -TOP_HEIGHT * sine, TOP_HEIGHT * cosine, 0);
    vsp_body_id top = {0};

    def.pose.rotation = turn(30, 0, 0, 1);
    def.spin = real3(-turns * sine, turns * cosine, 0);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &top));
    join_bodies(VSP_JOINT_BALL, base, top, vec_make(0, 0, 0));
    return top;
}

/* Simulates 4 s with 60 steps each. */
static void check_top(vsp_stepper stepper, double turns)
{
    vsp_world_def def = settings(stepper, 1.0 / 60, G);
    double least = 180, most = 0, energy;
    vsp_body_id top;

    test_note("stepper %d, %g rad/s", (int)stepper, turns);
    begin_with(&def);
    top = add_top(turns);
    energy = total_energy(world);
    for (int i = 0; i < 240; i++) {
        double tilt;

        step_world(world, 1);
        tilt = acos(body_axis(world, top, 1).y);
        least = fmin(least, tilt);
        most = fmax(most, tilt);
        CHECK_NEAR(energy, total_energy(world), 0.005 * fabs(energy));
        CHECK_AT_MOST(1e-4, worst_parting());
    }
    CHECK_NEAR(TOP_TILT, least, 0.1 * DEGREE);
    CHECK_NEAR(deepest_tilt(turns), most, 0.1 * DEGREE);
}

static void check_tops(vsp_stepper stepper)
{
    check_top(stepper, 45);
    check_top(stepper, 60);
    check_top(stepper, 200); /* 3.3 rad a step */
}

static void tops_keep_to_their_cones(void)
{
    each_stepper(check_tops);
}

/* A body that is too far from its anchor for its size must move like other
 * bodies: a ball that spins on a string stays in the plane of its swing. */
static void check_spinning_ball(vsp_stepper stepper)
{
    vsp_world_def def = settings(stepper, 1.0 / 60, G);
    vsp_body_id ball;

    begin_with(&def);
    ball = add_apart(vsp_sphere(real(0.1)), sin(PI / 3), -cos(PI / 3), 0);
    join_bodies(VSP_JOINT_BALL, base, ball, vec_make(0, 0, 0));
    set_motion(ball, vec_make(0, 0, 0),
               vec_make(3 * sin(PI / 3), -3 * cos(PI / 3), 0));
    for (int i = 0; i < 240; i++) {
        step_world(world, 1);
        CHECK_NEAR(0, center(ball).z, 0.05);
    }
}

static void a_ball_that_spins_swings_in_a_plane(void)
{
    each_stepper(check_spinning_ball);
}

static vsp_body_id add_paddle(double most_speed)
{
    vsp_body_def def = body_def(
        VSP_DYNAMIC, vsp_box(real(0.4), real(0.05), real(0.4)), 0.4, 0, 0);
    vsp_body_id paddle = {0};

    def.max_speed = real(most_speed);
    def.shape.filter.group = -1;
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &paddle));
    return paddle;
}

/* A pivot carries the centripetal force, and breaks by it; max_speed limits it;
 * a kinematic body keeps its motion, even joined to a body without mass. */
static void pivots_keep_what_was_asked_for(void)
{
    vsp_joint_def def;
    vsp_joint_id id;
    vsp_body_id paddle, still, lift;
    vsp_body_def massless = vsp_body_def_default();

    begin_world(VSP_STEPPER_CARRY, 0);
    paddle = add_paddle(100);
    def = joint_def(VSP_JOINT_BALL, base, paddle, vec_make(0, 0, 0),
                    vec_make(0, 1, 0));
    def.break_impulse = real(0.5 * num(vsp_body_mass(world, paddle)) * 0.4 *
                             100 * 0.01);
    id = create_joint(world, &def);
    set_motion(paddle, vec_make(0, 0, -4), vec_make(0, 10, 0));
    step_world(world, 5);
    CHECK(state_of(id).is_broken);

    begin_world(VSP_STEPPER_CARRY, G);
    paddle = add_paddle(1);
    join_bodies(VSP_JOINT_BALL, base, paddle, vec_make(0, 0, 0));
    for (int i = 0; i < 100; i++) {
        step_world(world, 1);
        CHECK_AT_MOST(1.001, vec_length(velocity(paddle)));
    }

    begin_world(VSP_STEPPER_CARRY, G);
    lift = add_body(world, VSP_KINEMATIC, vsp_sphere(real(1)), 0, 0, 0);
    massless.type = VSP_DYNAMIC;
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &massless, &still));
    join_bodies(VSP_JOINT_BALL, still, lift, vec_make(0.5, 0, 0));
    set_motion(lift, vec_make(1, 0, 0), vec_make(0, 0, 1));
    step_world(world, 300);
    CHECK_NEAR(3, center(lift).x, 1e-3);
    CHECK_NEAR(0, center(lift).y, 1e-6);
}

/* A plate hangs from a carousel that turns and rises; the joint is a pivot. */
static void check_carousel(vsp_stepper stepper)
{
    vsp_world_def def = settings(stepper, 1.0 / 60, G);
    vsp_body_id wheel, plate;

    begin_with(&def);
    wheel = add_body(world, VSP_KINEMATIC, vsp_sphere(real(0.01)), 0, 0, 0);
    plate = add_apart(vsp_box(real(0.4), real(0.05), real(0.4)), 2, -0.5, 0);
    join_bodies(VSP_JOINT_BALL, wheel, plate, vec_make(2, 0, 0));
    set_motion(wheel, vec_make(0, 0.5, 0), vec_make(0, 2, 0));
    set_motion(plate, vec_make(0, 0.5, -4), vec_make(0, 2, 0));
    for (int i = 0; i < 600; i++) {
        step_world(world, 1);
        CHECK_AT_MOST(2e-3, worst_parting());
    }
    CHECK_NEAR(5, center(wheel).y, 0.01);
    CHECK_NEAR(2.1, hypot(center(plate).x, center(plate).z), 0.5);
}

static void a_plate_hangs_from_a_carousel(void)
{
    each_stepper(check_carousel);
}


/* ---- Breaking ----------------------------------------------------------- */

/* Checks that 8 kg hang on a joint whose strength exceeds their weight, and
 * fall from a weaker one. */
static void check_strength(vsp_stepper stepper, double part, bool holds)
{
    vsp_event event = {0};
    vsp_joint_def def;
    vsp_joint_id id;
    vsp_body_id box;
    uint32_t breaks = 0;

    begin_world(stepper, G);
    box = add_apart(vsp_box(real(0.1), real(0.1), real(0.1)), 0, -1, 0);
    def = joint_def(VSP_JOINT_BALL, base, box, vec_make(0, 0, 0),
                    vec_make(0, 1, 0));
    def.break_impulse = real(part * 8 * G * 0.01);
    id = create_joint(world, &def);
    for (int i = 0; i < 100; i++) {
        step_world(world, 1);
        breaks += events_of(VSP_EVENT_BREAK, &event);
    }
    CHECK_UINT(holds ? 0 : 1, breaks);
    CHECK_UINT(!holds, state_of(id).is_broken);
    if (holds) {
        CHECK_NEAR(8 * G * 0.01, num(state_of(id).impulse.y), 0.002);
        CHECK_NEAR(-1, center(box).y, 0.001);
    } else {
        CHECK_HEX(id.bits, event.joint.bits);
        CHECK_AT_MOST(-0.9 * G, velocity(box).y);
    }
}

static void check_strengths(vsp_stepper stepper)
{
    check_strength(stepper, 1.05, true);
    check_strength(stepper, 0.95, false);
}

static void joints_break_at_their_load(void)
{
    each_stepper(check_strengths);
}

/* A bar of 10 kg sticks out of a wall, with a torque of 49 N m on the joint. */
static void check_turn_strength(double part, bool holds)
{
    vsp_joint_def def;
    vsp_joint_id id;
    vsp_body_id bar;

    begin_world(VSP_STEPPER_CARRY, G);
    bar = add_bar(0.5, 0.05, 0.5, 0);
    def = joint_def(VSP_JOINT_FIXED, base, bar, vec_make(0, 0, 0),
                    vec_make(0, 1, 0));
    def.break_turn = real(part * 5 * G * 0.01);
    id = create_joint(world, &def);
    step_world(world, 100);
    CHECK_UINT(!holds, state_of(id).is_broken);
    if (holds)
        CHECK_NEAR(5 * G * 0.01, num(state_of(id).turn.z), 0.005);
}

static void joints_break_at_their_torque(void)
{
    check_turn_strength(1.05, true);
    check_turn_strength(0.95, false);
}

/* Two of four hooks must carry their crates. */
static void two_hooks_break(void)
{
    if (!start_scene("hooks", VSP_STEPPER_CARRY))
        return;
    play_steps(&run, 0, 150);
    for (uint32_t i = 0; i < 4; i++)
        CHECK_NEAR(i < 2 ? 1.9 : 0.3, mark_position(&run, i).y, 0.005);
}


/* ---- Neighbours --------------------------------------------------------- */

static void joined_bodies_do_not_collide(void)
{
    for (int collides = 0; collides < 2; collides++) {
        vsp_body_id a, b;
        vsp_joint_def def;

        begin_world(VSP_STEPPER_CARRY, 0);
        a = add_cube(world, 0, 0, 0);
        b = add_cube(world, 0.9, 0, 0);
        def = joint_def(VSP_JOINT_HINGE, a, b, vec_make(0.45, 0, 0),
                        vec_make(0, 0, 1));
        def.collide = collides == 1;
        create_joint(world, &def);
        step_world(world, 1);
        CHECK_UINT((uint32_t)collides, vsp_contact_count(world));
    }
}

/* A broken joint must no longer keep its bodies from colliding. */
static void bodies_collide_when_their_joint_is_gone(void)
{
    vsp_body_id a, b;
    vsp_joint_id id;

    begin_world(VSP_STEPPER_CARRY, 0);
    a = add_cube(world, 0, 0, 0);
    b = add_cube(world, 0.99, 0, 0);
    id = join_bodies(VSP_JOINT_BALL, a, b, vec_make(0.5, 0, 0));
    step_world(world, 1);
    CHECK_UINT(0, vsp_contact_count(world));
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, id));
    step_world(world, 1);
    CHECK_UINT(1, vsp_contact_count(world));
}

/* A bar hangs on a cart at 1 m/s; a rider is fixed to a disc that turns at 2
 * rad/s. */
static void check_kinematic(vsp_stepper stepper)
{
    vsp_shape_def box = vsp_box(real(0.1), real(0.1), real(0.1));
    vsp_body_id cart, bar, disc, rider;

    begin_world(stepper, G);
    box.filter.group = -1;
    cart = add_body(world, VSP_KINEMATIC, box, 0, 0, 0);
    bar = add_bar(0.05, 0.5, 0, -0.5);
    disc = add_body(world, VSP_KINEMATIC, box, 0, 5, 0);
    rider = add_apart(box, 1, 5, 0);
    join_bodies(VSP_JOINT_BALL, cart, bar, vec_make(0, 0, 0));
    join_bodies(VSP_JOINT_FIXED, disc, rider, vec_make(0.5, 5, 0));
    set_motion(cart, vec_make(1, 0, 0), vec_make(0, 0, 0));
    set_motion(disc, vec_make(0, 0, 0), vec_make(0, 2, 0));
    for (int i = 0; i < 500; i++) { /* the start is a jerk */
        step_world(world, 1);
        CHECK_AT_MOST(i < 50 ? 0.02 : 0.001, worst_parting());
    }
    CHECK_NEAR(5, center(cart).x, 0.001);
    CHECK_NEAR(5, center(bar).x, 0.5);
    CHECK_NEAR(2, spin(rider).y, 0.02);
    CHECK_NEAR(cos(10), center(rider).x, 0.01);
    CHECK_NEAR(-sin(10), center(rider).z, 0.01);
}

static void what_moves_carries(void)
{
    each_stepper(check_kinematic);
}

/* Hangs a chain from the base. */
static void hang_links(vsp_body_id *links, int count)
{
    for (int i = 0; i < count; i++) {
        links[i] = add_bar(0.03, 0.1, 0, -0.2 * i - 0.1);
        join_bodies(VSP_JOINT_BALL, i == 0 ? base : links[i - 1], links[i],
                    vec_make(0, -0.2 * i, 0));
    }
}

static void check_destroyed_link(vsp_stepper stepper)
{
    vsp_body_id links[6];

    begin_world(stepper, G);
    hang_links(links, 6);
    step_world(world, 10);
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, links[2]));
    CHECK_UINT(4, joint_count());
    step_world(world, 50);
    for (int i = 3; i < 6; i++)
        CHECK_NEAR(-G * 0.5, velocity(links[i]).y, 0.02);
    CHECK_NEAR(0, velocity(links[1]).y, 0.001);
    CHECK_AT_MOST(0.001, worst_parting());
}

static void a_chain_without_a_link_falls(void)
{
    each_stepper(check_destroyed_link);
}

static void check_teleport(vsp_stepper stepper)
{
    vsp_transform pose;
    vsp_body_id links[6];

    begin_world(stepper, G);
    hang_links(links, 6);
    step_world(world, 10);
    pose = vsp_body_transform(world, links[3]);
    pose.position = real3(20, 10, 5);
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, links[3], pose));
    for (int i = 0; i < 500; i++) {
        step_world(world, 1);
        CHECK_AT_MOST(100, fastest());
    }
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    CHECK_AT_MOST(10, fastest());
    CHECK_AT_MOST(bound_of(stepper), worst_parting());
    CHECK_AT_MOST(1.3, vec_length(center(links[5])));
}

/* Four hinges in a loop from the base to the base, whose hinges are a little
 * too far apart: the errors must vanish, though nothing moves. */
static void check_still_loop(vsp_stepper stepper)
{
    vsp_body_id last;

    begin_world(stepper, 0);
    last = base;
    for (int i = 0; i < 4; i++) {
        vsp_body_id next = i < 3 ? add_bar(0.4, 0.05, i + 0.5, 0) : base;
        vsp_joint_def def = hinge_def(last, next, i, 0);

        def.frame_b.position.y += real(i < 3 ? 0.004 : -0.004);
        create_joint(world, &def);
        last = next;
    }
    step_world(world, 200);
    CHECK_AT_MOST(0.0001, worst_parting());
}

static void still_loops_close(void)
{
    each_stepper(check_still_loop);
}

static void a_link_put_elsewhere_comes_back(void)
{
    each_stepper(check_teleport);
}

/* A large error must be corrected at once, and cause no velocity. */
static void check_far_joint(vsp_stepper stepper, vsp_joint_type type)
{
    vsp_joint_def def = vsp_joint_def_default();
    vsp_body_id a, b;

    test_note("joint of type %d, stepper %d", (int)type, (int)stepper);
    begin_world(stepper, 0);
    a = add_bar(0.2, 0.1, 0, 0);
    b = add_bar(0.2, 0.1, 1, 0.3);
    def.type = type;
    def.body_a = a;
    def.body_b = b;
    def.frame_a.position.x = real(0.3);
    def.frame_b.position.x = real(-0.3);
    def.frame_b.rotation = turn(20, 0, 0.6, 0.8);
    create_joint(world, &def);
    step_world(world, 30);
    CHECK_AT_MOST(0.001, worst_parting());
    CHECK_AT_MOST(0.2 * DEGREE, worst_of(turn_of));
    CHECK_AT_MOST(0.01, fastest());
}

static void check_far_joints(vsp_stepper stepper)
{
    check_far_joint(stepper, VSP_JOINT_BALL);
    check_far_joint(stepper, VSP_JOINT_HINGE);
    check_far_joint(stepper, VSP_JOINT_SLIDER);
    check_far_joint(stepper, VSP_JOINT_FIXED);
    check_far_joint(stepper, VSP_JOINT_DISTANCE);
}

static void bodies_come_to_their_joints(void)
{
    each_stepper(check_far_joints);
}


/* ---- Sleep -------------------------------------------------------------- */

static uint32_t awake_among(const vsp_body_id *ids, int count)
{
    uint32_t awake = 0;

    for (int i = 0; i < count; i++)
        awake += vsp_body_is_awake(world, ids[i]);
    return awake;
}

static void begin_sleepy(vsp_stepper stepper)
{
    vsp_world_def def = settings(stepper, 0.01, G);

    def.enable_sleep = true;
    begin_with(&def);
}

static void check_sleep(vsp_stepper stepper)
{
    vsp_body_id links[6];
    vec3 before;

    begin_sleepy(stepper);
    hang_links(links, 6);
    step_world(world, 300);
    CHECK_UINT(0, awake_among(links, 6));
    before = center(links[5]);
    step_world(world, 100);
    CHECK_NEAR(before.y, center(links[5]).y, 0);
    CHECK_STATUS(VSP_OK, vsp_body_apply_center_impulse(world, links[5],
                                                       real3(0.5, 0, 0)));
    step_world(world, 1);
    CHECK_UINT(6, awake_among(links, 6));
    step_world(world, 20);
    CHECK_AT_LEAST(0.01, center(links[5]).x);
    CHECK_AT_MOST(0.001, worst_parting());
}

static void chains_sleep_and_wake(void)
{
    each_stepper(check_sleep);
}

/* Two boxes far apart on the floor, joined by one rope. */
static void neighbours_wake_each_other(void)
{
    vsp_body_id boxes[2];
    vsp_transform pose;

    begin_sleepy(VSP_STEPPER_CARRY);
    add_ground(world);
    boxes[0] = add_cube(world, -1, 0.5, 0);
    boxes[1] = add_cube(world, 1, 0.5, 0);
    tie_bodies(boxes[0], boxes[1], 0, 3);
    step_world(world, 200);
    CHECK_UINT(0, awake_among(boxes, 2));
    pose = vsp_body_transform(world, boxes[0]);
    pose.position.x = real(-1.5);
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, boxes[0], pose));
    step_world(world, 1);
    CHECK_UINT(2, awake_among(boxes, 2));
}

/* Bodies that hang on a body must wake and follow when a call moves it. */
static void anchors_wake_what_hangs(void)
{
    for (int is_kinematic = 0; is_kinematic < 2; is_kinematic++) {
        vsp_body_def still = vsp_body_def_default();
        vsp_body_id anchor, box;
        vsp_transform pose;
        vsp_joint_def def;

        begin_sleepy(VSP_STEPPER_CARRY);
        still.type = is_kinematic ? VSP_KINEMATIC : VSP_STATIC;
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &still, &anchor));
        box = add_cube(world, 0, -1, 0);
        def = joint_def(VSP_JOINT_BALL, anchor, box, vec_make(0, 0, 0),
                        vec_make(1, 0, 0));
        create_joint(world, &def);
        step_world(world, 200);
        CHECK(!vsp_body_is_awake(world, box));
        pose = vsp_body_transform(world, anchor);
        pose.position.x = real(5);
        CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, anchor, pose));
        step_world(world, 20);
        CHECK_AT_MOST(0.001, worst_parting());
    }
}

/* A motor that turns keeps its bodies awake; one at rest does not. */
static void motors_keep_awake(void)
{
    for (int turns = 0; turns < 2; turns++) {
        vsp_body_id bar;
        vsp_joint_def def;

        begin_sleepy(VSP_STEPPER_CARRY);
        bar = add_bar(0.2, 0.2, 0, 0);
        def = hinge_def(base, bar, 0, 0);
        set_motor(&def, turns, 100);
        create_joint(world, &def);
        step_world(world, 300);
        CHECK_UINT((uint32_t)turns, vsp_body_is_awake(world, bar));
    }
}

/* A servo must arrive though it is slower than what sleeps, and sleep there. */
static void slow_servos_arrive(void)
{
    static const vsp_joint_type types[] = {VSP_JOINT_HINGE, VSP_JOINT_SLIDER};

    for (size_t i = 0; i < COUNT_OF(types); i++) {
        vsp_body_id bar;
        vsp_joint_def def;
        vsp_joint_id id;

        test_note("joint of type %d", (int)types[i]);
        begin_sleepy(VSP_STEPPER_CARRY);
        bar = add_bar(0.2, 0.2, 0, 0);
        def = joint_def(types[i], base, bar, vec_make(0, 0, 0),
                        vec_make(0, 0, 1));
        set_motor(&def, 0.001, 1e4);
        def.motor_mode = VSP_MOTOR_SERVO;
        def.motor_target = real(0.01);
        id = create_joint(world, &def);
        step_world(world, 1500);
        CHECK_NEAR(0.01, place_of(id), 2e-4);
        CHECK(!vsp_body_is_awake(world, bar));
    }
}

/* A hinge whose axes are opposite, as a call put them, must turn back. */
static void a_hinge_turns_back(void)
{
    vsp_transform pose;
    vsp_joint_def def;
    vsp_body_id bar;

    begin_world(VSP_STEPPER_CARRY, 0);
    bar = add_bar(0.2, 0.2, 0, 0);
    def = hinge_def(base, bar, 0, 0);
    create_joint(world, &def);
    pose = vsp_body_transform(world, bar);
    pose.rotation = turn(180, 1, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, bar, pose));
    step_world(world, 300);
    CHECK_NEAR(1, body_axis(world, bar, 2).z, 1e-6);
}


/* ---- Energy and momentum ------------------------------------------------ */

/* Returns the angular momentum of a box of 0.4 x 0.2 x 0.1 m. */
static vec3 turn_momentum(vsp_body_id id)
{
    double mass = num(vsp_body_mass(world, id));
    vec3 w = spin(id), sum = vec_make(0, 0, 0);
    static const double square[3] = {0.01 + 0.0025, 0.04 + 0.0025, 0.04 + 0.01};

    for (uint32_t k = 0; k < 3; k++) {
        vec3 axis = body_axis(world, id, k);

        sum = vec_mad(sum, mass / 3 * square[k] * vec_dot(axis, w), axis);
    }
    return vec_add(sum, vec_cross(center(id), vec_scale(velocity(id), mass)));
}

static void check_momentum(vsp_stepper stepper, vsp_joint_type type)
{
    vec3 way, turning, got;
    vsp_body_id a, b;

    test_note("joint of type %d, stepper %d", (int)type, (int)stepper);
    begin_world(stepper, 0);
    a = add_bar(0.2, 0.1, 0, 0);
    b = add_bar(0.2, 0.1, 0.5, 0);
    join_bodies(type, a, b, vec_make(0.25, 0.05, 0));
    set_motion(a, vec_make(1, 0, 0), vec_make(0, 2, 1));
    set_motion(b, vec_make(1, 2, 0), vec_make(1, -1, 3));
    way = vec_add(velocity(a), velocity(b));
    turning = vec_add(turn_momentum(a), turn_momentum(b));
    step_world(world, 500);
    got = vec_add(velocity(a), velocity(b));
    CHECK_AT_MOST(1e-4, vec_length(vec_sub(got, way)));
    got = vec_add(turn_momentum(a), turn_momentum(b));
    CHECK_AT_MOST(0.01 * vec_length(turning),
                  vec_length(vec_sub(got, turning)));
}

static void check_momenta(vsp_stepper stepper)
{
    check_momentum(stepper, VSP_JOINT_BALL);
    check_momentum(stepper, VSP_JOINT_HINGE);
    check_momentum(stepper, VSP_JOINT_SLIDER);
    check_momentum(stepper, VSP_JOINT_FIXED);
}

static void momentum_is_kept(void)
{
    each_stepper(check_momenta);
}

/* A ragdoll thrown up with a spin, without gravity. */
static void check_free_ragdoll(vsp_stepper stepper)
{
    double energy;
    vec3 middle;

    if (!start_scene("ragdolls:1", stepper))
        return;
    CHECK_STATUS(VSP_OK, vsp_world_set_gravity(world, real3(0, 0, 0)));
    middle = mark_position(&run, 0);
    for (uint32_t slot = 1; slot <= 15; slot++) {
        vsp_body_id id = vsp_body_at(world, slot);
        vec3 w = vec_make(2, 5, 1);
        vec3 v = vec_cross(w, vec_sub(center(id), middle));

        set_motion(id, vec_add(v, vec_make(0, 3, 0)), w);
    }
    energy = total_energy(world);
    for (uint32_t step = 0; step < 500; step++) {
        play_steps(&run, step, step + 1);
        CHECK_AT_MOST(energy * 1.001, total_energy(world));
        energy = fmin(energy, total_energy(world));
    }
    CHECK_AT_MOST(0.001, worst_parting());
}

static void a_free_ragdoll_gains_no_energy(void)
{
    each_stepper(check_free_ragdoll);
}


/* ---- Double pendulum ---------------------------------------------------- */

/* Two bars of 1 x 0.1 m: their angles a and b from hanging down, and the rates
 * of these. */
typedef struct swing {
    double a, b, da, db;
} swing;

/* The Lagrange equations, divided by the mass of a bar. */
static swing swing_rate(const swing *s)
{
    double own = (1 + 0.01) / 12;
    double first = own + 0.25 + 1, second = own + 0.25;
    double both = 0.5 * cos(s->a - s->b), out = 0.5 * sin(s->a - s->b);
    double p = -out * s->db * s->db - 1.5 * G * sin(s->a);
    double q = out * s->da * s->da - 0.5 * G * sin(s->b);
    double det = first * second - both * both;
    swing rate = {s->da, s->db, (p * second - q * both) / det,
                  (q * first - p * both) / det};

    return rate;
}

static swing swing_mad(const swing *s, double h, const swing *rate)
{
    swing result = {s->a + h * rate->a, s->b + h * rate->b,
                    s->da + h * rate->da, s->db + h * rate->db};

    return result;
}

/* Makes a step of Runge-Kutta, fourth order. */
static void swing_on(swing *s, double h)
{
    swing k1 = swing_rate(s);
    swing at2 = swing_mad(s, h / 2, &k1), k2 = swing_rate(&at2);
    swing at3 = swing_mad(s, h / 2, &k2), k3 = swing_rate(&at3);
    swing at4 = swing_mad(s, h, &k3), k4 = swing_rate(&at4);

    *s = swing_mad(s, h / 6, &k1);
    *s = swing_mad(s, h / 3, &k2);
    *s = swing_mad(s, h / 3, &k3);
    *s = swing_mad(s, h / 6, &k4);
}

/* Returns the angle of a bar, which begins level, from hanging down. */
static double hanging_angle(vsp_body_id id)
{
    vec3 along = body_axis(world, id, 0);

    return atan2(along.x, -along.y);
}

static void start_pendulum(vsp_stepper stepper, vsp_joint_type type,
                           vsp_body_id bars[2])
{
    vsp_world_def def = settings(stepper, 0.001, G);

    begin_with(&def);
    bars[0] = add_bar(0.5, 0.05, 0.5, 0);
    bars[1] = add_bar(0.5, 0.05, 1.5, 0);
    for (int i = 0; i < 2; i++) {
        vsp_joint_def joint = joint_def(type, i == 0 ? base : bars[0], bars[i],
                                        vec_make(i, 0, 0), vec_make(0, 0, 1));

        create_joint(world, &joint);
    }
}

/* Two bars released level: the potential energy is 196 J. */
static void check_pendulum(vsp_stepper stepper, vsp_joint_type type)
{
    swing s = {PI / 2, PI / 2, 0, 0};
    vsp_body_id bars[2];
    double low = 0, high = 0;

    test_note("joints of type %d, stepper %d", (int)type, (int)stepper);
    start_pendulum(stepper, type, bars);
    for (int i = 1; i <= 10000; i++) {
        double energy;

        step_world(world, 1);
        swing_on(&s, 0.001);
        energy = total_energy(world);
        low = fmin(low, energy);
        high = fmax(high, energy);
        if (i != 2000)
            continue;
        CHECK_NEAR(0, remainder(hanging_angle(bars[0]) - s.a, 2 * PI),
                   2 * DEGREE);
        CHECK_NEAR(0, remainder(hanging_angle(bars[1]) - s.b, 2 * PI),
                   2 * DEGREE);
    }
    CHECK_AT_LEAST(-0.01 * 20 * G, low);
    CHECK_AT_MOST(0.01 * 20 * G, high);
}

static void check_pendulums(vsp_stepper stepper)
{
    check_pendulum(stepper, VSP_JOINT_HINGE);
    check_pendulum(stepper, VSP_JOINT_BALL);
}

static void double_pendulums_swing(void)
{
    each_stepper(check_pendulums);
}


/* ---- Ragdolls ----------------------------------------------------------- */

/* Ragdolls must come to rest in a pile, each in one piece. */
static void check_pile(const char *name, vsp_stepper stepper, uint32_t steps)
{
    double most = 0;

    if (!start_scene(name, stepper))
        return;
    for (uint32_t step = 0; step < steps; step++) {
        CHECK_AT_LEAST(0, scene_step(&run, step));
        most = fmax(most, fastest());
    }
    CHECK_AT_MOST(30, most);
    CHECK_AT_MOST(0.005, worst_parting());
    CHECK_AT_MOST(2 * DEGREE, worst_excess());
    CHECK_AT_MOST(stepper == VSP_STEPPER_SHOCK ? 3 : 1, fastest());
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

static void two_ragdolls_lie_in_one_piece(void)
{
    check_pile("ragdolls:2", VSP_STEPPER_CARRY, 300);
}

static void ragdolls_lie_in_one_piece(void)
{
    const char *others = is_long() ? "ragdolls" : "ragdolls:4";

    check_pile("ragdolls", VSP_STEPPER_CARRY, 600);
    check_pile(others, VSP_STEPPER_PGS, 600);
    check_pile(others, VSP_STEPPER_SHOCK, 600);
}

static void a_ragdoll_falls_down_a_step(void)
{
    if (!start_scene("ragdoll", VSP_STEPPER_CARRY))
        return;
    CHECK_AT_MOST(0.03, play_parting(0, 300));
    CHECK_AT_MOST(0.005, worst_parting());
    CHECK_AT_MOST(2 * DEGREE, worst_excess());
}

/* A restored world must continue like the original. */
static void ragdolls_are_restored(void)
{
    static uint32_t hashes[60];
    size_t size;

    if (!start_scene("ragdolls:2", VSP_STEPPER_CARRY))
        return;
    play_steps(&run, 0, 60);
    size = save_world(world, 0);
    for (uint32_t i = 0; i < 60; i++) {
        play_steps(&run, 60 + i, 61 + i);
        hashes[i] = vsp_world_hash(world);
    }
    if (!start_scene("ropes", VSP_STEPPER_PGS))
        return;
    play_steps(&run, 0, 10);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    for (uint32_t i = 0; i < 60; i++) {
        step_world(world, 1);
        if (!CHECK_HEX(hashes[i], vsp_world_hash(world)))
            return;
    }
}

static const test tests[] = {
    TEST(read_agrees_with_poses),
    TEST_SLOW(chains_hold),
    TEST_SLOW(whips_keep_their_energy),
    TEST_SLOW(weights_on_chains),
    TEST(a_chain_carries_its_weight),
    TEST(masses_may_differ),
    TEST(a_beam_stays_off_the_wall),
    TEST_LONG(a_bridge_carries_crates),
    TEST_SLOW(a_bridge_at_rest_fits),
    TEST(a_bridge_of_a_stepper_holds),
    TEST(hinges_stop_at_limits),
    TEST(balls_stop_at_cones_and_twists),
    TEST(a_cone_bears),
    TEST(sliders_slide_to_their_ends),
    TEST(limits_are_told_once),
    TEST(hinges_turn_round_and_round),
    TEST(half_a_turn_is_an_end),
    TEST(a_door_opens_to_its_limit),
    TEST(motors_keep_their_speed),
    TEST(motors_are_no_stronger_than_they_are),
    TEST(a_motor_turns_both),
    TEST(hoists_lift_what_they_can),
    TEST(a_mill_turns),
    TEST(a_car_drives_over_bumps),
    TEST(ropes_go_slack),
    TEST(ropes_and_rods_keep_their_length),
    TEST(a_rod_is_a_pendulum),
    TEST(tops_keep_to_their_cones),
    TEST(a_ball_that_spins_swings_in_a_plane),
    TEST(pivots_keep_what_was_asked_for),
    TEST(a_plate_hangs_from_a_carousel),
    TEST(joints_break_at_their_load),
    TEST(joints_break_at_their_torque),
    TEST(two_hooks_break),
    TEST(joined_bodies_do_not_collide),
    TEST(bodies_collide_when_their_joint_is_gone),
    TEST(what_moves_carries),
    TEST(a_chain_without_a_link_falls),
    TEST(still_loops_close),
    TEST(a_link_put_elsewhere_comes_back),
    TEST(bodies_come_to_their_joints),
    TEST(chains_sleep_and_wake),
    TEST(neighbours_wake_each_other),
    TEST(anchors_wake_what_hangs),
    TEST(motors_keep_awake),
    TEST(slow_servos_arrive),
    TEST(a_hinge_turns_back),
    TEST(momentum_is_kept),
    TEST(a_free_ragdoll_gains_no_energy),
    TEST_SLOW(double_pendulums_swing),
    TEST(two_ragdolls_lie_in_one_piece),
    TEST_SLOW(ragdolls_lie_in_one_piece),
    TEST(a_ragdoll_falls_down_a_step),
    TEST(ragdolls_are_restored),
    TEST_END,
};

const test_suite joint_suite = {"joint", tests};
