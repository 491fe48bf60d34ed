/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Bodies in a step.  In this order: the strain of joints, M^-1 of eq. 17,
 * velocities, forces of eq. 18-19, then the move of eq. 24-26. */

#include "solve.h"


/* ---- Strain of joints -----------------------------------------------------
 * A light body between two strong pulls vibrates like a string, too fast for a
 * step, and gains energy.  By Gershgorin, pulls T at arms r give it a frequency
 * w with w^2 I <= sum T r; a step is stable up to (w dt)^2 = 4.  With sum T dt
 * r dt added to I, about every axis, (w dt)^2 is at most 1, so T may grow
 * within the step.  Geometric stiffness: Andrews, Teichmann, Kry 2017.
 *
 * A body that a spring turns about a fixed anchor is no string: nothing pulls
 * at its other end, and its strain would only slow the spring. */

/* sum of the strains of a body's joints, kg m^2 */
static vsp__wide strain_of(const vsp_world *world, uint32_t body)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t link = pool->first[body];
    vsp__wide sum = VSP__W_ZERO;

    if (vsp__is_sprung(world, body))
        return sum;
    for (; link != 0; link = pool->next[link - 1u])
        sum = w_add(
            sum,
            vsp__step_joints_of(pool)[(link - 1u) / 2].strain[(link - 1u) % 2]);
    return sum;
}

#if VSP_JOINTS

vsp__step_joint *vsp__step_joint_at(const vsp_world *world, uint32_t slot)
{
    return vsp__step_joints_of(vsp__joint_pool_of(world)) + slot;
}

/* Computes the strain that a joint adds to both bodies: T dt r dt, where T dt
 * is at least `least`, N s. */
static void find_joint_strains(vsp_world *world, uint32_t slot, vsp__wide least)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    const vsp__joint *j = pool->joints + slot;
    vsp__wide pull = vsp__anchor_pull(j);
    uint32_t k;

    if (w_less(pull, least))
        pull = least;
    pull = w_mul(pull, w_of_unit(world->params.dt));
    for (k = 0; k < 2; k++) {
        vsp__v3 arm;

        v3_sub_to(&j->frame[k].position,
                  &world->bodies[j->body[k]].mass_data.center, &arm);
        vsp__step_joints_of(pool)[slot].strain[k] = w_mul(
            pull, w_of_real(v3_length_at(&arm)));
    }
}

/* Links are pushed in front, the last one first, so each list ascends. */
void vsp__list_body_joints(vsp_world *world)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;

    vsp__zero_bytes(pool->first, sizeof pool->first);
    for (i = 2 * pool->limit; i-- > 0;) {
        const vsp__joint *j = pool->joints + i / 2;

        if (!vsp__is_holding(world, j))
            continue;
        pool->next[i] = pool->first[j->body[i % 2]];
        pool->first[j->body[i % 2]] = (uint16_t)(i + 1u);
        if (i % 2 == 0)
            find_joint_strains(world, i / 2, VSP__W_ZERO);
    }
}

#if VSP_RANGES
void vsp__find_strains(vsp_world *world, uint32_t slot, vsp__wide least)
{
    find_joint_strains(world, slot, least);
}
#endif

#endif /* VSP_JOINTS */


/* ---- Inverse mass -------------------------------------------------------- */

/* A body counts as unable to turn if the determinant of its inertia is at most
 * 2^-40 times the cube of the largest moment. */
#define FLAT_BITS 40u

void vsp__update_axes(vsp_world *world, uint32_t body)
{
    vsp__q_axes_flushed(&world->bodies[body].rotation,
                        vsp__solve_of(world)->axes + body);
}

/* Inverts the inertia of a body with locked turns, without the rows and columns
 * of its locked world axes. */
static void invert_unlocked_inertia(uint32_t flags, const vsp__mat3 *axes,
                                    vsp__sym3 *s)
{
    static const uint8_t locks[6] = {/* of xx, yy, zz, xy, xz, yz */
                                     VSP_LOCK_TURN_X,
                                     VSP_LOCK_TURN_Y,
                                     VSP_LOCK_TURN_Z,
                                     VSP_LOCK_TURN_X | VSP_LOCK_TURN_Y,
                                     VSP_LOCK_TURN_X | VSP_LOCK_TURN_Z,
                                     VSP_LOCK_TURN_Y | VSP_LOCK_TURN_Z};
    vsp__num *part = &s->xx;
    uint32_t k;

    vsp__s3_rotate(axes, s);
    for (k = 3; k < 6; k++)
        if (flags & locks[k])
            part[k] = 0;
    vsp__s3_invert(s, FLAT_BITS, s);
    for (k = 0; k < 3; k++)
        if (flags & locks[k])
            part[k] = 0;
}

