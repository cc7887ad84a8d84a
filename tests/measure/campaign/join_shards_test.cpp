#include "measure/campaign/join_shards.h"

#include "base/error.h"
#include "fake_campaign.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/summarise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace tune::campaign {

namespace {

namespace fs = std::filesystem;

bool begins_with(const std::vector<std::string>& words, const std::string& begin) {
  return std::all_of(
      words.begin(), words.end(), [&](const std::string& word) { return word.starts_with(begin); });
}

bool has_words(const std::vector<std::string>& sentences, const std::string& words) {
  return std::any_of(sentences.begin(), sentences.end(), [&](const std::string& sentence) {
    return sentence.find(words) != std::string::npos;
  });
}

// A grid of 4 cells in two shards. The second machine is twice as fast as the first.
class TwoShards : public testing::Test {
 protected:
  TwoShards() {
    slow_.rates = {{"c01", 130}, {"c03", 105}};
    fast_.rates = {{"baseline", 200}, {"c02", 210}, {"c04", 190}};
    fast_.now_ns = 5 * kSecond;  // of another clock
    first_.host = "slow";
    second_.host = "fast";
  }

  static std::vector<std::string> shard(const std::string& which) { return {"shard=" + which}; }

  void measure() {
    first_.sit(slow_);
    second_.sit(fast_);
  }

  std::vector<RecordedRun> shards() const {
    return {read_recorded_run(second_.directory()), read_recorded_run(first_.directory())};
  }

  fs::path join() const {
    const fs::path directory = folder_.path() / "joined";
    fs::create_directories(directory);
    join_shards(shards(), directory, {.command = {"tune", "merge"}});
    return directory;
  }

