# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors

"""Runs the page's own test, and then what only a browser's input shows:
fingers, keys, files that are dropped, a second window.

    web.py PAGE TEST FOLDER

TEST is `test` or `test-long`.  Prints the lines of port/web/test.js, and
`ok` and `failed` lines of its own; writes recordings to FOLDER."""

import base64
import sys
import time

from browser import Browser

address = "file://" + sys.argv[1]
folder = sys.argv[3]
PATIENCE = 240  # s, for the page's own test


def check(what, is_good, *shown):
    print("ok" if is_good else "failed", what, *shown, flush=True)


def check_soon(page, what, text, patience=30):
    """Checks that some JavaScript becomes true."""
    try:
        page.wait_for(text, patience)
        check(what, True)
    except RuntimeError as error:
        check(what, False, str(error))


def run_own_test(browser):
    """Prints what the page's test says, and keeps its recordings."""
    browser.open(f"{address}#{sys.argv[2]}")
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        event = browser.events.pop(0) if browser.events else browser.hear(1)
        method = event and event["method"]
        if method == "Runtime.exceptionThrown":
            print("failed exception", str(event["params"])[:400])
        if method != "Runtime.consoleAPICalled":
            continue
        words = [str(one.get("value", one.get("description")))
                 for one in event["params"]["args"]]
        if words[1:2] == ["recording"]:
            with open(f"{folder}/{words[2]}.vspr", "wb") as file:
                file.write(base64.b64decode(words.pop()))
        print(*words[1:], flush=True)
        if words[:2] == ["test", "end"]:
            return


def show_page(browser, behind, width=1200, height=800):
    page = browser.open("about:blank")
    page.call("Emulation.setDeviceMetricsOverride", width=width,
              height=height, deviceScaleFactor=1, mobile=False)
    page.call("Page.navigate", url=address + behind)
    page.wait_for("thePage && !document.getElementById('loading')")
    return page


def middle(page, selector):
    return page.run(f"""(() => {{
        const box = document.querySelector("{selector}")
            .getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2];
    }})()""")


def press(page, key, code, seconds=0.0):
    text = key if len(key) == 1 else ""
    page.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=code,
              text=text)
    time.sleep(seconds)
    page.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code)


