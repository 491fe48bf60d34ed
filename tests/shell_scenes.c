/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* In this order: shapes of sheets; stages; the scenes. */

#include "shell_scenes.h"

#include <stdlib.h>
#include <string.h>

#include "port/geometry/shell.h"

#if VSP_SHELLS


/* ---- Shapes of sheets ---------------------------------------------------- */

#define MAX_POINTS 200
#define MAX_TRIANGLES 200

static vec3 points[MAX_POINTS];
static uint32_t triangles[MAX_TRIANGLES][3];
static size_t point_count, triangle_count;

static void add_triangle(size_t a, size_t b, size_t c)
{
    uint32_t *corner = triangles[triangle_count++];

    corner[0] = (uint32_t)a;
    corner[1] = (uint32_t)b;
    corner[2] = (uint32_t)c;
}

/* Returns a point of a surface; u and v are 0 to 1. */
typedef vec3 surface_place(double u, double v);

/* Makes a grid of cells, each split in two.  If points coincide on two opposite
 * sides the grid is closed; cells with a side of length 0 become triangles. */
static void make_grid(surface_place *place, int across, int along)
{
    size_t row = (size_t)along + 1;

    for (int i = 0; i <= across; i++)
        for (int k = 0; k <= along; k++)
            points[point_count++] = place((double)i / across,
                                          (double)k / along);
    for (size_t i = 0; i < (size_t)across; i++)
        for (size_t k = 0; k < (size_t)along; k++) {
            size_t a = i * row + k, b = a + row;
            bool is_cut_up = (i + k) % 2 != 0;

            add_triangle(a, b, is_cut_up ? b + 1 : a + 1);
            add_triangle(is_cut_up ? a : b, b + 1, a + 1);
        }
}

static vec3 leaf_place(double u, double v)
{
    double width = sin(PI * (0.08 + 0.84 * u));

    return vec_make((u - 0.5) * 0.6,
                    0.08 * cos((u - 0.5) * 2.5) + 0.04 * fabs(v - 0.5) * width,
                    (v - 0.5) * 0.3 * width);
}

static vec3 flat_place(double u, double v)
{
    return vec_make(u - 0.5, 0, v - 0.5);
}

static vec3 card_place(double u, double v)
{
    return vec_make((u - 0.5) * 0.4, 0, (v - 0.5) * 0.3);
}

static vec3 floor_place(double u, double v)
{
    return vec_scale(flat_place(u, v), 6);
}

static vec3 wall_place(double u, double v)
{
    return vec_scale(flat_place(u, v), 4);
}

/* makes the first and the last point of a circle equal */
static double around(double u)
{
    return u < 1 ? 2 * PI * u : 0;
}

static vec3 ring_place(double u, double v)
{
    return vec_make(0.25 * cos(around(u)), (v - 0.5) * 0.06,
                    0.25 * sin(around(u)));
}

/* Makes a part of a sphere, from its lowest point up to an angle. */
static void make_sphere(double radius, double angle, bool is_closed, int across,
                        int along)
{
    size_t n = (size_t)across, last = 1 + n * (size_t)(along - 1);

    points[point_count++] = vec_make(0, -radius, 0);
    for (int k = 1; k < along + (is_closed ? 0 : 1); k++)
        for (int i = 0; i < across; i++) {
            double a = 2 * PI * i / across, b = angle * k / along;

            points[point_count++] = vec_make(radius * sin(b) * cos(a),
                                             -radius * cos(b),
                                             radius * sin(b) * sin(a));
        }
    if (is_closed)
        points[point_count++] = vec_make(0, radius, 0);
    for (size_t i = 0; i < n; i++)
        add_triangle(0, 1 + i, 1 + (i + 1) % n);
    for (size_t k = 0; k + 1 < (size_t)along - (is_closed ? 1 : 0); k++)
        for (size_t i = 0; i < n; i++) {
            size_t a = 1 + k * n + i, b = 1 + k * n + (i + 1) % n;

            add_triangle(a, b, b + n);
            add_triangle(a, b + n, a + n);
        }
    for (size_t i = 0; i < n && is_closed; i++)
        add_triangle(last, last - n + i, last - n + (i + 1) % n);
}

static void make_bin(double width, double height)
{
    for (int k = 0; k < 8; k++)
        points[point_count++] = vec_make(
            (k % 4 == 0 || k % 4 == 3 ? -0.5 : 0.5) * width, k < 4 ? 0 : height,
            (k % 4 < 2 ? -0.5 : 0.5) * width);
    add_triangle(0, 1, 2);
    add_triangle(0, 2, 3);
    for (size_t k = 0; k < 4; k++) {
        size_t next = (k + 1) % 4;

        add_triangle(k, next, next + 4);
        add_triangle(k, next + 4, k + 4);
    }
}

