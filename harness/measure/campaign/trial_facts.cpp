#include "measure/campaign/trial_facts.h"

#include "advice/rule/known_name.h"
#include "base/stats/quantile.h"
#include "measure/campaign/measured_facts.h"
#include "measure/campaign/warmup.h"
#include "measure/campaign/window_facts.h"
#include "scenario/machine.h"
#include "trial/environment_knob.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace tune::campaign {

namespace {

using expression::Dimension;
using expression::Result;
using expression::Unknown;
using expression::Value;
using machine::MachineFacts;

constexpr Dimension kTime{.time = 1};
constexpr Dimension kRate{.time = -1};
constexpr Dimension kBytes{.bytes = 1};
constexpr const char* kMeasured = "measure";

class TrialFacts {
 public:
  TrialFacts(const TrialRecord& record,
             const std::vector<const TrialRecord*>& measured,
             const MachineFacts& machine,
             rule::FactTable& facts)
      : spec_(record.spec),
        reply_(*record.outcome.reply),
        measured_(measured),
        machine_(machine::within_isa(machine, onednn_isa())),
        facts_(facts),
        source_("trial " + record.spec.id) {}

  void add() {
    add_settings();
    add_machine();
    if (window_.steps > 0 && wall_s_ > 0) {
      add_measured_facts(measured_, facts_);
      add_process();
      add_script(reply_, source_, facts_);
    }
    add_loader();
    add_structure();
    add_gpu();
  }

 private:
  std::string onednn_isa() const {
    const auto variables = trial::variables_of(spec_.knobs);
    const auto set = variables.find("ONEDNN_MAX_CPU_ISA");
    return set != variables.end() ? set->second : reply_.script ? reply_.script->onednn_isa : "";
  }

  void set(const char* name, Value value, const char* window = kMeasured) {
    facts_.set(name, {.result = std::move(value), .source = source_, .window = window});
  }
  void set(const char* name, double value, Dimension dimension = {}) {
    set(name, Value::of(value, dimension));
  }
  void set_known(const char* name, const std::optional<double>& value, const char* reason) {
    const Result result = value ? Result(Value::of(*value)) : Result(Unknown{reason});
    facts_.set(name, {.result = result, .source = source_, .window = kMeasured});
  }

  void add_settings() {
    const bool loads = spec_.data.source != "plugin";
    for (const auto& [name, value] : spec_.knobs) {
      if (trial::is_knob_of_the_user(name)) {
        continue;  // no rule knows it
      }
      Result result = to_expression(value);
      if (!loads && trial::is_loader_knob(name)) {
        result = Unknown{"the plug-in makes its own batches"};
      }
      facts_.set(name, {.result = std::move(result), .source = source_});
    }
    // 0 leaves the number to LibTorch: what it took is what counts.
    set("intra_op_threads", Value::of(static_cast<double>(reply_.facts.intra_op_threads)), "");
    if (loads) {  // each thread of a loader computes alone (worker/data/loader_threads)
      set("worker_intra_op_threads", Value::of(1.0), "");
    }
    add_optimizer();
    set("log_every", Value::of(static_cast<double>(spec_.workload.log_every)), "");
    set("checkpoint_every", Value::of(static_cast<double>(spec_.workload.checkpoint_every)), "");
  }

  void add_optimizer() {
    const trial::Workload& workload = spec_.workload;
    const std::string of_script = reply_.script ? reply_.script->optimizer : "";
    const std::string name = workload.script.exists()        ? of_script
                             : workload.optimizer == "adamw" ? "AdamW"
                                                             : "SGD";
    if (!name.empty() && workload.task != "infer") {
      set("optimizer_class", Value::of(name), "");
    }
  }

  static Value to_expression(const trial::KnobValue& value) {
    if (const auto* const flag = std::get_if<bool>(&value)) {
      return Value::of(*flag);
    }
    if (const auto* const number = std::get_if<std::int64_t>(&value)) {
      return Value::of(static_cast<double>(*number));
    }
    return Value::of(std::get<std::string>(value));
  }