/* Adds a strain per kilogram, m^2, to an inertia of one kilogram, about all
 * axes. */
static void stiffen_inertia(vsp__num strain, vsp__sym3 *inertia)
{
    vsp__s3_sums sums = {0};

    vsp__sums_add_s3(&sums, VSP__UNIT(1.0), inertia);
    vsp__sums_add_identity(&sums, strain);
    vsp__sums_to_s3(&sums, inertia);
}

void vsp__find_inverse_mass(const vsp__body *b, const vsp__mat3 *axes,
                            vsp__wide strain, vsp__inverse_mass *inverse)
{
    if (!vsp__is_dynamic(b)) {
        vsp__zero_bytes(inverse, sizeof *inverse);
        return;
    }
    inverse->mass = w_div(VSP__W_ONE, b->mass_data.mass);
    inverse->inertia = b->mass_data.inertia;
    if (w_less(VSP__W_ZERO, strain))
        stiffen_inertia(w_to_real(w_mul(strain, inverse->mass)),
                        &inverse->inertia);
    if (b->flags & VSP__TURN_LOCKS)
        invert_unlocked_inertia(b->flags, axes, &inverse->inertia);
    else if (vsp__s3_invert(&inverse->inertia, FLAT_BITS, &inverse->inertia))
        vsp__s3_rotate(axes, &inverse->inertia);
}

void vsp__update_inverse_mass(vsp_world *world, uint32_t body)
{
    vsp__solver_scratch *solve = vsp__solve_of(world);
    vsp__wide strain = VSP__W_ZERO;

    if (VSP_JOINTS) /* not ?:, which at -O0 refers to both */
        strain = strain_of(world, body);
    vsp__find_inverse_mass(world->bodies + body, solve->axes + body, strain,
                           solve->inverse + body);
}

void vsp__mul_inertia(const vsp_world *world, uint32_t body, vsp__v3 *v)
{
    const vsp__mat3 *axes = vsp__solve_of(world)->axes + body;

    m3_tmul_to(axes, v, v);
    s3_mul_to(&world->bodies[body].mass_data.inertia, v, v);
    m3_mul_to(axes, v, v);
}


/* ---- Velocities ---------------------------------------------------------- */

void vsp__point_velocity_of(const vsp__velocity *v, const vsp__v3 *arm,
                            vsp__v3 *out)
{
    v3_cross_to(&v->angular, arm, out);
    v3_add_in(out, &v->linear);
}

void vsp__apply_impulse(const vsp__inverse_mass *inverse, vsp__velocity *v,
                        const vsp__v3 *arm, const vsp__v3 *p)
{
    vsp__v3 turn;

    v3_cross_to(arm, p, &turn);
    s3_mul_to(&inverse->inertia, &turn, &turn);
    v3_add_in(&v->linear, p);
    v3_add_in(&v->angular, &turn);
}

void vsp__get_velocity(const vsp__body *b, vsp__velocity *v)
{
    v->linear = b->velocity;
    v->angular = b->spin;
}

static VSP__CALLED void put_velocity(vsp__body *b, const vsp__velocity *v)
{
    b->velocity = v->linear;
    b->spin = v->angular;
}

bool vsp__has_velocity_changed(const vsp__velocity *v,
                               const vsp__velocity *from, vsp__num much)
{
    const vsp__num *a = &v->linear.x, *b = &from->linear.x;
    uint32_t k;

    for (k = 0; k < 6; k++)
        if (r_abs(r_sub(a[k], b[k])) > much)
            return true;
    return false;
}

/* w.I.w of one kilogram of a body with spin w, (m/s)^2 */
static vsp__wide turning_energy(const vsp_world *world, uint32_t body,
                                const vsp__v3 *w, bool has_strain)
{
    const vsp__body *b = world->bodies + body;
    vsp__num length = v3_length_at(w);
    vsp__wide along;
    vsp__v3 way = *w;

    if (!(length > 0))
        return VSP__W_ZERO;
    vsp__v3_normalize_by(&way, length);
    m3_tmul_to(vsp__solve_of(world)->axes + body, &way, &way);
    along = vsp__s3_along(&b->mass_data.inertia, &way);
    if (VSP_JOINTS && has_strain)
        along = w_add(along, w_div(strain_of(world, body), b->mass_data.mass));
    return w_mul(along, w_of_rate_square(r_square(length)));
}

