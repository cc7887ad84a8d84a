#pragma once

#include <filesystem>
#include <functional>

namespace tune::dataset {

/// Keeps other processes (and threads) from making or removing the same set: an flock, so it goes
/// with the process however that ends.
class SetLock {
 public:
  /// Waits for the lock; calls `while_waiting` about every 100 ms, which may throw to give up.
  /// Throws tune::Error when the file cannot be made.
  SetLock(std::filesystem::path file, const std::function<void()>& while_waiting);
  ~SetLock();
  SetLock(const SetLock&) = delete;
  SetLock& operator=(const SetLock&) = delete;

  /// True while somebody holds the lock. Only for telling people: it may change at once.
  static bool is_held(const std::filesystem::path& file);

 private:
  bool try_once();

  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace tune::dataset
