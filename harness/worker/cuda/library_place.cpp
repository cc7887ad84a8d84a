#include "worker/cuda/library_place.h"

#include <algorithm>
#include <dlfcn.h>
#include <system_error>

namespace tune::worker {

namespace fs = std::filesystem;

fs::path library_of(const void* address) {
  Dl_info found{};
  if (dladdr(address, &found) == 0 || found.dli_fname == nullptr) {
    return {};
  }
  std::error_code failed;
  const fs::path resolved = fs::canonical(found.dli_fname, failed);
  return failed ? fs::path(found.dli_fname) : resolved;
}

std::string why_foreign(const fs::path& library, const fs::path& torch_library) {
  const fs::path home = torch_library.parent_path().parent_path().parent_path();
  const auto [end, rest] = std::mismatch(home.begin(), home.end(), library.begin(), library.end());
  if (!library.empty() && !home.empty() && end == home.end()) {
    return "";
  }
  std::string text = library.empty() ? "CUPTI" : library.string();
  text += " was loaded, not the CUPTI next to LibTorch in " + home.string();
  return text;
}

}  // namespace tune::worker
