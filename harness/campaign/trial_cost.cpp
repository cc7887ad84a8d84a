#include "campaign/trial_cost.h"

#include <algorithm>

namespace tune::campaign {

std::int64_t profile_ns(const TrialRecord& record) {
  if (record.outcome.reply) {
    for (const trial::PhaseSpan& phase : record.outcome.reply->phases) {
      if (phase.name == "profiled") {  // until the end of the process: the trace is written
        return std::max<std::int64_t>(0, record.outcome.end_ns - phase.start_ns);
      }
    }
  }
  return 0;
}

TrialCost::TrialCost(const scenario::Scenario& scenario, std::size_t cells) : cells_(cells) {
  constexpr std::int64_t kStartNs = 1'000'000'000;
  expected_ = {.trials = 1,
               .around_ns = kStartNs + scenario.measure.warmup_ns,
               .slices = 1,
               .slice_ns = scenario.measure.slice_ns};
}

void TrialCost::add(std::size_t cell, const TrialRecord& record) {
  if (record.stage != "search" && record.stage != "audit" && record.stage != "confirm") {
    return;  // they measure something else, or come when nothing is planned any more
  }
  const runner::TrialOutcome& outcome = record.outcome;
  Sums sums{.trials = 1};
  if (outcome.reply) {
    for (const trial::Slice& slice : outcome.reply->slices) {
      sums.slices += 1;
      sums.slice_ns += slice.wall_ns;
    }
  }
  const std::int64_t whole_ns =
      std::max<std::int64_t>(0, outcome.end_ns - outcome.start_ns - profile_ns(record));
  sums.slice_ns = std::min(sums.slice_ns, whole_ns);  // the worker's word against our clock
  sums.around_ns = whole_ns - sums.slice_ns;
  for (Sums* const total : {&all_, &cells_[cell]}) {
    total->trials += sums.trials;
    total->around_ns += sums.around_ns;
    total->slices += sums.slices;
    total->slice_ns += sums.slice_ns;
  }
}

std::int64_t TrialCost::of(std::size_t cell, std::int64_t slices) const {
  const auto first = [&](auto has) {
    return has(cells_[cell]) ? cells_[cell] : has(all_) ? all_ : expected_;
  };
  const Sums around = first([](const Sums& sums) { return sums.trials > 0; });
  const Sums slice = first([](const Sums& sums) { return sums.slices > 0; });
  return around.around_ns / around.trials + slices * (slice.slice_ns / slice.slices);
}

}  // namespace tune::campaign
