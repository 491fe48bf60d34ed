/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A character walks laps through a level: up stairs, down a slope, up a lift,
 * over a turning platform, down stairs, through crates, and back on a ferry. */

#include "builder.h"
#include "scene_table.h"

#if SCENES_WALK

#define PERIOD 660 /* period of the lift and the ferry, steps */
#define STEPS_UP 8
#define STEPS_DOWN 9
#define CRATES 3

/* marks */
#define HERO 0
#define LIFT 1
#define FERRY 2
#define CRATE 3 /* mark of the first crate */

/* A goal of the walk, and the part of a period in which the character may leave
 * it. */
typedef struct goal {
    double x, z; /* m */
    uint32_t from, to;
} goal;

static const goal goals[] = {
    {-1.2, 0.0, 0, PERIOD},
    {6.0, 0.0, 0, PERIOD}, /* on the stairs */
    {11.0, 0.0, 0, 120},
    {12.5, 0.0, 385, 420}, /* on the lift */
    {14.6, 0.0, 0, PERIOD},
    {18.0, 0.0, 0, PERIOD}, /* on the turning
                               platform */
    {18.0, 3.2, 0, PERIOD},
    {12.6, 3.0, 0, PERIOD}, /* below the stairs */
    {6.0, 3.0, 0, PERIOD},  /* behind the crates */
    {2.2, 3.0, 0, 100},
    {0.5, 3.0, 335, 440}, /* on the ferry */
};

#define GOALS (sizeof goals / sizeof goals[0])
#define AFTER_CRATES 9u

/* positions x and z of the crates at the start of a lap */
static const double crate_at[CRATES][2] = {
    {10.8, 3.15}, {9.3, 2.8}, {8.0, 3.1}};


/* ---- The level ---------------------------------------------------------- */

static void add_stairs(scene_run *run)
{
    for (int i = 0; i < STEPS_UP; i++) {
        double top = 0.25 * (i + 1), from = 2.0 + 0.3 * i;
        double to = i == STEPS_UP - 1 ? 7.0 : from + 0.3;

        add_block(run, make_vec(0.5 * (from + to), 0.5 * top, 0.0),
                  make_vec(0.5 * (to - from), 0.5 * top, 1.2));
    }
    for (int i = 0; i < STEPS_DOWN; i++) {
        double top = 3.0 - 0.3 * (i + 1);

        add_block(run, make_vec(16.325 - 0.35 * i, 0.5 * top + 0.005, 3.0),
                  make_vec(0.175, 0.5 * top + 0.005, 1.4));
    }
}

/* Adds a slope of 30 degrees from the end of the stairs, 2 m high, to the
 * floor. */
static void add_slope(scene_run *run)
{
    piece it = box_piece(make_vec(8.632, 0.8268, 0.0), make_vec(2.0, 0.2, 1.2));

    it.type = VSP_STATIC;
    it.turn = about_z(radians(-30.0));
    add_piece(run, &it);
}

static void add_ledges(scene_run *run)
{
    add_block(run, make_vec(14.95, 2.9, 0.0), make_vec(1.55, 0.1, 1.4));
    add_block(run, make_vec(18.0, 2.9, 3.0), make_vec(1.5, 0.1, 1.5));
}

/* Adds a lift, a turning platform and a ferry. */
static void add_movers(scene_run *run)
{
    vec still = make_vec(0.0, 0.0, 0.0);
    piece turning = box_piece(make_vec(18.0, 3.07, 0.0),
                              make_vec(1.6, 0.05, 1.6));

    run->marks[LIFT] = add_mover(run, make_vec(12.5, 0.05, 0.0),
                                 make_vec(0.8, 0.1, 0.8), still);
    run->marks[FERRY] = add_mover(run, make_vec(0.5, 0.08, 3.0),
                                  make_vec(0.9, 0.08, 0.7), still);
    turning.type = VSP_KINEMATIC;
    turning.spin = make_vec(0.0, 0.5, 0.0);
    add_piece(run, &turning);
}

static vec crate_place(int i)
{
    return make_vec(crate_at[i][0], 0.401, crate_at[i][1]);
}

/* Moves the crates back to crate_at. */
static void reset_crates(scene_run *run)
{
    for (int i = 0; i < CRATES; i++) {
        piece it = box_piece(
            turn_vec(crate_place(i), radians(run->variant.turn)),
            make_vec(0.4, 0.4, 0.4));
        vsp_body_def def = vsp_body_def_default();

        piece_body(run, &it, &def);
        if (vsp_record_body_set_transform(scene_recorder(run),
                                          run->marks[CRATE + i], def.pose) < 0)
            run->failures++;
    }
}

