#pragma once

#include "report/gate_record.h"

#include <string>

namespace tune::report {

/// What `tune gate` printed at its end, of its result.json alone: the sides, the table, warnings,
/// the calibration, `report` (where to read on, "" for none) and last of all the verdict.
std::string gate_record_text(const GateRecord& record, const std::string& report);

}  // namespace tune::report
