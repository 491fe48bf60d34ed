/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Scaled and mirrored tables (VSP_SCALES): two chutes of one mesh, and hills;
 * hulls that fall. */

#include "builder.h"
#include "scene_table.h"

#if SCENES_MIRRORS

static void add_scaled(scene_run *run, vsp_body_type body, vec at,
                       vsp_shape_type type, uint32_t table, vec scale)
{
    piece it = table_piece(at, type, table);
    vsp_body_def def = vsp_body_def_default();

    it.type = body;
    piece_body(run, &it, &def);
    def.shape.size = real_vec(scale);
    (void)create_body(run, &def);
}

/* Balls and boxes roll and slide down two roofs, one the mirror of the other,
 * which are a valley; small hills lie below. */
void build_mirrors(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    add_tables(run, TABLES_FEW);
    add_scaled(run, VSP_STATIC, make_vec(0.0, 0.25, 0.0),
               VSP_SHAPE_HEIGHT_FIELD, FEW_FIELD, make_vec(0.25, 0.125, -0.25));
    add_scaled(run, VSP_STATIC, make_vec(-2.0, 2.5, 0.0), VSP_SHAPE_MESH,
               FEW_MESH, make_vec(0.75, 2.0, 0.5));
    add_scaled(run, VSP_STATIC, make_vec(2.0, 2.5, 0.0), VSP_SHAPE_MESH,
               FEW_MESH, make_vec(-0.75, 2.0, 0.5));
    for (int i = 0; i < scene_number(run); i++) {
        double x = i % 2 ? 2.0 : -2.0;
        double size = 0.125 + 0.03125 * (i % 4);
        vec at = make_vec(x + 0.125 * next_random(&run->random),
                          4.5 + 0.375 * (i / 2), 0.25 * (i % 3 - 1));

        if (i % 4 < 2)
            add_ball(run, at, size);
        else
            add_box(run, at, make_vec(size, size, size));
    }
}

/* Five hulls, each in its own size, and of other proportions in every row, fall
 * onto a wedge that is a ramp; every other one is a mirror image. */
void build_gems(scene_run *run)
{
    static const double scales[] = {0.4375, 0.3125, 0.25, 0.5};

    add_floor(run, 0.5, 0.0);
    add_tables(run, TABLES_BIN);
    add_scaled(run, VSP_STATIC, make_vec(0.0, 0.125, 0.0), VSP_SHAPE_HULL,
               BIN_WEDGE, make_vec(-3.0, 0.5, 3.0));
    for (int i = 0; i < scene_number(run); i++) {
        double x = scales[i % 4], y = scales[(i + 1) % 4];
        double z = scales[(i + 3) % 4];
        vec at = make_vec(0.9375 * (i % 3 - 1), 0.625 + 0.625 * (i / 3), 0.0);

        at.x += 0.125 * next_random(&run->random);
        at.z += 0.125 * next_random(&run->random);
        add_scaled(run, VSP_DYNAMIC, at, VSP_SHAPE_HULL,
                   BIN_PRISM + (uint32_t)i % 5u,
                   make_vec(i % 2 ? -x : x, y, z));
    }
}

#endif
