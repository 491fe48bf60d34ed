/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Time of impact of features that move straight: against motions constructed to
 * meet at a known time, and against random motions.  Constructed ones are in
 * integers, so that corners are exact in both kinds of numbers.  They include
 * cases that mislead methods with cubics: all corners move in a plane, edges
 * are parallel, or corners meet corners (as in the collections of Erleben, and
 * of Wang, Ferguson and others, 2021). */

#include "../src/record/record.h"
#include "fixture.h"
#include "shell_check.h"

#include <stdio.h>
#include <string.h>

#if VSP_SHELLS

#define GAP 0.0001   /* m */
#define UNIT 16      /* divides corners and paths at a meeting */
#define PLACE 4096.0 /* units of integers in a metre */

static uint32_t dice;

/* Returns a random integer, low to high. */
static int roll(int low, int high)
{
    dice = dice * 1664525u + 1013904223u;
    return low + (int)((dice >> 8) % (uint32_t)(high - low + 1));
}

typedef struct whole {
    int at[3];
} whole;

static whole whole_any(int most)
{
    whole v;

    for (int k = 0; k < 3; k++)
        v.at[k] = UNIT * roll(-most, most);
    return v;
}

static whole whole_sum(whole a, int factor, whole b)
{
    for (int k = 0; k < 3; k++)
        a.at[k] += factor * b.at[k];
    return a;
}

/* Returns a + (b - a) part / 16, which is an integer. */
static whole whole_between(whole a, whole b, int part)
{
    for (int k = 0; k < 3; k++)
        a.at[k] += (b.at[k] - a.at[k]) / 16 * part;
    return a;
}


/* ---- Meetings ------------------------------------------------------------
 * Two features that meet at a time, in sixteenths of the step. */

typedef struct meeting {
    bool are_edges;
    int time;
    whole at[4];  /* position of each corner at the time of the meeting */
    whole way[4]; /* displacement of each corner in the whole step */
} meeting;

/* What is special about a meeting: bits. */
enum {
    IN_PLANE = 1,   /* all corners stay in a plane */
    RIGID = 2,      /* neither feature rotates */
    PARALLEL = 4,   /* edges are parallel when they meet */
    IN_LINE = 8,    /* they are on one line and approach along it */
    ON_EDGE = 16,   /* the point meets an edge; or an edge touches the other
                     * with its end */
    ON_CORNER = 32, /* a corner meets a corner */
    GRAZING = 64,   /* the features do not approach at that time */
    AT_END = 128    /* at the end of the step */
};

/* Returns a point of the triangle x[1], x[2], x[3]. */
static whole point_in(const whole *x, int special)
{
    int a = roll(1, 14), b = roll(1, 15 - a);

    if (special & ON_CORNER)
        return x[1];
    if (special & ON_EDGE)
        b = 0;
    return whole_sum(whole_between(x[1], x[2], b), 1,
                     whole_sum(whole_between(x[1], x[3], a), -1, x[1]));
}

/* Makes an edge through a point that divides it by 1:1, 2:1 or 4:1, or is an
 * end. */
static void edge_through(whole place, whole along, bool ends, whole *x)
{
    int factor = ends ? 0 : 1 << roll(0, 2);

    x[0] = whole_sum(place, -factor, along);
    x[1] = whole_sum(place, 1, along);
}

static whole nonzero_any(int most)
{
    whole v;

    do
        v = whole_any(most);
    while (v.at[0] == 0 && v.at[1] == 0 && v.at[2] == 0);
    return v;
}

static void make_ways(meeting *m, int special, whole along)
{
    int split = m->are_edges ? 2 : 1;

    for (int i = 0; i < 4; i++) {
        m->way[i] = whole_any(64);
        if ((special & RIGID) && i > 0 && i != split)
            m->way[i] = m->way[i - 1];
    }
    if (special & IN_LINE)
        for (int i = 0; i < 4; i++)
            m->way[i] = whole_sum(m->way[0], i < split ? 0 : roll(1, 20),
                                  along);
    if ((special & RIGID) && m->are_edges)
        m->way[3] = m->way[2];
}

