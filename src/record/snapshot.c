/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Hash, snapshot, restore and validation of a world's state (VSP_SNAPSHOTS).
 * In this order: the hash; the word stream of a snapshot; records of bodies
 * and shapes, then of joints; snapshot; restore; validation, which checks a
 * world in place by the rules that restore applies to bytes.  SPEC.md defines
 * every word. */

#include "record.h"

#if VSP_SNAPSHOTS

#define SNAPSHOT_MAGIC 0x53505356u /* "VSPS" */
#define SCALAR_KIND (VSP_FIXED ? 2u : 1u)


/* ---- The hash --------------------------------------------------------------
 * It takes the state as 32-bit words, so byte order does not matter. */

static uint32_t mix_words(uint32_t hash, const void *state, uint32_t count)
{
    const unsigned char *bytes = (const unsigned char *)state;

    for (; count > 0; bytes += 4, count--)
        hash = vsp__hash_word(hash, vsp__load_word(bytes));
    return hash;
}

/* A tile of a height field as words: shape and column, row, then heights and
 * materials, the first one in the lowest bits. */
#define TILE_NUMBERS (VSP__TILE_SIDE * VSP__TILE_SIDE)
#define TILE_WORDS (2u + TILE_NUMBERS / 2u + TILE_NUMBERS / 4u)

#if VSP_FIELD_EDITS

static void pack_tile(const vsp__field_tile *t, uint32_t words[TILE_WORDS])
{
    uint32_t i;

    vsp__zero_bytes(words, 4u * TILE_WORDS);
    words[0] = t->shape | (uint32_t)t->column << 16;
    words[1] = t->row;
    for (i = 0; i < TILE_NUMBERS; i++) {
        words[2u + i / 2u] |= ((uint32_t)t->heights[i] & 0xffffu)
                              << i % 2u * 16u;
        words[2u + TILE_NUMBERS / 2u + i / 4u] |= (uint32_t)t->materials[i]
                                                  << i % 4u * 8u;
    }
}

/* Returns false if the row is out of range. */
static bool unpack_tile(const uint32_t words[TILE_WORDS], vsp__field_tile *t)
{
    uint32_t i;

    t->shape = (uint16_t)(words[0] & 0xffffu);
    t->column = (uint16_t)(words[0] >> 16);
    t->row = (uint16_t)(words[1] & 0xffffu);
    for (i = 0; i < TILE_NUMBERS; i++) {
        uint32_t height = words[2u + i / 2u] >> i % 2u * 16u & 0xffffu;

        t->heights[i] = (int16_t)((int32_t)(height ^ 0x8000u) - 0x8000);
        t->materials[i] = (uint8_t)(words[2u + TILE_NUMBERS / 2u + i / 4u] >>
                                        i % 4u * 8u &
                                    0xffu);
    }
    vsp__bound_tile(t);
    return words[1] <= 0xffffu;
}

static uint32_t count_tiles(const vsp_world *world)
{
    return world->tile_count;
}

#else

static uint32_t count_tiles(const vsp_world *world)
{
    (void)world;
    return 0;
}

#endif /* VSP_FIELD_EDITS */

/* The first words of a body, shape or joint, which hold numbers smaller than a
 * word: two words, of a shape three. */
typedef struct small_numbers {
    uint16_t generation;
    uint8_t type, kind;
    uint16_t half[4];
} small_numbers;

#define SMALL_WORDS 2u
#define SMALL_SHAPE_WORDS 3u

/* Mixes `count` bodies, shapes or joints of `words` words each, of which the
 * first `small` hold smaller numbers, and the last `left` are left out. */
static uint32_t mix_records(uint32_t hash, const void *records, uint32_t words,
                            uint32_t small, uint32_t left, uint32_t count)
{
    const unsigned char *at = (const unsigned char *)records;
    small_numbers n;
    uint32_t k;

    for (; count > 0; at += 4u * words, count--) {
        vsp__copy_bytes(&n, at, sizeof n);
        hash = vsp__hash_word(hash, n.generation | (uint32_t)n.type << 16 |
                                        (uint32_t)n.kind << 24);
        for (k = 0; k < small - 1u; k++)
            hash = vsp__hash_word(
                hash, n.half[2u * k] | (uint32_t)n.half[2u * k + 1u] << 16);
        hash = mix_words(hash, at + 4u * small, words - small - left);
    }
    return hash;
}

/* Mixes the rules of pairs: nothing if there are none. */
#if VSP_PAIR_RULES
static uint32_t mix_rules(uint32_t hash, const vsp_world *world)
{
    return mix_words(hash, world->rules,
                     world->rule_count * VSP__WORDS(vsp__pair_record));
}
#else
static uint32_t mix_rules(uint32_t hash, const vsp_world *world)
{
    (void)world;
    return hash;
}
#endif

/* Mixes the slots and the rolling friction of shapes that have it. */
#if VSP_ROLLING
static uint32_t mix_rolling(uint32_t hash, const vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->shape_used; i++)
        if (vsp__has_rolling(world->shapes + i))
            hash = mix_words(vsp__hash_word(hash, i), &world->shapes[i].rolling,
                             VSP__ROLLING_WORDS);
    return hash;
}
#else
static uint32_t mix_rolling(uint32_t hash, const vsp_world *world)
{
    (void)world;
    return hash;
}
#endif

/* Mixes, for each joint to whose impulses SHOCK added some, its slot and the
 * added impulses. */
static uint32_t mix_added(uint32_t hash, const vsp__joint_pool *pool)
{
    uint32_t i;

    for (i = 0; i < pool->used; i++) {
        const vsp__wide *added = pool->joints[i].impulse + VSP__JOINT_ROWS;

        if (vsp__words_differ(added, NULL, VSP__ADDED_WORDS))
            hash = mix_words(vsp__hash_word(hash, i), added, VSP__ADDED_WORDS);
    }
    return hash;
}

/* Mixes the vertices of runtime hulls: nothing if there never were any. */
#if VSP_MAX_RUNTIME_HULLS > 0
static uint32_t hull_head(const vsp__runtime_hull *hull)
{
    return hull->generation |
           (hull->table.kind != 0 ? (uint32_t)hull->table.vertex_count << 16
                                  : 0);
}

static uint32_t mix_hulls(uint32_t hash, const vsp_world *world)
{
    const vsp__hull_pool *pool = vsp__hull_pool_of(world);
    uint32_t i;

    for (i = 0; i < pool->used; i++) {
        uint32_t head = hull_head(pool->hulls + i);

        hash = mix_words(vsp__hash_word(hash, head), pool->hulls[i].vertices,
                         3u * (head >> 16));
    }
    return hash;
}
#else
static uint32_t mix_hulls(uint32_t hash, const vsp_world *world)
{
    (void)world;
    return hash;
}
#endif

/* Mixes the tiles of height fields: nothing if there are none. */
#if VSP_FIELD_EDITS
static uint32_t mix_tiles(uint32_t hash, const vsp_world *world)
{
    uint32_t words[TILE_WORDS], i;

    for (i = 0; i < world->tile_count; i++) {
        pack_tile(world->tiles + i, words);
        hash = mix_words(hash, words, TILE_WORDS);
    }
    return hash;
}
#else
static uint32_t mix_tiles(uint32_t hash, const vsp_world *world)
{
    (void)world;
    return hash;
}
#endif

uint32_t vsp_world_hash(const vsp_world *world)
{
    const vsp__joint_pool *pool;
    uint32_t hash = VSP_BITS_VERSION, i;

    if (!vsp__is_world(world))
        return 0;
    pool = vsp__joint_pool_of(world);
    hash = mix_words(hash, &world->params, VSP__WORDS(vsp__params));
    hash = mix_records(hash, world->bodies, VSP__WORDS(vsp__body), SMALL_WORDS,
                       0, world->body_used);
    hash = mix_records(hash, world->shapes, VSP__WORDS(vsp__shape),
                       SMALL_SHAPE_WORDS, VSP__ROLLING_WORDS,
                       world->shape_used);
    if (VSP_JOINTS)
        hash = mix_records(hash, pool->joints, VSP__WORDS(vsp__joint),
                           SMALL_WORDS, VSP__ADDED_WORDS, pool->used);
    for (i = 0; i < world->warm_count; i++)
        hash = mix_words(hash, world->problem.between.warm + i,
                         VSP__WORDS(vsp__warm_record));
    hash = mix_words(hash, world->sensed, world->sensed_count);
    hash = mix_rules(hash, world);
    hash = mix_rolling(hash, world);
    if (VSP_JOINTS && VSP_SHOCK)
        hash = mix_added(hash, pool);
    hash = mix_hulls(hash, world);
    hash = mix_tiles(hash, world);
    return vsp__hash_end(hash);
}


