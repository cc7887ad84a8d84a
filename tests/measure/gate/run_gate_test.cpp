#include "measure/gate/run_gate.h"

#include "gate_fixture.h"

#include <set>

namespace tune::gate {
namespace {

using stats::GateVerdict;

bool is_candidate(const trial::TrialSpec& spec) {
  return spec.cell == "candidate";
}

TEST_F(GateTest, EqualSidesPassAtTheFirstLook) {
  const GateResult& result =
      run([&](const auto&, Process& process) { process.rate *= std::exp(normal(0.003)); });
  EXPECT_EQ(result.verdict, GateVerdict::pass);
  EXPECT_EQ(exit_code(result), ExitCode::fine);
  EXPECT_EQ(result.pairs.size(), 10U);
  EXPECT_EQ(result.look_records.size(), 1U);
  EXPECT_EQ(ids_.size(), 20U);
  EXPECT_EQ(std::set<std::string>(ids_.begin(), ids_.end()).size(), 20U);
}

TEST_F(GateTest, ASlowerCandidateRegresses) {
  const GateResult& result = run([&](const auto& spec, Process& process) {
    process.rate *= std::exp(normal(0.003)) * (is_candidate(spec) ? 0.9 : 1);
  });
  EXPECT_EQ(result.verdict, GateVerdict::regressed);
  EXPECT_EQ(exit_code(result), ExitCode::negative_verdict);
  ASSERT_EQ(result.rows.size(), 1U);
  EXPECT_NEAR(result.rows[0].delta.value.value_or(0), -0.1, 0.01);  // throughput falls
  EXPECT_TRUE(result.rows[0].is_worse);
  EXPECT_LT(result.rows[0].delta.lower, result.rows[0].delta.value);
  EXPECT_GT(result.rows[0].delta.upper, result.rows[0].delta.value);
}

TEST_F(GateTest, AFasterCandidateImprovesAndDoesNotFail) {
  const GateResult& result = run([&](const auto& spec, Process& process) {
    process.rate *= std::exp(normal(0.003)) * (is_candidate(spec) ? 1.2 : 1);
  });
  EXPECT_EQ(result.verdict, GateVerdict::improved);
  EXPECT_EQ(exit_code(result), ExitCode::fine);
}

TEST_F(GateTest, WhatLiesAtTheBudgetInNoiseIsInconclusiveAfterAllLooks) {
  result_.policy.budgets[0].ratio = 0.03;
  const GateResult& result = run([&](const auto& spec, Process& process) {
    const bool odd = (spec.id[2] - '0') % 2 != 0;  // "p07-candidate"
    process.rate *= is_candidate(spec) && odd ? 1 / 1.06 : 1;
  });
  EXPECT_EQ(result.verdict, GateVerdict::inconclusive);
  EXPECT_EQ(result.pairs.size(), 24U);
  EXPECT_EQ(result.look_records.size(), 3U);
  EXPECT_NEAR(result.look_records.back().alpha_total, 0.01, 1e-12);
  EXPECT_EQ(exit_code(result), ExitCode::inconclusive);
  result_.policy.inconclusive = Inconclusive::pass;
  EXPECT_EQ(exit_code(result_), ExitCode::fine);
  result_.policy.inconclusive = Inconclusive::fail;
  EXPECT_EQ(exit_code(result_), ExitCode::negative_verdict);
  result_.policy.mode = Mode::warn;
  EXPECT_EQ(exit_code(result_), ExitCode::fine);
}

TEST_F(GateTest, AMachineThatChangedWithTheSideIsNotTheCandidatesFault) {
  const GateResult& result = run([&](const auto& spec, Process& process) {
    const double factor = is_candidate(spec) ? 1.1 : 1;
    process.sentinel_factor = factor * std::exp(normal(0.002));
    process.rate *= std::exp(normal(0.003)) / factor;
  });
  EXPECT_EQ(result.verdict, GateVerdict::inconclusive);
  EXPECT_EQ(result.rows[0].why.substr(0, 9), "ENV_SHIFT");
  EXPECT_EQ(exit_code(result), ExitCode::inconclusive);
}

TEST_F(GateTest, UnequalDisturbanceIsInconclusive) {
  const GateResult& result = run([&](const auto& spec, Process& process) {
    process.tainted_slices = is_candidate(spec) ? 2 : 0;
    process.rate *= std::exp(normal(0.003));
  });
  EXPECT_EQ(result.verdict, GateVerdict::inconclusive);
  EXPECT_EQ(result.rows[0].why.substr(0, 15), "taint-imbalance");
}

TEST_F(GateTest, AProcessThatLosesTooManySlicesIsMeasuredAgainAtMostTwice) {
  const GateResult& result = run([&](const auto& spec, Process& process) {
    process.tainted_slices =
        spec.id == "p03-baseline" || spec.id.starts_with("p04-baseline") ? 3 : 0;
    process.rate *= std::exp(normal(0.003));
  });
  const std::set<std::string> ids(ids_.begin(), ids_.end());
  EXPECT_TRUE(ids.contains("p03-baseline-2"));
  EXPECT_FALSE(ids.contains("p03-baseline-3"));
  EXPECT_TRUE(ids.contains("p04-baseline-3"));
  EXPECT_FALSE(ids.contains("p04-baseline-4"));
  EXPECT_EQ(result.pairs[2].baseline.slices.tainted, 0);
  EXPECT_EQ(result.pairs[3].baseline.slices.tainted, 3);
  EXPECT_EQ(result.verdict, GateVerdict::pass);
}

TEST_F(GateTest, APairWithoutASliceThatCountsIsMeasuredAgainInItsPlace) {
  const GateResult& result = run([&](const auto& spec, Process& process) {
    process.tainted_slices = spec.id.starts_with("p04") ? 5 : 0;
    process.rate *= std::exp(normal(0.003));
  });
  EXPECT_EQ(result.verdict, GateVerdict::pass);
  EXPECT_EQ(result.pairs.size(), 10U);
  EXPECT_EQ(result.lost_pairs.size(), 1U);
  EXPECT_EQ(ids_.back().substr(0, 3), "p11");
}

TEST_F(GateTest, AMachineThatIsNeverLeftAloneGivesNoAnswer) {
  const GateResult& result =
      run([&](const auto&, Process& process) { process.tainted_slices = 5; });
  EXPECT_EQ(result.end, End::disturbed);
  EXPECT_EQ(exit_code(result), ExitCode::inconclusive);
  EXPECT_EQ(ids_.size(), 3 * 2 * 3U);  // pairs, sides, attempts
}

TEST_F(GateTest, ASideWhoseMemoryStillGrowsIsNoYardstick) {
  result_.policy.budgets = {{"throughput"}, {"peak_memory_bytes"}};
  const GateResult& result = run([&](const auto& spec, Process& process) {
    process.rate *= std::exp(normal(0.003)) * (is_candidate(spec) ? 0.8 : 1);
    process.memory_bytes = 1 << 30;
    process.memory_growth_bytes = is_candidate(spec) ? 16 << 20 : 0;
  });
  EXPECT_EQ(result.verdict, GateVerdict::inconclusive);
  EXPECT_EQ(exit_code(result), ExitCode::inconclusive);
  for (const Row& row : result.rows) {
    EXPECT_TRUE(row.why.starts_with("memory-growth: ")) << row.metric << ": " << row.why;
    EXPECT_NE(row.why.find("64 MiB (6.1 %) over the 5 slices"), std::string::npos) << row.why;
  }
  EXPECT_EQ(result.baseline_steadiness.not_steady, 0);
}

TEST_F(GateTest, ACandidateThatCrashesFails) {
  const GateResult& result = run([&](const auto& spec, Process& process) {
    if (spec.id == "p02-candidate") {
      process.failure = runner::OutcomeKind::crashed;
    }
  });
  EXPECT_EQ(result.end, End::candidate_failed);
  EXPECT_EQ(exit_code(result), ExitCode::negative_verdict);
  EXPECT_NE(result.why.find("SIGSEGV in phase measure"), std::string::npos);
}

TEST_F(GateTest, WithoutABaselineThereIsNothingToCompareWith) {
  const GateResult& result = run([&](const auto& spec, Process& process) {
    if (!is_candidate(spec)) {
      process.failure = runner::OutcomeKind::timed_out;
    }
  });
  EXPECT_EQ(result.end, End::baseline_failed);
  EXPECT_EQ(exit_code(result), ExitCode::incomparable);
}

TEST_F(GateTest, AProcessThatIsKilledRunsOnceMore) {
  const GateResult& result = run([&](const auto& spec, Process& process) {
    if (spec.id == "p02-candidate" || spec.id == "p03-baseline") {
      process.failure = runner::OutcomeKind::out_of_memory;
      process.was_killed = true;
    }
  });
  EXPECT_EQ(result.end, End::judged);
  EXPECT_EQ(result.run.trials_failed, 2);
  EXPECT_EQ(std::count(ids_.begin(), ids_.end(), "p02-candidate-again"), 1);
  EXPECT_EQ(std::count(ids_.begin(), ids_.end(), "p03-baseline-again"), 1);
}

TEST_F(GateTest, WhatIsKilledAgainHasFailed) {
  const GateResult& result = run([&](const auto& spec, Process& process) {
    if (spec.id.starts_with("p02-candidate")) {
      process.failure = runner::OutcomeKind::out_of_memory;
      process.was_killed = true;
    }
  });
  EXPECT_EQ(result.end, End::candidate_failed);
}

TEST_F(GateTest, OfTheBaselineTheFirstFailureOfItsOwnIsForgiven) {
  const GateResult& result = run([&](const auto& spec, Process& process) {
    if (spec.id == "p02-baseline") {
      process.failure = runner::OutcomeKind::crashed;
    }
  });
  EXPECT_EQ(result.end, End::judged);
}

TEST_F(GateTest, OfTheBaselineTheSecondFailureOfItsOwnIsNotForgiven) {
  const GateResult& result = run([&](const auto& spec, Process& process) {
    if (spec.id == "p02-baseline" || spec.id == "p04-baseline") {
      process.failure = runner::OutcomeKind::crashed;
    }
  });
  EXPECT_EQ(result.end, End::baseline_failed);
  EXPECT_EQ(ids_.back(), "p04-baseline");
}

TEST_F(GateTest, ALossThatIsNoNumberAnyMoreFails) {
  const GateResult& result = run(
      [&](const auto& spec, Process& process) { process.loss = is_candidate(spec) ? NAN : 2.3; });
  EXPECT_EQ(exit_code(result), ExitCode::negative_verdict);
  EXPECT_NE(result.why.find("no longer finite"), std::string::npos);
}

TEST_F(GateTest, AnotherLossFromTheSameSettingFailsAndFromAnotherPrecisionDoesNot) {
  const Rule rule = [&](const auto& spec, Process& process) {
    process.loss = is_candidate(spec) ? 2.5 : 2.3;
  };
  result_.candidate.spec.knobs["amp"] = std::string("bf16");
  EXPECT_EQ(run(rule).verdict, GateVerdict::pass);
  std::filesystem::remove(folder_ / "ledger.jsonl");
  GateResult same = result_;
  result_.candidate.spec.knobs = result_.baseline.spec.knobs;
  result_.pairs.clear();
  result_.rows.clear();
  EXPECT_EQ(run(rule).end, End::candidate_failed);
}

TEST_F(GateTest, TimeThatEndsBeforeTheFirstLookIsPartial) {
  result_.policy.max_time_ns = 60'000'000'000;
  run([](const auto&, Process&) {});
  EXPECT_EQ(result_.end, End::time_cap);
  EXPECT_EQ(exit_code(result_), ExitCode::partial);
}

TEST_F(GateTest, TimeThatEndsBetweenLooksLeavesTheLastLook) {
  result_.policy.max_time_ns = (1'000 + 12 * 10) * 1'000'000'000LL;  // the clock begins at 1,000 s
  result_.policy.budgets[0].ratio = 0.03;
  const GateResult& result = run([&](const auto& spec, Process& process) {
    process.rate *= std::exp(normal(0.03)) * (is_candidate(spec) ? 1 / 1.025 : 1);
  });
  EXPECT_EQ(result.end, End::judged);
  EXPECT_EQ(result.look_records.size(), 1U);
  EXPECT_EQ(result.pairs.size(), 10U);
  EXPECT_EQ(result.rows[0].why.substr(0, 8), "time cap");
  EXPECT_EQ(exit_code(result), ExitCode::inconclusive);
}

TEST_F(GateTest, AGatedMetricThatOneSideLacksIsAnError) {
  result_.policy.budgets = {{"peak_memory_bytes"}};
  const GateResult& result = run([&](const auto& spec, Process& process) {
    process.memory_bytes = is_candidate(spec) ? 0 : 1 << 20;
  });
  EXPECT_EQ(result.end, End::row_missing);
  EXPECT_EQ(exit_code(result), ExitCode::incomparable);
  EXPECT_NE(result.why.find("the candidate"), std::string::npos);
}

TEST_F(GateTest, StopEndsAfterSaving) {
  const GateResult& result = run([&](const auto& spec, Process&) {
    if (spec.id.starts_with("p03")) {
      stop_ = 1;
    }
  });
  EXPECT_EQ(result.end, End::interrupted);
  EXPECT_EQ(result.pairs.size(), 2U);
  EXPECT_EQ(ledger_lines().back().find("\"event\":\"end\"") != std::string::npos, true);
}

TEST_F(GateTest, TheOrderIsBalancedInBlocksOfTwoPairs) {
  run([](const auto&, Process&) {});
  for (std::size_t i = 0; i + 1 < result_.pairs.size(); i += 2) {
    EXPECT_NE(result_.pairs[i].baseline_first, result_.pairs[i + 1].baseline_first);
  }
  for (std::size_t i = 0; i < result_.pairs.size(); ++i) {
    EXPECT_EQ(ids_[2 * i].find("baseline") != std::string::npos, result_.pairs[i].baseline_first);
  }
}

TEST_F(GateTest, TheLedgerHoldsEveryProcessAndWhatEachLookSpent) {
  run([](const auto&, Process&) {});
  const auto lines = ledger_lines();
  ASSERT_EQ(lines.size(), 1 + 20 + 1 + 1U);
  EXPECT_NE(lines[0].find("tune-gate-ledger/1"), std::string::npos);
  EXPECT_NE(lines[21].find("\"alpha_spent\":0.0033"), std::string::npos);
  EXPECT_NE(lines[22].find("\"verdict\":\"PASS\""), std::string::npos);
}

TEST_F(GateTest, TheWarmUpIsFoundOnceAndTheSameForBothSides) {
  for (Side* side : {&result_.baseline, &result_.candidate}) {
    side->spec.measure.find_warmup = true;
  }
  std::set<std::int64_t> steps;
  const auto rule = [&](const auto& spec, Process&) {
    if (!spec.measure.find_warmup) {
      steps.insert(spec.measure.warmup_steps);
    }
  };
  // The fixture's worker knows no search: three tries, then the gate gives up. Counts need none.
  EXPECT_EQ(run(rule).end, End::not_steady);
  EXPECT_EQ(ids_,
            (std::vector<std::string>{
                "warmup-1", "warmup-2", "warmup-3", "counted-baseline", "counted-candidate"}));
  EXPECT_EQ(exit_code(result_), ExitCode::inconclusive);
}

TEST_F(GateTest, CountsAreGatedExactlyWhereTheSettingsAreEqual) {
  const Rule rule = [&](const auto& spec, Process& process) {
    process.operators = is_candidate(spec) ? 62 : 61;
  };
  EXPECT_EQ(run(rule).verdict, GateVerdict::regressed);
  EXPECT_EQ(exit_code(result_), ExitCode::negative_verdict);
  EXPECT_NE(result_.why.find("operators"), std::string::npos);
}

TEST_F(GateTest, CountsThatASettingChangesOnPurposeAreShownOnly) {
  result_.candidate.spec.knobs["optimizer_impl"] = std::string("fused");
  const Rule rule = [&](const auto& spec, Process& process) {
    process.operators = is_candidate(spec) ? 62 : 61;
  };
  EXPECT_EQ(run(rule).verdict, GateVerdict::pass);
  ASSERT_FALSE(result_.counted.empty());
  EXPECT_FALSE(result_.counted[0].is_gated);
}

TEST_F(GateTest, StructuralOnlyRunsOneProcessASide) {
  result_.policy.structural_only = true;
  result_.policy.budgets.clear();
  EXPECT_EQ(run([](const auto&, Process&) {}).verdict, GateVerdict::pass);
  EXPECT_EQ(ids_, (std::vector<std::string>{"counted-baseline", "counted-candidate"}));
}

TEST_F(GateTest, AGatedCountThatNobodyCountedIsAnError) {
  result_.policy.structural = {{"operators", 0}};
  run([](const auto&, Process& process) { process.has_structure = false; });
  EXPECT_EQ(exit_code(result_), ExitCode::incomparable);
}

TEST_F(GateTest, SeveralRowsAreJudgedTogether) {
  result_.policy.budgets = {{"epoch_time"}, {"throughput"}, {"peak_memory_bytes"}};
  const GateResult& result = run([&](const auto& spec, Process& process) {
    process.rate *= std::exp(normal(0.003));
    process.memory_bytes = (is_candidate(spec) ? 120 : 100) << 20;
  });
  EXPECT_EQ(result.pairs.size(), 11U);
  EXPECT_EQ(result.rows[0].verdict, GateVerdict::pass);
  EXPECT_EQ(result.rows[2].verdict, GateVerdict::regressed);
  EXPECT_EQ(result.verdict, GateVerdict::regressed);
}

TEST_F(GateTest, AStoredBaselineIsNotMeasuredAgain) {
  stored_.emplace();
  for (int i = 0; i < 6; ++i) {
    ProcessSummary summary;
    summary.values["throughput"] = 100 * std::exp(normal(0.003));
    summary.slices.clean = 5;
    stored_->processes.push_back(summary);
    stored_->structures.emplace_back();
  }
  run([&](const auto&, Process& process) { process.rate *= std::exp(normal(0.003)); });
  EXPECT_EQ(result_.verdict, GateVerdict::pass);
  EXPECT_EQ(ids_.size(), 10U);
  for (const std::string& id : ids_) {
    EXPECT_NE(id.find("candidate"), std::string::npos);
  }
}

TEST_F(GateTest, AStoredBaselineOfAnotherLibraryIsRefusedAfterTheFirstProcess) {
  stored_.emplace();
  stored_->processes.resize(1);
  stored_->structures.resize(1);
  stored_->incomparable = [](const trial::WorkerFacts& facts) {
    return "measured with LibTorch 1.0, now it is " + facts.torch_version;
  };
  run([](const auto&, Process&) {});
  EXPECT_EQ(exit_code(result_), ExitCode::incomparable);
  EXPECT_EQ(ids_.size(), 1U);
}

}  // namespace
}  // namespace tune::gate
