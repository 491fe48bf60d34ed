/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The state of a world as words, in this order: the hash, the words of a
 * snapshot, records of bodies and shapes, of joints, snapshot, restore, and
 * validation, which checks a world in place as restore checks bytes.
 * Optional: the engine calls nothing in here. */

#include "vsp_internal.h"

#define SNAPSHOT_MAGIC 0x53505356u /* "VSPS" */
#define SCALAR_KIND (VSP_FIXED ? 2u : 1u)

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))


/* ---- The hash --------------------------------------------------------------
 * Of the state as 32-bit words, whatever the byte order: see SPEC.md. */

static uint32_t mix_words(uint32_t hash, const void *state, uint32_t count)
{
    const unsigned char *bytes = (const unsigned char *)state;

    for (; count > 0; bytes += 4, count--)
        hash = vsp__mix(hash, vsp__load_word(bytes));
    return hash;
}

/* how bodies, shapes and joints begin: in numbers of less than a word */
typedef struct small_numbers {
    uint16_t generation;
    uint8_t type, kind;
    uint16_t half[2];
} small_numbers;

/* Mixes records, which have so many words each. */
static uint32_t mix_records(uint32_t hash, const void *records,
                            uint32_t words, uint32_t count)
{
    const unsigned char *at = (const unsigned char *)records;
    small_numbers n;

    for (; count > 0; at += 4u * words, count--) {
        vsp__copy(&n, at, sizeof n);
        hash = vsp__mix(hash, n.generation | (uint32_t)n.type << 16 |
                                  (uint32_t)n.kind << 24);
        hash = vsp__mix(hash, n.half[0] | (uint32_t)n.half[1] << 16);
        hash = mix_words(hash, at + sizeof n, words - 2u);
    }
    return hash;
}

uint32_t vsp_world_hash(const vsp_world *world)
{
    const vsp__joints *pool;
    uint32_t hash = VSP_BITS_VERSION, i;

    if (!vsp__is_world(world))
        return 0;
    pool = vsp__joints_of(world);
    hash = mix_words(hash, &world->params, VSP__WORDS(vsp__params));
    hash = mix_records(hash, world->bodies, VSP__WORDS(vsp__body),
                       world->body_used);
    hash = mix_records(hash, world->shapes, VSP__WORDS(vsp__shape),
                       world->shape_used);
    if (VSP_JOINTS)
        hash = mix_records(hash, pool->joints, VSP__WORDS(vsp__joint),
                           pool->used);
    for (i = 0; i < world->warm_count; i++)
        hash = mix_words(hash, world->problem.between.warm + i,
                         VSP__WORDS(vsp__warm));
    hash = mix_words(hash, world->sensed, world->sensed_count);
    return vsp__avalanche(hash);
}


/* ---- The snapshot as a stream of words -------------------------------------
 * Words of four bytes, the least significant first.  The same functions
 * write and read, so that the two cannot disagree: what is passed goes out
 * of the state, or into it. */

typedef struct stream {
    unsigned char *to;         /* null: reads */
    const unsigned char *from;
    uint32_t at, words;        /* the next word; how many there are */
} stream;

/* Beyond the end zeros are read and nothing is written; s->at tells. */
static void pass(stream *s, void *state, uint32_t count)
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
            vsp__store_word(bytes, is_inside ? vsp__get_word(from + place)
                                             : 0);
    else if (is_inside)
        for (; count > 0; bytes += 4, place += 4, count--)
            vsp__set_word(to + place, vsp__load_word(bytes));
}


/* ---- Records of bodies and shapes -------------------------------------------
 * A head of flags, then what differs from the record before.  A body's
 * shapes follow it, in the order of its list; the flags of the first are in
 * the body's head.  So nothing is written that follows from something else:
 * links, mass, the largest component of a rotation. */

#define HEAD_TYPE 3u          /* vsp_body_type + 1; 0: free, and the high half
                                 is the generation */
#define HEAD_GIVEN_SHIFT 2u   /* two bits: mass_given */
#define HEAD_GIVEN 12u
#define HEAD_INERTIA 8u       /* of them: it was given, too */
#define HEAD_LARGEST_SHIFT 4u /* two bits: which component is not there */
#define HEAD_NEGATIVE 0x40u   /* and has a sign */
#define HEAD_OFF_SHIFT 7u     /* six bits: units of the last place by which it
                                 is off the root, + 32; 0: it is there */
#define HEAD_MOVES 0x2000u    /* velocity and spin */
#define HEAD_FORCED 0x4000u   /* force and torque */
#define HEAD_USER 0x8000u
#define HEAD_DAMPED 0x10000u  /* dampings and gravity scale */
#define HEAD_GENERATION 0x20000u
#define HEAD_SHAPES 0x40000u
#define HEAD_MARKED 0x80000u /* max_speed and flags */
#define HEAD_NOTHING 0xe0000000u /* never set */

