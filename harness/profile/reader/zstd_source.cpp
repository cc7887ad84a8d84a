#include "profile/reader/input_block.h"

#include <stdexcept>
#include <zstd.h>

namespace tune::profile {

namespace {

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

}  // namespace

std::unique_ptr<ByteSource> zstd_source(InputBlock input,
                                        const std::string& name,
                                        const ExpansionLimits& limits) {
  return std::make_unique<ZstdSource>(std::move(input), name, limits);
}

}  // namespace tune::profile
