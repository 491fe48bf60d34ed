/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Contacts to velocities and positions.  Knows no geometry.  In this order:
 * bodies' axes and motion; the stack (islands, heights, layers); rows and
 * their assembly; sweeps of projected Gauss-Seidel; predict and carry, which
 * find what a stack needs in two passes over its bodies; the line search;
 * position correction; warm starting.  vsp.c puts these verbs together into
 * steps.
 *
 * Equation numbers are those of Erleben, Velocity-based shock propagation
 * for multibody dynamics animation, 2007. */

#include "vsp_internal.h"


/* ---- Frames and motion --------------------------------------------------- */

/* a body whose inertia is flatter than 2^-40 does not turn */
#define FLAT_BITS 40u

static void update_axes(vsp_world *world, uint32_t body)
{
    vsp__flushed_axes(world->bodies[body].rotation,
                      world->work.solve.axes + body);
}

/* Inverts the inertia of a body that does not turn about some axes of the
 * world: what is left without their rows and columns. */
static void invert_unlocked(uint32_t flags, const vsp__mat3 *axes,
                            vsp__sym3 *s)
{
    static const uint8_t locks[6] = { /* of xx, yy, zz, xy, xz, yz */
        VSP_LOCK_TURN_X, VSP_LOCK_TURN_Y, VSP_LOCK_TURN_Z,
        VSP_LOCK_TURN_X | VSP_LOCK_TURN_Y, VSP_LOCK_TURN_X | VSP_LOCK_TURN_Z,
        VSP_LOCK_TURN_Y | VSP_LOCK_TURN_Z
    };
    vsp__real *part = &s->xx;
    uint32_t k;

    vsp__rotate(axes, s);
    for (k = 3; k < 6; k++)
        if (flags & locks[k])
            part[k] = 0;
    vsp__invert(s, FLAT_BITS, s);
    for (k = 0; k < 3; k++)
        if (flags & locks[k])
            part[k] = 0;
}

/* Adds to the inertia of one kilogram, about all axes, what a step needs to
 * follow a pull of this strain: see vsp__strain. */
static void stiffen(vsp__real strain, vsp__sym3 *inertia)
{
    vsp__sums sums = {0};

    vsp__add_sym(&sums, VSP__U(1.0), inertia);
    vsp__add_isotropic(&sums, strain);
    vsp__sum_up(&sums, inertia);
}

void vsp__find_inverse(const vsp__body *b, const vsp__mat3 *axes,
                       vsp__wide strain, vsp__inverse *inverse)
{
    if (!vsp__is_dynamic(b)) {
        vsp__clear(inverse, sizeof *inverse);
        return;
    }
    inverse->mass = w_div(W_ONE, b->matter.mass);
    inverse->inertia = b->matter.inertia;
    if (w_less(W_ZERO, strain))
        stiffen(w_to_real(w_mul(strain, inverse->mass)), &inverse->inertia);
    if (b->flags & VSP__TURN_LOCKS)
        invert_unlocked(b->flags, axes, &inverse->inertia);
    else if (vsp__invert(&inverse->inertia, FLAT_BITS, &inverse->inertia))
        vsp__rotate(axes, &inverse->inertia);
}

static void update_inverse(vsp_world *world, uint32_t body)
{
    vsp__solve *solve = &world->work.solve;
    vsp__wide strain = W_ZERO;

    if (VSP_JOINTS) /* of two structs, ? : is asked for both without -O */
        strain = vsp__strain(world, body);
    vsp__find_inverse(world->bodies + body, solve->axes + body, strain,
                      solve->inverse + body);
}

/* inertia of one kilogram of a body in the world, times v */
static void inertia_mul(const vsp_world *world, uint32_t body, vsp__vec3 *v)
{
    const vsp__mat3 *axes = world->work.solve.axes + body;

    m3_tmul_to(axes, v, v);
    s3_mul_to(&world->bodies[body].matter.inertia, v, v);
    m3_mul_to(axes, v, v);
}

static void velocity_at(const vsp__velocity *v, const vsp__vec3 *arm,
                        vsp__vec3 *out)
{
    v3_cross_to(&v->angular, arm, out);
    v3_add_in(out, &v->linear);
}

/* What changes a body's velocity by p, at an arm from its centre of mass. */
static void apply_impulse(const vsp__inverse *inverse, vsp__velocity *v,
                          const vsp__vec3 *arm, const vsp__vec3 *p)
{
    vsp__vec3 turn;

    v3_cross_to(arm, p, &turn);
    s3_mul_to(&inverse->inertia, &turn, &turn);
    v3_add_in(&v->linear, p);
    v3_add_in(&v->angular, &turn);
}

/* what follows from a rotation that was multiplied */
static void end_turn(vsp_world *world, uint32_t body)
{
    vsp__q_normalize(&world->bodies[body].rotation);
    update_axes(world, body);
}

/* Turns a body, about axes of the world. */
static void turn_at_once(vsp_world *world, uint32_t body,
                         const vsp__quat *turn)
{
    vsp__quat *q = &world->bodies[body].rotation;

    vsp__q_mul(turn, q, q);
    end_turn(world, body);
}

static bool is_round(const vsp__sym3 *s)
{
    vsp__real slack = u_mul(s->xx, VSP__U(1e-5));
    vsp__vec3 unlike = v3(s->xx - s->yy, s->xx - s->zz, 0);
    vsp__vec3 mixed = v3(s->xy, s->xz, s->yz);

    return v3_size_at(&unlike) <= slack && v3_size_at(&mixed) <= slack;
}

/* Turns a free body for h seconds under its gyroscopic torque, eq. 18, by
 * the implicit midpoint rule: with P the angular momentum in the body's
 * axes, P' = P + h (P + P')/2 x I^-1 (P + P')/2.  It keeps P.P and P.I^-1 P,
 * and as the Cayley map of vsp__turn_of belongs to it, also the angular
 * momentum in the world.  Only the shape of the inertia counts.  Fills the
 * spin to turn with; *spin becomes that at the end, in the body's axes.  Where
 * a step turns too far for the iteration to converge, the spin stays. */
static void free_spin(const vsp__sym3 *shape, vsp__vec3 *spin, vsp__real h,
                      vsp__vec3 *rate)
{
    vsp__real half = u_mul(VSP__U(0.5), h), last = 0;
    vsp__vec3 p, middle;
    vsp__sym3 inverse;
    uint32_t i;

    *rate = *spin;
    s3_mul_to(shape, spin, &p);
    middle = p;
    if (!vsp__invert(shape, FLAT_BITS, &inverse))
        return;
    for (i = 0; i < 8; i++) {
        vsp__vec3 next = p, turn = v3(u_angle(rate->x, half),
                                      u_angle(rate->y, half),
                                      u_angle(rate->z, half));
        vsp__real change;

        u3_cross_to(&middle, &turn, &turn);
        v3_add_in(&next, &turn);
        v3_sub_in(&middle, &next);
        change = v3_size_at(&middle);
        if (i > 0 && change > u_mul(VSP__U(0.5), last)) {
            *rate = *spin;
            return;
        }
        last = r_max(change, u_mul(VSP__U(1e-6), v3_size_at(&p)));
        middle = next;
        s3_mul_to(&inverse, &middle, rate);
    }
    p = *rate;
    v3_add_in(&p, rate);
    v3_sub_in(&p, spin);
    *spin = p;
}

/* in how many parts a turn by an angle is followed: at most an eighth of a
 * radian each, up to two radians */
static uint32_t turn_parts(vsp__real a)
{
    return a < VSP__R(2.0)
               ? 1u + (uint32_t)r_to_int(r_mul(a, VSP__R(8.0)))
               : 16u;
}

/* Turns a body for h seconds, eq. 24-26, its spin changing as it does. */
static void turn_body(vsp_world *world, uint32_t body, vsp__real h)
{
    vsp__body *b = world->bodies + body;
    uint32_t parts = turn_parts(r_way(v3_size_at(&b->spin), h)), i;
    vsp__sym3 shape;
    vsp__quat part;

    if (!vsp__is_dynamic(b) || is_round(&b->matter.inertia) ||
        (b->flags & VSP__TURN_LOCKS)) {
        vsp__turn_of(&b->spin, h, &part);
        turn_at_once(world, body, &part);
        return;
    }
    vsp__shape_of(&b->matter.inertia, &shape);
    m3_tmul_to(world->work.solve.axes + body, &b->spin, &b->spin);
    h = r_div(h, r_from_int((int32_t)parts));
    for (i = 0; i < parts; i++) {
        vsp__vec3 rate;

        free_spin(&shape, &b->spin, h, &rate);
        vsp__turn_of(&rate, h, &part);
        vsp__q_mul(&b->rotation, &part, &b->rotation);
    }
    end_turn(world, body);
    m3_mul_to(world->work.solve.axes + body, &b->spin, &b->spin);
}

void vsp__hold_locks(const vsp__body *b, vsp__velocity *v)
{
    vsp__real *part = &v->linear.x; /* and angular */
    uint32_t k;

    for (k = 0; k < 6; k++)
        if (b->flags >> k & 1u)
            part[k] = 0;
}

void vsp__hold_all_locks(const vsp_world *world, vsp__velocity *motion)
{
    uint32_t i;

    if (world->locked_count == 0)
        return;
    for (i = 0; i < world->body_limit; i++)
        if (world->bodies[i].flags & VSP__LOCKS)
            vsp__hold_locks(world->bodies + i, &motion[i]);
}

static void get_motion(const vsp__body *b, vsp__velocity *v)
{
    v->linear = b->velocity;
    v->angular = b->spin;
}

void vsp__start_body(vsp_world *world, uint32_t body)
{
    const vsp__body *b = world->bodies + body;
    vsp__velocity *v = world->work.solve.velocity + body;

    get_motion(b, v);
    update_axes(world, body);
    if (vsp__is_asleep(b)) /* at rest, and in no contact */
        return;
    update_inverse(world, body);
    if (b->type == (uint32_t)VSP_DYNAMIC + 1u && !vsp__is_dynamic(b))
        vsp__clear(v, sizeof *v);
    if (!(b->flags & VSP__LOCKS) || b->type != (uint32_t)VSP_DYNAMIC + 1u)
        return;
    world->locked_count++;
    vsp__hold_locks(b, v);
}

/* A body that is faster than it may be is slowed down. */
static void limit_speed(vsp__body *b)
{
    vsp__square square = v3_product_at(&b->velocity, &b->velocity);

    if (b->max_speed == rate_read(VSP_MAX_SPEED) ||
        square <= r_square(b->max_speed))
        return;
    u3_scale_in(&b->velocity, u_div(b->max_speed, vsp__root(square)));
    vsp__flush(&b->velocity, 3);
}

static bool is_velocity(const vsp__velocity *v)
{
    return vsp__are_finite(&v->linear.x, 6);
}

void vsp__keep_in_range(vsp__body *b)
{
    v3_clamp_in(&b->position, r_read(VSP_MAX_POSITION));
    vsp__clamp_in(&b->velocity.x, 6, rate_read(VSP_MAX_SPEED)); /* spin */
    vsp__flush(&b->position, 13); /* and rotation, velocity, spin */
}

/* Moves a body by its velocity for h seconds: eq. 26.  The last defence: a
 * solve that ran out of numbers stops the body. */
void vsp__move_body(vsp_world *world, uint32_t body, vsp__real h)
{
    vsp__body *b = world->bodies + body;
    vsp__velocity *v = world->work.solve.velocity + body;
    vsp__pose *before = world->problem.position.of.before + body;

    if (VSP_CARRY || VSP_SUBSPACE) { /* for vsp__needs_second */
        before->position = b->position;
        before->axes = world->work.solve.axes[body];
    }
    if (!is_velocity(v) || vsp__are_zero(&v->linear.x, 6)) {
        vsp__clear(v, sizeof *v);
        b->velocity = b->spin = v->linear;
        return;
    }
    if (vsp__is_dynamic(b))
        vsp__hold_locks(b, v);
    b->velocity = v->linear;
    b->spin = v->angular;
    vsp__keep_in_range(b);
    limit_speed(b);
    v3_travel(&b->position, h, &b->velocity);
    turn_body(world, body, h);
    update_inverse(world, body);
    vsp__keep_in_range(b);
    get_motion(b, v);
}

/* Shifts and turns a body by a displacement of the position solve.  What
 * resists its motion stays as it was: no velocities are solved for with it. */
