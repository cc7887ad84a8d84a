#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tune::cli {

/// A file that may be a trace.
struct TraceFile {
  std::filesystem::path path;
  bool is_named = true;  ///< by the user; false: it lies in a directory that was
};

/// What the words name: files as they are, of a directory all files in it (not below), by name.
std::vector<TraceFile> find_trace_files(const std::vector<std::string>& words);

}  // namespace tune::cli