/* ---- The snapshot as a stream of words -------------------------------------
 * Words of four bytes, the least significant first.  Each stream_ function
 * both writes and reads a part of the state, so the two cannot disagree. */

typedef struct word_stream {
    unsigned char *to;         /* null when the stream reads */
    const unsigned char *from; /* null when it writes */
    uint32_t at, words;        /* next word; words in the buffer */
} word_stream;

/* Past the end of the buffer it reads zeros and writes nothing, but still
 * counts, so s->at > s->words shows an overrun. */
static void stream_words(word_stream *s, void *state, uint32_t count)
{
    unsigned char *bytes = (unsigned char *)state;
    unsigned char *to = s->to;
    const unsigned char *from = s->from;
    size_t place = 4u * (size_t)s->at;
    bool is_inside;

    s->at += count;
    is_inside = s->at <= s->words;
    if (to == NULL)
        for (; count > 0; bytes += 4, place += 4, count--)
            vsp__store_word(bytes, is_inside ? vsp__get_word(from + place) : 0);
    else if (is_inside)
        for (; count > 0; bytes += 4, place += 4, count--)
            vsp__set_word(to + place, vsp__load_word(bytes));
}


/* ---- Records of bodies and shapes ------------------------------------------
 * A head of flags, then the words that differ from the record before.  A
 * body's shapes follow it, in the order of its list; the flags of the first
 * shape are in the body's head.  Whatever can be computed is not written:
 * links, masses that follow from shapes, the largest component of a
 * rotation. */

/* The head of a body.  Type 0 is a free slot, whose generation is the high
 * half.  A flag without a comment says that the field of its name follows;
 * DISABLED has no field. */
#define BODY_HEAD_TYPE 3u          /* vsp_body_type + 1 */
#define BODY_HEAD_GIVEN_SHIFT 2u   /* two bits: mass_given */
#define BODY_HEAD_GIVEN 12u        /* both of them */
#define BODY_HEAD_INERTIA 8u       /* the upper: inertia was given, too */
#define BODY_HEAD_LARGEST_SHIFT 4u /* two bits: component left out */
#define BODY_HEAD_NEGATIVE 0x40u   /* that component is negative */
#define BODY_HEAD_OFF_SHIFT 7u     /* six bits: see rotation_flags */
#define BODY_HEAD_MOVES 0x2000u    /* velocity and spin */
#define BODY_HEAD_FORCED 0x4000u   /* force and torque */
#define BODY_HEAD_USER 0x8000u
#define BODY_HEAD_DAMPED 0x10000u /* dampings and gravity scale */
#define BODY_HEAD_GENERATION 0x20000u
#define BODY_HEAD_SHAPES 0x40000u
#define BODY_HEAD_MARKED 0x80000u /* max_speed and flags */
#define BODY_HEAD_DISABLED 0x20000000u

/* The flags of a shape. */
#define SHAPE_HEAD_FLAGS 0xdff00000u   /* all of them */
#define SHAPE_HEAD_OWN 0xdfc00000u     /* flags from KIND on */
#define SHAPE_HEAD_DIFFERS 0xdfe00000u /* flags from PLACE on */
#define SHAPE_HEAD_MORE 0x100000u      /* another shape of the body follows */
#define SHAPE_HEAD_PLACE 0x200000u /* slot, generation; else the next slot */
#define SHAPE_HEAD_KIND 0x400000u  /* type, rules, table */
#define SHAPE_HEAD_SIZE 0x800000u
#define SHAPE_HEAD_POSITION 0x1000000u
#define SHAPE_HEAD_ROTATION 0x2000000u
#define SHAPE_HEAD_MATTER 0x4000000u /* density, friction, restitution */
#define SHAPE_HEAD_FILTER 0x8000000u
#define SHAPE_HEAD_SURFACE 0x10000000u
#define SHAPE_HEAD_USER 0x40000000u
#define SHAPE_HEAD_ROLLING 0x80000000u /* rolling and spinning friction */

/* Flags of shapes in a body's head. */
#define BODY_HEAD_OF_SHAPES (SHAPE_HEAD_FLAGS | BODY_HEAD_SHAPES)

/* Words of a struct that a record contains if a flag is set; else they are as
 * in the record before, or 0. */
typedef struct word_group {
    uint8_t bit;          /* bit of the flag */
    uint8_t first, count; /* in words from the beginning of the struct */
    bool is_as_before;
} word_group;

/* Number of a flag's bit, as a constant expression. */
#define BIT_OF(flag)                                                  \
    (((flag)&0xffff0000u ? 16u : 0) + ((flag)&0xff00ff00u ? 8u : 0) + \
     ((flag)&0xf0f0f0f0u ? 4u : 0) + ((flag)&0xccccccccu ? 2u : 0) +  \
     ((flag)&0xaaaaaaaau ? 1u : 0))

#define WORD_GROUP(flag, type, field, count, is_as_before)                    \
    {                                                                         \
        (uint8_t) BIT_OF(flag), (uint8_t)(offsetof(type, field) / 4u), count, \
            is_as_before                                                      \
    }

static const word_group body_groups[] = {
    WORD_GROUP(BODY_HEAD_USER, vsp__body, user, 1, true),
    /* here the pose, which is always written */
    WORD_GROUP(BODY_HEAD_MOVES, vsp__body, velocity, 6, false), /* and spin */
    WORD_GROUP(BODY_HEAD_FORCED, vsp__body, force, 6, false),   /* and torque */
    WORD_GROUP(BODY_HEAD_DAMPED, vsp__body, linear_damping, 3, true),
    WORD_GROUP(BODY_HEAD_MARKED, vsp__body, max_speed, 1, true),
};

#define GROUPS_BEFORE_POSE 1u

static const word_group shape_groups[] = {
    WORD_GROUP(SHAPE_HEAD_SIZE, vsp__shape, size, 3, true),
    WORD_GROUP(SHAPE_HEAD_POSITION, vsp__shape, pose.position, 3, true),
    WORD_GROUP(SHAPE_HEAD_ROTATION, vsp__shape, pose.rotation, 4, true),
    WORD_GROUP(SHAPE_HEAD_MATTER, vsp__shape, density, 3, true),
    WORD_GROUP(SHAPE_HEAD_FILTER, vsp__shape, filter, 3, true),
    WORD_GROUP(SHAPE_HEAD_SURFACE, vsp__shape, surface, 3, true),
#if VSP_ROLLING
    WORD_GROUP(SHAPE_HEAD_ROLLING, vsp__shape, rolling, 2, true),
#endif
};

/* The previous records, from which the next one differs. */
typedef struct last_records {
    const vsp__body *body;
    uint32_t head; /* of the previous body; reading only */
    uint32_t shape_slot;
    vsp__shape shape;
    vsp__body first; /* previous record of the first body */
} last_records;

static VSP__CALLED void start_records(last_records *last)
{
    vsp__zero_bytes(last, sizeof *last);
    last->body = &last->first;
    last->first.generation = 1;
    last->first.gravity_scale = VSP__REAL(1.0);
    last->first.max_speed = rate_read(VSP_MAX_SPEED);
    last->shape.generation = 1;
    last->shape.pose.rotation = q_identity();
    last->shape_slot = 0xffffffffu;
}

/* Returns the flags of the groups that have to be written. */
static uint32_t group_flags(const word_group *g, uint32_t count,
                            const void *state, const void *before)
{
    uint32_t flags = 0;

    for (; count > 0; g++, count--)
        if (vsp__words_differ((const unsigned char *)state + 4u * g->first,
                              g->is_as_before ? (const unsigned char *)before +
                                                    4u * g->first
                                              : NULL,
                              g->count))
            flags |= (uint32_t)1 << g->bit;
    return flags;
}

