/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Figures 28 to 30 and section 6: overlap by speed and by length of a step,
 * energy of an animal at rest, continuous detection. */

#include "experiments.h"
#include "literal.h"
#include "port/measure/fields.h"
#include "watch.h"

#define ANIMAL "animals:1"
#define LEAST 0.01 /* mm: the axis is logarithmic */

typedef enum method { AS_PRINTED, OURS, OURS_CONTINUOUS, METHODS } method;

static const char *const method_names[METHODS] = {
    "figure 14 as printed", "our CARRY, continuous detection off", "our CARRY"};

enum { BY_SPEED, BY_DT, AT_REST, PANELS };


/* ---- One animal ---------------------------------------------------------- */

static vsp_body_id animal_of(const vsp_world *world)
{
    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id id = vsp_body_at(world, slot);

        if (id.bits != 0 && vsp_body_get_type(world, id) == VSP_DYNAMIC)
            return id;
    }
    return vsp_body_at(world, 0);
}

static double height_of(const watch *it)
{
    return vsp_to_double(
        vsp_body_center(it->run.world, animal_of(it->run.world)).y);
}

/* Starts one animal; returns as watch_start. */
static bool start_animal(watch *it, method how, double dt)
{
    literal_setting setting = LITERAL_AS_PRINTED;
    vsp_world_def def = how == AS_PRINTED
                            ? contact_detector_def(ANIMAL)
                            : watch_def(ANIMAL, VSP_STEPPER_CARRY);

    setting.dt = dt;
    def.dt = scene_real(dt);
    def.enable_sleep = false;
    def.enable_continuous = how == OURS_CONTINUOUS;
    if (!watch_start(it, ANIMAL, &def))
        return false;
    literal_begin(&setting);
    if (how == AS_PRINTED)
        it->advance = literal_step;
    return true;
}

/* Turns the animal, at a height, and gives it a speed downward. */
static void place_animal(watch *it, vsp_quat turn, double height, double speed)
{
    vsp_world *world = it->run.world;
    vsp_body_id id = animal_of(world);
    vsp_transform pose = vsp_body_transform(world, id);
    vsp_vec3 down = {0, scene_real(-speed), 0}, still = {0, 0, 0};

    pose.position.y = scene_real(height);
    pose.rotation = turn;
    (void)vsp_body_set_transform(world, id, pose);
    (void)vsp_body_set_velocity(world, id, down, still);
}

