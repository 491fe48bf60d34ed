# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors

"""Drives Chromium without a window, by its DevTools protocol over pipes.

    browser.py FILE

opens a page, and prints its elements as soon as a <pre> in it has text."""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

FLAGS = [
    "--headless", "--no-sandbox", "--disable-dev-shm-usage",
    "--use-gl=angle", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader", "--disable-gpu-compositing",
    "--remote-debugging-pipe", "--no-first-run",
]


class Browser:
    """A Chromium process.  Call close() at the end."""

    def __init__(self, *flags, width=1200, height=800, program="chromium"):
        to_read, self.to_write = os.pipe()
        self.to_hear, from_write = os.pipe()
        self.profile = tempfile.mkdtemp()
        self.number = 0
        self.rest = b""
        self.events = []

        # Chromium reads from 3 and writes to 4.  Either number may be a pipe
        # already, so both move out of the way first.
        def place_pipes():
            copies = fcntl.fcntl(to_read, fcntl.F_DUPFD, 5), \
                fcntl.fcntl(from_write, fcntl.F_DUPFD, 5)
            os.dup2(copies[0], 3)
            os.dup2(copies[1], 4)

        self.process = subprocess.Popen(
            [program, *FLAGS, *flags, f"--window-size={width},{height}",
             f"--user-data-dir={self.profile}", "about:blank"],
            preexec_fn=place_pipes, pass_fds=(3, 4),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)

    def close(self):
        self.process.terminate()
        self.process.wait()
        os.close(self.to_write)
        os.close(self.to_hear)
        shutil.rmtree(self.profile, ignore_errors=True)

    def hear(self, patience):
        """Returns the next message, or None."""
        end = time.monotonic() + patience
        while b"\0" not in self.rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.to_hear], [], [], left)[0]:
                return None
            got = os.read(self.to_hear, 1 << 20)
            if not got:
                raise RuntimeError("the browser ended")
            self.rest += got
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, session=None, patience=60, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if session:
            request["sessionId"] = session
        os.write(self.to_write, json.dumps(request).encode() + b"\0")
        while True:
            message = self.hear(patience)
            if message is None:
                raise RuntimeError(f"{method}: no answer")
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def attach(self, target):
        """Returns the page of a target."""
        session = self.call("Target.attachToTarget", targetId=target,
                            flatten=True)["sessionId"]
        return Page(self, session)

    def open(self, address):
        """Opens a page in the window that is there."""
        pages = [t for t in self.targets() if t["type"] == "page"]
        page = self.attach(pages[0]["targetId"])
        page.call("Page.enable")
        page.call("Runtime.enable")
        page.call("Page.navigate", url=address)
        return page

    def targets(self):
        return self.call("Target.getTargets")["targetInfos"]


class Page:
    def __init__(self, browser, session):
        self.browser = browser
        self.session = session

    def call(self, method, **params):
        return self.browser.call(method, session=self.session, **params)

    def run(self, text):
        """Runs JavaScript, and waits for it.  Returns the value."""
        got = self.call("Runtime.evaluate", expression=text, awaitPromise=True,
                        returnByValue=True, userGesture=True)
        if "exceptionDetails" in got:
            raise RuntimeError(json.dumps(got["exceptionDetails"]))
        return got["result"].get("value")

    def wait_for(self, text, patience=30):
        end = time.monotonic() + patience
        while not self.run(f"(() => {{ try {{ return Boolean({text}); }} "
                           "catch { return false; } })()"):
            if time.monotonic() > end:
                raise RuntimeError(f"never: {text}")
            time.sleep(0.05)

    def picture(self, path):
        data = self.call("Page.captureScreenshot")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))


def main():
    browser = Browser(width=1300, height=1000)
    try:
        page = browser.open("file://" + os.path.abspath(sys.argv[1]))
        page.wait_for("document.querySelector('pre').textContent")
        print(page.run("document.documentElement.outerHTML"))
    finally:
        browser.close()


if __name__ == "__main__":
    main()
