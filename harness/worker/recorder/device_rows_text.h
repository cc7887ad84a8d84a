#pragma once

#include "worker/recorder/device_side.h"

#include <cstdint>
#include <functional>
#include <string>

namespace tune::worker {

/// The process and the time origin of a trace's rows.
struct TracePlace {
  std::int64_t process = 0;    ///< of the host
  std::int64_t origin_ns = 0;  ///< CLOCK_MONOTONIC at ts 0; no row begins earlier
};

/// The elements of deviceProperties, "[{...}]", as Kineto writes them.
void append_device_properties(std::string& json, const CudaFacts& gpu);

/// The rows of a GPU and of the calls to it, as Kineto writes them: each begins with ",\n".
/// Launches are linked to their work by "correlation" and by ac2g arrows, to their operators by
/// "External id". `is_whole` is called after each row and may consume the text.
void append_device_rows(std::string& json,
                        const DeviceSide& side,
                        const TracePlace& place,
                        const std::function<void()>& is_whole);

}  // namespace tune::worker
