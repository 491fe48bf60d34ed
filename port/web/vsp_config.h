/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The options of the page: capacities for the largest scene, as in the host
 * tool, so a scene that both run has the same hash. */

#define VSP_SHELLS 1
#define VSP_MAX_RUNTIME_HULLS 8
#define VSP_MAX_BODIES 4096
#define VSP_MAX_SHAPES 4096
#define VSP_MAX_PAIRS 60000
#define VSP_MAX_MANIFOLDS 24000
#define VSP_MAX_CONTACTS 96000
#define VSP_MAX_JOINTS 4096
#define VSP_MAX_TABLES 64

/* A scene with nothing to see, that calls what no other scene does. */
#define SCENES_SURVEY 0
