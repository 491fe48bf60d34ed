/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* In this order: tensors, bodies, points, detection, motion. */

#include "contact_problem.h"

#include <stdio.h>
#include <string.h>

#include "port/measure/weight.h"


/* ---- Tensors ------------------------------------------------------------- */

vec3 tensor_times(const tensor *t, vec3 v)
{
    return vec_make(t->xx * v.x + t->xy * v.y + t->xz * v.z,
                    t->xy * v.x + t->yy * v.y + t->yz * v.z,
                    t->xz * v.x + t->yz * v.y + t->zz * v.z);
}

static tensor tensor_inverse(const tensor *t)
{
    tensor c = {t->yy * t->zz - t->yz * t->yz, t->xx * t->zz - t->xz * t->xz,
                t->xx * t->yy - t->xy * t->xy, t->xy * t->xz - t->xx * t->yz,
                t->xy * t->yz - t->yy * t->xz, t->xz * t->yz - t->zz * t->xy};
    double det = t->xx * c.xx + t->xy * c.xy + t->xz * c.xz;
    double part = det > 0.0 ? 1.0 / det : 0.0;

    c.xx *= part;
    c.yy *= part;
    c.zz *= part;
    c.yz *= part;
    c.xz *= part;
    c.xy *= part;
    return c;
}

/* Returns R t R^T; axes are the columns of R. */
static tensor tensor_turned(const tensor *t, const vec3 axes[3])
{
    vec3 x = vec_make(axes[0].x, axes[1].x, axes[2].x);
    vec3 y = vec_make(axes[0].y, axes[1].y, axes[2].y);
    vec3 z = vec_make(axes[0].z, axes[1].z, axes[2].z);
    vec3 tx = tensor_times(t, x), ty = tensor_times(t, y);
    vec3 tz = tensor_times(t, z);
    tensor out = {vec_dot(x, tx), vec_dot(y, ty), vec_dot(z, tz),
                  vec_dot(y, tz), vec_dot(x, tz), vec_dot(x, ty)};

    return out;
}

/* Adds the inertia of mass at d from an axis' origin. */
static void tensor_add_mass(tensor *t, double mass, vec3 d)
{
    t->xx += mass * (d.y * d.y + d.z * d.z);
    t->yy += mass * (d.x * d.x + d.z * d.z);
    t->zz += mass * (d.x * d.x + d.y * d.y);
    t->yz -= mass * d.y * d.z;
    t->xz -= mass * d.x * d.z;
    t->xy -= mass * d.x * d.y;
}

static void tensor_add(tensor *t, double s, const tensor *from)
{
    t->xx += s * from->xx;
    t->yy += s * from->yy;
    t->zz += s * from->zz;
    t->yz += s * from->yz;
    t->xz += s * from->xz;
    t->xy += s * from->xy;
}


/* ---- Bodies -------------------------------------------------------------- */

static vec3 turned_back(const vec3 axes[3], vec3 v)
{
    return vec_make(vec_dot(axes[0], v), vec_dot(axes[1], v),
                    vec_dot(axes[2], v));
}

static void normalize(double q[4])
{
    double part = 1.0 /
                  sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

    for (int i = 0; i < 4; i++)
        q[i] *= part;
}

/* Adds mass and inertia (along the world's axes) of a shape to its body. */
static void add_shape(contact_body *to, const solid *shape)
{
    weight of = weigh_solid(shape);
    tensor unit = {of.own.x,      of.own.y,      of.own.z,
                   of.products.x, of.products.y, of.products.z};
    tensor placed = tensor_turned(&unit, shape->axes);

    to->mass += of.mass;
    tensor_add(&to->inertia, of.mass, &placed);
    tensor_add_mass(&to->inertia, of.mass,
                    vec_sub(solid_point(shape, of.center), to->center));
}

static void read_body(contact_body *to, const vsp_world *world, vsp_body_id id,
                      uint32_t slot)
{
    vsp_transform pose = vsp_body_transform(world, id);
    vec3 axes[3];

    memset(to, 0, sizeof *to);
    to->id = id;
    to->slot = slot;
    to->user = vsp_body_user(world, id);
    to->center = vec_from(vsp_body_center(world, id));
    to->rotation[0] = vsp_to_double(pose.rotation.x);
    to->rotation[1] = vsp_to_double(pose.rotation.y);
    to->rotation[2] = vsp_to_double(pose.rotation.z);
    to->rotation[3] = vsp_to_double(pose.rotation.w);
    normalize(to->rotation);
    axes_of_turn(to->rotation, axes);
    to->offset = turned_back(axes,
                             vec_sub(to->center, vec_from(pose.position)));
    to->velocity = vec_from(vsp_body_velocity(world, id));
    to->spin = vec_from(vsp_body_spin(world, id));
}

