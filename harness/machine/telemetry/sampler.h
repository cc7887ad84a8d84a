#pragma once

#include "machine/telemetry/series.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace tune::telemetry {

struct SamplerOptions {
  std::int64_t period_ns = 200'000'000;
  /// The share of one CPU that the thread may use: after an expensive reading the next one waits
  /// longer.
  double most_cpu_ratio = 0.004;
};

/// Reads sources repeatedly on a thread of low priority (nice 19, SCHED_BATCH: it takes no CPU from
/// a worker that wants it, and unlike SCHED_IDLE it still gets one on a full machine).
class Sampler {
 public:
  /// Starts at once. The sources must outlive it, and nobody else may use them meanwhile.
  explicit Sampler(std::vector<Source*> sources, const SamplerOptions& options = {});
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  /// Takes one extra reading now, e.g. at the edge of a window. Does not wait for it.
  void sample_soon();

  /// The readings, and their cost.
  struct Result {
    Trail trail;
    std::int64_t cpu_ns = 0, wall_ns = 0;  ///< of the thread
  };
  /// Takes one last reading and ends. Once.
  Result stop();

 private:
  void run();
  void sample_once();
  std::int64_t rest_ns(std::int64_t cost_ns) const;

  std::vector<Source*> sources_;
  SamplerOptions options_;
  Trail trail_;                 // of the thread while it runs
  std::vector<double> values_;  // of one reading
  std::int64_t start_ns_ = 0, cpu_ns_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_wanted_ = false, is_over_ = false;  // under the mutex
  std::jthread thread_;
};

}  // namespace tune::telemetry
