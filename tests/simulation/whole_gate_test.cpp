// Whole gates on machines whose noise is known: processes, looks, controls, verdict. What the
// statistics alone promise is in tests/base/stats/gate_simulation_test.cpp, the long version in
// tests/bench/campaign_simulation.

#include "base/stats/signed_rank.h"
#include "machine.h"
#include "repeats.h"
#include "run_gate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace tune::simulation {
namespace {

using stats::GateVerdict;

struct Shares {
  double passed = 0, regressed = 0, inconclusive = 0;
  std::string why;  ///< of the last that did not pass
};

gate::GateResult gate_once(const GatePlan& plan,
                           const noise::Environment& environment,
                           double slowdown_ratio,
                           std::uint64_t seed) {
  fake::InProcessWorker worker(gate_machine(environment, seed, slowdown_ratio));
  return run_gate(plan, worker, seed);
}

Shares gate_all(const GatePlan& plan,
                const noise::Environment& environment,
                double slowdown_ratio,
                std::size_t gates) {
  Shares shares;
  const double one = 1 / static_cast<double>(gates);
  for (std::uint64_t seed = 1; seed <= gates; ++seed) {
    const gate::GateResult result = gate_once(plan, environment, slowdown_ratio, seed);
    shares.passed += result.verdict == GateVerdict::pass ? one : 0;
    shares.regressed += result.verdict == GateVerdict::regressed ? one : 0;
    shares.inconclusive += result.verdict == GateVerdict::inconclusive ? one : 0;
    shares.why = result.verdict == GateVerdict::pass ? shares.why : result.why;
  }
  return shares;
}

// d = ln(time of the candidate / time of the baseline) of every pair.
std::vector<double> differences(const gate::GateResult& result) {
  std::vector<double> found;
  found.reserve(result.pairs.size());
  for (const gate::Pair& pair : result.pairs) {
    found.push_back(
        std::log(pair.baseline.values.at("throughput") / pair.candidate.values.at("throughput")));
  }
  return found;
}

// What the naive gates of the tests below decide by.
bool flagged_after_every_pair(const std::vector<double>& all) {
  for (std::size_t pairs = 8; pairs <= all.size(); ++pairs) {
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(pairs);
    if (stats::location_bounds({all.begin(), end}, 0.025).lower > 0) {
      return true;
    }
  }
  return false;
}

TEST(WholeGate, NeverFlagsEqualSidesInAnyEnvironment) {
  for (const noise::Environment& environment : noise::all_environments()) {
    const Shares shares = gate_all(throughput_gate(0.03), environment, 0, repeats(20));
    EXPECT_EQ(shares.regressed, 0) << environment.name << ": " << shares.why;
    EXPECT_EQ(shares.why.find("ENV_SHIFT"), std::string::npos) << environment.name;
  }
}

TEST(WholeGate, WouldFlagEqualSidesIfItDecidedByOnePairOrAfterEveryPair) {
  GatePlan plan = throughput_gate(0.03);
  plan.policy.looks = {24};
  const std::size_t gates = repeats(60);
  std::size_t by_one_pair = 0, after_every_pair = 0, regressed = 0;
  for (std::uint64_t seed = 1; seed <= gates; ++seed) {
    const gate::GateResult result = gate_once(plan, noise::shared(), 0, seed);
    const std::vector<double> all = differences(result);
    by_one_pair += all.front() > std::log1p(0.03) ? 1 : 0;
    after_every_pair += flagged_after_every_pair(all) ? 1 : 0;
    regressed += result.verdict == GateVerdict::regressed ? 1 : 0;
  }
  EXPECT_EQ(regressed, 0U);
  EXPECT_GE(by_one_pair, gates / 10);
  EXPECT_GE(after_every_pair, gates / 20);
}

TEST(WholeGate, SeldomLeavesEqualSidesOpen) {
  EXPECT_LE(gate_all(throughput_gate(0.03), noise::quiet(), 0, repeats(60)).inconclusive, 0.05);
  EXPECT_LE(gate_all(throughput_gate(0.05), noise::shared(), 0, repeats(60)).inconclusive, 0.15);
}

TEST(WholeGate, FindsARealSlowdown) {
  EXPECT_GE(gate_all(throughput_gate(0.03), noise::quiet(), 0.05, repeats(60)).regressed, 0.99);
  EXPECT_GE(gate_all(throughput_gate(0.05), noise::shared(), 0.07, repeats(60)).regressed, 0.95);
}

TEST(WholeGate, FindsOneThatOnlyTheCandidateHasNotTheMachine) {
  fake::Script script = gate_machine(noise::quiet(), 1, 0.1);
  script.cells["candidate"].sentinel_factor = 1.1;  // the fixed piece of work is slower too
  fake::InProcessWorker worker(script);
  const gate::GateResult result = run_gate(throughput_gate(0.05), worker, 1);
  EXPECT_EQ(result.verdict, GateVerdict::inconclusive);
  EXPECT_NE(result.why.find("ENV_SHIFT"), std::string::npos) << result.why;
}

TEST(WholeGate, OfFourRowsFlagsNone) {
  GatePlan plan = throughput_gate(0.03);
  plan.policy.budgets = {{"throughput", 0.03}, {"epoch_time", 0.03}, {"peak_memory_bytes", 0.03}};
  plan.policy.structural = {{"operators", 0}};
  plan.measure.structure = true;
  const Shares shares = gate_all(plan, noise::drifting(), 0, repeats(40));
  EXPECT_EQ(shares.regressed, 0);
  EXPECT_GE(shares.passed, 0.9) << shares.why;
}

TEST(WholeGate, GivesTheSameVerdictForTheSameSeed) {
  const auto once = gate_once(throughput_gate(0.03), noise::shared(), 0.03, 11);
  const auto again = gate_once(throughput_gate(0.03), noise::shared(), 0.03, 11);
  EXPECT_EQ(once.verdict, again.verdict);
  EXPECT_EQ(differences(once), differences(again));
}

}  // namespace
}  // namespace tune::simulation
