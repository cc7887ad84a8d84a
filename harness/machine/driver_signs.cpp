#include "machine/driver_signs.h"

#include "base/whole_number.h"
#include "machine/text_file.h"

#include <algorithm>
#include <initializer_list>
#include <system_error>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

bool is_version(std::string_view word) {
  return word.find('.') != std::string_view::npos &&
         word.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace

bool shows_driver(const fs::path& root) {
  std::error_code ignored;
  for (const char* const sign :
       {"proc/driver/nvidia/version", "dev/nvidiactl", "usr/lib/wsl/lib/libcuda.so.1"}) {
    if (fs::exists(root / sign, ignored)) {
      return true;
    }
  }
  return false;
}

// "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build ..."
std::string driver_version(const fs::path& root) {
  const std::string text = read_text(root / "proc/driver/nvidia/version");
  std::string_view line = std::string_view(text).substr(0, text.find('\n'));
  while (!line.empty()) {
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    if (is_version(word)) {
      return std::string(word);
    }
    line.remove_prefix(std::min(line.size(), word.size() + 1));
  }
  return "";
}

std::optional<std::int64_t> driver_release(std::string_view version) {
  return parse_whole<std::int64_t>(version.substr(0, version.find('.')));
}

std::string driver_folders(std::string_view library_path) {
  std::string folders;
  while (!library_path.empty()) {
    const std::size_t end = std::min(library_path.find_first_of(":;"), library_path.size());
    const std::string folder(library_path.substr(0, end));
    library_path.remove_prefix(std::min(library_path.size(), end + 1));
    std::error_code ignored;
    if (folder.starts_with('/') && fs::exists(fs::path(folder) / "libcuda.so.1", ignored)) {
      folders += (folders.empty() ? "" : ":") + folder;
    }
  }
  return folders;
}

}  // namespace tune::machine
