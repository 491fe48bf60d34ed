/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Questions to a world that the scenes' random calls do not ask; the answers
 * are added to the generator's state.  Of shapes first, then of bodies and
 * joints, then a drawing. */

#include "worlds.h"

#include "port/scenes/random_arguments.h"
#include "port/scenes/sums.h"


/* ---- Shapes -------------------------------------------------------------- */

static uint32_t sum_contact(uint32_t sum, const vsp_contact *contact)
{
    sum = sum_vector(sum, contact->normal);
    sum = sum_word(sum, contact->material);
    for (uint32_t i = 0; i < contact->point_count; i++) {
        sum = sum_vector(sum, contact->points[i].position);
        sum = sum_real(sum, contact->points[i].separation);
        sum = sum_word(sum, contact->points[i].feature);
    }
    return sum;
}

static vsp_status ask_contacts(scene_run *run, uint32_t *sum)
{
    vsp_shape_id a = some_shape(run), b = some_shape(run);
    vsp_contact contacts[4];
    uint32_t count = 0;
    vsp_status status = vsp_contacts_between(run->world, a, b, contacts, 4,
                                             &count);

    if (count > 4)
        give_up("two shapes have more than four contacts");
    for (uint32_t i = 0; i < count; i++)
        *sum = sum_contact(*sum, &contacts[i]);
    return status;
}

static vsp_status ask_distance(scene_run *run, uint32_t *sum)
{
    vsp_shape_id a = some_shape(run), b = some_shape(run);
    vsp_distance it;
    vsp_status status = vsp_distance_between(run->world, a, b, &it);

    if (status < 0)
        return status;
    *sum = sum_real(*sum, it.distance);
    *sum = sum_vector(sum_vector(*sum, it.on_a), it.on_b);
    *sum = sum_vector(*sum, it.normal);
    return status;
}

static uint32_t sum_hits(uint32_t sum, const vsp_hit *hits, uint32_t count)
{
    sum = sum_word(sum, count);
    for (uint32_t i = 0; i < count && i < 3; i++)
        sum = sum_hit(sum, &hits[i]);
    return sum;
}

static vsp_status ask_ray_hits(scene_run *run, uint32_t *sum)
{
    vsp_vec3 from = vector(run, 2.0);
    vsp_hit hits[3];
    uint32_t count = 0;
    vsp_status status = vsp_ray_cast_hits(run->world, from, vector(run, 4.0),
                                          NULL, hits, 3, &count);

    *sum = sum_hits(*sum, hits, count);
    return status;
}

static vsp_status ask_cast_hits(scene_run *run, uint32_t *sum)
{
    vsp_shape_def def = unusual_shape(run, false);
    vsp_transform pose = pick_place(run);
    vsp_hit hits[3];
    uint32_t count = 0;
    vsp_status status = vsp_shape_cast_hits(
        run->world, &def, pose, vector(run, 3.0), NULL, hits, 3, &count);

    *sum = sum_hits(*sum, hits, count);
    return status;
}

static vsp_status ask_cast(scene_run *run, uint32_t *sum)
{
    vsp_shape_def def = unusual_shape(run, false);
    vsp_transform pose = pick_place(run);
    vsp_hit hit;
    vsp_status status = vsp_shape_cast(run->world, &def, pose, vector(run, 3.0),
                                       NULL, &hit);

    if (status >= 0)
        *sum = sum_hit(*sum, &hit);
    return status;
}

static vsp_real add_hit(void *user, const vsp_hit *hit)
{
    uint32_t *sum = (uint32_t *)user;

    *sum = sum_word(sum_word(*sum, hit->shape.bits), hit->part);
    return VSP_R(1.0);
}

static vsp_status ask_overlap(scene_run *run, uint32_t *sum)
{
    vsp_shape_def def = unusual_shape(run, false);

    return vsp_overlap_shape(run->world, &def, pick_place(run), NULL, add_hit,
                             sum);
}

static vsp_status ask_bounds(scene_run *run, uint32_t *sum)
{
    vsp_bounds bounds;
    vsp_status status = vsp_shape_bounds(run->world, some_shape(run), &bounds);

    if (status >= 0)
        *sum = sum_vector(sum_vector(*sum, bounds.low), bounds.high);
    return status;
}