#define SHAPE_FLAGS 0x1ff00000u
#define SHAPE_MORE 0x100000u  /* another one follows */
#define SHAPE_PLACE 0x200000u /* slot and generation; else the next slot */
#define SHAPE_KIND 0x400000u  /* type and rules */
#define SHAPE_SIZE 0x800000u
#define SHAPE_POSITION 0x1000000u
#define SHAPE_ROTATION 0x2000000u
#define SHAPE_MATTER 0x4000000u /* density, friction, restitution */
#define SHAPE_FILTER 0x8000000u
#define SHAPE_SURFACE 0x10000000u
#define SHAPE_OWN 0x1fc00000u /* whatever is not as in the shape before */

/* Words of a struct that are there under a flag, and are else as in the record
 * before, or 0. */
typedef struct word_group {
    uint8_t bit;          /* of the flag */
    uint8_t first, count; /* in words from the beginning of the struct */
    bool is_as_before;
} word_group;

/* which bit a flag is */
#define BIT_OF(flag)                    \
    (((flag) & 0xffff0000u ? 16u : 0) + \
     ((flag) & 0xff00ff00u ? 8u : 0) +  \
     ((flag) & 0xf0f0f0f0u ? 4u : 0) +  \
     ((flag) & 0xccccccccu ? 2u : 0) +  \
     ((flag) & 0xaaaaaaaau ? 1u : 0))

#define GROUP(flag, type, field, count, is_as_before)         \
    {(uint8_t)BIT_OF(flag), (uint8_t)(offsetof(type, field) / 4u), count, \
     is_as_before}

static const word_group body_groups[] = {
    GROUP(HEAD_USER, vsp__body, user, 1, true),
    /* position and rotation are always there */
    GROUP(HEAD_MOVES, vsp__body, velocity, 6, false), /* and spin */
    GROUP(HEAD_FORCED, vsp__body, force, 6, false),   /* and torque */
    GROUP(HEAD_DAMPED, vsp__body, linear_damping, 3, true),
    GROUP(HEAD_MARKED, vsp__body, max_speed, 1, true),
};

#define GROUPS_BEFORE_POSE 1u

static const word_group shape_groups[] = {
    GROUP(SHAPE_SIZE, vsp__shape, size, 3, true),
    GROUP(SHAPE_POSITION, vsp__shape, pose.position, 3, true),
    GROUP(SHAPE_ROTATION, vsp__shape, pose.rotation, 4, true),
    GROUP(SHAPE_MATTER, vsp__shape, density, 3, true),
    GROUP(SHAPE_FILTER, vsp__shape, filter, 3, true),
    GROUP(SHAPE_SURFACE, vsp__shape, surface, 3, true),
};

typedef struct trail { /* the records before */
    const vsp__body *body;
    uint32_t head; /* of that body, where it was read */
    uint32_t shape_slot;
    vsp__shape shape;
    vsp__body first; /* what stands before the first body */
} trail;

static void trail_begin(trail *t)
{
    vsp__clear(t, sizeof *t);
    t->body = &t->first;
    t->first.generation = 1;
    t->first.gravity_scale = VSP__R(1.0);
    t->first.max_speed = rate_read(VSP_MAX_SPEED);
    t->shape.generation = 1;
    t->shape.pose.rotation = q_identity();
    t->shape_slot = 0xffffffffu;
}

/* the flags of the groups that must be there */
static uint32_t group_flags(const word_group *g, uint32_t count,
                            const void *state, const void *before)
{
    uint32_t flags = 0;

    for (; count > 0; g++, count--)
        if (vsp__differs((const unsigned char *)state + 4u * g->first,
                         g->is_as_before
                             ? (const unsigned char *)before + 4u * g->first
                             : NULL,
                         g->count))
            flags |= (uint32_t)1 << g->bit;
    return flags;
}

/* What is read begins as a copy of the record before. */
static void pass_groups(stream *s, uint32_t flags, const word_group *g,
                        uint32_t count, void *state)
{
    for (; count > 0; g++, count--) {
        unsigned char *words = (unsigned char *)state + 4u * g->first;

        if (flags >> g->bit & 1u)
            pass(s, words, g->count);
        else if (!g->is_as_before)
            vsp__clear(words, 4u * g->count);
    }
}

/* root of a, rounded down, digit by digit */
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

/* The largest component of a unit quaternion from the three others, within
 * units of the last place: the root of what they leave of 1, all of them as
 * integers.  0 when they cannot be. */
