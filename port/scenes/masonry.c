/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Structures that small errors topple, in this order: a Kapla tower, a course
 * of two bricks, arches of wedge-shaped blocks, with the table of such a
 * block. */

#include "builder.h"
#include "scene_table.h"

#if SCENES_MASONRY


/* ---- Kapla tower ---------------------------------------------------------
 * As in SimBenchmark (Leggedrobotics, 2018): each floor has eight blocks
 * across, and on these two walls of blocks end to end. */

#define KAPLA_STEP 0.2 /* distance of two blocks of a floor, m */
#define KAPLA_MASS 10.0

static void add_kapla(scene_run *run, vec at, vec half)
{
    add_dense_box(run, at, half, KAPLA_MASS / (8.0 * half.x * half.y * half.z));
}

static void add_kapla_wall(scene_run *run, double x, double y, double z)
{
    add_kapla(run, make_vec(x, y + 0.05, z), make_vec(0.1, 0.05, 0.025));
}

static void add_kapla_floor(scene_run *run, double y)
{
    for (int i = 0; i < 8; i++)
        add_kapla(run, make_vec(i * KAPLA_STEP, y + 0.05, 0.0),
                  make_vec(0.025, 0.05, 0.125));
    for (int i = 0; i < 4; i++)
        add_kapla_wall(run, 2.0 * i * KAPLA_STEP + 0.1, y + 0.1, -0.1);
    for (int i = 0; i < 3; i++)
        add_kapla_wall(run, 2.0 * i * KAPLA_STEP + 0.3, y + 0.1, 0.1);
    add_kapla_wall(run, 0.1, y + 0.1, 0.1);
    add_kapla_wall(run, 6.0 * KAPLA_STEP + 0.1, y + 0.1, 0.1);
}

void build_kapla(scene_run *run)
{
    add_floor(run, 0.8, 0.0);
    for (int floor = 0; floor < scene_number(run); floor++)
        add_kapla_floor(run, floor * 0.2);
}


/* ---- Course -------------------------------------------------------------- */

/* Rows of two bricks, offset in turn like those of add_wall. */
void build_course(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    for (int row = 0; row < scene_number(run); row++)
        for (int i = 0; i < 2; i++)
            add_box(run,
                    make_vec((i - 0.5) * 2.01 + ((row & 1) ? 0.45 : -0.45),
                             row + 0.5, 0.0),
                    make_vec(1.0, 0.5, 0.5));
}


/* ---- Arches --------------------------------------------------------------
 * A half circle of equal blocks whose joints point to its centre, on the
 * floor.  It stands if a line of thrust fits into its thickness.  For a given
 * number of blocks, which open at joints alone, the least thickness is smaller
 * than the 0.1075 radii of infinitely many. */

#define ARCH_RADIUS 5.0 /* radius of the middle line, m */
#define ARCH_HALF 0.5   /* half the depth along z, m */

/* The hull of a block. y of its frame points away from the arch's centre, and
 * its origin is on the middle line. */
static struct {
    vsp_place vertices[8];
    vsp_plane planes[6];
} block;

/* corner i: bit 0 set right, bit 1 outside, bit 2 in front */
static const uint8_t block_corners[] = {
    0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6,
};
static const uint16_t block_first[] = {0, 4, 8, 12, 16, 20, 24};
static const vsp_hull_edge block_edges[] = {
    {0, 4, 0, 2}, {4, 6, 0, 5}, {6, 2, 0, 3}, {2, 0, 0, 4},
    {1, 3, 1, 4}, {3, 7, 1, 3}, {7, 5, 1, 5}, {5, 1, 1, 2},
    {0, 1, 2, 4}, {5, 4, 2, 5}, {6, 7, 3, 5}, {3, 2, 3, 4},
};
static vsp_hull block_hull = {
    VSP_TABLE_HULL,
    8,
    6,
    12,
    24,
    block.vertices,
    block.planes,
    block_first,
    block_corners,
    block_edges,
    {0, {0}, {0, 0, 0}},
};

static int32_t rounded(double number)
{
    return (int32_t)(number < 0.0 ? number - 0.5 : number + 0.5);
}

static uint32_t float_bits(double number)
{
    union {
        float number;
        uint32_t bits;
    } nearest;

    nearest.number = (float)number;
    return nearest.bits;
}

