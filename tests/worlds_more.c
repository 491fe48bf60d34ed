/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Calls of what the scenes' random calls lack.  In this order: round and scaled
 * shapes, shells, runtime hulls; ground that changes; rules and rolling; gears
 * and pulleys; a character. */

#include "worlds.h"

#include "port/scenes/random_arguments.h"
#include "port/scenes/sums.h"
#include "port/scenes/table_sets.h"


/* ---- Sums ---------------------------------------------------------------- */

/* Adds what a call told to the generator's state. */
static void mix_word(scene_run *run, uint32_t word)
{
    run->random += word * 2654435761u;
    run->random += run->random == 0;
}


/* ---- Shapes -------------------------------------------------------------- */

static vsp_real some_size(scene_run *run)
{
    return pick_below(run, 12) ? number(run, 0.05, 0.5) : size_of_end(run);
}

static vsp_shape_def round_shape(scene_run *run)
{
    vsp_real x = some_size(run), y = some_size(run), z = some_size(run);

    switch (pick_below(run, 5)) {
    case 0:
        return vsp_cone(x, y, VSP_R(0.0));
    case 1:
        return vsp_cone(x, y, z);
    case 2:
        return vsp_cylinder(x, y);
    default:
        return vsp_taper(x, y, z);
    }
}

/* Returns a scale, also one that mirrors, and a few that are refused. */
static vsp_real some_scale(scene_run *run)
{
    static const double ends[] = {0.0625, -0.0625, 16.0, -16.0, -1.0, 17.0};

    if (pick_below(run, 8) == 0)
        return scene_real(ends[pick_below(run, 6)]);
    return pick_below(run, 3) ? number(run, 0.2, 1.5) : number(run, -1.5, -0.2);
}

static vsp_vec3 three_scales(scene_run *run)
{
    vsp_vec3 scale;

    scale.x = some_scale(run);
    scale.y = some_scale(run);
    scale.z = some_scale(run);
    return scale;
}

/* Returns the shape of a table; none if there is no such table. */
static vsp_shape_def shape_of_table(const vsp_world *world, uint32_t number)
{
    const uint32_t *kind = (const uint32_t *)vsp_world_table(world, number);

    switch (kind ? *kind : 0) {
    case VSP_TABLE_MESH:
    case VSP_TABLE_MESH_MATERIALS:
        return vsp_table_shape(VSP_SHAPE_MESH, number);
    case VSP_TABLE_HEIGHT_FIELD:
    case VSP_TABLE_FIELD_MATERIALS:
        return vsp_table_shape(VSP_SHAPE_HEIGHT_FIELD, number);
    case VSP_TABLE_SDF:
        return vsp_table_shape(VSP_SHAPE_SDF, number);
    case VSP_TABLE_SHELL:
        return vsp_table_shape(VSP_SHAPE_SHELL, number);
    default:
        return vsp_table_shape(VSP_SHAPE_HULL, number);
    }
}

/* Returns a shape of a table, most often scaled if it may be. */
static vsp_shape_def tabled_shape(scene_run *run, bool is_fixed)
{
    uint32_t count = is_fixed ? vsp_world_table_count(run->world) : FEW_HULLS;
    vsp_shape_def it = shape_of_table(run->world, 1 + pick_below(run, count));

    if (it.type != VSP_SHAPE_SDF && it.type != VSP_SHAPE_SHELL &&
        pick_below(run, 3))
        it.size = three_scales(run);
    return it;
}

/* Returns a shell; the world has some. */
static vsp_shape_def sheet_shape(scene_run *run)
{
    uint32_t count = vsp_world_table_count(run->world) - SOLID_TABLES;
    vsp_shape_def it = shape_of_table(run->world, SOLID_TABLES + 1 +
                                                      pick_below(run, count));

    it.density = number(run, 1.0, 50.0);
    return it;
}

/* Returns the number of a hull made at run time; one in 16 is not valid. */
static uint32_t some_hull(scene_run *run)
{
    uint32_t table = vsp_hull_at(run->world,
                                 pick_below(run, VSP_MAX_RUNTIME_HULLS));

    return pick_below(run, 16) ? table : table ^ 0x10000u;
}