static void displace_body(vsp_world *world, uint32_t body,
                          const vsp__velocity *d)
{
    vsp__body *b = world->bodies + body;
    vsp__vec3 way = v3(r_of_unit(d->linear.x), r_of_unit(d->linear.y),
                       r_of_unit(d->linear.z));
    vsp__quat turn;

    if (!is_velocity(d) || vsp__are_zero(&d->linear.x, 6))
        return;
    v3_add_in(&b->position, &way);
    vsp__turn_by(&d->angular, &turn);
    turn_at_once(world, body, &turn);
    vsp__keep_in_range(b);
}

/* Takes d of a velocity each second, for h seconds. */
static void damp(vsp__vec3 *v, vsp__real d, vsp__real h)
{
    if (d > 0)
        u3_scale_in(v, u_div(VSP__R(1.0), r_add(VSP__R(1.0), u_mul(h, d))));
}

void vsp__change_velocity(const vsp__inverse *inverse, vsp__wide h,
                          const vsp__wide3 *force, const vsp__wide3 *torque,
                          vsp__vec3 *velocity, vsp__vec3 *spin)
{
    vsp__wide k = w_mul(h, inverse->mass);
    vsp__vec3 change = rate3_of_wide(force, k);

    v3_add_in(velocity, &change);
    vsp__turn_by_torque(&inverse->inertia, torque, k, &change);
    v3_add_in(spin, &change);
}

/* Changes a velocity by h seconds of force and torque (eq. 19), then of
 * damping, then of gravity. */
static void push_velocity(const vsp_world *world, uint32_t body, vsp__real h,
                          vsp__velocity *v)
{
    const vsp__body *b = world->bodies + body;
    vsp__vec3 change = world->params.gravity;

    vsp__change_velocity(world->work.solve.inverse + body, w_of_unit(h),
                         &b->force, &b->torque, &v->linear, &v->angular);
    vsp__clamp_in(&v->linear.x, 6, rate_read(VSP_MAX_SPEED)); /* angular */
    damp(&v->linear, b->linear_damping, h);
    damp(&v->angular, b->angular_damping, h);
    v3_scale_in(&change, b->gravity_scale);
    u3_move(&v->linear, h, &change);
    if (b->flags & VSP__LOCKS)
        vsp__hold_locks(b, v);
}

void vsp__push_body(vsp_world *world, uint32_t body, vsp__real h)
{
    push_velocity(world, body, h, world->work.solve.velocity + body);
}

void vsp__restart_body(vsp_world *world, uint32_t body, vsp__real h)
{
    vsp__velocity *v = world->work.solve.velocity + body;

    get_motion(world->bodies + body, v);
    push_velocity(world, body, h, v);
}

/* s.w of one kilogram of a body turning with w */
static vsp__wide turning_energy(const vsp_world *world, uint32_t body,
                                const vsp__vec3 *w)
{
    const vsp__body *b = world->bodies + body;
    vsp__real length = v3_length_at(w);
    vsp__wide along;
    vsp__vec3 way = *w;

    if (!(length > 0))
        return W_ZERO;
    vsp__direct(&way, length);
    m3_tmul_to(world->work.solve.axes + body, &way, &way);
    along = vsp__along(&b->matter.inertia, &way);
    if (VSP_JOINTS)
        along = w_add(along, w_div(vsp__strain(world, body),
                                   b->matter.mass));
    return w_mul(along, w_of_rate_square(r_square(length)));
}

vsp__wide vsp__energy(const vsp_world *world, uint32_t body,
                      const vsp__velocity *v)
{
    vsp__square moving = v3_product_at(&v->linear, &v->linear);

    return w_mul(world->bodies[body].matter.mass,
                 w_add(w_of_rate_square(moving),
                       turning_energy(world, body, &v->angular)));
}


/* ---- The stack ------------------------------------------------------------
 * Heights by breadth-first search from all that does not move (paper,
 * section 4): the number of bodies between a body and the nearest of them.
 * A manifold belongs to the layer of its lower body; two bodies of one
 * height meet in the layer where both are the upper ones.  Bodies that stand
 * on nothing come last, in a layer of their own, with their contacts. */

static bool is_moved(const vsp_world *world, uint32_t body)
{
    return world->height[body] > 0;
}

/* Lists the manifolds of every body: links[link_first[i] ...]. */
void vsp__link_bodies(vsp_world *world)
{
    vsp__link *first = world->work.solve.link_first;
    uint32_t sum = 0, i, k;
    const vsp__manifold *m = world->manifolds;
    uint16_t *links = world->links;
    uint32_t count = world->contacts[0].manifold_count;

    for (i = 0; i <= world->body_limit; i++)
        first[i] = 0;
    for (i = 0; i < count; i++)
        for (k = 0; k < 2; k++)
            first[m[i].body[k]]++;
    for (i = 0; i <= world->body_limit; i++) { /* counts become ends */
        sum += first[i];
        first[i] = (vsp__link)sum;
    }
    for (i = count; i-- > 0;) /* backwards: ends become starts */
        for (k = 0; k < 2; k++)
            links[--first[m[i].body[k]]] = (uint16_t)i;
}

/* Reaches a body from one that was, unless it was reached before. */
static uint32_t reach(vsp_world *world, uint32_t from, uint32_t other,
                      uint32_t rise, uint32_t tail)
{
    if (world->height[other] != VSP__NO_HEIGHT)
        return tail;
    world->height[other] = (uint16_t)(world->height[from] + rise);
    world->work.solve.stack_order[tail] = (uint16_t)other;
    return tail + 1u;
}

static uint32_t reach_joined(vsp_world *world, uint32_t body, uint32_t rise,
                             uint32_t tail)
{
    const vsp__joints *pool = vsp__joints_of(world);
    uint32_t link = pool->first[body];

    for (; link != 0; link = pool->next[link - 1u])
        tail = reach(world, body, vsp__joined_by(pool, link), rise, tail);
    return tail;
}

static uint32_t reach_touched(vsp_world *world, uint32_t body, uint32_t tail)
{
    const vsp__link *first = world->work.solve.link_first + body;
    uint32_t i;

    for (i = first[0]; i < first[1]; i++) {
        const uint16_t *ends = world->manifolds[world->links[i]].body;

        tail = reach(world, body, ends[ends[0] == body ? 1 : 0], 1, tail);
    }
    return tail;
}

/* stack_order is not yet in use: it holds the queue, in which all that does
 * not move comes first.  Where joints are one, what they hold together is
 * reached at once, at one height. */
static void find_heights(vsp_world *world, bool are_joints_one)
{
    uint16_t *queue = world->work.solve.stack_order, *height = world->height;
    uint32_t i, head, tail = 0;

    for (i = 0; i < world->body_limit; i++) {
        height[i] = VSP__NO_HEIGHT;
        if (vsp__is_awake(world->bodies + i))
            continue;
        height[i] = 0;
        queue[tail++] = (uint16_t)i;
    }
    world->layer_count = 0;
    for (head = 0; head < tail; head++) {
        uint32_t body = queue[head], next = tail;

        world->layer_count = height[body];
        tail = reach_touched(world, body, tail);
        if (!VSP_JOINTS)
            continue;
        if (!are_joints_one || height[body] == 0)
            tail = reach_joined(world, body, 1, tail);
        for (; are_joints_one && next < tail; next++)
            tail = reach_joined(world, queue[next], 0, tail);
    }
}

/* layer of a body: one less than its height, or the last for floating ones */
static uint16_t body_layer(const vsp_world *world, uint32_t body)
{
    uint32_t height = world->height[body];

    return (uint16_t)(height == 0                ? VSP__NO_LAYER
                      : height == VSP__NO_HEIGHT ? world->layer_count
                                                 : height - 1u);
}

uint16_t vsp__layer_of(const vsp_world *world, const uint16_t *body)
{
    uint32_t upper = world->height[body[0]] > world->height[body[1]] ? 0 : 1;

    return body_layer(world, body[upper]);
}

/* Says which layer a manifold is in and which of its bodies is the lower. */
static void place_manifold(const vsp_world *world, vsp__manifold *m)
{
    uint32_t a = world->height[m->body[0]], b = world->height[m->body[1]];

    m->flags = (uint8_t)((m->flags & VSP__TOUCHED) |
                         (a < b ? 1u : b < a ? 2u : 0));
    m->layer = vsp__layer_of(world, m->body);
}

static uint32_t layer_at(const uint16_t *layer, uint32_t apart, uint32_t i)
{
    return *(const uint16_t *)(const void *)((const unsigned char *)layer +
                                             (size_t)i * apart);
}

void vsp__sort_layers(const uint16_t *layer, uint32_t apart, uint32_t count,
                      uint32_t layers, uint16_t *first, uint16_t *order)
{
    uint32_t sum = 0, i;

    for (i = 0; i <= layers; i++)
        first[i] = 0;
    for (i = 0; i < count; i++)
        if (layer_at(layer, apart, i) != VSP__NO_LAYER)
            first[layer_at(layer, apart, i)]++;
    for (i = 0; i <= layers; i++) { /* counts become ends */
        sum += first[i];
        first[i] = (uint16_t)sum;
    }
    for (i = count; i-- > 0;) /* backwards: ends become starts */
        if (layer_at(layer, apart, i) != VSP__NO_LAYER)
            order[--first[layer_at(layer, apart, i)]] = (uint16_t)i;
}

/* Gives a manifold the last colour that none has at its moved bodies, or the
 * first one there is. */
static uint8_t take_colour(vsp_world *world, const uint16_t *body)
{
    uint32_t *used = world->problem.position.start.colours.used;
    uint32_t taken = used[body[0]] | used[body[1]], k;
    uint32_t colour = VSP__COLOURS - 1u;

    for (; colour > 0 && taken >> (VSP__COLOURS - 1u); colour--)
        taken <<= 1;
    for (k = 0; k < 2; k++)
        if (is_moved(world, body[k]))
            used[body[k]] |= (uint32_t)1 << colour;
    return (uint8_t)colour;
}

/* Sorts manifolds, first to last - 1 of layer_order, by colour: those of one
 * share no body that moves, but for the first colour's, so that sweeps can
 * take many at once.  They are given out from the last manifold back, the last
 * colour first: of the orders tried, sweeps converge fastest in this one. */
static void sort_layer(vsp_world *world, uint32_t list, uint32_t first,
                       uint32_t last)
{
    const vsp__manifold *m = vsp__manifolds(world, list);
    vsp__colours *c = &world->problem.position.start.colours;
    uint16_t *order = world->layer_order;
    uint32_t colour = VSP__COLOURS, i, k;

    for (i = first; i < last; i++)
        for (k = 0; k < 2; k++)
            c->used[m[order[i]].body[k]] = 0;
    for (i = last; i-- > first;) {
        c->order[i] = order[i];
        c->colour[i] = take_colour(world, m[order[i]].body);
        if (colour > c->colour[i])
            colour = c->colour[i];
    }
    for (k = first; k < last; colour++)
        for (i = first; i < last; i++)
            if (c->colour[i] == colour)
                order[k++] = c->order[i];
}

/* In list 1 what floated stays by pair. */
static void sort_colours(vsp_world *world, uint32_t list)
{
    const uint16_t *first = world->work.solve.layer_manifolds;
    uint32_t i;

    for (i = list; i <= world->layer_count; i++)
        if (first[i + 1u] - first[i] > 1)
            sort_layer(world, list, first[i], first[i + 1u]);
}

/* Whether list 1 stays by pair: with SUBSPACE, and where there are joints, as
 * piles of ragdolls part farther by layer. */
static bool is_by_pair(const vsp_world *world)
{
    return vsp__is_subspace(world) ||
           (VSP_JOINTS &&
            vsp__joints_of(world)->layer_joints[world->layer_count + 1u] > 0);
}

/* By layer; in list 1 what floated comes first.  What came down in this step is
 * among it, and a roof that bricks were corrected for before it was pushed out
 * itself presses them aside. */
static void sort_manifolds(vsp_world *world, uint32_t list)
{
    uint32_t count = world->contacts[list].manifold_count, i;
    vsp__manifold *m = vsp__manifolds(world, list);
    bool is_one = list == 1 && is_by_pair(world);

    for (i = 0; i < count; i++) {
        place_manifold(world, &m[i]);
        if (list == 1)
            m[i].layer = is_one || m[i].layer == world->layer_count
                             ? 0
                             : (uint16_t)(m[i].layer + 1u);
    }
    vsp__sort_layers(&m->layer, sizeof *m, count, world->layer_count + 1u,
                     world->work.solve.layer_manifolds, world->layer_order);
}

