#include "trace/table/cell_text.h"

#include "base/units.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::table {

namespace {

std::string printed(const char* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

double number_of(const Cell& cell) {
  const auto* const whole = std::get_if<std::int64_t>(&cell);
  return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(cell);
}

// The nearest whole number that fits.
std::int64_t whole_of(const Cell& cell) {
  constexpr double kMost = 9e18;
  const auto* const whole = std::get_if<std::int64_t>(&cell);
  return whole != nullptr ? *whole
                          : std::llround(std::clamp(std::get<double>(cell), -kMost, kMost));
}

std::string bytes_text(std::int64_t bytes) {
  return bytes < 0 ? "-" + format_bytes(-bytes) : format_bytes(bytes);
}

}  // namespace

std::string time_text(std::int64_t ns) {
  const std::int64_t size = std::abs(ns);
  const auto time = static_cast<double>(ns);
  return size >= 1'000'000'000 ? printed("%.3fs", time * 1e-9)
         : size >= 1'000'000   ? printed("%.3fms", time * 1e-6)
                               : printed("%.3fus", time * 1e-3);
}

std::string cell_text(const Cell& cell, Quantity quantity) {
  if (std::holds_alternative<std::monostate>(cell)) {
    return "-";
  }
  if (const auto* const text = std::get_if<std::string>(&cell)) {
    return *text;
  }
  const double value = number_of(cell);
  switch (quantity) {
    case Quantity::time_ns:
      return time_text(whole_of(cell));
    case Quantity::time_change_ns:
      return (value > 0 ? "+" : "") + time_text(whole_of(cell));
    case Quantity::bytes:
      return bytes_text(whole_of(cell));
    case Quantity::ratio:
      return printed("%.2f %%", value * 100);
    case Quantity::bytes_per_second:
      return printed("%.3g GB/s", value * 1e-9);
    case Quantity::number:
      return printed("%.4g", value);
    case Quantity::count:
    case Quantity::text:
      break;
  }
  return std::to_string(whole_of(cell));
}

namespace {

constexpr const char* kCuda = "CUDA";
constexpr const char* kHip = "HIP";
constexpr const char* kXpu = "XPU";
constexpr const char* kMtia = "MTIA";
constexpr const char* kNpu = "NPU";

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
  if (name.starts_with("AscendCL@")) {
    return kNpu;
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
  constexpr std::array<std::pair<std::string_view, const char*>, 11> kParts = {
      {{"AMD", kHip},
       {"Instinct", kHip},
       {"Radeon", kHip},
       {"NVIDIA", kCuda},
       {"Tesla", kCuda},
       {"GeForce", kCuda},
       {"Quadro", kCuda},
       {"Intel", kXpu},
       {"Data Center GPU Max", kXpu},
       {"ARTEMIS", kMtia},
       {"MTIA", kMtia}}};
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

std::string device_names(const profile::Timeline& timeline) {
  const std::size_t count = timeline.devices.size();
  if (count == 0) {
    return "";
  }
  const std::string& first = timeline.devices.front().name;
  const std::string number = std::to_string(count);
  return first.empty()
             ? number + (count > 1 ? " devices (" : " device (") + device_word(timeline) + ")"
         : count > 1 ? number + " x " + first
                     : first;
}

std::string device_activity(const profile::Timeline& timeline) {
  const std::string word = device_word(timeline);
  return word == kXpu || word == kMtia || word == kNpu ? "ProfilerActivity." + word
                                                       : "ProfilerActivity.CUDA";
}

}  // namespace tune::table
