#pragma once

#include "campaign/campaign_result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tune::campaign {

/// What the finished trials of one stage say about one cell.
struct StageHistory {
  std::map<std::int64_t, double> rates;   ///< round -> samples per second, completed trials only
  std::map<std::int64_t, bool> finished;  ///< round -> completed
  std::int64_t lasting_failures = 0;  ///< refused, out of memory: the next trial would end the same
  std::int64_t other_failures = 0;    ///< crashed, timed out, garbled: may be a bad moment

  /// It is not run again: the reason will repeat, or it has had its second chance.
  bool given_up() const { return lasting_failures > 0 || other_failures > 1; }
};

struct CellHistory {
  StageHistory search, confirm;
  std::optional<std::int64_t> peak_memory_bytes;
  std::int64_t cost_ns = 0, trials = 0;  ///< wall time over all its trials, whatever their end

  StageHistory& stage(const std::string& name) { return name == "search" ? search : confirm; }
};

/// Takes one finished trial in.
void add(CellHistory& history, const TrialRecord& record);

/// ln(candidate ÷ baseline) of every round in which both completed, in the order of rounds.
std::vector<double> log_gains(const StageHistory& candidate, const StageHistory& baseline);

/// Indices of the cells with a gain that were not given up, best first: by the median gain of the
/// search; among those within 1 % of the best the one with the fewest changed knobs, then the least
/// memory, leads.
std::vector<std::size_t> ranking(const scenario::Plan& plan,
                                 const std::vector<CellHistory>& histories);

}  // namespace tune::campaign
