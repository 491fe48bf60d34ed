/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Times a scene in Bullet, with its defaults and no sleep:
 * bullet SCENE.txt [ITERATIONS] */

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <vector>

#include "scene.h"

static btDiscreteDynamicsWorld *world;
static int iterations = 10;

static btVector3 vector_of(const float *v)
{
    return btVector3(v[0], v[1], v[2]);
}

static btTransform pose_of(const peer_pose &pose)
{
    return btTransform(btQuaternion(pose.turn[0], pose.turn[1], pose.turn[2],
                                    pose.turn[3]),
                       vector_of(pose.at));
}

static void begin_world(const peer_scene *s)
{
    btDefaultCollisionConfiguration *all = new btDefaultCollisionConfiguration;

    world = new btDiscreteDynamicsWorld(
        new btCollisionDispatcher(all), new btDbvtBroadphase,
        new btSequentialImpulseConstraintSolver, all);
    world->setGravity(vector_of(s->gravity));
    world->getSolverInfo().m_numIterations = iterations;
}

static btCollisionShape *solid_of(const peer_shape &shape)
{
    if (strcmp(shape.kind, "floor") == 0)
        return new btStaticPlaneShape(btVector3(0, 1, 0), 0);
    if (strcmp(shape.kind, "sphere") == 0)
        return new btSphereShape(shape.size[0]);
    if (strcmp(shape.kind, "capsule") == 0)
        return new btCapsuleShape(shape.size[0], 2 * shape.size[1]);
    if (strcmp(shape.kind, "hull") == 0)
        return new btConvexHullShape(shape.vertices[0],
                                     static_cast<int>(shape.count),
                                     sizeof shape.vertices[0]);
    return new btBoxShape(vector_of(shape.size));
}

static double volume_of(const peer_shape &shape, btCollisionShape *solid)
{
    const double pi = 3.14159265358979, r = shape.size[0];
    btVector3 inertia;

    if (strcmp(shape.kind, "sphere") == 0)
        return 4.0 / 3.0 * pi * r * r * r;
    if (strcmp(shape.kind, "capsule") == 0)
        return pi * r * r * (4.0 / 3.0 * r + 2.0 * shape.size[1]);
    if (strcmp(shape.kind, "hull") != 0)
        return 8.0 * shape.size[0] * shape.size[1] * shape.size[2];
    btVector3 low, high; /* of a hull: half of its bounds */
    solid->getAabb(btTransform::getIdentity(), low, high);
    inertia = high - low;
    return 0.5 * inertia.x() * inertia.y() * inertia.z();
}

static void add_body(const peer_scene *s, size_t i)
{
    const peer_body &b = s->bodies[i];
    btCompoundShape *compound = new btCompoundShape;
    btCollisionShape *solid = compound;
    btVector3 inertia(0, 0, 0);
    double mass = 0;
    float friction = 0, restitution = 0;

    for (size_t k = 0; k < s->shape_count; k++) {
        const peer_shape &shape = s->shapes[k];

        if (shape.body != i)
            continue;
        solid = solid_of(shape);
        mass += shape.density * volume_of(shape, solid);
        friction = shape.friction;
        restitution = shape.restitution;
        compound->addChildShape(pose_of(shape.pose), solid);
    }
    if (compound->getNumChildShapes() != 1)
        solid = compound;
    if (b.type != 2)
        mass = 0;
    else
        solid->calculateLocalInertia(static_cast<btScalar>(mass), inertia);
    btRigidBody::btRigidBodyConstructionInfo info(
        static_cast<btScalar>(mass), new btDefaultMotionState(pose_of(b.pose)),
        solid, inertia);
    /* Bullet multiplies the two coefficients of friction */
    info.m_friction = std::sqrt(friction);
    info.m_restitution = restitution;
    btRigidBody *body = new btRigidBody(info);
    if (!s->sleeps)
        body->setActivationState(DISABLE_DEACTIVATION);
    body->setLinearVelocity(vector_of(b.velocity));
    body->setAngularVelocity(vector_of(b.spin));
    world->addRigidBody(body);
    body->setGravity(world->getGravity() * b.gravity_scale);
}

static void add_joint(const peer_scene *, size_t)
{
    peer_fail("joint: not in Bullet's program");
}

static void make_step(const peer_scene *s)
{
    world->stepSimulation(s->dt, 0);
}

int main(int argc, char **argv)
{
    static const peer_engine engine = {begin_world, add_body, add_joint, make_step};
    static char name[16];

    if (argc < 2)
        peer_fail("arguments: bullet SCENE.txt [ITERATIONS]");
    if (argc > 2)
        iterations = atoi(argv[2]);
    snprintf(name, sizeof name, "bullet%d", iterations);
    return peer_run(argv[1], name, &engine);
}
