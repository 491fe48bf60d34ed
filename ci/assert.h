/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* For gcc -include: the engine's checks of itself stop the program. */

#define VSP_ASSERT(condition) ((condition) ? (void)0 : __builtin_trap())
