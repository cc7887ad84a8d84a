#include "dataset/manifest.h"

#include "base/error.h"
#include "base/file.h"

#include <algorithm>
#include <charconv>

namespace tune::dataset {

namespace {

constexpr std::string_view kMagic = "tune-data 1";
constexpr std::string_view kColumns = "columns bytes sha256 fault path";
constexpr std::int64_t kMostBytes = std::int64_t{2} << 30;      // of the manifest
constexpr std::int64_t kMostFileBytes = std::int64_t{1} << 40;  // of one image
constexpr std::size_t kHashDigits = 64;

/// Hands out the lines and knows their numbers.
class Lines {
 public:
  Lines(std::string_view text, const std::string& where) : rest_(text), where_(where) {}

  bool at_end() const { return rest_.empty(); }

  std::string_view next() {
    ++number_;
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) {
      complain("ends in the middle of a line", "");
    }
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return line;
  }

  /// What follows `word` and a space.
  std::string_view value_of(std::string_view word) {
    const std::string_view line = next();
    if (!line.starts_with(word) || line.size() <= word.size() || line[word.size()] != ' ') {
      complain("should read '" + std::string(word) + " ...'", "");
    }
    return line.substr(word.size() + 1);
  }

  template <class Integer>
  Integer integer(std::string_view text, Integer highest) {
    Integer value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value > highest) {
      complain("has no whole number where one belongs", "at most " + std::to_string(highest));
    }
    return value;
  }

  [[noreturn]] void complain(const std::string& problem, const std::string& why) const {
    throw Error({where_ + ":" + std::to_string(number_),
                 "the manifest " + problem,
                 why.empty() ? "the set is damaged or was not made by tune" : why,
                 ""});
  }

 private:
  std::string_view rest_;
  const std::string& where_;
  std::int64_t number_ = 0;
};

/// Cuts off the first word of `line`.
std::string_view cut_word(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

ManifestFile parse_file(Lines& lines, const std::string& path) {
  std::string_view line = lines.next();
  ManifestFile file;
  file.bytes = lines.integer<std::int64_t>(cut_word(line), kMostFileBytes);
  file.sha256 = cut_word(line);
  const bool is_hash = file.sha256.size() == kHashDigits &&
                       file.sha256.find_first_not_of("0123456789abcdef") == std::string::npos;
  const auto fault = parse_fault(cut_word(line));
  if (!is_hash || !fault) {
    lines.complain("has no SHA-256 and fault where they belong", "");
  }
  if (line != path) {
    lines.complain("should name " + path, "");
  }
  file.fault = *fault;
  return file;
}

}  // namespace

std::string to_text(const Manifest& manifest) {
  const GeneratedSpec& spec = manifest.spec;
  std::string text = std::string(kMagic) + "\n";
  text += "generator " + std::to_string(manifest.generator_version) + "\n";
  text += "libjpeg-turbo " + manifest.jpeg_version + "\n";
  text += "profile " + spec.profile + "\n";
  text += "samples " + std::to_string(spec.samples) + "\n";
  text += "classes " + std::to_string(spec.classes) + "\n";
  text += "seed " + std::to_string(spec.seed) + "\n";
  text += std::string(kColumns) + "\n";
  for (std::size_t i = 0; i < manifest.files.size(); ++i) {
    const ManifestFile& file = manifest.files[i];
    text += std::to_string(file.bytes) + " " + file.sha256 + " " +
            std::string(to_text(file.fault)) + " " +
            image_path(spec, static_cast<std::int64_t>(i)) + "\n";
  }
  return text;
}

Manifest parse_manifest(std::string_view text, const std::string& where) {
  Lines lines(text, where);
  if (lines.next() != kMagic) {
    lines.complain("should begin with '" + std::string(kMagic) + "'", "");
  }
  Manifest manifest;
  manifest.generator_version = lines.integer<int>(lines.value_of("generator"), 1'000'000);
  manifest.jpeg_version = lines.value_of("libjpeg-turbo");
  manifest.spec.profile = lines.value_of("profile");
  manifest.spec.samples = lines.integer<std::int64_t>(lines.value_of("samples"), kMostSamples);
  manifest.spec.classes = lines.integer<std::int64_t>(lines.value_of("classes"), kMostClasses);
  manifest.spec.seed = lines.integer<std::uint64_t>(lines.value_of("seed"), UINT64_MAX);
  check_spec(manifest.spec, where);
  if (lines.next() != kColumns) {
    lines.complain("should name its columns", "");
  }
  for (std::int64_t i = 0; i < manifest.spec.samples; ++i) {
    if (lines.at_end()) {
      lines.complain(
          "names " + std::to_string(i) + " of " + std::to_string(manifest.spec.samples) + " files",
          "");
    }
    manifest.files.push_back(parse_file(lines, image_path(manifest.spec, i)));
  }
  if (!lines.at_end()) {
    lines.complain("goes on after its last file", "");
  }
  return manifest;
}

std::string read_manifest_text(const std::filesystem::path& root) {
  return read_file(root / kManifestName, kMostBytes);
}

std::int64_t total_bytes(const Manifest& manifest) {
  std::int64_t sum = 0;
  for (const ManifestFile& file : manifest.files) {
    sum += file.bytes;
  }
  return sum;
}

}  // namespace tune::dataset
