/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The calls of a replay as words (VSP_REPLAY).  In this order: words and bytes;
 * the arguments of calls, written by put_ functions and read by get_ ones;
 * making a call from its words.  A recorder makes each call from the words
 * that it writes, so a replay cannot differ from the recording by a
 * conversion. */

#include "record.h"

#if VSP_REPLAY

const uint32_t vsp__replay_head[VSP__REPLAY_HEAD_STARTS] = {
    0x52505356u, /* "VSPR" */
    VSP_REPLAY_FORMAT_VERSION,
    VSP_VERSION,
    VSP_BITS_VERSION,
    VSP_FIXED ? 2 : 1, /* kind of number */
};

/* Reals that are adjacent in a record are adjacent in the structs, too. */
#define REALS_BETWEEN(type, first, last) \
    ((offsetof(type, last) - offsetof(type, first)) / sizeof(vsp_real))

VSP_STATIC_ASSERT(reals_side_by_side,
                  sizeof(vsp_transform) == 4u * VSP__POSE_WORDS &&
                      sizeof(vsp_vec3) == 4u * VSP__VEC3_WORDS);
VSP_STATIC_ASSERT(shape_def_reals,
                  REALS_BETWEEN(vsp_shape_def, pose, material) == 8u &&
                      REALS_BETWEEN(vsp_shape_def, rolling_friction,
                                    spinning_friction) == 1u);
VSP_STATIC_ASSERT(body_def_reals,
                  REALS_BETWEEN(vsp_body_def, pose, max_speed) == 16u &&
                      REALS_BETWEEN(vsp_body_def, mass, inertia) == 4u);
VSP_STATIC_ASSERT(
    joint_def_reals,
    REALS_BETWEEN(vsp_joint_def, frame_a, frame_b) == 7u &&
        REALS_BETWEEN(vsp_joint_def, low, limit_damping) == 4u &&
        REALS_BETWEEN(vsp_joint_def, motor_speed, break_turn) == 3u &&
        REALS_BETWEEN(vsp_joint_def, yield_torque, break_angle) == 1u &&
        REALS_BETWEEN(vsp_joint_def, motor_target, motor_damping) == 2u);

VSP_STATIC_ASSERT(explosion_reals,
                  REALS_BETWEEN(vsp_explosion, center, impulse) == 5u);

VSP_STATIC_ASSERT(filter_words, sizeof(vsp_filter) == 12u);

#define OP_WORDS(name, words, reals) (words) + (reals) * sizeof(vsp_real) / 4u,

const uint8_t vsp__op_words[VSP_OP_COUNT] = {0, VSP_REPLAY_OPS(OP_WORDS)};


/* ---- Words and bytes ----------------------------------------------------- */

/* Reads words into numbers of 32 bits, integers or floats. */
static void get_numbers(void *to, const vsp__file_word *w, uint32_t count)
{
    unsigned char *out = (unsigned char *)to;

    for (; count > 0; count--, out += 4) {
        uint32_t bits = vsp__file_word_of(w++);

        vsp__copy_bytes(out, &bits, 4);
    }
}

/* Convert reals to words and back: one word in the float kind, two in the fixed
 * kind, the lower one first.  Both return the address of the next number. */
#if VSP_FIXED
uint32_t *vsp__put_reals(uint32_t *w, const vsp_real *from, uint32_t count)
{
    for (; count > 0; count--, from++) {
        *w++ = (uint32_t)((uint64_t)*from & 0xffffffffu);
        *w++ = (uint32_t)((uint64_t)*from >> 32);
    }
    return w;
}

static const vsp__file_word *get_reals(vsp_real *to, const vsp__file_word *w,
                                       uint32_t count)
{
    for (; count > 0; count--, w += 2)
        *to++ = (vsp_real)(vsp__file_word_of(w) |
                           (uint64_t)vsp__file_word_of(w + 1) << 32);
    return w;
}
#else
uint32_t *vsp__put_reals(uint32_t *w, const vsp_real *from, uint32_t count)
{
    vsp__copy_numbers(w, from, count);
    return w + count;
}

