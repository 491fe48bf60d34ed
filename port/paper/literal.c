/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* In this order: rows of the matrix, Gauss-Seidel, the two algorithms of
 * section 4, time steps. */

#include "literal.h"

#include "impulses.h"

static literal_setting setting;
static contact_problem problem;
static levels layers;
static double sweep_count; /* of dynamics() */

/* What a solve changes: velocities, or displacements of a correction. */
static struct motion {
    vec3 linear, angular;
    bool is_fixed;
} motions[VSP_MAX_BODIES];

/* Vectors from the centres of both bodies to each point, when it was
 * detected. */
static vec3 arms[VSP_MAX_CONTACTS][2];

/* A row of J (eq. 2, 6), with the same of T = M^-1 J^T (eq. 33). */
typedef struct row {
    int a, b;              /* bodies; -1: static */
    vec3 along;            /* n, t1 or t2 */
    vec3 turn_a, turn_b;   /* its moments */
    vec3 spin_a, spin_b;   /* inverse inertia times these */
    double mass_a, mass_b; /* inverse masses */
    double target;         /* what the row adds to J u: a bounce, a depth */
    double diagonal, multiplier;
    double friction; /* bounds are this times the multiplier of `normal` */
    int normal;      /* index of the normal row; -1: this is one */
} row;

static row rows[3 * VSP_MAX_CONTACTS];
static int row_count;


/* ---- Rows ---------------------------------------------------------------- */

/* Sets one body's part of a row.  Returns its part of the diagonal of A. */
static double set_side(int body, vec3 turn, vec3 *spin, double *mass)
{
    const contact_body *it = &problem.bodies[body < 0 ? 0 : body];

    *spin = vec_make(0.0, 0.0, 0.0);
    *mass = 0.0;
    if (body < 0 || motions[body].is_fixed)
        return 0.0;
    *spin = tensor_times(&it->inverse_inertia, turn);
    *mass = it->inverse_mass;
    return *mass + vec_dot(turn, *spin);
}

/* Adds a row, unless no body of it can move. */
static row *add_row(int point, vec3 along)
{
    const contact_point *from = &problem.points[point];
    row *it = &rows[row_count];

    it->a = from->a;
    it->b = from->b;
    it->along = along;
    it->turn_a = vec_cross(arms[point][0], along);
    it->turn_b = vec_cross(arms[point][1], along);
    it->diagonal = set_side(it->a, it->turn_a, &it->spin_a, &it->mass_a);
    it->diagonal += set_side(it->b, it->turn_b, &it->spin_b, &it->mass_b);
    it->target = it->multiplier = it->friction = 0.0;
    it->normal = -1;
    if (it->diagonal <= 0.0)
        return NULL;
    row_count++;
    return it;
}

/* Returns J u of a row. */
static double row_speed(const row *it)
{
    double speed = 0.0;

    if (it->b >= 0)
        speed += vec_dot(it->along, motions[it->b].linear) +
                 vec_dot(it->turn_b, motions[it->b].angular);
    if (it->a >= 0)
        speed -= vec_dot(it->along, motions[it->a].linear) +
                 vec_dot(it->turn_a, motions[it->a].angular);
    return speed;
}

/* Returns a unit vector across the normal, along the sliding velocity if there
 * is one. */
static vec3 tangent_of(const contact_point *at, const vec3 arm[2])
{
    vec3 v = {0.0, 0.0, 0.0}, n = at->normal;

    if (at->b >= 0)
        v = vec_add(motions[at->b].linear,
                    vec_cross(motions[at->b].angular, arm[1]));
    if (at->a >= 0)
        v = vec_sub(v, vec_add(motions[at->a].linear,
                               vec_cross(motions[at->a].angular, arm[0])));
    v = vec_mad(v, -vec_dot(v, n), n);
    if (vec_length(v) > 1e-9)
        return vec_unit(v);
    return vec_unit(fabs(n.x) < 0.7 ? vec_cross(n, vec_make(1.0, 0.0, 0.0))
                                    : vec_cross(n, vec_make(0.0, 1.0, 0.0)));
}

static void add_friction(int point, vec3 along, int normal)
{
    row *it = add_row(point, along);

    if (!it)
        return;
    it->normal = normal;
    it->friction = problem.points[point].friction;
}

