#pragma once

#include "worker/running_trial.h"

#include <cstdint>
#include <functional>

namespace tune::worker {

/// From the first step to the moment before the measured window. The first step is always one of
/// the warm-up, which lasts as long as the spec says, or until the steps are steady.
///
/// A pause in it, as for the sentinel, is followed by one more step, which brings the model back
/// into the caches, and by as many as the loader's stock needs to be again what it was: what the
/// loader has made in a pause would flatter what is measured next.
void warm_up(RunningTrial& trial);

/// Runs `step` once after a pause, and then until the loader's stock is `stock` again, as far as
/// twice the surplus in batches does it.
void settle_stock(RunningTrial& trial, std::int64_t stock, const std::function<void()>& step);

/// Times the sentinel when the loader's threads have nothing left to do, or after a second.
std::int64_t time_sentinel_ns(const RunningTrial& trial);

}  // namespace tune::worker
