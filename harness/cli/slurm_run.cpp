#include "cli/slurm_run.h"

#include "base/error.h"
#include "base/file.h"
#include "base/monotonic_clock.h"
#include "base/units.h"
#include "campaign/join_shards.h"
#include "campaign/ledger.h"
#include "campaign/summarise.h"
#include "cli/answer.h"
#include "cli/flag_or_environment.h"
#include "cli/interruption.h"
#include "cli/join_runs.h"
#include "cli/open_run.h"
#include "cli/present_run.h"
#include "cli/scenario_flags.h"
#include "cli/slurm_scripts.h"
#include "cli/slurm_state.h"
#include "cli/slurm_words.h"
#include "cli/trial_machine.h"
#include "runner/slurm.h"
#include "scenario/cell.h"
#include "scenario/shard.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostJobs = 1000;  // of an array; a cluster's usual MaxArraySize is 1001
constexpr std::int64_t kQuietPolls = 3;   // a shared folder shows what was written late
constexpr std::int64_t kMostFailedPolls = 60;  // of the queue, in a row

// How often files are looked at and the queue is asked: every answer costs the controller a lock.
std::int64_t poll_time_ns() {
  const GivenValue given = flag_or_environment("", "", "TUNE_SLURM_POLL");
  constexpr std::int64_t kUsualNs = 10'000'000'000;
  if (given.value.empty()) {
    return kUsualNs;
  }
  const auto ns = parse_time_ns(given.value);
  if (!ns || *ns <= 0) {
    throw Error(Error::Parts{given.source + "=" + given.value,
                             "is no time",
                             "the unit is mandatory",
                             "TUNE_SLURM_POLL=10s"});
  }
  return *ns;
}

// Everything that waiting for a job needs.
struct Site {
  const RunRequest& request;
  fs::path directory;
  SlurmState state;
  const Interruption& interruption;
  std::int64_t poll_ns = 0;

  void say(const std::string& text) const {
    if (!request.quiet) {
      std::cerr << text << "\n";
    }
  }
  std::string go_on() const { return resume_command(directory) + " --executor slurm"; }
};

// Of the last sitting in a run's ledger; nothing while it works, or before it has begun.
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

std::set<std::int64_t> unfinished_shards(const Site& site) {
  std::set<std::int64_t> open;
  for (std::int64_t index = 1; index <= site.state.shards; ++index) {
    const auto sitting = last_sitting(shard_folder(site.directory, index));
    if (!sitting || sitting->end_reason != "finished") {
      open.insert(index);
    }
  }
  return open;
}

// One whole confirmation: after the joining somebody worked on it, and was not cut.
bool is_confirmed(const Site& site) {
  const auto sitting = last_sitting(site.directory);
  return sitting && sitting->shard == 0 && !sitting->end_reason.empty() &&
         sitting->end_reason != "interrupted";
}

// Hands a job in and keeps its number. Returns an exit code where it was not taken.
std::optional<ExitCode> submit(Site& site,
                               std::vector<std::string> arguments,
                               const std::string& name,
                               const std::string& script) {
  const fs::path file = slurm_folder(site.directory) / name;
  write_file_synced(file, script);
  // What the user says comes later and wins.
  arguments.insert(arguments.end(), site.state.arguments.begin(), site.state.arguments.end());
  arguments.push_back(file.string());
  const runner::SlurmJob job = runner::submit_job(arguments);
  if (!job.problem.empty()) {
    std::cerr << "slurm took no job: " << job.problem << "\n"
              << (job.is_unavailable ? "when it does, go on with: " : "mend --slurm-arg: ")
              << site.go_on() << "\n";
    return job.is_unavailable ? ExitCode::not_available : ExitCode::wrong_input;
  }
  site.state.job = job.id;
  write_slurm_state(site.directory, site.state);
  return std::nullopt;
}

enum class Waited { done, gone, interrupted, silent };

