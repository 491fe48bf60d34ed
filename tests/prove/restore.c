/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Restoring a snapshot of any bytes: the stream of words by cases, at every
 * place of a short buffer; then all that reads from it, which relies on that.
 * ci/prove names the function to begin with. */

#include "any.h"

#define VSP_CONFIG "tests/prove/small.h"
#include "vsp.c"
#include "vsp_collide.c"

/*@ requires \valid(s) && s->to == \null;
    requires count == 0 || \valid((unsigned char *)state + (0 .. 4 * count - 1));
    assigns s->at \from s->at, count;
    assigns ((unsigned char *)state)[0 .. 4 * count - 1]
            \from s->from, s->at, s->words;
    ensures \initialized((unsigned char *)state + (0 .. 4 * count - 1)); */
static void stream_words(word_stream *s, void *state, uint32_t count);

/*@ assigns \result \from words; */
static uint32_t snapshot_checksum(const unsigned char *bytes, uint32_t words);

#define WORDS 16u

/* of each buffer of up to 16 words, from each place, each count up to 20 */
void prove_stream(void)
{
    static unsigned char bytes[4 * WORDS];
    uint32_t state[20], at, count, words;
    word_stream s;

    /*@ loop unroll 17; */
    for (words = 0; words <= WORDS; words += 4)
        /*@ loop unroll 19; */
        for (at = 0; at <= WORDS + 2; at++)
            /*@ loop unroll 21; */
            for (count = 0; count <= 20; count += 4) {
                s.to = NULL;
                s.from = bytes;
                s.words = words;
                s.at = at;
                stream_words(&s, state, count);
            }
    (void)snapshot_checksum(bytes, WORDS);
}

static struct {
    vsp_world world;
    vsp__joint_pool pool;
} any_world;

/* a world that is empty, with its scratch as it may be */
void prove_restore(void)
{
    static unsigned char bytes[VSP_SNAPSHOT_BYTES];

    any_world.world.magic = VSP__WORLD_MAGIC;
    any_world.world.options = VSP_OPTIONS;
    any_world.world.table_count = 0;
    any_world.world.body_used = any_uint(0, VSP_MAX_BODIES);
    any_world.world.shape_used = any_uint(0, VSP_MAX_SHAPES);
    any_world.pool.used = any_uint(0, VSP_MAX_JOINTS);
    any_world.pool.limit = any_uint(0, VSP_MAX_JOINTS);
    (void)vsp_world_restore(&any_world.world, bytes,
                            any_uint(0, VSP_SNAPSHOT_BYTES));
}
