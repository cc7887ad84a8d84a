#pragma once

#include "measure/gate/calibration.h"
#include "measure/gate/gate_result.h"

#include <string>

namespace tune::report {

/// What a calibration found, one fact a line; for terminals and, as a block, for Markdown.
std::string calibration_text(const gate::Calibration& calibration);

/// result.json of kind "calibrate".
std::string to_calibration_result(const gate::GateResult& record,
                                  const gate::Calibration& calibration);

}  // namespace tune::report
