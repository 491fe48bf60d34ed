/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Drawing: surfaces enclose the volume of their solids, lines are where joints,
 * contacts and forces are, colours tell layers and sleep, bad settings are
 * refused, and nothing in the world changes. */

#include "scene_fixture.h"

#include "port/scenes/tables.h"

#include <math.h>
#include <string.h>


/* ---- What was drawn ------------------------------------------------------ */

#define KEPT_LINES 4096

typedef struct drawn_line {
    vec3 a, b;
    uint32_t color;
} drawn_line;

/* Sums over all triangles, and all lines. */
typedef struct drawn {
    uint32_t triangles, lines;
    double volume; /* m^3, enclosed by the triangles; outward is positive */
    vec3 moment;   /* m^3: the sum of their area vectors, 0 if closed */
    vec3 low, high;
    double length; /* m, of all lines */
    uint32_t color;
    drawn_line kept[KEPT_LINES];
} drawn;

static drawn seen;

static void see_point(vec3 p)
{
    seen.low = vec_min(seen.low, p);
    seen.high = vec_max(seen.high, p);
}

static void see_line(void *user, vsp_vec3 a, vsp_vec3 b, uint32_t color)
{
    drawn_line line = {vec_from(a), vec_from(b), color};

    CHECK(user == &seen);
    see_point(line.a);
    see_point(line.b);
    seen.length += vec_length(vec_sub(line.b, line.a));
    seen.color = color;
    if (seen.lines < KEPT_LINES)
        seen.kept[seen.lines] = line;
    seen.lines++;
}

static void see_triangle(void *user, vsp_vec3 a, vsp_vec3 b, vsp_vec3 c,
                         uint32_t color)
{
    vec3 p = vec_from(a), q = vec_from(b), r = vec_from(c);
    vec3 area = vec_scale(vec_cross(vec_sub(q, p), vec_sub(r, p)), 0.5);

    CHECK(user == &seen);
    see_point(p);
    see_point(q);
    see_point(r);
    seen.volume += vec_dot(p, vec_cross(q, r)) / 6.0;
    seen.moment = vec_add(seen.moment, area);
    seen.color = color;
    seen.triangles++;
}

static vsp_draw drawing(uint32_t parts)
{
    vsp_draw draw;

    memset(&draw, 0, sizeof draw);
    draw.line = see_line;
    draw.triangle = see_triangle;
    draw.user = &seen;
    draw.parts = parts;
    return draw;
}

static void look_by(const vsp_world *world, const vsp_draw *draw)
{
    memset(&seen, 0, sizeof seen);
    seen.low = vec_make(1e9, 1e9, 1e9);
    seen.high = vec_scale(seen.low, -1.0);
    CHECK_STATUS(VSP_OK, vsp_world_draw(world, draw));
}

static void look(const vsp_world *world, uint32_t parts)
{
    vsp_draw draw = drawing(parts);

    look_by(world, &draw);
}

/* Returns how many lines go from a to b, in either direction. */
static uint32_t count_lines(vec3 a, vec3 b)
{
    const double near = 0.002;
    uint32_t count = 0;

    for (uint32_t i = 0; i < seen.lines && i < KEPT_LINES; i++) {
        const drawn_line *line = &seen.kept[i];

        count += (vec_length(vec_sub(line->a, a)) < near &&
                  vec_length(vec_sub(line->b, b)) < near) ||
                 (vec_length(vec_sub(line->a, b)) < near &&
                  vec_length(vec_sub(line->b, a)) < near);
    }
    return count;
}


/* ---- Surfaces ------------------------------------------------------------ */

static vsp_shape_def table_def(vsp_world *world, vsp_shape_type type,
                               const void *table)
{
    uint32_t number;

    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, table, &number, NULL));
    return vsp_table_shape(type, number);
}

/* Puts a shape alone into a world, moved and turned. */
static vsp_world *show_shape(const vsp_shape_def *def, vsp_world *world)
{
    vsp_shape_def placed = *def;

    placed.pose.position = real3(0.25, -0.5, 0.125);
    placed.pose.rotation = turn(20.0, 0.6, 0.0, 0.8);
    add_turned(world, VSP_KINEMATIC, placed, 1.0, 2.0, 3.0,
               turn(50.0, 0.0, 0.6, 0.8));
    return world;
}

/* Checks that the surface of a solid is closed and encloses this volume, and
 * that all of its edges are on it. */
