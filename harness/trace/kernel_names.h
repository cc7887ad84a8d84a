#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tune {

extern const std::string_view kTensorCoreKernelsText;  ///< trace/tensor_core_kernels.txt
extern const std::string_view kKernelPrecisionsText;   ///< trace/kernel_precisions.txt

}  // namespace tune

namespace tune::profile {

/// One line of a file of patterns: "yes nvjet_".
struct NamePattern {
  std::string verdict;
  std::string text;  ///< in small letters
};

/// Each line has a verdict, a space, and a part of a name, in any case; * matches any characters.
/// Lines that begin with # are comments.
std::vector<NamePattern> read_name_patterns(std::string_view file);

/// The verdict of the first pattern that fits the name, or "".
std::string_view first_verdict(const std::vector<NamePattern>& patterns, std::string_view name);

/// True when the text contains the pattern, in any case; * matches any characters.
bool matches_pattern(std::string_view text, std::string_view pattern);

/// What the numbers are that something multiplies. TF32 rounds products of float32: it is `full`,
/// for nobody asked for 16 bits. float64 is `wide`: autocast never casts it.
enum class Precision : std::uint8_t { unknown, wide, full, fp16, bf16, fp8 };

/// True for 16 bits or fewer.
constexpr bool is_half(Precision precision) {
  return precision >= Precision::fp16;
}

/// By the name of a kernel that multiplies matrices, convolves or attends: the first pattern of
/// kernel_precisions.txt that fits. Other kernels are not what the patterns are made for.
Precision kernel_precision(std::string_view kernel);

/// By the "Input type" of an operator: the narrowest floating-point type among them.
Precision input_precision(std::string_view input_types);

enum class TensorCoreUse : std::uint8_t { yes, no, unknown };

/// Whether a kernel computes with tensor cores (matrix cores on AMD), by its name: the first
/// pattern of tensor_core_kernels.txt that fits, else `no`. Such lists age with every generation of
/// devices: a `no` is weak evidence, a `yes` is not.
TensorCoreUse tensor_core_use(std::string_view kernel);

}  // namespace tune::profile
