/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Queries: rays, casts, overlaps, nearest points (VSP_QUERIES).  In this order:
 * one shape, of any type; the walk over all and what it reports; public calls.
 * Nothing here changes state. */

#include "query.h"

#if VSP_QUERIES


/* ---- One shape ----------------------------------------------------------- */

/* Rotates a direction from the world to a pose's frame, flushed. */
static void direction_to_frame(const vsp__pose *pose, vsp__v3 *direction)
{
    v3_flush_in(direction);
    vsp__m3_tmul_flushed(&pose->axes, direction);
}

/* Fills the query's line in the frame of the current shape. */
static void line_to_frame(vsp__query_state *s)
{
    vsp__local_line *l = &s->line;
    vsp__v3 to;

    vsp__v3_from_to(&s->origin, &s->pose->position, &to);
    l->base = r_clamp(vsp__flushed_dot(&s->direction, &to), 0, s->length);
    l->at = l->way = s->direction;
    u3_scale_in(&l->at, l->base);
    v3_sub_in(&l->at, &to);
    direction_to_frame(s->pose, &l->at);
    direction_to_frame(s->pose, &l->way);
    l->first = r_neg(l->base);
    l->last = r_sub(s->limit, l->base);
}

bool vsp__ask_shape(vsp__query_state *s, vsp__query_hit *m)
{
    uint32_t type = s->shape->type;
    vsp__convex target;

    m->slot = s->slot;
    m->part = 0;
    if (s->question == VSP__ASK_BOUNDS && type != VSP_SHAPE_HALF_SPACE)
        return true;
    line_to_frame(s);
    if ((VSP_MESHES || VSP_HEIGHT_FIELDS || VSP_SHELLS) &&
        (vsp__is_surface(s->shape) || vsp__is_shell(s->shape)))
        return vsp__ask_surface(s, m);
    if (s->question >= VSP__ASK_INSIDE)
        return vsp__nearest_on_solid(s, m);
    if (type == VSP_SHAPE_HALF_SPACE)
        return vsp__ask_plane(s, m);
    if (VSP_SDFS && type == VSP_SHAPE_SDF)
        return vsp__ask_sdf(s, m);
    if (s->question == VSP__ASK_RAY)
        return vsp__ray_solid(s, m);
    vsp__make_convex(s->world, s->shape, s->pose, &target);
    if (VSP_CHARACTER && s->question == VSP__ASK_GAP)
        return vsp__gap_to_convex(s, &target, m);
    return vsp__move_query_solid(s, &target, s->limit, m);
}


/* ---- All shapes ---------------------------------------------------------- */

/* Converts a hit for the program. */
static void show_hit(const vsp__query_state *s, const vsp__query_hit *m,
                     vsp_hit *hit)
{
    vsp__num fraction = 0;

    hit->shape = vsp_shape_at(s->world, m->slot);
    hit->body = vsp_shape_body(s->world, hit->shape);
    hit->user = vsp_shape_user(s->world, hit->shape);
    hit->part = m->part;
    if (s->length > 0)
        fraction = r_min(u_div(m->at, s->length), VSP__UNIT(1.0));
    hit->fraction = u_show(fraction);
    hit->distance = r_show(m->at);
    hit->point = v3_show(m->point);
    hit->normal = u3_show(m->normal);
}

/* Finds the first or nearest hit, or none. */
static vsp_status find_first(vsp__query_state *s, vsp_hit *hit)
{
    vsp__query_hit best, m;

    vsp__start_query_walk(s);
    vsp__zero_bytes(&best, sizeof best);
    best.slot = VSP_MAX_SHAPES;
    while (vsp__next_query_shape(s))
        if (vsp__ask_shape(s, &m) && vsp__is_better_hit(&best, &m)) {
            best = m;
            vsp__set_query_limit(s, m.at);
        }
    if (best.slot == VSP_MAX_SHAPES) {
        best.at = s->limit;
        vsp__way_point(s, s->limit, &best.point);
    }
    show_hit(s, &best, hit);
    if (best.slot == VSP_MAX_SHAPES)
        hit->fraction = VSP_R(1.0);
    return VSP_OK;
}

#if VSP_HIT_LISTS

