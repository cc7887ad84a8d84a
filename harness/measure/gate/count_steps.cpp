#include "measure/gate/count_steps.h"

#include "base/assert.h"
#include "measure/campaign/warmup.h"
#include "measure/gate/policy.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tune::gate {

WarmupSearch search_warmup(const trial::Measure& measure,
                           std::int64_t most,
                           const std::function<std::optional<trial::TrialReply>(
                               const std::string& id, const trial::Measure& measure)>& run) {
  trial::Measure look = measure;
  look.find_warmup = true;
  look.slices = 1;
  WarmupSearch search;
  for (std::int64_t i = 1; i <= most && !search.is_steady(); ++i) {
    const auto reply = run("warmup-" + std::to_string(i), look);
    if (!reply) {
      search.has_failed = true;
      return search;
    }
    const auto check = campaign::check_warmup(*reply).value_or(campaign::WarmupCheck{});
    search.found = reply->warmup_search ? std::optional(check.record) : std::nullopt;
    search.disagreement = check.disagreement;
  }
  return search;
}

std::string no_steady_state(const WarmupSearch& search, std::int64_t processes) {
  if (!search.disagreement.empty()) {
    return "no-steady-state: " + search.disagreement;
  }
  return "no-steady-state: the speed of " +
         (processes == 1 ? "a process" : std::to_string(processes) + " processes") +
         " kept changing" +
         (search.found ? " for " + std::to_string(search.found->steps) + " steps" : "");
}

namespace {

void warm_up_for(std::int64_t steps, trial::Measure& measure) {
  measure.find_warmup = false;
  measure.warmup_steps = std::max(measure.warmup_steps, steps);
  measure.warmup_ns = 0;
}

}  // namespace

void warm_up_as_found(const WarmupSearch& search, trial::Measure& measure) {
  TUNE_ASSERT(search.is_steady());
  warm_up_for(search.found->cut, measure);
}

void warm_up_for_work(trial::Measure& measure) {
  constexpr std::int64_t kSteps = 20;
  warm_up_for(kSteps, measure);
}

namespace {

using Structures = std::vector<std::optional<trial::Structure>>;

struct Range {
  double low = 0, high = 0;
};

std::optional<Range> range_of(const Metric& metric, const Structures& structures) {
  std::optional<Range> range;
  trial::TrialReply reply;
  for (const auto& structure : structures) {
    reply.structure = structure;
    const auto value = metric.value(reply, {});
    if (!value) {
      continue;
    }
    range = range ? Range{std::min(range->low, *value), std::max(range->high, *value)}
                  : Range{*value, *value};
  }
  return range;
}

void judge(CountedRow& row) {
  const double allowed = row.baseline_high * (1 + row.budget_ratio);
  if (row.candidate_low > allowed) {
    row.verdict = stats::GateVerdict::regressed;
    row.why = "one step does more than before";
  } else if (row.candidate_high < row.baseline_low) {
    row.verdict = stats::GateVerdict::improved;
    row.why = "one step does less than before";
  } else if (row.candidate_high > allowed || row.candidate_low < row.baseline_low ||
             row.candidate_high < row.baseline_high) {
    row.verdict = stats::GateVerdict::inconclusive;
    row.why = "the count differs between processes of one side";
  } else {
    row.verdict = stats::GateVerdict::pass;
    row.why = row.baseline_low == row.candidate_low ? "equal" : "within its budget";
  }
}

// Whether a count that is missing tells more than how the gate ended: times may lack an answer for
// other reasons, but processes of both sides have counted.
bool may_be_missing(const GateResult& result,
                    const Structures& baseline,
                    const Structures& candidate) {
  switch (result.end) {
    case End::judged:
      return true;
    case End::time_cap:
    case End::recording_over:
    case End::disturbed:
    case End::not_steady:
      return !baseline.empty() && !candidate.empty();
    default:
      return false;
  }
}

}  // namespace

trial::Measure counting_measure(trial::Measure measure) {
  measure.warmup_steps = std::min<std::int64_t>(measure.warmup_steps, 3);
  measure.warmup_ns = 0;
  measure.slices = 1;
  measure.slice_ns = 0;
  measure.spare_slices = 0;
  measure.sentinel = measure.find_warmup = false;
  return measure;
}

void compare_counts(GateResult& result, const Structures& baseline, const Structures& candidate) {
  const bool same_settings = result.baseline.spec.knobs == result.candidate.spec.knobs;
  for (const Metric& metric : all_metrics()) {
    if (!metric.is_counted) {
      continue;
    }
    const auto& gated = result.policy.structural;
    const auto budget = std::find_if(gated.begin(), gated.end(), [&](const Budget& entry) {
      return entry.metric == metric.name;
    });
    const bool is_named = budget != gated.end();
    const auto before = range_of(metric, baseline);
    const auto after = range_of(metric, candidate);
    if (!before || !after) {
      if (is_named && may_be_missing(result, baseline, candidate)) {
        result.end = End::row_missing;
        result.end_reason = "the gated count " + metric.name + " is missing on " +
                            (before  ? "the candidate"
                             : after ? "the baseline"
                                     : "either side");
      }
      continue;
    }
    CountedRow row;
    row.metric = metric.name;
    row.unit = metric.unit;
    row.baseline_low = before->low;
    row.baseline_high = before->high;
    row.candidate_low = after->low;
    row.candidate_high = after->high;
    row.budget_ratio = is_named ? budget->ratio : 0;
    // A setting is changed to change what a step does: then only what is named is gated.
    row.is_gated = is_named || same_settings || result.policy.structural_only;
    judge(row);
    if (!row.is_gated && row.verdict != stats::GateVerdict::pass) {
      row.why += "; not gated: the settings differ on purpose";
    }
    result.counted.push_back(std::move(row));
  }
  if (result.policy.structural_only && result.counted.empty() && result.end == End::judged) {
    result.end = End::row_missing;
    result.end_reason = "the worker counted nothing";
  }
}

}  // namespace tune::gate
