#include "campaign/join_shards.h"
#include "cli/add_command.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/join_runs.h"
#include "cli/machine_lock.h"
#include "cli/open_run.h"
#include "cli/present_run.h"
#include "cli/run_request.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tune::cli {

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
  make_run_directory(directory);
  const campaign::DirectoryLock lock = lock_directory(directory);
  const bool confirms = read.shards.front().scenario.verify != "none";
  const std::size_t shards = read.shards.size();
  campaign::join_shards(std::move(read.shards), directory, {.command = request.words});
  if (!request.quiet) {
    std::cerr << "joined " << shards << (shards == 1 ? " shard" : " shards") << " into "
              << quoted(directory);
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
  command.add_option("--rules", request->shown.rules, "Folder of your own rules (*.yaml)")
      ->type_name("DIR");
  command.add_flag(
      "--json", request->shown.as_json, "The summary of result.json on standard output");
  add_output_flags(command, request->shown.outputs);
  command.callback([&invocation, request] {
    invocation.run = [&invocation, request] {
      request->shown.color = invocation.color;
      request->words = invocation.words;
      request->quiet = invocation.quiet;
      return merge(*request);
    };
  });
}

}  // namespace tune::cli
