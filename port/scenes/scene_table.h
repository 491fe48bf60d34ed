/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The parts of the table of scenes that come from other files than boxes.c. */

#ifndef SCENE_TABLE_H
#define SCENE_TABLE_H

#include "scene.h"

/* micro.c: two bodies, in numbers that a float represents exactly */
void build_land(scene_run *run);
void build_hop(scene_run *run);

/* clang-format off */
#define MICRO_SCENES                                                       \
    {"land", "a tilted box lands on the floor", 0.015625, 60, 0.0, false,  \
     false, build_land, NULL, false},                                      \
    {"hop", "a ball hops along the floor; number: restitution", 0.015625,  \
     60, 0.5, false, false, build_hop, NULL, false}
/* clang-format on */

/* random_calls.c: random calls */
void build_calls(scene_run *run);
void drive_calls(scene_run *run, uint32_t step);

/* shapes.c: scenes for builds with all of these parts */
#define SCENES_SHAPES                                            \
    (!SCENES_MICRO && VSP_CAPSULES && VSP_HULLS && VSP_MESHES && \
     VSP_HEIGHT_FIELDS && VSP_SDFS && VSP_EVENTS && VSP_CCD &&   \
     VSP_MAX_TABLES >= 8)

void build_bin(scene_run *run);
void build_marbles(scene_run *run);
void build_hills(scene_run *run);
void build_animals(scene_run *run);
void build_letters(scene_run *run);
void build_bullets(scene_run *run);
void build_belt(scene_run *run);
void build_sensor(scene_run *run);

/* clang-format off */
#if SCENES_SHAPES
#define SHAPE_SCENES                                                       \
    {"bin", "capsules, hulls, compounds fall in; number: how many",        \
     1.0 / 60.0, 600, 500.0, false, false, build_bin, NULL, false},        \
    {"marbles", "down a chute with bends; number: how many", 1.0 / 60.0,   \
     600, 24.0, false, false, build_marbles, NULL, false},                 \
    {"hills", "a car on hills; number: boxes in its way", 1.0 / 60.0,      \
     600, 12.0, false, false, build_hills, NULL, false},                   \
    {"animals", "fall from up to 11 m; number: how many", 1.0 / 60.0,      \
     600, 250.0, false, false, build_animals, NULL, false},                \
    {"letters", "balls on a slope with letters; number: how many",         \
     1.0 / 60.0, 600, 1000.0, false, false, build_letters, NULL, false},   \
    {"bullets", "at a wall 0.1 m thick; number: how many", 0.01,           \
     200, 1000.0, false, false, build_bullets, NULL, false},               \
    {"belt", "a belt takes what lies on it to its end", 0.01, 500, 0.0,    \
     false, false, build_belt, NULL, false},                               \
    {"sensor", "three bodies fall through a sensor", 0.01, 200, 0.0,       \
     false, false, build_sensor, NULL, false},
#else
#define SHAPE_SCENES
#endif
/* clang-format on */

/* masonry.c */
#define SCENES_MASONRY (!SCENES_MICRO && VSP_HULLS && VSP_MAX_BODIES >= 128)

void build_kapla(scene_run *run);
void build_course(scene_run *run);
void build_arch_9(scene_run *run);
void build_arch_11(scene_run *run);
void build_arch_15(scene_run *run);

/* clang-format off */
#if SCENES_MASONRY
#define MASONRY_SCENES                                                     \
    {"kapla", "a tower of two sorts of blocks; number: floors", 0.01,      \
     6000, 6.0, true, false, build_kapla, NULL, false},                    \
    {"course", "of two bricks; number: rows", 0.01, 1000, 20.0, true,      \
     false, build_course, NULL, false},                                    \
    {"arch-9", "of 9 blocks; number: thickness, 1 is critical", 0.01,      \
     6000, 1.2, true, false, build_arch_9, NULL, false},                   \
    {"arch-11", "of 11 blocks; number: thickness, 1 is critical", 0.01,    \
     6000, 1.2, true, false, build_arch_11, NULL, false},                  \
    {"arch-15", "of 15 blocks; number: thickness, 1 is critical", 0.01,    \
     6000, 1.2, true, false, build_arch_15, NULL, false},
#else
#define MASONRY_SCENES
#endif
/* clang-format on */

/* joints.c */
#define SCENES_JOINTS \
    (!SCENES_MICRO && VSP_JOINTS && VSP_CAPSULES && VSP_MAX_BODIES >= 32)

