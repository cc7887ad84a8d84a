#include "dataset/manifest.h"

#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "dataset/generated_tokens.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <set>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace tune::dataset {

namespace {

constexpr std::string_view kMagic = "tune-data 1";
constexpr std::string_view kColumns = "columns bytes sha256 fault path";
constexpr std::int64_t kMostBytes = std::int64_t{2} << 30;      // of the manifest
constexpr std::int64_t kMostFileBytes = std::int64_t{1} << 40;  // of one image
constexpr std::size_t kHashDigits = 64;

/// Reads line by line and counts the lines.
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

  /// The rest of the line after `word` and a space.
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
      complain("has no whole number where one is expected", "at most " + std::to_string(highest));
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
    lines.complain("has no SHA-256 and fault where they are expected", "");
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
    lines.complain("continues after its last file", "");
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

namespace {

namespace fs = std::filesystem;

/// "" when the file is as it was made.
std::string problem_of(const fs::path& path, const ManifestFile& expected, CheckDepth depth) {
  struct stat facts {};
  if (lstat(path.c_str(), &facts) != 0) {
    return errno == ENOENT ? "is missing" : std::strerror(errno);
  }
  if (!S_ISREG(facts.st_mode)) {
    return "is not a file";
  }
  if (facts.st_size != expected.bytes) {
    return "has " + std::to_string(facts.st_size) + " bytes, should have " +
           std::to_string(expected.bytes);
  }
  const bool is_closed = (facts.st_mode & 0777) == 0;
  if (is_closed != (expected.fault == Fault::unreadable)) {
    return is_closed ? "is not readable" : "should not be readable";
  }
  if (depth == CheckDepth::sizes || (is_closed && access(path.c_str(), R_OK) != 0)) {
    return "";
  }
  try {
    return sha256_file_hex(path) == expected.sha256 ? ""
                                                    : "has other contents than when it was made";
  } catch (const Error& error) {
    return std::string("cannot be read: ") + error.what();
  }
}

/// Files and folders below `root` that belong to no sample. The loader lists the folder, so they
/// would be trained on or would shift the labels.
void find_strangers(const fs::path& root,
                    const Manifest& manifest,
                    std::vector<std::string>& problems) {
  std::set<std::string> known = {kManifestName};
  for (std::int64_t label = 0; label < manifest.spec.classes; ++label) {
    known.insert(class_name(manifest.spec, label));
  }
  for (std::int64_t i = 0; i < manifest.spec.samples; ++i) {
    known.insert(image_path(manifest.spec, i));
  }
  std::size_t found = 0;
  std::error_code error;
  fs::recursive_directory_iterator at(root, error);
  for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
    const std::string path = at->path().lexically_relative(root).generic_string();
    if (known.count(path) != 0) {
      ++found;
    } else {
      problems.push_back(path + ": does not belong to the set");
    }
  }
  if (error) {
    problems.push_back(root.string() + ": cannot be listed: " + error.message());
  } else if (found < known.size()) {
    for (std::int64_t label = 0; label < manifest.spec.classes; ++label) {
      const std::string name = class_name(manifest.spec, label);
      if (!fs::is_directory(root / name, error)) {
        problems.push_back(name + ": the folder is missing");
      }
    }
  }
}

std::vector<std::string> check_tokens(const fs::path& root,
                                      const TokenManifest& manifest,
                                      CheckDepth depth) {
  std::vector<std::string> problems;
  const std::int64_t bytes = 2 * manifest.spec.tokens;
  if (const std::string problem =
          problem_of(root / kTokenFile, {bytes, manifest.sha256, Fault::none}, depth);
      !problem.empty()) {
    problems.push_back(std::string(kTokenFile) + ": " + problem);
  }
  std::error_code error;
  fs::directory_iterator at(root, error);
  for (const fs::directory_iterator end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name != kTokenFile && name != kManifestName) {
      problems.push_back(name + ": does not belong to the set");
    }
  }
  if (error) {
    problems.push_back(root.string() + ": cannot be listed: " + error.message());
  }
  std::sort(problems.begin(), problems.end());
  return problems;
}

}  // namespace

std::vector<std::string> check_files(const fs::path& root,
                                     const Manifest& manifest,
                                     CheckDepth depth) {
  std::vector<std::string> problems;
  for (std::size_t i = 0; i < manifest.files.size(); ++i) {
    const std::string path = image_path(manifest.spec, static_cast<std::int64_t>(i));
    const std::string problem = problem_of(root / path, manifest.files[i], depth);
    if (!problem.empty()) {
      problems.push_back(std::string(path).append(": ").append(problem));
    }
  }
  find_strangers(root, manifest, problems);
  std::sort(problems.begin(), problems.end());
  return problems;
}

std::vector<std::string> check_set(const fs::path& root, CheckDepth depth) {
  try {
    const std::string text = read_manifest_text(root);
    const std::string where = (root / kManifestName).string();
    return is_token_manifest(text) ? check_tokens(root, parse_token_manifest(text, where), depth)
                                   : check_files(root, parse_manifest(text, where), depth);
  } catch (const Error& error) {
    return {error.what()};
  }
}

}  // namespace tune::dataset
