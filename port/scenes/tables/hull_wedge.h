/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Made by a tool; include it in one source file.
 *
 * vsp tables -o port/scenes/tables
 * hull: 6 vertices, 5 faces, 9 edges; 294 bytes of ROM
 */

#ifndef HULL_WEDGE_TABLE_H
#define HULL_WEDGE_TABLE_H

#include "vsp.h"

static const vsp_place hull_wedge_vertices[] = {
    {-524288, -262144, -524288}, {524288, -262144, -524288},
    {524288, 262144, -524288}, {-524288, -262144, 524288},
    {524288, -262144, 524288}, {524288, 262144, 524288},
};

static const vsp_plane hull_wedge_planes[] = {
    {-240095971, 480191942, 0, 0}, {0, 0, -536870912, 524288},
    {536870912, 0, 0, 524288}, {0, -536870912, 0, 262144},
    {0, 0, 536870912, 524288},
};

static const uint16_t hull_wedge_first[] = {
    0, 4, 7, 11, 15, 18,
};

static const uint8_t hull_wedge_corners[] = {
    0, 3, 5, 2, 0, 2, 1, 1, 2, 5, 4, 0, 1, 4, 3, 3, 4, 5,
};

static const vsp_hull_edge hull_wedge_edges[] = {
    {0, 3, 0, 3}, {3, 5, 0, 4}, {5, 2, 0, 2}, {2, 0, 0, 1}, {2, 1, 1, 2},
    {1, 0, 1, 3}, {5, 4, 2, 4}, {4, 1, 2, 3}, {4, 3, 3, 4},
};

extern const vsp_hull hull_wedge;
const vsp_hull hull_wedge = {
    VSP_TABLE_HULL, 6, 5, 9, 18, hull_wedge_vertices, hull_wedge_planes,
    hull_wedge_first, hull_wedge_corners, hull_wedge_edges, {0x3e800000u,
    {0x3dc71c72u, 0x3e0e38e4u, 0x3d8e38e4u,
    0xbc638e39u, 0x00000000u, 0x00000000u}, {174763, -87381, 0}},
};

#endif
