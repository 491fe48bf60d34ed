/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Tapered capsules that lie, roll in circles, lean on each other and fall in a
 * heap.  A build without them has no such scene. */

#include "builder.h"
#include "scene_table.h"

#if SCENES_CLUBS

/* the half angle of a club's cone: sine 0.25, for radii of 0.3 m and 0.15 m at
 * a distance of 0.6 m; degrees */
#define LEAN 14.477512

/* A club that lies on the floor, its thin end at greater x. */
static piece lying_club(double x, double z, bool is_turned)
{
    piece it = taper_piece(make_vec(x, 0.225, z), 0.3, 0.3, 0.15);

    it.turn = about_z(radians(is_turned ? 90.0 + LEAN : -90.0 - LEAN));
    return it;
}

/* Clubs side by side, head to tail, with a ball that rolls into them. */
static void add_row(scene_run *run)
{
    piece ball = ball_piece(make_vec(1.2, 0.25, 3.0), 0.25);

    for (int i = 0; i < 4; i++) {
        piece it = lying_club(1.2, 0.47 * i - 0.6, i % 2 == 1);

        add_piece(run, &it);
    }
    ball.velocity.z = -3.0;
    ball.spin.x = -12.0;
    add_piece(run, &ball);
}

/* Clubs of several sizes over each other, between them boxes and cylinders. */
static void add_heap(scene_run *run, int count)
{
    for (int i = 0; i < count; i++) {
        vec at = make_vec(-1.0 + 0.25 * (i % 3), 0.5 + 0.35 * i,
                          0.2 * (i % 2) - 0.4);
        piece it = taper_piece(at, 0.1 + 0.03 * (i % 4), 0.25, 0.2);

        if (i % 4 == 3)
            it = i % 8 == 3 ? box_piece(at, make_vec(0.2, 0.15, 0.25))
                            : cylinder_piece(at, 0.2, 0.15);
        it.turn = about_z(radians(50.0 * i));
        add_piece(run, &it);
    }
}

/* mark 0: a club that rolls in a circle about the apex of its cone; beside it a
 * row, into which a ball rolls, and a heap; the scene's number is how many
 * bodies are in the heap */
void build_clubs(scene_run *run)
{
    piece rolling = lying_club(-2.6, -1.0, false);

    add_floor(run, 0.5, 0.3);
    rolling.spin.x = 4.0;
    rolling.velocity.z = 4.0 * 0.25;
    run->marks[0] = add_piece(run, &rolling);
    add_row(run);
    add_heap(run, (int)run->variant.number);
}

#endif
