// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors
//
// The lockstep game of port/lockstep: two players, each with a world of its
// own, who send each other inputs through a line with faults.  Both are in this
// page, or the other one is in a second window.

const TICK = 1000 / 60; // ms

// Bits of an input: port/lockstep/game.h.
const LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8, JUMP = 16, DASH = 32;

const GAME_KEYS = [
    { KeyA: LEFT, KeyD: RIGHT, KeyW: UP, KeyS: DOWN, Space: JUMP, KeyE: DASH },
    { ArrowLeft: LEFT, ArrowRight: RIGHT, ArrowUp: UP, ArrowDown: DOWN,
      Enter: JUMP, ShiftRight: DASH, Slash: DASH },
];

// vsp_phase
const PHASE_SEARCHING = 2, PHASE_DIVERGED = 3, PHASE_OVER = 4;

const ARENA = { low: [-7.5, 0, -5], high: [7.5, 0.8, 5] };

const PLAYER_COLORS = ["#e87a61", "#61a8bd"];

const BOT_TICKS = 8;    // for which a bot keeps its keys
const TAP_TICKS = 3;    // for which a tap counts as a key
const TOUCH_WAY = 14;   // pixels from which a finger gives a direction
const SILENCE = 120;    // ticks without a message, until that is said

// One player, in a view.
class Seat extends Scene {
    // number: of the player; source: "keys", "bot", or "wander" as in
    // `build/lockstep alone`.
    constructor(match, view, number, source) {
        super(view, "", `player ${number}`);
        this.match = match;
        this.number = number;
        this.source = source;
        this.isOpen = false;
        this.marks = GOALS;
        this.complaint = "The game cannot start";
        this.held = 0;    // bits of keys
        this.steered = 0; // bits of a finger
        this.tapped = 0;  // ticks for which a tap still counts
    }

    get entry() {
        return GAME_NAME;
    }

    launch() {
        return this.world.beginGame(this.match.seed, this.number,
                                    this.match.tallyLast);
    }

    begin() {
        super.begin();
        this.inbox = []; // messages that have arrived
        this.tick = this.silence = 0;
    }

    box() {
        return ARENA;
    }

    // The arena is flat, and may touch the sides.
    get closeness() {
        return this.view.painter.aspect() > 1.5 ? 0.5 : 0.7;
    }

    // The arena is all in view, unless the camera has come nearer.
    focus() {
        const { fitted, page } = this.view;
        return page.camera.distance < 0.9 * fitted ? this.world.ball() : null;
    }

    legend() {
        return PLAYER_COLORS.map((color, i) =>
            [color, `player ${i}, and where crates score for it`]);
    }

    write() {
        this.match.write(this);
    }

    record() {
        return this.world.recordDesync();
    }

    describe(bytes, name) {
        return super.describe(bytes, name) + " Its last step is the one in " +
            "which the players' bits differ.";
    }

    // Returns the input of a tick.
    input() {
        if (this.source === "wander")
            return this.world.call.wander_input();
        if (this.source === "bot") {
            if (this.tick % BOT_TICKS === 0)
                this.botInput = this.world.call.bot_input(this.tick);
            return this.botInput;
        }
        let input = this.held | this.steered;
        if (this.tapped > 0) {
            this.tapped--;
            input |= JUMP;
        }
        for (const both of [LEFT | RIGHT, UP | DOWN])
            if ((input & both) === both)
                input &= ~both;
        return input;
    }

    // Receives, makes a step if it can, and sends.
    step() {
        if (!this.match.isOn)
            return;
        this.silence = this.inbox.length ? 0 : this.silence + 1;
        for (const message of this.inbox)
            this.world.receive(message);
        this.inbox = [];
        this.status = this.world.call.tick_game(this.input());
        this.tick++;
        for (const message of this.world.takeMessages())
            this.send(message);
    }

    // A finger steers by its way from where it went down; a tap jumps.
    fingerDown(x, y) {
        this.finger = [x, y];
        this.hasSteered = false;
    }

    fingerMove(x, y) {
        const dx = x - this.finger[0], dy = y - this.finger[1];
        const way = (d, low, high) => Math.abs(d) < TOUCH_WAY ||
            Math.abs(d) < 0.4 * Math.hypot(dx, dy) ? 0 : d < 0 ? low : high;
        this.steered = way(dx, LEFT, RIGHT) | way(dy, UP, DOWN);
        this.hasSteered ||= this.steered !== 0;
    }

    fingerUp() {
        this.steered = 0;
        if (!this.hasSteered)
            this.tapped = TAP_TICKS;
    }
}

class Match {
    // views: one for each player here; numbers: their players
    constructor(page, views, numbers, kind) {
        this.page = page;
        this.seats = views.map((view, i) => new Seat(this, view, numbers[i],
                                                     "bot"));
        this.kind = kind;
        this.line = { latency: 100, jitter: 30, loss: 10, duplicates: 5 };
        this.seed = 0;
    }

