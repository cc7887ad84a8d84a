#include "trace/metric/output_head.h"

#include "trace/metric/product_precision.h"
#include "trace/table/input_lists.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace tune::metric {

namespace {

using profile::Category;
using profile::Event;
using profile::kNone;

constexpr std::array<MetricName, 3> kNames = {{{"output_class_count", "count"},
                                               {"output_row_count", "count"},
                                               {"output_head_ratio", "ratio"}}};

bool is_log_softmax(std::string_view name) {
  return name == "aten::_log_softmax";
}

bool is_of_loss(std::string_view name) {
  return name.find("log_softmax") != std::string_view::npos ||
         name.find("nll_loss") != std::string_view::npos ||
         name.find("cross_entropy") != std::string_view::npos;
}

bool may_be_of_head(std::string_view name) {
  return is_product(name) || is_of_loss(name);
}

std::string_view dims_of(const TraceInput& input, const Event& event) {
  const profile::OpDetail* const op = input.timeline.op(event);
  return op == nullptr ? std::string_view() : input.timeline.strings.text(op->input_dims);
}

struct Scores {
  std::int64_t classes = 0;
  double rows = 0;
};

// The classes of scores are their last dimension.
Scores largest_scores(const TraceInput& input) {
  NamesThat is_softmax(input.timeline, is_log_softmax);
  Scores largest;
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const Event& event = input.timeline.events[i];
    if (event.category != Category::cpu_op || !input.begins_in_step(i) || !is_softmax(event)) {
      continue;
    }
    const auto sizes = table::sizes_in(table::list_element(dims_of(input, event), 0));
    if (!sizes || sizes->count < 2 || sizes->last() <= 0) {
      continue;
    }
    const double rows = sizes->elements() / static_cast<double>(sizes->last());
    if (sizes->last() > largest.classes ||
        (sizes->last() == largest.classes && rows > largest.rows)) {
      largest = {sizes->last(), rows};
    }
  }
  return largest;
}

// Rows of operators with an argument that is so wide.
class HeadRows {
 public:
  HeadRows(const TraceInput& input, std::int64_t classes)
      : input_(input),
        classes_(classes),
        may_be_(input.timeline, may_be_of_head),
        by_dims_(input.timeline.strings.size()) {}

  bool operator()(std::uint32_t row) {
    const Event& event = input_.timeline.events[row];
    const profile::OpDetail* const op = input_.timeline.op(event);
    if (event.category != Category::cpu_op || op == nullptr || !may_be_(event)) {
      return false;
    }
    auto& known = by_dims_[op->input_dims];
    if (!known) {
      known = is_wide(input_.timeline.strings.text(op->input_dims));
    }
    return *known;
  }

 private:
  bool is_wide(std::string_view dims) const {
    for (const std::string_view argument : table::list_elements(dims)) {
      const auto sizes = table::sizes_in(argument);
      if (sizes &&
          std::find(sizes->values.begin(), sizes->values.begin() + sizes->count, classes_) !=
              sizes->values.begin() + sizes->count) {
        return true;
      }
    }
    return false;
  }

  const TraceInput& input_;
  std::int64_t classes_;
  NamesThat may_be_;
  std::vector<std::optional<bool>> by_dims_;  // by StringId
};

std::int64_t head_ns(const TraceInput& input, std::int64_t classes) {
  HeadRows is_head(input, classes);
  std::int64_t ns = 0;
  if (input.partition.has_device_rows) {
    for (const std::uint32_t i : input.device_work) {
      const std::uint32_t row = table::enclosing_operator(input.tree, input.issuing_row[i]);
      ns += row != kNone && is_head(row) ? input.clock.within(input.timeline.events[i]) : 0;
    }
    return ns;
  }
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    ns += input.tree.is_row(i) && input.begins_in_step(i) && is_head(i) ? input.tree.self_ns[i] : 0;
  }
  return ns;
}

}  // namespace

std::vector<Metric> output_head(const TraceInput& input) {
  if (const std::string why = why_no_operators(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  const Scores scores = largest_scores(input);
  if (scores.classes == 0) {
    return not_applicable(kNames,
                          "no log-softmax ran, or no shapes were recorded (record_shapes=True)");
  }
  const std::int64_t all_ns = input.partition.steps.total_ns();  // threads may compute together
  return {over_steps(kNames[0], static_cast<double>(scores.classes), input),
          over_steps(kNames[1], scores.rows, input),
          share_of_steps(
              std::string(kNames[2].id), std::min(head_ns(input, scores.classes), all_ns), input)};
}

}  // namespace tune::metric
