#pragma once

#include "measure/campaign/campaign_result.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tune::report {

/// A number of the processes that train together in one setting, a value for each trial.
struct RankNumber {
  std::string_view id;
  std::vector<double> values;
};

/// `communication_exposed_ratio`: the share of their time in which the ranks only waited for one
/// another. `straggler_ratio`: by how much of a step the slowest rank is later than the others,
/// from a tenth on, else 0. Nothing of trials of one process.
std::vector<RankNumber> rank_numbers(const std::vector<const campaign::TrialRecord*>& trials);

/// The throughput of a setting of several devices over that of as many alone: of the setting with
/// one that is otherwise equal. Nothing where that was not measured, or there is one device.
std::optional<double> scaling_efficiency(const campaign::CampaignResult& run,
                                         const campaign::CellResult& cell);

}  // namespace tune::report
