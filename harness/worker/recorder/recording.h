#pragma once

#include "worker/recorder/name_table.h"
#include "worker/recorder/thread_log.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace tune::worker {

/// The logs of all threads that recorded something. Created before the recording threads and kept
/// until they have ended: they write without checking that it still exists. While it is off, a
/// thread pays for reading one pointer.
class Recording {
 public:
  struct Options {
    bool shapes = false, flops = false, modules = false;
    std::int64_t limit_bytes = std::int64_t{512} << 20;  ///< of the resulting trace
  };

  explicit Recording(const Options& options);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// Events that begin between the two, in any thread, are recorded. Only one recording is active
  /// at a time.
  void start();
  void stop();

  /// Null while none is active.
  static Recording* active() {
#ifdef TUNE_WITHOUT_RECORDER  // tests/bench/idle_recorder: what the check itself costs
    return nullptr;
#else
    return slot().load(std::memory_order_acquire);
#endif
  }

  /// Null for threads beyond kMostThreads.
  ThreadLog* log_of_this_thread();

  const Options& options() const {
    return options_;
  }
  const NameTable& names() const {
    return names_;
  }

  /// All logs so far. Other threads may continue to record.
  std::vector<const ThreadLog*> logs() const;

  /// Events without room, over all threads; a thread without a log counts as one event.
  std::int64_t lost_events() const;
  std::int64_t lost_inputs() const;

  /// Upper bound for the size of the JSON of what is recorded so far.
  std::int64_t json_bytes_at_most() const;

 private:
  static constexpr std::size_t kMostThreads = 256;

  static std::atomic<Recording*>& slot() {
    static constinit std::atomic<Recording*> recording = nullptr;
    return recording;
  }
  ThreadLog* adopt_this_thread();

  const Options options_;
  const std::uint64_t number_;  // of this recording, unique in the process
  NameTable names_;
  MemoryRoom room_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<ThreadLog>> logs_;
  std::int64_t threads_without_log_ = 0;
};

}  // namespace tune::worker
