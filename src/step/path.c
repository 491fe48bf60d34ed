/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Keeps shells apart from other shapes on their paths through a step (English,
 * Lentine, Fedkiw 2013).  In this order: predicted end poses; pairs of shapes
 * that may hit on their paths; answers to a hit: an impulse, a shorter path, a
 * stop; rounds of answers; the tries of a step.
 *
 * A step is tried up to VSP__PATHS times: whatever would be hit in a try is a
 * contact in the next.  After that bodies are pushed apart, their paths are
 * shortened, or they are stopped, in rounds, until no pair has a hit.  On a
 * path, each corner of a shape moves straight from its start to its end:
 * section 3.1 there. */

#include "step.h"

#if VSP_SHELLS


/* ---- End poses ----------------------------------------------------------- */

static void frame_of(const vsp__body *b, vsp__frame *frame)
{
    frame->position = b->position;
    frame->rotation = b->rotation;
}

static bool does_move(const vsp__body *b)
{
    return vsp__is_awake(b) || vsp__is_moving_kinematic(b);
}

/* Predicts the end pose of a body from its velocity and gravity. */
static void guess_end(const vsp_world *world, const vsp__body *b,
                      vsp__frame *end)
{
    vsp__num h = world->params.dt;
    vsp__v3 v = b->velocity, pull = world->params.gravity;
    vsp__unit_quat turn;

    frame_of(b, end);
    if (!does_move(b))
        return;
    if (vsp__is_dynamic(b)) {
        v3_scale_in(&pull, b->gravity_scale);
        u3_move(&v, h, &pull);
    }
    v3_move_by_rate(&end->position, h, &v, vsp__way_cut(world->params.tick));
    vsp__q_of_spin(&b->spin, h, &turn);
    vsp__q_mul(&turn, &end->rotation, &end->rotation);
    vsp__q_normalize(&end->rotation);
    vsp__flush_each(end, VSP__WORDS(vsp__frame));
}

/* Returns how many pairs of facets the detection of a try, and the rounds after
 * it, may test on paths. */
static uint32_t work_of_paths(const vsp_world *world)
{
    return 65536u + 4096u * world->params.capacity.bodies;
}

/* Whether a shell is kept apart from other shapes: a sensor is not. */
static bool is_solid_shell(const vsp__shape *shape)
{
    return vsp__is_shell(shape) && !(shape->rules & VSP__SENSOR);
}

void vsp__start_paths(vsp_world *world)
{
    vsp__paths *p = vsp__paths_of(world);
    uint32_t i;

    p->shell_count = p->count = p->shown = p->is_again = 0;
    for (i = 0; i < world->shape_limit; i++)
        if (is_solid_shell(world->shapes + i))
            p->shell_count++;
}

void vsp__open_paths(vsp_world *world)
{
    vsp__paths *p = vsp__paths_of(world);
    uint32_t i;

    if (p->shell_count == 0)
        return;
    p->left = work_of_paths(world);
    for (i = 0; i < world->body_limit; i++) {
        frame_of(world->bodies + i, &p->start[i]);
        if (p->count == 0)
            guess_end(world, world->bodies + i, &p->end[0][i]);
    }
    if (p->count == 0)
        p->count = 1;
}


/* ---- Pairs --------------------------------------------------------------- */

/* Lists the pairs of shapes whose swept bounds overlap.  Returns their
 * number. */