/* Adds the three rows of a point.  Its bounce (eq. 21, 22) is that of the
 * present velocities, which have no external forces yet. */
static void add_point_rows(int point)
{
    const contact_point *from = &problem.points[point];
    int normal = row_count;
    row *it = add_row(point, from->normal);
    vec3 tangent;

    if (!it)
        return;
    it->target = fmin(0.0, from->restitution * row_speed(it));
    tangent = tangent_of(from, arms[point]);
    add_friction(point, tangent, normal);
    add_friction(point, vec_cross(from->normal, tangent), normal);
}

/* Adds the row of a point for correction: w = J ds + gap >= 0, where a gap that
 * is open counts as 0. */
static void add_depth_row(int point)
{
    row *it = add_row(point, problem.points[point].normal);

    if (it)
        it->target = fmin(0.0, problem.points[point].gap);
}


/* ---- Gauss-Seidel -------------------------------------------------------- */

static void move_side(int body, double impulse, vec3 along, double mass,
                      vec3 spin)
{
    if (body < 0)
        return;
    motions[body].linear = vec_mad(motions[body].linear, impulse * mass, along);
    motions[body].angular = vec_mad(motions[body].angular, impulse, spin);
}

/* eq. 29 to 33.  Returns how much the multiplier changed. */
static double relax_row(row *it)
{
    double low = 0.0, high = INFINITY, old = it->multiplier;

    if (it->normal >= 0) {
        high = it->friction * rows[it->normal].multiplier;
        low = -high;
    }
    it->multiplier -= (it->target + row_speed(it)) / it->diagonal;
    it->multiplier = fmin(fmax(low, it->multiplier), high);
    move_side(it->a, old - it->multiplier, it->along, it->mass_a, it->spin_a);
    move_side(it->b, it->multiplier - old, it->along, it->mass_b, it->spin_b);
    return fabs(it->multiplier - old);
}

/* Makes sweeps over all rows.  Returns their number. */
static int solve_rows(int sweeps)
{
    for (int k = 0; k < sweeps; k++) {
        double change = 0.0;

        for (int i = 0; i < row_count; i++)
            change = fmax(change, relax_row(&rows[i]));
        if (change < setting.stop)
            return k + 1;
    }
    return sweeps;
}


/* ---- Algorithms ---------------------------------------------------------- */

/* Returns whether a body is free in a layer; layer -1 has all bodies. */
static bool is_free(int body, int layer)
{
    if (problem.bodies[body].inverse_mass <= 0.0)
        return false;
    return layer < 0 || layers.height[body] == layer + 1;
}

/* Reads motions: velocities, or zero.  Bodies that are not free in the layer
 * are fixed. */
static void begin_motions(int layer, bool are_velocities)
{
    for (int i = 0; i < problem.body_count; i++) {
        const contact_body *it = &problem.bodies[i];
        struct motion *to = &motions[i];
        bool is_moving = are_velocities &&
                         (is_free(i, layer) || it->inverse_mass <= 0.0);

        to->is_fixed = !is_free(i, layer);
        to->linear = is_moving ? it->velocity : vec_make(0.0, 0.0, 0.0);
        to->angular = is_moving ? it->spin : vec_make(0.0, 0.0, 0.0);
    }
}

static void add_rows(int layer, void (*add)(int point))
{
    int from = layer < 0 ? 0 : layers.first[layer];
    int end = layer < 0 ? problem.point_count : layers.first[layer + 1];

    row_count = 0;
    for (int i = from; i < end; i++)
        add(layers.order[i]);
}

/* Adds h M^-1 f (eq. 18) to the velocities of free bodies. */
static void add_forces(vec3 gravity, double h)
{
    for (int i = 0; i < problem.body_count; i++) {
        const contact_body *it = &problem.bodies[i];
        struct motion *to = &motions[i];
        vec3 moment = vec_cross(tensor_times(&it->inertia, to->angular),
                                to->angular);

        if (to->is_fixed)
            continue;
        to->linear = vec_mad(to->linear, h, gravity);
        to->angular = vec_mad(to->angular, h,
                              tensor_times(&it->inverse_inertia, moment));
    }
}