static void check_solid(const vsp_shape_def *def, vsp_world *world,
                        double volume, double tolerance)
{
    vec3 low, high;

    show_shape(def, world);
    look(world, VSP_DRAW_SHAPES);
    CHECK_AT_LEAST(4, seen.triangles);
    CHECK_UINT(0, seen.lines);
    CHECK_NEAR(volume, seen.volume, tolerance * volume);
    CHECK_NEAR(0.0, vec_length(seen.moment), 1e-4 * volume + 1e-5);
    CHECK_HEX(0x709e94u, seen.color);
    low = seen.low;
    high = seen.high;
    look(world, VSP_DRAW_EDGES);
    CHECK_UINT(0, seen.triangles);
    CHECK_AT_LEAST(6, seen.lines);
    CHECK_NEAR(0.0, vec_length(vec_sub(low, seen.low)), 0.15);
    CHECK_NEAR(0.0, vec_length(vec_sub(high, seen.high)), 0.15);
}

#define PI_VOLUME (4.0 / 3.0 * 3.14159265358979)

static void round_shapes(void)
{
    vsp_shape_def ball = vsp_sphere(VSP_R(0.5));
    vsp_shape_def pill = vsp_capsule(VSP_R(0.5), VSP_R(1.0));
    vsp_world *world = new_world();
    vsp_draw draw = drawing(VSP_DRAW_SHAPES);

    check_solid(&ball, world, 0.125 * PI_VOLUME, 0.08);
    draw.segments = 64;
    look_by(world, &draw);
    CHECK_UINT(64 * 62, seen.triangles);
    CHECK_NEAR(0.125 * PI_VOLUME, seen.volume, 0.0041 * PI_VOLUME / 8.0);
    draw.segments = 8;
    look_by(world, &draw);
    CHECK_UINT(8 * 6, seen.triangles);
    check_solid(&pill, new_world(), 0.125 * PI_VOLUME + 0.5 * 3.14159, 0.06);
    CHECK_UINT(4 * 9 + 2 * 16, seen.lines);
}

#if VSP_ROUNDS

static void turned_shapes(void)
{
    vsp_shape_def drum = vsp_cylinder(VSP_R(0.5), VSP_R(1.0));
    vsp_shape_def hat = vsp_cone(VSP_R(0.5), VSP_R(1.0), VSP_R(0.0));
    vsp_world *world = new_world();
    vsp_draw draw = drawing(VSP_DRAW_SHAPES);

    check_solid(&drum, world, 0.5 * 3.14159, 0.03);
    CHECK_UINT(4 + 2 * 16, seen.lines);
    draw.segments = 64;
    look_by(world, &draw);
    CHECK_UINT(4 * 64, seen.triangles);
    CHECK_NEAR(0.5 * 3.14159265, seen.volume, 0.0017 * 0.5 * 3.14159265);
    check_solid(&hat, new_world(), 0.5 * 3.14159 / 3.0, 0.03);
}

#endif

static void flat_shapes(void)
{
    vsp_shape_def box = vsp_box(VSP_R(0.5), VSP_R(1.0), VSP_R(0.25));
    vsp_world *world = new_world();
    vsp_shape_def def;

    check_solid(&box, world, 1.0, 1e-5);
    look(world, VSP_DRAW_SHAPES);
    CHECK_UINT(12, seen.triangles);
    look(world, VSP_DRAW_EDGES);
    CHECK_UINT(12, seen.lines);
    CHECK_NEAR(14.0, seen.length, 1e-4);
    world = new_world();
    def = table_def(world, VSP_SHAPE_HULL, &hull_wedge);
    check_solid(&def, world, 0.25, 1e-4);
    CHECK_UINT(9, seen.lines);
    world = new_world();
    def = table_def(world, VSP_SHAPE_HULL, &hull_prism);
    check_solid(&def, world, 0.5 * 12.0 * sin(3.14159265 / 12.0) * 0.5, 1e-3);
}

/* The surface of a distance field fits its volume, and its grid to a cell. */
static void distance_fields(void)
{
    vsp_world *world = new_world();
    vsp_shape_def def = table_def(world, VSP_SHAPE_SDF, &sdf_animal);
    union {
        uint32_t bits;
        float number;
    } bulk;
    uint32_t triangles;
    vsp_draw draw = drawing(VSP_DRAW_SHAPES);

    bulk.bits = sdf_animal.bulk.volume;
    draw.cells = 0xffffffffu;
    check_solid(&def, world, (double)bulk.number, 0.15);
    look_by(world, &draw);
    CHECK_NEAR((double)bulk.number, seen.volume, 0.04 * (double)bulk.number);
    CHECK_NEAR(0.0, vec_length(seen.moment), 2e-5);
    triangles = seen.triangles;
    draw.cells = 1000;
    look_by(world, &draw);
    CHECK_AT_LEAST(12, seen.triangles);
    CHECK_AT_MOST(triangles / 2, seen.triangles);
    draw.cells = 1;
    look_by(world, &draw);
}

