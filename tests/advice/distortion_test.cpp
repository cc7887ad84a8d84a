#include "advice/distortion.h"

#include "advice/diagnosis.h"
#include "advice/rule/catalog.h"

#include <gtest/gtest.h>

#include <string>

namespace tune::advice {
namespace {

using expression::Dimension;
using expression::Number;
using expression::Value;
using rule::State;

constexpr Dimension kTime{.time = 1};

const rule::Catalog& shipped() {
  static const rule::Catalog catalog = rule::read_catalog(rule::shipped_rules());
  return catalog;
}

void add(rule::FactTable& facts, const char* name, double value, Dimension dimension = {}) {
  facts.set(name, {.result = Value::of(value, dimension), .source = "trace", .window = "profile"});
}

// Steps of 10 ms that recording made 15 ms long: 6 ms of kernels, and the host launches slowly.
rule::FactTable stretched(double dilation = 1.5) {
  rule::FactTable facts;
  facts.set("device", {.result = Value::of("cuda")});
  facts.set("profiler_dilation_ratio", {.result = Value::of(dilation), .window = "measure"});
  add(facts, "gpu_busy_ratio", 0.4);
  add(facts, "sm_efficiency", 0.1);
  add(facts, "host_wait_ratio", 0.5);
  add(facts, "idle_host_wait_ratio", 0.5 / 0.6);
  add(facts, "idle_after_sync_ratio", 0.1);
  add(facts, "device_idle_ratio", 0.6);
  add(facts, "partition_data_loading_ratio", 0.05);
  add(facts, "launch_queue_p95", 1);
  add(facts, "kernel_time_median", 5e-6, kTime);
  add(facts, "small_grid_ratio", 0.7);
  add(facts, "step_time", 15e-3, kTime);
  return facts;
}

double number(const rule::FactTable& facts, const char* name) {
  const auto result = facts.value(name);
  const auto* const value = std::get_if<Value>(&result);
  return value == nullptr ? -1 : std::get<Number>(value->data).value;
}

TEST(Distortion, LeavesWhatAGpuDid) {
  const rule::FactTable trusted = without_distorted_times(shipped(), stretched());
  EXPECT_DOUBLE_EQ(number(trusted, "kernel_time_median"), 5e-6);
  EXPECT_DOUBLE_EQ(number(trusted, "small_grid_ratio"), 0.7);
  EXPECT_DOUBLE_EQ(number(trusted, "gpu_busy_ratio"), 0.6) << "6 ms of 10";
  EXPECT_NEAR(number(trusted, "device_idle_ratio"), 0.4, 1e-12);
  EXPECT_NEAR(number(trusted, "sm_efficiency"), 0.15, 1e-12);
  EXPECT_EQ(number(trusted, "step_time"), -1);
  EXPECT_EQ(number(trusted, "partition_data_loading_ratio"), -1);
}

// 9 ms idle, 7.5 of them for the host; 5 may be the recording's.
TEST(Distortion, TakesWhatItAddedOffTheWaits) {
  const rule::FactTable trusted = without_distorted_times(shipped(), stretched());
  EXPECT_NEAR(number(trusted, "host_wait_ratio"), 0.25, 1e-12);
  EXPECT_NEAR(number(trusted, "idle_host_wait_ratio"), 2.5 / 4, 1e-12);
  EXPECT_EQ(number(trusted, "idle_after_sync_ratio"), -1);

  rule::FactTable synchronised = stretched();
  add(synchronised, "idle_after_sync_ratio", 0.4);
  EXPECT_EQ(number(without_distorted_times(shipped(), synchronised), "host_wait_ratio"), -1);
  rule::FactTable busy = stretched(2);  // nothing is left: it was all the recording
  add(busy, "host_wait_ratio", 0.4);
  add(busy, "idle_host_wait_ratio", 0.8);
  EXPECT_EQ(number(without_distorted_times(shipped(), busy), "host_wait_ratio"), -1);
}

TEST(Distortion, KnowsIdleTimeAndTransfersFromTheMeasuredWindow) {
  rule::FactTable facts = stretched();
  add(facts, "h2d_exposed_ratio", 0.01);
  add(facts, "h2d_device_ratio", 0.1);
  const auto set = [&](const char* name, double ratio) {
    facts.set(name, {.result = Value::of(ratio), .source = "trial", .window = "measure"});
  };
  EXPECT_EQ(number(without_distorted_times(shipped(), facts), "h2d_exposed_ratio"), -1);
  set("stream_transfer_ratio", 0.12);
  set("stream_idle_ratio", 0.3);
  rule::FactTable trusted = without_distorted_times(shipped(), facts);
  EXPECT_NEAR(number(trusted, "h2d_exposed_ratio"), 0.12, 1e-12);
  EXPECT_NEAR(number(trusted, "host_wait_ratio"), 0.3, 1e-12) << "the trace shows at least 0.25";
  EXPECT_NEAR(number(trusted, "idle_host_wait_ratio"), 3.0 / 4, 1e-12);
  set("stream_transfer_ratio", 0.4);
  set("stream_idle_ratio", 0.1);
  trusted = without_distorted_times(shipped(), facts);
  EXPECT_NEAR(number(trusted, "h2d_exposed_ratio"), 0.15, 1e-12) << "the copies take no longer";
  EXPECT_NEAR(number(trusted, "host_wait_ratio"), 0.25, 1e-12);
}

TEST(Distortion, LeavesNothingWithoutKernels) {
  rule::FactTable facts = stretched();
  facts.set("gpu_busy_ratio", {.result = expression::Unknown{"no kernel"}, .window = "profile"});
  add(facts, "half_time_ratio", 0.5);
  const rule::FactTable trusted = without_distorted_times(shipped(), facts);
  EXPECT_EQ(number(trusted, "half_time_ratio"), -1) << "of operators of the CPU";
  EXPECT_EQ(number(trusted, "host_wait_ratio"), -1);
}

// Launch-bound steps are those that recording stretches.
TEST(Distortion, DoesNotHideThatStepsAreLaunchBound) {
  const Diagnosis diagnosis = diagnose(shipped(), stretched());
  const Finding* const found = finding_of(diagnosis, shipped().find("launch-bound"));
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->state, State::fired) << found->reason;
}

}  // namespace
}  // namespace tune::advice