static void sort_layers(vsp_world *world)
{
    uint16_t *layer = world->island; /* not in use */
    vsp__solve *solve = &world->work.solve;
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        layer[i] = body_layer(world, i);
    vsp__sort_layers(layer, sizeof *layer, world->body_limit,
                     world->layer_count + 1u, solve->layer_bodies,
                     solve->stack_order);
    sort_manifolds(world, 0);
}

static uint32_t island_root(uint16_t *island, uint32_t body)
{
    while (island[body] != body) {
        island[body] = island[island[body]];
        body = island[body];
    }
    return body;
}

/* Two bodies are of one island, if both are moved. */
static void join_islands(vsp_world *world, const uint16_t *body)
{
    uint16_t *island = world->island;
    uint32_t a, b;

    if (!is_moved(world, body[0]) || !is_moved(world, body[1]))
        return;
    a = island_root(island, body[0]);
    b = island_root(island, body[1]);
    if (a < b)
        island[b] = (uint16_t)a;
    else
        island[a] = (uint16_t)b;
}

static void join_joints(vsp_world *world)
{
    const vsp__joints *pool = vsp__joints_of(world);
    uint32_t i, count = pool->layer_joints[world->layer_count + 1u];

    for (i = 0; i < count; i++)
        join_islands(world, pool->joints[pool->order[i]].body);
}

/* Moved bodies that touch, or are joined, share an island, named after its
 * lowest slot. */
static void find_islands(vsp_world *world)
{
    uint16_t *island = world->island;
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        island[i] = (uint16_t)i;
    for (i = 0; i < world->contacts[0].manifold_count; i++)
        join_islands(world, world->manifolds[i].body);
    if (VSP_JOINTS)
        join_joints(world);
    for (i = 0; i < world->body_limit; i++)
        island[i] = (uint16_t)island_root(island, i);
}

void vsp__stack(vsp_world *world, bool are_joints_one)
{
    const vsp__vec3 *gravity = &world->params.gravity;

    world->gravity_speed =
        r_max(u_mul(vsp__root(v3_product_at(gravity, gravity)),
                    world->params.dt),
              VSP__V(0.001));
    vsp__link_bodies(world);
    find_heights(world, are_joints_one);
    sort_layers(world);
    sort_colours(world, 0);
    if (VSP_JOINTS)
        vsp__sort_joints(world);
    if (VSP_CARRY || VSP_SLEEP || VSP_SUBSPACE)
        find_islands(world);
    world->stats.layer_count = world->layer_count;
}

/* Islands take the place of heights, from 1 on: each is one layer, in which
 * all that moves is free.  Their manifolds stay in the order of pairs, in which
 * a heavy box on small ones comes to rest. */
void vsp__sort_islands(vsp_world *world)
{
    const uint16_t *island = world->island;
    uint32_t count = 0, i;

    if (!VSP_SUBSPACE)
        return;
    for (i = 0; i < world->body_limit; i++) {
        if (!is_moved(world, i))
            continue;
        world->height[i] = island[i] == i ? (uint16_t)++count
                                          : world->height[island[i]];
    }
    world->layer_count = count > 0 ? count - 1u : 0;
    sort_layers(world);
    if (VSP_JOINTS)
        vsp__sort_joints(world);
    world->stats.layer_count = world->layer_count;
}


/* ---- Rows: assembly ------------------------------------------------------ */

void vsp__tangents(vsp__vec3 normal, vsp__vec3 *t1, vsp__vec3 *t2)
{
    vsp__vec3 t = r_abs(normal.x) < VSP__U(0.6)
                      ? v3(0, normal.z, -normal.y)  /* n x (1,0,0) */
                      : v3(-normal.y, normal.x, 0); /* n x (0,0,1) */

    vsp__normalize(&t);
    *t1 = t;
    u3_cross_to(&normal, t1, t2);
}

static void site_of(vsp_world *world, uint32_t list, uint32_t index,
                    vsp__site *s)
{
    uint32_t first;

    s->world = world;
    s->m = &vsp__manifolds(world, list)[index];
    first = s->m->first_point;
    s->points = &vsp__points(world, list)[first];
    s->block = world->problem.velocity.blocks + index;
    s->rows = world->problem.velocity.rows + first;
}

bool vsp__site_at(vsp_world *world, const vsp__span *span, uint32_t i,
                  vsp__site *s)
{
    if (i >= span->last)
        return false;
    site_of(world, span->list, world->layer_order[i], s);
    return true;
}

/* Whether the solve of this span moves the body.  Fixated ones (figure 12)
 * have no inverse mass but keep their velocity. */
static bool is_free(const vsp_world *world, const vsp__span *span,
                    uint32_t body)
{
    return world->height[body] >= span->lowest;
}

/* from both centres of mass to the middle between a point on a and one on b */
static void point_arms(const vsp_world *world, const vsp__manifold *m,
                       const vsp__point *p, vsp__vec3 *arm)
{
    vsp__vec3 d, a, b;

    vsp__point_arms(world, m, p, &d, &a, &b);
    v3_add_in(&a, &b);
    v3_add_in(&a, &d);
    u3_scale_in(&a, VSP__U(0.5));
    arm[0] = arm[1] = a;
    v3_sub_in(&arm[1], &d);
}

/* Fills the arms of a manifold's rows, in the axes of the world. */
static void find_arms(const vsp__site *s)
{
    uint32_t j;

    for (j = 0; j < s->m->point_count; j++)
        point_arms(s->world, s->m, s->points + j, s->rows[j].arm);
}

/* the velocity of b less that of a at a point, whose arms are in the axes of
 * the world */
static void meeting_velocity(const vsp__site *s, const vsp__row *row,
                             vsp__vec3 *u)
{
    const vsp__velocity *v = s->world->work.solve.velocity;
    vsp__vec3 of_a;

    velocity_at(&v[s->m->body[0]], &row->arm[0], &of_a);
    velocity_at(&v[s->m->body[1]], &row->arm[1], u);
    v3_sub_in(u, &of_a);
}

/* eq. 8 wants the first tangent along the sliding; below 0.1 m/s the
 * direction would be noise */
static void sliding_tangents(const vsp__site *s)
{
    const vsp__vec3 *n = &s->m->normal;
    vsp__vec3 *axis = s->block->axes.axis;
    vsp__vec3 u;

    meeting_velocity(s, s->rows, &u);
    u3_move(&u, r_neg(u3_dot_at(&u, n)), n);
    if (v3_product_at(&u, &u) < r_square(VSP__V(0.1)))
        return;
    vsp__normalize(&u);
    axis[1] = u;
    u3_cross_to(n, &axis[1], &axis[2]);
}

const vsp__inverse *vsp__free_inverse(const vsp_world *world,
                                      const vsp__span *span, uint32_t body)
{
    static const vsp__inverse fixated;

    return is_free(world, span, body) ? &world->work.solve.inverse[body]
                                      : &fixated;
}

/* what resists the motion of a manifold's bodies in the solve of a span */
static void free_inverses(const vsp__span *span, const vsp__site *s,
                          const vsp__inverse **inverse)
{
    uint32_t i;

    for (i = 0; i < 2; i++)
        inverse[i] = vsp__free_inverse(s->world, span, s->m->body[i]);
}

/* Fills a block; its rows follow. */
static void assemble_block(const vsp__inverse *const *inverse,
                           const vsp__manifold *m, vsp__block *block)
{
    vsp__wide a = inverse[0]->mass, b = inverse[1]->mass;
    vsp__wide sum = w_add(a, b);

    VSP_ASSERT(w_less(W_ZERO, sum));
    block->inv_mass = sum;
    block->share[0] = -w_to_unit(w_div(a, sum));
    block->share[1] = w_to_unit(w_div(b, sum));
    block->axes.axis[0] = m->normal;
    vsp__tangents(m->normal, &block->axes.axis[1], &block->axes.axis[2]);
}

/* what resists turning by the multipliers of a block, in its axes: inverse
 * inertia over block.inv_mass */
static void block_inertia(const vsp__inverse *inverse,
                          const vsp__block *block, uint32_t side,
                          vsp__sym3 *s)
{
    *s = s3_zero();
    if (block->share[side] == 0)
        return;
    vsp__seen_from(&block->axes, &inverse->inertia, s);
    vsp__scale(s, r_abs(block->share[side]));
}

/* arm x axis k of the block, and what it turns */
static vsp__real fill_turn(const vsp__sym3 *inertia, const vsp__vec3 *arm,
                           uint32_t k, uint32_t scale, vsp__vec3 *t)
{
    vsp__vec3 c = k == 0   ? v3(0, arm->z, -arm->y)
                  : k == 1 ? v3(-arm->z, 0, arm->x)
                           : v3(arm->y, -arm->x, 0);

    return vsp__turn(inertia, &c, scale, t);
}

/* Fills the geometry of one point's rows but for the arms. */
static void assemble_row(const vsp__sym3 *inertia, uint32_t scale,
                         bool is_cone, vsp__row *row)
{
    vsp__real one = VSP__R(1.0), inverse[3];
    uint32_t k;

    for (k = 0; k < 3; k++) {
        vsp__real a = fill_turn(&inertia[0], &row->arm[0], k, scale,
                                &row->turn[0][k]);
        vsp__real b = fill_turn(&inertia[1], &row->arm[1], k, scale,
                                &row->turn[1][k]);

        v3_flip_in(&row->turn[0][k], true); /* multipliers act on b */
        /* of a thin body a or b may be rounded to less than 0 */
        inverse[k] = vsp__reciprocal(r_max(one, r_add(r_add(one, a), b)));
    }
    if (is_cone) /* one step for both keeps the direction right */
        inverse[1] = inverse[2] = r_min(inverse[1], inverse[2]);
    for (k = 0; k < 3; k++)
        row->stride[k] = r_stride(inverse[k]);
}

/* Takes the arms of a manifold's rows into its axes.  Returns the largest
 * component. */
static vsp__real assemble_arms(const vsp__site *s)
{
    vsp__real size = 0;
    uint32_t j, k;

    for (j = 0; j < s->m->point_count; j++) {
        vsp__vec3 *arm = s->rows[j].arm;

        for (k = 0; k < 2; k++) {
            m3_tmul_to(&s->block->axes, &arm[k], &arm[k]);
            size = r_max(size, v3_size_at(&arm[k]));
        }
    }
    return size;
}

static void assemble_site(const vsp__span *span, const vsp__site *s)
{
    bool is_cone = vsp__has_cones(s->world);
    const vsp__inverse *inverse[2];
    vsp__sym3 inertia[2];
    uint32_t scale, j;

    if (vsp__is_shock(s->world)) /* moved since vsp__find_biases found them */
        find_arms(s);
    free_inverses(span, s, inverse);
    assemble_block(inverse, s->m, s->block);
    if (!is_cone)
        sliding_tangents(s);
    for (j = 0; j < 2; j++)
        block_inertia(inverse[j], s->block, j, &inertia[j]);
    scale = vsp__turn_scale(inertia, assemble_arms(s));
    vsp__set_turn_scale(s->block, scale);
    for (j = 0; j < s->m->point_count; j++)
        assemble_row(inertia, scale, is_cone, s->rows + j);
}

/* Assembles the velocity problem of a span of list 0, and warm-starts its
 * contacts, if asked to: one after the other, while they are at hand, but for
 * pyramids, which ask how bodies slid before. */
void vsp__assemble(vsp_world *world, const vsp__span *span, vsp__real part,
                   bool is_start)
{
    bool is_cone = vsp__has_cones(world);
    bool is_wide = VSP__LANES > 1 && is_cone && !vsp__is_shock(world);
    uint32_t i, done;
    vsp__site s;

    if (VSP__LANES > 1)
        vsp__drop_lanes(world);
    if (VSP_JOINTS)
        vsp__assemble_joints(world, span, world->params.dt, part);
    for (i = done = span->first; vsp__site_at(world, span, i, &s); i++) {
        if (VSP__LANES > 1 && is_wide && i == done)
            done += vsp__assemble_lanes(world, span, i);
        else if (!is_wide)
            assemble_site(span, &s);
        if (is_start && is_cone)
            vsp__warm_start(&s);
    }
    for (i = span->first; is_start && !is_cone &&
                          vsp__site_at(world, span, i, &s); i++)
        vsp__warm_start(&s);
}