static void surfaces(void)
{
    vsp_world *world = new_world();
    vsp_shape_def def = table_def(world, VSP_SHAPE_MESH, &mesh_plane);
    vsp_draw draw = drawing(VSP_DRAW_SHAPES);

    add_body(world, VSP_STATIC, def, 0.0, 1.0, 0.0);
    look(world, VSP_DRAW_SHAPES);
    CHECK_UINT(mesh_plane.triangle_count, seen.triangles);
    CHECK_NEAR(500.0, seen.moment.y, 1e-2);
    CHECK_HEX(0xadb3b8u, seen.color);
    look(world, VSP_DRAW_EDGES);
    CHECK_UINT(3u * mesh_plane.triangle_count, seen.lines);

    world = new_world();
    def = table_def(world, VSP_SHAPE_HEIGHT_FIELD, &field_hills);
    add_body(world, VSP_STATIC, def, 0.0, 0.0, 0.0);
    look(world, VSP_DRAW_SHAPES);
    CHECK_UINT(2 * 32 * 32, seen.triangles);
    CHECK_NEAR(32.0 * 32.0, seen.moment.y, 1e-2);
    CHECK_NEAR(-16.0, seen.low.x, 1e-4);
    CHECK_NEAR(16.0, seen.high.z, 1e-4);
    look(world, VSP_DRAW_EDGES);
    CHECK_UINT(2 * 32 * 33, seen.lines);
    draw.cells = 100;
    look_by(world, &draw);
    CHECK_AT_MOST(200, seen.triangles);
    CHECK_NEAR(32.0 * 32.0, seen.moment.y, 1e-2);
    draw.cells = 1;
    look_by(world, &draw);
    CHECK_UINT(2, seen.triangles);

    world = new_world();
    def = table_def(world, VSP_SHAPE_SHELL, &shell_plate);
    add_body(world, VSP_DYNAMIC, def, 0.0, 0.0, 0.0);
    look(world, VSP_DRAW_SHAPES);
    CHECK_UINT(32, seen.triangles);
    CHECK_NEAR(1.0, fabs(seen.moment.y), 1e-3);
}

static void field_holes(void)
{
    static const int16_t heights[9] = {0, 0, 0, 0, 0, 0, 0, 0, VSP_HOLE};
    static const vsp_height_field ground = {
        VSP_TABLE_HEIGHT_FIELD, 3, 3, VSP_PLACE, 1, 0, 0, heights};
    vsp_world *world = new_world();
    vsp_shape_def def = table_def(world, VSP_SHAPE_HEIGHT_FIELD, &ground);

    add_body(world, VSP_STATIC, def, 0.0, 0.0, 0.0);
    look(world, VSP_DRAW_SHAPES);
    CHECK_UINT(6, seen.triangles);
    look(world, VSP_DRAW_EDGES);
    CHECK_UINT(10, seen.lines);
}

/* The height of a hole times a large step does not fit an integer, which a
 * sanitizer sees. */
static void holes_of_steep_fields(void)
{
    static const int16_t heights[9] = {0, 0, 0, 0, -1, 0, 0, 0, VSP_HOLE};
    static const vsp_height_field ground = {
        VSP_TABLE_HEIGHT_FIELD, 3,  3, VSP_PLACE,
        50 * VSP_PLACE,         -1, 0, heights};
    vsp_world *world = new_world();
    vsp_shape_def def = table_def(world, VSP_SHAPE_HEIGHT_FIELD, &ground);

    add_body(world, VSP_STATIC, def, 0.0, 0.0, 0.0);
    look(world, VSP_DRAW_SHAPES);
    CHECK_UINT(6, seen.triangles);
}

static void half_space(void)
{
    vsp_world *world = new_world();
    vsp_draw draw = drawing(VSP_DRAW_SHAPES);

    add_turned(world, VSP_STATIC, vsp_half_space(), 0.0, 1.0, 0.0,
               turn(90.0, 0.0, 0.0, 1.0));
    look_by(world, &draw);
    CHECK_UINT(2, seen.triangles);
    CHECK_NEAR(-1600.0, seen.moment.x, 1e-1);
    CHECK_NEAR(-20.0, seen.low.y, 1e-4);
    draw.plane = VSP_R(2.0);
    draw.focus = real3(5.0, 7.0, 8.0);
    look_by(world, &draw);
    CHECK_NEAR(0.0, seen.high.x, 1e-4);
    CHECK_NEAR(5.0, seen.low.y, 1e-4);
    CHECK_NEAR(10.0, seen.high.z, 1e-4);
    draw.parts = VSP_DRAW_EDGES;
    look_by(world, &draw);
    CHECK_UINT(22, seen.lines);
    CHECK_NEAR(5.0, seen.low.y, 1e-4);
    CHECK_NEAR(10.0, seen.high.z, 1e-4);
}

