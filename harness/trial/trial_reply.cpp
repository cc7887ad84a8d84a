#include "trial/trial_reply.h"

#include "trial/device_json.h"
#include "trial/finding_json.h"
#include "trial/json_object.h"
#include "trial/reply_limits.h"
#include "trial/slice_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
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

using nlohmann::json;

constexpr std::size_t kMostNamed = 100;
constexpr std::size_t kMostLosses = 1'000;

std::vector<PhaseSpan> read_spans(JsonObject& reply) {
  std::vector<PhaseSpan> spans;
  reply.each("phases", kMostNamed, [&](JsonObject& object) {
    PhaseSpan span;
    span.name = object.text("name", 64);
    span.start_ns = object.whole("start_ns", kMoment);
    span.end_ns = object.whole("end_ns", {span.start_ns, kMoment.max});
    spans.push_back(std::move(span));
  });
  return spans;
}

WorkerFacts read_facts(JsonObject object) {
  WorkerFacts facts;
  facts.device = object.word("device", {"cpu", "cuda"});
  facts.torch_version = object.text("torch_version", 256);
  facts.cpu_capability = object.text("cpu_capability", 256);
  facts.jpeg_version = object.text("jpeg_version", 256);
  facts.intra_op_threads = object.whole("intra_op_threads", {0, 65'536});
  facts.cpus = object.whole_list("cpus", 8'192, {0, 65'536});
  facts.bf16_supported = object.flag("bf16_supported");
  facts.fp16_supported = object.flag("fp16_supported");
  if (object.has("gpu") && !object.is_null("gpu")) {
    facts.gpu = read_gpu(object.object("gpu"));
  }
  if (object.has("no_gpu")) {
    facts.no_gpu = object.text("no_gpu", 65'536);
  }
  return facts;
}

LoaderFlow read_flow(JsonObject object) {
  constexpr double kMostRatio = 1e9;
  LoaderFlow flow;
  flow.pulls = object.whole("pulls", kCount);
  flow.empty_pulls = object.whole("empty_pulls", {0, flow.pulls});
  flow.work_ns = object.whole("work_ns", kCpuTime);
  flow.wait_ns = object.whole("wait_ns", kCpuTime);
  flow.reorder_wait_ns = object.whole("reorder_wait_ns", {0, flow.wait_ns});
  flow.sample_p99_ns = object.whole("sample_p99_ns", kDuration);
  flow.slowest_thread_ratio = object.real("slowest_thread_ratio", 0, kMostRatio);
  return flow;
}

json to_value(const LoaderFlow& flow) {
  return {{"pulls", flow.pulls},
          {"empty_pulls", flow.empty_pulls},
          {"work_ns", flow.work_ns},
          {"wait_ns", flow.wait_ns},
          {"reorder_wait_ns", flow.reorder_wait_ns},
          {"sample_p99_ns", flow.sample_p99_ns},
          {"slowest_thread_ratio", flow.slowest_thread_ratio}};
}

LoaderReport read_loader(JsonObject object) {
  LoaderReport loader;
  loader.samples = object.whole("samples", kCount);
  loader.errors = object.whole("errors", kCount);
  loader.read_ns = object.whole("read_ns", kCpuTime);
  loader.decode_ns = object.whole("decode_ns", kCpuTime);
  loader.resize_ns = object.whole("resize_ns", kCpuTime);
  loader.bytes_read = object.whole("bytes_read", kBytes);
  if (object.has("resident_ratio") && !object.is_null("resident_ratio")) {
    loader.resident_ratio = object.real("resident_ratio", 0, 1);
  }
  if (object.has("crop_area_ratio") && !object.is_null("crop_area_ratio")) {
    loader.crop_area_ratio = object.real("crop_area_ratio", 0, 1);
  }
  if (object.has("flow") && !object.is_null("flow")) {
    loader.flow = read_flow(object.object("flow"));
  }
  object.each("broken", kMostNamed, [&](JsonObject& entry) {
    BrokenFile file;
    file.path = entry.text("path", 16'384);
    file.problem = entry.text("problem");
    file.treatment = entry.text("treatment", 16'384);
    file.times = entry.whole("times", kCount);
    loader.broken.push_back(std::move(file));
  });
  loader.skipped_types = object.text_list("skipped_types", kMostNamed);
  return loader;
}

json to_value(const WorkerFacts& facts) {
  json object = {{"device", facts.device},
                 {"torch_version", facts.torch_version},
                 {"cpu_capability", facts.cpu_capability},
                 {"jpeg_version", facts.jpeg_version},
                 {"intra_op_threads", facts.intra_op_threads},
                 {"cpus", facts.cpus},
                 {"bf16_supported", facts.bf16_supported},
                 {"fp16_supported", facts.fp16_supported}};
  if (facts.gpu) {
    object["gpu"] = to_value(*facts.gpu);
  }
  if (!facts.no_gpu.empty()) {
    object["no_gpu"] = facts.no_gpu;
  }
  return object;
}

json to_value(const LoaderReport& loader) {
  json broken = json::array();
  for (const BrokenFile& file : loader.broken) {
    if (broken.size() == kMostNamed) {
      break;
    }
    broken.push_back({{"path", file.path},
                      {"problem", file.problem},
                      {"treatment", file.treatment},
                      {"times", file.times}});
  }
  return {
      {"samples", loader.samples},
      {"errors", loader.errors},
      {"read_ns", loader.read_ns},
      {"decode_ns", loader.decode_ns},
      {"resize_ns", loader.resize_ns},
      {"bytes_read", loader.bytes_read},
      {"resident_ratio", loader.resident_ratio ? json(*loader.resident_ratio) : json(nullptr)},
      {"crop_area_ratio", loader.crop_area_ratio ? json(*loader.crop_area_ratio) : json(nullptr)},
      {"flow", loader.flow ? to_value(*loader.flow) : json(nullptr)},
      {"broken", std::move(broken)},
      {"skipped_types", loader.skipped_types}};
}

// A loss that is no number any more is a finding, not a broken reply; JSON has no word for it.
json loss_to_value(double value) {
  if (std::isnan(value)) {
    return "nan";
  }
  if (std::isinf(value)) {
    return value > 0 ? "inf" : "-inf";
  }
  return value;
}

double read_loss(JsonObject& object) {
  if (!object.any("value").is_string()) {
    constexpr double kMost = std::numeric_limits<double>::max();
    return object.real("value", -kMost, kMost);
  }
  const std::string word = object.word("value", {"nan", "inf", "-inf"});
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return word == "nan"   ? std::numeric_limits<double>::quiet_NaN()
         : word == "inf" ? kInfinity
                         : -kInfinity;
}

Failure read_failure(JsonObject object) {
  Failure failure;
  failure.kind = object.word("kind", {"refused", "out-of-memory", "threw"});
  failure.message = object.text("message", 65'536);
  return failure;
}

// The parts that come from loader and model.
void read_contents(JsonObject& object, TrialReply& reply) {
  object.each("losses", kMostLosses, [&](JsonObject& entry) {
    const std::int64_t step = entry.whole("step", kCount);
    reply.losses.push_back({step, read_loss(entry)});
  });
  reply.peak_memory_bytes = object.whole("peak_memory_bytes", kBytes);
  reply.parameters = object.whole("parameters", kCount);
  reply.loader = read_loader(object.object("loader"));
  object.each("ignored_knobs", kMostNamed, [&](JsonObject& entry) {
    std::string name = entry.text("name", 64);
    reply.ignored_knobs.push_back({std::move(name), entry.text("reason")});
  });
}

}  // namespace

std::string to_json(const TrialReply& reply) {
  json phases = json::array();
  for (const PhaseSpan& span : reply.phases) {
    phases.push_back({{"name", span.name}, {"start_ns", span.start_ns}, {"end_ns", span.end_ns}});
  }
  json slices = json::array();
  for (const Slice& slice : reply.slices) {
    slices.push_back(slice_to_json(slice));
  }
  json losses = json::array();
  for (const Loss& loss : reply.losses) {
    losses.push_back({{"step", loss.step}, {"value", loss_to_value(loss.value)}});
  }
  json ignored = json::array();
  for (const IgnoredKnob& knob : reply.ignored_knobs) {
    ignored.push_back({{"name", knob.name}, {"reason", knob.reason}});
  }
  json failure = nullptr;
  if (reply.failure) {
    failure = {{"kind", reply.failure->kind}, {"message", reply.failure->message}};
  }
  json object = {{"protocol", reply.protocol},
                 {"id", reply.id},
                 {"facts", to_value(reply.facts)},
                 {"phases", std::move(phases)},
                 {"warmup_steps", reply.warmup_steps},
                 {"step_ns", reply.step_ns},
                 {"step_phases", step_phases_to_json(reply.step_phases)},
                 {"slices", std::move(slices)},
                 {"stock_matched", reply.stock_matched},
                 {"losses", std::move(losses)},
                 {"peak_memory_bytes", reply.peak_memory_bytes},
                 {"parameters", reply.parameters},
                 {"loader", to_value(reply.loader)},
                 {"ignored_knobs", std::move(ignored)},
                 {"failure", std::move(failure)}};
  put_findings(reply, object);
  // Names of files may be any bytes; a reply must not fail for one of them.
  return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

TrialReply parse_trial_reply(std::string_view text, const std::string& where) {
  const json parsed = parse_json(text, where);
  JsonObject object(parsed, where, "");
  TrialReply reply;
  reply.protocol = static_cast<int>(object.whole("protocol", {0, 1'000'000}));
  if (reply.protocol != kProtocol) {
    complain(where, "protocol", "is " + std::to_string(reply.protocol) + ", known is 1");
  }
  reply.id = object.text("id", 256);
  reply.facts = read_facts(object.object("facts"));
  reply.phases = read_spans(object);
  reply.warmup_steps = object.whole("warmup_steps", kCount);
  reply.step_ns = object.whole_list("step_ns", kMostSteps, kDuration);
  reply.step_phases = read_step_phases(object.object("step_phases"));
  reply.slices = read_slices(object);
  reply.stock_matched = object.flag("stock_matched");
  read_contents(object, reply);
  read_findings(object, reply);
  if (!object.is_null("failure")) {
    reply.failure = read_failure(object.object("failure"));
  } else if (reply.slices.empty()) {
    complain(where, "slices", "is empty, yet the trial did not fail");
  }
  return reply;
}

std::int64_t peak_memory_bytes(const TrialReply& reply) {
  return reply.device_memory ? reply.device_memory->peak_allocated_bytes : reply.peak_memory_bytes;
}

std::optional<double> throughput(const TrialReply& reply) {
  std::int64_t samples = 0;
  std::int64_t wall_ns = 0;
  for (const Slice& slice : reply.slices) {
    samples += slice.samples;
    wall_ns += slice.wall_ns;
  }
  if (wall_ns <= 0) {
    return std::nullopt;
  }
  return static_cast<double>(samples) * 1e9 / static_cast<double>(wall_ns);
}

namespace {

// Of at least one number; of an even count the mean of the two in the middle.
double median(std::vector<std::int64_t> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  const auto upper = static_cast<double>(*middle);
  return numbers.size() % 2 == 1
             ? upper
             : (static_cast<double>(*std::max_element(numbers.begin(), middle)) + upper) / 2;
}

std::optional<double> window_dilation(const TrialReply& reply) {
  double profiled_ns = 0, measured_ns = 0, steps = 0;
  for (const std::int64_t step_ns : reply.profile->step_ns) {
    profiled_ns += static_cast<double>(step_ns);
  }
  for (const Slice& slice : reply.slices) {
    measured_ns += static_cast<double>(slice.wall_ns);
    steps += static_cast<double>(slice.steps);
  }
  const auto profiled_steps = static_cast<double>(reply.profile->step_ns.size());
  return measured_ns > 0 ? std::optional((profiled_ns / profiled_steps) / (measured_ns / steps))
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
