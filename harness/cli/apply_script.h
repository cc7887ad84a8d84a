#pragma once

#include "base/error.h"
#include "measure/campaign/campaign_result.h"
#include "trial/knob_catalog.h"

#include <string>

namespace tune::cli {

/// A setting that a script of the user's is to be given.
struct ScriptApplication {
  const campaign::CampaignResult& run;
  trial::KnobSettings knobs;  ///< a whole setting, as a cell has it
  std::string id;             ///< "best", or that of a rule: for the next command
  bool writes = false;        ///< the difference into the script's files, not only to look at
  bool quiet = false;
};

/// Prints what to do, in this order: options of the script's own, environment, difference of its
/// source, what is left to do by hand; writes the difference where it is asked to. Throws
/// tune::Error as change_of_script() and write_change() do.
ExitCode apply_to_script(const ScriptApplication& application);

/// The setting of the best cell. Throws tune::Error where there is none, or where it has been
/// refuted; where it is not proven (yet), says so on standard error, and throws if it is to be
/// written.
trial::KnobSettings best_setting(const campaign::CampaignResult& run,
                                 bool writes,
                                 bool although_refuted);

}  // namespace tune::cli
