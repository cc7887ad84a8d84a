#include "format_check.h"
#include "openmetrics_check.h"
#include "report/format/formats.h"
#include "report/format/metric_family.h"
#include "stored_samples.h"

#include <gtest/gtest.h>

#include <optional>

namespace tune::report {
namespace {

using LabelMap = std::map<std::string, std::string>;

std::optional<double> value_of(const std::string& text,
                               const std::string& name,
                               const LabelMap& labels) {
  const OpenMetricsText read = read_openmetrics(text);
  EXPECT_EQ(read.problem, "");
  for (const OpenMetricsSample& sample : read.samples) {
    if (sample.name == name && sample.labels == labels) {
      return sample.value;
    }
  }
  return std::nullopt;
}

TEST(OpenMetricsFormat, NamesSayTheirUnit) {
  EXPECT_EQ(family_name("step_time", "s").first, "tune_step_seconds");
  EXPECT_EQ(family_name("throughput", "samples/s").first, "tune_throughput_samples_per_second");
  EXPECT_EQ(family_name("throughput", "samples/s", "lower").first,
            "tune_throughput_lower_samples_per_second");
  EXPECT_EQ(family_name("peak_memory_bytes", "B").first, "tune_peak_memory_bytes");
  EXPECT_EQ(family_name("data_wait_ratio", "ratio").first, "tune_data_wait_ratio");
  EXPECT_EQ(family_name("threads", "count").first, "tune_threads");
  EXPECT_EQ(family_name("threads", "count").second, "");
  EXPECT_EQ(family_name("a-b\xD7", "W").first, "tune_a_b__watts");
}

TEST(OpenMetricsFormat, HasEveryMetricWithItsBounds) {
  const auto document = run_document();
  const std::string text = to_openmetrics(stored(document), {});
  const auto& throughput = document["cells"][1]["throughput"];
  const LabelMap labels = {{"scenario", "resnet18"},
                           {"setting", "amp=bf16 batch_size=256 channels_last=true num_workers=2"},
                           {"window", "search"}};
  EXPECT_EQ(value_of(text, "tune_throughput_samples_per_second", labels),
            throughput["value"].get<double>());
  EXPECT_EQ(value_of(text, "tune_throughput_lower_samples_per_second", labels),
            throughput["lower"].get<double>());
  EXPECT_EQ(value_of(text, "tune_throughput_upper_samples_per_second", labels),
            throughput["upper"].get<double>());
  EXPECT_EQ(value_of(text, "tune_gain_ratio", labels),
            document["cells"][1]["gain"]["value"].get<double>());
  EXPECT_EQ(value_of(text, "tune_trials", {{"scenario", "resnet18"}, {"outcome", "completed"}}),
            78);
}

TEST(OpenMetricsFormat, AVerdictIsAStateSet) {
  const std::string text = to_openmetrics(stored(gate_document()), {});
  for (const auto& [state, value] : std::map<std::string, double>{
           {"PASS", 0}, {"REGRESSED", 1}, {"IMPROVED", 0}, {"INCONCLUSIVE", 0}}) {
    EXPECT_EQ(
        value_of(
            text, "tune_gate_verdict", {{"scenario", "resnet18"}, {"tune_gate_verdict", state}}),
        value);
  }
  EXPECT_EQ(
      value_of(
          text,
          "tune_gate_row_verdict",
          {{"scenario", "resnet18"}, {"metric", "epoch_time"}, {"tune_gate_row_verdict", "PASS"}}),
      1);
  EXPECT_EQ(value_of(text,
                     "tune_throughput_samples_per_second",
                     {{"scenario", "resnet18"}, {"setting", "baseline"}, {"window", "gate"}}),
            100);
}

TEST(OpenMetricsFormat, EscapesLabels) {
  auto document = run_document();
  document["scenario"]["name"] = "a\\b\"c{},= d";
  const OpenMetricsText read = read_openmetrics(to_openmetrics(stored(document), {}));
  ASSERT_EQ(read.problem, "");
  EXPECT_EQ(read.samples.front().labels.at("scenario"), "a\\b\"c{},= d");
}

TEST(OpenMetricsFormat, TheCheckerFindsMistakes) {
  const auto problem = [](const std::string& text) { return read_openmetrics(text).problem; };
  EXPECT_EQ(problem("# TYPE a gauge\na 1\n# EOF\n"), "");
  EXPECT_NE(problem("# TYPE a gauge\na 1\n"), "");
  EXPECT_NE(problem("# TYPE a gauge\na 1\na 2\n# EOF\n"), "");
  EXPECT_NE(problem("# TYPE a gauge\n# UNIT a bytes\na 1\n# EOF\n"), "");
  EXPECT_NE(problem("# TYPE a gauge\nb 1\n# EOF\n"), "");
  EXPECT_NE(problem("# TYPE a gauge\na{x=\"1} 1\n# EOF\n"), "");
  EXPECT_NE(problem("# TYPE a gauge\na nan\n# EOF\n"), "");
  EXPECT_NE(problem("# TYPE a gauge\na 1\n# TYPE b gauge\nb 1\n# TYPE a gauge\na 3\n# EOF\n"), "");
}

TEST(GitlabMetricsFormat, RoundsSoThatNoiseIsNoChange) {
  auto document = run_document();
  const std::string first = to_gitlab_metrics(stored(document), {});
  EXPECT_EQ(format_complaint("gitlab-metrics", first), "");
  EXPECT_NE(
      first.find("tune_throughput_samples_per_second{scenario=\"resnet18\",setting=\"baseline\"} "
                 "58.3\n"),
      std::string::npos)
      << first;
  for (auto& metric : document["metrics"]) {
    if (metric["id"] == "throughput" && metric["cell"] == "baseline") {
      metric["value"] = metric["value"].get<double>() * 1.0001;
    }
  }
  EXPECT_EQ(to_gitlab_metrics(stored(document), {}), first);
}

}  // namespace
}  // namespace tune::report
