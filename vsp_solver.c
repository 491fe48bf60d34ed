/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Contacts to velocities and positions.  Knows no geometry.  In this order:
 * roots and matrices for all files; bodies' axes and motion; the stack
 * (islands, heights, layers); rows and their assembly; sweeps of projected
 * Gauss-Seidel; predict and carry, which find what a stack needs in two
 * passes over its bodies; the line search; position correction; warm
 * starting.  vsp.c puts these verbs together into steps.
 *
 * Equation numbers are those of Erleben, Velocity-based shock propagation
 * for multibody dynamics animation, 2007. */

#include "vsp_internal.h"


/* ---- Numbers and matrices ---------------------------------------------------
 * What is too large to be copied to where it is used. */

vsp_real vsp__rsqrt(vsp_real a)
{
    vsp_real half = r_mul(VSP_R(0.5), a);
    vsp_real y = r_from_bits(0x5f375a86u - (r_bits(a) >> 1));
    uint32_t i;

    for (i = 0; i < 4; i++)
        y = r_mul(y, VSP_R(1.5) - r_mul(r_mul(half, y), y));
    return y;
}

vsp_real vsp__sqrt(vsp_real a)
{
    vsp_real y, x;

    if (!(a > VSP_R(1e-30)))
        return VSP_R(0.0);
    y = vsp__rsqrt(a);
    x = r_mul(a, y);
    return x + r_mul(r_mul(VSP_R(0.5), y), a - r_mul(x, x));
}

void vsp__mul(const vsp__mat3 *m, const vsp_vec3 *v, vsp_vec3 *out)
{
    *out = m3_mul(m, *v);
}

void vsp__tmul(const vsp__mat3 *m, const vsp_vec3 *v, vsp_vec3 *out)
{
    *out = m3_tmul(m, *v);
}

void vsp__scale(vsp__sym3 *s, vsp_real k)
{
    s->xx = r_mul(s->xx, k);
    s->yy = r_mul(s->yy, k);
    s->zz = r_mul(s->zz, k);
    s->xy = r_mul(s->xy, k);
    s->xz = r_mul(s->xz, k);
    s->yz = r_mul(s->yz, k);
}

void vsp__add_spread(vsp__sym3 *s, vsp_real w, vsp_vec3 r)
{
    vsp_vec3 wr = v3_scale(r, w);

    s->xx += r_dot2(wr.y, r.y, wr.z, r.z);
    s->yy += r_dot2(wr.x, r.x, wr.z, r.z);
    s->zz += r_dot2(wr.x, r.x, wr.y, r.y);
    s->xy -= r_mul(wr.x, r.y);
    s->xz -= r_mul(wr.x, r.z);
    s->yz -= r_mul(wr.y, r.z);
}

vsp__mat3 vsp__axes_of(vsp_quat q)
{
    vsp_real x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    vsp_real wx = r_mul(q.w, x2), wy = r_mul(q.w, y2), wz = r_mul(q.w, z2);
    vsp_real xx = r_mul(q.x, x2), yy = r_mul(q.y, y2), zz = r_mul(q.z, z2);
    vsp_real xy = r_mul(q.x, y2), xz = r_mul(q.x, z2), yz = r_mul(q.y, z2);
    vsp__mat3 m;

    m.axis[0] = v3(VSP_R(1.0) - yy - zz, xy + wz, xz - wy);
    m.axis[1] = v3(xy - wz, VSP_R(1.0) - xx - zz, yz + wx);
    m.axis[2] = v3(xz + wy, yz - wx, VSP_R(1.0) - xx - yy);
    return m;
}

vsp_vec3 vsp__turned(vsp_quat q, vsp_vec3 v)
{
    vsp__mat3 m = vsp__axes_of(q);

    vsp__mul(&m, &v, &v);
    return v;
}

void vsp__flushed_axes(vsp_quat q, vsp__mat3 *axes)
{
    uint32_t i;

    *axes = vsp__axes_of(q);
    for (i = 0; i < 3; i++)
        v3_flush_in(&axes->axis[i]);
}

void vsp__seen_from(const vsp__mat3 *axes, const vsp__sym3 *s,
                    vsp__sym3 *seen)
{
    const vsp_vec3 *a = axes->axis;
    vsp_vec3 t[3];
    uint32_t i;

    for (i = 0; i < 3; i++)
        s3_mul_to(s, &a[i], &t[i]);
    seen->xx = v3_dot_at(&t[0], &a[0]);
    seen->xy = v3_dot_at(&t[0], &a[1]);
    seen->xz = v3_dot_at(&t[0], &a[2]);
    seen->yy = v3_dot_at(&t[1], &a[1]);
    seen->yz = v3_dot_at(&t[1], &a[2]);
    seen->zz = v3_dot_at(&t[2], &a[2]);
}

void vsp__rotate(const vsp__mat3 *m, vsp__sym3 *s)
{
    const vsp_vec3 *a = m->axis;
    vsp__mat3 back;

    back.axis[0] = v3(a[0].x, a[1].x, a[2].x);
    back.axis[1] = v3(a[0].y, a[1].y, a[2].y);
    back.axis[2] = v3(a[0].z, a[1].z, a[2].z);
    vsp__seen_from(&back, s, s);
}

bool vsp__invert(const vsp__sym3 *s, vsp_real tolerance,
                 vsp__sym3 *inverse)
{
    vsp_real size = v3_largest(v3(s->xx, s->yy, s->zz));
    vsp_real k = size > 0 ? r_div(VSP_R(1.0), size) : VSP_R(0.0);
    vsp__sym3 m = *s;
    vsp_real det;

    vsp__scale(&m, k); /* so that no product leaves the range */
    /* cofactors first */
    inverse->xx = r_dot2(m.yy, m.zz, -m.yz, m.yz);
    inverse->xy = r_dot2(m.xz, m.yz, -m.xy, m.zz);
    inverse->xz = r_dot2(m.xy, m.yz, -m.xz, m.yy);
    inverse->yy = r_dot2(m.xx, m.zz, -m.xz, m.xz);
    inverse->yz = r_dot2(m.xy, m.xz, -m.xx, m.yz);
    inverse->zz = r_dot2(m.xx, m.yy, -m.xy, m.xy);
    det = r_dot3(m.xx, inverse->xx, m.xy, inverse->xy, m.xz,
                 inverse->xz);
    if (!(det > tolerance)) {
        *inverse = s3_zero();
        return false;
    }
    vsp__scale(inverse, r_div(k, det));
    return true;
}


/* ---- Frames and motion --------------------------------------------------- */

void vsp__update_axes(vsp_world *world, uint32_t body)
{
    vsp__flushed_axes(world->bodies[body].rotation, &world->axes[body]);
}

void vsp__find_inverse(const vsp__body *b, const vsp__mat3 *axes,
                       vsp__inverse *inverse)
{
    inverse->mass = VSP_R(0.0);
    inverse->inertia = s3_zero();
    if (!vsp__is_dynamic(b))
        return;
    inverse->mass = r_div(VSP_R(1.0), b->matter.mass);
    if (vsp__invert(&b->matter.inertia, VSP_R(1e-12), &inverse->inertia))
        vsp__rotate(axes, &inverse->inertia);
}

void vsp__update_inverse(vsp_world *world, uint32_t body)
{
    vsp__find_inverse(&world->bodies[body], &world->axes[body],
                      &world->work.solve.inverse[body]);
}

/* after a turn */
static void update_body(vsp_world *world, uint32_t body)
{
    vsp__update_axes(world, body);
    vsp__update_inverse(world, body);
}

/* inertia of a body in the world, times v */
static void inertia_mul(const vsp_world *world, uint32_t body, vsp_vec3 *v)
{
    const vsp__mat3 *axes = &world->axes[body];

    vsp__tmul(axes, v, v);
    s3_mul_to(&world->bodies[body].matter.inertia, v, v);
    vsp__mul(axes, v, v);
}

static void velocity_at(const vsp__velocity *v, const vsp_vec3 *arm,
                        vsp_vec3 *out)
{
    v3_cross_to(&v->angular, arm, out);
    v3_add_in(out, &v->linear);
}

/* An impulse p at an arm from the centre of mass of a body. */
static void apply_impulse(const vsp__inverse *inverse, vsp__velocity *v,
                          const vsp_vec3 *arm, const vsp_vec3 *p)
{
    vsp_vec3 turn;

    v3_cross_to(arm, p, &turn);
    s3_mul_to(&inverse->inertia, &turn, &turn);
    v3_move(&v->linear, inverse->mass, p);
    v3_add_in(&v->angular, &turn);
}

/* a turn by the rotation vector t: (t / 2, 1) made of length 1, the Cayley
 * map; exact up to |t|^3 / 12 */
