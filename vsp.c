/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The world and everything a caller does with it, in this order: checks of
 * arguments, ids and slots, mass, world, bodies, shapes, contacts, the state
 * as words (snapshot, restore, hash), validation, and the steppers, which
 * put the verbs of vsp_collide.c and vsp_solver.c together. */

#include "vsp_internal.h"

#define WORLD_MAGIC 0x57505356u    /* "VSPW" */
#define SNAPSHOT_MAGIC 0x53505356u /* "VSPS" */
#define SCALAR_KIND 1u             /* 32-bit float */

#define WORDS(type) ((uint32_t)(sizeof(type) / 4u))

VSP_STATIC_ASSERT(body_bytes, sizeof(vsp__body) == VSP__BODY_STATE_BYTES);
VSP_STATIC_ASSERT(shape_bytes, sizeof(vsp__shape) == VSP__SHAPE_STATE_BYTES);
VSP_STATIC_ASSERT(warm_bytes, sizeof(vsp__warm) == VSP__WARM_BYTES);
VSP_STATIC_ASSERT(world_fits, sizeof(struct vsp_world) <= VSP_WORLD_BYTES);
VSP_STATIC_ASSERT(world_is_tight,
                  sizeof(struct vsp_world) + 64u > VSP_WORLD_BYTES);


/* ---- Checks -------------------------------------------------------------- */

static bool is_world(const vsp_world *world)
{
    return world != NULL && world->magic == WORLD_MAGIC &&
           world->options == VSP_OPTIONS;
}

static bool v3_in(vsp_vec3 v, vsp_real limit)
{
    return r_in(v.x, -limit, limit) && r_in(v.y, -limit, limit) &&
           r_in(v.z, -limit, limit);
}