static const vsp__file_word *get_reals(vsp_real *to, const vsp__file_word *w,
                                       uint32_t count)
{
    get_numbers(to, w, count);
    return w + count;
}
#endif

uint32_t vsp__sum_bytes(uint32_t sum, const unsigned char *bytes, size_t size)
{
    for (; size >= 4; size -= 4, bytes += 4)
        sum = vsp__hash_word(sum, vsp__get_word(bytes));
    return sum;
}

uint32_t vsp__checksum_of(const unsigned char *bytes, size_t size)
{
    return vsp__hash_end(vsp__sum_bytes(0, bytes, size));
}


/* ---- A call as words -------------------------------------------------------
 * The arguments in their order, then the new id of a call that creates.  put_
 * functions write words, get_ functions read them. */

static vsp_real get_real(const vsp__file_word *w)
{
    vsp_real x;

    get_reals(&x, w, 1);
    return x;
}

static vsp_vec3 get_vec3(const vsp__file_word *w)
{
    vsp_vec3 v = {0, 0, 0};

    get_reals(&v.x, w, 3);
    return v;
}

static void get_pose(const vsp__file_word *w, vsp_transform *pose)
{
    get_reals(&pose->position.x, w, 7); /* rotation */
}

/* Reads an enumerator.  Compilers may store enumerations in a byte: a large
 * word must not become a valid enumerator by truncation. */
static uint32_t get_choice(const vsp__file_word *w)
{
    uint32_t bits = vsp__file_word_of(w);

    return bits < 100u ? bits : 100u;
}


/* ---- Defs ------------------------------------------------------------------
 * A def as words, in the order of its table.  A row of the table is numbers or
 * reals that are side by side in the def, a switch, or an enumerator. */

typedef enum def_kind {
    DEF_NUMBERS,
    DEF_REALS,
    DEF_SWITCH,
    DEF_CHOICE
} def_kind;

typedef struct def_field {
    uint8_t kind;  /* def_kind */
    uint8_t count; /* 0: the end of the table */
    uint16_t at;   /* offset in the def */
} def_field;

#define DEF_FIELD(kind, count, type, member)      \
    {                                             \
        DEF_##kind, count, offsetof(type, member) \
    }
#define SHAPE_FIELD(kind, count, member) \
    DEF_FIELD(kind, count, vsp_shape_def, member)
#define BODY_FIELD(kind, count, member) \
    DEF_FIELD(kind, count, vsp_body_def, member)
#define JOINT_FIELD(kind, count, member) \
    DEF_FIELD(kind, count, vsp_joint_def, member)

static const def_field material_fields[] = {
    DEF_FIELD(REALS, 2, vsp_material, friction), /* restitution */
    DEF_FIELD(CHOICE, 1, vsp_material, friction_rule),
    DEF_FIELD(CHOICE, 1, vsp_material, restitution_rule),
    {0, 0, 0},
};

/* vsp__put_shape_def completes the fourth word and the last vector */
static const def_field shape_def_fields[] = {
    SHAPE_FIELD(NUMBERS, 1, cookie),
    SHAPE_FIELD(CHOICE, 1, type),
    SHAPE_FIELD(NUMBERS, 1, table),
    SHAPE_FIELD(SWITCH, 1, is_sensor),
    SHAPE_FIELD(REALS, 3, size),
    SHAPE_FIELD(REALS, 8, pose),              /* density */
    SHAPE_FIELD(REALS, 2, material.friction), /* restitution */
    SHAPE_FIELD(CHOICE, 1, material.friction_rule),
    SHAPE_FIELD(CHOICE, 1, material.restitution_rule),
    SHAPE_FIELD(NUMBERS, 3, filter),
    SHAPE_FIELD(REALS, 3, surface_velocity),
    SHAPE_FIELD(REALS, 2, rolling_friction), /* spinning_friction */
    {0, 0, 0},
};

static const def_field body_def_fields[] = {
    BODY_FIELD(NUMBERS, 1, cookie),
    BODY_FIELD(CHOICE, 1, type),
    BODY_FIELD(REALS, 17, pose), /* to max_speed */
    BODY_FIELD(NUMBERS, 1, locks),
    BODY_FIELD(SWITCH, 1, is_bullet),
    BODY_FIELD(SWITCH, 1, enable_sleep),
    BODY_FIELD(NUMBERS, 1, user),
    BODY_FIELD(REALS, 7, mass), /* center, inertia */
    {0, 0, 0},
};

