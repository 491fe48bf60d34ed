/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Module record: snapshot and hash, difference, replay, rollback, lockstep.  A
 * build can leave out each of them.  vsp.h declares their public calls; this
 * header declares what the files of the module share. */

#ifndef VSP_RECORD_H
#define VSP_RECORD_H

#include "../api/api.h"

/* Index of the word of a snapshot that is the checksum of all others. */
#define VSP__CHECKSUM_WORD 6u


/* ---- replay_words.c: the calls of a replay as words ---------------------- */

#if VSP_REPLAY

/* The header of a file, and its end. */
#define VSP__REPLAY_HEAD_STARTS 5u  /* words */
#define VSP__REPLAY_HEAD_VERSION 2u /* word: information only */
#define VSP__REPLAY_HEAD_BYTES 56u
#define VSP__REPLAY_HEAD_SEED 12u     /* word: size of the seed, bytes */
#define VSP__REPLAY_HEAD_CHECKSUM 13u /* word: over those before */
#define VSP__REPLAY_END_BYTES 12u

/* Words of the public types of numbers. */
#define VSP__REAL_WORDS ((uint32_t)(sizeof(vsp_real) / 4u))
#define VSP__VEC3_WORDS (3u * VSP__REAL_WORDS)
#define VSP__POSE_WORDS (7u * VSP__REAL_WORDS)
#define VSP__MATERIAL_WORDS (2u * VSP__REAL_WORDS + 2u)

/* Words of a call after the id, at most: a pose and a time. */
#define VSP__MOST_WORDS (VSP__POSE_WORDS + VSP__REAL_WORDS)

/* Words of a def, and of the calls that create: arguments, then the new id. */
#define VSP__SHAPE_DEF_WORDS \
    (4u + 16u * VSP__REAL_WORDS + VSP__MATERIAL_WORDS + 3u)
#define VSP__BODY_WORDS (6u + 24u * VSP__REAL_WORDS + VSP__SHAPE_DEF_WORDS + 1u)
#define VSP__SHAPE_WORDS (1u + VSP__SHAPE_DEF_WORDS + 1u)
#define VSP__HULL_WORDS (1u + VSP_MAX_HULL_POINTS * VSP__VEC3_WORDS + 1u)
#define VSP__JOINT_WORDS (15u + 35u * VSP__REAL_WORDS + 1u)

/* The first words of the header: magic, versions, kind of number. */
extern const uint32_t vsp__replay_head[VSP__REPLAY_HEAD_STARTS];

/* Words of a record without its head, by vsp_replay_op; 0 where a snapshot
 * follows. */
extern const uint8_t vsp__op_words[VSP_OP_COUNT];

/* A word of a file, at any alignment. */
typedef struct vsp__file_word {
    unsigned char bytes[4];
} vsp__file_word;

static inline void vsp__copy_numbers(void *to, const void *from, uint32_t count)
{
    vsp__copy_bytes(to, from, 4u * (size_t)count);
}

static inline uint32_t vsp__file_word_of(const vsp__file_word *w)
{
    return vsp__get_word(w->bytes);
}

/* Mixes bytes, whole words, into a checksum; finish it by vsp__hash_end. */
uint32_t vsp__sum_bytes(uint32_t sum, const unsigned char *bytes, size_t size);

/* The checksum of bytes, whole words. */
uint32_t vsp__checksum_of(const unsigned char *bytes, size_t size);

/* Write arguments of calls as words.  A returned pointer is the address of the
 * next word. */
VSP__CALLED uint32_t *vsp__put_reals(uint32_t *w, const vsp_real *from,
                                     uint32_t count);
static inline uint32_t *vsp__put_vec3(uint32_t *w, const vsp_vec3 *v)
{
    return vsp__put_reals(w, &v->x, 3);
}

void vsp__put_material(uint32_t *w, const vsp_material *material);
void vsp__put_shape_def(uint32_t *w, const vsp_shape_def *def);
void vsp__put_body_def(uint32_t *w, const vsp_body_def *def);
void vsp__put_joint_def(uint32_t *w, const vsp_joint_def *def);
#if VSP_EXPLOSIONS
void vsp__put_explosion(uint32_t *w, const vsp_explosion *explosion);
#endif

