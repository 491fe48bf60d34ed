/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Unions: bodies that rigid joints hold together must move as one body of the
 * same shapes does; the loads of their joints are those of statics; they break
 * and bend where these demand it, split into the right pieces, sleep and wake
 * as one. */

#include "port/geometry/hull.h"
#include "port/vec.h"
#include "scene_fixture.h"

#include <math.h>

#if VSP_UNIONS

#define G 9.81
#define EDGE 0.2     /* edge of the boxes of beams and cubes, m */
#define BOX_MASS 8.0 /* mass of these boxes, kg */
#define DT 0.01

static vsp_world *world;


/* ---- Worlds ---------------------------------------------------------------
 */

static void begin_world(vsp_stepper stepper, double gravity)
{
    vsp_world_def def = vsp_world_def_default();

    def.stepper = stepper;
    def.dt = real(DT);
    def.gravity = real3(0, -gravity, 0);
    def.enable_sleep = false;
    def.reports = 63;
    world = new_world_of(&def);
}

static vsp_body_id add_box(vsp_body_type type, double x, double y, double z)
{
    vsp_shape_def box = vsp_box(real(EDGE / 2), real(EDGE / 2), real(EDGE / 2));

    box.density = real(BOX_MASS / (EDGE * EDGE * EDGE));
    return add_body(world, type, box, x, y, z);
}

/* Returns a rigid joint of two bodies, at the middle between their centres. */
static vsp_joint_def rigid_joint(vsp_body_id a, vsp_body_id b)
{
    vsp_joint_def def = vsp_joint_def_default();
    vsp_vec3 p = vsp_body_center(world, a), q = vsp_body_center(world, b);

    def.type = VSP_JOINT_FIXED;
    def.body_a = a;
    def.body_b = b;
    def.rigid = true;
    CHECK_STATUS(VSP_OK, vsp_joint_place(world, &def,
                                         real3((num(p.x) + num(q.x)) / 2,
                                               (num(p.y) + num(q.y)) / 2,
                                               (num(p.z) + num(q.z)) / 2),
                                         real3(1, 0, 0)));
    return def;
}

static vsp_joint_id make_joint(const vsp_joint_def *def)
{
    vsp_joint_id id = {0};

    CHECK_STATUS(VSP_OK, vsp_joint_create(world, def, &id));
    return id;
}

static vsp_joint_id join_boxes(vsp_body_id a, vsp_body_id b)
{
    vsp_joint_def def = rigid_joint(a, b);

    return make_joint(&def);
}

static vsp_joint_state read_joint(vsp_joint_id id)
{
    vsp_joint_state state = {0};

    CHECK_STATUS(VSP_OK, vsp_joint_read(world, id, &state));
    return state;
}

static vec3 center(vsp_body_id id)
{
    vsp_vec3 p = vsp_body_center(world, id);

    return vec_make(num(p.x), num(p.y), num(p.z));
}

static vec3 velocity(vsp_body_id id)
{
    vsp_vec3 v = vsp_body_velocity(world, id);

    return vec_make(num(v.x), num(v.y), num(v.z));
}

static vec3 spin(vsp_body_id id)
{
    vsp_vec3 w = vsp_body_spin(world, id);

    return vec_make(num(w.x), num(w.y), num(w.z));
}

static double distance(vec3 a, vec3 b)
{
    return vec_length(vec_sub(a, b));
}

static uint32_t dice;

static double random_between(double low, double high)
{
    dice = dice * 1664525u + 1013904223u;
    return low + (high - low) * (dice >> 8) / 16777216.0;
}

/* Returns a vector with each component in [-size, size].  Components are drawn
 * one by one, because C does not define the order of arguments. */
static vsp_vec3 random_vector(double size)
{
    double x = random_between(-size, size);
    double y = random_between(-size, size);
    double z = random_between(-size, size);

    return real3(x, y, z);
}

static int count_events(vsp_event_type type)
{
    uint32_t count, i;
    const vsp_event *events = vsp_world_events(world, &count);
    int found = 0;

    for (i = 0; i < count; i++)
        found += events[i].type == (uint32_t)type ? 1 : 0;
    return found;
}

static const vsp_event *find_event(vsp_event_type type, vsp_body_id body)
{
    uint32_t count, i;
    const vsp_event *events = vsp_world_events(world, &count);

    for (i = 0; i < count; i++)
        if (events[i].type == (uint32_t)type &&
            events[i].body_a.bits == body.bits)
            return events + i;
    return NULL;
}


/* ---- As one body --------------------------------------------------------- */

#define BAR 5

static vsp_body_id bar[BAR];

/* Returns the positions of a bent bar of five boxes at a height: three in a
 * row, two on top of its end. */
static vec3 bar_place(int i, double height)
{
    return i < 3 ? vec_make(EDGE * i, height, 0)
                 : vec_make(EDGE * 2, height + EDGE * (i - 2), 0);
}

static void add_bar(double height)
{
    for (int i = 0; i < BAR; i++) {
        vec3 p = bar_place(i, height);

        bar[i] = add_box(VSP_DYNAMIC, p.x, p.y, p.z);
        if (i > 0)
            (void)join_boxes(bar[i - 1], bar[i]);
    }
}

/* Adds the same bar as one body of five shapes. */
static vsp_body_id add_compound(double height)
{
    vsp_body_id id = add_box(VSP_DYNAMIC, 0, height, 0);

    for (int i = 1; i < BAR; i++) {
        vsp_shape_def box = vsp_box(real(EDGE / 2), real(EDGE / 2),
                                    real(EDGE / 2));
        vec3 p = bar_place(i, 0);
        vsp_shape_id shape;

        box.density = real(BOX_MASS / (EDGE * EDGE * EDGE));
        box.pose.position = real3(p.x, p.y, p.z);
        CHECK_STATUS(VSP_OK, vsp_shape_create(world, id, &box, &shape));
    }
    return id;
}

/* Returns the origin of the compound, the centre of its first box. */
static vec3 compound_origin(vsp_body_id id)
{
    vsp_transform pose = vsp_body_transform(world, id);

    return vec_make(num(pose.position.x), num(pose.position.y),
                    num(pose.position.z));
}

static vec3 record_compound(vsp_stepper stepper, double gravity, double height,
                            vsp_vec3 push, int steps)
{
    vsp_body_id id;

    begin_world(stepper, gravity);
    if (height < 10)
        (void)add_ground(world);
    id = add_compound(height);
    CHECK_STATUS(VSP_OK,
                 vsp_body_apply_impulse(world, id, push, real3(0, height, 0)));
    step_world(world, (uint32_t)steps);
    return compound_origin(id);
}

/* A push on one body must move all as it moves the compound. */
static void check_like_a_compound(vsp_stepper stepper, double gravity,
                                  double height, vsp_vec3 push, int steps,
                                  double within)
{
    vec3 expected = record_compound(stepper, gravity, height, push, steps);

    begin_world(stepper, gravity);
    if (height < 10)
        (void)add_ground(world);
    add_bar(height);
    CHECK_STATUS(VSP_OK, vsp_body_apply_impulse(world, bar[0], push,
                                                real3(0, height, 0)));
    step_world(world, (uint32_t)steps);
    CHECK_AT_MOST(within, distance(expected, center(bar[0])));
    for (int i = 1; i < BAR; i++)
        CHECK_NEAR(EDGE, distance(center(bar[i - 1]), center(bar[i])),
                   TOLERANCE(2e-6, 4e-6));
}

/* A hundred steps of a tumble, three rotations in a flight of 2 m. */
static void check_tumble(vsp_stepper stepper)
{
    check_like_a_compound(stepper, 0, 20, real3(20, 50, 70), 100,
                          TOLERANCE(0.0005, 0.002));
}

static void unions_tumble_as_one_body_does(void)
{
    each_stepper(check_tumble);
}

/* The bar slides 1 to 2 m until friction stops it. */
static void check_slide(vsp_stepper stepper)
{
    vec3 from = bar_place(0, EDGE / 2);
    vec3 end = record_compound(stepper, G, EDGE / 2, real3(-120, 0, 40), 150);

    check_like_a_compound(stepper, G, EDGE / 2, real3(-120, 0, 40), 150,
                          0.01 * distance(from, end));
}

static void unions_slide_as_one_body_does(void)
{
    each_stepper(check_slide);
}

