/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What differs where a recording parts from this machine: the state at the next
 * keyframe of the file against the one that was computed here. */

#include "page.h"

VSP_ARENA(spare_arena, VSP_WORLD_BYTES);

PAGE_EXPORT(name_difference) uint32_t name_difference(void);

static uint32_t file_word(size_t at)
{
    const unsigned char *b = page_player.bytes + at;

    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
           (uint32_t)b[3] << 24;
}

/* Finds the next keyframe.  Returns its offset, or 0; *step is the number of
 * steps before it. */
static size_t next_keyframe(uint32_t *step)
{
    size_t at = page_player.at;

    for (*step = page_player.step;; at += 4 + 4 * (file_word(at) >> 8)) {
        uint32_t op = file_word(at) & 255u;

        if (op == VSP_OP_KEYFRAME)
            return at;
        if (op == VSP_OP_END)
            return 0;
        *step += op == VSP_OP_STEP;
    }
}

vsp_world *page_spare_world(const vsp_world_def *def)
{
    vsp_world *world;

    if (vsp_world_create(spare_arena.mem, sizeof spare_arena.mem, def, &world) <
        0)
        return NULL;
    return world;
}

/* Restores the keyframe at an offset, with the tables of the page's world.
 * Returns null if that fails. */
static vsp_world *restore_keyframe(size_t at)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world;

    def.sweep_limit = UINT32_MAX;
    world = page_spare_world(&def);
    if (!world)
        return NULL;
    for (uint32_t i = 1; i <= vsp_world_table_count(page_run.world); i++)
        (void)vsp_world_add_table(world, vsp_world_table(page_run.world, i),
                                  &(uint32_t){0}, NULL);
    return vsp_world_restore(world, page_player.bytes + at + 4,
                             4 * (file_word(at) >> 8)) < 0
               ? NULL
               : world;
}

static double number_of(const vsp_difference *it, uint32_t bits)
{
    union {
        uint32_t bits;
        float number;
    } u;

    u.bits = bits;
    if (!it->is_real)
        return bits;
    if (it->places == 0)
        return (double)u.number;
    return (double)(int32_t)bits / (double)((uint64_t)1 << it->places);
}

/* Plays to the next keyframe, and compares.  Text: part and field that differ
 * first; numbers: the step, the index of the part, the component of the field
 * and how many it has, the number as recorded and as here.  Returns how many
 * words differ; 0 if none do, or no keyframe follows. */
uint32_t name_difference(void)
{
    uint32_t step, count = 0;
    size_t at = next_keyframe(&step);
    vsp_world *recorded = at ? restore_keyframe(at) : NULL;
    vsp_difference first = {0};

    if (!recorded)
        return 0;
    while (page_player.step < step) /* a seek would restore the keyframe */
        if (vsp_play_step(&page_player) < 0)
            return 0;
    if (vsp_world_diff(recorded, page_run.world, &first, 1, &count) < 0 ||
        count == 0)
        return 0;
    page_put(page_put(page_text, first.part), first.field);
    page_numbers[0] = step;
    page_numbers[1] = first.index;
    page_numbers[2] = first.component;
    page_numbers[3] = first.component_count;
    page_numbers[4] = number_of(&first, first.a);
    page_numbers[5] = number_of(&first, first.b);
    return count;
}
