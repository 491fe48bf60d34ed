/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What a def has of a GEAR and a PULLEY.  Optional: VSP_GEARS. */

#include "api.h"

#if VSP_GEARS

/* Whether a def leaves at 0 what neither type has. */
static bool has_no_drive(const vsp_joint_def *def)
{
    return def->limit_hertz == 0 && def->limit_damping == 0 &&
           def->motor_mode == VSP_MOTOR_SPEED && def->motor_target == 0 &&
           def->motor_hertz == 0 && def->motor_damping == 0 &&
           def->yield_torque == 0 && def->break_angle == 0 &&
           (def->locked | def->limited | def->driven) == 0;
}

/* Whether a def has a ratio or points of a rope: consecutive reals. */
static bool has_rope(const vsp_joint_def *def)
{
    const vsp_real *numbers = &def->ratio;
    uint32_t k;

    for (k = 0; k < 7; k++)
        if (numbers[k] != 0)
            return true;
    return false;
}

bool vsp__fits_gear_def(const vsp_joint_def *def)
{
    bool is_gear = def->type == VSP_JOINT_GEAR;
    bool is_rope = def->type == VSP_JOINT_PULLEY;

    if ((!is_gear && (def->teeth_a != 0 || def->teeth_b != 0)) ||
        (!is_rope && has_rope(def)) ||
        (is_gear && (def->enable_limit || def->low != 0 || def->high != 0)))
        return false;
    return !(is_gear || is_rope) || has_no_drive(def);
}

void vsp__read_gear(const vsp_joint_def *def, vsp__joint *j)
{
    const int32_t most = VSP__MOST_TEETH;

    if (vsp__is_rope(j)) {
        vsp__read_fields(def, j, vsp__rope_fields, VSP__ROPE_FIELDS);
        j->frame[0].rotation.w = j->frame[1].rotation.w = 0;
        if (def->ratio == 0)
            j->ratio = VSP__REAL(1.0);
    } else if (def->teeth_a > 0 && def->teeth_a <= most &&
               def->teeth_b >= -most && def->teeth_b <= most) {
        j->low = r_from_int(def->teeth_a);
        j->high = r_from_int(def->teeth_b);
        j->break_angle = def->teeth_b == 0 ? VSP__REAL(1.0) : 0;
    }
}

void vsp__show_gear(const vsp__joint *j, vsp_joint_def *def)
{
    if (!vsp__is_gearing(j))
        return;
    if (j->type == VSP_JOINT_GEAR) {
        def->teeth_a = r_to_int(j->low);
        def->teeth_b = r_to_int(j->high);
        return;
    }
    vsp__show_fields(j, def, vsp__rope_fields, VSP__ROPE_FIELDS);
    vsp__zero_bytes(&def->frame_a.rotation, sizeof def->frame_a.rotation);
    def->frame_a.rotation.w = VSP_R(1.0);
    def->frame_b.rotation = def->frame_a.rotation;
}

#endif /* VSP_GEARS */