static vsp_quat small_turn(const vsp_vec3 *t)
{
    vsp_vec3 half = *t;
    vsp_quat q;

    v3_clamp_in(&half, VSP_R(1000.0));
    v3_scale_in(&half, VSP_R(0.5));
    q.x = half.x;
    q.y = half.y;
    q.z = half.z;
    q.w = VSP_R(1.0);
    return q_normalize(q);
}

/* Turns a body by a rotation vector of the world. */
static void turn_by(vsp_world *world, uint32_t body, const vsp_vec3 *t)
{
    vsp__body *b = &world->bodies[body];
    vsp_quat turn = small_turn(t);

    b->rotation = q_normalize(q_mul(&turn, &b->rotation));
    update_body(world, body);
}

static vsp_real v3_size_at(const vsp_vec3 *v)
{
    return v3_size(*v);
}

static bool is_round(const vsp__sym3 *s)
{
    vsp_real slack = r_mul(s->xx, VSP_R(1e-5));
    vsp_vec3 unlike = v3(s->xx - s->yy, s->xx - s->zz, VSP_R(0.0));
    vsp_vec3 mixed = v3(s->xy, s->xz, s->yz);

    return v3_size_at(&unlike) <= slack && v3_size_at(&mixed) <= slack;
}

/* Turns a free body for h seconds under its gyroscopic torque, eq. 18, by
 * the implicit midpoint rule: with P the angular momentum in the body's
 * axes, P' = P + h (P + P')/2 x I^-1 (P + P')/2.  It keeps P.P and P.I^-1 P,
 * and as the Cayley map of small_turn belongs to it, also the angular momentum
 * in the world.  Fills the spin to turn with; *spin becomes that at the end,
 * in the body's axes.  Where a step turns too far for the iteration to
 * converge, the spin stays. */
