#pragma once

#include "probe/number.h"
#include "worker/cuda_loader.h"

#include <vector>

namespace tune::worker {

/// h2d_rate and d2h_rate: one copy of page-locked memory to the GPU and one back, each waited for
/// (64 MiB, 16 when quick). Without a GPU, or where it fails, both with the reason.
std::vector<probe::Number> copy_rates(const CudaLoad& cuda, const probe::Effort& effort);

}  // namespace tune::worker
