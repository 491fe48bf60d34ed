/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Records of the state, which determine all later steps: fields and their
 * limits; parameters of the world; bodies; shapes; rules of pairs; tiles of
 * height fields; warm records; joints.  Snapshots contain them and the hash
 * covers them.  They contain no address.  They are words of 32 bits, except for
 * tiles, and for small numbers at the beginning of a body, a shape and a
 * joint. */

#ifndef VSP_RECORDS_H
#define VSP_RECORDS_H

#include "words.h"


/* ---- Fields -------------------------------------------------------------- */

/* The format of a word of a record; PART: a mantissa of an inertia in fixed
 * point. */
typedef enum vsp__number_form {
    VSP__FORM_WORD,
    VSP__FORM_REAL,
    VSP__FORM_UNIT,
    VSP__FORM_RATE,
    VSP__FORM_WIDE,
    VSP__FORM_PART
} vsp__number_form;

/* limits of numbers: their values are in fields.c */
typedef enum vsp__number_range {
    VSP__RANGE_POSITION,
    VSP__RANGE_SIZE,
    VSP__RANGE_ROTATION,
    VSP__RANGE_SPEED,
    VSP__RANGE_FORCE,
    VSP__RANGE_DT,
    VSP__RANGE_ENVELOPE,
    VSP__RANGE_FRACTION,
    VSP__RANGE_SLEEP_TIME,
    VSP__RANGE_DENSITY,
    VSP__RANGE_FRICTION,
    VSP__RANGE_DAMPING,
    VSP__RANGE_SCALE,
    VSP__RANGE_MAX_SPEED,
    VSP__RANGE_GIVEN_MASS,
    VSP__RANGE_MASS,
    VSP__RANGE_CONE,
    VSP__RANGE_STRENGTH,
    VSP__RANGE_BENT,
    VSP__RANGE_DRIVE,
    VSP__RANGE_PAIR_FRICTION,
    VSP__RANGE_PAIR_RESTITUTION,
    VSP__RANGE_HIT_SPEED
} vsp__number_range;

/* Consecutive numbers of a record that have one format and the same limits. */
typedef struct vsp__field {
    uint16_t from; /* offset in the def, in bytes; 0: not in a def */
    uint8_t first; /* offset in the record, in words */
    uint8_t count;
    uint8_t form;  /* vsp__number_form */
    uint8_t range; /* vsp__number_range */
} vsp__field;

/* VSP__FIELD: a field of the record alone.  VSP__DEF_FIELD: one that is in a
 * def, too. */
#define VSP__FIELD(type, name, count, form, ends)       \
    {                                                   \
        0, offsetof(type, name) / 4u, count, form, ends \
    }

#define VSP__DEF_FIELD(type, name, def, from, count, form, ends)          \
    {                                                                     \
        offsetof(def, from), offsetof(type, name) / 4u, count, form, ends \
    }


/* ---- Parameters of the world --------------------------------------------- */

typedef struct vsp__params { /* see vsp_world_def */
    vsp__v3 gravity;         /* a rate: m/s^2 */
    vsp__num dt;             /* a unit, s */
    vsp__num envelope;
    vsp__num tolerance;   /* a rate */
    vsp__num fraction;    /* a unit */
    vsp__num sleep_speed; /* a rate */
    vsp__num sleep_time;
    vsp__num friction_damping; /* a unit */
    uint32_t stepper, friction, warm_start, sweeps, correction_sweeps;
    uint32_t rounds, search_tries, search_steps;
    uint32_t search; /* VSP_SEARCH_..., VSP__NO_RANGES ... */
    uint32_t sleep, reports;
    uint32_t tables; /* hash of the contents of all tables */
    vsp_capacity capacity;
    uint32_t tick;
    uint32_t continuous;
} vsp__params;

/* bits of search */
#define VSP__NO_RANGES 4u          /* joints have no ranges */
#define VSP__NO_HINGE_LOOPS 8u     /* hinge loops are not kept in a plane */
#define VSP__FREEZES_SUPPORTED 16u /* PGS freezes supported bodies */
#define VSP__NO_SEAMS 32u          /* edges of static shapes stop bodies */


/* ---- Bodies -------------------------------------------------------------- */

typedef struct vsp__mass_data {
    vsp__v3 center;    /* centre of mass, in the body's frame */
    vsp__wide mass;    /* 0: forces do not move the body */
    vsp__sym3 inertia; /* inertia of one kilogram, m^2: about the centre of
                          mass, in body axes */
} vsp__mass_data;

typedef struct vsp__body {
    uint16_t generation; /* counts the uses of this slot */
    uint8_t type;        /* vsp_body_type + 1, VSP__DISABLED; 0: slot is free */
    uint8_t mass_given;  /* by the caller: 0 nothing, 1 mass, 2 also inertia */
    uint16_t first_shape; /* slot + 1 of its newest shape; 0: none */
    uint16_t flags;       /* VSP__ALL_LOCKS ... */
    uint32_t user;
    vsp__wide given; /* the given mass, or 0 */
    /* consecutive numbers from here to the spin, and on to the end */
    vsp__v3 position; /* of the centre of mass */
    vsp__unit_quat rotation;
    vsp__v3 velocity, spin;
    vsp__wide3 force, torque; /* for the next step */
    vsp__mass_data mass_data;
    vsp__num linear_damping, angular_damping, gravity_scale;
    vsp__num max_speed; /* a rate */
} vsp__body;

