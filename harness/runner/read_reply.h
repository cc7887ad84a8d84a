#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <optional>
#include <string>

namespace tune::runner {

/// The reply in a trial's folder, or why there is none that can be believed.
struct ReadReply {
  std::optional<trial::TrialReply> reply;
  bool is_missing = false;  ///< there is no file at all
  std::string problem;      ///< "slices[0].steps is missing"; printable, the file is not named
};

/// Reads <folder>/reply.json: a plain file of bounded size that answers this very trial. The only
/// reader of replies, right after a trial and years later. Throws MachineError when it is there, or
/// may be, and cannot be read now: that says nothing about the trial.
ReadReply read_reply(const trial::TrialSpec& spec);

}  // namespace tune::runner
