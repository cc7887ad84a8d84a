#pragma once

#include <cstdint>
#include <string_view>

namespace tune::profile {

/// What a row of a trace is, from its `cat`. Names of 2021 (Operator, Runtime, Kernel, ...), of
/// ROCm and of other vendors mean the same categories. A row is never classified by its pid: Python
/// frames are written with pid 0, which is also the first GPU.
enum class Category : std::uint8_t {
  cpu_op,               ///< operator: aten::mm, also `Operator` (2021)
  user_annotation,      ///< record_function, ProfilerStep#N, enumerate(DataLoader)#...
  gpu_user_annotation,  ///< the same, repeated on a device row
  kernel,
  memcpy,
  memset,
  runtime,          ///< cudaLaunchKernel, hipMemcpyAsync, ...: every *_runtime
  driver,           ///< cuLaunchKernel (Triton, cuBLASLt), ...: every *_driver
  synchronization,  ///< cuda_sync: "Stream Sync", "Event Sync", ...
  python_function,
  overhead,  ///< the profiler's own: buffers, instrumentation
  span,      ///< `Trace`: how long the profiler was on
  other      ///< known or unknown, without a part in any definition here
};

/// From the text of `cat`, in any case. Unknown names and an empty one are `other`.
Category category_of(std::string_view cat);

/// True for kernel, memcpy and memset: work of a device.
constexpr bool is_device_work(Category category) {
  return category == Category::kernel || category == Category::memcpy ||
         category == Category::memset;
}

/// True for runtime and driver: calls of the host into the device's library.
constexpr bool is_device_call(Category category) {
  return category == Category::runtime || category == Category::driver;
}

/// True for names that Kineto or another PyTorch profiler writes: a file without any such row is
/// another tool's.
bool is_known_category(std::string_view cat);

}  // namespace tune::profile
