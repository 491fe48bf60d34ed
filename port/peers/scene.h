/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Scenes for programs of other engines: reads the text that `vsp export`
 * writes, takes the times of steps, prints them as JSON.  In C and C++.
 *
 * The text has a line each for the scene, its bodies, their shapes and its
 * joints; bodies are numbered from 0, vectors and rotations are x y z (w):
 *
 *     scene NAME STEPS DT SLEEP gravity
 *     body STEP TYPE position rotation velocity spin
 *          GRAVITY_SCALE LINEAR_DAMPING ANGULAR_DAMPING BULLET
 *     shape BODY KIND size position rotation DENSITY FRICTION RESTITUTION
 *           [COUNT vertices]
 *     joint KIND A B frame frame LIMIT LOW HIGH CONE COLLIDE
 *
 * A body appears before step STEP.  The rest is as in vsp.h.  Forces, and
 * motions that calls change, are not in it. */

#ifndef PEER_SCENE_H
#define PEER_SCENE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct peer_pose {
    float at[3], turn[4]; /* m; x y z w */
} peer_pose;

typedef struct peer_body {
    unsigned step;
    int type; /* 0 static, 1 kinematic, 2 dynamic */
    peer_pose pose;
    float velocity[3], spin[3], gravity_scale, linear_damping, angular_damping;
    int is_bullet;
} peer_body;

typedef struct peer_shape {
    unsigned body;
    char kind[16];
    float size[3];
    peer_pose pose;
    float density, friction, restitution;
    unsigned count;
    float (*vertices)[3];
} peer_shape;

typedef struct peer_joint {
    char kind[16];
    unsigned a, b;
    peer_pose frame[2];
    int has_limit, collides;
    float low, high, cone;
} peer_joint;

typedef struct peer_scene {
    char name[64];
    unsigned steps;
    float dt, gravity[3];
    int sleeps;
    peer_body *bodies;
    peer_shape *shapes;
    peer_joint *joints;
    size_t body_count, shape_count, joint_count;
} peer_scene;

/* What an engine does: begins a world, adds body i with its shapes, adds joint
 * i, makes a step. */
typedef struct peer_engine {
    void (*begin_world)(const peer_scene *scene);
    void (*add_body)(const peer_scene *scene, size_t i);
    void (*add_joint)(const peer_scene *scene, size_t i);
    void (*make_step)(const peer_scene *scene);
} peer_engine;

static void peer_fail(const char *what)
{
    fprintf(stderr, "peer: bad %s\n", what);
    exit(2);
}

static void peer_floats(FILE *file, float *out, int count)
{
    for (int i = 0; i < count; i++)
        if (fscanf(file, "%f", &out[i]) != 1)
            peer_fail("number");
}

static void peer_read_pose(FILE *file, peer_pose *out)
{
    peer_floats(file, out->at, 3);
    peer_floats(file, out->turn, 4);
}

/* Returns room for one thing more. */
static void *peer_grow(void *list, size_t *count, size_t size)
{
    char *grown = (char *)realloc(list, (*count + 1) * size);

    if (!grown)
        peer_fail("memory");
    memset(grown + *count * size, 0, size);
    ++*count;
    return grown;
}

static void peer_read_body(FILE *file, peer_body *out)
{
    if (fscanf(file, "%u %d", &out->step, &out->type) != 2)
        peer_fail("body");
    peer_read_pose(file, &out->pose);
    peer_floats(file, out->velocity, 3);
    peer_floats(file, out->spin, 3);
    peer_floats(file, &out->gravity_scale, 1);
    peer_floats(file, &out->linear_damping, 1);
    peer_floats(file, &out->angular_damping, 1);
    if (fscanf(file, "%d", &out->is_bullet) != 1)
        peer_fail("body");
}

static void peer_read_hull(FILE *file, peer_shape *out)
{
    if (fscanf(file, "%u", &out->count) != 1 || out->count > 256)
        peer_fail("hull");
    out->vertices = (float(*)[3])calloc(out->count, sizeof *out->vertices);
    if (!out->vertices)
        peer_fail("memory");
    for (unsigned i = 0; i < out->count; i++)
        peer_floats(file, out->vertices[i], 3);
}

