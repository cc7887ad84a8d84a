#include "base/columns.h"
#include "base/error.h"
#include "base/units.h"
#include "cli/commands.h"
#include "cli/embedded_texts.h"
#include "cli/flags.h"
#include "cli/open_run.h"
#include "cli/terminal.h"
#include "cli/trial_machine.h"
#include "machine/probe/probe_record.h"
#include "machine/user_folders.h"
#include "machine/worker_torch.h"
#include "measure/doctor/checkup.h"
#include "measure/doctor/observation.h"
#include "measure/gate/fingerprint.h"
#include "measure/runner/environment.h"
#include "report/markup.h"
#include "report/number_text.h"

#include <CLI/App.hpp>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <unistd.h>

namespace tune::cli {

namespace {

using doctor::Check;
using doctor::Level;

constexpr std::size_t kLevelColumns = 9;

std::string level_head(const Check& check) {
  std::string head = "  " + std::string(name(check.level));
  head.resize(2 + kLevelColumns, ' ');
  return head;
}

// Colour comes with the word, never instead of it.
std::string coloured(const Terminal& terminal, Level level, const std::string& line) {
  return level == Level::ok     ? line
         : level == Level::note ? bold(terminal, line)
                                : yellow(terminal, line);
}

std::string check_text(const Check& check, const Terminal& terminal) {
  // Names of processes and devices may be any bytes.
  std::string line = wrapped(level_head(check), one_line(check.found), terminal.width);
  line.pop_back();
  std::string text = coloured(terminal, check.level, line) + "\n";
  const std::string below(2 + kLevelColumns, ' ');
  if (!check.why.empty()) {
    text += wrapped(below, check.why, terminal.width);
  }
  if (!check.advice.empty()) {
    text += wrapped(below + "-> ", check.advice, terminal.width);
  }
  return text;
}

std::string count_text(const doctor::Checkup& checkup, Level level, const char* singular) {
  const auto count = static_cast<std::int64_t>(checkup.count(level));
  return count == 0 ? "" : report::counted(count, singular) + ", ";
}

// What `tune doctor` prints: group by group, of what needs a look why and what to do; what this
// machine does not say together; the count of each level last.
std::string doctor_text(const doctor::Checkup& checkup,
                        const doctor::Observation& observation,
                        const Terminal& terminal) {
  std::string text = wrapped("", one_line(machine_line(observation)), terminal.width);
  std::string group, unknown;
  for (const Check& check : checkup.checks) {
    if (check.level == Level::unknown) {
      unknown += wrapped("  ", one_line(check.found), terminal.width);
      continue;
    }
    if (check.group != group) {
      group = check.group;
      text += "\n" + group + "\n";
    }
    text += check_text(check, terminal);
  }
  if (!unknown.empty()) {
    text += "\nnot known here\n" + dim(terminal, unknown.substr(0, unknown.size() - 1)) + "\n";
  }
  std::string counts = count_text(checkup, Level::failure, "failure") +
                       count_text(checkup, Level::warning, "warning") +
                       count_text(checkup, Level::note, "note");
  counts = counts.empty() ? "nothing to look at" : counts.substr(0, counts.size() - 2);
  return text + "\n" + bold(terminal, counts) + "; nothing was changed\n";
}

// --plain: id, level, what was found, what to do; one line a check.
std::string doctor_rows(const doctor::Checkup& checkup) {
  std::string rows;
  for (const Check& check : checkup.checks) {
    rows += plain_row({check.id, name(check.level), check.found, check.advice});
  }
  return rows;
}

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
        "--time " + text, "is not a time to watch", "1ms to 10m, with a unit", "--time 5s"});
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
       "Checks whether this machine and this installation are fit to measure: other load, steal, "
       "governor, turbo, shared cores, huge pages, disks, limits of a container, GPUs, versions "
       "that do not fit together; and says what to do about each. Changes nothing. Exit code 0; "
       "with --fatal, 1 when there is a warning or a failure.",
       {"tune doctor", "tune doctor --json --time 10s", "tune doctor --fatal --plain"}});
  const auto flags = std::make_shared<Flags>();
  command.add_flag("--fatal", flags->is_fatal, "Exit code 1 for warnings and failures, for CI");
  command.add_option("--time", flags->window, "How long to watch the machine (1s)")
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
