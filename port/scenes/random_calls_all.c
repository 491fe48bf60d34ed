/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Random calls of all kinds, like random_calls.c: every kind of shape, sensors,
 * compounds, locks, bullets, sleep, belts, joints, and queries between the
 * calls that change a world.  Results, and the events of the last step, are
 * added to the state of the generator and to the floor's user word, so that the
 * hash contains them.  In this order: sums, random shapes, calls on bodies, on
 * shapes, on joints, events, queries, the scene. */

#include "builder.h"
#include "random_arguments.h"
#include "random_calls.h"
#include "scene_table.h"
#include "sums.h"
#include "table_sets.h"

#if SCENES_ALL


/* ---- Sums ---------------------------------------------------------------- */

/* Adds a sum to the generator's state and to the world's. */
static void keep_sum(scene_run *run, uint32_t sum)
{
    run->random += sum;
    run->random += run->random == 0;
    if (vsp_record_body_set_user(scene_recorder(run), run->marks[0], sum) < 0)
        run->failures++;
}


/* ---- Random shapes ------------------------------------------------------- */

static vsp_shape_def box(scene_run *run)
{
    vsp_shape_def it = vsp_box(VSP_R(0.25), VSP_R(0.25), VSP_R(0.25));

    it.size.x = number(run, 0.05, 0.5);
    it.size.y = number(run, 0.05, 0.5);
    it.size.z = number(run, 0.05, 0.5);
    return it;
}

static vsp_shape_def capsule(scene_run *run)
{
    vsp_real radius = number(run, 0.05, 0.3);

    return vsp_capsule(radius, number(run, 0.05, 0.5));
}

/* Returns a shape that any body may have or, if is_fixed, perhaps one that only
 * static and kinematic bodies may have. */
static vsp_shape_def pick_form(scene_run *run, bool is_fixed)
{
    switch (pick_below(run, is_fixed ? 9 : 6)) {
    case 0:
        return vsp_sphere(number(run, 0.05, 0.4));
    case 1:
        return box(run);
    case 2:
        return capsule(run);
    case 5:
        return vsp_table_shape(VSP_SHAPE_SDF, FEW_SDF);
    case 6:
        return vsp_table_shape(VSP_SHAPE_MESH, FEW_MESH);
    case 7:
        return vsp_table_shape(VSP_SHAPE_HEIGHT_FIELD, FEW_FIELD);
    case 8:
        return vsp_half_space();
    default:
        return vsp_table_shape(VSP_SHAPE_HULL, 1 + pick_below(run, FEW_HULLS));
    }
}

/* Returns a shape at its body's origin or beside it. */
static vsp_shape_def shape(scene_run *run, bool is_fixed)
{
    vsp_shape_def it = pick_form(run,
                                 pick_below(run, 32) ? is_fixed : !is_fixed);

    if (pick_below(run, 3) == 0)
        it.pose.position = vector(run, 0.4);
    if (pick_below(run, 4) == 0)
        it.pose.rotation = pick_place(run).rotation;
    if (pick_below(run, 6) == 0)
        it.surface_velocity = vector(run, 2.0);
    it.is_sensor = pick_below(run, 8) == 0;
    it.density = number(run, 100.0, 2000.0);
    it.material = material(run);
    return it;
}


/* ---- Bodies -------------------------------------------------------------- */

static vsp_status call_body_create(scene_run *run)
{
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id id;
    vsp_status status;

    def.type = pick_below(run, 5) ? VSP_DYNAMIC
                                  : (vsp_body_type)pick_below(run, 4);
    def.pose = pick_place(run);
    def.velocity = vector(run, 1.0);
    def.spin = vector(run, 3.0);
    def.linear_damping = number(run, 0.0, 1.0);
    def.angular_damping = number(run, 0.0, 1.0);
    if (pick_below(run, 8) == 0)
        def.max_speed = number(run, 0.5, 5.0);
    if (pick_below(run, 8) == 0)
        def.locks = next_bits(run) & VSP_LOCK_ALL;
    def.is_bullet = pick_below(run, 4) == 0;
    def.enable_sleep = pick_below(run, 8) != 0;
    def.user = next_bits(run);
    def.shape = shape(run, def.type != VSP_DYNAMIC);
    status = vsp_record_body_create(scene_recorder(run), &def, &id);
    if (status >= 0)
        *last_made(run, id.bits & 0xffffu) = id;
    return status;
}

