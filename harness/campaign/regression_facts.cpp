#include "campaign/regression_facts.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tune::campaign {

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

double largest_shift(const PhaseSums& before, const PhaseSums& after) {
  const auto share = [](const PhaseSums& sums, std::int64_t PhaseSums::*phase) {
    return static_cast<double>(sums.*phase) / static_cast<double>(sums.total_ns());
  };
  double largest = 0;
  for (const auto phase : kPhases) {
    largest = std::max(largest, share(after, phase) - share(before, phase));
  }
  return largest;
}

double slowdown(const MeasuredSide& before, const MeasuredSide& after) {
  const auto of_a_sample = [](const MeasuredSide& side) {
    return static_cast<double>(side.phases.total_ns()) / static_cast<double>(side.samples);
  };
  return of_a_sample(after) / of_a_sample(before) - 1;
}

}  // namespace

void MeasuredSide::add(const trial::TrialReply& reply) {
  for (const trial::Slice& slice : reply.slices) {
    phases += slice.phases;
    samples += slice.samples;
  }
  processes += reply.slices.empty() ? 0 : 1;
}

void add_regression_facts(const std::string& verdict,
                          const MeasuredSide& before,
                          const MeasuredSide& after,
                          rule::FactTable& facts) {
  const auto set = [&](const char* name, Result result) {
    facts.set(name, {.result = std::move(result), .source = "gate", .window = "measure"});
  };
  const auto has_time = [](const MeasuredSide& side) {
    return side.phases.total_ns() > 0 && side.samples > 0;
  };
  const bool are_known = has_time(before) && has_time(after);
  const Unknown none{"one side has no measured time"};
  set("gate_verdict", Value::of(verdict));
  set("phase_shift_ratio",
      are_known ? Result(Value::of(largest_shift(before.phases, after.phases))) : Result(none));
  set("slowdown_ratio", are_known ? Result(Value::of(slowdown(before, after))) : Result(none));
  set("history_run_count", Value::of(static_cast<double>(before.processes)));
}

}  // namespace tune::campaign
