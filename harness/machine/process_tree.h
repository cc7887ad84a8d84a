#pragma once

#include "machine/process_usage.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace tune::machine {

/// The CPU time of a process, of its descendants, and of their children that have ended and were
/// waited for, in ticks of mostly 10 ms: it misses nothing between two readings, as sums over the
/// processes that are there do. Nothing where `member` (which may be the process itself) is not
/// among them, as a rank that a cluster's daemon has started, or where the kernel lists no
/// children. <root>/proc/<process>/stat and task/*/children: about 30 us a process.
std::optional<std::int64_t> family_cpu_ns(int process,
                                          int member,
                                          const std::filesystem::path& root = "/");

/// The user as whom the Pythons among the descendants of a process run, where none of them is that
/// of `own`: another user's Python cannot be watched. Nothing without a Python.
/// <root>/proc/<process>/cmdline and status, the effective user.
std::optional<std::int64_t> other_user_of_pythons(int process,
                                                  std::int64_t own,
                                                  const std::filesystem::path& root = "/");

/// What a process and all its descendants have done since they started: the worker of a script is
/// the parent of the training, which is the parent of its DataLoader's workers, ranks have
/// processes of their own.
class ProcessTreeReader {
 public:
  explicit ProcessTreeReader(int process, const std::filesystem::path& root = "/");

  /// Counters are sums that never decrease: processes that have ended count as they were last seen.
  /// Threads are those of all, memory is that of the largest process (processes share pages).
  /// Nothing where the first process shows nothing. Looks for new processes at most once a second,
  /// at `now_ns` of any steady clock.
  ForeignUsage read(std::int64_t now_ns);

  /// The first process; "" each when its last reading gave something.
  std::string stat_problem() const { return first_.stat_problem(); }
  std::string io_problem() const { return first_.io_problem(); }
  std::string delay_problem() const { return first_.delay_problem(); }

 private:
  struct Descendant {
    Descendant(int process, const std::filesystem::path& root) : reader(process, root) {}

    ForeignProcessReader reader;
    ForeignUsage seen;
  };

  void find_descendants();

  int process_;
  std::filesystem::path root_;
  ForeignProcessReader first_;
  std::map<int, Descendant> descendants_;  // by process
  ForeignUsage ended_;                     // counters of descendants that have ended
  std::int64_t looked_ns_ = 0;             // for new processes; 0: never
};

}  // namespace tune::machine
