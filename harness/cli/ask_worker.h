#pragma once

#include "doctor/observation.h"
#include "trial/worker_description.h"

#include <filesystem>
#include <optional>
#include <string>

namespace tune::cli {

/// What a worker says of itself.
struct WorkerAnswer {
  std::optional<trial::WorkerDescription> description;
  std::string problem;  ///< why there is none
};

/// Runs `<worker> --describe`, which really opens the GPU. Loading LibTorch takes it a second, and
/// with CUDA several: each worker is asked once in the life of this process.
const WorkerAnswer& ask_worker(const std::filesystem::path& worker);

}  // namespace tune::cli
