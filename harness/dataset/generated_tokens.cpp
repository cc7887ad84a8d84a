#include "dataset/generated_tokens.h"

#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "dataset/data_cache.h"
#include "dataset/draws.h"
#include "dataset/make_set_once.h"
#include "dataset/manifest.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <system_error>
#include <utility>
#include <vector>

namespace tune::dataset {

namespace {

// Draws tokens; the k-th most frequent one comes 1/k as often as the first. The seed decides which
// token that is: frequent ones should not be neighbours in a table of embeddings.
class ZipfTokens {
 public:
  // At most 65,536 different tokens, at least one.
  ZipfTokens(std::int64_t vocabulary, std::uint64_t seed);

  std::uint16_t draw(Draws& draws) const;

 private:
  std::vector<std::uint64_t> sums_;  // of the weights up to each rank
  std::vector<std::uint16_t> token_of_rank_;
};

constexpr std::uint64_t kPermutation = 1;  // the purpose of a stream of draws

// In [0, bound). The bound is far below 2^64, so the bias is negligible.
std::uint64_t below(std::uint64_t bound, Draws& draws) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(draws.bits()) * bound) >> 64);
}

ZipfTokens::ZipfTokens(std::int64_t vocabulary, std::uint64_t seed)
    : sums_(static_cast<std::size_t>(vocabulary)), token_of_rank_(sums_.size()) {
  constexpr std::uint64_t kFirst = std::uint64_t{1} << 32;  // whole numbers: libm differs
  std::uint64_t sum = 0;
  for (std::size_t rank = 0; rank < sums_.size(); ++rank) {
    sum += kFirst / (rank + 1);
    sums_[rank] = sum;
  }
  std::iota(token_of_rank_.begin(), token_of_rank_.end(), std::uint16_t{0});
  Draws draws = Draws(seed).branch(kPermutation);
  for (std::size_t last = token_of_rank_.size() - 1; last > 0; --last) {
    std::swap(token_of_rank_[last],
              token_of_rank_[static_cast<std::size_t>(below(last + 1, draws))]);
  }
}

std::uint16_t ZipfTokens::draw(Draws& draws) const {
  const auto rank = std::upper_bound(sums_.begin(), sums_.end(), below(sums_.back(), draws));
  return token_of_rank_[static_cast<std::size_t>(rank - sums_.begin())];
}

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "tune-tokens 1";
constexpr int kTokenGenerator = 1;  // changes whenever the same spec would give other bytes
constexpr std::int64_t kTokenBytes = 2;
constexpr std::uint64_t kText = 2;  // the purpose of a stream of draws
constexpr std::int64_t kLeastVocabulary = 128;

void check_range(std::int64_t value,
                 std::int64_t lowest,
                 std::int64_t highest,
                 const std::string& what,
                 const std::string& where) {
  if (value < lowest || value > highest) {
    throw Error({where,
                 what + " is " + std::to_string(value),
                 "must be " + std::to_string(lowest) + " to " + std::to_string(highest),
                 ""});
  }
}

// Cuts "<word> <number>\n" off the start of the text.
std::optional<std::uint64_t> cut_number(std::string_view& text, std::string_view word) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos || !text.starts_with(word) || end <= word.size() ||
      text[word.size()] != ' ') {
    return std::nullopt;
  }
  const std::string_view digits = text.substr(word.size() + 1, end - word.size() - 1);
  std::uint64_t number = 0;
  const auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || last != digits.data() + digits.size()) {
    return std::nullopt;
  }
  text.remove_prefix(end + 1);
  return number;
}

fs::path root_of(const TokenSpec& spec, const fs::path& cache_folder) {
  return fs::absolute(sets_folder(cache_folder)) / set_name(spec);
}

TokenSet to_token_set(const fs::path& root, const TokenSpec& spec, const std::string& text) {
  return {.file = root / kTokenFile,
          .manifest_sha256 = sha256_hex(text),
          .tokens = spec.tokens,
          .bytes = kTokenBytes * spec.tokens};
}

void write_tokens(const TokenSpec& spec, const fs::path& path, const OnProgress& on_progress) {
  constexpr std::int64_t kBlock = std::int64_t{1} << 19;
  const ZipfTokens zipf(spec.vocabulary, spec.seed);
  Draws draws = Draws(spec.seed).branch(kText);
  std::vector<std::uint16_t> block;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  for (std::int64_t done = 0; done < spec.tokens && file;) {
    block.resize(static_cast<std::size_t>(std::min(kBlock, spec.tokens - done)));
    std::generate(block.begin(), block.end(), [&] { return zipf.draw(draws); });
    file.write(reinterpret_cast<const char*>(block.data()),
               static_cast<std::streamsize>(block.size() * sizeof(block.front())));
    done += static_cast<std::int64_t>(block.size());
    if (on_progress) {
      on_progress({MakingProgress::Stage::making, done, spec.tokens});
    }
  }
  if (!file.flush()) {
    throw Error({path.string(), "cannot be written", "is the disk full?", ""});
  }
}

}  // namespace

