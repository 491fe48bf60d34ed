/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Makes sheets without thickness, as tables. */

#ifndef SHELL_H
#define SHELL_H

#include "mesh.h"

#define SHELL_MAX 4096 /* most vertices, triangles, nodes of the tree */

/* A table and its arrays, from malloc; free it with shell_free.  It may be
 * moved: nothing in it points to itself. */
typedef struct shell_storage {
    vsp_shell shell;
    mesh_storage sheet; /* owns the arrays of the shell */
    size_t bad_count;   /* after an error: how many triangles of the input cause
                         * it, 0 to 2 */
    size_t bad[2];      /* their indices in the input */
} shell_storage;

/* Builds a shell from points, in m, and triangles, oriented either way.  Points
 * that round to the same position become one, points without a triangle are
 * left out, and triangles are reordered.  So a grid whose opposite sides
 * coincide becomes a ring, and one whose side is a point becomes a bowl, if the
 * input has no triangles without area.  A leaf of the tree has at most `leaf`
 * triangles, 1 to 8: MESH_LEAF is a good value.  Returns null if done, and a
 * world then accepts the table; else the reason, such as a triangle that is
 * thin or repeated, or two that cross or touch where they share no corner.
 * After an error there is nothing to free. */
const char *shell_build(shell_storage *out, const vec3 *points,
                        size_t point_count, uint32_t (*triangles)[3],
                        size_t triangle_count, int leaf);

/* Write the parts of a shell that a mesh does not have: the marks and the bulk.
 * shell_build calls both. shell_weigh returns false if there is no memory. */
void shell_mark(const vsp_mesh *sheet, vsp_triangle *triangles);
bool shell_weigh(vsp_shell *shell);

void shell_free(shell_storage *shell);

/* Returns the bytes of the table and its arrays on a machine with addresses of
 * 4 bytes. */
size_t shell_bytes(const vsp_shell *shell);

void shell_write(table_text *text, const table_origin *origin,
                 const vsp_shell *shell);

#endif
