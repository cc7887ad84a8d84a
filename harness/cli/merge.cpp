#include "cli/merge.h"

#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/machine_lock.h"
#include "cli/open_run.h"
#include "cli/present_run.h"
#include "measure/campaign/join_shards.h"
#include "measure/gate/fingerprint.h"
#include "measure/runner/output_log.h"
#include "report/number_text.h"
#include "report/run_facts.h"
#include "scenario/plan.h"

#include <CLI/App.hpp>

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

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
  return "shard " + scenario::to_text(*shard.scenario.shard) + " (" + typed_path(shard.directory) +
         ")";
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

// Whether none is missing and all have ended; says which, and how to continue.
bool look_for_gaps(const std::vector<RecordedRun>& shards) {
  const std::int64_t of = shards.front().scenario.shard->of;
  std::set<std::int64_t> known;
  bool is_whole = true;
  for (const RecordedRun& shard : shards) {
    known.insert(shard.scenario.shard->index);
    if (const std::string why = campaign::why_unfinished(shard); !why.empty()) {
      std::cerr << named(shard) << " is not finished: " << why
                << "; continue with: " << resume_command(shard.directory) << "\n";
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

namespace {

namespace fs = std::filesystem;

struct MergeRequest {
  std::vector<std::string> shards;  ///< run directories
  RunRequest place;                 ///< -o
  RunShown shown;
  std::vector<std::string> words;
  bool quiet = false;
};

ExitCode merge(const MergeRequest& request) {
  check_wish(request.shown.outputs);
  ReadShards read = read_shards({request.shards.begin(), request.shards.end()});
  if (read.code != ExitCode::fine) {
    std::cerr << "nothing was joined\n";
    return read.code;
  }
  const fs::path directory =
      choose_run_directory(request.place, read.shards.front().scenario.name, utc_now());
  if (request.place.dry_run) {
    std::cout << "would join "
              << report::counted(static_cast<std::int64_t>(read.shards.size()), "shard") << " into "
              << typed_path(directory) << "\n";
    return ExitCode::fine;
  }
  make_run_directory(directory);
  const campaign::DirectoryLock lock = lock_directory(directory);
  const bool confirms = read.shards.front().scenario.verify != "none";
  const std::size_t shards = read.shards.size();
  campaign::join_shards(std::move(read.shards), directory, {.command = request.words});
  if (!request.quiet) {
    std::cerr << "joined " << shards << (shards == 1 ? " shard" : " shards") << " into "
              << typed_path(directory);
    if (confirms) {
      std::cerr << "; " << resume_command(directory) << " confirms the best cells on this machine";
    }
    std::cerr << "\n";
  }
  return present_saved(directory, request.shown);
}

}  // namespace

void add_merge(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"merge",
       "Joins the shards of a grid (tune run --shard), each measured on a machine of its own, into "
       "one run. Every gain stays one against the baseline of the same round on the same machine. "
       "The confirmation comes afterwards, on one machine: tune run --resume. Shards that are not "
       "all there and finished, or that do not belong together, are refused.",
       {"tune merge shard-1 shard-2 shard-3 -o joined",
        "tune merge tune-runs/resnet18-shard-* && tune run --resume tune-runs/latest"}});
  const auto request = std::make_shared<MergeRequest>();
  request->shown.is_joined_now = true;
  command.add_option("DIR", request->shards, "Run directories of all shards, in any order")
      ->required();
  command
      .add_option("-o,--output", request->place.output, "Run directory instead of tune-runs/...")
      ->type_name("DIR");
  command.add_flag(
      "-n,--dry-run", request->place.dry_run, "Look whether they can be joined, write nothing");
  command.add_option("--rules", request->shown.rules, "Folder of your own rules (*.yaml)")
      ->type_name("DIR");
  command.add_flag(
      "--json", request->shown.as_json, "The summary of result.json on standard output");
  add_output_flags(command, request->shown.outputs);
  command.callback([&invocation, request] {
    invocation.run = [&invocation, request] {
      request->shown.color = invocation.color;
      request->shown.is_verbose = invocation.verbose;
      request->words = invocation.words;
      request->quiet = invocation.quiet;
      return merge(*request);
    };
  });
}

}  // namespace tune::cli
