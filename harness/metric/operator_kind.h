#pragma once

#include <cstdint>
#include <string_view>

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

}  // namespace tune::metric
