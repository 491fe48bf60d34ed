// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors
//
// The page: its views, buttons, keys, pointers and files.

const FIRST_SCENE = "tower";

// What two views show side by side; `ways` are settings that differ.
const COMPARISONS = [
    { title: "nothing: one world" },
    { title: "a game of two players, in lockstep", isGame: true },
    { title: "steppers: CARRY and PGS", scene: "column:50~1",
      ways: [{ stepper: "CARRY" }, { stepper: "PGS" }] },
    { title: "steppers: CARRY and SHOCK", scene: "roof-tower",
      ways: [{ stepper: "CARRY" }, { stepper: "SHOCK" }] },
    { title: "steppers: PGS and SUBSPACE", scene: "weight",
      ways: [{ stepper: "PGS" }, { stepper: "SUBSPACE" }] },
    { title: "sweeps of PGS: 5 and 100", scene: "wall",
      ways: [{ stepper: "PGS", sweeps: 5 }, { stepper: "PGS", sweeps: 100 }] },
    { title: "friction: 0.6 and 0.3", scene: "slope:25",
      ways: [{ friction: 0.6 }, { friction: 0.3 }] },
    { title: "mass ratio under PGS: 10 and 10,000",
      scenes: ["heavy:10", "heavy:10000"],
      ways: [{ stepper: "PGS" }, { stepper: "PGS" }] },
    { title: "mass ratio 10,000: CARRY and PGS", scene: "heavy:10000",
      ways: [{ stepper: "CARRY" }, { stepper: "PGS" }] },
    { title: "numbers: floats and fixed point", scene: "cannon",
      ways: [{ kind: "float" }, { kind: "fixed" }] },
];

// Degrees from which some scenes are seen best, around and from above, and how
// much farther away than others.
const ANGLES = {
    "bin": [30, 35], "boats": [30, 40], "bowls": [30, 25], "bridge": [35, 18],
    "car": [40, 22, 1.4], "clockwork": [15, 12, 1.15],
    "crossbow": [30, 20], "dominoes": [20, 30], "door": [30, 25],
    "hills": [60, 25], "house": [-35, 22], "leaves": [30, 45],
    "letters": [20, 45], [GAME_NAME]: [0, 42], "marbles": [30, 20],
    "pegs": [30, 25], "ragdolls": [30, 22], "rally": [30, 40, 1.4],
    "silo": [30, 58], "stack": [30, 22],
};

const PARTS = [
    { name: "edges", bit: EDGES, key: "e" },
    { name: "joints", bit: JOINTS, key: "j", legend: [
        ["#143cd7", "joint"], ["#7d9bff", "its limits"],
        ["#e11414", "a limit that pushes"]] },
    { name: "contacts", bit: CONTACTS, key: "c", legend: [
        ["#e11414", "contact"], ["#ffa01e", "its normal"]] },
    { name: "layers", bit: LAYERS, key: "l", legend: [
        ["linear-gradient(90deg, #2626e6, #267f26, #e62626)",
         "layer of the stack, from the bottom to the top"],
        ["#b3b3b3", "in no layer"]] },
    { name: "sleep", bit: SLEEP, key: "z", legend: [
        ["#77605a", "darker: asleep"]] },
    { name: "forces", bit: FORCES, key: "v", legend: [
        ["#14a03c", "force"], ["#aa32c8", "torque"]] },
    { name: "bounds", bit: BOUNDS, key: "x", legend: [
        ["#8c8c8c", "box that the broad phase tests"]] },
];

const STEP_BUDGET = 14; // ms of a frame

const TAP_WAY = 8; // pixels that a finger may move in a tap

// Heights of the picture that two fingers may move when they only zoom.
const PINCH_WAY = 0.15;

function element(id) {
    return document.getElementById(id);
}

// A part of an address; "" if it is not one.
function decodeHash(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return "";
    }
}

class Page {
    constructor(engine) {
        this.engine = engine;
        this.table = readTable(engine.table);
        this.camera = new Camera();
        this.parts = SHAPES | EDGES | JOINTS;
        this.detail = 1;    // pixels of a view for each of the screen's
        this.patience = 5;  // good measures before there are more pixels
        this.good = 0;      // measures one after the other; below 0: bad ones
        this.rate = 0;      // frames a second
        this.speed = 1;
        this.isPlaying = false;
        this.starts = 0;    // that are under way
        this.rest = 0;      // s of the clock that no step has used yet
        this.checks = new Map();
        this.dark = matchMedia("(prefers-color-scheme: dark)");
    }

