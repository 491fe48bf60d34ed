// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors
//
// Runs a guest in node:  node port/wasm/run.mjs guest.elf

import { readFileSync, writeSync } from "node:fs";
import process from "node:process";

const imports = {
    write(bytes, count) {
        writeSync(1, new Uint8Array(memory.buffer, bytes, count));
    },
    exit(status) {
        process.exit(status);
    },
};
const bytes = readFileSync(process.argv[2]);
const guest = await WebAssembly.instantiate(bytes, { port: imports });
const { main, memory } = guest.instance.exports;

process.exit(main());
