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

enum { BY_SPEED, BY_DT, IN_PILE, AT_REST, AT_REST_FINE, PANELS };


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

/* Starts one of eight falls: from eight heights within a step. */
static bool start_fall(watch *it, method how, double dt, double speed, int fall)
{
    uint32_t state = 12345;
    vsp_quat turn;

    for (int i = 0; i <= fall; i++)
        turn = next_turn(&state);
    if (!start_animal(it, how, dt))
        return false;
    place_animal(it, turn, 1.0 + 0.125 * fall * speed * dt, speed);
    return true;
}

/* A moment of a fall. */
typedef struct moment {
    int fall;
    uint32_t step;
} moment;

/* Returns the deepest overlap, mm, in 0.3 s of eight falls, and when it was;
 * below 0, and prints why on stderr, if a step failed. */
static double deepest_fall(method how, double dt, double speed, moment *when)
{
    static watch it;
    uint32_t steps = (uint32_t)(0.3 / dt + 0.5);
    double deepest = LEAST;

    for (int fall = 0; fall < 8; fall++) {
        if (!start_fall(&it, how, dt, speed, fall))
            return -1;
        for (uint32_t step = 1; step <= steps; step++) {
            double depth;

            if (!watch_run(&it, step))
                return -1;
            depth = 1e3 * overlap_now(&it);
            if (depth <= deepest)
                continue;
            deepest = depth;
            when->fall = fall;
            when->step = step;
        }
    }
    return deepest;
}

/* Draws the deepest overlap by figure 14 as printed. */
static bool draw_deepest(page *to, double animal)
{
    static watch it;
    bounds frame = {{-0.6, -0.6, -0.6}, {0.6, 0.6, 0.6}};
    vec3 center;
    render_options options = render_options_default();
    double speed = 0.5 * animal / 0.01, depth;
    moment when = {0, 1};
    char caption[96];

    depth = deepest_fall(AS_PRINTED, 0.01, speed, &when);
    if (depth < 0 || !start_fall(&it, AS_PRINTED, 0.01, speed, when.fall) ||
        !watch_run(&it, when.step))
        return false;
    center = vec_from(vsp_body_center(it.run.world, animal_of(it.run.world)));
    frame.low = vec_add(frame.low, center);
    frame.high = vec_add(frame.high, center);
    options.width = options.height = 320;
    options.elevation = 8;
    snprintf(caption, sizeof caption,
             "Figure 28: an animal %.0f mm in the ground, as printed", depth);
    page_pictures(to);
    watch_draw(&it, to, &frame, &options, caption);
    page_pictures_end(to);
    return true;
}

/* Speeds in lengths of an animal a step of 0.01 s. */
static const double speeds[] = {0.02, 0.05, 0.1, 0.2, 0.3, 0.5};
static const double lengths[] = {0.01, 0.005, 0.002, 0.001};

#define SPEEDS (int)(sizeof speeds / sizeof speeds[0])
#define DTS (int)(sizeof lengths / sizeof lengths[0])

