#include "metric/product_precision.h"

namespace tune::metric {

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
  const double known_ns = times.full_ns + half_ns;
  if (known_ns <= 0 && times.wide_ns > times.unknown_ns) {
    return not_applicable(kPrecisionNames, "products multiply float64, which autocast never casts");
  }
  if (known_ns <= 0 || known_ns < times.unknown_ns) {
    return not_applicable(kPrecisionNames, kNotTold);
  }
  return over_steps(kPrecisionNames, {half_ns / known_ns, times.bf16_ns / known_ns}, input);
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

}  // namespace tune::metric