  std::string complaint(const std::vector<RecordedRun>& runs) const {
    try {
      check_shards_belong(runs);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  fs::path make(const std::string& name) const {
    fs::create_directories(folder_.path() / name);
    return folder_.path() / name;
  }

  TestFolder folder_;
  FakeMachine slow_, fast_;
  std::atomic<int> stop_ = 0;
  FakeCampaign first_ = FakeCampaign(make("a"), scenario_text(4), shard("1/2"));
  FakeCampaign second_ = FakeCampaign(make("b"), scenario_text(4), shard("2/2"));
};

const CellResult& cell_of(const CampaignResult& result, const std::string& id) {
  return *std::find_if(result.cells.begin(), result.cells.end(), [&](const CellResult& cell) {
    return cell.cell.id == id;
  });
}

TEST_F(TwoShards, MeasureTheBaselineAndTheirCellsInTheRoundsOfTheSearchAlone) {
  EXPECT_EQ(first_.sit(slow_), "finished");
  EXPECT_EQ(slow_.ran.size(), 9U);
  EXPECT_TRUE(begins_with(slow_.ran, "r"));
  const CampaignResult result = load_campaign(first_.directory());
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(exit_code(result), ExitCode::fine);
  EXPECT_EQ(result.cells.size(), 3U);
  EXPECT_TRUE(result.confirmations.empty());
  ASSERT_EQ(result.parts.size(), 1U);
  EXPECT_EQ(result.parts[0].shard, 1);
  EXPECT_EQ(result.parts[0].hosts, std::vector<std::string>{"slow"});
}

TEST_F(TwoShards, KeepEveryGainAgainstTheBaselineOfTheirOwnMachine) {
  measure();
  const CampaignResult result = load_campaign(join());
  EXPECT_EQ(result.trials.size(), 18U);
  EXPECT_EQ(distinct_ids(result.trials).size(), 18U);
  EXPECT_NEAR(cell_of(result, "c01").gain->value.value_or(0), 0.30, 0.04);
  EXPECT_NEAR(cell_of(result, "c02").gain->value.value_or(0), 0.05, 0.04);
  EXPECT_NEAR(cell_of(result, "c03").gain->value.value_or(0), 0.05, 0.04);
  EXPECT_NEAR(cell_of(result, "c04").gain->value.value_or(0), -0.05, 0.04);
  EXPECT_EQ(cell_of(result, "c04").gain->n, 3);
  EXPECT_EQ(result.cells[1].cell.id, "c01");  // though c02 is faster than it
  EXPECT_FALSE(result.complete);
  EXPECT_TRUE(result.incomplete_reason.starts_with(
      "the shards were joined, and nothing is confirmed yet: "));
}

TEST_F(TwoShards, AreJoinedAgainWhereAJoiningWasKilled) {
  measure();
  const fs::path log = first_.directory() / "trials" / slow_.ran.front() / "worker.log";
  write_file_synced(log, "what the worker said\n");
  const fs::path joined = join();
  fs::remove(ledger_file(joined));  // it is written last
  write_file_synced(joined / "trials" / "half.copied", "");
  EXPECT_EQ(load_campaign(join()).trials.size(), 18U);
  EXPECT_FALSE(fs::exists(joined / "trials" / "half.copied"));
}

TEST_F(TwoShards, MayHoldAReplyThatNestsWithoutEnd) {
  measure();
  const std::string deep = R"({"id": )" + std::string(300'000, '[');
  const fs::path reply = first_.directory() / "trials" / slow_.ran.front() / "reply.json";
  write_file_synced(reply, deep + std::string(300'000, ']') + "}");
  std::size_t copied = 0;
  for (const auto& trial : fs::directory_iterator(join() / "trials")) {
    copied += fs::file_size(trial.path() / "reply.json") == fs::file_size(reply) ? 1 : 0;
  }
  EXPECT_EQ(copied, 1U);
}

TEST_F(TwoShards, HaveRoundsOfTheirOwn) {
  measure();
  for (const TrialRecord& trial : load_campaign(join()).trials) {
    const bool is_of_first = trial.spec.cell == "c01" || trial.spec.cell == "c03" ||
                             (trial.spec.cell == "baseline" && trial.shard == 1);
    EXPECT_EQ(trial.shard, is_of_first ? 1 : 2) << trial.spec.id;
    EXPECT_EQ(trial.round > 3, trial.shard == 2) << trial.spec.id;
    EXPECT_LE(trial.round, 6);
  }
}

TEST_F(TwoShards, SayWhichCellsWereMeasuredWhere) {
  measure();
  const CampaignResult result = load_campaign(join());
  ASSERT_EQ(result.parts.size(), 2U);
  EXPECT_EQ(result.parts[0].cells, (std::vector<std::string>{"baseline", "c01", "c03"}));
  EXPECT_EQ(result.parts[1].cells, (std::vector<std::string>{"baseline", "c02", "c04"}));
  EXPECT_EQ(result.parts[1].hosts, std::vector<std::string>{"fast"});
  EXPECT_EQ(result.parts[1].first_round, 4);
  EXPECT_EQ(result.parts[1].last_round, 6);
  EXPECT_NEAR(result.parts[0].baseline->value.value_or(0), 100, 4);
  EXPECT_NEAR(result.parts[1].baseline->value.value_or(0), 200, 8);
  EXPECT_TRUE(has_words(result.warnings,
                        "measured in 2 shards: c01, c03 on slow; c02, c04 on fast. Each gain"));
  EXPECT_TRUE(has_words(result.warnings, "the baseline ran at "));
}

TEST_F(TwoShards, AreConfirmedByWhoeverGoesOn) {
  measure();
  FakeCampaign joined(join());
  joined.host = "third";
  FakeMachine here;
  here.rates = {{"c01", 130}};
  EXPECT_EQ(joined.sit(here), "finished");
  EXPECT_EQ(here.ran.size(), 12U);  // 6 pairs
  EXPECT_TRUE(begins_with(here.ran, "confirm"));
  const CampaignResult result = load_campaign(joined.directory());
  EXPECT_TRUE(result.complete);
  ASSERT_TRUE(result.confirmation);
  EXPECT_EQ(result.confirmation->cell, "c01");
  EXPECT_EQ(result.confirmation->pairs, 6);
  EXPECT_NEAR(result.confirmation->baseline.value.value_or(0), 100, 4);
  ASSERT_EQ(result.parts.size(), 3U);
  EXPECT_EQ(result.parts[2].shard, 0);
  EXPECT_EQ(result.parts[2].hosts, std::vector<std::string>{"third"});
}

TEST_F(TwoShards, LoseForGoodWhatIsLostOfThem) {
  measure();
  FakeCampaign joined(join());
  fs::remove(joined.directory() / "trials" / "r5-c02" / "reply.json");
  FakeMachine here;
  here.rates = {{"c01", 130}};
  joined.sit(here);
  EXPECT_TRUE(begins_with(here.ran, "confirm"));
  const CampaignResult result = load_campaign(joined.directory());
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(cell_of(result, "c02").gain->n, 2);
  EXPECT_TRUE(has_words(result.warnings, "it stays lost, for its round was another machine's"));
}

// Every machine gave the baseline its second chance.
TEST_F(TwoShards, DoNotGiveABaselineUpThatFailedOnceOnEach) {
  const auto fails_once = [](const trial::TrialSpec& spec) {
    return spec.id == "r1-baseline"
               ? std::optional(failed(runner::OutcomeKind::crashed, "signal 11"))
               : std::nullopt;
  };
  slow_.mishap = fails_once;
  fast_.mishap = fails_once;
  measure();
  const CampaignResult result = load_campaign(join());
  EXPECT_FALSE(result.baseline_failed);
  EXPECT_EQ(result.cells[0].outcome, "completed");
  EXPECT_EQ(cell_of(result, "c01").gain->n, 2);
}

// They ran at the same time: the confirmation has what the slower one left.
TEST_F(TwoShards, TakeOfTheBudgetWhatTheLongerOneTook) {
  slow_.trial_ns = 3 * kSecond;
  measure();
  const RecordedRun joined = read_recorded_run(join());
  EXPECT_EQ(joined.ledger.elapsed_ns(), 27 * kSecond);
}

TEST_F(TwoShards, LeaveTheTimeOfTheConfirmation) {
  first_.budget_ns = 44 * kSecond;  // 9 trials of 2 s, and 12 for the pairs
  first_.sit(slow_);
  EXPECT_EQ(slow_.ran.size(), 9U);
  second_.budget_ns = 26 * kSecond;  // 9 would leave 8 s for pairs that take 24 s
  EXPECT_EQ(second_.sit(fast_), "budget");
  EXPECT_LT(fast_.ran.size(), 9U);
  EXPECT_TRUE(why_unfinished(read_recorded_run(second_.directory())).starts_with("budget of 26"));
}

TEST_F(TwoShards, AreUnfinishedUntilTheirSearchIsOver) {
  slow_.mishap = [&, begun = 0](const trial::TrialSpec&) mutable {
    if (++begun == 4) {
      stop_ = 1;
    }
    return std::optional<runner::TrialOutcome>();
  };
  EXPECT_EQ(first_.sit(slow_, &stop_), "interrupted");
  EXPECT_EQ(why_unfinished(read_recorded_run(first_.directory())),
            "interrupted: 5 of 9 trials missing");
  slow_.mishap = nullptr;
  first_.sit(slow_);
  EXPECT_EQ(why_unfinished(read_recorded_run(first_.directory())), "");
}

TEST_F(TwoShards, MayBeGoneOnWithElsewhereButNotInTheMiddleOfARound) {
  slow_.mishap = [&, begun = 0](const trial::TrialSpec&) mutable {
    if (++begun == 5) {  // two of the second round
      stop_ = 1;
    }
    return std::optional<runner::TrialOutcome>();
  };
  first_.sit(slow_, &stop_);
  {
    RecordedRun run = read_recorded_run(first_.directory());
    Ledger ledger = Ledger::reopen(ledger_file(first_.directory()), run.ledger.whole_bytes);
    leave_rounds_of_other_hosts(run, ledger, "slow");
    EXPECT_EQ(run.trials.size(), 5U);
    leave_rounds_of_other_hosts(run, ledger, "elsewhere");
    EXPECT_EQ(run.trials.size(), 3U);
  }
  first_.host = "elsewhere";
  first_.sit(fast_);
  EXPECT_EQ(fast_.ran.size(), 6U);
  const CampaignResult result = load_campaign(first_.directory());
  EXPECT_TRUE(result.complete);
  EXPECT_TRUE(
      has_words(result.warnings,
                "was measured on slow, where its round was not finished; the trial was run"));
  EXPECT_EQ(result.parts[0].hosts, (std::vector<std::string>{"slow", "elsewhere"}));
}

TEST_F(TwoShards, BelongTogetherInAnyOrder) {
  measure();
  EXPECT_EQ(complaint(shards()), "");
}

TEST_F(TwoShards, AreRefusedWithARunThatIsNone) {
  measure();
  FakeCampaign whole(make("whole"), scenario_text(4));
  std::vector<RecordedRun> runs = shards();
  runs.push_back(read_recorded_run(whole.directory()));
  EXPECT_NE(complaint(runs).find("is not a shard (it was run without --shard)"), std::string::npos);
}

TEST_F(TwoShards, AreRefusedWithAShardOfSomethingElse) {
  measure();
  const auto words = [&](const std::function<void(LedgerHeader&)>& change) {
    std::vector<RecordedRun> runs = shards();
    change(runs[1].ledger.header);
    return complaint(runs);
  };
  EXPECT_NE(words([](LedgerHeader& header) { header.scenario_sha256 = "1"; }).find("scenario"),
            std::string::npos);
  EXPECT_NE(words([](LedgerHeader& header) { header.worker_sha256 = "1"; }).find("tune-worker"),
            std::string::npos);
  EXPECT_NE(words([](LedgerHeader& header) { header.tune_version = "9"; }).find("another tune (9"),
            std::string::npos);
  EXPECT_NE(words([](LedgerHeader& header) { header.data.manifest_sha256 = "1"; }).find("data set"),
            std::string::npos);
  EXPECT_NE(words([](LedgerHeader& header) {
              header.overrides.push_back("rounds=5");
            }).find("set of flags"),
            std::string::npos);
  EXPECT_EQ(words([](LedgerHeader& header) { header.overrides.push_back("seed=5"); }), "");
}

TEST_F(TwoShards, AreRefusedWhereOneIsThereTwice) {
  measure();
  std::vector<RecordedRun> runs = shards();
  runs.push_back(read_recorded_run(first_.directory()));
  EXPECT_NE(complaint(runs).find("is shard 1/2 (so is "), std::string::npos);
}

}  // namespace

}  // namespace tune::campaign
