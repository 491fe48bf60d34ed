/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What a world tells without a step: contacts, distances, casts and impulses of
 * its shapes, what is drawn, and arithmetic for programs.  A sum of all of it
 * is the user word of the ground.  In this order: the scene, its sums. */

#include "builder.h"
#include "scene_table.h"
#include "sums.h"

#if SCENES_SURVEY


/* ---- Scene --------------------------------------------------------------- */

/* A door, with a limit and a motor. */
static void add_door(scene_run *run)
{
    vsp_body_id post = add_block(run, make_vec(-2.0, 0.5, 0.0),
                                 make_vec(0.125, 0.5, 0.125));
    vsp_body_id leaf = add_box(run, make_vec(-1.375, 0.5, 0.0),
                               make_vec(0.5, 0.375, 0.0625));
    vsp_joint_def def = joint_of(post, leaf);

    place_joint(run, &def, VSP_JOINT_HINGE, make_vec(-1.875, 0.5, 0.0),
                make_vec(0.0, 1.0, 0.0));
    limit_joint(&def, -1.0, 0.5);
    def.enable_motor = true;
    def.motor_speed = VSP_R(2.0);
    def.motor_max = VSP_R(40.0);
    make_joint(run, &def);
}

/* Shapes of all kinds on lanes of several materials; a door beside them.  mark
 * 0: the ground */
void build_survey(scene_run *run)
{
    piece it;

    add_tables(run, TABLES_RINK);
    it = table_piece(make_vec(0.0, 0.0, 0.0), VSP_SHAPE_HEIGHT_FIELD, 1);
    it.type = VSP_STATIC;
    run->marks[0] = add_piece(run, &it);
    add_door(run);
    add_box(run, make_vec(0.0, 0.25, 0.0), make_vec(0.375, 0.25, 0.25));
    add_ball(run, make_vec(0.125, 0.875, 0.0), 0.25);
    it = capsule_piece(make_vec(0.75, 0.625, 0.0), 0.1875, 0.375);
    add_piece(run, &it);
    it = cylinder_piece(make_vec(0.0, 0.375, 0.75), 0.25, 0.25);
    add_piece(run, &it);
    it = cone_piece(make_vec(0.0, 1.0, 0.75), 0.25, 0.25, 0.0);
    add_piece(run, &it);
}


/* ---- Sums ---------------------------------------------------------------- */

static uint32_t sum_contacts(scene_run *run, vsp_shape_id a, vsp_shape_id b,
                             uint32_t sum)
{
    vsp_contact contacts[4];
    uint32_t count = 0, i, k;

    sum = sum_word(sum, (uint32_t)vsp_contacts_between(run->world, a, b,
                                                       contacts, 4, &count));
    for (i = 0; i < count && i < 4; i++) {
        sum = sum_vector(sum, contacts[i].normal);
        sum = sum_word(sum, contacts[i].material);
        for (k = 0; k < contacts[i].point_count; k++) {
            sum = sum_vector(sum, contacts[i].points[k].position);
            sum = sum_real(sum, contacts[i].points[k].separation);
        }
    }
    return sum_word(sum, count);
}

static uint32_t sum_pair(scene_run *run, vsp_shape_id a, vsp_shape_id b,
                         uint32_t sum)
{
    vsp_distance d;
    vsp_real normal;
    vsp_vec3 vector;
    vsp_status status = vsp_distance_between(run->world, a, b, &d);

    sum = sum_word(sum, (uint32_t)status);
    if (status == VSP_OK) {
        sum = sum_real(sum, d.distance);
        sum = sum_vector(sum, d.on_a);
        sum = sum_vector(sum, d.on_b);
        sum = sum_vector(sum, d.normal);
    }
    if (vsp_pair_impulse(run->world, a, b, &normal, &vector) == VSP_OK)
        sum = sum_vector(sum_real(sum, normal), vector);
    return sum_contacts(run, a, b, sum);
}