vsp__wide vsp__double_energy(const vsp_world *world, uint32_t body,
                             const vsp__velocity *v, bool has_strain)
{
    vsp__square moving = v3_product_at(&v->linear, &v->linear);

    return w_mul(world->bodies[body].mass_data.mass,
                 w_add(w_of_rate_square(moving),
                       turning_energy(world, body, &v->angular, has_strain)));
}

void vsp__apply_locks(const vsp__body *b, vsp__velocity *v)
{
    vsp__num *part = &v->linear.x; /* linear, then angular */
    uint32_t k;

    for (k = 0; VSP_LOCKS && k < 6; k++)
        if (b->flags >> k & 1u)
            part[k] = 0;
}

void vsp__body_gravity(const vsp_world *world, const vsp__body *b,
                       vsp__v3 *pull)
{
    vsp__velocity v;

    vsp__zero_bytes(&v, sizeof v);
    v.linear = world->params.gravity;
    v3_scale_in(&v.linear, b->gravity_scale);
    vsp__apply_locks(b, &v);
    *pull = v.linear;
}

/* m/s^2: less gravity counts as none */
#define LEAST_GRAVITY VSP__RATE(0.01)

vsp__num vsp__find_down(const vsp_world *world, const vsp__body *b,
                        vsp__v3 *down)
{
    vsp__num pull;

    vsp__body_gravity(world, b, down);
    if (v3_size_at(down) < LEAST_GRAVITY) {
        *down = v3_zero();
        return 0;
    }
    v3_flush_in(down);
    pull = v3_length_at(down);
    vsp__v3_normalize_by(down, pull);
    return pull;
}

void vsp__apply_all_locks(const vsp_world *world, vsp__velocity *motion)
{
    uint32_t i;

    if (!VSP_LOCKS || world->locked_count == 0)
        return;
    for (i = 0; i < world->body_limit; i++)
        if (world->bodies[i].flags & VSP__ALL_LOCKS)
            vsp__apply_locks(world->bodies + i, &motion[i]);
}

bool vsp__start_body(vsp_world *world, uint32_t body)
{
    const vsp__body *b = world->bodies + body;
    vsp__velocity *v = vsp__solve_of(world)->velocity + body;

    vsp__get_velocity(b, v);
    vsp__update_axes(world, body);
    if (vsp__is_asleep(b)) /* at rest, and its contacts are not solved */
        return false;
    vsp__update_inverse_mass(world, body);
    if (b->type == (uint32_t)VSP_DYNAMIC + 1u && !vsp__is_dynamic(b))
        vsp__zero_bytes(v, sizeof *v);
    if (!(b->flags & VSP__ALL_LOCKS) || b->type != (uint32_t)VSP_DYNAMIC + 1u)
        return false;
    vsp__apply_locks(b, v);
    return true;
}


/* ---- Forces -------------------------------------------------------------- */

/* The factor by which damping d, 1/s, slows in h seconds: 1 / (1 + h d).  A
 * small h d is computed as a unit, because a real has too few binary places. */
static vsp__num damping_factor(vsp__num d, vsp__num h)
{
    vsp__num part = r_mul(h, d), one = VSP__UNIT(1.0);

    if (!(d > 0))
        return one;
    if (!VSP_FIXED || part < one)
        return u_div(one, r_add(one, part));
    return u_div(VSP__REAL(1.0), r_add(VSP__REAL(1.0), u_mul(h, d)));
}

void vsp__change_velocity(const vsp__inverse_mass *inverse, vsp__wide h,
                          const vsp__wide3 *force, const vsp__wide3 *torque,
                          uint32_t cut, vsp__v3 *velocity, vsp__v3 *spin)
{
    vsp__wide k = w_mul(h, inverse->mass);
    vsp__v3 change = rate3_of_wide(force, k, cut);

    v3_add_in(velocity, &change);
    vsp__s3_mul_torque(&inverse->inertia, torque, k, cut, &change);
    v3_add_in(spin, &change);
}

