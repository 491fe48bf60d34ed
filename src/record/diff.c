/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* vsp_world_diff: the fields in which two worlds differ, by name (VSP_DIFF).
 * Meant for hosts: the names take more memory than the code.  In this order:
 * tables of the fields of a state, as SPEC.md names them; two records; two
 * worlds. */

#include "record.h"

#if VSP_DIFF


/* ---- Fields -------------------------------------------------------------- */

typedef struct state_field {
    char name[22];
    uint16_t offset; /* in its struct, bytes */
    uint8_t count;   /* components */
    uint8_t size;    /* of a component, bytes: 1, 2 or 4 */
    uint8_t form;    /* vsp__number_form */
} state_field;

#define NAMED_FIELD(type, member, name, count, form)               \
    {                                                              \
        name, (uint16_t)offsetof(type, member), count,             \
            (uint8_t)(sizeof(((type *)0)->member) / (count)), form \
    }

#define WORD_FIELD(type, member, name) \
    NAMED_FIELD(type, member, name, 1, VSP__FORM_WORD)
#define REAL_FIELD(type, member, name, count) \
    NAMED_FIELD(type, member, name, count, VSP__FORM_REAL)
#define UNIT_FIELD(type, member, name, count) \
    NAMED_FIELD(type, member, name, count, VSP__FORM_UNIT)
#define WIDE_FIELD(type, member, name, count) \
    NAMED_FIELD(type, member, name, count, VSP__FORM_WIDE)

/* In the fixed kind the parts of an inertia are mantissas that share one
 * shift. */
#if VSP_FIXED
#define INERTIA_FIELDS                                                  \
    {"inertia", (uint16_t)offsetof(vsp__body, mass_data.inertia), 6, 4, \
     VSP__FORM_PART},                                                   \
        WORD_FIELD(vsp__body, mass_data.inertia.shift, "inertia shift")
#else
#define INERTIA_FIELDS REAL_FIELD(vsp__body, mass_data.inertia, "inertia", 6)
#endif

static const state_field params_fields[] = {
    NAMED_FIELD(vsp__params, gravity, "gravity", 3, VSP__FORM_RATE),
    UNIT_FIELD(vsp__params, dt, "dt", 1),
    REAL_FIELD(vsp__params, envelope, "envelope", 1),
    NAMED_FIELD(vsp__params, tolerance, "tolerance", 1, VSP__FORM_RATE),
    UNIT_FIELD(vsp__params, fraction, "fraction", 1),
    NAMED_FIELD(vsp__params, sleep_speed, "sleep speed", 1, VSP__FORM_RATE),
    REAL_FIELD(vsp__params, sleep_time, "sleep time", 1),
    WORD_FIELD(vsp__params, stepper, "stepper"),
    WORD_FIELD(vsp__params, friction, "friction"),
    WORD_FIELD(vsp__params, warm_start, "warm start"),
    WORD_FIELD(vsp__params, sweeps, "sweeps"),
    WORD_FIELD(vsp__params, correction_sweeps, "correction sweeps"),
    WORD_FIELD(vsp__params, rounds, "rounds"),
    WORD_FIELD(vsp__params, search_tries, "search tries"),
    WORD_FIELD(vsp__params, search_steps, "search steps"),
    WORD_FIELD(vsp__params, search, "search"),
    UNIT_FIELD(vsp__params, friction_damping, "damping of friction", 1),
    WORD_FIELD(vsp__params, sleep, "sleep"),
    WORD_FIELD(vsp__params, reports, "reports"),
    WORD_FIELD(vsp__params, tables, "tables"),
    NAMED_FIELD(vsp__params, capacity, "capacity", 7, VSP__FORM_WORD),
    WORD_FIELD(vsp__params, tick, "tick"),
    WORD_FIELD(vsp__params, continuous, "continuous"),
};

static const state_field body_fields[] = {
    WORD_FIELD(vsp__body, generation, "generation"),
    WORD_FIELD(vsp__body, type, "type"),
    WORD_FIELD(vsp__body, first_shape, "first shape"),
    WORD_FIELD(vsp__body, flags, "flags"),
    WORD_FIELD(vsp__body, user, "user"),
    WORD_FIELD(vsp__body, mass_given, "mass given"),
    WIDE_FIELD(vsp__body, given, "given", 1),
    REAL_FIELD(vsp__body, position, "position", 3),
    UNIT_FIELD(vsp__body, rotation, "rotation", 4),
    NAMED_FIELD(vsp__body, velocity, "velocity", 3, VSP__FORM_RATE),
    NAMED_FIELD(vsp__body, spin, "spin", 3, VSP__FORM_RATE),
    WIDE_FIELD(vsp__body, force, "force", 3),
    WIDE_FIELD(vsp__body, torque, "torque", 3),
    REAL_FIELD(vsp__body, mass_data.center, "centre", 3),
    WIDE_FIELD(vsp__body, mass_data.mass, "mass", 1),
    INERTIA_FIELDS,
    REAL_FIELD(vsp__body, linear_damping, "linear damping", 1),
    REAL_FIELD(vsp__body, angular_damping, "angular damping", 1),
    REAL_FIELD(vsp__body, gravity_scale, "gravity scale", 1),
    NAMED_FIELD(vsp__body, max_speed, "max speed", 1, VSP__FORM_RATE),
};

