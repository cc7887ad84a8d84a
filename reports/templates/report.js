// Comfort only: the page says everything without it. Sorts and filters long tables, copies texts.
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
  openTarget();
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
