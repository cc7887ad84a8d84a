#include "live_section.h"
#include "report/result_json.h"
#include "report/run_pages.h"
#include "sample_result.h"
#include "schema_complaint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace tune::report {
namespace {

using Json = nlohmann::json;

telemetry::SeriesSummary series(const char* id, const char* unit, double value) {
  telemetry::SeriesSummary summary;
  summary.info.id = id;
  summary.info.unit = unit;
  summary.mean = summary.median = summary.min = summary.max = value;
  summary.n = 2;
  summary.curve = {value, std::nan("")};
  return summary;
}

telemetry::TrialTelemetry trial(double factor) {
  telemetry::TrialTelemetry seen;
  seen.start_ns = 5'000'000'000;
  seen.window = telemetry::Span{6'000'000'000, 8'000'000'000};
  seen.samples = 3;
  seen.cpus = 2;
  seen.cpu_ratio = 0.0012;
  seen.times_s = {1.5, 3};
  seen.series = {series("cpu_busy_ratio", "ratio", 0.5 * factor),
                 series("disk_read_rate", "B/s", 3.0 * (1 << 20) * factor),
                 series("context_switch_rate", "1/s", 1200 * factor)};
  telemetry::SeriesSummary missing;
  missing.info.id = "gpu_util_ratio";
  missing.info.unit = "ratio";
  missing.reason = "libnvidia-ml.so.1: cannot open <it>";
  seen.series.push_back(missing);
  return seen;
}

campaign::CampaignResult with_telemetry() {
  campaign::CampaignResult result = sample_result();
  result.telemetry = {telemetry::combine({{"r1-baseline", trial(1)}, {"r2-baseline", trial(1.2)}}),
                      telemetry::combine({{"r1-c16", trial(1.5)}})};
  result.telemetry[0].cell = "baseline";
  result.telemetry[1].cell = "c16";
  result.telemetry[0].stage = result.telemetry[1].stage = "search";
  result.telemetry[1].reason = "r2-c16/telemetry.json: cannot be read";
  return result;
}

TEST(MachineText, HasARowForWhatSomeSettingShows) {
  const auto rows = blocks_of<Table>(live(run_machine_section, with_telemetry())).at(0).rows;
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"CPUs busy", "55.0 %", "75.0 %"}));
  EXPECT_EQ(rows[1][0], "context switches");
  EXPECT_EQ(rows[1][2], "1800/s");
  EXPECT_EQ(rows[2][1], "3 MiB/s");
  EXPECT_TRUE(live(run_machine_section, sample_result()).blocks.empty());
}

TEST(MachineText, SaysWhatCouldNotBeSeenAndWhatItCost) {
  std::string all;
  for (const List& list : blocks_of<List>(live(run_machine_section, with_telemetry()))) {
    for (const std::string& note : list.items) {
      all += note + "\n";
    }
  }
  EXPECT_NE(all.find("batch_size=64 num_workers=2: telemetry is missing: r2-c16/telemetry.json"),
            std::string::npos);
  EXPECT_NE(all.find("gpu_util_ratio (libnvidia-ml.so.1: cannot open <it>)"), std::string::npos);
  EXPECT_NE(all.find("0.1 % of one CPU"), std::string::npos);
}

TEST(MachineText, IsAPartOfThePage) {
  const std::string page = to_markdown(with_telemetry());
  EXPECT_NE(page.find("<summary>Machine during the run</summary>"), std::string::npos);
  EXPECT_NE(page.find("| CPUs busy | 55.0 % | 75.0 % |"), std::string::npos);
  EXPECT_EQ(page.find("<it>"), std::string::npos) << "escaped";
  EXPECT_EQ(to_markdown(sample_result()).find("Machine during"), std::string::npos);
}

TEST(MachineText, StandsInTheResultWithItsCurves) {
  const Json json = Json::parse(to_result_json(with_telemetry()));
  EXPECT_EQ(complaint(json), "");
  ASSERT_EQ(json["telemetry"].size(), 2U);
  const Json& baseline = json["telemetry"][0];
  EXPECT_EQ(baseline["trials"], 2);
  EXPECT_EQ(baseline["curves_of"], "r2-baseline");
  EXPECT_EQ(baseline["window"]["begin"], 1.0);
  EXPECT_EQ(baseline["times"], Json::parse("[1.5, 3.0]"));
  EXPECT_EQ(baseline["series"][0]["curve"], Json::parse("[0.6, null]"));
  EXPECT_EQ(baseline["series"][3]["reason"], "libnvidia-ml.so.1: cannot open <it>");
  const Json none = Json::parse(to_result_json(sample_result()));
  EXPECT_TRUE(none["telemetry"].is_null());
  EXPECT_EQ(none["telemetry_reason"], "no trial recorded the machine");
}

TEST(MachineText, GivesMetricsWithTheirReasons) {
  const Json json = Json::parse(to_result_json(with_telemetry()));
  std::map<std::string, Json> found;
  for (const Json& metric : json["metrics"]) {
    if (metric["cell"] == "baseline") {
      found[metric["id"]] = metric;
    }
  }
  EXPECT_DOUBLE_EQ(double(found["cpu_busy_ratio"]["value"]), 0.55);
  EXPECT_EQ(found["cpu_busy_ratio"]["n"], 2);
  EXPECT_EQ(found["cpu_busy_ratio"]["window"], "search");
  EXPECT_TRUE(found["gpu_util_ratio"]["value"].is_null());
  EXPECT_EQ(found["gpu_util_ratio"]["reason"], "libnvidia-ml.so.1: cannot open <it>");
}

}  // namespace
}  // namespace tune::report
