#pragma once

#include "worker/script/shield.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tune::script {

/// Shielded folders as they were before a trial, where overlays are not allowed. Afterwards what
/// the trial has written is undone. What somebody else changed meanwhile stays.
class KeptCopy {
 public:
  struct Limits {
    std::int64_t bytes = 256 << 20, entries = 20'000;
  };

  /// Copies. `.git`, `tune-runs` and the run of the trial are left out. Throws tune::Error, with
  /// `obstacle` (why there is no overlay) and the largest files, if the copy would exceed the
  /// limits.
  KeptCopy(const Shield& shield, const std::string& obstacle, const Limits& limits);
  ~KeptCopy();
  KeptCopy(const KeptCopy&) = delete;
  KeptCopy& operator=(const KeptCopy&) = delete;

  /// Undoes what the trial has written: files that are named ("/out/a.pt"), what is behind
  /// "os.mkdir /out" and the like, and folders that have come with them. Throws tune::Error where a
  /// file cannot be given back; then all copies stay, and the sentence says where.
  void undo(const std::vector<std::string>& written);

  /// A sentence on the copy, and one for each of the first changes that are left as they are: they
  /// came during the trial, and nothing says that it made them.
  void add_notes(std::vector<std::string>& notes) const;

 private:
  struct Entry {
    std::filesystem::file_type type{};
    std::uintmax_t bytes = 0;
    std::int64_t moment = 0;
    std::filesystem::path copy;
  };
  using Entries = std::map<std::filesystem::path, Entry>;

  Entries entries_now() const;
  void check_limits(const Limits& limits) const;
  bool is_of_trial(const std::filesystem::path& path,
                   const std::set<std::filesystem::path>& named,
                   bool is_gone) const;
  bool restore(const std::filesystem::path& path, const Entry& entry) const;

  std::vector<std::filesystem::path> folders_;
  std::filesystem::path own_;  ///< the run's
  std::string obstacle_;
  std::filesystem::path place_;
  Entries before_;
  std::vector<std::string> left_;
};

}  // namespace tune::script
