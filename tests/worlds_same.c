/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Comparisons of worlds that got the same calls: states first, then everything
 * that functions return about bodies, shapes and joints, then the results of
 * the last step. */

#include "worlds.h"

#include <stdio.h>
#include <string.h>

#define SAME(a, b, size, what)         \
    do {                               \
        if (memcmp(a, b, size) != 0)   \
            give_up("differs: " what); \
    } while (0)


/* ---- States -------------------------------------------------------------- */

static void name_differences(const vsp_world *a, const vsp_world *b)
{
    vsp_difference found[8];
    uint32_t count = 0;

    if (vsp_world_diff(a, b, found, 8, &count) == VSP_OK)
        printf("    vsp_world_diff finds nothing\n");
    for (uint32_t i = 0; i < count && i < 8; i++)
        printf("    %s %lu, %s %lu: 0x%08lx and 0x%08lx\n", found[i].part,
               (unsigned long)found[i].index, found[i].field,
               (unsigned long)found[i].component, (unsigned long)found[i].a,
               (unsigned long)found[i].b);
}

void compare_state(const vsp_world *a, const vsp_world *b)
{
    static unsigned char bytes[2][VSP_SNAPSHOT_BYTES];
    size_t sizes[2];

    if (vsp_world_validate(a, NULL) != VSP_OK ||
        vsp_world_validate(b, NULL) != VSP_OK)
        give_up("a world is not valid");
    if (vsp_world_snapshot(a, bytes[0], sizeof bytes[0], &sizes[0]) < 0 ||
        vsp_world_snapshot(b, bytes[1], sizeof bytes[1], &sizes[1]) < 0)
        give_up("a snapshot is refused");
    if (vsp_world_hash(a) == vsp_world_hash(b) && sizes[0] == sizes[1] &&
        memcmp(bytes[0], bytes[1], sizes[0]) == 0)
        return;
    name_differences(a, b);
    give_up("states differ");
}


/* ---- Bodies, shapes, joints ---------------------------------------------- */

static void compare_bodies(const vsp_world *a, const vsp_world *b)
{
    for (uint32_t i = 0; i < VSP_MAX_BODIES; i++) {
        vsp_body_id id = vsp_body_at(a, i), other = vsp_body_at(b, i);
        vsp_transform poses[2];
        vsp_vec3 vectors[6];

        SAME(&id, &other, sizeof id, "id of a body");
        poses[0] = vsp_body_transform(a, id);
        poses[1] = vsp_body_transform(b, id);
        SAME(&poses[0], &poses[1], sizeof poses[0], "pose");
        vectors[0] = vsp_body_velocity(a, id);
        vectors[1] = vsp_body_spin(a, id);
        vectors[2] = vsp_body_center(a, id);
        vectors[3] = vsp_body_velocity(b, id);
        vectors[4] = vsp_body_spin(b, id);
        vectors[5] = vsp_body_center(b, id);
        SAME(&vectors[0], &vectors[3], 3 * sizeof vectors[0], "velocity");
        if (vsp_body_mass(a, id) != vsp_body_mass(b, id) ||
            vsp_body_locks(a, id) != vsp_body_locks(b, id) ||
            vsp_body_is_awake(a, id) != vsp_body_is_awake(b, id) ||
            vsp_body_get_type(a, id) != vsp_body_get_type(b, id) ||
            vsp_body_user(a, id) != vsp_body_user(b, id))
            give_up("a property of a body differs");
    }
}

static void compare_sensed(const vsp_world *a, const vsp_world *b,
                           vsp_shape_id sensor)
{
    vsp_shape_id shapes[2][VSP_MAX_SENSED];
    uint32_t count = vsp_shape_sensed(a, sensor, shapes[0], VSP_MAX_SENSED);

    if (count > VSP_MAX_SENSED ||
        count != vsp_shape_sensed(b, sensor, shapes[1], VSP_MAX_SENSED))
        give_up("another number of shapes is in a sensor");
    SAME(shapes[0], shapes[1], count * sizeof shapes[0][0], "shapes sensed");
}