/* ---- Rows: sweeps ---------------------------------------------------------
 * Projected Gauss-Seidel, eq. 28-33, matrix-free.  A manifold's bodies are
 * taken into its axes once; there the relative linear velocity e takes a
 * multiplier's change whole, because multipliers are divided by the mass. */

/* Velocity at which b's surface runs along a contact, less a's: in the world,
 * without what is along the normal. */
static void belt_velocity(const vsp_world *world, const vsp__manifold *m,
                          vsp__vec3 *v)
{
    vsp__vec3 of[2];
    uint32_t i;

    for (i = 0; i < 2; i++)
        m3_mul_to(world->work.solve.axes + m->body[i],
                 &world->shapes[m->shape[i]].surface, &of[i]);
    *v = of[1];
    v3_sub_in(v, &of[0]);
    vsp__flush(v, 3);
    u3_move(v, r_neg(u3_dot_at(v, &m->normal)), &m->normal);
}

/* Where they begin. */
static inline void see_local(const vsp__site *s, const vsp__velocity *u,
                             vsp__local *l)
{
    const vsp__mat3 *axes = &s->block->axes;
    const vsp__velocity *a = &u[s->m->body[0]], *b = &u[s->m->body[1]];
    vsp__vec3 e = v3_way(b->linear, a->linear);

    if (s->world->belt_count > 0) {
        vsp__vec3 belt;

        belt_velocity(s->world, s->m, &belt);
        e = v3_add(v3_sat(e), belt);
    }
    m3_tmul_to(axes, &e, &l->e0);
    m3_tmul_to(axes, &a->angular, &l->w0[0]);
    m3_tmul_to(axes, &b->angular, &l->w0[1]);
}

/* l begins where another does; it may be that one. */
static inline void begin_local(const vsp__site *s, const vsp__local *from,
                               vsp__local *l)
{
    vsp__begin_moving(&l->e, &from->e0);
    vsp__begin_turning(&l->w[0], &from->w0[0]);
    vsp__begin_turning(&l->w[1], &from->w0[1]);
    l->scale = vsp__get_turn_scale(s->block);
}

void vsp__to_local(const vsp__site *s, const vsp__velocity *u, vsp__local *l)
{
    see_local(s, u, l);
    begin_local(s, l, l);
}

/* Adds to the spin of one of a manifold's bodies what changed. */
static inline void give_spin(const vsp__mat3 *axes, const vsp__local *l,
                             uint32_t i, vsp__velocity *v)
{
    vsp__vec3 w = vsp__way_turned(l->w + i, l->w0 + i);

    m3_mul_to(axes, &w, &w);
    v3_add_in(&v->angular, &w);
}

void vsp__from_local(const vsp__site *s, const vsp__local *l,
                     vsp__velocity *restrict u)
{
    const vsp__mat3 *axes = &s->block->axes;
    const vsp__real *share = s->block->share;
    vsp__vec3 e = vsp__way_moved(&l->e, &l->e0);
    vsp__velocity *a = &u[s->m->body[0]], *b = &u[s->m->body[1]];

    m3_mul_to(axes, &e, &e);
    if (share[0] != 0) {
        vsp__take(&a->linear, &e, share[0]);
        give_spin(axes, l, 0, a);
    }
    if (share[1] != 0) {
        vsp__give(&b->linear, &e, share[1]);
        give_spin(axes, l, 1, b);
    }
}

/* Changes the velocities as multiplier k of a row does that changes by d:
 * eq. 33. */
static inline void push_row(vsp__local *l, const vsp__row *row, uint32_t k,
                            vsp__real d)
{
    vsp__move(k == 0 ? &l->e.x : k == 1 ? &l->e.y : &l->e.z, d);
    vsp__turn_both(l->w, d, &row->turn[0][k], &row->turn[1][k], l->scale);
}

/* Makes x what it is to be.  Returns by how much it changed. */
static inline vsp__real change(vsp__real *x, vsp__real to)
{
    vsp__real d = r_sub(to, *x);

    *x = to;
    return d;
}

#if VSP__TOGETHER

/* push_row of the normal, then how the point slides; and of both tangents */

static inline void push_normal(vsp__local *l, const vsp__row *row,
                               vsp__real d, vsp__real slide[2])
{
    vsp__move(&l->e.x, d);
    vsp__turn_normal(&l->e, l->w, d, row->arm, row->turn, l->scale, slide);
}

static inline void push_tangents(vsp__local *l, const vsp__row *row,
                                 vsp__real d1, vsp__real d2)
{
    vsp__move(&l->e.y, d1);
    vsp__move(&l->e.z, d2);
    vsp__turn_tangents(l->w, d1, d2, row->turn, l->scale);
}

#else

static inline void push_normal(vsp__local *l, const vsp__row *row,
                               vsp__real d, vsp__real slide[2])
{
    vsp__vec3 u;

    push_row(l, row, 0, d);
    u = vsp__row_velocity(l, row);
    slide[0] = u.y;
    slide[1] = u.z;
}

static inline void push_tangents(vsp__local *l, const vsp__row *row,
                                 vsp__real d1, vsp__real d2)
{
    push_row(l, row, 1, d1);
    push_row(l, row, 2, d2);
}

#endif

/* The row of the normal; velocities are those before it. */
static inline vsp__real sweep_normal(const vsp__local *l, const vsp__row *row,
                                     vsp__point *p)
{
    vsp__real *x = p->multiplier.row;
    vsp__real u = vsp__approach(&l->e, l->w, row->arm, p->bias);

    return change(x, r_max(r_step(*x, u, row->stride[0]), 0));
}

/* Both tangents from one velocity, then back into the cone.  Returns the
 * largest change, or what was larger. */
static inline vsp__real sweep_cone(vsp__local *l, const vsp__row *row,
                                   vsp__real friction, vsp__point *p,
                                   vsp__real largest)
{
    vsp__real *x = p->multiplier.row, slide[2], t1, t2, d;

    d = sweep_normal(l, row, p);
    push_normal(l, row, d, slide);
    largest = r_max_size(largest, d);
    t1 = r_step(x[1], slide[0], row->stride[1]);
    t2 = r_step(x[2], slide[1], row->stride[1]);
    vsp__clamp_to_disc(r_mul(friction, x[0]), &t1, &t2);
    d = change(&x[1], t1);
    t2 = change(&x[2], t2);
    push_tangents(l, row, d, t2);
    return r_max(largest, r_max_size(r_size(d), t2));
}

/* One tangent after the other, each within its bounds, eq. 29-30. */
static inline vsp__real sweep_pyramid(vsp__local *l, const vsp__row *row,
                                      vsp__real friction, vsp__point *p,
                                      vsp__real largest)
{
    vsp__real *x = p->multiplier.row, d = sweep_normal(l, row, p), limit;
    uint32_t k;

    push_row(l, row, 0, d);
    largest = r_max_size(largest, d);
    limit = r_mul(friction, x[0]);
    for (k = 1; k < 3; k++) {
        vsp__vec3 u = vsp__row_velocity(l, row);
        vsp__real to = r_step(x[k], k == 1 ? u.y : u.z, row->stride[k]);

        d = change(&x[k], r_clamp(to, -limit, limit));
        push_row(l, row, k, d);
        largest = r_max_size(largest, d);
    }
    return largest;
}

/* The points of a manifold with cones.  The velocities are a copy, so that
 * compilers keep floats in registers; those of the fixed kind are too many.
 * Returns the largest change. */
static inline vsp__real sweep_cones(const vsp__site *s, vsp__local *velocities)
{
    vsp__real largest = 0;
    vsp__local copy, *l = velocities;
    uint32_t j, count = s->m->point_count;

    if (!VSP_FIXED)
        l = &copy;
    begin_local(s, velocities, l);
    for (j = 0; j < count; j++)
        largest = sweep_cone(l, s->rows + j, s->m->friction, s->points + j,
                             largest);
    velocities->e = l->e;
    velocities->w[0] = l->w[0];
    velocities->w[1] = l->w[1];
    return largest;
}

static vsp__real sweep_pyramids(const vsp__site *s, vsp__local *l)
{
    vsp__real largest = 0;
    uint32_t j;

    begin_local(s, l, l);
    for (j = 0; j < s->m->point_count; j++)
        largest = sweep_pyramid(l, s->rows + j, s->m->friction, s->points + j,
                                largest);
    return largest;
}

static vsp__real sweep_manifold(const vsp__site *s)
{
    vsp__real largest;
    vsp__local l;

    see_local(s, s->world->work.solve.velocity, &l);
    largest = vsp__has_cones(s->world) ? sweep_cones(s, &l)
                                       : sweep_pyramids(s, &l);
    vsp__from_local(s, &l, s->world->work.solve.velocity);
    return largest;
}

/* One sweep over the manifolds of a span.  Returns the largest change. */
static vsp__real sweep_manifolds(vsp_world *world, const vsp__span *span)
{
    vsp__real largest = 0;
    uint32_t i, rows = 0;
    vsp__site s;

    for (i = span->first; vsp__site_at(world, span, i, &s); i++) {
        largest = r_max(largest, sweep_manifold(&s));
        rows += 3u * s.m->point_count;
    }
    world->stats.row_updates += rows;
    return largest;
}

/* Sweeps a span until the largest change of a multiplier, in m/s, is below
 * tolerance, at most count times.  Returns that largest change.  Lanes are
 * filled for the second sweep, as many a span needs but one; for the first
 * where there were more the last time. */
vsp__real vsp__sweep(vsp_world *world, const vsp__span *span, uint32_t count,
                    vsp__real tolerance)
{
    vsp__real largest = 0;
    bool is_wide = false;
    uint32_t wide = VSP__LANES > 1 ? vsp__first_wide(world) : count, k;

    for (k = 0; k < count; k++) {
        if (VSP__LANES > 1 && k == wide)
            is_wide = vsp__fill_lanes(world, span);
        largest = VSP_JOINTS ? vsp__sweep_joints(world, span) : 0;
        largest = r_max(largest, VSP__LANES > 1 && is_wide
                                     ? vsp__sweep_lanes(world, false)
                                     : sweep_manifolds(world, span));
        vsp__hold_all_locks(world, world->work.solve.velocity);
        world->stats.sweep_count++;
        if (largest < tolerance)
            break;
    }
    if (VSP__LANES > 1)
        vsp__end_wide(world, span, is_wide, k);
    world->stats.residual = largest;
    return largest;
}

void vsp__push_point(vsp__local *l, const vsp__row *row,
                     const vsp__real x[3])
{
    uint32_t k;

    for (k = 0; k < 3; k++)
        push_row(l, row, k, x[k]);
}

/* Changes velocities by the multipliers of a manifold, taken from 0. */
static void apply_rows(const vsp__site *s)
{
    vsp__velocity *u = s->world->work.solve.velocity;
    vsp__local l;
    uint32_t j;

    vsp__to_local(s, u, &l);
    for (j = 0; j < s->m->point_count; j++)
        vsp__push_point(&l, s->rows + j, s->points[j].multiplier.row);
    vsp__from_local(s, &l, u);
}


/* ---- Predict and carry ------------------------------------------------------
 * For a stack that sticks, the problem factors: velocities follow from the
 * bottom up (given the body below), multipliers from the top down (given the
 * body above).  Both passes go over bodies, and treat all the points that
 * carry a body from below as one riveted joint: the body's velocity is the
 * rigid motion that fits the points' velocities best, and its load goes to
 * the points in proportion to their distance from the neutral axis, as
 * loads go to the rivets of a plate.  That takes one 3x3 matrix, the second
 * moment of the points.
 *
 * Every impulse acts on both bodies with their true masses: nothing is
 * fixated, and momentum is kept to rounding. */

/* a try may leave points out, and one weighs by load: more do not help */
#define WELD_TRIES 5u

/* A trace of motion: what rounding makes of a load that is borne.  4e-6 m/s in
 * floats and, in fixed point, four of the smallest steps of a rate. */
#define TRACE VSP__R(4e-6)

/* friction that bears it: more than VSP__PULL, by which it is bound, too */
#define GRIP VSP__R(0.001)

typedef enum freedom { /* what the points leave to the body's own motion */
    FREE_NOT,   /* three or more points: nothing */
    FREE_HINGE, /* points in a line: to turn about it */
    FREE_BALL,  /* a single point: to turn */
    FREE_ALL    /* no point: everything */
} freedom;