/* Writes or reads the groups whose flags are set.  When it reads, *state must
 * begin as a copy of the record before. */
static void stream_groups(word_stream *s, uint32_t flags, const word_group *g,
                          uint32_t count, void *state)
{
    for (; count > 0; g++, count--) {
        unsigned char *words = (unsigned char *)state + 4u * g->first;

        if (flags >> g->bit & 1u)
            stream_words(s, words, g->count);
        else if (!g->is_as_before)
            vsp__zero_bytes(words, 4u * g->count);
    }
}

/* Returns the square root, rounded down, one binary digit at a time. */
static uint32_t integer_root(uint64_t a)
{
    uint64_t root = 0, bit = (uint64_t)1 << 60;

    for (; bit != 0; bit >>= 2) {
        bool fits = a >= root + bit;

        if (fits)
            a -= root + bit;
        root = (root >> 1) + (fits ? bit : 0);
    }
    return (uint32_t)root;
}

/* Computes the largest component of a unit quaternion from the other three:
 * sqrt(1 - x^2 - y^2 - z^2) in integers.  It differs from the stored component
 * by some units of the last place, because the length of the quaternion is not
 * exactly 1.  Returns 0 for components that no unit quaternion has. */
static vsp__num last_component(const vsp__num other[3])
{
    uint64_t rest = (uint64_t)1 << (2 * VSP__UNIT_PLACES);
    uint32_t i;

    for (i = 0; i < 3; i++) {
        int64_t q;

        if (!r_in(other[i], VSP__UNIT(-1.0), VSP__UNIT(1.0)))
            return 0;
        q = u_to_places(other[i]);
        if ((uint64_t)(q * q) > rest)
            return 0;
        rest -= (uint64_t)(q * q);
    }
    return u_of_places((int32_t)integer_root(rest));
}

/* Returns the flags of a rotation.  They replace its largest component: which
 * one it is, its sign, and its distance from last_component in units of the
 * last place, plus 32.  If that is not 1 to 63, returns 0: all four components
 * are written. */
static uint32_t rotation_flags(const vsp__unit_quat *rotation)
{
    const vsp__num *part = &rotation->x;
    uint32_t largest = 0, count = 0, i, off;
    vsp__num other[3];

    for (i = 1; i < 4; i++)
        if (r_abs(part[i]) > r_abs(part[largest]))
            largest = i;
    for (i = 0; i < 4; i++)
        if (i != largest)
            other[count++] = part[i];
    off = r_bits(r_abs(part[largest])) - r_bits(last_component(other)) + 32u;
    if (off < 1u || off > 63u)
        return 0;
    return off << BODY_HEAD_OFF_SHIFT | largest << BODY_HEAD_LARGEST_SHIFT |
           (part[largest] < 0 ? BODY_HEAD_NEGATIVE : 0);
}

static void stream_rotation(word_stream *s, uint32_t head,
                            vsp__unit_quat *rotation)
{
    uint32_t off = head >> BODY_HEAD_OFF_SHIFT & 63u;
    uint32_t largest = head >> BODY_HEAD_LARGEST_SHIFT & 3u;
    uint32_t count = 0, i, bits;
    vsp__num *part = &rotation->x;
    vsp__num other[3];

    if (off == 0) {
        stream_words(s, part, 4);
        return;
    }
    for (i = 0; i < 4; i++) {
        if (i == largest)
            continue;
        stream_words(s, &part[i], 1);
        other[count++] = part[i];
    }
    bits = r_bits(last_component(other)) + off - 32u;
    part[largest] = u_signed_bits(bits, (head & BODY_HEAD_NEGATIVE) != 0);
}

static uint32_t flag_if(bool is_set, uint32_t flag)
{
    return is_set ? flag : 0;
}

static uint32_t shape_kind_word(const vsp__shape *shape)
{
    return shape->type | (uint32_t)shape->rules << 8 |
           (uint32_t)shape->table << 16;
}

static uint32_t shape_flags(const last_records *last, const vsp__shape *shape,
                            uint32_t slot)
{
    const vsp__shape *same = &last->shape;

    return flag_if(shape->next_shape != 0, SHAPE_HEAD_MORE) |
           flag_if(slot != last->shape_slot + 1u ||
                       shape->generation != same->generation,
                   SHAPE_HEAD_PLACE) |
           flag_if(shape_kind_word(shape) != shape_kind_word(same),
                   SHAPE_HEAD_KIND) |
           flag_if(shape->user != same->user, SHAPE_HEAD_USER) |
           group_flags(shape_groups, VSP__COUNT_OF(shape_groups), shape, same);
}

/* Writes or reads a shape without its links. */
static void stream_shape(word_stream *s, uint32_t flags, vsp__shape *shape,
                         uint32_t *slot)
{
    uint32_t place = *slot | (uint32_t)shape->generation << 16;
    uint32_t kind = shape_kind_word(shape), user = shape->user;

    if (flags & SHAPE_HEAD_PLACE)
        stream_words(s, &place, 1);
    if (flags & SHAPE_HEAD_KIND)
        stream_words(s, &kind, 1);
    if (flags & SHAPE_HEAD_USER)
        stream_words(s, &user, 1);
    stream_groups(s, flags, shape_groups, VSP__COUNT_OF(shape_groups), shape);
    *slot = place & 0xffffu;
    shape->generation = (uint16_t)(place >> 16);
    shape->type = (uint8_t)(kind & 0xffu);
    shape->rules = (uint8_t)(kind >> 8 & 0xffu);
    shape->table = (uint16_t)(kind >> 16);
    shape->user = (uint16_t)(user & 0xffffu);
    if (user > 0xffffu)
        shape->type = 0;
}

static uint32_t body_head(const last_records *last, const vsp__body *b)
{
    const vsp__body *same = last->body;

    if (b->type == 0)
        return (uint32_t)b->generation << 16;
    return vsp__type_of_body(b) |
           (uint32_t)b->mass_given << BODY_HEAD_GIVEN_SHIFT |
           flag_if((b->type & VSP__DISABLED) != 0, BODY_HEAD_DISABLED) |
           rotation_flags(&b->rotation) |
           group_flags(body_groups, VSP__COUNT_OF(body_groups), b, same) |
           flag_if(b->generation != same->generation, BODY_HEAD_GENERATION) |
           flag_if(b->flags != same->flags, BODY_HEAD_MARKED) |
           flag_if(b->first_shape != 0, BODY_HEAD_SHAPES);
}

/* Writes or reads a body in use, without its shapes and the mass that follows
 * from them.  Returns false if its generation or flags are out of range. */
static bool stream_body(word_stream *s, uint32_t head, vsp__body *b)
{
    uint32_t generation = b->generation, flags = b->flags;

    if (head & BODY_HEAD_GENERATION)
        stream_words(s, &generation, 1);
    stream_groups(s, head, body_groups, GROUPS_BEFORE_POSE, b);
    stream_words(s, &b->position, 3);
    stream_rotation(s, head, &b->rotation);
    stream_groups(s, head, body_groups + GROUPS_BEFORE_POSE,
                  VSP__COUNT_OF(body_groups) - GROUPS_BEFORE_POSE, b);
    if (head & BODY_HEAD_MARKED)
        stream_words(s, &flags, 1);
    b->generation = (uint16_t)(generation & 0xffffu);
    b->flags = (uint16_t)(flags & 0xffffu);
    if (b->mass_given != 0)
        stream_words(s, &b->given, 1);
    if (b->mass_given == 2) {
        stream_words(s, &b->mass_data.center, 3);
        stream_words(s, &b->mass_data.inertia, VSP__WORDS(vsp__sym3));
        b->mass_data.mass = b->given;
    }
    return (generation | flags) <= 0xffffu;
}


/* ---- Records of joints -----------------------------------------------------
 * A head of flags, then the words that differ from the joint before. */

