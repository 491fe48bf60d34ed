/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* How the capsule of a character moves along a path (VSP_CHARACTER).  In this
 * order: casts; ground; pushes; clearance; planes; slides. */

#include "walker.h"

#if VSP_CHARACTER

/* m: shorter displacements count as 0 */
#define LEAST_WAY VSP__REAL(0.00002)

/* m: a gap below LEAST_GAP is widened to the clearance ROOM.  A cast leaves a
 * larger gap than LEAST_GAP, at least half of VSP__TOUCH_DISTANCE, so a capsule
 * that was cast needs no push. */
#define LEAST_GAP VSP__REAL(0.0002)
#define ROOM VSP__REAL(0.0005)

#define MAX_ROOMS 8 /* pushes out of other shapes in a move */
#define MAX_SLIDES 4


/* ---- Casts --------------------------------------------------------------- */

void vsp__lift_walker(vsp__walker *w, vsp__num lift)
{
    vsp__num half = u_mul(VSP__UNIT(0.5), lift);

    w->lift = lift;
    w->capsule.size.y = r_show(r_max(r_sub(w->half_height, half), 0));
}

/* Writes the walker's position into the pose of the capsule. */
static void place_capsule(vsp__walker *w)
{
    vsp__v3 at = w->at;

    u3_move(&at, u_mul(VSP__UNIT(0.5), w->lift), &w->up);
    vsp__clamp_each(&at.x, 3, r_read(VSP_MAX_POSITION));
    w->pose.position = v3_show(at);
}

/* Fills what the queries of a walker leave out: its carrier, and the body with
 * this id. */
static void look_as_walker(const vsp__walker *w, uint32_t body,
                           vsp__query_walker *look)
{
    look->bodies[0] = w->carrier;
    look->bodies[1] = body;
    if (!VSP_PAIR_RULES)
        return;
    look->radius = w->radius;
    look->foot = w->at;
    u3_move(&look->foot, r_neg(w->half_height), &w->up);
}

static bool cast_once(vsp__walker *w, const vsp__v3 *way, uint32_t body,
                      vsp_hit *hit)
{
    vsp__query_walker look;

    look_as_walker(w, body, &look);
    return vsp__cast_solid(w->world, &w->capsule, w->pose, v3_show(*way),
                           &w->query, &look, hit) == VSP_OK &&
           hit->shape.bits != 0;
}

/* Casts the capsule by a length, m, along a unit vector.  A shape that it
 * overlaps at the start does not hold it: the hit has the normal of the nearest
 * surface, and does not count if the cast leads out of the shape. */
static bool cast_capsule(vsp__walker *w, const vsp__v3 *direction,
                         vsp__num length, vsp_hit *hit)
{
    vsp__query_walker look;
    vsp__v3 way = *direction, out;
    vsp_hit near;

    place_capsule(w);
    u3_scale_in(&way, length);
    if (!cast_once(w, &way, 0, hit))
        return false;
    look_as_walker(w, 0, &look);
    if (hit->distance > 0 ||
        !vsp__find_nearest(w->world, &w->capsule, w->pose, LEAST_GAP, &w->query,
                           &look, &near) ||
        r_read(near.distance) > w->radius)
        return true;
    out = v3(u_read(near.normal.x), u_read(near.normal.y),
             u_read(near.normal.z));
    if (vsp__flushed_dot(&out, direction) >= 0)
        return cast_once(w, &way, near.body.bits, hit);
    *hit = near;
    hit->distance = 0;
    return true;
}

bool vsp__cast_upright(vsp__walker *w, vsp__num way, vsp_hit *hit)
{
    vsp__v3 direction = v3_signed(w->up, way < 0);

    return cast_capsule(w, &direction, r_abs(way), hit);
}

/* Moves by *way until a skin before an obstacle; *way keeps the rest.  Returns
 * whether there is an obstacle. */
static bool go_to_obstacle(vsp__walker *w, vsp__v3 *way, vsp_hit *hit)
{
    vsp__num length = v3_length_at(way), free;
    vsp__v3 direction = *way;

    if (length < LEAST_WAY)
        return false;
    vsp__v3_normalize_flushed(&direction);
    if (!cast_capsule(w, &direction, r_add(length, w->skin), hit)) {
        v3_add_in(&w->at, way);
        return false;
    }
    free = r_clamp(r_sub(r_read(hit->distance), w->skin), 0, length);
    u3_move(&w->at, free, &direction);
    *way = direction;
    u3_scale_in(way, r_sub(length, free));
    return true;
}


/* ---- Ground -------------------------------------------------------------- */

static vsp__v3 normal_of(const vsp_hit *hit)
{
    return v3(u_read(hit->normal.x), u_read(hit->normal.y),
              u_read(hit->normal.z));
}

static VSP__CALLED bool is_flat(const vsp__walker *w, const vsp__v3 *normal)
{
    return vsp__flushed_dot(normal, &w->up) >= w->slope;
}

