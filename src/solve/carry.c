/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The two passes of CARRY.  PREDICT goes up the stack: it predicts the velocity
 * of each body at the end of the step from those of its supports.  CARRY goes
 * down: it sets each body to that velocity, and passes its load to the bodies
 * below, as impulses of the supports.
 *
 * Both weld a body to its supports.  A weld fits a rigid motion to the
 * velocities of the supports, then shares the impulse that this motion needs
 * among them, as a plate shares its load among rivets.  DESIGN.md, section 9.3,
 * has the formulas and the reasons.
 *
 * In this order: supports, the fit, the share of the load, the weld, both
 * passes. */

#include "solve.h"

/* Most tries of a weld.  A try leaves out the points that would have pulled in
 * the one before, or weighs points by their load; more tries do not help. */
#define MAX_WELD_TRIES 5u

/* m/s: a change of velocity that may be a mere rounding error of a load: in
 * fixed point four last places of a rate */
#define TRACE_SPEED VSP__REAL(4e-6)

/* The part of a load by which a weld may be wrong.  A heavy load often goes
 * through the very corner of a body, above and below.  A contact a few
 * micrometres off, or a rounding error, then decides whether another corner
 * would have to pull, perhaps by more than the body weighs. */
#define LOAD_SLACK VSP__UNIT(1e-4)

/* m/s: in fixed point, the largest multiplier of a support: a quarter of the
 * range of rates, as four points may press on one body */
#define MOST_LOAD VSP__RATE(VSP_FIXED ? 2048.0 : 0.0)

typedef enum fit_freedom {             /* motions that the supports leave
                                          free */
                           FREE_NOT,   /* three or more points: none */
                           FREE_HINGE, /* points on a line: rotation about it */
                           FREE_BALL,  /* a single point: rotation */
                           FREE_ALL    /* no point: all */
} fit_freedom;

/* The supports of one body. */
typedef struct body_supports {
    vsp_world *world;
    uint32_t body, count;
    vsp__support *of; /* room for VSP__MAX_SUPPORTS */
    uint32_t rows;    /* rows that welds updated */
} body_supports;

typedef struct support_fit { /* the rigid motion that fits a body's supports */
    vsp__v3 center;          /* weighted mean of the arms, m */
    vsp__num weight;         /* sum of weights; 1 if there is no point */
    vsp__sym3 inv_spread;    /* inverse of sum w (r.r 1 - r r^T), with r from
                                the center */
    vsp__v3 mean;            /* weighted mean of the targets, m/s */
    vsp__v3 hinge;           /* direction of the points' line */
    fit_freedom free;
    vsp__velocity motion; /* motion of the body */
} support_fit;


/* ---- Supports ------------------------------------------------------------ */

/* whether the points of a manifold are supports of a body */
static bool carries_body(const vsp__manifold *m, uint32_t body)
{
    uint32_t lower = vsp__lower_body(m);

    return lower != 0 && !(m->flags & VSP__SWEEP_ONLY) &&
           m->body[2 - lower] == body;
}

/* Computes the impulse that the multipliers x of a point apply to one body,
 * divided by its mass: m/s, in world axes.  side is 0 for a, 1 for b. */
static void row_impulse(const vsp__manifold_view *it, const vsp__num *x,
                        uint32_t side, vsp__v3 *p)
{
    *p = v3(x[0], x[1], x[2]);
    u3_scale_in(p, it->block->share[side]);
    m3_mul_cut_to(&it->block->axes, p,
                  vsp__even_cut(it->world->params.tick, VSP__EVEN_ROWS), p);
}

/* Sets *normal to the normal from the lower body to the upper one. */
static void support_normal(const vsp__manifold *m, vsp__v3 *normal)
{
    *normal = v3_signed(m->normal, vsp__lower_body(m) == 2);
}

/* the component of v along the normal of a support */
static vsp__num along_normal(const vsp_world *world, const vsp__support *s,
                             const vsp__v3 *v)
{
    vsp__v3 normal;

    support_normal(world->manifolds + s->manifold, &normal);
    return u3_dot_at(v, &normal);
}

/* Adds the velocity of the belt at a point, if the contact has one. */
static void add_belt_target(const vsp_world *world, const vsp__manifold *m,
                            const vsp__manifold_point *p, vsp__v3 *target)
{
    vsp__v3 belt;
    uint32_t i;

    vsp__belt_velocity(world, m, &belt);
    for (i = 0; i < 2; i++) {
        vsp__num turn = vsp__belt_turn(world, m, i);

        if (turn != 0)
            vsp__add_belt_turn(world, m, i, turn, &p->arm[i], &belt);
    }
    if (vsp__lower_body(m) == 1)
        v3_sub_in(target, &belt);
    else
        v3_add_in(target, &belt);
}

/* Fills a support from a contact point.  Its target is the predicted velocity
 * of the lower body there, with the bias along the normal.  Its weight is 0, so
 * that it carries nothing, if its gap is wide: it has no impulse, and its bias
 * is far_speed or more. */
