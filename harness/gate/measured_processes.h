#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tune::gate {

/// A process that completed, as its folder has it.
struct MeasuredProcess {
  trial::TrialSpec spec;
  trial::TrialReply reply;
};

/// Those of one cell in the directory of a run or of a gate that were measured to be compared: not
/// what looked for the warm-up, counted, timed an epoch or was slowed down on purpose. In the order
/// of their names. Throws tune::Error for what cannot be read.
std::vector<MeasuredProcess> measured_processes(const std::filesystem::path& directory,
                                                const std::string& cell);

}  // namespace tune::gate
