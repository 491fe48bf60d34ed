/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Record, play, verify, seek.  Optional: nothing else of the engine calls it.
 * In this order: bytes, one call as words (what is written down is also what
 * is carried out, so a recording cannot differ from a replay), the recorder,
 * its calls, the check of a file, the player. */

#include "vsp_internal.h"

/* the header: these, what write_replay_header puts behind them */
static const uint32_t head_start[] = {
    0x52505356u, /* "VSPR" */
    VSP_REPLAY_FORMAT_VERSION, VSP_VERSION, VSP_BITS_VERSION,
    VSP_FIXED ? 2 : 1, /* kind of number */
};
#define HEAD_STARTS 5u
#define HEAD_BYTES 56u
#define HEAD_SEED 12u     /* word: bytes of the seed */
#define HEAD_CHECKSUM 13u /* word: over those before */
#define END_BYTES 12u

/* words of callers' numbers */
#define REAL_WORDS ((uint32_t)(sizeof(vsp_real) / 4u))
#define VEC3_WORDS (3u * REAL_WORDS)
#define POSE_WORDS (7u * REAL_WORDS)
#define MATERIAL_WORDS (2u * REAL_WORDS + 2u)

/* of defs, and of a creation, the last for the id */
#define SHAPE_DEF_WORDS (4u + 14u * REAL_WORDS + MATERIAL_WORDS + 3u)
#define BODY_WORDS (6u + 24u * REAL_WORDS + SHAPE_DEF_WORDS + 1u)
#define SHAPE_WORDS (1u + SHAPE_DEF_WORDS + 1u)
#define JOINT_WORDS (8u + 21u * REAL_WORDS + 1u)

VSP_STATIC_ASSERT(reals_side_by_side,
                  sizeof(vsp_transform) == 4u * POSE_WORDS &&
                      sizeof(vsp_vec3) == 4u * VEC3_WORDS);
VSP_STATIC_ASSERT(filter_words, sizeof(vsp_filter) == 12u);

#define OP_WORDS(name, words, reals) (words) + (reals) * sizeof(vsp_real) / 4u,

#define HAS_TABLES (VSP_HULLS || VSP_MESHES || VSP_HEIGHT_FIELDS || VSP_SDFS)

/* by number of a record; 0 is a snapshot's */
static const uint8_t op_words[] = {0, VSP_REPLAY_OPS(OP_WORDS)};


/* ---- Bytes --------------------------------------------------------------- */

/* a word of a file, wherever it is */
typedef struct file_word {
    unsigned char bytes[4];
} file_word;

static void copy_numbers(void *to, const void *from, uint32_t count)
{
    vsp__copy(to, from, 4u * (size_t)count);
}

static uint32_t word_of(const file_word *w)
{
    return vsp__get_word(w->bytes);
}

/* Reads words into numbers of 32 bits, real or not. */
static void get_numbers(void *to, const file_word *w, uint32_t count)
{
    unsigned char *out = (unsigned char *)to;

    for (; count > 0; count--, out += 4) {
        uint32_t bits = word_of(w++);

        vsp__copy(out, &bits, 4);
    }
}

/* Callers' numbers, side by side, to words and back. */
#if VSP_FIXED
static uint32_t *put_reals(uint32_t *w, const vsp_real *from, uint32_t count)
{
    for (; count > 0; count--, from++) {
        *w++ = (uint32_t)((uint64_t)*from & 0xffffffffu);
        *w++ = (uint32_t)((uint64_t)*from >> 32);
    }
    return w;
}

static const file_word *get_reals(vsp_real *to, const file_word *w,
                                  uint32_t count)
{
    for (; count > 0; count--, w += 2)
        *to++ = (vsp_real)(word_of(w) | (uint64_t)word_of(w + 1) << 32);
    return w;
}
#else
static uint32_t *put_reals(uint32_t *w, const vsp_real *from, uint32_t count)
{
    copy_numbers(w, from, count);
    return w + count;
}

static const file_word *get_reals(vsp_real *to, const file_word *w,
                                  uint32_t count)
{
    get_numbers(to, w, count);
    return w + count;
}
#endif

/* Turns words into bytes, in place. */
static void words_to_bytes(uint32_t *words, uint32_t count)
{
    for (; count > 0; words++, count--)
        vsp__set_word((unsigned char *)words, *words);
}

static uint32_t sum_bytes(uint32_t sum, const unsigned char *bytes,
                          size_t size)
{
    for (; size >= 4; size -= 4, bytes += 4)
        sum = vsp__mix(sum, vsp__get_word(bytes));
    return sum;
}

static uint32_t checksum_of(const unsigned char *bytes, size_t size)
{
    return vsp__avalanche(sum_bytes(0, bytes, size));
}


/* ---- One call as words ----------------------------------------------------
 * Arguments in their order; behind them a creation has the new id. */

static vsp_real get_real(const file_word *w)
{
    vsp_real x;

    get_reals(&x, w, 1);
    return x;
}

static uint32_t *put_pair(uint32_t *w, vsp_real a, vsp_real b)
{
    return put_reals(put_reals(w, &a, 1), &b, 1);
}

static uint32_t *put_vec3(uint32_t *w, const vsp_vec3 *v)
{
    return put_reals(w, &v->x, 3);
}

static vsp_vec3 get_vec3(const file_word *w)
{
    vsp_vec3 v = {0, 0, 0};

    get_reals(&v.x, w, 3);
    return v;
}

static uint32_t *put_pose(uint32_t *w, const vsp_transform *pose)
{
    return put_reals(put_vec3(w, &pose->position), &pose->rotation.x, 4);
}

static void get_pose(const file_word *w, vsp_transform *pose)
{
    get_reals(&pose->rotation.x, get_reals(&pose->position.x, w, 3), 4);
}

/* An enumeration's value, which may be a byte: none has one that large. */
static int32_t get_choice(const file_word *w)
{
    uint32_t bits = word_of(w);

    return bits < 100u ? (int32_t)bits : 100;
}

static uint32_t *put_material(uint32_t *w, const vsp_material *material)
{
    w = put_reals(w, &material->friction, 1);
    w = put_reals(w, &material->restitution, 1);
    *w++ = (uint32_t)material->friction_rule;
    *w++ = (uint32_t)material->restitution_rule;
    return w;
}

