/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What `make run` shows, in parts that port/demo puts together.  It is a small
 * program, since the rest of the host tool would be compiled before the first
 * result. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gallery.h"
#include "report.h"

/* Prints the rows of the scenes from `first`, 1 or more, to `last`.  Returns
 * the exit status. */
static int print_rows(int first, int last, const simulation_options *options)
{
    static measure result;
    int status = 0;

    for (int i = first; i <= last && i <= REPORT_SCENES; i++) {
        if (!measure_scene(&result, report_scene_names[i - 1], options))
            return 2;
        /* one write, as both kinds print to one terminal */
        printf("[%2d/%d] ", i, REPORT_SCENES);
        report_short_row(&result);
        if (!measure_is_good(&result))
            status = 1;
    }
    return status;
}

int main(int argc, char **argv)
{
    simulation_options options = simulation_options_default();

    if (argc == 5 && strcmp(argv[1], "rows") == 0) {
        options.steps = (uint32_t)atoi(argv[4]);
        return print_rows(atoi(argv[2]), atoi(argv[3]), &options);
    }
    if (argc == 2 && strcmp(argv[1], "head") == 0)
        report_short_head();
    else if (argc == 2 && strcmp(argv[1], "legend") == 0)
        report_short_legend();
    else if (argc == 3 && strcmp(argv[1], "pictures") == 0)
        return gallery_draw(argv[2], &options, false) ? 0 : 2;
    else if (argc == 3 && strcmp(argv[1], "page") == 0)
        return gallery_write_page(argv[2], false) ? 0 : 2;
    else {
        fprintf(stderr, "demo: head, rows FIRST LAST STEPS, legend, "
                        "pictures DIR or page DIR\n");
        return 2;
    }
    return 0;
}
