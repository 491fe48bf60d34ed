/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Characters (VSP_CHARACTER).  In this order: checks; conversion of a character
 * to a walker; riding; walking; falling; conversion back; public calls.
 *
 * While it moves over ground, the capsule is shorter at its lower end by the
 * height of a step, so things lower than a step are no obstacles.  Then the
 * whole capsule comes down onto the ground.  So its round foot rolls over the
 * edges of stairs, however short a move is. */

#include "walker.h"

#if VSP_CHARACTER

#define MAX_PARTS 4 /* of a walk: each up to a radius long if 4 suffice */

/* m: a character at rest is not moved up or down by this or less */
#define REST VSP__REAL(0.001)


/* ---- Checks -------------------------------------------------------------- */

static bool is_between(vsp_real a, vsp_real low, vsp_real high)
{
    return caller_in(a, low, high);
}

/* Normalises a caller's direction.  Returns false if vsp__q_read refuses its
 * length: all lengths from 0.001 to 1000 are accepted. */
static bool read_direction(vsp_vec3 from, vsp__v3 *direction)
{
    vsp__unit_quat q;
    vsp_quat as = {from.x, from.y, from.z, 0};

    if (!vsp__q_read(as, &q))
        return false;
    *direction = v3(q.x, q.y, q.z);
    v3_flush_in(direction);
    return true;
}

static bool is_def(const vsp_character_def *def)
{
    vsp__v3 up;

    return def->cookie == VSP__COOKIE(5) &&
           is_between(def->radius, VSP_R(0.05), VSP_R(10.0)) &&
           is_between(def->half_height, 0, VSP_R(10.0)) &&
           is_between(def->skin, VSP_R(0.005), def->radius) &&
           is_between(def->step_height, 0,
                      def->half_height + def->half_height) &&
           is_between(def->slope, VSP_R(0.1), VSP_R(1.0)) &&
           is_between(def->gravity_scale, VSP_R(-100.0), VSP_R(100.0)) &&
           is_between(def->push_force, 0, VSP_MAX_FORCE) &&
           read_direction(def->up, &up);
}

static bool are_pushes(const vsp_character *it)
{
    uint32_t i;

    if (it->push_count > VSP_CHARACTER_PUSHES)
        return false;
    for (i = 0; i < it->push_count; i++)
        if (!vsp__is_vector_in_range(&it->pushes[i].impulse, VSP_MAX_FORCE) ||
            !vsp__is_vector_in_range(&it->pushes[i].point, VSP_MAX_POSITION))
            return false;
    return true;
}

static bool is_character(const vsp_character *it)
{
    vsp__frame ground;
    vsp__v3 normal;

    return it != NULL && is_def(&it->def) &&
           vsp__is_vector_in_range(&it->position, VSP_MAX_POSITION) &&
           vsp__is_vector_in_range(&it->velocity, VSP_MAX_SPEED) &&
           it->is_grounded <= 1u && it->is_crushed <= 1u &&
           vsp__read_pose(&it->ground_pose, &ground) &&
           vsp__is_vector_in_range(&it->ground_place,
                                   VSP_MAX_POSITION + VSP_MAX_POSITION) &&
           read_direction(it->ground_normal, &normal) &&
           is_between(it->turn, -VSP_MAX_SPEED, VSP_MAX_SPEED) &&
           are_pushes(it);
}

vsp_status vsp__check_character(const vsp_world *world, const vsp_character *it)
{
    vsp_body_id body;

    if (!vsp__is_world(world) || !is_character(it))
        return VSP_ERR_ARG;
    body = it->def.body;
    if (body.bits == 0)
        return VSP_OK;
    if (!vsp_body_is_valid(world, body))
        return VSP_ERR_ID;
    return vsp_body_get_type(world, body) == VSP_KINEMATIC ? VSP_OK
                                                           : VSP_ERR_ARG;
}


/* ---- A character as a walker --------------------------------------------- */

