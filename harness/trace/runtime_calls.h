#pragma once

#include "trace/launches.h"
#include "trace/partition.h"
#include "trace/timeline.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

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
///                 event waits of the host
///     allocation  cudaMalloc*, cudaFree*, cudaHostAlloc, cuMem* that map or allocate
///     copy        other copies and fills
CallKind call_kind_of(std::string_view name);

/// True for copies that do not wait by their name: whether such a call waited, its time says.
bool is_async_copy(std::string_view name);

/// What each call of a trace into a device's library was for: by its name, and of copies by how
/// long they took.
class CallKinds {
 public:
  CallKinds() = default;
  CallKinds(const Timeline& timeline, const Launches& launches);

  /// The kind of the event with that index; `rest` when it is not a call. A copy that is
  /// asynchronous by its name is `blocking` when it took longer than blocking_copy_limit_ns() or
  /// moved pageable memory.
  CallKind operator()(std::uint32_t event) const { return kinds_[event]; }

  /// 3 x the median call of those that move at most 64 KiB, from 20 to 100 us: where most of them
  /// wait, their median is a wait too. Ours.
  std::int64_t blocking_copy_limit_ns() const { return blocking_copy_limit_ns_; }

 private:
  std::vector<CallKind> kinds_;  ///< by event
  std::int64_t blocking_copy_limit_ns_ = 0;
};

/// The part `runtime` of a partition by what the calls were for.
struct RuntimeSplit {
  using Times = std::array<std::int64_t, kCallKinds>;

  /// The exposed runtime part by kind; sums to it exactly. Where calls of several threads overlap,
  /// the one that works counts before the one that waits: launch, allocation, copy, blocking, rest.
  Times exposed_ns{};
  /// All calls that begin within a step: how many, and their time on the host, threads added up.
  Times calls{}, host_ns{};
  /// What the devices did while the host was blocked, exposed or not; the three sum to the time at
  /// which any thread was blocked within steps. Waiting for kernels does not cost anything by
  /// itself; while nothing ran, the device was kept waiting too.
  std::int64_t blocked_during_kernels_ns = 0;
  std::int64_t blocked_during_copies_ns = 0;
  std::int64_t blocked_for_nothing_ns = 0;
  /// An asynchronous copy whose call took longer was blocking (trace/runtime_calls.h).
  std::int64_t blocking_copy_limit_ns = 0;
};

RuntimeSplit split_runtime(const Timeline& timeline,
                           const Partition& partition,
                           const CallKinds& kind_of);

}  // namespace tune::profile
