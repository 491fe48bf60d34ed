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
    uint8_t offset; /* offset in its struct, bytes */
    uint8_t count;  /* number of components */
    uint8_t size;   /* bytes of a component: 1, 2 or 4 */
    uint8_t form;   /* vsp__number_form */
} state_field;

/* Fields are listed once, and make two tables: numbers, and names one after
 * another.  So rows need neither an address nor space for the longest name. */
#define AS_FIELD(type, member, name, count, form) \
    {offsetof(type, member), count,               \
     (uint8_t)(sizeof(((type *)0)->member) / (count)), VSP__FORM_##form},
#define AS_NAME(type, member, name, count, form) name "\0"

/* In the fixed kind the parts of an inertia are mantissas that share one shift,
 * which follows them. */
#if VSP_FIXED
#define INERTIA_FIELDS(X)                               \
    X(vsp__body, mass_data.inertia, "inertia", 6, PART) \
    X(vsp__body, mass_data.inertia.shift, "inertia shift", 1, WORD)
#else
#define INERTIA_FIELDS(X) X(vsp__body, mass_data.inertia, "inertia", 6, REAL)
#endif

#define PARAMS_FIELDS(X)                                             \
    X(vsp__params, gravity, "gravity", 3, RATE)                      \
    X(vsp__params, dt, "dt", 1, UNIT)                                \
    X(vsp__params, envelope, "envelope", 1, REAL)                    \
    X(vsp__params, tolerance, "tolerance", 1, RATE)                  \
    X(vsp__params, fraction, "fraction", 1, UNIT)                    \
    X(vsp__params, sleep_speed, "sleep speed", 1, RATE)              \
    X(vsp__params, sleep_time, "sleep time", 1, REAL)                \
    X(vsp__params, stepper, "stepper", 1, WORD)                      \
    X(vsp__params, friction, "friction", 1, WORD)                    \
    X(vsp__params, warm_start, "warm start", 1, WORD)                \
    X(vsp__params, sweeps, "sweeps", 1, WORD)                        \
    X(vsp__params, correction_sweeps, "correction sweeps", 1, WORD)  \
    X(vsp__params, rounds, "rounds", 1, WORD)                        \
    X(vsp__params, search_tries, "search tries", 1, WORD)            \
    X(vsp__params, search_steps, "search steps", 1, WORD)            \
    X(vsp__params, search, "search", 1, WORD)                        \
    X(vsp__params, friction_damping, "damping of friction", 1, UNIT) \
    X(vsp__params, sleep, "sleep", 1, WORD)                          \
    X(vsp__params, reports, "reports", 1, WORD)                      \
    X(vsp__params, tables, "tables", 1, WORD)                        \
    X(vsp__params, capacity, "capacity", 7, WORD)                    \
    X(vsp__params, tick, "tick", 1, WORD)                            \
    X(vsp__params, continuous, "continuous", 1, WORD)

#define BODY_FIELDS(X)                                        \
    X(vsp__body, generation, "generation", 1, WORD)           \
    X(vsp__body, type, "type", 1, WORD)                       \
    X(vsp__body, first_shape, "first shape", 1, WORD)         \
    X(vsp__body, flags, "flags", 1, WORD)                     \
    X(vsp__body, user, "user", 1, WORD)                       \
    X(vsp__body, mass_given, "mass given", 1, WORD)           \
    X(vsp__body, given, "given", 1, WIDE)                     \
    X(vsp__body, position, "position", 3, REAL)               \
    X(vsp__body, rotation, "rotation", 4, UNIT)               \
    X(vsp__body, velocity, "velocity", 3, RATE)               \
    X(vsp__body, spin, "spin", 3, RATE)                       \
    X(vsp__body, force, "force", 3, WIDE)                     \
    X(vsp__body, torque, "torque", 3, WIDE)                   \
    X(vsp__body, mass_data.center, "centre", 3, REAL)         \
    X(vsp__body, mass_data.mass, "mass", 1, WIDE)             \
    INERTIA_FIELDS(X)                                         \
    X(vsp__body, linear_damping, "linear damping", 1, REAL)   \
    X(vsp__body, angular_damping, "angular damping", 1, REAL) \
    X(vsp__body, gravity_scale, "gravity scale", 1, REAL)     \
    X(vsp__body, max_speed, "max speed", 1, RATE)

#if VSP_ROLLING
#define ROLLING_FIELDS(X)                               \
    X(vsp__shape, rolling, "rolling friction", 1, REAL) \
    X(vsp__shape, spinning, "spinning friction", 1, REAL)
#else
#define ROLLING_FIELDS(X)
#endif

#define SHAPE_FIELDS(X)                                 \
    X(vsp__shape, generation, "generation", 1, WORD)    \
    X(vsp__shape, type, "type", 1, WORD)                \
    X(vsp__shape, rules, "rules", 1, WORD)              \
    X(vsp__shape, next_shape, "next shape", 1, WORD)    \
    X(vsp__shape, body, "body", 1, WORD)                \
    X(vsp__shape, table, "table", 1, WORD)              \
    X(vsp__shape, user, "user", 1, WORD)                \
    X(vsp__shape, size, "size", 3, REAL)                \
    X(vsp__shape, pose.position, "position", 3, REAL)   \
    X(vsp__shape, pose.rotation, "rotation", 4, UNIT)   \
    X(vsp__shape, density, "density", 1, WIDE)          \
    X(vsp__shape, friction, "friction", 1, REAL)        \
    X(vsp__shape, restitution, "restitution", 1, REAL)  \
    X(vsp__shape, surface, "surface velocity", 3, RATE) \
    X(vsp__shape, filter.category, "category", 1, WORD) \
    X(vsp__shape, filter.mask, "mask", 1, WORD)         \
    X(vsp__shape, filter.group, "group", 1, WORD)       \
    ROLLING_FIELDS(X)

#define JOINT_FIELDS(X)                                     \
    X(vsp__joint, generation, "generation", 1, WORD)        \
    X(vsp__joint, type, "type", 1, WORD)                    \
    X(vsp__joint, flags, "flags", 1, WORD)                  \
    X(vsp__joint, body, "bodies", 2, WORD)                  \
    X(vsp__joint, user, "user", 1, WORD)                    \
    X(vsp__joint, frame[0].position, "position a", 3, REAL) \
    X(vsp__joint, frame[0].rotation, "rotation a", 4, UNIT) \
    X(vsp__joint, frame[1].position, "position b", 3, REAL) \
    X(vsp__joint, frame[1].rotation, "rotation b", 4, UNIT) \
    X(vsp__joint, low, "low", 1, REAL)                      \
    X(vsp__joint, high, "high", 1, REAL)                    \
    X(vsp__joint, cone, "cone", 1, REAL)                    \
    X(vsp__joint, hertz, "limit frequency", 1, REAL)        \
    X(vsp__joint, ratio, "limit damping", 1, REAL)          \
    X(vsp__joint, motor_speed, "motor speed", 1, RATE)      \
    X(vsp__joint, motor_max, "motor max", 1, WIDE)          \
    X(vsp__joint, break_impulse, "break impulse", 1, WIDE)  \
    X(vsp__joint, break_turn, "break turn", 1, WIDE)        \
    X(vsp__joint, yield_torque, "yield torque", 1, WIDE)    \
    X(vsp__joint, break_angle, "break angle", 1, REAL)      \
    X(vsp__joint, bent, "bent", 1, REAL)                    \
    X(vsp__joint, impulse, "multipliers", VSP__JOINT_IMPULSES, WIDE)

#define WARM_FIELDS(X)                                             \
    X(vsp__warm_record, pair, "shape slots", 1, WORD)              \
    X(vsp__warm_record, normal, "normal multiplier", 1, WIDE)      \
    X(vsp__warm_record, tangent1, "first tangential one", 1, WIDE) \
    X(vsp__warm_record, tangent2, "second tangential one", 1, WIDE)

#define RULE_FIELDS(X)                                       \
    X(vsp__pair_record, categories, "categories", 2, WORD)   \
    X(vsp__pair_record, flags, "flags", 1, WORD)             \
    X(vsp__pair_record, friction, "friction", 1, REAL)       \
    X(vsp__pair_record, restitution, "restitution", 1, REAL) \
    X(vsp__pair_record, mass, "masses", 2, UNIT)             \
    X(vsp__pair_record, hit_speed, "hit speed", 1, RATE)

#define HULL_FIELDS(X)                                         \
    X(vsp__runtime_hull, generation, "generation", 1, WORD)    \
    X(vsp__runtime_hull, table.kind, "kind", 1, WORD)          \
    X(vsp__runtime_hull, table.vertex_count, "count", 1, WORD) \
    X(vsp__runtime_hull, vertices, "vertices", 48, WORD)

#define TILE_FIELDS(X)                               \
    X(vsp__field_tile, shape, "shape slot", 1, WORD) \
    X(vsp__field_tile, column, "column", 1, WORD)    \
    X(vsp__field_tile, row, "row", 1, WORD)          \
    X(vsp__field_tile, heights, "heights", 64, WORD) \
    X(vsp__field_tile, materials, "materials", 64, WORD)

/* a sensed pair is the first field of a warm record, the shape slots, alone */
#define SENSED_FIELDS 1u

static const state_field params_fields[] = {PARAMS_FIELDS(AS_FIELD)};
static const char params_names[] = PARAMS_FIELDS(AS_NAME);

static const state_field body_fields[] = {BODY_FIELDS(AS_FIELD)};
static const char body_names[] = BODY_FIELDS(AS_NAME);

static const state_field shape_fields[] = {SHAPE_FIELDS(AS_FIELD)};
static const char shape_names[] = SHAPE_FIELDS(AS_NAME);

static const state_field joint_fields[] = {JOINT_FIELDS(AS_FIELD)};
static const char joint_names[] = JOINT_FIELDS(AS_NAME);

static const state_field warm_fields[] = {WARM_FIELDS(AS_FIELD)};
static const char warm_names[] = WARM_FIELDS(AS_NAME);

#if VSP_FIELD_EDITS
static const state_field tile_fields[] = {TILE_FIELDS(AS_FIELD)};
static const char tile_names[] = TILE_FIELDS(AS_NAME);
#endif

#if VSP_PAIR_RULES
static const state_field rule_fields[] = {RULE_FIELDS(AS_FIELD)};
static const char rule_names[] = RULE_FIELDS(AS_NAME);
#endif

#if VSP_MAX_RUNTIME_HULLS > 0
static const state_field hull_fields[] = {HULL_FIELDS(AS_FIELD)};
static const char hull_names[] = HULL_FIELDS(AS_NAME);
#endif


/* ---- Records ------------------------------------------------------------- */

/* The differences found so far, and the record that is compared at present. */
typedef struct diff_list {
    vsp_difference *differences;
    uint32_t capacity, count; /* count: of all, stored or not */
    const vsp_world *world[2];
    const char *part; /* these three as in vsp_difference */
    uint32_t index;
    vsp_body_id body;
} diff_list;

/* The records of one type, in both worlds. */
typedef struct record_kind {
    const state_field *fields;
    uint32_t field_count;
    const char *names;
    uint32_t size;        /* of a record, bytes */
    const void *first[2]; /* record of each world */
    uint32_t count[2];
} record_kind;

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

static void add_difference(diff_list *list, const state_field *field,
                           const char *name, uint32_t component, uint32_t a,
                           uint32_t b)
{
    vsp_difference *d;

    if (list->count++ >= list->capacity)
        return;
    d = &list->differences[list->count - 1u];
    d->part = list->part;
    d->index = list->index;
    d->body = list->body;
    d->field = name;
    d->component = component;
    d->component_count = field->count;
    d->a = a;
    d->b = b;
    d->is_real = field->form != VSP__FORM_WORD && field->form != VSP__FORM_PART;
    d->places = places_of[field->form];
}

static void diff_field(diff_list *list, const state_field *field,
                       const char *name, const unsigned char *a,
                       const unsigned char *b)
{
    uint32_t i;

    for (i = 0; i < field->count; i++) {
        uint32_t at = field->offset + i * field->size;
        uint32_t in_a = read_number(a != NULL ? a + at : NULL, field->size);
        uint32_t in_b = read_number(b != NULL ? b + at : NULL, field->size);

        if (in_a != in_b)
            add_difference(list, field, name, i, in_a, in_b);
    }
}

/* Returns record i of a world; null if the world does not have it. */
static const unsigned char *record_of(const record_kind *kind, uint32_t world,
                                      uint32_t i)
{
    return i < kind->count[world]
               ? (const unsigned char *)kind->first[world] + i * kind->size
               : NULL;
}

/* Compares record list->index of both worlds. */
static void diff_record(diff_list *list, const record_kind *kind)
{
    const unsigned char *a = record_of(kind, 0, list->index);
    const unsigned char *b = record_of(kind, 1, list->index);
    const char *name = kind->names;
    uint32_t i;

    for (i = 0; i < kind->field_count; i++) {
        diff_field(list, &kind->fields[i], name, a, b);
        while (*name++ != '\0')
            continue;
    }
}


/* ---- Worlds -------------------------------------------------------------- */

/* Returns the body in a slot, or of the shape in a slot, of the first world,
 * else of the second; null for records of other types. */
static vsp_body_id body_of_record(const diff_list *list,
                                  const record_kind *kind)
{
    vsp_body_id id = {0};
    uint32_t i;

    for (i = 0; i < 2 && id.bits == 0; i++) {
        if (kind->fields == body_fields)
            id = vsp_body_at(list->world[i], list->index);
        else if (kind->fields == shape_fields)
            id = vsp_shape_body(list->world[i],
                                vsp_shape_at(list->world[i], list->index));
    }
    return id;
}

/* Compares all records of a type; *part is their name in vsp_difference. */
static void diff_records(diff_list *list, const record_kind *kind,
                         const char *part)
{
    list->part = part;
    for (list->index = 0;
         list->index < kind->count[0] || list->index < kind->count[1];
         list->index++) {
        list->body = body_of_record(list, kind);
        diff_record(list, kind);
    }
}

#define KIND_OF(name, type, a, a_count, b, b_count)                \
    {                                                              \
        name##_fields, VSP__COUNT_OF(name##_fields), name##_names, \
            sizeof(type), {a, b},                                  \
        {                                                          \
            a_count, b_count                                       \
        }                                                          \
    }

static void diff_joints(diff_list *list, const vsp_world *a, const vsp_world *b)
{
    const vsp__joint_pool *in_a = vsp__joint_pool_of(a),
                          *in_b = vsp__joint_pool_of(b);
    const record_kind joints = KIND_OF(joint, vsp__joint, in_a->joints,
                                       in_a->used, in_b->joints, in_b->used);

    diff_records(list, &joints, "joint");
}

#if VSP_PAIR_RULES
static void diff_rules(diff_list *list, const vsp_world *a, const vsp_world *b)
{
    const record_kind rules = KIND_OF(rule, vsp__pair_record, a->rules,
                                      a->rule_count, b->rules, b->rule_count);

    diff_records(list, &rules, "rule");
}
#else
static void diff_rules(diff_list *list, const vsp_world *a, const vsp_world *b)
{
    (void)list;
    (void)a;
    (void)b;
}
#endif

#if VSP_MAX_RUNTIME_HULLS > 0
static void diff_hulls(diff_list *list, const vsp_world *a, const vsp_world *b)
{
    const vsp__hull_pool *in_a = vsp__hull_pool_of(a),
                         *in_b = vsp__hull_pool_of(b);
    const record_kind hulls = KIND_OF(hull, vsp__runtime_hull, in_a->hulls,
                                      in_a->used, in_b->hulls, in_b->used);

    diff_records(list, &hulls, "hull");
}
#else
static void diff_hulls(diff_list *list, const vsp_world *a, const vsp_world *b)
{
    (void)list;
    (void)a;
    (void)b;
}
#endif

#if VSP_FIELD_EDITS
static void diff_tiles(diff_list *list, const vsp_world *a, const vsp_world *b)
{
    const record_kind tiles = KIND_OF(tile, vsp__field_tile, a->tiles,
                                      a->tile_count, b->tiles, b->tile_count);

    diff_records(list, &tiles, "tile");
}
#else
static void diff_tiles(diff_list *list, const vsp_world *a, const vsp_world *b)
{
    (void)list;
    (void)a;
    (void)b;
}
#endif

static void diff_all(diff_list *list, const vsp_world *a, const vsp_world *b)
{
    const record_kind bodies = KIND_OF(body, vsp__body, a->bodies, a->body_used,
                                       b->bodies, b->body_used);
    const record_kind shapes = KIND_OF(shape, vsp__shape, a->shapes,
                                       a->shape_used, b->shapes, b->shape_used);
    const record_kind worlds = KIND_OF(params, vsp__params, &a->params, 1,
                                       &b->params, 1);
    const record_kind warm = KIND_OF(warm, vsp__warm_record,
                                     a->problem.between.warm, a->warm_count,
                                     b->problem.between.warm, b->warm_count);
    const record_kind sensed = {warm_fields,
                                SENSED_FIELDS,
                                warm_names,
                                sizeof(uint32_t),
                                {a->sensed, b->sensed},
                                {a->sensed_count, b->sensed_count}};

    diff_records(list, &bodies, "body");
    diff_records(list, &shapes, "shape");
    if (VSP_JOINTS)
        diff_joints(list, a, b);
    diff_records(list, &worlds, "world");
    diff_records(list, &warm, "warm");
    diff_records(list, &sensed, "sensed");
    diff_rules(list, a, b);
    diff_hulls(list, a, b);
    diff_tiles(list, a, b);
}

vsp_status vsp_world_diff(const vsp_world *a, const vsp_world *b,
                          vsp_difference *differences, uint32_t capacity,
                          uint32_t *count)
{
    diff_list list;

    if (count == NULL || vsp_world_capacity(a).bodies == 0 ||
        vsp_world_capacity(b).bodies == 0 ||
        (differences == NULL && capacity > 0))
        return VSP_ERR_ARG;
    vsp__zero_bytes(&list, sizeof list);
    list.differences = differences;
    list.capacity = capacity;
    list.world[0] = a;
    list.world[1] = b;
    diff_all(&list, a, b);
    *count = list.count;
    return list.count > 0 ? VSP_DIVERGED : VSP_OK;
}

#endif /* VSP_DIFF */
