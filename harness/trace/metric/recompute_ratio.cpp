#include "trace/metric/recompute_ratio.h"

#include "trace/intervals.h"
#include "trace/metric/layers.h"
#include "trace/metric/metric.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::metric {

namespace {

using profile::kNone;

constexpr MetricName kName = {"recompute_ratio", "ratio"};

bool is_recompute(std::string_view name) {
  return name == "recompute";
}

bool is_backward(std::string_view name) {
  return name.starts_with("autograd::engine::evaluate_function");
}

// By event, for rows of a backward function: from the first layer that is computed within it to the
// end of the last one. Empty elsewhere.
std::vector<profile::Interval> computed_again(const TraceInput& input,
                                              const std::vector<std::uint32_t>& function_of) {
  NamesThat is_again(input.timeline, is_layer);
  std::vector<profile::Interval> again(input.timeline.events.size());
  for (std::uint32_t i = 0; i < again.size(); ++i) {
    const profile::Event& event = input.timeline.events[i];
    const std::uint32_t function = function_of[i];
    if (function == kNone || !input.tree.is_row(i) || !is_again(event)) {
      continue;
    }
    profile::Interval& span = again[function];
    const bool is_first = span.begin_ns == span.end_ns;
    span = {is_first ? event.start_ns : span.begin_ns, std::max(span.end_ns, event.end_ns())};
  }
  return again;
}

// By event, for rows: the function of the backward pass that they lie in.
std::vector<std::uint32_t> functions_around(const TraceInput& input) {
  NamesThat is_function(input.timeline, is_backward);
  return table::innermost_that(
      input.tree, [&](std::uint32_t row) { return is_function(input.timeline.events[row]); });
}

// By event: rows of such a range; rows between the layers that a backward function computes, as
// those of torch.utils.checkpoint do, which marks nothing.
std::vector<bool> recomputing_rows(const TraceInput& input) {
  NamesThat is_range(input.timeline, is_recompute);
  const std::vector<std::uint32_t> function_of = functions_around(input);
  const std::vector<profile::Interval> again = computed_again(input, function_of);
  std::vector<bool> is_again(input.timeline.events.size());
  for (std::uint32_t i = 0; i < is_again.size(); ++i) {
    if (!input.tree.is_row(i)) {
      continue;
    }
    const profile::Event& event = input.timeline.events[i];
    const profile::Interval span =
        function_of[i] == kNone ? profile::Interval{} : again[function_of[i]];
    const bool is_between = event.start_ns >= span.begin_ns && event.end_ns() <= span.end_ns;
    is_again[i] =
        is_between || (event.category == profile::Category::user_annotation && is_range(event));
  }
  return is_again;
}

}  // namespace

Metric recompute_ratio(const TraceInput& input) {
  if (const std::string why = why_no_steps(input); !why.empty()) {
    return not_applicable(kName, why);
  }
  const std::vector<bool> rows = recomputing_rows(input);
  return std::find(rows.begin(), rows.end(), true) == rows.end()
             ? not_applicable(kName, "no part of the forward pass is computed again")
             : share_of_steps(std::string(kName.id), time_issued_ns(input, rows), input);
}

}  // namespace tune::metric
