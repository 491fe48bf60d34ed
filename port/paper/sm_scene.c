/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* In this order: bodies, rows, contacts, hinges, the problem, impulses of the
 * engine, steps. */

#include "sm_scene.h"

#include <stdio.h>
#include <string.h>

#include "port/measure/solid.h"

#define CORRECTED 0.2 /* part of an error that a step removes */
#define TOUCHING 1e-4 /* m or rad: smaller gaps and overlaps count as 0 */

const sm_case sm_cases[SM_CASES] = {
    {"snake", "(a) arched snake", SM_JOINTS},
    {"snake-heavy", "(b) heavy box on arched snake", SM_JOINTS},
    {"stack", "(c) large stack of boxes", SM_LARGER},
    {"heavy-on-small", "(d) heavy box on light boxes", SM_SMALL},
    {"incline", "(e) boxes on inclined surface", SM_SMALL},
    {"gears:3", "(f) small pyramid of gears", SM_SMALL},
    {"gears:6", "(g) medium pyramid of gears", SM_LARGER},
    {"leaning", "(h) friction dependent structure", SM_LARGER},
};


/* ---- Bodies -------------------------------------------------------------- */

/* Cholesky's factor of the inverse inertia. */
static void find_root(sm_body *body)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++) {
            double sum = body->inverse[i][k];

            for (int j = 0; j < k; j++)
                sum -= body->root_inverse[i][j] * body->root_inverse[k][j];
            if (i == k)
                body->root_inverse[i][k] = sqrt(fmax(0, sum));
            else if (body->root_inverse[k][k] > 0)
                body->root_inverse[i][k] = sum / body->root_inverse[k][k];
        }
}

static void fill_body(const contact_body *from, vec3 gravity, double dt,
                      sm_body *to)
{
    const tensor *t = &from->inverse_inertia;
    const double inverse[3][3] = {
        {t->xx, t->xy, t->xz}, {t->xy, t->yy, t->yz}, {t->xz, t->yz, t->zz}};
    vec3 v = from->velocity;

    if (from->inverse_mass > 0)
        v = vec_mad(v, dt, gravity);
    memset(to, 0, sizeof *to);
    to->velocity[0] = v.x;
    to->velocity[1] = v.y;
    to->velocity[2] = v.z;
    to->velocity[3] = from->spin.x;
    to->velocity[4] = from->spin.y;
    to->velocity[5] = from->spin.z;
    to->inverse_mass = from->inverse_mass;
    memcpy(to->inverse, inverse, sizeof inverse);
    find_root(to);
}


/* ---- Rows ---------------------------------------------------------------- */

static void set_side(sm_row *row, int side, vec3 linear, vec3 angular)
{
    const double j[6] = {linear.x,  linear.y,  linear.z,
                         angular.x, angular.y, angular.z};

    memcpy(row->jacobian[side], j, sizeof j);
}

/* M^-1 J^T, and the row's part of the diagonal */
static void set_moved(const sm_problem *problem, sm_row *row)
{
    for (int side = 0; side < 2; side++) {
        const double *j = row->jacobian[side];
        const sm_body *body;

        if (row->body[side] < 0)
            continue;
        body = &problem->bodies[row->body[side]];
        for (int k = 0; k < 3; k++) {
            row->moved[side][k] = body->inverse_mass * j[k];
            for (int i = 0; i < 3; i++)
                row->moved[side][3 + k] += body->inverse[k][i] * j[3 + i];
        }
        for (int k = 0; k < 6; k++)
            row->diagonal += j[k] * row->moved[side][k];
    }
}

/* Adds a row, of which b gets +linear and +angular, a the opposite.  Returns
 * null if there is no place. */
static sm_row *add_row(sm_problem *to, const int body[2], vec3 direction,
                       const vec3 angular[2])
{
    sm_row *row = &to->rows[to->row_count];

    if (to->row_count == SM_MAX_ROWS)
        return NULL;
    memset(row, 0, sizeof *row);
    row->body[0] = body[0];
    row->body[1] = body[1];
    row->normal = -1;
    set_side(row, 0, vec_scale(direction, -1), vec_scale(angular[0], -1));
    set_side(row, 1, direction, angular[1]);
    set_moved(to, row);
    if (row->diagonal > 0) /* else nothing can move along it */
        to->row_count++;
    return row;
}

/* The bias of a distance that must not become negative. */
static double bias_of(double distance, double dt)
{
    if (fabs(distance) < TOUCHING)
        return 0;
    return (distance > 0 ? distance : CORRECTED * distance) / dt;
}


/* ---- Contacts ------------------------------------------------------------ */

/* The normal and two tangents. */
static void find_ways(vec3 normal, vec3 way[3])
{
    vec3 other = fabs(normal.x) < 0.6 ? vec_make(1, 0, 0) : vec_make(0, 1, 0);

    way[0] = normal;
    way[1] = vec_unit(vec_cross(normal, other));
    way[2] = vec_cross(way[0], way[1]);
}

