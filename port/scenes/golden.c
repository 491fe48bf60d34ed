/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The runs that have golden hashes, how hashes are taken, how they are
 * written. */

#include "golden.h"
#include "scene_table.h"


/* ---- Runs ---------------------------------------------------------------- */

/* Covers every kind of contact, event and setting with few bodies and steps: a
 * machine without an FPU makes all runs in half a minute. */
const golden_run golden_runs[] = {
    {"land", GOLDEN_CARRY, GOLDEN_MICRO, 30},
    {"land", GOLDEN_COLD, GOLDEN_MICRO, 50},
    {"land", GOLDEN_PYRAMID, GOLDEN_MICRO, 50},
    {"land", GOLDEN_PGS, GOLDEN_MICRO, 50},
    {"land", GOLDEN_SHOCK, GOLDEN_MICRO, 50},
    {"hop", GOLDEN_CARRY, GOLDEN_MICRO, 100},
    {"hop:0.75", GOLDEN_PGS, GOLDEN_MICRO, 100},
#if !SCENES_MICRO
    {"slide@30", GOLDEN_CARRY, GOLDEN_TINY, 60},
    {"slide@30", GOLDEN_PYRAMID, GOLDEN_TINY, 60},
    {"slope:28@45", GOLDEN_CARRY, GOLDEN_TINY, 30},
    {"roll", GOLDEN_CARRY, GOLDEN_TINY, 100},
    {"pull:5.5", GOLDEN_CARRY, GOLDEN_TINY, 40},
    {"wedge", GOLDEN_CARRY, GOLDEN_TINY, 34},
    {"plank:2000", GOLDEN_CARRY, GOLDEN_TINY, 40},
    {"seesaw", GOLDEN_CARRY, GOLDEN_TINY, 14},
    {"heavy:10000", GOLDEN_CARRY, GOLDEN_TINY, 20},
    {"large-mass-pair", GOLDEN_CARRY, GOLDEN_TINY, 60},
    {"jammed-spheres", GOLDEN_CARRY, GOLDEN_TINY, 28},
    {"lift", GOLDEN_CARRY, GOLDEN_TINY, 90},
    {"conveyor", GOLDEN_CARRY, GOLDEN_TINY, 30},
    {"bounce:0.8", GOLDEN_CARRY, GOLDEN_TINY, 130},
    {"drop-stack", GOLDEN_CARRY, GOLDEN_TINY, 94},
    {"free-collision", GOLDEN_CARRY, GOLDEN_TINY, 340},
    {"spin", GOLDEN_CARRY, GOLDEN_TINY, 130},
    {"cradle", GOLDEN_CARRY, GOLDEN_TINY, 103},
    {"respawn", GOLDEN_CARRY, GOLDEN_TINY, 50},
    {"respawn", GOLDEN_COLD, GOLDEN_TINY, 30},
    {"respawn", GOLDEN_PYRAMID, GOLDEN_TINY, 30},
    {"respawn", GOLDEN_PGS, GOLDEN_TINY, 30},
    {"respawn", GOLDEN_SHOCK, GOLDEN_TINY, 30},
    {"pyramid:3~1", GOLDEN_CARRY, GOLDEN_TINY, 6},
    {"pyramid:3~1", GOLDEN_PGS, GOLDEN_TINY, 6},
    {"crowd", GOLDEN_CARRY, GOLDEN_TINY, 4},
    {"calls:8~3", GOLDEN_CARRY, GOLDEN_TINY, 120},
    {"nap", GOLDEN_CARRY, GOLDEN_TINY, 240},
    {"nap", GOLDEN_COLD, GOLDEN_TINY, 70},
    {"nap", GOLDEN_PGS, GOLDEN_TINY, 70},
    {"nap", GOLDEN_SHOCK, GOLDEN_TINY, 70},
    {"rest", GOLDEN_CARRY, GOLDEN_SMALL, 30},
    {"nap", GOLDEN_CARRY, GOLDEN_SMALL, 100},
    {"nap", GOLDEN_PGS, GOLDEN_SMALL, 70},
    {"box-stack~1", GOLDEN_CARRY, GOLDEN_SMALL, 8},
    {"lean:10", GOLDEN_CARRY, GOLDEN_SMALL, 4},
    {"mixed", GOLDEN_CARRY, GOLDEN_SMALL, 44},
    {"roof:1", GOLDEN_CARRY, GOLDEN_SMALL, 10},
    {"dominoes:12", GOLDEN_CARRY, GOLDEN_SMALL, 28},
    {"pyramid-3d:3", GOLDEN_CARRY, GOLDEN_SMALL, 6},
    {"pyramid:7~1", GOLDEN_CARRY, GOLDEN_SMALL, 2},
    {"pyramid:4~1", GOLDEN_COLD, GOLDEN_SMALL, 6},
    {"pyramid:4~1", GOLDEN_PYRAMID, GOLDEN_SMALL, 6},
    {"pyramid:4~1", GOLDEN_PGS, GOLDEN_SMALL, 6},
    {"pyramid:4~1", GOLDEN_SHOCK, GOLDEN_SMALL, 4},
    {"card-house-shot:1", GOLDEN_CARRY, GOLDEN_SMALL, 120},
    {"card-house-shot:2", GOLDEN_COLD, GOLDEN_SMALL, 6},
    {"card-house-shot:2", GOLDEN_PYRAMID, GOLDEN_SMALL, 6},
    {"card-house-shot:2", GOLDEN_PGS, GOLDEN_SMALL, 6},
    {"card-house-shot:2", GOLDEN_SHOCK, GOLDEN_SMALL, 6},
    {"calls:32~2", GOLDEN_CARRY, GOLDEN_SMALL, 24},
    {"calls:32~3", GOLDEN_PGS, GOLDEN_SMALL, 30},
    {"calls:32~2", GOLDEN_RECORD, GOLDEN_SMALL, 16},
#if SCENES_ALL
    {"calls2:24~1", GOLDEN_CARRY, GOLDEN_SMALL, 10},
    {"calls2:16~5", GOLDEN_CARRY, GOLDEN_SMALL, 20},
    {"calls2:16~4", GOLDEN_PGS, GOLDEN_SMALL, 10},
    {"calls2:16~8", GOLDEN_COLD, GOLDEN_SMALL, 8},
    {"calls2:16~7", GOLDEN_RECORD, GOLDEN_SMALL, 8},
#endif
#if SCENES_EDITS
    {"turntable", GOLDEN_CARRY, GOLDEN_SMALL, 24},
    {"turntable", GOLDEN_PGS, GOLDEN_SMALL, 16},
    {"turntable", GOLDEN_SHOCK, GOLDEN_SMALL, 16},
    {"calls3:16~1", GOLDEN_CARRY, GOLDEN_SMALL, 24},
    {"calls3:16~7", GOLDEN_RECORD, GOLDEN_SMALL, 12},
#endif
#if SCENES_LEDGES
    {"ledges", GOLDEN_CARRY, GOLDEN_SMALL, 36},
    {"ledges", GOLDEN_PGS, GOLDEN_SMALL, 16},
    {"ledges", GOLDEN_SHOCK, GOLDEN_SMALL, 16},
    {"ledges", GOLDEN_RECORD, GOLDEN_SMALL, 8},
#endif
#if SCENES_GEAR_CALLS
    {"calls4:16~3", GOLDEN_CARRY, GOLDEN_SMALL, 24},
    {"calls4:16~5", GOLDEN_PGS, GOLDEN_SMALL, 16},
    {"calls4:16~7", GOLDEN_RECORD, GOLDEN_SMALL, 12},
#endif
    {"wall:6~1@7", GOLDEN_CARRY, GOLDEN_CONSOLE, 2},
    {"tower:4~2", GOLDEN_CARRY, GOLDEN_CONSOLE, 2},
    {"pyramid:12~3", GOLDEN_CARRY, GOLDEN_CONSOLE, 2},
    {"random-wall:3", GOLDEN_CARRY, GOLDEN_CONSOLE, 1},
    {"ball-grid~1", GOLDEN_CARRY, GOLDEN_CONSOLE, 1},
    {"silo:60", GOLDEN_CARRY, GOLDEN_CONSOLE, 12},
    {"cottage:1", GOLDEN_CARRY, GOLDEN_CONSOLE, 5},
    {"pit", GOLDEN_CARRY, GOLDEN_CONSOLE, 10},
#endif
#if SCENES_SHAPES
    {"bin:8", GOLDEN_CARRY, GOLDEN_SMALL, 28},
    {"bin:8", GOLDEN_COLD, GOLDEN_SMALL, 22},
    {"bin:8", GOLDEN_PYRAMID, GOLDEN_SMALL, 22},
    {"bin:8", GOLDEN_PGS, GOLDEN_SMALL, 18},
    {"bin:8", GOLDEN_SHOCK, GOLDEN_SMALL, 22},
    {"belt", GOLDEN_CARRY, GOLDEN_SMALL, 10},
    {"belt", GOLDEN_PGS, GOLDEN_SMALL, 12},
    {"sensor@30", GOLDEN_CARRY, GOLDEN_SMALL, 70},
    {"bullets:12", GOLDEN_CARRY, GOLDEN_SMALL, 20},
    {"bullets:12", GOLDEN_PGS, GOLDEN_SMALL, 20},
    {"bin:16~1@7", GOLDEN_CARRY, GOLDEN_CONSOLE, 12},
    {"marbles:8", GOLDEN_CARRY, GOLDEN_CONSOLE, 14},
    {"marbles:8", GOLDEN_PGS, GOLDEN_CONSOLE, 14},
    {"hills:4", GOLDEN_CARRY, GOLDEN_CONSOLE, 52},
    {"hills:4", GOLDEN_SHOCK, GOLDEN_CONSOLE, 46},
    {"animals:3", GOLDEN_CARRY, GOLDEN_CONSOLE, 40},
    {"animals:2", GOLDEN_PGS, GOLDEN_CONSOLE, 36},
    {"letters:12", GOLDEN_CARRY, GOLDEN_CONSOLE, 14},
#endif
#if SCENES_MASONRY
    {"wall:5^1e-4", GOLDEN_CARRY, GOLDEN_CONSOLE, 3},
    {"kapla:1^1e-5", GOLDEN_CARRY, GOLDEN_CONSOLE, 4},
    {"course:8^1e-3,2", GOLDEN_CARRY, GOLDEN_CONSOLE, 3},
    {"arch-9:1.2", GOLDEN_CARRY, GOLDEN_CONSOLE, 4},
#endif
#if SCENES_JOINTS
    {"chain:8", GOLDEN_CARRY, GOLDEN_SMALL, 10},
    {"chain:8", GOLDEN_COLD, GOLDEN_SMALL, 10},
    {"chain:8~1@30", GOLDEN_PGS, GOLDEN_SMALL, 12},
    {"chain:6", GOLDEN_SHOCK, GOLDEN_SMALL, 12},
    {"ropes@30", GOLDEN_CARRY, GOLDEN_SMALL, 50},
    {"ropes", GOLDEN_PGS, GOLDEN_SMALL, 40},
    {"ropes", GOLDEN_SHOCK, GOLDEN_SMALL, 40},
    {"hooks", GOLDEN_CARRY, GOLDEN_SMALL, 64},
    {"hooks", GOLDEN_RECORD, GOLDEN_SMALL, 20},
    {"beam@30", GOLDEN_CARRY, GOLDEN_SMALL, 8},
    {"beam", GOLDEN_PGS, GOLDEN_SMALL, 8},
    {"crossbow", GOLDEN_CARRY, GOLDEN_SMALL, 60},
    {"crossbow@30", GOLDEN_PGS, GOLDEN_SMALL, 50},
    {"crossbow", GOLDEN_RECORD, GOLDEN_SMALL, 30},
    {"door@30", GOLDEN_CARRY, GOLDEN_SMALL, 40},
    {"door", GOLDEN_SHOCK, GOLDEN_SMALL, 34},
    {"car:2@30", GOLDEN_CARRY, GOLDEN_SMALL, 32},
    {"car:2", GOLDEN_PGS, GOLDEN_SMALL, 28},
    {"mill:3", GOLDEN_CARRY, GOLDEN_SMALL, 60},
    {"hoist", GOLDEN_CARRY, GOLDEN_SMALL, 40},
    {"hoist:2000", GOLDEN_PGS, GOLDEN_SMALL, 30},
    {"chain", GOLDEN_CARRY, GOLDEN_CONSOLE, 3},
    {"whip:10", GOLDEN_CARRY, GOLDEN_CONSOLE, 12},
    {"ring:60", GOLDEN_CARRY, GOLDEN_CONSOLE, 4},
    {"ring:16", GOLDEN_PGS, GOLDEN_CONSOLE, 20},
    {"ring:16", GOLDEN_SHOCK, GOLDEN_CONSOLE, 4},
    {"weight", GOLDEN_CARRY, GOLDEN_CONSOLE, 4},
    {"weight", GOLDEN_PGS, GOLDEN_CONSOLE, 4},
    {"loads", GOLDEN_CARRY, GOLDEN_SMALL, 12},
    {"loads@30", GOLDEN_PGS, GOLDEN_SMALL, 12},
    {"loads:9000", GOLDEN_SHOCK, GOLDEN_SMALL, 12},
    {"bridge", GOLDEN_CARRY, GOLDEN_CONSOLE, 2},
    {"ragdoll@30", GOLDEN_CARRY, GOLDEN_CONSOLE, 5},
    {"ragdoll", GOLDEN_PGS, GOLDEN_CONSOLE, 4},
    {"ragdoll", GOLDEN_SHOCK, GOLDEN_CONSOLE, 4},
    {"ragdolls:1", GOLDEN_CARRY, GOLDEN_CONSOLE, 30},
#endif
#if SCENES_UNIONS
    {"girder:4", GOLDEN_CARRY, GOLDEN_SMALL, 60},
    {"girder:4@30", GOLDEN_PGS, GOLDEN_SMALL, 60},
    {"girder:4", GOLDEN_SHOCK, GOLDEN_SMALL, 60},
    {"girder:4", GOLDEN_RECORD, GOLDEN_SMALL, 20},
    {"cube:3", GOLDEN_CARRY, GOLDEN_CONSOLE, 52},
    {"cube:3@30", GOLDEN_PGS, GOLDEN_CONSOLE, 52},
    {"truss", GOLDEN_CARRY, GOLDEN_CONSOLE, 60},
    {"crane", GOLDEN_CARRY, GOLDEN_CONSOLE, 20},
#endif
#if SCENES_SHELLS
    {"plates:3", GOLDEN_CARRY, GOLDEN_SMALL, 12},
    {"plates:3@30", GOLDEN_PGS, GOLDEN_SMALL, 10},
    {"mail:4", GOLDEN_CARRY, GOLDEN_SMALL, 16},
    {"leaves:3", GOLDEN_SHOCK, GOLDEN_SMALL, 20},
    {"pierce:1", GOLDEN_CARRY, GOLDEN_SMALL, 4},
    {"bowls:2", GOLDEN_RECORD, GOLDEN_SMALL, 15},
#endif
#if SCENES_WALK
    {"walk:1", GOLDEN_CARRY, GOLDEN_SMALL, 40},
    {"walk:5", GOLDEN_CARRY, GOLDEN_SMALL, 70},
    {"walk:8", GOLDEN_PGS, GOLDEN_SMALL, 80},
    {"walk:10", GOLDEN_RECORD, GOLDEN_SMALL, 40},
#endif
#if SCENES_GAME
    {"game:30", GOLDEN_CARRY, GOLDEN_SMALL, 90},
    {"game:51", GOLDEN_CARRY, GOLDEN_SMALL, 60},
    {"game:42", GOLDEN_CARRY, GOLDEN_SMALL, 60},
    {"game:42", GOLDEN_PGS, GOLDEN_SMALL, 12},
    {"game:51", GOLDEN_SHOCK, GOLDEN_SMALL, 12},
    {"game:42", GOLDEN_RECORD, GOLDEN_SMALL, 12},
#endif
#if SCENES_RALLY
    {"rally:40", GOLDEN_CARRY, GOLDEN_CONSOLE, 60},
    {"rally:40@30", GOLDEN_PGS, GOLDEN_CONSOLE, 60},
    {"rally:40", GOLDEN_SHOCK, GOLDEN_CONSOLE, 50},
    {"rally:40", GOLDEN_RECORD, GOLDEN_CONSOLE, 40},
#endif
#if SCENES_GEARS
    {"clockwork", GOLDEN_CARRY, GOLDEN_CONSOLE, 60},
    {"clockwork@30", GOLDEN_PGS, GOLDEN_CONSOLE, 60},
    {"clockwork", GOLDEN_SHOCK, GOLDEN_CONSOLE, 40},
    {"clockwork", GOLDEN_RECORD, GOLDEN_CONSOLE, 30},
#endif
#if SCENES_DRUMS
    {"drums", GOLDEN_CARRY, GOLDEN_CONSOLE, 60},
    {"drums@30", GOLDEN_PGS, GOLDEN_CONSOLE, 60},
    {"drums", GOLDEN_SHOCK, GOLDEN_CONSOLE, 40},
    {"drums", GOLDEN_RECORD, GOLDEN_CONSOLE, 30},
#endif
#if SCENES_CLUBS
    {"clubs", GOLDEN_CARRY, GOLDEN_CONSOLE, 60},
    {"clubs@30", GOLDEN_PGS, GOLDEN_CONSOLE, 40},
    {"clubs", GOLDEN_SHOCK, GOLDEN_CONSOLE, 40},
    {"clubs", GOLDEN_RECORD, GOLDEN_CONSOLE, 30},
#endif
#if SCENES_MIRRORS
    {"mirrors:8", GOLDEN_CARRY, GOLDEN_CONSOLE, 70},
    {"mirrors:6@30", GOLDEN_PGS, GOLDEN_CONSOLE, 60},
    {"mirrors:6", GOLDEN_SHOCK, GOLDEN_CONSOLE, 50},
    {"mirrors:6", GOLDEN_RECORD, GOLDEN_CONSOLE, 20},
    {"gems:6", GOLDEN_CARRY, GOLDEN_CONSOLE, 60},
    {"gems:5@30", GOLDEN_PGS, GOLDEN_CONSOLE, 45},
    {"gems:5", GOLDEN_SHOCK, GOLDEN_CONSOLE, 40},
    {"gems:4", GOLDEN_RECORD, GOLDEN_CONSOLE, 30},
#endif
#if SCENES_ROCKS
    {"rocks:6", GOLDEN_CARRY, GOLDEN_SMALL, 45},
    {"rocks:6@30", GOLDEN_PGS, GOLDEN_SMALL, 40},
    {"rocks:4", GOLDEN_SHOCK, GOLDEN_SMALL, 30},
    {"rocks:4", GOLDEN_RECORD, GOLDEN_SMALL, 20},
#endif
#if SCENES_RINK
    {"rink", GOLDEN_CARRY, GOLDEN_CONSOLE, 60},
    {"rink@30", GOLDEN_PGS, GOLDEN_CONSOLE, 60},
    {"rink", GOLDEN_SHOCK, GOLDEN_CONSOLE, 40},
    {"rink", GOLDEN_RECORD, GOLDEN_CONSOLE, 30},
#endif
#if SCENES_SURVEY
    {"survey", GOLDEN_CARRY, GOLDEN_CONSOLE, 30},
    {"survey@30", GOLDEN_PGS, GOLDEN_CONSOLE, 20},
    {"survey", GOLDEN_SHOCK, GOLDEN_CONSOLE, 20},
    {"survey", GOLDEN_RECORD, GOLDEN_CONSOLE, 20},
#endif
#if SCENES_CRATER
    {"crater", GOLDEN_CARRY, GOLDEN_CONSOLE, 80},
    {"crater@30", GOLDEN_PGS, GOLDEN_CONSOLE, 60},
    {"crater", GOLDEN_SHOCK, GOLDEN_CONSOLE, 60},
    {"crater", GOLDEN_RECORD, GOLDEN_CONSOLE, 60},
#endif
#if !SCENES_MICRO && VSP_ROLLING
    {"putt", GOLDEN_CARRY, GOLDEN_SMALL, 60},
    {"putt@30", GOLDEN_PGS, GOLDEN_SMALL, 60},
    {"putt", GOLDEN_SHOCK, GOLDEN_SMALL, 40},
    {"putt", GOLDEN_RECORD, GOLDEN_SMALL, 30},
#if VSP_SUBSPACE
    {"putt", GOLDEN_SUBSPACE, GOLDEN_SMALL, 20},
#endif
#endif
#if !SCENES_MICRO && VSP_SUBSPACE
    {"nap", GOLDEN_SUBSPACE, GOLDEN_SMALL, 95},
    {"mixed", GOLDEN_SUBSPACE, GOLDEN_SMALL, 40},
    {"heavy:1000", GOLDEN_STAGGERED, GOLDEN_SMALL, 3},
    {"pyramid:4~1", GOLDEN_SUBSPACE, GOLDEN_SMALL, 5},
    {"card-house-shot:2", GOLDEN_SUBSPACE, GOLDEN_SMALL, 6},
    {"card-house-shot:2", GOLDEN_STAGGERED, GOLDEN_SMALL, 6},
    {"calls:32~2", GOLDEN_SUBSPACE, GOLDEN_SMALL, 14},
#endif
#if SCENES_JOINTS && VSP_SUBSPACE
    {"chain:8", GOLDEN_SUBSPACE, GOLDEN_SMALL, 10},
    {"ropes@30", GOLDEN_SUBSPACE, GOLDEN_SMALL, 60},
    {"crossbow", GOLDEN_SUBSPACE, GOLDEN_SMALL, 50},
    {"door@30", GOLDEN_SUBSPACE, GOLDEN_SMALL, 40},
    {"girder:4", GOLDEN_SUBSPACE, GOLDEN_SMALL, 60},
    {"hoist:2000", GOLDEN_STAGGERED, GOLDEN_SMALL, 20},
    {"loads", GOLDEN_SUBSPACE, GOLDEN_SMALL, 12},
    {"weight", GOLDEN_SUBSPACE, GOLDEN_CONSOLE, 4},
    {"ring:16", GOLDEN_SUBSPACE, GOLDEN_CONSOLE, 4},
    {"ragdoll", GOLDEN_SUBSPACE, GOLDEN_CONSOLE, 4},
#endif
};

