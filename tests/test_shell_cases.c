/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Single cases of sheets that once failed, or might: joints that no step has
 * included yet; edges through the middle of faces; work of steps; fast paths of
 * bodies at rest; lists that overflow; floors that rise; unions that break;
 * speeds after a stop; pairs of which neither body yields; the smallest
 * envelope. */

#include "scene_fixture.h"
#include "shell_check.h"
#include "shell_scenes.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "port/geometry/hull.h"
#include "port/geometry/shell.h"

#if VSP_SHELLS

#define G 9.81
#define DT (1.0 / 60)
#define REST 0.002        /* rest distance, m: a fifth of the envelope */
#define LEAST_GAP 0.00005 /* m: calls refuse smaller gaps */
#define LEAST_WAY 0.85    /* least fraction of its path that a sheet moves */

static const vec3 zero;
static shell_stage stage;

static vsp_world_def case_def(double gravity)
{
    return shell_scene_def(gravity, DT, VSP_STEPPER_CARRY);
}

static void begin_case(double gravity)
{
    vsp_world_def def = case_def(gravity);

    shell_stage_begin(&stage, &def, 5);
}

static vec3 center_of(vsp_body_id body)
{
    return vec_from(vsp_body_center(stage.world, body));
}

static vec3 velocity_of(vsp_body_id body)
{
    return vec_from(vsp_body_velocity(stage.world, body));
}

static void check_faults(const shell_check *check)
{
    if (check->crossings.count > 0)
        test_note("crossing: %s", shell_fault_text(check, &check->crossings));
    CHECK_UINT(0, check->crossings.count);
    if (check->passes.count > 0)
        test_note("pass: %s", shell_fault_text(check, &check->passes));
    CHECK_UINT(0, check->passes.count);
    test_note("");
}

/* Makes steps, and looks after each.  A step may report that a list was
 * full. */
static void step_and_look(shell_check *check, int steps)
{
    for (int i = 0; i < steps; i++) {
        vsp_status status = vsp_world_step(stage.world);

        if (status != VSP_DEGRADED)
            CHECK_STATUS(VSP_OK, status);
        shell_check_look(check);
    }
}

static vsp_transform pose_at(vec3 at, vsp_quat rotation)
{
    vsp_transform pose;

    pose.position = real3(at.x, at.y, at.z);
    pose.rotation = rotation;
    return pose;
}

static vsp_quat turn_of(vec3 by)
{
    double angle = vec_length(by);

    if (!(angle > 0))
        return no_turn();
    return turn(angle * 180 / PI, by.x / angle, by.y / angle, by.z / angle);
}

static vec3 any_vector(double most)
{
    double x = shell_between(&stage, -most, most);
    double y = shell_between(&stage, -most, most);

    return vec_make(x, y, shell_between(&stage, -most, most));
}

static vsp_body_id add_card(double x)
{
    return add_body(stage.world, VSP_DYNAMIC,
                    sheet_shape(stage.world, FORM_CARD), x, 0, 0);
}

#if VSP_EDITS

/* A ball grows into a card, or is where a disabled card wants to return. */
static void leaves_return_only_where_there_is_room(void)
{
    vsp_body_id leaf, ball;
    vsp_shape_id shape;

    begin_case(0);
    leaf = add_card(0);
    ball = add_body(stage.world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.05)), 0, 0.06,
                    0);
    CHECK_UINT(1, vsp_body_shapes(stage.world, ball, &shape, 1));
    CHECK_STATUS(VSP_ERR_OVERLAP,
                 vsp_shape_set_size(stage.world, shape, real3(0.1, 0, 0)));
    CHECK_STATUS(VSP_OK, vsp_body_enable(stage.world, leaf, false));
    CHECK_STATUS(VSP_OK,
                 vsp_shape_set_size(stage.world, shape, real3(0.1, 0, 0)));
    CHECK_STATUS(VSP_ERR_OVERLAP, vsp_body_enable(stage.world, leaf, true));
    CHECK(!vsp_body_is_enabled(stage.world, leaf));
    CHECK_STATUS(VSP_OK,
                 vsp_shape_set_size(stage.world, shape, real3(0.05, 0, 0)));
    CHECK_STATUS(VSP_OK, vsp_body_enable(stage.world, leaf, true));
    CHECK(vsp_body_is_enabled(stage.world, leaf));
}

/* Static bodies may cross; one of them that becomes dynamic may not. */
static void leaves_become_dynamic_only_where_there_is_room(void)
{
    vsp_body_id leaf, ball;

    begin_case(0);
    leaf = add_card(0);
    CHECK_STATUS(VSP_OK, vsp_body_set_type(stage.world, leaf, VSP_STATIC));
    ball = add_body(stage.world, VSP_STATIC, vsp_sphere(VSP_R(0.1)), 0, 0.05,
                    0);
    CHECK_STATUS(VSP_ERR_OVERLAP,
                 vsp_body_set_type(stage.world, ball, VSP_DYNAMIC));
    CHECK_STATUS(VSP_ERR_OVERLAP,
                 vsp_body_set_type(stage.world, leaf, VSP_DYNAMIC));
    CHECK_STATUS(VSP_OK, vsp_body_destroy(stage.world, ball));
    CHECK_STATUS(VSP_OK, vsp_body_set_type(stage.world, leaf, VSP_DYNAMIC));
}

#endif /* VSP_EDITS */

#if VSP_JOINTS


/* ---- Doors ----------------------------------------------------------------
 * Two cards in a plane, whose hinge is an edge of both.  No step is made before
 * the calls. */

typedef struct door {
    vsp_body_id post, leaf;
    vsp_joint_id hinge;
} door;

static vsp_joint_id hang_leaf(vsp_body_id post, vsp_body_id leaf, bool collide)
{
    vsp_joint_def def = vsp_joint_def_default();
    vsp_joint_id id = {0};

    def.type = VSP_JOINT_HINGE;
    def.body_a = post;
    def.body_b = leaf;
    def.collide = collide;
    /* x axes along z */
    def.frame_a = pose_at(vec_make(0.2, 0, 0), turn(-90, 0, 1, 0));
    def.frame_b = pose_at(vec_make(-0.2, 0, 0), turn(-90, 0, 1, 0));
    CHECK_STATUS(VSP_OK, vsp_joint_create(stage.world, &def, &id));
    return id;
}

#define ANY_BYTES (-1)

/* Makes a world in memory that is full of one byte, or of random bytes. */
static void begin_doors(int byte)
{
    vsp_world_def def = case_def(0);
    unsigned char *memory = arena(0);
    uint32_t dice = 7;

    memset(&stage, 0, sizeof stage);
    for (size_t i = 0; i < ARENA_BYTES; i++) {
        dice = dice * 1664525u + 1013904223u;
        memory[i] = (unsigned char)(byte == ANY_BYTES ? (int)(dice >> 24)
                                                      : byte);
    }
    CHECK_STATUS(VSP_OK, vsp_world_create(arena(0), VSP_WORLD_BYTES, &def,
                                          &stage.world));
    test_note("bytes of 0x%02x", (unsigned)byte);
}

static door hang_door(int byte, bool collide)
{
    door d;

    begin_doors(byte);
    d.post = add_card(-0.2);
    d.leaf = add_card(0.5);
    d.hinge = hang_leaf(d.post, d.leaf, collide);
    return d;
}

/* Moves a leaf to its hinge, opened by an angle, or a bit farther away. */
static vsp_status move_leaf(vsp_body_id leaf, double degrees, double farther)
{
    double angle = degrees * PI / 180;
    vec3 at = vec_make(0.2 * cos(angle) - farther, 0.2 * sin(angle), 0);

    return vsp_body_set_transform(stage.world, leaf,
                                  pose_at(at, turn(degrees, 0, 0, 1)));
}

static const int bytes[] = {0, 0xff, 0xdd, 1, ANY_BYTES};

static void leaves_move_as_new_joints_let_them(void)
{
    for (size_t i = 0; i < COUNT_OF(bytes); i++) {
        door d = hang_door(bytes[i], false);

        CHECK_STATUS(VSP_OK, move_leaf(d.leaf, 0, 0));
        CHECK_STATUS(VSP_OK, move_leaf(d.leaf, 40, 0));
        CHECK_STATUS(VSP_OK, move_leaf(d.leaf, 40, 0.1));
        CHECK_STATUS(VSP_OK,
                     vsp_body_set_transform(
                         stage.world, d.post,
                         pose_at(vec_make(-0.15, 0.001, 0), no_turn())));
    }
}

