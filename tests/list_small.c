/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The rooms of build/tests-small, whose worlds are easily filled. */

#include "test.h"

extern const test_room api_room, limits_room, validate_room, replay_room;
extern const test_room table_room, joint_api_room;

const test_room *const test_rooms[] = {
    &api_room, &limits_room, &validate_room, &replay_room, &table_room,
    &joint_api_room, NULL,
};