/* Returns momentum, and angular momentum about the origin, of the bar. */
static vec3 momentum(void)
{
    vec3 sum = vec_make(0, 0, 0);

    for (int i = 0; i < BAR; i++)
        sum = vec_add(sum, vec_scale(velocity(bar[i]), BOX_MASS));
    return sum;
}

static vec3 angular_momentum(void)
{
    double inertia = BOX_MASS * EDGE * EDGE / 6;
    vec3 sum = vec_make(0, 0, 0);

    for (int i = 0; i < BAR; i++) {
        vec3 p = vec_scale(velocity(bar[i]), BOX_MASS);

        sum = vec_add(sum, vec_add(vec_cross(center(bar[i]), p),
                                   vec_scale(spin(bar[i]), inertia)));
    }
    return sum;
}

static void pushes_on_one_body_keep_momentum(void)
{
    vec3 p, l;

    begin_world(VSP_STEPPER_CARRY, 0);
    add_bar(0);
    for (int i = 0; i < BAR; i++) {
        CHECK_STATUS(VSP_OK, vsp_body_apply_impulse(world, bar[i],
                                                    real3(3 - i, 2 * i, 1 + i),
                                                    real3(0.3, 0.1 * i, -0.2)));
        CHECK_STATUS(VSP_OK, vsp_body_apply_angular_impulse(
                                 world, bar[i], real3(0.1 * i, 0.2, -0.1)));
        p = momentum();
        l = angular_momentum();
        step_world(world, 1);
        CHECK_AT_MOST(TOLERANCE(1e-5, 1e-3) * vec_length(p),
                      distance(p, momentum()));
        CHECK_AT_MOST(TOLERANCE(1e-4, 1e-3) * vec_length(l) + 1e-5,
                      distance(l, angular_momentum()));
    }
    step_world(world, 500);
    CHECK_AT_MOST(TOLERANCE(1e-5, 1e-3) * vec_length(p),
                  distance(p, momentum()));
    CHECK_AT_MOST(TOLERANCE(1e-4, 2e-3) * vec_length(l) + 1e-5,
                  distance(l, angular_momentum()));
}

/* Forces, weights and damping of single bodies must act on all. */
static void forces_on_one_body_move_all(void)
{
    begin_world(VSP_STEPPER_CARRY, G);
    add_bar(20);
    for (int i = 0; i < BAR; i++) /* the sum of weights is 0 */
        CHECK_STATUS(VSP_OK, vsp_body_set_gravity_scale(
                                 world, bar[i], real(i == 0 ? -4.0 : 1.0)));
    for (int k = 0; k < 20; k++) {
        CHECK_STATUS(VSP_OK, vsp_body_apply_center_force(
                                 world, bar[1], real3(BAR * BOX_MASS, 0, 0)));
        step_world(world, 1);
    }
    CHECK_NEAR(0.2 * BAR * BOX_MASS, momentum().x, TOLERANCE(1e-4, 1e-2));
    CHECK_NEAR(0, momentum().y, TOLERANCE(1e-3, 1e-2));
    begin_world(VSP_STEPPER_CARRY, 0);
    add_bar(20);
    for (int i = 0; i < BAR; i++)
        CHECK_STATUS(VSP_OK,
                     vsp_body_set_velocity(world, bar[i], real3(1, 0, 0),
                                           real3(0, 0, 0)));
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_damping(world, bar[3], real(BAR * 1.0), 0));
    step_world(world, 100);
    CHECK_NEAR(pow(1 / 1.01, 100), velocity(bar[0]).x, 1e-3);
}


/* ---- Rolling --------------------------------------------------------------
 */

#define SLICES 12
#define FACETS 8 /* sides of a slice */
#define GRIP 0.6 /* friction */

/* Forms that roll: a wheel of slices whose joints are a loop; a roller of
 * spheres and capsules; a dumbbell with weights off its axle. */
enum { WHEEL, ROLLER, DUMBBELL, ROUND_FORMS };

typedef struct round_form {
    const char *name;
    int count;
    double radius; /* m */
    double within; /* bound of the relative error */
} round_form;

/* A wheel has corners, which amplify noise. */
static const round_form round_forms[ROUND_FORMS] = {
    {"wheel", SLICES, 0.5, 0.01},
    {"roller", 5, 0.25, 0.002},
    {"dumbbell", 8, 0.4, 0.002}};

typedef struct roll {
    int form;
    bool is_one; /* one body, not a union */
    vsp_stepper stepper;
    double dt, slope; /* s, rad */
    double noise;     /* m: noise of each position */
} roll;

typedef struct rolled {
    double way, speed, spin; /* of the centre of mass, after all steps:
                              * distance, speed, spin */
} rolled;

static hull_storage slice;
static uint32_t slice_table;
static vsp_body_id round_piece[SLICES];

/* Makes a slice of a wheel, with a facet at the bottom. */
static void make_slice(void)
{
    double part = 2 * PI / SLICES / FACETS;
    vec3 points[2 * (FACETS + 2)];
    int count = 0;

    for (double z = -0.15; z < 0.2; z += 0.3) {
        for (int k = 0; k <= FACETS; k++)
            points[count++] = vec_make(0.5 * sin(part * (k - 0.5)),
                                       -0.5 * cos(part * (k - 0.5)), z);
        points[count++] = vec_make(0, 0, z);
    }
    CHECK(!hull_build(&slice, points, (size_t)count, 1e-6));
    CHECK_STATUS(VSP_OK,
                 vsp_world_add_table(world, &slice.hull, &slice_table, NULL));
}

/* Returns one piece, at its pose. */
static vsp_shape_def round_shape(int form, int i)
{
    vsp_quat along_z = turn(90, 1, 0, 0);
    vsp_shape_def shape = vsp_sphere(real(round_forms[form].radius));

    if (form == WHEEL) {
        shape = vsp_table_shape(VSP_SHAPE_HULL, slice_table);
        shape.pose.rotation = turn(360.0 * i / SLICES, 0, 0, 1);
    } else if (form == ROLLER) {
        if (i % 2 == 1) {
            shape = vsp_capsule(real(0.25), real(0.1));
            shape.pose.rotation = along_z;
        }
        shape.pose.position = real3(0, 0, 0.4 * (i - 2));
    } else if (i < 2) {
        shape.pose.position = real3(0, 0, i == 0 ? -0.7 : 0.7);
    } else if (i < 5) {
        shape = vsp_capsule(real(0.08), real(0.2));
        shape.pose.position = real3(0, 0, 0.4 * (i - 3));
        shape.pose.rotation = along_z;
    } else {
        shape = vsp_box(real(0.05), real(0.05), real(0.05));
        shape.density = real(60000);
        shape.pose.position = real3(0.1, 0.2 * (i - 6), 0.1 * (i - 6));
    }
    shape.material.friction = real(GRIP);
    return shape;
}

static double round_height(int form)
{
    return form == WHEEL ? 0.5 * cos(PI / SLICES / FACETS)
                         : round_forms[form].radius;
}

/* Adds a union, in which each piece is a body with its shape at its origin. */
static void add_round_union(const roll *it)
{
    int count = round_forms[it->form].count;

    dice = 5;
    for (int i = 0; i < count; i++) {
        vsp_shape_def shape = round_shape(it->form, i);
        vsp_transform at = shape.pose;
        vsp_vec3 off = random_vector(it->noise);

        shape.pose = vsp_body_def_default().pose;
        round_piece[i] = add_turned(
            world, VSP_DYNAMIC, shape, num(at.position.x) + num(off.x),
            num(at.position.y) + num(off.y) + round_height(it->form),
            num(at.position.z) + num(off.z), at.rotation);
        if (i > 0)
            (void)join_boxes(round_piece[i - 1], round_piece[i]);
    }
    if (it->form == WHEEL)
        (void)join_boxes(round_piece[count - 1], round_piece[0]);
}

static void add_round_compound(const roll *it)
{
    round_piece[0] = add_body(world, VSP_DYNAMIC, round_shape(it->form, 0), 0,
                              round_height(it->form), 0);
    for (int i = 1; i < round_forms[it->form].count; i++) {
        vsp_shape_def shape = round_shape(it->form, i);

        CHECK_STATUS(VSP_OK,
                     vsp_shape_create(world, round_piece[0], &shape, NULL));
    }
}

