#include "cli/slurm_run.h"

#include "base/error.h"
#include "base/file.h"
#include "cli/answer.h"
#include "cli/ask_rules.h"
#include "cli/interruption.h"
#include "cli/machine_lock.h"
#include "cli/merge.h"
#include "cli/open_run.h"
#include "cli/present_run.h"
#include "cli/scenario_flags.h"
#include "cli/slurm_jobs.h"
#include "cli/trial_machine.h"
#include "cli/verification_sitting.h"
#include "measure/campaign/join_shards.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/summarise.h"
#include "measure/runner/slurm.h"
#include "scenario/plan.h"

#include <algorithm>
#include <csignal>
#include <functional>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kReportPolls = 60;  // that a job takes at most to write its reports
constexpr std::int64_t kMostJobs = 1000;   // of an array; a cluster's usual MaxArraySize is 1001

// How the last sitting in a run's ledger ended; nothing while it works, or before it has begun.
std::optional<campaign::Sitting> last_sitting(const fs::path& run) {
  try {
    const campaign::LedgerContents ledger = campaign::read_ledger(run);
    return ledger.sittings.empty() ? std::nullopt : std::optional(ledger.sittings.back());
  } catch (const Error&) {  // not there yet, or half copied on the way here
    return std::nullopt;
  }
}

bool has_begun(const fs::path& run) {
  std::error_code failed;
  return fs::is_regular_file(campaign::ledger_file(run), failed);
}

bool is_complete(const fs::path& run) {
  return campaign::summarise(campaign::read_recorded_run(run)).complete;
}

std::set<std::int64_t> unfinished_shards(const SlurmSite& site) {
  std::set<std::int64_t> open;
  for (std::int64_t index = 1; index <= site.state.shards; ++index) {
    const fs::path shard = shard_folder(site.directory, index);
    const auto sitting = last_sitting(shard);
    const std::string ended = sitting ? sitting->end_reason : "";
    if (ended != "finished" && !(ended == "budget" && is_complete(shard))) {
      open.insert(index);
    }
  }
  return open;
}

// One whole confirmation: after the joining somebody worked on it, and neither was cut, nor ended
// by a trial that failed, nor ran out of time.
bool is_confirmed(const SlurmSite& site) {
  const auto sitting = last_sitting(site.directory);
  if (!sitting || sitting->shard != 0 || sitting->end_reason.empty()) {
    return false;
  }
  const std::string& ended = sitting->end_reason;
  return ended == "budget" ? is_complete(site.directory)
                           : ended != "interrupted" && ended != "trial-failed";
}

bool is_verified(const SlurmSite& site) {
  RunRequest request = site.request;
  request.rules = site.state.rules;
  return !lacks_verifications(request, site.directory);
}

// The same while a job works: what it writes may be half there.
bool looks_verified(const SlurmSite& site) {
  try {
    return is_verified(site);
  } catch (const Error&) {
    return false;
  }
}

// "shard 3/8 is not finished (JobState=TIMEOUT ...); its log: ...".
void tell_unfinished(const SlurmSite& site, const std::set<std::int64_t>& open) {
  for (const std::int64_t index : open) {
    const std::string task = std::to_string(index);
    const std::string state = runner::describe_job(site.state.job + "_" + task);
    std::cerr << "shard " << task << "/" << site.state.shards
              << (has_begun(shard_folder(site.directory, index)) ? " is not finished"
                                                                 : " has not begun")
              << (state.empty() ? "" : " (" + state + ")") << "; its log: "
              << typed_path(slurm_folder(site.directory) / ("shard-" + task + ".log")) << "\n";
  }
  std::cerr << "continue with: " << site.go_on() << "\n";
}

// "shard 1/3: the baseline failed: ...", which no further job would mend.
std::optional<std::string> failed_baseline(const SlurmSite& site,
                                           const std::set<std::int64_t>& open) {
  for (const std::int64_t index : open) {
    const fs::path shard = shard_folder(site.directory, index);
    if (!has_begun(shard)) {
      continue;
    }
    const auto result = campaign::summarise(campaign::read_recorded_run(shard));
    if (campaign::exit_code(result) == ExitCode::negative_verdict) {
      return "shard " + std::to_string(index) + "/" + std::to_string(site.state.shards) + ": " +
             result.incomplete_reason + "; all of it: tune report " + typed_path(shard);
    }
  }
  return std::nullopt;
}

