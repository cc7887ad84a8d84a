#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "cli/commands.h"
#include "cli/embedded_texts.h"
#include "cli/flags.h"
#include "cli/interruption.h"
#include "cli/machine_lock.h"
#include "cli/open_run.h"
#include "cli/terminal.h"
#include "cli/trial_machine.h"
#include "machine/machine_facts.h"
#include "machine/probe/machine_probe.h"
#include "machine/probe/probe_record.h"
#include "machine/user_folders.h"
#include "measure/gate/fingerprint.h"
#include "measure/runner/run_program.h"
#include "report/number_text.h"
#include "report/quantity_text.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace tune::cli {

namespace {

constexpr double kNoisy = 0.05;  // half of the middle half of the repetitions

std::string what_text(const probe::Number& number) {
  static const std::map<std::string, std::string> kNames = {
      {"memory_copy_rate", "memory copy, read + written"},
      {"page_fault_rate", "page faults of 4 KiB"},
      {"decode_time_per_kb", "JPEG decoding, by bytes"},
      {"decode_time_per_kpx", "JPEG decoding, by pixels"},
      {"disk_read_rate", "disk read"},
      {"matmul_flop_rate", "matrix product"},
      {"operator_time", "small operator"},
      {"h2d_rate", "copy to the GPU"},
      {"d2h_rate", "copy from the GPU"}};
  const auto name = kNames.find(number.id);
  std::string text = name == kNames.end() ? number.id : name->second;
  if (!number.label.empty()) {
    text += ", " + number.label;
  }
  return text;
}

// The limits as a table, how noisy each of them is, and what was not measured and why.
std::string probe_table(const probe::ProbeRecord& record) {
  std::ostringstream text;
  std::size_t width = 0;
  for (const probe::Number& number : record.numbers) {
    width = std::max(width, what_text(number).size());
  }
  text << "Limits of this machine" << (record.cpu_model.empty() ? "" : ": " + record.cpu_model)
       << "\n\n";
  for (const probe::Number& number : record.numbers) {
    if (number.value) {
      text << "  " << std::left << std::setw(static_cast<int>(width)) << what_text(number)
           << std::right << std::setw(14) << report::quantity_text(*number.value, number.unit)
           << "  +- " << report::share_text(number.noise)
           << (number.noise > kNoisy ? "  noisy" : "") << "\n";
    }
  }
  std::vector<std::string> missing;
  for (const probe::Number& number : record.numbers) {
    if (!number.value) {
      missing.push_back(what_text(number) + ": " + number.reason);
    }
  }
  if (!missing.empty()) {
    text << "\nNot measured\n";
    for (const std::string& line : missing) {
      text << "  " << line << "\n";
    }
  }
  text << "\nMeasured " << record.utc << " in " << format_seconds(record.seconds)
       << (record.is_quick ? " (--quick)" : "")
       << "; medians, +- half of the middle 50 % of the repetitions (of decoding: median error of "
          "the fit).\n";
  return text.str();
}

// --plain: id, label, value, unit, noise, n, reason; one line a number.
std::string probe_rows(const probe::ProbeRecord& record) {
  std::string rows;
  for (const probe::Number& number : record.numbers) {
    std::ostringstream value, noise;
    value << std::setprecision(10);
    if (number.value) {
      value << *number.value;
      noise << number.noise;
    }
    rows += plain_row({number.id,
                       number.label,
                       value.str(),
                       number.unit,
                       noise.str(),
                       std::to_string(number.n),
                       number.reason});
  }
  return rows;
}

namespace fs = std::filesystem;
using probe::ProbeRecord;

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kMachineNs = 25 * kSecondNs;  // and as much for the worker: 60 s in all
constexpr std::int64_t kWorkerNs = 30 * kSecondNs;

struct Flags {
  bool as_json = false, as_plain = false, is_quick = false, only_show = false;
  bool is_dry_run = false, waits = false;
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
std::vector<probe::Number> ask_worker(const fs::path& folder,
                                      bool is_quick,
                                      const Interruption& stop) {
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

// A folder of its own, so that nothing is left behind.
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
  if (flags.is_dry_run) {
    std::cout
        << "would measure this machine for "
        << (flags.is_quick ? "a few seconds" : "at most a minute") << " and store "
        << probe::probe_file(machine::data_folder(), gate::probed_machine_id(machine)).string()
        << "\n";
    return ExitCode::fine;
  }
  const auto lock = lock_machine("tune probe", flags.waits);
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
  command.add_flag(
      "-n,--dry-run", flags->is_dry_run, "Say what would be stored where, measure nothing");
  add_wait_flag(command, flags->waits);
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