/* One velocity in four is that of a bullet. */
static vsp_status call_set_velocity(scene_run *run)
{
    vsp_body_id id = some_body(run);
    vsp_vec3 velocity = vector(run, pick_below(run, 4) ? 2.0 : 80.0);

    return vsp_record_body_set_velocity(scene_recorder(run), id, velocity,
                                        vector(run, 5.0));
}

static vsp_status call_set_max_speed(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_set_max_speed(scene_recorder(run), id,
                                         number(run, 0.01, 100.0));
}

/* Sets no locks half of the time, and sometimes an invalid bit. */
static vsp_status call_set_locks(scene_run *run)
{
    vsp_body_id id = some_body(run);
    uint32_t locks = pick_below(run, 2) ? pick_below(run, VSP_LOCK_ALL + 2u)
                                        : 0;

    return vsp_record_body_set_locks(scene_recorder(run), id, locks);
}

static vsp_status call_set_bullet(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_set_bullet(scene_recorder(run), id,
                                      pick_below(run, 2) == 0);
}

static vsp_status call_enable_sleep(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_enable_sleep(scene_recorder(run), id,
                                        pick_below(run, 3) != 0);
}

static vsp_status call_set_awake(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_set_awake(scene_recorder(run), id,
                                     pick_below(run, 3) == 0);
}


/* ---- Shapes -------------------------------------------------------------- */

static vsp_status call_shape_create(scene_run *run)
{
    vsp_body_id id = some_body(run);
    bool is_fixed = vsp_body_get_type(run->world, id) != VSP_DYNAMIC;
    vsp_shape_def def = shape(run, is_fixed);

    return vsp_record_shape_create(scene_recorder(run), id, &def, NULL);
}

/* Sets filters so that a few bodies pass through each other, but none through
 * the floor. */
static vsp_status call_set_filter(scene_run *run)
{
    vsp_shape_id id = some_shape(run);
    vsp_filter filter;

    if (is_floor(run, id))
        return VSP_OK;
    filter.category = 1u + pick_below(run, 2);
    filter.mask = 0xffffffffu;
    filter.group = (int32_t)pick_below(run, 3) - 2;
    return vsp_record_shape_set_filter(scene_recorder(run), id, filter);
}

static vsp_status call_set_surface(scene_run *run)
{
    vsp_shape_id id = some_shape(run);

    return vsp_record_shape_set_surface_velocity(scene_recorder(run), id,
                                                 vector(run, 3.0));
}


/* ---- Joints -------------------------------------------------------------- */

#define JOINT_SLOTS 8u /* fit into a world of a few dozen bodies */

#define TRIES 4 /* attempts to find a slot that is not empty */

/* Returns the joint of a random slot; one in run->stale may be destroyed. */
vsp_joint_id some_joint(scene_run *run)
{
    vsp_joint_id id = {0};

    for (int i = 0; id.bits == 0 && i < TRIES; i++)
        id = vsp_joint_at(run->world, pick_below(run, JOINT_SLOTS));
    if (pick_below(run, run->stale) == 0)
        id.bits ^= 0x10000u << pick_below(run, 2);
    return id;
}

/* Returns a body like some_body, but tries several times to find one that
 * exists. */
static vsp_body_id some_end(scene_run *run)
{
    vsp_body_id id = {0};

    for (int i = 0; id.bits == 0 && i < TRIES; i++)
        id = some_body(run);
    return id;
}

/* Sets limits for a joint of this type; in a few of them low exceeds high. */
static void pick_limit(scene_run *run, vsp_joint_def *def)
{
    bool is_length = def->type == VSP_JOINT_DISTANCE;

    def->enable_limit = is_length || pick_below(run, 2) == 0;
    def->low = is_length ? number(run, 0.0, 0.7) : number(run, -1.5, 0.2);
    def->high = number(run, 0.0, 1.5);
    if (pick_below(run, 6) == 0)
        def->low = def->high;
}

static void pick_motor(scene_run *run, vsp_joint_def *def)
{
    def->enable_motor = pick_below(run, 3) != 0;
    def->motor_speed = number(run, -10.0, 10.0);
    def->motor_max = number(run, 0.0, 2000.0);
}

/* The joint cannot break half of the time. */
static void pick_strength(scene_run *run, vsp_joint_def *def)
{
    def->break_impulse = def->break_turn = VSP_R(0.0);
    if (pick_below(run, 4) == 0)
        def->break_impulse = number(run, 0.0, 20.0);
    if (pick_below(run, 4) == 0)
        def->break_turn = number(run, 0.0, 5.0);
}

