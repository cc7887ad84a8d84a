#include "trial/trial_reply.h"

#include "base/fields.h"
#include "trial/knob_json.h"
#include "trial/reply_limits.h"
#include "trial/window_sums.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace tune::trial {

PhaseSums& PhaseSums::operator+=(const PhaseSums& more) {
  data_wait_ns += more.data_wait_ns;
  transfer_ns += more.transfer_ns;
  forward_ns += more.forward_ns;
  backward_ns += more.backward_ns;
  optimizer_ns += more.optimizer_ns;
  other_ns += more.other_ns;
  return *this;
}

namespace {

constexpr std::size_t kMostNamed = 100;
constexpr std::size_t kMostLosses = 1'000;
constexpr std::size_t kMostEpochs = 1'000;
constexpr std::size_t kMostKnobs = 64;
constexpr Range kStep = {0, 1'000'000'000};
constexpr double kMostRatio = 1e9, kLargestRatio = 1e6;

constexpr Columns<PhaseSums, 6> kParts = {{{"data_wait_ns", &PhaseSums::data_wait_ns},
                                           {"transfer_ns", &PhaseSums::transfer_ns},
                                           {"forward_ns", &PhaseSums::forward_ns},
                                           {"backward_ns", &PhaseSums::backward_ns},
                                           {"optimizer_ns", &PhaseSums::optimizer_ns},
                                           {"other_ns", &PhaseSums::other_ns}}};

}  // namespace

void fields_of(Fields& fields, WorkerFacts& facts) {
  fields.word("device", facts.device, {"cpu", "cuda"});
  fields.text("torch_version", facts.torch_version, 256);
  fields.text("cpu_capability", facts.cpu_capability, 256);
  fields.text("jpeg_version", facts.jpeg_version, 256);
  fields.whole("intra_op_threads", facts.intra_op_threads, {0, 65'536});
  fields.whole_list("cpus", facts.cpus, 8'192, {0, 65'536});
  fields.flag("bf16_supported", facts.bf16_supported);
  fields.flag("fp16_supported", facts.fp16_supported);
  fields.record_if_any("gpu", facts.gpu);
  if (fields.has("no_gpu", !facts.no_gpu.empty())) {
    fields.text("no_gpu", facts.no_gpu, 65'536);
  }
}

void fields_of(Fields& fields, PhaseSpan& span) {
  fields.text("name", span.name, 64);
  fields.whole("start_ns", span.start_ns, kMoment);
  fields.whole("end_ns", span.end_ns, {span.start_ns, kMoment.max});
}

void fields_of(Fields& fields, PhaseSums& sums) {
  fields.wholes(sums, kParts, kDuration);
}

void fields_of(Fields& fields, Disturbance& seen) {
  fields.whole("minor_faults", seen.minor_faults, kCount);
  fields.whole("major_faults", seen.major_faults, kCount);
  fields.whole("voluntary_switches", seen.voluntary_switches, kCount);
  fields.whole("involuntary_switches", seen.involuntary_switches, kCount);
  fields.whole("own_cpu_ns", seen.own_cpu_ns, kCpuTime);
  fields.whole_if_any("instructions", seen.instructions);
  fields.whole("run_delay_ns", seen.run_delay_ns, kCpuTime);
  fields.whole_if_said("main_run_delay_ns", seen.main_run_delay_ns, kCpuTime);
  fields.whole("other_cpu_ns", seen.other_cpu_ns, kCpuTime);
  fields.whole("steal_ns", seen.steal_ns, kCpuTime);
  // Newer writers have these fields.
  fields.whole_if_any("idle_cpu_ns", seen.idle_cpu_ns, kCpuTime);
  fields.whole_if_any("pin_thread_cpu_ns", seen.pin_thread_cpu_ns, kCpuTime);
  fields.whole_if_said("resident_bytes", seen.resident_bytes, kBytes);
  fields.whole_if_said("pressure_cpu_ns", seen.pressure_cpu_ns, kCpuTime);
  fields.whole_if_said("pressure_io_ns", seen.pressure_io_ns, kCpuTime);
  fields.whole_if_said("throttle_events", seen.throttle_events, kCount);
  fields.real_if_said("mean_mhz", seen.mean_mhz, 0, 1e6);
  fields.whole_if_said("core_probe_ns", seen.core_probe_ns, kCpuTime);
  fields.whole_if_said("fastest_core_probe_ns", seen.fastest_core_probe_ns, kCpuTime);
}

void fields_of(Fields& fields, Slice& slice) {
  fields.whole("start_ns", slice.start_ns, kMoment);
  fields.whole("wall_ns", slice.wall_ns, {1, kDuration.max});
  fields.whole("steps", slice.steps, {1, kCount.max});
  fields.whole("samples", slice.samples, {1, kCount.max});
  fields.whole("epochs_begun", slice.epochs_begun, kCount);
  fields.record("phases", slice.phases);
  fields.record("disturbance", slice.disturbance);
  fields.whole("stock_before", slice.stock_before, kCount);
  fields.whole("stock_after", slice.stock_after, kCount);
  fields.record_if_any("device", slice.device);
  fields.expect(slice.phases.total_ns() == slice.wall_ns,
                "phases",
                "sum to " + std::to_string(slice.phases.total_ns()) + " ns, the slice lasted " +
                    std::to_string(slice.wall_ns) + " ns");
}

void fields_of(Fields& fields, BrokenFile& file) {
  fields.text("path", file.path, 16'384);
  fields.text("problem", file.problem);
  fields.text("treatment", file.treatment, 16'384);
  fields.whole("times", file.times, kCount);
}

void fields_of(Fields& fields, LoaderFlow& flow) {
  fields.whole("pulls", flow.pulls, kCount);
  fields.whole("empty_pulls", flow.empty_pulls, {0, flow.pulls});
  fields.whole("work_ns", flow.work_ns, kCpuTime);
  fields.whole("wait_ns", flow.wait_ns, kCpuTime);
  fields.whole("reorder_wait_ns", flow.reorder_wait_ns, {0, flow.wait_ns});
  fields.whole("sample_p99_ns", flow.sample_p99_ns, kDuration);
  fields.real("slowest_thread_ratio", flow.slowest_thread_ratio, 0, kMostRatio);
}

void fields_of(Fields& fields, LoaderReport& loader) {
  fields.whole("samples", loader.samples, kCount);
  fields.whole("errors", loader.errors, kCount);
  fields.whole("read_ns", loader.read_ns, kCpuTime);
  fields.whole("decode_ns", loader.decode_ns, kCpuTime);
  fields.whole("resize_ns", loader.resize_ns, kCpuTime);
  fields.whole("bytes_read", loader.bytes_read, kBytes);
  fields.real_if_said("resident_ratio", loader.resident_ratio, 0, 1);
  fields.real_if_said("crop_area_ratio", loader.crop_area_ratio, 0, 1);
  if (fields.has("flow")) {
    fields.record("flow", loader.flow);
  }
  fields.first_of_list("broken", loader.broken, kMostNamed);
  fields.text_list("skipped_types", loader.skipped_types, kMostNamed);
}

// A loss of NaN is a finding; it doesn't break the reply.
void fields_of(Fields& fields, Loss& loss) {
  fields.whole("step", loss.step, kCount);
  fields.any_real("value", loss.value);
}

void fields_of(Fields& fields, IgnoredKnob& knob) {
  fields.text("name", knob.name, 64);
  fields.text("reason", knob.reason);
}

void fields_of(Fields& fields, Failure& failure) {
  fields.word("kind", failure.kind, {"refused", "out-of-memory", "threw"});
  fields.text("message", failure.message, 65'536);
}

void fields_of(Fields& fields, SteadyRecord& record) {
  fields.flag("steady", record.steady);
  fields.whole("steps", record.steps, kStep);
  fields.whole("cut", record.cut, {0, record.steps});
  fields.real("sigma", record.sigma, 0, kLargestRatio);
  fields.real("guard", record.guard, 0, kLargestRatio);
  fields.text("reason", record.reason, 64);
  fields.whole("time_to_steady_ns", record.time_to_steady_ns, kDuration);
}

void fields_of(Fields& fields, Sentinel& sentinel) {
  fields.whole("before_ns", sentinel.before_ns, {1, kDuration.max});
  fields.whole("after_ns", sentinel.after_ns, {1, kDuration.max});
}

void fields_of(Fields& fields, Structure& structure) {
  fields.whole("operators", structure.operators, kBytes);
  fields.whole("backward_operators", structure.backward_operators, kBytes);
  fields.whole("allocations", structure.allocations, kBytes);
  fields.whole("allocated_bytes", structure.allocated_bytes, kBytes);
  fields.whole("peak_bytes", structure.peak_bytes, kBytes);
  fields.whole("batch_bytes", structure.batch_bytes, kBytes);
  fields.whole("threads", structure.threads, kBytes);
}

void fields_of(Fields& fields, EpochBegin& epoch) {
  fields.whole("step", epoch.step, kStep);
  fields.whole("data_wait_ns", epoch.data_wait_ns, kDuration);
}

namespace {

void slices_of(Fields& fields, const char* name, std::vector<Slice>& slices) {
  fields.list(name, slices, kMostSlices);
  for (std::size_t i = 1; i < slices.size(); ++i) {
    fields.expect(slices[i].start_ns >= slices[i - 1].start_ns + slices[i - 1].wall_ns,
                  (std::string(name) + "[" + std::to_string(i) + "].start_ns").c_str(),
                  "overlaps the slice before it");
  }
}

// What a worker found besides its slices. Each may be missing: a worker that was not asked leaves
// it out.
void findings_of(Fields& fields, TrialReply& reply) {
  fields.record_if_any("warmup_search", reply.warmup_search);
  fields.record_if_any("sentinel", reply.sentinel);
  fields.record_if_any("structure", reply.structure);
  if (fields.has("epoch_begins")) {
    fields.first_of_list("epoch_begins", reply.epoch_begins, kMostEpochs);
  }
  if (fields.has("delay_ns")) {
    fields.whole("delay_ns", reply.delay_ns, kDuration);
  }
  if (fields.has("device_steps", !reply.device_steps.empty()) && fields.says("device_steps")) {
    device_steps_of(fields, "device_steps", reply.device_steps);
  }
  fields.record_if_any("device_memory", reply.device_memory);
  fields.record_if_any("profile", reply.profile);
  fields.record_if_any("script", reply.script);
  if (fields.has("ranks", !reply.ranks.empty())) {
    fields.list("ranks", reply.ranks, static_cast<std::size_t>(kMostRanks));
  }
  if (fields.has("own_knobs", !reply.own_knobs.empty())) {
    fields.list("own_knobs", reply.own_knobs, kMostKnobs);
  }
}

}  // namespace

void fields_of(Fields& fields, TrialReply& reply) {
  protocol_of(fields, reply.protocol);
  fields.text("id", reply.id, 256);
  fields.record("facts", reply.facts);
  fields.list("phases", reply.phases, kMostNamed);
  fields.whole("warmup_steps", reply.warmup_steps, kCount);
  fields.whole_list("step_ns", reply.step_ns, kMostSteps, kDuration);
  fields.columns("step_phases", reply.step_phases, kParts, kMostSteps, kDuration);
  slices_of(fields, "slices", reply.slices);
  fields.flag("stock_matched", reply.stock_matched);
  fields.list("losses", reply.losses, kMostLosses);
  fields.whole("peak_memory_bytes", reply.peak_memory_bytes, kBytes);
  fields.whole("parameters", reply.parameters, kCount);
  fields.record("loader", reply.loader);
  fields.list("ignored_knobs", reply.ignored_knobs, kMostNamed);
  findings_of(fields, reply);
  fields.record("failure", reply.failure);
  fields.expect(
      reply.failure || !reply.slices.empty(), "slices", "is empty, but the trial did not fail");
}

std::string to_json(const TrialReply& reply) {
  // File names may be any bytes; a reply must not fail because of one.
  return to_value(reply).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

TrialReply parse_trial_reply(std::string_view text, const std::string& where) {
  const nlohmann::json parsed = parse_json(text, where);
  return read_record<TrialReply>(JsonObject(parsed, where, ""));
}

std::int64_t peak_memory_bytes(const TrialReply& reply) {
  return reply.device_memory ? reply.device_memory->peak_allocated_bytes : reply.peak_memory_bytes;
}

std::optional<double> throughput(const TrialReply& reply) {
  const WindowSums window = window_sums(reply.slices);
  return window.wall_ns > 0 ? std::optional(window.samples * 1e9 / window.wall_ns) : std::nullopt;
}

namespace {

// Needs at least one number; for an even count, the mean of the two in the middle.
double median(std::vector<std::int64_t> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  const auto upper = static_cast<double>(*middle);
  return numbers.size() % 2 == 1
             ? upper
             : (static_cast<double>(*std::max_element(numbers.begin(), middle)) + upper) / 2;
}

std::optional<double> window_dilation(const TrialReply& reply) {
  double profiled_ns = 0;
  for (const std::int64_t step_ns : reply.profile->step_ns) {
    profiled_ns += static_cast<double>(step_ns);
  }
  const auto profiled_steps = static_cast<double>(reply.profile->step_ns.size());
  const WindowSums window = window_sums(reply.slices);
  return window.wall_ns > 0
             ? std::optional((profiled_ns / profiled_steps) / (window.wall_ns / window.steps))
             : std::nullopt;
}

}  // namespace

std::optional<double> profiler_dilation(const TrialReply& reply) {
  if (!reply.profile || reply.profile->step_ns.empty() || reply.step_phases.empty()) {
    return std::nullopt;
  }
  if (reply.facts.device == "cuda") {
    return window_dilation(reply);
  }
  std::vector<std::int64_t> measured(reply.step_phases.size());
  std::transform(reply.step_phases.begin(),
                 reply.step_phases.end(),
                 measured.begin(),
                 [](const PhaseSums& step) { return step.total_ns(); });
  const double step_ns = median(std::move(measured));
  if (step_ns <= 0) {
    return std::nullopt;
  }
  return median(reply.profile->step_ns) / step_ns;
}

TrialReply::TrialReply() = default;
TrialReply::TrialReply(const TrialReply&) = default;
TrialReply::TrialReply(TrialReply&&) noexcept = default;
TrialReply& TrialReply::operator=(const TrialReply&) = default;
TrialReply& TrialReply::operator=(TrialReply&&) noexcept = default;
TrialReply::~TrialReply() = default;

}  // namespace tune::trial
