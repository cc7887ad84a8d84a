#pragma once

#include "dataset/generated_spec.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tune::dataset {

/// Images on disk, one sub-folder per class, and the hash that identifies them in a result.
struct DataSet {
  std::filesystem::path root;
  std::string manifest_sha256;
  std::int64_t samples = 0, classes = 0, bytes = 0;
  std::vector<std::string> skipped;  ///< "12 .txt": files in the class folders that are not JPEGs
};

struct MakingProgress {
  enum class Stage { waiting, making } stage;  ///< waiting: another process is making this set
  std::int64_t done = 0, total = 0;            ///< images
};

/// Called in the caller's thread, about ten times a second. May throw to give up; nothing is left
/// behind then.
using OnProgress = std::function<void(const MakingProgress&)>;

/// The set in the cache, made if it is missing or damaged. `threads` 0 = one per CPU; the result
/// does not depend on it. Throws tune::Error for a wrong spec, too little disk space, or a folder
/// that cannot be written.
DataSet make_generated(const GeneratedSpec& spec,
                       const std::filesystem::path& cache_folder,
                       const OnProgress& on_progress = {},
                       int threads = 0);

/// The set if it is in the cache and, by names and sizes, intact.
std::optional<DataSet> find_generated(const GeneratedSpec& spec,
                                      const std::filesystem::path& cache_folder);

/// The user's own tree (image_folder.h). Throws tune::Error when it cannot be listed or has another
/// number of classes than `expected_classes`. Its SHA-256 covers the classes and the path and size
/// of every JPEG, not the contents: reading 100 GB before each run would not be accepted.
DataSet describe_image_folder(const std::filesystem::path& root, std::int64_t expected_classes);

}  // namespace tune::dataset
