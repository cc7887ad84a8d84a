#pragma once

#include "dataset/data_set.h"
#include "dataset/token_bin.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tune::dataset {

/// Which tokens are made. The same spec gives the same bytes on every machine.
struct TokenSpec {
  std::int64_t tokens = 0;
  std::int64_t vocabulary = 50'257;  ///< GPT-2's
  std::uint64_t seed = 0;
  bool operator==(const TokenSpec&) const = default;
};

constexpr std::int64_t kMostTokens = 1'000'000'000;  ///< of a set
constexpr std::int64_t kMostVocabulary = 65'536;

/// Throws tune::Error naming `where` when a number is out of range.
void check_spec(const TokenSpec& spec, const std::string& where);

/// "tokens-4194305-50257v-seed0"; the name of the set's folder in the cache.
std::string set_name(const TokenSpec& spec);

/// The file in that folder.
constexpr const char* kTokenFile = "tokens.bin";

/// The contents of a set of tokens: the text file kManifestName in its folder, whose SHA-256
/// identifies the set in every result.
struct TokenManifest {
  TokenSpec spec;
  std::string sha256;  ///< of the file of tokens
  bool operator==(const TokenManifest&) const = default;
};

/// Whether the text begins like the manifest of a set of tokens, not of images.
bool is_token_manifest(std::string_view text);

std::string to_text(const TokenManifest& manifest);

/// Throws tune::Error naming `where` when the text is not the manifest of a set of tokens.
TokenManifest parse_token_manifest(std::string_view text, const std::string& where);

/// The set in the cache, made if it is missing or damaged: words of a language whose k-th word
/// comes 1/k as often as the first (Zipf), in random order. A model that learns the frequencies
/// lowers its loss from ln(vocabulary) by about a third. Progress is counted in tokens. Throws
/// tune::Error for a wrong spec, too little disk space, or a folder that cannot be written.
TokenSet make_generated_tokens(const TokenSpec& spec,
                               const std::filesystem::path& cache_folder,
                               const OnProgress& on_progress = {});

/// The set if it is in the cache and, by name and size, intact.
std::optional<TokenSet> find_generated_tokens(const TokenSpec& spec,
                                              const std::filesystem::path& cache_folder);

}  // namespace tune::dataset
