#include "sample_gate.h"

#include "sample_result.h"
#include "sample_trial.h"

#include <utility>

namespace tune::report {

namespace {

// Two pairs of processes.
std::vector<campaign::TrialRecord> sample_processes(const campaign::CampaignResult& run) {
  std::vector<campaign::TrialRecord> trials;
  for (const std::int64_t round : {1, 2}) {
    for (const char* side : {"baseline", "candidate"}) {
      scenario::Cell cell = run.plan.cells.front();
      cell.id = side;
      trials.push_back(sample_trial(run, cell, "gate", round));
      trials.back().spec.id = "pair" + std::to_string(round) + "-" + side;
    }
  }
  return trials;
}

}  // namespace

gate::Row gate_row(const std::string& metric, double worse, stats::GateVerdict verdict) {
  gate::Row row;
  row.metric = metric;
  row.unit = "samples/s";
  row.budget_ratio = 0.03;
  row.baseline.value = 100;
  row.candidate.value = 100 / worse;
  row.delta = 1 / worse - 1;
  row.has_interval = true;
  row.delta_lower = row.delta - 0.01;
  row.delta_upper = row.delta + 0.01;
  row.confidence = 0.99;
  row.pairs = 10;
  row.verdict = verdict;
  row.why = "because";
  row.evidence.estimate = worse - 1;
  row.mde = 0.02;
  return row;
}

gate::GateResult sample_gate(stats::GateVerdict verdict, double worse) {
  gate::GateResult result;
  result.run = sample_result();
  result.run.trials = sample_processes(result.run);
  result.looks = {.pairs = {10, 16, 24}, .alpha = 0.005, .rows = 1};
  result.policy.budgets = {{"throughput", 0.03}};
  result.baseline.words = "the scenario's baseline setting";
  result.candidate.words = "intra_op_threads=1";
  result.rows = {gate_row("throughput", worse, verdict)};
  gate::CountedRow counted;
  counted.metric = "operators";
  counted.unit = "calls";
  counted.baseline_low = counted.baseline_high = 61;
  counted.candidate_low = counted.candidate_high = 62;
  counted.verdict = stats::GateVerdict::regressed;
  counted.why = "one step does more than before";
  result.counted = {counted};
  result.pairs.resize(10);
  result.look_records.push_back({.utc = "2026-11-21T12:00:00Z",
                                 .pairs = 10,
                                 .alpha_spent = 0.0033,
                                 .alpha_total = 0.0033,
                                 .rows = result.rows});
  result.calibration = "uncalibrated";
  result.verdict = verdict;
  result.why = "throughput: because";
  return result;
}

}  // namespace tune::report
