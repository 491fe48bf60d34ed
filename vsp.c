/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The world and everything a caller does with it, in this order: checks of
 * arguments, ids and slots, mass, world, bodies, shapes, contacts, and the
 * steppers, which put the verbs of vsp_collide.c and vsp_solver.c together.
 * Its state as words is in vsp_state.c. */

#include "vsp_internal.h"

#define WORLD_MAGIC 0x57505356u /* "VSPW" */

/* what a build can report: nothing where it has no events */
#define REPORTS (VSP_EVENTS ? VSP_JOINTS ? 63u : 31u : 0u)

#define JOINT_CAPACITY (VSP_JOINTS ? VSP_MAX_JOINTS : 0)

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))

VSP_STATIC_ASSERT(world_fits, sizeof(struct vsp_world) + VSP__BEHIND_BYTES <=
                                  VSP_WORLD_BYTES);
VSP_STATIC_ASSERT(world_is_tight,
                  sizeof(struct vsp_world) + VSP__BEHIND_BYTES + 64u >
                      VSP_WORLD_BYTES);


/* ---- Checks -------------------------------------------------------------- */

bool vsp__is_world(const vsp_world *world)
{
    return world != NULL && world->magic == WORLD_MAGIC &&
           world->options == VSP_OPTIONS;
}

bool vsp__v3_in(vsp_vec3 v, vsp_real limit)
{
    return a_in(v.x, -limit, limit) && a_in(v.y, -limit, limit) &&
           a_in(v.z, -limit, limit);
}

/* by vsp__ends */
static const vsp_real low_and_high[][2] = {
    {-VSP_MAX_POSITION, VSP_MAX_POSITION},
    {-VSP_MAX_SIZE, VSP_MAX_SIZE},
    {VSP_R(-1.01), VSP_R(1.01)},
    {-VSP_MAX_SPEED, VSP_MAX_SPEED},
    {-VSP_MAX_FORCE, VSP_MAX_FORCE},
    {VSP_MIN_DT, VSP_MAX_DT},
    {VSP_R(0.0001), VSP_R(0.1)},
    {0, VSP_R(1.0)},
    {0, VSP_R(60.0)},
    {0, VSP_R(1.0e9)},
    {0, VSP_R(100.0)},
    {0, VSP_R(1000.0)},
    {VSP_R(-100.0), VSP_R(100.0)},
    {VSP_R(0.0001), VSP_MAX_SPEED},
    {0, VSP_MAX_MASS},
    {VSP_MIN_MASS, VSP_MAX_MASS},
    {0, VSP__HALF_TURN},
    {0, VSP_MAX_FORCE},
};

/* a caller's number, as a state keeps it */
static uint32_t read_as(vsp_real a, uint32_t form)
{
    if (form == WIDE)
        return w_bits(w_flush(w_read(a)));
    return r_bits(r_flush(form == RATE   ? rate_read(a)
                          : form == UNIT ? u_read(a)
                                         : r_read(a)));
}

static vsp_real show_as(vsp__real a, uint32_t form)
{
    return form == WIDE   ? w_show(w_from_bits(r_bits(a)))
           : form == RATE ? rate_show(a)
           : form == UNIT ? u_show(a)
                          : r_show(a);
}

/* Whether a number is one of its range, whose ends are rounded as callers'
 * numbers are, and flushed as numbers of a state are. */
static bool is_in(vsp__real a, uint32_t form, uint32_t low, uint32_t high)
{
    if (form == WIDE)
        return w_in(w_from_bits(r_bits(a)), w_from_bits(low),
                    w_from_bits(high)) && r_is_flushed(a);
    return r_in(a, r_from_bits(low), r_from_bits(high)) && r_is_flushed(a);
}

bool vsp__are_in(const void *state, const vsp__field *f, uint32_t count)
{
    const vsp__real *numbers = (const vsp__real *)state;
    uint32_t k;

    for (; count > 0; f++, count--) {
        uint32_t low = read_as(low_and_high[f->ends][0], f->kept_as);
        uint32_t high = read_as(low_and_high[f->ends][1], f->kept_as);

        for (k = 0; k < f->count; k++)
            if (!is_in(numbers[f->first + k], f->kept_as, low, high))
                return false;
    }
    return true;
}

void vsp__read_fields(const void *def, void *state, const vsp__field *f,
                      uint32_t count)
{
    vsp__real *numbers = (vsp__real *)state;
    uint32_t k;

    for (; count > 0; f++, count--) {
        const vsp_real *from = (const vsp_real *)(const void *)(
            (const unsigned char *)def + f->from);

        for (k = 0; f->from != 0 && k < f->count; k++)
            numbers[f->first + k] =
                r_from_bits(read_as(from[k], f->kept_as));
    }
}

void vsp__show_fields(const void *state, void *def, const vsp__field *f,
                      uint32_t count)
{
    const vsp__real *numbers = (const vsp__real *)state;
    uint32_t k;

    for (; count > 0; f++, count--) {
        vsp_real *to =
            (vsp_real *)(void *)((unsigned char *)def + f->from);

        for (k = 0; f->from != 0 && k < f->count; k++)
            to[k] = show_as(numbers[f->first + k], f->kept_as);
    }
}

bool vsp__differs(const void *a, const void *b, uint32_t count)
{
    const unsigned char *x = (const unsigned char *)a;
    const unsigned char *y = (const unsigned char *)b;
    uint32_t i;

    for (i = 0; i < count; i++)
        if (vsp__load_word(x + 4u * i) !=
            (y != NULL ? vsp__load_word(y + 4u * i) : 0))
            return true;
    return false;
}

bool vsp__are_zero(const vsp__real *a, uint32_t count)
{
    while (count > 0 && *a == 0) {
        a++;
        count--;
    }
    return count == 0;
}

/* Reads a caller's pose; false for what is none. */
bool vsp__read_pose(const vsp_transform *from, vsp__transform *pose)
{
    pose->position = v3_read(from->position);
    return vsp__v3_in(from->position, VSP_MAX_POSITION) &&
           vsp__q_read(from->rotation, &pose->rotation);
}

static bool is_capacity(const vsp_capacity *c)
{
    return c->bodies >= 1 && c->bodies <= VSP_MAX_BODIES && c->shapes >= 1 &&
           c->shapes <= VSP_MAX_SHAPES && c->pairs >= 1 &&
           c->pairs <= VSP_MAX_PAIRS && c->manifolds >= 1 &&
           c->manifolds <= VSP_MAX_MANIFOLDS && c->contacts >= 4 &&
           c->contacts <= VSP_MAX_CONTACTS && c->sensed >= 1 &&
           c->sensed <= VSP_MAX_SENSED && c->joints <= JOINT_CAPACITY;
}

/* whether a build has this stepper and friction: PGS and cones always */
static bool has_solver(uint32_t stepper, uint32_t friction)
{
    return (stepper == (uint32_t)VSP_STEPPER_PGS ||
            (VSP_CARRY && stepper == (uint32_t)VSP_STEPPER_CARRY) ||
            (VSP_SHOCK && stepper == (uint32_t)VSP_STEPPER_SHOCK) ||
            (VSP_SUBSPACE && stepper == (uint32_t)VSP_STEPPER_SUBSPACE)) &&
           (friction == (uint32_t)VSP_FRICTION_CONE ||
            (VSP_PYRAMID && friction == (uint32_t)VSP_FRICTION_PYRAMID));
}

static const vsp__field params_ranges[] = {
    VSP__READ(vsp__params, gravity, vsp_world_def, gravity, 3, RATE, SPEED),
    VSP__READ(vsp__params, dt, vsp_world_def, dt, 1, UNIT, DT),
    VSP__READ(vsp__params, envelope, vsp_world_def, envelope, 1, REAL,
              ENVELOPE),
    VSP__READ(vsp__params, tolerance, vsp_world_def, tolerance, 1, RATE,
              PART_OF_ONE),
    VSP__READ(vsp__params, fraction, vsp_world_def, fraction, 1, UNIT,
              PART_OF_ONE),
    VSP__READ(vsp__params, friction_damping, vsp_world_def,
              subspace.friction_damping, 1, UNIT, PART_OF_ONE),
    VSP__READ(vsp__params, sleep_speed, vsp_world_def, sleep_speed, 1, RATE,
              PART_OF_ONE),
    VSP__READ(vsp__params, sleep_time, vsp_world_def, sleep_time, 1, REAL,
              SLEEP_TIME),
};