static uint32_t find_path_pairs(vsp_world *world)
{
    vsp__find *find = vsp__find_of(world);
    vsp__paths *p = vsp__paths_of(world);
    uint32_t i, dropped = 0, count, scope = world->pair_scope;
    uint32_t spent = world->stats.spent;
    uint32_t *told = &world->contacts[VSP__CONTACTS_AFTER].dropped;

    world->stats.spent &= ~(uint32_t)VSP_SPENT_PAIRS;
    vsp__update_shape_bounds(world);
    for (i = 0; i < world->shape_limit; i++) {
        const vsp__frame *at = p->start + world->shapes[i].body;
        vsp__aabb bounds;
        vsp__pose pose;

        if (world->shapes[i].type == VSP_SHAPE_NONE)
            continue;
        vsp__place_shape(world, i, &at->position, &at->rotation, &pose);
        vsp__find_bounds(world, i, &pose, &bounds);
        vsp__bounds_join(find->bounds + i, &bounds);
    }
    world->pair_scope = VSP__PAIRS_TOUCHED;
    count = vsp__find_pairs(world, &dropped);
    world->pair_scope = scope;
    if (dropped > 0 || (world->stats.spent & VSP_SPENT_PAIRS) != 0)
        p->is_used_up = 1;
    world->stats.spent |= spent;
    if (dropped > *told)
        *told = dropped;
    return count;
}

static bool is_path_pair(const vsp_world *world, uint32_t pair)
{
    const vsp__shape *a = world->shapes + (pair >> 16);
    const vsp__shape *b = world->shapes + (pair & 0xffffu);

    return (vsp__is_shell(a) || vsp__is_shell(b)) &&
           vsp__count_sensors(a, b) == 0;
}

static void bodies_of_pair(const vsp_world *world, uint32_t pair,
                           uint32_t body[2])
{
    body[0] = world->shapes[pair >> 16].body;
    body[1] = world->shapes[pair & 0xffffu].body;
}

/* Computes the first hit of a pair on the paths to `ends`, or to the present
 * poses if that is null. */
static bool find_hit(vsp_world *world, uint32_t pair, const vsp__frame *ends,
                     vsp__path_hit *hit)
{
    vsp__pose start[2], end[2];
    uint32_t slot[2], body[2], i;

    slot[0] = pair >> 16;
    slot[1] = pair & 0xffffu;
    bodies_of_pair(world, pair, body);
    for (i = 0; i < 2; i++) {
        const vsp__frame *from = vsp__paths_of(world)->start + body[i];
        vsp__frame to;

        frame_of(world->bodies + body[i], &to);
        if (ends)
            to = ends[body[i]];
        vsp__place_shape(world, slot[i], &from->position, &from->rotation,
                         &start[i]);
        vsp__place_shape(world, slot[i], &to.position, &to.rotation, &end[i]);
    }
    return vsp__find_path_hit(world, pair, start, end, hit);
}


/* ---- Answers to a hit ---------------------------------------------------- */

/* Marks the path of a body as changed in this round. */
static void note_change(vsp_world *world, uint32_t body)
{
    vsp__paths *p = vsp__paths_of(world);

    p->changed[body] = (uint16_t)p->round;
}

/* Returns the cosine of half the angle between two rotations; negative if one
 * of the quaternions must be negated for the shorter rotation. */
static vsp__num half_cosine(const vsp__unit_quat *p, const vsp__unit_quat *q)
{
    return r_add(u_dot3(p->x, q->x, p->y, q->y, p->z, q->z), u_mul(p->w, q->w));
}

/* how far bodies are stopped */
enum { STOP_MOST = 1, STOP_ALL };

/* Scales the rotation of a body's path by this factor. */
static void cut_turn(vsp_world *world, uint32_t body, vsp__num part)
{
    const vsp__frame *start = vsp__paths_of(world)->start + body;
    vsp__body *b = world->bodies + body;
    vsp__num *to = &b->rotation.x;
    const vsp__num *from = &start->rotation.x;
    bool is_opposite = half_cosine(&start->rotation, &b->rotation) < 0;
    uint32_t k;

    note_change(world, body);
    for (k = 0; k < 4; k++)
        to[k] = r_add(
            from[k], u_mul(part, r_sub(r_signed(to[k], is_opposite), from[k])));
    vsp__q_normalize(&b->rotation);
    vsp__flush_each(to, 4);
}

