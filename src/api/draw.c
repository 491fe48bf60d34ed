/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Drawing of a world: the pen, colours, shapes with their bounds, joints,
 * contacts, forces.  Optional: VSP_DRAW. */

#include "draw.h"

#if VSP_DRAW

#define CONTACT_COLOR 0xe11414u
#define NORMAL_COLOR 0xffa01eu
#define BOUNDS_COLOR 0x8c8c8cu
#define FORCE_COLOR 0x14a03cu
#define TORQUE_COLOR 0xaa32c8u

/* m: no line of a force is longer */
#define MOST_FORCE_LENGTH VSP__REAL(100.0)


/* ---- The pen ------------------------------------------------------------- */

/* Returns whether a setting is 0, or within its limits. */
static bool is_setting(vsp_real a, vsp_real low, vsp_real high)
{
    return caller_in(a, low, high) || caller_in(a, 0, 0);
}

static bool are_settings_valid(const vsp_draw *draw)
{
    return draw->parts <= VSP_DRAW_ALL && draw->segments % 4u == 0 &&
           draw->segments != 4 && draw->segments <= VSP__MOST_SEGMENTS &&
           is_setting(draw->size, VSP_R(0.001), VSP_R(10.0)) &&
           is_setting(draw->force, 0, VSP_R(1000.0)) &&
           is_setting(draw->plane, VSP_MIN_SIZE, VSP_MAX_SIZE) &&
           vsp__is_vector_in_range(&draw->focus, VSP_MAX_POSITION);
}

static vsp_real or_default(vsp_real a, vsp_real standard)
{
    return a > 0 ? a : standard;
}

static void fill_circle(vsp__pen *pen)
{
    uint32_t n = pen->segments, i;
    vsp__num step = r_div(VSP__REAL(6.2831853), r_from_int((int32_t)n));

    for (i = 0; i <= n; i++) {
        vsp__v3 *at = &pen->circle[i];

        at->z = 0;
        vsp__sine_cosine(r_show(r_times(step, (int32_t)(i % n))), &at->y,
                         &at->x);
    }
}

static void set_pen(vsp__pen *pen, const vsp_world *world, const vsp_draw *draw)
{
    pen->world = world;
    pen->draw = draw;
    pen->segments = draw->segments > 0 ? draw->segments : 16u;
    pen->cells = draw->cells > 0 ? draw->cells : 16384u;
    pen->size = r_read(or_default(draw->size, VSP_R(0.1)));
    pen->plane = r_read(or_default(draw->plane, VSP_R(20.0)));
    pen->force = w_read(or_default(draw->force, VSP_R(0.0001)));
    pen->per_step = w_div(pen->force, w_of_unit(world->params.dt));
    fill_circle(pen);
}


/* ---- Colours ------------------------------------------------------------- */

/* Colours of dynamic bodies: three for round shapes, then five for others. */
static const uint32_t body_colors[8] = {0xe87a61u, 0x61a8bdu, 0xf0c770u,
                                        0xd48c6bu, 0xe0ab7au, 0xc47a61u,
                                        0xe8c499u, 0xcc9c80u};

static uint32_t mixed_color(uint32_t a, uint32_t b)
{
    return (a >> 1 & 0x7f7f7fu) + (b >> 1 & 0x7f7f7fu);
}

/* Converts a brightness in units of 1/1024 to units of 1/255, and clamps it to
 * `low` to 230. */
static VSP__CALLED uint32_t clamped_light(int32_t part, int32_t low)
{
    part = part * 255 / 1024;
    return (uint32_t)(part < low ? low : part > 230 ? 230 : part);
}

/* Returns blue, green and red as a layer goes from the first to the last. */
static uint32_t rainbow_color(uint32_t layer, uint32_t count)
{
    int32_t x = (int32_t)(4096u * layer / (count > 1 ? count - 1u : 1u));
    int32_t green = x < 4096 - x ? x : 4096 - x;

    return clamped_light(x - 2048, 38) << 16 | clamped_light(green, 51) << 8 |
           clamped_light(2048 - x, 38);
}

/* Returns the colour of a body's layer in the last step; grey if it has
 * none. */
static uint32_t layer_color(const vsp_world *world, uint32_t body)
{
    uint32_t height = world->height[body], color;

    if (world->contacts[VSP__CONTACTS_SOLVED].manifold_count == 0 ||
        !vsp__is_awake(world->bodies + body) || height == 0 ||
        height > world->layer_count)
        return 0xb3b3b3u;
    color = rainbow_color(height - 1u, world->layer_count);
    return height % 2u ? color : mixed_color(color, 0);
}