bool vsp__are_params(const vsp__params *p)
{
    return vsp__are_in(p, params_ranges, COUNT_OF(params_ranges)) &&
           has_solver(p->stepper, p->friction) &&
           p->warm_start <= 1u && p->sleep <= VSP_SLEEP &&
           p->reports <= REPORTS && p->sweeps >= 1 &&
           p->sweeps <= 10000 && p->correction_sweeps >= 1 &&
           p->correction_sweeps <= 10000 && p->rounds >= 1 &&
           p->rounds <= 1000 && p->search_tries <= 1000 &&
           p->search_steps >= 1 && p->search_steps <= 10000 &&
           p->search <= (VSP_SEARCH_LAZY | VSP_SEARCH_STAGGERED) &&
           is_capacity(&p->capacity);
}

static const vsp__field shape_ranges[] = {
    VSP__READ(vsp__shape, friction, vsp_shape_def, material.friction, 1, REAL,
              FRICTION),
    VSP__READ(vsp__shape, restitution, vsp_shape_def, material.restitution, 1,
              REAL, PART_OF_ONE),
    VSP__READ(vsp__shape, surface, vsp_shape_def, surface_velocity, 3, RATE,
              SPEED),
    VSP__READ(vsp__shape, size, vsp_shape_def, size, 3, REAL, SIZE),
    VSP__READ(vsp__shape, density, vsp_shape_def, density, 1, WIDE, DENSITY),
    VSP__READ(vsp__shape, pose.position, vsp_shape_def, pose.position, 3, REAL,
              POSITION),
    VSP__READ(vsp__shape, pose.rotation, vsp_shape_def, pose.rotation, 4, UNIT,
              ROTATION),
};
/* whether a build has shapes of a type */
static bool has_type(uint32_t type)
{
    switch (type) {
    case VSP_SHAPE_SPHERE:
    case VSP_SHAPE_BOX:
    case VSP_SHAPE_HALF_SPACE:
        return true;
    case VSP_SHAPE_CAPSULE:
        return VSP_CAPSULES != 0;
    case VSP_SHAPE_HULL:
        return VSP_HULLS != 0;
    case VSP_SHAPE_MESH:
        return VSP_MESHES != 0;
    case VSP_SHAPE_HEIGHT_FIELD:
        return VSP_HEIGHT_FIELDS != 0;
    case VSP_SHAPE_SDF:
        return VSP_SDFS != 0;
    default:
        return false;
    }
}

/* the kind of table that a type of shape takes; 0: none */
static uint32_t table_kind(uint32_t type)
{
    switch (type) {
    case VSP_SHAPE_HULL:
        return VSP_TABLE_HULL;
    case VSP_SHAPE_MESH:
        return VSP_TABLE_MESH;
    case VSP_SHAPE_HEIGHT_FIELD:
        return VSP_TABLE_HEIGHT_FIELD;
    case VSP_SHAPE_SDF:
        return VSP_TABLE_SDF;
    default:
        return 0;
    }
}

/* Whether a shape's size is one of its type, and its table there. */
static bool has_form(const vsp_world *world, const vsp__shape *s)
{
    vsp__real least = r_read(VSP_MIN_SIZE);
    uint32_t kind = table_kind(s->type);

    if (kind != 0)
        return vsp__table(world, s->table, kind) != NULL;
    if (s->table != 0)
        return false;
    switch (s->type) {
    case VSP_SHAPE_BOX:
        return s->size.x >= least && s->size.y >= least &&
               s->size.z >= least;
    case VSP_SHAPE_CAPSULE:
        return s->size.x >= least && s->size.y >= 0;
    case VSP_SHAPE_SPHERE:
        return s->size.x >= least;
    default:
        return true;
    }
}

/* Whether a shape's own numbers make one: also used on restored bytes. */
bool vsp__is_shape(const vsp_world *world, const vsp__shape *s)
{
    return has_type(s->type) &&
           vsp__are_in(s, shape_ranges, COUNT_OF(shape_ranges)) &&
           vsp__q_is_unit(&s->pose.rotation) &&
           vsp__friction_rule(s) <= (uint32_t)VSP_RULE_MAX &&
           vsp__restitution_rule(s) <= (uint32_t)VSP_RULE_MAX &&
           (s->rules & 0x80u) == 0 &&
           (VSP_EVENTS || (s->rules & VSP__SENSOR) == 0) &&
           has_form(world, s);
}


/* ---- Ids and slots ------------------------------------------------------- */

VSP_STATIC_ASSERT(bodies_begin_so, offsetof(vsp__body, generation) == 0 &&
                                       offsetof(vsp__body, type) == 2);
VSP_STATIC_ASSERT(shapes_begin_so, offsetof(vsp__shape, generation) == 0 &&
                                       offsetof(vsp__shape, type) == 2);
VSP_STATIC_ASSERT(joints_begin_so, offsetof(vsp__joint, generation) == 0 &&
                                       offsetof(vsp__joint, type) == 2);

uint32_t vsp__id_at(const void *slots, size_t size, uint32_t limit,
                    uint32_t slot)
{
    const uint8_t *at = (const uint8_t *)slots;

    if (slot >= limit)
        return 0;
    at += (size_t)slot * size;
    if (at[2] == 0)
        return 0;
    return (uint32_t)*(const uint16_t *)(const void *)at << 16 | (slot + 1u);
}

uint32_t vsp__free_slot(const void *slots, size_t size, uint32_t limit,
                        uint32_t lowest)
{
    while (vsp__id_at(slots, size, limit, lowest) != 0)
        lowest++;
    return lowest;
}

void vsp__lower_limit(const void *slots, size_t size, uint32_t *limit)
{
    while (*limit > 0 && vsp__id_at(slots, size, *limit, *limit - 1u) == 0)
        *limit -= 1;
}

static uint32_t free_body_slot(const vsp_world *world)
{
    return vsp__free_slot(world->bodies, sizeof(vsp__body),
                          world->body_limit, world->body_free);
}

static uint32_t free_shape_slot(const vsp_world *world)
{
    return vsp__free_slot(world->shapes, sizeof(vsp__shape),
                          world->shape_limit, world->shape_free);
}

static uint32_t slot_of(uint32_t id)
{
    return (id & 0xffffu) - 1u;
}

/* the id in a slot of a body, of a shape; the world may be null */
static uint32_t body_in(const vsp_world *world, uint32_t slot)
{
    return vsp__is_world(world)
               ? vsp__id_at(world->bodies, sizeof(vsp__body),
                            world->body_limit, slot)
               : 0;
}

static uint32_t shape_in(const vsp_world *world, uint32_t slot)
{
    return vsp__is_world(world)
               ? vsp__id_at(world->shapes, sizeof(vsp__shape),
                            world->shape_limit, slot)
               : 0;
}

/* what an id names, or null; the world may be null */
static const vsp__body *get_body(const vsp_world *world, vsp_body_id id)
{
    uint32_t slot = slot_of(id.bits);

    return id.bits != 0 && body_in(world, slot) == id.bits
               ? world->bodies + slot
               : NULL;
}

static const vsp__shape *get_shape(const vsp_world *world, vsp_shape_id id)
{
    uint32_t slot = slot_of(id.bits);

    return id.bits != 0 && shape_in(world, slot) == id.bits
               ? world->shapes + slot
               : NULL;
}

/* why there is no such thing */
static vsp_status not_there(const vsp_world *world)
{
    return vsp__is_world(world) ? VSP_ERR_ID : VSP_ERR_ARG;
}

/* Finds what a call is to change, and copies it. */
static vsp_status find_body(vsp_world *world, vsp_body_id id,
                            vsp__body **body, vsp__body *changed)
{
    const vsp__body *found = get_body(world, id);

    if (found == NULL)
        return not_there(world);
    *body = world->bodies + slot_of(id.bits);
    *changed = *found;
    return VSP_OK;
}

static vsp_status find_shape(vsp_world *world, vsp_shape_id id,
                             vsp__shape **shape, vsp__shape *changed)
{
    const vsp__shape *found = get_shape(world, id);

    if (found == NULL)
        return not_there(world);
    *shape = world->shapes + slot_of(id.bits);
    *changed = *found;
    return VSP_OK;
}

void vsp__clear(void *state, size_t size)
{
    unsigned char *bytes = (unsigned char *)state;

    while (size-- > 0)
        *bytes++ = 0;
}

void vsp__empty_slot(void *slot, size_t size)
{
    uint8_t *bytes = (uint8_t *)slot;

    vsp__clear(bytes + sizeof(uint16_t), size - sizeof(uint16_t));
}

void vsp__raise_limit(uint32_t *limit, uint32_t *used, uint32_t *lowest,
                      uint32_t slot)
{
    *lowest = slot + 1u;
    if (*limit <= slot)
        *limit = slot + 1u;
    if (*used <= slot)
        *used = slot + 1u;
}

