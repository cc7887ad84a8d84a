#pragma once

#include <string_view>

namespace tune {

extern const std::string_view kTensorCoreKernelsText;  ///< profile/tensor_core_kernels.txt
extern const std::string_view kKernelPrecisionsText;   ///< profile/kernel_precisions.txt

}  // namespace tune
