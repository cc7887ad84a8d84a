#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tune::history {

/// What tells our file from any other SQLite database ("tune"): PRAGMA application_id.
constexpr std::int64_t kApplicationId = 0x74756e65;

/// The n-th makes a store of version n one of version n + 1; an empty file has version 0 (PRAGMA
/// user_version). Only ever appended: stores of every version that was released can be read.
std::span<const char* const> migrations();

/// The version of the stores that this program reads and writes.
inline std::int64_t schema_version() {
  return static_cast<std::int64_t>(migrations().size());
}

}  // namespace tune::history
