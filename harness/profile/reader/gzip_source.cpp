#include "profile/reader/input_block.h"

#include <limits>
#include <stdexcept>
#include <zlib.h>

namespace tune::profile {

namespace {

constexpr int kGzipOnly = 15 + 16;  // zlib's windowBits: the largest window, gzip header expected

class GzipSource : public ByteSource {
 public:
  GzipSource(InputBlock input, std::string name, const ExpansionLimits& limits)
      : input_(std::move(input)), name_(std::move(name)), limits_(limits) {
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) {
      throw std::runtime_error("zlib cannot be initialised");
    }
  }
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(char* out, std::size_t size) override {
    while (!is_over_) {
      if (!input_.need(1)) {
        end("the gzip data end too early");
        break;
      }
      const std::size_t count = inflate_some(out, size);
      if (count > 0) {
        return count;
      }
    }
    return 0;
  }

  std::string damage() const override { return damage_; }
  std::int64_t file_bytes() const override { return input_.offset(); }
  std::string compression() const override { return "gzip"; }

 private:
  std::size_t inflate_some(char* out, std::size_t size) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input_.data()));
    stream_.avail_in = static_cast<uInt>(input_.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out =
        static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
    const uInt room = stream_.avail_out;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    input_.use(input_.size() - stream_.avail_in);
    const std::size_t count = room - stream_.avail_out;
    bytes_out_ += static_cast<std::int64_t>(count);
    check_expansion(name_, input_.offset(), bytes_out_, limits_);
    if (status == Z_STREAM_END) {
      next_member();
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      end("the gzip data are damaged");
    }
    return count;
  }

  // Members follow each other; what else follows (padding of tapes, say) is no part of the data.
  void next_member() {
    if (input_.need(2) && is_gzip(input_.data())) {
      inflateReset(&stream_);
    } else {
      is_over_ = true;
    }
  }

  void end(const std::string& what) {
    is_over_ = true;
    damage_ = what + " (byte " + std::to_string(input_.offset()) + " of the file)";
  }

  InputBlock input_;
  std::string name_;
  ExpansionLimits limits_;
  z_stream stream_{};
  std::int64_t bytes_out_ = 0;
  bool is_over_ = false;
  std::string damage_;
};

}  // namespace

std::unique_ptr<ByteSource> gzip_source(InputBlock input,
                                        const std::string& name,
                                        const ExpansionLimits& limits) {
  return std::make_unique<GzipSource>(std::move(input), name, limits);
}

}  // namespace tune::profile
