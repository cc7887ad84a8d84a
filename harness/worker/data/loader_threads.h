#pragma once

#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace tune::worker {

/// Makes the calling thread a loader thread: sets its name in `top`, its niceness (never lowered),
/// and one intra-op thread, so that ATen's resize stays on it.
void become_loader_thread(std::int64_t number, std::int64_t nice);

/// Threads that the destructor joins.
class LoaderThreads {
 public:
  LoaderThreads() = default;
  ~LoaderThreads() { join(); }
  LoaderThreads(const LoaderThreads&) = delete;
  LoaderThreads& operator=(const LoaderThreads&) = delete;

  /// Runs work(0) ... work(count - 1), each on its own loader thread.
  void start(std::int64_t count, std::int64_t nice, const std::function<void(std::int64_t)>& work);
  void join();

 private:
  std::vector<std::thread> threads_;
};

}  // namespace tune::worker
