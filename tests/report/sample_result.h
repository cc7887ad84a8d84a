#pragma once

#include "measure/campaign/campaign_result.h"

namespace tune::report {

/// An invented campaign that looks like a real one and is the same every time: 24 cells of
/// resnet18 on 2 CPUs, 3 rounds, one cell out of memory, one that crashes, two collapsed knobs, one
/// `forbid`, 6 fresh pairs.
campaign::CampaignResult sample_result();

/// The same without its confirmation, as after a search whose budget was used up.
campaign::CampaignResult unconfirmed_result();

/// Every trial, also the baseline's, ran out of memory.
campaign::CampaignResult all_failed_result();

/// Before the first trial: nothing is known.
campaign::CampaignResult empty_result();

/// The baseline and `count` - 1 other cells, each measured in 3 rounds.
campaign::CampaignResult result_with_cells(int count);

/// The sample with markup, control characters and broken UTF-8 in every text that comes from
/// outside.
campaign::CampaignResult hostile_result();

}  // namespace tune::report
