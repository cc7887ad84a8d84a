#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune::trial {
struct TrialReply;
}

namespace tune::cli {

/// Seconds of a batch: lower quartile, mean, upper quartile; of a skewed one the mean is a limit,
/// too.
using Spread = std::array<double, 3>;

/// What was measured of a script's dataset before any trial: what loader workers would cost.
struct WorkerCosts {
  double samples = 0;       ///< of a batch
  Spread sample_s{};        ///< one sample, made in the script
  Spread fetch_s{};         ///< a batch, made in the script
  Spread worker_s{};        ///< a batch of one worker that never waits
  double worker_cpu_s = 0;  ///< CPU time of a worker for a batch
  Spread receive_s{};       ///< to receive a batch that is ready
  double start_s = 0;       ///< from the start of a worker to its first batch, less that batch
  std::optional<double> worker_bytes;  ///< memory that a worker has for itself
  double compute_s = 0;                ///< the rest of a step
  double compute_cpu_s = 0;            ///< CPU time of that, all threads
  double cores = 1;
};

/// What a number of workers should reach.
struct PredictedRate {
  std::int64_t workers = 0;
  double lower = 0, middle = 0, upper = 0;  ///< samples/s
};

/// From the facts of the trial that looked at the script, and what it measured; nothing where the
/// agent has measured no loader.
std::optional<WorkerCosts> read_worker_costs(const std::filesystem::path& facts,
                                             const trial::TrialReply& reply,
                                             double cores);

/// A step with workers lasts as long as its slowest part: computing and receiving, a share of what
/// the workers make, or what all together take of the cores.
PredictedRate predict_rate(const WorkerCosts& costs, std::int64_t workers);

/// Those of these numbers that may be as fast as 0 workers or faster; 0 is one of them.
std::vector<std::int64_t> worth_trying(const WorkerCosts& costs,
                                       const std::vector<std::int64_t>& workers);

/// "workers: 0 is best: ...", then a line a number of workers.
std::vector<std::string> curve_lines(const WorkerCosts& costs,
                                     const std::vector<std::int64_t>& workers);

}  // namespace tune::cli