static vsp_material get_material(const file_word *w)
{
    vsp_material material;

    w = get_reals(&material.friction, w, 1);
    w = get_reals(&material.restitution, w, 1);
    material.friction_rule = (vsp_rule)get_choice(w);
    material.restitution_rule = (vsp_rule)get_choice(w + 1);
    return material;
}

static void put_shape_def(uint32_t *w, const vsp_shape_def *def)
{
    *w++ = def->cookie;
    *w++ = (uint32_t)def->type;
    *w++ = def->table;
    *w++ = def->is_sensor;
    w = put_pose(put_vec3(w, &def->size), &def->pose);
    w = put_reals(w, &def->density, 1);
    w = put_material(w, &def->material);
    copy_numbers(w, &def->filter, 3);
    put_vec3(w + 3, &def->surface_velocity);
}

static void get_shape_def(const file_word *w, vsp_shape_def *def)
{
    def->cookie = word_of(w);
    def->type = (vsp_shape_type)get_choice(w + 1);
    def->table = word_of(w + 2);
    def->is_sensor = word_of(w + 3) != 0;
    def->size = get_vec3(w + 4);
    w += 4u + VEC3_WORDS;
    get_pose(w, &def->pose);
    w = get_reals(&def->density, w + POSE_WORDS, 1);
    def->material = get_material(w);
    get_numbers(&def->filter, w + MATERIAL_WORDS, 3);
    def->surface_velocity = get_vec3(w + MATERIAL_WORDS + 3);
}

static void put_body_def(uint32_t *w, const vsp_body_def *def)
{
    *w++ = def->cookie;
    *w++ = (uint32_t)def->type;
    w = put_vec3(put_pose(w, &def->pose), &def->velocity);
    w = put_vec3(w, &def->spin);
    w = put_reals(w, &def->linear_damping, 1);
    w = put_reals(w, &def->angular_damping, 1);
    w = put_reals(w, &def->gravity_scale, 1);
    w = put_reals(w, &def->max_speed, 1);
    *w++ = def->locks;
    *w++ = def->is_bullet;
    *w++ = def->enable_sleep;
    *w++ = def->user;
    w = put_reals(w, &def->mass, 1);
    w = put_vec3(put_vec3(w, &def->center), &def->inertia);
    put_shape_def(w, &def->shape);
}

static void get_body_def(const file_word *w, vsp_body_def *def)
{
    def->cookie = word_of(w);
    def->type = (vsp_body_type)get_choice(w + 1);
    get_pose(w + 2, &def->pose);
    w = get_reals(&def->velocity.x, w + 2u + POSE_WORDS, 3);
    w = get_reals(&def->spin.x, w, 3);
    w = get_reals(&def->linear_damping, w, 1);
    w = get_reals(&def->angular_damping, w, 1);
    w = get_reals(&def->gravity_scale, w, 1);
    w = get_reals(&def->max_speed, w, 1);
    def->locks = word_of(w);
    def->is_bullet = word_of(w + 1) != 0;
    def->enable_sleep = word_of(w + 2) != 0;
    def->user = word_of(w + 3);
    w = get_reals(&def->mass, w + 4, 1);
    w = get_reals(&def->center.x, w, 3);
    w = get_reals(&def->inertia.x, w, 3);
    get_shape_def(w, &def->shape);
}

