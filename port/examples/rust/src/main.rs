// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors

// Floats, with the structs of vsp.h by hand; main checks their sizes.

use std::ffi::{c_int, c_void};
use std::mem::size_of;
use std::ptr::null_mut;

type Vec3 = [f32; 3];

#[repr(C)]
struct WorldDef {
    head: [u32; 2],
    gravity: Vec3,
    dt: f32,
    stepper: [c_int; 2],
    enable_warm_start: bool,
    tolerance: [f32; 2],
    sweeps: [u32; 2],
    fraction: f32,
    subspace: [u32; 5],
    enable_sleep: bool,
    sleep: [f32; 2],
    enable_continuous: bool,
    enable_others: [bool; 4],
    reports: u32,
    capacity: [u32; 7],
    sweep_limit: u32,
}

#[repr(C)]
struct ShapeDef {
    cookie: u32,
    kind: c_int,
    size: Vec3,
    table: u32,
    is_sensor: bool,
    pose: [f32; 7],
    density: f32,
    friction: f32,
    restitution: f32,
    rules: [c_int; 2],
    filter: [u32; 3],
    surface_velocity: Vec3,
    surface_spin: Vec3,
    user: u32,
    rolling_friction: f32,
    spinning_friction: f32,
}

#[repr(C)]
struct BodyDef {
    cookie: u32,
    kind: c_int,
    position: Vec3,
    rotation: [f32; 4],
    velocity: Vec3,
    spin: Vec3,
    damping: [f32; 2],
    gravity_scale: f32,
    max_speed: f32,
    locks: u32,
    flags: [bool; 2],
    user: u32,
    mass: [f32; 7],
    shape: ShapeDef,
}

extern "C" {
    static scene_sizes: [u32; 3]; // sizes.c
    fn vsp_world_bytes() -> usize;
    fn vsp_world_def_default() -> WorldDef;
    fn vsp_body_def_default() -> BodyDef;
    fn vsp_half_space() -> ShapeDef;
    fn vsp_box(x: f32, y: f32, z: f32) -> ShapeDef;
    fn vsp_world_create(memory: *mut u64, size: usize, def: &WorldDef,
                        world: &mut *mut c_void) -> c_int;
    fn vsp_body_create(world: *mut c_void, def: &BodyDef, id: *mut u32)
        -> c_int;
    fn vsp_world_step(world: *mut c_void) -> c_int;
    fn vsp_world_hash(world: *mut c_void) -> u32;
}

fn main() {
    let mut world = null_mut();
    // SAFETY: the memory lives as long as the world, and nothing moves it
    unsafe {
        let sizes = [size_of::<WorldDef>(), size_of::<ShapeDef>(),
                     size_of::<BodyDef>()];
        assert_eq!(sizes.map(|size| size as u32), scene_sizes);
        let size = vsp_world_bytes();
        let mut memory = vec![0u64; size / 8 + 1];
        let mut setup = vsp_world_def_default();
        setup.dt = 0.01;
        setup.enable_sleep = false;
        setup.enable_continuous = false;
        setup.capacity = [8, 8, 24, 16, 32, 1, 0];
        let memory = memory.as_mut_ptr();
        assert!(vsp_world_create(memory, size, &setup, &mut world) >= 0);
        for i in 0..4 {
            let mut body = vsp_body_def_default();
            body.shape = vsp_half_space();
            if i > 0 {
                body.kind = 2; // dynamic
                body.user = 1;
                body.position[1] = i as f32 + 0.5;
                body.shape = vsp_box(0.5, 0.5, 0.5);
            }
            body.shape.friction = 0.5;
            body.shape.restitution = 0.5;
            assert!(vsp_body_create(world, &body, null_mut()) >= 0);
        }
        for _ in 0..94 {
            vsp_world_step(world);
        }
        let hash = vsp_world_hash(world);
        println!("drop-stack carry float tiny 94 {hash:08x}");
    }
}
