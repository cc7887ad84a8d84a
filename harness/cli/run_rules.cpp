#include "cli/run_rules.h"

#include "base/error.h"
#include "cli/rule_options.h"
#include "gate/fingerprint.h"
#include "machine/user_folders.h"
#include "probe/probe_record.h"
#include "rule/rule_settings.h"
#include "scenario/rule_setting.h"

#include <memory>

namespace tune::cli {

namespace {

// Of the machine that the run was measured on, which need not be this one. A store that cannot be
// read costs the comparison only.
campaign::StoredProbe stored_probe(const machine::MachineFacts& machine) {
  campaign::StoredProbe stored;
  try {
    stored.record = probe::load_probe(machine::data_folder(), gate::machine_id(machine));
  } catch (const Error& error) {
    stored.reason = error.what();
  }
  return stored;
}

}  // namespace

rule::Catalog rules_of(const scenario::Scenario& scenario, const std::string& folder) {
  RuleOptions options;
  options.folder = folder;
  rule::Catalog catalog = read_rules(options);
  const std::string file = scenario.file.string();
  rule::apply_settings(scenario::read_rule_settings(scenario.text, file), file, catalog);
  return catalog;
}

void ask_rules(campaign::CampaignResult& result, const std::string& folder) {
  result.diagnosis = campaign::diagnose_run(
      result,
      std::make_shared<const rule::Catalog>(rules_of(result.scenario, folder)),
      stored_probe(result.machine));
}

}  // namespace tune::cli
