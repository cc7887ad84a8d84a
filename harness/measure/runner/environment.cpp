#include "measure/runner/environment.h"

#include "machine/gpu_driver.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace tune::runner {

namespace {

std::string name_of(const std::string& entry) {
  return entry.substr(0, entry.find('='));
}

}  // namespace

std::vector<std::string> user_environment(const std::vector<std::string>& dropped,
                                          const std::vector<std::string>& added) {
  std::vector<std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string variable = *entry;
    const std::string name = name_of(variable);
    const bool is_dropped = std::find(dropped.begin(), dropped.end(), name) != dropped.end();
    const bool is_replaced = std::any_of(added.begin(), added.end(), [&](const std::string& other) {
      return name_of(other) == name;
    });
    if (!is_dropped && !is_replaced) {
      variables.push_back(variable);
    }
  }
  variables.insert(variables.end(), added.begin(), added.end());
  return variables;
}

namespace {

constexpr std::string_view kLibraryPath = "LD_LIBRARY_PATH=";

// CUDA's driver may lie where nothing else leads to. What is kept of the user's folders, and what
// is not is noted.
std::string kept_folders(std::string_view folders, WorkerEnvironment& result) {
  std::string kept = machine::driver_folders(folders);
  if (kept != folders) {
    std::string removed(kLibraryPath.substr(0, kLibraryPath.size() - 1));
    removed += kept.empty() ? "" : " (but for " + kept + ", where libcuda.so.1 is)";
    result.removed.push_back(std::move(removed));
  }
  return kept;
}

// LibTorch's own libraries come before the driver's folders, which may hold others of their names.
std::string library_path(const std::vector<std::filesystem::path>& folders,
                         const std::string& drivers) {
  std::string path;
  for (const std::filesystem::path& folder : folders) {
    path += folder.string() + ":";
  }
  path += drivers;
  if (path.ends_with(':')) {  // an empty folder would be the one that a program runs in
    path.pop_back();
  }
  return path;
}

}  // namespace

void set_variables(const std::map<std::string, std::string>& set,
                   std::vector<std::string>& variables) {
  std::erase_if(variables, [&](const std::string& entry) { return set.contains(name_of(entry)); });
  for (const auto& [name, value] : set) {
    std::string& variable = variables.emplace_back(name);
    variable += '=';
    variable += value;
  }
}

WorkerEnvironment worker_environment(const char* const* environment,
                                     const std::vector<std::filesystem::path>& library_folders) {
  static constexpr std::string_view kParent = "TUNE_PARENT";
  static constexpr std::array<std::string_view, 5> kLoaders = {"LD_PRELOAD",
                                                               "LD_AUDIT",
                                                               "KINETO_USE_DAEMON",
                                                               "CUDA_INJECTION64_PATH",
                                                               "NVTX_INJECTION64_PATH"};
  WorkerEnvironment result;
  std::string drivers;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    if (entry.starts_with(kLibraryPath)) {
      drivers = kept_folders(entry.substr(kLibraryPath.size()), result);
      continue;
    }
    const std::string_view name = entry.substr(0, entry.find('='));
    const bool loads = std::find(kLoaders.begin(), kLoaders.end(), name) != kLoaders.end();
    if (loads && entry.size() > name.size() + 1) {  // an empty value loads nothing
      result.removed.emplace_back(name);
    }
    if (!loads && name != kParent) {
      result.variables.emplace_back(entry);
    }
  }
  if (const std::string path = library_path(library_folders, drivers); !path.empty()) {
    result.variables.push_back(std::string(kLibraryPath) + path);
  }
  result.variables.push_back(std::string(kParent) + "=" + std::to_string(getpid()));
  return result;
}

}  // namespace tune::runner
