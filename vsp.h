/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* VSP: rigid bodies in one buffer, the same bits on every machine.
 *
 * This header is the manual: conventions, options, then types and functions
 * in the order in which a program needs them.
 *
 * Add four files to your program: vsp.h, vsp.c, vsp_solver.c, vsp_collide.c.
 * The files of a release are complete; the files of a checkout include src/,
 * so keep that folder beside them.  Or take the single header of a release,
 * and in one C file define VSP_IMPLEMENTATION before you include vsp.h.
 * Options decide which features are compiled.
 *
 * The engine needs no libc, no heap, no global data and no FPU.  (A compiler
 * may still emit calls of memcpy, memset, memmove and memcmp, as it may for
 * any freestanding program.)
 *
 *     VSP_ARENA(arena, VSP_WORLD_BYTES);      all memory of the world
 *     vsp_world *world;
 *     vsp_body_id box;
 *     vsp_world_def setup = vsp_world_def_default();
 *     vsp_world_create(arena.mem, sizeof arena.mem, &setup, &world);
 *     vsp_body_def crate = vsp_body_def_default();
 *     crate.type = VSP_DYNAMIC;
 *     crate.shape = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
 *     vsp_body_create(world, &crate, &box);
 *     vsp_world_step(world);                  once a tick
 *     draw(vsp_body_transform(world, box));
 *
 * Conventions: SI units (m, kg, s, rad); right-handed axes, none of which is
 * up (gravity is a vector); quaternions as x, y, z, w; boxes by half extents.
 * The velocity of a body is that of its centre of mass.
 *
 * Status: 0 means done.  A positive status means done with a note, or, for
 * VSP_WAIT and VSP_END, nothing to do.  A negative one means refused, with
 * nothing changed.  Comments on functions list the statuses other than VSP_OK.
 * Every call checks all of its arguments in every build.  An output pointer
 * must not be null unless the function's comment allows it.
 *
 * Numbers must be finite and within their limits (see "Limits of numbers"): a
 * call that uses any other number returns VSP_ERR_ARG.
 *
 * The library has no variables of its own.  Different worlds may be used at
 * once by different threads or interrupts.  Calls with a const world may
 * overlap each other, but not a call that changes this world. */

#ifndef VSP_H
#define VSP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>


/* ---- Options --------------------------------------------------------------
 * Options are macros.  All files of the engine, and every file that includes
 * this header, must see the same ones (except for VSP_ASSERT): otherwise
 * vsp_world_create returns VSP_ERR_ABI at run time.  An option can be set in
 * three places; the first of them that sets it counts:
 *
 *     the command line    -DVSP_MAX_BODIES=100
 *     an options file     #define VSP_MAX_BODIES 100, in vsp_config.h or in
 *                         the file that -DVSP_CONFIG='"path/file.h"' names
 *     below               the default
 *
 * A file named vsp_config.h beside vsp.h or on the include path is used
 * unless VSP_CONFIG names another one.  This needs a compiler that has
 * __has_include (gcc 5, clang, C23, C++17); with others, set VSP_CONFIG.  If
 * both the command line and the file set an option, the file needs an #ifndef
 * around it, or the compiler warns that it is defined twice.
 *
 * docs/SIZE.md has the bytes that one more body, contact and so on costs. */

#if defined VSP_CONFIG
#include VSP_CONFIG
#elif defined __has_include
#if __has_include("vsp_config.h")
#include "vsp_config.h"
#endif
#endif

/* Capacity: bodies of all types that can exist at once.  1 to 65000. */
#ifndef VSP_MAX_BODIES
#define VSP_MAX_BODIES 64
#endif

/* Capacity: shapes that can exist at once.  1 to 65000. */
#ifndef VSP_MAX_SHAPES
#define VSP_MAX_SHAPES VSP_MAX_BODIES
#endif

/* Capacity: pairs of shapes whose bounding boxes overlap, in one step.  1 to
 * 1000000.  More pairs are dropped, whatever their depth. */
#ifndef VSP_MAX_PAIRS
#define VSP_MAX_PAIRS (6 * VSP_MAX_BODIES)
#endif

/* Capacity: manifolds (pairs of shapes that touch), in one step.  1 to
 * 65000.  If there are more, the shallowest are dropped. */
#ifndef VSP_MAX_MANIFOLDS
#define VSP_MAX_MANIFOLDS (VSP_MAX_BODIES <= 16250 ? 4 * VSP_MAX_BODIES : 65000)
#endif

/* Capacity: contact points, in one step.  A manifold has 4 at most.  4 to
 * 260000.  If there are more, the shallowest are dropped. */
#ifndef VSP_MAX_CONTACTS
#define VSP_MAX_CONTACTS (VSP_MAX_MANIFOLDS > 1 ? 3 * VSP_MAX_MANIFOLDS : 4)
#endif

/* Features that a build can leave out: 1, the default, or 0.  The same source
 * files are compiled; the code of a feature that is off becomes empty.  Its
 * functions inside an #if are not declared; others return VSP_ERR_ARG.  State
 * and snapshots have the same format in all builds of one kind of numbers; a
 * build refuses a snapshot that uses a feature it lacks. */
#ifndef VSP_CAPSULES
#define VSP_CAPSULES 1
#endif
#ifndef VSP_HULLS
#define VSP_HULLS 1
#endif
#ifndef VSP_ROUNDS /* cylinders and cones */
#define VSP_ROUNDS 1
#endif
#ifndef VSP_MESHES
#define VSP_MESHES 1
#endif
#ifndef VSP_HEIGHT_FIELDS
#define VSP_HEIGHT_FIELDS 1
#endif
#ifndef VSP_SDFS /* signed distance fields */
#define VSP_SDFS 1
#endif
#ifndef VSP_SLEEP
#define VSP_SLEEP 1
#endif
#ifndef VSP_EVENTS /* events and sensors */
#define VSP_EVENTS 1
#endif
#ifndef VSP_CCD /* continuous collision: bullets, def.enable_continuous */
#define VSP_CCD 1
#endif
#ifndef VSP_SEAMS /* bodies slide over edges between level static shapes */
#define VSP_SEAMS 1
#endif
#ifndef VSP_LOCKS /* locked axes of bodies, def.locks */
#define VSP_LOCKS 1
#endif
#ifndef VSP_BELTS /* surface velocities of shapes */
#define VSP_BELTS 1
#endif
#ifndef VSP_ROLLING /* rolling and spinning friction of shapes */
#define VSP_ROLLING 1
#endif
#ifndef VSP_JOINTS
#define VSP_JOINTS 1
#endif
#ifndef VSP_CARRY /* VSP_STEPPER_CARRY; without it PGS is the default */
#define VSP_CARRY 1
#endif
#ifndef VSP_SHOCK /* VSP_STEPPER_SHOCK */
#define VSP_SHOCK 1
#endif
#ifndef VSP_SUBSPACE /* VSP_STEPPER_SUBSPACE; also enlarges the world */
#define VSP_SUBSPACE 1
#endif
#ifndef VSP_PYRAMID /* VSP_FRICTION_PYRAMID */
#define VSP_PYRAMID 1
#endif
#ifndef VSP_QUERIES /* rays, casts, overlaps, closest point */
#define VSP_QUERIES 1
#endif
#ifndef VSP_SNAPSHOTS /* snapshot, restore, hash, validation */
#define VSP_SNAPSHOTS 1
#endif
#ifndef VSP_DIFF /* names of the differences between two worlds */
#define VSP_DIFF 1
#endif
#ifndef VSP_EDITS /* calls that change and list what a body or shape is */
#define VSP_EDITS 1
#endif
#ifndef VSP_MATH /* arithmetic for programs, the same in both kinds */
#define VSP_MATH 1
#endif
#ifndef VSP_DRAW /* lines and triangles of what is in a world */
#define VSP_DRAW 1
#endif
#ifndef VSP_PAIR_RULES /* rules of pairs, one-way surfaces, events of hits */
#define VSP_PAIR_RULES 1
#endif

/* Features that need other features: 1 by default if those are 1, else 0. */
#ifndef VSP_CHARACTER /* characters; needs VSP_QUERIES and VSP_CAPSULES */
#define VSP_CHARACTER (VSP_QUERIES && VSP_CAPSULES)
#endif
#ifndef VSP_TAPERS /* tapered capsules; needs VSP_ROUNDS */
#define VSP_TAPERS VSP_ROUNDS
#endif
#ifndef VSP_SCALES /* scaled hulls, meshes, fields; with hulls alone set it */
#define VSP_SCALES (VSP_MESHES || VSP_HEIGHT_FIELDS)
#endif
#ifndef VSP_MATERIALS /* of triangles and cells; needs a table with them */
#define VSP_MATERIALS (VSP_MESHES || VSP_HEIGHT_FIELDS)
#endif
#ifndef VSP_FIELD_EDITS /* height fields change; needs VSP_HEIGHT_FIELDS */
#define VSP_FIELD_EDITS VSP_HEIGHT_FIELDS
#endif
#ifndef VSP_EXPLOSIONS /* needs VSP_QUERIES */
#define VSP_EXPLOSIONS VSP_QUERIES
#endif
#ifndef VSP_HIT_LISTS /* casts that list all hits; needs VSP_QUERIES */
#define VSP_HIT_LISTS VSP_QUERIES
#endif
#ifndef VSP_REPLAY /* recorder and player; needs VSP_SNAPSHOTS */
#define VSP_REPLAY VSP_SNAPSHOTS
#endif
#ifndef VSP_ROLLBACK /* needs VSP_REPLAY */
#define VSP_ROLLBACK VSP_REPLAY
#endif
#ifndef VSP_LOCKSTEP /* needs VSP_ROLLBACK and VSP_DIFF */
#define VSP_LOCKSTEP (VSP_ROLLBACK && VSP_DIFF)
#endif
#ifndef VSP_DRIVES /* servos, spring motors, AXES, WHEEL; needs VSP_JOINTS */
#define VSP_DRIVES VSP_JOINTS
#endif
#ifndef VSP_GEARS /* joints GEAR and PULLEY; needs VSP_JOINTS */
#define VSP_GEARS VSP_JOINTS
#endif
#ifndef VSP_RANGES /* long-range constraints on chains; needs VSP_JOINTS */
#define VSP_RANGES VSP_JOINTS
#endif
#ifndef VSP_HINGE_LOOPS /* keeps loops of hinges flat; needs VSP_JOINTS */
#define VSP_HINGE_LOOPS VSP_JOINTS
#endif
#ifndef VSP_UNIONS /* rigid compounds that can break; needs VSP_JOINTS */
#define VSP_UNIONS VSP_JOINTS
#endif

/* 1: compiles vsp_body_is_supported and def.enable_supports, see "Supports".
 * 0: the default. */
#ifndef VSP_SUPPORTS
#define VSP_SUPPORTS 0
#endif

/* 1: sheets without thickness that never pass through anything, see "Shells":
 * about 15 KB of code, and 4 KB of stack in a step.  0: the default. */
#ifndef VSP_SHELLS
#define VSP_SHELLS 0
#endif

/* 1: all steppers measure vsp_stats.merit, the error of a solve, at one pass
 * over all rows in each step.  0, the default: only SUBSPACE measures it. */
#ifndef VSP_MERIT
#define VSP_MERIT 0
#endif

/* 1: vsp_world_step_with shares the work of a step among threads or cores of
 * the caller, see "Workers"; the bits are the same.  0: the default. */
#ifndef VSP_WORKERS
#define VSP_WORKERS 0
#endif

/* Manifolds that a velocity sweep solves at once: 1, the default; 4 or 8 for
 * the vector units of a desktop or console, which makes the buffer of a world
 * much larger.  The bits are the same.  Fixed point always solves one at a
 * time. */
#ifndef VSP_LANES
#define VSP_LANES 1
#endif
#define VSP__LANE_COUNT (VSP_FIXED ? 1 : VSP_LANES)

/* Capacity: tables that a world can refer to, see "Tables".  1 to 65000. */
#ifndef VSP_MAX_TABLES
#define VSP_MAX_TABLES 8
#endif

/* Capacity: convex hulls that calls make at run time, of about 1 KB each, see
 * "Runtime hulls"; needs VSP_HULLS.  0, the default: none, and no code for
 * them; up to 500. */
#ifndef VSP_MAX_RUNTIME_HULLS
#define VSP_MAX_RUNTIME_HULLS 0
#endif

/* Capacity: rules of pairs.  1 to 255. */
#ifndef VSP_MAX_PAIR_RULES
#define VSP_MAX_PAIR_RULES 8
#endif

/* Capacity: changed tiles of height fields, of 8 x 8 heights.  1 to 65000. */
#ifndef VSP_MAX_FIELD_TILES
#define VSP_MAX_FIELD_TILES 8
#endif

/* Capacity: joints that can exist at once.  1 to 32000.  Default: one for
 * every four bodies. */
#ifndef VSP_MAX_JOINTS
#define VSP_MAX_JOINTS (VSP_JOINTS ? (VSP_MAX_BODIES + 3) / 4 : 1)
#endif

/* Capacity: events of one step.  1 to 65000.  Events beyond it are only
 * counted, in vsp_stats.events_dropped. */
#ifndef VSP_MAX_EVENTS
#define VSP_MAX_EVENTS (VSP_EVENTS ? 32 : 1)
#endif

/* Capacity: pairs of a sensor and a shape in it, at once.  1 to 65000. */
#ifndef VSP_MAX_SENSED
#define VSP_MAX_SENSED (VSP_EVENTS ? 32 : 1)
#endif

/* The kind of numbers.  1: fixed point, and no float operation is compiled: for
 * machines without an FPU, or with floats that cannot be trusted.  0, the
 * default: floats.  The two kinds give different results, each the same on
 * every machine. */
#ifndef VSP_FIXED
#define VSP_FIXED 0
#endif

/* Checks an invariant of the engine: define it as an expression, for example a
 * call of assert.  It costs time and changes no result.  The default checks
 * nothing. */
#ifndef VSP_ASSERT
#define VSP_ASSERT(condition) ((void)0)
#endif

/* A clock for the ticks of vsp_stats: an expression of type uint32_t, which may
 * wrap, such as a cycle counter.  It is read at each change of phase, and
 * changes no result.  Undefined by default. */
#ifdef VSP_CLOCK
#define VSP__HAS_CLOCK 1
#else
#define VSP__HAS_CLOCK 0
#endif


/* ---- Checks of options and compiler ----------------------------------------
 * Each #error names the option, its rule and what to do. */

#if VSP_MAX_BODIES < 1 || VSP_MAX_BODIES > 65000
#error "VSP_MAX_BODIES must be 1 to 65000: see vsp_config.h or VSP_CONFIG"
#endif
#if VSP_MAX_SHAPES < 1 || VSP_MAX_SHAPES > 65000
#error "VSP_MAX_SHAPES must be 1 to 65000: see vsp_config.h or VSP_CONFIG"
#endif
#if VSP_MAX_PAIRS < 1 || VSP_MAX_PAIRS > 1000000
#error "VSP_MAX_PAIRS must be 1 to 1000000: see vsp_config.h or VSP_CONFIG"
#endif
#if VSP_MAX_MANIFOLDS < 1 || VSP_MAX_MANIFOLDS > 65000
#error "VSP_MAX_MANIFOLDS must be 1 to 65000: see vsp_config.h or VSP_CONFIG"
#endif
#if VSP_MAX_CONTACTS < 4 || VSP_MAX_CONTACTS > 260000
#error "VSP_MAX_CONTACTS must be 4 to 260000: see vsp_config.h or VSP_CONFIG"
#endif
#if VSP_MAX_TABLES < 1 || VSP_MAX_TABLES > 65000
#error "VSP_MAX_TABLES must be 1 to 65000: see vsp_config.h or VSP_CONFIG"
#endif
#if VSP_MAX_RUNTIME_HULLS < 0 || VSP_MAX_RUNTIME_HULLS > 500
#error "VSP_MAX_RUNTIME_HULLS must be 0 to 500: see vsp_config.h or VSP_CONFIG"
#endif
#if VSP_MAX_PAIR_RULES < 1 || VSP_MAX_PAIR_RULES > 255
#error "VSP_MAX_PAIR_RULES must be 1 to 255: see vsp_config.h or VSP_CONFIG"
#endif
#if VSP_MAX_FIELD_TILES < 1 || VSP_MAX_FIELD_TILES > 65000
#error "VSP_MAX_FIELD_TILES must be 1 to 65000: see vsp_config.h or VSP_CONFIG"
#endif
#if VSP_MAX_JOINTS < 1 || VSP_MAX_JOINTS > 32000
#error "VSP_MAX_JOINTS must be 1 to 32000: see vsp_config.h or VSP_CONFIG"
#endif
#if VSP_MAX_EVENTS < 1 || VSP_MAX_EVENTS > 65000
#error "VSP_MAX_EVENTS must be 1 to 65000: see vsp_config.h or VSP_CONFIG"
#endif
#if VSP_MAX_SENSED < 1 || VSP_MAX_SENSED > 65000
#error "VSP_MAX_SENSED must be 1 to 65000: see vsp_config.h or VSP_CONFIG"
#endif

#define VSP__IS_SWITCH(x) ((x) == 0 || (x) == 1)
#if !VSP__IS_SWITCH(VSP_CAPSULES)
#error "VSP_CAPSULES must be 0 or 1: 1 compiles capsules"
#endif
#if !VSP__IS_SWITCH(VSP_ROUNDS)
#error "VSP_ROUNDS must be 0 or 1: 1 compiles cylinders and cones"
#endif
#if !VSP__IS_SWITCH(VSP_TAPERS)
#error "VSP_TAPERS must be 0 or 1: 1 compiles tapered capsules"
#endif
#if !VSP__IS_SWITCH(VSP_HULLS)
#error "VSP_HULLS must be 0 or 1: 1 compiles convex hulls"
#endif
#if !VSP__IS_SWITCH(VSP_MESHES)
#error "VSP_MESHES must be 0 or 1: 1 compiles triangle meshes"
#endif
#if !VSP__IS_SWITCH(VSP_HEIGHT_FIELDS)
#error "VSP_HEIGHT_FIELDS must be 0 or 1: 1 compiles height fields"
#endif
#if !VSP__IS_SWITCH(VSP_SDFS)
#error "VSP_SDFS must be 0 or 1: 1 compiles signed distance fields"
#endif
#if !VSP__IS_SWITCH(VSP_SHELLS)
#error "VSP_SHELLS must be 0 or 1: 1 compiles sheets without thickness"
#endif
#if !VSP__IS_SWITCH(VSP_SLEEP)
#error "VSP_SLEEP must be 0 or 1: 1 lets bodies sleep"
#endif
#if !VSP__IS_SWITCH(VSP_EVENTS)
#error "VSP_EVENTS must be 0 or 1: 1 compiles events and sensors"
#endif
#if !VSP__IS_SWITCH(VSP_CCD)
#error "VSP_CCD must be 0 or 1: 1 compiles bullets"
#endif
#if !VSP__IS_SWITCH(VSP_SEAMS)
#error "VSP_SEAMS must be 0 or 1: 1 compiles sliding over edges of tiles"
#endif
#if !VSP__IS_SWITCH(VSP_LOCKS)
#error "VSP_LOCKS must be 0 or 1: 1 compiles locked axes"
#endif
#if !VSP__IS_SWITCH(VSP_BELTS)
#error "VSP_BELTS must be 0 or 1: 1 compiles surface velocities"
#endif
#if !VSP__IS_SWITCH(VSP_ROLLING)
#error "VSP_ROLLING must be 0 or 1: 1 compiles rolling and spinning friction"
#endif
#if !VSP__IS_SWITCH(VSP_SCALES)
#error "VSP_SCALES must be 0 or 1: 1 compiles scaled hulls, meshes and fields"
#endif
#if !VSP__IS_SWITCH(VSP_JOINTS)
#error "VSP_JOINTS must be 0 or 1: 1 compiles joints"
#endif
#if !VSP__IS_SWITCH(VSP_CARRY)
#error "VSP_CARRY must be 0 or 1: 1 compiles this stepper"
#endif
#if !VSP__IS_SWITCH(VSP_SHOCK)
#error "VSP_SHOCK must be 0 or 1: 1 compiles this stepper"
#endif
#if !VSP__IS_SWITCH(VSP_SUBSPACE)
#error "VSP_SUBSPACE must be 0 or 1: 1 compiles this stepper"
#endif
#if !VSP__IS_SWITCH(VSP_PYRAMID)
#error "VSP_PYRAMID must be 0 or 1: 1 compiles the friction pyramid"
#endif
#if !VSP__IS_SWITCH(VSP_QUERIES)
#error "VSP_QUERIES must be 0 or 1: 1 compiles rays, casts and overlaps"
#endif
#if !VSP__IS_SWITCH(VSP_SNAPSHOTS)
#error "VSP_SNAPSHOTS must be 0 or 1: 1 compiles snapshots and hashes"
#endif
#if !VSP__IS_SWITCH(VSP_DIFF)
#error "VSP_DIFF must be 0 or 1: 1 compiles vsp_world_diff"
#endif
#if !VSP__IS_SWITCH(VSP_EDITS)
#error "VSP_EDITS must be 0 or 1: 1 compiles changes of bodies and shapes"
#endif
#if !VSP__IS_SWITCH(VSP_HIT_LISTS)
#error "VSP_HIT_LISTS must be 0 or 1: 1 compiles casts that list all hits"
#endif
#if !VSP__IS_SWITCH(VSP_EXPLOSIONS)
#error "VSP_EXPLOSIONS must be 0 or 1: 1 compiles explosions"
#endif
#if !VSP__IS_SWITCH(VSP_MATH)
#error "VSP_MATH must be 0 or 1: 1 compiles arithmetic for programs"
#endif
#if !VSP__IS_SWITCH(VSP_DRAW)
#error "VSP_DRAW must be 0 or 1: 1 compiles vsp_world_draw"
#endif
#if !VSP__IS_SWITCH(VSP_PAIR_RULES)
#error "VSP_PAIR_RULES must be 0 or 1: 1 compiles rules of pairs"
#endif
#if !VSP__IS_SWITCH(VSP_MATERIALS)
#error "VSP_MATERIALS must be 0 or 1: 1 compiles materials of triangles, cells"
#endif
#if !VSP__IS_SWITCH(VSP_FIELD_EDITS)
#error "VSP_FIELD_EDITS must be 0 or 1: 1 compiles height fields that change"
#endif
#if !VSP__IS_SWITCH(VSP_CHARACTER)
#error "VSP_CHARACTER must be 0 or 1: 1 compiles characters"
#endif
#if !VSP__IS_SWITCH(VSP_REPLAY)
#error "VSP_REPLAY must be 0 or 1: 1 compiles recorder and player"
#endif
#if !VSP__IS_SWITCH(VSP_ROLLBACK)
#error "VSP_ROLLBACK must be 0 or 1: 1 compiles rollback"
#endif
#if !VSP__IS_SWITCH(VSP_LOCKSTEP)
#error "VSP_LOCKSTEP must be 0 or 1: 1 compiles lockstep"
#endif
#if !VSP__IS_SWITCH(VSP_HINGE_LOOPS)
#error "VSP_HINGE_LOOPS must be 0 or 1: 1 keeps loops of hinges in a plane"
#endif
#if !VSP__IS_SWITCH(VSP_UNIONS)
#error "VSP_UNIONS must be 0 or 1: 1 compiles unions, and joints that bend"
#endif
#if !VSP__IS_SWITCH(VSP_DRIVES)
#error "VSP_DRIVES must be 0 or 1: 1 compiles servos, spring motors and wheels"
#endif
#if !VSP__IS_SWITCH(VSP_GEARS)
#error "VSP_GEARS must be 0 or 1: 1 compiles gears and pulleys"
#endif
#if !VSP__IS_SWITCH(VSP_RANGES)
#error "VSP_RANGES must be 0 or 1: 1 compiles long-range constraints"
#endif
#if !VSP__IS_SWITCH(VSP_SUPPORTS)
#error "VSP_SUPPORTS must be 0 or 1: 1 finds bodies that are supported"
#endif
#if !VSP__IS_SWITCH(VSP_WORKERS)
#error "VSP_WORKERS must be 0 or 1: 1 shares a step among workers"
#endif
#if !VSP__IS_SWITCH(VSP_MERIT)
#error "VSP_MERIT must be 0 or 1: 1 measures the merit of each step"
#endif
#if !VSP__IS_SWITCH(VSP_FIXED)
#error "VSP_FIXED must be 0 or 1: 0 is floats, 1 is fixed point"
#endif

#if VSP_MAX_RUNTIME_HULLS > 0 && !VSP_HULLS
#error "VSP_MAX_RUNTIME_HULLS needs VSP_HULLS: set VSP_HULLS to 1, or it to 0"
#endif
#if VSP_SCALES && !VSP_HULLS && !VSP_MESHES && !VSP_HEIGHT_FIELDS
#error "VSP_SCALES needs VSP_HULLS, VSP_MESHES or VSP_HEIGHT_FIELDS, or be 0"
#endif
#if VSP_HINGE_LOOPS && !VSP_JOINTS
#error \
    "VSP_HINGE_LOOPS needs VSP_JOINTS: set both to 1, or VSP_HINGE_LOOPS to 0"
#endif
#if VSP_UNIONS && !VSP_JOINTS
#error "VSP_UNIONS needs VSP_JOINTS: set both to 1, or VSP_UNIONS to 0"
#endif
#if VSP_DRIVES && !VSP_JOINTS
#error "VSP_DRIVES needs VSP_JOINTS: set both to 1, or VSP_DRIVES to 0"
#endif
#if VSP_GEARS && !VSP_JOINTS
#error "VSP_GEARS needs VSP_JOINTS: set both to 1, or VSP_GEARS to 0"
#endif
#if VSP_RANGES && !VSP_JOINTS
#error "VSP_RANGES needs VSP_JOINTS: set both to 1, or VSP_RANGES to 0"
#endif
#if VSP_MATERIALS && !VSP_MESHES && !VSP_HEIGHT_FIELDS
#error "VSP_MATERIALS needs VSP_MESHES or VSP_HEIGHT_FIELDS: set it to 0"
#endif
#if VSP_FIELD_EDITS && !VSP_HEIGHT_FIELDS
#error "VSP_FIELD_EDITS needs VSP_HEIGHT_FIELDS: set both to 1, or it to 0"
#endif
#if VSP_CHARACTER && !VSP_QUERIES
#error "VSP_CHARACTER needs VSP_QUERIES: set both to 1, or VSP_CHARACTER to 0"
#endif
#if VSP_CHARACTER && !VSP_CAPSULES
#error "VSP_CHARACTER needs VSP_CAPSULES: set both to 1, or VSP_CHARACTER to 0"
#endif
#if VSP_TAPERS && !VSP_ROUNDS
#error "VSP_TAPERS needs VSP_ROUNDS: set both to 1, or VSP_TAPERS to 0"
#endif
#if VSP_HIT_LISTS && !VSP_QUERIES
#error "VSP_HIT_LISTS needs VSP_QUERIES: set both to 1, or VSP_HIT_LISTS to 0"
#endif
#if VSP_EXPLOSIONS && !VSP_QUERIES
#error "VSP_EXPLOSIONS needs VSP_QUERIES: set both to 1, or VSP_EXPLOSIONS to 0"
#endif
#if VSP_REPLAY && !VSP_SNAPSHOTS
#error "VSP_REPLAY needs VSP_SNAPSHOTS: set both to 1, or VSP_REPLAY to 0"
#endif
#if VSP_ROLLBACK && !VSP_REPLAY
#error "VSP_ROLLBACK needs VSP_REPLAY: set both to 1, or VSP_ROLLBACK to 0"
#endif
#if VSP_LOCKSTEP && !VSP_ROLLBACK
#error "VSP_LOCKSTEP needs VSP_ROLLBACK: set both to 1, or VSP_LOCKSTEP to 0"
#endif
#if VSP_LOCKSTEP && !VSP_DIFF
#error "VSP_LOCKSTEP needs VSP_DIFF: set both to 1, or VSP_LOCKSTEP to 0"
#endif