void vsp__add_forces(const vsp_world *world, uint32_t body, vsp__num h,
                     vsp__velocity *v)
{
    const vsp__body *b = world->bodies + body;
    vsp__v3 pull = world->params.gravity;
    uint32_t cut = vsp__even_cut(world->params.tick, VSP__EVEN_FORCE);

    /* products of wides are slow in fixed point */
    if (!VSP_FIXED ||
        vsp__words_differ(&b->force, NULL, 2u * VSP__WORDS(vsp__wide3)))
        vsp__change_velocity(vsp__solve_of(world)->inverse + body, w_of_unit(h),
                             &b->force, &b->torque, cut, &v->linear,
                             &v->angular);
    vsp__clamp_each(&v->linear.x, 6, rate_read(VSP_MAX_SPEED)); /* angular */
    v3_scale_in(&pull, b->gravity_scale);
    vsp__v3_mix_cut(&v->linear, damping_factor(b->linear_damping, h), h, &pull,
                    cut);
    if (b->angular_damping > 0)
        vsp__v3_scale_cut(&v->angular, damping_factor(b->angular_damping, h),
                          cut);
    if (b->flags & VSP__ALL_LOCKS)
        vsp__apply_locks(b, v);
}

void vsp__apply_forces(vsp_world *world, uint32_t body, vsp__num h)
{
    vsp__add_forces(world, body, h, vsp__solve_of(world)->velocity + body);
}

void vsp__slow_fall(const vsp_world *world, const vsp__body *b, vsp__num part,
                    vsp__v3 *velocity)
{
    vsp__v3 down;
    vsp__num gain = vsp__find_down(world, b, &down);
    vsp__num fall = u3_dot_at(&down, velocity);

    gain = u_mul(part, u_mul(gain, world->params.dt));
    if (fall > 0)
        u3_move(velocity, r_neg(r_min(fall, gain)), &down);
}

void vsp__restart_body(vsp_world *world, uint32_t body, vsp__num h)
{
    vsp__velocity *v = vsp__solve_of(world)->velocity + body;

    vsp__get_velocity(world->bodies + body, v);
    vsp__add_forces(world, body, h, v);
}


/* ---- Moving -------------------------------------------------------------- */

/* m/s, 65 places of a rate: the largest error of a solve in a velocity that
 * should be 0 */
#define NOISE_SPEED VSP__RATE(0.0005)

/* Fewest loaded points below a body that others load: those of an edge. */
#define EDGE_POINTS 2u

/* Turns a body, about world axes. */
static void rotate_body(vsp_world *world, uint32_t body, vsp__unit_quat *turn)
{
    vsp__q_turn(&world->bodies[body].rotation, turn, false);
    vsp__update_axes(world, body);
}

/* whether an inertia is equal about all axes, within 1e-5, like that of a
 * sphere: then eq. 18 has no gyroscopic torque */
static bool is_inertia_round(const vsp__sym3 *s)
{
    vsp__num slack = u_mul(s->xx, VSP__UNIT(1e-5));
    vsp__v3 unlike = v3(s->xx - s->yy, s->xx - s->zz, 0);
    vsp__v3 mixed = v3(s->xy, s->xz, s->yz);

    return v3_size_at(&unlike) <= slack && v3_size_at(&mixed) <= slack;
}

/* Changes *spin, in the body's axes, by the gyroscopic torque of eq. 18 over h
 * seconds, and fills *rate, the spin with which the body turns meanwhile.  It
 * is the implicit midpoint rule: with P the angular momentum in the body's
 * axes, P' = P + h (P + P')/2 x I^-1 (P + P')/2.  The rule keeps P.P and P.I^-1
 * P and, with the Cayley map, the angular momentum in the world.  Both use
 * vsp__cayley_time for h, so that the angle is exactly spin times time.  A
 * factor of the inertia cancels, so its shape is enough.  If h is too long for
 * the iteration of P' to converge, the spin stays. */
static void free_spin_step(const vsp__sym3 *shape, vsp__v3 *spin, vsp__num h,
                           vsp__v3 *rate)
{
    vsp__num half = u_mul(VSP__UNIT(0.5), h), last = 0;
    vsp__v3 p, middle;
    vsp__sym3 inverse;
    uint32_t i;

    *rate = *spin;
    s3_mul_to(shape, spin, &p);
    middle = p;
    if (!vsp__s3_invert(shape, FLAT_BITS, &inverse))
        return;
    for (i = 0; i < 8; i++) {
        vsp__num change;
        vsp__v3 next, turn;

        vsp__turn_of_spin(rate, half, &turn);
        u3_cross_to(&middle, &turn, &turn);
        v3_add_to(&p, &turn, &next);
        v3_sub_in(&middle, &next);
        change = v3_size_at(&middle);
        if (i > 0 && change > u_mul(VSP__UNIT(0.5), last)) {
            *rate = *spin;
            return;
        }
        last = r_max(change, u_mul(VSP__UNIT(1e-6), v3_size_at(&p)));
        middle = next;
        s3_mul_to(&inverse, &middle, rate);
    }
    v3_add_to(rate, rate, &p);
    v3_sub_to(&p, spin, spin);
}

