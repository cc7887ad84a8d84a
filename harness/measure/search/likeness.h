#pragma once

#include "measure/search/cholesky.h"
#include "measure/search/space.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune::search {

/// What is assumed about a space before its next trial, all on the log scale.
struct Assumptions {
  double signal = 0.3;          ///< scale of the effects of knobs
  double own = 0.015;           ///< sd of what a cell does that its knobs do not explain
  double noise = 0.015;         ///< sd of a trial of one slice
  double block = 0.015;         ///< sd of what the trials of one block share
  std::vector<double> weights;  ///< per axis: how much it does, and how much others depend on it
};

/// The covariance of two cells: signal^2 * prod over axes of (1 + weight * kernel of the axis), the
/// ANOVA kernel. Multiplied out it is a constant, each knob's own effect, each pair's interaction
/// and so on, where a weight below 1 makes each order smaller than the one before.
///
/// The kernel of an axis is centred (an effect sums to zero over the levels) and has unit variance;
/// levels are unrelated, or alike when they are neighbours of a numeric axis.
class Likeness {
 public:
  explicit Likeness(const Space& space);

  std::size_t axes() const { return kernels_.size(); }
  double covariance(std::size_t a, std::size_t b, const Assumptions& assumptions) const;

 private:
  struct Kernel {
    std::size_t levels = 0;
    std::vector<double> values;
  };

  static Kernel centred(const Axis& axis);

  const Space& space_;
  std::vector<Kernel> kernels_;
};

/// The kernel's weights before anything is known, and everything else to begin with.
Assumptions usual_assumptions(std::size_t axes);

/// One score that the model learns from.
struct Observation {
  std::size_t cell = 0;
  std::int64_t block = 0;
  std::int64_t slices = 1;
  double score = 0;
  double doubt = 1;  ///< times its noise: above 1 where it looks like a stall
};

/// Variance of a trial's own noise: what its process keeps for its whole life (layout, allocator)
/// does not average out over slices, the rest does.
double noise_variance(const Observation& observation, const Assumptions& assumptions);

/// Covariance of all observations: cells, blocks, noise, and a constant that is left open.
SquareMatrix covariance(const Likeness& likeness,
                        const std::vector<Observation>& observations,
                        const Assumptions& assumptions);

}  // namespace tune::search