// False when somebody interrupts.
bool sleep(const Site& site) {
  constexpr std::int64_t kLookNs = 20'000'000;
  const std::int64_t until_ns = monotonic_ns() + site.poll_ns;
  while (!site.interruption.asked() && monotonic_ns() < until_ns) {
    const std::int64_t rest_ns = std::min(kLookNs, until_ns - monotonic_ns());
    std::this_thread::sleep_for(std::chrono::nanoseconds(std::max<std::int64_t>(1, rest_ns)));
  }
  return !site.interruption.asked();
}

/// Until `standing` says nothing is left ("" then; else what is said while waiting), or until the
/// queue has nothing of the job any more and the files have had time to show.
Waited wait_for_job(const Site& site, const std::function<std::string()>& standing) {
  std::string told;
  std::int64_t quiet_polls = 0;
  std::int64_t failed_polls = 0;
  while (true) {
    const std::string left = standing();
    if (left.empty()) {
      return Waited::done;
    }
    const runner::SlurmQueue queue = runner::ask_queue(site.state.job);
    failed_polls = queue.problem.empty() ? 0 : failed_polls + 1;
    const bool is_gone = queue.problem.empty() && queue.tasks.empty();
    quiet_polls = is_gone ? quiet_polls + 1 : 0;
    if (quiet_polls > kQuietPolls) {
      return Waited::gone;
    }
    if (failed_polls > kMostFailedPolls) {
      std::cerr << "slurm does not answer: " << queue.problem << "\n";
      return Waited::silent;
    }
    const std::string now = "slurm job " + site.state.job + ": " + left + ", " +
                            (queue.problem.empty() ? queue_words(queue) : "the queue is silent");
    if (now != told) {
      site.say(now);
      told = now;
    }
    if (!sleep(site)) {
      return Waited::interrupted;
    }
  }
}

ExitCode give_up(const Site& site, Waited waited) {
  if (waited == Waited::interrupted) {
    runner::cancel_job(site.state.job);
    std::cerr << "interrupted: job " << site.state.job
              << " is cancelled, what it measured is saved. Go on with: " << site.go_on() << "\n";
    return site.interruption.exit_code();
  }
  std::cerr << "the job may still run. Go on with: " << site.go_on() << "\n";
  return ExitCode::not_available;
}

// "shard 3/8 is not finished (JobState=TIMEOUT ...); its log: ...".
void tell_unfinished(const Site& site, const std::set<std::int64_t>& open) {
  for (const std::int64_t index : open) {
    const std::string task = std::to_string(index);
    const std::string state = runner::describe_job(site.state.job + "_" + task);
    std::cerr << "shard " << task << "/" << site.state.shards
              << (has_begun(shard_folder(site.directory, index)) ? " is not finished"
                                                                 : " has not begun")
              << (state.empty() ? "" : " (" + state + ")")
              << "; its log: " << quoted(slurm_folder(site.directory) / ("shard-" + task + ".log"))
              << "\n";
  }
  std::cerr << "go on with: " << site.go_on() << "\n";
}

bool is_queued(const Site& site) {
  return !site.state.job.empty() && !runner::ask_queue(site.state.job).tasks.empty();
}

// What a job shall bring about.
struct Task {
  std::function<std::string()> left;  ///< "" when nothing is; else what is said while waiting
  std::function<std::optional<ExitCode>()> submit;
};

// Waits for the job that was handed in before, if the queue still has it, and then for one of our
// own. Returns an exit code where that ends otherwise than by the job.
std::optional<ExitCode> see_through(const Site& site, const Task& task) {
  bool is_own = false;
  while (!task.left().empty()) {
    if (!is_queued(site)) {
      if (const auto refused = task.submit()) {
        return refused;
      }
      is_own = true;
    }
    const Waited waited = wait_for_job(site, task.left);
    if (waited == Waited::interrupted || waited == Waited::silent) {
      return give_up(site, waited);
    }
    if (is_own) {
      break;
    }
  }
  return std::nullopt;
}

