#include "cli/script_scenario.h"

#include "base/file.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/observe_script.h"
#include "report/number_text.h"
#include "scenario/machine.h"
#include "scenario/plan.h"
#include "trial/window_sums.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

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
  const trial::WindowSums window = trial::window_sums(reply.slices);
  return window.per_step_s(window.wall_ns).value_or(0) * 1e3;
}

double wait_share(const trial::TrialReply& reply) {
  const trial::WindowSums window = trial::window_sums(reply.slices);
  return window.wall_ns > 0 ? window.data_wait_ns() / window.wall_ns : 0;
}

// ---------------------------------------------------------------------------------- the scenario

std::vector<std::int64_t> worker_counts(const machine::MachineFacts& machine) {
  std::vector<std::int64_t> counts = {0};
  for (std::int64_t count = 1; count <= std::min<std::int64_t>(machine.cpus, 16); count *= 2) {
    counts.push_back(count);
  }
  return counts;
}

struct Axis {
  std::string knob;
  std::vector<trial::KnobValue> values;
  std::string why;
};

class Grid {
 public:
  explicit Grid(const ObservedScript& observed)
      : seen_(*observed.reply.script),
        machine_(observed.machine),
        worker_costs_(observed.worker_costs),
        is_on_gpu_(observed.reply.facts.device == "cuda"),
        waits_(wait_share(observed.reply) > kMuchWaiting) {
    add_loader();
    add_precision();
    add_model();
    add_threads();
    add_numbers();
  }

  const std::vector<Axis>& axes() const { return axes_; }
  bool is_on_gpu() const { return is_on_gpu_; }

