#pragma once

#include <string>

namespace tune::worker {

/// JSON: what this worker implements, so that a test can hold the catalogues against it.
std::string describe_worker();

}  // namespace tune::worker
