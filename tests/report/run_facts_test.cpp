#include "report/run_again.h"
#include "report/run_pages.h"
#include "sample_result.h"

#include <gtest/gtest.h>

namespace tune::report {
namespace {

using Words = std::vector<std::string>;

Words repeated(Words typed, bool has_seed = true) {
  result::Provenance provenance;
  provenance.command = std::move(typed);
  provenance.seed = 7;
  return repeat_command(provenance, !has_seed);
}

// The folder holds this run now, so that the same words would be refused.
TEST(RepeatCommand, LeavesTheRunDirectoryOut) {
  const Words plain = {"tune", "run", "a.yaml", "-q"};
  EXPECT_EQ(repeated({"tune", "run", "a.yaml", "-o", "runs/x", "-q"}), plain);
  EXPECT_EQ(repeated({"tune", "run", "--output", "runs/x", "a.yaml", "-q"}), plain);
  EXPECT_EQ(repeated({"tune", "run", "a.yaml", "--output=runs/x", "-q"}), plain);
  EXPECT_EQ(repeated({"tune", "run", "a.yaml", "-oruns/x", "-q"}), plain);
  EXPECT_EQ(repeated({"tune", "run", "a.yaml", "-q", "-o"}), plain);
  EXPECT_EQ(repeated(plain), plain);
  EXPECT_EQ(repeated({"tune", "run", "-q", "--", "-o"}), (Words{"tune", "run", "-q", "--", "-o"}));
}

TEST(RepeatCommand, GivesTheSeedThatWasDrawn) {
  EXPECT_EQ(repeated({"tune", "run", "a.yaml"}, false),
            (Words{"tune", "run", "a.yaml", "--seed", "7"}));
  EXPECT_EQ(repeated({"tune", "run", "--", "a.yaml"}, false),
            (Words{"tune", "run", "--seed", "7", "--", "a.yaml"}));
  EXPECT_EQ(repeated({"tune", "run", "a.yaml", "--seed", "9"}, false),
            (Words{"tune", "run", "a.yaml", "--seed", "9"}));
  EXPECT_TRUE(repeated({}, false).empty());
}

// HEAD~1 is another commit once something is committed.
TEST(RepeatCommand, NamesTheCommitsThatWereCompared) {
  const Words sides = {"HEAD~1 at 0123456789ab", "v1.0 at ba9876543210", "main as it is"};
  EXPECT_EQ(with_commits({"tune", "gate", "a.yaml", "--baseline", "HEAD~1", "-q"}, sides),
            (Words{"tune", "gate", "a.yaml", "--baseline", "0123456789ab", "-q"}));
  EXPECT_EQ(with_commits({"tune", "gate", "--baseline=git:HEAD~1", "--anchor=v1.0"}, sides),
            (Words{"tune", "gate", "--baseline=git:0123456789ab", "--anchor=ba9876543210"}));
  for (const Words& same : {Words{"tune", "gate", "HEAD~1", "--baseline"},
                            Words{"tune", "gate", "--baseline", "HEAD"},
                            Words{"tune", "gate", "--baseline", "main"},
                            Words{"tune", "gate", "--", "--baseline", "HEAD~1"}}) {
    EXPECT_EQ(with_commits(same, sides), same);
  }
}

TEST(RepeatCommand, StandsInBothReports) {
  auto result = sample_result();
  result.command = {"./tune", "run", "scenarios/resnet18.yaml", "-o", "/somewhere/else"};
  result.scenario.has_seed = false;
  result.seed = 3465027432;
  const std::string words = "./tune run scenarios/resnet18.yaml --seed 3465027432";
  EXPECT_NE(to_html(result).find(words), std::string::npos);
  EXPECT_NE(to_markdown(result).find("    " + words + "\n"), std::string::npos);
  const std::string page = to_html(result);  // its data say what was typed
  EXPECT_EQ(page.substr(0, page.find("application/json")).find("/somewhere/else"),
            std::string::npos);
}

}  // namespace
}  // namespace tune::report