/* Computes position and speed along x of the centre of mass of some bodies. */
static void measure_round(int count, double *x, double *speed)
{
    double mass = 0;

    *x = *speed = 0;
    for (int i = 0; i < count; i++) {
        double part = num(vsp_body_mass(world, round_piece[i]));

        mass += part;
        *x += part * center(round_piece[i]).x;
        *speed += part * velocity(round_piece[i]).x;
    }
    *x /= mass;
    *speed /= mass;
}

/* Starts the roll: on a floor at 3 m/s, on a slope from rest. */
static void start_rolling(const roll *it, int count)
{
    double start = it->slope > 0 ? 0 : 3;
    double turning = start / round_forms[it->form].radius;

    for (int i = 0; i < count; i++) {
        vec3 p = center(round_piece[i]);

        CHECK_STATUS(VSP_OK,
                     vsp_body_set_velocity(
                         world, round_piece[i],
                         real3(start + turning * (p.y - round_height(it->form)),
                               -turning * p.x, 0),
                         real3(0, 0, -turning)));
    }
}

static rolled roll_down(const roll *it, double seconds)
{
    int count = it->is_one ? 1 : round_forms[it->form].count;
    vsp_shape_def ground = vsp_half_space();
    vsp_world_def def = vsp_world_def_default();
    double from, still;
    rolled end;

    def.stepper = it->stepper;
    def.dt = real(it->dt);
    def.gravity = real3(G * sin(it->slope), -G * cos(it->slope), 0);
    def.enable_sleep = false;
    world = new_world_of(&def);
    ground.material.friction = real(GRIP);
    (void)add_body(world, VSP_STATIC, ground, 0, 0, 0);
    make_slice();
    if (it->is_one)
        add_round_compound(it);
    else
        add_round_union(it);
    start_rolling(it, count);
    measure_round(count, &from, &still);
    step_world(world, (uint32_t)(seconds / it->dt + 0.5));
    measure_round(count, &end.way, &end.speed);
    end.way -= from;
    end.spin = spin(round_piece[0]).z;
    return end;
}

static void check_roll(roll it, double noise, double seconds)
{
    double within = round_forms[it.form].within;
    rolled one, many;

    test_note("%s, stepper %d, dt %g, slope %g, noise %g",
              round_forms[it.form].name, (int)it.stepper, it.dt, it.slope,
              noise);
    it.is_one = true;
    it.noise = 0;
    one = roll_down(&it, seconds);
    it.is_one = false;
    it.noise = noise;
    many = roll_down(&it, seconds);
    CHECK_AT_LEAST(1, one.way);
    CHECK_NEAR(one.way, many.way, within * one.way);
    CHECK_NEAR(one.speed, many.speed, within * one.speed);
    CHECK_NEAR(one.spin, many.spin, within * fabs(one.spin));
}

static void check_rolls(vsp_stepper stepper)
{
    for (int form = 0; form < ROUND_FORMS; form++) {
        roll it = {form, false, stepper, DT, 0.15, 0};

        check_roll(it, 1e-5, 2);
    }
}

static void unions_roll_as_one_body_does(void)
{
    each_stepper(check_rolls);
}

/* On a floor and down a slope, in steps of two lengths, with and without noise,
 * for three seconds. */
static void check_all_rolls(vsp_stepper stepper)
{
    for (int k = 0; k < 8 * ROUND_FORMS; k++) {
        roll it = {k / 8, false, stepper, k & 1 ? 0.007 : DT, k & 2 ? 0.15 : 0,
                   0};

        check_roll(it, k & 4 ? 1e-5 : 0, 3);
    }
}

static void unions_roll_in_any_steps(void)
{
    each_stepper(check_all_rolls);
}


/* ---- A cube of 125 boxes --------------------------------------------------
 */

#define CUBE 5
#define CUBE_BOXES (CUBE * CUBE * CUBE)

static vsp_body_id cube[CUBE_BOXES];
static vsp_joint_id cube_joints[3 * CUBE_BOXES];
static int cube_joint_count;

static vec3 turned(vsp_quat q, vec3 v)
{
    vec3 axis = vec_make(num(q.x), num(q.y), num(q.z));
    vec3 t = vec_scale(vec_cross(axis, v), 2);

    return vec_add(vec_mad(v, num(q.w), t), vec_cross(axis, t));
}

/* Adds a cube on a corner, at a height, with each box joined to its
 * neighbours. */
static void add_cube_of_boxes(double height, double strength)
{
    static const int apart[3] = {1, CUBE, CUBE * CUBE};
    vsp_quat q = turn(54.7356103, 0.70710678, 0, -0.70710678);
    vsp_shape_def box = vsp_box(real(EDGE / 2), real(EDGE / 2), real(EDGE / 2));

    cube_joint_count = 0;
    for (int i = 0; i < CUBE_BOXES; i++) {
        vec3 from = vec_make((i % CUBE - 2) * EDGE,
                             (i / CUBE % CUBE - 2) * EDGE,
                             (i / (CUBE * CUBE) - 2) * EDGE);
        vec3 p = turned(q, from);

        cube[i] = add_turned(world, VSP_DYNAMIC, box, p.x,
                             p.y + height + 2.5 * EDGE * sqrt(3.0), p.z, q);
    }
    for (int i = 0; i < CUBE_BOXES; i++)
        for (int k = 0; k < 3; k++) {
            vsp_joint_def def;

            if (i / apart[k] % CUBE == CUBE - 1)
                continue;
            def = rigid_joint(cube[i], cube[i + apart[k]]);
            def.break_impulse = real(strength);
            cube_joints[cube_joint_count++] = make_joint(&def);
        }
}

static double deepest_overlap(void)
{
    double depth = 0;
    uint32_t i, k;

    for (i = 0; i < vsp_contact_count(world); i++) {
        vsp_contact c;

        CHECK_STATUS(VSP_OK, vsp_contact_get(world, i, &c));
        for (k = 0; k < c.point_count; k++)
            depth = fmax(depth, -num(c.points[k].separation));
    }
    return depth;
}

static double largest_error(void)
{
    double error = 0;

    for (int i = 0; i < cube_joint_count; i++) {
        vsp_joint_state state = read_joint(cube_joints[i]);

        if (!state.is_broken)
            error = fmax(error, num(state.error));
    }
    return error;
}

/* Dropped from 1 m onto a corner, it may be deformed by less than 0.01 mm, and
 * sink by less than 1 mm. */
static void check_drop(vsp_stepper stepper)
{
    double deformed = 0, sunk = 0;

    begin_world(stepper, G);
    (void)add_ground(world);
    add_cube_of_boxes(1, 0);
    for (int i = 0; i < 120; i++) {
        step_world(world, 1);
        deformed = fmax(deformed, largest_error());
        sunk = fmax(sunk, deepest_overlap());
    }
    CHECK_AT_MOST(0.00001, deformed);
    CHECK_AT_MOST(0.001, sunk);
}

static void unions_neither_deform_nor_sink(void)
{
    each_stepper(check_drop);
}

/* The sum of all impulses on the boxes of a cube must be the change of its
 * momentum, whatever broke: no piece may fly off faster than the fall. */
static void broken_unions_gain_no_energy(void)
{
    double before, highest = 0;

    begin_world(VSP_STEPPER_CARRY, G);
    (void)add_ground(world);
    add_cube_of_boxes(1, 60);
    before = total_energy(world);
    for (int i = 0; i < 300; i++) {
        step_world(world, 1);
        highest = fmax(highest, total_energy(world));
    }
    CHECK_AT_MOST(before * 1.001, highest);
}


/* ---- Loads ----------------------------------------------------------------
 */

#define MOST 24
#define BRIDGE 10

static vsp_body_id piece[MOST + 1];
static vsp_joint_id piece_joints[MOST + 1];

/* Adds a beam of count boxes that begins at a wall at x = 0; its joints yield
 * at a torque and break at an angle, or never if these are 0. */
static void add_beam(int count, double torque, double angle)
{
    piece[0] = add_box(VSP_STATIC, -EDGE / 2, 5, 0);
    for (int i = 1; i <= count; i++) {
        vsp_joint_def def;

        piece[i] = add_box(VSP_DYNAMIC, EDGE * (i - 0.5), 5, 0);
        def = rigid_joint(piece[i - 1], piece[i]);
        def.yield_torque = real(torque);
        def.break_angle = real(angle);
        piece_joints[i] = make_joint(&def);
    }
}

/* Returns the torque of the beam's weight at joint i, the first at the wall, N
 * m. */
static double beam_torque(int count, int i)
{
    int beyond = count - i + 1;

    return BOX_MASS * beyond * G * EDGE * beyond / 2;
}

