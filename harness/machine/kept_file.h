#pragma once

#include <array>
#include <filesystem>
#include <string_view>

namespace tune::machine {

/// A small file of /proc or /sys that is read again and again; it stays open, because opening costs
/// more than reading.
class KeptFile {
 public:
  /// Never waits, whatever kind of file it is.
  explicit KeptFile(const std::filesystem::path& path);
  ~KeptFile();
  KeptFile(KeptFile&& other) noexcept;
  KeptFile& operator=(KeptFile&&) = delete;
  KeptFile(const KeptFile&) = delete;
  KeptFile& operator=(const KeptFile&) = delete;

  /// Its first 512 bytes as they are now, until the next call; "" when it cannot be read.
  std::string_view read();

 private:
  int file_;
  std::array<char, 512> text_{};
};

}  // namespace tune::machine