static void colliding_joints_let_no_leaf_overlap(void)
{
    for (size_t i = 0; i < COUNT_OF(bytes); i++) {
        door d = hang_door(bytes[i], true);

        CHECK_STATUS(VSP_ERR_OVERLAP, move_leaf(d.leaf, 40, 0.1));
        CHECK_STATUS(VSP_ERR_OVERLAP, move_leaf(d.leaf, 0, 0));
        CHECK_STATUS(VSP_OK, move_leaf(d.leaf, 40, -0.1));
    }
}

static void leaves_are_held_off_after_a_joint(void)
{
    for (size_t i = 0; i < COUNT_OF(bytes); i++) {
        door d = hang_door(bytes[i], false);

        CHECK_STATUS(VSP_OK, vsp_joint_destroy(stage.world, d.hinge));
        CHECK_STATUS(VSP_ERR_OVERLAP, move_leaf(d.leaf, 0, 0));
        CHECK_STATUS(VSP_ERR_OVERLAP, move_leaf(d.leaf, 40, 0.1));
        CHECK_STATUS(VSP_OK, move_leaf(d.leaf, 40, -0.1));
    }
}

/* Makes a step, which includes the joint, and restores the poses. */
static void step_door(const door *d)
{
    step_world(stage.world, 1);
    CHECK_STATUS(VSP_OK, move_leaf(d->leaf, 0, -0.5));
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(
                             stage.world, d->post,
                             pose_at(vec_make(-0.2, 0, 0), no_turn())));
}

/* As the last test, but a step has included the joint. */
static void leaves_are_held_off_after_an_old_joint(void)
{
    door d = hang_door(0xff, false);

    CHECK_STATUS(VSP_OK, move_leaf(d.leaf, 0, 0));
    step_door(&d);
    CHECK_STATUS(VSP_OK, move_leaf(d.leaf, 10, 0));
    CHECK_STATUS(VSP_OK, move_leaf(d.leaf, 10, -0.1));
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(stage.world, d.hinge));
    CHECK_STATUS(VSP_ERR_OVERLAP, move_leaf(d.leaf, 0, 0.1));
}

/* The slots of a joint, and of a body, are reused. */
static void leaves_follow_a_joint_in_an_old_slot(void)
{
    door d = hang_door(0xff, false);
    vsp_body_id other = add_card(1.5);

    step_door(&d);
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(stage.world, d.hinge));
    d.hinge = hang_leaf(d.post, other, false);
    CHECK_STATUS(VSP_OK, move_leaf(other, 0, 0.05));
    CHECK_STATUS(VSP_OK, move_leaf(other, 0, -1));
    CHECK_STATUS(VSP_ERR_OVERLAP, move_leaf(d.leaf, 0, 0.05));
}

static void new_bodies_do_not_inherit_joints(void)
{
    door d = hang_door(0xff, false);
    vsp_body_def def = body_def(
        VSP_DYNAMIC, sheet_shape(stage.world, FORM_CARD), -0.05, 0.01, 0);
    vsp_body_id id = {0};

    def.pose.rotation = turn(20, 0, 0, 1);
    step_door(&d);
    CHECK_STATUS(VSP_OK, vsp_body_destroy(stage.world, d.leaf));
    CHECK_STATUS(VSP_ERR_OVERLAP, vsp_body_create(stage.world, &def, &id));
    def.pose.position.x = real(0.5);
    CHECK_STATUS(VSP_OK, vsp_body_create(stage.world, &def, &id));
    CHECK_STATUS(VSP_ERR_OVERLAP, move_leaf(id, 20, 0.05));
}

/* A second shape of the leaf overlaps the post. */
static void leaves_get_shapes_as_new_joints_let_them(void)
{
    for (size_t i = 0; i < COUNT_OF(bytes); i++) {
        door d = hang_door(bytes[i], false);
        vsp_shape_def shape = sheet_shape(stage.world, FORM_CARD);

        shape.pose = pose_at(vec_make(-0.7, 0.01, 0), turn(20, 0, 0, 1));
        CHECK_STATUS(VSP_OK,
                     vsp_shape_create(stage.world, d.leaf, &shape, NULL));
        d = hang_door(bytes[i], false);
        shape = sheet_shape(stage.world, FORM_CARD);
        shape.pose = pose_at(vec_make(-0.7, 0.01, 0), turn(20, 0, 0, 1));
        CHECK_STATUS(VSP_OK, vsp_joint_destroy(stage.world, d.hinge));
        CHECK_STATUS(VSP_ERR_OVERLAP,
                     vsp_shape_create(stage.world, d.leaf, &shape, NULL));
    }
}

/* A body beside a door is in no joint. */
static void bodies_beside_a_new_joint_are_held_off(void)
{
    for (size_t i = 0; i < COUNT_OF(bytes); i++) {
        door d = hang_door(bytes[i], false);
        vsp_body_def def = body_def(VSP_DYNAMIC, vsp_sphere(real(0.1)), -0.2,
                                    0.05, 0);
        vsp_body_id other = {0};

        CHECK_STATUS(VSP_ERR_OVERLAP,
                     vsp_body_create(stage.world, &def, &other));
        def.pose.position.y = real(0.11);
        CHECK_STATUS(VSP_OK, vsp_body_create(stage.world, &def, &other));
        CHECK_STATUS(VSP_OK, move_leaf(d.leaf, 0, 0.001));
    }
}

/* vsp_world_check_shells before a step. */
static void checks_know_new_joints(void)
{
    for (size_t i = 0; i < COUNT_OF(bytes); i++) {
        door d = hang_door(bytes[i], false);
        vsp_shape_id worst[2];
        vsp_real gap;

        CHECK_STATUS(VSP_OK, move_leaf(d.leaf, 0, 0));
        CHECK_STATUS(VSP_OK, vsp_world_check_shells(stage.world, worst, &gap));
        CHECK_NEAR(0.01, num(gap), 1e-6);
        CHECK_UINT(0, worst[0].bits);
        CHECK_STATUS(VSP_OK, vsp_joint_destroy(stage.world, d.hinge));
        CHECK_STATUS(VSP_OK, vsp_world_check_shells(stage.world, worst, &gap));
        CHECK_AT_MOST(1e-5, num(gap));
        CHECK(worst[0].bits != 0);
    }
}

#endif /* VSP_JOINTS */


/* ---- Edges through faces --------------------------------------------------
 * A card through the middle of a face: none of its corners or edges is near
 * those of the other shape, and no corner of either is near a face. */

enum { FACE_SHEET, FACE_BOX, FACE_HULL, FACE_MESH, FACES };

static const char *const face_names[FACES] = {"sheet", "box", "hull", "mesh"};

static hull_storage wide_hull;
static mesh_storage wide_mesh;

static void make_wide_hull(void)
{
    vec3 points[8];

    for (int i = 0; i < 8; i++)
        points[i] = vec_make(i & 1 ? 2 : -2, i & 2 ? 0 : -2, i & 4 ? 2 : -2);
    CHECK(!hull_build(&wide_hull, points, 8, 1e-6));
}

/* Two triangles, split by the diagonal x = -z. */
static void make_wide_mesh(void)
{
    static const vec3 points[4] = {
        {-2, 0, -2}, {-2, 0, 2}, {2, 0, -2}, {2, 0, 2}};
    static uint32_t triangles[2][3] = {{0, 1, 2}, {1, 3, 2}};

    CHECK(!mesh_build(&wide_mesh, points, 4, triangles, 2, MESH_LEAF));
}

static vsp_shape_def table_shape(vsp_shape_type type, const void *table)
{
    uint32_t number = 0;

    CHECK_STATUS(VSP_OK,
                 vsp_world_add_table(stage.world, table, &number, NULL));
    return vsp_table_shape(type, number);
}

/* Adds a wide face at height 0, of this type. */
static vsp_body_id add_face(int kind)
{
    if (!wide_mesh.vertices) {
        make_wide_hull();
        make_wide_mesh();
    }
    if (kind == FACE_BOX)
        return add_body(stage.world, VSP_STATIC,
                        vsp_box(real(2), real(2), real(2)), 0, -2, 0);
    if (kind == FACE_HULL)
        return add_body(stage.world, VSP_STATIC,
                        table_shape(VSP_SHAPE_HULL, &wide_hull.hull), 0, 0, 0);
    if (kind == FACE_MESH)
        return add_body(stage.world, VSP_STATIC,
                        table_shape(VSP_SHAPE_MESH, &wide_mesh.mesh), 0, 0, 0);
    return add_body(stage.world, VSP_STATIC,
                    sheet_shape(stage.world, FORM_FLOOR), 0, 0, 0);
}

/* Makes a call that puts a card at a pose above or in a face.  Returns its
 * status. */