/* Sets the rotation of a pose so that the y axis points along `up`. */
static void stand_along(const vsp__v3 *up, vsp_transform *pose)
{
    vsp__unit_quat q;

    q.x = u_mul(VSP__UNIT(0.5), up->z);
    q.y = 0;
    q.z = u_mul(VSP__UNIT(-0.5), up->x);
    q.w = u_mul(VSP__UNIT(0.5), r_add(VSP__UNIT(1.0), up->y));
    if (q.w < VSP__UNIT(0.00001)) {
        q.x = VSP__UNIT(1.0);
        q.z = q.w = 0;
    }
    vsp__q_normalize(&q);
    pose->rotation = q_show(q);
}

static void read_sizes(const vsp_character_def *def, vsp__walker *w)
{
    w->radius = r_read(def->radius);
    w->half_height = r_read(def->half_height);
    w->skin = r_read(def->skin);
    w->step_height = r_read(def->step_height);
    w->slope = u_read(def->slope);
    w->capsule = vsp_capsule(def->radius, def->half_height);
    w->push_most = w_mul(w_read(def->push_force),
                         w_of_unit(w->world->params.dt));
}

static void begin_walk(vsp_world *world, const vsp_character *it,
                       vsp_vec3 velocity, vsp__walker *w)
{
    w->world = world;
    (void)read_direction(it->def.up, &w->up);
    read_sizes(&it->def, w);
    w->query = vsp_query_default();
    w->query.filter = it->def.filter;
    w->query.except = it->def.body;
    w->carrier = 0;
    w->at = v3_read(it->position);
    v3_flush_in(&w->at);
    w->is_carried = it->is_grounded == 1;
    w->carried = w->at;
    stand_along(&w->up, &w->pose);
    vsp__lift_walker(w, 0);
    w->wish = rate3_read(velocity);
    u3_move(&w->wish, r_neg(vsp__flushed_dot(&w->wish, &w->up)), &w->up);
    v3_flush_in(&w->wish);
    w->velocity = rate3_read(it->velocity);
    v3_flush_in(&w->velocity);
    w->is_grounded = it->is_grounded;
    w->ground = it->ground;
    w->ground_normal = w->up;
    w->push_count = 0;
}

/* Computes the velocity of the ground at the walker. */
static void find_ground_velocity(const vsp__walker *w, vsp__v3 *velocity)
{
    const vsp__body *b = vsp__get_body(w->world, w->ground);
    vsp__v3 arm;

    *velocity = v3_zero();
    if (b == NULL)
        return;
    vsp__v3_from_to(&b->position, &w->at, &arm);
    v3_cross_to(&b->spin, &arm, velocity);
    v3_add_in(velocity, &b->velocity);
}


/* ---- Riding -------------------------------------------------------------- */

static bool is_same_pose(const vsp_transform *a, const vsp_transform *b)
{
    return a->position.x == b->position.x && a->position.y == b->position.y &&
           a->position.z == b->position.z && a->rotation.x == b->rotation.x &&
           a->rotation.y == b->rotation.y && a->rotation.z == b->rotation.z &&
           a->rotation.w == b->rotation.w;
}

/* Moves the walker in a straight line to the present position of its stored
 * point on the ground.  Unless it is stopped, it gets there exactly.  While it
 * only rides, the stored point does not change, so errors do not add up. */
static void ride_ground(vsp__walker *w, const vsp_character *it, vsp_real *turn)
{
    vsp_transform pose = vsp_body_transform(w->world, w->ground);
    const vsp__body *b = vsp__get_body(w->world, w->ground);
    vsp__v3 way = v3_read(it->ground_place);
    vsp__frame now;

    *turn = 0;
    if (w->is_grounded != 1 || b == NULL ||
        is_same_pose(&pose, &it->ground_pose) || !vsp__read_pose(&pose, &now))
        return;
    *turn = r_show(
        r_of_rate(vsp__flushed_dot(&b->spin, &w->up), w->world->params.dt));
    vsp__q_rotate(&now.rotation, &way, &way);
    v3_add_in(&way, &now.position);
    v3_flush_in(&way);
    w->carried = way;
    v3_sub_in(&way, &w->at);
    v3_flush_in(&way);
    w->carrier = w->ground.bits;
    if (!vsp__slide_walker(w, way, VSP__SLIDE_RIDE))
        w->at = w->carried;
    w->carrier = 0;
}