static void list_support(const vsp_world *world, const vsp__manifold_view *it,
                         uint32_t point, vsp__num far_speed, vsp__support *s)
{
    const vsp__point_rows *row = it->rows + point;
    const vsp__manifold_point *p = it->points + point;
    const vsp__num *x = p->multiplier.row;
    const vsp__mat3 *axes = &it->block->axes;
    uint32_t low = vsp__lower_body(it->m) - 1u;
    vsp__v3 normal;

    m3_mul_to(axes, row->arm + 1 - low, &s->arm);
    support_normal(it->m, &normal);
    m3_mul_to(axes, row->arm + low, &s->target);
    vsp__point_velocity_of(
        &vsp__solve_of(world)->pass[it->m->body[low]].predicted, &s->target,
        &s->target);
    u3_move(&s->target, -p->bias, &normal);
    if (vsp__has_belts(world))
        add_belt_target(world, it->m, p, &s->target);
    row_impulse(it, x, 1 - low, &s->start_impulse);
    v3_flush_in(&s->target);
    v3_flush_in(&s->start_impulse);
    s->weight = p->bias < far_speed || x[0] > 0 ? VSP__REAL(1.0) : 0;
    s->point = (uint16_t)point;
}

/* Lists the supports of a body, with their present impulses.  Returns whether
 * it has some, and not too many. */
static bool list_supports(body_supports *set)
{
    vsp_world *world = set->world;
    vsp__num far_speed = u_mul(VSP__UNIT(0.75), world->gravity_speed);
    uint32_t most = VSP__SUPPORTS_OF(world->params.capacity.contacts);
    const vsp__link *first = vsp__solve_of(world)->link_first + set->body;
    uint32_t i, j;

    set->count = 0;
    for (i = first[0]; i < first[1]; i++) {
        vsp__manifold_view it;

        vsp__view_by_index(world, VSP__CONTACTS_SOLVED, world->links[i], &it);
        if (!carries_body(it.m, set->body))
            continue;
        if (set->count + it.m->point_count > most)
            return false;
        for (j = 0; j < it.m->point_count; j++) {
            set->of[set->count].manifold = world->links[i];
            list_support(world, &it, j, far_speed, set->of + set->count++);
        }
    }
    return set->count > 0;
}


/* ---- The fit ------------------------------------------------------------- */

/* Computes the direction from the centre to the farthest support with weight
 * above 0; 0 if none is farther than 0.1 mm. */
static void farthest_direction(const body_supports *set, const vsp__v3 *center,
                               vsp__v3 *best)
{
    const vsp__support *s = set->of, *end = s + set->count;
    vsp__square largest = r_square(VSP__REAL(1e-4));

    *best = v3_zero();
    for (; s < end; s++) {
        vsp__v3 r;
        vsp__square square;

        v3_sub_to(&s->arm, center, &r);
        square = v3_product_at(&r, &r);
        if (s->weight > 0 && square > largest) {
            largest = square;
            *best = r;
        }
    }
    if (v3_size_at(best) > 0)
        vsp__v3_normalize(best);
}

/* Inverts the second moment of the supports.  It is singular if they lie on a
 * line, where only the spin across the line is fitted, or at one point, where
 * no spin is. */
static void invert_spread(const body_supports *set, const vsp__s3_sums *sums,
                          support_fit *f)
{
    vsp__sym3 moment;

    vsp__sums_to_s3(sums, &moment);
    f->free = FREE_NOT;
    if (vsp__s3_invert(&moment, 17, &f->inv_spread))
        return;
    farthest_direction(set, &f->center, &f->hinge);
    f->free = v3_size_at(&f->hinge) > 0 ? FREE_HINGE : FREE_BALL;
    if (f->free == FREE_HINGE)
        vsp__s3_across(&f->hinge, &moment, &f->inv_spread);
}

/* Fits a rigid motion to the targets of the supports, by weighted least
 * squares.  complete_fit adds the motions that the supports leave free. */
static void fit_supports(const body_supports *set, support_fit *f)
{
    const vsp__support *s, *end = set->of + set->count;
    vsp__v3 moment = v3_zero();
    vsp__s3_sums sums = {0};

    f->weight = 0;
    f->center = f->mean = moment;
    for (s = set->of; s < end; s++) {
        f->weight = r_add(f->weight, s->weight);
        v3_move(&f->center, s->weight, &s->arm);
        v3_move(&f->mean, s->weight, &s->target);
    }
    f->free = FREE_ALL;
    vsp__s3_clear(&f->inv_spread);
    if (!(f->weight > 0)) {
        f->weight = VSP__REAL(1.0);
        return;
    }
    vsp__v3_divide(&f->center, f->weight);
    vsp__v3_divide(&f->mean, f->weight);
    for (s = set->of; s < end; s++) {
        vsp__v3 r = s->arm, turn;

        v3_sub_in(&r, &f->center);
        vsp__sums_add_point(&sums, s->weight, &r);
        v3_sub_to(&s->target, &f->mean, &turn);
        v3_cross_to(&r, &turn, &turn);
        v3_move(&moment, s->weight, &turn);
    }
    invert_spread(set, &sums, f);
    s3_mul_to(&f->inv_spread, &moment, &f->motion.angular);
}

/* Computes the angular impulse about the fit's centre, divided by the body's
 * mass, that changes the body's motion from *from to the fit's mean at the
 * centre with spin w: m^2/s. */
