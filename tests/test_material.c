/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The materials of bodies: how two coefficients are combined; and mass, centre
 * and inertia of bodies of several shapes. */

#include "fixture.h"

#include <math.h>

static vsp_world *world;


/* ---- Combining ---------------------------------------------------------- */

/* Returns the rule's result for 0.4 and 0.9. */
static double combined(vsp_rule rule)
{
    static const double results[] = {0.6, 0.65, 0.4, 0.36, 0.9};

    return results[rule];
}

/* Returns friction impulse over normal impulse of a box that slides. */
static double sliding_friction(const vsp_material *a, const vsp_material *b)
{
    vsp_shape_def shape = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    vsp_body_id id;
    vsp_contact contact;
    double friction = 0, normal = 0;
    uint32_t i;

    world = new_world();
    shape.material = *a;
    add_body(world, VSP_STATIC, shape, 0, 0, 0);
    shape.material = *b;
    id = add_body(world, VSP_DYNAMIC, shape, 0, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(3, 0, 0),
                                               real3(0, 0, 0)));
    step_world(world, 1);
    if (!CHECK_STATUS(VSP_OK, vsp_contact_get(world, 0, &contact)))
        return 0;
    for (i = 0; i < contact.point_count; i++) {
        normal += num(contact.points[i].normal_impulse);
        friction += fabs(num(contact.points[i].friction_impulse.x));
    }
    return friction / normal;
}

static void friction_follows_the_rules(void)
{
    vsp_material a = vsp_sphere(VSP_R(1.0)).material, b = a;
    int i, k;

    a.friction = VSP_R(0.4);
    b.friction = VSP_R(0.9);
    for (i = VSP_RULE_GEOMETRIC; i <= VSP_RULE_MAX; i++)
        for (k = VSP_RULE_GEOMETRIC; k <= VSP_RULE_MAX; k++) {
            a.friction_rule = (vsp_rule)i;
            b.friction_rule = (vsp_rule)k;
            test_note("rules %d and %d", i, k);
            CHECK_NEAR(combined((vsp_rule)(i > k ? i : k)),
                       sliding_friction(&a, &b), 1e-4);
            CHECK_NEAR(combined((vsp_rule)(i > k ? i : k)),
                       sliding_friction(&b, &a), 1e-4);
        }
}

static void friction_of_nothing_is_nothing(void)
{
    vsp_material a = vsp_sphere(VSP_R(1.0)).material, b = a;

    a.friction = VSP_R(0.0);
    CHECK_NEAR(0, sliding_friction(&a, &b), 0);
}

/* Three boxes carry a plank, and one pushes it up.  Without friction the
 * impulse has no tangential part that could be scaled to the cone: the result
 * must still be finite. */
static void a_push_without_friction_is_a_number(void)
{
    vsp_shape_def box = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    vsp_shape_def plank = vsp_box(VSP_R(1.5), VSP_R(0.125), VSP_R(0.5));
    vsp_body_id id;
    int i;

    box.material.friction = plank.material.friction = VSP_R(0.0);
    world = new_world();
    for (i = -1; i <= 1; i++) {
        id = add_body(world, VSP_KINEMATIC, box, 2.0 * i, 0.5, 0);
        CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id,
                                                   real3(0, i == 0 ? 2 : 0, 0),
                                                   real3(0, 0, 0)));
    }
    id = add_body(world, VSP_DYNAMIC, plank, 0, 1.125, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(2e-15, 0, 0),
                                               real3(0, 0, 0)));
    step_world(world, 1);
    CHECK_NEAR(2.0, num(vsp_body_velocity(world, id).y), 0.01);
    CHECK_AT_MOST(1.0, num(vsp_world_stats(world).merit));
}

