#include "machine/library_folders.h"

#include "small_program.h"

#include <gtest/gtest.h>

#include <elf.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace tune::machine {
namespace {

namespace fs = std::filesystem;

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
  EXPECT_EQ(of(small_program(texts, {{DT_RPATH, 9}})),
            (std::vector<fs::path>{folder_, "/opt/torch/lib", folder_.parent_path() / "x"}));
  EXPECT_EQ(of(small_program(texts, {{DT_RUNPATH, 9}})).size(), 3U);
}

TEST_F(LibraryFolders, AProgramNeedsTheLibrariesThatItNames) {
  const std::string texts("\0libc10.so\0libz.so.1", 20);
  std::ofstream(folder_ / "program", std::ios::binary)
      << small_program(texts, {{DT_NEEDED, 1}, {DT_RPATH, 0}, {DT_NEEDED, 11}});
  EXPECT_TRUE(needs_library(folder_ / "program", "libc10.so"));
  EXPECT_TRUE(needs_library(folder_ / "program", "libz.so.1"));
  EXPECT_FALSE(needs_library(folder_ / "program", "libz.so"));
  EXPECT_FALSE(needs_library(folder_ / "absent", "libz.so.1"));
}

TEST_F(LibraryFolders, AreNoneOfWhatIsNoProgramOrHasNone) {
  EXPECT_TRUE(library_folders(folder_ / "absent").empty());
  EXPECT_TRUE(of("").empty());
  EXPECT_TRUE(of("#!/bin/sh\n").empty());
  EXPECT_TRUE(of(small_program("x", {{DT_NEEDED, 0}})).empty());
  const std::string whole = small_program("/opt", {{DT_RPATH, 0}});
  for (std::size_t size = 0; size + 8 < whole.size(); size += 7) {
    of(whole.substr(0, size));  // whatever it says, it comes back
  }
  std::string hostile = whole;
  hostile.replace(offsetof(Elf64_Ehdr, e_phoff), 8, std::string(8, '\xff'));
  EXPECT_TRUE(of(hostile).empty());
  EXPECT_TRUE(of(small_program("/opt", {{DT_RPATH, ~std::uint64_t{0}}})).empty());
}

}  // namespace
}  // namespace tune::machine
