/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The world and everything a caller does with it, in this order: checks of
 * arguments, ids and slots, mass, world, bodies, shapes, contacts, the state
 * as words (snapshot, restore, hash), validation, and the steppers, which
 * put the verbs of vsp_collide.c and vsp_solver.c together. */

#include "vsp_internal.h"

#define WORLD_MAGIC 0x57505356u    /* "VSPW" */
#define SNAPSHOT_MAGIC 0x53505356u /* "VSPS" */
#define SCALAR_KIND (VSP_FIXED ? 2u : 1u)

#define WORDS(type) ((uint32_t)(sizeof(type) / 4u))
#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))

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
    return a_in(v.x, -limit, limit) && a_in(v.y, -limit, limit) &&
           a_in(v.z, -limit, limit);
}

/* numbers of a state struct, side by side, that have one range */
typedef struct range {
    uint8_t first, count; /* in words from the beginning of the struct */
    uint8_t kept_as;      /* vsp__form */
    vsp_real low, high;
} range;

#define RANGE(type, field, count, form, low, high) \
    {offsetof(type, field) / 4u, count, form, low, high}
#define WITHIN(type, field, count, form, limit) \
    RANGE(type, field, count, form, -(limit), limit)

/* Whether a number is one of a range, whose ends are rounded as callers'
 * numbers are. */
static bool is_in(uint32_t bits, const range *r)
{
    if (r->kept_as == WIDE)
        return w_in(w_from_bits(bits), w_read(r->low), w_read(r->high));
    if (r->kept_as == RATE)
        return r_in(r_from_bits(bits), rate_read(r->low), rate_read(r->high));
    if (r->kept_as == UNIT)
        return r_in(r_from_bits(bits), u_read(r->low), u_read(r->high));
    return r_in(r_from_bits(bits), r_read(r->low), r_read(r->high));
}

/* Whether all of them are, and flushed as numbers of a state are. */
static bool are_in(const void *state, const range *ranges, uint32_t count)
{
    const vsp__real *numbers = (const vsp__real *)state;
    uint32_t i, k;

    for (i = 0; i < count; i++)
        for (k = 0; k < ranges[i].count; k++) {
            vsp__real a = numbers[ranges[i].first + k];

            if (!is_in(r_bits(a), &ranges[i]) || !r_is_flushed(a))
                return false;
        }
    return true;
}

/* whether words differ from others, or (b null) from 0 */
static bool differs(const void *a, const void *b, uint32_t count)
{
    const unsigned char *x = (const unsigned char *)a;
    const unsigned char *y = (const unsigned char *)b;
    uint32_t i;

    for (i = 0; i < 4u * count; i++)
        if (x[i] != (y != NULL ? y[i] : 0))
            return true;
    return false;
}

static bool v3_is_zero(const vsp__vec3 *v)
{
    return v->x == 0 && v->y == 0 && v->z == 0;
}

/* Reads a caller's pose; false for what is none. */
static bool read_pose(const vsp_transform *from, vsp__transform *pose)
{
    pose->position = v3_read(from->position);
    return v3_in(from->position, VSP_MAX_POSITION) &&
           vsp__q_read(from->rotation, &pose->rotation);
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
    static const range ranges[] = {
        WITHIN(vsp__params, gravity, 3, RATE, VSP_MAX_SPEED),
        RANGE(vsp__params, dt, 1, UNIT, VSP_MIN_DT, VSP_MAX_DT),
        RANGE(vsp__params, envelope, 1, REAL, VSP_R(0.0001), VSP_R(0.1)),
        RANGE(vsp__params, tolerance, 1, RATE, 0, VSP_R(1.0)),
        RANGE(vsp__params, fraction, 1, UNIT, 0, VSP_R(1.0)),
    };

    return are_in(p, ranges, COUNT_OF(ranges)) &&
           p->stepper <= (uint32_t)VSP_STEPPER_SHOCK &&
           p->friction <= (uint32_t)VSP_FRICTION_PYRAMID &&
           p->warm_start <= 1u && p->sweeps >= 1 &&
           p->sweeps <= 10000 && p->correction_sweeps >= 1 &&
           p->correction_sweeps <= 10000 && is_capacity(&p->capacity);
}

static uint8_t pack_rules(const vsp_material *m)
{
    return (uint8_t)((uint32_t)m->friction_rule |
                     (uint32_t)m->restitution_rule << 3);
}

/* Reads a caller's material into a shape.  Returns false, and changes
 * nothing, for what is none. */
static bool read_material(const vsp_material *m, vsp__shape *shape)
{
    vsp__real a[2]; /* friction, restitution */

    a[0] = r_read(m->friction);
    a[1] = r_read(m->restitution);
    vsp__flush(a, 2);
    if (!r_in(a[0], 0, VSP__R(100.0)) || !r_in(a[1], 0, VSP__R(1.0)) ||
        (uint32_t)m->friction_rule > (uint32_t)VSP_RULE_MAX ||
        (uint32_t)m->restitution_rule > (uint32_t)VSP_RULE_MAX)
        return false;
    shape->friction = a[0];
    shape->restitution = a[1];
    shape->rules = pack_rules(m);
    return true;
}

