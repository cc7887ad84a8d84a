#include "machine/library_folders.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 10'000;  // of any table: a file may claim anything
constexpr std::size_t kLongestText = 1 << 16;

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

  /// Up to its zero byte, or to `kLongestText`.
  std::string text(std::uint64_t at) {
    std::string found(kLongestText, '\0');
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

// Where in the file lies what the program has at this address.
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

/// What the dynamic section says of it; addresses, and places in the table of texts.
struct SearchPath {
  std::optional<std::uint64_t> texts, rpath, runpath;
};

SearchPath search_path(ElfFile& file, const std::vector<Elf64_Phdr>& segments) {
  SearchPath found;
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
      if (entry->d_tag == DT_STRTAB) {
        found.texts = entry->d_un.d_ptr;
      } else if (entry->d_tag == DT_RPATH) {
        found.rpath = entry->d_un.d_val;
      } else if (entry->d_tag == DT_RUNPATH) {
        found.runpath = entry->d_un.d_val;
      }
    }
  }
  return found;
}

std::string written_path(const fs::path& program) {
  ElfFile file(program);
  const auto header = file.read<Elf64_Ehdr>(0);
  if (!header || !is_ours(*header)) {
    return "";
  }
  std::vector<Elf64_Phdr> segments;
  for (std::size_t i = 0; i < header->e_phnum; ++i) {
    if (const auto segment = file.read<Elf64_Phdr>(header->e_phoff + i * sizeof(Elf64_Phdr))) {
      segments.push_back(*segment);
    }
  }
  const SearchPath found = search_path(file, segments);
  const auto place = found.rpath ? found.rpath : found.runpath;
  const auto texts = found.texts ? place_of(*found.texts, segments) : std::nullopt;
  return place && texts ? file.text(*texts + *place) : "";
}

}  // namespace

std::vector<fs::path> library_folders(const fs::path& program) {
  constexpr std::string_view kOrigin = "$ORIGIN";
  std::vector<fs::path> folders;
  std::string folder;
  for (const char letter : written_path(program) + ":") {
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

}  // namespace tune::machine
