/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Worlds for tests, in the order of fixture.h. */

#include "fixture.h"
#include "src/record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>


/* ---- Workers ------------------------------------------------------------ */

uint32_t random_below(uint32_t *random, uint32_t count)
{
    *random = *random * 1664525u + 1013904223u;
    return (*random >> 8) % count;
}

#if VSP_WORKERS

#define MOST_TASKS 64u

/* vsp_workers.run */
static void run_shuffled(void *context, vsp_task *task, void *work,
                         uint32_t count)
{
    crew *it = (crew *)context;
    uint32_t order[MOST_TASKS], i, j;

    if (!CHECK(count >= 1 && count <= MOST_TASKS))
        return;
    for (i = 0; i < count; i++) {
        j = random_below(&it->random, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    it->batches++;
    for (i = 0; i < count; i++)
        task(work, order[i]);
}

void crew_hire(crew *it, uint32_t count, uint32_t seed)
{
    it->workers.run = run_shuffled;
    it->workers.context = it;
    it->workers.count = count;
    it->random = seed;
    it->batches = 0;
}

static void set_workers(vsp_world *world)
{
    static crew hands;
    const char *count = getenv("WORKERS");

    if (!count || !world)
        return;
    crew_hire(&hands, (uint32_t)atoi(count), 1);
    CHECK_STATUS(VSP_OK, vsp_world_set_workers(world, &hands.workers));
}

#else

static void set_workers(vsp_world *world)
{
    (void)world;
}

#endif


/* ---- Buffers and worlds ------------------------------------------------- */

static union {
    double align;
    unsigned char bytes[ARENA_COUNT][(ARENA_BYTES + 15u) / 16u * 16u];
} arenas;

unsigned char *arena(uint32_t index)
{
    return arenas.bytes[index];
}

vsp_world *new_world_at(const vsp_world_def *def, uint32_t index, size_t offset)
{
    vsp_world *world = NULL;

    /* old bytes of the buffer must not affect the world */
    memset(arena(index), 0xdd, ARENA_BYTES);
    CHECK_STATUS(VSP_OK, vsp_world_create(arena(index) + offset,
                                          VSP_WORLD_BYTES, def, &world));
    set_workers(world);
    return world;
}

vsp_world *new_world_of(const vsp_world_def *def)
{
    return new_world_at(def, 0, 0);
}

vsp_world *new_world(void)
{
    vsp_world_def def = vsp_world_def_default();

    return new_world_of(&def);
}


/* ---- A mesh ---------------------------------------------------------------
 */

#define M VSP_PLACE

const vsp_place corner_places[6] = {{-M, 0, -2 * M},    {-M, 0, 2 * M},
                                    {M, 0, -2 * M},     {M, 0, 2 * M},
                                    {M, 2 * M, -2 * M}, {M, 2 * M, 2 * M}};

/* the edges between two triangles are flat or concave */
const vsp_triangle corner_triangles[4] = {
    {{0, 1, 3}, 4}, {{0, 3, 2}, 3}, {{2, 3, 5}, 5}, {{2, 5, 4}, 1}};

const vsp_mesh_node corner_nodes[1] = {
    {{-M, 0, -2 * M}, {M, 2 * M, 2 * M}, 1, 4, 0, 0, 0}};


/* ---- Bodies ------------------------------------------------------------- */

double num(vsp_real x)
{
    return vsp_to_double(x);
}

vsp_real real(double x)
{
    return vsp_from_double(x);
}

double rounded(double x)
{
    return num(real(x));
}

vsp_vec3 real3(double x, double y, double z)
{
    vsp_vec3 v;

    v.x = real(x);
    v.y = real(y);
    v.z = real(z);
    return v;
}

vsp_quat turn(double degrees, double x, double y, double z)
{
    double half = degrees * 3.14159265358979323846 / 360.0;
    vsp_quat q;

    q.x = real(sin(half) * x);
    q.y = real(sin(half) * y);
    q.z = real(sin(half) * z);
    q.w = real(cos(half));
    return q;
}

vsp_quat no_turn(void)
{
    return vsp_body_def_default().pose.rotation;
}

vsp_body_def body_def(vsp_body_type type, vsp_shape_def shape, double x,
                      double y, double z)
{
    vsp_body_def def = vsp_body_def_default();

    def.type = type;
    def.shape = shape;
    def.pose.position = real3(x, y, z);
    return def;
}

vsp_body_id add_turned(vsp_world *world, vsp_body_type type,
                       vsp_shape_def shape, double x, double y, double z,
                       vsp_quat rotation)
{
    vsp_body_def def = body_def(type, shape, x, y, z);
    vsp_body_id id = {0};

    def.pose.rotation = rotation;
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    return id;
}

vsp_body_id add_body(vsp_world *world, vsp_body_type type, vsp_shape_def shape,
                     double x, double y, double z)
{
    return add_turned(world, type, shape, x, y, z, no_turn());
}

vsp_body_id add_ground(vsp_world *world)
{
    return add_body(world, VSP_STATIC, vsp_half_space(), 0, 0, 0);
}

vsp_body_id add_cube(vsp_world *world, double x, double y, double z)
{
    vsp_shape_def cube = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));

    return add_body(world, VSP_DYNAMIC, cube, x, y, z);
}