/* The head of a joint.  Type 0 is a free slot, whose generation is the high
 * half.  A flag without a comment says that the field of its name follows. */
#define JOINT_HEAD_TYPE 7u
#define JOINT_HEAD_FLAG_SHIFT 3u /* five bits: VSP__JOINT_COLLIDES ... */
#define JOINT_HEAD_FLAGS 31u
#define JOINT_HEAD_GENERATION 0x100u
#define JOINT_HEAD_USER 0x200u
#define JOINT_HEAD_POSITION_A 0x400u
#define JOINT_HEAD_ROTATION_A 0x800u
#define JOINT_HEAD_POSITION_B 0x1000u
#define JOINT_HEAD_ROTATION_B 0x2000u
#define JOINT_HEAD_LIMITS 0x4000u    /* low, high, cone */
#define JOINT_HEAD_MOTOR 0x8000u     /* motor_speed, motor_max */
#define JOINT_HEAD_STRENGTH 0x10000u /* break_impulse, break_turn */
#define JOINT_HEAD_IMPULSE 0x20000u  /* seven bits: a multiplier each */
#define JOINT_HEAD_SPRING 0x1000000u /* hertz, ratio */
#define JOINT_HEAD_RIGID 0x2000000u  /* VSP__JOINT_RIGID */
#define JOINT_HEAD_YIELD 0x4000000u  /* yield_torque, break_angle */
#define JOINT_HEAD_BENT 0x8000000u
#define JOINT_HEAD_TYPE_7 0x10000000u /* add 7 to the type */
#define JOINT_HEAD_ADDED 0x20000000u  /* SHOCK: the other impulses */

#define IMPULSE_GROUP(row) \
    WORD_GROUP(JOINT_HEAD_IMPULSE << (row), vsp__joint, impulse[row], 1, false)

static const word_group joint_groups[] = {
    WORD_GROUP(JOINT_HEAD_USER, vsp__joint, user, 1, true),
    WORD_GROUP(JOINT_HEAD_POSITION_A, vsp__joint, frame[0].position, 3, true),
    WORD_GROUP(JOINT_HEAD_ROTATION_A, vsp__joint, frame[0].rotation, 4, true),
    WORD_GROUP(JOINT_HEAD_POSITION_B, vsp__joint, frame[1].position, 3, true),
    WORD_GROUP(JOINT_HEAD_ROTATION_B, vsp__joint, frame[1].rotation, 4, true),
    WORD_GROUP(JOINT_HEAD_LIMITS, vsp__joint, low, 3, true),
    WORD_GROUP(JOINT_HEAD_MOTOR, vsp__joint, motor_speed, 2, true),
    WORD_GROUP(JOINT_HEAD_STRENGTH, vsp__joint, break_impulse, 2, true),
    IMPULSE_GROUP(VSP__ROW_X),
    IMPULSE_GROUP(VSP__ROW_Y),
    IMPULSE_GROUP(VSP__ROW_Z),
    IMPULSE_GROUP(VSP__ROW_TURN_X),
    IMPULSE_GROUP(VSP__ROW_TURN_Y),
    IMPULSE_GROUP(VSP__ROW_TURN_Z),
    IMPULSE_GROUP(VSP__ROW_MOTOR),
    WORD_GROUP(JOINT_HEAD_SPRING, vsp__joint, hertz, 2, true),
    WORD_GROUP(JOINT_HEAD_YIELD, vsp__joint, yield_torque, 2, true),
    WORD_GROUP(JOINT_HEAD_BENT, vsp__joint, bent, 1, false),
    WORD_GROUP(JOINT_HEAD_ADDED, vsp__joint, impulse[VSP__JOINT_ROWS],
               7 * VSP_SHOCK, false),
};

/* The previous record of the first joint. */
static vsp__joint first_joint(void)
{
    vsp__joint j;

    vsp__zero_bytes(&j, sizeof j);
    j.generation = 1;
    j.frame[0].rotation = j.frame[1].rotation = q_identity();
    j.cone = r_read(VSP__HALF_TURN);
    return j;
}

static uint32_t joint_head(const vsp__joint *last, const vsp__joint *j)
{
    if (j->type == 0)
        return (uint32_t)j->generation << 16;
    return (j->type > 7u ? (j->type - 7u) | JOINT_HEAD_TYPE_7 : j->type) |
           (j->flags & JOINT_HEAD_FLAGS) << JOINT_HEAD_FLAG_SHIFT |
           flag_if((j->flags & VSP__JOINT_RIGID) != 0, JOINT_HEAD_RIGID) |
           flag_if(j->generation != last->generation, JOINT_HEAD_GENERATION) |
           group_flags(joint_groups, VSP__COUNT_OF(joint_groups), j, last);
}

/* Writes or reads a joint in use.  Returns false if its generation is out of
 * range. */
static bool stream_joint(word_stream *s, uint32_t head, vsp__joint *j)
{
    uint32_t generation = j->generation;
    uint32_t bodies = j->body[0] | (uint32_t)j->body[1] << 16;

    if (head & JOINT_HEAD_GENERATION)
        stream_words(s, &generation, 1);
    j->generation = (uint16_t)(generation & 0xffffu);
    stream_words(s, &bodies, 1);
    j->body[0] = (uint16_t)(bodies & 0xffffu);
    j->body[1] = (uint16_t)(bodies >> 16);
    stream_groups(s, head, joint_groups, VSP__COUNT_OF(joint_groups), j);
    return generation <= 0xffffu;
}

/* Whether a joint is valid in a world with these parameters: only SHOCK adds
 * impulses. */
static bool is_joint_of(const vsp__params *p, const vsp__joint *j)
{
    return VSP_JOINTS && vsp__is_joint(j) &&
           (p->stepper == (uint32_t)VSP_STEPPER_SHOCK ||
            !vsp__words_differ(j->impulse + VSP__JOINT_ROWS, NULL,
                               VSP__ADDED_WORDS));
}

static void write_joints(const vsp_world *world, word_stream *s)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    vsp__joint last = first_joint();
    uint32_t i;

    for (i = 0; i < pool->used; i++) {
        vsp__joint j = pool->joints[i];
        uint32_t head = joint_head(&last, &j);

        stream_words(s, &head, 1);
        if (j.type == 0)
            continue;
        (void)stream_joint(s, head, &j);
        last = j;
    }
}


/* ---- Snapshot ------------------------------------------------------------ */

/* Words of the header: five that name the build, then these. */
#define HEADER_WORDS 13u
#define HEADER_SIZE_WORD 5u
#define HEADER_CHECKSUM_WORD VSP__CHECKSUM_WORD
#define HEADER_BODIES_WORD 7u
#define HEADER_SHAPES_WORD 8u
#define HEADER_JOINTS_WORD 9u
#define HEADER_WARM_WORD 10u
#define HEADER_SENSED_WORD 11u
#define HEADER_HULLS_WORD 12u

VSP_STATIC_ASSERT(snapshot_head,
                  4u * (HEADER_WORDS + VSP__WORDS(vsp__params)) ==
                      VSP__SNAPSHOT_HEAD_BYTES);

/* Returns the checksum of all words; its own word counts as 0. */
static uint32_t snapshot_checksum(const unsigned char *bytes, uint32_t words)
{
    uint32_t hash = 0, i;

    for (i = 0; i < words; i++)
        hash = vsp__hash_word(hash,
                              i == HEADER_CHECKSUM_WORD
                                  ? 0
                                  : vsp__get_word(bytes + 4u * (size_t)i));
    return vsp__hash_end(hash);
}

/* Runtime hulls come before the bodies, whose mass they give. */
#if VSP_MAX_RUNTIME_HULLS > 0

static uint32_t used_hulls(const vsp_world *world)
{
    return vsp__hull_pool_of(world)->used;
}

static void write_hulls(const vsp_world *world, word_stream *s)
{
    uint32_t i;

    for (i = 0; i < used_hulls(world); i++) {
        vsp__runtime_hull *hull = vsp__hull_pool_of(world)->hulls + i;
        uint32_t head = hull_head(hull);

        stream_words(s, &head, 1);
        stream_words(s, hull->vertices, 3u * (head >> 16));
    }
}