static void peer_read_shape(FILE *file, peer_shape *out)
{
    if (fscanf(file, "%u %15s", &out->body, out->kind) != 2)
        peer_fail("shape");
    peer_floats(file, out->size, 3);
    peer_read_pose(file, &out->pose);
    peer_floats(file, &out->density, 1);
    peer_floats(file, &out->friction, 1);
    peer_floats(file, &out->restitution, 1);
    if (strcmp(out->kind, "hull") == 0)
        peer_read_hull(file, out);
}

static void peer_read_joint(FILE *file, peer_joint *out)
{
    if (fscanf(file, "%15s %u %u", out->kind, &out->a, &out->b) != 3)
        peer_fail("joint");
    peer_read_pose(file, &out->frame[0]);
    peer_read_pose(file, &out->frame[1]);
    if (fscanf(file, "%d", &out->has_limit) != 1)
        peer_fail("joint");
    peer_floats(file, &out->low, 1);
    peer_floats(file, &out->high, 1);
    peer_floats(file, &out->cone, 1);
    if (fscanf(file, "%d", &out->collides) != 1)
        peer_fail("joint");
}

static void peer_read_line(FILE *file, const char *word, peer_scene *s)
{
    if (strcmp(word, "scene") == 0) {
        if (fscanf(file, "%63s %u %f %d", s->name, &s->steps, &s->dt,
                   &s->sleeps) != 4)
            peer_fail("scene");
        peer_floats(file, s->gravity, 3);
    } else if (strcmp(word, "body") == 0) {
        s->bodies = (peer_body *)peer_grow(s->bodies, &s->body_count,
                                           sizeof *s->bodies);
        peer_read_body(file, &s->bodies[s->body_count - 1]);
    } else if (strcmp(word, "shape") == 0) {
        s->shapes = (peer_shape *)peer_grow(s->shapes, &s->shape_count,
                                            sizeof *s->shapes);
        peer_read_shape(file, &s->shapes[s->shape_count - 1]);
    } else if (strcmp(word, "joint") == 0) {
        s->joints = (peer_joint *)peer_grow(s->joints, &s->joint_count,
                                            sizeof *s->joints);
        peer_read_joint(file, &s->joints[s->joint_count - 1]);
    } else {
        peer_fail(word);
    }
}

static void peer_read(const char *path, peer_scene *out)
{
    FILE *file = fopen(path, "r");
    char word[16];

    if (!file)
        peer_fail(path);
    while (fscanf(file, "%15s", word) == 1)
        peer_read_line(file, word, out);
    fclose(file);
}

/* CPU time of this thread, ms. */
static double peer_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int peer_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void peer_report(const peer_scene *s, const char *name, double *times)
{
    double sum = 0.0;

    for (unsigned i = 0; i < s->steps; i++)
        sum += times[i];
    qsort(times, s->steps, sizeof *times, peer_order);
    printf("{\"engine\":\"%s\",\"scene\":\"%s\",\"steps\":%u,"
           "\"mean_ms\":%.4f,\"median_ms\":%.4f,\"p99_ms\":%.4f,"
           "\"max_ms\":%.4f}\n",
           name, s->name, s->steps, sum / s->steps, times[s->steps / 2],
           times[s->steps * 99u / 100u], times[s->steps - 1]);
}

/* Runs the scene of a file, and prints its times. */
static int peer_run(const char *path, const char *name,
                    const peer_engine *engine)
{
    static peer_scene s;
    double *times;
    size_t made = 0;

    peer_read(path, &s);
    times = (double *)calloc(s.steps + 1, sizeof *times);
    if (!times)
        peer_fail("memory");
    engine->begin_world(&s);
    for (unsigned step = 0; step < s.steps; step++) {
        double start;

        while (made < s.body_count && s.bodies[made].step <= step)
            engine->add_body(&s, made++);
        for (size_t i = 0; step == 0 && i < s.joint_count; i++)
            engine->add_joint(&s, i);
        start = peer_now();
        engine->make_step(&s);
        times[step] = peer_now() - start;
    }
    peer_report(&s, name, times);
    return 0;
}

#endif
