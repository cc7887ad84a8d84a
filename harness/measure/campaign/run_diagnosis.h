#pragma once

#include "advice/diagnosis.h"
#include "advice/rule/catalog.h"
#include "measure/campaign/limit_use.h"

#include <memory>
#include <optional>
#include <string>

namespace tune::campaign {

struct CampaignResult;

/// What the rules say of a run's baseline, and what the run has measured of their proposals.
struct RunDiagnosis {
  std::shared_ptr<const rule::Catalog> catalog;  ///< that `diagnosis` refers to
  advice::Diagnosis diagnosis;
  std::string trial;               ///< of the baseline, whose numbers were looked at
  std::optional<LimitUse> limits;  ///< how near that trial came to the limits of its machine
};

/// Facts: the settings and the measured window of one trial of the baseline, the one whose steps
/// were recorded where there is one; its recorded steps; what cells that differ from the baseline
/// in one knob alone gained in the search (`thread_gain_ratio`, `batch_gain_ratio`); its ceilings;
/// how its rate compares with that of earlier runs (regression_facts.h);
/// what the machine can do at best, by its probe, which becomes `limits` as well. Each
/// recommendation whose change is a cell with fresh pairs, of the confirmation or of the ladder,
/// carries the measured gain with its verdict and where it comes from, and is ranked by it; so does
/// one that `tune verify` measured since, under the number that it had. The others say what the
/// search saw of them, or what would measure them. What was proposed when the rules were first
/// asked keeps the gain predicted then. Nothing when no trial of the baseline completed.
std::optional<RunDiagnosis> diagnose_run(const CampaignResult& result,
                                         std::shared_ptr<const rule::Catalog> catalog,
                                         const StoredProbe& probe);

}  // namespace tune::campaign
