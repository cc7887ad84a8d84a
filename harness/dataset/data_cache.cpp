#include "dataset/data_cache.h"

#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"
#include "dataset/make_set_once.h"

#include <algorithm>
#include <system_error>

namespace tune::dataset {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMaking = ".making";
constexpr std::string_view kLock = ".lock";

/// Names of the folders in the cache's data folder.
std::vector<std::string> folder_names(const fs::path& cache_folder) {
  std::vector<std::string> names;
  const fs::path folder = sets_folder(cache_folder);
  std::error_code error;
  fs::directory_iterator at(folder, error);
  if (error == std::errc::no_such_file_or_directory) {
    return names;
  }
  for (const fs::directory_iterator end; !error && at != end; at.increment(error)) {
    std::error_code unknown;
    if (at->is_directory(unknown)) {
      names.push_back(at->path().filename().string());
    }
  }
  if (error) {
    throw Error({folder.string(), "cannot be read", error.message(), ""});
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_hidden(const std::string& name) {
  return name.starts_with('.');
}

/// Only a folder directly in the cache that has a manifest, readable or not, was made by tune.
bool is_ours(const fs::path& root) {
  std::error_code error;
  return !fs::is_symlink(root, error) &&
         fs::exists(fs::symlink_status(root / kManifestName, error));
}

void describe_tokens(const std::string& text, CachedSet& cached) {
  const fs::path& root = cached.set.root;
  cached.tokens = parse_token_manifest(text, (root / kManifestName).string()).spec;
  cached.set.manifest_sha256 = sha256_hex(text);
  cached.set.samples = cached.tokens->tokens;
  cached.set.bytes = 2 * cached.tokens->tokens;
  const auto problems = check_set(root, CheckDepth::sizes);
  cached.problem = problems.empty() ? "" : problems.front();
}

CachedSet describe(const fs::path& root) {
  CachedSet cached{.name = root.filename().string(),
                   .set = {.root = root},
                   .spec = {},
                   .tokens = std::nullopt,
                   .problem = ""};
  try {
    const std::string text = read_manifest_text(root);
    if (is_token_manifest(text)) {
      describe_tokens(text, cached);
      return cached;
    }
    const Manifest manifest = parse_manifest(text, (root / kManifestName).string());
    cached.spec = manifest.spec;
    cached.set.manifest_sha256 = sha256_hex(text);
    cached.set.samples = manifest.spec.samples;
    cached.set.classes = manifest.spec.classes;
    cached.set.bytes = total_bytes(manifest);
    const auto problems = check_files(root, manifest, CheckDepth::sizes);
    if (!problems.empty()) {
      cached.problem = problems.front();
    } else if (manifest.generator_version != kGeneratorVersion) {
      cached.problem = "made by another version of the generator";
    }
  } catch (const Error& error) {
    cached.problem = error.what();
  }
  return cached;
}

}  // namespace

fs::path sets_folder(const fs::path& cache_folder) {
  return cache_folder / "data";
}

fs::path lock_file_of(const fs::path& root) {
  return root.parent_path() / ("." + root.filename().string() + std::string(kLock));
}

fs::path draft_folder_of(const fs::path& root) {
  return root.parent_path() / ("." + root.filename().string() + std::string(kMaking));
}

std::vector<CachedSet> list_sets(const fs::path& cache_folder) {
  std::vector<CachedSet> sets;
  for (const std::string& name : folder_names(cache_folder)) {
    const fs::path root = sets_folder(cache_folder) / name;
    if (!is_hidden(name) && is_ours(root)) {
      sets.push_back(describe(root));
    }
  }
  return sets;
}

std::vector<fs::path> list_leftovers(const fs::path& cache_folder) {
  std::vector<fs::path> leftovers;
  for (const std::string& name : folder_names(cache_folder)) {
    if (is_hidden(name) && name.ends_with(kMaking)) {
      const std::string set = name.substr(1, name.size() - 1 - kMaking.size());
      if (!SetLock::is_held(lock_file_of(sets_folder(cache_folder) / set))) {
        leftovers.push_back(sets_folder(cache_folder) / name);
      }
    }
  }
  return leftovers;
}

fs::path find_set(const fs::path& cache_folder, const std::string& name) {
  std::vector<std::string> names = folder_names(cache_folder);
  std::erase_if(names, is_hidden);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw Error({sets_folder(cache_folder).string(),
                 "there is no data set '" + name + "'",
                 "'tune data list' names them",
                 did_you_mean(name, names)});
  }
  return sets_folder(cache_folder) / name;
}

void remove_set(const fs::path& cache_folder, const std::string& name) {
  const fs::path root = find_set(cache_folder, name);
  std::error_code error;
  if (!is_ours(root)) {
    throw Error({root.string(), "is not deleted", "it was not made by tune", ""});
  }
  const SetLock lock(lock_file_of(root), [&root] {
    throw Error({root.string(), "is not deleted", "another process is making it", ""});
  });
  // Renames the set first, so that a half-deleted set is never taken for a whole one.
  fs::remove_all(draft_folder_of(root), error);
  fs::rename(root, draft_folder_of(root), error);
  if (!error) {
    fs::remove_all(draft_folder_of(root), error);
  }
  if (error) {
    throw Error({root.string(), "cannot be deleted", error.message(), ""});
  }
}

void remove_leftovers(const fs::path& cache_folder) {
  for (const fs::path& leftover : list_leftovers(cache_folder)) {
    std::error_code error;
    fs::remove_all(leftover, error);
    if (error) {
      throw Error({leftover.string(), "cannot be deleted", error.message(), ""});
    }
  }
}

}  // namespace tune::dataset
