# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# The scene of ci/ctypes_scene.c, by a shared library and ctypes alone, with the
# structs of port/examples/python:
#
#     python3 ci/ctypes_scene.py LIBRARY float|fixed

import ctypes
import sys
from ctypes import POINTER, byref, c_int, c_size_t, c_void_p

sys.dont_write_bytecode = True
sys.path.append("port/examples/python")
from vsp import DYNAMIC, Engine, done  # noqa: E402

engine = Engine(sys.argv[1], sys.argv[2] == "fixed")
number = engine.number
engine.bind("snapshot_bytes", c_size_t)
engine.bind("world_snapshot", c_int, c_void_p, c_void_p, c_size_t,
            POINTER(c_size_t))
engine.bind("world_restore", c_int, c_void_p, c_void_p, c_size_t)


def run(world):
    for _ in range(300):
        done(engine.world_step(world))
    return engine.world_hash(world)


def fill(world):
    ground = engine.body_def_default()
    ground.shape = engine.half_space()
    done(engine.body_create(world, byref(ground), None))
    crate = engine.body_def_default()
    crate.type = DYNAMIC
    half = number(0.5)
    crate.shape = engine.box(half, half, half)
    y = number(0.6)
    for i in range(20):
        crate.pose.position.y = y
        done(engine.body_create(world, byref(crate), None))
        y += number(1.1)
        if not engine.is_fixed:
            y = number(y)  # a sum of floats is rounded to a float


print("world", engine.world_bytes())
print("snapshot", engine.snapshot_bytes())
print("sizeof vsp_world_def", ctypes.sizeof(engine.WorldDef))
print("sizeof vsp_body_def", ctypes.sizeof(engine.BodyDef))
print("sizeof vsp_shape_def", ctypes.sizeof(engine.ShapeDef))
print("sizeof vsp_transform", ctypes.sizeof(engine.Transform))
setup = engine.world_def_default()
print("options", setup.options)
world, arena = engine.make_world(setup)
fill(world)
saved = (ctypes.c_ubyte * engine.snapshot_bytes())()
size = c_size_t()
done(engine.world_snapshot(world, saved, len(saved), byref(size)))
print("bytes", size.value)
print("hash", run(world))
done(engine.world_restore(world, saved, size))
print("hash", run(world))
