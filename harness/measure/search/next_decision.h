#pragma once

#include "measure/search/history.h"
#include "measure/search/space.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::search {

enum class Strategy { guided, grid, random };

struct Policy {
  Strategy strategy = Strategy::guided;
  std::uint64_t seed = 0;
  std::int64_t rounds = 3;         ///< blocks of all cells, where all cells are measured
  std::int64_t slices = 5;         ///< of a full trial
  std::size_t wanted = 3;          ///< cells that the confirmation can take
  double min_effect_ratio = 0.01;  ///< smaller differences do not matter
  std::size_t whole_below = 16;    ///< guided: smaller grids are measured whole
  double most_share = 0.22;        ///< guided: of the slices of a whole run, for repeated trials
  double deviations = 2.5;         ///< guided: how sure the model must be to leave a cell out
  double largest_surprise = 0.7;   ///< guided: on the log scale, how wrong it is thought to be
};

/// Trials that are compared with one another: each cell once, the baseline among them. To be run in
/// random order, so that any part of it is usable.
struct Block {
  std::int64_t number = 0;  ///< from 0
  /// "grid", "random", "screening", "exploring", "covering", "halving", "race", "trimming"
  std::string stage;
  std::vector<std::size_t> cells;    ///< all of it, the baseline first
  std::vector<std::size_t> pending;  ///< those that have not run yet in this block
  std::int64_t slices = 1;
  bool operator==(const Block&) const = default;
};

/// A cell that will not be measured (again), as things stand, and why.
struct Dropped {
  std::size_t cell = 0;
  std::string reason;  ///< "at most +3.1 %, the leader has +58.0 %"
  bool operator==(const Dropped&) const = default;
};

struct Decision {
  std::optional<Block> next;
  std::string finished;  ///< why there is no next block, or ""
  /// What to confirm, best first, never the baseline; at most Policy::wanted. Good at any moment,
  /// also when the caller ends the search early. Empty where nothing that ran can matter.
  std::vector<std::size_t> candidates;
  std::vector<Dropped> dropped;
};

/// What to measure next: a function of the space, of the measurements in the order in which they
/// ended, and of the policy, so that a resumed campaign continues exactly where it stopped.
///
/// Ask after any number of trials; within a block the answer is the rest of that block.
Decision next_decision(const Space& space,
                       const std::vector<Measurement>& measurements,
                       const Policy& policy);

/// The same for whoever keeps the history of these measurements.
Decision next_decision(const Space& space,
                       const std::vector<Measurement>& measurements,
                       const History& history,
                       const Policy& policy);

}  // namespace tune::search
