/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The check of a replay, given arbitrary bytes.  A player later reads only what
 * this check has accepted. ci/prove names the function where the analysis
 * begins. */

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

/* A file of each length up to 32 words: its check reads all of it. */
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