static void check_beam(vsp_stepper stepper)
{
    static const int counts[] = {6, 12, 24};

    for (size_t k = 0; k < COUNT_OF(counts); k++) {
        int count = counts[k];

        begin_world(stepper, G);
        add_beam(count, 0, 0);
        step_world(world, 1);
        for (int i = 1; i <= count; i++) {
            vsp_joint_state state = read_joint(piece_joints[i]);
            double expected = beam_torque(count, i) * DT;

            CHECK_NEAR(expected, num(state.turn.z), 0.001 * expected);
            CHECK_NEAR(BOX_MASS * (count - i + 1) * G * DT,
                       num(state.impulse.y), 0.001 * expected + 0.001);
        }
        CHECK_NEAR(5, center(piece[count]).y, 0);
    }
}

static void loads_of_a_beam_are_exact_after_a_step(void)
{
    each_stepper(check_beam);
}

/* Adds a beam of ten boxes between two walls. */
static void add_bridge(double torque)
{
    vsp_joint_def def;

    add_beam(BRIDGE, torque, 0);
    piece[BRIDGE + 1] = add_box(VSP_STATIC, EDGE * (BRIDGE + 0.5), 5, 0);
    def = rigid_joint(piece[BRIDGE], piece[BRIDGE + 1]);
    def.yield_torque = real(torque);
    piece_joints[BRIDGE + 1] = make_joint(&def);
}

/* Returns the moment at a wall for a load of 1 on such a beam.  As the angles
 * of all joints sum to 0, it is the mean, over all joints, of the moments of a
 * beam that may turn at its ends. */
static double wall_moment(void)
{
    double moment = 0;

    for (int i = 0; i <= BRIDGE; i++)
        moment += EDGE * i * (BRIDGE - i) / (2.0 * BRIDGE * (BRIDGE + 1));
    return moment;
}

static void loads_in_loops_are_those_of_springs(void)
{
    double weight = BOX_MASS * BRIDGE * G * DT;
    double moment = weight * wall_moment();

    begin_world(VSP_STEPPER_CARRY, G);
    add_bridge(1e6);
    step_world(world, 20);
    for (int i = 1; i <= BRIDGE + 1; i += BRIDGE) {
        vsp_joint_state state = read_joint(piece_joints[i]);

        CHECK_NEAR(i == 1 ? weight / 2 : -weight / 2, num(state.impulse.y),
                   0.001 * weight);
        CHECK_NEAR(moment, num(state.turn.z), 0.001 * moment);
    }
}

/* Under a growing load the beam yields at both walls at first, but must
 * collapse only when it yields in the middle too: at 16 M / L (limit
 * analysis). */
static void check_collapse(vsp_stepper stepper)
{
    double torque = 100, load = 0, first = 0;

    begin_world(stepper, 0);
    add_bridge(torque);
    while (center(piece[BRIDGE / 2]).y > 4.999 && load < 2000) {
        for (int i = 1; i <= BRIDGE; i++)
            CHECK_STATUS(VSP_OK,
                         vsp_body_apply_center_force(
                             world, piece[i], real3(0, -load / BRIDGE, 0)));
        step_world(world, 1);
        if (first <= 0 && count_events(VSP_EVENT_LIMIT) > 0)
            first = load;
        load += 2;
    }
    CHECK_NEAR(torque / wall_moment(), first, 4);
    CHECK_NEAR(16 * torque / (EDGE * BRIDGE), load, 0.05 * load);
}

static void beams_collapse_as_limit_analysis_says(void)
{
    each_stepper(check_collapse);
}

/* A ring of four boxes under one force: joints on both sides must share it. */
static void loads_in_loops_are_shared_evenly(void)
{
    vsp_body_id b[4];
    vsp_joint_id id[4];

    begin_world(VSP_STEPPER_CARRY, 0);
    for (int i = 0; i < 4; i++)
        b[i] = add_box(VSP_DYNAMIC, i == 1 || i == 2 ? EDGE : 0,
                       i >= 2 ? EDGE : 0, 0);
    for (int i = 0; i < 4; i++) {
        vsp_joint_def def = rigid_joint(b[i], b[(i + 1) % 4]);

        def.break_impulse = real(1000);
        id[i] = make_joint(&def);
    }
    for (int k = 0; k < 10; k++) {
        for (int i = 0; i < 4; i++) /* pulls the lower pair away from the upper
                                     * one */
            CHECK_STATUS(VSP_OK,
                         vsp_body_apply_center_force(
                             world, b[i], real3(0, i < 2 ? -100 : 100, 0)));
        step_world(world, 1);
    }
    CHECK_NEAR(-1.0, num(read_joint(id[1]).impulse.y), 0.001);
    CHECK_NEAR(1.0, num(read_joint(id[3]).impulse.y), 0.001);
    CHECK_NEAR(0.0, num(read_joint(id[0]).impulse.y), 0.001);
}


/* ---- Random unions -------------------------------------------------------
 * Unions of random bodies, thrown, off by up to a millimetre. */

/* Throws up to twelve boxes, from light to heavy, with up to twice as many
 * rigid joints, of which some can break and some can yield. */
static void throw_random_union(uint32_t seed)
{
    int count, i, k;

    dice = seed * 7919u + 1u;
    count = 2 + (int)random_between(0, 11);
    for (i = 0; i < count; i++) {
        vsp_shape_def box = vsp_box(real(EDGE / 2), real(EDGE / 2),
                                    real(EDGE / 2));
        double off = random_between(-0.001, 0.001);
        double height = random_between(0.3, 0.8);
        vsp_vec3 v = random_vector(2), w = random_vector(5);

        box.density = real(pow(10, random_between(1, 4)));
        piece[i] = add_body(world, VSP_DYNAMIC, box, EDGE * i + off, height,
                            EDGE * (i % 3));
        CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, piece[i], v, w));
    }
    for (k = 0; k < 2 * count; k++) {
        int a = (int)random_between(0, count);
        int b = (int)random_between(0, count);
        vsp_joint_def def;

        if (a == b)
            continue;
        def = rigid_joint(piece[a], piece[b]);
        if (random_between(0, 1) < 0.4)
            def.break_impulse = real(pow(10, random_between(-1, 2)));
        if (random_between(0, 1) < 0.4)
            def.yield_torque = real(pow(10, random_between(0, 3)));
        (void)make_joint(&def);
    }
}


/* ---- Breaks and bends ------------------------------------------------------
 */

static void pull_apart(double force)
{
    CHECK_STATUS(VSP_OK, vsp_body_apply_center_force(world, piece[0],
                                                     real3(-force, 0, 0)));
    CHECK_STATUS(VSP_OK, vsp_body_apply_center_force(world, piece[3],
                                                     real3(force, 0, 0)));
    step_world(world, 1);
}

/* Pulled apart, a bar must break in the middle, where it is weak, and its
 * bodies must get their own poses. */
static void unions_split_into_pieces(void)
{
    vsp_joint_def def;
    const vsp_event *event;
    double excess;
    int steps = 0;

    begin_world(VSP_STEPPER_CARRY, 0);
    for (int i = 0; i < 4; i++)
        piece[i] = add_box(VSP_DYNAMIC, EDGE * i, 0, 0);
    (void)join_boxes(piece[0], piece[1]);
    (void)join_boxes(piece[2], piece[3]);
    def = rigid_joint(piece[1], piece[2]);
    def.break_impulse = real(2.0);
    piece_joints[1] = make_joint(&def);
    for (; steps < 100 && count_events(VSP_EVENT_BREAK) == 0; steps++)
        pull_apart(10.0 * steps);
    CHECK_NEAR(22, steps, 1);
    CHECK_UINT(1, (uint32_t)count_events(VSP_EVENT_BREAK));
    CHECK_UINT(2, (uint32_t)count_events(VSP_EVENT_SPLIT));
    for (int i = 2; i < 4; i++) {
        event = find_event(VSP_EVENT_SPLIT, piece[i]);
        if (CHECK(event != NULL))
            CHECK_HEX(piece[2].bits, event->body_b.bits);
    }
    CHECK(read_joint(piece_joints[1]).is_broken);
    excess = 10.0 * (steps - 1) * DT -
             2.0; /* N s: the excess over the joint's strength */
    pull_apart(160);
    for (int i = 0; i < 4; i++)
        CHECK_NEAR((i < 2 ? -1 : 1) * (1.6 + excess) / (2 * BOX_MASS),
                   velocity(piece[i]).x, 2e-5);
}

