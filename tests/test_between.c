/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Contacts and distances of two shapes without a step: the contacts are those
 * that the next step reports, the distances those of geometry, and nothing that
 * a program can see changes. */

#include "scene_fixture.h"

#include "port/scenes/tables.h"

#include <math.h>
#include <string.h>


/* ---- Contacts ------------------------------------------------------------ */

#define MOST_CONTACTS 512

static vsp_contact told[MOST_CONTACTS];

static bool is_round(const vsp_world *world, vsp_shape_id id)
{
    vsp_shape_def def;

    return vsp_shape_get(world, id, &def) == VSP_OK &&
           (def.type == VSP_SHAPE_SPHERE || def.type == VSP_SHAPE_CAPSULE);
}

/* Whether two contacts have the same bits, except for what a solve adds.  A
 * step measures contacts of round shapes again when it has moved them, so their
 * normals differ. */
static bool is_same_contact(const vsp_world *world, const vsp_contact *a,
                            const vsp_contact *b)
{
    bool is_turned = is_round(world, a->shape_a) || is_round(world, a->shape_b);

    if (vec_dot(vec_from(a->normal), vec_from(b->normal)) < 0.9 ||
        (!is_turned && memcmp(&a->normal, &b->normal, sizeof a->normal) != 0) ||
        a->point_count != b->point_count || a->body_a.bits != b->body_a.bits ||
        a->body_b.bits != b->body_b.bits)
        return false;
    for (uint32_t i = 0; i < a->point_count; i++)
        if (a->points[i].feature != b->points[i].feature)
            return false;
    return true;
}

/* Checks that the pair of a contact has it before the step. */
static bool has_contact(vsp_world *world, const vsp_contact *contact)
{
    vsp_contact found[4];
    bool is_found = false;
    uint32_t count;

    if (!CHECK_STATUS(VSP_OK, vsp_contacts_between(world, contact->shape_a,
                                                   contact->shape_b, found, 4,
                                                   &count)) ||
        !CHECK_AT_LEAST(1, count) || !CHECK_AT_MOST(4, count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (is_same_contact(world, contact, &found[i]))
            return CHECK(found[i].points[0].normal_impulse == 0) &&
                   CHECK_HEX(contact->shape_a.bits, found[i].shape_a.bits);
    return CHECK(is_found);
}

/* Steps a scene, and compares the contacts of a step with those found before
 * it. */
static void compare_scene(const char *name, uint32_t steps)
{
    scene_run run;
    uint32_t count;
    size_t size;

    if (!play_start(&run, name))
        return;
    play_steps(&run, 0, steps);
    size = save_world(run.world, 0);
    play_steps(&run, steps, steps + 1u);
    count = vsp_contact_count(run.world);
    CHECK_AT_LEAST(1, count);
    for (uint32_t i = 0; i < count && i < MOST_CONTACTS; i++)
        vsp_contact_get(run.world, i, &told[i]);
    CHECK_STATUS(VSP_OK, vsp_world_restore(run.world, saved(0), size));
    for (uint32_t i = 0; i < count && i < MOST_CONTACTS; i++)
        if (!has_contact(run.world, &told[i]))
            return;
}

static void contacts_of_a_step(void)
{
    compare_scene("mixed", 40);
    compare_scene("hills", 60);
    compare_scene("animals", 60);
    compare_scene("bin", 60);
    compare_scene("slide", 20);
}

/* With the shapes in the other order the normal is the other way. */
static void either_order(void)
{
    vsp_world *world = new_world();
    vsp_contact ab, ba;
    vsp_shape_id a, b;
    uint32_t count;

    add_ground(world);
    add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 3.0, 0.495, 1.0);
    a = vsp_shape_at(world, 0);
    b = vsp_shape_at(world, 1);
    CHECK_STATUS(VSP_OK, vsp_contacts_between(world, a, b, &ab, 1, &count));
    CHECK_UINT(1, count);
    CHECK_STATUS(VSP_OK, vsp_contacts_between(world, b, a, &ba, 1, &count));
    CHECK_UINT(1, count);
    CHECK_NEAR(1.0, num(ab.normal.y), 1e-6);
    CHECK_NEAR(-1.0, num(ba.normal.y), 1e-6);
    CHECK_HEX(a.bits, ba.shape_b.bits);
    CHECK_HEX(vsp_shape_body(world, b).bits, ba.body_a.bits);
    CHECK_NEAR(-0.005, num(ab.points[0].separation), 1e-5);
    CHECK_NEAR(-0.005, num(ba.points[0].separation), 1e-5);
    CHECK_NEAR(-0.0025, num(ab.points[0].position.y), 1e-5);
    CHECK_NEAR(3.0, num(ab.points[0].position.x), 1e-5);
}

/* Filters, joints, sleep and types do not matter. */
static void any_two_shapes(void)
{
    vsp_world *world = new_world();
    vsp_shape_def box = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    vsp_body_id body;
    vsp_shape_id a, b;
    vsp_contact contact;
    uint32_t count = 9;

    box.filter.mask = 0;
    body = add_body(world, VSP_STATIC, box, 0.0, 0.0, 0.0);
    box.is_sensor = true;
    box.pose.position.x = VSP_R(0.875);
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, body, &box, &b));
    a = vsp_shape_at(world, 0);
    CHECK_STATUS(VSP_OK,
                 vsp_contacts_between(world, a, b, &contact, 1, &count));
    CHECK_UINT(1, count);
    CHECK_UINT(4, contact.point_count);
    CHECK_NEAR(-0.125, num(contact.points[2].separation), 1e-5);
    CHECK_STATUS(VSP_OK, vsp_contacts_between(world, a, b, NULL, 0, &count));
    CHECK_UINT(1, count);
    b = vsp_shape_at(world, 5); /* none */
    CHECK_UINT(0, b.bits);
    add_body(world, VSP_STATIC, box, 3.0, 0.0, 0.0);
    b = vsp_shape_at(world, 2);
    CHECK_STATUS(VSP_OK,
                 vsp_contacts_between(world, a, b, &contact, 1, &count));
    CHECK_UINT(0, count);
}

