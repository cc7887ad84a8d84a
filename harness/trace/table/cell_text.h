#pragma once

#include "trace/table/table.h"
#include "trace/timeline.h"

#include <cstdint>
#include <string>

namespace tune::table {

/// 12.345us, 1.234ms, 1.234s: three places, as in PyTorch's tables.
std::string time_text(std::int64_t ns);

/// A cell as people read it, "-" where nothing is known. Texts are as they are in the trace.
std::string cell_text(const Cell& cell, Quantity quantity);

/// What the trace's devices are called: "CUDA", "HIP" (ROCm), "XPU", "MTIA" or "NPU". By the names
/// of calls into their library, else by the versions next to traceEvents, else by the names of the
/// devices, else by the [memory] rows; "Device" where nothing of them says.
std::string device_word(const profile::Timeline& timeline);

/// How many devices of which name: "8 x NVIDIA B200"; "8 devices (HIP)" where they have no name, ""
/// where the trace lists none.
std::string device_names(const profile::Timeline& timeline);

/// The activity of torch.profiler that records the rows of such devices: "ProfilerActivity.XPU",
/// or "ProfilerActivity.CUDA", which is that of ROCm too.
std::string device_activity(const profile::Timeline& timeline);

}  // namespace tune::table