static const state_field shape_fields[] = {
    WORD_FIELD(vsp__shape, generation, "generation"),
    WORD_FIELD(vsp__shape, type, "type"),
    WORD_FIELD(vsp__shape, rules, "rules"),
    WORD_FIELD(vsp__shape, next_shape, "next shape"),
    WORD_FIELD(vsp__shape, body, "body"),
    WORD_FIELD(vsp__shape, table, "table"),
    REAL_FIELD(vsp__shape, size, "size", 3),
    REAL_FIELD(vsp__shape, pose.position, "position", 3),
    UNIT_FIELD(vsp__shape, pose.rotation, "rotation", 4),
    WIDE_FIELD(vsp__shape, density, "density", 1),
    REAL_FIELD(vsp__shape, friction, "friction", 1),
    REAL_FIELD(vsp__shape, restitution, "restitution", 1),
    NAMED_FIELD(vsp__shape, surface, "surface velocity", 3, VSP__FORM_RATE),
    WORD_FIELD(vsp__shape, filter.category, "category"),
    WORD_FIELD(vsp__shape, filter.mask, "mask"),
    WORD_FIELD(vsp__shape, filter.group, "group"),
};

static const state_field joint_fields[] = {
    WORD_FIELD(vsp__joint, generation, "generation"),
    WORD_FIELD(vsp__joint, type, "type"),
    WORD_FIELD(vsp__joint, flags, "flags"),
    NAMED_FIELD(vsp__joint, body, "bodies", 2, VSP__FORM_WORD),
    WORD_FIELD(vsp__joint, user, "user"),
    REAL_FIELD(vsp__joint, frame[0].position, "position a", 3),
    UNIT_FIELD(vsp__joint, frame[0].rotation, "rotation a", 4),
    REAL_FIELD(vsp__joint, frame[1].position, "position b", 3),
    UNIT_FIELD(vsp__joint, frame[1].rotation, "rotation b", 4),
    REAL_FIELD(vsp__joint, low, "low", 1),
    REAL_FIELD(vsp__joint, high, "high", 1),
    REAL_FIELD(vsp__joint, cone, "cone", 1),
    REAL_FIELD(vsp__joint, hertz, "limit frequency", 1),
    REAL_FIELD(vsp__joint, ratio, "limit damping", 1),
    NAMED_FIELD(vsp__joint, motor_speed, "motor speed", 1, VSP__FORM_RATE),
    WIDE_FIELD(vsp__joint, motor_max, "motor max", 1),
    WIDE_FIELD(vsp__joint, break_impulse, "break impulse", 1),
    WIDE_FIELD(vsp__joint, break_turn, "break turn", 1),
    WIDE_FIELD(vsp__joint, impulse, "multipliers", VSP__JOINT_ROWS),
};

static const state_field sensed_fields[] = {
    {"shape slots", 0, 1, 4, VSP__FORM_WORD},
};

static const state_field warm_fields[] = {
    WORD_FIELD(vsp__warm_record, pair, "shape slots"),
    WIDE_FIELD(vsp__warm_record, normal, "normal multiplier", 1),
    WIDE_FIELD(vsp__warm_record, tangent1, "first tangential one", 1),
    WIDE_FIELD(vsp__warm_record, tangent2, "second tangential one", 1),
};


/* ---- Records ------------------------------------------------------------- */

/* The differences found so far, and the record that is compared now. */
typedef struct diff_list {
    vsp_difference *differences;
    uint32_t capacity, count; /* count: of all, stored or not */
    const char *part;         /* these three as in vsp_difference */
    uint32_t index;
    vsp_body_id body;
} diff_list;

/* Reads a number of 1, 2 or 4 bytes; 0 when `at` is null. */
static uint32_t read_number(const unsigned char *at, uint32_t size)
{
    union {
        uint32_t word;
        uint16_t half;
        unsigned char bytes[4];
    } number = {0};
    uint32_t i;

    for (i = 0; at != NULL && i < size; i++)
        number.bytes[i] = at[i];
    if (size == 4)
        return number.word;
    return size == 2 ? number.half : number.bytes[0];
}

/* Binary places of a number, by its form. */
static const uint8_t places_of[] = {
    [VSP__FORM_REAL] = VSP__REAL_BITS,
    [VSP__FORM_UNIT] = VSP__UNIT_BITS,
    [VSP__FORM_RATE] = VSP__RATE_BITS,
    [VSP__FORM_PART] = 0,
};

static void add_difference(diff_list *list, const state_field *named,
                           uint32_t component, uint32_t a, uint32_t b)
{
    vsp_difference *d;

    if (list->count++ >= list->capacity)
        return;
    d = &list->differences[list->count - 1u];
    d->part = list->part;
    d->index = list->index;
    d->body = list->body;
    d->field = named->name;
    d->component = component;
    d->component_count = named->count;
    d->a = a;
    d->b = b;
    d->is_real = named->form != VSP__FORM_WORD && named->form != VSP__FORM_PART;
    d->places = places_of[named->form];
}