/* Keeps the hulls of the world while it has those that are read. */
static void keep_hulls(const vsp_world *world, vsp__restore_buffer *in)
{
    vsp__copy_bytes(in->hulls, vsp__hull_pool_of(world),
                    sizeof(vsp__hull_pool));
}

static void bring_hulls_back(vsp_world *world, const vsp__restore_buffer *in)
{
    vsp__copy_bytes(vsp__hull_pool_of(world), in->hulls,
                    sizeof(vsp__hull_pool));
}

static bool are_places(const vsp_place *places, uint32_t count)
{
    const int32_t most = 100 * VSP_PLACE;
    uint32_t i, k;

    for (i = 0; i < count; i++)
        for (k = 0; k < 3; k++)
            if (place_part(places + i, k) < -most ||
                place_part(places + i, k) > most)
                return false;
    return true;
}

/* Makes a hull of its vertices, unless the world has the same one in this
 * slot.  Returns false if they are not those of a hull. */
static bool read_hull(word_stream *s, vsp__runtime_hull *hull)
{
    vsp_place vertices[VSP_MAX_HULL_POINTS];
    uint32_t head = 0, count, made;

    stream_words(s, &head, 1);
    count = made = head >> 16;
    if (count > VSP_MAX_HULL_POINTS || (count > 0 && count < 4))
        return false;
    stream_words(s, vertices, 3u * count);
    if (head >> 16 != hull_head(hull) >> 16 ||
        vsp__words_differ(vertices, hull->vertices, 3u * count)) {
        if (!are_places(vertices, count))
            return false;
        vsp__zero_bytes(hull, sizeof *hull);
        vsp__copy_bytes(hull->vertices, vertices, count * sizeof *vertices);
        if (count > 0 && (!vsp__build_hull(hull, &made) || made != count))
            return false;
    }
    hull->generation = (uint16_t)(head & 0xffffu);
    return true;
}

static bool read_hulls(vsp_world *world, word_stream *s, uint32_t count)
{
    vsp__hull_pool *pool = vsp__hull_pool_of(world);
    uint32_t i;

    for (i = 0; i < count; i++)
        if (!read_hull(s, pool->hulls + i) || s->at > s->words)
            return false;
    vsp__zero_bytes(pool->hulls + count,
                    (VSP_MAX_RUNTIME_HULLS - count) * sizeof *pool->hulls);
    pool->used = count;
    return true;
}

/* Checks the hulls of a world in their place. */
static bool are_sound_hulls(const vsp_world *world)
{
    const vsp__hull_pool *pool = vsp__hull_pool_of(world);
    vsp_hull view;
    uint32_t i;

    if (pool->used > VSP_MAX_RUNTIME_HULLS)
        return false;
    for (i = 0; i < VSP_MAX_RUNTIME_HULLS; i++) {
        const vsp__runtime_hull *hull = pool->hulls + i;

        if (hull->table.kind == 0)
            continue;
        vsp__view_hull(hull, &view);
        if (i >= pool->used || hull->table.vertex_count > VSP_MAX_HULL_POINTS ||
            hull->table.face_count > VSP__RUNTIME_FACES ||
            vsp__check_table(&view) != VSP_FLAW_NONE)
            return false;
    }
    return true;
}

#else

static uint32_t used_hulls(const vsp_world *world)
{
    (void)world;
    return 0;
}

static void write_hulls(const vsp_world *world, word_stream *s)
{
    (void)world;
    (void)s;
}

static void keep_hulls(const vsp_world *world, vsp__restore_buffer *in)
{
    (void)world;
    (void)in;
}

static void bring_hulls_back(vsp_world *world, const vsp__restore_buffer *in)
{
    (void)world;
    (void)in;
}

static bool read_hulls(vsp_world *world, word_stream *s, uint32_t count)
{
    (void)world;
    (void)s;
    return count == 0;
}

static bool are_sound_hulls(const vsp_world *world)
{
    (void)world;
    return true;
}

#endif /* VSP_MAX_RUNTIME_HULLS */

static void write_header(const vsp_world *world, word_stream *s)
{
    uint32_t header[HEADER_WORDS] = {SNAPSHOT_MAGIC, VSP_FORMAT_VERSION,
                                     VSP_VERSION, VSP_BITS_VERSION,
                                     SCALAR_KIND};
    vsp__params params = world->params;

    header[HEADER_BODIES_WORD] = world->body_used;
    header[HEADER_SHAPES_WORD] = world->shape_used;
    if (VSP_JOINTS)
        header[HEADER_JOINTS_WORD] = vsp__joint_pool_of(world)->used;
    header[HEADER_WARM_WORD] = world->warm_count;
    header[HEADER_SENSED_WORD] = world->sensed_count | count_tiles(world) << 16;
    header[HEADER_HULLS_WORD] = used_hulls(world);
    stream_words(s, header, HEADER_WORDS);
    stream_words(s, &params, VSP__WORDS(vsp__params));
}

static void write_body(const vsp_world *world, uint32_t slot,
                       last_records *last, word_stream *s)
{
    vsp__body b = world->bodies[slot];
    uint32_t next = b.first_shape, head = body_head(last, &b);

    if (next != 0)
        head |= shape_flags(last, world->shapes + (next - 1u), next - 1u);
    stream_words(s, &head, 1);
    if (b.type == 0)
        return;
    (void)stream_body(s, head, &b);
    last->body = world->bodies + slot;
    while (next != 0) {
        vsp__shape shape = world->shapes[next - 1u];
        uint32_t place = next - 1u;

        stream_shape(s, head, &shape, &place);
        last->shape = shape;
        last->shape_slot = place;
        next = shape.next_shape;
        if (next == 0)
            return;
        head = shape_flags(last, world->shapes + (next - 1u), next - 1u);
        stream_words(s, &head, 1);
    }
}

/* Tiles of height fields come before the rules of pairs; their number is in the
 * high half of the word of the sensed pairs. */
#if VSP_FIELD_EDITS

static void write_tiles(const vsp_world *world, word_stream *s)
{
    uint32_t words[TILE_WORDS], i;

    for (i = 0; i < world->tile_count; i++) {
        pack_tile(world->tiles + i, words);
        stream_words(s, words, TILE_WORDS);
    }
}

/* Reads the numbers of sensed pairs and of tiles. */
static void take_sensed_word(vsp__restore_buffer *in, uint32_t word)
{
    in->sensed_count = word & 0xffffu;
    in->tile_count = word >> 16;
}

/* Checks the tiles in the next words of a stream, and moves it past them. */
static bool are_tiles(const vsp_world *world, word_stream *s,
                      const vsp__restore_buffer *in)
{
    uint32_t words[TILE_WORDS], i;
    vsp__field_tile t, last = {0};

    for (i = 0; i < in->tile_count; i++) {
        stream_words(s, words, TILE_WORDS);
        if (s->at > s->words || !unpack_tile(words, &t) ||
            t.shape >= in->shape_count ||
            !vsp__is_tile(world, in->shapes + t.shape, &t) ||
            (i > 0 && !vsp__is_tile_after(&t, &last)))
            return false;
        last = t;
    }
    return in->tile_count <= VSP_MAX_FIELD_TILES;
}

static void adopt_tiles(vsp_world *world, word_stream *s,
                        const vsp__restore_buffer *in)
{
    uint32_t words[TILE_WORDS], i;

    for (i = 0; i < in->tile_count; i++) {
        stream_words(s, words, TILE_WORDS);
        (void)unpack_tile(words, world->tiles + i);
    }
    world->tile_count = in->tile_count;
}

/* Checks the tiles of a world in their place. */
static bool are_sound_tiles(const vsp_world *world)
{
    uint32_t i;

    if (world->tile_count > VSP_MAX_FIELD_TILES)
        return false;
    for (i = 0; i < world->tile_count; i++) {
        const vsp__field_tile *t = world->tiles + i;
        vsp__field_tile bound = *t;

        vsp__bound_tile(&bound);
        if (t->shape >= world->shape_limit || bound.high != t->high ||
            !vsp__is_tile(world, world->shapes + t->shape, t) ||
            (i > 0 && !vsp__is_tile_after(t, t - 1)))
            return false;
    }
    return true;
}

