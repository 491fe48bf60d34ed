/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What sequences had: means over all steps. */

#include "worlds.h"

#include <stdio.h>

#define SHAPE_TYPES ((uint32_t)VSP_SHAPE_TAPER + 1u)
#define JOINT_TYPES ((uint32_t)VSP_JOINT_PULLEY + 1u)

static struct tally {
    double steps, bodies, awake, shapes, pairs, contacts, joints, layers;
    double sweeps, events, hulls, rules;
    double of_shape[SHAPE_TYPES], of_joint[JOINT_TYPES];
    uint32_t most_contacts;
} sums;

static void count_stats(const vsp_world *world, const vsp_stats *s)
{
    uint32_t events;

    (void)vsp_world_events(world, &events);
    sums.steps++;
    sums.bodies += s->body_count;
    sums.awake += s->awake_count;
    sums.shapes += s->shape_count;
    sums.pairs += s->pair_count;
    sums.contacts += s->contact_count;
    sums.joints += s->joint_count;
    sums.layers += s->layer_count;
    sums.sweeps += s->sweep_count;
    sums.events += events;
    if (s->contact_count > sums.most_contacts)
        sums.most_contacts = s->contact_count;
}

static void count_types(const vsp_world *world)
{
    vsp_shape_def shape;
    vsp_joint_def joint;

    for (uint32_t i = 0; i < VSP_MAX_SHAPES; i++)
        if (vsp_shape_get(world, vsp_shape_at(world, i), &shape) == VSP_OK)
            sums.of_shape[shape.type]++;
    for (uint32_t i = 0; i < VSP_MAX_JOINTS; i++)
        if (vsp_joint_get(world, vsp_joint_at(world, i), &joint) == VSP_OK)
            sums.of_joint[joint.type]++;
    for (uint32_t i = 0; i < VSP_MAX_RUNTIME_HULLS; i++)
        sums.hulls += vsp_hull_at(world, i) != 0;
    for (uint32_t i = 0; i < VSP_MAX_PAIR_RULES; i++) {
        vsp_pair_rule rule;

        (void)vsp_world_pair_rule(world, i, &rule);
        sums.rules += rule.a && rule.b;
    }
}

void count_step(const vsp_world *world)
{
    vsp_stats stats = vsp_world_stats(world);

    count_stats(world, &stats);
    count_types(world);
}

static void show_types(const char *what, const char *const *names,
                       const double *counts, uint32_t count)
{
    printf("%s:", what);
    for (uint32_t i = 1; i < count; i++)
        printf(" %s %.3f", names[i], counts[i] / sums.steps);
    printf("\n");
}

void show_means(void)
{
    static const char *const shapes[SHAPE_TYPES] = {
        "none",  "sphere", "box",   "half-space", "capsule", "hull", "mesh",
        "field", "sdf",    "shell", "cylinder",   "cone",    "taper"};
    static const char *const joints[JOINT_TYPES] = {
        "none",     "ball", "hinge", "slider", "fixed",
        "distance", "axes", "wheel", "gear",   "pulley"};
    double n = sums.steps;

    printf("means of a step: %.2f bodies, %.2f awake, %.2f shapes, %.2f pairs, "
           "%.2f contacts (most %lu), %.2f joints, %.2f layers, %.1f sweeps, "
           "%.2f events, %.2f runtime hulls, %.2f rules\n",
           sums.bodies / n, sums.awake / n, sums.shapes / n, sums.pairs / n,
           sums.contacts / n, (unsigned long)sums.most_contacts,
           sums.joints / n, sums.layers / n, sums.sweeps / n, sums.events / n,
           sums.hulls / n, sums.rules / n);
    show_types("shapes", shapes, sums.of_shape, SHAPE_TYPES);
    show_types("joints", joints, sums.of_joint, JOINT_TYPES);
}