void build_chain(scene_run *run);
void build_whip(scene_run *run);
void build_weight(scene_run *run);
void build_loads(scene_run *run);
void build_ring(scene_run *run);
void build_ropes(scene_run *run);
void build_hooks(scene_run *run);
void build_beam(scene_run *run);
void build_bridge(scene_run *run);
void build_rope_bridge(scene_run *run);
void build_cable_car(scene_run *run);
void build_crossbow(scene_run *run);
void drive_crossbow(scene_run *run, uint32_t step);
void build_door(scene_run *run);
void build_car(scene_run *run);
void build_mill(scene_run *run);
void build_hoist(scene_run *run);
void build_ragdoll(scene_run *run);
void build_ragdolls(scene_run *run);

/* clang-format off */
#if SCENES_JOINTS
#define JOINT_SCENES                                                       \
    {"chain", "held at one end; number: links", 0.01, 1000, 30.0, false,   \
     false, build_chain, NULL, false},                                     \
    {"whip", "a chain that begins level; number: links", 0.01, 1000, 30.0, \
     false, false, build_whip, NULL, false},                               \
    {"weight", "on 20 links; number: mass ratio", 0.01, 1000, 1000.0,      \
     false, false, build_weight, NULL, false},                             \
    {"loads", "two on light links; number: mass ratio", 0.01, 500, 300.0,  \
     false, false, build_loads, NULL, false},                              \
    {"ring", "of hinges, held level by one link; number: links", 0.01, 500, \
     132.0, false, false, build_ring, NULL, false},                        \
    {"ropes", "balls on ropes and rods", 0.01, 500, 0.0, false, false,     \
     build_ropes, NULL, false},                                            \
    {"hooks", "hold 100 to 400 kg; number: strength in kg", 0.01, 200,     \
     250.0, false, false, build_hooks, NULL, SCENE_SLEEPY},                \
    {"beam", "off a wall; number: boxes", 0.01, 500, 5.0, true, false,     \
     build_beam, NULL, false},                                             \
    {"bridge", "four crates on planks; number: planks", 0.01, 600, 40.0,   \
     false, false, build_bridge, NULL, false},                             \
    {"rope-bridge", "two cables with planks; number: links", 0.01, 600,    \
     80.0, false, false, build_rope_bridge, NULL, false},                  \
    {"cable-car", "between two anchors; number: mass ratio", 0.01, 500,    \
     1000.0, false, false, build_cable_car, NULL, false},                  \
    {"crossbow", "shoots at a crate; number: its springs in Hz", 0.002, 400, \
     20.0, false, false, build_crossbow, drive_crossbow, false},           \
    {"door", "hit by a ball; number: its speed", 0.01, 300, 10.0, false,   \
     false, build_door, NULL, false},                                      \
    {"car", "drives over bumps; number: how many", 0.01, 600, 6.0, false,  \
     false, build_car, NULL, false},                                       \
    {"mill", "throws what falls on it; number: balls", 0.01, 400, 6.0,     \
     false, false, build_mill, NULL, false},                               \
    {"hoist", "driven up with 15 kN; number: load in kg", 0.01, 400,       \
     500.0, false, false, build_hoist, NULL, false},                       \
    {"ragdoll", "falls down a step", 0.01, 400, 0.0, false, false,         \
     build_ragdoll, NULL, false},                                          \
    {"ragdolls", "in a pile; number: how many", 0.01, 600, 10.0, false,    \
     false, build_ragdolls, NULL, false},
#else
#define JOINT_SCENES
#endif
/* clang-format on */

/* shapes.c: a car with wheels on springs */
#define SCENES_RALLY (SCENES_SHAPES && SCENES_JOINTS && VSP_DRIVES)

void build_rally(scene_run *run);
void drive_rally(scene_run *run, uint32_t step);

/* clang-format off */
#if SCENES_RALLY
#define RALLY_SCENES                                                       \
    {"rally", "a car with suspension on hills; number: step to brake at",  \
     1.0 / 60.0, 400, 270.0, false, false, build_rally, drive_rally, false},
#else
#define RALLY_SCENES
#endif
/* clang-format on */

/* gears.c: a clockwork */
#define SCENES_GEARS (SCENES_JOINTS && VSP_GEARS)

void build_clockwork(scene_run *run);

/* clang-format off */
#if SCENES_GEARS
#define GEAR_SCENES                                                        \
    {"clockwork", "a weight lifts a rack, which turns gears; number: its kg", \
     0.01, 300, 40.0, false, false, build_clockwork, NULL, false},
