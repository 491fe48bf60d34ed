# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# The scene of ci/ctypes_scene.c, by a shared library and ctypes alone:
#
#     python3 ci/ctypes_scene.py LIBRARY float|fixed

import ctypes
import struct
import sys
from ctypes import POINTER, Structure, byref, c_bool, c_int, c_int32
from ctypes import c_int64, c_float, c_size_t, c_uint32, c_void_p

library = ctypes.CDLL("./" + sys.argv[1])
is_fixed = sys.argv[2] == "fixed"
real = c_int64 if is_fixed else c_float


def number(x):
    """VSP_R: in either kind the float nearest to x."""
    nearest = struct.unpack("f", struct.pack("f", x))[0]
    return int(nearest * 2**32) if is_fixed else nearest


class Vec3(Structure):
    _fields_ = [("x", real), ("y", real), ("z", real)]


class Quat(Structure):
    _fields_ = [("x", real), ("y", real), ("z", real), ("w", real)]


class Transform(Structure):
    _fields_ = [("position", Vec3), ("rotation", Quat)]


class Subspace(Structure):
    _fields_ = [("rounds", c_uint32), ("tries", c_uint32),
                ("steps", c_uint32), ("search", c_uint32),
                ("friction_damping", real)]


class WorldDef(Structure):
    _fields_ = [("cookie", c_uint32), ("options", c_uint32),
                ("gravity", Vec3), ("dt", real),
                ("stepper", c_int), ("friction", c_int),
                ("enable_warm_start", c_bool),
                ("envelope", real), ("tolerance", real),
                ("sweeps", c_uint32), ("correction_sweeps", c_uint32),
                ("fraction", real), ("subspace", Subspace),
                ("enable_sleep", c_bool),
                ("sleep_speed", real), ("sleep_time", real),
                ("enable_continuous", c_bool),
                ("reports", c_uint32), ("capacity", c_uint32 * 7),
                ("sweep_limit", c_uint32)]


class Material(Structure):
    _fields_ = [("friction", real), ("restitution", real),
                ("friction_rule", c_int), ("restitution_rule", c_int)]


class Filter(Structure):
    _fields_ = [("category", c_uint32), ("mask", c_uint32),
                ("group", c_int32)]


class ShapeDef(Structure):
    _fields_ = [("cookie", c_uint32), ("type", c_int), ("size", Vec3),
                ("table", c_uint32), ("is_sensor", c_bool),
                ("pose", Transform), ("density", real),
                ("material", Material), ("filter", Filter),
                ("surface_velocity", Vec3)]


class BodyDef(Structure):
    _fields_ = [("cookie", c_uint32), ("type", c_int), ("pose", Transform),
                ("velocity", Vec3), ("spin", Vec3),
                ("linear_damping", real), ("angular_damping", real),
                ("gravity_scale", real), ("max_speed", real),
                ("locks", c_uint32), ("is_bullet", c_bool),
                ("enable_sleep", c_bool), ("user", c_uint32),
                ("mass", real), ("center", Vec3), ("inertia", Vec3),
                ("shape", ShapeDef)]


DYNAMIC = 2


def function(name, result, *arguments):
    f = getattr(library, name)
    f.restype = result
    f.argtypes = arguments
    return f


world_bytes = function("vsp_world_bytes", c_size_t)
snapshot_bytes = function("vsp_snapshot_bytes", c_size_t)
world_def_default = function("vsp_world_def_default", WorldDef)
body_def_default = function("vsp_body_def_default", BodyDef)
half_space = function("vsp_half_space", ShapeDef)
box = function("vsp_box", ShapeDef, real, real, real)
world_create = function("vsp_world_create", c_int, c_void_p, c_size_t,
                        POINTER(WorldDef), POINTER(c_void_p))
body_create = function("vsp_body_create", c_int, c_void_p, POINTER(BodyDef),
                       c_void_p)
step = function("vsp_world_step", c_int, c_void_p)
world_hash = function("vsp_world_hash", c_uint32, c_void_p)
snapshot = function("vsp_world_snapshot", c_int, c_void_p, c_void_p,
                    c_size_t, POINTER(c_size_t))
restore = function("vsp_world_restore", c_int, c_void_p, c_void_p, c_size_t)


def done(status):
    if status != 0:
        sys.exit("status %d" % status)


def run(world):
    for _ in range(120):
        done(step(world))
    return world_hash(world)


def fill(world):
    ground = body_def_default()
    ground.shape = half_space()
    done(body_create(world, byref(ground), None))
    crate = body_def_default()
    crate.type = DYNAMIC
    half = number(0.5)
    crate.shape = box(half, half, half)
    for i in range(4):
        if is_fixed:
            y = number(0.6) + number(1.1) * i
        else:
            y = number(number(0.6) + number(number(1.1) * i))
        crate.pose.position.y = y
        done(body_create(world, byref(crate), None))


print("world", world_bytes())
print("snapshot", snapshot_bytes())
print("sizeof vsp_world_def", ctypes.sizeof(WorldDef))
print("sizeof vsp_body_def", ctypes.sizeof(BodyDef))
print("sizeof vsp_shape_def", ctypes.sizeof(ShapeDef))
print("sizeof vsp_transform", ctypes.sizeof(Transform))
setup = world_def_default()
print("options", setup.options)
arena = (ctypes.c_uint64 * (world_bytes() // 8 + 1))()
world = c_void_p()
done(world_create(arena, ctypes.sizeof(arena), byref(setup), byref(world)))
fill(world)
saved = (ctypes.c_ubyte * snapshot_bytes())()
size = c_size_t()
done(snapshot(world, saved, len(saved), byref(size)))
print("bytes", size.value)
print("hash", run(world))
done(restore(world, saved, size))
print("hash", run(world))
