/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Times a scene in Box3D, with four sub-steps a step and one thread:
 * box3d SCENE.txt */

#include "box3d/box3d.h"
#include "scene.h"

static b3WorldId world;
static b3BodyId *bodies;

static b3Vec3 vector_of(const float *v)
{
    b3Vec3 out = {v[0], v[1], v[2]};

    return out;
}

static b3Quat turn_of(const float *q)
{
    b3Quat out = {{q[0], q[1], q[2]}, q[3]};

    return out;
}

static b3Transform pose_of(const peer_pose *pose)
{
    b3Transform out;

    out.p = vector_of(pose->at);
    out.q = turn_of(pose->turn);
    return out;
}

static void begin_world(const peer_scene *s)
{
    b3WorldDef def = b3DefaultWorldDef();

    def.gravity = vector_of(s->gravity);
    def.enableSleep = s->sleeps;
    def.workerCount = 1;
    world = b3CreateWorld(&def);
    bodies = (b3BodyId *)calloc(s->body_count, sizeof *bodies);
    if (!bodies)
        peer_fail("memory");
}

/* A floor is a box of 1 km by 20 m, since Box3D has no half-space. */
static b3BoxHull box_of(const peer_shape *shape)
{
    b3Transform pose = pose_of(&shape->pose);

    if (strcmp(shape->kind, "floor") != 0)
        return b3MakeTransformedBoxHull(shape->size[0], shape->size[1],
                                        shape->size[2], pose);
    pose.p.y -= 10.0f;
    return b3MakeTransformedBoxHull(500.0f, 10.0f, 500.0f, pose);
}

static void add_hull(const peer_shape *shape, const b3ShapeDef *def)
{
    b3Vec3 points[256];
    b3HullData *hull;
    b3Transform pose = pose_of(&shape->pose);

    for (unsigned i = 0; i < shape->count; i++)
        points[i] = b3TransformPoint(pose, vector_of(shape->vertices[i]));
    hull = b3CreateHull(points, (int)shape->count, 64);
    if (!hull)
        peer_fail("hull");
    b3CreateHullShape(bodies[shape->body], def, hull);
    b3DestroyHull(hull);
}

static void add_shape(const peer_shape *shape)
{
    b3ShapeDef def = b3DefaultShapeDef();
    b3Transform pose = pose_of(&shape->pose);

    def.density = shape->density;
    def.baseMaterial.friction = shape->friction;
    def.baseMaterial.restitution = shape->restitution;
    if (strcmp(shape->kind, "sphere") == 0) {
        b3Sphere ball = {pose.p, shape->size[0]};

        b3CreateSphereShape(bodies[shape->body], &def, &ball);
    } else if (strcmp(shape->kind, "capsule") == 0) {
        b3Vec3 up = {0, shape->size[1], 0}, down = {0, -shape->size[1], 0};
        b3Capsule it = {b3TransformPoint(pose, up),
                        b3TransformPoint(pose, down), shape->size[0]};

        b3CreateCapsuleShape(bodies[shape->body], &def, &it);
    } else if (strcmp(shape->kind, "hull") == 0) {
        add_hull(shape, &def);
    } else {
        b3BoxHull hull = box_of(shape);

        b3CreateHullShape(bodies[shape->body], &def, &hull.base);
    }
}

static void add_body(const peer_scene *s, size_t i)
{
    const peer_body *b = &s->bodies[i];
    b3BodyDef def = b3DefaultBodyDef();

    def.type = (b3BodyType)b->type;
    def.position = vector_of(b->pose.at);
    def.rotation = turn_of(b->pose.turn);
    def.linearVelocity = vector_of(b->velocity);
    def.angularVelocity = vector_of(b->spin);
    def.gravityScale = b->gravity_scale;
    def.linearDamping = b->linear_damping;
    def.angularDamping = b->angular_damping;
    def.isBullet = b->is_bullet;
    bodies[i] = b3CreateBody(world, &def);
    for (size_t k = 0; k < s->shape_count; k++)
        if (s->shapes[k].body == i)
            add_shape(&s->shapes[k]);
}

/* Our joints turn about x, those of Box3D about z: frames turn by -90 degrees
 * about y. */
static b3Transform frame_of(const peer_pose *pose)
{
    b3Transform out = pose_of(pose);
    b3Quat turn = {{0.0f, 0.70710678f, 0.0f}, 0.70710678f};

    out.q = b3MulQuat(out.q, turn);
    return out;
}

static b3JointDef join_def(const peer_joint *j, b3JointDef def)
{
    def.bodyIdA = bodies[j->a];
    def.bodyIdB = bodies[j->b];
    def.localFrameA = frame_of(&j->frame[0]);
    def.localFrameB = frame_of(&j->frame[1]);
    def.collideConnected = j->collides;
    return def;
}

static void add_joint(const peer_scene *s, size_t i)
{
    const peer_joint *j = &s->joints[i];

    if (strcmp(j->kind, "ball") == 0) {
        b3SphericalJointDef def = b3DefaultSphericalJointDef();

        def.base = join_def(j, def.base);
        def.enableConeLimit = j->cone < 3.14f;
        def.coneAngle = j->cone;
        def.enableTwistLimit = j->has_limit;
        def.lowerTwistAngle = j->low;
        def.upperTwistAngle = j->high;
        b3CreateSphericalJoint(world, &def);
    } else if (strcmp(j->kind, "hinge") == 0) {
        b3RevoluteJointDef def = b3DefaultRevoluteJointDef();

        def.base = join_def(j, def.base);
        def.enableLimit = j->has_limit;
        def.lowerAngle = j->low;
        def.upperAngle = j->high;
        b3CreateRevoluteJoint(world, &def);
    } else {
        b3WeldJointDef def = b3DefaultWeldJointDef();

        def.base = join_def(j, def.base);
        b3CreateWeldJoint(world, &def);
    }
}

static void make_step(const peer_scene *s)
{
    b3World_Step(world, s->dt, 4);
}

int main(int argc, char **argv)
{
    static const peer_engine engine = {begin_world, add_body, add_joint,
                                       make_step};

    if (argc != 2)
        peer_fail("arguments: box3d SCENE.txt");
    return peer_run(argv[1], "box3d", &engine);
}
