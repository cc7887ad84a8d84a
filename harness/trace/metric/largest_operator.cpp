#include "trace/metric/largest_operator.h"

#include "trace/metric/layout_ratios.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace tune::metric {

namespace {

using profile::Category;
using profile::kNone;

constexpr std::array<MetricName, 2> kShares = {
    {{"largest_operator_ratio", "ratio"}, {"pointwise_ratio", "ratio"}}};

// Parts of names of operators that do the computing of a network.
constexpr std::array<std::string_view, 14> kComputing = {"mm",
                                                         "matmul",
                                                         "conv",
                                                         "attention",
                                                         "linear",
                                                         "lstm",
                                                         "gru",
                                                         "rnn",
                                                         "einsum",
                                                         "mkldnn",
                                                         "onednn",
                                                         "cudnn",
                                                         "miopen",
                                                         "addmv"};

// Operators of single library calls, of which communication has rules of its own.
bool is_candidate(std::string_view name) {
  return name.starts_with("aten::") &&
         std::none_of(kComputing.begin(), kComputing.end(), [&](std::string_view part) {
           return name.find(part) != std::string_view::npos;
         });
}

bool is_of_optimizer(const TraceInput& input, std::uint32_t row) {
  return input.phases[row] == table::Phase::optimizer ||
         input.phases[row] == table::Phase::zero_grad;
}

// In place or not, forward or backward.
bool is_pointwise(std::string_view name) {
  constexpr std::array<std::string_view, 38> kNames = {
      "add",         "sub",           "mul",     "div",       "neg",       "abs",
      "pow",         "exp",           "log",     "sqrt",      "rsqrt",     "reciprocal",
      "tanh",        "sigmoid",       "erf",     "sin",       "cos",       "gelu",
      "silu",        "relu",          "clamp",   "clamp_min", "clamp_max", "where",
      "masked_fill", "maximum",       "minimum", "threshold", "copy_",     "clone",
      "addcmul",     "addcdiv",       "lerp",    "sum",       "mean",      "var",
      "bernoulli",   "native_dropout"};
  if (!name.starts_with("aten::")) {
    return false;
  }
  name.remove_prefix(std::string_view("aten::").size());
  constexpr std::string_view kBackward = "_backward";
  if (name.ends_with(kBackward)) {
    name.remove_suffix(kBackward.size());
  }
  const std::string_view plain = name.substr(0, name.size() - (name.ends_with('_') ? 1 : 0));
  return std::find_if(kNames.begin(), kNames.end(), [&](std::string_view known) {
           return known == name || known == plain;
         }) != kNames.end();
}

// By name, ns of steps: of the kernels of an operator on a device, else its own on the host;
// without what the optimizer calls. What changes a layout is one operator with all that it calls.
std::vector<std::int64_t> time_by_operator(const TraceInput& input) {
  const auto& events = input.timeline.events;
  NamesThat is_layout(input.timeline, is_layout_operator);
  const std::vector<std::uint32_t> layout_of =
      table::outermost_that(input.tree, [&](std::uint32_t row) { return is_layout(events[row]); });
  const auto name_of = [&](std::uint32_t row) {
    return events[layout_of[row] == kNone ? row : layout_of[row]].name;
  };
  std::vector<std::int64_t> ns_of(input.timeline.strings.size());
  if (input.partition.has_device_rows) {
    for (const std::uint32_t i : input.device_work) {
      const std::uint32_t row = table::enclosing_operator(input.tree, input.issuing_row[i]);
      if (row != kNone && !is_of_optimizer(input, row) && events[i].category == Category::kernel) {
        ns_of[name_of(row)] += input.clock.within(events[i]);
      }
    }
    return ns_of;
  }
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (events[i].category == Category::cpu_op && input.tree.is_row(i) &&
        !is_of_optimizer(input, i) && input.begins_in_step(i)) {
      ns_of[name_of(i)] += input.tree.self_ns[i];
    }
  }
  return ns_of;
}

LargestOperator largest_of(const std::vector<std::int64_t>& ns_of, const TraceInput& input) {
  LargestOperator largest;
  for (profile::StringId name = 0; name < ns_of.size(); ++name) {
    if (ns_of[name] > largest.ns && is_candidate(input.timeline.strings.text(name))) {
      largest = {std::string(input.timeline.strings.text(name)), ns_of[name]};
    }
  }
  return largest;
}

}  // namespace

LargestOperator largest_operator(const TraceInput& input) {
  return largest_of(time_by_operator(input), input);
}

std::vector<Metric> operator_shares(const TraceInput& input) {
  if (const std::string why = why_no_operators(input); !why.empty()) {
    return not_applicable(kShares, why);
  }
  const std::vector<std::int64_t> ns_of = time_by_operator(input);
  std::int64_t pointwise_ns = 0;
  for (profile::StringId name = 0; name < ns_of.size(); ++name) {
    pointwise_ns +=
        ns_of[name] > 0 && is_pointwise(input.timeline.strings.text(name)) ? ns_of[name] : 0;
  }
  const std::int64_t all_ns = input.partition.steps.total_ns();  // threads may compute together
  const std::int64_t largest_ns = std::min(largest_of(ns_of, input).ns, all_ns);
  return {share_of_steps(std::string(kShares[0].id), largest_ns, input),
          share_of_steps(std::string(kShares[1].id), std::min(pointwise_ns, all_ns), input)};
}

}  // namespace tune::metric