static void compare_shapes(const vsp_world *a, const vsp_world *b)
{
    for (uint32_t i = 0; i < VSP_MAX_SHAPES; i++) {
        vsp_shape_id id = vsp_shape_at(a, i), other = vsp_shape_at(b, i);
        vsp_body_id bodies[2];
        vsp_shape_def defs[2];

        SAME(&id, &other, sizeof id, "id of a shape");
        bodies[0] = vsp_shape_body(a, id);
        bodies[1] = vsp_shape_body(b, id);
        SAME(&bodies[0], &bodies[1], sizeof bodies[0], "body of a shape");
        compare_sensed(a, b, id);
        if (vsp_shape_get(a, id, &defs[0]) != vsp_shape_get(b, id, &defs[1]))
            give_up("a shape is refused");
        if (id.bits == 0)
            continue;
        SAME(&defs[0].pose, &defs[1].pose, sizeof defs[0].pose, "shape's pose");
        SAME(&defs[0].size, &defs[1].size, sizeof defs[0].size, "size");
        SAME(&defs[0].filter, &defs[1].filter, sizeof defs[0].filter, "filter");
        if (defs[0].type != defs[1].type || defs[0].table != defs[1].table ||
            defs[0].rolling_friction != defs[1].rolling_friction ||
            defs[0].spinning_friction != defs[1].spinning_friction)
            give_up("a property of a shape differs");
    }
}

static void compare_joints(const vsp_world *a, const vsp_world *b)
{
    for (uint32_t i = 0; i < VSP_MAX_JOINTS; i++) {
        vsp_joint_id id = vsp_joint_at(a, i), other = vsp_joint_at(b, i);
        vsp_joint_state s, t;

        SAME(&id, &other, sizeof id, "id of a joint");
        if (vsp_joint_read(a, id, &s) != vsp_joint_read(b, id, &t))
            give_up("a joint is refused");
        if (id.bits == 0)
            continue;
        if (s.place != t.place || s.swing != t.swing || s.speed != t.speed ||
            s.error != t.error || s.angle_error != t.angle_error ||
            s.motor != t.motor || s.at_limit != t.at_limit ||
            s.is_broken != t.is_broken)
            give_up("the state of a joint differs");
        SAME(&s.impulse, &t.impulse, sizeof s.impulse, "impulse of a joint");
        SAME(&s.turn, &t.turn, sizeof s.turn, "turn of a joint");
        SAME(&s.slide, &t.slide, sizeof s.slide, "coordinates of axes");
        SAME(&s.angles, &t.angles, sizeof s.angles, "angles of axes");
        if (s.bent != t.bent || s.wheel_speed != t.wheel_speed)
            give_up("a measurement of a joint differs");
    }
}


/* Compares what a world makes of the vertices of runtime hulls. */
static void compare_hulls(const vsp_world *a, const vsp_world *b)
{
    for (uint32_t i = 0; i < VSP_MAX_RUNTIME_HULLS; i++) {
        uint32_t table = vsp_hull_at(a, i);
        vsp_hull x, y;

        if (table != vsp_hull_at(b, i))
            give_up("the number of a hull differs");
        if (table == 0)
            continue;
        if (vsp_hull_get(a, table, &x) < 0 || vsp_hull_get(b, table, &y) < 0)
            give_up("a hull is refused");
        if (x.vertex_count != y.vertex_count || x.face_count != y.face_count ||
            x.edge_count != y.edge_count || x.corner_count != y.corner_count)
            give_up("a count of a hull differs");
        SAME(x.vertices, y.vertices, x.vertex_count * sizeof *x.vertices,
             "vertices");
        SAME(x.planes, y.planes, x.face_count * sizeof *x.planes, "planes");
        SAME(x.corners, y.corners, x.corner_count, "corners");
        SAME(x.edges, y.edges, x.edge_count * sizeof *x.edges, "edges");
        SAME(&x.bulk, &y.bulk, sizeof x.bulk, "bulk");
    }
}


/* ---- Results of the last step -------------------------------------------- */