/* A switch is a byte; an enumerator is a byte or an unsigned int. */
VSP_STATIC_ASSERT(choice_bytes, sizeof(vsp_rule) == 1u ||
                                    sizeof(vsp_rule) == sizeof(unsigned));
VSP_STATIC_ASSERT(same_choices,
                  sizeof(vsp_rule) == sizeof(vsp_shape_type) &&
                      sizeof(vsp_rule) == sizeof(vsp_body_type) &&
                      sizeof(vsp_rule) == sizeof(vsp_joint_type) &&
                      sizeof(vsp_rule) == sizeof(vsp_motor_mode));
VSP_STATIC_ASSERT(switch_bytes, sizeof(bool) == 1u);

/* whether the values of a kind are stored in a byte */
static bool is_byte(uint32_t kind)
{
    return kind == DEF_SWITCH || (kind == DEF_CHOICE && sizeof(vsp_rule) == 1u);
}

/* Writes the fields of a def.  Returns the address of the next word. */
static uint32_t *put_fields(uint32_t *w, const void *def, const def_field *f)
{
    for (; f->count > 0; f++) {
        const unsigned char *from = (const unsigned char *)def + f->at;

        if (f->kind == DEF_REALS) {
            w = vsp__put_reals(w, (const vsp_real *)(const void *)from,
                               f->count);
        } else if (is_byte(f->kind)) {
            *w++ = *from;
        } else if (f->kind == DEF_CHOICE) {
            *w++ = *(const unsigned *)(const void *)from;
        } else {
            vsp__copy_numbers(w, from, f->count);
            w += f->count;
        }
    }
    return w;
}

/* Reads the fields of a def.  Returns the address of the next word. */
static const vsp__file_word *get_fields(void *def, const vsp__file_word *w,
                                        const def_field *f)
{
    for (; f->count > 0; f++) {
        unsigned char *to = (unsigned char *)def + f->at;
        uint32_t choice = get_choice(w);

        if (f->kind == DEF_REALS) {
            w = get_reals((vsp_real *)(void *)to, w, f->count);
            continue;
        }
        if (f->kind == DEF_SWITCH)
            *to = vsp__file_word_of(w) != 0;
        else if (is_byte(f->kind))
            *to = (unsigned char)choice;
        else if (f->kind == DEF_CHOICE)
            *(unsigned *)(void *)to = (unsigned)choice;
        else
            get_numbers(to, w, f->count);
        w += f->count;
    }
    return w;
}

void vsp__put_material(uint32_t *w, const vsp_material *material)
{
    put_fields(w, material, material_fields);
}

static vsp_material get_material(const vsp__file_word *w)
{
    vsp_material material;

    get_fields(&material, w, material_fields);
    return material;
}

/* Bits of the fourth word of a shape's def, whose high half is the user word.
 * With TURNS the last vector is the spin of the surface, not its velocity. */
#define SHAPE_FLAGS_WORD 3u
#define SHAPE_IS_SENSOR 1u
#define SHAPE_TURNS 2u
#define SHAPE_SURFACE_WORD (VSP__SHAPE_DEF_WORDS - 5u * VSP__REAL_WORDS)

void vsp__put_shape_def(uint32_t *w, const vsp_shape_def *def)
{
    bool turns = !vsp__is_zero_vector(&def->surface_spin);

    put_fields(w, def, shape_def_fields);
    w[SHAPE_FLAGS_WORD] |= (turns ? SHAPE_TURNS : 0u) | def->user << 16;
    if (turns)
        vsp__put_vec3(w + SHAPE_SURFACE_WORD, &def->surface_spin);
    /* a def that the words cannot hold is refused */
    if (def->user > 0xffffu ||
        (turns && !vsp__is_zero_vector(&def->surface_velocity)))
        *w = 0;
}

