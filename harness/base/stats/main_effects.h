#pragma once

#include <cstddef>
#include <vector>

namespace tune::stats {

/// What the levels of one factor do to a response, in the response's unit.
struct MainEffect {
  std::vector<double> by_level;  ///< mean 0 over the observations; 0 of a level that none has
  double share = 0;              ///< of the response's variance: the part of this effect, 0-1
};

struct MainEffects {
  std::vector<MainEffect> factors;
  double explained_ratio = 0;  ///< of the variance, by all together; the rest: interactions, noise
};

/// The additive model "response = mean + one effect per factor", by least squares: each factor in
/// turn takes the mean of what the others leave, until nothing changes (backfitting; Buja, Hastie
/// and Tibshirani, Linear smoothers and additive models, Annals of Statistics 1989). In a full grid
/// these are the differences of the levels' means, and the shares those of a classical analysis of
/// variance; in a part of a grid the other factors are accounted for. The joint effect of two
/// factors goes to the first of them when they always change together, else into the residual.
///
/// `levels[factor][observation]` counts from 0. Needs an observation; responses must be finite.
MainEffects main_effects(const std::vector<std::vector<std::size_t>>& levels,
                         const std::vector<double>& response);

}  // namespace tune::stats
