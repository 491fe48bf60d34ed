/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Recordings: every call is replayed with the same bits; a full sink leaves a
 * replay that plays; damaged and hostile files are refused or harmless;
 * seeking; divergence is found and named; tables.
 *
 * Recorded worlds are in buffer 0, players' worlds in buffer 1. */

#include "fixture.h"
#include "src/record/record.h"

#include <stdlib.h>
#include <string.h>

#define FILM_BYTES 65536u
#define ACTS 6u
#define EDIT_STEPS 2u /* in addition to the acts */
#define RUN_STEPS (10u * ACTS + EDIT_STEPS)

static unsigned char film[FILM_BYTES];
static size_t film_size;


/* ---- Tables ------------------------------------------------------------- */

static const int16_t level[4] = {0, 0, 0, 0}, bumpy[4] = {0, 1, 2, 0};

static const vsp_table_material ice = {VSP_PLACE / 8, 0, 0, 0, {0, 0, 0}, 0, 0};
static const uint8_t cell[1] = {0};

/* squares of 4 m, in the order in which recorded worlds add them; only the
 * first one has materials */
static const vsp_field_materials ground[2] = {
    {{VSP_TABLE_FIELD_MATERIALS, 2, 2, 4 * VSP_PLACE, VSP_PLACE / 8, 0, 0,
      level},
     {1, 0, &ice, cell}},
    {{VSP_TABLE_HEIGHT_FIELD, 2, 2, 4 * VSP_PLACE, VSP_PLACE / 8, 0, 2, bumpy},
     {0, 0, NULL, NULL}},
};

static uint32_t give_table(vsp_world *world, const void *table)
{
    uint32_t number;

    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, table, &number, NULL));
    return number;
}


/* ---- Recording ---------------------------------------------------------- */

static vsp_recorder start_film(vsp_world *world, uint32_t interval)
{
    vsp_recorder recorder;
    vsp_record_def def = {0};

    def.buffer = film;
    def.capacity = sizeof film;
    def.keyframe_interval = interval;
    CHECK_STATUS(VSP_OK, vsp_record_begin(&recorder, world, &def));
    return recorder;
}

static void end_film(vsp_recorder *recorder)
{
    CHECK_STATUS(VSP_OK, vsp_record_end(recorder, &film_size));
}

static void step_film(vsp_recorder *recorder, uint32_t count)
{
    while (count-- > 0)
        CHECK(vsp_record_step(recorder) >= 0);
}

static vsp_body_id film_body(vsp_recorder *recorder, vsp_body_type type,
                             vsp_shape_def shape, double x, double y)
{
    vsp_body_def def = body_def(type, shape, x, y, 0);
    vsp_body_id id;

    CHECK_STATUS(VSP_OK, vsp_record_body_create(recorder, &def, &id));
    return id;
}

/* Makes two hulls, and frees one. */
static vsp_status record_hull(vsp_recorder *r, double size, uint32_t *table)
{
    vsp_vec3 points[4];

    points[0] = real3(0, 0, 0);
    points[1] = real3(size, 0, 0);
    points[2] = real3(0, size, 0);
    points[3] = real3(0, 0, size);
    return vsp_record_hull_create(r, points, 4, table);
}

static void make_hulls(vsp_recorder *r)
{
    uint32_t table, other;

    CHECK_STATUS(VSP_OK, record_hull(r, 0.5, &table));
    CHECK_STATUS(VSP_OK, record_hull(r, 0.75, &other));
    CHECK_STATUS(VSP_OK, vsp_record_hull_destroy(r, table));
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_hull_create(r, NULL, 4, &table));
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_hull_destroy(NULL, other));
}
static void set_everything(vsp_recorder *r, vsp_body_id id)
{
    vsp_transform pose = vsp_body_transform(r->world, id);
    vsp_pair_rule rule = vsp_pair_rule_default();

    pose.position.x += VSP_R(0.125);
    pose.rotation = turn(20, 0, 1, 0);
    rule.a = 1;
    rule.b = 0xffffffffu;
    rule.flags = VSP_PAIR_ONE_WAY;
    rule.friction = VSP_R(0.25);
    rule.mass_b = VSP_R(0.5);
    rule.hit_speed = VSP_R(3.0);
    make_hulls(r);
    CHECK_STATUS(VSP_OK, vsp_record_set_pair_rule(r, 1, &rule));
    CHECK_STATUS(VSP_OK, vsp_record_set_gravity(r, real3(0.5, -9, 0.25)));
    CHECK_STATUS(VSP_OK, vsp_record_body_set_transform(r, id, pose));
    CHECK_STATUS(VSP_OK, vsp_record_body_set_velocity(r, id, real3(1, 2, 3),
                                                      real3(0.5, 0.25, 1)));
    CHECK_STATUS(VSP_OK,
                 vsp_record_body_set_damping(r, id, VSP_R(0.5), VSP_R(0.25)));
    CHECK_STATUS(VSP_OK, vsp_record_body_set_gravity_scale(r, id, VSP_R(0.75)));
    CHECK_STATUS(VSP_OK, vsp_record_body_set_user(r, id, 0xdeadbeefu));
    CHECK_STATUS(VSP_OK, vsp_record_body_set_max_speed(r, id, VSP_R(2.0)));
    CHECK_STATUS(VSP_OK, vsp_record_body_set_locks(r, id, VSP_LOCK_Z));
    CHECK_STATUS(VSP_OK, vsp_record_body_set_bullet(r, id, true));
    CHECK_STATUS(VSP_OK, vsp_record_body_set_awake(r, id, false));
    CHECK_STATUS(VSP_OK, vsp_record_body_enable_sleep(r, id, false));
    CHECK_STATUS(VSP_OK, vsp_record_body_set_mass(r, id, VSP_R(700.0),
                                                  real3(0, 0.125, 0),
                                                  real3(90, 100, 110)));
}

static void push_everything(vsp_recorder *r, vsp_body_id id)
{
    vsp_vec3 up = vsp_body_transform(r->world, id).position;

    up.y += VSP_R(0.25);
    CHECK_STATUS(VSP_OK,
                 vsp_record_body_apply_force(r, id, real3(9, 8, 7), up));
    CHECK_STATUS(VSP_OK,
                 vsp_record_body_apply_center_force(r, id, real3(0, 100, 50)));
    CHECK_STATUS(VSP_OK, vsp_record_body_apply_torque(r, id, real3(3, 2, 1)));
    CHECK_STATUS(VSP_OK,
                 vsp_record_body_apply_impulse(r, id, real3(60, 20, 0), up));
    CHECK_STATUS(VSP_OK,
                 vsp_record_body_apply_center_impulse(r, id, real3(0, 300, 0)));
    CHECK_STATUS(VSP_OK, vsp_record_body_apply_angular_impulse(
                             r, id, real3(10, 20, 30)));
}

static void shape_everything(vsp_recorder *r, vsp_body_id id)
{
    vsp_shape_def def = vsp_sphere(VSP_R(0.375));
    vsp_shape_id first, second;

    def.pose.position = real3(0, 0.75, 0);
    def.material.friction_rule = VSP_RULE_MIN;
    CHECK_STATUS(VSP_OK, vsp_record_shape_create(r, id, &def, &first));
    def.filter.group = -7;
    CHECK_STATUS(VSP_OK, vsp_record_shape_create(r, id, &def, &second));
    def.material.restitution = VSP_R(0.5);
    def.material.restitution_rule = VSP_RULE_AVERAGE;
    CHECK_STATUS(VSP_OK, vsp_record_shape_set_material(r, first, def.material));
    def.filter.mask = 0xf0f0f0ffu;
    CHECK_STATUS(VSP_OK, vsp_record_shape_set_filter(r, first, def.filter));
    CHECK_STATUS(VSP_OK, vsp_record_shape_set_surface_velocity(
                             r, first, real3(0.5, 0, -0.25)));
    CHECK_STATUS(VSP_OK, vsp_record_shape_destroy(r, second));
}

