#include "dataset/token_bin.h"

#include "base/error.h"
#include "base/sha256.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tune::dataset {

namespace {

static_assert(std::endian::native == std::endian::little, "tokens are read as they are on disk");

constexpr std::size_t kTokenBytes = sizeof(std::uint16_t);

/// Closed at the end of the scope; a mapping stays valid.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) {
      throw Error({path.string(), "cannot be read", std::strerror(errno), ""});
    }
  }
  ~OpenFile() { close(descriptor_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

std::size_t size_of(const OpenFile& file, const std::filesystem::path& path) {
  struct stat facts {};
  if (fstat(file.descriptor(), &facts) != 0) {
    throw Error({path.string(), "cannot be read", std::strerror(errno), ""});
  }
  if (!S_ISREG(facts.st_mode)) {
    throw Error({path.string(), "is not a file", "a token-bin is one file of tokens", ""});
  }
  const auto bytes = static_cast<std::size_t>(facts.st_size);
  if (bytes == 0) {
    throw Error({path.string(), "is empty", "a token-bin contains tokens of 16 bits", ""});
  }
  if (bytes % kTokenBytes != 0) {
    throw Error({path.string(),
                 "ends in the middle of a token",
                 std::to_string(bytes) + " bytes are not a whole number of tokens of 16 bits",
                 ""});
  }
  return bytes;
}

}  // namespace

TokenBin::TokenBin(const std::filesystem::path& path) {
  const OpenFile file(path);
  const std::size_t bytes = size_of(file, path);
  void* const mapped = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (mapped == MAP_FAILED) {  // NOLINT(cppcoreguidelines-pro-type-cstyle-cast): of the C library
    throw Error({path.string(), "cannot be mapped into memory", std::strerror(errno), ""});
  }
  tokens_ = static_cast<const std::uint16_t*>(mapped);
  count_ = bytes / kTokenBytes;
}

TokenBin::~TokenBin() {
  munmap(const_cast<std::uint16_t*>(tokens_), count_ * kTokenBytes);
}

TokenSet describe_token_bin(const std::filesystem::path& file) {
  constexpr std::size_t kEnd = std::size_t{1} << 20;
  const TokenBin bin(file);
  const auto tokens = bin.tokens();
  const std::size_t bytes = tokens.size_bytes();
  const std::string_view all(reinterpret_cast<const char*>(tokens.data()), bytes);
  std::string text = "tune-token-bin 1\n" + std::to_string(bytes) + "\n";
  text += all.substr(0, std::min(kEnd, bytes));
  text += all.substr(bytes - std::min(kEnd, bytes));
  return {.file = file,
          .manifest_sha256 = sha256_hex(text),
          .tokens = static_cast<std::int64_t>(tokens.size()),
          .bytes = static_cast<std::int64_t>(bytes)};
}

std::int64_t count_sequences(const TokenSet& set,
                             std::int64_t sequence_length,
                             const std::string& key) {
  const std::int64_t sequences = (set.tokens - 1) / sequence_length;
  if (sequences < 1) {
    throw Error({set.file.string(),
                 "holds " + std::to_string(set.tokens) + " tokens",
                 "a sequence takes " + std::to_string(sequence_length) + " and the one after it",
                 "a shorter " + key});
  }
  return sequences;
}

}  // namespace tune::dataset