/* Makes the call of a record from the words after its head.  Creating calls set
 * *new_id.  Returns the call's status. */
vsp_status vsp__carry_out_call(vsp_world *world, uint32_t op,
                               const vsp__file_word *w, uint32_t *new_id);

#endif /* VSP_REPLAY */


/* ---- rollback.c: steps with guessed inputs ------------------------------- */

#if VSP_ROLLBACK

/* Returns the hash of a state: of a snapshot, by its checksum, and the
 * program's own words. */
uint32_t vsp__saved_state_hash(const void *bytes, const uint32_t *game,
                               uint32_t game_words);

/* Whether the program accepts an input of a player. */
bool vsp__is_valid_input(const vsp_rollback_def *def, uint32_t player,
                         const unsigned char *input);

/* Whether two inputs of `size` bytes are equal. */
bool vsp__is_same_input(const unsigned char *a, const unsigned char *b,
                        uint32_t size);

#endif /* VSP_ROLLBACK */


/* ---- lockstep.c and its parts: messages of peers ------------------------- */

#if VSP_LOCKSTEP

/* snapshot.c: whether a snapshot has the settings of the world, apart from
 * those that calls and steps change: gravity, tables, the tick.  It must have a
 * whole head. */
bool vsp__has_settings_of(const vsp_world *world, const void *snapshot);

#define VSP__LAST_STEP 0x7fffffffu      /* the state after it is the last */
#define VSP__LOCKSTEP_MAGIC 0x4c505356u /* "VSPL" */
#define VSP__ANY_STATE 0xffffffffu      /* wanted: the newest state */

/* Offsets in the head of a message, bytes. */
#define VSP__AT_MAGIC 0u
#define VSP__AT_BUILD 4u
#define VSP__AT_MATCH 8u
#define VSP__AT_SEQUENCE 12u
#define VSP__AT_TICK 16u
#define VSP__AT_ECHO 20u
#define VSP__AT_STEP 24u
#define VSP__AT_CONFIRMED 28u
#define VSP__AT_PLAYER 32u /* one byte */
#define VSP__AT_PHASE 33u  /* one byte: vsp_phase, plus VSP__TAKES_RELAYS */
#define VSP__AT_LEAD 34u   /* two bytes */
#define VSP__AT_CHECKSUM 36u
#define VSP__MESSAGE_HEAD 40u
#define VSP__TAKES_RELAYS 0x80u

/* The sections of a message, in this order. */
enum {
    VSP__SECTION_ACKS = 1,
    VSP__SECTION_HASHES,
    VSP__SECTION_SEARCH,
    VSP__SECTION_WANT,
    VSP__SECTION_INPUTS,
    VSP__SECTION_STATE,
    VSP__SECTION_BYE
};

#define VSP__SECTION_HEAD 4u /* bytes */

/* purpose of a wanted state */
#define VSP__FOR_JOIN 0u
#define VSP__FOR_SEARCH 1u

#define VSP__OWN_HASHES 32u    /* hashes of our last states that are stored */
#define VSP__PEER_HASHES 16u   /* hashes of a peer that wait for ours */
#define VSP__FAREWELL_COUNT 8u /* messages to a peer that was dropped */

/* A hash that a peer sent. */
typedef struct vsp__peer_hash {
    uint32_t number; /* 1 + number of the state; 0: none */
    uint32_t hash;
} vsp__peer_hash;

/* Small and frequent members are first: instructions reach them by short
 * offsets.  The same holds for struct vsp_lockstep. */