static void join_everything(vsp_recorder *r, vsp_body_id one, vsp_body_id two)
{
    vsp_joint_def def = vsp_joint_def_default();
    vsp_joint_id first, second;

    def.type = VSP_JOINT_BALL;
    def.body_a = one;
    def.body_b = two;
    def.frame_a.position = real3(0, 0.5, 0);
    def.frame_b.position = real3(0, -0.5, 0.125);
    def.frame_b.rotation = turn(10, 0, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_record_joint_create(r, &def, &first));
    CHECK_STATUS(VSP_OK, vsp_record_joint_set_cone(r, first, VSP_R(1.5)));
    def.type = VSP_JOINT_HINGE;
    def.collide = def.enable_limit = def.enable_motor = true;
    def.low = VSP_R(-0.5);
    def.high = VSP_R(0.75);
    def.motor_speed = VSP_R(0.25);
    def.motor_max = VSP_R(8.0);
    def.break_impulse = VSP_R(1e6);
    def.break_turn = VSP_R(2e6);
    def.user = 0xcafeu;
    CHECK_STATUS(VSP_OK, vsp_record_joint_create(r, &def, &second));
    CHECK_STATUS(VSP_OK, vsp_record_joint_set_limit(r, second, false,
                                                    VSP_R(-1.0), VSP_R(2.0)));
    CHECK_STATUS(VSP_OK, vsp_record_joint_set_motor(r, second, true,
                                                    VSP_R(-0.5), VSP_R(16.0)));
    CHECK_STATUS(VSP_OK, vsp_record_joint_set_strength(r, second, VSP_R(3e6),
                                                       VSP_R(4e6)));
    CHECK_STATUS(
        VSP_OK, vsp_record_joint_set_spring(r, second, VSP_R(5.0), VSP_R(0.5)));
    CHECK_STATUS(VSP_OK, vsp_record_joint_set_user(r, second, 12345));
    CHECK_STATUS(VSP_OK, vsp_record_joint_destroy(r, first));
    def.type = VSP_JOINT_AXES;
    def.motor_mode = VSP_MOTOR_SPRING;
    def.motor_hertz = VSP_R(2.0);
    def.locked = 5;
    def.driven = 50;
    CHECK_STATUS(VSP_OK, vsp_record_joint_create(r, &def, &first));
    CHECK_STATUS(VSP_OK, vsp_record_joint_set_axes(r, first, 6, 8, 48));
    CHECK_STATUS(VSP_OK,
                 vsp_record_joint_set_drive(r, first, VSP_MOTOR_SERVO, 0, 0));
    CHECK_STATUS(VSP_OK, vsp_record_joint_set_drive(r, first, VSP_MOTOR_SPRING,
                                                    VSP_R(3.0), VSP_R(0.25)));
    CHECK_STATUS(VSP_OK, vsp_record_joint_set_target(r, first, VSP_R(-0.125)));
    CHECK_STATUS(VSP_OK,
                 vsp_record_joint_set_frame(r, first, turn(30, 0, 0.6, 0.8)));
}

static void edit_everything(vsp_recorder *r, vsp_body_id id)
{
    vsp_transform pose = vsp_body_transform(r->world, id);

    pose.position.y += VSP_R(0.125);
    CHECK_STATUS(VSP_OK, vsp_record_body_set_type(r, id, VSP_KINEMATIC));
    CHECK_STATUS(VSP_OK,
                 vsp_record_body_move_to(r, id, pose, VSP_R(1.0 / 60.0)));
    step_film(r, 1);
    CHECK_STATUS(VSP_OK, vsp_record_body_set_type(r, id, VSP_DYNAMIC));
    CHECK_STATUS(VSP_OK, vsp_record_body_enable(r, id, false));
    step_film(r, 1);
    CHECK_STATUS(VSP_OK, vsp_record_body_enable(r, id, true));
    CHECK_STATUS(VSP_OK,
                 vsp_record_body_set_linear_velocity(r, id, real3(1, 2, 3)));
    CHECK_STATUS(VSP_OK, vsp_record_body_set_spin(r, id, real3(3, 2, 1)));
}

static void edit_fields(vsp_recorder *r)
{
    static const int16_t heights[2] = {-1, 3};
    static const uint8_t one[1] = {1};
    vsp_body_id id = film_body(
        r, VSP_STATIC, vsp_table_shape(VSP_SHAPE_HEIGHT_FIELD, 1), 20, 0);
    vsp_shape_id shape;

    CHECK_UINT(1, vsp_body_shapes(r->world, id, &shape, 1));
    CHECK_STATUS(VSP_OK,
                 vsp_record_field_set_heights(r, shape, 0, 1, 2, 1, heights));
    CHECK_STATUS(VSP_OK,
                 vsp_record_field_set_materials(r, shape, 0, 0, 1, 1, one));
}

static void edit_shapes(vsp_recorder *r, vsp_body_id id)
{
    vsp_transform pose = {real3(0.125, 0.25, 0), turn(15, 0, 1, 0)};
    vsp_shape_def def = vsp_box(VSP_R(0.25), VSP_R(0.25), VSP_R(0.5));
    vsp_explosion explosion = vsp_explosion_default();
    vsp_shape_id shape;

    def.surface_spin = real3(0, 3, 0.5);
    def.user = 60000;
    def.rolling_friction = VSP_R(0.25);
    def.spinning_friction = VSP_R(0.5);
    CHECK_STATUS(VSP_OK, vsp_record_shape_create(r, id, &def, &shape));
    CHECK_UINT(60000, vsp_shape_user(r->world, shape));
    CHECK_STATUS(VSP_OK, vsp_record_shape_set_user(r, shape, 12345));
    CHECK_STATUS(VSP_OK, vsp_record_shape_set_rolling_friction(
                             r, shape, VSP_R(0.01), VSP_R(0.02)));
    CHECK_STATUS(VSP_OK, vsp_record_shape_set_pose(r, shape, pose));
    CHECK_STATUS(VSP_OK,
                 vsp_record_shape_set_size(r, shape, real3(0.5, 0.25, 0.25)));
    CHECK_STATUS(VSP_OK, vsp_record_shape_set_density(r, shape, VSP_R(500.0)));
    CHECK_STATUS(VSP_OK, vsp_record_shape_set_sensor(r, shape, true));
    CHECK_STATUS(VSP_OK, vsp_record_shape_set_sensor(r, shape, false));
    explosion.impulse = VSP_R(100.0);
    CHECK_STATUS(VSP_OK, vsp_record_explode(r, &explosion));
    CHECK_STATUS(VSP_OK,
                 vsp_record_shape_set_surface_spin(r, shape, real3(0, 2, 0)));
}

/* Makes every call that exists, with this many steps in each act. */
static void film_acts(vsp_recorder *r, uint32_t steps)
{
    vsp_shape_def cube = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    vsp_body_id one, two;
    size_t size;

    film_body(r, VSP_STATIC, vsp_half_space(), 0, 0);
    one = film_body(r, VSP_DYNAMIC, cube, 0, 0.5);
    two = film_body(r, VSP_DYNAMIC, cube, 0, 1.5);
    step_film(r, steps);
    set_everything(r, two);
    step_film(r, steps);
    push_everything(r, two);
    give_table(r->world, &ground[0]);
    step_film(r, steps);
    size = save_world(r->world, 0);
    shape_everything(r, one);
    join_everything(r, one, two);
    step_film(r, steps);
    edit_everything(r, two);
    edit_shapes(r, two);
    edit_fields(r);
    CHECK_STATUS(VSP_OK, vsp_record_body_destroy(r, one));
    film_body(r, VSP_KINEMATIC, vsp_sphere(VSP_R(0.5)), 0, 0.5);
    step_film(r, steps);
    CHECK_STATUS(VSP_OK, vsp_record_restore(r, saved(0), size));
    shape_everything(r, two);
    step_film(r, steps);
}

static void film_everything(vsp_recorder *r)
{
    film_acts(r, (RUN_STEPS - EDIT_STEPS) / ACTS);
}

/* Records all acts.  Returns the hash of the world at the end. */
static uint32_t make_film(uint32_t interval)
{
    vsp_world *world = new_world();
    vsp_recorder recorder = start_film(world, interval);

    film_everything(&recorder);
    end_film(&recorder);
    return vsp_world_hash(world);
}


/* ---- Playing ------------------------------------------------------------ */

static vsp_world *bare_stage(void)
{
    vsp_world_def def = vsp_world_def_default();

    return new_world_at(&def, 1, 0);
}

static vsp_world *new_stage(void)
{
    vsp_world *world = bare_stage();

    give_table(world, &ground[0]);
    give_table(world, &ground[1]);
    return world;
}

static bool start_player(vsp_player *player)
{
    return CHECK_STATUS(VSP_OK,
                        vsp_play_begin(player, new_stage(), film, film_size));
}

/* Plays to the end; every step must be the same. */
static void play_all(vsp_player *player)
{
    uint32_t i;

    for (i = player->step; i < player->step_count; i++) {
        test_note("step %u", i);
        if (!CHECK_STATUS(VSP_OK, vsp_play_step(player)))
            return;
        CHECK_UINT(i + 1, player->step);
    }
    CHECK_STATUS(VSP_END, vsp_play_step(player));
    CHECK_STATUS(VSP_END, vsp_play_step(player));
}

static uint32_t film_word(size_t at)
{
    return (uint32_t)film[at] | (uint32_t)film[at + 1] << 8 |
           (uint32_t)film[at + 2] << 16 | (uint32_t)film[at + 3] << 24;
}

static void set_film_word(size_t at, uint32_t word)
{
    uint32_t i;

    for (i = 0; i < 4; i++)
        film[at + i] = (unsigned char)(word >> (8 * i));
}

/* Returns the offset of the n-th record of this type, n from 0; 0 if there is
 * none. */
static size_t find_record(uint32_t op, uint32_t n)
{
    size_t at = 56 + film_word(48);

    while (at < film_size) {
        uint32_t head = film_word(at);

        if ((head & 0xff) == op && n-- == 0)
            return at;
        at += 4 + 4 * (size_t)(head >> 8);
    }
    return 0;
}