/* Stores the position of the walker in the frame of its ground, unless the
 * ground alone has moved it there. */
static void note_ground(const vsp__walker *w, vsp_character *it)
{
    vsp__v3 place = w->at;
    vsp__frame now;
    vsp__mat3 axes;

    it->ground_pose = vsp_body_transform(w->world, w->ground);
    if (w->is_carried && it->ground.bits == w->ground.bits &&
        w->at.x == w->carried.x && w->at.y == w->carried.y &&
        w->at.z == w->carried.z)
        return;
    if (!vsp__read_pose(&it->ground_pose, &now))
        return;
    v3_sub_in(&place, &now.position);
    v3_flush_in(&place);
    vsp__q_axes_flushed(&now.rotation, &axes);
    vsp__m3_tmul_flushed(&axes, &place);
    it->ground_place = v3_show(place);
}


/* ---- Walking ------------------------------------------------------------- */

/* Whether a walker at `from` can step up to a point after a displacement of
 * this length, m: over the lowest point of its foot, the point is no higher
 * than a step, or than where the steepest walkable slope would touch the round
 * foot, plus twice the length. */
static bool is_in_reach(const vsp__walker *w, const vsp__v3 *from,
                        vsp__num length, vsp_vec3 point)
{
    vsp__num slope = u_mul(w->radius, r_sub(VSP__UNIT(1.0), w->slope));
    vsp__num most = r_max(w->step_height, r_add(slope, r_add(length, length)));
    vsp__v3 at = v3_read(point);
    vsp__num height = r_add(vsp__height_along(&w->up, from, &at),
                            r_add(w->half_height, w->radius));

    return height <= r_add(most, VSP__REAL(0.001));
}

/* Raises the walker by `way`, m; lowers it if `way` is negative.  Returns
 * false, and does not move it, if something is above. */
static bool raise_walker(vsp__walker *w, vsp__num way)
{
    vsp_hit hit;

    if (way > 0 && vsp__cast_upright(w, way, &hit))
        return false;
    u3_move(&w->at, way, &w->up);
    return true;
}

/* Lowers the whole capsule onto ground no higher than a step over the foot of a
 * walker at `from`, after a displacement of this length, m (0: it rests).
 * Returns false if it comes down on something higher that is not ground (a
 * wall, or a steep slope), or has no room above to stand where it came down.
 * Otherwise the walker stands, or is in the air. */
static bool come_down(vsp__walker *w, const vsp__v3 *from, vsp__num length)
{
    vsp__num high = w->lift, up, reach;
    vsp__v3 normal;
    vsp_hit hit;
    bool is_ground;

    w->is_grounded = 0;
    reach = r_add(high, r_max(w->step_height, r_add(length, length)));
    if (!vsp__cast_upright(w, r_neg(r_add(reach, w->skin)), &hit))
        return true;
    up = r_add(r_sub(high, r_read(hit.distance)), w->skin);
    is_ground = vsp__is_ground(w, &hit, &normal) &&
                is_in_reach(w, from, length, hit.point);
    if (!is_ground && up > w->skin)
        return false;
    if (!is_ground)
        return raise_walker(w, r_max(up, 0));
    if ((length > 0 || r_abs(up) > REST) && !raise_walker(w, up))
        return false;
    vsp__land_walker(w, &hit, &normal);
    return true;
}

