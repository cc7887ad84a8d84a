#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The types of NVIDIA's management library as its documentation defines them (NVML API reference,
/// versions 12 and 13), so that the build needs nothing from NVIDIA.
namespace tune::machine::nvml {

using Device = void*;     ///< nvmlDevice_t
using GpmSample = void*;  ///< nvmlGpmSample_t

constexpr int kSuccess = 0;
constexpr int kNotSupported = 3;
constexpr int kFunctionNotFound = 13;

struct Utilization {
  unsigned gpu = 0, memory = 0;  ///< percent
};

struct Memory {
  unsigned version = sizeof(Memory) | 2U << 24;
  unsigned long long total = 0, reserved = 0, free = 0, used = 0;
};

struct Temperature {
  unsigned version = sizeof(Temperature) | 1U << 24;
  unsigned sensor = 0;  ///< 0: the chip
  int degrees = 0;
};

struct ProcessInfo {
  unsigned process = 0;
  unsigned long long used_memory = 0;
  unsigned gpu_instance = 0, compute_instance = 0;
};

enum class Clock : unsigned { sm = 1, memory = 2 };

/// One number that is requested by its id; the answer says which type it has.
struct FieldValue {
  unsigned field = 0, scope = 0;
  long long timestamp = 0, latency_us = 0;
  /// 0 double, 1 unsigned, 2 unsigned long, 3 unsigned long long, 4 long long, 5 int.
  unsigned type = 0;
  int code = 0;
  union {
    double real;
    unsigned small;
    unsigned long whole;
    unsigned long long large;
    long long with_sign;
    int small_with_sign;
  } value = {0};
};
static_assert(sizeof(FieldValue) == 40);

// Bits: the reasons why the clocks are lowered now.
constexpr unsigned long long kReasonPowerCap = 0x4;
constexpr unsigned long long kReasonThermal = 0x20 | 0x40;  ///< by the driver, by the chip

// Field ids. The throttling fields count ns since the driver was loaded.
constexpr unsigned kPowerCapTime = 74;          ///< clocks lowered to stay within the power limit
constexpr unsigned kSyncBoostTime = 76;         ///< ... to the slowest GPU of a group
constexpr unsigned kMemoryTemperature = 82;     ///< degrees Celsius
constexpr unsigned kNvlinkSent = 138;           ///< KiB of data, of all links
constexpr unsigned kNvlinkReceived = 139;       ///< KiB
constexpr unsigned kPcieSent = 197;             ///< bytes
constexpr unsigned kPcieReceived = 198;         ///< bytes
constexpr unsigned kSoftwareThermalTime = 269;  ///< clocks lowered for heat by the driver
constexpr unsigned kHardwareThermalTime = 270;  ///< ... by the chip
constexpr unsigned kPowerBrakeTime = 271;       ///< ... by a signal from outside
constexpr unsigned kAllLinks = ~0U;             ///< scope of the NVLink fields

struct GpmSupport {
  unsigned version = 1;
  unsigned is_supported = 0;
};

struct GpmMetric {
  unsigned metric = 0;
  int code = 0;
  double value = 0;
  const char *short_name = nullptr, *long_name = nullptr, *unit = nullptr;
};
static_assert(sizeof(GpmMetric) == 40);

/// The library reads `count` of the metrics; its own struct grows with each version.
struct GpmMetrics {
  unsigned version = 1;
  unsigned count = 0;
  GpmSample before = nullptr, after = nullptr;
  GpmMetric metrics[512];
};

// Metrics between two samples (Hopper and newer), in percent unless noted.
constexpr unsigned kGpmSmUtil = 2, kGpmSmOccupancy = 3, kGpmTensor = 5, kGpmDramBandwidth = 10;

}  // namespace tune::machine::nvml

namespace tune::machine {

/// "NVML code 3 (not supported)"; code -1: "the driver has no such function".
std::string nvml_reason(int code);

/// NVIDIA's management library, loaded when there is a driver. Costs nothing without one, and never
/// throws.
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
  /// Sorted by PCI address, regardless of CUDA_VISIBLE_DEVICES.
  const std::vector<Gpu>& gpus() const { return gpus_; }

  /// Calls the function with that name. -1 when the library does not have it.
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
