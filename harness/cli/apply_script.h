#pragma once

#include "base/error.h"
#include "cli/open_run.h"
#include "measure/campaign/campaign_result.h"
#include "trial/knob_catalog.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::cli {

/// How a change is measured before it is handed over.
struct ApplicationTest {
  RunRequest request;              ///< -q, colours, the command as typed
  std::vector<std::string> flags;  ///< of its campaign, "confirm_rounds=7"
  std::optional<std::int64_t> budget_ns;
};

/// A setting that a script of the user's is to be given.
struct ScriptApplication {
  const campaign::CampaignResult& run;
  trial::KnobSettings knobs;  ///< a whole setting, as a cell has it
  std::string id;             ///< "best", or that of a rule: for the next command
  bool writes = false;        ///< the difference into the script's files, not only to look at
  bool quiet = false;
  const ApplicationTest* test = nullptr;  ///< none: it is only made
  std::optional<stats::Number> injected;  ///< the gain that the run has measured
};

/// Prints what to do, in this order: options of the script's own, environment, difference of its
/// source, what is left to do by hand; with a test it measures it in that form (verify_applied.h);
/// writes the difference where it is asked to, and, of a test, where it is confirmed. Throws
/// tune::Error as change_of_script(), verify_applied() and write_change() do.
ExitCode apply_to_script(const ScriptApplication& application);

/// The setting of the best cell. Throws tune::Error where there is none, or where it has been
/// refuted; where it is not proven (yet), says so on standard error, and throws if it is to be
/// written as it is.
trial::KnobSettings best_setting(const campaign::CampaignResult& run,
                                 bool writes,
                                 bool although_refuted);

/// The gain of that cell in fresh pairs, else in the search; nothing where it has none.
std::optional<stats::Number> measured_gain(const campaign::CampaignResult& run,
                                           const trial::KnobSettings& knobs);

}  // namespace tune::cli
