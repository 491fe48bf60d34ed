// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors
//
// What a view shows.  A view asks its source of frames to begin, to make a step
// and what to say, and need not know of which class it is: a scene, a run of
// the table, a recording, or a player of a match (Seat in game.js).

const GAME_NAME = "lockstep"; // in the list

// The capacities of the page's module: port/web/vsp_config.h.
const LARGE_OPTIONS = [
    "-DVSP_MAX_BODIES=4096", "-DVSP_MAX_PAIRS=60000",
    "-DVSP_MAX_MANIFOLDS=24000", "-DVSP_MAX_CONTACTS=96000",
    "-DVSP_MAX_JOINTS=4096",
];

const PLAY_ERRORS = {
    VSP_ERR_CHECKSUM: "the file is damaged",
    VSP_ERR_DATA: "the file is damaged",
    VSP_ERR_FULL: "it needs a larger world",
    VSP_ERR_TABLE: "it needs tables that no scene here has",
    VSP_ERR_TRUNCATED: "the file is cut off",
    VSP_ERR_VERSION: "it is of another version of VSP",
};

class Scene {
    // name: with suffixes
    constructor(view, name, title = name) {
        this.view = view;
        this.name = name;
        this.title = title;
        this.isOpen = true; // to a visitor's hands
        this.marks = 0;     // parts to draw beside those that are chosen
        this.complaint = `There is no scene "${name}" that fits`;
    }

    // Its name in the list.
    get entry() {
        return baseName(this.name);
    }

    get world() {
        return this.view.world;
    }

    // In a few words.
    get how() {
        return this.settings.stepper;
    }

    // Returns the run of the table that this is, or none.
    findRun() {
        const { stepper, sweeps, friction, pyramid } = this.settings;
        if (sweeps || friction >= 0 || pyramid || stepper === "SHOCK" ||
            this.world.stats().room !== CONSOLE_BODIES)
            return undefined;
        return this.world.runs.find(
            ({ scene, setting, size }) => scene === this.name &&
            setting === stepper.toLowerCase() && size === "console");
    }

    // Returns a status.  If it is an error other than ERR_ARG, the world that
    // was there is lost.
    launch() {
        return this.world.start(this.name, this.settings);
    }

    // After launch.
    begin() {
        this.isTouched = false; // by a visitor
        this.hasEnded = false;
        this.hasStepped = false; // and so has counts of a step
        this.run = this.findRun();
        const { scene, setting, size } = this.run ?? {};
        this.rows = this.view.page.table.get(
            `${scene} ${setting} ${this.world.kind} ${size}`);
    }

    // Begins again at a step, if it can.
    seek() {
    }

    restart() {
        return this.view.start(this.name);
    }

    step() {
        this.world.step();
        this.hasStepped = true;
    }

    // What the camera shows.
    box() {
        return this.world.bounds();
    }

    // By which the camera is nearer than for the whole box.
    get closeness() {
        return 1;
    }

    // What the camera follows; null: nothing.
    focus() {
        return this.world.motion();
    }

    // Colours and what they mean.
    legend() {
        return [["#adb3b8", "static"], ["#709e94", "moved by the scene"]];
    }

    // Returns [class, text] of how the hash compares.
    verdict(step, hash) {
        if (!this.rows || this.run.setting === "record" || this.isTouched)
            return ["", ""];
        const row = this.rows.find((r) => r.step === step);
        if (row && row.hash === hash)
            return ["good", "= table"];
        if (row)
            return ["bad", `differs from the table's ${row.hash}`];
        const next = this.rows.find((r) => r.step > step);
        return ["", next ? `next row of the table: step ${next.step}` : ""];
    }

    write() {
        this.view.writeWorld(this.verdict(this.world.stats().step,
                                          this.world.hash()));
    }

    // Returns the recording to save, or null.
    record() {
        return this.world.record();
    }

    // Of the name of its file.
    get stem() {
        return (this.entry || "recording") +
            (this.world.kind === "fixed" ? "-fixed" : "");
    }