static void center_torque(const vsp_world *world, uint32_t body,
                          const support_fit *f, const vsp__velocity *from,
                          const vsp__v3 *w, vsp__v3 *torque)
{
    vsp__v3 p, turning;

    v3_cross_to(w, &f->center, &turning);
    v3_sub_to(&f->mean, &turning, &p);
    v3_sub_in(&p, &from->linear);
    v3_cross_to(&f->center, &p, &p);
    v3_sub_to(w, &from->angular, torque);
    vsp__mul_inertia(world, body, torque);
    v3_sub_in(torque, &p);
}

/* Computes the inertia of one kilogram of a body about the fit's centre, m^2,
 * in world axes. */
static void center_inertia(const vsp_world *world, uint32_t body,
                           const support_fit *f, vsp__sym3 *inertia)
{
    vsp__s3_sums sums = {0};

    *inertia = world->bodies[body].mass_data.inertia;
    vsp__s3_rotate(vsp__solve_of(world)->axes + body, inertia);
    vsp__sums_add_s3(&sums, VSP__UNIT(1.0), inertia);
    vsp__sums_add_point(&sums, VSP__REAL(1.0), &f->center);
    vsp__sums_to_s3(&sums, inertia);
}

/* Computes the spin about the line of the supports.  They transmit no torque
 * about the line, so that component of the angular impulse is 0.  The least
 * inertias may vanish in it: then the spin stays. */
static void swing_on_hinge(const vsp_world *world, uint32_t body,
                           support_fit *f, const vsp__velocity *from)
{
    vsp__sym3 inertia;
    vsp__v3 torque;
    vsp__wide about, along;

    center_torque(world, body, f, from, &f->motion.angular, &torque);
    center_inertia(world, body, f, &inertia);
    along = vsp__s3_along(&inertia, &f->hinge);
    if (!w_less(VSP__W_ZERO, along))
        return;
    about = w_div(w_of_rate(r_neg(u3_dot_at(&f->hinge, &torque))), along);
    u3_move(&f->motion.angular, w_to_rate(about), &f->hinge);
}

/* Computes the spin of a body on one point.  The point transmits no torque, so
 * the angular impulse about the centre is 0: the inertia there times w is minus
 * the angular impulse for w = 0. */
static void swing_on_ball(const vsp_world *world, uint32_t body, support_fit *f,
                          const vsp__velocity *from)
{
    vsp__v3 torque, *w = &f->motion.angular;
    vsp__sym3 inertia, inverse;

    *w = v3_zero();
    center_inertia(world, body, f, &inertia);
    if (!vsp__s3_invert(&inertia, 30, &inverse))
        return;
    center_torque(world, body, f, from, w, &torque);
    s3_mul_to(&inverse, &torque, w);
    v3_neg_to(w, w);
}

/* Returns by how many binary places the velocities of a fit may be shifted up
 * so that no angular impulse or spin saturates: all are sums of a speed, a
 * spin, their products with the distance of the centre, and the inertia times a
 * spin. */
static uint32_t fit_room(const vsp_world *world, uint32_t body,
                         const support_fit *f, const vsp__velocity *from)
{
    vsp__num far = r_max(v3_size_at(&f->center), VSP__REAL(1e-3));
    vsp__num spin = r_max(v3_size_at(&from->angular),
                          v3_size_at(&f->motion.angular));
    vsp__num speed = r_max(v3_size_at(&from->linear), v3_size_at(&f->mean));
    vsp__v3 turning;

    speed = r_max(speed, r_mul(far, spin));
    spin = r_max(spin, r_div(speed, far));
    turning = v3(spin, spin, spin);
    vsp__mul_inertia(world, body, &turning);
    return vsp__room_above(
        r_max(r_max(speed, spin),
              r_add(r_mul(far, r_max(speed, spin)), v3_size_at(&turning))));
}

/* Computes the spin of a body on one point as the result of the impulse at the
 * point, which follows from the rounded speed.  So the spin balances the
 * rounding error of the speed. */
static void spin_by_impulse(const vsp_world *world, uint32_t body,
                            support_fit *f, const vsp__velocity *from,
                            uint32_t up)
{
    vsp__velocity v = *from;
    vsp__v3 p;

    v3_sub_to(&f->motion.linear, &from->linear, &p);
    vsp__shift_up_each(&v.linear.x, 6, up); /* and angular */
    vsp__shift_up_each(&p.x, 3, up);
    vsp__apply_impulse(vsp__solve_of(world)->inverse + body, &v, &f->center,
                       &p);
    f->motion.angular = v.angular;
}

/* Rounds a motion that was shifted up back to its format. */
static void round_swing(const vsp_world *world, uint32_t body, support_fit *f,
                        const vsp__velocity *from, uint32_t up)
{
    uint32_t cut = vsp__noise_cut(world->params.tick, VSP__NOISE_SPIN);
    bool is_ball = f->free == FREE_BALL;

    vsp__shift_down_each(&f->motion.linear.x, 3, up,
                         is_ball ? VSP__NEAREST : cut);
    if (VSP_FIXED && is_ball)
        spin_by_impulse(world, body, f, from, up);
    vsp__shift_down_each(&f->motion.angular.x, 3, up, cut);
}

/* Completes the fit by the motions that the supports leave free, in which no
 * impulse acts on the body.  Such a motion starts slowly, so it is computed
 * with all binary places that do not saturate, and rounded by a cut. */
