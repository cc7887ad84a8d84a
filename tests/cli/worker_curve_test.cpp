#include "cli/worker_curve.h"

#include "trial/trial_reply.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace tune::cli {
namespace {

namespace fs = std::filesystem;

class WorkerCurveTest : public testing::Test {
 protected:
  void TearDown() override { fs::remove(file_); }

  std::optional<WorkerCosts> read(const std::string& curve) const {
    std::ofstream(file_) << "{\"worker_curve\": " << curve << "}";
    return read_worker_costs(file_, reply_, 2);
  }

  // 100 steps, of which each computes for 0.3 ms and waits for 0.5 ms.
  WorkerCurveTest() {
    trial::Slice slice;
    slice.steps = 100;
    slice.samples = 6400;
    slice.wall_ns = 80'000'000;
    slice.phases.data_wait_ns = 50'000'000;
    slice.disturbance.own_cpu_ns = 80'000'000;
    reply_.slices.push_back(slice);
  }

  trial::TrialReply reply_;
  const fs::path file_ =
      fs::path(testing::TempDir()) / ("tune-worker-curve-" + std::to_string(getpid()) + ".json");
};

// As a worker of small samples in memory was measured: sending a batch costs more than making it.
constexpr const char* kSmall =
    R"({"num_workers": 0, "samples": 64, "sample_s": [5e-6, 6e-6, 7e-6], "fetch_s": [4e-4, 5e-4, 6e-4],
        "worker_s": [1.9e-3, 2e-3, 2.1e-3], "worker_cpu_s": 1.9e-3, "receive_s": [3e-4, 4e-4, 5e-4],
        "start_s": 0.02, "worker_bytes": 16777216})";

TEST_F(WorkerCurveTest, NoWorkerIsBestWhereSendingCostsMoreThanMaking) {
  const auto costs = read(kSmall);
  ASSERT_TRUE(costs);
  EXPECT_NEAR(predict_rate(*costs, 0).middle, 64 / 0.8e-3, 1);
  EXPECT_NEAR(predict_rate(*costs, 1).middle, 64 / 2e-3, 1);
  EXPECT_EQ(worth_trying(*costs, {0, 1, 2}), (std::vector<std::int64_t>{0}));
  const auto lines = curve_lines(*costs, {0, 1, 2});
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_TRUE(lines[0].starts_with("workers, predicted: 0 is best; a sample takes 6us, "))
      << lines[0];
  EXPECT_NE(lines[3].find("num_workers 2: "), std::string::npos);
  EXPECT_NE(lines[3].find(", 32 MiB more memory"), std::string::npos) << lines[3];
}

TEST_F(WorkerCurveTest, WorkersPayWhereSamplesAreExpensive) {
  reply_.slices[0].phases.data_wait_ns = 60'000'000;
  reply_.slices[0].wall_ns = 100'000'000;
  const auto costs = read(R"({"num_workers": 0, "samples": 32, "sample_s": [1e-5, 2e-5, 3e-5],
               "fetch_s": [6e-4, 6e-4, 6e-4], "worker_s": [6e-4, 6e-4, 6e-4],
               "worker_cpu_s": 6e-4, "receive_s": [5e-5, 5e-5, 5e-5], "start_s": 0.01})");
  ASSERT_TRUE(costs);
  EXPECT_GT(predict_rate(*costs, 2).middle, 1.4 * predict_rate(*costs, 0).middle);
  EXPECT_EQ(worth_trying(*costs, {0, 1, 2}), (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(curve_lines(*costs, {0, 2})[1].find("memory"), std::string::npos) << "not known";
}

TEST_F(WorkerCurveTest, WhatTheAgentCouldNotMeasureIsNothing) {
  EXPECT_FALSE(read("null"));
  EXPECT_FALSE(read(R"({"reason": "its dataset is a stream"})"));
  EXPECT_FALSE(read(R"({"samples": 1, "sample_s": [1, 2], "fetch_s": "x"})"));
  EXPECT_FALSE(read_worker_costs("/no/such/file", reply_, 2));
}

}  // namespace
}  // namespace tune::cli
