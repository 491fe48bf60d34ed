/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The impulses of contacts and joints in a whole step of SHOCK, only for
 * reports, and for joints that break.
 *
 * SHOCK solves each contact twice: in dynamics(a dT), and with its layer, whose
 * lower bodies are fixated and so do not react.  The impulse to report is the
 * sum of both, plus the share of the load from above that fixation withheld.
 * To compute that share the layers are solved again from the top down: their
 * bodies get the velocities that the load above causes, and sweeps compute the
 * impulses that stop them.  These velocities are then dropped.
 *
 * Joined bodies are in one layer, so only contacts load them. */

#include "equations.h"

#if VSP_SHOCK

VSP_STATIC_ASSERT(shock_fits, sizeof(vsp__shock_scratch) <= VSP__STEPPER_BYTES);

/* Adds the impulses of points to their sums or, if is_first, sets the sums to
 * them. */
static VSP__CALLED void add_impulses(vsp_world *world, uint32_t first,
                                     uint32_t count, bool is_first)
{
    uint32_t i, k;

    for (i = first; i < first + count; i++) {
        const vsp__wide *x = world->points[i].multiplier.impulse;
        vsp__wide *sum = vsp__shock_scratch_of(world)->impulse[i];

        for (k = 0; k < 3; k++)
            sum[k] = is_first ? x[k] : vsp__clamp_impulse(w_add(sum[k], x[k]));
    }
}

#if VSP_JOINTS

/* Clears what is added to the impulses of the joints of a step; unions hold
 * some of them. */
static void clear_added(vsp_world *world, const vsp__span *all)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;

    for (i = 0; i < pool->limit; i++)
        if (pool->joints[i].flags & VSP__JOINT_IN_UNION)
            vsp__zero_bytes(pool->joints[i].impulse + VSP__JOINT_ROWS,
                            4u * VSP__ADDED_WORDS);
    for (i = all->first_joint; i < all->last_joint; i++)
        vsp__zero_bytes(pool->joints[pool->order[i]].impulse + VSP__JOINT_ROWS,
                        4u * VSP__ADDED_WORDS);
}

/* Adds the multipliers of joint rows to the impulses of their joints. */
static void add_joint_impulses(vsp_world *world, const vsp__span *span)
{
    vsp__joint_row_walk it;

    for (vsp__start_joint_rows(&it); vsp__next_joint_row(world, span, &it);) {
        vsp__wide *sum;

        if (it.k >= VSP__JOINT_ROWS)
            continue;
        sum = it.impulse + VSP__JOINT_ROWS;
        *sum = w_flush(
            vsp__clamp_impulse(w_add(*sum, vsp__joint_row_impulse(it.row))));
    }
    if (VSP_RANGES)
        vsp__give_range_loads(world, span, true);
}

/* Takes the impulse that a row has without the load from the largest one that
 * it may have. */
static void use_up_strength(vsp__joint_row *row, vsp__wide impulse)
{
    vsp__num used = r_abs(w_to_rate(w_div(impulse, row->mass)));

    if (row->most < VSP__REAL_MAX)
        row->most = r_max(0, r_sub(row->most, used));
}

/* Makes the joints of a layer bear a load and nothing else: a row keeps the
 * motion that it has without the load, within its limits and its strength.
 * Returns whether another row became an equality. */
static bool hold_joints(vsp_world *world, const vsp__span *layer)
{
    vsp__joint_row_walk it;
    bool is_changed = false;

    for (vsp__start_joint_rows(&it); vsp__next_joint_row(world, layer, &it);) {
        vsp__joint_row *row = it.row;
        vsp__num motion = vsp__row_motion_of_bodies(world, row, it.body);
        bool is_held = row->low == row->high;
        bool is_low = w_less(VSP__W_ZERO, *it.impulse);
        bool is_high = w_less(*it.impulse, VSP__W_ZERO);

        use_up_strength(row, *it.impulse);
        row->low = is_held || is_low ? motion : r_min(row->low, motion);
        row->high = is_held || is_high ? motion : r_max(row->high, motion);
        is_changed = is_changed || (!is_held && row->low == row->high);
    }
    return is_changed;
}

#else

static void clear_added(vsp_world *world, const vsp__span *all)
{
    (void)world;
    (void)all;
}

static void add_joint_impulses(vsp_world *world, const vsp__span *span)
{
    (void)world;
    (void)span;
}

static bool hold_joints(vsp_world *world, const vsp__span *layer)
{
    (void)world;
    (void)layer;
    return false;
}

#endif

void vsp__begin_whole_impulses(vsp_world *world, const vsp__span *all)
{
    vsp__store_contact_impulses(world, all);
    add_impulses(world, 0, world->contacts[VSP__CONTACTS_SOLVED].point_count,
                 true);
    clear_added(world, all);
    add_joint_impulses(world, all);
}

