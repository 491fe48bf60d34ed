/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Made by a tool; include it in one source file.
 *
 * vsp tables -o port/scenes/tables
 * shell: 3 vertices, 1 triangles, 1 nodes; 140 bytes of ROM
 */

#ifndef SHELL_TRIANGLE_TABLE_H
#define SHELL_TRIANGLE_TABLE_H

#include "vsp.h"

static const vsp_place shell_triangle_vertices[] = {
    {-262144, 0, 0}, {262144, 0, 0}, {0, 454033, 0},
};

static const vsp_triangle shell_triangle_triangles[] = {
    {{0, 1, 2}, 63},
};

static const vsp_mesh_node shell_triangle_nodes[] = {
    {{-262144, 0, 0}, {262144, 454033, 0}, 1, 1, 0, 0, 0},
};

extern const vsp_shell shell_triangle;
const vsp_shell shell_triangle = {
    {VSP_TABLE_SHELL, 3, 1, 1, 0, shell_triangle_vertices,
    shell_triangle_triangles, shell_triangle_nodes}, {0x3dddb220u,
    {0x3c2aa806u, 0x3c2aaaabu, 0x3caaa959u,
    0x00000000u, 0x00000000u, 0x00000000u}, {0, 151344, 0}},
};

#endif
