/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

#define _POSIX_C_SOURCE 200112L

#include "plot.h"

#include <math.h>
#include <sys/stat.h>

#include "fit.h"

#define PANEL_WIDTH 330
#define PANEL_HEIGHT 250
#define LEFT 58 /* x and y of a panel's frame */
#define TOP 30
#define INNER_WIDTH 252
#define INNER_HEIGHT 170
#define MOST_DOTS 64 /* points of a line that are marked */

/* Pictures of matrices are squares of this size, and a cell is at least one
 * unit wide. */
#define SQUARE 240
#define SQUARE_LEFT 24
#define SQUARE_WIDTH 288
#define SQUARE_HEIGHT 296

/* Position of a panel's frame, and the range of its y axis. */
typedef struct frame {
    FILE *out;
    const plot_panel *panel;
    int clip; /* number of its clip path, unique in this process, as a page
               * can contain many plots */
    int x, y;
    double low, high; /* of the y axis; decades if it is logarithmic */
} frame;


/* ---- Curves ---------------------------------------------------------------
 */

void plot_add(plot_curve *to, double x, double y)
{
    plot_point at = {x, y};

    if (to->count < PLOT_POINTS)
        to->points[to->count++] = at;
}


/* ---- Places -------------------------------------------------------------- */

static void include_curve(frame *it, const plot_curve *from)
{
    for (int i = 0; i < from->count; i++) {
        double y = from->points[i].y;

        if (it->panel->is_y_linear) {
            it->low = fmin(it->low, y);
            it->high = fmax(it->high, y);
        } else if (y > 0.0) {
            it->low = fmin(it->low, floor(log10(y)));
            it->high = fmax(it->high, ceil(log10(y)));
        }
    }
}

static void find_range(frame *it)
{
    const plot_panel *p = it->panel;

    it->low = 1e300;
    it->high = -1e300;
    for (int i = 0; i < p->count; i++)
        include_curve(it, &p->curves[i]);
    if (p->is_y_linear && p->y_low < p->y_high) {
        it->low = p->y_low;
        it->high = p->y_high;
    }
    if (it->low > it->high)
        it->low = it->high = 0.0;
    if (it->low == it->high)
        it->low -= 1.0;
}

static double place_x(const frame *it, double x)
{
    double low = it->panel->x_low, high = it->panel->x_high;

    if (it->panel->is_x_log) {
        x = log10(x);
        low = log10(low);
        high = log10(high);
    }
    return it->x + INNER_WIDTH * (x - low) / (high - low);
}

static double place_y(const frame *it, double y)
{
    if (!it->panel->is_y_linear)
        y = y > 0.0 ? log10(y) : it->low;
    return it->y + INNER_HEIGHT * (it->high - y) / (it->high - it->low);
}


/* ---- Parts of a panel ---------------------------------------------------- */

static void draw_row(const frame *it, double y, const char *label)
{
    y = place_y(it, y);
    fprintf(it->out,
            "<path class='grid' d='M%d %.1fh%d'/>"
            "<text x='%d' y='%.1f' class='left'>%s</text>\n",
            it->x, y, INNER_WIDTH, it->x - 5, y + 4.0, label);
}

static void draw_decades(const frame *it)
{
    int low = (int)it->low, high = (int)it->high;
    int step = (high - low + 5) / 6;
    char label[32];

    for (int decade = high; decade >= low; decade -= step) {
        snprintf(label, sizeof label, "1e%d", decade);
        draw_row(it, pow(10.0, decade), label);
    }
}

/* Draws rows 1, 2 or 5 times a power of ten apart, at most six. */
static void draw_rows(const frame *it)
{
    double span = (it->high - it->low) / 5.0;
    double unit = pow(10.0, floor(log10(span)));
    double step = span <= unit         ? unit
                  : span <= 2.0 * unit ? 2.0 * unit
                  : span <= 5.0 * unit ? 5.0 * unit
                                       : 10.0 * unit;
    char label[32];

    for (double k = ceil(it->low / step); k * step <= it->high; k++) {
        snprintf(label, sizeof label, "%.6g", k * step + 0.0); /* no -0 */
        draw_row(it, k * step, label);
    }
}

static void draw_columns(const frame *it)
{
    const plot_panel *p = it->panel;
    double value = p->x_low;

    while (value <= p->x_high * 1.001) {
        double x = place_x(it, value);

        fprintf(it->out,
                "<path class='grid' d='M%.1f %dv%d'/>"
                "<text x='%.1f' y='%d' class='below'>%g</text>\n",
                x, it->y, INNER_HEIGHT, x, it->y + INNER_HEIGHT + 15, value);
        value = p->is_x_log ? value * pow(10.0, p->x_tick) : value + p->x_tick;
    }
}

