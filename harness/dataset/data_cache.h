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

/// The home of generated sets: one folder each, named by set_name(). Next to "<name>" there can be
/// ".<name>.lock" and, while the set is being made or after that was interrupted, ".<name>.making".
std::filesystem::path sets_folder(const std::filesystem::path& cache_folder);
std::filesystem::path lock_file_of(const std::filesystem::path& root);
std::filesystem::path draft_folder_of(const std::filesystem::path& root);

/// A folder of the cache.
struct CachedSet {
  std::string name;
  DataSet set;  ///< only root when `problem` says that the manifest cannot be read
  GeneratedSpec spec;
  std::optional<TokenSpec> tokens;  ///< for a set of tokens, which has no `spec` and no classes
  std::string problem;              ///< "" when manifest, names and sizes are right
};

/// All sets, sorted by name; folders without a manifest are not ours. Empty when no cache exists
/// yet.
std::vector<CachedSet> list_sets(const std::filesystem::path& cache_folder);

/// Leftovers of sets whose making was interrupted and that nobody is making now.
std::vector<std::filesystem::path> list_leftovers(const std::filesystem::path& cache_folder);

/// The folder of the set with that name. Throws tune::Error when the cache does not have it.
std::filesystem::path find_set(const std::filesystem::path& cache_folder, const std::string& name);

/// Deletes a set. Deletes only folders in the cache that contain a manifest, follows no links, and
/// leaves a set alone that is being made. Throws tune::Error.
void remove_set(const std::filesystem::path& cache_folder, const std::string& name);

/// Deletes what list_leftovers() names.
void remove_leftovers(const std::filesystem::path& cache_folder);

}  // namespace tune::dataset
