// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors
//
// The engine in the page: both modules, and one world of one of them.

const KINDS = ["float", "fixed"];
const STEPPERS = ["CARRY", "PGS", "SHOCK", "SUBSPACE"];

// vsp_status
const OK = 0, DIVERGED = 2, END = 3, ERR_ARG = -1, ERR_MEMORY = -4;

// VSP_DRAW_...
const SHAPES = 1, EDGES = 2, JOINTS = 4, CONTACTS = 8, BOUNDS = 16,
    FORCES = 32, LAYERS = 64, SLEEP = 128, GOALS = 256;

function kindName(kind) {
    return kind === "float" ? "floats" : "fixed point";
}

function hex(number) {
    return (number >>> 0).toString(16).padStart(8, "0");
}

class World {
    // kind: "float" or "fixed"
    static async create(engine, kind) {
        const world = new World();
        world.kind = kind;
        world.chunks = [];
        const imports = {
            page: {
                write: (at, size) => {
                    world.chunks.push(world.bytes(at, size).slice());
                },
            },
        };
        const instance = await WebAssembly.instantiate(engine[kind], imports);
        world.call = instance.exports;
        world.textAt = world.call.text_address();
        world.numbersAt = world.call.numbers_address();
        world.call.set_sun(...TO_SUN, MOST_SHARE);
        world.readLists();
        return world;
    }

    bytes(at, size) {
        return new Uint8Array(this.call.memory.buffer, at, size);
    }

    // The lines of text that the last call left.
    lines() {
        const bytes = this.bytes(this.textAt, 4096);
        const text = new TextDecoder().decode(
            bytes.slice(0, bytes.indexOf(0)));
        return text.split("\n").slice(0, -1);
    }

    numbers(count) {
        return Array.from(new Float64Array(this.call.memory.buffer,
                                           this.numbersAt, count));
    }

    readLists() {
        this.scenes = [];
        for (let i = 0; i < this.call.scenes_count(); i++) {
            this.call.scene_describe(i);
            const [name, about] = this.lines();
            const [steps, number, dt] = this.numbers(3);
            this.scenes.push({ name, about, steps, number, dt });
        }
        this.runs = [];
        for (let i = 0; i < this.call.runs_count(); i++) {
            this.call.run_describe(i);
            const [scene, setting, size] = this.lines();
            const name = scene.replace(/[:~^@].*/, "");
            const steps = this.numbers(1)[0];
            this.runs.push({ index: i, scene, name, setting, size, steps });
        }
    }

    // Starts a scene.  options: stepper, sweeps (0: default), friction (below
    // 0: the scene's), pyramid, large (the capacities of the host tool).
    // Returns a status.
    start(name, options) {
        const bytes = new TextEncoder().encode(name.slice(0, 200) + "\0");
        this.bytes(this.textAt, bytes.length).set(bytes);
        return this.began(this.call.start_scene(
            STEPPERS.indexOf(options.stepper), options.sweeps,
            options.friction, options.pyramid, options.large ? 1 : 0));
    }

    startRun(index) {
        return this.began(this.call.start_run(index));
    }

    began(status) {
        // The recorder began anew, so what came before is another recording.
        let from = this.chunks.length - 1;
        const isHead = (c) => c.length >= 4 && c[0] === 0x56 &&
            c[1] === 0x53 && c[2] === 0x50 && c[3] === 0x52;
        while (from > 0 && !isHead(this.chunks[from]))
            from--;
        this.chunks = this.chunks.slice(Math.max(from, 0));
        return status;
    }

    // Returns the recording so far, with an end; it goes on.
    record() {
        const size = this.chunks.reduce((sum, c) => sum + c.length, 0);
        const all = new Uint8Array(size + 12);
        let at = 0;
        for (const chunk of this.chunks) {
            all.set(chunk, at);
            at += chunk.length;
        }
        const end = new DataView(all.buffer, size);
        end.setUint32(0, 1 + 2 * 256, true);
        end.setUint32(4, this.stats().step, true);
        return sealRecording(all);
    }

