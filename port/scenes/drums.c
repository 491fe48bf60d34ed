/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Cylinders and cones that stand, lie, roll and lean on each other.  A build
 * without them has no such scene. */

#include "builder.h"
#include "scene_table.h"

#if SCENES_DRUMS

/* Turns the axis of a piece from y to z. */
static void lay_piece(piece *it)
{
    rotation turn = {0.70710678118654752, 0.0, 0.0, 0.70710678118654752};

    it->turn = turn;
}

static void add_slope(scene_run *run)
{
    piece slope = box_piece(make_vec(-2.6, 0.6, 0.0), make_vec(1.5, 0.1, 0.8));

    slope.type = VSP_STATIC;
    slope.turn = about_z(radians(-18.0));
    add_piece(run, &slope);
}

/* Two logs side by side, and one in the valley between them. */
static void add_logs(scene_run *run)
{
    for (int i = 0; i < 3; i++) {
        piece log = cylinder_piece(
            make_vec(i < 2 ? 1.1 + 0.62 * i : 1.41, i < 2 ? 0.3 : 0.83, -1.2),
            0.3, 0.5);

        lay_piece(&log);
        add_piece(run, &log);
    }
}

/* Drums stacked up, a box among them, and a cone on top. */
static void add_drums(scene_run *run, int count)
{
    piece hat = cone_piece(make_vec(0.0, 0.4 * count + 0.3, 0.0), 0.3, 0.3,
                           0.0);

    for (int i = 0; i < count; i++) {
        vec at = make_vec(0.01 * (i % 2), 0.4 * i + 0.2, 0.0);
        piece drum = i % 3 == 2 ? box_piece(at, make_vec(0.3, 0.2, 0.3))
                                : cylinder_piece(at, 0.35, 0.2);

        add_piece(run, &drum);
    }
    add_piece(run, &hat);
}

/* mark 0: a drum that rolls down a slope; beside it a coin that spins on its
 * edge, a bucket on its side, a stack and logs, onto which a ball and a capsule
 * fall; the scene's number is the height of the stack, in drums */
void build_drums(scene_run *run)
{
    piece drum = cylinder_piece(make_vec(-3.3, 1.35, 0.0), 0.35, 0.3);
    piece coin = cylinder_piece(make_vec(-0.4, 0.4, 1.3), 0.4, 0.04);
    piece bucket = cone_piece(make_vec(0.6, 0.35, 1.2), 0.2, 0.35, 0.32);
    piece bar = capsule_piece(make_vec(1.5, 1.5, -1.1), 0.12, 0.4);

    add_floor(run, 0.5, 0.3);
    add_slope(run);
    lay_piece(&drum);
    run->marks[0] = add_piece(run, &drum);
    add_drums(run, (int)run->variant.number);
    add_logs(run);
    lay_piece(&coin);
    coin.spin.y = 5.0;
    coin.spin.x = 0.3;
    add_piece(run, &coin);
    lay_piece(&bucket);
    bucket.velocity.x = 1.0;
    bucket.spin.z = -3.5;
    add_piece(run, &bucket);
    bar.turn = about_z(radians(80.0));
    add_piece(run, &bar);
    add_ball(run, make_vec(1.2, 1.3, -1.4), 0.2);
}

#endif
