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

/// Asks the kernel to forget the file's pages; those that are not on the disk yet are written
/// first. Nothing happens to a file that cannot be read, and to what is no regular file.
void drop_from_page_cache(const std::filesystem::path& path);

/// Reads the file from front to back and keeps nothing.
void read_into_page_cache(const std::filesystem::path& path);

}  // namespace tune::machine