/* Walks a part of a move over ground. */
static void walk_part(vsp__walker *w, const vsp__v3 *way)
{
    vsp__v3 from = w->at;
    vsp__num length = v3_length_at(way);
    bool is_down;

    vsp__lift_walker(w, w->step_height);
    (void)vsp__slide_walker(w, *way, VSP__SLIDE_WALK);
    is_down = come_down(w, &from, length);
    vsp__lift_walker(w, 0);
    if (is_down)
        return;
    w->at = from;
    (void)vsp__slide_walker(w, *way, VSP__SLIDE_WALK);
    (void)come_down(w, &from, length);
}

/* Walks in parts, because come_down accepts higher ground after a longer move.
 * If the walker is in the air then, *way keeps the rest of the displacement. */
static void walk_in_parts(vsp__walker *w, vsp__v3 *way)
{
    vsp__num length = v3_length_at(way);
    uint32_t left = 1;
    vsp__v3 part;

    while (left < MAX_PARTS && length > r_times(w->radius, (int32_t)left))
        left++;
    for (; left > 0 && w->is_grounded == 1; left--) {
        part = *way;
        u3_scale_in(&part, u_div(VSP__REAL(1.0), r_from_int((int32_t)left)));
        v3_sub_in(way, &part);
        walk_part(w, &part);
    }
}


/* ---- Falling ------------------------------------------------------------- */

/* Whether a fall neither moved the walker nor kept the speed that gravity gave:
 * then it is stuck between steep slopes. */
static bool is_wedged(const vsp__walker *w, const vsp__v3 *from,
                      const vsp__v3 *gain)
{
    vsp__v3 moved;

    vsp__v3_from_to(from, &w->at, &moved);
    return vsp__flushed_dot(gain, &w->up) < 0 &&
           v3_size_at(&moved) < VSP__REAL(0.0005) &&
           v3_size_at(&w->velocity) < u_mul(VSP__UNIT(0.25), v3_size_at(gain));
}

static void fall_freely(vsp__walker *w, const vsp__v3 *walk_way, vsp_real scale)
{
    const vsp__params *p = &w->world->params;
    vsp__v3 gain = v3_scale(p->gravity, r_read(scale)), way = v3_zero(), from;

    u3_scale_in(&gain, p->dt);
    v3_add_in(&w->velocity, &gain);
    vsp__clamp_each(&w->velocity.x, 3, rate_read(VSP_MAX_SPEED));
    (void)vsp__slide_walker(w, *walk_way, VSP__SLIDE_WALK);
    v3_move_by_rate(&way, p->dt, &w->velocity, VSP__NEAREST);
    v3_flush_in(&way);
    from = w->at;
    if (!vsp__slide_walker(w, way, VSP__SLIDE_FALL) || w->is_grounded == 1)
        return;
    if (is_wedged(w, &from, &gain)) {
        w->is_grounded = 1;
        w->ground.bits = 0;
        w->ground_normal = w->up;
    }
}


/* ---- A move -------------------------------------------------------------- */

static void end_walk(vsp__walker *w, vsp_character *it)
{
    uint32_t i;

    if (w->is_grounded == 1)
        find_ground_velocity(w, &w->velocity);
    else
        w->ground.bits = 0;
    vsp__clamp_each(&w->at.x, 3, r_read(VSP_MAX_POSITION));
    vsp__clamp_each(&w->velocity.x, 3, rate_read(VSP_MAX_SPEED));
    v3_flush_in(&w->at);
    v3_flush_in(&w->velocity);
    it->position = v3_show(w->at);
    it->velocity = rate3_show(w->velocity);
    it->is_grounded = w->is_grounded;
    note_ground(w, it);
    it->ground = w->ground;
    it->ground_normal = u3_show(w->is_grounded == 1 ? w->ground_normal : w->up);
    it->push_count = w->push_count;
    for (i = 0; i < w->push_count; i++)
        it->pushes[i] = w->pushes[i];
}


/* ---- Public calls -------------------------------------------------------- */