/* A box hangs on a wall by a joint, and a ball knocks it off: of a momentum of
 * 42 N s the joint transmits its strength, and no more, in each of the one or
 * two steps of the impact. */
static void check_knock(vsp_stepper stepper)
{
    double strength = 5, speed = 10, mass, lost;
    vsp_body_id box, ball;
    vsp_joint_def def;

    begin_world(stepper, 0);
    piece[0] = add_box(VSP_STATIC, -EDGE, 0, 0);
    box = add_box(VSP_DYNAMIC, 0, 0, 0);
    def = rigid_joint(piece[0], box);
    def.break_impulse = real(strength);
    piece_joints[1] = make_joint(&def);
    ball = add_body(world, VSP_DYNAMIC, vsp_sphere(real(0.1)), 0, 0, 0.3);
    mass = num(vsp_body_mass(world, ball));
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, ball, real3(0, 0, -speed),
                                               real3(0, 0, 0)));
    step_world(world, 10);
    CHECK(read_joint(piece_joints[1]).is_broken);
    lost = mass * speed + mass * velocity(ball).z + BOX_MASS * velocity(box).z;
    CHECK_AT_LEAST(0.98 * strength, lost);
    CHECK_AT_MOST(2 * strength, lost);
    CHECK_AT_MOST(0, velocity(ball).z);
}

static void impacts_break_joints_at_their_strength(void)
{
    each_stepper(check_knock);
}

/* A joint without a strength must carry any load: here 50 billion N s. */
static void check_heavy_drop(vsp_stepper stepper)
{
    vsp_joint_state state;
    vsp_joint_id id;

    begin_world(stepper, G);
    add_body(world, VSP_STATIC, vsp_half_space(), 0, 0, 0);
    for (int i = 0; i < 2; i++) {
        piece[i] = add_box(VSP_DYNAMIC, 0, (i + 0.55) * EDGE, 0);
        CHECK_STATUS(VSP_OK,
                     vsp_body_set_velocity(world, piece[i], real3(0, -50, 0),
                                           real3(0, 0, 0)));
    }
    CHECK_STATUS(VSP_OK, vsp_body_set_mass(world, piece[1], real(1e9),
                                           real3(0, 0, 0), real3(0, 0, 0)));
    id = join_boxes(piece[0], piece[1]);
    step_world(world, 10);
    state = read_joint(id);
    CHECK(!state.is_broken);
    CHECK_UINT(0, (uint32_t)count_events(VSP_EVENT_BREAK));
    CHECK_NEAR(EDGE, distance(center(piece[0]), center(piece[1])), 1e-4);
}

static void joints_without_a_strength_never_break(void)
{
    each_stepper(check_heavy_drop);
}

/* A FIXED joint that is not rigid, beside a rigid one that never breaks,
 * carries its share of a pull, and breaks, also in memory that other worlds
 * used. */
static void plain_joints_inside_unions_break(void)
{
    for (int k = 0; k < 2; k++) {
        vsp_body_id a, b;
        vsp_joint_def def;

        begin_world(VSP_STEPPER_CARRY, 0);
        if (k == 1) {
            throw_random_union(3);
            step_world(world, 3);
            begin_world(VSP_STEPPER_CARRY, 0);
        }
        a = add_box(VSP_DYNAMIC, 0, 0, 0);
        b = add_box(VSP_DYNAMIC, EDGE, 0, 0);
        (void)join_boxes(a, b);
        def = rigid_joint(a, b);
        def.rigid = false;
        def.break_impulse = real(1);
        piece_joints[0] = make_joint(&def);
        for (int i = 0; i < 2; i++) {
            double force = i == 0 ? 150 : 300; /* N: half of it on each joint */

            CHECK_STATUS(VSP_OK, vsp_body_apply_center_force(
                                     world, a, real3(-force, 0, 0)));
            CHECK_STATUS(VSP_OK, vsp_body_apply_center_force(
                                     world, b, real3(force, 0, 0)));
            step_world(world, 1);
            CHECK_UINT((uint32_t)i, (uint32_t)count_events(VSP_EVENT_BREAK));
        }
        CHECK(read_joint(piece_joints[0]).is_broken);
        CHECK_NEAR(EDGE, distance(center(a), center(b)), 1e-5);
    }
}

/* Raises a force at the tip of a beam until it yields, then until it breaks;
 * the beam's energy minus the work of the force must never rise. */
static void check_girder(int count, vsp_stepper stepper)
{
    double torque = 1.3 * beam_torque(count, 1), angle = 0.6;
    double arm = EDGE * (count - 0.5);
    double statics = (torque - beam_torque(count, 1)) / arm, yielded = 0;
    double work = 0, least = 0, bent = 0;

    begin_world(stepper, G);
    add_beam(count, torque, angle);
    for (int k = 0; k < 1500 && count_events(VSP_EVENT_BREAK) == 0; k++) {
        double force = 0.5 * k, from = center(piece[count]).y, energy;

        CHECK_STATUS(VSP_OK, vsp_body_apply_center_force(world, piece[count],
                                                         real3(0, -force, 0)));
        step_world(world, 1);
        if (yielded == 0 && count_events(VSP_EVENT_LIMIT) > 0)
            yielded = force;
        work += force * (from - center(piece[count]).y);
        energy = total_energy(world) - work;
        if (k == 0)
            least = energy;
        CHECK_AT_MOST(least + 1e-3 * fabs(least), energy);
        least = fmin(least, energy);
        bent = fmax(bent, num(read_joint(piece_joints[1]).bent));
    }
    CHECK_NEAR(statics, yielded, 0.05 * statics);
    CHECK(read_joint(piece_joints[1]).is_broken);
    CHECK_NEAR(angle, bent, 0.03);
}

static void check_girders(vsp_stepper stepper)
{
    check_girder(4, stepper);
    check_girder(12, stepper);
    check_girder(24, stepper);
}

static void girders_yield_and_break_as_statics_say(void)
{
    each_stepper(check_girders);
}

/* Released, a bent girder must stay bent. */
static void bends_are_kept(void)
{
    double torque = 1.05 * beam_torque(6, 1), y;

    begin_world(VSP_STEPPER_CARRY, G);
    add_beam(6, torque, 0);
    for (int k = 0; k < 30; k++) {
        CHECK_STATUS(VSP_OK, vsp_body_apply_center_force(world, piece[6],
                                                         real3(0, -150, 0)));
        step_world(world, 1);
    }
    step_world(world, 100);
    y = center(piece[6]).y;
    CHECK_AT_MOST(4.95, y);
    CHECK_AT_LEAST(3.9, y);
    step_world(world, 300);
    CHECK_NEAR(y, center(piece[6]).y, TOLERANCE(1e-6, 4e-6));
    CHECK(!read_joint(piece_joints[1]).at_limit);
}


/* ---- Anchors ---------------------------------------------------------------
 */

/* A wall of boxes on a static one must not move, whatever hits it, and its
 * joint must report the hit. */
static void anchored_unions_stand(void)
{
    double before;
    vsp_body_id ball;

    begin_world(VSP_STEPPER_CARRY, G);
    add_beam(6, 0, 0);
    step_world(world, 2);
    before = num(read_joint(piece_joints[1]).turn.z);
    ball = add_body(world, VSP_DYNAMIC, vsp_sphere(real(0.1)), EDGE * 5.5, 5.5,
                    0);
    for (int i = 0; i < 100; i++) {
        step_world(world, 1);
        before = fmax(before, num(read_joint(piece_joints[1]).turn.z));
    }
    CHECK_NEAR(5.2, center(ball).y, 0.001);
    CHECK_NEAR(5, center(piece[6]).y, 0);
    CHECK_AT_LEAST(2 * beam_torque(6, 1) * DT, before);
}

static void kinematic_anchors_carry_their_union(void)
{
    begin_world(VSP_STEPPER_CARRY, G);
    piece[0] = add_box(VSP_KINEMATIC, 0, 5, 0);
    piece[1] = add_box(VSP_DYNAMIC, EDGE, 5, 0);
    (void)join_boxes(piece[0], piece[1]);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, piece[0], real3(1, 2, 0),
                                               real3(0, 0, 1)));
    step_world(world, 100);
    CHECK_NEAR(1 + EDGE * cos(1.0), center(piece[1]).x, 0.0005);
    CHECK_NEAR(7 + EDGE * sin(1.0), center(piece[1]).y, 0.0005);
    CHECK_NEAR(1 - EDGE * sin(1.0), velocity(piece[1]).x, 0.001);
    CHECK_NEAR(1, spin(piece[1]).z, 0.0001);
}

