#pragma once

#include "measure/gate/gate_result.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune::gate {

/// What is known when a look is judged.
struct LookInput {
  const Policy& policy;
  const stats::LookSchedule& looks;
  std::size_t index = 0;
  const std::vector<Pair>& pairs;  ///< all so far, in the order of measurement
  /// Rows of earlier looks, in the order of the policy; empty at the first. What was decided stays.
  const std::vector<Row>& earlier;
  double confounded_log = 0;  ///< what a stored baseline may be off by, on the log scale
  /// Those that other work disturbed all the time: work and memory are judged of them as well.
  const std::vector<Pair>* lost = nullptr;
};

/// The rows at one look: decided ones as they were, open ones judged together (Holm). A row that is
/// open after the last look is inconclusive for good.
std::vector<Row> judge_look(const LookInput& input);

/// Whether the machine differed between the sides; nothing without sentinels.
std::optional<stats::EnvironmentShift> sentinel_shift(const std::vector<Pair>& pairs, double level);

/// What running second costs, from the first gated row that has a time.
std::optional<stats::PositionEffect> running_second(const Policy& policy,
                                                    const std::vector<Pair>& pairs);

/// p for "both sides lost slices alike".
double taint_imbalance(const std::vector<Pair>& pairs);

/// Takes back what the controls do not let stand, and says why: environment shift, unequal taint,
/// a side most of whose processes were not steady; names the position effect where a row stayed
/// open. Fills in the result's controls.
void apply_controls(GateResult& result);

/// The worst verdict of the gated rows, measured and counted, whatever else became of the gate.
stats::GateVerdict verdict_of_rows(const GateResult& result);

/// The verdict of the whole gate, from its rows and from how it ended: a row that REGRESSED
/// decides, also where the gate ended before the others were judged.
void conclude(GateResult& result);

}  // namespace tune::gate
