#pragma once

#include "gate/gate_result.h"

#include <optional>
#include <vector>

namespace tune::gate {

/// How a process is measured that only counts: nothing is timed, one short slice after a few steps.
trial::Measure counting_measure(trial::Measure measure);

/// Compares what one step of each side does, exactly: fills in the counted rows of the result. More
/// than the budget (0 unless one is given) is a regression, less an improvement. A count that
/// differs between processes of one side is judged by its range. Without structures there are no
/// rows, and a gated count that is missing ends the gate.
void compare_counts(GateResult& result,
                    const std::vector<std::optional<trial::Structure>>& baseline,
                    const std::vector<std::optional<trial::Structure>>& candidate);

}  // namespace tune::gate
