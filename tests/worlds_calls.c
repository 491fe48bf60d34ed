/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The settings of sequences, and calls that bring a world into states that
 * single random calls hardly reach: all bodies at one point, at the ends of the
 * world, or with extreme speed, size and mass. */

#include "worlds.h"

#include "port/scenes/random_arguments.h"
#include "port/scenes/scene_table.h"
#include "port/scenes/tables.h"
#include "port/scenes/table_sets.h"


/* ---- Settings ------------------------------------------------------------ */

/* Returns mostly the usual number, else an end of the range, or one between. */
static vsp_real setting(scene_run *dice, double low, double high, double usual)
{
    switch (pick_below(dice, 8)) {
    case 0:
        return scene_real(low);
    case 1:
        return scene_real(high);
    case 2:
        return scene_real(low +
                          (high - low) * pick_below(dice, 65536) / 65536.0);
    default:
        return scene_real(usual);
    }
}

static void set_capacity(scene_run *dice, vsp_capacity *capacity)
{
    if (pick_below(dice, 3) == 0)
        return;
    capacity->bodies = 4 + pick_below(dice, VSP_MAX_BODIES - 3);
    capacity->shapes = 4 + pick_below(dice, VSP_MAX_SHAPES - 3);
    if (pick_below(dice, 3))
        return;
    capacity->pairs = 1 + pick_below(dice, VSP_MAX_PAIRS);
    capacity->manifolds = 1 + pick_below(dice, VSP_MAX_MANIFOLDS);
    capacity->contacts = 4 + pick_below(dice, VSP_MAX_CONTACTS - 3);
    capacity->sensed = 1 + pick_below(dice, VSP_MAX_SENSED);
    capacity->joints = pick_below(dice, VSP_MAX_JOINTS + 1);
}

static void set_subspace(scene_run *dice, vsp_subspace *subspace)
{
    subspace->search = pick_below(dice, 4);
    subspace->steps = 10;
    if (pick_below(dice, 4))
        return;
    subspace->rounds = 1 + pick_below(dice, 6);
    subspace->tries = pick_below(dice, 6);
    subspace->steps = 1 + pick_below(dice, 200);
    subspace->friction_damping = setting(dice, 0.0, 1.0, 0.5);
}

/* Sets sweeps.  Steps with the most sweeps take long, so these are rare. */
static void set_sweeps(scene_run *dice, vsp_world_def *def)
{
    static const uint16_t sweeps[] = {1, 2, 3, 7, 40, 150};

    if (pick_below(dice, 200) == 0)
        def->sweeps = 10000;
    else if (pick_below(dice, 3) == 0)
        def->sweeps = sweeps[pick_below(dice, 6)];
    if (pick_below(dice, 4) == 0)
        def->correction_sweeps = sweeps[pick_below(dice, 6)];
}

#define MOST_SPEED (VSP_FIXED ? 500.0 : 10000.0)

static vsp_world_def settings(scene_run *dice)
{
    vsp_world_def def = vsp_world_def_default();

    def.dt = setting(dice, 0.0001, 0.1, 0.02);
    def.gravity.x = setting(dice, -MOST_SPEED, MOST_SPEED, 0.0);
    def.gravity.y = setting(dice, -MOST_SPEED, MOST_SPEED, -9.81);
    if (pick_below(dice, 8) == 0)
        def.gravity.x = def.gravity.y = VSP_R(0.0);
    def.stepper = (vsp_stepper)(pick_below(dice, 2) ? 0 : pick_below(dice, 4));
    def.friction = (vsp_friction)(pick_below(dice, 4) == 0);
    def.enable_warm_start = pick_below(dice, 8) != 0;
    def.envelope = setting(dice, 0.0001, 0.1, 0.01);
    def.tolerance = setting(dice, 0.0, 1.0, 0.0001);
    set_sweeps(dice, &def);
    def.fraction = setting(dice, 0.0, 1.0, 0.00125);
    set_subspace(dice, &def.subspace);
    def.enable_sleep = pick_below(dice, 8) != 0;
    def.sleep_speed = setting(dice, 0.0, 1.0, 0.1);
    def.sleep_time = setting(dice, 0.0, 60.0, 0.05);
    def.reports = pick_below(dice, 4) ? 63u : pick_below(dice, 64);
    set_capacity(dice, &def.capacity);
    return def;
}

