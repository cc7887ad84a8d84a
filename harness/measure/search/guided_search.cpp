#include "measure/search/guided_search.h"

#include "base/stats/log_ratio.h"
#include "measure/search/moves.h"
#include "measure/search/screening_design.h"
#include "measure/search/standings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <set>
#include <string>

namespace tune::search {

namespace {

// "+3.1 %" of a gain on the log scale.
std::string gain_text(double log_gain) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%+.1f %%", stats::gain_of(log_gain) * 100);
  return text.data();
}

constexpr std::int64_t kScreeningBlocks = 2;
constexpr std::int64_t kHalvingRounds = 2;  // 3 and 9 slices; then the race begins
constexpr std::size_t kEta = 3;
constexpr std::size_t kExploredCells = 5;  // in a block, besides the baseline
constexpr std::int64_t kSecondSlices = 3;  // as in the first round of halving

// Blocks in which no cell was new: halving and race.
struct Repeats {
  std::int64_t rounds = 0;
  std::size_t last_cells = 0;  // of the last of them, without the baseline
};

Repeats repeats_of(const History& history) {
  Repeats repeats;
  std::set<std::size_t> seen = {0};
  for (const auto& [number, cells] : history.blocks) {
    const bool all_seen = std::all_of(
        cells.begin(), cells.end(), [&](std::size_t cell) { return seen.contains(cell); });
    if (number >= kScreeningBlocks && all_seen) {
      ++repeats.rounds;
      repeats.last_cells = cells.size() - 1;
    }
    seen.insert(cells.begin(), cells.end());
  }
  return repeats;
}

// Cells of one screening block: about one trial for each effect of a knob, over two blocks.
std::size_t screening_cells(const Space& space) {
  std::size_t effects = 0;
  for (const Axis& axis : space.axes) {
    effects += axis.values.size() - 1;
  }
  return std::clamp<std::size_t>(effects, 4, 8);
}

std::string compared(const Standing& standing, const Field& field, const Policy& policy) {
  const std::string leader = ", the leader has " + gain_text(field.leader_gain);
  return standing.measured
             ? gain_text(standing.gain) + " measured" + leader
             : "at most " + gain_text(field.leader_gain + at_most_ahead(standing, policy)) + leader;
}

Block block_of(std::string stage, std::int64_t number, std::int64_t slices) {
  return {.number = number, .stage = std::move(stage), .cells = {0}, .slices = slices};
}

void add(Block& block, const std::vector<std::size_t>& cells) {
  block.cells.insert(block.cells.end(), cells.begin(), cells.end());
}

std::optional<Block> screening(const Space& space,
                               const History& before,
                               const Policy& policy,
                               const Field& field,
                               std::int64_t number) {
  std::vector<std::size_t> open = {0};
  for (const Standing& standing : field.standings) {
    open.push_back(standing.cell);
  }
  std::sort(open.begin(), open.end());
  Block block = block_of("screening", number, 1);
  add(block, screening_design(space, before, open, screening_cells(space), policy.seed));
  return block.cells.size() > 1 ? std::optional(block) : std::nullopt;
}

bool is_favoured(const Space& space, std::size_t cell) {
  const auto& favoured = space.favoured;
  return std::find(favoured.begin(), favoured.end(), cell) != favoured.end();
}

// The measured cells that stay in, best first; the others get their reason. What rules propose
// stays as long as it may beat the leader: of equals it is the one with a reason.
std::vector<std::size_t> survivors(const Space& space,
                                   const History& before,
                                   const Policy& policy,
                                   const Field& field,
                                   std::vector<Dropped>& dropped) {
  const Repeats repeats = repeats_of(before);
  std::vector<const Standing*> contenders;
  std::size_t measured = 0;
  for (const Standing& standing : field.standings) {
    measured += standing.measured ? 1 : 0;
    if (standing.measured && (standing.cell == field.leader || contends(standing, policy))) {
      contenders.push_back(&standing);
    } else if (standing.measured) {
      dropped.push_back({standing.cell, compared(standing, field, policy)});
    }
  }
  // The first round takes enough cells to be one; the race keeps whom the test does not reject.
  const std::size_t of = repeats.rounds == 0 ? measured : repeats.last_cells;
  std::size_t most = std::max((of + kEta - 1) / kEta, policy.wanted);
  most = repeats.rounds >= kHalvingRounds ? contenders.size() : most;
  const double tie = std::log1p(policy.min_effect_ratio);
  std::vector<std::size_t> kept;
  for (const Standing* standing : contenders) {
    if (kept.size() < most || standing->behind > -tie || is_favoured(space, standing->cell)) {
      kept.push_back(standing->cell);
    } else {
      dropped.push_back({standing->cell, compared(*standing, field, policy)});
    }
  }
  for (const std::size_t cell : beaten_in_race(before, field.leader, kept)) {
    kept.erase(std::find(kept.begin(), kept.end(), cell));
    dropped.push_back({cell, "slower than the leader in the race (signed-rank test)"});
  }
  return kept;
}

bool too_long(const Space& space, const History& before, const Policy& policy, const Block& block) {
  const auto slices = [](std::size_t trials, std::int64_t each) {
    return static_cast<double>(trials) * static_cast<double>(each);
  };
  const double whole = slices(space.cells.size(), policy.rounds * policy.slices);
  const double so_far = static_cast<double>(before.slices);
  return so_far + slices(block.cells.size(), block.slices) > policy.most_share * whole;
}

GuidedStep repeat(const Space& space,
                  const History& before,
                  const Policy& policy,
                  std::int64_t number,
                  const Field& field) {
  GuidedStep step;
  const Repeats repeats = repeats_of(before);
  const auto kept = survivors(space, before, policy, field, step.dropped);
  if (kept.empty()) {
    step.finished = "no cell can be faster than the baseline by as much as matters";
    return step;
  }
  if (kept.size() == 1) {
    step.finished = "no other cell can beat the leader by as much as matters";
    return step;
  }
  // Two rounds are cheaper than the confirmation of a cell that they would have dropped.
  if (kept.size() <= policy.wanted && repeats.rounds >= kHalvingRounds) {
    step.finished =
        std::to_string(kept.size()) + " cells are left, too few for another round of the search";
    return step;
  }
  const std::int64_t slices =
      std::min<std::int64_t>(repeats.rounds == 0 ? kSecondSlices : 9, policy.slices);
  Block block = block_of(repeats.rounds < kHalvingRounds ? "halving" : "race", number, slices);
  add(block, kept);
  if (too_long(space, before, policy, block)) {
    step.finished =
        std::to_string(kept.size()) +
        " cells could not be told apart in the share of a whole run that a search may take";
    return step;
  }
  step.block = block;
  return step;
}

// The block with these cells, in trials as long as the share allows; nothing where even the
// shortest would be too many.
std::optional<Block> affordable(const Space& space,
                                const History& before,
                                const Policy& policy,
                                Block block,
                                const std::vector<std::size_t>& cells) {
  add(block, cells);
  for (const std::int64_t slices : {kSecondSlices, std::int64_t{1}}) {
    block.slices = std::min(slices, policy.slices);
    if (!too_long(space, before, policy, block)) {
      return block;
    }
  }
  return std::nullopt;
}

// What would be confirmed after one lucky round has a second one, as long as the share allows.
std::optional<Block> second_round(const Space& space,
                                  const History& before,
                                  const Policy& policy,
                                  std::int64_t number,
                                  const std::vector<std::size_t>& candidates) {
  std::vector<std::size_t> seen_once;
  std::copy_if(
      candidates.begin(), candidates.end(), std::back_inserter(seen_once), [&](std::size_t cell) {
        return before.cells[cell].completed < kLeastTrials;
      });
  if (seen_once.empty()) {
    return std::nullopt;
  }
  return affordable(space, before, policy, block_of("halving", number, 0), seen_once);
}

// The most promising cells. One place is kept for a part of the changes of the best one, so that a
// search that a budget ends has a plain answer, too.
Block exploring(const Field& field,
                std::int64_t number,
                const std::vector<Standing>& rivals,
                const std::vector<std::size_t>& parts) {
  Block block = block_of("exploring", number, 1);
  add(block, explore(field, rivals, kExploredCells - (parts.empty() ? 0 : 1)));
  const auto is_new = [&](std::size_t cell) {
    return std::find(block.cells.begin(), block.cells.end(), cell) == block.cells.end();
  };
  const auto part = std::find_if(parts.begin(), parts.end(), is_new);
  if (part != parts.end()) {
    block.cells.push_back(*part);
  }
  return block;
}

Block trim_block(std::int64_t number, const std::vector<std::size_t>& candidates) {
  Block block = block_of("trimming", number, 0);
  if (!candidates.empty()) {
    block.cells.push_back(candidates.front());
  }
  return block;
}

// The baseline and the best cell, which are in the block, and the plainest of those that may do as
// well, until one of them had two trials.
std::optional<Block> trimming(const Space& space,
                              const History& before,
                              const Policy& policy,
                              Block block,
                              std::vector<std::size_t> parts) {
  if (parts.empty()) {
    return std::nullopt;
  }
  const auto room = std::min(parts.size(), kExploredCells - 1);
  parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(room), parts.end());
  return affordable(space, before, policy, std::move(block), parts);
}