static vsp_status create_body(vsp_world *world, const file_word *w,
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

static vsp_status create_shape(vsp_world *world, const file_word *w,
                               uint32_t *new_id)
{
    vsp_body_id body;
    vsp_shape_def def;
    vsp_shape_id id;
    vsp_status status;

    body.bits = word_of(w);
    get_shape_def(w + 1, &def);
    status = vsp_shape_create(world, body, &def, &id);
    *new_id = id.bits;
    return status;
}

static vsp_status set_shape(vsp_world *world, uint32_t op, const file_word *w)
{
    vsp_shape_id id;
    vsp_filter filter;

    id.bits = word_of(w);
    switch (op) {
    case VSP_OP_SHAPE_DESTROY:
        return vsp_shape_destroy(world, id);
    case VSP_OP_SHAPE_SET_MATERIAL:
        return vsp_shape_set_material(world, id, get_material(w + 1));
    case VSP_OP_SHAPE_SET_FILTER:
        get_numbers(&filter, w + 1, 3);
        return vsp_shape_set_filter(world, id, filter);
    default:
        return vsp_shape_set_surface_velocity(world, id, get_vec3(w + 1));
    }
}

static void put_joint_def(uint32_t *w, const vsp_joint_def *def)
{
    *w++ = def->cookie;
    *w++ = (uint32_t)def->type;
    *w++ = def->body_a.bits;
    *w++ = def->body_b.bits;
    w = put_pose(put_pose(w, &def->frame_a), &def->frame_b);
    *w++ = def->collide;
    *w++ = def->enable_limit;
    w = put_pair(w, def->low, def->high);
    w = put_reals(w, &def->cone, 1);
    *w++ = def->enable_motor;
    w = put_pair(w, def->motor_speed, def->motor_max);
    w = put_pair(w, def->break_impulse, def->break_turn);
    *w = def->user;
}

static void get_joint_def(const file_word *w, vsp_joint_def *def)
{
    def->cookie = word_of(w);
    def->type = (vsp_joint_type)get_choice(w + 1);
    def->body_a.bits = word_of(w + 2);
    def->body_b.bits = word_of(w + 3);
    get_pose(w + 4, &def->frame_a);
    get_pose(w + 4 + POSE_WORDS, &def->frame_b);
    w += 4u + 2u * POSE_WORDS;
    def->collide = word_of(w) != 0;
    def->enable_limit = word_of(w + 1) != 0;
    w = get_reals(&def->low, w + 2, 1);
    w = get_reals(&def->high, w, 1);
    w = get_reals(&def->cone, w, 1);
    def->enable_motor = word_of(w) != 0;
    w = get_reals(&def->motor_speed, w + 1, 1);
    w = get_reals(&def->motor_max, w, 1);
    w = get_reals(&def->break_impulse, w, 1);
    w = get_reals(&def->break_turn, w, 1);
    def->user = word_of(w);
}

static vsp_status create_joint(vsp_world *world, const file_word *w,
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

static vsp_status set_joint(vsp_world *world, uint32_t op, const file_word *w)
{
    vsp_joint_id id;

    id.bits = word_of(w);
    switch (op) {
    case VSP_OP_JOINT_DESTROY:
        return vsp_joint_destroy(world, id);
    case VSP_OP_JOINT_SET_LIMIT:
        return vsp_joint_set_limit(world, id, word_of(w + 1) != 0,
                                   get_real(w + 2),
                                   get_real(w + 2 + REAL_WORDS));
    case VSP_OP_JOINT_SET_CONE:
        return vsp_joint_set_cone(world, id, get_real(w + 1));
    case VSP_OP_JOINT_SET_MOTOR:
        return vsp_joint_set_motor(world, id, word_of(w + 1) != 0,
                                   get_real(w + 2),
                                   get_real(w + 2 + REAL_WORDS));
    case VSP_OP_JOINT_SET_STRENGTH:
        return vsp_joint_set_strength(world, id, get_real(w + 1),
                                      get_real(w + 1 + REAL_WORDS));
    default:
        return vsp_joint_set_user(world, id, word_of(w + 1));
    }
}

/* A build without joints has none of their calls. */
static vsp_status call_joint(vsp_world *world, uint32_t op,
                             const file_word *w, uint32_t *new_id)
{
    if (VSP_JOINTS)
        return op == VSP_OP_JOINT_CREATE ? create_joint(world, w, new_id)
                                         : set_joint(world, op, w);
    return VSP_ERR_ARG;
}

static vsp_status push_body(vsp_world *world, uint32_t op, vsp_body_id id,
                            const file_word *w)
{
    vsp_vec3 v = get_vec3(w);

    switch (op) {
    case VSP_OP_BODY_APPLY_FORCE:
        return vsp_body_apply_force(world, id, v, get_vec3(w + VEC3_WORDS));
    case VSP_OP_BODY_APPLY_CENTER_FORCE:
        return vsp_body_apply_center_force(world, id, v);
    case VSP_OP_BODY_APPLY_TORQUE:
        return vsp_body_apply_torque(world, id, v);
    case VSP_OP_BODY_APPLY_IMPULSE:
        return vsp_body_apply_impulse(world, id, v, get_vec3(w + VEC3_WORDS));
    case VSP_OP_BODY_APPLY_CENTER_IMPULSE:
        return vsp_body_apply_center_impulse(world, id, v);
    default:
        return vsp_body_apply_angular_impulse(world, id, v);
    }
}

static vsp_status set_body(vsp_world *world, uint32_t op, vsp_body_id id,
                           const file_word *w)
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
                                     get_vec3(w + VEC3_WORDS));
    case VSP_OP_BODY_SET_MASS:
        return vsp_body_set_mass(world, id, get_real(w),
                                 get_vec3(w + REAL_WORDS),
                                 get_vec3(w + REAL_WORDS + VEC3_WORDS));
    case VSP_OP_BODY_SET_DAMPING:
        return vsp_body_set_damping(world, id, get_real(w),
                                    get_real(w + REAL_WORDS));
    case VSP_OP_BODY_SET_GRAVITY_SCALE:
        return vsp_body_set_gravity_scale(world, id, get_real(w));
    case VSP_OP_BODY_SET_MAX_SPEED:
        return vsp_body_set_max_speed(world, id, get_real(w));
    case VSP_OP_BODY_SET_LOCKS:
        return vsp_body_set_locks(world, id, word_of(w));
    case VSP_OP_BODY_SET_BULLET:
        return vsp_body_set_bullet(world, id, word_of(w) != 0);
    case VSP_OP_BODY_ENABLE_SLEEP:
        return vsp_body_enable_sleep(world, id, word_of(w) != 0);
    case VSP_OP_BODY_SET_AWAKE:
        return vsp_body_set_awake(world, id, word_of(w) != 0);
    default:
        return vsp_body_set_user(world, id, word_of(w));
    }
}

/* Makes a call from its words.  *new_id changes when it is a creation. */
static vsp_status make_call(vsp_world *world, uint32_t op, const file_word *w,
                            uint32_t *new_id)
{
    vsp_body_id id;

    if (op == VSP_OP_SET_GRAVITY)
        return vsp_world_set_gravity(world, get_vec3(w));
    if (op == VSP_OP_BODY_CREATE)
        return create_body(world, w, new_id);
    if (op == VSP_OP_SHAPE_CREATE)
        return create_shape(world, w, new_id);
    if (op >= VSP_OP_JOINT_CREATE && op <= VSP_OP_JOINT_SET_USER)
        return call_joint(world, op, w, new_id);
    if (op > VSP_OP_SHAPE_CREATE)
        return set_shape(world, op, w);
    id.bits = word_of(w);
    return op < VSP_OP_BODY_APPLY_FORCE ? set_body(world, op, id, w + 1)
                                        : push_body(world, op, id, w + 1);
}


/* ---- Recorder ------------------------------------------------------------ */

static bool is_recording(const vsp_recorder *recorder)
{
    return recorder->is_open && recorder->status >= 0;
}

static void stop_recording(vsp_recorder *recorder)
{
    recorder->status = VSP_ERR_MEMORY;
}

/* Puts whole words in the file.  A buffer keeps room for the end. */
static void put_bytes(vsp_recorder *recorder, const void *bytes, size_t size)
{
    const vsp_record_def *def = &recorder->sink;

    recorder->checksum = sum_bytes(recorder->checksum,
                                   (const unsigned char *)bytes, size);
    if (def->buffer != NULL) {
        vsp__copy((unsigned char *)def->buffer + recorder->size, bytes,
                   size);
    } else if (!def->write(def->user, bytes, size)) {
        stop_recording(recorder);
        return;
    }
    recorder->size += size;
}

/* Whether so much more fits; else recording stops. */
static bool fits_sink(vsp_recorder *recorder, size_t size)
{
    const vsp_record_def *def = &recorder->sink;

    if (def->buffer == NULL ||
        (size <= def->capacity - recorder->size &&
         END_BYTES <= def->capacity - recorder->size - size))
        return true;
    stop_recording(recorder);
    return false;
}