// Everything up to the joined run; nothing when that is there.
std::optional<ExitCode> measure_shards(SlurmSite& site) {
  std::set<std::int64_t> open;
  const SlurmTask task{
      .left =
          [&] {
            const auto shards = static_cast<std::size_t>(site.state.shards);
            open = unfinished_shards(site);
            return open.empty() ? ""
                                : std::to_string(shards - open.size()) + " of " +
                                      std::to_string(shards) + " shards finished";
          },
      .submit =
          [&] {
            std::vector<std::string> arguments = usual_arguments(site.directory, "shard-%a.log");
            arguments.push_back("--array=" + ranges_of(open));
            return submit_script(
                site, std::move(arguments), "shards.sh", shards_script(site.directory, site.state));
          }};
  if (const auto code = see_through(site, task)) {
    return code;
  }
  if (const auto failed = failed_baseline(site, open)) {
    std::cerr << *failed << "\n";
    return ExitCode::negative_verdict;
  }
  if (!open.empty()) {
    tell_unfinished(site, open);
    return ExitCode::partial;
  }
  std::vector<fs::path> folders;
  for (std::int64_t index = 1; index <= site.state.shards; ++index) {
    folders.push_back(shard_folder(site.directory, index));
  }
  ReadShards read = read_shards(folders);
  if (read.code != ExitCode::fine) {
    return read.code;
  }
  const auto lock = lock_directory(site.directory);
  campaign::join_shards(std::move(read.shards), site.directory, {.command = site.state.command});
  site.state.job.clear();  // the next one is for the pairs
  write_slurm_state(site.directory, site.state);
  site.say("joined " + std::to_string(site.state.shards) +
           (site.state.shards == 1 ? " shard" : " shards"));
  return std::nullopt;
}

ExitCode confirm(SlurmSite& site) {
  const SlurmTask task{.left =
                           [&] {
                             return !is_confirmed(site) ? std::string("the best cells in pairs")
                                    : !looks_verified(site)
                                        ? std::string("the recommendations in pairs")
                                        : "";
                           },
                       .submit =
                           [&] {
                             return submit_script(site,
                                                  usual_arguments(site.directory, "confirm.log"),
                                                  "confirm.sh",
                                                  confirm_script(site.directory, site.state));
                           }};
  if (!is_complete(site.directory) || !is_verified(site)) {
    if (const auto code = see_through(site, task)) {
      return *code;
    }
    // Its reports are being written.
    wait_until_gone(site, kReportPolls);
  }
  const auto lock = lock_directory(site.directory);  // the job has given it back
  ExitCode code = present_saved(site.directory,
                                {.rules = site.state.rules,
                                 .outputs = site.request.outputs,
                                 .as_json = site.request.as_json,
                                 .color = site.request.color});
  if (code == ExitCode::fine && !is_verified(site)) {
    code = ExitCode::partial;
  }
  if (code == ExitCode::partial) {
    std::cerr << "on the cluster: " << site.go_on() << "; the log of its job: "
              << typed_path(slurm_folder(site.directory) / "confirm.log") << "\n";
  }
  return code;
}

ExitCode go_through(SlurmSite& site) {
  std::signal(SIGPIPE, SIG_IGN);  // whoever read the progress may go away
  if (!has_begun(site.directory)) {
    if (const auto code = measure_shards(site)) {
      return *code;
    }
  }
  return confirm(site);
}

