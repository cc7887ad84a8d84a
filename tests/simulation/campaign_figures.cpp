#include "campaign_figures.h"

#include "report/headline.h"

#include <algorithm>

namespace tune::simulation {

bool is_printed_as_a_gain(const campaign::CampaignResult& result) {
  return report::conclude(result).standing == report::Standing::faster;
}

double best_of_search(const campaign::CampaignResult& result) {
  double best = -1;
  for (const campaign::CellResult& cell : result.cells) {
    best = cell.gain ? std::max(best, cell.gain->value.value_or(0)) : best;
  }
  return best;
}

double quality_of_pick(const KnownGrid& known, const campaign::CampaignResult& result) {
  const report::Conclusion conclusion = report::conclude(result);
  const campaign::CellResult* const pick =
      conclusion.standing == report::Standing::faster ? conclusion.best : conclusion.baseline;
  return fake::rate_of(known.script, pick->cell.knobs) / known.best_rate;
}

double measured_share(const campaign::CampaignResult& result) {
  double measured_ns = 0;
  for (const campaign::TrialRecord& trial : result.trials) {
    if (trial.stage == "search" && trial.outcome.reply) {
      for (const trial::Slice& slice : trial.outcome.reply->slices) {
        measured_ns += static_cast<double>(slice.wall_ns);
      }
    }
  }
  const double all_s = static_cast<double>(result.plan.cells.size()) *
                       static_cast<double>(result.scenario.rounds * result.scenario.measure.slices);
  return measured_ns * 1e-9 / all_s;
}

}  // namespace tune::simulation