static void compare_points(const vsp_contact *a, const vsp_contact *b)
{
    for (uint32_t i = 0; i < a->point_count; i++) {
        const vsp_contact_point *p = &a->points[i], *q = &b->points[i];

        SAME(&p->position, &q->position, sizeof p->position, "position");
        SAME(&p->friction_impulse, &q->friction_impulse,
             sizeof p->friction_impulse, "friction of a contact");
        if (p->separation != q->separation || p->feature != q->feature ||
            p->normal_impulse != q->normal_impulse)
            give_up("a contact point differs");
    }
}

static void compare_impulses(const vsp_world *a, const vsp_world *b,
                             const vsp_contact *of)
{
    vsp_real normals[2];
    vsp_vec3 sums[2];

    if (vsp_pair_impulse(a, of->shape_a, of->shape_b, &normals[0], &sums[0]) <
            0 ||
        vsp_pair_impulse(b, of->shape_a, of->shape_b, &normals[1], &sums[1]) <
            0)
        give_up("the impulse of a pair is refused");
    if (normals[0] != normals[1])
        give_up("the impulse of a pair differs");
    SAME(&sums[0], &sums[1], sizeof sums[0], "impulse of a pair");
}

static void compare_contacts(const vsp_world *a, const vsp_world *b)
{
    uint32_t count = vsp_contact_count(a);

    if (count != vsp_contact_count(b))
        give_up("another number of contacts");
    for (uint32_t i = 0; i < count; i++) {
        vsp_contact x, y;

        if (vsp_contact_get(a, i, &x) < 0 || vsp_contact_get(b, i, &y) < 0)
            give_up("a contact is refused");
        if (x.shape_a.bits != y.shape_a.bits ||
            x.body_a.bits != y.body_a.bits ||
            x.shape_b.bits != y.shape_b.bits ||
            x.body_b.bits != y.body_b.bits || x.layer != y.layer ||
            x.material != y.material || x.point_count != y.point_count ||
            x.point_count < 1 || x.point_count > 4)
            give_up("a contact differs");
        SAME(&x.normal, &y.normal, sizeof x.normal, "normal");
        compare_points(&x, &y);
        compare_impulses(a, b, &x);
    }
}

static void compare_events(const vsp_world *a, const vsp_world *b)
{
    uint32_t counts[2];
    const vsp_event *x = vsp_world_events(a, &counts[0]);
    const vsp_event *y = vsp_world_events(b, &counts[1]);

    if (counts[0] != counts[1])
        give_up("another number of events");
    SAME(x, y, counts[0] * sizeof *x, "events");
}

/* Compares statistics, except the high-water marks, which a restore does not
 * change. */
static void compare_stats(const vsp_world *a, const vsp_world *b)
{
    vsp_stats s = vsp_world_stats(a), t = vsp_world_stats(b);

    if (s.body_count != t.body_count || s.shape_count != t.shape_count ||
        s.pair_count != t.pair_count || s.manifold_count != t.manifold_count ||
        s.contact_count != t.contact_count || s.joint_count != t.joint_count)
        give_up("a number of the statistics differs");
    SAME(&s.contacts_dropped, &t.contacts_dropped,
         offsetof(vsp_stats, spent) + sizeof s.spent -
             offsetof(vsp_stats, contacts_dropped),
         "work of a step");
    SAME(&s.residual, &t.residual, sizeof s.residual, "residual");
    SAME(&s.merit, &t.merit, sizeof s.merit, "merit");
}

static void compare_supports(vsp_world *a, vsp_world *b)
{
    for (uint32_t i = 0; i < VSP_MAX_BODIES; i++) {
        vsp_body_id id = vsp_body_at(a, i);

        if (vsp_body_is_supported(a, id) != vsp_body_is_supported(b, id))
            give_up("the support of a body differs");
    }
}

/* Drawing takes long, so that of few steps is compared. */
void compare_step(vsp_world *a, vsp_world *b)
{
    if (now.step % 16 == 0 && sum_of_results(a) != sum_of_results(b))
        give_up("drawings differ");
    compare_supports(a, b);
    compare_stats(a, b);
    compare_contacts(a, b);
    compare_events(a, b);
    compare_bodies(a, b);
    compare_shapes(a, b);
    compare_joints(a, b);
    compare_hulls(a, b);
}