    // Begins to play a recording.  Returns a status.
    play(recording) {
        const at = this.call.file_address(recording.length);
        if (!at)
            return ERR_MEMORY;
        this.bytes(at, recording.length).set(recording);
        return this.call.play_file(recording.length);
    }

    step() {
        return this.call.step_world();
    }

    seek(step) {
        return this.call.seek_step(step);
    }

    hash() {
        return hex(this.call.world_hash());
    }

    // Returns { step, count, parted }: steps played and in the recording, and
    // the first step that differed in the last call of step or seek, or null.
    player() {
        this.call.show_player();
        const [step, count, at, expected, got] = this.numbers(5);
        const parted = at > 0
            ? { step: at, expected: hex(expected), got: hex(got) } : null;
        return { step, count, parted };
    }

    // Returns in words what differs at the keyframe after a step that differs;
    // then plays to the present step again.
    difference(parted) {
        const { step } = this.player();
        if (step !== parted) {
            this.seek(parted - 1); // not to a keyframe, which hides it
            this.step();
        }
        const count = this.call.name_difference();
        let text = "no keyframe of the recording shows what";
        if (count) {
            const [part, field] = this.lines();
            const [at, index, component, components, a, b] = this.numbers(6);
            const axis = components === 1 ? ""
                : " " + (components <= 4 ? "xyzw"[component] : component);
            text = `at step ${at}, ${part} ${index}: ${field}${axis} is ` +
                `${Number(a.toPrecision(9))} there, ` +
                `${Number(b.toPrecision(9))} here; ` +
                (count === 1 ? "1 word differs" : `${count} words differ`);
        }
        this.seek(step);
        return text;
    }


    // ---- The lockstep game --------------------------------------------------

    // Begins a match as a player.  The tally is of the states up to tallyLast.
    // Returns a status.
    beginGame(seed, player, tallyLast) {
        this.chunks = [];
        return this.call.begin_game(seed, player, tallyLast);
    }

    receive(message) {
        this.bytes(this.call.message_address(), message.length).set(message);
        return this.call.receive_message(message.length);
    }

    // Returns the messages that have come to the end of the line.
    takeMessages() {
        const at = this.call.message_address(), out = [];
        for (let size = this.call.take_message(); size > 0;
             size = this.call.take_message())
            out.push(this.bytes(at, size).slice());
        return out;
    }

    game() {
        this.call.show_game();
        const [step, certain, rollbacks, deepest, waits, hashes, phase,
               roundTrip, sent, lost, doubled, reordered, ...scores] =
            this.numbers(14);
        return { step, certain, rollbacks, deepest, waits, hashes, phase,
                 roundTrip, sent, lost, doubled, reordered, scores };
    }

    // Returns the hash of a state; null if it contains guesses, or is too old.
    certainHash(step) {
        const hash = this.call.certain_hash(step);
        return hash < 0 ? null : hex(hash);
    }

    // Returns what differs between the players; "" if nothing does, or it is
    // not known yet.
    desync() {
        if (!this.call.name_desync())
            return "";
        const [part, field] = this.lines();
        const [step, index, component] = this.numbers(3);
        return `after step ${step}` + (field
            ? `, ${part} ${index}: ${field} ${"xyzw"[component] ?? component}`
            : "");
    }

    // Returns a recording of the step in which the players part, or null.
    recordDesync() {
        this.chunks = [];
        return this.call.record_desync() ? this.chunks[0] : null;
    }

    // Returns the line that `build/lockstep alone` prints.
    tally() {
        this.call.show_tally();
        const [count, all, late] = this.numbers(3);
        return `states ${count} tally ${hex(all)} ${hex(late)}`;
    }


    // ---- What is shown ------------------------------------------------------

    stats() {
        this.call.show_stats();
        const [bodies, awake, contacts, joints, layers, sweeps, degraded, room,
               dt, step, tables, hulls] = this.numbers(12);
        return { bodies, awake, contacts, joints, layers, sweeps, degraded,
                 room, dt, step, tables, hulls };
    }

    bounds() {
        if (!this.call.show_bounds())
            return { low: [-2, 0, -2], high: [2, 2, 2] };
        const all = this.numbers(6);
        return { low: all.slice(0, 3), high: all.slice(3) };
    }

