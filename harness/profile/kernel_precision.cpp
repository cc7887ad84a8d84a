#include "profile/kernel_precision.h"

#include "profile/kernel_patterns.h"
#include "profile/name_patterns.h"

namespace tune::profile {

Precision kernel_precision(std::string_view kernel) {
  static const std::vector<NamePattern> kPatterns = read_name_patterns(kKernelPrecisionsText);
  const std::string_view verdict = first_verdict(kPatterns, kernel);
  return verdict == "fp16"   ? Precision::fp16
         : verdict == "bf16" ? Precision::bf16
         : verdict == "fp8"  ? Precision::fp8
         : verdict == "full" ? Precision::full
         : verdict == "wide" ? Precision::wide
                             : Precision::unknown;
}

Precision input_precision(std::string_view input_types) {
  const auto has = [input_types](std::string_view type) {
    return input_types.find(type) != std::string_view::npos;
  };
  return has("c10::Float8")     ? Precision::fp8
         : has("c10::BFloat16") ? Precision::bf16
         : has("c10::Half")     ? Precision::fp16
         : has(R"("float")")    ? Precision::full
         : has(R"("double")")   ? Precision::wide
                                : Precision::unknown;
}

}  // namespace tune::profile