/* Bit of the type of a body that is out of the simulation.  The bit is in the
 * type so that every question whether the body is static, kinematic or dynamic
 * says no. */
#define VSP__DISABLED 4u

/* flags of a body */
#define VSP__ALL_LOCKS (VSP_LOCKS * 0x3fu) /* VSP_LOCK_ALL */
#define VSP__TURN_LOCKS (VSP_LOCKS * 0x38u)
#define VSP__BULLET 0x40u
#define VSP__SLEEPLESS 0x80u
#define VSP__ASLEEP 0x100u

/* From this bit on the flags count how long a body has been calm, in parts of
 * sleep_time, up to VSP__CALM_PARTS, which is all of it. */
#define VSP__CALM_SHIFT 9u
#define VSP__CALM_PARTS 120u


/* ---- Shapes -------------------------------------------------------------- */

typedef struct vsp__frame {
    vsp__v3 position;
    vsp__unit_quat rotation;
} vsp__frame;

typedef struct vsp__shape {
    uint16_t generation;
    uint8_t type;        /* vsp_shape_type; 0: slot is free */
    uint8_t rules;       /* vsp_rule of friction, 3 bits; of restitution, 3
                            bits; VSP__SENSOR, VSP__TURNS */
    uint16_t next_shape; /* slot + 1 of the body's next shape; 0: none */
    uint16_t body;       /* slot */
    uint16_t table;      /* number of its table; 0: none */
    uint16_t user;
    vsp__v3 size;
    vsp__frame pose; /* in the body's frame, not relative to its centre of
                        mass */
    vsp__wide density;
    vsp__num friction, restitution;
    vsp__v3 surface; /* velocity of a belt in the body's axes: a rate; with
                        VSP__TURNS, the spin of the belt about the shape's
                        origin */
    vsp_filter filter;
#if VSP_ROLLING
    vsp__num rolling, spinning; /* friction, m */
#endif
} vsp__shape;

/* Words at the end of a shape that the hash covers only where they are not
 * 0. */
#define VSP__ROLLING_WORDS (2u * VSP_ROLLING)

/* bits of a shape's rules */
#define VSP__SENSOR 0x40u
#define VSP__TURNS 0x80u

static inline uint32_t vsp__friction_rule(const vsp__shape *shape)
{
    return shape->rules & 7u;
}

static inline uint32_t vsp__restitution_rule(const vsp__shape *shape)
{
    return (uint32_t)shape->rules >> 3 & 7u;
}


/* ---- Rules of pairs ------------------------------------------------------ */

typedef struct vsp__pair_record { /* see vsp_pair_rule */
    uint32_t categories[2];
    uint32_t flags;
    vsp__num friction, restitution; /* negative: those of the materials */
    vsp__num mass[2];               /* units */
    vsp__num hit_speed;             /* a rate */
} vsp__pair_record;

#define VSP__PAIR_FLAGS 3u /* all VSP_PAIR_... */


/* ---- Height fields that change ------------------------------------------- */

#define VSP__TILE_SIDE 8u

/* A part of the height field of a shape that is not as in its table: heights,
 * and materials of as many cells, row by row.  Those beyond the field are 0. */
typedef struct vsp__field_tile {
    uint16_t shape;       /* slot */
    uint16_t column, row; /* of its first height, over VSP__TILE_SIDE */
    int16_t high;         /* its highest height; VSP_HOLE: none */
    int16_t heights[VSP__TILE_SIDE * VSP__TILE_SIDE];
    uint8_t materials[VSP__TILE_SIDE * VSP__TILE_SIDE];
} vsp__field_tile;

/* ---- Warm records -------------------------------------------------------- */

/* The impulse of a contact point in the last step, N s.  The next step matches
 * it by pair and feature.  The low four bits of each tangential impulse hold
 * half of the feature.  VSP_ROLLING: if `normal` is -1, the others are
 * the angular impulse of rolling friction about both tangents, N m s, of the
 * manifold whose first point has the feature. */
typedef struct vsp__warm_record {
    uint32_t pair; /* pair key: shape a << 16 | shape b */
    vsp__wide normal;
    vsp__wide tangent1, tangent2;
} vsp__warm_record;


/* Returns whether a record is that of rolling friction. */
static inline bool vsp__is_roll_record(const vsp__warm_record *w)
{
    return VSP_ROLLING && w_bits(w->normal) == w_bits(w_neg(VSP__W_ONE));
}


/* ---- Joints -------------------------------------------------------------- */

#define VSP__HALF_TURN VSP_R(3.1415927) /* rad: a joint's largest angle */
#define VSP__MOST_BENT VSP_R(500.0)     /* rad: larger sums are not counted */

