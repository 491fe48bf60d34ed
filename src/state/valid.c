/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Checks of the numbers in a state: parameters, shapes, mass, bodies, joints.
 * The same functions check arguments, the bytes of a snapshot and a whole
 * world. */

#include "state.h"

/* all VSP_REPORT_... bits that a build can report */
#define ALL_REPORTS \
    (VSP_EVENTS ? 31u + (VSP_JOINTS ? 32u : 0) + (VSP_SHELLS ? 64u : 0) : 0u)
#define JOINT_CAPACITY (VSP_JOINTS ? VSP_MAX_JOINTS : 0)

/* ---- Parameters of the world --------------------------------------------- */

static bool is_capacity(const vsp_capacity *c)
{
    return c->bodies >= 1 && c->bodies <= VSP_MAX_BODIES && c->shapes >= 1 &&
           c->shapes <= VSP_MAX_SHAPES && c->pairs >= 1 &&
           c->pairs <= VSP_MAX_PAIRS && c->manifolds >= 1 &&
           c->manifolds <= VSP_MAX_MANIFOLDS && c->contacts >= 4 &&
           c->contacts <= VSP_MAX_CONTACTS && c->sensed >= 1 &&
           c->sensed <= VSP_MAX_SENSED && c->joints <= JOINT_CAPACITY;
}

/* Whether a build has this stepper and friction.  All builds have PGS and
 * cones. */
static bool is_solver_in_build(uint32_t stepper, uint32_t friction)
{
    return (stepper == (uint32_t)VSP_STEPPER_PGS ||
            (VSP_CARRY && stepper == (uint32_t)VSP_STEPPER_CARRY) ||
            (VSP_SHOCK && stepper == (uint32_t)VSP_STEPPER_SHOCK) ||
            (VSP_SUBSPACE && stepper == (uint32_t)VSP_STEPPER_SUBSPACE)) &&
           (friction == (uint32_t)VSP_FRICTION_CONE ||
            (VSP_PYRAMID && friction == (uint32_t)VSP_FRICTION_PYRAMID));
}

const vsp__field vsp__params_ranges[VSP__PARAMS_RANGES] = {
    VSP__DEF_FIELD(vsp__params, gravity, vsp_world_def, gravity, 3,
                   VSP__FORM_RATE, VSP__RANGE_SPEED),
    VSP__DEF_FIELD(vsp__params, dt, vsp_world_def, dt, 1, VSP__FORM_UNIT,
                   VSP__RANGE_DT),
    VSP__DEF_FIELD(vsp__params, envelope, vsp_world_def, envelope, 1,
                   VSP__FORM_REAL, VSP__RANGE_ENVELOPE),
    VSP__DEF_FIELD(vsp__params, tolerance, vsp_world_def, tolerance, 1,
                   VSP__FORM_RATE, VSP__RANGE_FRACTION),
    VSP__DEF_FIELD(vsp__params, fraction, vsp_world_def, fraction, 1,
                   VSP__FORM_UNIT, VSP__RANGE_FRACTION),
    VSP__DEF_FIELD(vsp__params, friction_damping, vsp_world_def,
                   subspace.friction_damping, 1, VSP__FORM_UNIT,
                   VSP__RANGE_FRACTION),
    VSP__DEF_FIELD(vsp__params, sleep_speed, vsp_world_def, sleep_speed, 1,
                   VSP__FORM_RATE, VSP__RANGE_FRACTION),
    VSP__DEF_FIELD(vsp__params, sleep_time, vsp_world_def, sleep_time, 1,
                   VSP__FORM_REAL, VSP__RANGE_SLEEP_TIME),
};

/* A build refuses a world with parts that the build leaves out.  Supports are
 * for PGS. */
static bool is_search(uint32_t search, uint32_t stepper)
{
    uint32_t may = VSP_SEARCH_LAZY | VSP_SEARCH_STAGGERED | VSP__NO_SEAMS;
    uint32_t without = vsp__parts_left_out();

    if (VSP_JOINTS)
        may |= VSP__NO_RANGES | VSP__NO_HINGE_LOOPS;
    if (VSP_SUPPORTS && stepper == (uint32_t)VSP_STEPPER_PGS)
        may |= VSP__FREEZES_SUPPORTED;
    return (search & ~(may & ~without)) == without;
}

