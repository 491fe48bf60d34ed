// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors
//
// Runs an ELF image for Cortex-M0+ on an RP2040 that the npm package rp2040js
// emulates, without boot ROM; answers semihosting:
//
//     RP2040JS=FOLDER node port/rp2040/run.mjs image.elf [BEGIN END]
//
// FOLDER has node_modules/rp2040js.  BEGIN and END are addresses, in
// hexadecimal, of functions that mark a step: then it prints the cycles
// between them.

import { readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import process from "node:process";

const require = createRequire(`${process.env.RP2040JS}/`);
const { RP2040 } = require("rp2040js");

const FLASH = 0x10000000;
const SYS_WRITEC = 0x03;
const SYS_EXIT_EXTENDED = 0x20;
const SYS_ELAPSED = 0x30;

const chip = new RP2040();
const { core, flash } = chip;
const [begin, end] = process.argv.slice(3).map((text) => parseInt(text, 16));
let steps = 0;
let total = 0;
let since = 0;

// Copies the segments of the image to flash; the program itself copies .data.
function load(path) {
    const bytes = readFileSync(path);
    const headers = bytes.readUInt32LE(28);

    for (let i = 0; i < bytes.readUInt16LE(44); i++) {
        const header = headers + i * bytes.readUInt16LE(42);
        const from = bytes.readUInt32LE(header + 4);
        const to = bytes.readUInt32LE(header + 12);
        const size = bytes.readUInt32LE(header + 16);

        if (bytes.readUInt32LE(header) === 1 && size > 0)
            flash.set(bytes.subarray(from, from + size), to - FLASH);
    }
}

function leave(status) {
    if (begin)
        console.log(`# ${steps} steps, ${Math.round(total / steps)} cycles each`);
    process.exit(status);
}

chip.onBreak = () => {
    const [operation, argument] = core.registers;

    if (operation === SYS_WRITEC)
        writeSync(1, Uint8Array.of(core.readUint8(argument)));
    else if (operation === SYS_ELAPSED)
        core.writeUint32(argument, core.cycles >>> 0);
    else if (operation === SYS_EXIT_EXTENDED)
        leave(core.readUint32(argument + 4));
    else
        leave(3);
};

load(process.argv[2]);
core.VTOR = FLASH;
core.SP = core.readUint32(FLASH);
core.PC = core.readUint32(FLASH + 4) & ~1;
for (;;) {
    core.executeInstruction();
    if (core.PC === begin) {
        since = core.cycles;
    } else if (core.PC === end) {
        steps++;
        total += core.cycles - since;
    }
}