static void sensors_are_edges(void)
{
    vsp_shape_def zone = vsp_box(VSP_R(1.0), VSP_R(1.0), VSP_R(1.0));
    vsp_world *world = new_world();

    zone.is_sensor = true;
    add_body(world, VSP_STATIC, zone, 0.0, 0.0, 0.0);
    look(world, VSP_DRAW_SHAPES);
    CHECK_UINT(0, seen.triangles);
    CHECK_UINT(12, seen.lines);
    look(world, VSP_DRAW_SHAPES | VSP_DRAW_EDGES);
    CHECK_UINT(12, seen.lines);
}

static void bounds_of_shapes(void)
{
    vsp_world *world = new_world();

    add_ground(world);
    add_body(world, VSP_STATIC, vsp_sphere(VSP_R(0.5)), 3.0, 2.0, 1.0);
    look(world, VSP_DRAW_BOUNDS);
    CHECK_UINT(12, seen.lines); /* a half-space has none */
    CHECK_NEAR(2.495, seen.low.x, 1e-4);
    CHECK_NEAR(2.505, seen.high.y, 1e-4);
}


/* ---- Joints -------------------------------------------------------------- */

/* Joins a cube at height 2 m to the ground, at its centre. */
static vsp_joint_def joint_of(vsp_world *world, vsp_joint_type type)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = type;
    def.body_a = add_ground(world);
    def.body_b = add_cube(world, 0.0, 2.0, 0.0);
    CHECK_STATUS(VSP_OK, vsp_joint_place(world, &def, real3(0.0, 3.0, 0.0),
                                         real3(1.0, 0.0, 0.0)));
    return def;
}

static const vec3 joint_anchor = {0.0, 3.0, 0.0};

static void look_at_joint(vsp_world *world, const vsp_joint_def *def)
{
    vsp_draw draw = drawing(VSP_DRAW_JOINTS);

    create_joint(world, def);
    draw.size = VSP_R(0.5);
    look_by(world, &draw);
    CHECK_UINT(0, seen.triangles);
}

static void hinge(void)
{
    vsp_world *world = new_world();
    vsp_joint_def def = joint_of(world, VSP_JOINT_HINGE);
    double low = -0.5, high = 1.0;
    uint32_t free_lines;

    look_at_joint(world, &def);
    free_lines = seen.lines;
    CHECK_UINT(1, count_lines(joint_anchor, vec_make(0.0, 2.0, 0.0)));
    CHECK_UINT(1,
               count_lines(vec_make(-0.5, 3.0, 0.0), vec_make(0.5, 3.0, 0.0)));
    CHECK_UINT(1, count_lines(joint_anchor, vec_make(0.0, 3.5, 0.0)));
    CHECK_HEX(0x143cd7u, seen.color);

    world = new_world();
    def = joint_of(world, VSP_JOINT_HINGE);
    def.enable_limit = true;
    def.low = real(low);
    def.high = real(high);
    look_at_joint(world, &def);
    CHECK_UINT(free_lines + 2 + 16, seen.lines);
    CHECK_UINT(1, count_lines(joint_anchor, vec_make(0.0, 3.0 + 0.5 * cos(low),
                                                     0.5 * sin(low))));
    CHECK_UINT(1, count_lines(joint_anchor, vec_make(0.0, 3.0 + 0.5 * cos(high),
                                                     0.5 * sin(high))));
}

static void ball_joint(void)
{
    vsp_world *world = new_world();
    vsp_joint_def def = joint_of(world, VSP_JOINT_BALL);
    vec3 rim = vec_make(0.5 * cos(0.7), 3.0 + 0.5 * sin(0.7), 0.0);
    uint32_t free_lines;

    look_at_joint(world, &def);
    free_lines = seen.lines;
    CHECK_UINT(2, count_lines(joint_anchor, vec_make(0.5, 3.0, 0.0)));
    world = new_world();
    def = joint_of(world, VSP_JOINT_BALL);
    def.cone = VSP_R(0.7);
    look_at_joint(world, &def);
    CHECK_UINT(free_lines + 4 * (2 + 16), seen.lines);
    CHECK_UINT(2, count_lines(joint_anchor, rim));
}

