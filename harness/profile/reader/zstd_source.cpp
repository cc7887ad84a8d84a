#include "profile/reader/input_block.h"

#include <stdexcept>
#include <zstd.h>

namespace tune::profile {

namespace {

class ZstdSource : public ByteSource {
 public:
  ZstdSource(InputBlock input, std::string name, const ExpansionLimits& limits)
      : input_(std::move(input)),
        name_(std::move(name)),
        limits_(limits),
        stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) {
      throw std::runtime_error("zstd cannot be initialised");
    }
  }
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }

  std::size_t read(char* out, std::size_t size) override {
    while (!is_over_) {
      // A frame that is complete may still have text to give, without further input.
      const bool has_input = input_.need(1);
      if (!has_input && is_between_frames_) {
        is_over_ = true;
        break;
      }
      const std::size_t count = decompress_some(out, size);
      if (count > 0) {
        return count;
      }
      if (!has_input && !is_over_) {
        end("the zstd data end too early");
      }
    }
    return 0;
  }

  std::string damage() const override { return damage_; }
  std::int64_t file_bytes() const override { return input_.offset(); }
  std::string compression() const override { return "zstd"; }

 private:
  std::size_t decompress_some(char* out, std::size_t size) {
    ZSTD_inBuffer from{input_.data(), input_.size(), 0};
    ZSTD_outBuffer to{out, size, 0};
    const std::size_t status = ZSTD_decompressStream(stream_, &to, &from);
    input_.use(from.pos);
    bytes_out_ += static_cast<std::int64_t>(to.pos);
    check_expansion(name_, input_.offset(), bytes_out_, limits_);
    if (ZSTD_isError(status) != 0) {
      end(std::string("the zstd data are damaged: ") + ZSTD_getErrorName(status));
    } else {
      is_between_frames_ = status == 0;
    }
    return to.pos;
  }

  void end(const std::string& what) {
    is_over_ = true;
    damage_ = what + " (byte " + std::to_string(input_.offset()) + " of the file)";
  }

  InputBlock input_;
  std::string name_;
  ExpansionLimits limits_;
  ZSTD_DStream* stream_;
  std::int64_t bytes_out_ = 0;
  bool is_between_frames_ = false;
  bool is_over_ = false;
  std::string damage_;
};

}  // namespace

std::unique_ptr<ByteSource> zstd_source(InputBlock input,
                                        const std::string& name,
                                        const ExpansionLimits& limits) {
  return std::make_unique<ZstdSource>(std::move(input), name, limits);
}

}  // namespace tune::profile
