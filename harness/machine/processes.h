#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tune::machine {

/// CPU time of one process since it started, summed over its threads; in ticks of mostly 10 ms.
struct ProcessTime {
  std::string name;  ///< "cc1plus", as the kernel cuts it: 15 bytes
  std::int64_t started =
      0;  ///< ticks since boot: distinguishes a process from one that reuses its id
  std::int64_t cpu_ns = 0;
};

/// Every process that can be seen, by its id; <root>/proc/<id>/stat. Those outside a container
/// cannot be seen from inside.
std::map<int, ProcessTime> read_process_times(const std::filesystem::path& root = "/");

/// A process that used CPUs between two readings.
struct BusyProcess {
  int process = 0;
  std::string name;
  double cpus = 0;  ///< CPU time / time
};

/// The busiest processes first, at most `count` of them, without `own` and without those that used
/// less than a hundredth of a CPU. A process that started in between counts from its start.
std::vector<BusyProcess> busiest(const std::map<int, ProcessTime>& before,
                                 const std::map<int, ProcessTime>& after,
                                 std::int64_t elapsed_ns,
                                 int own,
                                 std::size_t count);

/// Direct children of a process, zombies included, sorted; empty when the kernel does not list
/// them. <root>/proc/<process>/task/*/children.
std::vector<int> children_of(int process, const std::filesystem::path& root = "/");

/// Those of this process.
std::vector<int> child_processes();

/// Kills every direct child of this process that is not in the sorted list `spared`, and every
/// orphan that this process inherits as a subreaper; all are reaped. Processes that have become
/// another user are left alone.
void kill_children(const std::vector<int>& spared);

}  // namespace tune::machine
