#include "trace/metric/convolution_bias.h"

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"
#include "trace/table/input_lists.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace tune::metric {

namespace {

using profile::Event;
using profile::kNone;
using table::list_element;
using Rows = std::vector<std::uint32_t>;

constexpr std::array<MetricName, 2> kNames = {
    {{"conv_bias_bn_count", "count"}, {"conv_bias_ratio", "ratio"}}};

bool is_convolution(std::string_view name) {
  return name == "aten::conv1d" || name == "aten::conv2d" || name == "aten::conv3d";
}

bool is_batch_norm(std::string_view name) {
  return name == "aten::batch_norm";
}

std::string_view dims_of(const TraceInput& input, std::uint32_t row) {
  const profile::OpDetail* const op = input.timeline.op(input.timeline.events[row]);
  return op == nullptr ? std::string_view() : input.timeline.strings.text(op->input_dims);
}

// num_batches_tracked += 1
bool counts_batches(const TraceInput& input, std::uint32_t row) {
  return input.timeline.name(input.timeline.events[row]) == "aten::add_" &&
         list_element(dims_of(input, row), 0) == "[]";
}

bool adds(std::string_view name) {
  return name == "aten::add_" || name == "aten::add";
}

bool sums_up(std::string_view name) {
  return name == "aten::sum";
}

// Convolutions whose bias a batch normalisation takes away again.
class ConvolutionBias {
 public:
  explicit ConvolutionBias(const TraceInput& input)
      : input_(input), adds_(input.timeline, adds), sums_up_(input.timeline, sums_up) {}

  std::vector<Metric> metrics() {
    find();
    if (count_ == 0 && is_unknown_) {
      constexpr const char* kWhy =
          "whether convolutions have a bias was not recorded (record_shapes=True)";
      return {not_applicable(kNames[0], kWhy), not_applicable(kNames[1], kWhy)};
    }
    return {over_steps(kNames[0], per_step(count_, input_), input_),
            share_of_steps(std::string(kNames[1].id), rows_.empty() ? 0 : time_ns(), input_)};
  }

 private:
  void find() {
    NamesThat is_norm(input_.timeline, is_batch_norm), is_conv(input_.timeline, is_convolution);
    const Rows& previous = input_.previous;
    for (std::uint32_t i = 0; i < previous.size(); ++i) {
      if (previous[i] == kNone || !input_.begins_in_step(i) ||
          !is_norm(input_.timeline.events[i])) {
        continue;
      }
      std::uint32_t before = previous[i];
      before = counts_batches(input_, before) ? previous[before] : before;
      if (before == kNone || !is_conv(input_.timeline.events[before])) {
        continue;
      }
      constexpr std::size_t kBias = 2;
      const std::string_view bias = list_element(dims_of(input_, before), kBias);
      if (bias.empty()) {
        unsure_.push_back(before);
      } else if (bias != "[]") {
        rows_.push_back(before);
      }
    }
    std::sort(rows_.begin(), rows_.end());
    std::sort(unsure_.begin(), unsure_.end());
    look_at_unsure();
    count_ = static_cast<double>(rows_.size());
  }

  // On a device the bias is an operator of its own, which tells without shapes.
  void look_at_unsure() {
    is_unknown_ = !unsure_.empty();
    if (unsure_.empty()) {
      return;
    }
    Rows with_bias;
    const auto is_within = within(unsure_);
    for (std::uint32_t i = 0; i < is_within.size(); ++i) {
      if (is_within[i] != kNone && adds_(input_.timeline.events[i])) {
        with_bias.push_back(is_within[i]);
      }
    }
    std::sort(with_bias.begin(), with_bias.end());
    with_bias.erase(std::unique(with_bias.begin(), with_bias.end()), with_bias.end());
    rows_.insert(rows_.end(), with_bias.begin(), with_bias.end());
  }

  // By event: the row of `tops` that encloses it, or the row itself. `tops` are in order.
  Rows within(const Rows& tops) const {
    Rows top_of(input_.timeline.events.size(), kNone);
    for (const std::uint32_t top : tops) {
      top_of[top] = top;
    }
    for (std::uint32_t i = tops.empty() ? 0 : tops.front(); i < top_of.size(); ++i) {
      if (top_of[i] == kNone && input_.tree.is_row(i) && input_.tree.parent[i] != kNone) {
        top_of[i] = top_of[input_.tree.parent[i]];
      }
    }
    return top_of;
  }

  // Where the bias is added, and on the way back where its gradient is summed up.
  std::vector<bool> rows_of_bias() {
    const Rows forward = within(rows_);
    std::unordered_set<std::int64_t> numbers;
    std::vector<bool> is_bias(forward.size());
    for (std::uint32_t i = 0; i < forward.size(); ++i) {
      const Event& event = input_.timeline.events[i];
      const profile::OpDetail* const op = input_.timeline.op(event);
      if (forward[i] != kNone && op != nullptr && op->sequence_number >= 0) {
        numbers.insert(op->sequence_number);
      }
      is_bias[i] = forward[i] != kNone && adds_(event);
    }
    std::vector<bool> is_back(forward.size());
    for (std::uint32_t i = 0; i < forward.size(); ++i) {  // parents before their children
      if (!input_.tree.is_row(i)) {
        continue;
      }
      const std::uint32_t parent = input_.tree.parent[i];
      const profile::OpDetail* const op = input_.timeline.op(input_.timeline.events[i]);
      const bool is_node =
          op != nullptr && op->forward_thread > 0 && numbers.contains(op->sequence_number);
      is_back[i] = is_node || (parent != kNone && is_back[parent]);
      is_bias[i] = is_bias[i] || (is_back[i] && sums_up_(input_.timeline.events[i])) ||
                   (parent != kNone && is_bias[parent]);
    }
    return is_bias;
  }

  std::int64_t time_ns() {
    const std::vector<bool> is_bias = rows_of_bias();
    std::int64_t ns = 0;
    for (const std::uint32_t i : input_.device_work) {
      const std::uint32_t issuing = input_.issuing_row[i];
      const bool counts = issuing != kNone && is_bias[issuing];
      ns += counts ? input_.clock.within(input_.timeline.events[i]) : 0;
    }
    for (std::uint32_t i = 0; !input_.partition.has_device_rows && i < is_bias.size(); ++i) {
      const bool counts = is_bias[i] && input_.tree.is_row(i) && input_.begins_in_step(i);
      ns += counts ? input_.tree.self_ns[i] : 0;
    }
    return ns;
  }

  const TraceInput& input_;
  NamesThat adds_, sums_up_;
  Rows rows_, unsure_;
  double count_ = 0;
  bool is_unknown_ = false;
};

}  // namespace

std::vector<Metric> convolution_bias(const TraceInput& input) {
  const std::string why = why_no_operators(input);
  return why.empty() ? ConvolutionBias(input).metrics() : not_applicable(kNames, why);
}

}  // namespace tune::metric
