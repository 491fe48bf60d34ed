/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Scenes of boxes and balls, in this order: structures that several scenes
 * share, the scenes (stacks, scenes of the paper, tests of physics, scenes with
 * events during a run), the table of all scenes.
 *
 * Poses are computed in double by + - * / alone and rounded once, so a scene
 * starts from the same bits on every machine.  Up is y, and the floor is the
 * half-space below y = 0. */

#include "builder.h"
#include "scene_table.h"

#if !SCENES_MICRO


/* ---- Structures --------------------------------------------------------- */

static vsp_body_id add_cube(scene_run *run, double x, double y, double z)
{
    return add_box(run, make_vec(x, y, z), make_vec(0.5, 0.5, 0.5));
}

/* Stacks cubes from y = 0 up.  Returns the topmost. */
static vsp_body_id add_column(scene_run *run, int count, double x)
{
    vsp_body_id top = {0};

    for (int i = 0; i < count; i++)
        top = add_cube(run, x, i + 0.5, 0.0);
    return top;
}

/* Adds rows of ten bricks, with gaps of 10 mm between the bricks of a row.
 * Rows are offset by 0.9 m in turn, so the end brick of each upper row has its
 * centre of mass 0.1 m inside its support. */
static void add_wall(scene_run *run)
{
    for (int row = 0; row < scene_number(run); row++)
        for (int i = 0; i < 10; i++)
            add_box(run,
                    make_vec((i - 4.5) * 2.01 + ((row & 1) ? 0.45 : -0.45),
                             row + 0.5, 0.0),
                    make_vec(1.0, 0.5, 0.5));
}

/* A tower of rings: bricks lie along the ring, each layer turned by half a
 * brick. */
typedef struct ring {
    int layers, bricks; /* number of layers; bricks of a layer */
    double radius;      /* m */
    vec half;           /* half extents of a brick, m */
    vsp_body_type type;
    double density; /* kg/m^3 */
} ring;

static void add_ring(scene_run *run, const ring *it)
{
    for (int layer = 0; layer < it->layers; layer++) {
        for (int i = 0; i < it->bricks; i++) {
            double a = 2.0 * PI * (i + 0.5 * (layer & 1)) / it->bricks;
            piece brick = box_piece(make_vec(it->radius * cosine(a),
                                             (2 * layer + 1) * it->half.y,
                                             it->radius * sine(a)),
                                    it->half);

            brick.turn = about_y(-(a + PI / 2.0));
            brick.type = it->type;
            brick.density = it->density;
            add_piece(run, &brick);
        }
    }
}

/* Adds a ring tower of dynamic bricks 1 m high. */
static void add_tower(scene_run *run, int layers, int bricks, double radius,
                      double half_length)
{
    ring it = {0, 0, 0.0, {0.0, 0.5, 0.5}, VSP_DYNAMIC, 1000.0};

    it.layers = layers;
    it.bricks = bricks;
    it.radius = radius;
    it.half.x = half_length;
    add_ring(run, &it);
}


/* ---- Stacks ------------------------------------------------------------- */

static void build_column(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    add_column(run, scene_number(run), 0.0);
}

static void build_wall(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    add_wall(run);
}

/* Adds a row of ten bricks of random lengths, 20 m of brick in all. */
static void add_random_row(scene_run *run, int row, uint32_t *state)
{
    double length[10];
    double sum = 0.0;
    double left = -10.05;

    for (int i = 0; i < 10; i++) {
        length[i] = 2.0 + 0.8 * next_random(state);
        sum += length[i];
    }
    for (int i = 0; i < 10; i++) {
        double half = length[i] * 10.0 / sum;

        add_box(run, make_vec(left + half, row + 0.5, 0.0),
                make_vec(half, 0.5, 0.5));
        left += 2.0 * half + 0.01;
    }
}

/* A random wall, to which no parameter was tuned; the scene's number is its
 * seed. */
static void build_random_wall(scene_run *run)
{
    uint32_t state = (uint32_t)scene_number(run) * 2654435761u + 12345u;

    add_floor(run, 0.5, 0.0);
    for (int row = 0; row < 20; row++)
        add_random_row(run, row, &state);
}

static void build_tower(scene_run *run)
{
    add_floor(run, 0.8, 0.0);
    add_tower(run, scene_number(run), 16, 5.56, 1.0);
}

static void build_pyramid(scene_run *run)
{
    int rows = scene_number(run);

    add_floor(run, 0.5, 0.0);
    for (int row = 0; row < rows; row++)
        for (int i = 0; i < rows - row; i++)
            add_cube(run, (i - (rows - 1 - row) * 0.5) * 1.01, row + 0.5, 0.0);
}

/* Five cubes and on top a sixth; the scene's number is its mass over that of a
 * cube. */
static void build_heavy(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    add_column(run, 5, 0.0);
    add_dense_box(run, make_vec(0.0, 5.5, 0.0), make_vec(0.5, 0.5, 0.5),
                  1000.0 * run->variant.number);
}

static void build_ball_grid(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 5; x++)
            for (int z = 0; z < 5; z++)
                add_ball(run, make_vec(x - 2.0, y + 0.5, z - 2.0), 0.5);
}

/* The density of bricks of 2 m^3, kg/m^3: a roof of more than 499,000 bricks of
 * 2 t would weigh more than VSP_MAX_MASS, so its bricks are lighter. */
static double roof_brick_density(const scene_run *run)
{
    double most = 499000.0, number = run->variant.number;

    return number > most ? 1000.0 * most / number : 1000.0;
}

/* A roof falls on a tower of 800 bricks of 2 t after 1 s, and a cannonball hits
 * it after 4 s.  The scene's number is the roof's mass in bricks; one brick is
 * a 50th of its density in the roof's 100 m^3. */
