/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The page's module: text and numbers, the lists of scenes and golden runs,
 * starting, stepping, recording, playing, what is shown. */

#include "page.h"
#include "../scenes/table_sets.h"

char page_text[PAGE_TEXT_BYTES];
double page_numbers[PAGE_NUMBERS];
scene_run page_run;
vsp_player page_player;

VSP_ARENA(arena, VSP_WORLD_BYTES);
static unsigned char snapshot[VSP_SNAPSHOT_BYTES];
static uint32_t next_step;  /* of the scene */
static uint32_t degraded;   /* steps that dropped contacts */
static vsp_player parted;   /* after the first step that differed in the last
                               call; its step is 0 if none did */
static unsigned char *file; /* bytes of the recording */
static size_t file_room;


/* ---- Text and numbers ---------------------------------------------------- */

PAGE_EXPORT(text_address) char *text_address(void);
PAGE_EXPORT(numbers_address) double *numbers_address(void);

char *text_address(void)
{
    return page_text;
}

double *numbers_address(void)
{
    return page_numbers;
}

char *page_put(char *at, const char *text)
{
    while (*text)
        *at++ = *text++;
    *at++ = '\n';
    *at = '\0';
    return at;
}

vsp_vec3 page_vec(double x, double y, double z)
{
    vsp_vec3 v;

    v.x = vsp_from_double(x);
    v.y = vsp_from_double(y);
    v.z = vsp_from_double(z);
    return v;
}

void page_show(int at, vsp_vec3 v)
{
    page_numbers[at] = vsp_to_double(v.x);
    page_numbers[at + 1] = vsp_to_double(v.y);
    page_numbers[at + 2] = vsp_to_double(v.z);
}


/* ---- Lists --------------------------------------------------------------- */

PAGE_EXPORT(scenes_count) uint32_t scenes_count(void);
PAGE_EXPORT(scene_describe) void scene_describe(uint32_t index);
PAGE_EXPORT(runs_count) uint32_t runs_count(void);
PAGE_EXPORT(run_describe) void run_describe(uint32_t index);
PAGE_EXPORT(run_check) bool run_check(uint32_t index);

uint32_t scenes_count(void)
{
    return scene_count;
}

/* Text: name, what it is; numbers: steps, number, step length in s. */
void scene_describe(uint32_t index)
{
    const scene *it = &scenes[index];

    page_put(page_put(page_text, it->name), it->about);
    page_numbers[0] = it->steps;
    page_numbers[1] = it->number;
    page_numbers[2] = it->dt;
}

uint32_t runs_count(void)
{
    return golden_run_count;
}

/* Text: scene, setting, class; number: steps. */
void run_describe(uint32_t index)
{
    const golden_run *it = &golden_runs[index];
    char *at = page_put(page_text, it->scene);

    at = page_put(at, golden_setting_names[it->setting]);
    page_put(at, golden_class_names[it->class]);
    page_numbers[0] = it->steps;
}

/* Text: the rows of a golden run, taken here.  Returns false if a call was
 * refused. */
bool run_check(uint32_t index)
{
    char row[GOLDEN_ROW_BYTES];
    golden_taken taken;
    char *at = page_text;

    *at = '\0';
    if (!golden_take(&golden_runs[index], &taken))
        return false;
    for (uint32_t i = 0; i < taken.count; i++) {
        char *end = row;

        golden_row(&golden_runs[index], taken.steps[i], taken.hashes[i], row);
        while (*end != '\n')
            end++;
        *end = '\0';
        at = page_put(at, row);
    }
    return true;
}


/* ---- Playing ------------------------------------------------------------- */

PAGE_EXPORT(hold_keys) void hold_keys(uint32_t keys);

/* A person plays the first hero of the scene "game": the bits of an input. */
void hold_keys(uint32_t keys)
{
    page_run.held = SCENE_HELD | keys;
}


/* ---- Starting ------------------------------------------------------------ */

PAGE_EXPORT(start_scene)
int32_t start_scene(uint32_t stepper, uint32_t sweeps, double friction,
                    bool is_pyramid, uint32_t room);
