#pragma once

#include "probe/number.h"

#include <vector>

namespace tune::probe {

/// decode_time_per_kb and decode_time_per_kpx of JPEG files, 4:2:0 and 4:4:4, on one thread: fitted
/// to generated images of the profile `imagenet`.
std::vector<Number> decode_cost(const Effort& effort);

}  // namespace tune::probe
