#pragma once

#include "trial/trial_reply.h"
#include "worker/cuda/plugin.h"

namespace tune::worker {

/// What this process sees of the machine; threads and CPUs as the knobs have left them. `gpu` is
/// the one that computes, or null.
trial::WorkerFacts read_worker_facts(const CudaPlugin* gpu);

}  // namespace tune::worker
