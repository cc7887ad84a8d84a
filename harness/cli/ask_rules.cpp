#include "cli/ask_rules.h"

#include "advice/rule/rule_settings.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/run_profiles.h"
#include "machine/probe/probe_record.h"
#include "machine/user_folders.h"
#include "measure/campaign/campaign_result.h"
#include "measure/campaign/proposal.h"
#include "measure/campaign/summarise.h"
#include "measure/campaign/telemetry_facts.h"
#include "measure/gate/calibration.h"
#include "measure/gate/fingerprint.h"
#include "scenario/scenario.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

namespace tune::cli {

namespace {

bool names(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

rule::Catalog all_rules(const std::string& folder) {
  std::vector<rule::RuleFile> files = rule::shipped_rules();
  if (!folder.empty()) {
    std::vector<rule::RuleFile> own = rule::rule_files_in(folder);
    files.insert(
        files.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  }
  return rule::read_catalog(files);
}

// As the `rules:` of a scenario want them; `file` is blamed for what is wrong with those.
void settle(const scenario::Scenario& scenario, const std::string& file, rule::Catalog& catalog) {
  apply_settings(scenario::read_rule_settings(scenario.text, file), file, catalog);
}

// --only and --skip.
void choose(const RuleOptions& options, rule::Catalog& catalog) {
  for (const std::string& id : options.only) {
    expect_rule("--only " + id, catalog, id);
  }
  for (const std::string& id : options.skip) {
    expect_rule("--skip " + id, catalog, id);
  }
  std::erase_if(catalog.rules, [&](const rule::Rule& rule) {
    return names(options.skip, rule.id) || (!options.only.empty() && !names(options.only, rule.id));
  });
}

}  // namespace

void add_rules_folder(CLI::App& command, RuleOptions& options) {
  command.add_option("--rules", options.folder, "Folder of your own rules (*.yaml)")
      ->type_name("DIR");
}

void add_rule_options(CLI::App& command, RuleOptions& options) {
  add_rules_folder(command, options);
  command
      .add_option("--scenario",
                  options.scenario,
                  "Scenario whose `rules:` switch rules off and override limits")
      ->type_name("FILE");
  // One id each, so that what follows is not taken for another one.
  command.add_option("--only", options.only, "Ask only this rule; may be repeated")
      ->type_name("ID")
      ->allow_extra_args(false)
      ->take_all();
  command.add_option("--skip", options.skip, "Do not ask this rule; may be repeated")
      ->type_name("ID")
      ->allow_extra_args(false)
      ->take_all();
}

rule::Catalog read_rules(const RuleOptions& options) {
  rule::Catalog catalog = all_rules(options.folder);
  if (!options.scenario.empty()) {
    settle(scenario::load_scenario(options.scenario), options.scenario, catalog);
  }
  choose(options, catalog);
  return catalog;
}

rule::Catalog read_rules(const RuleOptions& options, const scenario::Scenario& scenario) {
  if (!options.scenario.empty()) {
    return read_rules(options);
  }
  rule::Catalog catalog = all_rules(options.folder);
  settle(scenario, scenario.file.string(), catalog);
  choose(options, catalog);
  return catalog;
}

const rule::Rule& expect_rule(const std::string& where,
                              const rule::Catalog& catalog,
                              const std::string& id) {
  if (const rule::Rule* const rule = catalog.find(id)) {
    return *rule;
  }
  std::vector<std::string> ids;
  ids.reserve(catalog.rules.size());
  for (const rule::Rule& rule : catalog.rules) {
    ids.push_back(rule.id);
  }
  throw Error(Error::Parts{where,
                           "there is no rule " + scenario::quote(id),
                           "rules are listed by 'tune rules list'",
                           did_you_mean(id, ids)});
}

namespace {

// As a gate that began with this scenario would ask: its processes have the baseline's settings.
gate::CalibrationKey key_of(const campaign::CampaignResult& result) {
  const scenario::Scenario& scenario = result.scenario;
  trial::TrialSpec spec;
  spec.knobs = scenario.baseline;
  spec.measure = scenario.measure;
  spec.measure.find_warmup = scenario.warmup_is_auto;
  return gate::calibration_key(result.machine, scenario.sha256, spec);
}

campaign::KnownNoise noise_of(const gate::Calibration& calibration) {
  return {.utc = calibration.utc,
          .launches = calibration.launches,
          .pair_ratio = calibration.pair_sd,
          .detectable_ratio = calibration.mde,
          .verdicts = calibration.verdicts,
          .alarms = calibration.alarms,
          .most_alarms_ratio = calibration.false_alarm_bound};
}

// Adds what a stored calibration says of the run's scenario, with its settings, on its machine; or
// why there is none. One that is damaged is such a reason.
void add_known_noise(campaign::CampaignResult& result) {
  const auto folder = machine::data_folder();
  const gate::CalibrationKey key = key_of(result);
  try {
    if (const auto calibration = gate::load_calibration(folder, key)) {
      result.noise = noise_of(*calibration);
      return;
    }
    result.noise_reason = gate::has_other_calibration(folder, key)
                              ? "calibrated here with other settings only"
                              : "not calibrated on this machine";
  } catch (const Error& error) {
    result.noise_reason = error.what();
  }
}

}  // namespace

namespace fs = std::filesystem;

namespace {

fs::path kept_probe(const campaign::CampaignResult& result) {
  return result.directory / "probe.json";
}

std::optional<probe::ProbeRecord> stored_probe(const machine::MachineFacts& machine) {
  return probe::load_probe(machine::data_folder(), gate::probed_machine_id(machine));
}

}  // namespace

void keep_probe(const campaign::CampaignResult& result) {
  const fs::path kept = kept_probe(result);
  std::error_code failed;
  if (fs::exists(kept, failed)) {
    return;
  }
  try {
    if (const auto probe = stored_probe(result.machine)) {
      write_file_synced(kept, to_json(*probe));
    }
  } catch (const Error&) {  // probe_of() says what is wrong with it
  }
}

campaign::StoredProbe probe_of(const machine::MachineFacts& machine) {
  campaign::StoredProbe stored;
  try {
    stored.record = stored_probe(machine);
  } catch (const Error& error) {
    stored.reason = error.what();
  }
  return stored;
}

campaign::StoredProbe probe_of(const campaign::CampaignResult& result) {
  const fs::path kept = kept_probe(result);
  std::error_code failed;
  if (!fs::exists(kept, failed)) {
    return probe_of(result.machine);
  }
  campaign::StoredProbe stored;
  try {
    stored.record = probe::parse_probe(read_file(kept), kept.string());
  } catch (const Error& error) {
    stored.reason = error.what();
  }
  return stored;
}

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
