/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Files, text, tables, plots, pictures, claims. */

#include "page.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "port/render/png.h"

#define MAX_TEXT 2048 /* bytes of a paragraph or row */
#define MAX_NAME 128
#define CELL_WIDTH 14 /* of tables on stdout */


/* ---- Files --------------------------------------------------------------- */

static FILE *open_own(page *to, const char *ending)
{
    char name[MAX_NAME];

    snprintf(name, sizeof name, "%s%s", to->name, ending);
    return plot_open(to->directory, name);
}

bool page_begin(page *to, const char *directory, const char *name,
                bool is_quick)
{
    memset(to, 0, sizeof *to);
    to->directory = directory;
    to->name = name;
    to->is_quick = is_quick;
    to->part = open_own(to, ".part");
    to->claims = to->part ? open_own(to, ".claims") : NULL;
    if (!to->claims)
        return false;
    return true;
}

bool page_end(page *to)
{
    bool is_done = !ferror(to->part) && !ferror(to->claims);

    is_done = fclose(to->part) == 0 && is_done;
    is_done = fclose(to->claims) == 0 && is_done;
    if (!is_done)
        fprintf(stderr, "vsp: cannot write the files of '%s' in '%s'\n",
                to->name, to->directory);
    return is_done && !to->failed;
}

/* Writes text with the characters of HTML escaped. */
static void put_html(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        default:
            fputc(*text, out);
        }
}

/* Writes a field of CSV, with quotes. */
static void put_field(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}


/* ---- Text and tables ----------------------------------------------------- */

void page_text(page *to, const char *format, ...)
{
    char text[MAX_TEXT];
    va_list values;

    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    fputs("<p>", to->part);
    put_html(to->part, text);
    fputs("</p>\n", to->part);
    printf("%s\n", text);
}

/* Writes cells between `|`; the first column on stdout is three times as
 * wide. */
static void put_cells(page *to, char *text, const char *tag)
{
    int column = 0;

    fputs("<tr>", to->part);
    for (char *cell = text; cell; column++) {
        char *end = strchr(cell, '|');

        if (end)
            *end = '\0';
        fprintf(to->part, "<%s>", tag);
        put_html(to->part, cell);
        fprintf(to->part, "</%s>", tag);
        if (column == 0)
            printf("%-*s", 2 * CELL_WIDTH, cell);
        else
            printf(" %*s", CELL_WIDTH, cell);
        cell = end ? end + 1 : NULL;
    }
    fputs("</tr>\n", to->part);
    printf("\n");
}

void page_table(page *to, const char *head)
{
    char text[MAX_TEXT];

    snprintf(text, sizeof text, "%s", head);
    fputs("<div class=\"wide\"><table>\n", to->part);
    put_cells(to, text, "th");
}

void page_row(page *to, const char *format, ...)
{
    char text[MAX_TEXT];
    va_list values;

    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    put_cells(to, text, "td");
}

void page_table_end(page *to)
{
    fputs("</table></div>\n", to->part);
}


/* ---- Plots --------------------------------------------------------------- */

static void write_points(FILE *out, const plot_panel *panel)
{
    for (int i = 0; i < panel->count; i++)
        for (int k = 0; k < panel->curves[i].count; k++) {
            put_field(out, panel->title);
            fputc(',', out);
            put_field(out, panel->curves[i].name);
            fprintf(out, ",%.7g,%.7g\n", panel->curves[i].points[k].x,
                    panel->curves[i].points[k].y);
        }
}

static bool write_csv(const page *to, const char *name,
                      const plot_panel *panels, int count)
{
    FILE *out = plot_open(to->directory, name);

    if (!out)
        return false;
    fprintf(out, "panel,curve,x,y\n");
    for (int i = 0; i < count; i++)
        write_points(out, &panels[i]);
    return plot_close(out, to->directory, name);
}

static bool write_svg(const page *to, const char *name,
                      const plot_panel *panels, int count, int columns)
{
    FILE *out = plot_open(to->directory, name);

    if (!out)
        return false;
    plot_write(out, panels, count, columns);
    return plot_close(out, to->directory, name);
}

void page_plots(page *to, const char *name, const plot_panel *panels, int count,
                int columns)
{
    char file[MAX_NAME];

    snprintf(file, sizeof file, "%s.csv", name);
    if (!write_csv(to, file, panels, count))
        to->failed = true;
    snprintf(file, sizeof file, "%s.svg", name);
    if (!write_svg(to, file, panels, count, columns))
        to->failed = true;
    fputs("<div class=\"figures\">\n", to->part);
    for (int i = 0; i < count; i++) {
        fputs("<figure>", to->part);
        plot_write(to->part, &panels[i], 1, 1);
        fputs("</figure>\n", to->part);
    }
    fprintf(to->part, "</div>\n<p class=\"files\">%s.csv, %s.svg</p>\n", name,
            name);
}

