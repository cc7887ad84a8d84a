#pragma once

#include "machine/text_file.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tune::machine {

/// What the scheduler has done with all threads of a process since it started.
struct RunDelay {
  std::int64_t delay_ns = 0;       ///< ready to run and waiting for a CPU
  std::int64_t turns = 0;          ///< how often a thread got a CPU
  std::int64_t main_delay_ns = 0;  ///< of the first thread only
  /// CPU time of the threads called kPinThread; nothing before there was one.
  std::optional<std::int64_t> pin_thread_cpu_ns;
};

/// The same of one thread.
struct ThreadSchedule {
  std::int64_t cpu_ns = 0, delay_ns = 0, turns = 0;
};

/// Reads <root>/proc/<process>/task/*/schedstat, about 1 us per thread: the kernel reports it only
/// per thread, so those files stay open. Threads that started and ended between two readings are
/// missing.
class RunDelayReader {
 public:
  /// What PyTorch calls the thread of a DataLoader that copies batches into pinned memory
  /// (torch/utils/data/_utils/pin_memory.py of 2.11; older versions do not name it).
  static constexpr std::string_view kPinThread = "pt_data_pin";

  /// `process`: an id, or "self".
  RunDelayReader(const std::string& process, const std::filesystem::path& root);
  ~RunDelayReader();
  RunDelayReader(const RunDelayReader&) = delete;
  RunDelayReader& operator=(const RunDelayReader&) = delete;

  /// Never decreases. Nothing when the kernel does not count it.
  std::optional<RunDelay> read();

 private:
  struct Thread {
    int file = -1;
    RunDelay seen;
    bool listed = false;  // in the last listing
    int readings = 0;
  };

  void list_threads();
  bool is_pin_thread(int id) const;
  void update(int id, Thread& thread, const ThreadSchedule& now);

  int folder_ = -1;                // .../task
  int main_ = 0;                   // the thread that has the id of its process
  std::map<int, Thread> threads_;  // by thread id
  RunDelay ended_;                 // of threads that have ended
};

/// What all threads of this process have done since it started.
struct ProcessUsage {
  std::int64_t minor_faults = 0, major_faults = 0;
  std::int64_t voluntary_switches = 0, involuntary_switches = 0;
  std::int64_t cpu_ns = 0;
  /// Ready to run and waiting for a CPU. Nothing when the kernel does not count it. Threads that
  /// started and ended between two readings are missing.
  std::optional<std::int64_t> run_delay_ns;
  std::optional<std::int64_t> main_run_delay_ns;  ///< of the first thread only
};

/// Meant for the edges of slices: about 1 us per thread. The kernel sums everything except the run
/// delay.
class ProcessUsageReader {
 public:
  explicit ProcessUsageReader(const std::filesystem::path& root = "/") : run_delay_("self", root) {}

  ProcessUsage read();

 private:
  RunDelayReader run_delay_;
};

/// What happened between two readings.
ProcessUsage difference(const ProcessUsage& before, const ProcessUsage& after);

/// What all threads of another process have done since it started. Nothing when the kernel does not
/// report it, or not to us.
struct ForeignUsage {
  std::optional<std::int64_t> user_ns, system_ns;  ///< CPU time, in ticks of mostly 10 ms
  std::optional<std::int64_t> minor_faults, major_faults;
  std::optional<std::int64_t> threads, resident_bytes;  ///< now
  std::optional<RunDelay> run_delay;
  std::optional<std::int64_t> read_bytes, written_bytes;  ///< fetched from and sent to storage
};

/// Reads <root>/proc/<process>/{stat,io,task/*/schedstat}, which stay open: a process that reuses
/// the id is never mistaken for it.
class ForeignProcessReader {
 public:
  explicit ForeignProcessReader(int process, const std::filesystem::path& root = "/");

  ForeignUsage read();

  /// Why the last reading of stat, io and schedstat gave nothing; "" each when it did.
  std::string stat_problem() const;
  std::string io_problem() const;
  std::string delay_problem() const;

 private:
  std::string folder_;
  KeptText stat_, io_;
  RunDelayReader run_delay_;
  bool has_delay_ = false;
};

/// CPU time of a process and of its children that have ended and were waited for, in ticks of
/// mostly 10 ms; <root>/proc/<process>/stat.
std::optional<std::int64_t> cpu_ns_with_children(int process,
                                                 const std::filesystem::path& root = "/");

/// How many threads this process has now; <root>/proc/self/status.
std::optional<std::int64_t> thread_count(const std::filesystem::path& root = "/");

}  // namespace tune::machine
