#include "rule/unmeasured.h"

#include <algorithm>
#include <array>

namespace tune::rule {

namespace {

struct Unmeasured {
  std::string_view name;
  const char* why;
};

constexpr std::array<Unmeasured, 7> kUnmeasured = {
    {{"copied_bytes_rate",
      "a trace does not say which thread pins batches; `top -H` shows the thread pin_memory of a "
      "Python loader, and tune's own loader has none"},
     {"gpu_numa_node",
      "the worker does not ask which memory node its GPU is on; `nvidia-smi topo -m` shows it"},
     {"nominal_bandwidth",
      "a trace does not say which links join the GPUs; compare bus_bandwidth with what "
      "`nvidia-smi topo -m` and the data sheet of the machine say"},
     {"pin_thread_cpu_ratio",
      "a trace does not say which thread pins batches; `top -H` shows the thread pin_memory of a "
      "Python loader"},
     {"remote_access_ratio",
      "it takes counters of the memory controller, which containers and most virtual machines do "
      "not get; on the machine itself `numastat -p PID`, or `perf stat -e node-load-misses`"},
     {"threads_off_gpu_node",
      "the worker does not ask which memory node its GPU is on; `nvidia-smi topo -m` shows which "
      "CPUs are near it"},
     {"worker_system_time_ratio",
      "the system time of loader threads is not told apart from that of the training; "
      "system_time_ratio has both"}}};

}  // namespace

const char* why_unmeasured(std::string_view name) {
  const auto found = std::find_if(kUnmeasured.begin(),
                                  kUnmeasured.end(),
                                  [&](const Unmeasured& each) { return each.name == name; });
  return found == kUnmeasured.end() ? "nothing measures it yet" : found->why;
}

}  // namespace tune::rule
