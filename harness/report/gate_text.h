#pragma once

#include "gate/gate_result.h"

#include <string>
#include <vector>

namespace tune::report {

// The sentences of a gate, shared by terminal and Markdown.

/// "REGRESSED: throughput -18.4 % [-19.0, -17.7] %, budget 5.0 %": one line.
std::string gate_headline(const gate::GateResult& result);

/// What weakens the answer: disturbed slices, a missing calibration, equal sides, an old baseline.
std::vector<std::string> gate_warnings(const gate::GateResult& result);

/// The table, one row a gated metric first, counted ones below.
struct GateTable {
  std::vector<std::string> heading;
  std::vector<std::vector<std::string>> rows;
};
GateTable gate_table(const gate::GateResult& result);

/// A value of a metric with its unit.
std::string metric_text(double value, const std::string& unit);

/// Names of counts that changed, for "likely cause"; "" when none did.
std::string changed_counts(const gate::GateResult& result);

}  // namespace tune::report
