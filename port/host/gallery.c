/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Draws selected scenes, and writes a page that shows them. */

#include "gallery.h"

#include <stdio.h>

#include "picture.h"
#include "port/scenes/scene.h"

/* A scene, the steps after which it is drawn, and the view.  If `is_moving`,
 * the picture moves from the first of two steps to the second. */
typedef struct exhibit {
    const char *scene;
    uint32_t at[4];
    int count;
    double azimuth, elevation; /* degrees */
    bool is_moving, show_contacts, show_layers;
} exhibit;

/* how many of these are drawn without --all: those that take the least time */
#define FEW 16

static const exhibit exhibits[] = {
    {"cannon", {130, 230}, 2, 40.0, 14.0, true, false, false},
    {"ragdoll", {20, 130}, 2, 30.0, 14.0, true, false, false},
    {"wall", {500}, 1, 25.0, 10.0, false, false, true},
    {"pyramid", {500}, 1, 25.0, 10.0, false, true, false},
    {"card-house", {500}, 1, 25.0, 12.0, false, false, false},
    {"crossbow", {40, 120}, 2, 30.0, 20.0, false, false, false},
    {"roof-tower", {560}, 1, 30.0, 10.0, false, false, false},
    {"seesaw", {0, 80}, 2, 20.0, 10.0, true, false, false},
    {"bridge:20", {200}, 1, 35.0, 18.0, false, false, false},
    {"hills", {70}, 1, 60.0, 25.0, false, false, false},
    {"girder", {200, 260}, 2, 30.0, 14.0, false, false, false},
    {"crane", {100}, 1, 30.0, 14.0, false, false, false},
    {"car:3", {0, 150}, 2, 35.0, 20.0, true, false, false},
    {"whip", {60}, 1, 20.0, 8.0, false, false, false},
    {"ropes", {60}, 1, 30.0, 12.0, false, false, false},
    {"mail", {150}, 1, 30.0, 8.0, false, false, false},
    {"marbles", {0, 240}, 2, 30.0, 20.0, true, false, false},
    {"dominoes", {0, 600}, 2, 20.0, 30.0, true, false, false},
    {"house", {60, 260}, 2, -35.0, 22.0, true, false, false},
    {"ragdolls", {0, 240}, 2, 30.0, 22.0, true, false, false},
    {"vase", {0, 150}, 2, 30.0, 18.0, true, false, false},
    {"hoist", {0, 200}, 2, 35.0, 15.0, true, false, false},
    {"mill", {0, 200}, 2, 20.0, 12.0, true, false, false},
    {"shot-wall", {0, 60}, 2, 30.0, 14.0, true, false, false},
    {"bowls", {200}, 1, 30.0, 25.0, false, false, false},
    {"leaves", {90, 180}, 2, 30.0, 45.0, false, false, false},
    {"pegs", {60}, 1, 30.0, 25.0, false, false, false},
    {"game", {100, 300, 800}, 3, 10.0, 8.0, false, false, false},
    {"rally", {0, 260}, 2, 35.0, 20.0, true, false, false},
    {"clockwork", {0, 150}, 2, 20.0, 14.0, true, false, false},
    {"drums", {30, 150}, 2, 30.0, 18.0, false, false, false},
    {"clubs", {60}, 1, 30.0, 18.0, false, false, false},
    {"rocks", {20, 200}, 2, 30.0, 20.0, false, false, false},
    {"mirrors", {60}, 1, 30.0, 22.0, false, false, false},
    {"gems", {0, 300}, 2, 30.0, 22.0, false, false, false},
    {"rink", {60}, 1, 30.0, 35.0, false, false, false},
    {"crater", {0, 150}, 2, 30.0, 30.0, false, false, false},
    {"turntable", {0, 200}, 2, 30.0, 25.0, true, false, false},
    {"ledges", {100, 300}, 2, 15.0, 10.0, false, false, false},
    {"snake-heavy", {300}, 1, 25.0, 12.0, false, false, false},
    {"tower", {500}, 1, 30.0, 14.0, false, false, false},
    {"falling-roof", {640}, 1, 60.0, 12.0, false, false, false},
    {"pyramid-3d-shot", {150}, 1, 30.0, 22.0, false, false, false},
    {"silo", {60}, 1, 30.0, 58.0, false, false, false},
    {"bin:200", {60, 240}, 2, 30.0, 35.0, false, false, false},
    {"animals:100", {50, 200}, 2, 30.0, 22.0, false, false, false},
    {"letters:400", {300}, 1, 20.0, 45.0, false, false, false},
    {"bullets", {6}, 1, 50.0, 10.0, false, false, false},
    {"belt", {150}, 1, 30.0, 20.0, false, false, false},
    {"hooks", {60}, 1, 25.0, 12.0, false, false, false},
    {"door", {40}, 1, 30.0, 25.0, false, false, false},
    {"ring", {300}, 1, 30.0, 20.0, false, false, false},
    {"cube", {60, 150}, 2, 30.0, 18.0, false, false, false},
    {"truss", {60, 100}, 2, 30.0, 14.0, false, false, false},
    {"boats", {10, 60}, 2, 30.0, 40.0, false, false, false},
    {"snake", {300}, 1, 25.0, 12.0, false, false, false},
    {"stack", {300}, 1, 30.0, 14.0, false, false, false},
    {"heavy-on-small", {300}, 1, 30.0, 14.0, false, false, false},
    {"incline", {300}, 1, 30.0, 18.0, false, false, false},
    {"gears:3", {300}, 1, 25.0, 12.0, false, false, false},
    {"gears:6", {300}, 1, 25.0, 12.0, false, false, false},
    {"leaning", {300}, 1, 25.0, 12.0, false, false, false},
};

