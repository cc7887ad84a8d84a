#include "worker/cuda/absence.h"

#include "machine/gpu_driver.h"

#include <utility>

namespace tune::worker {

namespace {

// CUresult and cudaError_t: one list of numbers.
enum Code {
  insufficient_driver = 35,
  devices_unavailable = 46,
  no_device = 100,
  operating_system = 304,
  not_permitted = 800,
  not_ready = 802,
  driver_mismatch = 803,
  compat_not_supported = 804,
};

const char* kind_of(int code) {
  switch (code) {
    case insufficient_driver:
    case driver_mismatch:
    case compat_not_supported:
      return "driver_too_old";
    case no_device:
      return "no_device";
    case devices_unavailable:  // another process has exclusive use (compute mode)
      return "busy";
    case operating_system:  // the device files cannot be opened
    case not_permitted:
      return "no_permission";
    case not_ready:
      return "not_ready";
    default:
      return "driver_error";
  }
}

std::string dotted(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

Unavailable why_no_device(int code, const std::string& call, const std::string& words) {
  std::string text = call;
  text += " says ";
  text += words.empty() ? "error" : words;
  text += " (" + std::to_string(code) + ")";
  return {kind_of(code), std::move(text)};
}

Unavailable driver_too_old(int version, int oldest) {
  std::string text = "the driver supports CUDA " + dotted(version);
  text += ", LibTorch needs " + dotted(oldest) + " (driver R" +
          std::to_string(machine::oldest_driver_release(oldest)) + " or newer)";
  return {"driver_too_old", std::move(text)};
}

}  // namespace tune::worker
