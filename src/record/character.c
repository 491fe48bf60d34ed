/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Calls of characters on a recorded world (VSP_REPLAY, VSP_CHARACTER). */

#include "record.h"

#if VSP_REPLAY && VSP_CHARACTER

vsp_status vsp_record_character_apply(vsp_recorder *recorder,
                                      const vsp_character *character)
{
    vsp_status status;
    vsp_vec3 velocity;
    uint32_t i;

    if (recorder == NULL)
        return VSP_ERR_ARG;
    status = vsp__check_character(recorder->world, character);
    if (status < 0)
        return status;
    for (i = 0; i < character->push_count; i++)
        (void)vsp_record_body_apply_impulse(recorder, character->pushes[i].body,
                                            character->pushes[i].impulse,
                                            character->pushes[i].point);
    if (character->def.body.bits == 0)
        return VSP_OK;
    velocity = vsp__character_body_velocity(recorder->world, character);
    return vsp_record_body_set_velocity(recorder, character->def.body, velocity,
                                        vsp__vec3_of(0, 0, 0));
}

#endif /* VSP_REPLAY && VSP_CHARACTER */