static bool fill_overlaps(plot_panel *panels, double animal)
{
    moment when;

    for (int how = 0; how < METHODS; how++) {
        for (int i = 0; i < SPEEDS; i++) {
            double speed = speeds[i] * animal / 0.01;
            double depth = deepest_fall((method)how, 0.01, speed, &when);

            if (depth < 0)
                return false;
            plot_add(&panels[BY_SPEED].curves[how], speeds[i], depth);
        }
        for (int i = 0; i < DTS; i++) {
            double depth = deepest_fall((method)how, lengths[i],
                                        0.5 * animal / 0.01, &when);

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
    int falls;
    double energy; /* J: range of the first animal's potential energy */
    double loss;   /* J: most that it lost within SUDDEN */
} unrest;

#define SUDDEN 0.05 /* s */

/* Looks at one animal, which fell, from `from` to `end`, s. */
static bool watch_rest(watch *it, double from, double end, unrest *out)
{
    double low = 1e9, high = -1e9;
    uint32_t first = (uint32_t)(from / it->dt + 0.5);
    uint32_t last = (uint32_t)(end / it->dt + 0.5);

    for (uint32_t step = first; step <= last; step++) {
        double height;

        if (!watch_run(it, step))
            return false;
        height = height_of(it);
        low = fmin(low, height);
        high = fmax(high, height);
        out->speed = fmax(
            out->speed,
            fabs(vsp_to_double(
                vsp_body_velocity(it->run.world, animal_of(it->run.world)).y)));
    }
    out->falls++;
    out->restless += high - low > 5e-4;
    out->range = fmax(out->range, 1e3 * (high - low));
    return true;
}

/* Returns the largest of the last values; *count of them are known. */
static double largest_of(const double *values, int count)
{
    double most = values[0];

    for (int i = 1; i < count; i++)
        most = fmax(most, values[i]);
    return most;
}

/* The curve gets the potential energy of one animal, less that at `from`, J. */
static bool watch_energy(watch *it, double from, double end, plot_curve *curve,
                         unrest *out)
{
    double recent[64], start = 0, low = 0, high = 0;
    double weight = 9.81 * vsp_to_double(vsp_body_mass(
                               it->run.world, animal_of(it->run.world)));
    int span = (int)(SUDDEN / it->dt + 0.5) + 1;
    uint32_t first = (uint32_t)(from / it->dt + 0.5);
    uint32_t count = (uint32_t)((end - from) / it->dt + 0.5);

    for (uint32_t i = 0; i <= count; i++) {
        double energy;

        if (!watch_run(it, first + i))
            return false;
        start = i == 0 ? height_of(it) : start;
        energy = weight * (height_of(it) - start);
        low = fmin(low, energy);
        high = fmax(high, energy);
        recent[i % (uint32_t)span] = energy;
        out->loss = fmax(out->loss,
                         largest_of(recent, (int)fmin(span, i + 1)) - energy);
        if (i % (count / 400 + 1) == 0)
            plot_add(curve, from + i * it->dt, energy);
    }
    out->energy = high - low;
    return true;
}

static const struct rest_run {
    const char *name;
    method how;
    double dt;
    int falls, quick_falls;
    double begin, end; /* s: of the curve, some teeth long */
} rests[] = {
    {"as printed, 0.01 s", AS_PRINTED, 0.01, 8, 2, 40, 110},
    {"as printed, 0.001 s", AS_PRINTED, 0.001, 2, 1, 6, 12},
    {"our CARRY, 0.01 s", OURS_CONTINUOUS, 0.01, 20, 6, 40, 110},
    {"our CARRY, 0.001 s", OURS_CONTINUOUS, 0.001, 4, 1, 6, 12},
};

#define RESTS (int)(sizeof rests / sizeof rests[0])

/* Lets animals fall from 0.9 m, turned at random.  The first falls twice: the
 * second time for the curve, which is longer. */
static bool take_rest(page *to, const struct rest_run *from, plot_curve *curve,
                      unrest *out)
{
    static watch it;
    uint32_t state = 12345;
    int falls = to->is_quick ? from->quick_falls : from->falls;
    double start = to->is_quick ? 4 : 6;
    vsp_quat turn = next_turn(&state);

    curve->name = from->name;
    if (!start_animal(&it, from->how, from->dt))
        return false;
    place_animal(&it, turn, 0.9, 0);
    if (!watch_energy(&it, from->begin, from->end, curve, out))
        return false;
    for (int i = 0; i < falls; i++, turn = next_turn(&state)) {
        if (!start_animal(&it, from->how, from->dt))
            return false;
        place_animal(&it, turn, 0.9, 0);
        if (!watch_rest(&it, start, start + 2, out))
            return false;
    }
    return true;
}


/* ---- A pile -------------------------------------------------------------- */

#define PILE "animals:20"
#define PILED 20
#define PILE_STEPS 1000 /* of 0.01 s, that are shown */
#define QUICK_PILE_STEPS 200

static double pile_energies[PILED][PILE_STEPS + 1]; /* J */

static int pile_steps(const page *to)
{
    return to->is_quick ? QUICK_PILE_STEPS : PILE_STEPS;
}

static void note_pile(const vsp_world *world, int at)
{
    int count = 0;

    for (uint32_t slot = 0; slot < VSP_MAX_BODIES && count < PILED; slot++) {
        vsp_body_id id = vsp_body_at(world, slot);

        if (id.bits != 0 && vsp_body_get_type(world, id) == VSP_DYNAMIC)
            pile_energies[count++][at] =
                9.81 * vsp_to_double(vsp_body_mass(world, id)) *
                vsp_to_double(vsp_body_center(world, id).y);
    }
}

/* Returns the animal, other than `but`, whose energy has the largest range. */
static int most_restless(int but, int steps)
{
    double most = -1;
    int found = 0;

    for (int i = 0; i < PILED; i++) {
        double low = HUGE_VAL, high = -HUGE_VAL;

        for (int k = 0; k <= steps; k++) {
            low = fmin(low, pile_energies[i][k]);
            high = fmax(high, pile_energies[i][k]);
        }
        if (i == but || high - low <= most)
            continue;
        most = high - low;
        found = i;
    }
    return found;
}

static void add_piled(plot_panel *panel, int which, int steps, const char *name)
{
    plot_curve *curve = &panel->curves[panel->count++];

    curve->name = name;
    for (int k = 0; k <= steps; k++)
        plot_add(curve, panel->x_low + 0.01 * k,
                 pile_energies[which][k] - pile_energies[which][0]);
}

/* Figure 29: two animals of a pile, by figure 14 as printed. */
static bool take_pile(plot_panel *panel, int steps)
{
    static watch it;
    literal_setting setting = LITERAL_AS_PRINTED;
    vsp_world_def def = contact_detector_def(PILE);
    uint32_t first = (uint32_t)(panel->x_low / 0.01 + 0.5);
    int one;

    def.dt = VSP_R(0.01);
    setting.dt = 0.01;
    if (!watch_start(&it, PILE, &def))
        return false;
    literal_begin(&setting);
    it.advance = literal_step;
    for (int k = 0; k <= steps; k++) {
        if (!watch_run(&it, first + (uint32_t)k))
            return false;
        note_pile(it.run.world, k);
    }
    one = most_restless(-1, steps);
    add_piled(panel, one, steps, "an animal");
    add_piled(panel, most_restless(one, steps), steps, "another");
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
    panels[IN_PILE].title = "potential energy in a pile of 20 (29)";
    panels[AT_REST].title = "one at rest, 0.01 s (30)";
    panels[AT_REST_FINE].title = "the same, 0.001 s (30)";
    for (int i = IN_PILE; i <= AT_REST_FINE; i++) {
        panels[i].x_label = "time, s";
        panels[i].y_label = "J above that at first";
        panels[i].is_y_linear = true;
        panels[i].x_low = 6;
        panels[i].x_high = 12;
        panels[i].x_tick = 2;
    }
    panels[IN_PILE].x_low = to->is_quick ? 6 : 20;
    panels[IN_PILE].x_high = panels[IN_PILE].x_low + 0.01 * pile_steps(to);
    panels[IN_PILE].x_tick = to->is_quick ? 0.5 : 2;
    panels[AT_REST].x_low = 40;
    panels[AT_REST].x_high = 110;
    panels[AT_REST].x_tick = 10;
}

static void write_rests(page *to, const unrest *found)
{
    page_table(to, "method and step|falls|range of height in 2 s, mm|"
                   "restless: over 0.5 mm|vertical speed, m/s|"
                   "range of energy, J|most lost in 0.05 s, J");
    for (int i = 0; i < RESTS; i++)
        page_row(to, "%s|%d|%.3f|%d|%.4f|%.4g|%.4g", rests[i].name,
                 found[i].falls, found[i].range, found[i].restless,
                 found[i].speed, found[i].energy, found[i].loss);
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
    claim saw = {"as printed: range of energy at 0.001 s over that at 0.01 s",
                 "the saw-tooth is diminished",
                 found[1].energy / found[0].energy, AT_MOST, 0.5};
    claim flat = {"our CARRY, 0.01 s: restless animals", "ours: no saw-tooth",
                  found[2].restless, AT_MOST, 0};
    claim calm = {"our CARRY, 0.01 s: vertical speed at rest, m/s",
                  "ours: no saw-tooth", found[2].speed, AT_MOST, 0.05};

    claim sudden = {"as printed, 0.01 s: most energy lost in 0.05 s over the "
                    "range of the energy",
                    "slowly increases, then almost instantaneously drops",
                    found[0].loss / found[0].energy, AT_LEAST, 0.5};

    page_claim(to, &sudden);
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

static void write_notes(page *to)
{
    page_text(to, "One animal on the ground. Overlap: of eight falls of 0.3 s, "
                  "by points of its surface; 10 mm of it are the engine's "
                  "resolution, since spheres stand in for a surface with cells "
                  "of 41 mm.");
    page_text(to, "Energy (figure 30): by figure 14 as printed with steps of "
                  "0.01 s, an animal at rest creeps up for half a minute, as "
                  "its multipliers are slightly too large, then sinks within a "
                  "few steps; with steps of 0.001 s a tooth is a hundredth as "
                  "high. By CARRY it stays. Figure 29: the two animals of a "
                  "pile, as printed, whose energy varies most; no tooth is "
                  "seen there, since they still slide.");
}

static plot_curve *next_rest(plot_panel *panels, double dt)
{
    plot_panel *panel = &panels[dt < 0.01 ? AT_REST_FINE : AT_REST];

    return &panel->curves[panel->count++];
}

bool run_popcorn(page *to)
{
    static plot_panel panels[PANELS];
    static unrest found[RESTS];
    static watch it;
    double animal;

    label_panels(to, panels);
    if (!start_animal(&it, OURS, 0.01))
        return false;
    animal = animal_length(&it);
    if (!fill_overlaps(panels, animal))
        return false;
    for (int i = 0; i < RESTS; i++)
        if (!take_rest(to, &rests[i], next_rest(panels, rests[i].dt),
                       &found[i]))
            return false;
    write_notes(to);
    if (!draw_deepest(to, animal) ||
        !take_pile(&panels[IN_PILE], pile_steps(to)))
        return false;
    page_plots(to, "popcorn", panels, PANELS, 4);
    write_rests(to, found);
    claim_overlaps(to, panels);
    claim_rests(to, found);
    return shoot_bullets(to);
}
