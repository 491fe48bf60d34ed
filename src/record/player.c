/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The player (VSP_REPLAY): the check of a file, playing it, seeking in it. */

#include "record.h"

#if VSP_REPLAY


/* ---- Check of a file ----------------------------------------------------- */

static uint32_t word_at(const unsigned char *bytes, uint32_t index)
{
    return vsp__get_word(bytes + 4u * (size_t)index);
}

/* A record: its operation, the size of its body, bytes, and the offset of the
 * next record. */
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

    for (i = 0; i < VSP__REPLAY_HEAD_STARTS; i++) {
        if (size / 4u <= i)
            return VSP_ERR_TRUNCATED;
        if (i != VSP__REPLAY_HEAD_VERSION &&
            word_at(bytes, i) != vsp__replay_head[i])
            return VSP_ERR_VERSION;
    }
    if (size < VSP__REPLAY_HEAD_BYTES + VSP__REPLAY_END_BYTES || size % 4u != 0)
        return VSP_ERR_TRUNCATED;
    return vsp__checksum_of(bytes, VSP__REPLAY_HEAD_BYTES - 4u) ==
                   word_at(bytes, VSP__REPLAY_HEAD_CHECKSUM)
               ? VSP_OK
               : VSP_ERR_CHECKSUM;
}