/* Pairs that have no contacts by their types. */
static void surfaces_without_contacts(void)
{
    vsp_world *world = new_world();
    uint32_t number, count = 9;
    vsp_contact contact;
    vsp_shape_id ids[3];

    CHECK_STATUS(VSP_OK,
                 vsp_world_add_table(world, &mesh_plane, &number, NULL));
    add_body(world, VSP_STATIC, vsp_table_shape(VSP_SHAPE_MESH, number), 0.0,
             0.0, 0.0);
    add_body(world, VSP_STATIC, vsp_table_shape(VSP_SHAPE_MESH, number), 0.5,
             0.0, 0.0);
    add_ground(world);
    add_ground(world);
    for (uint32_t i = 0; i < 3; i++)
        ids[i] = vsp_shape_at(world, i + 1u);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_STATUS(VSP_OK, vsp_contacts_between(world, vsp_shape_at(world, 0),
                                                  ids[i], &contact, 1, &count));
        CHECK_UINT(0, count);
        CHECK_STATUS(VSP_OK,
                     vsp_contacts_between(world, ids[i], vsp_shape_at(world, 0),
                                          &contact, 1, &count));
        CHECK_UINT(0, count);
    }
    CHECK_STATUS(VSP_OK, vsp_contacts_between(world, ids[1], ids[2], &contact,
                                              1, &count));
    CHECK_UINT(0, count);
}