static void complete_fit(const vsp_world *world, uint32_t body, support_fit *f,
                         const vsp__velocity *from)
{
    bool is_free = f->free != FREE_NOT;
    vsp__v3 mean = f->mean, turning;
    vsp__velocity start = *from;
    uint32_t up = 0;

    if (f->free == FREE_ALL) { /* motion is not set yet */
        f->motion = *from;
        return;
    }
    if (VSP_FIXED && is_free)
        up = fit_room(world, body, f, from);
    vsp__shift_up_each(&start.linear.x, 6, up); /* and angular */
    vsp__shift_up_each(&f->mean.x, 3, up);
    vsp__shift_up_each(&f->motion.angular.x, 3, up);
    if (f->free == FREE_HINGE)
        swing_on_hinge(world, body, f, &start);
    if (f->free == FREE_BALL)
        swing_on_ball(world, body, f, &start);
    v3_cross_to(&f->motion.angular, &f->center, &turning);
    f->motion.linear = f->mean;
    v3_sub_in(&f->motion.linear, &turning);
    f->mean = mean;
    if (VSP_FIXED && is_free)
        round_swing(world, body, f, from, up);
    vsp__flush_each(&f->motion.linear, 6);
}

/* Whether the fitted motion satisfies each support: one with weight above 0
 * must have its target velocity, within slack, m/s; others must not
 * approach. */
static bool fits_all_supports(const body_supports *set, const support_fit *f,
                              vsp__num slack)
{
    const vsp__support *s = set->of, *end = s + set->count;

    for (; s < end; s++) {
        vsp__v3 off;

        vsp__point_velocity_of(&f->motion, &s->arm, &off);
        v3_sub_in(&off, &s->target);
        if (s->weight > 0 ? v3_size_at(&off) > slack
                          : along_normal(set->world, s, &off) <
                                u_mul(VSP__UNIT(-0.005), slack))
            return false;
    }
    return true;
}


/* ---- The share of the load ----------------------------------------------- */

/* Shares the impulse that changes the body's velocity from *from to the fitted
 * motion.  Each support starts from its start_impulse, and gets a part of the
 * linear impulse by its weight, and a part of the angular impulse by its weight
 * and its distance from the centre.  Returns the largest component, m/s. */
static vsp__num share_impulse(const body_supports *set, const support_fit *f,
                              const vsp__velocity *from)
{
    vsp__support *s = set->of, *end = s + set->count;
    vsp__num largest = 0;
    vsp__v3 even, bend;

    v3_sub_to(&f->motion.linear, &from->linear, &even);
    vsp__v3_divide(&even, f->weight);
    center_torque(set->world, set->body, f, from, &f->motion.angular, &bend);
    s3_mul_to(&f->inv_spread, &bend, &bend);
    for (; s < end; s++) {
        vsp__v3 r;

        v3_sub_to(&s->arm, &f->center, &r);
        v3_cross_to(&bend, &r, &r);
        v3_add_in(&r, &even);
        s->impulse = s->start_impulse;
        v3_move(&s->impulse, s->weight, &r);
        v3_flush_in(&s->impulse);
        largest = r_max(largest, v3_size_at(&s->impulse));
    }
    return largest;
}

typedef enum load_verdict { /* result of judge_load */
                            LOAD_OK,
                            LOAD_PULLS, /* a normal impulse was negative: that
                                           support has weight 0 now */
                            LOAD_SLIPS  /* an impulse is outside its friction
                                           cone */
} load_verdict;

/* Splits the impulse of a support.  Returns its normal component, and sets *t
 * to the tangential one. */
static VSP__CALLED vsp__num part_impulse(const vsp_world *world,
                                         const vsp__support *s, vsp__v3 *normal,
                                         vsp__v3 *t)
{
    vsp__num n;

    support_normal(world->manifolds + s->manifold, normal);
    *t = s->impulse;
    n = u3_dot_at(t, normal);
    u3_move(t, r_neg(n), normal);
    return n;
}

/* Compares the impulse of each support with its friction cone.  Supports that
 * would pull get weight 0; those that would pull by less than slack, m/s, get
 * impulse 0. */
static load_verdict judge_load(const body_supports *set, vsp__num slack)
{
    vsp__support *s = set->of, *end = s + set->count;
    load_verdict v = LOAD_OK;

    for (; s < end; s++) {
        vsp__v3 t, normal;
        vsp__num n, limit;

        if (!(s->weight > 0))
            continue;
        n = part_impulse(set->world, s, &normal, &t);
        if (n < -slack) {
            s->weight = 0;
            v = LOAD_PULLS;
        } else if (n < 0) {
            s->impulse = v3_zero();
        }
        limit = r_add(
            r_mul(set->world->manifolds[s->manifold].friction, r_max(n, 0)),
            slack);
        if (v == LOAD_OK && v3_product_at(&t, &t) > r_square(limit))
            v = LOAD_SLIPS;
    }
    return v;
}

/* Weighs each support by its normal impulse; the largest weight is 1.  The
 * fit's centre becomes the centre of pressure, and tangential impulses are
 * shared in proportion to the load. */
static void weigh_by_load(const body_supports *set)
{
    vsp__support *s, *end = set->of + set->count;
    vsp__num largest = 0;

    for (s = set->of; s < end; s++)
        if (s->weight > 0)
            largest = r_max(largest, along_normal(set->world, s, &s->impulse));
    if (!(largest > 0))
        return;
    for (s = set->of; s < end; s++)
        if (s->weight > 0)
            s->weight = r_max(
                r_div(along_normal(set->world, s, &s->impulse), largest),
                VSP__REAL(0.0001));
}

