#pragma once

#include "measure/search/history.h"
#include "measure/search/space.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

namespace tune::search {

struct Scored {
  std::size_t cell = 0;
  double score = 0;  ///< on the log scale, higher is better
};

/// The cells one after another, best first. Those within `tie` of the best one left are as good as
/// it: the one with the fewest changed knobs goes first, then the one with the least memory, then
/// the better score. Only what is asked for is worked out: of a thousand cells few are confirmed.
class BestFirst {
 public:
  /// Space and history outlive it.
  BestFirst(const Space& space, const History& history, std::vector<Scored> scored, double tie);

  std::optional<std::size_t> next();

 private:
  using Rank = std::tuple<std::size_t, std::int64_t, double, std::size_t>;
  struct Entry {
    Scored scored;
    std::optional<Rank> rank;  // worked out once it is compared
    bool is_taken = false;
  };

  const Rank& rank_of(Entry& entry) const;

  const Space& space_;
  const History& history_;
  double tie_;
  std::vector<Entry> entries_;  // by score
  std::size_t first_ = 0;       // the best one left
};

/// The first `most` of them.
std::vector<std::size_t> best_first(const Space& space,
                                    const History& history,
                                    std::vector<Scored> scored,
                                    double tie,
                                    std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace tune::search