static void build_roof_tower(scene_run *run)
{
    ring it = {40, 20, 6.85, {1.0, 0.5, 0.5}, VSP_DYNAMIC, 0.0};

    it.density = roof_brick_density(run);
    add_floor(run, 0.5, 0.0);
    add_ring(run, &it);
}

static void drive_roof_tower(scene_run *run, uint32_t step)
{
    if (step == 100)
        add_missile(
            run, box_piece(make_vec(0.0, 45.5, 0.0), make_vec(5.0, 0.5, 5.0)),
            roof_brick_density(run) / 50.0 * run->variant.number,
            make_vec(0.0, 0.0, 0.0));
    if (step == 400)
        add_missile(
            run,
            ball_piece(make_vec(-(6.85 + 0.5 + 2.0 + 0.1), 20.0, 0.0), 2.0),
            7000.0, make_vec(40.0, 0.0, 0.0));
}

/* A small tower, on which a roof falls from half a metre above. */
static void build_roof(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    add_tower(run, scene_number(run), 8, 2.78, 1.0);
}

static void drive_roof(scene_run *run, uint32_t step)
{
    if (step == 5)
        add_missile(run,
                    box_piece(make_vec(0.0, scene_number(run) + 1.0, 0.0),
                              make_vec(3.5, 0.5, 3.5)),
                    1000.0, make_vec(0.0, -5.0, 0.0));
}


/* ---- Scenes of the paper ------------------------------------------------ */

/* A tower of 640 bricks.  The roof is a slab of 20 x 1 x 20 m.  The cannonball
 * has no gravity, so it flies level. */
static void build_falling_roof(scene_run *run)
{
    add_floor(run, 0.25, 0.15);
    add_tower(run, 40, 16, 4.443, 0.75);
}

static void drive_falling_roof(scene_run *run, uint32_t step)
{
    if (step == 100)
        add_missile(
            run, box_piece(make_vec(0.0, 50.0, 0.0), make_vec(10.0, 0.5, 10.0)),
            1000.0, make_vec(0.0, 0.0, 0.0));
    if (step == 400) {
        piece ball = ball_piece(make_vec(20.0, 20.0, 0.0), 0.75);

        ball.gravity_scale = 0.0;
        add_missile(run, ball, 10000.0, make_vec(-20.0, 0.0, 0.0));
    }
}

/* Adds a layer of balls to the silo: those of a square grid that lie inside the
 * ring.  Returns how many balls are left. */
static int add_silo_layer(scene_run *run, double y, int left)
{
    for (int i = -8; i <= 8 && left > 0; i++) {
        for (int k = -8; k <= 8 && left > 0; k++) {
            double x = 0.62 * i + 0.008 * next_random(&run->random);
            double z = 0.62 * k + 0.008 * next_random(&run->random);

            if (x * x + z * z > 4.65 * 4.65)
                continue;
            add_ball(run, make_vec(x, y, z), 0.2 + 0.05 * (left % 3));
            left--;
        }
    }
    return left;
}

/* Balls of three sizes fall into a static ring of bricks. */
static void build_silo(scene_run *run)
{
    static const ring walls = {12,         16,    5.56, {1.0, 0.5, 0.5},
                               VSP_STATIC, 1000.0};
    int left = scene_number(run);

    add_floor(run, 0.25, 0.15);
    add_ring(run, &walls);
    for (int layer = 0; left > 0; layer++)
        left = add_silo_layer(run, 0.35 + 0.62 * layer, left);
}

static void add_pyramid_layer(scene_run *run, int layer, int side)
{
    for (int i = 0; i < side; i++)
        for (int k = 0; k < side; k++)
            add_cube(run, (i - (side - 1) * 0.5) * 1.01, layer + 0.5,
                     (k - (side - 1) * 0.5) * 1.01);
}

/* 15^2 + 14^2 + ... + 1 boxes. */
static void build_pyramid_3d(scene_run *run)
{
    int rows = scene_number(run);

    add_floor(run, 0.25, 0.0);
    for (int layer = 0; layer < rows; layer++)
        add_pyramid_layer(run, layer, rows - layer);
}

/* Shoots four balls, each twenty times as dense as a box, from four sides. */
static void drive_pyramid_3d_shot(scene_run *run, uint32_t step)
{
    for (int i = 0; step == 100 && i < 4; i++) {
        double a = i * PI / 2.0;
        piece ball = ball_piece(turn_vec(make_vec(14.0, 4.0 + i, 0.0), a), 0.5);

        add_missile(run, ball, 20000.0, turn_vec(make_vec(-50.0, 0.0, 0.0), a));
    }
}

/* Cards of 2 x 1 x 0.1 m.  A tent is two cards that lean on each other, 15
 * degrees off the vertical; level cards lie across the ridges of tents. */
#define CARD_HALF make_vec(0.05, 1.0, 0.5)
#define CARD_TILT radians(15.0)

static void add_card(scene_run *run, vec at, double tilt)
{
    piece card = box_piece(at, CARD_HALF);

    card.turn = about_z(tilt);
    card.density = 500.0;
    add_piece(run, &card);
}

/* Adds a tent at x, on the height `base`: the inner edges of its cards meet at
 * x. */
static void add_tent(scene_run *run, double x, double base)
{
    double reach = sine(CARD_TILT) + 0.05 * cosine(CARD_TILT);
    double y = base + cosine(CARD_TILT) + 0.05 * sine(CARD_TILT);

    add_card(run, make_vec(x + reach, y, 0.0), CARD_TILT);
    add_card(run, make_vec(x - reach, y, 0.0), -CARD_TILT);
}

static void add_card_floor(scene_run *run, int tents, double base)
{
    double rise = 2.0 * cosine(CARD_TILT) + 0.1 * sine(CARD_TILT);

    for (int i = 0; i < tents; i++)
        add_tent(run, (i - (tents - 1) * 0.5) * 2.02, base);
    for (int i = 0; i < tents - 1; i++)
        add_card(
            run,
            make_vec((i - (tents - 2) * 0.5) * 2.02, base + rise + 0.05, 0.0),
            PI / 2.0);
}