/* Turns a record into bytes; words[0] gets the head. */
static void finish_record(uint32_t op, uint32_t *words)
{
    words[0] = op | (uint32_t)op_words[op] << 8;
    words_to_bytes(words, op_words[op] + 1u);
}

static void put_record(vsp_recorder *recorder, uint32_t op,
                       const uint32_t *words)
{
    size_t size = 4u * (op_words[op] + (size_t)1);

    if (fits_sink(recorder, size))
        put_bytes(recorder, words, size);
}

static void put_snapshot_record(vsp_recorder *recorder, uint32_t op,
                                const void *bytes, size_t size)
{
    uint32_t head = op | (uint32_t)(size / 4u) << 8;

    if (!fits_sink(recorder, 4u + size))
        return;
    words_to_bytes(&head, 1);
    put_bytes(recorder, &head, 4);
    if (is_recording(recorder))
        put_bytes(recorder, bytes, size);
}

/* Takes a snapshot, to the scratch or to where it belongs in the buffer,
 * `ahead` bytes on.  Returns null when there is no room. */
static const void *take_snapshot(vsp_recorder *recorder, size_t ahead,
                                 size_t *size)
{
    const vsp_record_def *def = &recorder->sink;
    unsigned char *to = (unsigned char *)def->scratch;
    size_t room = def->scratch_size;

    if (def->buffer != NULL) {
        if (!fits_sink(recorder, ahead))
            return NULL;
        to = (unsigned char *)def->buffer + recorder->size + ahead;
        room = def->capacity - recorder->size - ahead - END_BYTES;
    }
    recorder->status = vsp_world_snapshot(recorder->world, to, room, size);
    return recorder->status < 0 ? NULL : to;
}

static void put_keyframe(vsp_recorder *recorder)
{
    const vsp_kept *claim = recorder->claim;
    vsp_status status = recorder->status;
    const void *bytes;
    size_t size;

    if (claim != NULL) {
        put_snapshot_record(recorder, VSP_OP_KEYFRAME, claim->bytes,
                            claim->size);
        return;
    }
    bytes = take_snapshot(recorder, 4, &size);
    if (bytes == NULL)
        return;
    recorder->status = status; /* a note stays */
    put_snapshot_record(recorder, VSP_OP_KEYFRAME, bytes, size);
}

static void write_replay_header(vsp_recorder *recorder, size_t seed_size)
{
    vsp_capacity capacity = vsp_world_capacity(recorder->world);
    uint32_t w[HEAD_BYTES / 4u];

    copy_numbers(w, head_start, HEAD_STARTS);
    copy_numbers(w + HEAD_STARTS, &capacity, 5);
    copy_numbers(w + 10, &recorder->world->params.dt, 1);
    w[11] = recorder->sink.keyframe_interval;
    w[HEAD_SEED] = (uint32_t)seed_size;
    words_to_bytes(w, HEAD_CHECKSUM);
    w[HEAD_CHECKSUM] = checksum_of((const unsigned char *)w,
                                   HEAD_BYTES - 4u);
    words_to_bytes(w + HEAD_CHECKSUM, 1);
    put_bytes(recorder, w, HEAD_BYTES);
}

static bool is_sink(const vsp_record_def *def)
{
    return def->buffer != NULL
               ? def->write == NULL
               : def->write != NULL && def->scratch != NULL;
}

static vsp_status start_recording(vsp_recorder *recorder)
{
    size_t size;
    const void *seed = take_snapshot(recorder, HEAD_BYTES, &size);

    if (seed == NULL)
        return recorder->status;
    write_replay_header(recorder, size);
    if (recorder->status >= 0)
        put_bytes(recorder, seed, size);
    recorder->hash = vsp_world_hash(recorder->world);
    recorder->table_count = recorder->world->table_count;
    recorder->is_fresh = true;
    recorder->is_open = recorder->status >= 0;
    return recorder->status;
}

vsp_status vsp_record_begin(vsp_recorder *recorder, vsp_world *world,
                            const vsp_record_def *def)
{
    static const vsp_recorder off;

    if (recorder == NULL)
        return VSP_ERR_ARG;
    *recorder = off;
    recorder->world = world;
    if (world == NULL || def == NULL || !is_sink(def))
        return VSP_ERR_ARG;
    recorder->sink = *def;
    return start_recording(recorder);
}

/* Says how many tables the world has from here on, and their digest. */
static void put_tables(vsp_recorder *recorder)
{
    uint32_t words[3];

    recorder->table_count = words[1] = recorder->world->table_count;
    words[2] = recorder->world->params.tables;
    finish_record(VSP_OP_TABLES, words);
    put_record(recorder, VSP_OP_TABLES, words);
    recorder->is_fresh = false;
}

/* Finds tables that were added, and calls that went around the recorder. */
static void check_fresh(vsp_recorder *recorder)
{
    if (!is_recording(recorder))
        return;
    if (recorder->table_count != recorder->world->table_count)
        put_tables(recorder);
    if (recorder->is_fresh &&
        vsp_world_hash(recorder->world) != recorder->hash) {
        recorder->status = VSP_DIVERGED;
        recorder->is_fresh = false;
    }
}

vsp_status vsp_record_step(vsp_recorder *recorder)
{
    uint32_t words[2], interval;
    vsp_status status;

    if (recorder == NULL)
        return VSP_ERR_ARG;
    check_fresh(recorder);
    status = vsp_world_step(recorder->world);
    if (status < 0 || !is_recording(recorder))
        return status;
    recorder->hash = words[1] = vsp_world_hash(recorder->world);
    if (recorder->claim != NULL)
        words[1] = recorder->claim->hash;
    finish_record(VSP_OP_STEP, words);
    put_record(recorder, VSP_OP_STEP, words);
    if (!is_recording(recorder))
        return status;
    recorder->is_fresh = true;
    recorder->step_count++;
    interval = recorder->sink.keyframe_interval;
    if (interval != 0 && recorder->step_count % interval == 0)
        put_keyframe(recorder);
    return status;
}

/* A buffer that was full kept room for the end; a sink that failed is not
 * tried again. */