typedef struct fit { /* of the points that carry a body */
    vsp__vec3 center;         /* weighted mean of the arms */
    vsp__real weight;        /* sum of weights; 1 where there is none */
    vsp__sym3 inv_spread;    /* inverse of sum w (r.r 1 - r r^T), r - center */
    vsp__vec3 mean;           /* velocity of the center, as the points want */
    vsp__vec3 hinge;          /* points in a line: its direction */
    freedom free;
    vsp__velocity motion;    /* of the body */
} fit;

static bool carries(const vsp__manifold *m, uint32_t body)
{
    uint32_t lower = vsp__lower(m);

    return lower != 0 && !(m->flags & VSP__SWEPT) &&
           m->body[2 - lower] == body;
}

/* Multipliers of a row as impulses on the bodies, by their masses: how they
 * change the velocity of body side.  a's share is negative, as it has to be:
 * multipliers act on b. */
static void row_impulse(const vsp__site *it, const vsp__real *x, uint32_t side,
                        vsp__vec3 *p)
{
    *p = v3(x[0], x[1], x[2]);
    u3_scale_in(p, it->block->share[side]);
    m3_mul_to(&it->block->axes, p, p);
}

/* from the lower body to the upper one */
static void support_normal(const vsp__manifold *m, vsp__vec3 *normal)
{
    *normal = v3_signed(m->normal, vsp__lower(m) == 2);
}

/* the part of v along the normal of a support */
static vsp__real along_normal(const vsp_world *world, const vsp__support *s,
                              const vsp__vec3 *v)
{
    vsp__vec3 normal;

    support_normal(world->manifolds + s->manifold, &normal);
    return u3_dot_at(v, &normal);
}

/* A point on a belt is to go along with it. */
static void add_belt_target(const vsp_world *world, const vsp__manifold *m,
                            vsp__vec3 *target)
{
    vsp__vec3 belt;

    belt_velocity(world, m, &belt);
    if (vsp__lower(m) == 1)
        v3_sub_in(target, &belt);
    else
        v3_add_in(target, &belt);
}

static void gather_point(const vsp_world *world, const vsp__site *it,
                         uint32_t point, vsp__real far_speed, vsp__support *s)
{
    const vsp__row *row = it->rows + point;
    const vsp__point *p = it->points + point;
    const vsp__real *x = p->multiplier.row;
    const vsp__mat3 *axes = &it->block->axes;
    uint32_t low = vsp__lower(it->m) - 1u;
    vsp__vec3 normal;

    m3_mul_to(axes, row->arm + 1 - low, &s->arm);
    support_normal(it->m, &normal);
    m3_mul_to(axes, row->arm + low, &s->target);
    velocity_at(&world->work.solve.line[it->m->body[low]].predicted,
                &s->target, &s->target);
    u3_move(&s->target, -p->bias, &normal);
    if (world->belt_count > 0)
        add_belt_target(world, it->m, &s->target);
    row_impulse(it, x, 1 - low, &s->kept);
    s->weight = p->bias < far_speed || x[0] > 0 ? VSP__R(1.0) : 0;
    s->point = (uint16_t)point;
}

/* Lists what carries a body, with the impulses there are now.  Returns the
 * count, 0 when there are too many. */
static uint32_t gather_supports(vsp_world *world, uint32_t body)
{
    vsp__real far_speed = r_mul(VSP__R(2.0), world->gravity_speed);
    uint32_t most = VSP__SUPPORTS_OF(world->params.capacity.contacts);
    const vsp__link *first = world->work.solve.link_first + body;
    uint32_t count = 0, i, j;

    for (i = first[0]; i < first[1]; i++) {
        vsp__site it;

        site_of(world, 0, world->links[i], &it);
        if (!carries(it.m, body))
            continue;
        if (count + it.m->point_count > most)
            return 0;
        for (j = 0; j < it.m->point_count; j++) {
            world->one.supports[count].manifold = world->links[i];
            gather_point(world, &it, j, far_speed,
                         world->one.supports + count++);
        }
    }
    return count;
}

/* the direction of the weighted point farthest from the center, or zero */
static void farthest_direction(const vsp_world *world, uint32_t count,
                               const vsp__vec3 *center, vsp__vec3 *best)
{
    const vsp__support *s = world->one.supports, *end = s + count;
    vsp__square largest = r_square(VSP__R(1e-4));

    *best = v3_zero();
    for (; s < end; s++) {
        vsp__vec3 r = s->arm;
        vsp__square square;

        v3_sub_in(&r, center);
        square = v3_product_at(&r, &r);
        if (s->weight > 0 && square > largest) {
            largest = square;
            *best = r;
        }
    }
    if (v3_size_at(best) > 0)
        vsp__normalize(best);
}

/* Inverts the second moment, or what of it there is: points in a line, or a
 * single one, leave the body free to turn. */
static void invert_spread(const vsp_world *world, uint32_t count,
                          const vsp__sums *sums, fit *f)
{
    vsp__sym3 moment;

    vsp__sum_up(sums, &moment);
    f->free = FREE_NOT;
    if (vsp__invert(&moment, 17, &f->inv_spread))
        return;
    farthest_direction(world, count, &f->center, &f->hinge);
    f->free = v3_size_at(&f->hinge) > 0 ? FREE_HINGE : FREE_BALL;
    if (f->free == FREE_HINGE)
        vsp__across(&f->hinge, &moment, &f->inv_spread);
}

/* Fits a rigid motion to the targets, least squares by weight. */
static void fit_supports(const vsp_world *world, uint32_t count, fit *f)
{
    const vsp__support *s, *end = world->one.supports + count;
    vsp__vec3 moment = v3_zero();
    vsp__sums sums = {0};

    f->weight = 0;
    f->center = f->mean = moment;
    for (s = world->one.supports; s < end; s++) {
        f->weight = r_add(f->weight, s->weight);
        v3_move(&f->center, s->weight, &s->arm);
        v3_move(&f->mean, s->weight, &s->target);
    }
    f->free = FREE_ALL;
    f->inv_spread = s3_zero();
    if (!(f->weight > 0)) {
        f->weight = VSP__R(1.0);
        return;
    }
    vsp__over(&f->center, f->weight);
    vsp__over(&f->mean, f->weight);
    for (s = world->one.supports; s < end; s++) {
        vsp__vec3 r = s->arm, turn = s->target;

        v3_sub_in(&r, &f->center);
        vsp__add_spread(&sums, s->weight, &r);
        v3_sub_in(&turn, &f->mean);
        v3_cross_to(&r, &turn, &turn);
        v3_move(&moment, s->weight, &turn);
    }
    invert_spread(world, count, &sums, f);
    s3_mul_to(&f->inv_spread, &moment, &f->motion.angular);
}

/* angular impulse about the center, by the body's mass, that takes it from
 * one velocity to a motion with the fit's mean velocity there and the spin
 * w: m^2/s */
static void center_torque(const vsp_world *world, uint32_t body,
                          const fit *f, const vsp__velocity *from,
                          const vsp__vec3 *w, vsp__vec3 *torque)
{
    vsp__vec3 p = f->mean, turning;

    v3_cross_to(w, &f->center, &turning);
    v3_sub_in(&p, &turning);
    v3_sub_in(&p, &from->linear);
    v3_cross_to(&f->center, &p, &p);
    *torque = *w;
    v3_sub_in(torque, &from->angular);
    inertia_mul(world, body, torque);
    v3_sub_in(torque, &p);
}

/* Inertia of one kilogram of a body about the fit's center, in the world. */
static void center_inertia(const vsp_world *world, uint32_t body,
                           const fit *f, vsp__sym3 *inertia)
{
    vsp__sums sums = {0};

    *inertia = world->bodies[body].matter.inertia;
    vsp__rotate(world->work.solve.axes + body, inertia);
    vsp__add_sym(&sums, VSP__U(1.0), inertia);
    vsp__add_spread(&sums, VSP__R(1.0), &f->center);
    vsp__sum_up(&sums, inertia);
}

/* The spin about the hinge at which no torque acts along it. */
static void swing_on_hinge(const vsp_world *world, uint32_t body, fit *f,
                           const vsp__velocity *from)
{
    vsp__sym3 inertia;
    vsp__vec3 torque;
    vsp__wide about;

    center_torque(world, body, f, from, &f->motion.angular, &torque);
    center_inertia(world, body, f, &inertia);
    about = w_div(w_of_rate(r_neg(u3_dot_at(&f->hinge, &torque))),
                  vsp__along(&inertia, &f->hinge));
    u3_move(&f->motion.angular, w_to_rate(about), &f->hinge);
}

/* The spin at which no torque acts at the center: inertia about the center
 * times w = torque without w. */
static void swing_on_ball(const vsp_world *world, uint32_t body, fit *f,
                          const vsp__velocity *from)
{
    vsp__vec3 torque, *w = &f->motion.angular;
    vsp__sym3 inertia, inverse;

    *w = v3_zero();
    center_inertia(world, body, f, &inertia);
    if (!vsp__invert(&inertia, 30, &inverse))
        return;
    center_torque(world, body, f, from, w, &torque);
    s3_mul_to(&inverse, &torque, w);
    *w = v3_neg(*w);
}

/* Completes the fit: what the points leave free follows from where the body
 * comes from. */
static void complete_fit(const vsp_world *world, uint32_t body, fit *f,
                         const vsp__velocity *from)
{
    vsp__vec3 turning;

    if (f->free == FREE_ALL) {
        f->motion = *from;
        return;
    }
    if (f->free == FREE_HINGE)
        swing_on_hinge(world, body, f, from);
    if (f->free == FREE_BALL)
        swing_on_ball(world, body, f, from);
    v3_cross_to(&f->motion.angular, &f->center, &turning);
    f->motion.linear = f->mean;
    v3_sub_in(&f->motion.linear, &turning);
}

/* Whether the fitted motion suits every point: those that carry move as they
 * want, within slack; those left out are not run into. */
static bool suits_all(const vsp_world *world, uint32_t count, const fit *f,
                      vsp__real slack)
{
    const vsp__support *s = world->one.supports, *end = s + count;

    for (; s < end; s++) {
        vsp__vec3 off;

        velocity_at(&f->motion, &s->arm, &off);
        v3_sub_in(&off, &s->target);
        if (s->weight > 0 ? v3_size_at(&off) > slack
                          : along_normal(world, s, &off) <
                                u_mul(VSP__U(-0.005), slack))
            return false;
    }
    return true;
}

/* Shares the impulse that takes a body from a velocity to the fitted motion
 * among its supports, by weight and by distance from their center, on top of
 * what they keep. */
static void share_impulse(vsp_world *world, uint32_t body, uint32_t count,
                          const fit *f, const vsp__velocity *from)
{
    vsp__support *s = world->one.supports, *end = s + count;
    vsp__vec3 even = f->motion.linear, bend;

    v3_sub_in(&even, &from->linear);
    vsp__over(&even, f->weight);
    center_torque(world, body, f, from, &f->motion.angular, &bend);
    s3_mul_to(&f->inv_spread, &bend, &bend);
    for (; s < end; s++) {
        vsp__vec3 r = s->arm;

        v3_sub_in(&r, &f->center);
        v3_cross_to(&bend, &r, &r);
        v3_add_in(&r, &even);
        s->impulse = s->kept;
        v3_move(&s->impulse, s->weight, &r);
    }
}

typedef enum verdict {
    LOAD_OK,
    LOAD_PULLS, /* a normal is negative: its point was left out */
    LOAD_SLIPS  /* friction is not enough somewhere */
} verdict;

/* Parts what a support bears: returns what is along the normal, *t is the
 * rest. */
static vsp__real part_impulse(const vsp_world *world, const vsp__support *s,
                              vsp__vec3 *normal, vsp__vec3 *t)
{
    vsp__real n;

    support_normal(world->manifolds + s->manifold, normal);
    *t = s->impulse;
    n = u3_dot_at(t, normal);
    u3_move(t, r_neg(n), normal);
    return n;
}

/* Holds the shared impulses against the cone of every point. */
static verdict judge_load(vsp_world *world, uint32_t count)
{
    vsp__real slack = u_mul(VSP__U(1e-4), world->gravity_speed);
    vsp__support *s = world->one.supports, *end = s + count;
    verdict v = LOAD_OK;

    for (; s < end; s++) {
        vsp__vec3 t, normal;
        vsp__real n, limit;

        if (!(s->weight > 0))
            continue;
        n = part_impulse(world, s, &normal, &t);
        if (n < -slack) {
            s->weight = 0;
            v = LOAD_PULLS;
        }
        limit = r_add(r_mul(world->manifolds[s->manifold].friction,
                            r_max(n, 0)), slack);
        if (v == LOAD_OK && v3_product_at(&t, &t) > r_square(limit))
            v = LOAD_SLIPS;
    }
    return v;
}

