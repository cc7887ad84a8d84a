#pragma once

#include "base/error.h"
#include "cli/output_wish.h"
#include "cli/terminal.h"
#include "measure/campaign/campaign_result.h"

#include <filesystem>
#include <functional>
#include <string>

namespace tune::cli {

/// How a run is shown at its end.
struct RunShown {
  std::string rules;  ///< --rules: folder of the user's own, or ""
  OutputWish outputs;
  bool as_json = false;
  bool is_verbose = false;
  ColorWish color = ColorWish::automatic;
  bool is_joined_now = false;  ///< its confirmation comes later, which is not a failure
  /// Called when the reports are written: whoever reads the answer may take as long as he likes.
  std::function<void()> before_answer = [] {};
};

/// Writes the reports of what the run directory says, with rules of the user's own from the folder
/// `rules` ("": none), and notes the run in the history. Throws tune::Error.
campaign::CampaignResult write_run_reports(const std::filesystem::path& directory,
                                           const std::string& rules);

/// The same, and prints the answer. Returns the exit code of the run; where a report cannot be
/// written ExitCode::partial, after saying so.
ExitCode present_saved(const std::filesystem::path& directory, const RunShown& shown);

}  // namespace tune::cli