/* Whether a shape's own numbers make one: also used on restored bytes. */
static bool is_shape(const vsp__shape *s)
{
    static const range ranges[] = {
        WITHIN(vsp__shape, size, 3, REAL, VSP_MAX_SIZE),
        WITHIN(vsp__shape, pose.position, 3, REAL, VSP_MAX_POSITION),
        WITHIN(vsp__shape, pose.rotation, 4, UNIT, VSP_R(1.01)),
        RANGE(vsp__shape, density, 1, WIDE, 0, VSP_R(1.0e9)),
        RANGE(vsp__shape, friction, 1, REAL, 0, VSP_R(100.0)),
        RANGE(vsp__shape, restitution, 1, REAL, 0, VSP_R(1.0)),
    };
    vsp__real least = r_read(VSP_MIN_SIZE);

    if (s->type == (uint32_t)VSP_SHAPE_NONE ||
        s->type > (uint32_t)VSP_SHAPE_HALF_SPACE ||
        !are_in(s, ranges, COUNT_OF(ranges)) ||
        !vsp__q_is_unit(&s->pose.rotation) ||
        vsp__friction_rule(s) > (uint32_t)VSP_RULE_MAX ||
        vsp__restitution_rule(s) > (uint32_t)VSP_RULE_MAX)
        return false;
    if (s->type == (uint32_t)VSP_SHAPE_BOX)
        return s->size.x >= least && s->size.y >= least &&
               s->size.z >= least;
    return s->type == (uint32_t)VSP_SHAPE_HALF_SPACE || s->size.x >= least;
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

/* what an id names, or null; the world may be null */
static const vsp__body *get_body(const vsp_world *world, vsp_body_id id)
{
    uint32_t slot = is_world(world) ? body_slot(world, id) : VSP_MAX_BODIES;

    return slot < VSP_MAX_BODIES ? &world->bodies[slot] : NULL;
}

static const vsp__shape *get_shape(const vsp_world *world, vsp_shape_id id)
{
    uint32_t slot = is_world(world) ? shape_slot(world, id) : VSP_MAX_SHAPES;

    return slot < VSP_MAX_SHAPES ? &world->shapes[slot] : NULL;
}

/* Finds what a call is to change. */
static vsp_status find_body(vsp_world *world, vsp_body_id id,
                            vsp__body **body)
{
    uint32_t slot;

    if (!is_world(world))
        return VSP_ERR_ARG;
    slot = body_slot(world, id);
    if (slot == VSP_MAX_BODIES)
        return VSP_ERR_ID;
    *body = &world->bodies[slot];
    return VSP_OK;
}

static vsp_status find_shape(vsp_world *world, vsp_shape_id id,
                             vsp__shape **shape)
{
    uint32_t slot;

    if (!is_world(world))
        return VSP_ERR_ARG;
    slot = shape_slot(world, id);
    if (slot == VSP_MAX_SHAPES)
        return VSP_ERR_ID;
    *shape = &world->shapes[slot];
    return VSP_OK;
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

static void clear(void *state, size_t size)
{
    unsigned char *bytes = (unsigned char *)state;

    while (size-- > 0)
        *bytes++ = 0;
}

static void copy(void *to, const void *from, size_t size)
{
    unsigned char *out = (unsigned char *)to;
    const unsigned char *in = (const unsigned char *)from;

    while (size-- > 0)
        *out++ = *in++;
}

/* Empties a slot but for the count of its uses. */
static void clear_body(vsp__body *body)
{
    uint16_t generation = body->generation;

    clear(body, sizeof *body);
    body->generation = generation;
}

static void clear_shape(vsp__shape *shape)
{
    uint16_t generation = shape->generation;

    clear(shape, sizeof *shape);
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

/* Zeroes what tells of a step that this world has not taken. */
static void clear_step_stats(vsp__stats *stats)
{
    stats->pair_count = stats->manifold_count = stats->contact_count = 0;
    clear(&stats->contacts_dropped,
          sizeof *stats - offsetof(vsp__stats, contacts_dropped));
}

static void count_up(uint32_t *count, uint32_t *high)
{
    *count += 1;
    if (*high < *count)
        *high = *count;
}


/* ---- Mass ---------------------------------------------------------------- */

/* What a shape adds: its mass; once that is known, its share in the centre;
 * once that is, its share in the inertia. */
static void weigh_shape(const vsp__shape *shape, uint32_t pass,
                        vsp__matter *sum, vsp__sums *sums)
{
    vsp__sym3 own;
    vsp__wide mass = vsp__shape_mass(shape, &own);
    vsp__real share;

    if (pass == 0) {
        sum->mass = w_add(sum->mass, mass);
        return;
    }
    share = w_to_unit(w_div(mass, sum->mass));
    if (pass == 1) {
        u3_move(&sum->center, share, &shape->pose.position);
        return;
    }
    vsp__add_sym(sums, share, &own);
    vsp__add_spread(sums, r_of_unit(share),
                    v3_sub(shape->pose.position, sum->center));
}

/* Mass of a body's shapes, first that of one more (may be null), without the
 * one in a slot (VSP_MAX_SHAPES: all): in the order of the list as it will
 * be, so that a restored body weighs the same to the bit. */
static void weigh_shapes(const vsp__shape *shapes, const vsp__body *body,
                         const vsp__shape *more, uint32_t without,
                         vsp__matter *sum)
{
    vsp__sums sums;
    uint32_t i, pass;

    clear(sum, sizeof *sum);
    clear(&sums, sizeof sums);
    for (pass = 0; pass < 3; pass++) {
        if (pass > 0 && !w_less(W_ZERO, sum->mass))
            return;
        if (more != NULL)
            weigh_shape(more, pass, sum, &sums);
        for (i = body->first_shape; i != 0; i = shapes[i - 1u].next_shape)
            if (i - 1u != without)
                weigh_shape(&shapes[i - 1u], pass, sum, &sums);
    }
    vsp__sum_up(&sums, &sum->inertia);
}

/* Whether no axis is harder to turn about than the other two together: the
 * second moments tr(s)/2 - s have no negative minor of one or two rows. */
static bool is_of_matter(const vsp__sym3 *s)
{
    vsp__real sum = s->xx + s->yy + s->zz, slack = VSP__U(1e-4);
    vsp__real x = u_div(s->yy + s->zz - s->xx, sum) + slack;
    vsp__real y = u_div(s->xx + s->zz - s->yy, sum) + slack;
    vsp__real z = u_div(s->xx + s->yy - s->zz, sum) + slack;
    vsp__real xy = u_div(s->xy + s->xy, sum);
    vsp__real xz = u_div(s->xz + s->xz, sum);
    vsp__real yz = u_div(s->yz + s->yz, sum);

    return x >= 0 && y >= 0 && z >= 0 && u_mul(xy, xy) <= u_mul(x, y) &&
           u_mul(xz, xz) <= u_mul(x, z) && u_mul(yz, yz) <= u_mul(y, z);
}

/* Nothing, or what a body can have: an inertia that is positive definite, by
 * its leading minors, and of a size that mass and length can give. */
static bool is_mass(const vsp__matter *m)
{
    static const range ranges[] = {
        WITHIN(vsp__matter, center, 3, REAL, VSP_MAX_POSITION),
        RANGE(vsp__matter, mass, 1, WIDE, VSP_MIN_MASS, VSP_MAX_MASS),
    };
    vsp__sym3 inverse;

    if (w_is_zero(m->mass))
        return !differs(&m->inertia, NULL, WORDS(vsp__sym3));
    return are_in(m, ranges, COUNT_OF(ranges)) && s3_is_kept(&m->inertia) &&
           vsp__invert(&m->inertia, 40, &inverse) && inverse.zz >= 0 &&
           is_of_matter(&m->inertia);
}

/* What a body weighs when its shapes change. */
static void weigh(const vsp__shape *shapes, const vsp__body *body,
                  const vsp__shape *more, uint32_t without, vsp__matter *m)
{
    if (body->type != (uint32_t)VSP_DYNAMIC + 1u || body->mass_given == 2) {
        *m = body->matter; /* stays what it is */
        return;
    }
    weigh_shapes(shapes, body, more, without, m);
    if (body->mass_given == 1 && w_less(W_ZERO, m->mass))
        m->mass = body->given;
}

/* A wire counts as a little thicker: else rounding, as it turns, makes of
 * its inertia one that no matter has, and a touch spins it out of range. */
static void thicken(vsp__sym3 *inertia)
{
    vsp__real least = u_mul(VSP__WIRE,
                            v3_largest(v3(inertia->xx, inertia->yy,
                                          inertia->zz)));
    vsp__sym3 inverse;

    if (vsp__invert(inertia, VSP__WIRE_BITS, &inverse))
        return;
    inertia->xx += least;
    inertia->yy += least;
    inertia->zz += least;
}

static void store_mass(vsp__body *body, const vsp__matter *m)
{
    body->matter = *m;
    thicken(&body->matter.inertia);
    vsp__flush(&body->matter, WORDS(vsp__matter));
}

/* Gives a body a mass; its frame stays where it is. */
static void set_mass(vsp__body *body, const vsp__matter *m)
{
    vsp__vec3 shift = vsp__turned(body->rotation,
                                  v3_sub(m->center, body->matter.center));
    vsp__vec3 change = v3_cross(body->spin, shift);

    v3_add_in(&body->position, &shift);
    v3_add_in(&body->velocity, &change);
    vsp__keep_in_range(body);
    store_mass(body, m);
}

/* The inertia of one kilogram from that of all, along the axes. */
static void read_inertia(vsp_vec3 inertia, vsp__matter *m)
{
    vsp__wide3 all = w3_read(inertia);
    vsp__sums sums;

    clear(&sums, sizeof sums);
    sums.xx = square_of_wide(w_div(all.x, m->mass));
    sums.yy = square_of_wide(w_div(all.y, m->mass));
    sums.zz = square_of_wide(w_div(all.z, m->mass));
    vsp__sum_up(&sums, &m->inertia);
    vsp__flush(&m->inertia, WORDS(vsp__sym3));
}

/* Reads mass, center and inertia of a def or call into a body: mass_given,
 * given and, where all was, matter.  Returns false for what is none. */
static bool read_given_mass(vsp_real given, vsp_vec3 center,
                            vsp_vec3 inertia, vsp__body *body)
{
    vsp__matter *m = &body->matter;
    vsp__wide3 turned = w3_read(inertia);
    bool is_plain;

    vsp__flush(&turned, WORDS(vsp__wide3));
    is_plain = w_is_zero(turned.x) && w_is_zero(turned.y) &&
               w_is_zero(turned.z);
    body->given = w_flush(w_read(given));
    body->mass_given = 0;
    if (w_is_zero(body->given))
        return is_plain;
    if (!a_in(given, VSP_MIN_MASS, VSP_MAX_MASS) ||
        !v3_in(center, VSP_MAX_POSITION))
        return false;
    body->mass_given = 1;
    if (is_plain)
        return true;
    body->mass_given = 2;
    m->mass = body->given;
    m->center = v3_read(center);
    vsp__flush(&m->center, 3);
    read_inertia(inertia, m);
    return is_mass(m);
}


/* ---- Definitions --------------------------------------------------------- */

static vsp_vec3 vec3_of(vsp_real x, vsp_real y, vsp_real z)
{
    vsp_vec3 size;

    size.x = x;
    size.y = y;
    size.z = z;
    return size;
}

/* all that is not set is 0 */
static vsp_shape_def shape_default(vsp_shape_type type, vsp_vec3 size)
{
    vsp_shape_def def;

    clear(&def, sizeof def);
    def.cookie = VSP__COOKIE(3);
    def.type = type;
    def.size = size;
    def.pose.rotation.w = VSP_R(1.0);
    def.density = VSP_R(1000.0);
    def.material.friction = VSP_R(0.5);
    def.material.friction_rule = VSP_RULE_GEOMETRIC;
    def.material.restitution_rule = VSP_RULE_MAX;
    def.filter.category = 1;
    def.filter.mask = 0xffffffffu;
    return def;
}

vsp_shape_def vsp_sphere(vsp_real radius)
{
    return shape_default(VSP_SHAPE_SPHERE, vec3_of(radius, radius, radius));
}

vsp_shape_def vsp_box(vsp_real x, vsp_real y, vsp_real z)
{
    return shape_default(VSP_SHAPE_BOX, vec3_of(x, y, z));
}

vsp_shape_def vsp_half_space(void)
{
    return shape_default(VSP_SHAPE_HALF_SPACE, vec3_of(0, 0, 0));
}

vsp_body_def vsp_body_def_default(void)
{
    vsp_body_def def;

    clear(&def, sizeof def);
    def.cookie = VSP__COOKIE(2);
    def.type = VSP_STATIC;
    def.pose.rotation.w = VSP_R(1.0);
    def.gravity_scale = VSP_R(1.0);
    def.shape = shape_default(VSP_SHAPE_NONE, vec3_of(0, 0, 0));
    return def;
}


/* ---- World --------------------------------------------------------------- */

static bool read_world_def(const vsp_world_def *def, vsp__params *p)
{
    p->gravity = rate3_read(def->gravity);
    p->dt = u_read(def->dt);
    p->envelope = r_read(def->envelope);
    p->tolerance = rate_read(def->tolerance);
    p->fraction = u_read(def->fraction);
    p->stepper = (uint32_t)def->stepper;
    p->friction = (uint32_t)def->friction;
    p->warm_start = def->enable_warm_start ? 1 : 0;
    p->sweeps = def->sweeps;
    p->correction_sweeps = def->correction_sweeps;
    p->capacity = def->capacity;
    p->tick = 0;
    vsp__flush(&p->gravity, 7); /* and all numbers up to fraction */
    return are_params(p);
}

/* An empty world: all that is read before it is written. */
static void clear_world(vsp_world *world)
{
    clear(&world->stats, sizeof world->stats);
    world->body_limit = world->body_used = 0;
    world->shape_limit = world->shape_used = 0;
    world->body_free = world->shape_free = 0;
    world->layer_count = 0;
    world->warm_count = 0;
    world->contacts[0].dropped = world->contacts[1].dropped = 0;
    world->contacts[1].manifold_count = world->contacts[1].point_count = 0;
    forget_contacts(world);
    clear(world->bodies, sizeof world->bodies);
    clear(world->shapes, sizeof world->shapes);
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
    world->params.gravity = rate3_read(gravity);
    vsp__flush(&world->params.gravity, 3);
    return VSP_OK;
}

vsp_vec3 vsp_world_gravity(const vsp_world *world)
{
    return rate3_show(is_world(world) ? world->params.gravity : v3_zero());
}

vsp_capacity vsp_world_capacity(const vsp_world *world)
{
    vsp_capacity none;

    clear(&none, sizeof none);
    return is_world(world) ? world->params.capacity : none;
}

vsp_real vsp_world_dt(const vsp_world *world)
{
    return is_world(world) ? u_show(world->params.dt) : 0;
}

uint32_t vsp_world_tick(const vsp_world *world)
{
    return is_world(world) ? world->params.tick : 0;
}

vsp_stats vsp_world_stats(const vsp_world *world)
{
    vsp_stats stats;

    clear(&stats, sizeof stats);
    if (!is_world(world))
        return stats;
    copy(&stats, &world->stats, offsetof(vsp__stats, residual));
    stats.residual = rate_show(world->stats.residual);
    stats.merit = w_show(world->stats.merit);
    return stats;
}


/* ---- Shapes -------------------------------------------------------------- */

static bool read_shape_def(const vsp_shape_def *def, vsp__shape *shape)
{
    clear_shape(shape);
    if (def->cookie != VSP__COOKIE(3) ||
        !read_pose(&def->pose, &shape->pose) ||
        !read_material(&def->material, shape) ||
        (uint32_t)def->type > (uint32_t)VSP_SHAPE_HALF_SPACE)
        return false;
    shape->type = (uint8_t)def->type;
    shape->size = v3_read(def->size);
    shape->density = w_read(def->density);
    vsp__flush(&shape->size, 13); /* and all numbers up to restitution */
    shape->filter = def->filter;
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
    to->generation = (uint16_t)(generation + 1u);
    to->body = (uint16_t)body;
    to->next_shape = (uint16_t)world->bodies[body].first_shape;
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
    uint32_t before = body->first_shape;
    uint16_t next = world->shapes[slot].next_shape;

    if (before == slot + 1u) {
        body->first_shape = next;
    } else {
        while (world->shapes[before - 1u].next_shape != slot + 1u)
            before = world->shapes[before - 1u].next_shape;
        world->shapes[before - 1u].next_shape = next;
    }
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
    vsp__matter m;

    if (id != NULL)
        id->bits = 0;
    if (!is_world(world) || def == NULL || !read_shape_def(def, &shape))
        return VSP_ERR_ARG;
    owner = body_slot(world, body);
    if (owner == VSP_MAX_BODIES)
        return VSP_ERR_ID;
    weigh(world->shapes, &world->bodies[owner], &shape, VSP_MAX_SHAPES, &m);
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
    vsp__matter m;

    if (!is_world(world))
        return VSP_ERR_ARG;
    slot = shape_slot(world, id);
    if (slot == VSP_MAX_SHAPES)
        return VSP_ERR_ID;
    body = world->shapes[slot].body;
    weigh(world->shapes, &world->bodies[body], NULL, slot, &m);
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
    return get_shape(world, id) != NULL;
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
    const vsp__shape *shape = get_shape(world, id);
    vsp_body_id none = {0};

    return shape != NULL ? body_id(world, shape->body) : none;
}

vsp_status vsp_shape_get(const vsp_world *world, vsp_shape_id id,
                         vsp_shape_def *def)
{
    const vsp__shape *shape = get_shape(world, id);

    if (!is_world(world) || def == NULL)
        return VSP_ERR_ARG;
    if (shape == NULL)
        return VSP_ERR_ID;
    def->cookie = VSP__COOKIE(3);
    def->type = (vsp_shape_type)shape->type;
    def->size = v3_show(shape->size);
    def->pose.position = v3_show(shape->pose.position);
    def->pose.rotation = q_show(shape->pose.rotation);
    def->density = w_show(shape->density);
    def->material.friction = r_show(shape->friction);
    def->material.restitution = r_show(shape->restitution);
    def->material.friction_rule = (vsp_rule)vsp__friction_rule(shape);
    def->material.restitution_rule =
        (vsp_rule)vsp__restitution_rule(shape);
    def->filter = shape->filter;
    return VSP_OK;
}

vsp_status vsp_shape_set_material(vsp_world *world, vsp_shape_id id,
                                  vsp_material material)
{
    vsp__shape *shape;
    vsp_status status = find_shape(world, id, &shape);

    if (status < 0)
        return status;
    return read_material(&material, shape) ? VSP_OK : VSP_ERR_ARG;
}

vsp_status vsp_shape_set_filter(vsp_world *world, vsp_shape_id id,
                                vsp_filter filter)
{
    vsp__shape *shape;
    vsp_status status = find_shape(world, id, &shape);

    if (status < 0)
        return status;
    shape->filter = filter;
    return VSP_OK;
}


/* ---- Bodies -------------------------------------------------------------- */

/* Whether a body's own numbers make one: also used on restored bytes. */
static bool is_body(const vsp__body *b)
{
    static const range ranges[] = {
        RANGE(vsp__body, given, 1, WIDE, 0, VSP_MAX_MASS),
        WITHIN(vsp__body, position, 3, REAL, VSP_MAX_POSITION),
        WITHIN(vsp__body, rotation, 4, UNIT, VSP_R(1.01)),
        WITHIN(vsp__body, velocity, 6, RATE, VSP_MAX_SPEED), /* and spin */
        WITHIN(vsp__body, force, 6, WIDE, VSP_MAX_FORCE), /* and torque */
        WITHIN(vsp__body, matter.center, 3, REAL, VSP_MAX_POSITION),
        /* and angular */
        RANGE(vsp__body, linear_damping, 2, REAL, 0, VSP_R(1000.0)),
        WITHIN(vsp__body, gravity_scale, 1, REAL, VSP_R(100.0)),
    };

    return b->type >= 1 && b->type <= (uint32_t)VSP_DYNAMIC + 1u &&
           b->mass_given <= 2 && are_in(b, ranges, COUNT_OF(ranges)) &&
           vsp__q_is_unit(&b->rotation) &&
           (b->type != (uint32_t)VSP_STATIC + 1u ||
            (v3_is_zero(&b->velocity) && v3_is_zero(&b->spin)));
}

/* a body's numbers, from what was given to the end */
#define STATE_NUMBERS \
    ((uint32_t)(sizeof(vsp__body) - offsetof(vsp__body, given)) / 4u)

/* Reads a def but for its shape. */
static bool read_body_def(const vsp_body_def *def, vsp__body *body)
{
    vsp__transform pose;

    if (def->cookie != VSP__COOKIE(2) || (uint32_t)def->type > 2u ||
        !read_pose(&def->pose, &pose) ||
        !read_given_mass(def->mass, def->center, def->inertia, body))
        return false;
    if (def->type != VSP_DYNAMIC) { /* weighs nothing, whatever was given */
        clear(&body->matter, sizeof body->matter);
        body->given = W_ZERO;
        body->mass_given = 0;
    }
    body->type = (uint8_t)((uint32_t)def->type + 1u);
    body->user = def->user;
    body->position = pose.position;
    body->rotation = pose.rotation;
    body->velocity = rate3_read(def->velocity);
    body->spin = rate3_read(def->spin);
    body->linear_damping = r_read(def->linear_damping);
    body->angular_damping = r_read(def->angular_damping);
    body->gravity_scale = r_read(def->gravity_scale);
    vsp__flush(&body->given, STATE_NUMBERS);
    return is_body(body);
}

/* What a new body weighs; false for what it must not. */
static bool weigh_new_body(const vsp_world *world, const vsp__body *body,
                           const vsp__shape *shape, vsp__matter *m)
{
    weigh(world->shapes, body, shape, VSP_MAX_SHAPES, m);
    return body->type != (uint32_t)VSP_DYNAMIC + 1u ||
           (body->mass_given == 0 && shape == NULL) ||
           (w_less(W_ZERO, m->mass) && is_mass(m));
}

vsp_status vsp_body_create(vsp_world *world, const vsp_body_def *def,
                           vsp_body_id *id)
{
    vsp__body body = {0};
    vsp__shape shape = {0};
    const vsp__shape *first = NULL;
    uint32_t slot, shape_place;
    vsp__matter m;

    if (id != NULL)
        id->bits = 0;
    if (!is_world(world) || def == NULL || !read_body_def(def, &body))
        return VSP_ERR_ARG;
    if (def->shape.type != VSP_SHAPE_NONE)
        first = &shape;
    if (first != NULL && !(read_shape_def(&def->shape, &shape) &&
                           suits_body(&shape, &body)))
        return VSP_ERR_ARG;
    if (!weigh_new_body(world, &body, first, &m))
        return VSP_ERR_ARG;
    slot = free_body_slot(world);
    shape_place = free_shape_slot(world);
    if (slot >= world->params.capacity.bodies ||
        (first != NULL && shape_place >= world->params.capacity.shapes))
        return VSP_ERR_FULL;
    body.generation = (uint16_t)(world->bodies[slot].generation + 1u);
    world->bodies[slot] = body;
    clear(&world->bodies[slot].matter, sizeof m);
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
    return get_body(world, id) != NULL;
}

vsp_body_id vsp_body_at(const vsp_world *world, uint32_t slot)
{
    vsp_body_id none = {0};

    if (!is_world(world) || slot >= world->body_limit ||
        world->bodies[slot].type == 0)
        return none;
    return body_id(world, slot);
}

vsp_body_type vsp_body_get_type(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = get_body(world, id);

    return b != NULL ? (vsp_body_type)(b->type - 1u) : VSP_STATIC;
}

vsp_transform vsp_body_transform(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = get_body(world, id);
    vsp_transform pose;
    vsp__vec3 arm, origin = v3_zero();

    pose.rotation = q_show(b != NULL ? b->rotation : q_identity());
    if (b != NULL) {
        arm = vsp__turned(b->rotation, b->matter.center);
        origin = v3_sub(b->position, arm);
    }
    pose.position = v3_show(origin);
    return pose;
}

vsp_status vsp_body_set_transform(vsp_world *world, vsp_body_id id,
                                  vsp_transform pose)
{
    vsp__body *b;
    vsp_status status = find_body(world, id, &b);
    vsp__transform place;

    if (status < 0)
        return status;
    if (!read_pose(&pose, &place))
        return VSP_ERR_ARG;
    b->rotation = place.rotation;
    b->position = v3_add(place.position,
                         vsp__turned(b->rotation, b->matter.center));
    vsp__keep_in_range(b);
    return VSP_OK;
}

vsp_vec3 vsp_body_center(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = get_body(world, id);

    return v3_show(b != NULL ? b->position : v3_zero());
}

vsp_vec3 vsp_body_velocity(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = get_body(world, id);

    return rate3_show(b != NULL ? b->velocity : v3_zero());
}

vsp_vec3 vsp_body_spin(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = get_body(world, id);

    return rate3_show(b != NULL ? b->spin : v3_zero());
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
    b->velocity = rate3_read(velocity);
    b->spin = rate3_read(spin);
    vsp__keep_in_range(b);
    return VSP_OK;
}

vsp_real vsp_body_mass(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = get_body(world, id);

    return b != NULL ? w_show(b->matter.mass) : 0;
}

vsp_status vsp_body_set_mass(vsp_world *world, vsp_body_id id,
                             vsp_real mass, vsp_vec3 center,
                             vsp_vec3 inertia)
{
    vsp__body *b, changed;
    vsp_status status = find_body(world, id, &b);
    vsp__matter m;

    if (status < 0)
        return status;
    changed = *b;
    if (b->type != (uint32_t)VSP_DYNAMIC + 1u ||
        !read_given_mass(mass, center, inertia, &changed))
        return VSP_ERR_ARG;
    weigh(world->shapes, &changed, NULL, VSP_MAX_SHAPES, &m);
    if (!w_less(W_ZERO, m.mass) || !is_mass(&m))
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
    vsp__real d[2];

    if (status < 0)
        return status;
    d[0] = r_read(linear);
    d[1] = r_read(angular);
    vsp__flush(d, 2);
    if (!r_in(d[0], 0, VSP__R(1000.0)) || !r_in(d[1], 0, VSP__R(1000.0)))
        return VSP_ERR_ARG;
    b->linear_damping = d[0];
    b->angular_damping = d[1];
    return VSP_OK;
}

vsp_status vsp_body_set_gravity_scale(vsp_world *world, vsp_body_id id,
                                      vsp_real scale)
{
    vsp__body *b;
    vsp_status status = find_body(world, id, &b);

    if (status < 0)
        return status;
    if (!a_in(scale, VSP_R(-100.0), VSP_R(100.0)))
        return VSP_ERR_ARG;
    b->gravity_scale = r_read(scale);
    vsp__flush(&b->gravity_scale, 1);
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

static void w3_add_in(vsp__wide3 *a, const vsp__wide3 *b)
{
    a->x = w_add(a->x, b->x);
    a->y = w_add(a->y, b->y);
    a->z = w_add(a->z, b->z);
}

/* a b - c d */
static vsp__wide wedge(vsp__real a, vsp__wide b, vsp__real c, vsp__wide d)
{
    return w_add(w_mul(w_of_real(a), b), w_neg(w_mul(w_of_real(c), d)));
}

/* sum += arm x p */
static void add_moment(vsp__wide3 *sum, const vsp__vec3 *arm,
                       const vsp__wide3 *p)
{
    vsp__wide3 moment;

    moment.x = wedge(arm->y, p->z, arm->z, p->y);
    moment.y = wedge(arm->z, p->x, arm->x, p->z);
    moment.z = wedge(arm->x, p->y, arm->y, p->x);
    w3_add_in(sum, &moment);
}

/* What is too much ends beyond VSP_MAX_SPEED, and is told by that. */
static void add_impulse(vsp__body *b, const vsp__wide3 *p,
                        const vsp__wide3 *angular)
{
    vsp__inverse inverse;
    vsp__mat3 axes;

    vsp__flushed_axes(b->rotation, &axes);
    vsp__find_inverse(b, &axes, &inverse);
    vsp__change_velocity(&inverse, W_ONE, p, angular, &b->velocity,
                         &b->spin);
}

/* Lets a force or an impulse, and what turns, act at a point, or at the
 * centre of mass where that is null. */
static vsp_status push(vsp_world *world, vsp_body_id id, vsp_vec3 linear,
                       const vsp_vec3 *point, vsp_vec3 angular,
                       bool is_impulse)
{
    vsp__body *b, changed;
    vsp_status status = find_body(world, id, &b);
    vsp__wide3 p = w3_read(linear), moment = w3_read(angular);
    vsp__vec3 arm;

    if (status < 0)
        return status;
    if (!v3_in(linear, VSP_MAX_FORCE) || !v3_in(angular, VSP_MAX_FORCE) ||
        (point != NULL && !v3_in(*point, VSP_MAX_POSITION)))
        return VSP_ERR_ARG;
    if (point != NULL) {
        arm = v3_sub(v3_read(*point), b->position);
        add_moment(&moment, &arm, &p);
    }
    changed = *b;
    if (is_impulse) {
        add_impulse(&changed, &p, &moment);
    } else {
        w3_add_in(&changed.force, &p);
        w3_add_in(&changed.torque, &moment);
    }
    vsp__flush(&changed.velocity, 12); /* and spin, force, torque */
    if (!is_body(&changed))
        return VSP_ERR_ARG;
    if (vsp__is_dynamic(b))
        *b = changed;
    return VSP_OK;
}

vsp_status vsp_body_apply_force(vsp_world *world, vsp_body_id id,
                                vsp_vec3 force, vsp_vec3 point)
{
    return push(world, id, force, &point, vec3_of(0, 0, 0), false);
}

vsp_status vsp_body_apply_center_force(vsp_world *world, vsp_body_id id,
                                       vsp_vec3 force)
{
    return push(world, id, force, NULL, vec3_of(0, 0, 0), false);
}

vsp_status vsp_body_apply_torque(vsp_world *world, vsp_body_id id,
                                 vsp_vec3 torque)
{
    return push(world, id, vec3_of(0, 0, 0), NULL, torque, false);
}

vsp_status vsp_body_apply_impulse(vsp_world *world, vsp_body_id id,
                                  vsp_vec3 impulse, vsp_vec3 point)
{
    return push(world, id, impulse, &point, vec3_of(0, 0, 0), true);
}

vsp_status vsp_body_apply_center_impulse(vsp_world *world, vsp_body_id id,
                                         vsp_vec3 impulse)
{
    return push(world, id, impulse, NULL, vec3_of(0, 0, 0), true);
}

vsp_status vsp_body_apply_angular_impulse(vsp_world *world, vsp_body_id id,
                                          vsp_vec3 impulse)
{
    return push(world, id, vec3_of(0, 0, 0), NULL, impulse, true);
}


/* ---- Contacts ------------------------------------------------------------ */

uint32_t vsp_contact_count(const vsp_world *world)
{
    return is_world(world) ? world->contacts[0].manifold_count : 0;
}

/* t1 k1 + t2 k2, unit vectors times impulses */
static vsp_real along(vsp__real t1, vsp__wide k1, vsp__real t2, vsp__wide k2)
{
    return w_show(w_add(w_mul(w_of_unit(t1), k1), w_mul(w_of_unit(t2), k2)));
}

static void read_point(const vsp_world *world, const vsp__manifold *m,
                       const vsp__point *from, vsp_contact_point *to)
{
    const vsp__wide *impulse = from->multiplier.impulse;
    vsp__vec3 t1, t2, position = v3_zero();
    uint32_t k;

    for (k = 0; k < 2; k++) {
        const vsp__body *b = &world->bodies[m->body[k]];

        t1 = vsp__turned(b->rotation, from->arm[k]);
        v3_add_in(&t1, &b->position);
        u3_move(&position, VSP__U(0.5), &t1);
    }
    vsp__tangents(m->normal, &t1, &t2);
    to->position = v3_show(position);
    to->separation = r_show(from->gap);
    to->normal_impulse = w_show(impulse[0]);
    to->friction_impulse.x = along(t1.x, impulse[1], t2.x, impulse[2]);
    to->friction_impulse.y = along(t1.y, impulse[1], t2.y, impulse[2]);
    to->friction_impulse.z = along(t1.z, impulse[1], t2.z, impulse[2]);
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
    contact->shape_a = shape_id(world, m->shape[0]);
    contact->shape_b = shape_id(world, m->shape[1]);
    contact->body_a = body_id(world, m->body[0]);
    contact->body_b = body_id(world, m->body[1]);
    contact->normal = u3_show(m->normal);
    contact->layer = m->layer;
    contact->point_count = m->point_count;
    for (i = 0; i < m->point_count; i++)
        read_point(world, m, &world->points[m->first_point + i],
                   &contact->points[i]);
    return VSP_OK;
}


/* ---- The hash --------------------------------------------------------------
 * Of the state as 32-bit words, whatever the byte order: see SPEC.md. */

typedef union word { /* how a struct's words are reached as bytes */
    uint32_t bits;
    unsigned char bytes[4];
} word;

static uint32_t mix_words(uint32_t hash, const void *state, uint32_t count)
{
    const unsigned char *bytes = (const unsigned char *)state;
    uint32_t i, k;

    for (i = 0; i < count; i++) {
        word w;

        for (k = 0; k < 4; k++)
            w.bytes[k] = *bytes++;
        hash = vsp__mix(hash, w.bits);
    }
    return hash;
}

uint32_t vsp_world_hash(const vsp_world *world)
{
    uint32_t hash = VSP_BITS_VERSION, i;

    if (!is_world(world))
        return 0;
    hash = mix_words(hash, &world->params, WORDS(vsp__params));
    for (i = 0; i < world->body_used; i++) {
        const vsp__body *b = &world->bodies[i];

        hash = vsp__mix(hash, b->generation | (uint32_t)b->type << 16 |
                                  (uint32_t)b->mass_given << 24);
        hash = mix_words(hash, &b->first_shape, WORDS(vsp__body) - 1u);
    }
    for (i = 0; i < world->shape_used; i++) {
        const vsp__shape *s = &world->shapes[i];

        hash = vsp__mix(hash, s->generation | (uint32_t)s->type << 16 |
                                  (uint32_t)s->rules << 24);
        hash = vsp__mix(hash, s->next_shape | (uint32_t)s->body << 16);
        hash = mix_words(hash, &s->size, WORDS(vsp__shape) - 2u);
    }
    for (i = 0; i < world->warm_count; i++)
        hash = mix_words(hash, &world->warm[i].state, WORDS(vsp__warm));
    return vsp__avalanche(hash);
}


/* ---- The snapshot as a stream of words -------------------------------------
 * Words of four bytes, the least significant first.  The same functions
 * write and read, so that the two cannot disagree: what is passed goes out
 * of the state, or into it. */

typedef struct stream {
    unsigned char *to;         /* null: reads */
    const unsigned char *from;
    uint32_t at, words;        /* the next word; how many there are */
} stream;

/* Beyond the end zeros are read and nothing is written; s->at tells. */
static void pass_word(stream *s, uint32_t *bits)
{
    size_t place = 4u * (size_t)s->at;
    bool is_inside = s->at < s->words;

    s->at++;
    if (s->to == NULL)
        *bits = is_inside ? vsp__get_word(s->from + place) : 0;
    else if (is_inside)
        vsp__set_word(s->to + place, *bits);
}

static void pass(stream *s, void *state, uint32_t count)
{
    unsigned char *bytes = (unsigned char *)state;
    uint32_t i, k;

    for (i = 0; i < count; i++, bytes += 4) {
        word w;

        for (k = 0; k < 4; k++)
            w.bytes[k] = bytes[k];
        pass_word(s, &w.bits);
        for (k = 0; k < 4; k++)
            bytes[k] = w.bytes[k];
    }
}

/* Passes words that are there, or else are as in another place, or 0. */
static void pass_if(stream *s, bool is_there, void *state,
                    const void *same, uint32_t count)
{
    unsigned char *to = (unsigned char *)state;
    const unsigned char *from = (const unsigned char *)same;
    uint32_t i;

    if (is_there)
        pass(s, state, count);
    else
        for (i = 0; i < 4u * count; i++)
            to[i] = from != NULL ? from[i] : 0;
}


/* ---- Records of bodies and shapes -------------------------------------------
 * A head of flags, then what differs from the record before.  A body's
 * shapes follow it, in the order of its list; the flags of the first are in
 * the body's head.  So nothing is written that follows from something else:
 * links, mass, the largest component of a rotation. */

#define HEAD_TYPE 3u          /* vsp_body_type + 1; 0: free, and the high half
                                 is the generation */
#define HEAD_GIVEN_SHIFT 2u   /* two bits: mass_given */
#define HEAD_LARGEST_SHIFT 4u /* two bits: which component is not there */
#define HEAD_NEGATIVE 0x40u   /* and has a sign */
#define HEAD_OFF_SHIFT 7u     /* six bits: units of the last place by which it
                                 is off the root, + 32; 0: it is there */
#define HEAD_MOVES 0x2000u    /* velocity and spin */
#define HEAD_FORCED 0x4000u   /* force and torque */
#define HEAD_USER 0x8000u
#define HEAD_DAMPED 0x10000u  /* dampings and gravity scale */
#define HEAD_GENERATION 0x20000u
#define HEAD_SHAPES 0x40000u
#define HEAD_NOTHING 0xf0080000u /* never set */

#define SHAPE_FLAGS 0xff00000u
#define SHAPE_MORE 0x100000u  /* another one follows */
#define SHAPE_PLACE 0x200000u /* slot and generation; else the next slot */
#define SHAPE_KIND 0x400000u  /* type and rules */
#define SHAPE_SIZE 0x800000u
#define SHAPE_POSITION 0x1000000u
#define SHAPE_ROTATION 0x2000000u
#define SHAPE_MATTER 0x4000000u /* density, friction, restitution */
#define SHAPE_FILTER 0x8000000u

/* Words of a struct that are there under a flag (0: always), and are else as
 * in the record before, or 0. */
typedef struct group {
    uint32_t flag;
    uint8_t first, count; /* in words from the beginning of the struct */
    bool is_as_before;
} group;

#define GROUP(flag, type, field, count, is_as_before) \
    {flag, (uint8_t)(offsetof(type, field) / 4u), count, is_as_before}

static const group body_groups[] = {
    GROUP(HEAD_USER, vsp__body, user, 1, true),
    GROUP(0, vsp__body, position, 3, false),
    /* the rotation has a way of its own */
    GROUP(HEAD_MOVES, vsp__body, velocity, 6, false), /* and spin */
    GROUP(HEAD_FORCED, vsp__body, force, 6, false),   /* and torque */
    GROUP(HEAD_DAMPED, vsp__body, linear_damping, 3, true),
};

#define GROUPS_BEFORE_ROTATION 2u

static const group shape_groups[] = {
    GROUP(SHAPE_SIZE, vsp__shape, size, 3, true),
    GROUP(SHAPE_POSITION, vsp__shape, pose.position, 3, true),
    GROUP(SHAPE_ROTATION, vsp__shape, pose.rotation, 4, true),
    GROUP(SHAPE_MATTER, vsp__shape, density, 3, true),
    GROUP(SHAPE_FILTER, vsp__shape, filter, 3, true),
};

typedef struct trail { /* the records before */
    vsp__body body;
    vsp__shape shape;
    uint32_t shape_slot;
} trail;

static trail trail_begin(void)
{
    trail t;

    clear(&t, sizeof t);
    t.body.generation = 1;
    t.body.gravity_scale = VSP__R(1.0);
    t.shape.generation = 1;
    t.shape.pose.rotation = q_identity();
    t.shape_slot = 0xffffffffu;
    return t;
}

/* where the words of a group are, and what they are compared with */
static unsigned char *group_words(const group *g, void *state)
{
    return (unsigned char *)state + 4u * g->first;
}

static const unsigned char *group_before(const group *g, const void *before)
{
    return g->is_as_before ? (const unsigned char *)before + 4u * g->first
                           : NULL;
}

/* the flags of the groups that must be there */
static uint32_t group_flags(const group *g, uint32_t count,
                            const void *state, const void *before)
{
    uint32_t flags = 0;

    for (; count > 0; g++, count--)
        if (differs((const unsigned char *)state + 4u * g->first,
                    group_before(g, before), g->count))
            flags |= g->flag;
    return flags;
}

static void pass_groups(stream *s, uint32_t flags, const group *g,
                        uint32_t count, void *state, const void *before)
{
    for (; count > 0; g++, count--)
        pass_if(s, g->flag == 0 || (flags & g->flag) != 0,
                group_words(g, state), group_before(g, before), g->count);
}

/* root of a, rounded down, digit by digit */
static uint32_t integer_root(uint64_t a)
{
    uint64_t root = 0, bit = (uint64_t)1 << 60;

    for (; bit != 0; bit >>= 2) {
        bool fits = a >= root + bit;

        if (fits)
            a -= root + bit;
        root = (root >> 1) + (fits ? bit : 0);
    }
    return (uint32_t)root;
}

/* The largest component of a unit quaternion from the three others, within
 * units of the last place: the root of what they leave of 1, all of them as
 * integers.  0 when they cannot be. */
static vsp__real last_component(const vsp__real other[3])
{
    uint64_t rest = (uint64_t)1 << (2 * UNIT_PLACES);
    uint32_t i;

    for (i = 0; i < 3; i++) {
        int64_t q;

        if (!r_in(other[i], VSP__U(-1.0), VSP__U(1.0)))
            return 0;
        q = u_to_places(other[i]);
        if ((uint64_t)(q * q) > rest)
            return 0;
        rest -= (uint64_t)(q * q);
    }
    return u_of_places((int32_t)integer_root(rest));
}

/* the flags that say how a rotation is written */
static uint32_t rotation_flags(const vsp__quat *rotation)
{
    const vsp__real *part = &rotation->x;
    uint32_t largest = 0, count = 0, i, off;
    vsp__real other[3];

    for (i = 1; i < 4; i++)
        if (r_abs(part[i]) > r_abs(part[largest]))
            largest = i;
    for (i = 0; i < 4; i++)
        if (i != largest)
            other[count++] = part[i];
    off = r_bits(r_abs(part[largest])) - r_bits(last_component(other)) + 32u;
    if (off < 1u || off > 63u)
        return 0;
    return off << HEAD_OFF_SHIFT | largest << HEAD_LARGEST_SHIFT |
           (part[largest] < 0 ? HEAD_NEGATIVE : 0);
}

static void pass_rotation(stream *s, uint32_t head, vsp__quat *rotation)
{
    uint32_t off = head >> HEAD_OFF_SHIFT & 63u;
    uint32_t largest = head >> HEAD_LARGEST_SHIFT & 3u;
    uint32_t count = 0, i, bits;
    vsp__real *part = &rotation->x;
    vsp__real other[3];

    if (off == 0) {
        pass(s, part, 4);
        return;
    }
    for (i = 0; i < 4; i++) {
        if (i == largest)
            continue;
        pass(s, &part[i], 1);
        other[count++] = part[i];
    }
    bits = r_bits(last_component(other)) + off - 32u;
    part[largest] = u_signed_bits(bits, (head & HEAD_NEGATIVE) != 0);
}

static uint32_t flag_if(bool is_set, uint32_t flag)
{
    return is_set ? flag : 0;
}

static uint32_t shape_flags(const trail *last, const vsp__shape *shape,
                            uint32_t slot)
{
    const vsp__shape *same = &last->shape;

    return flag_if(shape->next_shape != 0, SHAPE_MORE) |
           flag_if(slot != last->shape_slot + 1u ||
                       shape->generation != same->generation, SHAPE_PLACE) |
           flag_if(shape->type != same->type || shape->rules != same->rules,
                   SHAPE_KIND) |
           group_flags(shape_groups, COUNT_OF(shape_groups), shape, same);
}

/* Passes a shape but for its links.  A kind that is none is read as 255. */
static void pass_shape(stream *s, uint32_t flags, trail *last,
                       vsp__shape *shape, uint32_t *slot)
{
    const vsp__shape *same = &last->shape;
    uint32_t place = *slot | (uint32_t)shape->generation << 16;
    uint32_t kind = shape->type | (uint32_t)shape->rules << 8;
    uint32_t next_place = ((last->shape_slot + 1u) & 0xffffu) |
                          (uint32_t)same->generation << 16;
    uint32_t same_kind = same->type | (uint32_t)same->rules << 8;

    pass_if(s, (flags & SHAPE_PLACE) != 0, &place, &next_place, 1);
    pass_if(s, (flags & SHAPE_KIND) != 0, &kind, &same_kind, 1);
    pass_groups(s, flags, shape_groups, COUNT_OF(shape_groups), shape, same);
    *slot = place & 0xffffu;
    shape->generation = (uint16_t)(place >> 16);
    shape->type = (uint8_t)(kind > 0xffffu ? 0xffu : kind & 0xffu);
    shape->rules = (uint8_t)(kind >> 8 & 0xffu);
    last->shape = *shape;
    last->shape_slot = *slot;
}

static uint32_t body_head(const trail *last, const vsp__body *b)
{
    const vsp__body *same = &last->body;

    if (b->type == 0)
        return (uint32_t)b->generation << 16;
    return b->type | (uint32_t)b->mass_given << HEAD_GIVEN_SHIFT |
           rotation_flags(&b->rotation) |
           group_flags(body_groups, COUNT_OF(body_groups), b, same) |
           flag_if(b->generation != same->generation, HEAD_GENERATION) |
           flag_if(b->first_shape != 0, HEAD_SHAPES);
}

/* Passes a body in use but for its shapes and what follows from them.  A
 * generation that is none is read as a type that is none. */
static void pass_body(stream *s, uint32_t head, trail *last, vsp__body *b)
{
    const vsp__body *same = &last->body;
    uint32_t generation = b->generation, same_generation = same->generation;

    pass_if(s, (head & HEAD_GENERATION) != 0, &generation, &same_generation,
            1);
    b->generation = (uint16_t)(generation & 0xffffu);
    if (generation > 0xffffu)
        b->type = 0xffu;
    pass_groups(s, head, body_groups, GROUPS_BEFORE_ROTATION, b, same);
    pass_rotation(s, head, &b->rotation);
    pass_groups(s, head, body_groups + GROUPS_BEFORE_ROTATION,
                COUNT_OF(body_groups) - GROUPS_BEFORE_ROTATION, b, same);
    if (b->mass_given != 0)
        pass(s, &b->given, 1);
    if (b->mass_given == 2) {
        pass(s, &b->matter.center, 3);
        pass(s, &b->matter.inertia, WORDS(vsp__sym3));
        b->matter.mass = b->given;
    }
    last->body = *b;
}


/* ---- Snapshot ------------------------------------------------------------ */

#define HEADER_WORDS 10u
#define SIZE_WORD 5u
#define CHECKSUM_WORD 6u
#define BODIES_WORD 7u
#define SHAPES_WORD 8u
#define WARM_WORD 9u

VSP_STATIC_ASSERT(snapshot_head,
                  4u * (HEADER_WORDS + WORDS(vsp__params)) ==
                      VSP__SNAPSHOT_HEAD_BYTES);

/* of all words but itself */
static uint32_t checksum(const unsigned char *bytes, uint32_t words)
{
    uint32_t hash = 0, i;

    for (i = 0; i < words; i++)
        hash = vsp__mix(hash, i == CHECKSUM_WORD
                                  ? 0
                                  : vsp__get_word(bytes + 4u * (size_t)i));
    return vsp__avalanche(hash);
}

static void write_header(const vsp_world *world, stream *s)
{
    uint32_t header[HEADER_WORDS] = {SNAPSHOT_MAGIC, VSP_FORMAT_VERSION,
                                     VSP_VERSION, VSP_BITS_VERSION,
                                     SCALAR_KIND};
    vsp__params params = world->params;

    header[BODIES_WORD] = world->body_used;
    header[SHAPES_WORD] = world->shape_used;
    header[WARM_WORD] = world->warm_count;
    pass(s, header, HEADER_WORDS);
    pass(s, &params, WORDS(vsp__params));
}

static void write_body(const vsp_world *world, uint32_t slot, trail *last,
                       stream *s)
{
    vsp__body b = world->bodies[slot];
    uint32_t next = b.first_shape, head = body_head(last, &b);

    if (next != 0)
        head |= shape_flags(last, &world->shapes[next - 1u], next - 1u);
    pass_word(s, &head);
    if (b.type == 0)
        return;
    pass_body(s, head, last, &b);
    while (next != 0) {
        vsp__shape shape = world->shapes[next - 1u];
        uint32_t place = next - 1u;

        pass_shape(s, head, last, &shape, &place);
        next = shape.next_shape;
        if (next == 0)
            return;
        head = shape_flags(last, &world->shapes[next - 1u], next - 1u);
        pass_word(s, &head);
    }
}

static void write_state(const vsp_world *world, stream *s)
{
    trail last = trail_begin();
    uint32_t i;

    write_header(world, s);
    for (i = 0; i < world->body_used; i++)
        write_body(world, i, &last, s);
    for (i = 0; i < world->shape_used; i++) {
        uint32_t generation = world->shapes[i].generation;

        if (world->shapes[i].type == 0)
            pass_word(s, &generation);
    }
    for (i = 0; i < world->warm_count; i++) {
        vsp__warm warm = world->warm[i].state;

        pass(s, &warm, WORDS(vsp__warm));
    }
}

vsp_status vsp_world_snapshot(const vsp_world *world, void *buffer,
                              size_t capacity, size_t *size)
{
    stream s;

    if (!is_world(world) || buffer == NULL || size == NULL)
        return VSP_ERR_ARG;
    s.to = (unsigned char *)buffer;
    s.from = NULL;
    s.at = 0;
    s.words = capacity / 4u > VSP_SNAPSHOT_BYTES / 4u
                  ? (uint32_t)(VSP_SNAPSHOT_BYTES / 4u)
                  : (uint32_t)(capacity / 4u);
    write_state(world, &s);
    *size = 4u * (size_t)s.at;
    if (s.at > s.words)
        return VSP_ERR_MEMORY;
    vsp__set_word(s.to + 4u * SIZE_WORD, 4u * s.at);
    vsp__set_word(s.to + 4u * CHECKSUM_WORD, checksum(s.to, s.at));
    return VSP_OK;
}


/* ---- Restore ----------------------------------------------------------------
 * Everything is read into memory that the next step would use, checked there
 * like any argument, and only then made the world's. */

static bool read_shapes(stream *s, uint32_t flags, trail *last,
                        vsp__incoming *in, uint32_t body)
{
    uint32_t *first = &in->bodies[body].first_shape;
    vsp__shape *before = NULL;

    for (;;) {
        vsp__shape shape;
        uint32_t slot = 0;

        clear(&shape, sizeof shape);
        pass_shape(s, flags, last, &shape, &slot);
        if (slot >= in->shape_count || in->shapes[slot].type != 0 ||
            !is_shape(&shape) || !suits_body(&shape, &in->bodies[body]))
            return false;
        shape.body = (uint16_t)body;
        in->shapes[slot] = shape;
        if (before == NULL)
            *first = slot + 1u;
        else
            before->next_shape = (uint16_t)(slot + 1u);
        before = &in->shapes[slot];
        if (!(flags & SHAPE_MORE))
            return true;
        pass_word(s, &flags);
        if (flags & ~SHAPE_FLAGS)
            return false;
    }
}

/* Finds what a body weighs from what was read.  Whether it can. */
static bool weigh_body(const vsp__incoming *in, vsp__body *b)
{
    vsp__matter m;

    if (b->type != (uint32_t)VSP_DYNAMIC + 1u)
        return b->mass_given == 0;
    if (b->mass_given != 0 && w_less(b->given, w_read(VSP_MIN_MASS)))
        return false;
    weigh(in->shapes, b, NULL, VSP_MAX_SHAPES, &m);
    if (!is_mass(&m))
        return false;
    if (b->mass_given != 2)
        store_mass(b, &m);
    return true;
}

static bool read_body(stream *s, trail *last, vsp__incoming *in,
                      uint32_t slot)
{
    vsp__body *b = &in->bodies[slot];
    uint32_t head = 0;

    pass_word(s, &head);
    b->type = (uint8_t)(head & HEAD_TYPE);
    b->mass_given = (uint8_t)(head >> HEAD_GIVEN_SHIFT & 3u);
    if (b->type == 0) {
        b->generation = (uint16_t)(head >> 16);
        return (head & 0xffffu) == 0;
    }
    pass_body(s, head, last, b);
    if ((head & HEAD_NOTHING) || s->at > s->words || !is_body(b))
        return false;
    if (head & HEAD_SHAPES ? !read_shapes(s, head, last, in, slot)
                           : (head & SHAPE_FLAGS) != 0)
        return false;
    return weigh_body(in, b);
}

static bool is_live_shape(const vsp__incoming *in, uint32_t slot)
{
    return slot < in->shape_count && in->shapes[slot].type != 0;
}

/* whether a tangential multiplier, its nibble taken out, is in range */
static bool is_tangent(vsp__wide a, vsp__wide limit)
{
    return w_in(w_from_bits(w_bits(a) & ~(uint32_t)15), w_neg(limit), limit);
}

static bool are_warm(stream s, const vsp__incoming *in)
{
    const vsp__wide limit = w_read(VSP_MAX_FORCE);
    uint32_t i, last = 0;

    for (i = 0; i < in->warm_count; i++) {
        vsp__warm w;

        pass(&s, &w, WORDS(vsp__warm));
        if (w.pair < last || !is_live_shape(in, w.pair >> 16) ||
            !is_live_shape(in, w.pair & 0xffffu) ||
            !w_in(w.normal, W_ZERO, limit) ||
            !is_tangent(w.tangent1, limit) || !is_tangent(w.tangent2, limit))
            return false;
        last = w.pair;
    }
    return true;
}

/* Checks size, kind and checksum, and reads what follows the header. */
static vsp_status read_header(stream *s, size_t size, vsp__incoming *in)
{
    uint32_t header[HEADER_WORDS];
    const vsp_capacity *c = &in->params.capacity;

    if (size < VSP__SNAPSHOT_HEAD_BYTES)
        return VSP_ERR_TRUNCATED;
    pass(s, header, HEADER_WORDS);
    if (header[0] != SNAPSHOT_MAGIC || header[1] != VSP_FORMAT_VERSION ||
        header[2] != VSP_VERSION || header[3] != VSP_BITS_VERSION ||
        header[4] != SCALAR_KIND)
        return VSP_ERR_VERSION;
    if (header[SIZE_WORD] != size || size % 4u != 0)
        return VSP_ERR_TRUNCATED;
    if (checksum(s->from, s->words) != header[CHECKSUM_WORD])
        return VSP_ERR_CHECKSUM;
    pass(s, &in->params, WORDS(vsp__params));
    if (c->bodies > VSP_MAX_BODIES || c->shapes > VSP_MAX_SHAPES ||
        c->pairs > VSP_MAX_PAIRS || c->manifolds > VSP_MAX_MANIFOLDS ||
        c->contacts > VSP_MAX_CONTACTS)
        return VSP_ERR_FULL;
    in->body_count = header[BODIES_WORD];
    in->shape_count = header[SHAPES_WORD];
    in->warm_count = header[WARM_WORD];
    if (!are_params(&in->params) || in->body_count > c->bodies ||
        in->shape_count > c->shapes || in->warm_count > c->contacts ||
        (in->params.warm_start == 0 && in->warm_count > 0))
        return VSP_ERR_DATA;
    return VSP_OK;
}

/* Reads and checks all but the warm records. */
static bool read_bodies(stream *s, vsp__incoming *in)
{
    trail last = trail_begin();
    uint32_t i;

    clear(in->bodies, sizeof in->bodies);
    clear(in->shapes, sizeof in->shapes);
    for (i = 0; i < in->body_count; i++)
        if (!read_body(s, &last, in, i))
            return false;
    for (i = 0; i < in->shape_count; i++) {
        uint32_t generation = 0;

        if (in->shapes[i].type != 0)
            continue;
        pass_word(s, &generation);
        if (generation > 0xffffu)
            return false;
        in->shapes[i].generation = (uint16_t)(generation & 0xffffu);
    }
    return s->at + WORDS(vsp__warm) * in->warm_count == s->words;
}

/* Counts what lives, for limits and statistics. */
static void recount(vsp_world *world)
{
    vsp__stats *stats = &world->stats;
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

/* Makes what was read and checked the world. */
static void take_in(vsp_world *world, stream *s)
{
    const vsp__incoming *in = &world->problem.incoming;
    uint32_t i;

    world->params = in->params;
    for (i = 0; i < VSP_MAX_BODIES; i++)
        world->bodies[i] = in->bodies[i];
    for (i = 0; i < VSP_MAX_SHAPES; i++)
        world->shapes[i] = in->shapes[i];
    for (i = 0; i < in->warm_count; i++)
        pass(s, &world->warm[i].state, WORDS(vsp__warm));
    world->body_used = in->body_count;
    world->shape_used = in->shape_count;
    world->warm_count = in->warm_count;
    recount(world);
    clear_step_stats(&world->stats);
    forget_contacts(world);
}

vsp_status vsp_world_restore(vsp_world *world, const void *buffer,
                             size_t size)
{
    vsp__incoming *in;
    vsp_status status;
    stream s;

    if (!is_world(world) || buffer == NULL)
        return VSP_ERR_ARG;
    s.to = NULL;
    s.from = (const unsigned char *)buffer;
    s.at = 0;
    s.words = (uint32_t)(size / 4u);
    in = &world->problem.incoming;
    status = read_header(&s, size, in);
    if (status < 0)
        return status;
    if (!read_bodies(&s, in) || !are_warm(s, in))
        return VSP_ERR_DATA;
    take_in(world, &s);
    return VSP_OK;
}


/* ---- Validation ---------------------------------------------------------- */

static bool is_mass_of(const vsp__body *b)
{
    return is_mass(&b->matter) &&
           (w_is_zero(b->matter.mass) || b->type == (uint32_t)VSP_DYNAMIC + 1u);
}

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
    return next == 0 && is_body(b) && is_mass_of(b);
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

static void all_contacts(const vsp_world *world, uint32_t list,
                         vsp__span *span)
{
    span->list = list;
    span->first = 0;
    span->last = world->contacts[list].manifold_count;
    span->lowest = 1;
}

/* a stack layer, its bottom-most bodies fixated; the last is what floats */
static void layer_contacts(const vsp_world *world, uint32_t layer,
                           vsp__span *span)
{
    span->list = 0;
    span->first = world->layer_manifolds[layer];
    span->last = world->layer_manifolds[layer + 1];
    span->lowest = layer < world->layer_count ? layer + 1 : 1;
}

static uint32_t moved_count(const vsp_world *world)
{
    return world->layer_bodies[world->layer_count + 1];
}

/* Moves the bodies of stack_order[first ... last - 1] for h seconds. */
static void move_bodies(vsp_world *world, uint32_t first, uint32_t last,
                        vsp__real h)
{
    uint32_t i;

    for (i = first; i < last; i++)
        vsp__move_body(world, world->stack_order[i], h);
}

static void push_bodies(vsp_world *world, uint32_t first, uint32_t last,
                        vsp__real h)
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
    vsp__span span;
    uint32_t i;

    layer_contacts(world, layer, &span);
    for (i = span.first; i < span.last; i++)
        vsp__refresh(world, 0, vsp__span_manifold(world, &span, i));
    return vsp__correct(world, &span);
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
    vsp__span all;

    vsp__detect(world, 1);
    all_contacts(world, 1, &all);
    vsp__correct(world, &all);
}

/* A dynamic body without mass stays put, whatever velocity it was given. */
static void start_body(vsp_world *world, uint32_t body)
{
    const vsp__body *b = &world->bodies[body];
    vsp__velocity *v = &world->work.solve.velocity[body];

    vsp__update_inverse(world, body);
    v->linear = b->velocity;
    v->angular = b->spin;
    if (b->type == (uint32_t)VSP_DYNAMIC + 1u && !vsp__is_dynamic(b))
        clear(v, sizeof *v);
}

/* Everything up to the first velocity solve. */
static void begin_step(vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        vsp__update_axes(world, i);
    vsp__detect(world, 0);
    world->contacts[1].dropped = 0;
    for (i = 0; i < world->body_limit; i++)
        start_body(world, i);
    vsp__warm_load(world);
    vsp__stack(world);
    vsp__find_bounces(world);
}

/* The velocity problem of all bodies, a whole step on. */
static void begin_solve(vsp_world *world, vsp__span *all)
{
    vsp__real h = world->params.dt;

    push_bodies(world, 0, moved_count(world), h);
    all_contacts(world, 0, all);
    vsp__assemble(world, all, h);
    vsp__warm_start(world, all);
}

/* What the solve found: multipliers, and motion. */
static void end_solve(vsp_world *world, const vsp__span *all)
{
    world->stats.merit = vsp__merit(world);
    vsp__keep_multipliers(world, all);
    move_bodies(world, 0, moved_count(world), world->params.dt);
    move_kinematic(world);
}

/* Projected Gauss-Seidel, then correction: all at once, no layers. */
static void step_pgs(vsp_world *world)
{
    vsp__span all;

    begin_solve(world, &all);
    vsp__sweep(world, &all, world->params.sweeps, world->params.tolerance);
    end_solve(world, &all);
    finish_positions(world);
}

/* One layer of figure 14: dynamics((1 - a) h), then correction, with the
 * multipliers of this layer's last solve as a start. */
static void shock_layer(vsp_world *world, uint32_t layer, vsp__real h)
{
    vsp__span span;
    uint32_t first = world->layer_bodies[layer];
    uint32_t last = world->layer_bodies[layer + 1];

    layer_contacts(world, layer, &span);
    push_bodies(world, first, last, h);
    if (span.first < span.last) {
        vsp__assemble(world, &span, world->params.dt);
        vsp__warm_start(world, &span);
        vsp__sweep(world, &span, world->params.sweeps, 0);
        vsp__keep_multipliers(world, &span);
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
    vsp__span all;
    vsp__real h = world->params.dt;
    vsp__real part = u_mul(world->params.fraction, h);
    uint32_t layer;

    push_bodies(world, 0, moved_count(world), part);
    all_contacts(world, 0, &all);
    vsp__assemble(world, &all, h);
    vsp__put_aside(world);
    vsp__sweep(world, &all, world->params.sweeps, 0);
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
static vsp__real carry_round(vsp_world *world, const vsp__span *all,
                            uint32_t sweeps)
{
    vsp__predict(world);
    vsp__line_search_begin(world);
    vsp__carry(world);
    vsp__line_search_end(world);
    return vsp__sweep(world, all, sweeps, world->params.tolerance);
}

/* A second round where the first has not settled: it is what keeps a brick
 * from leaving an impact faster than what hit it. */
static void step_carry(vsp_world *world)
{
    vsp__real settled = r_mul(world->params.tolerance, VSP__R(10.0));
    uint32_t sweeps = world->params.sweeps;
    vsp__span all;

    begin_solve(world, &all);
    if (carry_round(world, &all, (sweeps + 1u) / 2u) > settled)
        carry_round(world, &all, sweeps);
    end_solve(world, &all);
    if (correct_layers(world) || !vsp__is_still(world))
        finish_positions(world);
}

/* Statistics are numbers even where a solve was not. */
static void tidy_stats(vsp__stats *stats)
{
    if (!r_is_finite(stats->residual))
        stats->residual = r_read(VSP_MAX_FORCE);
    if (!w_is_finite(stats->merit))
        stats->merit = w_read(VSP_MAX_FORCE);
}

/* Everything after the last move. */
static void end_step(vsp_world *world)
{
    uint32_t i;

    tidy_stats(&world->stats);
    for (i = 0; i < world->body_limit; i++) {
        vsp__body *b = &world->bodies[i];

        clear(&b->force, 2u * sizeof b->force); /* and torque */
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