    async begin() {
        this.views = [new View(this)];
        await this.views[0].useKind("float");
        this.fillList();
        this.fillParts();
        this.listen();
        await this.show(FIRST_SCENE);
        if (location.hash)
            await this.showHash();
        element("loading").remove();
        this.lastFrame = performance.now();
        requestAnimationFrame((now) => this.frame(now));
    }

    theme() {
        return this.dark.matches ? DARK_THEME : LIGHT_THEME;
    }

    say(text) {
        element("message").textContent = text;
        element("message").hidden = !text;
    }


    // ---- Scenes -------------------------------------------------------------

    // Does something while nothing moves, and is drawn.
    async hold(act) {
        this.starts++;
        try {
            return await act();
        } finally {
            this.starts--;
        }
    }

    // Starts something, by a function that returns whether it could.  What runs
    // beside it begins again: all views are at the same step, always.
    startTogether(start) {
        return this.hold(async () => {
            const isStarted = await start();
            const steps = this.views.map((view) => view.world.stats().step);
            if (steps.some((step) => step !== steps[0]))
                await this.eachView((view) => view.source.restart());
            return isStarted;
        });
    }

    // Starts something in each view.  Returns whether all could.
    async eachView(start) {
        for (const [i, view] of this.views.entries())
            if (await start(view, i) === false)
                return false;
        return true;
    }

    // Starts something, and plays it.
    async playTogether(start) {
        this.say("");
        if (!await this.startTogether(start))
            return;
        this.resetCamera(this.views[0]);
        this.play();
    }

    // Starts a scene in all views.
    async show(name) {
        if (this.match)
            this.setViews(1);
        await this.playTogether(
            () => this.eachView((view) => view.start(name)));
    }

    // Leaves a recording for the scene that was shown before it.
    async leave() {
        await this.playTogether(() => this.eachView(
            (view) => view.start(view.source.name || FIRST_SCENE)));
    }

    // Starts the scene that the address names behind #.
    async showHash() {
        const name = decodeHash(location.hash.slice(1));
        if (name === GAME_NAME)
            return this.compare(COMPARISONS.findIndex((it) => it.isGame));
        if (name === GAME_NAME + "-join" && window.opener)
            return this.joinMatch(window.opener);
        const base = baseName(name);
        const isKnown = this.views[0].world.scenes.some(
            (scene) => scene.name === base);
        await this.show(isKnown ? name : FIRST_SCENE);
        if (name && !isKnown)
            this.say(`There is no scene "${name}".`);
    }

    resetCamera(view) {
        const [around, above, away = 1] =
            ANGLES[view.source.entry] ?? [30, 14];
        this.camera.azimuth = around * Math.PI / 180;
        this.camera.elevation = above * Math.PI / 180;
        view.fit(away);
        this.touchViews();
    }

    // Shows in the list, the legend and the bars what the views have begun.
    showBegun() {
        this.markScene();
        this.showLegend();
        this.showTimeline();
    }

    // Says what the colours mean.
    showLegend() {
        const { source, world } = this.views[0], { joints } = world.stats();
        const lines = PARTS.filter(({ bit }) => this.parts & bit &&
            (bit !== JOINTS || joints > 0)).flatMap((it) => it.legend ?? []);
        const list = element("legend").firstElementChild;
        list.replaceChildren(...[...source.legend(), ...lines].map(
            ([color, text]) => {
                const item = document.createElement("li");
                const spot = document.createElement("i");
                spot.style.background = color;
                item.append(spot, text);
                return item;
            }));
    }

    touchViews() {
        for (const view of this.views)
            view.isStale = true;
    }

    fillList() {
        const game = { name: GAME_NAME, about: "a game of two players, " +
                       "through a line that loses messages" };
        for (const scene of [game, ...this.views[0].world.scenes]) {
            const item = document.createElement("li");
            const button = document.createElement("button");
            const about = document.createElement("small");
            about.textContent = scene.about;
            button.append(scene.name, about);
            button.dataset.name = scene.name;
            button.addEventListener("click", () => {
                document.body.classList.remove("choosing");
                if (location.hash === "#" + scene.name)
                    this.showHash();
                else
                    location.hash = scene.name; // and so showHash
            });
            item.append(button);
            element("list").append(item);
        }
    }

