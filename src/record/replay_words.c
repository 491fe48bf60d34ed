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
static int32_t get_choice(const vsp__file_word *w)
{
    uint32_t bits = vsp__file_word_of(w);

    return bits < 100u ? (int32_t)bits : 100;
}

uint32_t *vsp__put_material(uint32_t *w, const vsp_material *material)
{
    w = vsp__put_reals(w, &material->friction, 2); /* restitution */
    *w++ = (uint32_t)material->friction_rule;
    *w++ = (uint32_t)material->restitution_rule;
    return w;
}

static vsp_material get_material(const vsp__file_word *w)
{
    vsp_material material;

    w = get_reals(&material.friction, w, 1);
    w = get_reals(&material.restitution, w, 1);
    material.friction_rule = (vsp_rule)get_choice(w);
    material.restitution_rule = (vsp_rule)get_choice(w + 1);
    return material;
}

/* Bits of the fourth word of a shape's def, whose high half is the user word.
 * With TURNS the last vector is the spin of the surface, not its velocity. */
#define DEF_IS_SENSOR 1u
#define DEF_TURNS 2u

static bool is_turning_def(const vsp_shape_def *def)
{
    const vsp_vec3 *spin = &def->surface_spin;

    return spin->x != 0 || spin->y != 0 || spin->z != 0;
}

/* Whether the words of a def can hold it; if not, it is refused. */
static bool fits_def_words(const vsp_shape_def *def)
{
    const vsp_vec3 *v = &def->surface_velocity;

    return def->user <= 0xffffu &&
           !(is_turning_def(def) && (v->x != 0 || v->y != 0 || v->z != 0));
}

void vsp__put_shape_def(uint32_t *w, const vsp_shape_def *def)
{
    bool turns = is_turning_def(def);

    *w++ = fits_def_words(def) ? def->cookie : 0;
    *w++ = (uint32_t)def->type;
    *w++ = def->table;
    *w++ = (def->is_sensor ? DEF_IS_SENSOR : 0u) | (turns ? DEF_TURNS : 0u) |
           def->user << 16;
    w = vsp__put_vec3(w, &def->size);
    w = vsp__put_reals(w, &def->pose.position.x, 8); /* and density */
    w = vsp__put_material(w, &def->material);
    vsp__copy_numbers(w, &def->filter, 3);
    w = vsp__put_vec3(w + 3,
                      turns ? &def->surface_spin : &def->surface_velocity);
    vsp__put_reals(w, &def->rolling_friction, 2); /* and spinning */
}

static void get_shape_def(const vsp__file_word *w, vsp_shape_def *def)
{
    static const vsp_vec3 none;
    uint32_t flags = vsp__file_word_of(w + 3);

    def->cookie = vsp__file_word_of(w);
    def->type = (vsp_shape_type)get_choice(w + 1);
    def->table = vsp__file_word_of(w + 2);
    def->is_sensor = (flags & DEF_IS_SENSOR) != 0;
    def->user = flags >> 16;
    def->size = get_vec3(w + 4);
    w = get_reals(&def->pose.position.x, w + 4u + VSP__VEC3_WORDS, 8);
    def->material = get_material(w);
    get_numbers(&def->filter, w + VSP__MATERIAL_WORDS, 3);
    def->surface_velocity = def->surface_spin = none;
    w += VSP__MATERIAL_WORDS + 3;
    if (flags & DEF_TURNS)
        def->surface_spin = get_vec3(w);
    else
        def->surface_velocity = get_vec3(w);
    w = get_reals(&def->rolling_friction, w + VSP__VEC3_WORDS, 1);
    get_reals(&def->spinning_friction, w, 1);
}

void vsp__put_body_def(uint32_t *w, const vsp_body_def *def)
{
    *w++ = def->cookie;
    *w++ = (uint32_t)def->type;
    w = vsp__put_reals(w, &def->pose.position.x, 17); /* to max_speed */
    *w++ = def->locks;
    *w++ = def->is_bullet;
    *w++ = (def->enable_sleep ? 1u : 0u) | (def->is_disabled ? 2u : 0u);
    *w++ = def->user;
    w = vsp__put_reals(w, &def->mass, 7); /* center, inertia */
    vsp__put_shape_def(w, &def->shape);
}

