#pragma once

#include "machine.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune::fake {

/// The noise of one process on the machine that a script describes, step by step.
class ProcessNoise {
 public:
  /// Draws the noise that all of its steps share. The drift is the machine's, so next_block() gets
  /// it.
  ProcessNoise(const noise::Environment& environment, std::uint64_t seed);

  /// The time of each of the next `steps` steps, as a multiple of its time without noise; the first
  /// of them is step number `first` of the process. Their sum is what the generator draws for one
  /// slice: their own noise is that of independent steps whose mean is the slice's.
  std::vector<double> next_block(std::int64_t first, std::int64_t steps, double drift);

 private:
  noise::Environment environment_;
  noise::RandomStream random_;
  double offset_;
};

}  // namespace tune::fake