/* pixels of a moving picture */
#define MOVIE_WIDTH 480
#define MOVIE_HEIGHT 360

static size_t count_exhibits(bool is_whole)
{
    return is_whole ? sizeof exhibits / sizeof exhibits[0] : FEW;
}

static bool draw_exhibit(const exhibit *it, const char *directory,
                         const simulation_options *simulation)
{
    picture_options options = {0};

    options.render = render_options_default();
    options.render.azimuth = it->azimuth;
    options.render.elevation = it->elevation;
    options.render.show_contacts = it->show_contacts;
    options.render.show_layers = it->show_layers;
    if (it->is_moving) {
        options.render.width = MOVIE_WIDTH;
        options.render.height = MOVIE_HEIGHT;
    }
    options.directory = directory;
    options.is_movie = it->is_moving;
    options.is_quiet = true;
    options.count = it->count;
    for (int i = 0; i < it->count; i++)
        options.at[i] = it->at[i];
    return picture_scene(it->scene, simulation, &options);
}

bool gallery_draw(const char *directory, const simulation_options *simulation,
                  bool is_whole)
{
    size_t count = count_exhibits(is_whole);

    for (size_t i = 0; i < count; i++) {
        if (!draw_exhibit(&exhibits[i], directory, simulation))
            return false;
        printf("[%2d/%d] picture of %s%s\n", (int)i + 1, (int)count,
               exhibits[i].scene, exhibits[i].is_moving ? ", moving" : "");
        fflush(stdout);
    }
    return true;
}


/* ---- The page ----------------------------------------------------------- */

