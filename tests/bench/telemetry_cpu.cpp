// The cost of telemetry: CPU time of the telemetry thread over ten seconds, as a share of one core.
// The "worker" is this process, with 64 sleeping threads, because each thread has a file.

#include "base/clock.h"
#include "machine/telemetry/recorder.h"

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <vector>

int main() {
  constexpr int kThreads = 64;
  constexpr double kMost = 0.005;
  std::mutex mutex;
  std::condition_variable over;
  bool is_over = false;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      std::unique_lock lock(mutex);
      over.wait(lock, [&] { return is_over; });
    });
  }
  tune::telemetry::Recorder recorder;
  const std::int64_t start_ns = tune::monotonic_ns();
  const auto recording = recorder.begin(getpid());
  std::this_thread::sleep_for(std::chrono::seconds(10));
  const auto seen = recording->end({start_ns, tune::monotonic_ns()},
                                   tune::telemetry::Span{start_ns, tune::monotonic_ns()});
  {
    const std::scoped_lock lock(mutex);
    is_over = true;
  }
  over.notify_all();
  for (std::thread& thread : threads) {
    thread.join();
  }
  int missing = 0;
  for (const auto& series : seen.series) {
    missing += series.mean ? 0 : 1;
  }
  std::printf("%lld readings of %zu series (%d not applicable): %.4f %% of a core\n",
              static_cast<long long>(seen.samples),
              seen.series.size(),
              missing,
              seen.cpu_ratio * 100);
  return seen.cpu_ratio <= kMost ? 0 : 1;
}
