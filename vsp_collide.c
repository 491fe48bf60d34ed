/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* From shapes and poses to contacts, in this order: mass of shapes, poses
 * and bounds, sorting, the broad phase (which pairs may touch), the narrow
 * phase (where they do, one function for each pair of shape types), the
 * choice of the deepest when capacities end, and the three functions that
 * vsp_internal.h promises.  Nothing here knows a velocity, and nothing is
 * remembered from one step to the next. */

#include "vsp_internal.h"


/* ---- Mass of shapes ------------------------------------------------------ */

static vsp__wide shape_volume(const vsp__shape *shape)
{
    vsp__wide x = w_of_real(shape->size.x), y = w_of_real(shape->size.y);
    vsp__wide z = w_of_real(shape->size.z);

    switch (shape->type) {
    case VSP_SHAPE_SPHERE: /* 4/3 pi r^3 */
        return w_mul(w_of_real(VSP__R(4.18879020)), w_mul(x, w_mul(x, x)));
    case VSP_SHAPE_BOX:
        return w_mul(w_of_real(VSP__R(8.0)), w_mul(x, w_mul(y, z)));
    case VSP_SHAPE_CAPSULE: /* 2 pi r^2 (h + 2/3 r) */
        if (!VSP_CAPSULES)
            break;
        return w_mul(w_of_real(VSP__R(6.28318531)),
                     w_mul(w_mul(x, x),
                           w_add(y, w_mul(x, w_of_unit(VSP__U(2.0 / 3.0))))));
    default:
        break;
    }
    return W_ZERO;
}

/* Inertia of one kilogram of a capsule: of its cylinder, a part k of its
 * mass, and of the two half balls, whose centres are 3/8 r beyond its ends.
 * About y: k r^2 / 2 + (1 - k) 2/5 r^2.  Across: k (r^2 / 4 + h^2 / 3) +
 * (1 - k) (2/5 r^2 + h^2 + 3/4 r h). */
static void capsule_inertia(const vsp__shape *shape, vsp__sums *sums)
{
    vsp__real r = shape->size.x, h = shape->size.y;
    vsp__real ends = u_mul(VSP__U(2.0 / 3.0), r); /* as long as a cylinder */
    vsp__real k = u_div(h, r_add(h, ends)), rest = VSP__U(1.0) - k;
    vsp__square rr = r_square(r), hh = r_square(h);

    sums->yy = r_part(rr, u_mul(VSP__U(0.5), k)) +
               r_part(rr, u_mul(VSP__U(0.4), rest));
    sums->xx = r_part(rr, u_mul(VSP__U(0.25), k)) +
               r_part(hh, u_mul(VSP__U(1.0 / 3.0), k)) +
               r_part(rr, u_mul(VSP__U(0.4), rest)) + r_part(hh, rest) +
               r_part(r_product(r, h), u_mul(VSP__U(0.75), rest));
    sums->zz = sums->xx;
}

/* m^2: inertia of one kilogram about the centre, in the shape's own axes;
 * products are 0 */
static void specific_inertia(const vsp__shape *shape, vsp__sym3 *s)
{
    vsp__square xx = r_square(shape->size.x), yy = r_square(shape->size.y);
    vsp__square zz = r_square(shape->size.z);
    vsp__real k = VSP__U(1.0 / 3.0);
    vsp__sums sums = {0, 0, 0, 0, 0, 0};

    if (VSP_CAPSULES && shape->type == VSP_SHAPE_CAPSULE) {
        capsule_inertia(shape, &sums);
        vsp__sum_up(&sums, s);
        return;
    }
    if (shape->type == VSP_SHAPE_SPHERE) {
        yy = zz = xx;
        k = VSP__U(0.2);
    }
    sums.xx = yy + zz;
    sums.yy = xx + zz;
    sums.zz = xx + yy;
    vsp__sum_up(&sums, s);
    vsp__scale(s, k);
}

/* what a table says that its solid weighs; null for what has no mass */
static const vsp_bulk *shape_bulk(const vsp_world *world,
                                  const vsp__shape *shape)
{
    const vsp_hull *hull;
    const vsp_sdf *sdf;

    if (VSP_HULLS && shape->type == VSP_SHAPE_HULL) {
        hull = (const vsp_hull *)world->tables[shape->table - 1u];
        return &hull->bulk;
    }
    if (VSP_SDFS && shape->type == VSP_SHAPE_SDF) {
        sdf = (const vsp_sdf *)world->tables[shape->table - 1u];
        return &sdf->bulk;
    }
    return (const vsp_bulk *)0;
}

/* binary32 bits of m^2; what is as good as 0 may be any */
static vsp__square square_of_bits(uint32_t bits)
{
    return square_of_wide(w_flush(w_from_bits(bits)));
}

static void weigh_bulk(const vsp_bulk *bulk, vsp__matter *m)
{
    vsp__sums sums;
    uint32_t i;

    vsp__place(&bulk->center, &m->center);
    for (i = 0; i < 6; i++)
        (&sums.xx)[i] = square_of_bits(bulk->inertia[i]);
    vsp__sum_up(&sums, &m->inertia);
}

void vsp__weigh_shape(const vsp_world *world, const vsp__shape *shape,
                      vsp__matter *m)
{
    const vsp_bulk *bulk = shape_bulk(world, shape);
    vsp__mat3 axes;

    vsp__clear(m, sizeof *m);
    m->mass = w_flush(w_mul(bulk != (const vsp_bulk *)0
                                ? w_from_bits(bulk->volume)
                                : shape_volume(shape),
                            w_flush(shape->density)));
    if (w_is_zero(m->mass))
        return;
    if (bulk != (const vsp_bulk *)0)
        weigh_bulk(bulk, m);
    else
        specific_inertia(shape, &m->inertia);
    if (shape->type != VSP_SHAPE_SPHERE) {
        vsp__flushed_axes(shape->pose.rotation, &axes);
        vsp__rotate(&axes, &m->inertia);
        m3_mul_to(&axes, &m->center, &m->center);
    }
    v3_add_in(&m->center, &shape->pose.position);
    s3_flush(&m->inertia);
}


/* ---- Poses and bounds ---------------------------------------------------- */

/* from the body's centre of mass to the shape's centre, in the body's axes */
static void shape_arm(const vsp_world *world, uint32_t slot, vsp__vec3 *arm)
{
    const vsp__shape *shape = world->shapes + slot;

    vsp__way(&world->bodies[shape->body].matter.center,
             &shape->pose.position, arm);
}

/* three numbers */
#if defined __OPTIMIZE_SIZE__
#define are_zero(a) vsp__are_zero(a, 3)
#else
static bool are_zero(const vsp__real *a)
{
    return a[0] == 0 && a[1] == 0 && a[2] == 0;
}
#endif

/* The pose of a body becomes that of its shape.  Small parts of axes are
 * flushed, so that products of three are normal: a body's are, and a shape that
 * is not turned in its body has just these. */
static void shape_pose(const vsp_world *world, uint32_t slot,
                       vsp__pose *pose)
{
    const vsp__quat *turn = &world->shapes[slot].pose.rotation;
    vsp__mat3 axes;
    vsp__vec3 arm;
    uint32_t i;

    shape_arm(world, slot, &arm);
    if (!are_zero(&arm.x)) {
        m3_mul_to(&pose->axes, &arm, &arm);
        v3_add_in(&pose->position, &arm);
        v3_flush_in(&pose->position);
    }
    if (are_zero(&turn->x))
        return;
    axes = pose->axes;
    vsp__flushed_axes(*turn, &pose->axes);
    for (i = 0; i < 3; i++)
        vsp__flushed_mul(&axes, pose->axes.axis + i);
}

/* The pose of a shape where it is, by the axes of the solve. */
static void pose_in_solve(const vsp_world *world, uint32_t slot,
                          vsp__pose *pose)
{
    uint32_t body = world->shapes[slot].body;

    pose->position = world->bodies[body].position;
    pose->axes = world->work.solve.axes[body];
    shape_pose(world, slot, pose);
}

/* Adds to sum how far a box of a size reaches along the axes of the world. */
static void add_extent(const vsp__mat3 *axes, const vsp__vec3 *size,
                       vsp__vec3 *sum)
{
    u3_move_abs(sum, size->x, &axes->axis[0]);
    u3_move_abs(sum, size->y, &axes->axis[1]);
    u3_move_abs(sum, size->z, &axes->axis[2]);
}

bool vsp__bounds_meet(const vsp__bounds *a, const vsp__bounds *b)
{
    uint32_t k;

    for (k = 0; k < 3; k++)
        if (!((&a->low.x)[k] <= (&b->high.x)[k] &&
              (&b->low.x)[k] <= (&a->high.x)[k]))
            return false;
    return true;
}

void vsp__bounds_of(const vsp__vec3 *point, vsp__bounds *bounds)
{
    bounds->low = bounds->high = *point;
}

void vsp__bounds_join(vsp__bounds *to, const vsp__bounds *from)
{
    vsp__real *low = &to->low.x, *high = &to->high.x;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        low[k] = r_min(low[k], (&from->low.x)[k]);
        high[k] = r_max(high[k], (&from->high.x)[k]);
    }
}

void vsp__bounds_grow(vsp__bounds *bounds, vsp__real margin)
{
    vsp__vec3 reach = v3(margin, margin, margin);

    v3_sub_in(&bounds->low, &reach);
    v3_add_in(&bounds->high, &reach);
}

/* bounds of places */
static void place_box(const vsp_place *low, const vsp_place *high,
                      vsp__vec3 *middle, vsp__vec3 *half)
{
    vsp__place(low, middle);
    vsp__place(high, half);
    v3_add_in(middle, half);
    u3_scale_in(middle, VSP__U(0.5));
    v3_sub_in(half, middle);
}

static void hull_box(const vsp_hull *hull, vsp__vec3 *middle,
                     vsp__vec3 *half)
{
    vsp_place low, high;
    uint32_t i, k;

    for (k = 0; k < 3; k++) {
        int32_t least = INT32_MAX, most = INT32_MIN;

        for (i = 0; i < hull->vertex_count; i++) {
            int32_t at = (&hull->vertices[i].x)[k];

            least = at < least ? at : least;
            most = at > most ? at : most;
        }
        (&low.x)[k] = least;
        (&high.x)[k] = most;
    }
    place_box(&low, &high, middle, half);
}

/* m: how far below its origin a height field is felt */
#define FIELD_DEPTH 500

