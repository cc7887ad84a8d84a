#include "machine/telemetry/recorder.h"

#include "base/clock.h"
#include "base/file.h"
#include "machine/telemetry/telemetry_json.h"
#include "made_trail.h"

#include <gtest/gtest.h>

#include <set>
#include <unistd.h>

namespace tune::telemetry {
namespace {

RecorderOptions options() {
  RecorderOptions options;
  options.nvml_library = FAKE_NVML;
  options.sampler.period_ns = 3'600'000'000'000;
  return options;
}

TEST(Recorder, RecordsProcessHostAndTheGpusThatTheWorkerSees) {
  RecorderOptions with_second = options();
  with_second.visible_devices = "1,0";
  Recorder recorder(with_second);
  const std::int64_t start_ns = monotonic_ns();
  const auto recording = recorder.begin(getpid());
  recording->mark_edge();
  const TrialTelemetry telemetry = recording->end({start_ns, monotonic_ns()}, std::nullopt);
  EXPECT_GE(telemetry.samples, 2);
  EXPECT_GE(telemetry.cpus, 1);
  EXPECT_NE(telemetry.find("worker_cores"), nullptr);
  EXPECT_NE(telemetry.find("free_memory_bytes"), nullptr);
  const SeriesSummary* const gpu = telemetry.find("gpu_util_ratio");
  ASSERT_NE(gpu, nullptr);
  EXPECT_EQ(gpu->info.label, "GPU-22222222-0000-0000-0000-000000000000") << "CUDA's first";
}

// A worker computes on one; a script decides itself.
TEST(Recorder, RecordsTheGpusOfTheTrainerOnly) {
  for (const bool all : {false, true}) {
    RecorderOptions both = options();
    both.of_all_gpus = all;
    Recorder recorder(both);
    const std::int64_t start_ns = monotonic_ns();
    const auto recording = recorder.begin(getpid());
    const TrialTelemetry telemetry = recording->end({start_ns, monotonic_ns()}, std::nullopt);
    std::set<std::string> gpus;
    for (const SeriesSummary& series : telemetry.series) {
      if (series.info.id == "gpu_util_ratio") {
        gpus.insert(series.info.label);
      }
    }
    EXPECT_EQ(gpus.size(), all ? 2U : 1U);
  }
}

TEST(Recorder, OneAfterTheOther) {
  Recorder recorder(options());
  for (int i = 0; i < 3; ++i) {
    const std::int64_t start_ns = monotonic_ns();
    const auto recording = recorder.begin(getpid());
    const TrialTelemetry telemetry =
        recording->end({start_ns, monotonic_ns()}, Span{start_ns, start_ns + at(3600)});
    ASSERT_NE(telemetry.find("resident_bytes"), nullptr);
    EXPECT_GT(telemetry.find("resident_bytes")->mean.value_or(0), 0);
  }
}

TEST(Recorder, WithoutGpuEachOfTheirSeriesSaysWhy) {
  RecorderOptions none = options();
  none.nvml_library = "libno-such-nvml.so.1";
  RecorderOptions hidden = options();
  hidden.visible_devices = "";
  std::set<std::string> reasons;
  for (const RecorderOptions& each : {none, hidden}) {
    Recorder recorder(each);
    const auto recording = recorder.begin(getpid());
    const TrialTelemetry telemetry = recording->end({0, monotonic_ns()}, std::nullopt);
    reasons.insert(telemetry.find("gpu_power")->reason.substr(0, 20));
  }
  EXPECT_EQ(reasons, (std::set<std::string>{"libno-such-nvml.so.1", "CUDA_VISIBLE_DEVICES"}));
}

TEST(Recorder, APartOfAGpuIsNotAHiddenOne) {
  RecorderOptions part = options();
  part.visible_devices = "MIG-8a6b1c2d-0000-0000-0000-000000000000";
  Recorder recorder(part);
  const TrialTelemetry telemetry = recorder.begin(getpid())->end({0, monotonic_ns()}, std::nullopt);
  EXPECT_NE(telemetry.find("gpu_power")->reason.find("a part of a GPU (MIG)"), std::string::npos)
      << telemetry.find("gpu_power")->reason;
}

TEST(Recorder, KeepsWhatCanBeReadAgainAndLeavesOutWhatCannotBeWritten) {
  const auto folder =
      std::filesystem::path(testing::TempDir()) / ("tune-recorder-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  TrialTelemetry telemetry;
  telemetry.samples = 5;
  keep(telemetry, folder);
  EXPECT_EQ(parse_trial_telemetry(read_file(folder / kTelemetryFile), "x").samples, 5);
  keep(telemetry, folder / "missing");
  EXPECT_FALSE(std::filesystem::exists(folder / "missing"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tune::telemetry
