#pragma once

#include <cstdint>
#include <string_view>

namespace tune::profile {

/// What the numbers are that something multiplies. TF32 rounds products of float32: it is `full`,
/// for nobody asked for 16 bits. float64 is `wide`: autocast never casts it.
enum class Precision : std::uint8_t { unknown, wide, full, fp16, bf16, fp8 };

/// Of 16 bits or fewer.
constexpr bool is_half(Precision precision) {
  return precision >= Precision::fp16;
}

/// By the name of a kernel that multiplies matrices, convolves or attends: the first pattern of
/// kernel_precisions.txt that fits. Other kernels are not what the patterns are made for.
Precision kernel_precision(std::string_view kernel);

/// By the "Input type" of an operator: the narrowest floating-point type among them.
Precision input_precision(std::string_view input_types);

}  // namespace tune::profile
