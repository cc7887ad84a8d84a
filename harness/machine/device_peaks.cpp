#include "machine/device_peaks.h"

#include <algorithm>
#include <array>

namespace tune::machine {

namespace {

constexpr double kTera = 1e12, kGiga = 1e9;

struct DataSheet {
  double half_tera, tf32_tera, float_tera;  // operations/s
  double memory_giga;                       // bytes/s
};

constexpr DevicePeaks peaks(std::string_view name,
                            const DataSheet& sheet,
                            std::string_view source) {
  return {name,
          sheet.half_tera * kTera,
          sheet.tf32_tera * kTera,
          sheet.float_tera * kTera,
          sheet.memory_giga * kGiga,
          source};
}

// Data sheets that print figures with sparsity alone are halved.
constexpr std::string_view kH200 = "NVIDIA H200 Tensor Core GPU data sheet";
constexpr std::string_view kH100 = "NVIDIA H100 Tensor Core GPU data sheet";
constexpr std::string_view kA100 = "NVIDIA A100 Tensor Core GPU data sheet";
constexpr std::string_view kV100 = "NVIDIA V100 Tensor Core GPU data sheet";
constexpr std::string_view kA30 = "NVIDIA A30 Tensor Core GPU data sheet";
constexpr std::string_view kA10 = "NVIDIA A10 Tensor Core GPU data sheet";
constexpr std::string_view kA10g = "NVIDIA A10G Tensor Core GPU data sheet";
constexpr std::string_view kB200 = "NVIDIA Blackwell Architecture Technical Brief, HGX B200";
constexpr std::string_view kRtxA6000 = "NVIDIA RTX A6000 data sheet";
constexpr std::string_view kRtx6000Ada = "NVIDIA RTX 6000 Ada Generation data sheet";
constexpr std::string_view kA40 = "NVIDIA A40 data sheet";
constexpr std::string_view kL4 = "NVIDIA L4 Tensor Core GPU data sheet";
constexpr std::string_view kL40 = "NVIDIA L40 data sheet";
constexpr std::string_view kL40s = "NVIDIA L40S data sheet";
constexpr std::string_view kT4 = "NVIDIA T4 Tensor Core GPU data sheet";
constexpr std::string_view kAmpere = "NVIDIA Ampere GA102 GPU Architecture white paper";
constexpr std::string_view kAda = "NVIDIA Ada GPU Architecture white paper";

constexpr std::array<DevicePeaks, 24> kDevices = {
    {peaks("B200", {2250, 1100, 80, 8000}, kB200),
     peaks("H200", {989.4, 494.7, 66.9, 4800}, kH200),
     peaks("H100 80GB HBM3", {989.4, 494.7, 66.9, 3350}, kH100),
     peaks("H100 PCIe", {756, 378, 51, 2000}, kH100),
     peaks("H100 NVL", {835.5, 417.5, 60, 3900}, kH100),
     peaks("A100-SXM4-80GB", {312, 156, 19.5, 2039}, kA100),
     peaks("A100-SXM4-40GB", {312, 156, 19.5, 1555}, kA100),
     peaks("A100 80GB PCIe", {312, 156, 19.5, 1935}, kA100),
     peaks("A100-PCIE-40GB", {312, 156, 19.5, 1555}, kA100),
     peaks("A30", {165, 82, 10.3, 933}, kA30),
     peaks("A10", {125, 62.5, 31.2, 600}, kA10),
     peaks("A10G", {70, 35, 35, 600}, kA10g),
     peaks("RTX A6000", {154.8, 77.4, 38.7, 768}, kRtxA6000),
     peaks("RTX 6000 Ada Generation", {364.2, 182.1, 91.1, 960}, kRtx6000Ada),
     peaks("A40", {149.7, 74.8, 37.4, 696}, kA40),
     peaks("L4", {121, 60, 30.3, 300}, kL4),
     peaks("L40", {181, 90.5, 90.5, 864}, kL40),
     peaks("L40S", {362, 183, 91.6, 864}, kL40s),
     peaks("T4", {65, 0, 8.1, 300}, kT4),
     peaks("V100-SXM2-16GB", {125, 0, 15.7, 900}, kV100),
     peaks("V100-SXM2-32GB", {125, 0, 15.7, 900}, kV100),
     peaks("V100-PCIE-16GB", {112, 0, 14, 900}, kV100),
     peaks("GeForce RTX 3090", {71, 35.6, 35.6, 936}, kAmpere),
     peaks("GeForce RTX 4090", {165.2, 82.6, 82.6, 1008}, kAda)}};

std::string_view without_maker(std::string_view name) {
  for (const std::string_view maker : {"NVIDIA ", "Tesla "}) {
    if (name.starts_with(maker)) {
      name.remove_prefix(maker.size());
    }
  }
  return name;
}

}  // namespace

std::optional<DevicePeaks> device_peaks(std::string_view name) {
  const auto found = std::find_if(kDevices.begin(), kDevices.end(), [&](const DevicePeaks& device) {
    return device.name == without_maker(name);
  });
  return found == kDevices.end() ? std::nullopt : std::optional(*found);
}

}  // namespace tune::machine
