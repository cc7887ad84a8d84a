"""Headless Chromium over its debugging pipe (Chrome DevTools Protocol): no package, no port, no network."""

import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless_shell")
READS, WRITES = 3, 4  # what Chromium expects
START_SECONDS, ANSWER_SECONDS = 120, 60


class Failed(Exception):
    pass


def find_program():
    return next((path for path in map(shutil.which, PROGRAMS) if path), None)


class Chromium:
    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(prefix="tune-browser-")
        # Above the numbers that the child gets, else dup2 would overwrite one with the other.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for pair in (os.pipe(), os.pipe()) for end in pair]
        child_reads, self.to_child, self.from_child, child_writes = ends

        def set_up():
            os.dup2(child_reads, READS)
            os.dup2(child_writes, WRITES)

        flags = ["--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync", "--mute-audio",
                 "--disable-dev-shm-usage", "--force-color-profile=srgb", f"--user-data-dir={self.profile.name}"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        self.process = subprocess.Popen([program, *flags, "about:blank"], preexec_fn=set_up, pass_fds=(READS, WRITES),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        start_new_session=True)
        os.close(child_reads)
        os.close(child_writes)
        self.rest = b""
        self.count = 0
        self.events = []

    def close(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        os.close(self.to_child)
        os.close(self.from_child)
        try:
            self.profile.cleanup()
        except OSError:
            pass  # a helper process of the browser that ends later

    def _receive(self, deadline):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.from_child], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise Failed("the browser does not answer")
            part = os.read(self.from_child, 1 << 20)
            if not part:
                raise Failed("the browser ended")
            self.rest += part
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def answers(self):
        """Whether it has started: a browser may not be allowed to make the name spaces and shared memory that it needs."""
        try:
            self.call("Browser.getVersion", within=START_SECONDS)
        except (Failed, BrokenPipeError):
            return False
        return True

    def call(self, method, session=None, within=ANSWER_SECONDS, **parameters):
        self.count += 1
        request = {"id": self.count, "method": method, "params": parameters}
        if session:
            request["sessionId"] = session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.to_child, data):]
        deadline = time.monotonic() + within
        while True:
            message = self._receive(deadline)
            if message.get("id") == self.count:
                if "error" in message:
                    raise Failed(f"{method}: {message['error']['message']}")
                return message["result"]
            if "method" in message:
                self.events.append(message)

    def wait_for(self, method, session):
        deadline = time.monotonic() + ANSWER_SECONDS
        while True:
            for event in self.events:
                if event["method"] == method and event.get("sessionId") == session:
                    return
            message = self._receive(deadline)
            if "method" in message:
                self.events.append(message)


class Page:
    """One page in a tab of its own."""

    def __init__(self, browser, width, height, *, dark=False, medium="", scripts=True):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=medium, features=[scheme])
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        browser.events.clear()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def open(self, url):
        problem = self.call("Page.navigate", url=url).get("errorText")
        if problem:
            raise Failed(f"{url}: {problem}")
        self.browser.wait_for("Page.loadEventFired", self.session)

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Failed(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def _events(self, method):
        return [event["params"] for event in self.browser.events
                if event["method"] == method and event.get("sessionId") == self.session]

    def messages(self):
        """What the page wrote to the console, and what the browser complained about."""
        texts = [entry["entry"]["text"] for entry in self._events("Log.entryAdded")]
        texts += [thrown["exceptionDetails"]["text"] for thrown in self._events("Runtime.exceptionThrown")]
        return texts + [call["type"] for call in self._events("Runtime.consoleAPICalled")]

    def requests(self):
        return [sent["request"]["url"] for sent in self._events("Network.requestWillBeSent")]

    def screenshot(self, whole):
        return self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]

    def pdf(self):
        return self.call("Page.printToPDF", printBackground=True)["data"]
