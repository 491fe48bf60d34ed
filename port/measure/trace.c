/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

#include "trace.h"

#include "fields.h"
#include "oracle.h"

void trace_head(FILE *out)
{
    fprintf(out, "step,contacts,pairs,sweeps,residual_m_s,merit_m2_s2,"
                 "penetration_m,kinetic_J,potential_J,detect_ms,solve_ms,"
                 "correct_ms,rest_ms\n");
}

static void write_times(FILE *out, const vsp_stats *stats)
{
    fprintf(out, ",%.4f,%.4f,%.4f,%.4f\n", stats->detect_ticks * 1e-6,
            stats->solve_ticks * 1e-6, stats->correct_ticks * 1e-6,
            stats->rest_ticks * 1e-6);
}

void trace_row(FILE *out, const vsp_world *world, uint32_t step)
{
    static solid solids[VSP_MAX_SHAPES];
    int count = solids_read(world, solids);
    vsp_stats stats = vsp_world_stats(world);

    fprintf(out, "%u,%u,%u,%u,%.6g,%.6g", (unsigned)step,
            (unsigned)stats.contact_count, (unsigned)stats.manifold_count,
            (unsigned)stats.sweep_count, vsp_to_double(stats.residual),
            vsp_to_double(stats.merit));
    fprintf(out, ",%.6g,%.8g,%.8g", solids_penetration(solids, count),
            oracle_kinetic_energy(world, solids, count),
            oracle_potential_energy(world));
    write_times(out, &stats);
}
