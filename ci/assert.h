/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* For gcc -include: makes the engine's assertions stop the program. */

#define VSP_ASSERT(condition) ((condition) ? (void)0 : __builtin_trap())
