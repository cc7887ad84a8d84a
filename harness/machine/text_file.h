#pragma once

#include <array>
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

/// The text after "<key><separator>" in the first line that begins with it (white space around key
/// and value is ignored); "" when no line matches.
std::string_view value_of(std::string_view text, std::string_view key, char separator);

/// The selected choice in a list of the kernel, "always [madvise] never" -> "madvise"; "" when none
/// is chosen.
std::string_view word_in_brackets(std::string_view text);

/// A whole number >= 0 and nothing else.
std::optional<std::int64_t> to_number(std::string_view text);

/// A small file of /proc or /sys that is read repeatedly; it stays open, because opening costs more
/// than reading.
class KeptFile {
 public:
  /// Never waits, whatever kind of file it is.
  explicit KeptFile(const std::filesystem::path& path);
  ~KeptFile();
  KeptFile(KeptFile&& other) noexcept;
  KeptFile& operator=(KeptFile&&) = delete;
  KeptFile(const KeptFile&) = delete;
  KeptFile& operator=(const KeptFile&) = delete;

  /// Its first 512 bytes now, valid until the next call; "" when it cannot be read.
  std::string_view read();

 private:
  int file_;
  std::array<char, 512> text_{};
};

/// A file of /proc or /sys of any length that is read repeatedly; it stays open, and says why it
/// cannot be read. KeptFile is for the short ones.
class KeptText {
 public:
  /// Never waits, whatever kind of file it is. Reads at most `limit_bytes` of it.
  explicit KeptText(std::filesystem::path path, std::size_t limit_bytes = 1 << 18);
  ~KeptText();
  KeptText(KeptText&& other) noexcept;
  KeptText& operator=(KeptText&&) = delete;
  KeptText(const KeptText&) = delete;
  KeptText& operator=(const KeptText&) = delete;

  /// The file now, valid until the next call; "" when it cannot be read.
  std::string_view read();

  /// Why the last read failed: "/proc/diskstats: Permission denied"; "" when it did not.
  std::string problem() const;

 private:
  std::filesystem::path path_;
  std::size_t limit_bytes_;
  int file_ = -1;
  int error_ = 0;  // errno of the last attempt
  bool empty_ = false;
  std::string text_;  // grows as the file needs it
};

}  // namespace tune::machine