/* A query leaves contacts, counts and later steps as they would be. */
static void nothing_changes(void)
{
    static const char *const names[] = {"mixed", "boats", "animals"};

    for (uint32_t i = 0; i < COUNT_OF(names); i++) {
        scene_run run, other;
        vsp_stats before, after;
        vsp_contact found[4];
        uint32_t count, contacts;

        if (!play_start(&run, names[i]) ||
            !play_start_at(&other, names[i], 1, 0))
            return;
        play_steps(&run, 0, 20);
        play_steps(&other, 0, 20);
        before = vsp_world_stats(run.world);
        contacts = vsp_contact_count(run.world);
        for (uint32_t a = 0; a < before.shape_count; a++)
            for (uint32_t b = 0; b < before.shape_count && b < 20; b++)
                if (a != b)
                    CHECK_STATUS(
                        VSP_OK, vsp_contacts_between(run.world,
                                                     vsp_shape_at(run.world, a),
                                                     vsp_shape_at(run.world, b),
                                                     found, 4, &count));
        after = vsp_world_stats(run.world);
        CHECK_BYTES(&before, &after, sizeof after);
        CHECK_UINT(contacts, vsp_contact_count(run.world));
        play_steps(&run, 20, 25);
        play_steps(&other, 20, 25);
        CHECK_HEX(vsp_world_hash(other.world), vsp_world_hash(run.world));
    }
}


/* ---- Distances ----------------------------------------------------------- */

/* Measures the distance of the shapes in slots a and b, and checks that the
 * points are that far apart along the normal, and that the order of the shapes
 * does not matter. */
static double measured_gap(vsp_world *world, uint32_t a, uint32_t b)
{
    vsp_shape_id first = vsp_shape_at(world, a);
    vsp_shape_id second = vsp_shape_at(world, b);
    vsp_distance d = {0}, back = {0};
    vec3 way;

    CHECK_STATUS(VSP_OK, vsp_distance_between(world, first, second, &d));
    CHECK_STATUS(VSP_OK, vsp_distance_between(world, second, first, &back));
    way = vec_sub(vec_from(d.on_b), vec_from(d.on_a));
    if (num(d.distance) > 0.0) {
        CHECK_NEAR(num(d.distance), vec_length(way), 2e-4);
        CHECK_NEAR(num(d.distance), vec_dot(way, vec_from(d.normal)), 2e-4);
        CHECK_NEAR(
            0.0, vec_length(vec_add(vec_from(d.normal), vec_from(back.normal))),
            2e-3);
    }
    CHECK_NEAR(num(d.distance), num(back.distance), 2e-5);
    return num(d.distance);
}

static void distances(void)
{
    vsp_world *world = new_world();
    uint32_t number;

    CHECK_STATUS(VSP_OK,
                 vsp_world_add_table(world, &hull_wedge, &number, NULL));
    add_ground(world); /* 0 */
    add_body(world, VSP_STATIC, vsp_sphere(VSP_R(0.5)), 0.0, 2.0, 0.0);
    add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), 3.0, 6.0, 0.0);
    add_turned(world, VSP_DYNAMIC, vsp_box(VSP_R(1.0), VSP_R(1.0), VSP_R(1.0)),
               5.0, 4.0, 0.0, turn(45.0, 0.0, 0.0, 1.0)); /* 3 */
    add_body(world, VSP_DYNAMIC, vsp_capsule(VSP_R(0.5), VSP_R(1.0)), 0.0, 6.0,
             0.0); /* 4 */
    add_body(world, VSP_DYNAMIC, vsp_table_shape(VSP_SHAPE_HULL, number), 8.0,
             3.0, 0.0); /* 5 */
    add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 0.2, 0.2, 0.0);
    CHECK_NEAR(1.5, measured_gap(world, 0, 1), 1e-5);
    CHECK_NEAR(5.0 - 0.75, measured_gap(world, 1, 2), 1e-5);
    CHECK_NEAR(4.0 - sqrt(2.0), measured_gap(world, 0, 3), 1e-5);
    CHECK_NEAR(4.5, measured_gap(world, 0, 4), 1e-5);
    CHECK_NEAR(3.0 - 0.75, measured_gap(world, 2, 4), 1e-5);
    CHECK_NEAR(2.0, measured_gap(world, 1, 4), 1e-5);
    CHECK_NEAR(2.75, measured_gap(world, 0, 5), 1e-5);
    CHECK_NEAR(-0.3, measured_gap(world, 0, 6), 1e-5);
    CHECK_NEAR(sqrt(8.0) - 1.25, measured_gap(world, 2, 3), 1e-5);
}

