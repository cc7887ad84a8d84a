#pragma once

#include "trial/device_report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::trial {

/// The output of `tune-worker --describe`.
struct WorkerDescription {
  std::int64_t protocol = 0;
  std::string version, torch_version, cpu_capability, jpeg_version;
  std::string device;                         ///< "cpu" or "cuda"; "" when it does not say
  std::vector<std::string> knobs, workloads;  ///< that it implements; empty when it does not say
  std::optional<GpuFacts> gpu;
  std::string no_gpu_kind, no_gpu_text;  ///< why there is none: "driver_too_old"; "" with a GPU
};

void fields_of(Fields& fields, WorkerDescription& worker);

/// Throws tune::Error naming `where` when the text is not such a description.
WorkerDescription parse_worker_description(std::string_view text, const std::string& where);

}  // namespace tune::trial
