#pragma once

#include "machine/nvml_types.h"

#include <string>
#include <string_view>
#include <vector>

namespace tune::machine {

/// "NVML code 3 (not supported)"; code -1: "the driver has no such function".
std::string nvml_reason(int code);

/// NVIDIA's management library, loaded where there is a driver. Costs nothing where there is none,
/// and never throws.
class Nvml {
 public:
  /// nvmlInit may take half a second.
  explicit Nvml(const std::string& library = "libnvidia-ml.so.1");
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// Why there are no devices: "libnvidia-ml.so.1: cannot open shared object file", "nvmlInit_v2:
  /// NVML code 9 (driver not loaded)"; "" when there are some.
  const std::string& problem() const { return problem_; }

  struct Gpu {
    nvml::Device handle = nullptr;
    std::string uuid;  ///< "GPU-8a6b...", as CUDA has it too
    std::string name;
  };
  /// By PCI address, whatever CUDA_VISIBLE_DEVICES says.
  const std::vector<Gpu>& gpus() const { return gpus_; }

  /// Calls the function of that name. -1 when the library has none.
  template <class... Arguments>
  int call(const char* name, Arguments... arguments) const {
    void* const function = find(name);
    if (function == nullptr) {
      return -1;
    }
    return reinterpret_cast<int (*)(Arguments...)>(function)(arguments...);
  }

 private:
  void* find(const char* name) const;
  void list_gpus();

  void* library_ = nullptr;
  bool is_running_ = false;
  std::string problem_;
  std::vector<Gpu> gpus_;
};

}  // namespace tune::machine
