#include "trace/metric/repeated_backward.h"

#include "trace/table/host_tree.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace tune::metric {

namespace {

using profile::kNone;

constexpr std::array<MetricName, 2> kNames = {
    {{"repeated_backward_count", "count"}, {"repeated_backward_ratio", "ratio"}}};

// A parameter that several graphs share gets a gradient from each.
bool is_function(std::string_view name) {
  return name.starts_with("autograd::engine::evaluate_function") &&
         name.find("AccumulateGrad") == std::string_view::npos;
}

// A function of the backward pass: the step, and the operator that it belongs to.
struct Function {
  std::uint32_t step = 0;
  std::int64_t thread = 0, sequence_number = 0;
  std::uint32_t row = 0;

  auto operator_of_step() const { return std::tuple(step, thread, sequence_number); }
};

std::vector<Function> functions_of_steps(const TraceInput& input) {
  NamesThat evaluates(input.timeline, is_function);
  std::vector<Function> functions;
  functions.reserve(64);
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const profile::Event& event = input.timeline.events[i];
    if (!input.tree.is_row(i) || input.step_of[i] == kNone || !evaluates(event)) {
      continue;
    }
    const profile::OpDetail* const detail = input.timeline.op(event);
    if (detail != nullptr && detail->sequence_number >= 0 && detail->forward_thread > 0) {
      functions.push_back({input.step_of[i], detail->forward_thread, detail->sequence_number, i});
    }
  }
  return functions;
}

bool records_a_graph(const TraceInput& input) {
  NamesThat evaluates(input.timeline, is_function);
  const std::vector<std::uint32_t> function_of = table::innermost_that(
      input.tree, [&](std::uint32_t row) { return evaluates(input.timeline.events[row]); });
  for (std::uint32_t i = 0; i < function_of.size(); ++i) {
    const profile::Event& event = input.timeline.events[i];
    if (function_of[i] == kNone || function_of[i] == i ||
        event.category != profile::Category::cpu_op) {
      continue;
    }
    const profile::OpDetail* const detail = input.timeline.op(event);
    if (detail != nullptr && detail->sequence_number >= 0 && detail->forward_thread <= 0) {
      return true;
    }
  }
  return false;
}

struct Repeats {
  std::vector<bool> rows;  // by event: a function that ran before
  double count = 0;        // in all steps
};

Repeats find_repeats(const TraceInput& input, std::vector<Function> functions) {
  std::stable_sort(functions.begin(), functions.end(), [](const Function& a, const Function& b) {
    return a.operator_of_step() < b.operator_of_step();
  });
  Repeats repeats{.rows = std::vector<bool>(input.timeline.events.size())};
  std::vector<double> most(input.partition.steps.steps.size());
  double times = 0;
  for (std::size_t i = 1; i < functions.size(); ++i) {
    const bool is_repeated = functions[i].operator_of_step() == functions[i - 1].operator_of_step();
    times = is_repeated ? times + 1 : 0;
    repeats.rows[functions[i].row] = is_repeated;
    most[functions[i].step] = std::max(most[functions[i].step], times);
  }
  for (const double step : most) {
    repeats.count += step;
  }
  return repeats;
}

}  // namespace

std::vector<Metric> repeated_backward(const TraceInput& input) {
  if (const std::string why = why_no_steps(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  std::vector<Function> functions = functions_of_steps(input);
  if (functions.empty()) {
    return not_applicable(kNames, "no function of a backward pass names its operator");
  }
  if (records_a_graph(input)) {
    return not_applicable(kNames, "the backward pass records a graph itself");
  }
  const Repeats repeats = find_repeats(input, std::move(functions));
  return over_steps(kNames,
                    {per_step(repeats.count, input),
                     static_cast<double>(time_issued_ns(input, repeats.rows)) /
                         static_cast<double>(input.partition.total_ns())},
                    input);
}

}  // namespace tune::metric
