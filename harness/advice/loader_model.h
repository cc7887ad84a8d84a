#pragma once

#include <cstdint>

namespace tune::advice {

/// What the throughput of a loader and a model depends on. The bounds and their errors were
/// measured on 2 cores: -4 to +12 % beside a GPU, 0 to +31 % beside a model on the same cores when
/// workers are not niced.
struct LoaderModel {
  double sample_cpu_s = 0;     ///< s: worker CPU per sample
  double sample_wait_s = 0;    ///< w: blocking read per sample
  double model_rate = 0;       ///< G: samples/s with resident batches
  double usable_cores = 1;     ///< C_eff: cores less what others and the consumer use
  bool trains_on_cpu = false;  ///< the model wants the same cores

  /// Samples/s with so many workers: min of T/(s + w), C/s, the model's rate, and C/(s + C/G) where
  /// the model trains on these cores. Without workers 1/(s + w + 1/G).
  double rate(std::int64_t workers) const;

  /// The smallest number of workers that feeds 1.15 x the model's rate, or, when none does, the
  /// smallest that is as fast as any: at least 1, at most the cores, rounded up.
  std::int64_t needed_workers() const;
};

}  // namespace tune::advice