static void slider_and_distance(void)
{
    vsp_world *world = new_world();
    vsp_joint_def def = joint_of(world, VSP_JOINT_SLIDER);

    def.enable_limit = true;
    def.low = VSP_R(-1.0);
    def.high = VSP_R(2.0);
    look_at_joint(world, &def);
    CHECK_UINT(1,
               count_lines(vec_make(-1.0, 3.0, 0.0), vec_make(2.0, 3.0, 0.0)));

    world = new_world();
    def = joint_of(world, VSP_JOINT_DISTANCE);
    def.frame_a.position = real3(0.0, 6.0, 0.0);
    def.frame_b.position = real3(0.0, 0.0, 0.0);
    def.low = VSP_R(1.0);
    def.high = VSP_R(5.0);
    look_at_joint(world, &def);
    CHECK_UINT(1,
               count_lines(vec_make(0.0, 6.0, 0.0), vec_make(0.0, 2.0, 0.0)));
    CHECK_UINT(
        1, count_lines(vec_make(-0.25, 5.0, 0.0), vec_make(0.25, 5.0, 0.0)));
    CHECK_UINT(
        1, count_lines(vec_make(-0.25, 1.0, 0.0), vec_make(0.25, 1.0, 0.0)));

    world = new_world();
    def = joint_of(world, VSP_JOINT_DISTANCE); /* no direction */
    def.frame_a.position = def.frame_b.position = real3(0.0, 0.0, 0.0);
    def.frame_a.position.y = VSP_R(2.0);
    look_at_joint(world, &def);
    CHECK_AT_LEAST(3, seen.lines);
}

#if VSP_DRIVES

/* AXES show each limit and target, a WHEEL its travel and its steering. */
static void axes_and_wheel(void)
{
    vsp_world *world = new_world();
    vsp_joint_def def = joint_of(world, VSP_JOINT_AXES);
    uint32_t free_lines;

    def.limited = VSP_LOCK_Y | VSP_LOCK_TURN_Z;
    def.driven = VSP_LOCK_X | VSP_LOCK_TURN_Y;
    look_at_joint(world, &def);
    free_lines = seen.lines;
    world = new_world();
    def.body_a = add_ground(world);
    def.body_b = add_cube(world, 0.0, 2.0, 0.0);
    def.enable_limit = def.enable_motor = true;
    def.low = VSP_R(-0.25);
    def.high = VSP_R(1.0);
    def.motor_mode = VSP_MOTOR_SERVO;
    def.motor_target = VSP_R(0.75);
    look_at_joint(world, &def);
    /* a range of 7 lines, an arc of 18; a cross of 3, a line */
    CHECK_UINT(free_lines + 7 + 18 + 3 + 1, seen.lines);
    CHECK_UINT(1,
               count_lines(vec_make(0.0, 2.75, 0.0), vec_make(0.0, 4.0, 0.0)));
    CHECK_UINT(1,
               count_lines(vec_make(0.5, 3.0, 0.0), vec_make(1.0, 3.0, 0.0)));
    CHECK_UINT(1, count_lines(joint_anchor,
                              vec_make(0.5 * sin(0.75), 3.0, 0.5 * cos(0.75))));

    world = new_world();
    def = joint_of(world, VSP_JOINT_WHEEL);
    def.enable_limit = true;
    def.low = VSP_R(-1.0);
    def.high = VSP_R(2.0);
    def.motor_target = VSP_R(0.5);
    look_at_joint(world, &def);
    CHECK_UINT(1,
               count_lines(vec_make(-1.0, 3.0, 0.0), vec_make(2.0, 3.0, 0.0)));
    CHECK_UINT(1, count_lines(joint_anchor, vec_make(0.0, 3.0 + 0.5 * cos(0.5),
                                                     0.5 * sin(0.5))));
}

#endif

#if VSP_GEARS