/* Checks number and size of the record at `at`. */
static vsp_status check_record(const unsigned char *bytes, size_t at,
                               size_t size)
{
    uint32_t head = vsp__get_word(bytes + at);
    uint32_t op = head & 0xffu, count = head >> 8;

    if (op == VSP_OP_NONE || op >= VSP_OP_COUNT ||
        (vsp__op_words[op] != 0 && vsp__op_words[op] != count))
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
            if (size - at != VSP__REPLAY_END_BYTES)
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

/* Checks a whole file.  A wrong checksum is reported before invalid records,
 * because damage to the file is the likelier reason. */
static vsp_status check_file(const unsigned char *bytes, size_t size,
                             uint32_t *steps)
{
    vsp_status status = check_header(bytes, size);
    uint32_t seed;

    if (status < 0)
        return status;
    seed = word_at(bytes, VSP__REPLAY_HEAD_SEED);
    if (seed % 4u != 0)
        return VSP_ERR_DATA;
    if (seed > size - VSP__REPLAY_HEAD_BYTES - VSP__REPLAY_END_BYTES)
        return VSP_ERR_TRUNCATED;
    status = check_records(bytes, VSP__REPLAY_HEAD_BYTES + (size_t)seed, size,
                           steps);
    if (status == VSP_ERR_TRUNCATED)
        return status;
    if (vsp__checksum_of(bytes, size - 4u) != vsp__get_word(bytes + size - 4u))
        return VSP_ERR_CHECKSUM;
    return status;
}


/* ---- Player -------------------------------------------------------------- */

static size_t first_record(const unsigned char *bytes)
{
    return VSP__REPLAY_HEAD_BYTES +
           (size_t)word_at(bytes, VSP__REPLAY_HEAD_SEED);
}

/* Adds the next of the world's `limit` tables: while it plays, a world has as
 * many tables as the recorded world had at that time. */
static bool add_next_table(vsp_world *world, uint32_t limit)
{
    uint32_t count = world->table_count;

    if (!VSP__HAS_TABLES || count >= limit)
        return false;
    world->params.tables = vsp__hash_word(
        world->params.tables, vsp__digest_table(world->tables[count]));
    world->table_count = count + 1u;
    return true;
}

/* Restores a snapshot together with the tables of its time: the first of the
 * world's `limit` tables, as many as the snapshot's digest asks for. */
static vsp_status restore_tables(vsp_world *world, uint32_t limit,
                                 const unsigned char *bytes, size_t size)
{
    uint32_t count = world->table_count, digest = world->params.tables;
    vsp_status status;

    world->table_count = world->params.tables = 0;
    do
        status = vsp_world_restore(world, bytes, size);
    while (status == VSP_ERR_TABLE && add_next_table(world, limit));
    if (status < 0) {
        world->table_count = count;
        world->params.tables = digest;
    }
    return status;
}

vsp_status vsp_play_begin(vsp_player *player, vsp_world *world,
                          const void *bytes, size_t size)
{
    const unsigned char *file = (const unsigned char *)bytes;
    vsp_status status;
    uint32_t steps, tables;

    if (player == NULL)
        return VSP_ERR_ARG;
    vsp__zero_bytes(player, sizeof *player);
    if (!vsp__is_world(world) || bytes == NULL)
        return VSP_ERR_ARG;
    tables = world->table_count;
    status = check_file(file, size, &steps);
    if (status >= 0)
        status = restore_tables(world, tables, file + VSP__REPLAY_HEAD_BYTES,
                                word_at(file, VSP__REPLAY_HEAD_SEED));
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

/* Adds tables until there are `count`.  Returns VSP_ERR_TABLE, and changes
 * nothing, if there are too few, or their digest differs. */
static vsp_status play_tables(const vsp_player *player, uint32_t count,
                              uint32_t digest)
{
    vsp_world *world = player->world;
    uint32_t old_count = world->table_count, old = world->params.tables;

    while (world->table_count < count &&
           add_next_table(world, player->table_count))
        ;
    if (world->table_count == count && world->params.tables == digest)
        return VSP_OK;
    world->table_count = old_count;
    world->params.tables = old;
    return VSP_ERR_TABLE;
}

/* Makes the call of the next record, which is not a step.  Returns VSP_DIVERGED
 * if the new id differs from the recorded one. */
static vsp_status play_call(const vsp_player *player)
{
    const unsigned char *bytes = player->bytes + player->at;
    const vsp__file_word *w = (const vsp__file_word *)bytes;
    uint32_t op = record_op(bytes, 0), new_id = 0;
    vsp_status status;

    if (op == VSP_OP_KEYFRAME)
        return VSP_OK;
    if (op == VSP_OP_RESTORE)
        return vsp_world_restore(player->world, bytes + 4,
                                 payload_bytes(bytes, 0));
    if (op == VSP_OP_TABLES)
        return play_tables(player, vsp__file_word_of(w + 1),
                           vsp__file_word_of(w + 2));
    status = vsp__carry_out_call(player->world, op, w + 1, &new_id);
    if (status >= 0 && new_id != 0 &&
        new_id != vsp__file_word_of(w + vsp__op_words[op]))
        return VSP_DIVERGED;
    return status;
}

/* Plays the calls before the next step or the end; *op is which of the two. */
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
        return status == VSP_OK ? VSP_END : status;
    stepped = vsp_world_step(player->world);
    if (stepped < 0)
        return stepped;
    player->step++;
    player->expected = vsp__get_word(player->bytes + player->at + 4);
    player->got = vsp_world_hash(player->world);
    player->at = next_record(player->bytes, player->at);
    return player->expected == player->got ? status : VSP_DIVERGED;
}

/* A position in a file, between records. */
typedef struct replay_place {
    size_t at;
    uint32_t step, hash; /* steps before it; the hash after the last of them */
} replay_place;

/* Finds the position after `step` steps, and the last keyframe before it or at
 * it; the first record if there is none. */
static void find_places(const vsp_player *player, uint32_t step,
                        replay_place *to, replay_place *keyframe)
{
    const unsigned char *bytes = player->bytes;
    replay_place p;

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

/* Restores the keyframe at a position, or the seed if there is none. */
static vsp_status restore_place(vsp_player *player, const replay_place *p)
{
    const unsigned char *bytes = player->bytes;
    bool is_keyframe = record_op(bytes, p->at) == VSP_OP_KEYFRAME;
    vsp_status status;

    if (is_keyframe)
        status = restore_tables(player->world, player->table_count,
                                bytes + p->at + 4, payload_bytes(bytes, p->at));
    else
        status = restore_tables(player->world, player->table_count,
                                bytes + VSP__REPLAY_HEAD_BYTES,
                                word_at(bytes, VSP__REPLAY_HEAD_SEED));
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
    replay_place to, keyframe;
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

#endif /* VSP_REPLAY */