/* Computes inertia along the world's axes from that along the body's. */
static void turn_inertia(contact_body *it)
{
    vec3 axes[3];

    axes_of_turn(it->rotation, axes);
    it->inertia = tensor_turned(&it->own, axes);
    it->inverse_inertia = tensor_turned(&it->inverse_own, axes);
}

/* Scales the inertia of the shapes to the body's mass. */
static void finish_mass(contact_body *it, const vsp_world *world)
{
    double mass = vsp_to_double(vsp_body_mass(world, it->id));
    tensor all = {0};
    vec3 axes[3], rows[3];

    if (mass <= 0.0 || it->mass <= 0.0) {
        it->mass = 0.0;
        memset(&it->inertia, 0, sizeof it->inertia);
        return;
    }
    tensor_add(&all, mass / it->mass, &it->inertia);
    it->mass = mass;
    it->inverse_mass = 1.0 / mass;
    axes_of_turn(it->rotation, axes);
    rows[0] = vec_make(axes[0].x, axes[1].x, axes[2].x);
    rows[1] = vec_make(axes[0].y, axes[1].y, axes[2].y);
    rows[2] = vec_make(axes[0].z, axes[1].z, axes[2].z);
    it->own = tensor_turned(&all, rows);
    it->inverse_own = tensor_inverse(&it->own);
    turn_inertia(it);
}

void contact_problem_read_bodies(contact_problem *to, const vsp_world *world)
{
    static solid solids[VSP_MAX_SHAPES];
    int count = solids_read(world, solids);

    to->body_count = 0;
    to->point_count = 0;
    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id id = vsp_body_at(world, slot);

        to->index[slot] = -1;
        if (id.bits == 0 || vsp_body_get_type(world, id) == VSP_STATIC)
            continue;
        to->index[slot] = to->body_count;
        read_body(&to->bodies[to->body_count++], world, id, slot);
    }
    for (int i = 0; i < count; i++)
        if (solids[i].body_type == VSP_DYNAMIC)
            add_shape(&to->bodies[to->index[body_slot(solids[i].body)]],
                      &solids[i]);
    for (int i = 0; i < to->body_count; i++)
        finish_mass(&to->bodies[i], world);
}


/* ---- Points -------------------------------------------------------------- */

static double combine(vsp_rule one, vsp_rule other, double a, double b)
{
    switch (one > other ? one : other) {
    case VSP_RULE_AVERAGE:
        return (a + b) / 2.0;
    case VSP_RULE_MIN:
        return fmin(a, b);
    case VSP_RULE_MULTIPLY:
        return a * b;
    case VSP_RULE_MAX:
        return fmax(a, b);
    default:
        return sqrt(a * b);
    }
}

static void read_materials(const vsp_world *world, const vsp_contact *from,
                           contact_point *to)
{
    vsp_shape_def a, b;

    (void)vsp_shape_get(world, from->shape_a, &a);
    (void)vsp_shape_get(world, from->shape_b, &b);
    to->friction = combine(a.material.friction_rule, b.material.friction_rule,
                           vsp_to_double(a.material.friction),
                           vsp_to_double(b.material.friction));
    to->restitution = combine(a.material.restitution_rule,
                              b.material.restitution_rule,
                              vsp_to_double(a.material.restitution),
                              vsp_to_double(b.material.restitution));
}

void contact_problem_read_points(contact_problem *to, const vsp_world *world)
{
    uint32_t count = vsp_contact_count(world);

    to->point_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        vsp_contact from;
        contact_point point = {0};

        (void)vsp_contact_get(world, i, &from);
        point.a = to->index[body_slot(from.body_a)];
        point.b = to->index[body_slot(from.body_b)];
        point.normal = vec_unit(vec_from(from.normal));
        point.manifold = i;
        point.layer = from.layer;
        read_materials(world, &from, &point);
        for (uint32_t k = 0; k < from.point_count; k++) {
            point.point = vec_from(from.points[k].position);
            point.gap = vsp_to_double(from.points[k].separation);
            point.impulse = vsp_to_double(from.points[k].normal_impulse);
            to->points[to->point_count++] = point;
        }
    }
}


