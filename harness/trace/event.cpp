#include "trace/event.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace tune::profile {

namespace {

// Kineto's ActivityType.h, and what its first versions wrote.
constexpr std::array<std::pair<std::string_view, Category>, 32> kNames = {{
    {"cpu_op", Category::cpu_op},
    {"operator", Category::cpu_op},
    {"user_annotation", Category::user_annotation},
    {"gpu_user_annotation", Category::gpu_user_annotation},
    {"kernel", Category::kernel},
    {"concurrent_kernel", Category::kernel},
    {"gpu_memcpy", Category::memcpy},
    {"memcpy", Category::memcpy},
    {"gpu_memset", Category::memset},
    {"memset", Category::memset},
    {"runtime", Category::runtime},
    {"driver", Category::driver},
    {"cuda_runtime", Category::runtime},
    {"cuda_driver", Category::driver},
    {"cuda_sync", Category::synchronization},
    {"xpu_sync", Category::synchronization},
    {"python_function", Category::python_function},
    {"python function", Category::python_function},
    {"overhead", Category::overhead},
    {"trace", Category::span},
    {"cuda_event", Category::other},
    {"cuda_profiler_range", Category::other},
    {"external_correlation", Category::other},
    {"cpu_instant_event", Category::other},
    {"collective_comm", Category::other},
    {"hardware_counters", Category::other},
    {kMtiaEvents, Category::kernel},  // mtia_category() by name
    {"mtia_insight", Category::other},
    {"mtia_workloadd", Category::other},
    {"hpu_op", Category::runtime},  // on the host
    {"ac2g", Category::other},
    {"fwdbwd", Category::other},
}};

std::string lower(std::string_view text) {
  std::string lowered(text);
  std::transform(lowered.begin(), lowered.end(), lowered.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lowered;
}

std::optional<Category> find(std::string_view cat) {
  const std::string name = lower(cat);
  for (const auto& [known, category] : kNames) {
    if (name == known) {
      return category;
    }
  }
  if (name.ends_with("_runtime")) {
    return Category::runtime;
  }
  if (name.ends_with("_driver")) {
    return Category::driver;
  }
  return std::nullopt;
}

}  // namespace

Category mtia_category(std::string_view name) {
  return name == "dma_request"        ? Category::memcpy
         : name.starts_with("event_") ? Category::synchronization
                                      : Category::kernel;
}

Category category_of(std::string_view cat) {
  return find(cat).value_or(Category::other);
}

bool is_forced_collection(std::string_view frame) {
  return frame == "<built-in function collect>";
}

bool is_list_conversion(std::string_view frame) {
  return frame.starts_with("<built-in method tolist of ");
}

bool is_collection(std::string_view frame) {
  return frame == "Python GC" || is_forced_collection(frame);
}

bool is_known_category(std::string_view cat) {
  return find(cat).has_value();
}

namespace {

constexpr std::size_t kBlockBytes = std::size_t{256} * 1024;
constexpr std::size_t kFirstSlots = 1024;  // a power of two, as all later sizes

std::uint32_t hash_of(std::string_view text) {
  const std::size_t hash = std::hash<std::string_view>{}(text);
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

}  // namespace

StringPool::StringPool() : slots_(kFirstSlots) {
  intern("");
}

StringId StringPool::intern(std::string_view text) {
  const std::uint32_t hash = hash_of(text);
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const StringId id = slots_[slot] - 1;
    if (hashes_[id] == hash && texts_[id] == text) {
      return id;
    }
  }
  const auto id = static_cast<StringId>(texts_.size());
  texts_.push_back(keep(text));
  hashes_.push_back(hash);
  slots_[slot] = id + 1;
  if (texts_.size() * 2 > slots_.size()) {
    grow();
  }
  return id;
}

std::size_t StringPool::bytes() const {
  return block_bytes_ + texts_.capacity() * sizeof(std::string_view) +
         hashes_.capacity() * sizeof(std::uint32_t) + slots_.capacity() * sizeof(StringId);
}

std::string_view StringPool::keep(std::string_view text) {
  if (text.empty()) {
    return {};
  }
  if (text.size() > block_left_) {
    const std::size_t size = std::max(kBlockBytes, text.size());
    blocks_.push_back(std::make_unique<char[]>(size));
    block_at_ = blocks_.back().get();
    block_left_ = size;
    block_bytes_ += size;
  }
  char* const at = block_at_;
  std::memcpy(at, text.data(), text.size());
  block_at_ += text.size();
  block_left_ -= text.size();
  return {at, text.size()};
}

void StringPool::grow() {
  slots_.assign(slots_.size() * 2, 0);
  const std::size_t mask = slots_.size() - 1;
  for (StringId id = 0; id < texts_.size(); ++id) {
    std::size_t slot = hashes_[id] & mask;
    while (slots_[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    slots_[slot] = id + 1;
  }
}

}  // namespace tune::profile