vsp_character_def vsp_character_def_default(void)
{
    vsp_character_def def;

    def.cookie = VSP__COOKIE(5);
    def.body.bits = 0;
    def.filter.category = def.filter.mask = 0xffffffffu;
    def.filter.group = 0;
    def.radius = VSP_R(0.3);
    def.half_height = VSP_R(0.6);
    def.skin = VSP_R(0.02);
    def.step_height = VSP_R(0.3);
    def.slope = VSP_R(0.64);
    def.gravity_scale = VSP_R(1.0);
    def.push_force = VSP_R(500.0);
    def.up = vsp__vec3_of(0, VSP_R(1.0), 0);
    return def;
}

vsp_status vsp_character_place(const vsp_character_def *def, vsp_vec3 position,
                               vsp_character *character)
{
    vsp_world *nowhere = NULL;

    if (def == NULL || character == NULL || !is_def(def) ||
        !vsp__is_vector_in_range(&position, VSP_MAX_POSITION))
        return VSP_ERR_ARG;
    vsp__zero_bytes(character, sizeof *character);
    character->def = *def;
    character->position = position;
    character->ground_pose = vsp_body_transform(nowhere, def->body);
    character->ground_normal = def->up;
    return VSP_OK;
}

vsp_status vsp_character_move(vsp_world *world, vsp_character *character,
                              vsp_vec3 velocity)
{
    vsp_status status = vsp__check_character(world, character);
    vsp__walker w;
    vsp__v3 way = v3_zero();

    if (status < 0)
        return status;
    if (!vsp__is_vector_in_range(&velocity, VSP_MAX_SPEED))
        return VSP_ERR_ARG;
    begin_walk(world, character, velocity, &w);
    ride_ground(&w, character, &character->turn);
    character->is_crushed = !vsp__make_room(&w);
    v3_move_by_rate(&way, world->params.dt, &w.wish, VSP__NEAREST);
    v3_flush_in(&way);
    if (w.is_grounded == 1)
        walk_in_parts(&w, &way);
    if (w.is_grounded == 0)
        fall_freely(&w, &way, character->def.gravity_scale);
    end_walk(&w, character);
    return VSP_OK;
}

vsp_status vsp_character_jump(vsp_character *character, vsp_real speed)
{
    vsp__v3 up = v3_zero(), velocity;

    if (!is_character(character) || character->is_grounded != 1 ||
        !is_between(speed, 0, VSP_MAX_SPEED) || speed == 0)
        return VSP_ERR_ARG;
    (void)read_direction(character->def.up, &up);
    velocity = rate3_read(character->velocity);
    u3_move(&velocity, rate_read(speed), &up);
    vsp__clamp_each(&velocity.x, 3, rate_read(VSP_MAX_SPEED));
    v3_flush_in(&velocity);
    character->velocity = rate3_show(velocity);
    character->is_grounded = 0;
    character->ground.bits = 0;
    return VSP_OK;
}

vsp_vec3 vsp__character_body_velocity(const vsp_world *world,
                                      const vsp_character *character)
{
    const vsp__body *b = vsp__get_body(world, character->def.body);
    vsp__v3 to = v3_read(character->position), way;

    vsp__v3_from_to(&b->position, &to, &way);
    way = v3(rate_over(way.x, world->params.dt),
             rate_over(way.y, world->params.dt),
             rate_over(way.z, world->params.dt));
    vsp__clamp_each(&way.x, 3, rate_read(VSP_MAX_SPEED));
    v3_flush_in(&way);
    return rate3_show(way);
}

vsp_status vsp_character_apply(vsp_world *world, const vsp_character *character)
{
    vsp_status status = vsp__check_character(world, character);
    uint32_t i;

    if (status < 0)
        return status;
    for (i = 0; i < character->push_count; i++)
        (void)vsp_body_apply_impulse(world, character->pushes[i].body,
                                     character->pushes[i].impulse,
                                     character->pushes[i].point);
    if (character->def.body.bits == 0)
        return VSP_OK;
    return vsp_body_set_velocity(world, character->def.body,
                                 vsp__character_body_velocity(world, character),
                                 vsp__vec3_of(0, 0, 0));
}

#endif /* VSP_CHARACTER */
