#pragma once

#include "trace/kernel_names.h"
#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tune::metric {

/// What an operator of PyTorch computes, as far as tensor cores matter.
enum class OperatorKind : std::uint8_t { convolution, matrix_product, recurrent, attention, other };

/// By the name of the operator that launches the kernels, or of one around it, forward or backward:
///
///     convolution     aten::conv2d, aten::cudnn_convolution, aten::convolution_backward, ...
///     matrix_product  aten::mm, bmm, addmm, baddbmm, addbmm, matmul, linear and their variants
///     recurrent       aten::lstm, gru, _cudnn_rnn, miopen_rnn
///     attention       aten::scaled_dot_product_attention, _flash_attention_forward, ...
///
/// After the list of operators that the TensorBoard plugin takes for eligible.
OperatorKind operator_kind(std::string_view name);

/// True for what tensor cores can compute.
constexpr bool can_use_tensor_cores(OperatorKind kind) {
  return kind != OperatorKind::other;
}

// The same of an operator by its name.
bool is_convolution(std::string_view name);
bool is_product(std::string_view name);
bool is_eligible(std::string_view name);  ///< tensor cores can compute it

/// Time of products, convolutions, recurrent operators and attention, ns, by what they multiply.
struct PrecisionTimes {
  double wide_ns = 0, full_ns = 0, fp16_ns = 0, bf16_ns = 0, fp8_ns = 0, unknown_ns = 0;

  void add(profile::Precision precision, double ns);
};

constexpr std::array<MetricName, 3> kPrecisionNames = {{{"half_time_ratio", "ratio"},
                                                        {"bf16_time_ratio", "ratio"},
                                                        {"double_time_ratio", "ratio"}}};

/// `half_time_ratio`: of the time of products whose precision is known, that of those in 16 bits or
/// fewer; `bf16_time_ratio`: that of those in bfloat16; products of float64 count in neither part.
/// `double_time_ratio`: of the time of all products whose precision is known, that of those of
/// float64. Not applicable where neither types nor names tell of at least half of it; the first two
/// also where all are of float64.
std::vector<Metric> precision_ratios(const PrecisionTimes& times, const TraceInput& input);

/// What rows multiply: by the Input type of the operator, else by the name of the kernel. Each is
/// looked at once.
class ProductPrecision {
 public:
  explicit ProductPrecision(const profile::Timeline& timeline)
      : timeline_(timeline),
        by_name_(timeline.strings.size()),
        by_types_(timeline.strings.size()) {}

  profile::Precision of_operator(const profile::Event& row);
  /// `around`: the operator that issued it, or kNone.
  profile::Precision of_kernel(const profile::Event& kernel, std::uint32_t around);

 private:
  const profile::Timeline& timeline_;
  std::vector<std::optional<profile::Precision>> by_name_, by_types_;  // by StringId
};

/// Time within steps at which any thread of the host is in an operator of the kind, ns: what stands
/// for kernels on the CPU alone.
struct HostProducts {
  std::int64_t convolution_ns = 0;
  std::int64_t both_ns = 0;  ///< in a matrix product or a convolution
  /// The own time of products, convolutions, recurrent operators and attention, by their types.
  PrecisionTimes precision;
};

HostProducts host_products(const TraceInput& input);

}  // namespace tune::metric