#else
#define GEAR_SCENES
#endif
/* clang-format on */

/* drums.c: cylinders and cones */
#define SCENES_DRUMS \
    (!SCENES_MICRO && VSP_ROUNDS && VSP_CAPSULES && VSP_MAX_BODIES >= 32)

void build_drums(scene_run *run);

/* clang-format off */
#if SCENES_DRUMS
#define DRUM_SCENES                                                        \
    {"drums", "cylinders and cones; number: those in a stack", 0.01, 300, \
     4.0, false, false, build_drums, NULL, false},
#else
#define DRUM_SCENES
#endif
/* clang-format on */

/* clubs.c: tapered capsules */
#define SCENES_CLUBS \
    (!SCENES_MICRO && VSP_TAPERS && VSP_CAPSULES && VSP_MAX_BODIES >= 32)

void build_clubs(scene_run *run);

/* clang-format off */
#if SCENES_CLUBS
#define CLUB_SCENES                                                        \
    {"clubs", "tapered capsules; number: those in a heap", 0.01, 300, 12.0, \
     false, false, build_clubs, NULL, false},
#else
#define CLUB_SCENES
#endif
/* clang-format on */

/* rocks.c: runtime hulls */
#define SCENES_ROCKS (!SCENES_MICRO && VSP_MAX_RUNTIME_HULLS >= 6)

void build_rocks(scene_run *run);

/* clang-format off */
#if SCENES_ROCKS
#define ROCK_SCENES                                                        \
    {"rocks", "hulls of random points fall; number: how many", 1.0 / 60.0, \
     300, 12.0, false, false, build_rocks, NULL, false},
#else
#define ROCK_SCENES
#endif
/* clang-format on */

/* mirrors.c: scaled tables */
#define SCENES_MIRRORS (SCENES_SHAPES && VSP_SCALES)

void build_mirrors(scene_run *run);
void build_gems(scene_run *run);

/* clang-format off */
#if SCENES_MIRRORS
#define MIRROR_SCENES                                                      \
    {"mirrors", "roofs and hills that are scaled; number: what falls",     \
     1.0 / 60.0, 300, 16.0, false, false, build_mirrors, NULL, false},     \
    {"gems", "hulls that are scaled and mirrored; number: how many",       \
     1.0 / 60.0, 300, 15.0, false, false, build_gems, NULL, false},
#else
#define MIRROR_SCENES
#endif
/* clang-format on */

/* unions.c */
#define SCENES_UNIONS (SCENES_JOINTS && VSP_UNIONS)

void build_cube(scene_run *run);
void build_girder(scene_run *run);
void drive_girder(scene_run *run, uint32_t step);
void build_truss(scene_run *run);
void build_crane(scene_run *run);

/* clang-format off */
#if SCENES_UNIONS
#define UNION_SCENES                                                       \
    {"cube", "of boxes that hold together, falls; number: boxes of an edge", \
     0.01, 300, 5.0, false, false, build_cube, NULL, false},               \
    {"girder", "bends and breaks under a force; number: boxes", 0.01, 400, \
     12.0, false, false, build_girder, drive_girder, false},               \
    {"truss", "under a load; number: its mass in kg", 0.01, 400, 6000.0,   \
     false, false, build_truss, NULL, false},                              \
    {"crane", "with too large a load; number: its mass in kg", 0.01, 400,  \
     2000.0, false, false, build_crane, NULL, false},
#else
#define UNION_SCENES
#endif
/* clang-format on */

/* silcowitz_2010.c: scenes of the paper on PGS with subspace minimisation */
#define SCENES_PAPER (SCENES_JOINTS && VSP_MAX_BODIES >= 128)

void build_snake(scene_run *run);
void build_snake_heavy(scene_run *run);
void build_stack(scene_run *run);
void build_heavy_on_small(scene_run *run);
void build_incline(scene_run *run);
void build_gears(scene_run *run);
void build_leaning(scene_run *run);

