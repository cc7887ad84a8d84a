// Ledgers whose lines are torn, damaged, twice there or impossible: only those lines are lost.

#include "measure/campaign/ledger.h"
#include "sample_ledger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace tune::campaign {

TEST(DamagedLedger, LosesNothingButTheTornLineWhereverItIsCut) {
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

TEST(DamagedLedger, SaysThatItWasNeverBegunWhenTheHeaderIsTorn) {
  const std::string header = to_line(make_header());
  EXPECT_NE(complaint(header).find("cut off"), std::string::npos);
  EXPECT_NE(complaint(header.substr(0, 20)).find("ledger.jsonl:1"), std::string::npos);
  EXPECT_NE(complaint("").find("is empty"), std::string::npos);
}

TEST(DamagedLedger, LeavesALineOutThatIsDamagedAndReadsTheRest) {
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

TEST(DamagedLedger, ReadsTheRestOfARunWhoseWorkerToldOfAnImpossibleTime) {
  std::string text = ledger_of_three();
  const std::string now = "\"worker_ns\":6";
  text.replace(text.find(now), now.size(), "\"worker_ns\":9223372036854775807");
  EXPECT_TRUE(why_left_out(text).starts_with("3: arrivals[0].worker_ns is out of range"))
      << why_left_out(text);
  EXPECT_EQ(parse_ledger(text, "ledger.jsonl").trials.size(), 1U);
}

TEST(DamagedLedger, WithoutTheLineThatBeganASittingCountsItsTimeFromItsFirstTrial) {
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

TEST(DamagedLedger, TakesALastLineOfGarbageForATornOne) {
  const LedgerContents contents =
      parse_ledger(ledger_of_three() + std::string(40, '\0') + "\n", "ledger.jsonl");
  EXPECT_TRUE(contents.torn);
  EXPECT_EQ(contents.trials.size(), 2U);
}

TEST(DamagedLedger, TakesTheLaterOfTwoLinesOfATrialForItsReplyIsTheOneOnDisk) {
  LoggedTrial later = make_trial("r2-c01");
  later.outcome.end_ns = 12;
  const std::string twice = ledger_of_three() + to_line(later) + "\n";
  EXPECT_EQ(why_left_out(twice), "4: trial 'r2-c01' is also in line 5");
  const LedgerContents contents = parse_ledger(twice, "ledger.jsonl");
  ASSERT_EQ(contents.trials.size(), 2U);
  EXPECT_EQ(contents.trials[1].outcome.end_ns, 12);
}

TEST(DamagedLedger, ForgetsNothingThatNeverEnded) {
  EXPECT_EQ(why_left_out(ledger_of_three() + to_line(ForgottenTrial{"r9-c01", "missing"}) + "\n"),
            "5: trial 'r9-c01' is forgotten before it ended (lines are missing)");
}

TEST(DamagedLedger, LeavesALineOutWhoseEventIsDamaged) {
  const std::string event = R"("event":"trial")";
  for (const std::string damaged :
       {R"("event":"tri`l")", R"("event":"tsial")", R"("event":"")", R"("even":"trial")"}) {
    std::string text = ledger_of_three();
    text.replace(text.find(event), event.size(), damaged);
    EXPECT_TRUE(why_left_out(text).starts_with("3: ")) << damaged << why_left_out(text);
    EXPECT_EQ(parse_ledger(text, "ledger.jsonl").trials.size(), 1U) << damaged;
  }
}

TEST(DamagedLedger, KeepsTheTrialsOfASittingWhoseFirstLineLostItsEvent) {
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

TEST(DamagedLedger, BoundsEveryNumber) {
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

TEST(DamagedLedger, TakesNoProposalOfNoKnobOrNoValueOfIt) {
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

}  // namespace tune::campaign