static vsp_status ask_card(int kind, vec3 at, vsp_quat rotation, bool is_moved)
{
    vsp_body_def def;
    vsp_body_id id = {0};

    begin_case(G);
    (void)add_face(kind);
    def = body_def(VSP_DYNAMIC, sheet_shape(stage.world, FORM_CARD), at.x, at.y,
                   at.z);
    def.pose.rotation = rotation;
    if (!is_moved)
        return vsp_body_create(stage.world, &def, &id);
    def.pose.position.y = real(5);
    CHECK_STATUS(VSP_OK, vsp_body_create(stage.world, &def, &id));
    return vsp_body_set_transform(stage.world, id, pose_at(at, rotation));
}

/* A card on its narrow side, with its lower corners at these heights: rotated
 * about y, then tilted a little. */
static void check_pierced(int kind, double low, double about, double lean)
{
    vsp_quat up = turn(90, 0, 0, 1), aside = turn(about, 0, 1, 0), q;
    vec3 at = vec_make(0.9, low + 0.2, 0.7);

    /* aside times up: each is about an axis of the world */
    q.w = real(num(aside.w) * num(up.w));
    q.x = real(num(aside.y) * num(up.z));
    q.y = real(num(aside.y) * num(up.w));
    q.z = real(num(aside.w) * num(up.z));
    if (lean > 0)
        q = turn_of(vec_make(0.3 * lean, 0.2, PI / 2 + lean));
    test_note("card in %s, low %g m, turned by %g, lean %g", face_names[kind],
              low, about, lean);
    CHECK_STATUS(VSP_ERR_OVERLAP, ask_card(kind, at, q, false));
    CHECK_STATUS(VSP_ERR_OVERLAP, ask_card(kind, at, q, true));
    at.y = 0.3;
    CHECK_STATUS(VSP_OK, ask_card(kind, at, q, false));
    CHECK_STATUS(VSP_OK, ask_card(kind, at, q, true));
}

static void check_face(int kind)
{
    static const double low[] = {-0.05, -0.1, -0.2, -0.25, -0.35};

    for (size_t i = 0; i < COUNT_OF(low); i++)
        for (int k = 0; k < 3; k++)
            check_pierced(kind, low[i], 25.0 * k, 0.1 * k);
}

static void bad_checks_are_refused(void)
{
    vsp_shape_id worst[2] = {{7}, {8}};
    vsp_real gap = real(3);

    begin_case(0);
    CHECK_STATUS(VSP_ERR_ARG, vsp_world_check_shells(NULL, worst, &gap));
    CHECK_STATUS(VSP_ERR_ARG, vsp_world_check_shells(stage.world, NULL, &gap));
    CHECK_STATUS(VSP_ERR_ARG, vsp_world_check_shells(stage.world, worst, NULL));
    CHECK_NEAR(3, num(gap), 0);
    CHECK_UINT(7, worst[0].bits);
    CHECK_UINT(8, worst[1].bits);
}

static void cards_through_sheets_are_refused(void)
{
    check_face(FACE_SHEET);
}

static void cards_through_boxes_are_refused(void)
{
    check_face(FACE_BOX);
}

static void cards_through_hulls_are_refused(void)
{
    check_face(FACE_HULL);
}

static void cards_through_meshes_are_refused(void)
{
    check_face(FACE_MESH);
}

/* A solid is full: a sheet inside it overlaps. */
static void cards_inside_solids_are_refused(void)
{
    vsp_body_def def;

    test_note("card in a box");
    CHECK_STATUS(VSP_ERR_OVERLAP,
                 ask_card(FACE_BOX, vec_make(0.5, -1, 0.4), no_turn(), false));
    test_note("card in a hull");
    CHECK_STATUS(VSP_ERR_OVERLAP,
                 ask_card(FACE_HULL, vec_make(0.5, -1, 0.4), no_turn(), false));
    begin_case(G);
    (void)add_body(stage.world, VSP_STATIC, vsp_sphere(real(1)), 0, 0, 0);
    def = body_def(VSP_DYNAMIC, sheet_shape(stage.world, FORM_CARD), 0, 0.3, 0);
    test_note("card in a ball");
    CHECK_STATUS(VSP_ERR_OVERLAP, vsp_body_create(stage.world, &def, NULL));
}

/* A closed sheet is empty. */
static void balls_inside_closed_sheets_are_allowed(void)
{
    vsp_body_def def;

    begin_case(G);
    (void)add_body(stage.world, VSP_STATIC, sheet_shape(stage.world, FORM_BALL),
                   0, 0, 0);
    def = body_def(VSP_DYNAMIC, vsp_sphere(real(0.05)), 0, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_body_create(stage.world, &def, NULL));
    def = body_def(VSP_DYNAMIC, vsp_box(real(0.02), real(0.03), real(0.02)), 0,
                   0, 0.08);
    CHECK_STATUS(VSP_OK, vsp_body_create(stage.world, &def, NULL));
    def = body_def(VSP_DYNAMIC, vsp_sphere(real(0.05)), 0, 0.12, 0);
    CHECK_STATUS(VSP_ERR_OVERLAP, vsp_body_create(stage.world, &def, NULL));
}

/* Shapes that cross because a filter lets them have the distance 0. */
static void crossings_have_no_distance(void)
{
    for (int kind = 0; kind < FACES; kind++) {
        vsp_shape_def card;
        vsp_shape_id worst[2], shape;
        vsp_real gap;

        begin_case(G);
        (void)add_face(kind);
        card = sheet_shape(stage.world, FORM_CARD);
        card.filter.mask = 0;
        (void)add_turned(stage.world, VSP_DYNAMIC, card, 0.9, 0.08, 0.7,
                         turn(90, 0, 0, 1));
        shape = vsp_shape_at(stage.world, 1);
        card.filter.mask = 1;
        test_note("card in %s", face_names[kind]);
        CHECK_STATUS(VSP_OK,
                     vsp_shape_set_filter(stage.world, shape, card.filter));
        CHECK_STATUS(VSP_OK, vsp_world_check_shells(stage.world, worst, &gap));
        CHECK_NEAR(0, num(gap), 1e-9);
        CHECK_HEX(vsp_shape_at(stage.world, 0).bits, worst[0].bits);
        CHECK_HEX(shape.bits, worst[1].bits);
    }
}


/* ---- Work ---------------------------------------------------------------- */

/* most facet gaps that a step may measure, for each body of the capacity */
#define MOST_WORK (5 * 4096u) /* four tries and the rounds of the last one */

typedef struct work_look {
    uint32_t most_gaps, most_touches;
    double most_seconds;
} work_look;

static void step_and_measure(shell_check *check, int steps, work_look *look)
{
    for (int i = 0; i < steps; i++) {
        clock_t begin = clock();
        vsp_stats stats;

        (void)vsp_world_step(stage.world);
        look->most_seconds = fmax(look->most_seconds,
                                  (double)(clock() - begin) / CLOCKS_PER_SEC);
        stats = vsp_world_stats(stage.world);
        if (stats.gap_count > look->most_gaps)
            look->most_gaps = stats.gap_count;
        if (stats.touch_count > look->most_touches)
            look->most_touches = stats.touch_count;
        shell_check_look(check);
    }
    if (shows())
        printf("    at most %u gaps, %u touches, %.1f ms a step, nearest "
               "%.4f mm\n",
               (unsigned)look->most_gaps, (unsigned)look->most_touches,
               1000 * look->most_seconds, 1000 * check->distance);
}

/* Sheets that are already nearer to each other than half the gap, between
 * kinematic plates that approach each other. */
static void check_press(shell_form form, int count, double apart, double speed)
{
    vsp_world_def def = case_def(G);
    vsp_shape_def shape;
    shell_check check;
    work_look look = {0, 0, 0};

    def.capacity.bodies = 16;
    def.capacity.shapes = 16;
    shell_stage_begin(&stage, &def, 5);
    shape = sheet_shape(stage.world, form);
    shape.filter.mask = 0;
    for (int i = 0; i < count; i++)
        (void)add_body(stage.world, VSP_DYNAMIC, shape,
                       form == FORM_LEAF ? 0 : 0.01 * i, apart * i, 0);
    shape.filter.mask = 0xffffffff;
    for (uint32_t i = 0; i < (uint32_t)count; i++)
        CHECK_STATUS(VSP_OK, vsp_shape_set_filter(stage.world,
                                                  vsp_shape_at(stage.world, i),
                                                  shape.filter));
    for (int side = -1; side <= 1; side += 2) {
        vsp_body_id plate = add_body(
            stage.world, VSP_KINEMATIC, sheet_shape(stage.world, FORM_WALL), 0,
            0.02 * side + (side > 0 ? apart * count : 0) +
                (form == FORM_LEAF ? 0.15 * side : 0),
            0);

        stage_throw(&stage, plate, vec_make(0, -speed * side, 0), zero);
    }
    shell_check_begin(&check, stage.world, true);
    step_and_measure(&check, is_long() ? 100 : 10, &look);
    test_note("%d sheets of form %d, %g mm apart, %g m/s", count, (int)form,
              1000 * apart, speed);
    CHECK_AT_MOST(MOST_WORK * def.capacity.bodies, look.most_gaps);
    CHECK_AT_MOST(2, look.most_seconds); /* ten times what it should take */
    check_faults(&check);
    shell_check_end(&check);
}