vsp_status vsp_record_end(vsp_recorder *recorder, size_t *size)
{
    uint32_t w[3];

    if (size != NULL)
        *size = 0;
    if (recorder == NULL || !recorder->is_open)
        return VSP_ERR_ARG;
    check_fresh(recorder);
    recorder->is_open = false;
    if (recorder->sink.buffer != NULL || recorder->status >= 0) {
        w[0] = VSP_OP_END | 2u << 8;
        w[1] = recorder->step_count;
        words_to_bytes(w, 2);
        w[2] = vsp__avalanche(sum_bytes(recorder->checksum,
                                        (const unsigned char *)w, 8));
        words_to_bytes(w + 2, 1);
        put_bytes(recorder, w, END_BYTES);
    }
    if (size != NULL)
        *size = recorder->size;
    return recorder->status;
}

vsp_status vsp_record_status(const vsp_recorder *recorder)
{
    return recorder != NULL ? recorder->status : VSP_ERR_ARG;
}


/* ---- Recorded calls ------------------------------------------------------ */

/* Makes the call that the words say, and puts it in the file.  A creation's
 * id goes to *id, which else is null. */
static vsp_status record(vsp_recorder *recorder, uint32_t op, uint32_t *words,
                         uint32_t *id)
{
    vsp_status status;
    uint32_t new_id = 0;

    if (recorder == NULL)
        return VSP_ERR_ARG;
    check_fresh(recorder);
    finish_record(op, words);
    status = make_call(recorder->world, op, (const file_word *)words + 1,
                       &new_id);
    if (id != NULL)
        *id = new_id;
    if (status < 0 || !is_recording(recorder))
        return status;
    if (new_id != 0) {
        words[op_words[op]] = new_id;
        words_to_bytes(words + op_words[op], 1);
    }
    recorder->is_fresh = false;
    put_record(recorder, op, words);
    return status;
}

/* a call on a body or shape; the words are what comes after it */
static vsp_status record_with(vsp_recorder *recorder, uint32_t op,
                              uint32_t id, const uint32_t *arguments)
{
    uint32_t words[2u + POSE_WORDS]; /* none takes more */

    words[1] = id;
    copy_numbers(words + 2, arguments, op_words[op] - 1u);
    return record(recorder, op, words, NULL);
}

/* a call on a body with one vector, or two */
static vsp_status record_vec3(vsp_recorder *recorder, uint32_t op,
                              vsp_body_id id, vsp_vec3 v)
{
    uint32_t w[VEC3_WORDS];

    put_vec3(w, &v);
    return record_with(recorder, op, id.bits, w);
}

static vsp_status record_pair(vsp_recorder *recorder, uint32_t op,
                              vsp_body_id id, vsp_vec3 a, vsp_vec3 b)
{
    uint32_t w[2u * VEC3_WORDS];

    put_vec3(put_vec3(w, &a), &b);
    return record_with(recorder, op, id.bits, w);
}

vsp_status vsp_record_restore(vsp_recorder *recorder, const void *buffer,
                              size_t size)
{
    vsp_status status;

    if (recorder == NULL)
        return VSP_ERR_ARG;
    check_fresh(recorder);
    status = vsp_world_restore(recorder->world, buffer, size);
    if (status < 0 || !is_recording(recorder))
        return status;
    recorder->is_fresh = false;
    put_snapshot_record(recorder, VSP_OP_RESTORE, buffer, size);
    return status;
}

vsp_status vsp_record_set_gravity(vsp_recorder *recorder, vsp_vec3 gravity)
{
    uint32_t words[1u + VEC3_WORDS];

    put_vec3(words + 1, &gravity);
    return record(recorder, VSP_OP_SET_GRAVITY, words, NULL);
}

vsp_status vsp_record_body_create(vsp_recorder *recorder,
                                  const vsp_body_def *def, vsp_body_id *id)
{
    uint32_t words[1u + BODY_WORDS];

    if (id != NULL)
        id->bits = 0;
    if (def == NULL)
        return VSP_ERR_ARG;
    put_body_def(words + 1, def);
    words[BODY_WORDS] = 0;
    return record(recorder, VSP_OP_BODY_CREATE, words,
                  id != NULL ? &id->bits : NULL);
}

vsp_status vsp_record_body_destroy(vsp_recorder *recorder, vsp_body_id id)
{
    uint32_t words[2];

    words[1] = id.bits;
    return record(recorder, VSP_OP_BODY_DESTROY, words, NULL);
}

vsp_status vsp_record_body_set_transform(vsp_recorder *recorder,
                                         vsp_body_id id, vsp_transform pose)
{
    uint32_t w[POSE_WORDS];

    put_pose(w, &pose);
    return record_with(recorder, VSP_OP_BODY_SET_TRANSFORM, id.bits, w);
}

vsp_status vsp_record_body_set_velocity(vsp_recorder *recorder,
                                        vsp_body_id id, vsp_vec3 velocity,
                                        vsp_vec3 spin)
{
    return record_pair(recorder, VSP_OP_BODY_SET_VELOCITY, id, velocity,
                       spin);
}

vsp_status vsp_record_body_set_mass(vsp_recorder *recorder, vsp_body_id id,
                                    vsp_real mass, vsp_vec3 center,
                                    vsp_vec3 inertia)
{
    uint32_t w[REAL_WORDS + 2u * VEC3_WORDS];

    put_vec3(put_vec3(put_reals(w, &mass, 1), &center), &inertia);
    return record_with(recorder, VSP_OP_BODY_SET_MASS, id.bits, w);
}

vsp_status vsp_record_body_set_damping(vsp_recorder *recorder, vsp_body_id id,
                                       vsp_real linear, vsp_real angular)
{
    uint32_t w[2u * REAL_WORDS];

    put_reals(put_reals(w, &linear, 1), &angular, 1);
    return record_with(recorder, VSP_OP_BODY_SET_DAMPING, id.bits, w);
}

vsp_status vsp_record_body_set_gravity_scale(vsp_recorder *recorder,
                                             vsp_body_id id, vsp_real scale)
{
    uint32_t w[REAL_WORDS];

    put_reals(w, &scale, 1);
    return record_with(recorder, VSP_OP_BODY_SET_GRAVITY_SCALE, id.bits, w);
}

vsp_status vsp_record_body_set_max_speed(vsp_recorder *recorder,
                                         vsp_body_id id, vsp_real speed)
{
    uint32_t w[REAL_WORDS];

    put_reals(w, &speed, 1);
    return record_with(recorder, VSP_OP_BODY_SET_MAX_SPEED, id.bits, w);
}

