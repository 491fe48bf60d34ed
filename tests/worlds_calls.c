/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Calls that bring a world into states that single random calls hardly reach:
 * all bodies at one point, at the ends of the world, or with extreme speed,
 * size and mass. */

#include "worlds.h"

#include "port/scenes/random_arguments.h"
#include "port/scenes/scene_table.h"


/* ---- Tables ---------------------------------------------------------------
 */

/* Only worlds with shells get more of them. */
static vsp_status call_add_table(scene_run *run)
{
    uint32_t count = vsp_world_table_count(run->world);
    uint32_t most = count > SOLID_TABLES ? ALL_TABLES : SOLID_TABLES;

    if (count < most && pick_below(run, 4) == 0)
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
                                FIRST_TABLES + 1 + pick_below(run, 5));
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

vsp_real size_of_end(scene_run *run)
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

    switch (pick_below(run, 4)) {
    case 0:
        it = vsp_sphere(x);
        break;
    case 1:
        it = unusual_shape(run, false);
        break;
    case 2:
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
    give_tables(run->world, of->tables);
    for (uint32_t left = pick_below(run, of->def.capacity.bodies); left > 0;
         left--)
        (void)(pick_below(run, 2) ? call_crate(run) : call_new_body(run));
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
    else if (pick_below(run, 3) == 0)
        make_more(run);
    else if (pick_below(run, 6) == 0)
        ask_any(run);
    else if (pick_below(run, 6) == 0)
        ask_more(run);
    else if (pick_below(run, 6) == 0)
        edit_any(run);
    else
        call_any(run);
}