/* Between two kinematic bodies that separate, and with locks, rigid joints are
 * solved by sweeps like others. */
static void what_cannot_be_one_is_swept(void)
{
    begin_world(VSP_STEPPER_CARRY, 0);
    for (int i = 0; i < 4; i++)
        piece[i] = add_box(i % 3 == 0 ? VSP_KINEMATIC : VSP_DYNAMIC, EDGE * i,
                           0, 0);
    for (int i = 0; i < 3; i++)
        piece_joints[i] = join_boxes(piece[i], piece[i + 1]);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, piece[3], real3(1, 0, 0),
                                               real3(0, 0, 0)));
    step_world(world, 20);
    CHECK_NEAR(EDGE, distance(center(piece[1]), center(piece[2])), 1e-5);
    CHECK_AT_LEAST(0.05, num(read_joint(piece_joints[0]).error) +
                             num(read_joint(piece_joints[2]).error));
    begin_world(VSP_STEPPER_CARRY, G);
    add_beam(3, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_locks(world, piece[2], VSP_LOCK_TURN_X));
    step_world(world, 50);
    CHECK_NEAR(5, center(piece[3]).y, 0.002);
}


/* ---- Sleep, reports, refusals ----------------------------------------------
 */

static void unions_sleep_and_wake_as_one(void)
{
    vsp_world_def def = vsp_world_def_default();
    int slept = 0;

    def.reports = 63;
    world = new_world_of(&def);
    (void)add_ground(world);
    add_bar(EDGE / 2);
    for (int i = 0; i < 200 && vsp_body_is_awake(world, bar[0]); i++) {
        step_world(world, 1);
        slept = count_events(VSP_EVENT_SLEEP);
    }
    CHECK_UINT(BAR, (uint32_t)slept);
    for (int i = 0; i < BAR; i++)
        CHECK(!vsp_body_is_awake(world, bar[i]));
    step_world(world, 10);
    CHECK_STATUS(VSP_OK,
                 vsp_body_apply_center_impulse(world, bar[4], real3(0, 50, 0)));
    step_world(world, 1);
    for (int i = 0; i < BAR; i++)
        CHECK(vsp_body_is_awake(world, bar[i]));
    CHECK_AT_LEAST(0.5, velocity(bar[4]).y);
}

/* A union that hangs on a wall must let the world sleep. */
static void anchored_unions_sleep(void)
{
    vsp_world_def def = vsp_world_def_default();

    world = new_world_of(&def);
    add_beam(6, 0, 0);
    step_world(world, 2);
    CHECK_UINT(0, vsp_world_stats(world).awake_count);
    CHECK(!vsp_body_is_awake(world, piece[6]));
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, piece[0]));
    step_world(world, 50);
    CHECK_AT_MOST(4.5, center(piece[6]).y);
    CHECK_NEAR(center(piece[1]).y, center(piece[6]).y, 1e-6);
}

/* With sleep, an anchored union must still yield, and bodies on it must
 * wake. */
static void anchored_unions_bend_with_sleep(void)
{
    vsp_world_def def = vsp_world_def_default();

    def.reports = 63;
    world = new_world_of(&def);
    add_beam(6, 0.5 * beam_torque(6, 1), 0);
    step_world(world, 60);
    CHECK_AT_LEAST(0.5, num(read_joint(piece_joints[1]).bent));
    CHECK_AT_MOST(4.5, center(piece[6]).y);
}

/* A crate that sleeps on a body of a union must fall when the root is moved. */
static void moved_unions_wake_what_lies_on_them(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_transform far;
    vsp_body_id crate;

    world = new_world_of(&def);
    add_beam(4, 0, 0);
    crate = add_box(VSP_DYNAMIC, EDGE * 3.5, 5 + EDGE, 0);
    step_world(world, 100);
    CHECK(!vsp_body_is_awake(world, crate));
    far = vsp_body_transform(world, piece[0]);
    far.position.x = real(20);
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, piece[0], far));
    step_world(world, 60);
    CHECK_AT_MOST(4, center(crate).y);
}

/* A joint without `collide` must disable collisions of its own two bodies
 * alone. */
static void joints_keep_only_their_bodies_apart(void)
{
    vsp_joint_def rope = vsp_joint_def_default();
    vsp_body_id ground, post, ball;

    begin_world(VSP_STEPPER_CARRY, G);
    ground = add_ground(world);
    post = add_box(VSP_DYNAMIC, 0, EDGE, 0);
    (void)join_boxes(ground, post);
    ball = add_body(world, VSP_DYNAMIC, vsp_sphere(real(0.2)), 1, 2, 0);
    rope.type = VSP_JOINT_DISTANCE;
    rope.body_a = post;
    rope.body_b = ball;
    rope.high = real(5);
    (void)make_joint(&rope);
    step_world(world, 200);
    CHECK_NEAR(0.2, center(ball).y, 0.001);
}

/* Contacts and their events must name the bodies of the shapes that touch. */
static void contacts_name_single_bodies(void)
{
    uint32_t i, found = 0;

    begin_world(VSP_STEPPER_CARRY, G);
    (void)add_ground(world);
    add_bar(EDGE / 2);
    step_world(world, 1);
    CHECK_UINT(3, vsp_contact_count(world));
    for (i = 0; i < vsp_contact_count(world); i++) {
        vsp_contact c;
        vsp_event event;

        CHECK_STATUS(VSP_OK, vsp_contact_get(world, i, &c));
        CHECK_HEX(bar[i].bits, c.body_b.bits);
        CHECK_NEAR(0, num(c.points[0].separation), 1e-4);
        CHECK_NEAR(EDGE * i, num(c.points[0].position.x), 0.11);
        event = vsp_world_events(world, NULL)[i];
        found += event.type == VSP_EVENT_BEGIN &&
                         event.body_b.bits == bar[i].bits
                     ? 1
                     : 0;
    }
    CHECK_UINT(3, found);
}

static void rigidity_is_refused_where_it_cannot_be(void)
{
    vsp_joint_def def, bad;
    vsp_body_id a, b;

    begin_world(VSP_STEPPER_CARRY, G);
    a = add_box(VSP_DYNAMIC, 0, 0, 0);
    b = add_box(VSP_DYNAMIC, EDGE, 0, 0);
    def = rigid_joint(a, b);
    for (int type = VSP_JOINT_BALL; type <= VSP_JOINT_DISTANCE; type++) {
        bad = def;
        bad.type = (vsp_joint_type)type;
        if (type != VSP_JOINT_FIXED)
            CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_create(world, &bad, NULL));
    }
    bad = def;
    bad.rigid = false;
    bad.yield_torque = real(1);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_create(world, &bad, NULL));
    bad.yield_torque = real(0);
    bad.break_angle = real(1);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_create(world, &bad, NULL));
    bad = def;
    bad.yield_torque = real(-1);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_create(world, &bad, NULL));
    bad = def;
    bad.break_angle = real(3.2);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_create(world, &bad, NULL));
    def.yield_torque = real(2);
    def.break_angle = real(0.5);
    piece_joints[0] = make_joint(&def);
    CHECK_STATUS(VSP_OK, vsp_joint_get(world, piece_joints[0], &bad));
    CHECK(bad.rigid);
    CHECK_NEAR(2, num(bad.yield_torque), 0);
    CHECK_NEAR(0.5, num(bad.break_angle), 1e-6);
}

/* A rope that becomes taut in a step that a break undoes must report that
 * once. */
static int count_limits(vsp_stepper stepper, int break_at, int *limit_at)
{
    vsp_joint_def rope = vsp_joint_def_default(), glue;
    vsp_body_id base, ball;
    int limits = 0;

    begin_world(stepper, 0);
    base = add_box(VSP_STATIC, 0, 0, 0);
    piece[1] = add_box(VSP_DYNAMIC, EDGE, 0, 0);
    glue = rigid_joint(base, piece[1]);
    glue.break_impulse = real(1);
    (void)make_joint(&glue);
    ball = add_body(world, VSP_DYNAMIC, vsp_sphere(real(0.1)), -1, 0, 0);
    rope.type = VSP_JOINT_DISTANCE;
    rope.body_a = base;
    rope.body_b = ball;
    rope.high = real(2.05);
    (void)make_joint(&rope);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, ball, real3(-5, 0, 0),
                                               real3(0, 0, 0)));
    for (int i = 0; i < 40; i++) {
        if (i == break_at)
            CHECK_STATUS(VSP_OK, vsp_body_apply_center_force(world, piece[1],
                                                             real3(500, 0, 0)));
        step_world(world, 1);
        if (i == break_at)
            CHECK_UINT(1, (uint32_t)count_events(VSP_EVENT_BREAK));
        if (count_events(VSP_EVENT_LIMIT) > 0 && limits++ == 0)
            *limit_at = i;
    }
    return limits;
}

