#pragma once

#include "profile/reader/byte_source.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace tune::profile {

/// Compressed bytes that were read and not yet used.
class InputBlock {
 public:
  explicit InputBlock(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), bytes_(kBlockBytes) {}

  /// Makes at least `wanted` bytes available, unless the source ends before. True when they are.
  bool need(std::size_t wanted) {
    while (size() < wanted && !is_at_end_) {
      if (begin_ > 0) {
        std::memmove(bytes_.data(), bytes_.data() + begin_, size());
        end_ -= begin_;
        begin_ = 0;
      }
      const std::size_t count = source_->read(bytes_.data() + end_, bytes_.size() - end_);
      end_ += count;
      is_at_end_ = count == 0;
    }
    return size() >= wanted;
  }

  /// Up to `size` bytes into `out`: those that were read already, else straight from the source.
  std::size_t take(char* out, std::size_t size) {
    if (this->size() == 0) {
      return is_at_end_ ? 0 : source_->read(out, size);
    }
    const std::size_t count = std::min(size, this->size());
    std::memcpy(out, data(), count);
    use(count);
    return count;
  }

  const char* data() const { return bytes_.data() + begin_; }
  std::size_t size() const { return end_ - begin_; }
  void use(std::size_t count) { begin_ += count; }
  /// Byte of the file that data() is.
  std::int64_t offset() const { return source_->file_bytes() - static_cast<std::int64_t>(size()); }
  const ByteSource& source() const { return *source_; }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{256} * 1024;

  std::unique_ptr<ByteSource> source_;
  std::vector<char> bytes_;
  std::size_t begin_ = 0, end_ = 0;
  bool is_at_end_ = false;
};

/// Throws tune::Error when `bytes_out` from `bytes_in` is more than the limits allow.
void check_expansion(const std::string& name,
                     std::int64_t bytes_in,
                     std::int64_t bytes_out,
                     const ExpansionLimits& limits);

/// What both kinds of compressed data have in common: input, how far it may grow, how it ended.
class CompressedSource : public ByteSource {
 public:
  CompressedSource(InputBlock input, std::string name, const ExpansionLimits& limits)
      : input_(std::move(input)), name_(std::move(name)), limits_(limits) {}

  std::string damage() const override { return damage_; }
  std::int64_t file_bytes() const override { return input_.offset(); }

 protected:
  InputBlock& input() { return input_; }
  bool is_over() const { return is_over_; }

  /// All of it has been read.
  void finish() { is_over_ = true; }

  /// It ends here, before its end.
  void end(const std::string& what) {
    is_over_ = true;
    damage_ = what + " (byte " + std::to_string(input_.offset()) + " of the file)";
  }

  /// Takes note of `used` bytes that became `made`. Throws tune::Error when that is too much.
  void count(std::size_t used, std::size_t made) {
    input_.use(used);
    bytes_out_ += static_cast<std::int64_t>(made);
    check_expansion(name_, input_.offset(), bytes_out_, limits_);
  }

 private:
  InputBlock input_;
  std::string name_;
  ExpansionLimits limits_;
  std::int64_t bytes_out_ = 0;
  bool is_over_ = false;
  std::string damage_;
};

std::unique_ptr<ByteSource> plain_source(InputBlock input);
std::unique_ptr<ByteSource> gzip_source(InputBlock input,
                                        const std::string& name,
                                        const ExpansionLimits& limits);
std::unique_ptr<ByteSource> zstd_source(InputBlock input,
                                        const std::string& name,
                                        const ExpansionLimits& limits);

constexpr bool is_gzip(const char* bytes) {
  return bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

/// A zstd frame, or a frame to skip (RFC 8878 §3.1).
constexpr bool is_zstd(const char* bytes) {
  const bool is_frame = bytes[0] == '\x28' && bytes[1] == '\xb5';
  const bool is_skippable = (bytes[0] & '\xf0') == '\x50' && bytes[1] == '\x2a';
  return (is_frame && bytes[2] == '\x2f' && bytes[3] == '\xfd') ||
         (is_skippable && bytes[2] == '\x4d' && bytes[3] == '\x18');
}

}  // namespace tune::profile