/* The number of pieces in which a turn by an angle, rad, is integrated: pieces
 * of at most an eighth of a radian up to two radians, then 16. */
static uint32_t rotation_parts(vsp__num a)
{
    return a < VSP__REAL(2.0)
               ? 1u + (uint32_t)r_to_int(r_mul(a, VSP__REAL(8.0)))
               : 16u;
}

/* Turns a body for h seconds, eq. 24-26, together with the gyroscopic torque of
 * eq. 18 for an inertia of one kilogram, m^2, which changes its spin. */
static void integrate_rotation(vsp_world *world, uint32_t body,
                               const vsp__sym3 *inertia, vsp__num h)
{
    vsp__body *b = world->bodies + body;
    uint32_t parts = rotation_parts(r_of_rate(v3_size_at(&b->spin), h)), i;
    vsp__sym3 shape;
    vsp__unit_quat part;

    if (!vsp__is_dynamic(b) || is_inertia_round(inertia) ||
        (b->flags & VSP__TURN_LOCKS)) {
        vsp__q_of_spin(&b->spin, h, &part);
        rotate_body(world, body, &part);
        return;
    }
    vsp__s3_to_size_one(inertia, &shape);
    m3_tmul_to(vsp__solve_of(world)->axes + body, &b->spin, &b->spin);
    h = r_div(h, r_from_int((int32_t)parts));
    for (i = 0; i < parts; i++) {
        vsp__num time = vsp__cayley_time(&b->spin, h);
        vsp__v3 rate;

        free_spin_step(&shape, &b->spin, time, &rate);
        vsp__q_cayley(&rate, time, &part);
        vsp__q_turn(&b->rotation, &part, true);
    }
    vsp__update_axes(world, body);
    m3_mul_to(vsp__solve_of(world)->axes + body, &b->spin, &b->spin);
}

/* Eq. 24-26 for a body on a pivot.  The anchor moves by its velocity, and the
 * body turns about it, together with its gyroscopic torque.  If joint and
 * torque acted in turn, each would undo the other. */
static void swing_body(vsp_world *world, uint32_t body, const vsp__v3 *pivot,
                       vsp__num h)
{
    const vsp__mat3 *axes = vsp__solve_of(world)->axes + body;
    vsp__body *b = world->bodies + body;
    vsp__velocity v = {b->velocity, b->spin};
    vsp__s3_sums sums = {0};
    vsp__sym3 inertia;
    vsp__v3 arm, anchor;

    vsp__sums_add_s3(&sums, VSP__UNIT(1.0), &b->mass_data.inertia);
    vsp__sums_add_point(&sums, VSP__REAL(1.0), pivot);
    vsp__sums_to_s3(&sums, &inertia);
    m3_mul_to(axes, pivot, &arm);
    vsp__point_velocity_of(&v, &arm, &anchor);
    v3_move_by_rate(&b->position, h, &anchor, vsp__way_cut(world->params.tick));
    v3_add_in(&b->position, &arm);
    integrate_rotation(world, body, &inertia, h);
    m3_mul_to(axes, pivot, &arm);
    v3_sub_in(&b->position, &arm);
    v3_cross_to(&arm, &b->spin, &b->velocity);
    v3_add_in(&b->velocity, &anchor);
}

/* Slows a body down to its max_speed. */
static void limit_speed(vsp__body *b)
{
    vsp__square square = v3_product_at(&b->velocity, &b->velocity);

    if (b->max_speed == rate_read(VSP_MAX_SPEED) ||
        square <= r_square(b->max_speed))
        return;
    u3_scale_in(&b->velocity, u_div(b->max_speed, vsp__square_root(square)));
    v3_flush_in(&b->velocity);
}

/* Whether a velocity or displacement is finite and not 0. */
static VSP__CALLED bool is_motion(const vsp__velocity *v)
{
    return vsp__are_finite(&v->linear.x, 6) && !vsp__are_zero(&v->linear.x, 6);
}