void vsp__lower_limits(vsp_world *world)
{
    vsp__lower_limit(world->bodies, sizeof(vsp__body), &world->body_limit);
    vsp__lower_limit(world->shapes, sizeof(vsp__shape), &world->shape_limit);
}

/* Shapes come, go or change: contacts and the queries' index are not those
 * of this world any more. */
void vsp__forget_contacts(vsp_world *world)
{
    world->changes++;
    world->contacts[0].manifold_count = world->contacts[0].point_count = 0;
}

/* Zeroes what tells of a step that this world has not taken. */
void vsp__clear_step_stats(vsp__stats *stats)
{
    stats->pair_count = stats->manifold_count = stats->contact_count = 0;
    vsp__clear(&stats->contacts_dropped,
          sizeof *stats - offsetof(vsp__stats, contacts_dropped));
}

void vsp__count_up(uint32_t *count, uint32_t *high)
{
    *count += 1;
    if (*high < *count)
        *high = *count;
}


/* ---- Mass ---------------------------------------------------------------- */

/* What a shape adds: its mass; once that is known, its share in the centre;
 * once that is, its share in the inertia. */
static void weigh_shape(const vsp_world *world, const vsp__shape *shape,
                        uint32_t pass, vsp__matter *sum, vsp__sums *sums)
{
    vsp__matter own;
    vsp__real share;

    vsp__weigh_shape(world, shape, &own);
    if (pass == 0) {
        sum->mass = w_add(sum->mass, own.mass);
        return;
    }
    share = w_to_unit(w_div(own.mass, sum->mass));
    if (pass == 1) {
        u3_move(&sum->center, share, &own.center);
        return;
    }
    vsp__add_sym(sums, share, &own.inertia);
    v3_sub_in(&own.center, &sum->center);
    vsp__add_spread(sums, r_of_unit(share), &own.center);
}

static vsp__shape_list shapes_of(const vsp_world *world)
{
    vsp__shape_list list;

    list.world = world;
    list.shapes = world->shapes;
    return list;
}

/* Mass of a body's shapes, first that of one more (may be null), without the
 * one in a slot (VSP_MAX_SHAPES: all): in the order of the list as it will
 * be, so that a restored body weighs the same to the bit. */
