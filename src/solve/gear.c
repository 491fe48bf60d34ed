/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Gears and pulleys: their poses, the row of a rope.  Optional: VSP_GEARS.
 *
 * Teeth push where the pitch circles of two wheels touch, so the row of a GEAR
 * is one along a line, as others.  It acts on two bodies whatever holds these,
 * and the bearings get the reaction.  With u from axle to axle, n the axis and
 * t = n x u, the teeth slip by
 *
 *     -(r1 a1 + r2 a2)
 *
 * along t, where a1 is the angle of wheel 1 about n from u, a2 that of wheel 2
 * from -u, and r1 + r2 is the distance.  Divided by minus the pitch, the length
 * of a tooth, this is z1 a1 + z2 a2 over 2 pi, a number of teeth.  Its fraction
 * is what it was at the start, however often the wheels have turned: so nothing
 * counts turns, and no error adds up. */

#include "solve.h"

#if VSP_GEARS

/* Where the teeth of a gear meet. */
typedef struct gear_mesh {
    vsp__v3 out, tangent;   /* u and t, units */
    vsp__v3 apart;          /* from anchor a to anchor b, m */
    vsp__num radius, pitch; /* of a; of a tooth: m */
    vsp__num teeth;         /* slip, in teeth */
} gear_mesh;

/* Returns x less the nearest multiple of the pitch: -pitch / 2 to pitch / 2.
 * No step rounds, so the only error is that of the pitch.  0 for a pitch up to
 * 1e-5 m. */
static vsp__num within_pitch(vsp__num x, vsp__num pitch)
{
    vsp__num step = pitch, half = VSP__UNIT(0.5);

    if (!(pitch > VSP__REAL(1e-5)))
        return 0;
    while (step < u_mul(half, r_abs(x)))
        step = r_add(step, step);
    for (; step >= pitch; step = u_mul(half, step)) {
        while (r_abs(x) > u_mul(half, step) && x > 0)
            x = r_sub(x, step);
        while (r_abs(x) > u_mul(half, step) && x < 0)
            x = r_add(x, step);
    }
    return x;
}

/* Returns a number of teeth less whole ones: -1/2 to 1/2. */
static vsp__num part_of_tooth(vsp__num teeth)
{
    vsp__num half = r_signed(VSP__REAL(0.5), teeth < 0);

    return r_sub(teeth, r_from_int(r_to_int(r_add(teeth, half))));
}

/* Returns by how many of its teeth a wheel has turned: the angle of its y axis
 * about n, from u or, if is_back, from -u. */
static vsp__num turned_teeth(vsp__num teeth, const vsp__v3 *y, const vsp__v3 *u,
                             const vsp__v3 *t, bool is_back)
{
    vsp__num angle = vsp__angle_of(r_signed(u3_dot_at(y, t), is_back),
                                   r_signed(u3_dot_at(y, u), is_back));

    return r_mul(teeth, r_mul(VSP__REAL(0.15915494), angle));
}

/* Finds the direction from the axle to the other one or to a rack.  Returns the
 * distance. */
static vsp__num find_way_out(const vsp__joint *j, const vsp__mat3 axes[2],
                             gear_mesh *it)
{
    const vsp__v3 *n = &axes[0].axis[0], *x = &axes[1].axis[0];
    vsp__num length;

    it->out = it->apart;
    u3_move(&it->out, r_neg(u3_dot_at(n, &it->out)), n);
    if (j->high == 0)
        u3_move(&it->out, r_neg(u3_dot_at(x, &it->out)), x);
    length = v3_length_at(&it->out);
    if (length > 0)
        vsp__v3_normalize_by(&it->out, length);
    else
        it->out = v3_zero();
    u3_cross_to(n, &it->out, &it->tangent);
    return length;
}

/* Finds where a gear meshes, and by how much its teeth slip.  Returns the
 * distance of its axles. */
static vsp__num find_mesh(const vsp_world *world, const vsp__joint *j,
                          vsp__v3 arm[2], gear_mesh *it)
{
    const vsp__body *a = world->bodies + j->body[0];
    const vsp__body *b = world->bodies + j->body[1];
    const vsp__v3 *u = &it->out, *t = &it->tangent;
    vsp__unit_quat rotation[2];
    vsp__mat3 axes[2];
    vsp__num length, other;

    vsp__find_joint_frame(a, &j->frame[0], &rotation[0], &arm[0]);
    vsp__find_joint_frame(b, &j->frame[1], &rotation[1], &arm[1]);
    vsp__q_axes_flushed(&rotation[0], &axes[0]);
    vsp__q_axes_flushed(&rotation[1], &axes[1]);
    v3_sub_to(&b->position, &a->position, &it->apart);
    v3_add_in(&it->apart, &arm[1]);
    v3_sub_in(&it->apart, &arm[0]);
    length = find_way_out(j, axes, it);
    if (j->high == 0) {
        const vsp__v3 *x = &axes[1].axis[0];
        vsp__num along = r_signed(u3_dot_at(x, &it->apart),
                                  !(u3_dot_at(x, t) < 0));

        it->radius = j->break_angle;
        it->pitch = r_div(r_mul(VSP__REAL(6.2831853), it->radius), j->low);
        other = r_div(within_pitch(along, it->pitch), it->pitch);
    } else {
        it->radius = r_mul(length, r_div(j->low, r_add(j->low, j->high)));
        it->pitch = r_mul(length,
                          r_div(VSP__REAL(6.2831853), r_add(j->low, j->high)));
        other = turned_teeth(j->high, &axes[1].axis[1], u, t, true);
    }
    it->teeth = r_add(turned_teeth(j->low, &axes[0].axis[1], u, t, false),
                      other);
    return length;
}

