#include "machine/library_folders.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 10'000;  // of any table: a file may claim anything
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

/// The texts of the dynamic section.
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

}  // namespace tune::machine
