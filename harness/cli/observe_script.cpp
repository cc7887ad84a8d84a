#include "cli/observe_script.h"

#include "base/error.h"
#include "base/units.h"
#include "cli/interruption.h"
#include "cli/prepare_inputs.h"
#include "cli/standard_streams.h"
#include "cli/trial_machine.h"
#include "machine/machine_facts.h"
#include "machine/user_folders.h"
#include "measure/runner/run_trial.h"
#include "scenario/machine.h"
#include "scenario/read_script.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <unistd.h>
#include <utility>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

// ---------------------------------------------------------------------------------- the trial

// Of this process alone; gone with the object.
class ObservationFolder {
 public:
  ObservationFolder()
      : path_(machine::runtime_folder() / ("observed-" + std::to_string(getpid()))) {
    machine::make_private_folder(path_);
  }
  ~ObservationFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ObservationFolder(const ObservationFolder&) = delete;
  ObservationFolder& operator=(const ObservationFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

trial::TrialSpec observing_spec(const trial::Workload& workload,
                                std::int64_t timeout_ns,
                                const fs::path& folder) {
  trial::TrialSpec spec;
  spec.id = "observed";
  spec.cell = "baseline";
  spec.workload = workload;
  spec.workload.script.is_watched = true;
  spec.data.source = "script";
  spec.knobs = trial::default_settings();
  for (const auto& [knob, value] : workload.script.observed) {
    spec.knobs[knob] = value;
  }
  spec.measure = {
      .warmup_steps = 2, .warmup_ns = 0, .slices = 2, .slice_ns = 200'000'000, .slice_steps = 2};
  spec.timeout_ns = timeout_ns;
  spec.folder = (folder / spec.id).string();
  return spec;
}

std::string words_of(const trial::Script& script) {
  std::string text;
  const bool is_line = script.command.size() == 3 && script.command[1] == "-c";
  for (const std::string& word : is_line ? std::vector{script.command[2]} : script.command) {
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

// The script's own last words, where it has some.
[[noreturn]] void refuse(const trial::Workload& workload, const runner::TrialOutcome& outcome) {
  if (!outcome.stderr_tail.empty()) {
    std::cerr << outcome.stderr_tail << (outcome.stderr_tail.ends_with('\n') ? "" : "\n");
  }
  throw Error(Error::Parts{words_of(workload.script), "cannot be measured", outcome.reason, ""});
}

std::string number_text(double number) {
  std::string text = std::to_string(number);
  return text.substr(0, text.find('.') + 2);
}

// ---------------------------------------------------------------------------------- what was seen

const trial::KnobValue* seen_value(const trial::SeenScript& seen, const char* knob) {
  const auto found = seen.observed.find(knob);
  return found == seen.observed.end() ? nullptr : &found->second;
}

std::string place_text(const trial::SeenScript& seen, std::string_view what) {
  const auto place = std::find_if(
      seen.places.begin(), seen.places.end(), [&](const auto& each) { return each.what == what; });
  return place == seen.places.end()
             ? ""
             : fs::path(place->file).filename().string() + ":" + std::to_string(place->line);
}

double milliseconds_per_step(const trial::TrialReply& reply) {
  std::int64_t wall_ns = 0, steps = 0;
  for (const trial::Slice& slice : reply.slices) {
    wall_ns += slice.wall_ns;
    steps += slice.steps;
  }
  return steps == 0 ? 0 : static_cast<double>(wall_ns) / static_cast<double>(steps) / 1e6;
}

double wait_share(const trial::TrialReply& reply) {
  std::int64_t wall_ns = 0, wait_ns = 0;
  for (const trial::Slice& slice : reply.slices) {
    wall_ns += slice.wall_ns;
    wait_ns += slice.phases.data_wait_ns;
  }
  return wall_ns == 0 ? 0 : static_cast<double>(wait_ns) / static_cast<double>(wall_ns);
}

// A few lines: what one would want to be wrong about before an hour of trials.
std::vector<std::string> summary(const ObservedScript& observed) {
  const trial::TrialReply& reply = observed.reply;
  const trial::SeenScript& seen = *reply.script;
  std::vector<std::string> lines;
  lines.push_back("Python " + seen.python + ", torch " + reply.facts.torch_version + ", on the " +
                  (reply.facts.device == "cuda" ? "GPU" : "CPU"));
  const auto rate = trial::throughput(reply);
  lines.push_back(number_text(milliseconds_per_step(reply)) + " ms a step, " +
                  number_text(rate.value_or(0)) + " samples/s, " +
                  number_text(100 * wait_share(reply)) + " % of it waiting for data; " +
                  format_time(observed.setup_ns) + " to the first step");
  std::string loader;
  for (const char* const knob : {"batch_size", "num_workers", "pin_memory"}) {
    if (const auto* const value = seen_value(seen, knob)) {
      loader += (loader.empty() ? "" : ", ") + std::string(knob) + " " + trial::to_text(*value);
    }
  }
  const std::string place = place_text(seen, "loader");
  lines.push_back(loader.empty()
                      ? "no DataLoader feeds its steps"
                      : "DataLoader" + (place.empty() ? "" : " of " + place) + ": " + loader);
  return lines;
}

// ---------------------------------------------------------------------------------- the scenario

struct Axis {
  std::string knob;
  std::vector<trial::KnobValue> values;
  std::string why;
};

class Grid {
 public:
  Grid(const ObservedScript& observed, const machine::MachineFacts& machine)
      : seen_(*observed.reply.script),
        machine_(machine),
        is_on_gpu_(observed.reply.facts.device == "cuda") {
    add_loader();
    add_precision();
    add_model();
    add_threads();
  }

  const std::vector<Axis>& axes() const { return axes_; }

 private:
  // The script's own value first.
  void add(const char* knob, std::vector<trial::KnobValue> values, std::string why) {
    if (const auto* const own = seen_value(seen_, knob)) {
      values.insert(values.begin(), *own);
    } else {
      values.insert(values.begin(), trial::find_knob(knob)->default_value);
    }
    std::vector<trial::KnobValue> different;
    for (const trial::KnobValue& value : values) {
      if (std::find(different.begin(), different.end(), value) == different.end()) {
        different.push_back(value);
      }
    }
    if (different.size() > 1) {
      axes_.push_back({knob, std::move(different), std::move(why)});
    }
  }

  void add_loader() {
    if (seen_value(seen_, "num_workers") == nullptr) {
      return;
    }
    std::vector<trial::KnobValue> workers = {std::int64_t{0}};
    for (std::int64_t count = 1; count <= std::min<std::int64_t>(machine_.cpus, 16); count *= 2) {
      workers.emplace_back(count);
    }
    const std::string place = place_text(seen_, "loader");
    add("num_workers", std::move(workers), place.empty() ? "" : "the loader of " + place);
    if (is_on_gpu_) {
      add("pin_memory", {true}, "");
      add("non_blocking", {true}, "copies from page-locked memory");
    }
  }

  void add_precision() {
    if (is_on_gpu_ || scenario::has_bf16(machine_)) {
      add("amp", {std::string("bf16")}, "changes numerics");
    }
    if (is_on_gpu_) {
      add("matmul_precision", {std::string("high")}, "TF32: changes numerics a little");
    }
  }

  void add_model() {
    if (seen_value(seen_, "channels_last") != nullptr) {
      add("channels_last", {true}, "");
      if (is_on_gpu_) {
        add("cudnn_benchmark", {true}, "");
      }
    }
    if (seen_value(seen_, "optimizer_impl") != nullptr) {
      add("optimizer_impl", {std::string("fused")}, "");
    }
  }

  void add_threads() {
    if (is_on_gpu_ || machine_.cpus < 2) {
      return;
    }
    const std::int64_t cores = std::min(machine_.physical_cores, machine_.cpus);
    add("intra_op_threads",
        {std::max<std::int64_t>(1, cores / 2), std::max<std::int64_t>(1, cores)},
        "");
  }

  const trial::SeenScript& seen_;
  const machine::MachineFacts& machine_;
  bool is_on_gpu_;
  std::vector<Axis> axes_;
};

std::string quoted_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// A word that YAML could take for something else is quoted.
std::string yaml_text(const trial::KnobValue& value) {
  const auto* const text = std::get_if<std::string>(&value);
  return text == nullptr ? trial::to_text(value) : quoted_text(*text);
}

template <class Items, class Text>
std::string joined(const Items& items, Text text) {
  std::string list;
  for (const auto& item : items) {
    list += (list.empty() ? "" : ", ") + text(item);
  }
  return list;
}

std::string command_text(const trial::Script& script) {
  return "[" + joined(script.command, quoted_text) + "]";
}

// Each trial costs what it takes to its first step, and then its warm-up and slices.
std::int64_t trial_timeout_ns(const ObservedScript& observed) {
  constexpr std::int64_t kLeastNs = 120'000'000'000;
  constexpr std::int64_t kMinuteNs = 60'000'000'000;
  const auto step_ns = static_cast<std::int64_t>(milliseconds_per_step(observed.reply) * 1e6);
  constexpr std::int64_t kSteps = 100;
  const std::int64_t wanted_ns = 3 * observed.setup_ns + kSteps * step_ns;
  return std::max(kLeastNs, (wanted_ns / kMinuteNs + 1) * kMinuteNs);
}

}  // namespace

trial::Workload workload_of(const std::vector<std::string>& command) {
  trial::Workload workload;
  workload.script.command = command;
  workload.script.folder = fs::current_path().string();
  workload.model = "script:" + trial::script_name(command);
  return workload;
}

std::string scenario_name(const trial::Workload& workload) {
  constexpr std::size_t kLongest = 40;
  std::string name;
  const std::string file = workload.model.substr(workload.model.find(':') + 1);
  for (const char c : fs::path(file).stem().string()) {
    const bool is_digit = c >= '0' && c <= '9';
    const bool is_small = c >= 'a' && c <= 'z';
    const bool is_large = c >= 'A' && c <= 'Z';
    if (is_digit || is_small || is_large) {
      name += is_large ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  name = name.substr(0, kLongest);
  while (name.ends_with('-')) {
    name.pop_back();
  }
  return name.empty() ? "script" : name;
}

ObservedScript observe_script(const trial::Workload& workload,
                              std::int64_t timeout_ns,
                              bool quiet) {
  if (!quiet) {
    std::cerr << "looking at " << words_of(workload.script) << " for a few steps, unchanged\n";
  }
  const ObservationFolder folder;
  const Interruption interruption;
  runner::RunOptions options;
  options.worker = find_worker_program(workload);
  options.stop = &interruption.level();
  const trial::TrialSpec spec = observing_spec(workload, timeout_ns, folder.path());
  const runner::TrialOutcome outcome = runner::run_trial(spec, options);
  if (outcome.kind == runner::OutcomeKind::interrupted) {
    throw PreparationInterrupted();
  }
  if (!outcome.reply || !outcome.reply->script) {
    refuse(workload, outcome);
  }
  ObservedScript observed;
  observed.workload = workload;
  observed.reply = *outcome.reply;
  observed.workload.script.observed = observed.reply.script->observed;
  observed.workload.device = observed.reply.facts.device;
  observed.whole_ns = outcome.end_ns - outcome.start_ns;
  for (const runner::PhaseArrival& arrival : outcome.arrivals) {
    if (arrival.phase == "first-batch") {
      observed.setup_ns = arrival.worker_ns - outcome.start_ns;
    }
  }
  if (!quiet) {
    for (const std::string& line : summary(observed)) {
      std::cerr << "  " << line << "\n";
    }
    for (const std::string& note : observed.reply.script->notes) {
      std::cerr << "  note: " << note << "\n";
    }
  }
  return observed;
}

std::string scenario_of(const ObservedScript& observed, const std::string& name) {
  const trial::Script& script = observed.workload.script;
  const machine::MachineFacts machine = machine::read_machine_facts("/");
  const Grid grid(observed, machine);
  std::string text;
  text += "# " + words_of(script) + "\n";
  for (const std::string& line : summary(observed)) {
    text += "# " + line + "\n";
  }
  text += "tune: 1\nname: " + name + "\nworkload:\n";
  text += "  command: " + command_text(script) + "\n";
  text += "  cwd: " + quoted_text(script.folder) + "\n";
  text += "  device: " + observed.workload.device + "\n";
  text += "  # What the script does by itself; a trial changes what differs.\n  observed: {" +
          joined(script.observed,
                 [](const auto& knob) { return knob.first + ": " + yaml_text(knob.second); }) +
          "}\n";
  text += "grid:\n";
  for (const Axis& axis : grid.axes()) {
    text += "  " + axis.knob + ": [" + joined(axis.values, yaml_text) + "]" +
            (axis.why.empty() ? "" : "  # " + axis.why) + "\n";
  }
  text +=
      "  # batch_size: [...] needs an option of the script's own: flags: {batch_size: "
      "\"--batch-size "
      "{}\"}\n";
  text += "measure: {trial_timeout: " + std::to_string(trial_timeout_ns(observed) / 1'000'000'000) +
          "s}\n";
  text += "search: {budget: 15m}\n";
  return text;
}

void observe_if_needed(const std::string& file, bool quiet) {
  const scenario::Scenario scenario = read_named_scenario(file);
  if (!scenario.workload.script.exists() || !scenario.workload.script.observed.empty()) {
    return;
  }
  const ObservedScript observed =
      observe_script(scenario.workload, scenario.trial_timeout_ns, quiet);
  set_scenario_text(
      file,
      scenario::with_observed(
          scenario.text, observed.workload.script.observed, observed.workload.device));
}

}  // namespace tune::cli
