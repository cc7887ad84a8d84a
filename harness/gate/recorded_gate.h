#pragma once

#include "gate/gate_result.h"

#include <filesystem>
#include <map>
#include <string>

namespace tune::gate {

/// The directory of a gate, read: what was compared and how, and every process that ended. Or that
/// of a run, whose baseline may be the candidate beside a stored one.
struct RecordedGate {
  /// Scenario, machine, data, sides, seed, provenance; of a gate policy and looks as well. Nothing
  /// of it is judged.
  GateResult plan;
  bool is_run = false;
  std::map<std::string, campaign::TrialRecord> processes;  ///< by the id that a gate asks for
};

/// Throws tune::Error when the directory is neither of the two, and Incomparable when it holds
/// nothing that can be judged: damage, another version's files, a gate that compared no processes.
RecordedGate read_recorded_gate(const std::filesystem::path& directory);

}  // namespace tune::gate
