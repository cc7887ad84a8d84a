#include "report/rank_numbers.h"

#include "trial/rank_report.h"

#include <algorithm>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;

double straggler_ratio(const std::vector<trial::RankReport>& ranks) {
  const std::vector<trial::Straggler> late = trial::stragglers(ranks);
  return late.empty() ? 0 : late.front().late_ratio;
}

}  // namespace

std::vector<RankNumber> rank_numbers(const std::vector<const campaign::TrialRecord*>& trials) {
  RankNumber exposed{.id = "communication_exposed_ratio", .values = {}};
  RankNumber straggler{.id = "straggler_ratio", .values = {}};
  exposed.values.reserve(trials.size());
  straggler.values.reserve(trials.size());
  for (const campaign::TrialRecord* const trial : trials) {
    if (const auto& ranks = trial->outcome.reply->ranks; !ranks.empty()) {
      exposed.values.push_back(trial::exposed_communication_ratio(ranks));
      straggler.values.push_back(straggler_ratio(ranks));
    }
  }
  return exposed.values.empty() ? std::vector<RankNumber>()
                                : std::vector<RankNumber>{exposed, straggler};
}

std::optional<double> scaling_efficiency(const CampaignResult& run, const CellResult& cell) {
  const std::int64_t devices = trial::rank_count(cell.cell.knobs);
  if (devices == 1 || !cell.throughput) {
    return std::nullopt;
  }
  trial::KnobSettings alone = cell.cell.knobs;
  alone["devices"] = std::int64_t{1};
  const auto one = std::find_if(run.cells.begin(), run.cells.end(), [&](const CellResult& other) {
    return other.throughput && other.cell.knobs == alone;
  });
  if (one == run.cells.end() || !(one->throughput->value.value_or(0) > 0)) {
    return std::nullopt;
  }
  return *cell.throughput->value / (static_cast<double>(devices) * *one->throughput->value);
}

}  // namespace tune::report