#if VSP_LANES != 1 && VSP_LANES != 4 && VSP_LANES != 8
#error "VSP_LANES must be 1, 4 or 8: manifolds that are solved at once"
#endif

/* Whether code that several features share is compiled: for shapes with tables,
 * shapes of many parts, convex solids other than spheres and boxes, and those
 * whose contacts need a search of many steps. */
#define VSP__HAS_TABLES \
    (VSP_HULLS || VSP_MESHES || VSP_HEIGHT_FIELDS || VSP_SDFS || VSP_SHELLS)
#define VSP__HAS_PARTS \
    (VSP_MESHES || VSP_HEIGHT_FIELDS || VSP_SDFS || VSP_SHELLS)
#define VSP__HAS_SEARCHES (VSP_HULLS || VSP_ROUNDS)
#define VSP__HAS_CONVEX \
    (VSP_CAPSULES || VSP_ROUNDS || VSP__HAS_TABLES || VSP_CCD || VSP_QUERIES)

/* Float bits are the same on every machine if each operation rounds by itself
 * to the nearest float.  Compiler flags that allow anything else are refused
 * here if a macro reveals them.  The others make vsp_world_create return
 * VSP_ERR_ABI: most such flags of clang, -ffp-contract=fast, a rounding mode.
 * The flags -frounding-math, -fno-trapping-math and -fsingle-precision-constant
 * change no bits. */
#if !VSP_FIXED
#if defined __FAST_MATH__ || defined _M_FP_FAST
#error "fast-math gives other bits: drop -ffast-math or -Ofast"
#elif defined __FINITE_MATH_ONLY__ && __FINITE_MATH_ONLY__ != 0
#error "-ffinite-math-only may give other bits: say -fno-fast-math after it"
#elif defined __RECIPROCAL_MATH__
#error "-freciprocal-math gives other bits: say -fno-fast-math after it"
#elif defined __ASSOCIATIVE_MATH__
#error "-fassociative-math gives other bits: say -fno-fast-math after it"
#elif defined __NO_SIGNED_ZEROS__
#error "-fno-signed-zeros may give other bits: say -fno-fast-math after it"
#endif
#if defined __FLT_EVAL_METHOD__ && __FLT_EVAL_METHOD__ != 0 && \
    __FLT_EVAL_METHOD__ != 16
#if defined __i386__ || defined __x86_64__
#error "floats must be evaluated as floats: on x86 use -msse2 -mfpmath=sse"
#elif defined __s390__
#error "floats must be evaluated as floats: on s390 use -fexcess-precision=fast"
#elif defined __m68k__
#error "a 68881 computes in 80 bits: use -m68040, -msoft-float or -DVSP_FIXED=1"
#else
#error "floats must be evaluated as floats (FLT_EVAL_METHOD 0): -DVSP_FIXED=1"
#endif
#endif
#endif

/* tcc before 0.9.28 reserves 12 bytes for a structure of 12 bytes that is
 * returned in two registers, and stores 16: it overwrites what lies behind. */
#if defined __TINYC__ && __TINYC__ < 928
#error "tcc before 0.9.28 breaks vectors that functions return: use a later one"
#endif


/* ---- Versions -------------------------------------------------------------
 * VSP_VERSION          functions and types of this header: 0xMMmmpp
 * VSP_FORMAT_VERSION   bytes of a snapshot
 * VSP_BITS_VERSION     results: changes when the hash of any state changes
 *
 * SPEC.md, section 9, says what a release may change. */

#define VSP_VERSION 0x010c00u
#define VSP_FORMAT_VERSION 13u
#define VSP_BITS_VERSION 35u

