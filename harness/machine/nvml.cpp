#include "machine/nvml.h"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <utility>

namespace tune::machine {

namespace {

constexpr unsigned kMostGpus = 64;

// Error codes of a reading, in the library's own words.
constexpr std::array<std::pair<int, std::string_view>, 14> kCodes = {
    {{1, "not initialised"},
     {2, "invalid argument"},
     {3, "not supported"},
     {4, "no permission"},
     {6, "not found"},
     {9, "driver not loaded"},
     {10, "timeout"},
     {13, "function not found"},
     {15, "the GPU is lost"},
     {16, "the GPU needs a reset"},
     {18, "driver and library versions differ"},
     {21, "no data"},
     {25, "struct version not known"},
     {999, "unknown error"}}};

}  // namespace

std::string nvml_reason(int code) {
  if (code == -1) {
    return "the driver has no such function";
  }
  const auto* const known = std::find_if(
      kCodes.begin(), kCodes.end(), [&](const auto& row) { return row.first == code; });
  std::string reason = "NVML code " + std::to_string(code);
  if (known != kCodes.end()) {
    reason += " (" + std::string(known->second) + ")";
  }
  return reason;
}

Nvml::Nvml(const std::string& library) : library_(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (library_ == nullptr) {
    const char* const why = dlerror();
    problem_ = why == nullptr ? library + ": cannot be loaded" : why;
    return;
  }
  const int code = call("nvmlInit_v2");
  is_running_ = code == nvml::kSuccess;
  if (!is_running_) {
    problem_ = "nvmlInit_v2: " + nvml_reason(code);
    return;
  }
  list_gpus();
}

Nvml::~Nvml() {
  if (is_running_) {
    (void)call("nvmlShutdown");
  }
  if (library_ != nullptr) {
    dlclose(library_);
  }
}

void* Nvml::find(const char* name) const {
  return library_ == nullptr ? nullptr : dlsym(library_, name);
}

void Nvml::list_gpus() {
  unsigned count = 0;
  const int code = call("nvmlDeviceGetCount_v2", &count);
  if (code != nvml::kSuccess || count == 0) {
    problem_ = code != nvml::kSuccess ? "nvmlDeviceGetCount_v2: " + nvml_reason(code)
                                      : "the driver shows no GPU";
    return;
  }
  for (unsigned i = 0; i < std::min(count, kMostGpus); ++i) {
    Gpu gpu;
    std::array<char, 96> text{};
    constexpr auto kRoom = static_cast<unsigned>(text.size() - 1);
    if (call("nvmlDeviceGetHandleByIndex_v2", i, &gpu.handle) != nvml::kSuccess ||
        call("nvmlDeviceGetUUID", gpu.handle, text.data(), kRoom) != nvml::kSuccess) {
      problem_ = "GPU " + std::to_string(i) + " does not answer";
      continue;
    }
    gpu.uuid = text.data();
    text.fill('\0');
    if (call("nvmlDeviceGetName", gpu.handle, text.data(), kRoom) == nvml::kSuccess) {
      gpu.name = text.data();
    }
    gpus_.push_back(std::move(gpu));
  }
}

}  // namespace tune::machine
