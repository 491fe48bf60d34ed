/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Draws selected scenes, and writes a page that shows them. */

#include "gallery.h"

#include <stdio.h>

#include "picture.h"
#include "port/scenes/scene.h"

/* A scene, the step after which it is drawn, and the view. */
typedef struct exhibit {
    const char *scene;
    uint32_t at[4];
    int count;
    double azimuth, elevation; /* degrees */
    bool show_contacts, show_layers;
} exhibit;

/* how many of these are drawn without --all */
#define FEW 21

static const exhibit exhibits[] = {
    {"roof-tower", {100, 220, 430, 560}, 4, 30.0, 10.0, false, false},
    {"wall", {500}, 1, 25.0, 10.0, false, true},
    {"pyramid", {500}, 1, 25.0, 10.0, true, false},
    {"card-house", {500}, 1, 25.0, 12.0, false, false},
    {"seesaw", {30}, 1, 20.0, 10.0, false, false},
    {"marbles", {60, 190}, 2, 30.0, 20.0, false, false},
    {"hills", {70}, 1, 60.0, 25.0, false, false},
    {"whip", {60}, 1, 20.0, 8.0, false, false},
    {"bridge:20", {200}, 1, 35.0, 18.0, false, false},
    {"ropes", {60}, 1, 30.0, 12.0, false, false},
    {"ragdoll", {0, 50, 150}, 3, 30.0, 14.0, false, false},
    {"crossbow", {40, 120}, 2, 30.0, 20.0, false, false},
    {"girder", {200, 260}, 2, 30.0, 14.0, false, false},
    {"crane", {60, 100}, 2, 30.0, 14.0, false, false},
    {"vase", {5, 150}, 2, 30.0, 18.0, false, false},
    {"shot-wall", {40}, 1, 30.0, 14.0, false, false},
    {"mail", {0, 150}, 2, 30.0, 8.0, false, false},
    {"bowls", {200}, 1, 30.0, 25.0, false, false},
    {"leaves", {90, 180}, 2, 30.0, 45.0, false, false},
    {"pegs", {60}, 1, 30.0, 25.0, false, false},
    {"snake-heavy", {300}, 1, 25.0, 12.0, false, false},
    {"tower", {500}, 1, 30.0, 14.0, false, false},
    {"falling-roof", {640}, 1, 60.0, 12.0, false, false},
    {"pyramid-3d-shot", {150}, 1, 30.0, 22.0, false, false},
    {"silo", {60}, 1, 30.0, 58.0, false, false},
    {"dominoes", {600}, 1, 20.0, 30.0, false, false},
    {"house", {100, 260}, 2, -35.0, 22.0, false, false},
    {"cannon", {130}, 1, 40.0, 14.0, false, false},
    {"bin:200", {60, 240}, 2, 30.0, 35.0, false, false},
    {"animals:100", {50, 200}, 2, 30.0, 22.0, false, false},
    {"letters:400", {300}, 1, 20.0, 45.0, false, false},
    {"bullets", {6}, 1, 50.0, 10.0, false, false},
    {"belt", {150}, 1, 30.0, 20.0, false, false},
    {"hooks", {60}, 1, 25.0, 12.0, false, false},
    {"car:3", {130}, 1, 35.0, 20.0, false, false},
    {"mill", {150}, 1, 20.0, 12.0, false, false},
    {"door", {40}, 1, 30.0, 25.0, false, false},
    {"hoist", {150}, 1, 35.0, 15.0, false, false},
    {"ragdolls", {60, 400}, 2, 30.0, 22.0, false, false},
    {"ring", {300}, 1, 30.0, 20.0, false, false},
    {"cube", {60, 150}, 2, 30.0, 18.0, false, false},
    {"truss", {60, 100}, 2, 30.0, 14.0, false, false},
    {"boats", {10, 60}, 2, 30.0, 40.0, false, false},
    {"snake", {300}, 1, 25.0, 12.0, false, false},
    {"stack", {300}, 1, 30.0, 14.0, false, false},
    {"heavy-on-small", {300}, 1, 30.0, 14.0, false, false},
    {"incline", {300}, 1, 30.0, 18.0, false, false},
    {"gears:3", {300}, 1, 25.0, 12.0, false, false},
    {"gears:6", {300}, 1, 25.0, 12.0, false, false},
    {"leaning", {300}, 1, 25.0, 12.0, false, false},
};