/* Returns speed after over speed before, of a ball that hits a box in space. */
static double bounce_ball(const vsp_material *a, const vsp_material *b)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_shape_def wall = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    vsp_shape_def ball = vsp_sphere(VSP_R(0.5));
    vsp_body_id id;

    def.gravity = real3(0, 0, 0);
    world = new_world_of(&def);
    wall.material = *a;
    ball.material = *b;
    add_body(world, VSP_STATIC, wall, 0, 0, 0);
    id = add_body(world, VSP_DYNAMIC, ball, 0, 1.001, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(0, -3, 0),
                                               real3(0, 0, 0)));
    step_world(world, 5);
    return num(vsp_body_velocity(world, id).y) / 3;
}

static void restitution_follows_the_rules(void)
{
    vsp_material a = vsp_sphere(VSP_R(1.0)).material, b = a;
    int i, k;

    a.restitution = VSP_R(0.4);
    b.restitution = VSP_R(0.9);
    for (i = VSP_RULE_GEOMETRIC; i <= VSP_RULE_MAX; i++)
        for (k = VSP_RULE_GEOMETRIC; k <= VSP_RULE_MAX; k++) {
            a.restitution_rule = (vsp_rule)i;
            b.restitution_rule = (vsp_rule)k;
            test_note("rules %d and %d", i, k);
            CHECK_NEAR(combined((vsp_rule)(i > k ? i : k)), bounce_ball(&a, &b),
                       1e-4);
        }
}

/* Returns the upward speed after one step of a ball that hits the floor at
 * `speed`. */
static double rebound(double speed)
{
    vsp_shape_def ball = vsp_sphere(VSP_R(0.5));
    vsp_body_id id;

    world = new_world();
    add_ground(world);
    ball.material.restitution = VSP_R(0.8);
    id = add_body(world, VSP_DYNAMIC, ball, 0, 0.5005, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(0, -speed, 0),
                                               real3(0, 0, 0)));
    step_world(world, 1);
    return num(vsp_body_velocity(world, id).y);
}

/* Gravity adds 0.16 m/s in a step: a slower approach is no impact. */
static void slow_impacts_bounce_and_rest_does_not(void)
{
    CHECK_NEAR(0.8 * 4, rebound(4), 0.01);
    CHECK_NEAR(0.8 * 0.4, rebound(0.4), 0.01);
    CHECK_NEAR(0.8 * 0.2, rebound(0.2), 0.01);
    CHECK_AT_MOST(0.001, rebound(0.15));
}

static void a_new_material_counts_from_the_next_step(void)
{
    vsp_material slippery = vsp_sphere(VSP_R(1.0)).material;
    vsp_body_id id;
    double speed;

    world = new_world();
    add_ground(world);
    id = add_cube(world, 0, 0.5, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(3, 0, 0),
                                               real3(0, 0, 0)));
    step_world(world, 1);
    speed = num(vsp_body_velocity(world, id).x);
    CHECK_NEAR(3 - 0.5 * 9.81 / 60, speed, 1e-4);
    slippery.friction = VSP_R(0.0);
    CHECK_STATUS(VSP_OK, vsp_shape_set_material(world, vsp_shape_at(world, 0),
                                                slippery));
    step_world(world, 1);
    CHECK_NEAR(speed, num(vsp_body_velocity(world, id).x), 1e-6);
}


/* ---- Mass --------------------------------------------------------------- */

typedef struct matrix {
    double at[3][3];
} matrix;

/* Mass and inertia summed over shapes by the parallel-axis formula. */
typedef struct lump {
    double mass, center[3];
    matrix inertia; /* about the centre, in the body's axes */
} lump;

