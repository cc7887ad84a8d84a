#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::machine {

/// A small file of /proc, /sys or /etc, at most `limit_bytes` of it; "" when it cannot be read.
/// Never waits, whatever kind of file it is.
std::string read_text(const std::filesystem::path& path, std::size_t limit_bytes = 4 << 20);

/// The text in lines, without their ends.
std::vector<std::string_view> lines_of(std::string_view text);

/// The text without white space at its ends.
std::string_view trimmed(std::string_view text);

/// What follows "<key><separator>" in the first line that begins so (white space around the key and
/// the value does not matter); "" when there is none.
std::string_view value_of(std::string_view text, std::string_view key, char separator);

/// The choice in a list of the kernel, "always [madvise] never" -> "madvise"; "" when none is
/// chosen.
std::string_view word_in_brackets(std::string_view text);

/// A whole number >= 0 and nothing else.
std::optional<std::int64_t> to_number(std::string_view text);

}  // namespace tune::machine