void vsp__clamp_body(vsp__body *b)
{
    v3_clamp_in(&b->position, r_read(VSP_MAX_POSITION));
    vsp__clamp_each(&b->velocity.x, 6, rate_read(VSP_MAX_SPEED)); /* spin */
    vsp__flush_each(&b->position, 13); /* and rotation, velocity, spin */
}

/* Whether a body is about as slow as the noise of a solve. */
static bool is_slow(const vsp_world *world, uint32_t body)
{
    return v3_size_at(&world->bodies[body].velocity) <= NOISE_SPEED;
}

/* Whether a slow body has three contact points or more, which hold it. */
static bool is_held(const vsp_world *world, uint32_t body)
{
    const vsp__link *first = vsp__solve_of(world)->link_first + body;
    uint32_t i, count = 0;

    if (!is_slow(world, body))
        return false;
    for (i = first[0]; i < first[1]; i++)
        count += world->manifolds[world->links[i]].point_count;
    return count >= 3;
}

vsp__square vsp__specific_energy(const vsp__body *b)
{
    vsp__mat3 axes;
    vsp__v3 w, p;

    vsp__q_axes_flushed(&b->rotation, &axes);
    vsp__m3_tmul_to(&axes, &b->spin, &w);
    v3_flush_in(&w);
    s3_mul_to(&b->mass_data.inertia, &w, &p);
    v3_flush_in(&p);
    return square_add(v3_square(b->velocity), v3_product_at(&w, &p));
}

/* The middle of a manifold's points on one body, from its centre of mass, in
 * body axes. */
static VSP__CALLED void middle_arm(const vsp_world *world,
                                   const vsp__manifold *m, uint32_t side,
                                   vsp__v3 *arm)
{
    const vsp__manifold_point *p = world->points + m->first_point;
    vsp__num share = u_div(VSP__REAL(1.0), r_from_int(m->point_count));
    uint32_t j;

    *arm = v3_zero();
    for (j = 0; j < m->point_count; j++)
        u3_move(arm, share, &p[j].arm[side]);
}

/* The velocity of a surface in the middle of a contact, in body axes. */
static void surface_velocity(const vsp_world *world, const vsp__manifold *m,
                             uint32_t side, vsp__v3 *v)
{
    vsp__shape copy;
    const vsp__shape *shape = vsp__side_of(world, m, side, &copy);
    vsp__v3 arm;

    *v = shape->surface;
    if (!vsp__is_turning(shape))
        return;
    middle_arm(world, m, side, &arm);
    v3_add_in(&arm, &world->bodies[m->body[side]].mass_data.center);
    v3_sub_in(&arm, &shape->pose.position);
    v3_flush_in(&arm);
    v3_cross_to(&shape->surface, &arm, v);
    v3_flush_in(v);
}

bool vsp__touches_belt(const vsp_world *world, const vsp__manifold *m)
{
    vsp__shape a, b;

    return !vsp__are_three_zero(&vsp__side_of(world, m, 0, &a)->surface.x) ||
           !vsp__are_three_zero(&vsp__side_of(world, m, 1, &b)->surface.x);
}

void vsp__belt_velocity(const vsp_world *world, const vsp__manifold *m,
                        vsp__v3 *v)
{
    vsp__v3 of[2];
    uint32_t i;

    for (i = 0; i < 2; i++) {
        surface_velocity(world, m, i, &of[i]);
        m3_mul_to(vsp__solve_of(world)->axes + m->body[i], &of[i], &of[i]);
    }
    v3_sub_to(&of[1], &of[0], v);
    v3_flush_in(v);
    u3_move(v, r_neg(u3_dot_at(v, &m->normal)), &m->normal);
}

#if VSP_EDITS

vsp__num vsp__belt_turn(const vsp_world *world, const vsp__manifold *m,
                        uint32_t side)
{
    vsp__shape copy;
    const vsp__shape *shape = vsp__side_of(world, m, side, &copy);
    vsp__v3 spin;

    if (!vsp__is_turning(shape))
        return 0;
    m3_mul_to(vsp__solve_of(world)->axes + m->body[side], &shape->surface,
              &spin);
    return r_flush(u3_dot_at(&spin, &m->normal));
}

