#pragma once

#include "worker/data/grow_buffer.h"

#include <span>
#include <string>

namespace tune::worker {

/// The bytes of one file after the other.
class FileBytes {
 public:
  /// "" when the whole file is in bytes(), else what is wrong with it: "Permission denied",
  /// "0 bytes", "Input/output error at byte 4096 of 70000". A read error is tried a second time:
  /// network file systems hiccup.
  std::string read(const std::string& path);

  std::span<const std::uint8_t> bytes() const { return {buffer_.data(), size_}; }

 private:
  std::string read_once(const std::string& path, int& error);

  GrowBuffer buffer_;
  std::size_t size_ = 0;
};

}  // namespace tune::worker
