// Comfort only: the page says everything without it. Sorts and filters long tables, copies texts, links to
// headings and rows, zooms timelines, redraws for narrow screens.
// No less-than sign and no ampersand in it: the page is XML as well.
"use strict";
(function () {
  var manyRows = 8;
  var each = function (list, visit) { Array.prototype.forEach.call(list, visit); };
  var textOf = function (row, column) {
    var cell = row.children[column];
    return cell ? cell.textContent.trim() : "";
  };
  var unitOf = { KiB: 1024, MiB: 1048576, GiB: 1073741824, TiB: 1099511627776, us: 1e-6, ms: 1e-3, m: 60, h: 3600 };
  var numberOf = function (text) {
    var found = /^[+]?(-?[0-9][0-9,]*(?:[.][0-9]+)?) ?([A-Za-z]*)/.exec(text);
    return found ? Number(found[1].replace(/,/g, "")) * (unitOf[found[2]] || 1) : null;
  };
  // What is not known stays last, whichever way the others are sorted.
  var comparedBy = function (column, direction) {
    return function (first, second) {
      var a = textOf(first, column), b = textOf(second, column);
      var x = numberOf(a), y = numberOf(b);
      if (x === null || y === null) {
        if (x !== null) { return -1; }
        if (y !== null) { return 1; }
        if (a === "" || b === "") { return a === b ? 0 : a === "" ? 1 : -1; }
        return direction * a.localeCompare(b);
      }
      return direction * (x - y);
    };
  };
  var makeSortable = function (table) {
    var body = table.tBodies[0], heads = table.tHead.rows[0].cells;
    each(heads, function (head, column) {
      var direction = 1;
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      button.addEventListener("click", function () {
        var rows = Array.prototype.slice.call(body.rows).sort(comparedBy(column, direction));
        each(heads, function (other) { other.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
        direction = -direction;
        rows.forEach(function (row) { body.appendChild(row); });
      });
      head.textContent = "";
      head.appendChild(button);
    });
  };
  var makeFilter = function (table) {
    var tools = document.createElement("div"), label = document.createElement("label");
    var input = document.createElement("input"), count = document.createElement("span");
    var rows = Array.prototype.slice.call(table.tBodies[0].rows);
    var show = function () {
      var words = input.value.toLowerCase().split(" "), shown = 0;
      rows.forEach(function (row) {
        var text = row.textContent.toLowerCase();
        row.hidden = !words.every(function (word) { return text.indexOf(word) !== -1; });
        shown += row.hidden ? 0 : 1;
      });
      count.textContent = shown + " of " + rows.length + " rows";
    };
    tools.className = "tools";
    input.type = "search";
    label.textContent = "Only rows with ";
    label.appendChild(input);
    count.setAttribute("role", "status");
    input.addEventListener("input", show);
    tools.appendChild(label);
    tools.appendChild(count);
    table.parentNode.parentNode.insertBefore(tools, table.parentNode);
    show();
  };
  var makeCopy = function (block) {
    var button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", function () {
      navigator.clipboard.writeText(block.textContent).then(
        function () { button.textContent = "Copied"; },
        function () { button.textContent = "Not allowed here: select it"; });
    });
    block.parentNode.insertBefore(button, block.nextSibling);
  };
  var linkTo = function (element, id, name) {
    var link = document.createElement("a");
    element.id = element.id || id;
    link.className = "permalink";
    link.href = "#" + id;
    link.textContent = "#";
    link.setAttribute("aria-label", "Link to " + name);
    return link;
  };
  var wordsOf = function (text) { return text.trim().toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, ""); };
  // Headings and rows that one may want to show somebody.
  var addPermalinks = function () {
    each(document.querySelectorAll("section[id] h2"), function (head) {
      var link = linkTo(head.closest("section"), head.closest("section").id, head.textContent);
      var part = head.closest("details");  // a control has no other controls inside
      if (part) { part.parentNode.insertBefore(link, part); } else { head.appendChild(link); }
    });
    each(document.querySelectorAll("article[id] > h4"), function (head) {
      head.appendChild(linkTo(head.parentElement, head.parentElement.id, head.textContent));
    });
    each(document.querySelectorAll("section[id] table"), function (table, number) {
      var part = table.closest("section").id;
      each(table.tBodies[0].rows, function (row) {
        var head = row.querySelector("th");
        var id = head ? part + "-" + (number + 1) + "-" + wordsOf(head.textContent) : "";
        if (head !== null) {
          if (document.getElementById(id) === null) {
            var link = linkTo(row, id, head.textContent);
            link.tabIndex = -1;  // a key press a row would be too many
            head.appendChild(link);
          }
        }
      });
    });
  };
  // What lies between the ends of the axis is stretched; names and headings stay.
  var makeZoom = function (drawing) {
    var svg = drawing.namespaceURI, ends = drawing.dataset.zoom.split(" ").map(Number);
    var height = drawing.viewBox.baseVal.height, factor = 1, from = ends[0];
    var clip = document.createElementNS(svg, "clipPath"), hole = document.createElementNS(svg, "rect");
    var frame = document.createElementNS(svg, "g"), inside = document.createElementNS(svg, "g");
    var tools = document.createElement("div");
    hole.setAttribute("x", ends[0] - 1);
    hole.setAttribute("width", ends[1] - ends[0] + 2);
    hole.setAttribute("height", height);
    clip.id = drawing.getAttribute("aria-labelledby").split(" ")[0] + "-hole";
    clip.appendChild(hole);
    frame.setAttribute("clip-path", "url(#" + clip.id + ")");
    frame.appendChild(inside);
    each(Array.prototype.slice.call(drawing.children), function (each) {
      if (["path", "line"].indexOf(each.tagName) !== -1) {
        each.setAttribute("vector-effect", "non-scaling-stroke");
        inside.appendChild(each);
      }
    });
    drawing.appendChild(clip);
    drawing.appendChild(frame);
    var show = function () {
      var widest = ends[1] - (ends[1] - ends[0]) / factor;
      from = Math.max(ends[0], Math.min(from, widest));
      inside.setAttribute("transform", "matrix(" + factor + " 0 0 1 " + (ends[0] - factor * from) + " 0)");
    };
    var zoom = function (by, at) {
      var next = Math.max(1, Math.min(64, factor * by));
      from = at - (at - from) * factor / next;
      factor = next;
      show();
    };
    var move = function (share) {
      from += share * (ends[1] - ends[0]) / factor;
      show();
    };
    var middle = function () { return from + (ends[1] - ends[0]) / factor / 2; };
    var add = function (name, act) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.addEventListener("click", act);
      tools.appendChild(button);
    };
    tools.className = "tools";
    add("Zoom in", function () { zoom(2, middle()); });
    add("Zoom out", function () { zoom(0.5, middle()); });
    add("Earlier", function () { move(-0.5); });
    add("Later", function () { move(0.5); });
    add("Whole", function () { zoom(1 / 64, middle()); });
    drawing.parentNode.parentNode.insertBefore(tools, drawing.parentNode);
    drawing.addEventListener("dblclick", function (event) {
      var x = new DOMPoint(event.clientX, event.clientY).matrixTransform(frame.getScreenCTM().inverse()).x;
      zoom(2, from + (x - ends[0]) / factor);
    });
  };
  // On a narrow screen a drawing is as wide as the screen: shapes are squeezed, the legend takes as many lines as it
  // needs, and so does a heading. Names on the left and readings on the right keep a column where they fit into it; else
  // they go above their row, which takes more height. What still does not fit is cut or left out; the page has the
  // numbers of the drawing as text too. Everything is measured before anything changes, since the browser lays out the
  // page again after each change, with hundreds of texts.
  var pen = document.createElement("canvas").getContext("2d");
  var makeNarrow = function (drawing) {
    var whole = drawing.viewBox.baseVal.width, height = drawing.viewBox.baseVal.height, drawn = 0;
    var room = whole, edge = 0, column = 0, lineHeight = 15, texts = [], shapes = [], entries = [];
    var right = whole, readings = 0, inserts = [];  // where readings begin, the widest of them, and room made above rows
    var collect = function (element) {
      each(element.children, function (child) {
        var name = child.tagName;
        if (["title", "desc", "defs", "clipPath"].indexOf(name) !== -1) { return; }
        if (name === "text") {
          var last = shapes[shapes.length - 1], is_on_bar = child.getAttribute("fill") === "#ffffff";
          if (is_on_bar) { is_on_bar = last.shape === child.previousElementSibling; }
          texts.push({ shape: child, bar: is_on_bar ? last : null, words: child.textContent, anchor: child.getAttribute("text-anchor") || "start", x: Number(child.getAttribute("x")), y: Number(child.getAttribute("y")) });
        } else if (name === "g") {
          if (child.getAttribute("class") === "entry") {
            var text = child.querySelector("text");
            entries.push({ shape: child, text: text, words: text.textContent });
          } else if (child.hasAttribute("clip-path")) {
            shapes.push({ shape: child });
          } else {
            collect(child);
          }
        } else {
          shapes.push({ shape: child });
        }
      });
    };
    collect(drawing);
    var paper = shapes.shift().shape;
    var fontOf = function (text) {
      var style = getComputedStyle(text);
      return style.fontWeight + " " + style.fontSize + " " + style.fontFamily;
    };
    var rowHeight = 30;
    var isInRow = function (text, shape) {
      return text.y - 2 > shape.box.y ? shape.box.y + shape.box.height > text.y - 6 : false;
    };
    var measure = function () {
      each(shapes, function (shape) { shape.box = shape.shape.getBBox(); });
      each(entries, function (entry) {
        entry.box = entry.shape.getBBox();
        entry.font = fontOf(entry.text);
      });
      each(texts, function (text) {
        text.full = text.shape.getComputedTextLength();
        text.font = fontOf(text.shape);
      });
      // Where the plot begins: right of names, and of numbers along an axis; where it ends: left of readings.
      edge = 0;
      column = 0;
      right = whole;
      readings = 0;
      each(texts, function (text) {
        var near = whole, is_reading = text.anchor === "start" ? text.x > whole / 2 : false, has_shape = false;
        text.side = "";
        each(shapes, function (shape) {
          if (rowHeight >= shape.box.height) { if (isInRow(text, shape)) {
            has_shape = true;
            if (shape.box.x + shape.box.width > text.x) { is_reading = false; }
          } }
        });
        if (is_reading) { if (has_shape) {
          text.side = "right";
          right = Math.min(right, text.x - 6);
          readings = Math.max(readings, text.full + 10);
        } }
        if (text.anchor === "end") {
          near = whole / 4 > text.x ? text.x + 6 : whole;
        } else if (text.anchor === "start") {
          if (20 > text.x) {
            each(shapes, function (shape) {
              if (isInRow(text, shape)) { if (shape.box.x > text.x + 40) { near = Math.min(near, shape.box.x - 2); } }
            });
          }
        }
        if (whole / 2 > near) {
          if (text.anchor === "start") { text.side = "left"; }
          edge = edge === 0 ? near : Math.min(edge, near);
          column = Math.max(column, text.full + 16);
        }
      });
    };
    var place = function (x) {
      var end = room - readings;
      if (edge > x) { return x * column / edge; }
      return right > x ? column + (x - edge) * (end - column) / (right - edge) : end + (x - right) * readings / Math.max(1, whole - right);
    };
    // The same downwards: what is below a row that takes more height moves down.
    var lower = function (y) {
      return inserts.reduce(function (sum, insert) { return y >= insert.at ? sum + insert.by : sum; }, y);
    };
    // Ends of a text on the screen.
    var extend = function (text) {
      text.from = text.anchor === "end" ? text.at - text.size : text.anchor === "middle" ? text.at - text.size / 2 : text.at;
      text.to = text.from + text.size;
    };
    // From the nearest text of the same line on the left, or the plot, to the nearest on the right.
    var spaceOf = function (text) {
      var from = 2, to = room - 2;
      each(texts, function (other) {
        if (other === text) { return; }
        if (other.size === 0) { return; }
        if (Math.abs(other.y - text.y) > 13) { return; }
        if (text.at > other.at) { from = Math.max(from, other.anchor === "end" ? other.at + 6 : Math.min(text.at, other.to + 6)); }
        if (other.at > text.at) { to = Math.min(to, other.anchor === "end" ? Math.max(text.at, other.from - 6) : other.at - 6); }
      });
      if (text.anchor === "start") { if (edge > text.x) {
        each(shapes, function (shape) {
          var left = place(shape.box.x);
          if (isInRow(text, shape)) { if (left > text.at + 8) { to = Math.min(to, left - 4); } }
        });
      } }
      var space = text.anchor === "end" ? text.at - from : text.anchor === "middle" ? 2 * Math.min(text.at - from, to - text.at) : to - text.at;
      if (text.bar) {
        space = Math.min(space, place(text.bar.box.x + text.bar.box.width) - place(text.bar.box.x) - 4);
      }
      return space;
    };
    var fit = function (text) {
      if (text.anchor === "middle") { if (!text.bar) {  // stays inside
        text.at += Math.max(0, 2 - text.from) - Math.max(0, text.to - room + 2);
        extend(text);
      } }
      var space = Math.max(0, spaceOf(text)), letters = text.words.length, words = text.words;
      pen.font = text.font;
      if (text.size > space) { if (text.anchor === "start") { if (text.side === "") { if (!text.bar) {
        var left = text.at - text.size - 16;  // a label goes to the other side of its mark
        if (left > 2) {
          text.at = left;
          space = text.size;
        }
      } } } }
      while (text.size > space) {
        letters -= 1;
        words = text.anchor === "middle" ? "" : 3 > letters ? "" : text.words.slice(0, letters).trim() + "\u2026";
        text.size = words === "" ? 0 : pen.measureText(words).width;
      }
      if (words !== text.words) { text.shape.textContent = words; }
      extend(text);
    };
    var widthOf = function (rows) {
      return Math.max.apply(null, rows.map(function (row) { return pen.measureText(row).width; }));
    };
    // Words in lines of at most this width; a name that is wider is broken behind its underscores.
    var linesOf = function (words, width) {
      var broken = [/[^ ]+ */g, /[^ _]+[ _]*/g].map(function (pattern) {
        var rows = [""];
        each(words.match(pattern) || [], function (word) {
          var longer = rows[rows.length - 1] + word;
          if (pen.measureText(longer.trim()).width > width) { rows.push(word); } else { rows[rows.length - 1] = longer; }
        });
        return rows.map(function (row) { return row.trim(); }).filter(function (row) { return row !== ""; });
      });
      return width >= widthOf(broken[0]) ? broken[0] : broken[1];
    };
    var writeLines = function (text, rows, x, distance) {
      text.textContent = "";
      each(rows, function (row, at) {
        var line = document.createElementNS(text.namespaceURI, "tspan");
        line.setAttribute("x", x);
        line.setAttribute("dy", at > 0 ? distance : 0);
        line.textContent = row.charAt(row.length - 1) === "_" ? row : row + " ";
        text.appendChild(line);
      });
    };
    // Breaks the text of an entry between words; returns how many lines that adds.
    var breakText = function (entry) {
      var left = Number(entry.text.getAttribute("x")), width = room - 4 - (left - entry.box.x);
      if (room - 4 >= entry.box.width) { return 0; }
      pen.font = entry.font;
      var rows = linesOf(entry.words, width);
      writeLines(entry.text, rows, left, 18);
      return rows.length - 1;
    };
    // Names and readings that have no column are lines above their row, a reading at the end of the last if it fits.
    var liftRows = function (is_lifted) {
      var rows = [];
      each(texts, function (text) {
        if (!is_lifted(text)) { return; }
        var row = rows.filter(function (other) { return other.y === text.y; })[0];
        if (row === undefined) {
          row = { y: text.y, texts: [], at: text.y - 14 };
          rows.push(row);
          each(shapes, function (shape) {
            if (rowHeight >= shape.box.height) { if (isInRow(text, shape)) { row.at = Math.min(row.at, shape.box.y - 1); } }
          });
        }
        row.texts.push(text);
      });
      each(rows, function (row) {
        var height = 0, end = 0;
        row.texts.sort(function (a, b) { return a.x - b.x; });
        each(row.texts, function (text) {
          pen.font = text.font;
          text.lines = linesOf(text.words, room - 12);
          text.lift = height > 0 ? room - 6 > end + 14 + text.full ? height - lineHeight : height : 0;
          text.at = height > text.lift ? room - 6 - text.full : 6;
          height = text.lift + lineHeight * text.lines.length;
          end = text.at + pen.measureText(text.lines[text.lines.length - 1]).width;
        });
        if (row.texts.length === 0) { return; }
        inserts.push({ at: row.at, by: height + 3 });
        row.height = height;
        each(row.texts, function (text) { text.row = row; });
      });
    };
    // A heading takes the lines that it needs.
    var breakHeading = function (text) {
      if (text.row) { return; }
      var space = spaceOf(text);
      if (text.size > space) { if (space > 36) { if (text.anchor === "start") { if (!text.bar) { if (text.side === "") {
        pen.font = text.font;
        var rows = linesOf(text.words, space);
        var widest = widthOf(rows);
        if (space >= widest) { if (4 >= rows.length) {
          text.lines = rows;
          text.size = widest;
          var at = text.y - 11;
          each(shapes, function (shape) {
            var bottom = shape.box.y + shape.box.height;
            if (rowHeight >= shape.box.height) { if (text.y > bottom) { if (at > shape.box.y) { at = Math.max(at, bottom); } } }
          });
          inserts.push({ at: at, by: 0, text: text });
          extend(text);
        } }
      } } } } }
    };
    // Puts the entries of the legend one after another, from line to line; returns by how much it grows.
    var flow = function () {
      var at = 2, line = 0, above = 0;
      each(entries, function (entry) {
        if (at > 2) { if (at + entry.box.width > room - 2) { at = 2; line += 1; } }
        entry.x = at - entry.box.x;
        entry.line = line;
        at += entry.box.width + 14;
        line += breakText(entry);
      });
      above = 20 * line;
      each(entries, function (entry) {
        entry.shape.setAttribute("transform", "translate(" + entry.x + " " + (20 * entry.line - above) + ")");
      });
      return above;
    };
    var setPaper = function (width, above) {
      var below = lower(height);
      drawing.setAttribute("viewBox", "0 " + -above + " " + width + " " + (below + above));
      paper.setAttribute("y", -above);
      paper.setAttribute("height", below + above);
    };
    var restore = function () {
      drawing.classList.remove("narrow");
      inserts = [];
      setPaper(whole, 0);
      each(entries, function (entry) {
        entry.shape.removeAttribute("transform");
        entry.text.textContent = entry.words;
      });
      each(shapes, function (shape) { shape.shape.removeAttribute("transform"); });
      each(texts, function (text) {
        text.lines = text.row = null;
        text.shape.classList.remove("lifted");
        text.shape.textContent = text.words;
        text.shape.setAttribute("x", text.x);
        text.shape.setAttribute("y", text.y);
      });
    };
    // Marks keep their shape, and what is as high as several rows grows with them.
    var move = function (shape) {
      var box = shape.box, name = shape.shape.tagName, from = place(box.x), middle = box.x + box.width / 2;
      var factor = box.width > 0 ? (place(box.x + box.width) - from) / box.width : 1, shift = from - box.x * factor;
      var is_mark = name === "polygon" ? true : name === "polyline" ? true : name === "circle";
      if (box.width > 14) { is_mark = name === "circle"; }
      if (box.height > 14) { is_mark = name === "circle"; }
      if (name === "g") {
        factor = (room - readings - column) / (right - edge);
        shift = column - edge * factor;
      } else if (is_mark) {
        factor = 1;
        shift = place(middle) - middle;
      }
      var top = lower(box.y), growth = box.height > 0 ? (lower(box.y + box.height) - top) / box.height : 1;
      shape.shape.setAttribute("transform", "matrix(" + factor + " 0 0 " + growth + " " + shift + " " + (top - box.y * growth) + ")");
    };
    var squeeze = function () {
      measure();
      var has_readings = 0.3 * room >= readings, has_column = has_readings ? 0.38 * room >= column : false;
      var is_lifted = function (text) {
        return text.side === "left" ? !has_column : text.side === "right" ? !has_readings : false;
      };
      if (edge === 0) { column = 0; } else if (!has_column) { column = 12; }
      if (!has_readings) { readings = 8; }
      liftRows(is_lifted);
      each(texts, function (text) {
        text.size = text.row ? 0 : text.full;
        if (!text.row) {
          text.at = place(text.x);
          extend(text);
        }
      });
      each(texts, breakHeading);
      each(inserts, function (insert) {  // headings of one line share their room
        if (insert.text) {
          insert.by = lineHeight * (insert.text.lines.length - 1);
          each(inserts, function (other) {
            if (other !== insert) { if (other.text) { if (3 > Math.abs(other.at - insert.at)) {
              if (other.by > 0) { insert.by = Math.max(0, insert.by - other.by); }
            } } }
          });
        }
      });
      drawing.classList.add("narrow");
      setPaper(room, flow());
      each(shapes, move);
      each(texts, function (text) {
        var y = lower(text.y);
        if (text.row) {
          y = lower(text.row.at) - text.row.height + 8 + text.lift;
          writeLines(text.shape, text.lines, text.at, lineHeight);
          text.shape.classList.add("lifted");
        } else if (text.lines) {
          y -= lineHeight * (text.lines.length - 1);
          writeLines(text.shape, text.lines, text.at, lineHeight);
        } else {
          fit(text);
        }
        text.shape.setAttribute("x", text.at);
        text.shape.setAttribute("y", y);
      });
    };
    var redraw = function () {
      var wanted = drawing.parentNode.clientWidth - 26;
      if (wanted > 0) { if (wanted !== drawn) {
        drawn = wanted;
        restore();
        room = window.matchMedia("(max-width: 40rem)").matches ? Math.min(whole, wanted) : whole;
        if (whole > room) { squeeze(); }
      } }
    };
    redraw();
    window.addEventListener("resize", redraw);
    window.addEventListener("beforeprint", function () { drawn = 0; restore(); });
    window.addEventListener("afterprint", redraw);
    for (var at = drawing.parentElement; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") { at.addEventListener("toggle", redraw); }
    }
  };
  // What a link leads to is opened, and a printed page has everything.
  var openTarget = function () {
    var target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
    for (var at = target; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") { at.open = true; }
    }
    var part = target ? target.querySelector("details.part") : null;
    if (part) { part.open = true; }
  };
  window.addEventListener("hashchange", openTarget);
  window.addEventListener("beforeprint", function () {
    each(document.querySelectorAll("details"), function (part) { part.open = true; });
  });
  addPermalinks();
  openTarget();
  if (location.hash.length > 1) {
    var start = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (start !== null) { start.scrollIntoView(); }
  }
  each(document.querySelectorAll("svg[data-zoom]"), makeZoom);
  each(document.querySelectorAll("figure svg"), makeNarrow);
  each(document.querySelectorAll("table"), function (table) {
    if (table.tHead !== null) {
      if (table.tBodies[0].rows.length >= manyRows) {
        makeSortable(table);
        makeFilter(table);
      }
    }
  });
  if (navigator.clipboard) {
    each(document.querySelectorAll("pre"), makeCopy);
  }
})();
