/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* In this order: lengths, casts of the capsule, making room, sliding, steps,
 * what it stands on, a move. */

#include "character.h"

#define SLIDES 4 /* planes along which one move may go on */
#define PUSHES 6 /* pushes out of other shapes in a move, at most */

static const vec3 up = {0, 1, 0};
static const vsp_hit nothing;

static vsp_vec3 show_vector(vec3 v)
{
    vsp_vec3 shown;

    shown.x = vsp_from_double(v.x);
    shown.y = vsp_from_double(v.y);
    shown.z = vsp_from_double(v.z);
    return shown;
}


/* ---- Lengths ------------------------------------------------------------- */

/* Newton's method, from above: ends when a step no longer goes down. */
static double root(double x)
{
    double now = x > 1 ? x : 1, next = 0.5 * (now + x / now);

    while (x > 0 && next < now) {
        now = next;
        next = 0.5 * (now + x / now);
    }
    return x > 0 ? now : 0;
}

static double length_of(vec3 v)
{
    return root(vec_dot(v, v));
}

static bool is_shorter(vec3 v, double length)
{
    return vec_dot(v, v) < length * length;
}

/* v is not zero */
static vec3 unit(vec3 v)
{
    return vec_scale(v, 1 / length_of(v));
}


/* ---- Casts --------------------------------------------------------------- */

/* Casts the capsule along way, and fills the hit.  Returns false when nothing
 * stops it. */
static bool cast_capsule(const character *it, vsp_world *world, vec3 way,
                         vsp_hit *hit)
{
    vsp_shape_def capsule = vsp_capsule(vsp_from_double(it->def.radius),
                                        vsp_from_double(it->def.half_height));
    vsp_transform pose;

    *hit = nothing;
    pose.position = show_vector(it->position);
    pose.rotation.x = pose.rotation.y = pose.rotation.z = VSP_R(0.0);
    pose.rotation.w = VSP_R(1.0);
    return vsp_shape_cast(world, &capsule, pose, show_vector(way),
                          &it->def.query, hit) == VSP_OK &&
           hit->shape.bits != 0;
}

/* Moves the capsule along a way until its skin touches something.  Returns the
 * part of the way that is left. */
static double move_capsule(character *it, vsp_world *world, vec3 way,
                           vsp_hit *hit)
{
    double length = length_of(way), free;

    hit->shape.bits = 0;
    if (length < 0.0002)
        return 0;
    if (!cast_capsule(it, world,
                      vec_scale(way, (length + it->def.skin) / length), hit)) {
        it->position = vec_add(it->position, way);
        return 0;
    }
    free = vsp_to_double(hit->distance) - it->def.skin;
    if (free < 0)
        free = 0;
    if (free > length)
        free = length;
    it->position = vec_mad(it->position, free / length, way);
    return 1 - free / length;
}

/* Whether the surface that was hit is not too steep to stand on. */
static bool is_flat(const character *it, vec3 normal)
{
    return normal.y >= it->def.slope;
}

/* The rim of a step has the normal of a wall, but the ground behind it is flat:
 * a ray down, a little beyond the point, finds that. */
static bool is_ground(const character *it, vsp_world *world, const vsp_hit *hit,
                      vec3 *normal)
{
    vec3 beyond = vec_from(hit->normal), from;
    vsp_hit below;

    *normal = beyond;
    if (is_flat(it, beyond))
        return true;
    beyond.y = 0;
    if (is_shorter(beyond, 1e-6))
        return false;
    from = vec_mad(vec_from(hit->point), -0.01, unit(beyond));
    from.y += 0.05;
    if (vsp_ray_cast(world, show_vector(from),
                     show_vector(vec_make(0, -0.08, 0)), &it->def.query,
                     &below) != VSP_OK ||
        below.shape.bits == 0 || below.fraction == 0)
        return false;
    *normal = vec_from(below.normal);
    return is_flat(it, *normal);
}


/* ---- Room ---------------------------------------------------------------- */

/* Pushes the capsule away from each shape that has come into its skin: tested
 * at both ends of the capsule and in its middle.  Returns whether it was
 * pushed. */
static bool push_out(character *it, vsp_world *world)
{
    const character_def *def = &it->def;
    bool is_pushed = false;

    for (int i = -1; i <= 1; i++) {
        vec3 at = vec_mad(it->position, i * def->half_height, up);
        vsp_hit hit;
        double gap;

        if (vsp_closest_point(world, show_vector(at),
                              vsp_from_double(def->radius + def->skin),
                              &def->query, &hit) != VSP_OK ||
            hit.shape.bits == 0)
            continue;
        gap = vsp_to_double(hit.distance) - def->radius;
        if (gap >= 0.5 * def->skin)
            continue;
        it->position = vec_mad(it->position, 0.75 * def->skin - gap,
                               vec_from(hit.normal));
        is_pushed = true;
    }
    return is_pushed;
}

static void make_room(character *it, vsp_world *world)
{
    for (int i = 0; i < PUSHES && push_out(it, world); i++)
        ;
}


/* ---- Sliding ------------------------------------------------------------- */

