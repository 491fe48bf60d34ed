/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Figure 13: a grid of balls that overlap, corrected with and without shock
 * propagation. */

#include "experiments.h"
#include "literal.h"
#include "watch.h"

#define SCENE "ball-grid"
#define FRAMES 40
#define SQUEEZE 0.9 /* heights are multiplied by this at first */
#define PAPER_FRAMES 6

static const struct method {
    const char *name;
    bool is_literal;
    literal_setting setting;
} methods[] = {
    {"correction()", true, {.method = LITERAL_CORRECTION, .corrections = 5}},
    {"shock-propagation(correction())",
     true,
     {.method = LITERAL_SHOCK_CORRECTION, .corrections = 5}},
    {"our CARRY, without gravity", false, {.method = 0}},
};

#define METHODS (int)(sizeof methods / sizeof methods[0])

/* Moves all balls down, so that those above each other and the lowest and the
 * ground overlap. */
static void squeeze_grid(vsp_world *world)
{
    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id id = vsp_body_at(world, slot);
        vsp_transform pose = vsp_body_transform(world, id);

        if (id.bits == 0 || vsp_body_get_type(world, id) != VSP_DYNAMIC)
            continue;
        pose.position.y = scene_real(SQUEEZE * vsp_to_double(pose.position.y));
        (void)vsp_body_set_transform(world, id, pose);
    }
}

static bool start_grid(watch *it, const struct method *how)
{
    vsp_world_def def = how->is_literal ? contact_detector_def(SCENE)
                                        : watch_def(SCENE, VSP_STEPPER_CARRY);

    def.enable_sleep = false;
    def.gravity.y = VSP_R(0.0);
    if (!watch_start(it, SCENE, &def))
        return false;
    squeeze_grid(it->run.world);
    literal_begin(&how->setting);
    if (how->is_literal)
        it->advance = literal_step;
    return true;
}

static void draw_grid(page *to, const watch *it, const struct method *how)
{
    const bounds frame = {{-3, 0, -3}, {3, 5, 3}};
    render_options options = render_options_default();
    char caption[96];

    options.width = options.height = 240;
    snprintf(caption, sizeof caption, "frame %u: %s", (unsigned)it->step,
             how->name);
    watch_draw(it, to, &frame, &options, caption);
}

/* Curves: the deepest overlap by frame. */
static bool take_run(page *to, int method, plot_curve *curve)
{
    static watch it;

    curve->name = methods[method].name;
    if (!start_grid(&it, &methods[method]))
        return false;
    for (uint32_t step = 0; step <= FRAMES; step++) {
        if (!watch_run(&it, step))
            return false;
        plot_add(curve, step, fmax(1e-3, 1e3 * watch_look(&it).penetration));
        if (step == 0 || step == PAPER_FRAMES)
            draw_grid(to, &it, &methods[method]);
    }
    return true;
}

/* Claims that the methods have converged after the paper's 6 frames, or not: to
 * overlaps of at most 1 mm. */
static void write_claims(page *to, const plot_panel *panel)
{
    for (int i = 0; i < METHODS; i++) {
        bool fails = methods[i].setting.method == LITERAL_CORRECTION;
        char words[96];
        claim it = {words,
                    fails ? "completely fails to converge"
                          : "converges within 6 frames",
                    panel->curves[i].points[PAPER_FRAMES].y,
                    fails ? AT_LEAST : AT_MOST, 1};

        snprintf(words, sizeof words, "%s: overlap after 6 frames, mm of %.0f",
                 methods[i].name, panel->curves[i].points[0].y);
        page_claim(to, &it);
    }
}

bool run_correction(page *to)
{
    static plot_panel panel;

    page_text(to, "125 balls of 1 m, each 0.1 m deep in the one below, the "
                  "lowest 0.05 m deep in the ground; at rest, without gravity. "
                  "5 iterations a frame; gaps as detected at its start.");
    panel.title = "overlap of a grid of balls";
    panel.x_label = "frame";
    panel.y_label = "deepest overlap, mm";
    panel.x_high = FRAMES;
    panel.x_tick = 10;
    panel.count = METHODS;
    page_pictures(to);
    for (int i = 0; i < METHODS; i++)
        if (!take_run(to, i, &panel.curves[i]))
            return false;
    page_pictures_end(to);
    page_plots(to, "correction", &panel, 1, 1);
    page_text(to,
              "Without shock propagation each frame leaves %.2f of the "
              "overlap: it converges, but not within 6 frames.",
              panel.curves[0].points[PAPER_FRAMES + 1].y /
                  panel.curves[0].points[PAPER_FRAMES].y);
    write_claims(to, &panel);
    return true;
}
