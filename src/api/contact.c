/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Contacts of the last step, and names of statuses. */

#include "api.h"

uint32_t vsp_contact_count(const vsp_world *world)
{
    return vsp__is_world(world)
               ? world->contacts[VSP__CONTACTS_SOLVED].manifold_count
               : 0;
}

/* Writes the vector t[0] k[0] + t[1] k[1]: unit vectors times impulses, N s. */
static void show_tangent_impulse(const vsp__v3 *t, const vsp__wide *k,
                                 vsp_vec3 *out)
{
    const vsp__num *x = &t[0].x, *y = &t[1].x;
    vsp_real *to = &out->x;
    uint32_t i;

    for (i = 0; i < 3; i++)
        to[i] = w_show(
            w_add(w_mul(w_of_unit(x[i]), k[0]), w_mul(w_of_unit(y[i]), k[1])));
}

/* Moves a contact point of a round shape to where the manifold's normal leaves
 * the surface at the present pose.  The point is stored in the axes of the
 * body, so it has rotated with a ball that rolled. */
static void follow_round_shape(const vsp_world *world, uint32_t slot,
                               const vsp__v3 *outward, vsp__v3 *point)
{
    const vsp__shape *shape = world->shapes + slot;
    vsp__num half = shape->type == VSP_SHAPE_SPHERE ? 0 : shape->size.y;
    vsp__aabb bounds;
    vsp__pose pose;
    vsp__v3 d;

    vsp__update_shape(world, slot, &pose, &bounds);
    vsp__v3_from_to(&pose.position, point, &d);
    half = r_clamp(vsp__flushed_dot(pose.axes.axis + 1, &d), r_neg(half), half);
    *point = pose.position;
    u3_move(point, half, pose.axes.axis + 1);
    u3_move(point, shape->size.x, outward);
}

#if VSP_TAPERS

/* follow_round_shape for a tapered capsule: a point of the surface at y along
 * the axis belongs to the point s of the axis where y - s is the radius there
 * times the cosine between normal and axis. */
static void follow_taper(const vsp_world *world, uint32_t slot,
                         const vsp__v3 *outward, vsp__v3 *point)
{
    const vsp__v3 *size = &world->shapes[slot].size;
    vsp__aabb bounds;
    vsp__num c, s;
    vsp__pose pose;
    vsp__v3 d, n;

    vsp__update_shape(world, slot, &pose, &bounds);
    vsp__v3_from_to(&pose.position, point, &d);
    c = vsp__flushed_dot(pose.axes.axis + 1, outward);
    vsp__taper_side(size, &n);
    s = r_sub(vsp__flushed_dot(pose.axes.axis + 1, &d),
              u_mul(u_mul(VSP__UNIT(0.5), c), r_add(size->x, size->z)));
    s = u_div(r_flush(s), VSP__UNIT(1.0) - u_mul(n.y, c));
    s = r_clamp(s, r_neg(size->y), size->y);
    *point = pose.position;
    u3_move(point, s, pose.axes.axis + 1);
    u3_move(point, vsp__taper_radius(size, s), outward);
}

#else

#define follow_taper(world, slot, outward, point) (void)0

#endif

/* Computes the present position of point i of a manifold on body k. */
static void find_contact_point(const vsp_world *world, const vsp__manifold *m,
                               uint32_t i, uint32_t k, vsp__v3 *point)
{
    const vsp__manifold_point *from = world->points + m->first_point + i;
    const vsp__body *b = world->bodies + m->body[k];
    vsp__v3 outward = m->normal;

    vsp__q_rotate(&b->rotation, from->arm + k, point);
    v3_add_in(point, &b->position);
    v3_flip_in(&outward, k == 1);
    if (vsp__is_round(world->shapes + m->shape[k]))
        follow_round_shape(world, m->shape[k], &outward, point);
    else if (vsp__is_taper(world->shapes + m->shape[k]))
        follow_taper(world, m->shape[k], &outward, point);
}

/* Writes point i of a manifold; its position is the middle of the points on
 * both bodies. */
