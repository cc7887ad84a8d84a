#include "metric/operator_kind.h"

#include <algorithm>
#include <array>

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

}  // namespace tune::metric
