#pragma once

#include "base/json_object.h"

#include <cstddef>

namespace tune::trial {

// Chosen so that no sum over a list of the largest size overflows.
constexpr Range kDuration = {0, 86'400'000'000'000};       // a day
constexpr Range kCpuTime = {0, 8'000'000'000'000'000};     // of all threads together
constexpr Range kMoment = {0, 4'000'000'000'000'000'000};  // CLOCK_MONOTONIC
constexpr Range kCount = {0, 1'000'000'000'000};
constexpr Range kBytes = {0, 1'000'000'000'000'000};
constexpr std::size_t kMostSteps = 100'000;
constexpr std::size_t kMostSlices = 1'000;

}  // namespace tune::trial
