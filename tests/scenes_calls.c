/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Random calls: before each step up to two of the calls that change a world,
 * with random arguments, of which now and then one is not valid.  What a call
 * answers goes into the sequence, so that a call answered otherwise changes
 * all that follows.  In this order: random arguments, calls on the world and
 * bodies, forces, shapes, the scene. */

#include "scenes_table.h"

#if !SCENES_MICRO


/* ---- Random arguments ---------------------------------------------------- */

static uint32_t next_bits(scene_run *run)
{
    uint32_t x = run->random;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    run->random = x;
    return x;
}

/* Returns 0 to count - 1. */
static uint32_t pick(scene_run *run, uint32_t count)
{
    return (next_bits(run) >> 8) % count;
}

/* The bits of numbers that are out of most ranges: in the float kind a NaN,
 * an infinity, two that are large; in the fixed kind both ends, 2^30 (all
 * zero in its low word) and almost -10^9. */
#if VSP_FIXED
typedef uint64_t real_bits;
static const real_bits bad_bits[4] = {0x8000000000000000u, 0x7fffffffffffffffu,
                                      0x4000000000000000u,
                                      0xc465360080000000u};
#else
typedef uint32_t real_bits;
static const real_bits bad_bits[4] = {0x7fc00000u, 0xff800000u, 0x7f7fffffu,
                                      0xd368d4a5u};
#endif

static vsp_real real_of(real_bits bits)
{
    union {
        real_bits bits;
        vsp_real real;
    } it;

    it.bits = bits;
    return it.real;
}

/* Returns a number of the range; 1 time in 128 one that is bad. */
static vsp_real number(scene_run *run, double low, double high)
{
    double part = (double)pick(run, 65536) / 65536.0;

    if (pick(run, 128) == 0)
        return real_of(bad_bits[pick(run, 4)]);
    return scene_real(low + (high - low) * part);
}

static vsp_vec3 vector(scene_run *run, double size)
{
    vsp_vec3 v;

    v.x = number(run, -size, size);
    v.y = number(run, -size, size);
    v.z = number(run, -size, size);
    return v;
}

/* Somewhere over the floor. */
static vsp_transform place(scene_run *run)
{
    vsp_transform pose;

    pose.position = vector(run, 0.8);
    pose.position.y = number(run, 0.2, 1.5);
    pose.rotation.x = number(run, -1.0, 1.0);
    pose.rotation.y = number(run, -1.0, 1.0);
    pose.rotation.z = number(run, -1.0, 1.0);
    pose.rotation.w = number(run, 0.5, 1.0);
    return pose;
}

static vsp_material material(scene_run *run)
{
    vsp_material it;

    it.friction = number(run, 0.0, 1.0);
    it.restitution = number(run, 0.0, 0.8);
    it.friction_rule = (vsp_rule)pick(run, 5);
    it.restitution_rule = (vsp_rule)pick(run, 5);
    return it;
}

/* A ball or a box, on its body's origin or beside it. */
static vsp_shape_def shape(scene_run *run)
{
    vsp_shape_def it = vsp_sphere(number(run, 0.1, 0.4));

    if (pick(run, 3) == 0) {
        it.type = VSP_SHAPE_BOX;
        it.size.y = number(run, 0.1, 0.4);
        it.size.z = number(run, 0.1, 0.4);
    }
    if (pick(run, 4) == 0)
        it.pose.position = vector(run, 0.3);
    it.density = number(run, 100.0, 2000.0);
    it.material = material(run);
    return it;
}

/* Who was made last in this slot, or in another that shares its mark; the
 * floor keeps mark 0 for itself. */
static vsp_body_id *last_made(scene_run *run, uint32_t slot)
{
    return &run->marks[1 + slot % (SCENE_MARKS - 1)];
}

/* The body of a random slot, the floor's excepted, or the last one that was
 * made there, which may be gone. */
static vsp_body_id some_body(scene_run *run)
{
    uint32_t slot = 1 + pick(run, (uint32_t)run->variant.number - 1);

    if (pick(run, 8) == 0)
        return *last_made(run, slot);
    return vsp_body_at(run->world, slot);
}

static bool is_floor(const scene_run *run, vsp_shape_id id)
{
    return vsp_shape_body(run->world, id).bits == run->marks[0].bits;
}

/* The shape of a random slot, or one that may be gone. */
static vsp_shape_id some_shape(scene_run *run)
{
    uint32_t slot = pick(run, (uint32_t)run->variant.number);
    vsp_shape_id id = vsp_shape_at(run->world, slot);

    if (pick(run, 16) == 0)
        id.bits ^= 0x10000u << pick(run, 2);
    return id;
}


/* ---- World and bodies ---------------------------------------------------- */

static vsp_status call_set_gravity(scene_run *run)
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

    def.type = pick(run, 6) ? VSP_DYNAMIC : (vsp_body_type)pick(run, 4);
    def.pose = place(run);
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

static vsp_status call_body_destroy(scene_run *run)
{
    return vsp_record_body_destroy(scene_recorder(run), some_body(run));
}

static vsp_status call_set_transform(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_set_transform(scene_recorder(run), id, place(run));
}

static vsp_status call_set_velocity(scene_run *run)
{
    vsp_body_id id = some_body(run);
    vsp_vec3 velocity = vector(run, 2.0);

    return vsp_record_body_set_velocity(scene_recorder(run), id, velocity,
                                        vector(run, 5.0));
}