static void diff_field(diff_list *list, const state_field *named,
                       const unsigned char *a, const unsigned char *b)
{
    uint32_t i;

    for (i = 0; i < named->count; i++) {
        uint32_t at = named->offset + i * named->size;
        uint32_t in_a = read_number(a != NULL ? a + at : NULL, named->size);
        uint32_t in_b = read_number(b != NULL ? b + at : NULL, named->size);

        if (in_a != in_b)
            add_difference(list, named, i, in_a, in_b);
    }
}

/* Compares two records; a or b is null when one world does not have it. */
static void diff_record(diff_list *list, const state_field *fields,
                        uint32_t count, const void *a, const void *b)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        diff_field(list, &fields[i], (const unsigned char *)a,
                   (const unsigned char *)b);
}


/* ---- Worlds -------------------------------------------------------------- */

static uint32_t larger_of(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The body in a slot of a, else of b. */
static vsp_body_id either_body(const vsp_world *a, const vsp_world *b,
                               uint32_t slot)
{
    vsp_body_id id = vsp_body_at(a, slot);

    return id.bits != 0 ? id : vsp_body_at(b, slot);
}

static void diff_bodies(diff_list *list, const vsp_world *a, const vsp_world *b)
{
    uint32_t i, count = larger_of(a->body_used, b->body_used);

    list->part = "body";
    for (i = 0; i < count; i++) {
        list->index = i;
        list->body = either_body(a, b, i);
        diff_record(list, body_fields, VSP__COUNT_OF(body_fields),
                    i < a->body_used ? &a->bodies[i] : NULL,
                    i < b->body_used ? &b->bodies[i] : NULL);
    }
}

static void diff_shapes(diff_list *list, const vsp_world *a, const vsp_world *b)
{
    uint32_t i, count = larger_of(a->shape_used, b->shape_used);

    list->part = "shape";
    for (i = 0; i < count; i++) {
        list->index = i;
        list->body = vsp_shape_body(a, vsp_shape_at(a, i));
        if (list->body.bits == 0)
            list->body = vsp_shape_body(b, vsp_shape_at(b, i));
        diff_record(list, shape_fields, VSP__COUNT_OF(shape_fields),
                    i < a->shape_used ? &a->shapes[i] : NULL,
                    i < b->shape_used ? &b->shapes[i] : NULL);
    }
}

static void diff_joints(diff_list *list, const vsp_world *a, const vsp_world *b)
{
    const vsp__joint_pool *in_a = vsp__joint_pool_of(a),
                          *in_b = vsp__joint_pool_of(b);
    uint32_t i, count = larger_of(in_a->used, in_b->used);

    list->part = "joint";
    for (i = 0; i < count; i++) {
        list->index = i;
        diff_record(list, joint_fields, VSP__COUNT_OF(joint_fields),
                    i < in_a->used ? &in_a->joints[i] : NULL,
                    i < in_b->used ? &in_b->joints[i] : NULL);
    }
}

static void diff_warm(diff_list *list, const vsp_world *a, const vsp_world *b)
{
    uint32_t i, count = larger_of(a->warm_count, b->warm_count);

    list->part = "warm";
    for (i = 0; i < count; i++) {
        list->index = i;
        diff_record(list, warm_fields, VSP__COUNT_OF(warm_fields),
                    i < a->warm_count ? &a->problem.between.warm[i] : NULL,
                    i < b->warm_count ? &b->problem.between.warm[i] : NULL);
    }
}

static void diff_sensed(diff_list *list, const vsp_world *a, const vsp_world *b)
{
    uint32_t i, count = larger_of(a->sensed_count, b->sensed_count);

    list->part = "sensed";
    for (i = 0; i < count; i++) {
        list->index = i;
        diff_record(list, sensed_fields, VSP__COUNT_OF(sensed_fields),
                    i < a->sensed_count ? &a->sensed[i] : NULL,
                    i < b->sensed_count ? &b->sensed[i] : NULL);
    }
}

vsp_status vsp_world_diff(const vsp_world *a, const vsp_world *b,
                          vsp_difference *differences, uint32_t capacity,
                          uint32_t *count)
{
    static const diff_list empty;
    diff_list list = empty;

    if (count == NULL || vsp_world_capacity(a).bodies == 0 ||
        vsp_world_capacity(b).bodies == 0 ||
        (differences == NULL && capacity > 0))
        return VSP_ERR_ARG;
    list.differences = differences;
    list.capacity = capacity;
    diff_bodies(&list, a, b);
    diff_shapes(&list, a, b);
    list.body.bits = list.index = 0;
    if (VSP_JOINTS)
        diff_joints(&list, a, b);
    list.index = 0;
    list.part = "world";
    diff_record(&list, params_fields, VSP__COUNT_OF(params_fields), &a->params,
                &b->params);
    diff_warm(&list, a, b);
    diff_sensed(&list, a, b);
    *count = list.count;
    return list.count > 0 ? VSP_DIVERGED : VSP_OK;
}

#endif /* VSP_DIFF */
