#include "trace/metric/distinct_shapes.h"

#include "base/stats/quantile.h"
#include "trace/metric/metric.h"
#include "trace/metric/product_precision.h"
#include "trace/metric/trace_input.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace tune::metric {

namespace {

using profile::kNone;

constexpr std::array<MetricName, 2> kShapes = {
    {{"distinct_shape_count", "count"}, {"first_shape_excess_ratio", "ratio"}}};
constexpr MetricName kTuned = {"autotune_event_count", "count"};
constexpr std::uint32_t kLeastKernels = 8;
constexpr std::uint32_t kTimesFewest = 3;
constexpr const char* kNoShapes =
    "no convolution, matrix product, recurrent operator or attention says its Input Dims "
    "(record_shapes=True) or has a kernel that says its grid";

// The finaliser of SplitMix64: every bit of the input matters for every bit of the result.
std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

// The same for equal sets, whatever the order; sets of a step are small.
class ShapeSet {
 public:
  void add(std::uint64_t shape) {
    if (seen_.insert(shape).second) {
      sum_ += mixed(shape);
    }
  }
  bool is_empty() const { return seen_.empty(); }
  std::uint64_t hash() const { return sum_; }

 private:
  std::unordered_set<std::uint64_t> seen_;
  std::uint64_t sum_ = 0;
};

std::uint64_t pair_of(profile::StringId name, std::uint64_t shape) {
  return (std::uint64_t{name} << 32) ^ shape;
}

// By step, of operators.
std::vector<ShapeSet> shapes_of_operators(const TraceInput& input) {
  NamesThat counts(input.timeline, is_eligible);
  std::vector<ShapeSet> sets(input.partition.steps.steps.size());
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const profile::Event& event = input.timeline.events[i];
    const profile::OpDetail* const op = input.timeline.op(event);
    if (op != nullptr && op->input_dims != 0 && input.begins_in_step(i) && counts(event)) {
      sets[input.step_of[i]].add(pair_of(event.name, op->input_dims));
    }
  }
  return sets;
}

std::uint64_t grid_of(const profile::KernelDetail& kernel) {
  std::uint64_t grid = 0;
  for (const std::int32_t size : kernel.grid) {
    grid = mixed(grid ^ static_cast<std::uint32_t>(size));
  }
  return grid;
}

// By step, of the kernels of such operators.
std::vector<ShapeSet> shapes_of_kernels(const TraceInput& input) {
  NamesThat counts(input.timeline, is_eligible);
  std::vector<ShapeSet> sets(input.partition.steps.steps.size());
  for (const std::uint32_t i : input.device_work) {
    const profile::Event& event = input.timeline.events[i];
    const profile::KernelDetail* const kernel = input.timeline.kernel(event);
    const std::uint32_t row = table::enclosing_operator(input.tree, input.issuing_row[i]);
    if (kernel != nullptr && kernel->grid[0] > 0 && row != kNone && input.begins_in_step(row) &&
        counts(input.timeline.events[row])) {
      sets[input.step_of[row]].add(pair_of(event.name, grid_of(*kernel)));
    }
  }
  return sets;
}

bool are_empty(const std::vector<ShapeSet>& sets) {
  return std::all_of(sets.begin(), sets.end(), [](const ShapeSet& set) { return set.is_empty(); });
}

// Steps that have a set, in order.
struct ShapedStep {
  std::uint64_t shape = 0;
  double ns = 0;
  bool is_first = false;  // of its set
};

std::vector<ShapedStep> shaped_steps(const TraceInput& input, const std::vector<ShapeSet>& sets) {
  std::unordered_set<std::uint64_t> seen;
  std::vector<ShapedStep> steps;
  steps.reserve(sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (!sets[i].is_empty()) {
      const auto ns = static_cast<double>(input.partition.steps.steps[i].interval.length_ns());
      steps.push_back({sets[i].hash(), ns, seen.insert(sets[i].hash()).second});
    }
  }
  return steps;
}