#ifdef __cplusplus
extern "C" {
#endif


/* ---- Numbers and vectors ------------------------------------------------- */

/* A real number.  Write constants as VSP_R(0.5): in both kinds that is the
 * float nearest to 0.5, in the fixed kind truncated to 32 binary places.  In
 * the fixed kind a real is a 64-bit integer with 32 binary places: add,
 * subtract and compare reals as you would floats, but multiply and divide them
 * by vsp_mul and vsp_div.  A constant without VSP_R is cut off to an integer
 * there, and counts 2^-32: 0.5 becomes 0, which -Wfloat-conversion finds, and 1
 * becomes 2^-32, which no compiler finds.
 * An argument of VSP_R that is not a constant costs float operations. */
#if VSP_FIXED
typedef int64_t vsp_real;
#define VSP_R(x) ((vsp_real)((float)(x)*4294967296.0f))
#else
typedef float vsp_real;
#define VSP_R(x) ((vsp_real)(x))
#endif

typedef struct vsp_vec3 {
    vsp_real x, y, z;
} vsp_vec3;

typedef struct vsp_quat {
    vsp_real x, y, z, w;
} vsp_quat;

/* Maps a point of a body or shape to the world: rotates it, then moves it.
 * Calls accept any rotation of length 0.001 to 1000, and normalise it; others
 * they may refuse. */
typedef struct vsp_transform {
    vsp_vec3 position; /* m */
    vsp_quat rotation; /* of length 1 */
} vsp_transform;

/* Limits of numbers, for the float and for the fixed kind.  A step on numbers
 * within them cannot overflow, or make an infinity or a NaN.  A body that
 * reaches VSP_MAX_POSITION stays there, awake, and keeps its velocity: no
 * status tells, so destroy bodies that leave your level. */
#define VSP__RANGE(in_float, in_fixed) VSP_R(VSP_FIXED ? in_fixed : in_float)
#define VSP_MAX_POSITION VSP__RANGE(100000.0, 500.0) /* m, a coordinate */
#define VSP_MAX_SPEED VSP__RANGE(10000.0, 500.0) /* m/s, rad/s, a component */
#define VSP_MIN_SIZE VSP__RANGE(0.001, 0.005)    /* m, radius or half extent */
#define VSP_MAX_SIZE VSP__RANGE(10000.0, 100.0)  /* m */
#define VSP_MIN_MASS VSP_R(0.000001)             /* kg */
#define VSP_MAX_MASS VSP_R(1.0e9)                /* kg */
#define VSP_MAX_FORCE VSP__RANGE(1.0e15, 1.0e9)  /* N, N m; N s, N m s */
#define VSP_MIN_DT VSP_R(0.0001)                 /* s */
#define VSP_MAX_DT VSP_R(0.1)                    /* s */

/* Conversions for hosts that compute with doubles; the engine does not call
 * them.  vsp_from_double returns the nearest real; for a NaN, or a number that
 * the type cannot hold, it returns a real that every call which changes a
 * world refuses. */
#if VSP_FIXED
static inline vsp_real vsp_from_double(double a)
{
    vsp_real whole;
    double rest;

    if (!(a > -2147483648.0 && a < 2147483648.0))
        return INT64_MIN;
    a *= 4294967296.0;
    whole = (vsp_real)a;
    rest = a - (double)whole; /* exact, as a + 0.5 is not */
    return whole + (rest >= 0.5) - (rest <= -0.5);
}

static inline double vsp_to_double(vsp_real a)
{
    return (double)a * (1.0 / 4294967296.0);
}
#else
static inline vsp_real vsp_from_double(double a)
{
    return (vsp_real)a;
}

static inline double vsp_to_double(vsp_real a)
{
    return (double)a;
}
#endif


/* ---- Arithmetic ------------------------------------------------------------
 * Optional: VSP_MATH.  For programs that compute with reals of either kind.
 * The bits are the same on every machine, which those of operators and of libm
 * in your own files need not be.
 *
 * Products, quotients and sums are rounded to nearest, square roots to one of
 * the two nearest.  In the fixed kind a result that does not fit becomes the
 * largest or the lowest real, about 2^31 or -2^31, and so does a quotient by 0;
 * in floats these are infinite, and 0 / 0 is NaN.  Calls that change a world
 * refuse all such numbers.
 *
 * Lengths and directions are right within 2^-22 of the result in floats, within
 * 2^-25 in the fixed kind, whatever the size of the vector; rotations within
 * 2^-20 and 2^-23.  In floats this holds for lengths from 1e-15 to 1e18;
 * shorter vectors count as zero. */

#if VSP_MATH

/* Return a * b, and a / b. */
vsp_real vsp_mul(vsp_real a, vsp_real b);
vsp_real vsp_div(vsp_real a, vsp_real b);

/* Returns the square root; 0 for a below 0, and in floats below 1e-30. */
vsp_real vsp_sqrt(vsp_real a);

/* Return the sine and the cosine of an angle, rad, within 2e-7.  An angle
 * beyond 8192, or that is not finite, counts as 0. */
vsp_real vsp_sin(vsp_real angle);
vsp_real vsp_cos(vsp_real angle);

/* Returns the angle of the point (x, y) from the x axis, rad, -pi to pi, within
 * 2e-6; 0 for (0, 0); in floats NaN if one is, or if both are infinite. */
vsp_real vsp_atan2(vsp_real y, vsp_real x);

/* Return (x, y, z); a + b; a - b; s * a; a + s * b. */
vsp_vec3 vsp_vec3_make(vsp_real x, vsp_real y, vsp_real z);
vsp_vec3 vsp_vec3_add(vsp_vec3 a, vsp_vec3 b);
vsp_vec3 vsp_vec3_sub(vsp_vec3 a, vsp_vec3 b);
vsp_vec3 vsp_vec3_scale(vsp_vec3 a, vsp_real s);
vsp_vec3 vsp_vec3_move(vsp_vec3 a, vsp_vec3 b, vsp_real s);

/* Return a.b and a x b, whose products are rounded one by one. */
vsp_real vsp_vec3_dot(vsp_vec3 a, vsp_vec3 b);
vsp_vec3 vsp_vec3_cross(vsp_vec3 a, vsp_vec3 b);

/* Returns the length. */
vsp_real vsp_vec3_length(vsp_vec3 a);

/* Returns the vector of length 1 in the direction of a; zero for zero. */
vsp_vec3 vsp_vec3_normalize(vsp_vec3 a);

/* Returns the rotation that changes nothing. */
vsp_quat vsp_quat_identity(void);

/* Returns the rotation by an angle, rad, about an axis of any length, by the
 * right-hand rule; none for a zero axis. */
vsp_quat vsp_quat_make(vsp_vec3 axis, vsp_real angle);

/* Functions of rotations normalise them first.  A rotation of a length outside
 * of 0.001 to 1000 may count as none.
 *
 * Return the rotation by b and then by a; and the reverse of a. */
vsp_quat vsp_quat_mul(vsp_quat a, vsp_quat b);
vsp_quat vsp_quat_inverse(vsp_quat a);

/* Rotate a vector by a, and by the reverse of a.  Return the result. */
vsp_vec3 vsp_quat_rotate(vsp_quat a, vsp_vec3 v);
vsp_vec3 vsp_quat_rotate_back(vsp_quat a, vsp_vec3 v);

/* Return a point of a frame with the pose a in the world, m; and a point of the
 * world in that frame. */
vsp_vec3 vsp_transform_point(vsp_transform a, vsp_vec3 point);
vsp_vec3 vsp_transform_point_back(vsp_transform a, vsp_vec3 point);

/* Return the pose in the world of a frame that has the pose b in a frame with
 * the pose a; and the pose that undoes a. */
vsp_transform vsp_transform_mul(vsp_transform a, vsp_transform b);
vsp_transform vsp_transform_inverse(vsp_transform a);

#endif /* VSP_MATH */


/* ---- Status and ids ------------------------------------------------------ */

typedef enum vsp_status {
    VSP_OK = 0,
    VSP_DEGRADED = 1,    /* done, but contacts were dropped: see vsp_stats */
    VSP_DIVERGED = 2,    /* done, but the bits differ from recorded ones */
    VSP_END = 3,         /* nothing more to play, or no longer stored */
    VSP_WAIT = 4,        /* not done: inputs of others must arrive first */
    VSP_ERR_ARG = -1,    /* null, not finite, out of range, not a default def */
    VSP_ERR_ID = -2,     /* null id, or the object no longer exists */
    VSP_ERR_FULL = -3,   /* the capacity is used up */
    VSP_ERR_MEMORY = -4, /* buffer too small or not aligned */
    VSP_ERR_ABI = -5,    /* header and library saw different options, or float
                            operations do not round to nearest */
    VSP_ERR_DATA = -6,   /* bytes with numbers out of range or broken links */
    VSP_ERR_TRUNCATED = -7, /* bytes that end too early or too late */
    VSP_ERR_VERSION = -8,   /* bytes of another format, other bits, another kind
                               of numbers, or another protocol */
    VSP_ERR_CHECKSUM = -9,  /* bytes that were damaged */
    VSP_ERR_TABLE = -10,    /* the bytes were made with other tables */
    VSP_ERR_OVERLAP = -11   /* a shell would cross another shape */
} vsp_status;

/* Ids are values; 0 is null.  The low 16 bits are the slot plus one, the high
 * 16 bits count how often the slot was used: the id of a destroyed object is
 * refused until its slot has been reused 2^16 times.  A new object takes the
 * lowest free slot, so its id depends on the state alone.  Ids stay valid
 * across snapshot and restore. */
typedef struct vsp_body_id {
    uint32_t bits;
} vsp_body_id;

typedef struct vsp_shape_id {
    uint32_t bits;
} vsp_shape_id;

typedef struct vsp_joint_id {
    uint32_t bits;
} vsp_joint_id;


/* ---- Tables ---------------------------------------------------------------
 * Constant geometry, which can stay in ROM.  The host tool makes it (`vsp
 * hull`, `vsp mesh`, `vsp field`, `vsp sdf`, `vsp shell`, `vsp break`); any
 * number of shapes and worlds can share it, in both kinds of numbers.  Lengths
 * are integers in units of 1 / VSP_PLACE m, directions in units of
 * 1 / VSP_DIRECTION; other numbers are the bits of an IEEE binary32.
 *
 * vsp_world_add_table gives a world the address of a table, checks the whole
 * table, and numbers it.  The table must stay at this address, unchanged, while
 * the world is in use.
 *
 * VSP_SCALES: a shape of a hull, mesh or height field may have a scale, in
 * vsp_shape_def.size: for each axis 1/16 to 16, or that negative, which mirrors
 * the table (not y of a height field); or three zeros for none.  The scaled
 * table must keep the limits of tables: coordinates within 100 m, a longest
 * side of at least 5 mm, and a hull 0.25 mm below each of its faces.  Fronts
 * stay fronts.  Triangles that become too thin for a normal, of about 15 um,
 * are left out.  Contacts of a scaled hull take more time than those of a table
 * made at that size, such as vsp_hull_scale makes. */

#define VSP_PLACE 1048576       /* 2^20: 1 m; coordinates within 100 m */
#define VSP_DIRECTION 536870912 /* 2^29: length 1 */

/* The first word of a table is its type. */
#define VSP_TABLE_HULL ((uint32_t)0x68505356)
#define VSP_TABLE_MESH ((uint32_t)0x6d505356)
#define VSP_TABLE_HEIGHT_FIELD ((uint32_t)0x66505356)
#define VSP_TABLE_SDF ((uint32_t)0x73505356)
#define VSP_TABLE_SHELL ((uint32_t)0x6c505356)
#define VSP_TABLE_MESH_MATERIALS ((uint32_t)0x4d505356)
#define VSP_TABLE_FIELD_MATERIALS ((uint32_t)0x46505356)

/* A point, in units of 1 / VSP_PLACE m. */
typedef struct vsp_place {
    int32_t x, y, z;
} vsp_place;

/* The plane n.p = offset, with n.p < offset inside. */
typedef struct vsp_plane {
    int32_t x, y, z; /* n, outward, of length VSP_DIRECTION */
    int32_t offset;  /* in units of 1 / VSP_PLACE m */
} vsp_plane;

/* Volume, inertia and centre of a solid.  The first seven words are binary32
 * bits. */
typedef struct vsp_bulk {
    uint32_t volume;     /* m^3, above 0 */
    uint32_t inertia[6]; /* of one kilogram about the centre, m^2: xx, yy, zz,
                            xy, xz, yz (products as in a tensor: -sum x y) */
    vsp_place center;    /* of mass */
} vsp_bulk;

/* An edge from vertex tail to vertex head.  Seen from outside, it goes
 * anticlockwise around the face on its left. */
typedef struct vsp_hull_edge {
    uint8_t tail, head;  /* vertices */
    uint8_t left, right; /* faces */
} vsp_hull_edge;

#define VSP_MAX_HULL 64 /* most vertices, and most faces, of a hull */

/* A convex polyhedron of 4 to VSP_MAX_HULL vertices and as many faces.  Face i
 * has the corners first[i] to first[i + 1] - 1, anticlockwise seen from
 * outside. */
typedef struct vsp_hull {
    uint32_t kind; /* VSP_TABLE_HULL */
    uint16_t vertex_count, face_count, edge_count, corner_count;
    const vsp_place *vertices;
    const vsp_plane *planes;    /* of the faces */
    const uint16_t *first;      /* face_count + 1 numbers */
    const uint8_t *corners;     /* vertices */
    const vsp_hull_edge *edges; /* each edge once */
    vsp_bulk bulk;
} vsp_hull;

/* A convex piece of a solid. */
typedef struct vsp_piece {
    const vsp_hull *hull; /* a table, about the piece's centre */
    vsp_place at;         /* of this centre, in the frame of the solid */
} vsp_piece;

/* The face that two pieces share.  If the strength of the material is s, N/m^2,
 * the face resists a force of s * area, and a torque of s * area * lever about
 * an axis in it.  These times the length of a step are break_impulse and
 * break_turn of a FIXED joint. */
typedef struct vsp_seam {
    uint16_t a, b;  /* pieces, a < b; a pair may share several faces */
    vsp_place at;   /* middle of the face, in the frame of the solid */
    vsp_real area;  /* m^2 */
    vsp_real lever; /* m: half the radius of gyration of the face about its
                       weakest axis */
} vsp_seam;

/* A solid in pieces, as `vsp break` makes it.  It is not a table: a program
 * adds the hulls to a world, and makes the bodies and joints. */
typedef struct vsp_broken {
    uint16_t piece_count, seam_count;
    const vsp_piece *pieces;
    const vsp_seam *seams; /* sorted by a, then b; null: none */
    vsp_real strength;     /* N/m^2, as passed to the tool; 0: not given */
} vsp_broken;

/* A triangle, anticlockwise seen from outside. */
typedef struct vsp_triangle {
    uint16_t vertex[3];
    uint16_t marks; /* in a mesh: bit k: the edge from corner k to the next one
                       is flat or concave, so bodies must not catch on it.
                       In a shell: bit k: no triangle before this one has
                       corner k; bit 3 + k: none has that edge */
} vsp_triangle;

/* A node of a bounding-volume tree, in depth-first order: the first child of an
 * inner node follows it. */
typedef struct vsp_mesh_node {
    vsp_place low, high; /* bounds of everything below this node */
    uint16_t next;       /* index of the first node after this one that is not
                            below it; node_count at most */
    uint8_t count;       /* triangles of a leaf, 1 to 8; 0: inner node */
    uint8_t reserved;    /* 0 */
    uint16_t first;      /* first triangle of a leaf */
    uint16_t reserved2;  /* 0 */
} vsp_mesh_node;

/* A surface of triangles for bodies that are not dynamic.  It is one-sided: the
 * front is where corners go anticlockwise, and what is behind is solid. */
typedef struct vsp_mesh {
    uint32_t kind;                                     /* VSP_TABLE_MESH */
    uint16_t vertex_count, triangle_count, node_count; /* 1 to 65535 */
    uint16_t reserved;                                 /* 0 */
    const vsp_place *vertices;
    const vsp_triangle *triangles;
    const vsp_mesh_node *nodes;
} vsp_mesh;

/* A sheet without thickness, open or closed, for bodies of any type.  Its
 * triangles collide on both sides, and do not cross each other; none is thinner
 * than a hundredth of its longest side, or than 1 mm.  In `sheet` the kind is
 * VSP_TABLE_SHELL, and the counts are 1 to 4096.  In `bulk` the volume is the
 * area, m^2, so the density of the shape is in kg/m^2. */
typedef struct vsp_shell {
    vsp_mesh sheet;
    vsp_bulk bulk;
} vsp_shell;

#define VSP_HOLE (-32768) /* a height that means a hole in the ground */

/* Ground for bodies that are not dynamic: heights (y) on a grid centred on
 * the shape's origin, solid below.  The height at column i (along x) and row
 * k (along z) is heights[k * columns + i] * step.  Each cell is two triangles,
 * cut from its corner of lowest x and z to its corner of highest x and z. */
typedef struct vsp_height_field {
    uint32_t kind;          /* VSP_TABLE_HEIGHT_FIELD */
    uint16_t columns, rows; /* of heights: 2 to 4096 */
    int32_t cell;           /* side of a cell, in units of 1 / VSP_PLACE m */
    int32_t step;           /* of height, in units of 1 / VSP_PLACE m; from 1 */
    int16_t low, high;      /* the lowest and the highest height */
    const int16_t *heights;
} vsp_height_field;

/* What a triangle or a cell is made of.  Numbers are in units of
 * 1 / VSP_PLACE; limits and rules are those of a vsp_shape_def, but velocities
 * are within 500 m/s.  Numbers of features that a build leaves out must be
 * 0. */
typedef struct vsp_table_material {
    int32_t friction, restitution;
    int32_t rolling_friction, spinning_friction; /* m */
    vsp_place surface_velocity; /* m/s, in the axes of the shape */
    uint16_t friction_rule, restitution_rule; /* vsp_rule */
} vsp_table_material;

/* The materials of a table.  A triangle or cell whose byte is 0 has the
 * material of the shape; if the byte is m, it has palette[m - 1]. */
typedef struct vsp_table_materials {
    uint16_t count;    /* of the palette: 1 to 255 */
    uint16_t reserved; /* 0 */
    const vsp_table_material *palette;
    const uint8_t *of; /* a byte for each triangle or, row by row, each cell */
} vsp_table_materials;

/* A mesh with materials, for VSP_SHAPE_MESH.  In `mesh` the kind is
 * VSP_TABLE_MESH_MATERIALS.  Optional: VSP_MATERIALS.
 *
 * A manifold has the coefficients of one material.  A body on several of them
 * has a manifold for each, as for each direction of a normal; of a pair that
 * has four manifolds already, further points join the one with the nearest
 * normal, whose deepest point then decides on the material.  vsp_contact and
 * vsp_hit tell materials and triangles. */
typedef struct vsp_mesh_materials {
    vsp_mesh mesh;
    vsp_table_materials materials;
} vsp_mesh_materials;

/* A height field with materials of its cells, for VSP_SHAPE_HEIGHT_FIELD.  In
 * `field` the kind is VSP_TABLE_FIELD_MATERIALS.  Optional: VSP_MATERIALS. */
typedef struct vsp_field_materials {
    vsp_height_field field;
    vsp_table_materials materials;
} vsp_field_materials;

/* A node of a sphere tree, in depth-first order like vsp_mesh_node: a sphere
 * around everything below it.  A leaf, whose next is its own index plus 1, is a
 * sphere inside the solid. */
typedef struct vsp_sphere_node {
    vsp_place center;
    int32_t radius; /* in units of 1 / VSP_PLACE m */
    uint16_t next;
    uint16_t reserved; /* 0 */
} vsp_sphere_node;

/* A solid of any form, described twice: by signed distances at the points of a
 * grid (negative inside), against which points and spheres of other shapes are
 * tested, and by spheres just below its surface, which are tested against other
 * shapes. */
typedef struct vsp_sdf {
    uint32_t kind;            /* VSP_TABLE_SDF */
    uint16_t count[3];        /* points along x, y, z: 2 to 256 */
    uint16_t node_count;      /* of spheres; 0 suffices for static bodies */
    vsp_place low;            /* the first point */
    int32_t cell;             /* between points, in units of 1 / VSP_PLACE m */
    int32_t step;             /* of distance, in units of 1 / VSP_PLACE m */
    const int16_t *distances; /* in steps; x fastest, then y, then z */
    const vsp_sphere_node *nodes;
    vsp_bulk bulk; /* may be all 0 if there are no spheres */
} vsp_sdf;

/* Why a table is refused. */
typedef enum vsp_flaw {
    VSP_FLAW_NONE = 0,
    VSP_FLAW_NULL = 1,       /* an address is null */
    VSP_FLAW_KIND = 2,       /* not a table, or a type that the build lacks */
    VSP_FLAW_COUNT = 3,      /* a count is out of range */
    VSP_FLAW_RANGE = 4,      /* a coordinate, size or step is out of range, or
                                a reserved field is not 0 */
    VSP_FLAW_INDEX = 5,      /* a vertex, face, triangle or material does not
                                exist */
    VSP_FLAW_DEGENERATE = 6, /* a triangle, edge or solid has no size */
    VSP_FLAW_PLANE = 7,      /* a plane does not fit its corners */
    VSP_FLAW_CONVEX = 8,     /* a vertex is outside a plane */
    VSP_FLAW_TOPOLOGY = 9,   /* edges and faces do not fit together */
    VSP_FLAW_TREE = 10,      /* links go back, loop, or leave out parts */
    VSP_FLAW_BOUNDS = 11,    /* a node does not enclose all that is below it, or
                                low and high are wrong */
    VSP_FLAW_BULK = 12,      /* volume, inertia or centre are impossible */
    VSP_FLAW_CROSSING = 13   /* triangles of a shell cross or touch where they
                                share no corner */
} vsp_flaw;

#if VSP__HAS_TABLES

/* Returns the name of a flaw, for example "VSP_FLAW_CONVEX". */
const char *vsp_flaw_name(vsp_flaw flaw);

#endif /* VSP__HAS_TABLES */


/* ---- Definitions --------------------------------------------------------- */

/* How a step finds velocities.  DESIGN.md, section 9, compares them. */
typedef enum vsp_stepper {
    VSP_STEPPER_CARRY = 0,   /* default: pass loads down stacks, then sweep */
    VSP_STEPPER_PGS = 1,     /* projected Gauss-Seidel and correction */
    VSP_STEPPER_SHOCK = 2,   /* velocity-based shock propagation, figure 14 of
                                Erleben 2007 */
    VSP_STEPPER_SUBSPACE = 3 /* PGS with subspace minimisation */
} vsp_stepper;

typedef enum vsp_friction {
    VSP_FRICTION_CONE = 0,   /* |tangential impulse| <= mu normal impulse */
    VSP_FRICTION_PYRAMID = 1 /* each of two tangential impulses is bounded by
                                mu normal impulse, eq. 29-30 of Erleben 2007;
                                the first tangent is the direction of
                                sliding */
} vsp_friction;

/* How VSP_STEPPER_SUBSPACE finds velocities: in rounds of def.sweeps sweeps
 * (k_pgs) and a search, which solves the active rows as equations by conjugate
 * gradients; the best result of all rounds is used.  Silcowitz, Niebe, Erleben
 * 2010.  Part of the state, like all settings of a world. */
typedef struct vsp_subspace {
    uint32_t rounds; /* at most; 1 to 1000; default 3 */
    uint32_t tries;  /* k_sm: active sets that a search tries, at most; 0 to
                        1000, 0: sweeps only; default 2 */
    uint32_t steps;  /* conjugate gradient steps of a try, at most; 1 to 10000;
                        default 60 */
    uint32_t search; /* a sum of VSP_SEARCH_...; default 0 */
    vsp_real friction_damping; /* 0 to 1: in a search, the diagonal of friction
                                  rows grows by this fraction of itself;
                                  default 0 */
} vsp_subspace;

/* Friction is bounded by the normal impulse of the best result so far or by the
 * present one, whichever is larger. */
#define VSP_SEARCH_LAZY 1u

/* Searches solve normal rows and friction rows by turns. */
#define VSP_SEARCH_STAGGERED 2u

/* How much a world may hold, at most the capacities of the build.  A world with
 * smaller capacities refuses objects and drops contacts exactly as a world of a
 * smaller build would.  Part of the state and of snapshots. */
typedef struct vsp_capacity {
    uint32_t bodies;    /* 1 to VSP_MAX_BODIES */
    uint32_t shapes;    /* 1 to VSP_MAX_SHAPES */
    uint32_t pairs;     /* 1 to VSP_MAX_PAIRS */
    uint32_t manifolds; /* 1 to VSP_MAX_MANIFOLDS */
    uint32_t contacts;  /* 4 to VSP_MAX_CONTACTS */
    uint32_t sensed;    /* 1 to VSP_MAX_SENSED */
    uint32_t joints;    /* 0 to VSP_MAX_JOINTS; 0 in a build without joints */
} vsp_capacity;

/* Settings of a world.  Get one from vsp_world_def_default, and change what you
 * need. */
typedef struct vsp_world_def {
    uint32_t cookie;            /* set by vsp_world_def_default */
    uint32_t options;           /* hash of the options of your file, set by
                                   vsp_world_def_default */
    vsp_vec3 gravity;           /* m/s^2; default 0, -9.81, 0 */
    vsp_real dt;                /* s: length of a step, VSP_MIN_DT to
                                   VSP_MAX_DT; default 1/60 */
    vsp_stepper stepper;        /* default VSP_STEPPER_CARRY */
    vsp_friction friction;      /* default VSP_FRICTION_CONE */
    bool enable_warm_start;     /* a solve starts from the multipliers of the
                                   last step, which adds 16 bytes a contact
                                   point to snapshots; default true */
    vsp_real envelope;          /* m, 1e-4 to 0.1: contacts are made at gaps
                                   smaller than this.  An envelope thicker than
                                   a body makes contacts through the body, and
                                   piles may fall; a fifth of its thickness is
                                   safe.  Default 0.01, for bodies from 5 cm */
    vsp_real tolerance;         /* m/s, 0 to 1: sweeps stop after one that
                                   changes no multiplier by more.  For PGS and
                                   SUBSPACE, with gravity, it counts as no more
                                   than 1/1000 of the speed that gravity adds in
                                   a step, or 1e-6 (fixed point: 1.6e-5) if
                                   that is larger.  SHOCK ignores it.  CARRY
                                   makes one sweep if nothing moved before the
                                   step and it changes none by more than 0.0004
                                   of that speed.  Default 1e-4 */
    uint32_t sweeps;            /* most sweeps of a velocity solve (CARRY: 1.5
                                   times as many, 3.5 times while nothing
                                   collides); 1 to 10000;
                                   default 20.  A step makes up to 4 such solves
                                   if bodies bounce; SHOCK makes up to 4 for all
                                   bodies, then up to 4 and a load solve for
                                   each stack layer */
    uint32_t correction_sweeps; /* most sweeps of a position solve; 1 to 10000;
                                   default 5.  PGS makes one such solve a step,
                                   others one a stack layer (SHOCK with joints:
                                   two), and up to two more; webs of joints (see
                                   "Ranges") repeat them */
    vsp_real fraction;          /* SHOCK: a of figure 14, 0 to 1; default
                                   0.00125 */
    vsp_subspace subspace;      /* SUBSPACE only */
    bool enable_sleep;          /* steps skip bodies at rest until something
                                   wakes them; default true if the build has
                                   VSP_SLEEP */
    vsp_real sleep_speed;       /* m/s, 0 to 1: a body is calm if the square
                                   root of twice its kinetic energy by mass is
                                   below this, and below the speed that 1/5000
                                   of gravity gives in sleep_time; default
                                   0.005 */
    vsp_real sleep_time;        /* s, 0 to 60: bodies that touch fall asleep
                                   after all of them were calm for this time, or
                                   for two steps if that is longer; default
                                   0.5 */
    bool enable_continuous;     /* a fast dynamic body that is not a bullet
                                   stops where it first hits a static body
                                   within a step, instead of passing through it.
                                   Exceptions: a body near its only joint, an
                                   unbreakable BALL on a body that is not
                                   dynamic, if it has no locks and no max_speed;
                                   and parts more than 1 m from the centre of a
                                   body that is fast by its spin alone.  Default
                                   true if the build has VSP_CCD.  Machines that
                                   share a world must agree */
    bool enable_ranges;         /* heavy loads on light chains of joints get
                                   long-range constraints, see "Ranges".  A
                                   build without VSP_RANGES makes worlds in
                                   which it is false, and refuses states with
                                   joints in which it is true.  Default true */
    bool enable_hinge_loops;    /* loops of parallel hinges stay in a plane, see
                                   "Hinge loops".  In a build without
                                   VSP_HINGE_LOOPS as enable_ranges.  Default
                                   true */
    bool enable_seams;          /* bodies slide and roll over edges between
                                   static shapes that lie level side by side, as
                                   tiles.  A build without VSP_SEAMS makes
                                   worlds in which it is false, and refuses
                                   states in which it is true.  Default true */
    bool enable_supports;       /* PGS: supported bodies are frozen in the
                                   second half of the sweeps, see "Supports".
                                   Other steppers refuse it.  A build without
                                   VSP_SUPPORTS makes worlds in which it is
                                   false, and refuses states in which it is
                                   true.  Default false */
    uint32_t reports;           /* events to report: a sum of VSP_REPORT_...; 0
                                   in builds without VSP_EVENTS.
                                   VSP_REPORT_STOP needs VSP_SHELLS,
                                   VSP_REPORT_JOINT VSP_JOINTS.  Default
                                   0 */
    vsp_capacity capacity;      /* default: the capacities of the build */
    uint32_t sweep_limit;       /* bounds the cost of a step of restored states:
                                   a state with more sweeps is refused.  Counted
                                   are correction_sweeps, and sweeps: for CARRY
                                   five times, for PGS twice, for SHOCK four
                                   times, and for SUBSPACE rounds * (sweeps +
                                   tries * steps).  If this def has more, its
                                   own count is the limit.  From 1; default
                                   1000: a step then takes at most 20 times as
                                   long as one of the default settings.  Not
                                   part of the state */
} vsp_world_def;

/* Events to report: see "Events". */
#define VSP_REPORT_BEGIN 1u   /* two shapes begin to touch */
#define VSP_REPORT_PERSIST 2u /* they continue to touch */
#define VSP_REPORT_END 4u     /* they no longer touch */
#define VSP_REPORT_SENSOR 8u  /* a shape enters or leaves a sensor */
#define VSP_REPORT_SLEEP 16u  /* a body falls asleep or wakes up */
#define VSP_REPORT_JOINT 32u  /* a joint reaches a limit, bends or breaks */
#define VSP_REPORT_STOP 64u   /* a body stops where shells jam */

/* How the coefficients a and b of two surfaces are combined.  If the surfaces
 * have different rules, the later rule of this list applies. */
typedef enum vsp_rule {
    VSP_RULE_GEOMETRIC = 0, /* sqrt(a b); default for friction */
    VSP_RULE_AVERAGE = 1,   /* (a + b) / 2 */
    VSP_RULE_MIN = 2,       /* the smaller one */
    VSP_RULE_MULTIPLY = 3,  /* a b */
    VSP_RULE_MAX = 4        /* the larger one; default for restitution */
} vsp_rule;

/* Properties of a surface. */
typedef struct vsp_material {
    vsp_real friction;    /* 0 to 100; default 0.5 */
    vsp_real restitution; /* 0 to 1; default 0 */
    vsp_rule friction_rule;
    vsp_rule restitution_rule;
} vsp_material;

/* Which shapes collide.  Two shapes of the same group always collide if the
 * group is positive, and never if it is negative.  Shapes of different groups,
 * and of group 0, collide if the category of each shares a bit with the mask of
 * the other. */
typedef struct vsp_filter {
    uint32_t category; /* default 1 */
    uint32_t mask;     /* default 0xffffffff */
    int32_t group;     /* default 0 */
} vsp_filter;

typedef enum vsp_shape_type {
    VSP_SHAPE_NONE = 0,
    VSP_SHAPE_SPHERE = 1,
    VSP_SHAPE_BOX = 2,
    VSP_SHAPE_HALF_SPACE = 3,   /* solid at and below y = 0 of its own frame;
                                   not on dynamic bodies */
    VSP_SHAPE_CAPSULE = 4,      /* all points within a radius of a segment of
                                   its own y axis */
    VSP_SHAPE_HULL = 5,         /* from a table */
    VSP_SHAPE_MESH = 6,         /* from a table; not on dynamic bodies */
    VSP_SHAPE_HEIGHT_FIELD = 7, /* from a table; not on dynamic bodies */
    VSP_SHAPE_SDF = 8,          /* from a table */
    VSP_SHAPE_SHELL = 9,        /* from a table */
    VSP_SHAPE_CYLINDER = 10,    /* round about its own y axis */
    VSP_SHAPE_CONE = 11,        /* cone, or a part of one between two discs,
                                   about its own y axis; the origin is midway
                                   between the discs */
    VSP_SHAPE_TAPER = 12        /* tapered capsule: convex hull of two balls on
                                   its own y axis; the origin is midway between
                                   their centres */
} vsp_shape_type;

/* Rolling and spinning friction are the lever arms of torques: a contact
 * resists rolling with a torque of up to rolling_friction times its normal
 * force, and spinning about its normal with up to spinning_friction times that
 * force.  The larger coefficient of the two shapes counts.  A ball of radius r
 * stops after 0.7 r / rolling_friction times v^2 / g, and stays on slopes up
 * to a gradient of rolling_friction / r; one that spins on its place stops
 * after 0.4 r^2 / spinning_friction times spin / g.  A manifold with such
 * friction takes one contact more of the capacity.  Both are 0 in builds
 * without VSP_ROLLING.
 *
 * Get one from vsp_sphere, vsp_box, vsp_half_space, vsp_capsule, vsp_cylinder,
 * vsp_cone, vsp_taper or, for types from a table, vsp_table_shape. */
typedef struct vsp_shape_def {
    uint32_t cookie; /* set by these functions */
    vsp_shape_type type;
    vsp_vec3 size;      /* m: sphere: radius in x; box: half extents; capsule:
                           radius in x, half of the segment's length in y;
                           cylinder: radius in x, half height in y; cone: radius
                           of the lower disc in x, half height in y, radius of
                           the upper disc in z; taper: radius of the lower ball
                           in x, half the distance of the centres in y, radius
                           of the upper ball in z; hull, mesh, height field:
                           scale along each axis, see "Tables", 0: none; not
                           used by others from a table */
    uint32_t table;     /* number of the table; 0: none */
    bool is_sensor;     /* reports the shapes in it, and collides with nothing;
                           needs VSP_EVENTS; default false.  Its density still
                           adds mass: usually you want density 0 */
    vsp_transform pose; /* of the shape in its body; default identity */
    vsp_real density;   /* kg/m^3, 0 to 1e9; 0 adds no mass; default 1000 */
    vsp_material material;
    vsp_filter filter;
    vsp_vec3 surface_velocity;  /* m/s, in the body's axes: velocity of the
                                   surface along itself, such as that of a
                                   conveyor belt; 0 in builds without VSP_BELTS.
                                   Default 0 */
    vsp_vec3 surface_spin;      /* rad/s, in the body's axes: the surface turns
                                   about the shape's origin, as a turntable or a
                                   roller, and along itself; needs VSP_EDITS,
                                   VSP_BELTS, surface_velocity 0; default 0 */
    uint32_t user;              /* yours, 0 to 65535; part of the state and of
                                   the hash; hits and events tell it */
    vsp_real rolling_friction;  /* m, 0 to 100: see above; default 0 */
    vsp_real spinning_friction; /* m, 0 to 100; default 0 */
} vsp_shape_def;

typedef enum vsp_body_type {
    VSP_STATIC = 0,    /* does not move; default */
    VSP_KINEMATIC = 1, /* moves at the velocity that calls set, and pushes */
    VSP_DYNAMIC = 2    /* moves by forces and contacts */
} vsp_body_type;

/* Motions that a body does not make, along and about the axes of the world. */
#define VSP_LOCK_X 1u /* translation along x */
#define VSP_LOCK_Y 2u
#define VSP_LOCK_Z 4u
#define VSP_LOCK_TURN_X 8u /* rotation about x */
#define VSP_LOCK_TURN_Y 16u
#define VSP_LOCK_TURN_Z 32u
#define VSP_LOCK_ALL 63u

/* Get one from vsp_body_def_default. */
typedef struct vsp_body_def {
    uint32_t cookie; /* set by vsp_body_def_default */
    vsp_body_type type;
    vsp_transform pose;       /* of the body's frame */
    vsp_vec3 velocity;        /* m/s, of the centre of mass */
    vsp_vec3 spin;            /* rad/s, world axes */
    vsp_real linear_damping;  /* 1/s, 0 to 1000: a step divides the velocity
                                 by 1 + dt linear_damping; default 0 */
    vsp_real angular_damping; /* 1/s, 0 to 1000: as linear_damping, for the
                                 spin */
    vsp_real gravity_scale;   /* -100 to 100; default 1 */
    vsp_real max_speed;       /* m/s, 0.0001 to VSP_MAX_SPEED; default
                                 VSP_MAX_SPEED: no limit */
    uint32_t locks;           /* a sum of VSP_LOCK_...; 0 in builds without
                                 VSP_LOCKS.  Default 0 */
    bool is_bullet;           /* stops where it first hits something within a
                                 step, instead of passing through it; default
                                 false.  Contact, bounce and event come in the
                                 same step.  They come in the next one for a
                                 second hit; for a hit at a body that turns by
                                 more than 1/8 rad before it, or at a signed
                                 distance field that moves; if a third body
                                 could take part; for a bullet with joints, or
                                 slowed by forces, damping or max_speed; and in
                                 a world with shells.
                                 Of a bullet that meets a signed distance field
                                 only points are tested: the corners of a box or
                                 hull, some of the rims of a cylinder or cone,
                                 and the centre, with a ball around it but for
                                 hulls.  A bullet that is such a field tests its
                                 spheres, and without spheres does not stop */
    bool enable_sleep;        /* default true */
    bool is_disabled;         /* out of the simulation until vsp_body_enable;
                                 needs VSP_EDITS; default false */
    uint32_t user;            /* yours; part of the state and of the hash.  Hits
                                 and events have the word of the shape */
    vsp_real mass;            /* kg; 0 (default): from shapes and densities */
    vsp_vec3 center;          /* centre of mass, m, in the body's frame; used
                                 only if inertia is given */
    vsp_vec3 inertia;         /* kg m^2, about the centre along the body's
                                 axes; 0 0 0 (default): from the shapes,
                                 scaled to the mass */
    vsp_shape_def shape;      /* the first shape; default none */
} vsp_body_def;

/* Returns the default settings.  In C and C++ a macro of the same name also
 * sets def.options to the options of the calling file, which vsp_world_create
 * compares with those of the library.  The function, for callers without this
 * header, sets the options of the library. */
vsp_world_def vsp_world_def_default(void);

/* Returns a static body at the origin, without a shape. */
vsp_body_def vsp_body_def_default(void);

/* Returns a sphere.  radius: m, VSP_MIN_SIZE to VSP_MAX_SIZE. */
vsp_shape_def vsp_sphere(vsp_real radius);

/* Returns a box.  x, y, z: half extents, m, VSP_MIN_SIZE to VSP_MAX_SIZE. */
vsp_shape_def vsp_box(vsp_real x, vsp_real y, vsp_real z);

/* Returns a half-space: everything at and below y = 0 of the shape's frame. */
vsp_shape_def vsp_half_space(void);

/* Returns a capsule along y: a cylinder of this radius and twice this half
 * height, with a half ball at each end.  radius: m, VSP_MIN_SIZE to
 * VSP_MAX_SIZE; half_height: m, 0 to VSP_MAX_SIZE. */
vsp_shape_def vsp_capsule(vsp_real radius, vsp_real half_height);

#if VSP_ROUNDS

/* Returns a cylinder along y.  radius, half_height: m, VSP_MIN_SIZE to
 * VSP_MAX_SIZE.
 * Cylinders and cones are exact against all shapes but two: shells see a prism
 * of 16 sides, whose corners are on the solid, and signed distance fields its
 * corners; a field's own spheres are tested against the exact solid. */
vsp_shape_def vsp_cylinder(vsp_real radius, vsp_real half_height);

/* Returns a cone along y, or the part of one between two discs: of radius
 * `below` at y = -half_height, and of radius `above` at y = half_height.  The
 * larger radius and half_height: m, VSP_MIN_SIZE to VSP_MAX_SIZE; the smaller
 * radius: 0 to VSP_MAX_SIZE. */
vsp_shape_def vsp_cone(vsp_real below, vsp_real half_height, vsp_real above);

#endif /* VSP_ROUNDS */

#if VSP_TAPERS

/* Returns a tapered capsule along y: the convex hull of a ball of radius
 * `below` around y = -half_height and one of radius `above` around y =
 * half_height.  Both radii: m, VSP_MIN_SIZE to VSP_MAX_SIZE; half_height: m, to
 * VSP_MAX_SIZE, and twice it is larger than the difference of the radii by at
 * least VSP_MIN_SIZE, else one ball would be in the other.
 * Tapered capsules are exact against all shapes but two: shells see both balls
 * and a prism of 16 sides between them, and signed distance fields a row of
 * balls, such as those of a capsule. */
vsp_shape_def vsp_taper(vsp_real below, vsp_real half_height, vsp_real above);

#endif

/* Returns a hull, mesh, height field, signed distance field or shell, described
 * by the table with this number in the world. */
vsp_shape_def vsp_table_shape(vsp_shape_type type, uint32_t table);


/* ---- Memory ---------------------------------------------------------------
 * A world uses one buffer of VSP_WORLD_BYTES, aligned to VSP_WORLD_ALIGN, and
 * no other memory.  VSP_ARENA declares such a buffer; memory from malloc is
 * aligned well enough, too.  The buffer has no pointers into itself, so you may
 * copy it elsewhere between calls.  It has pointers to your tables, which must
 * stay where they are, and to your workers; so pass a snapshot, not the buffer,
 * to another process.
 *
 * VSP_WORLD_BYTES is a constant expression, and so is VSP_SNAPSHOT_BYTES, the
 * most that vsp_world_snapshot can write.  VSP_WORLD_ALIGN is 4 or 8 on most
 * machines, 2 on a 68000, 1 on an AVR.  All are defined at the end of this
 * header. */

/* Declares an aligned static buffer of at least this many bytes, name.mem. */
#define VSP_ARENA(name, bytes)              \
    static union {                          \
        uint32_t word[((bytes) + 3u) / 4u]; \
        const void *address;                \
        unsigned char mem[VSP__UP8(bytes)]; \
    } name

/* Returns VSP_WORLD_BYTES of the library, for callers without this header. */
size_t vsp_world_bytes(void);

#if VSP_SNAPSHOTS

/* Returns VSP_SNAPSHOT_BYTES of the library. */
size_t vsp_snapshot_bytes(void);

#endif /* VSP_SNAPSHOTS */


/* ---- World --------------------------------------------------------------- */

typedef struct vsp_world vsp_world;

/* Makes an empty world in a buffer of VSP_WORLD_BYTES or more.  *world is the
 * address of the buffer: to move a world, copy VSP_WORLD_BYTES and use the
 * new address.  A world needs no destruction.
 * Returns VSP_ERR_ARG for null or a bad def; VSP_ERR_ABI if the def was made
 * under other options, or by a compiler whose structures have other sizes (such
 * as with -fshort-enums), or if float operations do not round to nearest;
 * VSP_ERR_MEMORY if the buffer is too small or not aligned to
 * VSP_WORLD_ALIGN.  *world is then null. */
vsp_status vsp_world_create(void *buffer, size_t size, const vsp_world_def *def,
                            vsp_world **world);

/* Advances the world by dt, then clears all applied forces and torques.
 * Returns VSP_DEGRADED if it dropped contacts because of a capacity (the
 * shallowest ones, or any ones if VSP_MAX_PAIRS is exceeded; see vsp_stats) or
 * a budget (see VSP_SPENT_PAIRS); VSP_ERR_ARG for null. */
vsp_status vsp_world_step(vsp_world *world);


/* ---- Workers ---------------------------------------------------------------
 * Optional: VSP_WORKERS.  A step on several threads or cores.  The engine has
 * no threads, locks or atomic operations of its own: the caller gives a
 * function that runs tasks.  The state after a step does not depend on the
 * number of workers, nor on which of them runs a task, or when.
 *
 * A step runs its tasks in batches.  Between them, and in worlds too small to
 * share, it works on the thread that called it.
 */

#if VSP_WORKERS

/* Does a part of a step, which index selects; `work` is the engine's. */
typedef void vsp_task(void *work, uint32_t index);

/* Those who run tasks. */
typedef struct vsp_workers {
    /* Calls task(work, i) once for each i from 0 to count - 1, in any order, on
     * any threads, also at the same time, and returns when all have returned.
     * All that was written before the call must be visible to the tasks, and
     * all that they write to the caller.  count is 1 to 64. */
    void (*run)(void *context, vsp_task *task, void *work, uint32_t count);
    void *context;  /* for run; the engine does not look at it */
    uint32_t count; /* workers that run at the same time, with the thread that
                       steps; 1 to 64 */
} vsp_workers;

/* Sets the workers of all later steps of a world, also of those that a
 * recording, a rollback or a lockstep peer makes; null, as at the creation: no
 * workers.  A single worker is the thread that steps, and works without run.
 * Workers are not state: no snapshot has them, and no restore changes them.
 * The world keeps a copy of *workers; run must not call the engine for this
 * world.  A world that is copied with its buffer has the same workers: set its
 * own before two threads step both.  All workers must round to the nearest
 * number, as vsp_world_create demands of its caller.
 * Returns VSP_ERR_ARG, and changes nothing, if the world is null, run
 * is null, or count is not 1 to 64. */
vsp_status vsp_world_set_workers(vsp_world *world, const vsp_workers *workers);

/* vsp_world_step with these workers, in this step only; null: without any.
 * Returns what vsp_world_step returns; VSP_ERR_ARG as
 * vsp_world_set_workers. */
vsp_status vsp_world_step_with(vsp_world *world, const vsp_workers *workers);

#endif /* VSP_WORKERS */

/* Sets gravity, m/s^2, each component within VSP_MAX_SPEED, and wakes all
 * bodies if it changes.  Returns VSP_ERR_ARG. */
vsp_status vsp_world_set_gravity(vsp_world *world, vsp_vec3 gravity);

/* Returns gravity, m/s^2; zero for null. */
vsp_vec3 vsp_world_gravity(const vsp_world *world);

/* Returns the capacities of the world; all zero for null. */
vsp_capacity vsp_world_capacity(const vsp_world *world);

/* Returns the length of a step, s; 0 for null. */
vsp_real vsp_world_dt(const vsp_world *world);

/* Returns the number of steps taken, which wraps at 2^32; 0 for null. */
uint32_t vsp_world_tick(const vsp_world *world);

#if VSP__HAS_TABLES

/* Checks a whole table and gives it the next number: 1, 2 and so on.  A table
 * that the world already has keeps its number and is not checked again.
 * flaw may be null; otherwise *flaw is the reason for VSP_ERR_DATA.  The
 * contents and order of all tables are part of the state: a snapshot can be
 * restored only where the same tables were added in the same order.
 * Returns VSP_ERR_ARG for null; VSP_ERR_FULL if the world has VSP_MAX_TABLES;
 * VSP_ERR_DATA for a bad table.  *index is then 0. */
vsp_status vsp_world_add_table(vsp_world *world, const void *table,
                               uint32_t *index, vsp_flaw *flaw);

/* Returns how many tables the world has; 0 for null. */
uint32_t vsp_world_table_count(const vsp_world *world);

/* Returns the table with this number, from 1; null if there is none. */
const void *vsp_world_table(const vsp_world *world, uint32_t index);

#endif /* VSP__HAS_TABLES */

/* A step bounds its work by budgets, which follow from the capacities of the
 * world.  Even busy worlds stay below them.  When a budget runs out, the step
 * continues without the rest of that work, in the same way on every machine.
 *
 * PAIRS: 256 tests of bounds for each existing shape and for each pair of the
 * capacity, in each detection.  If it runs out, pairs that are not yet found
 * make no contacts.
 * PARTS: 93 triangles or 204 spheres near other shapes (64 near hulls and
 * solids of revolution), or 170 edges of hulls that are compared with those of
 * other hulls, or 4 searches for the nearest points of cylinders, cones and
 * tapered capsules, for each body of the capacity, and 4 times as many more, in
 * each pass over all pairs.  If this is not enough, each pair that needs them
 * gets an equal share of the budget, but at least 5 triangles, 12 spheres or 10
 * edges: it tests that many triangles, spread over all near ones, or that many
 * of the first spheres or edges.  A pair without a search takes the best axis
 * of its faces and sides.
 * GAPS, for bullets and fast bodies: 128 measured gaps between solids for each
 * body of the capacity, and 2,048 more; of these at most 512 for one body
 * before the solve, and 512 each time that the step moves it, in each try of a
 * step that unions or shells make again.  If they run out,
 * bodies move by no more than half of the smallest half extent of their shapes
 * (slowed_count), or bullets do not bounce in the step of the hit.
 * GAPS, for paths of shells: 4,096 pairs of triangles for each body of the
 * capacity, and 65,536 more, each time that a step checks paths: at most five
 * times, and again if unions break; a pair whose paths come close slowly
 * counts as several.  If it runs out, all bodies stop for the step.
 * WAKES: two rounds of bodies that wake others; more are needed only where
 * contacts are dropped.  If they do not suffice, all bodies wake.
 * TRIES: four times, under SHOCK twice, a step is made again because joints of
 * unions are overloaded.  If that does not suffice, they pass on more than
 * their strength in this step.
 * WAYS: 16 joints in the chains of ranges for each joint of the capacity.  If
 * it runs out, the heavy bodies that the search reaches last get no range.
 *
 * Two solids cost a bounded time, which grows with the product of the edge
 * counts of hulls.  A try of a step measures each pair at most 16 times
 * (touch_count), in most worlds twice. */
#define VSP_SPENT_PAIRS 1u
#define VSP_SPENT_PARTS 2u
#define VSP_SPENT_GAPS 4u
#define VSP_SPENT_WAKES 8u
#define VSP_SPENT_WAYS 16u
#define VSP_SPENT_TRIES 32u

/* Contents of the world and work of its last step.  Not part of the state: a
 * restore keeps the high-water marks and zeroes the numbers of the step. */
typedef struct vsp_stats {
    uint32_t body_count, body_high;         /* high: most so far; capacities */
    uint32_t shape_count, shape_high;       /*   need be no larger */
    uint32_t pair_count, pair_high;         /* shapes whose bounds overlap */
    uint32_t manifold_count, manifold_high; /* shapes that touch */
    uint32_t contact_count, contact_high;   /* contact points */
    uint32_t joint_count, joint_high;       /* broken ones included */
    uint32_t contacts_dropped;              /* found, but beyond a capacity */
    uint32_t events_dropped;                /* events and sensed pairs beyond a
                                               capacity */
    uint32_t layer_count;                   /* stack layers */
    uint32_t sweep_count;                   /* velocity sweeps; SUBSPACE: the
                                               sum over all islands */
    uint32_t correction_count;              /* position sweeps */
    uint32_t search_count;                  /* steps of conjugate gradients */
    uint32_t row_updates;                   /* multipliers computed; SUBSPACE:
                                               also rows visited in searches */
    uint32_t awake_count;                   /* awake dynamic bodies; a union
                                               counts once */
    uint32_t slowed_count;                  /* bodies that moved less because
                                               the GAPS budget ran out */
    uint32_t node_count;    /* shapes, and groups of shapes, tested to find
                               pairs, and joints of bodies whose shapes are
                               near each other */
    uint32_t touch_count;   /* pairs of shapes tested for contacts, in all
                               detections of the step */
    uint32_t part_count;    /* triangles, spheres and nodes of tables tested for
                               contacts, edges of hulls compared, and searches
                               for nearest points of solids of revolution,
                               weighted by cost */
    uint32_t gap_count;     /* gaps measured for swept bodies, weighted by
                               cost */
    uint32_t spent;         /* budgets that ran out: a sum of VSP_SPENT_... */
    vsp_real residual;      /* m/s: largest change of a multiplier in the last
                               sweep; SUBSPACE: in the last sweep before the
                               last search */
    vsp_real merit;         /* (m/s)^2: theta, eq. 37-38 of Erleben 2007;
                               SUBSPACE: the sum over all islands; others: 0
                               without VSP_MERIT */
    uint32_t detect_ticks;  /* of VSP_CLOCK, or 0: to detect contacts */
    uint32_t solve_ticks;   /* likewise: to solve for velocities */
    uint32_t correct_ticks; /* to correct positions */
    uint32_t rest_ticks;    /* everything else: layers, motion, sleep, events */
} vsp_stats;

/* Returns the statistics; all zero for null. */
vsp_stats vsp_world_stats(const vsp_world *world);


/* ---- Runtime hulls --------------------------------------------------------
 * Convex hulls of points that a program computes, in the world's own memory:
 * VSP_MAX_RUNTIME_HULLS of them.  Each has a table number, for vsp_table_shape
 * and VSP_SHAPE_HULL, and serves any number of shapes, but only of its world.
 * Runtime hulls are state: snapshots contain their vertices, the hash covers
 * these, and a restore makes the rest anew.
 *
 * A hull is computed in integers of 1 / VSP_PLACE m, or of up to a 2^19th of
 * its size if that is more: the same points give the same hull on every
 * machine.  Its vertices are some of the points: the others are inside, or
 * outside by at most a 16384th of the size, 1.5 mm for 25 m; faces that are a
 * plane within that are one face. */

#define VSP_MAX_HULL_POINTS 16

#if VSP_MAX_RUNTIME_HULLS > 0

/* Makes the convex hull of 4 to VSP_MAX_HULL_POINTS points, m, each coordinate
 * within 100 m.  *table is then the number of the hull: the slot, and in the
 * high 16 bits how often it was used, as in ids; 0 if the call is refused.  The
 * work is bounded: about 0.1 ms on a computer.
 * Returns VSP_ERR_ARG; VSP_ERR_FULL; VSP_ERR_DATA if the points have no hull:
 * they are in a plane within 1 mm, or within 5 mm of each other, or the hull
 * has faces too thin for their normals. */
vsp_status vsp_hull_create(vsp_world *world, const vsp_vec3 *points,
                           uint32_t count, uint32_t *table);

/* Frees the memory of a runtime hull.
 * Returns VSP_ERR_ID if there is none of this number; VSP_ERR_ARG if a shape
 * uses it. */
vsp_status vsp_hull_destroy(vsp_world *world, uint32_t table);

/* Writes a runtime hull as a table.  Its addresses are in the world's memory:
 * they are valid until the hull is destroyed, a state is restored, or the world
 * moves.  Returns VSP_ERR_ID, VSP_ERR_ARG. */
vsp_status vsp_hull_get(const vsp_world *world, uint32_t table, vsp_hull *hull);

/* Writes the vertices of a hull, up to VSP_MAX_HULL_POINTS, scaled along each
 * axis by 1/16 to 16 or, to mirror them, by that negative; and their number:
 * for vsp_hull_create.  A table must be one that a world accepts.
 * Returns VSP_ERR_ARG, also for a hull of more vertices. */
vsp_status vsp_hull_scale(const vsp_hull *hull, vsp_vec3 scale,
                          vsp_vec3 *points, uint32_t *count);

/* Returns the number of the runtime hull in a slot, from 0 to
 * VSP_MAX_RUNTIME_HULLS - 1; 0 if it is free. */
uint32_t vsp_hull_at(const vsp_world *world, uint32_t slot);

#endif /* VSP_MAX_RUNTIME_HULLS */


/* ---- Body ------------------------------------------------------------------
 * From here on, VSP_ERR_ARG means a null world, a null def or a number out of
 * range; VSP_ERR_ID means an id that is not valid: null, or of an object that
 * no longer exists.  Functions that return a property treat a null world like
 * an id that is not valid. */

/* Makes a body and, if def->shape has a type, its first shape.
 * id may be null.  A dynamic body without mass does not move until a shape
 * gives it mass.
 * Returns VSP_ERR_ARG for a bad def; VSP_ERR_FULL if no body or shape is
 * free; VSP_ERR_OVERLAP, see "Shells".  *id is then null.  A def is bad
 *     if it is not from vsp_body_def_default, or has a number out of range;
 *     if this type of body cannot have the shape;
 *     if the shape of a dynamic body has no density;
 *     if the mass, given or from the shape, is not VSP_MIN_MASS to VSP_MAX_MASS
 *         (at 1000 kg/m^3 a cube of 100 m has the most);
 *     if it has a mass, but neither inertia nor a shape;
 *     if it has inertia, but no mass, or inertia that no body can have;
 *     if a static body has a velocity. */
vsp_status vsp_body_create(vsp_world *world, const vsp_body_def *def,
                           vsp_body_id *id);

/* Destroys a body with its shapes and joints.  Returns VSP_ERR_ARG,
 * VSP_ERR_ID. */
vsp_status vsp_body_destroy(vsp_world *world, vsp_body_id id);

/* Returns whether the id names a body that exists. */
bool vsp_body_is_valid(const vsp_world *world, vsp_body_id id);

/* Returns the body in a slot, 0 to VSP_MAX_BODIES - 1; null if none. */
vsp_body_id vsp_body_at(const vsp_world *world, uint32_t slot);

/* Returns the type; VSP_STATIC for an id that is not valid. */
vsp_body_type vsp_body_get_type(const vsp_world *world, vsp_body_id id);

/* Returns the pose of the body's frame; identity for an id that is not
 * valid. */
vsp_transform vsp_body_transform(const vsp_world *world, vsp_body_id id);

/* Moves the body's frame to a pose at once, and normalises its rotation;
 * velocities stay, and so do the bodies on it: vsp_body_move_to moves a
 * platform with its load.  Returns VSP_ERR_ARG, VSP_ERR_ID; VSP_ERR_OVERLAP,
 * see "Shells". */
vsp_status vsp_body_set_transform(vsp_world *world, vsp_body_id id,
                                  vsp_transform pose);

/* Returns the centre of mass in the world, m; zero for an id that is not
 * valid. */
vsp_vec3 vsp_body_center(const vsp_world *world, vsp_body_id id);

/* Returns the velocity of the centre of mass, m/s; zero for an id that is not
 * valid. */
vsp_vec3 vsp_body_velocity(const vsp_world *world, vsp_body_id id);

/* Returns the angular velocity, rad/s, world axes; zero for an id that is not
 * valid. */
vsp_vec3 vsp_body_spin(const vsp_world *world, vsp_body_id id);

/* Sets velocity (m/s) and spin (rad/s), each component within VSP_MAX_SPEED.
 * A kinematic body keeps them, and takes along the bodies on it.
 * Returns VSP_ERR_ARG (also for a static body), VSP_ERR_ID. */
vsp_status vsp_body_set_velocity(vsp_world *world, vsp_body_id id,
                                 vsp_vec3 velocity, vsp_vec3 spin);

/* Returns the mass, kg; 0 for static and kinematic bodies, bodies without
 * mass and an id that is not valid. */
vsp_real vsp_body_mass(const vsp_world *world, vsp_body_id id);

/* Gives a dynamic body a mass (kg, VSP_MIN_MASS to VSP_MAX_MASS) and, if
 * inertia is not zero, a centre and an inertia, as in vsp_body_def.  A mass of
 * 0 computes it from the shapes again.
 * Returns VSP_ERR_ARG (also if the body is not dynamic, or has no shape from
 * which to compute the rest), VSP_ERR_ID. */
vsp_status vsp_body_set_mass(vsp_world *world, vsp_body_id id, vsp_real mass,
                             vsp_vec3 center, vsp_vec3 inertia);

/* Sets linear and angular damping, 1/s, 0 to 1000.  Returns VSP_ERR_ARG,
 * VSP_ERR_ID. */
vsp_status vsp_body_set_damping(vsp_world *world, vsp_body_id id,
                                vsp_real linear, vsp_real angular);

/* Sets the factor of gravity, -100 to 100.  Returns VSP_ERR_ARG,
 * VSP_ERR_ID. */
vsp_status vsp_body_set_gravity_scale(vsp_world *world, vsp_body_id id,
                                      vsp_real scale);

/* Sets the largest speed of the body, m/s, 0.0001 to VSP_MAX_SPEED, which means
 * no limit.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_set_max_speed(vsp_world *world, vsp_body_id id,
                                  vsp_real speed);

/* Sets the locks, a sum of VSP_LOCK_...: each step sets the velocity and spin
 * along these axes of the world to 0.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_set_locks(vsp_world *world, vsp_body_id id, uint32_t locks);

/* Returns the locks; 0 for an id that is not valid. */
uint32_t vsp_body_locks(const vsp_world *world, vsp_body_id id);

/* Sets whether the body stops where it first hits something within a step:
 * see vsp_body_def.is_bullet.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_set_bullet(vsp_world *world, vsp_body_id id,
                               bool is_bullet);

/* Sets whether the body may fall asleep, and wakes it if it may not.
 *
 * Bodies that touch or are joined fall asleep together, after all of them
 * were calm for sleep_time on something that does not move.  A step skips
 * them at almost no cost.  They wake together in a step in which an awake body
 * or a moving kinematic body touches one of them, or after one of these calls:
 *
 *     on one of them    push, move, change of velocity, mass, locks, gravity
 *                       scale, shapes or joints
 *     near them         a body or shape is created, moved, changed, destroyed
 *     on the world      change of gravity
 *
 * Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_enable_sleep(vsp_world *world, vsp_body_id id,
                                 bool is_enabled);

/* Wakes a dynamic body, and in the next step all bodies that it touches; or
 * puts it to sleep alone, with velocities of 0.
 * Returns VSP_ERR_ARG (also if the body may not sleep), VSP_ERR_ID. */
vsp_status vsp_body_set_awake(vsp_world *world, vsp_body_id id, bool is_awake);

/* Returns whether the body is awake; false for static bodies and an id that is
 * not valid. */
bool vsp_body_is_awake(const vsp_world *world, vsp_body_id id);

/* Returns the user word; 0 for an id that is not valid. */
uint32_t vsp_body_user(const vsp_world *world, vsp_body_id id);

/* Sets the user word.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_set_user(vsp_world *world, vsp_body_id id, uint32_t user);

/* Adds a force (N, within VSP_MAX_FORCE) at a point of the world (m) to the
 * forces of the next step, and wakes the body if this changes them.  A body
 * that is not dynamic ignores it.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_apply_force(vsp_world *world, vsp_body_id id,
                                vsp_vec3 force, vsp_vec3 point);

/* Adds a force at the centre of mass, as vsp_body_apply_force.  Returns
 * VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_apply_center_force(vsp_world *world, vsp_body_id id,
                                       vsp_vec3 force);

/* Adds a torque (N m, within VSP_MAX_FORCE), as vsp_body_apply_force.  Returns
 * VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_apply_torque(vsp_world *world, vsp_body_id id,
                                 vsp_vec3 torque);

/* Changes the velocity at once by an impulse (N s, within VSP_MAX_FORCE) at a
 * point of the world (m), and wakes the body if this changes it.  A body that
 * is not dynamic ignores it.  Returns VSP_ERR_ARG (also if a speed would exceed
 * VSP_MAX_SPEED), VSP_ERR_ID. */
vsp_status vsp_body_apply_impulse(vsp_world *world, vsp_body_id id,
                                  vsp_vec3 impulse, vsp_vec3 point);

/* Applies an impulse at the centre of mass, as vsp_body_apply_impulse.  Returns
 * VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_apply_center_impulse(vsp_world *world, vsp_body_id id,
                                         vsp_vec3 impulse);

/* Changes the spin by an angular impulse (N m s, within VSP_MAX_FORCE), as
 * vsp_body_apply_impulse.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_apply_angular_impulse(vsp_world *world, vsp_body_id id,
                                          vsp_vec3 impulse);

/* A box along the axes of the world. */
typedef struct vsp_bounds {
    vsp_vec3 low, high; /* m */
} vsp_bounds;

/* Optional, to the end of this section: VSP_EDITS. */
#if VSP_EDITS

/* Writes a def that would create this body as it is now, with the first of its
 * shapes (see vsp_body_shapes).  If the mass is that of other shapes alone,
 * vsp_body_create refuses it.  A given inertia is right within rounding.
 * The rest of the body's state is its other shapes, its joints, whether it
 * sleeps, and forces for the next step.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_get(const vsp_world *world, vsp_body_id id,
                        vsp_body_def *def);

/* Changes the type, from the next step on, and wakes the body and all near it.
 * A body that becomes dynamic gets the mass of its shapes; one that was dynamic
 * loses its mass, also a given one, and forces for the next step.  One that
 * becomes static loses its velocity.  A joint has no effect while neither of
 * its bodies is dynamic.
 * Returns VSP_ERR_ARG (also if this type of body cannot have one of the shapes,
 * or the mass of the shapes is out of range), VSP_ERR_ID; VSP_ERR_OVERLAP, see
 * "Shells". */
vsp_status vsp_body_set_type(vsp_world *world, vsp_body_id id,
                             vsp_body_type type);

/* Takes a body out of the simulation, or returns it, as it was.  A disabled
 * body does not move, touches nothing, is not drawn, and queries do not find
 * it; its joints have no effect.  Calls can still change it.  Bodies near it
 * wake; events END and LEAVE come in the next step.  Forces, also those of
 * before, and impulses have no effect on a disabled body.
 * Returns VSP_ERR_ARG, VSP_ERR_ID; VSP_ERR_OVERLAP, see "Shells". */
vsp_status vsp_body_enable(vsp_world *world, vsp_body_id id, bool is_enabled);

/* Returns whether a body is in the simulation; false for an id that is not
 * valid. */
bool vsp_body_is_enabled(const vsp_world *world, vsp_body_id id);

/* Set the velocity alone, m/s, or the spin alone, rad/s, as
 * vsp_body_set_velocity.  Return VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_body_set_linear_velocity(vsp_world *world, vsp_body_id id,
                                        vsp_vec3 velocity);
vsp_status vsp_body_set_spin(vsp_world *world, vsp_body_id id, vsp_vec3 spin);

/* Sets the velocity and spin that take a kinematic body to a pose in dt
 * seconds (VSP_MIN_DT to VSP_MAX_DT), by the shorter rotation.  With
 * the world's dt the next step takes it there, within 2 um and 4 urad in fixed
 * point, within rounding in floats.  It keeps this velocity in later steps
 * until the next call.  A velocity above max_speed is scaled down, and so is a
 * spin above VSP_MAX_SPEED: the body then goes in the right direction, but not
 * all the way.
 * Returns VSP_ERR_ARG (also if the body is not kinematic), VSP_ERR_ID. */
vsp_status vsp_body_move_to(vsp_world *world, vsp_body_id id,
                            vsp_transform pose, vsp_real dt);

/* Writes the shapes of a body, the oldest first, at most capacity of them
 * (shapes may be null: it writes none).  Returns how many there are; 0 for an
 * id that is not valid. */
uint32_t vsp_body_shapes(const vsp_world *world, vsp_body_id id,
                         vsp_shape_id *shapes, uint32_t capacity);

#if VSP_JOINTS

/* Writes the joints of a body, by slot, as vsp_body_shapes.  Returns how many
 * there are. */
uint32_t vsp_body_joints(const vsp_world *world, vsp_body_id id,
                         vsp_joint_id *joints, uint32_t capacity);

#endif /* VSP_JOINTS */

/* Writes the smallest box, within rounding, that contains a shape or, for hulls
 * and other tables, the box of the table in the shape's frame; and the box
 * around all shapes of a body.  Half-spaces are left out.  Return VSP_ERR_ARG
 * (also if nothing is left), VSP_ERR_ID. */
vsp_status vsp_shape_bounds(const vsp_world *world, vsp_shape_id id,
                            vsp_bounds *bounds);
vsp_status vsp_body_bounds(const vsp_world *world, vsp_body_id id,
                           vsp_bounds *bounds);

#endif /* VSP_EDITS */


/* ---- Shape --------------------------------------------------------------- */

/* Attaches a shape to a body, and recomputes the mass if it comes from shapes.
 * id may be null.
 * Returns VSP_ERR_ARG for a bad def or a type that is not for this body;
 * VSP_ERR_ID; VSP_ERR_FULL; VSP_ERR_OVERLAP, see "Shells".  *id is then
 * null. */
vsp_status vsp_shape_create(vsp_world *world, vsp_body_id body,
                            const vsp_shape_def *def, vsp_shape_id *id);

/* Removes a shape from its body, and recomputes the mass if it comes from
 * shapes.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_shape_destroy(vsp_world *world, vsp_shape_id id);

/* Returns whether the id names a shape that exists. */
bool vsp_shape_is_valid(const vsp_world *world, vsp_shape_id id);

/* Returns the shape in a slot, 0 to VSP_MAX_SHAPES - 1; null if none. */
vsp_shape_id vsp_shape_at(const vsp_world *world, uint32_t slot);

/* Returns the shape's body; null for an id that is not valid. */
vsp_body_id vsp_shape_body(const vsp_world *world, vsp_shape_id id);

/* Writes a def that would create this shape as it is now.  Returns
 * VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_shape_get(const vsp_world *world, vsp_shape_id id,
                         vsp_shape_def *def);

/* Sets the material, from the next step on.  Returns VSP_ERR_ARG,
 * VSP_ERR_ID. */
vsp_status vsp_shape_set_material(vsp_world *world, vsp_shape_id id,
                                  vsp_material material);

/* Sets the velocity of the surface along itself, m/s, in the body's axes, each
 * component within VSP_MAX_SPEED, from the next step on.  Returns
 * VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_shape_set_surface_velocity(vsp_world *world, vsp_shape_id id,
                                          vsp_vec3 velocity);

/* Sets the filter, from the next step on.  Returns VSP_ERR_ARG,
 * VSP_ERR_ID. */
vsp_status vsp_shape_set_filter(vsp_world *world, vsp_shape_id id,
                                vsp_filter filter);

/* Returns the user word; 0 for an id that is not valid. */
uint32_t vsp_shape_user(const vsp_world *world, vsp_shape_id id);

/* Sets the user word, 0 to 65535.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_shape_set_user(vsp_world *world, vsp_shape_id id, uint32_t user);

/* Sets rolling and spinning friction, m, from the next step on: see
 * vsp_shape_def.  Optional: VSP_ROLLING.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
#if VSP_ROLLING
vsp_status vsp_shape_set_rolling_friction(vsp_world *world, vsp_shape_id id,
                                          vsp_real rolling, vsp_real spinning);
#endif

/* Optional, to the end of this section: VSP_EDITS. */
#if VSP_EDITS

/* Change the pose of a shape in its body; the size of a shape without a table
 * (m, as in vsp_shape_def); and its density, kg/m^3.  A mass that comes from
 * shapes is computed again, and bodies near it wake.  A shape may overlap
 * others then: the next steps push it out. Return VSP_ERR_ARG (also if the mass
 * is then out of range, or the shape has no size), VSP_ERR_ID; VSP_ERR_OVERLAP,
 * see "Shells". */
vsp_status vsp_shape_set_pose(vsp_world *world, vsp_shape_id id,
                              vsp_transform pose);
vsp_status vsp_shape_set_size(vsp_world *world, vsp_shape_id id, vsp_vec3 size);
vsp_status vsp_shape_set_density(vsp_world *world, vsp_shape_id id,
                                 vsp_real density);

/* Sets whether a shape is a sensor.  What it touched or sensed ends without an
 * event.  Returns VSP_ERR_ARG (also without VSP_EVENTS), VSP_ERR_ID;
 * VSP_ERR_OVERLAP, see "Shells". */
vsp_status vsp_shape_set_sensor(vsp_world *world, vsp_shape_id id,
                                bool is_sensor);

/* Sets the spin of the surface (rad/s, see vsp_shape_def), each component
 * within VSP_MAX_SPEED, and its velocity to 0, from the next step on.
 * vsp_shape_set_surface_velocity sets the spin to 0.  Returns VSP_ERR_ARG,
 * VSP_ERR_ID. */
vsp_status vsp_shape_set_surface_spin(vsp_world *world, vsp_shape_id id,
                                      vsp_vec3 spin);

#endif /* VSP_EDITS */


/* ---- Shells ----------------------------------------------------------------
 * Optional: VSP_SHELLS.  Sheets without thickness that never pass through
 * anything, at any speed: English, Lentine, Fedkiw 2013.
 *
 * A step keeps each shell apart from every other shape with which it may
 * collide, if one of the two bodies is dynamic: no two of their triangles,
 * edges or corners cross at the end of the step, nor on straight paths from its
 * beginning.  Shells come to rest at a fifth of the envelope from other shapes,
 * as if they had this thickness.  The least gap is a hundredth of the envelope,
 * but at least 0.01 mm.  A pair that is nearer already loses at most a fifth of
 * its distance in a step, down to half of the least gap.  Of a distance field
 * only its spheres are kept apart.  Bodies near shells turn by at most a radian
 * in a step.
 *
 * A step in which a shell would be hit is undone and computed again, with the
 * hit as a contact, up to 3 times.  Hits that are left then push bodies apart,
 * or cut their paths short.  As a last resort bodies stop for the step,
 * kinematic ones included (VSP_EVENT_STOP); dynamic ones lose some of their
 * speed.
 *
 * Calls that would put a shell and another shape nearer together than half of
 * the least gap change nothing and return VSP_ERR_OVERLAP.  Not checked are
 * restored states, and calls that let shapes collide which did not collide
 * before: use vsp_world_check_shells. */

#if VSP_SHELLS

/* Finds the nearest pair of shapes that steps keep apart: one is a shell, one
 * belongs to a dynamic body, and they may collide.  *gap is their distance, m;
 * if no pair is nearer than the envelope, *gap is the envelope, and both ids
 * are null.  Tests all pairs of shapes.  Returns VSP_ERR_ARG. */
vsp_status vsp_world_check_shells(vsp_world *world, vsp_shape_id worst[2],
                                  vsp_real *gap);

#endif /* VSP_SHELLS */


/* ---- Joints ----------------------------------------------------------------
 * Optional: VSP_JOINTS.  A joint connects two bodies, at least one of them
 * dynamic, by a frame on each: an anchor and three axes.  To attach a body to
 * the world, join it to a static body.  Joined bodies pass through each other,
 * also boxes that lie on each other, unless the def's collide is true.
 *
 *     BALL      the anchors coincide.  B's x axis stays within a cone around
 *               A's; the twist of B about its x axis has two limits
 *     HINGE     the anchors and the x axes coincide.  The angle of B about
 *               x, from A's y axis to B's, has limits and a motor
 *     SLIDER    B moves along A's x axis only, and does not turn.  The
 *               position along x has limits and a motor
 *     FIXED     the frames coincide
 *     DISTANCE  the distance between the anchors is low to high: a rope has
 *               low 0, a rod low = high
 *
 * Limits are solved together with the contacts of a step: a limit pushes in one
 * direction only, and a step may reach the limit but not pass it.  Errors of
 * position are corrected in full in each step, without adding velocity.  A
 * motor drives a velocity, with no more than its largest force or torque.
 *
 * Limits with a frequency are soft: beyond them a spring pulls back, so a
 * DISTANCE with low 0 is a rubber band, one with low = high a spring, and a
 * HINGE with low = high = 0 resists bending.  The stiffness is m w^2, where w
 * is 2 pi times the frequency, and m is the reduced mass of the bodies, 1 / (1
 * / ma + 1 / mb), or for a HINGE their reduced inertia about its axis, through
 * their centres: so the two bodies alone oscillate at this frequency.  A spring
 * that holds 1 kg at 2 Hz has 158 N/m.  Springs lose energy, more in longer
 * steps: at 2 Hz and 1/60 s, half of it in 0.3 s.  The force of a DISTANCE is
 * bounded so that it alone moves the bodies by no more than half the distance
 * in a step, the torque of a HINGE so that it turns them by no more than 0.125
 * rad.  Chains of hinges whose springs reach this bound may gain energy under
 * CARRY, PGS and SHOCK.  Positions beyond soft limits are not corrected. */

typedef enum vsp_joint_type {
    VSP_JOINT_NONE = 0,
    VSP_JOINT_BALL = 1,
    VSP_JOINT_HINGE = 2,
    VSP_JOINT_SLIDER = 3,
    VSP_JOINT_FIXED = 4,
    VSP_JOINT_DISTANCE = 5,
    VSP_JOINT_AXES = 6, /* and WHEEL: see "Drives" */
    VSP_JOINT_WHEEL = 7,
    VSP_JOINT_GEAR = 8, /* and PULLEY: see "Gears" */
    VSP_JOINT_PULLEY = 9
} vsp_joint_type;

/* How a motor drives: see "Drives".  Without VSP_DRIVES there is only SPEED. */
typedef enum vsp_motor_mode {
    VSP_MOTOR_SPEED = 0,  /* at motor_speed */
    VSP_MOTOR_SERVO = 1,  /* to motor_target, no faster than motor_speed */
    VSP_MOTOR_SPRING = 2, /* a spring pulls to motor_target */
    VSP_MOTOR_MODES = 3   /* number of modes */
} vsp_motor_mode;

/* Get one from vsp_joint_def_default. */
typedef struct vsp_joint_def {
    uint32_t cookie; /* set by vsp_joint_def_default */
    vsp_joint_type type;
    vsp_body_id body_a, body_b;
    vsp_transform frame_a, frame_b; /* relative to each body; vsp_joint_place
                                       fills them; default identity, which joins
                                       the origins of the bodies */
    bool collide;           /* whether shapes of the two bodies may touch;
                               default false */
    bool enable_limit;      /* use low and high; default false; a DISTANCE
                               always uses them */
    vsp_real low, high;     /* low <= high; BALL, HINGE: rad, -pi to pi (both
                               ends: no limit); SLIDER: m; DISTANCE: m, 0 or
                               more, and low 0 is no limit; default 0 */
    vsp_real cone;          /* BALL: largest swing, rad, 0 to pi; default pi:
                               no limit; other types have pi */
    vsp_real limit_hertz;   /* 0: low and high are hard; else a spring acts
                               beyond them, and this is its frequency without
                               damping, Hz, to 1000; BALL, FIXED: 0; default
                               0 */
    vsp_real limit_damping; /* of the spring, as a fraction of critical damping,
                               0 to 1000; default 0 */
    bool enable_motor;      /* HINGE, SLIDER; with drives all but BALL and
                               FIXED; default false */
    vsp_real motor_speed;   /* rad/s, m/s: of B relative to A; SERVO: the
                               largest speed, either sign; default 0 */
    vsp_real motor_max;     /* N m, N: 0 to VSP_MAX_FORCE; default 0 */
    vsp_real break_impulse; /* N s a step: the joint breaks when the impulse at
                               its anchor is larger, a slider's motor included;
                               for a force in N, that force times dt; default
                               0: never */
    vsp_real break_turn;    /* N m s a step: the joint breaks when its angular
                               impulse is larger, a hinge's motor included;
                               for a torque in N m, that torque times dt;
                               default 0: never */
    bool rigid;             /* FIXED: its bodies move as one: see "Unions";
                               default false */
    vsp_real yield_torque;  /* rigid: the joint bends under a larger torque
                               about an axis of frame A, N m; default 0: never
                               bends */
    vsp_real break_angle;   /* rad, 0 to pi: the joint breaks when the sum of
                               its bends is larger; default 0: never */
    vsp_motor_mode motor_mode; /* default SPEED; WHEEL: SPEED */
    vsp_real motor_target;     /* rad or m, of SERVO and SPRING; WHEEL: the
                                  angle of steering, rad, -1.5 to 1.5; default
                                  0 */
    vsp_real motor_hertz;      /* SPRING: frequency without damping, Hz, above
                                  0, to 1000; WHEEL: of the spring that steers,
                                  0: the angle is rigid; else 0; default 0 */
    vsp_real motor_damping;    /* of this spring, as a fraction of critical
                                  damping, 0 to 1000; default 0 */
    uint32_t locked, limited, driven; /* AXES: sums of VSP_LOCK_X ...: see
                                         "Drives"; default 0 */
    uint32_t user;   /* yours; part of the state and of the hash */
    int32_t teeth_a; /* GEAR: teeth of wheel a, 1 to 500; else 0; default 0 */
    int32_t teeth_b; /* GEAR: teeth of wheel b, -500 to 500, not -teeth_a;
                        negative: inside of a ring; 0: b is a rack; else 0;
                        default 0 */
    vsp_real ratio;  /* PULLEY: how often b's length counts, 1/16 to 16; 0: 1;
                        else 0; default 0 */
    vsp_vec3 pulley_a, pulley_b; /* PULLEY: points of the world over which the
                                    rope runs to a and to b, m; else 0; default
                                    0 */
} vsp_joint_def;

#if VSP_JOINTS

/* Returns the defaults: no type and no bodies yet. */
vsp_joint_def vsp_joint_def_default(void);

/* Fills both frames of a def from the present poses of its bodies, which must
 * be set: the anchor is this point of the world (m), x this direction (of
 * length 0.001 to 1000), and a hinge has angle 0. Returns VSP_ERR_ARG,
 * VSP_ERR_ID. */
vsp_status vsp_joint_place(const vsp_world *world, vsp_joint_def *def,
                           vsp_vec3 anchor, vsp_vec3 axis);

/* Creates a joint and wakes both bodies.  id may be null.  The anchors need not
 * coincide yet: the next steps move the bodies there, as fast as they can.
 * Returns VSP_ERR_ARG (also for the same body twice, no dynamic body, low above
 * high; a limit, cone, motor or rigidity that this type does not have; a
 * joint that yields and is not rigid; a drive that "Drives" does not allow; or
 * a gear with axles, or an axle and a rack, less than 0.001 m apart),
 * VSP_ERR_ID, VSP_ERR_FULL.  *id is then null. */
vsp_status vsp_joint_create(vsp_world *world, const vsp_joint_def *def,
                            vsp_joint_id *id);

/* Destroys a joint and wakes its bodies.  The destruction of a body destroys
 * its joints.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_joint_destroy(vsp_world *world, vsp_joint_id id);

/* Returns the joint in a slot, 0 to VSP_MAX_JOINTS - 1; null if none. */
vsp_joint_id vsp_joint_at(const vsp_world *world, uint32_t slot);

/* Writes a def that would create this joint with its present settings.  Returns
 * VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_joint_get(const vsp_world *world, vsp_joint_id id,
                         vsp_joint_def *def);

/* Sets the limits (rad or m, see vsp_joint_def), and wakes the bodies if they
 * change.  Returns VSP_ERR_ARG (also for a type without limits),
 * VSP_ERR_ID. */
vsp_status vsp_joint_set_limit(vsp_world *world, vsp_joint_id id, bool enable,
                               vsp_real low, vsp_real high);

/* Sets the largest swing of a ball, rad, 0 to pi, and wakes the bodies if it
 * changes.  Returns VSP_ERR_ARG (also for other types), VSP_ERR_ID. */
vsp_status vsp_joint_set_cone(vsp_world *world, vsp_joint_id id, vsp_real cone);

/* Sets the spring of the limits (Hz, and fraction of critical damping: see
 * vsp_joint_def; 0 Hz: hard limits), and wakes the bodies if it changes.
 * Returns VSP_ERR_ARG (also for AXES, GEAR and PULLEY, and for a BALL or FIXED
 * if not 0 Hz), VSP_ERR_ID. */
vsp_status vsp_joint_set_spring(vsp_world *world, vsp_joint_id id,
                                vsp_real hertz, vsp_real damping);

/* Sets the speed and the largest force of a motor (rad/s, N m for a turn; m/s,
 * N along an axis), and wakes the bodies if it changes.  Returns VSP_ERR_ARG
 * (also for a type without motor), VSP_ERR_ID. */
vsp_status vsp_joint_set_motor(vsp_world *world, vsp_joint_id id, bool enable,
                               vsp_real speed, vsp_real max);

/* Sets the impulse (N s) and the angular impulse (N m s) of a step that break
 * the joint, 0: never, and wakes the bodies if they change.  A joint that bears
 * F newtons takes F times dt, so this is the strength in newtons times dt: an
 * impact, which passes in one step, breaks it by its impulse alone.  Returns
 * VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_joint_set_strength(vsp_world *world, vsp_joint_id id,
                                  vsp_real break_impulse, vsp_real break_turn);

/* Sets the user word.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_joint_set_user(vsp_world *world, vsp_joint_id id, uint32_t user);

#endif /* VSP_JOINTS */

/* Measurements of a joint at the present poses. */
typedef struct vsp_joint_state {
    vsp_real place;       /* joint coordinate, limited by low and high.  HINGE:
                             angle, BALL: twist, rad, -pi to pi; SLIDER:
                             position, m; DISTANCE: distance, m; AXES: that of
                             the first axis driven or, if none is, limited;
                             WHEEL: travel of the suspension, m */
    vsp_real swing;       /* BALL: angle between the x axes, rad; else 0 */
    vsp_real speed;       /* rate of change of place, rad/s or m/s */
    vsp_real error;       /* m: distance of anchors that should coincide, or off
                             the slide, or beyond the limits of the distance */
    vsp_real angle_error; /* rad: between axes that should coincide */
    vsp_vec3 impulse;     /* N s: of the last step on B, motor and limits
                             included; rotated with A since */
    vsp_vec3 turn;        /* N m s: angular impulse on B, as impulse */
    vsp_real motor;       /* N s or N m s: the impulse of the motor alone, of
                             the first axis that is driven; WHEEL: of the
                             axle */
    bool at_limit;        /* a limit had an impulse in the last step; FIXED: the
                             joint bent */
    bool is_broken;
    vsp_real bent; /* rad: the sum of all bends of a rigid joint, to 500 */
    vsp_vec3 slide, angles; /* AXES, WHEEL: coordinates of all axes, m and rad:
                               see "Drives"; else 0 */
    vsp_real wheel_speed;   /* WHEEL: turn of the wheel about its axle relative
                               to A, rad/s; else 0 */
} vsp_joint_state;

#if VSP_JOINTS

/* Measures a joint.  Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_joint_read(const vsp_world *world, vsp_joint_id id,
                          vsp_joint_state *state);

#endif /* VSP_JOINTS */


/* ---- Drives ----------------------------------------------------------------
 * Optional: VSP_DRIVES.  Motors that drive to a place, springs that are exact,
 * and two types of joints made of them.
 *
 * A motor of a HINGE, SLIDER or AXES, or of a DISTANCE, has a mode:
 *
 *     SPEED   it drives at motor_speed (not of a DISTANCE)
 *     SERVO   it drives to motor_target as fast as motor_speed allows, and
 *             holds it
 *     SPRING  a spring pulls to motor_target
 *
 * None of them uses more force or torque than motor_max.  A servo that turns
 * goes the shorter way round, unless its joint has limits.
 *
 * A SPRING swings with its frequency and loses its amplitude as its damping
 * says, whatever the length of a step: these are exact for two bodies at up to
 * motor_hertz dt = 0.19 (11 Hz in steps of 1/60 s), and within 1 % where a
 * HINGE, or AXES about the body's own axes, hold them elsewhere, which makes it
 * slower.  Above, damping by the step is mixed in, and above 0.38 it is all
 * that of an implicit step: stiff springs hold, and never gain energy.  The
 * stiffness is as that of soft limits (see "Joints"), but a little damped
 * spring that is fast for the step is stiffer: by 0.7 % at 2 Hz, 5 % at 5 Hz
 * and 22 % at 10 Hz in steps of 1/60 s.  A spring whose line misses a centre of
 * mass has some damping more, as it would gain energy from a body that turns.
 * vsp_joint_find_spring converts N/m.  A spring of a DISTANCE moves its bodies
 * by no more than half the distance in a step.
 *
 * AXES is the general joint: each axis of frame A is locked, limited, driven,
 * limited and driven (only one of them), or free.  VSP_LOCK_X ... are the
 * coordinates of B's anchor in frame A, m, VSP_LOCK_TURN_X ... those of the
 * rotation vector from frame A to frame B, rad, each -pi to pi.  low and high,
 * and the motor, are those of all such axes; for axes with other ones, make
 * another joint with the same frames.  limited needs enable_limit, driven needs
 * enable_motor: else these axes are free.  The limits are hard.  With SPEED the
 * first axis that is driven moves at motor_speed, and all others that are
 * driven are held at 0.  So the motor of a ball, with a target direction, is
 * AXES with three turns driven, as SERVO or SPRING with target 0:
 * vsp_joint_set_frame turns frame A, to which the motor then turns B.  With
 * SPEED B turns about the x axis of frame A.
 *
 * WHEEL joins a car, a, and a wheel, b, at the centre of the wheel.  x of frame
 * A is the way of the suspension, up, y the axle if the wheel points straight
 * ahead; y of frame B is the axle.  The wheel turns freely about its axle, and
 * does not lean.  enable_limit: its travel along x is low to high (m, hard).
 * limit_hertz, limit_damping: a SPRING pulls it to travel 0, if not 0 Hz.
 * motor_target is the angle about x by which it is steered, by a SPRING or
 * rigidly: change it in small steps.  The motor turns the axle at motor_speed
 * with at most motor_max, N m; a brake is a motor with speed 0.  The friction
 * of the wheel's shape is that of the tyre. */

#if VSP_DRIVES

/* Sets the mode of a motor (not of a WHEEL), frequency, Hz, and damping of its
 * spring (see vsp_joint_def), and wakes the bodies if it changes.  Returns
 * VSP_ERR_ARG (also for a type without motor), VSP_ERR_ID. */
vsp_status vsp_joint_set_drive(vsp_world *world, vsp_joint_id id,
                               vsp_motor_mode mode, vsp_real hertz,
                               vsp_real damping);

/* Sets the target of a motor, rad or m, or the angle of steering of a WHEEL,
 * and wakes the bodies if it changes.  Returns VSP_ERR_ARG (also for a BALL,
 * FIXED, GEAR or PULLEY), VSP_ERR_ID. */
vsp_status vsp_joint_set_target(vsp_world *world, vsp_joint_id id,
                                vsp_real target);

/* Sets which axes of AXES are locked, limited and driven, and wakes the bodies
 * if it changes.  Returns VSP_ERR_ARG (also for other types), VSP_ERR_ID. */
vsp_status vsp_joint_set_axes(vsp_world *world, vsp_joint_id id,
                              uint32_t locked, uint32_t limited,
                              uint32_t driven);

/* Sets the rotation of frame A of AXES, relative to body a, and wakes the
 * bodies if it changes.  Returns VSP_ERR_ARG (also for other types),
 * VSP_ERR_ID. */
vsp_status vsp_joint_set_frame(vsp_world *world, vsp_joint_id id,
                               vsp_quat rotation);

/* Computes the frequency, Hz, and the damping ratio of a spring along an axis
 * between two bodies from its stiffness (N/m, above 0) and its damping (N s/m,
 * 0 or more), for their present masses.  A body that is not dynamic does not
 * move.  Returns VSP_ERR_ARG (also if no body is dynamic, or if a result is
 * above 1000), VSP_ERR_ID. */
vsp_status vsp_joint_find_spring(const vsp_world *world, vsp_body_id a,
                                 vsp_body_id b, vsp_real stiffness,
                                 vsp_real damping, vsp_real *hertz,
                                 vsp_real *ratio);

#endif /* VSP_DRIVES */


/* ---- Gears -----------------------------------------------------------------
 * Optional: VSP_GEARS.  Two types of joints for what hinges, sliders or nothing
 * else hold.
 *
 * GEAR is the teeth of two wheels, a and b, or of a wheel, a, and a rack, b.
 * The anchor of a frame is on the axle of its wheel, and x is the axle; those
 * of both wheels are parallel, but may point in opposite directions.  teeth_a
 * and teeth_b share out the distance between the axles, so b turns by -teeth_a
 * / teeth_b of the angle of a.  If teeth_b is negative, b is a ring around a
 * (with more teeth than a, or else a is the ring), and both turn the same way.
 * If it is 0, b is a rack: frame_b has its anchor on the pitch line and x along
 * it, and the distance of this line from the axle is the radius of a.  The
 * teeth push each other where they meet, along the common tangent; so hinges
 * and sliders must hold the bodies, whichever these are: a frame, a car, the
 * arm of a planetary gear.  The teeth mesh as the wheels stand when the joint
 * is made, and never lose a tooth by rounding, however far they turn; but a
 * call that moves a wheel lets the nearest teeth mesh.
 *
 * PULLEY is a rope from the anchor of a over two points of the world, pulley_a
 * and pulley_b, to the anchor of b.  The length from a to pulley_a, plus ratio
 * times that from b to pulley_b, is low to high: a rope has low 0, a rope that
 * pushes, too, has low = high.  With a ratio of 2, the rope runs to b twice: b
 * moves half as far as a, with twice the force.  The points are without
 * friction.  An end that is pulled to its point stays there, and the other one
 * hangs on the whole rope.  vsp_joint_set_limit winds the rope.
 *
 * Both types have break_impulse, N s a step, of the teeth or of the stronger
 * end of the rope; neither has springs or a motor: hinges, sliders and wheels
 * have them.  vsp_joint_state: error is the way along which the teeth have
 * slipped or the rope is too long, m; impulse that of the teeth or of the rope
 * on b, N s, in any direction if b is at its point; place of a PULLEY the
 * length that is low to high, m, that of a GEAR 0. */


/* ---- Unions ----------------------------------------------------------------
 * Optional: VSP_UNIONS.  Bodies that FIXED joints with `rigid` connect are a
 * union and move as one: contacts act on its whole mass, and its bodies do not
 * touch each other.  A union costs little more than one body with all their
 * shapes.  It needs no call.  Each step finds the unions, from joints alone.
 *
 * The root of a union is the body in the lowest slot.  A union with a static or
 * kinematic body has that body as its root, and does not move, or moves with
 * it.  The frames of the joints place the other bodies: a call that moves one
 * of them has effect until the next step; a call that moves the root moves all.
 * A new rigid joint to a body in a lower slot makes that body the root, and
 * moves all others.  Velocities, impulses and forces on any body act on the
 * union, as do the gravity scale and, by mass, the damping of each; the largest
 * speed of the union's centre is the smallest of all bodies.  A call that
 * pushes one body is refused if that body alone would be too fast.  A union
 * sleeps and wakes as one; a union with a static body, or a kinematic one at
 * rest, sleeps at once.  Contacts, queries and events name single bodies, but
 * sensors on a union do not sense its other bodies, and sensors on a static
 * body do not sense the bodies of a union with a static body.
 *
 * vsp_joint_read returns the loads of rigid joints.  They are exact where the
 * joints form a tree; loops share the load like a lattice of equal springs, if
 * any joint of the union may break or yield.  A joint breaks in the step in
 * which its load exceeds its strength, and transmits no more than its strength
 * in that step.  Then events SPLIT name each body, as body a, that is now in
 * another union than before, and the root of that union, as body b (body a
 * itself if it is alone).
 *
 * A joint with a yield torque bends while the torque about an axis of frame A
 * would be larger, resists with that torque, and keeps the bend: steel, not
 * rubber.  The angles of all bends are added, whatever their direction; the
 * joint breaks when the sum exceeds break_angle.
 *
 * Sweeps solve, like other joints: rigid joints that bend; those of bodies with
 * locks; and those to static and kinematic bodies, if a union would have two
 * such bodies, at least one of them kinematic. */


/* ---- Hinge loops ----------------------------------------------------------
 * Optional: VSP_HINGE_LOOPS.  Bodies in a loop of hinges with parallel axes, as
 * the links of a track or of a bicycle's chain, stay in one plane: they move
 * along the axes, and tilt, only as one plate.  Sweeps alone would let a long
 * loop bend out of its plane.  Momentum is kept.
 *
 * This needs no call.  Each step finds the loops, from joints alone.  A loop
 * has at least as many hinges as bodies.  On each body the axes of its hinges
 * are parallel within about a milliradian, and along the axes their anchors fit
 * within half a millimetre.  A loop may contain one kinematic body, or static
 * bodies, which count as one.  Sweeps alone solve a loop that has hinges that
 * may break; bodies with locks; bodies far off the plane (0.1 rad or 50 mm);
 * thin rods along the axes; or, if it has no static or kinematic body, a
 * contact across the plane.  Hinges of a loop report impulses in its plane
 * only.
 */

#if VSP_HINGE_LOOPS

/* Returns the number of loops of awake bodies; 0 for null.  The next step may
 * solve some of them by sweeps alone, because of contacts or bodies far off the
 * plane.  For tests and tools: it searches in memory that is free between
 * steps. */
uint32_t vsp_hinge_loop_count(vsp_world *world);

#endif /* VSP_HINGE_LOOPS */


/* ---- Ranges ----------------------------------------------------------------
 * Optional: VSP_RANGES.  A sweep passes a load on by one link of a chain of
 * joints, and a link that is much lighter than the load vibrates faster than a
 * step can follow.  So a load that hangs on light links also gets a range: a
 * long-range constraint, from the point where the load hangs to the point where
 * its chain is held.  The lengths between joints, and the limits of angles,
 * bound the distance of these points.
 *
 * This needs no call.  Each step makes the ranges, from joints and masses
 * alone: one for each chain from a body that does not move to the nearest heavy
 * body, and from there to the next heavy body.  A body is heavy if it has more
 * than 64 times the mass of the lightest body between, and more than all of
 * them together.  A chain that does not begin at a body that does not move gets
 * none, nor does one that is longer than 500 m.  The impulse of a range counts
 * for all joints of its chain, in vsp_joint_state and for their strength.
 *
 * Joints between several bodies that do not move, such as a rope bridge, are a
 * web if the bodies of the web together have more than 64 times the mass of the
 * lightest one: they are solved at once, and the ranges among them are idle.
 * Light links of a web do not vibrate. */

/* A range of the next step. */
typedef struct vsp_range {
    vsp_joint_id start, end; /* the first and the last joint of its chain */
    vsp_body_id body_a;      /* at the start: static, kinematic, or heavy */
    vsp_body_id body_b;      /* at the end: heavy */
    vsp_real low, high;      /* bounds of the distance between the anchor of
                                `start` on a and that of `end` on b, m */
    vsp_real distance;       /* at the present poses, m */
} vsp_range;

#if VSP_RANGES

/* Returns the number of ranges; 0 for null.  For tests and tools: it and
 * vsp_range_get find all ranges in memory that is free between steps. */
uint32_t vsp_range_count(vsp_world *world);

/* Writes range `index`, in the order of the slots of the joints at which ranges
 * end.  Returns VSP_ERR_ARG, also for an index of vsp_range_count or more. */
vsp_status vsp_range_get(vsp_world *world, uint32_t index, vsp_range *range);

#endif /* VSP_RANGES */


/* ---- Contacts --------------------------------------------------------------
 * The contacts that the last step solved: pairs, features and normals are those
 * of its beginning, positions and separations those of its end, impulses those
 * of the whole step.  Under VSP_STEPPER_SHOCK only `fraction` of the load on a
 * body acts on it, but contacts report the impulses of the whole load. Sleeping
 * bodies have no contacts here.  Contacts can be read until the next step, a
 * restore, a destruction, or a change of shapes, mass or pose. */

typedef struct vsp_contact_point {
    vsp_vec3 position;         /* m, world */
    vsp_real separation;       /* m along the normal; negative: overlap */
    vsp_real normal_impulse;   /* N s, along the normal on b */
    vsp_vec3 friction_impulse; /* N s, world axes, on b */
    uint32_t feature;          /* stays the same while the same parts touch */
} vsp_contact_point;

typedef struct vsp_contact {
    vsp_shape_id shape_a, shape_b;
    vsp_body_id body_a, body_b;
    vsp_vec3 normal;      /* of length 1, from a to b */
    uint32_t layer;       /* stack layer in which it was solved */
    uint32_t point_count; /* 1 to 4 */
    vsp_contact_point points[4];
    uint32_t material; /* number in the palette of a table; 0: the shape's
                          own */
} vsp_contact;

/* Returns the number of contacts; 0 for null. */
uint32_t vsp_contact_count(const vsp_world *world);

/* Writes the contact with this index, below vsp_contact_count.
 * Returns VSP_ERR_ARG. */
vsp_status vsp_contact_get(const vsp_world *world, uint32_t index,
                           vsp_contact *contact);


#if VSP_PAIR_RULES

/* Adds up the impulses of the last step of all contacts of two shapes: *normal,
 * N s, of those along the normals, and *vector, N s, world axes, of all of
 * them, with friction, on shape b.  Both are 0 if the shapes have no contacts;
 * either pointer may be null.
 * Returns VSP_ERR_ID; VSP_ERR_ARG for a world that is null. */
vsp_status vsp_pair_impulse(const vsp_world *world, vsp_shape_id a,
                            vsp_shape_id b, vsp_real *normal, vsp_vec3 *vector);

#endif /* VSP_PAIR_RULES */


/* ---- Height fields that change ---------------------------------------------
 * Optional: VSP_FIELD_EDITS.  A program can change the heights, and the
 * materials of cells, of a shape whose table is a height field: craters,
 * trenches, ruts.  The table stays as it is; a world stores tiles of 8 x 8
 * heights that differ from it, VSP_MAX_FIELD_TILES of them, of all its shapes.
 * They are state: snapshots, replays and rollback include them.  A tile that
 * becomes as in the table is free again.
 *
 * A call is for a rectangle of heights from (column, row) on, or of cells, row
 * by row; it reaches the field's edge at most.  Bodies near it wake.  Ground
 * that is raised into a body pushes it out slowly, as any overlap: raise ground
 * under bodies by some centimetres a step. */

#if VSP_FIELD_EDITS

#define VSP_MAX_FIELD_EDIT 64 /* numbers that one call can change */

/* Changes heights, in steps of the table, within 100 m, or VSP_HOLE; columns
 * times rows is 1 to VSP_MAX_FIELD_EDIT.
 * Returns VSP_ERR_ARG (also for a shape that is no height field), VSP_ERR_ID;
 * VSP_ERR_FULL if there are too few tiles, also if this call would free some;
 * VSP_ERR_OVERLAP if a shell's bounds are where ground would rise. */
vsp_status vsp_field_set_heights(vsp_world *world, vsp_shape_id shape,
                                 uint32_t column, uint32_t row,
                                 uint32_t columns, uint32_t rows,
                                 const int16_t *heights);

/* Changes materials of cells: numbers in the palette of the table, or 0, as in
 * vsp_table_materials.  Returns the statuses of vsp_field_set_heights;
 * VSP_ERR_ARG if the table has no materials. */
vsp_status vsp_field_set_materials(vsp_world *world, vsp_shape_id shape,
                                   uint32_t column, uint32_t row,
                                   uint32_t columns, uint32_t rows,
                                   const uint8_t *materials);

/* Copy the present heights or materials of a rectangle of any size to your
 * array.  Return VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_field_get_heights(const vsp_world *world, vsp_shape_id shape,
                                 uint32_t column, uint32_t row,
                                 uint32_t columns, uint32_t rows,
                                 int16_t *heights);
vsp_status vsp_field_get_materials(const vsp_world *world, vsp_shape_id shape,
                                   uint32_t column, uint32_t row,
                                   uint32_t columns, uint32_t rows,
                                   uint8_t *materials);

#endif /* VSP_FIELD_EDITS */


/* ---- Rules of pairs --------------------------------------------------------
 * Optional: VSP_PAIR_RULES.  A world has a table of VSP_MAX_PAIR_RULES rules,
 * which change how two shapes touch.  Rules are state: snapshots, replays and
 * rollback include them.
 *
 * A rule is for two shapes of different bodies if the category of one shares a
 * bit with rule.a, and that of the other with rule.b (vsp_filter.category).
 * Only the first such rule of the table counts, so a last rule with all bits in
 * a and b is for all other pairs.  In the comments below shape a is the one
 * that rule.a names; if rule.b names it, too, the shape with the lower slot, or
 * the half-space of the two.
 *
 * One way: shape b passes through shape a, except from the side to which the
 * y axis of shape a points.  There it lands and stands, as on any shape.  A
 * contact counts if its normal on b is within 60 degrees of this axis, and if
 * shape b stood there in the last step or was not deeper than the envelope one
 * step ago, as its present velocity tells.  So a body that rises through a
 * platform, or turns round inside it, falls out again below; bullets are caught
 * from above alone.  Each shape of a body is tested by itself.  Casts, rays and
 * overlaps find one-way shapes like all others, a character passes as bodies
 * do. A shell is never passed.
 *
 * Fractions of mass: an impulse between two dynamic bodies changes the velocity
 * of a as if a's inverse mass and inertia were multiplied by mass_a, and so for
 * b.  With mass_a = 0 it does not move a, as if a were infinitely heavy: then b
 * cannot carry a, which falls through it onto the ground (SHOCK holds it). Such
 * a pair does not conserve momentum.  Joints are not affected. */

#define VSP_PAIR_NO_CONTACT 1u /* no contacts; sensors still sense */
#define VSP_PAIR_ONE_WAY 2u

typedef struct vsp_pair_rule { /* start from vsp_pair_rule_default */
    uint32_t a, b;             /* categories; default 0: the rule is not used */
    uint32_t flags;            /* a sum of VSP_PAIR_... */
    vsp_real friction;    /* 0 to 100; -1, the default: of both materials */
    vsp_real restitution; /* 0 to 1; -1, the default: of both materials */
    vsp_real mass_a;      /* 0 to 1, default 1; one of the two must be 1 */
    vsp_real mass_b;
    vsp_real hit_speed; /* 0 to VSP_MAX_SPEED, m/s: report VSP_EVENT_HIT if they
                           approach as fast; default 0: never */
} vsp_pair_rule;

#if VSP_PAIR_RULES

/* Returns a rule that is not used. */
vsp_pair_rule vsp_pair_rule_default(void);

/* Sets the rule with this index, below VSP_MAX_PAIR_RULES, and wakes all
 * bodies.  Returns VSP_ERR_ARG. */
vsp_status vsp_world_set_pair_rule(vsp_world *world, uint32_t index,
                                   const vsp_pair_rule *rule);

/* Writes the rule with this index.  Returns VSP_ERR_ARG. */
vsp_status vsp_world_pair_rule(const vsp_world *world, uint32_t index,
                               vsp_pair_rule *rule);

#endif /* VSP_PAIR_RULES */


/* ---- Supports --------------------------------------------------------------
 * Optional: VSP_SUPPORTS.  Which bodies stay where they are by their supports
 * alone: Mueller, Chentanez, Macklin, Jeschke 2017, section 3.6.
 *
 * A contact supports a body if it pushes the body up, has an impulse, and does
 * not slide; and if the body below does not move, or is supported itself and
 * has the contact within the convex hull of its own supports, seen along
 * gravity.  A body is supported if its speed is below what gravity gives in a
 * step, and its centre of mass is within the hull of its supports.  So a body
 * needs three supports or more.  Never supported are balls, boxes on an edge,
 * bodies that hang on joints or rest on walls, belts, ice or moving platforms,
 * and bodies beyond the supports of the body below, as the upper boxes of a
 * stack that leans.
 *
 * Under PGS, def.enable_supports freezes supported bodies in the second half of
 * the sweeps of a step.  It is for comparison only: most inexact stacks drift
 * farther with it than without, and under CARRY they do not drift at all
 * (`build/vsp paper range`).
 */

#if VSP_SUPPORTS

/* Returns whether the contacts of the last step support a body; false for an id
 * that is not valid, for bodies that sleep or are not dynamic, and while
 * contacts cannot be read.  The first call after a step looks at all contacts,
 * and at the velocities then; not to be called by a function that a query
 * calls. */
bool vsp_body_is_supported(vsp_world *world, vsp_body_id id);

#endif /* VSP_SUPPORTS */


/* ---- Events ----------------------------------------------------------------
 * Optional: VSP_EVENTS.  Changes in the last step, as selected by
 * vsp_world_def.reports.  Events can be read until the next step.
 *
 * Two shapes touch while there is an impulse between them; the event BEGIN
 * comes in the step of the first impulse.  A shape is in a sensor if they
 * overlap at the beginning of a step and one of the two bodies is not static.
 * Sensors do not sense sensors.  The destruction of a shape makes no event.
 * Shapes of sleeping bodies continue to touch, without events.
 *
 * HIT comes in the step of an impact, whatever is reported: two shapes with a
 * rule (see "Rules of pairs") approached at its hit_speed or faster, and got an
 * impulse.  The speed is that before the step, of their fastest point that
 * closes its gap within the step.  An impact slower than the envelope over dt
 * may be told in two steps.
 *
 * Order: sensors; END of pairs that are no longer within the envelope; HIT by
 * pair; STOP by body; joints by slot; contacts by pair; SLEEP and WAKE when
 * they occur; then rigid joints that bend, rigid joints that break, and SPLIT,
 * each by slot. */

typedef enum vsp_event_type {
    VSP_EVENT_NONE = 0,
    VSP_EVENT_BEGIN = 1,   /* shapes a and b begin to touch */
    VSP_EVENT_PERSIST = 2, /* they touched in the step before, and still do */
    VSP_EVENT_END = 3,     /* they no longer touch */
    VSP_EVENT_ENTER = 4,   /* shape b enters sensor a */
    VSP_EVENT_LEAVE = 5,   /* shape b leaves sensor a */
    VSP_EVENT_SLEEP = 6,   /* body a falls asleep */
    VSP_EVENT_WAKE = 7,    /* body a wakes up in a step, not by a call */
    VSP_EVENT_LIMIT = 8,   /* a joint begins to push on a limit, or to bend */
    VSP_EVENT_BREAK = 9,   /* a joint breaks: it has no effect any more */
    VSP_EVENT_SPLIT = 10,  /* after a break, body a is in the union of body b */
    VSP_EVENT_STOP = 11,   /* body a does not move at all in this step, so that
                              shells do not cross */
    VSP_EVENT_HIT = 12     /* shapes a and b hit each other fast */
} vsp_event_type;

#define VSP_NO_CONTACT 0xfffffffful

typedef struct vsp_event {
    uint32_t type;    /* vsp_event_type */
    uint32_t contact; /* index for vsp_contact_get: the first contact of the
                         pair, of HIT the fastest one; VSP_NO_CONTACT if there
                         is none */
    vsp_shape_id shape_a, shape_b;
    vsp_body_id body_a, body_b;
    vsp_joint_id joint;      /* LIMIT, BREAK: the joint; else null */
    uint16_t user_a, user_b; /* user words of the shapes */
#if VSP_PAIR_RULES
    vsp_real speed; /* HIT: m/s; else 0 */
#endif
} vsp_event;

#if VSP_EVENTS

/* Returns the events of the last step, and their number in *count (count may
 * be null); null if the world is null. */
const vsp_event *vsp_world_events(const vsp_world *world, uint32_t *count);

/* Writes the shapes in a sensor as of the last step, at most capacity of them
 * (shapes may be null: it writes none).  Returns how many shapes are in the
 * sensor; 0 if the id names no sensor. */
uint32_t vsp_shape_sensed(const vsp_world *world, vsp_shape_id sensor,
                          vsp_shape_id *shapes, uint32_t capacity);

#endif /* VSP_EVENTS */


/* ---- Queries ---------------------------------------------------------------
 * Optional: VSP_QUERIES.  Rays, casts of moving solids, overlaps and the
 * nearest shape, in the world as it is now.  A query changes no state, contact
 * or hash.  The first query after a step or a change sorts all shapes again, in
 * scratch memory of the world, so two threads may not query a world at once.
 *
 * Results and their order depend on state and arguments alone: they are the
 * same after a restore and on every machine.
 *
 * A solid includes its surface and its inside.  Meshes and height fields are
 * hit from their front only, and have no inside.  A moving solid hits a
 * triangle if its centre starts in front of the triangle and moves towards it.
 * If it moves along the triangle, or away from it, it hits where it begins to
 * overlap the triangle by more than half a millimetre.  Signed distance fields
 * are as precise as their grid; distances from outside the grid are estimates.
 */

#if VSP_QUERIES

/* Which shapes a query finds.  Where a function takes a vsp_query, null finds
 * all shapes except sensors.  Get one from vsp_query_default; a vsp_query of
 * zeros finds nothing, as its mask is 0. */
typedef struct vsp_query {
    vsp_filter filter;  /* shapes that a shape with this filter would collide
                           with; default: category and mask 0xffffffff */
    bool find_sensors;  /* default false */
    vsp_body_id except; /* do not find this body; default null: none */
    const vsp_body_id *skip; /* more bodies that are not found, which must stay
                                in place during the query; default null */
    uint32_t skip_count;     /* of skip; default 0 */
} vsp_query;

/* Returns the defaults. */
vsp_query vsp_query_default(void);

typedef struct vsp_hit {
    vsp_shape_id shape; /* null: nothing was found, and fraction is 1 */
    vsp_body_id body;
    uint32_t user;     /* user word of the shape */
    uint32_t part;     /* mesh: triangle; height field: twice the cell, counted
                          row by row, plus 1 for its half at high x; else 0 */
    vsp_real fraction; /* of the displacement, 0 to 1 */
    vsp_real distance; /* m, along the displacement; vsp_closest_point: to the
                          surface, negative inside */
    vsp_vec3 point;    /* m, on the shape */
    vsp_vec3 normal;   /* of the shape at this point, outward, of length 1 */
} vsp_hit;

/* Your function, called for each hit.  It returns how to continue.  For a ray:
 * 1 (VSP_R(1.0)) continues, a smaller fraction shortens the ray to it,
 * hit->fraction continues with nearer hits only, 0 ends the query, a negative
 * number ignores the hit.  For other queries: 0 ends the query, anything else
 * continues.  It may read the world, and query it; if it changes the world, the
 * query ends with VSP_ERR_ARG. */
typedef vsp_real vsp_found(void *user, const vsp_hit *hit);

/* Finds the first shape that a point hits when it moves from origin (m) to
 * origin + way (m); way is a displacement, not a direction.  Of two hits at the
 * same fraction, the shape in the lower slot counts.  A solid that contains the
 * start is hit at fraction 0, with a normal against way.  The largest component
 * of way is 0.0001 to VSP_MAX_POSITION.
 * Returns VSP_ERR_ARG; *hit is then unchanged. */
vsp_status vsp_ray_cast(vsp_world *world, vsp_vec3 origin, vsp_vec3 way,
                        const vsp_query *query, vsp_hit *hit);

/* Finds all shapes that a ray hits, each at its first point, not sorted by
 * distance.  Returns VSP_ERR_ARG. */
vsp_status vsp_ray_cast_all(vsp_world *world, vsp_vec3 origin, vsp_vec3 way,
                            const vsp_query *query, vsp_found *found,
                            void *user);

/* Moves a sphere, box, capsule, tapered capsule, cylinder, cone or hull by way
 * (m) without rotating it, and finds the first shape to which it comes nearer
 * than half a millimetre.  A shape that it overlaps at the start is hit at
 * fraction 0, with a normal against way.  pose is the pose of the def's body,
 * to which def->pose is relative.  All numbers of the def must be valid; only
 * its pose, type, size and table are used.
 * Returns VSP_ERR_ARG; *hit is then unchanged. */
vsp_status vsp_shape_cast(vsp_world *world, const vsp_shape_def *def,
                          vsp_transform pose, vsp_vec3 way,
                          const vsp_query *query, vsp_hit *hit);

/* Optional: VSP_HIT_LISTS. */
#if VSP_HIT_LISTS

/* Find all shapes that a ray, or a solid as of vsp_shape_cast, hits on its way,
 * each at its first point, sorted by distance, then by slot.  Write the nearest
 * hits, at most `capacity` of them (hits may be null if it is 0); *count is how
 * many there are.  Return VSP_ERR_ARG; nothing is written then. */
vsp_status vsp_ray_cast_hits(vsp_world *world, vsp_vec3 origin, vsp_vec3 way,
                             const vsp_query *query, vsp_hit *hits,
                             uint32_t capacity, uint32_t *count);
vsp_status vsp_shape_cast_hits(vsp_world *world, const vsp_shape_def *def,
                               vsp_transform pose, vsp_vec3 way,
                               const vsp_query *query, vsp_hit *hits,
                               uint32_t capacity, uint32_t *count);

#endif /* VSP_HIT_LISTS */

/* Finds all shapes whose bounds overlap the box from low to high (m), along the
 * axes of the world, and half-spaces that overlap the box.  Only shape and body
 * of the hit are set.  Returns VSP_ERR_ARG. */
vsp_status vsp_overlap_aabb(vsp_world *world, vsp_vec3 low, vsp_vec3 high,
                            const vsp_query *query, vsp_found *found,
                            void *user);

/* Finds all shapes that a sphere, box, capsule, tapered capsule, cylinder, cone
 * or hull overlaps; def and pose as for vsp_shape_cast.  Only shape, body and
 * part (one of several overlapped parts) of the hit are set.  Returns
 * VSP_ERR_ARG. */
vsp_status vsp_overlap_shape(vsp_world *world, const vsp_shape_def *def,
                             vsp_transform pose, const vsp_query *query,
                             vsp_found *found, void *user);

/* Finds all solids that contain a point (m).  Point, normal and distance (0 or
 * negative) of a hit are those of the nearest point of its surface.  Returns
 * VSP_ERR_ARG. */
vsp_status vsp_point_inside(vsp_world *world, vsp_vec3 point,
                            const vsp_query *query, vsp_found *found,
                            void *user);

/* Finds the shape with the lowest distance to a point (m), if that is at most
 * max_distance (m, 0.0001 to VSP_MAX_POSITION).  Distances inside a shape are
 * negative.  In fixed point hulls, meshes, height fields and shells whose
 * origin is more than 620 m away are not found.  Returns VSP_ERR_ARG; *hit is
 * then unchanged. */
vsp_status vsp_closest_point(vsp_world *world, vsp_vec3 point,
                             vsp_real max_distance, const vsp_query *query,
                             vsp_hit *hit);

/* Finds the contacts of two different shapes at their present poses, as a step
 * would: where they are nearer than the envelope.  Filters, joints, sleep,
 * sensors and types of bodies do not matter, and both may be of one body.
 * Writes at most `capacity` of them (contacts may be null if it is 0), with
 * normals from a to b; layers and impulses are 0.  *count is how many there
 * are, 0 to 4.  Two surfaces, or a surface and a half-space, have none.  Of
 * tables with thousands of parts near the other shape some may be left out.
 * Returns VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp_contacts_between(vsp_world *world, vsp_shape_id a,
                                vsp_shape_id b, vsp_contact *contacts,
                                uint32_t capacity, uint32_t *count);

/* The nearest points of two shapes. */
typedef struct vsp_distance {
    vsp_real distance;   /* m; 0 if they overlap, but negative, the depth, if
                            one is a half-space */
    vsp_vec3 on_a, on_b; /* m, in the world; if two solids overlap, guesses */
    vsp_vec3 normal;     /* from a to b, of length 1; likewise */
} vsp_distance;

/* Measures the distance of two different shapes at their present poses: of
 * spheres, boxes, capsules, tapered capsules, cylinders, cones and hulls, or of
 * one of these and a half-space.
 * Returns VSP_ERR_ARG (also for other types, and in the fixed kind for shapes
 * whose positions are more than 620 m apart), VSP_ERR_ID. */
vsp_status vsp_distance_between(vsp_world *world, vsp_shape_id a,
                                vsp_shape_id b, vsp_distance *distance);

#endif /* VSP_QUERIES */


/* ---- Explosions ------------------------------------------------------------
 * Optional: VSP_EXPLOSIONS, which needs VSP_QUERIES. */

/* Get one from vsp_explosion_default. */
typedef struct vsp_explosion {
    vsp_vec3 center;   /* m; default 0 */
    vsp_real radius;   /* m, 0 to VSP_MAX_SIZE: up to this distance bodies get
                          the whole impulse; default 1 */
    vsp_real falloff;  /* m, 0 to VSP_MAX_SIZE: from there on the impulse falls
                          evenly to 0 over this distance; default 1 */
    vsp_real impulse;  /* N s, within VSP_MAX_FORCE; below 0 it pulls; default
                          0 */
    vsp_filter filter; /* pushes bodies with a shape that a shape with this
                          filter would collide with; default as vsp_query */
} vsp_explosion;

#if VSP_EXPLOSIONS

/* Returns the defaults. */
vsp_explosion vsp_explosion_default(void);

/* Pushes each dynamic body away from a point at once, and wakes it.  The
 * distance is that of the nearest point of its shapes that are not sensors; the
 * impulse acts there, along the line from the centre.  On a body that contains
 * the centre it acts at the centre of mass.  A body that would exceed
 * VSP_MAX_SPEED is left out.  Walls do not shield.  Measures each shape within
 * reach once.  count may be null; otherwise *count is how many bodies were
 * pushed.  Returns VSP_ERR_ARG. */
vsp_status vsp_world_explode(vsp_world *world, const vsp_explosion *explosion,
                             uint32_t *count);

#endif /* VSP_EXPLOSIONS */


/* ---- Characters ------------------------------------------------------------
 * Optional: VSP_CHARACTER.  A character is an upright capsule that a program
 * moves: it walks, climbs stairs, stands on slopes that are not too steep and
 * slides down the others, falls, jumps, slides along walls, rides on platforms
 * and turns with them, and pushes bodies in its way.
 *
 * Once a tick, after the step, a program moves the character, and then applies
 * the effects of the move to the world:
 *
 *     vsp_world_step(world);
 *     vsp_character_move(world, &hero, velocity);
 *     vsp_character_apply(world, &hero);
 *
 * A move is a query.  It changes only the vsp_character, which belongs to the
 * program and lists the pushes of the move, and nothing in the world.  So a
 * program may try a move, and undo it by a copy of the struct.  A recorder does
 * not record moves: vsp_record_character_apply makes ordinary calls.
 *
 * The struct has no pointers.  It is the whole state of a character: save it
 * with a snapshot of the world, or make it part of the words of a rollback, and
 * the same calls give the same bits again.  Each call checks the whole struct.
 *
 * A character may own a kinematic body, usually with a capsule of its size,
 * which its own moves ignore.  Other characters stop at this body, and bodies
 * bounce off it; without it, nothing in the world hits the character.  The body
 * follows the character one step later.
 *
 * A move makes three queries on open ground, and never more than 200. */

/* Get one from vsp_character_def_default, and change what you need. */
typedef struct vsp_character_def {
    uint32_t cookie;        /* set by vsp_character_def_default */
    vsp_body_id body;       /* its own body, or null (default); kinematic */
    vsp_filter filter;      /* it collides with the shapes that a shape with
                               this filter would, except sensors; default:
                               category and mask 0xffffffff */
    vsp_real radius;        /* m, of the capsule, 0.05 to 10; default 0.3 */
    vsp_real half_height;   /* m, without the caps, 0 to 10; default 0.6 */
    vsp_real skin;          /* m, its distance from obstacles, 0.005 to radius;
                               keep it above the world's envelope, so that its
                               body does not touch them; default 0.02 */
    vsp_real step_height;   /* m, highest step that it climbs, 0 to twice
                               half_height; default 0.3 */
    vsp_real slope;         /* cosine of the steepest slope on which it stands,
                               0.1 to 1; default 0.64: 50 degrees */
    vsp_real gravity_scale; /* -100 to 100: factor of the world's gravity when
                               it falls; default 1 */
    vsp_real push_force; /* N, 0 to VSP_MAX_FORCE: its largest push on a dynamic
                            body; default 500 */
    vsp_vec3 up;         /* of length 0.001 to 1000; default 0, 1, 0 */
} vsp_character_def;

/* A body that a move hit, and the impulse for it. */
typedef struct vsp_character_push {
    vsp_body_id body;
    vsp_vec3 impulse; /* N s; at most push_force times the world's dt, and at
                         most what gives the body the velocity that was asked
                         for the character */
    vsp_vec3 point;   /* m, in the world */
} vsp_character_push;

#define VSP_CHARACTER_PUSHES 4 /* most pushes of one move */

/* A character.  You may change def and velocity; to put it elsewhere, change
 * position and set is_grounded to 0. */
typedef struct vsp_character {
    vsp_character_def def;
    vsp_vec3 position;         /* m, centre of the capsule */
    vsp_vec3 velocity;         /* m/s, added to that of its moves: in the air
                                  the velocity of its fall; on the ground that
                                  of the ground, which it keeps when it leaves
                                  the ground */
    uint32_t is_grounded;      /* 1: it stands; else 0 */
    uint32_t is_crushed;       /* 1: it overlaps a shape and cannot get out;
                                  else 0 */
    vsp_body_id ground;        /* the body on which it stands; else null */
    vsp_transform ground_pose; /* pose of that body after the move */
    vsp_vec3 ground_place;     /* m, centre of the capsule in that pose */
    vsp_vec3 ground_normal;    /* of the ground, of length 1; in the air: up */
    vsp_real turn;             /* rad, about up: rotation of the ground in the
                                  last move */
    uint32_t push_count;       /* pushes of the last move */
    vsp_character_push pushes[VSP_CHARACTER_PUSHES];
} vsp_character;

#if VSP_CHARACTER

/* Returns the defaults. */
vsp_character_def vsp_character_def_default(void);

/* Makes a character in the air, at rest, with its centre at a position (m).
 * Returns VSP_ERR_ARG; *character is then unchanged. */
vsp_status vsp_character_place(const vsp_character_def *def, vsp_vec3 position,
                               vsp_character *character);

/* Moves a character for the time of one step, at a velocity (m/s, each
 * component within VSP_MAX_SPEED; its component along up is ignored; less than
 * 20 um in a step counts as 0), which on the ground is relative to the ground.
 * The character first moves with its ground, as far as that moved since the
 * last call, then out of shapes that overlap it, then by its velocity, up and
 * down with the ground, and falls if there is no ground. Returns VSP_ERR_ARG
 * (also if a number of *character is out of range, or its body is not
 * kinematic), VSP_ERR_ID if its body no longer exists; *character is then
 * unchanged. */
vsp_status vsp_character_move(vsp_world *world, vsp_character *character,
                              vsp_vec3 velocity);

/* Makes a character that stands leave the ground at a speed along up, m/s,
 * above 0, at most VSP_MAX_SPEED, in addition to the velocity of the ground.
 * Returns VSP_ERR_ARG (also if it does not stand); *character is then
 * unchanged. */
vsp_status vsp_character_jump(vsp_character *character, vsp_real speed);

/* Applies the last move to the world: applies the pushes, and sets the velocity
 * of the character's body so that the next step takes the body to the
 * character.  A push is left out if the pushed body no longer exists, or would
 * exceed VSP_MAX_SPEED.  Returns VSP_ERR_ARG, VSP_ERR_ID as
 * vsp_character_move. */
vsp_status vsp_character_apply(vsp_world *world,
                               const vsp_character *character);

#endif /* VSP_CHARACTER */


/* ---- Drawing ---------------------------------------------------------------
 * Optional: VSP_DRAW.  The world as lines and triangles, for a viewer: points
 * in m, colours as 0xRRGGBB.  Drawing changes nothing in the world.
 *
 * The parts, of which vsp_draw.parts is a sum:
 *
 *     SHAPES    the surfaces of shapes, as triangles.  Corners go
 *               anticlockwise seen from outside; those of shells have two
 *               sides.  A half-space is a square.  Of a signed distance field
 *               it is the surface that its grid describes.  Spheres,
 *               capsules, cylinders and cones have two shades, so that rolling
 *               can be seen.  Triangles and cells have colours of their
 *               materials.  Sensors are drawn as edges
 *     EDGES     edges of shapes, as lines; circles of round ones
 *     JOINTS    lines from the centres of mass to the anchors, limits, targets
 *               of motors, pitch circles of gears, ropes, and the joint's place
 *               between them; red in a step in which a limit had an impulse.
 *               Broken joints are not drawn
 *     CONTACTS  contact points as crosses, with their normals
 *     BOUNDS    the boxes of shapes that the broad phase tests
 *     FORCES    forces as lines: of contacts and joints in the last step, on
 *               body b, and those that the next step will apply; torques too
 *     LAYERS    bodies have the colour of their stack layer in the last step,
 *               from blue at the bottom to red; grey without one.  Under
 *               SUBSPACE layers are islands
 *     SLEEP     bodies that sleep are darker */

#define VSP_DRAW_SHAPES 1u
#define VSP_DRAW_EDGES 2u
#define VSP_DRAW_JOINTS 4u
#define VSP_DRAW_CONTACTS 8u
#define VSP_DRAW_BOUNDS 16u
#define VSP_DRAW_FORCES 32u
#define VSP_DRAW_LAYERS 64u
#define VSP_DRAW_SLEEP 128u
#define VSP_DRAW_ALL 255u

/* Start from all zero, and set functions and parts. */
typedef struct vsp_draw {
    /* Your functions; either may be null, and then nothing of its kind is
     * drawn.  They may not change the world. */
    void (*line)(void *user, vsp_vec3 a, vsp_vec3 b, uint32_t color);
    void (*triangle)(void *user, vsp_vec3 a, vsp_vec3 b, vsp_vec3 c,
                     uint32_t color);
    void *user;     /* yours, passed to both */
    uint32_t parts; /* a sum of VSP_DRAW_... */

    uint32_t segments; /* of a circle: 8 to 64, a multiple of 4; 0: 16 */
    uint32_t cells;    /* of a height field or distance field, at most: larger
                          grids are drawn coarser; 0: 16,384 */
    vsp_real size;     /* m, of crosses, normals and limits: 0.001 to 10; 0:
                          0.1 */
    vsp_real force;    /* m for each N, 0 to 1000; 0: 0.0001.  No line is longer
                          than 100 m */
    vsp_real plane;    /* m, half a side of the square of a half-space:
                          VSP_MIN_SIZE to VSP_MAX_SIZE; 0: 20 */
    vsp_vec3 focus;    /* m: the square is around the point nearest to this */
} vsp_draw;

#if VSP_DRAW

/* Draws parts of a world: shapes by slot, then joints by slot, then contacts.
 * The work is bounded by the counts of shapes, joints and contacts, the
 * triangles of tables, and `cells`.  Returns VSP_ERR_ARG, before anything is
 * drawn. */
vsp_status vsp_world_draw(const vsp_world *world, const vsp_draw *draw);

#endif /* VSP_DRAW */


/* ---- Snapshot, restore, hash -----------------------------------------------
 * Optional: VSP_SNAPSHOTS. */

#if VSP_SNAPSHOTS

/* Writes the whole state to a buffer.  *size is the number of bytes written:
 * VSP_SNAPSHOT_BYTES at most, and much less if bodies are similar or at rest
 * (SPEC.md, section 5).  The bytes are the same on every machine.
 * Returns VSP_ERR_ARG; VSP_ERR_MEMORY if the buffer is too small: *size is
 * then the size needed, and the contents of the buffer are undefined. */
vsp_status vsp_world_snapshot(const vsp_world *world, void *buffer,
                              size_t capacity, size_t *size);

/* Gives the world the state, all settings of the def but sweep_limit, and the
 * capacities of a snapshot: the same calls then give the same bits.  The
 * snapshot may come from another world, process or machine.  Returns
 * VSP_ERR_ARG; for bytes that are not a valid snapshot, VSP_ERR_TRUNCATED,
 * VSP_ERR_VERSION, VSP_ERR_CHECKSUM or VSP_ERR_DATA, also if it has more rules
 * of pairs or tiles of fields than this build can hold; VSP_ERR_FULL if it
 * needs larger capacities than this build has, or more sweeps than the world's
 * sweep_limit; VSP_ERR_TABLE if the world has other tables.  The world is then
 * unchanged. */
vsp_status vsp_world_restore(vsp_world *world, const void *buffer, size_t size);

/* Returns a hash of the state that a snapshot would hold; 0 for null.
 * Equal states have equal hashes on every machine. */
uint32_t vsp_world_hash(const vsp_world *world);

#endif /* VSP_SNAPSHOTS */


/* ---- Debugging ----------------------------------------------------------- */

#if VSP_SNAPSHOTS

/* Checks the state but for warm records and pairs in sensors: links, counts,
 * finite numbers, unit quaternions.
 * suspect may be null; otherwise *suspect is the first bad body, or null.
 * Optional: VSP_SNAPSHOTS.  Returns VSP_ERR_DATA, VSP_ERR_ARG. */
vsp_status vsp_world_validate(const vsp_world *world, vsp_body_id *suspect);

#endif /* VSP_SNAPSHOTS */

/* Returns the name of a status, such as "VSP_ERR_FULL". */
const char *vsp_status_name(vsp_status status);


/* ---- Replay ----------------------------------------------------------------
 * Optional: VSP_REPLAY.  A recorder records every call of a program that
 * changes its world, and the hash after every step, at 8 bytes a step.  A
 * player repeats these calls on any machine, and reports the step at which the
 * bits differ.  The bytes of a replay are the same on every machine; SPEC.md
 * defines them. */

#if VSP_REPLAY

#define VSP_REPLAY_FORMAT_VERSION 9u

/* Bytes of a replay in addition to its seed (a snapshot) and its records. */
#define VSP_REPLAY_BYTES (56ul + 12ul)

/* Where a recording goes: to a buffer that holds the whole replay, or to a
 * function that gets the bytes as they are made.  Start from all zero and set
 * what you need. */
typedef struct vsp_record_def {
    void *buffer;    /* null: write is used */
    size_t capacity; /* bytes of buffer */

    /* Null: buffer is used.  Returns whether the bytes were written. */
    bool (*write)(void *user, const void *bytes, size_t size);
    void *user; /* yours, passed to write */

    /* With write: memory for one snapshot. */
    void *scratch;
    size_t scratch_size; /* bytes; VSP_SNAPSHOT_BYTES always suffice */

    uint32_t keyframe_interval; /* steps from one stored state to the next; 0:
                                   none, so seeking starts from the seed */
} vsp_record_def;

/* A recorder.  Set world, and leave the other fields alone: the layout may
 * change.  A recorder that is all zero except for world is off: its calls act
 * on the world, and record nothing. */
typedef struct vsp_recorder {
    vsp_world *world; /* set it again when you move the world */
    vsp_record_def sink;
    size_t size;          /* bytes written */
    uint32_t step_count;  /* steps recorded */
    uint32_t hash;        /* of the world after the last recorded step */
    uint32_t table_count; /* tables of the world that are recorded */
    uint32_t checksum;
    const struct vsp_kept *claim; /* state, with its hash, to record as the
                                     result of steps: vsp_rollback_record */
    bool is_open;                 /* begun and not ended */
    bool is_fresh;                /* nothing was recorded since the hash */
    vsp_status status;
} vsp_recorder;

/* Begins a replay: writes its header and the present state, its seed.  A
 * replay holds the digest of the tables, not the tables; it records later
 * calls of vsp_world_add_table.  If the call is refused, the recorder is off.
 * Returns VSP_ERR_ARG; VSP_ERR_MEMORY if buffer or scratch is too small. */
vsp_status vsp_record_begin(vsp_recorder *recorder, vsp_world *world,
                            const vsp_record_def *def);

/* Steps the world and records the hash, and a keyframe when one is due.
 * Returns what vsp_world_step returns. */
vsp_status vsp_record_step(vsp_recorder *recorder);

/* Ends the replay and turns the recorder off.  size may be null; otherwise
 * *size is the number of bytes written.
 * Returns how the recording went, as vsp_record_status; VSP_ERR_ARG if the
 * recorder was not begun. */
vsp_status vsp_record_end(vsp_recorder *recorder, size_t *size);

/* Returns the status of the recording.
 * VSP_ERR_MEMORY: buffer or scratch was full, or write returned false.  Calls
 * still act on the world, but are no longer recorded; the part in a buffer can
 * be played after vsp_record_end.
 * VSP_DIVERGED: a call that bypassed the recorder changed the world after a
 * step, so the replay will differ from that step on.  (Such a call is not
 * noticed if a recorded call came between the step and it.) */
vsp_status vsp_record_status(const vsp_recorder *recorder);

/* The calls that change a world, with the recorder in place of the world.
 * Each function does and returns what the function without "record" does, and
 * records the call unless it is refused. */
vsp_status vsp_record_restore(vsp_recorder *recorder, const void *buffer,
                              size_t size);
vsp_status vsp_record_set_gravity(vsp_recorder *recorder, vsp_vec3 gravity);
#if VSP_MAX_RUNTIME_HULLS > 0
vsp_status vsp_record_hull_create(vsp_recorder *recorder,
                                  const vsp_vec3 *points, uint32_t count,
                                  uint32_t *table);
vsp_status vsp_record_hull_destroy(vsp_recorder *recorder, uint32_t table);
#endif
#if VSP_PAIR_RULES
vsp_status vsp_record_set_pair_rule(vsp_recorder *recorder, uint32_t index,
                                    const vsp_pair_rule *rule);
#endif
#if VSP_FIELD_EDITS
vsp_status vsp_record_field_set_heights(vsp_recorder *recorder,
                                        vsp_shape_id shape, uint32_t column,
                                        uint32_t row, uint32_t columns,
                                        uint32_t rows, const int16_t *heights);
vsp_status vsp_record_field_set_materials(vsp_recorder *recorder,
                                          vsp_shape_id shape, uint32_t column,
                                          uint32_t row, uint32_t columns,
                                          uint32_t rows,
                                          const uint8_t *materials);
#endif
vsp_status vsp_record_body_create(vsp_recorder *recorder,
                                  const vsp_body_def *def, vsp_body_id *id);
vsp_status vsp_record_body_destroy(vsp_recorder *recorder, vsp_body_id id);
vsp_status vsp_record_body_set_transform(vsp_recorder *recorder, vsp_body_id id,
                                         vsp_transform pose);
vsp_status vsp_record_body_set_velocity(vsp_recorder *recorder, vsp_body_id id,
                                        vsp_vec3 velocity, vsp_vec3 spin);
vsp_status vsp_record_body_set_mass(vsp_recorder *recorder, vsp_body_id id,
                                    vsp_real mass, vsp_vec3 center,
                                    vsp_vec3 inertia);
vsp_status vsp_record_body_set_damping(vsp_recorder *recorder, vsp_body_id id,
                                       vsp_real linear, vsp_real angular);
vsp_status vsp_record_body_set_gravity_scale(vsp_recorder *recorder,
                                             vsp_body_id id, vsp_real scale);
vsp_status vsp_record_body_set_max_speed(vsp_recorder *recorder, vsp_body_id id,
                                         vsp_real speed);
vsp_status vsp_record_body_set_locks(vsp_recorder *recorder, vsp_body_id id,
                                     uint32_t locks);
vsp_status vsp_record_body_set_bullet(vsp_recorder *recorder, vsp_body_id id,
                                      bool is_bullet);
vsp_status vsp_record_body_enable_sleep(vsp_recorder *recorder, vsp_body_id id,
                                        bool is_enabled);
vsp_status vsp_record_body_set_awake(vsp_recorder *recorder, vsp_body_id id,
                                     bool is_awake);
vsp_status vsp_record_body_set_user(vsp_recorder *recorder, vsp_body_id id,
                                    uint32_t user);
vsp_status vsp_record_body_apply_force(vsp_recorder *recorder, vsp_body_id id,
                                       vsp_vec3 force, vsp_vec3 point);
vsp_status vsp_record_body_apply_center_force(vsp_recorder *recorder,
                                              vsp_body_id id, vsp_vec3 force);
vsp_status vsp_record_body_apply_torque(vsp_recorder *recorder, vsp_body_id id,
                                        vsp_vec3 torque);
vsp_status vsp_record_body_apply_impulse(vsp_recorder *recorder, vsp_body_id id,
                                         vsp_vec3 impulse, vsp_vec3 point);
vsp_status vsp_record_body_apply_center_impulse(vsp_recorder *recorder,
                                                vsp_body_id id,
                                                vsp_vec3 impulse);
vsp_status vsp_record_body_apply_angular_impulse(vsp_recorder *recorder,
                                                 vsp_body_id id,
                                                 vsp_vec3 impulse);
vsp_status vsp_record_shape_create(vsp_recorder *recorder, vsp_body_id body,
                                   const vsp_shape_def *def, vsp_shape_id *id);
vsp_status vsp_record_shape_destroy(vsp_recorder *recorder, vsp_shape_id id);
vsp_status vsp_record_shape_set_material(vsp_recorder *recorder,
                                         vsp_shape_id id,
                                         vsp_material material);
vsp_status vsp_record_shape_set_filter(vsp_recorder *recorder, vsp_shape_id id,
                                       vsp_filter filter);
vsp_status vsp_record_shape_set_surface_velocity(vsp_recorder *recorder,
                                                 vsp_shape_id id,
                                                 vsp_vec3 velocity);
vsp_status vsp_record_shape_set_user(vsp_recorder *recorder, vsp_shape_id id,
                                     uint32_t user);
#if VSP_ROLLING
vsp_status vsp_record_shape_set_rolling_friction(vsp_recorder *recorder,
                                                 vsp_shape_id id,
                                                 vsp_real rolling,
                                                 vsp_real spinning);
#endif

#if VSP_EDITS

vsp_status vsp_record_body_set_type(vsp_recorder *recorder, vsp_body_id id,
                                    vsp_body_type type);
vsp_status vsp_record_body_enable(vsp_recorder *recorder, vsp_body_id id,
                                  bool is_enabled);
vsp_status vsp_record_body_set_linear_velocity(vsp_recorder *recorder,
                                               vsp_body_id id,
                                               vsp_vec3 velocity);
vsp_status vsp_record_body_set_spin(vsp_recorder *recorder, vsp_body_id id,
                                    vsp_vec3 spin);
vsp_status vsp_record_body_move_to(vsp_recorder *recorder, vsp_body_id id,
                                   vsp_transform pose, vsp_real dt);
vsp_status vsp_record_shape_set_pose(vsp_recorder *recorder, vsp_shape_id id,
                                     vsp_transform pose);
vsp_status vsp_record_shape_set_size(vsp_recorder *recorder, vsp_shape_id id,
                                     vsp_vec3 size);
vsp_status vsp_record_shape_set_density(vsp_recorder *recorder, vsp_shape_id id,
                                        vsp_real density);
vsp_status vsp_record_shape_set_sensor(vsp_recorder *recorder, vsp_shape_id id,
                                       bool is_sensor);
vsp_status vsp_record_shape_set_surface_spin(vsp_recorder *recorder,
                                             vsp_shape_id id, vsp_vec3 spin);

#endif /* VSP_EDITS */

#if VSP_JOINTS

vsp_status vsp_record_joint_create(vsp_recorder *recorder,
                                   const vsp_joint_def *def, vsp_joint_id *id);
vsp_status vsp_record_joint_destroy(vsp_recorder *recorder, vsp_joint_id id);
vsp_status vsp_record_joint_set_limit(vsp_recorder *recorder, vsp_joint_id id,
                                      bool enable, vsp_real low, vsp_real high);
vsp_status vsp_record_joint_set_cone(vsp_recorder *recorder, vsp_joint_id id,
                                     vsp_real cone);
vsp_status vsp_record_joint_set_motor(vsp_recorder *recorder, vsp_joint_id id,
                                      bool enable, vsp_real speed,
                                      vsp_real max);
vsp_status vsp_record_joint_set_spring(vsp_recorder *recorder, vsp_joint_id id,
                                       vsp_real hertz, vsp_real damping);
vsp_status vsp_record_joint_set_strength(vsp_recorder *recorder,
                                         vsp_joint_id id,
                                         vsp_real break_impulse,
                                         vsp_real break_turn);
#if VSP_DRIVES
vsp_status vsp_record_joint_set_drive(vsp_recorder *recorder, vsp_joint_id id,
                                      vsp_motor_mode mode, vsp_real hertz,
                                      vsp_real damping);
vsp_status vsp_record_joint_set_target(vsp_recorder *recorder, vsp_joint_id id,
                                       vsp_real target);
vsp_status vsp_record_joint_set_axes(vsp_recorder *recorder, vsp_joint_id id,
                                     uint32_t locked, uint32_t limited,
                                     uint32_t driven);
vsp_status vsp_record_joint_set_frame(vsp_recorder *recorder, vsp_joint_id id,
                                      vsp_quat rotation);
#endif
vsp_status vsp_record_joint_set_user(vsp_recorder *recorder, vsp_joint_id id,
                                     uint32_t user);

#endif /* VSP_JOINTS */

#if VSP_EXPLOSIONS

vsp_status vsp_record_explode(vsp_recorder *recorder,
                              const vsp_explosion *explosion);

#endif /* VSP_EXPLOSIONS */

#if VSP_CHARACTER

/* Does what vsp_character_apply does.  The recorder records ordinary calls:
 * impulses and a velocity. */
vsp_status vsp_record_character_apply(vsp_recorder *recorder,
                                      const vsp_character *character);

#endif /* VSP_CHARACTER */

/* A player.  Keep the bytes of the replay where they are while it is in use.
 * Read the fields, but do not write them: the layout may change. */
typedef struct vsp_player {
    vsp_world *world;
    const unsigned char *bytes;
    size_t at;            /* offset of the next record */
    uint32_t step;        /* steps played */
    uint32_t step_count;  /* steps in the replay */
    uint32_t table_count; /* tables that the world had when playing began */
    uint32_t expected;    /* hash after the last step, as recorded */
    uint32_t got;         /* hash after the last step, as played */
} vsp_player;

/* Checks a whole replay, then gives the world the state and the capacities with
 * which the recording began.  Before this call, add all tables that the
 * recorded world ever had, in the same order: while playing, the world has as
 * many of them as the recorded world had at the time.
 * This build needs at least the capacities of the recorded world's def, which
 * by default are those of the build that recorded: VSP_MAX_BODIES, _SHAPES,
 * _PAIRS, _MANIFOLDS, _CONTACTS, _SENSED and _JOINTS; and VSP_MAX_RUNTIME_HULLS
 * for the hulls that it has.
 * Returns VSP_ERR_ARG; VSP_ERR_VERSION if the bytes are not a replay of this
 * format, bits and kind; VSP_ERR_TRUNCATED, VSP_ERR_CHECKSUM, VSP_ERR_DATA,
 * also if it begins with more rules of pairs or tiles of fields than this build
 * can hold; VSP_ERR_FULL if this build lacks such a capacity, or the replay
 * needs more sweeps than the world's sweep_limit; VSP_ERR_TABLE for other
 * tables.  The world is then unchanged. */
vsp_status vsp_play_begin(vsp_player *player, vsp_world *world,
                          const void *bytes, size_t size);

/* Makes the recorded calls before the next step, and the step.
 * Returns VSP_DIVERGED if the hash or a new id differs from the recorded one
 * (you may continue; behind the last step `expected` is then equal to `got`);
 * VSP_END after the calls that follow the last step; VSP_ERR_DATA if
 * the world refuses a call, VSP_ERR_TABLE if it lacks a table that was added:
 * the player then stays before that call; VSP_ERR_ARG. */
vsp_status vsp_play_step(vsp_player *player);

/* Plays until this many steps have been played, 0 to step_count, starting from
 * the present step, a keyframe or the seed, whichever is nearest.  Checks every
 * step.  Returns VSP_ERR_ARG, and any status that vsp_play_step and
 * vsp_world_restore return: it stops at that step, and the same call
 * continues. */
vsp_status vsp_play_seek(vsp_player *player, uint32_t step);

/* The records of a replay: OP(name, words, reals), for tools that read its
 * bytes.  words: 32-bit words after the first one that are not reals (0 for
 * KEYFRAME and RESTORE, which hold a snapshot).  reals: numbers of one word in
 * the float kind; of two words, the low one first, in the fixed kind. Arguments
 * come in the order of the call, then the id of the created object. */
#define VSP_REPLAY_OPS(OP)                                  \
    OP(END, 2, 0)      /* steps in the file, checksum */    \
    OP(STEP, 1, 0)     /* hash after the step */            \
    OP(KEYFRAME, 0, 0) /* the state at this point */        \
    OP(RESTORE, 0, 0)                                       \
    OP(SET_GRAVITY, 0, 3)                                   \
    OP(BODY_CREATE, 16, 42) /* def with its shape's, id */  \
    OP(BODY_DESTROY, 1, 0)                                  \
    OP(BODY_SET_TRANSFORM, 1, 7)                            \
    OP(BODY_SET_VELOCITY, 1, 6)                             \
    OP(BODY_SET_MASS, 1, 7)                                 \
    OP(BODY_SET_DAMPING, 1, 2)                              \
    OP(BODY_SET_GRAVITY_SCALE, 1, 1)                        \
    OP(BODY_SET_MAX_SPEED, 1, 1)                            \
    OP(BODY_SET_LOCKS, 2, 0)                                \
    OP(BODY_SET_BULLET, 2, 0)                               \
    OP(BODY_ENABLE_SLEEP, 2, 0)                             \
    OP(BODY_SET_AWAKE, 2, 0)                                \
    OP(BODY_SET_USER, 2, 0)                                 \
    OP(BODY_APPLY_FORCE, 1, 6)                              \
    OP(BODY_APPLY_CENTER_FORCE, 1, 3)                       \
    OP(BODY_APPLY_TORQUE, 1, 3)                             \
    OP(BODY_APPLY_IMPULSE, 1, 6)                            \
    OP(BODY_APPLY_CENTER_IMPULSE, 1, 3)                     \
    OP(BODY_APPLY_ANGULAR_IMPULSE, 1, 3)                    \
    OP(SHAPE_CREATE, 11, 18) /* body, def, id */            \
    OP(SHAPE_DESTROY, 1, 0)                                 \
    OP(SHAPE_SET_MATERIAL, 3, 2)                            \
    OP(SHAPE_SET_FILTER, 4, 0)                              \
    OP(SHAPE_SET_SURFACE_VELOCITY, 1, 3)                    \
    OP(TABLES, 2, 0)         /* count, digest */            \
    OP(JOINT_CREATE, 16, 35) /* def, id */                  \
    OP(JOINT_DESTROY, 1, 0)                                 \
    OP(JOINT_SET_LIMIT, 2, 2)                               \
    OP(JOINT_SET_CONE, 1, 1)                                \
    OP(JOINT_SET_MOTOR, 2, 2)                               \
    OP(JOINT_SET_STRENGTH, 1, 2)                            \
    OP(JOINT_SET_USER, 2, 0)                                \
    OP(JOINT_SET_SPRING, 1, 2)                              \
    OP(JOINT_SET_DRIVE, 2, 2)                               \
    OP(JOINT_SET_TARGET, 1, 1)                              \
    OP(JOINT_SET_AXES, 4, 0)                                \
    OP(JOINT_SET_FRAME, 1, 4)                               \
    OP(BODY_SET_TYPE, 2, 0)                                 \
    OP(BODY_ENABLE, 2, 0)                                   \
    OP(BODY_SET_LINEAR_VELOCITY, 1, 3)                      \
    OP(BODY_SET_SPIN, 1, 3)                                 \
    OP(BODY_MOVE_TO, 1, 8)                                  \
    OP(SHAPE_SET_USER, 2, 0)                                \
    OP(SHAPE_SET_POSE, 1, 7)                                \
    OP(SHAPE_SET_SIZE, 1, 3)                                \
    OP(SHAPE_SET_DENSITY, 1, 1)                             \
    OP(SHAPE_SET_SENSOR, 2, 0)                              \
    OP(SHAPE_SET_SURFACE_SPIN, 1, 3)                        \
    OP(EXPLODE, 3, 6)       /* filter first */              \
    OP(SET_PAIR_RULE, 4, 5) /* index, a, b, flags first */  \
    OP(SHAPE_SET_ROLLING_FRICTION, 1, 2)                    \
    OP(HULL_CREATE, 2, 48) /* count, points, table */       \
    OP(HULL_DESTROY, 1, 0)                                  \
    OP(FIELD_SET_HEIGHTS, 37, 0)   /* two heights a word */ \
    OP(FIELD_SET_MATERIALS, 21, 0) /* four a word */

#define VSP__OP_NAME(name, words, reals) VSP_OP_##name,

/* The number of a record; VSP_OP_END is 1. */
typedef enum vsp_replay_op {
    VSP_OP_NONE = 0,
    VSP_REPLAY_OPS(VSP__OP_NAME) VSP_OP_COUNT
} vsp_replay_op;

#endif /* VSP_REPLAY */


/* ---- Differences -----------------------------------------------------------
 * Optional: VSP_DIFF.  For hosts rather than small machines: the names take
 * more bytes than the code. */

#if VSP_DIFF

/* One word of the state that differs between two worlds. */
typedef struct vsp_difference {
    const char *part;   /* "body", "shape", "joint", "world", "warm", "sensed",
                           "rule", "hull" or "tile" */
    uint32_t index;     /* slot, or index in the list of warm records */
    vsp_body_id body;   /* the body, or the body of the shape; else null */
    const char *field;  /* as in SPEC.md, "State" */
    uint32_t component; /* which word of the field: 0 is x */
    uint32_t component_count;
    uint32_t a, b;   /* bits in each world; 0 if a world has no such part */
    bool is_real;    /* whether the bits are those of a real number, not of an
                        integer */
    uint32_t places; /* binary places of a fixed-point number; 0 if its bits
                        are those of a binary32 */
} vsp_difference;

/* Names the differences between two worlds of one build: in bodies by slot,
 * shapes, joints, the world's own numbers, warm records, sensed pairs, rules of
 * pairs, runtime hulls, changed tiles of height fields, in this order.
 * Writes the first differences, at most capacity of them (differences may be
 * null if that is 0), and sets *count to the number of all.
 * Returns VSP_DIVERGED if there are any, VSP_ERR_ARG. */
vsp_status vsp_world_diff(const vsp_world *a, const vsp_world *b,
                          vsp_difference *differences, uint32_t capacity,
                          uint32_t *count);

#endif /* VSP_DIFF */


/* ---- Rollback --------------------------------------------------------------
 * Optional: VSP_ROLLBACK.  Several players, each on a machine of its own, send
 * each other only inputs, and every machine steps the same world.  An input
 * that has not arrived is guessed.  If it then arrives and differs from the
 * guess, the steps since then are undone and made again.  Steps are numbered
 * from 0: step s takes state s to state s + 1.
 *
 *     vsp_rollback_input(rollback, player, step, input);   as they arrive
 *     vsp_rollback_advance(rollback);                      once a tick
 *
 * The caller provides the memory, in which states are stored as snapshots.
 * Time and network are the task of "Lockstep" below.  During a match only the
 * step function may change world and game, and no table may be added.  A step
 * that is made again reports its events again. */

/* A stored state.  Its pointers are valid until the next call. */
typedef struct vsp_kept {
    uint32_t step;        /* the state is that before this step */
    uint32_t hash;        /* of world and game: equal on all machines */
    const void *bytes;    /* a snapshot */
    size_t size;          /* of the snapshot, bytes */
    const uint32_t *game; /* the program's own words */
} vsp_kept;

#if VSP_ROLLBACK

#define VSP_MAX_PLAYERS 8u
#define VSP_MAX_INPUT 16u /* most bytes of a player's input in a step */

/* One step to make. */
typedef struct vsp_turn {
    uint32_t step;
    uint32_t known; /* bit p: the input of player p is not guessed */
    bool is_again;  /* the step was made before and undone: play no sound
                       twice */
    const unsigned char *inputs; /* input_size bytes a player, in order */
} vsp_turn;

/* The rules of a match.  Start from all zero. */
typedef struct vsp_rollback_def {
    vsp_world *world;     /* in its state at the first step */
    uint32_t players;     /* 1 to VSP_MAX_PLAYERS */
    uint32_t input_size;  /* bytes, 1 to VSP_MAX_INPUT */
    uint32_t depth;       /* most steps made with guessed inputs; 0 to 1000 */
    uint32_t kept;        /* states to store, depth + 1 to 1001; those beyond
                             depth + 1 are for vsp_rollback_state */
    uint32_t history;     /* steps whose inputs are stored, 2 * kept to
                             100,000 */
    size_t snapshot_size; /* most bytes of a stored state; VSP_SNAPSHOT_BYTES
                             always suffice */
    uint32_t *game;       /* the program's own state, which is undone with the
                             world, hashed and sent; may be null */
    uint32_t game_words;  /* 0 to 65,535 */

    /* Acts on the inputs by calls with "record", then steps once, by
     * vsp_record_step.  It must depend on world, game, and the step and inputs
     * of turn alone, accept zeros as an input, and call no function of the
     * rollback.  Returns a status; a negative one ends the match. */
    vsp_status (*step)(void *user, vsp_recorder *recorder,
                       const vsp_turn *turn);
    /* Returns whether a player may send these bytes; null accepts all. */
    bool (*is_input)(void *user, uint32_t player, const unsigned char *input);
    void *user; /* yours, passed to both */
} vsp_rollback_def;

/* Bytes of memory for a match, which must be aligned like a world.  The
 * arguments are fields of the def; if they are constant, so is the result. */
#define VSP_ROLLBACK_BYTES(players, input_size, kept, history, snapshot_size, \
                           game_words)                                        \
    (VSP__ROLLBACK_HEAD_BYTES +                                               \
     (size_t)(kept) *                                                         \
         (VSP__SAVED_HEAD_BYTES + VSP__ROUND_UP((size_t)(snapshot_size)) +    \
          VSP__ROUND_UP(4u * (size_t)(game_words))) +                         \
     VSP__ROUND_UP(2u * (size_t)(history) * (players) * (input_size)))
