/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What is in the level, in this order: definitions, rooms, heroes, machines,
 * loose things.  Bodies fill slots in the order of level.h. */

#include "level.h"

/* Keeps a crate in the plane z = 0.  Joints keep what they hold from turning
 * out of it. */
#define IN_PLANE (VSP_LOCK_Z | VSP_LOCK_TURN_X | VSP_LOCK_TURN_Y)

/* What building the level needs, and whether all calls were accepted. */
typedef struct builder {
    level_game *it;
    vsp_recorder *recorder;
    bool ok;
} builder;


/* ---- Definitions --------------------------------------------------------- */

vsp_world_def level_world_def(void)
{
    vsp_world_def def = vsp_world_def_default();

    /* Capacities of port/template/small.h.  They are state, so larger builds
     * must use the same. */
    def.reports = VSP_REPORT_SENSOR; /* of the plate */
    def.capacity.bodies = 32;
    def.capacity.shapes = 32;
    def.capacity.pairs = 128;
    def.capacity.manifolds = 80;
    def.capacity.contacts = 192;
    def.capacity.sensed = 8;
    def.capacity.joints = 8;
    return def;
}

vsp_vec3 level_at(vsp_real x, vsp_real y)
{
    return vsp_vec3_make(x, y, VSP_R(0.0));
}

vsp_transform level_pose(vsp_vec3 at)
{
    vsp_transform pose;

    pose.position = at;
    pose.rotation = vsp_quat_identity();
    return pose;
}

vsp_body_id level_body(const level_game *it, uint32_t slot)
{
    return vsp_body_at(it->world, slot);
}

vsp_shape_id level_plate(const level_game *it)
{
    vsp_shape_id id;

    id.bits = 0;
    (void)vsp_body_shapes(it->world, level_body(it, LEVEL_ROOMS), &id, 1);
    return id;
}

/* Returns a body of one shape. */
static vsp_body_def body_def(vsp_body_type type, vsp_vec3 at,
                             vsp_shape_def shape, uint32_t category)
{
    vsp_body_def def = vsp_body_def_default();

    def.type = type;
    def.pose.position = at;
    def.shape = shape;
    def.shape.filter.category = category;
    return def;
}

/* Creates a body, and returns its id. */
static vsp_body_id add_body(builder *b, const vsp_body_def *def)
{
    vsp_body_id id;

    if (vsp_record_body_create(b->recorder, def, &id) < 0)
        b->ok = false;
    return id;
}

static void add_joint(builder *b, const vsp_joint_def *def)
{
    if (vsp_record_joint_create(b->recorder, def, NULL) < 0)
        b->ok = false;
}


/* ---- Rooms --------------------------------------------------------------- */

/* A box of the rooms: its middle, its half sizes, and its turn, rad. */
typedef struct block {
    vsp_real x, y, half_x, half_y, turn;
} block;

static const block blocks[] = {
    /* below: the floor before the pit, the pit, the floor behind it */
    {VSP_R(-9.0), VSP_R(1.5), VSP_R(7.0), VSP_R(1.5), VSP_R(0.0)},
    {VSP_R(1.0), VSP_R(0.25), VSP_R(3.0), VSP_R(0.25), VSP_R(0.0)},
    {VSP_R(10.0), VSP_R(1.5), VSP_R(6.0), VSP_R(1.5), VSP_R(0.0)},
    /* the wall over the gate, and those at the ends */
    {VSP_R(-5.0), VSP_R(6.9), VSP_R(0.25), VSP_R(1.5), VSP_R(0.0)},
    {VSP_R(-15.75), VSP_R(8.5), VSP_R(0.25), VSP_R(8.5), VSP_R(0.0)},
    {VSP_R(15.75), VSP_R(8.5), VSP_R(0.25), VSP_R(8.5), VSP_R(0.0)},
    /* above: floors beside the lava, what is below it, two ramps */
    {VSP_R(7.5), VSP_R(8.5), VSP_R(4.5), VSP_R(0.5), VSP_R(0.0)},
    {VSP_R(-10.0), VSP_R(8.5), VSP_R(5.5), VSP_R(0.5), VSP_R(0.0)},
    {VSP_R(-0.75), VSP_R(7.95), VSP_R(3.75), VSP_R(0.25), VSP_R(0.0)},
    {VSP_R(2.25), VSP_R(8.4), VSP_R(1.0), VSP_R(0.25), VSP_R(0.45)},
    {VSP_R(-3.75), VSP_R(8.4), VSP_R(1.0), VSP_R(0.25), VSP_R(-0.45)},
};

