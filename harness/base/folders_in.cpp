#include "base/folders_in.h"

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

}  // namespace tune