static void check_limits(vsp_stepper stepper)
{
    int without = 0, with = 0;

    CHECK_UINT(1, (uint32_t)count_limits(stepper, -1, &without));
    CHECK_UINT(1, (uint32_t)count_limits(stepper, without, &with));
    CHECK_UINT((uint32_t)without, (uint32_t)with);
}

static void steps_taken_back_report_once(void)
{
    each_stepper(check_limits);
}


/* ---- Sensors ---------------------------------------------------------------
 */

/* Adds a sensor without mass, a ball around a body's origin. */
static vsp_shape_id add_sensor(vsp_body_id body, double radius)
{
    vsp_shape_def def = vsp_sphere(real(radius));
    vsp_shape_id id = {0};

    def.is_sensor = true;
    def.density = real(0);
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, body, &def, &id));
    return id;
}

/* How often bodies entered and left a sensor, and in which step last. */
typedef struct visits {
    int enters, leaves, enter_at, leave_at;
} visits;

#define MOST_SENSED 8

/* Makes a step, and counts the visits of some bodies to a sensor on a body.
 * Nothing else may enter or leave the sensor, and its list of shapes must
 * agree. */
static void sense_step(vsp_shape_id sensor, vsp_body_id on, int count,
                       const vsp_body_id *bodies, visits *of, int step)
{
    vsp_shape_id in[MOST_SENSED];
    uint32_t events_count, i, inside = 0;
    const vsp_event *e;

    step_world(world, 1);
    e = vsp_world_events(world, &events_count);
    for (i = 0; i < events_count; i++) {
        bool is_enter = e[i].type == VSP_EVENT_ENTER;
        int k = 0;

        if (!is_enter && e[i].type != VSP_EVENT_LEAVE)
            continue;
        CHECK_HEX(sensor.bits, e[i].shape_a.bits);
        CHECK_HEX(on.bits, e[i].body_a.bits);
        CHECK_HEX(vsp_shape_body(world, e[i].shape_b).bits, e[i].body_b.bits);
        while (k < count && bodies[k].bits != e[i].body_b.bits)
            k++;
        if (!CHECK(k < count))
            continue;
        *(is_enter ? &of[k].enters : &of[k].leaves) += 1;
        *(is_enter ? &of[k].enter_at : &of[k].leave_at) = step;
    }
    for (int k = 0; k < count; k++)
        inside += (uint32_t)(of[k].enters - of[k].leaves);
    CHECK_UINT(inside, vsp_shape_sensed(world, sensor, in, MOST_SENSED));
}

static void check_once(int count, const visits *of)
{
    for (int k = 0; k < count; k++) {
        CHECK_UINT(1, (uint32_t)of[k].enters);
        CHECK_UINT(1, (uint32_t)of[k].leaves);
        CHECK(of[k].leave_at > of[k].enter_at);
    }
}

/* A bar falls through a sensor at rest, or one that rises: each of its bodies
 * must enter and leave separately, those at its lower end first. */
static void check_gate(vsp_stepper stepper)
{
    for (int k = 0; k < 2; k++) {
        visits of[BAR] = {{0, 0, 0, 0}};
        vsp_shape_id sensor;
        vsp_body_id gate;

        begin_world(stepper, G);
        gate = add_box(k == 0 ? VSP_STATIC : VSP_KINEMATIC, EDGE, -3, 0);
        sensor = add_sensor(gate, 0.8);
        add_bar(0);
        if (k == 1)
            CHECK_STATUS(VSP_OK,
                         vsp_body_set_velocity(world, gate, real3(0, 1, 0),
                                               real3(0, 0, 0)));
        CHECK_STATUS(VSP_OK, vsp_shape_destroy(world, vsp_shape_at(world, 0)));
        for (int i = 0; i < 120; i++)
            sense_step(sensor, gate, BAR, bar, of, i);
        check_once(BAR, of);
        CHECK(of[3].enter_at > of[2].enter_at);
        CHECK(of[4].enter_at > of[3].enter_at);
    }
}

static void bodies_of_a_union_enter_sensors(void)
{
    each_stepper(check_gate);
}

/* A sensor on a body of a union must detect a ball, but no body of the
 * union. */
static void check_watch(vsp_stepper stepper)
{
    visits of[1] = {{0, 0, 0, 0}};
    vsp_shape_id sensor;
    vsp_body_id ball;

    begin_world(stepper, 0);
    add_bar(0);
    sensor = add_sensor(bar[3], 0.5);
    ball = add_body(world, VSP_DYNAMIC, vsp_sphere(real(0.1)), 0.8, 0, 0.5);
    CHECK_STATUS(VSP_OK,
                 vsp_body_apply_center_impulse(world, bar[0], real3(5, 2, 0)));
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, ball, real3(-4, 0, 0),
                                               real3(0, 0, 0)));
    for (int i = 0; i < 60; i++)
        sense_step(sensor, bar[3], 1, &ball, of, i);
    check_once(1, of);
}

static void sensors_on_a_union_sense_others(void)
{
    each_stepper(check_watch);
}

/* A bar of four breaks in the middle: a sensor on one half must then detect the
 * other half, until that is gone. */
static void check_split_sensor(vsp_stepper stepper)
{
    visits of[2] = {{0, 0, 0, 0}};
    vsp_shape_id sensor;
    vsp_joint_def def;
    int broke_at = -1;

    begin_world(stepper, 0);
    for (int i = 0; i < 4; i++)
        piece[i] = add_box(VSP_DYNAMIC, EDGE * i, 0, 0);
    (void)join_boxes(piece[0], piece[1]);
    (void)join_boxes(piece[2], piece[3]);
    def = rigid_joint(piece[1], piece[2]);
    def.break_impulse = real(2.0);
    (void)make_joint(&def);
    sensor = add_sensor(piece[1], 0.35);
    for (int i = 0; i < 60; i++) {
        for (int k = 0; k < 4; k += 3)
            CHECK_STATUS(VSP_OK, vsp_body_apply_center_force(
                                     world, piece[k],
                                     real3((k == 0 ? -10 : 10) * i, 0, 0)));
        sense_step(sensor, piece[1], 2, piece + 2, of, i);
        if (count_events(VSP_EVENT_BREAK) > 0)
            broke_at = i;
        CHECK(broke_at >= 0 || of[0].enters + of[1].enters == 0);
    }
    check_once(2, of);
    for (int k = 0; k < 2; k++) /* in the step of the break, or the next */
        CHECK_NEAR(broke_at + 0.5, of[k].enter_at, 0.5);
}

static void sensors_sense_what_breaks_off(void)
{
    each_stepper(check_split_sensor);
}

/* A body in a sensor must leave it when a rigid joint makes both one, and enter
 * again when the joint is gone. */
static void joints_take_bodies_out_of_sensors(void)
{
    visits of[1] = {{0, 0, 0, 0}};
    vsp_shape_id sensor;
    vsp_joint_id joint;

    begin_world(VSP_STEPPER_CARRY, 0);
    piece[0] = add_box(VSP_DYNAMIC, 0, 0, 0);
    piece[1] = add_box(VSP_DYNAMIC, EDGE + 0.02, 0, 0);
    sensor = add_sensor(piece[0], 0.3);
    sense_step(sensor, piece[0], 1, piece + 1, of, 0);
    CHECK_UINT(1, (uint32_t)of[0].enters);
    joint = join_boxes(piece[0], piece[1]);
    for (int i = 1; i < 10; i++)
        sense_step(sensor, piece[0], 1, piece + 1, of, i);
    check_once(1, of);
    CHECK_NEAR(1, of[0].leave_at, 0);
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, joint));
    for (int i = 10; i < 20; i++)
        sense_step(sensor, piece[0], 1, piece + 1, of, i);
    CHECK_UINT(2, (uint32_t)of[0].enters);
    CHECK_NEAR(10, of[0].enter_at, 0);
}

