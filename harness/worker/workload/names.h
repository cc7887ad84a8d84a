#pragma once

#include <string>
#include <vector>

namespace tune::worker {

/// Names of the models that this worker can build, sorted.
std::vector<std::string> workload_names();

}  // namespace tune::worker