static void build_card_house(scene_run *run)
{
    double rise = 2.0 * cosine(CARD_TILT) + 0.1 * sine(CARD_TILT) + 0.1;
    int floors = scene_number(run);

    add_floor(run, 0.5, 0.0);
    for (int i = 0; i < floors; i++)
        add_card_floor(run, floors - i, i * rise);
}

static void drive_card_house_shot(scene_run *run, uint32_t step)
{
    for (int i = 0; step == 100 && i < 2; i++)
        add_missile(run, ball_piece(make_vec(-12.0, 2.8 + 2.0 * i, 0.0), 0.5),
                    500.0, make_vec(15.0, 2.0, 0.0));
}

#if VSP_ROLLING

/* Balls roll and spin: the first for ever, the others to their stops, each
 * sooner than the one before. */
static void build_putt(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    for (int i = 0; i < scene_number(run); i++) {
        piece ball = ball_piece(
            turn_vec(make_vec(0.0, 0.2, 0.5 * i), radians(run->variant.turn)),
            0.2);
        vsp_body_def def = vsp_body_def_default();

        ball.velocity = make_vec(2.0, 0.0, 0.0);
        ball.spin = make_vec(0.0, 5.0, -10.0);
        piece_body(run, &ball, &def);
        def.shape.rolling_friction = scene_real(0.005 * i);
        def.shape.spinning_friction = scene_real(0.002 * i);
        create_body(run, &def);
    }
}

#define PUTT_SCENE                                       \
    {"putt", "balls roll to their stops; number: balls", \
     0.01,   400,                                        \
     5.0,    false,                                      \
     false,  build_putt,                                 \
     NULL,   false},
#else
#define PUTT_SCENE
#endif

/* Boxes and balls in turn, in layers of a hundred, fall on the floor, boxes
 * turned at random; the scene's number counts them. */
static void build_rain(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    for (int i = 0; i < scene_number(run); i++) {
        int column = i % 10, row = i / 10 % 10, layer = i / 100;
        double x = 0.9 * (column - 4.5) + 0.1 * next_random(&run->random);
        double z = 0.9 * (row - 4.5) + 0.1 * next_random(&run->random);
        vec at = make_vec(x, 1.0 + 0.9 * layer, z);
        piece box = box_piece(at, make_vec(0.3, 0.2, 0.25));

        box.turn.x = next_random(&run->random);
        box.turn.y = next_random(&run->random);
        box.turn.z = next_random(&run->random);
        if ((column + row + layer) % 2 == 0)
            add_piece(run, &box);
        else
            add_ball(run, at, 0.3);
    }
}

/* A slab falls on 8 x 8 columns of four cubes. */
static void build_slab(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    for (int i = 0; i < 256; i++)
        add_cube(run, 2.0 * (i % 8 - 3.5), i / 64 + 0.5,
                 2.0 * (i / 8 % 8 - 3.5));
    add_missile(run,
                box_piece(make_vec(0.0, 5.0, 0.0), make_vec(8.0, 0.5, 8.0)),
                1000.0, make_vec(0.0, 0.0, 0.0));
}

/* Shoots a ball at the pyramid, below its middle. */
static void drive_pyramid_shot(scene_run *run, uint32_t step)
{
    if (step == 50)
        add_missile(run,
                    ball_piece(make_vec(-scene_number(run),
                                        0.3 * scene_number(run), 0.0),
                               1.0),
                    7000.0, make_vec(40.0, 0.0, 0.0));
}

/* Dominoes in a circle, 0.8 m apart; a small heavy ball tips the first. */
static double domino_radius(scene_run *run)
{
    return scene_number(run) * 0.8 / (2.0 * PI);
}

static void build_dominoes(scene_run *run)
{
    ring circle = {1, 0, 0.0, {0.1, 1.0, 0.4}, VSP_DYNAMIC, 1000.0};

    circle.bricks = scene_number(run);
    circle.radius = domino_radius(run);
    add_floor(run, 0.25, 0.0);
    add_ring(run, &circle);
}

static void drive_dominoes(scene_run *run, uint32_t step)
{
    if (step == 50)
        add_missile(run,
                    ball_piece(make_vec(domino_radius(run), 1.7, -0.35), 0.2),
                    7000.0, make_vec(0.0, 0.0, 4.0));
}

/* A row of balls between two static boxes that are too close, by 0.2 m a ball.
 * No solution exists, but nothing may fly apart. */
static void build_jammed(scene_run *run)
{
    int count = scene_number(run);
    double end = count * 0.5 + 0.5;

    add_floor(run, 0.0, 0.0);
    for (int i = 0; i < count; i++)
        add_ball(run, make_vec(i - (count - 1) * 0.5, 0.6, 0.0), 0.6);
    add_block(run, make_vec(-end, 0.5, 0.0), make_vec(0.5, 0.5, 0.5));
    add_block(run, make_vec(end, 0.5, 0.0), make_vec(0.5, 0.5, 0.5));
}

/* A box of 27,000 kg on one of 10 kg, without friction. */
static void build_large_mass_pair(scene_run *run)
{
    add_floor(run, 0.0, 0.0);
    add_dense_box(run, make_vec(0.0, 0.5, 0.0), make_vec(0.5, 0.5, 0.5), 10.0);
    add_box(run, make_vec(0.0, 2.5, 0.0), make_vec(1.5, 1.5, 1.5));
}

/* The house: bricks of 2 m with gaps of 10 mm.  Each wall starts at one corner
 * in even rows and at the other in odd ones, so that rows are offset by half a
 * brick and corners interlock. */
#define HOUSE_LONG 8  /* bricks */
#define HOUSE_SHORT 5 /* bricks */
#define HOUSE_ROWS 10
#define BRICK_HALF make_vec(0.995, 0.5, 0.495)

