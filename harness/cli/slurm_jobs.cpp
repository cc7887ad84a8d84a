#include "cli/slurm_jobs.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "cli/answer.h"
#include "cli/flags.h"
#include "measure/runner/slurm.h"
#include "report/run_facts.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <string>
#include <system_error>
#include <thread>

namespace tune::cli {

std::string ranges_of(const std::set<std::int64_t>& numbers) {
  std::string text;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const std::int64_t first = *at;
    std::int64_t last = first;
    while (++at != numbers.end() && *at == last + 1) {
      last = *at;
    }
    text += (text.empty() ? "" : ",") + std::to_string(first);
    text += last > first ? "-" + std::to_string(last) : "";
  }
  return text;
}

std::string queue_words(const runner::SlurmQueue& queue) {
  std::size_t running = 0;
  std::size_t waiting = 0;
  std::set<std::string> reasons;
  for (const runner::SlurmTask& task : queue.tasks) {
    if (task.state == "PENDING") {
      ++waiting;
      reasons.insert(task.reason);
    } else {
      ++running;
    }
  }
  std::string text = std::to_string(running) + " running, " + std::to_string(waiting) + " waiting";
  std::string why;
  for (const std::string& reason : reasons) {
    why += (why.empty() ? "" : ", ") + reason;
  }
  return why.empty() ? text : text + " (" + why + ")";
}

namespace fs = std::filesystem;

fs::path shard_folder(const fs::path& run, std::int64_t index) {
  return run / "shards" / std::to_string(index);
}

namespace {

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
                             "is not a time",
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
              << (job.is_unavailable ? "when it does, continue with: " : "mend --slurm-arg: ")
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

namespace {

std::vector<std::string> tune_words() {
  std::error_code failed;
  return {fs::read_symlink("/proc/self/exe", failed).string(), "run"};
}

// A ledger keeps the budget that a run began with; who continues may have been given another.
void add_budget(const SlurmState& state, std::vector<std::string>& words) {
  for (const std::string& assignment : state.overrides) {
    if (assignment.starts_with("budget=")) {
      words.insert(words.end(), {"--set", assignment});
    }
  }
}

// In the names of logs Slurm puts something in place of % and a letter.
std::string in_pattern(const fs::path& folder) {
  std::string text;
  for (const char c : folder.string()) {
    text += c == '%' ? "%%" : std::string(1, c);
  }
  return text;
}

}  // namespace

// `exec`, so that a signal to the job reaches tune itself.
std::string shards_script(const fs::path& run, const SlurmState& state) {
  std::vector<std::string> begin = tune_words();
  begin.push_back(state.scenario);
  for (const std::string& assignment : state.overrides) {
    begin.insert(begin.end(), {"--set", assignment});
  }
  std::vector<std::string> go_on = tune_words();
  add_budget(state, go_on);
  for (std::vector<std::string>* words : {&begin, &go_on}) {
    words->insert(words->end(), {"--progress", "never"});
    if (state.fail_fast) {
      words->push_back("--fail-fast");
    }
    if (!state.rules.empty()) {
      words->insert(words->end(), {"--rules", state.rules});
    }
  }
  // Started by hand it has no number. A folder without a ledger: tune itself begins again or
  // refuses.
  return "#!/bin/bash\n# One shard a task, as tune run --executor slurm hands it in.\n"
         "case ${SLURM_ARRAY_TASK_ID:-} in\n  '' | *[!0-9]*)\n"
         "    echo 'shards.sh: SLURM_ARRAY_TASK_ID names no shard (it is for tasks of an array). " +
         std::string("tune run --resume RUN --executor slurm?' >&2\n    exit 2 ;;\nesac\n") +
         "run=" + report::command_line({(run / "shards").string()}) +
         "/$SLURM_ARRAY_TASK_ID\n"
         "if [ -s \"$run/ledger.jsonl\" ]; then\n  exec " +
         report::command_line(go_on) +
         " --resume \"$run\"\nfi\n"
         "rm -f \"$run/ledger.jsonl\"  # empty: whoever began it got no further\nexec " +
         report::command_line(begin) + " --shard \"$SLURM_ARRAY_TASK_ID/" +
         std::to_string(state.shards) + "\" -o \"$run\"\n";
}

std::string confirm_script(const fs::path& run, const SlurmState& state) {
  std::vector<std::string> words = tune_words();
  words.insert(words.end(), {"--resume", run.string(), "--progress", "never"});
  add_budget(state, words);
  if (state.fail_fast) {
    words.push_back("--fail-fast");
  }
  if (!state.rules.empty()) {
    words.insert(words.end(), {"--rules", state.rules});
  }
  return "#!/bin/bash\n# Fresh pairs on one node, as tune run --executor slurm hands it "
         "in.\nexec " +
         report::command_line(words) + "\n";
}

std::vector<std::string> usual_arguments(const fs::path& run, const std::string& log) {
  return {"--job-name=tune",
          "--nodes=1",
          "--exclusive",
          "--signal=B:TERM@30",
          "--open-mode=append",
          "--chdir=" + run.string(),
          "--output=" + in_pattern(slurm_folder(run)) + "/" + log};
}

}  // namespace tune::cli
