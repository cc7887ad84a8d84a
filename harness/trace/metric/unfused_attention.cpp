#include "trace/metric/unfused_attention.h"

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"
#include "trace/table/input_lists.h"

#include <array>

namespace tune::metric {

namespace {

using profile::kNone;

constexpr std::array<MetricName, 3> kNames = {{{"attention_unfused_ratio", "ratio"},
                                               {"attention_fallback_ratio", "ratio"},
                                               {"attention_product_ratio", "ratio"}}};
constexpr int kMostBetween = 12;

bool is_product(std::string_view name) {
  return name == "aten::matmul" || name == "aten::bmm" || name == "aten::baddbmm" ||
         name == "aten::einsum";
}

bool is_softmax(std::string_view name) {
  return name == "aten::softmax" || name == "aten::_softmax" || name == "aten::_safe_softmax";
}

// The mark of a softmax that is composed of single operators.
bool is_exponential(std::string_view name) {
  return name == "aten::exp";
}

// PyTorch's own attention, where no fused kernel takes the inputs.
bool is_fallback(std::string_view name) {
  return name == "aten::scaled_dot_product_attention" ||
         name == "aten::_scaled_dot_product_attention_math";
}

enum class Shape : std::uint8_t { square, other, unknown };

Shape softmax_shape(const TraceInput& input, std::uint32_t row) {
  const profile::OpDetail* const op = input.timeline.op(input.timeline.events[row]);
  if (op == nullptr || op->input_dims == 0) {
    return Shape::unknown;
  }
  const auto sizes =
      table::sizes_in(table::list_element(input.timeline.strings.text(op->input_dims), 0));
  const bool is_square = sizes && sizes->count >= 3 &&
                         sizes->last() == sizes->values[sizes->count - 2] && sizes->last() > 1;
  return is_square ? Shape::square : Shape::other;
}

class Attention {
 public:
  explicit Attention(const TraceInput& input)
      : input_(input),
        is_product_(input.timeline, is_product),
        is_softmax_(input.timeline, is_softmax),
        is_exponential_(input.timeline, is_exponential),
        previous_(input.previous),
        is_part_(previous_.size()),
        is_product_of_it_(previous_.size()),
        is_of_fallback_(previous_.size()) {}

  // By event: rows that are part of it, and rows within them.
  const std::vector<bool>& parts() const { return is_part_; }
  // Its matrix products, which every attention has to compute.
  const std::vector<bool>& products() const { return is_product_of_it_; }
  // Those of them that PyTorch's own attention is made of.
  const std::vector<bool>& parts_of_fallback() const { return is_of_fallback_; }

  void find() {
    NamesThat falls_back(input_.timeline, is_fallback);
    fallbacks_ = table::innermost_that(
        input_.tree, [&](std::uint32_t row) { return falls_back(input_.timeline.events[row]); });
    for (std::uint32_t i = 0; i < previous_.size(); ++i) {
      if (previous_[i] != kNone && is_product_(input_.timeline.events[i])) {
        mark_back_from(i);
      }
    }
    for (std::uint32_t i = 0; i < previous_.size(); ++i) {  // parents before their children
      if (input_.tree.is_row(i) && input_.tree.parent[i] != kNone) {
        is_part_[i] = is_part_[i] || is_part_[input_.tree.parent[i]];
        is_product_of_it_[i] = is_product_of_it_[i] || is_product_of_it_[input_.tree.parent[i]];
        is_of_fallback_[i] = is_of_fallback_[i] || is_of_fallback_[input_.tree.parent[i]];
      }
    }
  }

 private:
  // From the second product back to the first.
  void mark_back_from(std::uint32_t last) {
    bool has_softmax = false;
    std::uint32_t row = previous_[last];
    for (int between = 0; row != kNone && between <= kMostBetween; ++between) {
      const profile::Event& event = input_.timeline.events[row];
      if (is_product_(event)) {
        break;
      }
      const bool is_whole = is_softmax_(event);
      if (is_whole || is_exponential_(event)) {
        const Shape shape = softmax_shape(input_, row);
        // Without shapes the company of two products has to tell.
        has_softmax =
            has_softmax || shape == Shape::square || (is_whole && shape == Shape::unknown);
      }
      row = previous_[row];
    }
    if (!has_softmax || row == kNone || !is_product_(input_.timeline.events[row])) {
      return;
    }
    is_product_of_it_[last] = is_product_of_it_[row] = true;
    const bool falls_back = fallbacks_[last] != kNone;
    for (std::uint32_t part = last;; part = previous_[part]) {
      is_part_[part] = true;
      is_of_fallback_[part] = is_of_fallback_[part] || falls_back;
      if (part == row) {
        break;
      }
    }
  }

  const TraceInput& input_;
  NamesThat is_product_, is_softmax_, is_exponential_;
  const std::vector<std::uint32_t>& previous_;
  std::vector<std::uint32_t> fallbacks_;  // by event: the innermost around it
  std::vector<bool> is_part_, is_product_of_it_, is_of_fallback_;
};

// The time of the kernels, or on the CPU alone that of the rows themselves.
std::int64_t time_of(const TraceInput& input, const std::vector<bool>& is_part) {
  std::int64_t ns = 0;
  if (input.partition.has_device_rows) {
    for (const std::uint32_t i : input.device_work) {
      const profile::Event& event = input.timeline.events[i];
      const std::uint32_t issuing = input.issuing_row[i];
      const bool counts =
          event.category == profile::Category::kernel && issuing != kNone && is_part[issuing];
      ns += counts ? input.clock.within(event) : 0;
    }
    return ns;
  }
  for (std::uint32_t i = 0; i < is_part.size(); ++i) {
    if (is_part[i] && input.tree.is_row(i)) {
      const std::uint32_t parent = input.tree.parent[i];
      const bool is_outermost = parent == kNone || !is_part[parent];
      ns += is_outermost ? input.clock.within(input.timeline.events[i]) : 0;
    }
  }
  return ns;
}

}  // namespace

std::vector<Metric> attention_ratios(const TraceInput& input) {
  if (const std::string why = why_no_operators(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  Attention attention(input);
  attention.find();
  const auto steps_ns = static_cast<double>(input.partition.total_ns());
  const auto share = [&](const std::vector<bool>& is_part) {
    return static_cast<double>(time_of(input, is_part)) / steps_ns;
  };
  return over_steps(
      kNames,
      {share(attention.parts()), share(attention.parts_of_fallback()), share(attention.products())},
      input);
}

}  // namespace tune::metric