bool is_long(void)
{
    return getenv("LONG") != NULL;
}

bool shows(void)
{
    return getenv("SHOW") != NULL;
}

uint32_t number_of(const char *name, uint32_t otherwise)
{
    const char *text = getenv(name);

    return text != NULL ? (uint32_t)atoi(text) : otherwise;
}

int tries_of(int count)
{
    return is_long() ? count : count / 10;
}

void step_world(vsp_world *world, uint32_t n)
{
    while (n-- > 0)
        if (!CHECK_STATUS(VSP_OK, vsp_world_step(world)))
            return;
}

void each_stepper(void (*check)(vsp_stepper stepper))
{
    for (int i = 0; i < 4; i++) {
        test_note("stepper %d", i);
        check((vsp_stepper)i);
    }
}

vsp_world *new_joint_world(vsp_stepper stepper, double dt, double gravity,
                           vsp_body_id *base)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_body_def still = vsp_body_def_default();
    vsp_world *world;

    def.stepper = stepper;
    def.dt = real(dt);
    def.gravity = real3(0, -gravity, 0);
    def.enable_sleep = false;
    world = new_world_of(&def);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &still, base));
    return world;
}


/* ---- Snapshots and refusals --------------------------------------------- */

static unsigned char saves[2][VSP_SNAPSHOT_BYTES];
static unsigned char before[VSP_WORLD_BYTES];

size_t save_world(const vsp_world *world, uint32_t slot)
{
    size_t size = 0;

    CHECK_STATUS(VSP_OK, vsp_world_snapshot(world, saves[slot],
                                            sizeof saves[slot], &size));
    return size;
}

const unsigned char *saved(uint32_t slot)
{
    return saves[slot];
}

void damage_snapshot(unsigned char *bytes, size_t size, uint32_t from_end,
                     uint32_t word)
{
    uint32_t hash = 0, words = (uint32_t)(size / 4u);

    vsp__set_word(bytes + size - 4u * from_end, word);
    for (uint32_t i = 0; i < words; i++)
        hash = vsp__hash_word(
            hash, i == VSP__CHECKSUM_WORD ? 0 : vsp__get_word(bytes + 4u * i));
    vsp__set_word(bytes + 4u * VSP__CHECKSUM_WORD, vsp__hash_end(hash));
}

bool check_replays(vsp_world *world, uint32_t n)
{
    size_t size = save_world(world, 0);
    uint32_t hash;

    if (!CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL)))
        return false;
    step_world(world, n);
    hash = vsp_world_hash(world);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    step_world(world, n);
    return CHECK_HEX(hash, vsp_world_hash(world));
}

#if VSP_ROLLBACK

/* Begins a match with its world. */
static vsp_rollback *begin_match(const late_match *match, vsp_world *world)
{
    static union {
        const void *address;
        unsigned char bytes[VSP_ROLLBACK_BYTES(2, 1, 12, 32, 16384, 0)];
    } memory;
    vsp_rollback_def def = {0};
    vsp_rollback *roll = NULL;

    def.world = world;
    def.players = 2;
    def.input_size = 1;
    def.depth = 10;
    def.kept = 12;
    def.history = 32;
    def.snapshot_size = 16384;
    def.step = match->step;
    CHECK_STATUS(VSP_OK, vsp_rollback_create(memory.bytes, sizeof memory, &def,
                                             0, &roll));
    return roll;
}

/* Plays a match in which the inputs of player 1 come `late` steps late.
 * Returns the last hash; *again counts the steps that were taken again. */
static uint32_t play_match(const late_match *match, vsp_stepper stepper,
                           uint32_t late, uint32_t *again)
{
    vsp_world *world = match->build(stepper);
    vsp_rollback *roll = begin_match(match, world);

    for (uint32_t s = 0; s < match->steps + late; s++) {
        unsigned char input = match->input(0, s);

        if (s < match->steps)
            CHECK_STATUS(VSP_OK, vsp_rollback_input(roll, 0, s, &input));
        if (s >= late) {
            input = match->input(1, s - late);
            CHECK_STATUS(VSP_OK, vsp_rollback_input(roll, 1, s - late, &input));
        }
        if (s < match->steps &&
            !CHECK_STATUS(VSP_OK, vsp_rollback_advance(roll)))
            break;
    }
    (void)vsp_rollback_advance(roll);
    *again = vsp_rollback_get_stats(roll).again_count;
    return vsp_world_hash(world);
}