#define VSP__ROUND_UP(bytes) (((bytes) + 15u) / 16u * 16u)
#define VSP__ROLLBACK_HEAD_BYTES 512ul
#define VSP__SAVED_HEAD_BYTES 16ul

typedef struct vsp_rollback vsp_rollback;

typedef struct vsp_rollback_stats {
    uint32_t step;           /* the next step to make */
    uint32_t confirmed;      /* states 0 to this one contain no guess */
    uint32_t rollback_count; /* times that steps were undone */
    uint32_t again_count;    /* steps made again, in all */
    uint32_t deepest;        /* most steps undone at once */
    uint32_t wait_count;     /* times that vsp_rollback_advance had to wait */
} vsp_rollback_stats;

/* Begins a match.  first_step: 0, or the step at which a late machine joins;
 * below 2^31.
 * Returns VSP_ERR_ARG, VSP_ERR_MEMORY.  *rollback is then null. */
vsp_status vsp_rollback_create(void *memory, size_t size,
                               const vsp_rollback_def *def, uint32_t first_step,
                               vsp_rollback **rollback);

/* Stores the received input (input_size bytes) of a player for a step.  Inputs
 * of a player must come in the order of steps; the same input again changes
 * nothing.
 * Returns VSP_ERR_ARG; VSP_ERR_DATA if another input of this step came before,
 * or is_input refuses it; VSP_ERR_FULL if it cannot be stored until older steps
 * are made; VSP_ERR_TRUNCATED if the input of an earlier step is missing;
 * VSP_END if the step is too old to be stored. */