static void make_form(shell_form form)
{
    switch (form) {
    case FORM_LEAF:
        make_grid(leaf_place, 6, 4);
        break;
    case FORM_PLATE:
        make_grid(flat_place, 4, 4);
        break;
    case FORM_CARD:
        make_grid(card_place, 3, 2);
        break;
    case FORM_RING:
        make_grid(ring_place, RING_CORNERS, 1);
        break;
    case FORM_BOWL:
        make_sphere(0.4, 1.35, false, 12, 4);
        break;
    case FORM_BALL:
        make_sphere(0.15, PI, true, 10, 5);
        break;
    case FORM_FLOOR:
        make_grid(floor_place, 1, 1);
        break;
    case FORM_WALL:
        make_grid(wall_place, 4, 4);
        break;
    default:
        make_bin(1.6, 1.6);
        break;
    }
}

/* kept from one test to the next */
static shell_storage forms[FORM_COUNT];

const vsp_shell *shell_of_form(shell_form form)
{
    shell_storage *storage = &forms[form];
    const char *error;

    if (storage->shell.sheet.kind == VSP_TABLE_SHELL)
        return &storage->shell;
    point_count = triangle_count = 0;
    make_form(form);
    error = shell_build(storage, points, point_count, triangles, triangle_count,
                        MESH_LEAF);
    test_note("form %d: %s", (int)form, error ? error : "made");
    CHECK(!error);
    test_note("");
    return &storage->shell;
}


/* ---- Stages -------------------------------------------------------------- */

#define NOISE 1e-5 /* m: random displacement of each body */

vsp_world_def shell_scene_def(double gravity, double dt, vsp_stepper stepper)
{
    vsp_world_def def = vsp_world_def_default();

    def.gravity = real3(0, -gravity, 0);
    def.dt = real(dt);
    def.stepper = stepper;
    def.enable_sleep = false;
    def.capacity.bodies = 128;
    def.capacity.shapes = 128;
    return def;
}

void shell_stage_begin(shell_stage *stage, const vsp_world_def *def,
                       uint32_t seed)
{
    memset(stage, 0, sizeof *stage);
    stage->world = new_world_of(def);
    stage->dice = seed;
}

double shell_between(shell_stage *stage, double low, double high)
{
    stage->dice = stage->dice * 1664525u + 1013904223u;
    return low + (high - low) * (double)(stage->dice >> 8) / 16777216.0;
}

static vec3 any_vector(shell_stage *stage, double size)
{
    double x = shell_between(stage, -size, size);
    double y = shell_between(stage, -size, size);

    return vec_make(x, y, shell_between(stage, -size, size));
}

vsp_shape_def sheet_shape(vsp_world *world, shell_form form)
{
    vsp_flaw flaw = VSP_FLAW_NONE;
    vsp_shape_def shape;
    uint32_t table = 0;

    CHECK_STATUS(
        VSP_OK, vsp_world_add_table(world, shell_of_form(form), &table, &flaw));
    CHECK_UINT(VSP_FLAW_NONE, (uint32_t)flaw);
    shape = vsp_table_shape(VSP_SHAPE_SHELL, table);
    shape.density = real(SHEET_DENSITY);
    shape.material.friction = real(0.3);
    return shape;
}

vsp_body_id stage_body(shell_stage *stage, vsp_body_type type,
                       vsp_shape_def shape, vec3 at, vec3 turn_by)
{
    double angle = vec_length(turn_by);
    vsp_quat rotation = no_turn();
    vsp_body_id body;

    at = vec_add(at, stage->offset);
    if (type == VSP_DYNAMIC)
        at = vec_add(at, any_vector(stage, NOISE));
    if (angle > 0)
        rotation = turn(angle * 180 / PI, turn_by.x / angle, turn_by.y / angle,
                        turn_by.z / angle);
    body = add_turned(stage->world, type, shape, at.x, at.y, at.z, rotation);
    if (type == VSP_DYNAMIC && stage->count < SHELL_BODIES)
        stage->bodies[stage->count++] = body;
    return body;
}

vsp_body_id stage_sheet(shell_stage *stage, vsp_body_type type, shell_form form,
                        vec3 at, vec3 turn_by)
{
    return stage_body(stage, type, sheet_shape(stage->world, form), at,
                      turn_by);
}

