#include "measure/campaign/ledger.h"

#include "base/error.h"
#include "base/file.h"
#include "fake_campaign.h"
#include "limited_file_size.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <sys/stat.h>

namespace tune::campaign {

namespace {

LedgerHeader make_header() {
  LedgerHeader header;
  header.tune_version = "0.1.0";
  header.scenario_text = "tune: 1\n\"quoted\" \xc3\xa9\n";
  header.seed = 18446744073709551615U;
  header.machine.cpu_model = "A CPU";
  header.machine.cgroup_cpus = 1.5;
  header.data.path = "/data/jpeg";
  header.command = {"tune", "run", "x.yaml"};
  header.started_utc = "2026-11-21T12:00:00Z";
  return header;
}

LoggedTrial make_trial(const std::string& id) {
  LoggedTrial trial;
  trial.id = id;
  trial.stage = "search";
  trial.cell = "c01";
  trial.round = 2;
  trial.outcome.kind = runner::OutcomeKind::crashed;
  trial.outcome.reason = "SIGSEGV in phase warmup";
  trial.outcome.stderr_tail = std::string("\xff\xfe broken\0bytes", 15);
  trial.outcome.start_ns = 5;
  trial.outcome.end_ns = 9;
  trial.outcome.arrivals = {{"setup", 6, 6}};
  return trial;
}

std::string ledger_of_three() {
  Sitting sitting;
  sitting.started_utc = "2026-11-21T12:00:01Z";
  sitting.start_ns = 3;
  return to_line(make_header()) + "\n" + sitting_start_line(sitting) + "\n" +
         to_line(make_trial("r1-c01")) + "\n" + to_line(make_trial("r2-c01")) + "\n";
}

// The lines that are left out, each as "<number>: <why>".
std::vector<std::string> left_out(const std::string& text) {
  std::vector<std::string> lines;
  for (const LeftOutLine& line : parse_ledger(text, "ledger.jsonl").left_out) {
    lines.push_back(std::to_string(line.number) + ": " + line.why);
  }
  return lines;
}

// Why the only line that is left out is.
std::string why_left_out(const std::string& text) {
  const std::vector<std::string> lines = left_out(text);
  EXPECT_LE(lines.size(), 1U) << text;
  return lines.empty() ? "" : lines.front();
}

std::string complaint(const std::string& text) {
  try {
    parse_ledger(text, "ledger.jsonl");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

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

TEST(Ledger, LosesNothingButTheTornLineWhereverItIsCut) {
  const std::string whole = ledger_of_three();
  const std::size_t header_end = whole.find('\n') + 1;
  for (std::size_t length = header_end; length <= whole.size(); ++length) {
    const std::string cut = whole.substr(0, length);
    const LedgerContents contents = parse_ledger(cut, "ledger.jsonl");
    const auto lines = static_cast<std::size_t>(std::count(cut.begin(), cut.end(), '\n'));
    EXPECT_EQ(contents.sittings.size() + contents.trials.size(), lines - 1) << length;
    EXPECT_EQ(contents.torn, cut.back() != '\n') << length;
    EXPECT_EQ(contents.whole_bytes, static_cast<std::int64_t>(cut.rfind('\n') + 1)) << length;
  }
}

TEST(Ledger, SaysThatItWasNeverBegunWhenTheHeaderIsTorn) {
  const std::string header = to_line(make_header());
  EXPECT_NE(complaint(header).find("cut off"), std::string::npos);
  EXPECT_NE(complaint(header.substr(0, 20)).find("ledger.jsonl:1"), std::string::npos);
  EXPECT_NE(complaint("").find("is empty"), std::string::npos);
}

TEST(Ledger, LeavesALineOutThatIsDamagedAndReadsTheRest) {
  const std::string whole = ledger_of_three();
  const std::size_t third = whole.find('\n', whole.find('\n') + 1) + 1;
  std::string text = whole;
  text[third] = '#';
  EXPECT_TRUE(why_left_out(text).starts_with("3: is not valid JSON")) << why_left_out(text);
  const LedgerContents contents = parse_ledger(text, "ledger.jsonl");
  ASSERT_EQ(contents.trials.size(), 1U);
  EXPECT_EQ(contents.trials[0].id, "r2-c01");
  EXPECT_FALSE(contents.torn);
  EXPECT_EQ(contents.whole_bytes, static_cast<std::int64_t>(text.size())) << "it goes on behind it";
}

// What a worker of before its words were judged could bring about.
TEST(Ledger, ReadsTheRestOfARunWhoseWorkerToldOfAnImpossibleTime) {
  std::string text = ledger_of_three();
  const std::string now = "\"worker_ns\":6";
  text.replace(text.find(now), now.size(), "\"worker_ns\":9223372036854775807");
  EXPECT_TRUE(why_left_out(text).starts_with("3: arrivals[0].worker_ns is out of range"))
      << why_left_out(text);
  EXPECT_EQ(parse_ledger(text, "ledger.jsonl").trials.size(), 1U);
}

TEST(Ledger, WithoutTheLineThatBeganASittingCountsItsTimeFromItsFirstTrial) {
  std::string text = ledger_of_three();
  const std::string start = "\"monotonic_ns\":3";
  text.replace(text.find(start), start.size(), "\"monotonic_ns\":-3");
  const LedgerContents contents = parse_ledger(text, "ledger.jsonl");
  EXPECT_EQ(contents.left_out.size(), 1U);
  EXPECT_EQ(contents.trials.size(), 2U);
  EXPECT_EQ(contents.elapsed_ns(), 4) << "from 5 to 9";

  LoggedTrial later = make_trial("r3-c01");
  later.outcome.start_ns = 100;
  later.outcome.end_ns = 107;
  const std::string end = sitting_end_line({.end_ns = 20, .end_reason = "budget"}) + "\n";
  const LedgerContents two =
      parse_ledger(ledger_of_three() + end + "rubbish\n" + to_line(later) + "\n", "ledger.jsonl");
  ASSERT_EQ(two.sittings.size(), 2U) << "the rubbish began it";
  EXPECT_EQ(two.elapsed_ns(), 17 + 7);
}

TEST(Ledger, TakesALastLineOfGarbageForATornOne) {
  const LedgerContents contents =
      parse_ledger(ledger_of_three() + std::string(40, '\0') + "\n", "ledger.jsonl");
  EXPECT_TRUE(contents.torn);
  EXPECT_EQ(contents.trials.size(), 2U);
}

TEST(Ledger, TakesTheLaterOfTwoLinesOfATrialForItsReplyIsTheOneOnDisk) {
  LoggedTrial later = make_trial("r2-c01");
  later.outcome.end_ns = 12;
  const std::string twice = ledger_of_three() + to_line(later) + "\n";
  EXPECT_EQ(why_left_out(twice), "4: trial 'r2-c01' is also in line 5");
  const LedgerContents contents = parse_ledger(twice, "ledger.jsonl");
  ASSERT_EQ(contents.trials.size(), 2U);
  EXPECT_EQ(contents.trials[1].outcome.end_ns, 12);
}

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

TEST(Ledger, ForgetsNothingThatNeverEnded) {
  EXPECT_EQ(why_left_out(ledger_of_three() + to_line(ForgottenTrial{"r9-c01", "missing"}) + "\n"),
            "5: trial 'r9-c01' is forgotten before it ended (lines are missing)");
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

TEST(Ledger, LeavesALineOutWhoseEventIsDamaged) {
  const std::string event = R"("event":"trial")";
  for (const std::string damaged :
       {R"("event":"tri`l")", R"("event":"tsial")", R"("event":"")", R"("even":"trial")"}) {
    std::string text = ledger_of_three();
    text.replace(text.find(event), event.size(), damaged);
    EXPECT_TRUE(why_left_out(text).starts_with("3: ")) << damaged << why_left_out(text);
    EXPECT_EQ(parse_ledger(text, "ledger.jsonl").trials.size(), 1U) << damaged;
  }
}

TEST(Ledger, KeepsTheTrialsOfASittingWhoseFirstLineLostItsEvent) {
  const std::string whole = ledger_of_three();
  const std::size_t second = whole.find('\n') + 1;
  const std::size_t length = whole.find('\n', second) - second;
  for (const std::string lost :
       {"{}", "[1]", R"({"event":1})", R"({"event":"sittinf-start","utc":"now"})"}) {
    std::string text = whole;
    text.replace(second, length, lost);
    const LedgerContents contents = parse_ledger(text, "ledger.jsonl");
    EXPECT_EQ(contents.left_out.size(), 1U) << lost;
    EXPECT_EQ(contents.trials.size(), 2U) << lost;
  }
}

TEST(Ledger, KeepsTheNamesOfVariablesThatTheWorkerDidNotGet) {
  LoggedTrial trial = make_trial("r9-c01");
  trial.outcome.removed_variables = {"LD_PRELOAD"};
  const auto contents = parse_ledger(ledger_of_three() + to_line(trial) + "\n", "ledger.jsonl");
  EXPECT_EQ(contents.trials[2].outcome.removed_variables, trial.outcome.removed_variables);
  EXPECT_TRUE(contents.trials[0].outcome.removed_variables.empty());
}

TEST(Ledger, BoundsEveryNumber) {
  for (const auto& [field, value] : std::vector<std::pair<std::string, std::string>>{
           {"\"end_ns\":9", "\"end_ns\":4"},
           {"\"end_ns\":9", "\"end_ns\":9223372036854775807"},
           {"\"round\":2", "\"round\":0"},
           {"\"position\":0", "\"position\":-1"},
           {"\"timeout_ns\":0", "\"timeout_ns\":1e99"}}) {
    std::string text = ledger_of_three();
    ASSERT_NE(text.find(field), std::string::npos) << field;
    text.replace(text.find(field), field.size(), value);
    EXPECT_TRUE(why_left_out(text).starts_with("3: ")) << value << why_left_out(text);
  }
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

TEST(Ledger, TakesNoProposalOfNoKnobOrNoValueOfIt) {
  const auto with = [](const std::string& knob) {
    return ledger_of_three() +
           R"({"event":"proposals","reason":"","proposals":[{"rule":"r","knobs":[)" + knob +
           R"(],"lower":null,"upper":null,"outside":""}]})" + "\n" + to_line(make_trial("r3-c01")) +
           "\n";
  };
  EXPECT_EQ(why_left_out(with(R"({"name":"num_workers","value":2})")), "");
  EXPECT_NE(why_left_out(with(R"({"name":"num_wrokers","value":2})")).find("not a knob"),
            std::string::npos);
  EXPECT_NE(why_left_out(with(R"({"name":"num_workers","value":"two"})")), "");
  EXPECT_NE(why_left_out(with(R"({"name":"num_workers","value":[2]})")), "");
}

TEST(Ledger, IsNeverBegunTwice) {
  const TestFolder folder;
  Ledger::create(ledger_file(folder.path()), make_header());
  EXPECT_THROW(Ledger::create(ledger_file(folder.path()), make_header()), Error);
}

}  // namespace tune::campaign