    markScene() {
        const { entry } = this.views[0].source;
        for (const button of element("list").querySelectorAll("button"))
            button.setAttribute("aria-current", button.dataset.name === entry);
    }

    filterList(text) {
        const wanted = text.toLowerCase();
        for (const item of element("list").children)
            item.hidden = !item.textContent.toLowerCase().includes(wanted);
    }

    // Shows a number of views, and ends the match.
    setViews(count) {
        while (this.views.length > count)
            this.views.pop().close();
        while (this.views.length < count)
            this.views.push(new View(this));
        this.match?.post({ left: true });
        this.match = null;
        this.showMatch();
        if (count === 1)
            element("compare").value = 0;
    }

    async compare(which) {
        const it = COMPARISONS[which], ways = it.ways ?? [{}];
        if (it.isGame) {
            await this.startMatch([0, 1]);
        } else {
            const name = it.scene ?? (this.views[0].source.name || FIRST_SCENE);
            await this.playTogether(() => {
                this.setViews(ways.length);
                return this.eachView((view, i) => {
                    view.settings = { ...DEFAULTS, ...ways[i] };
                    return view.start(it.scenes?.[i] ?? name);
                });
            });
            if (it.scene)
                this.say("This scene shows the difference, after some " +
                         "seconds. Choose another in the list to compare on.");
        }
        element("compare").value = which;
    }


    // ---- The game -----------------------------------------------------------

    // Begins a match of the players that are here.
    async startMatch(numbers, seed = 1, kind = "float") {
        const match = await this.hold(async () => {
            this.setViews(numbers.length);
            const it = new Match(this, this.views, numbers, kind);
            return await it.begin(seed) && it;
        });
        if (!match)
            return;
        this.match = match;
        this.resetCamera(this.views[0]);
        this.showMatch();
        this.play();
    }

    // Shows or hides what is about the match.
    showMatch() {
        const bar = element("match"), { match } = this;
        bar.hidden = !match;
        if (match)
            element("compare").value = COMPARISONS.findIndex((it) => it.isGame);
        for (const id of ["tools", "draw", "watch", "open"])
            element(id).hidden = Boolean(match);
        if (!match)
            return;
        for (const range of bar.querySelectorAll("[type=range]")) {
            range.value = match.line[range.name];
            range.nextElementSibling.textContent =
                range.value + range.dataset.unit;
        }
        for (const box of bar.querySelectorAll("[name=bot]")) {
            const seat = match.seats.find(
                (one) => one.number === Number(box.value));
            box.parentElement.hidden = !seat;
            box.checked = seat?.source === "bot";
        }
        element("second").hidden = match.seats.length < 2;
    }

    setLine(line) {
        this.match.setLine(line);
        this.showMatch();
    }

    listenMatch() {
        const bar = element("match");
        bar.addEventListener("input", ({ target }) => {
            if (target.type === "range") {
                const line = { ...this.match.line,
                               [target.name]: Number(target.value) };
                this.setLine(line);
                this.match.post({ line });
            } else if (target.name === "bot") {
                const seat = this.match.seats.find(
                    (one) => one.number === Number(target.value));
                seat.source = target.checked ? "bot" : "keys";
            }
        });
        // so that the keys steer again
        bar.addEventListener("change", ({ target }) => target.blur());
        element("flip").addEventListener("click", () =>
            this.match.seats.at(-1).world.call.flip_next());
        element("second").addEventListener("click", () => this.openSecond());
        window.addEventListener("message", (e) => this.hearWindow(e));
        document.addEventListener("keyup", (e) =>
            this.match?.key(e.code, false) || this.playKey(e.code, false));
        window.addEventListener("blur", () =>
            this.match?.seats.forEach((seat) => seat.held = 0));
    }