static vsp_shape_def made_shape(scene_run *run)
{
    vsp_shape_def it = vsp_table_shape(VSP_SHAPE_HULL, some_hull(run));

    if (it.table == 0)
        return round_shape(run);
    if (pick_below(run, 3) == 0)
        it.size = three_scales(run);
    return it;
}

vsp_shape_def unusual_shape(scene_run *run, bool is_fixed)
{
    if (vsp_world_table_count(run->world) > SOLID_TABLES && pick_below(run, 2))
        return sheet_shape(run);
    switch (pick_below(run, 5)) {
    case 0:
        return tabled_shape(run, is_fixed);
    case 1:
        return made_shape(run);
    default:
        return round_shape(run);
    }
}

static vsp_real lever_arm(scene_run *run)
{
    switch (pick_below(run, 4)) {
    case 0:
        return number(run, 0.0, 0.2);
    case 1:
        return pick_below(run, 8) ? VSP_R(0.001) : VSP_R(100.0);
    default:
        return VSP_R(0.0);
    }
}

static vsp_shape_def dressed_shape(scene_run *run, bool is_fixed)
{
    vsp_shape_def it = unusual_shape(run, is_fixed);

    if (pick_below(run, 3) == 0) {
        it.pose = pick_place(run);
        it.pose.position = vector(run, 0.4);
    }
    if (it.type != VSP_SHAPE_SHELL)
        it.density = number(run, 10.0, 2000.0);
    if (pick_below(run, 8) == 0)
        it.surface_spin = vector(run, 3.0);
    it.is_sensor = pick_below(run, 10) == 0;
    it.material = material(run);
    it.filter.category = 1u << pick_below(run, 3);
    it.user = pick_below(run, 65536);
    it.rolling_friction = lever_arm(run);
    it.spinning_friction = lever_arm(run);
    return it;
}

vsp_status call_new_body(scene_run *run)
{
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id id;
    vsp_status status;

    def.type = pick_below(run, 5) ? VSP_DYNAMIC
                                  : (vsp_body_type)pick_below(run, 2);
    def.pose = pick_place(run);
    if (pick_below(run, 2))
        def.velocity = vector(run, 2.0);
    def.is_bullet = pick_below(run, 6) == 0;
    def.is_disabled = pick_below(run, 32) == 0;
    def.shape = dressed_shape(run, def.type != VSP_DYNAMIC);
    status = vsp_record_body_create(scene_recorder(run), &def, &id);
    if (status >= 0)
        *last_made(run, id.bits & 0xffffu) = id;
    return status;
}

static vsp_status call_new_shape(scene_run *run)
{
    vsp_body_id id = some_body(run);
    bool is_fixed = vsp_body_get_type(run->world, id) != VSP_DYNAMIC;
    vsp_shape_def def = dressed_shape(run, is_fixed);

    return vsp_record_shape_create(scene_recorder(run), id, &def, NULL);
}


/* ---- Runtime hulls ------------------------------------------------------- */

/* Fills points in a ball, a plane, or close to each other. */
static uint32_t strew_points(scene_run *run, vsp_vec3 *points)
{
    static const double sizes[] = {0.002, 0.05, 5.0, 100.0};
    uint32_t count = 3 + pick_below(run, VSP_MAX_HULL_POINTS - 2);
    uint32_t kind = pick_below(run, 8);
    double size = pick_below(run, 4) ? 0.4 : sizes[pick_below(run, 4)];

    for (uint32_t i = 0; i < count; i++) {
        points[i] = vector(run, size);
        if (i > 0 && kind == 0)
            points[i].y = points[0].y;
        if (i > 4 && kind == 1)
            points[i] = points[i - 3];
        if (kind == 2) /* corners of boxes: faces of many points */
            points[i].x = i % 2 ? scene_real(size) : scene_real(-size);
    }
    return count;
}

/* Fills the points of a hull of the world, scaled. */
static uint32_t scale_hull(scene_run *run, vsp_vec3 *points)
{
    uint32_t count = 0;
    vsp_hull hull;

    if (vsp_hull_get(run->world, some_hull(run), &hull) == VSP_OK)
        (void)vsp_hull_scale(&hull, three_scales(run), points, &count);
    return count;
}

