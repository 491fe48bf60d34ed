/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Colours by type, by body and by layer. */

#include "colour.h"

#include "port/scenes/scene.h"

/* Screens show about the square of a value, so the linear value is its
 * square. */
vec3 colour_from_display(double red, double green, double blue)
{
    return vec_make(red * red, green * green, blue * blue);
}


/* ---- By type ------------------------------------------------------------ */

static uint32_t scramble_bits(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

static const vec3 box_tints[5] = {{0.83, 0.55, 0.42},
                                  {0.88, 0.67, 0.48},
                                  {0.77, 0.48, 0.38},
                                  {0.91, 0.77, 0.60},
                                  {0.80, 0.61, 0.50}};
static const vec3 ball_tints[3] = {
    {0.91, 0.48, 0.38}, {0.38, 0.66, 0.74}, {0.94, 0.78, 0.44}};

static vec3 kind_tint(const solid *it, uint32_t number)
{
    const vec3 *tint;

    if (it->body_type == VSP_STATIC)
        return colour_from_display(0.68, 0.70, 0.72);
    if (it->body_type == VSP_KINEMATIC)
        return colour_from_display(0.44, 0.62, 0.58);
    if ((it->user & SCENE_TRACK) == 0)
        return colour_from_display(0.34, 0.38, 0.45);
    tint = it->type == VSP_SHAPE_SPHERE || it->type == VSP_SHAPE_CAPSULE ||
                   it->type == VSP_SHAPE_TAPER
               ? &ball_tints[number % 3]
               : &box_tints[number % 5];
    return colour_from_display(tint->x, tint->y, tint->z);
}

void colour_bodies(const solid *solids, int count, vec3 *out)
{
    for (int i = 0; i < count; i++) {
        uint32_t number = scramble_bits(body_slot(solids[i].body));
        double bright = 0.94 + 0.12 * (double)(number >> 24) / 255.0;

        out[i] = vec_scale(kind_tint(&solids[i], number >> 4), bright);
    }
}


/* ---- By layer ----------------------------------------------------------- */

/* Returns the upper of the two bodies of a contact, against gravity. */
static vsp_body_id upper_body(const vsp_contact *contact, vec3 gravity)
{
    return vec_dot(vec_from(contact->normal), gravity) < 0.0 ? contact->body_b
                                                             : contact->body_a;
}

/* Writes for the body in each slot one more than the layer in which its support
 * was solved; 0 without support.  Returns the highest. */
static uint32_t find_layers(const vsp_world *world, uint32_t *layers)
{
    vec3 gravity = vec_from(vsp_world_gravity(world));
    uint32_t highest = 0;

    for (int i = 0; i < VSP_MAX_BODIES; i++)
        layers[i] = 0;
    for (uint32_t i = 0; i < vsp_contact_count(world); i++) {
        vsp_contact contact;
        uint32_t *layer;

        if (vsp_contact_get(world, i, &contact) < 0)
            continue;
        layer = &layers[body_slot(upper_body(&contact, gravity))];
        if (*layer < contact.layer + 1)
            *layer = contact.layer + 1;
        highest = *layer > highest ? *layer : highest;
    }
    return highest;
}

/* Returns blue, green and red as part goes from 0 to 1. */
static vec3 rainbow(double part)
{
    double x = 4.0 * part;

    return colour_from_display(fmin(fmax(x - 2.0, 0.15), 0.9),
                               fmin(fmax(fmin(x, 4.0 - x), 0.2), 0.85),
                               fmin(fmax(2.0 - x, 0.15), 0.9));
}

static vec3 layer_tint(uint32_t layer, uint32_t highest)
{
    vec3 tint;

    if (layer == 0)
        return colour_from_display(0.7, 0.7, 0.7);
    tint = rainbow((double)(layer - 1) / (highest > 1 ? highest - 1 : 1));
    return vec_scale(tint, layer % 2 == 0 ? 1.0 : 0.7);
}

vec3 colour_material(vec3 tint, int number)
{
    static const vec3 tints[5] = {{0.62, 0.82, 0.95},
                                  {0.22, 0.22, 0.25},
                                  {0.62, 0.63, 0.66},
                                  {0.62, 0.20, 0.20},
                                  {0.75, 0.58, 0.15}};

    return number > 0 ? tints[(number - 1) % 5] : tint;
}

void colour_layers(const vsp_world *world, const solid *solids, int count,
                   vec3 *out)
{
    static uint32_t layers[VSP_MAX_BODIES];
    uint32_t highest = find_layers(world, layers);

    for (int i = 0; i < count; i++)
        out[i] = solids[i].body_type == VSP_DYNAMIC
                     ? layer_tint(layers[body_slot(solids[i].body)], highest)
                     : layer_tint(0, highest);
}
