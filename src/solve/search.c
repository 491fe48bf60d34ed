/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The line search of CARRY, and copies of multipliers.
 *
 * A carry pass changes the multipliers from x0 to x; so does warm starting,
 * from x0 = 0.  Along the line between them the objective
 * f(x) = x.A x / 2 + b.x, eq. 42 without damping, is a parabola.  Each island
 * steps from x0 towards x to the minimum of its part of f, but not beyond x.
 * J u is known at both ends, so no matrix is needed:
 * f' = (J u0 + bias).(x - x0) at x0, f'' = (J u - J u0).(x - x0).
 *
 * An island that takes less than half of the step slides, tips or collides.
 * Another pass would gain nothing, so it is left to the sweeps for the rest of
 * the step (VSP__SWEEP_ONLY). */

#include "solve.h"


/* ---- Saved multipliers --------------------------------------------------- */

void vsp__copy_multipliers(vsp_world *world, uint32_t first, uint32_t count,
                           bool is_back)
{
    uint32_t i, k;

    for (i = first; i < first + count; i++) {
        vsp__num *x = world->points[i].multiplier.row;

        for (k = 0; k < 3; k++)
            if (is_back)
                x[k] = *vsp__saved_multiplier(world, i, k);
            else
                *vsp__saved_multiplier(world, i, k) = x[k];
    }
}

void vsp__save_multipliers(vsp_world *world)
{
    uint32_t i;

    if (!VSP_SHOCK)
        return;
    vsp__copy_multipliers(
        world, 0, world->contacts[VSP__CONTACTS_SOLVED].point_count, false);
    for (i = 0; i < world->contacts[VSP__CONTACTS_SOLVED].point_count; i++)
        vsp__zero_bytes(world->points[i].multiplier.row, 3 * sizeof(vsp__num));
}

void vsp__restore_multipliers(vsp_world *world)
{
    if (VSP_SHOCK)
        vsp__copy_multipliers(
            world, 0, world->contacts[VSP__CONTACTS_SOLVED].point_count, true);
}


/* ---- Line search --------------------------------------------------------- */

/* Saves u0 and x0.  At a warm start x0 is 0 and need not be saved. */
void vsp__line_search_begin(vsp_world *world, bool is_warm)
{
    uint32_t i;

    if (!VSP_CARRY)
        return;
    for (i = 0; i < world->body_limit; i++)
        vsp__solve_of(world)->saved[i] = vsp__solve_of(world)->velocity[i];
    if (!is_warm)
        vsp__copy_multipliers(
            world, 0, world->contacts[VSP__CONTACTS_SOLVED].point_count, false);
}

/* Reads x0 of a point: its saved multipliers, or 0 at a warm start. */
static VSP__CALLED void get_saved_multipliers(vsp_world *world, uint32_t point,
                                              bool is_warm, vsp__num *x)
{
    uint32_t k;

    for (k = 0; k < 3; k++)
        x[k] = is_warm ? 0 : *vsp__saved_multiplier(world, point, k);
}

/* Computes a manifold's part of f' and f''. */
static void manifold_slopes(const vsp__manifold_view *s, bool is_warm,
                            vsp__wide slopes[2])
{
    vsp_world *world = s->world;
    vsp__square first = 0, second = 0;
    uint32_t j;
    vsp__local_velocity now, old;

    vsp__load_local_velocity(s, vsp__solve_of(world)->velocity, &now);
    vsp__load_local_velocity(s, vsp__solve_of(world)->saved, &old);
    for (j = 0; j < s->m->point_count; j++) {
        const vsp__point_rows *row = s->rows + j;
        const vsp__num *x = s->points[j].multiplier.row;
        vsp__v3 d = v3(x[0], x[1], x[2]), x0, u, change;

        vsp__point_velocity(&old, row, &u);
        vsp__point_velocity(&now, row, &change);
        get_saved_multipliers(world, s->m->first_point + j, is_warm, &x0.x);
        v3_sub_in(&d, &x0);
        v3_sub_in(&change, &u);
        second = square_add(second, v3_product_at(&change, &d));
        u.x = r_add(u.x, s->points[j].bias);
        first = square_add(first, v3_product_at(&u, &d));
    }
    if (VSP_ROLLING && is_warm && vsp__rolls(s->m))
        vsp__add_roll_slopes(s, &old, &now, &first, &second);
    slopes[0] = w_div(w_of_rate_square(first), s->block->inv_mass);
    slopes[1] = w_div(w_of_rate_square(second), s->block->inv_mass);
}

