// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors

// Zig reads vsp.h itself.

const std = @import("std");
const vsp = @cImport(@cInclude("vsp.h"));

// VSP_WORLD_BYTES is beyond the translation of macros
var arena: [1 << 20]u8 align(8) = undefined;

fn done(status: vsp.vsp_status) !void {
    if (status < 0) return error.Refused;
}

pub fn main() !void {
    var setup = vsp.vsp_world_def_default();
    setup.dt = 0.01;
    setup.enable_sleep = false;
    setup.enable_continuous = false;
    setup.capacity = .{
        .bodies = 8,
        .shapes = 8,
        .pairs = 24,
        .manifolds = 16,
        .contacts = 32,
        .sensed = 1,
        .joints = 0,
    };
    var world: ?*vsp.vsp_world = null;
    try done(vsp.vsp_world_create(&arena, arena.len, &setup, &world));
    var body = vsp.vsp_body_def_default();
    body.shape = vsp.vsp_half_space();
    for (0..4) |i| {
        if (i > 0) {
            body.type = vsp.VSP_DYNAMIC;
            body.user = 1;
            body.pose.position.y = @as(f32, @floatFromInt(i)) + 0.5;
            body.shape = vsp.vsp_box(0.5, 0.5, 0.5);
        }
        body.shape.material.friction = 0.5;
        body.shape.material.restitution = 0.5;
        try done(vsp.vsp_body_create(world, &body, null));
    }
    for (0..94) |_| try done(vsp.vsp_world_step(world));
    const hash = vsp.vsp_world_hash(world);
    try std.io.getStdOut().writer().print("drop-stack carry float tiny 94 {x:0>8}\n", .{hash});
}