/* boxes that are solid from above alone */
static const block ledges[] = {
    {VSP_R(-13.0), VSP_R(10.5), VSP_R(1.5), VSP_R(0.1), VSP_R(0.0)},
    {VSP_R(-7.0), VSP_R(12.1), VSP_R(4.0), VSP_R(0.1), VSP_R(0.0)},
};

static void add_block(builder *b, vsp_body_id rooms, const block *from,
                      uint32_t category)
{
    vsp_shape_def def = vsp_box(from->half_x, from->half_y, VSP_R(1.0));

    def.pose.position = level_at(from->x, from->y);
    def.pose.rotation = vsp_quat_make(
        vsp_vec3_make(VSP_R(0.0), VSP_R(0.0), VSP_R(1.0)), from->turn);
    def.filter.category = category;
    def.material.friction = VSP_R(0.7);
    if (vsp_record_shape_create(b->recorder, rooms, &def, NULL) < 0)
        b->ok = false;
}

/* Adds the plate, which is a sensor, and all walls, floors and ledges. */
static vsp_body_id add_rooms(builder *b)
{
    vsp_body_def def = body_def(VSP_STATIC, level_at(VSP_R(-7.5), VSP_R(3.1)),
                                vsp_box(VSP_R(1.0), VSP_R(0.1), VSP_R(1.0)),
                                LEVEL_WALLS);
    vsp_body_id rooms;
    size_t i;

    def.shape.pose.position = def.pose.position;
    def.pose.position = level_at(VSP_R(0.0), VSP_R(0.0));
    def.shape.is_sensor = true;
    def.shape.filter.mask = LEVEL_HEROES | LEVEL_LOOSE;
    rooms = add_body(b, &def);
    for (i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        add_block(b, rooms, &blocks[i], LEVEL_WALLS);
    for (i = 0; i < sizeof ledges / sizeof ledges[0]; i++)
        add_block(b, rooms, &ledges[i], LEVEL_LEDGES);
    return rooms;
}

/* Heroes and loose things pass through ledges from below. */
static void set_rules(builder *b)
{
    vsp_pair_rule rule = vsp_pair_rule_default();

    rule.a = LEVEL_LEDGES;
    rule.b = LEVEL_HEROES | LEVEL_LOOSE;
    rule.flags = VSP_PAIR_ONE_WAY;
    if (vsp_record_set_pair_rule(b->recorder, 0, &rule) < 0)
        b->ok = false;
}


/* ---- Heroes -------------------------------------------------------------- */

vsp_vec3 level_start(uint32_t player, uint32_t stage)
{
    static const vsp_real x[LEVEL_STAGES] = {VSP_R(-12.0), VSP_R(-3.4),
                                             VSP_R(5.0),   VSP_R(10.6),
                                             VSP_R(10.4),  VSP_R(-11.4)};
    uint32_t i = stage < LEVEL_STAGES ? stage : LEVEL_START;
    vsp_real floor = i < LEVEL_UPSTAIRS ? VSP_R(3.0) : VSP_R(9.0);

    return level_at(x[i] + (player ? VSP_R(0.7) : VSP_R(0.0)),
                    floor + LEVEL_HERO_HALF + LEVEL_HERO_RADIUS + VSP_R(0.05));
}

/* Heroes pass through each other, and bullets through heroes. */
static void add_hero(builder *b, uint32_t player, uint32_t stage)
{
    vsp_character_def hero = vsp_character_def_default();
    vsp_vec3 at = level_start(player, stage);
    vsp_body_def def = body_def(VSP_KINEMATIC, at,
                                vsp_capsule(LEVEL_HERO_RADIUS, LEVEL_HERO_HALF),
                                LEVEL_HEROES);

    def.shape.filter.mask = LEVEL_SOLID;
    hero.body = add_body(b, &def);
    hero.filter = def.shape.filter;
    hero.radius = LEVEL_HERO_RADIUS;
    hero.half_height = LEVEL_HERO_HALF;
    hero.push_force = VSP_R(600.0);
    b->it->players[player].stage = stage;
    if (vsp_character_place(&hero, at, &b->it->players[player].hero) < 0)
        b->ok = false;
}


/* ---- Machines ------------------------------------------------------------ */

/* A gate hangs from the wall over it; a servo holds it shut or turns it up. */
static void add_gate(builder *b, vsp_body_id rooms)
{
    vsp_body_def def = body_def(VSP_DYNAMIC, level_at(VSP_R(-5.0), VSP_R(4.2)),
                                vsp_box(VSP_R(0.125), VSP_R(1.17), VSP_R(0.9)),
                                LEVEL_LOOSE);
    vsp_joint_def hinge = vsp_joint_def_default();

    def.shape.density = VSP_R(300.0);
    def.shape.filter.mask = ~(uint32_t)LEVEL_WALLS;
    hinge.type = VSP_JOINT_HINGE;
    hinge.body_a = rooms;
    hinge.body_b = add_body(b, &def);
    if (vsp_joint_place(b->it->world, &hinge,
                        level_at(VSP_R(-5.0), VSP_R(5.37)),
                        vsp_vec3_make(VSP_R(0.0), VSP_R(0.0), VSP_R(1.0))) < 0)
        b->ok = false;
    hinge.enable_limit = true;
    hinge.low = VSP_R(0.0);
    hinge.high = VSP_R(1.5);
    hinge.enable_motor = true;
    hinge.motor_mode = VSP_MOTOR_SERVO;
    hinge.motor_speed = VSP_R(2.5);
    hinge.motor_max = VSP_R(5000.0);
    add_joint(b, &hinge);
}

static void add_lift(builder *b)
{
    vsp_body_def def = body_def(
        VSP_KINEMATIC, level_at(VSP_R(13.75), LEVEL_LIFT_LOW),
        vsp_box(VSP_R(1.625), VSP_R(0.125), VSP_R(0.9)), LEVEL_WALLS);

    def.shape.material.friction = VSP_R(0.8);
    add_body(b, &def);
}

vsp_transform level_car_pose(uint32_t part)
{
    static const vsp_real x[3] = {VSP_R(8.0), VSP_R(7.05), VSP_R(8.95)};
    const vsp_vec3 along = {VSP_R(1.0), VSP_R(0.0), VSP_R(0.0)};
    vsp_transform pose = level_pose(
        level_at(x[part], part ? VSP_R(9.46) : VSP_R(9.86)));

    if (part)
        pose.rotation = vsp_quat_make(along, VSP_R(1.5707963));
    return pose;
}

/* A wheel is a drum, whose axis is the y axis of its body. */
static void add_wheel(builder *b, vsp_body_id car, uint32_t part)
{
    const vsp_real half = VSP_R(0.5);
    vsp_transform pose = level_car_pose(part), body = level_car_pose(0);
    vsp_body_def def = body_def(VSP_DYNAMIC, pose.position,
                                vsp_cylinder(VSP_R(0.45), VSP_R(0.6)),
                                LEVEL_CARS);
    vsp_joint_def axle = vsp_joint_def_default();

    def.pose = pose;
    def.locks = VSP_LOCK_Z;
    def.shape.density = VSP_R(50.0);
    def.shape.material.friction = VSP_R(1.5);
    axle.type = VSP_JOINT_WHEEL;
    axle.body_a = car;
    axle.body_b = add_body(b, &def);
    axle.frame_a.position = vsp_vec3_sub(pose.position, body.position);
    /* x of the frame is up, y is the axle */
    axle.frame_a.rotation.x = axle.frame_a.rotation.y = half;
    axle.frame_a.rotation.z = axle.frame_a.rotation.w = half;
    axle.enable_limit = true;
    axle.low = VSP_R(-0.15);
    axle.high = VSP_R(0.15);
    axle.limit_hertz = VSP_R(3.0);
    axle.limit_damping = VSP_R(0.7);
    axle.enable_motor = true;
    axle.motor_max = VSP_R(200.0);
    add_joint(b, &axle);
}

static void add_car(builder *b)
{
    vsp_body_def def = body_def(VSP_DYNAMIC, level_car_pose(0).position,
                                vsp_box(VSP_R(1.4), VSP_R(0.2), VSP_R(0.7)),
                                LEVEL_CARS);
    vsp_body_id car;

    def.locks = VSP_LOCK_Z;
    def.shape.density = VSP_R(150.0);
    car = add_body(b, &def);
    add_wheel(b, car, 1);
    add_wheel(b, car, 2);
}


/* ---- Loose things -------------------------------------------------------- */

#define PLANKS 4
#define PLANK VSP_R(1.5526) /* m: length of a plank */

/* Planks hang between the floors, as a rope of four parts sags. */
static void add_bridge(builder *b, vsp_body_id rooms)
{
    static const vsp_real x[PLANKS] = {VSP_R(-1.2705), VSP_R(0.2295),
                                       VSP_R(1.7705), VSP_R(3.2705)};
    static const vsp_real y[PLANKS] = {VSP_R(2.6845), VSP_R(2.3245),
                                       VSP_R(2.3245), VSP_R(2.6845)};
    static const vsp_real angle[PLANKS] = {VSP_R(-0.34907), VSP_R(-0.12217),
                                           VSP_R(0.12217), VSP_R(0.34907)};
    const vsp_vec3 axis = {VSP_R(0.0), VSP_R(0.0), VSP_R(1.0)};
    const vsp_real half = vsp_mul(PLANK, VSP_R(0.5));
    vsp_joint_def hinge = vsp_joint_def_default();
    int i;

    hinge.type = VSP_JOINT_HINGE;
    hinge.body_a = rooms;
    hinge.frame_a.position = level_at(VSP_R(-2.0), VSP_R(2.95));
    hinge.frame_a.rotation = hinge.frame_b.rotation = vsp_quat_make(
        vsp_vec3_make(VSP_R(0.0), VSP_R(1.0), VSP_R(0.0)), VSP_R(-1.5707963));
    hinge.frame_b.position = level_at(-half, VSP_R(0.0));
    for (i = 0; i < PLANKS; i++) {
        vsp_body_def def = body_def(VSP_DYNAMIC, level_at(x[i], y[i]),
                                    vsp_box(half, VSP_R(0.08), VSP_R(0.8)),
                                    LEVEL_LOOSE);

        def.pose.rotation = vsp_quat_make(axis, angle[i]);
        def.shape.density = VSP_R(60.0);
        def.angular_damping = VSP_R(1.0);
        hinge.body_b = add_body(b, &def);
        add_joint(b, &hinge);
        hinge.body_a = hinge.body_b;
        hinge.frame_a.position = level_at(half, VSP_R(0.0));
    }
    hinge.body_b = rooms;
    hinge.frame_b.position = level_at(VSP_R(4.0), VSP_R(2.95));
    add_joint(b, &hinge);
}

/* A crate for the plate, and a light one on a heavy one. */
vsp_vec3 level_crate_place(uint32_t crate)
{
    static const vsp_real x[LEVEL_CRATES] = {VSP_R(-9.9), VSP_R(8.5),
                                             VSP_R(8.5)};
    static const vsp_real y[LEVEL_CRATES] = {VSP_R(3.55), VSP_R(3.55),
                                             VSP_R(4.65)};

    return level_at(x[crate], y[crate]);
}

static void add_crates(builder *b)
{
    static const vsp_real density[LEVEL_CRATES] = {VSP_R(49.0), VSP_R(225.0),
                                                   VSP_R(30.0)};
    static const vsp_real friction[LEVEL_CRATES] = {VSP_R(0.9), VSP_R(0.5),
                                                    VSP_R(0.4)};
    const vsp_real half = VSP_R(0.55);
    uint32_t i;

    for (i = 0; i < LEVEL_CRATES; i++) {
        vsp_body_def def = body_def(VSP_DYNAMIC, level_crate_place(i),
                                    vsp_box(half, half, half), LEVEL_LOOSE);

        def.locks = IN_PLANE;
        def.shape.density = density[i];
        def.shape.material.friction = friction[i];
        add_body(b, &def);
    }
}

bool level_begin(level_game *it, vsp_recorder *recorder,
                 const uint32_t stages[LEVEL_PLAYERS])
{
    static const level_game empty;
    builder b = {it, recorder, true};
    vsp_body_id rooms;

    *it = empty;
    it->world = recorder->world;
    set_rules(&b);
    rooms = add_rooms(&b);
    add_hero(&b, 0, stages[0]);
    add_hero(&b, 1, stages[1]);
    add_gate(&b, rooms);
    add_lift(&b);
    add_car(&b);
    add_bridge(&b, rooms);
    add_crates(&b);
    level_save(it);
    return b.ok;
}
