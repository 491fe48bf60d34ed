/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Wheels with teeth and spokes, drawn where gears are.  A gear is a joint, and
 * the shapes of its bodies may be anything: those of scenes are boxes, which
 * the wheels hide. */

#include "../scenes/builder.h"
#include "../vec.h"
#include "page.h"

#define SPOKES 5
#define METAL 0xd2a24cu
#define GAP 0x7d6238u /* between spokes */
#define RIM 0.75      /* where the spokes end, as a part of the radius */

typedef struct wheel {
    vec3 center;
    vec3 axle, y, z; /* unit vectors that turn with the body */
    double radius;   /* m, of the pitch circle */
    int teeth;
} wheel;

static vec3 turned(vsp_quat a, double x, double y, double z)
{
    return vec_from(vsp_quat_rotate(a, page_vec(x, y, z)));
}

static wheel find_wheel(vsp_body_id body, vsp_transform frame, int teeth)
{
    vsp_transform at = vsp_transform_mul(
        vsp_body_transform(page_run.world, body), frame);
    wheel w;

    w.center = vec_from(at.position);
    w.axle = turned(at.rotation, 1.0, 0.0, 0.0);
    w.y = turned(at.rotation, 0.0, 1.0, 0.0);
    w.z = turned(at.rotation, 0.0, 0.0, 1.0);
    w.radius = 0.0;
    w.teeth = teeth;
    return w;
}

/* Returns a point at an angle, in quarters of a tooth and the gap beside it. */
static vsp_vec3 wheel_point(const wheel *w, int quarter, double radius,
                            double along)
{
    double angle = 2.0 * PI * (quarter - 0.5) / (4.0 * w->teeth);
    vec3 at = vec_mad(w->center, along, w->axle);

    at = vec_mad(at, radius * cosine(angle), w->y);
    at = vec_mad(at, radius * sine(angle), w->z);
    return page_vec(at.x, at.y, at.z);
}

/* Draws one face of a tooth, and of the wheel between it and the axle: the
 * front if along, from the middle of the wheel along the axle (m), is above 0.
 */
static void draw_face(const vsp_draw *draw, const wheel *w, int tooth,
                      const vsp_vec3 edge[5], double along)
{
    bool is_spoke = tooth * SPOKES % w->teeth < SPOKES;
    bool is_front = along > 0.0;
    int from = 4 * tooth, to = from + 4;
    vsp_vec3 axle = wheel_point(w, from, 0.0, along);
    vsp_vec3 a = wheel_point(w, is_front ? from : to, RIM * w->radius, along);
    vsp_vec3 b = wheel_point(w, is_front ? to : from, RIM * w->radius, along);

    draw->triangle(draw->user, axle, a, b, is_spoke ? METAL : GAP);
    draw->triangle(draw->user, a, edge[is_front ? 4 : 0], b, METAL);
    for (int i = 0; i < 4; i++)
        draw->triangle(draw->user, a, edge[is_front ? i : 4 - i],
                       edge[is_front ? i + 1 : 3 - i], METAL);
}

static void draw_tooth(const vsp_draw *draw, const wheel *w, int tooth)
{
    const double thick = 0.22 * w->radius, depth = w->radius / w->teeth;
    vsp_vec3 front[5], back[5];

    for (int i = 0; i < 5; i++) {
        double radius = w->radius + (i % 4 < 2 ? depth : -depth);

        front[i] = wheel_point(w, 4 * tooth + i, radius, thick);
        back[i] = wheel_point(w, 4 * tooth + i, radius, -thick);
    }
    draw_face(draw, w, tooth, front, thick);
    draw_face(draw, w, tooth, back, -thick);
    for (int i = 0; i < 4; i++) {
        draw->triangle(draw->user, front[i], back[i], back[i + 1], METAL);
        draw->triangle(draw->user, front[i], back[i + 1], front[i + 1], METAL);
    }
}

/* Draws a wheel whose axle is in the middle of the body. */
static void draw_wheel(const vsp_draw *draw, const wheel *w, vsp_body_id body)
{
    vec3 off = vec_sub(vec_from(vsp_body_center(page_run.world, body)),
                       w->center);

    if (vec_dot(off, off) > 0.01 * w->radius * w->radius)
        return;
    for (int i = 0; i < w->teeth; i++)
        draw_tooth(draw, w, i);
}

/* Teeth share out the distance between axles; all of that to a rack, which has
 * 0 teeth, is the first wheel's.  Rings around a wheel are not drawn. */
static void draw_gear(const vsp_draw *draw, const vsp_joint_def *def)
{
    wheel a = find_wheel(def->body_a, def->frame_a, def->teeth_a);
    wheel b = find_wheel(def->body_b, def->frame_b, def->teeth_b);
    vec3 across = vec_cross(vec_sub(b.center, a.center), b.axle);
    double distance = __builtin_sqrt(vec_dot(across, across));

    if (def->teeth_b < 0)
        return;
    a.radius = distance * a.teeth / (a.teeth + b.teeth);
    b.radius = distance - a.radius;
    draw_wheel(draw, &a, def->body_a);
    draw_wheel(draw, &b, def->body_b);
}

void page_draw_gears(const vsp_draw *draw)
{
    for (uint32_t slot = 0; slot < VSP_MAX_JOINTS; slot++) {
        vsp_joint_id id = vsp_joint_at(page_run.world, slot);
        vsp_joint_def def;

        if (vsp_joint_get(page_run.world, id, &def) == VSP_OK &&
            def.type == VSP_JOINT_GEAR)
            draw_gear(draw, &def);
    }
}
