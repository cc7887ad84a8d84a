#include "sample_gate.h"

#include "measure/gate/anchor.h"
#include "sample_result.h"
#include "sample_trial.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
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

// Noise of the processes, as ratios.
constexpr std::array<double, 10> kNoise = {
    0.004, -0.006, 0.001, 0.009, -0.003, 0.002, -0.008, 0.005, -0.001, 0.003};

gate::ProcessSummary sample_process(double rate, double memory_bytes) {
  gate::ProcessSummary process;
  process.values = {{"throughput", rate}, {"peak_memory_bytes", memory_bytes}};
  process.slices.clean = 5;
  return process;
}

gate::Pair sample_pair(std::size_t number, double worse) {
  const double noise = kNoise.at(number % kNoise.size());
  const double other = kNoise.at((number + 3) % kNoise.size());
  gate::Pair pair;
  pair.baseline_first = number % 4 == 0 || number % 4 == 3;
  pair.baseline = sample_process(100 * (1 + noise), 900e6 * (1 + other / 10));
  pair.candidate = sample_process(100 / worse * (1 + other), 905e6 * (1 + noise / 10));
  return pair;
}

gate::Pair lost_pair() {
  gate::Pair pair = sample_pair(1, 1);
  pair.candidate.slices = {.clean = 0, .tainted = 5};
  pair.candidate.taints.assign(5, "other processes used 0.81 CPUs");
  return pair;
}

void put_sides(gate::GateResult& result) {
  result.baseline.words = "main at 0123456789ab";
  result.baseline.commit = "0123456789abcdef0123456789abcdef01234567";
  result.candidate.words = "HEAD at ba9876543210";
  result.candidate.commit = "ba9876543210abcdef0123456789abcdef012345";
  for (gate::Side* side : {&result.baseline, &result.candidate}) {
    side->spec.workload.model = "resnet18";
    side->spec.knobs = result.run.scenario.baseline;
    side->worker_sha256 = "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef";
    side->files = {{"perf/training.yaml", "3f1c0f6c8d3f4f5a"}};
  }
  result.candidate.spec.knobs["intra_op_threads"] = std::int64_t{1};
  result.baseline.files.emplace_back("perf/build/libmodel.so", "ab12cd34ab12cd34");
  result.candidate.files.emplace_back("perf/build/libmodel.so", "99ee00ff99ee00ff");
  result.candidate.files.emplace_back("perf/extra.txt", "77aa88bb77aa88bb");
}

}  // namespace

gate::Row gate_row(const std::string& metric, double worse, stats::GateVerdict verdict) {
  gate::Row row;
  row.metric = metric;
  row.unit = "samples/s";
  row.budget_ratio = 0.03;
  row.baseline.value = 100;
  row.candidate.value = 100 / worse;
  const double delta = 1 / worse - 1;
  row.delta = {.value = delta, .lower = delta - 0.01, .upper = delta + 0.01, .confidence = 0.99};
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

gate::GateResult measured_gate() {
  gate::GateResult result = sample_gate(stats::GateVerdict::regressed);
  put_sides(result);
  for (std::size_t i = 0; i < result.pairs.size(); ++i) {
    result.pairs[i] = sample_pair(i, 1.2);
  }
  result.lost_pairs = {lost_pair()};
  result.rows.front().why =
      "worse by more than the budget, and surely by more than the smallest effect of interest";
  result.rows.front().evidence = {
      .lower = std::log(1.19), .estimate = std::log(1.2), .upper = std::log(1.21), .p = 0.001};
  gate::Row memory = gate_row("peak_memory_bytes", 1 / 1.0056, stats::GateVerdict::pass);
  memory.unit = "B";
  memory.baseline.value = 900e6;
  memory.candidate.value = 905e6;
  memory.why = "the interval excludes a worsening beyond the budget";
  memory.evidence = {.lower = 0.0046, .estimate = 0.0056, .upper = 0.0066, .p = 0.5};
  result.rows.push_back(memory);
  result.look_records.front().rows = result.rows;
  result.look_records.front().candidate_tainted = 5;
  result.policy.budgets.push_back({"peak_memory_bytes", 0.03});
  result.warmup = {.steps = 12, .was_searched = true, .search = std::nullopt};
  result.environment = stats::EnvironmentShift{
      .is_shifted = false, .lower = -0.002, .estimate = 0.001, .upper = 0.004, .warning = ""};
  result.position =
      stats::PositionEffect{.blocks = 5, .log_ratio = 0.003, .lower = -0.001, .upper = 0.007};
  result.epoch = campaign::EpochCheck{.estimated_s = 24.2, .measured_s = 24.6};
  result.taint_p = 0.24;
  result.calibrated_mde = 0.018;
  result.calibration =
      "calibrated 2026-11-20T08:00:00Z: detectable 1.8 %, false alarms 0 of 40, <= 7.2 %";
  return result;
}

gate::GateResult anchored_gate() {
  gate::GateResult result = measured_gate();
  result.verdict = stats::GateVerdict::pass;
  result.rows = {gate_row("throughput", 1.01, stats::GateVerdict::pass)};
  result.counted.clear();
  gate::GateResult second = sample_gate(stats::GateVerdict::regressed, 1.08);
  second.run.directory = result.run.directory / "anchor";
  second.baseline.words = "v1.0 at 00112233aabb";
  second.rows.front().evidence.upper = std::log(1.09);
  second.rows.push_back(gate_row("epoch_time", 1, stats::GateVerdict::pass));
  second.rows.back().evidence.upper = std::log(1.001);
  second.run.warnings = {"the anchor was built anew"};
  gate::add_anchor(result, gate::weigh_anchor(second));
  return result;
}

}  // namespace tune::report