/* Scales the displacement and the rotation of a body's path by this factor. */
static void cut_way(vsp_world *world, uint32_t body, vsp__num part)
{
    const vsp__frame *start = vsp__paths_of(world)->start + body;
    vsp__body *b = world->bodies + body;
    vsp__v3 way;

    note_change(world, body);
    if (part < VSP__UNIT(0.1))
        vsp__paths_of(world)->stop[body] = STOP_MOST;
    v3_sub_to(&b->position, &start->position, &way);
    b->position = start->position;
    if (!(part > 0)) {
        b->rotation = start->rotation;
        return;
    }
    u3_move(&b->position, part, &way);
    v3_flush_in(&b->position);
    cut_turn(world, body, part);
}

/* Restores a body to its pose before the step.  Returns false if it is stopped
 * already, or does not move. */
static bool freeze(vsp_world *world, uint32_t body)
{
    vsp__paths *p = vsp__paths_of(world);

    if (!does_move(world->bodies + body) || p->stop[body] == STOP_ALL)
        return false;
    cut_way(world, body, 0);
    p->stop[body] = STOP_ALL;
    return true;
}

static void freeze_all(vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        (void)freeze(world, i);
}

/* Returns the displacement of a body along a hit's normal, m, plus a hundredth
 * of its whole displacement. */
static vsp__num way_along(const vsp_world *world, uint32_t body,
                          const vsp__v3 *normal)
{
    vsp__v3 way;

    vsp__v3_from_to(&vsp__paths_of(world)->start[body].position,
                    &world->bodies[body].position, &way);
    return r_add(r_abs(u3_dot_at(normal, &way)),
                 u_mul(VSP__UNIT(0.01), v3_length_at(&way)));
}

/* Shortens the path of the faster body to the rest distance before the hit,
 * where it becomes a contact.  Kinematic bodies do not yield: the rounds that
 * stop bodies handle them. */
static void cut_faster(vsp_world *world, const uint32_t body[2],
                       const vsp__path_hit *hit)
{
    vsp__num rest = vsp__shell_rest(world), part = hit->time, way[2];
    uint32_t i;

    for (i = 0; i < 2; i++)
        way[i] = vsp__is_awake(world->bodies + body[i])
                     ? way_along(world, body[i], &hit->normal)
                     : VSP__REAL(-1.0);
    if (way[0] < 0 && way[1] < 0) {
        note_change(world, body[0]); /* so that the pair is tested again */
        return;
    }
    if (hit->approach > 0)
        part = r_sub(part, u_div(rest, hit->approach));
    cut_way(world, body[way[1] > way[0] ? 1 : 0], part);
}

/* Computes the inverse mass of a body that can be pushed; 0 for others. */
static void find_pushed_mass(const vsp_world *world, uint32_t body,
                             vsp__inverse_mass *inverse)
{
    const vsp__body *b = world->bodies + body;
    vsp__mat3 axes;

    vsp__zero_bytes(inverse, sizeof *inverse);
    if (!vsp__is_awake(b))
        return;
    vsp__q_axes_flushed(&b->rotation, &axes);
    vsp__find_inverse_mass(b, &axes, VSP__W_ZERO, inverse);
}

/* One of the two bodies of an impulse that changes displacements. */
typedef struct path_push {
    vsp__inverse_mass inverse;
    vsp__num share;      /* share of the sum of inverse masses */
    vsp__v3 lever, turn; /* arm x normal; inverse inertia times that */
} path_push;

/* Moves a body by its share of a length along a direction and rotates it, but
 * no point within 1 m of its centre by more than about twice `limit`. */
