#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tune::campaign {

/// Held by whoever writes into a run directory: two at once, perhaps of two machines or containers
/// that share the folder, would mix their trials in one ledger. A lock of the kernel on a file in
/// the directory, which a server of NFS keeps for all its clients: it ends with the process that
/// holds it, however that ends.
class DirectoryLock {
 public:
  /// Nothing when somebody else holds it; then `holder` says who: "pid 4711 on node7". Throws
  /// tune::Error when the file of the lock cannot be made.
  static std::optional<DirectoryLock> take(const std::filesystem::path& directory,
                                           std::string& holder);

  /// False on a file system without locks, where nobody is kept out.
  bool is_kept() const { return is_kept_; }

  ~DirectoryLock();
  DirectoryLock(DirectoryLock&& other) noexcept;
  DirectoryLock& operator=(DirectoryLock&&) = delete;
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  explicit DirectoryLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
  bool is_kept_ = true;
};

/// Held while a campaign measures: two at once on one machine, of whatever user, would disturb each
/// other. The kernel frees it when the process ends, however it ends.
class RunLock {
 public:
  /// Nothing when another process holds it; then `holder` says who: "pid 4711, run directory /x".
  /// Throws tune::Error when the lock file cannot be made.
  static std::optional<RunLock> take(const std::filesystem::path& runtime_folder,
                                     const std::filesystem::path& run_directory,
                                     std::string& holder);

  ~RunLock();
  RunLock(RunLock&& other) noexcept;
  RunLock& operator=(RunLock&&) = delete;
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  explicit RunLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;  ///< of the lock file
  int name_ = -1;   ///< of the socket that holds the machine-wide name
};

}  // namespace tune::campaign