    // Opens a window for player 1, who joins when that is loaded.
    openSecond() {
        const address = location.href.replace(/#.*/, "");
        this.guest = window.open(`${address}#${GAME_NAME}-join`, "_blank",
                                 "width=720,height=720");
        this.say(this.guest
            ? "Player 1 is in the other window: put it beside this one, " +
              "both visible."
            : "The browser did not open a window: allow it for this page.");
    }

    // In the second window.
    joinMatch(host) {
        this.host = host;
        host.postMessage({ vsp: 0, join: true }, "*");
    }

    async hearWindow({ source, data }) {
        if (data?.vsp === undefined || !source)
            return;
        if (source === this.guest && data.join) {
            const { kind, seed } = this.match ?? { kind: "float", seed: 0 };
            await this.startMatch([0], seed + 1, kind);
            this.match.other = source;
            this.match.post(this.match.opening());
        } else if (source === this.host && data.begin) {
            await this.startMatch([1], data.vsp, data.begin.kind);
            this.match.isGuest = true;
            this.match.other = source;
            this.setLine(data.begin.line);
        } else if (source === this.match?.other) {
            this.match.hear(data);
        }
    }


    // ---- The table ----------------------------------------------------------

    // Takes the hashes of a run here.  Returns how many rows of the table they
    // equal, and how many there are.
    checkRun(world, run) {
        const key = `${run.scene} ${run.setting} ${world.kind} ${run.size}`;
        if (!this.checks.has(key)) {
            const rows = (this.table.get(key) ?? []).map(
                (row) => `${key} ${row.step} ${row.hash}`);
            const got = world.check(run.index);
            this.hasChecked = true; // which took time
            const equal = rows.filter((row, i) => row === got[i]).length;
            this.checks.set(key, { equal, all: Math.max(rows.length,
                                                        got.length) });
        }
        return this.checks.get(key);
    }

    async checkAll() {
        const sum = { equal: 0, all: 0 };
        element("check-all").disabled = true;
        for (const kind of KINDS) {
            const world = await World.create(this.engine, kind);
            for (const run of world.runs) {
                const found = this.checkRun(world, run);
                sum.equal += found.equal;
                sum.all += found.all;
                element("checked").textContent =
                    `${sum.equal} of ${sum.all} equal`;
                await new Promise((go) => setTimeout(go));
            }
        }
        element("check-all").disabled = false;
        element("checked").textContent += ": all rows, both kinds";
        element("checked").className = sum.equal === sum.all ? "good" : "bad";
        return sum;
    }


    // ---- Time ---------------------------------------------------------------

    play() {
        this.isPlaying = true;
        element("play").textContent = "Pause";
    }

    pause() {
        this.isPlaying = false;
        element("play").textContent = "Play";
        this.rest = 0;
    }

    // At its end, a recording begins again.
    toggle() {
        if (this.isPlaying) {
            this.pause();
            return;
        }
        if (this.hasEnded())
            this.restart();
        this.play();
    }

    hasEnded() {
        return this.views.some((view) => view.source.hasEnded);
    }

    stepOnce() {
        this.pause();
        if (!this.starts)
            this.step();
    }

    // Makes a step in all views, or in none.
    step() {
        if (this.hasEnded())
            return;
        for (const view of this.views)
            view.step();
    }

    // Makes the steps that are due, but no more than fit in a frame: then time
    // goes slower, in all views.
    advance(seconds) {
        const begin = performance.now();
        const dt = Math.max(...this.views.map((view) => view.world.stats().dt));
        this.rest = Math.min(this.rest + seconds * this.speed, 0.1);
        while (this.rest >= dt && performance.now() - begin < STEP_BUDGET) {
            this.rest -= dt;
            this.step();
        }
        if (this.rest >= dt)
            this.rest = 0;
        if (this.hasEnded())
            this.pause();
    }

    frame(now) {
        const seconds = Math.min(0.1, (now - this.lastFrame) / 1000);
        this.lastFrame = now;
        if (!this.starts)
            this.animate(seconds);
        requestAnimationFrame((next) => this.frame(next));
    }

    // Moves and draws all views.
    animate(seconds) {
        this.measure(seconds);
        if (this.isPlaying) {
            this.advance(seconds);
            this.follow(seconds);
        }
        for (const view of this.views) {
            if (view.isStale)
                view.draw();
            if (this.frames % 6 === 0)
                view.write();
        }
        if (this.frames % 6 === 0)
            this.moveTimeline();
    }

    // Moves the camera with what moves, unless a hand moves either.
    follow(seconds) {
        const { source, painter, fitted } = this.views[0];
        const point = element("follow").checked && !this.pointers?.size &&
            source.focus();
        if (point)
            this.camera.follow(point, painter.aspect(), seconds, fitted);
    }

    // Counts frames.
    measure(seconds) {
        this.frames = (this.frames ?? 0) + 1;
        this.counted = (this.counted ?? 0) + 1;
        this.passed = (this.passed ?? 0) + seconds;
        if (this.frames % 10 && this.passed < 0.5)
            return;
        this.rate = Math.round(this.counted / this.passed);
        this.passed = this.counted = 0;
        const isBusy = this.views.some((view) => view.stepTime > 10);
        if (this.isPlaying && !isBusy && !this.hasChecked)
            this.fitDetail();
        this.hasChecked = false;
    }

    // Draws fewer pixels if there are too few frames, and more if there are
    // enough for a while.
    fitDetail() {
        const { rate, good } = this;
        this.good = rate > 55 ? Math.max(good, 0) + 1
            : rate < 45 ? Math.min(good, 0) - 1 : 0;
        if (this.good < -2 && this.detail > 0.4) {
            this.detail *= 0.85;
            if (this.hasMore) // that was too much
                this.patience *= 2;
            this.hasMore = false;
        } else if (this.good > this.patience && this.detail < 1) {
            this.detail = Math.min(1, this.detail / 0.85);
            this.hasMore = true;
        } else {
            return;
        }
        this.good = 0;
        this.touchViews();
    }


    // ---- Recordings ---------------------------------------------------------

    // Saves a recording of each view.
    save() {
        const views = this.match ? this.views.slice(0, 1) : this.views;
        this.say(views.map((view, i) => {
            const bytes = view.source.record();
            if (!bytes)
                return "A match is saved when a bit differs: flip one.";
            const side = views.length > 1 ? ["-left", "-right"][i] : "";
            const name = view.source.stem + side + ".vspr";
            this.download(bytes, name);
            return view.source.describe(bytes, name);
        }).join("\n"));
    }

    download(bytes, name) {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([bytes]));
        link.download = name;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    }