const uint32_t golden_run_count = (uint32_t)(sizeof golden_runs /
                                             sizeof golden_runs[0]);

const char *const golden_setting_names[GOLDEN_SETTINGS + 1] = {
    "carry", "cold",   "pyramid",  "pgs",
    "shock", "record", "subspace", "staggered",
};

const char *const golden_class_names[GOLDEN_CLASSES + 1] = {"micro", "tiny",
                                                            "small", "console"};

/* bodies, shapes, pairs, manifolds, contacts, sensor overlaps, joints */
const vsp_capacity golden_capacities[GOLDEN_CLASSES] = {
    {2, 2, 2, 2, 8, 1, 0},
    {8, 8, 24, 16, 32, 1, 0},
    {32, 32, 128, 80, 192, 8, 8},
    {256, 256, 1536, 768, 2560, 32, 64},
};

bool golden_fits(const golden_run *run)
{
    const vsp_capacity *needed = &golden_capacities[run->class];

    return needed->bodies <= VSP_MAX_BODIES &&
           needed->shapes <= VSP_MAX_SHAPES && needed->pairs <= VSP_MAX_PAIRS &&
           needed->manifolds <= VSP_MAX_MANIFOLDS &&
           needed->contacts <= VSP_MAX_CONTACTS &&
           needed->sensed <= VSP_MAX_SENSED &&
           needed->joints <= (VSP_JOINTS ? VSP_MAX_JOINTS : 0);
}


