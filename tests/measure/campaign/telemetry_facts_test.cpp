#include "measure/campaign/telemetry_facts.h"

#include "fake_campaign.h"
#include "machine/telemetry/telemetry_json.h"
#include "measure/campaign/recorded_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::campaign {

namespace {

namespace fs = std::filesystem;

// A finished campaign whose trials recorded how long the disk was waited for.
class RecordedMachine : public testing::Test {
 protected:
  CampaignResult run(bool is_recorded) {
    FakeMachine machine;
    machine.rates = {{"c01", 130}};
    machine.before = [&](const trial::TrialSpec& spec) {
      if (is_recorded) {
        telemetry::SeriesSummary waits;
        waits.info.id = "io_wait_ratio";
        waits.info.unit = "ratio";
        waits.mean = spec.cell == "c01" ? 0.5 : 0.1;
        telemetry::TrialTelemetry seen;
        seen.series.push_back(waits);
        telemetry::keep(seen, spec.folder);
      }
    };
    campaign_.sit(machine);
    return load_campaign(folder_.path());
  }
  fs::path file_of(const std::string& id) const {
    return folder_.path() / "trials" / id / telemetry::kTelemetryFile;
  }
  static std::vector<double> values_of(const telemetry::CellTelemetry& cell) {
    const auto waits =
        std::find_if(cell.metrics.begin(), cell.metrics.end(), [](const auto& metric) {
          return metric.id == "io_wait_ratio";
        });
    return waits == cell.metrics.end() ? std::vector<double>() : waits->values;
  }

