#include "trace/metric/product_precision.h"

#include "trace/metric/metric.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace tune::metric {

namespace {

bool has(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

bool is_matrix_product(std::string_view name) {
  constexpr std::array<std::string_view, 13> kNames = {"mm",
                                                       "bmm",
                                                       "addmm",
                                                       "baddbmm",
                                                       "addbmm",
                                                       "matmul",
                                                       "linear",
                                                       "_addmm_activation",
                                                       "addmv",
                                                       "mv",
                                                       "_scaled_mm",
                                                       "linear_backward",
                                                       "matmul_backward"};
  if (name.ends_with('_')) {
    name.remove_suffix(1);  // in place: addmm_
  }
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace

OperatorKind operator_kind(std::string_view name) {
  constexpr std::string_view kNamespace = "aten::";
  if (!name.starts_with(kNamespace)) {
    return OperatorKind::other;
  }
  name.remove_prefix(kNamespace.size());
  if (has(name, "convolution") || name.starts_with("conv1d") || name.starts_with("conv2d") ||
      name.starts_with("conv3d") || name.starts_with("conv_transpose")) {
    return OperatorKind::convolution;
  }
  if (is_matrix_product(name)) {
    return OperatorKind::matrix_product;
  }
  if (name == "lstm" || name == "gru" || has(name, "_rnn") || has(name, "lstm_mps")) {
    return OperatorKind::recurrent;
  }
  return has(name, "scaled_dot_product") || has(name, "flash_attention") ||
                 has(name, "efficient_attention") || has(name, "cudnn_attention")
             ? OperatorKind::attention
             : OperatorKind::other;
}

using profile::Precision;

namespace {

constexpr const char* kNotTold =
    "neither Input types (record_shapes=True) nor names of kernels tell what products multiply";

}  // namespace

void PrecisionTimes::add(Precision precision, double ns) {
  switch (precision) {
    case Precision::unknown:
      unknown_ns += ns;
      break;
    case Precision::wide:
      wide_ns += ns;
      break;
    case Precision::full:
      full_ns += ns;
      break;
    case Precision::fp16:
      fp16_ns += ns;
      break;
    case Precision::bf16:
      bf16_ns += ns;
      break;
    case Precision::fp8:
      fp8_ns += ns;
      break;
  }
}

std::vector<Metric> precision_ratios(const PrecisionTimes& times, const TraceInput& input) {
  const double half_ns = times.fp16_ns + times.bf16_ns + times.fp8_ns;
  const double known_ns = times.full_ns + half_ns, all_ns = known_ns + times.wide_ns;
  if (all_ns <= 0 || all_ns < times.unknown_ns) {
    return not_applicable(kPrecisionNames, kNotTold);
  }
  std::vector<Metric> metrics =
      known_ns <= 0
          ? not_applicable(kPrecisionNames, "products multiply float64, which autocast never casts")
      : known_ns < times.unknown_ns
          ? not_applicable(kPrecisionNames, kNotTold)
          : over_steps(kPrecisionNames, {half_ns / known_ns, times.bf16_ns / known_ns, 0}, input);
  metrics[2] = over_steps(kPrecisionNames[2], times.wide_ns / all_ns, input);
  return metrics;
}

Precision ProductPrecision::of_operator(const profile::Event& row) {
  const profile::OpDetail* const op = timeline_.op(row);
  if (op == nullptr) {
    return Precision::unknown;
  }
  auto& known = by_types_[op->input_types];
  if (!known) {
    known = profile::input_precision(timeline_.strings.text(op->input_types));
  }
  return *known;
}

Precision ProductPrecision::of_kernel(const profile::Event& kernel, std::uint32_t around) {
  const Precision told =
      around == profile::kNone ? Precision::unknown : of_operator(timeline_.events[around]);
  if (told != Precision::unknown) {
    return told;
  }
  auto& known = by_name_[kernel.name];
  if (!known) {
    known = profile::kernel_precision(timeline_.name(kernel));
  }
  return *known;
}

bool is_convolution(std::string_view name) {
  return operator_kind(name) == OperatorKind::convolution;
}

bool is_product(std::string_view name) {
  return operator_kind(name) == OperatorKind::matrix_product;
}

bool is_eligible(std::string_view name) {
  return can_use_tensor_cores(operator_kind(name));
}

HostProducts host_products(const TraceInput& input) {
  NamesThat convolves(input.timeline, is_convolution), multiplies(input.timeline, is_product),
      counts(input.timeline, is_eligible);
  ProductPrecision precision_of(input.timeline);
  PrecisionTimes precision;
  std::vector<profile::Interval> convolutions, both;
  convolutions.reserve(64);
  both.reserve(64);
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const profile::Event& event = input.timeline.events[i];
    if (event.category != profile::Category::cpu_op) {
      continue;
    }
    if (input.tree.is_row(i) && counts(event) && input.begins_in_step(i)) {
      precision.add(precision_of.of_operator(event), static_cast<double>(input.tree.self_ns[i]));
    }
    if (convolves(event)) {
      convolutions.push_back({event.start_ns, event.end_ns()});
      both.push_back({event.start_ns, event.end_ns()});
    } else if (multiplies(event)) {
      both.push_back({event.start_ns, event.end_ns()});
    }
  }
  const profile::Intervals steps = input.partition.steps.covered();
  return {length_ns(profile::intersect(profile::unite(std::move(convolutions)), steps)),
          length_ns(profile::intersect(profile::unite(std::move(both)), steps)),
          precision};
}

}  // namespace tune::metric
