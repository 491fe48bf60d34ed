/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The commands record, replay and diff, in this order: progress and worlds,
 * recording, differences in words, replaying, comparing snapshots, comparing
 * replays. */

#include "replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "port/file.h"
#include "port/scenes/table_sets.h"
#include "report.h"

#define SAME 0
#define DIVERGED 1
#define BAD_FILE 2

/* size of a replay's header, and offset of the seed's size, bytes: SPEC.md */
#define HEADER_BYTES 56
#define SEED_AT 48

/* size of the part of a header that names versions; of the snapshot's words
 * that depend on the version, the checksum is the last one */
#define VERSION_BYTES 20
#define CHECKED_BYTES 28

static unsigned char snapshot[VSP_SNAPSHOT_BYTES];


/* ---- Progress and worlds ------------------------------------------------ */

static bool has_spoken;

/* Prints the progress once a second, but not within the first second. */
static void show_progress(uint32_t step, uint32_t count)
{
    static clock_t next;

    if (step == 0)
        next = clock() + CLOCKS_PER_SEC;
    if (clock() < next)
        return;
    fprintf(stderr, "\r  step %u of %u", (unsigned)step, (unsigned)count);
    next = clock() + CLOCKS_PER_SEC;
    has_spoken = true;
}

static void end_progress(void)
{
    if (has_spoken)
        fprintf(stderr, "\n");
    has_spoken = false;
}

/* Makes world `index` with a set of tables.  Returns null if there is no such
 * set. */
static vsp_world *make_world(int index, uint32_t set)
{
    static union {
        uint32_t align;
        unsigned char mem[VSP__UP4(VSP_WORLD_BYTES)];
    } arenas[2];
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world;

    def.sweep_limit = UINT32_MAX; /* allow any file's sweeps */
    vsp_world_create(arenas[index].mem, sizeof arenas[index].mem, &def, &world);
    return add_table_set(world, set) ? world : NULL;
}

/* Restores world `index`, with the set of tables that the snapshot was made
 * with. */
static vsp_status restore_world(vsp_world **world, int index,
                                const file_bytes *file)
{
    vsp_status status = VSP_ERR_TABLE;

    for (uint32_t set = 0;
         status == VSP_ERR_TABLE && (*world = make_world(index, set)) != NULL;
         set++)
        status = vsp_world_restore(*world, file->bytes, file->size);
    return status;
}

static bool is_replay(const file_bytes *file)
{
    return file->size >= 4 && memcmp(file->bytes, "VSPR", 4) == 0;
}

static bool is_snapshot(const file_bytes *file)
{
    return file->size >= 4 && memcmp(file->bytes, "VSPS", 4) == 0;
}

static uint32_t file_word(const file_bytes *file, size_t at)
{
    const unsigned char *b = file->bytes + at;

    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
           (uint32_t)b[3] << 24;
}

static void print_version(const char *whose, uint32_t version, uint32_t format,
                          uint32_t bits, bool is_fixed)
{
    fprintf(stderr, "  %s: version %u.%u.%u, format %u, bits %u, %s\n", whose,
            (unsigned)(version >> 16), (unsigned)(version >> 8 & 0xff),
            (unsigned)(version & 0xff), (unsigned)format, (unsigned)bits,
            is_fixed ? "fixed point" : "float");
}

/* Prints the versions of the file and of this build. */
static void compare_versions(const file_bytes *file)
{
    if (file->size < VERSION_BYTES || !(is_replay(file) || is_snapshot(file))) {
        fprintf(stderr, "  it is no replay and no snapshot\n");
        return;
    }
    print_version("the file  ", file_word(file, 8), file_word(file, 4),
                  file_word(file, 12), file_word(file, 16) == 2);
    print_version("this build", VSP_VERSION,
                  is_replay(file) ? VSP_REPLAY_FORMAT_VERSION
                                  : VSP_FORMAT_VERSION,
                  VSP_BITS_VERSION, VSP_FIXED);
}

static int bad_file(const file_bytes *file, vsp_status status)
{
    fprintf(stderr, "vsp: '%s' is refused: %s\n", file->name,
            vsp_status_name(status));
    if (status == VSP_ERR_VERSION)
        compare_versions(file);
    return BAD_FILE;
}


/* ---- Recording ---------------------------------------------------------- */

static bool write_file(void *user, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, (FILE *)user) == size;
}

static vsp_status record_to(FILE *out, scene_run *run, uint32_t steps,
                            uint32_t keyframes)
{
    vsp_record_def def = {0};
    vsp_status status;
    uint32_t step;

    def.write = write_file;
    def.user = out;
    def.scratch = snapshot;
    def.scratch_size = sizeof snapshot;
    def.keyframe_interval = keyframes;
    status = vsp_record_begin(&run->recorder, run->world, &def);
    for (step = 0; status >= 0 && step < steps; step++) {
        show_progress(step, steps);
        status = scene_step(run, step);
    }
    end_progress();
    return status < 0 ? status : vsp_record_end(&run->recorder, NULL);
}

