#pragma once

#include "base/file.h"
#include "dataset/data_cache.h"
#include "dataset/manifest.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace tune::dataset {

/// Keeps other processes (and threads) from making or removing the same set. It is an flock, so it
/// is released when the process ends, however that happens.
class SetLock {
 public:
  /// Waits for the lock; calls `while_waiting`, which may throw to give up, about every 100 ms.
  /// Throws tune::Error when the file cannot be made.
  SetLock(std::filesystem::path file, const std::function<void()>& while_waiting);
  ~SetLock();
  SetLock(const SetLock&) = delete;
  SetLock& operator=(const SetLock&) = delete;

  /// True while somebody holds the lock. Only for display: it may change at any moment.
  static bool is_held(const std::filesystem::path& file);

 private:
  bool try_once();

  std::filesystem::path file_;
  int descriptor_ = -1;
};

/// Makes the folder of all sets. Throws tune::Error.
void make_sets_folder(const std::filesystem::path& folder);

/// Throws tune::Error where the disk of `folder` has no room for the set.
void check_space(const std::string& name,
                 std::int64_t needed_bytes,
                 const std::filesystem::path& folder);

/// A folder that is deleted unless it was moved to its final name. Must be made under the set's
/// lock.
class SetDraft {
 public:
  /// Next to `root`, the set's final folder. Throws tune::Error.
  explicit SetDraft(const std::filesystem::path& root);
  ~SetDraft();
  SetDraft(const SetDraft&) = delete;
  SetDraft& operator=(const SetDraft&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

  /// Replaces whatever is at `root`, once all its files are on disk. Throws tune::Error.
  void become(const std::filesystem::path& root);

 private:
  void remove();
  void sync() const;

  std::filesystem::path folder_;
};

/// The set that `make` made, and the text of its manifest.
template <typename Set>
struct MadeSet {
  Set set;
  std::string manifest;
};

/// The set at `root`: what `find()` finds (an optional), before or after waiting for another
/// process that is making it; else what `make(folder)` writes into a folder that replaces `root`
/// only when it is complete. `total` is for the progress while waiting. Throws what these throw,
/// and tune::Error when nothing can be written.
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
