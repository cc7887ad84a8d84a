#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>

namespace tune::machine {

/// What this process, all its threads together, has done since it began.
struct ProcessUsage {
  std::int64_t minor_faults = 0, major_faults = 0;
  std::int64_t voluntary_switches = 0, involuntary_switches = 0;
  std::int64_t cpu_ns = 0;
  /// Ready to run and waiting for a CPU. Nothing when the kernel does not count it. What a thread
  /// waited that began and ended between two readings is missing.
  std::optional<std::int64_t> run_delay_ns;
};

/// Meant for the edges of slices: about 1 us a thread. The kernel sums everything but the run
/// delay, which it tells per thread, so those files stay open.
class ProcessUsageReader {
 public:
  explicit ProcessUsageReader(const std::filesystem::path& root = "/");
  ~ProcessUsageReader();
  ProcessUsageReader(const ProcessUsageReader&) = delete;
  ProcessUsageReader& operator=(const ProcessUsageReader&) = delete;

  ProcessUsage read();

 private:
  struct Thread {
    int file = -1;
    std::int64_t delay_ns = 0;
    bool seen = false;  // in the last listing
  };

  void list_threads();
  std::optional<std::int64_t> read_run_delay();

  int folder_ = -1;                // /proc/self/task
  std::map<int, Thread> threads_;  // by thread id
  std::int64_t ended_delay_ns_ = 0;
};

/// What happened between two readings.
ProcessUsage difference(const ProcessUsage& before, const ProcessUsage& after);

}  // namespace tune::machine
