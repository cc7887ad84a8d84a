#include "worker/core_speed.h"

#include "worker/reference_work.h"
#include "worker/usable_cpus.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>

namespace tune::worker {

bool each_thread_has_a_cpu(std::int64_t processes) {
  const std::size_t cpus = usable_cpus().size();
  return cpus == 0 || static_cast<std::size_t>(at::get_num_threads() * processes) <= cpus;
}

std::int64_t time_slowest_core_ns() {
  std::atomic<std::int64_t> slowest_ns = 0;
  at::parallel_for(0, at::get_num_threads(), 1, [&](std::int64_t /*begin*/, std::int64_t /*end*/) {
    const std::int64_t ns = time_core_probe_ns();
    std::int64_t seen = slowest_ns.load();
    while (seen < ns && !slowest_ns.compare_exchange_weak(seen, ns)) {
    }
  });
  return slowest_ns.load();
}

}  // namespace tune::worker
