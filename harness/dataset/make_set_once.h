#pragma once

#include "base/file.h"
#include "dataset/data_cache.h"
#include "dataset/manifest.h"
#include "dataset/set_draft.h"
#include "dataset/set_lock.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace tune::dataset {

/// What `make` made, and the text of its manifest.
template <typename Set>
struct MadeSet {
  Set set;
  std::string manifest;
};

/// The set at `root`: what `find()` finds (an optional), before or after waiting for another
/// process that makes it; else what `make(folder)` writes into a folder that takes the place of
/// `root` only when it is whole. `total` is for the progress while waiting. Throws what these
/// throw, and tune::Error where nothing can be written.
template <typename Find, typename Make>
auto make_set_once(const std::filesystem::path& root,
                   std::int64_t total,
                   const OnProgress& on_progress,
                   const Find& find,
                   const Make& make) {
  if (auto found = find()) {
    return *found;
  }
  make_sets_folder(root.parent_path());
  const SetLock lock(lock_file_of(root), [&] {
    if (on_progress) {
      on_progress({MakingProgress::Stage::waiting, 0, total});
    }
  });
  if (auto found = find()) {
    return *found;  // another process made it while we waited
  }
  SetDraft draft(root);
  const auto made = make(draft.folder());
  write_file_synced(draft.folder() / kManifestName, made.manifest);
  draft.become(root);
  return made.set;
}

}  // namespace tune::dataset