static vsp__real last_component(const vsp__real other[3])
{
    uint64_t rest = (uint64_t)1 << (2 * UNIT_PLACES);
    uint32_t i;

    for (i = 0; i < 3; i++) {
        int64_t q;

        if (!r_in(other[i], VSP__U(-1.0), VSP__U(1.0)))
            return 0;
        q = u_to_places(other[i]);
        if ((uint64_t)(q * q) > rest)
            return 0;
        rest -= (uint64_t)(q * q);
    }
    return u_of_places((int32_t)integer_root(rest));
}

/* the flags that say how a rotation is written */
static uint32_t rotation_flags(const vsp__quat *rotation)
{
    const vsp__real *part = &rotation->x;
    uint32_t largest = 0, count = 0, i, off;
    vsp__real other[3];

    for (i = 1; i < 4; i++)
        if (r_abs(part[i]) > r_abs(part[largest]))
            largest = i;
    for (i = 0; i < 4; i++)
        if (i != largest)
            other[count++] = part[i];
    off = r_bits(r_abs(part[largest])) - r_bits(last_component(other)) + 32u;
    if (off < 1u || off > 63u)
        return 0;
    return off << HEAD_OFF_SHIFT | largest << HEAD_LARGEST_SHIFT |
           (part[largest] < 0 ? HEAD_NEGATIVE : 0);
}

static void pass_rotation(stream *s, uint32_t head, vsp__quat *rotation)
{
    uint32_t off = head >> HEAD_OFF_SHIFT & 63u;
    uint32_t largest = head >> HEAD_LARGEST_SHIFT & 3u;
    uint32_t count = 0, i, bits;
    vsp__real *part = &rotation->x;
    vsp__real other[3];

    if (off == 0) {
        pass(s, part, 4);
        return;
    }
    for (i = 0; i < 4; i++) {
        if (i == largest)
            continue;
        pass(s, &part[i], 1);
        other[count++] = part[i];
    }
    bits = r_bits(last_component(other)) + off - 32u;
    part[largest] = u_signed_bits(bits, (head & HEAD_NEGATIVE) != 0);
}

static uint32_t flag_if(bool is_set, uint32_t flag)
{
    return is_set ? flag : 0;
}

static uint32_t kind_word(const vsp__shape *shape)
{
    return shape->type | (uint32_t)shape->rules << 8 | shape->table << 16;
}

static uint32_t shape_flags(const trail *last, const vsp__shape *shape,
                            uint32_t slot)
{
    const vsp__shape *same = &last->shape;

    return flag_if(shape->next_shape != 0, SHAPE_MORE) |
           flag_if(slot != last->shape_slot + 1u ||
                       shape->generation != same->generation, SHAPE_PLACE) |
           flag_if(kind_word(shape) != kind_word(same), SHAPE_KIND) |
           group_flags(shape_groups, COUNT_OF(shape_groups), shape, same);
}

/* Passes a shape but for its links. */
static void pass_shape(stream *s, uint32_t flags, vsp__shape *shape,
                       uint32_t *slot)
{
    uint32_t place = *slot | (uint32_t)shape->generation << 16;
    uint32_t kind = kind_word(shape);

    if (flags & SHAPE_PLACE)
        pass(s, &place, 1);
    if (flags & SHAPE_KIND)
        pass(s, &kind, 1);
    pass_groups(s, flags, shape_groups, COUNT_OF(shape_groups), shape);
    *slot = place & 0xffffu;
    shape->generation = (uint16_t)(place >> 16);
    shape->type = (uint8_t)(kind & 0xffu);
    shape->rules = (uint8_t)(kind >> 8 & 0xffu);
    shape->table = kind >> 16;
}

static uint32_t body_head(const trail *last, const vsp__body *b)
{
    const vsp__body *same = last->body;

    if (b->type == 0)
        return (uint32_t)b->generation << 16;
    return b->type | (uint32_t)b->mass_given << HEAD_GIVEN_SHIFT |
           rotation_flags(&b->rotation) |
           group_flags(body_groups, COUNT_OF(body_groups), b, same) |
           flag_if(b->generation != same->generation, HEAD_GENERATION) |
           flag_if(b->flags != same->flags, HEAD_MARKED) |
           flag_if(b->first_shape != 0, HEAD_SHAPES);
}

/* Passes a body in use but for its shapes and what follows from them.  A
 * generation that is none is read as a type that is none. */
