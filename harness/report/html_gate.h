#pragma once

#include "report/gate_record.h"

#include <string>

namespace tune::report {

/// report.html of a gate: a page as that of a run (html.h), from its result.json alone. The same
/// record always gives the same bytes.
std::string to_gate_html(const GateRecord& record);

}  // namespace tune::report