    // Plays what the views show again, from their recordings.
    async watch() {
        if (this.views.some((view) => view.source.isOpen)) {
            await this.playTogether(() => this.eachView(
                (view) => view.playBytes(view.source.record(),
                                         view.source.title,
                                         view.source.entry)));
        } else {
            this.restart();
            this.play();
        }
    }

    // Plays a recording in one view.
    async open(bytes, title) {
        if (!recordingKind(bytes)) {
            this.say(`${title} is not a recording of VSP.`);
            return;
        }
        if (this.match) // it cannot go on beside a recording
            await this.compare(0);
        await this.playTogether(async () => {
            const isStarted = await this.views[0].playBytes(bytes, title);
            if (isStarted)
                this.setViews(1);
            return isStarted;
        });
    }

    async openFile(file) {
        await this.open(new Uint8Array(await file.arrayBuffer()), file.name);
    }

    // Shows what is for recordings, and what is not.
    showTimeline() {
        const view = this.views.find((v) => v.source?.isSeekable);
        element("timeline").hidden = !view;
        if (view)
            element("timeline").firstElementChild.max =
                view.world.player().count;
        for (const radio of element("tools").querySelectorAll("input"))
            radio.disabled = radio.value !== "look" &&
                !this.views.some((v) => v.source?.isOpen);
    }

    moveTimeline() {
        const view = this.views.find((v) => v.source.isSeekable);
        if (!view)
            return;
        const { step, count } = view.world.player();
        const [range, text] = element("timeline").children;
        if (document.activeElement !== range || this.isPlaying)
            range.value = step;
        text.textContent = `step ${step} of ${count}`;
    }


    // ---- The pointer --------------------------------------------------------

    // Where in a view an event is, -1 to 1.
    place(view, event) {
        const box = view.canvas.getBoundingClientRect();
        return [2 * (event.clientX - box.left) / box.width - 1,
                1 - 2 * (event.clientY - box.top) / box.height];
    }

    ray(view, event) {
        const [x, y] = this.place(view, event);
        return this.camera.ray(x, y, view.canvas.clientWidth /
                               view.canvas.clientHeight);
    }

