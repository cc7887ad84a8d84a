#pragma once

#include "measure/gate/gate_result.h"

#include <string>

namespace tune::report {

/// The product of a gate as JSON text: kind "gate" of schema "tune-result/1".
std::string to_gate_json(const gate::GateResult& result);

/// Its member `gate` alone, with the run's directory: what `tune gate --json` prints.
std::string gate_summary_json(const gate::GateResult& result);

}  // namespace tune::report