static void weigh_shapes(const vsp__shape_list *list, const vsp__body *body,
                         const vsp__shape *more, uint32_t without,
                         vsp__matter *sum)
{
    const vsp__shape *shapes = list->shapes;
    vsp__sums sums;
    uint32_t i, pass;

    vsp__clear(sum, sizeof *sum);
    vsp__clear(&sums, sizeof sums);
    for (pass = 0; pass < 3; pass++) {
        if (pass > 0 && !w_less(W_ZERO, sum->mass))
            return;
        if (more != NULL)
            weigh_shape(list->world, more, pass, sum, &sums);
        for (i = body->first_shape; i != 0; i = shapes[i - 1u].next_shape)
            if (i - 1u != without)
                weigh_shape(list->world, &shapes[i - 1u], pass, sum, &sums);
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

bool vsp__is_mass(const vsp__matter *m)
{
    static const vsp__field fields[] = {
        VSP__FIELD(vsp__matter, center, 3, REAL, POSITION),
        VSP__FIELD(vsp__matter, mass, 1, WIDE, MASS),
    };
    vsp__sym3 inverse;

    if (w_is_zero(m->mass))
        return !vsp__differs(&m->inertia, NULL, VSP__WORDS(vsp__sym3));
    return vsp__are_in(m, fields, COUNT_OF(fields)) &&
           s3_is_kept(&m->inertia) &&
           vsp__invert(&m->inertia, 40, &inverse) && inverse.zz >= 0 &&
           is_of_matter(&m->inertia);
}

void vsp__weigh(const vsp__shape_list *list, const vsp__body *body,
                const vsp__shape *more, uint32_t without, vsp__matter *m)
{
    if (body->type != (uint32_t)VSP_DYNAMIC + 1u || body->mass_given == 2) {
        *m = body->matter; /* stays what it is */
        return;
    }
    weigh_shapes(list, body, more, without, m);
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

void vsp__store_mass(vsp__body *body, const vsp__matter *m)
{
    body->matter = *m;
    thicken(&body->matter.inertia);
    vsp__flush(&body->matter, VSP__WORDS(vsp__matter));
}

/* Gives a body a mass; its frame stays where it is. */
static void set_mass(vsp__body *body, const vsp__matter *m)
{
    vsp__vec3 shift = m->center, change;

    v3_sub_in(&shift, &body->matter.center);
    vsp__turned(&body->rotation, &shift, &shift);
    v3_cross_to(&body->spin, &shift, &change);
    v3_add_in(&body->position, &shift);
    v3_add_in(&body->velocity, &change);
    vsp__keep_in_range(body);
    vsp__store_mass(body, m);
}

/* The inertia of one kilogram from that of all, along the axes. */
static void read_inertia(vsp_vec3 inertia, vsp__matter *m)
{
    vsp__wide3 all = w3_read(inertia);
    vsp__sums sums;

    vsp__clear(&sums, sizeof sums);
    sums.xx = square_of_wide(w_div(all.x, m->mass));
    sums.yy = square_of_wide(w_div(all.y, m->mass));
    sums.zz = square_of_wide(w_div(all.z, m->mass));
    vsp__sum_up(&sums, &m->inertia);
    vsp__flush(&m->inertia, VSP__WORDS(vsp__sym3));
}

/* Reads mass, center and inertia of a def or call into a body: mass_given,
 * given and, where all was, matter.  Returns false for what is none. */
static bool read_given_mass(vsp_real given, vsp_vec3 center,
                            vsp_vec3 inertia, vsp__body *body)
{
    vsp__matter *m = &body->matter;
    vsp__wide3 turned = w3_read(inertia);
    bool is_plain;

    vsp__flush(&turned, VSP__WORDS(vsp__wide3));
    is_plain = w_is_zero(turned.x) && w_is_zero(turned.y) &&
               w_is_zero(turned.z);
    body->given = w_flush(w_read(given));
    body->mass_given = 0;
    if (w_is_zero(body->given))
        return is_plain;
    if (!a_in(given, VSP_MIN_MASS, VSP_MAX_MASS) ||
        !vsp__v3_in(center, VSP_MAX_POSITION))
        return false;
    body->mass_given = 1;
    if (is_plain)
        return true;
    body->mass_given = 2;
    m->mass = body->given;
    m->center = v3_read(center);
    vsp__flush(&m->center, 3);
    read_inertia(inertia, m);
    return vsp__is_mass(m);
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

    vsp__clear(&def, sizeof def);
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

vsp_shape_def vsp_capsule(vsp_real radius, vsp_real half_height)
{
    return shape_default(VSP_SHAPE_CAPSULE, vec3_of(radius, half_height, 0));
}

vsp_shape_def vsp_table_shape(vsp_shape_type type, uint32_t table)
{
    vsp_shape_def def = shape_default(type, vec3_of(0, 0, 0));

    def.table = table;
    return def;
}

vsp_body_def vsp_body_def_default(void)
{
    vsp_body_def def;

    vsp__clear(&def, sizeof def);
    def.cookie = VSP__COOKIE(2);
    def.type = VSP_STATIC;
    def.pose.rotation.w = VSP_R(1.0);
    def.gravity_scale = VSP_R(1.0);
    def.max_speed = VSP_MAX_SPEED;
    def.enable_sleep = true;
    def.shape = shape_default(VSP_SHAPE_NONE, vec3_of(0, 0, 0));
    return def;
}


/* ---- World --------------------------------------------------------------- */

static bool read_world_def(const vsp_world_def *def, vsp__params *p)
{
    vsp__read_fields(def, p, params_ranges, COUNT_OF(params_ranges));
    p->stepper = (uint32_t)def->stepper;
    p->friction = (uint32_t)def->friction;
    p->warm_start = def->enable_warm_start ? 1 : 0;
    p->sleep = def->enable_sleep ? 1 : 0;
    p->reports = def->reports;
    p->tables = 0;
    p->sweeps = def->sweeps;
    p->correction_sweeps = def->correction_sweeps;
    p->rounds = def->subspace.rounds;
    p->search_tries = def->subspace.tries;
    p->search_steps = def->subspace.steps;
    p->search = def->subspace.search;
    p->capacity = def->capacity;
    p->tick = 0;
    return vsp__are_params(p);
}

/* An empty world: all that is read before it is written.  Counts come before
 * the state. */
static void clear_world(vsp_world *world)
{
    vsp__clear(world, offsetof(struct vsp_world, params));
    world->changes = 1;
    world->warm_count = world->sensed_count = world->event_count = 0;
    vsp__clear(world->bodies, sizeof world->bodies);
    vsp__clear(world->shapes, sizeof world->shapes);
    if (VSP_JOINTS)
        vsp__clear_joints(world);
    if (VSP__LANES > 1)
        vsp__clear_lanes(world);
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
    vsp__vec3 before;

    if (!vsp__is_world(world) || !vsp__v3_in(gravity, VSP_MAX_SPEED))
        return VSP_ERR_ARG;
    before = world->params.gravity;
    world->params.gravity = rate3_read(gravity);
    vsp__flush(&world->params.gravity, 3);
    if (VSP_SLEEP && vsp__differs(&before, &world->params.gravity, 3))
        vsp__wake_all(world);
    return VSP_OK;
}

/* 0 of none */
static vsp_vec3 show_rate(const vsp__vec3 *rate)
{
    return rate3_show(rate != NULL ? *rate : v3_zero());
}

vsp_vec3 vsp_world_gravity(const vsp_world *world)
{
    return show_rate(vsp__is_world(world) ? &world->params.gravity : NULL);
}

vsp_capacity vsp_world_capacity(const vsp_world *world)
{
    vsp_capacity none;

    vsp__clear(&none, sizeof none);
    return vsp__is_world(world) ? world->params.capacity : none;
}

vsp_real vsp_world_dt(const vsp_world *world)
{
    return vsp__is_world(world) ? u_show(world->params.dt) : 0;
}

uint32_t vsp_world_tick(const vsp_world *world)
{
    return vsp__is_world(world) ? world->params.tick : 0;
}

#if VSP__HAS_CLOCK
static void show_ticks(const vsp__stats *from, vsp_stats *to)
{
    vsp__copy(&to->detect_ticks, from->ticks, sizeof from->ticks);
}
#else
static void show_ticks(const vsp__stats *from, vsp_stats *to)
{
    (void)from;
    (void)to;
}
#endif

vsp_stats vsp_world_stats(const vsp_world *world)
{
    vsp_stats stats;

    vsp__clear(&stats, sizeof stats);
    if (!vsp__is_world(world))
        return stats;
    vsp__copy(&stats, &world->stats, offsetof(vsp__stats, residual));
    stats.residual = rate_show(world->stats.residual);
    stats.merit = w_show(world->stats.merit);
    show_ticks(&world->stats, &stats);
    return stats;
}


/* ---- Shapes -------------------------------------------------------------- */

/* Something happens to a body: it and what sleeps next to it wake up. */
static void disturb(vsp_world *world, uint32_t body)
{
    if (VSP_SLEEP)
        vsp__disturb(world, body);
}

/* before it is checked and stored */
static void wake(vsp__body *changed)
{
    changed->flags &= VSP__ASLEEP - 1u;
}

/* a caller's rule; any that is none is 7 */
static uint32_t read_rule(vsp_rule rule)
{
    return (uint32_t)rule > (uint32_t)VSP_RULE_MAX ? 7u : (uint32_t)rule;
}

static void read_rules(const vsp_material *m, vsp__shape *shape)
{
    shape->rules = (uint8_t)((shape->rules & VSP__SENSOR) |
                             read_rule(m->friction_rule) |
                             read_rule(m->restitution_rule) << 3);
}

bool vsp__read_shape(const vsp_world *world, const vsp_shape_def *def,
                     vsp__shape *shape)
{
    vsp__clear(shape, sizeof *shape);
    vsp__read_fields(def, shape, shape_ranges, COUNT_OF(shape_ranges));
    if (def->cookie != VSP__COOKIE(3) ||
        !vsp__read_pose(&def->pose, &shape->pose) ||
        (uint32_t)def->type > (uint32_t)VSP_SHAPE_SDF)
        return false;
    if (def->is_sensor)
        shape->rules = VSP__SENSOR;
    read_rules(&def->material, shape);
    shape->type = (uint8_t)def->type;
    shape->table = def->table;
    vsp__flush(&shape->pose, VSP__WORDS(vsp__transform));
    shape->filter = def->filter;
    return vsp__is_shape(world, shape);
}

/* Half-spaces, meshes and height fields have no mass, and no inside: nothing
 * that forces move. */
bool vsp__suits_body(const vsp__shape *shape, const vsp__body *body)
{
    return body->type != (uint32_t)VSP_DYNAMIC + 1u ||
           (shape->type != (uint32_t)VSP_SHAPE_HALF_SPACE &&
            shape->type != (uint32_t)VSP_SHAPE_MESH &&
            shape->type != (uint32_t)VSP_SHAPE_HEIGHT_FIELD);
}

/* Puts a checked shape in a free slot, first in its body's list. */
static void link_shape(vsp_world *world, uint32_t slot, uint32_t body,
                       const vsp__shape *shape)
{
    vsp__shape *to = world->shapes + slot;
    uint32_t generation = to->generation;

    *to = *shape;
    to->generation = (uint16_t)(generation + 1u);
    to->body = (uint16_t)body;
    to->next_shape = world->bodies[body].first_shape;
    world->bodies[body].first_shape = (uint16_t)(slot + 1u);
    world->changes++;
    vsp__raise_limit(&world->shape_limit, &world->shape_used,
                     &world->shape_free, slot);
    vsp__count_up(&world->stats.shape_count, &world->stats.shape_high);
}

/* Multipliers of a shape that is gone, and what it sensed, must not pass to
 * the next one in its slot. */
static void forget_shape(vsp_world *world, uint32_t slot)
{
    vsp__warm *warm = world->problem.between.warm;
    uint32_t i, kept = 0;

    for (i = 0; i < world->warm_count; i++) {
        uint32_t pair = warm[i].pair;

        if (pair >> 16 != slot && (pair & 0xffffu) != slot)
            warm[kept++] = warm[i];
    }
    world->warm_count = kept;
    for (i = 0, kept = 0; i < world->sensed_count; i++) {
        uint32_t pair = world->sensed[i];

        if (pair >> 16 != slot && (pair & 0xffffu) != slot)
            world->sensed[kept++] = pair;
    }
    world->sensed_count = kept;
}

static void unlink_shape(vsp_world *world, uint32_t slot)
{
    vsp__body *body = world->bodies + world->shapes[slot].body;
    uint16_t before = body->first_shape;
    uint16_t next = world->shapes[slot].next_shape;

    if (before == slot + 1u) {
        body->first_shape = next;
    } else {
        while (world->shapes[before - 1u].next_shape != slot + 1u)
            before = world->shapes[before - 1u].next_shape;
        world->shapes[before - 1u].next_shape = next;
    }
    vsp__empty_slot(world->shapes + slot, sizeof(vsp__shape));
    if (world->shape_free > slot)
        world->shape_free = slot;
    forget_shape(world, slot);
    world->stats.shape_count--;
}

vsp_status vsp_shape_create(vsp_world *world, vsp_body_id body,
                            const vsp_shape_def *def, vsp_shape_id *id)
{
    vsp__shape shape;
    uint32_t owner, slot;
    vsp__shape_list list;
    vsp__matter m;

    if (id != NULL)
        id->bits = 0;
    if (!vsp__is_world(world) || def == NULL ||
        !vsp__read_shape(world, def, &shape))
        return VSP_ERR_ARG;
    owner = slot_of(body.bits);
    if (get_body(world, body) == NULL)
        return VSP_ERR_ID;
    list = shapes_of(world);
    vsp__weigh(&list, world->bodies + owner, &shape, VSP_MAX_SHAPES, &m);
    if (!vsp__suits_body(&shape, world->bodies + owner) || !vsp__is_mass(&m))
        return VSP_ERR_ARG;
    slot = free_shape_slot(world);
    if (slot >= world->params.capacity.shapes)
        return VSP_ERR_FULL;
    link_shape(world, slot, owner, &shape);
    set_mass(world->bodies + owner, &m);
    disturb(world, owner);
    vsp__forget_contacts(world);
    if (id != NULL)
        id->bits = shape_in(world, slot);
    return VSP_OK;
}

vsp_status vsp_shape_destroy(vsp_world *world, vsp_shape_id id)
{
    uint32_t slot = slot_of(id.bits), body;
    vsp__shape_list list;
    vsp__matter m;

    if (get_shape(world, id) == NULL)
        return not_there(world);
    body = world->shapes[slot].body;
    list = shapes_of(world);
    vsp__weigh(&list, world->bodies + body, NULL, slot, &m);
    if (!vsp__is_mass(&m))
        return VSP_ERR_ARG;
    disturb(world, body);
    unlink_shape(world, slot);
    set_mass(world->bodies + body, &m);
    vsp__lower_limits(world);
    vsp__forget_contacts(world);
    return VSP_OK;
}

bool vsp_shape_is_valid(const vsp_world *world, vsp_shape_id id)
{
    return get_shape(world, id) != NULL;
}

vsp_shape_id vsp_shape_at(const vsp_world *world, uint32_t slot)
{
    vsp_shape_id id;

    id.bits = shape_in(world, slot);
    return id;
}

vsp_body_id vsp_shape_body(const vsp_world *world, vsp_shape_id id)
{
    const vsp__shape *shape = get_shape(world, id);
    vsp_body_id body = {0};

    if (shape != NULL)
        body.bits = body_in(world, shape->body);
    return body;
}

vsp_status vsp_shape_get(const vsp_world *world, vsp_shape_id id,
                         vsp_shape_def *def)
{
    const vsp__shape *shape = get_shape(world, id);

    if (shape == NULL)
        return not_there(world);
    if (def == NULL)
        return VSP_ERR_ARG;
    def->cookie = VSP__COOKIE(3);
    def->type = (vsp_shape_type)shape->type;
    def->table = shape->table;
    def->is_sensor = (shape->rules & VSP__SENSOR) != 0;
    vsp__show_fields(shape, def, shape_ranges, COUNT_OF(shape_ranges));
    def->material.friction_rule = (vsp_rule)vsp__friction_rule(shape);
    def->material.restitution_rule =
        (vsp_rule)vsp__restitution_rule(shape);
    def->filter = shape->filter;
    return VSP_OK;
}

/* Ends a change of a shape. */
static vsp_status store_shape(vsp_world *world, vsp__shape *shape,
                              const vsp__shape *changed)
{
    if (!vsp__is_shape(world, changed))
        return VSP_ERR_ARG;
    *shape = *changed;
    disturb(world, shape->body);
    return VSP_OK;
}

vsp_status vsp_shape_set_material(vsp_world *world, vsp_shape_id id,
                                  vsp_material material)
{
    vsp__shape *shape, changed;
    vsp_status status = find_shape(world, id, &shape, &changed);

    if (status < 0)
        return status;
    changed.friction = r_flush(r_read(material.friction));
    changed.restitution = r_flush(r_read(material.restitution));
    read_rules(&material, &changed);
    return store_shape(world, shape, &changed);
}

vsp_status vsp_shape_set_surface_velocity(vsp_world *world, vsp_shape_id id,
                                          vsp_vec3 velocity)
{
    vsp__shape *shape, changed;
    vsp_status status = find_shape(world, id, &shape, &changed);

    if (status < 0)
        return status;
    changed.surface = rate3_read(velocity);
    vsp__flush(&changed.surface, 3);
    return store_shape(world, shape, &changed);
}

vsp_status vsp_shape_set_filter(vsp_world *world, vsp_shape_id id,
                                vsp_filter filter)
{
    vsp__shape *shape, changed;
    vsp_status status = find_shape(world, id, &shape, &changed);

    if (status < 0)
        return status;
    changed.filter = filter;
    return store_shape(world, shape, &changed);
}


/* ---- Bodies -------------------------------------------------------------- */

/* Only a dynamic body that may sleeps, at rest. */
static bool are_flags(const vsp__body *b)
{
    bool may_sleep = VSP_SLEEP != 0 && !(b->flags & VSP__SLEEPLESS) &&
                     b->type == (uint32_t)VSP_DYNAMIC + 1u;

    return (!(b->flags & VSP__ASLEEP) || vsp__is_at_rest(b)) &&
           b->flags >> VSP__CALM_SHIFT <= VSP__CALM_PARTS &&
           (may_sleep || b->flags < VSP__ASLEEP) &&
           (VSP_CCD || !(b->flags & VSP__BULLET));
}

static const vsp__field body_ranges[] = {
    VSP__FIELD(vsp__body, given, 1, WIDE, GIVEN_MASS),
    VSP__FIELD(vsp__body, position, 3, REAL, POSITION),
    VSP__FIELD(vsp__body, rotation, 4, UNIT, ROTATION),
    VSP__READ(vsp__body, velocity, vsp_body_def, velocity, 6, RATE,
              SPEED), /* and spin */
    VSP__FIELD(vsp__body, force, 6, WIDE, FORCE), /* and torque */
    VSP__FIELD(vsp__body, matter.center, 3, REAL, POSITION),
    VSP__READ(vsp__body, linear_damping, vsp_body_def, linear_damping, 2, REAL,
              DAMPING), /* and angular */
    VSP__READ(vsp__body, gravity_scale, vsp_body_def, gravity_scale, 1, REAL,
              SCALE),
    VSP__READ(vsp__body, max_speed, vsp_body_def, max_speed, 1, RATE,
              MOST_SPEED),
};

/* Whether a body's own numbers make one: also used on restored bytes. */
bool vsp__is_body(const vsp__body *b)
{
    return b->type >= 1 && b->type <= (uint32_t)VSP_DYNAMIC + 1u &&
           b->mass_given <= 2 && are_flags(b) &&
           vsp__are_in(b, body_ranges, COUNT_OF(body_ranges)) &&
           vsp__q_is_unit(&b->rotation) &&
           (b->type != (uint32_t)VSP_STATIC + 1u || vsp__is_at_rest(b));
}

/* a body's numbers, from what was given to the end */
#define STATE_NUMBERS \
    ((uint32_t)(sizeof(vsp__body) - offsetof(vsp__body, given)) / 4u)

static uint16_t read_flags(const vsp_body_def *def)
{
    return (uint16_t)((def->locks & VSP__LOCKS) |
                      (def->is_bullet ? VSP__BULLET : 0u) |
                      (def->enable_sleep ? 0u : VSP__SLEEPLESS));
}

/* Reads a def but for its shape. */
static bool read_body_def(const vsp_body_def *def, vsp__body *body)
{
    vsp__transform pose;

    vsp__clear(body, sizeof *body);
    if (def->cookie != VSP__COOKIE(2) || (uint32_t)def->type > 2u ||
        def->locks > VSP__LOCKS ||
        !vsp__read_pose(&def->pose, &pose) ||
        !read_given_mass(def->mass, def->center, def->inertia, body))
        return false;
    if (def->type != VSP_DYNAMIC) { /* weighs nothing, whatever was given */
        vsp__clear(&body->matter, sizeof body->matter);
        body->given = W_ZERO;
        body->mass_given = 0;
    }
    body->type = (uint8_t)((uint32_t)def->type + 1u);
    body->user = def->user;
    body->position = pose.position;
    body->rotation = pose.rotation;
    vsp__read_fields(def, body, body_ranges, COUNT_OF(body_ranges));
    body->flags = read_flags(def);
    vsp__flush(&body->given, STATE_NUMBERS);
    return vsp__is_body(body);
}

/* What a new body weighs; false for what it must not. */
static bool weigh_new_body(const vsp_world *world, const vsp__body *body,
                           const vsp__shape *shape, vsp__matter *m)
{
    vsp__shape_list list = shapes_of(world);

    vsp__weigh(&list, body, shape, VSP_MAX_SHAPES, m);
    return body->type != (uint32_t)VSP_DYNAMIC + 1u ||
           (body->mass_given == 0 && shape == NULL) ||
           (w_less(W_ZERO, m->mass) && vsp__is_mass(m));
}

vsp_status vsp_body_create(vsp_world *world, const vsp_body_def *def,
                           vsp_body_id *id)
{
    vsp__body body;
    vsp__shape shape;
    const vsp__shape *first = NULL;
    uint32_t slot, shape_place;
    vsp__matter m;

    if (id != NULL)
        id->bits = 0;
    if (!vsp__is_world(world) || def == NULL || !read_body_def(def, &body))
        return VSP_ERR_ARG;
    if (def->shape.type != VSP_SHAPE_NONE)
        first = &shape;
    if (first != NULL && !(vsp__read_shape(world, &def->shape, &shape) &&
                           vsp__suits_body(&shape, &body)))
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
    vsp__clear(&world->bodies[slot].matter, sizeof m);
    vsp__raise_limit(&world->body_limit, &world->body_used,
                     &world->body_free, slot);
    vsp__count_up(&world->stats.body_count, &world->stats.body_high);
    if (first != NULL)
        link_shape(world, shape_place, slot, &shape);
    set_mass(world->bodies + slot, &m);
    world->bodies[slot].velocity = body.velocity; /* of the centre */
    disturb(world, slot);
    if (id != NULL)
        id->bits = body_in(world, slot);
    return VSP_OK;
}

vsp_status vsp_body_destroy(vsp_world *world, vsp_body_id id)
{
    uint32_t slot = slot_of(id.bits);

    if (get_body(world, id) == NULL)
        return not_there(world);
    disturb(world, slot);
    if (VSP_JOINTS)
        vsp__drop_joints(world, slot);
    while (world->bodies[slot].first_shape != 0)
        unlink_shape(world, world->bodies[slot].first_shape - 1u);
    vsp__empty_slot(world->bodies + slot, sizeof(vsp__body));
    if (world->body_free > slot)
        world->body_free = slot;
    world->stats.body_count--;
    vsp__lower_limits(world);
    vsp__forget_contacts(world);
    return VSP_OK;
}

bool vsp_body_is_valid(const vsp_world *world, vsp_body_id id)
{
    return get_body(world, id) != NULL;
}

vsp_body_id vsp_body_at(const vsp_world *world, uint32_t slot)
{
    vsp_body_id id;

    id.bits = body_in(world, slot);
    return id;
}

vsp_body_type vsp_body_get_type(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = get_body(world, id);

    return b != NULL ? (vsp_body_type)(b->type - 1u) : VSP_STATIC;
}

vsp_transform vsp_body_transform(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = get_body(world, id);
    vsp__transform place;
    vsp_transform pose;

    place.position = v3_zero();
    place.rotation = q_identity();
    if (b != NULL) {
        vsp__vec3 arm;

        vsp__turned(&b->rotation, &b->matter.center, &arm);
        place.rotation = b->rotation;
        place.position = b->position;
        v3_sub_in(&place.position, &arm);
    }
    pose.position = v3_show(place.position);
    pose.rotation = q_show(place.rotation);
    return pose;
}

vsp_status vsp_body_set_transform(vsp_world *world, vsp_body_id id,
                                  vsp_transform pose)
{
    vsp__body *b, changed;
    vsp_status status = find_body(world, id, &b, &changed);
    vsp__transform place;
    vsp__vec3 arm;

    if (status < 0)
        return status;
    if (!vsp__read_pose(&pose, &place))
        return VSP_ERR_ARG;
    disturb(world, slot_of(id.bits));
    vsp__turned(&place.rotation, &b->matter.center, &arm);
    b->rotation = place.rotation;
    b->position = place.position;
    v3_add_in(&b->position, &arm);
    vsp__keep_in_range(b);
    disturb(world, slot_of(id.bits));
    world->changes++;
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

    return show_rate(b != NULL ? &b->velocity : NULL);
}

vsp_vec3 vsp_body_spin(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = get_body(world, id);

    return show_rate(b != NULL ? &b->spin : NULL);
}

/* Ends a change of a body. */
static vsp_status store_body(vsp__body *b, const vsp__body *changed)
{
    if (!vsp__is_body(changed))
        return VSP_ERR_ARG;
    *b = *changed;
    return VSP_OK;
}

vsp_status vsp_body_set_velocity(vsp_world *world, vsp_body_id id,
                                 vsp_vec3 velocity, vsp_vec3 spin)
{
    vsp__body *b, changed;
    vsp_status status = find_body(world, id, &b, &changed);

    if (status < 0)
        return status;
    if (b->type == (uint32_t)VSP_STATIC + 1u)
        return VSP_ERR_ARG;
    changed.velocity = rate3_read(velocity);
    changed.spin = rate3_read(spin);
    vsp__flush(&changed.velocity, 6); /* and spin */
    if (!vsp__is_at_rest(&changed))
        wake(&changed);
    return store_body(b, &changed);
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
    vsp_status status = find_body(world, id, &b, &changed);
    vsp__shape_list list;
    vsp__matter m;

    if (status < 0)
        return status;
    if (b->type != (uint32_t)VSP_DYNAMIC + 1u ||
        !read_given_mass(mass, center, inertia, &changed))
        return VSP_ERR_ARG;
    list = shapes_of(world);
    vsp__weigh(&list, &changed, NULL, VSP_MAX_SHAPES, &m);
    if (!w_less(W_ZERO, m.mass) || !vsp__is_mass(&m))
        return VSP_ERR_ARG;
    b->mass_given = changed.mass_given;
    b->given = changed.given;
    set_mass(b, &m);
    wake(b);
    vsp__forget_contacts(world);
    return VSP_OK;
}

vsp_status vsp_body_set_damping(vsp_world *world, vsp_body_id id,
                                vsp_real linear, vsp_real angular)
{
    vsp__body *b, changed;
    vsp_status status = find_body(world, id, &b, &changed);

    if (status < 0)
        return status;
    changed.linear_damping = r_read(linear);
    changed.angular_damping = r_read(angular);
    vsp__flush(&changed.linear_damping, 2);
    return store_body(b, &changed);
}

vsp_status vsp_body_set_gravity_scale(vsp_world *world, vsp_body_id id,
                                      vsp_real scale)
{
    vsp__body *b, changed;
    vsp_status status = find_body(world, id, &b, &changed);

    if (status < 0)
        return status;
    changed.gravity_scale = r_flush(r_read(scale));
    wake(&changed);
    return store_body(b, &changed);
}

vsp_status vsp_body_set_max_speed(vsp_world *world, vsp_body_id id,
                                  vsp_real speed)
{
    vsp__body *b, changed;
    vsp_status status = find_body(world, id, &b, &changed);

    if (status < 0)
        return status;
    changed.max_speed = rate_read(speed);
    return store_body(b, &changed);
}

/* Changes some of a body's flags; what wakes it is for the caller to do. */
static vsp_status set_flags(vsp_world *world, vsp_body_id id, uint32_t some,
                            uint32_t to)
{
    vsp__body *b, changed;
    vsp_status status = find_body(world, id, &b, &changed);

    if (status < 0)
        return status;
    changed.flags = (uint16_t)((changed.flags & ~some) | to);
    return store_body(b, &changed);
}

/* in set_flags: what tells how long a body has been at rest, and no flags */
#define REST ((uint32_t)(0xffffu & ~(VSP__ASLEEP - 1u)))
#define BAD_FLAGS 0xffffu

vsp_status vsp_body_set_locks(vsp_world *world, vsp_body_id id,
                              uint32_t locks)
{
    return set_flags(world, id, VSP__LOCKS | REST,
                     locks <= VSP__LOCKS ? locks : BAD_FLAGS);
}

uint32_t vsp_body_locks(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = get_body(world, id);

    return b != NULL ? b->flags & VSP__LOCKS : 0;
}

vsp_status vsp_body_set_bullet(vsp_world *world, vsp_body_id id,
                               bool is_bullet)
{
    return set_flags(world, id, VSP__BULLET, is_bullet ? VSP__BULLET : 0);
}

vsp_status vsp_body_enable_sleep(vsp_world *world, vsp_body_id id,
                                 bool is_enabled)
{
    if (is_enabled)
        return set_flags(world, id, VSP__SLEEPLESS, 0);
    return set_flags(world, id, REST, VSP__SLEEPLESS);
}

vsp_status vsp_body_set_awake(vsp_world *world, vsp_body_id id,
                              bool is_awake)
{
    vsp__body *b, changed;
    vsp_status status = find_body(world, id, &b, &changed);

    if (status < 0)
        return status;
    if (is_awake) {
        wake(b);
        return VSP_OK;
    }
    changed.flags |= VSP__ASLEEP;
    vsp__clear(&changed.velocity, 2u * sizeof changed.velocity); /* spin */
    if (!world->params.sleep || !vsp__is_body(&changed))
        return VSP_ERR_ARG;
    if (VSP_SLEEP)
        vsp__fall_asleep(world, slot_of(id.bits));
    return VSP_OK;
}

bool vsp_body_is_awake(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = get_body(world, id);

    return b != NULL && b->type != (uint32_t)VSP_STATIC + 1u &&
           !vsp__is_asleep(b);
}

uint32_t vsp_body_user(const vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = get_body(world, id);

    return b != NULL ? b->user : 0;
}

vsp_status vsp_body_set_user(vsp_world *world, vsp_body_id id, uint32_t user)
{
    vsp__body *b, changed;
    vsp_status status = find_body(world, id, &b, &changed);

    if (status < 0)
        return status;
    b->user = user;
    return VSP_OK;
}


/* ---- Forces and impulses ------------------------------------------------- */

/* a b - c d */
static vsp__wide wedge(vsp__real a, vsp__wide b, vsp__real c, vsp__wide d)
{
    return w_add(w_mul(w_of_real(a), b), w_neg(w_mul(w_of_real(c), d)));
}

/* a += b, as many numbers */
static void add_wides(vsp__wide *a, const vsp__wide *b, uint32_t count)
{
    for (; count > 0; a++, b++, count--)
        *a = w_add(*a, *b);
}

/* p and what turns, as callers have them */
typedef struct wrench {
    vsp__wide3 p, turn;
} wrench;

/* turn += arm x p */
static void add_moment(wrench *w, const vsp__vec3 *arm)
{
    const vsp__wide3 *p = &w->p;
    vsp__wide3 moment;

    moment.x = wedge(arm->y, p->z, arm->z, p->y);
    moment.y = wedge(arm->z, p->x, arm->x, p->z);
    moment.z = wedge(arm->x, p->y, arm->y, p->x);
    add_wides(&w->turn.x, &moment.x, 3);
}

/* What is too much ends beyond VSP_MAX_SPEED, and is told by that. */
static void add_impulse(vsp__body *b, const wrench *w)
{
    vsp__inverse inverse;
    vsp__mat3 axes;

    vsp__flushed_axes(b->rotation, &axes);
    vsp__find_inverse(b, &axes, W_ZERO, &inverse);
    vsp__change_velocity(&inverse, W_ONE, &w->p, &w->turn, &b->velocity,
                         &b->spin);
}

/* Lets a force or an impulse, and what turns, act at a point, or at the
 * centre of mass where that is null. */
static vsp_status push(vsp_world *world, vsp_body_id id, vsp_vec3 linear,
                       const vsp_vec3 *point, vsp_vec3 angular,
                       bool is_impulse)
{
    vsp__body *b, changed;
    vsp_status status = find_body(world, id, &b, &changed);
    wrench w;

    if (status < 0)
        return status;
    if (!vsp__v3_in(linear, VSP_MAX_FORCE) ||
        !vsp__v3_in(angular, VSP_MAX_FORCE) ||
        (point != NULL && !vsp__v3_in(*point, VSP_MAX_POSITION)))
        return VSP_ERR_ARG;
    w.p = w3_read(linear);
    w.turn = w3_read(angular);
    if (point != NULL) {
        vsp__vec3 arm = v3_read(*point);

        v3_sub_in(&arm, &b->position);
        add_moment(&w, &arm);
    }
    if (is_impulse)
        add_impulse(&changed, &w);
    else
        add_wides(&changed.force.x, &w.p.x, 6); /* and torque */
    vsp__flush(&changed.velocity, 12); /* and spin, force, torque */
    wake(&changed);
    if (!vsp__is_body(&changed))
        return VSP_ERR_ARG;
    if (vsp__is_dynamic(b) &&
        vsp__differs(&changed.velocity, &b->velocity, 12))
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
    return vsp__is_world(world) ? world->contacts[0].manifold_count : 0;
}

/* t[0] k[0] + t[1] k[1], unit vectors times impulses */
static void show_along(const vsp__vec3 *t, const vsp__wide *k, vsp_vec3 *out)
{
    const vsp__real *x = &t[0].x, *y = &t[1].x;
    vsp_real *to = &out->x;
    uint32_t i;

    for (i = 0; i < 3; i++)
        to[i] = w_show(w_add(w_mul(w_of_unit(x[i]), k[0]),
                             w_mul(w_of_unit(y[i]), k[1])));
}

static void read_point(const vsp_world *world, const vsp__manifold *m,
                       uint32_t i, vsp_contact_point *to)
{
    const vsp__point *from = world->points + m->first_point + i;
    const vsp__wide *impulse = from->multiplier.impulse;
    vsp__vec3 t[2], position = v3_zero();
    uint32_t k;

    for (k = 0; k < 2; k++) {
        const vsp__body *b = world->bodies + m->body[k];

        vsp__turned(&b->rotation, from->arm + k, &t[0]);
        v3_add_in(&t[0], &b->position);
        u3_move(&position, VSP__U(0.5), &t[0]);
    }
    vsp__tangents(m->normal, &t[0], &t[1]);
    to->position = v3_show(position);
    to->separation = r_show(from->gap);
    to->normal_impulse = w_show(impulse[0]);
    show_along(t, &impulse[1], &to->friction_impulse);
    to->feature = m->feature[i];
}

vsp_status vsp_contact_get(const vsp_world *world, uint32_t index,
                           vsp_contact *contact)
{
    const vsp__manifold *m;
    uint32_t i;

    if (contact == NULL || index >= vsp_contact_count(world))
        return VSP_ERR_ARG;
    m = world->manifolds + index;
    contact->shape_a.bits = shape_in(world, m->shape[0]);
    contact->shape_b.bits = shape_in(world, m->shape[1]);
    contact->body_a.bits = body_in(world, m->body[0]);
    contact->body_b.bits = body_in(world, m->body[1]);
    contact->normal = u3_show(m->normal);
    contact->layer = m->layer;
    contact->point_count = m->point_count;
    for (i = 0; i < m->point_count; i++)
        read_point(world, m, i, contact->points + i);
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
    case VSP_WAIT:
        return "VSP_WAIT";
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
    case VSP_ERR_TABLE:
        return "VSP_ERR_TABLE";
    }
    return "unknown status";
}


/* ---- Steppers ---------------------------------------------------------------
 * A step as the paper's figures have it, over the verbs of vsp_solver.c.
 * They differ in how velocities are found and when bodies move. */

enum { PHASE_DETECT, PHASE_SOLVE, PHASE_CORRECT, PHASE_REST };

/* Since the last call a phase went on, which ends here. */
#if VSP__HAS_CLOCK
static void end_phase(vsp_world *world, uint32_t phase)
{
    vsp__stats *stats = &world->stats;
    uint32_t now = VSP_CLOCK;

    stats->ticks[phase] += now - stats->since;
    stats->since = now;
}

static void start_clock(vsp_world *world)
{
    world->stats.since = VSP_CLOCK;
}
#else
static void end_phase(vsp_world *world, uint32_t phase)
{
    (void)world;
    (void)phase;
}

static void start_clock(vsp_world *world)
{
    (void)world;
}
#endif

/* where the joints of a layer begin */
static uint32_t joint_layer(const vsp_world *world, uint32_t layer)
{
    return VSP_JOINTS ? vsp__joints_of(world)->layer_joints[layer] : 0;
}

static void all_contacts(const vsp_world *world, uint32_t list,
                         vsp__span *span)
{
    span->list = list;
    span->first = 0;
    span->last = world->contacts[list].manifold_count;
    span->lowest = 1;
    span->first_joint = 0;
    span->last_joint = joint_layer(world, world->layer_count + 1u);
}

/* a stack layer, its bottom-most bodies fixated; the last is what floats */
static void layer_contacts(const vsp_world *world, uint32_t layer,
                           vsp__span *span)
{
    span->list = 0;
    span->first = world->work.solve.layer_manifolds[layer];
    span->last = world->work.solve.layer_manifolds[layer + 1];
    span->first_joint = joint_layer(world, layer);
    span->last_joint = joint_layer(world, layer + 1);
    span->lowest = layer < world->layer_count ? layer + 1 : 1;
}

static uint32_t moved_count(const vsp_world *world)
{
    return world->work.solve.layer_bodies[world->layer_count + 1];
}

/* Moves the bodies of stack_order[first ... last - 1] for h seconds, bullets
 * up to what they meet. */
static void move_bodies(vsp_world *world, uint32_t first, uint32_t last,
                        vsp__real h)
{
    vsp__line *line = world->work.solve.line; /* of no use any more */
    uint32_t i;

    if (VSP_CCD)
        vsp__find_steps(world, first, last, h);
    for (i = first; i < last; i++) {
        uint32_t body = world->work.solve.stack_order[i];

        vsp__move_body(world, body, VSP_CCD ? line[body].step : h);
    }
}

static void push_bodies(vsp_world *world, uint32_t first, uint32_t last,
                        vsp__real h)
{
    uint32_t i;

    for (i = first; i < last; i++)
        vsp__push_body(world, world->work.solve.stack_order[i], h);
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
        vsp__refresh(world, 0, world->layer_order[i]);
    return vsp__correct(world, &span);
}

/* figure 12 with correction as the algorithm; whether anything moved */
static bool correct_layers(vsp_world *world)
{
    bool is_changed = false;
    uint32_t layer;

    for (layer = 0; layer <= world->layer_count; layer++)
        is_changed = correct_layer(world, layer) || is_changed;
    end_phase(world, PHASE_CORRECT);
    return is_changed;
}

/* Detects what the move made, and projects it out: the end of figure 14. */
static void finish_positions(vsp_world *world)
{
    vsp__span all;

    vsp__detect(world, 1);
    end_phase(world, PHASE_DETECT);
    all_contacts(world, 1, &all);
    vsp__correct(world, &all);
    end_phase(world, PHASE_CORRECT);
}

static uint32_t count_belts(const vsp_world *world)
{
    uint32_t i, count = 0;

    for (i = 0; i < world->shape_limit; i++)
        if (!vsp__are_zero(&world->shapes[i].surface.x, 3))
            count++;
    return count;
}

/* Everything up to the first velocity solve. */
static void begin_step(vsp_world *world)
{
    uint32_t i;

    if (VSP_JOINTS)
        vsp__link_joints(world);
    end_phase(world, PHASE_REST);
    if (VSP_SLEEP)
        vsp__detect_awake(world);
    else
        vsp__detect(world, 0);
    end_phase(world, PHASE_DETECT);
    world->contacts[1].dropped = 0;
    world->locked_count = 0;
    for (i = 0; i < world->body_limit; i++)
        vsp__start_body(world, i);
    world->belt_count = count_belts(world);
    if (world->params.warm_start)
        vsp__warm_load(world);
    if (VSP_EVENTS) {
        vsp__end_sensing(world);
        vsp__mark_touched(world);
    }
    if (VSP_SLEEP)
        vsp__put_kept_aside(world);
    vsp__stack(world, vsp__is_shock(world));
    if (vsp__is_subspace(world))
        vsp__sort_islands(world);
    world->stats.awake_count = moved_count(world);
    vsp__find_biases(world);
    end_phase(world, PHASE_REST);
}

/* The velocity problem of h seconds, warm-started.  Where an impact has come to
 * rest, multipliers of the step before are far too large: sweeps alone would
 * take a stack up with them.  An island for which less than a tenth of them is
 * best begins from that part. */
static void assemble(vsp_world *world, const vsp__span *span, vsp__real h)
{
    bool is_warm = world->params.warm_start != 0;
    bool is_sought = is_warm && vsp__is_carry(world);

    if (is_sought)
        vsp__line_search_begin(world, true);
    vsp__assemble(world, span, h, true);
    if (is_sought)
        vsp__line_search_end(world, true);
    if (VSP_JOINTS && is_warm)
        vsp__warm_start_joints(world, span);
}

/* The velocity problem of all bodies, a whole step on. */
static void begin_solve(vsp_world *world, vsp__span *all)
{
    vsp__real h = world->params.dt;

    push_bodies(world, 0, moved_count(world), h);
    all_contacts(world, 0, all);
    assemble(world, all, h);
}

static void measure_merit(vsp_world *world, const vsp__span *all)
{
    world->stats.merit = VSP_MERIT ? vsp__merit(world, all) : W_ZERO;
}

/* What the solve found: multipliers, and motion. */
static void end_solve(vsp_world *world, const vsp__span *all)
{
    vsp__keep_multipliers(world, all);
    end_phase(world, PHASE_SOLVE);
    move_bodies(world, 0, moved_count(world), world->params.dt);
    move_kinematic(world);
    end_phase(world, PHASE_REST);
}

/* Projected Gauss-Seidel, then correction: all at once, no layers. */
static void step_pgs(vsp_world *world)
{
    vsp__span all;

    begin_solve(world, &all);
    vsp__sweep(world, &all, world->params.sweeps, world->params.tolerance);
    measure_merit(world, &all);
    end_solve(world, &all);
    finish_positions(world);
}

/* One layer of figure 14: dynamics((1 - a) h), then correction, with the
 * multipliers of this layer's last solve as a start. */
static void shock_layer(vsp_world *world, uint32_t layer, vsp__real h)
{
    vsp__span span;
    uint32_t first = world->work.solve.layer_bodies[layer];
    uint32_t last = world->work.solve.layer_bodies[layer + 1];

    layer_contacts(world, layer, &span);
    push_bodies(world, first, last, h);
    if (span.first < span.last || span.first_joint < span.last_joint) {
        assemble(world, &span, h);
        vsp__sweep(world, &span, world->params.sweeps, 0);
        vsp__keep_multipliers(world, &span);
    }
    end_phase(world, PHASE_SOLVE);
    move_bodies(world, first, last, h);
    end_phase(world, PHASE_REST);
    correct_layer(world, layer);
    end_phase(world, PHASE_CORRECT);
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
    vsp__assemble(world, &all, part, false);
    vsp__put_aside(world);
    vsp__sweep(world, &all, world->params.sweeps, 0);
    measure_merit(world, &all);
    vsp__take_back(world);
    end_phase(world, PHASE_SOLVE);
    move_bodies(world, 0, moved_count(world), part);
    move_kinematic(world);
    end_phase(world, PHASE_REST);
    for (layer = 0; layer <= world->layer_count; layer++)
        shock_layer(world, layer, h - part);
    if (VSP_JOINTS && all.first_joint < all.last_joint) {
        vsp__stack(world, false);
        correct_layers(world);
    }
    finish_positions(world);
}

/* Predict up, carry down, keep of it what lowers the objective, and let
 * sweeps mend what slides, tips or collides. */
static vsp__real carry_round(vsp_world *world, const vsp__span *all,
                            uint32_t sweeps)
{
    vsp__predict(world);
    vsp__line_search_begin(world, false);
    vsp__carry(world);
    vsp__line_search_end(world, false);
    return vsp__sweep(world, all, sweeps, world->params.tolerance);
}

/* Whether joints are that no layer corrects: those of loops. */
static bool are_apart(vsp_world *world, const vsp__span *all)
{
    return VSP_JOINTS && vsp__joint_error(world, all) >
                             vsp__fix_tolerance(world);
}

/* From the bottom up; then all at once, unless nothing moved. */
static void correct_all(vsp_world *world, const vsp__span *all)
{
    bool is_changed = correct_layers(world) || are_apart(world, all);

    if (vsp__needs_second(world, is_changed))
        finish_positions(world);
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
    measure_merit(world, &all);
    end_solve(world, &all);
    correct_all(world, &all);
}

/* Island by island, PGS with subspace minimisation; then correction from the
 * bottom up, which is by layers. */
static void step_subspace(vsp_world *world)
{
    const uint16_t *first = world->work.solve.layer_bodies;
    vsp__span all, island;
    vsp__real residual = 0;
    vsp__wide sum = W_ZERO;
    uint32_t k;

    begin_solve(world, &all);
    for (k = 0; k <= world->layer_count; k++) {
        layer_contacts(world, k, &island);
        if (VSP_SUBSPACE)
            sum = w_add(sum, vsp__minimize(world, &island, first[k],
                                           first[k + 1]));
        residual = r_max(residual, world->stats.residual);
    }
    world->stats.residual = residual;
    world->stats.merit = sum;
    end_solve(world, &all);
    vsp__stack(world, false);
    correct_all(world, &all);
}

/* Statistics are numbers even where a solve was not. */
static void tidy_stats(vsp__stats *stats)
{
    if (!r_is_finite(stats->residual))
        stats->residual = r_read(VSP_MAX_FORCE);
    if (!w_is_finite(stats->merit))
        stats->merit = w_read(VSP_MAX_FORCE);
}

static void clear_forces(vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->body_limit; i++) {
        vsp__body *b = world->bodies + i;

        vsp__clear(&b->force, 2u * sizeof b->force); /* and torque */
    }
}

/* Everything after the last move. */
static void end_step(vsp_world *world)
{
    tidy_stats(&world->stats);
    if (VSP_JOINTS)
        vsp__end_joints(world);
    if (VSP_EVENTS)
        vsp__report_contacts(world);
    if (VSP_SLEEP)
        vsp__rest(world);
    if (vsp__keeps_warm(&world->params))
        vsp__warm_store(world);
    world->stats.contacts_dropped =
        world->contacts[0].dropped > world->contacts[1].dropped
            ? world->contacts[0].dropped
            : world->contacts[1].dropped;
}

static void step_once(vsp_world *world)
{
    begin_step(world);
    if (vsp__is_carry(world))
        step_carry(world);
    else if (vsp__is_shock(world))
        step_shock(world);
    else if (vsp__is_subspace(world))
        step_subspace(world);
    else
        step_pgs(world);
    end_step(world);
}

vsp_status vsp_world_step(vsp_world *world)
{
    if (!vsp__is_world(world))
        return VSP_ERR_ARG;
    vsp__clear_step_stats(&world->stats);
    start_clock(world);
    world->changes++;
    if (VSP_EVENTS)
        vsp__begin_events(world);
    if (VSP_SLEEP && vsp__is_quiet(world)) /* nothing moves */
        vsp__forget_contacts(world);
    else
        step_once(world);
    clear_forces(world);
    world->params.tick++;
    end_phase(world, PHASE_REST);
    return world->stats.contacts_dropped ? VSP_DEGRADED : VSP_OK;
}