static void show_contact_point(const vsp_world *world, const vsp__manifold *m,
                               uint32_t i, vsp_contact_point *to)
{
    const vsp__wide *impulse =
        world->points[m->first_point + i].multiplier.impulse;
    vsp__v3 t[2], d, position = v3_zero();
    uint32_t k;

    for (k = 0; k < 2; k++) {
        find_contact_point(world, m, i, k, &t[k]);
        u3_move(&position, VSP__UNIT(0.5), &t[k]);
    }
    vsp__v3_from_to(&t[0], &t[1], &d);
    vsp__make_tangents(&m->normal, &t[0], &t[1]);
    to->position = v3_show(position);
    to->separation = r_show(vsp__flushed_dot(&m->normal, &d));
    to->normal_impulse = w_show(impulse[0]);
    show_tangent_impulse(t, &impulse[1], &to->friction_impulse);
    to->feature = m->feature[i];
}

vsp_status vsp_contact_get(const vsp_world *world, uint32_t index,
                           vsp_contact *contact)
{
    const vsp__manifold *m;
    uint32_t i;

    if (contact == NULL || index >= vsp_contact_count(world))
        return VSP_ERR_ARG;
    m = world->manifolds + index;
    contact->shape_a.bits = vsp__shape_id_at(world, m->shape[0]);
    contact->shape_b.bits = vsp__shape_id_at(world, m->shape[1]);
    contact->body_a.bits = vsp__body_id_at(world, m->body[0]);
    contact->body_b.bits = vsp__body_id_at(world, m->body[1]);
    contact->normal = u3_show(m->normal);
    contact->layer = m->layer;
    contact->material = vsp__material_of(m);
    contact->point_count = m->point_count;
    for (i = 0; i < m->point_count; i++)
        show_contact_point(world, m, i, contact->points + i);
    return VSP_OK;
}

#if VSP_SUPPORTS

/* Searches at the first call after a step.  As queries use the same memory, the
 * world counts as changed for them. */
static const vsp__supported *supported_after_step(vsp_world *world)
{
    vsp__supported *found = vsp__supported_of(world);

    if (found->changes != world->changes) {
        vsp__find_supported(world, false);
        found->changes = ++world->changes;
    }
    return found;
}

bool vsp_body_is_supported(vsp_world *world, vsp_body_id id)
{
    const vsp__body *b = vsp__get_body(world, id);

    return b != NULL && vsp__is_awake(b) && vsp_contact_count(world) > 0 &&
           (supported_after_step(world)->body[vsp__slot_of_id(id.bits)] &
            VSP__IS_SUPPORTED) != 0;
}

#endif /* VSP_SUPPORTS */

const char *vsp_status_name(vsp_status status)
{
    switch (status) {
    case VSP_OK:
        return "VSP_OK";
    case VSP_DEGRADED:
        return "VSP_DEGRADED";
    case VSP_DIVERGED:
        return "VSP_DIVERGED";
    case VSP_END:
        return "VSP_END";
    case VSP_WAIT:
        return "VSP_WAIT";
    case VSP_ERR_ARG:
        return "VSP_ERR_ARG";
    case VSP_ERR_ID:
        return "VSP_ERR_ID";
    case VSP_ERR_FULL:
        return "VSP_ERR_FULL";
    case VSP_ERR_MEMORY:
        return "VSP_ERR_MEMORY";
    case VSP_ERR_ABI:
        return "VSP_ERR_ABI";
    case VSP_ERR_DATA:
        return "VSP_ERR_DATA";
    case VSP_ERR_TRUNCATED:
        return "VSP_ERR_TRUNCATED";
    case VSP_ERR_VERSION:
        return "VSP_ERR_VERSION";
    case VSP_ERR_CHECKSUM:
        return "VSP_ERR_CHECKSUM";
    case VSP_ERR_TABLE:
        return "VSP_ERR_TABLE";
    case VSP_ERR_OVERLAP:
        return "VSP_ERR_OVERLAP";
    }
    return "unknown status";
}
