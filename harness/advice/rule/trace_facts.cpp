#include "advice/rule/trace_facts.h"

#include "advice/rule/known_name.h"
#include "trace/metric/host_syncs.h"
#include "trace/metric/largest_operator.h"
#include "trace/table/cell_text.h"

#include <string_view>
#include <utility>

namespace tune::rule {

namespace {

using expression::Result;
using expression::Unknown;
using expression::Value;
using metric::Metric;
using metric::TraceInput;

constexpr const char* kTrace = "trace";
constexpr const char* kProfile = "profile";

Result result_of(const Metric& metric) {
  if (!metric.is_applicable()) {
    return Unknown{metric.reason};
  }
  return Value::of(*metric.value, dimension_of_unit(metric.unit));
}

// Operators that only the CPU has.
bool computes_on_cpu(const profile::StringPool& strings) {
  for (std::size_t i = 0; i < strings.size(); ++i) {
    const std::string_view name = strings.text(static_cast<profile::StringId>(i));
    if (name.starts_with("aten::mkldnn_") ||
        (name.starts_with("aten::") && name.ends_with("_for_cpu"))) {
      return true;
    }
  }
  return false;
}

// Operators that only a GPU has: their rows may be there although nobody watched it.
bool computes_on_gpu(const profile::StringPool& strings) {
  for (std::size_t i = 0; i < strings.size(); ++i) {
    const std::string_view name = strings.text(static_cast<profile::StringId>(i));
    const bool asks_for_cudnn = name == "aten::cudnn_is_acceptable";  // on the CPU as well
    if (name.starts_with("nccl:") || (name.starts_with("aten::cudnn_") && !asks_for_cudnn) ||
        name.starts_with("aten::miopen_")) {
      return true;
    }
  }
  return false;
}

Result device_of(const TraceInput& input) {
  if (input.partition.has_device_rows) {
    return Value::of("cuda");
  }
  const profile::StringPool& strings = input.timeline.strings;
  if (computes_on_cpu(strings) || (input.timeline.devices.empty() && !computes_on_gpu(strings))) {
    return Value::of("cpu");
  }
  return Unknown{"the machine has a GPU, and the profiler did not watch it"};
}

void add_largest_operator(const TraceInput& input, FactTable& facts) {
  const metric::LargestOperator largest = metric::largest_operator(input);
  facts.set("largest_operator",
            {.result = largest.name.empty() ? Result(Unknown{"no operator is in the steps"})
                                            : Result(Value::of(largest.name)),
             .source = kTrace,
             .window = kProfile});
}

// The operators that read scalars, the one that waited longest first.
void add_scalar_readers(const TraceInput& input, FactTable& facts) {
  Value::List readers;
  for (const metric::ScalarSync& sync : metric::scalar_syncs(input)) {
    if (!sync.host_row.empty()) {
      readers.push_back(Value::of(sync.host_row));
    }
  }
  facts.set("sync_ancestor_ops",
            {.result = readers.empty() ? Result(Unknown{"no operator reads a scalar from a device"})
                                       : Result(Value::of(std::move(readers))),
             .source = kTrace,
             .window = kProfile});
}

// ROCm's PyTorch is torch.cuda too.
std::string device_module(const TraceInput& input) {
  const std::string word = table::device_word(input.timeline);
  return word == "XPU" ? "xpu" : word == "MTIA" ? "mtia" : word == "NPU" ? "npu" : "cuda";
}

}  // namespace

void add_metrics(const std::vector<Metric>& metrics,
                 const std::string& source,
                 const std::string& window,
                 FactTable& facts) {
  for (const Metric& metric : metrics) {
    if (find_known_name(metric.id) != nullptr) {
      facts.set(metric.id,
                {.result = result_of(metric),
                 .source = source,
                 .window = window,
                 .warnings = metric.warnings});
    }
  }
}

FactTable facts_of_trace(const TraceInput& input, const std::vector<Metric>& metrics) {
  FactTable facts;
  const profile::Steps& steps = input.partition.steps;
  facts.step_count = steps.are_known ? static_cast<std::int64_t>(steps.steps.size()) : 0;
  add_metrics(metrics, kTrace, kProfile, facts);
  facts.set("device", {.result = device_of(input), .source = kTrace});
  facts.device_module = device_module(input);
  add_settings(input, facts);
  add_scalar_readers(input, facts);
  add_largest_operator(input, facts);
  add_examples(input, facts);
  return facts;
}

}  // namespace tune::rule