plan make_plan(uint32_t seed)
{
    static const uint8_t wild[] = {0, 3, 10, 30, 100};
    scene_run dice = {0};
    plan it;

    dice.random = seed * 2654435761u + 12345u;
    dice.random += dice.random == 0;
    it.wild = wild[pick_below(&dice, 5)];
    it.calls = 1 + pick_below(&dice, pick_below(&dice, 4) ? 4 : 40);
    it.steps = seed % 40 == 39 ? 1500 : 30 + pick_below(&dice, 120);
    it.def = settings(&dice);
    it.is_default = it.def.sweeps == 20 && it.def.correction_sweeps == 5 &&
                    it.def.stepper != VSP_STEPPER_SUBSPACE;
    if (it.def.sweeps > 1000)
        it.steps = 15;
    return it;
}


/* ---- Tables -------------------------------------------------------------- */

void give_tables(vsp_world *world, uint32_t count)
{
    static const void *const later[] = {&hull_cone, &hull_ball};
    uint32_t has = vsp_world_table_count(world), number;

    if (has == 0 && !add_table_set(world, TABLES_FEW))
        give_up("tables are refused");
    has = vsp_world_table_count(world);
    for (; has < count; has++)
        if (vsp_world_add_table(world, later[has - FIRST_TABLES], &number,
                                NULL) != VSP_OK ||
            number != has + 1)
            give_up("a table is refused");
}

static vsp_status call_add_table(scene_run *run)
{
    uint32_t count = vsp_world_table_count(run->world);

    if (count < ALL_TABLES && pick_below(run, 4) == 0)
        give_tables(run->world, count + 1);
    return VSP_OK;
}

/* Creates a body with a table that the world may lack. */
static vsp_status call_late_hull(scene_run *run)
{
    vsp_body_def def = vsp_body_def_default();

    def.type = VSP_DYNAMIC;
    def.pose = pick_place(run);
    def.shape = vsp_table_shape(VSP_SHAPE_HULL,
                                FIRST_TABLES + 1 + pick_below(run, 3));
    return vsp_record_body_create(scene_recorder(run), &def, NULL);
}


/* ---- All bodies at once -------------------------------------------------- */

typedef vsp_status do_to_body(scene_run *run, vsp_body_id id, uint32_t slot);

/* Makes a call for all bodies but the floor; returns the sum of the
 * statuses. */
static vsp_status all_bodies(scene_run *run, do_to_body *act)
{
    int sum = 0;

    for (uint32_t i = 1; i < (uint32_t)run->variant.number; i++)
        sum += (int)act(run, vsp_body_at(run->world, i), i);
    return (vsp_status)sum;
}

static vsp_transform here; /* for calls that move all bodies to one point */

static vsp_status go_here(scene_run *run, vsp_body_id id, uint32_t slot)
{
    (void)slot;
    return vsp_record_body_set_transform(scene_recorder(run), id, here);
}

static vsp_status call_pile(scene_run *run)
{
    here = pick_place(run);
    return all_bodies(run, go_here);
}

/* Moves all bodies to a corner of the world or near it. */
static vsp_status call_corner(scene_run *run)
{
    uint32_t signs = pick_below(run, 8);
    vsp_real end = VSP_MAX_POSITION;

    here = pick_place(run);
    here.position.x = signs & 1 ? end : -end;
    here.position.y = signs & 2 ? end : -end;
    here.position.z = signs & 4 ? end : -end;
    if (pick_below(run, 2))
        here.position.y = number(run, 0.0, 1.0);
    return all_bodies(run, go_here);
}

/* Moves the bodies to a stack or a row at `here`. */
static vsp_status go_in_line(scene_run *run, vsp_body_id id, uint32_t slot)
{
    vsp_transform pose = here;

    if (pick_below(run, 4))
        pose.position.y += scene_real(0.5 * slot);
    else
        pose.position.x += scene_real(0.2 * slot);
    return vsp_record_body_set_transform(scene_recorder(run), id, pose);
}

static vsp_status call_stack(scene_run *run)
{
    here.position.x = here.position.y = here.position.z = VSP_R(0.0);
    here.rotation.x = here.rotation.y = here.rotation.z = VSP_R(0.0);
    here.rotation.w = VSP_R(1.0);
    return all_bodies(run, go_in_line);
}