static void draw_frame(const frame *it)
{
    const plot_panel *p = it->panel;

    fprintf(it->out, "<text x='%d' y='%d' class='title'>%s</text>\n",
            it->x + INNER_WIDTH / 2, it->y - 10, p->title);
    fprintf(it->out,
            "<clipPath id='f%d'><rect x='%d' y='%d' width='%d' "
            "height='%d'/></clipPath>\n",
            it->clip, it->x, it->y, INNER_WIDTH, INNER_HEIGHT);
    fprintf(it->out,
            "<rect class='frame' x='%d' y='%d' width='%d' height='%d'/>\n"
            "<text x='%d' y='%d' class='below'>%s</text>\n",
            it->x, it->y, INNER_WIDTH, INNER_HEIGHT, it->x + INNER_WIDTH / 2,
            it->y + INNER_HEIGHT + 32, p->x_label);
    fprintf(it->out,
            "<text class='below' transform='translate(%d %d) rotate(-90)'>"
            "%s</text>\n",
            it->x - 44, it->y + INNER_HEIGHT / 2, p->y_label);
}

static void draw_line(const frame *it, int index)
{
    const plot_curve *from = it->panel->curves + index;

    fprintf(it->out, "<path class='c%d' clip-path='url(#f%d)' d='", index,
            it->clip);
    for (int i = 0; i < from->count; i++)
        fprintf(it->out, "%c%.1f %.1f", i == 0 ? 'M' : 'L',
                place_x(it, from->points[i].x), place_y(it, from->points[i].y));
    fprintf(it->out, "'/>\n");
}

/* Draws dots at the measured points, if they are few or without a line. */
static void draw_dots(const frame *it, int index)
{
    const plot_curve *from = it->panel->curves + index;

    if (!from->is_dots && from->count > MOST_DOTS)
        return;
    fprintf(it->out, "<g clip-path='url(#f%d)'>\n", it->clip);
    for (int i = 0; i < from->count; i++)
        fprintf(it->out, "<circle class='c%d' cx='%.1f' cy='%.1f' r='%s'/>\n",
                index, place_x(it, from->points[i].x),
                place_y(it, from->points[i].y), from->is_dots ? "1.2" : "1.8");
    fprintf(it->out, "</g>\n");
}

/* Draws the line of least squares between the least and the largest x. */
static void draw_fit(const frame *it, int index)
{
    const plot_curve *from = it->panel->curves + index;
    fit line = fit_line(from, -HUGE_VAL, HUGE_VAL, false, false);
    double low = HUGE_VAL, high = -HUGE_VAL;

    for (int i = 0; i < from->count; i++) {
        low = fmin(low, from->points[i].x);
        high = fmax(high, from->points[i].x);
    }
    if (low < high)
        fprintf(it->out,
                "<path class='c%d' clip-path='url(#f%d)' d='M%.1f %.1fL%.1f "
                "%.1f'/>\n",
                index, it->clip, place_x(it, low),
                place_y(it, line.offset + line.slope * low), place_x(it, high),
                place_y(it, line.offset + line.slope * high));
}

static void draw_legend(const frame *it)
{
    for (int i = 0; i < it->panel->count; i++) {
        int y = it->y + 16 + 15 * i, right = it->x + INNER_WIDTH - 8;

        fprintf(it->out,
                "<text class='left halo' x='%d' y='%d'>%s</text>\n"
                "<path class='c%d' d='M%d %dh18'/>\n",
                right - 24, y + 4, it->panel->curves[i].name, i, right - 18, y);
    }
}

static void draw_panel(FILE *out, const plot_panel *panel, int column, int row)
{
    static int clips;
    frame it;

    it.out = out;
    it.panel = panel;
    it.clip = clips++;
    it.x = LEFT + column * PANEL_WIDTH;
    it.y = TOP + row * PANEL_HEIGHT;
    find_range(&it);
    if (panel->is_y_linear)
        draw_rows(&it);
    else
        draw_decades(&it);
    draw_columns(&it);
    draw_frame(&it);
    for (int i = 0; i < panel->count; i++) {
        if (!panel->curves[i].is_dots)
            draw_line(&it, i);
        draw_dots(&it, i);
        if (panel->curves[i].has_fit)
            draw_fit(&it, i);
    }
    draw_legend(&it);
}


/* ---- Matrices ------------------------------------------------------------ */

/* Position and scale of the picture of a matrix. */
typedef struct spots {
    FILE *out;
    const plot_matrix *of;
    int group; /* rows and columns of a cell */
} spots;

static bool is_filled(const spots *it, int row, int column)
{
    const plot_matrix *of = it->of;

    for (int i = row * it->group; i < (row + 1) * it->group; i++)
        for (int k = column * it->group; k < (column + 1) * it->group; k++)
            if (i < of->rows && k < of->columns &&
                of->is_set[(size_t)i * (size_t)of->columns + (size_t)k])
                return true;
    return false;
}