static void pass_body(stream *s, uint32_t head, vsp__body *b)
{
    uint32_t generation = b->generation, flags = b->flags;

    if (head & HEAD_GENERATION)
        pass(s, &generation, 1);
    pass_groups(s, head, body_groups, GROUPS_BEFORE_POSE, b);
    pass(s, &b->position, 3);
    pass_rotation(s, head, &b->rotation);
    pass_groups(s, head, body_groups + GROUPS_BEFORE_POSE,
                COUNT_OF(body_groups) - GROUPS_BEFORE_POSE, b);
    if (head & HEAD_MARKED)
        pass(s, &flags, 1);
    if ((generation | flags) > 0xffffu)
        b->type = 0xffu;
    b->generation = (uint16_t)(generation & 0xffffu);
    b->flags = (uint16_t)(flags & 0xffffu);
    if (b->mass_given != 0)
        pass(s, &b->given, 1);
    if (b->mass_given == 2) {
        pass(s, &b->matter.center, 3);
        pass(s, &b->matter.inertia, VSP__WORDS(vsp__sym3));
        b->matter.mass = b->given;
    }
}


/* ---- Records of joints -----------------------------------------------------
 * As those of bodies: a head of flags, then what differs from the joint
 * before. */

#define JOINT_TYPE 7u        /* 0: free, and the high half is the generation */
#define JOINT_FLAG_SHIFT 3u  /* five bits: VSP__JOINT_... */
#define JOINT_GENERATION 0x100u
#define JOINT_USER 0x200u
#define JOINT_POSITION_A 0x400u
#define JOINT_ROTATION_A 0x800u
#define JOINT_POSITION_B 0x1000u
#define JOINT_ROTATION_B 0x2000u
#define JOINT_LIMITS 0x4000u   /* low, high, cone */
#define JOINT_MOTOR 0x8000u    /* its speed, and most */
#define JOINT_STRENGTH 0x10000u
#define JOINT_IMPULSE 0x20000u /* and the next six bits: a multiplier each */
#define JOINT_NOTHING 0xff000000u /* never set */

#define MULTIPLIER(row) \
    GROUP(JOINT_IMPULSE << (row), vsp__joint, impulse[row], 1, false)

static const word_group joint_groups[] = {
    GROUP(JOINT_USER, vsp__joint, user, 1, true),
    GROUP(JOINT_POSITION_A, vsp__joint, frame[0].position, 3, true),
    GROUP(JOINT_ROTATION_A, vsp__joint, frame[0].rotation, 4, true),
    GROUP(JOINT_POSITION_B, vsp__joint, frame[1].position, 3, true),
    GROUP(JOINT_ROTATION_B, vsp__joint, frame[1].rotation, 4, true),
    GROUP(JOINT_LIMITS, vsp__joint, low, 3, true),
    GROUP(JOINT_MOTOR, vsp__joint, motor_speed, 2, true),
    GROUP(JOINT_STRENGTH, vsp__joint, break_impulse, 2, true),
    MULTIPLIER(VSP__ROW_X), MULTIPLIER(VSP__ROW_Y), MULTIPLIER(VSP__ROW_Z),
    MULTIPLIER(VSP__ROW_TURN_X), MULTIPLIER(VSP__ROW_TURN_Y),
    MULTIPLIER(VSP__ROW_TURN_Z), MULTIPLIER(VSP__ROW_MOTOR),
};

/* what stands before the first */
static vsp__joint first_joint(void)
{
    vsp__joint j;

    vsp__clear(&j, sizeof j);
    j.generation = 1;
    j.frame[0].rotation = j.frame[1].rotation = q_identity();
    j.cone = r_read(VSP__HALF_TURN);
    return j;
}

static uint32_t joint_head(const vsp__joint *last, const vsp__joint *j)
{
    if (j->type == 0)
        return (uint32_t)j->generation << 16;
    return j->type | (uint32_t)j->flags << JOINT_FLAG_SHIFT |
           flag_if(j->generation != last->generation, JOINT_GENERATION) |
           group_flags(joint_groups, COUNT_OF(joint_groups), j, last);
}

/* Passes a joint in use.  A generation that is none is read as a type that is
 * none. */
static void pass_joint(stream *s, uint32_t head, vsp__joint *last,
                       vsp__joint *j)
{
    uint32_t generation = j->generation;
    uint32_t bodies = j->body[0] | (uint32_t)j->body[1] << 16;

    if (head & JOINT_GENERATION)
        pass(s, &generation, 1);
    j->generation = (uint16_t)(generation & 0xffffu);
    if (generation > 0xffffu)
        j->type = 0xffu;
    pass(s, &bodies, 1);
    j->body[0] = (uint16_t)(bodies & 0xffffu);
    j->body[1] = (uint16_t)(bodies >> 16);
    pass_groups(s, head, joint_groups, COUNT_OF(joint_groups), j);
    *last = *j;
}