static void field_box(const vsp_height_field *field, vsp__vec3 *middle,
                      vsp__vec3 *half)
{
    vsp_place low, high;

    high.x = (field->columns - 1) * (field->cell / 2);
    high.y = field->high * field->step;
    high.z = (field->rows - 1) * (field->cell / 2);
    low.x = -high.x;
    low.y = -FIELD_DEPTH * VSP_PLACE; /* solid below */
    low.z = -high.z;
    place_box(&low, &high, middle, half);
}

static void sdf_box(const vsp_sdf *sdf, vsp__vec3 *middle, vsp__vec3 *half)
{
    vsp_place high = sdf->low;
    uint32_t k;

    for (k = 0; k < 3; k++)
        (&high.x)[k] += (sdf->count[k] - 1) * sdf->cell;
    place_box(&sdf->low, &high, middle, half);
}

static void table_box(const vsp__shape *shape, const void *table,
                      vsp__vec3 *middle, vsp__vec3 *half)
{
    const vsp_mesh *mesh = (const vsp_mesh *)table;

    if (VSP_HULLS && shape->type == VSP_SHAPE_HULL)
        hull_box((const vsp_hull *)table, middle, half);
    else if (VSP_MESHES && shape->type == VSP_SHAPE_MESH)
        place_box(&mesh->nodes[0].low, &mesh->nodes[0].high, middle, half);
    else if (VSP_HEIGHT_FIELDS && shape->type == VSP_SHAPE_HEIGHT_FIELD)
        field_box((const vsp_height_field *)table, middle, half);
    else if (VSP_SDFS && shape->type == VSP_SHAPE_SDF)
        sdf_box((const vsp_sdf *)table, middle, half);
}

/* A shape as a box in its own frame, and the radius around that. */
static vsp__real core_box(const vsp_world *world, const vsp__shape *shape,
                          vsp__vec3 *middle, vsp__vec3 *half)
{
    *middle = *half = v3_zero();
    if (shape->table != 0)
        table_box(shape, world->tables[shape->table - 1u], middle, half);
    else if (shape->type == VSP_SHAPE_BOX)
        *half = shape->size;
    else if (VSP_CAPSULES && shape->type == VSP_SHAPE_CAPSULE)
        half->y = shape->size.y;
    return shape->type == VSP_SHAPE_SPHERE ||
                   shape->type == VSP_SHAPE_CAPSULE
               ? shape->size.x
               : 0;
}

void vsp__shape_box(const vsp_world *world, const vsp__shape *shape,
                    vsp__vec3 *middle, vsp__vec3 *half)
{
    vsp__real radius = core_box(world, shape, middle, half);
    vsp__vec3 more = v3(radius, radius, radius);

    v3_add_in(half, &more);
}

static bool is_surface(const vsp__shape *shape)
{
    return (VSP_MESHES && shape->type == VSP_SHAPE_MESH) ||
           (VSP_HEIGHT_FIELDS && shape->type == VSP_SHAPE_HEIGHT_FIELD);
}

static bool is_sdf(const vsp__shape *shape)
{
    return VSP_SDFS && shape->type == VSP_SHAPE_SDF;
}

/* Which of two shapes is a: surfaces, then signed-distance solids. */
static uint32_t pair_rank(const vsp__shape *shape)
{
    return is_surface(shape) ? 2u : is_sdf(shape) ? 1u : 0u;
}

static bool has_parts(const vsp_world *world, uint32_t pair)
{
    return pair_rank(world->shapes + (pair >> 16)) > 0 ||
           pair_rank(world->shapes + (pair & 0xffffu)) > 0;
}

static bool is_bounded(const vsp__shape *shape)
{
    return shape->type != VSP_SHAPE_NONE &&
           shape->type != VSP_SHAPE_HALF_SPACE;
}

/* The pose of a shape, and its bounds with half of the envelope around them;
 * of what has none its origin. */
static void place_shape(const vsp_world *world, uint32_t slot,
                        vsp__pose *pose, vsp__bounds *bounds)
{
    const vsp__shape *shape = world->shapes + slot;
    const vsp__body *body = world->bodies + shape->body;
    vsp__real half = u_mul(VSP__U(0.5), world->params.envelope);
    vsp__vec3 margin = v3(half, half, half), reach, middle, size;
    vsp__real radius;

    pose->position = body->position;
    vsp__flushed_axes(body->rotation, &pose->axes);
    shape_pose(world, slot, pose);
    vsp__bounds_of(&pose->position, bounds);
    if (!is_bounded(shape))
        return;
    radius = core_box(world, shape, &middle, &size);
    reach = v3(radius, radius, radius);
    add_extent(&pose->axes, &size, &reach);
    if (shape->table != 0)
        m3_mul_to(&pose->axes, &middle, &middle);
    v3_add_in(&reach, &margin);
    v3_add_in(&bounds->low, &middle);
    bounds->high = bounds->low;
    v3_sub_in(&bounds->low, &reach);
    v3_add_in(&bounds->high, &reach);
}

void vsp__place_shapes(vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->shape_limit; i++)
        if (world->shapes[i].type != VSP_SHAPE_NONE)
            place_shape(world, i, world->work.find.poses + i,
                        world->work.find.bounds + i);
}


/* ---- Sorting ------------------------------------------------------------- */

/* Few keys, and order with them: one after the other goes to its place. */
static void insert_keys(uint32_t *keys, uint16_t *order, uint32_t count)
{
    uint32_t i, k;

    for (i = 1; i < count; i++) {
        uint32_t key = keys[i];
        uint16_t what = order[i];

        for (k = i; k > 0 && keys[k - 1] > key; k--) {
            keys[k] = keys[k - 1];
            order[k] = order[k - 1];
        }
        keys[k] = key;
        order[k] = what;
    }
}

/* Fills first[d]: where the keys with digit d begin. */
static void count_digits(const uint32_t *keys, uint32_t count, uint32_t shift,
                         uint32_t mask, uint32_t *first, uint32_t digits)
{
    uint32_t i, sum = 0;

    for (i = 0; i < digits; i++)
        first[i] = 0;
    for (i = 0; i < count; i++)
        first[keys[i] >> shift & mask]++;
    for (i = 0; i < digits; i++) {
        uint32_t n = first[i];

        first[i] = sum;
        sum += n;
    }
}

/* Many keys: least digit first, by counting.  Digits of 6 bits: few passes,
 * and counters that fit a small stack. */
#define DIGIT_BITS 6u
#define DIGIT_COUNT (1u << DIGIT_BITS)

/* A pass, from one half of both arrays to the other. */
static void scatter_shapes(uint32_t *keys, uint16_t *order, uint32_t count,
                           uint32_t from, uint32_t shift)
{
    uint32_t first[DIGIT_COUNT], to = VSP_MAX_SHAPES - from, i;

    count_digits(keys + from, count, shift, DIGIT_COUNT - 1u, first,
                 DIGIT_COUNT);
    for (i = 0; i < count; i++) {
        uint32_t key = keys[from + i];
        uint32_t place = to + first[key >> shift & (DIGIT_COUNT - 1u)]++;

        keys[place] = key;
        order[place] = order[from + i];
    }
}

/* Sorts sort_order by sort_keys, which have 30 bits, stably. */
static void sort_shapes(vsp_world *world, uint32_t count)
{
    uint32_t *keys = world->work.find.sort_keys, from = 0, shift, i;
    uint16_t *order = world->work.find.sort_order;

    if (VSP_MAX_SHAPES <= DIGIT_COUNT || count <= DIGIT_COUNT) {
        insert_keys(keys, order, count);
        return;
    }
    for (shift = 0; shift < 30; shift += DIGIT_BITS) {
        scatter_shapes(keys, order, count, from, shift);
        from = VSP_MAX_SHAPES - from;
    }
    for (i = 0; i < count; i++) /* passes are an odd number */
        order[i] = order[from + i];
}

/* A pass: pairs by one of their shapes. */
static void scatter_pairs(const vsp_world *world, const uint32_t *from,
                          uint32_t *to, uint32_t count, uint32_t shift,
                          uint32_t *first)
{
    uint32_t i;

    count_digits(from, count, shift, 0xffffu, first, world->shape_limit);
    for (i = 0; i < count; i++)
        to[first[from[i] >> shift & 0xffffu]++] = from[i];
}

/* Sorts find.pairs: by the second, then by the first shape. */
static void sort_pairs(vsp_world *world, uint32_t count)
{
    uint32_t *pairs = world->work.find.pairs;
    uint32_t *first = world->work.find.sort_keys; /* of no use any more */

    scatter_pairs(world, pairs, pairs + VSP_MAX_PAIRS, count, 0, first);
    scatter_pairs(world, pairs + VSP_MAX_PAIRS, pairs, count, 16, first);
}


/* ---- Broad phase: which pairs -------------------------------------------- */

/* pairs found so far, in find.pairs */
typedef struct pair_list {
    vsp_world *world;
    uint32_t count, dropped;
} pair_list;

bool vsp__filter_lets(const vsp_filter *f, const vsp_filter *g)
{
    if (f->group == g->group && f->group != 0)
        return f->group > 0;
    return (f->category & g->mask) != 0 && (g->category & f->mask) != 0;
}

/* see vsp__sought; without sleep all that is dynamic is awake */
static bool is_sought(const vsp_world *world, const vsp__body *a,
                      const vsp__body *b)
{
    if (!vsp__is_dynamic(a) && !vsp__is_dynamic(b))
        return false;
    if (!VSP_SLEEP || world->sought == VSP__SEEK_ALL)
        return true;
    if (world->sought == VSP__SEEK_AWAKE &&
        (vsp__is_asleep(a) || vsp__is_asleep(b)))
        return false;
    return vsp__is_awake(a) || vsp__is_awake(b) || vsp__is_mover(a) ||
           vsp__is_mover(b);
}

/* whether one of two is a sensor: 2 if both */
static uint32_t sensors_of(const vsp__shape *a, const vsp__shape *b)
{
    return VSP_EVENTS ? (uint32_t)((a->rules & VSP__SENSOR) +
                                   (b->rules & VSP__SENSOR)) / VSP__SENSOR
                      : 0;
}

static bool is_static(const vsp__body *body)
{
    return body->type == (uint32_t)VSP_STATIC + 1u;
}

/* whether filters and joints let two shapes of two bodies touch */
static bool are_let(const vsp_world *world, const vsp__shape *a,
                    const vsp__shape *b)
{
    return vsp__filter_lets(&a->filter, &b->filter) &&
           !(VSP_JOINTS && vsp__are_joined(world, a->body, b->body));
}

