/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* In this order: rows, the matrix, products with it, methods, results. */

#include "contact_system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>


/* ---- Rows ---------------------------------------------------------------- */

void system_free_velocity(const contact_system *it, int body, vec3 *velocity,
                          vec3 *spin)
{
    const contact_body *from = &it->of->bodies[body];
    vec3 torque = vec_scale(
        vec_cross(from->spin, tensor_times(&from->inertia, from->spin)), -1.0);

    *velocity = from->velocity;
    *spin = vec_mad(from->spin, it->options.dt,
                    tensor_times(&from->inverse_inertia, torque));
    if (from->inverse_mass > 0.0)
        *velocity = vec_mad(from->velocity, it->options.dt,
                            it->options.gravity);
}

/* Writes the arm's part of a row for one body. */
static void add_side(const contact_system *it, int body, const contact_point *p,
                     vec3 way, vec3 *turn, double *inverse_mass, vec3 *spin)
{
    const contact_body *from;

    *turn = *spin = vec_make(0.0, 0.0, 0.0);
    *inverse_mass = 0.0;
    if (body < 0)
        return;
    from = &it->of->bodies[body];
    *turn = vec_cross(vec_sub(p->point, from->center), way);
    *inverse_mass = from->inverse_mass;
    *spin = tensor_times(&from->inverse_inertia, *turn);
}

/* Returns the speed of a body along one side of a row, before the step or
 * free of contacts. */
static double side_speed(const contact_system *it, int body, vec3 way,
                         vec3 turn, bool is_free)
{
    vec3 velocity, spin;

    if (body < 0)
        return 0.0;
    velocity = it->of->bodies[body].velocity;
    spin = it->of->bodies[body].spin;
    if (is_free)
        system_free_velocity(it, body, &velocity, &spin);
    return vec_dot(way, velocity) + vec_dot(turn, spin);
}

static double row_speed(const contact_system *it, const system_row *row,
                        bool is_free)
{
    return side_speed(it, row->b - 1, row->way, row->turn_b, is_free) -
           side_speed(it, row->a - 1, row->way, row->turn_a, is_free);
}

static void add_row(contact_system *it, const contact_point *p, vec3 way,
                    bool is_normal)
{
    system_row *row = &it->rows[it->count++];

    row->a = p->a + 1;
    row->b = p->b + 1;
    row->way = way;
    add_side(it, p->a, p, way, &row->turn_a, &row->inverse_mass[0],
             &row->spin_a);
    add_side(it, p->b, p, way, &row->turn_b, &row->inverse_mass[1],
             &row->spin_b);
    row->diagonal = row->inverse_mass[0] + row->inverse_mass[1] +
                    vec_dot(row->turn_a, row->spin_a) +
                    vec_dot(row->turn_b, row->spin_b) + it->options.gamma;
    row->friction = is_normal ? -1.0 : p->friction;
    row->bias = row_speed(it, row, true);
    if (is_normal) /* eq. 21: bodies that approach bounce */
        row->bias += p->restitution * fmin(0.0, row_speed(it, row, false));
}

/* Adds the rows of a point.  The first tangent is level, or along x if the
 * normal is nearly vertical. */
static void add_point(contact_system *it, const contact_point *p)
{
    vec3 n = p->normal, t = vec_make(n.z, 0.0, -n.x);

    add_row(it, p, n, true);
    if (!it->options.has_friction)
        return;
    if (vec_dot(t, t) < 1e-4)
        t = vec_make(n.y, -n.x, 0.0);
    t = vec_unit(t);
    add_row(it, p, t, false);
    add_row(it, p, vec_cross(n, t), false);
}

bool system_begin(contact_system *to, const contact_problem *of,
                  const system_options *options)
{
    size_t most = 3 * (size_t)of->point_count + 1;

    memset(to, 0, sizeof *to);
    to->of = of;
    to->options = *options;
    to->rows = calloc(most, sizeof *to->rows);
    to->lambda = calloc(most, sizeof *to->lambda);
    to->work = calloc(4 * most, sizeof *to->work);
    if (!to->rows || !to->lambda || !to->work) {
        fprintf(stderr, "vsp: no memory for %d contact points\n",
                of->point_count);
        system_end(to);
        return false;
    }
    for (int i = 0; i < of->point_count; i++)
        if (of->points[i].gap <= options->touching)
            add_point(to, &of->points[i]);
    return true;
}

bool system_of_scene(contact_system *to, contact_problem *of,
                     const char *scene_name, uint32_t after,
                     const system_options *options)
{
    vsp_world_def def = contact_detector_def(scene_name);
    system_options own = *options;
    scene_run run;

    if (after > 0) { /* steps of the engine as it is by default */
        scene_variant variant;

        def = scene_world_def(scene_find(scene_name, &variant));
        def.enable_sleep = false;
    }
    own.dt = vsp_to_double(def.dt);
    own.gravity = vec_from(def.gravity);
    if (!simulation_start_in(&run, scene_name, &def))
        return false;
    for (uint32_t i = 0; i < after; i++)
        if (scene_step(&run, i) < 0) {
            fprintf(stderr, "vsp: a step of '%s' failed\n", scene_name);
            return false;
        }
    contact_problem_read_bodies(of, run.world);
    return contact_problem_detect(of, run.world) && system_begin(to, of, &own);
}