void vsp__add_belt_turn(const vsp_world *world, const vsp__manifold *m,
                        uint32_t side, vsp__num turn, const vsp__v3 *at,
                        vsp__v3 *v)
{
    vsp__v3 arm, way;

    middle_arm(world, m, side, &arm);
    v3_sub_to(at, &arm, &arm);
    m3_mul_to(vsp__solve_of(world)->axes + m->body[side], &arm, &arm);
    u3_cross_to(&m->normal, &arm, &way);
    v3_scale_in(&way, side == 1 ? turn : r_neg(turn));
    v3_add_in(v, &way);
    v3_flush_in(v);
}

#endif /* VSP_EDITS */

/* Whether the other body of a contact rests, and the contact has no belt.
 * Moved bodies that are not lower are not decided yet, and count as at rest. */
static bool is_contact_still(const vsp_world *world, const vsp__manifold *m,
                             uint32_t body, uint32_t other)
{
    vsp__v3 belt;
    vsp__shape copy;

    if (vsp__has_belts(world)) {
        vsp__belt_velocity(world, m, &belt);
        if (!vsp__are_three_zero(&belt.x))
            return false;
    }
    if (vsp__is_turning(vsp__side_of(world, m, 0, &copy)) ||
        vsp__is_turning(vsp__side_of(world, m, 1, &copy)))
        return false;
    return world->height[other] == 0
               ? vsp__is_at_rest(world->bodies + other)
               : world->height[other] >= world->height[body] ||
                     vsp__solve_of(world)->pass[other].move.is_at_rest;
}

/* Whether one side of a contact is a shape on which a body rolls. */
static bool has_roller(const vsp_world *world, const vsp__manifold *m)
{
    const vsp__shape *a = world->shapes + m->shape[0],
                     *b = world->shapes + m->shape[1];

    return vsp__is_round(a) || vsp__is_round(b) || vsp__is_revolved(a) ||
           vsp__is_revolved(b);
}

/* Whether a body rests on bodies that rest, too: it has three loaded contact
 * points or more with bodies no higher than it, or two, an edge, and others
 * that load it, and friction at every loaded point.  On a roller an edge is not
 * enough.  A path of such bodies leads down to the ground, so damping cannot
 * slow a motion that they all share. */
static bool is_gripped(const vsp_world *world, uint32_t body)
{
    const vsp__link *first = vsp__solve_of(world)->link_first + body;
    uint32_t i, j, count = 0, below = 0, edge = EDGE_POINTS;

    for (i = first[0]; i < first[1]; i++) {
        const vsp__manifold *m = world->manifolds + world->links[i];
        uint32_t other = m->body[m->body[0] == body ? 1 : 0];

        if (has_roller(world, m))
            edge = VSP__GRIP_POINTS;
        for (j = 0; j < m->point_count; j++) {
            const vsp__manifold_point *p = world->points + m->first_point + j;

            if (!w_less(VSP__W_ZERO, p->multiplier.impulse[0]))
                continue;
            if (m->friction < VSP__GRIP_FRICTION ||
                !is_contact_still(world, m, body, other))
                return false;
            count++;
            below += world->height[other] <= world->height[body] ? 1 : 0;
        }
    }
    return count >= VSP__GRIP_POINTS && below >= edge;
}

/* Whether a body rests on static ground, directly or through others, and its
 * *speed is no more than noise. */
static bool rests_on_ground(const vsp_world *world, uint32_t body,
                            vsp__num *speed)
{
    if (world->height[body] == VSP__NO_HEIGHT || vsp__has_joints(world, body) ||
        !is_slow(world, body) || !is_gripped(world, body))
        return false;
    *speed = vsp__square_root(vsp__specific_energy(world->bodies + body));
    return *speed <= NOISE_SPEED;
}

/* In fixed point the velocity of each contact may be off by a last place, and
 * in a pile these errors add up.  VSP__NOISE_PULL suffices for this many bodies
 * on each other. */
#define LOW_PILE 8u

/* For each body more, up to a limit, noise pulls by this fraction of gravity
 * more. */
#define PULL_PER_BODY VSP__UNIT(0.000025)
#define MOST_BODIES_MORE 32u

vsp__num vsp__noise_speed(const vsp_world *world, uint32_t height)
{
    uint32_t more = VSP_FIXED && height > LOW_PILE ? height - LOW_PILE : 0;

    if (more > MOST_BODIES_MORE)
        more = MOST_BODIES_MORE;
    return u_mul(r_add(VSP__NOISE_PULL, r_times(PULL_PER_BODY, (int32_t)more)),
                 world->gravity_speed);
}

