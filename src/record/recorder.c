/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The recorder (VSP_REPLAY).  In this order: the file as it grows; its
 * beginning, steps and end; the recorded calls. */

#include "record.h"

#if VSP_REPLAY


/* ---- Recorder ------------------------------------------------------------ */

/* Converts words to bytes, in place. */
static void words_to_bytes(uint32_t *words, uint32_t count)
{
    for (; count > 0; words++, count--)
        vsp__set_word((unsigned char *)words, *words);
}

static bool is_recording(const vsp_recorder *recorder)
{
    return recorder->is_open && recorder->status >= 0;
}

static void stop_recording(vsp_recorder *recorder)
{
    recorder->status = VSP_ERR_MEMORY;
}

/* Appends whole words to the file; they must fit in a buffer. */
static void put_bytes(vsp_recorder *recorder, const void *bytes, size_t size)
{
    const vsp_record_def *def = &recorder->sink;

    recorder->checksum = vsp__sum_bytes(recorder->checksum,
                                        (const unsigned char *)bytes, size);
    if (def->buffer != NULL) {
        vsp__copy_bytes((unsigned char *)def->buffer + recorder->size, bytes,
                        size);
    } else if (!def->write(def->user, bytes, size)) {
        stop_recording(recorder);
        return;
    }
    recorder->size += size;
}

/* Whether `size` bytes fit, in a buffer together with the end of the file; if
 * not, recording stops. */
static bool fits_sink(vsp_recorder *recorder, size_t size)
{
    const vsp_record_def *def = &recorder->sink;

    if (def->buffer == NULL ||
        (size <= def->capacity - recorder->size &&
         VSP__REPLAY_END_BYTES <= def->capacity - recorder->size - size))
        return true;
    stop_recording(recorder);
    return false;
}

/* Fills the head, words[0], and turns the words of a record into bytes. */
static void finish_record(uint32_t op, uint32_t *words)
{
    words[0] = op | (uint32_t)vsp__op_words[op] << 8;
    words_to_bytes(words, vsp__op_words[op] + 1u);
}

static void put_record(vsp_recorder *recorder, uint32_t op,
                       const uint32_t *words)
{
    size_t size = 4u * (vsp__op_words[op] + (size_t)1);

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

/* Takes a snapshot: into the scratch, or into the buffer, `ahead` bytes after
 * the present end of the file.  Returns null if it does not fit. */
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
        room = def->capacity - recorder->size - ahead - VSP__REPLAY_END_BYTES;
    }
    recorder->status = vsp_world_snapshot(recorder->world, to, room, size);
    return recorder->status < 0 ? NULL : to;
}

/* Appends a keyframe: of the world, or the state that is claimed. */
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
    recorder->status = status; /* VSP_DIVERGED stays */
    put_snapshot_record(recorder, VSP_OP_KEYFRAME, bytes, size);
}

static void write_replay_header(vsp_recorder *recorder, size_t seed_size)
{
    vsp_capacity capacity = vsp_world_capacity(recorder->world);
    uint32_t w[VSP__REPLAY_HEAD_BYTES / 4u];

    vsp__copy_numbers(w, vsp__replay_head, VSP__REPLAY_HEAD_STARTS);
    vsp__copy_numbers(w + VSP__REPLAY_HEAD_STARTS, &capacity, 5);
    vsp__copy_numbers(w + 10, &recorder->world->params.dt, 1);
    w[11] = recorder->sink.keyframe_interval;
    w[VSP__REPLAY_HEAD_SEED] = (uint32_t)seed_size;
    words_to_bytes(w, VSP__REPLAY_HEAD_CHECKSUM);
    w[VSP__REPLAY_HEAD_CHECKSUM] = vsp__checksum_of(
        (const unsigned char *)w, VSP__REPLAY_HEAD_BYTES - 4u);
    words_to_bytes(w + VSP__REPLAY_HEAD_CHECKSUM, 1);
    put_bytes(recorder, w, VSP__REPLAY_HEAD_BYTES);
}

