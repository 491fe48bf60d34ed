/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Solids in pieces held by joints that can break, in this order: the joint of
 * two pieces; a vase, from its table; a wall of bricks. */

#include "builder.h"
#include "scene_table.h"
#include "tables.h"

#if SCENES_BROKEN


/* ---- The joint of two pieces --------------------------------------------- */

/* A face shared by two pieces, in the scene's frame. */
typedef struct glued_face {
    vec at;       /* centre, m */
    double area;  /* m^2 */
    double lever; /* m: as in vsp_seam */
} glued_face;

/* Joins two pieces by a rigid joint across a face; strength in N/m^2. */
static void glue_pieces(scene_run *run, vsp_body_id a, vsp_body_id b,
                        const glued_face *face, double strength)
{
    double impulse = strength * face->area * run->scene->dt;
    vsp_joint_def def = joint_of(a, b);

    place_joint(run, &def, VSP_JOINT_FIXED, face->at, make_vec(0.0, 1.0, 0.0));
    def.rigid = true;
    def.break_impulse = scene_real(impulse);
    def.break_turn = scene_real(impulse * face->lever);
    make_joint(run, &def);
}


/* ---- Numbers of a table -------------------------------------------------- */

#if VSP_FIXED
/* Converts a real to double in parts of 16 bits: some machines cannot convert
 * 64 bits. */
static double double_of(vsp_real x)
{
    return (double)(int32_t)(x >> 32) +
           (double)(int32_t)(x >> 16 & 0xffff) / 65536.0 +
           (double)(int32_t)(x & 0xffff) / 4294967296.0;
}
#else
static double double_of(vsp_real x)
{
    return (double)x;
}
#endif


/* ---- Vase ---------------------------------------------------------------- */

#define VASE_DROP 0.4     /* height of its lowest point above the floor, m */
#define VASE_SPEED 8.0    /* downward speed, m/s */
#define VASE_TILT 25.0    /* degrees */
#define VASE_DENSITY 2300 /* kg/m^3 */

#define MAX_SHARDS 64

static vsp_body_id shards[MAX_SHARDS];

/* Converts a position from the frame of the solid to that of the scene. */
static vec vase_place(const vsp_place *at)
{
    double x = (double)at->x / VSP_PLACE, y = (double)at->y / VSP_PLACE;
    double s = sine(radians(VASE_TILT)), c = cosine(radians(VASE_TILT));

    return make_vec(c * x - s * y, VASE_DROP + s * x + c * y,
                    (double)at->z / VSP_PLACE);
}

static void add_shard(scene_run *run, uint32_t index)
{
    piece it = table_piece(vase_place(&broken_vase.pieces[index].at),
                           VSP_SHAPE_HULL, index + 1u);

    it.turn = about_z(radians(VASE_TILT));
    it.density = VASE_DENSITY;
    it.velocity.y = -VASE_SPEED;
    shards[index] = add_piece(run, &it);
}

/* A vase falls onto the floor; the scene's number counts its pieces, at most
 * all of them. */
void build_vase(scene_run *run)
{
    uint32_t count = (uint32_t)scene_number(run);

    if (count > broken_vase.piece_count)
        count = broken_vase.piece_count;
    if (count > MAX_SHARDS)
        count = MAX_SHARDS;
    add_tables(run, count > SHARDS ? TABLES_VASE : TABLES_SHARDS);
    add_floor(run, 0.5, 0.1);
    for (uint32_t i = 0; i < count; i++)
        add_shard(run, i);
    for (uint32_t i = 0; i < broken_vase.seam_count; i++) {
        const vsp_seam *seam = &broken_vase.seams[i];
        glued_face face;

        face.at = vase_place(&seam->at);
        face.area = double_of(seam->area);
        face.lever = double_of(seam->lever);
        if (seam->b < count)
            glue_pieces(run, shards[seam->a], shards[seam->b], &face,
                        double_of(broken_vase.strength));
    }
}


/* ---- Wall ----------------------------------------------------------------
 * Rows of bricks of random lengths; every second row begins with half a brick.
 * Mortar joins each brick to the neighbours that it touches, and the lowest row
 * to the floor. */