static uint32_t next_bits(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Returns a rotation by the next four numbers; it need not be of length 1. */
static vsp_quat next_turn(uint32_t *state)
{
    double part[4];
    vsp_quat out;

    for (int i = 0; i < 4; i++)
        part[i] = (next_bits(state) >> 8) / 8388608.0 - 1.0;
    out.x = scene_real(part[0]);
    out.y = scene_real(part[1]);
    out.z = scene_real(part[2]);
    out.w = scene_real(1.0 + 0.5 * part[3]);
    return out;
}


/* ---- Overlap ------------------------------------------------------------- */

static double overlap_now(const watch *it)
{
    static solid solids[VSP_MAX_SHAPES];
    int count = solids_read(it->run.world, solids);

    return fields_penetration(solids, count);
}

static double animal_length(const watch *it)
{
    static solid solids[VSP_MAX_SHAPES];
    int count = solids_read(it->run.world, solids);

    for (int i = 0; i < count; i++)
        if (solids[i].type == VSP_SHAPE_SDF)
            return field_length(solids[i].table);
    return 1.0;
}

/* Returns the deepest overlap, mm, in 0.3 s, of animals that fall from eight
 * heights within a step; below 0, and prints why on stderr, if a step failed.
 */
static double deepest_fall(method how, double dt, double speed)
{
    static watch it;
    uint32_t state = 12345, steps = (uint32_t)(0.3 / dt + 0.5);
    double deepest = LEAST;

    for (int drop = 0; drop < 8; drop++) {
        vsp_quat turn = next_turn(&state);

        if (!start_animal(&it, how, dt))
            return -1;
        place_animal(&it, turn, 1.0 + 0.125 * drop * speed * dt, speed);
        for (uint32_t step = 1; step <= steps; step++) {
            if (!watch_run(&it, step))
                return -1;
            deepest = fmax(deepest, 1e3 * overlap_now(&it));
        }
    }
    return deepest;
}

/* Speeds in lengths of an animal a step of 0.01 s. */
static const double speeds[] = {0.02, 0.05, 0.1, 0.2, 0.3, 0.5};
static const double lengths[] = {0.01, 0.005, 0.002, 0.001};

#define SPEEDS (int)(sizeof speeds / sizeof speeds[0])
#define DTS (int)(sizeof lengths / sizeof lengths[0])

static bool fill_overlaps(plot_panel *panels, double animal)
{
    for (int how = 0; how < METHODS; how++) {
        for (int i = 0; i < SPEEDS; i++) {
            double speed = speeds[i] * animal / 0.01;
            double depth = deepest_fall((method)how, 0.01, speed);

            if (depth < 0)
                return false;
            plot_add(&panels[BY_SPEED].curves[how], speeds[i], depth);
        }
        for (int i = 0; i < DTS; i++) {
            double depth = deepest_fall((method)how, lengths[i],
                                        0.5 * animal / 0.01);

            if (depth < 0)
                return false;
            plot_add(&panels[BY_DT].curves[how], lengths[i], depth);
        }
    }
    return true;
}


/* ---- Rest ---------------------------------------------------------------- */

/* What animals did in the last seconds, when they should rest. */
typedef struct unrest {
    double range; /* mm: largest range of a centre's height */
    double speed; /* m/s: largest vertical speed */
    int restless; /* animals whose height had a range of over 0.5 mm */
    int drops;
} unrest;

/* Lets one animal fall; looks at it from `from` to `end`, s.  curve: null, or
 * gets its potential energy, less that at `from`, J. */
static bool watch_rest(watch *it, double from, double end, plot_curve *curve,
                       unrest *out)
{
    double low = 1e9, high = -1e9, start = 0;
    double weight = 9.81 * vsp_to_double(vsp_body_mass(
                               it->run.world, animal_of(it->run.world)));
    uint32_t first = (uint32_t)(from / it->dt + 0.5);
    uint32_t last = (uint32_t)(end / it->dt + 0.5);

    for (uint32_t step = first; step <= last; step++) {
        double height;

        if (!watch_run(it, step))
            return false;
        height = height_of(it);
        start = step == first ? height : start;
        low = fmin(low, height);
        high = fmax(high, height);
        out->speed = fmax(
            out->speed,
            fabs(vsp_to_double(
                vsp_body_velocity(it->run.world, animal_of(it->run.world)).y)));
        if (curve && step % ((last - first) / 400 + 1) == 0)
            plot_add(curve, step * it->dt, weight * (height - start));
    }
    out->drops++;
    out->restless += high - low > 5e-4;
    out->range = fmax(out->range, 1e3 * (high - low));
    return true;
}

static const struct rest_run {
    const char *name;
    method how;
    double dt;
    int drops, quick_drops;
} rests[] = {
    {"as printed, 0.01 s", AS_PRINTED, 0.01, 8, 2},
    {"as printed, 0.001 s", AS_PRINTED, 0.001, 2, 1},
    {"our CARRY, 0.01 s", OURS_CONTINUOUS, 0.01, 20, 6},
    {"our CARRY, 0.001 s", OURS_CONTINUOUS, 0.001, 4, 1},
};

#define RESTS (int)(sizeof rests / sizeof rests[0])

/* Lets animals fall from 0.9 m, turned at random; the first gives the curve. */
static bool take_rest(page *to, const struct rest_run *from, plot_curve *curve,
                      unrest *out)
{
    static watch it;
    uint32_t state = 12345;
    int drops = to->is_quick ? from->quick_drops : from->drops;
    double start = to->is_quick ? 4 : 6;

    curve->name = from->name;
    for (int i = 0; i < drops; i++) {
        vsp_quat turn = next_turn(&state);

        if (!start_animal(&it, from->how, from->dt))
            return false;
        place_animal(&it, turn, 0.9, 0);
        if (!watch_rest(&it, start, start + 2, i == 0 ? curve : NULL, out))
            return false;
    }
    return true;
}


/* ---- Bullets ------------------------------------------------------------- */

#define BULLETS "bullets:100"

/* Shoots; returns how many of the bullets passed the wall, or below 0, and
 * prints why on stderr, if a step failed. */
static int count_passed(bool is_continuous)
{
    static watch it;
    vsp_world_def def = watch_def(BULLETS, VSP_STEPPER_CARRY);
    int passed = 0;

    def.enable_sleep = false;
    def.enable_continuous = is_continuous;
    if (!watch_start(&it, BULLETS, &def))
        return -1;
    for (uint32_t slot = 0; slot < VSP_MAX_BODIES && !is_continuous; slot++)
        (void)vsp_body_set_bullet(it.run.world, vsp_body_at(it.run.world, slot),
                                  false);
    if (!watch_run(&it, 20))
        return -1;
    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id id = vsp_body_at(it.run.world, slot);

        passed += id.bits != 0 &&
                  vsp_body_get_type(it.run.world, id) == VSP_DYNAMIC &&
                  vsp_body_center(it.run.world, id).z < scene_real(-0.1);
    }
    return passed;
}


/* ---- Report -------------------------------------------------------------- */

