#include "cli/open_run.h"

#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "cli/answer.h"
#include "cli/embedded_texts.h"
#include "cli/machine_lock.h"
#include "cli/observe_script.h"
#include "cli/prepare_inputs.h"
#include "cli/scenario_flags.h"
#include "cli/standard_streams.h"
#include "cli/trial_machine.h"
#include "machine/machine_facts.h"
#include "measure/campaign/join_shards.h"
#include "scenario/machine.h"
#include "trial/environment_knob.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <deque>
#include <iostream>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

// "2026-11-21T19:49:55Z" -> "20261121T194955Z": no colons, for other systems and for scp.
std::string compact(std::string utc) {
  utc.erase(std::remove_if(
                utc.begin(), utc.end(), [](char letter) { return letter == '-' || letter == ':'; }),
            utc.end());
  return utc;
}

// What is in a run directory before its ledger: the folder of trials, a lock.
bool comes_before_ledger(const fs::path& entry) {
  std::error_code failed;
  const auto type = fs::symlink_status(entry, failed).type();
  return entry.filename() == "trials"
             ? type == fs::file_type::directory && fs::is_empty(entry, failed)
             : entry.filename() == ".lock" && type == fs::file_type::regular;
}

// More than what somebody leaves who was killed before there was a ledger.
bool holds_something(const fs::path& directory) {
  std::error_code failed;
  if (!fs::exists(directory, failed) || campaign::is_broken_off_joining(directory)) {
    return false;
  }
  fs::directory_iterator entry(directory, failed);
  while (!failed && entry != fs::directory_iterator() && comes_before_ledger(entry->path())) {
    entry.increment(failed);
  }
  return failed || entry != fs::directory_iterator();
}

// Names that were given out to nobody else; the folders in which nothing came to lie go again.
class TakenNames {
 public:
  ~TakenNames() {
    for (const fs::path& folder : made_) {
      (void)rmdir(folder.c_str());
    }
  }
  TakenNames() = default;
  TakenNames(const TakenNames&) = delete;
  TakenNames& operator=(const TakenNames&) = delete;

  // False where the name is taken already. Where nothing can be made, whoever uses it complains.
  bool take(const fs::path& folder) {
    std::error_code failed;
    if (fs::create_directory(folder.parent_path(), failed)) {
      made_.push_front(folder.parent_path());
    }
    if (mkdir(folder.c_str(), kPermissions) == 0) {
      made_.push_front(folder);
      return true;
    }
    return errno != EEXIST;
  }

 private:
  static constexpr mode_t kPermissions = 0777;
  std::deque<fs::path> made_;
};

void check_machine(const campaign::RecordedRun& run) {
  const machine::MachineFacts now = machine::read_machine_facts("/");
  const machine::MachineFacts& then = run.ledger.header.machine;
  if (now.cpu_model != then.cpu_model || now.cpus != then.cpus || now.gpus != then.gpus) {
    refuse_resume(run.directory,
                  "it was measured on " + std::to_string(then.cpus) + " CPUs " + then.cpu_model +
                      ", this machine has " + std::to_string(now.cpus) + " CPUs " + now.cpu_model);
  }
}

void keep(const PreparedData& prepared, scenario::Scenario& scenario) {
  scenario.data = prepared.data;
  scenario.notes.insert(scenario.notes.end(), prepared.notes.begin(), prepared.notes.end());
}

}  // namespace

void move_aside(const fs::path& directory, bool quiet) {
  std::error_code failed;
  if (!fs::exists(campaign::ledger_file(directory), failed)) {
    return;
  }
  const campaign::DirectoryLock lock = lock_directory(directory);  // moves with it
  fs::path aside;
  for (int number = 1; aside.empty() || fs::exists(fs::symlink_status(aside, failed)); ++number) {
    aside = directory.string() + "." + std::to_string(number);
  }
  fs::rename(directory, aside, failed);
  if (failed) {
    throw Error(Error::Parts{typed_path(directory),
                             "cannot be moved aside",
                             failed.message(),
                             "another folder with -o"});
  }
  if (!quiet) {
    std::cerr << "the run that was in " << typed_path(directory) << " is in " << typed_path(aside)
              << " now\n";
  }
}