static void get_body_def(const vsp__file_word *w, vsp_body_def *def)
{
    def->cookie = vsp__file_word_of(w);
    def->type = (vsp_body_type)get_choice(w + 1);
    w = get_reals(&def->pose.position.x, w + 2, 17);
    def->locks = vsp__file_word_of(w);
    def->is_bullet = vsp__file_word_of(w + 1) != 0;
    def->enable_sleep = (vsp__file_word_of(w + 2) & 1u) != 0;
    def->is_disabled = (vsp__file_word_of(w + 2) & 2u) != 0;
    def->user = vsp__file_word_of(w + 3);
    w = get_reals(&def->mass, w + 4, 7);
    get_shape_def(w, &def->shape);
}

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

void vsp__put_joint_def(uint32_t *w, const vsp_joint_def *def)
{
    *w++ = def->cookie;
    *w++ = (uint32_t)def->type;
    *w++ = def->body_a.bits;
    *w++ = def->body_b.bits;
    w = vsp__put_reals(w, &def->frame_a.position.x, 14); /* frame_b */
    *w++ = def->collide;
    *w++ = def->enable_limit;
    w = vsp__put_reals(w, &def->low, 5); /* to limit_damping */
    *w++ = def->enable_motor;
    w = vsp__put_reals(w, &def->motor_speed, 4); /* to break_turn */
    *w++ = def->rigid;
    w = vsp__put_reals(w, &def->yield_torque, 2); /* and break_angle */
    *w++ = (uint32_t)def->motor_mode;
    w = vsp__put_reals(w, &def->motor_target, 3); /* to motor_damping */
    *w++ = def->locked;
    *w++ = def->limited;
    *w++ = def->driven;
    *w++ = def->user;
    *w++ = (uint32_t)def->teeth_a;
    *w++ = (uint32_t)def->teeth_b;
    (void)vsp__put_reals(w, &def->ratio, 7); /* to pulley_b */
}

/* Reads an integer in two's complement. */
static int32_t get_signed(const vsp__file_word *w)
{
    uint32_t bits = vsp__file_word_of(w);

    return bits < 0x80000000u ? (int32_t)bits : -(int32_t)~bits - 1;
}

static void get_joint_def(const vsp__file_word *w, vsp_joint_def *def)
{
    def->cookie = vsp__file_word_of(w);
    def->type = (vsp_joint_type)get_choice(w + 1);
    def->body_a.bits = vsp__file_word_of(w + 2);
    def->body_b.bits = vsp__file_word_of(w + 3);
    w = get_reals(&def->frame_a.position.x, w + 4, 14);
    def->collide = vsp__file_word_of(w) != 0;
    def->enable_limit = vsp__file_word_of(w + 1) != 0;
    w = get_reals(&def->low, w + 2, 5);
    def->enable_motor = vsp__file_word_of(w) != 0;
    w = get_reals(&def->motor_speed, w + 1, 4);
    def->rigid = vsp__file_word_of(w) != 0;
    w = get_reals(&def->yield_torque, w + 1, 2);
    def->motor_mode = (vsp_motor_mode)get_choice(w);
    w = get_reals(&def->motor_target, w + 1, 3);
    def->locked = vsp__file_word_of(w);
    def->limited = vsp__file_word_of(w + 1);
    def->driven = vsp__file_word_of(w + 2);
    def->user = vsp__file_word_of(w + 3);
    def->teeth_a = get_signed(w + 4);
    def->teeth_b = get_signed(w + 5);
    (void)get_reals(&def->ratio, w + 6, 7); /* to pulley_b */
}

static vsp_status create_joint(vsp_world *world, const vsp__file_word *w,
                               uint32_t *new_id)
{
    vsp_joint_def def;
    vsp_joint_id id;
    vsp_status status;

    get_joint_def(w, &def);
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
    vsp_real *to = &rule.friction;
    uint32_t i;

    rule.a = vsp__file_word_of(w + 1);
    rule.b = vsp__file_word_of(w + 2);
    rule.flags = vsp__file_word_of(w + 3);
    for (i = 0; i < 5; i++)
        to[i] = get_real(w + 4 + i * VSP__REAL_WORDS);
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