    // Throws the same ball into all worlds.
    throwBall(ray) {
        const { camera } = this;
        if (this.starts || this.match)
            return;
        if (!this.views.some((view) => view.source.isOpen))
            this.say("A recording stays as it is: leave it to throw balls.");
        const radius = Math.min(0.6, Math.max(0.1, camera.size / 30));
        const speed = Math.min(60, Math.max(8, 1.3 * camera.size));
        const from = add(camera.eye(), ray, 0.35 * camera.distance);
        from[1] = Math.max(from[1], 1.1 * radius);
        for (const view of this.views) {
            if (!view.source.isOpen)
                continue;
            view.source.isTouched = true;
            const status = view.world.call.throw_ball(
                ...from, ...ray.map((c) => c * speed), radius);
            view.isStale = true;
            if (status < 0)
                this.say("No room for a ball here: " +
                         view.world.statusName(status));
        }
    }

    // Grabs the body at a ray.  Returns the point, or null.
    grab(view, ray) {
        if (!view.source.isOpen)
            return null;
        const eye = this.camera.eye().map((c) => Math.min(490,
                                                          Math.max(-490, c)));
        if (!view.world.call.grab_body(...eye, ...ray.map((c) => c * 450)))
            return null;
        view.source.isTouched = true;
        this.holder = view;
        return view.world.numbers(3);
    }

    // Moves the hand in the plane through a point that faces the camera.
    drag(view, ray, point) {
        const { back } = this.camera.axes(), eye = this.camera.eye();
        const depth = dot(add(point, eye, -1), back) / dot(ray, back);
        view.world.call.move_hand(...add(eye, ray, depth));
    }

    tool() {
        return document.querySelector("[name=tool]:checked").value;
    }

    // Whether a pointer is a finger that steers a player.
    isSteering(view, event) {
        return view.source instanceof Seat && event.pointerType === "touch";
    }

    pointerDown(view, event) {
        view.canvas.setPointerCapture(event.pointerId);
        this.pointers ??= new Map();
        this.pointers.set(event.pointerId, { x: event.clientX,
                                             y: event.clientY });
        this.lastRay = this.ray(view, event);
        this.press = { x: event.clientX, y: event.clientY,
                       time: event.timeStamp };
        if (this.isSteering(view, event)) {
            view.source.fingerDown(event.clientX, event.clientY);
            this.match.take(view.source);
            return;
        }
        this.isTouched = event.pointerType === "touch";
        if (this.pointers.size > 1) {
            this.press.time = -Infinity; // no tap
            this.panned = 0;
            this.letGo();
            return;
        }
        const tool = this.tool();
        if (tool === "ball" && event.button === 0)
            this.throwBall(this.lastRay);
        else if (tool === "grab" && event.button === 0)
            this.grabbed = this.grab(view, this.lastRay);
        if (this.grabbed && !this.isPlaying)
            this.play();
    }

    pointerMove(view, event) {
        this.lastRay = this.ray(view, event);
        const before = this.pointers?.get(event.pointerId);
        if (!before)
            return;
        if (this.isSteering(view, event)) {
            view.source.fingerMove(event.clientX, event.clientY);
            return;
        }
        const others = [...this.pointers].filter(
            ([id]) => id !== event.pointerId);
        const dx = (event.clientX - before.x) / view.canvas.clientHeight;
        const dy = (event.clientY - before.y) / view.canvas.clientHeight;
        if (this.grabbed)
            this.drag(view, this.lastRay, this.grabbed);
        else if (others.length)
            this.pinch(event, before, others[0][1], dx, dy);
        else if (event.buttons & 6 || event.shiftKey)
            this.pan(dx, dy);
        else
            this.camera.turn(4 * dx, 3 * dy);
        before.x = event.clientX;
        before.y = event.clientY;
        this.touchViews();
    }

    // What a hand moved out of the picture stays there.
    pan(dx, dy) {
        element("follow").checked = false;
        this.camera.pan(dx, dy);
    }

    pinch(event, before, other, dx, dy) {
        const was = Math.hypot(before.x - other.x, before.y - other.y);
        const is = Math.hypot(event.clientX - other.x,
                              event.clientY - other.y);
        this.camera.zoom(was / Math.max(is, 1));
        this.panned += Math.hypot(dx, dy) / 2;
        if (this.panned > PINCH_WAY)
            this.pan(dx / 2, dy / 2);
        else
            this.camera.pan(dx / 2, dy / 2);
    }

