#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tune {

/// A file in the making, in its final folder. It has no name where the file system supports that,
/// so that a process killed while writing leaves nothing behind.
class Draft {
 public:
  /// `flags` of open(), beside those for writing a new file.
  explicit Draft(const std::filesystem::path& path, int flags = 0);
  ~Draft();
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  // Each is false, and errno says why, when it cannot be done.
  bool is_open() const { return descriptor_ >= 0; }
  /// All of the text.
  bool write(std::string_view text);
  bool permit(unsigned permissions);
  /// What was written survives a power cut; its name does after sync_folder_of().
  bool sync();
  /// Takes the path, whatever has it.
  bool replace();
  /// Takes the path; EEXIST where something has it.
  bool take_place();

  /// Gives up the descriptor, which the caller closes. Once.
  int release();

 private:
  bool name_it();

  std::filesystem::path path_;
  std::string draft_;  // its name until it has the path
  bool is_nameless_ = false, has_draft_name_ = false;
  int descriptor_ = -1;
};

/// Makes the file's name survive a power cut, too, where the file system can.
void sync_folder_of(const std::filesystem::path& file);

}  // namespace tune
