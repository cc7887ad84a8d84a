#include "trace/metric/matrix_products.h"

#include "trace/kernel_names.h"
#include "trace/metric/metric.h"
#include "trace/metric/product_precision.h"
#include "trace/metric/trace_input.h"
#include "trace/table/input_lists.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tune::metric {

namespace {

using profile::kNone;
using table::list_elements;

constexpr std::array<MetricName, 2> kNames = {
    {{"misaligned_gemm_ratio", "ratio"}, {"fp32_gemm_ratio", "ratio"}}};
constexpr std::int64_t kAlignment = 8;
constexpr const char* kNotRecorded =
    "what matrix products multiply was not recorded (record_shapes=True)";

bool uses_tensor_cores(std::string_view name) {
  return profile::tensor_core_use(name) == profile::TensorCoreUse::yes;
}

// cuDNN's convolutions of float32 are called so too: "implicit_convolve_sgemm".
bool is_sgemm(std::string_view name) {
  const bool is_called_so =
      has_in_any_case(name, "sgemm") || has_in_any_case(name, "xmma_gemm_f32f32_f32f32");
  return is_called_so && !has_in_any_case(name, "convolve") && !uses_tensor_cores(name);
}

// What a product needs besides multiplying: a bias is copied, parts are summed up.
bool only_helps(std::string_view name) {
  return name.find("at::native::") != std::string_view::npos ||
         has_in_any_case(name, "splitkreduce");
}

// ..align8.. is not ..align80..
bool is_aligned_to(std::string_view name, std::string_view word) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t at = 0; at + word.size() <= name.size(); ++at) {
    const std::string_view here = name.substr(at, word.size());
    const bool ends = at + word.size() == name.size() || !is_digit(name[at + word.size()]);
    if (ends && has_in_any_case(here, word)) {
      return true;
    }
  }
  return false;
}

bool is_misaligned_by_name(std::string_view name) {
  return is_aligned_to(name, "align1") || is_aligned_to(name, "align2");
}

bool is_aligned_by_name(std::string_view name) {
  return is_aligned_to(name, "align8") || is_aligned_to(name, "align16") ||
         is_aligned_to(name, "ldg8") ||
         has_in_any_case(name, "nvjet_");  // nvjet: TMA takes no other
}

// What the inputs of one product are.
struct Inputs {
  bool are_known = false;
  bool are_float = true, are_16_bit = true;  // every tensor
  bool are_misaligned = false;               // any factor
};

// Whether one of the last `last` sizes is not a multiple of 8.
bool is_misaligned(std::string_view dims, std::size_t last) {
  const auto sizes = table::sizes_in(dims);
  for (std::size_t i = 0; sizes && i < sizes->count; ++i) {
    if (i + last >= sizes->count && sizes->values[i] % kAlignment != 0) {
      return true;
    }
  }
  return false;
}

// In M x K times K x N, M is only how many rows there are: it does not decide a row's alignment.
bool is_misaligned_factor(std::string_view dims, std::size_t factor) {
  return factor < 2 && is_misaligned(dims, factor == 0 ? 1 : 2);
}

// What is added comes before the factors: addmm, baddbmm.
std::size_t first_factor(std::string_view name) {
  return name.find("add") != std::string_view::npos ? 1 : 0;
}

Inputs inputs_of(const profile::Timeline& timeline, const profile::Event& row) {
  const profile::OpDetail* const op = timeline.op(row);
  Inputs inputs;
  if (op == nullptr) {
    return inputs;
  }
  auto dims = list_elements(timeline.strings.text(op->input_dims));
  const auto types = list_elements(timeline.strings.text(op->input_types));
  dims.resize(std::max(dims.size(), types.size()));
  const std::size_t first = first_factor(timeline.name(row));
  for (std::size_t i = 0; i < types.size() && !types[i].empty(); ++i) {
    const std::string_view type = types[i];
    if (type == R"("Scalar")" || type == R"("")" || dims[i] == "[]") {
      continue;  // no tensor, or one of one number
    }
    inputs.are_known = true;
    inputs.are_float = inputs.are_float && type == R"("float")";
    inputs.are_16_bit =
        inputs.are_16_bit && (type == R"("c10::Half")" || type == R"("c10::BFloat16")");
    inputs.are_misaligned =
        inputs.are_misaligned || (i >= first && is_misaligned_factor(dims[i], i - first));
  }
  return inputs;
}

// What one kernel is to matrix products.
struct Verdict {
  bool is_misaligned = false, tells_alignment = false;
  bool is_fp32 = false, is_tf32 = false, tells_type = false;
};

class ProductKernels {
 public:
  explicit ProductKernels(const TraceInput& input)
      : input_(input),
        is_product_(input.timeline, is_product),
        is_convolution_(input.timeline, is_convolution),
        uses_tensor_cores_(input.timeline, uses_tensor_cores),
        is_sgemm_(input.timeline, is_sgemm),
        only_helps_(input.timeline, only_helps),
        is_misaligned_(input.timeline, is_misaligned_by_name),
        is_aligned_(input.timeline, is_aligned_by_name),
        precision_(input.timeline) {}

