/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Which words a GEAR and a PULLEY may have.  Optional: VSP_GEARS. */

#include "state.h"

#if VSP_GEARS

#define MOST_ROPES VSP__REAL(16.0) /* and the least is 1 / 16 */

const vsp__field vsp__rope_fields[VSP__ROPE_FIELDS] = {
    VSP__DEF_FIELD(vsp__joint, frame[0].rotation, vsp_joint_def, pulley_a, 3,
                   VSP__FORM_REAL, VSP__RANGE_POSITION),
    VSP__DEF_FIELD(vsp__joint, frame[1].rotation, vsp_joint_def, pulley_b, 3,
                   VSP__FORM_REAL, VSP__RANGE_POSITION),
    VSP__DEF_FIELD(vsp__joint, ratio, vsp_joint_def, ratio, 1, VSP__FORM_REAL,
                   VSP__RANGE_DAMPING),
};

static const vsp__field teeth_fields[] = {
    VSP__FIELD(vsp__joint, low, 2, VSP__FORM_REAL, VSP__RANGE_POSITION),
    VSP__FIELD(vsp__joint, break_angle, 2, VSP__FORM_REAL, VSP__RANGE_DRIVE),
};

/* Whether the teeth of a gear fit, and a radius is given for racks alone. */
static bool fits_teeth(const vsp__joint *j)
{
    int32_t a, b;

    if (!vsp__are_in_range(j, teeth_fields, VSP__COUNT_OF(teeth_fields)))
        return false;
    a = r_to_int(j->low);
    b = r_to_int(j->high);
    return j->low == r_from_int(a) && j->high == r_from_int(b) && a >= 1 &&
           a <= VSP__MOST_TEETH && b >= -VSP__MOST_TEETH &&
           b <= VSP__MOST_TEETH && a + b != 0 &&
           (b == 0 ? j->break_angle > 0 : j->break_angle == 0) &&
           j->bent >= 0 && j->bent < VSP__REAL(1.0);
}

static bool fits_rope(const vsp__joint *j)
{
    return vsp__are_in_range(j, vsp__rope_fields, VSP__ROPE_FIELDS) &&
           (r_bits(j->frame[0].rotation.w) | r_bits(j->frame[1].rotation.w)) ==
               0 &&
           j->ratio <= MOST_ROPES && j->ratio >= VSP__REAL(0.0625) &&
           j->hertz == 0 && j->break_angle == 0 && j->bent == 0 &&
           w_is_zero(j->yield_torque);
}

bool vsp__plain_joint(const vsp__joint *j, vsp__joint *plain)
{
    bool is_rope = vsp__is_rope(j);

    if (!vsp__is_joint_type(j->type) ||
        (j->flags & (VSP__JOINT_MOTOR | VSP__JOINT_RIGID)) ||
        !(is_rope ? fits_rope(j) : fits_teeth(j)))
        return false;
    *plain = *j;
    plain->ratio = 0;
    if (is_rope) {
        plain->type = VSP_JOINT_DISTANCE;
        plain->frame[0].rotation = plain->frame[1].rotation = q_identity();
    } else {
        plain->type = VSP_JOINT_FIXED;
        plain->low = plain->high = plain->break_angle = plain->bent = 0;
    }
    return is_rope || j->ratio == 0;
}

#endif /* VSP_GEARS */
