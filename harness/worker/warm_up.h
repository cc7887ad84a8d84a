#pragma once

#include "worker/running_trial.h"

#include <cstdint>
#include <functional>

namespace tune::worker {

/// Runs from the first step until right before the measured window. The first step always belongs
/// to the warm-up, which lasts as long as the spec says, or until the steps are steady, and in any
/// case until they are replayed where they will be (step_graph.h).
///
/// A pause in it, as for the sentinel, is followed by one more step, which brings the model back
/// into the caches, and by as many as the loader's stock needs to return to its level: batches made
/// during a pause would flatter the next measurement.
void warm_up(RunningTrial& trial);

/// The first step of warm_up() alone. Returns the time when it began to compute.
std::int64_t first_step(RunningTrial& trial);

/// Runs `step` once after a pause, and then until the loader's stock is back at `stock`, but at
/// most for twice the surplus in batches.
void settle_stock(RunningTrial& trial, std::int64_t stock, const std::function<void()>& step);

/// Times the sentinel once the loader's threads have nothing left to do, or after a second.
std::int64_t time_sentinel_ns(const RunningTrial& trial);

}  // namespace tune::worker