  TestFolder folder_;
  FakeCampaign campaign_{folder_.path(), scenario_text(1)};
};

TEST_F(RecordedMachine, IsTakenFromTheFreshTrialsOfBothSides) {
  const CampaignResult result = run(true);
  ASSERT_EQ(result.telemetry.size(), 2U);
  EXPECT_EQ(result.telemetry[0].cell, "baseline");
  EXPECT_EQ(result.telemetry[0].stage, "confirm");
  EXPECT_EQ(result.telemetry[0].trials, 6);
  EXPECT_EQ(result.telemetry[0].reason, "");
  EXPECT_EQ(values_of(result.telemetry[0]), std::vector<double>(6, 0.1));
  EXPECT_EQ(result.telemetry[1].cell, "c01");
  EXPECT_EQ(values_of(result.telemetry[1]), std::vector<double>(6, 0.5));
}

TEST_F(RecordedMachine, OfAnOlderRunIsEmpty) {
  EXPECT_TRUE(run(false).telemetry.empty());
}

TEST_F(RecordedMachine, ADamagedOrMissingFileIsNamedAndTheOthersCount) {
  (void)run(true);
  std::ofstream(file_of("confirm2-c01")) << "{";
  const CampaignResult damaged = load_campaign(folder_.path());
  ASSERT_EQ(damaged.telemetry.size(), 2U);
  EXPECT_EQ(damaged.telemetry[1].trials, 5);
  EXPECT_NE(damaged.telemetry[1].reason.find("confirm2-c01/telemetry.json"), std::string::npos);
  for (int round = 1; round <= 6; ++round) {
    fs::remove(file_of("confirm" + std::to_string(round) + "-c01"));
  }
  const CampaignResult missing = load_campaign(folder_.path());
  ASSERT_EQ(missing.telemetry.size(), 2U);
  EXPECT_EQ(missing.telemetry[1].trials, 0);
  EXPECT_NE(missing.telemetry[1].reason, "");
}

using expression::Number;
using expression::Unknown;
using expression::Value;
using telemetry::CellTelemetry;
using telemetry::TrialTelemetry;

telemetry::SeriesSummary series(const char* id, double mean, const char* unit = "ratio") {
  telemetry::SeriesSummary summary;
  summary.info.id = id;
  summary.info.unit = unit;
  summary.mean = summary.median = summary.min = summary.max = mean;
  summary.n = 1;
  return summary;
}

// What two trials of one cell were seen doing, from their series on.
CellTelemetry seen(const std::string& cell, std::vector<telemetry::SeriesSummary> all) {
  TrialTelemetry telemetry;
  telemetry.series = std::move(all);
  CellTelemetry combined = telemetry::combine({{"t1", telemetry}, {"t2", telemetry}});
  combined.cell = cell;
  combined.stage = "confirm";
  return combined;
}

std::optional<double> number(const rule::FactTable& facts, const std::string& name) {
  const auto result = facts.value(name);
  const auto* const value = std::get_if<Value>(&result);
  return value == nullptr ? std::nullopt : std::optional(std::get<Number>(value->data).value);
}

std::string reason(const rule::FactTable& facts, const std::string& name) {
  const auto result = facts.value(name);
  return std::holds_alternative<Unknown>(result) ? std::get<Unknown>(result).reason : "";
}

rule::FactTable facts_of(const std::vector<CellTelemetry>& cells) {
  rule::FactTable facts;
  add_telemetry_facts(cells, facts);
  return facts;
}

TEST(TelemetryFacts, NameWhatHeldTheClockOfTheGpuDown) {
  const rule::FactTable facts =
      facts_of({seen("baseline",
                     {series("gpu_power_cap_time_ratio", 0.4),
                      series("gpu_software_thermal_time_ratio", 0.02),
                      series("gpu_hardware_thermal_time_ratio", 0.001)})});
  EXPECT_EQ(number(facts, "power_cap_ratio"), 0.4);
  const Value expected = Value::of(Value::List{Value::of("sw_power_cap"), Value::of("sw_thermal")});
  EXPECT_EQ(facts.value("throttle_reasons"), expression::Result(expected));
  EXPECT_EQ(facts.find("throttle_reasons")->source, "telemetry of confirm");
  EXPECT_EQ(
      facts_of({seen("baseline", {series("gpu_power_capped_ratio", 0)})}).value("throttle_reasons"),
      expression::Result(Value::of(Value::List{})));
  EXPECT_EQ(reason(facts_of({seen("baseline", {})}), "throttle_reasons"), "not recorded");
}

TEST(TelemetryFacts, TellHowDifferentTheClocksOfAPairWere) {
  const auto at = [](const char* cell, double clock) {
    return seen(cell, {series("gpu_sm_clock", clock), series("gpu_max_sm_clock", 2e9)});
  };
  EXPECT_NEAR(
      *number(facts_of({at("baseline", 1.9e9), at("c01", 1.71e9)}), "pair_clock_drop_ratio"),
      0.1,
      1e-9);
  EXPECT_EQ(reason(facts_of({at("baseline", 1.9e9)}), "pair_clock_drop_ratio"),
            "nothing was compared in pairs");
  EXPECT_EQ(reason(facts_of({seen("baseline", {}), seen("c01", {})}), "pair_clock_drop_ratio"),
            "not recorded");
}

TEST(TelemetryFacts, TellWhatOthersDoToTheGpu) {
  const rule::FactTable facts = facts_of({seen("baseline",
                                               {series("foreign_gpu_process_count", 1, "count"),
                                                series("foreign_gpu_utilisation_ratio", 0.35)})});
  EXPECT_EQ(number(facts, "foreign_gpu_utilisation_ratio"), 0.35);
}

TEST(TelemetryFacts, CountWhatTheDiskHadToGiveAsMissesOfTheCache) {
  rule::FactTable facts;
  facts.set("epoch_time", {.result = Value::of(10.0, {.time = 1})});
  facts.set("dataset_bytes", {.result = Value::of(1e9, {.bytes = 1})});
  const std::vector<CellTelemetry> cells = {
      seen("baseline", {series("worker_read_rate", 25e6, "B/s")})};
  add_telemetry_facts(cells, facts);
  EXPECT_DOUBLE_EQ(number(facts, "cache_hit_ratio").value_or(-1), 0.75) << "25 of 100 MB/s";
  EXPECT_NE(reason(facts_of(cells), "cache_hit_ratio"), "") << "no files";
}

TEST(TelemetryFacts, AreOfTheBaseline) {
  const rule::FactTable facts = facts_of({seen("c01", {series("io_wait_ratio", 0.5)})});
  EXPECT_EQ(facts.find("io_wait_ratio"), nullptr);
}

}  // namespace

}  // namespace tune::campaign