/* Point and triangle: the point moves like the point of the triangle that it
 * meets, plus some motion along a side. */
static void graze_face(meeting *m)
{
    whole side = whole_sum(m->at[2], -1, m->at[1]);

    for (int k = 0; k < 3; k++) /* so that sums of fractions are integers */
        side.at[k] = side.at[k] / UNIT * UNIT;
    for (int i = 1; i < 4; i++)
        m->way[i] = m->way[1];
    m->way[0] = whole_sum(m->way[1], roll(-2, 2), side);
}

/* Two edges: one rotates about the meeting point, in the plane of both. */
static void graze_edges(meeting *m)
{
    whole u = whole_sum(m->at[1], -1, m->at[0]);
    whole v = whole_sum(m->at[3], -1, m->at[2]);

    m->way[1] = m->way[0];
    m->way[2] = whole_sum(m->way[0], roll(0, 1), u);
    m->way[3] = whole_sum(m->way[2], roll(-1, 1), v);
}

static meeting make_meeting(bool are_edges, int special)
{
    whole place = whole_any(40), along = nonzero_any(20), other;
    meeting m;

    m.are_edges = are_edges;
    m.time = special & AT_END ? 16 : roll(1, 15);
    if (are_edges) {
        bool ends = (special & (ON_CORNER | IN_LINE)) != 0;

        other = special & (PARALLEL | IN_LINE) ? along : nonzero_any(20);
        edge_through(place, along, ends || (special & ON_EDGE), &m.at[0]);
        if (special & IN_LINE) /* ends that meet must be between the edges */
            other = whole_sum(whole_any(0), -1, other);
        edge_through(place, other, ends, &m.at[2]);
    } else {
        for (int i = 1; i < 4; i++)
            m.at[i] = whole_any(60);
        m.at[0] = point_in(m.at, special);
    }
    make_ways(&m, special, along);
    if ((special & GRAZING) && are_edges)
        graze_edges(&m);
    else if (special & GRAZING)
        graze_face(&m);
    for (int i = 0; i < 4 && (special & IN_PLANE); i++)
        m.at[i].at[2] = m.way[i].at[2] = 0;
    return m;
}

/* Rotates by right angles and mirrors: coordinates stay integers. */
static void mix_axes(meeting *m)
{
    int first = roll(0, 2), flip = roll(0, 7);

    for (int i = 0; i < 8; i++) {
        whole *x = i < 4 ? &m->at[i] : &m->way[i - 4], old = *x;

        for (int k = 0; k < 3; k++)
            x->at[k] = old.at[(k + first) % 3] * (flip >> k & 1 ? -1 : 1);
    }
}

/* Adds a common displacement to all corners. */
static void share_way(meeting *m)
{
    whole shared = whole_any(roll(0, 100));

    for (int i = 0; i < 4; i++)
        m->way[i] = whole_sum(m->way[i], 1, shared);
}

/* Returns the corners at time 0 or 1. */
static void corners_at(const meeting *m, int end, vec3 x[4])
{
    for (int i = 0; i < 4; i++) {
        int part = end * 16 - m->time;

        x[i] = vec_make(m->at[i].at[0] + m->way[i].at[0] / 16 * part,
                        m->at[i].at[1] + m->way[i].at[1] / 16 * part,
                        m->at[i].at[2] + m->way[i].at[2] / 16 * part);
        x[i] = vec_scale(x[i], 1 / PLACE);
    }
}


/* ---- The engine ---------------------------------------------------------- */

static vsp__v3 corner_of(vec3 p)
{
    return v3_read(real3(p.x, p.y, p.z));
}

