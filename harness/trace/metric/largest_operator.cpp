#include "trace/metric/largest_operator.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace tune::metric {

namespace {

using profile::Category;
using profile::kNone;

constexpr MetricName kName = {"largest_operator_ratio", "ratio"};

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

bool is_optimizer(std::string_view name) {
  return name.starts_with("Optimizer.");
}

}  // namespace

LargestOperator largest_operator(const TraceInput& input) {
  const auto& events = input.timeline.events;
  NamesThat fits(input.timeline, is_candidate), updates(input.timeline, is_optimizer);
  const std::vector<std::uint32_t> optimizer =
      table::outermost_that(input.tree, [&](std::uint32_t row) { return updates(events[row]); });
  std::vector<std::int64_t> ns_of(input.timeline.strings.size());
  const auto add = [&](std::uint32_t row, std::int64_t ns) {
    if (optimizer[row] == kNone && fits(events[row])) {
      ns_of[events[row].name] += ns;
    }
  };
  if (input.partition.has_device_rows) {
    for (const std::uint32_t i : input.device_work) {
      const std::uint32_t row = table::enclosing_operator(input.tree, input.issuing_row[i]);
      if (row != kNone && events[i].category == Category::kernel) {
        add(row, input.clock.within(events[i]));
      }
    }
  } else {
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      if (events[i].category == Category::cpu_op && input.tree.is_row(i) &&
          input.begins_in_step(i)) {
        add(i, input.tree.self_ns[i]);
      }
    }
  }
  const auto most = std::max_element(ns_of.begin(), ns_of.end());
  if (most == ns_of.end() || *most <= 0) {
    return {};
  }
  const auto name = static_cast<profile::StringId>(most - ns_of.begin());
  return {std::string(input.timeline.strings.text(name)), *most};
}

Metric largest_operator_ratio(const TraceInput& input) {
  if (const std::string why = why_no_operators(input); !why.empty()) {
    return not_applicable(kName, why);
  }
  // Threads may compute at the same time.
  const std::int64_t ns = std::min(largest_operator(input).ns, input.partition.steps.total_ns());
  return share_of_steps(std::string(kName.id), ns, input);
}

}  // namespace tune::metric
