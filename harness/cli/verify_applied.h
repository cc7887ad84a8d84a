#pragma once

#include "base/error.h"
#include "cli/open_run.h"
#include "cli/script_change.h"
#include "measure/campaign/campaign_result.h"
#include "trial/knob_catalog.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::cli {

/// A change of a script that is to be measured in the form in which the script is given it.
struct AppliedChange {
  const RunRequest& request;  ///< -q, colours, the command as typed
  const campaign::CampaignResult& run;
  const ScriptChange& change;
  trial::KnobSettings knobs;              ///< a whole setting, as a cell has it
  std::string id;                         ///< "best", or that of a rule
  std::optional<stats::Number> injected;  ///< the gain that the run has measured
  bool is_as_applied = false;             ///< and measured in the form that is applied
  std::vector<std::string> flags;         ///< "confirm_rounds=7"
  std::optional<std::int64_t> budget_ns;
};

/// Measures the script with the change, and nothing injected, in turn with the unchanged script,
/// in fresh pairs as a confirmation does, in a campaign of its own below the run's directory. Files
/// that the change has are seen by its trials alone. Says whether it gives the gain that injection
/// gave; continues what is open, and measures nothing twice.
///
/// 0 where it does, 1 where it does not, 3 where the pairs do not tell, 6 where some are missing,
/// or the code of an interruption. Throws tune::Error where nothing of the change can be given, and
/// as measure_campaign() does.
ExitCode verify_applied(const AppliedChange& applied);

}  // namespace tune::cli