static void add_course(scene_run *run, vec middle, int bricks, bool is_along_z)
{
    for (int i = 0; i < bricks; i++) {
        double shift = (i - (bricks - 1) * 0.5) * 2.0;
        piece brick = box_piece(middle, BRICK_HALF);

        if (is_along_z) {
            brick.at.z += shift;
            brick.turn = about_y(PI / 2.0);
        } else {
            brick.at.x += shift;
        }
        add_piece(run, &brick);
    }
}

static void add_house_row(scene_run *run, int row)
{
    double y = row + 0.5;
    double side = (row & 1) ? 0.5 : -0.5;

    add_course(run, make_vec(side, y, -HOUSE_SHORT), HOUSE_LONG, false);
    add_course(run, make_vec(-side, y, HOUSE_SHORT), HOUSE_LONG, false);
    add_course(run, make_vec(HOUSE_LONG, y, side), HOUSE_SHORT, true);
    add_course(run, make_vec(-HOUSE_LONG, y, -side), HOUSE_SHORT, true);
}

static void build_house(scene_run *run)
{
    scene_number(run); /* of balls: only drive_house reads it */
    add_floor(run, 0.5, 0.0);
    for (int row = 0; row < HOUSE_ROWS; row++)
        add_house_row(run, row);
    for (int row = 0; row < HOUSE_SHORT; row++) {
        double y = HOUSE_ROWS + row + 0.5;

        add_course(run, make_vec(-HOUSE_LONG, y, 0.0), HOUSE_SHORT - row, true);
        add_course(run, make_vec(HOUSE_LONG, y, 0.0), HOUSE_SHORT - row, true);
    }
}

static void shoot_at_house(scene_run *run, vec from)
{
    add_missile(run, ball_piece(from, 0.5), 5000.0, make_vec(35.0, 2.0, 0.0));
}

/* Shoots a ball every tenth of a second, until there are as many as the scene's
 * number. */
static void drive_house(scene_run *run, uint32_t step)
{
    uint32_t shot = step < 100 ? 0 : (step - 100) / 10;

    if (step >= 100 && step % 10 == 0 && (int)shot < scene_number(run))
        shoot_at_house(
            run, make_vec(-30.0, 3.0 + shot % 4, (double)(shot * 3 % 7) - 3.0));
}

/* The lowest rows of the house, as many as the scene's number, and one ball. */
static void build_cottage(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    for (int row = 0; row < scene_number(run); row++)
        add_house_row(run, row);
}

static void drive_cottage(scene_run *run, uint32_t step)
{
    if (step == 2)
        shoot_at_house(run, make_vec(-10.0, 1.0, 0.5));
}


/* ---- Tests of physics: sliding and pushing ------------------------------ */

/* mark 0: a box that slides along x at 5 m/s */
static void build_slide(scene_run *run)
{
    piece box = box_piece(make_vec(0.0, 0.5, 0.0), make_vec(0.5, 0.5, 0.5));

    add_floor(run, 0.5, 0.0);
    box.velocity = make_vec(5.0, 0.0, 0.0);
    run->marks[0] = add_piece(run, &box);
}

/* mark 0: a box that slides up a ramp along x, whose slope is the scene's
 * number in degrees (turn the scene by 45 degrees to go along the diagonal);
 * mark 1: the ramp */
static void build_slope(scene_run *run)
{
    double a = radians(run->variant.number);
    vec up = make_vec(-sine(a), cosine(a), 0.0);
    piece ramp = box_piece(make_vec(-up.x, 30.0 - up.y, 0.0),
                           make_vec(20.0, 1.0, 5.0));
    piece box = box_piece(make_vec(10.0 * up.y + 0.5 * up.x,
                                   30.0 - 10.0 * up.x + 0.5 * up.y, 0.0),
                          make_vec(0.5, 0.5, 0.5));

    add_floor(run, 0.5, 0.0);
    ramp.type = VSP_STATIC;
    ramp.turn = about_z(a);
    box.turn = about_z(a);
    run->marks[1] = add_piece(run, &ramp);
    run->marks[0] = add_piece(run, &box);
}

/* mark 0: a box pushed along the diagonal of x and z; the scene's number is the
 * force over the largest friction force */
static void build_diagonal_push(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    run->marks[0] = add_cube(run, 0.0, 0.5, 0.0);
}

static void drive_diagonal_push(scene_run *run, uint32_t step)
{
    double force = run->variant.number * 0.5 * 1000.0 * 9.81;
    double part = force * sine(PI / 4.0);

    (void)step;
    push_body(run, run->marks[0], make_vec(part, 0.0, part));
}

/* mark 0: the lowest box of five, pulled along x after 1 s; the scene's number
 * is the force over mu m g; mark 1: the top box */
static void build_pull(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    run->marks[0] = add_cube(run, 0.0, 0.5, 0.0);
    for (int i = 1; i < 5; i++)
        run->marks[1] = add_cube(run, 0.0, i + 0.5, 0.0);
}

static void drive_pull(scene_run *run, uint32_t step)
{
    double force = run->variant.number * 0.5 * 1000.0 * 9.81;

    if (step >= 100)
        push_body(run, run->marks[0], make_vec(force, 0.0, 0.0));
}

/* mark 0: a ball that slides along x at 3 m/s at first, and then rolls */
static void build_roll(scene_run *run)
{
    piece ball = ball_piece(make_vec(0.0, 0.5, 0.0), 0.5);

    add_floor(run, 0.5, 0.0);
    ball.velocity = make_vec(3.0, 0.0, 0.0);
    run->marks[0] = add_piece(run, &ball);
}

/* marks 0 and 1: two boxes that mark 2, a box on its edge, drives apart along
 * x */
