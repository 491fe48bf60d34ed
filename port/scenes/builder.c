/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Tools for scenes, in this order: sine and cosine, vectors, bodies, joints,
 * tables. */

#include "builder.h"

#if !SCENES_MICRO


/* ---- Sine and cosine ---------------------------------------------------- */

/* pi / 2 as a sum of two: the first has 33 bits, so its products with small
 * integers are exact */
#define HALF_PI_HIGH 1.57079632673412561417
#define HALF_PI_LOW 6.07710050650619224932e-11

/* Sums the series 1 - s/(n(n-1)) (1 - s/((n+2)(n+1)) (...)) from its smallest
 * term on; n is `first`.  For s = x^2 it is cos x if n is 2, and sin x / x if n
 * is 3. */
static double power_series(double sq, int first)
{
    double sum = 1.0;

    for (int n = first + 16; n >= first; n -= 2)
        sum = 1.0 - sq * sum / (double)(n * (n - 1));
    return sum;
}

/* Returns the sine of the sum of some quarter turns and an angle within
 * +-pi/4. */
static double quarter_sine(int quarters, double angle)
{
    double sq = angle * angle;
    double value = (quarters & 1) ? power_series(sq, 2)
                                  : angle * power_series(sq, 3);

    return (quarters & 2) ? -value : value;
}

/* Returns the sine of an angle in rad, up to some thousand turns, plus 0 to 3
 * quarter turns. */
static double shifted_sine(double angle, int quarters)
{
    double turned = angle / (HALF_PI_HIGH + HALF_PI_LOW);
    int whole = (int)(turned < 0.0 ? turned - 0.5 : turned + 0.5);
    double rest = angle - whole * HALF_PI_HIGH - whole * HALF_PI_LOW;

    return quarter_sine((whole % 4 + 4 + quarters) % 4, rest);
}

double sine(double angle)
{
    return shifted_sine(angle, 0);
}

double cosine(double angle)
{
    return shifted_sine(angle, 1);
}


/* ---- Vectors and rotations ---------------------------------------------- */

double radians(double degrees)
{
    return degrees * PI / 180.0;
}

vec make_vec(double x, double y, double z)
{
    vec v = {x, y, z};

    return v;
}

rotation about_y(double angle)
{
    rotation q = {0.0, sine(angle / 2.0), 0.0, cosine(angle / 2.0)};

    return q;
}

rotation about_z(double angle)
{
    rotation q = {0.0, 0.0, sine(angle / 2.0), cosine(angle / 2.0)};

    return q;
}

/* Turns q by an angle about the vertical, after its own rotation. */
static rotation turn_rotation(rotation q, double angle)
{
    rotation r = about_y(angle);
    rotation result = {r.w * q.x + r.y * q.z, r.w * q.y + r.y * q.w,
                       r.w * q.z - r.y * q.x, r.w * q.w - r.y * q.y};

    return result;
}

vec turn_vec(vec v, double angle)
{
    double s = sine(angle);
    double c = cosine(angle);

    return make_vec(v.x * c + v.z * s, v.y, v.z * c - v.x * s);
}

vsp_vec3 real_vec(vec v)
{
    vsp_vec3 result = {scene_real(v.x), scene_real(v.y), scene_real(v.z)};

    return result;
}

static vsp_quat real_quat(rotation q)
{
    vsp_quat result = {scene_real(q.x), scene_real(q.y), scene_real(q.z),
                       scene_real(q.w)};

    return result;
}


/* ---- One body ----------------------------------------------------------- */

piece box_piece(vec at, vec half)
{
    piece it;

    it.type = VSP_DYNAMIC;
    it.at = at;
    it.half = half;
    it.shape = VSP_SHAPE_BOX;
    it.table = 0;
    it.turn = about_y(0.0);
    it.velocity = make_vec(0.0, 0.0, 0.0);
    it.spin = it.velocity;
    it.density = 1000.0;
    it.gravity_scale = 1.0;
    it.user = SCENE_TRACK;
    return it;
}

piece ball_piece(vec at, double radius)
{
    piece it = box_piece(at, make_vec(radius, radius, radius));

    it.shape = VSP_SHAPE_SPHERE;
    return it;
}

