#include "cli/run_rules.h"

#include "base/error.h"
#include "campaign/propose.h"
#include "campaign/read_telemetry.h"
#include "campaign/summarise.h"
#include "cli/noise_of_run.h"
#include "cli/probe_facts.h"
#include "cli/run_profiles.h"

#include <memory>

namespace tune::cli {

rule::Catalog rules_of(const scenario::Scenario& scenario, const std::string& folder) {
  return read_rules({.folder = folder}, scenario);
}

void ask_rules(campaign::CampaignResult& result, const RuleOptions& options) {
  result.earlier = advice::earlier_predictions(result.directory, result.started_utc);
  add_known_noise(result);
  result.diagnosis = campaign::diagnose_run(
      result,
      std::make_shared<const rule::Catalog>(read_rules(options, result.scenario)),
      probe_of(result));
}

void ask_rules(campaign::CampaignResult& result, const std::string& folder) {
  ask_rules(result, RuleOptions{.folder = folder});
}

campaign::Proposals propose(const campaign::RecordedRun& run, const std::string& folder) {
  try {
    campaign::CampaignResult result = campaign::summarise(run);
    result.telemetry = campaign::read_telemetry(result);
    read_profiles(result);
    ask_rules(result, folder);
    return campaign::proposals_of(result);
  } catch (const Error& error) {
    return {.reason = error.what()};
  }
}

}  // namespace tune::cli
