/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Scenes of optional features, in this order: capsules, hulls and compounds in
 * a bin; marbles on a mesh, a car on hills; animals and letters that are signed
 * distance fields; bullets, a belt, a sensor.  Only builds with all of these
 * features have them. */

#include "builder.h"
#include "scene_table.h"

#if SCENES_SHAPES


/* ---- Bin ---------------------------------------------------------------- */

/* Returns a capsule along the z axis. */
static piece lying_capsule(vec at, double radius, double half_height)
{
    piece it = capsule_piece(at, radius, half_height);

    /* a quarter turn about x */
    it.turn.x = 0.70710678118654752440;
    it.turn.w = it.turn.x;
    return it;
}

/* Adds a box with a handle. */
static void add_hammer(scene_run *run, piece *head)
{
    piece handle = capsule_piece(make_vec(0.0, 0.6, 0.0), 0.1, 0.4);
    vsp_body_id id;

    head->shape = VSP_SHAPE_BOX;
    head->half = make_vec(0.4, 0.2, 0.2);
    id = add_piece(run, head);
    add_part(run, id, &handle);
}

/* Adds two capsules, one across the other, and a ball on an end of one. */
static void add_anchor(scene_run *run, piece *shank)
{
    piece arm = lying_capsule(make_vec(0.0, -0.4, 0.0), 0.12, 0.35);
    piece ring = ball_piece(make_vec(0.0, 0.5, 0.0), 0.2);
    vsp_body_id id;

    shank->shape = VSP_SHAPE_CAPSULE;
    shank->half = make_vec(0.12, 0.4, 0.0);
    id = add_piece(run, shank);
    add_part(run, id, &arm);
    add_part(run, id, &ring);
}

/* Adds a wedge on a prism. */
static void add_hut(scene_run *run, piece *wall)
{
    piece roof = table_piece(make_vec(0.0, 0.6, 0.0), VSP_SHAPE_HULL,
                             BIN_WEDGE);
    vsp_body_id id = add_piece(run, wall);

    add_part(run, id, &roof);
}

/* Returns a random rotation. */
static rotation any_rotation(uint32_t *state)
{
    rotation q;

    q.x = next_random(state);
    q.y = next_random(state);
    q.z = next_random(state);
    q.w = 1.0 + 0.5 * next_random(state);
    return q;
}

/* Adds body number `index` of a bin: a capsule, a hull or a compound. */
static void add_thing(scene_run *run, int index, vec at)
{
    piece it = table_piece(at, VSP_SHAPE_HULL, 1u + (uint32_t)(index % 5));
    int kind = index % 8;

    it.turn = any_rotation(&run->random);
    if (kind == 0) {
        it.shape = VSP_SHAPE_CAPSULE;
        it.half = make_vec(0.3, 0.35, 0.0);
        add_piece(run, &it);
    } else if (kind == 5) {
        add_hammer(run, &it);
    } else if (kind == 6) {
        add_anchor(run, &it);
    } else if (kind == 7) {
        it.table = BIN_PRISM;
        add_hut(run, &it);
    } else {
        add_piece(run, &it);
    }
}

/* Adds a bin of this half width and height: bottom and walls 0.5 m thick. */
static void add_bin(scene_run *run, double half, double height)
{
    double wall = half + 0.25;
    double middle = height / 2.0;

    add_block(run, make_vec(0.0, -0.25, 0.0),
              make_vec(half + 0.5, 0.25, half + 0.5));
    add_block(run, make_vec(wall, middle, 0.0),
              make_vec(0.25, middle, half + 0.5));
    add_block(run, make_vec(-wall, middle, 0.0),
              make_vec(0.25, middle, half + 0.5));
    add_block(run, make_vec(0.0, middle, wall), make_vec(half, middle, 0.25));
    add_block(run, make_vec(0.0, middle, -wall), make_vec(half, middle, 0.25));
}

