/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Mass of bodies: summed up from shapes, stored, read from callers. */

#include "api.h"

/* Adds a shape to mass data: in pass 0 its mass; in pass 1 its part of the
 * centre, which needs the mass of all shapes; in pass 2 its part of the
 * inertia, which needs the centre. */
static void add_shape_mass(const vsp_world *world, const vsp__shape *shape,
                           uint32_t pass, vsp__mass_data *sum,
                           vsp__s3_sums *sums)
{
    vsp__mass_data own;
    vsp__num share;

    vsp__find_shape_mass(world, shape, &own);
    if (pass == 0) {
        sum->mass = w_add(sum->mass, own.mass);
        return;
    }
    share = w_to_unit(w_div(own.mass, sum->mass));
    if (pass == 1) {
        u3_move(&sum->center, share, &own.center);
        return;
    }
    vsp__sums_add_s3(sums, share, &own.inertia);
    v3_sub_in(&own.center, &sum->center);
    vsp__sums_add_point(sums, r_of_unit(share), &own.center);
}

vsp__shape_list vsp__shapes_of(const vsp_world *world)
{
    vsp__shape_list list;

    list.world = world;
    list.shapes = world->shapes;
    return list;
}

/* Sums up the mass of a body's shapes, with the shape `more` and without the
 * one in slot `without`, in the order that the list will have.  So a restored
 * body has the same mass data to the bit. */
static void add_shape_masses(const vsp__shape_list *list, const vsp__body *body,
                             const vsp__shape *more, uint32_t without,
                             vsp__mass_data *sum)
{
    const vsp__shape *shapes = list->shapes;
    vsp__s3_sums sums;
    uint32_t i, pass;

    vsp__zero_bytes(sum, sizeof *sum);
    vsp__zero_bytes(&sums, sizeof sums);
    for (pass = 0; pass < 3; pass++) {
        if (pass > 0 && !w_less(VSP__W_ZERO, sum->mass))
            return;
        if (more != NULL)
            add_shape_mass(list->world, more, pass, sum, &sums);
        for (i = body->first_shape; i != 0; i = shapes[i - 1u].next_shape)
            if (i - 1u != without)
                add_shape_mass(list->world, &shapes[i - 1u], pass, sum, &sums);
    }
    vsp__sums_to_s3(&sums, &sum->inertia);
}

void vsp__find_body_mass(const vsp__shape_list *list, const vsp__body *body,
                         const vsp__shape *more, uint32_t without,
                         vsp__mass_data *m)
{
    if (vsp__type_of_body(body) != (uint32_t)VSP_DYNAMIC + 1u ||
        body->mass_given == 2) {
        *m = body->mass_data; /* keeps its mass data */
        return;
    }
    add_shape_masses(list, body, more, without, m);
    if (body->mass_given == 1 && w_less(VSP__W_ZERO, m->mass))
        m->mass = body->given;
}

/* Thickens a wire-like body a little.  Otherwise, as the body rotates, rounding
 * makes its inertia one that no solid has, and a contact gives it a spin beyond
 * all limits. */
static void thicken_inertia(vsp__sym3 *inertia)
{
    vsp__num least = u_mul(
        VSP__MIN_INERTIA_RATIO,
        v3_largest(v3(inertia->xx, inertia->yy, inertia->zz)));
    vsp__sym3 inverse;

    if (vsp__s3_invert(inertia, VSP__MIN_INERTIA_BITS, &inverse))
        return;
    inertia->xx += least;
    inertia->yy += least;
    inertia->zz += least;
}

void vsp__store_mass(vsp__body *body, const vsp__mass_data *m)
{
    body->mass_data = *m;
    thicken_inertia(&body->mass_data.inertia);
    vsp__flush_each(&body->mass_data, VSP__WORDS(vsp__mass_data));
}

void vsp__set_body_mass(vsp__body *body, const vsp__mass_data *m)
{
    vsp__v3 shift, change;

    v3_sub_to(&m->center, &body->mass_data.center, &shift);
    vsp__q_rotate(&body->rotation, &shift, &shift);
    v3_cross_to(&body->spin, &shift, &change);
    v3_add_in(&body->position, &shift);
    v3_add_in(&body->velocity, &change);
    vsp__clamp_body(body);
    vsp__store_mass(body, m);
}

/* Computes the inertia of one kilogram, m^2, from that of the body, kg m^2. */
static void read_inertia(const vsp_vec3 *inertia, vsp__mass_data *m)
{
    vsp__wide3 all = w3_read(*inertia);
    vsp__s3_sums sums;

    vsp__zero_bytes(&sums, sizeof sums);
    sums.xx = square_of_wide(w_div(all.x, m->mass));
    sums.yy = square_of_wide(w_div(all.y, m->mass));
    sums.zz = square_of_wide(w_div(all.z, m->mass));
    vsp__sums_to_s3(&sums, &m->inertia);
    vsp__flush_each(&m->inertia, VSP__WORDS(vsp__sym3));
}

bool vsp__read_given_mass(vsp_real given, const vsp_vec3 *center,
                          const vsp_vec3 *inertia, vsp__body *body)
{
    vsp__mass_data *m = &body->mass_data;
    vsp__wide3 turned = w3_read(*inertia);
    bool is_plain;

    vsp__flush_each(&turned, VSP__WORDS(vsp__wide3));
    is_plain = !vsp__words_differ(&turned, NULL, VSP__WORDS(vsp__wide3));
    body->given = w_flush(w_read(given));
    body->mass_given = 0;
    if (w_is_zero(body->given))
        return is_plain;
    if (!caller_in(given, VSP_MIN_MASS, VSP_MAX_MASS) ||
        !vsp__is_vector_in_range(center, VSP_MAX_POSITION))
        return false;
    body->mass_given = 1;
    if (is_plain)
        return true;
    body->mass_given = 2;
    m->mass = body->given;
    m->center = v3_read(*center);
    v3_flush_in(&m->center);
    read_inertia(inertia, m);
    return vsp__is_mass_data(m);
}