static matrix axes_of(vsp_quat q)
{
    double x = num(q.x), y = num(q.y), z = num(q.z);
    double w = num(q.w);
    matrix m = {
        {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
         {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
         {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};

    return m;
}

/* Computes mass and inertia, about the centre of the shape along its own
 * axes. */
static void shape_mass(const vsp_shape_def *s, double *mass, double *inertia)
{
    double x = num(s->size.x), y = num(s->size.y);
    double z = num(s->size.z), m;

    if (s->type == VSP_SHAPE_SPHERE) {
        m = num(s->density) * 4 / 3 * 3.14159265358979 * x * x * x;
        inertia[0] = inertia[1] = inertia[2] = 0.4 * m * x * x;
    } else {
        m = num(s->density) * 8 * x * y * z;
        inertia[0] = m / 3 * (y * y + z * z);
        inertia[1] = m / 3 * (x * x + z * z);
        inertia[2] = m / 3 * (x * x + y * y);
    }
    *mass = m;
}

/* Adds m (|r|^2 1 - r r^T) for a mass at r. */
static void add_point(matrix *inertia, double mass, const double *r)
{
    double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    int i, k;

    for (i = 0; i < 3; i++)
        for (k = 0; k < 3; k++)
            inertia->at[i][k] += mass * ((i == k ? square : 0) - r[i] * r[k]);
}

static void add_rotated(matrix *inertia, const matrix *axes,
                        const double *principal)
{
    int i, k, n;

    for (i = 0; i < 3; i++)
        for (k = 0; k < 3; k++)
            for (n = 0; n < 3; n++)
                inertia->at[i][k] += axes->at[i][n] * principal[n] *
                                     axes->at[k][n];
}

static void offset_of(const vsp_shape_def *s, const double *from, double *r)
{
    r[0] = num(s->pose.position.x) - from[0];
    r[1] = num(s->pose.position.y) - from[1];
    r[2] = num(s->pose.position.z) - from[2];
}

static lump sum_shapes(const vsp_shape_def *shapes, uint32_t count)
{
    static const double zero[3] = {0, 0, 0};
    lump sum = {0, {0, 0, 0}, {{{0}}}};
    double mass, principal[3], r[3];
    uint32_t i;
    int k;

    for (i = 0; i < count; i++) {
        shape_mass(&shapes[i], &mass, principal);
        offset_of(&shapes[i], zero, r);
        sum.mass += mass;
        for (k = 0; k < 3; k++)
            sum.center[k] += mass * r[k];
    }
    for (k = 0; k < 3; k++)
        sum.center[k] /= sum.mass;
    for (i = 0; i < count; i++) {
        matrix axes = axes_of(shapes[i].pose.rotation);

        shape_mass(&shapes[i], &mass, principal);
        offset_of(&shapes[i], sum.center, r);
        add_rotated(&sum.inertia, &axes, principal);
        add_point(&sum.inertia, mass, r);
    }
    return sum;
}

/* Measures the inverse inertia of a body at rest by angular impulses, and
 * checks that its product with the expected inertia is the identity. */
static void check_inertia(vsp_body_id id, const lump *expected)
{
    vsp_vec3 zero = real3(0, 0, 0);
    double scale = 0.1 * expected->inertia.at[0][0];
    int i, k, n;

    for (i = 0; i < 3; i++) {
        vsp_vec3 kick = real3(i == 0 ? scale : 0, i == 1 ? scale : 0,
                              i == 2 ? scale : 0);
        double spin[3];

        CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, zero, zero));
        CHECK_STATUS(VSP_OK, vsp_body_apply_angular_impulse(world, id, kick));
        spin[0] = num(vsp_body_spin(world, id).x);
        spin[1] = num(vsp_body_spin(world, id).y);
        spin[2] = num(vsp_body_spin(world, id).z);
        for (k = 0; k < 3; k++) {
            double product = 0;

            for (n = 0; n < 3; n++)
                product += expected->inertia.at[k][n] * spin[n];
            test_note("row %d, column %d of I I^-1", k, i);
            CHECK_NEAR(i == k ? 1 : 0, product / scale, 2e-4);
        }
    }
    test_note("");
}

static void check_lump(vsp_body_id id, const lump *expected)
{
    vsp_vec3 center = vsp_body_center(world, id);

    CHECK_NEAR(expected->mass, num(vsp_body_mass(world, id)),
               expected->mass * 1e-6);
    CHECK_NEAR(expected->center[0], num(center.x), 1e-5);
    CHECK_NEAR(expected->center[1], num(center.y), 1e-5);
    CHECK_NEAR(expected->center[2], num(center.z), 1e-5);
    check_inertia(id, expected);
}

/* Three different shapes. */
static void make_parts(vsp_shape_def *parts)
{
    parts[0] = vsp_box(VSP_R(0.5), VSP_R(0.25), VSP_R(1.0));
    parts[0].pose.position = real3(0.5, -0.25, 0.125);
    parts[0].pose.rotation = turn(40, 0.6, 0, 0.8);
    parts[1] = vsp_sphere(VSP_R(0.5));
    parts[1].pose.position = real3(-1, 0.5, 0);
    parts[1].density = VSP_R(3000.0);
    parts[2] = vsp_box(VSP_R(0.125), VSP_R(1.5), VSP_R(0.125));
    parts[2].pose.position = real3(0, 0, 2);
    parts[2].pose.rotation = turn(-70, 0, 1, 0);
    parts[2].density = VSP_R(500.0);
}

static vsp_body_id bare_body(void)
{
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id id = {0};

    def.type = VSP_DYNAMIC;
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    return id;
}

static void one_shape_gives_its_mass(void)
{
    vsp_shape_def box = vsp_box(VSP_R(0.5), VSP_R(1.0), VSP_R(2.0));
    vsp_shape_def ball = vsp_sphere(VSP_R(0.75));
    lump sum = sum_shapes(&box, 1);

    world = new_world();
    check_lump(add_body(world, VSP_DYNAMIC, box, 0, 0, 0), &sum);
    sum = sum_shapes(&ball, 1);
    check_lump(add_body(world, VSP_DYNAMIC, ball, 0, 0, 0), &sum);
}

static void several_shapes_sum_up(void)
{
    vsp_shape_def parts[3];
    vsp_shape_id ids[3];
    vsp_body_id id;
    lump sum;
    uint32_t i;

    world = new_world();
    id = bare_body();
    make_parts(parts);
    for (i = 0; i < 3; i++) {
        CHECK_STATUS(VSP_OK, vsp_shape_create(world, id, &parts[i], &ids[i]));
        sum = sum_shapes(parts, i + 1);
        check_lump(id, &sum);
    }
    CHECK_STATUS(VSP_OK, vsp_shape_destroy(world, ids[0]));
    sum = sum_shapes(parts + 1, 2);
    check_lump(id, &sum);
    for (i = 1; i < 3; i++)
        CHECK_STATUS(VSP_OK, vsp_shape_destroy(world, ids[i]));
    CHECK_NEAR(0, num(vsp_body_mass(world, id)), 0);
}

/* The frame of the body must stay in place when a shape off its centre is
 * added. */
static void new_mass_does_not_move_the_frame(void)
{
    vsp_shape_def parts[3];
    vsp_body_id id;
    vsp_transform pose;
    uint32_t i;

    world = new_world();
    id = bare_body();
    make_parts(parts);
    pose = vsp_body_transform(world, id);
    pose.position = real3(3, 4, 5);
    pose.rotation = turn(30, 0, 0.6, 0.8);
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, id, pose));
    for (i = 0; i < 3; i++)
        CHECK_STATUS(VSP_OK, vsp_shape_create(world, id, &parts[i], NULL));
    CHECK_NEAR(3, num(vsp_body_transform(world, id).position.x), 1e-5);
    CHECK_NEAR(4, num(vsp_body_transform(world, id).position.y), 1e-5);
    CHECK_NEAR(5, num(vsp_body_transform(world, id).position.z), 1e-5);
}