static void every_call_is_played(void)
{
    vsp_player player;
    uint32_t hash = make_film(0), op;
    size_t size;

    for (op = VSP_OP_END; op < VSP_OP_COUNT; op++) {
        test_note("op %u", op);
        CHECK((find_record(op, 0) != 0) == (op != VSP_OP_KEYFRAME));
    }
    size = save_world((vsp_world *)arena(0), 0);
    if (!start_player(&player))
        return;
    CHECK_UINT(RUN_STEPS, player.step_count);
    play_all(&player);
    CHECK_HEX(hash, vsp_world_hash(player.world));
    CHECK_UINT((uint32_t)size, (uint32_t)save_world(player.world, 1));
    CHECK_BYTES(saved(0), saved(1), size);
}

/* Calls after the last step must be played too. */
static void calls_without_steps_are_played(void)
{
    vsp_world *world = new_world();
    vsp_recorder recorder = start_film(world, 1);
    vsp_player player;

    film_body(&recorder, VSP_STATIC, vsp_half_space(), 0, 0);
    end_film(&recorder);
    if (!start_player(&player))
        return;
    CHECK_UINT(0, player.step_count);
    CHECK_STATUS(VSP_END, vsp_play_step(&player));
    CHECK_HEX(vsp_world_hash(world), vsp_world_hash(player.world));
}

/* A recorder must make the world's own calls, whether it records or not. */
static void an_idle_recorder_passes_calls_on(void)
{
    static const vsp_recorder off;
    vsp_recorder recorder = off;
    vsp_world_def def = vsp_world_def_default();
    uint32_t hash = make_film(0);

    recorder.world = new_world_at(&def, 2, 0);
    film_everything(&recorder);
    CHECK_HEX(hash, vsp_world_hash(recorder.world));
    CHECK_STATUS(VSP_OK, vsp_record_status(&recorder));
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_end(&recorder, NULL));
}

static void joint_defs_are_passed_on_whole(void)
{
    vsp_recorder r = {0};
    vsp_joint_def def = vsp_joint_def_default(), got[2];
    vsp_joint_id id[2];
    uint32_t i;

    r.world = new_world();
    def.type = VSP_JOINT_SLIDER;
    def.body_a = add_cube(r.world, 0, 1, 0);
    def.body_b = add_cube(r.world, 3, 1, 0);
    def.frame_a.position = real3(1, 2, 3);
    def.frame_a.rotation = turn(20, 1, 0, 0);
    def.frame_b.position = real3(4, 5, 6);
    def.frame_b.rotation = turn(30, 0, 1, 0);
    def.collide = def.enable_limit = def.enable_motor = true;
    def.low = VSP_R(-7.0);
    def.high = VSP_R(8.0);
    def.limit_hertz = VSP_R(20.0);
    def.limit_damping = VSP_R(0.25);
    def.motor_speed = VSP_R(9.0);
    def.motor_max = VSP_R(10.0);
    def.break_impulse = VSP_R(11.0);
    def.break_turn = VSP_R(12.0);
    def.user = 13;
    CHECK_STATUS(VSP_OK, vsp_record_joint_create(&r, &def, &id[0]));
    CHECK_STATUS(VSP_OK, vsp_joint_create(r.world, &def, &id[1]));
    for (i = 0; i < 2; i++) {
        memset(&got[i], 0, sizeof got[i]);
        CHECK_STATUS(VSP_OK, vsp_joint_get(r.world, id[i], &got[i]));
    }
    CHECK_BYTES(&got[1], &got[0], sizeof got[0]);
}

static void keyframes_change_no_result(void)
{
    uint32_t hash = make_film(0);
    size_t plain = film_size;
    vsp_player player;

    CHECK_HEX(hash, make_film(7));
    CHECK(film_size > plain);
    CHECK(find_record(VSP_OP_KEYFRAME, RUN_STEPS / 7 - 1) != 0);
    CHECK(find_record(VSP_OP_KEYFRAME, RUN_STEPS / 7) == 0);
    if (start_player(&player))
        play_all(&player);
}

static void a_step_takes_at_most_16_bytes(void)
{
    vsp_world *world = new_world();
    vsp_recorder recorder;
    size_t first;

    add_ground(world);
    add_cube(world, 0, 0.5, 0);
    recorder = start_film(world, 0);
    step_film(&recorder, 1000);
    end_film(&recorder);
    first = 56 + film_word(48);
    CHECK_AT_MOST(16.0 * 1000.0, (double)(film_size - first));
    CHECK_UINT((uint32_t)VSP_REPLAY_BYTES + film_word(48) + 8 * 1000,
               (uint32_t)film_size);
}

/* A world may move between calls, if the recorder gets its new address. */
static void recorded_worlds_may_move(void)
{
    vsp_recorder recorder = start_film(new_world(), 0);
    vsp_player player;

    film_body(&recorder, VSP_DYNAMIC, vsp_sphere(VSP_R(1.0)), 0, 2);
    step_film(&recorder, 3);
    memmove(arena(2), arena(0), VSP_WORLD_BYTES);
    memset(arena(0), 0xdd, ARENA_BYTES);
    recorder.world = (vsp_world *)arena(2);
    step_film(&recorder, 3);
    end_film(&recorder);
    if (start_player(&player))
        play_all(&player);
}

/* A replay of a small world must give the player's world the same
 * capacities. */
static void capacities_come_with_the_file(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_body_def body = vsp_body_def_default();
    vsp_recorder recorder;
    vsp_player player;

    def.capacity.bodies = 2;
    recorder = start_film(new_world_of(&def), 0);
    step_film(&recorder, 1);
    end_film(&recorder);
    CHECK_UINT(2, film_word(20));
    if (!start_player(&player))
        return;
    CHECK_UINT(2, vsp_world_capacity(player.world).bodies);
    CHECK_STATUS(VSP_OK, vsp_body_create(player.world, &body, NULL));
    CHECK_STATUS(VSP_OK, vsp_body_create(player.world, &body, NULL));
    CHECK_STATUS(VSP_ERR_FULL, vsp_body_create(player.world, &body, NULL));
}


/* ---- Refusals ----------------------------------------------------------- */

