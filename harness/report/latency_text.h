#pragma once

#include "measure/campaign/campaign_result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::report {

/// A percentile of how long a step of inference takes from its batch to its result: transfer and
/// forward, by the host's clock, or between events on the GPU. Waiting for the batch is not in it.
struct LatencyPercentile {
  const char* id = "";            ///< "latency_p99"
  const char* name = "";          ///< "p99"
  std::string window;             ///< "confirm", "search": the stage whose trials count
  std::optional<double> seconds;  ///< of the steps of all these trials
  std::int64_t steps = 0,
               least = 0;  ///< how many there were, and must be (base/stats/quantile.h)
};

/// p50, p90 and p99 of a cell; none where nothing is inferred or nothing was measured.
std::vector<LatencyPercentile> latency_percentiles(const campaign::CampaignResult& result,
                                                   const std::string& cell);

/// Why a percentile is not told: "120 steps, and it takes 299".
std::string too_few_steps(const LatencyPercentile& percentile);

/// A sentence for the baseline and one for the best setting, the same in every format; none where
/// nothing is inferred.
std::vector<std::string> latency_lines(const campaign::CampaignResult& result);

}  // namespace tune::report
