/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Contacts to velocities and positions.  Knows no geometry.  In this order:
 * bodies' frames and motion; the stack (islands, heights, layers); rows and
 * their assembly; sweeps of projected Gauss-Seidel; predict and carry, which
 * find what a stack needs in two passes over its bodies; the line search;
 * position correction; warm starting.  vsp.c puts these verbs together into
 * steps.
 *
 * Equation numbers are those of Erleben, Velocity-based shock propagation
 * for multibody dynamics animation, 2007. */

#include "vsp_internal.h"


/* ---- Frames and motion --------------------------------------------------- */

void vsp__update_axes(vsp_world *world, uint32_t body)
{
    vsp__mat3 axes = m3_from_quat(world->bodies[body].rotation);

    world->axes[body].x = v3_flush(axes.x);
    world->axes[body].y = v3_flush(axes.y);
    world->axes[body].z = v3_flush(axes.z);
}

void vsp__update_inverse(vsp_world *world, uint32_t body)
{
    const vsp__body *b = &world->bodies[body];
    vsp__inverse *inverse = &world->work.solve.inverse[body];
    vsp__sym3 in_body;

    inverse->mass = VSP_R(0.0);
    inverse->inertia = s3_zero();
    if (!vsp__is_dynamic(b))
        return;
    inverse->mass = r_div(VSP_R(1.0), b->mass);
    if (s3_inverse(&b->inertia, VSP_R(1e-12), &in_body))
        inverse->inertia = s3_rotate(&world->axes[body], &in_body);
}

/* after a turn */
static void update_body(vsp_world *world, uint32_t body)
{
    vsp__update_axes(world, body);
    vsp__update_inverse(world, body);
}

/* inertia of a body in the world, times v */
static vsp_vec3 inertia_mul(const vsp_world *world, uint32_t body, vsp_vec3 v)
{
    const vsp__mat3 *axes = &world->axes[body];

    return m3_mul(axes, s3_mul(&world->bodies[body].inertia,
                               m3_tmul(axes, v)));
}

static vsp_vec3 velocity_at(const vsp__velocity *v, vsp_vec3 arm)
{
    return v3_add(v->linear, v3_cross(v->angular, arm));
}

/* An impulse p at an arm from the centre of mass of a body. */
static void apply_impulse(const vsp__inverse *inverse, vsp__velocity *v,
                          vsp_vec3 arm, vsp_vec3 p)
{
    v->linear = v3_madd(v->linear, inverse->mass, p);
    v->angular = v3_add(v->angular, s3_mul(&inverse->inertia,
                                           v3_cross(arm, p)));
}

/* a turn by the rotation vector t: (t / 2, 1) made of length 1, the Cayley
 * map; exact up to |t|^3 / 12 */
static vsp_quat small_turn(vsp_vec3 t)
{
    vsp_vec3 half = v3_scale(v3_clamp(t, VSP_R(1000.0)), VSP_R(0.5));
    vsp_quat q = {half.x, half.y, half.z, VSP_R(1.0)};

    return q_normalize(q);
}

static bool is_round(const vsp__sym3 *s)
{
    vsp_real slack = r_mul(s->xx, VSP_R(1e-5));

    return r_abs(s->xx - s->yy) <= slack && r_abs(s->xx - s->zz) <= slack &&
           r_abs(s->xy) <= slack && r_abs(s->xz) <= slack &&
           r_abs(s->yz) <= slack;
}

/* Turns a free body for h seconds under its gyroscopic torque, eq. 18, by
 * the implicit midpoint rule: with P the angular momentum in the body's
 * axes, P' = P + h (P + P')/2 x I^-1 (P + P')/2.  It keeps P.P and P.I^-1 P,
 * and as the Cayley map of small_turn belongs to it, also the angular momentum
 * in the world.  Returns the spin to turn with; *spin becomes that at the
 * end, in the body's axes.  Where a step turns too far for the iteration to
 * converge, the spin stays. */
static vsp_vec3 free_spin(const vsp__sym3 *inertia, vsp_vec3 *spin,
                          vsp_real h)
{
    vsp_real half = r_mul(VSP_R(0.5), h), last = VSP_R(0.0);
    vsp_vec3 p = s3_mul(inertia, *spin), middle = p, rate = *spin;
    vsp__sym3 inverse;
    uint32_t i;

    if (!s3_inverse(inertia, VSP_R(1e-12), &inverse))
        return *spin;
    for (i = 0; i < 8; i++) {
        vsp_vec3 next = v3_madd(p, half, v3_cross(middle, rate));
        vsp_real change = v3_largest(v3_abs(v3_sub(next, middle)));

        if (i > 0 && change > r_mul(VSP_R(0.5), last))
            return *spin;
        last = r_max(change, r_mul(VSP_R(1e-6), v3_largest(v3_abs(p))));
        middle = next;
        rate = s3_mul(&inverse, middle);
    }
    *spin = v3_sub(v3_add(rate, rate), *spin);
    return rate;
}

/* in how many parts a turn by an angle is followed: at most an eighth of a
 * radian each, up to two radians */
static uint32_t turn_parts(vsp_vec3 angle)
{
    vsp_real a = v3_largest(v3_abs(angle));

    return a < VSP_R(2.0) ? 1u + (uint32_t)r_to_int(r_mul(a, VSP_R(8.0)))
                          : 16u;
}

/* Turns a body for h seconds, eq. 24-26, its spin changing as it does. */
static void turn_body(vsp_world *world, uint32_t body, vsp_real h)
{
    vsp__body *b = &world->bodies[body];
    vsp_vec3 spin = m3_tmul(&world->axes[body], b->spin);
    uint32_t parts = turn_parts(v3_scale(b->spin, h)), i;

    if (!vsp__is_dynamic(b) || is_round(&b->inertia)) {
        b->rotation = q_normalize(q_mul(small_turn(v3_scale(b->spin, h)),
                                        b->rotation));
        update_body(world, body);
        return;
    }
    h = r_div(h, r_from_int((int32_t)parts));
    for (i = 0; i < parts; i++) {
        vsp_vec3 rate = free_spin(&b->inertia, &spin, h);

        b->rotation = q_mul(b->rotation, small_turn(v3_scale(rate, h)));
    }
    b->rotation = q_normalize(b->rotation);
    update_body(world, body);
    b->spin = m3_mul(&world->axes[body], spin);
}

static bool v3_is_finite(vsp_vec3 v)
{
    return r_is_finite(v.x) && r_is_finite(v.y) && r_is_finite(v.z);
}

static void keep_in_range(vsp__body *b)
{
    b->position = v3_clamp(b->position, VSP_MAX_POSITION);
    b->velocity = v3_flush(v3_clamp(b->velocity, VSP_MAX_SPEED));
    b->spin = v3_flush(v3_clamp(b->spin, VSP_MAX_SPEED));
}

/* Moves a body by its velocity for h seconds: eq. 26.  The last defence: a
 * solve that ran out of numbers stops the body. */
void vsp__move_body(vsp_world *world, uint32_t body, vsp_real h)
{
    vsp__body *b = &world->bodies[body];
    vsp__velocity *v = &world->work.solve.velocity[body];

    if (!v3_is_finite(v->linear) || !v3_is_finite(v->angular))
        v->linear = v->angular = v3_zero();
    b->velocity = v->linear;
    b->spin = v->angular;
    keep_in_range(b);
    b->position = v3_madd(b->position, h, b->velocity);
    turn_body(world, body, h);
    keep_in_range(b);
    v->linear = b->velocity;
    v->angular = b->spin;
}

