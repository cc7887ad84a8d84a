#include "measure/campaign/recorded_run.h"

#include "base/error.h"
#include "base/file.h"
#include "fake_campaign.h"
#include "measure/campaign/summarise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace tune::campaign {

namespace {

namespace fs = std::filesystem;

// A finished campaign of one candidate: 2 cells x 3 rounds, then six pairs.
class FinishedRun : public testing::Test {
 protected:
  FinishedRun() : campaign_(folder_.path(), scenario_text(1)) {
    FakeMachine machine;
    machine.rates = {{"c01", 130}};
    campaign_.sit(machine);
  }

  fs::path reply_of(const std::string& id) const {
    return folder_.path() / "trials" / id / "reply.json";
  }
  void damage(const std::string& id) const { std::ofstream(reply_of(id), std::ios::trunc) << "{"; }
  CampaignResult load() const { return load_campaign(folder_.path()); }
  bool warns(const CampaignResult& result, const std::string& words) const {
    return std::any_of(result.warnings.begin(), result.warnings.end(), [&](const auto& warning) {
      return warning.find(words) != std::string::npos;
    });
  }
  // Returns what ran.
  std::vector<std::string> resume() {
    FakeMachine machine;
    machine.now_ns += 1000 * kSecond;
    machine.rates = {{"c01", 130}};
    campaign_.sit(machine);
    return machine.ran;
  }
  std::string complaint_with(const std::string& before, const std::string& after) const {
    std::string text = read_file(ledger_file(folder_.path()));
    EXPECT_NE(text.find(before), std::string::npos);
    text.replace(text.find(before), before.size(), after);
    std::ofstream(ledger_file(folder_.path()), std::ios::trunc) << text;
    try {
      load();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  TestFolder folder_;
  FakeCampaign campaign_;
};

TEST_F(FinishedRun, WithADamagedReplyShowsTheRestAndSaysWhy) {
  damage("r1-c01");
  const CampaignResult result = load();
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(exit_code(result), ExitCode::partial);
  EXPECT_EQ(result.trials.size(), 17U);
  EXPECT_EQ(result.trials_missing, 1);
  EXPECT_EQ(result.incomplete_reason, "replies were lost: 1 of 18 trials missing");
  EXPECT_EQ(result.cells[1].rounds, 2);
  EXPECT_EQ(result.cells[1].reason, "1 of 3 rounds not run: replies were lost");
  ASSERT_TRUE(result.confirmation);
  EXPECT_EQ(result.confirmation->pairs, 6);
  EXPECT_TRUE(warns(result, "trials/r1-c01/reply.json: is damaged (is not valid JSON"));
  EXPECT_TRUE(warns(result, "; the trial will be run again"));
}

TEST_F(FinishedRun, RunsATrialAgainWhoseReplyIsDamagedAndKeepsThatInTheLedger) {
  damage("r1-c01");
  fs::remove(reply_of("r3-baseline"));
  EXPECT_EQ(resume(), (std::vector<std::string>{"r1-c01", "r3-baseline"}));
  const CampaignResult result = load();
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.trials.size(), 18U);
  EXPECT_TRUE(warns(result, "trials/r3-baseline/reply.json: was missing; the trial was run again"));
  EXPECT_TRUE(warns(result, "trials/r1-c01/reply.json: was damaged (is not valid JSON"));
  const LedgerContents ledger = read_ledger(folder_.path());
  ASSERT_EQ(ledger.forgotten.size(), 2U);
  EXPECT_EQ(ledger.forgotten[0].id, "r1-c01");
  EXPECT_TRUE(resume().empty()) << "nothing is left";
}

TEST_F(FinishedRun, ForgetsBeforeAnythingIsRunSoThatTheLedgerIsTrueAtAnyMoment) {
  damage("r2-c01");
  const std::atomic<int> stop = 1;
  FakeMachine machine;
  EXPECT_EQ(campaign_.sit(machine, &stop), "interrupted");
  EXPECT_TRUE(machine.ran.empty());
  EXPECT_EQ(read_ledger(folder_.path()).forgotten.size(), 1U);
  EXPECT_TRUE(read_recorded_run(folder_.path()).damaged.empty()) << "the ledger knows";
  EXPECT_TRUE(warns(load(), "r2-c01/reply.json: is damaged"));
  EXPECT_EQ(resume(), std::vector<std::string>{"r2-c01"});
}

TEST_F(FinishedRun, ReplacesAPairThatLostAReplyByAFreshOne) {
  damage("confirm2-c01");
  const CampaignResult lost = load();
  EXPECT_EQ(lost.confirmation->pairs, 5);
  EXPECT_FALSE(lost.complete);
  EXPECT_TRUE(warns(lost, "; its pair counts no more, a fresh one takes its place"));
  std::vector<std::string> ran = resume();
  std::sort(ran.begin(), ran.end());
  EXPECT_EQ(ran, (std::vector<std::string>{"confirm7-baseline", "confirm7-c01"}));
  EXPECT_EQ(load().confirmation->pairs, 6);
  EXPECT_TRUE(load().complete);
}

TEST_F(FinishedRun, WithoutAnyReplyIsRunAnew) {
  fs::remove_all(folder_.path() / "trials");
  const CampaignResult result = load();
  EXPECT_TRUE(result.trials.empty());
  EXPECT_EQ(result.cells[0].outcome, "not-run");
  EXPECT_FALSE(result.baseline_failed);
  EXPECT_LE(result.warnings.size(), 8U) << "not one for each of 18";
  EXPECT_TRUE(warns(result, "12 more replies are missing"));
  EXPECT_EQ(resume().size(), 18U);
  EXPECT_TRUE(load().complete);
}

TEST_F(FinishedRun, MayHaveItsTrialsElsewhere) {
  const TestFolder elsewhere;
  fs::copy(folder_.path() / "trials", elsewhere.path() / "all", fs::copy_options::recursive);
  fs::remove_all(folder_.path() / "trials");
  fs::create_directory_symlink(elsewhere.path() / "all", folder_.path() / "trials");
  EXPECT_TRUE(load().complete);
  damage("r1-c01");
  EXPECT_EQ(resume(), std::vector<std::string>{"r1-c01"});
  EXPECT_TRUE(load().complete);
}

TEST_F(FinishedRun, NeverEmptiesTheFolderThatALinkPointsTo) {
  const TestFolder precious;
  std::ofstream(precious.path() / "thesis.tex") << "mine";
  fs::remove_all(folder_.path() / "trials/r1-c01");
  fs::create_directory_symlink(precious.path(), folder_.path() / "trials/r1-c01");
  EXPECT_EQ(resume(), std::vector<std::string>{"r1-c01"});
  EXPECT_TRUE(load().complete);
  EXPECT_TRUE(fs::exists(precious.path() / "thesis.tex"));
  EXPECT_EQ(std::distance(fs::directory_iterator(precious.path()), {}), 1);
}

TEST_F(FinishedRun, LosesNothingBecauseAFileCannotBeReadNow) {
  const std::string before = read_file(ledger_file(folder_.path()));
  const fs::path aside = folder_.path() / "aside.json";
  for (const char* const id : {"r1-c01", "confirm6-baseline"}) {
    fs::rename(reply_of(id), aside);
    fs::create_symlink("/proc/self/mem", reply_of(id));  // EIO
    EXPECT_THROW(load(), MachineError) << "no report is made of the rest";
    EXPECT_THROW(resume(), MachineError);
    fs::rename(aside, reply_of(id));
  }
  EXPECT_EQ(read_file(ledger_file(folder_.path())), before);
  EXPECT_TRUE(load().complete);
  EXPECT_TRUE(resume().empty());
}

TEST_F(FinishedRun, WithACutLedgerSaysThatALineIsLost) {
  const auto file = ledger_file(folder_.path());
  fs::resize_file(file, fs::file_size(file) - 5);
  EXPECT_TRUE(warns(load(), "ledger.jsonl: its last line is cut off"));
}

TEST(RecordedRun, NamesTheVariablesThatWereKeptFromTheWorkers) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(1));
  FakeMachine machine;
  machine.mishap = [](const trial::TrialSpec&) {
    auto outcome = failed(runner::OutcomeKind::crashed, "SIGSEGV");
    outcome.removed_variables = {"LD_PRELOAD", "LD_AUDIT"};
    return outcome;
  };
  campaign.sit(machine);
  const auto warnings = load_campaign(folder.path()).warnings;
  EXPECT_EQ(std::count(warnings.begin(),
                       warnings.end(),
                       "kept from the workers, because it can load other code into them: "
                       "LD_AUDIT, LD_PRELOAD"),
            1);
}

