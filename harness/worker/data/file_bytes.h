#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace tune::worker {

/// A buffer that is reused from sample to sample and never cleared: it grows, so that a loader in
/// steady state allocates no memory. Memory of one huge sample is released at the next usual one,
/// because every thread has buffers.
class GrowBuffer {
 public:
  /// At least `bytes` bytes; the contents are lost when it must grow.
  std::uint8_t* at_least(std::size_t bytes) {
    const bool is_huge_for_nothing = capacity_ > kHuge && bytes <= kUsual;
    if (bytes > capacity_ || is_huge_for_nothing) {
      const std::size_t wanted = bytes > kUsual ? bytes : bytes + bytes / 2;
      data_.reset();
      capacity_ = 0;
      // Plain new leaves the bytes unset: clearing them would be a second pass over memory.
      data_.reset(new std::uint8_t[wanted]);
      capacity_ = wanted;
    }
    return data_.get();
  }

  std::uint8_t* data() const { return data_.get(); }
  std::size_t capacity() const { return capacity_; }

 private:
  static constexpr std::size_t kUsual = 16 << 20;
  static constexpr std::size_t kHuge = kUsual + kUsual / 2;  // no usual size needs more

  std::unique_ptr<std::uint8_t[]> data_;
  std::size_t capacity_ = 0;
};

/// Reads the bytes of one file after the other.
class FileBytes {
 public:
  /// "" when the whole file is in bytes(), else what is wrong with it: "Permission denied",
  /// "0 bytes", "Input/output error at byte 4096 of 70000". A failed read is retried once: network
  /// file systems hiccup.
  std::string read(const std::string& path);

  std::span<const std::uint8_t> bytes() const { return {buffer_.data(), size_}; }

 private:
  std::string read_once(const std::string& path, int& error);

  GrowBuffer buffer_;
  std::size_t size_ = 0;
};

/// "" when the first bytes are those of a JPEG, else what the file is: "is a PNG", "is not a JPEG
/// (begins with 3c 68 74 6d)".
std::string complaint_about_format(std::span<const std::uint8_t> file);

/// Whether the end-of-image marker is in the last few KB; a truncated file has none there.
bool ends_with_marker(std::span<const std::uint8_t> file);

}  // namespace tune::worker