bool vsp__are_params(const vsp__params *p)
{
    return vsp__are_in_range(p, vsp__params_ranges, VSP__PARAMS_RANGES) &&
           is_solver_in_build(p->stepper, p->friction) && p->warm_start <= 1u &&
           p->sleep <= VSP_SLEEP && p->continuous <= VSP_CCD &&
           (p->reports & ~ALL_REPORTS) == 0 && p->sweeps >= 1 &&
           p->sweeps <= 10000 && p->correction_sweeps >= 1 &&
           p->correction_sweeps <= 10000 && p->rounds >= 1 &&
           p->rounds <= 1000 && p->search_tries <= 1000 &&
           p->search_steps >= 1 && p->search_steps <= 10000 &&
           is_search(p->search, p->stepper) && is_capacity(&p->capacity);
}

uint32_t vsp__sweeps_of(const vsp__params *p)
{
    /* so often a stepper may make them in a step */
    static const uint8_t times[] = {5, 2, 4, 1};
    uint64_t all = (uint64_t)p->sweeps * times[p->stepper & 3u];

    if (VSP_SUBSPACE && p->stepper == (uint32_t)VSP_STEPPER_SUBSPACE)
        all = p->rounds * (all + (uint64_t)p->search_tries * p->search_steps);
    all += p->correction_sweeps;
    return all < 0xffffffffu ? (uint32_t)all : 0xffffffffu;
}


/* ---- Shapes -------------------------------------------------------------- */

const vsp__field vsp__shape_ranges[VSP__SHAPE_RANGES] = {
    VSP__DEF_FIELD(vsp__shape, friction, vsp_shape_def, material.friction, 1,
                   VSP__FORM_REAL, VSP__RANGE_FRICTION),
    VSP__DEF_FIELD(vsp__shape, restitution, vsp_shape_def, material.restitution,
                   1, VSP__FORM_REAL, VSP__RANGE_FRACTION),
    VSP__DEF_FIELD(vsp__shape, surface, vsp_shape_def, surface_velocity, 3,
                   VSP__FORM_RATE, VSP__RANGE_SPEED),
    VSP__DEF_FIELD(vsp__shape, size, vsp_shape_def, size, 3, VSP__FORM_REAL,
                   VSP__RANGE_SIZE),
    VSP__DEF_FIELD(vsp__shape, density, vsp_shape_def, density, 1,
                   VSP__FORM_WIDE, VSP__RANGE_DENSITY),
    VSP__DEF_FIELD(vsp__shape, pose.position, vsp_shape_def, pose.position, 3,
                   VSP__FORM_REAL, VSP__RANGE_POSITION),
    VSP__DEF_FIELD(vsp__shape, pose.rotation, vsp_shape_def, pose.rotation, 4,
                   VSP__FORM_UNIT, VSP__RANGE_ROTATION),
#if VSP_ROLLING
    VSP__DEF_FIELD(vsp__shape, rolling, vsp_shape_def, rolling_friction, 2,
                   VSP__FORM_REAL, VSP__RANGE_FRICTION), /* and spinning */
#endif
};

/* Whether a build has shapes of this type. */
static bool is_shape_in_build(uint32_t type)
{
    switch (type) {
    case VSP_SHAPE_SPHERE:
    case VSP_SHAPE_BOX:
    case VSP_SHAPE_HALF_SPACE:
        return true;
    case VSP_SHAPE_CAPSULE:
        return VSP_CAPSULES != 0;
    case VSP_SHAPE_CYLINDER:
    case VSP_SHAPE_CONE:
        return VSP_ROUNDS != 0;
    case VSP_SHAPE_TAPER:
        return VSP_TAPERS != 0;
    case VSP_SHAPE_HULL:
        return VSP_HULLS != 0;
    case VSP_SHAPE_MESH:
        return VSP_MESHES != 0;
    case VSP_SHAPE_HEIGHT_FIELD:
        return VSP_HEIGHT_FIELDS != 0;
    case VSP_SHAPE_SDF:
        return VSP_SDFS != 0;
    case VSP_SHAPE_SHELL:
        return VSP_SHELLS != 0;
    default:
        return false;
    }
}

