// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors
//
// A view: a world, its canvas, and what is written beside it.

const DEFAULTS = { kind: "float", stepper: "CARRY", sweeps: 0, friction: -1,
                   pyramid: false, large: false };

const CONSOLE_BODIES = 256; // room for them, unless a scene needs more

const TABLE_NOTE = "Runs of the table, to play: scene :number ~seed ^noise " +
    "@degrees, and the stepper.";

function count(number, word) {
    return `${number} ${word}${number === 1 ? "" : "s"}`;
}

class View {
    constructor(page) {
        this.page = page;
        const template = document.getElementById("view");
        this.element = template.content.firstElementChild.cloneNode(true);
        document.getElementById("views").append(this.element);
        this.canvas = this.find("canvas");
        this.form = this.find("form");
        this.painter = new Painter(this.canvas, this.find(".back"));
        this.settings = { ...DEFAULTS };
        this.worlds = {}; // by kind
        this.stepTime = this.drawTime = 0; // ms, smoothed
        this.canvas.addEventListener("webglcontextrestored",
                                     () => this.isStale = true);
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


    // Gives the memory of pictures back: browsers allow few at a time.
    close() {
        this.painter.close();
        this.element.remove();
    }


    // ---- What runs ----------------------------------------------------------

    // Starts a scene, by its name with suffixes.
    async start(name) {
        return this.run(new Scene(this, name));
    }

    // Starts a run of the table.
    async startRun(run) {
        const key = `${run.scene} ${run.setting} ${this.settings.kind} ` +
            run.size;
        return this.run(new Run(this, run, this.page.table.get(key)));
    }

    // Plays a recording, of a scene in the list if that is known.
    async playBytes(bytes, title, entry = "") {
        this.settings.kind = recordingKind(bytes);
        return this.run(new Recording(this, bytes, title,
                                      this.source?.name ?? "", entry));
    }

    // Runs a source of frames, with the settings.  If that fails, says so, goes
    // on with what ran before, and returns false.
    async run(source) {
        const before = this.source, step = before && this.world.stats().step;
        source.settings = { ...this.settings };
        await this.useKind(this.settings.kind);
        const status = source.launch();
        if (status >= 0) {
            this.begin(source);
            return true;
        }
        const reason = source.reason(this.world.statusName(status));
        if (before)
            await this.goBack(step, status !== ERR_ARG &&
                              before.settings.kind === this.world.kind);
        this.page.say(`${source.complaint}: ${reason}`);
        return false;
    }

    // After a start that failed: goes on with what ran before it; begins it
    // again if its world is lost, a recording at the step where it was.
    async goBack(step, isLost) {
        this.settings = { ...this.source.settings };
        await this.useKind(this.settings.kind);
        if (!isLost) {
            this.writeForm();
            return;
        }
        this.source.launch();
        this.begin(this.source);
        this.seek(step);
    }

    begin(source) {
        this.source = source;
        this.element.dataset.entry = source.entry;
        source.begin();
        this.page.rest = 0;
        this.isStale = true;
        this.writeForm();
        this.showTable();
        this.page.showBegun();
        this.write();
    }

    // Makes a step.  Returns false at the end of a recording.
    step() {
        if (this.source.hasEnded)
            return false;
        const begin = performance.now();
        this.source.step();
        this.stepTime += 0.1 * (performance.now() - begin - this.stepTime);
        this.isStale = true;
        return !this.source.hasEnded;
    }

    seek(step) {
        this.source.seek(step);
        this.isStale = true;
        this.write();
    }


    // ---- What is shown ------------------------------------------------------

    // away: how much farther than the box asks.
    fit(away = 1) {
        this.painter.resize(1);
        const panel = this.find(".hud");
        const covered = (panel.offsetTop + panel.offsetHeight) /
            Math.max(1, this.canvas.clientHeight);
        this.page.camera.fit(this.source.box(), this.painter.aspect(),
                             Math.min(0.4, covered));
        this.page.camera.zoom(this.source.closeness * away);
        this.fitted = this.page.camera.distance; // m
    }

    // Hundreds of joints would hide the bodies, unless a visitor wants them.
    parts() {
        const isCrowded = this.world.stats().joints > 200;
        const hidden = isCrowded && !this.page.isChosen ? JOINTS : 0;
        return this.page.parts & ~hidden | this.source.marks;
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

    write() {
        this.source.write();
    }

    writeWorld([name, text]) {
        const stats = this.world.stats(), { title, how } = this.source;
        const kind = kindName(this.world.kind);
        this.find(".name").textContent =
            `${title} \u00b7 ${kind} \u00b7 ${how}`;
        this.find(".step").textContent = stats.step;
        this.find("code").textContent = this.world.hash();
        this.find(".verdict").className = "verdict " + name;
        this.find(".verdict").textContent = text;
        this.writeRows();
        const dropped = stats.degraded ? `, ${stats.degraded} steps dropped ` +
            "contacts: give it more room" : "";
        const counts = this.source.hasStepped
            ? `, ${stats.awake} awake, ` + ["contact", "layer", "sweep"].map(
                (word) => count(stats[word + "s"], word)).join(", ")
            : "";
        this.find(".stats").textContent =
            `${stats.bodies} of ${stats.room} bodies, ` +
            count(stats.joints, "joint") + counts + dropped +
            ` \u00b7 step ${this.stepTime.toFixed(1)} ms, ` +
            `draw ${this.drawTime.toFixed(1)} ms, ${this.page.rate} a second`;
    }


    // ---- Settings -----------------------------------------------------------

    // The scene's number has a name, after "number:" in what the list says.
    writeForm() {
        const fields = this.form.elements, base = baseName(this.source.name);
        const scene = this.world.scenes.find((s) => s.name === base);
        const label = scene?.about.match(/number: (.*)/);
        const number = this.source.name.match(/:(-?[\d.]+)/);
        for (const name of ["kind", "stepper"])
            fields[name].value = this.settings[name];
        fields.sweeps.value = this.settings.sweeps || "";
        fields.friction.value = this.settings.friction < 0
            ? "" : this.settings.friction;
        fields.pyramid.checked = this.settings.pyramid;
        const isTooLarge = this.world.stats().room > CONSOLE_BODIES;
        fields.large.checked = isTooLarge || this.settings.large;
        fields.large.disabled = isTooLarge && !this.settings.large;
        fields.name.value = this.source.name;
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
        if (name === this.source.name && !this.find(".number").hidden &&
            fields.number.value !== "" && this.isNewNumber())
            name = withNumber(name, fields.number.value);
        this.settings = {
            kind: fields.kind.value,
            stepper: fields.stepper.value,
            sweeps: Math.min(1000, Math.max(0, Number(fields.sweeps.value))),
            friction: fields.friction.value === ""
                ? -1 : Math.min(10, Math.max(0, Number(fields.friction.value))),
            pyramid: fields.pyramid.checked,
            large: fields.large.checked && !fields.large.disabled,
        };
        this.page.startTogether(() => this.start(name));
    }

    isNewNumber() {
        const base = baseName(this.source.name);
        const scene = this.world.scenes.find((s) => s.name === base);
        const number = this.source.name.match(/:(-?[\d.]+)/);
        const now = number ? Number(number[1]) : scene.number;
        return Number(this.form.elements.number.value) !== now;
    }


    // ---- The table ----------------------------------------------------------

    // Lists the runs of the table that are of this scene, and checks them.
    showTable() {
        const base = this.source.entry;
        const runs = this.world.runs.filter((r) => r.name === base);
        const table = document.createElement("table");
        this.verdicts = runs.map((run) => {
            const row = table.insertRow();
            const play = document.createElement("button");
            play.textContent = `${run.scene}, ${run.setting}`;
            play.title = `Play these ${run.steps} steps`;
            play.addEventListener("click", () => {
                this.page.startTogether(() => this.startRun(run)).then(() => {
                    this.page.resetCamera(this);
                    this.page.play();
                });
            });
            row.insertCell().append(play);
            return row.insertCell();
        });
        const place = this.find(".table div");
        place.replaceChildren(...runs.length ? [TABLE_NOTE, table]
            : ["It has no row of this scene."]);
        this.checkRuns(this.world, runs, this.verdicts);
    }

    // Checks one run after another, as long as this scene is shown.
    async checkRuns(world, runs, cells) {
        this.found = new Map();
        for (let i = 0; i < runs.length; i++) {
            await new Promise((go) => setTimeout(go, 5));
            if (this.verdicts !== cells)
                return;
            const { equal, all } = this.page.checkRun(world, runs[i]);
            cells[i].textContent = `${equal} of ${all} equal`;
            cells[i].className = equal === all ? "good" : "bad";
            this.found.set(runs[i], [
                cells[i].className, `table: ${equal} of the ${all} hashes of ` +
                "this run are equal here"]);
        }
    }

    // Says what the table has of the very run that is shown.
    writeRows() {
        const rows = this.find(".rows"), { run, isOpen, isTouched } =
            this.source;
        const [name, text] = !isOpen ? ["", ""]
            : isTouched ? ["", "touched: the table has no row of this run"]
            : run ? this.found.get(run) ?? ["", "table: not compared yet"]
            : ["", this.verdicts.length
                ? "no row of the table is of this very run: Table has others"
                : "the table has no row of this scene"];
        rows.className = "rows " + name;
        rows.textContent = text;
    }
}