static bool is_sink(const vsp_record_def *def)
{
    return def->buffer != NULL ? def->write == NULL
                               : def->write != NULL && def->scratch != NULL;
}

static vsp_status start_recording(vsp_recorder *recorder)
{
    size_t size;
    const void *seed = take_snapshot(recorder, VSP__REPLAY_HEAD_BYTES, &size);

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
    if (recorder == NULL)
        return VSP_ERR_ARG;
    vsp__zero_bytes(recorder, sizeof *recorder);
    recorder->world = world;
    if (world == NULL || def == NULL || !is_sink(def))
        return VSP_ERR_ARG;
    recorder->sink = *def;
    return start_recording(recorder);
}

/* Records that tables were added: how many there are now, and their digest. */
static void put_tables(vsp_recorder *recorder)
{
    uint32_t words[3];

    recorder->table_count = words[1] = recorder->world->table_count;
    words[2] = recorder->world->params.tables;
    finish_record(VSP_OP_TABLES, words);
    put_record(recorder, VSP_OP_TABLES, words);
    recorder->is_fresh = false;
}

/* Checks whether tables were added, or calls that bypassed the recorder changed
 * the world. */
static void check_for_other_changes(vsp_recorder *recorder)
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
    check_for_other_changes(recorder);
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

/* The end still fits in a full buffer; a write function that has failed is not
 * called again. */