/* Weighs each point by the load it bears: their centre is then the centre of
 * pressure, and friction is asked of each in proportion. */
static void weigh_by_load(vsp_world *world, uint32_t count)
{
    vsp__support *s, *end = world->one.supports + count;
    vsp__real largest = 0;

    for (s = world->one.supports; s < end; s++)
        if (s->weight > 0)
            largest = r_max(largest, along_normal(world, s, &s->impulse));
    if (!(largest > 0))
        return;
    for (s = world->one.supports; s < end; s++)
        if (s->weight > 0)
            s->weight = r_max(r_div(along_normal(world, s, &s->impulse),
                                    largest),
                              VSP__R(0.0001));
}

/* Makes multipliers what changes the velocity of a body with this share by
 * to; tells by how much they changed. */
static void set_row(vsp__real *x, const vsp__vec3 *to, vsp__real share,
                    vsp__real *change)
{
    const vsp__real *part = &to->x;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        vsp__real before = x[k];

        x[k] = u_div(part[k], share);
        change[k] = r_sub(x[k], before);
    }
}

/* Makes the supports' impulses the multipliers; what changed acts on the
 * lower bodies. */
static void commit_load(vsp_world *world, uint32_t count)
{
    const vsp__support *s = world->one.supports, *end = s + count;

    for (; s < end; s++) {
        uint32_t low, below;
        vsp__real change[3];
        vsp__vec3 p, t;
        vsp__site it;

        site_of(world, 0, s->manifold, &it);
        low = vsp__lower(it.m) - 1u;
        below = it.m->body[low];
        m3_tmul_to(&it.block->axes, &s->impulse, &t);
        set_row(it.points[s->point].multiplier.row, &t,
                it.block->share[1 - low], change);
        row_impulse(&it, change, low, &p);
        m3_mul_to(&it.block->axes, &it.rows[s->point].arm[low], &t);
        if (is_moved(world, below))
            apply_impulse(world->work.solve.inverse + below,
                          world->work.solve.velocity + below, &t, &p);
    }
}

/* Takes what the supports bear back from a body. */
static void unload(vsp_world *world, uint32_t body, uint32_t count,
                   vsp__velocity *v)
{
    vsp__support *s = world->one.supports, *end = s + count;

    for (; s < end; s++) {
        vsp__vec3 p = v3_neg(s->kept);

        apply_impulse(world->work.solve.inverse + body, v, &s->arm, &p);
        s->kept = v3_zero();
    }
}

/* Whether points that are left out bear something. */
static bool idle_bears(const vsp_world *world, uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count; i++) {
        const vsp__support *s = world->one.supports + i;

        if (!(s->weight > 0) && v3_size_at(&s->kept) > 0)
            return true;
    }
    return false;
}

/* Welds a body, coming from a velocity, to the supports listed.  Points that
 * would have to pull are left out and, where friction is short, it is asked
 * from the loaded points.  Returns false when no try holds; the impulses are
 * those of the last one. */
static bool weld(vsp_world *world, uint32_t body, uint32_t count,
                 uint32_t tries, const vsp__velocity *from, fit *f)
{
    vsp__real slack = r_mul(VSP__R(2.0), world->gravity_speed);
    bool is_weighed = false;

    while (tries-- > 0) {
        verdict v;

        fit_supports(world, count, f);
        complete_fit(world, body, f, from);
        share_impulse(world, body, count, f, from);
        world->stats.row_updates += 3u * count;
        if (!suits_all(world, count, f, slack))
            return false;
        v = judge_load(world, count);
        if (v == LOAD_OK)
            return true;
        if (v == LOAD_SLIPS) {
            if (is_weighed)
                return false;
            weigh_by_load(world, count);
            is_weighed = true;
        }
    }
    return false;
}

/* Where no try holds, what of the last one the cones allow: without what
 * pulls, and no more push in all than there was with it.  Changes a velocity
 * by that. */
static void bear_part(vsp_world *world, uint32_t body, uint32_t count,
                      vsp__velocity *v)
{
    vsp__support *s = world->one.supports, *end = s + count;
    vsp__real net = 0, pushed = 0, part = VSP__U(1.0);

    for (; s < end; s++) {
        vsp__real n = along_normal(world, s, &s->impulse);

        net = r_add(net, n);
        pushed = r_add(pushed, r_max(n, 0));
    }
    if (net < pushed)
        part = net > 0 ? u_div(net, pushed) : 0;
    for (s = world->one.supports; s < end; s++) {
        vsp__vec3 t, normal;
        vsp__real n = part_impulse(world, s, &normal, &t), limit, size;
        vsp__square square;

        n = u_mul(part, r_max(n, 0));
        limit = r_mul(world->manifolds[s->manifold].friction, n);
        square = v3_product_at(&t, &t);
        size = vsp__root(square); /* 0 where next to nothing is left */
        if (size > 0 && square > r_square(limit))
            u3_scale_in(&t, u_div(limit, size));
        u3_move(&t, n, &normal);
        s->impulse = t;
        apply_impulse(world->work.solve.inverse + body, v, &s->arm, &t);
    }
}

/* Whether a body's supports alone can say how it moves. */
static bool is_welded(const vsp_world *world, uint32_t body)
{
    return !(world->bodies[body].flags & VSP__LOCKS) &&
           !vsp__has_joints(world, body);
}

static bool has_changed(const vsp__velocity *v, const vsp__velocity *from,
                        vsp__real much)
{
    const vsp__real *a = &v->linear.x, *b = &from->linear.x;
    uint32_t k;

    for (k = 0; k < 6; k++)
        if (r_abs(r_sub(a[k], b[k])) > much)
            return true;
    return false;
}

/* Whether a body rested, and so does, as predicted, what carries it, all of it
 * with so much friction: whatever a weld would say, it goes on so. */
static bool rests_on(const vsp_world *world, uint32_t body,
                     vsp__real friction)
{
    const vsp__link *first = world->work.solve.link_first + body;
    const vsp__line *line = world->work.solve.line;
    uint32_t i, j;

    if (world->belt_count > 0 ||
        !vsp__is_at_rest(world->bodies + body))
        return false;
    for (i = first[0]; i < first[1]; i++) {
        const vsp__manifold *m = world->manifolds + world->links[i];
        uint32_t low = m->body[vsp__lower(m) == 2 ? 1 : 0];

        if (!carries(m, body))
            continue;
        if (m->friction < friction ||
            !vsp__are_zero(&line[low].predicted.linear.x, 6))
            return false;
        for (j = 0; j < m->point_count; j++)
            if (world->points[m->first_point + j].bias != 0)
                return false;
    }
    return true;
}

/* Whether friction bears what is but a trace: a body rests, and nothing acts on
 * it but gravity and contacts. */
static bool is_gripped(const vsp_world *world, uint32_t body)
{
    const vsp__body *b = world->bodies + body;

    return !vsp__differs(&b->force, NULL, 2u * VSP__WORDS(vsp__wide3)) &&
           rests_on(world, body, GRIP);
}

/* What a body will do under its own weight, given what is below: follow
 * where three points or more hold it, fall where none does.  A body on an
 * edge or a point depends on what leans on it and rests on it: it, and one
 * whose weld fails, is taken to go on as it is. */
static void predict_body(vsp_world *world, uint32_t body)
{
    const vsp__body *b = world->bodies + body;
    vsp__velocity *v = &world->work.solve.line[body].predicted, from;
    uint32_t count, i;
    fit f;

    if (!is_welded(world, body))
        return;
    get_motion(b, v);
    if (rests_on(world, body, 0))
        return;
    count = gather_supports(world, body);
    if (count == 0)
        return;
    from = *v;
    push_velocity(world, body, world->params.dt, &from);
    for (i = 0; i < count; i++)
        world->one.supports[i].kept = v3_zero();
    if (weld(world, body, count, WELD_TRIES, &from, &f) &&
        (f.free == FREE_NOT || f.free == FREE_ALL))
        *v = f.motion;
}

/* Welds a body to its supports as they are predicted, under all it bears:
 * first by adding to what they bear already, as warm starting has it; then,
 * where that does not hold, from nothing.  A body that cannot be welded hands
 * down what it can, and is left to the sweeps.  One that rests, and that what
 * it bears would not move but by a trace, is done. */
static void carry_body(vsp_world *world, uint32_t body)
{
    vsp__velocity from = world->work.solve.velocity[body];
    const vsp__velocity *predicted = &world->work.solve.line[body].predicted;
    vsp__real trace = r_min(TRACE, u_mul(VSP__PULL, world->gravity_speed));
    uint32_t count;
    bool is_held;
    fit f;

    if (!is_welded(world, body))
        return;
    if (!has_changed(&from, predicted, trace) && is_gripped(world, body)) {
        world->work.solve.velocity[body] = *predicted;
        return;
    }
    count = gather_supports(world, body);
    if (count == 0)
        return;
    is_held = !idle_bears(world, count) &&
              weld(world, body, count, 1, &from, &f);
    if (!is_held) {
        gather_supports(world, body);
        unload(world, body, count, &from);
        is_held = weld(world, body, count, WELD_TRIES, &from, &f);
    }
    if (!is_held) {
        bear_part(world, body, count, &from);
        f.motion = from;
    }
    commit_load(world, count);
    world->work.solve.velocity[body] = f.motion;
}

/* Bottom up: the velocities that the bodies are hoped to have at the end. */
void vsp__predict(vsp_world *world)
{
    uint32_t standing = world->work.solve.layer_bodies[world->layer_count], i;

    if (!VSP_CARRY)
        return;
    for (i = 0; i < world->body_limit; i++)
        world->work.solve.line[i].predicted = world->work.solve.velocity[i];
    for (i = 0; i < standing; i++)
        predict_body(world, world->work.solve.stack_order[i]);
}

/* Top down: every body takes the velocity that its supports predict; what
 * that needs, with all it bears from above, goes on to them. */
void vsp__carry(vsp_world *world)
{
    uint32_t standing = world->work.solve.layer_bodies[world->layer_count], i;

    if (!VSP_CARRY)
        return;
    for (i = standing; i-- > 0;)
        carry_body(world, world->work.solve.stack_order[i]);
}


/* ---- Line search ------------------------------------------------------------
 * A pass over bodies is a step in the multipliers, from x0 to x; so is warm
 * starting, from 0.  Along it the objective f(x) = x.A x / 2 + b.x of the
 * complementarity problem (eq. 42 without damping) is a parabola; each island
 * goes as far as it falls.
 * With J u known at both ends, no mass is needed:
 * f' = (J u0 + bias).(x - x0), f'' = (J u - J u0).(x - x0).
 *
 * Where a pass goes less than half of the way the island is in motion, and is
 * left to the sweeps for the rest of the step: another would gain nothing. */

/* Puts multipliers of points aside, or takes them back. */
void vsp__copy_multipliers(vsp_world *world, uint32_t first, uint32_t count,
                           bool is_back)
{
    uint32_t i, k;

    for (i = first; i < first + count; i++) {
        vsp__real *x = world->points[i].multiplier.row;

        for (k = 0; k < 3; k++)
            if (is_back)
                x[k] = *vsp__aside(world, i, k);
            else
                *vsp__aside(world, i, k) = x[k];
    }
}

void vsp__line_search_begin(vsp_world *world, bool is_warm)
{
    uint32_t i;

    if (!VSP_CARRY)
        return;
    for (i = 0; i < world->body_limit; i++)
        world->work.solve.saved[i] = world->work.solve.velocity[i];
    if (!is_warm) /* else it begins from 0 */
        vsp__copy_multipliers(world, 0, world->contacts[0].point_count,
                              false);
}

/* Puts all multipliers aside, and begins from 0. */
void vsp__put_aside(vsp_world *world)
{
    uint32_t i;

    if (!VSP_SHOCK)
        return;
    vsp__copy_multipliers(world, 0, world->contacts[0].point_count, false);
    for (i = 0; i < world->contacts[0].point_count; i++)
        vsp__clear(world->points[i].multiplier.row, 3 * sizeof(vsp__real));
}

/* Takes back what was put aside. */
void vsp__take_back(vsp_world *world)
{
    if (VSP_SHOCK)
        vsp__copy_multipliers(world, 0, world->contacts[0].point_count, true);
}

