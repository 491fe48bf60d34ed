/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Frames on a line of bytes (port/lockstep/frame.c), also if bytes are changed,
 * lost or inserted. */

#include <string.h>

#include "fixture.h"
#include "port/lockstep/frame.h"

#define FRAMES 4 /* on the wire at once */

static frame_reader receiver;
static uint32_t noise;

static uint32_t next_noise(void)
{
    noise = noise * 1664525u + 1013904223u;
    return noise >> 8;
}

/* Messages of zeros, of no zeros, and mixed ones. */
static void make_message(unsigned char *bytes, size_t size, uint32_t kind)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = kind == 0   ? 0
                   : kind == 1 ? (unsigned char)(1 + i % 255)
                               : (unsigned char)(next_noise() % 4 * 85);
}

static void reset_receiver(void)
{
    memset(&receiver, 0, sizeof receiver);
    noise = 1;
}


/* ---- Whole lines -------------------------------------------------------- */

static void brings_messages_of_every_size(void)
{
    static unsigned char message[FRAME_MAX_MESSAGE];
    static unsigned char frame[FRAME_BYTES(FRAME_MAX_MESSAGE)];

    reset_receiver();
    for (size_t size = 1; size <= FRAME_MAX_MESSAGE; size++) {
        size_t length, came = 0;

        make_message(message, size, (uint32_t)size % 3);
        length = frame_write(message, size, frame);
        CHECK_AT_MOST((double)FRAME_BYTES(size), (double)length);
        for (size_t i = 0; i < length; i++)
            if (frame_read(&receiver, frame[i])) {
                CHECK_UINT((uint32_t)length - 1, (uint32_t)i);
                came++;
            }
        CHECK_UINT(1, (uint32_t)came);
        CHECK_UINT((uint32_t)size, (uint32_t)receiver.size);
        CHECK_BYTES(message, receiver.bytes, size);
        for (size_t i = 1; i + 1 < length; i++)
            CHECK(frame[i] != 0);
    }
    CHECK_UINT(FRAME_MAX_MESSAGE, receiver.good);
    CHECK_UINT(0, receiver.bad);
}

static void is_the_crc_of_all_others(void)
{
    /* 0xcbf43926 is the check value in every description of this checksum */
    static const unsigned char expected[] = {0,    14,   '1',  '2', '3', '4',
                                             '5',  '6',  '7',  '8', '9', 0x26,
                                             0x39, 0xf4, 0xcb, 0};
    unsigned char frame[FRAME_BYTES(9)];

    CHECK_UINT(sizeof expected, (uint32_t)frame_write("123456789", 9, frame));
    CHECK_BYTES(expected, frame, sizeof expected);
}


/* ---- Lines with errors -------------------------------------------------- */

static unsigned char messages[FRAMES][600];
static size_t sizes[FRAMES];
static unsigned char wire[FRAMES * FRAME_BYTES(600)];
static size_t starts[FRAMES + 1];

static void fill_wire(void)
{
    size_t at = 0;

    for (int i = 0; i < FRAMES; i++) {
        sizes[i] = i == 1 ? 300 : 5 + next_noise() % 40;
        make_message(messages[i], sizes[i], 1 + next_noise() % 2);
        messages[i][0] = (unsigned char)(i + 1);
        starts[i] = at;
        at += frame_write(messages[i], sizes[i], wire + at);
    }
    starts[FRAMES] = at;
}

typedef enum damage { CHANGE, LOSE, INSERT, DAMAGES } damage;

/* Sends all frames with one error.  Returns a bit for each message that arrived
 * as sent, and bit FRAMES if any other arrived. */
static uint32_t send_wire(size_t where, damage what, unsigned char byte)
{
    uint32_t came = 0;

    reset_receiver();
    for (size_t i = 0; i < starts[FRAMES]; i++) {
        unsigned char taken[2];
        int count = 0;

        if (i == where && what == INSERT)
            taken[count++] = byte;
        if (i != where || what != LOSE)
            taken[count++] = wire[i];
        if (i == where && what == CHANGE)
            taken[0] ^= byte;
        for (int k = 0; k < count; k++) {
            int which;

            if (!frame_read(&receiver, taken[k]))
                continue;
            which = receiver.bytes[0] - 1;
            came |= which >= 0 && which < FRAMES &&
                            receiver.size == sizes[which] &&
                            memcmp(receiver.bytes, messages[which],
                                   receiver.size) == 0
                        ? 1u << which
                        : 1u << FRAMES;
        }
    }
    return came;
}

/* An error in the second frame loses that frame and no other. */
static void an_error_costs_one_frame(void)
{
    reset_receiver();
    fill_wire();
    for (size_t where = starts[1]; where < starts[2]; where++)
        for (int what = 0; what < DAMAGES; what++)
            for (uint32_t byte = what == CHANGE; byte < 256;
                 byte += what == LOSE ? 256 : 1) {
                test_note("error %d with %u at %u", what, byte,
                          (uint32_t)where);
                CHECK_HEX(0xdu,
                          send_wire(where, (damage)what, (unsigned char)byte) &
                              ~2u);
            }
    test_note("");
}

/* A frame longer than any message, and then a good one. */
static void too_long_is_refused(void)
{
    unsigned char frame[FRAME_BYTES(3)];
    size_t length = frame_write("abc", 3, frame);
    bool came = false;

    reset_receiver();
    for (uint32_t i = 0; i < 100000; i++)
        CHECK(!frame_read(&receiver, 255));
    for (size_t i = 0; i < length; i++)
        came = frame_read(&receiver, frame[i]);
    CHECK(came);
    CHECK_UINT(1, receiver.bad);
    CHECK_UINT(1, receiver.good);
}

/* Random bytes, one in twelve of them zero: none of a million frames may pass
 * as a message. */
static void noise_is_no_message(void)
{
    reset_receiver();
    for (uint32_t i = 0; i < 12000000; i++) {
        uint32_t bits = next_noise();
        unsigned char byte = (unsigned char)(bits >> 8);

        CHECK(!frame_read(&receiver, bits % 12 == 0 ? 0 : byte));
    }
    CHECK_UINT(0, receiver.good);
    CHECK_AT_LEAST(900000, receiver.bad);
}

static const test tests[] = {
    TEST(brings_messages_of_every_size), TEST(is_the_crc_of_all_others),
    TEST(an_error_costs_one_frame),      TEST(too_long_is_refused),
    TEST(noise_is_no_message),           TEST_END,
};

const test_suite frame_suite = {"frame", tests};
