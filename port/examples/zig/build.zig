// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors

// Written for Zig 0.11.

const std = @import("std");

pub fn build(b: *std.Build) void {
    const scene = b.addExecutable(.{
        .name = "scene",
        .root_source_file = .{ .path = "main.zig" },
        .target = b.standardTargetOptions(.{}),
        .optimize = b.standardOptimizeOption(.{}),
    });
    scene.addIncludePath(.{ .path = "../../four" });
    scene.addCSourceFiles(&.{
        "../../four/vsp.c",
        "../../four/vsp_solver.c",
        "../../four/vsp_collide.c",
    }, &.{ "-std=c99", "-ffp-contract=off" });
    b.installArtifact(scene);
}
