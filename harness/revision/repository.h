#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune::revision {

/// A clone of git with files in it.
struct Repository {
  std::filesystem::path top;     ///< of the working tree; absolute, without links
  std::filesystem::path common;  ///< the folder .git that all its working trees share; absolute
  bool is_shallow = false;       ///< its history is cut off
  const std::atomic<int>* stop = nullptr;  ///< for git; may be null
};

/// A commit, and how it came to be chosen.
struct Revision {
  std::string commit;  ///< whole, hexadecimal
  std::string words;   ///< "origin/main", "the merge base with origin/main"

  /// "origin/main at 0123456789ab", or the commit alone where the words say no more.
  std::string text() const;
};

/// The clone in whose working tree a file lies; nothing where there is none, or no git program.
/// Throws tune::Error when git refuses to read it, as it does with a clone of another user.
std::optional<Repository> find_repository(const std::filesystem::path& file,
                                          const std::atomic<int>* stop);

/// The commit that a branch, a tag, a hash, HEAD~1, ... stands for.
std::optional<std::string> find_commit(const Repository& repository, const std::string& name);

/// Where HEAD and the main branch parted. The main branch is origin/HEAD, else the first there is
/// of origin/main, origin/master, main, master. Throws Unavailable with a sentence that says what
/// to do, also in a shallow clone: where the history is cut, the merge base may be cut off with it.
Revision merge_base_with_main(const Repository& repository);

/// Files that git tracks and that are not as HEAD has them, as `git status` prints them.
std::vector<std::string> changed_files(const Repository& repository);

/// Whether a commit has a file; `path` is relative to the top.
bool holds_file(const Repository& repository,
                const std::string& commit,
                const std::filesystem::path& path);

/// Its text in a commit; at most 1 MiB is given, of its end. Throws Unavailable without it.
std::string file_text(const Repository& repository,
                      const std::string& commit,
                      const std::filesystem::path& path);

}  // namespace tune::revision
