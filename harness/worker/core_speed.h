#pragma once

#include <cstdint>

namespace tune::worker {

/// Whether no two threads of LibTorch's intra-op pool have to share a CPU. Where they do, they
/// slow each other down more or less by chance, and core probes tell nothing of others.
bool each_thread_has_a_cpu();

/// time_core_probe_ns() on all threads of LibTorch's intra-op pool at once, the slowest of them: an
/// operator waits for it as well.
std::int64_t time_slowest_core_ns();

}  // namespace tune::worker