static void build_wedge(scene_run *run)
{
    piece wedge = box_piece(make_vec(0.0, 0.0, 0.0), make_vec(0.5, 0.5, 0.5));

    add_floor(run, 0.1, 0.0);
    run->marks[0] = add_cube(run, -0.8, 0.5, 0.0);
    run->marks[1] = add_cube(run, 0.8, 0.5, 0.0);
    /* its lower faces touch the boxes' edges at x = +-0.3, y = 1 */
    wedge.at.y = 0.7 + 2.0 * 0.5 * sine(PI / 4.0);
    wedge.turn = about_z(PI / 4.0);
    run->marks[2] = add_piece(run, &wedge);
}


/* ---- Tests of physics: balance ------------------------------------------ */

/* mark 0: the top of a stack of cubes, each 0.15 m beyond the one below; the
 * scene's number counts the cubes */
static void build_lean(scene_run *run)
{
    int count = scene_number(run);

    add_floor(run, 0.5, 0.0);
    for (int i = 0; i < count; i++)
        run->marks[0] = add_cube(run, i * 0.15, i + 0.5, 0.0);
}

/* mark 0: a plank of 800 kg on a post, its centre 0.3 m inside the post's edge;
 * mark 1: a load 1.2 m outside the edge; the scene's number is its mass in kg.
 * From 200 kg on the plank tips. */
static void build_plank(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    add_block(run, make_vec(0.0, 1.5, 0.0), make_vec(0.5, 1.5, 0.5));
    run->marks[0] = add_box(run, make_vec(0.2, 3.1, 0.0),
                            make_vec(2.0, 0.1, 0.5));
    run->marks[1] = add_dense_box(run, make_vec(1.7, 3.7, 0.0),
                                  make_vec(0.5, 0.5, 0.5), run->variant.number);
}

/* mark 0: the plank; mark 1: a load of 1,000 kg at its +x end; mark 2: a load
 * at the other end; the scene's number is its mass in kg */
static void build_seesaw(scene_run *run)
{
    add_floor(run, 0.8, 0.0);
    add_block(run, make_vec(0.0, 1.0, 0.0), make_vec(0.1, 1.0, 0.5));
    run->marks[0] = add_dense_box(run, make_vec(0.0, 2.05, 0.0),
                                  make_vec(2.5, 0.05, 0.5), 200.0);
    run->marks[1] = add_cube(run, 2.0, 2.6, 0.0);
    run->marks[2] = add_dense_box(run, make_vec(-2.0, 2.6, 0.0),
                                  make_vec(0.5, 0.5, 0.5), run->variant.number);
}

/* Bodies at rest of known weight. mark 0: the floor; mark 1: a box; marks 2, 3,
 * 4: a column, bottom to top; mark 5: a ball; mark 6: a plank on two more
 * boxes */
static void build_rest(scene_run *run)
{
    run->marks[0] = add_floor(run, 0.5, 0.0);
    run->marks[1] = add_cube(run, 0.0, 0.5, 0.0);
    for (int i = 0; i < 3; i++)
        run->marks[2 + i] = add_cube(run, 3.0, i + 0.5, 0.0);
    run->marks[5] = add_ball(run, make_vec(6.0, 0.5, 0.0), 0.5);
    add_cube(run, -5.0, 0.5, 0.0);
    add_cube(run, -3.0, 0.5, 0.0);
    run->marks[6] = add_box(run, make_vec(-4.0, 1.1, 0.0),
                            make_vec(1.5, 0.1, 0.5));
}


/* ---- Tests of physics: moving supports ---------------------------------- */

/* mark 0: the platform; marks 1, 2, 3: the boxes on it, bottom to top */
static void build_lift(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    run->marks[0] = add_mover(run, make_vec(0.0, 0.5, 0.0),
                              make_vec(2.0, 0.25, 2.0),
                              make_vec(0.0, 0.0, 0.0));
    for (int i = 0; i < 3; i++)
        run->marks[1 + i] = add_cube(run, 0.0, i + 1.25, 0.0);
}

/* Velocity of the lift: up from 1 s to 5 s, down from 6 s to 10 s, at most 1
 * m/s, with an acceleration of 1 m/s^2. */
static double lift_speed(uint32_t step)
{
    double t = 0.01 * (double)(step + 1) - (step < 600 ? 1.0 : 6.0);
    double sign = step < 600 ? 1.0 : -1.0;

    if (t < 0.0 || t > 4.0)
        return 0.0;
    if (t > 3.0)
        return sign * (4.0 - t);
    return sign * (t < 1.0 ? t : 1.0);
}

static void drive_lift(scene_run *run, uint32_t step)
{
    vec velocity = make_vec(0.0, lift_speed(step), 0.0);
    vec spin = make_vec(0.0, 0.0, 0.0);

    if (vsp_record_body_set_velocity(scene_recorder(run), run->marks[0],
                                     real_vec(velocity), real_vec(spin)) < 0)
        run->failures++;
}

/* mark 0: a belt whose surface moves along x at 1 m/s; marks 1 and 2: the lower
 * and the upper box on it */
static void build_conveyor(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    run->marks[0] = add_mover(run, make_vec(0.0, 0.5, 0.0),
                              make_vec(20.0, 0.5, 2.0),
                              make_vec(1.0, 0.0, 0.0));
    run->marks[1] = add_cube(run, -10.0, 1.5, 0.0);
    run->marks[2] = add_cube(run, -10.0, 2.5, 0.0);
}


/* ---- Tests of physics: impacts and free flight -------------------------- */

/* mark 0: a ball dropped from a height of 1 m; the scene's number is the
 * restitution */
static void build_bounce(scene_run *run)
{
    add_floor(run, 0.5, run->variant.number);
    run->marks[0] = add_ball(run, make_vec(0.0, 1.5, 0.0), 0.5);
}

/* marks 0, 1, 2: the boxes, bottom to top */
static void build_drop_stack(scene_run *run)
{
    add_floor(run, 0.5, run->variant.number);
    for (int i = 0; i < 3; i++)
        run->marks[i] = add_cube(run, 0.0, i + 1.5, 0.0);
}

