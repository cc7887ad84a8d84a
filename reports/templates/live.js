// The page of `tune run --watch`: shows each state that the run sends, and the report when there is a new one. Nothing here
// runs between two states, for it may run on the machine that measures.
"use strict";

const line = document.getElementById("line");
const more = document.getElementById("more");
const progress = document.getElementById("progress");
const frame = document.getElementById("frame");

let shown = Number(frame.dataset.report);  // number of the report in the frame
let wanted = shown;
let loading = false;

const name_of = (details) => details.querySelector("summary")?.textContent ?? "";

// What the reader has opened stays open, and the page where it was.
function keep_place(before, now) {
  const opened = new Set([...before.contentDocument.querySelectorAll("details[open]")].map(name_of));
  for (const details of now.contentDocument.querySelectorAll("details")) {
    details.open ||= opened.has(name_of(details));
  }
  now.contentWindow.scrollTo(0, before.contentWindow.scrollY);
}

// Loaded behind the old one, which goes when it is there.
function load_report() {
  if (loading || shown === wanted) {
    return;
  }
  loading = true;
  shown = wanted;
  const before = frame.querySelector("iframe");
  const now = before.cloneNode(false);
  now.style.visibility = "hidden";
  now.addEventListener("load", () => {
    if (before.contentDocument && now.contentDocument) {
      keep_place(before, now);
    }
    now.style.visibility = "";
    before.remove();
    loading = false;
    load_report();
  }, {once: true});
  frame.append(now);
}

const source = new EventSource("events");
source.onmessage = (event) => {
  const state = JSON.parse(event.data);
  line.textContent = state.line;
  more.textContent = state.more;
  progress.max = Math.max(1, state.total);
  progress.value = state.done;
  wanted = state.report;
  load_report();
  if (state.ended) {
    source.close();
  }
};
source.onerror = () => {
  more.textContent = "No answer: the run has ended, or its machine cannot be reached.";
};