/* Sensors on static bodies, or on bodies that these hold, do not detect bodies
 * that static ones hold; they do when those break off. */
static void what_static_bodies_hold_is_not_sensed(void)
{
    for (int k = 0; k < 3; k++) {
        visits of[3] = {{0, 0, 0, 0}};
        vsp_shape_id sensor;
        vsp_body_id on;

        test_note("sensor %d", k);
        begin_world(VSP_STEPPER_CARRY, G);
        on = add_box(VSP_STATIC, EDGE * 1.5, 5, 0.5);
        if (k == 1) {
            vsp_body_id held = add_box(VSP_DYNAMIC, EDGE * 1.5, 5.2, 0.5);

            (void)join_boxes(on, held);
            on = held;
        }
        add_beam(3, 0, 0);
        if (k == 2)
            on = piece[0];
        sensor = add_sensor(on, k == 2 ? 0.7 : 0.6);
        for (int i = 0; i < 10; i++)
            sense_step(sensor, on, 3, piece + 1, of, i);
        for (int i = 0; i < 3; i++)
            CHECK_UINT(0, (uint32_t)of[i].enters);
        CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, piece_joints[1]));
        for (int i = 10; i < 100; i++)
            sense_step(sensor, on, 3, piece + 1, of, i);
        check_once(3, of);
    }
}

/* A ball that enters a sensor in a step that a break undoes must do so once. */
static int enter_while_breaking(vsp_stepper stepper, int break_at)
{
    visits of[1] = {{0, 0, 0, 0}};
    vsp_body_id base, gate, ball;
    vsp_shape_id sensor;
    vsp_joint_def glue;

    begin_world(stepper, 0);
    base = add_box(VSP_STATIC, 0, 5, 0);
    piece[1] = add_box(VSP_DYNAMIC, EDGE, 5, 0);
    glue = rigid_joint(base, piece[1]);
    glue.break_impulse = real(1);
    (void)make_joint(&glue);
    gate = add_box(VSP_STATIC, 0, 0, 0);
    sensor = add_sensor(gate, 0.5);
    ball = add_body(world, VSP_DYNAMIC, vsp_sphere(real(0.1)), -1, 0.3, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, ball, real3(5, 0, 0),
                                               real3(0, 0, 0)));
    for (int i = 0; i < 60; i++) {
        if (i == break_at)
            CHECK_STATUS(VSP_OK, vsp_body_apply_center_force(world, piece[1],
                                                             real3(500, 0, 0)));
        sense_step(sensor, gate, 1, &ball, of, i);
        if (i == break_at)
            CHECK_UINT(1, (uint32_t)count_events(VSP_EVENT_BREAK));
    }
    check_once(1, of);
    return of[0].enter_at;
}

static void check_entry(vsp_stepper stepper)
{
    int without = enter_while_breaking(stepper, -1);

    CHECK_UINT((uint32_t)without,
               (uint32_t)enter_while_breaking(stepper, without));
}

static void steps_taken_back_sense_once(void)
{
    each_stepper(check_entry);
}


/* ---- Noise and motion ---------------------------------------------------- */

/* The energy must never exceed 1.01 times that at the start; with a ground,
 * which lifts bodies that land deep, 1.02 times. */
static void check_thrown(vsp_stepper stepper)
{
    for (int seed = 0; seed < 2 * tries_of(200); seed++) {
        bool has_ground = seed % 2 == 0;
        double start, highest;

        test_note("stepper %d, seed %d", (int)stepper, seed);
        begin_world(stepper, has_ground ? G : 0);
        if (has_ground)
            (void)add_ground(world);
        throw_random_union((uint32_t)seed);
        step_world(world, 1); /* the step that makes them one */
        start = highest = total_energy(world);
        for (int i = 0; i < 200; i++) {
            step_world(world, 1);
            highest = fmax(highest, total_energy(world));
        }
        CHECK_AT_MOST(start * (has_ground ? 1.02 : 1.01) + 1e-4, highest);
    }
}

static void thrown_unions_gain_no_energy(void)
{
    each_stepper(check_thrown);
}

/* Bars thrown onto each other must come to rest in steps of unusual lengths. */
static void check_pile(vsp_stepper stepper)
{
    static const double lengths[] = {1.0 / 60, 0.007};

    for (size_t k = 0; k < COUNT_OF(lengths); k++) {
        vsp_world_def def = vsp_world_def_default();
        vsp_body_id last[4];
        double fastest = 0;

        def.stepper = stepper;
        def.dt = real(lengths[k]);
        def.enable_sleep = false;
        world = new_world_of(&def);
        (void)add_ground(world);
        dice = 17;
        for (int i = 0; i < 4; i++) {
            add_bar(0.5 + 0.7 * i + random_between(-0.001, 0.001));
            CHECK_STATUS(VSP_OK, vsp_body_apply_angular_impulse(
                                     world, bar[0], random_vector(9)));
            last[i] = bar[4];
        }
        step_world(world, (uint32_t)(20 / lengths[k]));
        for (int i = 0; i < 4; i++)
            fastest = fmax(fastest, vec_length(velocity(last[i])));
        CHECK_AT_MOST(0.002, fastest);
        CHECK_AT_MOST(0.001, deepest_overlap());
    }
}

static void piles_of_unions_rest(void)
{
    check_pile(VSP_STEPPER_CARRY);
    check_pile(VSP_STEPPER_SUBSPACE);
}

/* A snapshot in the middle of a break must lead to the same states. */
static void breaks_follow_from_a_snapshot(void)
{
    uint32_t hash[2];
    size_t size;

    begin_world(VSP_STEPPER_CARRY, G);
    (void)add_ground(world);
    add_cube_of_boxes(0.02, 40);
    for (int i = 0; i < 60 && count_events(VSP_EVENT_BREAK) == 0; i++)
        step_world(world, 1);
    CHECK(count_events(VSP_EVENT_BREAK) > 0);
    size = save_world(world, 0);
    step_world(world, 50);
    hash[0] = vsp_world_hash(world);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    step_world(world, 50);
    hash[1] = vsp_world_hash(world);
    CHECK_HEX(hash[0], hash[1]);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

static const test union_tests[] = {
    TEST(unions_tumble_as_one_body_does),
    TEST(unions_slide_as_one_body_does),
    TEST(unions_roll_as_one_body_does),
    TEST_SLOW(unions_roll_in_any_steps),
    TEST(pushes_on_one_body_keep_momentum),
    TEST(forces_on_one_body_move_all),
    TEST(unions_neither_deform_nor_sink),
    TEST_SLOW(broken_unions_gain_no_energy),
    TEST(loads_of_a_beam_are_exact_after_a_step),
    TEST(loads_in_loops_are_those_of_springs),
    TEST(loads_in_loops_are_shared_evenly),
    TEST(unions_split_into_pieces),
    TEST(impacts_break_joints_at_their_strength),
    TEST(joints_without_a_strength_never_break),
    TEST(plain_joints_inside_unions_break),
    TEST(girders_yield_and_break_as_statics_say),
    TEST(bends_are_kept),
    TEST(beams_collapse_as_limit_analysis_says),
    TEST(anchored_unions_stand),
    TEST(kinematic_anchors_carry_their_union),
    TEST(what_cannot_be_one_is_swept),
    TEST(unions_sleep_and_wake_as_one),
    TEST(anchored_unions_sleep),
    TEST(anchored_unions_bend_with_sleep),
    TEST(moved_unions_wake_what_lies_on_them),
    TEST(joints_keep_only_their_bodies_apart),
    TEST(contacts_name_single_bodies),
    TEST(rigidity_is_refused_where_it_cannot_be),
    TEST(steps_taken_back_report_once),
    TEST(bodies_of_a_union_enter_sensors),
    TEST(sensors_on_a_union_sense_others),
    TEST(sensors_sense_what_breaks_off),
    TEST(joints_take_bodies_out_of_sensors),
    TEST(what_static_bodies_hold_is_not_sensed),
    TEST(steps_taken_back_sense_once),
    TEST_SLOW(thrown_unions_gain_no_energy),
    TEST(piles_of_unions_rest),
    TEST(breaks_follow_from_a_snapshot),
    TEST_END,
};

#else

static const test union_tests[] = {TEST_END};

#endif /* VSP_UNIONS */

extern const test_suite union_suite;

const test_suite union_suite = {"union", union_tests};
