#include "worker/data/wait_watch.h"

#include "base/clock.h"
#include "base/units.h"
#include "trial/worker_lines.h"
#include "worker/data/image_samples.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <pthread.h>
#include <utility>

namespace tune::worker {

WaitWatch::WaitWatch(std::int64_t patience_ns,
                     std::function<std::string()> describe,
                     std::function<void(const std::string&)> say)
    : patience_ns_(patience_ns), describe_(std::move(describe)), say_(std::move(say)) {
  const SignalsBlocked blocked;
  thread_ = std::thread([this] {
    pthread_setname_np(pthread_self(), "tune-watch");
    watch();
  });
}

WaitWatch::~WaitWatch() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  is_over_changed_.notify_one();
  thread_.join();
}

void WaitWatch::begin_wait() {
  since_ns_.store(monotonic_ns(), std::memory_order_relaxed);
}

// Polls: if the waiter had to wake this thread, it would pay for that in every step.
void WaitWatch::watch() {
  std::unique_lock lock(mutex_);
  std::int64_t last_since_ns = kNobody;
  std::int64_t next_ns = patience_ns_;
  const auto pause = std::chrono::nanoseconds(patience_ns_ / 4 + 1);
  while (!is_over_changed_.wait_for(lock, pause, [this] { return is_over_; })) {
    const std::int64_t since_ns = since_ns_.load(std::memory_order_relaxed);
    if (since_ns != last_since_ns) {
      last_since_ns = since_ns;
      next_ns = patience_ns_;
    }
    const std::int64_t waited_ns = monotonic_ns() - since_ns;
    if (since_ns != kNobody && waited_ns >= next_ns) {
      next_ns = 2 * waited_ns;
      say_(std::string(trial::kStuckLine) + format_time(waited_ns) + "; " + describe_());
    }
  }
}

void WaitWatch::print_line(const std::string& line) {
  (void)std::fprintf(stderr, "%s\n", line.c_str());
}

namespace {

constexpr std::size_t kMostNamed = 3;
constexpr std::size_t kLongestPath = 400;  // only the last 2 KiB of a worker's output are kept

std::string on_one_line(std::string path) {
  if (path.size() > kLongestPath) {
    path = "..." + path.substr(path.size() - kLongestPath);
  }
  std::replace_if(
      path.begin(), path.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  return path;
}

}  // namespace

std::string describe_work(const ImageSamples& samples,
                          const std::vector<const WorkInHand*>& threads,
                          std::int64_t now_ns) {
  struct Work {
    WorkInHand::Stage stage;
    std::int64_t sample, since_ns;
  };
  std::vector<Work> all;
  for (const WorkInHand* const thread : threads) {
    if (const Work work = {thread->stage(), thread->sample(), thread->since_ns()};
        work.stage != WorkInHand::Stage::none) {
      all.push_back(work);
    }
  }
  if (all.empty()) {
    return "no thread of the loader is working";
  }
  std::sort(
      all.begin(), all.end(), [](const Work& a, const Work& b) { return a.since_ns < b.since_ns; });
  std::string text = "the loader is";
  for (std::size_t i = 0; i < std::min(kMostNamed, all.size()); ++i) {
    text += i == 0 ? " " : ", ";
    text += all[i].stage == WorkInHand::Stage::reading ? "reading " : "decoding ";
    text += on_one_line((samples.folder.root / samples.file(all[i].sample).path).string());
    text += " (" + format_time(std::max<std::int64_t>(0, now_ns - all[i].since_ns)) + ")";
  }
  if (all.size() > kMostNamed) {
    text += " and " + std::to_string(all.size() - kMostNamed) + " more";
  }
  return text;
}

}  // namespace tune::worker
