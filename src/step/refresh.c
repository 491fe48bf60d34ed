/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Contacts after a move: gaps are measured again, and whether a second
 * detection is needed. */

#include "step.h"


/* ---- Gaps ---------------------------------------------------------------- */

/* Computes the present pose of a shape, with the axes of the solve. */
static VSP__CALLED void pose_in_solve(const vsp_world *world, uint32_t slot,
                                      vsp__pose *pose)
{
    uint32_t body = world->shapes[slot].body;

    pose->position = world->bodies[body].position;
    pose->axes = vsp__solve_of(world)->axes[body];
    vsp__shape_pose(world, slot, pose);
}

/* Whether other points of a shape touch when it has turned. */
static bool does_roll(const vsp_world *world, uint32_t slot)
{
    const vsp__shape *shape = world->shapes + slot;

    return vsp__is_round(shape) || vsp__is_revolved(shape);
}

/* Detects the points of a pair with a round shape again.  Returns false, and
 * changes nothing, if the points have other features. */
static bool refresh_round_points(vsp_world *world, uint32_t list,
                                 vsp__manifold *m)
{
    const vsp__mat3 *axes = vsp__solve_of(world)->axes;
    vsp__pose pose[2];
    vsp__placed_shape a, b;
    uint32_t i;
    vsp__touch t;

    for (i = 0; i < 2; i++)
        pose_in_solve(world, m->shape[i], &pose[i]);
    a = vsp__place_solid(world->shapes + m->shape[0], &pose[0]);
    b = vsp__place_solid(world->shapes + m->shape[1], &pose[1]);
    VSP__SET_WORK(&t, world->part_limit);
    if (!vsp__touch_solids(world, &a, &b, &t) || t.count != m->point_count)
        return false;
    for (i = 0; i < t.count; i++)
        if (t.points[i].feature != m->feature[i])
            return false;
    m->normal = t.normal;
    v3_flush_in(&m->normal);
    vsp__set_manifold_points(world, m, &t, axes + m->body[0], axes + m->body[1],
                             vsp__points_of(world, list) + m->first_point);
    return true;
}

/* Returns the present gap of a point along the old normal, m. */
static vsp__num measure_gap(const vsp_world *world, const vsp__manifold *m,
                            const vsp__manifold_point *point)
{
    vsp__v3 d, a, b;

    vsp__arms_at_point(world, m, point, &d, &a, &b);
    v3_sub_in(&b, &a);
    v3_add_in(&d, &b);
    v3_flush_in(&d);
    return vsp__flushed_dot(&m->normal, &d);
}

/* Measures the point of a sphere that rolls on a shape with parts.  After a
 * rotation the lowest point of the sphere is a different one, and so is the
 * point of the other shape below it. */
static void refresh_rolling_point(vsp_world *world, vsp__manifold *m,
                                  vsp__manifold_point *point)
{
    vsp__v3 on = m->normal, center, d, a, b;

    u3_scale_in(&on, r_neg(world->shapes[m->shape[1]].size.x));
    vsp__shape_arm(world, m->shape[1], &center);
    vsp__body_arm(vsp__solve_of(world)->axes + m->body[1], &center, &on,
                  &point->arm[1]);
    point->gap = measure_gap(world, m, point);
    vsp__arms_at_point(world, m, point, &d, &a, &b);
    v3_add_in(&d, &b);
    u3_move(&d, r_neg(point->gap), &m->normal);
    v3_flush_in(&d);
    vsp__m3_tmul_flushed(vsp__solve_of(world)->axes + m->body[0], &d);
    point->arm[0] = d;
}

void vsp__refresh_manifold(vsp_world *world, uint32_t list, uint32_t manifold)
{
    vsp__manifold *m = vsp__manifolds_of(world, list) + manifold;
    vsp__manifold_point *point = vsp__points_of(world, list) + m->first_point;
    uint32_t i;
    bool is_of_parts = vsp__has_parts(world, vsp__pair_key(m));

    if ((!VSP_CARRY && !VSP_SHOCK && !VSP_SUBSPACE) || (m->flags & VSP__SEAM))
        return;
    if (!is_of_parts &&
        (does_roll(world, m->shape[0]) || does_roll(world, m->shape[1])) &&
        refresh_round_points(world, list, m))
        return;
    for (i = 0; i < m->point_count; i++, point++) {
        if (is_of_parts && world->shapes[m->shape[1]].type == VSP_SHAPE_SPHERE)
            refresh_rolling_point(world, m, point);
        else
            point->gap = measure_gap(world, m, point);
    }
}