static const char page_head[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\">\n"
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<title>VSP: scenes</title>\n"
    "<style>\n"
    "body { font: 16px/1.5 sans-serif; max-width: 75em; margin: auto;"
    " padding: 1em; color: #222 }\n"
    "main { display: grid; gap: 1.5em; align-items: start;"
    " grid-template-columns: repeat(auto-fill, minmax(min(100%, 22em), 1fr))"
    " }\n"
    "section { border-top: 1px solid #ccc }\n"
    "h2 { margin: .4em 0 0; font-size: 1.2em } p { margin: 0 0 .4em }\n"
    "figure { margin: .4em 0 } img { width: 100%; display: block }\n"
    "figcaption { font-size: .9em; color: #555 }\n"
    "code { font-size: .85em; overflow-wrap: anywhere }\n"
    "ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap;"
    " gap: .2em 1.5em }\n"
    "i { display: inline-block; width: 1.1em; height: 1.1em;"
    " margin-right: .4em; vertical-align: -.2em; border: 1px solid #888 }\n"
    "i.dot { width: .6em; height: .6em; border: 0; border-radius: 50%;"
    " vertical-align: 0 }\n"
    "i.wide { width: 6em }\n"
    "</style>\n"
    "<h1>VSP: scenes</h1>\n"
    "<p>The engine computed these pictures on this machine: the same bits as"
    " on any other.</p>\n"
    "<ul>\n"
    "<li><i style=\"background: linear-gradient(90deg, #d48c6b 33%, #e0ab7a"
    " 33% 67%, #61a8bd 67%)\"></i>bodies that move, in several colours to tell"
    " them apart</li>\n"
    "<li><i style=\"background: #adb3b8\"></i>static bodies: they never"
    " move</li>\n"
    "<li><i style=\"background: #709e94\"></i>kinematic bodies: they follow a"
    " path</li>\n"
    "<li><i style=\"background: #576173\"></i>bodies that run into the others:"
    " balls, roofs, loads</li>\n"
    "<li><i class=\"dot\" style=\"background: #143cd7\"></i>joints; a row of"
    " dots is a distance that a joint holds</li>\n"
    "</ul>\n"
    "<p>A line under a picture draws it again, after <code>make"
    " build/vsp</code>.</p>\n"
    "<main>\n";

/* Writes what the picture shows beyond the bodies. */
static void write_legend(FILE *page, const exhibit *it)
{
    if (it->show_contacts)
        fprintf(page, "<p><i class=\"dot\" style=\"background: #e11414\"></i>"
                      "points where bodies touch</p>\n");
    if (it->show_layers)
        fprintf(page, "<p>Layers, how many bodies lie between a body and the "
                      "ground: few <i class=\"wide\" style=\"background: "
                      "linear-gradient(90deg, #2633e6, #26d9e6, #33d926, "
                      "#e6d926, #e63326)\"></i>many</p>\n");
}

static void write_command(FILE *page, const exhibit *it)
{
    fprintf(page, "<p><code>build/vsp render %s --at %u", it->scene,
            (unsigned)it->at[0]);
    for (int i = 1; i < it->count; i++)
        fprintf(page, ",%u", (unsigned)it->at[i]);
    fprintf(page, " --view %g,%g%s%s", it->azimuth, it->elevation,
            it->show_contacts ? " --contacts" : "",
            it->show_layers ? " --layers" : "");
    if (it->is_moving)
        fprintf(page, " --movie --size %dx%d", MOVIE_WIDTH, MOVIE_HEIGHT);
    fprintf(page, "</code></p>\n");
}

static void write_figure(FILE *page, const char *path, const exhibit *it,
                         const char *caption)
{
    int width = it->is_moving ? MOVIE_WIDTH : render_options_default().width;
    int height = it->is_moving ? MOVIE_HEIGHT : render_options_default().height;

    fprintf(page,
            "<figure><img src=\"%s\" alt=\"%s\" width=\"%d\" height=\"%d\" "
            "style=\"height: auto\"><figcaption>%s</figcaption></figure>\n",
            path, it->scene, width, height, caption);
}

static void write_figures(FILE *page, const exhibit *it, double dt)
{
    char path[MAX_PICTURE_PATH], caption[64];

    if (it->is_moving) {
        snprintf(caption, sizeof caption, "from %.2f s to %.2f s",
                 it->at[0] * dt, it->at[1] * dt);
        if (picture_movie_path(path, ".", it->scene))
            write_figure(page, path, it, caption);
        return;
    }
    for (int i = 0; i < it->count; i++) {
        snprintf(caption, sizeof caption, "after %.2f s", it->at[i] * dt);
        if (picture_path(path, ".", it->scene, it->at[i]))
            write_figure(page, path, it, caption);
    }
}

static void write_exhibit(FILE *page, const exhibit *it)
{
    scene_variant variant;
    const scene *which = scene_find(it->scene, &variant);

    fprintf(page, "<section>\n<h2>%s</h2>\n<p>%s</p>\n", it->scene,
            which->about);
    write_figures(page, it, which->dt);
    write_legend(page, it);
    write_command(page, it);
    fprintf(page, "</section>\n");
}

/* Shows the picture of the game that build/lockstep draws, if it is there. */
static void write_game(FILE *page, const char *directory)
{
    char path[MAX_PICTURE_PATH];
    FILE *picture;

    snprintf(path, sizeof path, "%s/lockstep.png", directory);
    picture = fopen(path, "rb");
    if (!picture)
        return;
    fclose(picture);
    fputs("<section>\n<h2>lockstep</h2>\n"
          "<p>A game of two machines, which send each other their players' "
          "inputs alone, over a line that loses and delays messages: after "
          "every step both had the same bits.</p>\n"
          "<figure><img src=\"./lockstep.png\" alt=\"lockstep\">"
          "<figcaption>half-way through the match</figcaption></figure>\n"
          "<ul><li><i style=\"background: #576173\"></i>balls: the two "
          "players</li><li><i style=\"background: linear-gradient(90deg, "
          "#576173 50%, #e0ab7a 50%)\"></i>cubes: crates; each player pushes "
          "them towards one end</li></ul>\n"
          "<p><code>build/lockstep match --steps 1200 --latency 100 --loss 10 "
          "--picture lockstep.png</code></p>\n</section>\n",
          page);
}

bool gallery_write_page(const char *directory, bool is_whole)
{
    size_t count = count_exhibits(is_whole);
    char path[MAX_PICTURE_PATH];
    int size = snprintf(path, sizeof path, "%s/index.html", directory);
    FILE *page = size < 0 || size >= MAX_PICTURE_PATH ? NULL : fopen(path, "w");

    if (page) {
        fputs(page_head, page);
        for (size_t i = 0; i < count; i++)
            write_exhibit(page, &exhibits[i]);
        write_game(page, directory);
        fprintf(page, "</main>\n</html>\n");
        if (fclose(page) == 0)
            return true;
    }
    fprintf(stderr, "vsp: cannot write '%s/index.html'\n", directory);
    return false;
}
