/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Scenes for tests, in the order of scene_fixture.h. */

#include "scene_fixture.h"

#include "port/measure/oracle.h"

/* Finds a scene and its world.  On failure, fails the test and returns null. */
static const scene *find_scene(const char *name, scene_variant *variant,
                               vsp_world_def *def)
{
    const scene *found = scene_find(name, variant);

    test_note("scene %s", name);
    if (CHECK(found))
        *def = scene_world_def(found);
    return found;
}

static bool start_scene(scene_run *run, const char *name, vsp_friction friction,
                        bool may_sleep, uint32_t index, size_t offset)
{
    scene_variant variant;
    vsp_world_def def;
    const scene *found = find_scene(name, &variant, &def);

    if (!found)
        return false;
    def.friction = friction;
    def.enable_sleep |= may_sleep;
    run->world = new_world_at(&def, index, offset);
    return CHECK(scene_start(run, found, variant));
}

bool play_start_in_steps(scene_run *run, const char *name, double dt)
{
    scene_variant variant;
    vsp_world_def def;
    const scene *found = find_scene(name, &variant, &def);

    if (!found)
        return false;
    def.dt = real(dt);
    run->world = new_world_at(&def, 0, 0);
    return CHECK(scene_start(run, found, variant));
}

bool play_start_at(scene_run *run, const char *name, uint32_t index,
                   size_t offset)
{
    return start_scene(run, name, VSP_FRICTION_CONE, false, index, offset);
}

bool play_start_as(scene_run *run, const char *name, vsp_friction friction)
{
    return start_scene(run, name, friction, false, 0, 0);
}

bool play_start(scene_run *run, const char *name)
{
    return start_scene(run, name, VSP_FRICTION_CONE, false, 0, 0);
}

bool play_start_sleepy(scene_run *run, const char *name)
{
    return start_scene(run, name, VSP_FRICTION_CONE, true, 0, 0);
}

void play_steps(scene_run *run, uint32_t from, uint32_t to)
{
    uint32_t i;

    for (i = from; i < to; i++)
        CHECK(scene_step(run, i) >= 0);
    CHECK_UINT(0, run->failures);
}

vec3 mark_position(const scene_run *run, uint32_t mark)
{
    return vec_from(vsp_body_transform(run->world, run->marks[mark]).position);
}

vec3 mark_velocity(const scene_run *run, uint32_t mark)
{
    return vec_from(vsp_body_velocity(run->world, run->marks[mark]));
}

vec3 mark_spin(const scene_run *run, uint32_t mark)
{
    return vec_from(vsp_body_spin(run->world, run->marks[mark]));
}

vec3 body_axis(const vsp_world *world, vsp_body_id id, uint32_t axis)
{
    vsp_quat q = vsp_body_transform(world, id).rotation;
    double x = num(q.x), y = num(q.y), z = num(q.z);
    double w = num(q.w);

    if (axis == 0)
        return vec_make(1 - 2 * (y * y + z * z), 2 * (x * y + w * z),
                        2 * (x * z - w * y));
    if (axis == 1)
        return vec_make(2 * (x * y - w * z), 1 - 2 * (x * x + z * z),
                        2 * (y * z + w * x));
    return vec_make(2 * (x * z + w * y), 2 * (y * z - w * x),
                    1 - 2 * (x * x + y * y));
}

#if VSP_JOINTS
vsp_joint_id create_joint(vsp_world *world, const vsp_joint_def *def)
{
    vsp_joint_id id = {0};

    CHECK_STATUS(VSP_OK, vsp_joint_create(world, def, &id));
    return id;
}
#endif

double total_energy(const vsp_world *world)
{
    static solid solids[VSP_MAX_SHAPES];
    vec3 gravity = vec_from(vsp_world_gravity(world));
    double energy = oracle_kinetic_energy(world, solids,
                                          solids_read(world, solids));
    uint32_t slot;

    for (slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id id = vsp_body_at(world, slot);

        energy -= num(vsp_body_mass(world, id)) *
                  vec_dot(gravity, vec_from(vsp_body_center(world, id)));
    }
    return energy;
}
