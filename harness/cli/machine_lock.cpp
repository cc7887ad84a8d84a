#include "cli/machine_lock.h"

#include "machine/user_folders.h"

#include <iostream>
#include <string>

namespace tune::cli {

std::optional<campaign::RunLock> lock_machine(const std::filesystem::path& run_directory) {
  std::string holder;
  auto lock = campaign::RunLock::take(machine::runtime_folder(), run_directory, holder);
  if (!lock) {
    std::cerr << "another tune run measures on this machine (" << holder
              << "); two at once would disturb each other: wait for it, or stop it\n";
  }
  return lock;
}

std::optional<campaign::RunLock> lock_workshop(const std::filesystem::path& folder,
                                               const std::filesystem::path& run_directory) {
  std::string holder;
  auto lock = campaign::RunLock::take(folder, run_directory, holder);
  if (!lock) {
    std::cerr << "another gate compares commits of this clone (" << holder
              << "): wait for it, or stop it\n";
  }
  return lock;
}

}  // namespace tune::cli
