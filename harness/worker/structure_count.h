#pragma once

#include "trial/trial_reply.h"

#include <functional>

namespace tune::worker {

/// Counts what `work` requests from LibTorch: operator calls, allocations, bytes; the peak is that
/// of the bytes allocated since the start. Nested operators count as well. Only one thread may call
/// it at a time.
///
/// It counts the calling thread and the threads to which LibTorch passes its state: the autograd
/// thread that runs the backward pass of a GPU. Loader threads are left out: they call operators at
/// unrelated times. A callback for all threads would have to exist from the start, and even
/// disabled it makes every step of a small model longer (by 0.8 %).
trial::Structure count_structure(const std::function<void()>& work);

}  // namespace tune::worker