/* A gear shows two pitch circles, a pulley its rope. */
static void gear_and_pulley(void)
{
    vsp_world *world = new_world();
    vsp_joint_def def = joint_of(world, VSP_JOINT_GEAR);

    def.frame_b.position.y = VSP_R(0.0); /* the axles are 1 m apart */
    def.teeth_a = 30;
    def.teeth_b = 10;
    look_at_joint(world, &def);
    CHECK_NEAR(3.75, seen.high.y, 1e-4);
    CHECK_NEAR(0.75, seen.high.z, 1e-4);
    CHECK_NEAR(1.75, seen.low.y, 1e-4);
    world = new_world();
    def = joint_of(world, VSP_JOINT_PULLEY);
    def.high = VSP_R(9.0);
    def.pulley_a = real3(1.0, 6.0, 0.0);
    def.pulley_b = real3(2.0, 6.0, 0.0);
    look_at_joint(world, &def);
    CHECK_UINT(1, count_lines(joint_anchor, vec_make(1.0, 6.0, 0.0)));
    CHECK_UINT(1, count_lines(joint_anchor, vec_make(2.0, 6.0, 0.0)));
    CHECK_UINT(1,
               count_lines(vec_make(1.0, 6.0, 0.0), vec_make(2.0, 6.0, 0.0)));
}

#endif

static void broken_and_at_limit(void)
{
    vsp_world *world = new_world();
    vsp_joint_def def = joint_of(world, VSP_JOINT_FIXED);
    vsp_joint_id id = create_joint(world, &def);

    look(world, VSP_DRAW_JOINTS);
    CHECK_UINT(3 + 1 + 1, seen.lines);
    CHECK_STATUS(VSP_OK, vsp_joint_set_strength(world, id, VSP_R(0.001), 0));
    step_world(world, 1);
    look(world, VSP_DRAW_JOINTS | VSP_DRAW_FORCES);
    CHECK_UINT(0, seen.lines);

    world = new_world();
    def = joint_of(world, VSP_JOINT_SLIDER);
    CHECK_STATUS(VSP_OK, vsp_joint_place(world, &def, real3(0.0, 3.0, 0.0),
                                         real3(0.0, -1.0, 0.0)));
    def.enable_limit = true;
    create_joint(world, &def);
    step_world(world, 1);
    look(world, VSP_DRAW_JOINTS);
    CHECK_HEX(0xe11414u, seen.color);
}


/* ---- Contacts and forces ------------------------------------------------- */

static void contacts(void)
{
    vsp_world *world = new_world();
    vsp_draw draw = drawing(VSP_DRAW_CONTACTS);

    add_ground(world);
    add_cube(world, 0.0, 0.5, 0.0);
    step_world(world, 10);
    draw.size = VSP_R(0.25);
    look_by(world, &draw);
    CHECK_UINT(4 * 4, seen.lines);
    CHECK_NEAR(4 * 4 * 0.25, seen.length, 1e-4);
    CHECK_UINT(1,
               count_lines(vec_make(0.5, 0.0, 0.5), vec_make(0.5, 0.25, 0.5)));
    CHECK_UINT(
        1, count_lines(vec_make(0.375, 0.0, 0.5), vec_make(0.625, 0.0, 0.5)));
}

/* The forces of a box at rest: its weight, which is 9810 N. */
static void forces_of_contacts(void)
{
    vsp_world *world = new_world();
    vsp_draw draw = drawing(VSP_DRAW_FORCES);

    add_ground(world);
    add_cube(world, 0.0, 0.5, 0.0);
    step_world(world, 20);
    look_by(world, &draw);
    CHECK_UINT(4, seen.lines);
    CHECK_NEAR(0.981, seen.length, 0.002);
    draw.force = VSP_R(0.001);
    look_by(world, &draw);
    CHECK_NEAR(9.81, seen.length, 0.02);
    draw.force = VSP_R(1000.0); /* 2.4e6 m each */
    look_by(world, &draw);
    CHECK_NEAR(400.0, seen.length, 0.1);
}

static void forces_to_come(void)
{
    vsp_world *world = new_world();
    vsp_body_id body = add_cube(world, 1.0, 2.0, 3.0);
    vec3 at = vec_make(1.0, 2.0, 3.0);

    CHECK_STATUS(VSP_OK, vsp_body_apply_center_force(world, body,
                                                     real3(20000.0, 0.0, 0.0)));
    CHECK_STATUS(VSP_OK,
                 vsp_body_apply_torque(world, body, real3(0.0, -5000.0, 0.0)));
    look(world, VSP_DRAW_FORCES);
    CHECK_UINT(2, seen.lines);
    CHECK_UINT(1, count_lines(at, vec_make(3.0, 2.0, 3.0)));
    CHECK_UINT(1, count_lines(at, vec_make(1.0, 1.5, 3.0)));
    CHECK_HEX(0xaa32c8u, seen.color);
    step_world(world, 1);
    look(world, VSP_DRAW_FORCES);
    CHECK_UINT(0, seen.lines);
}