static vsp_status call_make_hull(scene_run *run)
{
    vsp_vec3 points[VSP_MAX_HULL_POINTS];
    uint32_t table, count = pick_below(run, 4) ? strew_points(run, points)
                                               : scale_hull(run, points);
    vsp_status status = vsp_record_hull_create(scene_recorder(run), points,
                                               count, &table);

    mix_word(run, table);
    return status;
}

static vsp_status call_free_hull(scene_run *run)
{
    return vsp_record_hull_destroy(scene_recorder(run), some_hull(run));
}


/* ---- Ground that changes ------------------------------------------------- */

/* A rectangle of a field. */
typedef struct field_part {
    vsp_shape_id shape;
    uint32_t column, row, columns, rows;
} field_part;

/* Finds a field, or a shape that is none. */
static const vsp_height_field *some_field(scene_run *run, vsp_shape_id *id)
{
    uint32_t slot = pick_below(run, VSP_MAX_SHAPES);

    for (uint32_t i = 0; i < VSP_MAX_SHAPES; i++) {
        vsp_shape_def def;

        *id = vsp_shape_at(run->world, (slot + i) % VSP_MAX_SHAPES);
        if (vsp_shape_get(run->world, *id, &def) == VSP_OK &&
            def.type == VSP_SHAPE_HEIGHT_FIELD)
            return (const vsp_height_field *)vsp_world_table(run->world,
                                                             def.table);
    }
    *id = some_shape(run);
    return NULL;
}

/* Picks a rectangle, most often one within the field. */
static field_part some_ground(scene_run *run)
{
    field_part it;
    const vsp_height_field *field = some_field(run, &it.shape);
    uint32_t columns = field ? field->columns : 2;
    uint32_t rows = field ? field->rows : 2;

    it.columns = 1 + pick_below(run, 9);
    it.rows = 1 + pick_below(run, 7);
    it.column = pick_below(run, columns);
    it.row = pick_below(run, rows);
    if (pick_below(run, 16) && it.column + it.columns > columns - 1)
        it.columns = 1;
    if (pick_below(run, 16) && it.row + it.rows > rows - 1)
        it.rows = 1;
    return it;
}

static int16_t next_height(scene_run *run, int16_t height, int32_t change)
{
    if (pick_below(run, 32) == 0)
        return VSP_HOLE;
    if (pick_below(run, 64) == 0)
        return (int16_t)next_bits(run);
    if (height == VSP_HOLE || height + change > 4000 || height + change < -4000)
        return 0;
    return (int16_t)(height + change);
}

static vsp_status call_dig(scene_run *run)
{
    int16_t heights[VSP_MAX_FIELD_EDIT] = {0};
    field_part at = some_ground(run);
    int32_t change = (int32_t)pick_below(run, 400) - 200;
    vsp_status status = vsp_field_get_heights(
        run->world, at.shape, at.column, at.row, at.columns, at.rows, heights);

    if (pick_below(run, 4) == 0)
        change = 0; /* frees tiles that become as in the table */
    for (uint32_t i = 0; i < at.columns * at.rows; i++) {
        mix_word(run, (uint16_t)heights[i]);
        heights[i] = next_height(run, heights[i], change);
    }
    mix_word(run, (uint32_t)status);
    return vsp_record_field_set_heights(scene_recorder(run), at.shape,
                                        at.column, at.row, at.columns, at.rows,
                                        heights);
}

static vsp_status call_pave(scene_run *run)
{
    uint8_t old[VSP_MAX_FIELD_EDIT] = {0}, materials[VSP_MAX_FIELD_EDIT];
    field_part at = some_ground(run);
    uint8_t material_number = (uint8_t)pick_below(run, 5);

    (void)vsp_field_get_materials(run->world, at.shape, at.column, at.row,
                                  at.columns, at.rows, old);
    for (uint32_t i = 0; i < at.columns * at.rows; i++) {
        mix_word(run, old[i]);
        materials[i] = pick_below(run, 4) ? material_number
                                          : (uint8_t)pick_below(run, 5);
    }
    if (pick_below(run, 16) == 0)
        materials[0] = 6;
    return vsp_record_field_set_materials(scene_recorder(run), at.shape,
                                          at.column, at.row, at.columns,
                                          at.rows, materials);
}


/* ---- Rules and rolling --------------------------------------------------- */