/* Whether a hit comes before another one in a list. */
static bool comes_before(const vsp__query_hit *m, vsp_real distance,
                         const vsp_hit *other)
{
    return distance < other->distance ||
           (!(distance > other->distance) &&
            m->slot < vsp__slot_of_id(other->shape.bits));
}

/* Puts a hit into a sorted list of `count` hits, of which those beyond the
 * capacity are not there. */
static void insert_hit(const vsp__query_state *s, const vsp__query_hit *m,
                       vsp_hit *hits, uint32_t count, uint32_t capacity)
{
    vsp_real distance = r_show(m->at);
    uint32_t i = count < capacity ? count : capacity;

    while (i > 0 && comes_before(m, distance, &hits[i - 1u])) {
        if (i < capacity)
            hits[i] = hits[i - 1u];
        i--;
    }
    if (i < capacity)
        show_hit(s, m, &hits[i]);
}

/* Lists all hits of a displacement. */
static vsp_status list_hits(vsp__query_state *s, vsp_hit *hits,
                            uint32_t capacity, uint32_t *count)
{
    vsp__query_hit m;
    uint32_t found = 0;

    vsp__start_query_walk(s);
    while (vsp__next_query_shape(s))
        if (vsp__ask_shape(s, &m))
            insert_hit(s, &m, hits, found++, capacity);
    *count = found;
    return VSP_OK;
}

#endif /* VSP_HIT_LISTS */

/* Reports a hit to the program.  Returns false when the query must end: the
 * program answered 0 (or a NaN), or changed the world. */
static bool report_hit(vsp__query_state *s, const vsp__query_hit *m,
                       vsp_found *found, void *user)
{
    vsp_real answer;
    vsp_hit hit;

    show_hit(s, m, &hit);
    answer = found(user, &hit);
    if (s->question == VSP__ASK_RAY && answer > 0 && answer < VSP_R(1.0))
        vsp__set_query_limit(s,
                             r_min(s->limit, u_mul(u_read(answer), s->length)));
    return s->world->changes == s->changes && (answer < 0 || answer > 0);
}

/* Reports all hits.  An overlap sets no point and normal, but they are the same
 * on every machine: 0, or those of the last signed distance field. */
static vsp_status find_all(vsp__query_state *s, vsp_found *found, void *user)
{
    bool is_overlap = s->question == VSP__ASK_OVERLAP ||
                      s->question == VSP__ASK_BOUNDS;
    vsp__query_hit m, last;
    bool is_met;

    vsp__zero_bytes(&last, sizeof last);
    vsp__start_query_walk(s);
    while (vsp__next_query_shape(s)) {
        m = last;
        is_met = vsp__ask_shape(s, &m);
        if (VSP_SDFS && s->shape->type == VSP_SHAPE_SDF)
            last = m;
        if (is_overlap) {
            m.at = 0;
            m.point = last.point;
            m.normal = last.normal;
        }
        if (is_met && !report_hit(s, &m, found, user))
            break;
    }
    return s->world->changes == s->changes ? VSP_OK : VSP_ERR_ARG;
}


/* ---- Public calls -------------------------------------------------------- */

vsp_query vsp_query_default(void)
{
    vsp_query query;

    query.filter.category = query.filter.mask = 0xffffffffu;
    query.filter.group = 0;
    query.find_sensors = false;
    query.except.bits = 0;
    query.skip = NULL;
    query.skip_count = 0;
    return query;
}

static VSP__CALLED bool begin_search(vsp__query_state *s, vsp__query_kind asked,
                                     vsp_world *world, const vsp_query *query)
{
    s->world = world;
    s->query = query;
    s->walker = NULL;
    s->question = asked;
    s->axis = 0;
    s->length = s->limit = 0;
    s->direction = s->reach = v3_zero();
    return vsp__is_world(world) &&
           (query == NULL || query->skip_count == 0 || query->skip != NULL);
}

/* Begins a query with a point.  Returns false when an argument is bad. */
static bool begin_at(vsp__query_state *s, vsp__query_kind asked,
                     vsp_world *world, const vsp_query *query,
                     const vsp_vec3 *point)
{
    s->origin = s->ends.low = v3_read(*point);
    v3_flush_in(&s->origin);
    return begin_search(s, asked, world, query) &&
           vsp__is_vector_in_range(point, VSP_MAX_POSITION);
}

/* Begins a query with the solid of a def.  Returns false when an argument is
 * bad. */