vsp_status vsp_rollback_input(vsp_rollback *rollback, uint32_t player,
                              uint32_t step, const void *input);

/* Makes steps again from the first one with a wrong guess on, then makes one
 * more step.  An unknown input is guessed to be the player's last known one, or
 * zeros before the first.
 * Returns VSP_DEGRADED if the step function returned a positive status;
 * VSP_WAIT if no more steps may be guessed; VSP_END at step 2^31; VSP_ERR_ARG
 * for null.  Three errors end the match, leave world and game as before the
 * step that failed, and are returned again by later calls: a negative status of
 * the step function; VSP_ERR_MEMORY if a state does not fit snapshot_size;
 * VSP_ERR_DATA if the step function did not step exactly once. */
vsp_status vsp_rollback_advance(vsp_rollback *rollback);

/* Makes steps again as vsp_rollback_advance does, but no new step.  Returns the
 * statuses of vsp_rollback_advance. */
vsp_status vsp_rollback_settle(vsp_rollback *rollback);

/* Returns the statistics; all zero for null. */
vsp_rollback_stats vsp_rollback_get_stats(const vsp_rollback *rollback);

/* Returns the first step whose input of a player is not known; 0 for a player
 * that does not exist. */
uint32_t vsp_rollback_known(const vsp_rollback *rollback, uint32_t player);