/* ---- Taking -------------------------------------------------------------- */

vsp_world_def golden_world_def(const golden_run *run, const scene *found)
{
    vsp_world_def def = scene_world_def(found);

    def.capacity = golden_capacities[run->class];
    /* builds of the smallest classes leave out VSP_CCD */
    def.enable_continuous = run->class > GOLDEN_TINY;
    if (run->setting == GOLDEN_COLD)
        def.enable_warm_start = false;
    if (run->setting == GOLDEN_PYRAMID)
        def.friction = VSP_FRICTION_PYRAMID;
    if (run->setting == GOLDEN_PGS)
        def.stepper = VSP_STEPPER_PGS;
    if (run->setting == GOLDEN_SHOCK)
        def.stepper = VSP_STEPPER_SHOCK;
    if (run->setting >= GOLDEN_SUBSPACE)
        def.stepper = VSP_STEPPER_SUBSPACE;
    if (run->setting == GOLDEN_STAGGERED) {
        def.friction = VSP_FRICTION_PYRAMID;
        def.subspace.search = VSP_SEARCH_LAZY | VSP_SEARCH_STAGGERED;
        def.subspace.friction_damping = VSP_R(0.125);
    }
    return def;
}

/* Returns the number of steps at the point with this index. */
static uint32_t point_step(const golden_run *run, uint32_t index)
{
    static const uint16_t steps[GOLDEN_POINTS - 1] = {0, 1, 20, 100, 500};

    if (index == GOLDEN_POINTS - 1 || steps[index] > run->steps)
        return run->steps;
    return steps[index];
}