static uint32_t type_color(const vsp__shape *shape, const vsp__body *b)
{
    uint32_t number = vsp__noise_of(shape->body) >> 8;

    if (vsp__is_static(b))
        return 0xadb3b8u;
    if (b->type == (uint32_t)VSP_KINEMATIC + 1u)
        return 0x709e94u;
    return vsp__is_round(shape) || vsp__is_taper(shape)
               ? body_colors[number % 3u]
               : body_colors[3u + number % 5u];
}

static uint32_t shape_color(const vsp__pen *pen, const vsp__shape *shape)
{
    const vsp__body *b = pen->world->bodies + shape->body;
    uint32_t color = pen->draw->parts & VSP_DRAW_LAYERS
                         ? layer_color(pen->world, shape->body)
                         : type_color(shape, b);

    return (pen->draw->parts & VSP_DRAW_SLEEP) && vsp__is_asleep(b)
               ? mixed_color(color, 0x28323cu)
               : color;
}


/* ---- Shapes -------------------------------------------------------------- */

static void draw_bounds(vsp__pen *pen, const vsp__aabb *bounds)
{
    vsp__v3 middle, half;

    v3_sub_to(&bounds->high, &bounds->low, &half);
    u3_scale_in(&half, VSP__UNIT(0.5));
    v3_add_to(&bounds->low, &half, &middle);
    pen->color = BOUNDS_COLOR;
    vsp__draw_in_world(pen);
    vsp__draw_box_edges(pen, &middle, &half);
}

static void draw_shape(vsp__pen *pen, uint32_t slot)
{
    const vsp__shape *shape = pen->world->shapes + slot;
    uint32_t parts = pen->draw->parts;
    bool is_sensor = (shape->rules & VSP__SENSOR) != 0;
    vsp__aabb bounds;

    vsp__update_shape(pen->world, slot, &pen->pose, &bounds);
    pen->color = shape_color(pen, shape);
    if ((parts & VSP_DRAW_SHAPES) && !is_sensor && pen->draw->triangle != NULL)
        vsp__draw_surface(pen, shape);
    if (((parts & VSP_DRAW_EDGES) ||
         (is_sensor && (parts & VSP_DRAW_SHAPES))) &&
        pen->draw->line != NULL)
        vsp__draw_edges(pen, shape);
    if ((parts & VSP_DRAW_BOUNDS) && vsp__is_bounded(shape))
        draw_bounds(pen, &bounds);
}

static void draw_shapes(vsp__pen *pen)
{
    uint32_t i;

    for (i = 0; i < pen->world->shape_limit; i++)
        if (vsp__is_present(pen->world, pen->world->shapes + i))
            draw_shape(pen, i);
}


/* ---- Forces, contacts, joints -------------------------------------------- */

/* Returns a, or b if its magnitude is larger; without a sign. */
static vsp__wide larger_wide(vsp__wide a, vsp__wide b)
{
    if (w_less(b, VSP__W_ZERO))
        b = w_neg(b);
    return w_less(a, b) ? b : a;
}

/* Returns the scale, or a smaller one, by which no part of f is longer than
 * MOST_FORCE_LENGTH. */
static vsp__wide shorter_scale(const vsp__wide3 *f, vsp__wide scale)
{
    vsp__wide most = larger_wide(VSP__W_ZERO, f->x);
    vsp__wide limit = w_of_real(MOST_FORCE_LENGTH);

    most = larger_wide(larger_wide(most, f->y), f->z);
    return w_less(limit, w_mul(most, scale)) ? w_div(limit, most) : scale;
}

/* Draws a force or impulse, f times a scale, m for each unit of f. */
static void draw_force(vsp__pen *pen, const vsp__v3 *from, const vsp__wide3 *f,
                       vsp__wide scale, uint32_t color)
{
    vsp__num length;
    vsp__v3 way;

    scale = shorter_scale(f, scale);
    way = v3(w_to_real(w_mul(f->x, scale)), w_to_real(w_mul(f->y, scale)),
             w_to_real(w_mul(f->z, scale)));
    length = v3_length_at(&way);
    if (length == 0)
        return;
    if (length > MOST_FORCE_LENGTH)
        u3_scale_in(&way, u_div(MOST_FORCE_LENGTH, length));
    v3_add_in(&way, from);
    pen->color = color;
    vsp__draw_in_world(pen);
    vsp__draw_line(pen, from, &way);
}