  Verdict of(std::uint32_t kernel) {
    const profile::Event& event = input_.timeline.events[kernel];
    look_at_operator_of(kernel);
    const bool multiplies = is_of_product_ && !only_helps_(event);
    const bool has_fast_units = uses_tensor_cores_(event);
    const profile::Precision precision =
        multiplies ? precision_.of_kernel(event, kNone) : profile::Precision::unknown;
    const bool is_bad = multiplies && inputs_.are_known && inputs_.are_16_bit &&
                        inputs_.are_misaligned && !is_aligned_(event);
    const bool is_called_misaligned = has_fast_units && is_misaligned_(event);
    const bool is_of_float =
        inputs_.are_known ? inputs_.are_float : precision == profile::Precision::full;
    const bool is_float = (multiplies && is_of_float) || (is_sgemm_(event) && !is_of_convolution_);
    return {.is_misaligned = is_bad || is_called_misaligned,
            .tells_alignment = !multiplies || inputs_.are_known || is_called_misaligned ||
                               is_aligned_(event) || precision == profile::Precision::full ||
                               precision == profile::Precision::wide,
            .is_fp32 = is_float && !has_fast_units,
            .is_tf32 = multiplies && is_of_float && has_fast_units,
            .tells_type = !multiplies || inputs_.are_known || is_float || has_fast_units ||
                          precision != profile::Precision::unknown};
  }

 private:
  // The product that launched the kernel; looked at once a row.
  void look_at_operator_of(std::uint32_t kernel) {
    const profile::Timeline& timeline = input_.timeline;
    const std::uint32_t row = table::enclosing_operator(input_.tree, input_.issuing_row[kernel]);
    if (row != last_row_) {
      last_row_ = row;
      is_of_product_ = row != kNone && is_product_(timeline.events[row]);
      is_of_convolution_ = row != kNone && is_convolution_(timeline.events[row]);
      inputs_ = is_of_product_ ? inputs_of(timeline, timeline.events[row]) : Inputs{};
    }
  }

  const TraceInput& input_;
  NamesThat is_product_, is_convolution_, uses_tensor_cores_, is_sgemm_, only_helps_;
  NamesThat is_misaligned_, is_aligned_;
  ProductPrecision precision_;
  std::uint32_t last_row_ = kNone;
  bool is_of_product_ = false, is_of_convolution_ = false;
  Inputs inputs_;
};

struct Sums {
  double all_ns = 0;
  double misaligned_ns = 0, unknown_alignment_ns = 0;
  double fp32_ns = 0, unknown_type_ns = 0;

  void add(const Verdict& verdict, double ns) {
    all_ns += ns;
    misaligned_ns += verdict.is_misaligned ? ns : 0;
    unknown_alignment_ns += verdict.tells_alignment ? 0 : ns;
    fp32_ns += verdict.is_fp32 ? ns : 0;
    unknown_type_ns += verdict.tells_type ? 0 : ns;
  }
};

std::vector<std::uint32_t> kernels_that(const TraceInput& input, bool Verdict::*is_wanted) {
  ProductKernels kernels(input);
  std::vector<std::uint32_t> found;
  for (const std::uint32_t i : input.device_work) {
    if (input.timeline.events[i].category == profile::Category::kernel &&
        kernels.of(i).*is_wanted) {
      found.push_back(i);
    }
  }
  return found;
}

}  // namespace

std::vector<Metric> matrix_product_ratios(const TraceInput& input) {
  if (const std::string why = why_no_kernels(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  ProductKernels kernels(input);
  Sums sums;
  for (const std::uint32_t i : input.device_work) {
    const profile::Event& event = input.timeline.events[i];
    if (event.category == profile::Category::kernel) {
      sums.add(kernels.of(i), static_cast<double>(input.clock.within(event)));
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

std::vector<std::uint32_t> misaligned_kernels(const TraceInput& input) {
  return kernels_that(input, &Verdict::is_misaligned);
}

std::vector<std::uint32_t> fp32_kernels(const TraceInput& input) {
  return kernels_that(input, &Verdict::is_fp32);
}

bool has_tf32_products(const TraceInput& input) {
  return !kernels_that(input, &Verdict::is_tf32).empty();
}

std::string product_shapes(const TraceInput& input, std::uint32_t kernel) {
  const std::uint32_t row = table::enclosing_operator(input.tree, input.issuing_row[kernel]);
  const profile::OpDetail* const op =
      row == kNone ? nullptr : input.timeline.op(input.timeline.events[row]);
  if (op == nullptr) {
    return "";
  }
  std::string shapes;
  for (const std::string_view dims : list_elements(input.timeline.strings.text(op->input_dims))) {
    const auto sizes = table::sizes_in(dims);
    if (sizes && sizes->count >= 2) {
      shapes += shapes.empty() ? "" : " x ";
      shapes += dims;
    }
  }
  return shapes;
}

}  // namespace tune::metric
