#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tune::stats {

/// Whether the machine itself differed between the two sides of a campaign.
struct EnvironmentShift {
  bool is_shifted = false;
  double lower = 0, estimate = 0, upper = 0;  ///< ln(time next to candidates / next to baselines)
  std::string warning;                        ///< a sentence when it shifted, or ""
};

/// The sentinel is the same fixed work next to every process, so only the machine moves its time
/// ratio away from 1. Shifted: the interval [lower, upper] (each bound at `level`, one-sided;
/// signed_rank.h) is entirely outside +-1 %. `differences`: one per pair, ln of the ratio. Needs at
/// least one.
EnvironmentShift environment_shift(const std::vector<double>& differences, double level);

/// The process of a pair that ran first.
enum class PairOrder { baseline_first, candidate_first };

/// The cost of running second, for either side: heat, a warm page cache, fragmented memory.
struct PositionEffect {
  std::size_t blocks = 0;       ///< pairs of pairs, one in each order, that it was estimated from
  double log_ratio = 0;         ///< ln(time as second / time as first); 0 without a block
  double lower = 0, upper = 0;  ///< 95 % together; -inf and +inf below six blocks
  bool is_large = false;        ///< above 2 %: the likely cause when a row stays inconclusive
  std::string warning;          ///< a sentence when it is large, or ""
};

/// Half of the difference between the pairs in one order and the pairs in the other, in which the
/// effect of the candidate cancels: the j-th pair with the baseline first is matched with the j-th
/// pair with the candidate first; what is left over on one side is not used.
///
/// `differences` are ln(time ratios) of the pairs in the order of measurement, `orders` has one
/// entry each. Assumes that the effect is the same for both sides. Hodges-Lehmann over the blocks.
PositionEffect position_effect(const std::vector<double>& differences,
                               const std::vector<PairOrder>& orders);

}  // namespace tune::stats
