#include "cli/run_rules.h"

#include "base/error.h"
#include "campaign/propose.h"
#include "campaign/read_telemetry.h"
#include "campaign/summarise.h"
#include "cli/probe_facts.h"
#include "cli/rule_options.h"
#include "cli/run_profiles.h"
#include "rule/rule_settings.h"
#include "scenario/rule_setting.h"

#include <memory>

namespace tune::cli {

rule::Catalog rules_of(const scenario::Scenario& scenario, const std::string& folder) {
  RuleOptions options;
  options.folder = folder;
  rule::Catalog catalog = read_rules(options);
  const std::string file = scenario.file.string();
  rule::apply_settings(scenario::read_rule_settings(scenario.text, file), file, catalog);
  return catalog;
}

void ask_rules(campaign::CampaignResult& result, const std::string& folder) {
  result.earlier = advice::earlier_predictions(result.directory, result.started_utc);
  result.diagnosis = campaign::diagnose_run(
      result,
      std::make_shared<const rule::Catalog>(rules_of(result.scenario, folder)),
      probe_of(result));
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