/* mark 0: a box of 1,000 kg at 6 m/s that hits mark 1, a box of 3,000 kg, off
 * its centre; the scene's number is the restitution */
static void build_free_collision(scene_run *run)
{
    piece fast = box_piece(make_vec(0.0, 10.0, 0.0), make_vec(0.5, 0.5, 0.5));
    piece slow = box_piece(make_vec(3.0, 10.3, 0.2), make_vec(0.5, 0.5, 0.5));

    run->material.restitution = scene_real(run->variant.number);
    fast.velocity = make_vec(6.0, 0.0, 0.0);
    run->marks[0] = add_piece(run, &fast);
    slow.turn = about_z(radians(10.0));
    slow.density = 3000.0;
    run->marks[1] = add_piece(run, &slow);
}

/* mark 0: a board that spins about its middle axis of inertia, which is
 * unstable */
static void build_spin(scene_run *run)
{
    piece board = box_piece(make_vec(0.0, 10.0, 0.0), make_vec(0.5, 0.3, 0.1));

    board.spin = make_vec(0.01, 5.0, 0.01);
    run->marks[0] = add_piece(run, &board);
}

/* mark 0: a ball that comes along x at 1 m/s; marks 1 to 5: the row of balls
 * that it hits; the scene's number is the restitution */
static void build_cradle(scene_run *run)
{
    piece ball = ball_piece(make_vec(-2.0, 10.0, 0.0), 0.5);

    run->material.friction = VSP_R(0.0);
    run->material.restitution = scene_real(run->variant.number);
    for (int i = 0; i < 5; i++)
        run->marks[1 + i] = add_ball(run, make_vec(i, 10.0, 0.0), 0.5);
    ball.velocity = make_vec(1.0, 0.0, 0.0);
    run->marks[0] = add_piece(run, &ball);
}

/* Shoots a ball of 29 t at 40 m/s at the wall after 1 s. mark 0: the ball */
static void drive_cannon(scene_run *run, uint32_t step)
{
    vec at = make_vec(0.0, run->variant.number / 2.0, 4.0);

    if (step == 100)
        run->marks[0] = add_missile(run, ball_piece(at, 1.0), 7000.0,
                                    make_vec(0.0, 0.0, -40.0));
}


/* ---- Events during a run ------------------------------------------------ */

/* Two balls on a bar. */
static void add_dumbbell(scene_run *run, vec at)
{
    vsp_body_id id = add_box(run, at, make_vec(0.5, 0.1, 0.1));
    piece ball = ball_piece(make_vec(-0.5, 0.0, 0.0), 0.25);

    add_part(run, id, &ball);
    ball.at.x = 0.5;
    add_part(run, id, &ball);
}

/* Adds a compound of two boards, one across the other. */
static void add_cross(scene_run *run, vec at)
{
    piece arm = box_piece(make_vec(0.0, 0.1, 0.0), make_vec(0.5, 0.1, 0.1));
    vsp_body_id id = add_box(run, at, make_vec(0.5, 0.1, 0.1));

    arm.turn = about_y(radians(60.0));
    arm.density = 300.0;
    add_part(run, id, &arm);
}

/* so thin that its inverse inertia is out of range, but a valid box */
#define WIRE_HALF \
    (VSP_FIXED ? make_vec(1.5, 0.005, 0.005) : make_vec(1.5, 0.002, 0.002))

static void add_ramp(scene_run *run)
{
    piece ramp = box_piece(make_vec(-1.5, 0.5, 0.0), make_vec(2.0, 0.1, 2.0));

    ramp.type = VSP_STATIC;
    ramp.turn = about_z(radians(-20.0));
    add_piece(run, &ramp);
}

static void add_spinner(scene_run *run)
{
    piece board = box_piece(make_vec(1.8, 0.3, 0.0), make_vec(1.0, 0.2, 0.2));

    board.type = VSP_KINEMATIC;
    board.spin = make_vec(0.0, 3.0, 0.0);
    add_piece(run, &board);
}

/* Balls, boxes, dumbbells and crosses fall on a ramp and on a board that spins;
 * the scene's number is how many of each. */
static void build_mixed(scene_run *run)
{
    add_floor(run, 0.5, 0.3);
    add_ramp(run);
    add_spinner(run);
    for (int i = 0; i < scene_number(run); i++) {
        double y = 1.6 + i * 0.8;

        add_ball(run, make_vec(-1.5 + 0.1 * i, y, 0.6), 0.3);
        add_box(run, make_vec(-1.5, y, -0.6), make_vec(0.3, 0.2, 0.25));
        add_dumbbell(run, make_vec(1.5 + 0.1 * i, y - 0.6, 0.1));
        add_cross(run, make_vec(0.0, y + 0.2, 0.1 * i));
    }
    add_box(run, make_vec(0.5, 1.0, -0.8), WIRE_HALF);
}

#define PIT_THROW 240 /* steps between throws */
#define PIT_FIXED 5u  /* floor and walls */

static void add_pit_wall(scene_run *run, double x, double z)
{
    piece wall = box_piece(make_vec(x, 20.0, z),
                           make_vec(x < 0.0 || x > 0.0 ? 1.0 : 6.0, 20.0,
                                    z < 0.0 || z > 0.0 ? 1.0 : 6.0));

    wall.type = VSP_STATIC;
    add_piece(run, &wall);
}

/* A pit of 8 x 8 m with balls and boxes of many sizes. */
static void build_pit(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    add_pit_wall(run, 5.0, 0.0);
    add_pit_wall(run, -5.0, 0.0);
    add_pit_wall(run, 0.0, 5.0);
    add_pit_wall(run, 0.0, -5.0);
    for (int i = 0; i < scene_number(run); i++) {
        vec at = make_vec(i % 5 * 1.5 - 3.0, 1.0 + i / 25 * 1.5,
                          i / 5 % 5 * 1.5 - 3.0);
        double half = 0.25 + 0.15 * next_random(&run->random);

        if (i % 2 == 0)
            add_ball(run, at, half);
        else
            add_box(run, at, make_vec(half, half, half));
    }
}