/* A force that is drawn shorter keeps its direction. */
static void long_forces(void)
{
    vsp_world *world = new_world();
    vsp_body_id body = add_cube(world, 0.0, 0.0, 0.0);
    double length = 100.0 / sqrt(1.0 + 0.02 * 0.02);

    CHECK_STATUS(VSP_OK, vsp_body_apply_center_force(
                             world, body, real3(-1.0e8, 2.0e6, 0.0)));
    look(world, VSP_DRAW_FORCES);
    CHECK_UINT(1, seen.lines);
    CHECK_UINT(1, count_lines(vec_make(0.0, 0.0, 0.0),
                              vec_make(-length, 0.02 * length, 0.0)));
}

static void forces_of_joints(void)
{
    vsp_world *world = new_world();
    vsp_joint_def def = joint_of(world, VSP_JOINT_BALL);

    create_joint(world, &def);
    step_world(world, 60);
    look(world, VSP_DRAW_FORCES);
    CHECK_UINT(1, seen.lines);
    CHECK_NEAR(0.981, seen.length, 0.001);
    CHECK_UINT(1, count_lines(joint_anchor, vec_make(0.0, 3.981, 0.0)));
}


/* ---- Colours ------------------------------------------------------------- */

static uint32_t colors[VSP_MAX_BODIES];
static uint32_t color_count;

/* Counts a colour when it changes: shapes are drawn by slot. */
static void see_color(void *user, vsp_vec3 a, vsp_vec3 b, vsp_vec3 c,
                      uint32_t color)
{
    (void)a;
    (void)b;
    (void)c;
    CHECK(user == NULL);
    if (color_count == 0 || colors[color_count - 1u] != color)
        colors[color_count++] = color;
}

static void look_at_colors(const vsp_world *world, uint32_t parts)
{
    vsp_draw draw;

    memset(&draw, 0, sizeof draw);
    draw.triangle = see_color;
    draw.parts = VSP_DRAW_SHAPES | parts;
    color_count = 0;
    CHECK_STATUS(VSP_OK, vsp_world_draw(world, &draw));
}

static void layers(void)
{
    vsp_world *world = new_world();

    add_ground(world);
    for (int i = 0; i < 3; i++)
        add_cube(world, 0.0, 0.5 + i, 0.0);
    look_at_colors(world, VSP_DRAW_LAYERS);
    CHECK_UINT(1, color_count);
    step_world(world, 1);
    look_at_colors(world, VSP_DRAW_LAYERS);
    if (!CHECK(color_count == 4))
        return;
    CHECK_HEX(0xb3b3b3u, colors[0]);
    CHECK_HEX(0x2633e6u, colors[1]); /* blue */
    CHECK_HEX(0x137313u, colors[2]); /* green, darker */
    CHECK_HEX(0xe63326u, colors[3]); /* red */
}

/* The octants of a ball have two shades by turns: one change a quarter of a
 * row, and one from row to row, except at the equator. */
static void balls_have_two_shades(void)
{
    vsp_world *world = new_world();

    add_body(world, VSP_STATIC, vsp_sphere(VSP_R(0.5)), 0.0, 0.0, 0.0);
    look_at_colors(world, 0);
    CHECK_UINT(31, color_count);
    for (uint32_t i = 0; i + 1u < color_count; i++)
        CHECK_HEX(colors[i] == 0xadb3b8u ? 0x6b6f73u : 0xadb3b8u,
                  colors[i + 1u]);
}

static void sleepers_are_darker(void)
{
    vsp_world *world = new_world();
    vsp_body_id body;
    uint32_t color;

    body = add_cube(world, 0.0, 0.5, 0.0);
    look_at_colors(world, VSP_DRAW_SLEEP);
    color = colors[0];
    CHECK_STATUS(VSP_OK, vsp_body_set_awake(world, body, false));
    look_at_colors(world, 0);
    CHECK_HEX(color, colors[0]);
    look_at_colors(world, VSP_DRAW_SLEEP);
    CHECK_HEX((color >> 1 & 0x7f7f7f) + 0x14191e, colors[0]);
}


/* ---- The call ------------------------------------------------------------ */

static void refuse_draw(const vsp_world *world, const vsp_draw *draw)
{
    memset(&seen, 0, sizeof seen);
    CHECK_STATUS(VSP_ERR_ARG, vsp_world_draw(world, draw));
    CHECK_UINT(0, seen.lines + seen.triangles);
}