/* A body that rests on ground without slip would keep a small motion for long,
 * because no contact resists it.  Real solids have internal friction, which
 * this replaces.  It takes no more speed in a step than vsp__noise_speed says,
 * and acts only on bodies that friction connects with the ground: not on
 * joints, ice, balls, belts or platforms, nor in the air.  It acts between
 * solve and move, so the error of a solve does not move a pile at rest. */
void vsp__damp_noise(vsp_world *world, uint32_t body)
{
    uint32_t cut = vsp__even_cut(world->params.tick, VSP__EVEN_FORCE);
    vsp__velocity *v = vsp__solve_of(world)->velocity + body;
    vsp__num speed = 0, least, part;
    bool *is_still = &vsp__solve_of(world)->pass[body].move.is_at_rest;
    vsp__body *b = world->bodies + body;

    put_velocity(b, v);
    *is_still = vsp__are_zero(&v->linear.x, 6);
    if (*is_still)
        return;
    *is_still = rests_on_ground(world, body, &speed);
    if (!*is_still)
        return;
    least = vsp__noise_speed(world, world->height[body]);
    part = speed > least ? u_div(r_sub(speed, least), speed) : 0;
    vsp__v3_scale_cut(&v->linear, part, cut);
    vsp__v3_scale_cut(&v->angular, part, cut);
    vsp__flush_each(&v->linear.x, 6);
}

/* Eq. 24-26 for a body that swing_body does not move. */
static void move_freely(vsp_world *world, uint32_t body, vsp__num h,
                        uint32_t cut)
{
    vsp__body *b = world->bodies + body;

    v3_move_by_rate(&b->position, h, &b->velocity, cut);
    integrate_rotation(world, body, &b->mass_data.inertia, h);
}

void vsp__fly_body(vsp_world *world, uint32_t body, vsp__num h)
{
    vsp__body *b = world->bodies + body;
    vsp__velocity v;

    vsp__update_axes(world, body);
    vsp__get_velocity(b, &v);
    vsp__apply_locks(b, &v);
    put_velocity(b, &v);
    move_freely(world, body, h, vsp__way_cut(world->params.tick));
    vsp__clamp_body(b);
}

/* Returns how the displacement of a body in this step is rounded.  Contacts
 * push and never pull, so a cut would turn the noise of a held body into steps
 * upwards. */
static uint32_t way_cut_of(const vsp_world *world, uint32_t body)
{
    return VSP_FIXED && is_held(world, body) ? VSP__NEAREST
                                             : vsp__way_cut(world->params.tick);
}

/* Eq. 26.  A body whose velocity is not finite stops here. */
void vsp__move_body(vsp_world *world, uint32_t body, vsp__num h)
{
    vsp__body *b = world->bodies + body;
    vsp__velocity *v = vsp__solve_of(world)->velocity + body;
    vsp__pose *before = vsp__problem_of(world)->position.of.before + body;
    vsp__v3 pivot;

    if (VSP_CARRY || VSP_SUBSPACE) { /* for vsp__needs_detection_again */
        before->position = b->position;
        before->axes = vsp__solve_of(world)->axes[body];
    }
    if (!is_motion(v)) {
        v->linear = v->angular = v3_zero(); /* no call: many bodies rest */
        put_velocity(b, v);
        return;
    }
    if (vsp__is_dynamic(b))
        vsp__apply_locks(b, v);
    put_velocity(b, v);
    vsp__clamp_body(b);
    limit_speed(b);
    if (VSP_JOINTS && vsp__find_pivot(world, body, &pivot) &&
        !is_held(world, body))
        swing_body(world, body, &pivot, h);
    else
        move_freely(world, body, h, way_cut_of(world, body));
    vsp__update_inverse_mass(world, body);
    vsp__clamp_body(b);
    vsp__get_velocity(b, v);
}

void vsp__displace_body(vsp_world *world, uint32_t body, const vsp__velocity *d)
{
    vsp__body *b = world->bodies + body;
    vsp__v3 way = v3(r_of_unit(d->linear.x), r_of_unit(d->linear.y),
                     r_of_unit(d->linear.z));
    vsp__unit_quat turn;

    if (!is_motion(d))
        return;
    v3_add_in(&b->position, &way);
    vsp__q_of_vector(&d->angular, &turn);
    rotate_body(world, body, &turn);
    vsp__clamp_body(b);
}