static void pressed_sheets_cost_bounded_work(void)
{
    check_press(FORM_CARD, 2, 0.00003, 0.5);
    check_press(FORM_PLATE, 2, 0.00003, 0.5);
    check_press(FORM_PLATE, 2, 0.00003, 20);
}

static void pressed_piles_cost_bounded_work(void)
{
    check_press(FORM_LEAF, is_long() ? 8 : 4, 0.00003, 0.5);
    check_press(FORM_PLATE, is_long() ? 8 : 4, 0.00003, 0.5);
}


/* ---- Sliding -------------------------------------------------------------
 * Without friction, at rest on a long shape. */

enum { ON_PLANE, ON_BOX, ON_STRIP, ON_CELLS, LONGS };

static const char *const long_names[LONGS] = {"half-space", "box", "strip",
                                              "cells"};

/* Returns a sheet 180 m long, of few or many triangles. */
static vsp_shape_def long_sheet(uint32_t cells)
{
    static shell_storage strips[2];
    static vec3 points[2 * 361];
    static uint32_t triangles[720][3];
    shell_storage *strip = &strips[cells > 1];

    for (uint32_t i = 0; i <= cells; i++)
        for (uint32_t k = 0; k < 2; k++)
            points[2 * i + k] = vec_make(180.0 * i / cells - 90, 0,
                                         4.0 * k - 2);
    for (uint32_t i = 0; i < cells; i++) {
        uint32_t both[2][3] = {{2 * i, 2 * i + 1, 2 * i + 2},
                               {2 * i + 1, 2 * i + 3, 2 * i + 2}};

        memcpy(triangles[2 * i], both, sizeof both);
    }
    if (strip->shell.sheet.kind != VSP_TABLE_SHELL)
        CHECK(!shell_build(strip, points, 2 * (size_t)cells + 2, triangles,
                           2 * (size_t)cells, MESH_LEAF));
    return table_shape(VSP_SHAPE_SHELL, &strip->shell);
}

static void add_long(int kind)
{
    vsp_shape_def shape = vsp_half_space();

    if (kind == ON_BOX)
        shape = vsp_box(real(90), real(1), real(2));
    else if (kind != ON_PLANE)
        shape = long_sheet(kind == ON_STRIP ? 1 : 360);
    shape.material.friction = real(0);
    (void)add_body(stage.world, VSP_STATIC, shape, 0, kind == ON_BOX ? -1.0 : 0,
                   0);
}

static void check_slide(int kind, shell_form form, double speed)
{
    int steps = (int)(120 / speed / DT);
    vsp_shape_def shape;
    vsp_body_id sheet;
    double way;
    shell_check check;

    begin_case(G);
    add_long(kind);
    shape = sheet_shape(stage.world, form);
    shape.material.friction = real(0);
    shape.material.friction_rule = VSP_RULE_MIN;
    sheet = stage_body(&stage, VSP_DYNAMIC, shape, vec_make(-80, REST, 0.03),
                       vec_make(0, 0.2, 0));
    step_world(stage.world, 60);
    way = -center_of(sheet).x;
    stage_throw(&stage, sheet, vec_make(speed, 0, 0), zero);
    shell_check_begin(&check, stage.world, true);
    step_and_look(&check, steps);
    way += center_of(sheet).x;
    test_note("form %d slides on %s at %g m/s", (int)form, long_names[kind],
              speed);
    if (shows())
        printf("    form %d on %s at %g m/s: %.2f m of %.2f, %.2f m/s, height "
               "%.3f mm\n",
               (int)form, long_names[kind], speed, way, speed * steps * DT,
               vec_length(velocity_of(sheet)), 1000 * center_of(sheet).y);
    CHECK_AT_LEAST(LEAST_WAY * speed * steps * DT, way);
    CHECK_AT_LEAST(0.98 * speed, velocity_of(sheet).x);
    CHECK_NEAR(REST, center_of(sheet).y, 0.0015);
    check_faults(&check);
    shell_check_end(&check);
}

static void cards_slide_fast(void)
{
    for (int kind = 0; kind < LONGS; kind++) {
        check_slide(kind, FORM_CARD, 10);
        check_slide(kind, FORM_CARD, 100);
    }
}

static void plates_slide_fast(void)
{
    for (int kind = 0; kind < LONGS; kind++)
        check_slide(kind, FORM_PLATE, 100);
}


/* ---- Lists that overflow ------------------------------------------------- */

/* Sheets far from each other, whose paths reach more shapes than there is space
 * for pairs: the step must report that. */
static void full_lists_are_told(void)
{
    vsp_world_def def = case_def(0);
    vsp_stats stats;
    shell_check check;
    bool is_told = false;

    def.capacity.pairs = 3;
    shell_stage_begin(&stage, &def, 5);
    (void)stage_sheet(&stage, VSP_STATIC, FORM_WALL, zero,
                      vec_make(0, 0, PI / 2));
    for (int i = 0; i < 6; i++) {
        vsp_body_id card = stage_sheet(&stage, VSP_DYNAMIC, FORM_CARD,
                                       vec_make(-1.5 - 1.5 * i, 0, 0.05 * i),
                                       vec_make(0.3 * i, 0.2, 1 + 0.1 * i));

        stage_throw(&stage, card, vec_make(200, 0, 0), any_vector(5));
    }
    shell_check_begin(&check, stage.world, true);
    for (int i = 0; i < 30; i++) {
        vsp_status status = vsp_world_step(stage.world);

        stats = vsp_world_stats(stage.world);
        test_note("step %d, status %d, %u dropped", i, (int)status,
                  (unsigned)stats.contacts_dropped);
        if (stats.contacts_dropped > 0) {
            is_told = true;
            CHECK_UINT(VSP_DEGRADED, (uint32_t)status);
        }
        if (i == 0) /* by then the paths of neighbours overlap */
            CHECK(stats.contacts_dropped > 0);
        shell_check_look(&check);
    }
    test_note("30 steps");
    CHECK(is_told);
    check_faults(&check);
    shell_check_end(&check);
}

/* Piles with small capacities. */
static void full_lists_let_nothing_pass(void)
{
    static const uint32_t room[] = {1, 2, 5, 12};

    for (size_t i = 0; i < COUNT_OF(room); i++) {
        vsp_world_def def = case_def(G);
        shell_check check;

        def.capacity.pairs = room[i];
        shell_stage_begin(&stage, &def, 5);
        shell_scene_named("few_leaves")->build(&stage);
        for (int k = 0; k < stage.count; k++)
            stage_throw(&stage, stage.bodies[k], vec_make(0, -20, 0), zero);
        shell_check_begin(&check, stage.world, true);
        step_and_look(&check, 60);
        test_note("room for %u pairs", (unsigned)room[i]);
        check_faults(&check);
        shell_check_end(&check);
    }
}

/* A kinematic wall hits a sleeping card whose contacts do not fit, so that it
 * does not wake. */
static void full_lists_let_no_sleeper_be_passed(void)
{
    static const double speeds[] = {0.2, 2, 20};

    for (size_t i = 0; i < COUNT_OF(speeds); i++) {
        vsp_world_def def = case_def(0);
        vsp_body_id wall, awake;
        shell_check check;

        def.enable_sleep = true;
        def.capacity.manifolds = 1;
        shell_stage_begin(&stage, &def, 5);
        wall = stage_sheet(&stage, VSP_KINEMATIC, FORM_WALL, zero,
                           vec_make(0, 0, PI / 2));
        awake = stage_sheet(&stage, VSP_DYNAMIC, FORM_CARD, vec_make(1, 0, 0),
                            zero);
        CHECK_STATUS(VSP_OK, vsp_body_enable_sleep(stage.world, awake, false));
        (void)stage_sheet(&stage, VSP_DYNAMIC, FORM_CARD, vec_make(4, 0, 0),
                          zero);
        step_world(stage.world, 120);
        stage_throw(&stage, wall, vec_make(speeds[i], 0, 0), zero);
        shell_check_begin(&check, stage.world, true);
        step_and_look(&check, (int)(6 / speeds[i] / DT));
        test_note("wall at %g m/s", speeds[i]);
        check_faults(&check);
        shell_check_end(&check);
    }
}