void system_end(contact_system *it)
{
    free(it->rows);
    free(it->lambda);
    free(it->work);
    it->rows = NULL;
    it->lambda = it->work = NULL;
}

void system_restart(contact_system *it)
{
    memset(it->lambda, 0, (size_t)it->count * sizeof *it->lambda);
    memset(it->velocity, 0, sizeof it->velocity);
    memset(it->spin, 0, sizeof it->spin);
    it->step = 0.0;
}

void system_set_gamma(contact_system *it, double gamma)
{
    for (int i = 0; i < it->count; i++)
        it->rows[i].diagonal += gamma - it->options.gamma;
    it->options.gamma = gamma;
}

double system_mean_diagonal(const contact_system *it)
{
    double sum = 0.0;

    for (int i = 0; i < it->count; i++)
        sum += it->rows[i].diagonal - it->options.gamma;
    return it->count > 0 ? sum / it->count : 0.0;
}


/* ---- The matrix ---------------------------------------------------------- */

/* Returns the speed that a unit impulse of one row gives along a side of
 * another. */
static double side_entry(int body, vec3 way, vec3 turn, const system_row *from)
{
    double sum = 0.0;

    if (body == 0)
        return 0.0;
    if (body == from->b)
        sum += from->inverse_mass[1] * vec_dot(way, from->way) +
               vec_dot(turn, from->spin_b);
    if (body == from->a)
        sum -= from->inverse_mass[0] * vec_dot(way, from->way) +
               vec_dot(turn, from->spin_a);
    return sum;
}

void system_matrix(const contact_system *it, matrix *a)
{
    for (int i = 0; i < it->count; i++) {
        const system_row *row = &it->rows[i];

        for (int j = 0; j < it->count; j++)
            matrix_row(a, i)[j] = side_entry(row->b, row->way, row->turn_b,
                                             &it->rows[j]) -
                                  side_entry(row->a, row->way, row->turn_a,
                                             &it->rows[j]);
        matrix_row(a, i)[i] += it->options.gamma;
    }
}


/* ---- Products ------------------------------------------------------------ */

/* Adds M^-1 J^T of one multiplier to velocities: eq. 33. */
static void push(const system_row *row, double lambda, vec3 *velocity,
                 vec3 *spin)
{
    velocity[row->a] = vec_mad(velocity[row->a], -lambda * row->inverse_mass[0],
                               row->way);
    spin[row->a] = vec_mad(spin[row->a], -lambda, row->spin_a);
    velocity[row->b] = vec_mad(velocity[row->b], lambda * row->inverse_mass[1],
                               row->way);
    spin[row->b] = vec_mad(spin[row->b], lambda, row->spin_b);
}

/* Returns J_row times velocities. */
static double pull(const system_row *row, const vec3 *velocity,
                   const vec3 *spin)
{
    return vec_dot(row->way, vec_sub(velocity[row->b], velocity[row->a])) +
           vec_dot(row->turn_b, spin[row->b]) -
           vec_dot(row->turn_a, spin[row->a]);
}

/* Writes M^-1 J^T x. */
static void push_all(const contact_system *it, const double *x, vec3 *velocity,
                     vec3 *spin)
{
    size_t size = (size_t)(it->of->body_count + 1) * sizeof *velocity;

    memset(velocity, 0, size);
    memset(spin, 0, size);
    for (int i = 0; i < it->count; i++)
        push(&it->rows[i], x[i], velocity, spin);
}

/* Writes A x. */
static void multiply(const contact_system *it, const double *x, double *out)
{
    static vec3 velocity[VSP_MAX_BODIES + 1], spin[VSP_MAX_BODIES + 1];

    push_all(it, x, velocity, spin);
    for (int i = 0; i < it->count; i++)
        out[i] = pull(&it->rows[i], velocity, spin) + it->options.gamma * x[i];
}

static double residual(const contact_system *it, int i)
{
    return pull(&it->rows[i], it->velocity, it->spin) +
           it->options.gamma * it->lambda[i] + it->rows[i].bias;
}

/* Writes the limits of a row: eq. 9 and 29. */
static void limits(const contact_system *it, int i, double *low, double *high)
{
    double friction = it->rows[i].friction;
    int normal = i - i % 3;

    *low = 0.0;
    *high = HUGE_VAL;
    if (friction >= 0.0) {
        *high = friction * it->lambda[normal];
        *low = -*high;
    }
}

