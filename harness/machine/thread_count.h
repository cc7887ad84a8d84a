#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tune::machine {

/// How many threads this process has now; <root>/proc/self/status.
std::optional<std::int64_t> thread_count(const std::filesystem::path& root = "/");

}  // namespace tune::machine
