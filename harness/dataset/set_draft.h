#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tune::dataset {

/// Makes the folder of all sets. Throws tune::Error.
void make_sets_folder(const std::filesystem::path& folder);

/// Throws tune::Error where the disk of `folder` has no room for the set.
void check_space(const std::string& name,
                 std::int64_t needed_bytes,
                 const std::filesystem::path& folder);

/// A folder that is deleted unless it was moved to its final name. To be made under the set's lock.
class SetDraft {
 public:
  /// Beside `root`, where the set will lie. Throws tune::Error.
  explicit SetDraft(const std::filesystem::path& root);
  ~SetDraft();
  SetDraft(const SetDraft&) = delete;
  SetDraft& operator=(const SetDraft&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

  /// Takes the place of what may lie at `root`, once all its files are on disk. Throws tune::Error.
  void become(const std::filesystem::path& root);

 private:
  void remove();
  void sync() const;

  std::filesystem::path folder_;
};

}  // namespace tune::dataset
