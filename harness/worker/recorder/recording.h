#pragma once

#include "worker/recorder/name_table.h"
#include "worker/recorder/thread_log.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace tune::worker {

/// The logs of all threads that recorded something. Made before the threads that record, and kept
/// until they have ended: they write without asking whether it is still there. While it is off, a
/// thread pays for a look at one pointer.
class Recording {
 public:
  struct Options {
    bool shapes = false, flops = false, modules = false;
    std::int64_t limit_bytes = std::int64_t{512} << 20;  ///< of the trace that becomes of it
  };

  explicit Recording(const Options& options);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// What begins between the two, in any thread, is recorded. One recording at a time is on.
  void start();
  void stop();

  /// Null while none is on.
  static Recording* active() {
#ifdef TUNE_WITHOUT_RECORDER  // tests/bench/idle_recorder: what the question itself costs
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

  /// All logs so far. Other threads may go on recording.
  std::vector<const ThreadLog*> logs() const;

  /// What found no room, of all threads; a thread without a log counts as one event.
  std::int64_t lost_events() const;
  std::int64_t lost_inputs() const;

  /// At least as much as the JSON of what is recorded so far will have.
  std::int64_t json_bytes_at_most() const;

 private:
  static constexpr std::size_t kMostThreads = 256;

  static std::atomic<Recording*>& slot() {
    static constinit std::atomic<Recording*> recording = nullptr;
    return recording;
  }
  ThreadLog* adopt_this_thread();

  const Options options_;
  const std::uint64_t number_;  // of this recording, among all of the process
  NameTable names_;
  MemoryRoom room_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<ThreadLog>> logs_;
  std::int64_t threads_without_log_ = 0;
};

}  // namespace tune::worker
