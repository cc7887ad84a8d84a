#pragma once

#include <chrono>
#include <filesystem>

namespace tune::history {

/// Held while a store is opened for writing: who makes it, migrates it or moves it aside is alone.
/// An flock, so it goes with the process however that ends; the file stays.
class StoreLock {
 public:
  /// Waits for it, at most so long. Throws tune::Error when the file cannot be made or somebody
  /// else keeps the lock.
  StoreLock(const std::filesystem::path& file, std::chrono::milliseconds wait);
  ~StoreLock();
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace tune::history