  void add_machine() {
    for (const auto& [name, known] : rule::known_names()) {
      if (known.origin == rule::Origin::machine && scenario::forbid_names().contains(name)) {
        facts_.set(name,
                   {.result = scenario::forbid_value(name, spec_.knobs, machine_),
                    .source = "this machine"});
      }
    }
    set("device", Value::of(reply_.facts.device), "");
    set("usable_cores", Value::of(static_cast<double>(reply_.facts.cpus.size())), "");
    set("cpu_capability", Value::of(reply_.facts.cpu_capability), "");
    set("amx_bf16", Value::of(scenario::has_cpu_flag(machine_, "amx_bf16")), "");
    set("avx512_bf16", Value::of(scenario::has_cpu_flag(machine_, "avx512_bf16")), "");
    set_known("cpu_quota", machine_.cgroup_cpus, "no quota limits what this process may use");
    if (reply_.facts.device == "cpu") {
      set("host_ratio", Value::of(1.0), "");  // there is nothing else that computes
    }
    if (machine_.governor) {
      set("governor", Value::of(*machine_.governor), "");
    }
    if (machine_.turbo) {
      set("turbo", Value::of(*machine_.turbo), "");
    }
    if (machine_.numa_nodes) {
      set("numa_nodes", Value::of(static_cast<double>(*machine_.numa_nodes)), "");
      set("first_node_cpus", Value::of(machine_.first_node_cpus), "");
    }
    if (machine_.memory_limit_bytes > 0) {
      const auto memory = static_cast<double>(machine_.memory_limit_bytes);
      set("host_memory_bytes", Value::of(memory, kBytes), "");
      if (reply_.peak_memory_bytes > 0 && reply_.facts.device == "cpu") {
        set("peak_memory_ratio", static_cast<double>(reply_.peak_memory_bytes) / memory);
      }
    }
  }

  // The first slices against the last, so that a cold beginning shows.
  void add_halves() {
    const std::size_t half = reply_.slices.size() / 2;
    std::array<double, 2> samples{}, seconds{};
    for (std::size_t i = 0; i < half; ++i) {
      const std::array<const trial::Slice*, 2> pair = {
          &reply_.slices[i], &reply_.slices[reply_.slices.size() - 1 - i]};
      for (std::size_t side = 0; side < 2; ++side) {
        samples[side] += static_cast<double>(pair[side]->samples);
        seconds[side] += static_cast<double>(pair[side]->wall_ns) * 1e-9;
      }
    }
    if (seconds[0] > 0 && seconds[1] > 0) {
      set("early_rate", samples[0] / seconds[0], kRate);
      set("late_rate", samples[1] / seconds[1], kRate);
    }
  }

  void add_process() {
    add_halves();
    if (const auto dilation = trial::profiler_dilation(reply_)) {
      set("profiler_dilation_ratio", *dilation);
    }
    set("runnable_threads", static_cast<double>(reply_.facts.intra_op_threads) + workers());
    set("peak_memory_bytes", static_cast<double>(trial::peak_memory_bytes(reply_)), kBytes);
    add_growth();
    if (const auto check = check_warmup(reply_)) {
      set("steady_state", Value::of(check->is_steady()));
    }
  }

  // What the process held at the end of the last slice beyond what it held at the end of the first.
  void add_growth() {
    const auto held = [&](const trial::Slice& slice) { return slice.disturbance.resident_bytes; };
    const bool is_known =
        reply_.slices.size() > 1 && held(reply_.slices.front()) && held(reply_.slices.back());
    const char* const why = "the kernel does not report it, or there is only one slice";
    facts_.set(
        "allocation_growth_bytes",
        {.result = is_known ? Result(Value::of(
                                  std::max(0.0,
                                           static_cast<double>(*held(reply_.slices.back())) -
                                               static_cast<double>(*held(reply_.slices.front()))),
                                  kBytes))
                            : Result(Unknown{why}),
         .source = source_,
         .window = kMeasured});
  }

  void add_loader() {
    const trial::LoaderReport& loader = reply_.loader;
    add_loader_flow(reply_, workers() > 0, source_, facts_);
    if (loader.samples <= 0 || loader.decode_ns <= 0) {
      return;  // batches that stay in memory
    }
    set_known("crop_area_ratio", loader.crop_area_ratio, "the worker did not count it");
    const auto samples = static_cast<double>(loader.samples);
    const auto work_ns = static_cast<double>(loader.read_ns) +
                         static_cast<double>(loader.decode_ns) +
                         static_cast<double>(loader.resize_ns);
    set("loader_cpu_time", work_ns / samples * 1e-9, kTime);
    set("decode_time", static_cast<double>(loader.decode_ns) / samples * 1e-9, kTime);
    set_known("page_cache_residency_ratio",
              loader.resident_ratio,
              "the kernel does not report it, or there are no files");
    if (spec_.data.samples > 0) {
      add_epochs(static_cast<double>(spec_.data.samples));
    }
  }