void make_run_directory(const fs::path& directory) {
  make_folders(directory);
  make_folders(directory / "trials");
  if (directory.parent_path().filename() == "tune-runs") {  // a convenience: may fail
    std::error_code failed;
    const fs::path latest = directory.parent_path() / "latest";
    if (!fs::exists(latest, failed) || fs::is_symlink(latest, failed)) {
      fs::remove(latest, failed);
      fs::create_directory_symlink(directory.filename(), latest, failed);
    }
  }
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

fs::path choose_run_directory(const RunRequest& request,
                              const std::string& scenario,
                              const std::string& utc,
                              bool can_resume) {
  if (!request.output.empty()) {
    std::error_code ignored;  // what cannot be looked at cannot be made either
    fs::path directory = fs::absolute(request.output).lexically_normal();
    const bool holds_run = fs::exists(campaign::ledger_file(directory), ignored);
    if (holds_run && request.fresh) {
      return fs::canonical(directory);  // a link always names the newest
    }
    if (holds_run) {
      throw Error(Error::Parts{"-o " + request.output,
                               "holds a run already",
                               "a run is never overwritten",
                               can_resume
                                   ? "--resume " + request.output + ", --fresh, or another folder"
                                   : "another folder, or leave -o out"});
    }
    if (holds_something(directory)) {
      throw Error(Error::Parts{
          "-o " + request.output, "is not an empty folder", "nothing is overwritten", ""});
    }
    return directory;
  }
  const fs::path wanted = fs::current_path() / "tune-runs" / (scenario + "-" + compact(utc));
  static TakenNames names;
  fs::path directory = wanted;
  for (int i = 2; !names.take(directory); ++i) {
    directory = wanted.string() + "-" + std::to_string(i);
  }
  return directory;
}

OpenRun begin_run(const scenario::Scenario& scenario,
                  const fs::path& directory,
                  const RunInput& input) {
  campaign::RecordedRun run;
  run.directory = directory;
  run.scenario = scenario;
  if (!scenario.has_seed) {
    run.scenario.seed = std::random_device()();
  }
  prepare_model(run.scenario.workload, scenario.model_place);
  expect_preloaded_libraries(scenario);
  expect_script_folder(scenario);
  campaign::LedgerHeader& header = run.ledger.header;
  header.machine = machine_of_trials(run.scenario.workload);
  require_device(header.machine);
  scenario::settle_device(run.scenario, header.machine.device);
  check_model(model_check(run.scenario, input.worker, input.show));  // data may take minutes
  keep(prepare_data(scenario, input.show), run.scenario);
  run.plan = scenario::make_plan(run.scenario, header.machine);
  header.tune_version = version();
  header.commit = commit();
  header.scenario_file = scenario.file.string();
  header.scenario_text = scenario.text;
  header.scenario_sha256 = scenario.sha256;
  header.overrides = input.request.overrides;
  header.plan_sha256 = campaign::plan_hash(run.plan);
  for (const auto& [knob, value] : run.scenario.baseline) {
    if (trial::is_knob_of_the_user(knob)) {
      header.knobs.push_back(knob);
    }
  }
  header.seed = run.scenario.seed;
  header.data = run.scenario.data;
  header.model_sha256 = run.scenario.workload.own.sha256;
  header.worker = input.worker.string();
  header.worker_sha256 = sha256_file_hex(input.worker);
  header.command = input.request.words;
  header.started_utc = input.utc;
  if (input.request.fresh) {
    move_aside(directory, input.request.quiet);
  }
  make_run_directory(directory);
  auto lock = lock_directory(directory);
  campaign::Ledger ledger = campaign::Ledger::create(campaign::ledger_file(directory), header);
  return {std::move(run), std::move(ledger), std::move(lock)};
}

void refuse_resume(const fs::path& directory, const std::string& why) {
  throw Error(Error::Parts{
      directory.string(), "cannot be resumed", why, "start a new run without --resume"});
}

void check_overrides(const fs::path& directory,
                     const std::vector<std::string>& known,
                     const RunRequest& request) {
  for (const std::string& assignment : request.overrides) {
    const bool is_budget = assignment.starts_with("budget=");
    if (!is_budget && std::find(known.begin(), known.end(), assignment) == known.end()) {
      refuse_resume(directory,
                    "it was made without " + assignment + "; only --time may change on the way");
    }
  }
}

void check_resumable(const campaign::RecordedRun& run, const RunRequest& request) {
  if (!request.file.empty()) {
    const auto is_its_text = [&run](const std::string& file) {
      return sha256_hex(scenario_text(file)) == run.ledger.header.scenario_sha256;
    };
    const std::string of_gpu = file_for_gpu(request.file);
    if (!is_its_text(request.file) && (of_gpu.empty() || !is_its_text(of_gpu))) {
      refuse_resume(run.directory,
                    "it was made from another text of " + run.ledger.header.scenario_file +
                        ": its numbers would not compare with those of " + request.file);
    }
  }
  check_overrides(run.directory, run.ledger.header.overrides, request);
}

OpenRun resume_run(campaign::RecordedRun run, const RunInput& input) {
  const campaign::LedgerHeader& header = run.ledger.header;
  check_machine(run);
  require_device(machine_of_trials(run.scenario.workload), "a new run with --set device=cpu");
  if (sha256_file_hex(input.worker) != header.worker_sha256) {
    refuse_resume(run.directory,
                  "it was measured with another tune-worker than " + input.worker.string());
  }
  trial::Workload workload = run.scenario.workload;
  prepare_model(workload, run.scenario.model_place);
  if (workload.own.sha256 != header.model_sha256) {
    refuse_resume(run.directory, workload.own.path + " is not the one that it was measured with");
  }
  expect_preloaded_libraries(run.scenario);
  const PreparedData prepared = prepare_data(run.scenario, input.show);
  if (prepared.data.manifest_sha256 != header.data.manifest_sha256) {
    refuse_resume(run.directory,
                  "the data in " + prepared.data.path + " are not those that it was measured with");
  }
  keep(prepared, run.scenario);
  campaign::Ledger ledger =
      campaign::Ledger::reopen(campaign::ledger_file(run.directory), run.ledger.whole_bytes);
  if (run.scenario.shard) {
    campaign::leave_rounds_of_other_hosts(run, ledger, machine::host_name());
  }
  return {std::move(run), std::move(ledger), std::nullopt};
}

}  // namespace tune::cli