#else

static void write_tiles(const vsp_world *world, word_stream *s)
{
    (void)world;
    (void)s;
}

/* A word with tiles exceeds any capacity of sensed pairs, and is refused. */
static void take_sensed_word(vsp__restore_buffer *in, uint32_t word)
{
    in->sensed_count = word;
}

static bool are_tiles(const vsp_world *world, word_stream *s,
                      const vsp__restore_buffer *in)
{
    (void)world;
    (void)s;
    (void)in;
    return true;
}

static void adopt_tiles(vsp_world *world, word_stream *s,
                        const vsp__restore_buffer *in)
{
    (void)world;
    (void)s;
    (void)in;
}

static bool are_sound_tiles(const vsp_world *world)
{
    (void)world;
    return true;
}

#endif /* VSP_FIELD_EDITS */

/* Rules of pairs are the end of a snapshot: its size tells how many. */
#if VSP_PAIR_RULES

static void write_rules(const vsp_world *world, word_stream *s)
{
    uint32_t i;

    for (i = 0; i < world->rule_count; i++) {
        vsp__pair_record rule = world->rules[i];

        stream_words(s, &rule, VSP__WORDS(vsp__pair_record));
    }
}

/* Checks the rules in the next words of a stream, which is a copy. */
static bool are_rules(word_stream s, uint32_t words)
{
    uint32_t count = words / VSP__WORDS(vsp__pair_record), i;
    vsp__pair_record rule;

    if (words % VSP__WORDS(vsp__pair_record) != 0 || count > VSP_MAX_PAIR_RULES)
        return false;
    for (i = 0; i < count; i++) {
        stream_words(&s, &rule, VSP__WORDS(vsp__pair_record));
        if (!vsp__is_pair_rule(&rule) ||
            (i + 1u == count && !vsp__is_rule_used(&rule)))
            return false;
    }
    return true;
}

static void adopt_rules(vsp_world *world, word_stream *s)
{
    world->rule_count = (s->words - s->at) / VSP__WORDS(vsp__pair_record);
    stream_words(s, world->rules,
                 world->rule_count * VSP__WORDS(vsp__pair_record));
}

/* Checks the rules of a world in its place. */
static bool are_sound_rules(const vsp_world *world)
{
    uint32_t i;

    if (world->rule_count > VSP_MAX_PAIR_RULES)
        return false;
    for (i = 0; i < world->rule_count; i++)
        if (!vsp__is_pair_rule(world->rules + i))
            return false;
    return i == 0 || vsp__is_rule_used(world->rules + i - 1u);
}

#else

static void write_rules(const vsp_world *world, word_stream *s)
{
    (void)world;
    (void)s;
}

static bool are_rules(word_stream s, uint32_t words)
{
    (void)s;
    return words == 0;
}

static void adopt_rules(vsp_world *world, word_stream *s)
{
    (void)world;
    (void)s;
}

static bool are_sound_rules(const vsp_world *world)
{
    (void)world;
    return true;
}

#endif /* VSP_PAIR_RULES */

static void write_state(const vsp_world *world, word_stream *s)
{
    last_records last;
    uint32_t i;

    start_records(&last);
    write_header(world, s);
    write_hulls(world, s);
    for (i = 0; i < world->body_used; i++)
        write_body(world, i, &last, s);
    for (i = 0; i < world->shape_used; i++) {
        uint32_t generation = world->shapes[i].generation;

        if (world->shapes[i].type == 0)
            stream_words(s, &generation, 1);
    }
    if (VSP_JOINTS)
        write_joints(world, s);
    for (i = 0; i < world->warm_count; i++) {
        vsp__warm_record warm = world->problem.between.warm[i];

        stream_words(s, &warm, VSP__WORDS(vsp__warm_record));
    }
    for (i = 0; i < world->sensed_count; i++) {
        uint32_t pair = world->sensed[i];

        stream_words(s, &pair, 1);
    }
    write_tiles(world, s);
    write_rules(world, s);
}

size_t vsp_snapshot_bytes(void)
{
    return VSP_SNAPSHOT_BYTES;
}

vsp_status vsp_world_snapshot(const vsp_world *world, void *buffer,
                              size_t capacity, size_t *size)
{
    word_stream s;

    if (!vsp__is_world(world) || buffer == NULL || size == NULL)
        return VSP_ERR_ARG;
    s.to = (unsigned char *)buffer;
    s.from = NULL;
    s.at = 0;
    s.words = capacity / 4u > VSP_SNAPSHOT_BYTES / 4u
                  ? (uint32_t)(VSP_SNAPSHOT_BYTES / 4u)
                  : (uint32_t)(capacity / 4u);
    write_state(world, &s);
    *size = 4u * (size_t)s.at;
    if (s.at > s.words)
        return VSP_ERR_MEMORY;
    vsp__set_word(s.to + 4u * HEADER_SIZE_WORD, 4u * s.at);
    vsp__set_word(s.to + 4u * HEADER_CHECKSUM_WORD,
                  snapshot_checksum(s.to, s.at));
    return VSP_OK;
}


/* ---- Restore ---------------------------------------------------------------
 * Bytes are read into scratch memory of the step, checked there as strictly as
 * arguments of calls, and only then copied to the state; runtime hulls are read
 * in place, and the old ones restored after an error.  A state has exactly one
 * snapshot: a head with unnecessary words, or with another component left out,
 * is refused. */

/* Reads and checks the shapes of a body and links them. */
static bool read_shapes(const vsp_world *world, word_stream *s, uint32_t flags,
                        last_records *last, vsp__restore_buffer *in,
                        uint32_t body)
{
    vsp__shape shape = last->shape, *before = NULL;

    for (;;) {
        uint32_t slot = (last->shape_slot + 1u) & 0xffffu;

        stream_shape(s, flags, &shape, &slot);
        if (slot >= in->shape_count || in->shapes[slot].type != 0 ||
            (((flags & SHAPE_HEAD_OWN) != 0 || shape.type == 0) &&
             !vsp__is_shape(world, &shape)) ||
            shape_flags(last, &shape, slot) != (flags & SHAPE_HEAD_DIFFERS) ||
            !vsp__shape_fits_body(&shape, in->bodies + body))
            return false;
        shape.body = (uint16_t)body;
        last->shape = shape;
        last->shape_slot = slot;
        if (before == NULL)
            in->bodies[body].first_shape = (uint16_t)(slot + 1u);
        else
            before->next_shape = (uint16_t)(slot + 1u);
        before = in->shapes + slot;
        *before = shape;
        if (!(flags & SHAPE_HEAD_MORE))
            return true;
        stream_words(s, &flags, 1);
        if (flags & ~SHAPE_HEAD_FLAGS)
            return false;
    }
}

/* Whether a body has the mass data of the previous body: both have a single
 * shape, with equal fields, and the same given mass or none. */
static bool has_mass_as_before(const last_records *last, uint32_t head,
                               const vsp__body *b)
{
    const uint32_t own = SHAPE_HEAD_OWN | BODY_HEAD_INERTIA;
    const uint32_t same = BODY_HEAD_TYPE | BODY_HEAD_GIVEN | BODY_HEAD_SHAPES |
                          SHAPE_HEAD_MORE;

    return (head & (BODY_HEAD_SHAPES | SHAPE_HEAD_MORE | own)) ==
               BODY_HEAD_SHAPES &&
           ((head ^ last->head) & same) == 0 &&
           w_bits(b->given) == w_bits(last->body->given);
}

/* Computes the mass data of a body that was read.  Returns false when no body
 * can have such a mass. */
static bool find_restored_mass(const vsp_world *world,
                               const vsp__restore_buffer *in,
                               const last_records *last, uint32_t head,
                               vsp__body *b)
{
    vsp__shape_list list;
    vsp__mass_data m;

    if (vsp__type_of_body(b) != (uint32_t)VSP_DYNAMIC + 1u)
        return b->mass_given == 0;
    if (has_mass_as_before(last, head, b)) {
        b->mass_data = last->body->mass_data;
        return true;
    }
    if (b->mass_given != 0 && w_less(b->given, w_read(VSP_MIN_MASS)))
        return false;
    list.world = world;
    list.shapes = in->shapes;
    vsp__find_body_mass(&list, b, NULL, VSP_MAX_SHAPES, &m);
    if (!vsp__is_mass_data(&m))
        return false;
    if (b->mass_given != 2)
        vsp__store_mass(b, &m);
    return true;
}

