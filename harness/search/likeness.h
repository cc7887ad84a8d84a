#pragma once

#include "search/space.h"

#include <cstddef>
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

}  // namespace tune::search
