#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tune::scenario {

/// What has to be made, and what has to be there, before a scenario can be measured.
struct BuildOrder {
  std::string command;  ///< `workload.build`; "": nothing has to be made
  /// Of `workload:`, at any depth, what may name a file: texts with a '/' or a '.' in them.
  std::vector<std::string> paths;
  std::string data_path;  ///< `data.path`, or ""
};

/// Reads it without asking whether any file is there: a plug-in may yet have to be built. `file` is
/// named in complaints. Throws tune::Error with every complaint about the YAML and its schema.
BuildOrder read_build_order(const std::string& text, const std::filesystem::path& file);

}  // namespace tune::scenario