/* Bodies of eight kinds fall into a bin, whose width depends on their
 * number. */
void build_bin(scene_run *run)
{
    const double space = 1.9; /* distance of two bodies, m */
    int side = 2;

    while (3 * side * side * side < 2 * scene_number(run))
        side++;
    add_tables(run, TABLES_BIN);
    run->material.friction = scene_real(0.5);
    add_bin(run, 0.5 * space * side, 0.6 * side + 0.8);
    for (int i = 0; i < scene_number(run); i++) {
        double x = i % side - 0.5 * (side - 1);
        double z = i / side % side - 0.5 * (side - 1);
        int layer = i / (side * side);

        add_thing(run, i, make_vec(space * x, 1.0 + space * layer, space * z));
    }
}


/* ---- Surfaces ----------------------------------------------------------- */

/* Adds a set of one table, and the ground whose shape is this table. */
static void add_ground(scene_run *run, vsp_shape_type shape, table_set set)
{
    piece ground = table_piece(make_vec(0.0, 0.0, 0.0), shape, 1);

    add_tables(run, set);
    ground.type = VSP_STATIC;
    add_piece(run, &ground);
}

/* Adds an open tray, centred at x. */
static void add_tray(scene_run *run, double x)
{
    add_block(run, make_vec(x, 0.05, 0.0), make_vec(1.0, 0.05, 1.0));
    add_block(run, make_vec(x - 1.05, 0.15, 0.0), make_vec(0.05, 0.15, 1.1));
    add_block(run, make_vec(x + 1.05, 0.5, 0.0), make_vec(0.05, 0.5, 1.1));
    add_block(run, make_vec(x, 0.3, 1.05), make_vec(1.0, 0.3, 0.05));
    add_block(run, make_vec(x, 0.3, -1.05), make_vec(1.0, 0.3, 0.05));
}

/* Marbles roll down a chute with two bends, into a tray. */
void build_marbles(scene_run *run)
{
    add_floor(run, 0.4, 0.2);
    add_ground(run, VSP_SHAPE_MESH, TABLES_MARBLES);
    add_tray(run, 5.7);
    for (int i = 0; i < scene_number(run); i++) {
        double size = 0.09 + 0.03 * next_random(&run->random);
        double z = 0.1 * next_random(&run->random);

        add_ball(run, make_vec(-4.0 + 0.12 * (i % 6), 4.7 + 0.25 * (i / 6), z),
                 size);
    }
}

/* Adds a box with four spheres without friction in place of wheels. */
static void add_car(scene_run *run, vec at, vec velocity)
{
    piece car = box_piece(at, make_vec(0.5, 0.2, 1.0));
    vsp_body_id id;

    car.velocity = velocity;
    id = add_piece(run, &car);
    run->material.friction = scene_real(0.02);
    for (int i = 0; i < 4; i++) {
        double x = i % 2 == 0 ? -0.55 : 0.55;
        double z = i < 2 ? -0.7 : 0.7;

        if (i < 2) {
            piece wheel = ball_piece(make_vec(x, -0.25, z), 0.3);

            add_part(run, id, &wheel);
        } else {
            piece wheel = capsule_piece(make_vec(x, -0.25, z), 0.3, 0.05);

            wheel.turn = about_z(PI / 2.0);
            add_part(run, id, &wheel);
        }
    }
    run->marks[0] = id;
}

/* mark 0: a car that slides over hills, past boxes */
void build_hills(scene_run *run)
{
    run->material.friction = scene_real(0.5);
    add_ground(run, VSP_SHAPE_HEIGHT_FIELD, TABLES_HILLS);
    for (int i = 0; i < scene_number(run); i++) {
        double x = 8.0 + 2.0 * next_random(&run->random);
        double z = 8.0 * next_random(&run->random);

        add_box(run, make_vec(x, 4.0, z), make_vec(0.25, 0.25, 0.25));
    }
    add_car(run, make_vec(8.0, 4.2, 11.0), make_vec(0.0, 0.0, -7.0));
}


