#include "trace/metric/layout_ratios.h"

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <utility>

namespace tune::metric {

namespace {

constexpr MetricName kKernels = {"layout_kernel_ratio", "ratio"};
constexpr MetricName kOperators = {"layout_op_ratio", "ratio"};

}  // namespace

bool is_layout_operator(std::string_view name) {
  return name == "aten::contiguous" || name == "aten::to_mkldnn" || name == "aten::to_dense" ||
         name.starts_with("aten::mkldnn_reorder_");
}

bool is_layout_kernel(std::string_view name) {
  return has_in_any_case(name, "nchwtonhwc") || has_in_any_case(name, "nhwctonchw") ||
         has_in_any_case(name, "batched_transpose");
}

Metric layout_kernel_ratio(const TraceInput& input) {
  if (const std::string why = why_no_kernels(input); !why.empty()) {
    return not_applicable(kKernels, why);
  }
  NamesThat is_layout(input.timeline, is_layout_kernel);
  double all_ns = 0, layout_ns = 0;
  for (const std::uint32_t i : input.device_work) {
    const profile::Event& event = input.timeline.events[i];
    if (event.category == profile::Category::kernel) {
      const auto ns = static_cast<double>(input.clock.within(event));
      all_ns += ns;
      layout_ns += is_layout(event) ? ns : 0;
    }
  }
  return all_ns > 0 ? over_steps(kKernels, layout_ns / all_ns, input)
                    : not_applicable(kKernels, "no kernel ran within a step");
}

Metric layout_op_ratio(const TraceInput& input) {
  if (const std::string why = why_no_operators(input); !why.empty()) {
    return not_applicable(kOperators, why);
  }
  NamesThat is_layout(input.timeline, is_layout_operator);
  std::vector<profile::Interval> rows;
  rows.reserve(64);
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const profile::Event& event = input.timeline.events[i];
    if (event.category == profile::Category::cpu_op && is_layout(event) &&
        input.phases[i] != table::Phase::optimizer) {
      rows.push_back({event.start_ns, event.end_ns()});
    }
  }
  const profile::Intervals within =
      profile::intersect(profile::unite(std::move(rows)), input.partition.steps.covered());
  return share_of_steps(std::string(kOperators.id), length_ns(within), input);
}

}  // namespace tune::metric
