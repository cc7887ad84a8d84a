#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tune {

/// A file to which lines are only ever appended, each on disk before the call returns. Throws
/// tune::Error where it cannot be made or written, a MachineError where that is the machine's.
class AppendedFile {
 public:
  /// Begins a new one; it must not be there. Without its first line there is none afterwards.
  static AppendedFile create(const std::filesystem::path& file, std::string first_line);

  /// Goes on with one whose first `whole_bytes` are good; what a crash left after them is cut off.
  static AppendedFile reopen(const std::filesystem::path& file, std::int64_t whole_bytes);

  ~AppendedFile();
  AppendedFile(AppendedFile&& other) noexcept;
  AppendedFile& operator=(AppendedFile&&) = delete;
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;

  /// Adds the line and its end. What is deleted meanwhile is not written on.
  void append(std::string line);

  /// Throws a MachineError where its name leads to it no more: somebody removed or replaced it.
  void check_place() const;

 private:
  /// What its name leads to; of `unseen`, errno says why.
  enum class Place { own, lost, unseen };

  AppendedFile(std::filesystem::path file, int descriptor);
  Place look() const;

  std::filesystem::path file_;
  int descriptor_;
};

}  // namespace tune
