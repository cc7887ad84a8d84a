#pragma once

#include "report/markup.h"

#include <string>
#include <vector>

namespace tune::report {

// Parts that sections of every page are made of.

/// Opens by a click and does not print: for what only completes the section.
Markup folded(const std::string& summary, const Markup& inside);

/// A paragraph.
Markup paragraph(const std::string& text, const std::string& css_class = "");

Markup preformatted(const std::string& text);

/// One of <dl class="tiles">: a number that a glance needs, and what it is.
Markup tile(const std::string& name, const std::string& value, const std::string& detail);

/// A list, one item a line; nothing without lines.
Markup bullets(const std::vector<std::string>& lines);

/// What makes the numbers worth less, before they are read; nothing without lines.
Markup trust_banner(const std::vector<std::string>& lines);

/// Drawings that belong together, in a region that scrolls.
Markup figure(const std::vector<Markup>& drawings, const std::string& caption);

/// Links to the sections of the page; nothing of fewer than three, which are seen at once.
Markup contents(const std::vector<Markup::Place>& places);

/// The address as a link, which fetches nothing until it is followed and does not tell where from;
/// as text where it is none of https.
Markup outside_link(const std::string& address);

}  // namespace tune::report
