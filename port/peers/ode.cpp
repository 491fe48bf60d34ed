/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Times a scene in ODE, with its iterative solver and no sleep:
 * ode SCENE.txt [ITERATIONS] */

#include <ode/ode.h>

#include <vector>

#include "scene.h"

#define MOST_CONTACTS 8 /* of a pair */

static dWorldID world;
static dSpaceID space;
static dJointGroupID contacts;
static std::vector<dBodyID> bodies;
static float friction, restitution;
static int iterations = 20;

static void begin_world(const peer_scene *s)
{
    dInitODE2(0);
    world = dWorldCreate();
    space = dHashSpaceCreate(nullptr);
    contacts = dJointGroupCreate(0);
    dWorldSetGravity(world, s->gravity[0], s->gravity[1], s->gravity[2]);
    dWorldSetQuickStepNumIterations(world, iterations);
}

static dGeomID solid_of(const peer_shape &shape, dMass *mass)
{
    const float *size = shape.size;

    dMassSetZero(mass);
    if (strcmp(shape.kind, "floor") == 0)
        return dCreatePlane(space, 0, 1, 0, 0);
    if (strcmp(shape.kind, "sphere") == 0) {
        dMassSetSphere(mass, shape.density, size[0]);
        return dCreateSphere(space, size[0]);
    }
    if (strcmp(shape.kind, "box") != 0)
        peer_fail("shape: not in ODE's program");
    dMassSetBox(mass, shape.density, 2 * size[0], 2 * size[1], 2 * size[2]);
    return dCreateBox(space, 2 * size[0], 2 * size[1], 2 * size[2]);
}

static void add_body(const peer_scene *s, size_t i)
{
    const peer_body &b = s->bodies[i];
    const dQuaternion turn = {b.pose.turn[3], b.pose.turn[0], b.pose.turn[1],
                              b.pose.turn[2]};
    dBodyID body = b.type == 2 ? dBodyCreate(world) : nullptr;
    dMass mass;

    bodies.push_back(body);
    for (size_t k = 0; k < s->shape_count; k++) {
        if (s->shapes[k].body != i)
            continue;
        dGeomID geom = solid_of(s->shapes[k], &mass);

        friction = s->shapes[k].friction;
        restitution = s->shapes[k].restitution;
        if (body) {
            dGeomSetBody(geom, body);
            dBodySetMass(body, &mass);
        } else if (dGeomGetClass(geom) != dPlaneClass) {
            dGeomSetPosition(geom, b.pose.at[0], b.pose.at[1], b.pose.at[2]);
            dGeomSetQuaternion(geom, turn);
        }
    }
    if (!body)
        return;
    dBodySetPosition(body, b.pose.at[0], b.pose.at[1], b.pose.at[2]);
    dBodySetQuaternion(body, turn);
    dBodySetLinearVel(body, b.velocity[0], b.velocity[1], b.velocity[2]);
    dBodySetAngularVel(body, b.spin[0], b.spin[1], b.spin[2]);
    dBodySetGravityMode(body, b.gravity_scale != 0);
}

static void add_joint(const peer_scene *, size_t)
{
    peer_fail("joint: not in ODE's program");
}

static void collide(void *, dGeomID a, dGeomID b)
{
    dContact found[MOST_CONTACTS];
    int count = dCollide(a, b, MOST_CONTACTS, &found[0].geom, sizeof(dContact));

    for (int i = 0; i < count; i++) {
        found[i].surface.mode = dContactApprox1 | dContactBounce;
        found[i].surface.mu = friction;
        found[i].surface.bounce = restitution;
        found[i].surface.bounce_vel = 0.5;
        dJointAttach(dJointCreateContact(world, contacts, &found[i]),
                     dGeomGetBody(a), dGeomGetBody(b));
    }
}

static void make_step(const peer_scene *s)
{
    dSpaceCollide(space, nullptr, collide);
    dWorldQuickStep(world, s->dt);
    dJointGroupEmpty(contacts);
}

int main(int argc, char **argv)
{
    static const peer_engine engine = {begin_world, add_body, add_joint, make_step};
    static char name[16];

    if (argc < 2)
        peer_fail("arguments: ode SCENE.txt [ITERATIONS]");
    if (argc > 2)
        iterations = atoi(argv[2]);
    snprintf(name, sizeof name, "ode%d", iterations);
    return peer_run(argv[1], name, &engine);
}
