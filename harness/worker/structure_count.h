#pragma once

#include "trial/trial_reply.h"

#include <functional>

namespace tune::worker {

/// Counts what `work` asks of LibTorch on the calling thread: calls of operators, allocations,
/// bytes; the peak is that of the bytes allocated since its beginning. Operators that others call
/// count beside them. Loader threads are left out: they call operators at moments of their own.
///
/// Only this thread listens, and only now. A callback of all threads would have to be there from
/// the start, and even disabled it makes every step of a small model longer (by 0.8 %).
trial::Structure count_structure(const std::function<void()>& work);

}  // namespace tune::worker
