/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The engine, compiled with the options of this sketch. */

#include "vsp_config.h"

#define VSP_IMPLEMENTATION
#include <vsp.h>
