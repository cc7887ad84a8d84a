#include "measure/runner/output_log.h"

#include "base/error.h"
#include "runner_fixture.h"

namespace tune::runner {
namespace {

TEST_F(RunnerTest, HugeOutputIsCutWithAMarkAndItsEndKept) {
  options_.output_limit_bytes = 10'000;
  const TrialOutcome outcome = run_behaviour(R"("do": "output", "bytes": 3000000)");
  EXPECT_EQ(outcome.kind, OutcomeKind::completed) << outcome.reason;
  EXPECT_LT(log().size(), 13'000U);
  EXPECT_NE(log().find("[tune: the limit of 10000 bytes is reached; "), std::string::npos);
  EXPECT_TRUE(log().ends_with("the last line\n"));
  EXPECT_TRUE(outcome.stderr_tail.ends_with("the last line\n"));
  EXPECT_LE(outcome.stderr_tail.size(), 2048U);
}

TEST_F(RunnerTest, OutputWithinTheLimitIsKeptAsItIs) {
  options_.output_limit_bytes = 1 << 20;
  run_behaviour(R"("do": "output", "bytes": 2048)");
  EXPECT_EQ(log(), std::string(1023, 'x') + "\n" + std::string(1023, 'x') + "\nthe last line\n");
}

TEST(Printable, LetsTextThroughAndNothingThatATerminalObeys) {
  EXPECT_EQ(printable("a\tb\n\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"),
            "a\tb\n\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(printable("\x1b[2J\r\x7f"), "?[2J??");
  EXPECT_EQ(printable(std::string("\0", 1)), "?");
  EXPECT_EQ(printable("\xff\xc0\xaf"), "???");                      // never begins a character
  EXPECT_EQ(printable("\xe2\x82"), "??");                           // cut off
  EXPECT_EQ(printable("\xc2\x9b"), "?");                            // an 8-bit escape
  EXPECT_EQ(printable("\xed\xa0\x80\xf4\x90\x80\x80"), "???????");  // surrogate; beyond Unicode
}

TEST(OutputLog, FindsAWantOfMemoryThatIsSplitBetweenTwoReads) {
  OutputLog log("/dev/null", 100);
  log.add(std::string(5000, 'x') + "std::bad_");
  EXPECT_FALSE(log.wanted_memory());
  log.add("alloc");
  EXPECT_TRUE(log.wanted_memory());
}

TEST(OutputLog, AFileThatCannotBeWrittenIsAnError) {
  EXPECT_THROW(OutputLog("/no/such/folder/stderr.log", 100), Error);
}

}  // namespace
}  // namespace tune::runner