/* flags of a joint; no other bits are used */
#define VSP__JOINT_COLLIDES 1u
#define VSP__JOINT_LIMIT 2u
#define VSP__JOINT_MOTOR 4u
#define VSP__JOINT_BROKEN 8u
#define VSP__JOINT_BEARS 16u /* its limit carried a load in the last step */
#define VSP__JOINT_RIGID 32u /* FIXED: its bodies move as one */
#define VSP__JOINT_FLAGS 63u

/* and these, only within a step: a union holds the joint; it will break */
#define VSP__JOINT_IN_UNION 64u
#define VSP__JOINT_BREAKS 128u

/* Rows of a joint, and their multipliers: along and about the axes of frame A.
 * Exceptions: the row of a swing is about the axis across both x axes, and the
 * row of a distance is along the line from anchor to anchor. */
enum {
    VSP__ROW_X, /* slide, distance */
    VSP__ROW_Y,
    VSP__ROW_Z,
    VSP__ROW_TURN_X, /* twist: hinge angle */
    VSP__ROW_TURN_Y, /* swing */
    VSP__ROW_TURN_Z,
    VSP__ROW_MOTOR,
    VSP__JOINT_ROWS, /* number of rows whose impulses a joint
                        stores, under SHOCK twice */
    VSP__JOINT_IMPULSES = VSP__JOINT_ROWS * (1 + VSP_SHOCK),
    VSP__ROW_RANGE = VSP__JOINT_ROWS, /* of a range that ends at the joint */
    VSP__STEP_ROWS = VSP__JOINT_ROWS + VSP_RANGES,
    VSP__ROW_ROPE = 0,   /* of a PULLEY, each with two entries: both parts, */
    VSP__ROW_ROPE_A = 2, /* that of A, and */
    VSP__ROW_ROPE_B = 4, /* that of B */
    VSP__ROPE_ROWS = 1u << VSP__ROW_ROPE | 1u << VSP__ROW_ROPE_A |
                     1u << VSP__ROW_ROPE_B
};

typedef struct vsp__joint {
    uint16_t generation;
    uint8_t type; /* vsp_joint_type; 0: slot is free */
    uint8_t flags;
    uint16_t body[2]; /* slots: a, b */
    uint32_t user;
    /* consecutive numbers from here to bent, and on to the end */
    vsp__frame frame[2];      /* in the bodies' frames, not relative to
                                 centres */
    vsp__num low, high, cone; /* rad or m: reals */
    vsp__num hertz, ratio;    /* of soft limits, reals; hertz 0: hard.  WHEEL:
                                 of its suspension.  AXES: vsp__axes_of */
    vsp__num motor_speed;     /* a rate */
    vsp__wide motor_max, break_impulse, break_turn;
    vsp__wide yield_torque; /* N m: FIXED; 0: it does not bend.  Others: the
                               target of the drive */
    vsp__num break_angle;   /* rad, a real; 0: bending does not break it.
                               Others: the frequency of the drive, or
                               VSP__SERVO_HERTZ */
    vsp__num bent;          /* sum of its bends: rad, a real.  Others: the
                               damping ratio of the drive */
    vsp__wide impulse[VSP__JOINT_IMPULSES]; /* of the last step: N s or N m s;
                                               SHOCK: in the solve of its layer,
                                               then what the rest of the step
                                               adds */
} vsp__joint;

/* Words at the end of a joint that the hash covers only where they are not
 * 0. */
#define VSP__ADDED_WORDS (7u * VSP_SHOCK)

#define VSP__SERVO_HERTZ VSP__REAL(-1.0)

/* Whether a joint is AXES or a WHEEL. */
static inline bool vsp__has_axes(const vsp__joint *j)
{
    return VSP_DRIVES &&
           (j->type == VSP_JOINT_AXES || j->type == VSP_JOINT_WHEEL);
}

/* Whether a joint is a GEAR or a PULLEY, some of whose words differ.  GEAR: low
 * and high are the teeth; break_angle is the radius of a wheel on a rack, m, or
 * 0; bent is where the teeth meet, as a part of a tooth, 0 to 1.  PULLEY: x y z
 * of the rotations are points of the world, as reals; ratio is that of the
 * rope. */
static inline bool vsp__is_gearing(const vsp__joint *j)
{
    return VSP_GEARS && j->type >= VSP_JOINT_GEAR;
}

static inline bool vsp__is_rope(const vsp__joint *j)
{
    return VSP_GEARS && j->type == VSP_JOINT_PULLEY;
}

/* Whether the motor of a joint drives to a place: SERVO or SPRING. */
static inline bool vsp__has_target(const vsp__joint *j)
{
    return VSP_DRIVES && j->type != VSP_JOINT_WHEEL && j->break_angle != 0;
}

/* Which axes of AXES are locked, limited, driven: integers in `hertz`, for
 * translations, and `ratio`, for turns, each with three bits of each sort. */
typedef enum vsp__axis_use {
    VSP__AXES_LOCKED,
    VSP__AXES_LIMITED,
    VSP__AXES_DRIVEN
} vsp__axis_use;

/* in joints.c */
uint32_t vsp__axes_of(const vsp__joint *j, vsp__axis_use use);

#endif /* VSP_RECORDS_H */