static vsp_pair_rule some_rule(scene_run *run)
{
    vsp_pair_rule it = vsp_pair_rule_default();

    it.a = pick_below(run, 8);
    it.b = pick_below(run, 8);
    if (pick_below(run, 3) == 0)
        it.flags = pick_below(run, 8) ? VSP_PAIR_ONE_WAY : pick_below(run, 5);
    if (pick_below(run, 2))
        it.friction = number(run, 0.0, 1.5);
    if (pick_below(run, 2))
        it.restitution = number(run, 0.0, 1.0);
    if (pick_below(run, 3) == 0)
        it.mass_a = pick_below(run, 3) ? number(run, 0.0, 1.0) : VSP_R(0.0);
    if (pick_below(run, 4) == 0)
        it.mass_b = pick_below(run, 3) ? number(run, 0.0, 1.0) : VSP_R(0.0);
    if (pick_below(run, 2))
        it.hit_speed = number(run, 0.01, 5.0);
    return it;
}

static vsp_status call_set_rule(scene_run *run)
{
    uint32_t index = pick_below(run, VSP_MAX_PAIR_RULES + 1);
    vsp_pair_rule rule = some_rule(run);

    if (pick_below(run, 3) == 0)
        rule.a = rule.b = 0;
    return vsp_record_set_pair_rule(scene_recorder(run), index, &rule);
}

static vsp_status call_set_rolling(scene_run *run)
{
    vsp_shape_id id = some_shape(run);
    vsp_real rolling = lever_arm(run);

    return vsp_record_shape_set_rolling_friction(scene_recorder(run), id,
                                                 rolling, lever_arm(run));
}

/* Sets filters of more categories than the scenes' calls, for the rules. */
static vsp_status call_set_category(scene_run *run)
{
    vsp_shape_id id = some_shape(run);
    vsp_filter filter;

    filter.category = 1u << pick_below(run, 3);
    filter.mask = 0xffffffffu;
    filter.group = 0;
    return vsp_record_shape_set_filter(scene_recorder(run), id, filter);
}


/* ---- Gears and pulleys --------------------------------------------------- */

static vsp_joint_def joint_between(vsp_joint_type type, vsp_body_id a,
                                   vsp_body_id b)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = type;
    def.body_a = a;
    def.body_b = b;
    return def;
}

/* Holds a wheel on the floor's body, by a hinge along an axis. */
static void hold_wheel(scene_run *run, vsp_body_id id, vsp_vec3 axis)
{
    vsp_joint_def def = joint_between(VSP_JOINT_HINGE, run->marks[0], id);

    (void)vsp_joint_place(run->world, &def, vsp_body_center(run->world, id),
                          axis);
    def.enable_motor = pick_below(run, 3) == 0;
    def.motor_speed = number(run, -20.0, 20.0);
    def.motor_max = number(run, 0.0, 1000.0);
    mix_word(run, (uint32_t)vsp_record_joint_create(scene_recorder(run), &def,
                                                    NULL));
}

static void pick_teeth(scene_run *run, vsp_joint_def *def)
{
    def->teeth_a = 1 + (int32_t)pick_below(run, 60);
    def->teeth_b = (int32_t)pick_below(run, 120) - 60;
    if (pick_below(run, 8) == 0)
        def->teeth_a = pick_below(run, 2) ? 500 : 501;
    if (pick_below(run, 8) == 0)
        def->teeth_b = pick_below(run, 2) ? 0 : -500;
}

/* Joins two bodies by teeth, often as wheels on parallel hinges. */
static vsp_status call_mesh_wheels(scene_run *run)
{
    vsp_body_id a = some_body(run), b = some_body(run);
    vsp_joint_def def = joint_between(VSP_JOINT_GEAR, a, b);
    vsp_transform frame;
    vsp_vec3 axis = {VSP_R(0.0), VSP_R(0.0), VSP_R(1.0)};

    if (pick_below(run, 3)) {
        hold_wheel(run, a, axis);
        hold_wheel(run, b, axis);
    }
    (void)vsp_joint_place(run->world, &def, vsp_body_center(run->world, a),
                          axis);
    frame = def.frame_a;
    pick_teeth(run, &def);
    if (def.teeth_b == 0) {
        axis.z = VSP_R(0.0);
        axis.y = VSP_R(1.0);
    }
    (void)vsp_joint_place(run->world, &def, vsp_body_center(run->world, b),
                          axis);
    def.frame_a = frame;
    if (pick_below(run, 8) == 0)
        def.frame_b.position = vector(run, 0.3);
    if (pick_below(run, 3) == 0)
        def.break_impulse = number(run, 0.01, 100.0);
    return vsp_record_joint_create(scene_recorder(run), &def, NULL);
}

