/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Records a golden run up to one of its rows, for `vsp replay` here and for
 * port/replay elsewhere:
 *
 *     golden-record FILE SCENE SETTING KIND CLASS STEPS [HASH] */

#include "golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the run whose rows start with these four words; null if none. */
static const golden_run *find_run(char *words[])
{
    char wanted[GOLDEN_ROW_BYTES], row[GOLDEN_ROW_BYTES];
    uint32_t i;
    int length = snprintf(wanted, sizeof wanted, "%s %s %s %s ", words[0],
                          words[1], words[2], words[3]);

    for (i = 0; i < golden_run_count; i++) {
        golden_row(&golden_runs[i], 0, 0, row);
        if (strncmp(row, wanted, (size_t)length) == 0)
            return &golden_runs[i];
    }
    return NULL;
}

static bool write_out(void *user, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, user) == size;
}

static bool record(const golden_run *run, uint32_t steps, FILE *out)
{
    static unsigned char scratch[VSP_SNAPSHOT_BYTES];
    vsp_record_def def = {0};
    scene_run running;
    uint32_t i;

    def.write = write_out;
    def.user = out;
    def.scratch = scratch;
    def.scratch_size = sizeof scratch;
    if (!golden_start(run, &running) ||
        vsp_record_begin(&running.recorder, running.world, &def) < 0)
        return false;
    for (i = 0; i < steps; i++)
        scene_step(&running, i);
    return vsp_record_end(&running.recorder, NULL) == VSP_OK;
}

static bool record_file(const char *name, char *words[])
{
    const golden_run *run = find_run(words);
    FILE *out = run ? fopen(name, "wb") : NULL;
    bool is_done = out && record(run, (uint32_t)atoi(words[4]), out);

    if (out && fclose(out) != 0)
        is_done = false;
    if (!is_done)
        fprintf(stderr, "golden-record: cannot record %s\n", words[0]);
    return is_done;
}

int main(int count, char *arguments[])
{
    if (count < 7) {
        fprintf(stderr, "golden-record FILE, then words of a row\n");
        return 1;
    }
    return record_file(arguments[1], arguments + 2) ? 0 : 1;
}
