/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Hulls made at run time (VSP_MAX_RUNTIME_HULLS): rocks of random points. */

#include "builder.h"
#include "scene_table.h"

#if SCENES_ROCKS

#define ROCK_FORMS 4
#define ROCK_CORNERS 12

/* Makes a hull of random points; the scene's number is how many rocks fall. */
static uint32_t make_form(scene_run *run, double width, double height)
{
    vsp_vec3 points[ROCK_CORNERS];
    uint32_t table = 0;

    for (int i = 0; i < ROCK_CORNERS; i++) {
        points[i].x = scene_real(width * next_random(&run->random));
        points[i].y = scene_real(height * next_random(&run->random));
        points[i].z = scene_real(width * next_random(&run->random));
    }
    if (vsp_record_hull_create(scene_recorder(run), points, ROCK_CORNERS,
                               &table) < 0)
        run->failures++;
    return table;
}

static void make_forms(scene_run *run, uint32_t table[ROCK_FORMS])
{
    for (int i = 0; i < ROCK_FORMS; i++)
        table[i] = make_form(run, 0.375 + 0.0625 * i, 0.5 - 0.0625 * i);
}

static void add_rock(scene_run *run, vec at, uint32_t table)
{
    piece it = table_piece(at, VSP_SHAPE_HULL, table);

    it.turn.x = next_random(&run->random);
    it.turn.y = next_random(&run->random);
    it.turn.z = next_random(&run->random);
    it.turn.w = 1.5;
    add_piece(run, &it);
}

/* Rocks fall between two boulders that do not move. */
void build_rocks(scene_run *run)
{
    uint32_t table[ROCK_FORMS];
    piece boulder;

    add_floor(run, 0.5, 0.0);
    make_forms(run, table);
    for (int i = 0; i < scene_number(run); i++)
        add_rock(run,
                 make_vec(0.75 * (i % 2) - 0.375, 1.0 + 0.5 * i,
                          0.375 * (i / 2 % 2)),
                 table[i % ROCK_FORMS]);
    for (int i = 0; i < 2; i++) {
        boulder = table_piece(make_vec(2.75 * i - 1.375, 0.25, 0.25),
                              VSP_SHAPE_HULL, make_form(run, 0.75, 0.75));
        boulder.type = VSP_STATIC;
        add_piece(run, &boulder);
    }
}

#endif
