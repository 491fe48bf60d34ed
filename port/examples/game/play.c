/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The rules, in this order: heroes, riders of the car, a step. */

#include "play.h"

#define SPEED VSP_R(5.0)      /* m/s, of a hero */
#define JUMP_SPEED VSP_R(6.0) /* m/s: up to 1.8 m high */
#define WEIGHT VSP_R(-700.0)  /* N, of a hero on what is loose */


/* ---- Heroes -------------------------------------------------------------- */

/* Puts a hero somewhere in the air, at rest. */
static void put_hero(moment *s, level_player *player, vsp_vec3 at)
{
    vsp_character_def def = player->hero.def;

    note_status(s, vsp_character_place(&def, at, &player->hero));
    put_body(s, def.body, level_pose(at));
}

/* A hero starts again where it was last safe. */
static void restart_hero(moment *s, uint32_t p)
{
    level_player *player = &s->it->players[p];

    player->falls++;
    put_hero(s, player, level_start(p, player->stage));
}

/* Whether a hero fell into the pit or the lava, or is crushed. */
static bool is_lost(const vsp_character *hero)
{
    vsp_vec3 at = hero->position;
    vsp_real foot = at.y - LEVEL_HERO_HALF - LEVEL_HERO_RADIUS;

    return hero->is_crushed || at.y < VSP_R(2.0) || at.y > VSP_R(30.0) ||
           (at.x > LEVEL_LAVA_LOW && at.x < LEVEL_LAVA_HIGH &&
            foot < LEVEL_LAVA_Y && foot > VSP_R(8.0));
}

/* Returns the last stage before a place. */
static uint32_t find_stage(vsp_vec3 at)
{
    if (at.y > VSP_R(9.5))
        return at.x < VSP_R(-5.0) ? LEVEL_BELOW_FLAG : LEVEL_UPSTAIRS;
    if (at.x > VSP_R(4.5))
        return at.x < VSP_R(10.0) ? LEVEL_BEHIND_PIT : LEVEL_BY_LIFT;
    return at.x < VSP_R(-4.4) ? LEVEL_START : LEVEL_BEFORE_PIT;
}

/* Notes how far a hero has come. */
static void note_stage(level_player *player)
{
    uint32_t reached = find_stage(player->hero.position);

    if (reached > player->stage && player->hero.is_grounded)
        player->stage = reached;
}

/* Returns the wanted velocity, and turns the hero that way. */
static vsp_vec3 find_wish(level_player *player, unsigned keys)
{
    int way = ((keys & LEVEL_RIGHT) != 0) - ((keys & LEVEL_LEFT) != 0);

    if (way != 0)
        player->left = way < 0;
    return level_at(way > 0   ? SPEED
                    : way < 0 ? -SPEED
                              : VSP_R(0.0),
                    VSP_R(0.0));
}

/* A hero weighs on what is loose: a bridge gives way. */
static void press_ground(moment *s, const vsp_character *hero)
{
    vsp_vec3 foot = hero->position;

    foot.y -= LEVEL_HERO_HALF + LEVEL_HERO_RADIUS;
    if (hero->is_grounded &&
        vsp_body_get_type(s->it->world, hero->ground) == VSP_DYNAMIC)
        note_status(s, vsp_record_body_apply_force(s->recorder, hero->ground,
                                                   level_at(VSP_R(0.0), WEIGHT),
                                                   foot));
}

static void walk_hero(moment *s, uint32_t p)
{
    level_player *player = &s->it->players[p];
    vsp_character *hero = &player->hero;
    unsigned keys = s->inputs[p];
    vsp_vec3 wish = find_wish(player, keys);

    if (!hero->is_grounded)
        hero->position.z = VSP_R(0.0); /* round corners may push it aside */
    hero->def.filter.mask |= LEVEL_LEDGES;
    if (keys & LEVEL_DOWN)
        hero->def.filter.mask ^= LEVEL_LEDGES;
    else if (keys & LEVEL_JUMP && hero->is_grounded)
        (void)vsp_character_jump(hero, JUMP_SPEED);
    if (vsp_character_move(s->it->world, hero, wish) < 0 || is_lost(hero)) {
        restart_hero(s, p);
        return;
    }
    note_stage(player);
    press_ground(s, hero);
    note_status(s, vsp_record_character_apply(s->recorder, hero));
}


