#pragma once

#include "measure/search/history.h"
#include "measure/search/next_decision.h"
#include "measure/search/space.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::search {

struct GuidedStep {
  std::optional<Block> block;
  std::string finished;                 ///< why there is no block
  std::vector<Dropped> dropped;         ///< besides the cells that are given up
  std::vector<std::size_t> candidates;  ///< before the block runs
};

/// The block with this number, given everything measured before it.
///
/// 1. Two blocks of screening: few short trials that tell most about all cells.
/// 2. While a cell that was never measured may still beat the leader by as much as matters under
///    the model, short trials of the most promising ones ("exploring").
/// 3. Short trials of combinations of knobs that no trial had ("covering"), see moves.h.
/// 4. The best cell and cells with a part of its changes that may do as well ("trimming"), so that
///    no change without effect is recommended. One trial of a block of 2 is such a cell, too.
/// 5. Successive halving: measured cells that may beat the leader, at most a third of the last
///    round (and those within 1 % of the leader, and favoured ones), in trials three times as long.
/// 6. A race of the rest in full trials, until as many are left as can be confirmed.
/// 7. A second round ("halving" again) of what would be confirmed after a single one; if it changes
///    the model, 2 to 6 follow again.
///
/// Repeated trials (4 to 7) end when they would take more than a share of a whole run.
GuidedStep guided_step(const Space& space,
                       const History& before,
                       const Policy& policy,
                       std::int64_t number);

}  // namespace tune::search