static vec3 arm_of(const sm_scene *it, int body, vec3 point)
{
    return body < 0 ? vec_make(0, 0, 0)
                    : vec_sub(point, it->contacts.bodies[body].center);
}

static bool add_point(const sm_scene *it, const contact_point *from,
                      sm_problem *to)
{
    const int body[2] = {from->a, from->b};
    vec3 arm[2] = {arm_of(it, from->a, from->point),
                   arm_of(it, from->b, from->point)};
    vec3 way[3];
    int first = to->row_count;

    find_ways(from->normal, way);
    for (int k = 0; k < 3; k++) {
        const vec3 turn[2] = {vec_cross(arm[0], way[k]),
                              vec_cross(arm[1], way[k])};
        sm_row *row = add_row(to, body, way[k], turn);

        if (!row)
            return false;
        row->friction = from->friction;
        if (k > 0)
            row->normal = first;
        else
            row->bias = bias_of(from->gap, it->dt);
    }
    return true;
}


/* ---- Hinges -------------------------------------------------------------- */

/* The frame of a hinge on a body that moves, in the world. */
typedef struct hinge_frame {
    int body;
    vec3 anchor, axes[3];
} hinge_frame;

static vec3 turned_by(const double q[4], vec3 v)
{
    vec3 u = vec_make(q[0], q[1], q[2]);
    vec3 t = vec_scale(vec_cross(u, v), 2);

    return vec_add(vec_mad(v, q[3], t), vec_cross(u, t));
}

static void read_frame(const sm_scene *it, vsp_body_id id,
                       const vsp_transform *from, hinge_frame *to)
{
    static const vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const contact_body *body;
    const double q[4] = {
        vsp_to_double(from->rotation.x), vsp_to_double(from->rotation.y),
        vsp_to_double(from->rotation.z), vsp_to_double(from->rotation.w)};

    to->body = it->contacts.index[body_slot(id)];
    body = &it->contacts.bodies[to->body];
    to->anchor = vec_add(
        body->center,
        turned_by(body->rotation,
                  vec_sub(vec_from(from->position), body->offset)));
    for (int k = 0; k < 3; k++)
        to->axes[k] = turned_by(body->rotation, turned_by(q, unit[k]));
}

static bool add_equality(sm_problem *to, const int body[2], vec3 way,
                         const vec3 turn[2], double bias)
{
    sm_row *row = add_row(to, body, way, turn);

    if (!row)
        return false;
    row->is_equality = true;
    row->bias = bias;
    return true;
}

/* A limit keeps side * angle + distance positive. */
static bool add_limit(sm_problem *to, const int body[2], vec3 axis, double side,
                      double distance, double dt)
{
    vec3 way = vec_scale(axis, side);
    const vec3 turn[2] = {way, way};
    sm_row *row = add_row(to, body, vec_make(0, 0, 0), turn);

    if (!row)
        return false;
    row->bias = bias_of(distance, dt);
    return true;
}

static bool add_limits(const sm_scene *it, const vsp_joint_def *def,
                       const hinge_frame *a, const hinge_frame *b,
                       sm_problem *to)
{
    const int body[2] = {a->body, b->body};
    double angle = atan2(vec_dot(b->axes[1], a->axes[2]),
                         vec_dot(b->axes[1], a->axes[1]));

    if (!def->enable_limit)
        return true;
    return add_limit(to, body, a->axes[0], 1, angle - vsp_to_double(def->low),
                     it->dt) &&
           add_limit(to, body, a->axes[0], -1, vsp_to_double(def->high) - angle,
                     it->dt);
}

static bool add_hinge(const sm_scene *it, const vsp_joint_def *def,
                      sm_problem *to)
{
    hinge_frame a, b;
    int body[2];
    vec3 apart, bent;
    double part = CORRECTED / it->dt;
    bool is_added = true;

    read_frame(it, def->body_a, &def->frame_a, &a);
    read_frame(it, def->body_b, &def->frame_b, &b);
    body[0] = a.body;
    body[1] = b.body;
    apart = vec_sub(b.anchor, a.anchor);
    bent = vec_cross(a.axes[0], b.axes[0]);
    for (int k = 0; k < 3 && is_added; k++) {
        const vec3 turn[2] = {
            vec_cross(arm_of(it, a.body, a.anchor), a.axes[k]),
            vec_cross(arm_of(it, b.body, b.anchor), a.axes[k])};

        is_added = add_equality(to, body, a.axes[k], turn,
                                part * vec_dot(apart, a.axes[k]));
    }
    for (int k = 1; k < 3 && is_added; k++) {
        const vec3 turn[2] = {a.axes[k], a.axes[k]};

        is_added = add_equality(to, body, vec_make(0, 0, 0), turn,
                                part * vec_dot(bent, a.axes[k]));
    }
    return is_added && add_limits(it, def, &a, &b, to);
}

