/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Draws the edges of the world, whatever is in it, by vsp_world_draw.
 *
 *     scene [FRAMES] */

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>

#include "../scene.h"

#define WIDTH 800
#define HEIGHT 600

VSP_ARENA(arena, VSP_WORLD_BYTES);

/* Returns the pixel of a point, seen from 8 m in front and 2 m up. */
static SDL_FPoint project_point(vsp_vec3 a)
{
    float depth = 8.0f - (float)vsp_to_double(a.z);
    float scale = (float)HEIGHT / (depth > 0.1f ? depth : 0.1f);
    SDL_FPoint p;

    p.x = WIDTH / 2 + (float)vsp_to_double(a.x) * scale;
    p.y = HEIGHT / 2 - ((float)vsp_to_double(a.y) - 2.0f) * scale;
    return p;
}

static void draw_line(void *user, vsp_vec3 a, vsp_vec3 b, uint32_t color)
{
    SDL_Renderer *renderer = (SDL_Renderer *)user;
    SDL_FPoint p = project_point(a), q = project_point(b);

    SDL_SetRenderDrawColor(renderer, (Uint8)(color >> 16), (Uint8)(color >> 8),
                           (Uint8)color, 255);
    SDL_RenderDrawLineF(renderer, p.x, p.y, q.x, q.y);
}

static void draw_frame(SDL_Renderer *renderer, const vsp_world *world)
{
    const vsp_draw draw = {.line = draw_line,
                           .user = renderer,
                           .parts = VSP_DRAW_EDGES | VSP_DRAW_CONTACTS |
                                    VSP_DRAW_JOINTS,
                           .plane = VSP_R(4.0)};

    SDL_SetRenderDrawColor(renderer, 24, 24, 32, 255);
    SDL_RenderClear(renderer);
    vsp_world_draw(world, &draw);
    SDL_RenderPresent(renderer);
}

static bool is_closed(void)
{
    SDL_Event event;

    while (SDL_PollEvent(&event))
        if (event.type == SDL_QUIT)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    int frames = argc > 1 ? atoi(argv[1]) : -1;
    vsp_body_id top;
    vsp_world *world = scene_create(arena.mem, sizeof arena.mem, &top);
    SDL_Renderer *renderer;
    SDL_Window *window;

    if (!world || SDL_Init(SDL_INIT_VIDEO) != 0 ||
        SDL_CreateWindowAndRenderer(WIDTH, HEIGHT, 0, &window, &renderer) != 0)
        return 1;
    for (int i = 1; i != frames && !is_closed(); i++) {
        vsp_world_step(world);
        if (i == SCENE_STEPS)
            printf(SCENE_ROW, (unsigned long)vsp_world_hash(world));
        draw_frame(renderer, world);
        SDL_Delay(10); /* a step is 10 ms */
    }
    SDL_Quit();
    return 0;
}
