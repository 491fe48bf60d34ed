# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# The engine in Python, by a shared library and ctypes alone; and a scene:
#     python3 vsp.py LIBRARY float|fixed
# The structs are those of vsp.h; other functions are bound alike.

import os
import struct
import sys
from ctypes import (CDLL, POINTER, Structure, byref, c_bool, c_float, c_int,
                    c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p)

DYNAMIC = 2


def record(**fields):
    return type("Record", (Structure,), {"_fields_": list(fields.items())})


class Engine:
    """One kind of numbers: its structs and functions."""

    def __init__(self, path, is_fixed):
        self.library = CDLL(os.path.abspath(path))
        self.is_fixed = is_fixed
        real = c_int64 if is_fixed else c_float
        vec3 = record(x=real, y=real, z=real)
        self.Transform = record(
            position=vec3, rotation=record(x=real, y=real, z=real, w=real))
        self.WorldDef = record(
            cookie=c_uint32, options=c_uint32, gravity=vec3, dt=real,
            stepper=c_int, friction=c_int, enable_warm_start=c_bool,
            envelope=real, tolerance=real, sweeps=c_uint32,
            correction_sweeps=c_uint32, fraction=real,
            subspace=record(rounds=c_uint32, tries=c_uint32, steps=c_uint32,
                            search=c_uint32, friction_damping=real),
            enable_sleep=c_bool, sleep_speed=real, sleep_time=real,
            enable_continuous=c_bool, enable_ranges=c_bool,
            enable_hinge_loops=c_bool, enable_seams=c_bool,
            enable_supports=c_bool, reports=c_uint32, capacity=c_uint32 * 7,
            sweep_limit=c_uint32)
        self.ShapeDef = record(
            cookie=c_uint32, type=c_int, size=vec3, table=c_uint32,
            is_sensor=c_bool, pose=self.Transform, density=real,
            material=record(friction=real, restitution=real,
                            friction_rule=c_int, restitution_rule=c_int),
            filter=record(category=c_uint32, mask=c_uint32, group=c_int32),
            surface_velocity=vec3, surface_spin=vec3, user=c_uint32,
            rolling_friction=real, spinning_friction=real)
        self.BodyDef = record(
            cookie=c_uint32, type=c_int, pose=self.Transform, velocity=vec3,
            spin=vec3, linear_damping=real, angular_damping=real,
            gravity_scale=real, max_speed=real, locks=c_uint32,
            is_bullet=c_bool, enable_sleep=c_bool, is_disabled=c_bool,
            user=c_uint32, mass=real, center=vec3, inertia=vec3,
            shape=self.ShapeDef)
        self.bind("world_bytes", c_size_t)
        self.bind("world_def_default", self.WorldDef)
        self.bind("body_def_default", self.BodyDef)
        self.bind("half_space", self.ShapeDef)
        self.bind("box", self.ShapeDef, real, real, real)
        self.bind("world_create", c_int, c_void_p, c_size_t,
                  POINTER(self.WorldDef), POINTER(c_void_p))
        self.bind("body_create", c_int, c_void_p, POINTER(self.BodyDef),
                  POINTER(c_uint32))
        self.bind("world_step", c_int, c_void_p)
        self.bind("world_hash", c_uint32, c_void_p)

    def bind(self, name, result, *arguments):
        function = getattr(self.library, "vsp_" + name)
        function.restype, function.argtypes = result, arguments
        setattr(self, name, function)

    def number(self, x):
        """VSP_R: in either kind the float nearest to x."""
        nearest = struct.unpack("f", struct.pack("f", x))[0]
        return int(nearest * 2**32) if self.is_fixed else nearest

    def make_world(self, setup):
        """Returns a world and its memory, which must live as long."""
        size = self.world_bytes()
        arena = (c_uint64 * (size // 8 + 1))()
        world = c_void_p()
        done(self.world_create(arena, size, byref(setup), byref(world)))
        return world, arena


def done(status):
    if status < 0:
        raise ValueError("status %d" % status)


def drop_stack(engine):
    """Three boxes fall by a metre: returns the hash after 94 steps."""
    number = engine.number
    setup = engine.world_def_default()
    setup.dt = number(0.01)
    setup.enable_sleep = setup.enable_continuous = False
    setup.capacity[:] = (8, 8, 24, 16, 32, 1, 0)
    world, arena = engine.make_world(setup)
    body = engine.body_def_default()
    for i in range(4):
        half = number(0.5)
        body.shape = engine.box(half, half, half) if i else engine.half_space()
        body.shape.material.friction = half
        body.shape.material.restitution = half
        if i:
            body.type, body.user = DYNAMIC, 1
            body.pose.position.y = number(i + 0.5)
        done(engine.body_create(world, byref(body), None))
    for _ in range(94):
        done(engine.world_step(world))
    return engine.world_hash(world)


if __name__ == "__main__":
    KIND = sys.argv[2]
    print("drop-stack carry %s tiny 94 %08x" % (
        KIND, drop_stack(Engine(sys.argv[1], KIND == "fixed"))))
