#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"
#include "worker/parent.h"

#include <filesystem>
#include <functional>

namespace tune::script {

/// Keeps a finished reply.
using SaveReply = std::function<void(trial::TrialReply&)>;

/// Runs the script of the spec with the agent in it until its window is measured, and its steps are
/// recorded where the spec asks for it; then the script is ended. `agent`: the folder of the
/// agent's Python modules. The reply is saved when the window is measured, and again after
/// recording. What the script does is in the reply, also its failure. Throws tune::Error where the
/// agent's files cannot be written, or say what cannot be.
trial::TrialReply perform_script_trial(const trial::TrialSpec& spec,
                                       const std::filesystem::path& agent,
                                       worker::PhaseLines& phases,
                                       const SaveReply& save);

}  // namespace tune::script
