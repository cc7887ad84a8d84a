#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tune::machine {

/// CPU time of one process since it began, all its threads together; in ticks of mostly 10 ms.
struct ProcessTime {
  std::string name;          ///< "cc1plus", as the kernel cuts it: 15 bytes
  std::int64_t started = 0;  ///< ticks since boot: tells a process from one that got its number
  std::int64_t cpu_ns = 0;
};

/// Every process that can be seen, by its id; <root>/proc/<id>/stat. Those outside of a container
/// cannot be seen from within.
std::map<int, ProcessTime> read_process_times(const std::filesystem::path& root = "/");

/// One that used CPUs between two readings.
struct BusyProcess {
  int process = 0;
  std::string name;
  double cpus = 0;  ///< CPU time / time
};

/// Those that used most, at most `count` of them, without `own` and without what used less than a
/// hundredth of a CPU; the busiest first. One that began in between counts from its begin.
std::vector<BusyProcess> busiest(const std::map<int, ProcessTime>& before,
                                 const std::map<int, ProcessTime>& after,
                                 std::int64_t elapsed_ns,
                                 int own,
                                 std::size_t count);

/// Direct children of this process, zombies included, sorted; empty when the kernel does not tell.
std::vector<int> child_processes();

/// Ends, at once, every direct child of this process that is not in the sorted list `spared`, and
/// what falls to this process by that where it is a subreaper; all are reaped. Who has become
/// another user is left alone.
void kill_children(const std::vector<int>& spared);

}  // namespace tune::machine
