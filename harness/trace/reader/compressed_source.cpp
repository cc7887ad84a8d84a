#include "base/error.h"
#include "base/units.h"
#include "trace/reader/byte_source.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
#include <zlib.h>
#include <zstd.h>

namespace tune::profile {

namespace {

// Compressed bytes that were read and not yet used.
class InputBlock {
 public:
  explicit InputBlock(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), bytes_(kBlockBytes) {}

  // Makes at least `wanted` bytes available, unless the source ends before. True when they are.
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

  // Up to `size` bytes into `out`: those that were read already, else straight from the source.
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
  // Byte of the file that data() is.
  std::int64_t offset() const { return source_->file_bytes() - static_cast<std::int64_t>(size()); }
  const ByteSource& source() const { return *source_; }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{256} * 1024;

  std::unique_ptr<ByteSource> source_;
  std::vector<char> bytes_;
  std::size_t begin_ = 0, end_ = 0;
  bool is_at_end_ = false;
};

// Throws tune::Error when `bytes_out` from `bytes_in` is more than the limits allow.
void check_expansion(const std::string& name,
                     std::int64_t bytes_in,
                     std::int64_t bytes_out,
                     const ExpansionLimits& limits);

// What both kinds of compressed data have in common: input, how far it may grow, how it ended.
class CompressedSource : public ByteSource {
 public:
  CompressedSource(InputBlock input, std::string name, const ExpansionLimits& limits)
      : input_(std::move(input)), name_(std::move(name)), limits_(limits) {}

  std::string damage() const override { return damage_; }
  std::int64_t file_bytes() const override { return input_.offset(); }

 protected:
  InputBlock& input() { return input_; }
  bool is_over() const { return is_over_; }

  // All of it has been read.
  void finish() { is_over_ = true; }

  // It ends here, before its end.
  void end(const std::string& what) {
    is_over_ = true;
    damage_ = what + " (byte " + std::to_string(input_.offset()) + " of the file)";
  }

  // Takes note of `used` bytes that became `made`. Throws tune::Error when that is too much.
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

constexpr bool is_gzip(const char* bytes) {
  return bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

// A zstd frame, or a frame to skip (RFC 8878 §3.1).
constexpr bool is_zstd(const char* bytes) {
  const bool is_frame = bytes[0] == '\x28' && bytes[1] == '\xb5';
  const bool is_skippable = (bytes[0] & '\xf0') == '\x50' && bytes[1] == '\x2a';
  return (is_frame && bytes[2] == '\x2f' && bytes[3] == '\xfd') ||
         (is_skippable && bytes[2] == '\x4d' && bytes[3] == '\x18');
}

constexpr int kGzipOnly = 15 + 16;  // zlib's windowBits: the largest window, gzip header expected

class GzipSource : public CompressedSource {
 public:
  GzipSource(InputBlock input, std::string name, const ExpansionLimits& limits)
      : CompressedSource(std::move(input), std::move(name), limits) {
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) {
      throw std::runtime_error("zlib cannot be initialised");
    }
  }
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(char* out, std::size_t size) override {
    while (!is_over()) {
      if (!input().need(1)) {
        end("the gzip data end too early");
        break;
      }
      const std::size_t made = inflate_some(out, size);
      if (made > 0) {
        return made;
      }
    }
    return 0;
  }

  std::string compression() const override { return "gzip"; }

 private:
  std::size_t inflate_some(char* out, std::size_t size) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input().data()));
    stream_.avail_in = static_cast<uInt>(input().size());
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out =
        static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
    const uInt room = stream_.avail_out;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    const std::size_t made = room - stream_.avail_out;
    count(input().size() - stream_.avail_in, made);
    if (status == Z_STREAM_END) {
      next_member();
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      end("the gzip data are damaged");
    }
    return made;
  }

  // Members follow each other; anything else after them (padding of tapes, say) is not data.
  void next_member() {
    if (input().need(2) && is_gzip(input().data())) {
      inflateReset(&stream_);
    } else {
      finish();
    }
  }

  z_stream stream_{};
};

std::unique_ptr<ByteSource> gzip_source(InputBlock input,
                                        const std::string& name,
                                        const ExpansionLimits& limits) {
  return std::make_unique<GzipSource>(std::move(input), name, limits);
}

class ZstdSource : public CompressedSource {
 public:
  ZstdSource(InputBlock input, std::string name, const ExpansionLimits& limits)
      : CompressedSource(std::move(input), std::move(name), limits), stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) {
      throw std::runtime_error("zstd cannot be initialised");
    }
  }
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }

  std::size_t read(char* out, std::size_t size) override {
    while (!is_over()) {
      // A frame that is complete may still have text to give, without further input.
      const bool has_input = input().need(1);
      if (!has_input && is_between_frames_) {
        finish();
        break;
      }
      const std::size_t made = decompress_some(out, size);
      if (made > 0) {
        return made;
      }
      if (!has_input && !is_over()) {
        end("the zstd data end too early");
      }
    }
    return 0;
  }

  std::string compression() const override { return "zstd"; }

 private:
  std::size_t decompress_some(char* out, std::size_t size) {
    ZSTD_inBuffer from{input().data(), input().size(), 0};
    ZSTD_outBuffer to{out, size, 0};
    const std::size_t status = ZSTD_decompressStream(stream_, &to, &from);
    count(from.pos, to.pos);
    if (ZSTD_isError(status) != 0) {
      end(std::string("the zstd data are damaged: ") + ZSTD_getErrorName(status));
    } else {
      is_between_frames_ = status == 0;
    }
    return to.pos;
  }

  ZSTD_DStream* stream_;
  bool is_between_frames_ = false;
};

std::unique_ptr<ByteSource> zstd_source(InputBlock input,
                                        const std::string& name,
                                        const ExpansionLimits& limits) {
  return std::make_unique<ZstdSource>(std::move(input), name, limits);
}

class PlainSource : public ByteSource {
 public:
  explicit PlainSource(InputBlock input) : input_(std::move(input)) {}

  std::size_t read(char* out, std::size_t size) override { return input_.take(out, size); }

  std::int64_t file_bytes() const override { return input_.offset(); }

 private:
  InputBlock input_;
};

void check_expansion(const std::string& name,
                     std::int64_t bytes_in,
                     std::int64_t bytes_out,
                     const ExpansionLimits& limits) {
  const double ratio =
      static_cast<double>(bytes_out) / static_cast<double>(std::max<std::int64_t>(bytes_in, 1));
  const bool is_bomb = bytes_out > limits.ratio_from_bytes && ratio > limits.ratio;
  if (!is_bomb && bytes_out <= limits.total_bytes) {
    return;
  }
  throw Error(Error::Parts{name + ": byte " + std::to_string(bytes_in),
                           "decompresses to too much",
                           format_bytes(bytes_out) + " out of " + format_bytes(bytes_in) +
                               ", and no profiler writes that",
                           "decompress it by hand if you trust it"});
}

std::unique_ptr<ByteSource> plain_source(InputBlock input) {
  return std::make_unique<PlainSource>(std::move(input));
}

}  // namespace

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source,
                                         const std::string& name,
                                         const ExpansionLimits& limits) {
  InputBlock input(std::move(source));
  constexpr std::size_t kMagicBytes = 4;
  if (input.need(kMagicBytes) && is_zstd(input.data())) {
    return zstd_source(std::move(input), name, limits);
  }
  if (input.size() >= 2 && is_gzip(input.data())) {
    return gzip_source(std::move(input), name, limits);
  }
  return plain_source(std::move(input));
}

}  // namespace tune::profile
