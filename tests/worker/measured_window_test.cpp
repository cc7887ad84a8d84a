#include "worker/measured_window.h"

#include <gtest/gtest.h>

namespace tune::worker {
namespace {

// Steps of 10 ms on its own clock; every 10th begins an epoch.
class FakeSteps {
 public:
  std::int64_t now_ns = 1'000;
  std::int64_t steps = 0;
  std::int64_t delay_ns = 0;
  std::function<std::int64_t(std::int64_t step)> stock = [](std::int64_t) { return 2; };

  WindowParts parts() {
    return {.restart_clock = [this] { return now_ns += 50'000; },  // bookkeeping between slices
            .step = [this] { return step(); },
            .samples_ahead = [this] { return stock(steps); },
            .disturbance =
                [this] {
                  trial::Disturbance seen;
                  seen.own_cpu_ns = now_ns - counted_ns_;
                  counted_ns_ = now_ns;
                  return seen;
                }};
  }

 private:
  StepRecord step() {
    StepRecord record;
    record.phases = {.data_wait_ns = 1'000'000, .forward_ns = 4'000'000, .backward_ns = 5'000'000};
    record.samples = 8;
    record.delay_ns = delay_ns;
    record.begins_epoch = steps % 10 == 0;
    now_ns += record.phases.total_ns();
    ++steps;
    return record;
  }

  std::int64_t counted_ns_ = 0;
};

trial::Measure measure(std::int64_t slices, std::int64_t slice_ns, std::int64_t slice_steps) {
  return {.slices = slices, .slice_ns = slice_ns, .slice_steps = slice_steps};
}

TEST(MeasuredWindow, ASliceLastsAsLongAndHasAsManyStepsAsAsked) {
  FakeSteps by_time;
  const auto long_slices = measure_window(measure(3, 95'000'000, 2), by_time.parts());
  ASSERT_EQ(long_slices.slices.size(), 3U);
  for (const trial::Slice& slice : long_slices.slices) {
    EXPECT_EQ(slice.steps, 10);
    EXPECT_EQ(slice.samples, 80);
    EXPECT_EQ(slice.epochs_begun, 1);
  }
  FakeSteps by_steps;
  const auto short_slices = measure_window(measure(2, 5'000'000, 4), by_steps.parts());
  EXPECT_EQ(short_slices.slices.at(0).steps, 4);
  EXPECT_EQ(short_slices.slices.at(1).steps, 4);
}

// Core probes of 200 us, except in the given slices.
class FakeCores {
 public:
  explicit FakeCores(FakeSteps& steps) : steps_(steps) {}
  std::function<std::int64_t(std::int64_t step)> probe_ns = [](std::int64_t) { return 200'000; };
  std::int64_t looks = 0, look_takes_ns = 250'000;

  WindowParts parts() {
    WindowParts parts = steps_.parts();
    parts.core_probe = [this] {
      ++looks;
      steps_.now_ns += look_takes_ns;
      return probe_ns(steps_.steps);
    };
    parts.now_ns = [this] { return steps_.now_ns; };
    return parts;
  }

 private:
  FakeSteps& steps_;
};

TEST(MeasuredWindow, CoresAreLookedAtBetweenStepsAndNoStepPaysForIt) {
  FakeSteps steps;
  FakeCores cores(steps);
  cores.probe_ns = [](std::int64_t step) { return step < 8 ? 200'000 : 220'000; };
  const auto window = measure_window(measure(1, 100'000'000, 2), cores.parts());
  ASSERT_EQ(window.slices.size(), 1U);
  EXPECT_EQ(cores.looks, 3) << "before the first step and every fifth";
  EXPECT_EQ(window.slices[0].wall_ns, 100'000'000);
  EXPECT_EQ(window.slices[0].disturbance.core_probe_ns, 206'666);
  EXPECT_EQ(window.slices[0].disturbance.fastest_core_probe_ns, 200'000);
}

TEST(MeasuredWindow, LookingAtTheCoresTakesOnePercentOfTheTimeAtMost) {
  FakeSteps steps;
  FakeCores cores(steps);
  cores.look_takes_ns = 4'000'000;
  measure_window(measure(1, 2'000'000'000, 2), cores.parts());
  EXPECT_EQ(cores.looks, 6) << "before the first step and every 400 ms";
}

TEST(MeasuredWindow, SpareSlicesStandInForThoseWhoseCoresWereShared) {
  FakeSteps steps;
  FakeCores cores(steps);
  cores.probe_ns = [](std::int64_t step) { return step > 10 && step < 20 ? 400'000 : 200'000; };
  trial::Measure asked = measure(3, 100'000'000, 2);
  EXPECT_EQ(measure_window(asked, cores.parts()).slices.size(), 3U) << "no spare ones are left";
  steps.steps = 0;
  asked.spare_slices = 3;
  EXPECT_EQ(measure_window(asked, cores.parts()).slices.size(), 4U);
  cores.probe_ns = [](std::int64_t) { return 400'000; };
  EXPECT_EQ(measure_window(asked, cores.parts()).slices.size(), 3U) << "as fast as it has been";
  asked.fastest_core_probe_ns = 200'000;
  EXPECT_EQ(measure_window(asked, cores.parts()).slices.size(), 6U) << "all of them";
}

TEST(MeasuredWindow, PartsSumToTheSliceAndSlicesDoNotOverlap) {
  FakeSteps fake;
  const auto window = measure_window(measure(4, 30'000'000, 2), fake.parts());
  std::int64_t end_ns = 0;
  std::int64_t steps = 0;
  for (const trial::Slice& slice : window.slices) {
    EXPECT_EQ(slice.phases.total_ns(), slice.wall_ns);
    EXPECT_EQ(slice.wall_ns, slice.steps * 10'000'000);
    EXPECT_GT(slice.start_ns, end_ns);
    end_ns = slice.start_ns + slice.wall_ns;
    steps += slice.steps;
  }
  EXPECT_EQ(end_ns, fake.now_ns);
  EXPECT_EQ(steps, fake.steps);
  EXPECT_EQ(window.steps.size(), static_cast<std::size_t>(steps));
}

TEST(MeasuredWindow, DisturbanceIsCountedFromTheWindowsBeginningAndAfreshForEachSlice) {
  FakeSteps fake;
  fake.now_ns = 70'000'000'000;  // a long set-up that must not count
  const auto window = measure_window(measure(2, 0, 5), fake.parts());
  for (const trial::Slice& slice : window.slices) {
    EXPECT_EQ(slice.disturbance.own_cpu_ns, slice.wall_ns + 50'000);
  }
}

TEST(MeasuredWindow, IsNotExtendedWhenTheStockAtItsEdgesAgrees) {
  FakeSteps fake;
  const auto window = measure_window(measure(2, 0, 5), fake.parts());
  EXPECT_EQ(fake.steps, 10);
  EXPECT_TRUE(window.stock_matched);
  EXPECT_EQ(window.slices.back().stock_after, window.slices.front().stock_before);
}

TEST(MeasuredWindow, TheLastSliceGoesOnUntilTheStockAgrees) {
  FakeSteps fake;
  fake.stock = [](std::int64_t step) { return step == 0 || step >= 13 ? 4 : 1; };
  const auto window = measure_window(measure(2, 0, 5), fake.parts());
  EXPECT_EQ(fake.steps, 13);
  EXPECT_EQ(window.slices.front().steps, 5);
  EXPECT_EQ(window.slices.back().steps, 8);
  EXPECT_EQ(window.slices.back().stock_after, 4);
  EXPECT_TRUE(window.stock_matched);
}

TEST(MeasuredWindow, OnePercentOfItsSamplesIsCloseEnough) {
  FakeSteps close;
  close.stock = [](std::int64_t step) { return step == 0 ? 40 : 32; };
  EXPECT_TRUE(measure_window(measure(1, 0, 100), close.parts()).stock_matched);
  EXPECT_EQ(close.steps, 100);
  FakeSteps apart;
  apart.stock = [](std::int64_t step) { return step == 0 ? 40 : 31; };
  EXPECT_TRUE(measure_window(measure(1, 0, 100), apart.parts()).stock_matched);
  EXPECT_EQ(apart.steps, 113) << "9 samples are 1 % of 113 steps";
}

// A device that is 3 ms behind at the end of a slice, and whose steps take 8 ms.
class FakeDevice {
 public:
  explicit FakeDevice(FakeSteps& steps) : steps_(steps) {}

  WindowParts parts() {
    WindowParts parts = steps_.parts();
    parts.wait_for_device = [this] {
      DeviceWait wait;
      wait.waited.other_ns = 3'000'000;
      steps_.now_ns += wait.waited.other_ns;
      for (; seen_ < steps_.steps; ++seen_) {
        wait.steps.push_back({1'000'000, 0, 3'000'000, 4'000'000, 0});
      }
      ++waits;
      return wait;
    };
    return parts;
  }

  std::int64_t waits = 0;

 private:
  FakeSteps& steps_;
  std::int64_t seen_ = 0;
};

TEST(MeasuredWindow, ADeviceIsWaitedForAtTheEndOfEachSliceWhichLastsUntilThen) {
  FakeSteps steps;
  FakeDevice device(steps);
  const auto window = measure_window(measure(3, 0, 5), device.parts());
  EXPECT_EQ(device.waits, 3);
  ASSERT_EQ(window.slices.size(), 3U);
  for (const trial::Slice& slice : window.slices) {
    EXPECT_EQ(slice.wall_ns, 5 * 10'000'000 + 3'000'000);
    EXPECT_EQ(slice.phases.total_ns(), slice.wall_ns);
    EXPECT_EQ(slice.phases.other_ns, 3'000'000);
    ASSERT_TRUE(slice.device);
    EXPECT_EQ(slice.device->total_ns(), 5 * 8'000'000);
    EXPECT_EQ(slice.device->idle_ns, 5'000'000);
  }
  EXPECT_EQ(window.device_steps.size(), 15U);
}

TEST(MeasuredWindow, StepsAfterTheLastSliceBelongToIt) {
  FakeSteps steps;
  steps.stock = [](std::int64_t step) { return step == 0 || step >= 13 ? 4 : 1; };
  FakeDevice device(steps);
  const auto window = measure_window(measure(2, 0, 5), device.parts());
  EXPECT_EQ(device.waits, 3) << "once for all that were added";
  EXPECT_EQ(window.slices.back().steps, 8);
  EXPECT_EQ(window.slices.back().device->total_ns(), 8 * 8'000'000);
  EXPECT_EQ(window.slices.back().phases.total_ns(), window.slices.back().wall_ns);
  EXPECT_EQ(window.device_steps.size(), 13U);
}

TEST(MeasuredWindow, OnTheCpuNothingIsSaidOfADevice) {
  FakeSteps steps;
  const auto window = measure_window(measure(1, 0, 2), steps.parts());
  EXPECT_FALSE(window.slices[0].device);
  EXPECT_TRUE(window.device_steps.empty());
}

TEST(MeasuredWindow, AtMostDoublesAndThenSaysThatTheStockDiffers) {
  FakeSteps fake;
  fake.stock = [](std::int64_t step) { return step == 0 ? 8 : 0; };
  const auto window = measure_window(measure(2, 0, 5), fake.parts());
  EXPECT_EQ(fake.steps, 20);
  EXPECT_FALSE(window.stock_matched);
  EXPECT_EQ(window.slices.back().phases.total_ns(), window.slices.back().wall_ns);
}

TEST(MeasuredWindow, AnEpochIsOneSliceOfExactlyItsStepsWhateverTheStock) {
  FakeSteps fake;
  fake.stock = [](std::int64_t step) { return step == 0 ? 8 : 0; };
  const auto window = measure_epoch(10, fake.parts());
  ASSERT_EQ(window.slices.size(), 1U);
  EXPECT_EQ(window.slices[0].steps, 10);
  EXPECT_EQ(window.slices[0].samples, 80);
  EXPECT_EQ(window.slices[0].epochs_begun, 1);
  EXPECT_EQ(window.slices[0].wall_ns, 100'000'000);
  EXPECT_EQ(window.slices[0].disturbance.own_cpu_ns, 100'050'000);
  EXPECT_FALSE(window.stock_matched);
}

TEST(MeasuredWindow, TakesWhatWasMeasuredAfterIt) {
  FakeSteps fake;
  fake.delay_ns = 1'000'000;
  auto window = measure_epoch(10, fake.parts());
  window.append(measure_window(measure(2, 0, 5), fake.parts()));
  ASSERT_EQ(window.slices.size(), 3U);
  EXPECT_EQ(window.slices[0].steps, 10);
  EXPECT_EQ(window.slices[2].steps, 5);
  EXPECT_EQ(window.steps.size(), 20U);
  EXPECT_EQ(window.delay_ns, 20'000'000);
}

TEST(MeasuredWindow, AddsUpTheInjectedDelay) {
  FakeSteps fake;
  fake.delay_ns = 1'000'000;
  EXPECT_EQ(measure_window(measure(2, 0, 5), fake.parts()).delay_ns, 10'000'000);
}

TEST(MeasuredWindow, KeepsTheFirstStepsOfVeryMany) {
  FakeSteps fake;
  const auto window = measure_window(measure(1, 0, 100'010), fake.parts());
  EXPECT_EQ(window.slices.front().steps, 100'010);
  EXPECT_EQ(window.steps.size(), kMostSteps);
}

}  // namespace
}  // namespace tune::worker