static vsp_real end_or_none(scene_run *run, vsp_real end)
{
    static const int8_t signs[] = {-1, 0, 1};

    return end * signs[pick_below(run, 3)];
}

/* Sets a body's largest allowed speed; some become bullets, whose steps take
 * longest. */
static vsp_status shoot_body(scene_run *run, vsp_body_id id, uint32_t slot)
{
    vsp_real most = VSP_MAX_SPEED;
    vsp_vec3 velocity, spin;

    velocity.x = end_or_none(run, most);
    velocity.y = end_or_none(run, most);
    velocity.z = end_or_none(run, most);
    spin.x = end_or_none(run, most);
    spin.y = spin.z = end_or_none(run, most);
    (void)vsp_record_body_set_bullet(scene_recorder(run), id, slot % 8 == 1);
    return vsp_record_body_set_velocity(scene_recorder(run), id, velocity,
                                        spin);
}

static vsp_status call_shots(scene_run *run)
{
    return all_bodies(run, shoot_body);
}

static vsp_status push_hard(scene_run *run, vsp_body_id id, uint32_t slot)
{
    vsp_vec3 force = {VSP_R(0.0), VSP_R(0.0), VSP_R(0.0)};
    vsp_vec3 point = {VSP_R(0.0), VSP_R(0.0), VSP_R(0.0)};

    force.x = end_or_none(run, VSP_MAX_FORCE);
    force.y = end_or_none(run, VSP_MAX_FORCE);
    point.z = end_or_none(run, VSP_MAX_POSITION);
    if (slot % 2)
        return vsp_record_body_apply_force(scene_recorder(run), id, force,
                                           point);
    return vsp_record_body_apply_torque(scene_recorder(run), id, force);
}

static vsp_status call_push_hard(scene_run *run)
{
    return all_bodies(run, push_hard);
}

static vsp_status weigh_body(scene_run *run, vsp_body_id id, uint32_t slot)
{
    vsp_vec3 none = {VSP_R(0.0), VSP_R(0.0), VSP_R(0.0)};
    vsp_real mass = slot % 2 ? VSP_MAX_MASS : VSP_MIN_MASS;

    return vsp_record_body_set_mass(scene_recorder(run), id, mass, none, none);
}

static vsp_status call_masses(scene_run *run)
{
    return all_bodies(run, weigh_body);
}

static vsp_status rest_body(scene_run *run, vsp_body_id id, uint32_t slot)
{
    (void)slot;
    return vsp_record_body_set_awake(scene_recorder(run), id, false);
}

static vsp_status call_rest(scene_run *run)
{
    return all_bodies(run, rest_body);
}

static vsp_status wipe_body(scene_run *run, vsp_body_id id, uint32_t slot)
{
    (void)slot;
    return vsp_record_body_destroy(scene_recorder(run), id);
}

static vsp_status call_wipe(scene_run *run)
{
    return pick_below(run, 6) ? VSP_OK : all_bodies(run, wipe_body);
}


/* ---- Ends of ranges ------------------------------------------------------ */

static vsp_real size_of_end(scene_run *run)
{
    switch (pick_below(run, 3)) {
    case 0:
        return VSP_MIN_SIZE;
    case 1:
        return VSP_MAX_SIZE;
    default:
        return number(run, 0.05, 2.0);
    }
}

static vsp_shape_def shape_of_ends(scene_run *run)
{
    vsp_shape_def it;
    vsp_real x = size_of_end(run), y = size_of_end(run);

    switch (pick_below(run, 3)) {
    case 0:
        it = vsp_sphere(x);
        break;
    case 1:
        it = vsp_capsule(x, pick_below(run, 2) ? y : VSP_R(0.0));
        break;
    default:
        it = vsp_box(x, y, size_of_end(run));
    }
    it.density = pick_below(run, 2) ? number(run, 0.001, 10.0) : VSP_R(1000.0);
    if (pick_below(run, 4) == 0)
        it.density = VSP_R(0.0);
    it.material = material(run);
    if (pick_below(run, 4) == 0)
        it.material.friction = VSP_R(100.0);
    if (pick_below(run, 4) == 0)
        it.material.restitution = VSP_R(1.0);
    return it;
}

