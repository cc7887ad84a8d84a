#pragma once

#include "base/error.h"
#include "cli/chosen_recommendation.h"

#include <string>

namespace tune::cli {

/// What `tune verify` was asked of a recommendation, and what its run directory says of it now.
struct VerifyAnswer {
  const ChosenRecommendation& chosen;
  bool has_time = true;  ///< false: what was left of the budget would not do for its first look
};

/// What was measured and the verdict; last what to type now.
std::string verify_text(const VerifyAnswer& answer);

/// The recommendation as result.json has it, as one JSON document without its last line end.
std::string verify_json(const VerifyAnswer& answer);

/// The exit code of the verdict: 0, 1 or 3; 6 where trials are missing that may change it.
ExitCode verify_code(const VerifyAnswer& answer);

/// "tune verify synchronous-loader tune-runs/x", as one can type it here.
std::string command_with_rule(const std::string& command,
                              const std::string& rule,
                              const std::filesystem::path& run);

}  // namespace tune::cli