static void push_path(vsp_world *world, uint32_t body, const path_push *push,
                      const vsp__v3 *normal, vsp__num length, vsp__num limit)
{
    vsp__body *b = world->bodies + body;
    vsp__velocity d;
    vsp__unit_quat turn;
    vsp__num most, k = u_mul(push->share, u_of_real(length));

    if (push->share == 0)
        return;
    d.linear = *normal;
    u3_scale_in(&d.linear, k);
    d.angular = push->turn;
    v3_scale_in(&d.angular, k);
    most = r_max(v3_size_at(&d.linear), v3_size_at(&d.angular));
    limit = u_of_real(limit);
    if (most > limit) {
        u3_scale_in(&d.linear, u_div(limit, most));
        u3_scale_in(&d.angular, u_div(limit, most));
    }
    if (b->flags & VSP__ALL_LOCKS)
        vsp__apply_locks(b, &d);
    d.linear = v3(r_of_unit(d.linear.x), r_of_unit(d.linear.y),
                  r_of_unit(d.linear.z));
    v3_add_in(&b->position, &d.linear);
    v3_flush_in(&d.angular);
    vsp__q_of_vector(&d.angular, &turn);
    vsp__q_mul(&turn, &b->rotation, &b->rotation);
    vsp__q_normalize(&b->rotation);
    vsp__clamp_body(b);
    note_change(world, body);
}

/* Applies an impulse on displacements to two bodies, so that the hit points
 * end farther apart by `need` along a direction, m, if `most`, which bounds
 * the impulse, allows it.  Returns the impulse times the sum of inverse
 * masses, m. */
static vsp__num push_along(vsp_world *world, const uint32_t body[2],
                           const vsp__path_hit *hit, const vsp__v3 *direction,
                           vsp__num need, vsp__num most)
{
    path_push push[2];
    vsp__num sum = VSP__REAL(1.0), length, limit = r_min(need, most);
    vsp__wide masses;
    uint32_t i;

    for (i = 0; i < 2; i++)
        find_pushed_mass(world, body[i], &push[i].inverse);
    masses = w_add(push[0].inverse.mass, push[1].inverse.mass);
    if (w_is_zero(masses)) {
        note_change(world, body[0]); /* so that the pair is tested again */
        return 0;
    }
    for (i = 0; i < 2; i++) {
        path_push *it = push + i;
        vsp__v3 arm;

        it->share = w_to_unit(w_div(it->inverse.mass, masses));
        v3_add_to(&hit->end[i], &hit->origin, &arm);
        vsp__v3_from_to(&world->bodies[body[i]].position, &arm, &arm);
        u3_cross_to(&arm, direction, &it->lever);
        v3_flush_in(&it->lever);
        s3_mul_to(&it->inverse.inertia, &it->lever, &it->turn);
        v3_flush_in(&it->turn);
        sum = r_add(sum, u_mul(it->share, v3_dot_at(&it->lever, &it->turn)));
    }
    length = r_min(r_div(need, sum), most);
    limit = r_add(limit, limit);
    push_path(world, body[0], &push[0], direction, r_neg(length), limit);
    push_path(world, body[1], &push[1], direction, length, limit);
    return length;
}

/* m: larger pushes would turn bodies wildly, so the path is shortened
 * instead */
#define MOST_PUSH VSP__REAL(0.02)

/* Returns how far friction may push features that are pushed apart, m.  Belts
 * get no friction, as they move without displacement. */
static vsp__num most_friction(const vsp_world *world, uint32_t pair,
                              uint32_t material, vsp__num push)
{
    vsp__shape copy;
    const vsp__shape *a = vsp__made_of(world, world->shapes + (pair >> 16),
                                       material, &copy);
    const vsp__shape *b = vsp__made_of(world, world->shapes + (pair & 0xffffu),
                                       material, &copy);

    if (v3_size_at(&a->surface) > 0 || v3_size_at(&b->surface) > 0)
        return 0;
    return r_min(r_mul(vsp__pair_friction(world, a, b), push), MOST_PUSH);
}

/* Section 4.1 there, algorithm 1: pushes hit features apart, and friction
 * undoes as much of their sliding as the impulse allows.  Velocities stay. */