bool vsp__mesh_gear(const vsp_world *world, vsp__joint *j)
{
    vsp__v3 arm[2];
    gear_mesh it;
    vsp__num length;

    if (j->type != VSP_JOINT_GEAR)
        return true;
    length = find_mesh(world, j, arm, &it);
    if (length < VSP__REAL(0.001) || length > VSP__REAL(500.0))
        return false;
    if (j->high == 0) {
        j->break_angle = length;
        (void)find_mesh(world, j, arm, &it);
    }
    j->bent = r_flush(part_of_tooth(it.teeth));
    if (j->bent < 0)
        j->bent = r_add(j->bent, VSP__REAL(1.0));
    if (!(j->bent < VSP__REAL(1.0)))
        j->bent = 0;
    return true;
}

static void find_teeth_pose(const vsp_world *world, const vsp__joint *j,
                            vsp__joint_pose *s)
{
    gear_mesh it;
    vsp__num slip;

    (void)find_mesh(world, j, s->arm, &it);
    slip = part_of_tooth(r_sub(it.teeth, j->bent));
    s->parted.x = r_neg(r_mul(it.pitch, slip));
    s->axes[0].axis[0] = it.tangent;
    v3_sub_in(&s->arm[1], &it.apart); /* to anchor a */
    u3_move(&s->arm[0], it.radius, &it.out);
    u3_move(&s->arm[1], it.radius, &it.out);
}


/* ---- Ropes ----------------------------------------------------------------
 * A PULLEY has three rows.  One lets the sum of both parts be no longer than
 * the rope.  It alone would let an end fly through its pulley, which makes no
 * part shorter, while the other end falls.  So each part has a row that lets it
 * be no longer than the whole rope. */

/* The scale of the rows: 1, or 1 / ratio of a ratio above 1. */
static vsp__num rope_scale(const vsp__joint *j)
{
    return j->ratio > VSP__REAL(1.0) ? r_div(VSP__REAL(1.0), j->ratio)
                                     : VSP__REAL(1.0);
}

/* Sets the length of part k of a rope, and its direction, a unit vector from
 * the pulley. */
static void set_rope_part(const vsp__joint *j, uint32_t k, vsp__num length,
                          const vsp__v3 *way, vsp__joint_pose *s)
{
    vsp__num part = rope_scale(j);

    if (k == 1)
        part = r_mul(part, j->ratio);
    v3_parts(&s->parted)[k] = length;
    s->axes[0].axis[1u - k] = *way;
    u3_scale_in(&s->axes[0].axis[1u - k], r_signed(u_of_real(part), k == 0));
    s->place = r_add(s->parted.x, r_mul(s->parted.y, j->ratio));
}

/* Finds the way from pulley k to the anchor. */
static void find_rope_part(const vsp_world *world, const vsp__joint *j,
                           uint32_t k, const vsp__v3 *arm, vsp__v3 *way)
{
    const vsp__frame *frame = &j->frame[k];
    vsp__v3 pulley = v3(frame->rotation.x, frame->rotation.y,
                        frame->rotation.z);

    v3_sub_to(&world->bodies[j->body[k]].position, &pulley, way);
    v3_add_in(way, arm);
}

static void find_rope_pose(const vsp_world *world, const vsp__joint *j,
                           vsp__joint_pose *s)
{
    uint32_t k;

    for (k = 0; k < 2; k++) {
        vsp__num length;
        vsp__v3 way;

        vsp__find_anchor_arm(world->bodies + j->body[k], &j->frame[k],
                             &s->arm[k]);
        find_rope_part(world, j, k, &s->arm[k], &way);
        length = v3_length_at(&way);
        if (!(length > 0))
            continue;
        vsp__v3_normalize_by(&way, length);
        set_rope_part(j, k, length, &way, s);
    }
}

