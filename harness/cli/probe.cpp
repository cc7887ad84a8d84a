#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/add_command.h"
#include "cli/commands.h"
#include "cli/interruption.h"
#include "cli/machine_lock.h"
#include "cli/open_run.h"
#include "cli/probe_table.h"
#include "cli/version.h"
#include "cli/worker_program.h"
#include "gate/fingerprint.h"
#include "machine/machine_facts.h"
#include "machine/user_folders.h"
#include "probe/machine_probe.h"
#include "probe/probe_record.h"
#include "runner/run_program.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <system_error>
#include <unistd.h>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;
using probe::Number;
using probe::ProbeRecord;

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kMachineNs = 25 * kSecondNs;  // and as much for the worker: 60 s in all
constexpr std::int64_t kWorkerNs = 30 * kSecondNs;

struct Flags {
  bool as_json = false, as_plain = false, is_quick = false, only_show = false;
};

struct Stopped {};

/// Tells what is measured now, and stops there when that was asked for.
class Steps {
 public:
  Steps(bool is_quiet, const Interruption& interruption)
      : is_quiet_(is_quiet), interruption_(interruption) {}

  void begin(const std::string& what) const {
    if (interruption_.asked()) {
      throw Stopped();
    }
    if (!is_quiet_) {
      std::cerr << "measuring: " << what << "\n";
    }
  }

 private:
  bool is_quiet_;
  const Interruption& interruption_;
};

// The numbers that need LibTorch, or why there are none.
std::vector<Number> ask_worker(const fs::path& folder, bool is_quick, const Interruption& stop) {
  const fs::path file = folder / "worker.json";
  try {
    const std::string word = is_quick ? "--probe-quick=" : "--probe=";
    const runner::ProgramRun run =
        runner::run_program(find_worker_program(), word + file.string(), kWorkerNs, &stop.level());
    if (run.was_stopped) {
      throw Stopped();
    }
    if (const std::string problem = run.problem(); !problem.empty()) {
      return probe::worker_numbers_missing("the worker failed: " + problem);
    }
    return probe::parse_numbers(read_file(file), "the worker's answer");
  } catch (const Error& error) {
    return probe::worker_numbers_missing(error.what());
  }
}

// Of its own, so that nothing is left behind.
class ScratchFolder {
 public:
  ScratchFolder() : path_(machine::cache_folder() / ("probe-" + std::to_string(getpid()))) {
    machine::make_private_folder(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

ProbeRecord measure(const machine::MachineFacts& machine,
                    const Flags& flags,
                    bool is_quiet,
                    const Interruption& interruption) {
  const Steps steps(is_quiet, interruption);
  const std::int64_t start_ns = monotonic_ns();
  ProbeRecord record;
  record.machine = gate::probed_machine_id(machine);
  record.cpu_model = machine.cpu_model;
  record.utc = utc_now();
  record.tune_version = version();
  record.is_quick = flags.is_quick;
  const ScratchFolder folder;
  record.numbers =
      probe::probe_machine(folder.path(),
                           {.is_quick = flags.is_quick, .deadline_ns = start_ns + kMachineNs},
                           [&](const std::string& what) { steps.begin(what); });
  steps.begin("matrix products and small operators");
  const auto more = ask_worker(folder.path(), flags.is_quick, interruption);
  record.numbers.insert(record.numbers.end(), more.begin(), more.end());
  record.seconds = static_cast<double>(monotonic_ns() - start_ns) * 1e-9;
  return record;
}

void print(const ProbeRecord& record, const Flags& flags) {
  std::cout << (flags.as_json    ? probe::to_json(record)
                : flags.as_plain ? probe_rows(record)
                                 : probe_table(record))
            << std::flush;
}

ExitCode show_stored(const machine::MachineFacts& machine, const Flags& flags) {
  const std::string id = gate::probed_machine_id(machine);
  const auto record = probe::load_probe(machine::data_folder(), id);
  if (!record) {
    std::cerr << "this machine has not been probed yet: tune probe\n";
    return ExitCode::nothing_matched;
  }
  print(*record, flags);
  return ExitCode::fine;
}

ExitCode probe_command(const Flags& flags, bool is_quiet) {
  const machine::MachineFacts machine = machine::read_machine_facts("/");
  if (flags.only_show) {
    return show_stored(machine, flags);
  }
  const auto lock = lock_machine("tune probe");
  if (!lock) {
    return ExitCode::not_available;
  }
  const Interruption interruption;
  try {
    const ProbeRecord record = measure(machine, flags, is_quiet, interruption);
    const fs::path kept = probe::store_probe(machine::data_folder(), record);
    if (!kept.empty()) {
      std::cerr << "warning: the stored probe could not be read; it is kept as " << kept.string()
                << "\n";
    }
    print(record, flags);
    if (!flags.as_json && !flags.as_plain) {
      std::cout << "stored: " << probe::probe_file(machine::data_folder(), record.machine).string()
                << "\n";
    }
    return ExitCode::fine;
  } catch (const Stopped&) {
    std::cerr << "interrupted; nothing was stored\n";
    return interruption.exit_code();
  }
}

}  // namespace

void add_probe(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"probe",
       "Measures the limits of this machine in at most a minute: memory, page faults, decoding, "
       "disk, matrix products, small operators. Stores them for predictions and reports.",
       {"tune probe", "tune probe --show --json"}});
  const auto flags = std::make_shared<Flags>();
  command.add_flag("--show", flags->only_show, "What is stored; measures nothing");
  command.add_flag("--quick", flags->is_quick, "In a few seconds, noisier");
  CLI::Option* const json = command.add_flag("--json", flags->as_json, "As JSON");
  command
      .add_flag("--plain",
                flags->as_plain,
                "Tab-separated: id, label, value, unit, noise, repetitions, why there is no value")
      ->excludes(json);
  command.callback([&invocation, flags] {
    invocation.run = [&invocation, flags] { return probe_command(*flags, invocation.quiet); };
  });
}

}  // namespace tune::cli