static void push_apart(vsp_world *world, uint32_t pair, const uint32_t body[2],
                       const vsp__path_hit *hit, vsp__num need)
{
    vsp__num size, most;
    vsp__v3 slide, other;

    most = push_along(world, body, hit, &hit->normal, need, VSP__REAL_MAX);
    most = most_friction(world, pair, hit->feature >> 8, most);
    vsp__v3_from_to(&hit->end[1], &hit->on[1], &slide);
    vsp__v3_from_to(&hit->end[0], &hit->on[0], &other);
    v3_sub_in(&slide, &other);
    u3_move(&slide, r_neg(u3_dot_at(&hit->normal, &slide)), &hit->normal);
    v3_flush_in(&slide);
    size = v3_length_at(&slide);
    if (!(most > 0) || !(size > 0))
        return;
    vsp__v3_normalize_by(&slide, size);
    (void)push_along(world, body, hit, &slide, size, most);
}

/* Returns by how much farther apart the points of a hit should end, m. */
static vsp__num need_of(const vsp_world *world, const vsp__path_hit *hit)
{
    vsp__num kept = r_min(vsp__shell_gap(world), hit->distance), apart;
    vsp__v3 way;

    vsp__v3_from_to(&hit->end[0], &hit->end[1], &way);
    apart = u3_dot_at(&hit->normal, &way);
    return r_max(
        r_sub(r_max(r_add(kept, kept),
                    r_min(u_mul(VSP__UNIT(0.5), vsp__shell_rest(world)),
                          hit->distance)),
              apart),
        u_mul(VSP__UNIT(0.25), kept));
}

/* ---- Rounds --------------------------------------------------------------
 * Rounds of pushes, then rounds that only shorten paths, then rounds in which
 * each hit stops both bodies.  These end, as each body is stopped at most once;
 * and if the budget of work is used up, all bodies are stopped.  Stopped bodies
 * have their old poses, to the bit: so the last resort cannot fail. */

#define ROUNDS_OF_PUSHES 56u /* with the first one, which only tests */
#define ANSWER_ROUNDS (ROUNDS_OF_PUSHES + 8u)
#define ANSWERS_OF_PAIR 8u

/* Whether hits may still push bodies.  Pushes move on through a pile, from hit
 * to hit; a shorter path pushes nothing, so an eighth of the work is kept for
 * shorter paths: else all bodies might be stopped, and falling ones would lose
 * a step. */
static bool are_pushes_left(const vsp_world *world)
{
    const vsp__paths *p = vsp__paths_of(world);

    return p->round <= ROUNDS_OF_PUSHES && p->left >= work_of_paths(world) / 8u;
}

/* Answers a hit of two bodies. */
static void answer_hit(vsp_world *world, uint32_t pair, const uint32_t body[2],
                       const vsp__path_hit *hit)
{
    vsp__num need = need_of(world, hit);

    if (need > MOST_PUSH || !are_pushes_left(world))
        cut_faster(world, body, hit);
    else
        push_apart(world, pair, body, hit, need);
}

/* Whether a pair must be tested again: one of its paths changed in this round
 * or the last one. */
static bool is_pair_open(const vsp_world *world, const uint32_t body[2])
{
    const vsp__paths *p = vsp__paths_of(world);

    return p->changed[body[0]] + 1u >= p->round ||
           p->changed[body[1]] + 1u >= p->round;
}

static bool is_work_left(const vsp_world *world)
{
    const vsp__paths *p = vsp__paths_of(world);

    return p->left > 0 && !p->is_used_up;
}

/* Answers the hits of all pairs, or only stops bodies.  Returns whether there
 * were any.  Ends when no work is left. */
static bool clear_round(vsp_world *world, bool stops)
{
    uint32_t count = find_path_pairs(world), i, k, body[2];
    bool is_any = false;
    vsp__path_hit hit;

    for (i = 0; i < count; i++) {
        uint32_t pair = vsp__find_of(world)->pairs[i];

        bodies_of_pair(world, pair, body);
        if (!is_path_pair(world, pair) || !is_pair_open(world, body))
            continue;
        for (k = 0; k < (stops ? 1u : ANSWERS_OF_PAIR); k++) {
            if (!find_hit(world, pair, NULL, &hit))
                break;
            if (!is_work_left(world))
                return true;
            if (stops) {
                is_any = freeze(world, body[0]) || is_any;
                is_any = freeze(world, body[1]) || is_any;
                continue;
            }
            is_any = true;
            answer_hit(world, pair, body, &hit);
        }
    }
    return is_any;
}