static bool draw_exhibit(const exhibit *it, const char *directory,
                         const simulation_options *simulation)
{
    picture_options options;

    options.render = render_options_default();
    options.render.azimuth = it->azimuth;
    options.render.elevation = it->elevation;
    options.render.show_contacts = it->show_contacts;
    options.render.show_layers = it->show_layers;
    options.directory = directory;
    options.count = it->count;
    for (int i = 0; i < it->count; i++)
        options.at[i] = it->at[i];
    return picture_scene(it->scene, simulation, &options);
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
    " padding: 1em }\n"
    "section { border-top: 1px solid #ccc }\n"
    "h2 { margin: .5em 0 0 } p { margin: 0 }\n"
    "div { display: flex; flex-wrap: wrap; gap: 1em }\n"
    "figure { margin: .5em 0 } img { max-width: 100% }\n"
    "</style>\n"
    "<h1>VSP: scenes</h1>\n"
    "<p>Blue dots are anchors of joints. The command above each picture "
    "draws it again.</p>\n";

/* Writes what the picture shows beyond the bodies. */
static void write_legend(FILE *page, const exhibit *it)
{
    if (it->show_contacts)
        fprintf(page, "<p>Red dots are contact points.</p>\n");
    if (it->show_layers)
        fprintf(page, "<p>Colours show layers: how many bodies lie between a "
                      "body and the ground.</p>\n");
}

static void write_command(FILE *page, const exhibit *it)
{
    fprintf(page, "<p><code>build/vsp render %s --at %u", it->scene,
            (unsigned)it->at[0]);
    for (int i = 1; i < it->count; i++)
        fprintf(page, ",%u", (unsigned)it->at[i]);
    fprintf(page, " --view %g,%g%s%s</code></p>\n", it->azimuth, it->elevation,
            it->show_contacts ? " --contacts" : "",
            it->show_layers ? " --layers" : "");
}

static void write_exhibit(FILE *page, const exhibit *it)
{
    scene_variant variant;
    const scene *which = scene_find(it->scene, &variant);

    fprintf(page, "<section>\n<h2>%s</h2>\n<p>%s</p>\n", it->scene,
            which->about);
    write_command(page, it);
    write_legend(page, it);
    fprintf(page, "<div>\n");
    for (int i = 0; i < it->count; i++) {
        char path[MAX_PICTURE_PATH];

        if (picture_path(path, ".", it->scene, it->at[i]))
            fprintf(page,
                    "<figure><img src=\"%s\" alt=\"%s\">"
                    "<figcaption>after %.2f s</figcaption></figure>\n",
                    path, it->scene, it->at[i] * which->dt);
    }
    fprintf(page, "</div>\n</section>\n");
}

static bool write_page(const char *path, size_t count)
{
    FILE *page = fopen(path, "w");

    if (page) {
        fputs(page_head, page);
        for (size_t i = 0; i < count; i++)
            write_exhibit(page, &exhibits[i]);
        fprintf(page, "</html>\n");
        if (fclose(page) == 0)
            return true;
    }
    fprintf(stderr, "vsp: cannot write '%s'\n", path);
    return false;
}

bool draw_gallery(const char *directory, const simulation_options *simulation,
                  bool is_whole)
{
    size_t count = is_whole ? sizeof exhibits / sizeof exhibits[0] : FEW;
    char path[MAX_PICTURE_PATH];
    int size = snprintf(path, sizeof path, "%s/index.html", directory);

    if (size < 0 || size >= MAX_PICTURE_PATH || !picture_directory(directory))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!draw_exhibit(&exhibits[i], directory, simulation))
            return false;
    if (!write_page(path, count))
        return false;
    printf("%s\n", path);
    return true;
}
