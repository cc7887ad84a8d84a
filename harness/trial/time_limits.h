#pragma once

#include <cstdint>

namespace tune::trial {

// How long things may last: what scenarios, flags, specs and ledgers may say alike, so that nothing
// is measured that its own record refuses.

/// A trial, its warm-up, and one of its slices: a day.
constexpr std::int64_t kLongestTrialNs = 86'400'000'000'000;

/// A whole campaign or gate: ten thousand hours.
constexpr std::int64_t kLongestCampaignNs = 36'000'000'000'000'000;

}  // namespace tune::trial