PAGE_EXPORT(start_run) int32_t start_run(uint32_t index);

/* Passes the bytes of the recording on. */
static bool send_bytes(void *user, const void *bytes, size_t size)
{
    (void)user;
    page_write(bytes, (uint32_t)size);
    return true;
}

/* Begins to record.  Large worlds get fewer keyframes, for smaller files. */
static vsp_status begin_record(void)
{
    vsp_record_def def = {0};
    size_t size = 0;

    (void)vsp_world_snapshot(page_run.world, snapshot, sizeof snapshot, &size);
    def.write = send_bytes;
    def.scratch = snapshot;
    def.scratch_size = sizeof snapshot;
    def.keyframe_interval = 60u + (uint32_t)size / 500u;
    return vsp_record_begin(&page_run.recorder, page_run.world, &def);
}

/* Gives all shapes a friction, and those that the scene makes later. */
static void set_friction(vsp_real friction)
{
    for (uint32_t slot = 0; slot < VSP_MAX_SHAPES; slot++) {
        vsp_shape_id id = vsp_shape_at(page_run.world, slot);
        vsp_shape_def def;

        if (vsp_shape_get(page_run.world, id, &def) < 0)
            continue;
        def.material.friction = friction;
        (void)vsp_shape_set_material(page_run.world, id, def.material);
    }
    page_run.material.friction = friction;
}

vsp_status page_begin_world(const vsp_world_def *def)
{
    vsp_world *world;
    vsp_status status = vsp_world_create(arena.mem, sizeof arena.mem, def,
                                         &world);

    if (status < 0)
        return status;
    page_run.world = world;
    page_player.world = NULL;
    page_hand_begin();
    next_step = degraded = 0;
    return VSP_OK;
}

/* Returns VSP_ERR_FULL if the scene does not fit the world. */
static vsp_status start_in(const vsp_world_def *def, const scene *which,
                           scene_variant variant)
{
    vsp_status status = page_begin_world(def);

    if (status < 0)
        return status;
    return scene_start(&page_run, which, variant) ? VSP_OK : VSP_ERR_FULL;
}

/* Whether the world has room for balls that a visitor throws. */
static bool has_room(const vsp_capacity *room)
{
    vsp_stats now = vsp_world_stats(page_run.world);

    return now.body_count + 32u <= room->bodies &&
           now.shape_count + 32u <= room->shapes &&
           now.joint_count + 1u <= room->joints;
}

/* Starts a scene whose name is in page_text.  room: 0 the smallest class of
 * port/template that the scene fits in with some balls, else the capacities of
 * the build, which are those of the host tool.  friction below 0, sweeps 0: the
 * scene's own. */
int32_t start_scene(uint32_t stepper, uint32_t sweeps, double friction,
                    bool is_pyramid, uint32_t room)
{
    scene_variant variant;
    const scene *which = scene_find(page_text, &variant);
    vsp_world_def def = vsp_world_def_default();
    vsp_status status = VSP_ERR_FULL;

    if (!which)
        return VSP_ERR_ARG;
    def = scene_world_def(which);
    def.stepper = (vsp_stepper)stepper;
    if (def.stepper == VSP_STEPPER_SHOCK)
        def.sweeps = 10; /* as in the paper */
    if (sweeps > 0)
        def.sweeps = sweeps;
    if (is_pyramid)
        def.friction = VSP_FRICTION_PYRAMID;
    if (room == 0) {
        const vsp_capacity *console = &golden_capacities[GOLDEN_CONSOLE];
        vsp_world_def small = def;

        small.capacity = *console;
        status = start_in(&small, which, variant);
        if (status == VSP_OK && !has_room(console))
            status = VSP_ERR_FULL;
    }
    if (status == VSP_ERR_FULL)
        status = start_in(&def, which, variant);
    if (status < 0)
        return status;
    if (friction >= 0.0)
        set_friction(vsp_from_double(friction));
    return begin_record();
}

