#pragma once

#include "dataset/fault.h"
#include "dataset/generated_spec.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tune::dataset {

struct ManifestFile {
  std::int64_t bytes = 0;
  std::string sha256;
  Fault fault = Fault::none;
  bool operator==(const ManifestFile&) const = default;
};

/// The contents of a generated set; the text file kManifestName in its folder. The SHA-256 of that
/// text identifies the set in every result: it covers the bytes of every image.
struct Manifest {
  int generator_version = kGeneratorVersion;
  std::string jpeg_version;
  GeneratedSpec spec;
  std::vector<ManifestFile> files;  ///< sample i is at image_path(spec, i)
  bool operator==(const Manifest&) const = default;
};

constexpr const char* kManifestName = "manifest.txt";

/// One line per file, for people and for `grep`: bytes, SHA-256, fault or "-", path.
std::string to_text(const Manifest& manifest);

/// Throws tune::Error naming `where` and the line when the text is not a manifest. The paths in it
/// must be those that the spec implies, so a manifest cannot point outside its folder.
Manifest parse_manifest(std::string_view text, const std::string& where);

/// The text of the manifest in the set's folder. Throws tune::Error.
std::string read_manifest_text(const std::filesystem::path& root);

std::int64_t total_bytes(const Manifest& manifest);

enum class CheckDepth {
  sizes,    ///< every file exists with its size, and nothing else exists
  contents  ///< and every file has its SHA-256
};

/// The differences between the folder and the manifest in it, one "<path>: <problem>" each, sorted;
/// empty = intact. Does not throw for a damaged set.
std::vector<std::string> check_set(const std::filesystem::path& root, CheckDepth depth);

/// The same, with a manifest that was already read.
std::vector<std::string> check_files(const std::filesystem::path& root,
                                     const Manifest& manifest,
                                     CheckDepth depth);

}  // namespace tune::dataset
