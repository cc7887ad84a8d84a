#pragma once

#include "worker/cuda_loader.h"

#include <string>

namespace tune::worker {

/// JSON: what this worker implements, so that a test can hold the catalogues against it, and the
/// GPU that a trial with `device: auto` would get, or why none.
std::string describe_worker(const CudaLoad& cuda);

}  // namespace tune::worker
