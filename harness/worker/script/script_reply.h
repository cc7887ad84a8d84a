#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"
#include "worker/script/script_facts.h"
#include "worker/script/step.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::script {

/// Marks of the measured window in the notes.
constexpr std::int64_t kWindowBegins = 1, kWindowEnds = 2;

/// All that a trial of a script has shown.
struct ScriptEvidence {
  std::vector<const GroupedNotes*> ranks;        ///< by number; none: no process has trained
  std::optional<ScriptFacts> facts;              ///< of rank 0
  std::vector<trial::Disturbance> disturbances;  ///< of the first slices
  std::vector<std::string> notes;                ///< a sentence each, for the reader of the reply
  bool has_ended = false;                        ///< by itself
  bool ends_at_line = false;                     ///< the window, before all of its slices
  bool has_begun = true;                         ///< some Python has loaded the agent
};

/// The slices of the measured window so far. Where it `has_ended` before the first one was
/// complete, all of its steps are one.
std::vector<trial::Slice> window_slices(const GroupedNotes& notes,
                                        const trial::Measure& measure,
                                        bool has_ended = false);

/// What was measured. A rank must have trained, and there must be a slice.
trial::TrialReply measured_reply(const trial::TrialSpec& spec, const ScriptEvidence& evidence);

/// What was seen of the script, also where nothing was measured.
trial::SeenScript seen_script(const ScriptEvidence& evidence);

/// Why there is nothing to measure. `how_it_ended`: "exit code 1", or "" where it ended well.
trial::Failure script_failure(const ScriptEvidence& evidence, const std::string& how_it_ended);

/// The same where all of its Pythons run as this user, who is not ours.
trial::Failure other_user_failure(std::int64_t user);

/// The same where the line that ends the window came before it.
trial::Failure line_failure(const ScriptEvidence& evidence);

/// The lengths of the steps that torch.profiler kept, the last `active` of those that it saw.
std::vector<std::int64_t> recorded_steps_ns(const GroupedNotes& notes, std::int64_t active);

}  // namespace tune::script
