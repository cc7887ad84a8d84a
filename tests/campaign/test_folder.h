#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace tune::campaign {

/// A folder of one test, removed at its end.
class TestFolder {
 public:
  TestFolder() {
    static std::atomic<int> count = 0;
    // In memory where there is such a place: hundreds of campaigns sync thousands of lines.
    const std::filesystem::path memory = "/dev/shm";
    const bool usable = access(memory.c_str(), W_OK) == 0;
    path_ = (usable ? memory : std::filesystem::temp_directory_path()) /
            ("tune-campaign-test-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace tune::campaign
