#include "dataset/set_check.h"

#include "base/error.h"
#include "base/sha256.h"
#include "dataset/generated_tokens.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace tune::dataset {

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
                                                    : "has other contents than it was made with";
  } catch (const Error& error) {
    return std::string("cannot be read: ") + error.what();
  }
}

/// Files and folders below `root` that no sample accounts for. The loader lists the folder, so they
/// would be trained on, or shift the labels.
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
