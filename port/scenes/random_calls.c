/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Random calls: before each step up to two of the calls that change a world,
 * with random arguments, some of them invalid.  The result of each call is
 * added to the state of the generator, so that one different result changes all
 * later calls.  In this order: random shapes and bodies, calls on the world and
 * bodies, forces, shapes, the scene. */

#include "random_calls.h"
#include "builder.h"
#include "random_arguments.h"
#include "scene_table.h"

#if !SCENES_MICRO


/* ---- Random shapes and bodies -------------------------------------------- */

/* Returns a ball or a box, at its body's origin or beside it. */
static vsp_shape_def shape(scene_run *run)
{
    vsp_shape_def it = vsp_sphere(number(run, 0.1, 0.4));

    if (pick_below(run, 3) == 0) {
        it.type = VSP_SHAPE_BOX;
        it.size.y = number(run, 0.1, 0.4);
        it.size.z = number(run, 0.1, 0.4);
    }
    if (pick_below(run, 4) == 0)
        it.pose.position = vector(run, 0.3);
    it.density = number(run, 100.0, 2000.0);
    it.material = material(run);
    return it;
}

vsp_body_id *last_made(scene_run *run, uint32_t slot)
{
    return &run->marks[1 + slot % (SCENE_MARKS - 1)];
}

vsp_body_id some_body(scene_run *run)
{
    uint32_t slot = 1 + pick_below(run, (uint32_t)run->variant.number - 1);

    if (pick_below(run, run->stale) == 0)
        return *last_made(run, slot);
    return vsp_body_at(run->world, slot);
}

bool is_floor(const scene_run *run, vsp_shape_id id)
{
    return vsp_shape_body(run->world, id).bits == run->marks[0].bits;
}

vsp_shape_id some_shape(scene_run *run)
{
    uint32_t slot = pick_below(run, (uint32_t)run->variant.number);
    vsp_shape_id id = vsp_shape_at(run->world, slot);

    if (pick_below(run, 2 * run->stale) == 0)
        id.bits ^= 0x10000u << pick_below(run, 2);
    return id;
}


/* ---- World and bodies ---------------------------------------------------- */

vsp_status call_set_gravity(scene_run *run)
{
    vsp_vec3 gravity = vector(run, 2.0);

    gravity.y = number(run, -12.0, -6.0);
    return vsp_record_set_gravity(scene_recorder(run), gravity);
}

static vsp_status call_body_create(scene_run *run)
{
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id id;
    vsp_status status;

    def.type = pick_below(run, 6) ? VSP_DYNAMIC
                                  : (vsp_body_type)pick_below(run, 4);
    def.pose = pick_place(run);
    def.velocity = vector(run, 1.0);
    def.spin = vector(run, 3.0);
    def.linear_damping = number(run, 0.0, 1.0);
    def.user = next_bits(run);
    def.shape = shape(run);
    status = vsp_record_body_create(scene_recorder(run), &def, &id);
    if (status >= 0)
        *last_made(run, id.bits & 0xffffu) = id;
    return status;
}

vsp_status call_body_destroy(scene_run *run)
{
    return vsp_record_body_destroy(scene_recorder(run), some_body(run));
}

vsp_status call_set_transform(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_set_transform(scene_recorder(run), id,
                                         pick_place(run));
}

static vsp_status call_set_velocity(scene_run *run)
{
    vsp_body_id id = some_body(run);
    vsp_vec3 velocity = vector(run, 2.0);

    return vsp_record_body_set_velocity(scene_recorder(run), id, velocity,
                                        vector(run, 5.0));
}

/* Sets the mass data: all from shapes, or all but the mass, or all given. */
vsp_status call_set_mass(scene_run *run)
{
    vsp_body_id id = some_body(run);
    vsp_vec3 center = {VSP_R(0.0), VSP_R(0.0), VSP_R(0.0)};
    vsp_vec3 inertia = center;
    vsp_real mass = VSP_R(0.0);

    if (pick_below(run, 2))
        mass = number(run, 10.0, 500.0);
    if (mass > VSP_R(0.0) && pick_below(run, 2)) {
        center = vector(run, 0.05);
        inertia.x = number(run, 5.0, 10.0);
        inertia.y = number(run, 5.0, 10.0);
        inertia.z = number(run, 5.0, 10.0);
    }
    return vsp_record_body_set_mass(scene_recorder(run), id, mass, center,
                                    inertia);
}

vsp_status call_set_damping(scene_run *run)
{
    vsp_body_id id = some_body(run);
    vsp_real linear = number(run, 0.0, 2.0);

    return vsp_record_body_set_damping(scene_recorder(run), id, linear,
                                       number(run, 0.0, 2.0));
}

vsp_status call_set_gravity_scale(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_set_gravity_scale(scene_recorder(run), id,
                                             number(run, 0.25, 1.5));
}

