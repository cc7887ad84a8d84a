#include "machine/library_folders.h"

#include <gtest/gtest.h>

#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace tune::machine {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kAddress = 0x10000;  // where the program has its first byte

// A program of nothing but a table of texts and what names a place in it.
std::string program(const std::string& texts, std::int64_t tag, std::uint64_t place) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 2;
  const std::uint64_t dynamic_at = sizeof header + 2 * sizeof(Elf64_Phdr);
  const std::uint64_t texts_at = dynamic_at + 3 * sizeof(Elf64_Dyn);
  Elf64_Phdr load{}, dynamic{};
  load.p_type = PT_LOAD;
  load.p_vaddr = kAddress;
  load.p_filesz = texts_at + texts.size();
  dynamic.p_type = PT_DYNAMIC;
  dynamic.p_offset = dynamic_at;
  dynamic.p_filesz = 3 * sizeof(Elf64_Dyn);
  std::vector<Elf64_Dyn> entries(3);
  entries[0].d_tag = DT_STRTAB;
  entries[0].d_un.d_ptr = kAddress + texts_at;
  entries[1].d_tag = tag;
  entries[1].d_un.d_val = place;
  std::string bytes;
  const auto add = [&](const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  };
  add(&header, sizeof header);
  add(&load, sizeof load);
  add(&dynamic, sizeof dynamic);
  add(entries.data(), entries.size() * sizeof(Elf64_Dyn));
  return bytes + texts;
}

class LibraryFolders : public testing::Test {
 protected:
  LibraryFolders()
      : folder_(fs::temp_directory_path() / ("library-folders-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~LibraryFolders() override { fs::remove_all(folder_); }

  std::vector<fs::path> of(const std::string& bytes) {
    std::ofstream(folder_ / "program", std::ios::binary) << bytes;
    return library_folders(folder_ / "program");
  }

  fs::path folder_;
};

TEST_F(LibraryFolders, AreWhatIsWrittenIntoTheProgram) {
  const std::string texts = std::string("\0libc.so\0", 9) + "$ORIGIN:/opt/torch/lib:$ORIGIN/../x";
  EXPECT_EQ(of(program(texts, DT_RPATH, 9)),
            (std::vector<fs::path>{folder_, "/opt/torch/lib", folder_.parent_path() / "x"}));
  EXPECT_EQ(of(program(texts, DT_RUNPATH, 9)).size(), 3U);
}

TEST_F(LibraryFolders, AreNoneOfWhatIsNoProgramOrHasNone) {
  EXPECT_TRUE(library_folders(folder_ / "absent").empty());
  EXPECT_TRUE(of("").empty());
  EXPECT_TRUE(of("#!/bin/sh\n").empty());
  EXPECT_TRUE(of(program("x", DT_NEEDED, 0)).empty());
  const std::string whole = program("/opt", DT_RPATH, 0);
  for (std::size_t size = 0; size + 8 < whole.size(); size += 7) {
    of(whole.substr(0, size));  // whatever it says, it comes back
  }
  std::string hostile = whole;
  hostile.replace(offsetof(Elf64_Ehdr, e_phoff), 8, std::string(8, '\xff'));
  EXPECT_TRUE(of(hostile).empty());
  EXPECT_TRUE(of(program("/opt", DT_RPATH, ~std::uint64_t{0})).empty());
}

}  // namespace
}  // namespace tune::machine