static void far_and_overlapping(void)
{
    vsp_world *world = new_world();
    double far = VSP_FIXED ? 250.0 : 9000.0;

    add_body(world, VSP_STATIC, vsp_sphere(VSP_R(1.0)), -far, -far, 0.0);
    add_body(world, VSP_STATIC, vsp_sphere(VSP_R(1.0)), -far, -far + 1.0, 0.0);
    CHECK_NEAR(0.0, measured_gap(world, 0, 1), 1e-5);
    add_body(world, VSP_STATIC, vsp_sphere(VSP_R(1.0)), -far, far, 0.0);
    CHECK_NEAR(2.0 * far - 2.0, measured_gap(world, 0, 2), 1e-5 * far);
}

/* In fixed point distances end at 620 m between positions, where they could
 * only be guessed. */
static void too_far(void)
{
    vsp_world *world = new_world();
    double size = 100.0;
    vsp_shape_def box = vsp_box(real(size), real(size), real(size));
    vsp_distance d = {0};

    add_body(world, VSP_STATIC, box, -300.0, 0.0, 0.0);
    add_body(world, VSP_STATIC, box, 300.0, 0.0, 0.0);
    CHECK_NEAR(400.0, measured_gap(world, 0, 1), 1e-3);
    add_body(world, VSP_STATIC, box, 340.0, 0.0, 0.0);
    add_body(world, VSP_STATIC, vsp_half_space(), 320.0, -400.0, 300.0);
    CHECK_STATUS(VSP_FIXED ? VSP_ERR_ARG : VSP_OK,
                 vsp_distance_between(world, vsp_shape_at(world, 0),
                                      vsp_shape_at(world, 2), &d));
    CHECK_STATUS(VSP_FIXED ? VSP_ERR_ARG : VSP_OK,
                 vsp_distance_between(world, vsp_shape_at(world, 3),
                                      vsp_shape_at(world, 0), &d));
}


/* ---- Refusals ------------------------------------------------------------ */

static void bad_arguments(void)
{
    vsp_world *world = new_world();
    vsp_shape_id a, b, none = {0};
    vsp_contact contact;
    vsp_distance d;
    uint32_t count, number;

    add_ground(world);
    add_cube(world, 0.0, 0.5, 0.0);
    a = vsp_shape_at(world, 0);
    b = vsp_shape_at(world, 1);
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_contacts_between(NULL, a, b, &contact, 1, &count));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_contacts_between(world, a, b, &contact, 1, NULL));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_contacts_between(world, a, b, NULL, 1, &count));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_contacts_between(world, b, b, &contact, 1, &count));
    CHECK_STATUS(VSP_ERR_ID,
                 vsp_contacts_between(world, none, b, &contact, 1, &count));
    CHECK_STATUS(VSP_ERR_ID,
                 vsp_contacts_between(world, a, none, &contact, 1, &count));
    CHECK_STATUS(VSP_ERR_ARG, vsp_distance_between(NULL, a, b, &d));
    CHECK_STATUS(VSP_ERR_ARG, vsp_distance_between(world, a, b, NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_distance_between(world, a, a, &d));
    CHECK_STATUS(VSP_ERR_ID, vsp_distance_between(world, a, none, &d));
    add_ground(world);
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_distance_between(world, a, vsp_shape_at(world, 2), &d));
    CHECK_STATUS(VSP_OK,
                 vsp_world_add_table(world, &mesh_plane, &number, NULL));
    add_body(world, VSP_STATIC, vsp_table_shape(VSP_SHAPE_MESH, number), 0.0,
             0.0, 0.0);
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_distance_between(world, b, vsp_shape_at(world, 3), &d));
}

static const test tests[] = {
    TEST(contacts_of_a_step),  TEST(either_order),
    TEST(any_two_shapes),      TEST(surfaces_without_contacts),
    TEST(nothing_changes),     TEST(distances),
    TEST(far_and_overlapping), TEST(too_far),
    TEST(bad_arguments),       TEST_END,
};

const test_suite between_suite = {"between", tests};
