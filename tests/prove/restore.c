/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Reading a snapshot from arbitrary bytes: the stream of words by cases, at
 * every position of a short buffer; then the records that are read from it,
 * which rely on that, and on tile.c. ci/prove names the function where the
 * analysis begins. */

#include "any.h"

#define VSP_CONFIG "tests/prove/small.h"
#include "src/number/vector.c"
#include "src/number/float.c"
#include "src/number/fixed.c"
#include "src/number/rotation.c"

#include "src/state/words.c"
#include "src/state/fields.c"
#include "src/state/pair_rule.c"
#include "src/state/valid.c"
#include "src/state/field.c"

#include "src/record/snapshot.c"

/*@ requires \valid(s) && s->to == \null;
    requires count == 0 || \valid((unsigned char *)state + (0 .. 4 * count -
   1)); assigns s->at \from s->at, count; assigns ((unsigned char *)state)[0 ..
   4 * count - 1] \from s->from[0 .. 4 * s->words - 1], indirect:s->at; ensures
   \initialized((unsigned char *)state + (0 .. 4 * count - 1)); */
static void stream_words(word_stream *s, void *state, uint32_t count);

/*@ assigns \result \from *shape, *t;
    ensures \result == 0 || \result == 1; */
bool vsp__is_tile(const vsp_world *world, const vsp__shape *shape,
                  const vsp__field_tile *t);

/*@ assigns \result \from words; */
static uint32_t snapshot_checksum(const unsigned char *bytes, uint32_t words);

#define WORDS 8u

/* streams of 0, 4 and 8 words, from each position, with some counts */
void prove_stream(void)
{
    static unsigned char bytes[4 * WORDS];
    uint32_t state[9], at, count, words;
    word_stream s;

    /*@ loop unroll 3; */
    for (words = 0; words <= WORDS; words += 4)
        /*@ loop unroll 11; */
        for (at = 0; at <= WORDS + 2; at++)
            /*@ loop unroll 4; */
            for (count = 0; count <= 9; count += 3) {
                s.to = NULL;
                s.from = bytes;
                s.words = words;
                s.at = at;
                stream_words(&s, state, count);
            }
    (void)snapshot_checksum(bytes, WORDS);
}

/* the bytes of a snapshot, and a stream at any position, also past the end */
static word_stream any_stream(void)
{
    static unsigned char bytes[VSP_SNAPSHOT_BYTES];
    word_stream s;

    s.to = NULL;
    s.from = bytes;
    s.words = any_uint(0, VSP_SNAPSHOT_BYTES / 4u);
    s.at = any_uint(0, 0xffffffu);
    return s;
}

/* Records with any flags, after any other records. */
void prove_records(void)
{
    static vsp__body body;
    static vsp__shape shape;
    static vsp__joint joint;
    uint32_t slot = any_uint(0, 0xffffu);
    word_stream s = any_stream();

    PROVE((stream_body(&s, any_word(), &body), 0));
    PROVE((stream_shape(&s, any_word(), &shape, &slot), 0));
    PROVE((stream_joint(&s, any_word(), &joint), 0));
}

/* The warm records and sensor overlaps after the bodies. */
void prove_pairs(void)
{
    static vsp__restore_buffer in;
    static vsp_world world;

    in.shape_count = any_uint(0, VSP_MAX_SHAPES);
    in.warm_count = any_uint(0, VSP_MAX_CONTACTS);
    in.sensed_count = any_uint(0, VSP_MAX_SENSED);
    PROVE(are_pairs(&world, any_stream(), &in));
}

/* The header, against the capacities of a world. */
void prove_header(void)
{
    static vsp__restore_buffer in;
    static vsp_world world;
    word_stream s = any_stream();

    PROVE(read_header(&world, &s, any_uint(0, VSP_SNAPSHOT_BYTES), &in));
}
