#include "measure/search/next_decision.h"

#include "base/assert.h"
#include "measure/search/guided_search.h"
#include "measure/search/history.h"
#include "measure/search/standings.h"
#include "measure/search/whole_search.h"

#include <algorithm>
#include <set>

namespace tune::search {

namespace {

bool is_modelled(const Space& space, const Policy& policy) {
  return policy.strategy == Strategy::guided && space.cells.size() >= policy.whole_below;
}

GuidedStep step_of(const Space& space,
                   const History& before,
                   const Policy& policy,
                   std::int64_t number) {
  if (!before.open(0)) {
    return {.finished = "the baseline was given up: there is nothing to compare with"};
  }
  if (space.cells.size() == 1) {
    return {.finished = "there is no cell but the baseline"};
  }
  if (is_modelled(space, policy)) {
    return guided_step(space, before, policy, number);
  }
  auto block = policy.strategy == Strategy::random ? random_block(space, before, policy, number)
                                                   : grid_block(space, before, policy, number);
  if (block) {
    return {.block = std::move(block)};
  }
  return {.finished = "every cell was measured in " + std::to_string(policy.rounds) +
                      (policy.rounds == 1 ? " round" : " rounds")};
}

// What is left of a block of which some trials have ended.
std::vector<std::size_t> left_of(const Block& block, const History& history) {
  const auto found = history.blocks.find(block.number);
  const std::set<std::size_t> ended = found == history.blocks.end()
                                          ? std::set<std::size_t>{}
                                          : std::set(found->second.begin(), found->second.end());
  std::vector<std::size_t> left;
  for (const std::size_t cell : block.cells) {
    if (!ended.contains(cell) && history.open(cell)) {
      left.push_back(cell);
    }
  }
  return left;
}

std::vector<std::size_t> candidates_of(const Space& space,
                                       const History& history,
                                       const Policy& policy) {
  return is_modelled(space, policy)
             ? guided_candidates(space, history, policy, field_of(space, history, policy))
             : whole_candidates(space, history, policy);
}

// Where all cells are measured it matters only which were given up: most trials say nothing of
// that.
History history_before(const Space& space,
                       const std::vector<Measurement>& measurements,
                       const Policy& policy,
                       std::int64_t block) {
  if (is_modelled(space, policy)) {
    return read_history(space, measurements, block);
  }
  History history;
  history.cells.resize(space.cells.size());
  for (const Measurement& measurement : measurements) {
    if (measurement.block < block && measurement.ending != Ending::completed) {
      add(space, measurement, history);
    }
  }
  return history;
}

// The rest of the block that has begun, or the one after it.
GuidedStep next_step(const Space& space,
                     const std::vector<Measurement>& measurements,
                     const History& history,
                     const Policy& policy) {
  const std::int64_t last = history.blocks.empty() ? -1 : history.blocks.rbegin()->first;
  if (last >= 0 && history.open(0)) {
    GuidedStep step =
        step_of(space, history_before(space, measurements, policy, last), policy, last);
    if (step.block) {
      step.block->pending = left_of(*step.block, history);
      if (!step.block->pending.empty()) {
        step.candidates = candidates_of(space, history, policy);
        return step;
      }
    }
  }
  GuidedStep step = step_of(space, history, policy, last + 1);
  if (step.block) {
    step.block->pending = step.block->cells;
  }
  if (!is_modelled(space, policy) || !history.open(0)) {
    step.candidates = candidates_of(space, history, policy);
  }
  return step;
}

}  // namespace

Decision next_decision(const Space& space,
                       const std::vector<Measurement>& measurements,
                       const Policy& policy) {
  return next_decision(space, measurements, read_history(space, measurements), policy);
}

Decision next_decision(const Space& space,
                       const std::vector<Measurement>& measurements,
                       const History& history,
                       const Policy& policy) {
  TUNE_ASSERT(!space.cells.empty());
  GuidedStep step = next_step(space, measurements, history, policy);
  Decision decision{.next = std::move(step.block),
                    .finished = std::move(step.finished),
                    .candidates = std::move(step.candidates)};
  for (std::size_t cell = 0; cell < space.cells.size(); ++cell) {
    if (!history.open(cell)) {
      decision.dropped.push_back({cell, history.cells[cell].given_up});
    }
  }
  for (Dropped& dropped : step.dropped) {
    if (history.open(dropped.cell)) {
      decision.dropped.push_back(std::move(dropped));
    }
  }
  return decision;
}

}  // namespace tune::search
