#include "base/error.h"
#include "base/units.h"
#include "cli/add_command.h"
#include "cli/ask_worker.h"
#include "cli/commands.h"
#include "cli/commit.h"
#include "cli/doctor_text.h"
#include "cli/flag_or_environment.h"
#include "cli/open_run.h"
#include "cli/trial_machine.h"
#include "cli/version.h"
#include "cli/worker_program.h"
#include "doctor/checkup.h"
#include "doctor/observation.h"
#include "gate/fingerprint.h"
#include "machine/user_folders.h"
#include "machine/worker_torch.h"
#include "probe/probe_record.h"
#include "runner/environment.h"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;
using doctor::Observation;
using doctor::UsedFolder;

struct Flags {
  bool as_json = false, as_plain = false, is_fatal = false;
  std::string window = "1s";
};

// Without a home folder some have no place; the first run would say so too.
void add_folder(std::vector<UsedFolder>& folders,
                const std::string& what,
                const std::string& variable,
                fs::path (*place)()) {
  try {
    folders.push_back({what, variable, place(), std::nullopt});
  } catch (const Error& error) {
    folders.push_back({what + " (" + error.what() + ")", variable, "", std::nullopt});
  }
}

std::vector<UsedFolder> used_folders() {
  std::error_code failed;
  std::vector<UsedFolder> folders = {
      {"run directories", "", fs::current_path(failed) / "tune-runs", std::nullopt}};
  add_folder(folders, "cache", "TUNE_CACHE_DIR", machine::cache_folder);
  add_folder(folders, "data folder", "TUNE_DATA_DIR", machine::data_folder);
  add_folder(folders, "runtime folder", "TUNE_RUNTIME_DIR", machine::runtime_folder);
  return folders;
}

void describe_worker(doctor::Installation& own) {
  own.worker_is_named = is_set("TUNE_WORKER_PROGRAM");
  fs::path program;
  try {
    program = locate_worker_program();
  } catch (const Error& error) {
    own.worker_is_missing = true;
    own.worker_problem = error.what();
    return;
  }
  own.worker = program.string();
  try {
    machine::torch_of_worker(program);
  } catch (const Error& error) {
    own.torch_is_missing = true;
    own.worker_problem = error.what();
    return;
  }
  const WorkerAnswer& answer = ask_worker(program);
  own.worker_problem = answer.problem;
  own.description = answer.description;
}

std::string when_probed(const machine::MachineFacts& facts) {
  try {
    const auto record = probe::load_probe(machine::data_folder(), gate::probed_machine_id(facts));
    return record ? record->utc : "";
  } catch (const Error&) {  // damaged: as good as none, and `tune probe` says more
    return "";
  }
}

std::int64_t window_ns(const std::string& text) {
  constexpr std::int64_t kLeastNs = 1'000'000, kMostNs = 600'000'000'000;
  const auto ns = parse_time_ns(text);
  if (!ns || *ns < kLeastNs || *ns > kMostNs) {
    throw Error(Error::Parts{
        "--for " + text, "is no time to watch", "1ms to 10m, with a unit", "--for 5s"});
  }
  return *ns;
}

Observation look(std::int64_t watched_ns) {
  doctor::ObserveOptions options;
  options.window_ns = watched_ns;
  options.folders = used_folders();
  if (const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES")) {
    options.visible_devices = visible;
  }
  Observation seen = doctor::observe(options);
  seen.machine.device = machine_of_trials(trial::Workload{}).device;
  seen.removed_variables = runner::worker_environment(environ).removed;
  seen.installation.tune_version = version();
  seen.installation.commit = commit();
  seen.installation.probe_utc = when_probed(seen.machine);
  describe_worker(seen.installation);  // after the window, which it would disturb
  return seen;
}

ExitCode doctor_command(const Flags& flags, const Invocation& invocation) {
  const std::int64_t watched_ns = window_ns(flags.window);
  if (!invocation.quiet) {
    std::cerr << "watching this machine for " << format_time(watched_ns) << "\n";
  }
  const Observation seen = look(watched_ns);
  const doctor::Checkup checkup = doctor::examine(seen);
  if (flags.as_json) {
    std::cout << doctor::to_json(checkup, seen, utc_now());
  } else if (flags.as_plain) {
    std::cout << doctor_rows(checkup);
  } else {
    std::cout << doctor_text(checkup, seen, look_at(STDOUT_FILENO, invocation.color));
  }
  const bool is_bad = checkup.worst() >= doctor::Level::warning;
  return flags.is_fatal && is_bad ? ExitCode::negative_verdict : ExitCode::fine;
}

}  // namespace

void add_doctor(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"doctor",
       "Looks whether this machine and this installation are fit to measure: other load, steal, "
       "governor, turbo, shared cores, huge pages, disks, limits of a container, GPUs, versions "
       "that do not fit; and says what to do about each. Changes nothing. Exit code 0, with "
       "--fatal 1 when there is a warning or a failure.",
       {"tune doctor", "tune doctor --json --for 10s", "tune doctor --fatal --plain"}});
  const auto flags = std::make_shared<Flags>();
  command.add_flag("--fatal", flags->is_fatal, "Exit code 1 for warnings and failures, for CI");
  command.add_option("--for", flags->window, "How long to watch the machine (1s)")
      ->type_name("TIME");
  CLI::Option* const json =
      command.add_flag("--json", flags->as_json, "One JSON document: checks and all facts");
  command.add_flag("--plain", flags->as_plain, "Tab-separated: id, level, found, advice")
      ->excludes(json);
  command.callback([&invocation, flags] {
    invocation.run = [&invocation, flags] { return doctor_command(*flags, invocation); };
  });
}

}  // namespace tune::cli
