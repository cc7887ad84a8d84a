// Run in the page by check_pages.py: the rules that every page of ours follows.
// Returns a list of complaints.
(function () {
  "use strict";
  const complaints = [];
  const complain = (text) => { if (complaints.length < 20) { complaints.push(text); } };
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const nameOf = (element) => element.tagName.toLowerCase() + " '" + element.textContent.trim().slice(0, 40) + "'";

  const checkHeadings = () => {
    let level = 0;
    if (all("h1").length !== 1) { complain(all("h1").length + " h1"); }
    all("h1, h2, h3, h4, h5, h6").forEach((heading) => {
      const own = Number(heading.tagName[1]);
      if (own > level + 1) { complain("a level is skipped before " + nameOf(heading)); }
      level = own;
    });
    all("details h4, details .chip").forEach((found) => complain("folded away: " + nameOf(found)));
  };

  const checkTables = () => {
    all("table").forEach((table) => { if (!table.caption || !table.caption.textContent) { complain("a table without caption"); } });
    all("th").forEach((head) => { if (!["col", "row"].includes(head.getAttribute("scope"))) { complain("no scope: " + nameOf(head)); } });
  };

  const checkDrawings = () => {
    all("svg").forEach((svg) => {
      const names = (svg.getAttribute("aria-labelledby") || "").split(" ");
      const texts = names.map((id) => document.getElementById(id)).map((found) => (found ? found.textContent : ""));
      if (svg.getAttribute("role") !== "img" || texts.length !== 2 || texts.includes("")) { complain("a drawing without name or description"); }
    });
    const ids = all("[id]").map((element) => element.id);
    ids.forEach((id, at) => { if (ids.indexOf(id) !== at) { complain("the id " + id + " is there twice"); } });
  };

  const checkLegends = () => {
    const boxes = all("figure g.entry").map((entry) => [entry, entry.closest("svg"), entry.getBoundingClientRect()]).filter((each) => each[2].width > 0);
    boxes.forEach(([entry, drawing, box], at) => {
      const frame = drawing.getBoundingClientRect();
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1) { complain("cut: the legend's " + nameOf(entry)); }
      const covered = boxes.slice(at + 1).filter((other) => other[1] === drawing && other[2].left < box.right && box.left < other[2].right && other[2].top < box.bottom - 4 && box.top < other[2].bottom - 4);
      covered.forEach((other) => complain("the legend's " + nameOf(entry) + " covers " + nameOf(other[0])));
    });
  };

  const scrolls = (element) => {
    for (let at = element; at; at = at.parentElement) {
      if (["auto", "scroll", "hidden"].includes(getComputedStyle(at).overflowX) && at !== document.documentElement && at !== document.body) { return true; }
    }
    return false;
  };

  const checkWidth = () => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > width) {
      complain("the page is " + document.documentElement.scrollWidth + " wide on a screen of " + width);
    }
    all("main *").forEach((element) => {
      if (element.getBoundingClientRect().right > width + 1 && !scrolls(element)) { complain("reaches out of the screen: " + nameOf(element)); }
    });
  };

  const channelsOf = (colour) => {
    const found = /rgba?\(([^)]*)\)/.exec(colour);
    const parts = found ? found[1].split(/[ ,\/]+/).map(Number) : [0, 0, 0, 0];
    return { rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1 };
  };
  const luminance = (rgb) => {
    const linear = rgb.map((value) => value / 255).map((value) => (value <= 0.03928 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4)));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const groundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const ground = channelsOf(getComputedStyle(at).backgroundColor);
      if (ground.alpha === 1) { return ground.rgb; }
    }
    return [255, 255, 255];
  };

  const checkContrast = () => {
    all("main *").forEach((element) => {
      const hasText = Array.from(element.childNodes).some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== "");
      if (!hasText || element.closest("svg") || element.getClientRects().length === 0) { return; }
      const style = getComputedStyle(element);
      const a = luminance(channelsOf(style.color).rgb), b = luminance(groundOf(element));
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const size = parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (contrast < (isLarge ? 3 : 4.5)) { complain("contrast " + contrast.toFixed(2) + ": " + nameOf(element)); }
    });
  };

  const checkKeyboard = () => {
    all(".scroll, pre").forEach((region) => { if (region.tabIndex !== 0) { complain("the keyboard does not reach " + nameOf(region)); } });
    all("[tabindex]").forEach((element) => { if (element.tabIndex > 0) { complain("out of order for the keyboard: " + nameOf(element)); } });
    all("button, input").forEach((element) => {
      const label = element.labels && element.labels.length > 0 ? element.labels[0].textContent : element.textContent;
      if (label.trim() === "") { complain("a control without name"); }
    });
  };

  checkHeadings();
  checkTables();
  checkDrawings();
  checkLegends();
  checkWidth();
  checkContrast();
  checkKeyboard();
  return complaints;
})()
