/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What a visitor does to bodies: throws balls, and drags bodies by a hand.  The
 * hand is a kinematic body without a shape that follows the pointer, and a
 * spring from it to the point that was grabbed.  A world without a free body or
 * joint for it gets velocities instead.  The recorder records all of this. */

#include "page.h"

#define HAND_HERTZ 3.0  /* of the spring */
#define HAND_SPEED 30.0 /* m/s: largest speed of the hand */

typedef struct hand {
    vsp_body_id body;  /* that is held; null: none */
    vsp_body_id fist;  /* of the hand; null: velocities are set instead */
    double at[3];      /* where the pointer is, m */
    double grabbed[3]; /* where the point was that is held, m */
    double center[3];  /* where the body was then, m */
} hand;

static hand held;
static vsp_body_id thrown[64]; /* the last balls */
static uint32_t thrown_count;

PAGE_EXPORT(throw_ball)
int32_t throw_ball(double x, double y, double z, double vx, double vy,
                   double vz, double radius);
PAGE_EXPORT(grab_body)
bool grab_body(double x, double y, double z, double wx, double wy, double wz);
PAGE_EXPORT(move_hand) void move_hand(double x, double y, double z);
PAGE_EXPORT(release_body) void release_body(void);


/* ---- Balls --------------------------------------------------------------- */

/* Throws a ball from a place (m) at a velocity (m/s). */
int32_t throw_ball(double x, double y, double z, double vx, double vy,
                   double vz, double radius)
{
    vsp_body_def def = vsp_body_def_default();

    def.type = VSP_DYNAMIC;
    def.pose.position = page_vec(x, y, z);
    def.velocity = page_vec(vx, vy, vz);
    def.is_bullet = true;
    def.shape = vsp_sphere(vsp_from_double(radius));
    def.shape.density = VSP_R(7800.0); /* steel */
    return vsp_record_body_create(scene_recorder(&page_run), &def,
                                  &thrown[thrown_count++ % 64u]);
}

bool page_is_thrown(vsp_body_id body)
{
    for (uint32_t i = 0; i < 64u && i < thrown_count; i++)
        if (thrown[i].bits == body.bits)
            return true;
    return false;
}


/* ---- The hand ------------------------------------------------------------ */

static double larger_of(double a, double b)
{
    return a > b ? a : b;
}

/* Returns a velocity that leads over a way, within HAND_SPEED. */
static vsp_vec3 way_velocity(const double way[3], double rate)
{
    double most = 0.0, scale = rate;

    for (int i = 0; i < 3; i++)
        most = larger_of(most, larger_of(way[i], -way[i]));
    if (most * rate > HAND_SPEED)
        scale = HAND_SPEED / most;
    return page_vec(scale * way[0], scale * way[1], scale * way[2]);
}

static void read_vec(double out[3], vsp_vec3 v)
{
    out[0] = vsp_to_double(v.x);
    out[1] = vsp_to_double(v.y);
    out[2] = vsp_to_double(v.z);
}

/* Makes the hand's body and its spring.  Returns false if one does not fit. */
static bool make_fist(vsp_vec3 point)
{
    vsp_recorder *recorder = scene_recorder(&page_run);
    vsp_body_def body = vsp_body_def_default();
    vsp_joint_def joint = vsp_joint_def_default();

    body.type = VSP_KINEMATIC;
    body.pose.position = point;
    if (vsp_record_body_create(recorder, &body, &held.fist) < 0)
        return false;
    joint.type = VSP_JOINT_DISTANCE;
    joint.body_a = held.fist;
    joint.body_b = held.body;
    joint.limit_hertz = vsp_from_double(HAND_HERTZ);
    joint.limit_damping = VSP_R(1.0);
    if (vsp_joint_place(page_run.world, &joint, point,
                        page_vec(1.0, 0.0, 0.0)) == VSP_OK &&
        vsp_record_joint_create(recorder, &joint, NULL) == VSP_OK)
        return true;
    (void)vsp_record_body_destroy(recorder, held.fist);
    held.fist.bits = 0;
    return false;
}

/* Grabs the dynamic body that a ray hits first, from a place over a way (m).
 * Returns whether there is one, and writes the point to the numbers. */
bool grab_body(double x, double y, double z, double wx, double wy, double wz)
{
    vsp_hit hit;

    release_body();
    if (vsp_ray_cast(page_run.world, page_vec(x, y, z), page_vec(wx, wy, wz),
                     NULL, &hit) < 0 ||
        vsp_body_get_type(page_run.world, hit.body) != VSP_DYNAMIC)
        return false;
    held.body = hit.body;
    read_vec(held.at, hit.point);
    read_vec(held.grabbed, hit.point);
    read_vec(held.center, vsp_body_center(page_run.world, hit.body));
    page_show(0, hit.point);
    (void)make_fist(hit.point);
    return true;
}

void move_hand(double x, double y, double z)
{
    held.at[0] = x;
    held.at[1] = y;
    held.at[2] = z;
}

static void forget_hand(void)
{
    static const hand none;

    held = none;
}

void release_body(void)
{
    if (page_run.world && held.fist.bits)
        (void)vsp_record_body_destroy(scene_recorder(&page_run), held.fist);
    forget_hand();
}

void page_hand_begin(void)
{
    forget_hand();
    thrown_count = 0;
}

/* Moves the fist to the pointer in one step. */
static void move_fist(void)
{
    vsp_recorder *recorder = scene_recorder(&page_run);
    double place[3], way[3];
    bool is_still = true;
    double rate = 1.0 / vsp_to_double(vsp_world_dt(page_run.world));

    read_vec(place, vsp_body_transform(page_run.world, held.fist).position);
    for (int i = 0; i < 3; i++) {
        way[i] = held.at[i] - place[i];
        is_still = is_still && larger_of(way[i], -way[i]) < 0.001;
    }
    (void)vsp_record_body_set_velocity(
        recorder, held.fist, way_velocity(way, rate), page_vec(0.0, 0.0, 0.0));
    if (!is_still && !vsp_body_is_awake(page_run.world, held.body))
        (void)vsp_record_body_set_awake(recorder, held.body, true);
}

/* Moves the body itself as the pointer moves. */
static void push_body_along(void)
{
    double center[3], way[3];

    read_vec(center, vsp_body_center(page_run.world, held.body));
    for (int i = 0; i < 3; i++)
        way[i] = held.center[i] + held.at[i] - held.grabbed[i] - center[i];
    (void)vsp_record_body_set_velocity(
        scene_recorder(&page_run), held.body, way_velocity(way, 8.0),
        vsp_body_spin(page_run.world, held.body));
}

void page_hand_act(void)
{
    if (!held.body.bits)
        return;
    if (!vsp_body_is_valid(page_run.world, held.body))
        release_body();
    else if (held.fist.bits)
        move_fist();
    else
        push_body_along();
}