static void label_panels(page *to, plot_panel *panels)
{
    panels[BY_SPEED].title = "deepest overlap with the ground";
    panels[BY_SPEED].x_label = "speed, lengths of an animal a step";
    panels[BY_SPEED].x_high = 0.5;
    panels[BY_SPEED].x_tick = 0.1;
    panels[BY_DT].title = "the same at 0.5 lengths in 0.01 s";
    panels[BY_DT].x_label = "length of a step, s";
    panels[BY_DT].x_high = 0.01;
    panels[BY_DT].x_tick = 0.002;
    for (int i = BY_SPEED; i <= BY_DT; i++) {
        panels[i].y_label = "mm";
        panels[i].count = METHODS;
        for (int k = 0; k < METHODS; k++)
            panels[i].curves[k].name = method_names[k];
    }
    panels[AT_REST].title = "potential energy at rest (30)";
    panels[AT_REST].x_label = "time, s";
    panels[AT_REST].y_label = "J above that at first";
    panels[AT_REST].is_y_linear = true;
    panels[AT_REST].x_low = to->is_quick ? 4 : 6;
    panels[AT_REST].x_high = panels[AT_REST].x_low + 2;
    panels[AT_REST].x_tick = 0.5;
    panels[AT_REST].count = RESTS;
}

static void write_rests(page *to, const unrest *found)
{
    page_table(to, "method and step|drops|range of height, mm|"
                   "restless: over 0.5 mm|vertical speed, m/s");
    for (int i = 0; i < RESTS; i++)
        page_row(to, "%s|%d|%.3f|%d|%.4f", rests[i].name, found[i].drops,
                 found[i].range, found[i].restless, found[i].speed);
    page_table_end(to);
}

static double last_value(const plot_curve *curve)
{
    return curve->points[curve->count - 1].y;
}

static void claim_overlaps(page *to, const plot_panel *panels)
{
    const plot_curve *by_dt = &panels[BY_DT].curves[AS_PRINTED];
    claim deep = {"as printed: overlap at half a length a step, mm",
                  "extreme penetrations",
                  last_value(&panels[BY_SPEED].curves[AS_PRINTED]), AT_LEAST,
                  100};
    claim small = {"as printed: overlap at 0.001 s over that at 0.01 s",
                   "as small as wanted with small steps",
                   last_value(by_dt) / by_dt->points[0].y, AT_MOST, 0.5};
    claim ours = {"our CARRY: overlap at half a length a step, mm",
                  "ours: continuous detection avoids it",
                  last_value(&panels[BY_SPEED].curves[OURS_CONTINUOUS]),
                  AT_MOST, 50};

    page_claim(to, &deep);
    page_claim(to, &small);
    page_claim(to, &ours);
}

static void claim_rests(page *to, const unrest *found)
{
    claim saw = {"as printed: range of height at 0.001 s over that at 0.01 s",
                 "the saw-tooth is diminished", found[1].range / found[0].range,
                 AT_MOST, 0.5};
    claim flat = {"our CARRY, 0.01 s: restless animals", "saw-tooth",
                  found[2].restless, AT_MOST, 0};
    claim calm = {"our CARRY, 0.01 s: vertical speed at rest, m/s", "saw-tooth",
                  found[2].speed, AT_MOST, 0.05};

    page_claim(to, &saw);
    page_claim(to, &flat);
    page_claim(to, &calm);
}

static bool shoot_bullets(page *to)
{
    int on = count_passed(true), off = count_passed(false);
    claim stop = {"bullets of 200 m/s that pass a wall of 0.1 m, of 100",
                  "ideally, none is missed", on, AT_MOST, 0};
    claim pass = {"the same without continuous detection", "tunnelling", off,
                  AT_LEAST, 50};

    if (on < 0 || off < 0)
        return false;
    page_claim(to, &stop);
    page_claim(to, &pass);
    return true;
}

bool run_popcorn(page *to)
{
    static plot_panel panels[PANELS];
    static unrest found[RESTS];
    static watch it;

    label_panels(to, panels);
    if (!start_animal(&it, OURS, 0.01) ||
        !fill_overlaps(panels, animal_length(&it)))
        return false;
    for (int i = 0; i < RESTS; i++)
        if (!take_rest(to, &rests[i], &panels[AT_REST].curves[i], &found[i]))
            return false;
    page_text(to,
              "One animal on the ground. Overlap: of eight falls of 0.3 s, "
              "by points of its surface; 10 mm of it are the engine's "
              "resolution, since spheres stand in for a surface with cells "
              "of 41 mm. Energy: after %.0f s, when it should rest.",
              panels[AT_REST].x_low);
    page_plots(to, "popcorn", panels, PANELS, 3);
    write_rests(to, found);
    claim_overlaps(to, panels);
    claim_rests(to, found);
    return shoot_bullets(to);
}
