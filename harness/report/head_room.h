#pragma once

#include "measure/campaign/campaign_result.h"

#include <cstdint>
#include <string>

namespace tune::report {

/// What a trial may use at most: the memory of the GPU where trials compute on one, else that of
/// the machine or its cgroup; 0 where it is not known.
std::int64_t memory_limit_bytes(const campaign::CampaignResult& result);

/// "the GPU", "the machine or its cgroup": whose limit that is.
const char* memory_owner(const campaign::CampaignResult& result);

/// "969 MiB of 16 GiB (5.9 %), 15 GiB left"; why that is not known.
std::string head_room_text(const campaign::CampaignResult& result,
                           const campaign::CellResult& cell);

}  // namespace tune::report
