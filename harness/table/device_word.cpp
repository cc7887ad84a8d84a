#include "table/device_word.h"

#include <array>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::table {

namespace {

constexpr const char* kCuda = "CUDA";
constexpr const char* kHip = "HIP";
constexpr const char* kXpu = "XPU";

// "cuLaunchKernel", not "custom".
bool is_call_of(std::string_view name, std::string_view library) {
  return name.size() > library.size() && name.starts_with(library) &&
         std::isupper(static_cast<unsigned char>(name[library.size()])) != 0;
}

std::string word_of_call(std::string_view name) {
  if (is_call_of(name, "hip")) {
    return kHip;
  }
  if (is_call_of(name, "cuda") || is_call_of(name, "cu")) {
    return kCuda;
  }
  return is_call_of(name, "ur") || is_call_of(name, "ze") ? kXpu
                                                          : "";  // Unified Runtime, Level Zero
}

std::string word_of_calls(const profile::Timeline& timeline) {
  std::vector<bool> is_seen(timeline.strings.size());
  for (const profile::Event& event : timeline.events) {
    if (!profile::is_device_call(event.category) || is_seen[event.name]) {
      continue;
    }
    is_seen[event.name] = true;
    if (std::string word = word_of_call(timeline.name(event)); !word.empty()) {
      return word;
    }
  }
  return "";
}

std::string word_of_metadata(const profile::Timeline& timeline) {
  constexpr std::array<std::pair<std::string_view, const char*>, 5> kKeys = {
      {{"hip_runtime_version", kHip},
       {"hip_driver_version", kHip},
       {"roctracer_version", kHip},
       {"cuda_runtime_version", kCuda},
       {"cupti_version", kCuda}}};
  for (const auto& [key, word] : kKeys) {
    if (timeline.metadata.contains(std::string(key))) {
      return word;
    }
  }
  return "";
}

std::string word_of_names(const profile::Timeline& timeline) {
  constexpr std::array<std::pair<std::string_view, const char*>, 9> kParts = {
      {{"AMD", kHip},
       {"Instinct", kHip},
       {"Radeon", kHip},
       {"NVIDIA", kCuda},
       {"Tesla", kCuda},
       {"GeForce", kCuda},
       {"Quadro", kCuda},
       {"Intel", kXpu},
       {"Data Center GPU Max", kXpu}}};
  for (const profile::DeviceProperties& device : timeline.devices) {
    for (const auto& [part, word] : kParts) {
      if (device.name.find(part) != std::string::npos) {
        return word;
      }
    }
  }
  return "";
}

// By c10's number; PyTorch on ROCm calls its devices CUDA here.
std::string word_of_memory(const profile::Timeline& timeline) {
  for (const profile::MemoryEvent& memory : timeline.memory) {
    switch (memory.device_type) {
      case 1:
        return kCuda;
      case 6:
        return kHip;
      case 12:
        return kXpu;
      default:
        break;
    }
  }
  return "";
}

}  // namespace

std::string device_word(const profile::Timeline& timeline) {
  for (const auto witness : {word_of_calls, word_of_metadata, word_of_names, word_of_memory}) {
    if (std::string word = witness(timeline); !word.empty()) {
      return word;
    }
  }
  return "Device";
}

std::string device_activity(const profile::Timeline& timeline) {
  return device_word(timeline) == kXpu ? "ProfilerActivity.XPU" : "ProfilerActivity.CUDA";
}

}  // namespace tune::table
