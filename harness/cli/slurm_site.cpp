#include "cli/slurm_site.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "cli/answer.h"
#include "cli/flag_or_environment.h"
#include "cli/slurm_words.h"
#include "runner/slurm.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kQuietPolls = 3;        // a shared folder shows what was written late
constexpr std::int64_t kMostFailedPolls = 60;  // of the queue, in a row

enum class Waited { done, gone, interrupted, silent };

// False when somebody interrupts.
bool sleep(const SlurmSite& site) {
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
Waited wait_for_job(const SlurmSite& site, const std::function<std::string()>& standing) {
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

ExitCode give_up(const SlurmSite& site, Waited waited) {
  if (waited == Waited::interrupted) {
    runner::cancel_job(site.state.job);
    std::cerr << "interrupted: job " << site.state.job
              << " is cancelled, what it measured is saved. Go on with: " << site.go_on() << "\n";
    return site.interruption.exit_code();
  }
  std::cerr << "the job may still run. Go on with: " << site.go_on() << "\n";
  return ExitCode::not_available;
}

// Also where the queue is silent: two jobs in one folder are worse than a wait.
bool is_queued(const SlurmSite& site) {
  if (site.state.job.empty()) {
    return false;
  }
  const runner::SlurmQueue queue = runner::ask_queue(site.state.job);
  return !queue.problem.empty() || !queue.tasks.empty();
}

}  // namespace

std::int64_t slurm_poll_ns() {
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

void SlurmSite::say(const std::string& text) const {
  if (!request.quiet) {
    std::cerr << text << "\n";
  }
}

std::string SlurmSite::go_on() const {
  return resume_command(directory) + " --executor slurm";
}

std::optional<ExitCode> submit_script(SlurmSite& site,
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

std::optional<ExitCode> see_through(const SlurmSite& site, const SlurmTask& task) {
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

void wait_until_gone(const SlurmSite& site, std::int64_t most) {
  for (std::int64_t polls = 0; polls < most && is_queued(site) && sleep(site); ++polls) {
  }
}

}  // namespace tune::cli