static bool may_collide(const vsp_world *world, uint32_t a, uint32_t b)
{
    const vsp__shape *shape_a = world->shapes + a;
    const vsp__shape *shape_b = world->shapes + b;
    const vsp__body *body_a = world->bodies + shape_a->body;
    const vsp__body *body_b = world->bodies + shape_b->body;
    uint32_t sensors = sensors_of(shape_a, shape_b);

    if (shape_a->body == shape_b->body || sensors > 1)
        return false;
    if (sensors == 1)
        return !(is_static(body_a) && is_static(body_b)) &&
               vsp__filter_lets(&shape_a->filter, &shape_b->filter);
    return is_sought(world, body_a, body_b) &&
           are_let(world, shape_a, shape_b);
}

bool vsp__may_touch(const vsp_world *world, uint32_t a, uint32_t b)
{
    const vsp__shape *shape_a = world->shapes + a;
    const vsp__shape *shape_b = world->shapes + b;

    return shape_a->body != shape_b->body &&
           sensors_of(shape_a, shape_b) == 0 &&
           are_let(world, shape_a, shape_b);
}

static void add_pair(pair_list *list, uint32_t a, uint32_t b)
{
    if (!may_collide(list->world, a, b))
        return;
    if (list->count == list->world->params.capacity.pairs)
        list->dropped++;
    else
        list->world->work.find.pairs[list->count++] = a << 16 | b;
}

/* whether anything of the bounds is less than the envelope above a plane */
static bool bounds_reach(const vsp__bounds *bounds, const vsp__pose *plane,
                         vsp__real margin)
{
    const vsp__vec3 *n = &plane->axes.axis[1];
    vsp__vec3 low = bounds->low;
    uint32_t k;

    for (k = 0; k < 3; k++)
        if (!((&n->x)[k] > 0))
            (&low.x)[k] = (&bounds->high.x)[k];
    v3_sub_in(&low, &plane->position);
    return u3_dot_at(n, &low) <= margin;
}

/* Half-spaces have no bounds: each is compared with all bounded shapes, which
 * are listed in sort_order. */
static void pair_half_spaces(pair_list *list, uint32_t bounded_count)
{
    const vsp_world *world = list->world;
    vsp__real margin = u_mul(VSP__U(0.5), world->params.envelope);
    uint32_t i, k;

    for (i = 0; i < world->shape_limit; i++) {
        if (world->shapes[i].type != VSP_SHAPE_HALF_SPACE)
            continue;
        for (k = 0; k < bounded_count; k++) {
            uint32_t other = world->work.find.sort_order[k];

            if (bounds_reach(world->work.find.bounds + other,
                             world->work.find.poses + i, margin))
                add_pair(list, i, other);
        }
    }
}


/* ---- Broad phase: order in space -------------------------------------------
 * Bounded shapes along a Morton curve, so that neighbours in the order are
 * neighbours in space. */

#define MORTON_CELLS 1024 /* along each axis */

/* twice, to save the halving */
static void twice_center(const vsp_world *world, uint32_t shape, vsp__vec3 *c)
{
    const vsp__bounds *bounds = world->work.find.bounds + shape;

    *c = bounds->low;
    v3_add_in(c, &bounds->high);
    v3_flush_in(c);
}

/* sums along the axes */
static void add_totals(vsp__total sum[3], const vsp__vec3 *v)
{
    uint32_t k;

    for (k = 0; k < 3; k++)
        t_add(&sum[k], (&v->x)[k]);
}

/* Lists the bounded shapes by slot.  Returns how many there are; *mean is
 * that of their twice_center. */
static uint32_t list_bounded(vsp_world *world, vsp__vec3 *mean)
{
    vsp__total sum[3] = {0, 0, 0};
    uint32_t i, count = 0;
    vsp__vec3 c;

    *mean = v3_zero();
    for (i = 0; i < world->shape_limit; i++) {
        if (!is_bounded(world->shapes + i))
            continue;
        world->work.find.sort_order[count++] = (uint16_t)i;
        twice_center(world, i, &c);
        add_totals(sum, &c);
    }
    for (i = 0; i < 3 && count > 0; i++)
        (&mean->x)[i] = t_mean(sum[i], count);
    return count;
}

/* Cells per metre.  Three times the mean distance from the mean is cut into
 * half of the cells; what lies outside goes to the outermost cells.  So a
 * few shapes far away do not press all others into one cell. */
static vsp__real morton_scale(const vsp_world *world, uint32_t count,
                              const vsp__vec3 *mean)
{
    vsp__total size = VSP__R(0.001), sum[3] = {0, 0, 0};
    vsp__vec3 c;
    uint32_t k;

    for (k = 0; k < count; k++) {
        twice_center(world, world->work.find.sort_order[k], &c);
        v3_sub_in(&c, mean);
        c = v3_abs(c);
        add_totals(sum, &c);
    }
    for (k = 0; k < 3; k++)
        size = sum[k] > size ? sum[k] : size;
    return t_rate(size, count, VSP__R(MORTON_CELLS / 6.0));
}

/* The cell of a coordinate, two zeros before each of its ten bits:
 * 0 0 1 0 0 1 ... */
