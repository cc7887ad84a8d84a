#pragma once

#include "dataset/data_set.h"
#include "dataset/generated_tokens.h"
#include "dataset/manifest.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune::dataset {

/// Where generated sets lie: one folder each, under the name of set_name(). Beside "<name>" there
/// can be ".<name>.lock" and, while it is made or after that was cut short, ".<name>.making".
std::filesystem::path sets_folder(const std::filesystem::path& cache_folder);
std::filesystem::path lock_file_of(const std::filesystem::path& root);
std::filesystem::path draft_folder_of(const std::filesystem::path& root);

/// A folder of the cache.
struct CachedSet {
  std::string name;
  DataSet set;  ///< only root where `problem` says that the manifest cannot be read
  GeneratedSpec spec;
  std::optional<TokenSpec> tokens;  ///< of a set of tokens, which has no `spec` and no classes
  std::string problem;              ///< "" when manifest, names and sizes are right
};

/// All sets, sorted by name; folders without a manifest are not ours. Empty when there is no cache
/// yet.
std::vector<CachedSet> list_sets(const std::filesystem::path& cache_folder);

/// What is left of sets whose making was cut short and that nobody makes now.
std::vector<std::filesystem::path> list_leftovers(const std::filesystem::path& cache_folder);

/// The folder of a set by its name. Throws tune::Error when there is none in the cache.
std::filesystem::path find_set(const std::filesystem::path& cache_folder, const std::string& name);

/// Deletes a set. Only folders in the cache that hold a manifest are deleted, links are not
/// followed, and a set that is being made is left alone. Throws tune::Error.
void remove_set(const std::filesystem::path& cache_folder, const std::string& name);

/// Deletes what list_leftovers() names.
void remove_leftovers(const std::filesystem::path& cache_folder);

}  // namespace tune::dataset