static bool write_matrices(const page *to, const char *name,
                           const plot_matrix *matrices, int count, int columns)
{
    FILE *out = plot_open(to->directory, name);

    if (!out)
        return false;
    plot_write_matrices(out, matrices, count, columns);
    return plot_close(out, to->directory, name);
}

void page_matrices(page *to, const char *name, const plot_matrix *matrices,
                   int count, int columns)
{
    char file[MAX_NAME];

    snprintf(file, sizeof file, "%s.svg", name);
    if (!write_matrices(to, file, matrices, count, columns))
        to->failed = true;
    fputs("<div class=\"figures\">\n", to->part);
    for (int i = 0; i < count; i++) {
        fputs("<figure>", to->part);
        plot_write_matrices(to->part, &matrices[i], 1, 1);
        fputs("</figure>\n", to->part);
    }
    fprintf(to->part, "</div>\n<p class=\"files\">%s</p>\n", file);
}


/* ---- Pictures ------------------------------------------------------------ */

/* Writes three bytes, or the last one or two, as four characters. */
static void put_base64(FILE *out, const unsigned char *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned long bits = (unsigned long)bytes[0] << 16;

    bits |= count > 1 ? (unsigned long)bytes[1] << 8 : 0;
    bits |= count > 2 ? bytes[2] : 0;
    fputc(digits[bits >> 18], out);
    fputc(digits[bits >> 12 & 63], out);
    fputc(count > 1 ? digits[bits >> 6 & 63] : '=', out);
    fputc(count > 2 ? digits[bits & 63] : '=', out);
}

static bool embed_file(FILE *out, const char *path)
{
    FILE *in = fopen(path, "rb");
    unsigned char bytes[3];
    size_t count;
    bool is_read;

    if (!in)
        return false;
    while ((count = fread(bytes, 1, 3, in)) > 0)
        put_base64(out, bytes, count);
    is_read = !ferror(in);
    fclose(in);
    return is_read;
}

static bool draw_world(const vsp_world *world, const bounds *frame,
                       const render_options *options, const char *path)
{
    size_t pixels = (size_t)options->width * (size_t)options->height;
    unsigned char *rgb = malloc(3 * pixels);
    bool is_drawn = rgb && render_world(world, frame, options, rgb) &&
                    png_write(path, options->width, options->height, rgb);

    free(rgb);
    return is_drawn;
}

void page_pictures(page *to)
{
    fputs("<div class=\"figures\">\n", to->part);
}

void page_pictures_end(page *to)
{
    fputs("</div>\n", to->part);
}

void page_world(page *to, const vsp_world *world, const bounds *frame,
                const render_options *options, const char *caption)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/%s-%d.png", to->directory, to->name,
             ++to->pictures);
    if (!draw_world(world, frame, options, path)) {
        fprintf(stderr, "vsp: cannot write '%s'\n", path);
        to->failed = true;
        return;
    }
    fputs("<figure><img alt=\"", to->part);
    put_html(to->part, caption);
    fprintf(to->part,
            "\" width=\"%d\" height=\"%d\" src=\"data:image/png;base64,",
            options->width, options->height);
    if (!embed_file(to->part, path))
        to->failed = true;
    fputs("\"><figcaption>", to->part);
    put_html(to->part, caption);
    fputs("</figcaption></figure>\n", to->part);
    printf("%s\n", path);
}


/* ---- Claims -------------------------------------------------------------- */

static bool holds(const claim *it)
{
    return it->relation == AT_MOST ? it->ours <= it->bound
                                   : it->ours >= it->bound;
}

static void write_claim(page *to, const claim *it, bool is_paper)
{
    const char *words = it->relation == AT_MOST ? "at most" : "at least";
    const char *verdict = holds(it) ? "holds" : "does not hold";
    const char *source = is_paper ? "the paper's bound" : "our bound";

    put_field(to->claims, to->name);
    fputc(',', to->claims);
    put_field(to->claims, it->what);
    fputc(',', to->claims);
    put_field(to->claims, it->paper);
    fprintf(to->claims, ",%.4g,%s,%.4g,%s,%s\n", it->ours, words, it->bound,
            is_paper ? "paper" : "ours", verdict);
    fprintf(to->part, "<p class=\"%s\">", holds(it) ? "holds" : "fails");
    put_html(to->part, it->what);
    fputs(": ", to->part);
    fprintf(to->part, "<b>%.4g</b> (%s %.4g, %s), ", it->ours, words, it->bound,
            source);
    put_html(to->part, it->paper);
    fprintf(to->part, ": <b>%s</b></p>\n", verdict);
    printf("%s: %.4g (%s %.4g, %s; paper: %s): %s\n", it->what, it->ours, words,
           it->bound, source, it->paper, verdict);
}

void page_claim(page *to, const claim *it)
{
    write_claim(to, it, false);
}

void page_paper_claim(page *to, const claim *it)
{
    write_claim(to, it, true);
}
