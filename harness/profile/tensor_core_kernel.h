#pragma once

#include <cstdint>
#include <string_view>

namespace tune::profile {

enum class TensorCoreUse : std::uint8_t { yes, no, unknown };

/// Whether a kernel computes with tensor cores (matrix cores on AMD), by its name: the first
/// pattern of tensor_core_kernels.txt that fits, else `no`. Such lists age with every generation of
/// devices: a `no` is weak evidence, a `yes` is not.
TensorCoreUse tensor_core_use(std::string_view kernel);

}  // namespace tune::profile
