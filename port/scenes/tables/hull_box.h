/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Made by a tool; include it in one source file.
 *
 * vsp tables -o port/scenes/tables
 * hull: 8 vertices, 6 faces, 12 edges; 354 bytes of ROM
 */

#ifndef HULL_BOX_TABLE_H
#define HULL_BOX_TABLE_H

#include "vsp.h"

static const vsp_place hull_box_vertices[] = {
    {-524288, -524288, -524288}, {524288, -524288, -524288},
    {-524288, 524288, -524288}, {524288, 524288, -524288},
    {-524288, -524288, 524288}, {524288, -524288, 524288},
    {-524288, 524288, 524288}, {524288, 524288, 524288},
};

static const vsp_plane hull_box_planes[] = {
    {0, 0, -536870912, 524288}, {0, -536870912, 0, 524288},
    {-536870912, 0, 0, 524288}, {0, 536870912, 0, 524288},
    {536870912, 0, 0, 524288}, {0, 0, 536870912, 524288},
};

static const uint16_t hull_box_first[] = {
    0, 4, 8, 12, 16, 20, 24,
};

static const uint8_t hull_box_corners[] = {
    0, 2, 3, 1, 0, 1, 5, 4, 0, 4, 6, 2, 2, 6, 7, 3, 1, 3, 7, 5, 4, 5, 7, 6,
};

static const vsp_hull_edge hull_box_edges[] = {
    {0, 2, 0, 2}, {2, 3, 0, 3}, {3, 1, 0, 4}, {1, 0, 0, 1}, {1, 5, 1, 4},
    {5, 4, 1, 5}, {4, 0, 1, 2}, {4, 6, 2, 5}, {6, 2, 2, 3}, {6, 7, 3, 5},
    {7, 3, 3, 4}, {7, 5, 4, 5},
};

extern const vsp_hull hull_box;
const vsp_hull hull_box = {
    VSP_TABLE_HULL, 8, 6, 12, 24, hull_box_vertices, hull_box_planes,
    hull_box_first, hull_box_corners, hull_box_edges, {0x3f800000u,
    {0x3e2aaaabu, 0x3e2aaaabu, 0x3e2aaaabu,
    0x00000000u, 0x00000000u, 0x00000000u}, {0, 0, 0}},
};

#endif
