#pragma once

#include "report/block.h"
#include "report/markup.h"
#include "report/ranked_table.h"

#include <cstddef>
#include <string>

namespace tune::report {

/// What pages of runs and traces call it.
using HtmlTable = Table;

Markup html_table(const HtmlTable& table);

/// Rows that a page lists of what may be many; result.json has all of them.
constexpr std::size_t kMostListed = 500;

/// "99,500 more settings are in result.json."; nothing where none was left out.
Markup rest_in_json(std::size_t left_out, const std::string& singular);

/// A paragraph.
Markup paragraph(const std::string& text, const std::string& css_class = "");

}  // namespace tune::report
