#pragma once

#include "trial/trial_reply.h"
#include "worker/cuda/plugin.h"
#include "worker/cuda_loader.h"

#include <string>

namespace tune::worker {

/// The machine as this process sees it, with threads and CPUs as set by the knobs. `gpu` is the GPU
/// that computes, or null.
trial::WorkerFacts read_worker_facts(const CudaPlugin* gpu);

/// JSON: what this worker implements, so that a test can compare the catalogues with it, and the
/// GPU that a trial with `device: auto` would get, or why none.
std::string describe_worker(const CudaLoad& cuda);

}  // namespace tune::worker