/* Adds the bytes of a recording to a sum (FNV-1a).  Returns true, for the
 * recorder. */
static bool sum_bytes(void *sum, const void *bytes, size_t size)
{
    uint32_t *hash = (uint32_t *)sum;
    const unsigned char *next = (const unsigned char *)bytes;

    while (size-- > 0)
        *hash = (*hash ^ *next++) * 16777619u;
    return true;
}

/* Builds without recordings spend no memory on them. */
#define SCRATCH_BYTES \
    (VSP_MAX_BODIES < 32 ? 1ul : (unsigned long)VSP_SNAPSHOT_BYTES)

static bool begin_recording(scene_run *running, uint32_t *sum)
{
    static unsigned char scratch[SCRATCH_BYTES];
    vsp_record_def def = {0};

    *sum = 2166136261u;
    def.write = sum_bytes;
    def.user = sum;
    def.scratch = scratch;
    def.scratch_size = sizeof scratch;
    def.keyframe_interval = 7;
    return vsp_record_begin(&running->recorder, running->world, &def) == VSP_OK;
}

static void take_points(const golden_run *run, scene_run *running,
                        golden_taken *taken)
{
    bool is_recorded = run->setting == GOLDEN_RECORD;
    uint32_t step = 0, sum = 0;

    if (is_recorded && !begin_recording(running, &sum))
        running->failures++;

    taken->count = 0;
    taken->degraded = 0;
    do {
        uint32_t until = point_step(run, taken->count);

        for (; step < until; step++)
            taken->degraded += scene_step(running, step) == VSP_DEGRADED;
        if (is_recorded && step == run->steps &&
            vsp_record_end(&running->recorder, NULL) != VSP_OK)
            running->failures++;
        taken->steps[taken->count] = step;
        taken->hashes[taken->count] = is_recorded
                                          ? sum
                                          : vsp_world_hash(running->world);
        taken->count++;
    } while (step < run->steps);
}