/* clang-format off */
#if SCENES_PAPER
#define PAPER_SCENES                                                       \
    {"snake", "an arch of boxes that hinges hold; number: boxes", 0.01,    \
     500, 15.0, true, false, build_snake, NULL, false},                    \
    {"snake-heavy", "a box on the arch; number: mass ratio", 0.01, 500,    \
     100.0, false, false, build_snake_heavy, NULL, false},                  \
    {"stack", "16 boxes to a layer, lapping; number: layers", 0.01, 500,   \
     6.0, true, false, build_stack, NULL, false},                          \
    {"heavy-on-small", "a box on 18; number: mass ratio", 0.01, 500,       \
     1000.0, true, false, build_heavy_on_small, NULL, false},              \
    {"incline", "boxes on a slope; number: degrees", 0.01, 500, 20.0,      \
     true, false, build_incline, NULL, false},                             \
    {"gears", "that mesh, in a pyramid; number: rows", 0.01, 500, 3.0,     \
     true, false, build_gears, NULL, false},                               \
    {"leaning", "slabs against pillars; number: floors", 0.01, 500, 5.0,   \
     true, false, build_leaning, NULL, false},
#else
#define PAPER_SCENES
#endif
/* clang-format on */

/* broken.c: solids in pieces that joints hold */
#define SCENES_BROKEN (SCENES_UNIONS && SCENES_SHAPES && VSP_MAX_BODIES >= 128)

void build_vase(scene_run *run);
void build_shot_wall(scene_run *run);
void drive_shot_wall(scene_run *run, uint32_t step);

/* clang-format off */
#if SCENES_BROKEN
#define BROKEN_SCENES                                                      \
    {"vase", "falls and breaks; number: pieces", 0.01, 300, 40.0, false,   \
     false, build_vase, NULL, false},                                      \
    {"shot-wall", "of bricks in mortar, and a ball; number: of a row",     \
     0.01, 300, 50.0, false, false, build_shot_wall, drive_shot_wall, false},
#else
#define BROKEN_SCENES
#endif
/* clang-format on */

/* shells.c */
#define SCENES_SHELLS (SCENES_SHAPES && VSP_SHELLS)

void build_plates(scene_run *run);
void build_mail(scene_run *run);
void build_bowls(scene_run *run);
void build_leaves(scene_run *run);
void build_pierce(scene_run *run);
void build_boats(scene_run *run);
void build_pegs(scene_run *run);

/* clang-format off */
#if SCENES_SHELLS
#define SHELL_SCENES                                                       \
    {"plates", "without thickness fall on each other; number: how many",   \
     1.0 / 60.0, 240, 10.0, false, false, build_plates, NULL, false},      \
    {"mail", "a chain of rings without thickness; number: how many",       \
     1.0 / 60.0, 400, 8.0, false, false, build_mail, NULL, false},         \
    {"bowls", "without thickness fall into each other; number: how many",  \
     1.0 / 60.0, 240, 6.0, false, false, build_bowls, NULL, false},        \
    {"leaves", "without thickness fall into a bin; number: how many",      \
     1.0 / 60.0, 180, 40.0, false, false, build_leaves, NULL, false},      \
    {"pierce", "a ball at 100 m/s on plates; number: how many plates",     \
     1.0 / 60.0, 100, 10.0, false, false, build_pierce, NULL, false},      \
    {"boats", "without thickness fall into a tub; number: how many",       \
     1.0 / 24.0, 200, 100.0, false, false, build_boats, NULL, false},      \
    {"pegs", "triangles without thickness fall onto pegs; number: how many", \
     1.0 / 24.0, 200, 160.0, false, false, build_pegs, NULL, false},
#else
#define SHELL_SCENES
#endif
/* clang-format on */

/* walk.c */
void build_walk(scene_run *run);
void drive_walk(scene_run *run, uint32_t step);

/* clang-format off */
#if SCENES_WALK
#define WALK_SCENES                                                        \
    {"walk", "a character in a level; number: where it starts",            \
     1.0 / 60.0, 2700, 0.0, false, false, build_walk, drive_walk, 0},
#else
#define WALK_SCENES
#endif
/* clang-format on */

/* game.c */
void build_game(scene_run *run);
void drive_game(scene_run *run, uint32_t step);

/* clang-format off */
#if SCENES_GAME
#define GAME_SCENES                                                        \
    {"game", "for two, here played by bots; number: where they start",     \
     1.0 / 60.0, 1440, 0.0, false, false, build_game, drive_game,          \
     SCENE_SLEEPY + SCENE_SENSES},
#else
#define GAME_SCENES
#endif
/* clang-format on */

/* random_calls_all.c: random calls of all kinds */
void build_calls2(scene_run *run);
void drive_calls2(scene_run *run, uint32_t step);

/* clang-format off */
#if SCENES_ALL
#define LARGE_SCENES                                                       \
    {"calls2", "random calls of all kinds; number: capacity in bodies",    \
     0.02, 2000, 24.0, false, false, build_calls2, drive_calls2,           \
     SCENE_SLEEPY + SCENE_WATCHED},