/* Returns the index of the present try's path; if no other is free, that of the
 * predicted path. */
static uint32_t last_path(const vsp__paths *p)
{
    return p->count < VSP__PATHS ? p->count : 0;
}

static bool is_same_rotation(const vsp__unit_quat *p, const vsp__unit_quat *q)
{
    return p->x == q->x && p->y == q->y && p->z == q->z && p->w == q->w;
}

/* Stores the hit of a pair for the next detection.  If a rotation was cut,
 * stores the hit on the whole path instead. */
static void store_hit(vsp_world *world, uint32_t pair, const uint32_t body[2],
                      const vsp__path_hit *hit)
{
    const vsp__paths *p = vsp__paths_of(world);
    const vsp__frame *ends = p->end[p->count];
    vsp__path_hit whole = *hit;

    if (!is_same_rotation(&ends[body[0]].rotation,
                          &world->bodies[body[0]].rotation) ||
        !is_same_rotation(&ends[body[1]].rotation,
                          &world->bodies[body[1]].rotation))
        (void)find_hit(world, pair, ends, &whole);
    if (whole.is_hit)
        vsp__tell_hit(world, p->count, pair, &whole);
}

/* Computes the first hit of each pair, and stores it if there is another try.
 * Returns the largest push needed, m; negative if no pair hits. */
static vsp__num look_for_hits(vsp_world *world)
{
    uint32_t count = find_path_pairs(world), i, body[2];
    uint32_t path = vsp__paths_of(world)->count;
    vsp__num most = VSP__REAL(-1.0);
    vsp__path_hit hit;

    if (path < VSP__PATHS)
        vsp__begin_told_hits(world, path);
    for (i = 0; i < count && is_work_left(world); i++) {
        uint32_t pair = vsp__find_of(world)->pairs[i];

        if (!is_path_pair(world, pair))
            continue;
        bodies_of_pair(world, pair, body);
        (void)find_hit(world, pair, NULL, &hit);
        if (path < VSP__PATHS)
            store_hit(world, pair, body, &hit);
        if (!hit.is_hit)
            continue;
        note_change(world, body[0]);
        note_change(world, body[1]);
        most = r_max(most, need_of(world, &hit));
    }
    return most;
}

/* Answers hits until there are none, then stops bodies. */
static void answer_hits(vsp_world *world)
{
    vsp__paths *p = vsp__paths_of(world);
    bool is_any = true;

    while (is_any && is_work_left(world)) {
        p->round++;
        is_any = clear_round(world, p->round > ANSWER_ROUNDS);
    }
}


/* ---- Tries --------------------------------------------------------------- */

/* cosine of half a radian: a path turns by a radian at most */
#define HALF_TURN_COSINE VSP__UNIT(0.8776)

/* Cuts the rotation of a body that turns too far. */
static void limit_turn(vsp_world *world, uint32_t body)
{
    uint32_t k;

    for (k = 0;
         k < 3 && does_move(world->bodies + body) &&
         r_abs(half_cosine(&vsp__paths_of(world)->start[body].rotation,
                           &world->bodies[body].rotation)) < HALF_TURN_COSINE;
         k++)
        cut_turn(world, body, VSP__UNIT(0.5));
}

/* Limits the rotations of all bodies that shells may hit. */
static void limit_turns(vsp_world *world)
{
    uint32_t count = find_path_pairs(world), i, body[2];

    for (i = 0; i < count; i++) {
        uint32_t pair = vsp__find_of(world)->pairs[i];

        if (!is_path_pair(world, pair))
            continue;
        bodies_of_pair(world, pair, body);
        limit_turn(world, body[0]);
        limit_turn(world, body[1]);
    }
}

/* Subtracts the missing share of the gravity speed from a body that fell less
 * than its velocity says: otherwise hanging bodies gather speed. */