// Everything up to the joined run; nothing when that is there.
std::optional<ExitCode> measure_shards(Site& site) {
  std::set<std::int64_t> open;
  const Task task{
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
            return submit(
                site, std::move(arguments), "shards.sh", shards_script(site.directory, site.state));
          }};
  if (const auto code = see_through(site, task)) {
    return code;
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
  campaign::join_shards(std::move(read.shards), site.directory, {.command = site.state.command});
  site.state.job.clear();  // the next one is for the pairs
  write_slurm_state(site.directory, site.state);
  site.say("joined " + std::to_string(site.state.shards) +
           (site.state.shards == 1 ? " shard" : " shards"));
  return std::nullopt;
}

ExitCode confirm(Site& site) {
  const Task task{
      .left = [&] { return is_confirmed(site) ? "" : std::string("the best cells in pairs"); },
      .submit =
          [&] {
            return submit(site,
                          usual_arguments(site.directory, "confirm.log"),
                          "confirm.sh",
                          confirm_script(site.directory, site.state));
          }};
  if (!campaign::summarise(campaign::read_recorded_run(site.directory)).complete) {
    if (const auto code = see_through(site, task)) {
      return *code;
    }
    // Its reports are being written.
    for (std::int64_t polls = 0; polls < kQuietPolls && is_queued(site) && sleep(site); ++polls) {
    }
  }
  const ExitCode code = present_saved(site.directory,
                                      {.rules = site.state.rules,
                                       .outputs = site.request.outputs,
                                       .as_json = site.request.as_json,
                                       .color = site.request.color});
  if (code == ExitCode::partial) {
    std::cerr << "on the cluster: " << site.go_on()
              << "; the log of its job: " << quoted(slurm_folder(site.directory) / "confirm.log")
              << "\n";
  }
  return code;
}

ExitCode go_through(Site& site) {
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
    throw Error(Error::Parts{
        "--slurm-jobs " + request.slurm_jobs,
        "does not fit",
        "each job takes at least one of the " + std::to_string(most) + " cells beside the baseline",
        "from 1 to " + std::to_string(most)});
  }
  return wanted->of;
}

fs::path absolute_or_none(const std::string& path) {
  return path.empty() ? fs::path() : fs::absolute(path).lexically_normal();
}

}  // namespace

ExitCode run_on_slurm(const RunRequest& request) {
  const scenario::Scenario scenario = read_with_overrides(request.file, request.overrides);
  const std::int64_t poll_ns = poll_time_ns();
  SlurmState state{.scenario = scenario.file.string(),
                   .overrides = request.overrides,
                   .arguments = request.slurm_arguments,
                   .rules = absolute_or_none(request.rules).string(),
                   .fail_fast = request.fail_fast,
                   .command = request.words,
                   .shards = shards_of(request, scenario)};
  const Interruption interruption;
  Site site{.request = request,
            .directory = choose_run_directory(request, scenario.name, utc_now()),
            .state = std::move(state),
            .interruption = interruption,
            .poll_ns = poll_ns};
  make_run_directory(site.directory);
  std::error_code failed;
  for (const fs::path& folder : {slurm_folder(site.directory), site.directory / "shards"}) {
    if (!fs::create_directories(folder, failed) && failed) {
      throw Error(Error::Parts{folder.string(), "cannot be made", failed.message(), ""});
    }
  }
  write_slurm_state(site.directory, site.state);
  site.say(scenario.name + ": " + std::to_string(site.state.shards) + " shards for slurm, " +
           "run directory " + site.directory.string());
  return go_through(site);
}

ExitCode resume_on_slurm(const fs::path& directory, const RunRequest& request) {
  const Interruption interruption;
  Site site{.request = request,
            .directory = directory,
            .state = read_slurm_state(directory),
            .interruption = interruption,
            .poll_ns = poll_time_ns()};
  if (!request.slurm_arguments.empty()) {
    site.state.arguments = request.slurm_arguments;
  }
  return go_through(site);
}

}  // namespace tune::cli
