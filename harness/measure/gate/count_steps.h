#pragma once

#include "measure/gate/gate_result.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tune::gate {

/// The length of the warm-up is a property of the workload: found once, the same for all processes
/// that are compared. What disturbs one process need not disturb the next, so that a gate looks at
/// several before it says no-steady-state.
constexpr std::int64_t kMostWarmupSearches = 3;

/// What the last process that looked for it found.
struct WarmupSearch {
  bool has_failed = false;                   ///< a process gave no reply; whoever ran it knows why
  std::optional<trial::SteadyRecord> found;  ///< recomputed from its step times, as far as kept
  std::string disagreement;                  ///< between these and what the process said, or ""

  bool is_steady() const { return found && found->steady && disagreement.empty(); }
};

/// Runs "warmup-1", "warmup-2", ... until one of them gets steady, `most` at most. `run` is given
/// the measure of a process that looks for the warm-up and measures as little as possible after it.
WarmupSearch search_warmup(const trial::Measure& measure,
                           std::int64_t most,
                           const std::function<std::optional<trial::TrialReply>(
                               const std::string& id, const trial::Measure& measure)>& run);

/// Why a search is not steady after so many processes: "no-steady-state: the speed of 3 processes
/// kept changing", or what the last of them and its step times disagree about.
std::string no_steady_state(const WarmupSearch& search, std::int64_t processes);

/// Makes a process warm up as the search found, at least as many steps as the scenario wants.
void warm_up_as_found(const WarmupSearch& search, trial::Measure& measure);

/// The same where none was found and only work is judged, which needs no steady speed: some steps.
void warm_up_for_work(trial::Measure& measure);

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
