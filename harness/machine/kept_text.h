#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace tune::machine {

/// A file of /proc or /sys of any length that is read again and again; it stays open, and says why
/// it cannot be read. KeptFile is for the short ones.
class KeptText {
 public:
  /// Never waits, whatever kind of file it is. Reads at most `limit_bytes` of it.
  explicit KeptText(std::filesystem::path path, std::size_t limit_bytes = 1 << 18);
  ~KeptText();
  KeptText(KeptText&& other) noexcept;
  KeptText& operator=(KeptText&&) = delete;
  KeptText(const KeptText&) = delete;
  KeptText& operator=(const KeptText&) = delete;

  /// The file as it is now, until the next call; "" when it cannot be read.
  std::string_view read();

  /// Why the last read gave nothing: "/proc/diskstats: Permission denied"; "" when it gave
  /// something.
  std::string problem() const;

 private:
  std::filesystem::path path_;
  std::size_t limit_bytes_;
  int file_ = -1;
  int error_ = 0;  // errno of the last attempt
  bool empty_ = false;
  std::string text_;  // grows to what the file needs
};

}  // namespace tune::machine
