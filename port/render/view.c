/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Cameras. */

#include "view.h"

static void point_view(view *it, vec3 forward)
{
    it->forward = vec_unit(forward);
    it->right = vec_unit(vec_cross(it->forward, vec_make(0.0, 1.0, 0.0)));
    it->up = vec_cross(it->right, it->forward);
}

static vec3 corner(const bounds *box, int which)
{
    return vec_make((which & 1) ? box->high.x : box->low.x,
                    (which & 2) ? box->high.y : box->low.y,
                    (which & 4) ? box->high.z : box->low.z);
}

/* Returns the distance from the target at which the camera shows all
 * corners. */
static double needed_distance(const view *it, const bounds *box, vec3 target,
                              double part)
{
    double x_slope = 0.5 * part * it->width / it->focal;
    double y_slope = 0.5 * part * it->height / it->focal;
    double distance = 0.0;

    for (int i = 0; i < 8; i++) {
        vec3 d = vec_sub(corner(box, i), target);
        double depth = vec_dot(d, it->forward);
        double x = fabs(vec_dot(d, it->right)) / x_slope;
        double y = fabs(vec_dot(d, it->up)) / y_slope;

        distance = fmax(distance, fmax(x, y) - depth);
    }
    return distance;
}

/* Returns the shift of the target that centres the box in the picture. */
static vec3 off_center(const view *it, const bounds *box, double distance)
{
    vec3 low = vec_make(1e30, 1e30, 0.0);
    vec3 high = vec_make(-1e30, -1e30, 0.0);
    double shift = 0.5 * distance / it->focal;

    for (int i = 0; i < 8; i++) {
        vec3 at = view_project(it, view_local(it, corner(box, i)));

        low = vec_min(low, at);
        high = vec_max(high, at);
    }
    return vec_mad(vec_scale(it->right, shift * (low.x + high.x - it->width)),
                   shift * (it->height - low.y - high.y), it->up);
}

view view_of_box(const bounds *box, vec3 forward, int width, int height,
                 double angle, double part)
{
    view it;
    vec3 target = vec_scale(vec_add(box->low, box->high), 0.5);

    it.width = width;
    it.height = height;
    it.focal = 0.5 * height / tan(0.5 * angle);
    point_view(&it, forward);
    for (int i = 0; i < 4; i++) {
        double distance = needed_distance(&it, box, target, part);

        it.eye = vec_mad(target, -distance, it.forward);
        target = vec_add(target, off_center(&it, box, distance));
    }
    return it;
}

vec3 view_local(const view *it, vec3 point)
{
    vec3 d = vec_sub(point, it->eye);

    return vec_make(vec_dot(d, it->right), vec_dot(d, it->up),
                    vec_dot(d, it->forward));
}

vec3 view_project(const view *it, vec3 local)
{
    double near = 1.0 / local.z;

    return vec_make(0.5 * it->width + it->focal * local.x * near,
                    0.5 * it->height - it->focal * local.y * near, near);
}

vec3 view_ray(const view *it, double x, double y)
{
    vec3 ray = vec_mad(it->forward, (x - 0.5 * it->width) / it->focal,
                       it->right);

    return vec_mad(ray, (0.5 * it->height - y) / it->focal, it->up);
}
