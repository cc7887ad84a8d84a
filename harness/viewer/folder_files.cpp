#include "viewer/folder_files.h"

#include <array>
#include <string_view>
#include <system_error>

namespace tune::viewer {

namespace fs = std::filesystem;

std::map<std::string, fs::path> files_to_serve(const fs::path& folder) {
  std::map<std::string, fs::path> files;
  std::error_code failed;
  auto entry = fs::recursive_directory_iterator(
      folder, fs::directory_options::skip_permission_denied, failed);
  while (!failed && entry != fs::recursive_directory_iterator()) {
    std::error_code unknown;
    const fs::file_status status = entry->symlink_status(unknown);
    if (entry->path().filename().string().starts_with('.')) {
      entry.disable_recursion_pending();
    } else if (!unknown && fs::is_regular_file(status)) {
      files.emplace(entry->path().lexically_relative(folder).generic_string(), entry->path());
    }
    entry.increment(failed);
  }
  return files;
}

std::string media_type(const std::string& name) {
  struct Ending {
    std::string_view text, type;
  };
  static constexpr std::array<Ending, 7> kEndings = {{{".html", "text/html; charset=utf-8"},
                                                      {".js", "text/javascript; charset=utf-8"},
                                                      {".json", "application/json"},
                                                      {".jsonl", "text/plain; charset=utf-8"},
                                                      {".md", "text/plain; charset=utf-8"},
                                                      {".log", "text/plain; charset=utf-8"},
                                                      {".gz", "application/gzip"}}};
  for (const Ending& ending : kEndings) {
    if (name.ends_with(ending.text)) {
      return std::string(ending.type);
    }
  }
  return "application/octet-stream";
}

}  // namespace tune::viewer
