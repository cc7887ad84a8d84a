#include "base/file.h"
#include "small_trial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace tune::worker {
namespace {

using trial::TrialReply;
using trial::TrialSpec;

void choose_floats_in_nhwc(TrialSpec& spec) {
  spec.knobs["dtype"] = std::string("f32");
  spec.knobs["channels_last"] = true;
}

// The first convolution and the loss save the loader's tensors for the backward pass.
TEST(Loaders, EveryLoaderFeedsATraining) {
  for (const char* const loader : {"ring", "libtorch"}) {
    for (const std::int64_t workers : {0, 1}) {
      for (const bool is_made_by_workers : {false, true}) {
        TrialSpec spec = small_resnet_on_images();
        spec.knobs["loader"] = std::string(loader);
        spec.knobs["num_workers"] = workers;
        if (is_made_by_workers) {
          choose_floats_in_nhwc(spec);
        }
        const TrialReply reply = reply_of(spec);
        ASSERT_EQ(reply.slices.size(), 1U) << loader << ", " << workers << " workers";
        EXPECT_GE(reply.slices[0].steps, 2) << "more until the loader's stock is back";
        EXPECT_EQ(reply.slices[0].samples, reply.slices[0].steps * 4);
        EXPECT_EQ(reply.loader.errors, 0);
      }
    }
  }
}

// With new threads for each epoch nothing is made before it is requested: the first step waits for
// a whole batch. That belongs to the window, and is reported.
TEST(Loaders, WhatTheBeginOfAnEpochCostsIsInTheWindowAndNamed) {
  for (const bool is_persistent : {false, true}) {
    TrialSpec spec = small_resnet_on_images();  // 12 images: 3 batches per epoch
    spec.workload.image_size = 64;
    spec.knobs["num_workers"] = std::int64_t{1};
    spec.knobs["prefetch_factor"] = std::int64_t{2};
    spec.knobs["persistent_workers"] = is_persistent;
    spec.measure.warmup_steps = 3;
    spec.measure.slice_steps = 12;
    const TrialReply reply = reply_of(spec);
    ASSERT_EQ(reply.slices.size(), 1U);
    const trial::Slice& slice = reply.slices[0];
    EXPECT_EQ(slice.epochs_begun, (slice.steps + 2) / 3);
    EXPECT_EQ(slice.phases.total_ns(), slice.wall_ns);
    ASSERT_GE(reply.epoch_begins.size(), 4U);
    std::int64_t waited_ns = 0;
    for (std::size_t i = 0; i < reply.epoch_begins.size(); ++i) {
      EXPECT_EQ(reply.epoch_begins[i].step, 3 * static_cast<std::int64_t>(i + 1));
      waited_ns += reply.epoch_begins[i].data_wait_ns;
    }
    EXPECT_LE(waited_ns, slice.phases.data_wait_ns);
    if (!is_persistent) {
      EXPECT_GT(waited_ns, slice.phases.data_wait_ns / 4) << "its share of the steps is a third";
    }
  }
}

void read_files(const std::string& folder) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      (void)read_file(entry.path());
    }
  }
}

// Some machines reclaim memory of files within seconds, but not three times in a row.
TEST(Loaders, WhetherTheImagesLayInMemoryIsRecorded) {
  const TrialSpec spec = small_resnet_on_images();
  double most = 0;
  for (int attempt = 0; attempt < 3 && most < 0.9; ++attempt) {
    read_files(spec.data.path);
    const TrialReply with_files = reply_of(spec);
    ASSERT_TRUE(with_files.loader.resident_ratio.has_value());
    most = std::max(most, *with_files.loader.resident_ratio);
  }
  EXPECT_GT(most, 0.9) << "they were read a moment ago";
  EXPECT_EQ(reply_of(small_resnet()).loader.resident_ratio, std::nullopt);
}

bool is_ignored(const TrialReply& reply, const std::string& knob) {
  return std::any_of(reply.ignored_knobs.begin(), reply.ignored_knobs.end(), [&](const auto& seen) {
    return seen.name == knob && !seen.reason.empty();
  });
}

TEST(Loaders, KnobsThatALoaderDoesNotHeedAreNamed) {
  TrialSpec spec = small_resnet_on_images();
  spec.knobs["num_workers"] = std::int64_t{1};
  spec.knobs["persistent_workers"] = true;
  spec.knobs["decode"] = std::string("roi");
  EXPECT_TRUE(reply_of(spec).ignored_knobs.empty());
  spec.knobs["loader"] = std::string("libtorch");
  spec.workload.task = "infer";
  const TrialReply reply = reply_of(spec);
  EXPECT_TRUE(is_ignored(reply, "persistent_workers")) << "DataLoader keeps its threads anyway";
  EXPECT_TRUE(is_ignored(reply, "decode")) << "inference uses the whole frame";
  EXPECT_EQ(reply.ignored_knobs.size(), 2U);
}

}  // namespace
}  // namespace tune::worker
