#pragma once

#include "base/clock.h"

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace tune::worker {

/// Threads started meanwhile get no signals: those are for the training thread.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

/// Prints a line while somebody waits in vain: a file on a server that is gone makes its reader
/// hang in the kernel, and without this line nobody would know which file it was. Prints when the
/// wait has lasted `patience_ns`, and again each time it has doubled.
class WaitWatch {
 public:
  /// `describe` returns what is being done instead and is called in a thread of this object.
  WaitWatch(std::int64_t patience_ns,
            std::function<std::string()> describe,
            std::function<void(const std::string&)> say = print_line);
  ~WaitWatch();
  WaitWatch(const WaitWatch&) = delete;
  WaitWatch& operator=(const WaitWatch&) = delete;

  /// Costs one clock reading. Only one thread waits at a time.
  void begin_wait();
  void end_wait() { since_ns_.store(kNobody, std::memory_order_relaxed); }

  /// From here to the end of the scope.
  class Wait {
   public:
    explicit Wait(WaitWatch& watch) : watch_(watch) { watch_.begin_wait(); }
    ~Wait() { watch_.end_wait(); }
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;

   private:
    WaitWatch& watch_;
  };

  /// To stderr, in one piece.
  static void print_line(const std::string& line);

 private:
  static constexpr std::int64_t kNobody = 0;
  void watch();

  const std::int64_t patience_ns_;
  const std::function<std::string()> describe_;
  const std::function<void(const std::string&)> say_;
  std::atomic<std::int64_t> since_ns_ = kNobody;
  std::mutex mutex_;
  std::condition_variable is_over_changed_;
  bool is_over_ = false;
  std::thread thread_;
};

struct ImageSamples;

/// The sample that one thread is working on, to explain a stall. Written by that thread, read by
/// others at any time: the parts may belong to two consecutive samples.
class alignas(128) WorkInHand {
 public:
  enum class Stage { none, reading, decoding };

  void begin(std::int64_t sample) {
    since_ns_.store(monotonic_ns(), std::memory_order_relaxed);
    sample_.store(sample, std::memory_order_relaxed);
    stage_.store(Stage::reading, std::memory_order_relaxed);
  }
  void decode() { stage_.store(Stage::decoding, std::memory_order_relaxed); }
  void end() { stage_.store(Stage::none, std::memory_order_relaxed); }

  Stage stage() const { return stage_.load(std::memory_order_relaxed); }
  std::int64_t sample() const { return sample_.load(std::memory_order_relaxed); }
  std::int64_t since_ns() const { return since_ns_.load(std::memory_order_relaxed); }

 private:
  std::atomic<Stage> stage_ = Stage::none;
  std::atomic<std::int64_t> sample_ = 0, since_ns_ = 0;
};

/// "the loader is reading /data/a.jpg (20s), decoding /data/b.jpg (12s)": the longest first, on one
/// line of bounded length.
std::string describe_work(const ImageSamples& samples,
                          const std::vector<const WorkInHand*>& threads,
                          std::int64_t now_ns);

}  // namespace tune::worker
