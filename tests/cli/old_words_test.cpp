#include "cli/old_words.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tune::cli {
namespace {

using Words = std::vector<std::string>;

TEST(OldWords, FlagsOfACommandHaveTheirNewNames) {
  EXPECT_EQ(in_new_words({"run", "a.yaml", "--budget", "10m"}),
            (Words{"run", "a.yaml", "--time", "10m"}));
  EXPECT_EQ(in_new_words({"gate", "a.yaml", "--max-time=10m", "--dry-run"}),
            (Words{"gate", "a.yaml", "--time=10m", "--dry-run"}));
}

TEST(OldWords, TheSameFlagOfAnotherCommandStays) {
  const Words words = {"gate", "a.yaml", "--budget", "3%"};
  EXPECT_EQ(in_new_words(words), words);
}

TEST(OldWords, TheCommandMayStandBehindGlobalFlags) {
  EXPECT_EQ(in_new_words({"-C", "gate", "-q", "--color=never", "run", "--budget=1m"}),
            (Words{"-C", "gate", "-q", "--color=never", "run", "--time=1m"}));
}

TEST(OldWords, ArgumentsAreNoCommands) {
  EXPECT_EQ(in_new_words({"history", "ls"}), (Words{"history", "list"}));
  EXPECT_EQ(in_new_words({"history", "rm", "ls"}), (Words{"history", "rm", "ls"}));
  EXPECT_EQ(in_new_words({"ls", "knobs"}), (Words{"list", "knobs"}));
  EXPECT_EQ(in_new_words({}), Words{});
  EXPECT_EQ(in_new_words({"--version"}), Words{"--version"});
}

}  // namespace
}  // namespace tune::cli