void check_late_match(const late_match *match, vsp_stepper stepper)
{
    uint32_t again, hash = play_match(match, stepper, 0, &again);

    for (uint32_t late = 1; late <= 9; late += 4) {
        CHECK_HEX(hash, play_match(match, stepper, late, &again));
        CHECK_AT_LEAST(5.0 * late, (double)again);
    }
}

void check_late_matches(const late_match *match)
{
    for (int i = 0; i < 4; i++) {
        test_note("stepper %d", i);
        check_late_match(match, (vsp_stepper)i);
    }
}

#endif

#if VSP_DRAW

static void draw_triangle(void *user, vsp_vec3 a, vsp_vec3 b, vsp_vec3 c,
                          uint32_t color)
{
    drawn_points *seen = user;

    (void)color;
    if (seen->count + 3 > MOST_DRAWN)
        return;
    seen->points[seen->count++] = a;
    seen->points[seen->count++] = b;
    seen->points[seen->count++] = c;
}

void draw_shapes(const vsp_world *world, drawn_points *seen)
{
    vsp_draw draw;

    memset(&draw, 0, sizeof draw);
    seen->count = 0;
    draw.triangle = draw_triangle;
    draw.user = seen;
    draw.parts = VSP_DRAW_SHAPES;
    CHECK_STATUS(VSP_OK, vsp_world_draw(world, &draw));
}

#endif

void remember_world(void)
{
    memcpy(before, arena(0), sizeof before);
}

bool check_unchanged(const char *file, int line, const char *what)
{
    return test_bytes(before, arena(0), sizeof before, file, line, what);
}


/* ---- Fields of definitions ---------------------------------------------- */

#if VSP_FIXED
vsp_real bad_real(uint32_t index)
{
    static const vsp_real bad[BAD_REALS] = {INT64_MIN, INT64_MAX,
                                            INT64_MIN + 1};

    return bad[index];
}

/* The smallest difference that counts: all numbers have at least 17 places,
 * large ones 23 places after the first bit.  Smaller differences are rounded
 * away. */
static vsp_real last_place(vsp_real x)
{
    vsp_real least = INT64_C(1) << 15, part = (x < 0 ? -x : x) >> 22;

    return part > least ? part : least;
}

vsp_real next_below(vsp_real x)
{
    return x - last_place(x);
}

vsp_real next_above(vsp_real x)
{
    return x + last_place(x);
}
#else
vsp_real bad_real(uint32_t index)
{
    static const uint32_t patterns[BAD_REALS] = {0x7fc00000u, 0x7f800000u,
                                                 0xff800000u};
    vsp_real bad;

    memcpy(&bad, &patterns[index], sizeof bad);
    return bad;
}

vsp_real next_below(vsp_real x)
{
    return x != 0 ? nextafterf(x, -INFINITY) : -0x1p-50f;
}

vsp_real next_above(vsp_real x)
{
    return x != 0 ? nextafterf(x, INFINITY) : 0x1p-50f;
}
#endif

static void put_field(void *def, const field *f, vsp_real value)
{
    memcpy((unsigned char *)def + f->offset, &value, sizeof value);
}

static void try_bad(void *def, const field *f, try_def *refuse)
{
    uint32_t i;

    for (i = 0; i < BAD_REALS; i++) {
        test_note("%s is %g", f->name, num(bad_real(i)));
        put_field(def, f, bad_real(i));
        refuse(def);
    }
    test_note("%s is below %g", f->name, num(f->low));
    put_field(def, f, next_below(f->low));
    refuse(def);
    test_note("%s is above %g", f->name, num(f->high));
    put_field(def, f, next_above(f->high));
    refuse(def);
}

static void try_good(void *def, const field *f, try_def *accept)
{
    test_note("%s is %g", f->name, num(f->low));
    put_field(def, f, f->low);
    accept(def);
    test_note("%s is %g", f->name, num(f->high));
    put_field(def, f, f->high);
    accept(def);
}

void try_fields(void *def, size_t size, const field *fields, size_t count,
                try_def *refuse, try_def *accept)
{
    union {
        uint32_t align;
        unsigned char bytes[512];
    } copy;
    size_t i;

    if (!CHECK(size <= sizeof copy))
        return;
    for (i = 0; i < count; i++) {
        memcpy(copy.bytes, def, size);
        try_bad(copy.bytes, &fields[i], refuse);
        memcpy(copy.bytes, def, size);
        try_good(copy.bytes, &fields[i], accept);
    }
    test_note("");
}
