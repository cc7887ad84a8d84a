#include "worker/data/work_in_hand.h"

#include "worker/data/image_samples.h"

#include <gtest/gtest.h>

namespace tune::worker {
namespace {

ImageSamples samples_named(const std::vector<std::string>& names) {
  ImageSamples samples;
  samples.folder.root = "/data";
  for (const std::string& name : names) {
    samples.folder.files.push_back({name, 1, 0});
  }
  return samples;
}

TEST(WorkInHand, NamesFileStageAndTimeLongestFirst) {
  const ImageSamples samples = samples_named({"a/1.jpg", "b/2.jpg"});
  WorkInHand first, second, idle;
  first.begin(0);
  second.begin(1);
  first.decode();
  idle.begin(0);
  idle.end();
  const std::int64_t now_ns = first.since_ns() + 2'000'000'000;
  const std::string text = describe_work(samples, {&idle, &first, &second}, now_ns);
  EXPECT_TRUE(
      text.starts_with("the loader is decoding /data/a/1.jpg (2s), "
                       "reading /data/b/2.jpg ("))
      << text;
}

TEST(WorkInHand, SaysSoWhenNobodyIsAtWork) {
  const WorkInHand idle;
  EXPECT_EQ(describe_work(samples_named({"a"}), {&idle}, 0), "no thread of the loader is at work");
}

TEST(WorkInHand, ManyThreadsAndStrangeNamesStayOnOneShortLine) {
  const ImageSamples samples = samples_named({std::string(4'000, 'x') + "/line\nend\x1b[2J.jpg"});
  std::vector<WorkInHand> threads(64);
  std::vector<const WorkInHand*> all;
  for (WorkInHand& thread : threads) {
    thread.begin(0);
    all.push_back(&thread);
  }
  const std::string text = describe_work(samples, all, threads.front().since_ns());
  EXPECT_LT(text.size(), 1'500U);
  EXPECT_EQ(text.find_first_of("\n\x1b"), std::string::npos);
  EXPECT_NE(text.find("/line?end?[2J.jpg"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with(" and 61 more")) << text;
}

}  // namespace
}  // namespace tune::worker
