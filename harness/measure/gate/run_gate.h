#pragma once

#include "measure/gate/gate_result.h"
#include "measure/gate/run_process.h"

#include <functional>
#include <string>
#include <vector>

namespace tune::gate {

/// A baseline that was measured before.
struct StoredSide {
  std::vector<ProcessSummary> processes;  ///< recordings in turn
  std::vector<std::optional<trial::Structure>> structures;
  double confounded_log = 0;  ///< how far its recordings lie apart
  /// Why a worker does not compare with it, once one has told what it is; "" when it does.
  std::function<std::string(const trial::WorkerFacts&)> incomparable;
};

/// Measures and judges. `result` comes with what is compared (sides, policy, looks, seed) and goes
/// with what was found; each process and each look is in the ledger before the next begins.
///
/// Pairs of fresh processes in blocks AB BA or BA AB by the seed's coin. A process that lost more
/// than 2 of 5 slices to other work is measured again, at most twice. Nothing is decided between
/// looks. With `stored` only the candidate runs, next to what was stored.
void run_gate(GateResult& result, const GateLoop& loop, const StoredSide* stored = nullptr);

}  // namespace tune::gate
