/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

#include "damped_stack.h"

#define MOST 400     /* iterations of a solve */
#define SOLVED 1e-24 /* merit over that at the start */

static contact_problem problem;


/* ---- A solved step ------------------------------------------------------- */

double damped_solve(contact_system *it)
{
    double start, left = 1.0;

    system_restart(it);
    start = system_merit(it);
    for (int i = 0; i < MOST && left > SOLVED && start > 0.0; i++) {
        system_gradients(it);
        left = system_merit(it) / start;
    }
    return start > 0.0 ? left : 0.0;
}

static int top_of(const contact_problem *of)
{
    int top = 0;

    for (int i = 0; i < of->body_count; i++)
        if (of->bodies[i].center.y > of->bodies[top].center.y)
            top = i;
    return top;
}

double damped_sinking_speed(const contact_system *it)
{
    vec3 velocity, spin;

    system_velocity(it, top_of(it->of), &velocity, &spin);
    return -velocity.y;
}

double damped_carried_part(const contact_system *it)
{
    double carried = 0.0, weight = 0.0, g = -it->options.gravity.y;

    for (int i = 0; i < it->count; i++) {
        const system_row *row = &it->rows[i];

        if ((row->a == 0 || row->b == 0) && row->friction < 0.0)
            carried += it->lambda[i];
    }
    for (int i = 0; i < it->of->body_count; i++)
        weight += it->of->bodies[i].mass * g * it->options.dt;
    return carried / weight;
}


/* ---- A simulation -------------------------------------------------------- */

/* Makes a step of eq. 45 with all contacts as detected. */
static bool make_step(vsp_world *world, double gamma, double *left)
{
    static contact_system built;
    system_options options = {0};

    options.dt = vsp_to_double(vsp_world_dt(world));
    options.gravity = vec_from(vsp_world_gravity(world));
    options.touching = SYSTEM_TOUCHING;
    options.has_friction = true;
    options.gamma = gamma;
    if (!contact_problem_detect(&problem, world) ||
        !system_begin(&built, &problem, &options))
        return false;
    *left = fmax(*left, damped_solve(&built));
    system_update(&built, &problem);
    system_end(&built);
    for (int i = 0; i < problem.body_count; i++) {
        contact_body *body = &problem.bodies[i];

        contact_body_move(body, body->velocity, body->spin, options.dt);
    }
    return true;
}

/* `frame` is that of the start, so that pictures can be compared. */
static void draw_end(page *to, vsp_world *world, const bounds *frame,
                     const char *caption)
{
    render_options options = render_options_default();

    options.width = 240;
    options.height = 320;
    for (int i = 0; i < problem.body_count; i++)
        contact_body_show(&problem.bodies[i], world);
    page_world(to, world, frame, &options, caption);
}

bool damped_stack_run(page *to, const char *scene_name, double gamma,
                      const char *caption, plot_curve *fall, double *left)
{
    vsp_world_def def = contact_detector_def(scene_name);
    double dt = vsp_to_double(def.dt), start;
    scene_run run;
    bounds frame;

    if (!simulation_start_in(&run, scene_name, &def))
        return false;
    contact_problem_read_bodies(&problem, run.world);
    frame = render_bounds(run.world);
    start = problem.bodies[top_of(&problem)].center.y;
    for (int i = 0; i * dt < 1.0 + 0.5 * dt && i < PLOT_POINTS; i++) {
        if (i > 0 && !make_step(run.world, gamma, left))
            return false;
        fall->points[i].x = i * dt;
        fall->points[i].y = start - problem.bodies[top_of(&problem)].center.y;
        fall->count = i + 1;
    }
    if (caption)
        draw_end(to, run.world, &frame, caption);
    return true;
}