static uint32_t morton_bits(vsp__real a)
{
    uint32_t x = (uint32_t)r_to_int(r_clamp(
        r_add(a, VSP__R(MORTON_CELLS / 2)), 0, VSP__R(MORTON_CELLS - 1)));

    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

/* Fills sort_order with the bounded shapes, neighbours side by side.
 * Returns how many there are. */
static uint32_t order_shapes(vsp_world *world)
{
    uint32_t *keys = world->work.find.sort_keys;
    uint16_t *order = world->work.find.sort_order;
    vsp__vec3 mean, c;
    uint32_t count = list_bounded(world, &mean), k;
    vsp__real scale = morton_scale(world, count, &mean);

    for (k = 0; k < count; k++) {
        twice_center(world, order[k], &c);
        vsp__way(&mean, &c, &c);
        v3_scale_in(&c, scale);
        keys[k] = morton_bits(c.x) | morton_bits(c.y) << 1 |
                  morton_bits(c.z) << 2;
    }
    sort_shapes(world, count);
    return count;
}


/* ---- Broad phase: tree --------------------------------------------------- */

static void build_level(vsp_world *world, const vsp__tree *tree,
                        uint32_t level)
{
    vsp__bounds *nodes = world->work.find.tree + tree->first[level];
    uint32_t below = tree->count[level - 1], i;

    for (i = 0; i < below; i++) {
        const vsp__bounds *from = vsp__node(tree, level - 1, i);
        vsp__bounds *to = &nodes[i / 2];

        if (i % 2 == 0) {
            *to = *from;
            continue;
        }
        vsp__bounds_join(to, from);
    }
}

void vsp__shape_tree(const vsp_world *world, uint32_t leaf_count,
                     vsp__tree *tree)
{
    uint32_t level = 0, first = 0;

    tree->world = world;
    tree->count[0] = leaf_count;
    tree->first[0] = 0;
    while (tree->count[level] > 1) {
        uint32_t count = (tree->count[level] + 1) / 2;

        level++;
        tree->count[level] = count;
        tree->first[level] = first;
        first += count;
    }
    tree->top = level;
}

static void build_tree(vsp_world *world, uint32_t leaf_count,
                       vsp__tree *tree)
{
    uint32_t level;

    vsp__shape_tree(world, leaf_count, tree);
    for (level = 1; level <= tree->top; level++)
        build_level(world, tree, level);
}

void vsp__index_shapes(vsp_world *world)
{
    uint32_t i, planes = 0;
    vsp__tree tree;

    world->leaf_count = order_shapes(world);
    build_tree(world, world->leaf_count, &tree);
    for (i = 0; i < world->shape_limit; i++)
        if (world->shapes[i].type == VSP_SHAPE_HALF_SPACE)
            world->work.find.sort_order[VSP_MAX_SHAPES + planes++] =
                (uint16_t)i;
    world->plane_count = planes;
}

/* Pairs a leaf with the leaves after it, without a stack: a node that
 * overlaps is entered, else the next node follows, on the highest level on
 * which it begins. */
static void pair_leaf(pair_list *list, const vsp__tree *tree,
                      uint32_t leaf)
{
    const vsp_world *world = list->world;
    uint32_t slot = world->work.find.sort_order[leaf];
    vsp__bounds bounds = world->work.find.bounds[slot];
    uint32_t level = 0, i = leaf;

    for (;;) {
        i++;
        while (i % 2 == 0 && level < tree->top) {
            i /= 2;
            level++;
        }
        if (i >= tree->count[level])
            return;
        while (vsp__bounds_overlap(&bounds, vsp__node(tree, level, i))) {
            if (level == 0) {
                uint32_t other = world->work.find.sort_order[i];

                uint32_t rank = pair_rank(world->shapes + slot);
                uint32_t other_rank = pair_rank(world->shapes + other);

                if (rank > other_rank || (rank == other_rank && slot < other))
                    add_pair(list, slot, other);
                else
                    add_pair(list, other, slot);
                break;
            }
            level--;
            i *= 2;
        }
    }
}

uint32_t vsp__find_pairs(vsp_world *world, uint32_t *dropped)
{
    vsp__tree tree;
    pair_list list;
    uint32_t leaf, count = order_shapes(world);

    list.world = world;
    list.count = list.dropped = 0;
    pair_half_spaces(&list, count);
    build_tree(world, count, &tree);
    for (leaf = 0; leaf < count; leaf++)
        pair_leaf(&list, &tree, leaf);
    sort_pairs(world, list.count);
    *dropped += list.dropped;
    return list.count;
}


/* ---- Narrow phase ----------------------------------------------------------
 * The functions touch_... return whether two solids are closer than the
 * envelope, and where.  Points are in the axes of the world, each from the
 * centre of its own shape: so far from the origin nothing is lost. */

/* below this, m, a direction between two points is noise */
#define MIN_DISTANCE VSP__R(1e-6)

typedef struct vsp__solid {
    const vsp__shape *shape;
    const vsp__pose *pose;
} placed;

/* how far one goes along the other, a unit vector */
static inline vsp__real flushed_dot(const vsp__vec3 *a, const vsp__vec3 *b)
{
    return r_flush(u3_dot_at(a, b));
}

/* centre of a to centre of b */
static void solid_offset(const placed *a, const placed *b, vsp__vec3 *d)
{
    vsp__way(&a->pose->position, &b->pose->position, d);
}


/* ---- Narrow phase: spheres -------------------------------------------------
 * The functions ..._gap fill the normal and the point on a, and return the
 * gap between a and a sphere; of two spheres far apart only the envelope. */

static vsp__real sphere_gap(const placed *a, const placed *b,
                            vsp__real envelope, vsp__touch *t)
{
    vsp__real radius = a->shape->size.x, distance;
    vsp__real sum = r_add(radius, b->shape->size.x);
    vsp__square square;
    vsp__vec3 *n = &t->normal, *on = &t->points[0].on[0], d;

    solid_offset(a, b, &d);
    square = v3_square_at(&d);
    if (square >= r_square(r_add(sum, envelope)))
        return envelope;
    distance = vsp__root(square);
    *n = v3(0, VSP__U(1.0), 0);
    if (distance > MIN_DISTANCE) {
        *n = d;
        vsp__direct(n, distance);
    }
    v3_flush_in(n);
    *on = *n;
    u3_scale_in(on, radius);
    return r_sub(distance, sum);
}

/* A sphere whose centre is in the box, or as good as in it, leaves by the
 * nearest face: at, in the box's axes, becomes the point there.  Returns how
 * far outside the centre is. */
static vsp__real nearest_face(const vsp__mat3 *axes, const vsp__real *half,
                             vsp__real *at, vsp__vec3 *normal)
{
    vsp__real outside[3];
    uint32_t k, best = 0;

    for (k = 0; k < 3; k++) {
        outside[k] = r_sub(r_abs(at[k]), half[k]);
        if (outside[k] > outside[best])
            best = k;
    }
    *normal = axes->axis[best];
    v3_flip_in(normal, at[best] < 0);
    at[best] = r_signed(half[best], at[best] < 0);
    return outside[best];
}

static vsp__real box_gap(const placed *box, const placed *sphere, vsp__touch *t)
{
    const vsp__mat3 *axes = &box->pose->axes;
    const vsp__real *half = &box->shape->size.x;
    vsp__vec3 *n = &t->normal, *on = &t->points[0].on[0], onto;
    vsp__real distance;
    uint32_t k;

    solid_offset(box, sphere, on);
    vsp__flushed_tmul(axes, on);
    for (k = 0; k < 3; k++)
        (&onto.x)[k] = r_clamp((&on->x)[k], -half[k], half[k]);
    vsp__way(&onto, on, n);
    distance = v3_length_at(n);
    if (distance > MIN_DISTANCE) {
        vsp__direct(n, distance);
        v3_flush_in(n);
        vsp__flushed_mul(axes, n);
        *on = onto;
    } else {
        distance = nearest_face(axes, half, &on->x, n);
    }
    m3_mul_to(axes, on, on);
    return r_sub(distance, sphere->shape->size.x);
}

static vsp__real plane_gap(const placed *plane, const placed *sphere,
                           vsp__touch *t)
{
    vsp__vec3 *n = &t->normal, *on = &t->points[0].on[0];
    vsp__real height;

    *n = plane->pose->axes.axis[1];
    solid_offset(plane, sphere, on);
    height = flushed_dot(n, on);
    u3_move(on, r_neg(height), n);
    return r_sub(height, sphere->shape->size.x);
}

static bool touch_sphere(const placed *a, const placed *sphere,
                         vsp__real envelope, vsp__touch *t)
{
    vsp__touch_point *point = &t->points[0];

    if (a->shape->type == VSP_SHAPE_HALF_SPACE)
        point->gap = plane_gap(a, sphere, t);
    else if (a->shape->type == VSP_SHAPE_BOX)
        point->gap = box_gap(a, sphere, t);
    else
        point->gap = sphere_gap(a, sphere, envelope, t);
    if (!(point->gap < envelope))
        return false;
    t->count = 1;
    point->on[1] = t->normal;
    u3_scale_in(&point->on[1], r_neg(sphere->shape->size.x));
    point->feature = 0;
    return true;
}

void vsp__swap_point(vsp__touch *t)
{
    vsp__vec3 *on = t->points[0].on, on_a = on[0];

    on[0] = on[1];
    on[1] = on_a;
    v3_flip_in(&t->normal, true);
}


/* ---- Narrow phase: half-spaces ------------------------------------------- */

/* the index of the largest magnitude; the first of equals */
static uint32_t largest_of(const vsp__real *v)
{
    uint32_t k = r_abs(v[1]) > r_abs(v[0]) ? 1 : 0;

    return r_abs(v[2]) > r_abs(v[k]) ? 2 : k;
}

/* Takes the face that looks down most: its four vertices are far apart even
 * when a thin plate has all eight in the envelope. */
static bool touch_plane_box(const placed *plane, const placed *box,
                            vsp__real envelope, vsp__touch *t)
{
    vsp__vec3 *n = &t->normal, d;
    vsp__real lean[3];
    uint32_t k, vertex;

    *n = plane->pose->axes.axis[1];
    t->count = 0;
    solid_offset(plane, box, &d);
    for (k = 0; k < 3; k++)
        lean[k] = u3_dot_at(box->pose->axes.axis + k, n);
    k = largest_of(lean);
    for (vertex = 0; vertex < 8; vertex++) {
        vsp__touch_point *point = t->points + t->count;
        vsp__vec3 *from = &point->on[0]; /* the plane's centre to the vertex */

        if ((vertex >> k & 1u) != (lean[k] < 0 ? 1u : 0u))
            continue;
        vsp__corner(&box->shape->size, vertex, &point->on[1]);
        m3_mul_to(&box->pose->axes, &point->on[1], &point->on[1]);
        *from = d;
        v3_add_in(from, &point->on[1]);
        v3_flush_in(from);
        point->gap = flushed_dot(n, from);
        u3_move(from, r_neg(point->gap), n);
        point->feature = vertex;
        if (point->gap < envelope)
            t->count++;
    }
    return t->count > 0;
}


/* ---- Narrow phase: separating axes of two boxes ----------------------------
 * Gottschalk, Lin, Manocha, "OBBTree", 1996: two boxes are apart if and only
 * if they are apart along a face normal or the cross product of two edges. */

/* an edge pair wins over the best face only by more than this, m, and this
 * part of the face's depth: a face gives more points, and they last */
#define EDGE_BIAS VSP__R(0.002)
#define EDGE_BIAS_PART VSP__U(0.05)
/* the same for a face of b over one of a */
#define FACE_BIAS VSP__R(0.0005)
/* squared sine below which edges count as parallel */
#define MIN_SQ_SINE VSP__U(0.001)

static const uint8_t next_axis[3] = {1, 2, 0};
static const uint8_t last_axis[3] = {2, 0, 1};

typedef struct box_pair {
    vsp__vec3 offset;         /* centre of a to centre of b */
    const vsp__vec3 *axis[2]; /* of a and of b */
    const vsp__real *half[2];
    vsp__real along[2][3];    /* offset along axis */
    vsp__real turn[2][3][3];  /* axis[side][i] . axis[1 - side][j] */
} box_pair;

typedef struct box_face {
    vsp__real separation;
    uint32_t side; /* 0: face of a, 1: of b */
    uint32_t axis;
} box_face;

typedef struct box_edges {
    bool found;
    uint32_t axis[2]; /* of a and of b */
} box_edges;

static void set_box(box_pair *p, uint32_t side, const placed *box)
{
    p->axis[side] = box->pose->axes.axis;
    p->half[side] = &box->shape->size.x;
}

/* Fills along of one axis and, of an axis of a, turn. */
static void set_axis(box_pair *p, uint32_t side, uint32_t i)
{
    const vsp__vec3 *axis = &p->axis[side][i];
    uint32_t j;

    p->along[side][i] = flushed_dot(&p->offset, axis);
    for (j = 0; side == 0 && j < 3; j++)
        p->turn[0][i][j] = p->turn[1][j][i] =
            flushed_dot(axis, &p->axis[1][j]);
}

/* Finds the face of one box along which they are farthest apart, or least
 * deep, and fills what is along its axes: of a before b.  Returns false when
 * they are apart by the envelope: many are, along the first axis, and nothing
 * is made of the others. */
static bool best_face(box_pair *p, uint32_t side, vsp__real envelope,
                      box_face *best)
{
    const vsp__real *half = p->half[1 - side];
    uint32_t i;

    best->side = side;
    for (i = 0; i < 3; i++) {
        const vsp__real *turn = p->turn[side][i];
        vsp__real reach, s;

        set_axis(p, side, i);
        reach = u_dot3(half[0], r_abs(turn[0]), half[1], r_abs(turn[1]),
                       half[2], r_abs(turn[2]));
        s = r_sub(r_abs(p->along[side][i]), r_add(p->half[side][i], reach));
        if (s >= envelope)
            return false;
        if (i == 0 || s > best->separation) {
            best->separation = s;
            best->axis = i;
        }
    }
    return true;
}

/* separation along the cross product of edge i of a and edge j of b, times
 * the length of that product */
static vsp__real edge_separation(const box_pair *p, uint32_t i, uint32_t j)
{
    uint32_t i1 = next_axis[i], i2 = last_axis[i];
    uint32_t j1 = next_axis[j], j2 = last_axis[j];
    const vsp__real *to_b = p->turn[0][i], *to_a = p->turn[1][j];
    const vsp__real *half_a = p->half[0], *half_b = p->half[1];
    const vsp__real *along = p->along[0];
    vsp__real distance = u_dot2(along[i2], to_a[i1], -along[i1], to_a[i2]);
    vsp__real reach_a = u_dot2(half_a[i1], r_abs(to_a[i2]),
                               half_a[i2], r_abs(to_a[i1]));
    vsp__real reach_b = u_dot2(half_b[j1], r_abs(to_b[j2]),
                               half_b[j2], r_abs(to_b[j1]));

    return r_sub(r_abs(distance), r_add(reach_a, reach_b));
}

/* Finds the pair of edges that are apart by more than the threshold, and the
 * most.  Returns false when the boxes are apart by the envelope. */
static bool best_edges(const box_pair *p, vsp__real threshold,
                       vsp__real envelope, box_edges *best)
{
    uint32_t i, j;

    best->found = false;
    for (i = 0; i < 3; i++) {
        for (j = 0; j < 3; j++) {
            vsp__real cosine = p->turn[0][i][j];
            vsp__real sq_sine = VSP__U(1.0) - u_mul(cosine, cosine), s;

            if (sq_sine < MIN_SQ_SINE)
                continue;
            /* the sine is at most 1: most edges need no root */
            s = edge_separation(p, i, j);
            if (s <= r_min(threshold, 0))
                continue;
            s = r_mul(s, vsp__rsqrt_unit(sq_sine));
            if (s >= envelope)
                return false;
            if (s > threshold) {
                threshold = s;
                best->found = true;
                best->axis[0] = i;
                best->axis[1] = j;
            }
        }
    }
    return true;
}


/* ---- Narrow phase: two edges --------------------------------------------- */

/* The middle of the edge along axis i that lies farthest in a direction,
 * from the box's centre.  Returns two bits telling which it is. */
static uint32_t edge_middle(const box_pair *p, uint32_t side, uint32_t i,
                            const vsp__vec3 *direction, vsp__vec3 *middle)
{
    const vsp__vec3 *axis = p->axis[side];
    const vsp__real *half = p->half[side];
    uint32_t i1 = next_axis[i], i2 = last_axis[i];
    bool back1 = u3_dot_at(direction, &axis[i1]) < 0;
    bool back2 = u3_dot_at(direction, &axis[i2]) < 0;

    *middle = axis[i1];
    u3_scale_in(middle, r_signed(half[i1], back1));
    u3_move(middle, r_signed(half[i2], back2), &axis[i2]);
    return (back1 ? 1u : 0u) + (back2 ? 2u : 0u);
}

/* s inv, from the middle of an edge, but not beyond its ends */
static vsp__real edge_place(vsp__real s, vsp__real inv, vsp__real half)
{
    return r_clamp(r_flush(r_mul(r_flush(s), inv)), -half, half);
}

/* The points where two edges are closest. */
static bool touch_edges(const box_pair *p, const box_edges *edges,
                        vsp__real envelope, vsp__touch *t)
{
    vsp__real c = p->turn[0][edges->axis[0]][edges->axis[1]];
    vsp__real inv = u_div(VSP__R(1.0), VSP__U(1.0) - u_mul(c, c));
    vsp__touch_point *point = &t->points[0];
    const vsp__vec3 *u[2];
    vsp__vec3 *n = &t->normal, out, d = p->offset;
    uint32_t code = 4u + edges->axis[0] * 3u + edges->axis[1], k;

    for (k = 0; k < 2; k++)
        u[k] = &p->axis[k][edges->axis[k]];
    u3_cross_to(u[0], u[1], n);
    v3_flush_in(n);
    vsp__flushed_normalize(n);
    v3_flip_in(n, u3_dot_at(n, &d) < 0);
    out = *n;
    for (k = 0; k < 2; k++) {
        code = code * 4u + edge_middle(p, k, edges->axis[k], &out,
                                       point->on + k);
        v3_flip_in(&out, true);
    }
    v3_add_in(&d, &point->on[1]);
    v3_sub_in(&d, &point->on[0]);
    v3_flush_in(&d);
    for (k = 0; k < 2; k++) {
        vsp__real s = r_sub(flushed_dot(&d, u[k]),
                            u_mul(c, flushed_dot(&d, u[1 - k])));

        s = edge_place(s, inv, p->half[k][edges->axis[k]]);
        u3_move(point->on + k, r_signed(s, k == 1), u[k]);
    }
    t->count = 1;
    point->gap = u3_dot_at(n, &d);
    point->feature = code;
    return point->gap < envelope;
}


/* ---- Narrow phase: face of one box, clipped face of the other --------------
 * Sutherland and Hodgman, "Reentrant polygon clipping", 1974. */

/* m: how far outside a point still counts as inside, so that boxes of the
 * same size, one on the other, keep their corners */
#define CLIP_TOLERANCE VSP__R(0.00001)
/* parts of squared length: corners of a thinner triangle are left out */
#define MIN_TRIANGLE VSP__U(0.001)

/* The reference face, and the face of the other box that looks at it. */
typedef struct face_pair {
    uint32_t side, axis; /* of the reference face */
    uint32_t other_axis; /* of the incident face */
    bool back, other_back; /* normals point against these axes */
} face_pair;

static void choose_faces(const box_pair *p, const box_face *face,
                         face_pair *f)
{
    const vsp__real *turn = p->turn[face->side][face->axis];

    f->side = face->side;
    f->axis = face->axis;
    f->back = (p->along[f->side][f->axis] > 0) == (f->side == 1);
    f->other_axis = largest_of(turn);
    f->other_back = r_signed(turn[f->other_axis], f->back) > 0;
}

/* Fills coordinate k of the vertices of the incident face, which is along an
 * axis of the reference box. */
static void incident_coordinate(const box_pair *p, const face_pair *f,
                                uint32_t axis, uint32_t k,
                                vsp__polygon *poly)
{
    const vsp__real *half = p->half[1 - f->side];
    const vsp__real *turn = p->turn[f->side][axis];
    uint32_t j = f->other_axis, j1 = next_axis[j], j2 = last_axis[j], i;
    vsp__real center = r_add(r_signed(p->along[f->side][axis], f->side == 1),
                             u_mul(turn[j],
                                   r_signed(half[j], f->other_back)));
    vsp__real side1 = u_mul(turn[j1], half[j1]);
    vsp__real side2 = u_mul(turn[j2], half[j2]);
    vsp__real near = r_add(center, side1), far = r_sub(center, side1);

    for (i = 0; i < 4; i++) {
        vsp__real x = r_add(i == 1 || i == 2 ? far : near,
                            r_signed(side2, i >= 2));

        if (axis == f->axis)
            x = r_sub(r_signed(x, f->back), p->half[f->side][axis]);
        poly->points[i].at[k] = r_flush(x);
    }
}

static void incident_polygon(const box_pair *p, const face_pair *f,
                             vsp__polygon *poly)
{
    uint32_t axis = f->axis, i, k;

    poly->count = 4;
    poly->is_open = false;
    for (i = 0; i < 4; i++)
        poly->points[i].edge = poly->points[i].part = (uint16_t)i;
    for (k = 0; k < 3; k++) {
        axis = next_axis[axis];
        incident_coordinate(p, f, axis, k, poly);
    }
}

/* Finds how far outside of a side (+x, -x, +y, -y) each point is.  Returns
 * whether any is. */
static bool is_outside(const vsp__polygon *poly, uint32_t side,
                       vsp__real limit, vsp__real *distance)
{
    bool is_any = false;
    uint32_t i;

    for (i = 0; i < poly->count; i++) {
        distance[i] = r_sub(r_signed(poly->points[i].at[side / 2],
                                     (side & 1u) != 0), limit);
        if (distance[i] > 0)
            is_any = true;
    }
    return is_any;
}

/* Cuts the edge from a point to the next one where it crosses a side; how far
 * outside of that both are. */
static void cut_edge(const vsp__clip_point *here, const vsp__clip_point *next,
                     vsp__real d, vsp__real d_next, uint32_t side,
                     vsp__clip_point *cut)
{
    vsp__real part = u_div(d, r_sub(d, d_next));
    uint32_t k;

    for (k = 0; k < 3; k++)
        cut->at[k] = r_flush(r_add(
            here->at[k], u_mul(part, r_sub(next->at[k], here->at[k]))));
    cut->part = (uint16_t)(VSP__SIDES + here->edge * VSP__SIDES + side);
    cut->edge = d_next > 0 ? (uint16_t)(VSP__SIDES + side) : here->edge;
}

/* A convex polygon loses one run of points to a side, and gets two instead:
 * in place nothing is written before it was read.  What noise would have
 * more is left out. */
void vsp__clip(vsp__polygon *p, uint32_t side, const vsp__real *outside)
{
    vsp__clip_point first = p->points[0], read[2];
    uint32_t i, count = 0;

    read[0] = first;
    for (i = 0; i < p->count; i++) {
        uint32_t last = i + 1 < VSP__CLIP_POINTS ? i + 1 : i; /* to write */
        bool is_last = i + 1 == p->count;
        vsp__real d = outside[i], d_next = outside[is_last ? 0 : i + 1];
        const vsp__clip_point *here = &read[i & 1u];
        vsp__clip_point *next = &read[1u - (i & 1u)];

        *next = is_last ? first : p->points[i + 1];
        if (!(d > 0) && count <= last)
            p->points[count++] = *here;
        if ((d > 0) != (d_next > 0) && !(p->is_open && is_last) &&
            count <= last)
            cut_edge(here, next, d, d_next, side, p->points + count++);
    }
    p->count = count;
}

void vsp__keep_low(vsp__polygon *p, vsp__real height)
{
    uint32_t i, count = 0;

    for (i = 0; i < p->count; i++)
        if (p->points[i].at[2] < height)
            p->points[count++] = p->points[i];
    p->count = count;
}

/* Clips to the rectangle of the reference face. */
static void clip_to_face(vsp__polygon *poly, vsp__real half_x,
                         vsp__real half_y)
{
    vsp__real distance[VSP__CLIP_POINTS];
    uint32_t side;

    for (side = 0; side < 4; side++)
        if (is_outside(poly, side,
                       r_add(side < 2 ? half_x : half_y, CLIP_TOLERANCE),
                       distance))
            vsp__clip(poly, side, distance);
}

/* The deepest point; among points about as deep the one farthest along a
 * fixed direction, so that noise does not choose. */
static uint32_t first_kept(const vsp__clip_point *points, uint32_t count)
{
    vsp__square best = 0;
    uint32_t i, kept = 0;

    for (i = 0; i < count; i++) {
        const vsp__real *at = points[i].at;
        vsp__square score = r_product(VSP__R(0.8), at[0]) +
                            r_product(VSP__R(0.6), at[1]) +
                            r_product(VSP__R(-100.0), at[2]);

        if (i == 0 || score > best) {
            best = score;
            kept = i;
        }
    }
    return kept;
}

/* a step on the reference face */
typedef struct face_step {
    vsp__real x, y;
} face_step;

static face_step step_between(const vsp__clip_point *p,
                              const vsp__clip_point *q)
{
    face_step s;

    s.x = r_flush(r_sub(q->at[0], p->at[0]));
    s.y = r_flush(r_sub(q->at[1], p->at[1]));
    return s;
}

static uint32_t farthest_from(const vsp__clip_point *points, uint32_t count,
                              uint32_t from)
{
    vsp__square best = -1;
    uint32_t i, kept = from;

    for (i = 0; i < count; i++) {
        face_step d = step_between(&points[from], &points[i]);
        vsp__square square = r_square(d.x) + r_square(d.y);

        if (i != from && square > best) {
            best = square;
            kept = i;
        }
    }
    return kept;
}

uint32_t vsp__choose_points(const vsp__clip_point *points, uint32_t count,
                            uint8_t *kept)
{
    uint32_t i, first = first_kept(points, count), left = first;
    uint32_t right = first, chosen = 2;
    face_step line;
    vsp__square most, least;

    kept[0] = (uint8_t)first;
    kept[1] = (uint8_t)farthest_from(points, count, first);
    line = step_between(&points[first], &points[kept[1]]);
    most = r_part(r_square(line.x) + r_square(line.y), MIN_TRIANGLE);
    least = -most;
    for (i = 0; i < count; i++) {
        face_step d = step_between(&points[first], &points[i]);
        /* twice the area */
        vsp__square s = r_product(line.x, d.y) - r_product(line.y, d.x);

        if (s > most) {
            most = s;
            left = i;
        } else if (s < least) {
            least = s;
            right = i;
        }
    }
    if (left != first)
        kept[chosen++] = (uint8_t)left;
    if (right != first)
        kept[chosen++] = (uint8_t)right;
    return chosen;
}

/* All points of a manifold get different numbers: 0 to 3 a vertex, 4 to 19 an
 * edge on a side, 20 to 23 a corner of the reference face, where a side of x
 * was cut by one of y. */
static uint32_t face_feature(const face_pair *f, uint32_t part)
{
    uint32_t faces = f->side, edge = part / VSP__SIDES - 1u;

    if (part >= VSP__SIDES) {
        part = edge < VSP__SIDES ? 4u + edge * 4u + part % VSP__SIDES
                                 : 20u + (edge & 1u) * 2u + (part & 1u);
    }
    faces = faces * 3u + f->axis;
    faces = faces * 2u + (f->back ? 1u : 0u);
    faces = faces * 3u + f->other_axis;
    faces = faces * 2u + (f->other_back ? 1u : 0u);
    return (faces * 53u + part) & 255u;
}

/* Takes the points to the world. */
static void polygon_to_touch(const box_pair *p, const face_pair *f,
                             const vsp__polygon *poly, vsp__touch *t)
{
    const vsp__vec3 *axis = p->axis[f->side];
    vsp__vec3 out = axis[f->axis], offset = p->offset, top;
    uint8_t kept[4] = {0, 1, 2, 3};
    uint32_t i;

    t->count = poly->count > 4
                   ? vsp__choose_points(poly->points, poly->count, kept)
                   : poly->count;
    v3_flip_in(&out, f->back);
    top = t->normal = out;
    v3_flip_in(&t->normal, f->side == 1);
    v3_flip_in(&offset, f->side == 1);
    u3_scale_in(&top, p->half[f->side][f->axis]);
    for (i = 0; i < t->count; i++) {
        const vsp__clip_point *c = poly->points + kept[i];
        vsp__touch_point *point = t->points + i;
        vsp__vec3 on = top;

        u3_move(&on, c->at[0], &axis[next_axis[f->axis]]);
        u3_move(&on, c->at[1], &axis[last_axis[f->axis]]);
        point->on[f->side] = on;
        u3_move(&on, c->at[2], &out);
        v3_sub_in(&on, &offset);
        point->on[1 - f->side] = on;
        point->gap = c->at[2];
        point->feature = face_feature(f, c->part);
    }
}

static bool touch_faces(const box_pair *p, const box_face *face,
                        vsp__real envelope, vsp__touch *t)
{
    const vsp__real *half = p->half[face->side];
    vsp__polygon poly;
    face_pair f;

    choose_faces(p, face, &f);
    incident_polygon(p, &f, &poly);
    clip_to_face(&poly, half[next_axis[face->axis]],
                 half[last_axis[face->axis]]);
    vsp__keep_low(&poly, envelope);
    polygon_to_touch(p, &f, &poly, t);
    return t->count > 0;
}

bool vsp__touch_boxes(const placed *a, const placed *b, vsp__real envelope,
                      vsp__touch *t)
{
    box_pair p;
    box_face faces[2], *face = &faces[0];
    box_edges edges;
    vsp__real depth;
    uint32_t side;

    solid_offset(a, b, &p.offset);
    set_box(&p, 0, a);
    set_box(&p, 1, b);
    for (side = 0; side < 2; side++)
        if (!best_face(&p, side, envelope, &faces[side]))
            return false;
    depth = r_max(faces[0].separation, faces[1].separation);
    if (faces[1].separation > r_add(faces[0].separation, FACE_BIAS))
        face = &faces[1];
    if (!best_edges(&p, r_add(r_add(depth, EDGE_BIAS),
                              u_mul(EDGE_BIAS_PART, r_abs(depth))),
                    envelope, &edges))
        return false;
    if (!edges.found) {
        if (touch_faces(&p, face, envelope, t))
            return true;
        /* crossed edges, so shallow that the face was preferred, but not
           above it */
        if (!best_edges(&p, depth, envelope, &edges) || !edges.found)
            return false;
    }
    return touch_edges(&p, &edges, envelope, t);
}


/* ---- Narrow phase: any pair ---------------------------------------------- */

static placed make_solid(const vsp__shape *shape, const vsp__pose *pose)
{
    placed s;

    s.shape = shape;
    s.pose = pose;
    return s;
}

/* whether a pair of these has functions of its own, above */
static bool is_plain(const placed *s)
{
    return s->shape->type <= VSP_SHAPE_HALF_SPACE;
}

void vsp__make_convex(const vsp_world *world, const vsp__shape *shape,
                      const vsp__pose *pose, vsp__convex *c)
{
    c->pose = pose;
    c->radius = 0;
    c->half = shape->size;
    c->hull = NULL;
    c->corners = NULL;
    switch (shape->type) {
    case VSP_SHAPE_SPHERE:
        c->core = VSP__POINT;
        c->radius = shape->size.x;
        break;
    case VSP_SHAPE_CAPSULE:
        c->core = VSP__SEGMENT;
        c->radius = shape->size.x;
        break;
    case VSP_SHAPE_HULL:
        c->core = VSP__POLYHEDRON;
        c->hull = (const vsp_hull *)world->tables[shape->table - 1u];
        break;
    default:
        c->core = VSP__BRICK;
    }
}

void vsp__make_surface(const vsp_world *world, const vsp__shape *shape,
                       const vsp__pose *pose, vsp__surface *surface)
{
    const void *table = world->tables[shape->table - 1u];

    surface->pose = pose;
    surface->mesh = NULL;
    surface->field = NULL;
    if (shape->type == VSP_SHAPE_MESH)
        surface->mesh = (const vsp_mesh *)table;
    else
        surface->field = (const vsp_height_field *)table;
}

static bool touch_convex_solids(const vsp_world *world, const placed *a,
                                const placed *b, vsp__touch *t)
{
    vsp__convex first, second;

    vsp__make_convex(world, b->shape, b->pose, &second);
    if (a->shape->type == VSP_SHAPE_HALF_SPACE)
        return vsp__touch_plane(a->pose, &second, world->params.envelope, t);
    vsp__make_convex(world, a->shape, a->pose, &first);
    return vsp__touch_convex(&first, &second, world->params.envelope, t);
}

/* A half-space is always a. */
static bool touch_solids(const vsp_world *world, const placed *a,
                         const placed *b, vsp__touch *t)
{
    vsp__real envelope = world->params.envelope;

    if ((VSP_CAPSULES || VSP_HULLS) && !(is_plain(a) && is_plain(b)))
        return touch_convex_solids(world, a, b, t);
    if (b->shape->type == VSP_SHAPE_SPHERE)
        return touch_sphere(a, b, envelope, t);
    if (a->shape->type == VSP_SHAPE_HALF_SPACE)
        return touch_plane_box(a, b, envelope, t);
    if (a->shape->type == VSP_SHAPE_BOX)
        return vsp__touch_boxes(a, b, envelope, t);
    if (!touch_sphere(b, a, envelope, t))
        return false;
    vsp__swap_point(t);
    return true;
}

static bool make_sdf(const vsp_world *world, uint32_t slot, vsp__sdf *s)
{
    const vsp__shape *shape = world->shapes + slot;

    s->pose = world->work.find.poses + slot;
    s->table = NULL;
    if (is_sdf(shape))
        s->table = (const vsp_sdf *)world->tables[shape->table - 1u];
    return s->table != NULL;
}

/* what touches a signed-distance solid; no surface */
static uint32_t touch_sdf_pair(const vsp_world *world, uint32_t pair,
                               vsp__gather *g)
{
    vsp__real envelope = world->params.envelope;
    vsp__convex c;
    vsp__sdf a, b;
    bool is_b = make_sdf(world, pair & 0xffffu, &b);

    (void)make_sdf(world, pair >> 16, &a);
    if (is_b)
        vsp__touch_sdfs(&a, &b, envelope, g);
    else {
        vsp__make_convex(world, world->shapes + (pair & 0xffffu), b.pose, &c);
        vsp__touch_sdf(&a, &c, envelope, g);
    }
    return vsp__gather_end(g);
}

/* what touches a surface, which is always a */
static uint32_t touch_parts(const vsp_world *world, uint32_t pair,
                            vsp__gather *g)
{
    uint32_t slot_a = pair >> 16, slot_b = pair & 0xffffu;
    const vsp__shape *a = world->shapes + slot_a;
    const vsp__shape *b = world->shapes + slot_b;
    vsp__surface surface;
    vsp__convex c;
    vsp__sdf sdf;

    vsp__gather_begin(g);
    if (is_surface(b)) /* a is one, too, or a half-space */
        return 0;
    if (VSP_SDFS && !is_surface(a))
        return touch_sdf_pair(world, pair, g);
    vsp__make_surface(world, a, world->work.find.poses + slot_a, &surface);
    if (VSP_SDFS && make_sdf(world, slot_b, &sdf)) {
        vsp__touch_surface_sdf(&surface, &sdf, world->params.envelope, g);
        return vsp__gather_end(g);
    }
    vsp__make_convex(world, b, world->work.find.poses + slot_b, &c);
    vsp__touch_surface(&surface, &c, world->params.envelope, g);
    return vsp__gather_end(g);
}

/* Returns how many touches a pair has: one, or those of its parts, which are
 * gathered.  The first is in find.touch. */
static uint32_t touch_pair(vsp_world *world, uint32_t pair)
{
    uint32_t slot_a = pair >> 16, slot_b = pair & 0xffffu, count;
    const vsp__pose *poses = world->work.find.poses;
    placed a = make_solid(world->shapes + slot_a, poses + slot_a);
    placed b = make_solid(world->shapes + slot_b, poses + slot_b);
    vsp__touch *t = &world->work.find.touch;

    if (!VSP__HAS_PARTS || !has_parts(world, pair))
        return touch_solids(world, &a, &b, t) ? 1 : 0;
    count = touch_parts(world, pair, vsp__gather_of(world));
    if (count > 0)
        vsp__gather_get(vsp__gather_of(world), 0, t);
    return count;
}


/* ---- Manifolds ----------------------------------------------------------- */

/* see vsp_rule */
static vsp__real mix_rule(uint32_t rule_a, uint32_t rule_b, vsp__real a,
                         vsp__real b)
{
    uint32_t rule = rule_a > rule_b ? rule_a : rule_b;

    a = r_flush(a);
    b = r_flush(b);
    if (a == b && rule != VSP_RULE_MULTIPLY)
        return a;
    switch (rule) {
    case VSP_RULE_GEOMETRIC:
        return vsp__geometric_mean(a, b);
    case VSP_RULE_AVERAGE:
        return u_mul(VSP__U(0.5), r_add(a, b));
    case VSP_RULE_MIN:
        return r_min(a, b);
    case VSP_RULE_MULTIPLY:
        return r_flush(r_mul(a, b));
    default:
        return r_max(a, b);
    }
}

vsp__real vsp__restitution(const vsp_world *world, const vsp__manifold *m)
{
    const vsp__shape *a = world->shapes + m->shape[0];
    const vsp__shape *b = world->shapes + m->shape[1];

    return mix_rule(vsp__restitution_rule(a), vsp__restitution_rule(b),
                    a->restitution, b->restitution);
}

/* a point of the world, from the shape's centre, as an arm of its body, in
 * whose axes that centre is */
static void body_arm(const vsp__mat3 *axes, const vsp__vec3 *center,
                     const vsp__vec3 *on, vsp__vec3 *arm)
{
    vsp__vec3 way = *on;

    v3_flush_in(&way);
    m3_tmul_to(axes, &way, &way);
    v3_add_in(&way, center);
    v3_flush_in(&way);
    *arm = way;
}

/* a and b: the axes of the two bodies */
static void place_points(const vsp_world *world, const vsp__manifold *m,
                         const vsp__touch *t, const vsp__mat3 *a,
                         const vsp__mat3 *b, vsp__point *points)
{
    vsp__vec3 center[2];
    uint32_t i;

    for (i = 0; i < 2; i++)
        shape_arm(world, m->shape[i], &center[i]);
    for (i = 0; i < t->count; i++) {
        const vsp__touch_point *from = t->points + i;
        vsp__point *to = &points[i];

        body_arm(a, &center[0], &from->on[0], &to->arm[0]);
        body_arm(b, &center[1], &from->on[1], &to->arm[1]);
        to->gap = r_flush(from->gap);
    }
}

/* the axes of a shape's body, when shapes are placed: mostly its own */
static const vsp__mat3 *axes_below(const vsp_world *world, uint32_t slot,
                                   vsp__mat3 *room)
{
    const vsp__shape *shape = world->shapes + slot;

    if (are_zero(&shape->pose.rotation.x))
        return &world->work.find.poses[slot].axes;
    vsp__flushed_axes(world->bodies[shape->body].rotation, room);
    return room;
}

static void fill_manifold(const vsp_world *world, uint32_t pair,
                          const vsp__touch *t, vsp__manifold *m)
{
    const vsp__shape *a = world->shapes + (pair >> 16);
    const vsp__shape *b = world->shapes + (pair & 0xffffu);
    uint32_t i;

    m->shape[0] = (uint16_t)(pair >> 16);
    m->shape[1] = (uint16_t)(pair & 0xffffu);
    m->body[0] = (uint16_t)a->body;
    m->body[1] = (uint16_t)b->body;
    m->point_count = (uint8_t)t->count;
    m->flags = 0;
    m->layer = 0;
    for (i = 0; i < t->count; i++)
        m->feature[i] = (uint8_t)t->points[i].feature;
    m->normal = t->normal;
    v3_flush_in(&m->normal);
    m->friction = mix_rule(vsp__friction_rule(a), vsp__friction_rule(b),
                           a->friction, b->friction);
}

/* contact points that a list may have: list 0 leaves room for the records of
 * pairs that sleep */
static uint32_t point_room(const vsp_world *world, uint32_t list)
{
    return world->params.capacity.contacts -
           (VSP_SLEEP && list == 0 ? world->kept_count : 0);
}

/* Returns false, and adds nothing, when there is no room. */
static bool add_manifold(vsp_world *world, uint32_t list, uint32_t pair,
                         const vsp__touch *t)
{
    vsp__contacts *contacts = world->contacts + list;
    vsp__manifold *m = &vsp__manifolds(world, list)[contacts->manifold_count];
    vsp__point *points = vsp__points(world, list) + contacts->point_count;
    vsp__mat3 room[2];
    uint32_t i;

    if (contacts->manifold_count == world->params.capacity.manifolds ||
        t->count > point_room(world, list) - contacts->point_count)
        return false;
    contacts->manifold_count++;
    fill_manifold(world, pair, t, m);
    m->first_point = contacts->point_count;
    contacts->point_count += t->count;
    place_points(world, m, t, axes_below(world, m->shape[0], &room[0]),
                 axes_below(world, m->shape[1], &room[1]), points);
    for (i = 0; i < t->count; i++) {
        points[i].bias = 0;
        points[i].multiplier.impulse[0] = W_ZERO;
        points[i].multiplier.impulse[1] = W_ZERO;
        points[i].multiplier.impulse[2] = W_ZERO;
    }
    return true;
}

/* Takes pairs with a sensor out of the list; of the first detection of a
 * step those that overlap are sensed.  Returns how many are left. */
static uint32_t take_sensed(vsp_world *world, uint32_t list,
                            uint32_t pair_count)
{
    uint32_t *pairs = world->work.find.pairs, kept = 0, i, j;
    bool is_inside;
    vsp__touch *t = &world->work.find.touch;

    for (i = 0; i < pair_count; i++) {
        if (sensors_of(world->shapes + (pairs[i] >> 16),
                       world->shapes + (pairs[i] & 0xffffu)) == 0) {
            pairs[kept++] = pairs[i];
            continue;
        }
        if (list != 0 || touch_pair(world, pairs[i]) == 0)
            continue;
        for (j = 0, is_inside = false; j < t->count; j++)
            is_inside = is_inside || t->points[j].gap < 0;
        if (!is_inside)
            continue;
        if (world->sensing_count < world->params.capacity.sensed)
            world->sensing[world->sensing_count] = pairs[i];
        world->sensing_count++;
    }
    return kept;
}

/* Begins list 1 with what is still of list 0, which has room for no more. */
static void keep_manifolds(vsp_world *world)
{
    vsp__contacts *contacts = world->contacts + 1;
    uint32_t i, k;

    for (i = 0; i < world->contacts[0].manifold_count; i++) {
        const vsp__manifold *from = world->manifolds + i;
        vsp__manifold *m;

        if (!(from->flags & VSP__STILL))
            continue;
        m = &vsp__manifolds(world, 1)[contacts->manifold_count++];
        *m = *from;
        m->first_point = contacts->point_count;
        for (k = 0; k < from->point_count; k++)
            vsp__points(world, 1)[contacts->point_count++] =
                world->points[from->first_point + k];
    }
}

/* Whether a pair's manifolds, from *next of list 0 on, are kept. */
static bool is_kept(const vsp_world *world, uint32_t pair,
                    const vsp__manifold **next)
{
    const vsp__manifold *end =
        world->manifolds + world->contacts[0].manifold_count;

    while (*next < end && vsp__pair_of(*next) < pair)
        ++*next;
    return *next < end && vsp__pair_of(*next) == pair &&
           ((*next)->flags & VSP__STILL) != 0;
}

static bool add_all_manifolds(vsp_world *world, uint32_t list,
                              uint32_t pair_count)
{
    const uint32_t *pairs = world->work.find.pairs;
    vsp__touch *t = &world->work.find.touch;
    const vsp__manifold *next = world->manifolds;
    uint32_t i, k, count;
    bool keeps = (VSP_CARRY || VSP_SUBSPACE) && list == 1;

    if (keeps)
        keep_manifolds(world);
    for (i = 0; i < pair_count; i++) {
        if (keeps && is_kept(world, pairs[i], &next))
            continue;
        count = touch_pair(world, pairs[i]);
        for (k = 0; k < count; k++) {
            if (VSP__HAS_PARTS && k > 0)
                vsp__gather_get(vsp__gather_of(world), k, t);
            if (!add_manifold(world, list, pairs[i], t))
                return false;
        }
    }
    return true;
}


/* ---- When capacities end ---------------------------------------------------
 * The deepest manifolds are kept, of equals the smaller pair.  Each pair gets
 * a rank, in the second half of find.pairs: the sortable bits of its deepest
 * gap over three bits of how many points it has. */

#define RANK_COUNT_BITS 3u
#define RANK_BITS (32u - RANK_COUNT_BITS)

static uint32_t touch_rank(const vsp__touch *t)
{
    vsp__real gap = t->points[0].gap;
    uint32_t i;

    for (i = 1; i < t->count; i++)
        gap = r_min(gap, t->points[i].gap);
    return r_order(gap) >> RANK_COUNT_BITS << RANK_COUNT_BITS | t->count;
}

static uint32_t rank_count(uint32_t rank)
{
    return rank & ((1u << RANK_COUNT_BITS) - 1u);
}

/* Counts what is deeper than a depth. */
static void count_deeper(const uint32_t *ranks, uint32_t pair_count,
                         uint32_t depth, vsp__contacts *sum)
{
    uint32_t i;

    sum->manifold_count = sum->point_count = sum->dropped = 0;
    for (i = 0; i < pair_count; i++)
        if (rank_count(ranks[i]) > 0 && ranks[i] >> RANK_COUNT_BITS < depth) {
            sum->manifold_count++;
            sum->point_count += rank_count(ranks[i]);
        }
}

/* whether a list has room for one manifold of so many points more */
static bool leaves_room(const vsp_world *world, uint32_t list,
                        const vsp__contacts *sum, uint32_t manifolds,
                        uint32_t points)
{
    return sum->manifold_count + manifolds <=
               world->params.capacity.manifolds &&
           sum->point_count + points <= point_room(world, list);
}

/* the largest depth of which all that is deeper has room, bit by bit */
static uint32_t depth_limit(const vsp_world *world, uint32_t list,
                            const uint32_t *ranks, uint32_t pair_count)
{
    uint32_t limit = 0, bit;
    vsp__contacts sum;

    for (bit = (uint32_t)1 << (RANK_BITS - 1u); bit > 0; bit >>= 1) {
        count_deeper(ranks, pair_count, limit | bit, &sum);
        if (leaves_room(world, list, &sum, 0, 0))
            limit |= bit;
    }
    return limit;
}

/* Takes out of the ranks all that is refused: what is less deep than the
 * limit, and of what is just as deep all that has no room any more.  Returns
 * how many points that are. */
static uint32_t refuse_pairs(const vsp_world *world, uint32_t list,
                             uint32_t *ranks, uint32_t pair_count)
{
    uint32_t limit = depth_limit(world, list, ranks, pair_count), i;
    vsp__contacts sum;

    count_deeper(ranks, pair_count, limit, &sum);
    for (i = 0; i < pair_count; i++) {
        uint32_t depth = ranks[i] >> RANK_COUNT_BITS;
        uint32_t count = rank_count(ranks[i]);

        if (count == 0 || depth < limit)
            continue;
        if (depth == limit && leaves_room(world, list, &sum, 1, count)) {
            sum.manifold_count++;
            sum.point_count += count;
        } else {
            ranks[i] = 0;
            sum.dropped += count;
        }
    }
    return sum.dropped;
}

/* Returns how many points were dropped. */
static uint32_t add_deepest_manifolds(vsp_world *world, uint32_t list,
                                      uint32_t pair_count)
{
    const uint32_t *pairs = world->work.find.pairs;
    uint32_t *ranks = world->work.find.pairs + VSP_MAX_PAIRS, dropped, i;
    vsp__touch *t = &world->work.find.touch;

    for (i = 0; i < pair_count; i++)
        ranks[i] = touch_pair(world, pairs[i]) > 0 ? touch_rank(t) : 0;
    dropped = refuse_pairs(world, list, ranks, pair_count);
    for (i = 0; i < pair_count; i++)
        if (rank_count(ranks[i]) > 0 && touch_pair(world, pairs[i]) > 0)
            (void)add_manifold(world, list, pairs[i], t);
    return dropped;
}


/* ---- Detection ----------------------------------------------------------- */

static void raise_to(uint32_t *high, uint32_t count)
{
    if (*high < count)
        *high = count;
}

static void count_contacts(vsp__stats *stats, const vsp__contacts *contacts,
                           uint32_t pair_count)
{
    stats->pair_count = pair_count;
    stats->manifold_count = contacts->manifold_count;
    stats->contact_count = contacts->point_count;
    raise_to(&stats->pair_high, stats->pair_count);
    raise_to(&stats->manifold_high, stats->manifold_count);
    raise_to(&stats->contact_high, stats->contact_count);
}

void vsp__detect(vsp_world *world, uint32_t list)
{
    vsp__contacts *contacts = world->contacts + list;
    uint32_t pair_count;

    contacts->manifold_count = contacts->point_count = contacts->dropped = 0;
    vsp__place_shapes(world);
    pair_count = vsp__find_pairs(world, &contacts->dropped);
    if (VSP_EVENTS) {
        if (list == 0)
            world->sensing_count = 0;
        pair_count = take_sensed(world, list, pair_count);
    }
    if (!add_all_manifolds(world, list, pair_count)) {
        contacts->manifold_count = contacts->point_count = 0;
        contacts->dropped += add_deepest_manifolds(world, list, pair_count);
    }
    if (list == 0)
        count_contacts(&world->stats, contacts, pair_count);
}

bool vsp__are_near(const vsp_world *world, uint32_t a, uint32_t b)
{
    vsp__pose pose;
    vsp__bounds bounds[2];

    place_shape(world, b, &pose, &bounds[1]);
    place_shape(world, a, &pose, &bounds[0]);
    if (world->shapes[a].type == VSP_SHAPE_HALF_SPACE)
        return bounds_reach(&bounds[1], &pose,
                            u_mul(VSP__U(0.5), world->params.envelope));
    return vsp__bounds_overlap(&bounds[0], &bounds[1]);
}


/* ---- Measuring anew ------------------------------------------------------ */

/* Finds the points of a round shape again where it is now.  Returns false,
 * and changes nothing, when they are others. */
static bool move_witness(vsp_world *world, uint32_t list, vsp__manifold *m)
{
    const vsp__mat3 *axes = world->work.solve.axes;
    vsp__pose pose[2];
    placed a, b;
    uint32_t i;
    vsp__touch t;

    for (i = 0; i < 2; i++)
        pose_in_solve(world, m->shape[i], &pose[i]);
    a = make_solid(world->shapes + m->shape[0], &pose[0]);
    b = make_solid(world->shapes + m->shape[1], &pose[1]);
    if (!touch_solids(world, &a, &b, &t) || t.count != m->point_count)
        return false;
    for (i = 0; i < t.count; i++)
        if (t.points[i].feature != m->feature[i])
            return false;
    m->normal = t.normal;
    v3_flush_in(&m->normal);
    place_points(world, m, &t, axes + m->body[0], axes + m->body[1],
                 &vsp__points(world, list)[m->first_point]);
    return true;
}

void vsp__point_arms(const vsp_world *world, const vsp__manifold *m,
                     const vsp__point *point, vsp__vec3 *d, vsp__vec3 *a,
                     vsp__vec3 *b)
{
    *d = world->bodies[m->body[1]].position;
    v3_sub_in(d, &world->bodies[m->body[0]].position);
    m3_mul_to(world->work.solve.axes + m->body[0], &point->arm[0], a);
    m3_mul_to(world->work.solve.axes + m->body[1], &point->arm[1], b);
}

/* The gap of a point where its bodies are now, along the old normal. */
static vsp__real measure_gap(const vsp_world *world, const vsp__manifold *m,
                            const vsp__point *point)
{
    vsp__vec3 d, a, b;

    vsp__point_arms(world, m, point, &d, &a, &b);
    v3_sub_in(&b, &a);
    v3_add_in(&d, &b);
    v3_flush_in(&d);
    return flushed_dot(&m->normal, &d);
}

/* On parts the lowest point of a sphere is another one when it turned, and so
 * is the one below it. */
static void roll(vsp_world *world, vsp__manifold *m, vsp__point *point)
{
    vsp__vec3 on = m->normal, center, d, a, b;

    u3_scale_in(&on, r_neg(world->shapes[m->shape[1]].size.x));
    shape_arm(world, m->shape[1], &center);
    body_arm(world->work.solve.axes + m->body[1], &center, &on, &point->arm[1]);
    point->gap = measure_gap(world, m, point);
    vsp__point_arms(world, m, point, &d, &a, &b);
    v3_add_in(&d, &b);
    u3_move(&d, r_neg(point->gap), &m->normal);
    v3_flush_in(&d);
    vsp__flushed_tmul(world->work.solve.axes + m->body[0], &d);
    point->arm[0] = d;
}

static bool is_rolling(const vsp__shape *shape)
{
    return shape->type == VSP_SHAPE_SPHERE ||
           (VSP_CAPSULES && shape->type == VSP_SHAPE_CAPSULE);
}

void vsp__refresh(vsp_world *world, uint32_t list, uint32_t manifold)
{
    vsp__manifold *m = &vsp__manifolds(world, list)[manifold];
    uint32_t i;
    bool is_of_parts = has_parts(world, vsp__pair_of(m));

    if (!VSP_CARRY && !VSP_SHOCK && !VSP_SUBSPACE)
        return;
    if (!is_of_parts && (is_rolling(world->shapes + m->shape[0]) ||
                         is_rolling(world->shapes + m->shape[1])) &&
        move_witness(world, list, m))
        return;
    for (i = 0; i < m->point_count; i++) {
        vsp__point *point = &vsp__points(world, list)[m->first_point + i];

        if (is_of_parts &&
            world->shapes[m->shape[1]].type == VSP_SHAPE_SPHERE)
            roll(world, m, point);
        else
            point->gap = measure_gap(world, m, point);
    }
}

/* Whether no point of a shape went far since its body was moved. */
static bool stays(const vsp_world *world, uint32_t slot)
{
    vsp__real far = u_mul(VSP__U(0.125), world->params.envelope);
    const vsp__shape *shape = world->shapes + slot;
    vsp__pose from = world->problem.position.of.before[shape->body], way;
    vsp__vec3 d, middle, half;
    uint32_t i;

    shape_pose(world, slot, &from);
    pose_in_solve(world, slot, &way);
    v3_sub_in(&way.position, &from.position);
    d = v3_abs(way.position);
    if (shape->type == VSP_SHAPE_SPHERE || v3_largest(d) > far)
        return v3_largest(d) <= far;
    for (i = 0; i < 3; i++)
        v3_sub_in(way.axes.axis + i, from.axes.axis + i);
    vsp__shape_box(world, shape, &middle, &half);
    half = v3_add(v3_abs(middle), half);
    add_extent(&way.axes, &half, &d);
    return v3_largest(d) <= far;
}

/* Marks what of list 0 is between bodies that hardly moved, and measures it
 * anew if something was corrected since it was measured. */
static void mark_still(vsp_world *world, bool is_corrected)
{
    const vsp__line *line = world->work.solve.line;
    uint32_t i;

    for (i = 0; i < world->contacts[0].manifold_count; i++) {
        vsp__manifold *m = world->manifolds + i;

        if (line[m->body[0]].has_moved || line[m->body[1]].has_moved ||
            is_rolling(world->shapes + m->shape[0]) ||
            is_rolling(world->shapes + m->shape[1]))
            continue;
        m->flags |= VSP__STILL;
        if (is_corrected)
            vsp__refresh(world, 0, i);
    }
}

bool vsp__needs_second(vsp_world *world, bool is_corrected)
{
    vsp__line *line = world->work.solve.line;
    bool is_needed = is_corrected;
    uint32_t i;

    if (!VSP_CARRY && !VSP_SUBSPACE)
        return true;
    for (i = 0; i < world->body_limit; i++)
        line[i].has_moved = false;
    for (i = 0; i < world->shape_limit; i++) {
        const vsp__shape *shape = world->shapes + i;
        const vsp__body *body = world->bodies + shape->body;

        if (shape->type == VSP_SHAPE_NONE ||
            !(vsp__is_awake(body) ||
              body->type == (uint32_t)VSP_KINEMATIC + 1u))
            continue;
        if (!is_bounded(shape) || !stays(world, i)) {
            line[shape->body].has_moved = true;
            is_needed = true;
        }
    }
    if (is_needed)
        mark_still(world, is_corrected);
    return is_needed;
}