piece capsule_piece(vec at, double radius, double half_height)
{
    piece it = box_piece(at, make_vec(radius, half_height, radius));

    it.shape = VSP_SHAPE_CAPSULE;
    return it;
}

piece cylinder_piece(vec at, double radius, double half_height)
{
    piece it = box_piece(at, make_vec(radius, half_height, 0.0));

    it.shape = VSP_SHAPE_CYLINDER;
    return it;
}

piece cone_piece(vec at, double below, double half_height, double above)
{
    piece it = box_piece(at, make_vec(below, half_height, above));

    it.shape = VSP_SHAPE_CONE;
    return it;
}

piece taper_piece(vec at, double below, double half_height, double above)
{
    piece it = box_piece(at, make_vec(below, half_height, above));

    it.shape = VSP_SHAPE_TAPER;
    return it;
}

piece table_piece(vec at, vsp_shape_type shape, uint32_t table)
{
    piece it = box_piece(at, make_vec(0.0, 0.0, 0.0));

    it.shape = shape;
    it.table = table;
    return it;
}

double next_random(uint32_t *state)
{
    uint32_t x = *state;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
    return (double)(x >> 8) / 8388608.0 - 1.0;
}

static void disturb_piece(uint32_t *state, piece *it)
{
    it->at.x += 0.002 * next_random(state);
    it->at.z += 0.002 * next_random(state);
    it->at.y *= 1.0005;
    it->turn = turn_rotation(it->turn, 0.005 * next_random(state));
}

static void turn_piece(piece *it, double angle)
{
    it->at = turn_vec(it->at, angle);
    it->velocity = turn_vec(it->velocity, angle);
    it->spin = turn_vec(it->spin, angle);
    it->turn = turn_rotation(it->turn, angle);
}

#if VSP_ROUNDS

static vsp_shape_def turned_shape(const piece *it)
{
    if (it->shape == VSP_SHAPE_CYLINDER)
        return vsp_cylinder(scene_real(it->half.x), scene_real(it->half.y));
    return vsp_cone(scene_real(it->half.x), scene_real(it->half.y),
                    scene_real(it->half.z));
}

#else

#define turned_shape(it) vsp_table_shape((it)->shape, 0)

#endif

#if VSP_TAPERS

static vsp_shape_def taper_shape(const piece *it)
{
    return vsp_taper(scene_real(it->half.x), scene_real(it->half.y),
                     scene_real(it->half.z));
}

#else

#define taper_shape(it) vsp_table_shape((it)->shape, 0)

#endif

static vsp_shape_def plain_shape(const piece *it)
{
    switch (it->shape) {
    case VSP_SHAPE_SPHERE:
        return vsp_sphere(scene_real(it->half.x));
    case VSP_SHAPE_BOX:
        return vsp_box(scene_real(it->half.x), scene_real(it->half.y),
                       scene_real(it->half.z));
    case VSP_SHAPE_CAPSULE:
        return vsp_capsule(scene_real(it->half.x), scene_real(it->half.y));
    case VSP_SHAPE_CYLINDER:
    case VSP_SHAPE_CONE:
        return turned_shape(it);
    case VSP_SHAPE_TAPER:
        return taper_shape(it);
    default:
        return vsp_table_shape(it->shape, it->table);
    }
}

static vsp_shape_def piece_shape(const scene_run *run, const piece *it)
{
    vsp_shape_def shape = plain_shape(it);

    shape.density = scene_real(it->density);
    shape.material = run->material;
    return shape;
}

vsp_body_id create_body(scene_run *run, const vsp_body_def *def)
{
    vsp_body_id id;

    if (vsp_record_body_create(scene_recorder(run), def, &id) < 0)
        run->failures++;
    return id;
}

void piece_body(const scene_run *run, const piece *it, vsp_body_def *def)
{
    def->type = it->type;
    def->pose.position = real_vec(it->at);
    def->pose.rotation = real_quat(it->turn);
    def->velocity = real_vec(it->velocity);
    def->spin = real_vec(it->spin);
    def->gravity_scale = scene_real(it->gravity_scale);
    def->user = it->type == VSP_DYNAMIC ? it->user : 0;
    def->shape = piece_shape(run, it);
}

