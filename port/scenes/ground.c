/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Ground that is not the same everywhere: lanes of several materials. */

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
