#pragma once

#include "gpu_steps.h"

#include <string>
#include <vector>

namespace tune::gpu_items {

/// Runs one item of first_run.sh in this process, which may have only one session of CUPTI. Returns
/// false when no item has this name.
bool run_item(const std::string& name,
              worker::CudaPlugin& plugin,
              std::vector<std::string> arguments,
              Answer& answer);

}  // namespace tune::gpu_items