/* Writes a known input, input_size bytes.  Returns VSP_ERR_ARG if it is not
 * known, VSP_END if it is no longer stored. */
vsp_status vsp_rollback_told(const vsp_rollback *rollback, uint32_t player,
                             uint32_t step, void *input);

/* Finds the stored state before a step.  The last `kept` states are stored, up
 * to that before stats.step, but none before the first step.  States after
 * stats.confirmed contain guesses.
 * Returns VSP_ERR_ARG, VSP_END if it is no longer stored. */
vsp_status vsp_rollback_state(vsp_rollback *rollback, uint32_t step,
                              vsp_kept *state);

/* Restarts the match from the state and step of another machine.  Forgets known
 * inputs, and the status that ended the match.  state->game has game_words of
 * the def; state->hash is ignored.
 * Returns VSP_ERR_ARG, VSP_ERR_MEMORY if the state does not fit snapshot_size,
 * and the statuses of vsp_world_restore: nothing is then changed. */
vsp_status vsp_rollback_load(vsp_rollback *rollback, const vsp_kept *state);

/* Writes a replay of a step from which two machines got different states.  Its
 * seed is the state before the step.  The replay contains the step twice, with
 * its calls: once with the state stored here as the recorded result, once with
 * theirs, the other machine's.  So on any machine at least one of the two steps
 * diverges, unless the states differ in game alone.  Both states are in the
 * replay as keyframes.
 * theirs is the state before step + 1; its hash and game are ignored.  World
 * and game are unchanged afterwards, except for the world's events and
 * contacts.
 * Returns VSP_ERR_ARG; VSP_END if the states are no longer stored; the statuses
 * of the step function, vsp_record_begin and vsp_record_end (VSP_DIVERGED: the
 * step function changes the world by calls without "record"); those of
 * vsp_world_restore for theirs. */