vsp_status vsp_record_body_set_locks(vsp_recorder *recorder, vsp_body_id id,
                                     uint32_t locks)
{
    return record_with(recorder, VSP_OP_BODY_SET_LOCKS, id.bits, &locks);
}

/* a call on a body with a yes or no */
static vsp_status record_switch(vsp_recorder *recorder, uint32_t op,
                                vsp_body_id id, bool is_on)
{
    uint32_t w = is_on ? 1 : 0;

    return record_with(recorder, op, id.bits, &w);
}

vsp_status vsp_record_body_set_bullet(vsp_recorder *recorder, vsp_body_id id,
                                      bool is_bullet)
{
    return record_switch(recorder, VSP_OP_BODY_SET_BULLET, id, is_bullet);
}

vsp_status vsp_record_body_enable_sleep(vsp_recorder *recorder,
                                        vsp_body_id id, bool is_enabled)
{
    return record_switch(recorder, VSP_OP_BODY_ENABLE_SLEEP, id, is_enabled);
}

vsp_status vsp_record_body_set_awake(vsp_recorder *recorder, vsp_body_id id,
                                     bool is_awake)
{
    return record_switch(recorder, VSP_OP_BODY_SET_AWAKE, id, is_awake);
}

vsp_status vsp_record_body_set_user(vsp_recorder *recorder, vsp_body_id id,
                                    uint32_t user)
{
    return record_with(recorder, VSP_OP_BODY_SET_USER, id.bits, &user);
}

vsp_status vsp_record_body_apply_force(vsp_recorder *recorder, vsp_body_id id,
                                       vsp_vec3 force, vsp_vec3 point)
{
    return record_pair(recorder, VSP_OP_BODY_APPLY_FORCE, id, force, point);
}

vsp_status vsp_record_body_apply_center_force(vsp_recorder *recorder,
                                              vsp_body_id id, vsp_vec3 force)
{
    return record_vec3(recorder, VSP_OP_BODY_APPLY_CENTER_FORCE, id,
                       force);
}

vsp_status vsp_record_body_apply_torque(vsp_recorder *recorder,
                                        vsp_body_id id, vsp_vec3 torque)
{
    return record_vec3(recorder, VSP_OP_BODY_APPLY_TORQUE, id,
                       torque);
}

vsp_status vsp_record_body_apply_impulse(vsp_recorder *recorder,
                                         vsp_body_id id, vsp_vec3 impulse,
                                         vsp_vec3 point)
{
    return record_pair(recorder, VSP_OP_BODY_APPLY_IMPULSE, id, impulse,
                       point);
}

vsp_status vsp_record_body_apply_center_impulse(vsp_recorder *recorder,
                                                vsp_body_id id,
                                                vsp_vec3 impulse)
{
    return record_vec3(recorder, VSP_OP_BODY_APPLY_CENTER_IMPULSE, id,
                       impulse);
}

vsp_status vsp_record_body_apply_angular_impulse(vsp_recorder *recorder,
                                                 vsp_body_id id,
                                                 vsp_vec3 impulse)
{
    return record_vec3(recorder, VSP_OP_BODY_APPLY_ANGULAR_IMPULSE, id,
                       impulse);
}

vsp_status vsp_record_shape_create(vsp_recorder *recorder, vsp_body_id body,
                                   const vsp_shape_def *def,
                                   vsp_shape_id *id)
{
    uint32_t words[1u + SHAPE_WORDS];

    if (id != NULL)
        id->bits = 0;
    if (def == NULL)
        return VSP_ERR_ARG;
    words[1] = body.bits;
    put_shape_def(words + 2, def);
    words[SHAPE_WORDS] = 0;
    return record(recorder, VSP_OP_SHAPE_CREATE, words,
                  id != NULL ? &id->bits : NULL);
}

vsp_status vsp_record_shape_destroy(vsp_recorder *recorder, vsp_shape_id id)
{
    uint32_t words[2];

    words[1] = id.bits;
    return record(recorder, VSP_OP_SHAPE_DESTROY, words, NULL);
}

vsp_status vsp_record_shape_set_material(vsp_recorder *recorder,
                                         vsp_shape_id id,
                                         vsp_material material)
{
    uint32_t w[MATERIAL_WORDS];

    put_material(w, &material);
    return record_with(recorder, VSP_OP_SHAPE_SET_MATERIAL, id.bits, w);
}

vsp_status vsp_record_shape_set_filter(vsp_recorder *recorder,
                                       vsp_shape_id id, vsp_filter filter)
{
    uint32_t w[3];

    copy_numbers(w, &filter, 3);
    return record_with(recorder, VSP_OP_SHAPE_SET_FILTER, id.bits, w);
}

vsp_status vsp_record_shape_set_surface_velocity(vsp_recorder *recorder,
                                                 vsp_shape_id id,
                                                 vsp_vec3 velocity)
{
    uint32_t w[VEC3_WORDS];

    put_vec3(w, &velocity);
    return record_with(recorder, VSP_OP_SHAPE_SET_SURFACE_VELOCITY, id.bits,
                       w);
}


vsp_status vsp_record_joint_create(vsp_recorder *recorder,
                                   const vsp_joint_def *def,
                                   vsp_joint_id *id)
{
    uint32_t words[1u + JOINT_WORDS];

    if (id != NULL)
        id->bits = 0;
    if (def == NULL)
        return VSP_ERR_ARG;
    put_joint_def(words + 1, def);
    words[JOINT_WORDS] = 0;
    return record(recorder, VSP_OP_JOINT_CREATE, words,
                  id != NULL ? &id->bits : NULL);
}

vsp_status vsp_record_joint_destroy(vsp_recorder *recorder, vsp_joint_id id)
{
    return record_with(recorder, VSP_OP_JOINT_DESTROY, id.bits, NULL);
}

/* a call on a joint with a yes or no and two numbers */
static vsp_status record_enabled(vsp_recorder *recorder, uint32_t op,
                                 vsp_joint_id id, bool enable, vsp_real a,
                                 vsp_real b)
{
    uint32_t w[1u + 2u * REAL_WORDS];

    w[0] = enable;
    put_pair(w + 1, a, b);
    return record_with(recorder, op, id.bits, w);
}

