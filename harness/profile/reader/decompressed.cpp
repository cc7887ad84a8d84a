#include "base/error.h"
#include "base/units.h"
#include "profile/reader/input_block.h"

#include <algorithm>

namespace tune::profile {

namespace {

class PlainSource : public ByteSource {
 public:
  explicit PlainSource(InputBlock input) : input_(std::move(input)) {}

  std::size_t read(char* out, std::size_t size) override { return input_.take(out, size); }

  std::int64_t file_bytes() const override { return input_.offset(); }

 private:
  InputBlock input_;
};

}  // namespace

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
