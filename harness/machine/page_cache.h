#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

namespace tune::machine {

/// The share of `count` files that is in the page cache, 0 to 1: judged by at most 200 of them,
/// evenly spread, in at most about 50 ms, without reading them. Nothing when the kernel tells it
/// for none of them: it does so only for the owner of a file and who may write it.
std::optional<double> resident_ratio(
    std::int64_t count, const std::function<std::filesystem::path(std::int64_t index)>& path_of);

/// Asks the kernel to forget the file's pages; those that are not on the disk yet are written
/// first. Ignores files that cannot be read or are not regular.
void drop_from_page_cache(const std::filesystem::path& path);

/// Reads the file from start to end and discards the contents.
void read_into_page_cache(const std::filesystem::path& path);

}  // namespace tune::machine
