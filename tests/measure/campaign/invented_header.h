#pragma once

#include "base/sha256.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/settings.h"
#include "scenario/scenario.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tune::campaign {

/// What `tune run FILE` would write at the head of its ledger, on a machine of 64 CPUs.
inline LedgerHeader invented_header(const std::string& text,
                                    const std::filesystem::path& file,
                                    const std::vector<std::string>& overrides = {}) {
  LedgerHeader header;
  header.tune_version = "0.1.0";
  header.commit = "test";
  header.scenario_file = file.string();
  header.scenario_text = text;
  header.scenario_sha256 = sha256_hex(text);
  header.overrides = overrides;
  header.machine.cpus = 64;
  header.machine.logical_cpus = 64;
  header.machine.physical_cores = 64;
  scenario::Scenario scenario = scenario::read_scenario(text, header.scenario_file);
  for (const std::string& assignment : overrides) {
    apply_override(scenario, assignment);
  }
  header.seed = scenario.seed;
  header.data = scenario.data;
  header.plan_sha256 = plan_hash(scenario::make_plan(scenario, header.machine));
  header.command = {"tune", "run", "fake.yaml"};
  header.started_utc = "2026-11-21T12:00:00Z";
  return header;
}

}  // namespace tune::campaign