/* Returns the type of table that shapes of this type need, or 0.  The shape's
 * type is in the build. */
static uint32_t table_kind(uint32_t type)
{
    switch (type) {
    case VSP_SHAPE_HULL:
        return VSP_HULLS ? VSP_TABLE_HULL : 0;
    case VSP_SHAPE_MESH:
        return VSP_MESHES ? VSP_TABLE_MESH : 0;
    case VSP_SHAPE_HEIGHT_FIELD:
        return VSP_HEIGHT_FIELDS ? VSP_TABLE_HEIGHT_FIELD : 0;
    case VSP_SHAPE_SDF:
        return VSP_SDFS ? VSP_TABLE_SDF : 0;
    case VSP_SHAPE_SHELL:
        return VSP_SHELLS ? VSP_TABLE_SHELL : 0;
    default:
        return 0;
    }
}

/* Returns the type of a table of this type with materials; the type itself if
 * there is no such table. */
static uint32_t kind_with_materials(uint32_t kind)
{
    if (VSP_MATERIALS && kind == VSP_TABLE_MESH)
        return VSP_TABLE_MESH_MATERIALS;
    if (VSP_MATERIALS && kind == VSP_TABLE_HEIGHT_FIELD)
        return VSP_TABLE_FIELD_MATERIALS;
    return kind;
}

/* Whether the size fits the type, and the table exists if the type needs
 * one. */
static bool has_valid_size(const vsp_world *world, const vsp__shape *s)
{
    vsp__num least = r_read(VSP_MIN_SIZE), smallest = s->size.x;
    uint32_t kind = table_kind(s->type);
    const void *table;

    if (kind != 0) {
        table = vsp__table_of_kind(world, s->table, kind);
        if (table == NULL)
            table = vsp__table_of_kind(world, s->table,
                                       kind_with_materials(kind));
        return table != NULL && vsp__has_valid_scale(table, s);
    }
    if (s->table != 0)
        return false;
    switch (s->type) {
    case VSP_SHAPE_SPHERE:
        break;
    case VSP_SHAPE_BOX:
        smallest = r_min(smallest, r_min(s->size.y, s->size.z));
        break;
    case VSP_SHAPE_CAPSULE:
        return smallest >= least && s->size.y >= 0;
    case VSP_SHAPE_CYLINDER:
        smallest = r_min(smallest, s->size.y);
        return smallest >= least && s->size.z == 0;
    case VSP_SHAPE_CONE:
        return s->size.y >= least && r_max(smallest, s->size.z) >= least &&
               r_min(smallest, s->size.z) >= 0;
    case VSP_SHAPE_TAPER:
        return r_min(smallest, s->size.z) >= least && s->size.y >= 0 &&
               r_sub(r_add(s->size.y, s->size.y),
                     r_abs(r_sub(smallest, s->size.z))) >= least;
    default:
        return true;
    }
    return smallest >= least;
}

bool vsp__is_shape(const vsp_world *world, const vsp__shape *s)
{
    return is_shape_in_build(s->type) &&
           vsp__are_in_range(s, vsp__shape_ranges, VSP__SHAPE_RANGES) &&
           vsp__q_is_unit(&s->pose.rotation) &&
           vsp__friction_rule(s) <= (uint32_t)VSP_RULE_MAX &&
           vsp__restitution_rule(s) <= (uint32_t)VSP_RULE_MAX &&
           (!(s->rules & VSP__TURNS) ||
            (VSP_EDITS && !vsp__are_three_zero(&s->surface.x))) &&
           (VSP_EVENTS || (s->rules & VSP__SENSOR) == 0) &&
           (VSP_BELTS || vsp__are_three_zero(&s->surface.x)) &&
           has_valid_size(world, s);
}

/* Half-spaces, meshes and height fields have no mass and no inside, so no
 * dynamic body can have them. */
