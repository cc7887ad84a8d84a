#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tune {

/// A file to which lines are only ever appended, each on disk before the call returns. Throws
/// tune::Error when it cannot be created or written, MachineError when the machine is the cause.
class AppendedFile {
 public:
  /// Creates a new file; it must not exist yet. It is there once its first line is on disk, however
  /// the process ends.
  static AppendedFile create(const std::filesystem::path& file, const std::string& first_line);

  /// Continues a file whose first `whole_bytes` are good; what a crash left after them is cut off.
  static AppendedFile reopen(const std::filesystem::path& file, std::int64_t whole_bytes);

  ~AppendedFile();
  AppendedFile(AppendedFile&& other) noexcept;
  AppendedFile& operator=(AppendedFile&&) = delete;
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;

  /// Appends the line and a line feed. Stops writing once the file has been deleted.
  void append(std::string line);

  /// Throws MachineError when its name no longer leads to it: somebody removed or replaced it.
  void check_place() const;

 private:
  /// What its name leads to; after `unseen`, errno says why.
  enum class Place { own, lost, unseen };

  AppendedFile(std::filesystem::path file, int descriptor);
  Place look() const;

  std::filesystem::path file_;
  int descriptor_;
};

}  // namespace tune