/* ---- The second detection ------------------------------------------------ */

/* Whether no point of a shape moved farther than an eighth of the envelope
 * along any axis since the move began. */
static bool has_barely_moved(const vsp_world *world, uint32_t slot)
{
    vsp__num far = u_mul(VSP__UNIT(0.125), world->params.envelope);
    const vsp__shape *shape = world->shapes + slot;
    vsp__pose from = vsp__problem_of(world)->position.of.before[shape->body],
              way;
    vsp__v3 d, middle, half;
    uint32_t i;

    vsp__shape_pose(world, slot, &from);
    pose_in_solve(world, slot, &way);
    v3_sub_to(&way.position, &from.position, &d);
    v3_abs_in(&d);
    if (shape->type == VSP_SHAPE_SPHERE || v3_size_at(&d) > far)
        return v3_size_at(&d) <= far;
    for (i = 0; i < 3; i++)
        v3_sub_in(way.axes.axis + i, from.axes.axis + i);
    vsp__shape_box(world, shape, &middle, &half);
    v3_abs_in(&middle);
    v3_add_in(&half, &middle);
    vsp__add_extent(&way.axes, &half, &d);
    return v3_size_at(&d) <= far;
}

typedef struct move_check { /* how far bodies moved, and what follows */
    vsp_world *world;
    bool is_corrected; /* positions were corrected since the solve */
    vsp__sums moved;   /* bodies that moved by too much */
} move_check;

/* A vsp__do_piece of mark_still_manifolds. */
static void mark_piece(void *work, uint32_t piece, uint32_t first,
                       uint32_t last)
{
    const move_check *job = (const move_check *)work;
    vsp_world *world = job->world;
    const vsp__body_pass *pass = vsp__solve_of(world)->pass;

    (void)piece;
    for (; first < last; first++) {
        vsp__manifold *m = world->manifolds + first;

        if (pass[m->body[0]].has_moved || pass[m->body[1]].has_moved ||
            does_roll(world, m->shape[0]) || does_roll(world, m->shape[1]))
            continue;
        m->flags |= VSP__STILL;
        if (job->is_corrected)
            vsp__refresh_manifold(world, VSP__CONTACTS_SOLVED, first);
    }
}

/* Manifolds that are worth a piece of work. */
#define LEAST_MARKED VSP__LEAST(64u)

/* Flags the manifolds of the solved list whose bodies hardly moved, and
 * measures them again if positions were corrected since. */
static void mark_still_manifolds(vsp_world *world, bool is_corrected)
{
    move_check job;

    job.world = world;
    job.is_corrected = is_corrected;
    vsp__share_work(world, mark_piece, &job,
                    world->contacts[VSP__CONTACTS_SOLVED].manifold_count,
                    LEAST_MARKED);
}

/* Whether a shape of a body moved too far for its manifolds to be still. */
static bool has_body_moved(const vsp_world *world, uint32_t body)
{
    const vsp__body *b = world->bodies + body;
    uint32_t slot = b->first_shape;

    if (!vsp__is_awake(b) && b->type != (uint32_t)VSP_KINEMATIC + 1u)
        return false;
    for (; slot != 0; slot = world->shapes[slot - 1u].next_shape)
        if (!vsp__is_bounded(world->shapes + slot - 1u) ||
            !has_barely_moved(world, slot - 1u))
            return true;
    return false;
}

/* A vsp__do_piece: notes which bodies moved too far. */
static void note_piece(void *work, uint32_t piece, uint32_t first,
                       uint32_t last)
{
    move_check *job = (move_check *)work;
    vsp__body_pass *pass = vsp__solve_of(job->world)->pass;

    for (; first < last; first++) {
        pass[first].has_moved = has_body_moved(job->world, first);
        job->moved.of[piece] += pass[first].has_moved;
    }
}

/* Bodies that are worth a piece of work. */
#define LEAST_NOTED VSP__LEAST(64u)

bool vsp__needs_detection_again(vsp_world *world, bool is_corrected)
{
    move_check job;

    if (!VSP_CARRY && !VSP_SUBSPACE)
        return true;
    job.world = world;
    vsp__clear_sums(&job.moved);
    vsp__share_work(world, note_piece, &job, world->body_limit, LEAST_NOTED);
    if (!is_corrected && vsp__sum_of_all(&job.moved) == 0)
        return false;
    mark_still_manifolds(world, is_corrected);
    return true;
}
