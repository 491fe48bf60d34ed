/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Simulations in double by the methods of Erleben 2007 as printed, which the
 * experiments set beside the engine's.  The engine only detects contacts, and
 * its world is moved along so that it can be measured and drawn.
 *
 * Literal means: multipliers start from 0 in each solve; friction is a pyramid;
 * points, normals, gaps and arms stay as they were detected; fixated bodies
 * count as fixed, without velocity; all sweeps are made. */

#ifndef LITERAL_H
#define LITERAL_H

#include "levels.h"

typedef enum literal_method {
    LITERAL_PGS,             /* dynamics(dt), detection, correction() */
    LITERAL_VSP,             /* figure 14 */
    LITERAL_ISP,             /* impulse-based shock propagation: impulses.h */
    LITERAL_CORRECTION,      /* correction() alone */
    LITERAL_SHOCK_CORRECTION /* correction() of each layer, bottom up */
} literal_method;

typedef struct literal_setting {
    literal_method method;
    int sweeps, corrections; /* the paper's: 10 and 5 */
    double fraction;         /* a of figure 14 */
    double stop; /* sweeps end after one that changes no multiplier by more; 0:
                  * all are made */
    double dt;   /* s; 0: the scene's */
} literal_setting;

/* Figure 14 with the paper's numbers. */
#define LITERAL_AS_PRINTED                                     \
    {                                                          \
        .method = LITERAL_VSP, .sweeps = 10, .corrections = 5, \
        .fraction = 0.00125                                    \
    }

/* Starts anew, with the bodies of a world made for contact_detector_def. */
void literal_begin(const literal_setting *setting);

/* Makes a step, as watch.advance.  Returns false, and prints why on stderr, if
 * detection fails. */
bool literal_step(scene_run *run, uint32_t step);

/* Returns the number of sweeps of dynamics() since literal_begin. */
double literal_sweeps(void);

#endif
