#pragma once

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

}  // namespace tune::machine
