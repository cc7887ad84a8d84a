#include "base/folders_in.h"

#include "base/machine_error.h"

#include <algorithm>
#include <system_error>

namespace tune {

namespace fs = std::filesystem;

std::vector<fs::path> folders_in(const fs::path& folder,
                                 const std::function<bool(const fs::path&)>& is_wanted) {
  std::vector<fs::path> found;
  std::error_code failed;
  auto entry = fs::directory_iterator(folder, failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    std::error_code ignored;
    if (!entry->is_symlink(ignored) && is_wanted(entry->path())) {
      found.push_back(entry->path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<fs::path> kept_entries(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failed;
  auto entry = fs::directory_iterator(folder, failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    found.push_back(entry->path());
  }
  if (failed && failed != std::errc::no_such_file_or_directory &&
      failed != std::errc::not_a_directory) {
    throw MachineError({folder.string(), "cannot be listed", failed.message(), ""});
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace tune