    // Begins a match.  tallyLast: as in World.beginGame.
    async begin(seed, tallyLast = 0) {
        this.seed = seed;
        this.tallyLast = tallyLast;
        this.isOn = false; // until all players here have begun
        this.next = this.equal = 0; // states compared, and equal
        this.parted = "";
        for (const seat of this.seats) {
            seat.view.settings = { ...DEFAULTS, kind: this.kind };
            if (!await seat.view.run(seat))
                return false;
        }
        this.setLine(this.line);
        this.connect();
        this.isOn = true;
        return true;
    }

    // Both players here: what comes out of a line is there at once.
    connect() {
        const [a, b] = this.seats;
        if (b) {
            a.send = (message) => b.inbox.push(message);
            b.send = (message) => a.inbox.push(message);
        } else {
            a.send = (message) => this.post({ message });
        }
    }

    restart() {
        if (this.isGuest)
            this.post({ again: true });
        else
            this.begin(this.seed + 1).then(() => this.post(this.opening()));
    }

    // line: latency and jitter in ms, loss and duplicates in percent
    setLine(line) {
        this.line = line;
        const ticks = (ms) => Math.round(ms / TICK);
        for (const { world } of this.seats)
            world.call.set_line(ticks(line.latency), ticks(line.jitter),
                                line.loss, line.duplicates);
    }

    // Returns the last state that is certain for all players here.
    certain() {
        return Math.min(...this.seats.map((seat) => seat.world.game().certain));
    }

    // Compares the states that are certain for both players here.
    compare() {
        if (this.seats.length < 2)
            return;
        const [a, b] = this.seats.map((seat) => seat.world);
        for (const last = this.certain(); this.next <= last; this.next++) {
            const hash = a.certainHash(this.next);
            this.equal += hash !== null && hash === b.certainHash(this.next);
        }
    }

    // Says where the bits differ, once both players have found it.
    findDesync() {
        if (this.parted)
            return;
        const found = this.seats.map((seat) => seat.world.desync());
        if (!found[0])
            return;
        this.parted = found[0];
        this.page.say(`The bits of the players differ: ${found[0]}. The ` +
                      "players noticed it by the hashes that they send, and " +
                      "the match is over. Save recording keeps that step.");
    }

    // Returns [class, text] of how a player's hashes compare.
    verdict(seat) {
        const it = seat.world.game();
        if (it.phase === PHASE_DIVERGED || it.phase === PHASE_SEARCHING ||
            this.equal < this.next)
            return ["bad", "differs from the other player's"];
        if (it.phase === PHASE_OVER)
            return ["bad", "a step failed"];
        if (it.hashes === 0 && this.next === 0)
            return ["", "not compared yet"];
        return ["good", "= the other player's"];
    }

    // Writes what a player's view says.
    write(seat) {
        if (!this.isOn)
            return;
        this.compare();
        const view = seat.view, it = seat.world.game();
        const [name, text] = this.verdict(seat);
        const set = (selector, value) => {
            view.find(selector).textContent = value;
        };
        const kind = kindName(this.kind);
        this.findDesync();
        set(".name", `${seat.title}, ` +
            `${seat.source === "bot" ? "a bot" : "you"} \u00b7 ${kind}`);
        set(".step", `${it.step}, certain to ${this.certain()}`);
        set("code", seat.world.certainHash(this.certain()) ?? "");
        set(".verdict", text);
        view.find(".verdict").className = "verdict " + name;
        const compared = this.seats.length > 1
            ? `${this.equal} of ${this.next} states equal`
            : `${it.hashes} hashes of the other equal`;
        for (const [i, place] of [...view.find(".score").children].entries())
            place.textContent = it.scores[i];
        set(".rows", compared);
        view.find(".rows").className = "rows";
        set(".stats", `${count(it.rollbacks, "rollback")}, at most ` +
            `${count(it.deepest, "step")}; waited ` +
            `${count(it.waits, "tick")}; round trip ` +
            `${Math.round(it.roundTrip * TICK)} ms; of ${it.sent} messages ` +
            `${it.lost} lost, ${it.doubled} twice, ${it.reordered} overtaken`);
        if (!seat.inbox.length && seat.silence === SILENCE)
            this.page.say("Nothing comes from the other player. If it is in " +
                          "another window, that must be visible.");
    }

    // A key went down or up.  Returns whether it is one of the game's.
    key(code, isDown) {
        const isAlone = this.seats.length === 1;
        const which = GAME_KEYS.findIndex((keys) => code in keys);
        if (which < 0)
            return false;
        const seat = this.seats[isAlone ? 0 : which];
        const bit = GAME_KEYS[which][code];
        if (isDown) {
            seat.held |= bit;
            this.take(seat);
        } else {
            seat.held &= ~bit;
        }
        return true;
    }

    // A person plays.
    take(seat) {
        seat.source = "keys";
        this.page.showMatch();
    }


    // ---- A second window ----------------------------------------------------

    // Sends something to the other window.
    post(what) {
        this.other?.postMessage({ vsp: this.seed, ...what }, "*");
    }

    // What a window that joins must know.
    opening() {
        return { begin: { kind: this.kind, line: this.line } };
    }

    // Reads what came from the other window.
    hear(what) {
        if (what.message && what.vsp === this.seed)
            this.seats[0].inbox.push(what.message);
        else if (what.line)
            this.page.setLine(what.line);
        else if (what.again && !this.isGuest)
            this.restart();
    }
}
