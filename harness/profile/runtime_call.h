#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tune::profile {

/// What a call into the device's library is for, by its name. A large share of "runtime" is mostly
/// waiting, not the cost of launching.
enum class CallKind : std::uint8_t { launch, allocation, copy, blocking, rest };
constexpr std::size_t kCallKinds = static_cast<std::size_t>(CallKind::rest) + 1;

/// "launch", "allocation", "copy", "blocking", "rest".
std::string_view call_kind_name(CallKind kind);

/// For the names of CUDA (runtime and driver), HIP, SYCL's Unified Runtime and Level Zero:
///
///     launch      cudaLaunchKernel(ExC), cudaLaunchCooperativeKernel, cuLaunchKernel(Ex),
///                 cudaGraphLaunch, hipModuleLaunchKernel, urEnqueueKernelLaunch, ...
///     blocking    cudaDevice-, Stream-, EventSynchronize; copies that are not Async; queue and
///     event
///                 waits of the host
///     allocation  cudaMalloc*, cudaFree*, cudaHostAlloc, cuMem* that map or allocate
///     copy        other copies and fills
CallKind call_kind_of(std::string_view name);

/// True for copies that do not wait by their name: whether such a call waited, its time says.
bool is_async_copy(std::string_view name);

}  // namespace tune::profile
