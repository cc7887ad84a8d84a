#pragma once

#include "trial/trial_reply.h"

#include <functional>

namespace tune::worker {

/// Counts what `work` asks of LibTorch: calls of operators, allocations, bytes; the peak is that of
/// the bytes allocated since its beginning. Operators that others call count beside them. To be
/// called by one thread at a time.
///
/// Counted are the calling thread and the threads to which LibTorch hands its state: the one of
/// autograd that runs the backward pass of a GPU. Loader threads are left out: they call operators
/// at moments of their own. A callback of all threads would have to be there from the start, and
/// even disabled it makes every step of a small model longer (by 0.8 %).
trial::Structure count_structure(const std::function<void()>& work);

}  // namespace tune::worker
