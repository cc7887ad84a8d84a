#pragma once

#include "base/error.h"
#include "cli/open_run.h"
#include "measure/campaign/campaign_result.h"
#include "trial/knob_catalog.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tune::cli {

/// What `tune run --verify all|top:N` does once its campaign has ended: measures those of the first
/// recommendations that are settings and have no verdict, each as `tune verify` does, in what is
/// left of the budget. Nothing for a run that did not ask for it.
///
/// 6 where the budget, or with --fail-fast a failure, ended before the last verdict, or the code of
/// an interruption; a verdict, whichever, is 0, and so is a setting that cannot run. The machine's
/// lock is the caller's. Throws tune::Error when the run cannot be read, or what
/// measure_verification() throws.
ExitCode verify_recommendations(const RunRequest& request, const std::filesystem::path& directory);

/// Whether a recommendation that the run was asked to verify could be measured, and was not, or not
/// to its end: one that ended without a verdict is none that is missing.
/// Throws tune::Error when the run cannot be read.
bool lacks_verifications(const RunRequest& request, const std::filesystem::path& directory);

/// A recommendation that is to be measured by itself, and where.
struct VerificationPlan {
  std::string rule;
  trial::KnobSettings change;
  std::filesystem::path directory;
  bool goes_on = false;      ///< it has begun before
  std::int64_t used_ns = 0;  ///< by its earlier sittings
};

/// Continues what is open, else begins again. Every value of the change is known.
VerificationPlan plan_verification(const campaign::CampaignResult& run,
                                   const advice::Recommendation& recommendation);

/// Throws tune::Error, naming `where`, when the change cannot be measured here: it makes no
/// difference, or `forbid` names it. Nothing for one that continues.
void check_plan(const campaign::CampaignResult& run,
                const VerificationPlan& plan,
                const std::string& where);

/// How long the first look at one that begins again takes, going by the trials of the run's
/// baseline; 0 where none completed. `flags` as of VerificationSitting.
std::int64_t first_look_ns(const campaign::CampaignResult& run,
                           const std::vector<std::string>& flags);

struct VerificationSitting {
  const RunRequest& request;  ///< -q, colours, the command as typed
  const campaign::CampaignResult& run;
  const VerificationPlan& plan;
  std::vector<std::string> flags;         ///< "seed=3", "confirm_rounds=7", "until=1%"
  std::optional<std::int64_t> budget_ns;  ///< of this one, its earlier sittings included
  std::string go_on;                      ///< the command that continues it
  std::function<ExitCode()> present;      ///< of what the directories then say
  std::function<trial::TrialSpec(const trial::TrialSpec&)> form =
      nullptr;  ///< of CampaignToMeasure
};

/// Measures the baseline with and without the change in pairs of fresh processes, in a campaign of
/// its own. The machine's lock is the caller's. Throws tune::Error as measure_campaign() does, and
/// where the machine, the model or the data are not those of the run.
ExitCode measure_verification(const VerificationSitting& sitting);

}  // namespace tune::cli