void check_spec(const TokenSpec& spec, const std::string& where) {
  check_range(spec.tokens, 2, kMostTokens, "the number of tokens", where);
  check_range(spec.vocabulary, kLeastVocabulary, kMostVocabulary, "the vocabulary", where);
}

std::string set_name(const TokenSpec& spec) {
  return "tokens-" + std::to_string(spec.tokens) + "-" + std::to_string(spec.vocabulary) +
         "v-seed" + std::to_string(spec.seed);
}

bool is_token_manifest(std::string_view text) {
  return text.starts_with(kMagic);
}

std::string to_text(const TokenManifest& manifest) {
  std::string text(kMagic);
  text += "\ngenerator " + std::to_string(kTokenGenerator);
  text += "\ntokens " + std::to_string(manifest.spec.tokens);
  text += "\nvocabulary " + std::to_string(manifest.spec.vocabulary);
  text += "\nseed " + std::to_string(manifest.spec.seed);
  text += "\nsha256 " + manifest.sha256 + "\n";
  return text;
}

TokenManifest parse_token_manifest(std::string_view text, const std::string& where) {
  constexpr std::string_view kHash = "sha256 ";
  constexpr std::size_t kHashDigits = 64;
  const Error damaged(Error::Parts{
      where, "is not a manifest of tokens", "the set is damaged or was not made by tune", ""});
  if (!is_token_manifest(text) || text.size() <= kMagic.size() || text[kMagic.size()] != '\n') {
    throw Error(damaged);
  }
  text.remove_prefix(kMagic.size() + 1);
  const auto generator = cut_number(text, "generator");
  const auto tokens = cut_number(text, "tokens");
  const auto vocabulary = cut_number(text, "vocabulary");
  const auto seed = cut_number(text, "seed");
  if (!generator || !tokens || !vocabulary || !seed || !text.starts_with(kHash) ||
      text.size() != kHash.size() + kHashDigits + 1 || !text.ends_with('\n')) {
    throw Error(damaged);
  }
  if (*generator != kTokenGenerator) {
    throw Error(Error::Parts{where, "was made by another version of the generator", "", ""});
  }
  constexpr auto kMost = static_cast<std::uint64_t>(kMostTokens);
  TokenManifest manifest;
  manifest.spec.tokens = static_cast<std::int64_t>(std::min(*tokens, kMost + 1));
  manifest.spec.vocabulary = static_cast<std::int64_t>(std::min(*vocabulary, kMost));
  manifest.spec.seed = *seed;
  manifest.sha256 = text.substr(kHash.size(), kHashDigits);
  check_spec(manifest.spec, where);
  return manifest;
}

std::optional<TokenSet> find_generated_tokens(const TokenSpec& spec, const fs::path& cache_folder) {
  const fs::path root = root_of(spec, cache_folder);
  std::error_code error;
  if (!fs::exists(root / kManifestName, error)) {
    return std::nullopt;
  }
  try {
    const std::string text = read_manifest_text(root);
    const TokenManifest manifest = parse_token_manifest(text, (root / kManifestName).string());
    const std::uintmax_t bytes = fs::file_size(root / kTokenFile, error);
    const bool is_wanted = manifest.spec == spec && !error &&
                           bytes == static_cast<std::uintmax_t>(kTokenBytes) *
                                        static_cast<std::uintmax_t>(spec.tokens);
    return is_wanted ? std::optional(to_token_set(root, spec, text)) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;  // damaged: it is made again
  }
}

TokenSet make_generated_tokens(const TokenSpec& spec,
                               const fs::path& cache_folder,
                               const OnProgress& on_progress) {
  check_spec(spec, "data");
  const fs::path root = root_of(spec, cache_folder);
  return make_set_once(
      root,
      spec.tokens,
      on_progress,
      [&] { return find_generated_tokens(spec, cache_folder); },
      [&](const fs::path& folder) {
        check_space(set_name(spec), kTokenBytes * spec.tokens, root.parent_path());
        write_tokens(spec, folder / kTokenFile, on_progress);
        const std::string text = to_text(TokenManifest{spec, sha256_file_hex(folder / kTokenFile)});
        return MadeSet<TokenSet>{to_token_set(root, spec, text), text};
      });
}

}  // namespace tune::dataset