    // Says what is in a recording that was saved, and how to play it.
    describe(bytes, name) {
        const { steps, hash } = recordingEnd(bytes);
        const { kind } = this.world, { room, tables, hulls } =
            this.world.stats();
        const options = [
            ...kind === "fixed" ? ["-DVSP_FIXED=1"] : [],
            ...room > CONSOLE_BODIES ? LARGE_OPTIONS
                : [`-DVSP_MAX_BODIES=${CONSOLE_BODIES}`],
            ...hulls ? ["-DVSP_MAX_RUNTIME_HULLS=8"] : []].join(" ");
        const tool = kind === "fixed" ? "build/vsp-fixed" : "build/vsp";
        return `${name} has ${count(steps, "step")}, in ` +
            `${kindName(kind)}, and ends with the hash ${hash}. ` +
            `A checkout plays it: ${tool} replay ${name}. ` +
            (tables ? "It needs the scene's tables, which a release has not."
             : "So does a release: make -C examples/play " +
             `OPTIONS="${options}", then examples/play/play ${name}.`) +
            (room > CONSOLE_BODIES ? " The emulated machines have no room " +
             "for so many bodies." : "");
    }

    // Says why it did not start, by a status.
    reason(status) {
        return status;
    }
}

class Run extends Scene {
    // run: of World.runs
    constructor(view, run) {
        super(view, run.scene, `${run.scene}, ${run.setting}`);
        this.tableRun = run;
        this.complaint = `${this.title} cannot start`;
    }

    findRun() {
        return this.tableRun;
    }

    get how() {
        return "row of the table";
    }

    launch() {
        return this.world.startRun(this.tableRun.index);
    }

    restart() {
        return this.view.startRun(this.tableRun);
    }
}

class Recording extends Scene {
    // name: of the scene that was shown before it; scene: that it is of, if
    // that is known, by its name in the list
    constructor(view, bytes, title, name, scene) {
        super(view, name, title);
        this.bytes = bytes;
        this.scene = scene;
        this.isOpen = false;
        this.isSeekable = true;
        this.complaint = `${title} cannot be played`;
    }

    get entry() {
        return this.scene;
    }

    get how() {
        return "recording";
    }

    get stem() {
        return this.scene ? super.stem : this.title.replace(/\.vspr$/, "");
    }

    findRun() {
        return undefined;
    }

    launch() {
        return this.world.play(this.bytes);
    }

    reason(status) {
        return `${PLAY_ERRORS[status] ?? "the engine refuses it"} (${status})`;
    }

    begin() {
        super.begin();
        this.parted = null; // the first step that is known to differ
        this.error = "";    // why playing ended
        this.keyframes = keyframeSteps(this.bytes);
        // for each step, whether it was compared
        this.compared = new Uint8Array(this.world.player().count + 1);
    }

    restart() {
        this.view.seek(0);
    }

    step() {
        const { step } = this.world.player();
        this.note(this.world.step(), step);
        this.hasStepped = true;
    }

    // The player starts from the present step, the last keyframe or the seed.
    seek(step) {
        const now = this.world.player().step;
        const keyframe = this.keyframes.findLast((at) => at <= step) ?? 0;
        const from = now > step || now < keyframe ? keyframe : now;
        this.note(this.world.seek(step), from);
        if (step !== now)
            this.hasStepped = step !== from;
    }

    // Looks at the status of playing, which compared the steps after `from`.
    note(status, from) {
        const { step, count, parted } = this.world.player();
        const { page } = this.view;
        this.hasEnded = status === END || status < 0 ||
            step === count && status !== DIVERGED;
        if (status >= 0)
            this.compared.fill(1, from + 1, step + 1);
        if (parted && (!this.parted || parted.step < this.parted.step)) {
            this.parted = parted;
            page.pause();
            page.say(`The bits differ at step ${parted.step}: ` +
                     this.world.difference(parted.step));
        }
        this.error = status < 0 ? this.world.statusName(status) : "";
        if (this.error)
            page.say("Playing ended: " + this.error);
    }

    verdict(step) {
        if (this.error)
            return ["bad", `playing ended: ${this.error}`];
        if (this.parted && this.parted.step <= step) {
            const { step: at, expected, got } = this.parted;
            return ["bad", `differs at step ${at}: ` + (expected === got
                ? "an object has another id"
                : `recorded ${expected}, here ${got}`)];
        }
        const first = this.compared.lastIndexOf(0, step) + 1;
        if (first > step)
            return ["", "as the recording stores it"];
        if (first > 1)
            return ["good", `= recorded, from step ${first} on`];
        const { count } = this.world.player();
        return ["good", step === count ? `= recorded, all ${count} steps`
                                       : "= recorded"];
    }

    record() {
        return this.bytes;
    }
}

function baseName(name) {
    return name.replace(/[:~^@].*/, "");
}

function withNumber(name, number) {
    return baseName(name) + ":" + number +
        name.replace(/^[^:~^@]*(:-?[\d.]+)?/, "");
}