vsp_status vsp_record_joint_set_limit(vsp_recorder *recorder, vsp_joint_id id,
                                      bool enable, vsp_real low,
                                      vsp_real high)
{
    return record_enabled(recorder, VSP_OP_JOINT_SET_LIMIT, id, enable, low,
                          high);
}

vsp_status vsp_record_joint_set_cone(vsp_recorder *recorder, vsp_joint_id id,
                                     vsp_real cone)
{
    uint32_t w[REAL_WORDS];

    put_reals(w, &cone, 1);
    return record_with(recorder, VSP_OP_JOINT_SET_CONE, id.bits, w);
}

vsp_status vsp_record_joint_set_motor(vsp_recorder *recorder, vsp_joint_id id,
                                      bool enable, vsp_real speed,
                                      vsp_real max)
{
    return record_enabled(recorder, VSP_OP_JOINT_SET_MOTOR, id, enable, speed,
                          max);
}

vsp_status vsp_record_joint_set_strength(vsp_recorder *recorder,
                                         vsp_joint_id id,
                                         vsp_real break_impulse,
                                         vsp_real break_turn)
{
    uint32_t w[2u * REAL_WORDS];

    put_pair(w, break_impulse, break_turn);
    return record_with(recorder, VSP_OP_JOINT_SET_STRENGTH, id.bits, w);
}

vsp_status vsp_record_joint_set_user(vsp_recorder *recorder, vsp_joint_id id,
                                     uint32_t user)
{
    return record_with(recorder, VSP_OP_JOINT_SET_USER, id.bits, &user);
}


/* ---- Check of a file ----------------------------------------------------- */

static uint32_t word_at(const unsigned char *bytes, uint32_t index)
{
    return vsp__get_word(bytes + 4u * (size_t)index);
}

/* what the record at a place is, what it holds, where the next one is */
static uint32_t record_op(const unsigned char *bytes, size_t at)
{
    return vsp__get_word(bytes + at) & 0xffu;
}

static size_t payload_bytes(const unsigned char *bytes, size_t at)
{
    return 4u * (size_t)(vsp__get_word(bytes + at) >> 8);
}

static size_t next_record(const unsigned char *bytes, size_t at)
{
    return at + 4u + payload_bytes(bytes, at);
}

static vsp_status check_header(const unsigned char *bytes, size_t size)
{
    uint32_t i;

    for (i = 0; i < HEAD_STARTS; i++) {
        if (size / 4u <= i)
            return VSP_ERR_TRUNCATED;
        if (word_at(bytes, i) != head_start[i])
            return VSP_ERR_VERSION;
    }
    if (size < HEAD_BYTES + END_BYTES || size % 4u != 0)
        return VSP_ERR_TRUNCATED;
    return checksum_of(bytes, HEAD_BYTES - 4u) ==
                   word_at(bytes, HEAD_CHECKSUM)
               ? VSP_OK
               : VSP_ERR_CHECKSUM;
}

/* Checks the record at `at` against the table and the size. */
static vsp_status check_record(const unsigned char *bytes, size_t at,
                               size_t size)
{
    uint32_t head = vsp__get_word(bytes + at);
    uint32_t op = head & 0xffu, count = head >> 8;

    if (op == VSP_OP_NONE || op >= VSP_OP_COUNT ||
        (op_words[op] != 0 && op_words[op] != count))
        return VSP_ERR_DATA;
    return count < (size - at) / 4u ? VSP_OK : VSP_ERR_TRUNCATED;
}

/* Walks the records to the end of the file and counts the steps. */
static vsp_status check_records(const unsigned char *bytes, size_t at,
                                size_t size, uint32_t *steps)
{
    uint32_t op = VSP_OP_NONE, last;

    *steps = 0;
    while (at < size) {
        vsp_status status = check_record(bytes, at, size);

        if (status < 0)
            return status;
        last = op;
        op = record_op(bytes, at);
        if (op == VSP_OP_KEYFRAME && last != VSP_OP_STEP)
            return VSP_ERR_DATA;
        if (op == VSP_OP_END) {
            if (size - at != END_BYTES)
                return VSP_ERR_TRUNCATED;
            return vsp__get_word(bytes + at + 4) == *steps ? VSP_OK
                                                           : VSP_ERR_DATA;
        }
        if (op == VSP_OP_STEP)
            *steps += 1;
        at = next_record(bytes, at);
    }
    return VSP_ERR_TRUNCATED;
}

/* Reads a file's size and checksum before what depends on them: damage is
 * told from nonsense. */
static vsp_status check_file(const unsigned char *bytes, size_t size,
                             uint32_t *steps)
{
    vsp_status status = check_header(bytes, size);
    uint32_t seed;

    if (status < 0)
        return status;
    seed = word_at(bytes, HEAD_SEED);
    if (seed % 4u != 0)
        return VSP_ERR_DATA;
    if (seed > size - HEAD_BYTES - END_BYTES)
        return VSP_ERR_TRUNCATED;
    status = check_records(bytes, HEAD_BYTES + (size_t)seed, size, steps);
    if (status == VSP_ERR_TRUNCATED)
        return status;
    if (checksum_of(bytes, size - 4u) != vsp__get_word(bytes + size - 4u))
        return VSP_ERR_CHECKSUM;
    return status;
}


/* ---- Player -------------------------------------------------------------- */

static size_t first_record(const unsigned char *bytes)
{
    return HEAD_BYTES + (size_t)word_at(bytes, HEAD_SEED);
}

/* Adds the next of the tables that the world had when playing began. */
static bool show_table(vsp_world *world, uint32_t limit)
{
    uint32_t count = world->table_count;

    if (!HAS_TABLES || count >= limit)
        return false;
    world->params.tables = vsp__mix(world->params.tables,
                                    vsp__digest_table(world->tables[count]));
    world->table_count = count + 1u;
    return true;
}

/* Restores what may be of another time, with the tables of that time: as many
 * as there were, of so many. */
static vsp_status restore_tables(vsp_world *world, uint32_t limit,
                                 const unsigned char *bytes, size_t size)
{
    uint32_t count = world->table_count, digest = world->params.tables;
    vsp_status status;

    world->table_count = world->params.tables = 0;
    do
        status = vsp_world_restore(world, bytes, size);
    while (status == VSP_ERR_TABLE && show_table(world, limit));
    if (status < 0) {
        world->table_count = count;
        world->params.tables = digest;
    }
    return status;
}