/* Calls the engine.  Returns the time of impact; above 1 if there is none. */
static double time_of_hit(const vec3 from[4], const vec3 to[4], bool are_edges)
{
    vsp__feature_pair f;
    vsp__feature_hit hit;
    vsp__num time = VSP__UNIT(1.0);

    memset(&f, 0, sizeof f);
    f.are_edges = are_edges;
    for (int i = 0; i < 4; i++) {
        f.at[0][i] = corner_of(from[i]);
        f.at[1][i] = corner_of(to[i]);
    }
    if (!vsp__do_features_hit(&f, VSP__REAL(GAP), &time, &hit))
        return 2;
    return num(u_show(time));
}

static double distance_then(const vec3 from[4], const vec3 to[4],
                            bool are_edges, double time)
{
    vec3 x[4];

    for (int i = 0; i < 4; i++)
        x[i] = vec_mad(from[i], time, vec_sub(to[i], from[i]));
    return shell_feature_distance(x, are_edges);
}

typedef struct tally {
    uint32_t tries, missed, late, early;
} tally;

/* A hit may be early by a fifth of the gap, and also if 64 rounds are not
 * enough. */
#define NEAR_HIT (1.3 * GAP)

static void try_meeting(const meeting *m, tally *sum)
{
    double meets = m->time / 16.0, time;
    vec3 from[4], to[4];

    corners_at(m, 0, from);
    corners_at(m, 1, to);
    if (shell_feature_distance(from, m->are_edges) < 0.5 * GAP)
        return; /* no step begins in such a state */
    time = time_of_hit(from, to, m->are_edges);
    sum->tries++;
    if (time > 1)
        sum->missed++;
    else if (time > meets + 1e-6)
        sum->late++;
    else if (distance_then(from, to, m->are_edges, time) > NEAR_HIT)
        sum->early++;
}

static void try_family(bool are_edges, int special)
{
    tally sum = {0, 0, 0, 0};

    for (int i = 0; i < tries_of(20000); i++) {
        meeting m = make_meeting(are_edges, special);

        mix_axes(&m);
        if (i % 2)
            share_way(&m);
        try_meeting(&m, &sum);
    }
    if (shows())
        printf("    %s %d: %u tries, missed %u, late %u, early %u\n",
               are_edges ? "edges" : "face", special, (unsigned)sum.tries,
               (unsigned)sum.missed, (unsigned)sum.late, (unsigned)sum.early);
    test_note("%s, special %d", are_edges ? "edges" : "face", special);
    CHECK_UINT(0, sum.missed);
    CHECK_UINT(0, sum.late);
    CHECK_AT_MOST(0.3 * sum.tries, sum.early);
}

static void known_meetings_are_found(void)
{
    static const int face[] = {0, RIGID, GRAZING};
    static const int edges[] = {0,
                                RIGID,
                                GRAZING,
                                PARALLEL,
                                PARALLEL | RIGID,
                                PARALLEL | GRAZING,
                                IN_LINE | RIGID};
    static const int where[] = {0, ON_EDGE, ON_CORNER};

    dice = 5;
    for (int i = 0; i < 2 * 3 * 2; i++) {
        int special = (i % 2 ? AT_END : 0) | where[i / 2 % 3] |
                      (i / 6 ? IN_PLANE : 0);

        for (size_t k = 0; k < COUNT_OF(face); k++)
            try_family(false, special | face[k]);
        for (size_t k = 0; k < COUNT_OF(edges); k++)
            try_family(true, special | edges[k]);
    }
}


/* ---- Nearly special cases ------------------------------------------------ */

/* Takes known meetings, and moves each corner by the smallest number: the
 * checker decides whether they still meet. */
