#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

namespace tune::revision {

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

}  // namespace tune::revision
