#pragma once

#include <cstdint>

namespace tune::worker {

/// time_core_probe_ns() on all threads of LibTorch's intra-op pool at once, the slowest of them: an
/// operator waits for it as well.
std::int64_t time_slowest_core_ns();

}  // namespace tune::worker
