/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A player that plays the level to its end, one task after the other. */

#include "level.h"

#define NEAR VSP_R(0.3) /* m: a walk of three steps, as keys may act late */
#define PATIENCE 900u   /* steps: then a task is tried again */

typedef enum task_kind {
    GO,     /* walk or drive to x, and hop if `jumps` */
    PAUSE,  /* for half a second */
    WAIT,   /* for a second and a half */
    SHOOT,  /* jump and shoot until the upper crate is down */
    CALL,   /* wait for the lift */
    ASCEND, /* stand, and jump if `jumps`, until a height is reached */
    BOARD,  /* enter the car, and wait until the other is in it */
    LEAVE,  /* leave the car */
    DROP,   /* through the ledge, below a height */
    END
} task_kind;

typedef struct task {
    task_kind kind;
    vsp_real where; /* m: x or y */
    bool jumps;
    uint32_t stage; /* a bot that begins at this stage begins here */
} task;

/* One pushes the crate onto the plate, the other waits for that. */
static const task start_of_first[] = {
    {GO, VSP_R(-8.6), false, LEVEL_START},
    {PAUSE, VSP_R(0.0), false, LEVEL_START},
};

static const task start_of_second[] = {
    {WAIT, VSP_R(0.0), false, LEVEL_START},
    {GO, VSP_R(-9.2), false, LEVEL_START},
};

/* What both do then. */
static const task tasks[] = {
    {GO, VSP_R(-6.3), true, LEVEL_START},      /* over the crate, to the gate */
    {GO, VSP_R(5.2), false, LEVEL_BEFORE_PIT}, /* over the bridge */
    {SHOOT, VSP_R(4.4), false, LEVEL_BEHIND_PIT},
    {GO, VSP_R(10.5), true, LEVEL_BEHIND_PIT}, /* over the heavy crate */
    {GO, VSP_R(11.4), false, LEVEL_BY_LIFT},
    {CALL, VSP_R(3.2), false, LEVEL_BY_LIFT},
    {GO, VSP_R(13.75), false, LEVEL_BY_LIFT},
    {ASCEND, VSP_R(9.7), false, LEVEL_BY_LIFT},
    {GO, VSP_R(9.7), false, LEVEL_UPSTAIRS},
    {BOARD, VSP_R(0.0), false, LEVEL_UPSTAIRS},
    {GO, VSP_R(-5.4), false, LEVEL_UPSTAIRS}, /* through the lava */
    {PAUSE, VSP_R(0.0), false, LEVEL_UPSTAIRS},
    {LEAVE, VSP_R(0.0), false, LEVEL_UPSTAIRS},
    {GO, VSP_R(-12.4), false, LEVEL_BELOW_FLAG},
    {ASCEND, VSP_R(11.2), true, LEVEL_BELOW_FLAG}, /* through the ledge */
    {DROP, VSP_R(10.2), false, LEVEL_BELOW_FLAG},
    {ASCEND, VSP_R(11.2), true, LEVEL_BELOW_FLAG},
    {GO, LEVEL_FLAG_X, true, LEVEL_BELOW_FLAG},
    {END, VSP_R(0.0), false, LEVEL_BELOW_FLAG},
};

#define START_TASKS 2u /* tasks of a start */

/* Returns a task of a player. */
static const task *find_task(uint32_t player, uint32_t index)
{
    if (index >= START_TASKS)
        return &tasks[index - START_TASKS];
    return player ? &start_of_second[index] : &start_of_first[index];
}

/* Lets a bot do the first task of a stage. */
static void begin_stage(level_bot *bot, uint32_t stage)
{
    bot->next = bot->ticks = 0;
    while (find_task(bot->player, bot->next)->stage < stage)
        bot->next++;
}

void level_bots_begin(level_bot bots[LEVEL_PLAYERS],
                      const uint32_t stages[LEVEL_PLAYERS])
{
    uint32_t p;

    for (p = 0; p < LEVEL_PLAYERS; p++) {
        bots[p].player = p;
        bots[p].falls = 0;
        bots[p].is_alone = stages[0] != stages[1];
        begin_stage(&bots[p], stages[p]);
    }
}

static vsp_real height_of(const level_game *it, uint32_t slot)
{
    return vsp_body_center(it->world, level_body(it, slot)).y;
}

/* Returns how far a player, or the car in which it rides, must go to the right,
 * m. */
static vsp_real find_rest(const level_game *it, uint32_t p, vsp_real where)
{
    const level_player *me = &it->players[p];

    if (me->rides)
        return where - vsp_body_center(it->world, level_body(it, LEVEL_CAR)).x;
    return where - me->hero.position.x;
}

/* Whether a task is done after some steps. */
static bool is_done(const level_bot *bot, const task *t, const level_game *it)
{
    const level_player *me = &it->players[bot->player];
    vsp_real rest = find_rest(it, bot->player, t->where);

    switch (t->kind) {
    case GO:
        return rest < NEAR && rest > -NEAR &&
               (me->rides || !t->jumps || me->hero.is_grounded);
    case PAUSE:
        return bot->ticks > 30u;
    case WAIT:
        return bot->ticks > 90u;
    case SHOOT:
        return height_of(it, LEVEL_CRATE + 2u) < t->where;
    case CALL:
        return height_of(it, LEVEL_LIFT) < t->where;
    case ASCEND:
        return me->hero.is_grounded && me->hero.position.y > t->where;
    case BOARD:
        return me->rides &&
               (bot->is_alone || it->players[1 - bot->player].rides);
    case LEAVE:
        return !me->rides;
    case DROP:
        return me->hero.position.y < t->where;
    default:
        return false;
    }
}

/* Returns the keys for a task. */
static unsigned find_keys(const level_bot *bot, const task *t,
                          const level_game *it)
{
    const level_player *me = &it->players[bot->player];
    unsigned jump = t->jumps ? LEVEL_JUMP : 0u;
    unsigned use = bot->ticks % 16u == 1u ? LEVEL_USE : 0u;
    vsp_real rest = find_rest(it, bot->player, t->where);

    switch (t->kind) {
    case GO:
        return jump | (rest > NEAR    ? LEVEL_RIGHT
                       : rest < -NEAR ? LEVEL_LEFT
                                      : 0u);
    case SHOOT:
        return LEVEL_JUMP | LEVEL_SHOOT;
    case ASCEND:
        return jump;
    case BOARD:
        return me->rides ? 0u : use;
    case LEAVE:
        return use;
    case DROP:
        return LEVEL_DOWN;
    default:
        return 0;
    }
}

unsigned char level_bot_input(level_bot *bot, const level_game *it)
{
    const level_player *me = &it->players[bot->player];
    const task *t = find_task(bot->player, bot->next);

    bot->ticks++;
    if (me->falls != bot->falls || bot->ticks > PATIENCE) {
        bot->falls = me->falls;
        begin_stage(bot, me->stage);
    } else if (is_done(bot, t, it)) {
        bot->next++;
        bot->ticks = 0;
    }
    t = find_task(bot->player, bot->next);
    return (unsigned char)find_keys(bot, t, it);
}