/* Calls that a world refuses, for every type of record. */
static vsp_status refused_call(vsp_recorder *r, uint32_t op)
{
    vsp_body_id body = vsp_body_at(r->world, 0), no_body = {0};
    vsp_shape_id shape = vsp_shape_at(r->world, 0), no_shape = {0};
    vsp_vec3 bad = real3(0, 0, 0);
    vsp_transform pose = vsp_body_transform(r->world, body);
    vsp_body_def body_bad = vsp_body_def_default();
    vsp_shape_def shape_bad = vsp_sphere(VSP_R(1.0));
    vsp_joint_def joint_bad = vsp_joint_def_default();
    vsp_explosion explosion = vsp_explosion_default();
    vsp_pair_rule rule = vsp_pair_rule_default();
    vsp_joint_id joint = {1};
    uint32_t table;
    int16_t heights[1] = {0};
    uint8_t cells[1] = {0};

    bad.y = bad_real(0);
    pose.position.z = bad.y;
    switch (op) {
    case VSP_OP_RESTORE:
        return vsp_record_restore(r, film, 40);
    case VSP_OP_SET_GRAVITY:
        return vsp_record_set_gravity(r, bad);
    case VSP_OP_BODY_CREATE:
        body_bad.shape.type = (vsp_shape_type)100;
        return vsp_record_body_create(r, &body_bad, &body);
    case VSP_OP_BODY_DESTROY:
        body.bits += 0x10000u;
        return vsp_record_body_destroy(r, body);
    case VSP_OP_BODY_SET_TRANSFORM:
        return vsp_record_body_set_transform(r, body, pose);
    case VSP_OP_BODY_SET_VELOCITY:
        return vsp_record_body_set_velocity(r, body, real3(0, 0, 0), bad);
    case VSP_OP_BODY_SET_MASS:
        return vsp_record_body_set_mass(r, body, VSP_R(-1.0), real3(0, 0, 0),
                                        real3(0, 0, 0));
    case VSP_OP_BODY_SET_DAMPING:
        return vsp_record_body_set_damping(r, body, VSP_R(0.0), bad.y);
    case VSP_OP_BODY_SET_GRAVITY_SCALE:
        return vsp_record_body_set_gravity_scale(r, body, VSP_R(101.0));
    case VSP_OP_BODY_SET_MAX_SPEED:
        return vsp_record_body_set_max_speed(r, body, VSP_R(0.0));
    case VSP_OP_BODY_SET_LOCKS:
        return vsp_record_body_set_locks(r, body, VSP_LOCK_ALL + 1);
    case VSP_OP_BODY_SET_BULLET:
        return vsp_record_body_set_bullet(r, no_body, true);
    case VSP_OP_BODY_ENABLE_SLEEP:
        return vsp_record_body_enable_sleep(r, no_body, true);
    case VSP_OP_BODY_SET_AWAKE:
        return vsp_record_body_set_awake(r, no_body, true);
    case VSP_OP_BODY_SET_USER:
        body.bits = 0;
        return vsp_record_body_set_user(r, body, 1);
    case VSP_OP_BODY_APPLY_FORCE:
        return vsp_record_body_apply_force(r, body, bad, real3(0, 0, 0));
    case VSP_OP_BODY_APPLY_CENTER_FORCE:
        return vsp_record_body_apply_center_force(r, body, bad);
    case VSP_OP_BODY_APPLY_TORQUE:
        return vsp_record_body_apply_torque(r, body, bad);
    case VSP_OP_BODY_APPLY_IMPULSE:
        return vsp_record_body_apply_impulse(r, body, real3(0, 0, 0), bad);
    case VSP_OP_BODY_APPLY_CENTER_IMPULSE:
        return vsp_record_body_apply_center_impulse(r, body, bad);
    case VSP_OP_BODY_APPLY_ANGULAR_IMPULSE:
        return vsp_record_body_apply_angular_impulse(r, body, bad);
    case VSP_OP_SHAPE_CREATE:
        shape_bad.cookie++;
        return vsp_record_shape_create(r, body, &shape_bad, &shape);
    case VSP_OP_SHAPE_DESTROY:
        return vsp_record_shape_destroy(r, no_shape);
    case VSP_OP_SHAPE_SET_MATERIAL:
        shape_bad.material.friction_rule = (vsp_rule)7;
        return vsp_record_shape_set_material(r, shape, shape_bad.material);
    case VSP_OP_SHAPE_SET_SURFACE_VELOCITY:
        return vsp_record_shape_set_surface_velocity(r, shape, bad);
    case VSP_OP_JOINT_CREATE:
        return vsp_record_joint_create(r, &joint_bad, &joint);
    case VSP_OP_JOINT_DESTROY:
        return vsp_record_joint_destroy(r, joint);
    case VSP_OP_JOINT_SET_LIMIT:
        return vsp_record_joint_set_limit(r, joint, true, 0, 0);
    case VSP_OP_JOINT_SET_CONE:
        return vsp_record_joint_set_cone(r, joint, 0);
    case VSP_OP_JOINT_SET_MOTOR:
        return vsp_record_joint_set_motor(r, joint, true, 0, 0);
    case VSP_OP_JOINT_SET_STRENGTH:
        return vsp_record_joint_set_strength(r, joint, 0, 0);
    case VSP_OP_JOINT_SET_SPRING:
        return vsp_record_joint_set_spring(r, joint, 0, 0);
    case VSP_OP_JOINT_SET_USER:
        return vsp_record_joint_set_user(r, joint, 0);
    case VSP_OP_BODY_SET_TYPE:
        return vsp_record_body_set_type(r, body, (vsp_body_type)3);
    case VSP_OP_BODY_ENABLE:
        return vsp_record_body_enable(r, no_body, false);
    case VSP_OP_BODY_SET_LINEAR_VELOCITY:
        return vsp_record_body_set_linear_velocity(r, body, bad);
    case VSP_OP_BODY_SET_SPIN:
        return vsp_record_body_set_spin(r, body, bad);
    case VSP_OP_BODY_MOVE_TO:
        return vsp_record_body_move_to(r, body, pose, VSP_R(0.02));
    case VSP_OP_HULL_CREATE:
        return record_hull(r, 0, &table);
    case VSP_OP_HULL_DESTROY:
        return vsp_record_hull_destroy(r, 65001);
    case VSP_OP_SET_PAIR_RULE:
        rule.flags = 99;
        return vsp_record_set_pair_rule(r, 0, &rule);
    case VSP_OP_EXPLODE:
        explosion.center = bad;
        return vsp_record_explode(r, &explosion);
    case VSP_OP_SHAPE_SET_USER:
        return vsp_record_shape_set_user(r, shape, 65536);
    case VSP_OP_SHAPE_SET_ROLLING_FRICTION:
        return vsp_record_shape_set_rolling_friction(r, shape, VSP_R(-1.0), 0);
    case VSP_OP_FIELD_SET_HEIGHTS:
        return vsp_record_field_set_heights(r, shape, 0, 0, 1, 1, heights);
    case VSP_OP_FIELD_SET_MATERIALS:
        return vsp_record_field_set_materials(r, shape, 0, 0, 1, 1, cells);
    case VSP_OP_SHAPE_SET_POSE:
        return vsp_record_shape_set_pose(r, shape, pose);
    case VSP_OP_SHAPE_SET_SIZE:
        return vsp_record_shape_set_size(r, shape, bad);
    case VSP_OP_SHAPE_SET_DENSITY:
        return vsp_record_shape_set_density(r, shape, VSP_R(-1.0));
    case VSP_OP_SHAPE_SET_SENSOR:
        return vsp_record_shape_set_sensor(r, no_shape, true);
    case VSP_OP_SHAPE_SET_SURFACE_SPIN:
        return vsp_record_shape_set_surface_spin(r, shape, bad);
    case VSP_OP_JOINT_SET_DRIVE:
        return vsp_record_joint_set_drive(r, joint, VSP_MOTOR_SPEED, 0, 0);
    case VSP_OP_JOINT_SET_TARGET:
        return vsp_record_joint_set_target(r, joint, 0);
    case VSP_OP_JOINT_SET_AXES:
        return vsp_record_joint_set_axes(r, joint, 1, 0, 0);
    case VSP_OP_JOINT_SET_FRAME:
        return vsp_record_joint_set_frame(r, joint, turn(0, 1, 0, 0));
    default:
        return vsp_record_shape_set_filter(r, no_shape, shape_bad.filter);
    }
}

static void refused_calls_are_not_recorded(void)
{
    vsp_world *world = new_world();
    vsp_recorder recorder;
    vsp_body_id id = add_cube(world, 0, 5, 0);
    size_t size;
    uint32_t op;

    recorder = start_film(world, 0);
    size = recorder.size;
    for (op = VSP_OP_RESTORE; op < VSP_OP_COUNT; op++) {
        uint32_t hash = vsp_world_hash(world);

        if (op == VSP_OP_TABLES)
            continue;
        test_note("op %u", op);
        CHECK(refused_call(&recorder, op) < 0);
        CHECK_HEX(hash, vsp_world_hash(world));
        CHECK_UINT((uint32_t)size, (uint32_t)recorder.size);
    }
    CHECK_STATUS(VSP_OK, vsp_record_body_set_user(&recorder, id, 1));
    CHECK(recorder.size > size);
    end_film(&recorder);
}

static void ids_of_refused_creations_are_null(void)
{
    vsp_recorder recorder = start_film(new_world(), 0);
    vsp_body_id body = {7}, none = {0};
    vsp_shape_id shape = {7};
    vsp_joint_id joint = {7};
    vsp_shape_def ball = vsp_sphere(VSP_R(1.0));
    vsp_body_def def = vsp_body_def_default();
    vsp_joint_def joint_def = vsp_joint_def_default();

    CHECK_STATUS(VSP_ERR_ARG, vsp_record_body_create(&recorder, NULL, &body));
    CHECK_HEX(0, body.bits);
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_record_shape_create(&recorder, none, NULL, &shape));
    CHECK_HEX(0, shape.bits);
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_joint_create(&recorder, NULL, &joint));
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_explode(&recorder, NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_set_pair_rule(&recorder, 0, NULL));
    CHECK_HEX(0, joint.bits);
    body.bits = shape.bits = joint.bits = 7;
    def.gravity_scale = VSP_R(1000.0);
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_body_create(&recorder, &def, &body));
    CHECK_HEX(0, body.bits);
    CHECK_STATUS(VSP_ERR_ID,
                 vsp_record_shape_create(&recorder, none, &ball, &shape));
    CHECK_HEX(0, shape.bits);
    joint_def.type = VSP_JOINT_FIXED;
    CHECK_STATUS(VSP_ERR_ID,
                 vsp_record_joint_create(&recorder, &joint_def, &joint));
    CHECK_HEX(0, joint.bits);
    def.gravity_scale = VSP_R(1.0);
    CHECK_STATUS(VSP_OK, vsp_record_body_create(&recorder, &def, NULL));
    end_film(&recorder);
}

static bool write_nowhere(void *user, const void *bytes, size_t size)
{
    (void)user;
    (void)bytes;
    (void)size;
    return true;
}