/* Sheets whose edges coincide to the bit, when the hinge that allows this is
 * destroyed: they must not cross when one is thrown at the other. */
static void edges_that_touch_do_not_cross(void)
{
    const double middle = 209715.0 / 1048576; /* from the centre of a card to
                                               * the hinge */

    for (int i = 0; i < (is_long() ? 100 : 30); i++) {
        door d = hang_door(0, false);
        shell_check check;

        CHECK_STATUS(VSP_OK, vsp_body_set_transform(
                                 stage.world, d.post,
                                 pose_at(vec_make(-middle, 0, 0), no_turn())));
        CHECK_STATUS(VSP_OK, vsp_body_set_transform(
                                 stage.world, d.leaf,
                                 pose_at(vec_make(middle, 0, 0), no_turn())));
        CHECK_STATUS(VSP_OK, vsp_joint_destroy(stage.world, d.hinge));
        stage_throw(&stage, d.leaf, vec_make(-1, 0.2, 0),
                    vec_make(0.3 * (i - 15), 0.1 * (i % 7), 0));
        shell_check_begin(&check, stage.world, false);
        step_and_look(&check, 12);
        test_note("throw %d", i);
        CHECK_UINT(0, check.crossings.count);
        shell_check_end(&check);
    }
}

/* Returns the hash after leaves fell through a thin sensor, or without one. */
static uint32_t let_leaves_fall(bool with_sensor)
{
    vsp_shape_def sensor = vsp_box(real(5), real(0.02), real(5));
    vsp_world_def def = case_def(G);
    uint32_t hash = 2166136261u;

    shell_stage_begin(&stage, &def, 5);
    (void)stage_sheet(&stage, VSP_STATIC, FORM_BIN, zero, zero);
    for (int i = 0; i < 12; i++)
        stage_throw(&stage,
                    stage_sheet(&stage, VSP_DYNAMIC, FORM_LEAF,
                                vec_make(0.1 * (i % 3 - 1), 0.3 + 0.25 * i,
                                         0.05 * (i % 2)),
                                vec_make(0.1 * i, 0.3 * i, 0)),
                    vec_make(0, -12, 0), vec_make(1, 2, 3));
    sensor.is_sensor = true;
    if (with_sensor)
        (void)add_body(stage.world, VSP_STATIC, sensor, 0, 1, 0);
    step_world(stage.world, 40);
    for (int i = 0; i < stage.count; i++) {
        vsp_transform pose = vsp_body_transform(stage.world, stage.bodies[i]);
        unsigned char raw[sizeof pose];

        memcpy(raw, &pose, sizeof pose);
        for (size_t k = 0; k < sizeof raw; k++)
            hash = (hash ^ raw[k]) * 16777619u;
    }
    return hash;
}

static void sensors_change_no_motion(void)
{
    uint32_t without = let_leaves_fall(false);

    CHECK_HEX(without, let_leaves_fall(true));
}

/* A leaf that flies over the rim of a bin, under a lid, must be stopped by the
 * inside of the bin: a contact above the rim, which it does not touch, must not
 * hide that one. */
static void leaves_over_a_rim_move_on(void)
{
    vsp_world_def def = shell_scene_def(G, 0.01, VSP_STEPPER_CARRY);
    vsp_transform pose = {
        real3(-0.617236, 1.442507, -0.581904),
        {real(-0.121275), real(0.823214), real(0.247564), real(-0.496310)}};
    vsp_body_id leaf;
    vec3 v;

    shell_stage_begin(&stage, &def, 5);
    (void)stage_sheet(&stage, VSP_STATIC, FORM_BIN, zero, zero);
    (void)stage_sheet(&stage, VSP_STATIC, FORM_FLOOR, vec_make(0, 1.62, 0),
                      zero);
    leaf = stage_sheet(&stage, VSP_DYNAMIC, FORM_LEAF, vec_make(0, 0.8, 0),
                       zero);
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(stage.world, leaf, pose));
    stage_throw(&stage, leaf, vec_make(-2.05, 0, -5.94), zero);
    step_world(stage.world, 10);
    v = vec_from(vsp_body_velocity(stage.world, leaf));
    if (shows())
        printf("    velocity %.3f, %.3f, %.3f m/s\n", v.x, v.y, v.z);
    CHECK_AT_LEAST(-3, v.z);
    step_world(stage.world, 40);
    CHECK_AT_MOST(1, num(vsp_body_center(stage.world, leaf).y));
}

/* Slides a card down a slope of 0.2 rad for half a second, while a box that two
 * others squeeze takes all space for contacts, so that pushes alone keep the
 * card apart.  Returns how far the card gets, m. */
static double slide_without_contacts(double friction)
{
    vsp_world_def def = case_def(G);
    vsp_shape_def sheet, box = vsp_box(real(0.2), real(0.2), real(0.2));
    vsp_body_id card;
    vec3 from;

    def.capacity.manifolds = 1;
    shell_stage_begin(&stage, &def, 5);
    (void)stage_body(&stage, VSP_STATIC, box, vec_make(20, 0, 0), zero);
    (void)stage_body(&stage, VSP_STATIC, box, vec_make(20, 0.4, 0), zero);
    (void)stage_body(&stage, VSP_DYNAMIC, box, vec_make(20, 0.2, 0), zero);
    sheet = sheet_shape(stage.world, FORM_FLOOR);
    sheet.material.friction = real(friction);
    (void)stage_body(&stage, VSP_STATIC, sheet, zero, vec_make(0, 0, 0.2));
    sheet = sheet_shape(stage.world, FORM_CARD);
    sheet.material.friction = real(friction);
    card = stage_body(&stage, VSP_DYNAMIC, sheet, vec_make(0, 0.001, 0),
                      vec_make(0, 0, 0.2));
    from = vec_from(vsp_body_center(stage.world, card));
    for (int i = 0; i < 30; i++)
        (void)vsp_world_step(stage.world);
    return vec_length(
        vec_sub(vec_from(vsp_body_center(stage.world, card)), from));
}

static void pushes_have_friction(void)
{
    double far = slide_without_contacts(0), near = slide_without_contacts(1);

    if (shows())
        printf("    slides by %.4f m, with friction by %.4f m\n", far, near);
    CHECK_AT_LEAST(0.02, far);
    CHECK_AT_MOST(0.005, near);
}

/* Two sheets of thousands of triangles rest on each other. */
static void fine_sheets_cost_bounded_work(void)
{
    enum { SIDE = 44, CORNERS = (SIDE + 1) * (SIDE + 1) };
    static vec3 points[CORNERS];
    static uint32_t triangles[2 * SIDE * SIDE][3];
    static shell_storage fine;
    uint32_t count = 0, most = 0, spent = 0;
    vsp_world_def def = case_def(G);
    vsp_body_id body = {0};

    for (uint32_t i = 0; i < CORNERS; i++)
        points[i] = vec_make((double)(i % (SIDE + 1)) / SIDE, 0,
                             (double)(i / (SIDE + 1)) / SIDE);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        uint32_t a = i / SIDE * (SIDE + 1) + i % SIDE, b = a + SIDE + 1;
        uint32_t both[2][3] = {{a, b, a + 1}, {a + 1, b, b + 1}};

        memcpy(triangles[count], both, sizeof both);
        count += 2;
    }
    if (!CHECK(
            !shell_build(&fine, points, CORNERS, triangles, count, MESH_LEAF)))
        return;
    def.capacity.bodies = 2;
    shell_stage_begin(&stage, &def, 5);
    for (int i = 0; i < 2; i++)
        body = stage_body(&stage, i == 0 ? VSP_STATIC : VSP_DYNAMIC,
                          table_shape(VSP_SHAPE_SHELL, &fine.shell),
                          vec_make(0.001 * i, 0.003 * i, 0), zero);
    stage_throw(&stage, body, vec_make(0.5, 0, 0), zero);
    for (int i = 0; i < 3; i++) {
        vsp_stats stats;

        CHECK(vsp_world_step(stage.world) >= 0); /* may be degraded */
        stats = vsp_world_stats(stage.world);
        most = stats.gap_count > most ? stats.gap_count : most;
        spent |= stats.spent;
    }
    CHECK((spent & VSP_SPENT_GAPS) != 0);
    CHECK_AT_MOST(8 * (65536.0 + 4096.0 * def.capacity.bodies), most);
}

