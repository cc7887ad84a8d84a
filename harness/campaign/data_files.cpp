#include "campaign/data_files.h"

#include "machine/page_cache.h"

#include <system_error>

namespace tune::campaign {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytes = 1U << 30;
constexpr std::size_t kMostFiles = 50'000;

// What makes it too much ends the walk: a large set costs no more than the first of its files.
std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::uintmax_t bytes = 0;
  std::error_code failed;
  auto entry = fs::recursive_directory_iterator(
      folder, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    std::error_code unknown;
    if (!entry->is_regular_file(unknown)) {
      continue;
    }
    const std::uintmax_t size = entry->file_size(unknown);
    bytes += unknown ? 0 : size;
    if (bytes > kMostBytes || files.size() == kMostFiles) {
      return {};
    }
    files.push_back(entry->path());
  }
  return failed ? std::vector<fs::path>() : files;
}

}  // namespace

std::vector<fs::path> small_data_files(const trial::Data& data) {
  std::error_code failed;
  if (data.path.empty() || !fs::path(data.path).is_absolute()) {
    return {};
  }
  if (fs::is_regular_file(data.path, failed)) {
    const std::uintmax_t size = fs::file_size(data.path, failed);
    return failed || size > kMostBytes ? std::vector<fs::path>() : std::vector{fs::path(data.path)};
  }
  return fs::is_directory(data.path, failed) ? files_below(data.path) : std::vector<fs::path>();
}

void drop_from_memory(const std::vector<fs::path>& files) {
  for (const fs::path& file : files) {
    machine::drop_from_page_cache(file);
  }
}

void read_into_memory(const std::vector<fs::path>& files) {
  for (const fs::path& file : files) {
    machine::read_into_page_cache(file);
  }
}

}  // namespace tune::campaign
