#pragma once

#include "machine/text_file.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace tune::machine {

/// What the scheduler did with all threads of a process since it began.
struct RunDelay {
  std::int64_t delay_ns = 0;       ///< ready to run and waiting for a CPU
  std::int64_t turns = 0;          ///< how often a thread got one: switches to it
  std::int64_t main_delay_ns = 0;  ///< of the thread that the process began with, alone
};

/// Reads <root>/proc/<process>/task/*/schedstat, about 1 us a thread: the kernel tells it per
/// thread only, so those files stay open. What a thread did that began and ended between two
/// readings is missing.
class RunDelayReader {
 public:
  /// `process`: an id, or "self".
  RunDelayReader(const std::string& process, const std::filesystem::path& root);
  ~RunDelayReader();
  RunDelayReader(const RunDelayReader&) = delete;
  RunDelayReader& operator=(const RunDelayReader&) = delete;

  /// Never falls. Nothing when the kernel does not count it.
  std::optional<RunDelay> read();

 private:
  struct Thread {
    int file = -1;
    RunDelay seen;
    bool listed = false;  // in the last listing
  };

  void list_threads();

  int folder_ = -1;                // .../task
  int main_ = 0;                   // the thread that has the id of its process
  std::map<int, Thread> threads_;  // by thread id
  RunDelay ended_;                 // of threads that are gone
};

/// What this process, all its threads together, has done since it began.
struct ProcessUsage {
  std::int64_t minor_faults = 0, major_faults = 0;
  std::int64_t voluntary_switches = 0, involuntary_switches = 0;
  std::int64_t cpu_ns = 0;
  /// Ready to run and waiting for a CPU. Nothing when the kernel does not count it. What a thread
  /// waited that began and ended between two readings is missing.
  std::optional<std::int64_t> run_delay_ns;
  std::optional<std::int64_t> main_run_delay_ns;  ///< of the first thread alone
};

/// Meant for the edges of slices: about 1 us a thread. The kernel sums everything but the run
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

/// What another process, all its threads together, has done since it began. Nothing where the
/// kernel does not tell, or not us.
struct ForeignUsage {
  std::optional<std::int64_t> user_ns, system_ns;  ///< CPU time, in ticks of mostly 10 ms
  std::optional<std::int64_t> minor_faults, major_faults;
  std::optional<std::int64_t> threads, resident_bytes;  ///< now
  std::optional<RunDelay> run_delay;
  std::optional<std::int64_t> read_bytes, written_bytes;  ///< fetched from and sent to storage
};

/// Reads <root>/proc/<process>/{stat,io,task/*/schedstat}, which stay open: a process that took
/// over the number is never mistaken for it.
class ForeignProcessReader {
 public:
  explicit ForeignProcessReader(int process, const std::filesystem::path& root = "/");

  ForeignUsage read();

  /// Why the files stat, io and schedstat gave nothing the last time; "" each when they did.
  std::string stat_problem() const;
  std::string io_problem() const;
  std::string delay_problem() const;

 private:
  std::string folder_;
  KeptText stat_, io_;
  RunDelayReader run_delay_;
  bool has_delay_ = false;
};

/// How many threads this process has now; <root>/proc/self/status.
std::optional<std::int64_t> thread_count(const std::filesystem::path& root = "/");

}  // namespace tune::machine
