#include "approved.h"
#include "base/error.h"
#include "base/file.h"
#include "measure/gate/anchor.h"
#include "page_check.h"
#include "report/gate_failed_build.h"
#include "report/gate_json.h"
#include "report/gate_pages.h"
#include "sample_gate.h"
#include "stored_samples.h"
#include "xml_check.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace tune::report {
namespace {

using gate::GateResult;
using stats::GateVerdict;

std::string page_of(const std::string& json) {
  return to_gate_html(read_gate_record(json, "result.json"));
}

std::string page_of(const GateResult& result) {
  return page_of(to_gate_json(result));
}

std::string text_of_page(const std::string& html) {
  return read_xml(html).text;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(GateHtml, IsTheApprovedPage) {
  const std::string html = page_of(measured_gate());
  expect_sound_page(html);
  expect_approved("tests/golden/report/gate.html", html);
}

TEST(GateHtml, IsByteIdenticalTheSecondTime) {
  EXPECT_EQ(page_of(measured_gate()), page_of(measured_gate()));
}

TEST(GateHtml, IsSoundHoweverTheGateEnded) {
  for (const GateVerdict verdict : {GateVerdict::pass,
                                    GateVerdict::regressed,
                                    GateVerdict::improved,
                                    GateVerdict::inconclusive}) {
    expect_sound_page(page_of(sample_gate(verdict)));
  }
  GateResult crashed = sample_gate(GateVerdict::regressed);
  crashed.end = gate::End::candidate_failed;
  crashed.end_reason = crashed.why = "the candidate failed (p03-candidate), crashed: SIGSEGV";
  crashed.rows.clear();
  crashed.counted.clear();
  crashed.pairs.clear();
  crashed.look_records.clear();
  const std::string html = page_of(crashed);
  expect_sound_page(html);
  const std::string text = text_of_page(html);
  EXPECT_TRUE(contains(text, "REGRESSED: the candidate failed (p03-candidate), crashed: SIGSEGV"));
  EXPECT_TRUE(contains(text, "How much slowernot measured"));
  EXPECT_FALSE(contains(html, "<svg"));
}

TEST(GateHtml, IsSoundWhateverAResultHolds) {
  std::size_t pages = 0;
  for (const auto& [name, document] : difficult_documents()) {
    if (document.value("kind", "") == "gate" && document.contains("gate") &&
        document["gate"].is_object()) {
      SCOPED_TRACE(name);
      expect_sound_page(page_of(document.dump()));
      ++pages;
    }
  }
  EXPECT_GE(pages, 2U);
}

// The three facts before any table or drawing; what weakens them right behind.
TEST(GateHtml, BeginsWithHowMuchHowSureAndWhatTheBudgetSays) {
  GateResult result = measured_gate();
  result.run.warnings = {"another program ran"};
  const std::string html = page_of(result);
  const std::string begin = html.substr(0, html.find("<section "));
  std::size_t at = 0;
  for (const char* const part : {"REGRESSED: throughput -16.7 %",
                                 "How much slower",
                                 "-16.7 %",
                                 "How sure",
                                 "[-17.7, -15.7] %",
                                 "99.0 % confidence",
                                 "What the budget says",
                                 "REGRESSED, budget 3.0 %",
                                 "Before you trust the numbers",
                                 "another program ran"}) {
    const std::size_t found = begin.find(part, at);
    ASSERT_NE(found, std::string::npos) << part;
    at = found;
  }
  EXPECT_EQ(begin.find("<table"), std::string::npos);
  EXPECT_LE(begin.size(), 60'000U);
}

TEST(GateHtml, HasEverySection) {
  const std::string html = page_of(measured_gate());
  for (const char* const heading : {"Verdict of each metric",
                                    "Pairs in the order run",
                                    "What one step does",
                                    "Looks",
                                    "What was compared",
                                    "Machine and environment",
                                    "How it was measured",
                                    "Run it again"}) {
    EXPECT_TRUE(contains(html, std::string("<h2>") + heading + "</h2>")) << heading;
  }
}

TEST(GateHtml, DrawsThePairsOfEveryMetricAndListsThem) {
  const std::string html = page_of(measured_gate());
  EXPECT_TRUE(contains(html, "id=\"pairs-1-title\""));
  EXPECT_TRUE(contains(html, "id=\"pairs-2-title\""));
  const std::string text = text_of_page(html);
  EXPECT_TRUE(contains(text, "Difference of each pair: throughput"));
  EXPECT_TRUE(contains(text, "pair 2, candidate first: "));
  EXPECT_TRUE(contains(text, "budget at -2.9 %")) << "of a rate, less is worse";
  EXPECT_TRUE(contains(text, "budget at +3.0 %")) << "of memory, more is worse";
  EXPECT_TRUE(contains(text, "The pairs in numbers: peak_memory_bytes"));
}

TEST(GateHtml, ListsLostPairsWithTheirReason) {
  const std::string text = text_of_page(page_of(measured_gate()));
  EXPECT_TRUE(contains(text, "Pairs that do not count"));
  EXPECT_TRUE(contains(text, "candidate: other processes used 0.81 CPUs"));
  EXPECT_FALSE(
      contains(text_of_page(page_of(sample_gate(GateVerdict::pass))), "Pairs that do not count"));
}

TEST(GateHtml, SaysWhatCanBeDetectedWhereItWasCalibrated) {
  const char* const source = "by equal processes of this machine";
  EXPECT_TRUE(contains(text_of_page(page_of(measured_gate())), source));
  const std::string text = text_of_page(page_of(sample_gate(GateVerdict::pass)));
  EXPECT_FALSE(contains(text, source));
  EXPECT_TRUE(contains(text, "not calibrated"));
}

TEST(GateHtml, ShowsBothSides) {
  const std::string text = text_of_page(page_of(measured_gate()));
  for (const char* const part : {"0123456789abcdef0123456789abcdef01234567",
                                 "ba9876543210abcdef0123456789abcdef012345",
                                 "perf/build/libmodel.so",
                                 "ab12cd34ab12cd34",
                                 "99ee00ff99ee00ff",
                                 "Settings in which the sides differ"}) {
    EXPECT_TRUE(contains(text, part)) << part;
  }
}

TEST(GateHtml, ShowsTheAnchor) {
  const std::string html = page_of(anchored_gate());
  expect_sound_page(html);
  const std::string text = text_of_page(html);
  for (const char* const part : {"REGRESSED against the anchor, v1.0 at 00112233aabb",
                                 "Against the anchor",
                                 "Anchor: v1.0 at 00112233aabb.",
                                 "epoch_time",
                                 "Next: the anchor stays: throughput may be worse by 9.0 %",
                                 "the anchor was built anew",
                                 "anchor/report.html"}) {
    EXPECT_TRUE(contains(text, part)) << part;
  }
  EXPECT_FALSE(contains(text_of_page(page_of(measured_gate())), "Against the anchor"));
  GateResult skipped = measured_gate();
  gate::add_anchor(skipped, gate::skipped_anchor("v1.0", "the gate itself judged nothing"));
  EXPECT_TRUE(contains(text_of_page(page_of(skipped)),
                       "It was not compared: the gate itself judged nothing."));
}

TEST(GateHtml, OfWhatWasJudgedAgainAsksForNoSeed) {
  GateResult result = measured_gate();
  result.run.command = {"tune", "gate", "--run", "tune-runs/a"};
  result.run.scenario.has_seed = false;
  EXPECT_TRUE(contains(text_of_page(page_of(result)), "tune gate --run tune-runs/a --seed"));
  result.after_the_fact = {.directory = "/runs/a", .started_utc = "2026-11-21T12:00:00Z"};
  const std::string html = page_of(result);
  expect_sound_page(html);
  EXPECT_FALSE(contains(text_of_page(html), "tune gate --run tune-runs/a --seed"));
  EXPECT_TRUE(contains(text_of_page(html), "judged after the fact"));
}

TEST(GateHtml, SaysHowToRunItAgain) {
  const GateResult result = measured_gate();
  const std::string text = text_of_page(page_of(result));
  EXPECT_TRUE(contains(text, result.run.scenario.text));
  EXPECT_TRUE(contains(text, result.run.scenario.sha256));
  EXPECT_TRUE(contains(text, "tune report " + result.run.directory.string()));
  EXPECT_TRUE(contains(text, "./tune run scenarios/resnet18.yaml"));
}

TEST(GateHtml, KeepsHostileTextAsText) {
  const std::string evil = "</title><script>alert('1')</script> & \"q\" {{body}} \x1b[31m \xff";
  GateResult result = measured_gate();
  result.run.scenario.name = result.run.scenario.description = result.run.scenario.text = evil;
  result.run.scenario.file = result.run.directory = evil;
  result.run.command = {"tune", evil};
  result.run.machine.cpu_model = evil;
  result.run.warnings = {evil};
  result.baseline.words = result.candidate.words = result.baseline.commit = evil;
  result.candidate.files.emplace_back(evil, evil);
  result.candidate.spec.knobs[evil] = evil;
  result.rows.front().metric = result.rows.front().why = evil;
  result.counted.front().metric = result.counted.front().why = evil;
  result.lost_pairs.front().candidate.taints = {evil};
  result.pairs.front().baseline.values[evil] = 1;
  result.pairs.front().candidate.values[evil] = 2;
  result.look_records.front().rows = result.rows;
  result.calibration = result.why = result.end_reason = evil;
  gate::Anchor anchor;
  anchor.words = anchor.end_reason = anchor.why = evil;
  anchor.rows = result.rows;
  anchor.warnings = {evil};
  result.anchor = anchor;
  const std::string html = page_of(result);
  EXPECT_FALSE(contains(html, "<script>alert"));
  EXPECT_TRUE(contains(html, "&lt;script&gt;alert(&#39;1&#39;)"));
  EXPECT_TRUE(contains(html, "{{body}}")) << "placeholders in values are not filled";
  expect_sound_page(html);
}

TEST(GateHtml, StaysSmallWhateverIsMany) {
  GateResult result = measured_gate();
  const gate::Pair pair = result.pairs.front();
  result.pairs.assign(3'000, pair);
  result.lost_pairs.assign(3'000, pair);
  for (int i = 0; i < 3'000; ++i) {
    const std::string name = "metric_" + std::to_string(i);
    result.rows.push_back(gate_row(name, 1.1, GateVerdict::pass));
    result.candidate.files.emplace_back(name, name);
    result.candidate.spec.knobs[name] = std::int64_t{i};
  }
  result.anchor = gate::Anchor{};
  result.anchor->rows = result.rows;
  result.look_records.assign(100, result.look_records.front());
  const std::string html = page_of(result);
  expect_sound_page(html);
  EXPECT_LE(html.size(), 2'000'000U);
  EXPECT_TRUE(contains(html, "2,502 more rows are in result.json."));
}

TEST(GateHtml, IsSoundWithNumbersThatAreNone) {
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e308}) {
    GateResult result = measured_gate();
    gate::Row& row = result.rows.front();
    row.delta = {.value = value, .lower = value, .upper = value, .confidence = value};
    row.baseline.value = row.candidate.value = value;
    row.evidence.lower = row.evidence.upper = row.evidence.estimate = value;
    row.mde = value;
    result.look_records.front().rows = result.rows;
    for (gate::Pair& pair : result.pairs) {
      pair.candidate.values["throughput"] = value;
    }
    result.environment->estimate = result.position->log_ratio = result.taint_p = value;
    expect_sound_page(page_of(result));
  }
}

TEST(GateHtml, OfAnOlderResultSaysWhatItDidNotKeep) {
  const auto file = std::filesystem::path(STORED_RESULTS) / "gate-1.json";
  const std::string html = page_of(read_file(file));
  expect_sound_page(html);
  const std::string text = text_of_page(html);
  EXPECT_TRUE(contains(text, "REGRESSED: epoch_time: worse by more than the budget"));
  EXPECT_TRUE(contains(text, "What single pairs said was not kept"));
}

TEST(GateHtml, RefusesWhatIsNoGate) {
  for (const char* const json : {R"({"schema": "tune-result/1", "kind": "gate"})",
                                 R"({"schema": "tune-result/1", "kind": "run", "gate": {}})",
                                 "{}",
                                 "no JSON"}) {
    EXPECT_THROW(read_gate_record(json, "result.json"), Error) << json;
  }
}

TEST(GateFiles, ThePagesAreWrittenAndAreWhatItsResultGivesAgain) {
  std::string folder = (std::filesystem::path(testing::TempDir()) / "gate-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  GateResult result = measured_gate();
  result.run.directory = folder;
  const auto files = write_gate_reports(result);
  EXPECT_EQ(files.size(), 4U);
  const auto directory = std::filesystem::path(folder);
  const std::string json = read_file(directory / "result.json");
  EXPECT_EQ(read_file(directory / "report.html"), page_of(json));
  EXPECT_EQ(read_file(directory / "report.md"),
            to_gate_markdown(read_gate_record(json, "result.json")));
  std::filesystem::remove_all(directory);
}

TEST(FailedBuildHtml, HasTheVerdictAndWhatTheBuildPrinted) {
  FailedBuild build;
  build.scenario = {.name = "training <b>", .file = "perf/training.yaml", .text = "tune: 1\n"};
  build.side = "candidate";
  build.verdict = "the candidate, HEAD at 0123456789ab: cannot be built (make: exit code 2)";
  build.output = "<script>compiling</script>\nmodel.cpp:7: error\n";
  build.version = "0.1.0";
  build.command = {"tune", "gate", "perf/training.yaml"};
  const std::string html = to_html(build);
  expect_sound_page(html);
  const std::string text = text_of_page(html);
  EXPECT_TRUE(contains(text, "REGRESSED: the candidate, HEAD at 0123456789ab: cannot be built"));
  EXPECT_TRUE(contains(text, "model.cpp:7: error"));
  EXPECT_TRUE(contains(text, "tune gate perf/training.yaml"));
  EXPECT_FALSE(contains(text, "--seed"));
  build.output = std::string(1'000'000, 'x') + "the reason";
  EXPECT_LE(to_html(build).size(), 400'000U);
  EXPECT_TRUE(contains(to_html(build), "the reason"));
}

}  // namespace
}  // namespace tune::report
