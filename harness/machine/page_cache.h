#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

namespace tune::machine {

/// Which part of `count` files lies in the page cache, 0 to 1: by at most 200 of them, evenly
/// spread, in at most about 50 ms, reading none. Nothing when the kernel tells of none of them: it
/// says so only to who owns a file or may write it.
std::optional<double> resident_ratio(
    std::int64_t count, const std::function<std::filesystem::path(std::int64_t index)>& path_of);

}  // namespace tune::machine