/* Sets the frames at the present poses of the bodies, or elsewhere. */
static void pick_frames(scene_run *run, vsp_joint_def *def)
{
    if (pick_below(run, 2)) {
        vsp_vec3 anchor = pick_place(run).position;

        (void)vsp_joint_place(run->world, def, anchor, vector(run, 1.0));
    } else {
        def->frame_a.position = vector(run, 0.5);
        def->frame_a.rotation = pick_place(run).rotation;
        def->frame_b.position = vector(run, 0.5);
        if (pick_below(run, 2))
            def->frame_b.rotation = pick_place(run).rotation;
    }
}

/* Limits are hard half of the time. */
static void pick_spring(scene_run *run, vsp_joint_def *def)
{
    def->limit_hertz = def->limit_damping = VSP_R(0.0);
    if (pick_below(run, 2)) {
        def->limit_hertz = number(run, 0.0, 20.0);
        def->limit_damping = number(run, 0.0, 2.0);
    }
}

/* Half of the FIXED joints are rigid; some of those can break or bend. */
static void pick_rigidity(scene_run *run, vsp_joint_def *def)
{
    def->rigid = pick_below(run, 2) == 0;
    if (!def->rigid || pick_below(run, 2))
        return;
    def->yield_torque = number(run, 0.0, 100.0);
    def->break_angle = number(run, 0.0, 1.0);
}

/* Returns a joint; one in 16 has a limit, cone or motor that its type
 * refuses. */
vsp_joint_def random_joint(scene_run *run)
{
    vsp_joint_def it = vsp_joint_def_default();
    bool is_odd = pick_below(run, 16) == 0;

    it.type = (vsp_joint_type)(is_odd ? pick_below(run, 7)
                                      : 1 + pick_below(run, 5));
    it.body_a = pick_below(run, 4) ? some_end(run) : run->marks[0];
    it.body_b = some_end(run);
    pick_frames(run, &it);
    it.collide = pick_below(run, 2) == 0;
    if (is_odd || it.type != VSP_JOINT_FIXED)
        pick_limit(run, &it);
    if (is_odd || (it.type != VSP_JOINT_FIXED && it.type != VSP_JOINT_BALL))
        pick_spring(run, &it);
    if (is_odd || (it.type == VSP_JOINT_BALL && pick_below(run, 2)))
        it.cone = number(run, 0.0, 3.0);
    if (is_odd || it.type == VSP_JOINT_HINGE || it.type == VSP_JOINT_SLIDER)
        pick_motor(run, &it);
    if (is_odd || it.type == VSP_JOINT_FIXED)
        pick_rigidity(run, &it);
    pick_strength(run, &it);
    it.user = next_bits(run);
    return it;
}

/* Creates a joint, sometimes with the definition of an existing one. */
static vsp_status call_joint_create(scene_run *run)
{
    vsp_joint_def def = random_joint(run);

    if (pick_below(run, 8) == 0)
        (void)vsp_joint_get(run->world, some_joint(run), &def);
    return vsp_record_joint_create(scene_recorder(run), &def, NULL);
}

static vsp_status call_joint_destroy(scene_run *run)
{
    return vsp_record_joint_destroy(scene_recorder(run), some_joint(run));
}

static vsp_status call_set_limit(scene_run *run)
{
    vsp_joint_id id = some_joint(run);
    vsp_joint_def def = vsp_joint_def_default();

    (void)vsp_joint_get(run->world, id, &def);
    pick_limit(run, &def);
    return vsp_record_joint_set_limit(scene_recorder(run), id, def.enable_limit,
                                      def.low, def.high);
}

static vsp_status call_set_cone(scene_run *run)
{
    vsp_joint_id id = some_joint(run);

    return vsp_record_joint_set_cone(scene_recorder(run), id,
                                     number(run, 0.0, 3.0));
}

static vsp_status call_set_spring(scene_run *run)
{
    vsp_joint_id id = some_joint(run);
    vsp_joint_def def;

    pick_spring(run, &def);
    return vsp_record_joint_set_spring(scene_recorder(run), id, def.limit_hertz,
                                       def.limit_damping);
}

static vsp_status call_set_motor(scene_run *run)
{
    vsp_joint_id id = some_joint(run);
    vsp_joint_def def;

    pick_motor(run, &def);
    return vsp_record_joint_set_motor(scene_recorder(run), id, def.enable_motor,
                                      def.motor_speed, def.motor_max);
}