vsp_status vsp_rollback_record(vsp_rollback *rollback, uint32_t step,
                               const vsp_kept *theirs,
                               const vsp_record_def *def, size_t *size);

#endif /* VSP_ROLLBACK */


/* ---- Lockstep --------------------------------------------------------------
 * Optional: VSP_LOCKSTEP.  Messages between the peers of a match: inputs until
 * they are acknowledged, hashes of confirmed states, the state for a peer that
 * joins late, and, if hashes differ, the data to name the step, the body and
 * the field.  Messages may be lost, doubled or reordered.  The engine uses no
 * sockets: it reads and writes bytes.
 *
 *     while (my_line_receives(bytes, &size))
 *         vsp_lockstep_receive(lockstep, peer, bytes, size);
 *     vsp_lockstep_advance(lockstep, &input);        once a tick
 *     vsp_lockstep_send(lockstep, peer, bytes, sizeof bytes, &size);
 *     if (size > 0)
 *         my_line_sends(bytes, size);
 *
 * Every length and number of a message is checked before any of them is used.
 * A peer that breaks the rules is dropped, with a reason.  The match continues
 * without it until inputs of its player are missing: then connect it again, or
 * end the match.
 *
 * Messages are neither encrypted nor signed: anyone who can write to the line
 * can pretend to be a peer.  Any peer can end a match, by a wrong hash or by
 * silence, but not change it.  A relay is trusted: with inputs that a player
 * never made it can make others drop that player.  SPEC.md defines the
 * bytes. */

#if VSP_LOCKSTEP

