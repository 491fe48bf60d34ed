// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors
//
// What ci/web runs, by opening the page with #test behind its name: checks, and
// recordings for other machines.  Lines on the console begin with `test ok`,
// `test failed` or `test recording KIND HASH`, behind which is the file as
// base64, and `test options KIND OPTION...`, with which a release plays it, as
// the page says; `test end` is the last one.  #test-long also runs the scenes
// that have no row in the table: `test scene NAME KIND HASH`.

class PageTest {
    constructor(page) {
        this.page = page;
        this.view = page.views[0];
    }

    say(...words) {
        console.log("test", ...words);
    }

    check(what, isGood, ...shown) {
        this.say(isGood ? "ok" : "failed", what, ...shown);
    }

    steps(count) {
        for (let i = 0; i < count; i++)
            this.view.step();
    }

    // Every row of the table, in both kinds.
    async testHashes() {
        const { equal, all } = await this.page.checkAll();
        const rows = [...this.page.table.values()].flat().length;
        this.check("hashes", equal === rows && all === rows, equal, "of",
                   rows, "rows equal");
    }

    // Runs of the table, stepped as visitors see them.
    async testVerdicts() {
        const world = this.view.world;
        for (const name of ["land", "ropes@30", "cube:3"]) {
            const run = world.runs.find((r) => r.scene === name);
            await this.view.startRun(run);
            this.steps(run.steps);
            this.view.write();
            const text = this.view.find(".verdict").textContent;
            this.check(`verdict of ${name}`, text === "= table", text);
        }
    }

    rowsLine() {
        this.view.write();
        const { className, textContent } = this.view.find(".rows");
        return `${className}: ${textContent}`;
    }

    // Waits until the rows of the scene are compared.
    async waitForRows() {
        const { found, verdicts } = this.view;
        while (found.size < verdicts.length)
            await wait(0.005);
    }

    // Which entry of the list is marked.
    marked() {
        return document.querySelector("#list [aria-current=true]")
            ?.dataset.name;
    }

    // What is said of the table must be about the run that is shown.
    async testRows(kind) {
        const { page, view } = this;
        for (const [scene, stepper] of [["clubs", "CARRY"], ["ragdoll", "PGS"],
                                        ["ragdoll", "SUBSPACE"]]) {
            view.settings = { ...DEFAULTS, kind, stepper };
            await view.start(scene);
            await this.waitForRows();
            this.steps(view.source.rows.at(-1).step);
            view.write();
            const text = view.find(".verdict").textContent;
            const good = /^rows good: table: (\d+) of the \1 hashes of this/;
            this.check(`${kind} rows of ${scene} by ${stepper}`,
                       text === "= table" && good.test(this.rowsLine()),
                       text, this.rowsLine());
        }
        page.throwBall(page.camera.ahead());
        this.check("rows after a ball", this.rowsLine() ===
                   "rows : touched: the table has no row of this run",
                   this.rowsLine());
        for (const [name, settings] of [
            ["wall", {}], ["clubs:3", {}], ["clubs", { sweeps: 7 }],
            ["clubs", { friction: 0.4 }], ["clubs", { pyramid: true }],
            ["clubs", { stepper: "SHOCK" }], ["clubs", { large: true }]]) {
            view.settings = { ...DEFAULTS, kind, ...settings };
            await view.start(name);
            await this.waitForRows();
            this.check(`${kind} rows of others than ${name}`,
                       this.rowsLine() === "rows : no row of the table is of " +
                       "this very run: Table has others", this.rowsLine());
        }
    }

    // Seeks, and returns the verdict there.
    verdictAt(step) {
        this.view.seek(step);
        return this.view.find(".verdict").textContent;
    }

    // Returns the pixels of a picture with the ground in it.
    pixels() {
        this.view.painter.lastKey = "";
        this.view.draw();
        return this.readPixels();
    }

