#include "trace/reader/header_values.h"

#include "trace/decimal_time.h"

#include <simdjson.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <limits>
#include <utility>

namespace tune::profile {

namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kLongestScalar = 4096;  // bytes kept of a metadata value
constexpr std::size_t kLongestKey = 256;
// Nobody writes that many; a file that does must not fill the memory.
constexpr std::size_t kMostScalars = 1000, kMostDevices = 1024;

std::int64_t integer_of(const dom::element& element, std::int64_t unknown) {
  std::int64_t value = 0;
  double decimal = 0;
  std::string_view text;
  if (element.get(value) == simdjson::SUCCESS) {
    return value;
  }
  if (element.get(decimal) == simdjson::SUCCESS && decimal > -1e15 && decimal < 1e15) {
    return static_cast<std::int64_t>(decimal);
  }
  if (element.get(text) == simdjson::SUCCESS) {
    const DecimalTime parsed = to_integer(text);
    return parsed.error ? unknown : parsed.ns;
  }
  return unknown;
}

std::int64_t integer_at(const dom::object& object, std::string_view key, std::int64_t unknown = 0) {
  dom::element element;
  return object.at_key(key).get(element) == simdjson::SUCCESS ? integer_of(element, unknown)
                                                              : unknown;
}

std::string text_at(const dom::object& object, std::string_view key) {
  std::string_view text;
  return object.at_key(key).get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

DeviceProperties device_of(const dom::object& object) {
  DeviceProperties device;
  device.id = integer_at(object, "id");
  device.name = text_at(object, "name");
  device.memory_bytes = integer_at(object, "totalGlobalMem");
  device.compute_major = integer_at(object, "computeMajor");
  device.compute_minor = integer_at(object, "computeMinor");
  device.multiprocessors = integer_at(object, "numSms");
  device.warp_size = integer_at(object, "warpSize");
  device.max_threads_per_block = integer_at(object, "maxThreadsPerBlock");
  device.max_threads_per_multiprocessor = integer_at(object, "maxThreadsPerMultiprocessor");
  device.registers_per_multiprocessor = integer_at(object, "regsPerMultiprocessor");
  device.shared_memory_per_block_bytes = integer_at(object, "sharedMemPerBlock");
  device.shared_memory_per_multiprocessor_bytes = integer_at(object, "sharedMemPerMultiprocessor");
  return device;
}

void take_devices(Timeline& timeline, const dom::element& element) {
  dom::array devices;
  if (element.get(devices) != simdjson::SUCCESS) {
    return;
  }
  for (const dom::element device : devices) {
    dom::object object;
    if (device.get(object) == simdjson::SUCCESS && timeline.devices.size() < kMostDevices) {
      timeline.devices.push_back(device_of(object));
    }
  }
}

void take_distribution(Timeline& timeline, const dom::element& element) {
  dom::object object;
  if (element.get(object) != simdjson::SUCCESS) {
    return;
  }
  const std::int64_t rank = integer_at(object, "rank", kUnknownId);
  if (rank >= 0) {
    timeline.rank.rank = rank;
    timeline.rank.source = "distributedInfo";
  }
  const std::int64_t size = integer_at(object, "world_size", kUnknownId);
  if (size > 0) {
    timeline.rank.world_size = size;
  }
  timeline.rank.backend = text_at(object, "backend");
}

void take_scalar(Timeline& timeline,
                 std::string_view key,
                 const dom::element& element,
                 const std::string& json) {
  if (key.size() > kLongestKey || timeline.metadata.size() >= kMostScalars) {
    return timeline.notes.add(NoteKind::header_value, -1);
  }
  std::string_view text;
  const bool is_text = element.get(text) == simdjson::SUCCESS;
  timeline.metadata[std::string(key)] =
      (is_text ? text : std::string_view(json)).substr(0, kLongestScalar);
}

}  // namespace

void take_header_value(Timeline& timeline, std::string_view key, const std::string& json) {
  dom::parser parser;
  dom::element element;
  const simdjson::padded_string padded(json);
  if (parser.parse(padded).get(element) != simdjson::SUCCESS) {
    return;
  }
  if (key == "deviceProperties") {
    take_devices(timeline, element);
  } else if (key == "distributedInfo") {
    take_distribution(timeline, element);
  } else if (key == "baseTimeNanoseconds") {
    // With any time of a row it must fit int64.
    constexpr std::int64_t kFarthestNs = std::numeric_limits<std::int64_t>::max() / 2;
    const std::int64_t base_ns = integer_of(element, 0);
    if (base_ns >= -kFarthestNs && base_ns <= kFarthestNs) {
      timeline.base_time_ns = base_ns;
    } else {
      timeline.notes.add(NoteKind::beyond_int64, -1);
    }
  } else if (!element.is_object() && !element.is_array()) {
    take_scalar(timeline, key, element, json);
  }
}

void take_rank_from_name(Timeline& timeline) {
  if (timeline.rank.rank) {
    return;
  }
  std::string name = std::filesystem::path(timeline.file).filename().string();
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  const std::size_t word = name.find("rank");
  if (word == std::string::npos) {
    return;
  }
  std::size_t at = word + std::string_view("rank").size();
  at +=
      at < name.size() && std::string_view("_-=.").find(name[at]) != std::string_view::npos ? 1 : 0;
  std::int64_t rank = 0;
  const char* const begin = name.data() + std::min(at, name.size());
  const auto [stopped, error] = std::from_chars(begin, name.data() + name.size(), rank);
  if (error == std::errc() && stopped != begin && rank >= 0) {
    timeline.rank.rank = rank;
    timeline.rank.source = "file name";
  }
}

}  // namespace tune::profile
