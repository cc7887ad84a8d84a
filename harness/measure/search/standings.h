#pragma once

#include "measure/search/history.h"
#include "measure/search/model.h"
#include "measure/search/next_decision.h"
#include "measure/search/space.h"

#include <cstddef>
#include <vector>

namespace tune::search {

/// What a cell needs to be confirmed: one may have been lucky.
constexpr std::int64_t kLeastTrials = 2;

/// Where a cell stands, measured or predicted.
struct Standing {
  std::size_t cell = 0;
  bool measured = false;
  double gain = 0;    ///< expected, against the baseline, on the log scale
  double behind = 0;  ///< expected, against the leader: below 0 but for rounding
  double behind_sd = 0;
};

/// All cells that may still be recommended, under a model of the measurements.
struct Field {
  Model model;
  std::size_t leader = 0;  ///< the best measured cell; may be the baseline
  double leader_gain = 0;
  std::vector<Standing> standings;  ///< without the baseline, best first
};

/// The cells that a block considers: of a grid with more than 500 only that many, the measured
/// ones, the favoured ones, the neighbours of the best and parts of its changes, the rest by the
/// seed.
Field field_of(const Space& space, const History& history, const Policy& policy);

/// The most that the cell may be ahead of the leader: some standard deviations above its mean.
double at_most_ahead(const Standing& standing, const Policy& policy);

/// Whether it may still beat the leader by as much as matters.
bool contends(const Standing& standing, const Policy& policy);

/// Cells with a part of the changes of `whole` that may do as well as all of them, but have not had
/// the trials to be confirmed in its place; the fewest changes first.
std::vector<std::size_t> untried_parts(const Space& space,
                                       const History& history,
                                       const Policy& policy,
                                       const Field& field,
                                       std::size_t whole);

/// What a campaign should confirm, see Decision::candidates. Where a part of the changes of the
/// best cell may do as well as all of them, that part goes first and the best cell follows.
std::vector<std::size_t> guided_candidates(const Space& space,
                                           const History& history,
                                           const Policy& policy,
                                           const Field& field);

}  // namespace tune::search