/* Shifts and turns a body by a displacement of the position solve. */
static void displace_body(vsp_world *world, uint32_t body,
                          const vsp__velocity *d)
{
    vsp__body *b = &world->bodies[body];

    if (!v3_is_finite(d->linear) || !v3_is_finite(d->angular))
        return;
    b->position = v3_clamp(v3_add(b->position, d->linear), VSP_MAX_POSITION);
    b->rotation = q_normalize(q_mul(small_turn(d->angular), b->rotation));
    update_body(world, body);
}

/* a velocity after h seconds of force and torque (eq. 19), then of damping */
static vsp__velocity pushed(const vsp_world *world, uint32_t body,
                            vsp__velocity v, vsp_real h)
{
    const vsp__body *b = &world->bodies[body];
    const vsp__inverse *inverse = &world->work.solve.inverse[body];
    vsp_real one = VSP_R(1.0);

    v.linear = v3_madd(v.linear, r_mul(h, inverse->mass), b->force);
    v.angular = v3_madd(v.angular, h, s3_mul(&inverse->inertia, b->torque));
    v.linear = v3_clamp(v.linear, VSP_MAX_SPEED);
    v.angular = v3_clamp(v.angular, VSP_MAX_SPEED);
    if (b->linear_damping > 0)
        v.linear = v3_scale(v.linear,
                            r_div(one, one + r_mul(h, b->linear_damping)));
    if (b->angular_damping > 0)
        v.angular = v3_scale(v.angular,
                             r_div(one, one + r_mul(h, b->angular_damping)));
    return v;
}

/* velocity that gravity adds to a body in h seconds */
static vsp_vec3 gravity_step(const vsp_world *world, uint32_t body,
                             vsp_real h)
{
    return v3_scale(world->params.gravity,
                    r_mul(h, world->bodies[body].gravity_scale));
}

void vsp__push_body(vsp_world *world, uint32_t body, vsp_real h)
{
    vsp__velocity *v = &world->work.solve.velocity[body];

    *v = pushed(world, body, *v, h);
    v->linear = v3_add(v->linear, gravity_step(world, body, h));
}


/* ---- The stack ------------------------------------------------------------
 * Heights by breadth-first search from all that does not move (paper,
 * section 4): the number of bodies between a body and the nearest of them.
 * A manifold belongs to the layer of its lower body; two bodies of one
 * height meet in the layer where both are the upper ones.  Bodies that stand
 * on nothing come last, in a layer of their own, with their contacts. */

static bool is_moved(const vsp_world *world, uint32_t body)
{
    return vsp__is_dynamic(&world->bodies[body]);
}

static uint32_t other_body(const vsp__manifold *m, uint32_t body)
{
    return m->body_a == body ? m->body_b : m->body_a;
}

/* Lists the manifolds of every moved body: links[link_first[i] ...]. */
static void link_bodies(vsp_world *world)
{
    uint32_t count = world->contacts[0].manifold_count, i, sum = 0;
    uint32_t *first = world->link_first, bodies = world->body_limit;

    for (i = 0; i <= bodies; i++)
        first[i] = 0;
    for (i = 0; i < count; i++) {
        first[world->manifolds[i].body_a]++;
        first[world->manifolds[i].body_b]++;
    }
    for (i = 0; i < bodies; i++) {
        sum += is_moved(world, i) ? first[i] : 0;
        first[i] = sum; /* the end; filling backwards makes it the start */
    }
    first[bodies] = sum;
    for (i = count; i-- > 0;) {
        const vsp__manifold *m = &world->manifolds[i];

        if (is_moved(world, m->body_a))
            world->links[--first[m->body_a]] = (uint16_t)i;
        if (is_moved(world, m->body_b))
            world->links[--first[m->body_b]] = (uint16_t)i;
    }
}

static void find_heights(vsp_world *world)
{
    uint16_t *queue = world->stack_order; /* not yet in use */
    uint32_t i, k, head = 0, tail = 0;

    for (i = 0; i < world->body_limit; i++)
        world->height[i] = is_moved(world, i) ? VSP__NO_HEIGHT : 0;
    for (i = 0; i < world->contacts[0].manifold_count; i++) {
        const vsp__manifold *m = &world->manifolds[i];
        uint32_t upper = is_moved(world, m->body_a) ? m->body_a : m->body_b;

        if (is_moved(world, other_body(m, upper)) ||
            world->height[upper] != VSP__NO_HEIGHT)
            continue;
        world->height[upper] = 1;
        queue[tail++] = (uint16_t)upper;
    }
    while (head < tail) {
        uint32_t body = queue[head++];

        for (k = world->link_first[body]; k < world->link_first[body + 1];
             k++) {
            uint32_t next =
                other_body(&world->manifolds[world->links[k]], body);

            if (world->height[next] != VSP__NO_HEIGHT)
                continue;
            world->height[next] = (uint16_t)(world->height[body] + 1u);
            queue[tail++] = (uint16_t)next;
        }
    }
    world->layer_count = tail ? world->height[queue[tail - 1]] : 0;
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
    uint32_t a = world->height[m->body_a], b = world->height[m->body_b];

    m->lower = (uint8_t)(a < b ? 1 : b < a ? 2 : 0);
    if (a == b)
        m->layer = (uint16_t)body_layer(world, m->body_a);
    else
        m->layer = (uint16_t)(a < b ? a : b);
}

/* Turns counts first[1...] into places; then sorting by counting leaves
 * first[i] ... first[i + 1] the range of i. */
static void sum_up(uint16_t *first, uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        first[i + 1] = (uint16_t)(first[i + 1] + first[i]);
}

static void sort_layers(vsp_world *world)
{
    uint32_t count = world->contacts[0].manifold_count, i, moved;
    uint32_t layers = world->layer_count + 1u;
    uint16_t *bodies = world->layer_bodies, *order = world->layer_manifolds;

    for (i = 0; i <= layers; i++)
        bodies[i] = order[i] = 0;
    for (i = 0; i < world->body_limit; i++)
        if (is_moved(world, i))
            bodies[body_layer(world, i) + 1u]++;
    for (i = 0; i < count; i++) {
        place_manifold(world, &world->manifolds[i]);
        order[world->manifolds[i].layer + 1u]++;
    }
    sum_up(bodies, layers);
    sum_up(order, layers);
    moved = bodies[layers];
    for (i = world->body_limit; i-- > 0;) /* backwards: ends become starts */
        if (is_moved(world, i))
            world->stack_order[--bodies[body_layer(world, i) + 1u]] =
                (uint16_t)i;
    for (i = count; i-- > 0;)
        world->layer_order[--order[world->manifolds[i].layer + 1u]] =
            (uint16_t)i;
    for (i = 0; i < layers; i++) { /* starts stand one place too far up */
        bodies[i] = bodies[i + 1];
        order[i] = order[i + 1];
    }
    bodies[layers] = (uint16_t)moved;
    order[layers] = (uint16_t)count;
}

static uint32_t island_root(vsp_world *world, uint32_t body)
{
    uint16_t *island = world->island;

    while (island[body] != body) {
        island[body] = island[island[body]];
        body = island[body];
    }
    return body;
}