static bool begin_with(vsp__query_state *s, vsp__query_kind asked,
                       vsp_world *world, const vsp_query *query,
                       const vsp_shape_def *def, const vsp_transform *from)
{
    vsp__shape shape = {0};
    vsp__frame frame;
    vsp__mat3 axes;
    vsp__v3 half;
    uint32_t k;

    if (!begin_search(s, asked, world, query) || def == NULL ||
        !vsp__read_shape(world, def, &shape) || !vsp__read_pose(from, &frame) ||
        shape.type == VSP_SHAPE_HALF_SPACE ||
        (shape.type > VSP_SHAPE_HULL && !vsp__is_revolved(&shape)))
        return false;
    vsp__q_axes_flushed(&frame.rotation, &axes);
    vsp__q_axes_flushed(&shape.pose.rotation, &s->place.axes);
    vsp__make_convex(world, &shape, &s->place, &s->solid);
    s->start = shape.pose.position;
    v3_flush_in(&s->start);
    vsp__m3_mul_to(&axes, &s->start, &s->start);
    v3_add_in(&s->start, &frame.position);
    v3_flush_in(&s->start);
    vsp__shape_box(world, &shape, &s->origin, &half);
    s->reach = v3(VSP__TOUCH_DISTANCE, VSP__TOUCH_DISTANCE,
                  VSP__TOUCH_DISTANCE);
    for (k = 0; k < 3; k++) {
        vsp__v3 *axis = s->place.axes.axis + k;

        vsp__m3_mul_flushed(&axes, axis);
        u3_move_abs(&s->reach, v3_part(&half, k), axis);
    }
    vsp__m3_mul_to(&s->place.axes, &s->origin, &s->origin);
    v3_add_in(&s->origin, &s->start);
    v3_flush_in(&s->origin);
    return true;
}

vsp_status vsp_ray_cast(vsp_world *world, vsp_vec3 origin, vsp_vec3 way,
                        const vsp_query *query, vsp_hit *hit)
{
    vsp__query_state s;

    if (hit == NULL || !begin_at(&s, VSP__ASK_RAY, world, query, &origin) ||
        !vsp__set_query_way(&s, &way))
        return VSP_ERR_ARG;
    return find_first(&s, hit);
}

vsp_status vsp_ray_cast_all(vsp_world *world, vsp_vec3 origin, vsp_vec3 way,
                            const vsp_query *query, vsp_found *found,
                            void *user)
{
    vsp__query_state s;

    if (found == NULL || !begin_at(&s, VSP__ASK_RAY, world, query, &origin) ||
        !vsp__set_query_way(&s, &way))
        return VSP_ERR_ARG;
    return find_all(&s, found, user);
}

vsp_status vsp_shape_cast(vsp_world *world, const vsp_shape_def *def,
                          vsp_transform pose, vsp_vec3 way,
                          const vsp_query *query, vsp_hit *hit)
{
    vsp__query_state s;

    if (hit == NULL ||
        !begin_with(&s, VSP__ASK_CAST, world, query, def, &pose) ||
        !vsp__set_query_way(&s, &way))
        return VSP_ERR_ARG;
    return find_first(&s, hit);
}

#if VSP_HIT_LISTS

/* Whether there is room for hits, and for their number. */
static bool is_list(const vsp_hit *hits, uint32_t capacity,
                    const uint32_t *count)
{
    return (hits != NULL || capacity == 0) && count != NULL;
}

vsp_status vsp_ray_cast_hits(vsp_world *world, vsp_vec3 origin, vsp_vec3 way,
                             const vsp_query *query, vsp_hit *hits,
                             uint32_t capacity, uint32_t *count)
{
    vsp__query_state s;

    if (!is_list(hits, capacity, count) ||
        !begin_at(&s, VSP__ASK_RAY, world, query, &origin) ||
        !vsp__set_query_way(&s, &way))
        return VSP_ERR_ARG;
    return list_hits(&s, hits, capacity, count);
}

vsp_status vsp_shape_cast_hits(vsp_world *world, const vsp_shape_def *def,
                               vsp_transform pose, vsp_vec3 way,
                               const vsp_query *query, vsp_hit *hits,
                               uint32_t capacity, uint32_t *count)
{
    vsp__query_state s;

    if (!is_list(hits, capacity, count) ||
        !begin_with(&s, VSP__ASK_CAST, world, query, def, &pose) ||
        !vsp__set_query_way(&s, &way))
        return VSP_ERR_ARG;
    return list_hits(&s, hits, capacity, count);
}