/* Starts a golden run. */
int32_t start_run(uint32_t index)
{
    const golden_run *it = &golden_runs[index];
    scene_variant variant;
    const scene *which = scene_find(it->scene, &variant);
    vsp_world_def def = golden_world_def(it, which);
    vsp_status status = start_in(&def, which, variant);

    return status < 0 ? status : begin_record();
}


/* ---- Steps --------------------------------------------------------------- */

PAGE_EXPORT(step_world) int32_t step_world(void);

/* Keeps the player if the call that gave a status found a step that differs. */
static vsp_status keep_parted(vsp_status status)
{
    parted = page_player;
    if (status != VSP_DIVERGED)
        parted.step = 0;
    return status;
}

/* Makes a step, of the scene or of the recording. */
int32_t step_world(void)
{
    vsp_status status;

    if (page_player.world)
        return keep_parted(vsp_play_step(&page_player));
    page_hand_act();
    status = scene_step(&page_run, next_step);
    next_step++;
    degraded += status == VSP_DEGRADED;
    return status;
}


/* ---- Playing ------------------------------------------------------------- */

PAGE_EXPORT(file_address) unsigned char *file_address(uint32_t size);
PAGE_EXPORT(play_file) int32_t play_file(uint32_t size);
PAGE_EXPORT(show_player) void show_player(void);

#define WASM_PAGE 65536u

/* Returns room for a file; null if there is no memory.  The old file is
 * lost. */
unsigned char *file_address(uint32_t size)
{
    uint32_t pages = (uint32_t)((size + WASM_PAGE - 1u) / WASM_PAGE);
    size_t at;

    if (size <= file_room)
        return file;
    at = __builtin_wasm_memory_grow(0, pages);
    if (at == (size_t)-1)
        return NULL;
    file = (unsigned char *)(at * WASM_PAGE);
    file_room = (size_t)pages * WASM_PAGE;
    return file;
}

/* Makes an empty world with a set of tables.  Returns false if there is no such
 * set. */
static bool make_table_world(uint32_t set)
{
    vsp_world_def def = vsp_world_def_default();

    def.sweep_limit = UINT32_MAX; /* allow any file's sweeps */
    return vsp_world_create(arena.mem, sizeof arena.mem, &def,
                            &page_run.world) == VSP_OK &&
           add_table_set(page_run.world, set);
}

/* Begins to play the file, with the set of tables that it was recorded with. */
int32_t play_file(uint32_t size)
{
    vsp_status status = VSP_ERR_TABLE;

    page_hand_begin();
    next_step = degraded = 0;
    for (uint32_t set = 0; status == VSP_ERR_TABLE && make_table_world(set);
         set++)
        status = vsp_play_begin(&page_player, page_run.world, file, size);
    if (status < 0)
        page_player.world = NULL;
    return status;
}

int32_t seek_step(uint32_t step)
{
    vsp_status worst = keep_parted(vsp_play_seek(&page_player, step));
    vsp_status status = worst;

    while (status == VSP_DIVERGED && page_player.step < step)
        status = vsp_play_seek(&page_player, step);
    return status < 0 ? status : worst;
}

/* Numbers: steps played, steps in the recording; the first step that differed
 * in the last call of step_world or seek_step, 0 if none did, and the hash
 * after it as recorded and as here. */
void show_player(void)
{
    page_numbers[0] = page_player.step;
    page_numbers[1] = page_player.step_count;
    page_numbers[2] = parted.step;
    page_numbers[3] = parted.expected;
    page_numbers[4] = parted.got;
}


/* ---- What is shown ------------------------------------------------------- */

PAGE_EXPORT(world_hash) uint32_t world_hash(void);
PAGE_EXPORT(status_text) void status_text(int32_t status);
PAGE_EXPORT(show_stats) void show_stats(void);
PAGE_EXPORT(show_bounds) bool show_bounds(void);
PAGE_EXPORT(show_motion) bool show_motion(void);

uint32_t world_hash(void)
{
    return vsp_world_hash(page_run.world);
}

/* Text: the name of a status. */
void status_text(int32_t status)
{
    page_put(page_text, vsp_status_name((vsp_status)status));
}