/* Sets the multipliers x of a point so that they change the velocity of a body
 * with this share of the mass by `to`, in the axes of the block.  Returns the
 * changes of x in change[]. */
static void set_row(vsp__num *x, const vsp__v3 *to, vsp__num share,
                    vsp__num *change)
{
    const vsp__num *part = &to->x;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        vsp__num before = x[k];

        x[k] = u_div(part[k], share);
        change[k] = r_sub(x[k], before);
    }
}

/* In fixed point, limits the multipliers of the supports to MOST_LOAD.  All of
 * a body's impulses shrink by the same part: if each one saturated by itself,
 * or the velocity and the spin of a body below, the load would press elsewhere.
 */
static void limit_load(const body_supports *set)
{
    vsp__support *s = set->of, *end = s + set->count;
    vsp__num part = VSP__UNIT(1.0);

    for (; s < end; s++) {
        vsp__num size = v3_size_at(&s->impulse), most;
        vsp__manifold_view it;

        vsp__view_by_index(set->world, VSP__CONTACTS_SOLVED, s->manifold, &it);
        most = u_mul(MOST_LOAD,
                     r_abs(it.block->share[2u - vsp__lower_body(it.m)]));
        if (size > most)
            part = r_min(part, u_div(most, size));
    }
    if (part == VSP__UNIT(1.0))
        return;
    for (s = set->of; s < end; s++)
        u3_scale_in(&s->impulse, part);
}

/* Workers keep the changes of a body's supports, and whether there are some,
 * until all bodies of its layer are done. */
#if VSP_WORKERS

static vsp__support *supports_of_piece(const vsp_world *world, uint32_t piece)
{
    return (vsp__support *)(void *)vsp__crew_of(world)->supports[piece];
}

static void keep_change(const vsp__manifold_view *it, uint32_t point,
                        const vsp__num change[3])
{
    vsp__num *kept =
        vsp__crew_of(it->world)->changes[it->m->first_point + point];
    uint32_t k;

    for (k = 0; k < 3; k++)
        kept[k] = change[k];
}

static void keep_loaded(const vsp_world *world, uint32_t body, bool is_loaded)
{
    vsp__crew_of(world)->after[body] = is_loaded;
}

#else

static vsp__support *supports_of_piece(const vsp_world *world, uint32_t piece)
{
    (void)piece;
    return vsp__supports_of(world);
}

static void keep_change(const vsp__manifold_view *it, uint32_t point,
                        const vsp__num change[3])
{
    (void)it;
    (void)point;
    (void)change;
}

static void keep_loaded(const vsp_world *world, uint32_t body, bool is_loaded)
{
    (void)world;
    (void)body;
    (void)is_loaded;
}

#endif

/* Applies the change of a support's multipliers to the lower body, as load from
 * above. */
static void press_below(const vsp__manifold_view *it, uint32_t point,
                        const vsp__num change[3])
{
    vsp__solver_scratch *solve = vsp__solve_of(it->world);
    uint32_t low = vsp__lower_body(it->m) - 1u, below = it->m->body[low];
    vsp__v3 p, arm;

    if (!vsp__is_moved(it->world, below))
        return;
    row_impulse(it, change, low, &p);
    m3_mul_to(&it->block->axes, &it->rows[point].arm[low], &arm);
    vsp__apply_impulse(solve->inverse + below, solve->velocity + below, &arm,
                       &p);
}

/* Stores the impulses of the supports as multipliers, and applies or keeps
 * their changes. */
static void commit_load(const body_supports *set)
{
    const vsp__support *s = set->of, *end = s + set->count;

    if (VSP_FIXED)
        limit_load(set);
    for (; s < end; s++) {
        vsp__num change[3];
        vsp__v3 t;
        vsp__manifold_view it;

        vsp__view_by_index(set->world, VSP__CONTACTS_SOLVED, s->manifold, &it);
        t = m3_tmul_cut(
            &it.block->axes, s->impulse,
            vsp__noise_cut(set->world->params.tick, VSP__NOISE_LOAD));
        set_row(it.points[s->point].multiplier.row, &t,
                it.block->share[2u - vsp__lower_body(it.m)], change);
        if (vsp__has_workers(set->world))
            keep_change(&it, s->point, change);
        else
            press_below(&it, s->point, change);
    }
}

/* Removes the impulses of the supports from the velocity of the body, so that
 * they start from 0. */
static void unload_supports(const body_supports *set, vsp__velocity *v)
{
    vsp__support *s = set->of, *end = s + set->count;

    for (; s < end; s++) {
        vsp__v3 p;

        v3_neg_to(&s->start_impulse, &p);
        vsp__apply_impulse(vsp__solve_of(set->world)->inverse + set->body, v,
                           &s->arm, &p);
        s->start_impulse = v3_zero();
    }
}

/* whether a support with weight 0 has an impulse */
static bool has_idle_load(const body_supports *set)
{
    uint32_t i;

    for (i = 0; i < set->count; i++) {
        const vsp__support *s = set->of + i;

        if (!(s->weight > 0) && v3_size_at(&s->start_impulse) > 0)
            return true;
    }
    return false;
}


/* ---- The weld ------------------------------------------------------------ */

