// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors
//
// A view: a world, its canvas, and what is written beside it.

const DEFAULTS = { kind: "float", stepper: "CARRY", sweeps: 0, friction: -1,
                   pyramid: false, large: false };

class View {
    constructor(page) {
        this.page = page;
        const template = document.getElementById("view");
        this.element = template.content.firstElementChild.cloneNode(true);
        document.getElementById("views").append(this.element);
        this.canvas = this.find("canvas");
        this.form = this.find("form");
        this.painter = new Painter(this.canvas);
        this.settings = { ...DEFAULTS };
        this.worlds = {}; // by kind
        this.stepTime = this.drawTime = 0; // ms, smoothed
        this.rest = 0;    // s of the clock that no step has used yet
        this.form.addEventListener("change", () => this.readForm());
        this.form.addEventListener("submit", (e) => e.preventDefault());
    }

    find(selector) {
        return this.element.querySelector(selector);
    }

    async useKind(kind) {
        this.worlds[kind] ??= await World.create(this.page.engine, kind);
        this.world = this.worlds[kind];
        this.settings.kind = kind;
    }


    // ---- What runs ----------------------------------------------------------

    // Starts a scene, by its name with suffixes.
    async start(name) {
        return this.run({ name, title: name },
                        `There is no scene "${name}" that fits`);
    }

    // Starts a run of the table.
    async startRun(run) {
        const key = `${run.scene} ${run.setting} ${this.settings.kind} ` +
            run.size;
        const title = `${run.scene}, ${run.setting}`;
        return this.run({ name: run.scene, run, title,
                          rows: this.page.table.get(key) },
                        `${title} cannot start`);
    }

    // Plays a recording.
    async playBytes(bytes, title) {
        const kind = recordingKind(bytes);
        if (!kind) {
            this.page.say(`${title} is not a recording of VSP.`);
            return false;
        }
        this.settings.kind = kind;
        return this.run({ name: this.what?.name ?? "", title,
                          recording: bytes }, `${title} cannot be played`);
    }

    // Runs a scene, a run of the table or a recording, with the settings.  If
    // that fails, says so, goes on with what ran before, and returns false.
    async run(what, complaint) {
        const step = this.what ? this.world.stats().step : 0;
        what.settings = { ...this.settings };
        await this.useKind(this.settings.kind);
        const status = this.launch(what);
        if (status >= 0) {
            this.begin(what);
            return true;
        }
        const reason = this.world.statusName(status);
        if (this.what)
            await this.goBack(step, status !== ERR_ARG &&
                              this.what.settings.kind === this.world.kind);
        this.page.say(`${complaint}: ${reason}`);
        return false;
    }

    // Returns a status.  If it is an error other than ERR_ARG, the world that
    // was there is lost.
    launch(what) {
        if (what.recording)
            return this.world.play(what.recording);
        if (what.game)
            return this.world.beginGame(what.seed, what.game.number,
                                        what.tallyLast);
        return what.run ? this.world.startRun(what.run.index)
                        : this.world.start(what.name, what.settings);
    }

    // After a start that failed: goes on with what ran before it; begins it
    // again if its world is lost, a recording at the step where it was.
    async goBack(step, isLost) {
        this.settings = { ...this.what.settings };
        await this.useKind(this.settings.kind);
        if (!isLost) {
            this.writeForm();
            return;
        }
        this.launch(this.what);
        this.begin(this.what);
        if (this.what.recording)
            this.seek(step);
    }

    begin(what) {
        this.what = what;
        this.isTouched = false; // by a visitor
        this.parted = null; // the first step that is known to differ
        this.error = ""; // why playing ended
        this.keyframes = what.recording ? keyframeSteps(what.recording) : [];
        // for each step of a recording, whether it was compared
        this.compared = new Uint8Array(
            what.recording ? this.world.player().count + 1 : 1);
        this.hasEnded = false;
        this.rest = 0;
        this.isStale = true;
        this.element.classList.toggle("game", Boolean(what.game));
        this.writeForm();
        this.showTable();
        this.page.showBegun();
        this.write();
    }

    restart() {
        if (this.what.recording)
            this.seek(0);
        else if (this.what.run)
            this.startRun(this.what.run);
        else
            this.start(this.what.name);
    }