vsp_status vsp_play_begin(vsp_player *player, vsp_world *world,
                          const void *bytes, size_t size)
{
    static const vsp_player none;
    const unsigned char *file = (const unsigned char *)bytes;
    vsp_status status;
    uint32_t steps, tables;

    if (player == NULL)
        return VSP_ERR_ARG;
    *player = none;
    if (!vsp__is_world(world) || bytes == NULL)
        return VSP_ERR_ARG;
    tables = world->table_count;
    status = check_file(file, size, &steps);
    if (status >= 0)
        status = restore_tables(world, tables, file + HEAD_BYTES,
                                word_at(file, HEAD_SEED));
    if (status < 0)
        return status;
    player->world = world;
    player->table_count = tables;
    player->bytes = file;
    player->at = first_record(file);
    player->step_count = steps;
    player->expected = player->got = vsp_world_hash(world);
    return VSP_OK;
}

/* Adds tables until there are so many, of this digest. */
static vsp_status play_tables(const vsp_player *player, uint32_t count,
                              uint32_t digest)
{
    vsp_world *world = player->world;
    uint32_t old_count = world->table_count, old = world->params.tables;

    while (world->table_count < count &&
           show_table(world, player->table_count))
        ;
    if (world->table_count == count && world->params.tables == digest)
        return VSP_OK;
    world->table_count = old_count;
    world->params.tables = old;
    return VSP_ERR_TABLE;
}

/* Makes the call of the next record, which is no step.  Returns VSP_DIVERGED
 * when it gives another id than it gave. */
static vsp_status play_call(const vsp_player *player)
{
    const unsigned char *bytes = player->bytes + player->at;
    const file_word *w = (const file_word *)bytes;
    uint32_t op = record_op(bytes, 0), new_id = 0;
    vsp_status status;

    if (op == VSP_OP_KEYFRAME)
        return VSP_OK;
    if (op == VSP_OP_RESTORE)
        return vsp_world_restore(player->world, bytes + 4,
                                 payload_bytes(bytes, 0));
    if (op == VSP_OP_TABLES)
        return play_tables(player, word_of(w + 1), word_of(w + 2));
    status = make_call(player->world, op, w + 1, &new_id);
    if (status >= 0 && new_id != 0 && new_id != word_of(w + op_words[op]))
        return VSP_DIVERGED;
    return status;
}

/* Plays up to a step or the end; *op says which. */
static vsp_status play_calls(vsp_player *player, uint32_t *op)
{
    vsp_status status, worst = VSP_OK;

    for (;;) {
        *op = record_op(player->bytes, player->at);
        if (*op == VSP_OP_STEP || *op == VSP_OP_END)
            return worst;
        status = play_call(player);
        if (status < 0)
            return status == VSP_ERR_TABLE ? status : VSP_ERR_DATA;
        if (status == VSP_DIVERGED)
            worst = status;
        player->at = next_record(player->bytes, player->at);
    }
}

vsp_status vsp_play_step(vsp_player *player)
{
    vsp_status status, stepped;
    uint32_t op;

    if (player == NULL || player->world == NULL)
        return VSP_ERR_ARG;
    status = play_calls(player, &op);
    if (status < 0)
        return status;
    if (op == VSP_OP_END)
        return VSP_END;
    stepped = vsp_world_step(player->world);
    if (stepped < 0)
        return stepped;
    player->step++;
    player->expected = vsp__get_word(player->bytes + player->at + 4);
    player->got = vsp_world_hash(player->world);
    player->at = next_record(player->bytes, player->at);
    return player->expected == player->got ? status : VSP_DIVERGED;
}

/* a place in a file, between records */
typedef struct film_place {
    size_t at;
    uint32_t step, hash; /* steps before it, hash after the last */
} film_place;

/* Finds where so many steps have been made, and the last keyframe before
 * that, or the first record. */
static void find_places(const vsp_player *player, uint32_t step,
                        film_place *to, film_place *keyframe)
{
    const unsigned char *bytes = player->bytes;
    film_place p;

    p.at = first_record(bytes);
    p.step = p.hash = 0;
    *keyframe = *to = p;
    while (p.step <= step) {
        uint32_t op = record_op(bytes, p.at);

        if (op == VSP_OP_END)
            return;
        if (op == VSP_OP_KEYFRAME)
            *keyframe = p;
        if (op == VSP_OP_STEP) {
            p.step++;
            p.hash = vsp__get_word(bytes + p.at + 4);
        }
        p.at = next_record(bytes, p.at);
        if (op == VSP_OP_STEP && p.step == step)
            *to = p;
    }
}

/* Makes the world what a keyframe says, or the seed at the first record. */
static vsp_status restore_place(vsp_player *player, const film_place *p)
{
    const unsigned char *bytes = player->bytes;
    bool is_keyframe = record_op(bytes, p->at) == VSP_OP_KEYFRAME;
    vsp_status status;

    if (is_keyframe)
        status = restore_tables(player->world, player->table_count,
                                bytes + p->at + 4,
                                payload_bytes(bytes, p->at));
    else
        status = restore_tables(player->world, player->table_count,
                                bytes + HEAD_BYTES,
                                word_at(bytes, HEAD_SEED));
    if (status < 0)
        return status;
    player->at = p->at;
    player->step = p->step;
    player->got = vsp_world_hash(player->world);
    player->expected = p->step > 0 ? p->hash : player->got;
    return player->expected == player->got ? VSP_OK : VSP_DIVERGED;
}

vsp_status vsp_play_seek(vsp_player *player, uint32_t step)
{
    film_place to, keyframe;
    vsp_status status = VSP_OK;

    if (player == NULL || player->world == NULL || step > player->step_count)
        return VSP_ERR_ARG;
    find_places(player, step, &to, &keyframe);
    if (player->at > to.at || player->at < keyframe.at)
        status = restore_place(player, &keyframe);
    while (status == VSP_OK && player->step < step)
        status = vsp_play_step(player);
    if (status == VSP_OK && player->expected != player->got)
        return VSP_DIVERGED;
    return status;
}