/* Numbers: of the world and its last step; the last says whether the world has
 * hulls made at run time. */
void show_stats(void)
{
    vsp_stats now = vsp_world_stats(page_run.world);

    page_numbers[0] = now.body_count;
    page_numbers[1] = now.awake_count;
    page_numbers[2] = now.contact_count;
    page_numbers[3] = now.joint_count;
    page_numbers[4] = now.layer_count;
    page_numbers[5] = now.sweep_count;
    page_numbers[6] = degraded;
    page_numbers[7] = vsp_world_capacity(page_run.world).bodies;
    page_numbers[8] = vsp_to_double(vsp_world_dt(page_run.world));
    page_numbers[9] = page_player.world ? page_player.step : next_step;
    page_numbers[10] = vsp_world_table_count(page_run.world);
    page_numbers[11] = vsp_hull_at(page_run.world, 0) != 0;
}

/* Returns about the radius of a shape, m. */
static double shape_reach(const vsp_shape_def *def)
{
    double x = vsp_to_double(def->size.x), y = vsp_to_double(def->size.y);
    double z = vsp_to_double(def->size.z);

    switch (def->type) {
    case VSP_SHAPE_SPHERE:
        return x;
    case VSP_SHAPE_CAPSULE:
        return x + y;
    case VSP_SHAPE_TAPER:
        return y + (x > z ? x : z);
    case VSP_SHAPE_BOX:
        return 0.6 * (x + y + z);
    default:
        return 0.5;
    }
}

static void widen_bounds(vsp_vec3 center, double reach, bool is_first)
{
    const double at[3] = {vsp_to_double(center.x), vsp_to_double(center.y),
                          vsp_to_double(center.z)};

    for (int i = 0; i < 3; i++) {
        double *low = &page_numbers[i], *high = &page_numbers[3 + i];

        if (is_first || *low > at[i] - reach)
            *low = at[i] - reach;
        if (is_first || *high < at[i] + reach)
            *high = at[i] + reach;
    }
}

/* Numbers: the lowest and the highest point of a box around the bodies that can
 * move.  Returns false if there are none. */
bool show_bounds(void)
{
    const vsp_world *world = page_run.world;
    bool has_any = false;

    for (uint32_t slot = 0; slot < VSP_MAX_SHAPES; slot++) {
        vsp_shape_id id = vsp_shape_at(world, slot);
        vsp_body_id body = vsp_shape_body(world, id);
        vsp_shape_def def;

        if (vsp_shape_get(world, id, &def) < 0 ||
            vsp_body_get_type(world, body) != VSP_DYNAMIC)
            continue;
        widen_bounds(vsp_body_center(world, body), shape_reach(&def), !has_any);
        has_any = true;
    }
    return has_any;
}

static double length_of(vsp_vec3 v)
{
    const double x = vsp_to_double(v.x), y = vsp_to_double(v.y);
    const double z = vsp_to_double(v.z);

    return __builtin_sqrt(x * x + y * y + z * z);
}

/* Numbers: the middle of what moves, but for what a visitor threw: of bodies by
 * mass and speed, of which more than 2 m/s count no more.  Returns false if
 * nothing moves at 0.5 m/s. */
bool show_motion(void)
{
    const vsp_world *world = page_run.world;
    double sum = 0.0, middle[3] = {0.0, 0.0, 0.0};

    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id body = vsp_body_at(world, slot);
        double speed = length_of(vsp_body_velocity(world, body));
        double weight = vsp_to_double(vsp_body_mass(world, body)) *
                        (speed < 2.0 ? speed : 2.0);

        if (speed < 0.5 || weight <= 0.0 || page_is_thrown(body))
            continue;
        page_show(0, vsp_body_center(world, body));
        for (int i = 0; i < 3; i++)
            middle[i] += weight * page_numbers[i];
        sum += weight;
    }
    for (int i = 0; i < 3; i++)
        page_numbers[i] = middle[i] / (sum > 0.0 ? sum : 1.0);
    return sum > 0.0;
}