/* Adds the rows of all joints, which must be hinges of bodies that move. */
static bool add_hinges(const sm_scene *it, sm_problem *to)
{
    for (uint32_t slot = 0; slot < VSP_MAX_JOINTS; slot++) {
        vsp_joint_def def;

        if (vsp_joint_get(it->run.world, vsp_joint_at(it->run.world, slot),
                          &def) < 0)
            continue;
        if (def.type != VSP_JOINT_HINGE ||
            it->contacts.index[body_slot(def.body_a)] < 0 ||
            it->contacts.index[body_slot(def.body_b)] < 0 ||
            !add_hinge(it, &def, to))
            return false;
    }
    return true;
}


/* ---- The problem --------------------------------------------------------- */

bool sm_scene_problem(const sm_scene *it, sm_problem *to)
{
    const contact_problem *from = &it->contacts;
    vec3 gravity = vec_from(vsp_world_gravity(it->run.world));
    bool is_filled = from->body_count <= SM_MAX_BODIES;

    to->body_count = is_filled ? from->body_count : 0;
    to->row_count = 0;
    for (int i = 0; i < to->body_count; i++)
        fill_body(&from->bodies[i], gravity, it->dt, &to->bodies[i]);
    is_filled = is_filled && add_hinges(it, to);
    for (int i = 0; i < from->point_count && is_filled; i++)
        is_filled = add_point(it, &from->points[i], to);
    if (!is_filled)
        fprintf(stderr, "vsp: a step has too many rows, or a joint that is "
                        "not a hinge\n");
    return is_filled;
}


/* ---- Impulses of the engine ---------------------------------------------- */

/* Adds the multipliers of a hinge, in the order of add_hinge.  Its impulses
 * rotate with its body A. */
static double *put_hinge(const sm_scene *it, const vsp_world *world,
                         vsp_joint_id id, double *to)
{
    vsp_joint_def def;
    vsp_joint_state state;
    hinge_frame a;
    vec3 impulse, turn;

    if (vsp_joint_get(world, id, &def) < 0)
        return to;
    (void)vsp_joint_read(world, id, &state);
    read_frame(it, def.body_a, &def.frame_a, &a);
    impulse = vec_from(state.impulse);
    turn = vec_from(state.turn);
    for (int k = 0; k < 3; k++)
        *to++ = vec_dot(impulse, a.axes[k]);
    for (int k = 1; k < 3; k++)
        *to++ = vec_dot(turn, a.axes[k]);
    if (def.enable_limit) {
        *to++ = fmax(0, vec_dot(turn, a.axes[0]));
        *to++ = fmax(0, -vec_dot(turn, a.axes[0]));
    }
    return to;
}

/* Adds the multipliers of a contact, in the order of add_point. */
static double *put_contact(const vsp_contact *from, double *to)
{
    vec3 way[3];

    find_ways(vec_unit(vec_from(from->normal)), way);
    for (uint32_t i = 0; i < from->point_count; i++) {
        vec3 friction = vec_from(from->points[i].friction_impulse);

        *to++ = vsp_to_double(from->points[i].normal_impulse);
        *to++ = vec_dot(friction, way[1]);
        *to++ = vec_dot(friction, way[2]);
    }
    return to;
}

void sm_scene_impulses(const sm_scene *it, const vsp_world *world,
                       double *lambda)
{
    for (uint32_t slot = 0; slot < VSP_MAX_JOINTS; slot++)
        lambda = put_hinge(it, world, vsp_joint_at(world, slot), lambda);
    for (uint32_t i = 0; i < vsp_contact_count(world); i++) {
        vsp_contact contact;

        (void)vsp_contact_get(world, i, &contact);
        lambda = put_contact(&contact, lambda);
    }
}


/* ---- Steps --------------------------------------------------------------- */

bool sm_scene_start(sm_scene *it, const char *name)
{
    vsp_world_def def = contact_detector_def(name);

    it->dt = vsp_to_double(def.dt);
    if (!simulation_start_in(&it->run, name, &def))
        return false;
    contact_problem_read_bodies(&it->contacts, it->run.world);
    return contact_problem_detect(&it->contacts, it->run.world);
}

bool sm_scene_move(sm_scene *it, const double *velocity)
{
    for (int i = 0; i < it->contacts.body_count; i++) {
        contact_body *body = &it->contacts.bodies[i];
        const double *v = &velocity[6 * i];

        body->velocity = vec_make(v[0], v[1], v[2]);
        body->spin = vec_make(v[3], v[4], v[5]);
        contact_body_move(body, body->velocity, body->spin, it->dt);
    }
    return contact_problem_detect(&it->contacts, it->run.world);
}

double sm_scene_energy(const sm_scene *it, double *speed)
{
    double sum = 0;

    *speed = 0;
    for (int i = 0; i < it->contacts.body_count; i++) {
        const contact_body *body = &it->contacts.bodies[i];
        vec3 turned = tensor_times(&body->inertia, body->spin);

        sum += 0.5 * body->mass * vec_dot(body->velocity, body->velocity) +
               0.5 * vec_dot(body->spin, turned);
        *speed = fmax(*speed, vec_length(body->velocity));
    }
    return sum;
}
