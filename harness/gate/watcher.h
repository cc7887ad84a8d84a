#pragma once

#include "gate/gate_result.h"

#include <cstdint>
#include <string>

namespace tune::gate {

/// Where a running gate stands, for whoever shows it.
struct Standpoint {
  std::string side;               ///< "baseline", "candidate"
  std::int64_t pair = 0;          ///< from 1; 0: the search for the warm-up, or a counted step
  std::int64_t next_look = 0;     ///< pairs at the look that comes next
  std::int64_t last_look = 0;     ///< pairs at most
  std::int64_t attempt = 1;       ///< of the same process: 2 and 3 after disturbed ones
  std::int64_t remaining_ns = 0;  ///< to the next look, from measured costs
};

/// Shows a gate to somebody; what it does must not take time while a process measures.
class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void process_begins(const Standpoint& standpoint) = 0;
  /// `summary` is null when the process failed.
  virtual void process_ended(const Standpoint& standpoint,
                             const campaign::TrialRecord& record,
                             const ProcessSummary* summary) = 0;
  virtual void looked(const LookRecord& look) = 0;
};

}  // namespace tune::gate