static void write_joints(const vsp_world *world, stream *s)
{
    const vsp__joints *pool = vsp__joints_of(world);
    vsp__joint last = first_joint();
    uint32_t i;

    for (i = 0; i < pool->used; i++) {
        vsp__joint j = pool->joints[i];
        uint32_t head = joint_head(&last, &j);

        pass(s, &head, 1);
        if (j.type != 0)
            pass_joint(s, head, &last, &j);
    }
}


/* ---- Snapshot ------------------------------------------------------------ */

#define HEADER_WORDS 12u
#define SIZE_WORD 5u
#define CHECKSUM_WORD VSP__CHECKSUM_WORD
#define BODIES_WORD 7u
#define SHAPES_WORD 8u
#define JOINTS_WORD 9u
#define WARM_WORD 10u
#define SENSED_WORD 11u

VSP_STATIC_ASSERT(snapshot_head,
                  4u * (HEADER_WORDS + VSP__WORDS(vsp__params)) ==
                      VSP__SNAPSHOT_HEAD_BYTES);

/* of all words but itself */
static uint32_t checksum(const unsigned char *bytes, uint32_t words)
{
    uint32_t hash = 0, i;

    for (i = 0; i < words; i++)
        hash = vsp__mix(hash, i == CHECKSUM_WORD
                                  ? 0
                                  : vsp__get_word(bytes + 4u * (size_t)i));
    return vsp__avalanche(hash);
}

static void write_header(const vsp_world *world, stream *s)
{
    uint32_t header[HEADER_WORDS] = {SNAPSHOT_MAGIC, VSP_FORMAT_VERSION,
                                     VSP_VERSION, VSP_BITS_VERSION,
                                     SCALAR_KIND};
    vsp__params params = world->params;

    header[BODIES_WORD] = world->body_used;
    header[SHAPES_WORD] = world->shape_used;
    if (VSP_JOINTS)
        header[JOINTS_WORD] = vsp__joints_of(world)->used;
    header[WARM_WORD] = world->warm_count;
    header[SENSED_WORD] = world->sensed_count;
    pass(s, header, HEADER_WORDS);
    pass(s, &params, VSP__WORDS(vsp__params));
}

static void write_body(const vsp_world *world, uint32_t slot, trail *last,
                       stream *s)
{
    vsp__body b = world->bodies[slot];
    uint32_t next = b.first_shape, head = body_head(last, &b);

    if (next != 0)
        head |= shape_flags(last, world->shapes + (next - 1u), next - 1u);
    pass(s, &head, 1);
    if (b.type == 0)
        return;
    pass_body(s, head, &b);
    last->body = world->bodies + slot;
    while (next != 0) {
        vsp__shape shape = world->shapes[next - 1u];
        uint32_t place = next - 1u;

        pass_shape(s, head, &shape, &place);
        last->shape = shape;
        last->shape_slot = place;
        next = shape.next_shape;
        if (next == 0)
            return;
        head = shape_flags(last, world->shapes + (next - 1u), next - 1u);
        pass(s, &head, 1);
    }
}

static void write_state(const vsp_world *world, stream *s)
{
    trail last;
    uint32_t i;

    trail_begin(&last);
    write_header(world, s);
    for (i = 0; i < world->body_used; i++)
        write_body(world, i, &last, s);
    for (i = 0; i < world->shape_used; i++) {
        uint32_t generation = world->shapes[i].generation;

        if (world->shapes[i].type == 0)
            pass(s, &generation, 1);
    }
    if (VSP_JOINTS)
        write_joints(world, s);
    for (i = 0; i < world->warm_count; i++) {
        vsp__warm warm = world->problem.between.warm[i];

        pass(s, &warm, VSP__WORDS(vsp__warm));
    }
    for (i = 0; i < world->sensed_count; i++) {
        uint32_t pair = world->sensed[i];

        pass(s, &pair, 1);
    }
}

vsp_status vsp_world_snapshot(const vsp_world *world, void *buffer,
                              size_t capacity, size_t *size)
{
    stream s;

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
    vsp__set_word(s.to + 4u * SIZE_WORD, 4u * s.at);
    vsp__set_word(s.to + 4u * CHECKSUM_WORD, checksum(s.to, s.at));
    return VSP_OK;
}


/* ---- Restore ----------------------------------------------------------------
 * Everything is read into memory that the next step would use, checked there
 * like any argument, and only then made the world's. */

