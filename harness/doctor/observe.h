#pragma once

#include "doctor/observation.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune::doctor {

struct ObserveOptions {
  std::filesystem::path root = "/";
  std::string nvml_library = "libnvidia-ml.so.1";
  std::optional<std::string> visible_devices;  ///< CUDA_VISIBLE_DEVICES; nothing: not set
  std::int64_t window_ns = 1'000'000'000;      ///< how long the machine is watched
  std::vector<UsedFolder> folders;             ///< their `space` is filled in
};

/// Reads all of it but `installation` and `removed_variables`; changes nothing.
Observation observe(const ObserveOptions& options);

}  // namespace tune::doctor