static vsp_status call_set_strength(scene_run *run)
{
    vsp_joint_id id = some_joint(run);
    vsp_joint_def def;

    pick_strength(run, &def);
    return vsp_record_joint_set_strength(scene_recorder(run), id,
                                         def.break_impulse, def.break_turn);
}

static vsp_status call_set_joint_user(scene_run *run)
{
    vsp_joint_id id = some_joint(run);

    return vsp_record_joint_set_user(scene_recorder(run), id, next_bits(run));
}

static uint32_t sum_frame(uint32_t sum, const vsp_transform *frame)
{
    sum = sum_vector(sum, frame->position);
    return sum_rotation(sum, frame->rotation);
}

static uint32_t sum_joint(uint32_t sum, const vsp_joint_def *def)
{
    sum = sum_word(sum, (uint32_t)def->type);
    sum = sum_word(sum, def->body_a.bits);
    sum = sum_word(sum, def->body_b.bits);
    sum = sum_frame(sum, &def->frame_a);
    sum = sum_frame(sum, &def->frame_b);
    sum = sum_word(sum, (def->collide ? 1u : 0u) |
                            (def->enable_limit ? 2u : 0u) |
                            (def->enable_motor ? 4u : 0u));
    sum = sum_real(sum, def->low);
    sum = sum_real(sum, def->high);
    sum = sum_real(sum, def->cone);
    sum = sum_real(sum, def->limit_hertz);
    sum = sum_real(sum, def->limit_damping);
    sum = sum_real(sum, def->motor_speed);
    sum = sum_real(sum, def->motor_max);
    sum = sum_word(sum, def->rigid);
    sum = sum_real(sum, def->yield_torque);
    sum = sum_real(sum, def->break_angle);
    sum = sum_real(sum, def->break_impulse);
    sum = sum_real(sum, def->break_turn);
    return sum_word(sum, def->user);
}

static uint32_t sum_joint_state(uint32_t sum, const vsp_joint_state *state)
{
    sum = sum_real(sum, state->place);
    sum = sum_real(sum, state->swing);
    sum = sum_real(sum, state->speed);
    sum = sum_real(sum, state->error);
    sum = sum_real(sum, state->angle_error);
    sum = sum_vector(sum, state->impulse);
    sum = sum_vector(sum, state->turn);
    sum = sum_real(sum, state->motor);
    return sum_word(sum,
                    (state->at_limit ? 1u : 0u) | (state->is_broken ? 2u : 0u));
}

/* Adds the definition of a joint and its state to a sum. */
static uint32_t sum_joint_at(uint32_t sum, const vsp_world *world,
                             vsp_joint_id id)
{
    vsp_joint_def def;
    vsp_joint_state state;

    if (vsp_joint_get(world, id, &def) < 0 ||
        vsp_joint_read(world, id, &state) < 0)
        return sum_word(sum, id.bits);
    return sum_joint_state(sum_joint(sum, &def), &state);
}


/* ---- Events -------------------------------------------------------------- */

#define EVENTS_SEEN 16u /* capacity that every build has */
#define SENSED_SEEN 8u

static uint32_t sum_events(uint32_t sum, const vsp_world *world)
{
    uint32_t count;
    const vsp_event *events = vsp_world_events(world, &count);

    for (uint32_t i = 0; i < count && i < EVENTS_SEEN; i++) {
        sum = sum_word(sum, events[i].type);
        sum = sum_word(sum, events[i].contact);
        sum = sum_word(sum, events[i].shape_a.bits);
        sum = sum_word(sum, events[i].shape_b.bits);
        sum = sum_word(sum, events[i].body_a.bits);
        sum = sum_word(sum, events[i].body_b.bits);
        sum = sum_word(sum, events[i].joint.bits);
    }
    return sum;
}

static uint32_t sum_sensed(uint32_t sum, const vsp_world *world,
                           vsp_shape_id sensor)
{
    vsp_shape_id shapes[SENSED_SEEN];
    uint32_t count = vsp_shape_sensed(world, sensor, shapes, SENSED_SEEN);

    sum = sum_word(sum, count);
    for (uint32_t i = 0; i < count && i < SENSED_SEEN; i++)
        sum = sum_word(sum, shapes[i].bits);
    return sum;
}