static void bad_arguments_are_refused(void)
{
    vsp_world *world = new_world();
    vsp_recorder recorder;
    vsp_record_def def = {0};
    vsp_player player;

    CHECK_STATUS(VSP_ERR_ARG, vsp_record_begin(NULL, world, &def));
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_begin(&recorder, world, NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_begin(&recorder, world, &def));
    def.write = write_nowhere; /* without scratch */
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_begin(&recorder, world, &def));
    def.buffer = film; /* two sinks */
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_begin(&recorder, world, &def));
    def.write = NULL;
    def.capacity = sizeof film;
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_begin(&recorder, NULL, &def));
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_step(NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_step(&recorder));
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_end(NULL, NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_end(&recorder, NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_status(NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_set_gravity(NULL, real3(0, 0, 0)));
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_restore(NULL, film, 100));
    make_film(0);
    CHECK_STATUS(VSP_ERR_ARG, vsp_play_begin(NULL, world, film, film_size));
    CHECK_STATUS(VSP_ERR_ARG, vsp_play_begin(&player, world, NULL, 100));
    CHECK_STATUS(VSP_ERR_ARG, vsp_play_begin(&player, NULL, film, film_size));
    CHECK_STATUS(VSP_ERR_ARG, vsp_play_step(NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_play_step(&player));
    CHECK_STATUS(VSP_ERR_ARG, vsp_play_seek(NULL, 0));
    CHECK_STATUS(VSP_ERR_ARG, vsp_play_seek(&player, 0));
}


/* ---- Sinks -------------------------------------------------------------- */

/* A file that accepts `left` more writes. */
typedef struct pipe_end {
    unsigned char bytes[FILM_BYTES];
    size_t size;
    uint32_t left;
} pipe_end;

static pipe_end pipe_file;

static bool write_pipe(void *user, const void *bytes, size_t size)
{
    pipe_end *to = (pipe_end *)user;

    if (to->left == 0)
        return false;
    to->left--;
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    return true;
}

static vsp_status start_pipe(vsp_recorder *recorder, uint32_t writes,
                             size_t scratch_size)
{
    static unsigned char scratch[VSP_SNAPSHOT_BYTES];
    vsp_record_def def = {0};

    pipe_file.size = 0;
    pipe_file.left = writes;
    def.write = write_pipe;
    def.user = &pipe_file;
    def.scratch = scratch;
    def.scratch_size = scratch_size;
    def.keyframe_interval = 7;
    return vsp_record_begin(recorder, new_world(), &def);
}

static void files_and_buffers_get_the_same_bytes(void)
{
    vsp_recorder recorder;
    size_t size;

    make_film(7);
    CHECK_STATUS(VSP_OK, start_pipe(&recorder, 10000, VSP_SNAPSHOT_BYTES));
    film_everything(&recorder);
    CHECK_STATUS(VSP_OK, vsp_record_end(&recorder, &size));
    CHECK_UINT((uint32_t)film_size, (uint32_t)size);
    CHECK_UINT((uint32_t)film_size, (uint32_t)pipe_file.size);
    CHECK_BYTES(film, pipe_file.bytes, film_size);
}

/* The world must continue as if no write had failed. */
static void a_failing_write_stops_recording_alone(void)
{
    uint32_t hash = make_film(7), writes;
    bool is_done = false;

    for (writes = 0; !is_done; writes++) {
        vsp_recorder recorder;
        vsp_status status = start_pipe(&recorder, writes, VSP_SNAPSHOT_BYTES);
        size_t size;

        test_note("after %u writes", writes);
        CHECK_STATUS(writes < 2 ? VSP_ERR_MEMORY : VSP_OK, status);
        film_everything(&recorder);
        CHECK_HEX(hash, vsp_world_hash(recorder.world));
        if (writes < 2)
            continue;
        is_done = vsp_record_status(&recorder) == VSP_OK && pipe_file.left;
        CHECK_STATUS(is_done ? VSP_OK : VSP_ERR_MEMORY,
                     vsp_record_end(&recorder, &size));
        CHECK_UINT((uint32_t)pipe_file.size, (uint32_t)size);
    }
    CHECK_AT_LEAST(RUN_STEPS, (double)writes);
}

static void a_small_scratch_stops_recording_alone(void)
{
    vsp_recorder recorder;
    uint32_t hash = make_film(7);
    size_t seed = film_word(48);

    CHECK_STATUS(VSP_ERR_MEMORY, start_pipe(&recorder, 10000, seed - 4));
    CHECK_STATUS(VSP_OK, start_pipe(&recorder, 10000, seed));
    film_everything(&recorder); /* larger, because of its bodies */
    CHECK_HEX(hash, vsp_world_hash(recorder.world));
    CHECK_STATUS(VSP_ERR_MEMORY, vsp_record_status(&recorder));
    CHECK_STATUS(VSP_ERR_MEMORY, vsp_record_end(&recorder, NULL));
}

/* Records into this many bytes of heap memory; the record so far must play. */
static bool play_from_room(size_t room, uint32_t hash)
{
    unsigned char *bytes = (unsigned char *)malloc(room);
    vsp_record_def def = {0};
    vsp_recorder recorder;
    vsp_player player;
    vsp_status status = VSP_ERR_MEMORY;
    size_t size;

    def.buffer = bytes;
    def.capacity = room;
    def.keyframe_interval = 7;
    if (vsp_record_begin(&recorder, new_world(), &def) == VSP_OK) {
        film_everything(&recorder);
        CHECK_HEX(hash, vsp_world_hash(recorder.world));
        status = vsp_record_end(&recorder, &size);
        CHECK_AT_MOST((double)room, (double)size);
        if (CHECK_STATUS(VSP_OK,
                         vsp_play_begin(&player, new_stage(), bytes, size)))
            play_all(&player);
    }
    free(bytes);
    return CHECK(status == VSP_OK || status == VSP_ERR_MEMORY) &&
           status == VSP_OK;
}

static void a_full_buffer_leaves_what_plays(void)
{
    uint32_t hash = make_film(7);
    size_t size = film_size, room, each = is_long() ? 2000 : 200;

    for (room = 1; room < size; room += room < each ? 1 : 61) {
        test_note("room %lu", (unsigned long)room);
        CHECK(!play_from_room(room, hash));
    }
    CHECK(!play_from_room(size - 1, hash));
    CHECK(play_from_room(size, hash));
}


/* ---- Calls around the recorder ------------------------------------------ */

static void calls_around_the_recorder_are_found(void)
{
    vsp_world *world = new_world();
    vsp_body_id id = add_cube(world, 0, 5, 0);
    vsp_recorder recorder = start_film(world, 0);
    vsp_player player;

    step_film(&recorder, 4);
    CHECK_STATUS(VSP_OK, vsp_body_set_user(world, id, 1));
    CHECK_STATUS(VSP_OK, vsp_record_status(&recorder));
    step_film(&recorder, 4);
    CHECK_STATUS(VSP_DIVERGED, vsp_record_status(&recorder));
    CHECK_STATUS(VSP_DIVERGED, vsp_record_end(&recorder, &film_size));
    if (!start_player(&player))
        return;
    CHECK_STATUS(VSP_OK, vsp_play_seek(&player, 4));
    CHECK_STATUS(VSP_DIVERGED, vsp_play_step(&player));
}

static void calls_around_the_seed_and_the_end_are_found(void)
{
    vsp_world *world = new_world();
    vsp_body_id id = add_cube(world, 0, 5, 0);
    vsp_recorder recorder = start_film(world, 0);

    CHECK_STATUS(VSP_OK, vsp_body_set_user(world, id, 1));
    CHECK_STATUS(VSP_OK, vsp_record_body_set_user(&recorder, id, 2));
    CHECK_STATUS(VSP_DIVERGED, vsp_record_end(&recorder, NULL));
    recorder = start_film(world, 0);
    step_film(&recorder, 1);
    CHECK_STATUS(VSP_OK, vsp_world_step(world));
    CHECK_STATUS(VSP_DIVERGED, vsp_record_end(&recorder, NULL));
}


/* ---- Seeking ------------------------------------------------------------ */

/* Seeks forward and back: the hashes must be those of a run without seeking. */
static void seek_with_keyframes(uint32_t interval)
{
    uint32_t hashes[RUN_STEPS + 1], i, to = 0;
    vsp_player player;

    make_film(interval);
    if (!start_player(&player))
        return;
    for (i = 0; i <= RUN_STEPS; i++) {
        hashes[i] = vsp_world_hash(player.world);
        CHECK_STATUS(i < RUN_STEPS ? VSP_OK : VSP_END, vsp_play_step(&player));
    }
    for (i = 0; i < 400; i++) {
        to = (to * 5 + 7 * i + 3) % (RUN_STEPS + 1);
        test_note("interval %u, leap %u to step %u", interval, i, to);
        CHECK_STATUS(VSP_OK, vsp_play_seek(&player, to));
        CHECK_UINT(to, player.step);
        CHECK_HEX(hashes[to], vsp_world_hash(player.world));
        if (i % 3 == 0)
            CHECK_STATUS(to < RUN_STEPS ? VSP_OK : VSP_END,
                         vsp_play_step(&player));
    }
    CHECK_STATUS(VSP_ERR_ARG, vsp_play_seek(&player, RUN_STEPS + 1));
}

static void seeking_gives_the_same_states(void)
{
    seek_with_keyframes(0);
    seek_with_keyframes(1);
    seek_with_keyframes(7);
    seek_with_keyframes(RUN_STEPS);
}

/* Seeking to a keyframe must repair a world that a call changed. */
static void keyframes_mend(void)
{
    vsp_player player;

    make_film(20);
    if (!start_player(&player))
        return;
    CHECK_STATUS(VSP_OK, vsp_play_seek(&player, 3));
    CHECK_STATUS(VSP_OK, vsp_world_set_gravity(player.world, real3(0, 1, 0)));
    CHECK_STATUS(VSP_DIVERGED, vsp_play_seek(&player, 19));
    CHECK_UINT(4, player.step);
    CHECK_STATUS(VSP_OK, vsp_play_seek(&player, 25));
    CHECK_STATUS(VSP_OK, vsp_play_seek(&player, 2));
}


/* ---- Divergence --------------------------------------------------------- */

static void a_flipped_bit_is_found_at_its_step(void)
{
    vsp_player player;
    vsp_body_id id;
    vsp_vec3 v;
    uint32_t i;

    make_film(0);
    if (!start_player(&player))
        return;
    for (i = 0; i < 33; i++)
        CHECK_STATUS(VSP_OK, vsp_play_step(&player));
    id = vsp_body_at(player.world, 2);
    v = vsp_body_velocity(player.world, id);
    v.x = rate_show(r_from_bits(r_bits(rate_read(v.x)) ^ 16u));
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_velocity(player.world, id, v,
                                       vsp_body_spin(player.world, id)));
    CHECK_STATUS(VSP_DIVERGED, vsp_play_step(&player));
    CHECK_UINT(34, player.step);
    CHECK(player.expected != player.got);
    CHECK_HEX(vsp_world_hash(player.world), player.got);
    CHECK_HEX(film_word(find_record(VSP_OP_STEP, 33) + 4), player.expected);
    CHECK_STATUS(VSP_DIVERGED, vsp_play_seek(&player, 34)); /* does not move */
    CHECK_STATUS(VSP_DIVERGED, vsp_play_step(&player));     /* continues */
}

