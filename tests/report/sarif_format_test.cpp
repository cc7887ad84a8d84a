#include "format_check.h"
#include "report/format/formats.h"
#include "stored_samples.h"

#include <gtest/gtest.h>

#include <map>

namespace tune::report {
namespace {

using nlohmann::json;

json sarif_of(const json& document, const FormatOptions& options = {}) {
  return json::parse(to_sarif(stored(document), options));
}

// Rule -> its only result.
std::map<std::string, json> results_of(const json& log) {
  std::map<std::string, json> results;
  for (const json& result : log["runs"][0]["results"]) {
    EXPECT_TRUE(results.emplace(result["ruleId"].get<std::string>(), result).second);
  }
  return results;
}

std::int64_t line_of(const json& result) {
  return result["locations"][0]["physicalLocation"]["region"]["startLine"].get<std::int64_t>();
}

TEST(SarifFormat, HasRecommendationsAtTheLinesOfTheirKnobs) {
  const json log = sarif_of(run_document());
  EXPECT_EQ(format_complaint("sarif", log.dump()), "");
  auto results = results_of(log);
  ASSERT_EQ(results.size(), 3U)
      << "two recommendations and the crashed cell; a refuted one is none";
  EXPECT_EQ(results["synchronous-loader"]["level"], "warning");
  EXPECT_EQ(line_of(results["synchronous-loader"]), 7) << "baseline: {num_workers: 0, ...}";
  EXPECT_EQ(results["cpu-full-precision"]["level"], "note");
  EXPECT_EQ(results["cell/crashed"]["level"], "warning");
  EXPECT_GE(line_of(results["cell/crashed"]), 9);
  EXPECT_LE(line_of(results["cell/crashed"]), 14);
  const auto text = results["synchronous-loader"]["message"]["text"].get<std::string>();
  EXPECT_NE(text.find("CONFIRMED +18.4 % [+16.9, +19.8] % in 10 pairs"), std::string::npos) << text;
  EXPECT_NE(text.find("num_workers 0 -> 2"), std::string::npos) << text;
}

TEST(SarifFormat, HasRowsOfAGateAtItsLine) {
  auto results = results_of(sarif_of(gate_document()));
  ASSERT_EQ(results.size(), 1U) << "the row that passed is no remark";
  EXPECT_EQ(results["gate/throughput"]["level"], "error");
  EXPECT_EQ(line_of(results["gate/throughput"]), 18);
  EXPECT_TRUE(results_of(sarif_of(gate_document("PASS"))).empty());
  auto document = gate_document();
  document["gate"]["mode"] = "warn";
  EXPECT_EQ(results_of(sarif_of(document))["gate/throughput"]["level"], "warning");
  document["gate"]["mode"] = "shadow";
  EXPECT_EQ(results_of(sarif_of(document))["gate/throughput"]["level"], "note");
}

TEST(SarifFormat, AnUndecidedRowIsAsLoudAsThePolicySays) {
  auto document = gate_document("INCONCLUSIVE");
  for (const auto& [policy, level] : std::map<std::string, std::string>{
           {"warn", "warning"}, {"fail", "error"}, {"pass", "note"}}) {
    document["gate"]["inconclusive"] = policy;
    EXPECT_EQ(results_of(sarif_of(document))["gate/throughput"]["level"], level) << policy;
  }
}

TEST(SarifFormat, TheSameRemarkHasTheSameFingerprintInAnotherRun) {
  auto later = run_document();
  auto& measured = later["recommendations"][0]["measured"];
  measured["value"] = 0.2;
  later["scenario"]["text"] = "# a comment\n" + later["scenario"]["text"].get<std::string>();
  later["provenance"]["started"] = "2026-04-01T00:00:00Z";
  auto first = results_of(sarif_of(run_document()));
  auto second = results_of(sarif_of(later));
  EXPECT_EQ(first["synchronous-loader"]["partialFingerprints"],
            second["synchronous-loader"]["partialFingerprints"]);
  EXPECT_EQ(line_of(second["synchronous-loader"]), 8);
  later["scenario"]["name"] = "another";
  EXPECT_NE(first["synchronous-loader"]["partialFingerprints"],
            results_of(sarif_of(later))["synchronous-loader"]["partialFingerprints"]);
}

TEST(SarifFormat, FilesAreNamedAsSeenFromTheRepository) {
  const auto uri_of = [](const std::string& file, const std::string& root) {
    auto document = run_document();
    document["scenario"]["file"] = file;
    const json log = sarif_of(document, {.root = root});
    return log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
  };
  EXPECT_EQ(uri_of("/repo/perf/a.yaml", "/repo")["uri"], "perf/a.yaml");
  EXPECT_EQ(uri_of("/repo/perf/a.yaml", "/repo")["uriBaseId"], "%SRCROOT%");
  EXPECT_EQ(uri_of("/else/a b.yaml", "/repo")["uri"], "file:///else/a%20b.yaml");
  EXPECT_FALSE(uri_of("/else/a b.yaml", "/repo").contains("uriBaseId"));
  EXPECT_EQ(uri_of("scenarios/a.yaml", "")["uri"], "scenarios/a.yaml");
}

TEST(SarifFormat, TellsOfWarningsAndOfARunThatIsNotComplete) {
  auto document = run_document();
  document["provenance"]["incomplete_reason"] = "interrupted";
  const json invocation = sarif_of(document)["runs"][0]["invocations"][0];
  EXPECT_EQ(invocation["executionSuccessful"], false);
  EXPECT_EQ(invocation["toolExecutionNotifications"].size(), document["warnings"].size());
  EXPECT_EQ(sarif_of(run_document())["runs"][0]["invocations"][0]["executionSuccessful"], true);
}

}  // namespace
}  // namespace tune::report