/* Moved bodies that touch share an island, named after its lowest slot. */
static void find_islands(vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        world->island[i] = (uint16_t)i;
    for (i = 0; i < world->contacts[0].manifold_count; i++) {
        const vsp__manifold *m = &world->manifolds[i];
        uint32_t a, b;

        if (!is_moved(world, m->body_a) || !is_moved(world, m->body_b))
            continue;
        a = island_root(world, m->body_a);
        b = island_root(world, m->body_b);
        world->island[a > b ? a : b] = (uint16_t)(a < b ? a : b);
    }
    for (i = 0; i < world->body_limit; i++)
        world->island[i] = (uint16_t)island_root(world, i);
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

    *t1 = v3_scale(t, r_rsqrt(v3_dot(t, t)));
    *t2 = v3_cross(normal, *t1);
}

uint32_t vsp__span_manifold(const vsp_world *world, vsp__span span,
                            uint32_t i)
{
    return span.list == 0 ? world->layer_order[i] : i;
}

/* Whether the solve of this span moves the body.  Fixated ones (figure 12)
 * have no inverse mass but keep their velocity. */
static bool is_free(const vsp_world *world, vsp__span span, uint32_t body)
{
    return is_moved(world, body) && world->height[body] >= span.lowest;
}

/* where the middle between a point on a and one on b is, from a's centre */
static vsp_vec3 point_arm(const vsp_world *world, const vsp__manifold *m,
                          const vsp__point *p)
{
    vsp_vec3 a = m3_mul(&world->axes[m->body_a], p->arm_a);
    vsp_vec3 b = m3_mul(&world->axes[m->body_b], p->arm_b);
    vsp_vec3 d = v3_sub(world->bodies[m->body_b].position,
                        world->bodies[m->body_a].position);

    return v3_scale(v3_add(v3_add(a, b), d), VSP_R(0.5));
}

/* eq. 8 wants the first tangent along the sliding; below 0.1 m/s the
 * direction would be noise */
static void sliding_tangents(const vsp_world *world, const vsp__manifold *m,
                             vsp_vec3 *t1, vsp_vec3 *t2)
{
    const vsp__point *p = &world->points[m->first_point];
    vsp_vec3 arm = point_arm(world, m, p), u;
    vsp_vec3 d = v3_sub(world->bodies[m->body_b].position,
                        world->bodies[m->body_a].position);
    vsp_real square;

    u = v3_sub(velocity_at(&world->work.solve.velocity[m->body_b], v3_sub(arm, d)),
               velocity_at(&world->work.solve.velocity[m->body_a], arm));
    u = v3_madd(u, -v3_dot(u, m->normal), m->normal);
    square = v3_dot(u, u);
    if (square < VSP_R(0.01))
        return;
    *t1 = v3_scale(u, r_rsqrt(square));
    *t2 = v3_cross(m->normal, *t1);
}

/* Fills a block; its rows follow. */
static void assemble_block(const vsp_world *world, vsp__span span,
                           const vsp__manifold *m, vsp__block *block)
{
    vsp_real a = VSP_R(0.0), b = VSP_R(0.0), k;

    if (is_free(world, span, m->body_a))
        a = world->work.solve.inverse[m->body_a].mass;
    if (is_free(world, span, m->body_b))
        b = world->work.solve.inverse[m->body_b].mass;
    VSP_ASSERT(a + b > 0);
    k = r_div(VSP_R(1.0), a + b);
    block->axes.x = m->normal;
    vsp__tangents(m->normal, &block->axes.y, &block->axes.z);
    block->inv_mass = a + b;
    block->share_a = r_mul(a, k);
    block->share_b = r_mul(b, k);
    block->friction = m->friction;
}

/* inverse inertia of a body in a block's axes, over block.inv_mass */
static vsp__sym3 block_inertia(const vsp_world *world, vsp__span span,
                               uint32_t body, const vsp__mat3 *to_block,
                               vsp_real k)
{
    vsp__sym3 s;

    if (!is_free(world, span, body))
        return s3_zero();
    s = s3_rotate(to_block, &world->work.solve.inverse[body].inertia);
    s.xx = r_mul(s.xx, k);
    s.yy = r_mul(s.yy, k);
    s.zz = r_mul(s.zz, k);
    s.xy = r_mul(s.xy, k);
    s.xz = r_mul(s.xz, k);
    s.yz = r_mul(s.yz, k);
    return s;
}

static vsp__mat3 transpose(const vsp__mat3 *m)
{
    vsp__mat3 t;

    t.x = v3(m->x.x, m->y.x, m->z.x);
    t.y = v3(m->x.y, m->y.y, m->z.y);
    t.z = v3(m->x.z, m->y.z, m->z.z);
    return t;
}

/* arm x axis k of the block, and what it turns */
static vsp_real fill_turn(const vsp__sym3 *inertia, vsp_vec3 arm, uint32_t k,
                          vsp_vec3 *t)
{
    vsp_real zero = VSP_R(0.0);
    vsp_vec3 c = k == 0   ? v3(zero, arm.z, -arm.y)
                 : k == 1 ? v3(-arm.z, zero, arm.x)
                          : v3(arm.y, -arm.x, zero);

    *t = s3_mul(inertia, c);
    return v3_dot(c, *t);
}

