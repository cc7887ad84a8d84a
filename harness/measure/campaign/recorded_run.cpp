#include "measure/campaign/recorded_run.h"

#include "base/error.h"
#include "base/sha256.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/proposal.h"
#include "measure/campaign/settings.h"
#include "measure/campaign/summarise.h"
#include "measure/campaign/telemetry_facts.h"
#include "measure/campaign/verification.h"
#include "measure/history/series.h"
#include "measure/runner/output_log.h"
#include "measure/runner/trial_outcome.h"
#include "scenario/machine.h"
#include "scenario/scenario.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace tune::campaign {

namespace {

TrialRecord make_record(const RecordedRun& run,
                        const LoggedTrial& logged,
                        const scenario::Cell& cell) {
  TrialRecord record;
  record.spec = make_spec(run.scenario, cell, logged.id, run.directory);
  record.spec.timeout_ns = logged.timeout_ns;
  record.stage = logged.stage;
  record.round = logged.round;
  record.position = logged.position;
  record.attempt = logged.attempt;
  record.sitting = logged.sitting;
  record.shard = run.ledger.sittings[logged.sitting].shard;
  record.outcome = logged.outcome;
  return record;
}

// Fetches the reply of a completed trial. Returns what happened to it, "" when it is well.
std::string damage_of(TrialRecord& record) {
  if (record.outcome.kind != runner::OutcomeKind::completed) {
    return "";
  }
  runner::ReadReply read = runner::read_reply(record.spec);
  if (read.is_missing) {
    return "missing";
  }
  if (read.reply && read.reply->failure) {
    return "damaged (it reports a failure, the ledger success)";
  }
  if (!read.reply) {
    return "damaged (" + read.problem + ")";
  }
  record.outcome.reply = std::move(read.reply);
  return "";
}

using CellsById = std::unordered_map<std::string, const scenario::Cell*>;

// Names become folders, too: nothing in a ledger may point outside of the run directory.
void leave_out_strangers(LedgerContents& ledger, const CellsById& cells) {
  std::erase_if(ledger.trials, [&](const LoggedTrial& logged) {
    const bool has_place =
        cells.contains(logged.cell) &&
        logged.id == trial_id(logged.stage, logged.round, logged.cell, logged.attempt);
    if (!has_place) {
      ledger.left_out.push_back(
          {logged.line,
           "trial '" + runner::printable(logged.id) +
               "' has no place in the plan: its cell, round or stage is another"});
    }
    return !has_place;
  });
}

scenario::Scenario recorded_scenario(const LedgerHeader& header, const std::string& where) {
  try {
    scenario::Scenario scenario =
        scenario::read_scenario(header.scenario_text, header.scenario_file);
    for (const std::string& assignment : header.overrides) {
      apply_override(scenario, assignment);
    }
    scenario.data = header.data;
    scenario.workload.own.sha256 = header.model_sha256;
    scenario.seed = header.seed;  // it may have been drawn
    scenario.joined_shards = static_cast<std::int64_t>(header.shards.size());
    scenario::settle_device(scenario, header.machine.device);
    return scenario;
  } catch (const Error& error) {
    throw Error({where,
                 "the scenario in it cannot be read by this version of tune",
                 as_reason(error),
                 "use tune " + runner::printable(header.tune_version)});
  }
}

}  // namespace

std::string trial_id(const std::string& stage,
                     std::int64_t round,
                     const std::string& cell,
                     std::int64_t attempt) {
  return (stage == "search" ? "r" : stage) + std::to_string(round) + "-" + cell +
         (attempt > 1 ? "." + std::to_string(attempt) : "");
}

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

std::string plan_hash(const scenario::Plan& plan, const std::vector<std::string>& knobs) {
  std::string text;
  for (const scenario::Cell& cell : plan.cells) {
    trial::KnobSettings settings = cell.knobs;
    std::erase_if(settings, [&](const auto& setting) {
      return !knobs.empty() && std::find(knobs.begin(), knobs.end(), setting.first) == knobs.end();
    });
    text += cell.id + " " + trial::to_text(settings) + "\n";
  }
  return sha256_hex(text);
}

RecordedRun read_recorded_run(const std::filesystem::path& directory) {
  RecordedRun run;
  run.directory = std::filesystem::absolute(directory).lexically_normal();
  run.ledger = read_ledger(run.directory);
  const LedgerHeader& header = run.ledger.header;
  const std::string where = ledger_file(directory).string();
  const std::string writer = runner::printable(header.tune_version);
  if (header.protocol != trial::kProtocol) {
    throw Error({where,
                 "was written with trial protocol " + std::to_string(header.protocol),
                 "this version of tune speaks " + std::to_string(trial::kProtocol) +
                     ", its numbers would not compare",
                 "use tune " + writer + ", or start a new run without --resume"});
  }
  run.scenario = recorded_scenario(header, where);
  run.plan = scenario::make_plan(run.scenario, header.machine);
  if (plan_hash(run.plan, header.knobs) != header.plan_sha256) {
    throw Error({where,
                 "does not fit its scenario",
                 "this version of tune makes other cells of it than tune " + writer,
                 "use that version, or start a new run"});
  }
  add_proposed_cells(run);
  CellsById cells;
  for (const scenario::Cell& cell : run.plan.cells) {
    cells.emplace(cell.id, &cell);
  }
  leave_out_strangers(run.ledger, cells);
  for (const LoggedTrial& logged : run.ledger.trials) {
    TrialRecord record = make_record(run, logged, *cells.at(logged.cell));
    std::string damage = damage_of(record);
    if (damage.empty()) {
      run.trials.push_back(std::move(record));
    } else {
      run.damaged.push_back({logged.id, std::move(damage)});
    }
  }
  return run;
}

void forget_damaged(RecordedRun& run, Ledger& ledger) {
  for (ForgottenTrial& trial : run.damaged) {
    ledger.forget(trial);
    std::erase_if(run.ledger.trials,
                  [&](const LoggedTrial& logged) { return logged.id == trial.id; });
    run.ledger.forgotten.push_back(std::move(trial));
  }
  run.damaged.clear();
}

RecordedRun::RecordedRun() = default;
RecordedRun::RecordedRun(const RecordedRun&) = default;
RecordedRun::RecordedRun(RecordedRun&&) noexcept = default;
RecordedRun& RecordedRun::operator=(const RecordedRun&) = default;
RecordedRun& RecordedRun::operator=(RecordedRun&&) noexcept = default;
RecordedRun::~RecordedRun() = default;

CampaignResult load_campaign(const std::filesystem::path& directory) {
  CampaignResult result = summarise(read_recorded_run(directory));
  result.telemetry = read_telemetry(result);
  result.verifications = read_verifications(result.directory, result.warnings);
  std::string problem;
  result.history = history::load_kept_series(result.directory, problem);
  if (!problem.empty()) {
    result.warnings.push_back(problem);
  }
  return result;
}

}  // namespace tune::campaign