static void refuse_setting(const vsp_world *world, vsp_real *setting,
                           const vsp_draw *draw, vsp_real low, vsp_real high)
{
    const vsp_real good[2] = {low, high};
    vsp_real kept = *setting;

    for (int i = 0; i < BAD_REALS; i++) {
        *setting = bad_real((uint32_t)i);
        refuse_draw(world, draw);
    }
    *setting = next_above(high);
    refuse_draw(world, draw);
    *setting = next_below(low);
    refuse_draw(world, draw);
    for (int i = 0; i < 2; i++) {
        *setting = good[i];
        look_by(world, draw);
    }
    *setting = kept;
}

static void bad_settings(void)
{
    vsp_world *world = new_world();
    vsp_draw draw = drawing(VSP_DRAW_ALL);

    add_cube(world, 0.0, 0.5, 0.0);
    refuse_draw(NULL, &draw);
    refuse_draw(world, NULL);
    memset(arena(1), 0, 64); /* no world */
    refuse_draw((const vsp_world *)(const void *)arena(1), &draw);
    draw.parts = VSP_DRAW_ALL + 1u;
    refuse_draw(world, &draw);
    draw.parts = VSP_DRAW_ALL;
    for (uint32_t n = 1; n < 70; n++) {
        draw.segments = n;
        if (n % 4 != 0 || n < 8 || n > 64)
            refuse_draw(world, &draw);
        else
            look_by(world, &draw);
    }
    draw.segments = 0;
    refuse_setting(world, &draw.size, &draw, VSP_R(0.001), VSP_R(10.0));
    refuse_setting(world, &draw.force, &draw, 0, VSP_R(1000.0));
    refuse_setting(world, &draw.plane, &draw, VSP_MIN_SIZE, VSP_MAX_SIZE);
    for (int k = 0; k < 3; k++)
        refuse_setting(world, &draw.focus.x + k, &draw, -VSP_MAX_POSITION,
                       VSP_MAX_POSITION);
}

/* A function that is null draws nothing of its kind; no part draws nothing. */
static void null_functions(void)
{
    vsp_world *world = new_world();
    vsp_draw draw = drawing(VSP_DRAW_ALL);

    add_cube(world, 0.0, 0.5, 0.0);
    draw.line = NULL;
    look_by(world, &draw);
    CHECK_UINT(12, seen.triangles);
    CHECK_UINT(0, seen.lines);
    draw = drawing(VSP_DRAW_ALL);
    draw.triangle = NULL;
    look_by(world, &draw);
    CHECK_UINT(0, seen.triangles);
    CHECK_UINT(24, seen.lines);
    draw.line = NULL;
    look_by(world, &draw);
    CHECK_UINT(0, seen.triangles + seen.lines);
    look(world, 0);
    CHECK_UINT(0, seen.triangles + seen.lines);
}

/* Drawing leaves every byte of the world as it was. */
static void nothing_changes(void)
{
    static const char *const names[] = {"tower", "ragdolls", "boats",
                                        "bin",   "hills",    "mill"};
    static unsigned char before[ARENA_BYTES];

    for (uint32_t i = 0; i < COUNT_OF(names); i++) {
        scene_run run;

        if (!play_start(&run, names[i]))
            continue;
        play_steps(&run, 0, 5);
        memcpy(before, run.world, VSP_WORLD_BYTES);
        look(run.world, VSP_DRAW_ALL);
        CHECK_AT_LEAST(100, seen.triangles);
        CHECK_AT_LEAST(100, seen.lines);
        CHECK(memcmp(before, run.world, VSP_WORLD_BYTES) == 0);
    }
}

static const test tests[] = {
    TEST(round_shapes),
#if VSP_ROUNDS
    TEST(turned_shapes),
#endif
    TEST(flat_shapes),
    TEST(distance_fields),
    TEST(surfaces),
    TEST(field_holes),
    TEST(holes_of_steep_fields),
    TEST(half_space),
    TEST(sensors_are_edges),
    TEST(bounds_of_shapes),
    TEST(hinge),
    TEST(ball_joint),
    TEST(slider_and_distance),
#if VSP_DRIVES
    TEST(axes_and_wheel),
#endif
#if VSP_GEARS
    TEST(gear_and_pulley),
#endif
    TEST(broken_and_at_limit),
    TEST(contacts),
    TEST(forces_of_contacts),
    TEST(forces_to_come),
    TEST(long_forces),
    TEST(forces_of_joints),
    TEST(layers),
    TEST(balls_have_two_shades),
    TEST(sleepers_are_darker),
    TEST(bad_settings),
    TEST(null_functions),
    TEST(nothing_changes),
    TEST_END,
};

const test_suite draw_suite = {"draw", tests};