bool vsp__shape_fits_body(const vsp__shape *shape, const vsp__body *body)
{
    return vsp__type_of_body(body) != (uint32_t)VSP_DYNAMIC + 1u ||
           (shape->type != (uint32_t)VSP_SHAPE_HALF_SPACE &&
            !(VSP_MESHES && shape->type == (uint32_t)VSP_SHAPE_MESH) &&
            !(VSP_HEIGHT_FIELDS &&
              shape->type == (uint32_t)VSP_SHAPE_HEIGHT_FIELD));
}


/* ---- Mass ---------------------------------------------------------------- */

/* Whether a solid can have this inertia: no moment is larger than the sum of
 * the other two, so the second moments tr(s)/2 - s, over tr(s)/2, have no
 * negative principal minor.  Tests those of one and two rows, apart from
 * rounding. */
static bool is_inertia_physical(const vsp__sym3 *s)
{
    static const uint8_t other[] = {1, 2, 0, 1};
    const vsp__num *part = s3_parts(s);
    vsp__num sum = s->xx + s->yy + s->zz, own[3];
    uint32_t k;

    for (k = 0; k < 3; k++)
        own[k] = u_div(part[other[k]] + part[other[k + 1u]] - part[k], sum) +
                 VSP__UNIT(1e-4);
    for (k = 0; k < 3; k++) { /* mixed is yz, xz, xy */
        vsp__num mixed = u_div(part[5u - k] + part[5u - k], sum);

        if (!(own[k] >= 0) ||
            u_mul(mixed, mixed) > u_mul(own[other[k]], own[other[k + 1u]]))
            return false;
    }
    return true;
}

bool vsp__is_mass_data(const vsp__mass_data *m)
{
    static const vsp__field fields[] = {
        VSP__FIELD(vsp__mass_data, center, 3, VSP__FORM_REAL,
                   VSP__RANGE_POSITION),
        VSP__FIELD(vsp__mass_data, mass, 1, VSP__FORM_WIDE, VSP__RANGE_MASS),
    };
    vsp__sym3 inverse;

    if (w_is_zero(m->mass))
        return !vsp__words_differ(&m->inertia, NULL, VSP__WORDS(vsp__sym3));
    return vsp__are_in_range(m, fields, VSP__COUNT_OF(fields)) &&
           s3_is_valid(&m->inertia) &&
           vsp__s3_invert(&m->inertia, 40, &inverse) && inverse.zz >= 0 &&
           is_inertia_physical(&m->inertia);
}


/* ---- Bodies -------------------------------------------------------------- */

/* Whether the flags of a body are valid: a body that sleeps is dynamic, at rest
 * and allowed to sleep. */
static bool are_body_flags(const vsp__body *b)
{
    bool may_sleep = VSP_SLEEP != 0 && !(b->flags & VSP__SLEEPLESS) &&
                     b->type == (uint32_t)VSP_DYNAMIC + 1u;

    if (!VSP_LOCKS && (b->flags & VSP_LOCK_ALL))
        return false;
    if (!VSP_CCD && (b->flags & VSP__BULLET))
        return false;
    return b->flags < VSP__ASLEEP ||
           (may_sleep && b->flags >> VSP__CALM_SHIFT <= VSP__CALM_PARTS &&
            (!(b->flags & VSP__ASLEEP) || vsp__is_at_rest(b)));
}

const vsp__field vsp__body_ranges[VSP__BODY_RANGES] = {
    VSP__FIELD(vsp__body, given, 1, VSP__FORM_WIDE, VSP__RANGE_GIVEN_MASS),
    VSP__FIELD(vsp__body, position, 3, VSP__FORM_REAL, VSP__RANGE_POSITION),
    VSP__FIELD(vsp__body, rotation, 4, VSP__FORM_UNIT, VSP__RANGE_ROTATION),
    VSP__DEF_FIELD(vsp__body, velocity, vsp_body_def, velocity, 6,
                   VSP__FORM_RATE, VSP__RANGE_SPEED), /* and spin */
    VSP__FIELD(vsp__body, force, 6, VSP__FORM_WIDE,
               VSP__RANGE_FORCE), /* and torque */
    VSP__FIELD(vsp__body, mass_data.center, 3, VSP__FORM_REAL,
               VSP__RANGE_POSITION),
    VSP__DEF_FIELD(vsp__body, linear_damping, vsp_body_def, linear_damping, 2,
                   VSP__FORM_REAL, VSP__RANGE_DAMPING), /* and angular */
    VSP__DEF_FIELD(vsp__body, gravity_scale, vsp_body_def, gravity_scale, 1,
                   VSP__FORM_REAL, VSP__RANGE_SCALE),
    VSP__DEF_FIELD(vsp__body, max_speed, vsp_body_def, max_speed, 1,
                   VSP__FORM_RATE, VSP__RANGE_MAX_SPEED),
};