void vsp__aim_rope(const vsp_world *world, const vsp__joint *j, vsp__num h,
                   vsp__joint_pose *s)
{
    vsp__num half = VSP__UNIT(0.5);
    uint32_t k;

    for (k = 0; k < 2; k++) {
        vsp__v3 way, next;
        vsp__num length, along;

        find_rope_part(world, j, k, &s->arm[k], &way);
        vsp__point_velocity_of(&vsp__solve_of(world)->velocity[j->body[k]],
                               &s->arm[k], &next);
        next = v3_way(&next, h, VSP__NEAREST);
        v3_add_in(&next, &way);
        length = v3_length_at(&next);
        if (!(length > 0))
            continue;
        vsp__v3_normalize_by(&next, length);
        along = u3_dot_at(&next, &way);
        if (!(along > u_mul(half, v3_length_at(&way))))
            set_rope_part(j, k, along, &next, s);
    }
}

void vsp__find_gear_pose(const vsp_world *world, const vsp__joint *j,
                         vsp__joint_pose *s)
{
    if (vsp__is_rope(j))
        find_rope_pose(world, j, s);
    else
        find_teeth_pose(world, j, s);
}

void vsp__show_rope_end(const vsp__joint *j, vsp__joint_pose *s)
{
    vsp__v3 up = v3(0, VSP__UNIT(1.0), 0);

    if (vsp__is_rope(j) && s->parted.y == 0)
        set_rope_part(j, 1, 0, &up, s);
}

/* Returns by how much ends that move can shorten a rope. */
static vsp__num find_give(const vsp_world *world, const vsp__joint *j,
                          const vsp__num length[2])
{
    vsp__num sum = 0;
    uint32_t k;

    for (k = 0; k < 2; k++)
        if (vsp__is_dynamic(world->bodies + j->body[k]))
            sum = r_add(sum, r_max(length[k], 0));
    return sum;
}

void vsp__find_rope_range(const vsp_world *world, const vsp__joint *j,
                          const vsp__joint_pose *s, uint32_t k, vsp__num *low,
                          vsp__num *high)
{
    vsp__num scale = rope_scale(j), length[2];

    length[0] = s->parted.x;
    length[1] = r_mul(s->parted.y, j->ratio);
    if (k == VSP__ROW_ROPE)
        *high = r_max(r_sub(j->high, s->place),
                      r_neg(find_give(world, j, length)));
    else
        *high = r_sub(j->high, length[k == VSP__ROW_ROPE_B]);
    *high = r_mul(scale, *high);
    *low = r_neg(VSP__FREE_WAY);
    if (k == VSP__ROW_ROPE && j->low > 0)
        *low = r_mul(scale, r_sub(j->low, s->place));
}

void vsp__set_rope_levers(const vsp__joint_pose *s, uint32_t k,
                          vsp__joint_row *row)
{
    uint32_t i;

    row->axis = v3_zero();
    row->share[0] = VSP__UNIT(-1.0);
    for (i = 0; i < 2; i++) {
        const vsp__v3 none = v3_zero();
        const vsp__v3 *n = vsp__pulls_rope_end(k, i) ? &s->axes[0].axis[1u - i]
                                                     : &none;

        row[1].lever[i] = v3(r_of_unit(n->x), r_of_unit(n->y), r_of_unit(n->z));
        u3_cross_to(s->arm + i, n, row->lever + i);
    }
}

bool vsp__set_rope_mass(const vsp_world *world, const vsp__span *span,
                        const uint16_t *body, vsp__joint_row *row)
{
    const vsp__inverse_mass *inverse[2];
    vsp__wide sum = VSP__W_ZERO;
    uint32_t i;

    for (i = 0; i < 2; i++) {
        const vsp__v3 *n = row[1].lever + i;
        vsp__wide ease = w_of_square(v3_product_at(n, n));

        inverse[i] = vsp__inverse_mass_in(world, span, body[i]);
        ease = w_add(ease,
                     vsp__inverse_inertia_along(inverse[i], row->lever + i));
        sum = w_add(sum, w_mul(inverse[i]->mass, ease));
    }
    if (!w_less(VSP__W_ZERO, sum))
        return false;
    row->mass = w_div(VSP__W_ONE, sum);
    for (i = 0; i < 2; i++) {
        vsp__wide part = w_mul(inverse[i]->mass, row->mass);
        vsp__sym3 inertia = inverse[i]->inertia;
        vsp__v3 *turn = row[1].turn + i;

        vsp__s3_scale_wide(&inertia, part);
        s3_mul_to(&inertia, row->lever + i, row->turn + i);
        *turn = v3_zero();
        v3_move(turn, w_to_real(part), row[1].lever + i);
    }
    row->share[1] = 0;
    row->multiplier = 0;
    row->most = VSP__REAL_MAX;
    row->yield = VSP__UNIT(1.0);
    return true;
}

#endif /* VSP_GEARS */
