/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Options to start from: copy this file into your project, change what you
 * need, and put its folder on the include path of everything that includes
 * vsp.h.  If the file has another name, or the compiler has no __has_include:
 *
 *     -DVSP_CONFIG='"path/to/your_options.h"'
 *
 * These are the defaults.  vsp.h gives the meaning and the limits of each,
 * docs/SIZE.md its bytes.  To choose capacities, run your game and read the
 * high-water marks of vsp_world_stats. */

#ifndef VSP_CONFIG_H
#define VSP_CONFIG_H

/* bodies of all types together */
#define VSP_MAX_BODIES 64
#define VSP_MAX_SHAPES VSP_MAX_BODIES

/* pairs of shapes whose bounding boxes touch */
#define VSP_MAX_PAIRS (6 * VSP_MAX_BODIES)

/* pairs of shapes that touch */
#define VSP_MAX_MANIFOLDS (4 * VSP_MAX_BODIES)

/* contact points of those pairs, up to 4 for two boxes */
#define VSP_MAX_CONTACTS (3 * VSP_MAX_MANIFOLDS)

/* Called with each condition that must hold; omit it in a release.
 * #define VSP_ASSERT(condition) ((condition) ? (void)0 : your_halt()) */

/* Read at each change of phase, for the ticks of vsp_world_stats.  This is the
 * cycle counter of a Cortex-M3 and up, which must be switched on.
 * #define VSP_CLOCK (*(volatile uint32_t *)0xe0001004) */

#endif
