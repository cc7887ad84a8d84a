#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tune::probe {

/// Work that Google Benchmark times. It must not throw.
struct TimedCall {
  std::function<void()> work;
  int repetitions = 9;
  double least_s = 0.03;  ///< of one repetition; 0: one call per repetition
};

/// Wall time of one call in seconds, one number per repetition, by Google Benchmark: it finds how
/// many calls a repetition needs, which also warms up. One at a time per process.
std::vector<double> seconds_per_call(const TimedCall& call);

}  // namespace tune::probe