void vsp__clear_loads(vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        vsp__solve_of(world)->pass[i].is_loaded = false;
}

/* Returns the largest speed that loads added to a body of a layer; 0 if
 * none. */
static vsp__num largest_load(const vsp_world *world, const vsp__span *layer)
{
    const vsp__solver_scratch *solve = vsp__solve_of(world);
    vsp__num largest = 0;
    uint32_t i;

    for (i = layer->first_body; i < layer->last_body; i++) {
        uint32_t body = solve->stack_order[i];
        vsp__v3 d;

        if (!solve->pass[body].is_loaded)
            continue;
        v3_sub_to(&world->bodies[body].velocity, &solve->velocity[body].linear,
                  &d);
        largest = r_largest(largest, v3_size_at(&d));
    }
    return largest;
}

/* Sweeps stop when their largest change is below this fraction of a load. */
#define LOAD_PART VSP__UNIT(0.001)

/* Solves for the multipliers of a layer under its load, starting from the
 * multipliers without the load, and saves the latter. */
static void solve_load(vsp_world *world, const vsp__span *layer, vsp__num part,
                       vsp__num load)
{
    vsp__num residual = world->stats.residual;
    bool is_changed;
    vsp__manifold_view s;
    uint32_t i;

    vsp__assemble_rows(world, layer, part, false);
    is_changed = hold_joints(world, layer);
    if (VSP_RANGES && is_changed)
        vsp__assemble_webs(world, layer);
    for (i = layer->first; vsp__view_manifold(world, layer, i, &s); i++) {
        vsp__copy_multipliers(world, s.m->first_point, vsp__row_points(s.m),
                              false);
        vsp__load_multipliers(&s);
    }
    (void)vsp__sweep_rows(world, layer, world->params.sweeps,
                          u_mul(LOAD_PART, load));
    vsp__store_contact_impulses(world, layer);
    add_joint_impulses(world, layer);
    world->stats.residual = residual;
}

/* Adds the impulses of a manifold to the velocity of body k, 0 or 1, and marks
 * it loaded. */
static void load_body(const vsp__manifold_view *s, uint32_t k)
{
    vsp__solver_scratch *solve = vsp__solve_of(s->world);
    uint32_t body = s->m->body[k], i, j;
    const vsp__inverse_mass *inverse = &solve->inverse[body];
    vsp__wide mass[2];
    vsp__v3 axes[3], arm[2];

    for (i = 0; i < 2; i++)
        mass[i] = solve->inverse[s->m->body[i]].mass;
    vsp__scale_pair_masses(s->world, s->m, mass);
    axes[0] = s->m->normal;
    vsp__make_tangents(&s->m->normal, &axes[1], &axes[2]);
    for (i = 0; i < s->m->point_count; i++) {
        vsp__v3 p = v3_zero();

        for (j = 0; j < 3; j++) {
            vsp__wide x = s->points[i].multiplier.impulse[j];
            vsp__num speed = w_to_rate(w_mul(x, mass[k]));

            u3_move(&p, r_signed(speed, k == 0), &axes[j]);
        }
        vsp__midpoint_arms(s->world, s->m, s->points + i, arm);
        vsp__apply_impulse(inverse, &solve->velocity[body], &arm[k], &p);
    }
    solve->pass[body].is_loaded = true;
}

/* Applies the impulses of a manifold to the body that the layer fixates. */
static void hand_down(const vsp__manifold_view *s, const vsp__span *layer)
{
    uint32_t k;

    for (k = 0; k < 2; k++)
        if (vsp__is_moved(s->world, s->m->body[k]) &&
            !vsp__is_free(s->world, layer, s->m->body[k]))
            load_body(s, k);
}

void vsp__bear_loads(vsp_world *world, const vsp__span *layer, vsp__num part)
{
    vsp__num load = largest_load(world, layer);
    vsp__manifold_view s;
    uint32_t i;

    if (load > 0)
        solve_load(world, layer, part, load);
    for (i = layer->first; vsp__view_manifold(world, layer, i, &s); i++) {
        add_impulses(world, s.m->first_point, s.m->point_count, false);
        hand_down(&s, layer);
        if (load > 0)
            vsp__copy_multipliers(world, s.m->first_point, vsp__row_points(s.m),
                                  true);
    }
}

void vsp__show_whole_impulses(vsp_world *world)
{
    uint32_t i, k;

    for (i = 0; i < world->contacts[VSP__CONTACTS_SOLVED].point_count; i++)
        for (k = 0; k < 3; k++)
            world->points[i].multiplier.impulse[k] =
                vsp__shock_scratch_of(world)->impulse[i][k];
}

#endif /* VSP_SHOCK */