/* A call after the last step gets another id than in the recording. */
static void a_wrong_id_at_the_end_is_found(void)
{
    vsp_world *world = new_world();
    vsp_body_def def = vsp_body_def_default();
    vsp_recorder recorder = start_film(world, 0);
    vsp_player player;

    def.shape = vsp_sphere(VSP_R(0.5));
    step_film(&recorder, 2);
    CHECK_STATUS(VSP_OK, vsp_record_body_create(&recorder, &def, NULL));
    CHECK_STATUS(VSP_OK, vsp_record_end(&recorder, &film_size));
    if (!start_player(&player))
        return;
    CHECK_STATUS(VSP_OK, vsp_play_seek(&player, 2));
    CHECK_STATUS(VSP_OK, vsp_body_create(player.world, &def, NULL));
    CHECK_STATUS(VSP_DIVERGED, vsp_play_step(&player));
    CHECK_STATUS(VSP_END, vsp_play_step(&player));
}

/* Plants one bit in a world, and compares by name with another. */
static void differences_have_names(void)
{
    vsp_difference found[4];
    vsp_world_def def = vsp_world_def_default();
    vsp_world *a, *b = new_world_at(&def, 2, 0);
    vsp_body_id id;
    uint32_t count = 7;

    make_film(0);
    give_table(b, &ground[0]);
    a = (vsp_world *)arena(0);
    CHECK_STATUS(VSP_OK, vsp_world_restore(b, saved(0), save_world(a, 0)));
    CHECK_STATUS(VSP_OK, vsp_world_diff(a, b, NULL, 0, &count));
    CHECK_UINT(0, count);
    id = vsp_body_at(b, 2);
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_user(b, id, vsp_body_user(b, id) ^ 0x400u));
    CHECK_STATUS(VSP_DIVERGED, vsp_world_diff(a, b, found, 4, &count));
    CHECK_UINT(1, count);
    CHECK(strcmp(found[0].part, "body") == 0);
    CHECK(strcmp(found[0].field, "user") == 0);
    CHECK_UINT(2, found[0].index);
    CHECK_HEX(id.bits, found[0].body.bits);
    CHECK_HEX(vsp_body_user(a, id), found[0].a);
    CHECK_HEX(vsp_body_user(b, id), found[0].b);
    CHECK(!found[0].is_real);
}

/* Bodies, then shapes, then the world; at most as many as fit. */
static void differences_have_an_order(void)
{
    vsp_difference found[80];
    vsp_world_def def = vsp_world_def_default();
    vsp_world *a = new_world(), *b;
    vsp_shape_def ball = vsp_sphere(VSP_R(0.5));
    uint32_t count, few;

    def.gravity.z = VSP_R(1.0);
    b = new_world_at(&def, 1, 0);
    add_ground(a);
    add_ground(b);
    add_body(b, VSP_KINEMATIC, ball, 0, 0, 0.25);
    step_world(b, 1);
    CHECK_STATUS(VSP_DIVERGED, vsp_world_diff(a, b, found, 80, &count));
    CHECK_STATUS(VSP_DIVERGED, vsp_world_diff(b, a, NULL, 0, &few));
    CHECK_UINT(count, few);
    if (!CHECK(count > 3 && count <= 80))
        return;
    CHECK(strcmp(found[0].part, "body") == 0);
    CHECK(strcmp(found[0].field, "generation") == 0);
    CHECK_UINT(1, found[0].index);
    CHECK_UINT(0, found[0].a);
    CHECK_UINT(1, found[0].b);
    CHECK(strcmp(found[count - 3].part, "shape") == 0);
    CHECK(strcmp(found[count - 2].field, "gravity") == 0);
    CHECK_UINT(2, found[count - 2].component);
    CHECK(found[count - 2].is_real);
    CHECK(strcmp(found[count - 1].part, "world") == 0);
    CHECK(strcmp(found[count - 1].field, "tick") == 0);
}

static void warm_records_are_compared(void)
{
    vsp_difference found[40];
    vsp_world_def def = vsp_world_def_default();
    vsp_world *a = new_world(), *b;
    uint32_t count;

    add_ground(a);
    add_cube(a, 0, 0.5, 0);
    step_world(a, 5);
    b = new_world_at(&def, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_world_restore(b, saved(0), save_world(a, 0)));
    CHECK_STATUS(VSP_OK, vsp_shape_destroy(b, vsp_shape_at(b, 0)));
    CHECK_STATUS(VSP_DIVERGED, vsp_world_diff(a, b, found, 40, &count));
    if (!CHECK(count > 0 && count <= 40))
        return;
    CHECK(strcmp(found[count - 1].part, "warm") == 0);
    CHECK_UINT(3, found[count - 1].index);
    CHECK_UINT(0, found[count - 1].b);
}

static void bad_arguments_of_diff_are_refused(void)
{
    vsp_world *world = new_world();
    uint32_t count;

    CHECK_STATUS(VSP_ERR_ARG, vsp_world_diff(NULL, world, NULL, 0, &count));
    CHECK_STATUS(VSP_ERR_ARG, vsp_world_diff(world, NULL, NULL, 0, &count));
    CHECK_STATUS(VSP_ERR_ARG, vsp_world_diff(world, world, NULL, 1, &count));
    CHECK_STATUS(VSP_ERR_ARG, vsp_world_diff(world, world, NULL, 0, NULL));
}

/* A player whose world is gone must not count steps. */
static void a_lost_world_is_not_played(void)
{
    vsp_player player;

    make_film(0);
    if (!start_player(&player))
        return;
    CHECK_STATUS(VSP_OK, vsp_play_step(&player));
    memset(arena(1), 0, ARENA_BYTES);
    CHECK_STATUS(VSP_ERR_ARG, vsp_play_step(&player));
    CHECK_UINT(1, player.step);
}

/* The world refuses a call of the file: the player must stop there. */
static void a_refused_call_stops_the_player(void)
{
    vsp_player player;
    uint32_t hash;

    make_film(0);
    if (!start_player(&player))
        return;
    CHECK_STATUS(VSP_OK, vsp_play_seek(&player, 20));
    CHECK_STATUS(VSP_OK,
                 vsp_body_destroy(player.world, vsp_body_at(player.world, 2)));
    hash = vsp_world_hash(player.world);
    CHECK_STATUS(VSP_ERR_DATA, vsp_play_step(&player));
    CHECK_STATUS(VSP_ERR_DATA, vsp_play_step(&player));
    CHECK_HEX(hash, vsp_world_hash(player.world));
    CHECK_STATUS(VSP_OK, vsp_play_seek(&player, 5));
}

/* Returns the size of a state, in buffer 0, of 10,000 sweeps a solve. */
static size_t save_costly_state(void)
{
    vsp_world_def def = vsp_world_def_default();

    def.sweeps = 10000;
    return save_world(new_world_of(&def), 0);
}

/* A file may not set more sweeps a step than the player's world bears: not by
 * the state it begins with, nor by one that is restored later. */