bool vsp__is_body(const vsp__body *b)
{
    return vsp__type_of_body(b) != 0 &&
           b->type <= (VSP_EDITS ? VSP__DISABLED : 0) + VSP_DYNAMIC + 1u &&
           b->mass_given <= 2 && are_body_flags(b) &&
           vsp__are_in_range(b, vsp__body_ranges, VSP__BODY_RANGES) &&
           vsp__q_is_unit(&b->rotation) &&
           (vsp__type_of_body(b) != (uint32_t)VSP_STATIC + 1u ||
            vsp__is_at_rest(b));
}


/* ---- Joints -------------------------------------------------------------- */

#if VSP_JOINTS

/* Whether a joint may have a spring.  The twist of a ball jumps where its swing
 * is half a turn, so a spring on it would have no potential. */
static bool may_have_spring(const vsp__joint *j)
{
    return j->type != VSP_JOINT_FIXED && j->type != VSP_JOINT_BALL;
}

#if VSP_DRIVES

/* rad: the largest angle of steering */
#define MOST_STEERING VSP__REAL(1.5)

/* Whether the uses of the axes of AXES fit together: some axis is used, a
 * locked axis has no other use, at most one is both limited and driven, and
 * limits of turns are within half a turn. */
static bool fits_axes(const vsp__joint *j)
{
    uint32_t locked = vsp__axes_of(j, VSP__AXES_LOCKED);
    uint32_t limited = vsp__axes_of(j, VSP__AXES_LIMITED);
    uint32_t driven = vsp__axes_of(j, VSP__AXES_DRIVEN);
    uint32_t both = limited & driven, k;
    vsp__num half = r_read(VSP__HALF_TURN);

    for (k = 0; k < 2; k++) {
        vsp__num bits = (&j->hertz)[k]; /* or ratio */

        if (bits != r_from_int(r_to_int(bits) & 511))
            return false;
    }
    return (locked | limited | driven) != 0 && !(locked & (limited | driven)) &&
           !(both & (both - 1u)) &&
           (limited < 8u || (j->low >= r_neg(half) && j->high <= half));
}

/* Whether a joint's drive has what its mode and its type allow. */
static bool fits_drive(const vsp__joint *j)
{
    vsp__num target = w_to_real(j->yield_torque);
    bool is_spring = j->break_angle > 0;

    if (j->type == VSP_JOINT_BALL)
        return w_is_zero(j->yield_torque) && j->break_angle == 0 &&
               j->bent == 0;
    if ((j->break_angle < 0 && j->break_angle != VSP__SERVO_HERTZ) ||
        j->bent < 0 || (!is_spring && j->bent != 0))
        return false;
    if (j->type == VSP_JOINT_WHEEL)
        return j->break_angle >= 0 && r_abs(target) <= MOST_STEERING;
    return j->type != VSP_JOINT_DISTANCE || j->break_angle != 0 ||
           !(j->flags & VSP__JOINT_MOTOR);
}

#else

static bool fits_axes(const vsp__joint *j)
{
    (void)j;
    return false;
}

static bool fits_drive(const vsp__joint *j)
{
    return w_is_zero(j->yield_torque) && j->break_angle == 0 && j->bent == 0 &&
           (j->type != VSP_JOINT_DISTANCE || !(j->flags & VSP__JOINT_MOTOR));
}

#endif /* VSP_DRIVES */

/* Whether only a FIXED joint, in a build with unions, is rigid, and only a
 * rigid one bends. */