static void get_shape_def(const vsp__file_word *w, vsp_shape_def *def)
{
    uint32_t flags = vsp__file_word_of(w + SHAPE_FLAGS_WORD);

    get_fields(def, w, shape_def_fields);
    def->is_sensor = (flags & SHAPE_IS_SENSOR) != 0;
    def->user = flags >> 16;
    vsp__zero_bytes(&def->surface_spin, sizeof def->surface_spin);
    if (flags & SHAPE_TURNS) {
        def->surface_spin = def->surface_velocity;
        vsp__zero_bytes(&def->surface_velocity, sizeof def->surface_velocity);
    }
}

/* Bits of the word after is_bullet. */
#define BODY_FLAGS_WORD (4u + 17u * VSP__REAL_WORDS)
#define BODY_SLEEPS 1u
#define BODY_IS_DISABLED 2u

void vsp__put_body_def(uint32_t *w, const vsp_body_def *def)
{
    uint32_t *shape = put_fields(w, def, body_def_fields);

    w[BODY_FLAGS_WORD] |= def->is_disabled ? BODY_IS_DISABLED : 0u;
    vsp__put_shape_def(shape, &def->shape);
}

static void get_body_def(const vsp__file_word *w, vsp_body_def *def)
{
    uint32_t flags = vsp__file_word_of(w + BODY_FLAGS_WORD);

    get_shape_def(get_fields(def, w, body_def_fields), &def->shape);
    def->enable_sleep = (flags & BODY_SLEEPS) != 0;
    def->is_disabled = (flags & BODY_IS_DISABLED) != 0;
}


/* ---- Calls from words ---------------------------------------------------- */

static vsp_status create_body(vsp_world *world, const vsp__file_word *w,
                              uint32_t *new_id)
{
    vsp_body_def def;
    vsp_body_id id;
    vsp_status status;

    get_body_def(w, &def);
    status = vsp_body_create(world, &def, &id);
    *new_id = id.bits;
    return status;
}

static vsp_status create_shape(vsp_world *world, const vsp__file_word *w,
                               uint32_t *new_id)
{
    vsp_body_id body;
    vsp_shape_def def;
    vsp_shape_id id;
    vsp_status status;

    body.bits = vsp__file_word_of(w);
    get_shape_def(w + 1, &def);
    status = vsp_shape_create(world, body, &def, &id);
    *new_id = id.bits;
    return status;
}

/* Calls that change or destroy a shape. */
static vsp_status set_shape(vsp_world *world, uint32_t op,
                            const vsp__file_word *w)
{
    vsp_shape_id id;
    vsp_filter filter;

    id.bits = vsp__file_word_of(w);
    switch (op) {
    case VSP_OP_SHAPE_DESTROY:
        return vsp_shape_destroy(world, id);
    case VSP_OP_SHAPE_SET_MATERIAL:
        return vsp_shape_set_material(world, id, get_material(w + 1));
    case VSP_OP_SHAPE_SET_FILTER:
        get_numbers(&filter, w + 1, 3);
        return vsp_shape_set_filter(world, id, filter);
    case VSP_OP_SHAPE_SET_USER:
        return vsp_shape_set_user(world, id, vsp__file_word_of(w + 1));
    default:
        return vsp_shape_set_surface_velocity(world, id, get_vec3(w + 1));
    }
}

#if VSP_JOINTS

static const def_field joint_def_fields[] = {
    JOINT_FIELD(NUMBERS, 1, cookie),
    JOINT_FIELD(CHOICE, 1, type),
    JOINT_FIELD(NUMBERS, 2, body_a), /* body_b */
    JOINT_FIELD(REALS, 14, frame_a), /* frame_b */
    JOINT_FIELD(SWITCH, 1, collide),
    JOINT_FIELD(SWITCH, 1, enable_limit),
    JOINT_FIELD(REALS, 5, low), /* to limit_damping */
    JOINT_FIELD(SWITCH, 1, enable_motor),
    JOINT_FIELD(REALS, 4, motor_speed), /* to break_turn */
    JOINT_FIELD(SWITCH, 1, rigid),
    JOINT_FIELD(REALS, 2, yield_torque), /* break_angle */
    JOINT_FIELD(CHOICE, 1, motor_mode),
    JOINT_FIELD(REALS, 3, motor_target), /* to motor_damping */
    JOINT_FIELD(NUMBERS, 6, locked),     /* to teeth_b */
    JOINT_FIELD(REALS, 7, ratio),        /* to pulley_b */
    {0, 0, 0},
};

