#pragma once

#include "dataset/manifest.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tune::dataset {

enum class CheckDepth {
  sizes,    ///< every file there and of its size, nothing else there
  contents  ///< and of its SHA-256
};

/// What differs between the folder and the manifest in it, one "<path>: <problem>" each, sorted;
/// empty = intact. Does not throw for a damaged set.
std::vector<std::string> check_set(const std::filesystem::path& root, CheckDepth depth);

/// The same against a manifest that was read already.
std::vector<std::string> check_files(const std::filesystem::path& root,
                                     const Manifest& manifest,
                                     CheckDepth depth);

}  // namespace tune::dataset
