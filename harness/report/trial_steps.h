#pragma once

#include "measure/campaign/campaign_result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tune::report {

/// Time of each step of the measured window, ns, as far as the reply has them; those without a
/// length left out.
std::vector<double> measured_steps_ns(const trial::TrialReply& reply);

/// Samples of one step, the mean over the measured window; nothing where no step was measured.
std::optional<double> samples_per_step(const trial::TrialReply& reply);

/// How the measured steps of a setting spread, over its trials that count
/// (campaign/measured_facts.h).
struct StepSpread {
  std::size_t steps = 0, trials = 0;
  double median_s = 0, p90_s = 0, p99_s = 0, max_s = 0;
  double lower_quartile_s = 0, upper_quartile_s = 0, p1_s = 0;
  double deviation_ratio = 0;  ///< robust standard deviation over the median
  std::size_t outliers = 0;    ///< longer than the median by more than five of them, and 5 %
  double samples_per_step = 0;
  std::vector<double> longest_s;  ///< of these the longest, at most 20
};

/// Nothing where no step is known.
std::optional<StepSpread> step_spread(const campaign::CampaignResult& result,
                                      const campaign::CellResult& cell);

/// From the start of the process to the end of its first step, seconds; the median of the same
/// trials. Nothing where none of them says.
std::optional<double> time_to_first_step_s(const campaign::CampaignResult& result,
                                           const campaign::CellResult& cell);

}  // namespace tune::report