/* ---- Detection ----------------------------------------------------------- */

vsp_world_def contact_detector_def(const char *scene_name)
{
    scene_variant variant;
    const scene *which = scene_find(scene_name, &variant);
    vsp_world_def def = which ? scene_world_def(which)
                              : vsp_world_def_default();

    def.stepper = VSP_STEPPER_PGS;
    def.sweeps = 1;
    def.correction_sweeps = 1;
    def.enable_warm_start = false;
    def.enable_sleep = false;
    def.enable_continuous = false;
    return def;
}

static vsp_vec3 real_vector(vec3 v)
{
    vsp_vec3 out = {scene_real(v.x), scene_real(v.y), scene_real(v.z)};

    return out;
}

static void place_body(const contact_body *it, vsp_world *world)
{
    vsp_transform pose;
    vec3 axes[3];

    axes_of_turn(it->rotation, axes);
    pose.position = real_vector(
        vec_sub(it->center, turn_vector(axes, it->offset)));
    pose.rotation.x = scene_real(it->rotation[0]);
    pose.rotation.y = scene_real(it->rotation[1]);
    pose.rotation.z = scene_real(it->rotation[2]);
    pose.rotation.w = scene_real(it->rotation[3]);
    (void)vsp_body_set_transform(world, it->id, pose);
}

static void set_velocity(const contact_body *it, vsp_world *world,
                         vec3 velocity, vec3 spin)
{
    (void)vsp_body_set_velocity(world, it->id, real_vector(velocity),
                                real_vector(spin));
}

void contact_body_show(const contact_body *it, vsp_world *world)
{
    place_body(it, world);
    set_velocity(it, world, it->velocity, it->spin);
}

/* Makes a step in which nothing moves. */
static bool step_in_place(contact_problem *it, vsp_world *world)
{
    static uint32_t locks[VSP_MAX_BODIES];
    const vec3 zero = {0.0, 0.0, 0.0};
    vsp_status status;

    for (int i = 0; i < it->body_count; i++) {
        const contact_body *body = &it->bodies[i];

        locks[i] = vsp_body_locks(world, body->id);
        place_body(body, world);
        set_velocity(body, world, zero, zero);
        (void)vsp_body_set_locks(world, body->id, VSP_LOCK_ALL);
    }
    status = vsp_world_step(world);
    contact_problem_read_points(it, world);
    for (int i = 0; i < it->body_count; i++)
        (void)vsp_body_set_locks(world, it->bodies[i].id, locks[i]);
    return status >= 0;
}

bool contact_problem_detect(contact_problem *it, vsp_world *world)
{
    vsp_vec3 gravity = vsp_world_gravity(world);
    bool is_done;

    (void)vsp_world_set_gravity(world, real_vector(vec_make(0.0, 0.0, 0.0)));
    is_done = step_in_place(it, world);
    (void)vsp_world_set_gravity(world, gravity);
    for (int i = 0; i < it->body_count; i++)
        set_velocity(&it->bodies[i], world, it->bodies[i].velocity,
                     it->bodies[i].spin);
    if (!is_done)
        fprintf(stderr, "vsp: contacts could not be detected\n");
    return is_done;
}


/* ---- Motion -------------------------------------------------------------- */

void contact_body_move(contact_body *it, vec3 velocity, vec3 spin, double dt)
{
    double speed = vec_length(spin), half = 0.5 * speed * dt;
    double part = speed > 0.0 ? sin(half) / speed : 0.0;
    double x = spin.x * part, y = spin.y * part, z = spin.z * part;
    double w = cos(half);
    double *q = it->rotation, qx = q[0], qy = q[1], qz = q[2], qw = q[3];

    it->center = vec_mad(it->center, dt, velocity);
    q[0] = w * qx + x * qw + y * qz - z * qy;
    q[1] = w * qy - x * qz + y * qw + z * qx;
    q[2] = w * qz + x * qy - y * qx + z * qw;
    q[3] = w * qw - x * qx - y * qy - z * qz;
    normalize(q);
    turn_inertia(it);
}