static bool read_body(const vsp_world *world, word_stream *s,
                      last_records *last, vsp__restore_buffer *in,
                      uint32_t slot)
{
    vsp__body *b = in->bodies + slot;
    uint32_t head = 0;

    stream_words(s, &head, 1);
    if ((head & BODY_HEAD_TYPE) == 0) {
        b->generation = (uint16_t)(head >> 16);
        return (head & 0xffffu) == 0;
    }
    *b = *last->body;
    b->type = (uint8_t)((head & BODY_HEAD_TYPE) |
                        (head & BODY_HEAD_DISABLED ? VSP__DISABLED : 0));
    b->mass_given = (uint8_t)(head >> BODY_HEAD_GIVEN_SHIFT & 3u);
    b->first_shape = 0;
    b->given = VSP__W_ZERO;
    vsp__zero_bytes(&b->mass_data, sizeof b->mass_data);
    if (!stream_body(s, head, b) || s->at > s->words || !vsp__is_body(b) ||
        body_head(last, b) != (head & ~BODY_HEAD_OF_SHAPES) ||
        (in->params.sleep == 0 && b->flags >= VSP__ASLEEP))
        return false;
    if (head & BODY_HEAD_SHAPES ? !read_shapes(world, s, head, last, in, slot)
                                : (head & SHAPE_HEAD_FLAGS) != 0)
        return false;
    if (!find_restored_mass(world, in, last, head, b))
        return false;
    last->body = b;
    last->head = head;
    return true;
}

static bool is_live_shape(const vsp__restore_buffer *in, uint32_t slot)
{
    return slot < in->shape_count && in->shapes[slot].type != 0;
}

/* Whether a tangential multiplier is in range, without its low four bits,
 * which hold half of a feature. */
static bool is_tangent(vsp__wide a, vsp__wide limit)
{
    return w_in(w_from_bits(w_bits(a) & ~(uint32_t)15), w_neg(limit), limit);
}

/* Checks the warm records, the pairs in sensors, tiles and rules of pairs.  The
 * stream is a copy: adopt_state reads the same words again. */
static bool are_pairs(const vsp_world *world, word_stream s,
                      const vsp__restore_buffer *in)
{
    const vsp__wide limit = w_read(VSP_MAX_FORCE);
    uint32_t i, last = 0;

    for (i = 0; i < in->warm_count; i++) {
        vsp__warm_record w = {0};

        stream_words(&s, &w, VSP__WORDS(vsp__warm_record));
        if (w.pair < last ||
            ((i == 0 || w.pair != last) &&
             !(is_live_shape(in, w.pair >> 16) &&
               is_live_shape(in, w.pair & 0xffffu))) ||
            !(w_in(w.normal, VSP__W_ZERO, limit) || vsp__is_roll_record(&w)) ||
            !is_tangent(w.tangent1, limit) || !is_tangent(w.tangent2, limit))
            return false;
        last = w.pair;
    }
    for (i = 0, last = 0; i < in->sensed_count; i++) {
        uint32_t pair = 0;

        stream_words(&s, &pair, 1);
        if (pair <= last || !is_live_shape(in, pair >> 16) ||
            !is_live_shape(in, pair & 0xffffu) ||
            !((in->shapes[pair >> 16].rules ^
               in->shapes[pair & 0xffffu].rules) &
              VSP__SENSOR))
            return false;
        last = pair;
    }
    return are_tiles(world, &s, in) &&
           (in->warm_count == 0 ||
            vsp__uses_warm_records(&in->params, s.at < s.words)) &&
           are_rules(s, s.words - s.at);
}

/* Checks version, size, checksum, capacities and parameters. */
static vsp_status read_header(const vsp_world *world, word_stream *s,
                              size_t size, vsp__restore_buffer *in)
{
    uint32_t header[HEADER_WORDS];
    const vsp_capacity *c = &in->params.capacity;

    if (size < VSP__SNAPSHOT_HEAD_BYTES)
        return VSP_ERR_TRUNCATED;
    stream_words(s, header, HEADER_WORDS);
    if (header[0] != SNAPSHOT_MAGIC || header[1] != VSP_FORMAT_VERSION ||
        header[3] != VSP_BITS_VERSION || header[4] != SCALAR_KIND)
        return VSP_ERR_VERSION;
    if (header[HEADER_SIZE_WORD] != size || size % 4u != 0)
        return VSP_ERR_TRUNCATED;
    if (snapshot_checksum(s->from, s->words) != header[HEADER_CHECKSUM_WORD])
        return VSP_ERR_CHECKSUM;
    stream_words(s, &in->params, VSP__WORDS(vsp__params));
    if (c->bodies > VSP_MAX_BODIES || c->shapes > VSP_MAX_SHAPES ||
        c->pairs > VSP_MAX_PAIRS || c->manifolds > VSP_MAX_MANIFOLDS ||
        c->contacts > VSP_MAX_CONTACTS || c->sensed > VSP_MAX_SENSED ||
        c->joints > (VSP_JOINTS ? VSP_MAX_JOINTS : 0))
        return VSP_ERR_FULL;
    in->body_count = header[HEADER_BODIES_WORD];
    in->shape_count = header[HEADER_SHAPES_WORD];
    in->joint_count = header[HEADER_JOINTS_WORD];
    in->warm_count = header[HEADER_WARM_WORD];
    take_sensed_word(in, header[HEADER_SENSED_WORD]);
    in->hull_count = header[HEADER_HULLS_WORD];
    if (in->hull_count > VSP_MAX_RUNTIME_HULLS)
        return VSP_ERR_FULL;
    if (!vsp__are_params(&in->params) || in->body_count > c->bodies ||
        in->shape_count > c->shapes || in->joint_count > c->joints ||
        in->warm_count > c->contacts || in->sensed_count > c->sensed)
        return VSP_ERR_DATA;
    return vsp__sweeps_of(&in->params) > world->sweep_limit ? VSP_ERR_FULL
                                                            : VSP_OK;
}

/* Reads and checks the joints, after the bodies. */
static bool read_joints(const vsp_world *world, word_stream *s,
                        const vsp__restore_buffer *in)
{
    vsp__joint *joints = vsp__joint_pool_of(world)->scratch.incoming;
    vsp__joint last = first_joint();
    uint32_t i;

    if (!VSP_JOINTS)
        return true;
    vsp__zero_bytes(joints, (size_t)in->joint_count * sizeof *joints);
    for (i = 0; i < in->joint_count; i++) {
        vsp__joint *j = &joints[i];
        uint32_t head = 0;

        stream_words(s, &head, 1);
        if ((head & JOINT_HEAD_TYPE) == 0) {
            j->generation = (uint16_t)(head >> 16);
            if (head & 0xffffu)
                return false;
            continue;
        }
        *j = last;
        j->type = (uint8_t)((head & JOINT_HEAD_TYPE) +
                            (head & JOINT_HEAD_TYPE_7 ? 7u : 0u));
        j->flags = (uint8_t)(head >> JOINT_HEAD_FLAG_SHIFT & JOINT_HEAD_FLAGS);
        vsp__set_flag(j, VSP__JOINT_RIGID, (head & JOINT_HEAD_RIGID) != 0);
        if (!stream_joint(s, head, j) || s->at > s->words ||
            !is_joint_of(&in->params, j) || joint_head(&last, j) != head ||
            !vsp__joint_fits_bodies(j, in->bodies, in->body_count))
            return false;
        last = *j;
    }
    return true;
}

/* Reads and checks bodies, shapes and joints.  Returns false, too, when the
 * warm records and pairs in sensors would not fit into the rest. */
