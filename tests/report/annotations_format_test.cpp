#include "format_check.h"
#include "report/format/formats.h"
#include "report/gate_json.h"
#include "sample_gate.h"
#include "stored_samples.h"

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

namespace tune::report {
namespace {

using nlohmann::json;

std::vector<std::string> lines_of(const json& document, const FormatOptions& options = {}) {
  std::istringstream text(to_github_annotations(stored(document), options));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    lines.push_back(line);
  }
  return lines;
}

TEST(AnnotationsFormat, RemarksStandAtTheScenariosLines) {
  const auto lines = lines_of(run_document());
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[0].starts_with(
      "::warning file=scenarios/resnet18.yaml,line=11,title=A setting of the grid failed::"))
      << lines[0];
  EXPECT_TRUE(
      lines[1].starts_with("::warning file=scenarios/resnet18.yaml,line=7,title=Load data "
                           "in background threads::R1: CONFIRMED +18.4 %25 "))
      << lines[1];
  EXPECT_TRUE(lines[2].starts_with("::notice file=scenarios/resnet18.yaml,line=7,")) << lines[2];
}

TEST(AnnotationsFormat, AGateThatRegressedIsAnError) {
  auto document = gate_document();
  document["scenario"]["file"] = "/repo/perf/a.yaml";
  const auto lines = lines_of(document, {.root = "/repo"});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(lines[0].starts_with(
      "::error file=perf/a.yaml,line=18,title=throughput REGRESSED::throughput REGRESSED: 100"))
      << lines[0];
  EXPECT_TRUE(lines_of(gate_document("PASS")).empty());
}

TEST(AnnotationsFormat, WhatTheRunnerReadsOtherwiseIsEscaped) {
  auto document = run_document();
  document["recommendations"][0]["title"] = "50%: a, b";
  document["scenario"]["file"] = "a,b:c%.yaml";
  const auto lines = lines_of(document);
  EXPECT_NE(lines[1].find("file=a%2Cb%3Ac%25.yaml,line=7,title=50%25%3A a%2C b::"),
            std::string::npos)
      << lines[1];
}

TEST(AnnotationsFormat, OfManyTenAKindAreShownAndTheLastSaysHowManyMore) {
  auto document = run_document();
  const json one = document["recommendations"][1];
  for (const std::size_t count : {std::size_t{10}, std::size_t{11}, std::size_t{500}}) {
    document["recommendations"] = json::array();
    for (std::size_t i = 0; i < count; ++i) {
      document["recommendations"].push_back(one);
    }
    const auto lines = lines_of(document);
    ASSERT_EQ(lines.size(), 11U) << "ten notices and the crashed cell";
    EXPECT_EQ(format_complaint("github-annotations", to_github_annotations(stored(document), {})),
              "");
    const std::string more = std::to_string(count - 9) + " more";
    EXPECT_EQ(lines.back().find(more) != std::string::npos, count > 10) << lines.back();
  }
}

TEST(AnnotationsFormat, WhatIsWorseThanTheAnchorIsARemarkToo) {
  const auto lines = lines_of(json::parse(to_gate_json(anchored_gate())));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("::error "), std::string::npos) << lines[0];
  EXPECT_NE(lines[0].find("title=throughput REGRESSED against the anchor%2C v1.0"),
            std::string::npos)
      << lines[0];
}

}  // namespace
}  // namespace tune::report