typedef struct vsp__peer_state {
    bool is_open;      /* connected, and not dropped since */
    bool is_relay;     /* may send inputs of others */
    bool takes_relays; /* wants inputs of others */
    bool has_acks;     /* has acknowledged some inputs */
    bool is_playing;
    bool has_want;     /* wants a state; the want_ fields say which */
    bool is_served;    /* the state is being sent to it */
    uint8_t want_for;  /* VSP__FOR_JOIN, VSP__FOR_SEARCH */
    uint8_t farewells; /* byes still to be sent */

    uint32_t want_step, want_offset; /* the state, its first missing byte */
    uint32_t sent_offset;            /* byte of the state to be sent next */
    uint32_t search_at;              /* state whose hash is sent next */

    uint32_t blame, flood, old; /* see MAX_BLAME, MAX_FLOOD, MAX_OLD */
    uint32_t sequence;          /* number of the last message sent */
    uint32_t newest;            /* number of its newest message */
    uint32_t tick;              /* the peer's tick, in its newest message */
    uint32_t heard;             /* our tick at its last good message */
    int32_t lead;     /* steps that we were ahead of its newest message */
    int32_t lead_sum; /* sum over lead_count messages of our lead minus the
                         peer's lead over us: each is twice the true lead */
    uint32_t lead_count;
    uint32_t agreed;  /* 1 + the newest state with an equal hash; 0: none */
    uint32_t pending; /* bit i: hashes[i] waits for ours */
    uint64_t window;  /* bit i: newest - i was received */
    vsp_peer_stats stats;
    uint32_t known[VSP_MAX_PLAYERS]; /* first steps whose inputs it lacks */
    vsp__peer_hash hashes[VSP__PEER_HASHES];
} vsp__peer_state;

/* A state as bytes: a snapshot, then the program's words. */
typedef struct vsp__state_bytes {
    uint32_t step;
    uint32_t size; /* 0: none */
    uint32_t have; /* bytes received */
} vsp__state_bytes;

/* The memory of a match: this struct, the state that is sent, the state that
 * is received, the rollback. */
struct vsp_lockstep {
    uint32_t magic;
    vsp_phase phase;
    vsp_status status; /* the status with which the match ended */
    bool is_returning; /* a player who came back, and does not yet know all its
                          own inputs */
    vsp_rollback *rollback;
    uint32_t tick_count;

    /* The search: the first state that differs from the suspect's is one of
     * low to high; high does differ. */
    uint32_t suspect, low, high;

    uint32_t first_hash, next_hash; /* states whose hashes are taken: from,
                                       up to but not including */
    vsp_lockstep_def def;
    vsp__state_bytes outgoing, incoming;
    uint32_t their_oldest; /* oldest state that the suspect has */
    uint32_t search_ticks;
    uint32_t waiting;      /* ticks since the last step */
    uint32_t skips;        /* ticks still to be skipped: others are behind */
    uint32_t first;        /* step of the state from which it began */
    uint32_t build, match; /* digests, equal in all messages of a match */
    uint32_t hash_count, wait_count, longest_wait;
    vsp_desync desync;
    uint32_t hashes[VSP__OWN_HASHES];
    vsp__peer_state peers[VSP_MAX_PEERS];
};

static inline uint32_t vsp__smaller_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline bool vsp__is_watcher(const vsp_lockstep *l)
{
    return l->def.player == VSP_WATCHER;
}

/* Returns the first step whose input of a player we do not know. */
static inline uint32_t vsp__known_of(const vsp_lockstep *l, uint32_t player)
{
    return vsp_rollback_known(l->rollback, player);
}

/* The next step that we make, and the last state that is certain. */
static inline uint32_t vsp__next_step(const vsp_lockstep *l)
{
    return vsp_rollback_get_stats(l->rollback).step;
}

static inline uint32_t vsp__confirmed_step(const vsp_lockstep *l)
{
    return vsp_rollback_get_stats(l->rollback).confirmed;
}

/* The oldest state that is saved. */
static inline uint32_t vsp__oldest_saved_step(const vsp_lockstep *l)
{
    uint32_t step = vsp__next_step(l), back = l->def.rollback.kept - 1u;

    return step - l->first > back ? step - back : l->first;
}

static inline bool vsp__has_diverged(const vsp_lockstep *l)
{
    return l->phase == VSP_PHASE_SEARCHING || l->phase == VSP_PHASE_DIVERGED;
}