/* Welds a body with the velocity *from to its listed supports: fits the motion
 * and shares the load.  Tries again without supports that would pull and, if
 * friction is too small somewhere, once with weights by load.  Returns false if
 * no try succeeds; the impulses are then those of the last try. */
static bool weld_to_supports(body_supports *set, uint32_t tries,
                             const vsp__velocity *from, support_fit *f)
{
    vsp__num slack = r_mul(VSP__REAL(2.0), set->world->gravity_speed);
    bool is_weighed = false;

    while (tries-- > 0) {
        vsp__num load;
        load_verdict v;

        fit_supports(set, f);
        complete_fit(set->world, set->body, f, from);
        load = r_max(share_impulse(set, f, from), set->world->gravity_speed);
        set->rows += 3u * set->count;
        if (!fits_all_supports(set, f, slack))
            return false;
        v = judge_load(set, u_mul(LOAD_SLACK, load));
        if (v == LOAD_OK)
            return true;
        if (v == LOAD_SLIPS) {
            if (is_weighed)
                return false;
            weigh_by_load(set);
            is_weighed = true;
        }
    }
    return false;
}

/* After the last try of a weld failed: clamps its impulses to their cones and
 * applies them to the velocity of the body.  Pulling impulses become 0, and the
 * others shrink so that the sum of normal impulses stays the same. */
static void bear_within_cones(const body_supports *set, vsp__velocity *v)
{
    vsp__support *s = set->of, *end = s + set->count;
    vsp__num net = 0, pushed = 0, part = VSP__UNIT(1.0);

    for (; s < end; s++) {
        vsp__num n = along_normal(set->world, s, &s->impulse);

        net = r_add(net, n);
        pushed = r_add(pushed, r_max(n, 0));
    }
    if (net < pushed)
        part = net > 0 ? u_div(net, pushed) : 0;
    for (s = set->of; s < end; s++) {
        vsp__v3 t, normal;
        vsp__num n = part_impulse(set->world, s, &normal, &t), limit, size;
        vsp__square square;

        n = u_mul(part, r_max(n, 0));
        limit = r_mul(set->world->manifolds[s->manifold].friction, n);
        square = v3_product_at(&t, &t);
        size = vsp__square_root(square); /* 0 if t is tiny */
        if (size > 0 && square > r_square(limit))
            u3_scale_in(&t, u_div(limit, size));
        u3_move(&t, n, &normal);
        s->impulse = t;
        vsp__apply_impulse(vsp__solve_of(set->world)->inverse + set->body, v,
                           &s->arm, &t);
    }
}


/* ---- The passes ---------------------------------------------------------- */

/* Whether a body is welded: it has no joints. */
static bool is_welded(const vsp_world *world, uint32_t body)
{
    return !vsp__has_joints(world, body);
}

/* Whether a body was at rest, its supports are predicted to be at rest, and
 * their contacts have at least this friction, no bias, and at least this many
 * points.  A weld would keep it at rest. */
static bool rests_on_supports(const vsp_world *world, uint32_t body,
                              vsp__num friction, uint32_t points)
{
    const vsp__link *first = vsp__solve_of(world)->link_first + body;
    const vsp__body_pass *pass = vsp__solve_of(world)->pass;
    uint32_t i, j, count = 0;

    if (vsp__has_belts(world) || !vsp__is_at_rest(world->bodies + body))
        return false;
    for (i = first[0]; i < first[1]; i++) {
        const vsp__manifold *m = world->manifolds + world->links[i];
        uint32_t low = m->body[vsp__lower_body(m) == 2 ? 1 : 0];

        if (!carries_body(m, body))
            continue;
        if (m->friction < friction ||
            !vsp__are_zero(&pass[low].predicted.linear.x, 6))
            return false;
        for (j = 0; j < m->point_count; j++)
            if (world->points[m->first_point + j].bias != 0)
                return false;
        count += m->point_count;
    }
    return count >= points;
}

/* Whether a change of velocity only presses a body onto its supports, or lifts
 * it: then the body does not begin to tip or roll. */
static bool is_pressed(const vsp_world *world, uint32_t body,
                       const vsp__velocity *change)
{
    const vsp__link *first = vsp__solve_of(world)->link_first + body;
    uint32_t i;

    for (i = first[0]; i < first[1]; i++) {
        const vsp__manifold *m = world->manifolds + world->links[i];
        vsp__v3 across = change->linear;

        u3_move(&across, r_neg(u3_dot_at(&across, &m->normal)), &m->normal);
        if (carries_body(m, body) && !vsp__are_three_zero(&across.x))
            return false;
    }
    return vsp__are_three_zero(&change->angular.x);
}

/* Whether friction holds a body against a change by TRACE_SPEED: it rests, and
 * the caller applies no force or torque. */
static bool is_held_by_friction(const vsp_world *world, uint32_t body,
                                const vsp__velocity *change)
{
    const vsp__body *b = world->bodies + body;

    if (vsp__words_differ(&b->force, NULL, 2u * VSP__WORDS(vsp__wide3)))
        return false;
    return rests_on_supports(world, body, VSP__GRIP_FRICTION,
                             VSP__GRIP_POINTS) ||
           (is_pressed(world, body, change) &&
            rests_on_supports(world, body, VSP__GRIP_FRICTION, 0));
}

