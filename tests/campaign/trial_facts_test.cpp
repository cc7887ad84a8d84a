#include "campaign/trial_facts.h"

#include "trial/knob_catalog.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

namespace tune::campaign {
namespace {

using expression::Number;
using expression::Unknown;
using expression::Value;

// Two slices of one second each; the training thread waited for a CPU so long in each.
rule::FactTable facts_of(std::optional<std::int64_t> first_ns,
                         std::optional<std::int64_t> second_ns) {
  TrialRecord record;
  record.spec.id = "r1-baseline";
  record.spec.knobs = trial::default_settings();
  trial::TrialReply reply;
  for (const auto waited_ns : {first_ns, second_ns}) {
    trial::Slice slice;
    slice.wall_ns = 1'000'000'000;
    slice.steps = 10;
    slice.samples = 80;
    slice.phases.forward_ns = 900'000'000;
    slice.phases.data_wait_ns = 100'000'000;
    slice.disturbance.main_run_delay_ns = waited_ns;
    reply.slices.push_back(slice);
  }
  record.outcome.reply = std::move(reply);
  rule::FactTable facts;
  add_trial_facts(record, machine::MachineFacts{}, facts);
  return facts;
}

double number(const rule::FactTable& facts, const char* name) {
  return std::get<Number>(std::get<Value>(facts.value(name)).data).value;
}

TEST(TrialFacts, AreSharesOfTheMeasuredWindow) {
  const rule::FactTable facts = facts_of(400'000'000, 100'000'000);
  EXPECT_DOUBLE_EQ(number(facts, "main_thread_run_delay_ratio"), 0.25);
  EXPECT_DOUBLE_EQ(number(facts, "data_wait_ratio"), 0.1);
  EXPECT_DOUBLE_EQ(number(facts, "throughput"), 80);
}

TEST(TrialFacts, AreUnknownAsSoonAsOneSliceDoesNotTell) {
  const auto result = facts_of(400'000'000, std::nullopt).value("main_thread_run_delay_ratio");
  ASSERT_TRUE(std::holds_alternative<Unknown>(result));
  EXPECT_EQ(std::get<Unknown>(result).reason, "the kernel does not tell");
}

}  // namespace
}  // namespace tune::campaign
