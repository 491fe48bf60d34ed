/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The rules of what moves but heroes, in this order: the gun, the car, the gate
 * and the lift, crates. */

#include "play.h"


/* ---- The gun ------------------------------------------------------------- */

#define BULLET_SPEED VSP_R(24.0) /* m/s */
#define BULLET_STEPS 40u         /* of its life */
#define RELOAD_STEPS 12u

static void add_bullet(moment *s, const level_player *player)
{
    vsp_vec3 at = player->hero.position;
    vsp_real side = VSP_R(0.17); /* inside the hero, so in nothing else */
    vsp_body_def def = vsp_body_def_default();

    at.x += player->left ? -side : side;
    at.y += VSP_R(0.2);
    def.type = VSP_DYNAMIC;
    def.pose.position = at;
    def.velocity.x = player->left ? -BULLET_SPEED : BULLET_SPEED;
    def.gravity_scale = VSP_R(0.25);
    def.locks = VSP_LOCK_Z;
    def.is_bullet = true;
    def.mass = VSP_R(3.0);
    def.user = vsp_world_tick(s->it->world);
    def.shape = vsp_sphere(VSP_R(0.12));
    def.shape.filter.category = LEVEL_SHOTS;
    def.shape.filter.mask = LEVEL_SOLID;
    note_status(s, vsp_record_body_create(s->recorder, &def, NULL));
}

/* Bullets have the lowest free slots, those behind all other bodies. */
void play_gun(moment *s, uint32_t p)
{
    level_player *player = &s->it->players[p];
    uint32_t slot = LEVEL_BULLET;

    if (player->reload > 0)
        player->reload--;
    if (!(s->inputs[p] & LEVEL_SHOOT) || player->reload > 0)
        return;
    while (slot < LEVEL_BODIES && level_body(s->it, slot).bits != 0)
        slot++;
    if (slot == LEVEL_BODIES)
        return;
    player->reload = RELOAD_STEPS;
    add_bullet(s, player);
}

/* A bullet knows the step of its shot: its user word. */
static void remove_bullets(moment *s)
{
    uint32_t slot, now = vsp_world_tick(s->it->world);

    for (slot = LEVEL_BULLET; slot < LEVEL_BODIES; slot++) {
        vsp_body_id id = level_body(s->it, slot);

        if (id.bits != 0 &&
            now - vsp_body_user(s->it->world, id) >= BULLET_STEPS)
            note_status(s, vsp_record_body_destroy(s->recorder, id));
    }
}


/* ---- The car ------------------------------------------------------------- */

#define WHEEL_SPEED VSP_R(14.0) /* rad/s */
#define DRIVE VSP_R(350.0)      /* N m, of each wheel */
#define BRAKE VSP_R(600.0)      /* N m, of each wheel, if nobody drives */

/* Returns -1, 0 or 1: where the riders want to go. */
static int find_way(const moment *s)
{
    int way = 0;
    uint32_t p;

    for (p = 0; p < LEVEL_PLAYERS; p++)
        if (s->it->players[p].rides)
            way += ((s->inputs[p] & LEVEL_RIGHT) != 0) -
                   ((s->inputs[p] & LEVEL_LEFT) != 0);
    return (way > 0) - (way < 0);
}

static void drive_car(moment *s)
{
    int way = find_way(s);
    vsp_real speed = way > 0   ? -WHEEL_SPEED
                     : way < 0 ? WHEEL_SPEED
                               : VSP_R(0.0);
    uint32_t i;

    for (i = LEVEL_AXLE; i < LEVEL_AXLE + 2u; i++)
        note_status(s, vsp_record_joint_set_motor(
                           s->recorder, vsp_joint_at(s->it->world, i), true,
                           speed, way != 0 ? DRIVE : BRAKE));
}

/* A car that fell down or lies on its roof is put back. */
static void return_car(moment *s)
{
    vsp_body_id car = level_body(s->it, LEVEL_CAR);
    vsp_transform pose = vsp_body_transform(s->it->world, car);
    vsp_vec3 up = vsp_quat_rotate(pose.rotation,
                                  level_at(VSP_R(0.0), VSP_R(1.0)));
    uint32_t i;

    if (pose.position.y > VSP_R(7.0) && up.y > VSP_R(0.2))
        return;
    for (i = 0; i < 3; i++)
        put_body(s, level_body(s->it, LEVEL_CAR + i), level_car_pose(i));
}


/* ---- The gate and the lift ----------------------------------------------- */

/* The gate is open while something is on the plate. */
static void drive_gate(moment *s)
{
    vsp_world *world = s->it->world;
    uint32_t on_plate = vsp_shape_sensed(world, level_plate(s->it), NULL, 0);
    vsp_real angle = on_plate > 0 ? VSP_R(1.5) : VSP_R(0.0);

    note_status(s, vsp_record_joint_set_target(
                       s->recorder, vsp_joint_at(world, LEVEL_HINGE), angle));
}

/* Whether a hero stands well on the lift. */
static bool is_lift_wanted(const moment *s, vsp_body_id lift)
{
    vsp_real middle = vsp_body_center(s->it->world, lift).x;
    uint32_t p;

    for (p = 0; p < LEVEL_PLAYERS; p++) {
        const level_player *player = &s->it->players[p];

        if (!player->rides && player->hero.ground.bits == lift.bits &&
            is_within(player->hero.position.x, middle, VSP_R(1.2)))
            return true;
    }
    return false;
}

/* The lift goes up with a hero, and comes down without. */
static void drive_lift(moment *s)
{
    const vsp_real most = VSP_R(0.0625); /* m in a step */
    vsp_body_id lift = level_body(s->it, LEVEL_LIFT);
    vsp_transform pose = vsp_body_transform(s->it->world, lift);
    vsp_real to = is_lift_wanted(s, lift) ? LEVEL_LIFT_HIGH : LEVEL_LIFT_LOW;

    if (is_within(pose.position.y, to, most))
        pose.position.y = to;
    else
        pose.position.y += pose.position.y < to ? most : -most;
    note_status(s, vsp_record_body_move_to(s->recorder, lift, pose,
                                           vsp_world_dt(s->it->world)));
}


/* ---- Crates -------------------------------------------------------------- */

/* A crate that is where nobody can push it back is put where it began. */
static void return_crate(moment *s, uint32_t crate)
{
    vsp_body_id id = level_body(s->it, LEVEL_CRATE + crate);
    vsp_vec3 at = vsp_body_center(s->it->world, id);
    vsp_real low = crate ? VSP_R(4.6) : VSP_R(-13.8);
    vsp_real high = crate ? VSP_R(11.4) : VSP_R(-2.5);

    if (at.x < low || at.x > high || at.y < VSP_R(2.0))
        put_body(s, id, level_pose(level_crate_place(crate)));
}

void play_machines(moment *s)
{
    uint32_t i;

    remove_bullets(s);
    return_car(s);
    drive_car(s);
    drive_gate(s);
    drive_lift(s);
    for (i = 0; i < LEVEL_CRATES; i++)
        return_crate(s, i);
}
