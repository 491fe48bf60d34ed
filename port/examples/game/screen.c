/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* In this order: samples, of which a pixel has 3 by 3, triangles, what is not
 * in the world, and characters. */

#define _DEFAULT_SOURCE

#include "screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIDE 32.0 /* m, of the level */
#define HIGH 17.0
#define FINE 3 /* samples of a pixel, each way */
#define MOST_COLUMNS 192
#define MOST_ROWS 52
#define MOST_X (MOST_COLUMNS * FINE)
#define MOST_Y (2 * MOST_ROWS * FINE)
#define SKY 0x181820u

static int columns = 80, rows = 22;      /* of the picture */
static double scale;                     /* samples a metre */
static unsigned samples[MOST_Y][MOST_X]; /* colours */
static float depths[MOST_Y][MOST_X];     /* m towards the viewer */
static bool has_all_colors;

/* both colours of each character on the screen, to send only what changes */
static unsigned shown[MOST_ROWS][MOST_COLUMNS][2];


/* ---- Samples ------------------------------------------------------------- */

static double column_of(double x)
{
    return (x + WIDE / 2) * scale;
}

static double line_of(double y)
{
    return (HIGH - y) * scale;
}

static int clamp_index(double a, int most)
{
    return a < 0 ? 0 : a > most ? most : (int)a;
}

static void clear_samples(void)
{
    for (int y = 0; y < 2 * rows * FINE; y++)
        for (int x = 0; x < columns * FINE; x++) {
            samples[y][x] = SKY;
            depths[y][x] = -100;
        }
}

/* Fills a box, in metres, over all that is drawn before. */
static void paint_box(double x, double y, double half_x, double half_y,
                      unsigned color)
{
    int right = clamp_index(column_of(x + half_x), columns * FINE - 1);
    int low = clamp_index(line_of(y - half_y), 2 * rows * FINE - 1);

    for (int i = clamp_index(line_of(y + half_y), low); i <= low; i++)
        for (int k = clamp_index(column_of(x - half_x), right); k <= right; k++)
            samples[i][k] = color;
}


/* ---- Triangles ----------------------------------------------------------- */

typedef struct corner {
    double x, y, depth; /* in samples, and m */
} corner;

static corner corner_at(vsp_vec3 a)
{
    corner c = {column_of(vsp_to_double(a.x)), line_of(vsp_to_double(a.y)),
                vsp_to_double(a.z)};

    return c;
}

