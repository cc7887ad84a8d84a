#include "cli/run_rules.h"

#include "cli/probe_facts.h"
#include "cli/rule_options.h"
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
  add_probe(result);
  result.earlier = advice::earlier_predictions(result.directory, result.started_utc);
  result.diagnosis = campaign::diagnose_run(
      result, std::make_shared<const rule::Catalog>(rules_of(result.scenario, folder)));
}

}  // namespace tune::cli