/* ---- In the car ---------------------------------------------------------- */

/* Returns where a player sits. */
static vsp_vec3 find_seat(const moment *s, uint32_t p)
{
    vsp_transform car = vsp_body_transform(s->it->world,
                                           level_body(s->it, LEVEL_CAR));

    return vsp_transform_point(
        car, level_at(p ? VSP_R(0.6) : VSP_R(-0.6), VSP_R(1.0)));
}

/* Sets what a hero's body touches: nothing while it rides. */
static void set_touch(moment *s, vsp_body_id body, uint32_t mask)
{
    vsp_filter filter = {LEVEL_HEROES, 0, 0};
    vsp_shape_id shape;

    filter.mask = mask;
    if (vsp_body_shapes(s->it->world, body, &shape, 1) == 1)
        note_status(s, vsp_record_shape_set_filter(s->recorder, shape, filter));
}

/* Lets a hero in who is near, or out. */
static void change_seat(moment *s, uint32_t p)
{
    level_player *player = &s->it->players[p];
    vsp_vec3 at = player->hero.position;
    vsp_vec3 car = vsp_body_center(s->it->world, level_body(s->it, LEVEL_CAR));
    bool is_near = is_within(at.x, car.x, VSP_R(2.5)) &&
                   is_within(at.y, car.y, VSP_R(1.75));

    if (!(s->inputs[p] & LEVEL_USE) || player->keys & LEVEL_USE ||
        (!player->rides && !is_near))
        return;
    player->rides ^= 1u;
    put_hero(s, player, find_seat(s, p));
    set_touch(s, player->hero.def.body, player->rides ? 0u : LEVEL_SOLID);
}

static void ride_car(moment *s, uint32_t p)
{
    level_player *player = &s->it->players[p];

    (void)find_wish(player, s->inputs[p]);
    player->hero.position = find_seat(s, p);
    if (vsp_record_character_apply(s->recorder, &player->hero) < 0)
        put_hero(s, player, player->hero.position);
}

/* ---- A step -------------------------------------------------------------- */

static bool is_at_flag(const level_player *player)
{
    vsp_vec3 at = player->hero.position;

    return !player->rides && player->hero.is_grounded &&
           is_within(at.x, LEVEL_FLAG_X, VSP_R(1.0)) &&
           is_within(at.y, LEVEL_FLAG_Y, VSP_R(1.0));
}

static void act_player(moment *s, uint32_t p)
{
    level_player *player = &s->it->players[p];

    change_seat(s, p);
    if (player->rides)
        ride_car(s, p);
    else
        walk_hero(s, p);
    play_gun(s, p);
    player->keys = s->inputs[p];
}

vsp_status level_act(level_game *it, vsp_recorder *recorder,
                     const unsigned char *inputs)
{
    moment s = {it, recorder, inputs, VSP_OK};
    uint32_t i;

    level_load(it);
    for (i = 0; i < LEVEL_PLAYERS; i++)
        act_player(&s, i);
    play_machines(&s);
    if (it->words[LEVEL_WON] == 0 && is_at_flag(&it->players[0]) &&
        is_at_flag(&it->players[1]))
        it->words[LEVEL_WON] = vsp_world_tick(it->world);
    level_save(it);
    return s.status;
}

vsp_status level_step(void *user, vsp_recorder *recorder, const vsp_turn *turn)
{
    vsp_status status = level_act((level_game *)user, recorder, turn->inputs);

    return status < 0 ? status : vsp_record_step(recorder);
}

bool level_is_input(void *user, uint32_t player, const unsigned char *input)
{
    (void)user;
    (void)player;
    return *input < 64u;
}

void level_define(level_game *it, vsp_rollback_def *def)
{
    def->world = it->world;
    def->players = LEVEL_PLAYERS;
    def->input_size = LEVEL_INPUT_BYTES;
    def->snapshot_size = LEVEL_SNAPSHOT_BYTES;
    def->game = it->words;
    def->game_words = LEVEL_WORDS;
    def->step = level_step;
    def->is_input = level_is_input;
    def->user = it;
}