// Cells to see combinations of knobs that no trial had. Those that would have to double what is
// expected of them are left out.
std::vector<std::size_t> unseen(const Space& space,
                                const History& before,
                                const Policy& policy,
                                const Field& field) {
  std::vector<std::size_t> cells;
  for (const Standing& standing : field.standings) {
    if (!standing.measured && standing.behind > -policy.largest_surprise) {
      cells.push_back(standing.cell);
    }
  }
  return cover(space, before, cells, kExploredCells);
}

// At the end every cell that is not confirmed has its reason, and no other.
void account_for_the_rest(const Space& space,
                          const History& before,
                          const Policy& policy,
                          const Field& field,
                          GuidedStep& step) {
  std::set<std::size_t> confirmed(step.candidates.begin(), step.candidates.end());
  std::erase_if(step.dropped, [&](const Dropped& each) { return confirmed.contains(each.cell); });
  for (const Dropped& each : step.dropped) {
    confirmed.insert(each.cell);
  }
  for (const Standing& standing : field.standings) {
    if (confirmed.insert(standing.cell).second) {
      step.dropped.push_back({standing.cell,
                              compared(standing, field, policy) +
                                  ": not told apart from it, but not among "
                                  "the best that can be confirmed"});
    }
  }
  for (std::size_t cell = 1; cell < space.cells.size(); ++cell) {
    if (before.open(cell) && !confirmed.contains(cell)) {
      step.dropped.push_back({cell, "not measured: the grid is too large to look at every cell"});
    }
  }
}

}  // namespace