#else
#define LARGE_SCENES
#endif
/* clang-format on */

/* edits.c: changes of bodies and shapes */
#define SCENES_EDITS \
    (SCENES_ALL && VSP_EDITS && VSP_EXPLOSIONS && VSP_HIT_LISTS && VSP_DRIVES)

void build_turntable(scene_run *run);
void drive_turntable(scene_run *run, uint32_t step);
void drive_calls3(scene_run *run, uint32_t step);

/* clang-format off */
#if SCENES_EDITS
#define EDIT_SCENES                                                        \
    {"turntable", "boxes on it; a block that goes and comes back; a lift", \
     0.01, 300, 0.0, false, false, build_turntable, drive_turntable,       \
     false},                                                               \
    {"calls3", "random calls and edits; number: capacity in bodies",       \
     0.02, 2000, 24.0, false, false, build_calls2, drive_calls3,           \
     SCENE_SLEEPY + SCENE_WATCHED},
#else
#define EDIT_SCENES
#endif
/* clang-format on */

/* ground.c: fields with materials */
#define SCENES_RINK                                             \
    (SCENES_ALL && VSP_MATERIALS && VSP_ROLLING && VSP_BELTS && \
     VSP_MAX_BODIES >= 32)

void build_rink(scene_run *run);

/* clang-format off */
#if SCENES_RINK
#define RINK_SCENES                                                        \
    {"rink", "lanes of ice and rubber, carpet, steel, a belt",             \
     0.015625, 150, 0.0, false, false, build_rink, NULL, false},
#else
#define RINK_SCENES
#endif
/* clang-format on */

/* ground.c: a field that changes */
#define SCENES_CRATER \
    (SCENES_ALL && VSP_FIELD_EDITS && VSP_MAX_FIELD_TILES >= 8)

void build_crater(scene_run *run);
void drive_crater(scene_run *run, uint32_t step);

/* clang-format off */
#if SCENES_CRATER
#define CRATER_SCENES                                                      \
    {"crater", "craters are dug under balls and boxes, and a hill grows",  \
     0.015625, 200, 0.0, false, false, build_crater, drive_crater, false},
#else
#define CRATER_SCENES
#endif
/* clang-format on */

/* survey.c: what a world tells without a step; an options file may leave it
 * out */
#ifndef SCENES_SURVEY
#define SCENES_SURVEY                                                        \
    (SCENES_RINK && SCENES_EDITS && VSP_FIELD_EDITS &&                       \
     VSP_MAX_FIELD_TILES >= 1 && VSP_PAIR_RULES && VSP_ROUNDS && VSP_DRAW && \
     VSP_MATH)
#endif

void build_survey(scene_run *run);
void drive_survey(scene_run *run, uint32_t step);

/* clang-format off */
#if SCENES_SURVEY
#define SURVEY_SCENES                                                      \
    {"survey", "sums of distances, contacts, casts, drawing, arithmetic",  \
     0.015625, 100, 0.0, false, false, build_survey, drive_survey, false},
#else
#define SURVEY_SCENES
#endif
/* clang-format on */

/* ledges.c: rules of pairs */
#define SCENES_LEDGES (SCENES_ALL && VSP_PAIR_RULES)

void build_ledges(scene_run *run);
void drive_ledges(scene_run *run, uint32_t step);

/* clang-format off */
#if SCENES_LEDGES
#define LEDGE_SCENES                                                       \
    {"ledges", "heroes jump through one-way ledges; ice, rubber, a lift",  \
     0.015625, 600, 0.0, false, false, build_ledges, drive_ledges,         \
     SCENE_WATCHED},
#else
#define LEDGE_SCENES
#endif
/* clang-format on */

/* gears.c: random gears and pulleys, too */
#define SCENES_GEAR_CALLS (SCENES_EDITS && VSP_GEARS)

void drive_calls4(scene_run *run, uint32_t step);

/* clang-format off */
#if SCENES_GEAR_CALLS
#define GEAR_CALL_SCENES                                                   \
    {"calls4", "random calls, edits, gears; number: capacity in bodies",   \
     0.02, 2000, 24.0, false, false, build_calls2, drive_calls4,           \
     SCENE_SLEEPY + SCENE_WATCHED},
#else
#define GEAR_CALL_SCENES
#endif
/* clang-format on */

#endif