static vsp_status ask_shells(scene_run *run, uint32_t *sum)
{
    vsp_shape_id worst[2];
    vsp_real gap;
    vsp_status status = vsp_world_check_shells(run->world, worst, &gap);

    if (status < 0)
        return status;
    *sum = sum_word(sum_word(*sum, worst[0].bits), worst[1].bits);
    *sum = sum_real(*sum, gap);
    return status;
}


/* ---- Bodies and joints --------------------------------------------------- */

static vsp_status ask_spring(scene_run *run, uint32_t *sum)
{
    vsp_body_id a = some_body(run), b = some_body(run);
    vsp_real stiffness = number(run, 0.1, 10000.0);
    vsp_real hertz, ratio;
    vsp_status status = vsp_joint_find_spring(
        run->world, a, b, stiffness, number(run, 0.0, 100.0), &hertz, &ratio);

    if (status >= 0)
        *sum = sum_real(sum_real(*sum, hertz), ratio);
    return status;
}

static vsp_status ask_ranges(scene_run *run, uint32_t *sum)
{
    uint32_t count = vsp_range_count(run->world);
    vsp_range range;

    *sum = sum_word(*sum, vsp_hinge_loop_count(run->world));
    *sum = sum_word(*sum, count);
    for (uint32_t i = 0; i < count; i++) {
        if (vsp_range_get(run->world, i, &range) < 0)
            give_up("a range is refused");
        *sum = sum_word(sum_word(*sum, range.start.bits), range.end.bits);
        *sum = sum_real(sum_real(*sum, range.low), range.high);
        *sum = sum_real(*sum, range.distance);
    }
    return VSP_OK;
}


/* ---- Drawings ------------------------------------------------------------ */

static void add_line(void *user, vsp_vec3 a, vsp_vec3 b, uint32_t color)
{
    uint32_t *sum = (uint32_t *)user;

    *sum = sum_word(sum_vector(sum_vector(*sum, a), b), color);
}

static void add_triangle(void *user, vsp_vec3 a, vsp_vec3 b, vsp_vec3 c,
                         uint32_t color)
{
    uint32_t *sum = (uint32_t *)user;

    *sum = sum_word(sum_vector(sum_vector(*sum, a), b), color);
    *sum = sum_vector(*sum, c);
}

static vsp_status draw_parts(const vsp_world *world, uint32_t parts,
                             uint32_t *sum)
{
    vsp_draw draw = {0};

    draw.line = add_line;
    draw.triangle = add_triangle;
    draw.user = sum;
    draw.parts = parts;
    draw.segments = 8;
    draw.cells = 64;
    return vsp_world_draw(world, &draw);
}

uint32_t sum_of_results(const vsp_world *world)
{
    uint32_t sum = 0;

    if (draw_parts(world, VSP_DRAW_CONTACTS | VSP_DRAW_FORCES, &sum) < 0 ||
        draw_parts(world, VSP_DRAW_LAYERS | VSP_DRAW_BOUNDS, &sum) < 0)
        give_up("a drawing is refused");
    return sum;
}

/* Draws what depends on the state alone; surfaces take longer than a step. */
static vsp_status ask_drawing(scene_run *run, uint32_t *sum)
{
    uint32_t parts = VSP_DRAW_JOINTS | VSP_DRAW_BOUNDS | VSP_DRAW_SLEEP;

    if (pick_below(run, 4) == 0)
        parts |= VSP_DRAW_SHAPES | VSP_DRAW_EDGES;
    return draw_parts(run->world, parts, sum);
}


/* ---- One of all ---------------------------------------------------------- */

typedef vsp_status other_question(scene_run *run, uint32_t *sum);

static other_question *const questions[] = {
    ask_contacts,  ask_contacts, ask_distance, ask_distance, ask_ray_hits,
    ask_cast_hits, ask_cast,     ask_overlap,  ask_bounds,   ask_shells,
    ask_spring,    ask_ranges,   ask_drawing,
};

void ask_more(scene_run *run)
{
    uint32_t count = sizeof questions / sizeof questions[0];
    uint32_t which = pick_below(run, count), sum = run->random;
    vsp_status status = questions[which](run, &sum);

    run->random += sum_word(sum, (uint32_t)status);
    run->random += run->random == 0;
}
