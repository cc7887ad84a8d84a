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

/// The rows, the worst first: by verdict, measured before counted ones, then by how much worse they
/// are. What is not gated comes last.
struct GateTable {
  std::vector<std::string> heading;
  std::vector<std::vector<std::string>> rows;
};
GateTable gate_table(const gate::GateResult& result);
/// The same of measured rows alone.
GateTable gate_table(const std::vector<gate::Row>& rows);

/// "throughput -18.4 % [-19.0, -17.7] % in 10 pairs, budget 5.0 %", and why it is undecided; of the
/// worst of these rows. "" where the verdict is not that of a measured row.
std::string deciding_row_text(const std::vector<gate::Row>& rows,
                              gate::End end,
                              stats::GateVerdict verdict);

/// "; the gate ended early: <why>" behind what decided nevertheless, or "".
std::string early_end_text(gate::End end,
                           stats::GateVerdict verdict,
                           const std::string& end_reason);

/// What somebody may do about rows that improved, so that they stay so; never a demand.
std::vector<std::string> gate_offers(const gate::GateResult& result);

/// A value of a metric with its unit.
std::string metric_text(double value, const std::string& unit);

/// Names of counts that changed, for "likely cause"; "" when none did.
std::string changed_counts(const gate::GateResult& result);

}  // namespace tune::report