/* Shells far away must not change how a body spins. */
static void far_shells_change_no_spin(void)
{
    vsp_quat ends[2];

    for (int i = 0; i < 2; i++) {
        vsp_world_def def = case_def(0);
        vsp_body_id box;

        def.dt = real(1.0 / 60);
        shell_stage_begin(&stage, &def, 5);
        box = add_body(stage.world, VSP_DYNAMIC,
                       vsp_box(real(0.1), real(0.2), real(0.3)), 0, 0, 0);
        stage_throw(&stage, box, zero, vec_make(60, 90, 140));
        if (i == 1)
            (void)stage_sheet(&stage, VSP_STATIC, FORM_CARD, vec_make(50, 0, 0),
                              zero);
        step_world(stage.world, 120);
        ends[i] = vsp_body_transform(stage.world, box).rotation;
    }
    CHECK_NEAR(num(ends[0].x), num(ends[1].x), 0);
    CHECK_NEAR(num(ends[0].w), num(ends[1].w), 0);
}


/* ---- Floors that rise ---------------------------------------------------- */

/* A half-space on a kinematic body rises, perhaps tilted or tilting. */
static void check_rise(shell_form form, double speed, double tilt, double spin)
{
    double low = 0;
    vsp_body_id floor;
    shell_check check;

    begin_case(G);
    floor = add_turned(stage.world, VSP_KINEMATIC, vsp_half_space(), 0, -0.5, 0,
                       turn_of(vec_make(0, 0, tilt)));
    stage_throw(&stage, floor, vec_make(0, speed, 0), vec_make(spin, 0, 0));
    for (int i = 0; i < 3; i++)
        (void)stage_sheet(&stage, VSP_DYNAMIC, form,
                          vec_make(0.7 * i - 0.7, 0.4, 0),
                          vec_make(0.4 * i, 0.3, 0.7 * i));
    shell_check_begin(&check, stage.world, true);
    step_and_look(&check, 90);
    test_note("form %d, floor at %g m/s, tilt %g, %g rad/s", (int)form, speed,
              tilt, spin);
    if (tilt == 0 && spin == 0)
        for (int i = 0; i < 3; i++)
            low = fmin(
                low,
                center_of(stage.bodies[i]).y -
                    num(vsp_body_transform(stage.world, floor).position.y));
    CHECK_AT_LEAST(0, low);
    check_faults(&check);
    shell_check_end(&check);
}

static void sheets_stay_above_a_rising_floor(void)
{
    static const double speeds[] = {3, 10, 60};

    for (size_t i = 0; i < COUNT_OF(speeds); i++) {
        check_rise(FORM_CARD, speeds[i], 0, 0);
        check_rise(FORM_CARD, speeds[i], 0.3, 0);
        check_rise(FORM_LEAF, speeds[i], 0, 0);
        check_rise(FORM_LEAF, speeds[i], 0.2, 1);
    }
}

#if VSP_UNIONS


/* ---- Unions that break --------------------------------------------------- */

#define UNION_PARTS 4

/* Joins two bodies rigidly, at the middle between their centres. */
static vsp_joint_id join_parts(vsp_body_id a, vsp_body_id b, double strength)
{
    vsp_joint_def def = vsp_joint_def_default();
    vec3 at = vec_scale(vec_add(center_of(a), center_of(b)), 0.5);
    vsp_joint_id id = {0};

    def.type = VSP_JOINT_FIXED;
    def.body_a = a;
    def.body_b = b;
    def.rigid = true;
    def.break_impulse = real(strength);
    CHECK_STATUS(VSP_OK,
                 vsp_joint_place(stage.world, &def, real3(at.x, at.y, at.z),
                                 real3(1, 0, 0)));
    CHECK_STATUS(VSP_OK, vsp_joint_create(stage.world, &def, &id));
    return id;
}

typedef struct break_look {
    vsp_joint_id joint[UNION_PARTS - 1];
    bool is_broken[UNION_PARTS - 1];
    uint32_t breaks;
} break_look;

/* Compares the events of a step with the state of the joints. */
static void look_at_breaks(break_look *look, int step)
{
    uint32_t count = 0, splits[VSP_MAX_BODIES] = {0};
    const vsp_event *event = vsp_world_events(stage.world, &count);

    for (int k = 0; k < UNION_PARTS - 1; k++) {
        uint32_t told = 0;
        vsp_joint_state state;

        for (uint32_t i = 0; i < count; i++)
            told += event[i].type == VSP_EVENT_BREAK &&
                    event[i].joint.bits == look->joint[k].bits;
        CHECK_STATUS(VSP_OK,
                     vsp_joint_read(stage.world, look->joint[k], &state));
        test_note("joint %d at step %d", k, step);
        CHECK_UINT(state.is_broken && !look->is_broken[k] ? 1 : 0, told);
        CHECK(state.is_broken || !look->is_broken[k]);
        look->is_broken[k] = state.is_broken;
        look->breaks += told;
    }
    for (uint32_t i = 0; i < count; i++)
        if (event[i].type == VSP_EVENT_SPLIT)
            CHECK_UINT(
                1, ++splits[(event[i].body_a.bits & 0xffffu) % VSP_MAX_BODIES]);
}

/* A row of boxes or cards in one union flies at a sheet, past cards that it
 * pushes along. */
static void check_breaks(shell_form form, double speed, double strength,
                         uint32_t seed)
{
    vsp_world_def def = case_def(0);
    vsp_shape_def box = vsp_box(real(0.1), real(0.1), real(0.1));
    vsp_body_id part[UNION_PARTS];
    break_look look;
    shell_check check;

    def.reports = VSP_REPORT_JOINT;
    shell_stage_begin(&stage, &def, seed);
    (void)stage_sheet(&stage, VSP_STATIC, FORM_WALL, zero,
                      vec_make(0, 0, PI / 2));
    box.density = real(300);
    if (form != FORM_COUNT)
        box = sheet_shape(stage.world, form);
    for (int i = 0; i < UNION_PARTS; i++) {
        part[i] = stage_body(&stage, VSP_DYNAMIC, box,
                             vec_make(-2 - 0.5 * i, 0.35 * i, 0), zero);
        stage_throw(&stage, part[i], vec_make(speed, 0, 0), zero);
    }
    memset(&look, 0, sizeof look);
    for (int i = 0; i + 1 < UNION_PARTS; i++)
        look.joint[i] = join_parts(part[i], part[i + 1], strength);
    for (int i = 0; i < 3; i++)
        (void)stage_sheet(&stage, VSP_DYNAMIC, FORM_LEAF,
                          vec_make(-0.3 - 0.4 * i, 0.2 * i, 0.1),
                          vec_make(0.1, 0.2, 1.3));
    shell_check_begin(&check, stage.world, true);
    for (int i = 0; i < 60; i++) {
        step_and_look(&check, 1);
        look_at_breaks(&look, i);
    }
    if (shows())
        printf("    form %d at %g m/s, strength %g: %u breaks\n", (int)form,
               speed, strength, (unsigned)look.breaks);
    test_note("form %d at %g m/s, strength %g, seed %u", (int)form, speed,
              strength, (unsigned)seed);
    CHECK_AT_LEAST(strength < 5 ? 1 : 0, look.breaks);
    check_faults(&check);
    shell_check_end(&check);
}

static void unions_break_once(void)
{
    for (uint32_t seed = 1; seed < (is_long() ? 20u : 2u); seed++) {
        check_breaks(FORM_COUNT, 20, 1, seed);
        check_breaks(FORM_COUNT, 120, 5, seed);
        check_breaks(FORM_CARD, 20, 0.1, seed);
        check_breaks(FORM_CARD, 120, 2, seed);
    }
}

#endif /* VSP_UNIONS */


/* ---- Speeds after a stop ------------------------------------------------- */

/* Adds a wall, a floor in front of it, and a kinematic wall that may
 * approach. */
static void add_press(double push)
{
    vsp_shape_def floor = vsp_box(real(5), real(0.5), real(3));
    vsp_shape_def wall = sheet_shape(stage.world, FORM_WALL);
    vsp_body_id pusher;

    floor.material.friction = wall.material.friction = real(0);
    (void)stage_body(&stage, VSP_STATIC, floor, vec_make(-5.02, -0.5, 0), zero);
    (void)stage_body(&stage, VSP_STATIC, wall, zero, vec_make(0, 0, PI / 2));
    pusher = stage_body(&stage, VSP_KINEMATIC, wall, vec_make(-2.5, 2.0005, 0),
                        vec_make(0, 0, PI / 2));
    stage_throw(&stage, pusher, vec_make(push, 0, 0), zero);
}

/* Flat sheets on a floor without friction, each in its own lane, are thrown at
 * a wall, and then pressed against it by another wall: none may rise. */