static uint32_t manifold_island(const vsp_world *world,
                                const vsp__manifold *m)
{
    return world->island[is_moved(world, m->body[0]) ? m->body[0] : m->body[1]];
}

/* Multipliers that were put aside; 0 where warm starting was the step. */
static void take_aside(vsp_world *world, uint32_t point, bool is_warm,
                       vsp__real *x)
{
    uint32_t k;

    for (k = 0; k < 3; k++)
        x[k] = is_warm ? 0 : *vsp__aside(world, point, k);
}

/* Adds a manifold's f' and f'' to its island's sums. */
static void add_slopes(const vsp__site *s, bool is_warm)
{
    vsp_world *world = s->world;
    vsp__line *line = world->work.solve.line + manifold_island(world, s->m);
    vsp__square first = 0, second = 0;
    uint32_t j;
    vsp__local now, old;

    vsp__to_local(s, world->work.solve.velocity, &now);
    vsp__to_local(s, world->work.solve.saved, &old);
    for (j = 0; j < s->m->point_count; j++) {
        const vsp__row *row = s->rows + j;
        const vsp__real *x = s->points[j].multiplier.row;
        vsp__vec3 u = vsp__row_velocity(&old, row);
        vsp__vec3 change = vsp__row_velocity(&now, row);
        vsp__vec3 d = v3(x[0], x[1], x[2]), x0;

        take_aside(world, s->m->first_point + j, is_warm, &x0.x);
        v3_sub_in(&d, &x0);
        v3_sub_in(&change, &u);
        second = square_add(second, v3_product_at(&change, &d));
        u.x = r_add(u.x, s->points[j].bias);
        first = square_add(first, v3_product_at(&u, &d));
    }
    line->slope.first = w_add(line->slope.first,
                              w_div(w_of_rate_square(first),
                                    s->block->inv_mass));
    line->slope.second = w_add(line->slope.second,
                               w_div(w_of_rate_square(second),
                                     s->block->inv_mass));
}

/* how far an island goes, by its sums: 0 to 1, a unit */
static vsp__real island_step(const vsp__line *line)
{
    vsp__wide first = line->slope.first, second = line->slope.second;

    if (!w_is_finite(first) || !w_is_finite(second))
        return 0;
    if (!w_less(first, W_ZERO))
        return w_less(W_ZERO, second) ? 0 : VSP__U(1.0);
    if (!w_less(w_neg(first), second))
        return VSP__U(1.0);
    return w_to_unit(w_div(w_neg(first), second));
}

/* Goes the part s of the way to x only. */
static void shorten(const vsp__real *from, vsp__real s, vsp__real *x,
                    uint32_t count)
{
    uint32_t k;

    for (k = 0; k < count; k++)
        x[k] = r_add(from[k], u_mul(s, r_sub(x[k], from[k])));
}

static void shorten_rows(vsp_world *world, const vsp__manifold *m,
                         vsp__real s, bool is_warm)
{
    uint32_t j;

    for (j = m->first_point; j < m->first_point + m->point_count; j++) {
        vsp__real x0[3];

        take_aside(world, j, is_warm, x0);
        shorten(x0, s, world->points[j].multiplier.row, 3);
    }
}

/* Seeks in islands of which a body's velocity changed by more than so much. */
static void seek_changed(vsp_world *world, vsp__real much)
{
    const vsp__velocity *v = world->work.solve.velocity;
    const vsp__velocity *v0 = world->work.solve.saved;
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        if (is_moved(world, i) && has_changed(v + i, v0 + i, much))
            world->work.solve.line[world->island[i]].slope.is_sought = true;
}

/* What joints bear is not looked at: warm starting goes all of the way. */
static void spare_joined(vsp_world *world)
{
    const vsp__joints *pool = vsp__joints_of(world);
    uint32_t i, k;

    for (i = 0; i < pool->layer_joints[world->layer_count + 1u]; i++)
        for (k = 0; k < 2; k++) {
            uint32_t body = pool->joints[pool->order[i]].body[k];

            world->work.solve.line[world->island[body]].slope.is_sought =
                false;
        }
}

/* Warm starting matters where it threw a body; a pass, where it moved one. */
static void begin_slopes(vsp_world *world, bool is_warm)
{
    vsp__line *line = world->work.solve.line;
    uint32_t i;

    for (i = 0; i < world->body_limit; i++) {
        line[i].slope.first = line[i].slope.second = W_ZERO;
        line[i].slope.is_sought = false;
    }
    seek_changed(world, u_mul(is_warm ? VSP__U(1.0) : VSP__PULL,
                              r_mul(VSP__R(2.0), world->gravity_speed)));
    if (VSP_JOINTS && is_warm)
        spare_joined(world);
}

void vsp__line_search_end(vsp_world *world, bool is_warm)
{
    uint32_t count = world->contacts[0].manifold_count, i;
    vsp__line *line = world->work.solve.line;

    if (!VSP_CARRY)
        return;
    begin_slopes(world, is_warm);
    for (i = 0; i < count; i++) {
        vsp__site it;

        site_of(world, 0, i, &it);
        if (line[manifold_island(world, it.m)].slope.is_sought &&
            !(it.m->flags & VSP__SWEPT))
            add_slopes(&it, is_warm);
    }
    for (i = 0; i < world->body_limit; i++) { /* its lowest body first */
        uint32_t island = world->island[i];
        vsp__velocity *v = world->work.solve.velocity + i;
        const vsp__velocity *v0 = world->work.solve.saved + i;
        vsp__real s;

        if (island == i) {
            line[i].step = island_step(&line[i]);
            if (is_warm && line[i].step >= VSP__U(0.1))
                line[i].step = VSP__U(1.0);
        }
        s = line[island].step;
        if (!is_moved(world, i) || !(s < VSP__U(1.0)))
            continue;
        shorten(&v0->linear.x, is_warm ? 0 : s, &v->linear.x, 6);
    }
    for (i = 0; i < count; i++) {
        vsp__real s;
        vsp__site it;

        site_of(world, 0, i, &it);
        s = line[manifold_island(world, it.m)].step;
        if (s < VSP__U(1.0))
            shorten_rows(world, it.m, s, is_warm);
        if (s < VSP__U(1.0) && is_warm) /* both bodies alike, to the bit */
            apply_rows(&it);
        if (s < VSP__U(0.5) && !is_warm)
            it.m->flags |= VSP__SWEPT;
    }
}


/* ---- Position correction ----------------------------------------------------
 * Eq. 46, by projection: displacements that end every overlap, full depth,
 * normals only; an open gap may close but not more.  solve.saved holds the
 * displacements. */

/* List 1 has no order yet. */
static vsp__real deepest(vsp_world *world, const vsp__span *span)
{
    vsp__real depth = 0;
    uint32_t i, j;
    vsp__site s;

    for (i = span->first; i < span->last; i++) {
        site_of(world, span->list,
                span->list == 0 ? world->layer_order[i] : i, &s);
        for (j = 0; j < s.m->point_count; j++)
            depth = r_max(depth, r_neg(s.points[j].gap));
    }
    return depth;
}

static vsp__fix *fixes_of(const vsp__site *s)
{
    return s->world->problem.position.start.fixes + s->m->first_point;
}

/* Fills the position problem of a manifold. */
static void assemble_fixes(const vsp__span *span, const vsp__site *s)
{
    vsp__fix *fixes = fixes_of(s);
    const vsp__inverse *inverse[2];
    vsp__wide sum;
    vsp__real share[2];
    uint32_t i, j;

    free_inverses(span, s, inverse);
    sum = w_add(inverse[0]->mass, inverse[1]->mass);
    for (i = 0; i < 2; i++)
        share[i] = w_to_unit(w_div(inverse[i]->mass, sum));
    for (j = 0; j < s->m->point_count; j++) {
        vsp__fix *fix = &fixes[j];
        vsp__real diagonal = VSP__R(1.0);

        point_arms(s->world, s->m, s->points + j, fix->lever);
        for (i = 0; i < 2; i++) {
            u3_cross_to(fix->lever + i, &s->m->normal, fix->lever + i);
            s3_mul_to(&inverse[i]->inertia, fix->lever + i, fix->turn + i);
            u3_scale_in(fix->turn + i, share[i]);
            diagonal = r_add(diagonal,
                             v3_dot_at(fix->lever + i, fix->turn + i));
        }
        fix->share = share[1];
        fix->inv_diagonal =
            vsp__reciprocal(r_max(VSP__R(1.0), diagonal));
        fix->gap = u_of_real(s->points[j].gap);
        fix->multiplier = 0;
    }
}

/* One sweep over a manifold.  The displacements are copies, so that compilers
 * keep them in registers.  Returns the largest correction, m. */
static vsp__real sweep_fixes(vsp_world *world, const vsp__site *s)
{
    vsp__velocity *saved = world->work.solve.saved;
    vsp__velocity a = saved[s->m->body[0]], b = saved[s->m->body[1]];
    vsp__vec3 n = s->m->normal;
    vsp__fix *fix = fixes_of(s), *end = fix + s->m->point_count;
    vsp__real largest = 0;

    for (; fix < end; fix++) {
        vsp__real old = fix->multiplier, part = fix->share, u, d;
        vsp__vec3 v = b.linear;

        v3_sub_in(&v, &a.linear);
        u = r_add(u3_dot_at(&n, &v), fix->gap);
        u = r_add(u, v3_dot_at(&fix->lever[1], &b.angular));
        u = r_sub(u, v3_dot_at(&fix->lever[0], &a.angular));
        fix->multiplier = r_max(r_sub(old, u_mul(u, fix->inv_diagonal)), 0);
        d = r_sub(fix->multiplier, old);
        largest = r_max(largest, r_abs(d));
        u3_move(&a.linear, -u_mul(d, VSP__U(1.0) - part), &n);
        v3_move(&a.angular, r_neg(d), &fix->turn[0]);
        u3_move(&b.linear, u_mul(d, part), &n);
        v3_move(&b.angular, d, &fix->turn[1]);
    }
    saved[s->m->body[0]] = a;
    saved[s->m->body[1]] = b;
    world->stats.row_updates += s->m->point_count;
    return largest;
}

/* Returns the largest correction, or what was the largest. */
static vsp__real sweep_all_fixes(vsp_world *world, const vsp__span *span,
                                 vsp__real largest)
{
    uint32_t i;
    vsp__site s;

    for (i = span->first; vsp__site_at(world, span, i, &s); i++)
        largest = r_max(largest, sweep_fixes(world, &s));
    return largest;
}

static void end_displacement(vsp_world *world, const vsp__span *span,
                             const uint16_t *bodies, bool is_to_move)
{
    uint32_t k;

    for (k = 0; k < 2; k++) {
        vsp__velocity *d = world->work.solve.saved + bodies[k];

        if (is_to_move && is_free(world, span, bodies[k]))
            displace_body(world, bodies[k], d);
        d->linear = d->angular = v3_zero();
    }
}

/* Clears the displacements of a span's bodies; before that, if asked to,
 * moves those that are free by them, each once. */
static void end_displacements(vsp_world *world, const vsp__span *span,
                              bool is_to_move)
{
    const vsp__joints *pool = vsp__joints_of(world);
    uint32_t i;
    vsp__site s;

    for (i = span->first; vsp__site_at(world, span, i, &s); i++)
        end_displacement(world, span, s.m->body, is_to_move);
    for (i = span->first_joint; VSP_JOINTS && i < span->last_joint; i++)
        end_displacement(world, span, pool->joints[pool->order[i]].body,
                         is_to_move);
}

/* What finding list 1 took the memory of, and its order, by the heights that
 * bodies had before they moved. */
static void find_again(vsp_world *world)
{
    uint32_t i;

    sort_manifolds(world, 1);
    sort_colours(world, 1);
    for (i = 0; i < world->body_limit; i++) {
        update_axes(world, i);
        if (!vsp__is_asleep(world->bodies + i))
            update_inverse(world, i);
    }
}

/* Corrects a span if anything in it is deeper than the tolerance, and
 * returns whether it was.  Gaps must be up to date. */