static void massless_shapes_add_no_mass(void)
{
    vsp_shape_def ball = vsp_sphere(VSP_R(0.5)), ghost = ball;
    vsp_body_id id;
    lump sum = sum_shapes(&ball, 1);

    world = new_world();
    id = add_body(world, VSP_DYNAMIC, ball, 0, 0, 0);
    ghost.density = VSP_R(0.0);
    ghost.pose.position = real3(5, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, id, &ghost, NULL));
    check_lump(id, &sum);
}

/* A given mass scales the inertia of the shapes; a given inertia is used
 * unchanged. */
static void given_mass_and_inertia_are_used(void)
{
    vsp_shape_def box = vsp_box(VSP_R(0.5), VSP_R(1.0), VSP_R(2.0));
    vsp_body_def def = body_def(VSP_DYNAMIC, box, 0, 0, 0);
    vsp_body_id id = {0};
    lump sum = sum_shapes(&box, 1), given = {7, {0.5, 0.25, -1}, {{{0}}}};
    int i, k;

    world = new_world();
    def.mass = VSP_R(16000.0);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    for (i = 0; i < 3; i++)
        for (k = 0; k < 3; k++)
            sum.inertia.at[i][k] *= 16000 / sum.mass;
    sum.mass = 16000;
    check_lump(id, &sum);
    given.inertia.at[0][0] = 2;
    given.inertia.at[1][1] = 3;
    given.inertia.at[2][2] = 4;
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_mass(world, id, VSP_R(7.0), real3(0.5, 0.25, -1),
                                   real3(2, 3, 4)));
    check_lump(id, &given);
    CHECK_STATUS(VSP_OK, vsp_body_set_mass(world, id, 0, real3(0, 0, 0),
                                           real3(0, 0, 0)));
    sum = sum_shapes(&box, 1);
    check_lump(id, &sum);
}

