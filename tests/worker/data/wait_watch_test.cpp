#include "worker/data/wait_watch.h"

#include "base/monotonic_clock.h"
#include "trial/stuck_line.h"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace tune::worker {
namespace {

constexpr std::int64_t kMs = 1'000'000;

/// What a watch has said, in the thread that looks.
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
  if (longest_ns < 100 * kMs) {  // else this machine was stuck itself
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

}  // namespace
}  // namespace tune::worker
