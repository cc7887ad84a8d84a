#include "format_check.h"
#include "report/format/formats.h"
#include "stored_samples.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace tune::report {
namespace {

using nlohmann::json;

json issues_of(const json& document, const FormatOptions& options = {}) {
  const std::string text = to_gitlab_code_quality(stored(document), options);
  EXPECT_EQ(format_complaint("gitlab-code-quality", text), "");
  return json::parse(text);
}

TEST(CodeQualityFormat, HasRowsOfAGateAtItsLine) {
  auto document = gate_document();
  document["scenario"]["file"] = "/repo/perf/a.yaml";
  const json issues = issues_of(document, {.root = "/repo"});
  ASSERT_EQ(issues.size(), 1U) << "the row that passed is no issue";
  EXPECT_EQ(issues[0]["check_name"], "gate/throughput");
  EXPECT_EQ(issues[0]["severity"], "major");
  EXPECT_EQ(issues[0]["location"]["path"], "perf/a.yaml");
  EXPECT_EQ(issues[0]["location"]["lines"]["begin"], 18);
  const auto text = issues[0]["description"].get<std::string>();
  EXPECT_NE(text.find("-16.7 %"), std::string::npos) << text;
  document["gate"]["mode"] = "warn";
  EXPECT_EQ(issues_of(document)[0]["severity"], "minor");
  document["gate"]["mode"] = "shadow";
  EXPECT_EQ(issues_of(document)[0]["severity"], "info");
}

TEST(CodeQualityFormat, WithoutAnythingToSayIsAnEmptyList) {
  EXPECT_EQ(to_gitlab_code_quality(stored(gate_document("PASS")), {}), "[]\n");
}

TEST(CodeQualityFormat, OfARunHasRecommendationsAndFailures) {
  std::map<std::string, json> issues;
  for (const json& issue : issues_of(run_document())) {
    issues[issue["check_name"].get<std::string>()] = issue;
  }
  ASSERT_EQ(issues.size(), 3U);
  EXPECT_EQ(issues["synchronous-loader"]["severity"], "minor") << "it is confirmed";
  EXPECT_EQ(issues["synchronous-loader"]["location"]["lines"]["begin"], 7);
  EXPECT_EQ(issues["cpu-full-precision"]["severity"], "info");
}

TEST(CodeQualityFormat, KnowsAnIssueAgainByTheFingerprintOfSarif) {
  auto document = gate_document();
  const auto first = issues_of(document)[0]["fingerprint"];
  document["gate"]["rows"][0]["delta"]["value"] = -0.3;
  document["scenario"]["text"] = "\n\n" + document["scenario"]["text"].get<std::string>();
  EXPECT_EQ(issues_of(document)[0]["fingerprint"], first);
  const json sarif = json::parse(to_sarif(stored(document), {}));
  EXPECT_EQ(sarif["runs"][0]["results"][0]["partialFingerprints"]["tuneNotice/v1"], first);
}

TEST(CodeQualityFormat, SaysTheSameTwiceOnce) {
  auto document = run_document();
  document["recommendations"].push_back(document["recommendations"][0]);
  EXPECT_EQ(issues_of(document).size(), 3U);
}

}  // namespace
}  // namespace tune::report