static double project(const contact_system *it, int i, double lambda)
{
    double low, high;

    limits(it, i, &low, &high);
    return fmin(fmax(low, lambda), high);
}


/* ---- Methods ------------------------------------------------------------- */

void system_sweep(contact_system *it, double omega)
{
    for (int i = 0; i < it->count; i++) {
        const system_row *row = &it->rows[i];
        double old = it->lambda[i];
        double change = omega * residual(it, i) / row->diagonal;

        it->lambda[i] = project(it, i, old - change);
        push(row, it->lambda[i] - old, it->velocity, it->spin);
    }
}

void system_jacobi(contact_system *it, double omega)
{
    for (int i = 0; i < it->count; i++) {
        double change = omega * residual(it, i) / it->rows[i].diagonal;

        it->work[i] = it->lambda[i] - change;
    }
    for (int i = 0; i < it->count; i++)
        it->lambda[i] = project(it, i, it->work[i]);
    push_all(it, it->lambda, it->velocity, it->spin);
}

/* Makes 0 what would push a multiplier beyond a limit that it has reached. */
static double project_way(const contact_system *it, int i, double way)
{
    double low, high;

    limits(it, i, &low, &high);
    if ((it->lambda[i] <= low && way < 0.0) ||
        (it->lambda[i] >= high && way > 0.0))
        return 0.0;
    return way;
}

static double dot(const double *a, const double *b, int count)
{
    double sum = 0.0;

    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

void system_gradients(contact_system *it)
{
    int n = it->count;
    double *way = it->work, *product = way + n, *rest = product + n;
    double curvature, step, turn = 0.0;

    for (int i = 0; i < n; i++)
        rest[i] = project_way(it, i, -residual(it, i));
    if (it->step > 0.0) { /* conjugate to the last way */
        for (int i = 0; i < n; i++)
            way[i] = project_way(it, i, way[i]);
        multiply(it, way, product);
        curvature = dot(way, product, n);
        turn = curvature > 0.0 ? -dot(rest, product, n) / curvature : 0.0;
    }
    for (int i = 0; i < n; i++)
        way[i] = turn == 0.0 ? rest[i] : rest[i] + turn * way[i];
    multiply(it, way, product);
    curvature = dot(way, product, n);
    step = curvature > 0.0 ? dot(rest, way, n) / curvature : 0.0;
    for (int i = 0; i < n; i++)
        it->lambda[i] = project(it, i, it->lambda[i] + step * way[i]);
    push_all(it, it->lambda, it->velocity, it->spin);
    it->step += 1.0;
}


/* ---- Results ------------------------------------------------------------- */

/* Returns a component of H, eq. 37, for the speed w of its row; with a row and
 * column of A divided by `scale`. */
static double component(const contact_system *it, int i, double w, double scale)
{
    double low, high, lambda = it->lambda[i];

    limits(it, i, &low, &high);
    return fmin((lambda - low) * scale,
                fmax((lambda - high) * scale, w / scale));
}

static double find_merit(const contact_system *it, double gamma, bool is_scaled)
{
    static vec3 velocity[VSP_MAX_BODIES + 1], spin[VSP_MAX_BODIES + 1];
    double sum = 0.0;

    push_all(it, it->lambda, velocity, spin);
    for (int i = 0; i < it->count; i++) {
        const system_row *row = &it->rows[i];
        double w = pull(row, velocity, spin) + gamma * it->lambda[i] +
                   row->bias;
        double h = component(it, i, w, is_scaled ? sqrt(row->diagonal) : 1.0);

        sum += h * h;
    }
    return sum / 2.0;
}

double system_merit(const contact_system *it)
{
    return find_merit(it, it->options.gamma, false);
}

double system_undamped_merit(const contact_system *it)
{
    return find_merit(it, 0.0, false);
}

double system_scaled_merit(const contact_system *it)
{
    return find_merit(it, it->options.gamma, true);
}

void system_velocity(const contact_system *it, int body, vec3 *velocity,
                     vec3 *spin)
{
    system_free_velocity(it, body, velocity, spin);
    *velocity = vec_add(*velocity, it->velocity[body + 1]);
    *spin = vec_add(*spin, it->spin[body + 1]);
}

double system_energy(const contact_system *it)
{
    double sum = 0.0;

    for (int i = 0; i < it->of->body_count; i++) {
        const contact_body *body = &it->of->bodies[i];
        vec3 velocity, spin;

        system_velocity(it, i, &velocity, &spin);
        sum += 0.5 * body->mass * vec_dot(velocity, velocity) +
               0.5 * vec_dot(spin, tensor_times(&body->inertia, spin));
    }
    return sum;
}

void system_update(const contact_system *it, contact_problem *to)
{
    for (int i = 0; i < it->of->body_count; i++) {
        vec3 velocity, spin;

        system_velocity(it, i, &velocity, &spin);
        to->bodies[i].velocity = velocity;
        to->bodies[i].spin = spin;
    }
}
