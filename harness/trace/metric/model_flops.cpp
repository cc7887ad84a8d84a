#include "trace/metric/model_flops.h"

#include "machine/device_peaks.h"
#include "trace/kernel_names.h"
#include "trace/table/flop_count.h"
#include "trace/table/input_lists.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace tune::metric {

namespace {

using profile::kNone;
using table::list_element;

constexpr std::array<MetricName, 2> kNames = {{{"step_flops", "count"}, {"mfu", "ratio"}}};
constexpr std::string_view kConvolutionBackward = "aten::convolution_backward";

// Their numbers are the bulk of every model; elementwise operators are bound by memory.
bool is_counted(std::string_view name) {
  return name == "aten::mm" || name == "aten::addmm" || name == "aten::bmm" ||
         name == "aten::baddbmm" || name == "aten::conv2d" || name == kConvolutionBackward ||
         (name.starts_with("aten::_scaled_dot_product_") && table::has_flop_formula(name));
}

// [N, K, ...] x [K, C, ...]: as many as forward for each gradient that is asked for, which the last
// of its inputs says, "[False, True, True]", for input and weight.
std::optional<std::int64_t> of_convolution_backward(std::string_view dims,
                                                    std::string_view concrete) {
  constexpr std::size_t kGradient = 0, kWeight = 2, kMask = 10;
  const auto gradient = table::sizes_in(list_element(dims, kGradient));
  const auto weight = table::sizes_in(list_element(dims, kWeight));
  if (!gradient || !weight || gradient->count < 3 || weight->count < 3) {
    return std::nullopt;
  }
  std::int64_t product = list_element(concrete, kMask).starts_with("\"[False") ? 2 : 4;
  const auto times = [&product](std::int64_t factor) {
    return factor >= 0 && !__builtin_mul_overflow(product, factor, &product);
  };
  for (std::size_t i = 0; i < gradient->count; ++i) {
    if (!times(gradient->values[i])) {
      return std::nullopt;
    }
  }
  for (std::size_t i = 1; i < weight->count; ++i) {  // [0]: the channels of the gradient
    if (!times(weight->values[i])) {
      return std::nullopt;
    }
  }
  return product;
}

struct Operations {
  double half = 0, tf32 = 0, single = 0, others = 0;

  double all() const { return half + tf32 + single + others; }
};

class Counter {
 public:
  explicit Counter(const TraceInput& input)
      : input_(input),
        counts_(input.timeline, is_counted),
        around_(table::innermost_that(input.tree, [this](std::uint32_t row) {
          const profile::Event& event = input_.timeline.events[row];
          return event.category == profile::Category::cpu_op && counts_(event);
        })) {}

  Operations count() {
    find_tensor_cores();
    find_outer_calls();
    Operations sum;
    for (std::uint32_t row = 0; row < around_.size(); ++row) {
      if (around_[row] == row && !encloses_[row] && input_.begins_in_step(row)) {
        add(row, sum);
      }
    }
    return sum;
  }

 private:
  void find_tensor_cores() {
    uses_tensor_cores_.resize(around_.size());
    NamesThat uses(input_.timeline, [](std::string_view name) {
      return profile::tensor_core_use(name) == profile::TensorCoreUse::yes;
    });
    for (const std::uint32_t work : input_.device_work) {
      const std::uint32_t call = input_.issuing_row[work];
      const std::uint32_t row = call == kNone ? kNone : around_[call];
      if (row != kNone && uses(input_.timeline.events[work])) {
        uses_tensor_cores_[row] = true;
      }
    }
  }

  // Autocast calls the operator once more, with its inputs cast: the inner call is what computes.
  void find_outer_calls() {
    encloses_.resize(around_.size());
    for (std::uint32_t row = 0; row < around_.size(); ++row) {
      const std::uint32_t parent = around_[row] == row ? input_.tree.parent[row] : kNone;
      if (parent != kNone && around_[parent] != kNone) {
        encloses_[around_[parent]] = true;
      }
    }
  }

  void add(std::uint32_t row, Operations& sum) const {
    const profile::Timeline& timeline = input_.timeline;
    const profile::Event& event = timeline.events[row];
    const profile::OpDetail* const op = timeline.op(event);
    if (op == nullptr) {
      return;
    }
    const std::string_view name = timeline.name(event);
    const std::string_view dims = timeline.strings.text(op->input_dims);
    const std::string_view concrete = timeline.strings.text(op->concrete_inputs);
    const auto flops = name == kConvolutionBackward ? of_convolution_backward(dims, concrete)
                                                    : table::flop_count(name, dims, concrete);
    if (!flops || *flops <= 0) {
      return;
    }
    const std::string_view type = list_element(timeline.strings.text(op->input_types), 0);
    double& part = type == R"("c10::Half")" || type == R"("c10::BFloat16")" ? sum.half
                   : type != R"("float")"                                   ? sum.others
                   : uses_tensor_cores_[row]                                ? sum.tf32
                                                                            : sum.single;
    part += static_cast<double>(*flops);
  }

  const TraceInput& input_;
  NamesThat counts_;
  std::vector<std::uint32_t> around_;  // by event: the innermost that counts
  std::vector<bool> uses_tensor_cores_, encloses_;
};

Metric utilisation(const Operations& sum, const TraceInput& input) {
  const auto& devices = input.timeline.devices;
  const auto seconds = static_cast<double>(input.partition.total_ns()) * 1e-9;
  if (!input.partition.has_device_rows) {
    return not_applicable(kNames[1], "the peak of a CPU is not in a table: tune probe measures it");
  }
  if (const std::string why = why_no_kernels(input); !why.empty()) {
    return not_applicable(kNames[1], why);
  }
  if (devices.empty()) {
    return not_applicable(kNames[1], "the trace does not name its GPU");
  }
  const auto peaks = machine::device_peaks(devices.front().name);
  if (!peaks) {
    return not_applicable(kNames[1], "peaks of " + devices.front().name + " are not known");
  }
  if (sum.others > 0) {
    return not_applicable(kNames[1], "the step multiplies numbers of a type without a known peak");
  }
  const double tf32_rate =
      peaks->tf32_flop_rate > 0 ? peaks->tf32_flop_rate : peaks->float_flop_rate;
  const double least_s =
      sum.half / peaks->half_flop_rate + sum.tf32 / tf32_rate + sum.single / peaks->float_flop_rate;
  const auto working =
      static_cast<double>(std::max<std::size_t>(1, input.partition.device_busy.size()));
  return over_steps(kNames[1], least_s / working / seconds, input);
}

}  // namespace

std::vector<Metric> model_flops(const TraceInput& input) {
  if (const std::string why = why_no_operators(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  const Operations sum = Counter(input).count();
  if (!(sum.all() > 0) || input.partition.total_ns() <= 0) {
    return not_applicable(kNames,
                          "no step calls a matrix product or a convolution whose shape was "
                          "recorded (record_shapes=True)");
  }
  return {over_steps(kNames[0], per_step(sum.all(), input), input), utilisation(sum, input)};
}

}  // namespace tune::metric
