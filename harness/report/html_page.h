#pragma once

#include "report/markup.h"

#include <string>

namespace tune::report {

/// A page of its own around the body: one file, no script, nothing from a network, complete without
/// its style sheet, and well-formed XML.
std::string html_page(const std::string& title,
                      const std::string& tune_version,
                      const Markup& body);

}  // namespace tune::report
