#include "campaign/recorded_run.h"

#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "campaign/ledger.h"
#include "campaign/overrides.h"
#include "scenario/read_scenario.h"

#include <algorithm>
#include <unordered_map>

namespace tune::campaign {

namespace {

// Names become folders: nothing in a ledger may point outside of the run directory.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name.size() < 100 &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
}

TrialRecord read_record(const RecordedRun& run,
                        const LoggedTrial& logged,
                        const scenario::Cell& cell) {
  TrialRecord record;
  record.spec = make_spec(run.scenario, cell, logged.id, run.directory);
  record.spec.timeout_ns = logged.timeout_ns;
  record.stage = logged.stage;
  record.round = logged.round;
  record.position = logged.position;
  record.outcome = logged.outcome;
  if (logged.outcome.kind == runner::OutcomeKind::completed) {
    const auto file = std::filesystem::path(record.spec.folder) / "reply.json";
    record.outcome.reply = trial::parse_trial_reply(read_file(file), file.string());
  }
  return record;
}

scenario::Scenario recorded_scenario(const LedgerHeader& header) {
  scenario::Scenario scenario = scenario::read_scenario(header.scenario_text, header.scenario_file);
  for (const std::string& assignment : header.overrides) {
    apply_override(scenario, assignment);
  }
  scenario.data = header.data;
  scenario.seed = header.seed;  // it may have been drawn
  return scenario;
}

}  // namespace

trial::TrialSpec make_spec(const scenario::Scenario& scenario,
                           const scenario::Cell& cell,
                           const std::string& id,
                           const std::filesystem::path& run_directory) {
  trial::TrialSpec spec;
  spec.id = id;
  spec.cell = cell.id;
  spec.workload = scenario.workload;
  spec.data = scenario.data;
  spec.knobs = cell.knobs;
  spec.measure = scenario.measure;
  spec.timeout_ns = scenario.trial_timeout_ns;
  spec.folder = (run_directory / "trials" / id).string();
  return spec;
}

std::string plan_hash(const scenario::Plan& plan) {
  std::string text;
  for (const scenario::Cell& cell : plan.cells) {
    text += cell.id + " " + trial::to_text(cell.knobs) + "\n";
  }
  return sha256_hex(text);
}

RecordedRun read_recorded_run(const std::filesystem::path& directory) {
  RecordedRun run;
  run.directory = std::filesystem::absolute(directory).lexically_normal();
  run.ledger = read_ledger(run.directory);
  const LedgerHeader& header = run.ledger.header;
  const std::string where = ledger_file(directory).string();
  if (header.protocol != trial::kProtocol) {
    throw Error({where,
                 "was written with trial protocol " + std::to_string(header.protocol),
                 "this version of tune speaks " + std::to_string(trial::kProtocol) +
                     ", its numbers would not compare",
                 "use tune " + header.tune_version + ", or start a new run without --resume"});
  }
  run.scenario = recorded_scenario(header);
  run.plan = scenario::make_plan(run.scenario, header.machine);
  if (plan_hash(run.plan) != header.plan_sha256) {
    throw Error({where,
                 "does not fit its scenario",
                 "this version of tune makes other cells of it than tune " + header.tune_version,
                 "use that version, or start a new run"});
  }
  std::unordered_map<std::string, const scenario::Cell*> cells;
  for (const scenario::Cell& cell : run.plan.cells) {
    cells.emplace(cell.id, &cell);
  }
  for (const LoggedTrial& logged : run.ledger.trials) {
    const auto cell = cells.find(logged.cell);
    if (cell == cells.end() || !is_plain_name(logged.id)) {
      throw Error({where, "trial '" + logged.id + "' is of no cell of the plan", "", ""});
    }
    run.trials.push_back(read_record(run, logged, *cell->second));
  }
  return run;
}

}  // namespace tune::campaign
