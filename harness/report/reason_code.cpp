#include "report/reason_code.h"

#include "base/assert.h"
#include "measure/gate/fingerprint.h"

#include <algorithm>
#include <array>

namespace tune::report {

namespace {

constexpr std::array<ReasonCode, 14> kCodes = {{
    {"OTHER_MACHINE", "another device, number of CPUs, or GPU: the numbers answer two questions"},
    {"OTHER_CPU", "a CPU of another model: the numbers answer two questions"},
    {"OTHER_ENVIRONMENT", "the workers inherited other variables, such as OMP_NUM_THREADS"},
    {"OTHER_LIBRARY", "another LibTorch, or its kernels for another set of instructions"},
    {"OTHER_SCENARIO", "another scenario, or another text of it: the numbers answer two questions"},
    {"OTHER_DATA", "other data, by their checksum: the numbers answer two questions"},
    {"OTHER_PROGRAM", "another tune, or another tune-worker"},
    {"NO_INTERVAL", "one of the two numbers has no interval: nothing can be said"},
    {"WITHIN_NOISE", "the intervals overlap"},
    {"EQUAL", "one and the same number, without noise"},
    {"FASTER", "the intervals are apart, and B is the faster one"},
    {"SLOWER", "the intervals are apart, and B is the slower one"},
    {"HIGHER", "the intervals are apart, and B is higher; the number is not a speed"},
    {"LOWER", "the intervals are apart, and B is lower; the number is not a speed"},
}};

}  // namespace

std::span<const ReasonCode> all_reason_codes() {
  return kCodes;
}

std::string_view meaning_of(std::string_view code) {
  const auto* const found = std::find_if(
      kCodes.begin(), kCodes.end(), [&](const ReasonCode& each) { return each.code == code; });
  TUNE_ASSERT(found != kCodes.end());
  return found->meaning;
}

std::string_view code_of_difference(std::string_view what) {
  return what == "CPU"                                          ? "OTHER_CPU"
         : what == "variables"                                  ? "OTHER_ENVIRONMENT"
         : what == gate::kLibTorch || what == gate::kKernelsFor ? "OTHER_LIBRARY"
         : what == gate::kScenarioText || what == "scenario"    ? "OTHER_SCENARIO"
         : what == gate::kData                                  ? "OTHER_DATA"
         : what == "tune" || what == "tune-worker"              ? "OTHER_PROGRAM"
                                                                : "OTHER_MACHINE";
}

}  // namespace tune::report
