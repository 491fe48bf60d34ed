/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The players as words.  A struct would not do: its gaps and the order of its
 * bytes differ between machines, and a match sends and hashes the words. */

#include "level.h"

/* Passes words one by one, to or from an array. */
typedef struct cursor {
    uint32_t *next;
    bool writes;
} cursor;

static void pass_word(cursor *c, uint32_t *word)
{
    if (c->writes)
        *c->next++ = *word;
    else
        *word = *c->next++;
}

#if VSP_FIXED

/* A real is two words, the low one first. */
static void pass_real(cursor *c, vsp_real *real)
{
    uint64_t bits = (uint64_t)*real;
    uint32_t low = (uint32_t)bits, high = (uint32_t)(bits >> 32);

    pass_word(c, &low);
    pass_word(c, &high);
    *real = (vsp_real)((uint64_t)high << 32 | low);
}

#else

/* A real is the word of its binary32. */
static void pass_real(cursor *c, vsp_real *real)
{
    union {
        vsp_real real;
        uint32_t bits;
    } as;

    as.real = *real;
    pass_word(c, &as.bits);
    *real = as.real;
}

#endif

static void pass_vector(cursor *c, vsp_vec3 *v)
{
    pass_real(c, &v->x);
    pass_real(c, &v->y);
    pass_real(c, &v->z);
}

static void pass_rotation(cursor *c, vsp_quat *q)
{
    pass_real(c, &q->x);
    pass_real(c, &q->y);
    pass_real(c, &q->z);
    pass_real(c, &q->w);
}

/* Leaves out what never changes, hero->def, and what a move makes and only
 * vsp_character_apply reads: pushes and turn. */
static void pass_hero(cursor *c, vsp_character *hero)
{
    pass_vector(c, &hero->position);
    pass_vector(c, &hero->velocity);
    pass_vector(c, &hero->ground_pose.position);
    pass_rotation(c, &hero->ground_pose.rotation);
    pass_vector(c, &hero->ground_place);
    pass_vector(c, &hero->ground_normal);
    pass_word(c, &hero->is_grounded);
    pass_word(c, &hero->is_crushed);
    pass_word(c, &hero->ground.bits);
}

static void pass_players(level_game *it, bool writes)
{
    cursor c = {it->words, writes};
    uint32_t i;

    for (i = 0; i < LEVEL_PLAYERS; i++) {
        level_player *player = &it->players[i];

        pass_hero(&c, &player->hero);
        pass_word(&c, &player->keys);
        pass_word(&c, &player->stage);
        pass_word(&c, &player->rides);
        pass_word(&c, &player->left);
        pass_word(&c, &player->reload);
        pass_word(&c, &player->falls);
    }
}

void level_save(level_game *it)
{
    pass_players(it, true);
}

/* A word of another machine may have any value.  What is wrong with a hero its
 * next move finds. */
void level_load(level_game *it)
{
    uint32_t i;

    pass_players(it, false);
    for (i = 0; i < LEVEL_PLAYERS; i++) {
        level_player *player = &it->players[i];

        player->hero.turn = VSP_R(0.0);
        player->hero.push_count = 0;
        player->stage %= LEVEL_STAGES;
        player->rides &= 1u;
        player->left &= 1u;
    }
}