    readPixels() {
        const gl = this.view.painter.gl;
        const { width, height } = this.view.canvas;
        const out = new Uint8Array(4 * width * height);
        gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, out);
        return new Uint32Array(out.buffer);
    }

    async testFrames() {
        const { page, view } = this;
        for (const name of ["tower", "marbles", "animals:20", "ragdoll",
                            "bowls", "hills", "letters:50"]) {
            await view.start(name);
            page.resetCamera(view);
            this.steps(3);
            const parts = page.parts;
            page.parts = 0;
            const empty = this.pixels();
            page.parts = parts;
            const full = this.pixels();
            const other = full.filter((pixel, i) => pixel !== empty[i]).length;
            const colors = new Set(full).size;
            this.check(`frame of ${name}`, other > full.length / 50 &&
                       colors > 100, `${other} of ${full.length} pixels,`,
                       colors, "colours");
            this.checkBack(name, full);
        }
    }

    // A picture before the ground that was kept must look like one with it.
    checkBack(name, full) {
        const { painter } = this.view, { width, height } = painter.canvas;
        this.view.draw();
        const front = new Uint8Array(this.readPixels().buffer);
        const wanted = new Uint8Array(full.buffer);
        if (painter.backKey !== painter.lastKey) // it is drawn anew always
            return;
        const back = painter.back.getImageData(0, 0, width, height).data;
        let other = 0, clear = 0;
        for (let i = 0; i < wanted.length; i++) {
            const row = height - 1 - Math.floor(i / (4 * width));
            const behind = back[4 * width * row + i % (4 * width)];
            const shown = front[i] + behind * (1 - front[i | 3] / 255);
            clear += front[i | 3] === 0;
            other += Math.abs(shown - wanted[i]) > 6;
        }
        this.check(`ground behind ${name}`, clear > wanted.length / 10 &&
                   other < wanted.length / 5000,
                   `${other} of ${wanted.length} bytes differ`);
    }

    // Throws a ball and drags a body, and returns the recording.
    async record(kind, name) {
        const { page, view } = this;
        view.settings = { ...DEFAULTS, kind };
        await view.start(name);
        page.resetCamera(view);
        this.steps(20);
        page.throwBall(page.camera.ahead());
        this.steps(40);
        const ray = page.camera.ahead();
        const point = page.grab(view, ray);
        this.check(`${kind} body is grabbed`, point);
        for (let i = 1; i <= 60 && point; i++) {
            page.drag(view, ray, add(point, [0.02 * i, 0.03 * i, 0]));
            view.step();
        }
        view.world.call.release_body();
        this.steps(80);
        return view.world.record();
    }

    // Plays a recording and seeks in it.
    async testPlaying(bytes, hash) {
        const { view } = this;
        await view.playBytes(bytes, "test");
        const { count } = view.world.player();
        this.check("steps of the recording", count === 200, count);
        while (view.step())
            continue;
        this.check("played hash", view.world.hash() === hash &&
                   !view.source.parted, view.world.hash());
        view.seek(70);
        const middle = view.world.hash();
        view.seek(0);
        view.seek(200);
        this.check("hash after seeking", view.world.hash() === hash);
        view.seek(70);
        this.check("hash in the middle", view.world.hash() === middle);
        view.seek(200);
        view.write();
        const text = view.find(".verdict").textContent;
        this.check("verdict", text === "= recorded, all 200 steps", text);
    }

    // Returns the recording with a wrong hash after a step.
    spoilHash(bytes, step) {
        const bad = bytes.slice();
        let seen = 0, i = 56 + readWord(bytes, 48);
        for (; seen < step; i += 4 + 4 * (readWord(bytes, i) >>> 8))
            seen += bytes[i] === 2;
        bad[i - 4] ^= 1;
        return sealRecording(bad);
    }

    // A recording in which a hash is wrong must part there.
    async testParting(bytes) {
        const { view } = this, step = 33;
        await view.playBytes(this.spoilHash(bytes, step), "test");
        while (!view.source.parted && view.step())
            continue;
        this.check("parting", view.source.parted?.step === step,
                   `at step ${view.source.parted?.step}, wrong at ${step}`);
    }

    // What the page does with a recording that was opened, beside a match.
    async testOpening(bytes) {
        const { page, view } = this;
        const compare = document.getElementById("compare");
        const message = document.getElementById("message");
        const isShut = () => [...document.querySelectorAll("[name=tool]")].map(
            (radio) => Number(radio.disabled)).join("");
        await page.startMatch([0, 1]);
        await page.open(bytes, "test.vspr");
        page.pause();
        this.check("a recording ends a match", page.views.length === 1 &&
                   !page.match && compare.value === "0" &&
                   view.source.isSeekable && page.views[0] === view);
        this.check("it is no scene of the list", !this.marked() &&
                   this.rowsLine() === "rows : ", this.marked(),
                   this.rowsLine());
        const { bodies } = view.world.stats();
        page.throwBall(page.camera.ahead());
        this.check("nothing can be thrown into it", isShut() === "110" &&
                   view.world.stats().bodies === bodies &&
                   message.textContent.startsWith("A recording stays"));
        view.write();
        this.check("no counts before a step", !view.find(".stats").textContent
            .includes("contacts"), view.find(".stats").textContent);
        this.steps(200);
        view.write();
        this.check("counts after it", view.find(".stats").textContent
            .includes("contacts"));
        view.seek(view.source.keyframes[0]);
        this.check("none of a state that is stored", !view.find(".stats")
            .textContent.includes("contacts"));
        for (const again of ["toggle", "watch"]) {
            view.seek(200);
            await page[again]();
            const { step } = view.world.player();
            this.check(`${again} at the end begins again`, step === 0 &&
                       page.isPlaying, step);
            page.pause();
        }
        await page.leave();
        page.pause();
        this.check("a recording can be left", view.source.isOpen &&
                   isShut() === "000");
        this.steps(10);
        const name = view.source.entry;
        await page.watch();
        page.pause();
        this.check("watching marks the scene", this.marked() === name &&
                   view.source.isSeekable, this.marked());
        await page.leave();
        page.pause();
    }

    // Saves, and returns [{ name, bytes }] and what the page says.
    saveAll() {
        const { page } = this, files = [];
        page.download = (bytes, name) => files.push({ name, bytes });
        page.save();
        delete page.download; // that of the class is there again
        return [files, document.getElementById("message").textContent];
    }

    // Prints a recording for others to play, with the options that the page
    // names.
    sayRecording(kind, hash, bytes, text) {
        const [, options] = text.match(/OPTIONS="(.*)"/) ?? [];
        this.say("options", kind, options);
        this.say("recording", kind, hash,
                 btoa(String.fromCharCode(...bytes)));
    }

    // What is said of a recording that is saved: steps, hash, how to play it.
    async testSaving() {
        const { page, view } = this;
        for (const [kind, large] of [["float", false], ["fixed", true]]) {
            view.settings = { ...DEFAULTS, kind, large };
            await view.start("box-stack");
            page.throwBall(page.camera.ahead());
            this.steps(25);
            const hash = view.world.hash(), [[file], text] = this.saveAll();
            const name = `box-stack${kind === "fixed" ? "-fixed" : ""}.vspr`;
            this.check(`${kind} file is saved`, file.name === name &&
                       text.startsWith(`${name} has 25 steps, in `) &&
                       text.includes(`ends with the hash ${hash}`), text);
            await page.open(file.bytes, "again.vspr");
            const [[same], said] = this.saveAll();
            this.check(`${kind} file is saved again`, said ===
                       text.replaceAll(name, "again.vspr") &&
                       same.bytes === file.bytes, said);
            if (large)
                this.sayRecording("large", hash, file.bytes, text);
        }
        view.settings = { ...DEFAULTS };
        await view.start("marbles");
        const [, text] = this.saveAll();
        this.check("a recording with tables needs a checkout",
                   text.includes("which a release has not"), text);
        await view.start("rocks");
        this.steps(1);
        this.check("hulls of run time need an option", this.saveAll()[1]
            .includes("-DVSP_MAX_BODIES=256 -DVSP_MAX_RUNTIME_HULLS=8"));
        await page.compare(2);
        page.pause();
        const [both] = this.saveAll();
        const names = both.map(({ name }) => name).join();
        this.check("both worlds of a comparison are saved",
                   names === "column-left.vspr,column-right.vspr", names);
        await page.compare(0);
        page.pause();
    }

    // Two views are at the same step, whatever happens, and however long one of
    // them takes.
    async testPairs() {
        const { page } = this;
        await page.compare(2);
        const [left, right] = page.views, step = right.step;
        const form = right.form.elements;
        right.step = () => {
            for (const end = performance.now() + 20; performance.now() < end;)
                continue;
            return step.call(right);
        };
        const change = (field, value) => {
            form[field].value = value;
            right.form.dispatchEvent(new Event("change"));
        };
        let last = 0;
        for (const [what, act] of Object.entries({
            "when one is slow": () => 0,
            "after a step": () => page.stepOnce(),
            "after playing on": () => page.toggle(),
            "after a ball": () => page.throwBall(page.camera.ahead()),
            "after other settings": () => change("sweeps", "7"),
            "after a scene in one of them": () => change("name", "wall"),
            "after one that does not fit": () => change("name", "column:9999"),
            "after a row of the table": () =>
                right.find(".table button").click(),
            "after another kind": () => page.changeKind(),
            "after restarting": () => page.restart(),
            "when watched again": () => page.watch(),
            "after seeking": () => page.views.forEach((view) => view.seek(3)),
        })) {
            act();
            const seen = [];
            for (let i = 0; i < 12; i++) {
                await wait(0.02);
                if (!page.starts)
                    seen.push(page.views.map((view) =>
                        view.world.stats().step));
            }
            last = seen.at(-1)[0];
            this.check(`both views are at the same step ${what}`,
                       seen.every(([a, b]) => a === b), ...seen.flat());
        }
        this.check("both views moved", last > 0 && left.source.isSeekable);
        await page.compare(0);
        page.pause();
    }

    // What is said of steps that seeking passed over, or compared.
    async testSeeking(bytes) {
        const { view } = this, bad = this.spoilHash(bytes, 10);
        await view.playBytes(bad, "test");
        const first = view.source.keyframes.at(-1) + 1;
        let text = this.verdictAt(200);
        this.check("seek past a wrong hash",
                   text === `= recorded, from step ${first} on`, text);
        text = this.verdictAt(view.source.keyframes[0]);
        this.check("seek to a keyframe",
                   text === "as the recording stores it", text);
        await view.playBytes(bad, "test");
        text = this.verdictAt(25);
        const [, there, here] =
            text.match(/at step 10: recorded (\w+), here (\w+)$/) ?? [];
        this.check("seek over a wrong hash", there && there !== here, text);
        text = this.verdictAt(5);
        this.check("seek back before it", text === "= recorded", text);
        text = this.verdictAt(200);
        this.check("and far behind it", text.startsWith("differs at step 10"),
                   text);
    }

    // A start that fails does not end what ran before it.
    async testRefusals(bytes) {
        const { view } = this;
        await view.playBytes(bytes, "test");
        this.steps(20);
        const hash = view.world.hash();
        for (const name of ["column:100000", "nothing"]) {
            const isStarted = await view.start(name);
            const { step } = view.world.player();
            this.check(`refused ${name}`, !isStarted && step === 20 &&
                       view.world.hash() === hash && view.source.isSeekable, step);
        }
        this.steps(200);
        this.check("played after that", view.world.player().step === 200 &&
                   !view.source.parted && !view.source.error);
    }

    // A recording with a call that the world refuses.
    async testRefusedCall(bytes) {
        const { view } = this, bad = bytes.slice();
        const at = this.findVelocity(bytes, 0);
        bad.fill(0, at + 4, at + 8); // the body
        await view.playBytes(sealRecording(bad), "test");
        while (view.step())
            continue;
        view.write();
        const text = view.find(".verdict").textContent;
        this.check("refused call", text === "playing ended: VSP_ERR_DATA",
                   text);
        this.check("seek back before it", this.verdictAt(5) === "= recorded");
    }

    // Places and masses that vsp_world_draw refuses, and what is said if it
    // refuses.
    async testDrawing(kind) {
        const { page, view } = this, far = [600, -1e6, 0];
        view.settings = { ...DEFAULTS, kind };
        await view.start("tower:0"); // the ground only
        view.world.call.throw_ball(0, 5, 0, 0, 0, 0, 0.006);
        const light = view.world.draw(SHAPES, 10, [0, 0, 0]);
        this.check(`${kind} picture of a light ball`, light.status === OK &&
                   light.triangleVertices > 100, light.triangleVertices);
        const { status, triangleVertices } = view.world.draw(SHAPES, 1, far);
        this.check(`${kind} picture from far away`, status === OK &&
                   triangleVertices > 100, triangleVertices);
        page.camera.size = 1e6;
        view.draw();
        const text = document.getElementById("message").textContent;
        this.check("no picture", text.endsWith("drawn: VSP_ERR_ARG"), text);
        page.say("");
    }

    // The panel may not hide a scene.
    async testPanel() {
        const { page, view } = this;
        view.settings = { ...DEFAULTS };
        await view.start("roof-tower");
        page.resetCamera(view);
        const { low, high } = view.world.bounds();
        const top = [(low[0] + high[0]) / 2, high[1], (low[2] + high[2]) / 2];
        const m = page.camera.matrix(view.painter.aspect());
        const row = (i) => m[i] * top[0] + m[i + 4] * top[1] +
            m[i + 8] * top[2] + m[i + 12];
        const y = (1 - row(1) / row(3)) / 2 * view.canvas.clientHeight;
        const panel = view.find(".hud");
        const bottom = panel.offsetTop + panel.offsetHeight;
        this.check("scene below the panel", y > bottom,
                   `${y.toFixed(0)} and ${bottom} pixels`);
        const ray = page.camera.ahead(), { back } = page.camera.axes();
        this.check("ray ahead", dot(ray, back) < -0.9999, ...ray);
    }

    // The camera moves with a car, if it should.
    async testFollowing() {
        const { page, view } = this, box = document.getElementById("follow");
        const drive = async () => {
            view.settings = { ...DEFAULTS };
            await view.start("car");
            page.resetCamera(view);
            for (let i = 0; i < 500; i++) {
                view.step();
                page.follow(0.01);
            }
            const m = page.camera.matrix(view.painter.aspect());
            const at = view.source.focus();
            const row = (i) => m[i] * at[0] + m[i + 4] * at[1] +
                m[i + 8] * at[2] + m[i + 12];
            const { covered } = page.camera;
            return Math.max(Math.abs(row(0) / row(3)),
                            Math.abs(row(1) / row(3) + covered) /
                            (1 - covered));
        };
        const off = await drive();
        box.checked = false;
        const without = await drive();
        box.checked = true;
        page.pointers = new Map([[1, {}]]);
        const held = await drive();
        page.pointers = null;
        this.check("the camera follows a car", off < 1 && without > 1.2 &&
                   held === without, off.toFixed(2), without.toFixed(2),
                   "half pictures from the middle");
    }

    // A roof that falls on a tower moves in the picture, whose foot stays there.
    async testFoot() {
        const { page, view } = this;
        await view.start("roof-tower");
        page.resetCamera(view);
        let lowest = 1;
        for (let i = 0; i < 150; i++) {
            view.step();
            page.follow(0.02);
            const m = page.camera.matrix(view.painter.aspect());
            lowest = Math.min(lowest, m[13] / m[15]);
        }
        this.check("the foot of a tower stays in the picture", lowest > -1,
                   lowest.toFixed(2));
    }

    // Balls of an earlier scene must not hide what moves.
    async testThrown() {
        const { page, view } = this;
        view.settings = { ...DEFAULTS };
        await view.start("tower:0");
        for (let i = 0; i < 16; i++)
            view.world.call.throw_ball(i, 5, 0, 0, 0, 0, 0.1);
        this.steps(20);
        this.check("thrown balls are not followed", !view.source.focus());
        await view.start("car");
        this.steps(60);
        this.check("a car after them is", view.source.focus());
    }

    // The browser may take WebGL away, and gives it to few canvases.
    async testContexts() {
        const { page, view } = this, { gl } = view.painter;
        await view.start("clockwork");
        page.resetCamera(view);
        const before = this.pixels();
        const context = gl.getExtension("WEBGL_lose_context");
        const heard = (name) => Promise.race([wait(5), new Promise(
            (go) => view.canvas.addEventListener(name, go, { once: true }))]);
        const lost = heard("webglcontextlost");
        context.loseContext();
        await lost;
        view.draw();
        const restored = heard("webglcontextrestored");
        setTimeout(() => context.restoreContext());
        await restored;
        const after = this.pixels();
        this.check("picture after WebGL was lost", view.isStale === false &&
                   before.every((pixel, i) => pixel === after[i]));
        for (let i = 0; i < 20; i++) {
            page.setViews(2);
            page.setViews(1);
        }
        await wait(0.1);
        this.check("WebGL after 20 views more", !gl.isContextLost());
    }

    // A gear of 125 teeth in all, each of 20 triangles; colours hide it.
    async testGears() {
        const { world } = this.view;
        const [plain, layers] = [SHAPES, SHAPES | LAYERS].map(
            (parts) => world.draw(parts, 0.1, [0, 0, 0]).triangleVertices);
        this.check("gears are wheels", plain - layers === 125 * 60,
                   plain - layers);
    }

    // An address that is not one.
    async testAddress() {
        const hash = location.hash;
        history.replaceState(null, "", "#%");
        const isShown = await this.page.showHash().then(() => true,
                                                        () => false);
        history.replaceState(null, "", hash);
        this.page.pause();
        this.check("address #%", isShown);
    }

    // Where a call is that sets a velocity: body, velocity, spin.
    findVelocity(bytes, which) {
        let i = 56 + readWord(bytes, 48);
        for (;; i += 4 + 4 * (readWord(bytes, i) >>> 8))
            if (bytes[i] === 9 && which-- === 0)
                return i;
    }

    // A recording in which another velocity was set must part in the next step,
    // and the body be named.
    async testDifference(bytes, which) {
        const { view } = this, bad = bytes.slice();
        bad[this.findVelocity(bytes, which) + 10] ^= 0x40;
        sealRecording(bad);
        await view.playBytes(bad, "test");
        while (!view.source.parted && view.step())
            continue;
        const text = document.getElementById("message").textContent;
        this.check("difference", /step \d+: at step .*body \d+: /.test(text),
                   text);
    }

    // The first steps of scenes without a row.
    async testScenes() {
        const { view, page } = this, steps = 20;
        for (const kind of KINDS) {
            const { scenes, runs } = await World.create(page.engine, kind);
            view.settings = { ...DEFAULTS, kind, large: true };
            for (const { name } of scenes) {
                if (runs.some((run) => run.name === name))
                    continue;
                await view.start(name);
                this.steps(steps);
                this.say("scene", name, kind, view.world.hash());
            }
        }
    }

    // Two worlds, side by side.
    async testComparisons() {
        const { page } = this;
        for (let i = 1; i < COMPARISONS.length; i++) {
            if (COMPARISONS[i].isGame)
                continue;
            await page.compare(i);
            page.pause();
            for (let k = 0; k < 20; k++)
                page.views.forEach((view) => view.step());
            page.views.forEach((view) => view.draw());
            const hashes = page.views.map((view) => view.world.hash());
            this.check(`comparison: ${COMPARISONS[i].title}`,
                       hashes[0] !== hashes[1], ...hashes);
        }
        await page.compare(0);
        page.pause();
        this.view = page.views[0];
    }

    // Keys play the first hero of the game, and are recorded.
    async testHero() {
        const { view, page } = this;
        const press = (type) => document.body.dispatchEvent(
            new KeyboardEvent(type, { code: "ArrowLeft", key: "ArrowLeft",
                                      bubbles: true }));
        const hashes = [];
        for (const isHeld of [false, true, true]) {
            await view.start("game");
            if (isHeld)
                press("keydown");
            this.steps(40);
            press("keyup");
            hashes.push(view.world.hash());
        }
        this.check("a key moves the hero", hashes[0] !== hashes[1] &&
                   hashes[1] === hashes[2], ...hashes);
        const hash = view.world.hash();
        await page.open(view.world.record(), "game", view);
        page.pause();
        view.seek(40);
        this.check("a game with keys plays again",
                   view.world.hash() === hash, view.world.hash());
    }

    // Begins a match whose players move as in `build/lockstep alone`, through a
    // line with faults.
    async beginMatch(kind, steps) {
        const { page } = this;
        await page.startMatch([0, 1], 1, kind);
        page.pause();
        const { match } = page;
        match.line = { latency: 200, jitter: 50, loss: 10, duplicates: 5 };
        await match.begin(3, steps);
        for (const seat of match.seats)
            seat.source = "wander";
        return match;
    }

    // Makes ticks until something is true, or too many were made.
    async tickMatch(match, isEnd) {
        for (let i = 0; i < 4000 && !isEnd(); i++) {
            for (const seat of match.seats)
                seat.step();
            match.compare();
        }
        match.seats.forEach((seat) => match.write(seat));
    }

    async testMatch(kind) {
        const steps = 600, match = await this.beginMatch(kind, steps);
        const worlds = match.seats.map((seat) => seat.world);
        const all = `states ${steps + 1} `;
        await this.tickMatch(match, () => worlds.every(
            (world) => world.tally().startsWith(all)));
        const [a, b] = worlds.map((world) => world.tally());
        const it = worlds[1].game();
        this.check(`${kind} match`, a === b && a.startsWith(all) &&
                   match.next > steps && match.equal === match.next &&
                   it.lost > 9 && it.doubled > 9 && it.reordered > 9 &&
                   it.rollbacks > 9 && it.hashes > 9,
                   `${match.equal} of ${match.next} states equal,`,
                   `${it.rollbacks} rollbacks, deepest ${it.deepest},`,
                   `${it.sent} messages, ${it.lost} lost,`,
                   `${it.doubled} twice, ${it.reordered} overtaken`);
        this.check(`${kind} verdicts`, match.seats.every((seat) =>
            seat.view.find(".verdict").textContent === "= the other player's"));
        const corners = [0, GOALS].map((marks) => worlds[0].draw(
            SHAPES | marks, 0.1, [0, 0, 0]).triangleVertices);
        this.check(`${kind} goals are drawn`, corners[1] === corners[0] + 12);
        this.say("match", kind, a);
        return match;
    }

    // One player computes a bit wrongly.
    async testDesync(kind) {
        const match = await this.beginMatch(kind, 0);
        const [one, other] = match.seats.map((seat) => seat.world);
        await this.tickMatch(match, () => one.game().step > 200);
        other.call.flip_next();
        await this.tickMatch(match, () => match.equal < match.next);
        this.check(`${kind} states differ`, match.equal < match.next &&
                   match.seats.every((seat) =>
                       match.verdict(seat)[0] === "bad"));
        await this.tickMatch(match, () => one.desync() && other.desync());
        const text = match.parted;
        this.check(`${kind} desync`, /body \d+: velocity/.test(text) &&
                   text === other.desync(), text);
        this.check("its verdict", match.verdict(match.seats[0])[0] === "bad");
        const [[{ bytes }], said] = this.saveAll();
        const { steps, hash } = recordingEnd(bytes);
        this.check("it is said what is saved", said.startsWith(
            `lockstep${kind === "fixed" ? "-fixed" : ""}.vspr has ${steps} ` +
            "step") && said.includes(hash) && said.includes("differ"), said);
        await this.page.compare(0);
        this.view = this.page.views[0];
        await this.view.playBytes(bytes, "test");
        while (!this.view.source.parted && this.view.step())
            continue;
        this.check("its recording", this.view.source.parted);
    }

    // Plays the tower for some seconds.  How fast, is the machine's matter.
    async testRate() {
        const { view, page } = this, seconds = 4;
        view.settings = { ...DEFAULTS };
        await view.start("tower");
        page.resetCamera(view);
        page.play();
        await wait(3); // while the page finds how many pixels it can draw
        const frames = page.frames, step = view.world.stats().step;
        await wait(seconds);
        page.pause();
        const rate = (page.frames - frames) / seconds;
        const steps = (view.world.stats().step - step) / seconds;
        this.check("tower moves", rate >= 1 && steps >= 1,
                   `${rate.toFixed(0)} frames and ${steps.toFixed(0)} steps`,
                   `a second, ${view.canvas.width} x ${view.canvas.height},`,
                   `step ${view.stepTime.toFixed(1)} ms,`,
                   `draw ${view.drawTime.toFixed(1)} ms`);
    }
}