/* Draws each run of filled cells as a rectangle. */
static void draw_spots(const spots *it, int row)
{
    int columns = (it->of->columns + it->group - 1) / it->group;

    for (int from = 0, to; from < columns; from = to) {
        to = from + 1;
        if (!is_filled(it, row, from))
            continue;
        while (to < columns && is_filled(it, row, to))
            to++;
        fprintf(it->out, "M%d %dh%dv1h%dz", from, row, to - from, from - to);
    }
}

static void draw_matrix(FILE *out, const plot_matrix *of, int column, int row)
{
    int most = of->rows > of->columns ? of->rows : of->columns;
    spots it = {out, of, (most + SQUARE - 1) / SQUARE};
    double scale = (double)SQUARE * it.group / most;
    int x = SQUARE_LEFT + column * SQUARE_WIDTH, y = TOP + row * SQUARE_HEIGHT;

    fprintf(out,
            "<text x='%d' y='%d' class='title'>%s</text>\n"
            "<g transform='translate(%d %d) scale(%.4f)'>"
            "<path class='cells' d='",
            x + SQUARE / 2, y - 10, of->title, x, y, scale);
    for (int i = 0; i * it.group < of->rows; i++)
        draw_spots(&it, i);
    fprintf(out,
            "'/></g>\n"
            "<rect class='frame' x='%d' y='%d' width='%.1f' height='%.1f'/>\n"
            "<text class='below' x='%d' y='%d'>column, 1 to %d</text>\n"
            "<text class='below' transform='translate(%d %d) rotate(-90)'>"
            "row, 1 to %d</text>\n",
            x, y, (double)SQUARE * of->columns / most,
            (double)SQUARE * of->rows / most, x + SQUARE / 2, y + SQUARE + 17,
            of->columns, x - 9, y + SQUARE / 2, of->rows);
}


/* ---- Files --------------------------------------------------------------- */

static void begin_svg(FILE *out, int width, int height)
{
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
            "viewBox='0 0 %d %d' font-family='sans-serif' font-size='11'>\n"
            "<style>\n"
            "text { fill: #222 }\n"
            ".title { text-anchor: middle; font-size: 13px }\n"
            ".halo { paint-order: stroke; stroke: #fff; stroke-width: 3 }\n"
            ".left { text-anchor: end }\n.below { text-anchor: middle }\n"
            "path { fill: none; stroke-width: 1.5 }\n"
            ".grid { stroke: #ddd; stroke-width: 1 }\n"
            ".frame { fill: none; stroke: #222 }\n"
            ".cells { fill: #1f5fa8; stroke: none }\n"
            "path.c0 { stroke: #1f5fa8 }\ncircle.c0 { fill: #1f5fa8 }\n"
            "path.c1 { stroke: #b03a1a }\ncircle.c1 { fill: #b03a1a }\n"
            "path.c2 { stroke: #2e7d32 }\ncircle.c2 { fill: #2e7d32 }\n"
            "path.c3 { stroke: #8e24aa }\ncircle.c3 { fill: #8e24aa }\n"
            "path.c4 { stroke: #c77700 }\ncircle.c4 { fill: #c77700 }\n"
            "path.c5 { stroke: #555 }\ncircle.c5 { fill: #555 }\n"
            "</style>\n<rect width='100%%' height='100%%' fill='#fff'/>\n",
            width, height, width, height);
}

void plot_write(FILE *out, const plot_panel *panels, int count, int columns)
{
    begin_svg(out, columns * PANEL_WIDTH,
              (count + columns - 1) / columns * PANEL_HEIGHT);
    for (int i = 0; i < count; i++)
        draw_panel(out, &panels[i], i % columns, i / columns);
    fprintf(out, "</svg>\n");
}

void plot_write_matrices(FILE *out, const plot_matrix *matrices, int count,
                         int columns)
{
    begin_svg(out, columns * SQUARE_WIDTH,
              (count + columns - 1) / columns * SQUARE_HEIGHT);
    for (int i = 0; i < count; i++)
        draw_matrix(out, &matrices[i], i % columns, i / columns);
    fprintf(out, "</svg>\n");
}

static void say_not_written(const char *directory, const char *name)
{
    fprintf(stderr, "vsp: cannot write '%s/%s'\n", directory, name);
}

FILE *plot_open(const char *directory, const char *name)
{
    char path[1024];
    int size = snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *out = size > 0 && size < (int)sizeof path ? fopen(path, "w") : NULL;

    if (!out)
        say_not_written(directory, name);
    return out;
}

bool plot_begin(const char *directory, const char *name)
{
    FILE *out;

    /* if it cannot be made, the file cannot be written, which is told */
    (void)mkdir(directory, 0777);
    out = plot_open(directory, name);
    return out && fclose(out) == 0;
}

bool plot_close(FILE *out, const char *directory, const char *name)
{
    bool is_done = !ferror(out);

    if (fclose(out) != 0)
        is_done = false;
    if (is_done)
        printf("%s/%s\n", directory, name);
    else
        say_not_written(directory, name);
    return is_done;
}