void vsp__put_joint_def(uint32_t *w, const vsp_joint_def *def)
{
    put_fields(w, def, joint_def_fields);
}

static vsp_status create_joint(vsp_world *world, const vsp__file_word *w,
                               uint32_t *new_id)
{
    vsp_joint_def def;
    vsp_joint_id id;
    vsp_status status;

    get_fields(&def, w, joint_def_fields);
    status = vsp_joint_create(world, &def, &id);
    *new_id = id.bits;
    return status;
}

#if VSP_DRIVES

/* Calls that change a drive. */
static vsp_status drive_joint(vsp_world *world, uint32_t op, vsp_joint_id id,
                              const vsp__file_word *w)
{
    vsp_quat rotation;

    switch (op) {
    case VSP_OP_JOINT_SET_DRIVE:
        return vsp_joint_set_drive(world, id, (vsp_motor_mode)get_choice(w + 1),
                                   get_real(w + 2),
                                   get_real(w + 2 + VSP__REAL_WORDS));
    case VSP_OP_JOINT_SET_TARGET:
        return vsp_joint_set_target(world, id, get_real(w + 1));
    case VSP_OP_JOINT_SET_AXES:
        return vsp_joint_set_axes(world, id, vsp__file_word_of(w + 1),
                                  vsp__file_word_of(w + 2),
                                  vsp__file_word_of(w + 3));
    default:
        get_reals(&rotation.x, w + 1, 4);
        return vsp_joint_set_frame(world, id, rotation);
    }
}

#else

static vsp_status drive_joint(vsp_world *world, uint32_t op, vsp_joint_id id,
                              const vsp__file_word *w)
{
    (void)world;
    (void)op;
    (void)id;
    (void)w;
    return VSP_ERR_ARG;
}

#endif /* VSP_DRIVES */

/* Calls that change or destroy a joint. */
static vsp_status set_joint(vsp_world *world, uint32_t op,
                            const vsp__file_word *w)
{
    vsp_joint_id id;

    id.bits = vsp__file_word_of(w);
    if (op >= VSP_OP_JOINT_SET_DRIVE)
        return drive_joint(world, op, id, w);
    switch (op) {
    case VSP_OP_JOINT_DESTROY:
        return vsp_joint_destroy(world, id);
    case VSP_OP_JOINT_SET_LIMIT:
        return vsp_joint_set_limit(world, id, vsp__file_word_of(w + 1) != 0,
                                   get_real(w + 2),
                                   get_real(w + 2 + VSP__REAL_WORDS));
    case VSP_OP_JOINT_SET_CONE:
        return vsp_joint_set_cone(world, id, get_real(w + 1));
    case VSP_OP_JOINT_SET_MOTOR:
        return vsp_joint_set_motor(world, id, vsp__file_word_of(w + 1) != 0,
                                   get_real(w + 2),
                                   get_real(w + 2 + VSP__REAL_WORDS));
    case VSP_OP_JOINT_SET_STRENGTH:
        return vsp_joint_set_strength(world, id, get_real(w + 1),
                                      get_real(w + 1 + VSP__REAL_WORDS));
    case VSP_OP_JOINT_SET_SPRING:
        return vsp_joint_set_spring(world, id, get_real(w + 1),
                                    get_real(w + 1 + VSP__REAL_WORDS));
    default:
        return vsp_joint_set_user(world, id, vsp__file_word_of(w + 1));
    }
}

static vsp_status call_joint(vsp_world *world, uint32_t op,
                             const vsp__file_word *w, uint32_t *new_id)
{
    return op == VSP_OP_JOINT_CREATE ? create_joint(world, w, new_id)
                                     : set_joint(world, op, w);
}

#else