static void draw_contact_point(vsp__pen *pen, const vsp_contact *contact,
                               const vsp_contact_point *point)
{
    vsp__v3 at = v3_read(point->position), end = at;
    vsp__v3 normal = v3(u_read(contact->normal.x), u_read(contact->normal.y),
                        u_read(contact->normal.z));
    vsp__wide3 impulse = w3_read(point->friction_impulse);
    vsp__wide pressed = w_read(point->normal_impulse), *sum = &impulse.x;
    uint32_t k;

    if (pen->draw->parts & VSP_DRAW_CONTACTS) {
        vsp__draw_in_world(pen);
        pen->color = CONTACT_COLOR;
        vsp__draw_cross(pen, &at);
        pen->color = NORMAL_COLOR;
        u3_move(&end, pen->size, &normal);
        vsp__draw_line(pen, &at, &end);
    }
    if (!(pen->draw->parts & VSP_DRAW_FORCES))
        return;
    for (k = 0; k < 3; k++)
        sum[k] = w_add(sum[k], w_mul(pressed, w_of_unit(v3_part(&normal, k))));
    draw_force(pen, &at, &impulse, pen->per_step, FORCE_COLOR);
}

static void draw_contacts(vsp__pen *pen)
{
    uint32_t i, k;
    vsp_contact contact;

    for (i = 0; vsp_contact_get(pen->world, i, &contact) == VSP_OK; i++)
        for (k = 0; k < contact.point_count; k++)
            draw_contact_point(pen, &contact, &contact.points[k]);
}

static void draw_applied_forces(vsp__pen *pen)
{
    uint32_t i;

    for (i = 0; i < pen->world->body_limit; i++) {
        const vsp__body *b = pen->world->bodies + i;

        if (b->type == 0 || vsp__is_disabled(b))
            continue;
        draw_force(pen, &b->position, &b->force, pen->force, FORCE_COLOR);
        draw_force(pen, &b->position, &b->torque, pen->force, TORQUE_COLOR);
    }
}

#if VSP_JOINTS

/* Draws the force and the torque of a joint on B, at its anchor. */
static void draw_joint_load(vsp__pen *pen, uint32_t slot)
{
    const vsp__joint *j = vsp__joint_pool_of(pen->world)->joints + slot;
    vsp_joint_state state;
    vsp__joint_pose s;
    vsp__wide3 load;
    vsp__v3 at;

    if (vsp_joint_read(pen->world, vsp_joint_at(pen->world, slot), &state) < 0)
        return;
    vsp__find_joint_pose(pen->world, j, &s);
    v3_add_to(&pen->world->bodies[j->body[1]].position, &s.arm[1], &at);
    load = w3_read(state.impulse);
    draw_force(pen, &at, &load, pen->per_step, FORCE_COLOR);
    load = w3_read(state.turn);
    draw_force(pen, &at, &load, pen->per_step, TORQUE_COLOR);
}

static void draw_joints(vsp__pen *pen)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(pen->world);
    uint32_t i;

    for (i = 0; i < pool->limit; i++) {
        if (!vsp__is_holding(pen->world, pool->joints + i))
            continue;
        if (pen->draw->parts & VSP_DRAW_JOINTS)
            vsp__draw_joint(pen, pool->joints + i);
        if (pen->draw->parts & VSP_DRAW_FORCES)
            draw_joint_load(pen, i);
    }
}

#else

static void draw_joints(vsp__pen *pen)
{
    (void)pen;
}

#endif


/* ---- The call ------------------------------------------------------------ */

vsp_status vsp_world_draw(const vsp_world *world, const vsp_draw *draw)
{
    vsp__pen pen;

    if (!vsp__is_world(world) || draw == NULL || !are_settings_valid(draw))
        return VSP_ERR_ARG;
    set_pen(&pen, world, draw);
    if (draw->parts & (VSP_DRAW_SHAPES | VSP_DRAW_EDGES | VSP_DRAW_BOUNDS))
        draw_shapes(&pen);
    if (draw->line == NULL)
        return VSP_OK;
    if (draw->parts & (VSP_DRAW_JOINTS | VSP_DRAW_FORCES))
        draw_joints(&pen);
    if (draw->parts & (VSP_DRAW_CONTACTS | VSP_DRAW_FORCES))
        draw_contacts(&pen);
    if (draw->parts & VSP_DRAW_FORCES)
        draw_applied_forces(&pen);
    return VSP_OK;
}

#endif /* VSP_DRAW */