static void check_sideways(double speed, double push, uint32_t locks)
{
    double fast = 0, high = 0, turned = 0;
    vsp_shape_def card;
    shell_check check;

    begin_case(G);
    add_press(push);
    card = sheet_shape(stage.world, FORM_CARD);
    card.material.friction = real(0);
    card.material.friction_rule = VSP_RULE_MIN;
    for (int i = 0; i < 6; i++) {
        vsp_body_id id = stage_body(
            &stage, VSP_DYNAMIC, card,
            vec_make(-0.6 - 0.2 * i, REST, 0.6 * i - 1.5),
            vec_make(0, speed < 10 ? 0.3 * i : 0, 0));

        CHECK_STATUS(VSP_OK, vsp_body_set_locks(stage.world, id, locks));
        stage_throw(&stage, id, vec_make(speed, 0, 0), zero);
    }
    shell_check_begin(&check, stage.world, true);
    for (int i = 0; i < 66; i++) { /* the kinematic wall stops at step 63 */
        step_and_look(&check, 1);
        for (int k = 0; k < stage.count; k++) {
            vec3 spin = vec_from(vsp_body_spin(stage.world, stage.bodies[k]));

            fast = fmax(fast, velocity_of(stage.bodies[k]).y);
            high = fmax(high, center_of(stage.bodies[k]).y);
            turned = fmax(turned, fmax(fabs(spin.x), fabs(spin.z)));
        }
    }
    test_note("cards at %g m/s, pushed at %g m/s, locks %u", speed, push,
              (unsigned)locks);
    if (shows())
        printf("    at %g m/s, pushed at %g m/s, locks %u: %.4f m/s up, "
               "%.3f mm high, %.4f rad/s\n",
               speed, push, (unsigned)locks, fast, 1000 * high, turned);
    /* a normal may be off by half a milliradian */
    CHECK_AT_MOST(locks ? 0 : 0.02 + 0.0005 * speed, fast);
    CHECK_AT_MOST(REST + 0.001, high);
    if (locks)
        CHECK_AT_MOST(0, turned);
    check_faults(&check);
    shell_check_end(&check);
}

#define LOCKS (VSP_LOCK_Y | VSP_LOCK_TURN_X | VSP_LOCK_TURN_Z)

static void sheets_stopped_sideways_do_not_rise(void)
{
    check_sideways(5, 0, 0);
    check_sideways(60, 0, 0);
    check_sideways(5, 2, 0);
    check_sideways(60, 2, 0);
}

static void locked_sheets_stay_locked(void)
{
    check_sideways(60, 0, LOCKS);
    check_sideways(5, 2, LOCKS);
    check_sideways(60, 2, LOCKS);
}

/* Upright cards fly at a wall, each for itself, in the air and without
 * friction: after the stop they may only fall. */
static void stopped_cards_fall(void)
{
    double up = 0;
    vsp_shape_def card;
    shell_check check;

    begin_case(G);
    card = sheet_shape(stage.world, FORM_WALL);
    card.material.friction = real(0);
    (void)stage_body(&stage, VSP_STATIC, card, zero, vec_make(0, 0, PI / 2));
    card = sheet_shape(stage.world, FORM_CARD);
    card.material.friction = real(0);
    card.material.friction_rule = VSP_RULE_MIN;
    for (int i = 0; i < 8; i++) {
        vsp_body_id id = stage_body(
            &stage, VSP_DYNAMIC, card,
            vec_make(-1 - 0.3 * i, i / 4 ? 0.5 : -0.5, 0.8 * (i % 4) - 1.2),
            vec_make(0, 0, PI / 2));

        stage_throw(&stage, id, vec_make(80, 0, 0), vec_make(0, 5.0 * i, 0));
    }
    shell_check_begin(&check, stage.world, true);
    for (int i = 0; i < 30; i++) {
        step_and_look(&check, 1);
        for (int k = 0; k < stage.count; k++)
            up = fmax(up, velocity_of(stage.bodies[k]).y);
    }
    CHECK_AT_MOST(0.01, up);
    check_faults(&check);
    shell_check_end(&check);
}

static void largest_speeds_hold(void)
{
    double most = 0, limit = 5;
    shell_check check;

    begin_case(80);
    shell_scene_named("box")->build(&stage);
    for (int i = 0; i < stage.count; i++)
        CHECK_STATUS(VSP_OK, vsp_body_set_max_speed(
                                 stage.world, stage.bodies[i], real(limit)));
    shell_check_begin(&check, stage.world, true);
    for (int i = 0; i < (is_long() ? 240 : 40); i++) {
        for (int k = 0; k < stage.count && i % 15 == 0; k++)
            stage_throw(&stage, stage.bodies[k], any_vector(20), any_vector(9));
        step_and_look(&check, 1);
        for (int k = 0; k < stage.count; k++)
            most = fmax(most, vec_length(velocity_of(stage.bodies[k])));
    }
    CHECK_AT_MOST(limit * 1.00001, most);
    check_faults(&check);
    shell_check_end(&check);
}


/* ---- Bodies that do not yield ---------------------------------------------
 */

/* A kinematic sheet comes down on a body that does not yield. */
static void check_strike(vsp_body_id target, double speed, const char *what)
{
    vsp_body_id plate = stage_sheet(&stage, VSP_KINEMATIC, FORM_PLATE,
                                    vec_make(0.1, 1, 0.05), zero);
    int steps = (int)(3 / speed / DT) + 5;
    shell_check check;

    stage_throw(&stage, plate, vec_make(0, -speed, 0), zero);
    shell_check_begin(&check, stage.world, true);
    step_and_look(&check, steps);
    test_note("%s, %g m/s", what, speed);
    if (shows())
        printf("    %s at %g m/s: plate at %.4f m, body at %.4f m\n", what,
               speed, center_of(plate).y, center_of(target).y);
    check_faults(&check);
    shell_check_end(&check);
}

static const double strikes[] = {2, 30, 200};

static void kinematic_sheets_stop_at_locked_ones(void)
{
    for (size_t i = 0; i < COUNT_OF(strikes); i++) {
        vsp_body_id id;
        vec3 at;

        begin_case(G);
        id = stage_sheet(&stage, VSP_DYNAMIC, FORM_LEAF, zero, zero);
        at = center_of(id);
        CHECK_STATUS(VSP_OK, vsp_body_set_locks(stage.world, id, VSP_LOCK_ALL));
        check_strike(id, strikes[i], "locked leaf");
        test_note("locked leaf, %g m/s", strikes[i]);
        CHECK_AT_MOST(1e-5, vec_length(vec_sub(center_of(id), at)));
    }
}

#if VSP_EVENTS

static int stops_of(vsp_body_id body)
{
    uint32_t count, i;
    const vsp_event *event = vsp_world_events(stage.world, &count);
    int stops = 0;

    for (i = 0; i < count; i++)
        if (event[i].type == VSP_EVENT_STOP &&
            event[i].body_a.bits == body.bits)
            stops++;
    return stops;
}

/* Returns in how many steps a plate was stopped by a leaf that is locked. */
static int told_stops(uint32_t reports)
{
    vsp_world_def def = case_def(0);
    vsp_body_id leaf, plate;
    int stops = 0;

    def.reports = reports;
    shell_stage_begin(&stage, &def, 5);
    leaf = stage_sheet(&stage, VSP_DYNAMIC, FORM_LEAF, zero, zero);
    CHECK_STATUS(VSP_OK, vsp_body_set_locks(stage.world, leaf, VSP_LOCK_ALL));
    plate = stage_sheet(&stage, VSP_KINEMATIC, FORM_PLATE, vec_make(0, 0.5, 0),
                        zero);
    stage_throw(&stage, plate, vec_make(0, -5, 0), zero);
    for (int i = 0; i < 20; i++) {
        vec3 before = center_of(plate);
        int now;

        step_world(stage.world, 1);
        now = stops_of(plate);
        stops += now;
        CHECK_AT_MOST(1, now);
        if (now > 0)
            CHECK_AT_MOST(0, vec_length(vec_sub(center_of(plate), before)));
    }
    return stops;
}

static void stops_are_told(void)
{
    CHECK_AT_LEAST(5, told_stops(VSP_REPORT_STOP));
    CHECK_UINT(0, (uint32_t)told_stops(VSP_REPORT_SLEEP));
}

#endif /* VSP_EVENTS */

/* A card between two kinematic plates and a static one. */
static void kinematic_sheets_stop_at_supported_ones(void)
{
    for (size_t i = 0; i < COUNT_OF(strikes); i++) {
        vsp_body_id id;

        begin_case(G);
        (void)stage_sheet(&stage, VSP_STATIC, FORM_FLOOR, zero, zero);
        id = stage_sheet(&stage, VSP_DYNAMIC, FORM_CARD, vec_make(0, 0.01, 0),
                         zero);
        check_strike(id, strikes[i], "card on a static sheet");
        test_note("card on a static sheet, %g m/s", strikes[i]);
        CHECK_AT_LEAST(0, center_of(id).y);
    }
}

