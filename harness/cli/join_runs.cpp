#include "cli/join_runs.h"

#include "campaign/join_shards.h"
#include "cli/answer.h"
#include "gate/fingerprint.h"
#include "report/run_facts.h"
#include "runner/output_log.h"
#include "scenario/plan.h"

#include <cstdint>
#include <iostream>
#include <set>
#include <string>

namespace tune::cli {

namespace {

using campaign::RecordedRun;

// Scenario and data have been compared: the class of the machine, and what the worker says.
gate::Fingerprint machine_of(const RecordedRun& shard) {
  gate::Fingerprint print = gate::fingerprint(shard.ledger.header.machine, "", "");
  for (const campaign::TrialRecord& trial : shard.trials) {
    if (trial.outcome.reply) {
      gate::add_worker(print, trial.outcome.reply->facts);
      break;
    }
  }
  return print;
}

std::string named(const RecordedRun& shard) {
  return "shard " + scenario::to_text(*shard.scenario.shard) + " (" + quoted(shard.directory) + ")";
}

// Whether all ran on machines of one class; tells every difference.
bool compare_machines(const std::vector<RecordedRun>& shards) {
  const RecordedRun& first = shards.front();
  const std::string plan = campaign::plan_hash(campaign::whole_plan(first));
  bool is_alike = true;
  for (const RecordedRun& shard : shards) {
    std::string unlike;
    for (const gate::Difference& found : gate::differences(machine_of(first), machine_of(shard))) {
      unlike += (unlike.empty() ? "" : ", ") + found.what + " " + runner::printable(found.now) +
                " instead of " + runner::printable(found.then);
    }
    if (unlike.empty() && campaign::plan_hash(campaign::whole_plan(shard)) != plan) {
      unlike = "its grid has other cells, for CPU or GPU can do other things";
    }
    if (!unlike.empty()) {
      std::cerr << named(shard) << " ran on another class of machine than " << named(first) << ": "
                << unlike << "\n";
      is_alike = false;
    }
  }
  return is_alike;
}

// Whether none is missing and all have ended; tells which, and how to go on.
bool look_for_gaps(const std::vector<RecordedRun>& shards) {
  const std::int64_t of = shards.front().scenario.shard->of;
  std::set<std::int64_t> known;
  bool is_whole = true;
  for (const RecordedRun& shard : shards) {
    known.insert(shard.scenario.shard->index);
    if (const std::string why = campaign::why_unfinished(shard); !why.empty()) {
      std::cerr << named(shard) << " is not finished: " << why
                << "; go on with: " << resume_command(shard.directory) << "\n";
      is_whole = false;
    }
  }
  for (std::int64_t index = 1; index <= of; ++index) {
    if (!known.contains(index)) {
      std::cerr << "shard " << scenario::to_text({index, of}) << " is missing\n";
      is_whole = false;
    }
  }
  if (static_cast<std::int64_t>(known.size()) < of) {
    std::cerr << named(shards.front())
              << " was run as: " << report::command_line(shards.front().ledger.header.command)
              << "\n";
  }
  return is_whole;
}

}  // namespace

ReadShards read_shards(const std::vector<std::filesystem::path>& directories) {
  ReadShards read;
  for (const std::filesystem::path& directory : directories) {
    read.shards.push_back(campaign::read_recorded_run(directory));
  }
  campaign::check_shards_belong(read.shards);
  if (!compare_machines(read.shards)) {
    read.code = worse(read.code, ExitCode::incomparable);
  }
  if (!look_for_gaps(read.shards)) {
    read.code = worse(read.code, ExitCode::partial);
  }
  return read;
}

}  // namespace tune::cli