    // Makes a step.  Returns false at the end of a recording.
    step() {
        if (this.hasEnded)
            return false;
        if (this.what.game) {
            this.what.game.step();
            this.isStale = true;
            return true;
        }
        const isPlayer = Boolean(this.what.recording);
        const before = isPlayer ? this.world.player().step : 0;
        const begin = performance.now();
        const status = this.world.step();
        const time = performance.now() - begin;
        this.stepTime += 0.1 * (time - this.stepTime);
        this.isStale = true;
        if (isPlayer)
            this.note(status, before);
        return !this.hasEnded;
    }

    // Looks at the status of playing, which compared the steps after `from`.
    note(status, from) {
        const { step, count, parted } = this.world.player();
        this.hasEnded = status === END || status < 0 ||
            step === count && status !== DIVERGED;
        if (status >= 0)
            this.compared.fill(1, from + 1, step + 1);
        if (parted && (!this.parted || parted.step < this.parted.step)) {
            this.parted = parted;
            this.page.pause();
            this.page.say(`The bits differ at step ${parted.step}: ` +
                          this.world.difference(parted.step));
        }
        this.error = status < 0 ? this.world.statusName(status) : "";
        if (this.error)
            this.page.say("Playing ended: " + this.error);
    }

    // The player starts from the present step, the last keyframe or the seed.
    seek(step) {
        const now = this.world.player().step;
        const keyframe = this.keyframes.findLast((at) => at <= step) ?? 0;
        const from = now > step || now < keyframe ? keyframe : now;
        this.note(this.world.seek(step), from);
        this.isStale = true;
        this.write();
    }


    // ---- What is shown ------------------------------------------------------

    fit() {
        this.painter.resize(1);
        const panel = this.find(".hud");
        const covered = (panel.offsetTop + panel.offsetHeight) /
            Math.max(1, this.canvas.clientHeight);
        this.page.camera.fit(this.what.game ? ARENA : this.world.bounds(),
                             this.painter.aspect(), Math.min(0.4, covered));
        if (this.what.game) // it is flat, and may touch the sides
            this.page.camera.zoom(0.7);
    }

    // Hundreds of joints would hide the bodies, unless a visitor wants them.
    parts() {
        const isCrowded = this.world.stats().joints > 200;
        return isCrowded && !this.page.isChosen ? this.page.parts & ~JOINTS
                                                : this.page.parts;
    }

    draw() {
        const begin = performance.now();
        const camera = this.page.camera;
        this.painter.resize(this.page.detail);
        const shown = this.world.draw(this.parts(), 0.012 * camera.size,
                                      camera.target);
        if (shown.status !== OK)
            this.page.say("The world cannot be drawn: " +
                          this.world.statusName(shown.status));
        this.painter.draw(shown, camera, this.page.theme());
        this.drawTime += 0.1 * (performance.now() - begin - this.drawTime);
        this.isStale = false;
    }

    // Returns [class, text] of how the hash compares.
    verdict(step, hash) {
        if (this.what.recording)
            return this.playedVerdict(step);
        if (!this.what.rows || this.what.run.setting === "record" ||
            this.isTouched)
            return ["", ""];
        const row = this.what.rows.find((r) => r.step === step);
        if (row && row.hash === hash)
            return ["good", "= table"];
        if (row)
            return ["bad", `differs from the table's ${row.hash}`];
        const next = this.what.rows.find((r) => r.step > step);
        return ["", next ? `next row of the table: step ${next.step}` : ""];
    }