vsp_status call_set_user(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_set_user(scene_recorder(run), id, next_bits(run));
}


/* ---- Forces and impulses ------------------------------------------------- */

vsp_status call_force(scene_run *run)
{
    vsp_body_id id = some_body(run);
    vsp_vec3 force = vector(run, 1000.0);

    return vsp_record_body_apply_force(scene_recorder(run), id, force,
                                       pick_place(run).position);
}

vsp_status call_center_force(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_apply_center_force(scene_recorder(run), id,
                                              vector(run, 2000.0));
}

vsp_status call_torque(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_apply_torque(scene_recorder(run), id,
                                        vector(run, 500.0));
}

vsp_status call_impulse(scene_run *run)
{
    vsp_body_id id = some_body(run);
    vsp_vec3 impulse = vector(run, 20.0);

    return vsp_record_body_apply_impulse(scene_recorder(run), id, impulse,
                                         vsp_body_center(run->world, id));
}

vsp_status call_center_impulse(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_apply_center_impulse(scene_recorder(run), id,
                                                vector(run, 50.0));
}

vsp_status call_angular_impulse(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_apply_angular_impulse(scene_recorder(run), id,
                                                 vector(run, 2.0));
}


/* ---- Shapes -------------------------------------------------------------- */

static vsp_status call_shape_create(scene_run *run)
{
    vsp_body_id id = some_body(run);
    vsp_shape_def def = shape(run);

    return vsp_record_shape_create(scene_recorder(run), id, &def, NULL);
}

vsp_status call_shape_destroy(scene_run *run)
{
    vsp_shape_id id = some_shape(run);

    if (is_floor(run, id))
        return VSP_OK;
    return vsp_record_shape_destroy(scene_recorder(run), id);
}

vsp_status call_set_material(scene_run *run)
{
    vsp_shape_id id = some_shape(run);

    return vsp_record_shape_set_material(scene_recorder(run), id,
                                         material(run));
}

/* Sets filters so that a few bodies pass through each other, but none through
 * the floor. */
static vsp_status call_set_filter(scene_run *run)
{
    vsp_shape_id id = some_shape(run);
    vsp_filter filter;

    if (is_floor(run, id))
        return VSP_OK;
    filter.category = 1;
    filter.mask = 0xffffffffu;
    filter.group = (int32_t)pick_below(run, 3) - 2;
    return vsp_record_shape_set_filter(scene_recorder(run), id, filter);
}


/* ---- Scene --------------------------------------------------------------- */

void call_one(scene_run *run, random_call *const *from, size_t count)
{
    vsp_status status = from[pick_below(run, (uint32_t)count)](run);

    run->random += (uint32_t)status * 2654435761u;
    run->random += run->random == 0;
}

/* Calls that create are more frequent than those that destroy, so the world
 * fills up. */
static random_call *const calls[] = {
    call_body_create,     call_body_create,   call_set_gravity,
    call_body_destroy,    call_set_transform, call_set_velocity,
    call_set_mass,        call_set_damping,   call_set_gravity_scale,
    call_set_user,        call_force,         call_center_force,
    call_torque,          call_impulse,       call_center_impulse,
    call_angular_impulse, call_shape_create,  call_shape_create,
    call_shape_destroy,   call_set_material,  call_set_filter,
};

static void call_engine(scene_run *run)
{
    call_one(run, calls, sizeof calls / sizeof calls[0]);
}

/* Takes a snapshot, makes two calls and undoes them.  A world of at most 8
 * bodies restores 16 invalid bytes instead, which must be refused. */
static void call_and_restore(scene_run *run)
{
    static unsigned char saved[VSP_MAX_BODIES < 32 ? 16 : 4000];
    bool has_room = run->variant.number > 8.0;
    size_t size = sizeof saved;
    vsp_status status;

    if (has_room && vsp_world_snapshot(run->world, saved, size, &size) < 0)
        run->failures++;
    call_engine(run);
    call_engine(run);
    status = vsp_record_restore(scene_recorder(run), saved,
                                has_room ? size : 16);
    if ((status < 0) == has_room)
        run->failures++;
}

/* The floor, some boxes and balls.  The scene's number is the capacity in
 * bodies; its seed selects the calls. mark 0: the floor; others: the last body
 * created in a slot */
void build_calls(scene_run *run)
{
    vsp_body_def def = vsp_body_def_default();

    run->stale = 8;
    def.shape = vsp_half_space();
    if (scene_number(run) < 2 ||
        vsp_record_body_create(scene_recorder(run), &def, &run->marks[0]) < 0)
        run->failures++;
    for (int i = 0; i < scene_number(run) / 2; i++)
        call_body_create(run);
}

void drive_calls(scene_run *run, uint32_t step)
{
    if (step % 50 == 49)
        call_and_restore(run);
    for (uint32_t left = pick_below(run, 3); left > 0; left--)
        call_engine(run);
}

#endif
