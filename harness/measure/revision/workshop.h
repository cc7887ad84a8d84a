#pragma once

#include "measure/revision/repository.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace tune::revision {

/// What compilers, build tools and variables of the environment a build here would use, as text:
/// where it is equal, a commit is built to the same. Programs are asked for their version in
/// `folder`.
std::string describe_toolchain(const std::filesystem::path& folder, const std::atomic<int>* stop);

/// What a workshop needs of the world.
struct WorkshopSettings {
  Repository repository;
  /// Where its trees are: for this repository alone, of somebody who holds a lock on it.
  std::filesystem::path folder;
  /// What a built tree depends on besides its commit: compilers, headers of the worker.
  std::string toolchain;
  bool builds_anew = false;  ///< takes nothing from the cache
  /// A line about what begins; and, some times a second, what still lasts. Both may be empty.
  std::function<void(const std::string&)> tell, tick;
};

/// What is made of a commit.
struct TreeOrder {
  Revision revision;
  std::filesystem::path folder;  ///< of the scenario, relative to the top: where the command runs
  std::string command;           ///< "": the commit as it is
};

/// Checks commits out and builds them, each in a temporary working tree of git, and keeps what came
/// out. All of them are built and used under one and the same path, tree(): then equal sources give
/// equal files, also where these hold the path of their sources, and what a file refers to by its
/// absolute path is found. One tree can be there at a time.
///
///   <folder>/tree         a link to one of built/, or the working tree that is being built
///   <folder>/built/<key>  whole trees, without .git; there only when the build succeeded
class Workshop {
 public:
  explicit Workshop(WorkshopSettings settings);
  /// No working tree of git and no link are left.
  ~Workshop();
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  /// Checks out and builds a commit for a side of a comparison, or takes what is in the cache: by
  /// commit, command, toolchain and tree(). Throws BuildFailed, Stopped, and tune::Error where the
  /// folder cannot be written.
  void make(const std::string& side, const TreeOrder& order);

  /// Lets tree() be that of a side that was made.
  void enter(const std::string& side);

  std::filesystem::path tree() const { return settings_.folder / "tree"; }

  /// Forgets all but the trees of the sides made and the most recently used, four in all.
  void keep_newest() const;

 private:
  std::filesystem::path place_of(const std::string& key) const;
  std::string key_of(const TreeOrder& order) const;
  void check_out(const std::string& side, const TreeOrder& order);
  void build(const std::string& side, const TreeOrder& order) const;
  void keep(const std::string& key);
  void clear();

  WorkshopSettings settings_;
  std::map<std::string, std::string> keys_;  ///< of the sides made
  bool has_worktree_ = false;                ///< git knows of one in tree()
};

}  // namespace tune::revision