static void inertia_turns_with_the_body(void)
{
    vsp_shape_def rod = vsp_box(VSP_R(0.1), VSP_R(1.0), VSP_R(0.1));
    vsp_body_def def = body_def(VSP_DYNAMIC, rod, 0, 0, 0);
    vsp_body_id id = {0};
    lump upright = sum_shapes(&rod, 1);
    double about_y = upright.inertia.at[1][1];

    world = new_world();
    def.pose.rotation = turn(90, 0, 0, 1); /* y becomes -x */
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    CHECK_STATUS(VSP_OK, vsp_body_apply_angular_impulse(world, id,
                                                        real3(about_y, 0, 0)));
    CHECK_NEAR(1, num(vsp_body_spin(world, id).x), 1e-4);
}


/* ---- Forces and damping ------------------------------------------------- */

static void forces_act_where_they_are_applied(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_body_id id;

    def.gravity = real3(0, 0, 0);
    world = new_world_of(&def);
    id = add_cube(world, 1, 2, 3);
    /* 1,000 kg, 1,000 kg m^2 / 6: 60 N for 1/60 s at an arm of 0.5 m */
    CHECK_STATUS(VSP_OK, vsp_body_apply_force(world, id, real3(0, 60000, 0),
                                              real3(1.5, 2, 3)));
    step_world(world, 1);
    CHECK_NEAR(1, num(vsp_body_velocity(world, id).y), 1e-5);
    CHECK_NEAR(3, num(vsp_body_spin(world, id).z), 1e-4);
    step_world(world, 1); /* forces act for one step */
    CHECK_NEAR(1, num(vsp_body_velocity(world, id).y), 1e-5);
}

static void impulses_act_at_once(void)
{
    vsp_body_id id;

    world = new_world();
    id = add_cube(world, 1, 2, 3);
    CHECK_STATUS(VSP_OK, vsp_body_apply_impulse(world, id, real3(0, 1000, 0),
                                                real3(1.5, 2, 3)));
    CHECK_NEAR(1, num(vsp_body_velocity(world, id).y), 1e-6);
    CHECK_NEAR(3, num(vsp_body_spin(world, id).z), 1e-5);
    CHECK_STATUS(VSP_OK,
                 vsp_body_apply_center_impulse(world, id, real3(2000, 0, 0)));
    CHECK_NEAR(2, num(vsp_body_velocity(world, id).x), 1e-6);
    CHECK_NEAR(3, num(vsp_body_spin(world, id).z), 1e-5);
}

