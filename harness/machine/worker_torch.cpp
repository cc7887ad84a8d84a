#include "machine/worker_torch.h"

#include "base/error.h"
#include "machine/library_folders.h"
#include "machine/text_file.h"
#include "machine/user_folders.h"

#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libtorch_cpu.so";

bool is_there(const fs::path& path) {
  std::error_code unknown;
  return fs::exists(path, unknown);
}

// LibTorch itself, whether it or the folder around it is named; "" when neither holds it.
fs::path torch_in(const fs::path& folder) {
  for (const fs::path& root : {folder / "torch", folder}) {
    if (is_there(root / "lib" / kLibrary)) {
      return root;
    }
  }
  return "";
}

std::string word_behind(std::string_view text, std::string_view before) {
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) {
    return "";
  }
  text.remove_prefix(at + before.size());
  return std::string(text.substr(0, text.find_first_not_of("0123456789")));
}

// "2.11"; "" when nothing tells. Some leave the headers out where nothing is built.
std::string version_of(const fs::path& torch) {
  const std::string header = read_text(torch / "include/torch/headeronly/version.h");
  std::string major = word_behind(header, "TORCH_VERSION_MAJOR ");
  std::string minor = word_behind(header, "TORCH_VERSION_MINOR ");
  if (major.empty() || minor.empty()) {
    const std::string python = read_text(torch / "version.py");
    major = word_behind(python, "__version__ = '");
    minor = word_behind(python, "__version__ = '" + major + ".");
  }
  return major.empty() || minor.empty() ? "" : major + "." + minor;
}

fs::path named_torch(const std::string& named) {
  fs::path torch = torch_in(fs::absolute(named).lexically_normal());
  const std::string where = "TUNE_TORCH_DIR=" + named;
  const std::string suggestion = "Name the folder of LibTorch " + std::string(kTorchVersion);
  if (torch.empty()) {
    throw Error({where,
                 "no LibTorch",
                 "neither lib/libtorch_cpu.so nor torch/lib/libtorch_cpu.so",
                 suggestion});
  }
  if (const std::string version = version_of(torch); version != kTorchVersion) {
    throw Error({where,
                 "LibTorch " + (version.empty() ? "of an unknown version" : version),
                 "tune is built for " + std::string(kTorchVersion),
                 suggestion});
  }
  return torch;
}

fs::path kept_folder(const char* kind) {
  return cache_folder() / ("torch-" + std::string(kTorchRelease) + "-" + kind);
}

fs::path kept_torch() {
  for (const char* const kind : {"cuda", "cpu"}) {
    const fs::path folder = kept_folder(kind);
    fs::path torch = is_there(folder / "complete") ? torch_in(folder) : "";
    if (!torch.empty()) {
      return torch;
    }
  }
  return "";
}

// Written by `cmake --install`; packages, which go to other machines, come without.
fs::path torch_of_build(const fs::path& worker) {
  const std::string text = read_text(worker.parent_path() / "../lib/tune/torch-folder");
  const std::string folder = text.substr(0, text.find('\n'));
  fs::path torch = folder.empty() ? "" : torch_in(folder);
  return !torch.empty() && version_of(torch) == kTorchVersion ? torch : "";
}

fs::path installed_torch(const fs::path& worker) {
  const char* const named = std::getenv("TUNE_TORCH_DIR");
  if (named != nullptr && *named != '\0') {
    return named_torch(named);
  }
  fs::path torch = kept_torch();
  if (torch.empty()) {
    torch = torch_of_build(worker);
  }
  if (torch.empty()) {
    throw Error({worker.filename().string(),
                 "no LibTorch " + std::string(kTorchVersion),
                 "neither TUNE_TORCH_DIR nor " + kept_folder("cpu").string(),
                 "Name its folder with TUNE_TORCH_DIR"});
  }
  return torch;
}

}  // namespace

WorkerTorch torch_of_worker(const fs::path& worker) {
  if (!needs_library(worker, kLibrary)) {
    return {};
  }
  for (const fs::path& folder : library_folders(worker)) {
    if (is_there(folder / kLibrary)) {
      return {.folder = folder};
    }
  }
  std::error_code unknown;
  fs::path torch = installed_torch(fs::weakly_canonical(worker, unknown));
  if (torch.string().find_first_of(":;") != std::string::npos) {
    throw Error({torch.string(),
                 "libraries are not found there",
                 "colons and semicolons separate folders",
                 "Name LibTorch by another path with TUNE_TORCH_DIR"});
  }
  WorkerTorch result{.folder = torch / "lib", .library_folders = {torch / "lib"}};
  // Wheels keep the CUDA runtime and CUPTI, without which LibTorch does not load, beside it.
  const fs::path cuda = torch.parent_path() / "nvidia/cu13/lib";
  if (is_there(cuda)) {
    result.library_folders.push_back(cuda);
  }
  return result;
}

}  // namespace tune::machine
