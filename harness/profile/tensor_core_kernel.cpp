#include "profile/tensor_core_kernel.h"

#include "profile/kernel_patterns.h"
#include "profile/name_patterns.h"

namespace tune::profile {

TensorCoreUse tensor_core_use(std::string_view kernel) {
  static const std::vector<NamePattern> kPatterns = read_name_patterns(kTensorCoreKernelsText);
  const std::string_view verdict = first_verdict(kPatterns, kernel);
  return verdict == "yes"                     ? TensorCoreUse::yes
         : verdict == "no" || verdict.empty() ? TensorCoreUse::no
                                              : TensorCoreUse::unknown;
}

}  // namespace tune::profile