/* Predicts the velocity of a body under its own weight from those of the bodies
 * below.  It moves with its supports if they do not lie on a line, and falls if
 * all have weight 0.  A body on an edge or a point, or one whose weld fails, is
 * predicted to keep its velocity, because its motion depends on the bodies that
 * lean on it. */
static void predict_body(body_supports *set)
{
    vsp_world *world = set->world;
    uint32_t body = set->body, i;
    vsp__velocity *v = &vsp__solve_of(world)->pass[body].predicted, from;
    support_fit f;

    if (!is_welded(world, body))
        return;
    vsp__get_velocity(world->bodies + body, v);
    if (rests_on_supports(world, body, 0, 0) || !list_supports(set))
        return;
    from = *v;
    vsp__add_forces(world, body, world->params.dt, &from);
    for (i = 0; i < set->count; i++)
        set->of[i].start_impulse = v3_zero();
    if (weld_to_supports(set, MAX_WELD_TRIES, &from, &f) &&
        (f.free == FREE_NOT || f.free == FREE_ALL))
        *v = f.motion;
}

/* Whether the supports are points of two shapes, one of which has materials
 * that differ in friction here. */
static bool has_mixed_friction(const body_supports *set)
{
    const vsp__support *s = set->of;
    const vsp__manifold *all = set->world->manifolds, *m = all + s->manifold;
    bool is_mixed = false;
    uint32_t i;

    for (i = 1; VSP_MATERIALS && i < set->count; i++) {
        const vsp__manifold *k = all + s[i].manifold;

        if (k->shape[0] != m->shape[0] || k->shape[1] != m->shape[1])
            return false;
        is_mixed = is_mixed || k->friction != m->friction;
    }
    return is_mixed;
}

/* Adds the friction of supports that slide to their impulses and to the motion,
 * but not more than would stop them. */
static void rub_supports(const body_supports *set, vsp__velocity *motion)
{
    vsp__support *s = set->of, *end = s + set->count;
    vsp__velocity before = *motion;

    for (; s < end; s++) {
        vsp__v3 normal, slip, t;
        vsp__num n = part_impulse(set->world, s, &normal, &t), size, most;

        vsp__point_velocity_of(&before, &s->arm, &slip);
        v3_sub_in(&slip, &s->target);
        u3_move(&slip, r_neg(u3_dot_at(&normal, &slip)), &normal);
        v3_flush_in(&slip);
        size = v3_length_at(&slip);
        most = r_mul(set->world->manifolds[s->manifold].friction, r_max(n, 0));
        most = r_min(most, r_div(size, r_from_int((int32_t)set->count)));
        if (!(most > 0))
            continue;
        u3_scale_in(&slip, r_neg(u_div(most, size)));
        v3_add_in(&s->impulse, &slip);
        vsp__apply_impulse(vsp__solve_of(set->world)->inverse + set->body,
                           motion, &s->arm, &slip);
    }
}

/* Shares the load of a body that slides over supports with different friction,
 * as if there were no friction: along the normals.  A weld would stop the body,
 * whose load would then be on its front.  With one coefficient of friction the
 * sum of friction is the same wherever the load is; with two it is not.
 * Returns whether it succeeds. */
static bool weld_sliding(body_supports *set, const vsp__velocity *from,
                         support_fit *f)
{
    vsp__support *s = set->of, *end;

    (void)list_supports(set);
    for (end = s + set->count; s < end; s++) {
        vsp__v3 v, normal;

        support_normal(set->world->manifolds + s->manifold, &normal);
        vsp__point_velocity_of(from, &s->arm, &v);
        u3_move(&v,
                r_sub(u3_dot_at(&normal, &s->target), u3_dot_at(&normal, &v)),
                &normal);
        v3_flush_in(&v);
        s->target = v;
        s->start_impulse = v3_zero();
    }
    if (!weld_to_supports(set, MAX_WELD_TRIES, from, f))
        return false;
    (void)list_supports(set); /* with the targets again */
    rub_supports(set, &f->motion);
    return true;
}

/* Welds a body to its supports, which move as predicted, under its load: its
 * weight, and the impulses from bodies above.  The first try, ADD, adds to the
 * present impulses; the next ones, ANEW, start from 0.  If none succeeds, PART:
 * the supports get as much of the load as their cones allow, and sweeps do the
 * rest; with mixed friction weld_sliding instead.  A body that friction holds
 * needs no weld if its load changes its velocity by at most `trace`.  Returns
 * whether loads of supports changed. */
static bool carry_body(body_supports *set)
{
    vsp_world *world = set->world;
    vsp__velocity *v = vsp__solve_of(world)->velocity + set->body, from = *v;
    const vsp__velocity *predicted =
        &vsp__solve_of(world)->pass[set->body].predicted;
    vsp__num trace = r_min(TRACE_SPEED,
                           u_mul(VSP__LEAST_PULL, world->gravity_speed));
    bool is_held;
    support_fit f;

    if (!is_welded(world, set->body))
        return false;
    if (!vsp__has_velocity_changed(&from, predicted, trace) &&
        is_held_by_friction(world, set->body, &from)) {
        *v = *predicted;
        return false;
    }
    if (!list_supports(set))
        return false;
    is_held = !has_idle_load(set) && weld_to_supports(set, 1, &from, &f);
    if (!is_held) {
        (void)list_supports(set);
        unload_supports(set, &from);
        is_held = weld_to_supports(set, MAX_WELD_TRIES, &from, &f);
    }
    if (!is_held && has_mixed_friction(set)) {
        if (!weld_sliding(set, &from, &f))
            return false;
    } else if (!is_held) {
        bear_within_cones(set, &from);
        f.motion = from;
    }
    commit_load(set);
    *v = f.motion;
    return true;
}

