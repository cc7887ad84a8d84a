#include "advice/derived_facts.h"

#include <gtest/gtest.h>

namespace tune::advice {
namespace {

using expression::Dimension;
using expression::Number;
using expression::Unknown;
using expression::Value;

constexpr Dimension kRate{.time = -1};

rule::FactTable measured() {
  rule::FactTable facts;
  facts.set("device", {.result = Value::of("cuda")});
  facts.set("throughput", {.result = Value::of(740.0, kRate)});
  facts.set("synthetic_rate", {.result = Value::of(2000.0, kRate)});
  facts.set("cached_rate", {.result = Value::of(800.0, kRate)});
  facts.set("cold_rate", {.result = Value::of(200.0, kRate)});
  facts.set("loader_cpu_time", {.result = Value::of(0.85e-3, {.time = 1})});
  facts.set("usable_cores", {.result = Value::of(2.0)});
  facts.set("num_workers", {.result = Value::of(0.0)});
  add_derived_facts(facts);
  return facts;
}

double number(const rule::FactTable& facts, const std::string& name) {
  return std::get<Number>(std::get<Value>(facts.value(name)).data).value;
}

std::string reason(const rule::FactTable& facts, const std::string& name) {
  return std::get<Unknown>(facts.value(name)).reason;
}

TEST(DerivedFacts, FollowFromWhatWasMeasured) {
  const rule::FactTable facts = measured();
  EXPECT_DOUBLE_EQ(number(facts, "headroom_ratio"), 0.63);
  EXPECT_DOUBLE_EQ(number(facts, "fetch_stall_ratio"), 0.75);
  EXPECT_NEAR(number(facts, "predicted_rate"), 740.74, 0.01);
  EXPECT_EQ(number(facts, "needed_workers"), 2);
  EXPECT_DOUBLE_EQ(number(facts, "best_predicted_rate"), 2000);
  EXPECT_EQ(facts.find("headroom_ratio")->source, "derived");
}

TEST(DerivedFacts, CountCoresThatOthersUseAsLost) {
  rule::FactTable facts = measured();
  for (const char* const name : {"predicted_rate", "best_predicted_rate"}) {
    facts.set(name, {.result = Unknown{"anew"}});
  }
  facts.set("num_workers", {.result = Value::of(2.0)});
  facts.set("other_cpu_cores", {.result = Value::of(0.9)});
  add_derived_facts(facts);
  EXPECT_NEAR(number(facts, "predicted_rate"), 1.1 / 0.85e-3, 0.01) << "of 2 cores";
  facts.set("predicted_rate", {.result = Unknown{"anew"}});
  facts.set("cpu_quota", {.result = Value::of(1.5)});
  add_derived_facts(facts);
  EXPECT_NEAR(number(facts, "predicted_rate"), 0.6 / 0.85e-3, 0.01) << "of 1.5";
}

TEST(DerivedFacts, SayHowMuchOfAllCoresWorkersTake) {
  rule::FactTable facts = measured();
  EXPECT_NE(reason(facts, "worker_cpu_ratio"), "");  // there are none
  facts.set("num_workers", {.result = Value::of(1.0)});
  add_derived_facts(facts);
  EXPECT_NEAR(number(facts, "worker_cpu_ratio"), 0.3145, 1e-9);
}

TEST(DerivedFacts, LeaveWhatWasMeasured) {
  rule::FactTable facts = measured();
  facts.set("headroom_ratio", {.result = Value::of(0.1), .source = "trial"});
  add_derived_facts(facts);
  EXPECT_DOUBLE_EQ(number(facts, "headroom_ratio"), 0.1);
}

// Of an image, 0.88 ms on one of two cores at 158 images/s: 0.139 cores.
rule::FactTable trained_on_cpu(double threads, double delay) {
  rule::FactTable facts;
  facts.set("device", {.result = Value::of("cpu")});
  facts.set("throughput", {.result = Value::of(158.0, kRate)});
  facts.set("loader_cpu_time", {.result = Value::of(0.88e-3, {.time = 1})});
  facts.set("usable_cores", {.result = Value::of(2.0)});
  facts.set("intra_op_threads", {.result = Value::of(threads)});
  facts.set("main_thread_run_delay_ratio", {.result = Value::of(delay)});
  return facts;
}

double avoidable(rule::FactTable facts) {
  add_derived_facts(facts);
  return number(facts, "avoidable_run_delay_ratio");
}

TEST(DerivedFacts, WhatTheLoaderNeedsOfTheCoresThatTrainCannotBeAvoided) {
  EXPECT_NEAR(avoidable(trained_on_cpu(2, 0.078)), 0.078 - 0.139 / 2, 1e-4);
  EXPECT_EQ(avoidable(trained_on_cpu(2, 0.06)), 0);
  EXPECT_EQ(avoidable(trained_on_cpu(1, 0.157)), 0.157) << "the other core is free";
}

TEST(DerivedFacts, AllOfItCanBeAvoidedWhereNoLoaderNeedsTheCores) {
  rule::FactTable elsewhere = trained_on_cpu(2, 0.078);
  elsewhere.set("device", {.result = Value::of("cuda")});
  EXPECT_EQ(avoidable(elsewhere), 0.078);
  rule::FactTable resident = trained_on_cpu(2, 0.078);
  resident.set("loader_cpu_time", {.result = Unknown{"batches that stay in memory"}});
  EXPECT_EQ(avoidable(resident), 0.078);
}

TEST(DerivedFacts, SayWhatIsMissing) {
  rule::FactTable facts;
  facts.set("needed_workers", {.result = Unknown{"the calibration failed"}});
  add_derived_facts(facts);
  EXPECT_EQ(
      reason(facts, "headroom_ratio"),
      "synthetic_rate: it needs calibrations, or runs with other data, on the machine itself");
  EXPECT_EQ(reason(facts, "needed_workers"), "the calibration failed");
  facts.set("cold_rate", {.result = Value::of(1.0, kRate)});
  facts.set("cached_rate", {.result = Value::of(0.0, kRate)});
  rule::FactTable again;
  again.set("cold_rate", *facts.find("cold_rate"));
  again.set("cached_rate", *facts.find("cached_rate"));
  add_derived_facts(again);
  EXPECT_EQ(reason(again, "fetch_stall_ratio"), "cached_rate is not above 0");
}

}  // namespace
}  // namespace tune::advice