function wait(seconds) {
    return new Promise((go) => setTimeout(go, 1000 * seconds));
}

async function testPage(page) {
    const test = new PageTest(page);
    page.pause();
    try {
        if (location.hash === "#rate") {
            await test.testRate();
            return test.say("end");
        }
        await test.testHashes();
        await test.testVerdicts();
        await test.testFrames();
        await test.testPanel();
        await test.testFollowing();
        await test.testFoot();
        await test.testThrown();
        await test.testContexts();
        await test.testGears();
        await test.testAddress();
        await test.testHero();
        for (const kind of KINDS) {
            const bytes = await test.record(kind, "box-stack");
            const hash = test.view.world.hash();
            await test.testPlaying(bytes, hash);
            await test.testParting(bytes);
            await test.testDifference(bytes, 0); // next to a keyframe
            await test.testDifference(bytes, 30);
            await test.testSeeking(bytes);
            await test.testRefusals(bytes);
            await test.testRefusedCall(bytes);
            await test.testDrawing(kind);
            await test.testRows(kind);
            await test.testOpening(bytes);
            await page.open(bytes, "test.vspr");
            page.pause();
            test.sayRecording(kind, hash, bytes, test.saveAll()[1]);
        }
        await test.testSaving();
        await test.testPairs();
        if (location.hash === "#test-long")
            await test.testScenes();
        for (const kind of KINDS) {
            await test.testMatch(kind);
            await test.testDesync(kind);
        }
        await test.testComparisons();
        await test.testRate();
    } catch (error) {
        test.say("failed", error.stack);
    }
    test.say("end");
}
