#include "worker/data/wait_watch.h"

#include "base/monotonic_clock.h"
#include "base/units.h"
#include "trial/stuck_line.h"
#include "worker/data/signals_blocked.h"

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

// Looks now and then: a waiter that had to wake this thread would pay for it in every step.
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

}  // namespace tune::worker