static vsp_status call_body_of_ends(scene_run *run)
{
    vsp_body_def def = vsp_body_def_default();

    def.type = (vsp_body_type)pick_below(run, 3);
    def.pose = pick_place(run);
    def.is_bullet = pick_below(run, 4) == 0;
    if (pick_below(run, 2))
        def.mass = pick_below(run, 2) ? VSP_MIN_MASS : VSP_MAX_MASS;
    if (pick_below(run, 4) == 0)
        def.gravity_scale = pick_below(run, 2) ? VSP_R(-100.0) : VSP_R(100.0);
    def.shape = shape_of_ends(run);
    return vsp_record_body_create(scene_recorder(run), &def, NULL);
}

static vsp_status call_shape_of_ends(scene_run *run)
{
    vsp_shape_def def = shape_of_ends(run);

    if (pick_below(run, 3) == 0)
        def.pose.position = vector(run, VSP_FIXED ? 100.0 : 1000.0);
    return vsp_record_shape_create(scene_recorder(run), some_body(run), &def,
                                   NULL);
}

/* Sets the usual gravity, so that bodies come to rest again. */
static vsp_status call_usual_gravity(scene_run *run)
{
    vsp_vec3 gravity = {VSP_R(0.0), VSP_R(-9.81), VSP_R(0.0)};

    return vsp_record_set_gravity(scene_recorder(run), gravity);
}

/* Joins neighbours at the centre of one, or at a far point. */
static vsp_status join_neighbour(scene_run *run, vsp_body_id id, uint32_t slot)
{
    vsp_joint_def def = vsp_joint_def_default();
    vsp_vec3 axis = {VSP_R(1.0), VSP_R(0.0), VSP_R(0.0)};
    vsp_vec3 anchor = pick_below(run, 3) ? vsp_body_center(run->world, id)
                                         : pick_place(run).position;

    def.type = (vsp_joint_type)(1 + pick_below(run, 5));
    def.body_a = id;
    def.body_b = vsp_body_at(run->world, slot - 1);
    def.collide = pick_below(run, 2);
    (void)vsp_joint_place(run->world, &def, anchor, axis);
    if (pick_below(run, 8) == 0)
        def.frame_b.position.x = VSP_MAX_POSITION;
    return vsp_record_joint_create(scene_recorder(run), &def, NULL);
}

static vsp_status call_joints(scene_run *run)
{
    return all_bodies(run, join_neighbour);
}


/* ---- The beginning ------------------------------------------------------- */

static vsp_status call_crate(scene_run *run)
{
    vsp_body_def def = vsp_body_def_default();

    def.type = VSP_DYNAMIC;
    def.pose = pick_place(run);
    def.shape = vsp_box(VSP_R(0.125), VSP_R(0.25), VSP_R(0.125));
    def.shape.density = number(run, 1.0, 2000.0);
    def.shape.material = material(run);
    return vsp_record_body_create(scene_recorder(run), &def, NULL);
}

void fill_world(scene_run *run, const plan *of)
{
    scene_variant variant;
    const scene *which = scene_find("calls2", &variant);

    variant.number = of->def.capacity.bodies;
    variant.seed = now.seed;
    if (!scene_start(run, which, variant))
        give_up("a world cannot be filled");
    run->wild = of->wild;
    for (uint32_t left = pick_below(run, of->def.capacity.bodies); left > 0;
         left--)
        (void)call_crate(run);
}


/* ---- One of all ---------------------------------------------------------- */

static random_call *const calls[] = {
    call_add_table,     call_late_hull,     call_pile,
    call_corner,        call_stack,         call_stack,
    call_shots,         call_push_hard,     call_masses,
    call_rest,          call_rest,          call_wipe,
    call_body_of_ends,  call_body_of_ends,  call_body_of_ends,
    call_shape_of_ends, call_joints,        call_usual_gravity,
    call_usual_gravity, call_usual_gravity,
};

void make_call(scene_run *run)
{
    if (pick_below(run, 10) == 0)
        call_one(run, calls, sizeof calls / sizeof calls[0]);
    else if (pick_below(run, 5) == 0)
        ask_any(run);
    else if (pick_below(run, 6) == 0)
        edit_any(run);
    else
        call_any(run);
}