TEST_F(FinishedRun, OfAnotherProtocolIsRefusedWithWhatToDo) {
  EXPECT_NE(complaint_with("\"protocol\":1", "\"protocol\":7").find("start a new run"),
            std::string::npos);
}

// As an older version would have left it, which knew fewer of them.
TEST_F(FinishedRun, StaysReadableWhenThereAreNewKnobs) {
  const RecordedRun run = read_recorded_run(folder_.path());
  const std::vector<std::string> few = {"batch_size", "intra_op_threads"};
  EXPECT_EQ(complaint_with(run.ledger.header.plan_sha256, plan_hash(run.plan, few)).empty(), false)
      << "it claims to know all";
  std::string text = read_file(ledger_file(folder_.path()));
  const std::size_t begin = text.find("\"knobs\":[");
  text.replace(
      begin, text.find(']', begin) + 1 - begin, R"("knobs":["batch_size","intra_op_threads"])");
  std::ofstream(ledger_file(folder_.path()), std::ios::trunc) << text;
  EXPECT_TRUE(load().complete);
}

TEST_F(FinishedRun, WhoseScenarioIsUnknownHereNamesTheLedger) {
  const std::string said = complaint_with("strategy: grid", "strategy: brand-new");
  EXPECT_NE(said.find("ledger.jsonl: the scenario in it cannot be read"), std::string::npos)
      << said;
}

TEST_F(FinishedRun, WithAStrangeTrialShowsTheRestWithoutPaintingTheTerminal) {
  EXPECT_EQ(complaint_with("\"id\":\"r1-c01\"", R"("id":"\u001b[2J")"), "");
  const CampaignResult result = load();
  EXPECT_TRUE(warns(result, "is left out (trial '?[2J' has no place in the plan"));
  EXPECT_EQ(result.trials.size(), 17U);
  EXPECT_FALSE(result.complete);
}

TEST_F(FinishedRun, WithALineThatCannotBeReadShowsTheRestAndGoesOn) {
  EXPECT_EQ(complaint_with("\"event\":\"trial\"", "\"event\":4"), "");
  const CampaignResult result = load();
  EXPECT_TRUE(warns(result,
                    "ledger.jsonl:3: is left out (event is not a text); what it recorded counts "
                    "as not run"));
  EXPECT_EQ(result.trials.size(), 17U);
  EXPECT_EQ(resume().size(), 1U);
  EXPECT_TRUE(load().complete);
  EXPECT_TRUE(warns(load(), "ledger.jsonl:3: is left out"));
  EXPECT_TRUE(resume().empty());
}

}  // namespace

}  // namespace tune::campaign