static void near_meetings_are_found(void)
{
    uint32_t tries = 0, meets = 0, missed = 0;

    dice = 9;
    for (int i = 0; i < tries_of(200000); i++) {
        bool are_edges = roll(0, 1);
        meeting m = make_meeting(are_edges, roll(0, AT_END - 1));
        vec3 x[2][4];
        bool is_met;

        mix_axes(&m);
        corners_at(&m, 0, x[0]);
        corners_at(&m, 1, x[1]);
        for (int k = 0; k < 8; k++)
            x[k / 4][k % 4] = vec_add(
                x[k / 4][k % 4],
                vec_scale(vec_make(roll(-1, 1), roll(-1, 1), roll(-1, 1)),
                          1.0 / VSP_PLACE));
        if (shell_feature_distance(x[0], are_edges) < 0.5 * GAP)
            continue;
        tries++;
        is_met = shell_features_pass(x[0], x[1], are_edges, 0);
        meets += is_met ? 1 : 0;
        missed += is_met && time_of_hit(x[0], x[1], are_edges) > 1 ? 1 : 0;
    }
    if (shows())
        printf("    %u tries, %u meet, missed %u\n", (unsigned)tries,
               (unsigned)meets, (unsigned)missed);
    CHECK_AT_LEAST(0.3 * tries, meets);
    CHECK_UINT(0, missed);
}


/* ---- At random ----------------------------------------------------------- */

static double random_part(void)
{
    return roll(-1048576, 1048576) / 1048576.0;
}

static vec3 random_vector(double size)
{
    double x = random_part(), y = random_part();

    return vec_scale(vec_make(x, y, random_part()), size);
}

/* Features of size 0.1 m with random displacements of up to `way`, m.  Counts
 * meetings that are missed, and hits of features that stay apart by
 * NEAR_HIT. */
static void try_random(double way, double most_false)
{
    uint32_t tries = (uint32_t)tries_of(400000), meets = 0, missed = 0;
    uint32_t near = 0, wrong = 0;

    for (uint32_t i = 0; i < tries; i++) {
        bool are_edges = i % 2, is_met, is_near, is_hit;
        int split = are_edges ? 2 : 1;
        vec3 from[4], to[4], shared[2];

        shared[0] = random_vector(way);
        shared[1] = random_vector(way);
        for (int k = 0; k < 4; k++) {
            from[k] = random_vector(0.1);
            to[k] = vec_add(vec_add(from[k], shared[k < split ? 0 : 1]),
                            random_vector(0.1 * way));
        }
        if (shell_feature_distance(from, are_edges) < NEAR_HIT)
            continue;
        is_met = shell_features_pass(from, to, are_edges, 0);
        is_near = is_met || shell_features_pass(from, to, are_edges, NEAR_HIT);
        is_hit = time_of_hit(from, to, are_edges) <= 1;
        meets += is_met ? 1 : 0;
        near += is_near ? 1 : 0;
        missed += is_met && !is_hit ? 1 : 0;
        wrong += is_hit && !is_near ? 1 : 0;
    }
    if (shows())
        printf("    way %g m: %u tries, %u meet, %u more are near, missed %u, "
               "false hits at 0.1 mm %u\n",
               way, (unsigned)tries, (unsigned)meets, (unsigned)(near - meets),
               (unsigned)missed, (unsigned)wrong);
    test_note("way %g m", way);
    CHECK_UINT(0, missed);
    CHECK_AT_MOST(most_false * tries, wrong);
}

static void random_meetings_are_found(void)
{
    dice = 3;
    try_random(0.02, 0.0005);
    try_random(0.2, 0.001);
    try_random(4, 0.002);
}

/* Features that slide past each other in two planes, this far apart. */
static void try_sliding(double apart, double way, double most_false)
{
    uint32_t tries = (uint32_t)tries_of(40000), wrong = 0;

    for (uint32_t i = 0; i < tries; i++) {
        bool are_edges = i % 2;
        int split = are_edges ? 2 : 1;
        vec3 from[4], to[4], shared = random_vector(way);

        for (int k = 0; k < 4; k++) {
            from[k] = random_vector(0.1);
            to[k] = vec_add(from[k], random_vector(0.1 * way));
            if (k < split)
                to[k] = vec_add(to[k], shared);
            from[k].z = to[k].z = k < split ? apart : 0;
        }
        wrong += time_of_hit(from, to, are_edges) <= 1 ? 1 : 0;
    }
    if (shows())
        printf("    %g mm apart, way %g m: %u tries, false hits %u\n",
               1000 * apart, way, (unsigned)tries, (unsigned)wrong);
    test_note("%g mm apart, way %g m", 1000 * apart, way);
    CHECK_AT_MOST(most_false * tries, wrong);
}