/* A ball that falls along the middle of the scene. */
static uint32_t sum_cast(scene_run *run, uint32_t step, uint32_t sum)
{
    vsp_shape_def ball = vsp_sphere(VSP_R(0.125));
    vsp_transform from = vsp_body_transform(run->world, run->marks[0]);
    vsp_hit hits[6];
    uint32_t count = 0, i;

    from.position = real_vec(
        make_vec(-2.0 + 0.25 * (step % 16), 2.0, 0.125 * (step % 5)));
    sum = sum_word(
        sum, (uint32_t)vsp_shape_cast_hits(run->world, &ball, from,
                                           real_vec(make_vec(0.5, -3.0, 0.25)),
                                           NULL, hits, 6, &count));
    for (i = 0; i < count && i < 6; i++)
        sum = sum_hit(sum, &hits[i]);
    return sum_word(sum, count);
}

static void sum_line(void *user, vsp_vec3 a, vsp_vec3 b, uint32_t color)
{
    uint32_t *sum = user;

    *sum = sum_word(sum_vector(sum_vector(*sum, a), b), color);
}

static void sum_triangle(void *user, vsp_vec3 a, vsp_vec3 b, vsp_vec3 c,
                         uint32_t color)
{
    sum_line(user, a, b, color);
    sum_line(user, b, c, color);
}

static uint32_t sum_drawing(const scene_run *run, uint32_t sum)
{
    vsp_draw draw = {0};

    draw.line = sum_line;
    draw.triangle = sum_triangle;
    draw.user = &sum;
    draw.parts = VSP_DRAW_ALL;
    draw.segments = 8;
    draw.cells = 16;
    return vsp_world_draw(run->world, &draw) == VSP_OK ? sum : 0;
}

/* What the ball's pose and velocity become by each function. */
static uint32_t sum_arithmetic(const scene_run *run, uint32_t sum)
{
    vsp_body_id ball = vsp_body_at(run->world, 4);
    vsp_transform pose = vsp_body_transform(run->world, ball), both;
    vsp_vec3 v = vsp_body_velocity(run->world, ball), way;
    vsp_real speed = vsp_vec3_length(v), angle = vsp_atan2(v.y, v.x);
    vsp_quat turn;

    way = vsp_vec3_normalize(vsp_vec3_cross(v, pose.position));
    turn = vsp_quat_make(way, vsp_mul(angle, speed));
    turn = vsp_quat_inverse(vsp_quat_mul(turn, pose.rotation));
    both = vsp_transform_mul(vsp_transform_inverse(pose), pose);
    way = vsp_vec3_move(vsp_vec3_scale(way, vsp_sin(angle)), v, vsp_cos(angle));
    sum = sum_vector(sum, vsp_quat_rotate(turn, way));
    sum = sum_vector(sum, vsp_quat_rotate_back(turn, vsp_vec3_add(way, v)));
    sum = sum_vector(sum, vsp_transform_point(both, vsp_vec3_sub(way, v)));
    sum = sum_vector(sum, vsp_transform_point_back(pose, way));
    sum = sum_rotation(sum, both.rotation);
    sum = sum_real(sum, vsp_sqrt(vsp_vec3_dot(v, v)));
    return sum_real(sum, vsp_div(speed, VSP_R(3.0)));
}

/* Makes a lane of the ground other cells, and the ball roll less far. */
static void change_survey(scene_run *run, uint32_t step)
{
    static const uint8_t cells[4] = {1, 2, 3, 4};
    vsp_recorder *r = scene_recorder(run);

    if (step == 10 &&
        vsp_record_field_set_materials(r, vsp_shape_at(run->world, 0), 5, 4, 2,
                                       2, cells) < 0)
        run->failures++;
    if (step == 12 &&
        vsp_record_shape_set_rolling_friction(r, vsp_shape_at(run->world, 4),
                                              VSP_R(0.01), VSP_R(0.005)) < 0)
        run->failures++;
}

void drive_survey(scene_run *run, uint32_t step)
{
    uint32_t sum = step, i, k;

    change_survey(run, step);
    for (i = 0; i < 8; i++)
        for (k = i + 1; k < 8; k++)
            sum = sum_pair(run, vsp_shape_at(run->world, i),
                           vsp_shape_at(run->world, k), sum);
    sum = sum_cast(run, step, sum);
    sum = sum_drawing(run, sum);
    sum = sum_arithmetic(run, sum);
    if (vsp_record_body_set_user(scene_recorder(run), run->marks[0], sum) < 0)
        run->failures++;
}

#endif
