#pragma once

#include "report/markup.h"

#include <string>

namespace tune::report {

/// A page of its own around the body: one file, nothing from a network, complete without its style
/// sheet and its one script (reports/templates/report.js), and well-formed XML. Its content
/// security policy allows that script by its hash, and no other.
std::string html_page(const std::string& title,
                      const std::string& tune_version,
                      const Markup& body);

}  // namespace tune::report
