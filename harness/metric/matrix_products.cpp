#include "metric/matrix_products.h"

#include "metric/names.h"
#include "metric/operator_kind.h"
#include "metric/why_missing.h"
#include "profile/tensor_core_kernel.h"
#include "table/input_lists.h"

#include <array>
#include <cstddef>

namespace tune::metric {

namespace {

using profile::kNone;
using table::list_element;

constexpr std::array<MetricName, 2> kNames = {
    {{"misaligned_gemm_ratio", "ratio"}, {"fp32_gemm_ratio", "ratio"}}};
constexpr std::int64_t kAlignment = 8;
constexpr const char* kNotRecorded =
    "what matrix products multiply was not recorded (record_shapes=True)";

bool is_product(std::string_view name) {
  return operator_kind(name) == OperatorKind::matrix_product;
}

bool uses_tensor_cores(std::string_view name) {
  return profile::tensor_core_use(name) == profile::TensorCoreUse::yes;
}

// cuDNN's convolutions of float32 are called so too: "implicit_convolve_sgemm".
bool is_sgemm(std::string_view name) {
  return has_in_any_case(name, "sgemm") && !has_in_any_case(name, "convolve") &&
         !uses_tensor_cores(name);
}

bool is_misaligned_by_name(std::string_view name) {
  return has_in_any_case(name, "align1") || has_in_any_case(name, "align2");
}

bool is_aligned_by_name(std::string_view name) {
  return has_in_any_case(name, "align8") || has_in_any_case(name, "align16");
}

// What the inputs of one product are.
struct Inputs {
  bool are_known = false;
  bool are_float = true, are_16_bit = true;  // every tensor
  bool are_misaligned = false;               // any tensor
};

bool is_misaligned(std::string_view dims) {
  const auto sizes = table::sizes_in(dims);
  for (std::size_t i = 0; sizes && i < sizes->count; ++i) {
    if (i + 2 >= sizes->count && sizes->values[i] % kAlignment != 0) {
      return true;
    }
  }
  return false;
}

Inputs inputs_of(const profile::Timeline& timeline, const profile::OpDetail* op) {
  Inputs inputs;
  if (op == nullptr) {
    return inputs;
  }
  const std::string_view dims = timeline.strings.text(op->input_dims);
  const std::string_view types = timeline.strings.text(op->input_types);
  for (std::size_t i = 0;; ++i) {
    const std::string_view type = list_element(types, i);
    if (type.empty()) {
      break;
    }
    if (type == R"("Scalar")" || type == R"("")" || list_element(dims, i) == "[]") {
      continue;  // no tensor, or one of one number
    }
    inputs.are_known = true;
    inputs.are_float = inputs.are_float && type == R"("float")";
    inputs.are_16_bit =
        inputs.are_16_bit && (type == R"("c10::Half")" || type == R"("c10::BFloat16")");
    inputs.are_misaligned = inputs.are_misaligned || is_misaligned(list_element(dims, i));
  }
  return inputs;
}

class Sums {
 public:
  explicit Sums(const TraceInput& input)
      : input_(input),
        is_product_(input.timeline, is_product),
        uses_tensor_cores_(input.timeline, uses_tensor_cores),
        is_sgemm_(input.timeline, is_sgemm),
        is_misaligned_(input.timeline, is_misaligned_by_name),
        is_aligned_(input.timeline, is_aligned_by_name) {}

  void add(std::uint32_t kernel) {
    const profile::Event& event = input_.timeline.events[kernel];
    const auto ns = static_cast<double>(input_.clock.within(event));
    const Inputs inputs = product_of(kernel);
    all_ns += ns;
    const bool is_known = inputs.are_known || !is_of_product_;
    const bool is_bad = inputs.are_known && inputs.are_16_bit && inputs.are_misaligned;
    misaligned_ns += is_misaligned_(event) || (is_bad && !is_aligned_(event)) ? ns : 0;
    const bool tells_alignment = is_misaligned_(event) || is_aligned_(event);
    unknown_alignment_ns += is_known || tells_alignment ? 0 : ns;
    const bool is_float = is_sgemm_(event) || (inputs.are_known && inputs.are_float);
    fp32_ns += is_float && !uses_tensor_cores_(event) ? ns : 0;
    unknown_type_ns += is_known || is_sgemm_(event) || uses_tensor_cores_(event) ? 0 : ns;
  }

  double all_ns = 0;
  double misaligned_ns = 0, unknown_alignment_ns = 0;
  double fp32_ns = 0, unknown_type_ns = 0;

 private:
  // The inputs of the product that launched the kernel; looked at once a row.
  Inputs product_of(std::uint32_t kernel) {
    const std::uint32_t row =
        table::enclosing_operator(input_.timeline, input_.tree, input_.issuing_row[kernel]);
    if (row != last_row_) {
      last_row_ = row;
      is_of_product_ = row != kNone && is_product_(input_.timeline.events[row]);
      last_ = is_of_product_
                  ? inputs_of(input_.timeline, input_.timeline.op(input_.timeline.events[row]))
                  : Inputs{};
    }
    return last_;
  }

  const TraceInput& input_;
  NamesThat is_product_, uses_tensor_cores_, is_sgemm_, is_misaligned_, is_aligned_;
  std::uint32_t last_row_ = kNone;
  bool is_of_product_ = false;
  Inputs last_;
};

}  // namespace

std::vector<Metric> matrix_product_ratios(const TraceInput& input) {
  if (const std::string why = why_no_kernels(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  Sums sums(input);
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    if (input.timeline.events[i].category == profile::Category::kernel) {
      sums.add(i);
    }
  }
  if (sums.all_ns <= 0) {
    return not_applicable(kNames, "no kernel ran within a step");
  }
  std::vector<Metric> metrics = not_applicable(kNames, kNotRecorded);
  if (sums.misaligned_ns > 0 || sums.unknown_alignment_ns <= 0) {
    metrics[0] = over_steps(kNames[0], sums.misaligned_ns / sums.all_ns, input);
  }
  if (sums.fp32_ns > 0 || sums.unknown_type_ns <= 0) {
    const auto steps_ns = static_cast<double>(input.partition.total_ns());
    metrics[1] = over_steps(kNames[1], sums.fp32_ns / steps_ns, input);
  }
  return metrics;
}

}  // namespace tune::metric
