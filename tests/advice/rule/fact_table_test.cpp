#include "advice/rule/fact_table.h"

#include "advice/rule/known_name.h"

#include <gtest/gtest.h>

#include <limits>

namespace tune::rule {
namespace {

using expression::Result;
using expression::Unknown;
using expression::Value;

Result stored(const std::string& name, const Value& value) {
  FactTable facts;
  facts.set(name, {.result = value});
  return facts.value(name);
}

TEST(FactTable, KeepsValuesOfTheTypeThatTheirNameHas) {
  EXPECT_EQ(stored("step_time", Value::of(0.2, {.time = 1})), Result(Value::of(0.2, {.time = 1})));
  EXPECT_EQ(stored("throttle_reasons", Value::of(Value::List{})), Result(Value::of(Value::List{})));
  EXPECT_EQ(stored("amp", Value::of("bf16")), Result(Value::of("bf16")));
}

TEST(FactTable, MakesAnythingElseUnknown) {
  EXPECT_EQ(stored("step_time", Value::of(0.2)),
            Result(Unknown{"what was recorded is number, not time"}));
  EXPECT_EQ(stored("pin_memory", Value::of("yes")),
            Result(Unknown{"what was recorded is text, not true or false"}));
  EXPECT_EQ(stored("amp", Value::of("fp8")),
            Result(Unknown{"what was recorded is 'fp8', which it never is"}));
  EXPECT_EQ(stored("data_wait_ratio", Value::of(std::numeric_limits<double>::infinity())),
            Result(Unknown{"what was recorded is not a finite number"}));
}

TEST(FactTable, SaysOfWhatNobodyAddedWhereItComesFrom) {
  const FactTable facts;
  EXPECT_EQ(facts.value("num_workers"), Result(Unknown{"a trace does not say how it was set"}));
  EXPECT_EQ(facts.value("gpu_temperature"), Result(Unknown{"it is sampled while a run measures"}));
  EXPECT_EQ(facts.find("num_workers"), nullptr);
}

TEST(FactTable, SaysWhatItWasToldOfAnOrigin) {
  FactTable facts;
  facts.explain_missing(Origin::telemetry, "nothing was sampled");
  EXPECT_EQ(facts.value("gpu_temperature"), Result(Unknown{"nothing was sampled"}));
  EXPECT_EQ(facts.value("num_workers"), Result(Unknown{"a trace does not say how it was set"}));
}

TEST(KnownNames, HoldMetricsKnobsFactsAndWhatIsYetToCome) {
  EXPECT_EQ(find_known_name("gpu_busy_ratio")->origin, Origin::trace);
  EXPECT_EQ(find_known_name("partition_kernel_ratio")->origin, Origin::trace);
  EXPECT_EQ(find_known_name("batch_size")->origin, Origin::knob);
  EXPECT_EQ(find_known_name("device")->origin, Origin::machine);
  EXPECT_EQ(find_known_name("steady_state")->origin, Origin::trial);
  EXPECT_EQ(find_known_name("no_such_name"), nullptr);
  EXPECT_EQ(find_known_name("h2d_rate")->type.dimension,
            (expression::Dimension{.time = -1, .bytes = 1}));
}

}  // namespace
}  // namespace tune::rule