void stage_throw(shell_stage *stage, vsp_body_id body, vec3 velocity, vec3 spin)
{
    CHECK_STATUS(
        VSP_OK, vsp_body_set_velocity(stage->world, body,
                                      real3(velocity.x, velocity.y, velocity.z),
                                      real3(spin.x, spin.y, spin.z)));
}

/* Uses that the body's axes are those of its table: the centre of a ring is the
 * mean of its corners. */
void shell_ring_line(const shell_stage *stage, int ring,
                     vec3 line[RING_CORNERS])
{
    vsp_transform pose = vsp_body_transform(stage->world, stage->bodies[ring]);
    double x = num(pose.rotation.x), y = num(pose.rotation.y);
    double z = num(pose.rotation.z), w = num(pose.rotation.w);
    vec3 v = vec_make(x, y, z);

    for (int i = 0; i < RING_CORNERS; i++) {
        vec3 p = ring_place((double)i / RING_CORNERS, 0.5);
        vec3 t = vec_scale(vec_cross(v, p), 2);

        line[i] = vec_add(vec_from(pose.position),
                          vec_add(vec_mad(p, w, t), vec_cross(v, t)));
    }
}


/* ---- Scenes -------------------------------------------------------------- */

#define G 9.81

static const vec3 zero;

static vec3 upward(double y)
{
    return vec_make(0, y, 0);
}

static void add_floor(shell_stage *stage)
{
    (void)stage_sheet(stage, VSP_STATIC, FORM_FLOOR, zero, zero);
}

/* Adds walls and a floor of boxes, 1.6 m wide inside, up to a height. */
static void add_boxes(shell_stage *stage, double height)
{
    vsp_shape_def wall = vsp_box(real(0.1), real(0.5 * height), real(1));
    vsp_shape_def other = vsp_box(real(1), real(0.5 * height), real(0.1));
    vsp_shape_def bottom = vsp_box(real(1), real(0.1), real(1));

    (void)stage_body(stage, VSP_STATIC, bottom, upward(-0.1), zero);
    for (int i = -1; i <= 1; i += 2) {
        (void)stage_body(stage, VSP_STATIC, wall,
                         vec_make(0.9 * i, 0.5 * height, 0), zero);
        (void)stage_body(stage, VSP_STATIC, other,
                         vec_make(0, 0.5 * height, 0.9 * i), zero);
    }
}

static void add_leaves(shell_stage *stage, int count, double low, double step)
{
    for (int i = 0; i < count; i++) {
        vec3 at = any_vector(stage, 0.35), by = any_vector(stage, 0.3);

        at.y = low + step * i;
        by.y *= 10;
        (void)stage_sheet(stage, VSP_DYNAMIC, FORM_LEAF, at, by);
    }
}

static void build_leaves(shell_stage *stage)
{
    (void)stage_sheet(stage, VSP_STATIC, FORM_BIN, zero, zero);
    add_leaves(stage, 40, 0.35, 0.24);
}

static void build_few_leaves(shell_stage *stage)
{
    (void)stage_sheet(stage, VSP_STATIC, FORM_BIN, zero, zero);
    add_leaves(stage, 10, 0.35, 0.24);
}

static void build_leaves_in_boxes(shell_stage *stage)
{
    add_boxes(stage, 2);
    add_leaves(stage, 20, 0.35, 0.24);
}

static void build_plates(shell_stage *stage)
{
    add_floor(stage);
    for (int i = 0; i < 10; i++) {
        vec3 at = any_vector(stage, 0.05), by = zero;

        at.y = 0.05 + 0.05 * i;
        by.y = shell_between(stage, -0.2, 0.2);
        (void)stage_sheet(stage, VSP_DYNAMIC, FORM_PLATE, at, by);
    }
}

/* The first ring is static. */
static void build_chain(shell_stage *stage)
{
    for (int i = 0; i < 8; i++) {
        vec3 by = i % 2 == 0 ? vec_make(0, 0, PI / 2) : vec_make(PI / 2, 0, 0);
        vsp_body_id ring = stage_sheet(stage, i == 0 ? VSP_STATIC : VSP_DYNAMIC,
                                       FORM_RING, upward(-0.4 * i), by);

        if (i == 0)
            stage->bodies[stage->count++] = ring;
        else
            stage_throw(stage, ring, vec_make(1.5 * i / 8, 0, 0.7 * i / 8),
                        zero);
    }
    stage->rings = 8;
}

static void build_bowls(shell_stage *stage)
{
    add_floor(stage);
    for (int i = 0; i < 6; i++) {
        vec3 at = any_vector(stage, 0.02), by = any_vector(stage, 0.1);

        at.y = 0.45 + 0.18 * i;
        by.y *= 10;
        (void)stage_sheet(stage, VSP_DYNAMIC, FORM_BOWL, at, by);
    }
}