static bool v3_is_zero(vsp_vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

static vsp_real q_square(vsp_quat q)
{
    return r_dot2(q.x, q.x, q.y, q.y) + r_dot2(q.z, q.z, q.w, q.w);
}

/* finite, and long enough to be made of length 1 */
static bool q_is_usable(vsp_quat q)
{
    vsp_real limit = VSP_R(1000.0);

    return r_in(q.x, -limit, limit) && r_in(q.y, -limit, limit) &&
           r_in(q.z, -limit, limit) && r_in(q.w, -limit, limit) &&
           q_square(q) >= VSP_R(1e-8);
}

static bool q_is_unit(vsp_quat q)
{
    return q_is_usable(q) &&
           r_abs(q_square(q) - VSP_R(1.0)) <= VSP_R(0.001);
}

/* Leaves alone what is of length 1 to rounding, so that a pose that was read
 * can be set without a change. */
static vsp_quat q_made_unit(vsp_quat q)
{
    return r_abs(q_square(q) - VSP_R(1.0)) <= VSP_R(1e-6) ? q
                                                           : q_normalize(q);
}

static bool is_pose(const vsp_transform *pose)
{
    return v3_in(pose->position, VSP_MAX_POSITION) &&
           q_is_usable(pose->rotation);
}

static bool is_capacity(const vsp_capacity *c)
{
    return c->bodies >= 1 && c->bodies <= VSP_MAX_BODIES && c->shapes >= 1 &&
           c->shapes <= VSP_MAX_SHAPES && c->pairs >= 1 &&
           c->pairs <= VSP_MAX_PAIRS && c->manifolds >= 1 &&
           c->manifolds <= VSP_MAX_MANIFOLDS && c->contacts >= 4 &&
           c->contacts <= VSP_MAX_CONTACTS;
}

static bool are_params(const vsp__params *p)
{
    return v3_in(p->gravity, VSP_MAX_SPEED) &&
           r_in(p->dt, VSP_MIN_DT, VSP_MAX_DT) &&
           r_in(p->envelope, VSP_R(0.0001), VSP_R(0.1)) &&
           r_in(p->tolerance, VSP_R(0.0), VSP_R(1.0)) &&
           r_in(p->fraction, VSP_R(0.0), VSP_R(1.0)) &&
           p->stepper <= (uint32_t)VSP_STEPPER_SHOCK &&
           p->friction <= (uint32_t)VSP_FRICTION_PYRAMID &&
           p->warm_start <= (VSP_WARM_START ? 1u : 0u) && p->sweeps >= 1 &&
           p->sweeps <= 10000 && p->correction_sweeps >= 1 &&
           p->correction_sweeps <= 10000;
}

static bool is_material(vsp_real friction, vsp_real restitution,
                        uint32_t friction_rule, uint32_t restitution_rule)
{
    return r_in(friction, VSP_R(0.0), VSP_R(100.0)) &&
           r_in(restitution, VSP_R(0.0), VSP_R(1.0)) &&
           friction_rule <= (uint32_t)VSP_RULE_MAX &&
           restitution_rule <= (uint32_t)VSP_RULE_MAX;
}

static bool is_size(vsp_real size)
{
    return r_in(size, VSP_MIN_SIZE, VSP_MAX_SIZE);
}

/* Whether a shape's own numbers make one: also used on restored bytes. */
static bool is_shape(const vsp__shape *s)
{
    if (s->type == (uint32_t)VSP_SHAPE_SPHERE && !is_size(s->size.x))
        return false;
    if (s->type == (uint32_t)VSP_SHAPE_BOX &&
        !(is_size(s->size.x) && is_size(s->size.y) && is_size(s->size.z)))
        return false;
    return s->type != (uint32_t)VSP_SHAPE_NONE &&
           s->type <= (uint32_t)VSP_SHAPE_HALF_SPACE &&
           v3_in(s->size, VSP_MAX_SIZE) &&
           v3_in(s->position, VSP_MAX_POSITION) && q_is_unit(s->rotation) &&
           r_in(s->density, VSP_R(0.0), VSP_R(1.0e9)) &&
           is_material(s->friction, s->restitution, s->friction_rule,
                       s->restitution_rule);
}

/* positive, and no larger than the other two together: what matter can be */
static bool is_inertia(vsp_vec3 i)
{
    vsp_real room = VSP_R(1.0001);
    vsp_real least = VSP_R(1e-15), most = VSP_R(1.0e18);

    return r_in(i.x, least, most) && r_in(i.y, least, most) &&
           r_in(i.z, least, most) && i.x <= r_mul(i.y + i.z, room) &&
           i.y <= r_mul(i.x + i.z, room) && i.z <= r_mul(i.x + i.y, room);
}


/* ---- Ids and slots ------------------------------------------------------- */

static uint32_t make_id(uint32_t slot, uint32_t generation)
{
    return (generation & 0xffffu) << 16 | (slot + 1u);
}

/* slot of a body id, or VSP_MAX_BODIES */
static uint32_t body_slot(const vsp_world *world, vsp_body_id id)
{
    uint32_t slot = (id.bits & 0xffffu) - 1u;

    if (slot >= world->body_limit || world->bodies[slot].type == 0 ||
        make_id(slot, world->bodies[slot].generation) != id.bits)
        return VSP_MAX_BODIES;
    return slot;
}

/* slot of a shape id, or VSP_MAX_SHAPES */
static uint32_t shape_slot(const vsp_world *world, vsp_shape_id id)
{
    uint32_t slot = (id.bits & 0xffffu) - 1u;

    if (slot >= world->shape_limit || world->shapes[slot].type == 0 ||
        make_id(slot, world->shapes[slot].generation) != id.bits)
        return VSP_MAX_SHAPES;
    return slot;
}

static vsp_body_id body_id(const vsp_world *world, uint32_t slot)
{
    vsp_body_id id;

    id.bits = make_id(slot, world->bodies[slot].generation);
    return id;
}

static vsp_shape_id shape_id(const vsp_world *world, uint32_t slot)
{
    vsp_shape_id id;

    id.bits = make_id(slot, world->shapes[slot].generation);
    return id;
}

static uint32_t free_body_slot(const vsp_world *world)
{
    uint32_t i = world->body_free;

    while (i < world->body_limit && world->bodies[i].type != 0)
        i++;
    return i;
}

static uint32_t free_shape_slot(const vsp_world *world)
{
    uint32_t i = world->shape_free;

    while (i < world->shape_limit && world->shapes[i].type != 0)
        i++;
    return i;
}

/* Empties a slot but for the count of its uses. */
static void clear_body(vsp__body *body)
{
    static const vsp__body empty;
    uint32_t generation = body->generation;

    *body = empty;
    body->generation = generation;
}

static void clear_shape(vsp__shape *shape)
{
    static const vsp__shape empty;
    uint32_t generation = shape->generation;

    *shape = empty;
    shape->generation = generation;
}

/* The lowest free slot has been taken. */
static void raise_limit(uint32_t *limit, uint32_t *used, uint32_t *lowest,
                        uint32_t slot)
{
    *lowest = slot + 1u;
    if (*limit <= slot)
        *limit = slot + 1u;
    if (*used <= slot)
        *used = slot + 1u;
}

static void lower_limits(vsp_world *world)
{
    while (world->body_limit > 0 &&
           world->bodies[world->body_limit - 1u].type == 0)
        world->body_limit--;
    while (world->shape_limit > 0 &&
           world->shapes[world->shape_limit - 1u].type == 0)
        world->shape_limit--;
}

static void forget_contacts(vsp_world *world)
{
    world->contacts[0].manifold_count = world->contacts[0].point_count = 0;
}

static void count_up(uint32_t *count, uint32_t *high)
{
    *count += 1;
    if (*high < *count)
        *high = *count;
}


/* ---- Mass ---------------------------------------------------------------- */

typedef struct mass_data {
    vsp_real mass;
    vsp_vec3 center;   /* in the body's frame */
    vsp__sym3 inertia; /* about the center */
} mass_data;

static void s3_add(vsp__sym3 *to, const vsp__sym3 *s)
{
    to->xx += s->xx;
    to->yy += s->yy;
    to->zz += s->zz;
    to->xy += s->xy;
    to->xz += s->xz;
    to->yz += s->yz;
}

static void add_moment(mass_data *sum, const vsp__shape *shape)
{
    vsp__sym3 own;
    vsp_real m = vsp__shape_mass(shape, &own);

    sum->mass += m;
    sum->center = v3_madd(sum->center, m, shape->position);
}

static void add_inertia(mass_data *sum, const vsp__shape *shape)
{
    vsp__sym3 own;
    vsp_real m = vsp__shape_mass(shape, &own);

    s3_add(&sum->inertia, &own);
    s3_add_spread(&sum->inertia, m, v3_sub(shape->position, sum->center));
}

/* Mass of a body's shapes, with one more (may be null) and without the one
 * in a slot (VSP_MAX_SHAPES: all). */
static mass_data shapes_mass(const vsp_world *world, const vsp__body *body,
                        const vsp__shape *more, uint32_t without)
{
    mass_data sum;
    uint32_t i;

    sum.mass = VSP_R(0.0);
    sum.center = v3_zero();
    sum.inertia = s3_zero();
    for (i = body->first_shape; i != 0; i = world->shapes[i - 1u].next_shape)
        if (i - 1u != without)
            add_moment(&sum, &world->shapes[i - 1u]);
    if (more != NULL)
        add_moment(&sum, more);
    if (!(sum.mass > 0))
        return sum;
    sum.center = v3_scale(sum.center, r_div(VSP_R(1.0), sum.mass));
    for (i = body->first_shape; i != 0; i = world->shapes[i - 1u].next_shape)
        if (i - 1u != without)
            add_inertia(&sum, &world->shapes[i - 1u]);
    if (more != NULL)
        add_inertia(&sum, more);
    return sum;
}

/* Makes shapes' mass a body's: scaled to a given mass, if there is one. */
static void scale_mass(mass_data *m, vsp_real given)
{
    vsp_real k;

    if (!(m->mass > 0) || !(given > 0))
        return;
    k = r_div(given, m->mass);
    m->mass = given;
    m->inertia.xx = r_mul(m->inertia.xx, k);
    m->inertia.yy = r_mul(m->inertia.yy, k);
    m->inertia.zz = r_mul(m->inertia.zz, k);
    m->inertia.xy = r_mul(m->inertia.xy, k);
    m->inertia.xz = r_mul(m->inertia.xz, k);
    m->inertia.yz = r_mul(m->inertia.yz, k);
}

/* Whether no axis is harder to turn about than the other two together: the
 * second moments tr(s)/2 - s have no negative minor of one or two rows. */
static bool is_of_matter(const vsp__sym3 *s)
{
    vsp_real k = r_div(VSP_R(1.0), s->xx + s->yy + s->zz);
    vsp_real slack = VSP_R(1e-4);
    vsp_real x = r_mul(s->yy + s->zz - s->xx, k) + slack;
    vsp_real y = r_mul(s->xx + s->zz - s->yy, k) + slack;
    vsp_real z = r_mul(s->xx + s->yy - s->zz, k) + slack;
    vsp_real xy = r_mul(s->xy + s->xy, k), xz = r_mul(s->xz + s->xz, k);
    vsp_real yz = r_mul(s->yz + s->yz, k);

    return x >= 0 && y >= 0 && z >= 0 && r_mul(xy, xy) <= r_mul(x, y) &&
           r_mul(xz, xz) <= r_mul(x, z) && r_mul(yz, yz) <= r_mul(y, z);
}

/* Whether s is positive definite, by its leading minors, and of a size that
 * the ranges of mass and length can give. */
static bool is_solid(const vsp__sym3 *s)
{
    vsp_real least = VSP_R(1e-15), most = VSP_R(1e21);
    vsp__sym3 inverse;

    return r_in(s->xx, least, most) && r_in(s->yy, least, most) &&
           r_in(s->zz, least, most) &&
           v3_in(v3(s->xy, s->xz, s->yz), most) &&
           s3_inverse(s, VSP_R(1e-12), &inverse) && inverse.zz > 0 &&
           is_of_matter(s);
}

/* nothing, or what a body can have */
static bool is_mass(const mass_data *m)
{
    if (m->mass == 0)
        return v3_is_zero(v3(m->inertia.xx, m->inertia.yy, m->inertia.zz)) &&
               v3_is_zero(v3(m->inertia.xy, m->inertia.xz, m->inertia.yz));
    return r_in(m->mass, VSP_MIN_MASS, VSP_MAX_MASS) &&
           v3_in(m->center, VSP_MAX_POSITION) && is_solid(&m->inertia);
}

/* What a body weighs when its shapes change. */
static mass_data body_mass_with(const vsp_world *world, const vsp__body *body,
                           const vsp__shape *more, uint32_t without)
{
    mass_data m;

    if (body->type != (uint32_t)VSP_DYNAMIC + 1u ||
        body->mass_given == 2) { /* stays what it is */
        m.mass = body->mass;
        m.center = body->center;
        m.inertia = body->inertia;
        return m;
    }
    m = shapes_mass(world, body, more, without);
    if (body->mass_given == 1)
        scale_mass(&m, body->given);
    return m;
}

/* A wire counts as a little thicker: else rounding, as it turns, makes of
 * its inertia one that no matter has. */
static void thicken(vsp__sym3 *inertia)
{
    vsp_real least = r_mul(VSP_R(1e-5), v3_largest(v3(inertia->xx,
                                                      inertia->yy,
                                                      inertia->zz)));
    vsp__sym3 inverse;

    if (s3_inverse(inertia, VSP_R(1e-5), &inverse))
        return;
    inertia->xx += least;
    inertia->yy += least;
    inertia->zz += least;
}

/* Gives a body a mass; its frame stays where it is. */
static void set_mass(vsp__body *body, const mass_data *m)
{
    vsp__mat3 axes = m3_from_quat(body->rotation);
    vsp_vec3 shift = m3_mul(&axes, v3_sub(m->center, body->center));

    body->position = v3_clamp(v3_add(body->position, shift),
                              VSP_MAX_POSITION);
    body->velocity = v3_clamp(v3_add(body->velocity,
                                     v3_cross(body->spin, shift)),
                              VSP_MAX_SPEED);
    body->mass = m->mass;
    body->center = m->center;
    body->inertia = m->inertia;
    thicken(&body->inertia);
}

/* Reads mass, center and inertia of a def or call: 0 from shapes, 1 mass, 2
 * all.  Returns false for what is neither. */
static bool read_given_mass(vsp_real given, vsp_vec3 center,
                            vsp_vec3 inertia, uint32_t *kind, mass_data *m)
{
    m->mass = given;
    m->center = v3_zero();
    m->inertia = s3_zero();
    *kind = 0;
    if (given == 0)
        return v3_is_zero(inertia);
    if (!r_in(given, VSP_MIN_MASS, VSP_MAX_MASS) ||
        !v3_in(center, VSP_MAX_POSITION))
        return false;
    *kind = 1;
    if (v3_is_zero(inertia))
        return true;
    if (!is_inertia(inertia))
        return false;
    *kind = 2;
    m->center = center;
    m->inertia.xx = inertia.x;
    m->inertia.yy = inertia.y;
    m->inertia.zz = inertia.z;
    return is_mass(m);
}


/* ---- Definitions --------------------------------------------------------- */

static vsp_transform identity(void)
{
    vsp_transform pose;

    pose.position = v3_zero();
    pose.rotation = q_identity();
    return pose;
}

static vsp_shape_def shape_default(vsp_shape_type type, vsp_vec3 size)
{
    vsp_shape_def def;

    def.cookie = VSP__COOKIE(3);
    def.type = type;
    def.size = size;
    def.pose = identity();
    def.density = VSP_R(1000.0);
    def.material.friction = VSP_R(0.5);
    def.material.restitution = VSP_R(0.0);
    def.material.friction_rule = VSP_RULE_GEOMETRIC;
    def.material.restitution_rule = VSP_RULE_MAX;
    def.filter.category = 1;
    def.filter.mask = 0xffffffffu;
    def.filter.group = 0;
    return def;
}

vsp_shape_def vsp_sphere(vsp_real radius)
{
    return shape_default(VSP_SHAPE_SPHERE, v3(radius, radius, radius));
}

vsp_shape_def vsp_box(vsp_real x, vsp_real y, vsp_real z)
{
    return shape_default(VSP_SHAPE_BOX, v3(x, y, z));
}

vsp_shape_def vsp_half_space(void)
{
    return shape_default(VSP_SHAPE_HALF_SPACE, v3_zero());
}

vsp_body_def vsp_body_def_default(void)
{
    vsp_body_def def;

    def.cookie = VSP__COOKIE(2);
    def.type = VSP_STATIC;
    def.pose = identity();
    def.velocity = v3_zero();
    def.spin = v3_zero();
    def.linear_damping = VSP_R(0.0);
    def.angular_damping = VSP_R(0.0);
    def.gravity_scale = VSP_R(1.0);
    def.user = 0;
    def.mass = VSP_R(0.0);
    def.center = v3_zero();
    def.inertia = v3_zero();
    def.shape = shape_default(VSP_SHAPE_NONE, v3_zero());
    return def;
}


/* ---- World --------------------------------------------------------------- */

static bool read_world_def(const vsp_world_def *def, vsp__params *p)
{
    p->gravity = def->gravity;
    p->dt = def->dt;
    p->envelope = def->envelope;
    p->tolerance = def->tolerance;
    p->fraction = def->fraction;
    p->stepper = (uint32_t)def->stepper;
    p->friction = (uint32_t)def->friction;
    p->warm_start = def->enable_warm_start ? 1 : 0;
    p->sweeps = def->sweeps;
    p->correction_sweeps = def->correction_sweeps;
    p->capacity = def->capacity;
    p->tick = 0;
    return are_params(p) && is_capacity(&p->capacity);
}

/* An empty world: all that is read before it is written. */
static void clear_world(vsp_world *world)
{
    static const vsp_stats no_stats;
    uint32_t i;

    world->stats = no_stats;
    world->body_limit = world->body_used = 0;
    world->shape_limit = world->shape_used = 0;
    world->body_free = world->shape_free = 0;
    world->layer_count = 0;
    world->warm_count = 0;
    world->contacts[0].dropped = world->contacts[1].dropped = 0;
    world->contacts[1].manifold_count = world->contacts[1].point_count = 0;
    forget_contacts(world);
    for (i = 0; i < VSP_MAX_BODIES; i++) {
        world->bodies[i].generation = 0;
        clear_body(&world->bodies[i]);
    }
    for (i = 0; i < VSP_MAX_SHAPES; i++) {
        world->shapes[i].generation = 0;
        clear_shape(&world->shapes[i]);
    }
}

vsp_status vsp_world_create(void *buffer, size_t size,
                            const vsp_world_def *def, vsp_world **world)
{
    vsp__params params;
    vsp_world *w = (vsp_world *)buffer;

    if (world != NULL)
        *world = NULL;
    if (buffer == NULL || def == NULL || world == NULL ||
        def->cookie != VSP__COOKIE(1))
        return VSP_ERR_ARG;
    if (def->options != VSP_OPTIONS)
        return VSP_ERR_ABI;
    if (!read_world_def(def, &params))
        return VSP_ERR_ARG;
    if (size < VSP_WORLD_BYTES ||
        (uintptr_t)buffer % VSP_WORLD_ALIGN != 0)
        return VSP_ERR_MEMORY;
    clear_world(w);
    w->params = params;
    w->magic = WORLD_MAGIC;
    w->options = VSP_OPTIONS;
    *world = w;
    return VSP_OK;
}

vsp_status vsp_world_set_gravity(vsp_world *world, vsp_vec3 gravity)
{
    if (!is_world(world) || !v3_in(gravity, VSP_MAX_SPEED))
        return VSP_ERR_ARG;
    world->params.gravity = gravity;
    return VSP_OK;
}

vsp_vec3 vsp_world_gravity(const vsp_world *world)
{
    return is_world(world) ? world->params.gravity : v3_zero();
}

vsp_capacity vsp_world_capacity(const vsp_world *world)
{
    static const vsp_capacity none;

    return is_world(world) ? world->params.capacity : none;
}

vsp_real vsp_world_dt(const vsp_world *world)
{
    return is_world(world) ? world->params.dt : VSP_R(0.0);
}

uint32_t vsp_world_tick(const vsp_world *world)
{
    return is_world(world) ? world->params.tick : 0;
}

vsp_stats vsp_world_stats(const vsp_world *world)
{
    static const vsp_stats none;

    return is_world(world) ? world->stats : none;
}


/* ---- Shapes -------------------------------------------------------------- */

static bool read_shape_def(const vsp_shape_def *def, vsp__shape *shape)
{
    if (def->cookie != VSP__COOKIE(3) || !is_pose(&def->pose))
        return false;
    clear_shape(shape);
    shape->type = (uint32_t)def->type;
    shape->size = def->size;
    shape->position = def->pose.position;
    shape->rotation = q_made_unit(def->pose.rotation);
    shape->density = def->density;
    shape->friction = def->material.friction;
    shape->restitution = def->material.restitution;
    shape->friction_rule = (uint32_t)def->material.friction_rule;
    shape->restitution_rule = (uint32_t)def->material.restitution_rule;
    shape->category = def->filter.category;
    shape->mask = def->filter.mask;
    shape->group = (uint32_t)def->filter.group;
    return is_shape(shape);
}

/* Half-spaces have no mass and no end: nothing that forces move. */
static bool suits_body(const vsp__shape *shape, const vsp__body *body)
{
    return shape->type != (uint32_t)VSP_SHAPE_HALF_SPACE ||
           body->type != (uint32_t)VSP_DYNAMIC + 1u;
}

/* Puts a checked shape in a free slot, first in its body's list. */
static void link_shape(vsp_world *world, uint32_t slot, uint32_t body,
                       const vsp__shape *shape)
{
    vsp__shape *to = &world->shapes[slot];
    uint32_t generation = to->generation;

    *to = *shape;
    to->generation = (generation + 1u) & 0xffffu;
    to->body = body;
    to->next_shape = world->bodies[body].first_shape;
    world->bodies[body].first_shape = slot + 1u;
    raise_limit(&world->shape_limit, &world->shape_used, &world->shape_free,
                slot);
    count_up(&world->stats.shape_count, &world->stats.shape_high);
}

/* Multipliers of a shape that is gone must not pass to the next one in its
 * slot. */
static void forget_warm(vsp_world *world, uint32_t slot)
{
    uint32_t i, kept = 0;

    for (i = 0; i < world->warm_count; i++) {
        uint32_t pair = world->warm[i].state.pair;

        if (pair >> 16 != slot && (pair & 0xffffu) != slot)
            world->warm[kept++] = world->warm[i];
    }
    world->warm_count = kept;
}

static void unlink_shape(vsp_world *world, uint32_t slot)
{
    vsp__body *body = &world->bodies[world->shapes[slot].body];
    uint32_t *link = &body->first_shape;

    while (*link != slot + 1u)
        link = &world->shapes[*link - 1u].next_shape;
    *link = world->shapes[slot].next_shape;
    clear_shape(&world->shapes[slot]);
    if (world->shape_free > slot)
        world->shape_free = slot;
    forget_warm(world, slot);
    world->stats.shape_count--;
}

vsp_status vsp_shape_create(vsp_world *world, vsp_body_id body,
                            const vsp_shape_def *def, vsp_shape_id *id)
{
    vsp__shape shape = {0};
    uint32_t owner, slot;
    mass_data m;

    if (id != NULL)
        id->bits = 0;
    if (!is_world(world) || def == NULL || !read_shape_def(def, &shape))
        return VSP_ERR_ARG;
    owner = body_slot(world, body);
    if (owner == VSP_MAX_BODIES)
        return VSP_ERR_ID;
    m = body_mass_with(world, &world->bodies[owner], &shape, VSP_MAX_SHAPES);
    if (!suits_body(&shape, &world->bodies[owner]) || !is_mass(&m))
        return VSP_ERR_ARG;
    slot = free_shape_slot(world);
    if (slot >= world->params.capacity.shapes)
        return VSP_ERR_FULL;
    link_shape(world, slot, owner, &shape);
    set_mass(&world->bodies[owner], &m);
    forget_contacts(world);
    if (id != NULL)
        *id = shape_id(world, slot);
    return VSP_OK;
}

vsp_status vsp_shape_destroy(vsp_world *world, vsp_shape_id id)
{
    uint32_t slot, body;
    mass_data m;

    if (!is_world(world))
        return VSP_ERR_ARG;
    slot = shape_slot(world, id);
    if (slot == VSP_MAX_SHAPES)
        return VSP_ERR_ID;
    body = world->shapes[slot].body;
    m = body_mass_with(world, &world->bodies[body], NULL, slot);
    if (!is_mass(&m))
        return VSP_ERR_ARG;
    unlink_shape(world, slot);
    set_mass(&world->bodies[body], &m);
    lower_limits(world);
    forget_contacts(world);
    return VSP_OK;
}

bool vsp_shape_is_valid(const vsp_world *world, vsp_shape_id id)
{
    return is_world(world) && shape_slot(world, id) != VSP_MAX_SHAPES;
}

vsp_shape_id vsp_shape_at(const vsp_world *world, uint32_t slot)
{
    vsp_shape_id none = {0};

    if (!is_world(world) || slot >= world->shape_limit ||
        world->shapes[slot].type == 0)
        return none;
    return shape_id(world, slot);
}

vsp_body_id vsp_shape_body(const vsp_world *world, vsp_shape_id id)
{
    vsp_body_id none = {0};

    if (!vsp_shape_is_valid(world, id))
        return none;
    return body_id(world, world->shapes[shape_slot(world, id)].body);
}

vsp_status vsp_shape_get(const vsp_world *world, vsp_shape_id id,
                         vsp_shape_def *def)
{
    const vsp__shape *shape;

    if (!is_world(world) || def == NULL)
        return VSP_ERR_ARG;
    if (!vsp_shape_is_valid(world, id))
        return VSP_ERR_ID;
    shape = &world->shapes[shape_slot(world, id)];
    def->cookie = VSP__COOKIE(3);
    def->type = (vsp_shape_type)shape->type;
    def->size = shape->size;
    def->pose.position = shape->position;
    def->pose.rotation = shape->rotation;
    def->density = shape->density;
    def->material.friction = shape->friction;
    def->material.restitution = shape->restitution;
    def->material.friction_rule = (vsp_rule)shape->friction_rule;
    def->material.restitution_rule = (vsp_rule)shape->restitution_rule;
    def->filter.category = shape->category;
    def->filter.mask = shape->mask;
    def->filter.group = shape->group < 0x80000000u
                            ? (int32_t)shape->group
                            : -(int32_t)(0xffffffffu - shape->group) - 1;
    return VSP_OK;
}

vsp_status vsp_shape_set_material(vsp_world *world, vsp_shape_id id,
                                  vsp_material material)
{
    vsp__shape *shape;

    if (!is_world(world) ||
        !is_material(material.friction, material.restitution,
                     (uint32_t)material.friction_rule,
                     (uint32_t)material.restitution_rule))
        return VSP_ERR_ARG;
    if (!vsp_shape_is_valid(world, id))
        return VSP_ERR_ID;
    shape = &world->shapes[shape_slot(world, id)];
    shape->friction = material.friction;
    shape->restitution = material.restitution;
    shape->friction_rule = (uint32_t)material.friction_rule;
    shape->restitution_rule = (uint32_t)material.restitution_rule;
    return VSP_OK;
}

vsp_status vsp_shape_set_filter(vsp_world *world, vsp_shape_id id,
                                vsp_filter filter)
{
    vsp__shape *shape;

    if (!is_world(world))
        return VSP_ERR_ARG;
    if (!vsp_shape_is_valid(world, id))
        return VSP_ERR_ID;
    shape = &world->shapes[shape_slot(world, id)];
    shape->category = filter.category;
    shape->mask = filter.mask;
    shape->group = (uint32_t)filter.group;
    return VSP_OK;
}


/* ---- Bodies -------------------------------------------------------------- */

/* Whether a body's own numbers make one: also used on restored bytes. */
static bool is_body(const vsp__body *b)
{
    vsp_real damping = VSP_R(1000.0);

    return b->type >= 1 && b->type <= (uint32_t)VSP_DYNAMIC + 1u &&
           (b->type != (uint32_t)VSP_STATIC + 1u ||
            (v3_is_zero(b->velocity) && v3_is_zero(b->spin))) &&
           b->mass_given <= 2 && v3_in(b->position, VSP_MAX_POSITION) &&
           q_is_unit(b->rotation) && v3_in(b->velocity, VSP_MAX_SPEED) &&
           v3_in(b->spin, VSP_MAX_SPEED) && v3_in(b->force, VSP_MAX_FORCE) &&
           v3_in(b->torque, VSP_MAX_FORCE) &&
           v3_in(b->center, VSP_MAX_POSITION) &&
           r_in(b->given, VSP_R(0.0), VSP_MAX_MASS) &&
           r_in(b->linear_damping, VSP_R(0.0), damping) &&
           r_in(b->angular_damping, VSP_R(0.0), damping) &&
           r_in(b->gravity_scale, VSP_R(-100.0), VSP_R(100.0));
}

/* Reads a def but for its shape; *given is the mass that it gives. */
static bool read_body_def(const vsp_body_def *def, vsp__body *body,
                          mass_data *given)
{
    if (def->cookie != VSP__COOKIE(2) || (uint32_t)def->type > 2u ||
        !is_pose(&def->pose) ||
        !read_given_mass(def->mass, def->center, def->inertia,
                         &body->mass_given, given))
        return false;
    body->type = (uint32_t)def->type + 1u;
    body->user = def->user;
    body->position = def->pose.position;
    body->rotation = q_made_unit(def->pose.rotation);
    body->velocity = v3_flush(def->velocity);
    body->spin = v3_flush(def->spin);
    body->given = def->mass;
    body->linear_damping = def->linear_damping;
    body->angular_damping = def->angular_damping;
    body->gravity_scale = def->gravity_scale;
    return is_body(body);
}

/* What a new body weighs; false for what it must not. */
static bool weigh_new_body(const vsp_world *world, const vsp__body *body,
                           const vsp__shape *shape, const mass_data *given,
                           mass_data *m)
{
    *m = *given;
    if (body->type != (uint32_t)VSP_DYNAMIC + 1u) {
        m->mass = VSP_R(0.0);
        m->center = v3_zero();
        m->inertia = s3_zero();
        return true;
    }
    if (body->mass_given == 2)
        return true;
    *m = body_mass_with(world, body, shape, VSP_MAX_SHAPES);
    if (body->mass_given == 0 && shape == NULL)
        return true;
    return m->mass > 0 && is_mass(m);
}

vsp_status vsp_body_create(vsp_world *world, const vsp_body_def *def,
                           vsp_body_id *id)
{
    vsp__body body = {0};
    vsp__shape shape = {0};
    const vsp__shape *first = NULL;
    uint32_t slot, shape_place;
    mass_data given, m;

    if (id != NULL)
        id->bits = 0;
    if (!is_world(world) || def == NULL || !read_body_def(def, &body, &given))
        return VSP_ERR_ARG;
    if (def->shape.type != VSP_SHAPE_NONE)
        first = &shape;
    if (first != NULL && !(read_shape_def(&def->shape, &shape) &&
                           suits_body(&shape, &body)))
        return VSP_ERR_ARG;
    if (!weigh_new_body(world, &body, first, &given, &m))
        return VSP_ERR_ARG;
    slot = free_body_slot(world);
    shape_place = free_shape_slot(world);
    if (slot >= world->params.capacity.bodies ||
        (first != NULL && shape_place >= world->params.capacity.shapes))
        return VSP_ERR_FULL;
    body.generation = (world->bodies[slot].generation + 1u) & 0xffffu;
    world->bodies[slot] = body;
    raise_limit(&world->body_limit, &world->body_used, &world->body_free,
                slot);
    count_up(&world->stats.body_count, &world->stats.body_high);
    if (first != NULL)
        link_shape(world, shape_place, slot, &shape);
    set_mass(&world->bodies[slot], &m);
    world->bodies[slot].velocity = body.velocity; /* of the centre */
    if (id != NULL)
        *id = body_id(world, slot);
    return VSP_OK;
}

vsp_status vsp_body_destroy(vsp_world *world, vsp_body_id id)
{
    uint32_t slot;

    if (!is_world(world))
        return VSP_ERR_ARG;
    slot = body_slot(world, id);
    if (slot == VSP_MAX_BODIES)
        return VSP_ERR_ID;
    while (world->bodies[slot].first_shape != 0)
        unlink_shape(world, world->bodies[slot].first_shape - 1u);
    clear_body(&world->bodies[slot]);
    if (world->body_free > slot)
        world->body_free = slot;
    world->stats.body_count--;
    lower_limits(world);
    forget_contacts(world);
    return VSP_OK;
}

bool vsp_body_is_valid(const vsp_world *world, vsp_body_id id)
{
    return is_world(world) && body_slot(world, id) != VSP_MAX_BODIES;
}

vsp_body_id vsp_body_at(const vsp_world *world, uint32_t slot)
{
    vsp_body_id none = {0};

    if (!is_world(world) || slot >= world->body_limit ||
        world->bodies[slot].type == 0)
        return none;
    return body_id(world, slot);
}

/* the body of an id, or null */
static const vsp__body *get_body(const vsp_world *world, vsp_body_id id)
{
    return vsp_body_is_valid(world, id)
               ? &world->bodies[body_slot(world, id)]
               : NULL;
}

/* Finds the body that a call is to change. */
static vsp_status find_body(vsp_world *world, vsp_body_id id,
                            vsp__body **body)
{
    if (!is_world(world))
        return VSP_ERR_ARG;
    if (!vsp_body_is_valid(world, id))
        return VSP_ERR_ID;
    *body = &world->bodies[body_slot(world, id)];
    return VSP_OK;
}

vsp_body_type vsp_body_get_type(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = get_body(world, id);

    return b != NULL ? (vsp_body_type)(b->type - 1u) : VSP_STATIC;
}

vsp_transform vsp_body_transform(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = get_body(world, id);
    vsp_transform pose = identity();
    vsp__mat3 axes;

    if (b == NULL)
        return pose;
    axes = m3_from_quat(b->rotation);
    pose.rotation = b->rotation;
    pose.position = v3_sub(b->position, m3_mul(&axes, b->center));
    return pose;
}

vsp_status vsp_body_set_transform(vsp_world *world, vsp_body_id id,
                                  vsp_transform pose)
{
    vsp__body *b;
    vsp_status status = find_body(world, id, &b);
    vsp__mat3 axes;

    if (status < 0)
        return status;
    if (!is_pose(&pose))
        return VSP_ERR_ARG;
    b->rotation = q_made_unit(pose.rotation);
    axes = m3_from_quat(b->rotation);
    b->position = v3_clamp(v3_add(pose.position, m3_mul(&axes, b->center)),
                           VSP_MAX_POSITION);
    return VSP_OK;
}

vsp_vec3 vsp_body_center(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = get_body(world, id);

    return b != NULL ? b->position : v3_zero();
}

vsp_vec3 vsp_body_velocity(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = get_body(world, id);

    return b != NULL ? b->velocity : v3_zero();
}

vsp_vec3 vsp_body_spin(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = get_body(world, id);

    return b != NULL ? b->spin : v3_zero();
}

vsp_status vsp_body_set_velocity(vsp_world *world, vsp_body_id id,
                                 vsp_vec3 velocity, vsp_vec3 spin)
{
    vsp__body *b;
    vsp_status status = find_body(world, id, &b);

    if (status < 0)
        return status;
    if (!v3_in(velocity, VSP_MAX_SPEED) || !v3_in(spin, VSP_MAX_SPEED) ||
        b->type == (uint32_t)VSP_STATIC + 1u)
        return VSP_ERR_ARG;
    b->velocity = v3_flush(velocity);
    b->spin = v3_flush(spin);
    return VSP_OK;
}

vsp_real vsp_body_mass(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = get_body(world, id);

    return b != NULL ? b->mass : VSP_R(0.0);
}

vsp_status vsp_body_set_mass(vsp_world *world, vsp_body_id id,
                             vsp_real mass_given, vsp_vec3 center,
                             vsp_vec3 inertia)
{
    vsp__body *b, changed;
    vsp_status status = find_body(world, id, &b);
    mass_data m;

    if (status < 0)
        return status;
    changed = *b;
    changed.given = mass_given;
    if (b->type != (uint32_t)VSP_DYNAMIC + 1u ||
        !read_given_mass(mass_given, center, inertia, &changed.mass_given,
                         &m))
        return VSP_ERR_ARG;
    if (changed.mass_given != 2)
        m = body_mass_with(world, &changed, NULL, VSP_MAX_SHAPES);
    if (!(m.mass > 0) || !is_mass(&m))
        return VSP_ERR_ARG;
    b->mass_given = changed.mass_given;
    b->given = changed.given;
    set_mass(b, &m);
    forget_contacts(world);
    return VSP_OK;
}

vsp_status vsp_body_set_damping(vsp_world *world, vsp_body_id id,
                                vsp_real linear, vsp_real angular)
{
    vsp__body *b;
    vsp_status status = find_body(world, id, &b);

    if (status < 0)
        return status;
    if (!r_in(linear, VSP_R(0.0), VSP_R(1000.0)) ||
        !r_in(angular, VSP_R(0.0), VSP_R(1000.0)))
        return VSP_ERR_ARG;
    b->linear_damping = linear;
    b->angular_damping = angular;
    return VSP_OK;
}

vsp_status vsp_body_set_gravity_scale(vsp_world *world, vsp_body_id id,
                                      vsp_real scale)
{
    vsp__body *b;
    vsp_status status = find_body(world, id, &b);

    if (status < 0)
        return status;
    if (!r_in(scale, VSP_R(-100.0), VSP_R(100.0)))
        return VSP_ERR_ARG;
    b->gravity_scale = scale;
    return VSP_OK;
}

uint32_t vsp_body_user(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = get_body(world, id);

    return b != NULL ? b->user : 0;
}

vsp_status vsp_body_set_user(vsp_world *world, vsp_body_id id, uint32_t user)
{
    vsp__body *b;
    vsp_status status = find_body(world, id, &b);

    if (status < 0)
        return status;
    b->user = user;
    return VSP_OK;
}


/* ---- Forces and impulses ------------------------------------------------- */

/* Adds force at an arm from the centre, and torque. */
static vsp_status add_force(vsp__body *b, vsp_vec3 force, vsp_vec3 arm,
                            vsp_vec3 torque)
{
    vsp_vec3 f, t;

    if (!v3_in(force, VSP_MAX_FORCE) || !v3_in(torque, VSP_MAX_FORCE))
        return VSP_ERR_ARG;
    f = v3_add(b->force, force);
    t = v3_add(b->torque, v3_add(torque, v3_cross(arm, force)));
    if (!v3_in(f, VSP_MAX_FORCE) || !v3_in(t, VSP_MAX_FORCE))
        return VSP_ERR_ARG;
    if (!vsp__is_dynamic(b))
        return VSP_OK;
    b->force = f;
    b->torque = t;
    return VSP_OK;
}

vsp_status vsp_body_apply_force(vsp_world *world, vsp_body_id id,
                                vsp_vec3 force, vsp_vec3 point)
{
    vsp__body *b;
    vsp_status status = find_body(world, id, &b);

    if (status < 0)
        return status;
    if (!v3_in(point, VSP_MAX_POSITION))
        return VSP_ERR_ARG;
    return add_force(b, force, v3_sub(point, b->position), v3_zero());
}

vsp_status vsp_body_apply_center_force(vsp_world *world, vsp_body_id id,
                                       vsp_vec3 force)
{
    vsp__body *b;
    vsp_status status = find_body(world, id, &b);

    if (status < 0)
        return status;
    return add_force(b, force, v3_zero(), v3_zero());
}

vsp_status vsp_body_apply_torque(vsp_world *world, vsp_body_id id,
                                 vsp_vec3 torque)
{
    vsp__body *b;
    vsp_status status = find_body(world, id, &b);

    if (status < 0)
        return status;
    return add_force(b, v3_zero(), v3_zero(), torque);
}

/* Changes a velocity by an impulse at an arm and an angular impulse. */
static vsp_status add_impulse(vsp__body *b, vsp_vec3 p, vsp_vec3 arm,
                              vsp_vec3 angular)
{
    vsp__mat3 axes = m3_from_quat(b->rotation);
    vsp__sym3 inverse;
    vsp_vec3 v, w;

    if (!v3_in(p, VSP_MAX_FORCE) || !v3_in(angular, VSP_MAX_FORCE))
        return VSP_ERR_ARG;
    if (!vsp__is_dynamic(b) ||
        !s3_inverse(&b->inertia, VSP_R(1e-12), &inverse))
        return VSP_OK;
    angular = v3_add(angular, v3_cross(arm, p));
    if (!v3_in(angular, VSP_MAX_FORCE))
        return VSP_ERR_ARG;
    v = v3_madd(b->velocity, r_div(VSP_R(1.0), b->mass), p);
    w = v3_add(b->spin,
               m3_mul(&axes, s3_mul(&inverse, m3_tmul(&axes, angular))));
    if (!v3_in(v, VSP_MAX_SPEED) || !v3_in(w, VSP_MAX_SPEED))
        return VSP_ERR_ARG;
    b->velocity = v;
    b->spin = w;
    return VSP_OK;
}

vsp_status vsp_body_apply_impulse(vsp_world *world, vsp_body_id id,
                                  vsp_vec3 impulse, vsp_vec3 point)
{
    vsp__body *b;
    vsp_status status = find_body(world, id, &b);

    if (status < 0)
        return status;
    if (!v3_in(point, VSP_MAX_POSITION))
        return VSP_ERR_ARG;
    return add_impulse(b, impulse, v3_sub(point, b->position), v3_zero());
}

vsp_status vsp_body_apply_center_impulse(vsp_world *world, vsp_body_id id,
                                         vsp_vec3 impulse)
{
    vsp__body *b;
    vsp_status status = find_body(world, id, &b);

    if (status < 0)
        return status;
    return add_impulse(b, impulse, v3_zero(), v3_zero());
}

vsp_status vsp_body_apply_angular_impulse(vsp_world *world, vsp_body_id id,
                                          vsp_vec3 impulse)
{
    vsp__body *b;
    vsp_status status = find_body(world, id, &b);

    if (status < 0)
        return status;
    return add_impulse(b, v3_zero(), v3_zero(), impulse);
}


/* ---- Contacts ------------------------------------------------------------ */

uint32_t vsp_contact_count(const vsp_world *world)
{
    return is_world(world) ? world->contacts[0].manifold_count : 0;
}

/* where a point of a body is in the world */
static vsp_vec3 anchor(const vsp__body *b, vsp_vec3 arm)
{
    vsp__mat3 axes = m3_from_quat(b->rotation);

    return v3_add(b->position, m3_mul(&axes, arm));
}

static void read_point(const vsp_world *world, const vsp__manifold *m,
                       const vsp__point *from, vsp_contact_point *to)
{
    vsp_vec3 a = anchor(&world->bodies[m->body_a], from->arm_a);
    vsp_vec3 b = anchor(&world->bodies[m->body_b], from->arm_b);
    vsp_vec3 t1, t2;

    vsp__tangents(m->normal, &t1, &t2);
    to->position = v3_scale(v3_add(a, b), VSP_R(0.5));
    to->separation = from->gap;
    to->normal_impulse = from->multiplier[0];
    to->friction_impulse = v3_madd(v3_scale(t1, from->multiplier[1]),
                                   from->multiplier[2], t2);
    to->feature = from->feature;
}

vsp_status vsp_contact_get(const vsp_world *world, uint32_t index,
                           vsp_contact *contact)
{
    const vsp__manifold *m;
    uint32_t i;

    if (contact == NULL || index >= vsp_contact_count(world))
        return VSP_ERR_ARG;
    m = &world->manifolds[index];
    contact->shape_a = shape_id(world, m->shape_a);
    contact->shape_b = shape_id(world, m->shape_b);
    contact->body_a = body_id(world, m->body_a);
    contact->body_b = body_id(world, m->body_b);
    contact->normal = m->normal;
    contact->layer = m->layer;
    contact->point_count = m->point_count;
    for (i = 0; i < m->point_count; i++)
        read_point(world, m, &world->points[m->first_point + i],
                   &contact->points[i]);
    return VSP_OK;
}


/* ---- State as words --------------------------------------------------------
 * One walk over the state serves snapshot, restore and hash.  The state is
 * 32-bit words; in a snapshot each is four bytes, least significant first,
 * on every machine.  Body and shape slots that were never used are left out:
 * the rest have records of one size, so that any can be found. */

/* words before the params: see write_header */
#define HEADER_WORDS 11u
#define CHECKSUM_WORD 7u

typedef union word { /* how a struct's words are reached as bytes */
    uint32_t bits;
    unsigned char bytes[4];
} word;

static uint32_t rotate(uint32_t x, uint32_t n)
{
    return x << n | x >> (32u - n);
}

/* One word into a hash: multiply, rotate, add, each invertible. */
static uint32_t mix(uint32_t hash, uint32_t bits)
{
    bits *= 0x85ebca77u;
    bits = rotate(bits, 13);
    bits *= 0x9e3779b1u;
    hash ^= bits;
    return rotate(hash, 17) * 5u + 0x52dce729u;
}

/* Spreads what the last words changed over all bits. */
static uint32_t avalanche(uint32_t hash)
{
    hash ^= hash >> 15;
    hash *= 0x2c1b3c6du;
    hash ^= hash >> 12;
    hash *= 0x297a2d39u;
    hash ^= hash >> 15;
    return hash;
}

/* Where words go: into a hash, and into bytes if there are any. */
typedef struct sink {
    unsigned char *bytes;
    uint32_t hash;
} sink;

static void put_word(sink *s, uint32_t bits)
{
    uint32_t i;

    s->hash = mix(s->hash, bits);
    if (s->bytes == NULL)
        return;
    for (i = 0; i < 4; i++)
        *s->bytes++ = (unsigned char)(bits >> (8u * i) & 0xffu);
}

static void put_words(sink *s, const void *from, uint32_t count)
{
    const unsigned char *bytes = (const unsigned char *)from;
    uint32_t i, k;

    for (i = 0; i < count; i++) {
        word w;

        for (k = 0; k < 4; k++)
            w.bytes[k] = *bytes++;
        put_word(s, w.bits);
    }
}

/* Everything that shapes the future. */
static void put_state(const vsp_world *world, sink *s)
{
    uint32_t i;

    put_words(s, &world->params, WORDS(vsp__params));
    for (i = 0; i < world->body_used; i++)
        put_words(s, &world->bodies[i], WORDS(vsp__body));
    for (i = 0; i < world->shape_used; i++)
        put_words(s, &world->shapes[i], WORDS(vsp__shape));
    for (i = 0; i < world->warm_count; i++)
        put_words(s, &world->warm[i].state, WORDS(vsp__warm));
}

static uint32_t get_word(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
           (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void get_words(const unsigned char *bytes, void *to, uint32_t count)
{
    unsigned char *out = (unsigned char *)to;
    uint32_t i, k;

    for (i = 0; i < count; i++) {
        word w;

        w.bits = get_word(bytes + 4u * i);
        for (k = 0; k < 4; k++)
            *out++ = w.bytes[k];
    }
}

/* the parts of a snapshot */
typedef struct layout {
    const unsigned char *params, *bodies, *shapes, *warm;
    uint32_t body_count, shape_count, warm_count; /* records */
    uint32_t words;                               /* of all of it */
} layout;

static layout make_layout(const unsigned char *bytes, uint32_t bodies,
                          uint32_t shapes, uint32_t warm)
{
    layout l;

    l.body_count = bodies;
    l.shape_count = shapes;
    l.warm_count = warm;
    l.params = bytes + 4u * HEADER_WORDS;
    l.bodies = l.params + 4u * WORDS(vsp__params);
    l.shapes = l.bodies + 4u * WORDS(vsp__body) * bodies;
    l.warm = l.shapes + 4u * WORDS(vsp__shape) * shapes;
    l.words = HEADER_WORDS + WORDS(vsp__params) + WORDS(vsp__body) * bodies +
              WORDS(vsp__shape) * shapes + WORDS(vsp__warm) * warm;
    return l;
}

static void write_header(const vsp_world *world, uint32_t words, sink *s)
{
    put_word(s, SNAPSHOT_MAGIC);
    put_word(s, VSP_FORMAT_VERSION);
    put_word(s, VSP_VERSION);
    put_word(s, VSP_BITS_VERSION);
    put_word(s, SCALAR_KIND);
    put_word(s, VSP_OPTIONS);
    put_word(s, 4u * words);
    put_word(s, 0); /* CHECKSUM_WORD, filled in last */
    put_word(s, world->body_used);
    put_word(s, world->shape_used);
    put_word(s, world->warm_count);
}

vsp_status vsp_world_snapshot(const vsp_world *world, void *buffer,
                              size_t capacity, size_t *size)
{
    unsigned char *bytes = (unsigned char *)buffer;
    layout l;
    sink s;

    if (!is_world(world) || buffer == NULL || size == NULL)
        return VSP_ERR_ARG;
    *size = 0;
    l = make_layout(bytes, world->body_used, world->shape_used,
                    world->warm_count);
    if (capacity / 4u < l.words)
        return VSP_ERR_MEMORY;
    s.bytes = bytes;
    s.hash = 0;
    write_header(world, l.words, &s);
    put_state(world, &s);
    s.bytes = bytes + 4u * CHECKSUM_WORD;
    put_word(&s, avalanche(s.hash));
    *size = 4u * (size_t)l.words;
    return VSP_OK;
}

uint32_t vsp_world_hash(const vsp_world *world)
{
    sink s;

    if (!is_world(world))
        return 0;
    s.bytes = NULL;
    s.hash = VSP_BITS_VERSION;
    put_state(world, &s);
    return avalanche(s.hash);
}

/* Checks the header and the checksum and finds the parts. */
static bool read_layout(const unsigned char *bytes, size_t size, layout *l)
{
    uint32_t i, hash = 0;

    if (size % 4u != 0 || size / 4u < HEADER_WORDS + WORDS(vsp__params) ||
        size > VSP_SNAPSHOT_BYTES)
        return false;
    if (get_word(bytes) != SNAPSHOT_MAGIC ||
        get_word(bytes + 4) != VSP_FORMAT_VERSION ||
        get_word(bytes + 8) != VSP_VERSION ||
        get_word(bytes + 12) != VSP_BITS_VERSION ||
        get_word(bytes + 16) != SCALAR_KIND ||
        get_word(bytes + 20) != VSP_OPTIONS ||
        get_word(bytes + 24) != size ||
        get_word(bytes + 32) > VSP_MAX_BODIES ||
        get_word(bytes + 36) > VSP_MAX_SHAPES ||
        get_word(bytes + 40) > VSP_WARM_START * VSP_MAX_CONTACTS)
        return false;
    *l = make_layout(bytes, get_word(bytes + 32), get_word(bytes + 36),
                     get_word(bytes + 40));
    if (l->words != size / 4u)
        return false;
    for (i = 0; i < l->words; i++)
        hash = mix(hash, i == CHECKSUM_WORD ? 0 : get_word(bytes + 4u * i));
    return avalanche(hash) == get_word(bytes + 4u * CHECKSUM_WORD);
}

static vsp__body get_body_record(const layout *l, uint32_t slot)
{
    vsp__body b;

    get_words(l->bodies + 4u * WORDS(vsp__body) * slot, &b,
              WORDS(vsp__body));
    return b;
}

static vsp__shape get_shape_record(const layout *l, uint32_t slot)
{
    vsp__shape s;

    get_words(l->shapes + 4u * WORDS(vsp__shape) * slot, &s,
              WORDS(vsp__shape));
    return s;
}

/* Whether all words but the first are 0, as in a slot that is free. */
static bool is_cleared(const unsigned char *record, uint32_t words)
{
    uint32_t i, bits = 0;

    for (i = 1; i < words; i++)
        bits |= get_word(record + 4u * i);
    return bits == 0;
}

static bool is_mass_record(const vsp__body *b)
{
    mass_data m;

    m.mass = b->mass;
    m.center = b->center;
    m.inertia = b->inertia;
    return is_mass(&m) &&
           (b->mass == 0 || b->type == (uint32_t)VSP_DYNAMIC + 1u);
}

/* Walks the shape list of a body.  Returns how many shapes are in it, or
 * more than there are records when it is not a list of its own shapes. */
static uint32_t count_list(const layout *l, uint32_t slot,
                           const vsp__body *b)
{
    uint32_t next = b->first_shape, count = 0;

    while (next != 0 && count <= l->shape_count) {
        vsp__shape s;

        if (next > l->shape_count)
            return l->shape_count + 1u;
        s = get_shape_record(l, next - 1u);
        if (s.type == 0 || s.body != slot || !suits_body(&s, b))
            return l->shape_count + 1u;
        next = s.next_shape;
        count++;
    }
    return count;
}

/* Counts the live shapes, or more than there are records when one is bad. */
static uint32_t count_shape_records(const layout *l)
{
    uint32_t i, count = 0;

    for (i = 0; i < l->shape_count; i++) {
        vsp__shape s = get_shape_record(l, i);

        if (s.generation > 0xffffu)
            return l->shape_count + 1u;
        if (s.type == 0) {
            if (!is_cleared(l->shapes + 4u * WORDS(vsp__shape) * i,
                            WORDS(vsp__shape)))
                return l->shape_count + 1u;
            continue;
        }
        if (!is_shape(&s))
            return l->shape_count + 1u;
        count++;
    }
    return count;
}

static bool are_bodies(const layout *l)
{
    uint32_t live = count_shape_records(l), listed = 0, i;

    if (live > l->shape_count)
        return false;
    for (i = 0; i < l->body_count; i++) {
        vsp__body b = get_body_record(l, i);

        if (b.generation > 0xffffu)
            return false;
        if (b.type == 0) {
            if (!is_cleared(l->bodies + 4u * WORDS(vsp__body) * i,
                            WORDS(vsp__body)))
                return false;
            continue;
        }
        if (!is_body(&b) || !is_mass_record(&b))
            return false;
        listed += count_list(l, i, &b);
        if (listed > live) /* also ends the walk over shared lists */
            return false;
    }
    return listed == live;
}

static bool is_live_shape(const layout *l, uint32_t slot)
{
    return slot < l->shape_count && get_shape_record(l, slot).type != 0;
}

static bool are_warm(const layout *l)
{
    uint32_t i, last = 0;

    for (i = 0; i < l->warm_count; i++) {
        vsp__warm w;

        get_words(l->warm + 4u * WORDS(vsp__warm) * i, &w, WORDS(vsp__warm));
        if (w.pair < last || !is_live_shape(l, w.pair >> 16) ||
            !is_live_shape(l, w.pair & 0xffffu) ||
            !r_in(w.normal, VSP_R(0.0), VSP_MAX_FORCE) ||
            !r_in(w.tangent1, -VSP_MAX_FORCE, VSP_MAX_FORCE) ||
            !r_in(w.tangent2, -VSP_MAX_FORCE, VSP_MAX_FORCE))
            return false;
        last = w.pair;
    }
    return true;
}

/* Counts what lives, for limits and statistics. */
static void recount(vsp_world *world)
{
    vsp_stats *stats = &world->stats;
    uint32_t i;

    stats->body_count = stats->shape_count = 0;
    world->body_free = world->shape_free = 0;
    world->body_limit = world->body_used;
    world->shape_limit = world->shape_used;
    lower_limits(world);
    for (i = 0; i < world->body_limit; i++)
        if (world->bodies[i].type != 0)
            count_up(&stats->body_count, &stats->body_high);
    for (i = 0; i < world->shape_limit; i++)
        if (world->shapes[i].type != 0)
            count_up(&stats->shape_count, &stats->shape_high);
}

/* Zeroes what tells of a step that this world has not taken. */
static void clear_step_stats(vsp_stats *stats)
{
    stats->pair_count = stats->manifold_count = stats->contact_count = 0;
    stats->contacts_dropped = 0;
    stats->layer_count = 0;
    stats->sweep_count = 0;
    stats->correction_count = 0;
    stats->row_updates = 0;
    stats->residual = VSP_R(0.0);
    stats->merit = VSP_R(0.0);
}

static void read_state(vsp_world *world, const layout *l)
{
    uint32_t i;

    get_words(l->params, &world->params, WORDS(vsp__params));
    for (i = 0; i < VSP_MAX_BODIES; i++) {
        world->bodies[i].generation = 0;
        clear_body(&world->bodies[i]);
        if (i < l->body_count)
            world->bodies[i] = get_body_record(l, i);
    }
    for (i = 0; i < VSP_MAX_SHAPES; i++) {
        world->shapes[i].generation = 0;
        clear_shape(&world->shapes[i]);
        if (i < l->shape_count)
            world->shapes[i] = get_shape_record(l, i);
    }
    for (i = 0; i < l->warm_count; i++)
        get_words(l->warm + 4u * WORDS(vsp__warm) * i,
                  &world->warm[i].state, WORDS(vsp__warm));
    world->body_used = l->body_count;
    world->shape_used = l->shape_count;
    world->warm_count = l->warm_count;
}

vsp_status vsp_world_restore(vsp_world *world, const void *buffer,
                             size_t size)
{
    const unsigned char *bytes = (const unsigned char *)buffer;
    vsp__params params;
    layout l;

    if (!is_world(world) || buffer == NULL)
        return VSP_ERR_ARG;
    if (!read_layout(bytes, size, &l))
        return VSP_ERR_DATA;
    get_words(l.params, &params, WORDS(vsp__params));
    if (!are_params(&params) || !are_bodies(&l) || !are_warm(&l) ||
        (params.warm_start == 0 && l.warm_count > 0))
        return VSP_ERR_DATA;
    if (!is_capacity(&params.capacity) ||
        l.body_count > params.capacity.bodies ||
        l.shape_count > params.capacity.shapes ||
        l.warm_count > params.capacity.contacts)
        return VSP_ERR_FULL;
    read_state(world, &l);
    recount(world);
    clear_step_stats(&world->stats);
    forget_contacts(world);
    return VSP_OK;
}


/* ---- Validation ---------------------------------------------------------- */

/* Checks a body and its list of shapes, and counts these. */
static bool is_sound_body(const vsp_world *world, uint32_t slot,
                          uint32_t *listed)
{
    const vsp__body *b = &world->bodies[slot];
    uint32_t next = b->first_shape, steps = 0;

    while (next != 0 && steps++ <= world->shape_limit) {
        const vsp__shape *shape;

        if (next > world->shape_limit)
            return false;
        shape = &world->shapes[next - 1u];
        if (shape->body != slot || !is_shape(shape) || !suits_body(shape, b))
            return false;
        next = shape->next_shape;
        *listed += 1;
    }
    return next == 0 && is_body(b) && is_mass_record(b);
}

static uint32_t live_shapes(const vsp_world *world)
{
    uint32_t i, count = 0;

    for (i = 0; i < world->shape_limit; i++)
        count += world->shapes[i].type != 0 ? 1u : 0u;
    return count;
}

vsp_status vsp_world_validate(const vsp_world *world, vsp_body_id *suspect)
{
    uint32_t i, bodies = 0, listed = 0;

    if (suspect != NULL)
        suspect->bits = 0;
    if (!is_world(world))
        return VSP_ERR_ARG;
    for (i = 0; i < world->body_limit; i++) {
        if (world->bodies[i].type == 0)
            continue;
        bodies++;
        if (is_sound_body(world, i, &listed))
            continue;
        if (suspect != NULL)
            *suspect = body_id(world, i);
        return VSP_ERR_DATA;
    }
    if (bodies != world->stats.body_count || !are_params(&world->params) ||
        listed != world->stats.shape_count || listed != live_shapes(world))
        return VSP_ERR_DATA;
    return VSP_OK;
}

const char *vsp_status_name(vsp_status status)
{
    switch (status) {
    case VSP_OK:
        return "VSP_OK";
    case VSP_DEGRADED:
        return "VSP_DEGRADED";
    case VSP_DIVERGED:
        return "VSP_DIVERGED";
    case VSP_END:
        return "VSP_END";
    case VSP_ERR_ARG:
        return "VSP_ERR_ARG";
    case VSP_ERR_ID:
        return "VSP_ERR_ID";
    case VSP_ERR_FULL:
        return "VSP_ERR_FULL";
    case VSP_ERR_MEMORY:
        return "VSP_ERR_MEMORY";
    case VSP_ERR_ABI:
        return "VSP_ERR_ABI";
    case VSP_ERR_DATA:
        return "VSP_ERR_DATA";
    case VSP_ERR_TRUNCATED:
        return "VSP_ERR_TRUNCATED";
    case VSP_ERR_VERSION:
        return "VSP_ERR_VERSION";
    case VSP_ERR_CHECKSUM:
        return "VSP_ERR_CHECKSUM";
    }
    return "unknown status";
}


/* ---- Steppers ---------------------------------------------------------------
 * A step as the paper's figures have it, over the verbs of vsp_solver.c.
 * They differ in how velocities are found and when bodies move. */

static vsp__span all_contacts(const vsp_world *world, uint32_t list)
{
    vsp__span span;

    span.list = list;
    span.first = 0;
    span.last = world->contacts[list].manifold_count;
    span.lowest = 1;
    return span;
}

/* a stack layer, its bottom-most bodies fixated; the last is what floats */
static vsp__span layer_contacts(const vsp_world *world, uint32_t layer)
{
    vsp__span span;

    span.list = 0;
    span.first = world->layer_manifolds[layer];
    span.last = world->layer_manifolds[layer + 1];
    span.lowest = layer < world->layer_count ? layer + 1 : 1;
    return span;
}

static uint32_t moved_count(const vsp_world *world)
{
    return world->layer_bodies[world->layer_count + 1];
}

/* Moves the bodies of stack_order[first ... last - 1] for h seconds. */
static void move_bodies(vsp_world *world, uint32_t first, uint32_t last,
                        vsp_real h)
{
    uint32_t i;

    for (i = first; i < last; i++)
        vsp__move_body(world, world->stack_order[i], h);
}

static void push_bodies(vsp_world *world, uint32_t first, uint32_t last,
                        vsp_real h)
{
    uint32_t i;

    for (i = first; i < last; i++)
        vsp__push_body(world, world->stack_order[i], h);
}

static void move_kinematic(vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        if (world->bodies[i].type == (uint32_t)VSP_KINEMATIC + 1u)
            vsp__move_body(world, i, world->params.dt);
}

static bool correct_layer(vsp_world *world, uint32_t layer)
{
    vsp__span span = layer_contacts(world, layer);
    uint32_t i;

    for (i = span.first; i < span.last; i++)
        vsp__refresh(world, 0, vsp__span_manifold(world, span, i));
    return vsp__correct(world, span);
}

/* figure 12 with correction as the algorithm; whether anything moved */
static bool correct_layers(vsp_world *world)
{
    bool is_changed = false;
    uint32_t layer;

    for (layer = 0; layer <= world->layer_count; layer++)
        is_changed = correct_layer(world, layer) || is_changed;
    return is_changed;
}

/* Detects what the move made, and projects it out: the end of figure 14. */
static void finish_positions(vsp_world *world)
{
    vsp__detect(world, 1);
    vsp__correct(world, all_contacts(world, 1));
}

/* A dynamic body without mass stays put, whatever velocity it was given. */
static vsp__velocity start_velocity(const vsp__body *b)
{
    vsp__velocity v;

    v.linear = b->velocity;
    v.angular = b->spin;
    if (b->type == (uint32_t)VSP_DYNAMIC + 1u && !vsp__is_dynamic(b))
        v.linear = v.angular = v3_zero();
    return v;
}

/* Everything up to the first velocity solve. */
static void begin_step(vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        vsp__update_axes(world, i);
    vsp__detect(world, 0);
    world->contacts[1].dropped = 0;
    for (i = 0; i < world->body_limit; i++) {
        vsp__update_inverse(world, i);
        world->work.solve.velocity[i] = start_velocity(&world->bodies[i]);
    }
    vsp__warm_load(world);
    vsp__stack(world);
    vsp__find_bounces(world);
}

/* Projected Gauss-Seidel, then correction: all at once, no layers. */
static void step_pgs(vsp_world *world)
{
    vsp__span all = all_contacts(world, 0);
    vsp_real h = world->params.dt;

    push_bodies(world, 0, moved_count(world), h);
    vsp__assemble(world, all, h);
    vsp__warm_start(world, all);
    vsp__sweep(world, all, world->params.sweeps, world->params.tolerance);
    world->stats.merit = vsp__merit(world);
    vsp__keep_multipliers(world, all);
    move_bodies(world, 0, moved_count(world), h);
    move_kinematic(world);
    finish_positions(world);
}

/* One layer of figure 14: dynamics((1 - a) h), then correction, with the
 * multipliers of this layer's last solve as a start. */
static void shock_layer(vsp_world *world, uint32_t layer, vsp_real h)
{
    vsp__span span = layer_contacts(world, layer);
    uint32_t first = world->layer_bodies[layer];
    uint32_t last = world->layer_bodies[layer + 1];

    push_bodies(world, first, last, h);
    if (span.first < span.last) {
        vsp__assemble(world, span, world->params.dt);
        vsp__warm_start(world, span);
        vsp__sweep(world, span, world->params.sweeps, VSP_R(0.0));
        vsp__keep_multipliers(world, span);
    }
    move_bodies(world, first, last, h);
    correct_layer(world, layer);
}

/* Velocity-based shock propagation, figure 14.  Where the published code
 * leaves things open: fixated bodies keep their velocity as a support,
 * correction follows dynamics with gaps measured anew, restitution is asked
 * for once, open gaps may close, and what floats is a layer too.  Sweeps do
 * not end early: with so small a part of the weight in the first solve, what
 * a tolerance leaves would add up. */
static void step_shock(vsp_world *world)
{
    vsp__span all = all_contacts(world, 0);
    vsp_real h = world->params.dt;
    vsp_real part = r_mul(world->params.fraction, h);
    uint32_t layer;

    push_bodies(world, 0, moved_count(world), part);
    vsp__assemble(world, all, h);
    vsp__put_aside(world);
    vsp__sweep(world, all, world->params.sweeps, VSP_R(0.0));
    world->stats.merit = vsp__merit(world);
    vsp__take_back(world);
    move_bodies(world, 0, moved_count(world), part);
    move_kinematic(world);
    for (layer = 0; layer <= world->layer_count; layer++)
        shock_layer(world, layer, h - part);
    finish_positions(world);
}

/* Predict up, carry down, keep of it what lowers the objective, and let
 * sweeps mend what slides, tips or collides. */
static vsp_real carry_round(vsp_world *world, uint32_t sweeps)
{
    vsp__predict(world);
    vsp__line_search_begin(world);
    vsp__carry(world);
    vsp__line_search_end(world);
    return vsp__sweep(world, all_contacts(world, 0), sweeps,
                      world->params.tolerance);
}

/* A second round where the first has not settled: it is what keeps a brick
 * from leaving an impact faster than what hit it. */
static void step_carry(vsp_world *world)
{
    vsp__span all = all_contacts(world, 0);
    vsp_real h = world->params.dt;
    vsp_real settled = r_mul(world->params.tolerance, VSP_R(10.0));
    uint32_t sweeps = world->params.sweeps;

    push_bodies(world, 0, moved_count(world), h);
    vsp__assemble(world, all, h);
    vsp__warm_start(world, all);
    if (carry_round(world, (sweeps + 1u) / 2u) > settled)
        carry_round(world, sweeps);
    world->stats.merit = vsp__merit(world);
    vsp__keep_multipliers(world, all);
    move_bodies(world, 0, moved_count(world), h);
    move_kinematic(world);
    if (correct_layers(world) || !vsp__is_still(world))
        finish_positions(world);
}

/* Statistics are numbers even where a solve was not. */
static void tidy_stats(vsp_stats *stats)
{
    if (!r_is_finite(stats->residual))
        stats->residual = VSP_MAX_FORCE;
    if (!r_is_finite(stats->merit))
        stats->merit = VSP_MAX_FORCE;
}

/* Everything after the last move. */
static void end_step(vsp_world *world)
{
    uint32_t i;

    tidy_stats(&world->stats);
    for (i = 0; i < world->body_limit; i++) {
        vsp__body *b = &world->bodies[i];

        b->force = b->torque = v3_zero();
    }
    if (world->params.warm_start)
        vsp__warm_store(world);
    world->params.tick++;
    world->stats.contacts_dropped =
        world->contacts[0].dropped > world->contacts[1].dropped
            ? world->contacts[0].dropped
            : world->contacts[1].dropped;
}

vsp_status vsp_world_step(vsp_world *world)
{
    if (!is_world(world))
        return VSP_ERR_ARG;
    clear_step_stats(&world->stats);
    begin_step(world);
    if (world->params.stepper == (uint32_t)VSP_STEPPER_PGS)
        step_pgs(world);
    else if (world->params.stepper == (uint32_t)VSP_STEPPER_SHOCK)
        step_shock(world);
    else
        step_carry(world);
    end_step(world);
    return world->stats.contacts_dropped ? VSP_DEGRADED : VSP_OK;
}