/* Hangs two bodies on a rope, some with a bar, over points above them. */
static vsp_status call_hang(scene_run *run)
{
    vsp_body_id a = some_body(run), b = some_body(run);
    vsp_joint_def def = joint_between(VSP_JOINT_PULLEY, a, b);

    if (pick_below(run, 4) == 0)
        def.body_a = run->marks[0];
    def.pulley_a = pick_place(run).position;
    def.pulley_b = pick_place(run).position;
    if (pick_below(run, 8) == 0)
        def.pulley_b = vsp_body_center(run->world, b);
    if (pick_below(run, 2))
        def.ratio = pick_below(run, 4) ? number(run, 0.0625, 16.0)
                                       : VSP_R(0.0625);
    def.frame_a.position = vector(run, 0.3);
    def.high = number(run, 0.0, 4.0);
    def.low = pick_below(run, 4) ? VSP_R(0.0) : def.high;
    if (pick_below(run, 3) == 0)
        def.break_impulse = number(run, 0.01, 100.0);
    return vsp_record_joint_create(scene_recorder(run), &def, NULL);
}

/* Winds the rope of a pulley, or sets other limits. */
static vsp_status call_wind(scene_run *run)
{
    vsp_joint_id id = some_joint(run);
    vsp_real high = number(run, 0.0, 4.0);

    return vsp_record_joint_set_limit(scene_recorder(run), id, true,
                                      pick_below(run, 3) ? VSP_R(0.0) : high,
                                      high);
}


/* ---- A character --------------------------------------------------------- */

/* Places the character; it owns a body if that is kinematic. */
static vsp_status call_place_hero(scene_run *run)
{
    vsp_character_def def = vsp_character_def_default();
    vsp_body_id id = some_body(run);

    if (vsp_body_get_type(run->world, id) == VSP_KINEMATIC)
        def.body = id;
    def.radius = number(run, 0.05, 0.4);
    def.half_height = number(run, 0.0, 0.6);
    def.skin = number(run, 0.01, 0.05);
    def.step_height = number(run, 0.0, 0.3);
    def.slope = number(run, 0.1, 1.0);
    if (pick_below(run, 4) == 0)
        def.push_force = VSP_MAX_FORCE;
    if (pick_below(run, 4) == 0)
        def.up = vector(run, 1.0);
    return vsp_character_place(&def, pick_place(run).position,
                               &run->walker.hero);
}

static vsp_status call_walk(scene_run *run)
{
    vsp_character *hero = &run->walker.hero;
    vsp_status status;
    uint32_t sum;

    if (hero->def.cookie == 0)
        return call_place_hero(run);
    if (pick_below(run, 4) == 0)
        mix_word(run,
                 (uint32_t)vsp_character_jump(hero, number(run, 0.1, 5.0)));
    status = vsp_character_move(run->world, hero,
                                vector(run, pick_below(run, 8) ? 4.0 : 100.0));
    if (status < 0)
        return status;
    sum = sum_vector(run->random, hero->position);
    sum = sum_vector(sum, hero->ground_normal);
    mix_word(run, sum_word(sum, hero->push_count));
    return vsp_record_character_apply(scene_recorder(run), hero);
}


/* ---- One of all ---------------------------------------------------------- */

static random_call *const calls[] = {
    call_new_body,    call_new_body,     call_new_body,  call_new_body,
    call_new_shape,   call_new_shape,    call_make_hull, call_make_hull,
    call_free_hull,   call_dig,          call_dig,       call_pave,
    call_set_rule,    call_set_category, call_wind,      call_set_rolling,
    call_mesh_wheels, call_mesh_wheels,  call_hang,      call_hang,
    call_place_hero,  call_walk,         call_walk,      call_walk,
};

void make_more(scene_run *run)
{
    call_one(run, calls, sizeof calls / sizeof calls[0]);
}