/* Shoots a closed sheet or a solid ball down at flat sheets in a pile. */
static void build_shot(shell_stage *stage, int count, double speed,
                       bool is_solid)
{
    vsp_body_id ball;
    vsp_shape_def shape = sheet_shape(stage->world, FORM_BALL);

    add_floor(stage);
    for (int i = 0; i < count; i++)
        (void)stage_sheet(stage, VSP_DYNAMIC, FORM_PLATE,
                          upward(0.05 + 0.03 * i), upward(0.1 * i));
    shape.density = real(200);
    if (is_solid)
        shape = vsp_sphere(real(0.15));
    ball = stage_body(stage, VSP_DYNAMIC, shape, vec_make(0.1, 4, 0.05), zero);
    stage_throw(stage, ball, upward(-speed), zero);
}

static void build_shell_at_100(shell_stage *stage)
{
    build_shot(stage, 10, 100, false);
}

static void build_shell_at_500(shell_stage *stage)
{
    build_shot(stage, 6, 490, false);
}

static void build_ball_at_100(shell_stage *stage)
{
    build_shot(stage, 10, 100, true);
}

static void build_ball_at_500(shell_stage *stage)
{
    build_shot(stage, 6, 490, true);
}

/* Shoots leaves at a wall, a sheet across x. */
static void build_shots(shell_stage *stage)
{
    (void)stage_sheet(stage, VSP_STATIC, FORM_WALL, zero,
                      vec_make(0, 0, PI / 2));
    for (int i = 0; i < 27; i++) {
        vec3 by = any_vector(stage, 3), spin = any_vector(stage, 10);
        vec3 v = any_vector(stage, 1);
        vsp_body_id leaf;

        v.x = 200;
        leaf = stage_sheet(stage, VSP_DYNAMIC, FORM_LEAF,
                           vec_make(-3 - 0.7 * (i / 9), -1.2 + 1.2 * (i % 3),
                                    -1.2 + 1.2 * (i / 3 % 3)),
                           by);
        stage_throw(stage, leaf, v, spin);
    }
}

/* A plate of 2 t falls on leaves. */
static void build_press(shell_stage *stage)
{
    vsp_shape_def heavy = sheet_shape(stage->world, FORM_PLATE);
    vsp_body_id plate;

    (void)stage_sheet(stage, VSP_STATIC, FORM_BIN, zero, zero);
    add_leaves(stage, 10, 0.3, 0.24);
    heavy.density = real(2000);
    plate = stage_body(stage, VSP_DYNAMIC, heavy, upward(3), zero);
    stage_throw(stage, plate, upward(-20), zero);
}

static void build_box(shell_stage *stage)
{
    (void)stage_sheet(stage, VSP_STATIC, FORM_BIN, zero, zero);
    (void)stage_sheet(stage, VSP_STATIC, FORM_FLOOR, upward(1.62), zero);
    for (int i = 0; i < 12; i++) {
        vec3 at = any_vector(stage, 0.35), by = any_vector(stage, 0.1);

        at.y = 0.1 + 1.35 * i / 12;
        (void)stage_sheet(stage, VSP_DYNAMIC, FORM_LEAF, at, by);
    }
}

static void throw_all(shell_stage *stage, uint32_t step, double speed)
{
    double dt = num(vsp_world_dt(stage->world));
    uint32_t second = (uint32_t)(1 / dt + 0.5);

    if (step % second != second - 1)
        return;
    stage->throws++;
    for (int i = 0; i < stage->count; i++) {
        vec3 v = any_vector(stage, speed), spin = any_vector(stage, speed);

        v.y = 0.3 * fabs(v.y);
        stage_throw(stage, stage->bodies[i], v, spin);
    }
}

static void throw_slowly(shell_stage *stage, uint32_t step)
{
    throw_all(stage, step, 15);
}

static void throw_fast(shell_stage *stage, uint32_t step)
{
    throw_all(stage, step, 60);
}

/* Cards fall flat on the edge of a box. */
static void build_edge(shell_stage *stage)
{
    vsp_shape_def box = vsp_box(real(0.3), real(0.3), real(1));

    (void)stage_body(stage, VSP_STATIC, box, zero, vec_make(0, 0, PI / 4));
    for (int i = 0; i < 3; i++) {
        vsp_body_id card = stage_sheet(
            stage, VSP_DYNAMIC, FORM_CARD,
            vec_make(0.1 * i - 0.1, 2 + 0.5 * i, 0.5 * i - 0.5),
            vec_make(0, 0.3 * i, 0));

        stage_throw(stage, card, upward(-200), zero);
    }
}

