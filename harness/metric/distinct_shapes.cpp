#include "metric/distinct_shapes.h"

#include "metric/names.h"
#include "metric/operator_kind.h"
#include "metric/why_missing.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace tune::metric {

namespace {

using profile::kNone;

constexpr MetricName kShapes = {"distinct_shape_count", "count"};
constexpr MetricName kTuned = {"autotune_event_count", "count"};
constexpr std::uint32_t kLeastKernels = 8;
constexpr std::uint32_t kTimesFewest = 3;

bool has_algorithms(std::string_view name) {
  return operator_kind(name) != OperatorKind::other;
}

bool is_convolution(std::string_view name) {
  return operator_kind(name) == OperatorKind::convolution;
}

// The same for equal sets, whatever the order; sets of a step are small.
class ShapeSet {
 public:
  void add(profile::StringId name, profile::StringId dims) {
    const std::uint64_t pair = (std::uint64_t{name} << 32) | dims;
    if (seen_.insert(pair).second) {
      sum_ += mixed(pair);
    }
  }
  bool is_empty() const { return seen_.empty(); }
  std::uint64_t take() {
    seen_.clear();
    return std::exchange(sum_, 0);
  }

 private:
  // The finaliser of SplitMix64: every bit of the pair matters for every bit of the sum.
  static std::uint64_t mixed(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
  }

  std::unordered_set<std::uint64_t> seen_;
  std::uint64_t sum_ = 0;
};

// By event: kernels whose innermost operator it is; only of convolutions.
std::vector<std::uint32_t> kernels_of_convolutions(const TraceInput& input) {
  NamesThat is_of_kind(input.timeline, is_convolution);
  std::vector<std::uint32_t> kernels(input.timeline.events.size());
  for (std::uint32_t i = 0; i < kernels.size(); ++i) {
    if (input.timeline.events[i].category != profile::Category::kernel) {
      continue;
    }
    const std::uint32_t row =
        table::enclosing_operator(input.timeline, input.tree, input.issuing_row[i]);
    if (row != kNone && is_of_kind(input.timeline.events[row])) {
      ++kernels[row];
    }
  }
  return kernels;
}

}  // namespace

Metric distinct_shape_count(const TraceInput& input) {
  if (const std::string why = why_no_operators(input); !why.empty()) {
    return not_applicable(kShapes, why);
  }
  NamesThat counts(input.timeline, has_algorithms);
  std::unordered_set<std::uint64_t> sets;
  ShapeSet set;
  std::uint32_t step = kNone;
  const auto close = [&sets, &set] {
    if (!set.is_empty()) {
      sets.insert(set.take());
    }
  };
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {  // by start, so by step
    const profile::Event& event = input.timeline.events[i];
    const profile::OpDetail* const op = input.timeline.op(event);
    if (op == nullptr || op->input_dims == 0 || !input.begins_in_step(i) || !counts(event)) {
      continue;
    }
    if (input.step_of[i] != step) {
      close();
      step = input.step_of[i];
    }
    set.add(event.name, op->input_dims);
  }
  close();
  return sets.empty()
             ? not_applicable(kShapes,
                              "no convolution, matrix product, recurrent operator or attention "
                              "says its Input Dims (record_shapes=True)")
             : over_steps(kShapes, static_cast<double>(sets.size()), input);
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
