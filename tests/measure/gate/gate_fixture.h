#pragma once

// A gate on a machine made of rules: processes take no time, on a clock that they move.

#include "measure/gate/run_gate.h"
#include "trial/knob_catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

namespace tune::gate {

class SilentWatcher : public Watcher {
 public:
  void process_begins(const Standpoint& /*standpoint*/) override {}
  void process_ended(const Standpoint& /*standpoint*/,
                     const campaign::TrialRecord& /*record*/,
                     const ProcessSummary* /*summary*/) override {}
  void looked(const LookRecord& /*look*/) override {}
};

/// What the rules say about one process.
struct Process {
  double rate = 100;  ///< samples/s
  double slice_sd = 0.002;
  std::int64_t tainted_slices = 0;
  double sentinel_factor = 1;
  std::int64_t memory_bytes = 100 << 20;
  std::int64_t memory_growth_bytes = 0;  ///< of the resident size, each slice
  double step_cpu_s = 0;                 ///< CPU time of a step; 0: the kernel does not tell
  std::int64_t step_instructions = 0;    ///< 0: the processor has no counter
  std::int64_t operators = 61;
  bool has_structure = true;
  double loss = 2.3;
  std::optional<runner::OutcomeKind> failure;
  bool was_killed = false;
};

class GateTest : public testing::Test {
 protected:
  using Rule = std::function<void(const trial::TrialSpec& spec, Process& process)>;

  void SetUp() override {
    static std::atomic<int> count = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("gate_test." + std::to_string(getpid()) + "." + std::to_string(count++));
    std::filesystem::create_directories(folder_);
    result_.run.directory = folder_;
    result_.run.seed = 7;
    result_.policy.budgets = {{"throughput"}};
    for (Side* side : {&result_.baseline, &result_.candidate}) {
      side->spec.knobs = trial::default_settings();
      side->spec.knobs["batch_size"] = std::int64_t{10};
      side->spec.data.samples = 1'000;
      side->spec.measure.warmup_steps = 2;
      side->spec.measure.slices = 5;
    }
    result_.baseline.name = "baseline";
    result_.candidate.name = "candidate";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// Runs the gate; `rule` changes what a process is like.
  GateResult& run(const Rule& rule) {
    result_.looks = look_schedule(result_.policy);
    GateLedger ledger(folder_, result_);
    SilentWatcher watcher;
    const GateLoop loop{.ledger = ledger,
                        .watcher = watcher,
                        .run_trial = [&](const auto& spec) { return run_one(spec, rule); },
                        .now_ns = [&] { return now_ns_; },
                        .utc = [] { return std::string("2026-11-21T12:00:00Z"); },
                        .stop = &stop_};
    run_gate(result_, loop, stored_ ? &*stored_ : nullptr);
    return result_;
  }

  std::vector<std::string> ledger_lines() const {
    std::ifstream in(folder_ / "ledger.jsonl");
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
      lines.push_back(line);
    }
    return lines;
  }

  runner::TrialOutcome run_one(const trial::TrialSpec& spec, const Rule& rule) {
    ids_.push_back(spec.id);
    Process process;
    rule(spec, process);
    runner::TrialOutcome outcome;
    outcome.start_ns = now_ns_;
    now_ns_ += 5'000'000'000;
    outcome.end_ns = now_ns_;
    if (process.failure) {
      outcome.kind = *process.failure;
      outcome.was_killed = process.was_killed;
      outcome.reason = "SIGSEGV in phase measure";
      return outcome;
    }
    outcome.kind = runner::OutcomeKind::completed;
    outcome.reply = reply_of(spec, process);
    return outcome;
  }

  trial::TrialReply reply_of(const trial::TrialSpec& spec, const Process& process) {
    trial::TrialReply reply;
    reply.id = spec.id;
    reply.facts.torch_version = "2.11.0";
    reply.facts.cpus = {0, 1};
    reply.warmup_steps = 2;
    reply.step_ns = {30'000'000, 10'000'000};
    std::normal_distribution<double> noise(0, process.slice_sd);
    for (std::int64_t i = 0; i < spec.measure.slices; ++i) {
      trial::Slice slice;
      slice.start_ns = i * 10'000'000'000;
      slice.steps = 10;
      slice.samples = 100;
      slice.wall_ns = std::llround(100 / process.rate * std::exp(noise(random_)) * 1e9);
      slice.phases.forward_ns = slice.wall_ns;
      slice.disturbance.own_cpu_ns = std::llround(process.step_cpu_s * 1e9) * slice.steps;
      if (process.step_instructions > 0) {
        slice.disturbance.instructions = process.step_instructions * slice.steps;
      }
      slice.disturbance.other_cpu_ns = i < process.tainted_slices ? slice.wall_ns : 0;
      slice.disturbance.resident_bytes = process.memory_bytes + i * process.memory_growth_bytes;
      reply.slices.push_back(slice);
    }
    reply.losses = {{1, process.loss}};
    reply.peak_memory_bytes = process.memory_bytes;
    const auto sentinel_ns = std::llround(1e8 * process.sentinel_factor);
    reply.sentinel = trial::Sentinel{sentinel_ns, sentinel_ns};
    if (process.has_structure) {
      reply.structure = trial::Structure{.operators = process.operators, .allocations = 100};
    }
    return reply;
  }

  double normal(double sd) { return std::normal_distribution<double>(0, sd)(random_); }

  std::filesystem::path folder_;
  GateResult result_;
  std::optional<StoredSide> stored_;
  std::atomic<int> stop_ = 0;
  std::int64_t now_ns_ = 1'000'000'000'000;
  std::mt19937_64 random_{42};
  std::vector<std::string> ids_;  ///< of the processes, in the order run
};

}  // namespace tune::gate