    // Returns the middle of what moves; null if nothing does.
    motion() {
        return this.call.show_motion() ? this.numbers(3) : null;
    }

    // Returns where this player's ball is.
    ball() {
        this.call.show_ball();
        return this.numbers(3);
    }

    statusName(status) {
        this.call.status_text(status);
        return this.lines()[0];
    }

    // Returns the rows of a golden run, taken here.
    check(index) {
        return this.call.run_check(index) ? this.lines() : [];
    }

    // Returns { status, triangles, lines }: the latter are bytes of vertices,
    // with their counts.
    draw(parts, size, focus) {
        const status = this.call.draw_world(parts, size, ...focus);
        const [corners, cornerCount, ends, endCount, edgeEnds, ground, ...box] =
            this.numbers(12);
        return {
            status,
            triangles: this.bytes(corners, 16 * cornerCount),
            triangleVertices: cornerCount,
            groundVertices: ground, // the last of them
            lines: this.bytes(ends, 16 * endCount),
            lineVertices: endCount,
            edgeVertices: edgeEnds, // the first of them, on shapes
            low: box.slice(0, 3), high: box.slice(3), // without the ground
        };
    }
}

function readWord(bytes, at) {
    return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
}

// The mixing of hashes: SPEC.md, section 4.
function mixWord(h, word) {
    let w = Math.imul(word, 0x85ebca77);
    w = w << 13 | w >>> 19;
    h ^= Math.imul(w, 0x9e3779b1);
    return Math.imul(h << 17 | h >>> 15, 5) + 0x52dce729 | 0;
}

function avalanche(h) {
    h = Math.imul(h ^ h >>> 15, 0x2c1b3c6d);
    h = Math.imul(h ^ h >>> 12, 0x297a2d39);
    return (h ^ h >>> 15) >>> 0;
}

// Writes the checksum of all words before it into the last word of a
// recording (SPEC.md, section 11), and returns the recording.
function sealRecording(bytes) {
    const words = new DataView(bytes.buffer);
    const last = bytes.length - 4;
    let h = 0;
    for (let at = 0; at < last; at += 4)
        h = mixWord(h, words.getUint32(at, true));
    words.setUint32(last, avalanche(h), true);
    return bytes;
}

// Which kind of numbers a recording has; null if it is no recording.
function recordingKind(bytes) {
    const magic = String.fromCharCode(...bytes.subarray(0, 4));
    if (magic !== "VSPR" || bytes.length < 56)
        return null;
    return KINDS[bytes[16] - 1] ?? null;
}

// The steps after which a recording has a keyframe.
function keyframeSteps(bytes) {
    const END_RECORD = 1, STEP_RECORD = 2, KEYFRAME_RECORD = 3;
    const out = [];
    let step = 0, at = 56 + readWord(bytes, 48);
    for (; bytes[at] !== END_RECORD; at += 4 + 4 * (readWord(bytes, at) >>> 8))
        if (bytes[at] === STEP_RECORD)
            step++;
        else if (bytes[at] === KEYFRAME_RECORD)
            out.push(step);
    return out;
}

// How many steps a recording has, and the hash after the last one.
function recordingEnd(bytes) {
    const END_RECORD = 1, STEP_RECORD = 2;
    let steps = 0, hash = "", at = 56 + readWord(bytes, 48);
    while (bytes[at] !== END_RECORD) {
        const next = at + 4 + 4 * (readWord(bytes, at) >>> 8);
        if (bytes[at] === STEP_RECORD) {
            steps++;
            hash = hex(readWord(bytes, next - 4));
        }
        at = next;
    }
    return { steps, hash };
}

// The rows of the table: text "scene setting kind class" to a list of
// { step, hash }.
function readTable(text) {
    const rows = new Map();
    for (const line of text.split("\n")) {
        const [scene, setting, kind, size, step, hash] = line.split(" ");
        if (!hash)
            continue;
        const key = `${scene} ${setting} ${kind} ${size}`;
        if (!rows.has(key))
            rows.set(key, []);
        rows.get(key).push({ step: Number(step), hash });
    }
    return rows;
}
