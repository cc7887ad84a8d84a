#include "dataset/data_set.h"
#include "small_trial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace tune::worker {
namespace {

namespace fs = std::filesystem;
using trial::TrialReply;
using trial::TrialSpec;

fs::path few_images() {
  dataset::GeneratedSpec images;
  images.samples = 12;
  images.classes = 4;
  const fs::path cache =
      fs::path(testing::TempDir()) / ("tune-worker-images-" + std::to_string(getuid()));
  return dataset::make_generated(images, cache).root;
}

TrialSpec small_resnet_on_images() {
  TrialSpec spec = small_resnet();
  spec.data.source = "generated-jpeg";
  spec.data.path = few_images();
  return spec;
}

void choose_floats_in_nhwc(TrialSpec& spec) {
  spec.knobs["dtype"] = std::string("f32");
  spec.knobs["channels_last"] = true;
}

// What a loader hands out is saved by the first convolution and by the loss for the backward pass.
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
        EXPECT_GE(reply.slices[0].steps, 2) << "more until the loader's stock is as it was";
        EXPECT_EQ(reply.slices[0].samples, reply.slices[0].steps * 4);
        EXPECT_EQ(reply.loader.errors, 0);
      }
    }
  }
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