#define VSP_LOCKSTEP_VERSION 1u
#define VSP_MAX_PEERS 8u
#define VSP_WATCHER 0xffffffffu /* in place of a player: sends no inputs */
#define VSP_MIN_MESSAGE 256u    /* bytes of a message that a line must carry */
#define VSP_MAX_MESSAGE 1200u   /* bytes of a message, at most */

/* Start from all zero.  All peers must have the same session, players,
 * input_size, game_words and hash_interval, and builds of the same versions and
 * kind of numbers. */
typedef struct vsp_lockstep_def {
    vsp_rollback_def rollback;
    uint32_t session; /* number of the match: messages of others are refused */
    uint32_t player;  /* the player on this machine, or VSP_WATCHER */
    uint32_t delay;   /* steps from a call of vsp_lockstep_advance to the step
                         in which its input acts; at most kept, and at most
                         history / 2 - kept; inputs before it are zeros */
    uint32_t hash_interval; /* steps from one compared hash to the next, 1 to
                               kept / 2.  With kept of at least 2 * depth +
                               delay + 2 * hash_interval, the first state that
                               differs is found; with less, it may be the oldest
                               stored one.  A difference that vanishes between
                               two hashes is not found */
    uint32_t peers;         /* other machines, 1 to VSP_MAX_PEERS */
    uint32_t patience;      /* ticks without a message until a peer is dropped;
                               0: never */
    bool is_late;     /* get the state from peer 0 first.  For a watcher, or
                         for a player who returns: its peer 0 must be a relay,
                         and all others must know exactly those of its old
                         inputs that peer 0 knows.  It must catch up before peer
                         0 makes history / 2 more steps.  The program's own
                         words are not checked: the step function must accept
                         any values there */
    vsp_world *spare; /* a world of the same build with the same tables, to
                         hold the other machine's state when hashes differ;
                         null: body and field remain unknown */
} vsp_lockstep_def;

/* Bytes of memory for a match, as VSP_ROLLBACK_BYTES. */
#define VSP_LOCKSTEP_BYTES(players, input_size, kept, history, snapshot_size, \
                           game_words)                                        \
    (VSP__LOCKSTEP_HEAD_BYTES +                                               \
     2u * (VSP__ROUND_UP((size_t)(snapshot_size)) +                           \
           VSP__ROUND_UP(4u * (size_t)(game_words))) +                        \
     VSP_ROLLBACK_BYTES(players, input_size, kept, history, snapshot_size,    \
                        game_words))
#define VSP__LOCKSTEP_HEAD_BYTES 4096ul

typedef struct vsp_lockstep vsp_lockstep;

typedef enum vsp_phase {
    VSP_PHASE_JOINING = 0, /* waits for the state */
    VSP_PHASE_PLAYING = 1,
    VSP_PHASE_SEARCHING = 2, /* hashes differ: searches the first such step, for
                                2,000 ticks at most */
    VSP_PHASE_DIVERGED = 3,  /* the search is over: see vsp_lockstep_desync */
    VSP_PHASE_OVER = 4       /* a step failed */
} vsp_phase;

/* Why a peer is dropped. */
typedef enum vsp_drop {
    VSP_DROP_NOT = 0,
    VSP_DROP_GARBAGE = 1,  /* too many byte strings that are not messages */
    VSP_DROP_LENGTH = 2,   /* a message whose lengths do not add up */
    VSP_DROP_VERSION = 3,  /* another protocol, version or kind of numbers */
    VSP_DROP_SESSION = 4,  /* another match, or other rules */
    VSP_DROP_RANGE = 5,    /* a number that is out of range */
    VSP_DROP_INPUT = 6,    /* an input that is_input refuses, one of a player
                              whose inputs the peer may not send, or one of ours
                              that we never made */
    VSP_DROP_CHANGED = 7,  /* an input that differs from the one received before
                              for this step */
    VSP_DROP_OLD = 8,      /* too many messages that were received already */
    VSP_DROP_FLOOD = 9,    /* too many messages a tick */
    VSP_DROP_STATE = 10,   /* a state that is not valid */
    VSP_DROP_SILENCE = 11, /* no message for patience ticks */
    VSP_DROP_LEFT = 12     /* vsp_lockstep_drop was called, here or there */
} vsp_drop;

typedef struct vsp_lockstep_stats {
    vsp_phase phase;
    vsp_status status; /* why the match is over */
    uint32_t dropped;  /* number of peers that are dropped now.  While inputs of
                          a dropped player are missing, vsp_lockstep_advance
                          returns VSP_WAIT */
    vsp_drop drop;     /* why the first of them was dropped; VSP_DROP_NOT if
                          none was */
    vsp_rollback_stats rollback;
    uint32_t tick_count;   /* calls of vsp_lockstep_advance */
    uint32_t wait_count;   /* calls that made no step, while playing */
    uint32_t longest_wait; /* most such calls in a row */
    uint32_t hash_count;   /* received hashes that were equal to ours */
} vsp_lockstep_stats;

typedef struct vsp_peer_stats {
    vsp_drop drop;
    uint32_t player;         /* its player, or VSP_WATCHER */
    uint32_t sent, received; /* messages sent, and valid ones received */
    uint32_t refused;        /* messages that are not valid */
    uint32_t again;          /* valid messages that came twice, or too late */
    uint32_t acknowledged;   /* the peer has our inputs before this step */
    uint32_t round_trip;     /* ticks, of the newest answer */
} vsp_peer_stats;

/* The first state that differs. */
typedef struct vsp_desync {
    uint32_t peer;
    uint32_t step;         /* the step that made it; 2^32 - 1: the worlds
                              differed at the beginning */
    uint32_t ours, theirs; /* hashes; 0 if the state was not available */
    uint32_t count;        /* words of state that differ; 0: unknown, or only
                              words of game differ */
    vsp_difference first;  /* if count is not 0; a is ours, b theirs */
    uint32_t game_word;    /* first word of game that differs; game_words if
                              none does */
} vsp_desync;

/* Begins a match.  Returns VSP_ERR_ARG (also if there is a delay and is_input
 * refuses zeros), VSP_ERR_MEMORY.  *lockstep is then null. */
vsp_status vsp_lockstep_create(void *memory, size_t size,
                               const vsp_lockstep_def *def,
                               vsp_lockstep **lockstep);

/* Opens the slot of a peer, below def.peers.  Opens it again after the peer was
 * dropped or its program was restarted; in the latter case wait until the line
 * can no longer deliver messages of the old program, which would look like
 * messages of the new one.
 * player: the player whose inputs it may send, or VSP_WATCHER.  is_relay: it
 * may also send inputs of other players, and is asked for them; peer 0 of a
 * watcher must be a relay.
 * Returns VSP_ERR_ARG. */
vsp_status vsp_lockstep_connect(vsp_lockstep *lockstep, uint32_t peer,
                                uint32_t player, bool is_relay);

/* Reads a message of a peer.  A message that was received already changes only
 * the peer's statistics.
 * Returns VSP_ERR_ARG; VSP_ERR_FULL if the peer is not connected, was dropped,
 * or is now dropped for a flood; VSP_ERR_TRUNCATED, VSP_ERR_VERSION,
 * VSP_ERR_CHECKSUM, VSP_ERR_DATA for a bad message, which changes only the
 * peer's statistics. */
vsp_status vsp_lockstep_receive(vsp_lockstep *lockstep, uint32_t peer,
                                const void *bytes, size_t size);

/* Writes the next message to a peer; *size is 0 if there is none.  Call it
 * once a tick for each peer, after vsp_lockstep_advance.
 * Returns VSP_ERR_ARG; VSP_ERR_MEMORY if capacity is below
 * VSP_MIN_MESSAGE. */
vsp_status vsp_lockstep_send(vsp_lockstep *lockstep, uint32_t peer, void *bytes,
                             size_t capacity, size_t *size);

/* Makes a step, if it can.  A watcher passes null as its input, and makes only
 * steps without guesses.  A watcher or a returned player that is behind makes
 * up to 4 steps at once.
 * Returns VSP_ERR_ARG (also for an input that is_input refuses); the statuses
 * of vsp_rollback_advance; VSP_WAIT if this tick made no step: the input of the
 * first such call is kept until a step is made; VSP_DIVERGED once hashes
 * differ: keep calling and sending until the phase is VSP_PHASE_DIVERGED, and
 * then for as long again, so that the other machine finds the difference,
 * too. */
vsp_status vsp_lockstep_advance(vsp_lockstep *lockstep, const void *input);

/* Drops a peer; the next messages to it report this.
 * Returns VSP_ERR_ARG (also if it is not connected). */
vsp_status vsp_lockstep_drop(vsp_lockstep *lockstep, uint32_t peer);

/* Returns the statistics of the match; all zero for null. */
vsp_lockstep_stats vsp_lockstep_get_stats(const vsp_lockstep *lockstep);

/* Returns the name of a reason, such as "VSP_DROP_VERSION". */
const char *vsp_drop_name(vsp_drop drop);

/* Returns the statistics of a peer; all zero if there is none. */
vsp_peer_stats vsp_lockstep_peer(const vsp_lockstep *lockstep, uint32_t peer);

/* Returns the rollback, to read inputs and states; null for null. */
vsp_rollback *vsp_lockstep_rollback(vsp_lockstep *lockstep);

/* Writes where the machines diverged.
 * Returns VSP_DIVERGED with *desync; VSP_OK if they have not diverged; VSP_WAIT
 * while the search is not over; VSP_ERR_ARG. */
vsp_status vsp_lockstep_desync(const vsp_lockstep *lockstep,
                               vsp_desync *desync);

/* Writes a replay of the step that differs, as vsp_rollback_record does.
 * Returns the statuses of vsp_rollback_record; VSP_ERR_ARG before
 * VSP_PHASE_DIVERGED; VSP_END if the other machine's state is not available. */
vsp_status vsp_lockstep_record(vsp_lockstep *lockstep,
                               const vsp_record_def *def, size_t *size);

#endif /* VSP_LOCKSTEP */


/* ---- Sizes in bytes --------------------------------------------------------
 * Of the names below a program needs only VSP_WORLD_BYTES, VSP_WORLD_ALIGN and
 * VSP_SNAPSHOT_BYTES.  Static assertions compare these sums with the real
 * layout. */

struct vsp__aligned {
    char first;
    union {
        uint32_t word;
        const void *address;
    } u;
};
#define VSP_WORLD_ALIGN offsetof(struct vsp__aligned, u)
#define VSP__UP4(n) (((n) + 3ul) / 4ul * 4ul)
#define VSP__UP8(n) (((n) + 7ul) / 8ul * 8ul)

/* The largest number of supports of one body that CARRY handles, in a world
 * with this capacity of contacts; a body with more is left to the sweeps. */
#define VSP__SUPPORTS_OF(contacts) \
    ((contacts) < 24 ? 8 : (contacts) < 192 ? (contacts) / 3 : 64)

/* Bytes of the fixed part (HEAD), and of each body, shape, manifold and contact
 * with its state and own scratch.  Phases of a step share the rest.  FIND, the
 * detection, shares memory with SOLVE, the bodies in a solve.  ROW, the
 * velocity problem, shares memory with the smaller position problem, with
 * INCOMING, the input of a restore, and with a copy of SOLVE. */
#define VSP__REDUCER_BYTES                                                 \
    (VSP__HAS_PARTS ? 2022ul + VSP_SCALES * 80ul + 12ul * sizeof(void *) + \
                          28ul * VSP_MATERIALS + 4ul * VSP__HAS_SEARCHES   \
                    : sizeof(void *))
#define VSP__HEAD_BYTES \
    (400ul + (VSP__HAS_CLOCK ? 20ul : 0ul) + 4ul * VSP_ROLLING)
#define VSP__BODY_STATE_BYTES (148ul + 4ul * VSP_FIXED)
#define VSP__BODY_BYTES (VSP__BODY_STATE_BYTES + 4ul + VSP_CCD * 16ul)
#define VSP__SHAPE_STATE_BYTES (88ul + 8ul * VSP_ROLLING)
#define VSP__MANIFOLD_BYTES (42ul + 4ul * VSP_MATERIALS)
#define VSP__CONTACT_BYTES 44ul
#define VSP__MAX_SUPPORTS VSP__SUPPORTS_OF(VSP_MAX_CONTACTS)
#define VSP__SUPPORT_BYTES (VSP__MAX_SUPPORTS * 56ul)
#define VSP__FIND_BYTES                                         \
    (148ul + VSP__HAS_SEARCHES * 8ul + VSP__TREE_SPARE * 24ul + \
     VSP_MAX_SHAPES * 108ul + VSP_MAX_PAIRS * 8ul)
#define VSP__SOLVE_BYTES                   \
    VSP__UP4(4ul + 3ul * VSP__LINK_BYTES + \
             VSP_MAX_BODIES *              \
                 (138ul + 4ul * VSP_FIXED + 3ul * VSP__LINK_BYTES))
#define VSP__BLOCK_BYTES (48ul + 4ul * VSP_FIXED)
#define VSP__ROW_BYTES \
    (VSP_MAX_MANIFOLDS * VSP__BLOCK_BYTES + VSP_MAX_CONTACTS * 116ul)
#define VSP__INCOMING_BYTES                                                   \
    (144ul + 4ul * VSP_FIELD_EDITS + VSP_MAX_BODIES * VSP__BODY_STATE_BYTES + \
     VSP_MAX_SHAPES * VSP__SHAPE_STATE_BYTES + VSP_MAX_CONTACTS * 16ul +      \
     VSP__HULL_BYTES)
#define VSP__EVENT_BYTES (32ul + VSP_PAIR_RULES * sizeof(vsp_real))
#define VSP__PAIR_RULE_BYTES \
    (VSP_PAIR_RULES ? 4ul + VSP_MAX_PAIR_RULES * 32ul : 0ul)
#define VSP__TILE_BYTES \
    (VSP_FIELD_EDITS ? 4ul + VSP_MAX_FIELD_TILES * 200ul : 0ul)
#define VSP__LINK_BYTES (VSP_MAX_MANIFOLDS <= 32767 ? 2ul : 4ul)
#define VSP__LARGER(a, b) ((a) > (b) ? (a) : (b))

/* Nodes that rounding up adds to the levels of the tree of shapes. */
#define VSP__TREE_SPARE \
    (VSP_MAX_SHAPES <= 8 ? 2ul : VSP_MAX_SHAPES <= 1024 ? 9ul : 16ul)

/* Behind struct vsp_world, in a build with joints: counts; the lists of the
 * joints of each body and of each layer; the state of each joint, its links in
 * these lists, and its rows of a step. */
#define VSP__JOINT_STATE_BYTES (144ul + 28ul * VSP_SHOCK)
#define VSP__JOINT_LINK_BYTES 6ul
#define VSP__JOINT_ROW_BYTES \
    (12ul + 7ul * 92ul + VSP_RANGES * (92ul + 64ul) + VSP_HINGE_LOOPS * 8ul)
#define VSP__HINGE_LOOP_BYTES \
    (VSP_HINGE_LOOPS *        \
     (4ul + VSP_MAX_JOINTS * 52ul + (VSP_MAX_JOINTS / 2ul + 1ul) * 116ul))
#define VSP__UNION_BYTES                                                  \
    (VSP_UNIONS * (20ul + VSP_MAX_BODIES * 48ul + VSP_MAX_SHAPES * 44ul + \
                   VSP_MAX_JOINTS * 60ul))
#define VSP__JOINT_BYTES                                                       \
    (VSP_JOINTS ? VSP__UP8(12ul + VSP__LINK_BYTES +                            \
                           VSP_MAX_BODIES * (2ul + VSP__LINK_BYTES) +          \
                           VSP__HINGE_LOOP_BYTES + VSP__UNION_BYTES +          \
                           VSP__RETAKES * VSP_MAX_JOINTS * 32ul +              \
                           VSP_RANGES * VSP_MAX_JOINTS * 12ul +                \
                           VSP_MAX_JOINTS *                                    \
                               (VSP__JOINT_STATE_BYTES +                       \
                                VSP__JOINT_LINK_BYTES + VSP__JOINT_ROW_BYTES)) \
                : 0ul)

/* Behind that, the scratch of SUBSPACE for each contact and joint, or the
 * smaller one of SHOCK for each contact. */
#define VSP__STEPPER_BYTES                                                 \
    (VSP_SUBSPACE ? VSP__UP8(VSP_MAX_CONTACTS * 37ul +                     \
                             VSP_MAX_JOINTS * (140ul + VSP_RANGES * 20ul)) \
     : VSP_SHOCK  ? VSP__UP8(VSP_MAX_CONTACTS * 12ul)                      \
                  : 0ul)

/* Behind that, the scratch of lanes, for each block of manifolds and each body.
 * There are enough blocks if half of all lanes are in use. */
#define VSP__LANE_BLOCKS (2ul * VSP_MAX_MANIFOLDS / VSP__LANE_COUNT + 1ul)
#define VSP__LANE_BYTES                                                 \
    (VSP__LANE_COUNT > 1                                                \
         ? VSP__UP8(26ul + VSP_MAX_BODIES * 2ul +                       \
                    VSP__LANE_BLOCKS * (534ul * VSP__LANE_COUNT + 6ul)) \
         : 0ul)

/* Behind that, the scratch of workers: levels of manifolds and bodies; the
 * supports of a body for each piece of a work, and changes of their
 * multipliers; touches of a batch of pairs. */
#define VSP__LEVELS 250ul
#define VSP__TOUCH_BATCH (VSP_MAX_PAIRS < 1024 ? VSP_MAX_PAIRS + 0ul : 1024ul)
#define VSP__TOUCH_BYTES (144ul + VSP_MATERIALS * 4ul + VSP__HAS_SEARCHES * 4ul)
#define VSP__WORKER_BYTES                                                 \
    (VSP_WORKERS                                                          \
         ? VSP__UP8(3ul * sizeof(void *) + 24ul + VSP__LEVELS * 4ul +     \
                    VSP_MAX_MANIFOLDS * 12ul + VSP_MAX_BODIES * 2ul +     \
                    64ul * VSP__SUPPORT_BYTES + VSP_MAX_CONTACTS * 12ul + \
                    VSP__TOUCH_BATCH * VSP__TOUCH_BYTES)                  \
         : 0ul)

/* Behind that, the state before a step that may be retaken; then the paths of
 * bodies, in a build with shells. */
#define VSP__RETAKES (VSP_UNIONS || VSP_SHELLS)
#define VSP__KEPT_BYTES                                                    \
    (VSP__RETAKES                                                          \
         ? VSP__UP8(8ul + VSP_MAX_CONTACTS * 16ul + VSP_MAX_SENSED * 4ul + \
                    VSP_MAX_BODIES * VSP__BODY_STATE_BYTES)                \
         : 0ul)
#define VSP__PATHS 4ul
#define VSP__SHELL_BYTES                                                 \
    (VSP_SHELLS                                                          \
         ? VSP__UP8(72ul +                                               \
                    VSP_MAX_BODIES * ((VSP__PATHS + 1ul) * 28ul + 4ul) + \
                    VSP_MAX_MANIFOLDS * 44ul + VSP_MAX_PAIRS * 8ul)      \
         : 0ul)

/* Behind that, which bodies are supported, by body and manifold. */
#define VSP__SUPPORTED_BYTES                                                   \
    (VSP_SUPPORTS ? VSP__UP8(532ul + VSP_MAX_BODIES * 3ul + VSP_MAX_MANIFOLDS) \
                  : 0ul)

/* Behind that, runtime hulls: a count; of each hull the table, and the arrays
 * of its vertices, planes, faces, corners and edges. */
#define VSP__RUNTIME_HULL_BYTES (sizeof(vsp_hull) + 960ul)
#define VSP__HULL_BYTES                                                    \
    (VSP_MAX_RUNTIME_HULLS > 0                                             \
         ? VSP__UP8(8ul + VSP_MAX_RUNTIME_HULLS * VSP__RUNTIME_HULL_BYTES) \
         : 0ul)

#define VSP__BEHIND_BYTES                                      \
    (VSP__JOINT_BYTES + VSP__STEPPER_BYTES + VSP__LANE_BYTES + \
     VSP__WORKER_BYTES + VSP__KEPT_BYTES + VSP__SHELL_BYTES +  \
     VSP__SUPPORTED_BYTES + VSP__HULL_BYTES)

#define VSP_WORLD_BYTES                                                     \
    (VSP__UP8(VSP__HEAD_BYTES + VSP_MAX_TABLES * sizeof(void *) +           \
              VSP_MAX_SENSED * 8ul + VSP_MAX_EVENTS * VSP__EVENT_BYTES +    \
              VSP__PAIR_RULE_BYTES + VSP__TILE_BYTES +                      \
              VSP_MAX_BODIES * VSP__BODY_BYTES +                            \
              VSP_MAX_SHAPES * VSP__SHAPE_STATE_BYTES +                     \
              VSP_MAX_MANIFOLDS * VSP__MANIFOLD_BYTES +                     \
              VSP_MAX_CONTACTS * VSP__CONTACT_BYTES +                       \
              VSP__LARGER(VSP__REDUCER_BYTES, VSP__SUPPORT_BYTES) +         \
              VSP__LARGER(VSP__FIND_BYTES, VSP__SOLVE_BYTES) +              \
              VSP__LARGER(VSP__ROW_BYTES, VSP__LARGER(VSP__INCOMING_BYTES,  \
                                                      VSP__SOLVE_BYTES))) + \
     VSP__BEHIND_BYTES)

#define VSP__SNAPSHOT_HEAD_BYTES 176ul
#define VSP_SNAPSHOT_BYTES                                                   \
    (VSP__SNAPSHOT_HEAD_BYTES + VSP_MAX_BODIES * (148ul + 4ul * VSP_FIXED) + \
     VSP_MAX_SHAPES * VSP__SHAPE_STATE_BYTES + VSP_MAX_CONTACTS * 16ul +     \
     VSP_MAX_SENSED * 4ul +                                                  \
     (VSP_JOINTS ? VSP_MAX_JOINTS * (VSP__JOINT_STATE_BYTES + 4ul) : 0ul) +  \
     (VSP_PAIR_RULES ? VSP_MAX_PAIR_RULES * 32ul : 0ul) +                    \
     VSP_MAX_RUNTIME_HULLS * (4ul + VSP_MAX_HULL_POINTS * 12ul) +            \
     (VSP_FIELD_EDITS ? VSP_MAX_FIELD_TILES * 200ul : 0ul))

/* Features of the build, a bit each, in two words. */
#define VSP__PARTS                                                             \
    (VSP_CAPSULES + VSP_HULLS * 2u + VSP_MESHES * 4u +                         \
     VSP_HEIGHT_FIELDS * 8u + VSP_SDFS * 16u + VSP_SLEEP * 32u +               \
     VSP_EVENTS * 64u + VSP_CCD * 128u + VSP_CARRY * 256u + VSP_SHOCK * 512u + \
     VSP_PYRAMID * 1024u + VSP_MERIT * 2048u + VSP_JOINTS * 4096u +            \
     VSP_SUBSPACE * 8192u + VSP_QUERIES * 0x4000ul +                           \
     VSP_SNAPSHOTS * 0x8000ul + VSP_DIFF * 0x10000ul +                         \
     VSP_REPLAY * 0x20000ul + VSP_ROLLBACK * 0x40000ul +                       \
     VSP_LOCKSTEP * 0x80000ul + VSP__HAS_CLOCK * 0x100000ul +                  \
     VSP_CHARACTER * 0x200000ul + VSP_RANGES * 0x400000ul +                    \
     VSP_HINGE_LOOPS * 0x800000ul + VSP_UNIONS * 0x1000000ul +                 \
     VSP_SUPPORTS * 0x2000000ul + VSP_SHELLS * 0x4000000ul +                   \
     VSP_DRAW * 0x8000000ul + VSP_MATH * 0x10000000ul +                        \
     VSP_EDITS * 0x20000000ul + VSP_EXPLOSIONS * 0x40000000ul +                \
     VSP_HIT_LISTS * 0x80000000ul)
#define VSP__MORE_PARTS                                                   \
    (VSP_DRIVES + VSP_PAIR_RULES * 2u + VSP_SEAMS * 4u + VSP_LOCKS * 8u + \
     VSP_BELTS * 16u + VSP_GEARS * 32u + VSP_ROLLING * 64u +              \
     VSP_ROUNDS * 128u + VSP_MATERIALS * 256u + VSP_FIELD_EDITS * 512u +  \
     VSP_SCALES * 1024u + VSP_TAPERS * 4096u + VSP_WORKERS * 8192u)

/* A hash of the options, and of how a compiler lays out structures, to compare
 * header and library. */
#define VSP_OPTIONS                                                            \
    ((uint32_t)((VSP_MAX_BODIES * 2654435761ul ^ VSP_MAX_SHAPES * 40503ul ^    \
                 VSP_MAX_PAIRS * 2246822519ul ^                                \
                 VSP_MAX_MANIFOLDS * 3266489917ul ^                            \
                 VSP_MAX_CONTACTS * 668265263ul ^ VSP_MAX_TABLES * 2750159ul ^ \
                 VSP_MAX_EVENTS * 3628273133ul ^                               \
                 VSP_MAX_SENSED * 951274213ul ^                                \
                 VSP_MAX_JOINTS * 3812015801ul ^ VSP__PARTS * 1540483477ul ^   \
                 VSP__MORE_PARTS * 2654435789ul ^                              \
                 VSP_MAX_PAIR_RULES * 2869860233ul ^                           \
                 VSP_MAX_RUNTIME_HULLS * 1610612741ul ^                        \
                 VSP_MAX_FIELD_TILES * 1597334677ul ^                          \
                 VSP__LANE_COUNT * 2246822507ul ^ VSP_FIXED * 374761393ul ^    \
                 sizeof(vsp_body_def) * 3339675911ul ^ VSP_VERSION) &          \
                0xfffffffful))

#define VSP__COOKIE(kind) (0x56535000u + (uint32_t)(kind))

/* Not a function of the library: each file adds its own options. */
static inline vsp_world_def vsp__world_def_here(void)
{
    vsp_world_def def;

    def.cookie = VSP__COOKIE(1);
    def.options = VSP_OPTIONS;
    def.gravity.x = VSP_R(0.0);
    def.gravity.y = VSP_R(-9.81);
    def.gravity.z = VSP_R(0.0);
    def.dt = VSP_R(1.0 / 60.0);
    def.stepper = VSP_CARRY ? VSP_STEPPER_CARRY : VSP_STEPPER_PGS;
    def.friction = VSP_FRICTION_CONE;
    def.enable_warm_start = true;
    def.envelope = VSP_R(0.01);
    def.tolerance = VSP_R(0.0001);
    def.sweeps = 20;
    def.correction_sweeps = 5;
    def.fraction = VSP_R(0.00125);
    def.subspace.rounds = 3;
    def.subspace.tries = 2;
    def.subspace.steps = 60;
    def.subspace.search = 0;
    def.subspace.friction_damping = VSP_R(0.0);
    def.enable_sleep = VSP_SLEEP != 0;
    def.sleep_speed = VSP_R(0.005);
    def.sleep_time = VSP_R(0.5);
    def.enable_continuous = VSP_CCD != 0;
    def.enable_ranges = true;
    def.enable_hinge_loops = true;
    def.enable_seams = true;
    def.enable_supports = false;
    def.reports = 0;
    def.capacity.bodies = VSP_MAX_BODIES;
    def.capacity.shapes = VSP_MAX_SHAPES;
    def.capacity.pairs = VSP_MAX_PAIRS;
    def.capacity.manifolds = VSP_MAX_MANIFOLDS;
    def.capacity.contacts = VSP_MAX_CONTACTS;
    def.capacity.sensed = VSP_MAX_SENSED;
    def.capacity.joints = VSP_JOINTS ? VSP_MAX_JOINTS : 0;
    def.sweep_limit = 1000;
    return def;
}

#define vsp_world_def_default() vsp__world_def_here()

#ifdef __cplusplus
}
#endif

#ifdef VSP_IMPLEMENTATION
#error "not the single header, which make dist writes to build/dist/single"
#endif

#endif /* VSP_H */