GuidedStep guided_step(const Space& space,
                       const History& before,
                       const Policy& policy,
                       std::int64_t number) {
  const Field field = field_of(space, before, policy);
  const auto candidates = guided_candidates(space, before, policy, field);
  if (number < kScreeningBlocks) {
    if (auto block = screening(space, before, policy, field, number)) {
      return {.block = std::move(block), .candidates = candidates};
    }
  }
  std::vector<Dropped> dropped;
  std::vector<Standing> rivals;
  for (const Standing& standing : field.standings) {
    if (!standing.measured && contends(standing, policy)) {
      rivals.push_back(standing);
    } else if (!standing.measured) {
      dropped.push_back({standing.cell, "not measured: " + compared(standing, field, policy)});
    }
  }
  const auto parts = candidates.empty()
                         ? std::vector<std::size_t>()
                         : untried_parts(space, before, policy, field, candidates.front());
  GuidedStep step;
  if (!rivals.empty()) {
    step.block = exploring(field, number, rivals, parts);
  } else if (const auto cells = unseen(space, before, policy, field); !cells.empty()) {
    step.block = block_of("covering", number, 1);
    add(*step.block, cells);
  } else if (auto trim = trimming(space, before, policy, trim_block(number, candidates), parts)) {
    step.block = std::move(trim);
  } else {
    step = repeat(space, before, policy, number, field);
  }
  step.dropped.insert(step.dropped.begin(), dropped.begin(), dropped.end());
  step.candidates = candidates;
  if (!step.block) {
    step.block = second_round(space, before, policy, number, candidates);
  }
  if (step.block) {
    step.finished.clear();
  } else {
    account_for_the_rest(space, before, policy, field, step);
  }
  return step;
}

}  // namespace tune::search
