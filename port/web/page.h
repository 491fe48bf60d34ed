/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What the files of the page's module share.  A module has one world, which
 * runs a scene or plays a recording.  JavaScript passes numbers as doubles,
 * names in page_text, and reads results in page_numbers. */

#ifndef PAGE_H
#define PAGE_H

#include "../scenes/golden.h"

/* Makes a function callable from JavaScript, by its own name. */
#define PAGE_EXPORT(name) __attribute__((export_name(#name)))

#define PAGE_TEXT_BYTES 4096
extern char page_text[PAGE_TEXT_BYTES];

#define PAGE_NUMBERS 32
extern double page_numbers[PAGE_NUMBERS];

/* The world of the page, and its scene; world is null before the first
 * start. */
extern scene_run page_run;

/* The player of a recording; its world is null while a scene runs. */
extern vsp_player page_player;

/* Passes bytes to JavaScript, which appends them to the recording. */
__attribute__((import_module("page"), import_name("write"))) void page_write(
    const void *bytes, uint32_t size);

/* Makes an empty world in place of the one that ran.  If the definition is
 * refused, what ran before goes on. */
vsp_status page_begin_world(const vsp_world_def *def);

/* Writes a line of text; returns where it ends. */
char *page_put(char *at, const char *text);

vsp_vec3 page_vec(double x, double y, double z);

/* Writes a vector to page_numbers, from an index on. */
void page_show(int at, vsp_vec3 v);


/* Plays to a step, also past steps that differ.  Returns VSP_DIVERGED if one
 * did. */
PAGE_EXPORT(seek_step) int32_t seek_step(uint32_t step);


/* ---- difference.c: another world ----------------------------------------- */

/* Makes an empty world beside the page's, in place of the one before.  Returns
 * null if the definition is refused. */
vsp_world *page_spare_world(const vsp_world_def *def);


/* ---- peer.c: the lockstep game ------------------------------------------- */

/* Draws where crates score, in the colours of the players. */
void page_draw_goals(const vsp_draw *draw);


/* ---- gears.c: wheels ----------------------------------------------------- */

/* Draws the wheels of gears. */
void page_draw_gears(const vsp_draw *draw);


/* ---- hand.c: what a visitor does to bodies ------------------------------- */

/* Returns whether a visitor threw the body, since the world began. */
bool page_is_thrown(vsp_body_id body);

/* Makes the calls of a hand that holds a body, before a step. */
void page_hand_act(void);

/* Forgets the hand and what it threw, without a call: their world is gone. */
void page_hand_begin(void);

#endif