static void damping_is_as_documented(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_body_id id;
    double factor = 1.0 / (1.0 + 6.0 / 60.0);

    def.gravity = real3(0, 0, 0);
    world = new_world_of(&def);
    id = add_cube(world, 0, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(3, 0, 0),
                                               real3(0, 2, 0)));
    CHECK_STATUS(VSP_OK, vsp_body_set_damping(world, id, VSP_R(6.0), 0));
    step_world(world, 2);
    CHECK_NEAR(3 * factor * factor, num(vsp_body_velocity(world, id).x), 1e-5);
    CHECK_NEAR(2, num(vsp_body_spin(world, id).y), 1e-5);
    CHECK_STATUS(VSP_OK, vsp_body_set_damping(world, id, 0, VSP_R(6.0)));
    step_world(world, 1);
    CHECK_NEAR(2 * factor, num(vsp_body_spin(world, id).y), 1e-5);
}

static void gravity_is_scaled(void)
{
    vsp_body_id id;

    world = new_world();
    id = add_cube(world, 0, 50, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_gravity_scale(world, id, VSP_R(-2.0)));
    step_world(world, 6);
    CHECK_NEAR(2 * 9.81 * 0.1, num(vsp_body_velocity(world, id).y), 1e-4);
    CHECK_STATUS(VSP_OK, vsp_body_set_gravity_scale(world, id, VSP_R(0.0)));
    step_world(world, 6);
    CHECK_NEAR(2 * 9.81 * 0.1, num(vsp_body_velocity(world, id).y), 1e-4);
}

static void kinematic_bodies_keep_their_velocity(void)
{
    vsp_body_id id;

    world = new_world();
    id = add_body(world, VSP_KINEMATIC, vsp_sphere(VSP_R(0.5)), 0, 0.5, 0);
    add_cube(world, 0, 1.5, 0); /* leans on it */
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(1, 0, 0),
                                               real3(0, 2, 0)));
    step_world(world, 60);
    CHECK_NEAR(1, num(vsp_body_transform(world, id).position.x), 1e-4);
    CHECK_NEAR(0.5, num(vsp_body_transform(world, id).position.y), 0);
    CHECK_NEAR(1, num(vsp_body_velocity(world, id).x), 0);
    CHECK_NEAR(sin(1.0), num(vsp_body_transform(world, id).rotation.y), 1e-3);
}

/* Returns the spin of a cube on a table that moves and turns. */
static double spin_of_what_stands_on(vsp_body_type type, double density)
{
    vsp_shape_def table = vsp_box(VSP_R(2.0), VSP_R(0.5), VSP_R(2.0));
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id id = {0}, cube;

    world = new_world();
    def.type = type;
    def.pose.position = real3(0, 0.5, 0);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    table.density = real(density);
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, id, &table, NULL));
    cube = add_cube(world, 0, 1.5, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(0.5, 0, 0),
                                               real3(0, 1, 0)));
    step_world(world, 60);
    return num(vsp_body_spin(world, cube).y);
}

static void turntables_turn_what_stands_on_them(void)
{
    CHECK_NEAR(1, spin_of_what_stands_on(VSP_KINEMATIC, 1000), 0.01);
}

/* A dynamic body without mass must not move, whatever its velocity. */
static void bodies_without_mass_carry_nothing_along(void)
{
    CHECK_NEAR(0, spin_of_what_stands_on(VSP_DYNAMIC, 0), 1e-4);
}


static const test tests[] = {
    TEST(friction_follows_the_rules),
    TEST(friction_of_nothing_is_nothing),
    TEST(a_push_without_friction_is_a_number),
    TEST(restitution_follows_the_rules),
    TEST(slow_impacts_bounce_and_rest_does_not),
    TEST(a_new_material_counts_from_the_next_step),
    TEST(one_shape_gives_its_mass),
    TEST(several_shapes_sum_up),
    TEST(new_mass_does_not_move_the_frame),
    TEST(massless_shapes_add_no_mass),
    TEST(given_mass_and_inertia_are_used),
    TEST(inertia_turns_with_the_body),
    TEST(forces_act_where_they_are_applied),
    TEST(impulses_act_at_once),
    TEST(damping_is_as_documented),
    TEST(gravity_is_scaled),
    TEST(kinematic_bodies_keep_their_velocity),
    TEST(turntables_turn_what_stands_on_them),
    TEST(bodies_without_mass_carry_nothing_along),
    TEST_END,
};

const test_suite material_suite = {"material", tests};