/* At the rest distance there are no false hits at 3 m/s, with 64 rounds. */
static void sliding_features_are_free(void)
{
    dice = 4;
    try_sliding(0.002, 0.01, 0);
    try_sliding(0.002, 0.05, 0);
    try_sliding(0.002, 0.1, 0.01);
    try_sliding(0.001, 0.02, 0);
    try_sliding(0.0003, 0.01, 1);
    try_sliding(0.002, 1, 1);
}

/* Moves the first feature towards the other one until they are this far apart.
 * Returns false if they pass each other. */
static bool bring_near(vec3 x[4], bool are_edges, double apart)
{
    int split = are_edges ? 2 : 1;
    vec3 way = vec_make(0, 0, 0);
    double room = 1;

    for (int i = 0; i < 4; i++)
        way = vec_mad(way, i < split ? -1.0 / split : 1.0 / (4 - split), x[i]);
    if (vec_length(way) < 0.01)
        return false;
    way = vec_unit(way);
    for (int round = 0; round < 1000 && room > 1e-6; round++) {
        room = shell_feature_distance(x, are_edges) - apart;
        for (int i = 0; i < split; i++)
            x[i] = vec_mad(x[i], room, way);
    }
    return fabs(room) <= 1e-6;
}

/* Features that begin nearer than the gap: they may separate, and do not
 * meet. */
static void near_features_may_part(void)
{
    uint32_t tries = 0, meets = 0, missed = 0, parts = 0, held = 0;

    dice = 6;
    for (int i = 0; i < tries_of(200000); i++) {
        bool are_edges = roll(0, 1), is_met, is_hit;
        int split = are_edges ? 2 : 1;
        vec3 from[4], to[4], shared = random_vector(0.002);
        double apart = GAP * roll(50, 100) / 100;

        for (int k = 0; k < 4; k++)
            from[k] = random_vector(0.1);
        if (!bring_near(from, are_edges, apart))
            continue;
        for (int k = 0; k < 4; k++) {
            to[k] = vec_add(from[k], random_vector(0.0003));
            if (k < split)
                to[k] = vec_add(to[k], shared);
        }
        tries++;
        is_met = shell_features_pass(from, to, are_edges, 0);
        is_hit = time_of_hit(from, to, are_edges) <= 1;
        meets += is_met ? 1 : 0;
        missed += is_met && !is_hit ? 1 : 0;
        if (shell_features_pass(from, to, are_edges, apart - 2e-6))
            continue;
        parts++;
        held += is_hit ? 1 : 0;
    }
    if (shows())
        printf("    %u tries, %u meet, missed %u, %u part, held %u\n",
               (unsigned)tries, (unsigned)meets, (unsigned)missed,
               (unsigned)parts, (unsigned)held);
    CHECK_AT_LEAST(0.1 * tries, meets);
    CHECK_AT_LEAST(0.1 * tries, parts);
    CHECK_UINT(0, missed);
    CHECK_AT_MOST(0.05 * parts, held);
}

static const test shell_paths_tests[] = {
    TEST(known_meetings_are_found),  TEST(near_meetings_are_found),
    TEST(random_meetings_are_found), TEST(sliding_features_are_free),
    TEST(near_features_may_part),    TEST_END,
};

#else

static const test shell_paths_tests[] = {TEST_END};

#endif /* VSP_SHELLS */

extern const test_suite shell_paths_suite;

const test_suite shell_paths_suite = {"shell_paths", shell_paths_tests};
