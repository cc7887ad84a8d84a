#pragma once

#include "report/markup.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::report {

/// The steps of one trial in the order run, from its first.
struct StepSequence {
  std::string label;  ///< "baseline, trial confirm6-baseline"
  std::vector<std::int64_t> step_ns;
  std::size_t warmup_steps = 0;  ///< of these, at the begin: they do not count
};

constexpr std::size_t kMostSequenceColumns = 240;

/// Run sequence: of each trial the time of every step, with the cut behind the warm-up. Where there
/// are more steps than kMostSequenceColumns, each column holds several that follow each other, from
/// the shortest to the longest. Scales end at three times the median of the steps that count;
/// longer ones reach the edge and carry a triangle. Trials without two steps are left out; nothing
/// when none is left.
std::optional<Markup> step_sequences(const std::vector<StepSequence>& sequences);

}  // namespace tune::report