/* Fills the geometry of one point's rows. */
static void assemble_row(const vsp_world *world, const vsp__manifold *m,
                         const vsp__point *p, const vsp__block *block,
                         const vsp__sym3 *ia, const vsp__sym3 *ib,
                         vsp__row *row)
{
    vsp_vec3 arm = point_arm(world, m, p);
    vsp_vec3 d = v3_sub(world->bodies[m->body_b].position,
                        world->bodies[m->body_a].position);
    uint32_t k;

    row->arm_a = m3_tmul(&block->axes, arm);
    row->arm_b = m3_tmul(&block->axes, v3_sub(arm, d));
    for (k = 0; k < 3; k++) {
        vsp_real diagonal =
            VSP_R(1.0) + fill_turn(ia, row->arm_a, k, &row->turn_a[k]) +
            fill_turn(ib, row->arm_b, k, &row->turn_b[k]);

        row->inv_diagonal[k] = r_div(VSP_R(1.0), diagonal);
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
void vsp__assemble(vsp_world *world, vsp__span span, vsp_real h)
{
    bool is_cone = world->params.friction == (uint32_t)VSP_FRICTION_CONE;
    vsp_real inv_h = r_div(VSP_R(1.0), h);
    uint32_t i, j;

    for (i = span.first; i < span.last; i++) {
        uint32_t index = vsp__span_manifold(world, span, i);
        const vsp__manifold *m = &world->manifolds[index];
        vsp__block *block = &world->problem.velocity.blocks[index];
        vsp__mat3 to_block;
        vsp__sym3 ia, ib;
        vsp_real k;

        assemble_block(world, span, m, block);
        if (!is_cone)
            sliding_tangents(world, m, &block->axes.y, &block->axes.z);
        to_block = transpose(&block->axes);
        k = r_div(VSP_R(1.0), block->inv_mass);
        ia = block_inertia(world, span, m->body_a, &to_block, k);
        ib = block_inertia(world, span, m->body_b, &to_block, k);
        for (j = m->first_point; j < m->first_point + m->point_count; j++) {
            vsp__row *row = &world->problem.velocity.rows[j];

            assemble_row(world, m, &world->points[j], block, &ia, &ib, row);
            row->bias = velocity_bias(&world->points[j], inv_h);
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

typedef struct local { /* a manifold's bodies in its block's axes */
    vsp_vec3 e, a, b;  /* vb - va, wa, wb */
} local;

static local to_local(const vsp__velocity *u, const vsp__manifold *m,
                      const vsp__block *block)
{
    const vsp__velocity *va = &u[m->body_a], *vb = &u[m->body_b];
    local l;

    l.e = m3_tmul(&block->axes, v3_sub(vb->linear, va->linear));
    l.a = m3_tmul(&block->axes, va->angular);
    l.b = m3_tmul(&block->axes, vb->angular);
    return l;
}

/* Adds to the bodies what changed since before. */
static void from_local(vsp__velocity *u, const vsp__manifold *m,
                       const vsp__block *block, const local *before,
                       const local *l)
{
    vsp__velocity *va = &u[m->body_a], *vb = &u[m->body_b];
    vsp_vec3 e = m3_mul(&block->axes, v3_sub(l->e, before->e));

    if (block->share_a > 0) {
        va->linear = v3_madd(va->linear, -block->share_a, e);
        va->angular = v3_add(va->angular,
                             m3_mul(&block->axes, v3_sub(l->a, before->a)));
    }
    if (block->share_b > 0) {
        vb->linear = v3_madd(vb->linear, block->share_b, e);
        vb->angular = v3_add(vb->angular,
                             m3_mul(&block->axes, v3_sub(l->b, before->b)));
    }
}

/* angular part of the relative velocity at a point */
static vsp_vec3 row_turning(const local *l, const vsp__row *row)
{
    return v3_sub(v3_cross(l->b, row->arm_b), v3_cross(l->a, row->arm_a));
}

/* J u of the three rows, eq. 2 and 6 */
static vsp_vec3 row_velocity(const local *l, const vsp__row *row)
{
    return v3_add(l->e, row_turning(l, row));
}

/* changes of the angular velocities by a change of multiplier k, eq. 33 */
static void row_apply(local *l, const vsp__row *row, uint32_t k, vsp_real d)
{
    l->a = v3_madd(l->a, -d, row->turn_a[k]);
    l->b = v3_madd(l->b, d, row->turn_b[k]);
}

static vsp_real sweep_normal(local *l, const vsp__row *row, vsp_real *x)
{
    vsp_real u = l->e.x + r_dot2(l->b.y, row->arm_b.z, -l->b.z, row->arm_b.y) -
                 r_dot2(l->a.y, row->arm_a.z, -l->a.z, row->arm_a.y);
    vsp_real old = x[0];
    vsp_real n = r_max(VSP_R(0.0),
                       old - r_mul(u + row->bias, row->inv_diagonal[0]));

    x[0] = n;
    l->e.x += n - old;
    row_apply(l, row, 0, n - old);
    return r_abs(n - old);
}

/* Scales (t1, t2) back onto the disc of radius limit. */
static void clamp_to_disc(vsp_real limit, vsp_real *t1, vsp_real *t2)
{
    vsp_real square = r_dot2(*t1, *t1, *t2, *t2), k;

    if (square <= r_mul(limit, limit))
        return;
    k = limit > 0 ? r_mul(limit, r_rsqrt(square)) : VSP_R(0.0);
    *t1 = r_mul(*t1, k);
    *t2 = r_mul(*t2, k);
}

/* Both tangents from one velocity, then back into the cone. */
static vsp_real sweep_cone(local *l, const vsp__row *row, vsp_real friction,
                           vsp_real *x)
{
    vsp_vec3 turning = row_turning(l, row);
    vsp_real t1 = x[1], t2 = x[2], d1, d2;

    t1 -= r_mul(l->e.y + turning.y, row->inv_diagonal[1]);
    t2 -= r_mul(l->e.z + turning.z, row->inv_diagonal[2]);
    clamp_to_disc(r_mul(friction, x[0]), &t1, &t2);
    d1 = t1 - x[1];
    d2 = t2 - x[2];
    x[1] = t1;
    x[2] = t2;
    l->e.y += d1;
    l->e.z += d2;
    row_apply(l, row, 1, d1);
    row_apply(l, row, 2, d2);
    return r_max(r_abs(d1), r_abs(d2));
}

/* One tangent after the other, each within its bounds, eq. 29-30. */
static vsp_real sweep_pyramid(local *l, const vsp__row *row,
                              vsp_real friction, vsp_real *x)
{
    vsp_real limit = r_mul(friction, x[0]), t, d1, d2;

    t = x[1];
    t = r_clamp(t - r_mul(row_velocity(l, row).y, row->inv_diagonal[1]),
                -limit, limit);
    d1 = t - x[1];
    x[1] = t;
    l->e.y += d1;
    row_apply(l, row, 1, d1);
    t = x[2];
    t = r_clamp(t - r_mul(row_velocity(l, row).z, row->inv_diagonal[2]),
                -limit, limit);
    d2 = t - x[2];
    x[2] = t;
    l->e.z += d2;
    row_apply(l, row, 2, d2);
    return r_max(r_abs(d1), r_abs(d2));
}

static vsp_real sweep_manifold(vsp_world *world, const vsp__manifold *m,
                               const vsp__block *block)
{
    bool is_cone = world->params.friction == (uint32_t)VSP_FRICTION_CONE;
    local l = to_local(world->work.solve.velocity, m, block), before = l;
    const vsp__row *row = &world->problem.velocity.rows[m->first_point];
    vsp__point *p = &world->points[m->first_point];
    vsp__point *end = p + m->point_count;
    vsp_real largest = VSP_R(0.0), mu = block->friction;

    for (; p < end; p++, row++) {
        vsp_real *x = p->multiplier;

        largest = r_max(largest, sweep_normal(&l, row, x));
        largest = r_max(largest, is_cone ? sweep_cone(&l, row, mu, x)
                                         : sweep_pyramid(&l, row, mu, x));
    }
    from_local(world->work.solve.velocity, m, block, &before, &l);
    return largest;
}

/* Sweeps a span until the largest change of a multiplier, in m/s, is below
 * tolerance, at most count times.  Returns that largest change. */
vsp_real vsp__sweep(vsp_world *world, vsp__span span, uint32_t count,
                    vsp_real tolerance)
{
    vsp_real largest = VSP_R(0.0);
    uint32_t i, k;

    for (k = 0; k < count; k++) {
        largest = VSP_R(0.0);
        for (i = span.first; i < span.last; i++) {
            uint32_t index = vsp__span_manifold(world, span, i);
            const vsp__manifold *m = &world->manifolds[index];

            largest = r_max(largest, sweep_manifold(world, m,
                                                    &world->problem.velocity.blocks[index]));
            world->stats.row_updates += 3u * m->point_count;
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
    return (m->lower == 1 && m->body_b == body) ||
           (m->lower == 2 && m->body_a == body);
}

/* multipliers of a row as an impulse on the upper body */
static vsp_vec3 row_impulse(const vsp__block *block, const vsp_real *x,
                            const vsp__manifold *m)
{
    vsp_real k = r_div(m->lower == 1 ? VSP_R(1.0) : VSP_R(-1.0),
                       block->inv_mass);

    return m3_mul(&block->axes,
                  v3(r_mul(x[0], k), r_mul(x[1], k), r_mul(x[2], k)));
}

static void gather_point(const vsp_world *world, uint32_t index,
                         uint32_t point, vsp_real far_speed, vsp__support *s)
{
    const vsp__manifold *m = &world->manifolds[index];
    const vsp__block *block = &world->problem.velocity.blocks[index];
    const vsp__row *row = &world->problem.velocity.rows[point];
    const vsp_real *x = world->points[point].multiplier;
    bool is_up = m->lower == 1;
    uint32_t below = is_up ? m->body_a : m->body_b;
    vsp_vec3 arm = m3_mul(&block->axes, is_up ? row->arm_b : row->arm_a);
    vsp_vec3 arm_below = m3_mul(&block->axes,
                                is_up ? row->arm_a : row->arm_b);

    s->arm = arm;
    s->normal = is_up ? m->normal : v3_neg(m->normal);
    s->target = v3_madd(velocity_at(&world->work.solve.line[below].predicted, arm_below),
                        -row->bias, s->normal);
    s->kept = row_impulse(block, x, m);
    s->weight = row->bias < far_speed || x[0] > 0
                    ? VSP_R(1.0)
                    : VSP_R(0.0);
    s->point = point;
    s->manifold = index;
}

/* Lists what carries a body, with the impulses there are now.  Returns the
 * count, 0 when there are too many. */
static uint32_t gather_supports(vsp_world *world, uint32_t body)
{
    vsp_real far_speed = r_mul(VSP_R(2.0), gravity_speed(world));
    uint32_t count = 0, i, j;

    for (i = world->link_first[body]; i < world->link_first[body + 1]; i++) {
        uint32_t index = world->links[i];
        const vsp__manifold *m = &world->manifolds[index];

        if (!carries(m, body))
            continue;
        if (count + m->point_count > VSP__MAX_SUPPORTS)
            return 0;
        for (j = 0; j < m->point_count; j++)
            gather_point(world, index, m->first_point + j, far_speed,
                         &world->supports[count++]);
    }
    return count;
}

/* the direction of the weighted point farthest from the center, or zero */
static vsp_vec3 farthest_direction(const vsp_world *world, uint32_t count,
                                   const fit *f)
{
    vsp_vec3 best = v3_zero();
    vsp_real square = VSP_R(1e-8);
    uint32_t i;

    for (i = 0; i < count; i++) {
        vsp_vec3 r = v3_sub(world->supports[i].arm, f->center);

        if (world->supports[i].weight > 0 && v3_dot(r, r) > square) {
            square = v3_dot(r, r);
            best = r;
        }
    }
    return v3_scale(best, r_rsqrt(square));
}

/* Inverts the second moment, or what of it there is: points in a line, or a
 * single one, leave the body free to turn. */
static void invert_spread(const vsp_world *world, uint32_t count,
                          const vsp__sym3 *spread, fit *f)
{
    vsp_real size = v3_largest(v3(spread->xx, spread->yy, spread->zz)), k;
    vsp_vec3 a;

    f->free = FREE_NOT;
    if (s3_inverse(spread, VSP_R(1e-5), &f->inv_spread))
        return;
    f->inv_spread = s3_zero();
    f->hinge = a = farthest_direction(world, count, f);
    f->free = v3_dot(a, a) > 0 ? FREE_HINGE : FREE_BALL;
    if (f->free == FREE_BALL)
        return;
    k = r_div(VSP_R(1.0), size); /* (1 - a a^T) / size */
    f->inv_spread.xx = r_mul(k, VSP_R(1.0) - r_mul(a.x, a.x));
    f->inv_spread.yy = r_mul(k, VSP_R(1.0) - r_mul(a.y, a.y));
    f->inv_spread.zz = r_mul(k, VSP_R(1.0) - r_mul(a.z, a.z));
    f->inv_spread.xy = r_mul(-k, r_mul(a.x, a.y));
    f->inv_spread.xz = r_mul(-k, r_mul(a.x, a.z));
    f->inv_spread.yz = r_mul(-k, r_mul(a.y, a.z));
}

/* Fits a rigid motion to the targets, least squares by weight. */
static void fit_supports(const vsp_world *world, uint32_t count, fit *f)
{
    vsp_vec3 moment = v3_zero(), center = v3_zero(), mean = v3_zero();
    vsp__sym3 spread = s3_zero();
    vsp_real weight = VSP_R(0.0);
    uint32_t i;

    for (i = 0; i < count; i++) {
        const vsp__support *s = &world->supports[i];

        weight += s->weight;
        center = v3_madd(center, s->weight, s->arm);
        mean = v3_madd(mean, s->weight, s->target);
    }
    f->free = FREE_ALL;
    f->inv_weight = VSP_R(0.0);
    f->center = f->mean = v3_zero();
    f->inv_spread = s3_zero();
    if (!(weight > 0))
        return;
    f->inv_weight = r_div(VSP_R(1.0), weight);
    f->center = v3_scale(center, f->inv_weight);
    f->mean = v3_scale(mean, f->inv_weight);
    for (i = 0; i < count; i++) {
        const vsp__support *s = &world->supports[i];
        vsp_vec3 r = v3_sub(s->arm, f->center);

        s3_add_spread(&spread, s->weight, r);
        moment = v3_madd(moment, s->weight,
                         v3_cross(r, v3_sub(s->target, f->mean)));
    }
    invert_spread(world, count, &spread, f);
    f->motion.angular = s3_mul(&f->inv_spread, moment);
}

/* torque about the center that takes a body from one velocity to a motion
 * with the fit's mean velocity there and the spin w */
static vsp_vec3 center_torque(const vsp_world *world, uint32_t body,
                              const fit *f, const vsp__velocity *from,
                              vsp_vec3 w)
{
    vsp_vec3 v = v3_sub(f->mean, v3_cross(w, f->center));
    vsp_vec3 p = v3_scale(v3_sub(v, from->linear),
                          world->bodies[body].mass);
    vsp_vec3 l = inertia_mul(world, body, v3_sub(w, from->angular));

    return v3_sub(l, v3_cross(f->center, p));
}

/* The spin about the hinge at which no torque acts along it. */
static void swing_on_hinge(const vsp_world *world, uint32_t body, fit *f,
                           const vsp__velocity *from)
{
    vsp_vec3 w = f->motion.angular, a = f->hinge;
    vsp_vec3 arm = v3_cross(a, f->center);
    vsp_real torque = v3_dot(a, center_torque(world, body, f, from, w));
    vsp_real inertia = v3_dot(a, inertia_mul(world, body, a)) +
                       r_mul(world->bodies[body].mass, v3_dot(arm, arm));

    if (inertia > 0)
        f->motion.angular = v3_madd(w, r_div(-torque, inertia), a);
}

/* The spin at which no torque acts at the center: inertia about the center
 * times w = torque without w. */
static void swing_on_ball(const vsp_world *world, uint32_t body, fit *f,
                          const vsp__velocity *from)
{
    vsp__sym3 inertia = s3_rotate(&world->axes[body],
                                  &world->bodies[body].inertia);
    vsp__sym3 inverse;

    s3_add_spread(&inertia, world->bodies[body].mass, f->center);
    f->motion.angular = v3_zero();
    if (s3_inverse(&inertia, VSP_R(1e-9), &inverse))
        f->motion.angular =
            s3_mul(&inverse, v3_neg(center_torque(world, body, f, from,
                                                  v3_zero())));
}

/* Completes the fit: what the points leave free follows from where the body
 * comes from. */
static void complete_fit(const vsp_world *world, uint32_t body, fit *f,
                         const vsp__velocity *from)
{
    if (f->free == FREE_ALL) {
        f->motion = *from;
        return;
    }
    if (f->free == FREE_HINGE)
        swing_on_hinge(world, body, f, from);
    if (f->free == FREE_BALL)
        swing_on_ball(world, body, f, from);
    f->motion.linear = v3_sub(f->mean,
                              v3_cross(f->motion.angular, f->center));
}

/* Whether the fitted motion suits every point: those that carry move as they
 * want, within slack; those left out are not run into. */
static bool suits_all(const vsp_world *world, uint32_t count, const fit *f,
                      vsp_real slack)
{
    uint32_t i;

    for (i = 0; i < count; i++) {
        const vsp__support *s = &world->supports[i];
        vsp_vec3 off = v3_sub(velocity_at(&f->motion, s->arm), s->target);

        if (s->weight > 0 ? v3_largest(v3_abs(off)) > slack
                          : v3_dot(off, s->normal) <
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
    vsp_vec3 p = v3_scale(v3_sub(f->motion.linear, from->linear),
                          world->bodies[body].mass);
    vsp_vec3 bend = s3_mul(&f->inv_spread,
                           center_torque(world, body, f, from,
                                         f->motion.angular));
    vsp_vec3 even = v3_scale(p, f->inv_weight);
    uint32_t i;

    for (i = 0; i < count; i++) {
        vsp__support *s = &world->supports[i];
        vsp_vec3 r = v3_sub(s->arm, f->center);

        s->impulse = v3_madd(s->kept, s->weight,
                             v3_add(even, v3_cross(bend, r)));
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
    vsp_real inv_mass = world->work.solve.inverse[body].mass; /* impulse to speed */
    verdict v = LOAD_OK;
    uint32_t i;

    for (i = 0; i < count; i++) {
        vsp__support *s = &world->supports[i];
        vsp_vec3 p = v3_scale(s->impulse, inv_mass);
        vsp_real n = v3_dot(p, s->normal), limit;
        vsp_vec3 t = v3_madd(p, -n, s->normal);

        if (!(s->weight > 0))
            continue;
        if (n < -slack) {
            s->weight = VSP_R(0.0);
            v = LOAD_PULLS;
        }
        limit = r_mul(world->problem.velocity.blocks[s->manifold].friction,
                      r_max(n, VSP_R(0.0))) + slack;
        if (v == LOAD_OK && v3_dot(t, t) > r_mul(limit, limit))
            v = LOAD_SLIPS;
    }
    return v;
}

/* Weighs each point by the load it bears: their centre is then the centre of
 * pressure, and friction is asked of each in proportion. */
static void weigh_by_load(vsp_world *world, uint32_t count)
{
    vsp_real largest = VSP_R(0.0);
    uint32_t i;

    for (i = 0; i < count; i++)
        if (world->supports[i].weight > 0)
            largest = r_max(largest, v3_dot(world->supports[i].impulse,
                                            world->supports[i].normal));
    if (!(largest > 0))
        return;
    for (i = 0; i < count; i++) {
        vsp__support *s = &world->supports[i];

        if (s->weight > 0)
            s->weight = r_max(r_div(v3_dot(s->impulse, s->normal), largest),
                              VSP_R(0.0001));
    }
}

/* Makes the supports' impulses the multipliers; what changed acts on the
 * lower bodies. */
static void commit_load(vsp_world *world, uint32_t body, uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count; i++) {
        const vsp__support *s = &world->supports[i];
        const vsp__manifold *m = &world->manifolds[s->manifold];
        const vsp__block *block = &world->problem.velocity.blocks[s->manifold];
        const vsp__row *row = &world->problem.velocity.rows[s->point];
        vsp_real *x = world->points[s->point].multiplier;
        uint32_t below = other_body(m, body);
        vsp_vec3 change = v3_sub(row_impulse(block, x, m), s->impulse);
        vsp_vec3 t = v3_scale(m3_tmul(&block->axes, s->impulse),
                              m->lower == 1 ? block->inv_mass
                                            : -block->inv_mass);

        x[0] = t.x;
        x[1] = t.y;
        x[2] = t.z;
        if (is_moved(world, below))
            apply_impulse(&world->work.solve.inverse[below],
                          &world->work.solve.velocity[below],
                          m3_mul(&block->axes,
                                 m->lower == 1 ? row->arm_a : row->arm_b),
                          change);
    }
}

/* Takes what the supports bear back from a body. */
static void unload(vsp_world *world, uint32_t body, uint32_t count,
                   vsp__velocity *v)
{
    uint32_t i;

    for (i = 0; i < count; i++) {
        vsp__support *s = &world->supports[i];

        apply_impulse(&world->work.solve.inverse[body], v, s->arm, v3_neg(s->kept));
        s->kept = v3_zero();
    }
}

/* Whether points that are left out bear something. */
static bool idle_bears(const vsp_world *world, uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count; i++) {
        const vsp__support *s = &world->supports[i];

        if (!(s->weight > 0) && v3_dot(s->kept, s->kept) > 0)
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
static vsp__velocity predict_body(vsp_world *world, uint32_t body)
{
    const vsp__body *b = &world->bodies[body];
    uint32_t count = gather_supports(world, body), i;
    vsp__velocity from, now;
    fit f;

    now.linear = b->velocity;
    now.angular = b->spin;
    from = pushed(world, body, now, world->params.dt);
    from.linear = v3_add(from.linear,
                         gravity_step(world, body, world->params.dt));
    for (i = 0; i < count; i++)
        world->supports[i].kept = v3_zero();
    if (count > 0 && weld(world, body, count, WELD_TRIES, &from, &f) &&
        (f.free == FREE_NOT || f.free == FREE_ALL))
        return f.motion;
    return now;
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
    commit_load(world, body, count);
    world->work.solve.velocity[body] = f.motion;
}

/* Bottom up: the velocities that the bodies are hoped to have at the end. */
void vsp__predict(vsp_world *world)
{
    uint32_t standing = world->layer_bodies[world->layer_count], i;

    for (i = 0; i < world->body_limit; i++)
        world->work.solve.line[i].predicted = world->work.solve.velocity[i];
    for (i = 0; i < standing; i++) {
        uint32_t body = world->stack_order[i];

        world->work.solve.line[body].predicted = predict_body(world, body);
    }
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

void vsp__line_search_begin(vsp_world *world)
{
    uint32_t i, k;

    for (i = 0; i < world->body_limit; i++)
        world->work.solve.saved[i] = world->work.solve.velocity[i];
    for (i = 0; i < world->contacts[0].point_count; i++)
        for (k = 0; k < 3; k++)
            world->warm[i].saved[k] = world->points[i].multiplier[k];
}

/* Puts all multipliers aside, and begins from 0. */
void vsp__put_aside(vsp_world *world)
{
    uint32_t i, k;

    for (i = 0; i < world->contacts[0].point_count; i++)
        for (k = 0; k < 3; k++) {
            world->warm[i].saved[k] = world->points[i].multiplier[k];
            world->points[i].multiplier[k] = VSP_R(0.0);
        }
}

/* Takes back what was put aside. */
void vsp__take_back(vsp_world *world)
{
    uint32_t i, k;

    for (i = 0; i < world->contacts[0].point_count; i++)
        for (k = 0; k < 3; k++)
            world->points[i].multiplier[k] = world->warm[i].saved[k];
}

static uint32_t manifold_island(const vsp_world *world,
                                const vsp__manifold *m)
{
    return world->island[is_moved(world, m->body_a) ? m->body_a : m->body_b];
}

/* Adds a manifold's f' and f'' to its island's sums. */
static void add_slopes(vsp_world *world, uint32_t index)
{
    const vsp__manifold *m = &world->manifolds[index];
    const vsp__block *block = &world->problem.velocity.blocks[index];
    local now = to_local(world->work.solve.velocity, m, block);
    local old = to_local(world->work.solve.saved, m, block);
    vsp_real first = VSP_R(0.0), second = VSP_R(0.0), k;
    uint32_t island = manifold_island(world, m), j;

    for (j = m->first_point; j < m->first_point + m->point_count; j++) {
        const vsp__row *row = &world->problem.velocity.rows[j];
        const vsp_real *x = world->points[j].multiplier;
        const vsp_real *x0 = world->warm[j].saved;
        vsp_vec3 d = v3(x[0] - x0[0], x[1] - x0[1], x[2] - x0[2]);
        vsp_vec3 u = row_velocity(&old, row);

        second += v3_dot(v3_sub(row_velocity(&now, row), u), d);
        u.x += row->bias;
        first += v3_dot(u, d);
    }
    k = r_div(VSP_R(1.0), block->inv_mass);
    world->work.solve.line[island].slope.first += r_mul(first, k);
    world->work.solve.line[island].slope.second += r_mul(second, k);
}

/* how far an island goes: 0 to 1 */
static vsp_real island_step(const vsp_world *world, uint32_t island)
{
    vsp_real first = world->work.solve.line[island].slope.first;
    vsp_real second = world->work.solve.line[island].slope.second;

    if (!r_is_finite(first) || !r_is_finite(second))
        return VSP_R(0.0);
    if (!(first < 0))
        return second > 0 ? VSP_R(0.0) : VSP_R(1.0);
    if (!(second > -first))
        return VSP_R(1.0);
    return r_div(-first, second);
}

void vsp__line_search_end(vsp_world *world)
{
    uint32_t i, j, k;

    for (i = 0; i < world->body_limit; i++)
        world->work.solve.line[i].slope.first = world->work.solve.line[i].slope.second = VSP_R(0.0);
    for (i = 0; i < world->contacts[0].manifold_count; i++)
        add_slopes(world, i);
    for (i = 0; i < world->body_limit; i++)
        if (world->island[i] == i)
            world->work.solve.line[i].slope.first = island_step(world, i);
    for (i = 0; i < world->body_limit; i++) {
        vsp_real s = world->work.solve.line[world->island[i]].slope.first;
        vsp__velocity *v = &world->work.solve.velocity[i], *v0 = &world->work.solve.saved[i];

        if (!is_moved(world, i) || !(s < 1))
            continue;
        v->linear = v3_madd(v0->linear, s, v3_sub(v->linear, v0->linear));
        v->angular = v3_madd(v0->angular, s, v3_sub(v->angular, v0->angular));
    }
    for (i = 0; i < world->contacts[0].manifold_count; i++) {
        const vsp__manifold *m = &world->manifolds[i];
        vsp_real s = world->work.solve.line[manifold_island(world, m)].slope.first;

        if (!(s < 1))
            continue;
        for (j = m->first_point; j < m->first_point + m->point_count; j++)
            for (k = 0; k < 3; k++) {
                vsp_real *x = &world->points[j].multiplier[k];
                vsp_real x0 = world->warm[j].saved[k];

                *x = x0 + r_mul(s, *x - x0);
            }
    }
}


/* ---- Position correction ----------------------------------------------------
 * Eq. 46, by projection: displacements that end every overlap, full depth,
 * normals only; an open gap may close but not more.  solve.saved holds the
 * displacements. */

static vsp__manifold *span_manifold(vsp_world *world, vsp__span span,
                                    uint32_t i)
{
    return &vsp__manifolds(world, span.list)[vsp__span_manifold(world, span,
                                                                i)];
}

static vsp_real deepest(vsp_world *world, vsp__span span)
{
    const vsp__point *points = vsp__points(world, span.list);
    vsp_real depth = VSP_R(0.0);
    uint32_t i, j;

    for (i = span.first; i < span.last; i++) {
        const vsp__manifold *m = span_manifold(world, span, i);

        for (j = 0; j < m->point_count; j++)
            depth = r_max(depth, -points[m->first_point + j].gap);
    }
    return depth;
}

/* what a body's share of a row turns; returns what it adds to the diagonal */
static vsp_real fix_turn(const vsp__inverse *inverse, vsp_vec3 lever,
                         vsp_vec3 *turn)
{
    *turn = s3_mul(&inverse->inertia, lever);
    return inverse->mass + v3_dot(lever, *turn);
}

/* Fills the position problem: row i belongs to point i. */
static void assemble_fixes(vsp_world *world, vsp__span span)
{
    static const vsp__inverse fixated;
    const vsp__inverse *inverse = world->work.solve.inverse;
    uint32_t i, j;

    for (i = span.first; i < span.last; i++) {
        const vsp__manifold *m = span_manifold(world, span, i);
        vsp_vec3 d = v3_sub(world->bodies[m->body_b].position,
                            world->bodies[m->body_a].position);
        bool a_is_free = is_free(world, span, m->body_a);
        bool b_is_free = is_free(world, span, m->body_b);

        for (j = m->first_point; j < m->first_point + m->point_count; j++) {
            const vsp__point *p = &vsp__points(world, span.list)[j];
            vsp__fix *fix = &world->problem.position.fixes[j];
            vsp_vec3 arm = point_arm(world, m, p);
            vsp_real diagonal;

            fix->lever_a = v3_cross(arm, m->normal);
            fix->lever_b = v3_cross(v3_sub(arm, d), m->normal);
            diagonal = fix_turn(a_is_free ? &inverse[m->body_a] : &fixated,
                                fix->lever_a, &fix->turn_a) +
                       fix_turn(b_is_free ? &inverse[m->body_b] : &fixated,
                                fix->lever_b, &fix->turn_b);
            fix->inv_diagonal = r_div(VSP_R(1.0), diagonal);
            fix->gap = p->gap;
            fix->multiplier = VSP_R(0.0);
        }
    }
}

/* One sweep over a manifold.  Returns the largest correction, m. */
static vsp_real sweep_fixes(vsp_world *world, vsp__span span,
                            const vsp__manifold *m)
{
    vsp__velocity *a = &world->work.solve.saved[m->body_a];
    vsp__velocity *b = &world->work.solve.saved[m->body_b];
    vsp_real mass_a = is_free(world, span, m->body_a)
                          ? world->work.solve.inverse[m->body_a].mass
                          : VSP_R(0.0);
    vsp_real mass_b = is_free(world, span, m->body_b)
                          ? world->work.solve.inverse[m->body_b].mass
                          : VSP_R(0.0);
    vsp__fix *fix = &world->problem.position.fixes[m->first_point];
    vsp__fix *end = fix + m->point_count;
    vsp_real largest = VSP_R(0.0);

    for (; fix < end; fix++) {
        vsp_real u = v3_dot(m->normal, v3_sub(b->linear, a->linear)) +
                     v3_dot(fix->lever_b, b->angular) -
                     v3_dot(fix->lever_a, a->angular) + fix->gap;
        vsp_real old = fix->multiplier, d;

        fix->multiplier = r_max(VSP_R(0.0),
                                old - r_mul(u, fix->inv_diagonal));
        d = fix->multiplier - old;
        largest = r_max(largest, r_abs(r_mul(d, mass_a + mass_b)));
        a->linear = v3_madd(a->linear, r_mul(-d, mass_a), m->normal);
        a->angular = v3_madd(a->angular, -d, fix->turn_a);
        b->linear = v3_madd(b->linear, r_mul(d, mass_b), m->normal);
        b->angular = v3_madd(b->angular, d, fix->turn_b);
    }
    world->stats.row_updates += m->point_count;
    return largest;
}

static void clear_displacements(vsp_world *world, vsp__span span)
{
    vsp__velocity *d = world->work.solve.saved;
    uint32_t i;

    for (i = span.first; i < span.last; i++) {
        const vsp__manifold *m = span_manifold(world, span, i);

        d[m->body_a].linear = d[m->body_a].angular = v3_zero();
        d[m->body_b].linear = d[m->body_b].angular = v3_zero();
    }
}

/* Moves the free bodies of a span by their displacements, each once. */
static void displace_bodies(vsp_world *world, vsp__span span)
{
    vsp__velocity *d = world->work.solve.saved;
    uint32_t i, k;

    for (i = span.first; i < span.last; i++) {
        const vsp__manifold *m = span_manifold(world, span, i);
        uint32_t pair[2];

        pair[0] = m->body_a;
        pair[1] = m->body_b;
        for (k = 0; k < 2; k++) {
            if (is_free(world, span, pair[k]))
                displace_body(world, pair[k], &d[pair[k]]);
            d[pair[k]].linear = d[pair[k]].angular = v3_zero();
        }
    }
}

/* Corrects a span if anything in it is deeper than the tolerance, and
 * returns whether it was.  Gaps must be up to date. */
bool vsp__correct(vsp_world *world, vsp__span span)
{
    vsp_real tolerance = r_mul(world->params.envelope, VSP_R(0.0005));
    uint32_t i, k;

    if (deepest(world, span) <= tolerance)
        return false;
    if (span.list == 1) /* finding it took their memory */
        for (i = 0; i < world->body_limit; i++)
            vsp__update_inverse(world, i);
    assemble_fixes(world, span);
    clear_displacements(world, span);
    for (k = 0; k < world->params.correction_sweeps; k++) {
        vsp_real largest = VSP_R(0.0);

        for (i = span.first; i < span.last; i++)
            largest = r_max(largest,
                            sweep_fixes(world, span,
                                        span_manifold(world, span, i)));
        world->stats.correction_count++;
        if (largest < tolerance)
            break;
    }
    displace_bodies(world, span);
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
        const vsp__manifold *m = &world->manifolds[i];
        vsp_vec3 d = v3_sub(world->bodies[m->body_b].position,
                            world->bodies[m->body_a].position);

        for (j = m->first_point; j < m->first_point + m->point_count; j++) {
            vsp__point *p = &world->points[j];
            vsp_vec3 arm = point_arm(world, m, p);
            vsp_vec3 u = v3_sub(
                velocity_at(&world->work.solve.velocity[m->body_b], v3_sub(arm, d)),
                velocity_at(&world->work.solve.velocity[m->body_a], arm));
            vsp_real approach = -v3_dot(u, m->normal);

            p->bounce = VSP_R(0.0);
            if (approach > slow &&
                r_mul(approach, world->params.dt) > p->gap)
                p->bounce = r_mul(m->restitution, approach);
        }
    }
}

/* Applies the points' multipliers to the bodies of a span, and leaves them in
 * the axes of the blocks, divided by their masses. */
void vsp__warm_start(vsp_world *world, vsp__span span)
{
    uint32_t i, j;

    for (i = span.first; i < span.last; i++) {
        uint32_t index = vsp__span_manifold(world, span, i);
        const vsp__manifold *m = &world->manifolds[index];
        const vsp__block *block = &world->problem.velocity.blocks[index];
        local l = to_local(world->work.solve.velocity, m, block), before = l;
        vsp_vec3 t1, t2;

        vsp__tangents(m->normal, &t1, &t2);
        for (j = m->first_point; j < m->first_point + m->point_count; j++) {
            const vsp__row *row = &world->problem.velocity.rows[j];
            vsp_real *x = world->points[j].multiplier;
            vsp_vec3 t = v3_madd(v3_scale(t1, x[1]), x[2], t2);
            uint32_t k;

            x[0] = r_mul(x[0], block->inv_mass);
            x[1] = r_mul(v3_dot(t, block->axes.y), block->inv_mass);
            x[2] = r_mul(v3_dot(t, block->axes.z), block->inv_mass);
            l.e = v3_add(l.e, v3(x[0], x[1], x[2]));
            for (k = 0; k < 3; k++)
                row_apply(&l, row, k, x[k]);
        }
        from_local(world->work.solve.velocity, m, block, &before, &l);
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
void vsp__keep_multipliers(vsp_world *world, vsp__span span)
{
    uint32_t i, j;

    for (i = span.first; i < span.last; i++) {
        uint32_t index = vsp__span_manifold(world, span, i);
        const vsp__manifold *m = &world->manifolds[index];
        const vsp__block *block = &world->problem.velocity.blocks[index];
        vsp_real k = r_div(VSP_R(1.0), block->inv_mass);
        vsp_vec3 t1, t2;

        vsp__tangents(m->normal, &t1, &t2);
        for (j = m->first_point; j < m->first_point + m->point_count; j++) {
            vsp_real *x = world->points[j].multiplier;
            vsp_vec3 t = v3_madd(v3_scale(block->axes.y, x[1]), x[2],
                                 block->axes.z);

            x[0] = as_impulse(r_mul(x[0], k));
            x[1] = as_impulse(r_mul(v3_dot(t, t1), k));
            x[2] = as_impulse(r_mul(v3_dot(t, t2), k));
        }
    }
}

static uint32_t pair_key(const vsp__manifold *m)
{
    return (uint32_t)m->shape_a << 16 | m->shape_b;
}

static uint32_t warm_feature(const vsp__warm *w)
{
    return (r_bits(w->tangent1) & 15u) | (r_bits(w->tangent2) & 15u) << 4;
}

/* a real without its last four bits, which then hold a nibble */
static vsp_real with_nibble(vsp_real a, uint32_t nibble)
{
    return r_from_bits((r_bits(a) & ~15u) | nibble);
}

/* Fills the points' multipliers from those of the last step, found by pair
 * and feature.  Both lists are in the order of pairs. */
void vsp__warm_load(vsp_world *world)
{
    uint32_t next = 0, i, j, k;

    for (i = 0; i < world->contacts[0].manifold_count; i++) {
        const vsp__manifold *m = &world->manifolds[i];
        uint32_t key = pair_key(m);

        while (next < world->warm_count && world->warm[next].state.pair < key)
            next++;
        for (j = m->first_point; j < m->first_point + m->point_count; j++) {
            vsp__point *p = &world->points[j];

            for (k = next;
                 k < world->warm_count && world->warm[k].state.pair == key; k++) {
                const vsp__warm *w = &world->warm[k].state;

                if (warm_feature(w) != p->feature)
                    continue;
                p->multiplier[0] = w->normal;
                p->multiplier[1] = with_nibble(w->tangent1, 0);
                p->multiplier[2] = with_nibble(w->tangent2, 0);
                break;
            }
        }
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
vsp_real vsp__merit(const vsp_world *world)
{
    bool is_cone = world->params.friction == (uint32_t)VSP_FRICTION_CONE;
    vsp_real sum = VSP_R(0.0);
    uint32_t i, j;

    for (i = 0; i < world->contacts[0].manifold_count; i++) {
        const vsp__manifold *m = &world->manifolds[i];
        const vsp__block *block = &world->problem.velocity.blocks[i];
        local l = to_local(world->work.solve.velocity, m, block);

        for (j = m->first_point; j < m->first_point + m->point_count; j++) {
            const vsp__row *row = &world->problem.velocity.rows[j];
            vsp_vec3 w = row_velocity(&l, row), h;

            w.x += row->bias;
            h = violation(world->points[j].multiplier, w, block->friction,
                          is_cone);
            sum += v3_dot(h, h);
        }
    }
    return r_mul(VSP_R(0.5), sum);
}
