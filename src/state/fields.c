/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Arguments of calls; then fields, the numbers of records that have limits:
 * checked, read from a def, shown to a program. */

#include "state.h"


/* ---- Arguments ----------------------------------------------------------- */

bool vsp__is_world(const vsp_world *world)
{
    return world != NULL && world->magic == VSP__WORLD_MAGIC &&
           world->options == VSP_OPTIONS;
}

bool vsp__is_vector_in_range(const vsp_vec3 *v, vsp_real limit)
{
    const vsp_real *part = &v->x;
    uint32_t k;

    for (k = 0; k < 3; k++)
        if (!caller_in(part[k], -limit, limit))
            return false;
    return true;
}

bool vsp__read_pose(const vsp_transform *from, vsp__frame *pose)
{
    pose->position = v3_read(from->position);
    return vsp__is_vector_in_range(&from->position, VSP_MAX_POSITION) &&
           vsp__q_read(from->rotation, &pose->rotation);
}


/* ---- Fields -------------------------------------------------------------- */

/* low and high of each vsp__number_range */
static const vsp_real range_ends[][2] = {
    [VSP__RANGE_POSITION] = {-VSP_MAX_POSITION, VSP_MAX_POSITION},
    [VSP__RANGE_SIZE] = {-VSP_MAX_SIZE, VSP_MAX_SIZE},
    [VSP__RANGE_ROTATION] = {VSP_R(-1.01), VSP_R(1.01)},
    [VSP__RANGE_SPEED] = {-VSP_MAX_SPEED, VSP_MAX_SPEED},
    [VSP__RANGE_FORCE] = {-VSP_MAX_FORCE, VSP_MAX_FORCE},
    [VSP__RANGE_DT] = {VSP_MIN_DT, VSP_MAX_DT},
    [VSP__RANGE_ENVELOPE] = {VSP_R(0.0001), VSP_R(0.1)},
    [VSP__RANGE_FRACTION] = {0, VSP_R(1.0)},
    [VSP__RANGE_SLEEP_TIME] = {0, VSP_R(60.0)},
    [VSP__RANGE_DENSITY] = {0, VSP_R(1.0e9)},
    [VSP__RANGE_FRICTION] = {0, VSP_R(100.0)},
    [VSP__RANGE_DAMPING] = {0, VSP_R(1000.0)},
    [VSP__RANGE_SCALE] = {VSP_R(-100.0), VSP_R(100.0)},
    [VSP__RANGE_MAX_SPEED] = {VSP_R(0.0001), VSP_MAX_SPEED},
    [VSP__RANGE_GIVEN_MASS] = {0, VSP_MAX_MASS},
    [VSP__RANGE_MASS] = {VSP_MIN_MASS, VSP_MAX_MASS},
#if VSP_JOINTS
    [VSP__RANGE_CONE] = {0, VSP__HALF_TURN},
    [VSP__RANGE_STRENGTH] = {0, VSP_MAX_FORCE},
    [VSP__RANGE_BENT] = {0, VSP__MOST_BENT},
    [VSP__RANGE_DRIVE] = {VSP_R(-1.0), VSP_R(1000.0)},
#endif
#if VSP_PAIR_RULES
    [VSP__RANGE_PAIR_FRICTION] = {VSP_R(-1.0), VSP_R(100.0)},
    [VSP__RANGE_PAIR_RESTITUTION] = {VSP_R(-1.0), VSP_R(1.0)},
    [VSP__RANGE_HIT_SPEED] = {0, VSP_MAX_SPEED},
#endif
};

VSP_STATIC_ASSERT(ranges_have_ends, VSP__COUNT_OF(range_ends) ==
                                        (VSP_PAIR_RULES ? VSP__RANGE_HIT_SPEED
                                         : VSP_JOINTS   ? VSP__RANGE_DRIVE
                                                        : VSP__RANGE_MASS) +
                                            1u);

/* converts a caller's number to the bits in a record: rounded, flushed */
static uint32_t bits_of_caller_number(vsp_real a, uint32_t form)
{
    if (form == VSP__FORM_WIDE)
        return w_bits(w_flush(w_read(a)));
    return r_bits(r_flush(form == VSP__FORM_RATE   ? rate_read(a)
                          : form == VSP__FORM_UNIT ? u_read(a)
                                                   : r_read(a)));
}

/* converts a number of a record for the caller */
static vsp_real caller_number_of(vsp__num a, uint32_t form)
{
    return form == VSP__FORM_WIDE   ? w_show(w_from_bits(r_bits(a)))
           : form == VSP__FORM_RATE ? rate_show(a)
           : form == VSP__FORM_UNIT ? u_show(a)
                                    : r_show(a);
}

/* Whether a number is flushed and within low and high.  Both are bits of its
 * format, rounded like the caller's numbers, so that a caller's number equal to
 * a limit is allowed. */
static bool is_in_range(vsp__num a, uint32_t form, uint32_t low, uint32_t high)
{
    if (form == VSP__FORM_WIDE)
        return w_in(w_from_bits(r_bits(a)), w_from_bits(low),
                    w_from_bits(high)) &&
               r_is_flushed(a);
    return r_in(a, r_from_bits(low), r_from_bits(high)) && r_is_flushed(a);
}

bool vsp__are_in_range(const void *state, const vsp__field *f, uint32_t count)
{
    const vsp__num *numbers = (const vsp__num *)state;
    uint32_t k;

    for (; count > 0; f++, count--) {
        uint32_t low = bits_of_caller_number(range_ends[f->range][0], f->form);
        uint32_t high = bits_of_caller_number(range_ends[f->range][1], f->form);

        for (k = 0; k < f->count; k++)
            if (!is_in_range(numbers[f->first + k], f->form, low, high))
                return false;
    }
    return true;
}

void vsp__read_fields(const void *def, void *state, const vsp__field *f,
                      uint32_t count)
{
    vsp__num *numbers = (vsp__num *)state;
    uint32_t k;

    for (; count > 0; f++, count--) {
        const vsp_real *from =
            (const vsp_real *)(const void *)((const unsigned char *)def +
                                             f->from);

        for (k = 0; f->from != 0 && k < f->count; k++)
            numbers[f->first + k] = r_from_bits(
                bits_of_caller_number(from[k], f->form));
    }
}

void vsp__show_fields(const void *state, void *def, const vsp__field *f,
                      uint32_t count)
{
    const vsp__num *numbers = (const vsp__num *)state;
    uint32_t k;

    for (; count > 0; f++, count--) {
        vsp_real *to = (vsp_real *)(void *)((unsigned char *)def + f->from);

        for (k = 0; f->from != 0 && k < f->count; k++)
            to[k] = caller_number_of(numbers[f->first + k], f->form);
    }
}
