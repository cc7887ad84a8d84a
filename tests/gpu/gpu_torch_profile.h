#pragma once

#include <functional>
#include <string>

namespace tune::gpu_items {

/// Runs `steps` steps under torch's own profiler, CPU and CUDA, each as ProfilerStep#i with a
/// synchronisation at its end, and writes its trace to the file.
void torch_profile(const std::function<void()>& step, int steps, const std::string& file);

}  // namespace tune::gpu_items
