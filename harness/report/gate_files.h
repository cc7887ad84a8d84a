#pragma once

#include "gate/gate_result.h"

#include <filesystem>
#include <vector>

namespace tune::report {

/// Writes result.json, report.html, report.md and junit.xml into the gate's directory, each in one
/// step, and says where. Throws tune::Error when one cannot be written.
std::vector<std::filesystem::path> write_gate_reports(const gate::GateResult& result);

}  // namespace tune::report
