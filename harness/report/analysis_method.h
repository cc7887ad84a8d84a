#pragma once

#include "report/analysis_json.h"
#include "report/markup.h"

#include <string>
#include <vector>

namespace tune::report {

/// What every analysis' numbers mean, and what they must not be taken for.
std::vector<std::string> analysis_method_lines();

/// The section that says how to get this page again.
Markup analysis_reproduce_section(const AnalysisRecord& record);

}  // namespace tune::report