/* Adds a manifold's part to the sums of its island. */
static void add_slopes(vsp_world *world, const vsp__manifold *m,
                       const vsp__wide slopes[2])
{
    vsp__body_pass *pass = vsp__solve_of(world)->pass +
                           vsp__manifold_island(world, m);

    pass->slope.first = w_add(pass->slope.first, slopes[0]);
    pass->slope.second = w_add(pass->slope.second, slopes[1]);
}

/* Whether a manifold is a part of the objective. */
static bool is_searched(const vsp_world *world, const vsp__manifold *m)
{
    return vsp__solve_of(world)
               ->pass[vsp__manifold_island(world, m)]
               .slope.is_searched &&
           !(m->flags & VSP__SWEEP_ONLY);
}

typedef struct slope_work { /* the slopes of all manifolds */
    vsp_world *world;
    bool is_warm;
} slope_work;

/* Workers keep the slopes of manifolds, because those of one island add to the
 * same sums. */
#if VSP_WORKERS

/* A vsp__do_piece. */
static void slope_piece(void *work, uint32_t piece, uint32_t first,
                        uint32_t last)
{
    const slope_work *job = (const slope_work *)work;
    vsp__crew *crew = vsp__crew_of(job->world);

    (void)piece;
    for (; first < last; first++) {
        vsp__manifold_view it;

        vsp__view_by_index(job->world, VSP__CONTACTS_SOLVED, first, &it);
        if (is_searched(job->world, it.m))
            manifold_slopes(&it, job->is_warm, crew->slopes[first]);
    }
}

/* Manifolds that are worth a piece of work. */
#define LEAST_SLOPES VSP__LEAST(48u)

static void keep_slopes(slope_work *job, uint32_t count)
{
    if (vsp__has_workers(job->world))
        vsp__share_work(job->world, slope_piece, job, count, LEAST_SLOPES);
}

/* Returns the slopes of a manifold: kept ones, or *made. */
static const vsp__wide *get_slopes(const vsp__manifold_view *it, bool is_warm,
                                   vsp__wide made[2])
{
    if (vsp__has_workers(it->world))
        return vsp__crew_of(it->world)->slopes[it->m - it->world->manifolds];
    manifold_slopes(it, is_warm, made);
    return made;
}

#else

static void keep_slopes(slope_work *job, uint32_t count)
{
    (void)job;
    (void)count;
}

static const vsp__wide *get_slopes(const vsp__manifold_view *it, bool is_warm,
                                   vsp__wide made[2])
{
    manifold_slopes(it, is_warm, made);
    return made;
}

#endif

/* Returns the fraction of the step that an island takes, a unit from 0 to 1:
 * -f' / f'', at most 1; 0 if f rises or is not finite, 1 if f is constant. */
static vsp__num island_step(const vsp__body_pass *pass)
{
    vsp__wide first = pass->slope.first, second = pass->slope.second;

    if (!w_is_finite(first) || !w_is_finite(second))
        return 0;
    if (!w_less(first, VSP__W_ZERO))
        return w_less(VSP__W_ZERO, second) ? 0 : VSP__UNIT(1.0);
    if (!w_less(w_neg(first), second))
        return VSP__UNIT(1.0);
    return w_to_unit(w_div(w_neg(first), second));
}

/* Sets numbers x to from + s (x - from).  The cut preserves momentum in the
 * mean. */
static VSP__CALLED void shorten_step(const vsp__num *from, vsp__num s,
                                     uint32_t cut, vsp__num *x, uint32_t count)
{
    uint32_t k;

    for (k = 0; k < count; k++)
        x[k] = r_add(from[k], u_mul_cut(s, r_sub(x[k], from[k]), cut));
}

/* Scales the step of a manifold's multipliers from x0 by s. */
static void shorten_manifold_step(vsp_world *world, const vsp__manifold *m,
                                  vsp__num s, bool is_warm)
{
    uint32_t j;

    for (j = m->first_point; j < m->first_point + vsp__row_points(m); j++) {
        vsp__num x0[3];

        get_saved_multipliers(world, j, is_warm, x0);
        shorten_step(x0, s, vsp__noise_cut(world->params.tick, VSP__NOISE_SPIN),
                     world->points[j].multiplier.row, 3);
    }
}

