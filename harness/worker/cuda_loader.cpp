#include "worker/cuda_loader.h"

#include "worker/cuda/absence.h"

#include <cstdlib>
#include <dlfcn.h>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace tune::worker {

namespace {

// The CUDA of the LibTorch that this is built with: 13.0, or 12.0, since a driver for any CUDA 12
// runs all of them.
constexpr int kOldestCuda = TUNE_CUDA_MAJOR * 1'000;

// Part of the driver's interface, which has been stable for a decade; only the plug-in includes its
// header.
using CuInit = int(unsigned int flags);
using CuDriverGetVersion = int(int* version);
using CuGetErrorString = int(int code, const char** words);
using PluginEntry = const CudaPluginEntry*();

std::string last_error() {
  const char* const text = dlerror();
  return text == nullptr ? "unknown error" : text;
}

template <class Function>
Function* find(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

std::string words_for(void* driver, int code) {
  auto* const say = find<CuGetErrorString>(driver, "cuGetErrorString");
  const char* words = nullptr;
  return say != nullptr && say(code, &words) == 0 && words != nullptr ? words : "";
}

// Kind "": a driver answers.
Unavailable ask_driver(const std::string& name) {
  // In NVML's order, whatever the user's shell says: telemetry must show the GPU that computes.
  setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", /*overwrite=*/1);
  void* const driver = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (driver == nullptr) {
    return {"no_driver", "no NVIDIA driver (" + last_error() + ")"};
  }
  auto* const init = find<CuInit>(driver, "cuInit");
  auto* const get_version = find<CuDriverGetVersion>(driver, "cuDriverGetVersion");
  if (init == nullptr || get_version == nullptr) {
    return {"no_driver", name + " is not an NVIDIA driver (it has no cuInit)"};
  }
  int version = 0;  // may be called before cuInit
  const bool has_version = get_version(&version) == 0;
  if (has_version && version < kOldestCuda) {
    return driver_too_old(version, kOldestCuda);
  }
  if (const int code = init(0); code != 0) {
    return why_no_device(code, "cuInit", words_for(driver, code));
  }
  return {};
}

CudaLoad open_plugin(const std::filesystem::path& path) {
  CudaLoad load;
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    load.reason = {"no_plugin", "the CUDA part cannot be loaded (" + last_error() + ")"};
    return load;
  }
  auto* const entry_of = find<PluginEntry>(library, kCudaPluginEntry);
  const CudaPluginEntry* const entry = entry_of == nullptr ? nullptr : entry_of();
  if (entry == nullptr || entry->version != kCudaPluginVersion || entry->make == nullptr) {
    load.reason = {"wrong_plugin", path.string() + " is not from this build"};
    return load;
  }
  load.plugin = entry->make(load.reason);
  if (load.plugin == nullptr && load.reason.kind.empty()) {
    load.reason = {"driver_error", "the CUDA part found no device and does not say why"};
  }
  return load;
}

}  // namespace

CudaPlaces usual_cuda_places() {
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  CudaPlaces places;
  places.plugin = program.parent_path() / "libtune_cuda.so";
  return places;
}

CudaLoad load_cuda(const CudaPlaces& places) noexcept {
  CudaLoad load;
  try {
    load.reason = ask_driver(places.driver);
    if (load.reason.kind.empty()) {
      load = open_plugin(places.plugin);
    }
  } catch (const std::exception& error) {
    load.plugin.reset();
    load.reason = {"driver_error", error.what()};
  } catch (...) {
    load.plugin.reset();
    load.reason = {"driver_error", "the CUDA part failed with an unknown error"};
  }
  return load;
}

std::string no_gpu(const Unavailable& reason) {
  std::string text = reason.text;
  if (!reason.kind.empty()) {
    text += " (" + reason.kind + ")";
  }
  return text;
}

std::string no_gpu_trace(const Unavailable& reason) {
  return "no GPU trace: " + no_gpu(reason);
}

CudaLoad open_trial_device(const std::string& device, const CudaPlaces& places) {
  if (device == "cpu") {
    return {};
  }
  CudaLoad load = load_cuda(places);
  if (load.plugin == nullptr && device == "cuda") {
    std::string text = "workload.device: cuda is not available (";
    text += load.reason.text;
    text += ", " + load.reason.kind;
    text += ") cpu?";
    throw std::invalid_argument(text);
  }
  return load;
}

}  // namespace tune::worker