static vsp_status call_joint(vsp_world *world, uint32_t op,
                             const vsp__file_word *w, uint32_t *new_id)
{
    (void)world;
    (void)op;
    (void)w;
    (void)new_id;
    return VSP_ERR_ARG;
}

#endif /* VSP_JOINTS */

/* Calls that apply a force or an impulse. */
static vsp_status apply_to_body(vsp_world *world, uint32_t op, vsp_body_id id,
                                const vsp__file_word *w)
{
    vsp_vec3 v = get_vec3(w);

    switch (op) {
    case VSP_OP_BODY_APPLY_FORCE:
        return vsp_body_apply_force(world, id, v,
                                    get_vec3(w + VSP__VEC3_WORDS));
    case VSP_OP_BODY_APPLY_CENTER_FORCE:
        return vsp_body_apply_center_force(world, id, v);
    case VSP_OP_BODY_APPLY_TORQUE:
        return vsp_body_apply_torque(world, id, v);
    case VSP_OP_BODY_APPLY_IMPULSE:
        return vsp_body_apply_impulse(world, id, v,
                                      get_vec3(w + VSP__VEC3_WORDS));
    case VSP_OP_BODY_APPLY_CENTER_IMPULSE:
        return vsp_body_apply_center_impulse(world, id, v);
    default:
        return vsp_body_apply_angular_impulse(world, id, v);
    }
}

/* Calls that change or destroy a body. */
static vsp_status set_body(vsp_world *world, uint32_t op, vsp_body_id id,
                           const vsp__file_word *w)
{
    vsp_transform pose;

    switch (op) {
    case VSP_OP_BODY_DESTROY:
        return vsp_body_destroy(world, id);
    case VSP_OP_BODY_SET_TRANSFORM:
        get_pose(w, &pose);
        return vsp_body_set_transform(world, id, pose);
    case VSP_OP_BODY_SET_VELOCITY:
        return vsp_body_set_velocity(world, id, get_vec3(w),
                                     get_vec3(w + VSP__VEC3_WORDS));
    case VSP_OP_BODY_SET_MASS:
        return vsp_body_set_mass(
            world, id, get_real(w), get_vec3(w + VSP__REAL_WORDS),
            get_vec3(w + VSP__REAL_WORDS + VSP__VEC3_WORDS));
    case VSP_OP_BODY_SET_DAMPING:
        return vsp_body_set_damping(world, id, get_real(w),
                                    get_real(w + VSP__REAL_WORDS));
    case VSP_OP_BODY_SET_GRAVITY_SCALE:
        return vsp_body_set_gravity_scale(world, id, get_real(w));
    case VSP_OP_BODY_SET_MAX_SPEED:
        return vsp_body_set_max_speed(world, id, get_real(w));
    case VSP_OP_BODY_SET_LOCKS:
        return vsp_body_set_locks(world, id, vsp__file_word_of(w));
    case VSP_OP_BODY_SET_BULLET:
        return vsp_body_set_bullet(world, id, vsp__file_word_of(w) != 0);
    case VSP_OP_BODY_ENABLE_SLEEP:
        return vsp_body_enable_sleep(world, id, vsp__file_word_of(w) != 0);
    case VSP_OP_BODY_SET_AWAKE:
        return vsp_body_set_awake(world, id, vsp__file_word_of(w) != 0);
    default:
        return vsp_body_set_user(world, id, vsp__file_word_of(w));
    }
}

#if VSP_EXPLOSIONS

void vsp__put_explosion(uint32_t *w, const vsp_explosion *explosion)
{
    vsp__copy_numbers(w, &explosion->filter, 3);
    vsp__put_reals(w + 3, &explosion->center.x, 6); /* to impulse */
}

static vsp_status explode_world(vsp_world *world, const vsp__file_word *w)
{
    vsp_explosion explosion;

    get_numbers(&explosion.filter, w, 3);
    get_reals(&explosion.center.x, w + 3, 6);
    return vsp_world_explode(world, &explosion, NULL);
}

#else

static vsp_status explode_world(vsp_world *world, const vsp__file_word *w)
{
    (void)world;
    (void)w;
    return VSP_ERR_ARG;
}

#endif /* VSP_EXPLOSIONS */

#if VSP_EDITS