/* Throws all balls and boxes up, again every PIT_THROW steps. */
static void drive_pit(scene_run *run, uint32_t step)
{
    if (step % PIT_THROW != 0)
        return;
    for (uint32_t i = 0; i < (uint32_t)scene_number(run); i++) {
        vec v, w;

        v.x = 5.0 * next_random(&run->random);
        v.y = 4.0 + 3.0 * next_random(&run->random);
        v.z = 5.0 * next_random(&run->random);
        w.x = 5.0 * next_random(&run->random);
        w.y = 5.0 * next_random(&run->random);
        w.z = 5.0 * next_random(&run->random);
        if (vsp_record_body_set_velocity(scene_recorder(run),
                                         vsp_body_at(run->world, PIT_FIXED + i),
                                         real_vec(v), real_vec(w)) < 0)
            run->failures++;
    }
}

/* Boxes that all overlap each other, which the solver must push apart. */
static void build_crowd(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    for (int i = 0; i < scene_number(run); i++)
        add_cube(run, 0.1 * i, 0.45 + 0.01 * i, 0.02 * i);
}

/* marks 0 to 5: boxes that exist for 60 steps each */
static void build_respawn(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    for (int i = 0; i < 6; i++)
        run->marks[i] = add_box(run, make_vec(0.1 * i, 0.3 + i * 0.7, 0.0),
                                make_vec(0.5, 0.3, 0.4));
}

/* Destroys the oldest box and creates another, which has the same slot but
 * another id: a call with the old id must be refused. */
static void drive_respawn(scene_run *run, uint32_t step)
{
    vsp_body_id *oldest = &run->marks[step / 10 % 6];
    vsp_body_id gone = *oldest;

    if (step % 10 != 9)
        return;
    if (vsp_record_body_destroy(scene_recorder(run), gone) < 0)
        run->failures++;
    *oldest = add_box(run, make_vec(0.05 * (step % 7), 4.5, 0.1),
                      make_vec(0.4, 0.3, 0.4));
    if (vsp_record_body_set_user(scene_recorder(run), gone, 1) != VSP_ERR_ID)
        run->failures++;
}

/* Two stacks fall asleep.  A ball hits one, which falls asleep again once it is
 * at rest. */
static void build_nap(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    add_column(run, 2, 0.0);
    add_column(run, 2, 6.0);
}

static void drive_nap(scene_run *run, uint32_t step)
{
    if (step == 70)
        add_missile(run, ball_piece(make_vec(-3.0, 1.8, 0.1), 0.25), 2000.0,
                    make_vec(15.0, 1.0, 0.0));
}

/* 1,000 boxes in towers of 5 and of 15, and a cannonball that flies along a row
 * of them. */
static void build_city(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    for (int i = 0; i < 10; i++)
        for (int k = 0; k < 10; k++)
            for (int y = 0; y < ((i + k) % 2 ? 15 : 5); y++)
                add_cube(run, 6.0 * (i - 4.5), y + 0.5, 6.0 * (k - 4.5));
}

static void drive_city(scene_run *run, uint32_t step)
{
    if (step == 100)
        add_missile(run, ball_piece(make_vec(-35.0, 3.5, 3.0), 0.75), 5000.0,
                    make_vec(40.0, 0.0, 0.0));
}


/* ---- Table -------------------------------------------------------------- */

/* name, about, dt, steps, number, is_resting, is_weightless, build, drive,
 * traits; members left out are false or 0 */