vsp_body_id add_piece(scene_run *run, piece *it)
{
    vsp_body_def def = vsp_body_def_default();

    if (run->variant.seed != 0 && it->type == VSP_DYNAMIC)
        disturb_piece(&run->random, it);
    if (run->variant.noise > 0.0 && it->type == VSP_DYNAMIC)
        it->at.y += run->variant.noise * next_random(&run->noise);
    if (run->variant.turn < 0.0 || run->variant.turn > 0.0)
        turn_piece(it, radians(run->variant.turn));
    piece_body(run, it, &def);
    return create_body(run, &def);
}

vsp_body_id add_dense_box(scene_run *run, vec at, vec half, double density)
{
    piece it = box_piece(at, half);

    it.density = density;
    return add_piece(run, &it);
}

vsp_body_id add_box(scene_run *run, vec at, vec half)
{
    piece it = box_piece(at, half);

    return add_piece(run, &it);
}

vsp_body_id add_ball(scene_run *run, vec at, double radius)
{
    piece it = ball_piece(at, radius);

    return add_piece(run, &it);
}

vsp_body_id add_block(scene_run *run, vec at, vec half)
{
    piece it = box_piece(at, half);

    it.type = VSP_STATIC;
    return add_piece(run, &it);
}

vsp_body_id add_mover(scene_run *run, vec at, vec half, vec velocity)
{
    piece it = box_piece(at, half);

    it.type = VSP_KINEMATIC;
    it.velocity = velocity;
    return add_piece(run, &it);
}

vsp_body_id add_missile(scene_run *run, piece it, double density, vec velocity)
{
    it.density = density;
    it.velocity = velocity;
    it.user = 0;
    return add_piece(run, &it);
}

vsp_body_id add_floor(scene_run *run, double friction, double restitution)
{
    vsp_body_def def = vsp_body_def_default();

    run->material.friction = scene_real(friction);
    run->material.restitution = scene_real(restitution);
    def.shape = vsp_half_space();
    def.shape.material = run->material;
    return create_body(run, &def);
}

int scene_number(scene_run *run)
{
    double number = run->variant.number;

    run->is_count = true;
    if (!(number > 0.0))
        return 0;
    return number < 65000.0 ? (int)number : 65000;
}

void push_body(scene_run *run, vsp_body_id id, vec force)
{
    vec turned = turn_vec(force, radians(run->variant.turn));

    if (vsp_record_body_apply_center_force(scene_recorder(run), id,
                                           real_vec(turned)) < 0)
        run->failures++;
}

void add_part(scene_run *run, vsp_body_id id, const piece *it)
{
    vsp_shape_def def = piece_shape(run, it);

    def.pose.position = real_vec(it->at);
    def.pose.rotation = real_quat(it->turn);
    if (vsp_record_shape_create(scene_recorder(run), id, &def, NULL) < 0)
        run->failures++;
}


/* ---- Joints -------------------------------------------------------------- */

#if VSP_JOINTS

void place_joint(scene_run *run, vsp_joint_def *def, vsp_joint_type type,
                 vec anchor, vec axis)
{
    double angle = radians(run->variant.turn);

    def->type = type;
    if (vsp_joint_place(run->world, def, real_vec(turn_vec(anchor, angle)),
                        real_vec(turn_vec(axis, angle))) < 0)
        run->failures++;
}

void make_joint(scene_run *run, const vsp_joint_def *def)
{
    if (vsp_record_joint_create(scene_recorder(run), def, NULL) < 0)
        run->failures++;
}

vsp_joint_def joint_of(vsp_body_id a, vsp_body_id b)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.body_a = a;
    def.body_b = b;
    return def;
}

void limit_joint(vsp_joint_def *def, double low, double high)
{
    def->enable_limit = true;
    def->low = scene_real(low);
    def->high = scene_real(high);
}

#endif


/* ---- Tables -------------------------------------------------------------- */

void add_tables(scene_run *run, table_set set)
{
    if (!add_table_set(run->world, (uint32_t)set))
        run->failures++;
}

#endif