static uint32_t sum_contact(uint32_t sum, const vsp_world *world,
                            uint32_t index)
{
    vsp_contact contact;

    if (vsp_contact_get(world, index, &contact) < 0)
        return sum_word(sum, index);
    sum = sum_word(sum, contact.shape_a.bits);
    sum = sum_word(sum, contact.shape_b.bits);
    sum = sum_vector(sum, contact.normal);
    for (uint32_t i = 0; i < contact.point_count; i++) {
        sum = sum_vector(sum, contact.points[i].position);
        sum = sum_real(sum, contact.points[i].separation);
        sum = sum_real(sum, contact.points[i].normal_impulse);
        sum = sum_word(sum, contact.points[i].feature);
    }
    return sum;
}

/* Adds the events and contacts of the last step to a sum. */
void look_around(scene_run *run)
{
    uint32_t sum = sum_events(run->random, run->world);
    uint32_t count = vsp_contact_count(run->world);

    sum = sum_sensed(sum, run->world, some_shape(run));
    sum = sum_contact(sum, run->world, pick_below(run, count + 1));
    sum = sum_joint_at(sum, run->world, some_joint(run));
    keep_sum(run, sum);
}


/* ---- Queries ------------------------------------------------------------- */

/* Adds a hit to a sum.  Returns one of all answers that a query accepts. */
static vsp_real found(void *user, const vsp_hit *hit)
{
    uint32_t *sum = (uint32_t *)user;

    *sum = sum_hit(*sum, hit);
    switch (*sum >> 8 & 15u) {
    case 0:
        return VSP_R(0.0);
    case 1:
    case 2:
        return hit->fraction;
    case 3:
        return VSP_R(-1.0);
    case 4:
        return VSP_R(0.5);
    default:
        return VSP_R(1.0);
    }
}

static vsp_query pick_query(scene_run *run)
{
    vsp_query it = vsp_query_default();

    if (pick_below(run, 4) == 0)
        it.filter.mask = pick_below(run, 4);
    it.find_sensors = pick_below(run, 2) == 0;
    if (pick_below(run, 4) == 0)
        it.except = some_body(run);
    return it;
}

/* Returns a solid that queries accept, or a shape that they refuse. */
static vsp_shape_def solid(scene_run *run)
{
    return pick_below(run, 16) ? shape(run, false) : shape(run, true);
}

static vsp_status ask_ray(scene_run *run, const vsp_query *who, uint32_t *sum)
{
    vsp_vec3 origin = vector(run, 2.0);
    vsp_hit hit;
    vsp_status status = vsp_ray_cast(run->world, origin, vector(run, 4.0), who,
                                     &hit);

    if (status >= 0)
        *sum = sum_hit(*sum, &hit);
    return status;
}

static vsp_status ask_rays(scene_run *run, const vsp_query *who, uint32_t *sum)
{
    vsp_vec3 origin = vector(run, 2.0);

    return vsp_ray_cast_all(run->world, origin, vector(run, 4.0), who, found,
                            sum);
}

static vsp_status ask_cast(scene_run *run, const vsp_query *who, uint32_t *sum)
{
    vsp_shape_def def = solid(run);
    vsp_transform pose = pick_place(run);
    vsp_hit hit;
    vsp_status status = vsp_shape_cast(run->world, &def, pose, vector(run, 3.0),
                                       who, &hit);

    if (status >= 0)
        *sum = sum_hit(*sum, &hit);
    return status;
}

/* a + b, also for invalid numbers, whose sum may wrap */
#if VSP_FIXED
static vsp_real sum_of(vsp_real a, vsp_real b)
{
    return (vsp_real)((uint64_t)a + (uint64_t)b);
}
#else
static vsp_real sum_of(vsp_real a, vsp_real b)
{
    return a + b;
}
#endif

static vsp_status ask_bounds(scene_run *run, const vsp_query *who,
                             uint32_t *sum)
{
    vsp_vec3 low = vector(run, 1.0), high = low;

    high.x = sum_of(high.x, scene_real(1.0));
    high.y = sum_of(high.y, number(run, 0.0, 2.0));
    high.z = sum_of(high.z, scene_real(0.5));
    return vsp_overlap_aabb(run->world, low, high, who, found, sum);
}

static vsp_status ask_overlap(scene_run *run, const vsp_query *who,
                              uint32_t *sum)
{
    vsp_shape_def def = solid(run);

    return vsp_overlap_shape(run->world, &def, pick_place(run), who, found,
                             sum);
}

static vsp_status ask_inside(scene_run *run, const vsp_query *who,
                             uint32_t *sum)
{
    return vsp_point_inside(run->world, vector(run, 1.0), who, found, sum);
}

