#pragma once

#include "trial/trial_reply.h"

#include <optional>
#include <string>

namespace tune::campaign {

/// What a process said of its steady state (Measure::find_warmup), and what its step times say. The
/// worker and we use the same pure functions (stats::find_steady_state), so that both agree unless
/// one of the two is wrong.
struct WarmupCheck {
  trial::SteadyRecord record;     ///< recomputed; where that is not possible, the worker's word
  bool is_weak = false;           ///< too few steps for their noise; false where not recomputed
  bool is_recomputed = false;     ///< false: the reply keeps fewer steps than were looked at
  std::string disagreement = {};  ///< "the worker says steady after ...", or ""

  /// Steady, and nobody says otherwise.
  bool is_steady() const { return record.steady && disagreement.empty(); }
};

/// Nothing where the process did not look for a steady state. A reply keeps at most 100,000 steps:
/// of a longer look the worker's word stands.
std::optional<WarmupCheck> check_warmup(const trial::TrialReply& reply);

}  // namespace tune::campaign