static bool read_shapes(const vsp_world *world, stream *s, uint32_t flags,
                        trail *last, vsp__incoming *in, uint32_t body)
{
    vsp__shape *shape = &last->shape, *before = NULL;

    for (;;) {
        uint32_t slot = (last->shape_slot + 1u) & 0xffffu;

        pass_shape(s, flags, shape, &slot);
        if (slot >= in->shape_count || in->shapes[slot].type != 0 ||
            (((flags & SHAPE_OWN) != 0 || shape->type == 0) &&
             !vsp__is_shape(world, shape)) ||
            !vsp__suits_body(shape, in->bodies + body))
            return false;
        shape->body = (uint16_t)body;
        last->shape_slot = slot;
        if (before == NULL)
            in->bodies[body].first_shape = (uint16_t)(slot + 1u);
        else
            before->next_shape = (uint16_t)(slot + 1u);
        before = in->shapes + slot;
        *before = *shape;
        if (!(flags & SHAPE_MORE))
            return true;
        pass(s, &flags, 1);
        if (flags & ~SHAPE_FLAGS)
            return false;
    }
}

/* Whether a body and the one before have one shape, the same one, and were
 * given the same mass or none: then they are of the same matter. */
static bool weighs_as_before(const trail *last, uint32_t head,
                             const vsp__body *b)
{
    const uint32_t own = SHAPE_OWN | HEAD_INERTIA;
    const uint32_t same = HEAD_TYPE | HEAD_GIVEN | HEAD_SHAPES | SHAPE_MORE;

    return (head & (HEAD_SHAPES | SHAPE_MORE | own)) == HEAD_SHAPES &&
           ((head ^ last->head) & same) == 0 &&
           w_bits(b->given) == w_bits(last->body->given);
}

/* Finds what a body weighs from what was read.  Whether it can. */
static bool weigh_body(const vsp_world *world, const vsp__incoming *in,
                       const trail *last, uint32_t head, vsp__body *b)
{
    vsp__shape_list list;
    vsp__matter m;

    if (b->type != (uint32_t)VSP_DYNAMIC + 1u)
        return b->mass_given == 0;
    if (weighs_as_before(last, head, b)) {
        b->matter = last->body->matter;
        return true;
    }
    if (b->mass_given != 0 && w_less(b->given, w_read(VSP_MIN_MASS)))
        return false;
    list.world = world;
    list.shapes = in->shapes;
    vsp__weigh(&list, b, NULL, VSP_MAX_SHAPES, &m);
    if (!vsp__is_mass(&m))
        return false;
    if (b->mass_given != 2)
        vsp__store_mass(b, &m);
    return true;
}

static bool read_body(const vsp_world *world, stream *s, trail *last,
                      vsp__incoming *in, uint32_t slot)
{
    vsp__body *b = in->bodies + slot;
    uint32_t head = 0;

    pass(s, &head, 1);
    if ((head & HEAD_TYPE) == 0) {
        b->generation = (uint16_t)(head >> 16);
        return (head & 0xffffu) == 0;
    }
    *b = *last->body;
    b->type = (uint8_t)(head & HEAD_TYPE);
    b->mass_given = (uint8_t)(head >> HEAD_GIVEN_SHIFT & 3u);
    b->first_shape = 0;
    b->given = W_ZERO;
    vsp__clear(&b->matter, sizeof b->matter);
    pass_body(s, head, b);
    if ((head & HEAD_NOTHING) || s->at > s->words || !vsp__is_body(b) ||
        (in->params.sleep == 0 && b->flags >= VSP__ASLEEP))
        return false;
    if (head & HEAD_SHAPES ? !read_shapes(world, s, head, last, in, slot)
                           : (head & SHAPE_FLAGS) != 0)
        return false;
    if (!weigh_body(world, in, last, head, b))
        return false;
    last->body = b;
    last->head = head;
    return true;
}

static bool is_live_shape(const vsp__incoming *in, uint32_t slot)
{
    return slot < in->shape_count && in->shapes[slot].type != 0;
}

/* whether a tangential multiplier, its nibble taken out, is in range */
static bool is_tangent(vsp__wide a, vsp__wide limit)
{
    return w_in(w_from_bits(w_bits(a) & ~(uint32_t)15), w_neg(limit), limit);
}

/* from where the stream is: warm records, then what is in sensors */
static bool are_links(stream s, const vsp__incoming *in)
{
    const vsp__wide limit = w_read(VSP_MAX_FORCE);
    uint32_t i, last = 0;

    for (i = 0; i < in->warm_count; i++) {
        vsp__warm w = {0};

        pass(&s, &w, VSP__WORDS(vsp__warm));
        if (w.pair < last ||
            ((i == 0 || w.pair != last) &&
             !(is_live_shape(in, w.pair >> 16) &&
               is_live_shape(in, w.pair & 0xffffu))) ||
            !w_in(w.normal, W_ZERO, limit) ||
            !is_tangent(w.tangent1, limit) || !is_tangent(w.tangent2, limit))
            return false;
        last = w.pair;
    }
    for (i = 0, last = 0; i < in->sensed_count; i++) {
        uint32_t pair = 0;

        pass(&s, &pair, 1);
        if (pair <= last || !is_live_shape(in, pair >> 16) ||
            !is_live_shape(in, pair & 0xffffu) ||
            !((in->shapes[pair >> 16].rules ^
               in->shapes[pair & 0xffffu].rules) & VSP__SENSOR))
            return false;
        last = pair;
    }
    return true;
}

