#include "campaign/read_telemetry.h"

#include "campaign/load_campaign.h"
#include "fake_campaign.h"
#include "telemetry/telemetry_json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

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

}  // namespace
}  // namespace tune::campaign