  // `size`: samples of the data set.
  void add_epochs(double size) {
    const trial::LoaderReport& loader = reply_.loader;
    if (loader.bytes_read > 0) {
      const double bytes = static_cast<double>(loader.bytes_read);
      set("dataset_bytes", bytes / static_cast<double>(loader.samples) * size, kBytes);
    }
    if (window_.samples <= 0) {
      return;
    }
    set("epoch_time", size / window_.samples * wall_s_, kTime);
    std::vector<double> waits_ns;
    waits_ns.reserve(reply_.epoch_begins.size());
    for (const trial::EpochBegin& begin : reply_.epoch_begins) {
      waits_ns.push_back(static_cast<double>(begin.data_wait_ns));
    }
    if (waits_ns.empty()) {
      facts_.set(
          "worker_start_time",
          {.result = Unknown{"no epoch began in this trial but the first"}, .source = source_});
      return;
    }
    const double usual_ns = window_.data_wait_ns() / window_.steps;
    set("worker_start_time",
        std::max(0.0, stats::median(std::move(waits_ns)) - usual_ns) * 1e-9,
        kTime);
  }

  void add_structure() {
    if (!reply_.structure) {
      return;
    }
    const trial::Structure& step = *reply_.structure;
    set("operator_count",
        static_cast<double>(step.operators) + static_cast<double>(step.backward_operators));
    set("batch_bytes", static_cast<double>(step.batch_bytes), kBytes);
  }

  void add_gpu() {
    if (!reply_.facts.gpu) {
      return;
    }
    const trial::GpuFacts& gpu = *reply_.facts.gpu;
    set("compute_capability",
        Value::of(static_cast<double>(gpu.compute_major) +
                  static_cast<double>(gpu.compute_minor) / 10),
        "");
    set("driver_cuda_version", Value::of(static_cast<double>(gpu.driver_version)), "");
    set("cuda_version", Value::of(static_cast<double>(gpu.runtime_version)), "");
    if (gpu.cudnn_version > 0) {
      set("cudnn_version", Value::of(static_cast<double>(gpu.cudnn_version)), "");
    }
    add_tf32();
    if (reply_.device_memory) {
      const trial::DeviceMemory& memory = *reply_.device_memory;
      set("allocator_retry_count", static_cast<double>(memory.retries));
      if (gpu.memory_bytes > 0) {
        set("peak_memory_ratio",
            static_cast<double>(memory.peak_allocated_bytes) /
                static_cast<double>(gpu.memory_bytes));
      }
    }
  }

  void add_tf32() {
    const auto is = [&](const char* knob, const char* value) {
      const auto found = spec_.knobs.find(knob);
      return found != spec_.knobs.end() && found->second == trial::KnobValue(value);
    };
    const bool by_precision = is("tf32", "convolutions") && !is("matmul_precision", "highest");
    set("allow_tf32", Value::of(is("tf32", "all") || by_precision), "");
  }

  double workers() const {
    const auto knob = spec_.knobs.find("num_workers");
    const auto* const count =
        knob == spec_.knobs.end() ? nullptr : std::get_if<std::int64_t>(&knob->second);
    return count == nullptr ? 0 : static_cast<double>(*count);
  }

  const trial::TrialSpec& spec_;
  const trial::TrialReply& reply_;
  const std::vector<const TrialRecord*>& measured_;
  MachineFacts machine_;  ///< as oneDNN may use it
  rule::FactTable& facts_;
  std::string source_;
  const trial::WindowSums window_ = trial::window_sums(reply_.slices);
  const double wall_s_ = window_s(reply_.slices);
};

}  // namespace

void add_trial_facts(const TrialRecord& record,
                     const std::vector<const TrialRecord*>& measured,
                     const MachineFacts& machine,
                     rule::FactTable& facts) {
  if (record.outcome.reply) {
    TrialFacts(record, measured, machine, facts).add();
  }
}

void add_trial_facts(const TrialRecord& record,
                     const MachineFacts& machine,
                     rule::FactTable& facts) {
  add_trial_facts(record, {&record}, machine, facts);
}

}  // namespace tune::campaign
