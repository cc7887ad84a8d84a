#include "report/gate_failed_build.h"

#include "format_check.h"
#include "report/format/formats.h"
#include "report/gate_pages.h"
#include "sample_gate.h"

#include <gtest/gtest.h>

namespace tune::report {
namespace {

constexpr const char* kVerdict =
    "the candidate, HEAD at 0123456789ab: cannot be built (make: exit code 2)";

FailedBuild sample(const std::string& side = "candidate") {
  FailedBuild build;
  build.scenario = {.name = "training", .file = "/clone/perf/training.yaml", .text = ""};
  build.side = side;
  build.verdict = kVerdict;
  build.output = "compiling\nmodel.cpp:7: <error> @everybody\n";
  build.version = "0.1.0";
  build.started_utc = "2026-11-21T12:00:00Z";
  build.command = {"tune", "gate", "perf/training.yaml"};
  return build;
}

TEST(FailedBuildMarkdown, IsTheCommentOfEveryGateOfTheScenario) {
  gate::GateResult judged = sample_gate(stats::GateVerdict::pass);
  judged.run.scenario.name = sample().scenario.name;
  const std::string page = to_markdown(sample());
  const std::string other = to_gate_markdown(to_gate_record(judged));
  EXPECT_EQ(page.substr(0, page.find('\n')), other.substr(0, other.find('\n')));
}

TEST(FailedBuildMarkdown, HasTheVerdictAndTheEndOfTheOutput) {
  const std::string page = to_markdown(sample());
  EXPECT_NE(page.find("**the candidate, HEAD at 0123456789ab: cannot be built"), std::string::npos)
      << page;
  EXPECT_NE(page.find("\n    compiling\n    model.cpp:7: <error> @everybody\n"), std::string::npos)
      << page;
  EXPECT_NE(page.find("\n    tune gate perf/training.yaml\n"), std::string::npos) << page;
}

TEST(FailedBuildMarkdown, OnlyTheCandidateIsRed) {
  const char* const red = "\xF0\x9F\x94\xB4";
  EXPECT_NE(to_markdown(sample()).find(red), std::string::npos);
  EXPECT_EQ(to_markdown(sample("baseline")).find(red), std::string::npos);
}

TEST(FailedBuildMarkdown, StaysBelowTheLimitOfACommentAndKeepsTheEnd) {
  FailedBuild build = sample();
  build.verdict = std::string(100'000, '<');
  build.command.assign(10'000, "<b>");
  build.output.clear();
  for (int i = 0; i < 3'000; ++i) {
    build.output += std::string(1'000, '|') + "\n\n";
  }
  build.output += "the reason\n\n";
  const std::string page = to_markdown(build);
  EXPECT_LE(page.size(), kCommentLimitBytes);
  EXPECT_NE(page.find("\n    the reason\n\nRun it again"), std::string::npos);
}

TEST(FailedBuildMarkdown, TakesTheRoomThatIsLeft) {
  FailedBuild build = sample();
  for (int i = 0; i < 2'000; ++i) {
    build.output += "line " + std::to_string(i) + "\n";
  }
  const std::string page = to_markdown(build, 15'000);
  EXPECT_LE(page.size(), 15'000U);
  EXPECT_NE(page.find("line 1999"), std::string::npos);
  EXPECT_LE(to_markdown(build, 2'000).size(), 2'000U);
}

TEST(FailedBuildMarkdown, WhatPrintedNothingHasNoOutput) {
  for (const char* const output : {"", "\n\n"}) {
    FailedBuild build = sample();
    build.output = output;
    const std::string page = to_markdown(build);
    EXPECT_EQ(page.find("printed"), std::string::npos) << page;
    EXPECT_NE(page.find("Nothing was measured.\n\nRun it again"), std::string::npos) << page;
  }
}

TEST(FailedBuildMarkdown, ControlCharactersOfABuildAreNotPassedOn) {
  FailedBuild build = sample();
  build.output = "\n\na\r\n\x1b[31mb\xff\n";
  EXPECT_NE(to_markdown(build).find("    a\n    \uFFFD[31mb\uFFFD\n"), std::string::npos)
      << to_markdown(build);
}

TEST(FailedBuildJunit, IsOneErrorWithTheVerdict) {
  for (const char* const side : {"candidate", "baseline"}) {
    const std::string text = to_junit(to_result(sample(side)), {});
    EXPECT_EQ(format_complaint("junit", text), "");
    EXPECT_NE(text.find("name=\"training\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\""),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("<error message=\"" + std::string(kVerdict) + "\""), std::string::npos)
        << text;
  }
}

TEST(FailedBuildFormats, AnnotationsSayWhyNothingWasJudged) {
  const std::string candidate = to_github_annotations(to_result(sample()), {});
  EXPECT_TRUE(candidate.starts_with("::error ")) << candidate;
  EXPECT_NE(candidate.find("cannot be built"), std::string::npos) << candidate;
  const std::string baseline = to_github_annotations(to_result(sample("baseline")), {});
  EXPECT_TRUE(baseline.starts_with("::warning ")) << baseline;
}

}  // namespace
}  // namespace tune::report