static void costly_films_are_refused(void)
{
    vsp_world *world = NULL;
    vsp_world_def def = vsp_world_def_default();
    size_t size = save_costly_state();
    vsp_recorder recorder;
    vsp_player player;
    uint32_t i, hash = 0;

    def.sweep_limit = 60000;
    for (i = 0; i < 2; i++) {
        def.sweeps = i == 0 ? 10000 : 20;
        recorder = start_film(new_world_of(&def), 0);
        step_film(&recorder, 1);
        CHECK_STATUS(VSP_OK, vsp_record_restore(&recorder, saved(0), size));
        step_film(&recorder, 1);
        end_film(&recorder);
        test_note("film %u", i);
        world = bare_stage();
        hash = vsp_world_hash(world);
        CHECK_STATUS(i == 0 ? VSP_ERR_FULL : VSP_OK,
                     vsp_play_begin(&player, world, film, film_size));
        if (i == 0)
            CHECK_HEX(hash, vsp_world_hash(world));
    }
    CHECK_STATUS(VSP_OK, vsp_play_step(&player));
    hash = vsp_world_hash(world);
    CHECK_STATUS(VSP_ERR_DATA, vsp_play_step(&player));
    CHECK_HEX(hash, vsp_world_hash(world));
}


/* ---- Damage ------------------------------------------------------------- */

/* Returns a player's answer to these bytes, in heap memory of their size.  If
 * it refuses them, the world must not have changed. */
static vsp_status try_bytes(const unsigned char *bytes, size_t size)
{
    unsigned char *copy = (unsigned char *)malloc(size + (size == 0));
    vsp_world *world = new_stage();
    vsp_player player;
    vsp_status status;
    uint32_t hash;

    add_ground(world);
    hash = vsp_world_hash(world);
    memcpy(copy, bytes, size);
    status = vsp_play_begin(&player, world, copy, size);
    if (status < 0) {
        CHECK_HEX(hash, vsp_world_hash(world));
        CHECK_STATUS(VSP_ERR_ARG, vsp_play_step(&player));
    }
    free(copy);
    return status;
}

static void make_short_film(void)
{
    vsp_recorder recorder = start_film(new_world(), 2);
    vsp_shape_def ball = vsp_sphere(VSP_R(0.5));
    vsp_body_id id = film_body(&recorder, VSP_DYNAMIC, ball, 0, 2);

    step_film(&recorder, 2);
    push_everything(&recorder, id);
    step_film(&recorder, 3);
    end_film(&recorder);
}

static void truncated_files_are_refused(void)
{
    size_t length;

    make_short_film();
    for (length = 0; length < film_size; length++) {
        test_note("%lu of %lu bytes", (unsigned long)length,
                  (unsigned long)film_size);
        CHECK_STATUS(VSP_ERR_TRUNCATED, try_bytes(film, length));
    }
    memset(film + film_size, 0, 8);
    CHECK_STATUS(VSP_ERR_TRUNCATED, try_bytes(film, film_size + 1));
    CHECK_STATUS(VSP_ERR_TRUNCATED, try_bytes(film, film_size + 4));
    CHECK_STATUS(VSP_OK, try_bytes(film, film_size));
}

static void flipped_bits_are_refused(void)
{
    size_t i;
    uint32_t bit;

    make_short_film();
    for (i = 0; i < film_size; i++)
        for (bit = 0; bit < 8; bit++) {
            film[i] ^= (unsigned char)(1u << bit);
            test_note("byte %lu, bit %u", (unsigned long)i, bit);
            CHECK(try_bytes(film, film_size) < 0);
            film[i] ^= (unsigned char)(1u << bit);
        }
    CHECK_STATUS(VSP_OK, try_bytes(film, film_size));
}


/* ---- Hostile files ------------------------------------------------------
 * Their checksums are correct. */

static uint32_t rotl(uint32_t x, uint32_t n)
{
    return x << n | x >> (32 - n);
}

/* Returns the checksum of SPEC.md over these bytes of the film. */
static uint32_t film_sum(size_t at, size_t end)
{
    uint32_t h = 0;

    for (; at < end; at += 4) {
        h ^= rotl(film_word(at) * 0x85ebca77u, 13) * 0x9e3779b1u;
        h = rotl(h, 17) * 5u + 0x52dce729u;
    }
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return h ^ h >> 15;
}

static void fix_sums(void)
{
    set_film_word(52, film_sum(0, 52));
    set_film_word(film_size - 4, film_sum(0, film_size - 4));
}

/* Returns the answer of vsp_play_begin to the film with this word at that
 * offset. */
static vsp_status try_word(size_t at, uint32_t word)
{
    uint32_t old = film_word(at);
    vsp_status status;

    set_film_word(at, word);
    fix_sums();
    status = try_bytes(film, film_size);
    set_film_word(at, old);
    fix_sums();
    return status;
}

/* Names another version in the film and in the snapshot at its start. */
static void age_film(void)
{
    size_t seed = 56, size = film_word(48);

    set_film_word(8, VSP_VERSION - 1);
    set_film_word(seed + 8, VSP_VERSION - 1);
    set_film_word(seed + 24, 0);
    set_film_word(seed + 24, film_sum(seed, seed + size));
    fix_sums();
}

/* SPEC.md, section 9: the version alone does not matter. */
static void another_version_plays(void)
{
    vsp_player player;

    make_short_film();
    age_film();
    CHECK_STATUS(VSP_OK, vsp_play_begin(&player, new_stage(), film, film_size));
    play_all(&player);
}

static void headers_are_checked(void)
{
    uint32_t i;

    make_short_film();
    CHECK_STATUS(VSP_OK, try_word(0, film_word(0))); /* checksums are correct */
    for (i = 0; i < 5; i++) {
        test_note("word %u", i);
        /* word 2 names the version that wrote it, which may be another */
        CHECK_STATUS(i == 2 ? VSP_OK : VSP_ERR_VERSION,
                     try_word(4 * i, film_word(4 * i) + 1));
    }
    CHECK_STATUS(VSP_ERR_TRUNCATED, try_word(48, 0xfffffffcu));
    CHECK_STATUS(VSP_ERR_TRUNCATED, try_word(48, (uint32_t)film_size));
    CHECK_STATUS(VSP_ERR_DATA, try_word(48, film_word(48) + 1));
    CHECK(try_word(48, film_word(48) + 4) < 0);
    CHECK(try_word(48, film_word(48) - 4) < 0);
    CHECK(try_word(48, 0) < 0);
    set_film_word(52, film_word(52) + 1);
    CHECK_STATUS(VSP_ERR_CHECKSUM, try_bytes(film, film_size));
}

static void records_are_checked(void)
{
    size_t step, end, key, create;

    make_short_film();
    step = find_record(VSP_OP_STEP, 0);
    end = find_record(VSP_OP_END, 0);
    key = find_record(VSP_OP_KEYFRAME, 0);
    create = find_record(VSP_OP_BODY_CREATE, 0);
    CHECK_STATUS(VSP_ERR_DATA, try_word(step, 1 << 8));
    CHECK_STATUS(VSP_ERR_DATA, try_word(step, VSP_OP_COUNT | 1 << 8));
    CHECK_STATUS(VSP_ERR_DATA, try_word(step, 0xff | 1 << 8));
    CHECK_STATUS(VSP_ERR_DATA, try_word(step, VSP_OP_STEP | 2 << 8));
    CHECK_STATUS(VSP_ERR_DATA, try_word(step, VSP_OP_STEP));
    CHECK_STATUS(VSP_ERR_TRUNCATED,
                 try_word(key, VSP_OP_KEYFRAME | 0xffffff00u));
    CHECK_STATUS(VSP_ERR_DATA, try_word(end + 4, 4));
    CHECK_STATUS(VSP_ERR_DATA, try_word(end + 4, 6));
    /* a step so long that it contains the end */
    CHECK_STATUS(VSP_ERR_DATA,
                 try_word(find_record(VSP_OP_STEP, 4), VSP_OP_STEP | 4 << 8));
    /* a keyframe of one word, after no step */
    CHECK_STATUS(
        VSP_ERR_DATA,
        try_word(create, VSP_OP_KEYFRAME | (film_word(create) & ~0xffu)));
}

/* A bad keyframe must be found when it is needed. */
static void damaged_keyframes_are_refused(void)
{
    vsp_player player;
    uint32_t hash;
    size_t at;

    make_short_film();
    at = find_record(VSP_OP_KEYFRAME, 0) + 40;
    set_film_word(at, film_word(at) ^ 1u);
    fix_sums();
    if (!start_player(&player))
        return;
    hash = vsp_world_hash(player.world);
    CHECK(vsp_play_seek(&player, 3) < 0);
    CHECK_HEX(hash, vsp_world_hash(player.world));
    CHECK_UINT(0, player.step);
    play_all(&player); /* needs no keyframe */
}

/* The file has another id than the world returns. */
static void wrong_ids_are_divergence(void)
{
    vsp_player player;
    size_t at;

    make_short_film();
    at = find_record(VSP_OP_BODY_CREATE, 0);
    at += 4 * (film_word(at) >> 8); /* the last word */
    set_film_word(at, film_word(at) + 1);
    fix_sums();
    if (!start_player(&player))
        return;
    CHECK_STATUS(VSP_DIVERGED, vsp_play_step(&player));
    CHECK_STATUS(VSP_OK, vsp_play_step(&player));
}