/* Checks size, kind and checksum, and reads what follows the header. */
static vsp_status read_header(stream *s, size_t size, vsp__incoming *in)
{
    uint32_t header[HEADER_WORDS];
    const vsp_capacity *c = &in->params.capacity;

    if (size < VSP__SNAPSHOT_HEAD_BYTES)
        return VSP_ERR_TRUNCATED;
    pass(s, header, HEADER_WORDS);
    if (header[0] != SNAPSHOT_MAGIC || header[1] != VSP_FORMAT_VERSION ||
        header[2] != VSP_VERSION || header[3] != VSP_BITS_VERSION ||
        header[4] != SCALAR_KIND)
        return VSP_ERR_VERSION;
    if (header[SIZE_WORD] != size || size % 4u != 0)
        return VSP_ERR_TRUNCATED;
    if (checksum(s->from, s->words) != header[CHECKSUM_WORD])
        return VSP_ERR_CHECKSUM;
    pass(s, &in->params, VSP__WORDS(vsp__params));
    if (c->bodies > VSP_MAX_BODIES || c->shapes > VSP_MAX_SHAPES ||
        c->pairs > VSP_MAX_PAIRS || c->manifolds > VSP_MAX_MANIFOLDS ||
        c->contacts > VSP_MAX_CONTACTS || c->sensed > VSP_MAX_SENSED ||
        c->joints > (VSP_JOINTS ? VSP_MAX_JOINTS : 0))
        return VSP_ERR_FULL;
    in->body_count = header[BODIES_WORD];
    in->shape_count = header[SHAPES_WORD];
    in->joint_count = header[JOINTS_WORD];
    in->warm_count = header[WARM_WORD];
    in->sensed_count = header[SENSED_WORD];
    if (!vsp__are_params(&in->params) || in->body_count > c->bodies ||
        in->shape_count > c->shapes || in->joint_count > c->joints ||
        in->warm_count > c->contacts ||
        in->sensed_count > c->sensed ||
        (!vsp__keeps_warm(&in->params) && in->warm_count > 0))
        return VSP_ERR_DATA;
    return VSP_OK;
}

/* Reads and checks joints: bodies have been read. */
static bool read_joints(const vsp_world *world, stream *s,
                        const vsp__incoming *in)
{
    vsp__joint *joints = vsp__joints_of(world)->scratch.incoming;
    vsp__joint last = first_joint();
    uint32_t i;

    vsp__clear(joints, (size_t)in->joint_count * sizeof *joints);
    for (i = 0; i < in->joint_count; i++) {
        vsp__joint *j = &joints[i];
        uint32_t head = 0;

        pass(s, &head, 1);
        if ((head & JOINT_TYPE) == 0) {
            j->generation = (uint16_t)(head >> 16);
            if (head & 0xffffu)
                return false;
            continue;
        }
        *j = last;
        j->type = (uint8_t)(head & JOINT_TYPE);
        j->flags = (uint8_t)(head >> JOINT_FLAG_SHIFT & VSP__JOINT_FLAGS);
        pass_joint(s, head, &last, j);
        if ((head & JOINT_NOTHING) || s->at > s->words ||
            !vsp__is_joint(j) ||
            !vsp__suits_bodies(j, in->bodies, in->body_count))
            return false;
    }
    return true;
}

/* Reads and checks all but the warm records and what is in sensors. */
static bool read_bodies(const vsp_world *world, stream *s,
                        vsp__incoming *in)
{
    trail last;
    uint32_t i;

    trail_begin(&last);
    vsp__clear(in->bodies, (size_t)in->body_count * sizeof(vsp__body));
    vsp__clear(in->shapes, (size_t)in->shape_count * sizeof(vsp__shape));
    for (i = 0; i < in->body_count; i++)
        if (!read_body(world, s, &last, in, i))
            return false;
    for (i = 0; i < in->shape_count; i++) {
        uint32_t generation = 0;

        if (in->shapes[i].type != 0)
            continue;
        pass(s, &generation, 1);
        if (generation > 0xffffu)
            return false;
        in->shapes[i].generation = (uint16_t)(generation & 0xffffu);
    }
    if (VSP_JOINTS && !read_joints(world, s, in))
        return false;
    return s->at + VSP__WORDS(vsp__warm) * in->warm_count + in->sensed_count ==
           s->words;
}