// As many jobs as cells, so that each measures the baseline and one other; of more cells than an
// array may have tasks some.
std::int64_t shards_of(const RunRequest& request, const scenario::Scenario& scenario) {
  if (scenario.strategy != "grid") {
    throw Error(Error::Parts{"--executor slurm",
                             "does not go with strategy " + scenario.strategy,
                             "jobs that run beside one another cannot choose cells by what the "
                             "others measured",
                             "--strategy grid"});
  }
  const auto cells = static_cast<std::int64_t>(
      scenario::make_plan(scenario, machine_of_trials(scenario.workload)).cells.size());
  const std::int64_t most = std::max<std::int64_t>(1, cells - 1);
  if (request.slurm_jobs.empty()) {
    return std::min(most, kMostJobs);
  }
  const auto wanted = scenario::parse_shard("1/" + request.slurm_jobs);
  if (!wanted || wanted->of > most) {
    throw Error(Error::Parts{"--slurm-jobs " + request.slurm_jobs,
                             "does not fit",
                             "each job takes at least one of the " + std::to_string(most) +
                                 " cells besides the baseline",
                             "from 1 to " + std::to_string(most)});
  }
  return wanted->of;
}

fs::path absolute_or_none(const std::string& path) {
  return path.empty() ? fs::path() : fs::absolute(path).lexically_normal();
}

// Whoever continues may give another budget, rules, and arguments of sbatch; what is measured
// stays.
void take_flags(const RunRequest& request, const fs::path& directory, SlurmState& state) {
  if (!request.file.empty() && fs::absolute(request.file).lexically_normal() !=
                                   fs::absolute(state.scenario).lexically_normal()) {
    refuse_resume(directory, "it is of " + state.scenario + ", not of " + request.file);
  }
  if (!request.slurm_jobs.empty() && request.slurm_jobs != std::to_string(state.shards)) {
    refuse_resume(directory, "it is cut into " + std::to_string(state.shards) + " shards");
  }
  check_overrides(directory, state.overrides, request);
  for (const std::string& assignment : request.overrides) {
    if (assignment.starts_with("budget=")) {
      std::erase_if(state.overrides,
                    [](const std::string& known) { return known.starts_with("budget="); });
      state.overrides.push_back(assignment);
    }
  }
  if (!request.slurm_arguments.empty()) {
    state.arguments = request.slurm_arguments;
  }
  if (!request.rules.empty()) {
    read_rules({.folder = request.rules});  // what is wrong with them is said before a job is
    state.rules = absolute_or_none(request.rules).string();
  }
  state.fail_fast = state.fail_fast || request.fail_fast;
}

}  // namespace

ExitCode run_on_slurm(const RunRequest& request) {
  const scenario::Scenario scenario = read_with_overrides(request.file, request.overrides);
  const std::int64_t poll_ns = slurm_poll_ns();
  SlurmState state{.scenario = scenario.file.string(),
                   .overrides = request.overrides,
                   .arguments = request.slurm_arguments,
                   .rules = absolute_or_none(request.rules).string(),
                   .fail_fast = request.fail_fast,
                   .command = request.words,
                   .shards = shards_of(request, scenario)};
  const Interruption interruption;
  SlurmSite site{.request = request,
                 .directory = choose_run_directory(request, scenario.name, utc_now(), true),
                 .state = std::move(state),
                 .interruption = interruption,
                 .poll_ns = poll_ns};
  move_aside(site.directory, request.quiet);
  make_run_directory(site.directory);
  make_folders(slurm_folder(site.directory));
  make_folders(site.directory / "shards");
  const auto lock = lock_directory(slurm_folder(site.directory));  // the jobs take that of the run
  write_slurm_state(site.directory, site.state);
  site.say(scenario.name + ": " + std::to_string(site.state.shards) + " shards for slurm, " +
           "run directory " + site.directory.string());
  return go_through(site);
}

ExitCode resume_on_slurm(const fs::path& directory, const RunRequest& request) {
  read_slurm_state(directory);  // where there is none, nothing is made
  const auto lock = lock_directory(slurm_folder(directory));
  const Interruption interruption;
  SlurmSite site{.request = request,
                 .directory = directory,
                 .state = read_slurm_state(directory),
                 .interruption = interruption,
                 .poll_ns = slurm_poll_ns()};
  take_flags(request, directory, site.state);
  write_slurm_state(directory, site.state);
  return go_through(site);
}

}  // namespace tune::cli
