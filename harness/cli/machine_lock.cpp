#include "cli/machine_lock.h"

#include "base/error.h"
#include "cli/answer.h"
#include "machine/user_folders.h"

#include <CLI/App.hpp>

#include <chrono>
#include <iostream>
#include <string>
#include <thread>
#include <utility>

namespace tune::cli {

std::optional<campaign::RunLock> lock_machine(const std::filesystem::path& run_directory,
                                              bool waits) {
  constexpr std::chrono::milliseconds kPause(200);
  for (bool is_told = false;; is_told = true) {
    std::string holder;
    auto lock = campaign::RunLock::take(machine::runtime_folder(), run_directory, holder);
    if (!lock && !is_told) {
      std::cerr << "another tune run measures on this machine (" << holder
                << "); two at once would disturb each other: "
                << (waits ? "waiting for it\n" : "wait for it (--wait), or stop it\n");
    }
    if (lock || !waits) {
      return lock;
    }
    std::this_thread::sleep_for(kPause);
  }
}

void add_wait_flag(CLI::App& command, bool& waits) {
  command.add_flag("--wait", waits, "If another tune measures on this machine, wait until it ends");
}

campaign::DirectoryLock lock_directory(const std::filesystem::path& directory) {
  std::string holder;
  auto lock = campaign::DirectoryLock::take(directory, holder);
  if (!lock) {
    throw MachineError({typed_path(directory),
                        "another tune writes into it",
                        holder + "; two at once would mix their trials",
                        "wait for it, or stop it"});
  }
  if (!lock->is_kept()) {
    std::cerr << "note: " << typed_path(directory)
              << " is on a file system without locks: nothing keeps a tune of another machine out "
                 "of it\n";
  }
  return std::move(*lock);
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