vsp_status vsp_record_end(vsp_recorder *recorder, size_t *size)
{
    uint32_t w[3];

    if (size != NULL)
        *size = 0;
    if (recorder == NULL || !recorder->is_open)
        return VSP_ERR_ARG;
    check_for_other_changes(recorder);
    recorder->is_open = false;
    if (recorder->sink.buffer != NULL || recorder->status >= 0) {
        w[0] = VSP_OP_END | 2u << 8;
        w[1] = recorder->step_count;
        words_to_bytes(w, 2);
        w[2] = vsp__hash_end(
            vsp__sum_bytes(recorder->checksum, (const unsigned char *)w, 8));
        words_to_bytes(w + 2, 1);
        put_bytes(recorder, w, VSP__REPLAY_END_BYTES);
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

/* Makes the call of these words, and records it unless it is refused.  id is
 * null, except for calls that create. */
static vsp_status record_call(vsp_recorder *recorder, uint32_t op,
                              uint32_t *words, uint32_t *id)
{
    vsp_status status;
    uint32_t new_id = 0;

    if (recorder == NULL)
        return VSP_ERR_ARG;
    check_for_other_changes(recorder);
    finish_record(op, words);
    status = vsp__carry_out_call(recorder->world, op,
                                 (const vsp__file_word *)words + 1, &new_id);
    if (id != NULL)
        *id = new_id;
    if (status < 0 || !is_recording(recorder))
        return status;
    if (new_id != 0) {
        words[vsp__op_words[op]] = new_id;
        words_to_bytes(words + vsp__op_words[op], 1);
    }
    recorder->is_fresh = false;
    put_record(recorder, op, words);
    return status;
}

/* Records a call on a body, shape or joint; arguments are those after its
 * id. */
static vsp_status record_with(vsp_recorder *recorder, uint32_t op, uint32_t id,
                              const uint32_t *arguments)
{
    uint32_t words[2u + VSP__MOST_WORDS];

    words[1] = id;
    vsp__copy_numbers(words + 2, arguments, vsp__op_words[op] - 1u);
    return record_call(recorder, op, words, NULL);
}

/* A call on a body, shape or joint with `count` reals, side by side. */
static vsp_status record_reals(vsp_recorder *recorder, uint32_t op, uint32_t id,
                               const vsp_real *reals, uint32_t count)
{
    uint32_t words[2u + VSP__MOST_WORDS];

    words[1] = id;
    vsp__put_reals(words + 2, reals, count);
    return record_call(recorder, op, words, NULL);
}

/* A call on a body with one vector, and with two. */
static VSP__CALLED vsp_status record_vec3(vsp_recorder *recorder, uint32_t op,
                                          vsp_body_id id, vsp_vec3 v)
{
    return record_reals(recorder, op, id.bits, &v.x, 3);
}

static vsp_status record_pair(vsp_recorder *recorder, uint32_t op,
                              vsp_body_id id, vsp_vec3 a, vsp_vec3 b)
{
    vsp_vec3 both[2];

    both[0] = a;
    both[1] = b;
    return record_reals(recorder, op, id.bits, &both->x, 6);
}

vsp_status vsp_record_restore(vsp_recorder *recorder, const void *buffer,
                              size_t size)
{
    vsp_status status;

    if (recorder == NULL)
        return VSP_ERR_ARG;
    check_for_other_changes(recorder);
    status = vsp_world_restore(recorder->world, buffer, size);
    if (status < 0 || !is_recording(recorder))
        return status;
    recorder->is_fresh = false;
    put_snapshot_record(recorder, VSP_OP_RESTORE, buffer, size);
    return status;
}

vsp_status vsp_record_set_gravity(vsp_recorder *recorder, vsp_vec3 gravity)
{
    uint32_t words[1u + VSP__VEC3_WORDS];

    vsp__put_vec3(words + 1, &gravity);
    return record_call(recorder, VSP_OP_SET_GRAVITY, words, NULL);
}

#if VSP_MAX_RUNTIME_HULLS > 0

vsp_status vsp_record_hull_create(vsp_recorder *recorder,
                                  const vsp_vec3 *points, uint32_t count,
                                  uint32_t *table)
{
    uint32_t words[1u + VSP__HULL_WORDS];

    if (table != NULL)
        *table = 0;
    if (points == NULL || table == NULL || count > VSP_MAX_HULL_POINTS)
        return VSP_ERR_ARG;
    vsp__zero_bytes(words, sizeof words);
    words[1] = count;
    (void)vsp__put_reals(words + 2, &points->x, 3u * count);
    return record_call(recorder, VSP_OP_HULL_CREATE, words, table);
}

vsp_status vsp_record_hull_destroy(vsp_recorder *recorder, uint32_t table)
{
    return record_with(recorder, VSP_OP_HULL_DESTROY, table, NULL);
}

#endif

#if VSP_PAIR_RULES

vsp_status vsp_record_set_pair_rule(vsp_recorder *recorder, uint32_t index,
                                    const vsp_pair_rule *rule)
{
    uint32_t words[1u + 4u + 5u * VSP__REAL_WORDS];

    if (rule == NULL)
        return VSP_ERR_ARG;
    words[1] = index;
    words[2] = rule->a;
    words[3] = rule->b;
    words[4] = rule->flags;
    vsp__put_reals(words + 5, &rule->friction, 5);
    return record_call(recorder, VSP_OP_SET_PAIR_RULE, words, NULL);
}

#endif

#if VSP_FIELD_EDITS

/* Records a change of part of a field: up to VSP_MAX_FIELD_EDIT numbers of
 * `width` bits, packed into words. */
static vsp_status record_field(vsp_recorder *recorder, uint32_t op,
                               uint32_t *words, uint32_t width,
                               const int16_t *heights, const uint8_t *cells)
{
    uint32_t columns = words[4], rows = words[5], i;
    uint32_t per_word = 32u / width;

    if ((heights == NULL && cells == NULL) || columns > VSP_MAX_FIELD_EDIT ||
        rows > VSP_MAX_FIELD_EDIT || columns * rows > VSP_MAX_FIELD_EDIT)
        return VSP_ERR_ARG;
    vsp__zero_bytes(words + 6, 4u * VSP_MAX_FIELD_EDIT / per_word);
    for (i = 0; i < columns * rows; i++)
        words[6u + i / per_word] |=
            (heights != NULL ? (uint32_t)heights[i] & 0xffffu : cells[i])
            << i % per_word * width;
    return record_call(recorder, op, words, NULL);
}

vsp_status vsp_record_field_set_heights(vsp_recorder *recorder,
                                        vsp_shape_id shape, uint32_t column,
                                        uint32_t row, uint32_t columns,
                                        uint32_t rows, const int16_t *heights)
{
    uint32_t words[6u + VSP_MAX_FIELD_EDIT / 2u];

    words[1] = shape.bits;
    words[2] = column;
    words[3] = row;
    words[4] = columns;
    words[5] = rows;
    return record_field(recorder, VSP_OP_FIELD_SET_HEIGHTS, words, 16, heights,
                        NULL);
}

vsp_status vsp_record_field_set_materials(vsp_recorder *recorder,
                                          vsp_shape_id shape, uint32_t column,
                                          uint32_t row, uint32_t columns,
                                          uint32_t rows,
                                          const uint8_t *materials)
{
    uint32_t words[6u + VSP_MAX_FIELD_EDIT / 4u];

    words[1] = shape.bits;
    words[2] = column;
    words[3] = row;
    words[4] = columns;
    words[5] = rows;
    return record_field(recorder, VSP_OP_FIELD_SET_MATERIALS, words, 8, NULL,
                        materials);
}

#endif /* VSP_FIELD_EDITS */

vsp_status vsp_record_body_create(vsp_recorder *recorder,
                                  const vsp_body_def *def, vsp_body_id *id)
{
    uint32_t words[1u + VSP__BODY_WORDS];

    if (id != NULL)
        id->bits = 0;
    if (def == NULL)
        return VSP_ERR_ARG;
    vsp__put_body_def(words + 1, def);
    words[VSP__BODY_WORDS] = 0;
    return record_call(recorder, VSP_OP_BODY_CREATE, words,
                       id != NULL ? &id->bits : NULL);
}

vsp_status vsp_record_body_destroy(vsp_recorder *recorder, vsp_body_id id)
{
    return record_with(recorder, VSP_OP_BODY_DESTROY, id.bits, NULL);
}

vsp_status vsp_record_body_set_transform(vsp_recorder *recorder, vsp_body_id id,
                                         vsp_transform pose)
{
    return record_reals(recorder, VSP_OP_BODY_SET_TRANSFORM, id.bits,
                        &pose.position.x, 7);
}

vsp_status vsp_record_body_set_velocity(vsp_recorder *recorder, vsp_body_id id,
                                        vsp_vec3 velocity, vsp_vec3 spin)
{
    return record_pair(recorder, VSP_OP_BODY_SET_VELOCITY, id, velocity, spin);
}

vsp_status vsp_record_body_set_mass(vsp_recorder *recorder, vsp_body_id id,
                                    vsp_real mass, vsp_vec3 center,
                                    vsp_vec3 inertia)
{
    uint32_t w[VSP__REAL_WORDS + 2u * VSP__VEC3_WORDS];

    vsp__put_vec3(vsp__put_vec3(vsp__put_reals(w, &mass, 1), &center),
                  &inertia);
    return record_with(recorder, VSP_OP_BODY_SET_MASS, id.bits, w);
}

vsp_status vsp_record_body_set_damping(vsp_recorder *recorder, vsp_body_id id,
                                       vsp_real linear, vsp_real angular)
{
    const vsp_real both[2] = {linear, angular};

    return record_reals(recorder, VSP_OP_BODY_SET_DAMPING, id.bits, both, 2);
}

vsp_status vsp_record_body_set_gravity_scale(vsp_recorder *recorder,
                                             vsp_body_id id, vsp_real scale)
{
    return record_reals(recorder, VSP_OP_BODY_SET_GRAVITY_SCALE, id.bits,
                        &scale, 1);
}

vsp_status vsp_record_body_set_max_speed(vsp_recorder *recorder, vsp_body_id id,
                                         vsp_real speed)
{
    return record_reals(recorder, VSP_OP_BODY_SET_MAX_SPEED, id.bits, &speed,
                        1);
}

vsp_status vsp_record_body_set_locks(vsp_recorder *recorder, vsp_body_id id,
                                     uint32_t locks)
{
    return record_with(recorder, VSP_OP_BODY_SET_LOCKS, id.bits, &locks);
}

/* A call on a body with a bool. */
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

vsp_status vsp_record_body_enable_sleep(vsp_recorder *recorder, vsp_body_id id,
                                        bool is_enabled)
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
    return record_vec3(recorder, VSP_OP_BODY_APPLY_CENTER_FORCE, id, force);
}

vsp_status vsp_record_body_apply_torque(vsp_recorder *recorder, vsp_body_id id,
                                        vsp_vec3 torque)
{
    return record_vec3(recorder, VSP_OP_BODY_APPLY_TORQUE, id, torque);
}

vsp_status vsp_record_body_apply_impulse(vsp_recorder *recorder, vsp_body_id id,
                                         vsp_vec3 impulse, vsp_vec3 point)
{
    return record_pair(recorder, VSP_OP_BODY_APPLY_IMPULSE, id, impulse, point);
}

vsp_status vsp_record_body_apply_center_impulse(vsp_recorder *recorder,
                                                vsp_body_id id,
                                                vsp_vec3 impulse)
{
    return record_vec3(recorder, VSP_OP_BODY_APPLY_CENTER_IMPULSE, id, impulse);
}

vsp_status vsp_record_body_apply_angular_impulse(vsp_recorder *recorder,
                                                 vsp_body_id id,
                                                 vsp_vec3 impulse)
{
    return record_vec3(recorder, VSP_OP_BODY_APPLY_ANGULAR_IMPULSE, id,
                       impulse);
}

vsp_status vsp_record_shape_create(vsp_recorder *recorder, vsp_body_id body,
                                   const vsp_shape_def *def, vsp_shape_id *id)
{
    uint32_t words[1u + VSP__SHAPE_WORDS];

    if (id != NULL)
        id->bits = 0;
    if (def == NULL)
        return VSP_ERR_ARG;
    words[1] = body.bits;
    vsp__put_shape_def(words + 2, def);
    words[VSP__SHAPE_WORDS] = 0;
    return record_call(recorder, VSP_OP_SHAPE_CREATE, words,
                       id != NULL ? &id->bits : NULL);
}

vsp_status vsp_record_shape_destroy(vsp_recorder *recorder, vsp_shape_id id)
{
    return record_with(recorder, VSP_OP_SHAPE_DESTROY, id.bits, NULL);
}

vsp_status vsp_record_shape_set_material(vsp_recorder *recorder,
                                         vsp_shape_id id, vsp_material material)
{
    uint32_t w[VSP__MATERIAL_WORDS];

    vsp__put_material(w, &material);
    return record_with(recorder, VSP_OP_SHAPE_SET_MATERIAL, id.bits, w);
}

vsp_status vsp_record_shape_set_filter(vsp_recorder *recorder, vsp_shape_id id,
                                       vsp_filter filter)
{
    uint32_t w[3];

    vsp__copy_numbers(w, &filter, 3);
    return record_with(recorder, VSP_OP_SHAPE_SET_FILTER, id.bits, w);
}

vsp_status vsp_record_shape_set_surface_velocity(vsp_recorder *recorder,
                                                 vsp_shape_id id,
                                                 vsp_vec3 velocity)
{
    return record_reals(recorder, VSP_OP_SHAPE_SET_SURFACE_VELOCITY, id.bits,
                        &velocity.x, 3);
}

vsp_status vsp_record_shape_set_user(vsp_recorder *recorder, vsp_shape_id id,
                                     uint32_t user)
{
    return record_with(recorder, VSP_OP_SHAPE_SET_USER, id.bits, &user);
}

#if VSP_ROLLING

vsp_status vsp_record_shape_set_rolling_friction(vsp_recorder *recorder,
                                                 vsp_shape_id id,
                                                 vsp_real rolling,
                                                 vsp_real spinning)
{
    vsp_real both[2];

    both[0] = rolling;
    both[1] = spinning;
    return record_reals(recorder, VSP_OP_SHAPE_SET_ROLLING_FRICTION, id.bits,
                        both, 2);
}

#endif /* VSP_ROLLING */

#if VSP_EXPLOSIONS

vsp_status vsp_record_explode(vsp_recorder *recorder,
                              const vsp_explosion *explosion)
{
    uint32_t words[1u + 3u + 6u * VSP__REAL_WORDS];

    if (explosion == NULL)
        return VSP_ERR_ARG;
    vsp__put_explosion(words + 1, explosion);
    return record_call(recorder, VSP_OP_EXPLODE, words, NULL);
}

#endif /* VSP_EXPLOSIONS */

#if VSP_EDITS

vsp_status vsp_record_shape_set_pose(vsp_recorder *recorder, vsp_shape_id id,
                                     vsp_transform pose)
{
    return record_reals(recorder, VSP_OP_SHAPE_SET_POSE, id.bits,
                        &pose.position.x, 7);
}

vsp_status vsp_record_shape_set_size(vsp_recorder *recorder, vsp_shape_id id,
                                     vsp_vec3 size)
{
    return record_reals(recorder, VSP_OP_SHAPE_SET_SIZE, id.bits, &size.x, 3);
}

vsp_status vsp_record_shape_set_density(vsp_recorder *recorder, vsp_shape_id id,
                                        vsp_real density)
{
    return record_reals(recorder, VSP_OP_SHAPE_SET_DENSITY, id.bits, &density,
                        1);
}

vsp_status vsp_record_shape_set_sensor(vsp_recorder *recorder, vsp_shape_id id,
                                       bool is_sensor)
{
    uint32_t w = is_sensor ? 1 : 0;

    return record_with(recorder, VSP_OP_SHAPE_SET_SENSOR, id.bits, &w);
}

vsp_status vsp_record_shape_set_surface_spin(vsp_recorder *recorder,
                                             vsp_shape_id id, vsp_vec3 spin)
{
    return record_reals(recorder, VSP_OP_SHAPE_SET_SURFACE_SPIN, id.bits,
                        &spin.x, 3);
}

vsp_status vsp_record_body_set_type(vsp_recorder *recorder, vsp_body_id id,
                                    vsp_body_type type)
{
    uint32_t w = (uint32_t)type;

    return record_with(recorder, VSP_OP_BODY_SET_TYPE, id.bits, &w);
}

vsp_status vsp_record_body_enable(vsp_recorder *recorder, vsp_body_id id,
                                  bool is_enabled)
{
    return record_switch(recorder, VSP_OP_BODY_ENABLE, id, is_enabled);
}

vsp_status vsp_record_body_set_linear_velocity(vsp_recorder *recorder,
                                               vsp_body_id id,
                                               vsp_vec3 velocity)
{
    return record_vec3(recorder, VSP_OP_BODY_SET_LINEAR_VELOCITY, id, velocity);
}

vsp_status vsp_record_body_set_spin(vsp_recorder *recorder, vsp_body_id id,
                                    vsp_vec3 spin)
{
    return record_vec3(recorder, VSP_OP_BODY_SET_SPIN, id, spin);
}

vsp_status vsp_record_body_move_to(vsp_recorder *recorder, vsp_body_id id,
                                   vsp_transform pose, vsp_real dt)
{
    uint32_t w[VSP__POSE_WORDS + VSP__REAL_WORDS];

    vsp__put_reals(vsp__put_reals(w, &pose.position.x, 7), &dt, 1);
    return record_with(recorder, VSP_OP_BODY_MOVE_TO, id.bits, w);
}

#endif /* VSP_EDITS */

#if VSP_JOINTS

vsp_status vsp_record_joint_create(vsp_recorder *recorder,
                                   const vsp_joint_def *def, vsp_joint_id *id)
{
    uint32_t words[1u + VSP__JOINT_WORDS];

    if (id != NULL)
        id->bits = 0;
    if (def == NULL)
        return VSP_ERR_ARG;
    vsp__put_joint_def(words + 1, def);
    words[VSP__JOINT_WORDS] = 0;
    return record_call(recorder, VSP_OP_JOINT_CREATE, words,
                       id != NULL ? &id->bits : NULL);
}

vsp_status vsp_record_joint_destroy(vsp_recorder *recorder, vsp_joint_id id)
{
    return record_with(recorder, VSP_OP_JOINT_DESTROY, id.bits, NULL);
}

/* A call on a joint with a bool and two numbers. */
static VSP__CALLED vsp_status record_enabled(vsp_recorder *recorder,
                                             uint32_t op, vsp_joint_id id,
                                             bool enable, vsp_real a,
                                             vsp_real b)
{
    uint32_t w[1u + 2u * VSP__REAL_WORDS];
    const vsp_real both[2] = {a, b};

    w[0] = enable;
    vsp__put_reals(w + 1, both, 2);
    return record_with(recorder, op, id.bits, w);
}

vsp_status vsp_record_joint_set_limit(vsp_recorder *recorder, vsp_joint_id id,
                                      bool enable, vsp_real low, vsp_real high)
{
    return record_enabled(recorder, VSP_OP_JOINT_SET_LIMIT, id, enable, low,
                          high);
}

vsp_status vsp_record_joint_set_cone(vsp_recorder *recorder, vsp_joint_id id,
                                     vsp_real cone)
{
    return record_reals(recorder, VSP_OP_JOINT_SET_CONE, id.bits, &cone, 1);
}

vsp_status vsp_record_joint_set_spring(vsp_recorder *recorder, vsp_joint_id id,
                                       vsp_real hertz, vsp_real damping)
{
    const vsp_real both[2] = {hertz, damping};

    return record_reals(recorder, VSP_OP_JOINT_SET_SPRING, id.bits, both, 2);
}

vsp_status vsp_record_joint_set_motor(vsp_recorder *recorder, vsp_joint_id id,
                                      bool enable, vsp_real speed, vsp_real max)
{
    return record_enabled(recorder, VSP_OP_JOINT_SET_MOTOR, id, enable, speed,
                          max);
}

vsp_status vsp_record_joint_set_strength(vsp_recorder *recorder,
                                         vsp_joint_id id,
                                         vsp_real break_impulse,
                                         vsp_real break_turn)
{
    const vsp_real both[2] = {break_impulse, break_turn};

    return record_reals(recorder, VSP_OP_JOINT_SET_STRENGTH, id.bits, both, 2);
}

#if VSP_DRIVES

vsp_status vsp_record_joint_set_drive(vsp_recorder *recorder, vsp_joint_id id,
                                      vsp_motor_mode mode, vsp_real hertz,
                                      vsp_real damping)
{
    uint32_t w[1u + 2u * VSP__REAL_WORDS];
    const vsp_real both[2] = {hertz, damping};

    w[0] = (uint32_t)mode;
    vsp__put_reals(w + 1, both, 2);
    return record_with(recorder, VSP_OP_JOINT_SET_DRIVE, id.bits, w);
}

vsp_status vsp_record_joint_set_target(vsp_recorder *recorder, vsp_joint_id id,
                                       vsp_real target)
{
    return record_reals(recorder, VSP_OP_JOINT_SET_TARGET, id.bits, &target, 1);
}

vsp_status vsp_record_joint_set_axes(vsp_recorder *recorder, vsp_joint_id id,
                                     uint32_t locked, uint32_t limited,
                                     uint32_t driven)
{
    uint32_t words[3];

    words[0] = locked;
    words[1] = limited;
    words[2] = driven;
    return record_with(recorder, VSP_OP_JOINT_SET_AXES, id.bits, words);
}

vsp_status vsp_record_joint_set_frame(vsp_recorder *recorder, vsp_joint_id id,
                                      vsp_quat rotation)
{
    return record_reals(recorder, VSP_OP_JOINT_SET_FRAME, id.bits, &rotation.x,
                        4);
}

#endif /* VSP_DRIVES */

vsp_status vsp_record_joint_set_user(vsp_recorder *recorder, vsp_joint_id id,
                                     uint32_t user)
{
    return record_with(recorder, VSP_OP_JOINT_SET_USER, id.bits, &user);
}

#endif /* VSP_JOINTS */

#endif /* VSP_REPLAY */