static bool read_bodies(const vsp_world *world, word_stream *s,
                        vsp__restore_buffer *in)
{
    last_records last;
    uint32_t i;

    start_records(&last);
    vsp__zero_bytes(in->bodies, (size_t)in->body_count * sizeof(vsp__body));
    vsp__zero_bytes(in->shapes, (size_t)in->shape_count * sizeof(vsp__shape));
    for (i = 0; i < in->body_count; i++)
        if (!read_body(world, s, &last, in, i))
            return false;
    for (i = 0; i < in->shape_count; i++) {
        uint32_t generation = 0;

        if (in->shapes[i].type != 0)
            continue;
        stream_words(s, &generation, 1);
        if (generation > 0xffffu)
            return false;
        in->shapes[i].generation = (uint16_t)(generation & 0xffffu);
    }
    if (!read_joints(world, s, in))
        return false;
    return s->at + VSP__WORDS(vsp__warm_record) * in->warm_count +
               in->sensed_count <=
           s->words;
}

/* Computes the limits of slots in use, and the counts of bodies and shapes. */
static void recount_slots(vsp_world *world)
{
    vsp__counters *stats = &world->stats;
    uint32_t i;

    stats->body_count = stats->shape_count = 0;
    world->body_free = world->shape_free = 0;
    world->body_limit = world->body_used;
    world->shape_limit = world->shape_used;
    vsp__shrink_limits(world);
    for (i = 0; i < world->body_limit; i++)
        if (world->bodies[i].type != 0)
            vsp__count_up(&stats->body_count, &stats->body_high);
    for (i = 0; i < world->shape_limit; i++)
        if (world->shapes[i].type != 0)
            vsp__count_up(&stats->shape_count, &stats->shape_high);
}

/* Copies `count` records of `size` bytes to the world, which had `used`
 * records, and clears the old ones beyond. */
static void adopt_records(void *restrict records, const void *restrict incoming,
                          size_t size, uint32_t count, uint32_t used)
{
    unsigned char *to = (unsigned char *)records;
    const unsigned char *from = (const unsigned char *)incoming;
    size_t i, end = size * (size_t)count;

    for (i = 0; i < end; i++)
        to[i] = from[i];
    if (used > count)
        vsp__zero_bytes(to + end, size * (size_t)(used - count));
}

static void adopt_joints(vsp_world *world, uint32_t count)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);

    if (!VSP_JOINTS)
        return;
    adopt_records(pool->joints, pool->scratch.incoming, sizeof(vsp__joint),
                  count, pool->used);
    pool->used = count;
    vsp__recount_joints(world);
}

/* Copies the checked state to the world.  Data that are not state (events,
 * contacts, statistics of the last step) are cleared. */
static void adopt_state(vsp_world *world, word_stream *s)
{
    const vsp__restore_buffer *in = &world->problem.between.incoming;
    uint32_t i;

    world->params = in->params;
    adopt_records(world->bodies, in->bodies, sizeof(vsp__body), in->body_count,
                  world->body_used);
    adopt_records(world->shapes, in->shapes, sizeof(vsp__shape),
                  in->shape_count, world->shape_used);
    for (i = 0; i < in->warm_count; i++)
        stream_words(s, world->problem.between.warm + i,
                     VSP__WORDS(vsp__warm_record));
    for (i = 0; i < in->sensed_count; i++)
        stream_words(s, world->sensed + i, 1);
    adopt_tiles(world, s, in);
    adopt_rules(world, s);
    world->body_used = in->body_count;
    world->shape_used = in->shape_count;
    world->warm_count = in->warm_count;
    world->sensed_count = in->sensed_count;
    recount_slots(world);
    adopt_joints(world, in->joint_count);
    vsp__clear_step_stats(&world->stats);
    vsp__forget_contacts(world);
    world->event_count = 0;
}

vsp_status vsp_world_restore(vsp_world *world, const void *buffer, size_t size)
{
    vsp__restore_buffer *in;
    vsp_status status;
    word_stream s;

    if (!vsp__is_world(world) || buffer == NULL)
        return VSP_ERR_ARG;
    s.to = NULL;
    s.from = (const unsigned char *)buffer;
    s.at = 0;
    s.words = (uint32_t)(size / 4u);
    in = &world->problem.between.incoming;
    status = read_header(world, &s, size, in);
    if (status < 0)
        return status;
    if (in->params.tables != world->params.tables)
        return VSP_ERR_TABLE;
    keep_hulls(world, in);
    if (!read_hulls(world, &s, in->hull_count) || !read_bodies(world, &s, in) ||
        !are_pairs(world, s, in)) {
        bring_hulls_back(world, in);
        return VSP_ERR_DATA;
    }
    adopt_state(world, &s);
    return VSP_OK;
}

#if VSP_LOCKSTEP

bool vsp__has_settings_of(const vsp_world *world, const void *snapshot)
{
    vsp__params theirs;
    word_stream s;

    s.to = NULL;
    s.from = (const unsigned char *)snapshot;
    s.at = HEADER_WORDS;
    s.words = HEADER_WORDS + VSP__WORDS(vsp__params);
    stream_words(&s, &theirs, VSP__WORDS(vsp__params));
    theirs.gravity = world->params.gravity;
    theirs.tables = world->params.tables;
    theirs.tick = world->params.tick;
    return !vsp__words_differ(&theirs, &world->params, VSP__WORDS(vsp__params));
}

#endif


/* ---- Validation ---------------------------------------------------------- */

static bool has_valid_mass(const vsp__body *b)
{
    return vsp__is_mass_data(&b->mass_data) &&
           (w_is_zero(b->mass_data.mass) ||
            vsp__type_of_body(b) == (uint32_t)VSP_DYNAMIC + 1u);
}

/* Checks a body and its list of shapes, which it counts. */
static bool is_sound_body(const vsp_world *world, uint32_t slot,
                          uint32_t *listed)
{
    const vsp__body *b = world->bodies + slot;
    uint32_t next = b->first_shape, steps = 0;

    while (next != 0 && steps++ <= world->shape_limit) {
        const vsp__shape *shape;

        if (next > world->shape_limit)
            return false;
        shape = world->shapes + (next - 1u);
        if (shape->body != slot || !vsp__is_shape(world, shape) ||
            !vsp__shape_fits_body(shape, b))
            return false;
        next = shape->next_shape;
        *listed += 1;
    }
    return next == 0 && vsp__is_body(b) && has_valid_mass(b) &&
           (world->params.sleep != 0 || b->flags < VSP__ASLEEP);
}

static uint32_t live_shapes(const vsp_world *world)
{
    uint32_t i, count = 0;

    for (i = 0; i < world->shape_limit; i++)
        count += world->shapes[i].type != 0 ? 1u : 0u;
    return count;
}

static bool are_sound_joints(const vsp_world *world)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i, count = 0;

    if (!VSP_JOINTS)
        return true;
    for (i = 0; i < pool->limit; i++) {
        const vsp__joint *j = pool->joints + i;

        if (j->type == 0)
            continue;
        count++;
        if (!is_joint_of(&world->params, j) ||
            !vsp__joint_fits_bodies(j, world->bodies, world->body_limit))
            return false;
    }
    return count == world->stats.joint_count;
}

vsp_status vsp_world_validate(const vsp_world *world, vsp_body_id *suspect)
{
    uint32_t i, bodies = 0, listed = 0;

    if (suspect != NULL)
        suspect->bits = 0;
    if (!vsp__is_world(world))
        return VSP_ERR_ARG;
    for (i = 0; i < world->body_limit; i++) {
        if (world->bodies[i].type == 0)
            continue;
        bodies++;
        if (is_sound_body(world, i, &listed))
            continue;
        if (suspect != NULL)
            *suspect = vsp_body_at(world, i);
        return VSP_ERR_DATA;
    }
    if (bodies != world->stats.body_count || !vsp__are_params(&world->params) ||
        listed != world->stats.shape_count || listed != live_shapes(world) ||
        !are_sound_joints(world) || !are_sound_rules(world) ||
        !are_sound_hulls(world) || !are_sound_tiles(world))
        return VSP_ERR_DATA;
    return VSP_OK;
}

#endif /* VSP_SNAPSHOTS */
