#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <filesystem>
#include <string>

namespace tune::worker {

/// The folder with the archives of script_archives: made once for all tests of a process, and
/// deleted with it.
const std::filesystem::path& archives();

/// small_spec() with the user's own model.
trial::TrialSpec with_own(trial::OwnModel::Kind kind, const std::filesystem::path& file);
trial::TrialSpec with_archive(const std::string& name);  ///< "net.pt" of those

/// Expects the trial to be refused with these words among others, in one short line.
void expect_refused_with(const trial::TrialSpec& spec, const std::string& words);

/// NaN when there is none.
double last_loss(const trial::TrialReply& reply);

}  // namespace tune::worker