/* Calls of VSP_EDITS on a shape. */
static vsp_status edit_shape(vsp_world *world, uint32_t op,
                             const vsp__file_word *w)
{
    vsp_transform pose;
    vsp_shape_id id;

    id.bits = vsp__file_word_of(w++);
    switch (op) {
    case VSP_OP_SHAPE_SET_POSE:
        get_pose(w, &pose);
        return vsp_shape_set_pose(world, id, pose);
    case VSP_OP_SHAPE_SET_SIZE:
        return vsp_shape_set_size(world, id, get_vec3(w));
    case VSP_OP_SHAPE_SET_DENSITY:
        return vsp_shape_set_density(world, id, get_real(w));
    case VSP_OP_SHAPE_SET_SENSOR:
        return vsp_shape_set_sensor(world, id, vsp__file_word_of(w) != 0);
    default:
        return vsp_shape_set_surface_spin(world, id, get_vec3(w));
    }
}

/* Calls of VSP_EDITS on a body. */
static vsp_status edit_body(vsp_world *world, uint32_t op, vsp_body_id id,
                            const vsp__file_word *w)
{
    vsp_transform pose;

    switch (op) {
    case VSP_OP_BODY_SET_TYPE:
        return vsp_body_set_type(world, id, (vsp_body_type)get_choice(w));
    case VSP_OP_BODY_ENABLE:
        return vsp_body_enable(world, id, vsp__file_word_of(w) != 0);
    case VSP_OP_BODY_SET_LINEAR_VELOCITY:
        return vsp_body_set_linear_velocity(world, id, get_vec3(w));
    case VSP_OP_BODY_SET_SPIN:
        return vsp_body_set_spin(world, id, get_vec3(w));
    default:
        get_pose(w, &pose);
        return vsp_body_move_to(world, id, pose, get_real(w + VSP__POSE_WORDS));
    }
}

#else

static vsp_status edit_shape(vsp_world *world, uint32_t op,
                             const vsp__file_word *w)
{
    (void)world;
    (void)op;
    (void)w;
    return VSP_ERR_ARG;
}

static vsp_status edit_body(vsp_world *world, uint32_t op, vsp_body_id id,
                            const vsp__file_word *w)
{
    (void)id;
    return edit_shape(world, op, w);
}

#endif /* VSP_EDITS */

#if VSP_PAIR_RULES

static vsp_status set_pair_rule(vsp_world *world, const vsp__file_word *w)
{
    vsp_pair_rule rule;

    get_numbers(&rule.a, w + 1, 3);
    get_reals(&rule.friction, w + 4, 5); /* to hit_speed */
    return vsp_world_set_pair_rule(world, vsp__file_word_of(w), &rule);
}

#else

static vsp_status set_pair_rule(vsp_world *world, const vsp__file_word *w)
{
    (void)world;
    (void)w;
    return VSP_ERR_ARG;
}

#endif /* VSP_PAIR_RULES */

#if VSP_ROLLING

static vsp_status set_rolling_friction(vsp_world *world,
                                       const vsp__file_word *w)
{
    vsp_shape_id id;

    id.bits = vsp__file_word_of(w);
    return vsp_shape_set_rolling_friction(world, id, get_real(w + 1),
                                          get_real(w + 1 + VSP__REAL_WORDS));
}

#else

static vsp_status set_rolling_friction(vsp_world *world,
                                       const vsp__file_word *w)
{
    (void)world;
    (void)w;
    return VSP_ERR_ARG;
}

#endif /* VSP_ROLLING */

#if VSP_MAX_RUNTIME_HULLS > 0

static vsp_status create_hull(vsp_world *world, const vsp__file_word *w,
                              uint32_t *table)
{
    vsp_vec3 points[VSP_MAX_HULL_POINTS];
    uint32_t i;

    for (i = 0; i < VSP_MAX_HULL_POINTS; i++)
        points[i] = get_vec3(w + 1 + i * VSP__VEC3_WORDS);
    return vsp_hull_create(world, points, vsp__file_word_of(w), table);
}

static vsp_status destroy_hull(vsp_world *world, const vsp__file_word *w)
{
    return vsp_hull_destroy(world, vsp__file_word_of(w));
}

