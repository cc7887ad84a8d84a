#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace tune::worker {

/// Speaks up while somebody waits in vain: a file on a server that has gone makes its reader hang
/// in the kernel, and without a word nobody would learn which file it was. Says so when the wait
/// has lasted `patience_ns`, and again each time it has doubled.
class WaitWatch {
 public:
  /// `describe` tells what is being done instead and is called in a thread of this object.
  WaitWatch(std::int64_t patience_ns,
            std::function<std::string()> describe,
            std::function<void(const std::string&)> say = print_line);
  ~WaitWatch();
  WaitWatch(const WaitWatch&) = delete;
  WaitWatch& operator=(const WaitWatch&) = delete;

  /// Costs a look at the clock. One waits at a time.
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

}  // namespace tune::worker
