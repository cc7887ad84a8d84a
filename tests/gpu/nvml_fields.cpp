// nvml_fields: every field of the first GPU that telemetry reads, with its value or NVML's code,
// and the time of a whole reading: 20 of them, 110 ms apart. An item of first_run.sh.

#include "base/clock.h"
#include "machine/nvml_device.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace {

using tune::machine::GpuValue;

constexpr std::array<const char*, tune::machine::kGpuQuantities> kNames = {"util",
                                                                           "memory_util",
                                                                           "memory_used",
                                                                           "energy",
                                                                           "temperature",
                                                                           "memory_temperature",
                                                                           "sm_clock",
                                                                           "memory_clock",
                                                                           "power_capped",
                                                                           "thermally_slowed",
                                                                           "power_cap_time",
                                                                           "sync_boost_time",
                                                                           "software_thermal_time",
                                                                           "hardware_thermal_time",
                                                                           "power_brake_time",
                                                                           "pcie_sent",
                                                                           "pcie_received",
                                                                           "nvlink_sent",
                                                                           "nvlink_received",
                                                                           "sm_util",
                                                                           "sm_occupancy",
                                                                           "tensor_util",
                                                                           "dram_util"};

std::string field_text(const char* name, const GpuValue& value) {
  std::array<char, 96> text{};
  if (value.code == 0) {
    (void)std::snprintf(text.data(), text.size(), "\"%s\": %.9g", name, value.value);
  } else {
    (void)std::snprintf(text.data(), text.size(), "\"%s\": {\"code\": %d}", name, value.code);
  }
  return text.data();
}

}  // namespace

int main() {
  constexpr int kReadings = 20;
  constexpr double kMost = 10e-3, kNano = 1e-9;
  const tune::machine::Nvml library;
  if (library.gpus().empty()) {
    std::printf("{\"verdict\": \"not-run\", \"reason\": \"no GPU by NVML\", \"measured\": null}\n");
    return 0;
  }
  tune::machine::NvmlDevice device(library, library.gpus().front());
  tune::machine::GpuValues last;
  std::vector<double> took_s;  // without the first one, which opens files that stay open
  for (int i = 0; i < kReadings; ++i) {
    const std::int64_t begin_ns = tune::monotonic_ns();
    last = device.read(begin_ns);
    if (i > 0) {
      took_s.push_back(static_cast<double>(tune::monotonic_ns() - begin_ns) * kNano);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(110));
  }
  std::sort(took_s.begin(), took_s.end());
  const double longest_s = took_s.back(), median_s = took_s[took_s.size() / 2];
  std::string fields;
  for (std::size_t i = 0; i < last.size(); ++i) {
    fields += fields.empty() ? "" : ", ";
    fields += field_text(kNames[i], last[i]);
  }
  std::printf(
      "{\"verdict\": \"%s\", \"reason\": null, \"measured\": {\"median_reading_s\": %.6f, "
      "\"longest_reading_s\": %.6f, \"fields\": {%s}}}\n",
      median_s <= kMost ? "pass" : "fail",
      median_s,
      longest_s,
      fields.c_str());
  return 0;
}