#else

static vsp_status create_hull(vsp_world *world, const vsp__file_word *w,
                              uint32_t *table)
{
    (void)world;
    (void)w;
    *table = 0;
    return VSP_ERR_ARG;
}

static vsp_status destroy_hull(vsp_world *world, const vsp__file_word *w)
{
    (void)world;
    (void)w;
    return VSP_ERR_ARG;
}

#endif /* VSP_MAX_RUNTIME_HULLS */

#if VSP_FIELD_EDITS

static vsp_status edit_field(vsp_world *world, uint32_t op,
                             const vsp__file_word *w)
{
    union {
        int16_t heights[VSP_MAX_FIELD_EDIT];
        uint8_t cells[VSP_MAX_FIELD_EDIT];
    } of;
    uint32_t at[4], i;
    bool is_cells = op == VSP_OP_FIELD_SET_MATERIALS;
    vsp_shape_id id;

    id.bits = vsp__file_word_of(w);
    get_numbers(at, w + 1, 4);
    for (i = 0; !is_cells && i < VSP_MAX_FIELD_EDIT; i++) {
        uint32_t height = vsp__file_word_of(w + 5u + i / 2u) >> i % 2u * 16u;

        of.heights[i] = (int16_t)((int32_t)(height << 16) / 65536);
    }
    for (i = 0; is_cells && i < VSP_MAX_FIELD_EDIT; i++)
        of.cells[i] = (uint8_t)(vsp__file_word_of(w + 5u + i / 4u) >>
                                    i % 4u * 8u &
                                0xffu);
    return op == VSP_OP_FIELD_SET_HEIGHTS
               ? vsp_field_set_heights(world, id, at[0], at[1], at[2], at[3],
                                       of.heights)
               : vsp_field_set_materials(world, id, at[0], at[1], at[2], at[3],
                                         of.cells);
}

#else

static vsp_status edit_field(vsp_world *world, uint32_t op,
                             const vsp__file_word *w)
{
    (void)world;
    (void)op;
    (void)w;
    return VSP_ERR_ARG;
}

#endif /* VSP_FIELD_EDITS */

vsp_status vsp__carry_out_call(vsp_world *world, uint32_t op,
                               const vsp__file_word *w, uint32_t *new_id)
{
    vsp_body_id id;

    if (op == VSP_OP_SET_GRAVITY)
        return vsp_world_set_gravity(world, get_vec3(w));
    if (op == VSP_OP_BODY_CREATE)
        return create_body(world, w, new_id);
    if (op == VSP_OP_SHAPE_CREATE)
        return create_shape(world, w, new_id);
    if (op >= VSP_OP_JOINT_CREATE && op <= VSP_OP_JOINT_SET_FRAME)
        return call_joint(world, op, w, new_id);
    if (op == VSP_OP_SET_PAIR_RULE)
        return set_pair_rule(world, w);
    if (op == VSP_OP_HULL_CREATE)
        return create_hull(world, w, new_id);
    if (op == VSP_OP_HULL_DESTROY)
        return destroy_hull(world, w);
    if (op == VSP_OP_SHAPE_SET_ROLLING_FRICTION)
        return set_rolling_friction(world, w);
    if (op >= VSP_OP_FIELD_SET_HEIGHTS && op <= VSP_OP_FIELD_SET_MATERIALS)
        return edit_field(world, op, w);
    id.bits = vsp__file_word_of(w);
    if (op == VSP_OP_EXPLODE)
        return explode_world(world, w);
    if (op >= VSP_OP_SHAPE_SET_POSE)
        return edit_shape(world, op, w);
    if (op >= VSP_OP_BODY_SET_TYPE && op <= VSP_OP_BODY_MOVE_TO)
        return edit_body(world, op, id, w + 1);
    if (op > VSP_OP_SHAPE_CREATE)
        return set_shape(world, op, w);
    return op < VSP_OP_BODY_APPLY_FORCE ? set_body(world, op, id, w + 1)
                                        : apply_to_body(world, op, id, w + 1);
}

#endif /* VSP_REPLAY */