static bool fits_rigidity(const vsp__joint *j)
{
    if (j->flags & VSP__JOINT_RIGID)
        return VSP_UNIONS && j->type == VSP_JOINT_FIXED;
    if (j->type != VSP_JOINT_FIXED)
        return fits_drive(j);
    return w_is_zero(j->yield_torque) && j->break_angle == 0 && j->bent == 0 &&
           !(j->flags & VSP__JOINT_BEARS);
}

/* Whether a joint has a limit, motor, cone or spring only if its type can; a
 * distance joint always has a limit. */
static bool fits_joint_type(const vsp__joint *j)
{
    static const uint8_t may[] = {
        [VSP_JOINT_BALL] = VSP__JOINT_LIMIT,
        [VSP_JOINT_HINGE] = VSP__JOINT_LIMIT | VSP__JOINT_MOTOR,
        [VSP_JOINT_SLIDER] = VSP__JOINT_LIMIT | VSP__JOINT_MOTOR,
        [VSP_JOINT_DISTANCE] = VSP__JOINT_LIMIT | VSP__JOINT_MOTOR,
        [VSP_JOINT_AXES] = VSP__JOINT_LIMIT | VSP__JOINT_MOTOR,
        [VSP_JOINT_WHEEL] = VSP__JOINT_LIMIT | VSP__JOINT_MOTOR};
    uint32_t has = j->flags & (VSP__JOINT_LIMIT | VSP__JOINT_MOTOR);

    return !(has & ~(uint32_t)may[j->type]) &&
           ((has & VSP__JOINT_LIMIT) || j->type != VSP_JOINT_DISTANCE) &&
           (j->type != VSP_JOINT_AXES || fits_axes(j)) &&
           (may_have_spring(j) || j->hertz == 0) && fits_rigidity(j) &&
           (j->type == VSP_JOINT_BALL || j->cone == r_read(VSP__HALF_TURN));
}

/* Whether limits are in order, angles within half a turn, and distances not
 * negative. */
static bool are_limits(const vsp__joint *j)
{
    vsp__num half = r_read(VSP__HALF_TURN);
    bool is_angle = j->type == VSP_JOINT_BALL || j->type == VSP_JOINT_HINGE;

    return j->low <= j->high &&
           (!is_angle || (j->low >= -half && j->high <= half)) &&
           (j->type != VSP_JOINT_DISTANCE || j->low >= 0);
}

/* A broken joint has no impulse and is at no limit. */
static bool bears_nothing_if_broken(const vsp__joint *j)
{
    return !(j->flags & VSP__JOINT_BROKEN) ||
           (!(j->flags & VSP__JOINT_BEARS) &&
            !vsp__words_differ(j->impulse, NULL, VSP__JOINT_IMPULSES));
}