/* eq. 45 for a layer, or for all bodies */
static void advance_layer(int layer, vec3 gravity, double h)
{
    begin_motions(layer, true);
    add_rows(layer, add_point_rows);
    add_forces(gravity, h);
    sweep_count += solve_rows(setting.sweeps);
    for (int i = 0; i < problem.body_count; i++) {
        contact_body *it = &problem.bodies[i];

        if (motions[i].is_fixed)
            continue;
        it->velocity = motions[i].linear;
        it->spin = motions[i].angular;
        contact_body_move(it, it->velocity, it->spin, h);
    }
}

/* eq. 46 for a layer, or for all bodies */
static void correct_layer(int layer)
{
    begin_motions(layer, false);
    add_rows(layer, add_depth_row);
    (void)solve_rows(setting.corrections);
    for (int i = 0; i < problem.body_count; i++)
        if (!motions[i].is_fixed)
            contact_body_move(&problem.bodies[i], motions[i].linear,
                              motions[i].angular, 1.0);
}


/* ---- Steps --------------------------------------------------------------- */

/* Detects contacts and keeps their arms. */
static bool detect_contacts(vsp_world *world)
{
    if (!contact_problem_detect(&problem, world))
        return false;
    levels_find(&layers, &problem);
    for (int i = 0; i < problem.point_count; i++) {
        const contact_point *at = &problem.points[i];

        if (at->a >= 0)
            arms[i][0] = vec_sub(at->point, problem.bodies[at->a].center);
        if (at->b >= 0)
            arms[i][1] = vec_sub(at->point, problem.bodies[at->b].center);
    }
    return true;
}

/* Moves kinematic bodies, which no layer moves. */
static void move_kinematic(double h)
{
    for (int i = 0; i < problem.body_count; i++) {
        contact_body *it = &problem.bodies[i];

        if (it->inverse_mass <= 0.0)
            contact_body_move(it, it->velocity, it->spin, h);
    }
}

/* Figure 14 */
static bool step_vsp(vsp_world *world, vec3 gravity, double h)
{
    if (!detect_contacts(world))
        return false;
    advance_layer(-1, gravity, setting.fraction * h);
    for (int layer = 0; layer < layers.count; layer++) {
        advance_layer(layer, gravity, (1.0 - setting.fraction) * h);
        correct_layer(layer);
    }
    move_kinematic(h);
    if (!detect_contacts(world))
        return false;
    correct_layer(-1);
    return true;
}

static bool step_pgs(vsp_world *world, vec3 gravity, double h)
{
    if (!detect_contacts(world))
        return false;
    advance_layer(-1, gravity, h);
    move_kinematic(h);
    if (!detect_contacts(world))
        return false;
    correct_layer(-1);
    return true;
}

/* Figure 13: overlap is corrected, and nothing else. */
static bool step_correction(vsp_world *world)
{
    int layer = setting.method == LITERAL_SHOCK_CORRECTION ? 0 : -1;

    if (!detect_contacts(world))
        return false;
    do {
        correct_layer(layer++);
    } while (layer > 0 && layer < layers.count);
    return true;
}

static bool make_step(vsp_world *world, vec3 gravity, double h)
{
    switch (setting.method) {
    case LITERAL_ISP:
        return impulses_step(&problem, &layers, world, gravity, h);
    case LITERAL_VSP:
        return step_vsp(world, gravity, h);
    case LITERAL_PGS:
        return step_pgs(world, gravity, h);
    default:
        return step_correction(world);
    }
}

void literal_begin(const literal_setting *from)
{
    setting = *from;
    sweep_count = 0.0;
    problem.body_count = -1;
}

double literal_sweeps(void)
{
    return sweep_count;
}

bool literal_step(scene_run *run, uint32_t step)
{
    vec3 gravity = vec_from(vsp_world_gravity(run->world));
    double h = setting.dt > 0.0 ? setting.dt : run->scene->dt;
    bool is_done;

    (void)step;
    if (problem.body_count != simulation_bodies(run->world))
        contact_problem_read_bodies(&problem, run->world);
    is_done = make_step(run->world, gravity, h);
    for (int i = 0; i < problem.body_count; i++)
        contact_body_show(&problem.bodies[i], run->world);
    return is_done;
}