#define BRICK_LENGTH 0.24 /* mean length, m */
#define BRICK_HEIGHT 0.15
#define BRICK_DEPTH 0.2
#define MORTAR 3e5 /* N/m^2 */
#define MAX_ROW 64 /* most bricks of a row */
#define HALF_GYRATION                                      \
    0.14433756729740643 /* lever of a strip over its width \
                         */

/* A row of bricks: brick i extends from end[i] to end[i + 1] along x. */
typedef struct brick_row {
    double end[MAX_ROW + 1];
    vsp_body_id brick[MAX_ROW];
} brick_row;

static brick_row brick_rows[2]; /* even rows, odd rows */

static void glue_bricks(scene_run *run, vsp_body_id a, vsp_body_id b, vec at,
                        double length)
{
    glued_face face;

    face.at = at;
    face.area = length * BRICK_DEPTH;
    face.lever = HALF_GYRATION * (length < BRICK_DEPTH ? length : BRICK_DEPTH);
    glue_pieces(run, a, b, &face, MORTAR);
}

static void add_bricks(scene_run *run, brick_row *to, int row, int count)
{
    double y = BRICK_HEIGHT * (row + 0.5), middle = 0.5 * count;
    uint32_t dice = (uint32_t)row * 2654435761u + 999u;

    for (int i = 0; i <= count; i++) {
        double shift = i == 0 || i == count
                           ? 0.0
                           : 0.2 * next_random(&dice) - ((row & 1) ? 0.5 : 0.0);

        to->end[i] = BRICK_LENGTH * (i + shift - middle);
    }
    for (int i = 0; i < count; i++) {
        double low = to->end[i], high = to->end[i + 1];

        to->brick[i] = add_dense_box(
            run, make_vec(0.5 * (low + high), y, 0.0),
            make_vec(0.5 * (high - low), 0.5 * BRICK_HEIGHT, 0.5 * BRICK_DEPTH),
            1800.0);
        if (i > 0)
            glue_bricks(run, to->brick[i - 1], to->brick[i],
                        make_vec(low, y, 0.0), BRICK_HEIGHT);
    }
}

/* Joins two rows wherever a brick lies on another. */
static void glue_rows(scene_run *run, const brick_row *under,
                      const brick_row *over, int row, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++) {
            double low = under->end[i], high = under->end[i + 1];

            low = over->end[k] > low ? over->end[k] : low;
            high = over->end[k + 1] < high ? over->end[k + 1] : high;
            if (high - low > 0.01)
                glue_bricks(
                    run, under->brick[i], over->brick[k],
                    make_vec(0.5 * (low + high), BRICK_HEIGHT * row, 0.0),
                    high - low);
        }
}

/* A wall of bricks; the scene's number is the bricks of a row.  It has two rows
 * for each five bricks. */
void build_shot_wall(scene_run *run)
{
    vsp_body_id floor = add_floor(run, 0.6, 0.0);
    int count = scene_number(run) < MAX_ROW ? scene_number(run) : MAX_ROW;

    for (int row = 0; row < count * 2 / 5; row++) {
        brick_row *it = &brick_rows[row & 1];

        add_bricks(run, it, row, count);
        for (int i = 0; i < count && row == 0; i++)
            glue_bricks(run, floor, it->brick[i],
                        make_vec(0.5 * (it->end[i] + it->end[i + 1]), 0.0, 0.0),
                        it->end[i + 1] - it->end[i]);
        if (row > 0)
            glue_rows(run, &brick_rows[(row + 1) & 1], it, row, count);
    }
}

/* Shoots a ball of 0.9 t at 30 m/s at the wall. */
void drive_shot_wall(scene_run *run, uint32_t step)
{
    double height = BRICK_HEIGHT * scene_number(run) / 5.0;

    if (step == 5)
        run->marks[0] = add_missile(
            run, ball_piece(make_vec(0.3, height + 0.1, 2.0), 0.3), 7800.0,
            make_vec(0.0, 0.0, -30.0));
}

#endif
