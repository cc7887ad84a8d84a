#include "search/race.h"

#include "stats/holm.h"
#include "stats/signed_rank.h"

#include <map>

namespace tune::search {

namespace {

constexpr std::size_t kLeastBlocks = 6;
constexpr double kLevel = 0.05;

std::map<std::int64_t, double> scores_of(const History& history, std::size_t cell) {
  std::map<std::int64_t, double> scores;
  for (const Observation& observation : history.observations) {
    if (observation.cell == cell) {
      scores[observation.block] = observation.score;
    }
  }
  return scores;
}

}  // namespace

std::vector<std::size_t> beaten_in_race(const History& history,
                                        std::size_t leader,
                                        const std::vector<std::size_t>& rivals) {
  const auto leading = scores_of(history, leader);
  std::vector<double> p_values;
  for (const std::size_t rival : rivals) {
    std::vector<double> ahead;
    for (const auto& [block, score] : scores_of(history, rival)) {
      const auto found = leading.find(block);
      if (found != leading.end()) {
        ahead.push_back(found->second - score);
      }
    }
    p_values.push_back(ahead.size() < kLeastBlocks ? 1 : stats::p_not_above(ahead, 0));
  }
  const std::vector<double> adjusted = stats::holm_adjusted(p_values);
  std::vector<std::size_t> beaten;
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    if (rivals[i] != leader && adjusted[i] <= kLevel) {
      beaten.push_back(rivals[i]);
    }
  }
  return beaten;
}

}  // namespace tune::search
