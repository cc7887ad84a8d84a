#include "campaign/pair_order.h"

#include "base/seeded_order.h"

namespace tune::campaign {

bool baseline_first(std::uint64_t campaign_seed, std::int64_t round) {
  const std::int64_t block = (round - 1) / 2;
  const bool coin = (derived_seed(campaign_seed, "pairs", block) >> 63) != 0;
  return round % 2 == 1 ? coin : !coin;
}

}  // namespace tune::campaign