#define LEAN 0.35 /* rad: of cards of a house, from the vertical */

/* Adds two cards that lean on each other. */
static void add_lean_cards(shell_stage *stage, double x, double y)
{
    double wide = 0.2 * sin(LEAN) + 0.0015, high = 0.2 * cos(LEAN) + 0.0022;

    for (int side = -1; side <= 1; side += 2)
        (void)stage_sheet(stage, VSP_DYNAMIC, FORM_CARD,
                          vec_make(x + side * wide, y + high, 0),
                          vec_make(0, 0, (PI / 2 + side * LEAN)));
}

static void build_house(shell_stage *stage)
{
    double storey = 0.4 * cos(LEAN) + 0.0066;

    (void)add_ground(stage->world);
    add_lean_cards(stage, -0.15, 0);
    add_lean_cards(stage, 0.15, 0);
    (void)stage_sheet(stage, VSP_DYNAMIC, FORM_CARD, upward(storey - 0.002),
                      zero);
    add_lean_cards(stage, 0, storey - 0.002);
}

/* Bodies on a sheet that extends beyond the edges of a box. */
static void build_table(shell_stage *stage)
{
    vsp_shape_def things[4];

    (void)stage_body(stage, VSP_STATIC,
                     vsp_box(real(0.35), real(0.25), real(0.35)), upward(0.25),
                     zero);
    (void)add_ground(stage->world);
    (void)stage_sheet(stage, VSP_DYNAMIC, FORM_PLATE, upward(0.51), zero);
    things[0] = vsp_box(real(0.1), real(0.1), real(0.1));
    things[1] = vsp_sphere(real(0.1));
    things[2] = vsp_capsule(real(0.05), real(0.1));
    things[3] = sheet_shape(stage->world, FORM_LEAF);
    for (int i = 0; i < 4; i++) {
        if (i < 3)
            things[i].density = real(300);
        (void)stage_body(
            stage, VSP_DYNAMIC, things[i],
            vec_make(i % 2 ? 0.2 : -0.2, 0.7 + 0.1 * i, i / 2 ? 0.2 : -0.2),
            vec_make(0, 0, i == 2 ? PI / 2 : 0));
    }
}

/* fraction of their paths that sheets which are shot may lose */
#define LOST_BY_SHOTS 0.15

const shell_scene shell_scenes[] = {
    {"leaves", build_leaves, NULL, G, 4, 1.8, 0, 1.2, 0.002},
    {"few_leaves", build_few_leaves, NULL, G, 5, 3, 0.05, 0.6, 0.002},
    {"leaves_in_boxes", build_leaves_in_boxes, NULL, G, 4, 3, 0, 1, 0.002},
    {"plates", build_plates, NULL, G, 5, 3, 0.01, 0.025, 0.02},
    {"chain", build_chain, NULL, G, 6, 3, 0, 0, 0.005},
    {"bowls", build_bowls, NULL, G, 5, 1.5, 0, 1, 0.1},
    {"shell_at_100", build_shell_at_100, NULL, G, 2, 1, 0, 0, LOST_BY_SHOTS},
    {"shell_at_500", build_shell_at_500, NULL, G, 1, 1, 0, 0, 0.1},
    {"ball_at_100", build_ball_at_100, NULL, G, 2, 1, 0, 0, LOST_BY_SHOTS},
    {"ball_at_500", build_ball_at_500, NULL, G, 1, 1, 0, 0, 0.05},
    {"shots", build_shots, NULL, 0, 2, 2, 0, 0, LOST_BY_SHOTS},
    {"press", build_press, NULL, G, 3, 1, 0, 0, 0.6},
    {"box", build_box, throw_slowly, G, 10, 3, 0, 0, 0.05},
    {"wild_box", build_box, throw_fast, G, 10, 2, 0, 0, 0.3},
    {"edge", build_edge, NULL, G, 2, 2, 0, 0, LOST_BY_SHOTS},
    {"house", build_house, NULL, G, 5, 5, 0.01, 0.6, 1},
    {"table", build_table, NULL, G, 5, 5, 0, 0.7, 0.05},
    {NULL, NULL, NULL, 0, 0, 0, 0, 0, 0},
};

const shell_scene *shell_scene_named(const char *name)
{
    const shell_scene *it = shell_scenes;

    while (it->name && strcmp(it->name, name) != 0)
        it++;
    return it;
}

#endif /* VSP_SHELLS */
