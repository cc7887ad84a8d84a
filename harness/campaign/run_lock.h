#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tune::campaign {

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