    // The same while a recording plays.
    playedVerdict(step) {
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

    write() {
        if (this.what.game) {
            this.what.match.write(this.what.game);
            return;
        }
        const stats = this.world.stats(), hash = this.world.hash();
        const [name, text] = this.verdict(stats.step, hash);
        const kind = this.world.kind === "float" ? "floats" : "fixed point";
        const how = this.what.recording ? "recording"
            : this.what.run ? "row of the table" : this.settings.stepper;
        this.find(".name").textContent =
            `${this.what.title} \u00b7 ${kind} \u00b7 ${how}`;
        this.find(".step").textContent = stats.step;
        this.find("code").textContent = hash;
        this.find(".verdict").className = "verdict " + name;
        this.find(".verdict").textContent = text;
        const dropped = stats.degraded ? `, ${stats.degraded} steps dropped ` +
            "contacts: give it more room" : "";
        this.find(".stats").textContent =
            `${stats.bodies} of ${stats.room} bodies, ${stats.awake} awake, ` +
            `${stats.contacts} contacts, ${stats.joints} joints, ` +
            `${stats.layers} layers, ${stats.sweeps} sweeps` + dropped +
            ` \u00b7 step ${this.stepTime.toFixed(1)} ms, ` +
            `draw ${this.drawTime.toFixed(1)} ms, ${this.page.rate} a second`;
    }


    // ---- Settings -----------------------------------------------------------

    // The scene's number has a name, after "number:" in what the list says.
    writeForm() {
        const fields = this.form.elements, base = baseName(this.what.name);
        const scene = this.world.scenes.find((s) => s.name === base);
        const label = scene?.about.match(/number: (.*)/);
        const number = this.what.name.match(/:(-?[\d.]+)/);
        for (const name of ["kind", "stepper"])
            fields[name].value = this.settings[name];
        fields.sweeps.value = this.settings.sweeps || "";
        fields.friction.value = this.settings.friction < 0
            ? "" : this.settings.friction;
        fields.pyramid.checked = this.settings.pyramid;
        fields.large.checked = this.settings.large;
        fields.name.value = this.what.name;
        this.find(".number").hidden = !label;
        if (label) {
            const [first, ...rest] = label[1];
            this.find(".number span").textContent =
                first.toUpperCase() + rest.join("");
            fields.number.value = number ? number[1] : scene.number;
        }
    }

    readForm() {
        const fields = this.form.elements;
        let name = fields.name.value.trim();
        if (name === this.what.name && !this.find(".number").hidden &&
            fields.number.value !== "" && this.isNewNumber())
            name = withNumber(name, fields.number.value);
        this.settings = {
            kind: fields.kind.value,
            stepper: fields.stepper.value,
            sweeps: Math.min(1000, Math.max(0, Number(fields.sweeps.value))),
            friction: fields.friction.value === ""
                ? -1 : Math.min(10, Math.max(0, Number(fields.friction.value))),
            pyramid: fields.pyramid.checked,
            large: fields.large.checked,
        };
        this.start(name);
    }

    isNewNumber() {
        const base = baseName(this.what.name);
        const scene = this.world.scenes.find((s) => s.name === base);
        const number = this.what.name.match(/:(-?[\d.]+)/);
        const now = number ? Number(number[1]) : scene.number;
        return Number(this.form.elements.number.value) !== now;
    }


    // ---- The table ----------------------------------------------------------

    // Lists the runs of the table that are of this scene, and checks them.
    showTable() {
        if (this.what.game) {
            this.verdicts = null;
            return;
        }
        const base = baseName(this.what.name);
        const runs = this.world.runs.filter((r) => r.name === base);
        const table = document.createElement("table");
        this.verdicts = runs.map((run) => {
            const row = table.insertRow();
            const play = document.createElement("button");
            play.textContent = `${run.scene}, ${run.setting}`;
            play.title = `Play these ${run.steps} steps`;
            play.addEventListener("click", () => {
                this.startRun(run).then(() => {
                    this.page.resetCamera(this);
                    this.page.play();
                });
            });
            row.insertCell().append(play);
            return row.insertCell();
        });
        const place = this.find(".table div");
        place.replaceChildren(runs.length ? table
            : "It has no row of this scene.");
        this.checkRuns(this.world, runs, this.verdicts);
    }

    // Checks one run after another, as long as this scene is shown.
    async checkRuns(world, runs, cells) {
        const sum = { equal: 0, all: 0 };
        for (let i = 0; i < runs.length; i++) {
            await new Promise((go) => setTimeout(go, 5));
            if (this.verdicts !== cells)
                return;
            const found = this.page.checkRun(world, runs[i]);
            sum.equal += found.equal;
            sum.all += found.all;
            cells[i].textContent = `${found.equal} of ${found.all} equal`;
            cells[i].className = found.equal === found.all ? "good" : "bad";
        }
        const rows = this.find(".rows");
        rows.textContent = runs.length === 0
            ? "the table has no row of this scene"
            : `table: ${sum.equal} of ${sum.all} hashes of it are equal here`;
        rows.className = "rows " + (runs.length === 0 ? ""
            : sum.equal === sum.all ? "good" : "bad");
    }
}

function baseName(name) {
    return name.replace(/[:~^@].*/, "");
}

function withNumber(name, number) {
    return baseName(name) + ":" + number +
        name.replace(/^[^:~^@]*(:-?[\d.]+)?/, "");
}
