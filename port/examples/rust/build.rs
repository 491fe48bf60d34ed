// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors

// Compiles the engine by the C compiler, without crates.

use std::{env, process::Command};

fn run(program: &str, arguments: &[&str]) {
    let status = Command::new(program).args(arguments).status();
    assert!(status.expect(program).success(), "{program} failed");
}

fn main() {
    let out = env::var("OUT_DIR").unwrap();
    let compiler = env::var("CC").unwrap_or("cc".to_string());
    let library = format!("{out}/libvsp.a");
    for name in ["vsp", "vsp_solver", "vsp_collide", "sizes"] {
        let folder = if name == "sizes" { "src" } else { "../../four" };
        let source = format!("{folder}/{name}.c");
        let object = format!("{out}/{name}.o");
        run(&compiler, &["-O1", "-fPIC", "-ffp-contract=off", "-I../../four",
                         "-c", &source, "-o", &object]);
        run("ar", &["rcs", &library, &object]);
        println!("cargo:rerun-if-changed={source}");
    }
    println!("cargo:rustc-link-search={out}");
    println!("cargo:rustc-link-lib=static=vsp");
}