static vsp_status make_world(const golden_run *run, const scene *found,
                             vsp_world **world)
{
    VSP_ARENA(arena, VSP_WORLD_BYTES);
    vsp_world_def def = golden_world_def(run, found);

    return vsp_world_create(arena.mem, sizeof arena.mem, &def, world);
}

static bool start_run(const golden_run *run, scene_run *running)
{
    scene_variant variant;
    const scene *found = scene_find(run->scene, &variant);

    return found && make_world(run, found, &running->world) == VSP_OK &&
           scene_start(running, found, variant);
}

bool golden_take(const golden_run *run, golden_taken *taken)
{
    scene_run running;

    if (!start_run(run, &running))
        return false;
    take_points(run, &running, taken);
    return running.failures == 0;
}


/* ---- Writing ------------------------------------------------------------- */

static char *put_text(char *at, const char *text)
{
    while (*text)
        *at++ = *text++;
    return at;
}

static char *put_decimal(char *at, uint32_t number)
{
    char digits[10];
    int count = 0;

    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0)
        *at++ = digits[--count];
    return at;
}

static char *put_hex(char *at, uint32_t number)
{
    for (int shift = 28; shift >= 0; shift -= 4) {
        uint32_t digit = (number >> shift) & 15u;

        *at++ = (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
    }
    return at;
}

void golden_row(const golden_run *run, uint32_t steps, uint32_t hash,
                char row[GOLDEN_ROW_BYTES])
{
    char *at = put_text(row, run->scene);

    at = put_text(at, " ");
    at = put_text(at, golden_setting_names[run->setting]);
    at = put_text(at, " " GOLDEN_KIND " ");
    at = put_text(at, golden_class_names[run->class]);
    at = put_text(at, " ");
    at = put_decimal(at, steps);
    at = put_text(at, " ");
    at = put_hex(at, hash);
    at = put_text(at, "\n");
    *at = '\0';
}