const scene scenes[] = {
    {"box-stack", "25 cubes on each other", 0.01, 500, 25.0, true, false,
     build_column, NULL, false},
    {"wall", "bricks in running bond; number: rows of 10", 0.01, 500, 20.0,
     true, false, build_wall, NULL, false},
    {"tower", "rings of 16 bricks; number: rings", 0.01, 500, 20.0, true, false,
     build_tower, NULL, false},
    {"pyramid", "flat pyramid; number: rows", 0.01, 500, 20.0, true, false,
     build_pyramid, NULL, false},
    {"heavy-on-light", "a cube of 1,000 t on five of 1 t", 0.01, 500, 1000.0,
     true, false, build_heavy, NULL, false},
    {"ball-grid", "125 balls on each other", 0.01, 500, 0.0, true, false,
     build_ball_grid, NULL, false},
    {"roof-tower", "800 bricks, a roof falls on them, then a cannonball", 0.01,
     600, 150.0, false, false, build_roof_tower, drive_roof_tower, SCENE_FALLS},
    {"column", "cubes on each other; number: how many", 0.01, 500, 25.0, true,
     false, build_column, NULL, false},
    {"heavy", "a heavy cube on five; number: mass ratio", 0.01, 500, 1000.0,
     true, false, build_heavy, NULL, false},
    {"random-wall", "bricks of random lengths; number: seed", 0.01, 500, 1.0,
     true, false, build_random_wall, NULL, false},

    {"falling-roof", "640 bricks, a wide roof, a cannonball", 0.01, 800, 0.0,
     false, false, build_falling_roof, drive_falling_roof, SCENE_FALLS},
    {"silo", "balls in a ring of bricks; number: balls", 0.01, 500, 3000.0,
     false, false, build_silo, NULL, false},
    {"pyramid-3d", "1,240 boxes; number: rows", 0.01, 500, 15.0, true, false,
     build_pyramid_3d, NULL, false},
    {"pyramid-3d-shot", "the same, hit by four balls", 0.01, 500, 15.0, false,
     false, build_pyramid_3d, drive_pyramid_3d_shot, SCENE_FALLS},
    {"card-house", "cards that lean on each other; number: floors", 0.01, 500,
     5.0, true, false, build_card_house, NULL, false},
    {"card-house-shot", "the same, hit by two balls", 0.01, 500, 5.0, false,
     false, build_card_house, drive_card_house_shot, SCENE_FALLS},
    {"dominoes", "in a circle, the first tipped; number: how many", 0.01, 1500,
     125.0, false, false, build_dominoes, drive_dominoes, SCENE_FALLS},
    {"jammed-spheres", "balls without room; number: balls", 0.01, 500, 5.0,
     false, false, build_jammed, NULL, false},
    {"large-mass-pair", "27,000 kg on 10 kg without friction", 0.01, 500, 0.0,
     true, false, build_large_mass_pair, NULL, false},
    {"rain", "boxes and balls fall on the floor; number: how many", 0.01, 400,
     500.0, false, false, build_rain, NULL, false},
    {"slab", "falls on 64 columns", 0.01, 400, 0.0, false, false, build_slab,
     NULL, false},
    {"pyramid-shot", "a flat pyramid, hit by a ball; number: rows", 0.01, 400,
     30.0, false, false, build_pyramid, drive_pyramid_shot, SCENE_FALLS},
    PUTT_SCENE{"house", "290 bricks under fire; number: balls", 0.01, 800, 40.0,
               false, false, build_house, drive_house, SCENE_FALLS},
    {"cannon", "the wall, hit by a ball of 29 t", 0.01, 400, 20.0, false, false,
     build_wall, drive_cannon, SCENE_FALLS},

    {"slide", "a box slides to a stop", 0.01, 300, 0.0, false, false,
     build_slide, NULL, false},
    {"slope", "a box on a slope; number: degrees", 0.01, 1000, 26.0, false,
     false, build_slope, NULL, false},
    {"diagonal-push", "a box pushed; number: force in mu N", 0.01, 200, 1.2,
     false, false, build_diagonal_push, drive_diagonal_push, false},
    {"pull", "the lowest of five pulled; number: force in mu m g", 0.01, 200,
     4.5, false, false, build_pull, drive_pull, false},
    {"roll", "a sliding ball begins to roll", 0.01, 300, 0.0, false, false,
     build_roll, NULL, false},
    {"wedge", "a box on its edge drives two apart", 0.01, 300, 0.0, false,
     false, build_wedge, NULL, false},
    {"lean", "a leaning column; number: cubes", 0.01, 500, 6.0, false, false,
     build_lean, NULL, false},
    {"plank", "a loaded plank over an edge; number: load in kg", 0.01, 300,
     100.0, false, false, build_plank, NULL, false},
    {"seesaw", "1,000 kg against the number in kg", 0.01, 100, 10.0, false,
     false, build_seesaw, NULL, false},
    {"rest", "bodies at rest, to weigh", 0.01, 300, 0.0, true, false,
     build_rest, NULL, false},
    {"lift", "three boxes on a platform that goes up and down", 0.01, 1100, 0.0,
     false, false, build_lift, drive_lift, false},
    {"conveyor", "two boxes on a moving belt", 0.01, 300, 0.0, false, false,
     build_conveyor, NULL, false},
    {"bounce", "a ball dropped by 1 m; number: restitution", 0.01, 150, 0.5,
     false, false, build_bounce, NULL, false},
    {"bounce-fine", "the same in steps of 1 ms", 0.001, 1500, 0.5, false, false,
     build_bounce, NULL, false},
    {"drop-stack", "three boxes dropped by 1 m; number: restitution", 0.01, 500,
     0.5, false, false, build_drop_stack, NULL, false},
    {"free-collision", "two boxes collide in space; number: restitution", 0.001,
     400, 0.5, false, true, build_free_collision, NULL, false},
    {"spin", "a board turns over in space", 0.01, 1000, 0.0, false, true,
     build_spin, NULL, false},
    {"cradle", "a ball hits a row of five; number: restitution", 0.01, 250, 1.0,
     false, true, build_cradle, NULL, false},
    {"cottage", "rows of the house under fire; number: rows", 0.01, 200, 2.0,
     false, false, build_cottage, drive_cottage, SCENE_FALLS},
    {"roof", "a roof falls on a tower; number: rings of 8", 0.01, 200, 3.0,
     false, false, build_roof, drive_roof, SCENE_FALLS},
    {"mixed", "balls, boxes, compounds fall; number: of each", 0.01, 300, 3.0,
     false, false, build_mixed, NULL, false},
    {"pit", "balls and boxes thrown again and again; number: of them",
     1.0 / 60.0, 600, 50.0, false, false, build_pit, drive_pit, false},
    {"crowd", "boxes all in each other; number: how many", 0.01, 200, 7.0,
     false, false, build_crowd, NULL, false},
    {"respawn", "bodies come and go, ids are used again", 0.01, 300, 0.0, false,
     false, build_respawn, drive_respawn, false},
    {"calls", "random calls; number: capacity in bodies", 0.01, 2000, 8.0,
     false, false, build_calls, drive_calls, false},
    {"nap", "two stacks fall asleep, one is hit", 0.01, 400, 0.0, false, false,
     build_nap, drive_nap, SCENE_SLEEPY},
    {"city", "1,000 boxes asleep, a cannonball", 0.01, 400, 0.0, false, false,
     build_city, drive_city, SCENE_SLEEPY | SCENE_FALLS},
    MASONRY_SCENES SHAPE_SCENES JOINT_SCENES RALLY_SCENES GEAR_SCENES
        DRUM_SCENES CLUB_SCENES ROCK_SCENES MIRROR_SCENES UNION_SCENES
            PAPER_SCENES BROKEN_SCENES SHELL_SCENES WALK_SCENES GAME_SCENES
                LARGE_SCENES EDIT_SCENES GEAR_CALL_SCENES LEDGE_SCENES
                    RINK_SCENES CRATER_SCENES SURVEY_SCENES MICRO_SCENES,
};

const uint32_t scene_count = (uint32_t)(sizeof scenes / sizeof scenes[0]);

#endif