#if SCENES_RALLY

#define RALLY_TORQUE VSP_R(400.0) /* N m, of each wheel */

/* Adds a wheel with a spring for a quarter of the car at 1.8 Hz. */
static void add_sprung_wheel(scene_run *run, vsp_body_id car, vec at)
{
    piece wheel = ball_piece(at, 0.3);
    vsp_joint_def def;

    wheel.density = 200.0;
    def = joint_of(car, add_piece(run, &wheel));
    place_joint(run, &def, VSP_JOINT_WHEEL, at, make_vec(0.0, 1.0, 0.0));
    limit_joint(&def, -0.12, 0.12);
    def.limit_hertz = scene_real(5.35);
    def.limit_damping = scene_real(1.5);
    def.enable_motor = true;
    def.motor_max = RALLY_TORQUE;
    make_joint(run, &def);
}

/* mark 0: a car on hills; drive_rally drives it; its front wheels are 0 and
 * 1 */
void build_rally(scene_run *run)
{
    piece car = box_piece(make_vec(8.0, 4.4, 11.0), make_vec(0.6, 0.15, 1.2));

    run->material.friction = scene_real(0.9);
    add_ground(run, VSP_SHAPE_HEIGHT_FIELD, TABLES_HILLS);
    car.density = 900.0;
    run->marks[0] = add_piece(run, &car);
    for (int i = 0; i < 4; i++)
        add_sprung_wheel(
            run, run->marks[0],
            make_vec(i % 2 == 0 ? 7.05 : 8.95, 4.2, i < 2 ? 10.1 : 11.9));
}

/* Drives from step 30 on, swings the front wheels, and brakes at the number of
 * the scene. */
void drive_rally(scene_run *run, uint32_t step)
{
    uint32_t end = (uint32_t)run->variant.number;
    double speed = step < 30 || step >= end ? 0.0 : 14.0;

    for (uint32_t i = 0; i < 4; i++) {
        vsp_joint_id wheel = vsp_joint_at(run->world, i);
        double angle = 0.15 * sine(0.02 * step);

        if ((step == 30 || step == end) &&
            vsp_record_joint_set_motor(scene_recorder(run), wheel, true,
                                       scene_real(speed), RALLY_TORQUE) < 0)
            run->failures++;
        if (i < 2 && vsp_record_joint_set_target(scene_recorder(run), wheel,
                                                 scene_real(angle)) < 0)
            run->failures++;
    }
}

#endif


/* ---- Signed distance fields --------------------------------------------- */

/* Animals, randomly rotated, in columns of ten; the topmost falls by 11 m. */
void build_animals(scene_run *run)
{
    add_tables(run, TABLES_ANIMALS);
    add_floor(run, 0.5, 0.0);
    for (int i = 0; i < scene_number(run); i++) {
        int column = i / 10;
        piece it = table_piece(make_vec(1.4 * (column % 5 - 2),
                                        0.9 + 1.12 * (i % 10),
                                        1.4 * (column / 5 % 5 - 2)),
                               VSP_SHAPE_SDF, 1);

        it.turn = any_rotation(&run->random);
        add_piece(run, &it);
    }
}

/* Balls of three sizes above a slope of 10 degrees with letters cut into it, in
 * layers of 25 by 12. */
void build_letters(scene_run *run)
{
    static const double radii[3] = {0.06, 0.1, 0.14};
    piece slab = table_piece(make_vec(0.0, 1.5, 0.0), VSP_SHAPE_SDF, 1);
    double s = sine(radians(10.0)), c = cosine(radians(10.0));

    add_tables(run, TABLES_LETTERS);
    add_floor(run, 0.4, 0.0);
    slab.type = VSP_STATIC;
    slab.turn = about_z(radians(10.0));
    add_piece(run, &slab);
    for (int i = 0; i < scene_number(run); i++) {
        double along = 0.31 * (i % 25 - 12);
        double up = 0.45 + 0.3 * (i / 300);
        double x = along * c - up * s;

        add_ball(
            run,
            make_vec(x, 1.5 + along * s + up * c, 0.31 * (i / 25 % 12 - 5.5)),
            radii[i % 3]);
    }
}


