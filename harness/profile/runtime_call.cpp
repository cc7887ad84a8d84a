#include "profile/runtime_call.h"

#include <algorithm>

namespace tune::profile {

namespace {

constexpr std::array<std::string_view, kCallKinds> kNames = {
    "launch", "allocation", "copy", "blocking", "rest"};

bool has(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

bool has_any(std::string_view name, std::initializer_list<std::string_view> parts) {
  return std::any_of(
      parts.begin(), parts.end(), [name](std::string_view part) { return has(name, part); });
}

bool is_launch(std::string_view name) {
  // cudaLaunchHostFunc only enqueues a call of the host; it starts no kernel.
  return !has(name, "HostFunc") && has_any(name,
                                           {"LaunchKernel",
                                            "LaunchCooperative",
                                            "GraphLaunch",
                                            "KernelLaunch",
                                            "AppendLaunch",
                                            "hipLaunch",
                                            "cudaLaunchDevice",
                                            "LaunchGrid",
                                            "cuLaunch"});
}

bool is_wait(std::string_view name) {
  return has(name, "Synchronize") ||
         has_any(name,
                 {"urQueueFinish", "urEventWait", "urEventsWait", "piQueueFinish", "piEventsWait"});
}

bool is_copy(std::string_view name) {
  return has_any(name,
                 {"Memcpy",
                  "Memset",
                  "MemcpyAsync",
                  "EnqueueMemBuffer",
                  "EnqueueUSMFill",
                  "AppendMemoryCopy",
                  "AppendMemoryFill"});
}

bool is_allocation(std::string_view name) {
  return has_any(name,
                 {"Malloc",
                  "Free",
                  "HostAlloc",
                  "HostRegister",
                  "HostUnregister",
                  "USMHostAlloc",
                  "USMDeviceAlloc",
                  "USMSharedAlloc",
                  "zeMemAlloc"}) ||
         name.starts_with("cuMem") || name.starts_with("hipMemCreate") ||
         name.starts_with("hipMemMap") || name.starts_with("hipMemUnmap") ||
         name.starts_with("hipMemSetAccess") || name.starts_with("hipMemAddress");
}

}  // namespace

std::string_view call_kind_name(CallKind kind) {
  return kNames[static_cast<std::size_t>(kind)];
}

bool is_async_copy(std::string_view name) {
  return is_copy(name) && !has(name, "Memset") && has(name, "Async");
}

CallKind call_kind_of(std::string_view name) {
  if (is_launch(name)) {
    return CallKind::launch;
  }
  if (is_wait(name)) {
    return CallKind::blocking;
  }
  const bool is_driver_copy = name.starts_with("cuMemcpy") || name.starts_with("cuMemset");
  if (is_copy(name) || is_driver_copy) {
    const bool is_fill = has(name, "Memset") || has(name, "Fill");
    // SYCL and Level Zero only enqueue; CUDA and HIP say Async where they do.
    const bool is_enqueued = has(name, "Async") || has(name, "Enqueue") || has(name, "Append");
    return is_fill || is_enqueued ? CallKind::copy : CallKind::blocking;
  }
  if (has(name, "MemGetInfo") || has(name, "MemGetAddressRange")) {
    return CallKind::rest;
  }
  return is_allocation(name) ? CallKind::allocation : CallKind::rest;
}

}  // namespace tune::profile