#endif /* VSP_HIT_LISTS */

#if VSP_CHARACTER

vsp_status vsp__cast_solid(vsp_world *world, const vsp_shape_def *def,
                           vsp_transform pose, vsp_vec3 way,
                           const vsp_query *query,
                           const vsp__query_walker *walker, vsp_hit *hit)
{
    vsp__query_state s;

    if (!begin_with(&s, VSP__ASK_CAST, world, query, def, &pose) ||
        !vsp__set_query_way(&s, &way))
        return VSP_ERR_ARG;
    s.walker = walker;
    return find_first(&s, hit);
}

bool vsp__find_nearest(vsp_world *world, const vsp_shape_def *capsule,
                       vsp_transform pose, vsp__num margin,
                       const vsp_query *query, const vsp__query_walker *walker,
                       vsp_hit *hit)
{
    vsp__query_state s;

    if (!begin_with(&s, VSP__ASK_GAP, world, query, capsule, &pose))
        return false;
    s.walker = walker;
    s.limit = r_add(s.solid.radius, margin);
    s.solid.radius = 0;
    s.reach = v3_add(s.reach, v3(margin, margin, margin));
    return find_first(&s, hit) == VSP_OK && hit->shape.bits != 0;
}

#endif /* VSP_CHARACTER */

vsp_status vsp_overlap_aabb(vsp_world *world, vsp_vec3 low, vsp_vec3 high,
                            const vsp_query *query, vsp_found *found,
                            void *user)
{
    vsp__v3 margin; /* negative, because bounds in the index are larger */
    vsp__query_state s;

    if (found == NULL || !begin_at(&s, VSP__ASK_BOUNDS, world, query, &low) ||
        !vsp__is_vector_in_range(&high, VSP_MAX_POSITION))
        return VSP_ERR_ARG;
    s.ends.high = v3_read(high);
    if (s.ends.low.x > s.ends.high.x || s.ends.low.y > s.ends.high.y ||
        s.ends.low.z > s.ends.high.z)
        return VSP_ERR_ARG;
    margin.x = margin.y = margin.z = r_neg(
        u_mul(VSP__UNIT(0.5), world->params.envelope));
    vsp__bound_segment(&s.ends.low, &s.ends.high, &margin, &s.bounds);
    return find_all(&s, found, user);
}

vsp_status vsp_overlap_shape(vsp_world *world, const vsp_shape_def *def,
                             vsp_transform pose, const vsp_query *query,
                             vsp_found *found, void *user)
{
    vsp__query_state s;

    if (found == NULL ||
        !begin_with(&s, VSP__ASK_OVERLAP, world, query, def, &pose))
        return VSP_ERR_ARG;
    return find_all(&s, found, user);
}

vsp_status vsp_point_inside(vsp_world *world, vsp_vec3 point,
                            const vsp_query *query, vsp_found *found,
                            void *user)
{
    vsp__query_state s;

    if (found == NULL || !begin_at(&s, VSP__ASK_INSIDE, world, query, &point))
        return VSP_ERR_ARG;
    return find_all(&s, found, user);
}

bool vsp__begin_nearest(vsp__query_state *s, vsp_world *world,
                        const vsp_query *query, const vsp_vec3 *point)
{
    const vsp__unit_quat no_turn = q_identity();

    if (!begin_at(s, VSP__ASK_NEAREST, world, query, point))
        return false;
    vsp__make_core(&s->solid, &s->place, VSP__CORE_POINT);
    vsp__q_axes_flushed(&no_turn, &s->place.axes);
    s->place.position = s->origin;
    return true;
}

vsp_status vsp_closest_point(vsp_world *world, vsp_vec3 point,
                             vsp_real max_distance, const vsp_query *query,
                             vsp_hit *hit)
{
    vsp__query_state s;

    if (hit == NULL || !vsp__begin_nearest(&s, world, query, &point) ||
        !caller_in(max_distance, VSP_R(0.0001), VSP_MAX_POSITION))
        return VSP_ERR_ARG;
    s.limit = r_read(max_distance);
    return find_first(&s, hit);
}

#endif /* VSP_QUERIES */
