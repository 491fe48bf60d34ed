/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A thousand boxes of about a metre at random places in a cube of 40 m, and
 * random queries of them for a second.  Queries and their order are always the
 * same. */

#include "bench_queries.h"

#include <stdio.h>
#include <time.h>

#include "port/vec_libm.h"

#define BOXES 1000
#define QUERIES 4096
#define SIZE 40.0 /* side of the cube, m */

typedef struct question {
    vsp_vec3 from, way, low, high;
    vsp_transform pose;
} question;

static question questions[QUERIES];
static uint32_t seed = 1;
static uint32_t hit_count;

static double between(double low, double high)
{
    seed = seed * 1664525u + 1013904223u;
    return low + (high - low) * (double)(seed >> 8) / 16777216.0;
}

static vsp_vec3 any_within(double size)
{
    vsp_vec3 v;

    v.x = vsp_from_double(between(-size, size));
    v.y = vsp_from_double(between(-size, size));
    v.z = vsp_from_double(between(-size, size));
    return v;
}

static vsp_transform any_pose(void)
{
    vsp_transform pose;

    pose.position = any_within(SIZE / 2);
    pose.rotation.x = vsp_from_double(between(-1, 1));
    pose.rotation.y = vsp_from_double(between(-1, 1));
    pose.rotation.z = vsp_from_double(between(-1, 1));
    pose.rotation.w = vsp_from_double(between(0.1, 1));
    return pose;
}

static void add_box(vsp_world *world)
{
    vsp_body_def def = vsp_body_def_default();

    def.pose = any_pose();
    def.shape = vsp_box(vsp_from_double(between(0.2, 0.8)),
                        vsp_from_double(between(0.2, 0.8)),
                        vsp_from_double(between(0.2, 0.8)));
    vsp_body_create(world, &def, NULL);
}

static void prepare_question(question *q)
{
    vec3 way = vec_from(any_within(1));
    vec3 half = vec_make(1, 1, 1);

    q->pose = any_pose();
    q->from = any_within(SIZE / 2);
    way = vec_scale(vec_unit(way), SIZE);
    q->way.x = vsp_from_double(way.x);
    q->way.y = vsp_from_double(way.y);
    q->way.z = vsp_from_double(way.z);
    half = vec_sub(vec_from(q->from), half);
    q->low.x = vsp_from_double(half.x);
    q->low.y = vsp_from_double(half.y);
    q->low.z = vsp_from_double(half.z);
    half = vec_add(half, vec_make(2, 2, 2));
    q->high.x = vsp_from_double(half.x);
    q->high.y = vsp_from_double(half.y);
    q->high.z = vsp_from_double(half.z);
}

static vsp_real count_hit(void *user, const vsp_hit *hit)
{
    (void)hit;
    *(uint32_t *)user += 1;
    return VSP_R(1.0);
}

static void count_if(const vsp_hit *hit)
{
    if (hit->shape.bits != 0)
        hit_count++;
}

static void ask_ray(vsp_world *world, const question *q)
{
    vsp_hit hit;

    vsp_ray_cast(world, q->from, q->way, NULL, &hit);
    count_if(&hit);
}

static void ask_all(vsp_world *world, const question *q)
{
    vsp_ray_cast_all(world, q->from, q->way, NULL, count_hit, &hit_count);
}

static void ask_closest(vsp_world *world, const question *q)
{
    vsp_hit hit;

    vsp_closest_point(world, q->from, VSP_R(2.0), NULL, &hit);
    count_if(&hit);
}

static void ask_inside(vsp_world *world, const question *q)
{
    vsp_point_inside(world, q->from, NULL, count_hit, &hit_count);
}

static void ask_aabb(vsp_world *world, const question *q)
{
    vsp_overlap_aabb(world, q->low, q->high, NULL, count_hit, &hit_count);
}

static void ask_overlap(vsp_world *world, const question *q)
{
    vsp_shape_def box = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));

    vsp_overlap_shape(world, &box, q->pose, NULL, count_hit, &hit_count);
}

static void ask_cast(vsp_world *world, const question *q)
{
    vsp_shape_def ball = vsp_sphere(VSP_R(0.25));
    vsp_hit hit;

    vsp_shape_cast(world, &ball, q->pose, q->way, NULL, &hit);
    count_if(&hit);
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void time_one(vsp_world *world, const char *name,
                     void (*one)(vsp_world *, const question *))
{
    double begin, took = 0.0;
    unsigned long count = 0;

    hit_count = 0;
    one(world, &questions[0]); /* untimed: the first query sorts the shapes */
    begin = seconds();
    while (took < 0.5) {
        for (int i = 0; i < QUERIES; i++)
            one(world, &questions[i]);
        count += QUERIES;
        took = seconds() - begin;
    }
    printf("%-28s %9.3f %9.2f %9.2f\n", name, 1e-6 * (double)count / took,
           1e6 * took / (double)count, (double)hit_count / (double)count);
}

int queries_bench(void)
{
    static unsigned char memory[VSP_WORLD_BYTES + 16];
    unsigned char *at = memory + 15 - ((uintptr_t)(memory + 15) & 15u);
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world;

    if (vsp_world_create(at, VSP_WORLD_BYTES, &def, &world) < 0)
        return 1;
    for (int i = 0; i < BOXES; i++)
        add_box(world);
    for (int i = 0; i < QUERIES; i++)
        prepare_question(&questions[i]);
    printf("%-28s %9s %9s %9s\n", "of 1,000 boxes", "million/s", "us", "found");
    time_one(world, "ray, first, 40 m", ask_ray);
    time_one(world, "ray, all, 40 m", ask_all);
    time_one(world, "nearest within 2 m", ask_closest);
    time_one(world, "point", ask_inside);
    time_one(world, "bounds of 2 m", ask_aabb);
    time_one(world, "box of 1 m", ask_overlap);
    time_one(world, "ball of 0.5 m, cast 40 m", ask_cast);
    return 0;
}
