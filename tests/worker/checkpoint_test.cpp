// Activation checkpointing: the same training with measurably less memory and more work.

#include "base/file.h"
#include "small_trial.h"
#include "trace/reader/read_trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

namespace tune::worker {
namespace {

using trial::TrialReply;
using trial::TrialSpec;

// Six layers whose activations outweigh the weights, with dropout: a recomputation must draw the
// same numbers, and what follows must draw others.
TrialSpec deep_gpt() {
  TrialSpec spec = small_gpt();
  spec.workload.params["layers"] = std::int64_t{6};
  spec.workload.params["hidden"] = std::int64_t{64};
  spec.workload.params["sequence_length"] = std::int64_t{64};
  spec.workload.params["dropout"] = 0.1;
  spec.workload.params["attention_dropout"] = 0.1;
  spec.knobs["batch_size"] = std::int64_t{8};
  spec.measure.structure = true;
  spec.measure.slice_steps = 8;
  return spec;
}

TrialSpec with_checkpoints(TrialSpec spec) {
  spec.knobs["activation_checkpointing"] = true;
  return spec;
}

void expect_same_training(const TrialReply& checkpointed, const TrialReply& kept) {
  ASSERT_EQ(checkpointed.losses.size(), kept.losses.size());
  ASSERT_GE(kept.losses.size(), 4U);
  for (std::size_t i = 0; i < kept.losses.size(); ++i) {
    EXPECT_NEAR(checkpointed.losses[i].value, kept.losses[i].value, 1e-3 * kept.losses[i].value)
        << "step " << kept.losses[i].step;
  }
  EXPECT_NE(kept.losses.front().value, kept.losses.back().value);
}

TEST(Checkpointing, TrainsTheSameWithDropout) {
  const TrialSpec spec = deep_gpt();
  expect_same_training(reply_of(with_checkpoints(spec)), reply_of(spec));
}

TEST(Checkpointing, TrainsTheSameUnderAutocastAndWithComposedOperators) {
  TrialSpec spec = deep_gpt();
  spec.knobs["amp"] = std::string("bf16");
  spec.knobs["fused"] = false;
  expect_same_training(reply_of(with_checkpoints(spec)), reply_of(spec));
}

TEST(Checkpointing, TakesLessMemoryAndMoreOperators) {
  const TrialSpec spec = deep_gpt();
  const TrialReply kept = reply_of(spec), checkpointed = reply_of(with_checkpoints(spec));
  ASSERT_TRUE(kept.structure && checkpointed.structure);
  EXPECT_LT(static_cast<double>(checkpointed.structure->peak_bytes),
            0.6 * static_cast<double>(kept.structure->peak_bytes));
  EXPECT_GT(checkpointed.structure->operators, kept.structure->operators + 6 * 10);
}

// The counter of the last batch norm of a saved model: the last eight bytes of its file.
std::int64_t batches_counted(const TrialSpec& spec) {
  const std::string bytes = read_file(std::filesystem::path(spec.folder) / "checkpoint.bin");
  std::int64_t batches = 0;
  EXPECT_GT(bytes.size(), sizeof(batches));
  std::memcpy(&batches, bytes.data() + bytes.size() - sizeof(batches), sizeof(batches));
  return batches;
}

// The running statistics are what inference uses: no batch may count twice.
TEST(Checkpointing, LeavesBatchNormsTheirStatistics) {
  for (const bool is_checkpointed : {false, true}) {
    TrialSpec spec = small_resnet();
    spec.workload.checkpoint_every = 4;
    spec.measure.slice_steps = 3;  // and one of warm-up
    spec.knobs["activation_checkpointing"] = is_checkpointed;
    reply_of(spec);
    EXPECT_EQ(batches_counted(spec), 4) << is_checkpointed;
  }
}

TEST(Checkpointing, TrainsConvolutionsTheSame) {
  TrialSpec spec = small_resnet();
  spec.measure.slice_steps = 7;
  expect_same_training(reply_of(with_checkpoints(spec)), reply_of(spec));
}

TEST(Checkpointing, ShowsWhatItComputesAgainInTheTrace) {
  TrialSpec spec = with_checkpoints(small_bert());
  spec.profile.emplace();
  spec.profile->warmup = 1;
  spec.profile->active = 2;
  spec.profile->with_modules = true;
  const TrialReply reply = reply_of(spec);
  ASSERT_TRUE(reply.profile);
  ASSERT_EQ(reply.profile->reason, "");
  const profile::Timeline timeline =
      profile::read_trace(std::filesystem::path(spec.folder) / "trace.json.gz");
  const auto count = [&](std::string_view name) {
    return std::count_if(timeline.events.begin(), timeline.events.end(), [&](const auto& event) {
      return timeline.name(event) == name;
    });
  };
  EXPECT_EQ(count("recompute"), 2 * 2) << "steps, blocks";
  EXPECT_EQ(count("nn.Module: block1"), 2 * 2) << "steps, forward and again";
}

}  // namespace
}  // namespace tune::worker
