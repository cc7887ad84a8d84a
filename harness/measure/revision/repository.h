#pragma once

#include "base/error.h"

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::revision {

/// A revision is not in this clone, or cannot be told from what is in it.
class Unavailable : public Error {
 public:
  using Error::Error;
};

/// A commit cannot be checked out, or the user's command did not build it.
class BuildFailed : public Error {
 public:
  BuildFailed(const Parts& complaint, std::string side, std::string output)
      : Error(complaint), side_(std::move(side)), output_(std::move(output)) {}

  const std::string& side() const { return side_; }      ///< "baseline", "candidate"
  const std::string& output() const { return output_; }  ///< the end of what the command printed

 private:
  std::string side_, output_;
};

/// Somebody asked to stop; what was half made is gone.
struct Stopped {};

/// What git said.
struct GitAnswer {
  bool is_yes = false;  ///< its exit code was 0
  std::string text;     ///< standard output, without the end of its last line
  std::string message;  ///< why not: the line of standard error after "fatal: "
};

/// Variables by which git tells its hooks which clone they are for; whoever looks for another one
/// must not see them.
const std::vector<std::string>& variables_of_hooks();

/// Runs `git <words>` in a folder: with the user's configuration, without asking for passwords,
/// without running hooks. Throws Stopped when `stop` (may be null) is not 0, and tune::Error when
/// git cannot be started or takes more than an hour.
GitAnswer ask_git(const std::filesystem::path& folder,
                  const std::vector<std::string>& words,
                  const std::atomic<int>* stop);

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

/// The commit that a branch, a tag, a hash, HEAD~1, ... names.
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