/* Sets the plane of a face with this normal, so that all corners are inside. */
static void set_plane(int face, vec n)
{
    vsp_plane *plane = &block.planes[face];
    int64_t most = INT64_MIN;

    plane->x = rounded(n.x * VSP_DIRECTION);
    plane->y = rounded(n.y * VSP_DIRECTION);
    plane->z = rounded(n.z * VSP_DIRECTION);
    for (int i = 0; i < 8; i++) {
        const vsp_place *v = &block.vertices[i];
        int64_t along = (int64_t)plane->x * v->x + (int64_t)plane->y * v->y +
                        (int64_t)plane->z * v->z;

        most = along > most ? along : most;
    }
    /* rounded up, so that no corner is outside */
    plane->offset = (int32_t)(most / VSP_DIRECTION +
                              (most % VSP_DIRECTION > 0 ? 1 : 0));
}

/* Sets volume, centre and inertia of a prism, ARCH_HALF deep, on a trapezium:
 * half as wide as `low` at y0, and as `high` at y0 + height. */
static void set_bulk(double y0, double height, double low, double high)
{
    double sum = low + high;
    double y = height * (low + 2.0 * high) / (3.0 * sum);
    double xx = (low * low + high * high) / 6.0;
    double yy = height * height * (low / 6.0 + high / 2.0) / sum - y * y;
    double zz = ARCH_HALF * ARCH_HALF / 3.0;
    vsp_bulk *bulk = &block_hull.bulk;

    bulk->volume = float_bits(2.0 * ARCH_HALF * height * sum);
    bulk->inertia[0] = float_bits(yy + zz);
    bulk->inertia[1] = float_bits(xx + zz);
    bulk->inertia[2] = float_bits(xx + yy);
    bulk->center.x = bulk->center.z = 0;
    bulk->center.y = rounded((y0 + y) * VSP_PLACE);
}

/* Makes the table of a block; angle is half of the angle that it spans. */
static void make_block(double angle, double thickness)
{
    double s = sine(angle), c = cosine(angle);

    for (int i = 0; i < 8; i++) {
        double radius = ARCH_RADIUS + ((i & 2) ? 0.5 : -0.5) * thickness;
        double x = radius * s;

        block.vertices[i].x = rounded(((i & 1) ? x : -x) * VSP_PLACE);
        block.vertices[i].y = rounded((radius * c - ARCH_RADIUS) * VSP_PLACE);
        block.vertices[i].z = rounded(((i & 4) ? ARCH_HALF : -ARCH_HALF) *
                                      VSP_PLACE);
    }
    set_plane(0, make_vec(-c, -s, 0.0));
    set_plane(1, make_vec(c, -s, 0.0));
    set_plane(2, make_vec(0.0, -1.0, 0.0));
    set_plane(3, make_vec(0.0, 1.0, 0.0));
    set_plane(4, make_vec(0.0, 0.0, -1.0));
    set_plane(5, make_vec(0.0, 0.0, 1.0));
    set_bulk((ARCH_RADIUS - 0.5 * thickness) * c - ARCH_RADIUS, thickness * c,
             (ARCH_RADIUS - 0.5 * thickness) * s,
             (ARCH_RADIUS + 0.5 * thickness) * s);
}

/* Adds an arch of `blocks` blocks.  Its thickness is `critical`, as a fraction
 * of the radius, times the scene's number. */
static void add_arch(scene_run *run, int blocks, double critical)
{
    uint32_t table;

    add_floor(run, 0.8, 0.0);
    make_block(0.5 * PI / blocks, run->variant.number * critical * ARCH_RADIUS);
    if (vsp_world_add_table(run->world, &block_hull, &table, NULL) < 0) {
        run->failures++;
        return;
    }
    for (int i = 0; i < blocks; i++) {
        double angle = (i - (blocks - 1) * 0.5) * PI / blocks;
        piece it = table_piece(make_vec(ARCH_RADIUS * sine(angle),
                                        ARCH_RADIUS * cosine(angle), 0.0),
                               VSP_SHAPE_HULL, table);

        it.turn = about_z(-angle);
        add_piece(run, &it);
    }
}

void build_arch_9(scene_run *run)
{
    add_arch(run, 9, 0.10152546752546232);
}

void build_arch_11(scene_run *run)
{
    add_arch(run, 11, 0.10458914489347071);
}

void build_arch_15(scene_run *run)
{
    add_arch(run, 15, 0.10606803562518831);
}

#endif
