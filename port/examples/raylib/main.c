/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Draws the world, whatever is in it, by vsp_world_draw.
 *
 *     scene [FRAMES] */

#include <raylib.h>
#include <stdio.h>
#include <stdlib.h>

#include "../scene.h"

VSP_ARENA(arena, VSP_WORLD_BYTES);

static Vector3 to_vector(vsp_vec3 a)
{
    Vector3 v = {(float)vsp_to_double(a.x), (float)vsp_to_double(a.y),
                 (float)vsp_to_double(a.z)};

    return v;
}

static Color to_color(uint32_t color)
{
    Color c = {(unsigned char)(color >> 16), (unsigned char)(color >> 8),
               (unsigned char)color, 255};

    return c;
}

static void draw_line(void *user, vsp_vec3 a, vsp_vec3 b, uint32_t color)
{
    (void)user;
    DrawLine3D(to_vector(a), to_vector(b), to_color(color));
}

static void draw_triangle(void *user, vsp_vec3 a, vsp_vec3 b, vsp_vec3 c,
                          uint32_t color)
{
    (void)user;
    DrawTriangle3D(to_vector(a), to_vector(b), to_vector(c), to_color(color));
}

static void draw_frame(const vsp_world *world)
{
    const Camera3D camera = {.position = {6.0f, 4.0f, 8.0f},
                             .target = {0.0f, 1.5f, 0.0f},
                             .up = {0.0f, 1.0f, 0.0f},
                             .fovy = 45.0f};
    const vsp_draw draw = {.line = draw_line,
                           .triangle = draw_triangle,
                           .parts = VSP_DRAW_SHAPES | VSP_DRAW_EDGES |
                                    VSP_DRAW_CONTACTS | VSP_DRAW_JOINTS};

    BeginDrawing();
    ClearBackground(RAYWHITE);
    BeginMode3D(camera);
    vsp_world_draw(world, &draw);
    EndMode3D();
    EndDrawing();
}

int main(int argc, char **argv)
{
    int frames = argc > 1 ? atoi(argv[1]) : -1;
    vsp_body_id top;
    vsp_world *world = scene_create(arena.mem, sizeof arena.mem, &top);

    if (!world)
        return 1;
    InitWindow(800, 600, "VSP");
    SetTargetFPS(100); /* a frame is a step of 10 ms */
    for (int i = 1; i != frames && !WindowShouldClose(); i++) {
        vsp_world_step(world);
        if (i == SCENE_STEPS)
            printf(SCENE_ROW, (unsigned long)vsp_world_hash(world));
        draw_frame(world);
    }
    CloseWindow();
    return 0;
}
