#include "advice/gain_model.h"

#include "advice/loader_model.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune::advice {
namespace {

TEST(AmdahlGain, IsWhatGoesOfTheStep) {
  EXPECT_NEAR(*amdahl_gain(0.04, 0.5), 0.0204, 1e-4);
  EXPECT_NEAR(*amdahl_gain(0.04, 1), 0.0417, 1e-4);
  EXPECT_DOUBLE_EQ(*amdahl_gain(0.5, 1), 1);
  EXPECT_DOUBLE_EQ(*amdahl_gain(0, 1), 0);
}

TEST(AmdahlGain, ClampsSharesAndRefusesTheWholeStep) {
  EXPECT_DOUBLE_EQ(*amdahl_gain(-0.2, 1), 0);
  EXPECT_DOUBLE_EQ(*amdahl_gain(0.5, 7), 1);
  EXPECT_FALSE(amdahl_gain(1, 1).has_value());
  EXPECT_FALSE(amdahl_gain(3, 1).has_value());
  EXPECT_FALSE(amdahl_gain(std::nan(""), 1).has_value());
}

TEST(DifferentialRates, SplitTheStall) {
  const DifferentialRates rates{.synthetic = 1000, .cached = 800, .cold = 200};
  EXPECT_DOUBLE_EQ(rates.now(), 200);
  EXPECT_DOUBLE_EQ(rates.prep_stall_ratio(), 0.2);
  EXPECT_DOUBLE_EQ(rates.fetch_stall_ratio(), 0.75);
  EXPECT_DOUBLE_EQ((DifferentialRates{.synthetic = 1, .cached = 2, .cold = 3}.fetch_stall_ratio()),
                   0);
}

// Derived by hand: a model at 2000 images/s beside which an image costs 0.85 ms.
TEST(LoaderModel, GainsWithWorkersBesideAGpu) {
  const LoaderModel model{.sample_cpu_s = 0.85e-3, .model_rate = 2000, .usable_cores = 2};
  EXPECT_NEAR(model.rate(0), 1 / (0.5e-3 + 0.85e-3), 1e-9);
  EXPECT_NEAR(model.rate(1) / model.rate(0) - 1, 0.59, 0.005);
  EXPECT_NEAR(model.rate(2) / model.rate(0) - 1, 1.70, 0.005);
  EXPECT_EQ(model.needed_workers(), 2);
}

// The same images where the model takes 3.85 ms of the same two cores.
TEST(LoaderModel, GainsLittleWhereTheModelWantsTheCores) {
  const LoaderModel model{
      .sample_cpu_s = 0.85e-3, .model_rate = 1 / 3.85e-3, .usable_cores = 2, .trains_on_cpu = true};
  EXPECT_NEAR(model.rate(2) / model.rate(0) - 1, 0.10, 0.002);
}

TEST(LoaderModel, NeedsNoMoreWorkersThanFeedTheModel) {
  const LoaderModel fast{.sample_cpu_s = 1e-4, .model_rate = 1000, .usable_cores = 16};
  EXPECT_EQ(fast.needed_workers(), 1);
  const LoaderModel slow{.sample_cpu_s = 1e-2, .model_rate = 1000, .usable_cores = 16};
  EXPECT_EQ(slow.needed_workers(), 12);  // 1.15 x 1000 x 0.01 = 11.5
  const LoaderModel few{.sample_cpu_s = 1e-2, .model_rate = 1000, .usable_cores = 4};
  EXPECT_EQ(few.needed_workers(), 4);
  const LoaderModel reading{
      .sample_cpu_s = 1e-3, .sample_wait_s = 1e-3, .model_rate = 400, .usable_cores = 4};
  EXPECT_EQ(reading.needed_workers(), 1);  // 500 a second
}

}  // namespace
}  // namespace tune::advice
