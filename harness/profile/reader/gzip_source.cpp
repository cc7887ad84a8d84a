#include "profile/reader/input_block.h"

#include <limits>
#include <stdexcept>
#include <zlib.h>

namespace tune::profile {

namespace {

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

  // Members follow each other; what else follows (padding of tapes, say) is no part of the data.
  void next_member() {
    if (input().need(2) && is_gzip(input().data())) {
      inflateReset(&stream_);
    } else {
      finish();
    }
  }

  z_stream stream_{};
};

}  // namespace

std::unique_ptr<ByteSource> gzip_source(InputBlock input,
                                        const std::string& name,
                                        const ExpansionLimits& limits) {
  return std::make_unique<GzipSource>(std::move(input), name, limits);
}

}  // namespace tune::profile