/* Removes the component of a vector along up. */
static void make_level(const vsp__walker *w, vsp__v3 *v)
{
    u3_move(v, r_neg(vsp__flushed_dot(v, &w->up)), &w->up);
    v3_flush_in(v);
}

bool vsp__is_ground(vsp__walker *w, const vsp_hit *hit, vsp__v3 *normal)
{
    vsp__v3 inward, from = v3_read(hit->point), down;
    vsp_hit below;

    *normal = normal_of(hit);
    if (is_flat(w, normal))
        return true;
    if (vsp__flushed_dot(normal, &w->up) < 0)
        return false;
    v3_neg_to(normal, &inward);
    make_level(w, &inward);
    if (v3_size_at(&inward) < VSP__UNIT(0.001))
        return false;
    vsp__v3_normalize_flushed(&inward);
    u3_move(&from, VSP__REAL(0.01), &inward);
    u3_move(&from, VSP__REAL(0.05), &w->up);
    vsp__clamp_each(&from.x, 3, r_read(VSP_MAX_POSITION));
    down = w->up;
    u3_scale_in(&down, VSP__REAL(-0.08));
    if (vsp_ray_cast(w->world, v3_show(from), v3_show(down), &w->query,
                     &below) != VSP_OK ||
        below.shape.bits == 0 || below.distance == 0)
        return false;
    *normal = normal_of(&below);
    return is_flat(w, normal);
}

void vsp__land_walker(vsp__walker *w, const vsp_hit *hit, const vsp__v3 *normal)
{
    w->is_grounded = 1;
    w->ground = hit->body;
    w->ground_normal = *normal;
}


/* ---- Pushes -------------------------------------------------------------- */

/* Returns the speed at which the walker approaches a body, against a normal. */
static vsp__num closing_speed(const vsp__v3 *speed, const vsp__body *b,
                              const vsp__v3 *normal)
{
    vsp__v3 along;

    v3_sub_to(&b->velocity, speed, &along);
    return vsp__flushed_dot(&along, normal);
}

static bool has_pushed(const vsp__walker *w, vsp_body_id body)
{
    uint32_t i;

    for (i = 0; i < w->push_count; i++)
        if (w->pushes[i].body.bits == body.bits)
            return true;
    return false;
}

/* Stores a push on a dynamic body, at most one a body in a move.  The push is
 * level, so that it neither lifts the body nor presses it down. */
static void push_body(vsp__walker *w, const vsp_hit *hit, const vsp__v3 *speed,
                      const vsp__v3 *normal)
{
    const vsp__body *b = vsp__get_body(w->world, hit->body);
    vsp_character_push *push = w->pushes + w->push_count;
    vsp__num closing;
    vsp__wide impulse;

    if (b == NULL || !vsp__is_dynamic(b) || has_pushed(w, hit->body) ||
        w->push_count == VSP_CHARACTER_PUSHES)
        return;
    closing = closing_speed(speed, b, normal);
    if (closing <= 0)
        return;
    impulse = w_mul(b->mass_data.mass, w_of_rate(closing));
    if (w_less(w->push_most, impulse))
        impulse = w->push_most;
    impulse = w_neg(impulse);
    push->body = hit->body;
    push->point = hit->point;
    push->impulse.x = w_show(w_flush(w_mul(impulse, w_of_unit(normal->x))));
    push->impulse.y = w_show(w_flush(w_mul(impulse, w_of_unit(normal->y))));
    push->impulse.z = w_show(w_flush(w_mul(impulse, w_of_unit(normal->z))));
    w->push_count++;
}


/* ---- Clearance ----------------------------------------------------------- */

/* Moves the walker away from the nearest shape, if that is too near.  Returns
 * whether it moved. */
static bool step_aside(vsp__walker *w)
{
    vsp__query_walker look;
    vsp__v3 normal;
    vsp_hit near;
    vsp__num gap;

    place_capsule(w);
    look_as_walker(w, 0, &look);
    if (!vsp__find_nearest(w->world, &w->capsule, w->pose, LEAST_GAP, &w->query,
                           &look, &near))
        return false;
    gap = r_sub(r_read(near.distance), w->radius);
    if (gap >= LEAST_GAP)
        return false;
    normal = normal_of(&near);
    u3_move(&w->at, r_sub(ROOM, gap), &normal);
    return true;
}

bool vsp__make_room(vsp__walker *w)
{
    vsp__v3 from = w->at;
    uint32_t i;

    for (i = 0; i < MAX_ROOMS; i++)
        if (!step_aside(w))
            return true;
    w->at = from;
    return false;
}


/* ---- Planes --------------------------------------------------------------
 * The planes that a move has hit so far.  It continues along the newest plane
 * along which it enters no other plane, or else along the line of two. */

typedef struct slide_planes {
    vsp__v3 normals[MAX_SLIDES];
    bool is_ramp[MAX_SLIDES]; /* moves rise along it, and are not slowed */
    uint32_t count;
} slide_planes;

/* A displacement or velocity whose component into a plane is smaller counts as
 * parallel to the plane. */