// A set that does not come again is compared with nothing: other sets are other work.
std::optional<double> first_excess_ns(const std::vector<ShapedStep>& steps) {
  std::unordered_map<std::uint64_t, std::vector<double>> repeats;
  for (const ShapedStep& step : steps) {
    if (!step.is_first) {
      repeats[step.shape].push_back(step.ns);
    }
  }
  double excess_ns = 0;
  bool is_any_new = false, is_any_known = false;
  for (std::size_t i = 1; i < steps.size(); ++i) {
    if (!steps[i].is_first) {
      continue;
    }
    is_any_new = true;
    if (const auto later = repeats.find(steps[i].shape); later != repeats.end()) {
      is_any_known = true;
      excess_ns += std::max(0.0, steps[i].ns - stats::median(later->second));
    }
  }
  const bool is_known = is_any_new ? is_any_known : !repeats.empty();
  return is_known ? std::optional(excess_ns) : std::nullopt;
}

// By event: kernels whose innermost operator it is; only of convolutions.
std::vector<std::uint32_t> kernels_of_convolutions(const TraceInput& input) {
  NamesThat is_of_kind(input.timeline, is_convolution);
  std::vector<std::uint32_t> kernels(input.timeline.events.size());
  for (std::uint32_t i = 0; i < kernels.size(); ++i) {
    if (input.timeline.events[i].category != profile::Category::kernel) {
      continue;
    }
    const std::uint32_t row = table::enclosing_operator(input.tree, input.issuing_row[i]);
    if (row != kNone && is_of_kind(input.timeline.events[row])) {
      ++kernels[row];
    }
  }
  return kernels;
}

}  // namespace

std::vector<Metric> shape_metrics(const TraceInput& input) {
  if (const std::string why = why_no_operators(input); !why.empty()) {
    return not_applicable(kShapes, why);
  }
  std::vector<ShapeSet> sets = shapes_of_operators(input);
  sets = are_empty(sets) ? shapes_of_kernels(input) : std::move(sets);
  if (are_empty(sets)) {
    return not_applicable(kShapes, kNoShapes);
  }
  const std::vector<ShapedStep> steps = shaped_steps(input, sets);
  const auto distinct =
      std::count_if(steps.begin(), steps.end(), [](const auto& step) { return step.is_first; });
  const auto excess_ns = first_excess_ns(steps);
  return {
      over_steps(kShapes[0], static_cast<double>(distinct), input),
      excess_ns
          ? share_of_steps(std::string(kShapes[1].id), static_cast<std::int64_t>(*excess_ns), input)
          : not_applicable(kShapes[1], "no shapes that are new after the first step come again")};
}

Metric autotune_event_count(const TraceInput& input) {
  if (const std::string why = why_no_kernels(input); !why.empty()) {
    return not_applicable(kTuned, why);
  }
  const std::vector<std::uint32_t> kernels = kernels_of_convolutions(input);
  std::vector<std::uint32_t> fewest(input.timeline.strings.size(), kNone);
  bool is_any = false;
  for (std::uint32_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i] > 0) {
      std::uint32_t& least = fewest[input.timeline.events[i].name];
      least = std::min(least, kernels[i]);
      is_any = true;
    }
  }
  if (!is_any) {
    return not_applicable(kTuned, "no kernel can be joined to a convolution");
  }
  double count = 0;
  for (std::uint32_t i = 0; i < kernels.size(); ++i) {
    const std::uint32_t least = fewest[input.timeline.events[i].name];
    const bool has_tuned =
        kernels[i] >= kLeastKernels && kernels[i] / kTimesFewest >= least && least > 0;
    count += has_tuned && input.begins_in_step(i) ? 1 : 0;
  }
  return over_steps(kTuned, per_step(count, input), input);
}

}  // namespace tune::metric
