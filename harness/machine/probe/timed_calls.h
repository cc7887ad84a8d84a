#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tune::probe {

/// A piece of work that is timed by Google Benchmark. It must not throw.
struct TimedCall {
  std::function<void()> work;
  int repetitions = 9;
  double least_s = 0.03;  ///< of one repetition; 0: one call a repetition
};

/// Wall time of one call in seconds, one number a repetition, by Google Benchmark: it finds how
/// many calls a repetition needs, and warms up by that. One at a time in a process.
std::vector<double> seconds_per_call(const TimedCall& call);

}  // namespace tune::probe