    pointerUp(view, event) {
        if (!this.pointers?.delete(event.pointerId))
            return; // it went down elsewhere
        this.letGo();
        if (this.isSteering(view, event))
            view.source.fingerUp();
        else if (this.isTap(event) && this.tool() !== "ball")
            this.throwBall(this.ray(view, event));
    }

    // Whether a finger went up where it went down, soon after.
    isTap({ type, pointerType, clientX, clientY, timeStamp }) {
        const { x, y, time } = this.press;
        return type === "pointerup" && pointerType === "touch" &&
            !this.pointers.size && timeStamp - time < 250 &&
            Math.hypot(clientX - x, clientY - y) < TAP_WAY;
    }

    letGo() {
        if (this.grabbed)
            this.holder.world.call.release_body();
        this.grabbed = null;
    }


    // ---- Events -------------------------------------------------------------

    fillParts() {
        for (const part of PARTS) {
            const label = document.createElement("label");
            const box = document.createElement("input");
            box.type = "checkbox";
            box.checked = Boolean(this.parts & part.bit);
            box.addEventListener("change", () => {
                this.parts ^= part.bit;
                this.isChosen = true;
                this.showLegend();
                this.touchViews();
            });
            label.title = `Show ${part.name} (${part.key.toUpperCase()})`;
            label.append(box, " " + part.name);
            part.box = box;
            element("parts").append(label);
        }
        for (const [i, it] of COMPARISONS.entries())
            element("compare").add(new Option(it.title, i));
    }

    listen() {
        const on = (id, name, act) => element(id).addEventListener(name, act);
        on("play", "click", () => this.toggle());
        on("step", "click", () => this.stepOnce());
        on("restart", "click", () => this.restart());
        on("save", "click", () => this.save());
        on("watch", "click", () => this.watch());
        on("open", "click", () => element("file").click());
        on("leave", "click", () => this.leave());
        on("message", "click", () => this.say(""));
        on("help", "click", () => element("about").showModal());
        on("check-all", "click", () => this.checkAll());
        on("speed", "change", (e) => this.speed = Number(e.target.value));
        on("compare", "change", (e) => this.compare(Number(e.target.value)));
        on("search", "input", (e) => this.filterList(e.target.value));
        const wide = matchMedia("(min-width: 901px)");
        const unfold = () => document.querySelectorAll("#match, #draw").forEach(
            (it) => it.open = wide.matches);
        wide.addEventListener("change", unfold);
        unfold();
        on("menu", "click", () =>
            document.body.classList.toggle("choosing"));
        on("file", "change", (e) => {
            if (e.target.files[0])
                this.openFile(e.target.files[0]);
            e.target.value = "";
        });
        on("timeline", "input", (e) => {
            this.pause();
            for (const view of this.views)
                view.seek(Number(e.target.value));
        });
        // so that keys are the page's again after a click
        document.addEventListener("pointerdown", () => this.hasClicked = true);
        document.addEventListener("keydown", () => this.hasClicked = false);
        on("bar", "change", ({ target }) => this.hasClicked && target.blur());
        this.listenViews();
        this.listenDrops();
        this.listenMatch();
        document.addEventListener("keydown", (e) => this.key(e));
        this.dark.addEventListener("change", () => this.touchViews());
        window.addEventListener("hashchange", () => this.showHash());
        new ResizeObserver(() => this.resize()).observe(element("views"));
    }

    // Keeps in the picture what was in it.
    resize() {
        const { clientWidth, clientHeight } = this.views[0].canvas;
        if (clientHeight > 0)
            this.camera.reshape(clientWidth / clientHeight);
        this.touchViews();
    }

    restart() {
        this.say("");
        if (this.match)
            return this.match.restart();
        this.startTogether(() => this.eachView(
            (view) => view.source.restart()));
    }