/* Returns twice the area of a triangle, of one sign for the front. */
static double area_of(corner a, corner b, double x, double y)
{
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

static void paint_sample(corner a, corner b, corner c, double area, int x,
                         int y, unsigned color)
{
    double u = area_of(b, c, x + 0.5, y + 0.5) / area;
    double v = area_of(c, a, x + 0.5, y + 0.5) / area;
    double depth = u * a.depth + v * b.depth + (1 - u - v) * c.depth;

    if (u < 0 || v < 0 || u + v > 1 || (float)depth < depths[y][x])
        return;
    depths[y][x] = (float)depth;
    samples[y][x] = color;
}

static double least_of(double a, double b, double c)
{
    return a < b ? (a < c ? a : c) : b < c ? b : c;
}

/* A function of vsp_draw.  Triangles that show their back are left out. */
static void draw_triangle(void *user, vsp_vec3 at_a, vsp_vec3 at_b,
                          vsp_vec3 at_c, uint32_t color)
{
    corner a = corner_at(at_a), b = corner_at(at_b), c = corner_at(at_c);
    double area = area_of(a, b, c.x, c.y);
    int right = clamp_index(-least_of(-a.x, -b.x, -c.x), columns * FINE - 1);
    int low = clamp_index(-least_of(-a.y, -b.y, -c.y), 2 * rows * FINE - 1);

    (void)user;
    if (area > -1e-6) /* lines of the screen go down */
        return;
    for (int y = clamp_index(least_of(a.y, b.y, c.y), low); y <= low; y++)
        for (int x = clamp_index(least_of(a.x, b.x, c.x), right); x <= right;
             x++)
            paint_sample(a, b, c, area, x, y, color);
}


/* ---- What is not in the world -------------------------------------------- */

static void paint_hero(const level_player *player, unsigned color)
{
    double x = vsp_to_double(player->hero.position.x);
    double y = vsp_to_double(player->hero.position.y);
    double look = player->left ? -1 : 1;

    paint_box(x, y - 0.2, 0.3, 0.55, color);
    paint_box(x, y + 0.5, 0.25, 0.2, 0xf0d0b0);
    paint_box(x + look * 0.35, y, 0.25, 0.08, 0xe0e0e0); /* the gun */
}

static void paint_signs(const level_game *it)
{
    double x = vsp_to_double(LEVEL_FLAG_X), y = vsp_to_double(LEVEL_FLAG_Y);
    bool is_open = vsp_shape_sensed(it->world, level_plate(it), NULL, 0) > 0;

    paint_box(-0.75, 8.35, 3.0, 0.15, 0xe05010); /* lava */
    paint_box(1.0, 0.65, 3.0, 0.15, 0x9060c0);   /* what is in the pit */
    paint_box(-7.5, 2.9, 1.0, 0.1, is_open ? 0x40d040 : 0xd04040);
    paint_box(x, y + 1.25, 0.08, 1.25, 0xd0d0d0);
    paint_box(x + 0.6, y + 2.1, 0.6, 0.4,
              it->words[LEVEL_WON] ? 0x40d040 : 0xe0c030);
    paint_hero(&it->players[0], 0xe04848);
    paint_hero(&it->players[1], 0x4878f0);
}


/* ---- Characters ---------------------------------------------------------- */

/* Returns the mean colour of a pixel. */
static unsigned pixel_at(int column, int line)
{
    unsigned sums[3] = {0, 0, 0}, count = FINE * FINE;

    for (int i = 0; i < FINE * FINE; i++) {
        unsigned color =
            samples[line * FINE + i / FINE][column * FINE + i % FINE];

        sums[0] += color >> 16;
        sums[1] += color >> 8 & 255u;
        sums[2] += color & 255u;
    }
    return sums[0] / count << 16 | sums[1] / count << 8 | sums[2] / count;
}

/* Writes the colour of the upper pixel (layer 38) or the lower one (48). */
static void put_color(int layer, unsigned color)
{
    unsigned red = color >> 16, green = color >> 8 & 255u, blue = color & 255u;

    if (has_all_colors)
        printf("\033[%d;2;%u;%u;%um", layer, red, green, blue);
    else
        printf("\033[%d;5;%um", layer,
               16 + 36 * ((red + 25) / 51) + 6 * ((green + 25) / 51) +
                   (blue + 25) / 51);
}

/* Sends the characters of a row that changed. */
static void put_row(int row)
{
    int at = -1; /* column of the cursor, if it is in this row */

    for (int i = 0; i < columns; i++) {
        unsigned now[2] = {pixel_at(i, 2 * row), pixel_at(i, 2 * row + 1)};

        if (memcmp(now, shown[row][i], sizeof now) == 0)
            continue;
        memcpy(shown[row][i], now, sizeof now);
        if (at != i)
            printf("\033[%d;%dH", row + 1, i + 1);
        put_color(38, now[0]);
        put_color(48, now[1]);
        printf("\xe2\x96\x80"); /* U+2580, the upper half of a block */
        at = i + 1;
    }
}

/* Fits the level into the terminal, and leaves two rows for text. */
static void fit_level(void)
{
    struct winsize size;
    int x = 80, y = 24;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 &&
        size.ws_row > 2) {
        x = size.ws_col;
        y = size.ws_row;
    }
    x = x < MOST_COLUMNS ? x : MOST_COLUMNS;
    y = y - 2 < MOST_ROWS ? y - 2 : MOST_ROWS;
    if (x * HIGH > 2 * y * WIDE)
        x = (int)(2 * y * WIDE / HIGH);
    columns = x;
    rows = y;
    scale = columns * FINE / WIDE;
}

void screen_open(const char *help)
{
    const char *colors = getenv("COLORTERM");

    has_all_colors = colors && (strstr(colors, "true") || strstr(colors, "24"));
    fit_level();
    memset(shown, 0xff, sizeof shown);
    printf("\033[?25l\033[0m\033[2J"); /* without a cursor */
    printf("\033[%d;1H%s", rows + 2, help);
}

void screen_close(void)
{
    printf("\033[0m\033[%d;1H\n\033[?25h", rows + 2);
    fflush(stdout);
}

void screen_show(const level_game *it, const char *text)
{
    const vsp_draw draw = {.triangle = draw_triangle, .parts = VSP_DRAW_SHAPES};

    clear_samples();
    vsp_world_draw(it->world, &draw);
    paint_signs(it);
    for (int row = 0; row < rows; row++)
        put_row(row);
    printf("\033[0m\033[%d;1H%.*s\033[K", rows + 1, 2 * columns, text);
    fflush(stdout);
}
