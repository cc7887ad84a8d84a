#include "profile/category.h"

#include <algorithm>
#include <array>
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
    {"mtia_ccp_events", Category::other},
    {"mtia_insight", Category::other},
    {"mtia_workloadd", Category::other},
    {"hpu_op", Category::other},
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

Category category_of(std::string_view cat) {
  return find(cat).value_or(Category::other);
}

bool is_known_category(std::string_view cat) {
  return find(cat).has_value();
}

}  // namespace tune::profile