/* Applies the kept changes of a body's supports to the bodies below. */
#if VSP_WORKERS
static void press_supports(vsp_world *world, uint32_t body)
{
    const vsp__link *first = vsp__solve_of(world)->link_first + body;
    uint32_t i, j;

    for (i = first[0]; i < first[1]; i++) {
        vsp__manifold_view it;

        vsp__view_by_index(world, VSP__CONTACTS_SOLVED, world->links[i], &it);
        for (j = 0; carries_body(it.m, body) && j < it.m->point_count; j++)
            press_below(&it, j,
                        vsp__crew_of(world)->changes[it.m->first_point + j]);
    }
}

/* The same for all bodies of layer k, the last one first. */
static void press_layer(vsp_world *world, uint32_t k)
{
    const vsp__solver_scratch *solve = vsp__solve_of(world);
    uint32_t i;

    for (i = solve->layer_bodies[k + 1u]; i-- > solve->layer_bodies[k];)
        if (vsp__crew_of(world)->after[solve->stack_order[i]])
            press_supports(world, solve->stack_order[i]);
}
#else
static void press_layer(vsp_world *world, uint32_t k)
{
    (void)world;
    (void)k;
}
#endif

/* A pass over the bodies of a layer, or of all layers, in stack_order. */
typedef struct pass_work {
    vsp_world *world;
    uint32_t first; /* of the layer */
    vsp__sums rows;
} pass_work;

static void start_pass(vsp_world *world, pass_work *job)
{
    job->world = world;
    job->first = 0;
    vsp__clear_sums(&job->rows);
}

static void end_pass(const pass_work *job)
{
    job->world->stats.row_updates += vsp__sum_of_all(&job->rows);
}

static void start_set(const pass_work *job, uint32_t piece, body_supports *set)
{
    set->world = job->world;
    set->of = supports_of_piece(job->world, piece);
    set->rows = 0;
}

/* A vsp__do_piece: predicts bodies. */
static void predict_piece(void *work, uint32_t piece, uint32_t first,
                          uint32_t last)
{
    pass_work *job = (pass_work *)work;
    const uint16_t *order = vsp__solve_of(job->world)->stack_order + job->first;
    body_supports set;

    start_set(job, piece, &set);
    for (; first < last; first++) {
        set.body = order[first];
        predict_body(&set);
    }
    job->rows.of[piece] += set.rows;
}

/* A vsp__do_piece: carries bodies, the last one first. */
static void carry_piece(void *work, uint32_t piece, uint32_t first,
                        uint32_t last)
{
    pass_work *job = (pass_work *)work;
    const uint16_t *order = vsp__solve_of(job->world)->stack_order + job->first;
    body_supports set;

    start_set(job, piece, &set);
    while (last-- > first) {
        bool is_loaded;

        set.body = order[last];
        is_loaded = carry_body(&set);
        if (vsp__has_workers(job->world))
            keep_loaded(job->world, set.body, is_loaded);
    }
    job->rows.of[piece] += set.rows;
}

/* Bodies that are worth a piece of work. */
#define LEAST_PASSED VSP__LEAST(8u)

/* Begins layer k.  Returns the number of its bodies. */
static uint32_t begin_layer(pass_work *job, uint32_t k)
{
    const vsp__link *first = vsp__solve_of(job->world)->layer_bodies + k;

    job->first = first[0];
    return (uint32_t)first[1] - first[0];
}

/* The bodies of a layer stand on lower layers alone, so workers predict them at
 * the same time. */
void vsp__predict_velocities(vsp_world *world)
{
    vsp__solver_scratch *solve = vsp__solve_of(world);
    uint32_t i;
    pass_work job;

    if (!VSP_CARRY)
        return;
    for (i = 0; i < world->body_limit; i++)
        solve->pass[i].predicted = solve->velocity[i];
    start_pass(world, &job);
    if (!vsp__has_workers(world))
        predict_piece(&job, 0, 0, solve->layer_bodies[world->layer_count]);
    for (i = 0; vsp__has_workers(world) && i < world->layer_count; i++)
        vsp__share_work(world, predict_piece, &job, begin_layer(&job, i),
                        LEAST_PASSED);
    end_pass(&job);
}

/* Workers carry the bodies of a layer at the same time, and keep the loads.
 * These then press on the bodies below in the order of a step without workers:
 * from the last body to the first. */
void vsp__carry_loads(vsp_world *world)
{
    uint32_t i;
    pass_work job;

    if (!VSP_CARRY)
        return;
    start_pass(world, &job);
    if (!vsp__has_workers(world))
        carry_piece(&job, 0, 0,
                    vsp__solve_of(world)->layer_bodies[world->layer_count]);
    for (i = vsp__has_workers(world) ? world->layer_count : 0; i-- > 0;) {
        vsp__share_work(world, carry_piece, &job, begin_layer(&job, i),
                        LEAST_PASSED);
        press_layer(world, i);
    }
    end_pass(&job);
}
