#pragma once

#include "machine/telemetry/sampler.h"

#include <cmath>
#include <vector>

namespace tune::telemetry {

constexpr std::int64_t kSecondNs = 1'000'000'000;

/// One reading: seconds, and one number for each series.
struct Reading {
  double at_s = 0;
  std::vector<double> values;
};

inline std::int64_t at(double seconds) {
  return std::llround(seconds * 1e9);
}

inline Sampler::Result made_trail(const std::vector<SeriesInfo>& series,
                                  const std::vector<Reading>& readings) {
  Trail trail(series);
  for (const Reading& reading : readings) {
    trail.add(at(reading.at_s), reading.values);
  }
  return {std::move(trail), 2'000'000, kSecondNs};
}

}  // namespace tune::telemetry
