#pragma once

#include "trial/trial_reply.h"
#include "worker/cuda/plugin.h"
#include "worker/cuda_loader.h"

#include <string>

namespace tune::worker {

/// What this process sees of the machine; threads and CPUs as the knobs have left them. `gpu` is
/// the one that computes, or null.
trial::WorkerFacts read_worker_facts(const CudaPlugin* gpu);

/// JSON: what this worker implements, so that a test can hold the catalogues against it, and the
/// GPU that a trial with `device: auto` would get, or why none.
std::string describe_worker(const CudaLoad& cuda);

}  // namespace tune::worker