/* Plays a damaged replay as far as possible.  Any status is good, if there is
 * no harm. */
static void play_hostile(void)
{
    unsigned char *copy = (unsigned char *)malloc(film_size);
    vsp_world *world = new_stage();
    vsp_player player;
    vsp_status status;

    memcpy(copy, film, film_size);
    status = vsp_play_begin(&player, world, copy, film_size);
    while (status >= 0 && status != VSP_END)
        status = vsp_play_step(&player);
    if (player.world != NULL) {
        (void)vsp_play_seek(&player, player.step_count);
        (void)vsp_play_seek(&player, player.step_count / 2);
    }
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    free(copy);
}

/* Puts a quarter of the words at every offset; in long tests, all of them. */
static void hostile_words_do_no_harm(void)
{
    static const uint32_t words[] = {
        0,           1,           2,           3,           7,
        0x100,       0x101,       0x10001,     0xffff,      0x7fc00000,
        0x7f800000,  0xff800000,  0x3f800000,  0x00000001u, 0x7f7fffff,
        0xffffffffu, 0x80000000u, 0x56535002u, 0x56535003u, 0x102,
    };
    vsp_recorder recorder = start_film(new_world(), 2);
    size_t at, i, apart = is_long() ? 1 : 4;

    film_acts(&recorder, 1);
    end_film(&recorder);
    for (at = 8; at + 4 < film_size; at += 4)
        for (i = at / 4 % apart; i < COUNT_OF(words); i += apart) {
            uint32_t old = film_word(at);

            test_note("word %lx at byte %lu", (unsigned long)words[i],
                      (unsigned long)at);
            set_film_word(at, words[i]);
            fix_sums();
            play_hostile();
            set_film_word(at, old);
        }
}


/* ---- Tables come and go -------------------------------------------------- */

/* A world with one table gets another after step 3, with a body; there is a
 * keyframe after every other step. */
static uint32_t film_ground(void)
{
    vsp_world *world = new_world();
    vsp_recorder recorder;
    uint32_t number = give_table(world, &ground[0]);

    add_body(world, VSP_STATIC, vsp_table_shape(VSP_SHAPE_HEIGHT_FIELD, number),
             -2, 0, -2);
    add_cube(world, 0, 0.5, 0);
    recorder = start_film(world, 2);
    step_film(&recorder, 3);
    number = give_table(world, &ground[1]);
    CHECK_UINT(2, number);
    film_body(&recorder, VSP_STATIC,
              vsp_table_shape(VSP_SHAPE_HEIGHT_FIELD, number), 2, 0);
    step_film(&recorder, 7);
    end_film(&recorder);
    return vsp_world_hash(world);
}

static void tables_are_added_as_recorded(void)
{
    uint32_t hash = film_ground();
    vsp_player player;

    CHECK_UINT(2, film_word(find_record(VSP_OP_TABLES, 0) + 4));
    CHECK(find_record(VSP_OP_TABLES, 1) == 0);
    if (!start_player(&player))
        return;
    CHECK_UINT(1, vsp_world_table_count(player.world));
    play_all(&player);
    CHECK_HEX(hash, vsp_world_hash(player.world));
    CHECK_UINT(2, vsp_world_table_count(player.world));
}

/* Forward over the record of a table, through a keyframe, and back. */
static void seeking_finds_its_tables(void)
{
    static const uint32_t steps[] = {9, 0, 4, 3, 10, 2, 8};
    vsp_player player;
    size_t i;

    film_ground();
    if (!start_player(&player))
        return;
    for (i = 0; i < COUNT_OF(steps); i++) {
        test_note("step %u", (unsigned)steps[i]);
        CHECK_STATUS(VSP_OK, vsp_play_seek(&player, steps[i]));
        CHECK_UINT(steps[i] > 3 ? 2 : 1, vsp_world_table_count(player.world));
    }
}

/* Checks that a world refuses to play the film, and is unchanged. */
static void refuse_stage(vsp_world *stage)
{
    uint32_t count = vsp_world_table_count(stage);
    vsp_player player;
    size_t size;

    add_cube(stage, 0, 0.5, 0);
    size = save_world(stage, 0);
    CHECK_STATUS(VSP_ERR_TABLE,
                 vsp_play_begin(&player, stage, film, film_size));
    CHECK_STATUS(VSP_ERR_ARG, vsp_play_step(&player));
    CHECK_UINT(count, vsp_world_table_count(stage));
    CHECK_UINT((uint32_t)size, (uint32_t)save_world(stage, 1));
    CHECK_BYTES(saved(0), saved(1), size);
}

/* Checks that the fourth step is refused without its table, and also a keyframe
 * after it, if the recorded addition is lost. */
static void refuse_fourth_step(vsp_world *stage, bool is_lost)
{
    vsp_player player;
    uint32_t hash;

    CHECK_STATUS(VSP_OK, vsp_play_begin(&player, stage, film, film_size));
    CHECK_STATUS(VSP_OK, vsp_play_seek(&player, 3));
    hash = vsp_world_hash(stage);
    CHECK_STATUS(VSP_ERR_TABLE, vsp_play_step(&player));
    CHECK_STATUS(VSP_ERR_TABLE, vsp_play_step(&player));
    if (is_lost)
        CHECK_STATUS(VSP_ERR_TABLE, vsp_play_seek(&player, 10));
    CHECK_UINT(3, player.step);
    CHECK_HEX(hash, vsp_world_hash(stage));
    CHECK_UINT(1, vsp_world_table_count(stage));
    CHECK_STATUS(VSP_OK, vsp_play_seek(&player, 0));
}

static void other_tables_are_refused(void)
{
    static const vsp_field_materials *const orders[3][2] = {
        {NULL, NULL}, {&ground[1], NULL}, {&ground[1], &ground[0]}};
    vsp_field_materials other = ground[1];
    vsp_world *stage;
    size_t i, k;

    film_ground();
    for (i = 0; i < COUNT_OF(orders); i++) {
        test_note("order %u", (unsigned)i);
        stage = bare_stage();
        for (k = 0; k < 2 && orders[i][k] != NULL; k++)
            give_table(stage, orders[i][k]);
        refuse_stage(stage);
    }
    test_note("");
    stage = bare_stage();
    give_table(stage, &ground[0]);
    refuse_fourth_step(stage, true);
    other.field.cell++;
    stage = bare_stage();
    give_table(stage, &ground[0]);
    give_table(stage, &other);
    refuse_fourth_step(stage, true);
}

static void hostile_tables_are_refused(void)
{
    static const uint32_t words[] = {0, 1, 3, 0xffffffffu};
    size_t at, i, k;

    film_ground();
    at = find_record(VSP_OP_TABLES, 0);
    for (i = 4; i <= 8; i += 4) {
        uint32_t word = film_word(at + i);

        for (k = 0; k < COUNT_OF(words); k++) {
            set_film_word(at + i, words[k]);
            fix_sums();
            refuse_fourth_step(new_stage(), false);
        }
        set_film_word(at + i, word);
    }
}


static const test tests[] = {
    TEST(every_call_is_played),
    TEST(calls_without_steps_are_played),
    TEST(an_idle_recorder_passes_calls_on),
    TEST(joint_defs_are_passed_on_whole),
    TEST(keyframes_change_no_result),
    TEST(a_step_takes_at_most_16_bytes),
    TEST(recorded_worlds_may_move),
    TEST(capacities_come_with_the_file),
    TEST(refused_calls_are_not_recorded),
    TEST(ids_of_refused_creations_are_null),
    TEST(bad_arguments_are_refused),
    TEST(files_and_buffers_get_the_same_bytes),
    TEST(a_failing_write_stops_recording_alone),
    TEST(a_small_scratch_stops_recording_alone),
    TEST(a_full_buffer_leaves_what_plays),
    TEST(calls_around_the_recorder_are_found),
    TEST(calls_around_the_seed_and_the_end_are_found),
    TEST(seeking_gives_the_same_states),
    TEST(keyframes_mend),
    TEST(a_flipped_bit_is_found_at_its_step),
    TEST(a_wrong_id_at_the_end_is_found),
    TEST(differences_have_names),
    TEST(differences_have_an_order),
    TEST(warm_records_are_compared),
    TEST(bad_arguments_of_diff_are_refused),
    TEST(a_lost_world_is_not_played),
    TEST(a_refused_call_stops_the_player),
    TEST(costly_films_are_refused),
    TEST(truncated_files_are_refused),
    TEST(flipped_bits_are_refused),
    TEST(headers_are_checked),
    TEST(another_version_plays),
    TEST(records_are_checked),
    TEST(damaged_keyframes_are_refused),
    TEST(wrong_ids_are_divergence),
    TEST(hostile_words_do_no_harm),
    TEST(tables_are_added_as_recorded),
    TEST(seeking_finds_its_tables),
    TEST(other_tables_are_refused),
    TEST(hostile_tables_are_refused),
    TEST_END,
};

const test_suite replay_suite = {"replay", tests};
