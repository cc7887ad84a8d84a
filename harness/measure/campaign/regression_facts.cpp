#include "measure/campaign/regression_facts.h"

#include "base/stats/quantile.h"
#include "measure/campaign/taint.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace tune::campaign {

void add_history_facts(const std::optional<history::Series>& series, rule::FactTable& facts) {
  using expression::Result;
  using expression::Unknown;
  using expression::Value;
  const auto set = [&](const char* name, Result found) {
    facts.set(name, {.result = std::move(found), .source = "history", .window = "measure"});
  };
  std::vector<double> before;
  double now = 0;
  if (series && !series->points.empty()) {
    for (const history::Point& point : series->points) {
      before.push_back(point.value);
    }
    now = before.back();
    before.pop_back();
  }
  if (before.empty() || !(now > 0)) {
    const Unknown none{"no earlier run that compares with this one is in the history"};
    for (const char* const name : {"slowdown_ratio", "history_run_count", "history_spread_ratio"}) {
      set(name, none);
    }
    return;
  }
  set("history_run_count", Value::of(static_cast<double>(before.size())));
  const double slowest = *std::min_element(before.begin(), before.end());
  const double middle = stats::median(std::move(before));
  set("slowdown_ratio", Value::of(middle / now - 1));
  set("history_spread_ratio",
      slowest > 0 ? Result(Value::of(middle / slowest - 1))
                  : Result(Unknown{"an earlier run has no rate"}));
}

namespace {

using expression::Result;
using expression::Unknown;
using expression::Value;
using trial::PhaseSums;

constexpr std::array<std::int64_t PhaseSums::*, 6> kPhases = {&PhaseSums::data_wait_ns,
                                                              &PhaseSums::transfer_ns,
                                                              &PhaseSums::forward_ns,
                                                              &PhaseSums::backward_ns,
                                                              &PhaseSums::optimizer_ns,
                                                              &PhaseSums::other_ns};

double of_a_sample(std::int64_t ns, const MeasuredSide& side) {
  return static_cast<double>(ns) / static_cast<double>(side.samples);
}

// The share of a phase alone grows too where another one became faster, and its time alone where
// the whole step did.
double largest_shift(const MeasuredSide& before, const MeasuredSide& after) {
  const double step_ns = of_a_sample(before.phases.total_ns(), before);
  const double step_after_ns = of_a_sample(after.phases.total_ns(), after);
  double largest = 0;
  for (const auto phase : kPhases) {
    const double ns = of_a_sample(before.phases.*phase, before);
    const double after_ns = of_a_sample(after.phases.*phase, after);
    const double grown_share = after_ns / step_after_ns - ns / step_ns;
    largest = std::max(largest, std::min(grown_share, (after_ns - ns) / step_ns));
  }
  return largest;
}

double slowdown(const MeasuredSide& before, const MeasuredSide& after) {
  return of_a_sample(after.phases.total_ns(), after) /
             of_a_sample(before.phases.total_ns(), before) -
         1;
}

void set(rule::FactTable& facts, const char* name, Result result) {
  facts.set(name, {.result = std::move(result), .source = "gate", .window = "measure"});
}

}  // namespace

void MeasuredSide::add(const trial::TrialReply& reply) {
  const CleanRate clean = clean_rate(reply);
  for (std::size_t i = 0; i < reply.slices.size(); ++i) {
    if (clean.is_clean[i]) {
      phases += reply.slices[i].phases;
      samples += reply.slices[i].samples;
    }
  }
  processes += clean.slices.clean > 0 ? 1 : 0;
}

void add_regression_facts(const std::string& verdict,
                          const MeasuredSide& before,
                          const MeasuredSide& after,
                          rule::FactTable& facts) {
  const auto has_time = [](const MeasuredSide& side) {
    return side.phases.total_ns() > 0 && side.samples > 0;
  };
  const bool is_open = verdict == "INCONCLUSIVE";
  const bool are_known = !is_open && has_time(before) && has_time(after);
  const Unknown none{is_open ? "the gate cannot tell the sides from noise"
                             : "one side has no measured time"};
  set(facts, "gate_verdict", Value::of(verdict));
  set(facts,
      "phase_shift_ratio",
      are_known ? Result(Value::of(largest_shift(before, after))) : Result(none));
  set(facts,
      "slowdown_ratio",
      are_known ? Result(Value::of(slowdown(before, after))) : Result(none));
  set(facts, "history_run_count", Value::of(static_cast<double>(before.processes)));
}

void add_no_regression(const std::string& why, rule::FactTable& facts) {
  for (const char* const name :
       {"gate_verdict", "phase_shift_ratio", "slowdown_ratio", "history_run_count"}) {
    set(facts, name, Unknown{why});
  }
}

}  // namespace tune::campaign