static void kinematic_sheets_wake_sleepers(void)
{
    for (size_t i = 0; i < COUNT_OF(strikes); i++) {
        vsp_world_def def = case_def(G);
        vsp_body_id id, far;

        def.enable_sleep = true;
        shell_stage_begin(&stage, &def, 5);
        (void)stage_sheet(&stage, VSP_STATIC, FORM_FLOOR, zero, zero);
        id = stage_sheet(&stage, VSP_DYNAMIC, FORM_CARD, vec_make(0, 0.01, 0),
                         zero);
        far = stage_sheet(&stage, VSP_DYNAMIC, FORM_CARD, vec_make(2, 0.01, 0),
                          zero);
        step_world(stage.world, 300);
        test_note("sleeping card, %g m/s", strikes[i]);
        CHECK(!vsp_body_is_awake(stage.world, id));
        CHECK(!vsp_body_is_awake(stage.world, far));
        check_strike(id, strikes[i], "sleeping card");
        test_note("sleeping card, %g m/s", strikes[i]);
        CHECK(vsp_body_is_awake(stage.world, id));
        CHECK(!vsp_body_is_awake(stage.world, far));
        CHECK_AT_LEAST(0, center_of(id).y);
    }
}

/* Two bodies that are not dynamic are not kept apart: neither stops. */
static void kinematic_sheets_pass_static_ones(void)
{
    for (size_t i = 0; i < COUNT_OF(strikes); i++) {
        vsp_body_id plate;

        begin_case(G);
        (void)stage_sheet(&stage, VSP_STATIC, FORM_FLOOR, zero, zero);
        plate = stage_sheet(&stage, VSP_KINEMATIC, FORM_PLATE,
                            vec_make(0.1, 1, 0.05), zero);
        stage_throw(&stage, plate, vec_make(0, -strikes[i], 0), zero);
        step_world(stage.world, 20);
        test_note("kinematic plate at %g m/s", strikes[i]);
        CHECK_NEAR(1 - strikes[i] * 20 * DT, center_of(plate).y,
                   1e-4 * (1 + strikes[i]));
        CHECK_NEAR(-strikes[i], velocity_of(plate).y, 1e-4);
        CHECK_AT_MOST(MOST_WORK, vsp_world_stats(stage.world).gap_count);
    }
}


/* ---- The smallest envelope ------------------------------------------------
 */

static void check_thin(const char *name, int steps)
{
    vsp_world_def def = case_def(G);
    shell_check check;

    def.envelope = real(1e-4);
    shell_stage_begin(&stage, &def, 7);
    shell_scene_named(name)->build(&stage);
    shell_check_begin(&check, stage.world, true);
    test_note("%s at first", name);
    CHECK_UINT(0, check.crossings.count);
    step_and_look(&check, steps);
    test_note("%s, envelope 0.1 mm", name);
    if (shows())
        printf("    %s: nearest %.6f mm\n", name, 1000 * check.distance);
    check_faults(&check);
    shell_check_end(&check);
}

static void plates_do_not_cross_in_thin_envelopes(void)
{
    check_thin("plates", is_long() ? 300 : 20);
}

static void leaves_do_not_cross_in_thin_envelopes(void)
{
    check_thin("few_leaves", is_long() ? 300 : 40);
}


/* ---- Large rotations ------------------------------------------------------
 */

/* A sheet alone in the air, which turns by more in a step than a path may. */
static void check_spin(shell_form form, vec3 spin, double gravity)
{
    double first, most, went, speed = 2;
    vsp_body_id sheet;
    vec3 v;

    begin_case(gravity);
    sheet = stage_sheet(&stage, VSP_DYNAMIC, form, zero, zero);
    stage_throw(&stage, sheet, vec_make(speed, 0, 0), spin);
    first = most = total_energy(stage.world);
    for (int i = 0; i < 60; i++) {
        step_world(stage.world, 1);
        most = fmax(most, total_energy(stage.world));
    }
    v = velocity_of(sheet);
    went = center_of(sheet).x / speed;
    test_note("form %d, spin %g %g %g rad/s, gravity %g", (int)form, spin.x,
              spin.y, spin.z, gravity);
    if (shows())
        printf("    form %d, spin %g %g %g rad/s, gravity %g: energy %.4f J, "
               "at most %+.3f %%; went %.3f of its way; fell at %.3f m/s\n",
               (int)form, spin.x, spin.y, spin.z, gravity, first,
               100 * (most / first - 1), went, v.y);
    CHECK_AT_MOST(1.005 * first, most);
    CHECK_AT_LEAST(LEAST_WAY, went);
    CHECK_NEAR(-gravity, v.y, 0.05 * gravity + 1e-3);
}

static void fast_spins_gain_no_energy(void)
{
    static const double speeds[] = {30, 90, 300};

    for (size_t i = 0; i < COUNT_OF(speeds); i++)
        for (int form = FORM_LEAF; form <= FORM_CARD; form++) {
            check_spin((shell_form)form, vec_make(0, speeds[i], 0), 0);
            check_spin((shell_form)form, vec_make(speeds[i], 0.1, 0.1), 0);
            check_spin((shell_form)form,
                       vec_make(0.5 * speeds[i], 0.3 * speeds[i], speeds[i]),
                       0);
        }
}

static void fast_spins_fall(void)
{
    check_spin(FORM_CARD, vec_make(0, 90, 0), G);
    check_spin(FORM_CARD, vec_make(0, 300, 0), G);
    check_spin(FORM_LEAF, vec_make(0, 0, 120), G);
}

static const test shell_cases_tests[] = {
#if VSP_EDITS
    TEST(leaves_return_only_where_there_is_room),
    TEST(leaves_become_dynamic_only_where_there_is_room),
#endif
#if VSP_JOINTS
    TEST(leaves_move_as_new_joints_let_them),
    TEST(colliding_joints_let_no_leaf_overlap),
    TEST(leaves_are_held_off_after_a_joint),
    TEST(leaves_are_held_off_after_an_old_joint),
    TEST(leaves_follow_a_joint_in_an_old_slot),
    TEST(new_bodies_do_not_inherit_joints),
    TEST(leaves_get_shapes_as_new_joints_let_them),
    TEST(bodies_beside_a_new_joint_are_held_off),
    TEST(checks_know_new_joints),
#endif
    TEST(bad_checks_are_refused),
    TEST(cards_through_sheets_are_refused),
    TEST(cards_through_boxes_are_refused),
    TEST(cards_through_hulls_are_refused),
    TEST(cards_through_meshes_are_refused),
    TEST(cards_inside_solids_are_refused),
    TEST(balls_inside_closed_sheets_are_allowed),
    TEST(crossings_have_no_distance),
    TEST_SLOW(pressed_sheets_cost_bounded_work),
    TEST_SLOW(pressed_piles_cost_bounded_work),
    TEST(cards_slide_fast),
    TEST(plates_slide_fast),
    TEST(full_lists_are_told),
    TEST(full_lists_let_nothing_pass),
    TEST(full_lists_let_no_sleeper_be_passed),
    TEST_SLOW(edges_that_touch_do_not_cross),
    TEST_SLOW(sensors_change_no_motion),
    TEST(leaves_over_a_rim_move_on),
    TEST(pushes_have_friction),
    TEST(fine_sheets_cost_bounded_work),
    TEST(far_shells_change_no_spin),
    TEST(sheets_stay_above_a_rising_floor),
#if VSP_UNIONS
    TEST(unions_break_once),
#endif
    TEST(sheets_stopped_sideways_do_not_rise),
    TEST(locked_sheets_stay_locked),
    TEST(stopped_cards_fall),
    TEST(largest_speeds_hold),
    TEST_SLOW(kinematic_sheets_stop_at_locked_ones),
#if VSP_EVENTS
    TEST(stops_are_told),
#endif
    TEST_SLOW(kinematic_sheets_stop_at_supported_ones),
    TEST_SLOW(kinematic_sheets_wake_sleepers),
    TEST(kinematic_sheets_pass_static_ones),
    TEST_SLOW(plates_do_not_cross_in_thin_envelopes),
    TEST_SLOW(leaves_do_not_cross_in_thin_envelopes),
    TEST(fast_spins_gain_no_energy),
    TEST(fast_spins_fall),
    TEST_END,
};

#else

static const test shell_cases_tests[] = {TEST_END};

#endif /* VSP_SHELLS */

extern const test_suite shell_cases_suite;

const test_suite shell_cases_suite = {"shell_cases", shell_cases_tests};