/* Removes the part of a way that goes into a plane.  If the rest goes into the
 * plane before, the way follows the line where both planes meet, or ends. */
static vec3 slide_along_plane(vec3 way, vec3 normal, const vec3 *before)
{
    double in = vec_dot(way, normal);
    vec3 line;

    if (in < 0)
        way = vec_mad(way, -in, normal);
    if (!before || vec_dot(way, *before) >= -1e-9)
        return way;
    line = vec_cross(normal, *before);
    if (is_shorter(line, 1e-3))
        return vec_make(0, 0, 0);
    line = unit(line);
    return vec_scale(line, vec_dot(way, line));
}

/* Goes along a way, and slides along each obstacle.  An obstacle also stops the
 * part of a fall that goes into it. is_walk: a slope too steep to stand on is a
 * wall. */
static void slide(character *it, vsp_world *world, vec3 way, bool is_walk)
{
    vec3 planes[SLIDES];

    for (int i = 0; i < SLIDES; i++) {
        vsp_hit hit;
        double left = move_capsule(it, world, way, &hit);
        vec3 normal = vec_from(hit.normal);

        if (hit.shape.bits == 0 || left <= 0)
            return;
        if (is_walk && !is_flat(it, normal)) {
            normal.y = 0;
            if (is_shorter(normal, 1e-6))
                return;
            normal = unit(normal);
        }
        planes[i] = normal;
        it->fall = slide_along_plane(it->fall, normal, NULL);
        way = slide_along_plane(vec_scale(way, left), normal,
                                i > 0 ? &planes[i - 1] : NULL);
    }
}


/* ---- The ground ---------------------------------------------------------- */

/* Goes down by at most that distance, and stands there if it meets ground.
 * Returns false, and does not move, if it does not. */
static bool land_on_ground(character *it, vsp_world *world, double most,
                           double ceiling)
{
    vec3 from = it->position, normal;
    vsp_hit hit;

    move_capsule(it, world, vec_make(0, -most, 0), &hit);
    if (hit.shape.bits == 0 || vsp_to_double(hit.point.y) > ceiling ||
        !is_ground(it, world, &hit, &normal)) {
        it->position = from;
        return false;
    }
    it->is_grounded = true;
    it->ground = hit.body;
    it->ground_normal = normal;
    it->fall = vec_make(0, 0, 0);
    return true;
}

/* Moves it along with the body it stands on. */
static void ride_ground(character *it, vsp_world *world, double dt)
{
    vsp_query query = it->def.query;
    vec3 arm, velocity;
    vsp_hit hit;

    if (!it->is_grounded || !vsp_body_is_valid(world, it->ground))
        return;
    arm = vec_sub(it->position, vec_from(vsp_body_center(world, it->ground)));
    velocity = vec_add(
        vec_from(vsp_body_velocity(world, it->ground)),
        vec_cross(vec_from(vsp_body_spin(world, it->ground)), arm));
    it->def.query.except = it->ground; /* which comes along */
    move_capsule(it, world, vec_scale(velocity, dt), &hit);
    it->def.query = query;
}

/* Goes up by a step, forward, and down again, so that it climbs all that is not
 * higher than a step.  If there is no ground there, it goes as if there were no
 * step. */
static void walk(character *it, vsp_world *world, vec3 way)
{
    double step = it->def.step_height, foot;
    vec3 from = it->position;
    vsp_hit hit;

    foot = from.y - it->def.half_height - it->def.radius;
    move_capsule(it, world, vec_make(0, step, 0), &hit);
    slide(it, world, way, true);
    if (land_on_ground(it, world, it->position.y - from.y + step,
                       foot + step + it->def.skin))
        return;
    it->position = from;
    slide(it, world, way, true);
}


/* ---- A move -------------------------------------------------------------- */

character_def character_def_default(void)
{
    character_def def;

    def.radius = 0.3;
    def.half_height = 0.6;
    def.skin = 0.02;
    def.step_height = 0.3;
    def.slope = 0.643;
    def.gravity = -9.81;
    def.query = vsp_query_default();
    return def;
}

void character_place(character *it, const character_def *def, vec3 position)
{
    static const character none;

    *it = none;
    it->def = *def;
    it->position = position;
    it->ground_normal = up;
}

void character_jump(character *it, double speed)
{
    if (!it->is_grounded)
        return;
    it->is_grounded = false;
    it->fall = vec_make(0, speed, 0);
}

void character_move(character *it, vsp_world *world, vec3 velocity, double dt)
{
    vec3 way = vec_make(velocity.x * dt, 0, velocity.z * dt);

    ride_ground(it, world, dt);
    make_room(it, world);
    if (it->is_grounded) {
        if (!is_shorter(way, 0.0002))
            walk(it, world, way);
        it->is_grounded = false;
        if (land_on_ground(it, world, it->def.step_height, 1e9))
            return;
        way = vec_make(0, 0, 0); /* it has gone there already */
    }
    it->fall.y += it->def.gravity * dt;
    way = vec_mad(way, dt, it->fall);
    if (way.y < 0 && land_on_ground(it, world, -way.y, 1e9))
        way.y = 0;
    slide(it, world, way, false);
}
