#pragma once

#include "profile/timeline.h"

#include <string>

namespace tune::table {

/// What the trace's devices are called: "CUDA", "HIP" (ROCm) or "XPU". Told by the names of calls
/// into their library, else by the versions beside traceEvents, else by the names of the devices,
/// else by the [memory] rows; "Device" where nothing of them says.
std::string device_word(const profile::Timeline& timeline);

/// The activity of torch.profiler that records the rows of such devices: "ProfilerActivity.XPU",
/// or "ProfilerActivity.CUDA", which is that of ROCm too.
std::string device_activity(const profile::Timeline& timeline);

}  // namespace tune::table