#define LEAST_ENTRY VSP__REAL(0.00001)

static bool goes_into_any(const slide_planes *p, const vsp__v3 *way)
{
    uint32_t i;

    for (i = 0; i < p->count; i++)
        if (vsp__flushed_dot(p->normals + i, way) < -LEAST_ENTRY)
            return true;
    return false;
}

static void turn_along_plane(const slide_planes *p, uint32_t i,
                             const vsp__v3 *up, vsp__v3 *way)
{
    const vsp__v3 *n = p->normals + i;
    vsp__num in = vsp__flushed_dot(n, way);

    if (in >= 0)
        return;
    if (p->is_ramp[i])
        u3_move(way, r_neg(u_div(in, u3_dot_at(n, up))), up);
    else
        u3_move(way, r_neg(in), n);
}

/* Projects a displacement onto the line where two planes meet.  Returns false
 * when the planes are nearly parallel. */
static bool turn_along_line(const vsp__v3 *a, const vsp__v3 *b, vsp__v3 *way)
{
    vsp__v3 line;
    vsp__num along;

    u3_cross_to(a, b, &line);
    v3_flush_in(&line);
    if (v3_size_at(&line) < VSP__UNIT(0.01))
        return false;
    vsp__v3_normalize_flushed(&line);
    along = vsp__flushed_dot(&line, way);
    *way = line;
    u3_scale_in(way, along);
    return true;
}

static void turn_along_planes(const slide_planes *p, const vsp__v3 *up,
                              vsp__v3 *way)
{
    vsp__v3 along;
    uint32_t i, k;

    if (!goes_into_any(p, way))
        return;
    for (i = p->count; i-- > 0;) {
        along = *way;
        turn_along_plane(p, i, up, &along);
        if (!goes_into_any(p, &along)) {
            *way = along;
            return;
        }
    }
    for (i = 1; i < p->count; i++)
        for (k = 0; k < i; k++) {
            along = *way;
            if (turn_along_line(p->normals + i, p->normals + k, &along) &&
                !goes_into_any(p, &along)) {
                *way = along;
                return;
            }
        }
    *way = v3_zero();
}


/* ---- Slides -------------------------------------------------------------- */

/* Adds the plane of a hit.  Returns false if a walk must end there, at a
 * ceiling. */
static bool add_plane(const vsp__walker *w, slide_planes *p,
                      const vsp__v3 *of_hit, vsp__slide_kind kind)
{
    vsp__v3 *normal = &p->normals[p->count];
    bool is_walk = kind == VSP__SLIDE_WALK;
    bool is_ramp = is_walk && is_flat(w, of_hit);

    *normal = *of_hit;
    p->is_ramp[p->count] = is_ramp;
    if (is_walk && !is_ramp) {
        make_level(w, normal);
        if (v3_size_at(normal) < VSP__UNIT(0.001))
            return false;
        vsp__v3_normalize_flushed(normal);
    }
    p->count++;
    return true;
}

/* Lands a falling walker if it has hit ground.  Returns whether it has. */
static bool lands_on(vsp__walker *w, const vsp__v3 *way, const vsp_hit *hit)
{
    vsp__v3 normal;

    if (vsp__flushed_dot(way, &w->up) >= 0 || !vsp__is_ground(w, hit, &normal))
        return false;
    vsp__land_walker(w, hit, &normal);
    return true;
}

/* Handles a hit of a slide: landing, pushes, and the plane.  Returns false if
 * the slide ends. */
static bool meet_obstacle(vsp__walker *w, const vsp_hit *hit,
                          const vsp__v3 *way, slide_planes *p,
                          vsp__slide_kind kind)
{
    vsp__v3 normal = normal_of(hit), across;

    if (kind == VSP__SLIDE_FALL && lands_on(w, way, hit))
        return false;
    across = normal;
    make_level(w, &across);
    if (kind == VSP__SLIDE_WALK && !is_flat(w, &normal) &&
        v3_size_at(&across) > VSP__UNIT(0.1)) {
        vsp__v3_normalize_flushed(&across);
        push_body(w, hit, &w->wish, &across);
    }
    return add_plane(w, p, &normal, kind);
}

bool vsp__slide_walker(vsp__walker *w, vsp__v3 way, vsp__slide_kind kind)
{
    vsp__v3 first = way;
    slide_planes planes;
    vsp_hit hit;
    uint32_t i;

    planes.count = 0;
    for (i = 0; i < MAX_SLIDES; i++) {
        if (!go_to_obstacle(w, &way, &hit))
            return kind == VSP__SLIDE_RIDE && i > 0;
        if (!meet_obstacle(w, &hit, &way, &planes, kind))
            return true;
        turn_along_planes(&planes, &w->up, &way);
        if (kind == VSP__SLIDE_FALL)
            turn_along_planes(&planes, &w->up, &w->velocity);
        if (v3_size_at(&way) < LEAST_WAY || v3_product_at(&way, &first) <= 0)
            return true;
    }
    return true;
}

#endif /* VSP_CHARACTER */
