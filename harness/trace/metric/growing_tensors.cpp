#include "trace/metric/growing_tensors.h"

#include "trace/table/host_tree.h"
#include "trace/table/input_lists.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

namespace tune::metric {

namespace {

constexpr std::array<MetricName, 2> kNames = {
    {{"growing_cat_count", "count"}, {"growing_cat_ratio", "ratio"}}};

bool concatenates(std::string_view name) {
  return name == "aten::cat";
}

// The sizes of a tensor, with an order; those beyond its dimensions are 0.
struct Shape {
  std::size_t dimensions = 0;
  std::array<std::int64_t, table::Sizes::kMost> sizes{};

  bool operator<(const Shape& other) const {
    return std::tie(dimensions, sizes) < std::tie(other.dimensions, other.sizes);
  }
};

std::optional<Shape> shape_in(std::string_view list) {
  const auto sizes = table::sizes_in(list);
  if (!sizes || sizes->count == 0) {
    return std::nullopt;
  }
  return Shape{sizes->count, sizes->values};
}

// What is concatenated: the sizes of its two ends, and of the result.
struct Concatenation {
  Shape first, last, result;
};

// The dimension by the one in which they differ; of equal tensors by the argument, else the first.
std::size_t dimension_of(const Shape& first, const Shape& last, std::string_view concrete) {
  for (std::size_t i = 0; i < first.dimensions; ++i) {
    if (first.sizes[i] != last.sizes[i]) {
      return i;
    }
  }
  std::string_view text = table::list_element(concrete, 1);
  if (text.size() > 2 && text.front() == '"') {
    text = text.substr(1, text.size() - 2);
  }
  std::int64_t dimension = 0;
  std::from_chars(text.data(), text.data() + text.size(), dimension);
  const auto dimensions = static_cast<std::int64_t>(first.dimensions);
  dimension += dimension < 0 ? dimensions : 0;
  return dimension >= 0 && dimension < dimensions ? static_cast<std::size_t>(dimension) : 0;
}

std::optional<Concatenation> concatenation_of(const TraceInput& input,
                                              const profile::Event& event) {
  const profile::OpDetail* const op = input.timeline.op(event);
  if (op == nullptr) {
    return std::nullopt;
  }
  const auto& strings = input.timeline.strings;
  const std::vector<std::string_view> tensors =
      table::list_elements(table::list_element(strings.text(op->input_dims), 0));
  if (tensors.size() < 2) {
    return std::nullopt;
  }
  const auto first = shape_in(tensors.front()), last = shape_in(tensors.back());
  if (!first || !last || first->dimensions != last->dimensions) {
    return std::nullopt;
  }
  Concatenation found{.first = *first, .last = *last, .result = *first};
  const std::size_t grows = dimension_of(*first, *last, strings.text(op->concrete_inputs));
  for (std::size_t i = 1; i < tensors.size(); ++i) {
    const auto tensor = shape_in(tensors[i]);
    if (!tensor || tensor->dimensions != first->dimensions) {
      return std::nullopt;
    }
    found.result.sizes[grows] = static_cast<std::int64_t>(  // a file may say any number
        static_cast<std::uint64_t>(found.result.sizes[grows]) +
        static_cast<std::uint64_t>(tensor->sizes[grows]));
  }
  return found;
}

// How many calls in a row made the tensor of these sizes grow. Several that grow at once (keys and
// values) have the same sizes.
class Chains {
 public:
  std::int64_t add(const Concatenation& call) {
    const auto earlier = [this](const Shape& shape) {
      const auto found = length_of_.find(shape);
      return found == length_of_.end() ? std::int64_t{0} : found->second;
    };
    const std::int64_t length = 1 + std::max(earlier(call.first), earlier(call.last));
    length_of_[call.result] = length;
    return length;
  }

 private:
  std::map<Shape, std::int64_t> length_of_;
};

struct Growth {
  std::vector<bool> rows;  // by event: such a call
  double count = 0;        // within steps
  bool is_sized = false;
};

Growth find_growth(const TraceInput& input) {
  constexpr std::int64_t kLongEnough = 10;  // as of loops over rows (PyTorch's pattern matcher)
  NamesThat fits(input.timeline, concatenates);
  const std::vector<std::uint32_t> around = table::outermost_that(
      input.tree, [&](std::uint32_t row) { return fits(input.timeline.events[row]); });
  Chains chains;
  Growth growth{.rows = std::vector<bool>(input.timeline.events.size())};
  for (std::uint32_t i = 0; i < growth.rows.size(); ++i) {
    const auto call =
        around[i] == i ? concatenation_of(input, input.timeline.events[i]) : std::nullopt;
    if (!call) {
      continue;
    }
    growth.is_sized = true;
    growth.rows[i] = chains.add(*call) >= kLongEnough;
    growth.count += growth.rows[i] && input.begins_in_step(i) ? 1 : 0;
  }
  return growth;
}

}  // namespace

std::vector<Metric> growing_tensors(const TraceInput& input) {
  if (const std::string why = why_no_steps(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  const Growth growth = find_growth(input);
  if (!growth.is_sized) {
    return not_applicable(kNames, "no aten::cat says the sizes of its tensors");
  }
  return over_steps(kNames,
                    {per_step(growth.count, input),
                     static_cast<double>(time_issued_ns(input, growth.rows)) /
                         static_cast<double>(input.partition.total_ns())},
                    input);
}

}  // namespace tune::metric