const vsp__field vsp__joint_ranges[VSP__JOINT_RANGES] = {
    VSP__DEF_FIELD(vsp__joint, frame[0].position, vsp_joint_def,
                   frame_a.position, 3, VSP__FORM_REAL, VSP__RANGE_POSITION),
    VSP__DEF_FIELD(vsp__joint, frame[0].rotation, vsp_joint_def,
                   frame_a.rotation, 4, VSP__FORM_UNIT, VSP__RANGE_ROTATION),
    VSP__DEF_FIELD(vsp__joint, frame[1].position, vsp_joint_def,
                   frame_b.position, 3, VSP__FORM_REAL, VSP__RANGE_POSITION),
    VSP__DEF_FIELD(vsp__joint, frame[1].rotation, vsp_joint_def,
                   frame_b.rotation, 4, VSP__FORM_UNIT, VSP__RANGE_ROTATION),
    [VSP__JOINT_FIELD_LIMIT] = VSP__DEF_FIELD(
        vsp__joint, low, vsp_joint_def, low, 2, VSP__FORM_REAL,
        VSP__RANGE_POSITION), /* and high */
    [VSP__JOINT_FIELD_CONE] = VSP__DEF_FIELD(vsp__joint, cone, vsp_joint_def,
                                             cone, 1, VSP__FORM_REAL,
                                             VSP__RANGE_CONE),
    [VSP__JOINT_FIELD_SPRING] = VSP__DEF_FIELD(
        vsp__joint, hertz, vsp_joint_def, limit_hertz, 2, VSP__FORM_REAL,
        VSP__RANGE_DAMPING), /* and the damping ratio */
    [VSP__JOINT_FIELD_SPEED] = VSP__DEF_FIELD(vsp__joint, motor_speed,
                                              vsp_joint_def, motor_speed, 1,
                                              VSP__FORM_RATE, VSP__RANGE_SPEED),
    [VSP__JOINT_FIELD_MOTOR] = VSP__DEF_FIELD(
        vsp__joint, motor_max, vsp_joint_def, motor_max, 1, VSP__FORM_WIDE,
        VSP__RANGE_STRENGTH),
    [VSP__JOINT_FIELD_STRENGTH] = VSP__DEF_FIELD(
        vsp__joint, break_impulse, vsp_joint_def, break_impulse, 2,
        VSP__FORM_WIDE, VSP__RANGE_STRENGTH), /* and break_turn */
    [VSP__JOINT_FIELD_YIELD] = VSP__DEF_FIELD(
        vsp__joint, yield_torque, vsp_joint_def, yield_torque, 1,
        VSP__FORM_WIDE, VSP__RANGE_STRENGTH),
    [VSP__JOINT_FIELD_BREAK_ANGLE] = VSP__DEF_FIELD(
        vsp__joint, break_angle, vsp_joint_def, break_angle, 1, VSP__FORM_REAL,
        VSP__RANGE_CONE),
    [VSP__JOINT_FIELD_TARGET] = VSP__DEF_FIELD(
        vsp__joint, yield_torque, vsp_joint_def, motor_target, 1,
        VSP__FORM_WIDE, VSP__RANGE_POSITION),
    [VSP__JOINT_FIELD_DRIVE] = VSP__DEF_FIELD(
        vsp__joint, break_angle, vsp_joint_def, motor_hertz, 2, VSP__FORM_REAL,
        VSP__RANGE_DRIVE), /* and motor_damping, in `bent` */
    [VSP__JOINT_FIELD_IMPULSE] = VSP__FIELD(vsp__joint, impulse,
                                            VSP__JOINT_IMPULSES, VSP__FORM_WIDE,
                                            VSP__RANGE_FORCE),
    [VSP__JOINT_FIELD_BENT] = VSP__FIELD(vsp__joint, bent, 1, VSP__FORM_REAL,
                                         VSP__RANGE_BENT),
};

/* Whether all numbers are within their limits: a FIXED joint bends, others have
 * a drive in the same words. */
static bool are_joint_numbers(const vsp__joint *j)
{
    const vsp__field *f = vsp__joint_ranges;
    bool is_fixed = j->type == VSP_JOINT_FIXED;

    return vsp__are_in_range(j, f, VSP__JOINT_FIELD_YIELD) &&
           vsp__are_in_range(j,
                             f + (is_fixed ? VSP__JOINT_FIELD_YIELD
                                           : VSP__JOINT_FIELD_TARGET),
                             2) &&
           vsp__are_in_range(j, f + VSP__JOINT_FIELD_IMPULSE, is_fixed ? 2 : 1);
}

static bool is_plain_joint(const vsp__joint *j)
{
    return vsp__is_joint_type(j->type) && j->flags <= VSP__JOINT_FLAGS &&
           are_joint_numbers(j) && vsp__q_is_unit(&j->frame[0].rotation) &&
           vsp__q_is_unit(&j->frame[1].rotation) && are_limits(j) &&
           fits_joint_type(j) && bears_nothing_if_broken(j);
}

bool vsp__is_joint(const vsp__joint *j)
{
    vsp__joint plain;

    return vsp__is_gearing(j)
               ? vsp__plain_joint(j, &plain) && is_plain_joint(&plain)
               : is_plain_joint(j);
}

bool vsp__joint_fits_bodies(const vsp__joint *j, const vsp__body *bodies,
                            uint32_t count)
{
    const uint32_t dynamic = (uint32_t)VSP_DYNAMIC + 1u;
    uint32_t a = j->body[0], b = j->body[1];

    return a != b && a < count && b < count && bodies[a].type != 0 &&
           bodies[b].type != 0 &&
           (VSP_EDITS || bodies[a].type == dynamic ||
            bodies[b].type == dynamic);
}

#endif /* VSP_JOINTS */