static void give_back_fall(const vsp_world *world, const vsp__v3 *wanted,
                           const vsp__v3 *way, vsp__body *b)
{
    vsp__v3 down;
    vsp__num fall, done;

    if (!(vsp__find_down(world, b, &down) > 0))
        return;
    fall = u3_dot_at(&down, wanted);
    done = r_clamp(u3_dot_at(&down, way), 0, r_max(fall, 0));
    if (fall > done)
        vsp__slow_fall(world, b, u_div(r_sub(fall, done), fall), &b->velocity);
}

/* Rotates the spin of a body with the change of its rotation, so that the spin
 * stays the same in the body's frame, and its energy, too. */
static void turn_spin(const vsp__unit_quat *from, vsp__body *b)
{
    vsp__unit_quat back = q_identity();

    vsp__q_div(from, &back, &back);
    vsp__q_rotate(&back, &b->spin, &b->spin);
    vsp__q_rotate(&b->rotation, &b->spin, &b->spin);
}

/* Ends the step of a body whose path was changed.  Stopped bodies lose some of
 * their speed, or they might be stopped in each step. */
static void slow_down(vsp_world *world, uint32_t body)
{
    const vsp__paths *p = vsp__paths_of(world);
    const vsp__frame *wanted_end = &p->end[last_path(p)][body];
    vsp__body *b = world->bodies + body;
    vsp__v3 wanted, way;

    if (!vsp__is_awake(b))
        return;
    vsp__v3_from_to(&p->start[body].position, &wanted_end->position, &wanted);
    vsp__v3_from_to(&p->start[body].position, &b->position, &way);
    give_back_fall(world, &wanted, &way, b);
    if (!is_same_rotation(&wanted_end->rotation, &b->rotation))
        turn_spin(&wanted_end->rotation, b);
    if (p->stop[body] == STOP_ALL)
        u3_scale_in(&b->velocity, VSP__UNIT(0.7));
    if (p->stop[body] != 0)
        u3_scale_in(&b->spin, VSP__UNIT(0.7));
    vsp__clamp_body(b);
}

static void keep_ends(vsp_world *world)
{
    vsp__paths *p = vsp__paths_of(world);
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        frame_of(world->bodies + i, &p->end[last_path(p)][i]);
}

/* Clears all paths, or requests another try if contacts are better than a
 * push. */
static void clear_hits(vsp_world *world)
{
    vsp__paths *p = vsp__paths_of(world);
    vsp__num need = look_for_hits(world);

    if (p->count < VSP__PATHS && need > vsp__shell_rest(world) &&
        is_work_left(world)) {
        p->count++;
        p->is_again = 1;
        return;
    }
    if (need >= 0)
        answer_hits(world);
    if (p->left == 0)
        world->stats.spent |= VSP_SPENT_GAPS;
    if (!is_work_left(world))
        freeze_all(world);
}

void vsp__clear_paths(vsp_world *world)
{
    vsp__paths *p = vsp__paths_of(world);
    uint32_t i;

    if (p->shell_count == 0)
        return;
    p->left = work_of_paths(world);
    p->is_used_up = 0;
    p->round = 1;
    for (i = 0; i < world->body_limit; i++)
        p->changed[i] = p->stop[i] = 0;
    keep_ends(world);
    limit_turns(world);
    clear_hits(world);
    for (i = 0; !p->is_again && i < world->body_limit; i++) {
        if (p->changed[i] > 0)
            slow_down(world, i);
        if (VSP_EVENTS && p->stop[i] == STOP_ALL)
            vsp__report_stop(world, i);
    }
}

bool vsp__retakes_paths(vsp_world *world)
{
    vsp__paths *p = vsp__paths_of(world);

    if (p->shell_count == 0 || !p->is_again)
        return false;
    p->is_again = 0;
    vsp__take_step_back(world, VSP_UNIONS && vsp__are_unions_broken(world));
    return true;
}

#endif /* VSP_SHELLS */
