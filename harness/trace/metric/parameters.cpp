#include "trace/metric/parameters.h"

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"
#include "trace/table/input_lists.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace tune::metric {

namespace {

using table::list_element;

constexpr std::array<MetricName, 2> kNames = {
    {{"parameter_count", "count"}, {"parameter_bytes", "B"}}};
constexpr const char* kNoGradients =
    "no gradient is stored within a step (torch::autograd::AccumulateGrad)";

std::optional<double> element_bytes(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, double>, 4> kBytes = {
      {{R"("float")", 4}, {R"("double")", 8}, {R"("c10::Half")", 2}, {R"("c10::BFloat16")", 2}}};
  const auto found = std::find_if(
      kBytes.begin(), kBytes.end(), [&](const auto& entry) { return entry.first == type; });
  return found == kBytes.end() ? std::nullopt : std::optional(found->second);
}

struct Gradients {
  double count = 0, bytes = 0;
  bool are_sized = true;
};

}  // namespace

bool stores_gradient(std::string_view name) {
  return name == "torch::autograd::AccumulateGrad";
}

std::optional<double> gradient_bytes(const TraceInput& input, const profile::Event& event) {
  const profile::OpDetail* const op = input.timeline.op(event);
  if (op == nullptr) {
    return std::nullopt;
  }
  const profile::StringPool& strings = input.timeline.strings;
  auto bytes = element_bytes(list_element(strings.text(op->input_types), 0));
  const auto sizes = table::sizes_in(list_element(strings.text(op->input_dims), 0));
  if (!bytes || !sizes) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < sizes->count; ++i) {
    *bytes *= static_cast<double>(std::max<std::int64_t>(sizes->values[i], 0));
  }
  return bytes;
}

std::vector<Metric> parameter_metrics(const TraceInput& input) {
  if (const std::string why = why_no_operators(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  NamesThat stores(input.timeline, stores_gradient);
  std::vector<Gradients> by_step(input.partition.steps.steps.size());
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const profile::Event& event = input.timeline.events[i];
    if (event.category != profile::Category::cpu_op || !input.begins_in_step(i) || !stores(event)) {
      continue;
    }
    Gradients& gradients = by_step[input.step_of[i]];
    const auto bytes = gradient_bytes(input, event);
    ++gradients.count;
    gradients.bytes += bytes.value_or(0);
    gradients.are_sized = gradients.are_sized && bytes.has_value();
  }
  const auto most =
      std::max_element(by_step.begin(), by_step.end(), [](const Gradients& a, const Gradients& b) {
        return a.count < b.count;
      });
  if (most == by_step.end() || most->count == 0) {
    return not_applicable(kNames, kNoGradients);
  }
  return {over_steps(kNames[0], most->count, input),
          most->are_sized ? over_steps(kNames[1], most->bytes, input)
                          : not_applicable(kNames[1],
                                           "the sizes of gradients were not recorded "
                                           "(record_shapes=True)")};
}

}  // namespace tune::metric
