#include "measure/campaign/ledger.h"

#include "base/error.h"
#include "base/file.h"
#include "fake_campaign.h"
#include "limited_file_size.h"
#include "sample_ledger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <sys/stat.h>

namespace tune::campaign {

TEST(Ledger, ARecordedOneIsWrittenAsItWasRead) {
  const std::string text = read_file(SOURCE_DIR "/tests/recorded/resnet18-2-cpus/ledger.jsonl");
  const LedgerContents contents = parse_ledger(text, "ledger.jsonl");
  std::set<std::string> written;
  for (const LoggedTrial& trial : contents.trials) {
    written.insert(to_line(trial));
  }
  for (const Sitting& sitting : contents.sittings) {
    written.insert({sitting_start_line(sitting), sitting_end_line(sitting)});
  }
  const std::string header = text.substr(0, text.find('\n') + 1);
  std::istringstream others(text.substr(header.size()));
  for (std::string line; std::getline(others, line);) {
    EXPECT_TRUE(written.contains(line)) << line;
  }
  const std::string again = to_line(contents.header) + "\n";
  EXPECT_EQ(to_line(parse_ledger(again, "ledger.jsonl").header) + "\n", again);
  EXPECT_GT(again.size(), header.size()) << "the names of the knobs came later";
}

TEST(Ledger, RemembersAModelOfTheUsersOwnAndItsKnobs) {
  LedgerHeader header = make_header();
  header.model_sha256 = std::string(64, 'a');
  header.knobs = {"plugin.width", "num_workers"};
  const LedgerHeader read = parse_ledger(to_line(header) + "\n", "ledger.jsonl").header;
  EXPECT_EQ(read.model_sha256, header.model_sha256);
  EXPECT_EQ(std::count(read.knobs.begin(), read.knobs.end(), "plugin.width"), 1);
  EXPECT_EQ(std::count(read.knobs.begin(), read.knobs.end(), "num_workers"), 1);
  EXPECT_EQ(to_line(make_header()).find("model_sha256"), std::string::npos);
  EXPECT_EQ(parse_ledger(ledger_of_three(), "ledger.jsonl").header.model_sha256, "");
}

TEST(Ledger, RemembersWhyThereIsNoGpu) {
  LedgerHeader header = make_header();
  EXPECT_EQ(parse_ledger(to_line(header) + "\n", "l").header.machine.no_gpu, "");
  header.machine.no_gpu = "the driver supports CUDA 12.4";
  EXPECT_EQ(parse_ledger(to_line(header) + "\n", "l").header.machine.no_gpu, header.machine.no_gpu);
}

TEST(Ledger, GivesBackWhatWasWritten) {
  const LedgerContents contents = parse_ledger(ledger_of_three(), "ledger.jsonl");
  EXPECT_EQ(contents.header.scenario_text, make_header().scenario_text);
  EXPECT_EQ(contents.header.seed, make_header().seed);
  EXPECT_EQ(contents.header.machine.cpu_model, "A CPU");
  EXPECT_EQ(contents.header.machine.cgroup_cpus, 1.5);
  EXPECT_EQ(contents.header.machine.governor, std::nullopt);
  EXPECT_EQ(contents.header.data, make_header().data);
  ASSERT_EQ(contents.trials.size(), 2U);
  EXPECT_EQ(contents.trials[1].id, "r2-c01");
  EXPECT_EQ(contents.trials[0].outcome.kind, runner::OutcomeKind::crashed);
  EXPECT_EQ(contents.trials[0].outcome.reason, "SIGSEGV in phase warmup");
  ASSERT_EQ(contents.trials[0].outcome.arrivals.size(), 1U);
  EXPECT_EQ(contents.elapsed_ns(), 6);
  EXPECT_FALSE(contents.torn);
}

// What a worker of before its words were judged could bring about.
TEST(Ledger, TakesAnotherLineOfATrialThatWasForgotten) {
  LoggedTrial again = make_trial("r1-c01");
  again.outcome.end_ns = 12;
  const std::string forgotten =
      ledger_of_three() + to_line(ForgottenTrial{"r1-c01", "missing"}) + "\n";
  LedgerContents contents = parse_ledger(forgotten, "ledger.jsonl");
  ASSERT_EQ(contents.trials.size(), 1U);
  EXPECT_EQ(contents.trials[0].id, "r2-c01");
  ASSERT_EQ(contents.forgotten.size(), 1U);
  EXPECT_EQ(contents.forgotten[0].id, "r1-c01");
  EXPECT_EQ(contents.forgotten[0].damage, "missing");
  contents = parse_ledger(forgotten + to_line(again) + "\n", "ledger.jsonl");
  ASSERT_EQ(contents.trials.size(), 2U);
  EXPECT_EQ(contents.trials[1].id, "r1-c01");
  EXPECT_EQ(contents.trials[1].outcome.end_ns, 12);
  EXPECT_EQ(why_left_out(forgotten + to_line(again) + "\n" + to_line(again) + "\n"),
            "6: trial 'r1-c01' is also in line 7");
}

TEST(Ledger, LeavesFieldsOfYoungerVersionsAloneButNoEvents) {
  std::string text = ledger_of_three();
  for (std::size_t line = 0; line != std::string::npos; line = text.find("\n{", line + 1)) {
    text.insert(text.find('{', line) + 1, R"("surprise":{"deep":[1,2]},)");
  }
  EXPECT_EQ(parse_ledger(text, "ledger.jsonl").trials.size(), 2U);
  EXPECT_NE(complaint(text + R"({"event":"surprise"})" + "\n")
                .find("ledger.jsonl:5: event 'surprise' is not known"),
            std::string::npos);
}

TEST(Ledger, KeepsTheNamesOfVariablesThatTheWorkerDidNotGet) {
  LoggedTrial trial = make_trial("r9-c01");
  trial.outcome.removed_variables = {"LD_PRELOAD"};
  const auto contents = parse_ledger(ledger_of_three() + to_line(trial) + "\n", "ledger.jsonl");
  EXPECT_EQ(contents.trials[2].outcome.removed_variables, trial.outcome.removed_variables);
  EXPECT_TRUE(contents.trials[0].outcome.removed_variables.empty());
}

TEST(Ledger, IsAPlainFileOrNone) {
  const TestFolder folder;
  const auto file = ledger_file(folder.path());
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_THROW(read_ledger(folder.path()), Error) << "and does not wait for it";
  std::filesystem::remove(file);
  std::filesystem::create_symlink("ledger.jsonl", file);
  EXPECT_THROW(read_ledger(folder.path()), Error);
  EXPECT_THROW(read_ledger(folder.path() / std::string(5000, 'x')), Error);
}

// As on a full disk: half a line is written, then there is no room.
TEST(Ledger, SaysSoWhenItCannotBeWrittenAndLosesOnlyThatLine) {
  const TestFolder folder;
  const auto file = ledger_file(folder.path());
  Ledger ledger = Ledger::create(file, make_header());
  ledger.begin_sitting({.started_utc = "now", .start_ns = 1});
  ledger.add(make_trial("r1-c01"));
  std::string told;
  {
    const LimitedFileSize full(std::filesystem::file_size(file) + 20);
    try {
      ledger.add(make_trial("r2-c01"));
    } catch (const MachineError& error) {
      told = error.what();
    }
  }
  EXPECT_EQ(told, file.string() + ": cannot be written (File too large)");
  const LedgerContents contents = read_ledger(folder.path());
  EXPECT_TRUE(contents.torn);
  EXPECT_EQ(contents.trials.size(), 1U);
  Ledger::reopen(file, contents.whole_bytes).add(make_trial("r2-c01"));
  EXPECT_EQ(read_ledger(folder.path()).trials.size(), 2U);
}

TEST(Ledger, IsNotThereWhenItCannotBeBegun) {
  const TestFolder folder;
  const auto file = ledger_file(folder.path());
  {
    const LimitedFileSize full(20);
    EXPECT_THROW(Ledger::create(file, make_header()), MachineError);
  }
  EXPECT_FALSE(std::filesystem::exists(file));
  Ledger::create(file, make_header()).begin_sitting({.started_utc = "now", .start_ns = 1});
  EXPECT_EQ(read_ledger(folder.path()).sittings.size(), 1U);
}

TEST(Ledger, RefusesAnotherSchemaByName) {
  std::string text = ledger_of_three();
  text.replace(text.find("tune-ledger/1"), 13, "tune-ledger/9");
  EXPECT_NE(complaint(text).find("tune-ledger/9"), std::string::npos);
}

TEST(Ledger, ReopensAtTheLastWholeLine) {
  const TestFolder folder;
  const auto file = ledger_file(folder.path());
  {
    Ledger ledger = Ledger::create(file, make_header());
    ledger.begin_sitting({.started_utc = "now", .start_ns = 1});
    ledger.add(make_trial("r1-c01"));
  }
  std::ofstream(file, std::ios::app) << R"({"event":"trial","id":"r1-c)";
  const LedgerContents torn = read_ledger(folder.path());
  EXPECT_TRUE(torn.torn);
  Ledger::reopen(file, torn.whole_bytes).add(make_trial("r2-c01"));
  const LedgerContents repaired = read_ledger(folder.path());
  EXPECT_FALSE(repaired.torn);
  ASSERT_EQ(repaired.trials.size(), 2U);
  EXPECT_EQ(repaired.trials[1].id, "r2-c01");
}

TEST(Ledger, KeepsProposalsOnce) {
  const Proposals proposals{
      .list = {{.rule = "synchronous-loader",
                .knobs = {{"num_workers", std::int64_t{2}},
                          {"pin_memory", true},
                          {"amp", std::string("bf16")}},
                .lower = 0.1,
                .upper = 0.5},
               {.rule = "small-batch", .outside = "batch_size is not a knob of the grid"}}};
  const std::string text = ledger_of_three() + to_line(proposals) + "\n";
  const LedgerContents read = parse_ledger(text, "ledger.jsonl");
  ASSERT_TRUE(read.proposals);
  EXPECT_EQ(*read.proposals, proposals);
  EXPECT_FALSE(parse_ledger(ledger_of_three(), "ledger.jsonl").proposals);
  EXPECT_NE(why_left_out(text + to_line(proposals) + "\n").find("are second proposals"),
            std::string::npos);
}

TEST(Ledger, IsNeverBegunTwice) {
  const TestFolder folder;
  Ledger::create(ledger_file(folder.path()), make_header());
  EXPECT_THROW(Ledger::create(ledger_file(folder.path()), make_header()), Error);
}

}  // namespace tune::campaign