/* Bytes of the program's words. */
static inline uint32_t vsp__game_bytes(const vsp_lockstep *l)
{
    return 4u * l->def.rollback.game_words;
}

/* Returns the bytes reserved for a state. */
static inline uint64_t vsp__state_room(const vsp_rollback_def *def)
{
    return VSP__ROUND_UP((uint64_t)def->snapshot_size) +
           VSP__ROUND_UP(4u * (uint64_t)def->game_words);
}

/* Where the state that is sent begins, and the one that is received. */
static inline unsigned char *vsp__outgoing_bytes(vsp_lockstep *l)
{
    return (unsigned char *)l + VSP__LOCKSTEP_HEAD_BYTES;
}

static inline unsigned char *vsp__incoming_bytes(vsp_lockstep *l)
{
    return vsp__outgoing_bytes(l) + (size_t)vsp__state_room(&l->def.rollback);
}

/* Where the hash of a state is stored, a multiple of hash_interval. */
static inline uint32_t *vsp__own_hash(vsp_lockstep *l, uint32_t step)
{
    return &l->hashes[step / l->def.hash_interval % VSP__OWN_HASHES];
}

/* Drops a peer: it gets some messages with the reason.  In
 * lockstep_search.c. */
VSP__CALLED void vsp__drop_peer(vsp__peer_state *p, vsp_drop reason);

/* Lowers a level, at most to 0. */
static inline void vsp__lower_level(uint32_t *level, uint32_t amount)
{
    *level -= vsp__smaller_of(*level, amount);
}


/* ---- lockstep_search.c: states and hashes -------------------------------- */

/* Returns the address of a byte of a state.  The program's words are stored
 * after the bytes reserved for a snapshot, where they are aligned. */
unsigned char *vsp__state_byte(const vsp_lockstep *l, unsigned char *bytes,
                               const vsp__state_bytes *s, uint32_t at);

/* Whether all of a state has been received. */
bool vsp__has_received_state(const vsp_lockstep *l);

/* Returns the received state.  Call it once: it converts the program's words
 * from bytes to words in place. */
vsp_kept vsp__received_state(vsp_lockstep *l);

/* Stores the hashes of states that have become certain.  To be called after
 * each step, before such a state is gone. */
void vsp__store_certain_hashes(vsp_lockstep *l);

/* Begins to store hashes, at the state of a step. */
void vsp__begin_hashes(vsp_lockstep *l, uint32_t step);

/* Compares the hashes of a peer with those of ours that we have; begins a
 * search if they differ. */
void vsp__compare_hashes(vsp_lockstep *l, uint32_t peer);

/* Whether a search cannot be narrowed further: high is the first state that
 * differs, or one side no longer stores the states before it. */
bool vsp__is_narrowed(const vsp_lockstep *l);

/* Begins a search, or narrows it, by the hash that a peer sent of a state. */
void vsp__search_hash(vsp_lockstep *l, uint32_t peer, uint32_t step,
                      uint32_t hash);

/* Once a tick: ends the search when the peer's state has arrived, the peer is
 * gone, the search takes too long, or one side no longer has the state. */
void vsp__continue_search(vsp_lockstep *l);


/* ---- lockstep_write.c: writing a message --------------------------------- */

/* The checksum of a message, over all words but its own. */
uint32_t vsp__sum_message(const unsigned char *bytes, uint32_t size);

/* Writes the next message to a peer, or a bye to a peer that was dropped, in at
 * most `room` bytes, a multiple of 4.  Returns its size, bytes. */
uint32_t vsp__write_message(vsp_lockstep *l, uint32_t peer,
                            unsigned char *bytes, uint32_t room);


/* ---- lockstep_read.c: checking and applying a message -------------------- */

/* Begins to wait for a state from peer 0. */
void vsp__rejoin(vsp_lockstep *l);

/* Checks a message of a peer and applies it.  Returns the statuses of
 * vsp_lockstep_receive. */
vsp_status vsp__read_message(vsp_lockstep *l, uint32_t peer,
                             const unsigned char *bytes, size_t size);

#endif /* VSP_LOCKSTEP */

#endif /* VSP_RECORD_H */
