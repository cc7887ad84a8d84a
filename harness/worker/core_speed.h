#pragma once

#include <cstdint>

namespace tune::worker {

/// Whether no two threads of LibTorch's intra-op pools, one in each of `processes`, must share a
/// CPU. If they do, they slow each other down randomly, and core probes say nothing about other
/// processes.
bool each_thread_has_a_cpu(std::int64_t processes);

/// time_core_probe_ns() on all threads of LibTorch's intra-op pool at once; returns the slowest,
/// because operators wait for it as well.
std::int64_t time_slowest_core_ns();

}  // namespace tune::worker