bool vsp__correct(vsp_world *world, const vsp__span *span)
{
    vsp__real tolerance = vsp__fix_tolerance(world);
    bool is_wide = false;
    uint32_t i, k;
    vsp__site s;

    if (deepest(world, span) <= tolerance &&
        (!VSP_JOINTS || vsp__joint_error(world, span) <= tolerance))
        return false;
    if (span->list == 1)
        find_again(world);
    if (VSP__LANES > 1)
        is_wide = vsp__fill_fixes(world, span);
    for (i = span->first; !is_wide && vsp__site_at(world, span, i, &s); i++)
        assemble_fixes(span, &s);
    if (VSP_JOINTS)
        vsp__assemble_joints(world, span, 0, 0);
    end_displacements(world, span, false);
    for (k = 0; k < world->params.correction_sweeps; k++) {
        vsp__real largest = VSP_JOINTS ? vsp__sweep_joint_fixes(world, span)
                                       : 0;

        largest = VSP__LANES > 1 && is_wide
                      ? r_max(largest, vsp__sweep_lanes(world, true))
                      : sweep_all_fixes(world, span, largest);
        vsp__hold_all_locks(world, world->work.solve.saved);
        world->stats.correction_count++;
        if (largest < u_of_real(tolerance))
            break;
    }
    end_displacements(world, span, true);
    return true;
}


/* ---- Restitution and warm starting --------------------------------------- */

/* Where one in thirteen points of an island, and some more, meets or parts
 * faster than gravity makes in a step, carrying goes nowhere: such a point
 * outweighs 12.  Islands of fewer than 59 points are always carried: that keeps
 * together a short stack that was dropped. */
#define HASTE 12
#define HASTE_BORNE 700

/* how fast the two sides of a point meet, before the step */
static vsp__real approach_of(const vsp__site *s, const vsp__row *row)
{
    vsp__vec3 u;

    meeting_velocity(s, row, &u);
    return r_neg(u3_dot_at(&u, &s->m->normal));
}

/* Eq. 21: what of its approach a point is to give back, taken from the
 * velocity before the step.  A point that gravity could have brought to its
 * speed within a step does not bounce. */
static vsp__real bounce_of(const vsp_world *world, const vsp__manifold *m,
                           const vsp__point *p, vsp__real approach)
{
    if (approach > world->gravity_speed &&
        r_way(approach, world->params.dt) > p->gap)
        return r_mul(vsp__restitution(world, m), approach);
    return 0;
}

/* Fills a manifold's biases, and arms.  Returns how much it adds to its
 * island's haste. */
static int32_t fill_biases(const vsp_world *world, const vsp__site *s)
{
    int32_t haste = 0;
    uint32_t j;

    find_arms(s);
    for (j = 0; j < s->m->point_count; j++) {
        vsp__point *p = s->points + j;
        vsp__real approach = approach_of(s, s->rows + j);
        vsp__real bounce = bounce_of(world, s->m, p, approach);

        haste += r_abs(approach) > world->gravity_speed ? HASTE : -1;
        p->bias = 0;
        if (bounce > 0)
            p->bias = -bounce;
        else if (p->gap > 0)
            p->bias = rate_over(p->gap, world->params.dt);
    }
    return haste;
}

/* For u + bias >= 0: b of eq. 20 and 22, once in a step.  A bounce wants its
 * speed back; an open gap may close within the step.  Islands in violent
 * motion are left to the sweeps. */
void vsp__find_biases(vsp_world *world)
{
    vsp__line *line = world->work.solve.line;
    uint32_t i;
    vsp__site s;

    if (VSP_CARRY)
        vsp__clear(line, world->body_limit * sizeof *line);
    for (i = 0; i < world->contacts[0].manifold_count; i++) {
        int32_t haste;

        site_of(world, 0, i, &s);
        haste = fill_biases(world, &s);
        if (VSP_CARRY)
            line[manifold_island(world, s.m)].haste += haste;
    }
    for (i = 0; VSP_CARRY && i < world->contacts[0].manifold_count; i++) {
        vsp__manifold *m = world->manifolds + i;

        if (line[manifold_island(world, m)].haste > HASTE_BORNE)
            m->flags |= VSP__SWEPT;
    }
}

/* Tangential multipliers along two axes, as they are along two others. */
static void turn_tangents(vsp__real *x, const vsp__vec3 *axes,
                          const vsp__vec3 *others)
{
    vsp__vec3 t = v3_zero();

    u3_move(&t, x[1], &axes[0]);
    u3_move(&t, x[2], &axes[1]);
    x[1] = u3_dot_at(&t, &others[0]);
    x[2] = u3_dot_at(&t, &others[1]);
}

/* The tangents that the normal alone gives: with cones those of the block. */
static const vsp__vec3 *normal_tangents(const vsp__site *s, vsp__vec3 *t)
{
    if (vsp__has_cones(s->world))
        return &s->block->axes.axis[1];
    vsp__tangents(s->m->normal, &t[0], &t[1]);
    return t;
}

void vsp__apply(vsp_world *world, const vsp__span *span)
{
    uint32_t i;
    vsp__site s;

    for (i = span->first; vsp__site_at(world, span, i, &s); i++)
        apply_rows(&s);
}

/* Applies the points' impulses to the bodies of a manifold, and leaves them as
 * multipliers: in the axes of the block, divided by its masses. */
void vsp__warm_start(const vsp__site *s)
{
    vsp__vec3 own[2];
    const vsp__vec3 *t = normal_tangents(s, own);
    uint32_t j, k;

    for (j = 0; j < s->m->point_count; j++) {
        vsp__multiplier *x = &s->points[j].multiplier;

        for (k = 0; k < 3; k++)
            x->row[k] = w_to_rate(w_mul(x->impulse[k], s->block->inv_mass));
        turn_tangents(x->row, t, &s->block->axes.axis[1]);
    }
    apply_rows(s);
}

/* a number that callers and the next step can bear */
vsp__wide vsp__as_impulse(vsp__wide a)
{
    vsp__wide most = w_read(VSP_MAX_FORCE);

    if (!w_is_finite(a))
        return W_ZERO;
    if (w_less(most, a))
        return most;
    return w_less(a, w_neg(most)) ? w_neg(most) : a;
}

/* Makes multipliers of rows impulses again, in N s, along the tangents that
 * the normal alone gives. */
void vsp__keep_multipliers(vsp_world *world, const vsp__span *span)
{
    uint32_t i, j, k;
    vsp__site s;

    for (i = span->first; vsp__site_at(world, span, i, &s); i++) {
        vsp__vec3 own[2];
        const vsp__vec3 *t = normal_tangents(&s, own);
        vsp__wide mass = w_div(W_ONE, s.block->inv_mass);

        for (j = 0; j < s.m->point_count; j++) {
            vsp__multiplier *x = &s.points[j].multiplier;

            turn_tangents(x->row, &s.block->axes.axis[1], t);
            for (k = 0; k < 3; k++)
                x->impulse[k] = vsp__as_impulse(w_mul(w_of_rate(x->row[k]),
                                                 mass));
        }
    }
    if (VSP_JOINTS)
        vsp__keep_joints(world, span);
}

static uint32_t warm_feature(const vsp__warm *w)
{
    return (w_bits(w->tangent1) & 15u) | (w_bits(w->tangent2) & 15u) << 4;
}

/* a number without its last four bits, which then hold a nibble */
static vsp__wide with_nibble(vsp__wide a, uint32_t nibble)
{
    return w_from_bits((w_bits(a) & ~(uint32_t)15) | nibble);
}

static void load_point(const vsp_world *world, uint32_t first, uint32_t key,
                       uint32_t feature, vsp__point *p)
{
    uint32_t i;

    for (i = first; i < world->warm_count; i++) {
        const vsp__warm *w = world->problem.between.warm + i;

        if (w->pair != key)
            return;
        if (warm_feature(w) != feature)
            continue;
        p->multiplier.impulse[0] = w->normal;
        p->multiplier.impulse[1] = with_nibble(w->tangent1, 0);
        p->multiplier.impulse[2] = with_nibble(w->tangent2, 0);
        return;
    }
}

void vsp__put_kept_aside(vsp_world *world)
{
    const vsp__warm *warm = world->problem.between.warm;
    vsp__warm *kept = vsp__kept(world);
    uint32_t i;

    for (i = 0; world->kept_count > 0 && i < world->warm_count; i++)
        if (VSP_SLEEP && vsp__is_kept(world, &warm[i]))
            *kept++ = warm[i];
}

/* Fills the points' multipliers from those of the last step, found by pair
 * and feature.  Both lists are in the order of pairs. */
void vsp__warm_load(vsp_world *world)
{
    const vsp__warm *warm = world->problem.between.warm;
    uint32_t next = 0, i, j;

    for (i = 0; i < world->contacts[0].manifold_count; i++) {
        const vsp__manifold *m = world->manifolds + i;
        uint32_t key = vsp__pair_of(m);

        while (next < world->warm_count && warm[next].pair < key)
            next++;
        for (j = 0; j < m->point_count; j++)
            load_point(world, next, key, m->feature[j],
                       world->points + m->first_point + j);
    }
}

/* Takes back kept records of pairs before a key, the next of them being
 * kept[next]: to warm[count].  Returns the next one then. */
static uint32_t take_kept(vsp_world *world, uint32_t next, uint32_t key,
                          uint32_t *count)
{
    const vsp__warm *kept = vsp__kept(world);

    while (VSP_SLEEP && next < world->kept_count && kept[next].pair < key)
        world->problem.between.warm[(*count)++] = kept[next++];
    return next;
}

/* Keeps the points' multipliers for the next step; zeros are not kept. */
void vsp__warm_store(vsp_world *world)
{
    uint32_t kept = 0, count = 0, i, j;

    for (i = 0; i < world->contacts[0].manifold_count; i++) {
        const vsp__manifold *m = world->manifolds + i;

        kept = take_kept(world, kept, vsp__pair_of(m), &count);
        for (j = 0; j < m->point_count; j++) {
            const vsp__wide *x =
                world->points[m->first_point + j].multiplier.impulse;
            vsp__warm *w = world->problem.between.warm + count;

            if (!w_less(W_ZERO, w_flush(x[0])))
                continue;
            w->pair = vsp__pair_of(m);
            w->normal = x[0];
            w->tangent1 = with_nibble(w_flush(x[1]), m->feature[j] & 15u);
            w->tangent2 = with_nibble(w_flush(x[2]),
                                      (uint32_t)m->feature[j] >> 4);
            count++;
        }
    }
    (void)take_kept(world, kept, 0xffffffffu, &count);
    world->warm_count = count;
}


/* ---- Merit --------------------------------------------------------------- */

void vsp__clamp_tangents(const vsp_world *world, vsp__real limit,
                         vsp__real *x)
{
    if (vsp__has_cones(world)) {
        vsp__clamp_to_disc(limit, &x[1], &x[2]);
        return;
    }
    x[1] = r_clamp(x[1], -limit, limit);
    x[2] = r_clamp(x[2], -limit, limit);
}

void vsp__point_motion(const vsp__site *s, uint32_t point,
                       const vsp__local *u, vsp__real y[3])
{
    vsp__vec3 v = vsp__row_velocity(u, s->rows + point);

    y[0] = r_add(v.x, s->points[point].bias);
    y[1] = v.y;
    y[2] = v.z;
}

/* H of eq. 37 for a point, squared.  For bounds it says
 * min(x - low, max(x - high, y)), which is x less what a projected step of
 * x - y would leave; the latter also serves the cone. */
static vsp__square violation(const vsp__site *s, uint32_t point,
                             const vsp__local *u)
{
    const vsp__real *x = s->points[point].multiplier.row;
    vsp__real y[3], to[3];
    vsp__vec3 h;

    vsp__point_motion(s, point, u, y);
    to[1] = r_sub(x[1], y[1]);
    to[2] = r_sub(x[2], y[2]);
    vsp__clamp_tangents(s->world, r_mul(s->m->friction, x[0]), to);
    h = v3(r_min(x[0], y[0]), r_sub(x[1], to[1]), r_sub(x[2], to[2]));
    return v3_product_at(&h, &h);
}

/* theta of eq. 38, with multipliers as velocities: (m/s)^2 */
vsp__wide vsp__merit(vsp_world *world, const vsp__span *span)
{
    vsp__square sum = 0;
    uint32_t i, j;
    vsp__site s;

    if (!VSP_MERIT && !VSP_SUBSPACE)
        return W_ZERO;
    if (VSP_JOINTS)
        sum = vsp__joint_merit(world, span);
    for (i = span->first; vsp__site_at(world, span, i, &s); i++) {
        vsp__local l;

        vsp__to_local(&s, world->work.solve.velocity, &l);
        for (j = 0; j < s.m->point_count; j++)
            sum = square_add(sum, violation(&s, j, &l));
    }
    return w_mul(w_of_real(VSP__R(0.5)), w_of_rate_square(sum));
}
