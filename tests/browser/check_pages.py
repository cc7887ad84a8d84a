#!/usr/bin/env python3
"""Opens our pages in headless Chromium and checks what README.md promises."""

import argparse
import base64
import http.server
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

from chromium import Chromium, Failed, Page, find_program

SOURCE = pathlib.Path(__file__).resolve().parents[2]
NOT_RUN = 77
WIDE, NARROW = (1280, 800), (360, 740)
JENKINS = "sandbox; default-src 'none'; img-src 'self'; style-src 'self';"

CHECKS = (pathlib.Path(__file__).parent / "checks.js").read_text()

# Bottom of the last of the three facts; null on pages that have none.
FACTS = """(() => {
  const facts = Array.from(document.querySelectorAll(".fact"));
  return facts.length === 0 ? null : Math.max(...facts.map((fact) => fact.getBoundingClientRect().bottom));
})()"""

# Sorts and filters the longest table as a reader would.
ENHANCED = """(() => {
  const table = Array.from(document.querySelectorAll("table")).sort((a, b) => b.rows.length - a.rows.length)[0];
  if (!table || table.tBodies[0].rows.length < 8) { return []; }
  const found = [];
  const tools = table.parentElement.previousElementSibling;
  const input = tools && tools.querySelector("input");
  if (!input) { return ["the longest table has no filter"]; }
  const rows = Array.from(table.tBodies[0].rows);
  const text = rows[rows.length - 1].cells[1].textContent.trim().toLowerCase().split(" ")[0];
  input.value = text;
  input.dispatchEvent(new Event("input"));
  const shown = rows.filter((row) => !row.hidden);
  if (shown.length === 0 || !shown.every((row) => row.textContent.toLowerCase().includes(text))) { found.push("the filter does not filter"); }
  input.value = "";
  input.dispatchEvent(new Event("input"));
  if (rows.some((row) => row.hidden)) { found.push("an empty filter hides rows"); }
  const head = table.tHead.rows[0].cells[0];
  head.querySelector("button").click();
  if (head.getAttribute("aria-sort") !== "ascending") { found.push("sorting is not announced"); }
  if (table.tBodies[0].rows.length !== rows.length) { found.push("sorting loses rows"); }
  return found;
})()"""

# Drawings are redrawn for a narrow screen, and their texts do not cover each other.
NARROWED = """(() => {
  const found = [];
  for (const svg of document.querySelectorAll("figure svg")) {
    for (let at = svg; at; at = at.parentElement) { if (at.tagName === "DETAILS") { at.open = true; } }
  }
  for (const svg of document.querySelectorAll("figure svg")) {
    const name = svg.querySelector("title").textContent, frame = svg.getBoundingClientRect();
    if (frame.width === 0) { continue; }
    if (frame.right > document.documentElement.clientWidth) { found.push("a drawing scrolls: " + name); continue; }
    const boxes = Array.from(svg.querySelectorAll("text")).map((text) => [text.textContent, text.getBoundingClientRect()])
      .filter(([text, box]) => box.width > 0 && text !== "");
    for (const [text, box] of boxes) {
      if (box.left < frame.left - 1 || box.right > frame.right + 1) { found.push("'" + text + "' reaches out of " + name); }
      if (box.height < 10) { found.push("'" + text + "' is too small in " + name); }
      if (text.trim().endsWith("\u2026")) { found.push("'" + text + "' is cut in " + name); }
    }
  }
  return found.slice(0, 10);
})()"""

# How long a page is before anything is unfolded, in screens of 1280 x 800.
SCREENS = {"tune report": 4, "tune analyze": 3, "tune gate": 2}
HEIGHT = "document.documentElement.scrollHeight"
TITLE = "document.querySelector('h1').textContent"

TEXTS = """({
  text: document.body.textContent.replace(/\\s+/g, " "),
  drawings: document.querySelectorAll("svg").length,
  details: document.querySelectorAll("details").length,
  tools: document.querySelectorAll(".tools, button").length,
})"""

# Rules of accessibility by somebody else: axe-core, where it is installed (pip install axe-playwright-python).
AXE = """axe.run(document, {resultTypes: ["violations"]}).then((found) => found.violations.map(
  (rule) => rule.id + " (" + rule.impact + "): " + rule.nodes.slice(0, 3).map((node) => node.target.join(" ")).join(", ")))"""

# The first filled box with its own colour in each drawing: its colour as written and as drawn.
FILLS = """Array.from(document.querySelectorAll("svg")).map((svg) => {
  const box = Array.from(svg.querySelectorAll("rect, polygon, path")).find((each) => each.getAttribute("fill") && !each.closest("defs")
      && each.getAttribute("fill").startsWith("#") && each.getAttribute("fill") !== "#ffffff");
  return box ? [box.getAttribute("fill"), getComputedStyle(box).fill] : null;
}).filter((pair) => pair)"""


def find_axe():
    """The text of axe.min.js: $TUNE_AXE, or of a package of Python; None where there is none."""
    if os.environ.get("TUNE_AXE"):
        return pathlib.Path(os.environ["TUNE_AXE"]).read_text()
    for package in ("axe_playwright_python", "axe_core_python"):
        found = importlib.util.find_spec(package)
        if found and found.origin:
            file = pathlib.Path(found.origin).with_name("axe.min.js")
            if file.is_file():
                return file.read_text()
    return None


class WithPolicy(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):
        self.send_header("Content-Security-Policy", JENKINS)
        super().end_headers()

    def log_message(self, *_):
        pass


