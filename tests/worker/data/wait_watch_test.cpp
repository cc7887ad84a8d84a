#include "worker/data/wait_watch.h"

#include "base/clock.h"
#include "trial/worker_lines.h"
#include "worker/data/image_samples.h"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace tune::worker {

namespace {

constexpr std::int64_t kMs = 1'000'000;

/// The messages of a watch, from its own thread.
class Heard {
 public:
  std::function<void(const std::string&)> listener() {
    return [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      lines_.push_back(line);
    };
  }
  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  bool has(std::size_t count) const {
    for (int i = 0; i < 10'000 && lines().size() < count; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return lines().size() >= count;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

TEST(WaitWatch, TellsWhatIsBeingDoneWhenSomebodyWaitsInVain) {
  Heard heard;
  WaitWatch watch(
      20 * kMs, [] { return "the loader is reading a.jpg"; }, heard.listener());
  const WaitWatch::Wait wait(watch);
  ASSERT_TRUE(heard.has(2)) << "and again when the wait has doubled";
  for (const std::string& line : heard.lines()) {
    EXPECT_TRUE(line.starts_with(trial::kStuckLine)) << line;
    EXPECT_TRUE(line.ends_with("ms; the loader is reading a.jpg")) << line;
  }
}

TEST(WaitWatch, SaysLessTheLongerItLasts) {
  Heard heard;
  WaitWatch watch(
      1 * kMs, [] { return ""; }, heard.listener());
  const WaitWatch::Wait wait(watch);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_GE(heard.lines().size(), 1U);
  EXPECT_LE(heard.lines().size(), 10U);
}

TEST(WaitWatch, IsQuietWhileBatchesComeAndWhileNobodyWaits) {
  Heard heard;
  WaitWatch watch(
      100 * kMs, [] { return ""; }, heard.listener());
  const std::int64_t end_ns = monotonic_ns() + 250 * kMs;
  std::int64_t longest_ns = 0;
  while (monotonic_ns() < end_ns) {
    const std::int64_t start_ns = monotonic_ns();
    {
      const WaitWatch::Wait wait(watch);
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    longest_ns = std::max(longest_ns, monotonic_ns() - start_ns);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  if (longest_ns < 100 * kMs) {  // else this machine itself was stuck
    EXPECT_TRUE(heard.lines().empty()) << heard.lines().front();
  }
}

TEST(WaitWatch, EndsAtOnceHoweverPatientItIs) {
  const std::int64_t start_ns = monotonic_ns();
  {
    WaitWatch watch(3'600'000 * kMs, [] { return ""; });
    watch.begin_wait();
  }
  EXPECT_LT(monotonic_ns() - start_ns, 10'000 * kMs);
}

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
  EXPECT_EQ(describe_work(samples_named({"a"}), {&idle}, 0), "no thread of the loader is working");
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