/* Marks islands for the line search: those in which a component of some body's
 * velocity changed by more than `much`, m/s or rad/s. */
static void mark_changed_islands(vsp_world *world, vsp__num much)
{
    const vsp__velocity *v = vsp__solve_of(world)->velocity;
    const vsp__velocity *v0 = vsp__solve_of(world)->saved;
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        if (vsp__is_moved(world, i) &&
            vsp__has_velocity_changed(v + i, v0 + i, much))
            vsp__solve_of(world)->pass[world->island[i]].slope.is_searched =
                true;
}

/* Unmarks islands with joints.  They keep their full warm start, because the
 * sums of f' and f'' do not include the rows of joints. */
static void unmark_joined_islands(vsp_world *world)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i, k;

    for (i = 0; i < pool->layer_joints[world->layer_count + 1u]; i++)
        for (k = 0; k < 2; k++) {
            uint32_t body = pool->joints[pool->order[i]].body[k];

            vsp__solve_of(world)->pass[world->island[body]].slope.is_searched =
                false;
        }
}

/* Clears the sums and marks the islands to search: those with a velocity that
 * changed by more than gravity changes it in two steps or, after a carry pass,
 * by more than VSP__LEAST_PULL of that, which is above rounding errors.  A warm
 * start leaves out islands with joints. */
static void begin_slopes(vsp_world *world, bool is_warm)
{
    vsp__body_pass *pass = vsp__solve_of(world)->pass;
    uint32_t i;

    for (i = 0; i < world->body_limit; i++) {
        pass[i].slope.first = pass[i].slope.second = VSP__W_ZERO;
        pass[i].slope.is_searched = false;
    }
    mark_changed_islands(world,
                         u_mul(is_warm ? VSP__UNIT(1.0) : VSP__LEAST_PULL,
                               r_mul(VSP__REAL(2.0), world->gravity_speed)));
    if (VSP_JOINTS && is_warm)
        unmark_joined_islands(world);
}

void vsp__line_search_end(vsp_world *world, bool is_warm)
{
    uint32_t count = world->contacts[VSP__CONTACTS_SOLVED].manifold_count, i;
    vsp__body_pass *pass = vsp__solve_of(world)->pass;
    slope_work job;

    if (!VSP_CARRY)
        return;
    begin_slopes(world, is_warm);
    job.world = world;
    job.is_warm = is_warm;
    keep_slopes(&job, count);
    for (i = 0; i < count; i++) {
        vsp__manifold_view it;
        vsp__wide made[2];

        vsp__view_by_index(world, VSP__CONTACTS_SOLVED, i, &it);
        if (is_searched(world, it.m))
            add_slopes(world, it.m, get_slopes(&it, is_warm, made));
    }
    for (i = 0; i < world->body_limit; i++) { /* an island's lowest body is
                                                 first */
        uint32_t island = world->island[i];
        vsp__velocity *v = vsp__solve_of(world)->velocity + i;
        const vsp__velocity *v0 = vsp__solve_of(world)->saved + i;
        vsp__num s;

        if (island == i) {
            pass[i].step = island_step(&pass[i]);
            if (is_warm && pass[i].step >= VSP__UNIT(0.1))
                pass[i].step = VSP__UNIT(1.0);
        }
        s = pass[island].step;
        if (!vsp__is_moved(world, i) || !(s < VSP__UNIT(1.0)))
            continue;
        shorten_step(&v0->linear.x, is_warm ? 0 : s,
                     vsp__noise_cut(world->params.tick, VSP__NOISE_SPIN),
                     &v->linear.x, 6);
    }
    for (i = 0; i < count; i++) {
        vsp__num s;
        vsp__manifold_view it;

        vsp__view_by_index(world, VSP__CONTACTS_SOLVED, i, &it);
        s = pass[vsp__manifold_island(world, it.m)].step;
        if (s < VSP__UNIT(1.0))
            shorten_manifold_step(world, it.m, s, is_warm);
        if (s < VSP__UNIT(1.0) && is_warm) /* momentum is kept to the bit */
            vsp__apply_manifold(&it);
        if (s < VSP__UNIT(0.5) && !is_warm)
            it.m->flags |= VSP__SWEEP_ONLY;
    }
}
