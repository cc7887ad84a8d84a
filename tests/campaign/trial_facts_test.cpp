#include "campaign/trial_facts.h"

#include "trial/knob_catalog.h"

#include <gtest/gtest.h>

#include <variant>

namespace tune::campaign {
namespace {

using expression::Value;

// A trial of two steps of 10 ms on a GPU, which took 8 ms for each.
TrialRecord on_a_gpu() {
  TrialRecord record;
  record.spec.id = "r1-c01";
  record.spec.knobs = trial::default_settings();
  record.outcome.reply.emplace();
  trial::TrialReply& reply = *record.outcome.reply;
  reply.facts.device = "cuda";
  reply.facts.gpu.emplace();
  reply.facts.gpu->compute_major = 8;
  reply.facts.gpu->compute_minor = 6;
  reply.facts.gpu->memory_bytes = 1'000;
  reply.facts.gpu->driver_version = 13'010;
  reply.facts.gpu->runtime_version = 13'000;
  trial::Slice slice;
  slice.wall_ns = 20'000'000;
  slice.steps = 2;
  slice.samples = 64;
  slice.phases.forward_ns = slice.wall_ns;
  slice.device = trial::DevicePhaseSums{0, 0, 6'000'000, 5'000'000, 5'000'000};
  reply.slices = {slice};
  reply.step_phases.resize(2);
  reply.device_steps.resize(2, {0, 0, 3'000'000, 2'500'000, 2'500'000});
  reply.peak_memory_bytes = 7;
  reply.device_memory.emplace();
  reply.device_memory->peak_allocated_bytes = 250;
  reply.device_memory->retries = 3;
  return record;
}

double number(const rule::FactTable& facts, const std::string& name) {
  const auto result = facts.value(name);
  const auto* const value = std::get_if<Value>(&result);
  const auto* const found =
      value == nullptr ? nullptr : std::get_if<expression::Number>(&value->data);
  return found == nullptr ? -1 : found->value;
}

TEST(TrialFacts, OfAGpuAreItsOwn) {
  rule::FactTable facts;
  add_trial_facts(on_a_gpu(), machine::MachineFacts(), facts);
  EXPECT_DOUBLE_EQ(number(facts, "compute_capability"), 8.6);
  EXPECT_DOUBLE_EQ(number(facts, "driver_cuda_version"), 13'010);
  EXPECT_DOUBLE_EQ(number(facts, "peak_memory_bytes"), 250) << "of its memory, not the host's";
  EXPECT_DOUBLE_EQ(number(facts, "peak_memory_ratio"), 0.25);
  EXPECT_DOUBLE_EQ(number(facts, "allocator_retry_count"), 3);
  EXPECT_DOUBLE_EQ(number(facts, "step_time"), 0.008) << "the host only launches";
  EXPECT_DOUBLE_EQ(number(facts, "optimizer_ratio"), 0.25);
}

TEST(TrialFacts, Tf32IsAllowedByItsKnobOrByThePrecision) {
  const auto allowed = [](const char* knob, const char* value) {
    TrialRecord record = on_a_gpu();
    record.spec.knobs[knob] = std::string(value);
    rule::FactTable facts;
    add_trial_facts(record, machine::MachineFacts(), facts);
    return facts.value("allow_tf32") == expression::Result(Value::of(true));
  };
  EXPECT_FALSE(allowed("tf32", "convolutions"));
  EXPECT_FALSE(allowed("tf32", "none"));
  EXPECT_TRUE(allowed("tf32", "all"));
  EXPECT_TRUE(allowed("matmul_precision", "high"));
}

}  // namespace
}  // namespace tune::campaign