static vsp_status ask_closest(scene_run *run, const vsp_query *who,
                              uint32_t *sum)
{
    vsp_vec3 point = vector(run, 2.0);
    vsp_hit hit;
    vsp_status status = vsp_closest_point(run->world, point,
                                          number(run, 0.1, 3.0), who, &hit);

    if (status >= 0)
        *sum = sum_hit(*sum, &hit);
    return status;
}

typedef vsp_status random_question(scene_run *run, const vsp_query *who,
                                   uint32_t *sum);

static random_question *const questions[] = {
    ask_ray,     ask_rays,   ask_cast,    ask_bounds,
    ask_overlap, ask_inside, ask_closest,
};

#define QUESTION_COUNT (sizeof questions / sizeof questions[0])

void ask_any(scene_run *run)
{
    uint32_t which = pick_below(run, (uint32_t)QUESTION_COUNT);
    uint32_t sum = run->random;
    vsp_query who = pick_query(run);
    vsp_status status = questions[which](run, pick_below(run, 4) ? &who : NULL,
                                         &sum);

    keep_sum(run, sum_word(sum, (uint32_t)status));
}


/* ---- Scene --------------------------------------------------------------- */

/* Calls that create are more frequent than those that destroy, so the world
 * fills up. */
static random_call *const calls[] = {
    call_body_create,
    call_body_create,
    call_body_create,
    call_set_gravity,
    call_body_destroy,
    call_set_transform,
    call_set_velocity,
    call_set_velocity,
    call_set_mass,
    call_set_damping,
    call_set_max_speed,
    call_set_locks,
    call_set_gravity_scale,
    call_set_bullet,
    call_enable_sleep,
    call_set_awake,
    call_set_awake,
    call_set_user,
    call_force,
    call_center_force,
    call_torque,
    call_impulse,
    call_center_impulse,
    call_angular_impulse,
    call_shape_create,
    call_shape_create,
    call_shape_create,
    call_shape_destroy,
    call_set_material,
    call_set_filter,
    call_set_surface,
    call_joint_create,
    call_joint_create,
    call_joint_create,
    call_joint_destroy,
    call_set_limit,
    call_set_cone,
    call_set_spring,
    call_set_motor,
    call_set_strength,
    call_set_joint_user,
};

void call_any(scene_run *run)
{
    call_one(run, calls, sizeof calls / sizeof calls[0]);
}

/* Takes a snapshot, makes some calls and undoes them. */
static void call_and_restore(scene_run *run)
{
    static unsigned char saved[12000]; /* for at most 32 bodies and shapes */
    size_t size = sizeof saved;
    uint32_t hash = vsp_world_hash(run->world);

    if (vsp_world_snapshot(run->world, saved, size, &size) < 0)
        run->failures++;
    call_any(run);
    call_any(run);
    if (vsp_record_restore(scene_recorder(run), saved, size) < 0 ||
        vsp_world_hash(run->world) != hash)
        run->failures++;
}

/* A floor (level, hills, or a roof) that bodies may miss; bodies and joints.
 * The scene's number is the capacity in bodies; its seed selects the calls.
 * mark 0: the floor; others: the last body created in a slot */
void build_calls2(scene_run *run)
{
    vsp_body_def def = vsp_body_def_default();
    uint32_t kind = pick_below(run, 4);

    run->stale = 16;
    def.shape = vsp_half_space();
    if (kind == 0)
        def.shape = vsp_table_shape(VSP_SHAPE_MESH, FEW_MESH);
    if (kind == 1)
        def.shape = vsp_table_shape(VSP_SHAPE_HEIGHT_FIELD, FEW_FIELD);
    if (scene_number(run) < 2 || scene_number(run) > 32 ||
        !add_table_set(run->world, TABLES_FEW) ||
        vsp_record_body_create(scene_recorder(run), &def, &run->marks[0]) < 0)
        run->failures++;
    for (int i = 0; i < scene_number(run) / 3; i++)
        call_body_create(run);
    for (int i = 0; i < scene_number(run) / 3; i++)
        call_joint_create(run);
}

/* A third of the time makes no calls on bodies, so that some fall asleep. */
void drive_calls2(scene_run *run, uint32_t step)
{
    look_around(run);
    if (step % 45 >= 30)
        return;
    if (step % 20 == 9)
        call_and_restore(run);
    for (uint32_t left = pick_below(run, 4); left > 0; left--)
        call_any(run);
    if (pick_below(run, 2) == 0)
        ask_any(run);
}

#endif
