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
            ("tune-campaign-test-" + of_eight_digits(getpid()) + "-" + of_eight_digits(count++));
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
  // Ledgers name their folder: of one length, so that what is changed at random is at the same place
  // in every run.
  static std::string of_eight_digits(int number) {
    const std::string digits = std::to_string(number);
    return std::string(8 - digits.size(), '0') + digits;
  }

  std::filesystem::path path_;
};

}  // namespace tune::campaign