static void free_spin(const vsp__sym3 *inertia, vsp_vec3 *spin, vsp_real h,
                      vsp_vec3 *rate)
{
    vsp_real half = r_mul(VSP_R(0.5), h), last = VSP_R(0.0);
    vsp_vec3 p, middle;
    vsp__sym3 inverse;
    uint32_t i;

    *rate = *spin;
    s3_mul_to(inertia, spin, &p);
    middle = p;
    if (!vsp__invert(inertia, VSP_R(1e-12), &inverse))
        return;
    for (i = 0; i < 8; i++) {
        vsp_vec3 next = p, turn;
        vsp_real change;

        v3_cross_to(&middle, rate, &turn);
        v3_move(&next, half, &turn);
        v3_sub_in(&middle, &next);
        change = v3_size_at(&middle);
        if (i > 0 && change > r_mul(VSP_R(0.5), last)) {
            *rate = *spin;
            return;
        }
        last = r_max(change, r_mul(VSP_R(1e-6), v3_size_at(&p)));
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
static uint32_t turn_parts(const vsp_vec3 *angle)
{
    vsp_real a = v3_size_at(angle);

    return a < VSP_R(2.0) ? 1u + (uint32_t)r_to_int(r_mul(a, VSP_R(8.0)))
                          : 16u;
}

/* Turns a body for h seconds, eq. 24-26, its spin changing as it does. */
static void turn_body(vsp_world *world, uint32_t body, vsp_real h)
{
    vsp__body *b = &world->bodies[body];
    vsp_vec3 turn = b->spin;
    uint32_t parts, i;

    v3_scale_in(&turn, h);
    parts = turn_parts(&turn);
    if (!vsp__is_dynamic(b) || is_round(&b->matter.inertia)) {
        turn_by(world, body, &turn);
        return;
    }
    vsp__tmul(&world->axes[body], &b->spin, &b->spin);
    h = r_div(h, r_from_int((int32_t)parts));
    for (i = 0; i < parts; i++) {
        vsp_quat part;

        free_spin(&b->matter.inertia, &b->spin, h, &turn);
        v3_scale_in(&turn, h);
        part = small_turn(&turn);
        b->rotation = q_mul(&b->rotation, &part);
    }
    b->rotation = q_normalize(b->rotation);
    update_body(world, body);
    vsp__mul(&world->axes[body], &b->spin, &b->spin);
}

static bool v3_is_finite(const vsp_vec3 *v)
{
    return r_is_finite(v->x) && r_is_finite(v->y) && r_is_finite(v->z);
}

static bool is_velocity(const vsp__velocity *v)
{
    return v3_is_finite(&v->linear) && v3_is_finite(&v->angular);
}

void vsp__flush(vsp_real *numbers, uint32_t count)
{
    for (; count > 0; numbers++, count--)
        *numbers = r_flush(*numbers);
}

void vsp__keep_in_range(vsp__body *b)
{
    v3_clamp_in(&b->position, VSP_MAX_POSITION);
    v3_clamp_in(&b->velocity, VSP_MAX_SPEED);
    v3_clamp_in(&b->spin, VSP_MAX_SPEED);
    vsp__flush(&b->position.x, 13); /* and rotation, velocity, spin */
}

/* Moves a body by its velocity for h seconds: eq. 26.  The last defence: a
 * solve that ran out of numbers stops the body. */
void vsp__move_body(vsp_world *world, uint32_t body, vsp_real h)
{
    vsp__body *b = &world->bodies[body];
    vsp__velocity *v = &world->work.solve.velocity[body];

    if (!is_velocity(v))
        v->linear = v->angular = v3_zero();
    b->velocity = v->linear;
    b->spin = v->angular;
    vsp__keep_in_range(b);
    v3_move(&b->position, h, &b->velocity);
    turn_body(world, body, h);
    vsp__keep_in_range(b);
    v->linear = b->velocity;
    v->angular = b->spin;
}

/* Shifts and turns a body by a displacement of the position solve. */
static void displace_body(vsp_world *world, uint32_t body,
                          const vsp__velocity *d)
{
    vsp__body *b = &world->bodies[body];

    if (!is_velocity(d))
        return;
    v3_add_in(&b->position, &d->linear);
    turn_by(world, body, &d->angular);
    vsp__keep_in_range(b);
}

/* Takes d of a velocity each second, for h seconds. */
static void damp(vsp_vec3 *v, vsp_real d, vsp_real h)
{
    if (d > 0)
        v3_scale_in(v, r_div(VSP_R(1.0), VSP_R(1.0) + r_mul(h, d)));
}

/* Changes a velocity by h seconds of force and torque (eq. 19), then of
 * damping, then of gravity. */
static void push_velocity(const vsp_world *world, uint32_t body, vsp_real h,
                          vsp__velocity *v)
{
    const vsp__body *b = &world->bodies[body];
    const vsp__inverse *inverse = &world->work.solve.inverse[body];
    vsp_vec3 turn;

    s3_mul_to(&inverse->inertia, &b->torque, &turn);
    v3_move(&v->linear, r_mul(h, inverse->mass), &b->force);
    v3_move(&v->angular, h, &turn);
    v3_clamp_in(&v->linear, VSP_MAX_SPEED);
    v3_clamp_in(&v->angular, VSP_MAX_SPEED);
    damp(&v->linear, b->linear_damping, h);
    damp(&v->angular, b->angular_damping, h);
    v3_move(&v->linear, r_mul(h, b->gravity_scale), &world->params.gravity);
}

void vsp__push_body(vsp_world *world, uint32_t body, vsp_real h)
{
    push_velocity(world, body, h, &world->work.solve.velocity[body]);
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

/* Turns counts into ends, which filling backwards turns into starts. */
static void sum_up(uint16_t *first, uint32_t count)
{
    uint32_t i, sum = 0;

    for (i = 0; i < count; i++) {
        sum += first[i];
        first[i] = (uint16_t)sum;
    }
    first[count] = (uint16_t)sum;
}

/* Lists the manifolds of every body: links[link_first[i] ...]. */
static void link_bodies(vsp_world *world)
{
    uint32_t *first = world->link_first, sum = 0, i, k;
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
        first[i] = sum;
    }
    for (i = count; i-- > 0;) /* backwards: ends become starts */
        for (k = 0; k < 2; k++)
            links[--first[m[i].body[k]]] = (uint16_t)i;
}

/* stack_order is not yet in use: it holds the queue, in which all that does
 * not move comes first. */
static void find_heights(vsp_world *world)
{
    uint16_t *queue = world->stack_order, *height = world->height;
    uint32_t i, head, tail = 0;

    for (i = 0; i < world->body_limit; i++) {
        height[i] = VSP__NO_HEIGHT;
        if (vsp__is_dynamic(&world->bodies[i]))
            continue;
        height[i] = 0;
        queue[tail++] = (uint16_t)i;
    }
    world->layer_count = 0;
    for (head = 0; head < tail; head++) {
        uint32_t body = queue[head];

        world->layer_count = height[body];
        for (i = world->link_first[body]; i < world->link_first[body + 1];
             i++) {
            const vsp__manifold *m = &world->manifolds[world->links[i]];
            uint32_t other = m->body[0] == body ? m->body[1] : m->body[0];

            if (height[other] != VSP__NO_HEIGHT)
                continue;
            height[other] = (uint16_t)(height[body] + 1u);
            queue[tail++] = (uint16_t)other;
        }
    }
}

/* layer of a body: one less than its height, or the last for floating ones */
static uint32_t body_layer(const vsp_world *world, uint32_t body)
{
    uint32_t height = world->height[body];

    return height == VSP__NO_HEIGHT ? world->layer_count : height - 1u;
}

/* Says which layer a manifold is in and which of its bodies is the lower. */
static void place_manifold(const vsp_world *world, vsp__manifold *m)
{
    uint32_t a = world->height[m->body[0]], b = world->height[m->body[1]];

    m->lower = (uint8_t)(a < b ? 1 : b < a ? 2 : 0);
    if (a == b)
        m->layer = (uint16_t)body_layer(world, m->body[0]);
    else
        m->layer = (uint16_t)(a < b ? a : b);
}

static void sort_layers(vsp_world *world)
{
    uint32_t count = world->contacts[0].manifold_count, i;
    uint32_t layers = world->layer_count + 1u;
    uint16_t *bodies = world->layer_bodies, *order = world->layer_manifolds;
    vsp__manifold *m = world->manifolds;

    for (i = 0; i < layers; i++)
        bodies[i] = order[i] = 0;
    for (i = 0; i < world->body_limit; i++)
        if (is_moved(world, i))
            bodies[body_layer(world, i)]++;
    for (i = 0; i < count; i++) {
        place_manifold(world, &m[i]);
        order[m[i].layer]++;
    }
    sum_up(bodies, layers);
    sum_up(order, layers);
    for (i = world->body_limit; i-- > 0;)
        if (is_moved(world, i))
            world->stack_order[--bodies[body_layer(world, i)]] = (uint16_t)i;
    for (i = count; i-- > 0;)
        world->layer_order[--order[m[i].layer]] = (uint16_t)i;
}

static uint32_t island_root(uint16_t *island, uint32_t body)
{
    while (island[body] != body) {
        island[body] = island[island[body]];
        body = island[body];
    }
    return body;
}

/* Moved bodies that touch share an island, named after its lowest slot. */
static void find_islands(vsp_world *world)
{
    uint16_t *island = world->island;
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        island[i] = (uint16_t)i;
    for (i = 0; i < world->contacts[0].manifold_count; i++) {
        const vsp__manifold *m = &world->manifolds[i];
        uint32_t a, b;

        if (!is_moved(world, m->body[0]) || !is_moved(world, m->body[1]))
            continue;
        a = island_root(island, m->body[0]);
        b = island_root(island, m->body[1]);
        if (a < b)
            island[b] = (uint16_t)a;
        else
            island[a] = (uint16_t)b;
    }
    for (i = 0; i < world->body_limit; i++)
        island[i] = (uint16_t)island_root(island, i);
}

void vsp__stack(vsp_world *world)
{
    link_bodies(world);
    find_heights(world);
    sort_layers(world);
    find_islands(world);
    world->stats.layer_count = world->layer_count;
}


/* ---- Rows: assembly ------------------------------------------------------ */

void vsp__tangents(vsp_vec3 normal, vsp_vec3 *t1, vsp_vec3 *t2)
{
    vsp_vec3 t = r_abs(normal.x) < VSP_R(0.6)
                     ? v3(VSP_R(0.0), normal.z, -normal.y)  /* n x (1,0,0) */
                     : v3(-normal.y, normal.x, VSP_R(0.0)); /* n x (0,0,1) */

    v3_scale_in(&t, vsp__rsqrt(v3_dot_at(&t, &t)));
    *t1 = t;
    v3_cross_to(&normal, t1, t2);
}

uint32_t vsp__span_manifold(const vsp_world *world,
                            const vsp__span *span, uint32_t i)
{
    return span->list == 0 ? world->layer_order[i] : i;
}

/* A manifold and what belongs to it.  Blocks and rows, or fixes: what the
 * problem at hand has. */
typedef struct site {
    vsp__manifold *m;
    vsp__point *points;
    vsp__block *block;
    vsp__row *rows;
    vsp__fix *fixes;
} site;

static void site_of(vsp_world *world, uint32_t list, uint32_t index, site *s)
{
    uint32_t first;

    s->m = &vsp__manifolds(world, list)[index];
    first = s->m->first_point;
    s->points = &vsp__points(world, list)[first];
    s->block = &world->problem.velocity.blocks[index];
    s->rows = &world->problem.velocity.rows[first];
    s->fixes = &world->problem.position.fixes[first];
}

/* that at place i of a span */
static void site_at(vsp_world *world, const vsp__span *span, uint32_t i,
                    site *s)
{
    site_of(world, span->list, vsp__span_manifold(world, span, i), s);
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
                       const vsp__point *p, vsp_vec3 *arm)
{
    vsp_vec3 d = world->bodies[m->body[1]].position, a, b;

    v3_sub_in(&d, &world->bodies[m->body[0]].position);
    vsp__mul(&world->axes[m->body[0]], &p->arm[0], &a);
    vsp__mul(&world->axes[m->body[1]], &p->arm[1], &b);
    v3_add_in(&a, &b);
    v3_add_in(&a, &d);
    v3_scale_in(&a, VSP_R(0.5));
    arm[0] = arm[1] = a;
    v3_sub_in(&arm[1], &d);
}

/* the velocity of b less that of a at a point */
static void meeting_velocity(const vsp_world *world, const vsp__manifold *m,
                             const vsp__point *p, vsp_vec3 *u)
{
    const vsp__velocity *v = world->work.solve.velocity;
    vsp_vec3 at[2];

    point_arms(world, m, p, at);
    velocity_at(&v[m->body[0]], &at[0], &at[0]);
    velocity_at(&v[m->body[1]], &at[1], u);
    v3_sub_in(u, &at[0]);
}

/* eq. 8 wants the first tangent along the sliding; below 0.1 m/s the
 * direction would be noise */
static void sliding_tangents(const vsp_world *world, const site *s)
{
    const vsp_vec3 *n = &s->m->normal;
    vsp_vec3 *axis = s->block->axes.axis;
    vsp_real square;
    vsp_vec3 u;

    meeting_velocity(world, s->m, s->points, &u);
    v3_move(&u, -v3_dot_at(&u, n), n);
    square = v3_dot_at(&u, &u);
    if (square < VSP_R(0.01))
        return;
    axis[1] = u;
    v3_scale_in(&axis[1], vsp__rsqrt(square));
    v3_cross_to(n, &axis[1], &axis[2]);
}

/* what resists the motion of a body in the solve of a span */
static const vsp__inverse *free_inverse(const vsp_world *world,
                                        const vsp__span *span, uint32_t body)
{
    static const vsp__inverse fixated;

    return is_free(world, span, body) ? &world->work.solve.inverse[body]
                                      : &fixated;
}

/* Fills a block; its rows follow. */
static void assemble_block(const vsp__inverse *const *inverse,
                           const vsp__manifold *m, vsp__block *block)
{
    vsp_real a = inverse[0]->mass, b = inverse[1]->mass, k;

    VSP_ASSERT(a + b > 0);
    k = r_div(VSP_R(1.0), a + b);
    block->inv_mass = a + b;
    block->share[0] = r_mul(-a, k);
    block->share[1] = r_mul(b, k);
    block->friction = m->friction;
    block->axes.axis[0] = m->normal;
    vsp__tangents(m->normal, &block->axes.axis[1], &block->axes.axis[2]);
}

/* inverse inertia of a body in a block's axes, over block.inv_mass */
static void block_inertia(const vsp__inverse *inverse,
                          const vsp__block *block, vsp__sym3 *s)
{
    *s = s3_zero();
    if (inverse->mass == 0)
        return;
    vsp__seen_from(&block->axes, &inverse->inertia, s);
    vsp__scale(s, r_div(VSP_R(1.0), block->inv_mass));
}

/* arm x axis k of the block, and what it turns */
static vsp_real fill_turn(const vsp__sym3 *inertia, const vsp_vec3 *arm,
                          uint32_t k, vsp_vec3 *t)
{
    vsp_real zero = VSP_R(0.0);
    vsp_vec3 c = k == 0   ? v3(zero, arm->z, -arm->y)
                 : k == 1 ? v3(-arm->z, zero, arm->x)
                          : v3(arm->y, -arm->x, zero);

    s3_mul_to(inertia, &c, t);
    return v3_dot_at(&c, t);
}

/* Fills the geometry of one point's rows. */
static void assemble_row(const vsp_world *world, const site *s,
                         const vsp__point *p, const vsp__sym3 *inertia,
                         vsp__row *row)
{
    uint32_t k;

    point_arms(world, s->m, p, row->arm);
    vsp__tmul(&s->block->axes, &row->arm[0], &row->arm[0]);
    vsp__tmul(&s->block->axes, &row->arm[1], &row->arm[1]);
    for (k = 0; k < 3; k++) {
        vsp_real a = fill_turn(&inertia[0], &row->arm[0], k, &row->turn[0][k]);
        vsp_real b = fill_turn(&inertia[1], &row->arm[1], k, &row->turn[1][k]);

        row->inv_diagonal[k] = r_div(VSP_R(1.0), VSP_R(1.0) + a + b);
    }
}

/* For u + bias >= 0: b of eq. 20 and 22.  An open gap may close within h; a
 * bounce wants its speed back. */
static vsp_real velocity_bias(const vsp__point *p, vsp_real inv_h)
{
    if (p->bounce > 0)
        return -p->bounce;
    return p->gap > 0 ? r_mul(p->gap, inv_h) : VSP_R(0.0);
}

/* Assembles the velocity problem of a span of list 0. */
void vsp__assemble(vsp_world *world, const vsp__span *span, vsp_real h)
{
    bool is_cone = world->params.friction == (uint32_t)VSP_FRICTION_CONE;
    vsp_real inv_h = r_div(VSP_R(1.0), h);
    uint32_t i, j;

    for (i = span->first; i < span->last; i++) {
        site s;
        const vsp__inverse *inverse[2];
        vsp__sym3 inertia[2];

        site_at(world, span, i, &s);
        for (j = 0; j < 2; j++)
            inverse[j] = free_inverse(world, span, s.m->body[j]);
        assemble_block(inverse, s.m, s.block);
        if (!is_cone)
            sliding_tangents(world, &s);
        for (j = 0; j < 2; j++)
            block_inertia(inverse[j], s.block, &inertia[j]);
        for (j = 0; j < s.m->point_count; j++) {
            vsp__row *row = &s.rows[j];

            assemble_row(world, &s, &s.points[j], inertia, row);
            row->bias = velocity_bias(&s.points[j], inv_h);
            if (is_cone) /* one step for both keeps the direction right */
                row->inv_diagonal[1] = row->inv_diagonal[2] =
                    r_min(row->inv_diagonal[1], row->inv_diagonal[2]);
        }
    }
}


/* ---- Rows: sweeps ---------------------------------------------------------
 * Projected Gauss-Seidel, eq. 28-33, matrix-free.  A manifold's bodies are
 * taken into its axes once; there the relative linear velocity e takes a
 * multiplier's change whole, because multipliers are divided by the mass. */

typedef struct local {  /* a manifold's bodies in its block's axes */
    vsp_vec3 e;         /* linear velocity of b less that of a */
    vsp_vec3 w[2];      /* angular velocities */
} local;

static void to_local(const vsp__velocity *u, const site *s, local *l)
{
    const vsp__velocity *a = &u[s->m->body[0]], *b = &u[s->m->body[1]];

    l->e = b->linear;
    v3_sub_in(&l->e, &a->linear);
    vsp__tmul(&s->block->axes, &l->e, &l->e);
    vsp__tmul(&s->block->axes, &a->angular, &l->w[0]);
    vsp__tmul(&s->block->axes, &b->angular, &l->w[1]);
}

/* Adds to the bodies what changed since before. */
static void from_local(vsp__velocity *u, const site *s, const local *before,
                       const local *l)
{
    const vsp__mat3 *axes = &s->block->axes;
    vsp_vec3 e = l->e;
    uint32_t i;

    v3_sub_in(&e, &before->e);
    vsp__mul(axes, &e, &e);
    for (i = 0; i < 2; i++) {
        vsp__velocity *v = &u[s->m->body[i]];
        vsp_vec3 w = l->w[i];

        if (s->block->share[i] == 0)
            continue;
        v3_sub_in(&w, &before->w[i]);
        v3_move(&v->linear, s->block->share[i], &e);
        vsp__mul(axes, &w, &w);
        v3_add_in(&v->angular, &w);
    }
}

/* J u of the three rows, eq. 2 and 6 */
static vsp_vec3 row_velocity(const local *l, const vsp__row *row)
{
    vsp_vec3 a, b;

    v3_cross_to(&l->w[0], &row->arm[0], &a);
    v3_cross_to(&l->w[1], &row->arm[1], &b);
    v3_sub_in(&b, &a);
    v3_add_in(&b, &l->e);
    return b;
}

/* Makes multiplier x[k] of a row what it is to be, and the velocities what
 * follows by eq. 33.  Returns by how much it changed. */
static vsp_real change_row(local *l, const vsp__row *row, uint32_t k,
                           vsp_real *x, vsp_real to)
{
    vsp_real d = to - x[k], *e = k == 0 ? &l->e.x : k == 1 ? &l->e.y
                                                          : &l->e.z;

    x[k] = to;
    *e += d;
    v3_move(&l->w[0], -d, &row->turn[0][k]);
    v3_move(&l->w[1], d, &row->turn[1][k]);
    return r_abs(d);
}

static vsp_real sweep_normal(local *l, const vsp__row *row, vsp_real *x)
{
    const vsp_vec3 *w = l->w, *arm = row->arm;
    vsp_real u = l->e.x + r_dot2(w[1].y, arm[1].z, -w[1].z, arm[1].y) -
                 r_dot2(w[0].y, arm[0].z, -w[0].z, arm[0].y);

    return change_row(l, row, 0, x,
                      r_max(VSP_R(0.0),
                            x[0] - r_mul(u + row->bias,
                                         row->inv_diagonal[0])));
}

/* Scales (t1, t2) back onto the disc of radius limit. */
static void clamp_to_disc(vsp_real limit, vsp_real *t1, vsp_real *t2)
{
    vsp_real square = r_dot2(*t1, *t1, *t2, *t2), k;

    if (square <= r_mul(limit, limit))
        return;
    k = limit > 0 ? r_mul(limit, vsp__rsqrt(square)) : VSP_R(0.0);
    *t1 = r_mul(*t1, k);
    *t2 = r_mul(*t2, k);
}

/* Both tangents from one velocity, then back into the cone. */
static vsp_real sweep_cone(local *l, const vsp__row *row, vsp_real limit,
                           vsp_real *x)
{
    vsp_vec3 u = row_velocity(l, row);
    vsp_real t1 = x[1] - r_mul(u.y, row->inv_diagonal[1]);
    vsp_real t2 = x[2] - r_mul(u.z, row->inv_diagonal[2]);
    vsp_real d1;

    clamp_to_disc(limit, &t1, &t2);
    d1 = change_row(l, row, 1, x, t1);
    return r_max(d1, change_row(l, row, 2, x, t2));
}

/* One tangent after the other, each within its bounds, eq. 29-30. */
static vsp_real sweep_pyramid(local *l, const vsp__row *row, vsp_real limit,
                              vsp_real *x)
{
    vsp_real t = x[1] - r_mul(row_velocity(l, row).y, row->inv_diagonal[1]);
    vsp_real d1 = change_row(l, row, 1, x,
                             r_clamp(t, -limit, limit));

    t = x[2] - r_mul(row_velocity(l, row).z, row->inv_diagonal[2]);
    return r_max(d1, change_row(l, row, 2, x,
                                r_clamp(t, -limit, limit)));
}

static vsp_real sweep_manifold(vsp_world *world, const site *s)
{
    bool is_cone = world->params.friction == (uint32_t)VSP_FRICTION_CONE;
    vsp_real largest = VSP_R(0.0);
    local l, before;
    uint32_t j;

    to_local(world->work.solve.velocity, s, &l);
    before = l;
    for (j = 0; j < s->m->point_count; j++) {
        const vsp__row *row = &s->rows[j];
        vsp_real *x = s->points[j].multiplier, limit;

        largest = r_max(largest, sweep_normal(&l, row, x));
        limit = r_mul(s->block->friction, x[0]);
        largest = r_max(largest, is_cone ? sweep_cone(&l, row, limit, x)
                                         : sweep_pyramid(&l, row, limit, x));
    }
    from_local(world->work.solve.velocity, s, &before, &l);
    return largest;
}

/* Sweeps a span until the largest change of a multiplier, in m/s, is below
 * tolerance, at most count times.  Returns that largest change. */
vsp_real vsp__sweep(vsp_world *world, const vsp__span *span, uint32_t count,
                    vsp_real tolerance)
{
    vsp_real largest = VSP_R(0.0);
    uint32_t i, k;

    for (k = 0; k < count; k++) {
        largest = VSP_R(0.0);
        for (i = span->first; i < span->last; i++) {
            site s;

            site_at(world, span, i, &s);
            largest = r_max(largest, sweep_manifold(world, &s));
            world->stats.row_updates += 3u * s.m->point_count;
        }
        world->stats.sweep_count++;
        if (largest < tolerance)
            break;
    }
    world->stats.residual = largest;
    return largest;
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

typedef enum freedom { /* what the points leave to the body's own motion */
    FREE_NOT,   /* three or more points: nothing */
    FREE_HINGE, /* points in a line: to turn about it */
    FREE_BALL,  /* a single point: to turn */
    FREE_ALL    /* no point: everything */
} freedom;

typedef struct fit { /* of the points that carry a body */
    vsp_vec3 center;         /* weighted mean of the arms */
    vsp_real inv_weight;     /* 1 / sum of weights */
    vsp__sym3 inv_spread;    /* inverse of sum w (r.r 1 - r r^T), r - center */
    vsp_vec3 mean;           /* velocity of the center, as the points want */
    vsp_vec3 hinge;          /* points in a line: its direction */
    freedom free;
    vsp__velocity motion;    /* of the body */
} fit;

/* the speed that gravity gives in a step: the measure of what is small */
static vsp_real gravity_speed(const vsp_world *world)
{
    return r_max(r_mul(v3_length(world->params.gravity), world->params.dt),
                 VSP_R(0.001));
}

static bool carries(const vsp__manifold *m, uint32_t body)
{
    return m->lower != 0 && m->body[2 - m->lower] == body;
}

/* multipliers of a row as an impulse on the upper body */
static void row_impulse(const site *it, const vsp_real *x, vsp_vec3 *p)
{
    *p = v3(x[0], x[1], x[2]);
    v3_scale_in(p, r_div(r_signed(VSP_R(1.0), it->m->lower == 2),
                         it->block->inv_mass));
    vsp__mul(&it->block->axes, p, p);
}

static void gather_point(const vsp_world *world, const site *it,
                         uint32_t point, vsp_real far_speed, vsp__support *s)
{
    const vsp__row *row = &it->rows[point];
    const vsp_real *x = it->points[point].multiplier;
    const vsp__mat3 *axes = &it->block->axes;
    uint32_t low = it->m->lower - 1u;

    vsp__mul(axes, &row->arm[1 - low], &s->arm);
    s->normal = v3_signed(it->m->normal, low == 1);
    vsp__mul(axes, &row->arm[low], &s->target);
    velocity_at(&world->work.solve.line[it->m->body[low]].predicted,
                &s->target, &s->target);
    v3_move(&s->target, -row->bias, &s->normal);
    row_impulse(it, x, &s->kept);
    s->weight = row->bias < far_speed || x[0] > 0 ? VSP_R(1.0) : VSP_R(0.0);
    s->point = point;
}

/* Lists what carries a body, with the impulses there are now.  Returns the
 * count, 0 when there are too many. */
static uint32_t gather_supports(vsp_world *world, uint32_t body)
{
    vsp_real far_speed = r_mul(VSP_R(2.0), gravity_speed(world));
    uint32_t count = 0, i, j;

    for (i = world->link_first[body]; i < world->link_first[body + 1]; i++) {
        site it;

        site_of(world, 0, world->links[i], &it);
        if (!carries(it.m, body))
            continue;
        if (count + it.m->point_count > VSP__MAX_SUPPORTS)
            return 0;
        for (j = 0; j < it.m->point_count; j++) {
            world->supports[count].manifold = world->links[i];
            gather_point(world, &it, j, far_speed,
                         &world->supports[count++]);
        }
    }
    return count;
}

/* the direction of the weighted point farthest from the center, or zero */
static void farthest_direction(const vsp_world *world, uint32_t count,
                               const vsp_vec3 *center, vsp_vec3 *best)
{
    const vsp__support *s = world->supports, *end = s + count;
    vsp_real largest = VSP_R(1e-8);

    *best = v3_zero();
    for (; s < end; s++) {
        vsp_vec3 r = s->arm;
        vsp_real square;

        v3_sub_in(&r, center);
        square = v3_dot_at(&r, &r);
        if (s->weight > 0 && square > largest) {
            largest = square;
            *best = r;
        }
    }
    v3_scale_in(best, vsp__rsqrt(largest));
}

/* Inverts the second moment, or what of it there is: points in a line, or a
 * single one, leave the body free to turn. */
static void invert_spread(const vsp_world *world, uint32_t count, fit *f)
{
    vsp__sym3 *inv = &f->inv_spread; /* the second moment itself as yet */
    vsp_real size = v3_largest(v3(inv->xx, inv->yy, inv->zz));
    vsp_vec3 *hinge = &f->hinge, a;

    f->free = FREE_NOT;
    if (vsp__invert(inv, VSP_R(1e-5), inv))
        return;
    farthest_direction(world, count, &f->center, hinge);
    f->free = v3_dot_at(hinge, hinge) > 0 ? FREE_HINGE : FREE_BALL;
    if (f->free == FREE_BALL)
        return;
    a = *hinge;
    inv->xx = VSP_R(1.0) - r_mul(a.x, a.x); /* (1 - a a^T) / size */
    inv->yy = VSP_R(1.0) - r_mul(a.y, a.y);
    inv->zz = VSP_R(1.0) - r_mul(a.z, a.z);
    inv->xy = -r_mul(a.x, a.y);
    inv->xz = -r_mul(a.x, a.z);
    inv->yz = -r_mul(a.y, a.z);
    vsp__scale(inv, r_div(VSP_R(1.0), size));
}

/* Fits a rigid motion to the targets, least squares by weight. */
static void fit_supports(const vsp_world *world, uint32_t count, fit *f)
{
    const vsp__support *s, *end = world->supports + count;
    vsp_vec3 moment = v3_zero();
    vsp_real weight = VSP_R(0.0);

    f->center = f->mean = moment;
    for (s = world->supports; s < end; s++) {
        weight += s->weight;
        v3_move(&f->center, s->weight, &s->arm);
        v3_move(&f->mean, s->weight, &s->target);
    }
    f->free = FREE_ALL;
    f->inv_weight = weight > 0 ? r_div(VSP_R(1.0), weight) : VSP_R(0.0);
    v3_scale_in(&f->center, f->inv_weight);
    v3_scale_in(&f->mean, f->inv_weight);
    f->inv_spread = s3_zero();
    if (!(weight > 0))
        return;
    for (s = world->supports; s < end; s++) {
        vsp_vec3 r = s->arm, turn = s->target;

        v3_sub_in(&r, &f->center);
        vsp__add_spread(&f->inv_spread, s->weight, r);
        v3_sub_in(&turn, &f->mean);
        v3_cross_to(&r, &turn, &turn);
        v3_move(&moment, s->weight, &turn);
    }
    invert_spread(world, count, f);
    s3_mul_to(&f->inv_spread, &moment, &f->motion.angular);
}

/* torque about the center that takes a body from one velocity to a motion
 * with the fit's mean velocity there and the spin w */
static void center_torque(const vsp_world *world, uint32_t body,
                          const fit *f, const vsp__velocity *from,
                          const vsp_vec3 *w, vsp_vec3 *torque)
{
    vsp_vec3 p = f->mean, turning;

    v3_cross_to(w, &f->center, &turning);
    v3_sub_in(&p, &turning);
    v3_sub_in(&p, &from->linear);
    v3_scale_in(&p, world->bodies[body].matter.mass);
    v3_cross_to(&f->center, &p, &p);
    *torque = *w;
    v3_sub_in(torque, &from->angular);
    inertia_mul(world, body, torque);
    v3_sub_in(torque, &p);
}

/* The spin about the hinge at which no torque acts along it. */
static void swing_on_hinge(const vsp_world *world, uint32_t body, fit *f,
                           const vsp__velocity *from)
{
    vsp_vec3 arm, torque, turn = f->hinge;
    vsp_real inertia;

    v3_cross_to(&f->hinge, &f->center, &arm);
    center_torque(world, body, f, from, &f->motion.angular, &torque);
    inertia_mul(world, body, &turn);
    inertia = v3_dot_at(&f->hinge, &turn) +
              r_mul(world->bodies[body].matter.mass, v3_dot_at(&arm, &arm));
    if (inertia > 0)
        v3_move(&f->motion.angular,
                r_div(-v3_dot_at(&f->hinge, &torque), inertia), &f->hinge);
}

/* The spin at which no torque acts at the center: inertia about the center
 * times w = torque without w. */
static void swing_on_ball(const vsp_world *world, uint32_t body, fit *f,
                          const vsp__velocity *from)
{
    vsp__sym3 inertia = world->bodies[body].matter.inertia, inverse;
    vsp_vec3 torque, *w = &f->motion.angular;

    vsp__rotate(&world->axes[body], &inertia);
    vsp__add_spread(&inertia, world->bodies[body].matter.mass, f->center);
    *w = v3_zero();
    if (!vsp__invert(&inertia, VSP_R(1e-9), &inverse))
        return;
    center_torque(world, body, f, from, w, &torque);
    s3_mul_to(&inverse, &torque, w);
    v3_scale_in(w, VSP_R(-1.0));
}

/* Completes the fit: what the points leave free follows from where the body
 * comes from. */
static void complete_fit(const vsp_world *world, uint32_t body, fit *f,
                         const vsp__velocity *from)
{
    vsp_vec3 turning;

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
                      vsp_real slack)
{
    const vsp__support *s = world->supports, *end = s + count;

    for (; s < end; s++) {
        vsp_vec3 off;

        velocity_at(&f->motion, &s->arm, &off);
        v3_sub_in(&off, &s->target);
        if (s->weight > 0 ? v3_size_at(&off) > slack
                          : v3_dot_at(&off, &s->normal) <
                                r_mul(VSP_R(-0.005), slack))
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
    vsp__support *s = world->supports, *end = s + count;
    vsp_vec3 even = f->motion.linear, bend;

    v3_sub_in(&even, &from->linear);
    v3_scale_in(&even, world->bodies[body].matter.mass);
    v3_scale_in(&even, f->inv_weight);
    center_torque(world, body, f, from, &f->motion.angular, &bend);
    s3_mul_to(&f->inv_spread, &bend, &bend);
    for (; s < end; s++) {
        vsp_vec3 r = s->arm;

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

/* Holds the shared impulses against the cone of every point. */
static verdict judge_load(vsp_world *world, uint32_t body, uint32_t count)
{
    vsp_real slack = r_mul(VSP_R(1e-4), gravity_speed(world));
    vsp_real inv_mass = world->work.solve.inverse[body].mass;
    vsp__support *s = world->supports, *end = s + count;
    verdict v = LOAD_OK;

    for (; s < end; s++) {
        vsp_vec3 t = s->impulse;
        vsp_real n, limit;

        if (!(s->weight > 0))
            continue;
        v3_scale_in(&t, inv_mass); /* as a velocity */
        n = v3_dot_at(&t, &s->normal);
        v3_move(&t, -n, &s->normal);
        if (n < -slack) {
            s->weight = VSP_R(0.0);
            v = LOAD_PULLS;
        }
        limit = r_mul(world->manifolds[s->manifold].friction,
                      r_max(n, VSP_R(0.0))) + slack;
        if (v == LOAD_OK && v3_dot_at(&t, &t) > r_mul(limit, limit))
            v = LOAD_SLIPS;
    }
    return v;
}

/* Weighs each point by the load it bears: their centre is then the centre of
 * pressure, and friction is asked of each in proportion. */
static void weigh_by_load(vsp_world *world, uint32_t count)
{
    vsp__support *s, *end = world->supports + count;
    vsp_real largest = VSP_R(0.0);

    for (s = world->supports; s < end; s++)
        if (s->weight > 0)
            largest = r_max(largest, v3_dot_at(&s->impulse, &s->normal));
    if (!(largest > 0))
        return;
    for (s = world->supports; s < end; s++)
        if (s->weight > 0)
            s->weight = r_max(r_div(v3_dot_at(&s->impulse, &s->normal),
                                    largest),
                              VSP_R(0.0001));
}

/* Makes the supports' impulses the multipliers; what changed acts on the
 * lower bodies. */
static void commit_load(vsp_world *world, uint32_t count)
{
    const vsp__support *s = world->supports, *end = s + count;

    for (; s < end; s++) {
        uint32_t low, below;
        vsp_vec3 change, t;
        vsp_real *x;
        site it;

        site_of(world, 0, s->manifold, &it);
        x = it.points[s->point].multiplier;
        low = it.m->lower - 1u;
        below = it.m->body[low];
        row_impulse(&it, x, &change);
        v3_sub_in(&change, &s->impulse);
        vsp__tmul(&it.block->axes, &s->impulse, &t);
        v3_scale_in(&t, r_signed(it.block->inv_mass, low == 1));
        x[0] = t.x;
        x[1] = t.y;
        x[2] = t.z;
        vsp__mul(&it.block->axes, &it.rows[s->point].arm[low], &t);
        if (is_moved(world, below))
            apply_impulse(&world->work.solve.inverse[below],
                          &world->work.solve.velocity[below], &t, &change);
    }
}

/* Takes what the supports bear back from a body. */
static void unload(vsp_world *world, uint32_t body, uint32_t count,
                   vsp__velocity *v)
{
    vsp__support *s = world->supports, *end = s + count;

    for (; s < end; s++) {
        vsp_vec3 p = s->kept;

        v3_scale_in(&p, VSP_R(-1.0));
        apply_impulse(&world->work.solve.inverse[body], v, &s->arm, &p);
        s->kept = v3_zero();
    }
}

/* Whether points that are left out bear something. */
static bool idle_bears(const vsp_world *world, uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count; i++) {
        const vsp__support *s = &world->supports[i];

        if (!(s->weight > 0) && v3_dot_at(&s->kept, &s->kept) > 0)
            return true;
    }
    return false;
}

/* Welds a body, coming from a velocity, to the supports listed.  Points that
 * would have to pull are left out and, where friction is short, it is asked
 * from the loaded points.  Returns false when no try holds. */
static bool weld(vsp_world *world, uint32_t body, uint32_t count,
                 uint32_t tries, const vsp__velocity *from, fit *f)
{
    vsp_real slack = r_mul(VSP_R(2.0), gravity_speed(world));
    bool is_weighed = false;

    while (tries-- > 0) {
        verdict v;

        fit_supports(world, count, f);
        complete_fit(world, body, f, from);
        if (!suits_all(world, count, f, slack))
            return false;
        share_impulse(world, body, count, f, from);
        world->stats.row_updates += 3u * count;
        v = judge_load(world, body, count);
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

/* What a body will do under its own weight, given what is below: follow
 * where three points or more hold it, fall where none does.  A body on an
 * edge or a point depends on what leans on it and rests on it: it, and one
 * whose weld fails, is taken to go on as it is. */
static void predict_body(vsp_world *world, uint32_t body)
{
    const vsp__body *b = &world->bodies[body];
    vsp__velocity *v = &world->work.solve.line[body].predicted, from;
    uint32_t count = gather_supports(world, body), i;
    fit f;

    v->linear = b->velocity;
    v->angular = b->spin;
    from = *v;
    push_velocity(world, body, world->params.dt, &from);
    for (i = 0; i < count; i++)
        world->supports[i].kept = v3_zero();
    if (count > 0 && weld(world, body, count, WELD_TRIES, &from, &f) &&
        (f.free == FREE_NOT || f.free == FREE_ALL))
        *v = f.motion;
}

/* Welds a body to its supports as they are predicted, under all it bears:
 * first by adding to what they bear already, as warm starting has it; then,
 * where that does not hold, from nothing.  A body that cannot be welded is
 * left to the sweeps. */
static void carry_body(vsp_world *world, uint32_t body)
{
    uint32_t count = gather_supports(world, body);
    vsp__velocity from = world->work.solve.velocity[body];
    bool is_held;
    fit f;

    if (count == 0)
        return;
    is_held = !idle_bears(world, count) &&
              weld(world, body, count, 1, &from, &f);
    if (!is_held) {
        gather_supports(world, body);
        unload(world, body, count, &from);
        is_held = weld(world, body, count, WELD_TRIES, &from, &f);
    }
    if (!is_held)
        return;
    commit_load(world, count);
    world->work.solve.velocity[body] = f.motion;
}

/* Bottom up: the velocities that the bodies are hoped to have at the end. */
void vsp__predict(vsp_world *world)
{
    uint32_t standing = world->layer_bodies[world->layer_count], i;

    for (i = 0; i < world->body_limit; i++)
        world->work.solve.line[i].predicted = world->work.solve.velocity[i];
    for (i = 0; i < standing; i++)
        predict_body(world, world->stack_order[i]);
}

/* Top down: every body takes the velocity that its supports predict; what
 * that needs, with all it bears from above, goes on to them. */
void vsp__carry(vsp_world *world)
{
    uint32_t standing = world->layer_bodies[world->layer_count], i;

    for (i = standing; i-- > 0;)
        carry_body(world, world->stack_order[i]);
}


/* ---- Line search ------------------------------------------------------------
 * A pass over bodies is a step in the multipliers, from x0 to x.  Along it
 * the objective f(x) = x.A x / 2 + b.x of the complementarity problem (eq.
 * 42 without damping) is a parabola; each island goes as far as it falls.
 * With J u known at both ends, no mass is needed:
 * f' = (J u0 + bias).(x - x0), f'' = (J u - J u0).(x - x0). */

/* Puts all multipliers aside, or takes them back. */
static void copy_multipliers(vsp_world *world, bool is_back)
{
    uint32_t i, k;

    for (i = 0; i < world->contacts[0].point_count; i++) {
        vsp_real *x = world->points[i].multiplier;
        vsp_real *saved = world->warm[i].saved;

        for (k = 0; k < 3; k++)
            if (is_back)
                x[k] = saved[k];
            else
                saved[k] = x[k];
    }
}

void vsp__line_search_begin(vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        world->work.solve.saved[i] = world->work.solve.velocity[i];
    copy_multipliers(world, false);
}

/* Puts all multipliers aside, and begins from 0. */
void vsp__put_aside(vsp_world *world)
{
    uint32_t i, k;

    copy_multipliers(world, false);
    for (i = 0; i < world->contacts[0].point_count; i++)
        for (k = 0; k < 3; k++)
            world->points[i].multiplier[k] = VSP_R(0.0);
}

/* Takes back what was put aside. */
void vsp__take_back(vsp_world *world)
{
    copy_multipliers(world, true);
}

static uint32_t manifold_island(const vsp_world *world,
                                const vsp__manifold *m)
{
    return world->island[is_moved(world, m->body[0]) ? m->body[0] : m->body[1]];
}

/* Adds a manifold's f' and f'' to its island's sums. */
static void add_slopes(vsp_world *world, const site *s)
{
    vsp__line *line = &world->work.solve.line[manifold_island(world, s->m)];
    uint32_t j;
    vsp_real first = VSP_R(0.0), second = VSP_R(0.0), k;
    local now, old;

    to_local(world->work.solve.velocity, s, &now);
    to_local(world->work.solve.saved, s, &old);
    for (j = 0; j < s->m->point_count; j++) {
        const vsp__row *row = &s->rows[j];
        const vsp_real *x = s->points[j].multiplier;
        const vsp_real *x0 = world->warm[s->m->first_point + j].saved;
        vsp_vec3 d = v3(x[0] - x0[0], x[1] - x0[1], x[2] - x0[2]);
        vsp_vec3 u = row_velocity(&old, row), change = row_velocity(&now, row);

        v3_sub_in(&change, &u);
        second += v3_dot_at(&change, &d);
        u.x += row->bias;
        first += v3_dot_at(&u, &d);
    }
    k = r_div(VSP_R(1.0), s->block->inv_mass);
    line->slope.first += r_mul(first, k);
    line->slope.second += r_mul(second, k);
}

/* how far an island goes, by its sums: 0 to 1 */
static vsp_real island_step(const vsp__line *line)
{
    vsp_real first = line->slope.first, second = line->slope.second;

    if (!r_is_finite(first) || !r_is_finite(second))
        return VSP_R(0.0);
    if (!(first < 0))
        return second > 0 ? VSP_R(0.0) : VSP_R(1.0);
    if (!(second > -first))
        return VSP_R(1.0);
    return r_div(-first, second);
}

/* Goes the part s of the way from saved multipliers to those there are. */
static void shorten_rows(vsp_world *world, const vsp__manifold *m, vsp_real s)
{
    uint32_t j, k;

    for (j = m->first_point; j < m->first_point + m->point_count; j++) {
        vsp_real *x = world->points[j].multiplier;
        const vsp_real *x0 = world->warm[j].saved;

        for (k = 0; k < 3; k++)
            x[k] = x0[k] + r_mul(s, x[k] - x0[k]);
    }
}

/* Takes v back to the part s of the way to it. */
static void pull_back(const vsp_vec3 *from, vsp_real s, vsp_vec3 *v)
{
    vsp_vec3 way = *v;

    v3_sub_in(&way, from);
    *v = *from;
    v3_move(v, s, &way);
}

void vsp__line_search_end(vsp_world *world)
{
    uint32_t count = world->contacts[0].manifold_count, i;
    vsp__line *line = world->work.solve.line;

    for (i = 0; i < world->body_limit; i++)
        line[i].slope.first = line[i].slope.second = VSP_R(0.0);
    for (i = 0; i < count; i++) {
        site it;

        site_of(world, 0, i, &it);
        add_slopes(world, &it);
    }
    for (i = 0; i < world->body_limit; i++) { /* its lowest body first */
        uint32_t island = world->island[i];
        vsp__velocity *v = &world->work.solve.velocity[i];
        const vsp__velocity *v0 = &world->work.solve.saved[i];
        vsp_real s;

        if (island == i)
            line[i].slope.first = island_step(&line[i]);
        s = line[island].slope.first;
        if (!is_moved(world, i) || !(s < 1))
            continue;
        pull_back(&v0->linear, s, &v->linear);
        pull_back(&v0->angular, s, &v->angular);
    }
    for (i = 0; i < count; i++) {
        const vsp__manifold *m = &world->manifolds[i];
        vsp_real s = line[manifold_island(world, m)].slope.first;

        if (s < 1)
            shorten_rows(world, m, s);
    }
}


/* ---- Position correction ----------------------------------------------------
 * Eq. 46, by projection: displacements that end every overlap, full depth,
 * normals only; an open gap may close but not more.  solve.saved holds the
 * displacements. */

static vsp_real deepest(vsp_world *world, const vsp__span *span)
{
    vsp_real depth = VSP_R(0.0);
    uint32_t i, j;

    for (i = span->first; i < span->last; i++) {
        site s;

        site_at(world, span, i, &s);
        for (j = 0; j < s.m->point_count; j++)
            depth = r_max(depth, -s.points[j].gap);
    }
    return depth;
}

/* Fills the position problem of a manifold. */
static void assemble_fixes(const vsp_world *world, const vsp__span *span,
                           const site *s)
{
    uint32_t i, j;

    for (j = 0; j < s->m->point_count; j++) {
        vsp__fix *fix = &s->fixes[j];
        vsp_real diagonal[2];

        point_arms(world, s->m, &s->points[j], fix->lever);
        for (i = 0; i < 2; i++) {
            const vsp__inverse *inverse =
                free_inverse(world, span, s->m->body[i]);

            v3_cross_to(&fix->lever[i], &s->m->normal, &fix->lever[i]);
            s3_mul_to(&inverse->inertia, &fix->lever[i], &fix->turn[i]);
            diagonal[i] = inverse->mass +
                          v3_dot_at(&fix->lever[i], &fix->turn[i]);
        }
        fix->inv_diagonal = r_div(VSP_R(1.0), diagonal[0] + diagonal[1]);
        fix->gap = s->points[j].gap;
        fix->multiplier = VSP_R(0.0);
    }
}

/* One sweep over a manifold.  Returns the largest correction, m. */
static vsp_real sweep_fixes(vsp_world *world, const vsp__span *span,
                            const site *s)
{
    vsp__velocity *a = &world->work.solve.saved[s->m->body[0]];
    vsp__velocity *b = &world->work.solve.saved[s->m->body[1]];
    vsp_real mass_a = free_inverse(world, span, s->m->body[0])->mass;
    vsp_real mass_b = free_inverse(world, span, s->m->body[1])->mass;
    const vsp_vec3 *n = &s->m->normal;
    vsp__fix *fix = s->fixes, *end = fix + s->m->point_count;
    vsp_real largest = VSP_R(0.0);

    for (; fix < end; fix++) {
        vsp_real old = fix->multiplier, u, d;
        vsp_vec3 v = b->linear;

        v3_sub_in(&v, &a->linear);
        u = v3_dot_at(n, &v) + v3_dot_at(&fix->lever[1], &b->angular) -
            v3_dot_at(&fix->lever[0], &a->angular) + fix->gap;
        fix->multiplier = r_max(VSP_R(0.0),
                                old - r_mul(u, fix->inv_diagonal));
        d = fix->multiplier - old;
        largest = r_max(largest, r_abs(r_mul(d, mass_a + mass_b)));
        v3_move(&a->linear, r_mul(-d, mass_a), n);
        v3_move(&a->angular, -d, &fix->turn[0]);
        v3_move(&b->linear, r_mul(d, mass_b), n);
        v3_move(&b->angular, d, &fix->turn[1]);
    }
    world->stats.row_updates += s->m->point_count;
    return largest;
}

/* Clears the displacements of a span's bodies; before that, if asked to,
 * moves those that are free by them, each once. */
static void end_displacements(vsp_world *world, const vsp__span *span,
                              bool is_to_move)
{
    uint32_t i, k;

    for (i = span->first; i < span->last; i++) {
        site s;

        site_at(world, span, i, &s);
        for (k = 0; k < 2; k++) {
            uint32_t body = s.m->body[k];
            vsp__velocity *d = &world->work.solve.saved[body];

            if (is_to_move && is_free(world, span, body))
                displace_body(world, body, d);
            d->linear = d->angular = v3_zero();
        }
    }
}

/* Corrects a span if anything in it is deeper than the tolerance, and
 * returns whether it was.  Gaps must be up to date. */
bool vsp__correct(vsp_world *world, const vsp__span *span)
{
    vsp_real tolerance = r_mul(world->params.envelope, VSP_R(0.0005));
    uint32_t i, k;
    site s;

    if (deepest(world, span) <= tolerance)
        return false;
    if (span->list == 1) /* finding it took their memory */
        for (i = 0; i < world->body_limit; i++)
            vsp__update_inverse(world, i);
    for (i = span->first; i < span->last; i++) {
        site_at(world, span, i, &s);
        assemble_fixes(world, span, &s);
    }
    end_displacements(world, span, false);
    for (k = 0; k < world->params.correction_sweeps; k++) {
        vsp_real largest = VSP_R(0.0);

        for (i = span->first; i < span->last; i++) {
            site_at(world, span, i, &s);
            largest = r_max(largest, sweep_fixes(world, span, &s));
        }
        world->stats.correction_count++;
        if (largest < tolerance)
            break;
    }
    end_displacements(world, span, true);
    return true;
}


/* ---- Restitution and warm starting --------------------------------------- */

/* Eq. 21: what of its approach each point is to give back, taken from the
 * velocity before the step, once.  A point that gravity could have brought
 * to its speed within a step does not bounce. */
void vsp__find_bounces(vsp_world *world)
{
    vsp_real slow = gravity_speed(world);
    uint32_t i, j;

    for (i = 0; i < world->contacts[0].manifold_count; i++) {
        site s;

        site_of(world, 0, i, &s);
        for (j = 0; j < s.m->point_count; j++) {
            vsp__point *p = &s.points[j];
            vsp_real approach;
            vsp_vec3 u;

            meeting_velocity(world, s.m, p, &u);
            approach = -v3_dot_at(&u, &s.m->normal);
            p->bounce = VSP_R(0.0);
            if (approach > slow &&
                r_mul(approach, world->params.dt) > p->gap)
                p->bounce = r_mul(s.m->restitution, approach);
        }
    }
}

/* Multipliers along a normal and two tangents, times k, along two others. */
static void turn_multipliers(vsp_real *x, const vsp_vec3 *tangents,
                             const vsp_vec3 *others, vsp_real k)
{
    vsp_vec3 t = tangents[0];

    v3_scale_in(&t, x[1]);
    v3_move(&t, x[2], &tangents[1]);
    x[0] = r_mul(x[0], k);
    x[1] = r_mul(v3_dot_at(&t, &others[0]), k);
    x[2] = r_mul(v3_dot_at(&t, &others[1]), k);
}

/* Applies the points' multipliers to the bodies of a span, and leaves them in
 * the axes of the blocks, divided by their masses. */
void vsp__warm_start(vsp_world *world, const vsp__span *span)
{
    uint32_t i, j;

    for (i = span->first; i < span->last; i++) {
        site s;
        local l, before;
        vsp_vec3 t[2];

        site_at(world, span, i, &s);
        to_local(world->work.solve.velocity, &s, &l);
        before = l;
        vsp__tangents(s.m->normal, &t[0], &t[1]);
        for (j = 0; j < s.m->point_count; j++) {
            const vsp__row *row = &s.rows[j];
            vsp_real *x = s.points[j].multiplier, from[3];

            from[0] = from[1] = from[2] = VSP_R(0.0);
            turn_multipliers(x, t, &s.block->axes.axis[1],
                             s.block->inv_mass);
            change_row(&l, row, 0, from, x[0]);
            change_row(&l, row, 1, from, x[1]);
            change_row(&l, row, 2, from, x[2]);
        }
        from_local(world->work.solve.velocity, &s, &before, &l);
    }
}

/* a number that callers and the next step can bear */
static vsp_real as_impulse(vsp_real a)
{
    return r_is_finite(a) ? r_clamp(a, -VSP_MAX_FORCE, VSP_MAX_FORCE)
                          : VSP_R(0.0);
}

/* Makes multipliers of rows impulses again, in N s, along the tangents that
 * the normal alone gives. */
void vsp__keep_multipliers(vsp_world *world, const vsp__span *span)
{
    uint32_t i, j, k;

    for (i = span->first; i < span->last; i++) {
        site s;
        vsp_vec3 t[2];

        site_at(world, span, i, &s);
        vsp__tangents(s.m->normal, &t[0], &t[1]);
        for (j = 0; j < s.m->point_count; j++) {
            vsp_real *x = s.points[j].multiplier;

            turn_multipliers(x, &s.block->axes.axis[1], t,
                             r_div(VSP_R(1.0), s.block->inv_mass));
            for (k = 0; k < 3; k++)
                x[k] = as_impulse(x[k]);
        }
    }
}

static uint32_t pair_key(const vsp__manifold *m)
{
    return (uint32_t)m->shape[0] << 16 | m->shape[1];
}

static uint32_t warm_feature(const vsp__warm *w)
{
    return (r_bits(w->tangent1) & 15u) | (r_bits(w->tangent2) & 15u) << 4;
}

/* a real without its last four bits, which then hold a nibble */
static vsp_real with_nibble(vsp_real a, uint32_t nibble)
{
    return r_from_bits((r_bits(a) & ~(uint32_t)15) | nibble);
}

static void load_point(const vsp_world *world, uint32_t first, uint32_t key,
                       vsp__point *p)
{
    uint32_t i;

    for (i = first; i < world->warm_count; i++) {
        const vsp__warm *w = &world->warm[i].state;

        if (w->pair != key)
            return;
        if (warm_feature(w) != p->feature)
            continue;
        p->multiplier[0] = w->normal;
        p->multiplier[1] = with_nibble(w->tangent1, 0);
        p->multiplier[2] = with_nibble(w->tangent2, 0);
        return;
    }
}

/* Fills the points' multipliers from those of the last step, found by pair
 * and feature.  Both lists are in the order of pairs. */
void vsp__warm_load(vsp_world *world)
{
    uint32_t next = 0, i, j;

    for (i = 0; i < world->contacts[0].manifold_count; i++) {
        const vsp__manifold *m = &world->manifolds[i];
        uint32_t key = pair_key(m);

        while (next < world->warm_count && world->warm[next].state.pair < key)
            next++;
        for (j = 0; j < m->point_count; j++)
            load_point(world, next, key, &world->points[m->first_point + j]);
    }
}

/* Keeps the points' multipliers for the next step; zeros are not kept. */
void vsp__warm_store(vsp_world *world)
{
    uint32_t i, j, count = 0;

    for (i = 0; i < world->contacts[0].manifold_count; i++) {
        const vsp__manifold *m = &world->manifolds[i];

        for (j = m->first_point; j < m->first_point + m->point_count; j++) {
            const vsp__point *p = &world->points[j];
            vsp__warm *w = &world->warm[count].state;

            if (!(r_flush(p->multiplier[0]) > 0))
                continue;
            w->pair = pair_key(m);
            w->normal = p->multiplier[0];
            w->tangent1 = with_nibble(r_flush(p->multiplier[1]),
                                      p->feature & 15u);
            w->tangent2 = with_nibble(r_flush(p->multiplier[2]),
                                      p->feature >> 4 & 15u);
            count++;
        }
    }
    world->warm_count = count;
}


/* ---- Merit --------------------------------------------------------------- */

/* H of eq. 37 for a point, w = J u + b: for bounds it says
 * min(x - low, max(x - high, w)), which is x less what a projected step of
 * x - w would leave; the latter also serves the cone. */
static vsp_vec3 violation(const vsp_real *x, vsp_vec3 w, vsp_real friction,
                          bool is_cone)
{
    vsp_real limit = r_mul(friction, x[0]);
    vsp_real t1 = x[1] - w.y, t2 = x[2] - w.z;

    if (is_cone) {
        clamp_to_disc(limit, &t1, &t2);
    } else {
        t1 = r_clamp(t1, -limit, limit);
        t2 = r_clamp(t2, -limit, limit);
    }
    return v3(r_min(x[0], w.x), x[1] - t1, x[2] - t2);
}

/* theta of eq. 38, with multipliers as velocities: (m/s)^2 */
vsp_real vsp__merit(vsp_world *world)
{
    bool is_cone = world->params.friction == (uint32_t)VSP_FRICTION_CONE;
    vsp_real sum = VSP_R(0.0);
    uint32_t i, j;

    for (i = 0; i < world->contacts[0].manifold_count; i++) {
        site s;
        local l;

        site_of(world, 0, i, &s);
        to_local(world->work.solve.velocity, &s, &l);
        for (j = 0; j < s.m->point_count; j++) {
            const vsp__row *row = &s.rows[j];
            vsp_vec3 w = row_velocity(&l, row), h;

            w.x += row->bias;
            h = violation(s.points[j].multiplier, w, s.block->friction,
                          is_cone);
            sum += v3_dot_at(&h, &h);
        }
    }
    return r_mul(VSP_R(0.5), sum);
}