int replay_record(const char *name, const simulation_options *simulation,
                  const replay_options *options)
{
    scene_run run;
    vsp_status status;
    FILE *out;

    if (!simulation_start(&run, name, simulation))
        return BAD_FILE;
    out = fopen(options->output, "wb");
    if (!out) {
        fprintf(stderr, "vsp: cannot write '%s'\n", options->output);
        return BAD_FILE;
    }
    status = record_to(out, &run, simulation_steps(&run, simulation),
                       options->keyframes);
    if (fclose(out) != 0 || status != VSP_OK) {
        fprintf(stderr, "vsp: '%s' is not whole: %s\n", options->output,
                vsp_status_name(status));
        return BAD_FILE;
    }
    printf("%s: %u steps, hash %08x\n", options->output,
           (unsigned)run.recorder.step_count,
           (unsigned)vsp_world_hash(run.world));
    return SAME;
}


/* ---- Differences in words ----------------------------------------------- */

/* Converts bits to a number: fixed point with this many binary places, or a
 * binary32 if 0. */
static double number_of(uint32_t bits, int places)
{
    float value;

    if (places > 0)
        return ldexp((double)(int32_t)bits, -places);
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static void print_value(const vsp_difference *d, uint32_t bits)
{
    if (d->is_real)
        printf("  %-14.9g %08x", number_of(bits, (int)d->places),
               (unsigned)bits);
    else
        printf("  %-14u %08x", (unsigned)bits, (unsigned)bits);
}

static void print_difference(const vsp_difference *d)
{
    static const char *const axes[] = {"x", "y", "z", "w"};
    char name[40];

    if (d->component_count == 1)
        snprintf(name, sizeof name, "%s", d->field);
    else if (d->component_count <= 4)
        snprintf(name, sizeof name, "%s %s", d->field, axes[d->component]);
    else
        snprintf(name, sizeof name, "%s %u", d->field, (unsigned)d->component);
    printf("    %-24s", name);
    print_value(d, d->a);
    print_value(d, d->b);
    printf("\n");
}

static void print_heading(const vsp_difference *d)
{
    printf("  %s %u", d->part, (unsigned)d->index);
    if (d->body.bits != 0)
        printf(", body id %08x", (unsigned)d->body.bits);
    printf("\n");
}

/* Prints all differing fields of the first object that differs, and how many
 * more words differ. */
static void print_differences(const vsp_world *a, const vsp_world *b)
{
    static vsp_difference found[64];
    uint32_t count = 0, i = 0;
    const uint32_t capacity = sizeof found / sizeof found[0];

    vsp_world_diff(a, b, found, capacity, &count);
    if (count > 0)
        print_heading(&found[0]);
    while (i < count && i < capacity && found[i].part == found[0].part &&
           found[i].index == found[0].index)
        print_difference(&found[i++]);
    if (i < count)
        printf("  and %u more words of others\n", (unsigned)(count - i));
}


/* ---- Replaying ---------------------------------------------------------- */

/* kind and size of the record at an offset of a valid file */
static uint32_t record_op(const file_bytes *file, size_t at)
{
    return file_word(file, at) & 0xff;
}

static size_t record_bytes(const file_bytes *file, size_t at)
{
    return 4 + 4 * (size_t)(file_word(file, at) >> 8);
}

static size_t first_record(const file_bytes *file)
{
    return HEADER_BYTES + (size_t)file_word(file, SEED_AT);
}

/* Plays to a step, also past divergences, because callers print them. */
static vsp_status play_to(vsp_player *player, uint32_t step)
{
    vsp_status status = vsp_play_seek(player, step);
    vsp_status worst = status;

    while (status == VSP_DIVERGED && player->step < step)
        status = vsp_play_seek(player, step);
    return status < 0 ? status : worst;
}

/* Prints how the state at the next keyframe of the file differs from ours. */
static void name_difference(const file_bytes *file, vsp_player *player)
{
    file_bytes keyframe = {file->name, NULL, 0};
    vsp_world *recorded;
    uint32_t step = player->step;
    size_t at = player->at;

    for (; record_op(file, at) != VSP_OP_KEYFRAME;
         at += record_bytes(file, at)) {
        if (record_op(file, at) == VSP_OP_END) {
            printf("  what differs is not known: no keyframe follows\n");
            return;
        }
        step += record_op(file, at) == VSP_OP_STEP;
    }
    keyframe.bytes = file->bytes + at + 4;
    keyframe.size = record_bytes(file, at) - 4;
    if (restore_world(&recorded, 1, &keyframe) < 0 || play_to(player, step) < 0)
        return;
    printf("first step whose recorded state is known: %u\n", (unsigned)step);
    print_differences(recorded, player->world);
}

static int report_divergence(const file_bytes *file, vsp_player *player)
{
    if (player->expected == player->got) {
        printf("%s: diverged at step %u: a call gave another id\n", file->name,
               (unsigned)player->step);
        return DIVERGED;
    }
    printf("%s: diverged at step %u: hash %08x, here %08x\n", file->name,
           (unsigned)player->step, (unsigned)player->expected,
           (unsigned)player->got);
    name_difference(file, player);
    return DIVERGED;
}

/* Whether the next record is not a keyframe, or is one that equals the
 * world, but for the version that wrote it. */
static bool holds_keyframe(const file_bytes *file, const vsp_player *player)
{
    size_t size;

    return record_op(file, player->at) != VSP_OP_KEYFRAME ||
           (vsp_world_snapshot(player->world, snapshot, sizeof snapshot,
                               &size) == VSP_OK &&
            size == record_bytes(file, player->at) - 4 &&
            memcmp(snapshot + CHECKED_BYTES,
                   file->bytes + player->at + 4 + CHECKED_BYTES,
                   size - CHECKED_BYTES) == 0);
}

static int verify_steps(const file_bytes *file, vsp_player *player,
                        bool is_list)
{
    vsp_status status = VSP_OK;

    while (status == VSP_OK) {
        show_progress(player->step, player->step_count);
        status = vsp_play_step(player);
        if (status == VSP_OK && !holds_keyframe(file, player)) {
            fprintf(stderr,
                    "vsp: '%s': the keyframe after step %u is not "
                    "what was there\n",
                    file->name, (unsigned)player->step);
            return BAD_FILE;
        }
        if (is_list && status == VSP_OK)
            printf("%u %08x\n", (unsigned)player->step, (unsigned)player->got);
    }
    end_progress();
    if (status < 0) {
        fprintf(stderr, "vsp: '%s': a call before step %u is refused: %s\n",
                file->name, (unsigned)player->step + 1,
                vsp_status_name(status));
        return BAD_FILE;
    }
    if (status != VSP_END)
        return report_divergence(file, player);
    if (is_list)
        return SAME;
    printf("%s: %u steps, hash %08x: the same here\n", file->name,
           (unsigned)player->step_count,
           (unsigned)vsp_world_hash(player->world));
    return SAME;
}

static int write_snapshot(const file_bytes *file, vsp_player *player,
                          const replay_options *options)
{
    vsp_status status = play_to(player, options->snapshot);
    size_t size;

    if (status == VSP_ERR_ARG) {
        fprintf(stderr, "vsp: '%s' has %u steps\n", file->name,
                (unsigned)player->step_count);
        return BAD_FILE;
    }
    if (status < 0)
        return bad_file(file, status);
    if (vsp_world_snapshot(player->world, snapshot, sizeof snapshot, &size) <
            0 ||
        !file_write(options->output, snapshot, size))
        return BAD_FILE;
    printf("%s: step %u, hash %08x%s\n", options->output,
           (unsigned)player->step, (unsigned)player->got,
           status == VSP_OK ? "" : ": not as recorded");
    return status == VSP_OK ? SAME : DIVERGED;
}

static int refuse_snapshot(const file_bytes *file)
{
    fprintf(stderr, "vsp: '%s' is a snapshot, not a replay\n", file->name);
    return BAD_FILE;
}

/* Begins to play a file in world `index`, with the set of tables that it was
 * recorded with. */
static vsp_status begin_playing(vsp_player *player, int index,
                                const file_bytes *file)
{
    vsp_status status = VSP_ERR_TABLE;
    vsp_world *world;

    for (uint32_t set = 0;
         status == VSP_ERR_TABLE && (world = make_world(index, set)) != NULL;
         set++)
        status = vsp_play_begin(player, world, file->bytes, file->size);
    return status;
}

int replay_play(const char *name, const replay_options *options)
{
    file_bytes file;
    vsp_player player;
    vsp_status status;
    int result;

    if (!file_read(&file, name))
        return BAD_FILE;
    status = begin_playing(&player, 0, &file);
    if (status >= 0)
        simulation_give_workers(player.world, options->workers);
    if (is_snapshot(&file))
        result = refuse_snapshot(&file);
    else if (status < 0)
        result = bad_file(&file, status);
    else if (options->has_snapshot)
        result = write_snapshot(&file, &player, options);
    else
        result = verify_steps(&file, &player, options->is_list);
    free(file.bytes);
    return result;
}


/* ---- Snapshots ---------------------------------------------------------- */

static int diff_snapshots(const file_bytes files[2])
{
    vsp_world *worlds[2];

    for (int i = 0; i < 2; i++) {
        vsp_status status = restore_world(&worlds[i], i, &files[i]);

        if (status < 0)
            return bad_file(&files[i], status);
    }
    if (vsp_world_hash(worlds[0]) == vsp_world_hash(worlds[1])) {
        printf("the same: hash %08x\n", (unsigned)vsp_world_hash(worlds[0]));
        return SAME;
    }
    print_differences(worlds[0], worlds[1]);
    return DIVERGED;
}


/* ---- Replays ------------------------------------------------------------ */

/* Returns the first step that differs, in its hash or in the calls before it,
 * or that only one file has; 0 if there is none.  *is_call is set if a call or
 * a keyframe differs.  A keyframe that only one file has is skipped. */
static uint32_t first_difference(const file_bytes files[2], bool *is_call)
{
    size_t at[2] = {first_record(&files[0]), first_record(&files[1])};
    uint32_t step = 1;

    for (;;) {
        uint32_t a = record_op(&files[0], at[0]);
        uint32_t b = record_op(&files[1], at[1]);
        size_t size = record_bytes(&files[0], at[0]);

        *is_call = a != VSP_OP_STEP && b != VSP_OP_STEP;
        if (a == VSP_OP_END && b == VSP_OP_END)
            return 0;
        if (a == VSP_OP_KEYFRAME && b != a) {
            at[0] += size;
            continue;
        }
        if (b == VSP_OP_KEYFRAME && a != b) {
            at[1] += record_bytes(&files[1], at[1]);
            continue;
        }
        if (a != b || size != record_bytes(&files[1], at[1]) ||
            memcmp(files[0].bytes + at[0], files[1].bytes + at[1], size) != 0)
            return step;
        step += a == VSP_OP_STEP;
        at[0] += size;
        at[1] += size;
    }
}

/* Plays to a step.  Returns whether this gives the recorded state: no step
 * diverges, or a keyframe comes in between. */
static bool is_known(vsp_player *player, uint32_t step)
{
    return vsp_play_seek(player, step) == VSP_OK;
}

static int diff_steps(vsp_player players[2], uint32_t first, bool is_call)
{
    uint32_t step, count = players[0].step_count;

    if (count > players[1].step_count)
        count = players[1].step_count;
    if (first > count && is_call) {
        printf("the same %u steps, other calls after them\n", (unsigned)count);
        return DIVERGED;
    }
    if (first > count) {
        printf("the same for %u steps; one has %u, the other %u\n",
               (unsigned)count, (unsigned)players[0].step_count,
               (unsigned)players[1].step_count);
        return DIVERGED;
    }
    printf("first step that differs: %u\n", (unsigned)first);
    if (is_call)
        printf("  by a call before it, or a keyframe\n");
    for (step = first; step <= count; step++) {
        bool is_known_a = is_known(&players[0], step);

        if (is_known(&players[1], step) && is_known_a)
            break;
    }
    if (step > count) {
        printf("  what differs is not known: its bits do not come here, and "
               "no keyframes follow\n");
        return DIVERGED;
    }
    if (step > first)
        printf("first step whose states are known: %u\n", (unsigned)step);
    print_differences(players[0].world, players[1].world);
    return DIVERGED;
}

/* Compares two replays: their first states, then calls and hashes step by
 * step. */
static int diff_replays(const file_bytes files[2])
{
    vsp_player players[2];
    uint32_t first;
    bool is_call;

    for (int i = 0; i < 2; i++) {
        vsp_status status = begin_playing(&players[i], i, &files[i]);

        if (status < 0)
            return bad_file(&files[i], status);
    }
    if (players[0].got != players[1].got) {
        printf("they start from different states\n");
        print_differences(players[0].world, players[1].world);
        return DIVERGED;
    }
    first = first_difference(files, &is_call);
    if (first > 0)
        return diff_steps(players, first, is_call);
    printf("the same: %u steps\n", (unsigned)players[0].step_count);
    return SAME;
}

int replay_diff(const char *a, const char *b)
{
    file_bytes files[2] = {{0}, {0}};
    int result = BAD_FILE;

    if (file_read(&files[0], a) && file_read(&files[1], b)) {
        if (is_replay(&files[0]) != is_replay(&files[1]))
            fprintf(stderr, "vsp: a replay and a snapshot\n");
        else
            result = is_replay(&files[0]) ? diff_replays(files)
                                          : diff_snapshots(files);
    }
    free(files[0].bytes);
    free(files[1].bytes);
    return result;
}