/* ---- Bullets, belt, sensor ---------------------------------------------- */

/* Adds a ball of 5 cm at 200 m/s, which is 2 m a step. */
static void add_bullet(scene_run *run, vec at)
{
    piece ball = ball_piece(at, 0.05);
    vsp_body_def def = vsp_body_def_default();

    ball.velocity.z = -200.0;
    if (run->variant.turn < 0.0 || run->variant.turn > 0.0) {
        double angle = radians(run->variant.turn);

        ball.at = turn_vec(ball.at, angle);
        ball.velocity = turn_vec(ball.velocity, angle);
    }
    piece_body(run, &ball, &def);
    def.is_bullet = true;
    create_body(run, &def);
}

/* Bullets, each from another place and distance, and a wall 0.1 m thick.  None
 * may pass it. */
void build_bullets(scene_run *run)
{
    add_floor(run, 0.5, 0.02);
    add_block(run, make_vec(0.0, 4.0, 0.0), make_vec(6.0, 4.0, 0.05));
    for (int i = 0; i < scene_number(run); i++) {
        double x = 0.3 * (i % 34) - 5.0;
        double y = 0.3 + 0.2 * (i / 34);
        double z = 6.0 + 4.0 * next_random(&run->random);

        add_bullet(run, make_vec(x, y, z));
    }
}

/* A board whose surface runs along x at 1 m/s. */
static void add_belt(scene_run *run, vec at, vec half)
{
    piece board = box_piece(at, half);
    vsp_body_def def = vsp_body_def_default();

    board.type = VSP_STATIC;
    piece_body(run, &board, &def);
    def.shape.surface_velocity.x = VSP_R(1.0);
    create_body(run, &def);
}

/* A belt carries a box, a capsule, a prism and a ball to its end. */
void build_belt(scene_run *run)
{
    piece roll = lying_capsule(make_vec(-1.0, 1.1, 0.0), 0.3, 0.3);
    piece can = table_piece(make_vec(0.3, 1.3, 0.0), VSP_SHAPE_HULL, 1);

    add_tables(run, TABLES_BELT);
    add_floor(run, 0.5, 0.0);
    add_belt(run, make_vec(0.0, 0.7, 0.0), make_vec(3.0, 0.1, 0.6));
    add_box(run, make_vec(-2.3, 1.1, 0.0), make_vec(0.3, 0.3, 0.3));
    add_piece(run, &roll);
    add_piece(run, &can);
    add_ball(run, make_vec(1.7, 1.1, 0.0), 0.3);
}

/* A ball, a capsule and a hull fall through a box that is a sensor. */
void build_sensor(scene_run *run)
{
    piece gate = box_piece(make_vec(0.0, 1.0, 0.0), make_vec(2.0, 0.3, 0.5));
    piece capsule = capsule_piece(make_vec(0.0, 2.0, 0.0), 0.2, 0.2);
    piece cone = table_piece(make_vec(1.2, 2.2, 0.0), VSP_SHAPE_HULL, 1);
    vsp_body_def def = vsp_body_def_default();

    add_tables(run, TABLES_SENSOR);
    add_floor(run, 0.5, 0.3);
    gate.type = VSP_STATIC;
    piece_body(run, &gate, &def);
    def.shape.is_sensor = true;
    run->marks[0] = create_body(run, &def);
    add_ball(run, make_vec(-1.2, 1.8, 0.0), 0.3);
    capsule.turn = about_z(radians(20.0));
    add_piece(run, &capsule);
    add_piece(run, &cone);
}

#endif