    listenViews() {
        const views = element("views");
        const on = (name, act) => views.addEventListener(name, (event) => {
            const view = this.views.find((v) => v.canvas === event.target);
            if (view)
                act(view, event);
        });
        on("pointerdown", (view, e) => this.pointerDown(view, e));
        on("pointermove", (view, e) => this.pointerMove(view, e));
        on("pointerup", (view, e) => this.pointerUp(view, e));
        on("pointercancel", (view, e) => this.pointerUp(view, e));
        // of a view that is gone
        for (const name of ["pointerup", "pointercancel"])
            window.addEventListener(name, (e) =>
                this.pointers?.delete(e.pointerId) && this.letGo());
        on("dblclick", (view, e) => {
            if (this.tool() !== "ball" && !this.isTouched)
                this.throwBall(this.ray(view, e));
        });
        on("contextmenu", (view, e) => e.preventDefault());
        views.addEventListener("wheel", (e) => {
            if (e.target.tagName !== "CANVAS")
                return;
            e.preventDefault();
            this.camera.zoom(Math.exp(0.0012 * e.deltaY));
            this.touchViews();
        }, { passive: false });
    }

    listenDrops() {
        const body = document.body;
        body.addEventListener("dragover", (e) => {
            e.preventDefault();
            body.classList.add("dropping");
        });
        body.addEventListener("dragleave", () =>
            body.classList.remove("dropping"));
        body.addEventListener("drop", (e) => {
            e.preventDefault();
            body.classList.remove("dropping");
            if (e.dataTransfer.files[0])
                this.openFile(e.dataTransfer.files[0]);
        });
    }

    key(event) {
        if (event.target.matches("input:not([type=radio], [type=checkbox])," +
                                 " select") || event.ctrlKey || event.metaKey ||
            event.altKey || element("about").open)
            return;
        if (this.match?.key(event.code, true) ||
            this.playKey(event.code, true)) {
            event.preventDefault();
            return;
        }
        const turn = 0.08;
        const acts = {
            " ": () => this.toggle(),
            ".": () => this.stepOnce(),
            "r": () => this.restart(),
            "b": () => this.throwBall(this.lastRay ?? this.camera.ahead()),
            "f": () => element("follow").click(),
            "k": () => this.changeKind(),
            "?": () => element("about").showModal(),
            "+": () => this.camera.zoom(0.9),
            "-": () => this.camera.zoom(1.1),
            "home": () => this.resetCamera(this.views[0]),
            "arrowleft": () => this.camera.turn(-turn, 0),
            "arrowright": () => this.camera.turn(turn, 0),
            "arrowup": () => this.camera.turn(0, turn),
            "arrowdown": () => this.camera.turn(0, -turn),
        };
        for (const part of PARTS)
            acts[part.key] = () => part.box.click();
        const act = acts[event.key.toLowerCase()];
        if (!act || this.isControl(event))
            return;
        event.preventDefault();
        act();
        this.touchViews();
    }

    // Passes a key to the hero of the scene "game", if it is here.
    playKey(code, isDown) {
        const bit = HERO_KEYS[code];
        const views = this.views.filter(({ source }) =>
            source?.isOpen && source.entry === "game");
        if (!bit || !views.length)
            return false;
        this.held = isDown ? this.held | bit : this.held & ~bit;
        for (const { world, source } of views) {
            world.call.hold_keys(this.held);
            source.isTouched = true;
        }
        return true;
    }

    // Whether a key is for the button or box that has the focus.
    isControl({ key, target }) {
        return key === " " ? target.matches("button, summary, input")
            : key.startsWith("Arrow") && target.matches("[type=radio]");
    }

    // Starts all scenes again in the other kind of numbers.
    changeKind() {
        if (this.match) {
            this.match.kind = this.match.kind === "float" ? "fixed" : "float";
            this.match.restart();
            return;
        }
        this.startTogether(() => this.eachView((view) => {
            const { kind } = view.settings;
            view.settings.kind = kind === "float" ? "fixed" : "float";
            return view.start(view.source.name || FIRST_SCENE);
        }));
    }
}

// Bits of an input: port/examples/game/level.h.
const HERO_KEYS = {
    ArrowLeft: 1, ArrowRight: 2, ArrowUp: 4, ArrowDown: 8, ShiftLeft: 16,
    ShiftRight: 16, Enter: 32,
};

let thePage = null; // for ci/web.py

// engine: { float, fixed, table }, both modules and the text of the table.
async function main(engine) {
    const page = new Page(engine);
    await page.begin();
    thePage = page;
    if (["#test", "#test-long", "#rate"].includes(location.hash))
        await testPage(page);
}
