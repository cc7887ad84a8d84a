#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace tune::dataset {

/// A file that contains only tokens of 16 bits, little-endian (what nanoGPT's prepare.py writes),
/// mapped into memory: pages that are not read take no memory.
class TokenBin {
 public:
  /// Throws tune::Error naming the file when it cannot be mapped, is empty, or ends in the middle
  /// of a token.
  explicit TokenBin(const std::filesystem::path& path);
  ~TokenBin();
  TokenBin(const TokenBin&) = delete;
  TokenBin& operator=(const TokenBin&) = delete;

  /// Valid as long as this object. A file that is truncated while it is mapped ends the process by
  /// SIGBUS.
  std::span<const std::uint16_t> tokens() const { return {tokens_, count_}; }

 private:
  const std::uint16_t* tokens_ = nullptr;
  std::size_t count_ = 0;
};

/// A file of tokens, and the hash that identifies it in a result.
struct TokenSet {
  std::filesystem::path file;
  std::string manifest_sha256;
  std::int64_t tokens = 0, bytes = 0;
};

/// The user's own file. Its SHA-256 covers the size, the first and the last MiB, not all of it:
/// reading 100 GB before each run would not be accepted. Throws tune::Error as TokenBin does.
TokenSet describe_token_bin(const std::filesystem::path& file);

/// The number of sequences of this many tokens that do not overlap, each with the token that
/// follows it. Throws tune::Error naming the file, and `key` as the source of the length, when
/// there is none.
std::int64_t count_sequences(const TokenSet& set,
                             std::int64_t sequence_length,
                             const std::string& key = "workload.params.sequence_length");

}  // namespace tune::dataset
