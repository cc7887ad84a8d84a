#include "small_trial.h"

#include <gtest/gtest.h>

namespace tune::worker {
namespace {

using trial::Structure;
using trial::TrialSpec;

Structure structure_of(TrialSpec spec) {
  spec.measure.structure = true;
  const trial::TrialReply reply = reply_of(spec);
  EXPECT_TRUE(reply.structure.has_value());
  return reply.structure.value_or(Structure());
}

std::string words(const Structure& counted) {
  return std::to_string(counted.operators) + " operators, " +
         std::to_string(counted.backward_operators) + " backward, " +
         std::to_string(counted.allocations) + " allocations of " +
         std::to_string(counted.allocated_bytes) + " bytes, peak " +
         std::to_string(counted.peak_bytes) + ", batch " + std::to_string(counted.batch_bytes) +
         ", " + std::to_string(counted.threads) + " threads";
}

void expect_alike(const Structure& first, const Structure& second) {
  EXPECT_EQ(first, second) << words(first) << "\n" << words(second);
}

TEST(StructureOfAStep, IsCountedOnlyWhenAskedFor) {
  EXPECT_FALSE(reply_of(small_spec()).structure.has_value());
}

TEST(StructureOfAStep, IsTheSameInTwoProcessesHoweverLongTheyTook) {
  for (const TrialSpec& spec : {small_spec(), small_resnet()}) {
    TrialSpec longer = spec;
    longer.measure.slice_steps = 7;
    const Structure counted = structure_of(spec);
    expect_alike(counted, structure_of(longer));
    EXPECT_GT(counted.operators, 10);
    EXPECT_GT(counted.backward_operators, 5);
    EXPECT_GT(counted.allocations, 10);
    EXPECT_GE(counted.allocated_bytes, counted.peak_bytes);
    EXPECT_GT(counted.peak_bytes, 0);
    EXPECT_EQ(counted.batch_bytes, 4 * 3 * 32 * 32 + 4 * 8);  // pixels as bytes, int64 labels
    EXPECT_GE(counted.threads, 1);
    longer.workload.task = "infer";
    EXPECT_EQ(structure_of(longer).backward_operators, 0);
  }
}

TEST(StructureOfAStep, IsThatOfAUsualStepWhateverHappensInOthers) {
  const Structure counted = structure_of(small_spec());
  TrialSpec spec = small_spec();
  spec.data.samples = 14;  // batches of 4, 4, 4 and 2
  spec.workload.log_every = 5;
  spec.workload.checkpoint_every = 3;
  for (const std::int64_t steps : {2, 3, 4}) {
    spec.measure.slice_steps = steps;
    expect_alike(counted, structure_of(spec));
  }
}

TEST(StructureOfAStep, DiffersWhereTheStepDoes) {
  const Structure counted = structure_of(small_resnet());
  TrialSpec fused = small_resnet();
  fused.knobs["optimizer_impl"] = std::string("fused");
  EXPECT_LT(structure_of(fused).operators, counted.operators);
  TrialSpec amp = small_resnet();
  amp.knobs["amp"] = std::string("bf16");
  EXPECT_GT(structure_of(amp).operators, counted.operators);
  TrialSpec larger = small_resnet();
  larger.knobs["batch_size"] = std::int64_t{8};
  const Structure of_larger = structure_of(larger);
  EXPECT_EQ(of_larger.operators, counted.operators);
  EXPECT_GT(of_larger.peak_bytes, counted.peak_bytes);
  EXPECT_EQ(of_larger.batch_bytes, 2 * counted.batch_bytes);
}

// Loader threads call operators as well, at unrelated times.
TEST(StructureOfAStep, LeavesOutWhatLoaderThreadsDo) {
  for (const char* const loader : {"ring", "libtorch"}) {
    TrialSpec spec = small_resnet_on_images();
    spec.knobs["loader"] = std::string(loader);
    spec.knobs["num_workers"] = std::int64_t{1};
    TrialSpec longer = spec;
    longer.measure.slice_steps = 5;
    const Structure counted = structure_of(spec);
    expect_alike(counted, structure_of(longer));
    longer.knobs["num_workers"] = std::int64_t{2};
    EXPECT_EQ(structure_of(longer).operators, counted.operators) << loader;
  }
}

}  // namespace
}  // namespace tune::worker
