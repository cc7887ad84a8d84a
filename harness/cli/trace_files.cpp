#include "cli/trace_files.h"

#include "base/error.h"

#include <algorithm>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& directory) {
  std::error_code failed;
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(directory, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    std::error_code unknown;
    if (entry->is_regular_file(unknown)) {
      files.push_back(entry->path().lexically_normal());
    }
  }
  if (failed) {
    throw Error(Error::Parts{directory.string(), "cannot be listed", failed.message(), ""});
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<TraceFile> find_trace_files(const std::vector<std::string>& words) {
  std::vector<TraceFile> files;
  files.reserve(words.size());
  for (const std::string& word : words) {
    std::error_code unknown;
    if (!fs::is_directory(word, unknown)) {
      files.push_back({word});
      continue;
    }
    for (const fs::path& file : files_in(word)) {
      files.push_back({file, false});
    }
  }
  return files;
}

}  // namespace tune::cli
