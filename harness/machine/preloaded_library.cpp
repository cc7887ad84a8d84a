#include "machine/preloaded_library.h"

#include "base/error.h"

#include <algorithm>
#include <array>
#include <system_error>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

struct Library {
  std::string_view word;
  std::array<std::string_view, 2> files;  ///< the better one first
  std::string_view package;               ///< Debian's
};

// The packages are Debian 12's. LLVM's OpenMP runtime is Intel's, under its own name.
constexpr std::array<Library, 3> kLibraries = {{
    {"jemalloc", {"libjemalloc.so.2", "libjemalloc.so"}, "libjemalloc2"},
    {"tcmalloc", {"libtcmalloc_minimal.so.4", "libtcmalloc.so.4"}, "libtcmalloc-minimal4"},
    {"iomp5", {"libiomp5.so", "libomp.so.5"}, "libomp5-14"},
}};

constexpr std::array<std::string_view, 5> kFolders = {"usr/lib/x86_64-linux-gnu",
                                                      "usr/lib/aarch64-linux-gnu",
                                                      "usr/local/lib",
                                                      "usr/lib64",
                                                      "usr/lib"};

}  // namespace

namespace {

std::string one_library(std::string_view word, const fs::path& root) {
  const auto* const library = std::find_if(
      kLibraries.begin(), kLibraries.end(), [&](const auto& each) { return each.word == word; });
  if (library == kLibraries.end()) {
    return std::string(word);
  }
  for (const std::string_view file : library->files) {
    for (const std::string_view folder : kFolders) {
      const fs::path path = root / folder / file;
      std::error_code failed;
      if (fs::is_regular_file(path, failed)) {
        return path.string();
      }
    }
  }
  throw Error(Error::Parts{"LD_PRELOAD",
                           "'" + std::string(word) + "' is not installed",
                           "",
                           "apt-get install " + std::string(library->package)});
}

}  // namespace

std::string preloaded_library(std::string_view word, const fs::path& root) {
  std::string list;
  for (std::size_t begin = 0; begin <= word.size();) {
    const std::size_t end = std::min(word.find(':', begin), word.size());
    list += (begin == 0 ? "" : ":") + one_library(word.substr(begin, end - begin), root);
    begin = end + 1;
  }
  return list;
}

std::map<std::string, std::string> with_preloaded_library(
    std::map<std::string, std::string> variables) {
  const auto found = variables.find("LD_PRELOAD");
  if (found != variables.end()) {
    found->second = preloaded_library(found->second);
  }
  return variables;
}

}  // namespace tune::machine