static void add_hero(scene_run *run)
{
    const goal *from = &goals[run->walker.goal];
    vec at = turn_vec(make_vec(from->x, 0.93, from->z),
                      radians(run->variant.turn));
    vsp_character_def def = vsp_character_def_default();
    vsp_body_def body = vsp_body_def_default();

    if (run->walker.goal >= 4u && run->walker.goal <= 6u)
        at.y += 3.2;
    body.type = VSP_KINEMATIC;
    body.shape = vsp_capsule(def.radius, def.half_height);
    body.pose.position = real_vec(at);
    run->marks[HERO] = def.body = create_body(run, &body);
    if (vsp_character_place(&def, body.pose.position, &run->walker.hero) < 0)
        run->failures++;
}

/* mark 0: the body of the character; the scene's number is the goal at which it
 * starts */
void build_walk(scene_run *run)
{
    run->walker.goal = (uint32_t)scene_number(run) % (uint32_t)GOALS;
    run->walker.laps = 0;
    run->walker.is_waiting = false;
    add_floor(run, 0.5, 0.0);
    add_stairs(run);
    add_slope(run);
    add_ledges(run);
    add_movers(run);
    for (int i = 0; i < CRATES; i++)
        run->marks[CRATE + i] = add_dense_box(run, crate_place(i),
                                              make_vec(0.4, 0.4, 0.4), 60.0);
    add_hero(run);
}


/* ---- Motion ------------------------------------------------------------- */

static void drive_mover(scene_run *run, uint32_t mark, vec velocity)
{
    vsp_vec3 none = {VSP_R(0.0), VSP_R(0.0), VSP_R(0.0)};
    vec turned = turn_vec(velocity, radians(run->variant.turn));

    if (vsp_record_body_set_velocity(scene_recorder(run), run->marks[mark],
                                     real_vec(turned), none) < 0)
        run->failures++;
}

/* Moves the lift up by 2.85 m and down again, the ferry along z by 3 m. */
static void drive_movers(scene_run *run, uint32_t phase)
{
    if (phase == 200)
        drive_mover(run, LIFT, make_vec(0.0, 0.95, 0.0));
    if (phase == 380)
        drive_mover(run, LIFT, make_vec(0.0, 0.0, 0.0));
    if (phase == 480)
        drive_mover(run, LIFT, make_vec(0.0, -0.95, 0.0));
    if (phase == 0)
        drive_mover(run, LIFT, make_vec(0.0, 0.0, 0.0));
    if (phase == 150)
        drive_mover(run, FERRY, make_vec(0.0, 0.0, -1.0));
    if (phase == 330 || phase == 0)
        drive_mover(run, FERRY, make_vec(0.0, 0.0, 0.0));
    if (phase == 480)
        drive_mover(run, FERRY, make_vec(0.0, 0.0, 1.0));
}

/* Returns the speed towards a coordinate: 2 m/s, and slower within a metre. */
static vsp_real speed_to(vsp_real from, vsp_real to)
{
    vsp_real way = to - from, most = VSP_R(2.0);

    way = way + way;
    return way > most ? most : way < -most ? -most : way;
}

/* Returns the wanted velocity; 0 while the character waits. */
static vsp_vec3 find_wish(scene_run *run, uint32_t phase)
{
    scene_walker *w = &run->walker;
    const goal *to = &goals[w->goal];
    vsp_vec3 place = real_vec(
        turn_vec(make_vec(to->x, 0.0, to->z), radians(run->variant.turn)));
    vsp_vec3 wish = {speed_to(w->hero.position.x, place.x), VSP_R(0.0),
                     speed_to(w->hero.position.z, place.z)};
    vsp_real near = VSP_R(0.4);

    if (wish.x < near && wish.x > -near && wish.z < near && wish.z > -near &&
        w->hero.is_grounded == 1)
        w->is_waiting = true;
    if (!w->is_waiting)
        return wish;
    if (phase >= to->from && phase < to->to) {
        w->is_waiting = false;
        w->goal = (w->goal + 1u) % (uint32_t)GOALS;
        w->laps += w->goal == 0;
        if (w->goal == AFTER_CRATES)
            reset_crates(run);
    }
    wish.x = wish.z = VSP_R(0.0);
    return wish;
}

void drive_walk(scene_run *run, uint32_t step)
{
    uint32_t phase = step % PERIOD;
    vsp_vec3 wish = find_wish(run, phase);

    drive_movers(run, phase);
    if (run->walker.goal == AFTER_CRATES && phase % 50 == 0)
        (void)vsp_character_jump(&run->walker.hero, VSP_R(3.0));
    if (vsp_character_move(run->world, &run->walker.hero, wish) < 0 ||
        vsp_record_character_apply(scene_recorder(run), &run->walker.hero) < 0)
        run->failures++;
}

#else
typedef int walk_is_left_out;
#endif