 private:
  // The script's own value first: what it has switched on may be what makes it slow.
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
    std::vector<std::int64_t> counts = worker_counts(machine_);
    if (worker_costs_) {
      counts = worth_trying(*worker_costs_, counts);
    }
    std::vector<trial::KnobValue> workers(counts.begin(), counts.end());
    const std::string place = place_text(seen_, "loader");
    add("num_workers", std::move(workers), place.empty() ? "" : "the loader of " + place);
    if (seen_value(seen_, "batch_fetch") != nullptr) {
      add("batch_fetch", {true}, "its dataset can give a batch at once");
    }
    if (waits_ && seen_value(seen_, "preload") != nullptr) {
      add("preload", {true}, "where the samples fit into memory, and are the same each time");
    }
    if (is_on_gpu_) {
      add("pin_memory", {true, false}, "");
      add("non_blocking", {true, false}, "copies from page-locked memory");
    }
  }

  void add_precision() {
    std::vector<trial::KnobValue> types = {std::string("none")};
    if (is_on_gpu_ || scenario::has_bf16(machine_)) {
      types.insert(types.begin(), std::string("bf16"));
    }
    add("amp", std::move(types), "changes numerics");
    if (is_on_gpu_) {
      add("matmul_precision", {std::string("high")}, "TF32: changes numerics a little");
    }
  }

  void add_model() {
    if (seen_value(seen_, "channels_last") != nullptr) {
      add("channels_last", {true, false}, "");
      if (is_on_gpu_) {
        add("cudnn_benchmark", {true, false}, "");
      }
    }
    if (const auto* const own = seen_value(seen_, "optimizer_impl")) {
      const bool is_fused = *own == trial::KnobValue(std::string("fused"));
      const std::string without = is_on_gpu_ ? "foreach" : "loop";
      add("optimizer_impl", {is_fused ? without : "fused"}, "");
    }
    if (seen_value(seen_, "compile") != nullptr) {
      add("compile",
          {std::string("none")},
          "the script calls torch.compile; shapes that change undo what it gains");
    }
    if (seen_value(seen_, "sdpa") != nullptr) {
      add("sdpa", {std::string("auto")}, "");
    }
    if (seen_value(seen_, "deterministic") != nullptr) {
      add("deterministic", {false}, "equal results each time cost speed");
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

  void add_numbers() {
    if (seen_.denormal_ratio.value_or(0) > kManyDenormals) {
      add("flush_denormal", {true}, "the model holds denormal numbers; changes numerics");
    }
    if (seen_.collector_ratio.value_or(0) > kMuchCollecting) {
      add("gc", {std::string("freeze")}, "Python's garbage collector takes time");
    }
  }

  const trial::SeenScript& seen_;
  const machine::MachineFacts& machine_;
  const std::optional<WorkerCosts>& worker_costs_;
  // From where on a trial is worth its time: a part of a step, of the numbers, of the window.
  static constexpr double kMuchWaiting = 0.2, kManyDenormals = 1e-4, kMuchCollecting = 0.01;
  bool is_on_gpu_, waits_;
  std::vector<Axis> axes_;
};

// Nine notes cost about 13 us, three parts in a thousand of this.
constexpr double kShortStepMs = 4;

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

// Relative where one is within the other: they belong to one project.
std::string path_from(const std::string& place, const std::string& path) {
  const bool is_near = !place.empty() && (is_within(path, place) || is_within(place, path));
  return is_near ? fs::path(path).lexically_relative(place).string() : path;
}

std::string command_text(const trial::Script& script) {
  return "[" + joined(script.command, quoted_text) + "]";
}

// Folders outside of the script's own that it writes to: where a run of the user's would keep its
// results. What is in a cache or a temporary folder is meant to be there.
std::vector<std::string> other_folders(const ObservedScript& observed) {
  const char* const home = std::getenv("HOME");
  const std::string cache = home == nullptr ? "" : std::string(home) + "/.cache/";
  const std::string own = observed.workload.script.folder + "/";
  std::vector<std::string> folders;
  for (const std::string& written : observed.reply.script->written) {
    const bool is_temporary = written.starts_with("/tmp/") || written.starts_with("/var/tmp/") ||
                              written.starts_with("/dev/shm/") || written.starts_with("/run/");
    if (!written.starts_with('/') || written.starts_with(own) || is_temporary ||
        (!cache.empty() && written.starts_with(cache))) {
      continue;
    }
    const std::string folder = fs::path(written).parent_path().string();
    std::error_code failed;
    if (folder != "/" && fs::is_directory(folder, failed) &&
        std::find(folders.begin(), folders.end(), folder) == folders.end()) {
      folders.push_back(folder);
    }
  }
  return folders;
}

std::string shield_text(const ObservedScript& observed, bool is_placed) {
  const trial::Script& script = observed.workload.script;
  std::vector<std::string> folders = script.shield;
  if (folders.empty()) {
    return "  shield: []  # every trial writes the script's files\n";
  }
  for (const std::string& other : other_folders(observed)) {
    folders.push_back(other);
  }
  for (std::string& folder : folders) {
    folder = path_from(is_placed ? script.folder : "", folder);
  }
  return "  # What a trial writes in these folders is gone with it.\n  shield: [" +
         joined(folders, quoted_text) + "]\n";
}

std::int64_t trial_timeout_ns(const ObservedScript& observed) {
  constexpr std::int64_t kLeastNs = 120'000'000'000;
  constexpr std::int64_t kMinuteNs = 60'000'000'000, kSteps = 100;
  const auto step_ns = static_cast<std::int64_t>(milliseconds_per_step(observed.reply) * 1e6);
  const std::int64_t wanted_ns = 3 * observed.every_trial_ns() + kSteps * step_ns;
  return std::max(kLeastNs, (wanted_ns / kMinuteNs + 1) * kMinuteNs);
}

// A script that ends by itself is measured by steps: a part of them warms up, most are slices.
std::string measure_text(const ObservedScript& observed, std::optional<std::int64_t> slice_ms) {
  const std::string timeout =
      "trial_timeout: " + std::to_string(trial_timeout_ns(observed) / 1'000'000'000) + "s";
  const auto& ended_after = observed.reply.script->ended_after_steps;
  if (!ended_after) {
    const std::string slice = slice_ms ? "slice: " + std::to_string(*slice_ms) + "ms, " : "";
    return "measure: {" + slice + timeout + "}\n";
  }
  constexpr std::int64_t kParts = 8, kSlices = 5;
  const std::int64_t part = std::max<std::int64_t>(1, *ended_after / kParts);
  return "# It ends by itself after " + std::to_string(*ended_after) +
         " steps; with more epochs tune finds the warm-up and measures longer.\nmeasure: "
         "{warmup: " +
         std::to_string(part) + ", slices: " + std::to_string(kSlices) +
         ", slice: 1ms, slice_steps: " + std::to_string(part) + ", " + timeout + "}\n";
}

}  // namespace

std::string command_line(const trial::Script& script) {
  std::string text;
  const bool is_line = script.command.size() == 3 && script.command[1] == "-c";
  for (const std::string& word : is_line ? std::vector{script.command[2]} : script.command) {
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

std::vector<std::string> summary_of(const ObservedScript& observed) {
  const trial::TrialReply& reply = observed.reply;
  const trial::SeenScript& seen = *reply.script;
  std::vector<std::string> lines = {
      "Python " + seen.python + ", torch " + reply.facts.torch_version + ", on the " +
          (reply.facts.device == "cuda" ? "GPU" : "CPU"),
      "a first, short look: " + format_seconds(milliseconds_per_step(reply) * 1e-3) + " a step, " +
          report::number_text(trial::throughput(reply).value_or(0)) + " samples/s, " +
          report::share_text(wait_share(reply)) + " of a step waiting for data, " +
          format_time(observed.setup_ns) + " to the first step" +
          (observed.compiles_first()
               ? "; the first steps take " + format_time(observed.settling_ns) + " longer"
               : "")};
  std::string loader;
  for (const char* const knob : {"batch_size", "num_workers", "pin_memory"}) {
    if (const auto* const value = seen_value(seen, knob)) {
      loader += (loader.empty() ? "" : ", ") + std::string(knob) + " " + trial::to_text(*value);
    }
  }
  const std::string place = place_text(seen, "loader");
  lines.push_back(
      loader.empty()
          ? "no DataLoader feeds its steps"
          : "DataLoader" + (place.empty() ? "" : " of " + place) + ": " + loader +
                (seen.no_preload.empty() ? "" : "; cannot be preloaded: " + seen.no_preload));
  if (observed.worker_costs) {
    for (std::string& line : curve_lines(*observed.worker_costs, worker_counts(observed.machine))) {
      lines.push_back(std::move(line));
    }
  }
  if (seen.ended_after_steps) {
    lines.push_back("it ended by itself after " + std::to_string(*seen.ended_after_steps) +
                    " steps: more epochs would be measured better");
  }
  return lines;
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

std::string scenario_of(const ObservedScript& observed,
                        const std::string& name,
                        const std::string& place,
                        std::optional<std::int64_t> slice_ms) {
  const trial::Script& script = observed.workload.script;
  const Grid grid(observed);
  std::string text = "# " + one_line(command_line(script)) + "\n";
  for (const std::string& line : summary_of(observed)) {
    text += "# " + line + "\n";
  }
  text += "tune: 1\nname: " + name + "\nworkload:\n";
  text += "  command: " + command_text(script) + "\n";
  text += "  cwd: " + quoted_text(path_from(place, script.folder)) + "\n";
  text += script.count == "steps" ? "" : "  count: " + script.count + "\n";
  text += "  device: " + observed.workload.device + "\n";
  if (milliseconds_per_step(observed.reply) < kShortStepMs) {
    text += "  parts: false  # noting the parts of so short a step would slow it down\n";
  }
  text += shield_text(observed, !place.empty());
  if (observed.every_trial_ns() > scenario::start_up_ns(observed.workload, grid.is_on_gpu())) {
    text +=
        "  setup: " + std::to_string(observed.every_trial_ns() / 1'000'000) + "ms  # to its " +
        (observed.compiles_first() ? "first steps and in them, as by compiling" : "first step") +
        "; every trial takes it too\n";
  }
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
      "  # batch_size: [...] needs an option of the script's own: "
      "flags: {batch_size: \"--batch-size {}\"}\n";
  text += measure_text(observed, slice_ms);
  text += "search: {budget: 15m}\n";
  return text;
}

}  // namespace tune::cli