/* All as the shapes have it, or but for the mass, or nothing. */
static vsp_status call_set_mass(scene_run *run)
{
    vsp_body_id id = some_body(run);
    vsp_vec3 center = {VSP_R(0.0), VSP_R(0.0), VSP_R(0.0)};
    vsp_vec3 inertia = center;
    vsp_real mass = VSP_R(0.0);

    if (pick(run, 2))
        mass = number(run, 10.0, 500.0);
    if (mass > VSP_R(0.0) && pick(run, 2)) {
        center = vector(run, 0.05);
        inertia.x = number(run, 5.0, 10.0);
        inertia.y = number(run, 5.0, 10.0);
        inertia.z = number(run, 5.0, 10.0);
    }
    return vsp_record_body_set_mass(scene_recorder(run), id, mass, center,
                                    inertia);
}

static vsp_status call_set_damping(scene_run *run)
{
    vsp_body_id id = some_body(run);
    vsp_real linear = number(run, 0.0, 2.0);

    return vsp_record_body_set_damping(scene_recorder(run), id, linear,
                                       number(run, 0.0, 2.0));
}

static vsp_status call_set_gravity_scale(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_set_gravity_scale(scene_recorder(run), id,
                                             number(run, 0.25, 1.5));
}

static vsp_status call_set_user(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_set_user(scene_recorder(run), id, next_bits(run));
}


/* ---- Forces and impulses ------------------------------------------------- */

static vsp_status call_force(scene_run *run)
{
    vsp_body_id id = some_body(run);
    vsp_vec3 force = vector(run, 1000.0);

    return vsp_record_body_apply_force(scene_recorder(run), id, force,
                                       place(run).position);
}

static vsp_status call_center_force(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_apply_center_force(scene_recorder(run), id,
                                              vector(run, 2000.0));
}

static vsp_status call_torque(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_apply_torque(scene_recorder(run), id,
                                        vector(run, 500.0));
}

static vsp_status call_impulse(scene_run *run)
{
    vsp_body_id id = some_body(run);
    vsp_vec3 impulse = vector(run, 20.0);

    return vsp_record_body_apply_impulse(scene_recorder(run), id, impulse,
                                         vsp_body_center(run->world, id));
}

static vsp_status call_center_impulse(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_apply_center_impulse(scene_recorder(run), id,
                                                vector(run, 50.0));
}

static vsp_status call_angular_impulse(scene_run *run)
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

static vsp_status call_shape_destroy(scene_run *run)
{
    vsp_shape_id id = some_shape(run);

    if (is_floor(run, id))
        return VSP_OK;
    return vsp_record_shape_destroy(scene_recorder(run), id);
}

static vsp_status call_set_material(scene_run *run)
{
    vsp_shape_id id = some_shape(run);

    return vsp_record_shape_set_material(scene_recorder(run), id,
                                         material(run));
}

/* A few bodies fall through each other, none through the floor. */
static vsp_status call_set_filter(scene_run *run)
{
    vsp_shape_id id = some_shape(run);
    vsp_filter filter;

    if (is_floor(run, id))
        return VSP_OK;
    filter.category = 1;
    filter.mask = 0xffffffffu;
    filter.group = (int32_t)pick(run, 3) - 2;
    return vsp_record_shape_set_filter(scene_recorder(run), id, filter);
}


/* ---- Scene --------------------------------------------------------------- */

typedef vsp_status random_call(scene_run *run);

/* More bodies and shapes come than go, until the world is full. */
static random_call *const calls[] = {
    call_body_create,     call_body_create,
    call_set_gravity,     call_body_destroy,
    call_set_transform,   call_set_velocity,
    call_set_mass,        call_set_damping,
    call_set_gravity_scale, call_set_user,
    call_force,           call_center_force,
    call_torque,          call_impulse,
    call_center_impulse,  call_angular_impulse,
    call_shape_create,    call_shape_create,
    call_shape_destroy,   call_set_material,
    call_set_filter,
};

#define CALL_COUNT (sizeof calls / sizeof calls[0])

static void call(scene_run *run)
{
    vsp_status status = calls[pick(run, (uint32_t)CALL_COUNT)](run);

    run->random += (uint32_t)status * 2654435761u;
    run->random += run->random == 0;
}

/* Takes a snapshot, makes some calls and takes them back.  With room for few
 * bodies, a restore of what is no snapshot is refused. */
static void call_and_restore(scene_run *run)
{
    static unsigned char saved[VSP_MAX_BODIES < 32 ? 16 : 4000];
    bool has_room = run->variant.number > 8.0;
    size_t size = sizeof saved;
    vsp_status status;

    if (has_room && vsp_world_snapshot(run->world, saved, size, &size) < 0)
        run->failures++;
    call(run);
    call(run);
    status = vsp_record_restore(scene_recorder(run), saved,
                                has_room ? size : 16);
    if ((status < 0) == has_room)
        run->failures++;
}

/* The floor, some boxes and balls; the scene's number is the capacity in
 * bodies, its seed that of the calls.  mark 0: the floor; the others: who was
 * made last in a slot */
void build_calls(scene_run *run)
{
    vsp_body_def def = vsp_body_def_default();

    def.shape = vsp_half_space();
    if (run->variant.number < 2.0 ||
        vsp_record_body_create(scene_recorder(run), &def, &run->marks[0]) < 0)
        run->failures++;
    for (int i = 0; i < (int)run->variant.number / 2; i++)
        call_body_create(run);
}

void drive_calls(scene_run *run, uint32_t step)
{
    if (step % 50 == 49)
        call_and_restore(run);
    for (uint32_t left = pick(run, 3); left > 0; left--)
        call(run);
}

#endif
