// What services and scripts read that follow numbers from run to run.

#include "format_check.h"
#include "report/format/formats.h"
#include "stored_samples.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace tune::report {
namespace {

using nlohmann::json;

constexpr const char* kBest = "resnet18/amp=bf16 batch_size=256 channels_last=true num_workers=2";

// Name -> its entries, in their order.
std::map<std::string, std::vector<json>> benchmarks_of(const json& document) {
  std::map<std::string, std::vector<json>> found;
  const json written = json::parse(to_google_benchmark(stored(document), {}));
  for (const json& benchmark : written["benchmarks"]) {
    found[benchmark["name"].get<std::string>()].push_back(benchmark);
  }
  return found;
}

TEST(GoogleBenchmarkFormat, ARepetitionIsATrialAndAnIterationASample) {
  const json document = run_document();
  auto found = benchmarks_of(document);
  EXPECT_EQ(found.size(), 22U) << "24 cells, two of them failed";
  const std::vector<json>& baseline = found["resnet18/baseline"];
  ASSERT_EQ(baseline.size(), 6U) << "the fresh pairs, not the search";
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    const json& one = baseline[i];
    EXPECT_EQ(one["run_type"], "iteration");
    EXPECT_EQ(one["repetitions"], 6);
    EXPECT_EQ(one["repetition_index"], i);
    EXPECT_NEAR(one["real_time"].get<double>() * one["items_per_second"].get<double>(), 1e9, 1);
    EXPECT_GT(one["iterations"].get<int>(), 100);
  }
  EXPECT_EQ(found["resnet18/num_workers=2"].size(), 3U);
}

TEST(GoogleBenchmarkFormat, CpuTimeIsThatOfTheWorkerOrSaysThatItIsNot) {
  json document = run_document();
  EXPECT_EQ(benchmarks_of(document)["resnet18/baseline"][0]["cpu_time"],
            benchmarks_of(document)["resnet18/baseline"][0]["real_time"]);
  EXPECT_TRUE(benchmarks_of(document)["resnet18/baseline"][0].contains("label"));
  for (json& trial : document["provenance"]["trials"]) {
    if (trial["measured"].is_object()) {
      trial["measured"]["cpu_seconds"] = trial["measured"]["samples"].get<double>() * 0.02;
    }
  }
  const json one = benchmarks_of(document)["resnet18/baseline"][0];
  EXPECT_NEAR(one["cpu_time"].get<double>(), 0.02e9, 1);
  EXPECT_FALSE(one.contains("label"));
}

TEST(GoogleBenchmarkFormat, OfAGateHasBothSides) {
  auto found = benchmarks_of(gate_document());
  EXPECT_EQ(found.size(), 2U);
  EXPECT_EQ(found["resnet18/baseline"].size(), 2U);
  EXPECT_EQ(found["resnet18/candidate"].size(), 2U);
}

TEST(GoogleBenchmarkFormat, ContextSaysWhatWasNotMeasured) {
  const json context = json::parse(to_google_benchmark(stored(run_document()), {}))["context"];
  EXPECT_EQ(context["num_cpus"], 2);
  EXPECT_EQ(context["json_schema_version"], 1);
  const auto missing = context["not_measured"].get<std::string>();
  EXPECT_NE(missing.find("out-of-memory"), std::string::npos);
  EXPECT_NE(missing.find("crashed"), std::string::npos);
}

TEST(BencherFormat, HasMeasuresInBenchersUnits) {
  const json document = run_document();
  const json found = json::parse(to_bencher(stored(document), {}));
  EXPECT_EQ(format_complaint("bencher", found.dump()), "");
  ASSERT_TRUE(found.contains(kBest));
  const json& fresh = document["summary"]["best"]["throughput"];
  EXPECT_EQ(found[kBest]["throughput"]["value"], fresh["value"]) << "of the fresh pairs";
  EXPECT_EQ(found[kBest]["throughput"]["lower_value"], fresh["lower"]);
  EXPECT_EQ(found[kBest]["throughput"]["upper_value"], fresh["upper"]);
  EXPECT_NEAR(found["resnet18/baseline"]["latency"]["value"].get<double>(), 0.549e9, 1e6);
  EXPECT_NEAR(found["resnet18/baseline"]["epoch-time"]["value"].get<double>(), 34.2, 0.1);
  EXPECT_TRUE(found["resnet18/baseline"].contains("peak-memory-bytes"));
}

TEST(BencherFormat, OfAGateHasBothSides) {
  const json found = json::parse(to_bencher(stored(gate_document()), {}));
  EXPECT_EQ(found["resnet18/baseline"]["throughput"]["value"], 100);
  EXPECT_NEAR(found["resnet18/candidate"]["throughput"]["value"].get<double>(), 100 / 1.2, 1e-9);
  EXPECT_FALSE(found["resnet18/baseline"].contains("operators"));
}

TEST(BenchmarkActionFormat, RatesAreInOneFileTimesAndSizesInTheOther) {
  const result::Result result = stored(run_document());
  std::map<std::string, int> units;
  for (const json& entry : json::parse(to_bigger_is_better(result, {}))) {
    ++units[entry["unit"].get<std::string>()];
    EXPECT_TRUE(entry["name"].get<std::string>().ends_with(": throughput"));
    EXPECT_TRUE(entry["range"].get<std::string>().starts_with("["));
  }
  EXPECT_EQ(units, (std::map<std::string, int>{{"samples/s", 22}}));
  units.clear();
  for (const json& entry : json::parse(to_smaller_is_better(result, {}))) {
    ++units[entry["unit"].get<std::string>()];
  }
  EXPECT_EQ(units, (std::map<std::string, int>{{"s", 44}, {"ratio", 22}, {"B", 22}}));
}

}  // namespace
}  // namespace tune::report
