/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The check of a replay, given any bytes.  A player later reads only what this
 * check has passed. ci/prove names the function to begin with. */

#include "any.h"

#define VSP_CONFIG "tests/prove/small.h"
#include "src/number/vector.c"
#include "src/number/float.c"
#include "src/number/fixed.c"
#include "src/number/rotation.c"

#include "src/state/words.c"
#include "src/state/fields.c"
#include "src/state/valid.c"

#include "src/record/replay_words.c"
#include "src/record/player.c"

/* A file of up to 32 words, of each length: its check, which reads it all. */
void prove_replay(void)
{
    static unsigned char bytes[128];
    uint32_t size, steps;

    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    /*@ loop unroll 129; */
    for (size = 0; size <= sizeof bytes; size++)
        if (any_bool())
            (void)check_file(bytes, size, &steps);
}
