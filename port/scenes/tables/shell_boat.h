/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Made by a tool; include it in one source file.
 *
 * vsp tables -o port/scenes/tables
 * shell: 10 vertices, 11 triangles, 7 nodes; 496 bytes of ROM
 */

#ifndef SHELL_BOAT_TABLE_H
#define SHELL_BOAT_TABLE_H

#include "vsp.h"

static const vsp_place shell_boat_vertices[] = {
    {-272630, 146801, 125829}, {-272630, 0, 0}, {-272630, 146801, -125829},
    {0, 146801, 167772}, {0, 0, 0}, {0, 146801, -167772},
    {188744, 146801, 115343}, {188744, 0, 0}, {188744, 146801, -115343},
    {314573, 167772, 0},
};

static const vsp_triangle shell_boat_triangles[] = {
    {{1, 5, 2}, 63}, {{1, 4, 5}, 26}, {{0, 1, 2}, 41}, {{0, 4, 1}, 8},
    {{0, 3, 4}, 26}, {{3, 7, 4}, 26}, {{4, 8, 5}, 26}, {{3, 6, 7}, 26},
    {{4, 7, 8}, 16}, {{6, 9, 7}, 26}, {{7, 9, 8}, 16},
};

static const vsp_mesh_node shell_boat_nodes[] = {
    {{-272630, 0, -167772}, {314573, 167772, 167772}, 7, 0, 0, 0, 0},
    {{-272630, 0, -167772}, {0, 146801, 167772}, 4, 0, 0, 0, 0},
    {{-272630, 0, -167772}, {0, 146801, 125829}, 3, 3, 0, 0, 0},
    {{-272630, 0, 0}, {0, 146801, 167772}, 4, 2, 0, 3, 0}, {{0, 0, -167772},
    {314573, 167772, 167772}, 7, 0, 0, 0, 0}, {{0, 0, -167772},
    {188744, 146801, 167772}, 6, 4, 0, 5, 0}, {{188744, 0, -115343},
    {314573, 167772, 115343}, 7, 2, 0, 9, 0},
};

extern const vsp_shell shell_boat;
const vsp_shell shell_boat = {
    {VSP_TABLE_SHELL, 10, 11, 7, 0, shell_boat_vertices, shell_boat_triangles,
    shell_boat_nodes}, {0x3e6045beu, {0x3bee6dc1u, 0x3cf65473u, 0x3cd60ec3u,
    0xba18b0c6u, 0xb93a4729u, 0xb7379a8fu}, {-24958, 79365, -79}},
};

#endif
