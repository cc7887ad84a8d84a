#pragma once

#include "measure/gate/gate_result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace tune::gate {

/// The directory of a gate, read: what was compared and how, and every process that ended. Or that
/// of a run, whose baseline may be the candidate against a stored one.
struct RecordedGate {
  /// Scenario, machine, data, sides, seed, provenance; of a gate policy and looks as well. Nothing
  /// of it is judged.
  GateResult plan;
  bool is_run = false;
  std::map<std::string, campaign::TrialRecord> processes;  ///< by the id that a gate asks for
};

/// A line of the ledger that cannot be read is left out, and a warning of the plan. Throws
/// tune::Error when the directory is neither of the two, and Incomparable when it holds nothing
/// that can be judged: damaged files, another version's, a gate that compared no processes.
RecordedGate read_recorded_gate(const std::filesystem::path& directory);

/// A process of the pair is missing though later pairs exist: a line of the ledger was left out.
bool lacks_pair(const RecordedGate& recorded, std::int64_t pair, bool has_two_sides);

}  // namespace tune::gate