def touch(page, kind, *points):
    page.call("Input.dispatchTouchEvent", type=kind, touchPoints=[
        {"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)])


def test_press(page):
    """A button that went down beside the picture and up in it."""
    page.browser.events.clear()
    for kind, where in ("mousePressed", "#legend"), ("mouseReleased", "canvas"):
        x, y = middle(page, where)
        page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y,
                  button="left", clickCount=1)
    page.run("0")
    wrong = [one for one in page.browser.events
             if one["method"] == "Runtime.exceptionThrown"]
    check("a press beside the picture", wrong == [], *wrong[:1])


def test_touch(page):
    """Drags a body with a finger; turns, moves and zooms with others."""
    page.call("Emulation.setTouchEmulationEnabled", enabled=True,
              maxTouchPoints=5)
    x, y = page.run("""(() => {
        const view = thePage.views[0], box = view.canvas
            .getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2 *
                (1 + thePage.camera.covered)];
    })()""")
    hold = "thePage.views[0].world.stats().bodies"
    bodies = page.run(hold)
    wide = page.run("thePage.views[0].world.bounds().high[0]")
    touch(page, "touchStart", (x, y))
    page.wait_for(f"{hold} === {bodies + 1}", 5)  # the hand
    for i in range(1, 21):
        touch(page, "touchMove", (x + 8 * i, y - 6 * i))
        time.sleep(0.02)
    touch(page, "touchEnd")
    page.wait_for(f"{hold} === {bodies}", 5)
    wider = page.run("thePage.views[0].world.bounds().high[0]")
    check("a finger drags a body", wider > wide + 0.5,
          f"{wide:.2f} to {wider:.2f} m")

    left = middle(page, "canvas")[0] - 300
    turned = page.run("thePage.camera.azimuth")
    touch(page, "touchStart", (left, y))
    for i in range(1, 6):
        touch(page, "touchMove", (left + 10 * i, y))
    touch(page, "touchEnd")
    check("a finger beside it turns the camera",
          page.run("thePage.camera.azimuth") != turned)

    far = page.run("thePage.camera.distance")
    touch(page, "touchStart", (left, y))
    touch(page, "touchStart", (left, y), (left + 60, y))
    for i in range(1, 11):
        touch(page, "touchMove", (left - 5 * i, y), (left + 60 + 5 * i, y))
    touch(page, "touchEnd")
    near = page.run("thePage.camera.distance")
    check("two fingers zoom", near < 0.8 * far, f"{far:.1f} to {near:.1f} m")
    follow = "document.getElementById('follow').checked"
    zoomed = page.run(follow)
    touch(page, "touchStart", (left, y))
    touch(page, "touchStart", (left, y), (left + 60, y))
    for i in range(1, 11):
        touch(page, "touchMove", (left + 20 * i, y), (left + 60 + 20 * i, y))
    touch(page, "touchEnd")
    check("two fingers that move end following",
          zoomed and not page.run(follow))
    page.run(f"{follow} = true")
    bodies = page.run(hold)
    touch(page, "touchStart", (left, y))
    touch(page, "touchEnd")
    check("a tap throws a ball", page.run(hold) == bodies + 1)
    page.call("Emulation.setTouchEmulationEnabled", enabled=False)


def test_keys(page):
    state = "thePage.views[0].world.stats()"
    page.run("thePage.play()")
    press(page, " ", "Space")
    check("space pauses", page.run("!thePage.isPlaying"))
    step = page.run(f"{state}.step")
    press(page, ".", "Period")
    check("a point makes a step", page.run(f"{state}.step") == step + 1)
    bodies = page.run(f"{state}.bodies")
    press(page, "b", "KeyB")
    check("B throws a ball", page.run(f"{state}.bodies") == bodies + 1)
    parts = page.run("thePage.parts")
    press(page, "c", "KeyC")
    check("C shows contacts", page.run("thePage.parts") != parts)
    check("and says their colours", page.run(
        "document.getElementById('legend').innerText").count("contact"))
    press(page, "f", "KeyF")
    check("F ends following", page.run(
        "!document.getElementById('follow').checked"))
    page.run("document.getElementById('follow').focus()")
    press(page, " ", "Space")
    check("space is for the box that has the focus", page.run(
        "document.getElementById('follow').checked && !thePage.isPlaying"))
    x, y = middle(page, "#follow")
    for kind in "mousePressed", "mouseReleased":
        page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y,
                  button="left", clickCount=1)
    press(page, " ", "Space")
    check("after a click it is the page's", page.run(
        "!document.getElementById('follow').checked && thePage.isPlaying"))
    for kind in "fixed", "float":
        press(page, "k", "KeyK")
        check_soon(page, f"K changes to {kind}",
                   f"thePage.views[0].world.kind === '{kind}'")
    page.run("thePage.pause()")
    press(page, ".", "Period")
    check("there is a step to take back", page.run(f"{state}.step") > 0)
    press(page, "r", "KeyR")
    check_soon(page, "R begins again", f"{state}.step === 0")


def test_drop(page):
    """Drops the recording that the page's own test made."""
    x, y = middle(page, "canvas")
    data = {"items": [], "files": [f"{folder}/float.vspr"],
            "dragOperationsMask": 1}
    for kind in "dragEnter", "dragOver", "drop":
        page.call("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)
    check_soon(page, "a dropped recording plays",
               "thePage.views[0].find('.verdict').textContent === "
               "'= recorded, all 200 steps'")
    check("its timeline", page.run(
        "!document.getElementById('timeline').hidden"))
    page.run("""(() => {
        const form = thePage.views[0].form;
        form.elements.name.value = "wall";
        form.dispatchEvent(new Event("change"));
    })()""")
    page.wait_for("thePage.views[0].source.name === 'wall'")
    check("a scene from Settings takes the timeline away", page.run(
        "document.getElementById('timeline').hidden"))


def test_steering(page):
    page.call("Emulation.setTouchEmulationEnabled", enabled=True)
    x, y = middle(page, "canvas")
    seat = "thePage.match.seats[0]"
    touch(page, "touchStart", (x, y))
    touch(page, "touchMove", (x + 60, y))
    right = page.run(f"{seat}.source === 'keys' && {seat}.steered === RIGHT")
    touch(page, "touchEnd")
    still = page.run(f"{seat}.steered === 0")
    check("a finger steers a player", right and still)
    page.call("Emulation.setTouchEmulationEnabled", enabled=False)


def test_phone(page):
    """The page on a telephone, and a match."""
    far = page.run("thePage.camera.distance")
    page.call("Emulation.setDeviceMetricsOverride", width=250, height=800,
              deviceScaleFactor=1, mobile=False)
    check_soon(page, "a narrow picture shows as much",
               f"thePage.camera.distance > 1.1 * {far}")
    page.call("Emulation.setDeviceMetricsOverride", width=400, height=800,
              deviceScaleFactor=1, mobile=False)
    page.run("document.getElementById('menu').click()")
    check("the list is before all else", page.run("""(() => {
        const box = document.querySelector(".cards").getBoundingClientRect();
        return document.elementFromPoint(box.left + 20, box.top + 20)
            .closest("nav");
    })() !== null"""))
    page.run("document.getElementById('menu').click()")
    page.run("document.getElementById('about').showModal()")
    wide = page.run("document.getElementById('about').offsetWidth")
    check("the help fits", wide < 400, wide)
    page.run("document.getElementById('about').close()")
    page.run("location.hash = 'lockstep'")
    page.wait_for("thePage.match?.isOn")
    part = page.run("document.getElementById('views').clientHeight / 800")
    check("the views have half the height", part >= 0.5, f"{part:.2f}")
    small = page.run("""[...document.querySelectorAll("button, select")]
        .filter(it => it.checkVisibility() &&
            it.getBoundingClientRect().height < 40)
        .map(it => it.id)""")
    check("buttons are for fingers", small == [], *small)
    page.call("Emulation.setDeviceMetricsOverride", width=1200, height=800,
              deviceScaleFactor=1, mobile=False)


def test_windows(browser, page):
    """A match of two windows, with a key held in each."""
    test_steering(page)
    page.run("thePage.openSecond()")
    other = None
    for _ in range(100):
        found = [one for one in browser.targets()
                 if one["url"].endswith("#lockstep-join")]
        if found:
            other = browser.attach(found[0]["targetId"])
            break
        time.sleep(0.1)
    check("a second window opens", other)
    if not other:
        return
    other.call("Runtime.enable")
    for one in page, other:
        one.wait_for("thePage.match?.isOn && thePage.match.other")
    press(page, "d", "KeyD", 0.5)
    press(other, "ArrowLeft", "ArrowLeft", 0.5)
    page.wait_for("thePage.match.seats[0].world.game().certain >= 300", 40)
    other.wait_for("thePage.match.seats[0].world.game().certain >= 300", 40)
    sources = [one.run("thePage.match.seats[0].source")
               for one in (page, other)]
    check("both take keys", sources == ["keys", "keys"], *sources)
    hashes = [one.run("thePage.match.seats[0].world.certainHash(300)")
              for one in (page, other)]
    numbers = page.run("thePage.match.seats[0].world.game()")
    check("two windows have the same state 300",
          hashes[0] and hashes[0] == hashes[1], *hashes,
          f"{numbers['rollbacks']} rollbacks, {numbers['hashes']} hashes",
          f"compared, {numbers['lost']} of {numbers['sent']} messages lost")


def main():
    browser = Browser(width=1000, height=700)
    try:
        run_own_test(browser)
        page = show_page(browser, "#box-stack")
        for test in test_press, test_touch, test_keys, test_drop:
            test(page)
        test_phone(page)
        test_windows(browser, page)
    finally:
        browser.close()


main()
