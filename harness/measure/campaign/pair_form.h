#pragma once

#include "scenario/plan.h"
#include "trial/knob_catalog.h"
#include "trial/script.h"
#include "trial/trial_spec.h"

#include <optional>
#include <string>
#include <vector>

namespace tune {
class Fields;
}

namespace tune::campaign {

struct TrialRecord;

/// How a script is given a cell's setting in fresh pairs.
struct PairForm {
  std::string cell;
  /// As it is handed over, with nothing injected; nothing: injected, as in the search. `copies` is
  /// a path from the run directory on.
  std::optional<trial::AppliedForm> applied;
  std::string why;  ///< it is injected, or ""
};

void fields_of(Fields& fields, PairForm& form);

/// What the worker is given so that the script of the spec runs with this change and nothing is
/// injected: `baseline` are the settings of the cell that it is compared with.
trial::TrialSpec in_applied_form(const trial::TrialSpec& spec,
                                 const trial::KnobSettings& baseline,
                                 const trial::AppliedForm& form);

/// "num_workers was 0, not 2": settings that the script had otherwise, as the trial saw it. A name
/// proves nothing: what was in effect does.
std::vector<std::string> without_effect(const TrialRecord& trial,
                                        const trial::KnobSettings& changed);

/// Why the first run of a cell in the form that is applied says that the pairs cannot use it; "":
/// they can.
std::string complaint_about_form(const TrialRecord& trial, const scenario::Cell& cell);

}  // namespace tune::campaign
