#include "metric/unfused_attention.h"

#include "metric/names.h"
#include "metric/siblings.h"
#include "metric/why_missing.h"
#include "table/input_lists.h"

namespace tune::metric {

namespace {

using profile::kNone;

constexpr MetricName kName = {"attention_unfused_ratio", "ratio"};
constexpr int kMostBetween = 12;

bool is_product(std::string_view name) {
  return name == "aten::matmul" || name == "aten::bmm" || name == "aten::baddbmm" ||
         name == "aten::einsum";
}

bool is_softmax(std::string_view name) {
  return name == "aten::softmax" || name == "aten::_softmax" || name == "aten::_safe_softmax";
}

// Of a softmax that is composed of single operators.
bool is_exponential(std::string_view name) {
  return name == "aten::exp";
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
        previous_(previous_siblings(input)),
        is_part_(previous_.size()) {}

  bool is_unknown() const { return is_unknown_; }

  // By event: rows that are part of it, and what lies in them.
  const std::vector<bool>& find() {
    for (std::uint32_t i = 0; i < previous_.size(); ++i) {
      if (previous_[i] != kNone && is_product_(input_.timeline.events[i])) {
        mark_back_from(i);
      }
    }
    for (std::uint32_t i = 0; i < previous_.size(); ++i) {  // parents before their children
      if (input_.tree.is_row(i) && input_.tree.parent[i] != kNone) {
        is_part_[i] = is_part_[i] || is_part_[input_.tree.parent[i]];
      }
    }
    return is_part_;
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
        is_unknown_ = is_unknown_ || (is_whole && shape == Shape::unknown);
        has_softmax = has_softmax || shape == Shape::square;
      }
      row = previous_[row];
    }
    if (!has_softmax || row == kNone || !is_product_(input_.timeline.events[row])) {
      return;
    }
    is_part_[row] = true;
    for (std::uint32_t part = last; part != row; part = previous_[part]) {
      is_part_[part] = true;
    }
  }

  const TraceInput& input_;
  NamesThat is_product_, is_softmax_, is_exponential_;
  std::vector<std::uint32_t> previous_;
  std::vector<bool> is_part_;
  bool is_unknown_ = false;
};

std::int64_t time_of(const TraceInput& input, const std::vector<bool>& is_part) {
  const bool has_devices = input.partition.has_device_rows;
  std::int64_t ns = 0;
  for (std::uint32_t i = 0; i < is_part.size(); ++i) {
    const profile::Event& event = input.timeline.events[i];
    const std::uint32_t issuing = input.issuing_row[i];
    if (has_devices) {
      const bool counts =
          event.category == profile::Category::kernel && issuing != kNone && is_part[issuing];
      ns += counts ? input.clock.within(event) : 0;
    } else if (is_part[i] && input.tree.is_row(i)) {
      const std::uint32_t parent = input.tree.parent[i];
      ns += parent == kNone || !is_part[parent] ? input.clock.within(event) : 0;
    }
  }
  return ns;
}

}  // namespace

Metric attention_unfused_ratio(const TraceInput& input) {
  if (const std::string why = why_no_operators(input); !why.empty()) {
    return not_applicable(kName, why);
  }
  Attention attention(input);
  const std::int64_t ns = time_of(input, attention.find());
  return ns == 0 && attention.is_unknown()
             ? not_applicable(kName,
                              "a softmax between matrix products has no Input Dims "
                              "(record_shapes=True)")
             : over_steps(kName,
                          static_cast<double>(ns) / static_cast<double>(input.partition.total_ns()),
                          input);
}

}  // namespace tune::metric
