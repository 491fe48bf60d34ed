/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Ground that is not the same everywhere, or not for ever: lanes of several
 * materials; craters. */

#include "builder.h"
#include "scene_table.h"

#if SCENES_RINK

/* Adds a piece that moves along a lane. */
static vsp_body_id send_piece(scene_run *run, piece it, double speed)
{
    it.velocity.x = speed;
    return add_piece(run, &it);
}

/* mark 0: a crate that slides over ice until it is on rubber; others beside it;
 * balls that roll on carpet; balls that bounce where there is steel; crates on
 * a belt, which pushes them onto ice */
void build_rink(scene_run *run)
{
    piece floor;

    add_tables(run, TABLES_RINK);
    floor = table_piece(make_vec(0.0, 0.0, 0.0), VSP_SHAPE_HEIGHT_FIELD, 1);
    floor.type = VSP_STATIC;
    add_piece(run, &floor);
    for (int i = 0; i < 3; i++) {
        vec half = make_vec(0.3, 0.2, 0.25);

        vsp_body_id id = send_piece(
            run, box_piece(make_vec(-5.5, 0.2, -3.6 + 0.7 * i), half), 2.5 + i);

        if (i == 0)
            run->marks[0] = id;
        send_piece(run, ball_piece(make_vec(-5.5, 0.25, -1.6 + 0.6 * i), 0.25),
                   1.5 + 0.5 * i);
        send_piece(
            run, box_piece(make_vec(-5.5 + 2.2 * i, 0.2, 2.6 + 0.5 * i), half),
            0.0);
    }
    for (int i = 0; i < 8; i++)
        add_ball(run, make_vec(-5.25 + 1.5 * i, 1.5, 0.6 + 0.4 * (i % 2)), 0.2);
}

#endif

#if SCENES_CRATER

static void add_lawn(scene_run *run)
{
    piece floor = table_piece(make_vec(0.0, 0.0, 0.0), VSP_SHAPE_HEIGHT_FIELD,
                              1);

    floor.type = VSP_STATIC;
    add_piece(run, &floor);
}

/* mark 0: a ball beside a crater, into which it rolls; boxes that fall into
 * another one; a tower on a hill that grows */
void build_crater(scene_run *run)
{
    add_tables(run, TABLES_CRATER);
    add_lawn(run);
    run->marks[0] = add_ball(run, make_vec(-0.5, 0.25, -1.0), 0.25);
    add_ball(run, make_vec(-1.6, 0.2, -1.1), 0.2);
    for (int i = 0; i < 4; i++)
        add_box(run, make_vec(1.4 + 0.4 * (i % 2), 0.2 + 0.4 * (i / 2), -1.2),
                make_vec(0.19, 0.2, 0.2));
    for (int i = 0; i < 3; i++)
        add_box(run, make_vec(0.1, 0.15 + 0.3 * i, 1.6),
                make_vec(0.25 - 0.05 * i, 0.15, 0.25 - 0.05 * i));
}

/* Digs, or heaps up, a round part of 8 x 8 heights from a column and row on:
 * `height`, in 1/1024 m, in the middle, less towards the edge. */
static void shape_ground(scene_run *run, uint32_t column, uint32_t row,
                         int32_t height)
{
    int16_t heights[64];

    for (int i = 0; i < 64; i++) {
        int x = 2 * (i % 8) - 7, z = 2 * (i / 8) - 7, far = x * x + z * z;

        heights[i] = (int16_t)(far < 50 ? height * (50 - far) / 50 : 0);
    }
    if (vsp_record_field_set_heights(scene_recorder(run),
                                     vsp_shape_at(run->world, 0), column, row,
                                     8, 8, heights) < 0)
        run->failures++;
}

void drive_crater(scene_run *run, uint32_t step)
{
    if (step == 10 || step == 14 || step == 18)
        shape_ground(run, 5, 4, -256 * (int32_t)(step - 6) / 4);
    if (step == 30)
        shape_ground(run, 15, 3, -600);
    if (step >= 20 && step < 60 && step % 2 == 0)
        shape_ground(run, 9, 15, 16 * (int32_t)(step - 18));
}

#endif
