#include "base/sha256.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/retry.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <openssl/evp.h>
#include <unistd.h>
#include <vector>

namespace tune {

namespace {

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    TUNE_ASSERT(context_ != nullptr);
    TUNE_ASSERT(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
  }

  void add(const void* bytes, std::size_t count) {
    TUNE_ASSERT(EVP_DigestUpdate(context_.get(), bytes, count) == 1);
  }

  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    TUNE_ASSERT(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (unsigned int i = 0; i < size; ++i) {
      text += kDigits[digest[i] >> 4U];
      text += kDigits[digest[i] & 15U];
    }
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

void add_all(Sha256& hash, int file, const std::filesystem::path& path) {
  constexpr std::size_t kBlock = 1 << 18;
  std::vector<char> block(kBlock);
  for (;;) {
    const ssize_t got = retried([&] { return read(file, block.data(), block.size()); });
    if (got < 0) {
      throw_failed_call(path, "cannot be read", errno);
    }
    if (got == 0) {
      return;
    }
    hash.add(block.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes.data(), bytes.size());
  return hash.hex();
}

std::string sha256_file_hex(const std::filesystem::path& path) {
  const int file = retried([&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  if (file < 0) {
    throw_failed_call(path, "cannot be opened", errno);
  }
  const std::unique_ptr<const int, void (*)(const int*)> closer(&file,
                                                                [](const int* f) { close(*f); });
  Sha256 hash;
  add_all(hash, file, path);
  return hash.hex();
}

}  // namespace tune
