// The use of the GPU's peak by every setting, from the shapes that one of them recorded.

#include "report/result_of.h"
#include "sample_result.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace tune::report {
namespace {

constexpr const char* kGpu = "NVIDIA A100-SXM4-80GB";  // 156 TFLOP/s of TF32, 312 of halves

campaign::CampaignResult on_a_gpu(const std::string& gpu) {
  campaign::CampaignResult run = sample_result();
  for (campaign::TrialRecord& trial : run.trials) {
    trial.spec.workload.model = "resnet18";
    if (trial.outcome.reply) {
      trial.outcome.reply->facts.gpu = trial::GpuFacts{.name = gpu};
    }
  }
  return run;
}

// 3 GFLOP a step of the first trial that completed.
void record_shapes(campaign::CampaignResult& run) {
  metric::Metric flops;
  flops.id = "step_flops";
  flops.value = 3e9;
  for (const campaign::TrialRecord& trial : run.trials) {
    if (trial.outcome.reply) {
      campaign::ProfiledCell profile{.cell = trial.spec.cell, .trial = trial.spec.id};
      profile.trace = campaign::TraceNumbers{.metrics = {flops}};
      run.profiles = {std::move(profile)};
      return;
    }
  }
}

int with_mfu(const campaign::CampaignResult& run) {
  int found = 0;
  for (const result::Metric& metric : result_of(run).metrics) {
    if (metric.id == "mfu" && metric.window != "profile") {
      EXPECT_EQ(metric.number.unit, "ratio");
      EXPECT_GT(metric.number.value.value_or(0), 0) << metric.cell;
      EXPECT_LT(metric.number.value.value_or(1), 1) << metric.cell;
      ++found;
    }
  }
  return found;
}

TEST(MfuOfCells, IsOfEveryMeasuredSettingOnceOneHasShapes) {
  campaign::CampaignResult run = on_a_gpu(kGpu);
  run.profiles.clear();
  EXPECT_EQ(with_mfu(run), 0) << "nothing was recorded";
  record_shapes(run);
  EXPECT_GE(with_mfu(run), 2);
  run = on_a_gpu("NVIDIA A2");
  record_shapes(run);
  EXPECT_EQ(with_mfu(run), 0) << "no peak is known";
}

}  // namespace
}  // namespace tune::report
