#include "machine/worker_torch.h"

#include "base/error.h"
#include "base/whole_number.h"
#include "machine/text_file.h"
#include "machine/user_folders.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 10'000;  // limit of any table: a file may claim anything
constexpr std::size_t kLongestPath = 1 << 16, kLongestName = 256;

class ElfFile {
 public:
  explicit ElfFile(const fs::path& path) : file_(path, std::ios::binary) {}

  template <class Row>
  std::optional<Row> read(std::uint64_t at) {
    Row row{};
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(at));
    file_.read(reinterpret_cast<char*>(&row), sizeof row);
    return file_ ? std::optional(row) : std::nullopt;
  }

  /// Up to its zero byte, or to `longest`.
  std::string text(std::uint64_t at, std::size_t longest) {
    std::string found(longest, '\0');
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(at));
    file_.read(found.data(), static_cast<std::streamsize>(found.size()));
    found.resize(std::strlen(found.c_str()));
    return found;
  }

 private:
  std::ifstream file_;
};

bool is_ours(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
         header.e_phentsize == sizeof(Elf64_Phdr);
}

// The place in the file of what the program has at this address.
std::optional<std::uint64_t> place_of(std::uint64_t address,
                                      const std::vector<Elf64_Phdr>& segments) {
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz) {
      return segment.p_offset + (address - segment.p_vaddr);
    }
  }
  return std::nullopt;
}

/// The contents of the dynamic section; addresses, and places in the table of texts.
struct DynamicSection {
  std::optional<std::uint64_t> texts, rpath, runpath;
  std::vector<std::uint64_t> needed;
};

void take(const Elf64_Dyn& entry, DynamicSection& found) {
  if (entry.d_tag == DT_STRTAB) {
    found.texts = entry.d_un.d_ptr;
  } else if (entry.d_tag == DT_RPATH) {
    found.rpath = entry.d_un.d_val;
  } else if (entry.d_tag == DT_RUNPATH) {
    found.runpath = entry.d_un.d_val;
  } else if (entry.d_tag == DT_NEEDED) {
    found.needed.push_back(entry.d_un.d_val);
  }
}

DynamicSection dynamic_section(ElfFile& file, const std::vector<Elf64_Phdr>& segments) {
  DynamicSection found;
  for (const Elf64_Phdr& segment : segments) {
    const std::size_t entries =
        segment.p_type == PT_DYNAMIC
            ? std::min<std::size_t>(segment.p_filesz / sizeof(Elf64_Dyn), kMostEntries)
            : 0;
    for (std::size_t i = 0; i < entries; ++i) {
      const auto entry = file.read<Elf64_Dyn>(segment.p_offset + i * sizeof(Elf64_Dyn));
      if (!entry || entry->d_tag == DT_NULL) {
        break;
      }
      take(*entry, found);
    }
  }
  return found;
}

/// The texts in the dynamic section.
struct LinkTexts {
  std::string path;  ///< DT_RPATH, else DT_RUNPATH
  std::vector<std::string> needed;
};

LinkTexts link_texts(const fs::path& program) {
  ElfFile file(program);
  const auto header = file.read<Elf64_Ehdr>(0);
  if (!header || !is_ours(*header)) {
    return {};
  }
  std::vector<Elf64_Phdr> segments;
  for (std::size_t i = 0; i < header->e_phnum; ++i) {
    if (const auto segment = file.read<Elf64_Phdr>(header->e_phoff + i * sizeof(Elf64_Phdr))) {
      segments.push_back(*segment);
    }
  }
  const DynamicSection found = dynamic_section(file, segments);
  const auto texts = found.texts ? place_of(*found.texts, segments) : std::nullopt;
  if (!texts) {
    return {};
  }
  LinkTexts result;
  if (const auto place = found.rpath ? found.rpath : found.runpath) {
    result.path = file.text(*texts + *place, kLongestPath);
  }
  for (const std::uint64_t place : found.needed) {
    result.needed.push_back(file.text(*texts + place, kLongestName));
  }
  return result;
}

}  // namespace

std::vector<fs::path> library_folders(const fs::path& program) {
  constexpr std::string_view kOrigin = "$ORIGIN";
  std::vector<fs::path> folders;
  std::string folder;
  for (const char letter : link_texts(program).path + ":") {
    if (letter != ':') {
      folder += letter;
      continue;
    }
    if (folder.starts_with(kOrigin)) {
      folder.replace(0, kOrigin.size(), program.parent_path().string());
    }
    if (!folder.empty()) {
      folders.push_back(fs::path(folder).lexically_normal());
    }
    folder.clear();
  }
  return folders;
}

bool needs_library(const fs::path& program, std::string_view name) {
  const std::vector<std::string> needed = link_texts(program).needed;
  return std::find(needed.begin(), needed.end(), name) != needed.end();
}

namespace {

// 10 of "2.10.0".
std::optional<int> minor_of(std::string_view version) {
  constexpr std::string_view kMajor = "2.";
  if (!version.starts_with(kMajor)) {
    return std::nullopt;
  }
  version.remove_prefix(kMajor.size());
  return parse_whole<int>(version.substr(0, version.find_first_not_of("0123456789")));
}

}  // namespace

bool is_torch_supported(std::string_view version) {
  const auto minor = minor_of(version);
  return minor && *minor >= minor_of(kOldestTorchVersion) && *minor <= minor_of(kTorchVersion);
}

namespace {

constexpr const char* kLibrary = "libtorch_cpu.so";

bool is_there(const fs::path& path) {
  std::error_code unknown;
  return fs::exists(path, unknown);
}

// LibTorch's own folder, whether it or its parent is given; "" when neither contains it.
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

// "2.11"; "" when unknown. Some packages leave out the headers.
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

// Written by `cmake --install`; packages for other machines come without it.
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
                 "libraries cannot be found there",
                 "colons and semicolons separate folders",
                 "Name LibTorch by another path with TUNE_TORCH_DIR"});
  }
  WorkerTorch result{.folder = torch / "lib", .library_folders = {torch / "lib"}};
  // Wheels have the CUDA runtime and CUPTI, without which LibTorch does not load, next to it.
  const fs::path cuda = torch.parent_path() / "nvidia/cu13/lib";
  if (is_there(cuda)) {
    result.library_folders.push_back(cuda);
  }
  return result;
}

}  // namespace tune::machine