def served(folder):
    """A server of a folder on 127.0.0.1, under Jenkins' policy."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *given: WithPolicy(*given, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def check_wide(browser, file, axe, complain):
    with Page(browser, *WIDE) as page:
        page.open(file.as_uri())
        for text in page.evaluate(CHECKS):
            complain("1280", text)
        bottom = page.evaluate(FACTS)
        if bottom is not None and bottom > WIDE[1]:
            complain("1280", f"the three facts end at {bottom:.0f}, below the first screen")
        if file.parent == SOURCE / "reports/examples":
            most = SCREENS.get(page.evaluate(TITLE).split(":")[0])
            screens = page.evaluate(HEIGHT) / WIDE[1]
            if most and screens > most:
                complain("1280", f"{screens:.1f} screens before unfolding, at most {most}")
        for text in page.evaluate(ENHANCED):
            complain("1280", text)
        for text in page.messages():
            complain("console", text)
        if page.requests() != [file.as_uri()]:
            complain("network", " ".join(page.requests()))
        texts = page.evaluate(TEXTS)
        check_with_axe(page, axe, "1280", complain)
        return texts


def check_with_axe(page, axe, way, complain):
    if axe:
        page.evaluate(axe + "\n; 0")
        for text in page.evaluate(AXE):
            complain(way + ", axe", text)


def check_others(browser, file, axe, complain):
    for name, size, options in (("360", NARROW, {}), ("dark", WIDE, {"dark": True}), ("print", WIDE, {"medium": "print", "dark": True})):
        with Page(browser, *size, **options) as page:
            page.open(file.as_uri())
            for text in page.evaluate(CHECKS):
                complain(name, text)
            if name == "360":
                for text in page.evaluate(NARROWED):
                    complain(name, text)
            check_with_axe(page, axe, name, complain)


def check_bare(browser, file, url, whole, complain):
    """Without scripts, then without scripts and styles: everything must still be present."""
    for name, address, scripts in (("no scripts", file.as_uri(), False), ("Jenkins", url, True)):
        with Page(browser, *WIDE, scripts=scripts) as page:
            page.open(address)
            bare = page.evaluate(TEXTS)
            if bare["tools"] != 0:
                complain(name, "a script ran")
            for what in ("drawings", "details"):
                if bare[what] != whole[what]:
                    complain(name, f"{bare[what]} {what} instead of {whole[what]}")
            if len(bare["text"]) < 100 or bare["text"].count("How") == 0:
                complain(name, "the text is missing")
            for written, drawn in page.evaluate(FILLS):
                red, green, blue = (int(written[at:at + 2], 16) for at in (1, 3, 5))
                if drawn != f"rgb({red}, {green}, {blue})":
                    complain(name, f"{written} is drawn as {drawn}")


def take_pictures(browser, file, folder):
    for name, size, options in (("1280", WIDE, {}), ("1280-dark", WIDE, {"dark": True}), ("360", NARROW, {})):
        with Page(browser, *size, **options) as page:
            page.open(file.as_uri())
            (folder / f"{file.stem}-{name}.png").write_bytes(base64.b64decode(page.screenshot(whole=False)))
            (folder / f"{file.stem}-{name}-whole.png").write_bytes(base64.b64decode(page.screenshot(whole=True)))
    with Page(browser, *WIDE) as page:
        page.open(file.as_uri())
        (folder / f"{file.stem}.pdf").write_bytes(base64.b64decode(page.pdf()))


def check(browser, file, axe, screenshots):
    complaints = []

    def complain(way, text):
        complaints.append(f"{file.name} ({way}): {text}")

    server = served(file.parent)
    try:
        url = f"http://127.0.0.1:{server.server_port}/{file.name}"
        whole = check_wide(browser, file, axe, complain)
        check_others(browser, file, axe, complain)
        check_bare(browser, file, url, whole, complain)
        if screenshots:
            take_pictures(browser, file, screenshots)
    finally:
        server.shutdown()
        server.server_close()
    return complaints


def pages_of(arguments, folder):
    if arguments.pages:
        return [page.resolve() for page in arguments.pages]
    pages = sorted((SOURCE / "reports/examples").glob("*.html")) + sorted((SOURCE / "tests/golden/report").glob("*.html"))
    if arguments.difficult:
        subprocess.run([arguments.difficult, folder], check=True)
        pages += sorted(pathlib.Path(folder).glob("*.html"))
    return pages


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--difficult", help="program that writes pages which are hard to render")
    parser.add_argument("--screenshots", type=pathlib.Path, help="folder for screenshots")
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    program = find_program()
    if program is None:
        print("NOT RUN: no Chromium is installed here (Debian: chromium)", file=sys.stderr)
        return NOT_RUN
    if arguments.screenshots:
        arguments.screenshots.mkdir(parents=True, exist_ok=True)
    axe = find_axe()
    if axe is None:
        print("NOT RUN: the rules of axe-core, which is not installed here (pip install axe-playwright-python)", file=sys.stderr)
    browser = Chromium(program)
    failed = 0
    try:
        if not browser.answers():
            print(f"NOT RUN: {program} does not start here", file=sys.stderr)
            return NOT_RUN
        with tempfile.TemporaryDirectory() as folder:
            for page in pages_of(arguments, folder):
                complaints = check(browser, page, axe, arguments.screenshots)
                failed += len(complaints)
                print(f"{page.name}: " + ("as expected" if not complaints else f"{len(complaints)} complaints"))
                for complaint in complaints:
                    print("  " + complaint)
    except Failed as problem:
        print(f"FAILED: {problem}", file=sys.stderr)
        return 1
    finally:
        browser.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
