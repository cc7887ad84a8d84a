#pragma once

#include "measure/revision/repository.h"

#include <filesystem>
#include <string>

namespace tune::revision {

/// Fills the submodules of a working tree that `git worktree add` made, which leaves their folders
/// empty, each at the commit that the tree's names; theirs as well. Objects are those of the clone;
/// a commit that is not among them is fetched from where the submodule came from. A submodule that
/// the clone has never had is left empty: the clone builds without.
///
/// Returns "" or why one cannot be checked out.
std::string check_out_submodules(const Repository& repository, const std::filesystem::path& tree);

/// Removes what git knows of these submodules; a build may want it, a kept tree does not.
void forget_submodules(const std::filesystem::path& tree);

}  // namespace tune::revision
