/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Sizes of the structs that main.rs has by hand. */

#include "vsp.h"

const uint32_t scene_sizes[3] = {sizeof(vsp_world_def), sizeof(vsp_shape_def),
                                 sizeof(vsp_body_def)};