/* Counts what lives, for limits and statistics. */
static void recount(vsp_world *world)
{
    vsp__stats *stats = &world->stats;
    uint32_t i;

    stats->body_count = stats->shape_count = 0;
    world->body_free = world->shape_free = 0;
    world->body_limit = world->body_used;
    world->shape_limit = world->shape_used;
    vsp__lower_limits(world);
    for (i = 0; i < world->body_limit; i++)
        if (world->bodies[i].type != 0)
            vsp__count_up(&stats->body_count, &stats->body_high);
    for (i = 0; i < world->shape_limit; i++)
        if (world->shapes[i].type != 0)
            vsp__count_up(&stats->shape_count, &stats->shape_high);
}

/* Makes records of a size those of the world; used: how many it had. */
static void take_records(void *restrict records,
                         const void *restrict incoming, size_t size,
                         uint32_t count, uint32_t used)
{
    unsigned char *to = (unsigned char *)records;
    const unsigned char *from = (const unsigned char *)incoming;
    size_t i, end = size * (size_t)count;

    for (i = 0; i < end; i++)
        to[i] = from[i];
    if (used > count)
        vsp__clear(to + end, size * (size_t)(used - count));
}

static void take_in_joints(vsp_world *world, uint32_t count)
{
    vsp__joints *pool = vsp__joints_of(world);

    take_records(pool->joints, pool->scratch.incoming, sizeof(vsp__joint),
                 count, pool->used);
    pool->used = count;
    vsp__recount_joints(world);
}

/* Makes what was read and checked the world. */
static void take_in(vsp_world *world, stream *s)
{
    const vsp__incoming *in = &world->problem.between.incoming;
    uint32_t i;

    world->params = in->params;
    take_records(world->bodies, in->bodies, sizeof(vsp__body),
                 in->body_count, world->body_used);
    take_records(world->shapes, in->shapes, sizeof(vsp__shape),
                 in->shape_count, world->shape_used);
    for (i = 0; i < in->warm_count; i++)
        pass(s, world->problem.between.warm + i, VSP__WORDS(vsp__warm));
    for (i = 0; i < in->sensed_count; i++)
        pass(s, world->sensed + i, 1);
    world->body_used = in->body_count;
    world->shape_used = in->shape_count;
    world->warm_count = in->warm_count;
    world->sensed_count = in->sensed_count;
    recount(world);
    if (VSP_JOINTS)
        take_in_joints(world, in->joint_count);
    vsp__clear_step_stats(&world->stats);
    vsp__forget_contacts(world);
    world->event_count = 0;
}

vsp_status vsp_world_restore(vsp_world *world, const void *buffer,
                             size_t size)
{
    vsp__incoming *in;
    vsp_status status;
    stream s;

    if (!vsp__is_world(world) || buffer == NULL)
        return VSP_ERR_ARG;
    s.to = NULL;
    s.from = (const unsigned char *)buffer;
    s.at = 0;
    s.words = (uint32_t)(size / 4u);
    in = &world->problem.between.incoming;
    status = read_header(&s, size, in);
    if (status < 0)
        return status;
    if (in->params.tables != world->params.tables)
        return VSP_ERR_TABLE;
    if (!read_bodies(world, &s, in) || !are_links(s, in))
        return VSP_ERR_DATA;
    take_in(world, &s);
    return VSP_OK;
}


/* ---- Validation ---------------------------------------------------------- */

static bool is_mass_of(const vsp__body *b)
{
    return vsp__is_mass(&b->matter) &&
           (w_is_zero(b->matter.mass) || b->type == (uint32_t)VSP_DYNAMIC + 1u);
}

/* Checks a body and its list of shapes, and counts these. */
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
            !vsp__suits_body(shape, b))
            return false;
        next = shape->next_shape;
        *listed += 1;
    }
    return next == 0 && vsp__is_body(b) && is_mass_of(b) &&
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
    const vsp__joints *pool = vsp__joints_of(world);
    uint32_t i, count = 0;

    for (i = 0; i < pool->limit; i++) {
        const vsp__joint *j = pool->joints + i;

        if (j->type == 0)
            continue;
        count++;
        if (!vsp__is_joint(j) ||
            !vsp__suits_bodies(j, world->bodies, world->body_limit))
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
        listed != world->stats.shape_count ||
        listed != live_shapes(world) ||
        (VSP_JOINTS && !are_sound_joints(world)))
        return VSP_ERR_DATA;
    return VSP_OK;
}
