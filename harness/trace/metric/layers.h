#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace tune::metric {

/// Layers as forward passes call them; what a backward pass calls has other names.
constexpr bool is_layer(std::string_view name) {
  constexpr std::array<std::string_view, 12> kLayers = {"aten::linear",
                                                        "aten::conv1d",
                                                        "aten::conv2d",
                                                        "aten::conv3d",
                                                        "aten::layer_norm",
                                                        "aten::batch_norm",
                                                        "aten::group_norm",
                                                        "aten::embedding",
                                                        "aten::lstm",
                                                        "aten::gru",
                                                        "aten::lstm_cell",
                                                        "aten::scaled_dot_product_attention"};
  return std::find(kLayers.begin(), kLayers.end(), name) != kLayers.end();
}

}  // namespace tune::metric
